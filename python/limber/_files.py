"""Files that are written."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

PathLike = str | os.PathLike[str]


def write_pieces(path: PathLike, pieces: Sequence[bytes]) -> None:
    """A file of these pieces, whole or not at all."""
    write_file(path, lambda stream: stream.writelines(pieces))


def write_file(path: PathLike, write: Callable[[BinaryIO], None]) -> None:
    """A file that is there whole or not at all: written beside, and then renamed."""
    target = Path(path)
    # other threads and processes may write the same
    part = target.with_name(f"{target.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        with open(part, "wb") as stream:
            write(stream)
        os.replace(part, target)
    except OSError as error:
        # the file that was meant, not the one beside it
        error.filename = str(target)
        raise
    finally:
        part.unlink(missing_ok=True)
