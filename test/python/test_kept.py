"""What objects keep of what they are given, and when they are equal."""

import os
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path

import limber
import numpy as np
import public
import pytest

HUMAN = limber.Model.load("human").with_root("floating")


def hands() -> limber.Body:
    return HUMAN.body([limber.BodyTask("position", f"{side}_hand") for side in ("left", "right")])


def test_a_body_counts_its_tasks_by_any_integer() -> None:
    plain, numpy = hands(), hands()
    for body, numbers in ((plain, range(2)), (numpy, np.arange(2))):
        for i in numbers:
            body.set_weight(i, 0.5 + i)
            body.set_point(i, [0.3, 0.2 + 0.1 * i, 1])
    starts = np.tile(HUMAN.neutral, (600, 1))
    found, _ = plain.solve_many(starts, threads=2)
    assert np.array_equal(numpy.solve_many(starts, threads=2)[0], found)
    assert np.array_equal(pickle.loads(pickle.dumps(numpy)).solve().q, plain.solve().q)


def test_a_body_keeps_targets_as_they_were() -> None:
    body, target = hands(), np.vstack([np.eye(3), [0.3, 0.2, 1]])
    body.set_target(0, target)
    found = body.solve().q
    target[3] = 0, 0, 2
    assert np.array_equal(pickle.loads(pickle.dumps(body)).solve().q, found)


def test_a_body_has_the_tasks_that_it_has() -> None:
    body = hands()
    for call in (body.target, lambda i: body.hold(i, HUMAN.neutral), lambda i: body.set_weight(i, 1)):
        for index in (-1, 2):
            with pytest.raises(IndexError, match="there are 2, counted from 0"):
                call(index)
    q, info = body.solve_many(np.empty((0, HUMAN.nq)), np.empty((0, 2, 4, 4)))
    assert q.shape == (0, HUMAN.nq) and info.shape == (0,)


def test_a_result_explains_the_target_that_it_had() -> None:
    arm = public.ARM
    ik = arm.ik("tool0", "given", iterations=3)
    for target in (public.T[0].copy(), public.T[0, :3].copy(), np.array([0.4, 0.1, 0.5, 0, 1, 0, 0])):
        found = ik.solve(target, np.zeros(6))
        said = found.explain()
        target[...] = 0
        assert found.explain() == said and pickle.loads(pickle.dumps(found)).explain() == said


def test_a_check_of_another_model_selects_no_solutions() -> None:
    panda = limber.Model.load("panda")
    with pytest.raises(ValueError, match="collision: is of another model: 'panda'"):
        public.IK.solutions(public.T, collision=panda.collision())
    # that of the same arm does, with other locks too
    ik = panda.with_locks(["panda_joint7"]).ik("panda_hand")
    target = panda.fk(panda.neutral, "panda_hand")
    assert len(ik.solutions(target, panda.neutral, collision=panda.collision())) > 0


def test_a_model_knows_its_folder_when_the_program_leaves(tmp_path: Path) -> None:
    # in a process of its own: the current folder is that of all threads
    text = '''
        import os, pickle, limber
        ball = '<collision><geometry><sphere radius="1"/></geometry></collision>'
        joint = lambda n: (f'<joint name="j{n}" type="prismatic"><parent link="l{n}"/><child link="l{n + 1}"/>'
            '<limit lower="0" upper="1" velocity="1" effort="1"/></joint>')
        links = "".join(f'<link name="l{n}">{ball}</link>' for n in range(3))
        open("r.urdf", "w").write(f'<robot name="r">{links}{joint(0)}{joint(1)}</robot>')
        open("r.srdf", "w").write('<robot name="r"><disable_collisions link1="l0" link2="l2" reason="Never"/></robot>')
        os.mkdir("ur5")
        arm = limber.Model.load("r.urdf")
        assert limber.Model.load("ur5").nq == 6 and limber.Model.load("ur5")._path == ""
        os.chdir("/")
        for model in (arm, pickle.loads(pickle.dumps(arm)), arm.with_locks(["j0"])):
            assert len(model.srdf().pairs) == 1
            assert ("l0", "l2", "disabled") in model.collision().pairs, model.collision().pairs
    '''
    subprocess.run([sys.executable, "-c", textwrap.dedent(text)], cwd=tmp_path, check=True)


# what is equal by its numbers; all else is equal to itself alone
BY_NUMBERS = [
    name
    for name, thing in public.OBJECTS.items()
    if type(thing).__eq__ not in (object.__eq__, BaseException.__eq__) and not callable(thing)
]


@pytest.mark.parametrize("name", BY_NUMBERS)
def test_what_has_numbers_is_equal_by_them(name: str) -> None:
    thing, again = public.make(name), pickle.loads(pickle.dumps(public.make(name)))
    assert (thing == thing) is True and (thing != thing) is False
    assert (thing == None) is False and (thing != "a") is True and thing in [None, thing]  # noqa: E711
    # of the motion itself
    if name != "StripRow":
        assert (thing == again) is True and (thing != again) is False


