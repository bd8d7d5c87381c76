"""What is in files beside a model and its motion: glTF, SRDF, limits, contacts; placing, two bones."""

import base64
import json
import threading

import limber
import numpy as np
import pytest

# ---- glTF --------------------------------------------------------------------------------------


def make_gltf() -> dict:
    """Two nodes, of which the second turns about z from 0 to a quarter in a second."""
    half = np.sqrt(0.5)
    turns = np.array([[0, 0, 0, 1], [0, 0, half, half]], np.float32)
    data = np.array([0, 1], np.float32).tobytes() + turns.tobytes()
    return {
        "asset": {"version": "2.0", "generator": "test"},
        "extras": {"kept": [1, 2, 3]},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "hip", "children": [1]}, {"name": "knee", "translation": [0, 1, 0]}],
        "buffers": [
            {
                "byteLength": len(data),
                "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode(),
            }
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 8},
            {"buffer": 0, "byteOffset": 8, "byteLength": 32},
        ],
        "accessors": [
            {
                "bufferView": 0,
                "componentType": 5126,
                "count": 2,
                "type": "SCALAR",
                "min": [0],
                "max": [1],
            },
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC4"},
        ],
        "animations": [
            {
                "name": "bend",
                "samplers": [{"input": 0, "output": 1}],
                "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}],
            }
        ],
    }


@pytest.fixture(name="figure")
def write_figure(tmp_path):
    path = tmp_path / "figure.gltf"
    path.write_text(json.dumps(make_gltf()))
    return path


def test_a_gltf(figure) -> None:
    file = limber.Gltf.load(figure)
    assert file.animations == ("bend",) and file.info["generator"] == "test" and file.bones == {}
    clip = file.clip("bend")
    assert clip.duration == pytest.approx(1) and clip.info["nodes"] == 2
    # halfway by the curve itself, and by the clip: an eighth of a turn
    for q in (file.at("bend", 0.5), clip.at(0.5)):
        turned = file.model.fk(q, "knee")[:3, :3] @ np.linalg.inv(
            file.model.fk(clip.at(0), "knee")[:3, :3]
        )
        assert np.trace(turned) == pytest.approx(1 + np.sqrt(2), abs=1e-6)
    assert file.at(0, [0, 1]).shape == (2, file.model.nq)
    with pytest.raises(ValueError, match=r"no animation 'walk' among \['bend'\]"):
        file.clip("walk")


def test_a_gltf_is_written_with_another_animation(figure, tmp_path) -> None:
    file = limber.Gltf.load(figure)
    back = file.clip().retime(0.5, 2.0)
    for name in ("again.gltf", "again.glb"):
        file.save(tmp_path / name, {"quick": back})
        again = limber.Gltf.load(tmp_path / name)
        assert again.animations == ("bend", "quick")
        assert np.allclose(again.clip("quick").keys, back.keys, atol=1e-6)
    assert json.loads((tmp_path / "again.gltf").read_text())["extras"] == {"kept": [1, 2, 3]}
    assert (tmp_path / "again.glb").read_bytes()[:4] == b"glTF"

    clip = limber.Clip.load(figure, animation="bend")
    clip.save(tmp_path / "own.glb", name="copy")
    assert limber.Gltf.load(tmp_path / "own.glb").animations == ("bend", "copy")
    file.save(tmp_path / "alone.glb", {"quick": back}, only_these=True)
    assert limber.Gltf.load(tmp_path / "alone.glb").animations == ("quick",)


def test_a_broken_gltf_is_refused(tmp_path) -> None:
    path = tmp_path / "broken.gltf"
    text = make_gltf()
    text["nodes"][1]["children"] = [0]
    path.write_text(json.dumps(text))
    with pytest.raises(limber.LimberError, match="broken.gltf"):
        limber.Gltf.load(path)


# ---- files of motion ---------------------------------------------------------------------------


@pytest.fixture(name="walker", scope="module")
def load_walker():
    return limber.Model.load("human").with_root("floating")


