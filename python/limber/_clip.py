"""Motion sampled in time: captures, robot motions, key poses."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal

import numpy as np

from . import _core
from ._arrays import ArrayLike, Floats, contiguous, rows, vector
from ._figure import PathLike, svg_of
from ._follow import Path as ToolPath
from ._model import Model
from ._parts import warn_of
from ._task import Task

Interpolation = Literal["linear", "cubic", "step"]


def write_pieces(path: PathLike, pieces: list[bytes]) -> None:
    """A file that is there whole or not at all: written beside, and then renamed."""
    target = Path(path)
    part = target.with_name(target.name + ".part")
    try:
        with open(part, "wb") as stream:
            stream.writelines(pieces)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


class Clip:
    """Configurations of a model at times that increase; it never changes.

    Made by :meth:`load` from a file or by :meth:`make` from arrays.

    Attributes
    ----------
    model : Model

    Examples
    --------
    >>> import limber
    >>> arm = limber.Model.load("planar2")
    >>> clip = limber.Clip.make(arm, [0, 1], [[0, 0], [1, 0.5]])
    >>> clip.at(0.5)
    array([0.5 , 0.25])
    >>> clip.at([0, 0.25, 1]).shape
    (3, 2)
    """

    def __init__(self, model: Model, native: _core.Clip, capture: _core.Bvh | None = None) -> None:
        self.model = model
        self._native = native
        self._capture = capture
        self._count, self.interpolation, self.rate = native.describe()

    @classmethod
    def load(
        cls,
        path: PathLike,
        model: Model | None = None,
        *,
        unit: float | None = None,
        up: Literal["recognise", "x", "y", "z"] | None = None,
        table: Literal["recognise", "lafan1", "bones"] = "recognise",
        rate: float = 0.0,
    ) -> Clip:
        """Loads a BVH file, or a table of robot motion (.csv) over `model`.

        `unit` (metres) and `up` are what a BVH file does not say; they are recognised. `table` and
        `rate` (frames a second) are those of limber/formats/robot_csv.h.
        """
        if os.fspath(path).lower().endswith(".csv"):
            if model is None:
                raise ValueError("a table of robot motion needs the model: Clip.load(path, model)")
            return cls(model, _core.Clip.load_csv(path, model.native, table, rate))
        options: dict[str, Any] = {}
        if unit is not None:
            options["unit"] = unit
        if up is not None:
            options["up"] = up
        capture, found = _core.Bvh.load(path, options)
        warn_of(found)
        own = Model(_core.Model.of_bvh(capture))
        native = _core.Clip.of_bvh(capture, own.native)
        if native is None:
            raise ValueError(f"{path}: a skeleton without frames; limber.Model.load reads it")
        return cls(own, native, capture)

    @classmethod
    def make(
        cls, model: Model, times: ArrayLike, keys: ArrayLike, interpolation: Interpolation = "linear"
    ) -> Clip:
        """From times and the configurations at them, ``(N, nq)``."""
        poses = contiguous(rows(keys, (model.nq,), "keys").flat)
        return cls(model, _core.Clip.make(model.native, contiguous(times), poses, interpolation))

    @classmethod
    def timed(
        cls,
        model: Model,
        tip: str | int,
        path: ToolPath,
        start: ArrayLike | None = None,
        *,
        task: Task | None = None,
        **options: Any,
    ) -> tuple[Clip | None, dict[str, Any]]:
        """The fastest motion along a path within the limits of joints and tool.

        Options are those of lb_timing in limber/timing.h: speed, acceleration and jerk of the
        tool, rate (samples a second), any_start. Returns the clip, None where the path cannot be
        followed, and what came of it.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("ur5")
        >>> q = [0.2, -1.2, 1.4, -0.6, 0.5, 0.1]
        >>> path = limber.Path(arm.fk([q, [0.4, -1.0, 1.3, -0.6, 0.5, 0.1]], "tool0"))
        >>> clip, made = limber.Clip.timed(arm, "tool0", path, q, speed=0.25)
        >>> made["outcome"], clip.rate, made["velocity"] <= 1
        ('reached', 1000.0, True)
        """
        fields = (task or Task(tip)).fields(model)
        begin = model.neutral if start is None else vector(start, model.nq, "start")
        native, made = _core.Clip.time(model.native, path.native, fields, options, begin)
        return None if native is None else cls(model, native), made

    @property
    def info(self) -> dict[str, Any]:
        """Of a clip from a BVH file what the file is: unit, up, rest_frame, ...; else empty."""
        return {} if self._capture is None else self._capture.describe()

    @property
    def times(self) -> Floats:
        """The times of all keys."""
        times = np.empty(self._count)
        self._native.times(times)
        return times

    @property
    def keys(self) -> Floats:
        """The configurations, ``(N, nq)``: the clip's own memory, read only."""
        memory: Any = self._native
        return np.frombuffer(memory, np.dtype(np.float64)).reshape(self._count, self.model.nq)

    @property
    def duration(self) -> float:
        """From the first key to the last."""
        times = self.times
        return float(times[-1] - times[0])

    def at(self, times: ArrayLike) -> Floats:
        """The pose at a time, or one for each of several."""
        given = np.asarray(times, np.float64)
        q = np.empty(given.shape + (self.model.nq,))
        self._native.sample(contiguous(given).reshape(-1), q)
        return q

    def rates(self, times: ArrayLike) -> tuple[Floats, Floats]:
        """Velocities and accelerations at a time, or one row for each of several."""
        given = np.asarray(times, np.float64)
        velocities = np.empty(given.shape + (self.model.nv,))
        accelerations = np.empty_like(velocities)
        self._native.rates(contiguous(given).reshape(-1), velocities, accelerations)
        return velocities, accelerations

    def resample(self, rate: float) -> Clip:
        """Keys that are 1 / rate apart."""
        return Clip(self.model, self._native.resample(rate), self._capture)

    def slice(self, begin: float, end: float) -> Clip:
        """The part from one time to a later one."""
        return Clip(self.model, self._native.slice(begin, end), self._capture)

    def retime(self, begin: float = 0.0, speed: float = 1.0) -> Clip:
        """The same keys, the first at time `begin`, the others `speed` times as fast after it."""
        return Clip(self.model, self._native.retime(begin, speed), self._capture)

    def blend(self, other: Clip, begin: float, end: float) -> Clip:
        """This clip up to `begin`, the other after `end`, and a smooth change in between."""
        return Clip(self.model, self._native.blend(other._native, begin, end), self._capture)

    def retarget(
        self, robot: Model, *, rest: ArrayLike | None = None, **options: Any
    ) -> tuple[Clip, dict[str, Any]]:
        """This motion on another figure: feet stay planted, joints inside their limits and speeds.

        Links are paired by names and by the shape of the trees. `rest` is a configuration of this
        clip's model in which the figure stands upright; the neutral one. `robot` needs a floating
        or planar root, see :meth:`Model.with_root`. Options are those of limber/retarget.h: rate,
        scale, root_scale, ground, any_speed, unlocked, blend.

        Returns the clip over `robot`, and what was done: scale, frames, slowed, worst_slide, ...

        Examples
        --------
        >>> import limber
        >>> human = limber.Model.load("human").with_root("floating")
        >>> clip = limber.Clip.make(human, [0, 0.1], [human.neutral, human.neutral])
        >>> motion, done = clip.retarget(human)
        >>> len(motion), done["worst_slide"] < 1e-3
        (2, True)
        """
        stand = None if rest is None else vector(rest, self.model.nq, "rest")
        native, done = self._native.retarget(robot.native, options, stand)
        return Clip(robot, native), done

    def save(self, path: PathLike, table: Literal["lafan1", "bones"] = "lafan1") -> None:
        """Writes a .bvh file, of clips that came from one, or a .csv table of robot motion."""
        if os.fspath(path).lower().endswith(".csv"):
            write_pieces(path, self._native.write_csv(table))
        elif self._capture is not None:
            write_pieces(path, self._capture.write(self._native))
        else:
            raise ValueError(f"{path}: only a clip that was loaded from a BVH file can become one")

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"Clip({self.model.name!r}, {self._count} keys, {self.duration:.4g} s)"

    def _repr_svg_(self) -> str | None:
        times = self.times
        return svg_of(self.model, self.at(np.linspace(times[0], times[-1], 5)))
