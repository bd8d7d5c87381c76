"""Motions in Python are those of the command line, bit for bit: real files, and what is built in."""

import base64
import itertools
import json
import os
import subprocess
from pathlib import Path

import limber
import numpy as np
import pytest

PROGRAM = os.environ.get("LIMBER_PROGRAM", "")
DATA = Path(__file__).parents[3] / "shared" / "data"
pytestmark = [
    pytest.mark.skipif(not PROGRAM, reason="the program was not built"),
    pytest.mark.filterwarnings("ignore::limber.LimberWarning"),
]

G1 = DATA / "urdf" / "unitree_g1_29dof_rev_1_0.urdf"
T1 = DATA / "mjcf" / "t1_mocap.xml"
TALOS = DATA / "urdf" / "erd_talos_full_v2.urdf"


def need(*paths) -> None:
    """Skips aloud where a file of others is absent."""
    for path in paths:
        if isinstance(path, Path) and not path.exists():
            pytest.skip(f"{path} is not there")


def run(*arguments) -> subprocess.CompletedProcess:
    """Runs the program; 0 and 1 are results."""
    done = subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    return done


def load_clip(source) -> tuple[limber.Clip, limber.Contacts | None]:
    """A file, or the walk that is built in with the contacts that it brings."""
    if source != "walk":
        return limber.Clip.load(source), None
    human = limber.Model.load("human").with_root("floating")
    return limber.Clip.walk(human, cycles=4, rate=60)


def load_model(target) -> limber.Model:
    """A robot, or the figure of a glTF."""
    path = Path(target)
    return limber.Gltf.load(path).model if path.suffix in (".gltf", ".glb") else limber.Model.load(target)


def compare(tmp_path, source, target, flags=(), **options) -> tuple[limber.Clip, dict]:
    """The same motion by both; the motion and what was done."""
    need(source, target)
    out, report = tmp_path / "out.json", tmp_path / "report.json"
    run("retarget", source, "--to", target, "--output", out, "--report", report, *flags)
    clip, contacts = load_clip(source)
    options = {"contacts": contacts} | options
    robot = load_model(target)
    motion, done = clip.retarget(robot, **options)
    theirs = limber.Clip.load(out, robot)
    assert theirs.keys.tobytes() == motion.keys.tobytes()
    assert np.allclose(theirs.times, motion.times - motion.times[0], atol=1e-9, rtol=0)
    said = json.loads(report.read_text())
    for name, ours in (
        ("scale", "scale"),
        ("root_scale", "root_scale"),
        ("frames", "frames"),
        ("fastest", "fastest"),
        ("contacts", "held"),
        ("contacts_moved", "moved"),
        ("worst_moved", "worst_moved"),
        ("contacts_shortened", "shortened"),
        ("slowed_frames", "slowed"),
        ("acceleration_over_limit", "acceleration"),
        ("frames_beyond_acceleration", "accelerated"),
        ("touches", "touches"),
        ("hand_contacts", "hands_held"),
        ("hand_contacts_released", "released"),
        ("worst_released", "worst_released"),
    ):
        assert said[name] == done[ours], name
    return motion, done


# ---- retargeting -------------------------------------------------------------------------------


@pytest.mark.parametrize(("source", "target"), [("walk", "biped"), (DATA / "bvh" / "zombie.bvh", G1)])
def test_streams_are_those_of_the_program(source, target) -> None:
    need(source, target)
    clip, _ = load_clip(source)
    times = clip.times[0] + np.arange(0, 1, 0.01)
    rows = np.column_stack([times, clip.at(times)])
    given = "\n".join(",".join(map(repr, map(float, row))) for row in rows)
    done = subprocess.run(
        [PROGRAM, "retarget", "-", "--stream", "--from", str(source), "--to", str(target)],
        input=given, capture_output=True, text=True, check=True,
    )
    made = np.array([[float(x) for x in line.split(",")] for line in done.stdout.split()[1:]])
    stream = limber.RetargetStream(clip, load_model(target))
    assert (made[:, 0] == times).all()
    # the program brings quaternions of rows to length 1, which rounds them
    assert np.allclose(made[:, 1:], [stream.next(row[0], row[1:]) for row in rows], atol=1e-8)



