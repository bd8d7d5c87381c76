"""Inverse kinematics: options, tasks, outcomes, methods, all solutions."""

import pickle
from copy import deepcopy

import limber
import numpy as np
import pytest

UR5 = limber.Model.load("ur5")
Q = [0.3, -1.0, 1.0, 0.4, 0.5, 0.6]
TARGET = UR5.fk(Q, "tool0")


def test_nearest_is_the_start_where_it_solves() -> None:
    result = UR5.ik("tool0").solve(TARGET, Q)
    assert result.reached and np.allclose(result.q, Q)


def nearer_still(arm: limber.Model, q: np.ndarray, start: np.ndarray) -> np.ndarray:
    """The motion from q towards the start that leaves the tool in place and keeps the limits."""
    steps = 1e-6 * np.eye(arm.nq)
    ends = [[arm.fk(q + sign * h, arm.tips[0])[:3, 3] for h in steps] for sign in (1, -1)]
    free = np.ones(arm.nq, bool)
    while True:
        jacobian = (np.array(ends[0]) - np.array(ends[1])).T / 2e-6 * free
        wish = (start - q) * free
        along = (wish - np.linalg.pinv(jacobian, rcond=1e-6) @ (jacobian @ wish)) * free
        at_lower, at_upper = q < arm.limits[:, 0] + 1e-5, q > arm.limits[:, 1] - 1e-5
        out = (at_lower & (along < 0)) | (at_upper & (along > 0))
        if not out.any():
            return along
        free &= ~out


@pytest.mark.parametrize("name", ["ur5", "panda", "stanford", "planar3"])
def test_nearest_is_a_local_minimum(name: str) -> None:
    arm = limber.Model.load(name)
    ik = arm.ik(kind="position", length=1.0)  # metres count as radians
    far = 0
    for seed in range(150):
        start = arm.random(seed=5000 + seed)
        result = ik.solve(arm.fk(arm.random(seed=seed), arm.tips[0]), start)
        distance = np.linalg.norm(start - result.q)
        if result.reached and np.abs(start - result.q).max() >= 0.2:
            far += 1
            assert np.linalg.norm(nearer_still(arm, result.q, start)) < 0.03 * distance, seed
    assert far > 100


def test_the_best_elbow_is_no_farther_than_the_nearest_solution() -> None:
    arm = limber.Model.load("iiwa14")
    rows = [*range(200), 255, 683, 777, 952, 1417, 1469]
    poses, starts = (arm.random(1500, seed=seed)[rows] for seed in (14, 19))
    targets = arm.fk(poses, arm.tips[0])
    elbow = arm.elbow(arm.tips[0])
    nearest = np.linalg.norm(arm.ik(arm.tips[0]).solve(targets, starts).q - starts, axis=1)
    for target, start, distance in zip(targets, starts, nearest):
        q, found = elbow.best(target, "nearest", start)
        assert found["outcome"] == "reached"
        assert np.linalg.norm(q - start) < distance * 1.001


def test_nearest_keeps_joints_that_move_nothing() -> None:
    """The last joint of these turns about the tool's own place."""
    for name in ("ur5", "kr6"):
        arm = limber.Model.load(name)
        ik = arm.ik(kind="position")
        for seed in range(300):
            start = arm.random(seed=5000 + seed)
            result = ik.solve(arm.fk(arm.random(seed=seed), arm.tips[0]), start)
            assert abs(result.q[-1] - start[-1]) < 0.02


def test_outcomes_compare_with_arrays() -> None:
    outcomes = UR5.ik("tool0").solve(UR5.fk([Q, Q], "tool0")).outcome
    assert (limber.Outcome.REACHED == outcomes).all() and not (limber.Outcome.REACHED != outcomes).any()
    assert (outcomes == limber.Outcome.REACHED).all()


def test_tool_base_and_free_axis() -> None:
    tool = np.eye(4)
    tool[2, 3] = 0.1
    ik = UR5.ik("tool0", base="base_link", tool=tool)
    result = ik.solve(TARGET)
    assert result.reached
    assert np.allclose(UR5.fk(result.q, "tool0") @ tool, TARGET, atol=1e-5)
    turned = UR5.ik("tool0", free_axis=[0, 0, 1]).solve(TARGET, Q)
    assert np.allclose(UR5.fk(turned.q, "tool0")[:3, 2], TARGET[:3, 2], atol=1e-5)


