"""Motion sampled in time: captures, robot motions, key poses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from . import _core
from ._arrays import ArrayLike, Floats, contiguous, rows, vector
from ._check import Check, check_clip
from ._clip_edits import Edits
from ._clip_files import GLTF, Table, ending, open_bvh, open_gltf, open_robot, save
from ._collision import Collision
from ._contacts import Contacts
from ._errors import LimberError
from ._figure import draw_strip, svg_text
from ._files import PathLike
from ._follow import Path as ToolPath
from ._model import Model
from ._retarget import retarget
from ._task import Task

Interpolation = Literal["linear", "cubic", "step"]


class Clip(Edits):
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

    def __init__(
        self, model: Model, native: _core.Clip, file: _core.Bvh | _core.Gltf | None = None
    ) -> None:
        self.model = model
        self.native = native
        self.file = file
        self._count, self.interpolation, self.rate = native.describe()

    @classmethod
    def load(
        cls,
        path: PathLike,
        model: Model | None = None,
        *,
        unit: float | None = None,
        up: Literal["recognise", "x", "y", "z"] | None = None,
        rest_frame: bool | int | None = None,
        animation: str | int = 0,
        table: Table = "recognise",
        rate: float = 0.0,
    ) -> Clip:
        """Loads a capture (.bvh), an animation (.gltf, .glb, .vrm), or a robot's motion.

        Captures and animations have a figure of their own. A robot's motion is over `model`: a
        table (.csv) with `table` and `rate` (frames a second) as in limber/formats/robot_csv.h,
        an archive of NumPy (.npz), or limber's JSON (.json). `unit` (metres) and `up` are what a
        BVH file does not say; they are recognised. `rest_frame` says whether frame 0 of one is a
        rest pose before the motion, or which frame is (an int).
        """
        kind = ending(path)
        if rest_frame is not None and kind != ".bvh":
            raise ValueError(f"{path}: rest_frame is of BVH files alone")
        options: dict[str, Any] = {"unit": unit, "up": up}
        given = {name: value for name, value in options.items() if value is not None}
        if kind in GLTF:
            opened = open_gltf(path, given, animation)
        elif kind not in (".csv", ".npz", ".json"):
            if rest_frame is not None:
                given["rest"] = "no" if rest_frame is False else "yes"
                given["rest_index"] = int(rest_frame) if rest_frame is not True else 0
            opened = open_bvh(path, given)
        elif model is not None:
            opened = open_robot(path, model, table, rate)
        else:
            raise ValueError(f"{path}: a robot's motion needs the model: Clip.load(path, model)")
        return cls(opened.model, opened.native, opened.file)

    @classmethod
    def make(
        cls, model: Model, times: ArrayLike, keys: ArrayLike, interpolation: Interpolation = "linear"
    ) -> Clip:
        """From times and the configurations at them, ``(N, nq)``."""
        poses = contiguous(rows(keys, (model.nq,), "keys").flat)
        return cls(model, _core.Clip.make(model.native, contiguous(times), poses, interpolation))

    @classmethod
    def walk(cls, figure: Model, **options: Any) -> tuple[Clip, Contacts]:
        """A figure that walks, and when its heels and toes rest.

        Options are those of lb_gait in limber/gait.h: step_length, cadence, arm_swing, cycles, ...

        Examples
        --------
        >>> import limber
        >>> human = limber.Model.load("human").with_root("floating")
        >>> walk, feet = limber.Clip.walk(human, cadence=90, cycles=2)
        >>> walk.duration.__round__(2), feet, walk.check(feet).items["slide"].worst < 1e-6
        (2.67, Contacts('human', 4 points, 9 spans), True)
        """
        native, held = _core.walk(figure.native, options)
        return cls(figure, native), Contacts(figure, held)

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
        """Of a clip from a BVH file or a glTF what the file is: unit, up, ...; else empty."""
        return {} if self.file is None else self.file.describe()

    @property
    def times(self) -> Floats:
        """The times of all keys."""
        times = np.empty(self._count)
        self.native.times(times)
        return times

    @property
    def keys(self) -> Floats:
        """The configurations, ``(N, nq)``: the clip's own memory, read only."""
        memory: Any = self.native
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
        self.native.sample(contiguous(given).reshape(-1), q)
        return q

    def rates(self, times: ArrayLike) -> tuple[Floats, Floats]:
        """Velocities and accelerations at a time, or one row for each of several."""
        given = np.asarray(times, np.float64)
        velocities = np.empty(given.shape + (self.model.nv,))
        accelerations = np.empty_like(velocities)
        self.native.rates(contiguous(given).reshape(-1), velocities, accelerations)
        return velocities, accelerations

    def contacts(
        self, points: Contacts | None = None, rest: ArrayLike | None = None, **options: Any
    ) -> Contacts:
        """When the feet rest on the ground: heels and toes of the figure, or other points.

        `points` are taken without their spans; `rest` is a pose in which the feet are flat.
        Options are those of :meth:`Contacts.detect`.
        """
        found = Contacts.soles(self.model, rest) if points is None else points.copy()
        found.detect(self.native, **options)
        return found

    def check(
        self,
        contacts: Contacts | None = None,
        collision: Collision | None = None,
        *,
        ground: float = 0.0,
        ground_normal: ArrayLike = (0.0, 0.0, 1.0),
        thresholds: Mapping[str, float] | None = None,
    ) -> Check:
        """What is wrong with the motion: feet that slide, jumps, speeds, broken limits, overlaps.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("planar2")
        >>> found = limber.Clip.make(arm, [0, 1], [[0, 0], [0.9, 0]]).check()
        >>> found
        Check(2 keys: jump)
        >>> found.items["jump"].worst, found.values["jump"].tolist()
        (0.9, [0.0, 0.9])
        """
        return check_clip(
            self.native, self._count, contacts, collision, ground, ground_normal, thresholds
        )

    def retarget(
        self,
        robot: Model,
        *,
        rest: ArrayLike | None = None,
        map: Mapping[str, Any] | None = None,
        contacts: Contacts | None = None,
        **options: Any,
    ) -> tuple[Clip, dict[str, Any]]:
        """This motion on another figure: feet stay planted, joints inside their limits and speeds.

        Parameters
        ----------
        robot : Model
            What is to move. It needs a floating or planar root, see :meth:`Model.with_root`.
        rest : array_like, optional
            A configuration of this clip's model in which the figure stands upright; the neutral one.
        map : mapping, optional
            What follows what, as :func:`limber.retarget_map` makes it; by names and shape.
        contacts : Contacts, optional
            When this clip's feet rest; detected.
        **options
            Those of limber/retarget.h: rate, scale, root_scale, ground, ground_normal, any_speed,
            unlocked, hands, blend; and source_ground_normal, which is found where it is not given.

        Returns
        -------
        Clip, dict
            The clip over `robot`, and what was done: scale, frames, slowed, worst_slide, ..., and
            contacts, which are those of `robot`, or None.

        Examples
        --------
        >>> import limber
        >>> human = limber.Model.load("human").with_root("floating")
        >>> clip = limber.Clip.make(human, [0, 0.1], [human.neutral, human.neutral])
        >>> motion, done = clip.retarget(human)
        >>> len(motion), done["worst_slide"] < 1e-3, done["contacts"]
        (2, True, Contacts('human', 4 points, 4 spans))
        """
        native, done = retarget(self.model, self.native, robot, rest, map, contacts, options)
        return Clip(robot, native), done

    def save(
        self,
        path: PathLike,
        table: Literal["lafan1", "bones"] = "lafan1",
        name: str = "motion",
    ) -> None:
        """Writes the motion, as the ending says.

        .bvh: a capture; .csv: a `table` of robot motion; .npz: an archive of robot motion; .json;
        .gltf, .glb or .vrm, of clips that came from one: the file with this animation, `name`.
        """
        save(self, path, table, name)

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"Clip({self.model.name!r}, {self._count} keys, {self.duration:.4g} s)"

    def draw(
        self,
        path: PathLike,
        frames: int = 10,
        contacts: Contacts | None = None,
        overlaid: bool = False,
        begin: float | None = None,
        end: float | None = None,
        title: str | None = None,
        width: float | None = None,
        azimuth: float | None = None,
        elevation: float | None = None,
    ) -> None:
        """Draws moments of the motion side by side on one axis of time: .svg, .png or .pdf.

        `frames` moments are evenly spread from `begin` to `end`, by default all of the clip;
        `overlaid` puts them in one picture. Points of `contacts` are marked where they rest, with
        bars for when. The viewing direction is chosen, or `azimuth` and `elevation`, radians.

        Examples
        --------
        >>> import limber, pathlib, tempfile
        >>> walk, feet = limber.Clip.walk(limber.Model.load("human").with_root("floating"))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     picture = pathlib.Path(folder, "walk.svg")
        ...     walk.draw(picture, frames=6, contacts=feet)
        ...     picture.read_text().startswith("<?xml")
        True
        """
        options = {
            "frames": frames,
            "overlaid": overlaid,
            "begin": begin,
            "end": end,
            "width": width,
            "azimuth": azimuth,
            "elevation": elevation,
        }
        held = None if contacts is None else contacts.native
        draw_strip(self.native, path, held, title, options)

    def _repr_svg_(self) -> str | None:
        try:
            return svg_text(self.draw)
        except LimberError:
            return None