def test_archives_and_json_of_motion(tmp_path) -> None:
    arm = limber.Model.load("ur5").with_root("floating")
    clip = limber.Clip.make(arm, np.arange(4) / 30, arm.random(4, seed=3))
    for name, error in (("m.npz", 1e-6), ("m.json", 1e-15), ("m.csv", 1e-11)):
        clip.save(tmp_path / name)
        again = limber.Clip.load(tmp_path / name, arm)
        assert np.allclose(arm.difference(again.keys, clip.keys), 0, atol=error), name
    assert (limber.Clip.load(tmp_path / "m.json", arm).keys == clip.keys).all()
    assert set(np.load(tmp_path / "m.npz").files) >= {"fps", "joint_pos"}
    with pytest.raises(ValueError, match="name the model that it moves"):
        limber.Clip.load(tmp_path / "m.npz")


def test_rounded_times_are_made_even(tmp_path) -> None:
    walker = limber.Model.load("biped").with_root("floating")
    # as glTF has them, and coarser: by up to 5e-6 s of 1/30 s
    times, poses = np.round(np.arange(90) / 30, 5), np.tile(walker.neutral, (90, 1))
    clip = limber.Clip.make(walker, times, poses)
    assert clip.rate == pytest.approx(30, rel=1e-4)
    assert np.ptp(np.diff(clip.even().times)) < 1e-14 and (clip.even().keys == poses).all()
    for ending in ("npz", "csv", "bvh"):
        clip.save(tmp_path / f"walk.{ending}")
    again = limber.Clip.load(tmp_path / "walk.npz", walker)
    assert len(again) == 90 and again.rate == pytest.approx(30, rel=1e-6)
    times[50] += 0.01
    uneven = limber.Clip.make(walker, times, poses)
    assert uneven.rate == 0
    for ending in ("npz", "csv", "bvh"):
        with pytest.raises(limber.LimberError, match="evenly spaced"):
            uneven.save(tmp_path / f"uneven.{ending}")
        assert not (tmp_path / f"uneven.{ending}").exists()


def test_any_motion_becomes_a_capture(walker, tmp_path) -> None:
    clip = limber.Clip.make(walker, [0, 0.1, 0.2], walker.random(3, seed=5))
    clip.save(tmp_path / "made.bvh")
    again = limber.Clip.load(tmp_path / "made.bvh", unit=0.01, up="y")
    hands = [c.model.fk(c.keys, "left_hand")[:, :3, 3] for c in (clip, again)]
    assert np.allclose(*hands, atol=1e-4)


def test_a_loop_goes_on(walker) -> None:
    clip = limber.Clip.make(walker, [0, 0.5, 1], [walker.neutral] * 3)
    assert clip.loop(3, 0.2).duration == pytest.approx(3)
    with pytest.raises(limber.LimberError):
        clip.loop(1, 5.0)


# ---- contacts ----------------------------------------------------------------------------------


def test_contacts_of_a_figure_that_stands(walker, tmp_path) -> None:
    q = np.tile(walker.neutral, (31, 1))
    q[:, 2] -= limber.Contacts.soles(walker).points and min(
        walker.fk(walker.neutral, p.link)[:3, :3][2] @ p.at + walker.fk(walker.neutral, p.link)[2, 3]
        for p in limber.Contacts.soles(walker).points
    )
    q[15:, 2] += 0.5  # and then is lifted
    clip = limber.Clip.make(walker, np.arange(31) / 30, q)
    found = clip.contacts()
    assert len(found) == 4 and found.at(0.2).all() and not found.at(0.9).any()
    assert found.spans(0)[0, 0] == 0 and 0.35 < found.spans(0)[0, 1] < 0.55

    found.save(tmp_path / "contacts.json")
    again = limber.Contacts.load(tmp_path / "contacts.json", walker)
    assert all((again.spans(i) == found.spans(i)).all() for i in range(4))
    again.move(0, limber.ContactPoint("left_foot", (0, 0, 0), 0.1))
    assert again.points[0].height == 0.1 and found.points[0].height != 0.1

    # held where it was not: the check sees a foot in the air
    found.add(0, 0.6, 0.9)
    assert "floating" in clip.check(found).failed and not clip.check(found).passed
    assert clip.check(found, thresholds={"floating": 1.0, "jump": 9.0}).items["floating"].beyond == 0
    with pytest.raises(ValueError, match="'sliding' is none of slide"):
        clip.check(thresholds={"sliding": 1.0})
    with pytest.raises(limber.LimberError):
        found.add(0, 1.0, 0.5)
    with pytest.raises(IndexError):
        found.spans(4)


