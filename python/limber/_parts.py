"""Small things beside a model."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import Floats
from ._errors import LimberError, LimberWarning
from ._structure import Structure
from ._values import Equal, compared_by_parts

Locks = Sequence[str | int] | Mapping[str | int, float]


class Random:
    """The library's generator of random numbers: the same on every machine for a seed.

    Give the same object to several calls of :meth:`Model.random` to go on where the last ended.
    """

    def __init__(self, seed: int = 0) -> None:
        self.state = _core.random_state(seed)


@compared_by_parts
class Singularity(NamedTuple):
    """Singular values of a Jacobian, and what follows from them; of several rows arrays of each."""

    rank: Any
    condition: Any
    manipulability: Any
    values: Floats
    weakest: Floats


class Mobility(NamedTuple):
    """Joints that move a tool, their velocities, and the directions that a task constrains."""

    joints: int
    velocities: int
    constraints: int


@dataclass(frozen=True, eq=False)
class JointSetting(Equal):
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
        Per second squared and to the third: bounds of :meth:`Clip.timed` and :class:`Servo`.
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

    def fields(self, model: Structure) -> dict[str, Any]:
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


def setting_fields(settings: Iterable[JointSetting], model: Structure) -> list[dict[str, Any]]:
    """The fields of settings that were given, or a TypeError."""
    given = list(settings)
    for setting in given:
        need(setting, JointSetting, "joints", "limber.JointSetting(joint, ...) makes one")
    return [setting.fields(model) for setting in given]


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
