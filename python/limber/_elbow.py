"""The free motion of an arm of seven joints: its elbow's circle, a joint's values, or arcs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import ARC, ArrayLike, Floats, PoseLike, transform
from ._task import Task
from ._values import Unchanging

if TYPE_CHECKING:
    from ._model import Model


class Elbow(Unchanging):
    """Every configuration of an arm of seven joints for a pose.

    Each is one of eight branches at an angle, in closed form: that of the elbow where shoulder and
    wrist are spherical, or the value of the last or the first joint (Panda, FR3, Fetch, TIAGo). Of
    any other arm of seven turning joints arcs are followed: each is a branch, its angle is the
    length of the way along it, and what was found is listed. Made by :meth:`Model.elbow`.

    Examples
    --------
    >>> import limber
    >>> arm = limber.Model.load("iiwa14")
    >>> elbow = arm.elbow()
    >>> target = arm.fk([0.1, 0.7, 0.2, -1.2, 0.3, 0.9, 0], arm.tips[0])
    >>> elbow.measure
    'elbow'
    >>> q, best = elbow.best(target, "margin")
    >>> best["outcome"], round(best["value"], 3) > 0.4
    ('reached', True)
    """

    model: Model
    task: Task
    _native: _core.Elbow

    def __init__(self, model: Model, task: Task) -> None:
        native = _core.Elbow(model.native, task.fields(model))
        self._set(model=model, task=task, _native=native)

    def __reduce__(self) -> tuple[Any, ...]:
        return Elbow, (self.model, self.task)

    @property
    def joint(self) -> str | None:
        """The joint whose value the angle is; None: `measure` says what else."""
        index = self._native.joint
        return self.model.joints[index].name if index >= 0 else None

    @property
    def measure(self) -> Literal["elbow", "joint", "length"]:
        """What an angle is: that of the elbow, a joint's value, or the length along an arc."""
        index = self._native.joint
        return "joint" if index >= 0 else "elbow" if index == -1 else "length"

    def arcs(self, target: ArrayLike, start: PoseLike | None = None) -> npt.NDArray[Any]:
        """The angles that keep the limits: records of branch, begin and end, radians.

        Locked joints are where `start` has them, by default where the neutral configuration does.
        """
        found = np.empty(_core.ARCS_MAX, ARC)
        count = self._native.arcs(self._target(target), self._start(start), found)
        if count < 0:
            raise ValueError(
                "target: no rigid transform, or the wrist is in the shoulder; "
                "or start: it is not finite, or its locked joints leave no such arm"
            )
        return found[:count].copy()

    def at(
        self, target: ArrayLike, branch: int, angle: float, start: PoseLike | None = None
    ) -> tuple[Floats, str]:
        """The configuration of a branch at an elbow angle, and the outcome."""
        q = np.empty(self.model.nq)
        outcome = self._native.at(self._target(target), branch, angle, self._start(start), q)
        return q, _core.OUTCOMES[outcome]

    def best(
        self,
        target: ArrayLike,
        goal: Literal["nearest", "margin", "manipulability"] = "nearest",
        start: PoseLike | None = None,
    ) -> tuple[Floats, dict[str, Any]]:
        """The best found of all branches and angles: q, and its branch, angle, value and errors."""
        q = np.empty(self.model.nq)
        found = self._native.best(self._target(target), {"goal": goal}, self._start(start), q)
        return q, found

    def _target(self, target: ArrayLike) -> Floats:
        return transform(target, "target")

    def _start(self, start: PoseLike | None) -> Floats | None:
        return self.model.optional_pose(start, "start")

    def __repr__(self) -> str:
        return f"Elbow({self.model.name!r}, {self.model.link_name(self.task.tip)!r})"
