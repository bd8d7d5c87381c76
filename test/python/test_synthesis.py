"""Four-bars through given poses: the model goes through them, defects are as the list says."""

import limber
import numpy as np
import pytest

POSES = np.array([[0, 0, 0], [1, 0.5, 0.4], [1.6, 1.4, 1.1]])


def plane_pose(matrix):
    return [*matrix[:2, 3], np.arctan2(matrix[1, 0], matrix[0, 0])]


@pytest.mark.parametrize("count", [3, 4, 5])
def test_the_coupler_goes_through_the_poses(count):
    # poses of a linkage, so that five have one, from its own side lengths
    arm = limber.Model.load("four_bar")
    bars = arm.assembly()
    turns = np.zeros((count, arm.nv))
    turns[:, 0] = np.linspace(0, 1, count)
    closed = bars.follow(bars.rest, bars.rest + turns).q
    poses = np.array([plane_pose(m) for m in arm.fk(closed, "coupler")])
    found = limber.synthesize(poses, best=5)
    assert 0 < len(found.four_bars) <= 5 and found.found >= len(found.four_bars)
    assert found.complete == (count == 5)
    for bar in found.four_bars:
        model, q = bar.model(), bar.values(poses)
        np.testing.assert_allclose(q[0], 0, atol=1e-9)
        guided = np.array([plane_pose(m) for m in model.fk(q, "guided")])
        np.testing.assert_allclose(guided, poses, atol=1e-7)
        # both sides keep their lengths, so the loop is closed there
        for dyad in (bar.crank, bar.rocker):
            c, s = np.cos(poses[:, 2]), np.sin(poses[:, 2])
            x = poses[:, 0] + c * dyad.moving[0] - s * dyad.moving[1] - dyad.fixed[0]
            y = poses[:, 1] + s * dyad.moving[0] + c * dyad.moving[1] - dyad.fixed[1]
            np.testing.assert_allclose(np.hypot(x, y), dyad.length, atol=1e-7)


def test_the_best_come_first():
    found = limber.synthesize(POSES, best=1000)
    assert len(found.four_bars) == found.found
    marks = [(bar.in_order, bar.on_one_branch, bar.transmission) for bar in found.four_bars]
    assert marks == sorted(marks, reverse=True)
    assert found.four_bars[:3] == limber.synthesize(POSES, best=3).four_bars
    near = limber.synthesize(POSES, samples=3, near_x=0.5, near_y=-0.2)
    assert near.four_bars != found.four_bars[:10]


def test_what_is_refused():
    with pytest.raises(limber.LimberError):
        limber.synthesize(POSES[:2])
    with pytest.raises(limber.LimberError):
        limber.synthesize([[0, 0, 0], [1, 0, 0], [2, 1, 0]])
    with pytest.raises(ValueError, match="best"):
        limber.synthesize(POSES, best=0)
    with pytest.raises(TypeError, match="samples"):
        limber.synthesize(POSES, sample=3)