CLIPS = ["cmu_12_01_walk.bvh", "pfnn_hierarchy.bvh", "zombie.bvh"]


@pytest.mark.parametrize("name", CLIPS)
@pytest.mark.parametrize("target", [G1, T1, TALOS, "human"], ids=["g1", "t1", "talos", "human"])
def test_captures_onto_robots(tmp_path, name, target) -> None:
    compare(tmp_path, DATA / "bvh" / name, target)


@pytest.mark.parametrize("name", ["cesium_man.gltf", "robot_expressive.glb"])
def test_figures_of_gltf(tmp_path, name) -> None:
    compare(tmp_path, DATA / "gltf" / name, "human")


def write_shod(path) -> Path:
    """A figure of nodes with a shoe on each foot, 8 cm below the ankle."""
    box = itertools.product((-0.04, 0.04), (-0.08, 0), (-0.06, 0.18))
    data = np.array(list(box), np.float32).tobytes()
    nodes = [
        {"name": "Hips", "translation": [0, 0.95, 0], "children": [1, 3, 7]},
        {"name": "Spine", "translation": [0, 0.3, 0], "children": [2]},
        {"name": "Head", "translation": [0, 0.3, 0]},
    ]
    for side, x in (("Left", 0.1), ("Right", -0.1)):
        n = len(nodes)
        nodes += [
            {"name": f"{side}UpLeg", "translation": [x, 0, 0], "children": [n + 1]},
            {"name": f"{side}Leg", "translation": [0, -0.45, 0], "children": [n + 2]},
            {"name": f"{side}Foot", "translation": [0, -0.42, 0], "children": [n + 3], "mesh": 0},
            {"name": f"{side}ToeBase", "translation": [0, -0.06, 0.14]},
        ]
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    shod = {
        "asset": {"version": "2.0"},
        "nodes": nodes,
        "skins": [{"joints": list(range(len(nodes)))}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 8}],
        "bufferViews": [{"buffer": 0, "byteLength": len(data)}],
        "buffers": [{"byteLength": len(data), "uri": uri}],
    }
    path.write_text(json.dumps(shod))
    return path


@pytest.mark.parametrize("name", ["shod", "cesium_man.gltf", "robot_expressive.glb"])
def test_soles_are_where_a_gltf_draws_them(tmp_path, name) -> None:
    target = write_shod(tmp_path / "shod.gltf") if name == "shod" else DATA / "gltf" / name
    files = {kind: tmp_path / f"{kind}.json" for kind in ("map", "held")}
    flags = ["--write-map", files["map"], "--write-contacts", files["held"]]
    motion, done = compare(tmp_path, "walk", target, flags)
    source = load_clip("walk")[0].model
    assert limber.retarget_map(load_clip("walk")[0], motion.model) == json.loads(files["map"].read_text())
    theirs = limber.Contacts.load(files["held"], motion.model)
    assert theirs.points == done["contacts"].points
    # measured by the same soles
    flags = ["--json", "--frames", "--ground", 0.05]
    said = json.loads(run("check", tmp_path / "out.json", "--model", target, *flags).stdout)
    clip = limber.Clip.load(tmp_path / "out.json", motion.model)
    found = clip.check(collision=clip.model.collision(figure=True), ground=0.05)
    same_check(said, found)
    assert "penetration" not in found.unknown and not limber.Contacts.found(clip)[1]
    assert found.items["penetration"].worst > 0.04
    at = [point.at for point in limber.Contacts.soles(motion.model).points]
    assert np.allclose(at, [point.at for point in found.contacts.points])


def test_soles_are_assumed_where_what_is_drawn_cannot_be_read(tmp_path) -> None:
    path = write_shod(tmp_path / "shod.gltf")
    whole = json.loads(path.read_text())
    whole["accessors"][0]["type"] = "VEC2"
    path.write_text(json.dumps(whole))
    broken = load_model(path)
    with pytest.warns(limber.LimberWarning, match="POSITION must have 3 components"):
        soles = limber.Contacts.soles(broken)
    for node in whole["nodes"]:
        node.pop("mesh", None)
    path.write_text(json.dumps(whole))
    assert soles.points == limber.Contacts.soles(load_model(path)).points


