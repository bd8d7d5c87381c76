"""Arms of two bones or links, any number at once, and cyclic descent on bones in the plane."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import ArrayLike, Floats, columns, common_lead, contiguous, rows, vector
from ._ik_result import Progress
from ._values import compared_by_parts

TWO_BONE = np.dtype(_core.TWO_BONE)


@compared_by_parts
class TwoBone(NamedTuple):
    """Corrections of both joints, quaternions w x y z in their own axes, and what arrives."""

    start: Floats
    middle: Floats
    reached: Any


def two_bone(
    start: ArrayLike,
    middle: ArrayLike,
    end: ArrayLike,
    target: ArrayLike,
    *,
    bend_axis: ArrayLike = (0, 0, 0),
    pole: ArrayLike = (0, 0, 0),
    twist: ArrayLike = 0.0,
    soft: ArrayLike = 1.0,
    weight: ArrayLike = 1.0,
) -> TwoBone:
    """Rotations of shoulder and elbow that bring the hand to its target.

    Parameters
    ----------
    start, middle, end : array_like
        Where the joints are now: T_frame_joint, ``(4, 4)`` or ``(N, 4, 4)``, or poses ``(N, 7)``.
    target : array_like
        Where the end's origin is to be, ``(3,)`` or ``(N, 3)``, in the same frame.
    bend_axis : array_like
        In the middle joint's axes, what it bends about; 0: the normal of the bones' plane.
    pole : array_like
        The direction that the middle joint points in; 0: the shortest rotation.
    twist, soft, weight : array_like
        Radians about the line to the target; the share of the length from which on the arm
        stretches slowly; the share of the correction.

    Returns
    -------
    TwoBone
        ``(N, 4)``, to be multiplied from the right onto each joint's local rotation.

    Examples
    --------
    >>> import limber
    >>> poses = [[x, 0, 0, 1, 0, 0, 0] for x in (0, 1, 2)]
    >>> found = limber.two_bone(*poses, target=[1, 1, 0], bend_axis=[0, 0, 1])
    >>> found.reached, found.middle.round(4)
    (True, array([0.7071, 0.    , 0.    , 0.7071]))
    """
    joints = {"start": start, "middle": middle, "end": end}
    vectors = {"target": target, "bend_axis": bend_axis, "pole": pole}
    numbers = {"twist": twist, "soft": soft, "weight": weight}
    given = {name: rows(columns(value, name), (4, 3), name) for name, value in joints.items()}
    given |= {name: rows(value, (3,), name) for name, value in vectors.items()}
    given |= {name: rows(value, (), name) for name, value in numbers.items()}
    lead = common_lead(*given.values())
    arms = np.zeros(lead, TWO_BONE)
    for name, each in given.items():
        arms[name] = each.flat.reshape(each.lead + each.flat.shape[1:])
    made = np.empty((*lead, 4)), np.empty((*lead, 4)), np.empty(lead, np.bool_)
    _core.two_bone(arms, *made)
    return TwoBone(*made) if lead else TwoBone(made[0], made[1], bool(made[2]))


@compared_by_parts
class TwoLink(NamedTuple):
    """Angles ``(..., 2)`` of an arm in a plane, and how far each target is out of its reach."""

    angles: Floats
    miss: Any


def two_link(first: float, second: float, target: ArrayLike, *, bend: int = 1) -> TwoLink:
    """Angles that bring the end of a planar arm of two links to points ``(..., 2)``.

    The base is at the origin, `first` and `second` are the links' lengths. The first angle is
    against the x axis, the second against the first link; with `bend` of 1 it is 0 or more (the
    elbow bends to the left), with -1 the other solution is taken.

    `miss` is 0 where the end arrives, positive by how much a target is too far, negative by how much
    too near: then the angles are those of the nearest point that is reached.

    Examples
    --------
    >>> import limber, numpy
    >>> numpy.degrees(limber.two_link(1, 1, [1, 1]).angles).round(6)
    array([ 0., 90.])
    >>> limber.two_link(2, 1, [[4, 0], [0, 0.5]]).miss
    array([ 1. , -0.5])
    """
    given = rows(target, (2,), "target")
    angles, misses = np.empty((given.count, 2)), np.empty(given.count)
    _core.two_link(first, second, bend, contiguous(given.flat), angles, misses)
    made = angles.reshape((*given.lead, 2)), misses.reshape(given.lead)
    return TwoLink(*made) if given.lead else TwoLink(made[0], float(made[1]))


@compared_by_parts
class BonesStep(NamedTuple):
    """What a sweep achieved, and the bones after it."""

    progress: Progress
    bones: Floats


def bones_step(
    bones: ArrayLike, target: ArrayLike, *, arrival: float = 0.01, nudge: float = 0.1
) -> BonesStep:
    """One sweep of cyclic coordinate descent on a row of bones in the plane (Juckett 2009).

    Parameters
    ----------
    bones : array_like
        ``(N, 3)``: of each its origin x, y in the axes of the bone before it, and its angle
        against that bone. The end is the origin of the last one.
    target : array_like
        x, y.
    arrival : float
        How near the end must come.
    nudge : float
        Radians by which bones are bent that are stuck though the lengths allow the target; 0: plain
        descent, which stays there.

    Examples
    --------
    >>> import limber
    >>> straight = [[0, 0, 0], [2, 0, 0], [1, 0, 0]]
    >>> limber.bones_step(straight, [1.6, 0], nudge=0).bones[:, 2].round(4)
    array([0.    , 3.1416, 0.    ])
    """
    made = contiguous(rows(bones, (3,), "bones").flat).copy()
    if len(made) == 0:
        raise ValueError("bones: at least one is wanted")
    x, y = vector(target, 2, "target")
    progress = _core.bones_step(made, x, y, arrival, nudge)
    return BonesStep(Progress(progress), made)
