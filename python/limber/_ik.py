"""Inverse kinematics of one target or of millions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import IK_RESULT, ArrayLike, Floats, Rows, Targets, contiguous, rows, targets, vector
from ._errors import LimberError
from ._figure import svg_of
from ._ranges import run, thread_count
from ._solutions import Solutions, find_solutions
from ._task import Task

if TYPE_CHECKING:
    from ._model import Model

Protocol = Literal["nearest", "any", "given"]


class Outcome(IntEnum):
    """What happened to a target; ``REACHED`` is confirmed by forward kinematics and the limits."""

    REACHED = 0
    STALLED = 1
    UNREACHABLE = 2
    EXHAUSTED = 3
    INVALID = 4


class Reason(IntEnum):
    """Why a target was not reached."""

    NONE = 0
    REACH = 1
    LIMITS = 2
    SINGULAR = 3
    MINIMUM = 4
    BUDGET = 5


class Progress(IntEnum):
    """What one step achieved."""

    SUCCESS = 0
    PROCESSING = 1
    FAILURE = 2


class IkResult:
    """Configurations, and what was achieved with them.

    Of one target `q` has the shape ``(nq,)`` and the rest are scalars; of targets of the shape
    ``(N, 4, 4)`` `q` is ``(N, nq)`` and the rest have the shape ``(N,)``. An index or a slice
    selects targets, without a copy.

    Attributes
    ----------
    q : ndarray
        The best configuration found: it reaches the target where `reached` is true.
    info : ndarray
        A structured array of all that is known: its fields are the properties below.
    """

    def __init__(self, ik: Ik, given: Targets | None, q: Floats, info: npt.NDArray[Any]) -> None:
        self._ik = ik
        self._targets = given
        self.q = q
        self.info = info

    def _field(self, name: str) -> Any:
        return self.info[name] if self.info.ndim else self.info[name].item()

    @property
    def reached(self) -> Any:
        """bool, or an array of them: every task is within its tolerances and the limits."""
        return self.outcome == Outcome.REACHED

    @property
    def outcome(self) -> Any:
        """:class:`Outcome`, or an array of its numbers."""
        return self._field("outcome") if self.info.ndim else Outcome(self._field("outcome"))

    @property
    def reason(self) -> Any:
        """:class:`Reason`, or an array of its numbers."""
        return self._field("reason") if self.info.ndim else Reason(self._field("reason"))

    @property
    def position_error(self) -> Any:
        """Metres, the largest of the tasks."""
        return self._field("position_error")

    @property
    def rotation_error(self) -> Any:
        """Radians, the largest of the tasks."""
        return self._field("rotation_error")

    @property
    def beyond_reach(self) -> Any:
        """Metres that an unreachable target is farther than the links laid end to end."""
        return self._field("beyond_reach")

    @property
    def iterations(self) -> Any:
        """Of all descents that count."""
        return self._field("iterations")

    @property
    def tries(self) -> Any:
        """Descents that count."""
        return self._field("tries")

    def __len__(self) -> int:
        return len(self.info)

    def __getitem__(self, index: Any) -> IkResult:
        info = np.asarray(self.info[index])
        given = None
        if self._targets is not None:
            source = self._targets.rows
            item = source.flat.shape[1:]
            chosen = source.flat.reshape(source.lead + item)[index]
            lead = chosen.shape[: chosen.ndim - len(item)]
            given = Targets(Rows(chosen.reshape((-1, *item)), lead), self._targets.layout)
        return IkResult(self._ik, given, self.q[index], info)

    def __iter__(self) -> Iterator[IkResult]:
        return (self[i] for i in range(len(self)))

    def explain(self) -> str:
        """Why one result is what it is, in one or two sentences.

        Examples
        --------
        >>> import limber
        >>> ik = limber.Model.load("planar2").ik("tip", kind="position")
        >>> print(ik.solve([3, 0, 0]).explain())
        Out of reach: with all links in one straight line the target would still be 1 m away.
        """
        if self.info.ndim:
            raise ValueError("explain: choose one result by its index first: result[i].explain()")
        if self._targets is None:
            raise ValueError("explain: this result has no target")
        source = self._targets.rows
        return self._ik.native(0).explain(
            self._targets.layout, source.part(0, 1), contiguous(self.q), contiguous_info(self.info)
        )

    def __repr__(self) -> str:
        if self.info.ndim == 0:
            numbers = np.array2string(self.q, precision=4, separator=", ")
            return f"IkResult({self.outcome.name.lower()}, q={numbers})"
        found = np.bincount(np.ravel(self.outcome), minlength=len(Outcome))
        counts = [f"{n} {o.name.lower()}" for o, n in zip(Outcome, found) if n]
        return f"IkResult({self.info.size} targets: {', '.join(counts) or 'none'})"

    def _repr_svg_(self) -> str | None:
        poses = self.q.reshape(-1, self.q.shape[-1])[:16] if self.q.size else None
        return svg_of(self._ik.model, poses)


def contiguous_info(info: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """One record that the library can read."""
    return np.ascontiguousarray(info).reshape(1)


class Ik:
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
        self._listers: dict[tuple[tuple[str, Any], ...], list[_core.Solutions]] = {}
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

        run(work, n, count)
        lead = given.rows.lead
        return IkResult(self, given, q.reshape((*lead, self.model.nq)), info.reshape(lead))

    def step(self, target: ArrayLike, q: ArrayLike) -> tuple[Progress, Floats]:
        """One iteration of the method on a configuration: the progress, and the new one."""
        given = self._read_targets(target)
        after = vector(q, self.model.nq, "q").copy()
        info = np.zeros(1, IK_RESULT)
        progress = self.native(0).step(given.layout, given.rows.part(0, 1), after, info)
        return Progress(progress), after

    def solutions(
        self,
        targets: ArrayLike,
        start: ArrayLike | None = None,
        *,
        limit: int = 16,
        copies: bool = False,
        out_of_limits: bool = False,
        redundancy: int = 16,
        condition: bool = False,
        threads: int = 1,
    ) -> Solutions:
        """Lists every configuration that brings the tool to its target, nearest to `start` first.

        For arms of six turning joints, and those of seven at sampled values of the redundant
        joint; see docs/methods.md. Other arms raise :class:`LimberError`.

        Parameters
        ----------
        targets : array_like
            As in :meth:`solve`.
        start : array_like, optional
            What distances are measured from; the neutral configuration.
        limit : int
            Rows for each target; of redundant arms more are of use.
        copies : bool
            Also list the same solutions with joints turned by whole turns.
        out_of_limits : bool
            Also list solutions that break limits.
        redundancy : int
            Of redundant arms: values of the redundant joint to list.
        condition : bool
            Also compute each solution's condition number.
        threads : int
            As in :meth:`solve`.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("ur5")
        >>> ik = arm.ik("tool0")
        >>> s = ik.solutions(arm.fk([0.3, -1, 1, 0.4, 0.5, 0.6], "tool0"))
        >>> s.q.shape, s.complete
        ((8, 6), True)
        """
        if len(self.tasks) != 1:
            raise ValueError("solutions: only of solvers of one task")
        options = {
            "copies": copies,
            "out_of_limits": out_of_limits,
            "redundancy": redundancy,
            "condition": condition,
        }
        return find_solutions(self, self._read_targets(targets), start, limit, options, threads)

    def lister(self, options: dict[str, Any], thread: int) -> _core.Solutions:
        """The extension's lister of solutions of a thread, kept for the next call."""
        known = self._listers.setdefault(tuple(sorted(options.items())), [])
        while len(known) <= thread:
            task = self.tasks[0].fields(self.model)
            known.append(_core.Solutions(self.model.native, task, options))
        return known[thread]

    def describe(self) -> tuple[str, str]:
        """The arm's class as :meth:`solutions` sees it, and why; LimberError where it has none.

        Examples
        --------
        >>> import limber
        >>> limber.Model.load("puma560").ik("flange").describe()[0]
        'spherical wrist'
        """
        return self.lister({}, 0).describe()

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