OPTIONS = {
    "fps": (["--fps", 50], {"fps": 50}),
    "hands": (["--hands"], {"hands": True}),
    "retime": (["--retime"], {"retime": True}),
    "free": (["--no-contacts", "--no-speed-limits"], {"no_contacts": True, "no_speed_limits": True}),
    "root scale": (["--root-scale", 0.7], {"root_scale": 0.7}),
    "scales": (["--root-scale", 0.7, "--scale", 0.8], {"root_scale": 0.7, "scale": 0.8}),
    "ground": (["--ground", 0.1, "--ground-normal", "0.1 0 1"], {"ground": 0.1, "ground_normal": [0.1, 0, 1]}),
    "slope": (["--source-ground-normal", "0 0.05 1"], {"source_ground_normal": [0, 0.05, 1]}),
    "margin": (["--margin", 0.02], {"margin": 0.02}),
}


@pytest.mark.parametrize("which", OPTIONS)
@pytest.mark.parametrize(
    "source, target",
    [(DATA / "bvh" / "cmu_12_01_walk.bvh", G1), ("walk", "biped")],
    ids=["capture", "built in"],
)
def test_options(tmp_path, source, target, which) -> None:
    flags, options = OPTIONS[which]
    if which == "slope" and source == "walk":
        pytest.skip("the contacts of the built-in walk are of level ground")
    motion, done = compare(tmp_path, source, target, flags, **options)
    if which == "retime":
        assert done["seconds_before_retiming"] <= motion.duration + 1e-9
    if which == "margin":
        assert done["near"] >= 0 and done["worst_near"] < 0.1


def test_limits_of_joints(tmp_path) -> None:
    path = tmp_path / "limits.json"
    limit = {"max_velocity": 1.5, "max_acceleration": 9.0, "max_position": 0.6}
    path.write_text(json.dumps({"joint_limits": {"left_knee": limit}}))
    motion, done = compare(tmp_path, "walk", "biped", ["--limits", path], limits=path)
    assert 0.5 < done["acceleration"] <= 1 and done["accelerated"] == 0
    # frames for themselves are measured: they do not keep it
    motion, done = compare(
        tmp_path, "walk", "biped", ["--limits", path, "--fast"], limits=path, smooth=0
    )
    assert done["acceleration"] > 1 and done["accelerated"] > 0
    knee = motion.model.joints[motion.model.joint_index("left_knee")]
    assert knee.velocity == 1.5 and motion.keys[:, knee.q_index].max() <= 0.6
    table = tmp_path / "out.json"
    flags = ["--json", "--frames", "--limits", path]
    said = json.loads(run("check", table, "--model", "biped", *flags).stdout)
    clip = limber.Clip.load(table, limber.Model.load("biped"))
    found = clip.check(limits=path, collision=clip.model.collision(figure=True))
    same_check(said, found)
    assert found.items["acceleration"].beyond > 0 and "acceleration" in found.failed


def test_maps_and_contacts_in_files(tmp_path) -> None:
    source, gmr = DATA / "bvh" / "cmu_12_01_walk.bvh", DATA / "retarget" / "bvh_to_g1.json"
    need(source, G1, gmr)
    robot, clip = limber.Model.load(G1), limber.Clip.load(source)
    files = {name: tmp_path / f"{name}.json" for name in ("map", "held", "given")}
    flags = ["--write-map", files["map"], "--write-contacts", files["held"]]
    _, done = compare(tmp_path, source, G1, flags)
    theirs = limber.Contacts.load(files["held"], robot.with_root("floating"))
    shift = clip.times[0]
    for point in range(len(theirs)):
        assert np.allclose(theirs.spans(point), done["contacts"].spans(point) - shift, atol=1e-9)
    made = limber.retarget_map(clip, robot.with_root("floating"))
    assert made == json.loads(files["map"].read_text())
    # an edited map, by its path and as a dict
    made["pairs"][0]["orientation"] = 0.1
    files["map"].write_text(json.dumps(made))
    by_path, _ = compare(tmp_path, source, G1, ["--map", files["map"]], map=files["map"])
    assert (clip.retarget(robot, map=made)[0].keys == by_path.keys).all()
    # contacts of the source
    feet = clip.contacts()
    feet.cut(0, 1.0, 2.0)
    feet.save(files["given"])
    compare(tmp_path, source, G1, ["--contacts", files["given"]], contacts=files["given"])


