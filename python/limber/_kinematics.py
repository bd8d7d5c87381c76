"""Configurations of a model, and its forward kinematics: transforms, Jacobians, masses, mobility."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, overload

import numpy as np

from . import _core
from ._arrays import (
    LAYOUT_NAMES,
    SHAPES,
    SINGULARITY,
    ArrayLike,
    Floats,
    PoseLike,
    Rows,
    columns,
    common_lead,
    finite,
    rows,
    transform,
    vector,
    writable,
)
from ._errors import LimberError
from ._forward import Forward
from ._parts import Mobility, Random, Singularity
from ._planar_reach import PlanarReach
from ._structure import Structure
from ._task import Task, task_fields


INTEGRATE, DIFFERENCE, INTERPOLATE, CLAMP = range(4)


class Kinematics(Structure):
    """Configurations of a model, where its links are in them, and how they move with its joints."""

    _forward: dict[Any, Forward]
    # what computes one row of float64 at once, by the arguments of fk
    _rows: dict[Any, Callable[[object], Any]]
    _lock: threading.Lock

    def __init__(self, native: _core.Model) -> None:
        super().__init__(native)
        self._set(_forward={}, _rows={}, _lock=threading.Lock())

    # ---- configurations: at random, between two others ---------------------------------------

    def random(self, n: int | None = None, seed: int | Random = 0) -> Floats:
        """Configurations that are uniform in the limits: ``(nq,)``, or ``(n, nq)``.

        Examples
        --------
        >>> import limber
        >>> limber.Model.load("ur5").random(1000, seed=7).shape
        (1000, 6)
        """
        source = seed if isinstance(seed, Random) else Random(seed)
        q = np.empty((1 if n is None else n, self.nq))
        source.state = self.native.random(source.state, q)
        return q.reshape(self.nq) if n is None else q

    def validate(self, q: PoseLike, tolerance: float = 0.0) -> None:
        """Raises LimberError, naming the joint, where q is no configuration or breaks limits.

        Of several rows the first that is wrong is named, too.
        """
        if not tolerance >= 0:
            raise ValueError(f"tolerance: {tolerance} is no number of at least 0")
        given = self.poses(q)
        for i, row in enumerate(given.all):
            try:
                self.native.validate(row, tolerance)
            except LimberError as error:
                if not given.lead:
                    raise
                raise LimberError(f"row {i}: {error.message}", status=error.status) from None

    def integrate(self, q: PoseLike, v: ArrayLike) -> Floats:
        """q moved by v over unit time."""
        return self._combine(INTEGRATE, self.poses(q), rows(v, (self.nv,), "v"), self.nq)

    def difference(self, a: PoseLike, b: PoseLike) -> Floats:
        """The v that leads from a to b, turns by the smaller rotation."""
        return self._combine(DIFFERENCE, self.poses(a, "a"), self.poses(b, "b"), self.nv)

    def interpolate(self, a: PoseLike, b: PoseLike, t: ArrayLike) -> Floats:
        """a at t = 0, b at t = 1; of several t one row each."""
        return self._combine(
            INTERPOLATE, self.poses(a, "a"), self.poses(b, "b"), self.nq, rows(t, (), "t")
        )

    def clamp(self, q: PoseLike) -> Floats:
        """Each value brought to the nearest within its limits."""
        given = self.poses(q)
        return self._combine(CLAMP, given, given, self.nq)

    def _combine(self, work: int, a: Rows, b: Rows, width: int, t: Rows | None = None) -> Floats:
        # rows of each, or one that is repeated
        given = (a, b) if t is None else (a, b, t)
        lead = common_lead(*given)
        left, right, *times = (each.repeated(lead) for each in given)
        out = np.empty((len(left), width))
        self.native.combine(work, len(left), left, right, times[0] if times else None, out)
        return out.reshape((*lead, width))

    # ---- links -------------------------------------------------------------------------------

    @overload
    def fk(
        self,
        q: PoseLike,
        links: str | int | Sequence[str | int] | None = ...,
        *,
        jacobian: Literal[False] = ...,
        layout: Literal["matrix", "columns", "pose"] = ...,
        threads: int = ...,
        out: Floats | None = ...,
    ) -> Floats: ...

    @overload
    def fk(
        self,
        q: PoseLike,
        links: str | int | Sequence[str | int] | None = ...,
        *,
        jacobian: Literal[True],
        point: ArrayLike | None = ...,
        axes: Literal["world", "link"] = ...,
        layout: Literal["matrix", "columns", "pose"] = ...,
        threads: int = ...,
        out: tuple[Floats, Floats] | None = ...,
    ) -> tuple[Floats, Floats]: ...

    def fk(
        self,
        q: PoseLike,
        links: str | int | Sequence[str | int] | None = None,
        *,
        jacobian: bool = False,
        point: ArrayLike | None = None,
        axes: Literal["world", "link"] = "world",
        layout: Literal["matrix", "columns", "pose"] = "matrix",
        threads: int = 1,
        out: Any = None,
    ) -> Any:
        """Forward kinematics: T_world_link of links, for any number of configurations.

        Parameters
        ----------
        q : array_like or mapping
            ``(nq,)`` or ``(N, nq)``, or values of joints by their names, where the others are at
            rest. An array of float32 is computed in float32.
        links : str, int or a sequence of them, optional
            Of one link the result has no axis of links; all links.
        jacobian : bool
            Also return Jacobians, ``(..., 6, nv)`` for each link: rows linear, then angular.
        point : array_like, optional
            The point of the link that the Jacobian is of, in the link's frame; its origin.
        axes : {"world", "link"}
            The axes of the Jacobian's rows.
        layout : {"matrix", "columns", "pose"}
            ``(4, 4)``; ``(4, 3)``, the library's own, which is written in place; or x y z and a
            quaternion w x y z.
        threads : int
            As in :meth:`Ik.solve`.
        out : ndarray or (ndarray, ndarray), optional
            Arrays of the results' shapes that are written into; contiguous float64.

        Returns
        -------
        ndarray or (ndarray, ndarray)
            ``(..., links, 4, 4)``, and the Jacobians.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("planar2")
        >>> arm.fk([0, 0], "tip")[:3, 3]
        array([2., 0., 0.])
        >>> T, J = arm.fk(arm.random(5), ["base", "tip"], jacobian=True)
        >>> T.shape, J.shape
        ((5, 2, 4, 4), (5, 2, 6, 2))
        """
        # one row of float64, as often before
        if type(links) is str and point is None and out is None and threads >= 0:
            known = self._rows.get((links, jacobian, layout, axes))
            found = None if known is None else known(q)
            if found is not None:
                return found
        if layout not in LAYOUT_NAMES:
            raise ValueError(f"layout: {layout!r} is none of {', '.join(LAYOUT_NAMES)}")
        single = isinstance(links, (str, int, np.integer))
        if links is None:
            chosen = list(range(len(self.links)))
        else:
            names = [links] if isinstance(links, (str, int, np.integer)) else links
            if not isinstance(names, Iterable):
                raise TypeError(f"links: a name, an index or a list of them is needed, not {links!r}")
            chosen = [self.link_index(name) for name in names]
        given = self.poses(q)
        worker = self.forward_of(tuple(chosen), jacobian, point, axes)
        # one link has no axis of links
        lead = given.lead if single else (*given.lead, len(chosen))
        if given.flat.dtype.str[1:] == "f4" and not jacobian and layout == "matrix":
            if out is not None:
                raise TypeError("out: configurations of float32 give new arrays; convert them first")
            return worker.run_float(given, threads, lead)
        if type(links) is str and point is None and (links, jacobian, layout, axes) not in self._rows:
            # of many different questions only the last are kept
            if len(self._rows) >= 64:
                self._rows.clear()
            self._rows[links, jacobian, layout, axes] = worker.of_row(LAYOUT_NAMES[layout])
        first, second = out if jacobian and out is not None else (out, None)
        shape = lead + SHAPES[LAYOUT_NAMES[layout]]
        transforms = writable(first, shape, np.float64, "out", given.flat)
        jacobians = None
        if jacobian:
            jacobians = writable(second, (*lead, 6, self.nv), np.float64, "out", given.flat)
        worker.run(given, LAYOUT_NAMES[layout], threads, transforms, jacobians)
        return (transforms, jacobians) if jacobian else transforms

    def forward_of(
        self, links: tuple[int, ...], jacobian: bool, point: ArrayLike | None, axes: str
    ) -> Forward:
        """The worker for these links, kept for the next call."""
        options: dict[str, Any] = {"axes": axes}
        if point is not None:
            options["point"] = vector(point, 3, "point")
        key = (links, jacobian, axes, None if point is None else tuple(options["point"]))
        with self._lock:
            if key not in self._forward:
                # of many different questions only the last are kept
                if len(self._forward) >= 16:
                    self._forward.pop(next(iter(self._forward)))
                self._forward[key] = Forward(self, links, jacobian, options)
            return self._forward[key]

    def singularity(
        self,
        q: PoseLike,
        link: str | int,
        *,
        point: ArrayLike = (0, 0, 0),
        length: float = 1.0,
        tolerance: float = 1e-9,
    ) -> Singularity:
        """Analyses the Jacobian of a link's point; `length` metres count as one radian, 0: none.

        Of rows of configurations each member is an array. What is not finite has NaN.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("planar2")
        >>> arm.singularity([[0, 1], [0, 0]], "tip", length=0).rank
        array([2, 1], dtype=int32)
        """
        x, y, z = (float(n) for n in vector(point, 3, "point"))
        given = self.poses(q)
        found = np.empty(given.count, SINGULARITY)
        _core.State(self.native).singularity(
            given.all, self.link_index(link), (x, y, z), length, tolerance, found
        )
        fields = Singularity._fields
        if not given.lead:
            rank, condition, manipulability, values, weakest = (found[name][0] for name in fields)
            return Singularity(
                int(rank), float(condition), float(manipulability), values, weakest
            )
        parts = (found[name].reshape(given.lead + found[name].shape[1:]) for name in fields)
        return Singularity(*parts)

    def velocity_ellipsoid(
        self,
        q: PoseLike,
        link: str | int,
        *,
        point: ArrayLike = (0, 0, 0),
        damping: float = 0.0,
    ) -> tuple[Floats, Floats]:
        """The centre and the three semi-axes of a link's velocities, ``(..., 3)``, ``(..., 3, 3)``.

        Velocities of the point in the world, m/s, while the squares of the joints' velocities sum
        to at most 1; the longest axis first, each a row. With `damping`, metres, what damped least
        squares leaves of them. What is not finite has NaN.

        Examples
        --------
        >>> import limber
        >>> import numpy as np
        >>> arm = limber.Model.load("planar2")
        >>> center, axes = arm.velocity_ellipsoid([0, 0], "tip")
        >>> np.linalg.norm(axes, axis=1).round(3)
        array([2.236, 0.   , 0.   ])
        """
        x, y, z = (float(n) for n in vector(point, 3, "point"))
        given = self.poses(q)
        rows = np.full((given.count, 4, 3), np.nan)
        _core.State(self.native).velocity_ellipsoid(
            given.all, self.link_index(link), (x, y, z), damping, rows
        )
        rows = rows.reshape((*given.lead, 4, 3))
        return rows[..., 0, :], rows[..., 1:, :]

    def center_of_mass(self, q: PoseLike) -> tuple[float, Floats, Floats]:
        """The total mass, the centre of mass in world axes, and its Jacobian, ``(..., 3, nv)``.

        Of a model without masses all are 0.
        """
        given = self.poses(q)
        centers = np.zeros((given.count, 3))
        jacobians = np.zeros((given.count, 3, self.nv))
        mass = _core.State(self.native).center_of_mass(given.all, centers, jacobians)
        return mass, centers.reshape((*given.lead, 3)), jacobians.reshape((*given.lead, 3, self.nv))

    def mobility(
        self, task: Task, q: PoseLike | None = None, target: ArrayLike | None = None
    ) -> Mobility:
        """What a task constrains, and what the joints between its base and tip can do about it.

        With more velocities than constraints the arm is redundant for it; with fewer only few
        targets have a solution. `q` is the configuration that it is measured in, the neutral one by
        default. `target` (T_base_target) counts where the position has free axes; the tool where
        `q` has it.

        Examples
        --------
        >>> import limber
        >>> limber.Model.load("panda").mobility(limber.Task("panda_hand"))
        Mobility(joints=7, velocities=7, constraints=6)
        >>> limber.Model.load("planar3").mobility(limber.Task("tip", "position")).constraints
        2
        """
        goal = None if target is None else transform(target, "target")
        if goal is not None:
            finite(goal, "target")
        state = _core.State(self.native)
        return Mobility(**state.mobility(self._finite(q), task_fields(task, self), goal))

    def task_error(self, task: Task, q: PoseLike, target: ArrayLike) -> tuple[Any, Any]:
        """How far a configuration is from a target (T_base_target): metres, and radians.

        Of rows of configurations, of targets or of both: arrays.

        A distance is 0 where the task does not count it; where the position is free it is that to
        the target's line or plane, and the angle is that of the axes alone where one is free.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("planar2")
        >>> arm.task_error(limber.Task("tip", "position"), [0, 0], [2, 0.5, 0, 1, 0, 0, 0])
        (0.5, 0.0)
        """
        given, goals = self.poses(q), columns(target, "target")
        aims = rows(goals, (4, 3), "target")
        lead = common_lead(given, aims)
        metres, radians = np.empty(lead), np.empty(lead)
        _core.State(self.native).errors(
            given.repeated(lead), task_fields(task, self), aims.repeated(lead), metres, radians
        )
        return (metres, radians) if lead else (float(metres), float(radians))

    def planar_reach(self, task: Task, q: PoseLike | None = None) -> PlanarReach | None:
        """Exactly what the tool of a planar arm of two links reaches; None of any other arm.

        Joints that do not move the tool are where `q` has them, the neutral configuration by
        default.

        Examples
        --------
        >>> import limber
        >>> ring = limber.Model.load("planar2").planar_reach(limber.Task("tip", "position"))
        >>> ring, ring.reaches([[1.9, 0], [2.1, 0]])
        (PlanarReach(0 to 2 m), array([ True, False]))
        """
        found = _core.State(self.native).planar_reach(self._finite(q), task_fields(task, self))
        return None if found is None else PlanarReach(found)

    def _finite(self, q: PoseLike | None) -> Floats:
        return self.neutral if q is None else finite(self.pose(q), "q")
