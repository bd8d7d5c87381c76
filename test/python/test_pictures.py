"""Pictures of motion and of maps, what two links reach, what a task constrains."""

import os
import subprocess
import xml.etree.ElementTree as ElementTree

import limber
import numpy as np
import pytest


@pytest.fixture(scope="module")
def walk():
    return limber.Clip.walk(limber.Model.load("human").with_root("floating"), cycles=2)


def tilted(walk, angle: float):
    """A walk and its contacts, turned as a whole about y by an angle, and the ground's normal then."""
    clip, feet = walk
    turn = np.array([np.cos(angle / 2), 0, np.sin(angle / 2), 0])
    matrix = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
    keys = clip.keys.copy()
    keys[:, :3] = keys[:, :3] @ matrix.T
    w, v = keys[:, 3:4].copy(), keys[:, 4:7].copy()
    keys[:, 3:4] = turn[0] * w - v @ turn[1:, None]
    keys[:, 4:7] = turn[0] * v + w * turn[1:] + np.cross(turn[1:], v)
    return limber.Clip.make(clip.model, clip.times, keys), feet, matrix[:, 2]


def lines_at_a_slope(path, slope: float) -> int:
    """Straight lines of a figure that fall by this for each point to the right."""
    found = 0
    for node in ElementTree.parse(path).iter():
        numbers = [float(part) for part in node.get("d", "").replace("M", "").replace("L", "").split()
                   if part not in ("Z", "C")] if node.tag.endswith("path") else []
        if len(numbers) == 4 and abs(numbers[2] - numbers[0]) > 20:
            found += abs((numbers[3] - numbers[1]) / (numbers[2] - numbers[0]) - slope) < 1e-3
    return found


def glyphs(path) -> int:
    """How many letters a figure shows: each refers to its outline."""
    return sum(node.tag.endswith("}use") for node in ElementTree.parse(path).iter())


@pytest.mark.parametrize("angle", [-0.2, 0.0, 0.15])
def test_the_ground_is_found_where_points_rest(walk, angle) -> None:
    clip, feet, normal = tilted(walk, angle)
    found = feet.find_ground(clip)
    assert np.linalg.norm(found) == pytest.approx(1, abs=1e-12)
    # the walk is metres long, and its feet are two decimetres apart: half a millimetre there is 0.003
    assert np.allclose(found[[0, 2]], normal[[0, 2]], atol=1e-4) and abs(found[1]) < 4e-3


def test_strips_have_the_slope_of_their_contacts(walk, tmp_path) -> None:
    clip, feet, normal = tilted(walk, 0.15)
    found, given, level = (tmp_path / name for name in ("found.svg", "given.svg", "level.svg"))
    side = {"azimuth": -np.pi / 2, "elevation": 0.0, "frames": 4, "contacts": feet}
    clip.draw(found, **side)
    clip.draw(given, ground_normal=5 * normal, **side)
    clip.draw(level, ground_normal=[0, 0, 1], **side)
    # a slope that falls along x by tan(0.15) falls on the page
    assert lines_at_a_slope(found, np.tan(0.15)) == lines_at_a_slope(given, np.tan(0.15)) == 4
    assert lines_at_a_slope(level, np.tan(0.15)) == 0
    with pytest.raises(limber.LimberError, match="60 degrees"):
        clip.draw(level, ground_normal=[1, 0, 0])


def test_motions_below_each_other(walk, tmp_path) -> None:
    clip, feet = walk
    alone, both, same = (tmp_path / name for name in ("alone.svg", "both.svg", "same.svg"))
    clip.draw(alone, contacts=feet)
    clip.draw(both, contacts=feet, below=limber.StripRow(clip, feet, "again"))
    clip.draw(same, contacts=feet, below=[limber.StripRow(clip, feet, "again")])
    assert both.read_bytes() == same.read_bytes() != alone.read_bytes()
    height = [float(ElementTree.parse(p).getroot().get("height").rstrip("pt")) for p in (alone, both)]
    assert height[1] > 1.5 * height[0]
    clip.draw(same, contacts=feet, below=limber.StripRow(clip, feet))
    # one glyph for each letter of the label
    assert glyphs(both) == glyphs(same) + len("again")
    clip.draw(same, below=[clip] * 7)
    with pytest.raises(ValueError, match="8 motions; 7 at most"):
        clip.draw(same, below=[clip] * 8)
    with pytest.raises(TypeError, match="clip: a Clip is needed"):
        clip.draw(same, below=["walk"])


def test_paths_of_links(walk, tmp_path) -> None:
    clip, _ = walk
    clip.draw(tmp_path / "without.svg", overlaid=True)
    clip.draw(tmp_path / "with.svg", overlaid=True, paths=["left_toe", "head"])
    assert (tmp_path / "with.svg").read_bytes() != (tmp_path / "without.svg").read_bytes()
    with pytest.raises(limber.LimberError, match="did you mean 'left_toe'"):
        clip.draw(tmp_path / "with.svg", overlaid=True, paths=["left_to"])
    with pytest.raises(ValueError, match="9 links; 8 at most"):
        clip.draw(tmp_path / "with.svg", overlaid=True, paths=["head"] * 9)