def test_maps_of_gmr(tmp_path) -> None:
    source, gmr = DATA / "bvh" / "pfnn_hierarchy.bvh", DATA / "retarget" / "bvh_to_g1.json"
    need(source, G1, gmr)
    done = subprocess.run(
        [PROGRAM, "retarget", source, "--to", G1, "--map", gmr, "--output", tmp_path / "o.json"],
        capture_output=True,
        text=True,
        check=False,
    )
    clip, robot = limber.Clip.load(source), limber.Model.load(G1)
    if done.returncode == 2:
        with pytest.raises(limber.LimberError) as refused:
            clip.retarget(robot, map=gmr)
        assert str(refused.value) in done.stderr
        return
    motion, _ = clip.retarget(robot, map=gmr)
    theirs = limber.Clip.load(tmp_path / "o.json", robot)
    assert theirs.keys.tobytes() == motion.keys.tobytes()


# ---- checking ----------------------------------------------------------------------------------


def same_item(name: str, theirs: dict | None, found: limber.Check) -> None:
    """One item of a report."""
    ours = found.items[name]
    if theirs is None:
        assert name in found.unknown, name
        return
    assert name not in found.unknown, name
    assert (theirs["worst"], theirs["rms"]) == (ours.worst, ours.rms), name
    assert theirs["frames_beyond"] == ours.beyond, name
    assert (theirs.get("of"), theirs.get("frame", -1)) == (ours.of, ours.key), name
    if ours.of is not None:
        assert theirs["time"] == ours.time


def same_check(said: dict, found: limber.Check) -> None:
    """A report of the program's with all frames."""
    for name in found.items:
        # what is not known of feet is left out
        same_item(name, said.get(name), found)
    frames = np.array(said["each_frame"])
    for i, name in enumerate(said["columns"]):
        assert (frames[:, i] == found.values[name]).all(), name
    near = said["links"]["near"]
    assert [(p["a"], p["b"], p["distance"], p["frame"]) for p in near] == [
        (p.a, p.b, p.distance, p.key) for p in found.pairs
    ]
    assert [(p["frames_near"], p["frames_touching"]) for p in near] == [
        (p.near, p.touching) for p in found.pairs
    ]


@pytest.mark.parametrize("name", [*CLIPS, "01_01.bvh"])
def test_checks_of_robots(tmp_path, name) -> None:
    source = DATA / "bvh" / name
    need(source, T1)
    out = tmp_path / "out.json"
    run("retarget", source, "--to", T1, "--output", out, "--no-speed-limits", "--no-contacts")
    flags = ["--margin", 0.05, "--ground", 0.01, "--ground-normal", "0.01 0 1", "--json", "--frames"]
    done = run("check", out, "--model", T1, *flags)
    clip = limber.Clip.load(out, limber.Model.load(T1))
    collision = clip.model.collision(figure=True, margin=0.05)
    found = clip.check(
        collision=collision, margin=0.05, ground=0.01, ground_normal=[0.01, 0, 1]
    )
    same_check(json.loads(done.stdout), found)
    assert found.passed == (done.returncode == 0)


@pytest.mark.parametrize("name", [*CLIPS, "01_01.bvh"])
def test_checks_of_captures(name) -> None:
    source = DATA / "bvh" / name
    need(source)
    done = run("check", source, "--json", "--frames")
    found = limber.Clip.load(source).check()
    said = json.loads(done.stdout)
    assert said["contacts"]["spans"] == sum(
        len(found.contacts.spans(point)) for point in range(len(found.contacts))
    )
    for item in found.items:
        same_item(item, said.get(item), found)
    assert found.passed == (done.returncode == 0) and "floating" in found.unknown


# ---- converting --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CLIPS)
def test_captures_are_written_alike(tmp_path, name) -> None:
    source = DATA / "bvh" / name
    need(source)
    run("convert", source, tmp_path / "theirs.bvh")
    limber.Clip.load(source).save(tmp_path / "ours.bvh")
    assert (tmp_path / "ours.bvh").read_bytes() == (tmp_path / "theirs.bvh").read_bytes()
    # with another unit, by its name
    run("convert", source, tmp_path / "theirs.json", "--as", "motion", "--unit", "inch")
    ours = limber.Clip.load(source, unit="inch", rest_frame=False)
    theirs = limber.Clip.load(tmp_path / "theirs.json", ours.model)
    assert theirs.keys.tobytes() == ours.keys.tobytes()


