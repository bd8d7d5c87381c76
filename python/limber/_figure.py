"""Figures as text."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from ._errors import LimberError


def svg_text(write: Callable[[Path], None]) -> str:
    """What a function writes to a path, as text: the library draws into files."""
    with tempfile.TemporaryDirectory(prefix="limber-") as folder:
        path = Path(folder) / "figure.svg"
        try:
            write(path)
        except LimberError as error:
            # the path is a temporary file's: it says nothing to the caller
            raise LimberError(error.message, status=error.status) from None
        return path.read_text(encoding="utf-8")


def svg_of(write: Callable[[Path], None]) -> str | None:
    """The same for notebooks: None of what cannot be drawn."""
    try:
        return svg_text(write)
    except LimberError:
        return None
