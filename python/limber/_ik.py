"""Inverse kinematics of one target or of millions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _core
from ._arrays import IK_RESULT, ArrayLike, Floats, Rows, Targets, rows, targets, vector
from ._errors import LimberError
from ._ik_result import IkResult, Progress
from ._listing import Listing
from ._ranges import run, thread_count
from ._task import Task

if TYPE_CHECKING:
    from ._model import Model

Protocol = Literal["nearest", "any", "given"]
# targets that are worth a range: its last problems leave lanes idle
BLOCK = 1024


class Ik(Listing):
    """A reusable solver; made by :meth:`Model.ik`, which describes its options.

    A solver may use several threads itself, but is not for several threads at once: a second
    call while one is running raises RuntimeError.

    Attributes
    ----------
    model : Model
    tasks : tuple of Task
    """

    def __init__(
        self,
        model: Model,
        tasks: Sequence[Task],
        method: str,
        options: dict[str, Any],
        gains: ArrayLike | None = None,
        desired: ArrayLike | None = None,
    ) -> None:
        self.model = model
        self.tasks = tuple(tasks)
        self._method = method
        self._options = {name: value for name, value in options.items() if value is not None}
        self._gains = None if gains is None else vector(gains, model.nv, "gains")
        self._desired = None if desired is None else vector(desired, model.nq, "desired")
        self._points = all(task.kind == "position" for task in tasks)
        self._natives: list[_core.Ik] = []
        self._listers = {}
        self.native(0)

    def native(self, thread: int) -> _core.Ik:
        """The extension's solver of a thread, made when it is first needed."""
        while len(self._natives) <= thread:
            fields = [task.fields(self.model) for task in self.tasks]
            self._natives.append(
                _core.Ik(
                    self.model.native, fields, self._method, self._options, self._gains, self._desired
                )
            )
        return self._natives[thread]

    @property
    def options(self) -> dict[str, Any]:
        """All options, with what was chosen for those that were left out."""
        method, options = self.native(0).options()
        return {"method": method, **options}

    def solve(self, targets: ArrayLike, starts: ArrayLike | None = None, threads: int = 1) -> IkResult:
        """Finds configurations that bring the tool to its targets.

        Parameters
        ----------
        targets : array_like
            T_base_target as ``(4, 4)`` or ``(N, 4, 4)``, as ``(N, 7)`` of x y z and a quaternion
            w x y z, as ``(N, 3, 4)``, or ``(N, 4, 3)`` by columns, which is how the library
            itself has them; any leading shape in place of N. Of solvers of positions ``(N, 3)``.
            Of solvers of T tasks ``(T, 4, 4)`` or ``(N, T, 4, 4)``.
        starts : array_like, optional
            Where the search begins: ``(nq,)``, or one for each target; the neutral configuration.
        threads : int
            How many threads work on many targets; 0: one for each processor. The results are
            the same bits for any number.

        Returns
        -------
        IkResult
            A target that is not reached is data: look at `reached`.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("panda")
        >>> ik = arm.ik("panda_hand", protocol="any")
        >>> ik.solve([0.4, 0.1, 0.5, 0, 1, 0, 0]).reached
        True
        >>> targets = arm.fk(arm.random(1000, seed=1), "panda_hand")
        >>> ik.solve(targets, threads=0)
        IkResult(1000 targets: 1000 reached)
        """
        given = self._read_targets(targets)
        n = given.rows.count
        begin = self._read_starts(starts, given.rows)
        q = np.empty((n, self.model.nq))
        info = np.empty(n, IK_RESULT)
        count = thread_count(threads, n)
        solvers = [self.native(thread) for thread in range(count)]

        def work(thread: int, first: int, last: int) -> None:
            solvers[thread].solve(
                given.layout,
                given.rows.part(first, last),
                None if begin is None else begin.part(first, last),
                q[first:last],
                info[first:last],
            )

        run(work, n, count, shortest=BLOCK)
        lead = given.rows.lead
        return IkResult(self, given, q.reshape((*lead, self.model.nq)), info.reshape(lead))

    def step(self, target: ArrayLike, q: ArrayLike) -> tuple[Progress, Floats]:
        """One iteration of the method on a configuration: the progress, and the new one."""
        given = self._read_targets(target)
        after = vector(q, self.model.nq, "q").copy()
        info = np.zeros(1, IK_RESULT)
        progress = self.native(0).step(given.layout, given.rows.part(0, 1), after, info)
        return Progress(progress), after

    def _read_targets(self, value: ArrayLike) -> Targets:
        return targets(value, len(self.tasks), self._points)

    def _read_starts(self, starts: ArrayLike | None, problems: Rows) -> Rows | None:
        if starts is None:
            return None
        given = rows(starts, (self.model.nq,), "starts")
        if given.lead == problems.lead:
            return given
        if given.count != 1:
            raise ValueError(f"starts: {given.lead} of them, but targets are {problems.lead}")
        # one start for all: a view that repeats it
        repeated = np.broadcast_to(given.flat[0], (problems.count, self.model.nq))
        return Rows(repeated, problems.lead)

    def __repr__(self) -> str:
        tips = ", ".join(f"{self.model.link_name(t.tip)!r} {t.kind}" for t in self.tasks)
        options = self.options
        return (
            f"Ik({self.model.name!r}, {tips}, "
            f"protocol={options['protocol']!r}, method={options['method']!r})"
        )


def compare(
    model: Model,
    tip: str | int,
    targets: ArrayLike,
    starts: ArrayLike | None = None,
    methods: Sequence[str] | None = None,
    **options: Any,
) -> dict[str, IkResult]:
    """See :meth:`Model.compare`."""
    made = {}
    for name in methods or [name for name, _, _ in _core.methods()]:
        try:
            made[name] = model.ik(tip, method=name, **options).solve(targets, starts)
        except LimberError:
            # a method that does not support this task is left out, unless it was named
            if methods is not None:
                raise
    return made