def test_free_position() -> None:
    table = np.eye(4)
    table[:3, 3] = [0.2, 0.2, 0.3]
    result = UR5.ik("tool0", free_position="xy").solve(table)
    assert result.reached
    assert abs(UR5.fk(result.q, "tool0")[2, 3] - 0.3) < 1e-5
    with pytest.raises(ValueError, match="free_position"):
        UR5.ik("tool0", free_position="xx")


def test_locked_joints_keep_their_start() -> None:
    ik = UR5.ik("tool0", kind="position", locks=["shoulder_pan_joint"])
    result = ik.solve(TARGET[:3, 3], Q)
    assert result.reached and result.q[0] == Q[0]
    ik = UR5.ik("tool0", kind="position", locks={"shoulder_pan_joint": 0.25})
    assert ik.solve(UR5.fk([0.25, *Q[1:]], "tool0")[:3, 3], Q).q[0] == 0.25


def test_limits_of_one_solver_alone() -> None:
    half = UR5.with_joints([limber.JointSetting("elbow_joint", lower=-1.5, upper=0)])
    result = half.ik("tool0").solve(TARGET, Q)
    assert result.reached and result.q[2] <= 0
    assert UR5.ik("tool0").solve(TARGET, Q).q[2] > 0
    with pytest.raises(limber.LimberError, match="elbow_joint"):
        UR5.with_joints([limber.JointSetting("elbow_joint", lower=9, upper=10)])


def test_several_tasks() -> None:
    figure = limber.Model.load("human")
    q = figure.random(20, seed=1)
    tasks = [limber.Task("left_hand", "position"), limber.Task("right_hand", "position")]
    targets = figure.fk(q, ["left_hand", "right_hand"])
    result = figure.ik(tasks=tasks).solve(targets)
    assert targets.shape == (20, 2, 4, 4) and result.reached.all()
    places = figure.fk(result.q, ["left_hand", "right_hand"])[..., :3, 3]
    assert np.allclose(places, targets[..., :3, 3], atol=1e-5)


def test_unreached_targets_are_data() -> None:
    far = TARGET.copy()
    far[:3, 3] *= 10
    result = UR5.ik("tool0").solve([TARGET, far], Q)
    assert result.reached.tolist() == [True, False]
    assert result.outcome[1] == limber.Outcome.UNREACHABLE
    assert result.beyond_reach[1] > 0
    assert result[1].explain().startswith("Out of reach")
    assert "1 reached, 1 unreachable" in repr(result)
    with pytest.raises(ValueError, match="index"):
        result.explain()


def test_bad_options_are_named() -> None:
    with pytest.raises(TypeError, match="tolerence"):
        UR5.ik("tool0", tolerence=1)
    with pytest.raises(ValueError, match="did you mean 'nearest'"):
        UR5.ik("tool0", "neerest")
    with pytest.raises(ValueError, match="methods"):
        UR5.ik("tool0", method="magic")
    with pytest.raises(limber.LimberError, match="tolerance"):
        UR5.ik("tool0", position_tolerance=-1)
    with pytest.raises(OverflowError):
        UR5.ik("tool0", iterations=2**40)


def test_options_are_read_back() -> None:
    options = UR5.ik("tool0", "any", iterations=77, method="ccd").options
    assert (options["protocol"], options["iterations"], options["method"]) == ("any", 77, "ccd")
    assert options["length"] > 0


def test_gains_move_along_the_null_space() -> None:
    panda = limber.Model.load("panda")
    target = panda.fk(panda.random(seed=4), "panda_hand")
    desired = panda.neutral
    free = panda.ik("panda_hand").solve(target)
    pulled = panda.ik("panda_hand", gains=np.ones(panda.nv), desired=desired).solve(target, free.q)
    assert pulled.reached
    assert np.linalg.norm(pulled.q - desired) <= np.linalg.norm(free.q - desired) + 1e-9


