"""Clips in files: captures, glTF, tables and archives of robot motion."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from . import _core
from ._files import PathLike, write_pieces
from ._model import Model
from ._parts import warn_of

if TYPE_CHECKING:
    from ._clip import Clip

GLTF = (".gltf", ".glb", ".vrm")
Table = Literal["recognise", "lafan1", "bones"]


def ending(path: PathLike) -> str:
    """"What a file is: .csv, .bvh ..."""
    return Path(os.fspath(path)).suffix.lower()


class Opened:
    """What a file of motion is: its model, its clip, and what else it has."""

    def __init__(self, model: Model, native: _core.Clip, file: _core.Bvh | _core.Gltf | None) -> None:
        self.model = model
        self.native = native
        self.file = file


def open_bvh(path: PathLike, options: dict[str, Any]) -> Opened:
    """A capture with its own figure."""
    file, found = _core.Bvh.load(path, options)
    warn_of(found)
    model = Model(_core.Model.of_bvh(file))
    native = _core.Clip.of_bvh(file, model.native)
    if native is None:
        raise ValueError(f"{path}: a skeleton without frames; limber.Model.load reads it")
    return Opened(model, native, file)


def open_gltf(path: PathLike, options: dict[str, Any], name: str | int) -> Opened:
    """An animation of a glTF, over the model of its nodes."""
    file, found = _core.Gltf.load(path, options)
    warn_of(found)
    model = Model(_core.Model.of_gltf(file))
    index = animation_index(file, name, path)
    return Opened(model, _core.Clip.of_gltf(file, model.native, index), file)


def animation_index(file: _core.Gltf, name: str | int, path: PathLike) -> int:
    """An animation by name, or by number from 0."""
    names = [animation[0] for animation in file.animations()]
    if isinstance(name, int) and 0 <= name < len(names):
        return name
    if name in names:
        return names.index(str(name))
    raise ValueError(f"{path}: no animation {name!r} among {names}")


def open_robot(path: PathLike, model: Model, table: Table, rate: float) -> Opened:
    """A table, an archive or JSON of motion, over a model."""
    kind = ending(path)
    if kind == ".csv":
        return Opened(model, _core.Clip.load_csv(path, model.native, table, rate), None)
    if kind == ".json":
        return Opened(model, _core.Clip.load_json(path, model.native), None)
    native, found = _core.Clip.load_npz(path, model.native)
    warn_of(found)
    return Opened(model, native, None)


def bvh_pieces(clip: Clip) -> list[bytes]:
    """As a capture: that of the file it came from with its frames, or a new one."""
    if isinstance(clip.file, _core.Bvh):
        return clip.file.write(clip.native)
    return _core.Bvh.make(clip.native, {}).write(None)


def save(clip: Clip, path: PathLike, table: str, name: str) -> None:
    """See :meth:`Clip.save`."""
    kind = ending(path)
    if kind in GLTF:
        if not isinstance(clip.file, _core.Gltf):
            raise ValueError(f"{path}: only a clip that was loaded from a glTF can become one")
        write_pieces(path, clip.file.write([(name, clip.native)], kind != ".gltf", False))
    elif kind == ".csv":
        write_pieces(path, clip.native.write_csv(table))
    elif kind == ".npz":
        write_pieces(path, [clip.native.write_npz()])
    elif kind == ".json":
        write_pieces(path, [clip.native.write_json().encode()])
    elif kind == ".bvh":
        write_pieces(path, bvh_pieces(clip))
    else:
        raise ValueError(f"{path}: must end in .bvh, .csv, .npz, .json, .gltf, .glb or .vrm")