def test_contacts_of_anybodys_clip(walker) -> None:
    clip, made = limber.Clip.walk(walker, cycles=2)
    found, assumed = limber.Contacts.found(clip)
    assert not assumed and all(len(found.spans(i)) == len(made.spans(i)) for i in range(4))
    assert clip.check(found).items["slide"].worst < 1e-3
    low, _ = limber.Contacts.found(clip, ground=-0.02)
    assert clip.check(low, ground=-0.02).items["floating"].worst == pytest.approx(0.02, abs=1e-3)
    begin = found.spans(1)[0, 0]
    found.shift(0.5)
    assert found.spans(1)[0, 0] == begin + 0.5
    with pytest.raises(limber.LimberError):
        found.shift(np.nan)


def test_retargeting_by_a_map_and_contacts(walker) -> None:
    clip = limber.Clip.make(walker, [0, 0.1, 0.2], [walker.neutral] * 3)
    pairs = limber.retarget_map(walker, walker)
    same, report = clip.retarget(walker, map=pairs)
    plain, _ = clip.retarget(walker)
    assert np.allclose(same.keys, plain.keys, atol=1e-9)
    assert isinstance(report["contacts"], limber.Contacts)
    pairs["pairs"][0]["target"] = "no such link"
    with pytest.raises(limber.LimberError, match="no such link"):
        clip.retarget(walker, map=pairs)
    # feet that are said never to rest are not held
    free = limber.Contacts(walker, limber.Contacts.soles(walker).points)
    assert clip.retarget(walker, contacts=free)[1]["held"] == 0 < report["held"]


def test_streams_follow_frame_by_frame(walker) -> None:
    walk, _ = limber.Clip.walk(walker, cycles=2, rate=60)
    stream = limber.RetargetStream(walk, limber.Model.load("biped"))
    assert stream.frame == {} and stream.source is walker
    made = np.array([stream.next(t, walk.at(t)) for t in np.arange(0, 1, 0.01)])
    assert made.shape == (100, stream.model.nq) and len(stream.points) == 4
    assert stream.frame["held"] > 0 and stream.frame["penetration"] < 1e-6
    # what is refused changes nothing
    bad = walk.at(0.5) * np.nan
    for time, q in ((0.5, walk.at(0.5)), (2, bad), (np.nan, walk.at(0.5))):
        with pytest.raises(limber.LimberError):
            stream.next(time, q)
    with pytest.raises(ValueError, match="q: an array of shape"):
        stream.next(2, made[0])
    assert (stream.next(0.99, walk.at(0)) == made[-1]).all()
    # again, and from where the robot is
    stream.reset()
    assert (stream.next(7, walk.at(0)) == made[0]).all()
    stream.reset(made[50])
    assert (stream.next(0, walk.at(0)) == made[50]).all()
    # a map, and a source that stands on its soles
    pairs = limber.retarget_map(walk, stream.model)
    same = limber.RetargetStream(walk, stream.model, map=pairs)
    assert (same.next(0, walk.at(0)) == made[0]).all()
    standing = limber.RetargetStream(walker, stream.model, no_contacts=True)
    standing.next(0, walk.at(0))
    assert standing.frame["held"] == 0


def test_streams_keep_accelerations(walker) -> None:
    walk, _ = limber.Clip.walk(walker, cycles=1, rate=60)
    stream = limber.RetargetStream(walk, limber.Model.load("biped"))
    for joint in range(1, len(stream.model.joints)):
        stream.limit_acceleration(joint, 20)
    made = np.array([stream.next(t, walk.at(0.3 + t)) for t in np.arange(0, 0.6, 0.002)])
    assert np.abs(np.diff(made[:, 7:], 2, axis=0)).max() <= 20 * 0.002**2 * (1 + 1e-6)
    with pytest.raises(limber.LimberError):
        stream.limit_acceleration(1, 0)


