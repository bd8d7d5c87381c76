"""Distances between the links of a model, and to a scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import PROXIMITY, ArrayLike, Floats, rows, vector
from ._files import PathLike
from ._parts import warn_of
from ._ranges import run, thread_count

if TYPE_CHECKING:
    from ._model import Model


def mesh_fit(name: str) -> int:
    """The number of what stands for meshes."""
    if name not in _core.MESH_FITS:
        raise ValueError(f"fit: {name!r} is none of {', '.join(_core.MESH_FITS)}")
    return _core.MESH_FITS.index(name)


class Collision:
    """Checks configurations of a model; made by :meth:`Model.collision`.

    Attributes
    ----------
    bodies : tuple of str
        The links by their index, then the obstacles of the scene.
    """

    def __init__(
        self, model: Model, path: PathLike, scene: PathLike | None, options: dict[str, Any]
    ) -> None:
        self.model = model
        if "fit" in options:
            options = {**options, "fit": mesh_fit(options["fit"])}
        self._arguments = (model.native, path, scene or "", options)
        self._natives: list[_core.Collision] = []
        first, found = _core.Collision.make(*self._arguments)
        warn_of(found)
        self._natives.append(first)
        self.bodies = first.bodies()

    def native(self, thread: int) -> _core.Collision:
        """The extension's check of a thread, made when it is first needed."""
        while len(self._natives) <= thread:
            self._natives.append(_core.Collision.make(*self._arguments)[0])
        return self._natives[thread]

    def copy(self) -> _core.Collision:
        """The same check once more, for what must have one to itself."""
        return _core.Collision.make(*self._arguments)[0]

    def free(self, q: ArrayLike, threads: int = 1) -> Any:
        """Whether each configuration keeps the margin everywhere: bool, or an array of them.

        Examples
        --------
        >>> import limber
        >>> shapes = [{"shape": "sphere", "radius": 0.1}]
        >>> slide = {"kind": "prismatic", "limits": [0, 1]}
        >>> crane = limber.Model.from_json({"limber": 1, "name": "crane",
        ...     "links": [{"name": name, "collisions": shapes} for name in ("a", "b", "c")],
        ...     "joints": [{"name": "ab", "parent": "a", "child": "b", **slide},
        ...                {"name": "bc", "parent": "b", "child": "c", **slide}]})
        >>> crane.collision().free([[0.05, 0.1], [0.5, 0.5]])
        array([False,  True])
        >>> crane.collision().distance([0.5, 0.5])["distance"].round(3)
        0.8
        """
        given = rows(q, (self.model.nq,), "q")
        flags = np.empty(given.count, np.bool_)
        count = thread_count(threads, given.count)
        natives = [self.native(thread) for thread in range(count)]

        def work(thread: int, first: int, last: int) -> None:
            natives[thread].free(given.part(first, last), flags[first:last])

        run(work, given.count, count)
        return flags.reshape(given.lead) if given.lead else bool(flags[0])

    def distance(self, q: ArrayLike, threads: int = 1) -> npt.NDArray[Any]:
        """The least distance of each configuration, and between what.

        Records of distance, body_a, body_b, shape_a, shape_b, point_a, point_b, normal: metres,
        in the world's frame; a distance is negative where shapes overlap and infinite where
        nothing is checked.
        """
        given = rows(q, (self.model.nq,), "q")
        found = np.empty(given.count, PROXIMITY)
        count = thread_count(threads, given.count)
        natives = [self.native(thread) for thread in range(count)]

        def work(thread: int, first: int, last: int) -> None:
            natives[thread].distance(given.part(first, last), found[first:last])

        run(work, given.count, count)
        return found.reshape(given.lead)

    def near(self, q: ArrayLike, distance: float) -> npt.NDArray[Any]:
        """All pairs of bodies of one configuration that are at most so near, as records."""
        pose = vector(q, self.model.nq, "q")
        found = np.empty(0, PROXIMITY)
        while (count := self.native(0).near(pose, distance, found)) > len(found):
            found = np.empty(count, PROXIMITY)
        return found[:count]

    def gradient(self, q: ArrayLike) -> tuple[npt.NDArray[Any], Floats]:
        """The least distance of one configuration, as a record, and how it changes with v, ``(nv,)``.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("panda")
        >>> nearest, slope = arm.collision().gradient(arm.neutral)
        >>> step = arm.integrate(arm.neutral, 1e-6 * slope)
        >>> bool(arm.collision().distance(step)["distance"] > nearest["distance"])
        True
        """
        nearest, slope = np.empty(1, PROXIMITY), np.zeros(self.model.nv)
        self.native(0).gradient(vector(q, self.model.nq, "q"), nearest, slope)
        return nearest[0], slope

    @property
    def pairs(self) -> tuple[tuple[str, str, str], ...]:
        """All pairs of bodies with shapes: their names, and ``"checked"`` or why they are left out."""
        names = self.bodies
        return tuple((names[a], names[b], state) for a, b, state in self.native(0).pairs())

    def __repr__(self) -> str:
        return f"Collision({self.model.name!r}, {len(self.bodies)} bodies)"