def test_steps_reach_the_target() -> None:
    arm = limber.Model.load("planar3")
    ik = arm.ik("tip", kind="position")
    q, progress = arm.random(seed=2), limber.Progress.PROCESSING
    for _ in range(100):
        progress, q = ik.step([1.0, 1.0, 0], q)
        if progress is not limber.Progress.PROCESSING:
            break
    assert progress is limber.Progress.SUCCESS
    assert np.allclose(arm.fk(q, "tip")[:3, 3], [1, 1, 0], atol=1e-5)


def test_compare_runs_the_methods_that_support_a_task() -> None:
    results = UR5.compare("tool0", [TARGET])
    assert results["lm"].reached.all() and len(results) >= 3
    with pytest.raises(limber.LimberError):
        UR5.compare("tool0", [TARGET], methods=["analytic"])


def test_every_solution() -> None:
    ik = UR5.ik("tool0")
    found = ik.solutions(TARGET, Q, condition=True)
    assert found.complete and found.certified and found.outcome is limber.Outcome.REACHED
    assert np.allclose(found.q[0], Q) and (np.diff(found.distance) >= 0).all()
    assert np.allclose(UR5.fk(found.q, "tool0"), TARGET, atol=1e-8)
    assert (found.info["condition"] > 0).all()
    assert ik.describe()[0] == "three parallel axes"


def test_solutions_of_many_targets() -> None:
    targets = UR5.fk(UR5.random(600, seed=6), "tool0")
    one, two = (UR5.ik("tool0").solutions(targets, threads=n) for n in (1, 2))
    assert one.q.shape == (600, 16, 6) and (one.listed > 0).all()
    assert np.array_equal(one.q, two.q, equal_nan=True)
    single = UR5.ik("tool0").solutions(targets[7])
    assert (single.q == one.q[7, : len(single)]).all()
    assert np.isnan(one.q[7, len(single) :]).all()


def test_arms_without_solutions_say_why() -> None:
    with pytest.raises(limber.LimberError) as caught:
        limber.Model.load("planar2").ik("tip").solutions(np.eye(4))
    assert caught.value.status == "not supported"


def test_a_result_is_true_where_it_is_reached() -> None:
    arm = limber.Model.load("planar2")
    ik = arm.ik("tip", kind="position")
    assert ik.solve([1, 1, 0])
    assert not ik.solve([3, 0, 0])
    with pytest.raises(ValueError, match="ambiguous"):
        bool(ik.solve([[1, 1, 0], [3, 0, 0]]))


def test_rotations_that_were_rounded_are_made_exact() -> None:
    targets = UR5.fk(UR5.random(500, seed=5), "tool0")
    ik = UR5.ik("tool0", protocol="any")
    for decimals in (4, 6, 8):
        for rounded in (targets.round(decimals), targets.round(decimals)[:, :3]):
            assert (ik.solve(rounded).outcome != limber.Outcome.INVALID).all()
    found = ik.solve(targets.round(6))
    reached = UR5.fk(found.q[found.reached], "tool0")
    assert np.abs(reached - targets[found.reached]).max() < 1e-5
    assert ik.solve(targets * [[1.001], [1], [1], [1]]).outcome.min() == limber.Outcome.INVALID


def test_solvers_and_results_pickle() -> None:
    ik = UR5.ik("tool0", protocol="any", iterations=300, locks=["wrist_3_joint"])
    targets = UR5.fk(UR5.random(20, seed=6), "tool0")
    for copy in (pickle.loads(pickle.dumps(ik)), deepcopy(ik)):
        assert copy.options == ik.options
        assert copy.solve(targets).q.tobytes() == ik.solve(targets).q.tobytes()
    result = pickle.loads(pickle.dumps(ik.solve(targets)))
    assert result.info.tobytes() == ik.solve(targets).info.tobytes()
    assert result[0].explain() == ik.solve(targets)[0].explain()
    listed = UR5.ik("tool0").solutions(TARGET)
    assert pickle.loads(pickle.dumps(listed)).q.tobytes() == listed.q.tobytes()