def test_animations(walk, tmp_path) -> None:
    clip, feet = walk
    for path, frames in (("usual.svg", None), ("given.svg", 25)):
        clip.animate(tmp_path / path, frames, feet, begin=0.4, end=1.2)
    # 30 moments a second
    assert (tmp_path / "usual.svg").read_bytes() == (tmp_path / "given.svg").read_bytes()
    moves = ElementTree.parse(tmp_path / "usual.svg").iter("{http://www.w3.org/2000/svg}animate")
    assert {node.get("dur") for node in moves} == {"0.8s"}
    clip.animate(tmp_path / "two.svg", feet and 10, below=clip)
    with pytest.raises(limber.LimberError, match="must end in .svg"):
        clip.animate(tmp_path / "walk.png")


def test_maps_are_drawn(tmp_path) -> None:
    arm = limber.Model.load("ur5")
    found = arm.reach_map("tool0", cell=0.2, orientations=72, contents=["solutions"])
    pictures = {}
    for name, options in {
        "slices": {},
        "slice": {"slice": ("y", 0.0)},
        "other": {"slice": ("x", 0.4)},
        "shell": {"shell": 0.5},
        "turned": {"shell": 0.5, "azimuth": 1.0, "elevation": 0.3},
        "solutions": {"field": "solutions"},
    }.items():
        found.draw(tmp_path / f"{name}.svg", title=name, **options)
        pictures[name] = (tmp_path / f"{name}.svg").read_bytes()
    assert len(set(pictures.values())) == len(pictures)
    assert found._repr_svg_().startswith("<?xml")
    with pytest.raises(ValueError, match="contents='manipulability' keeps it"):
        found.draw(tmp_path / "none.svg", "manipulability")
    with pytest.raises(ValueError, match="'height' is none of reached"):
        found.draw(tmp_path / "none.svg", "height")
    with pytest.raises(ValueError, match="'w' is none of x, y, z"):
        found.draw(tmp_path / "none.svg", slice=("w", 0))
    with pytest.raises(ValueError, match="both"):
        found.draw(tmp_path / "none.svg", slice=("x", 0), shell=0.5)
    with pytest.raises(limber.LimberError):
        found.draw(tmp_path / "none.svg", slice=("x", 9))
    assert not (tmp_path / "none.svg").exists()


def test_the_program_draws_the_same_map(tmp_path, monkeypatch) -> None:
    program = os.environ.get("LIMBER_PROGRAM")
    if not program:
        pytest.skip("LIMBER_PROGRAM is not set")
    monkeypatch.chdir(tmp_path)
    grid = ["workspace", "ur5", "--tip", "tool0", "--grid", "0.3", "--orientations", "72", "--output", "m.npy"]
    subprocess.run([program, *grid], check=True, capture_output=True)
    subprocess.run([program, "draw", "m.npy", "--slice", "z=0.1", "--title", "t", "--output", "c.svg"], check=True)
    limber.ReachMap.load("m.npy").draw("p.svg", slice=("z", 0.1), title="t")
    assert (tmp_path / "c.svg").read_bytes() == (tmp_path / "p.svg").read_bytes()


def test_what_two_links_reach() -> None:
    arm = limber.Model.load("planar2")
    ring = arm.planar_reach(limber.Task("tip", "position"))
    rng = np.random.default_rng(3)
    points = rng.uniform(-2.5, 2.5, (200, 2))
    lengths = np.linalg.norm(points, axis=1)
    assert (ring.reaches(points) == (lengths <= ring.outer)).all()
    assert (ring.inner, ring.outer) == (abs(ring.first - ring.second), ring.first + ring.second)
    assert limber.Model.load("ur5").planar_reach(limber.Task("tool0")) is None
    with pytest.raises(limber.LimberError, match="links 0 to 3, not 99"):
        arm.planar_reach(limber.Task(99))

    # angles by which it arrives, or comes as near as it can; both bends
    for bend in (1, -1):
        angles, miss = limber.two_link(1.0, 0.6, points, bend=bend)
        total = angles.sum(axis=1)
        end = np.stack([np.cos(angles[:, 0]) + 0.6 * np.cos(total),
                        np.sin(angles[:, 0]) + 0.6 * np.sin(total)], axis=1)
        assert np.allclose(np.linalg.norm(end - points, axis=1), np.abs(miss), atol=1e-12)
        assert np.allclose(miss, np.maximum(lengths - 1.6, 0) - np.maximum(0.4 - lengths, 0), atol=1e-12)
        assert (bend * angles[:, 1] >= 0).all()


def test_what_a_task_constrains() -> None:
    arm = limber.Model.load("panda")
    free = limber.Task("panda_hand", free_position="xy")
    assert arm.mobility(limber.Task("panda_hand", "position")).constraints == 3
    assert arm.mobility(free, arm.neutral, arm.fk(arm.neutral, "panda_hand")).constraints == 4
    locked = arm.with_locks(["panda_joint1"])
    assert locked.mobility(limber.Task("panda_hand")) == (6, 6, 6)
    # the errors are those of a solver's result
    q = arm.random(1, seed=4)[0]
    target = arm.fk(arm.random(1, seed=5)[0], "panda_hand")
    position, rotation = arm.task_error(limber.Task("panda_hand"), q, target)
    here = arm.fk(q, "panda_hand")
    cosine = (np.trace(here[:3, :3].T @ target[:3, :3]) - 1) / 2
    assert position == pytest.approx(np.linalg.norm(here[:3, 3] - target[:3, 3]), abs=1e-12)
    assert rotation == pytest.approx(np.arccos(cosine), abs=1e-9)
    assert arm.task_error(limber.Task("panda_hand"), q, here) == (0, pytest.approx(0, abs=1e-7))
