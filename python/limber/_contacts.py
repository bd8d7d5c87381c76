"""When points of a figure rest on the ground."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from . import _core
from ._arrays import ArrayLike, Floats, PoseLike, finite, vector
from ._errors import LimberError
from ._files import PathLike, write_pieces
from ._keywords import with_options
from ._model import Model
from ._options import ContactOptions
from ._parts import warn_of

if TYPE_CHECKING:
    from ._clip import Clip


def looks_of(model: Model) -> _core.Looks | None:
    """What a glTF's figure draws, for its soles; None of others, and of broken ones after a warning."""
    try:
        return _core.Looks.of(model.native)
    except LimberError as error:
        warn_of([(error.path, error.line, error.message)])
        return None


class ContactPoint(NamedTuple):
    """A point that may be held: where it is in a link, and its height above the ground then.

    With `any_height` it rests at any height, as a hand on a rail: how far it slides is measured in
    space, and neither floating nor penetration.
    """

    link: str
    at: tuple[float, ...] = (0.0, 0.0, 0.0)
    height: float = 0.0
    any_height: bool = False


class Contacts:
    """Points of links, and the spans of time in which each of them is held in its place.

    Made from points by hand, by :meth:`soles`, :meth:`load` or :meth:`Clip.contacts`.

    Attributes
    ----------
    model : Model

    Examples
    --------
    >>> import limber
    >>> human = limber.Model.load("human").with_root("floating")
    >>> feet = limber.Contacts.soles(human)
    >>> feet.add(0, 0, 0.5)
    >>> feet.add(0, 0.4, 1)
    >>> feet.cut(0, 0.7, 0.8)
    >>> feet.spans(0)
    array([[0. , 0.7],
           [0.8, 1. ]])
    >>> feet.at(0.6)
    array([ True, False, False, False])
    """

    def __init__(self, model: Model, points: Sequence[ContactPoint] | _core.Contacts) -> None:
        self.model = model
        if isinstance(points, _core.Contacts):
            self.native = points
        else:
            self.native = _core.Contacts.make([point_fields(model, p) for p in points])

    def __reduce__(self) -> tuple[Any, ...]:
        spans = [self.spans(point) for point in range(len(self))]
        return contacts_again, (self.model, self.points, spans)

    @classmethod
    def soles(cls, model: Model, rest: PoseLike | None = None) -> Contacts:
        """Heel and toe of the left foot, then of the right; `rest` is a pose with flat feet.

        They are where the feet's shapes are lowest; of a glTF's figure, where its meshes are.
        """
        pose = None if rest is None else finite(model.pose(rest, "rest"), "rest")
        return cls(model, _core.Contacts.soles(model.native, pose, looks_of(model)))

    @classmethod
    def found(
        cls,
        clip: Clip,
        rest: PoseLike | None = None,
        *,
        ground: float = 0.0,
        ground_normal: ArrayLike = (0.0, 0.0, 1.0),
    ) -> tuple[Contacts, bool]:
        """When the soles of a figure rest in any clip, as ``limber check`` detects it.

        Without landing and lifting off. The second result says that the soles are assumed: the feet
        have no shapes and no mesh is drawn of them, and the points' heights are those at which they
        rest. `rest` is a pose with flat feet, that of the clip's file, else the neutral one where the
        soles are known and that of :meth:`Clip.find_rest` where they are assumed; `ground` the
        height of the ground at x = y = 0, metres, and `ground_normal` a vector perpendicular to it,
        of any length.
        """
        rest = clip.rest if rest is None else rest
        pose = None if rest is None else finite(clip.model.pose(rest, "rest"), "rest")
        plane = np.array([ground, *vector(ground_normal, 3, "ground_normal")])
        native, assumed = _core.Contacts.found(clip.native, pose, looks_of(clip.model), plane)
        return cls(clip.model, native), assumed

    @classmethod
    def load(cls, path: PathLike, model: Model) -> Contacts:
        """From a file of JSON, as :meth:`save` and ``limber retarget --write-contacts`` write it."""
        return cls(model, _core.Contacts.load(path, model.native))

    def save(self, path: PathLike) -> None:
        """Writes JSON, see docs/format.md."""
        write_pieces(path, [self.native.write(self.model.native).encode()])

    def copy(self) -> Contacts:
        """The same points, without spans."""
        return Contacts(self.model, self.points)

    # ---- reading -----------------------------------------------------------------------------

    @property
    def points(self) -> tuple[ContactPoint, ...]:
        """All points."""
        return tuple(
            ContactPoint(self.model.link_name(p["link"]), p["at"], p["height"], p["any_height"])
            for p in self.native.points()
        )

    def spans(self, point: int) -> Floats:
        """``(n, 2)``: begin and end of each span of a point, in order."""
        return np.array(self.native.spans(point)).reshape(-1, 2)

    def at(self, time: float) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Whether each point is held at a time."""
        spans = [self.spans(point) for point in range(len(self))]
        return np.array([bool(((s[:, 0] <= time) & (time <= s[:, 1])).any()) for s in spans])

    # ---- changing ----------------------------------------------------------------------------

    def add(self, point: int, begin: float, end: float) -> None:
        """The point is held from `begin` to `end`; spans that it touches become one with it."""
        self.native.add(point, begin, end)

    def cut(self, point: int, begin: float, end: float) -> None:
        """The point is free between the two times."""
        self.native.cut(point, begin, end)

    def shift(self, by: float) -> None:
        """All spans `by` seconds later, as when a clip is given another begin."""
        self.native.shift(by)

    def move(self, point: int, to: ContactPoint) -> None:
        """Where it is held: another point, or another height. Spans stay."""
        self.native.move(point, point_fields(self.model, to))

    @with_options(ContactOptions)
    def detect(self, clip: Clip, **options: Unpack[ContactOptions]) -> None:
        """Finds the spans of all points in a clip, in place of those that are there."""
        self.native.detect(clip.native, with_vectors(options))

    @with_options(ContactOptions)
    def measure_heights(self, clip: Clip, **options: Unpack[ContactOptions]) -> None:
        """Sets each point's height to how high above the ground it is while it rests."""
        self.native.measure_heights(clip.native, with_vectors(options))

    def find_ground(self, clip: Clip) -> Floats:
        """The normal of the plane on which the points rest in a clip, ``(3,)``, of unit length.

        z where the spans do not prove a slope: level ground, stairs, few spans. Points of any height
        do not count.

        Examples
        --------
        >>> import limber
        >>> walk, feet = limber.Clip.walk(limber.Model.load("human"))
        >>> feet.find_ground(walk)
        array([0., 0., 1.])
        """
        return np.array(self.native.find_ground(clip.native))

    def __len__(self) -> int:
        return len(self.native.points())

    def __repr__(self) -> str:
        spans = sum(len(self.native.spans(point)) for point in range(len(self)))
        return f"Contacts({self.model.name!r}, {len(self)} points, {spans} spans)"


def read_contacts(given: Contacts | PathLike, model: Model) -> Contacts:
    """Contacts as they are, or from a file."""
    if isinstance(given, Contacts):
        return given
    if isinstance(given, (str, os.PathLike)):
        return Contacts.load(given, model)
    raise TypeError(f"contacts: Contacts or the path of a file are needed, not {given!r}")


def with_vectors(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options with their normals as arrays."""
    return {
        name: vector(value, 3, name) if name.endswith("normal") else value
        for name, value in options.items()
    }


def point_fields(model: Model, point: ContactPoint) -> dict[str, Any]:
    """As the extension reads it."""
    return {
        "link": model.link_index(point.link),
        "at": vector(point.at, 3, "at"),
        "height": float(point.height),
        "any_height": bool(point.any_height),
    }


def contacts_again(model: Model, points: Sequence[ContactPoint], spans: Sequence[Floats]) -> Contacts:
    """Contacts that were pickled."""
    made = Contacts(model, points)
    for point, held in enumerate(spans):
        for begin, end in held:
            made.add(point, begin, end)
    return made