def test_no_number_is_equal_to_no_number() -> None:
    assert public.FOUND.items == pickle.loads(pickle.dumps(public.FOUND)).items
    normal = np.array([0.0, 0, 1])
    assert limber.StripRow(public.WALK, ground_normal=normal) == limber.StripRow(public.WALK, ground_normal=normal.copy())
    settings = [limber.JointSetting("a", value=float("nan")) for _ in range(2)]
    assert settings[0] == settings[1] and len(set(settings)) == 1


def test_lists_may_be_any_iterable() -> None:
    tasks = [limber.BodyTask("position", f"{side}_hand") for side in ("left", "right")]
    assert HUMAN.body(task for task in tasks).tasks == tuple(tasks)
    for locks in (np.array(["elbow_joint"]), (name for name in ["elbow_joint"]), {"elbow_joint": 1}.keys()):
        assert public.ARM.ik("tool0", locks=locks).model.joints[2].locked
    assert public.ARM.ik("tool0", locks=np.array([])).model is public.ARM


def test_what_is_equal_has_one_hash() -> None:
    for kind, name in ((limber.Task, "tip"), (limber.BodyTask, "kind"), (limber.JointSetting, "joint")):
        ways = [kind(**{name: "pose"}, weight=weight) for weight in (1, 1.0, np.float64(1), np.int64(1), True)]
        assert len(set(ways)) == 1
    assert {limber.Task(3), limber.Task(np.int64(3))} == {limber.Task(3)}


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda: public.ARM.link_name(-1), "has links 0 to 7, not -1"),
        (lambda: public.ARM.link_name(8), "has links 0 to 7, not 8"),
        (lambda: public.ARM.singularity(public.Q, -1), "has links 0 to 7, not -1"),
        (lambda: public.ARM.velocity_ellipsoid(public.Q, -1), "has links 0 to 7, not -1"),
        (lambda: public.ARM.fk(public.Q, -1), "has links 0 to 7, not -1"),
        (lambda: public.WALK.check(public.FEET, thresholds={"slide": np.nan}), "slide: NaN is no bound"),
        (lambda: public.ARM.validate(public.Q, np.nan), "tolerance: nan is no number of at least 0"),
        (lambda: public.SWING.over(limber.Model.load("kr6")), "'kr6' has other links than 'ur5'"),
        (lambda: public.APART.near(public.SLIDES[0], np.nan), "NaN is no distance"),
    ],
)
def test_numbers_that_name_nothing_are_refused(call, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=says):
        call()


def test_what_never_changes_has_arrays_that_cannot_be_written() -> None:
    arm, loop = public.ARM, public.LINKAGE.loops[0]
    for array in (
        arm.limits, arm.joints[1].placement, arm.links[1].data_offset, loop.first_frame, loop.second_frame,
        public.FOUR_BAR.rest, public.WALK.keys, public.RING.plane, public.OBJECTS["Task"].tool,
    ):  # fmt: skip
        with pytest.raises(ValueError, match="read-only"):
            array[0, ...] = 5


def test_numbers_of_numpy_are_numbers() -> None:
    options = public.ARM.ik("tool0", seed=np.int64(3), iterations=np.int32(9), position_tolerance=np.float32(0.5)).options
    assert (options["seed"], options["iterations"], options["position_tolerance"]) == (3, 9, 0.5)
    for said, whole in ((np.True_, True), (np.False_, False), (np.int64(0), 0)):
        assert len(limber.Clip.load(public.BVH, rest_frame=said)) == len(limber.Clip.load(public.BVH, rest_frame=whole))


def test_settings_are_read_once_and_named() -> None:
    models = {name: limber.Model.load(name) for name in ("ur5", "four_bar")}
    for model in (*models.values(), limber.Gltf.load(public.GLTF).model):
        joint = next(joint.name for joint in model.joints if joint.nq > 0)
        made = model.with_joints(limber.JointSetting(name, locked=True) for name in [joint])
        assert pickle.loads(pickle.dumps(made)).to_json() == made.to_json()
        assert pickle.loads(pickle.dumps(made)).joints[model.joint_index(joint)].locked
    for call in (
        lambda: public.ARM.with_joints(["elbow_joint"]),
        lambda: limber.Servo(public.ARM, joints=["elbow_joint"]),
        lambda: limber.Clip.timed(public.ARM, "tool0", public.LINE, joints=["elbow_joint"]),
    ):
        with pytest.raises(TypeError, match="joints: a JointSetting is needed, not str 'elbow_joint'"):
            call()


def test_no_methods_are_compared_where_none_are_named() -> None:
    assert public.ARM.compare("tool0", public.T, methods=[]) == {}


def test_objects_say_what_they_are() -> None:
    assert repr(public.LINE).startswith("Path(polyline, 2 points, ")
    assert repr(public.servo()) == "Servo('ur5', no step yet)"
    assert repr(limber.RetargetStream(public.WALK, public.ROBOT)) == "RetargetStream('human' onto 'biped')"
