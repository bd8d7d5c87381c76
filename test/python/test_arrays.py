"""Arrays in every layout, without copies where the layout is the library's."""

import limber
import numpy as np
import pytest

ARM = limber.Model.load("panda")
IK = ARM.ik("panda_hand", "any")
Q = ARM.random(3000, seed=3)
COLUMNS = ARM.fk(Q, "panda_hand", layout="columns")


def layouts():
    matrix = ARM.fk(Q, "panda_hand")
    yield "matrix", matrix
    yield "affine", np.ascontiguousarray(matrix[:, :3])
    yield "columns", COLUMNS
    yield "strided", np.repeat(matrix, 2, axis=0)[::2]
    yield "fortran", np.asfortranarray(matrix)


@pytest.mark.parametrize("name, targets", list(layouts()))
def test_every_layout_gives_the_same_bits(name: str, targets: np.ndarray) -> None:
    assert (IK.solve(targets).q == IK.solve(COLUMNS).q).all()


def test_poses_are_transforms_to_rounding() -> None:
    poses = ARM.fk(Q, "panda_hand", layout="pose")
    result = IK.solve(poses)
    assert result.reached.all()
    reached = ARM.fk(result.q, "panda_hand", layout="columns")
    assert np.abs(reached - COLUMNS).max() < 2e-6


def test_shapes_are_kept() -> None:
    grid = COLUMNS[:24].reshape(2, 3, 4, 4, 3)
    result = IK.solve(grid)
    assert result.q.shape == (2, 3, 4, ARM.nq) and result.reached.shape == (2, 3, 4)
    assert ARM.fk(result.q).shape == (2, 3, 4, len(ARM.links), 4, 4)
    assert result[1].q.shape == (3, 4, ARM.nq)


def test_one_target_has_scalars() -> None:
    result = IK.solve(COLUMNS[0])
    assert result.q.shape == (ARM.nq,)
    assert result.reached is True
    assert result.outcome is limber.Outcome.REACHED
    assert isinstance(result.position_error, float)


def test_lists_and_single_precision_are_taken() -> None:
    pose = [0.4, 0.1, 0.5, 0, 1, 0, 0]
    assert IK.solve(pose).reached
    assert IK.solve(np.array([pose, pose], np.float32)).reached.all()


def test_no_targets_are_fine() -> None:
    result = IK.solve(np.empty((0, 4, 4)))
    assert result.q.shape == (0, ARM.nq) and len(result) == 0
    assert ARM.fk(np.empty((0, ARM.nq))).shape == (0, len(ARM.links), 4, 4)


@pytest.mark.parametrize("shape", [(5,), (4, 5), (3, 3), (2, 4, 4, 2)])
def test_other_shapes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="targets"):
        IK.solve(np.zeros(shape))


def test_transposed_matrices_are_refused() -> None:
    matrices = ARM.fk(Q, "panda_hand").swapaxes(-1, -2)
    with pytest.raises(ValueError, match="transposed"):
        IK.solve(matrices)


def test_wrong_starts_are_refused() -> None:
    with pytest.raises(ValueError, match="starts"):
        IK.solve(COLUMNS, Q[:5])
    with pytest.raises(ValueError, match="starts"):
        IK.solve(COLUMNS, Q[:, :5])


def test_one_start_serves_all() -> None:
    one = ARM.ik("panda_hand").solve(COLUMNS[:50], Q[0])
    each = ARM.ik("panda_hand").solve(COLUMNS[:50], np.tile(Q[0], (50, 1)))
    assert (one.q == each.q).all()


def test_what_is_no_number_is_data() -> None:
    targets = COLUMNS[:3].copy()
    targets[1, 3, 0] = np.nan
    result = IK.solve(targets)
    assert result.outcome.tolist() == [0, limber.Outcome.INVALID, 0]
    assert IK.solve([0, 0, 0, 0, 0, 0, 0]).outcome is limber.Outcome.INVALID


def test_results_are_views_of_one_record() -> None:
    result = IK.solve(COLUMNS)
    assert np.shares_memory(result.position_error, result.info)
    assert np.shares_memory(result[10:20].q, result.q)


def test_inputs_are_not_changed() -> None:
    targets, starts = COLUMNS.copy(), Q.copy()
    IK.solve(targets, starts)
    assert (targets == COLUMNS).all() and (starts == Q).all()


def test_read_only_arrays_are_taken() -> None:
    targets = COLUMNS.copy()
    targets.flags.writeable = False
    assert (IK.solve(targets).q == IK.solve(COLUMNS).q).all()


def test_memory_grows_by_the_results_alone() -> None:
    import tracemalloc

    n = 200_000
    targets = np.tile(COLUMNS, (n // len(COLUMNS) + 1, 1, 1))[:n]
    IK.solve(targets[:1000])
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    result = IK.solve(targets)
    kept, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    results = result.q.nbytes + result.info.nbytes
    # a few kB of Python's own objects
    assert kept - before < results + 100_000
    assert most - before < results + 100_000
