"""glTF files: a figure, its animations, its map of bones."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from . import _core
from ._arrays import ArrayLike, Floats, moments, without_none
from ._clip import Clip
from ._clip_files import animation_index, ending
from ._files import PathLike, write_pieces
from ._model import Model
from ._parts import warn_of
from ._values import Unchanging


class Gltf(Unchanging):
    """A .gltf, .glb or .vrm with everything in it, which is kept when it is written again.

    Made by :meth:`load`; one animation alone is ``Clip.load(path, animation="walk")``.

    Attributes
    ----------
    model : Model
        The tree of nodes.
    info : dict
        How many nodes, skins and animations there are, the unit, the program that wrote it, ...
    animations : tuple of str
        Their names.
    bones : dict
        Links by VRM's names of humanoid bones.
    """

    native: _core.Gltf
    model: Model
    info: dict[str, Any]
    animations: tuple[str, ...]
    bones: dict[str, str]
    _path: PathLike
    _options: dict[str, Any]

    def __init__(self, native: _core.Gltf, path: PathLike, options: dict[str, Any]) -> None:
        model = Model.made_by(_core.Model.of_gltf(native), model_of, self)
        self._set(native=native, model=model, info=native.info(), _path=path, _options=options)
        self._set(animations=tuple(name for name, _, _ in native.animations()))
        self._set(bones={name: model.links[link].name for name, link in native.bones()})

    def __reduce__(self) -> tuple[Any, ...]:
        # its bytes, so that no place is needed
        whole = b"".join(self.native.write([], True, False))
        return gltf_again, (whole, os.path.basename(os.fspath(self._path)), self._options)

    @classmethod
    def load(
        cls,
        path: PathLike,
        *,
        unit: float | None = None,
        up: Literal["recognise", "x", "y", "z"] | None = None,
        tolerance: float | None = None,
    ) -> Gltf:
        """Loads a file; `unit`, `up` and `tolerance` are those of limber/formats/gltf.h."""
        given = without_none(unit=unit, up=up, tolerance=tolerance)
        native, found = _core.Gltf.load(path, given)
        warn_of(found)
        return cls(native, path, given)

    def clip(self, animation: str | int = 0) -> Clip:
        """An animation as a clip over the model, within 1e-6 of its curves."""
        index = animation_index(self.native, animation, self._path)
        return Clip(self.model, _core.Clip.of_gltf(self.native, self.model.native, index), self.native)

    def at(self, animation: str | int, times: ArrayLike) -> Floats:
        """The configuration at a time, or one for each of several, by the curves themselves."""
        given = moments(times, "times")
        q = np.empty(given.shape + (self.model.nq,))
        index = animation_index(self.native, animation, self._path)
        self.native.sample(index, given.reshape(-1), q)
        return q

    def save(
        self, path: PathLike, clips: Mapping[str, Clip] | None = None, *, only_these: bool = False
    ) -> None:
        """Writes the file with `clips` as animations of these names, binary unless it is a .gltf.

        `only_these`: without the animations that the file has itself.
        """
        added = [(name, clip.native) for name, clip in (clips or {}).items()]
        write_pieces(path, self.native.write(added, ending(path) != ".gltf", only_these))

    def __repr__(self) -> str:
        count = len(self.animations)
        return f"Gltf({len(self.model.links)} links, {count} animation{'' if count == 1 else 's'})"


def model_of(gltf: Gltf) -> Model:
    """The model of a glTF, which is pickled with it: what it draws says where its soles are."""
    return gltf.model


def gltf_again(whole: bytes, name: str, options: dict[str, Any]) -> Gltf:
    """A glTF that was pickled; the library reads it from a file."""
    with tempfile.TemporaryDirectory(prefix="limber-") as folder:
        path = os.path.join(folder, os.path.splitext(name)[0] + ".glb")
        with open(path, "wb") as stream:
            stream.write(whole)
        native, _ = _core.Gltf.load(path, options)
    return Gltf(native, name, options)
