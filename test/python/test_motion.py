"""Bodies, clips, paths, elbows, workspaces and figures."""

import xml.etree.ElementTree as ElementTree

import limber
import numpy as np
import pytest

BVH = """HIERARCHY
ROOT hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT foot
  {
    OFFSET 0 -90 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 0 10
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.1
0 90 0 0 0 0 0 0 0
1 90 0 10 0 0 0 5 0
2 90 0 20 0 0 0 10 0
"""


@pytest.fixture(name="capture")
def make_capture(tmp_path):
    path = tmp_path / "walk.bvh"
    path.write_text(BVH)
    return path


# ---- clips -------------------------------------------------------------------------------------


def test_a_capture(capture) -> None:
    clip = limber.Clip.load(capture, unit=0.01, up="y")
    assert len(clip) == 3 and clip.rate == pytest.approx(10) and clip.info["up"] == "y"
    assert clip.keys.shape == (3, clip.model.nq) and not clip.keys.flags.writeable
    assert np.allclose(clip.times, [0, 0.1, 0.2])
    hips = clip.model.fk(clip.at([0, 0.05, 0.1]), "hips")[:, :3, 3]
    assert np.allclose(hips[:, 2], 0.9) and hips[1, 0] == pytest.approx(0.005)
    velocities, accelerations = clip.rates(clip.times)
    assert velocities.shape == (3, clip.model.nv) and accelerations.shape == velocities.shape


def test_a_rest_pose_is_given(capture, tmp_path) -> None:
    plain = limber.Clip.load(capture, unit=0.01, up="y", rest_frame=False)
    assert plain.info["rest_given"] and not plain.info["rest_frame"] and plain.info["unit_given"]
    assert limber.Clip.load(capture, rest_frame=True).info["rest_index"] == 0
    info = limber.Clip.load(capture, rest_frame=1).info
    assert info["rest_frame"] and info["rest_index"] == 1 and len(plain) == 3
    with pytest.raises(limber.LimberError, match="cannot be a rest pose"):
        limber.Clip.load(capture, rest_frame=2)
    (tmp_path / "m.dat").write_text('{"asset": {"version": "2.0"}}')
    with pytest.raises(ValueError, match="a BVH alone has one"):
        limber.Clip.load(tmp_path / "m.dat", rest_frame=True)


def test_a_capture_is_written_again(capture, tmp_path) -> None:
    clip = limber.Clip.load(capture, unit=0.01, up="y")
    clip.save(tmp_path / "again.bvh")
    again = limber.Clip.load(tmp_path / "again.bvh", unit=0.01, up="y")
    assert (again.keys == clip.keys).all()
    longer = clip.resample(20)
    longer.save(tmp_path / "longer.bvh")
    assert len(limber.Clip.load(tmp_path / "longer.bvh", unit=0.01, up="y")) == 5


def test_keys_outlive_the_clip(capture) -> None:
    keys = limber.Clip.load(capture, unit=0.01, up="y").keys
    assert np.isfinite(keys).all()


def test_clips_from_clips() -> None:
    arm = limber.Model.load("planar2")
    clip = limber.Clip.make(arm, [0, 1, 2], [[0, 0], [1, 0], [0, 1]], "cubic")
    assert clip.slice(0.5, 1.5).duration == pytest.approx(1)
    assert clip.retime(5, 2).times.tolist() == [5, 5.5, 6]
    assert len(clip.blend(clip.retime(0), 0.5, 1.5)) >= 3
    again = limber.Clip.make(limber.Model.load("planar2"), [0, 1, 2], clip.keys)
    assert clip.blend(again, 0.5, 1.5).model is arm
    with pytest.raises(limber.LimberError, match="two different models, which differ at link"):
        clip.blend(limber.Clip.make(limber.Model.load("planar3"), [0, 2], np.zeros((2, 3))), 0, 1)
    assert clip.duration == 2
    with pytest.raises(limber.LimberError):
        limber.Clip.make(arm, [0, 0], [[0, 0], [1, 0]])
    with pytest.raises(ValueError, match="interpolation"):
        limber.Clip.make(arm, [0], [[0, 0]], "bezier")


def test_tables_of_robot_motion(tmp_path) -> None:
    robot = limber.Model.load("ur5").with_root("floating")
    keys = robot.clamp(robot.random(4, seed=3))
    clip = limber.Clip.make(robot, np.arange(4) / 30, keys)
    clip.save(tmp_path / "motion.csv")
    again = limber.Clip.load(tmp_path / "motion.csv", robot)
    assert np.allclose(robot.fk(again.keys), robot.fk(clip.keys), atol=1e-9)


