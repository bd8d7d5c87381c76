"""Threads: the same bits, objects that are shared, the lock released; memory: none is lost."""

import gc
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import limber
from limber import _core
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
    ik, q = ARM.ik("panda_hand"), ARM.neutral
    ARM.fk(q, "panda_hand")
    for work in (
        lambda: ik.solve(TARGETS, threads=-1),
        lambda: ik.solve(TARGETS[0], threads=-1),
        lambda: ARM.fk(q, "panda_hand", threads=-1),
    ):
        with pytest.raises(ValueError, match="threads"):
            work()


def in_four_threads(work) -> list:
    """What each of four threads gets that begin at the same time."""
    begin = threading.Barrier(4)

    def together(_: int) -> list:
        begin.wait()
        return [work() for _ in range(20)]

    with ThreadPoolExecutor(4) as pool:
        return [found for each in pool.map(together, range(4)) for found in each]


def test_threads_share_a_model_and_a_solver_with_the_same_bits() -> None:
    ik = ARM.ik("panda_hand")
    few, q = TARGETS[:50], ARM.random(500, seed=2)
    listed = limber.Model.load("ur5").ik("tool0")
    tool = listed.model.fk(listed.model.random(20, seed=1), "tool0")
    apart = ROBOT.collision(figure=True)
    poses = ROBOT.random(50, seed=4)
    body = ROBOT.body([limber.BodyTask("position", ROBOT.tips[0])])
    works = {
        "fk": lambda: ARM.fk(q).tobytes(),
        "jacobian": lambda: ARM.fk(q, jacobian=True)[1].tobytes(),
        "fk of many links": lambda: b"".join(ARM.fk(q[0], [i, j]).tobytes() for i in range(5) for j in range(5)),
        "solve": lambda: ik.solve(few).q.tobytes(),
        "step": lambda: ik.step(few[0], q[0])[1].tobytes(),
        "explain": lambda: ik.solve(few[0] + 9.0 * np.eye(4, 3, -3)).explain(),
        "solutions": lambda: listed.solutions(tool).q.tobytes(),
        "collision": lambda: apart.distance(poses).tobytes(),
        "body": lambda: body.solve(poses[0]).q.tobytes(),
    }
    for name, work in works.items():
        one = work()
        assert in_four_threads(work) == [one] * 80, name


def test_failures_in_threads_are_raised() -> None:
    matrices = np.zeros((10_000, 4, 4))
    with pytest.raises(ValueError, match="transposed"):
        ARM.ik("panda_hand").solve(matrices, threads=2)


# ---- motions -----------------------------------------------------------------------------------

WALK, FEET = limber.Clip.walk(limber.Model.load("human").with_root("floating"), cycles=20, rate=120)
ROBOT = limber.Model.load("biped").with_moving_root()
APART = ROBOT.collision(figure=True)


def other_runs_during(work) -> bool:
    """Whether another thread runs while one call of the library does."""
    ticks, over = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not over.is_set():
            ticks += 1
            time.sleep(0)

    other = threading.Thread(target=tick)
    usual = sys.getswitchinterval()
    other.start()
    try:
        # the other one gets the lock only where this one releases it
        sys.setswitchinterval(60)
        before = ticks
        work()
        return ticks > before
    finally:
        sys.setswitchinterval(usual)
        over.set()
        other.join()


def test_the_lock_is_released_while_motions_are_made(tmp_path) -> None:
    motion, done = WALK.retarget(ROBOT, contacts=FEET, no_speed_limits=True)
    part = motion.slice(0, 5)
    for ending in ("npz", "bvh", "csv", "json"):
        motion.save(tmp_path / f"m.{ending}")
    works = {
        "retarget": lambda: WALK.retarget(ROBOT, contacts=FEET, no_speed_limits=True),
        "retime": lambda: WALK.retarget(ROBOT, contacts=FEET, retime=True),
        "check": lambda: part.check(done["contacts"], collision=APART, margin=0.1),
        "resample": lambda: motion.resample(5000),
        "collision": lambda: ROBOT.collision(figure=True, samples=20000),
    }
    for kind in ("npz", "lafan1", "JSON"):
        works[f"write {kind}"] = lambda kind=kind: _core.Motion.write(None, motion.native, kind, None, None)
    for ending in ("npz", "bvh", "csv", "json"):
        path = tmp_path / f"m.{ending}"
        over = None if ending == "bvh" else ROBOT
        works[f"load {ending}"] = lambda path=path, over=over: limber.Clip.load(path, over)

    def keeps_the_lock(work) -> bool:
        # a short call may end before the other thread is given a processor
        return not any(other_runs_during(work) for _ in range(50))

    assert [name for name, work in works.items() if keeps_the_lock(work)] == []


