"""Clips in files: captures, glTF, tables and archives of robot motion."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from . import _core
from ._arrays import Floats
from ._errors import LimberError
from ._files import PathLike, write_pieces
from ._model import Model
from ._parts import warn_of
from ._structure import did_you_mean

if TYPE_CHECKING:
    from ._clip import Clip

GLTF = (".gltf", ".glb", ".vrm")
ROBOT = (".csv", ".npz", ".json")
Table = Literal["recognise", "lafan1", "bones"]


def ending(path: PathLike) -> str:
    """What a file is: .csv, .bvh ..."""
    return Path(os.fspath(path)).suffix.lower()


def metres(unit: float | str) -> float:
    """A unit of length by name, or in metres."""
    if not isinstance(unit, str):
        return unit
    found = _core.unit(unit)
    if found == 0:
        raise ValueError(f"unit: no unit {unit!r}; m, cm, mm, inch, cmu or a number of metres")
    return found


class Opened(NamedTuple):
    """What a file of motion is: its model, its clip, and what else it has."""

    model: Model
    native: _core.Clip
    file: _core.Bvh | _core.Gltf | None = None
    rest: Floats | None = None


def open_bvh(path: PathLike, options: dict[str, Any]) -> Opened:
    """A capture with its own figure."""
    file, found = _core.Bvh.load(path, options)
    warn_of(found)
    model = Model(_core.Model.of_bvh(file))
    native = _core.Clip.of_bvh(file, model.native)
    if native is None:
        raise ValueError(f"{path}: a skeleton without frames; limber.Model.load reads it")
    info = file.describe()
    if not info["rest_frame"]:
        return Opened(model, native, file)
    motion, rest = leave_rest(model, native, info["rest_index"])
    return Opened(model, motion, file, rest)


def leave_rest(model: Model, whole: _core.Clip, rest: int) -> tuple[_core.Clip, Floats]:
    """The motion after a frame that is a rest pose, from 0 on, and that frame."""
    count, interpolation, _ = whole.describe()
    times = np.empty(count)
    whole.times(times)
    memory: Any = whole
    keys = np.frombuffer(memory, np.float64).reshape(count, model.nq)
    after = slice(rest + 1, None)
    later = times[after] - times[after][:1]
    motion = _core.Clip.make(model.native, later, keys[after], interpolation)
    return motion, keys[rest].copy()


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
    hint = did_you_mean(name, names) if isinstance(name, str) else ""
    raise ValueError(f"{path}: no animation {name!r} among {names}{hint}")


def open_robot(path: PathLike, model: Model, table: Table, source_fps: float) -> Opened:
    """A table, an archive or JSON of motion, over a model."""
    kind = ending(path)
    if kind == ".json":
        return open_json(path, model)
    # tables and archives always have where the root is
    moving = model.with_moving_root()
    if kind == ".csv":
        return Opened(moving, _core.Clip.load_csv(path, moving.native, table, source_fps))
    native, found = _core.Clip.load_npz(path, moving.native)
    warn_of(found)
    return Opened(moving, native)


def open_json(path: PathLike, model: Model) -> Opened:
    """JSON of a motion, of a root that moves or of one that does not."""
    try:
        return Opened(model, _core.Clip.load_json(path, model.native))
    except LimberError:
        moving = model.with_moving_root()
        if moving is model:
            raise
        try:
            return Opened(moving, _core.Clip.load_json(path, moving.native))
        except LimberError:
            pass
        raise


def bvh_pieces(clip: Clip) -> list[bytes]:
    """As a capture: that of the file it came from with its frames, or a new one."""
    if isinstance(clip.file, _core.Bvh):
        # as it was read, with a rest pose that was recognised; else its own frames alone
        as_read = clip.is_whole and not clip.info["rest_given"]
        return clip.file.write(None if as_read else clip.native)
    return _core.Bvh.make(clip.native.even(), {}).write(None)


def save(clip: Clip, path: PathLike, table: str, name: str) -> None:
    """See :meth:`Clip.save`."""
    kind = ending(path)
    if kind in GLTF:
        if not isinstance(clip.file, _core.Gltf):
            raise ValueError(
                f"{path}: only a clip that was loaded from a glTF has the nodes and meshes for one; "
                "Gltf.save takes clips over a glTF's model"
            )
        write_pieces(path, clip.file.write([(name, clip.native)], kind != ".gltf", False))
    elif kind == ".csv":
        write_pieces(path, clip.native.even().write_csv(table))
    elif kind == ".npz":
        write_pieces(path, [clip.native.even().write_npz()])
    elif kind == ".json":
        write_pieces(path, [clip.native.write_json().encode()])
    elif kind == ".bvh":
        write_pieces(path, bvh_pieces(clip))
    else:
        raise ValueError(f"{path}: must end in .bvh, .csv, .npz, .json, .gltf, .glb or .vrm")
