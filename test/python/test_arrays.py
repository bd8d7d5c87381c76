"""Arrays in every layout, without copies where the layout is the library's."""

import os

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


@pytest.mark.parametrize("name, targets", list(layouts()))
def test_one_target_alone_is_as_among_many(name: str, targets: np.ndarray) -> None:
    for ik in (IK, ARM.ik("panda_hand")):
        many, without = ik.solve(targets[:20], Q[:20]), ik.solve(targets[:20])
        for i in range(20):
            one = ik.solve(targets[i], Q[i])
            assert one.q.tobytes() == many.q[i].tobytes() and one.info.tobytes() == many.info[i].tobytes()
            assert ik.solve(targets[i]).q.tobytes() == without.q[i].tobytes()
            # the quick way and the other say the same of a target that is not reached
            far = targets[i] + (targets[i] != 0) * 0.0
            far.flat[9 if name == "columns" else 3] += 9
            lists = ik.solve(far.tolist(), Q[i].tolist())
            assert ik.solve(far, Q[i]).explain() == lists.explain() and not lists


def test_any_number_of_points_is_that_of_targets() -> None:
    ik, points = ARM.ik("panda_hand", kind="position"), ARM.fk(Q[:6], "panda_hand")[:, :3, 3]
    whole = ik.solve(points)
    for n in range(7):
        for part in (points[:n], points[:n].copy(), points[:n].tolist() or points[:0]):
            assert ik.solve(part).q.tobytes() == whole.q[:n].tobytes()


def test_one_row_alone_is_as_among_many() -> None:
    for layout in ("matrix", "columns", "pose"):
        for axes in ("world", "link"):
            T, J = ARM.fk(Q[:9], "panda_hand", jacobian=True, axes=axes, layout=layout)
            for i in range(9):
                # the first call of its kind, and those after it
                one, jacobian = ARM.fk(Q[i], "panda_hand", jacobian=True, axes=axes, layout=layout)
                assert one.tobytes() == T[i].tobytes() and jacobian.tobytes() == J[i].tobytes()
                assert (ARM.fk(Q[i], "panda_hand", layout=layout) == T[i]).all()
                assert jacobian.shape == (6, ARM.nv) and one.shape == T[i].shape
    # what is no row of float64 goes the other way
    assert ARM.fk(Q[0].astype(np.float32), "panda_hand").dtype == np.float32
    assert ARM.fk(Q[:2], "panda_hand").shape == (2, 4, 4)
    with pytest.raises(ValueError, match=r"q: an array of shape \(7,\)"):
        ARM.fk(Q[0][:7], "panda_hand")


def test_a_result_pickles_with_whatever_its_target_was() -> None:
    import array
    import pickle

    pose = [0.4, 0.1, 0.5, 0.0, 1.0, 0.0, 0.0]
    for target in (array.array("d", pose), memoryview(array.array("d", pose)), pose, np.array(pose)):
        result = IK.solve(target)
        again = pickle.loads(pickle.dumps(result))
        assert result.reached and again.q.tobytes() == result.q.tobytes()
        assert again.explain() == result.explain()


@pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="sanitizers slow the library, not Python")
def test_one_row_is_quick() -> None:
    """At least twice as quick as an array of one row, which is 4 to 10 times in practice."""
    import timeit

    ik, q, target = ARM.ik("panda_hand"), Q[0], ARM.fk(Q[0], "panda_hand")
    quick = {
        "fk": lambda: ARM.fk(q, "panda_hand"),
        "jacobian": lambda: ARM.fk(q, "panda_hand", jacobian=True),
        "solve": lambda: ik.solve(target, q),
    }
    slow = {
        "fk": lambda: ARM.fk(q[None], "panda_hand"),
        "jacobian": lambda: ARM.fk(q[None], "panda_hand", jacobian=True),
        "solve": lambda: ik.solve(target[None], q[None]),
    }
    for name, work in quick.items():
        times = [min(timeit.repeat(f, number=100, repeat=20)) for f in (work, slow[name])]
        assert 2 * times[0] < times[1], name


def test_results_are_written_into_arrays() -> None:
    many = ARM.fk(Q, "panda_hand")
    out = np.full(many.shape, 7.0)
    assert ARM.fk(Q, "panda_hand", out=out, threads=2) is out and (out == many).all()
    places, slopes = np.empty((3, 2, 7)), np.empty((3, 2, 6, ARM.nv))
    given = ARM.fk(Q[:3], [3, 8], jacobian=True, layout="pose", out=(places, slopes))
    assert given[0] is places and given[1] is slopes
    assert all((a == b).all() for a, b in zip(given, ARM.fk(Q[:3], [3, 8], jacobian=True, layout="pose")))
    # one row, too, and the solver's starts themselves
    one = np.empty((4, 4))
    assert ARM.fk(Q[0], "panda_hand", out=one) is one and (one == many[0]).all()
    starts = Q[:200].copy()
    wanted = IK.solve(COLUMNS[1:201], starts)
    result = IK.solve(COLUMNS[1:201], starts, out=starts)
    assert result.q is starts and (starts == wanted.q).all() and (result.info == wanted.info).all()
    near = ARM.collision()
    records = near.distance(Q[:4])
    assert near.distance(Q[:4], out=records.copy()).tobytes() == records.tobytes()
    flags = np.zeros(4, bool)
    assert near.free(Q[:4], out=flags) is flags and (flags == near.free(Q[:4])).all()


def test_arrays_that_cannot_be_written_into_are_refused() -> None:
    T = np.zeros((5, 4, 4))
    fixed = T.copy()
    fixed.flags.writeable = False
    for wrong, error in (
        (T[:4], ValueError), (T.astype(np.float32), TypeError), (T.swapaxes(-1, -2), ValueError),
        (T.astype(">f8"), TypeError), (fixed, ValueError), (T.tolist(), TypeError),
    ):  # fmt: skip
        with pytest.raises(error, match="out: "):
            ARM.fk(Q[:5], "panda_hand", out=wrong)
    memory = np.zeros(5 * 16)
    memory[: 5 * 8] = Q[:5].ravel()
    with pytest.raises(ValueError, match="out: overlaps"):
        ARM.fk(memory[: 5 * 8].reshape(5, 8), "panda_hand", out=memory.reshape(5, 4, 4))
