"""Figures of a model."""

from __future__ import annotations

from typing import Any

from . import _core
from ._arrays import ArrayLike
from ._figure import draw, svg_of, svg_text
from ._files import PathLike
from ._structure import Structure


class Drawing(Structure):
    """Draws a model in poses, or its tree."""

    def draw(
        self,
        path: PathLike,
        q: ArrayLike | None = None,
        *,
        targets: ArrayLike | None = None,
        title: str | None = None,
        width: float | None = None,
        height: float | None = None,
        azimuth: float | None = None,
        elevation: float | None = None,
    ) -> None:
        """Draws poses, the last in full, into a file: .svg, .png or .pdf.

        `targets` are points of the world, drawn as crosses; `azimuth` and `elevation` are the
        viewing direction, radians.
        """
        options = {"width": width, "height": height, "azimuth": azimuth, "elevation": elevation}
        draw(self._model, path, q, targets, title, options)

    def svg(self, q: ArrayLike | None = None, **options: Any) -> str:
        """The figure of :meth:`draw` as the text of an SVG."""
        return svg_text(lambda path: self.draw(path, q, **options))

    def draw_tree(self, path: PathLike, title: str | None = None) -> None:
        """Draws the tree itself: links as nodes, joints as arcs."""
        _core.draw_tree(self.native, path, title)

    def _repr_svg_(self) -> str | None:
        return svg_of(self._model, None)
