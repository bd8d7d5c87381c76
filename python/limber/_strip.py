"""Pictures of motion: strips of moments, and pictures that move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from . import _core
from ._arrays import ArrayLike, vector, without_none
from ._contacts import Contacts
from ._files import PathLike
from ._parts import need
from ._values import compared_by_parts

if TYPE_CHECKING:
    from ._clip import Clip


@compared_by_parts
class StripRow(NamedTuple):
    """A motion in a picture of several; see :meth:`Clip.draw`.

    `contacts` are marked where they rest, `label` is its name, `ground_normal` is perpendicular to
    the ground (of any length, z up, at most 60 degrees from z; found by where contacts rest, else
    level), and the paths of links are drawn where all moments are in one picture.
    """

    clip: Clip
    contacts: Contacts | None = None
    label: str | None = None
    ground_normal: ArrayLike | None = None
    paths: Sequence[str | int] = ()


Below = Union["Clip", StripRow, Sequence[Union["Clip", StripRow]]]


def rows_below(below: Below) -> list[StripRow]:
    """One motion or several, each as a row."""
    several = [below] if isinstance(below, StripRow) or not isinstance(below, Iterable) else below
    return [row if isinstance(row, StripRow) else StripRow(row) for row in several]


def native_row(row: StripRow) -> _core.StripRow:
    """As the extension reads it."""
    clip, contacts = row.clip, row.contacts
    need(getattr(clip, "native", clip), _core.Clip, "clip", "Clip.load reads one from a file")
    if row.ground_normal is not None:
        normal = vector(row.ground_normal, 3, "ground_normal")
    else:
        normal = vector([0, 0, 1] if contacts is None else contacts.find_ground(clip), 3, "normal")
    x, y, z = (float(number) for number in normal)
    links = [clip.model.link_index(link) for link in row.paths]
    held = None if contacts is None else contacts.native
    return (clip.native, held, row.label, (x, y, z), links)


def draw_rows(
    rows: Sequence[StripRow], path: PathLike, title: str | None, options: dict[str, Any], animated: bool
) -> None:
    """The work of Clip.draw and Clip.animate."""
    given = without_none(**options)
    _core.draw_strip([native_row(row) for row in rows], path, title, given, animated)
