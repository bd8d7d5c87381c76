"""Files that are written."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

PathLike = str | os.PathLike[str]


def write_pieces(path: PathLike, pieces: Sequence[bytes]) -> None:
    """A file that is there whole or not at all: written beside, and then renamed."""
    target = Path(path)
    part = target.with_name(target.name + ".part")
    try:
        with open(part, "wb") as stream:
            stream.writelines(pieces)
        os.replace(part, target)
    except OSError as error:
        # the file that was meant, not the one beside it
        error.filename = str(target)
        raise
    finally:
        part.unlink(missing_ok=True)