def refused_during(work, change) -> str | None:
    """What a change is refused with while another thread is at work; None: it is not."""
    worker, refused = threading.Thread(target=work), None
    worker.start()
    while worker.is_alive() and refused is None:
        try:
            change()
        except RuntimeError as error:
            refused = str(error)
        time.sleep(0)
    worker.join()
    return refused


def test_what_a_thread_reads_is_not_changed_meanwhile() -> None:
    contacts = FEET.copy()

    def change() -> None:
        contacts.add(0, 1.0, 1.01)
        contacts.shift(0.0)

    def retarget() -> None:
        WALK.retarget(ROBOT, contacts=contacts, no_speed_limits=True)

    works = {"retarget": retarget, "check": lambda: WALK.check(contacts)}
    for name, work in works.items():
        # a short call may end before this thread is given a processor
        tries = (refused_during(work, change) for _ in range(50))
        refused = next((said for said in tries if said is not None), "")
        assert "another thread" in refused, name
    # reading them side by side is no change
    before = contacts.spans(0)
    worker = threading.Thread(target=retarget)
    worker.start()
    while worker.is_alive():
        assert contacts.spans(0).tolist() == before.tolist()
        WALK.slice(0, 0.1).check(contacts)
    worker.join()
    contacts.cut(0, 1.0, 1.01)


def test_a_body_is_not_changed_while_it_solves() -> None:
    model = limber.Model.load("human").with_root("floating")
    hands = ["left_hand", "right_hand"]
    body = model.body([limber.BodyTask("position", hand) for hand in hands])
    q = model.random(2000, seed=3)
    refused = refused_during(lambda: body.solve_many(q), lambda: body.set_weight(0, 1.0))
    assert "another thread" in (refused or "")


def test_clips_are_retargeted_side_by_side_with_the_same_bits() -> None:
    clips = [WALK.slice(begin, begin + 1.5) for begin in np.arange(0, 12, 1.5)]

    def work(clip: limber.Clip) -> bytes:
        motion, _ = clip.retarget(ROBOT, collision=APART, margin=0.005)
        found = motion.check(collision=APART, margin=0.05)
        return motion.keys.tobytes() + found.values["overlap"].tobytes()

    one = [work(clip) for clip in clips]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, clips)) == one


# ---- memory ------------------------------------------------------------------------------------


def resident() -> float:
    """Megabytes that this process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def fail_in_all_ways(folder: Path) -> None:
    """Calls that raise after memory was taken."""
    broken = folder / "broken.json"
    broken.write_text('{"a":')
    for work in (
        lambda: limber.Clip.load(broken, ROBOT),
        lambda: WALK.retarget(ROBOT, map={"pairs": [{"source": "x"}]}),
        lambda: limber.Model.load("nothing"),
        lambda: ROBOT.collision(broken),
        lambda: limber.Contacts.load(broken, ROBOT),
    ):
        with pytest.raises(limber.LimberError):
            work()


@pytest.mark.skipif(
    not Path("/proc/self/statm").exists() or "ASAN_OPTIONS" in os.environ,
    reason="memory is measured by Linux, without a sanitizer",
)
def test_nothing_leaks(tmp_path) -> None:
    short = WALK.slice(0, 0.3)
    motion, done = short.retarget(ROBOT)
    for ending in ("npz", "json", "csv", "bvh"):
        motion.save(tmp_path / f"m.{ending}")
    works = [
        lambda: short.retarget(ROBOT, collision=APART, margin=0.001),
        lambda: [limber.Clip.load(tmp_path / f"m.{e}", ROBOT) for e in ("npz", "json", "csv")],
        lambda: limber.Clip.load(tmp_path / "m.bvh"),
        lambda: motion.check(done["contacts"], collision=APART, margin=0.1).values,
        lambda: motion.save(tmp_path / "again.npz"),
        lambda: ROBOT.collision(figure=True, samples=10),
        lambda: ROBOT.with_locks([]).with_root("floating").joints,
        lambda: fail_in_all_ways(tmp_path),
    ]
    for work in works:
        for _ in range(100):
            work()
        gc.collect()
        before = resident()
        for _ in range(100):
            work()
        gc.collect()
        # 36 keys of 31 numbers left behind each time would be 0.9 MB
        assert resident() - before < 0.5


def test_models_made_of_models_keep_none_between() -> None:
    first = limber.Model.load("human")
    for make in (lambda m: m.with_joints([]), lambda m: m.with_root("planar")):
        between = make(first)
        before = sys.getrefcount(between.native)
        last = make(between)
        after = sys.getrefcount(between.native)
        assert after == before
        del between
        gc.collect()
        last.fk(last.random(10, seed=1))
    # as many as a program makes in a day
    model = first
    for _ in range(300_000):
        model = model.with_joints([])