def test_tables_are_written_alike(tmp_path) -> None:
    source = DATA / "bvh" / "cmu_12_01_walk.bvh"
    need(source, G1)
    robot = limber.Model.load(G1)
    motion, _ = limber.Clip.load(source).retarget(robot, fps=50)
    for ending, flags in ((".csv", []), (".npz", []), (".csv", ["--as", "bones"])):
        theirs, ours = tmp_path / f"theirs{ending}", tmp_path / f"ours{ending}"
        run("retarget", source, "--to", G1, "--fps", 50, "--output", theirs, *flags)
        motion.save(ours, table="bones" if flags else "lafan1")
        if ending == ".csv":
            assert ours.read_bytes() == theirs.read_bytes()
            again = limber.Clip.load(theirs, robot, source_fps=50)
        else:
            first, second = np.load(ours), np.load(theirs)
            assert all((first[name] == second[name]).all() for name in first.files)
            again = limber.Clip.load(theirs, robot)
        assert again.rate == pytest.approx(50) and len(again) == len(motion)


# ---- maps --------------------------------------------------------------------------------------

SCENE = """{"limber": 1, "obstacles": [{"name": "table", "placement": {"xyz": [0.5, 0, 0.1]},
    "shapes": [{"shape": "box", "size": [0.4, 0.8, 0.05]}]}]}"""
# a robot with shapes that collide and all solutions of every target
ARM = "panda"
ALL = "bits,solutions,manipulability,limit_margin"
MAPS = {
    "counts": ("ur5", [], {}),
    "contents": ("ur5", ["--contents", ALL], {"contents": ALL}),
    "one field": ("panda", ["--contents", "limit_margin"], {"contents": ["limit_margin"]}),
    "inverse": ("kr6", ["--inverse", "--contents", "bits"], {"inverse": True, "contents": ["bits"]}),
    "free": (ARM, ["--avoid-collision", "--contents", "bits"], {"contents": ["bits"]}),
    "scene": (ARM, ["--avoid-collision", "--margin", 0.02], {"margin": 0.02}),
}


@pytest.mark.parametrize("which", MAPS)
def test_maps_of_poses(tmp_path, which) -> None:
    name, flags, options = MAPS[which]
    out, scene = tmp_path / "map.npy", tmp_path / "scene.json"
    scene.write_text(SCENE)
    options, arm = dict(options), limber.Model.load(name)
    if "--avoid-collision" in flags:
        margin = options.pop("margin", None)
        flags = flags + ([] if margin is None else ["--scene", scene])
        options["collision"] = (
            arm.collision() if margin is None else arm.collision(scene, margin=margin)
        )
    run("workspace", name, "--grid", 0.3, "--orientations", 72, "--output", out, *flags)
    found = arm.reach_map(cell=0.3, orientations=72, threads=2, **options)
    theirs = np.load(out)
    assert theirs.dtype == found.records.dtype and theirs.tobytes("F") == found.records.tobytes("F")
    read = limber.ReachMap.load(out)
    assert repr(read) == repr(found) and (read.share == found.share).all()
    assert np.allclose(read.center, found.center) and read.inverse == found.inverse
    assert (read.orientations == found.orientations).all()
    # what Python saves is the program's array, which draws it
    found.save(tmp_path / "ours.npy")
    assert (tmp_path / "ours.npy").read_bytes() == out.read_bytes()
    for array, picture in ((tmp_path / "ours.npy", "ours.svg"), (out, "theirs.svg")):
        run("draw", array, "--title", "a map", "--output", tmp_path / picture)
    assert (tmp_path / "ours.svg").read_bytes() == (tmp_path / "theirs.svg").read_bytes()
    again = limber.ReachMap.load(tmp_path / "ours.npy")
    assert repr(again) == repr(found) and (again.records == found.records).all()
    assert again.center.tobytes() == found.center.tobytes() and again.radius == found.radius
    for field in ("bits", "solutions", "manipulability", "limit_margin"):
        ours, again = getattr(found, field), getattr(read, field)
        assert (ours is None) == (again is None) and (ours is None or (ours == again).all())
    if "collision" in options:
        assert 0 < found.counts.sum() < arm.reach_map(cell=0.3, orientations=72).counts.sum()


