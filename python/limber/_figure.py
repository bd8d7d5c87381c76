"""Figures of models, poses and workspaces."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._arrays import ArrayLike, Floats, contiguous, rows
from ._errors import LimberError
from ._files import PathLike

if TYPE_CHECKING:
    from ._model import Model


def draw(
    model: Model,
    path: PathLike,
    q: ArrayLike | None,
    targets: ArrayLike | None,
    title: str | None,
    options: dict[str, Any],
) -> None:
    """The work of Model.draw."""
    poses = np.empty(0) if q is None else contiguous(rows(q, (model.nq,), "q").flat)
    crosses = np.empty(0) if targets is None else contiguous(rows(targets, (3,), "targets").flat)
    given = {name: value for name, value in options.items() if value is not None}
    _core.draw(model.native, path, poses, crosses, title, given)


def svg_text(write: Callable[[Path], None]) -> str:
    """What a function writes to a path, as text: the library draws into files."""
    with tempfile.TemporaryDirectory(prefix="limber-") as folder:
        path = Path(folder) / "figure.svg"
        write(path)
        return path.read_text(encoding="utf-8")


def svg_of(model: Model, q: Floats | None) -> str | None:
    """For notebooks: a figure, or None where the model cannot be drawn."""
    try:
        return svg_text(lambda path: draw(model, path, q, None, None, {}))
    except LimberError:
        return None
