"""Linkages that close, from Python: against geometry, forward kinematics and the program."""

import json
import os
import subprocess

import limber
import numpy as np
import pytest
from limber import _core

LINKAGE = limber.Model.load("four_bar")
ASSEMBLY = LINKAGE.assembly()


def loop_errors(model: limber.Model, q: np.ndarray) -> np.ndarray:
    """How far the frames of each loop are apart: of a hinge origins and axes."""
    worst = np.zeros(len(q))
    for loop in model.loops:
        a = model.fk(q, loop.first) @ loop.first_frame
        b = model.fk(q, loop.second) @ loop.second_frame
        worst = np.maximum(worst, np.linalg.norm(a[:, :3, 3] - b[:, :3, 3], axis=1))
        if loop.kind == "hinge":
            worst = np.maximum(worst, np.linalg.norm(np.cross(a[:, :3, 2], b[:, :3, 2]), axis=1))
    return worst


def turned(count: int, turns: float) -> np.ndarray:
    to = np.tile(ASSEMBLY.rest, (count, 1))
    to[:, ASSEMBLY.independent[0]] += np.linspace(0, 2 * np.pi * turns, count)
    return to


def test_what_a_model_says_of_its_loops() -> None:
    assert [loop.kind for loop in LINKAGE.loops] == ["hinge"]
    assert limber.Model.load("panda").loops == ()
    assert ASSEMBLY.mobility == limber.LoopMobility(True, 3, 5, 2, 2, -2, 1)
    assert (len(ASSEMBLY.independent), len(ASSEMBLY.dependent), len(ASSEMBLY.redundant)) == (1, 2, 3)
    # a joint that is wanted as drive is independent
    rocker = LINKAGE.assembly(drives=[LINKAGE.joints[-1].name])
    assert rocker.independent == (LINKAGE.joints[-1].v_index,)
    with pytest.raises(limber.LimberError, match="crnk"):
        LINKAGE.assembly(["crnk"])


def test_outcomes_are_those_of_the_library() -> None:
    names = [each.name.lower().replace("_", " ") for each in limber.AssemblyOutcome]
    names[limber.AssemblyOutcome.OPEN] = "cannot assemble"
    assert tuple(names) == _core.ASSEMBLY_OUTCOMES


def test_a_turn_of_the_crank_stays_closed_and_ends_where_it_began() -> None:
    to = turned(200, 1)
    found = ASSEMBLY.follow(ASSEMBLY.rest, to)
    assert (found.outcome == limber.AssemblyOutcome.ASSEMBLED).all() and (found.fraction == 1).all()
    crank = ASSEMBLY.independent[0]
    assert (found.q[:, crank] == to[:, crank]).all()
    assert loop_errors(LINKAGE, found.q).max() < 1e-12
    # joints that are continuous have turned, too
    turns = (found.q[-1] - found.q[0]) / (2 * np.pi)
    assert turns[crank] == 1 and np.abs(turns - turns.round()).max() < 1e-10
    # one row is one of many, and where it ends does not depend on the rows between
    alone = ASSEMBLY.follow(ASSEMBLY.rest, to[60])
    assert alone.outcome is limber.AssemblyOutcome.ASSEMBLED
    assert np.abs(alone.q - found.q[60]).max() < 1e-11


def test_velocities_are_differences() -> None:
    rows = ASSEMBLY.follow(ASSEMBLY.rest, turned(40, 1)).q
    E = ASSEMBLY.velocities(rows)
    step = np.zeros(3)
    step[ASSEMBLY.independent[0]] = 1e-5
    for q, e in zip(rows, E):
        near = [ASSEMBLY.follow(q, q + sign * step).q for sign in (-1, 1)]
        assert np.abs((near[1] - near[0]) / 2e-5 - e[:, 0]).max() < 1e-7
    assert np.isnan(ASSEMBLY.velocities(ASSEMBLY.rest + [0.3, 0, 0])).all()


def test_a_rocker_stops_at_its_dead_point_and_goes_on_from_there() -> None:
    rocker = LINKAGE.assembly([LINKAGE.joints[-1].name])
    v = rocker.independent[0]
    to = np.tile(rocker.rest, (4, 1))
    to[:, v] += [1.0, 3.0, 3.0, 0.0]
    found = rocker.follow(rocker.rest, to)
    outcomes = [limber.AssemblyOutcome(each).name for each in found.outcome]
    assert "DEAD_POINT" in outcomes[:3]
    assert loop_errors(LINKAGE, found.q).max() < 1e-9
    assert (found.q[1] == found.q[2]).all() or found.outcome[1] != limber.AssemblyOutcome.DEAD_POINT


def test_all_assemblies_of_a_four_bar_are_its_two_elbows() -> None:
    for q in ASSEMBLY.follow(ASSEMBLY.rest, turned(7, 1)).q:
        found = ASSEMBLY.all(q)
        assert found.complete and found.q.shape == (2, 3)
        assert loop_errors(LINKAGE, found.q).max() < 1e-12
        assert np.abs(found.q - q).max(axis=1).min() < 1e-9
        assert np.abs(found.q[0] - found.q[1]).max() > 0.1
    with pytest.raises(ValueError, match="must be finite"):
        ASSEMBLY.all([1, np.nan, 0])
    with pytest.raises(ValueError, match="groups of two, four or six"):
        scissors = limber.Model.load("scissors")
        scissors.assembly().all(scissors.neutral)