def test_a_servo_keeps_limits_and_arrives() -> None:
    arm = limber.Model.load("ur5")
    names = [joint.name for joint in arm.joints if joint.kind != "fixed"]
    limits = [limber.JointSetting(n, velocity=1, acceleration=4, jerk=100) for n in names]
    servo = limber.Servo(arm, limber.Task("tool0"), joints=limits, stale=2)
    start = np.array([0.1, -1.4, 1.6, -1.8, -1.5, 0.2])
    servo.reset(start)
    assert servo.frame == {}
    target = arm.fk(start, "tool0")
    target[:3, 3] += (0.05, -0.1, 0.1)
    servo.aim(target)
    made = [servo.step()]
    while servo.frame["state"] != "arrived":
        assert servo.frame["state"] == "moving" and servo.frame["remaining"] > 0
        made.append(servo.step())
    q, v, a = (np.array(rows) for rows in zip(*made))
    assert servo.frame["outcome"] == "reached" and servo.frame["resting"]
    assert np.abs(arm.fk(q[-1], "tool0") - target).max() < 2e-6
    assert np.abs(v).max() <= 1 + 1e-9 and np.abs(a).max() <= 4 + 1e-9
    assert np.abs(np.diff(v, axis=0)).max() <= 4e-3 + 1e-12
    assert np.abs(np.diff(a, axis=0)).max() <= 0.1 * (1 + 1e-9)
    # joint values, a twist, stops
    servo.move(start)
    last = servo.step()[0]
    while servo.frame["state"] != "arrived":
        last = servo.step()[0]
    assert (last == start).all()
    servo.twist([0, 0, 0.1, 0, 0, 0])
    for _ in range(500):
        servo.step()
    assert servo.frame["state"] == "moving" and servo.frame["share"] > 0.999
    servo.stop()
    servo.step()
    assert servo.frame["state"] == "stopped"
    servo.aim(target, velocity=[np.nan] * 6)
    servo.step()
    assert servo.frame["state"] == "invalid"
    servo.aim(target, velocity=[0.01, 0, 0, 0, 0, 0])
    for _ in range(2001):
        servo.step()
    assert servo.frame["state"] == "stale"


def test_what_a_servo_refuses() -> None:
    arm = limber.Model.load("ur5")
    servo = limber.Servo(arm)
    with pytest.raises(limber.LimberError, match="elbow_joint"):
        servo.reset([0, 0, 9, 0, 0, 0])
    with pytest.raises(ValueError, match="q: an array of shape"):
        servo.move([0, 0])
    with pytest.raises(ValueError, match="twist: an array of shape"):
        servo.twist([0, 0])
    with pytest.raises(limber.LimberError, match="period is 0"):
        limber.Servo(arm, period=0)
    with pytest.raises(limber.LimberError, match="speed is limited to 0"):
        limber.Servo(arm, joints=[limber.JointSetting("elbow_joint", velocity=0)])


# ---- beside the model --------------------------------------------------------------------------

SRDF = """<robot name="panda">
  <group name="arm"><chain base_link="panda_link0" tip_link="panda_link8"/></group>
  <group name="hand"><joint name="panda_finger_joint1"/></group>
  <end_effector name="gripper" group="hand" parent_link="panda_hand" parent_group="arm"/>
  <group_state name="ready" group="arm"><joint name="panda_joint4" value="-1.5"/></group_state>
  <group_state name="open" group="hand"><joint name="panda_finger_joint1" value="0.04"/></group_state>
  <disable_collisions link1="panda_link0" link2="panda_link1" reason="Adjacent"/>
</robot>"""


