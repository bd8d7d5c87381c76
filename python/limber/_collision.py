"""Distances between the links of a model, and to a scene."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import PROXIMITY, Floats, PoseLike, finite, writable
from ._files import PathLike
from ._parts import warn_of
from ._ranges import run, thread_count
from ._structure import same_links
from ._values import Unchanging

if TYPE_CHECKING:
    from ._model import Model


def mesh_fit(name: str) -> str:
    """What stands for meshes, where there is such a thing."""
    if name not in _core.MESH_FITS:
        raise ValueError(f"fit: {name!r} is none of {', '.join(_core.MESH_FITS)}")
    return name


class CollisionSources(NamedTuple):
    """What a check is made with, see :meth:`Model.collision`; of its SRDF the pairs once it is read."""

    scene: PathLike | None
    srdf: PathLike | Literal[False] | None
    figure: bool
    options: dict[str, Any]
    pairs: tuple[tuple[str, str], ...] | None = None


def disabled_pairs(model: Model, srdf: PathLike | Literal[False] | None) -> tuple[tuple[str, str], ...]:
    """Pairs of links that need not be checked."""
    if srdf is False:
        return ()
    with nullcontext(srdf) if srdf is not None else model.srdf_file() as path:
        if path is None:
            return ()
        lists, warnings = _core.srdf(model.native, path, False)
    warn_of(warnings)
    return tuple((model.link_name(a), model.link_name(b)) for a, b, _ in lists["pairs"])


class Collision(Unchanging):
    """Checks configurations of a model; made by :meth:`Model.collision`.

    Threads may share it: each call takes one of the library's checks, which are made as needed.

    Attributes
    ----------
    model : Model
    bodies : tuple of str
        The links by their index, then the obstacles of the scene.
    missing : int
        How many shapes are left out for want of their meshes.
    """

    model: Model
    bodies: tuple[str, ...]
    missing: int
    _given: tuple[PathLike, CollisionSources]
    _arguments: tuple[Any, ...]
    _first: _core.Collision
    _idle: list[_core.Collision]
    _others: list[Collision]

    def __init__(self, model: Model, path: PathLike, given: CollisionSources) -> None:
        if given.scene is not None:
            given = given._replace(scene=os.path.abspath(given.scene))
        if given.pairs is None:
            given = given._replace(pairs=disabled_pairs(model, given.srdf))
        options = dict(given.options)
        if "fit" in options:
            options["fit"] = mesh_fit(options["fit"])
        elif given.figure:
            options["fit"] = mesh_fit("capsule")
        if given.figure:
            options = {"skip_rest": True, "skip_ground": True, "allow_missing": True} | options
        disabled = [model.link_index(link) for pair in given.pairs or () for link in pair]
        arguments = (model.native, path, given.scene or "", given.figure, disabled, options)
        first, found = _core.Collision.make(*arguments)
        missing = first.missing()
        # of a figure it is enough to say how many are missing
        if given.figure and missing > 0:
            text = f"{missing} shapes are left out for want of their meshes"
            found = [(os.fspath(path) or model.name, 0, text)]
        if not given.figure and all(min(a, b) >= len(model.links) for a, b, _ in first.pairs()):
            text = "nothing is checked: no link has a shape that another link or the scene meets; visuals do not count"
            found = [*found, (os.fspath(path) or model.name, 0, text)]
        warn_of(found)
        self._set(model=model, bodies=first.bodies(), missing=missing, _given=(path, given))
        self._set(_arguments=arguments, _first=first, _idle=[first], _others=[])

    def __reduce__(self) -> tuple[Any, ...]:
        # made again: from its scene and its meshes where they are
        return Collision, (self.model, *self._given)

    def copy(self) -> _core.Collision:
        """The same check once more, for what must have one to itself."""
        return _core.Collision.make(*self._arguments)[0]

    @contextmanager
    def borrow(self) -> Iterator[_core.Collision]:
        """One of the extension's checks for a while, to itself."""
        try:
            # of a list both are one step, so that threads never take the same
            native = self._idle.pop()
        except IndexError:
            native = self.copy()
        try:
            yield native
        finally:
            self._idle.append(native)

    def _measure(
        self,
        work: Callable[[_core.Collision, Any, Any], None],
        q: PoseLike,
        kind: Any,
        threads: int,
        out: npt.NDArray[Any] | None,
    ) -> npt.NDArray[Any]:
        """What work(check, rows of q, found) finds of all rows, each thread with a check of its own."""
        given = self.model.poses(q)
        whole: npt.NDArray[Any] = writable(out, given.lead, kind, "out", given.flat)
        found = whole.reshape(given.count)
        count = thread_count(threads, given.count)
        with ExitStack() as stack:
            natives = [stack.enter_context(self.borrow()) for _ in range(count)]
            run(
                lambda thread, a, b: work(natives[thread], given.part(a, b), found[a:b]),
                given.count,
                count,
            )
        return whole

    def on(self, model: Model) -> Collision:
        """This check for a model that differs in its root, limits and locks alone."""
        if model is self.model:
            return self
        # taken once: another thread may put another there meanwhile
        other = next(iter(self._others), None)
        if other is None or other.model is not model:
            if not same_links(model, self.model) and model is not self.model.with_moving_root():
                raise ValueError(
                    f"collision: is of another model: {self.model.name!r} with "
                    f"{len(self.model.links)} links, not {model.name!r} with {len(model.links)}; "
                    "make it by collision() of the model that moves"
                )
            other = Collision(model, *self._given)
            self._others[:] = [other]
        return other

    @property
    def checked(self) -> int:
        """How many pairs of bodies are checked."""
        return sum(state == "checked" for _, _, state in self._first.pairs())

    def free(
        self, q: PoseLike, threads: int = 1, *, out: npt.NDArray[np.bool_] | None = None
    ) -> Any:
        """Whether each configuration keeps the margin everywhere: bool, or an array of them.

        One that has NaN is not free.

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
        flags = self._measure(_core.Collision.free, q, np.bool_, threads, out)
        return flags if flags.ndim else bool(flags)

    def distance(
        self, q: PoseLike, threads: int = 1, *, out: npt.NDArray[Any] | None = None
    ) -> npt.NDArray[Any]:
        """The least distance of each configuration, and between what.

        Records of distance, body_a, body_b, shape_a, shape_b, point_a, point_b, normal: metres,
        in the world's frame; a distance is negative where shapes overlap and infinite where
        nothing is checked. `out` is an array of such records that is written into.
        """
        return self._measure(_core.Collision.distance, q, PROXIMITY, threads, out)

    def near(self, q: PoseLike, distance: float) -> npt.NDArray[Any]:
        """All pairs of bodies of one configuration that are at most so near, as records."""
        pose = finite(self.model.pose(q), "q")
        if math.isnan(distance):
            raise ValueError("distance: NaN is no distance")
        found = np.empty(0, PROXIMITY)
        with self.borrow() as native:
            while (count := native.near(pose, distance, found)) > len(found):
                found = np.empty(count, PROXIMITY)
        return found[:count]

    def gradient(self, q: PoseLike) -> tuple[npt.NDArray[Any], Floats]:
        """The least distance of each configuration, a record, and how it changes with v, ``(..., nv)``.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("panda")
        >>> nearest, slope = arm.collision().gradient(arm.neutral)
        >>> step = arm.integrate(arm.neutral, 1e-6 * slope)
        >>> bool(arm.collision().distance(step)["distance"] > nearest["distance"])
        True
        """
        given = self.model.poses(q)
        nearest, slopes = np.empty(given.count, PROXIMITY), np.zeros((given.count, self.model.nv))
        with self.borrow() as native:
            native.gradient(given.all, nearest, slopes)
        slopes[np.isnan(nearest["distance"])] = np.nan
        return nearest.reshape(given.lead)[()], slopes.reshape((*given.lead, self.model.nv))

    @property
    def pairs(self) -> tuple[tuple[str, str, str], ...]:
        """All pairs of bodies with shapes: their names, and ``"checked"`` or why they are left out."""
        names = self.bodies
        return tuple((names[a], names[b], state) for a, b, state in self._first.pairs())

    def __repr__(self) -> str:
        return f"Collision({self.model.name!r}, {len(self.bodies)} bodies)"
