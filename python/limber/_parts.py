"""What a model consists of, and small things beside it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import Floats, one_matrix
from ._errors import LimberError, LimberWarning

if TYPE_CHECKING:
    from ._model import Model


Locks = Sequence[str | int] | Mapping[str | int, float]


class Random:
    """The library's generator of random numbers: the same on every machine for a seed.

    Give the same object to several calls of :meth:`Model.random` to go on where the last ended.
    """

    def __init__(self, seed: int = 0) -> None:
        self.state = _core.random_state(seed)


@dataclass(frozen=True)
class Joint:
    """A joint: it moves link `child` against link `parent`.

    `q_index` is where its `nq` values begin in a configuration, `v_index` where its `nv` begin in
    a velocity; -1 of fixed joints. Of a ball, `lower` and `upper` are limits of twist and swing.
    """

    index: int
    name: str
    parent: str
    child: str
    kind: str
    placement: Floats = field(repr=False)
    axis: tuple[float, ...] = field(repr=False)
    axis2: tuple[float, ...] = field(repr=False)
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    value: tuple[float, ...] = field(repr=False)
    weight: float = field(repr=False)
    locked: bool = field(repr=False)
    mimic: str | None = field(repr=False)
    multiplier: float = field(repr=False)
    offset: float = field(repr=False)
    velocity: float = field(repr=False)
    effort: float = field(repr=False)
    q_index: int = field(repr=False)
    v_index: int = field(repr=False)
    nq: int = field(repr=False)
    nv: int = field(repr=False)


@dataclass(frozen=True)
class Link:
    """A rigid part.

    `parent` is the index of the link before it, -1 of the root. `bone` is what it is in a human
    figure, by VRM's names, or None.
    """

    index: int
    name: str
    parent: int
    bone: str | None = field(repr=False)
    mass: float = field(repr=False)
    center: tuple[float, ...] = field(repr=False)
    inertia: tuple[float, ...] = field(repr=False)
    visual_count: int = field(repr=False)
    data_offset: Floats = field(repr=False)


class Singularity(NamedTuple):
    """Singular values of a Jacobian, and what follows from them."""

    rank: int
    condition: float
    manipulability: float
    values: Floats
    weakest: Floats


class Mobility(NamedTuple):
    """Joints that move a tool, their velocities, and the directions that a task constrains."""

    joints: int
    velocities: int
    constraints: int


@dataclass(frozen=True)
class JointSetting:
    """What one solver changes of a joint; what is left out stays as it is in the model.

    Attributes
    ----------
    joint : str or int
    locked : bool
        Inverse kinematics keeps its value.
    value : float or None
        Of a locked joint where it is kept; None: where the start has it.
    lower, upper : float, sequence of float, or None
        Narrow the limits: of joints of several values up to three numbers.
    weight : float or None
        A joint of weight 2 moves half as far as one of weight 1.
    velocity : float or None
        At most the model's counts.
    acceleration, jerk : float or None
        Per second squared and to the third: bounds of :meth:`Clip.timed`, and of nothing else.
    """

    joint: str | int
    locked: bool = False
    value: float | None = None
    lower: float | Sequence[float] | None = None
    upper: float | Sequence[float] | None = None
    weight: float | None = None
    velocity: float | None = None
    acceleration: float | None = None
    jerk: float | None = None

    def fields(self, model: Model) -> dict[str, Any]:
        """As the extension reads it."""
        made: dict[str, Any] = {"joint": model.joint_index(self.joint), "locked": self.locked}
        for name in ("value", "weight", "velocity", "acceleration", "jerk"):
            if getattr(self, name) is not None:
                made[name] = float(getattr(self, name))
        for name, none in (("lower", -np.inf), ("upper", np.inf)):
            given = getattr(self, name)
            if given is not None:
                numbers = np.full(3, none)
                numbers[: np.size(given)] = given
                made[name] = numbers
        return made


def make_joint(index: int, fields: dict[str, Any]) -> Joint:
    """A joint from what the extension gives."""
    count = {"ball": 2, "floating": 3}.get(fields["kind"], fields["nq"] or 1)
    for name in ("lower", "upper"):
        fields[name] = fields[name][:count]
    fields["value"] = fields["value"][: fields["nq"]]
    fields["placement"] = one_matrix(fields["placement"])
    return Joint(index=index, **fields)


def make_link(index: int, fields: dict[str, Any]) -> Link:
    """A link from what the extension gives."""
    fields["data_offset"] = one_matrix(fields["data_offset"])
    return Link(index=index, **fields)


def warn_of(found: list[tuple[str, int, str]]) -> None:
    """Warnings of a file as Python's, of the line that called this package."""
    if not found:
        return
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    for path, line, message in found:
        text = str(LimberError(message, path, line))
        warnings.warn(text, LimberWarning, stacklevel=level)


def need(value: object, kind: type, what: str, remedy: str, name: str | None = None) -> None:
    """A TypeError that names the argument where it is not of this kind, or of what users call `name`."""
    if not isinstance(value, kind):
        given = f"{type(value).__name__} {value!r}" if isinstance(value, str) else type(value).__name__
        raise TypeError(f"{what}: a {name or kind.__name__} is needed, not {given}; {remedy}")