def test_maps_in_parts_and_broken_ones(tmp_path) -> None:
    piece, out = tmp_path / "piece.npy", tmp_path / "part.npy"
    run("workspace", "ur5", "--grid", 0.3, "--orientations", 72, "--part", "1/2", "--output", piece)
    with pytest.raises(limber.LimberError, match="piece.npy: a part of a map; limber merge"):
        limber.ReachMap.load(piece)
    # what is joined lacks the other half
    assert run("merge", piece, "--output", out).returncode == 1
    part = limber.ReachMap.load(out)
    whole = limber.Model.load("ur5").reach_map(cell=0.3, orientations=72)
    decided = ~np.isnan(part.share)
    assert 0 < decided.sum() < decided.size and (part.counts == whole.counts)[decided].all()
    out.with_suffix(".json").write_text('{"count": 3}')
    with pytest.raises(limber.LimberError, match="part.json: does not describe a map"):
        limber.ReachMap.load(out)
    with pytest.raises(ValueError, match="contents: 'bit' is none of bits"):
        limber.Model.load("ur5").reach_map(contents=["bit"])
    with pytest.raises(ValueError, match="collision: is of another model: 'panda'"):
        limber.Model.load("ur5").reach_map(collision=limber.Model.load("panda").collision())


MAP_FILES = [
    ("bare", {}, []),
    ("records", dict(contents="bits,solutions"), ["--contents", "bits,solutions"]),
    ("inverse", dict(inverse=True, iterations=20), ["--inverse", "--iterations", 20]),
    ("free", {}, ["--avoid-collision"]),
]


@pytest.mark.parametrize("options, flags", [pytest.param(*rest, id=name) for name, *rest in MAP_FILES])
def test_maps_in_files_go_on_and_join(tmp_path, options, flags) -> None:
    arm = limber.Model.load(ARM if "--avoid-collision" in flags else "ur5")
    grid = dict(cell=0.3, orientations=72, **options)
    if "--avoid-collision" in flags:
        grid["collision"] = arm.collision()
    whole = arm.reach_map(**grid)
    path = tmp_path / "map.npy"
    arm.reach_map_file(path, threads=2, **grid)
    complete = path.read_bytes()
    assert (limber.ReachMap.load(path).records == whole.records).all()
    # the program takes it for its own, also in part: nothing is done twice
    theirs = ["workspace", arm.name, "--grid", 0.3, "--orientations", 72, *flags]
    before = path.stat().st_mtime_ns
    run(*theirs, "--output", path)
    assert path.read_bytes() == complete and path.stat().st_mtime_ns == before
    # an end in the middle of a tile: it is decided again, what is decided stays
    lost = bytearray(complete)
    record = whole.records.dtype.itemsize
    lost[-2:] = lost[-40 * record - 2 : -40 * record] = b"\xff\xff"
    path.write_bytes(lost)
    arm.reach_map_file(path, **grid)
    assert path.read_bytes() == complete
    # parts, one of them the program's
    parts = [tmp_path / f"part{i}.npy" for i in (1, 2, 3)]
    arm.reach_map_file(parts[0], part=(1, 3), **grid)
    run(*theirs, "--part", "2/3", "--output", parts[1])
    arm.reach_map_file(parts[2], part=(3, 3), **grid)
    assert sum(part.stat().st_size for part in parts) < len(complete) + 3 * 640
    limber.ReachMap.join(parts, tmp_path / "joined.npy")
    joined = limber.ReachMap.load(tmp_path / "joined.npy")
    assert (tmp_path / "joined.npy").read_bytes() == complete
    assert (joined.counts == whole.counts).all()
    run("merge", *parts, "--output", tmp_path / "merged.npy")
    assert (tmp_path / "merged.npy").read_bytes() == complete
    # without one of them a third is not known
    limber.ReachMap.join(parts[:2], tmp_path / "some.npy")
    some = limber.ReachMap.load(tmp_path / "some.npy")
    known = ~np.isnan(some.share)
    assert 0 < known.sum() < known.size and (some.counts == whole.counts)[known].all()