def test_srdf(tmp_path) -> None:
    arm = limber.Model.load("panda")
    (tmp_path / "panda.srdf").write_text(SRDF)
    srdf = arm.srdf(tmp_path / "panda.srdf")
    assert list(srdf.groups) == ["arm", "hand"] and "panda_joint7" in srdf.groups["arm"].joints
    assert srdf.tip("arm") == "panda_hand" and srdf.end_effectors["gripper"].parent_group == "arm"
    assert srdf.pairs == (("panda_link0", "panda_link1", "Adjacent"),)
    q = srdf.apply("open", srdf.apply("ready", arm.neutral))
    assert q[3] == -1.5 and q[7] == 0.04
    with pytest.raises(limber.LimberError, match="did you mean 'ready'"):
        srdf.state("redy")

    # what does not belong to the group stays
    ik = arm.ik(srdf.tip("arm"), locks=srdf.others("arm"))
    assert ik.solve(arm.fk(q, "panda_hand"), starts=q).q[7] == 0.04
    # beside a model that was loaded from a file
    (tmp_path / "panda.json").write_text(arm.to_json())
    assert list(limber.Model.load(tmp_path / "panda.json").srdf().groups) == ["arm", "hand"]
    with pytest.raises(ValueError, match="needs the path"):
        arm.srdf()


def test_limits_of_joints(tmp_path) -> None:
    arm = limber.Model.load("ur5")
    path = tmp_path / "limits.json"
    path.write_text('{"joint_limits": {"elbow_joint": {"max_velocity": 0.5, "min_position": -1}}}')
    limits = arm.joint_limits(path)
    assert limits["elbow_joint"].velocity == 0.5 and limits["elbow_joint"].upper == np.inf
    narrow = arm.with_joints([limit.setting(name) for name, limit in limits.items()])
    assert narrow.limits[2, 0] == -1 and narrow.joints[narrow.joint_index("elbow_joint")].velocity == 0.5
    path.write_text('{"joint_limits": {"elbow_joint": {"max_velocity": -1}}}')
    with pytest.raises(limber.LimberError, match="limits.json"):
        arm.joint_limits(path)


def test_a_check_of_nothing_warns() -> None:
    with pytest.warns(limber.LimberWarning, match="ur5: nothing is checked: .* visuals do not count"):
        limber.Model.load("ur5").collision()


def test_collisions_select_solutions() -> None:
    arm = limber.Model.load("panda").with_locks({"panda_joint7": 0.8})
    ik = arm.ik("panda_hand")
    check = arm.collision()
    targets = arm.fk(arm.random(600, seed=2), "panda_hand")
    every = ik.solutions(targets, threads=2)
    free = ik.solutions(targets, collision=check, threads=2)
    one = ik.solutions(targets, collision=arm.collision())
    assert np.array_equal(free.q, one.q, equal_nan=True)
    listed = every.q[~np.isnan(every.q[..., 0])]
    kept = free.q[~np.isnan(free.q[..., 0])]
    assert 0 < len(kept) < len(listed)
    # exactly those that touch nothing, in the same order
    assert (kept == listed[check.free(listed)]).all()


