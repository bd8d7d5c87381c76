"""Forward kinematics of a model: transforms, Jacobians, masses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np

from . import _core
from ._arrays import ArrayLike, Floats, vector
from ._forward import Forward, forward
from ._parts import Singularity
from ._structure import Structure


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
        state = _core.State(self.native, vector(q, self.nq, "q"))
        x, y, z = (float(n) for n in vector(point, 3, "point"))
        found = state.singularity(self.link_index(link), (x, y, z), length, tolerance)
        for name in ("values", "weakest"):
            found[name] = np.array(found[name])
        return Singularity(**found)

    def center_of_mass(self, q: ArrayLike) -> tuple[float, Floats, Floats]:
        """The total mass, the centre of mass in world axes, and its Jacobian, ``(3, nv)``."""
        jacobian = np.zeros((3, self.nv))
        mass, center = _core.State(self.native, vector(q, self.nq, "q")).center_of_mass(jacobian)
        return mass, np.array(center), jacobian
