"""Inverse kinematics of one target or of millions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _core
from ._arrays import (
    IK_RESULT,
    SOLUTION,
    SUMMARY,
    ArrayLike,
    Floats,
    PoseLike,
    Rows,
    Targets,
    kept,
    targets,
    without_none,
    writable,
)
from ._collision import Collision
from ._ik_result import IkResult, Progress
from ._ranges import run, thread_count
from ._solutions import Solutions
from ._task import Task, task_fields
from ._values import Unchanging

if TYPE_CHECKING:
    from ._model import Model

Protocol = Literal["nearest", "any", "given"]
# targets that are worth a range: its last problems leave lanes idle
BLOCK = 1024


class Ik(Unchanging):
    """A reusable solver; made by :meth:`Model.ik`, which describes its options.

    Threads may share it: a second call waits for one that is running. What is faster is a solver
    for each thread, or one call that uses several.

    Attributes
    ----------
    model : Model
    tasks : tuple of Task
    """

    model: Model
    tasks: tuple[Task, ...]
    _chosen: tuple[str, dict[str, Any], Floats | None, Floats | None]
    _natives: list[_core.Ik]
    _listers: dict[tuple[Any, ...], list[_core.Solutions]]
    _row: Callable[[object, object], tuple[Any, Any, bytes] | None]
    _points: bool

    def __init__(
        self,
        model: Model,
        tasks: Sequence[Task],
        method: str,
        options: dict[str, Any],
        gains: ArrayLike | None = None,
        desired: PoseLike | None = None,
    ) -> None:
        # copies: the solvers of further threads are made of them later
        pulls = (
            None if gains is None else kept(gains, (model.nv,), "gains"),
            None if desired is None else model.pose(desired, "desired").copy(),
        )
        self._set(model=model, tasks=tuple(tasks), _natives=[], _listers={})
        self._set(_chosen=(method, without_none(**options), *pulls))
        self._set(_row=self.native(0).row)
        self._set(_points=all(task.kind == "position" for task in tasks))

    def __reduce__(self) -> tuple[Any, ...]:
        # for processes: made again
        return Ik, (self.model, self.tasks, *self._chosen)

    def native(self, thread: int) -> _core.Ik:
        """The extension's solver of a thread, made when it is first needed."""
        while len(self._natives) <= thread:
            fields = [task_fields(task, self.model) for task in self.tasks]
            self._natives.append(_core.Ik(self.model.native, fields, *self._chosen))
        return self._natives[thread]

    @property
    def options(self) -> dict[str, Any]:
        """All options, with what was chosen for those that were left out."""
        method, options = self.native(0).options()
        return {"method": method, **options}

    def solve(
        self, targets: ArrayLike, starts: PoseLike | None = None, threads: int = 1, *, out: Floats | None = None
    ) -> IkResult:
        """Finds configurations that bring the tool to its targets.

        Parameters
        ----------
        targets : array_like
            T_base_target as ``(4, 4)`` or ``(N, 4, 4)``, as ``(N, 7)`` of x y z and a quaternion
            w x y z, as ``(N, 3, 4)``, or ``(N, 4, 3)`` by columns, which is how the library
            itself has them; any leading shape in place of N. Rotations by rows whose axes
            are orthonormal to four decimals, of unit length to 1e-4 and at right angles to 2e-4,
            become the nearest rotation. Of solvers of positions ``(N, 3)``.
            Of solvers of T tasks ``(T, 4, 4)`` or ``(N, T, 4, 4)``. An array of many is not copied:
            :meth:`IkResult.explain` reads it again.
        starts : array_like or mapping, optional
            Where the search begins: ``(nq,)``, or one for each target; the neutral configuration.
        threads : int
            How many threads work on many targets; 0: one for each processor. The results are
            the same bits for any number.
        out : ndarray, optional
            ``(..., nq)``: what the configurations are written into; contiguous float64. It may be
            `starts`.

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
        # one target of float64; four points are no transform by columns
        one = out is None and threads >= 0 and not (self._points and np.shape(targets) == (4, 3))
        found = self._row(targets, starts) if one else None
        if found is not None:
            q, info, target = found
            return IkResult(self, target, q, info)
        given = self.read_targets(targets)
        n = given.rows.count
        begin = None if starts is None else self._read_starts(starts, given.rows, "starts")
        lead, nq = given.rows.lead, self.model.nq
        whole = writable(out, (*lead, nq), np.float64, "out", given.rows.flat)
        if begin is not None and np.may_share_memory(whole, begin.flat):
            # the last results are starts of these
            begin = Rows(begin.all.copy(), lead)
        q, info = whole.reshape((n, nq)), np.empty(n, IK_RESULT)
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
        return IkResult(self, given, whole, info.reshape(lead))

    def step(self, target: ArrayLike, q: PoseLike) -> tuple[Any, Floats]:
        """One iteration of the method on each configuration: the progress, and the new ones.

        The progress is a :class:`Progress`, of several rows an array of its numbers.
        """
        given = self.read_targets(target)
        start = self._read_starts(q, given.rows, "q")
        n = given.rows.count
        after = start.all.copy()
        info = np.zeros(n, IK_RESULT)
        progress = np.empty(n, np.int32)
        self.native(0).step(given.layout, given.rows.all, after, info, progress)
        lead = given.rows.lead
        told = progress.reshape(lead) if lead else Progress(int(progress[0]))
        return told, after.reshape((*lead, self.model.nq))

    def derivative(self, targets: ArrayLike, q: PoseLike, *, damping: float = 0.0) -> Floats:
        """How solutions move with their targets: the Jacobian of inverse kinematics.

        Matrices D, ``(..., nv, 6)``, of T tasks ``(..., nv, 6 * T)``. Where a target has the
        velocity V, linear of its origin, then angular, in the axes of the task's base, the
        solution moves with the joint velocities D V; so a loss whose gradient by the joints is g
        has the gradient g D by the target. Of redundant arms D V is the least of all that keep the
        tool at its target, the sum of weight v^2; locked joints rest, and limits do not count. See
        docs/guides/derivatives.md.

        Parameters
        ----------
        targets : array_like
            As in :meth:`solve`.
        q : array_like or mapping
            Solutions of these, ``(nq,)`` or one for each target. They are brought inside the
            limits first.
        damping : float
            Metres: bounds D beside singular configurations, where it grows without bound; 0: none.
            What the tool cannot do at all is left out by least squares.

        Examples
        --------
        >>> import limber
        >>> import numpy as np
        >>> ik = limber.Model.load("planar2").ik("tip", kind="position")
        >>> D = ik.derivative([1, 1, 0], [0, np.pi / 2])
        >>> (D[:, :2] @ [0.1, 0]).round(3)
        array([ 0. , -0.1])
        """
        if not (damping >= 0 and np.isfinite(damping)):
            raise ValueError(f"damping: {damping} is no finite number of at least 0")
        given = self.read_targets(targets)
        solutions = self._read_starts(q, given.rows, "q")
        made = np.empty((given.rows.count, self.model.nv, 6 * len(self.tasks)))
        self.native(0).derivative(given.layout, given.rows.all, solutions.all, damping, made)
        return made.reshape((*given.rows.lead, *made.shape[1:]))

    def solutions(
        self,
        targets: ArrayLike,
        start: PoseLike | None = None,
        *,
        limit: int = 16,
        copies: bool = False,
        out_of_limits: bool = False,
        redundancy: int = 16,
        condition: bool = False,
        collision: Collision | None = None,
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
        collision : Collision, optional
            Lists only what is free of collisions; of the same model, see :meth:`Model.collision`.
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
        given = self.read_targets(targets)
        n, nq = given.rows.count, self.model.nq
        q = np.full((n, limit, nq), np.nan)
        info = np.zeros((n, limit), SOLUTION)
        summary = np.zeros(n, SUMMARY)
        begin = self.model.optional_pose(start, "start")
        count = thread_count(threads, n)
        listers = [self.lister(options, thread, collision) for thread in range(count)]

        def work(thread: int, first: int, last: int) -> None:
            part = slice(first, last)
            listers[thread].list(
                given.layout, given.rows.part(first, last), begin, limit, q[part], info[part], summary[part]
            )

        run(work, n, count)
        lead = given.rows.lead
        if not lead:
            listed = int(summary["listed"][0])
            return Solutions(self, q[0, :listed], info[0, :listed], summary.reshape(()))
        return Solutions(
            self, q.reshape((*lead, limit, nq)), info.reshape((*lead, limit)), summary.reshape(lead)
        )

    def lister(
        self, options: dict[str, Any], thread: int, collision: Collision | None = None
    ) -> _core.Solutions:
        """The extension's lister of solutions of a thread, kept for the next call."""
        known = self._listers.setdefault((collision, *sorted(options.items())), [])
        while len(known) <= thread:
            task = self.tasks[0].fields(self.model)
            filtered = None if collision is None else collision.on(self.model).copy()
            known.append(_core.Solutions(self.model.native, task, options, filtered))
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

    def read_targets(self, value: ArrayLike) -> Targets:
        return targets(value, len(self.tasks), self._points)

    def _read_starts(self, starts: PoseLike, problems: Rows, what: str) -> Rows:
        given = self.model.poses(starts, what)
        if given.lead == problems.lead:
            return given
        if given.count != 1:
            raise ValueError(f"{what}: {given.lead} of them, but targets are {problems.lead}")
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