def test_two_solvers_in_threads_share_a_filter() -> None:
    arm = limber.Model.load("panda").with_locks({"panda_joint7": 0.8})
    check, solvers = arm.collision(), [arm.ik("panda_hand") for _ in range(2)]
    targets = arm.fk(arm.random(2000, seed=2), "panda_hand")
    one = arm.ik("panda_hand").solutions(targets, collision=arm.collision()).q.tobytes()
    found = []

    def list_all(solver) -> None:
        found.append(solver.solutions(targets, collision=check).q.tobytes())

    threads = [threading.Thread(target=list_all, args=(solver,)) for solver in solvers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [one, one]


def test_what_is_near() -> None:
    arm = limber.Model.load("panda")
    check = arm.collision()
    q = arm.random(seed=4)
    least = check.distance(q)
    everything = check.near(q, 1e9)
    assert everything["distance"].min() == least["distance"]
    assert len(everything) == sum(state == "checked" for _, _, state in check.pairs)
    assert len(check.near(q, float(least["distance"]))) >= 1 and len(check.near(q, -1e9)) == 0
    # against differences
    _, slope = check.gradient(q)
    h = 1e-6
    steps = [arm.integrate(q, sign * h * v) for v in np.eye(arm.nv) for sign in (1, -1)]
    d = check.distance(np.array(steps))["distance"].reshape(-1, 2)
    assert np.allclose((d[:, 0] - d[:, 1]) / (2 * h), slope, atol=1e-4)


def test_places_are_sorted_and_true() -> None:
    arm = limber.Model.load("ur5")
    targets = np.array([[1, y, 0.3, 0, 1, 0, 0] for y in (-0.3, 0, 0.3)])
    found = arm.place(targets, "tool0", cell=0.4, turns=2, threads=2)
    again = arm.place(targets, "tool0", cell=0.4, turns=2)
    assert (found.robot == again.robot).all() and (np.diff(found.reached) <= 0).all()
    # what the best place is said to reach is reached from there
    matrices = np.array([limber.Model.load("planar2").fk([0, 0], "tip")] * 3)
    matrices[:] = np.diag([1, -1, -1, 1])
    matrices[:, :3, 3] = targets[:, :3]
    seen = np.linalg.inv(found.robot[0]) @ matrices
    assert arm.ik("tool0", protocol="any").solve(seen).reached.sum() == found.reached[0] == 3


def test_sweep_of_bones() -> None:
    """A sweep is Juckett's: from the last bone on each turns the end onto the line to the target."""
    rng = np.random.default_rng(5)
    for _ in range(50):
        bones, target = rng.uniform(-2, 2, (5, 3)), rng.uniform(-3, 3, 2)
        told = limber.bones_step(bones, target, arrival=0, nudge=0)
        angles = bones[:, 2].copy()
        for i in reversed(range(4)):
            at, angle = np.zeros(2), 0.0
            places = []
            for (x, y, _), turn in zip(bones, angles):
                at = at + [np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y]
                angle += turn
                places.append(at)
            e, t = places[-1] - places[i], target - places[i]
            angles[i] += np.arctan2(e[0] * t[1] - e[1] * t[0], e @ t)
        assert told.progress == limber.Progress.PROCESSING
        np.testing.assert_allclose(np.cos(told.bones[:, 2] - angles), 1, atol=1e-12)
        np.testing.assert_array_equal(told.bones[:, :2], bones[:, :2])
    # Juckett's minimum: folded onto the line, and free by a nudge
    straight = [[0, 0, 0], [3, 0, 0], [2, 0, 0]]
    folded = limber.bones_step(straight, [1.6, 0], nudge=0)
    assert limber.bones_step(folded.bones, [1.6, 0], nudge=0).progress == limber.Progress.FAILURE
    assert limber.bones_step(folded.bones, [1.6, 0]).progress == limber.Progress.PROCESSING
    with pytest.raises(ValueError, match="bones"):
        limber.bones_step([[0, 0]], [1, 1])
    with pytest.raises(ValueError, match="bones: at least one"):
        limber.bones_step(np.empty((0, 3)), [1, 1])


def test_two_bones_reach() -> None:
    rng = np.random.default_rng(1)
    n = 500
    poses = np.zeros((3, n, 7))
    poses[..., 3] = 1
    poses[1, :, 0], poses[2, :, 0] = 1, 1.8
    targets = rng.normal(size=(n, 3))
    targets *= (rng.uniform(0.3, 2.2, n) / np.linalg.norm(targets, axis=1))[:, None]
    found = limber.two_bone(*poses, targets, pole=[0, 0, 1], bend_axis=[0, 1, 0])
    lengths = np.linalg.norm(targets, axis=1)
    assert (found.reached == (lengths <= 1.8)).all()

    def rotate(q, v):
        w, u = q[:, :1], q[:, 1:]
        t = 2 * np.cross(u, v)
        return v + w * t + np.cross(u, t)

    tip = rotate(found.start, np.array([1.0, 0, 0]) + rotate(found.middle, np.array([[0.8, 0, 0]])))
    assert np.allclose(tip[found.reached], targets[found.reached], atol=1e-9)
