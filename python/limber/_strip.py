"""Pictures of motion: strips of moments, and pictures that move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Union, cast

from . import _core
from ._arrays import ArrayLike, vector
from ._errors import LimberError
from ._figure import svg_text
from ._files import PathLike
from ._parts import need

if TYPE_CHECKING:
    from ._clip import Clip
    from ._contacts import Contacts


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


class Strips:
    """The pictures of a clip."""

    native: _core.Clip

    def draw(
        self,
        path: PathLike,
        frames: int = 10,
        contacts: Contacts | None = None,
        overlaid: bool = False,
        begin: float | None = None,
        end: float | None = None,
        title: str | None = None,
        width: float | None = None,
        azimuth: float | None = None,
        elevation: float | None = None,
        *,
        label: str | None = None,
        ground_normal: ArrayLike | None = None,
        paths: Sequence[str | int] = (),
        below: Below = (),
    ) -> None:
        """Draws moments of the motion side by side on one axis of time: .svg, .png or .pdf.

        `frames` moments are evenly spread from `begin` to `end`, by default all of the clip;
        `overlaid` puts them in one picture. Points of `contacts` are marked where they rest, with
        bars for when. `label`, `ground_normal` and `paths` are those of :class:`StripRow`; `below`
        has further motions at the same times and scale, up to seven. The viewing direction is
        chosen, or `azimuth` and `elevation`, radians.

        Examples
        --------
        >>> import limber, pathlib, tempfile
        >>> walk, feet = limber.Clip.walk(limber.Model.load("human").with_root("floating"))
        >>> motion, done = walk.retarget(limber.Model.load("biped"))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     picture = pathlib.Path(folder, "walk.svg")
        ...     below = limber.StripRow(motion, done["contacts"], "biped")
        ...     walk.draw(picture, frames=6, contacts=feet, below=below)
        ...     picture.read_text().startswith("<?xml")
        True
        """
        row = StripRow(cast("Clip", self), contacts, label, ground_normal, paths)
        options = {
            "frames": frames,
            "overlaid": overlaid,
            "begin": begin,
            "end": end,
            "width": width,
            "azimuth": azimuth,
            "elevation": elevation,
        }
        draw_rows([row, *rows_below(below)], path, title, options, False)

    def animate(
        self,
        path: PathLike,
        frames: int | None = None,
        contacts: Contacts | None = None,
        begin: float | None = None,
        end: float | None = None,
        title: str | None = None,
        width: float | None = None,
        azimuth: float | None = None,
        elevation: float | None = None,
        *,
        label: str | None = None,
        ground_normal: ArrayLike | None = None,
        below: Below = (),
    ) -> None:
        """Draws a picture that moves, over and over: an .svg that needs nothing else.

        It goes from `begin` to `end` in as many seconds. Coordinates are interpolated between
        `frames` moments, by default 30 a second. Motions of `below` move beside it; all else is as
        in :meth:`draw`.
        """
        row = StripRow(cast("Clip", self), contacts, label, ground_normal)
        options = {
            "frames": frames,
            "begin": begin,
            "end": end,
            "width": width,
            "azimuth": azimuth,
            "elevation": elevation,
        }
        draw_rows([row, *rows_below(below)], path, title, options, True)

    def _repr_svg_(self) -> str | None:
        try:
            return svg_text(self.draw)
        except LimberError:
            return None


def rows_below(below: Below) -> list[StripRow]:
    """One motion or several, each as a row."""
    several = [below] if isinstance(below, (Strips, StripRow)) else below
    return [row if isinstance(row, StripRow) else StripRow(row) for row in several]


def native_row(row: StripRow) -> _core.StripRow:
    """As the extension reads it."""
    clip, contacts = row.clip, row.contacts
    need(clip, Strips, "clip", "Clip.load reads one from a file", "Clip")
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
    given = {name: value for name, value in options.items() if value is not None}
    _core.draw_strip([native_row(row) for row in rows], path, title, given, animated)