def test_all_assemblies_of_a_platform_have_the_legs_lengths() -> None:
    stewart = limber.Model.load("stewart")
    legs = [joint.q_index for joint in stewart.joints if joint.kind == "prismatic"]
    q = np.array(stewart.neutral)
    q[legs] += [0.03, -0.02, 0.01, 0.05, 0.0, -0.04]
    found = stewart.assembly().all(q)
    assert found.complete and len(found.q) == 8
    assert (found.q[:, legs] == q[legs]).all()
    assert loop_errors(stewart, found.q).max() < 1e-11
    places = stewart.fk(found.q, "platform")[:, :3, 3]
    assert min(np.linalg.norm(a - b) for i, a in enumerate(places) for b in places[:i]) > 1e-3


def test_inverse_kinematics_keeps_loops_closed() -> None:
    rows = ASSEMBLY.follow(ASSEMBLY.rest, turned(20, 1)).q
    tool = np.eye(4)
    tool[0, 3] = 2.5
    ik = LINKAGE.ik("rocker", kind="position", tool=tool)
    targets = LINKAGE.fk(rows, "rocker")[:, :3, :] @ np.array([2.5, 0, 0, 1.0])
    found = ik.solve(targets)
    assert found.reached.all()
    assert loop_errors(LINKAGE, found.q).max() < 1e-11


def test_close_finds_a_closed_configuration_nearby() -> None:
    rows = ASSEMBLY.follow(ASSEMBLY.rest, turned(50, 1)).q
    moved = rows + np.random.default_rng(1).uniform(-0.05, 0.05, rows.shape)
    found = ASSEMBLY.close(moved)
    assert (found.outcome == 0).all() and loop_errors(LINKAGE, found.q).max() < 1e-11
    assert np.abs(found.q - rows).max() < 0.5
    invalid = ASSEMBLY.close([np.nan, 0, 2])
    assert invalid.outcome is limber.AssemblyOutcome.INVALID
    np.testing.assert_array_equal(invalid.q, [np.nan, 0, 2])


def test_the_program_says_the_same() -> None:
    program = os.environ.get("LIMBER_PROGRAM", "limber")
    run = subprocess.run([program, "info", "four_bar", "--json"], check=True, capture_output=True, text=True)
    said = json.loads(run.stdout)["loops"]
    names = {joint.v_index: joint.name for joint in LINKAGE.joints}
    assert said["mobility"] == ASSEMBLY.mobility.found and said["rank"] == ASSEMBLY.mobility.rank
    assert said["independent"] == [names[v] for v in ASSEMBLY.independent]
    assert said["dependent"] == [names[v] for v in ASSEMBLY.dependent]
    assert len(said["redundant"]) == len(ASSEMBLY.redundant)


def test_what_keeps_no_loop_closed_refuses() -> None:
    ik = LINKAGE.ik("coupler", kind="position")
    for refused in (
        lambda: ik.solutions([0.3, 0.2, 0.0]),
        lambda: limber.Servo(LINKAGE),
        lambda: LINKAGE.elbow("coupler"),
    ):
        with pytest.raises(limber.LimberError, match="loop 'elbow'"):
            refused()


def test_a_check_measures_open_loops() -> None:
    closed = ASSEMBLY.follow(ASSEMBLY.rest, turned(50, 1)).q
    times = np.arange(len(closed))
    found = limber.Clip.make(LINKAGE, times, closed).check(contacts=False)
    assert found.items["open"].worst < 1e-12 and "open" not in found.unknown
    closed[7, -1] += 0.01
    found = limber.Clip.make(LINKAGE, times, closed).check(contacts=False)
    assert "open" in found.failed and found.values["open"].argmax() == 7
    # 2.5 m turned by 0.01, as a share of the bars of 9.5 m
    assert found.items["open"].worst == pytest.approx(0.025 / 9.5, rel=0.3)
    arm = limber.Model.load("planar2")
    assert "open" in limber.Clip.make(arm, [0, 1], [[0, 0], [1, 1]]).check(contacts=False).unknown


def test_loops_are_read_beside_a_urdf(tmp_path) -> None:
    """By the URDF's own name, or named; the motor stays independent."""
    urdf = tmp_path / "bars.urdf"
    link, joint = "<link name='{}'/>", (
        "<joint name='{}' type='continuous'><parent link='a'/><child link='{}'/></joint>"
    )
    parts = "".join(map(link.format, "abc")) + joint.format("ab", "b") + joint.format("ac", "c")
    urdf.write_text(f"<robot name='r'>{parts}</robot>")
    assert limber.Model.load(urdf).loops == ()
    named = tmp_path / "other.yaml"
    named.write_text("closed_loop: [[b, c]]\nname_mot: [ac]\n")
    try:
        model = limber.Model.load(urdf, loops=named)
    except limber.LimberError as error:
        assert "without libyaml" in str(error)
        return
    assert [loop.kind for loop in model.loops] == ["weld"]
    assert model.assembly().independent == (model.joints[model.joint_index("ac")].v_index,)
    named.rename(tmp_path / "bars.yaml")
    assert len(limber.Model.load(urdf).loops) == 1
