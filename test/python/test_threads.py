"""Threads: the same bits, one solver for one caller, the lock released."""

import threading
import time

import limber
import numpy as np
import pytest

ARM = limber.Model.load("panda")
TARGETS = ARM.fk(ARM.random(20_000, seed=11), "panda_hand", layout="columns")


@pytest.mark.parametrize("threads", [2, 3, 7, 0])
def test_any_number_of_threads_gives_the_same_bits(threads: int) -> None:
    one = ARM.ik("panda_hand").solve(TARGETS)
    many = ARM.ik("panda_hand").solve(TARGETS, threads=threads)
    assert (one.q == many.q).all()
    assert one.info.tobytes() == many.info.tobytes()


def test_forward_kinematics_too() -> None:
    q = ARM.random(5000, seed=1)
    for one, two in zip(ARM.fk(q, jacobian=True), ARM.fk(q, jacobian=True, threads=3)):
        assert (one == two).all()
    single = q.astype(np.float32)
    assert (ARM.fk(single) == ARM.fk(single, threads=2)).all()
    assert ARM.fk(single).dtype == np.float32


def test_a_negative_number_is_refused() -> None:
    with pytest.raises(ValueError, match="threads"):
        ARM.ik("panda_hand").solve(TARGETS, threads=-1)


def test_one_solver_in_two_threads_is_refused_and_the_lock_is_released() -> None:
    # seconds of work: a thousand iterations for what cannot be reached
    far = TARGETS.copy()
    far[:, 3] += 0.9
    ik = ARM.ik("panda_hand", iterations=1000)

    def solve_all() -> None:
        # the first call may meet one of the other thread's
        while True:
            try:
                ik.solve(far)
                return
            except RuntimeError:
                continue

    worker = threading.Thread(target=solve_all)
    refused = None
    worker.start()
    while worker.is_alive() and refused is None:
        time.sleep(0.001)
        try:
            ik.solve(TARGETS[0])
        except RuntimeError as error:
            refused = str(error)
    worker.join()
    assert refused is not None and "another thread" in refused
    # it serves again afterwards
    assert ik.solve(TARGETS[0]).reached


def test_failures_in_threads_are_raised() -> None:
    matrices = np.zeros((10_000, 4, 4))
    with pytest.raises(ValueError, match="transposed"):
        ARM.ik("panda_hand").solve(matrices, threads=2)
