"""Forward kinematics of a model: transforms, Jacobians, masses, what a task constrains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np

from . import _core
from ._arrays import ArrayLike, Floats, columns, vector
from ._forward import Forward, forward
from ._parts import Mobility, Singularity
from ._planar_reach import PlanarReach
from ._structure import Structure
from ._task import Task


class Kinematics(Structure):
    """Where the links of a model are, and how they move with its joints."""

    _forward: dict[Any, Forward]

    @overload
    def fk(
        self,
        q: ArrayLike,
        links: str | int | Sequence[str | int] | None = ...,
        *,
        jacobian: Literal[False] = ...,
        layout: Literal["matrix", "columns", "pose"] = ...,
        threads: int = ...,
    ) -> Floats: ...

    @overload
    def fk(
        self,
        q: ArrayLike,
        links: str | int | Sequence[str | int] | None = ...,
        *,
        jacobian: Literal[True],
        point: ArrayLike | None = ...,
        axes: Literal["world", "link"] = ...,
        layout: Literal["matrix", "columns", "pose"] = ...,
        threads: int = ...,
    ) -> tuple[Floats, Floats]: ...

    def fk(
        self,
        q: ArrayLike,
        links: str | int | Sequence[str | int] | None = None,
        *,
        jacobian: bool = False,
        point: ArrayLike | None = None,
        axes: Literal["world", "link"] = "world",
        layout: Literal["matrix", "columns", "pose"] = "matrix",
        threads: int = 1,
    ) -> Any:
        """Forward kinematics: T_world_link of links, for any number of configurations.

        Parameters
        ----------
        q : array_like
            ``(nq,)`` or ``(N, nq)``. An array of float32 is computed in float32.
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
        return forward(self._model, q, links, jacobian, point, axes, layout, threads)

    def forward_of(
        self, links: tuple[int, ...], jacobian: bool, point: ArrayLike | None, axes: str
    ) -> Forward:
        """The worker for these links, kept for the next call."""
        options: dict[str, Any] = {"axes": axes}
        if point is not None:
            options["point"] = vector(point, 3, "point")
        key = (links, jacobian, axes, None if point is None else tuple(options["point"]))
        if key not in self._forward:
            # of many different questions only the last are kept
            if len(self._forward) >= 16:
                self._forward.pop(next(iter(self._forward)))
            self._forward[key] = Forward(self._model, links, jacobian, options)
        return self._forward[key]

    def singularity(
        self,
        q: ArrayLike,
        link: str | int,
        *,
        point: ArrayLike = (0, 0, 0),
        length: float = 1.0,
        tolerance: float = 1e-9,
    ) -> Singularity:
        """Analyses the Jacobian of a link's point; `length` metres count as one radian, 0: none."""
        x, y, z = (float(n) for n in vector(point, 3, "point"))
        found = self._state(q).singularity(self.link_index(link), (x, y, z), length, tolerance)
        for name in ("values", "weakest"):
            found[name] = np.array(found[name])
        return Singularity(**found)

    def center_of_mass(self, q: ArrayLike) -> tuple[float, Floats, Floats]:
        """The total mass, the centre of mass in world axes, and its Jacobian, ``(3, nv)``."""
        jacobian = np.zeros((3, self.nv))
        mass, center = self._state(q).center_of_mass(jacobian)
        return mass, np.array(center), jacobian

    def mobility(
        self, task: Task, q: ArrayLike | None = None, target: ArrayLike | None = None
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
        goal = None if target is None else columns(target, "target").reshape(12)
        return Mobility(**self._state(q).mobility(task.fields(self._model), goal))

    def task_error(self, task: Task, q: ArrayLike, target: ArrayLike) -> tuple[float, float]:
        """How far a configuration is from a target (T_base_target): metres, and radians.

        A distance is 0 where the task does not count it; where the position is free it is that to
        the target's line or plane, and the angle is that of the axes alone where one is free.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("planar2")
        >>> arm.task_error(limber.Task("tip", "position"), [0, 0], [2, 0.5, 0, 1, 0, 0, 0])
        (0.5, 0.0)
        """
        goal = columns(target, "target").reshape(12)
        return self._state(q).errors(task.fields(self._model), goal)

    def planar_reach(self, task: Task, q: ArrayLike | None = None) -> PlanarReach | None:
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
        found = self._state(q).planar_reach(task.fields(self._model))
        return None if found is None else PlanarReach(found)

    def _state(self, q: ArrayLike | None) -> _core.State:
        pose = self._model.neutral if q is None else vector(q, self.nq, "q")
        return _core.State(self.native, pose)
