"""Clips in files of any kind of motion."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from . import _core
from ._arrays import Floats
from ._files import PathLike, write_pieces
from ._model import Model
from ._parts import warn_of
from ._structure import did_you_mean

if TYPE_CHECKING:
    from ._clip import Clip

Table = Literal["recognise", "lafan1", "bones", "poses"]


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
    file: _core.Motion | None
    rest: Floats | None


def open_motion(
    path: PathLike,
    model: Model | None,
    animation: str | None,
    body: str | None,
    options: dict[str, Any],
) -> Opened:
    """A file of any kind, with a figure of its own or over a model."""
    own = None if model is None else model.native
    file, found = _core.Motion.open(path, own, animation, body, options)
    warn_of(found)
    native, rest = _core.Clip.of_motion(file), file.rest()
    if native is None:
        raise ValueError(f"{path}: a figure without motion; limber.Model.load reads it")
    if model is None:
        pose = None if rest is None else np.frombuffer(rest).copy()
        figure = _core.Model.of_motion(file)
        if file.describe()["kind"] in ("glTF", "GLB"):
            # what it draws says where its soles are: it is pickled as the place of its file
            place = (os.path.abspath(os.fsdecode(path)), animation, body, options)
            return Opened(Model.made_by(figure, figure_again, *place), native, file, pose)
        return Opened(Model(figure), native, file, pose)
    if file.describe()["root_added"]:
        # over the one model that all such motion is over
        model = model.with_moving_root()
        native = copied(native, model)
    return Opened(model, native, None, None)


def figure_again(
    path: str, animation: str | None, body: str | None, options: dict[str, Any]
) -> Model:
    """The figure of a glTF that was pickled."""
    return open_motion(path, None, animation, body, options).model


def copied(native: _core.Clip, model: Model) -> _core.Clip:
    """The same keys over another model of the same tree."""
    count, interpolation, _ = native.describe()
    times = np.empty(count)
    native.times(times)
    memory: Any = native
    keys = np.frombuffer(memory, np.float64).reshape(count, model.nq)
    return _core.Clip.make(model.native, times, keys, interpolation)


def animation_index(file: _core.Gltf, name: str | int, path: PathLike) -> int:
    """An animation by name, or by number from 0."""
    names = [animation[0] for animation in file.animations()]
    if isinstance(name, int) and 0 <= name < len(names):
        return name
    if name in names:
        return names.index(str(name))
    hint = did_you_mean(name, names) if isinstance(name, str) else ""
    raise ValueError(f"{path}: no animation {name!r} among {names}{hint}")


def save(clip: Clip, path: PathLike, table: str, name: str, order: str | None) -> None:
    """See :meth:`Clip.save`."""
    kind = _core.Motion.kind_for(path)
    if kind == "unknown":
        raise ValueError(f"{path}: must end in .bvh, .csv, .npz, .pkl, .json, .gltf, .glb or .vrm")
    if kind == "poses":
        kind = table
    if isinstance(clip.file, _core.Gltf) and kind in ("glTF", "GLB") and order is None:
        write_pieces(path, clip.file.write([(name, clip.native)], kind == "GLB", False))
        return
    file = clip.file if isinstance(clip.file, _core.Motion) else None
    # of a capture as it was read the frames of its file, with a rest pose that was recognised
    as_read = clip.is_whole and file is not None and kind == "BVH"
    native = None if as_read else clip.native
    write_pieces(path, _core.Motion.write(file, native, kind, name, order))
