"""Inverse kinematics of a model: one tip, several, a whole body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ._arrays import ArrayLike, vector
from ._body import Body, BodyTask
from ._elbow import Elbow
from ._ik import Ik, Protocol, compare
from ._ik_result import IkResult
from ._parts import JointSetting, Locks
from ._structure import Structure
from ._task import Task, TaskKind


class Solving(Structure):
    """The solvers that are made for a model."""

    def ik(
        self,
        tip: str | int | None = None,
        protocol: Protocol = "nearest",
        *,
        kind: TaskKind = "pose",
        base: str | int | None = None,
        tool: ArrayLike | None = None,
        free_axis: ArrayLike | None = None,
        free_position: str = "",
        tasks: Sequence[Task] | None = None,
        method: str = "lm",
        locks: Locks = (),
        position_tolerance: float | None = None,
        rotation_tolerance: float | None = None,
        iterations: int | None = None,
        seed: int | None = None,
        seeds: int | None = None,
        length: float | None = None,
        damping: float | None = None,
        step_limit: float | None = None,
        width: int | None = None,
        closest: bool | None = None,
        no_nudge: bool | None = None,
        gains: ArrayLike | None = None,
        desired: ArrayLike | None = None,
        control: Literal["gradient", "square"] | None = None,
        adaptive: bool | None = None,
        alpha: float | None = None,
        rank: Literal["gain", "recency", "room"] | None = None,
        bend: int | None = None,
        pole: ArrayLike | None = None,
    ) -> Ik:
        """A reusable solver.

        Parameters
        ----------
        tip : str or int, optional
            The link that carries the tool; the first of `tips`.
        protocol : {"nearest", "any", "given"}
            Which solution: the one nearest to the start; the first found, which is fastest; or
            one descent from the start without restarts.
        kind, base, tool, free_axis, free_position
            What of the target counts, and against what it is measured; see :class:`Task`.
        tasks : sequence of Task, optional
            Several tips at once, instead of all of these.
        method : str
            One of :func:`limber.methods`.
        locks : sequence of str or int, or dict
            Joints that keep their start values, or those of the dict.
        position_tolerance, rotation_tolerance : float
            Metres and radians; 1e-6.
        iterations : int
            Budget of one target over all restarts; the method's own.
        seed, seeds : int
            Of the random restarts, 0; samples in the table of starts, 512.
        length : float
            Metres that count as much as one radian; from the model.
        damping, step_limit, control, adaptive, alpha, rank, bend, pole, no_nudge
            Of single methods; see docs/methods.md.
        width : int
            Problems side by side: 1, 2, 4 or 8; what the machine has. Results do not depend on it.
        closest : bool
            Where nothing reaches the target, also search for the closest configuration of all.
        gains, desired : array_like
            ``(nv,)`` and ``(nq,)``: pull towards desired values along the null space.

        Examples
        --------
        >>> import limber
        >>> ik = limber.Model.load("ur5").ik("tool0")
        >>> ik.solve([0.3, 0.2, 0.4, 0, 1, 0, 0])
        IkResult(reached, q=[...])
        """
        model = self._model.with_locks(locks) if locks else self._model
        if tasks is None:
            tip = model.tips[0] if tip is None else tip
            tasks = [Task(tip, kind, base, tool, free_axis, free_position)]
        options = {
            "protocol": protocol,
            "position_tolerance": position_tolerance,
            "rotation_tolerance": rotation_tolerance,
            "iterations": iterations,
            "seed": seed,
            "seeds": seeds,
            "length": length,
            "damping": damping,
            "step_limit": step_limit,
            "width": width,
            "closest": closest,
            "no_nudge": no_nudge,
            "control": control,
            "adaptive": adaptive,
            "alpha": alpha,
            "rank": rank,
            "bend": bend,
            "pole": None if pole is None else vector(pole, 3, "pole"),
        }
        return Ik(model, tasks, method, options, gains, desired)

    def compare(
        self,
        tip: str | int,
        targets: ArrayLike,
        starts: ArrayLike | None = None,
        methods: Sequence[str] | None = None,
        **options: Any,
    ) -> dict[str, IkResult]:
        """The same targets by several methods; those that do not support the task are left out.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("planar3")
        >>> results = arm.compare("tip", [[1, 1, 0]], kind="position", methods=["lm", "ccd"])
        >>> {name: bool(result.reached.all()) for name, result in results.items()}
        {'lm': True, 'ccd': True}
        """
        return compare(self._model, tip, targets, starts, methods, **options)

    def body(self, tasks: Sequence[BodyTask], **options: Any) -> Body:
        """A solver of many tasks on the whole tree; see :class:`Body` for the options."""
        return Body(self._model, tasks, options)

    def elbow(self, tip: str | int | None = None, *, tool: ArrayLike | None = None) -> Elbow:
        """The elbow's circle of an arm of seven joints."""
        return Elbow(self._model, Task(self.tips[0] if tip is None else tip, tool=tool))