def test_a_failed_save_leaves_the_old_file(tmp_path) -> None:
    arm = limber.Model.load("planar2")
    uneven = limber.Clip.make(arm, [0, 1, 3], [[0, 0]] * 3)
    # a capture has even frames; a glTF is written over one; other endings are none
    for name, reason in (("old.bvh", "even"), ("old.glb", "glTF"), ("old.txt", "must end in")):
        path = tmp_path / name
        path.write_text("old")
        with pytest.raises(ValueError, match=reason):
            uneven.save(path)
        assert path.read_text() == "old" and len(list(tmp_path.iterdir())) == 1
        path.unlink()


def test_errors_name_the_argument_and_a_remedy(tmp_path) -> None:
    human = limber.Model.load("human").with_root("floating")
    walk, _ = limber.Clip.walk(human, cycles=1)
    arm = limber.Model.load("panda")
    refused = (
        (TypeError, "robot: a Model is needed, not str 'g1.urdf'; Model.load", lambda: walk.retarget("g1.urdf")),
        (TypeError, "fps: a number is needed, not 'fast'", lambda: walk.retarget(human, fps="fast")),
        (ValueError, "scale: nan is not above 0", lambda: walk.retarget(human, scale=np.nan)),
        (ValueError, "margin: -1 is not 0 or more", lambda: walk.retarget(human, margin=-1)),
        (ValueError, "retime cannot be given with no_contacts", lambda: walk.retarget(human, retime=True, no_contacts=True)),
        (TypeError, "map: a dict or the path", lambda: walk.retarget(human, map=np.zeros(3))),
        (limber.LimberError, "none.json: cannot be opened", lambda: walk.retarget(human, map="none.json")),
        (limber.LimberError, "none.yaml", lambda: walk.retarget(human, limits="none.yaml")),
        (limber.LimberError, "give a map", lambda: walk.retarget(arm)),
        (TypeError, "contacts: Contacts or the path", lambda: walk.check(3)),
        (TypeError, "collision: a Collision is needed, not int; .*figure=True", lambda: walk.check(collision=3)),
        (ValueError, "collision: is of another model: 'panda'", lambda: walk.check(collision=arm.collision())),
        (ValueError, "times: an array of shape \\(3,\\) where \\(1,\\)", lambda: limber.Clip.make(arm, [0, 1, 2], [arm.neutral])),
        (ValueError, "unit: no unit 'meter'; m, cm", lambda: limber.Clip.load("a.bvh", unit="meter")),
        (ValueError, "a.fbx: cannot be opened", lambda: limber.Clip.load("a.fbx")),
        (ValueError, "holds no motion: a BVH begins", lambda: limber.Clip.load(__file__)),
        (ValueError, "rate: 0 is not above 0", lambda: walk.resample(0)),
        (TypeError, "other: a Clip is needed, not int", lambda: walk.blend(3, 0, 1)),
        (TypeError, "path: a Path is needed, not ndarray", lambda: limber.Clip.timed(arm, "panda_hand", np.zeros(7))),
        (TypeError, "unknown option 'margins'; did you mean 'margin'", lambda: arm.collision(margins=1)),
        (TypeError, "unknown option 'step'; did you mean", lambda: limber.Clip.walk(human, step=1)),
        (TypeError, "cadence: a number is needed, not 'fast'", lambda: limber.Clip.walk(human, cadence="fast")),
    )
    for kind, text, work in refused:
        with pytest.raises(kind, match=text):
            work()