def test_a_target_of_nan_is_invalid_and_the_others_are_solved() -> None:
    targets = np.array([TARGET] * 3)
    targets[1] = np.nan
    outcomes = UR5.ik("tool0").solve(targets).outcome.tolist()
    assert outcomes == [limber.Outcome.REACHED, limber.Outcome.INVALID, limber.Outcome.REACHED]


def test_solutions_are_rows() -> None:
    arm = limber.Model.load("ur5")
    ik = arm.ik("tool0")
    targets = arm.fk(arm.random(4, seed=2), "tool0")
    one, many = ik.solutions(targets[1]), ik.solutions(targets)
    assert len(one) == one.listed > 1
    assert (one[0] == one.q[0]).all() and (one[-2:] == one.q[-2:]).all()
    assert [row.tolist() for row in one] == one.q.tolist()
    # of many targets each has its own
    assert len(many) == 4 and [s.listed for s in many] == many.listed.tolist()
    assert (many[1].q == one.q).all() and many[1].complete is one.complete
    part = many[1:3]
    assert len(part) == 2 and (part[0].q == one.q).all() and part.info.shape == (2, 16)
    with pytest.raises(IndexError):
        one[len(one)]


def test_outcomes_are_words_and_numbers() -> None:
    found = UR5.ik("tool0").solve(TARGET, Q)
    assert str(found.outcome) == f"{found.outcome}" == "reached" == found.outcome
    assert found.outcome == 0 and not found.outcome != "reached" and found.outcome != "stalled"
    assert {found.outcome: 1}[0] == 1
    assert str(limber.AssemblyOutcome.DEAD_POINT) == "dead point"


WRONG = [
    ("tasks: tip, kind", lambda: UR5.ik("forearm_link", tasks=[limber.Task("tool0")])),
    ("tasks: tip, kind", lambda: UR5.ik(kind="position", tasks=[limber.Task("tool0")])),
    ("task: a Task is needed, not str 'tool0'; limber.Task", lambda: UR5.ik(tasks=["tool0"])),
    ("task: a Task is needed, not str 'tool0'", lambda: limber.Servo(UR5, "tool0")),
    ("task: a Task is needed, not str 'tool0'", lambda: UR5.task_error("tool0", Q, TARGET)),
    ("path: a Path is needed, not list", lambda: UR5.follow("tool0", [TARGET], 3)),
    ("native: a Clip is needed, not list", lambda: limber.Clip(UR5, [Q])),
    ("limits: elbow_joint: a JointLimit is needed, not tuple", lambda: UR5.with_limits({"elbow_joint": (0, 1)})),
    ("locks: a list of joints .*'elbow_joint'", lambda: UR5.ik("tool0", locks="elbow_joint")),
    ("methods: a list is needed, not 'lm'", lambda: UR5.compare("tool0", TARGET, methods="lm")),
    ("kind: 'foo' is none of pose, position, rotation", lambda: limber.Task("tool0", "foo")),
    ("free_axis: 0 0 0", lambda: limber.Task("tool0", free_axis=[0, 0, 0])),
    ("kind: .*'orientation'", lambda: limber.BodyTask("rotation", "tool0")),
    ("rows: a row for each joint", lambda: limber.Model.from_dh(np.zeros((0, 4)))),
    ("^a figure of -5 x 540", lambda: UR5.svg(width=-5)),
    ("negative", lambda: UR5.random(3, seed=-1)),
    ("ur5 has links 0 to 7, not -1", lambda: UR5.fk(Q, -1)),
    ("task 5: there are 1, counted from 0", lambda: UR5.body([limber.BodyTask("position", "tool0")]).explain(5)),
    ("task 1: there are 1, counted from 0", lambda: UR5.body([limber.BodyTask("position", "tool0")]).set_point(1, [0, 0, 0])),
]


@pytest.mark.parametrize(("says", "call"), WRONG, ids=[says for says, _ in WRONG])
def test_what_is_given_wrongly_is_named(says: str, call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises((TypeError, ValueError, IndexError, OverflowError), match=says):
        call()