def test_maps_in_files_are_not_mixed(tmp_path) -> None:
    arm = limber.Model.load("ur5")
    path, out = tmp_path / "map.npy", tmp_path / "out.npy"
    grid: dict = dict(cell=0.5, orientations=72)
    arm.reach_map_file(path, **grid)
    complete = path.read_bytes()
    others: list[tuple[dict, str]] = [
        (dict(cell=0.4), "cell"),
        (dict(contents="bits"), "fields"),
        (dict(tool=[0, 0, 0.1, 1, 0, 0, 0]), "tool"),
        (dict(part=(1, 2)), "part"),
        (dict(collision=arm.collision()), "avoidance"),
    ]
    for other, key in others:
        with pytest.raises(limber.LimberError, match=f"something else: .* differs in .*{key}"):
            arm.reach_map_file(path, **grid | other)
    assert path.read_bytes() == complete
    for part in [(0, 2), (3, 2), (1, 0)]:
        with pytest.raises(ValueError, match="the i-th of n parts"):
            arm.reach_map_file(out, part=part, **grid)
    with pytest.raises(ValueError, match="must end in .npy"):
        arm.reach_map_file(tmp_path / "map.vti", **grid)
    # what is damaged, or is of another map, leaves nothing
    half, changed = tmp_path / "half.npy", tmp_path / "changed.npy"
    arm.reach_map_file(half, part=(1, 2), **grid)
    arm.reach_map_file(changed, **grid)
    damaged = bytearray(half.read_bytes())
    damaged[-64 * 2] ^= 1
    for name, given in (("cut", complete[:-1]), ("damaged", bytes(damaged))):
        (half if name == "damaged" else path).write_bytes(given)
        with pytest.raises(limber.LimberError, match="not the array of|is not as in '"):
            limber.ReachMap.join([half, path], out)
        path.write_bytes(complete)
    arm.reach_map_file(changed, anew=True, cell=0.4, orientations=72)
    with pytest.raises(limber.LimberError, match="changed.npy: a map of something else"):
        limber.ReachMap.join([path, changed], out)
    for about in ('{"part": [2, 1]}', '{"count": 3, "fields": ["reached"], "orientations": 72, "part": 5}', "[]"):
        changed.with_suffix(".json").write_text(about)
        with pytest.raises(limber.LimberError, match="changed.json: does not describe a map"):
            limber.ReachMap.join([changed], out)
    with pytest.raises(ValueError, match="no part is given"):
        limber.ReachMap.join([], out)
    assert sorted(each.name for each in tmp_path.iterdir() if "out" in each.name) == []
    arm.reach_map_file(path, anew=True, tool=[0, 0, 0.1, 1, 0, 0, 0], **grid)
    assert path.read_bytes() != complete
    # nor does a map replace what describes something else
    robot = tmp_path / "robot.json"
    robot.write_text("{}")
    with pytest.raises(limber.LimberError, match="would overwrite '.*robot.json', which is not a map"):
        arm.reach_map_file(robot.with_suffix(".npy"), **grid)
    assert robot.read_text() == "{}" and not robot.with_suffix(".npy").exists()


# ---- places ------------------------------------------------------------------------------------


def test_places_are_listed_alike(tmp_path) -> None:
    targets = [[1, y, 0.3, 0, 1, 0, 0] for y in (-0.3, 0, 0.3)]
    path, out = tmp_path / "targets.npy", tmp_path / "places.npy"
    np.save(path, np.array(targets, float))
    flags = ["--grid", 0.4, "--turns", 2, "--height", 0.1, "--best", 1000000]
    run("place", "ur5", "--targets", path, "--output", out, *flags)
    theirs = np.load(out)
    found = limber.Model.load("ur5").place(targets, cell=0.4, turns=2, height=0.1)
    assert len(theirs) == len(found) and (theirs[:, :3] == found.robot[:, :3, 3]).all()
    assert (theirs[:, 4] == found.reached).all() and (theirs[:, 5] == found.margin).all()