def test_warnings_point_at_the_caller(tmp_path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text("<robot name='a'><link name='b'/><lnk/></robot>")
    with pytest.warns(limber.LimberWarning, match="lnk") as found:
        limber.Model.load(path)
    assert found[0].filename == __file__


def test_a_rest_pose_is_no_frame_of_the_motion(capture, tmp_path) -> None:
    whole = limber.Clip.load(capture, unit=0.01, up="y", rest_frame=False)
    clip = limber.Clip.load(capture, unit="cm", up="y", rest_frame=0)
    assert whole.rest is None and (clip.rest == whole.keys[0]).all()
    assert (clip.keys == whole.keys[1:]).all()
    assert (clip.times == whole.times[1:] - whole.times[1]).all()
    assert clip.slice(0.05, 0.1).rest is clip.rest
    # one that was given is left out, as limber convert does; one that is recognised stays
    clip.save(tmp_path / "again.bvh")
    assert len(limber.Clip.load(tmp_path / "again.bvh", unit=0.01, up="y", rest_frame=False)) == 2
    clip.resample(20).save(tmp_path / "edited.bvh")
    assert len(limber.Clip.load(tmp_path / "edited.bvh", unit=0.01, up="y", rest_frame=False)) == 3


def test_motions_of_robots_have_a_floating_root(tmp_path) -> None:
    arm = limber.Model.load("ur5")
    moving = arm.with_moving_root()
    assert moving is arm.with_moving_root() and moving is moving.with_moving_root()
    clip = limber.Clip.make(moving, np.arange(4) / 30, moving.random(4, seed=3))
    for ending in ("csv", "npz", "json"):
        clip.save(tmp_path / f"m.{ending}")
        assert limber.Clip.load(tmp_path / f"m.{ending}", arm).model is moving
    # training code that reads by number has an order of its own
    names = [joint.name for joint in arm.joints if joint.kind == "revolute"]
    clip.save(tmp_path / "back.npz", order=names[::-1])
    archive = np.load(tmp_path / "back.npz")
    assert list(archive["joint_names"]) == names[::-1]
    assert np.array_equal(archive["joint_pos"], np.load(tmp_path / "m.npz")["joint_pos"][:, ::-1])
    with pytest.raises(limber.LimberError, match="order: an .npz has its joints in any order"):
        clip.save(tmp_path / "m.json", order="breadth-first")
    # one of a fixed arm stays one
    limber.Clip.make(arm, [0, 1], arm.random(2)).save(tmp_path / "fixed.json")
    assert limber.Clip.load(tmp_path / "fixed.json", arm).model is arm
    assert limber.Clip.load(tmp_path / "m.csv", arm, source_fps=60).rate == pytest.approx(60)


# ---- bodies -----------------------------------------------------------------------------------


def make_body() -> tuple[limber.Model, limber.Body]:
    figure = limber.Model.load("human").with_root("floating")
    tasks = [
        limber.BodyTask("position", "left_hand"),
        limber.BodyTask("contact", "left_foot"),
        limber.BodyTask("contact", "right_foot"),
    ]
    body = figure.body(tasks)
    body.hold(1, figure.neutral)
    body.hold(2, figure.neutral)
    return figure, body


def test_a_body_keeps_its_links_apart() -> None:
    panda = limber.Model.load("panda")
    check = panda.collision()
    hand = limber.BodyTask("position", "panda_hand", level=1)
    apart = limber.BodyTask("distance", collision=check, distance=0.015)
    alone, kept = panda.body([hand]), panda.body([hand, apart], restarts=16)
    for body in (alone, kept):
        body.set_point(0, [0.14, 0.0, 0.2])
    assert check.distance(alone.solve().q)["distance"] < 0.015
    result = kept.solve()
    assert result.reached and check.distance(result.q)["distance"] >= 0.015
    # the pair that is nearest then is the check's
    nearest, found = kept.nearest(1), check.distance(result.q)
    assert abs(nearest["distance"] - found["distance"]) < 1e-9 and nearest["body_a"] == found["body_a"]
    assert kept.nearest(0) is None
    with pytest.raises(IndexError, match="task 7: there are 2, counted from 0"):
        kept.nearest(7)
    # each thread measures with a check of its own
    starts = np.random.default_rng(1).uniform(-0.3, 0.3, (16, panda.nq)) + panda.neutral
    q, _ = kept.solve_many(starts, threads=4)
    assert np.array_equal(q, kept.solve_many(starts)[0])
    other = limber.Model.load("ur5")
    with pytest.raises(limber.LimberError, match="another model"):
        other.body([apart])


def test_a_body_holds_its_feet() -> None:
    figure, body = make_body()
    feet = figure.fk(figure.neutral, ["left_foot", "right_foot"])
    hand = figure.fk(figure.neutral, "left_hand")[:3, 3] + [0.1, 0.05, 0.1]
    body.set_point(0, hand)
    result = body.solve()
    assert result.reached and result.tasks["reached"].all()
    assert np.allclose(figure.fk(result.q, ["left_foot", "right_foot"]), feet, atol=1e-5)
    assert np.allclose(body.target(0)[:3, 3], hand)
    assert body.explain(0)[0] == "none"


def test_frames_keep_speeds() -> None:
    figure, body = make_body()
    for joint in figure.joints:
        if joint.kind == "revolute":
            body.set_speed(joint.name, 0.5)
    body.set_point(0, figure.fk(figure.neutral, "left_hand")[:3, 3] + [0, 0, 0.4])
    result = body.advance(figure.neutral, 0.02)
    for joint in figure.joints:
        if joint.kind == "revolute" and joint.nq:
            i = joint.q_index
            assert abs(result.q[i] - figure.neutral[i]) <= 0.5 * 0.02 + 1e-12


def test_many_bodies_are_the_same_by_threads() -> None:
    figure, body = make_body()
    starts = np.tile(figure.neutral, (600, 1))
    targets = np.tile(np.stack([body.target(i) for i in range(3)]), (600, 1, 1, 1))
    targets[:, 0, 2, 3] += np.linspace(0, 0.2, 600)
    one, info = body.solve_many(starts, targets)
    two, _ = body.solve_many(starts, targets, threads=2)
    assert (one == two).all() and (info["outcome"] == 0).all()


def test_body_errors() -> None:
    figure, body = make_body()
    with pytest.raises(limber.LimberError, match="weight"):
        body.set_weight(0, -1)
    with pytest.raises(ValueError, match="kind"):
        figure.body([limber.BodyTask("grip", "left_hand")])
    with pytest.raises(ValueError, match="time"):
        body.advance(figure.neutral, 0)


# ---- paths, elbows, workspaces -------------------------------------------------------------------


def test_following_a_path() -> None:
    arm = limber.Model.load("ur5")
    q = np.array([0.2, -1.2, 1.4, -0.6, 0.5, 0.1])
    points = arm.fk([q, q + 0.1, q + [0.2, 0.1, 0, 0, 0, 0]], "tool0")
    path = limber.Path(points, "spline")
    motion = arm.follow("tool0", path, 50, q)
    assert motion.reached.all() and not motion.jumped.any() and motion.ended(3) == "none"
    assert np.allclose(arm.fk(motion.q, "tool0"), path.at(np.linspace(0, 1, 50)), atol=1e-5)
    assert np.abs(np.diff(motion.q, axis=0)).max() < 0.1
    with pytest.raises(TypeError, match="speed"):
        arm.follow("tool0", path, 50, q, speed=3)
    assert motion.planned_jumps is None


def test_plans_of_redundant_arms() -> None:
    arm = limber.Model.load("panda")
    turns = [[0.5, 0.1, 0.5, 0, np.cos(a), np.sin(a), 0] for a in np.arange(0, 6.5, 0.5)]
    motion = arm.follow("panda_hand", limber.Path(turns), 60, arm.neutral)
    assert motion.reached.all()
    assert motion.planned_jumps == motion.jumped.sum() > 0


def test_the_elbow() -> None:
    arm = limber.Model.load("iiwa14")
    elbow = arm.elbow()
    assert elbow.joint is None and elbow.measure == "elbow"
    held = limber.Model.load("panda").elbow()
    assert held.joint == "panda_joint7" and held.measure == "joint"
    rows = [[0.1 * i, 0.2 + 0.03 * i, 0.1 + 0.02 * i, (-1) ** i * (1.2 + 0.05 * i)] for i in range(7)]
    followed = limber.Model.from_dh(rows, limits=[[-2, 2]] * 7).elbow()
    assert followed.joint is None and followed.measure == "length"
    q = arm.random(seed=8)
    target = arm.fk(q, arm.tips[0])
    arcs = elbow.arcs(target)
    assert len(arcs) > 0
    assert elbow.arcs(target, q).tolist() == arcs.tolist()
    with pytest.raises(ValueError, match="start"):
        elbow.arcs(target, np.full(7, np.nan))
    middle = (arcs["begin"][0] + arcs["end"][0]) / 2
    found, outcome = elbow.at(target, int(arcs["branch"][0]), middle)
    assert outcome == "reached" and np.allclose(arm.fk(found, arm.tips[0]), target, atol=1e-8)
    _, best = elbow.best(target, "nearest", q)
    # angles are refined to 1e-5 radians
    assert best["value"] < 1e-4
    with pytest.raises(limber.LimberError):
        limber.Model.load("ur5").elbow()


def test_a_workspace_is_the_same_by_threads(tmp_path) -> None:
    arm = limber.Model.load("planar3")
    one = arm.workspace(cells=12, manipulability=True)
    two = arm.workspace(cells=12, manipulability=True, threads=2)
    assert one.cells.tobytes() == two.cells.tobytes()
    assert one.planar and one.share.shape == one.shape
    centers = one.cells["center"][one.reached]
    assert np.linalg.norm(centers, axis=1).max() <= 30 + one.cell
    # x is the first axis
    assert (np.diff(one.cells["center"][:, 0, 0, 0]) > 0).all()
    one.draw(tmp_path / "map.svg")
    assert (tmp_path / "map.svg").stat().st_size > 1000
    assert limber.Model.load("planar2").workspace(samples=5000).size.reachable > 0


def test_analysis() -> None:
    arm = limber.Model.load("planar2")
    straight = arm.singularity([0, 0], "tip", length=0)
    assert straight.rank == 1 and straight.condition > 1e9
    figure = limber.Model.load("human")
    mass, center, jacobian = figure.center_of_mass(figure.neutral)
    assert jacobian.shape == (3, figure.nv) and mass >= 0 and center.shape == (3,)
    _, axes = arm.velocity_ellipsoid([[0.3, 1], [0, 0]], "tip")
    lengths = np.linalg.norm(axes, axis=2)
    assert np.allclose(lengths[0], arm.singularity([0.3, 1], "tip", length=0).values[:3])
    assert np.allclose(lengths[1][1:], 0)


# ---- figures -------------------------------------------------------------------------------------


def test_figures(tmp_path) -> None:
    arm = limber.Model.load("ur5")
    text = arm.svg(arm.random(2, seed=1), targets=[[0.3, 0.3, 0.3]], title="two poses")
    assert ElementTree.fromstring(text).tag.endswith("svg")
    for made in (arm, arm.ik("tool0").solve(arm.fk(arm.neutral, "tool0"))):
        assert made._repr_svg_().startswith("<?xml")
    arm.draw_tree(tmp_path / "tree.png")
    assert (tmp_path / "tree.png").read_bytes()[:4] == b"\x89PNG"
    with pytest.raises(limber.LimberError, match="gif"):
        arm.draw(tmp_path / "arm.gif")


# ---- maps of poses, collisions, timing -----------------------------------------------------------


def test_a_reach_map() -> None:
    arm = limber.Model.load("ur5")
    one = arm.reach_map("tool0", cell=0.3, orientations=72, contents=["bits"])
    two = arm.reach_map("tool0", cell=0.3, orientations=72, threads=2)
    assert (one.counts == two.counts).all() and two.bits is None
    marks = np.unpackbits(one.bits, axis=-1, bitorder="little")
    assert (marks.sum(axis=-1) == one.counts).all()
    # a pose that is marked is reached
    x, y, z, k = (int(i[0]) for i in np.nonzero(marks))
    place = one.center + [one.axis[x], one.axis[y], one.axis[z]]
    assert arm.ik("tool0").solve([*place, *one.orientations[k]]).reached
    with pytest.raises(limber.LimberError, match="576"):
        arm.reach_map("tool0", orientations=10)


def rotated(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """v turned by the quaternion w x y z."""
    return v + 2 * np.cross(q[1:], np.cross(q[1:], v) + q[0] * v)


def test_an_inverse_map_has_places_of_the_base() -> None:
    arm = limber.Model.load("ur5")
    forth = arm.reach_map("tool0", cell=0.3, orientations=72)
    back = arm.reach_map("tool0", cell=0.3, orientations=72, contents=["bits"], inverse=True)
    assert not back.center.any()
    marks = np.argwhere(np.unpackbits(back.bits, axis=-1, bitorder="little"))
    assert len(marks) > 1000
    # with the base there, the tool as seen from it is reached
    for x, y, z, k in marks[:: len(marks) // 40]:
        place = back.axis[[x, y, z]]
        turn = back.orientations[k] * [1, -1, -1, -1]
        tool = forth.center + rotated(turn, -place)
        assert arm.ik("tool0").solve([*tool, *turn]).reached


def test_collisions_with_a_scene(tmp_path) -> None:
    ball = [{"shape": "sphere", "radius": 0.1}]
    slide = {"name": "slide", "parent": "base", "child": "ball", "kind": "prismatic"}
    links = [{"name": "base"}, {"name": "ball", "collisions": ball}]
    text = {"limber": 1, "name": "slide", "links": links, "joints": [{**slide, "limits": [0, 1]}]}
    model = limber.Model.from_json(text)
    scene = tmp_path / "scene.json"
    scene.write_text(
        '{"limber": 1, "obstacles": [{"name": "ceiling", "placement": {"xyz": [0, 0, 1]},'
        ' "shapes": [{"shape": "box", "size": [1, 1, 0.2]}]}]}'
    )
    check = model.collision(scene, margin=0.05)
    q = np.linspace(0, 1, 2000)[:, None]
    assert check.bodies == ("base", "ball", "ceiling")
    assert (check.free(q, threads=2) == (0.8 - q[:, 0] > 0.05)).all()
    found = check.distance(q[:1000], threads=2)
    assert np.allclose(found["distance"], 0.8 - q[:1000, 0])
    assert check.free(q[0]) is True
    with pytest.raises(limber.LimberError, match="none.json"):
        model.collision(tmp_path / "none.json")


def test_pairs_are_left_out_by_distance_or_at_rest() -> None:
    ball = [{"shape": "sphere", "radius": 0.1}]
    slide = {"kind": "prismatic", "axis": [0, 0, 1], "limits": [0, 0.05]}
    links = [{"name": name, "collisions": ball} for name in "abc"]
    joints = [
        {"name": "ab", "parent": "a", "child": "b", "placement": {"xyz": [0.1, 0, 0]}, **slide},
        {"name": "bc", "parent": "b", "child": "c", "placement": {"xyz": [0.2, 0, 0]}, **slide},
    ]
    text = {"limber": 1, "name": "slides", "links": links, "joints": joints}
    model = limber.Model.from_json(text)

    def state(**options) -> str:
        pairs = model.collision(**options).pairs
        return next(why for a, b, why in pairs if (a, b) == ("a", "c"))

    # a and c are 10 cm apart and hardly move
    assert state() == "checked"
    assert state(always=0.2) == "always"
    # they do not overlap at rest
    assert state(always=0.12, samples=0, skip_rest=True) == "checked"
    with pytest.raises(ValueError, match="fit: 'ball' is none of hull, capsule"):
        model.collision(fit="ball")
    assert model.collision(fit="capsule").free(model.neutral)


def test_the_fastest_motion_keeps_limits() -> None:
    arm = limber.Model.load("ur5")
    q = np.array([0.2, -1.2, 1.4, -0.6, 0.5, 0.1])
    path = limber.Path(arm.fk([q, q + [0.2, 0.2, -0.1, 0, 0, 0]], "tool0"))
    clip, made = limber.Clip.timed(arm, "tool0", path, q, speed=0.1, rate=250)
    assert made["outcome"] == "reached" and clip.duration == pytest.approx(made["duration"])
    tool = arm.fk(clip.keys, "tool0")[:, :3, 3]
    speeds = np.linalg.norm(np.diff(tool, axis=0), axis=1) * 250
    assert speeds.max() <= 0.1 * (1 + 1e-6)
    slow, made = limber.Clip.timed(arm, "tool0", path, q, angular_speed=0.05)
    turned = arm.fk(slow.keys, "tool0")[:, :3, :3]
    steps = np.einsum("nij,nij->n", turned[1:], turned[:-1])
    assert np.arccos((steps - 1) / 2).max() * slow.rate <= 0.05 * (1 + 1e-3)
    far = limber.Path([[0.4, 0, 0.4, 1, 0, 0, 0], [9, 0, 0.4, 1, 0, 0, 0]])
    clip, made = limber.Clip.timed(arm, "tool0", far, q)
    assert clip is None and made["outcome"] != "reached"


@pytest.mark.parametrize("name, order", [("velocity", 1), ("acceleration", 2), ("jerk", 3)])
def test_settings_of_joints_bound_the_fastest_motion(name: str, order: int) -> None:
    arm = limber.Model.load("ur5")
    q = np.array([0.2, -1.2, 1.4, -0.6, 0.5, 0.1])
    path = limber.Path(arm.fk([q, q + [0.2, 0.2, -0.1, 0, 0, 0]], "tool0"))
    free, _ = limber.Clip.timed(arm, "tool0", path, q)
    rates = np.abs(np.diff(free.keys[:, 0], n=order)) * free.rate**order
    most = 0.5 * float(np.quantile(rates, 0.99))
    limits = limber.JointSetting("shoulder_pan_joint", **{name: most})
    bound, _ = limber.Clip.timed(arm, "tool0", path, q, joints=[limits])
    rates = np.abs(np.diff(bound.keys[:, 0], n=order)) * bound.rate**order
    assert bound.duration > free.duration and np.quantile(rates, 0.99) <= most * 1.05


def test_limits_of_a_file_keep_accelerations_as_settings() -> None:
    limit = limber.JointLimit(-1.0, np.inf, 2.0, 3.0, np.inf).setting("j")
    assert (limit.lower, limit.upper, limit.velocity) == (-1.0, None, 2.0)
    assert (limit.acceleration, limit.jerk) == (3.0, None)


def test_how_contacts_are_detected_is_said_to_retargeting() -> None:
    walk, _ = limber.Clip.walk(limber.Model.load("human").with_root("floating"))
    robot = limber.Model.load("biped")
    _, usual = walk.retarget(robot, fps=30)
    _, none = walk.retarget(robot, fps=30, detect={"shortest": 100.0})
    assert usual["held"] > 0 and none["held"] == 0
    with pytest.raises(TypeError, match="detect_shortest"):
        walk.retarget(robot, detect={"shortets": 1.0})


def test_a_joint_that_may_not_move_has_its_speed_measured() -> None:
    joint = {"name": "j", "kind": "revolute", "parent": "a", "child": "b", "limits": [-1, 1]}
    links = [{"name": "a"}, {"name": "b"}]
    text = {"limber": 1, "name": "stuck", "links": links, "joints": [joint | {"velocity": 0}]}
    stuck = limber.Model.from_json(text)
    found = limber.Clip.make(stuck, [0, 0.5, 1], [[0], [0.5], [0.5]]).check()
    assert "speed" not in found.unknown and found.items["speed"].worst == np.inf
    assert found.items["speed"].beyond == 1
    free = limber.Model.from_json(text | {"joints": [joint]})
    assert "speed" in limber.Clip.make(free, [0, 1], [[0], [0.5]]).check().unknown


def test_an_arm_may_not_go_through_its_base() -> None:
    arm = limber.Model.load("panda")
    folded = [-2.88, 0.75, -0.02, -2.95, -2.37, 0.72, -0.2, 0.02]
    motion = limber.Clip.make(arm, [0, 2], [arm.neutral, folded])
    found = motion.check(collision=arm.collision(figure=True))
    assert found.items["overlap"].worst > 0.07 and found.items["overlap"].beyond == 1


def test_a_capture_on_another_figure() -> None:
    figure = limber.Model.load("human").with_root("floating")
    knee = next(j.q_index for j in figure.joints if "left" in j.name and "knee" in j.name)
    poses = np.tile(figure.neutral, (10, 1))
    poses[:, knee] += np.linspace(0, 0.3, 10)
    clip = limber.Clip.make(figure, np.arange(10) / 30, poses)
    motion, done = clip.retarget(figure, no_speed_limits=True)
    assert motion.model is figure and len(motion) == done["frames"] == 10
    for q in motion.keys:
        figure.validate(q, 1e-6)
    with pytest.raises(limber.LimberError):
        clip.retarget(limber.Model.load("ur5"))


def test_a_slope_under_a_figure() -> None:
    figure = limber.Model.load("human").with_root("floating")
    clip = limber.Clip.make(figure, [0, 1], [figure.neutral, figure.neutral])
    normal = [-0.1, 0, 1]
    motion, done = clip.retarget(figure, ground_normal=normal, source_ground_normal=[0, 0, 1])
    assert np.allclose(done["ground_normal"], np.array(normal) / np.linalg.norm(normal))
    assert done["source_normal"] == (0, 0, 1)
    on = motion.check(done["contacts"], ground_normal=normal)
    assert on.items["floating"].worst < 1e-3 and on.items["penetration"].worst < 1e-3
    level = motion.check(done["contacts"])
    assert level.items["floating"].worst + level.items["penetration"].worst > 1e-3
    with pytest.raises(limber.LimberError):
        clip.retarget(figure, ground_normal=[0, 0, -1])


def test_nan_is_no_time_of_a_clip() -> None:
    clip, _ = limber.Clip.walk(limber.Model.load("human").with_root("floating"))
    with pytest.raises(ValueError, match="NaN"):
        clip.at([0.0, np.nan])
