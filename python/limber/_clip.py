"""Motion sampled in time: captures, robot motions, key poses."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Unpack

import numpy as np

from . import _core
from ._arrays import ArrayLike, Floats, PoseLike, contiguous, moments, positive, vector, without_none
from ._check import Check, accelerations_of, check_clip, read_thresholds
from ._clip_files import Table, metres, open_motion, save
from ._collision import Collision
from ._contacts import Contacts
from ._figure import svg_of
from ._files import PathLike
from ._errors import LimberError
from ._follow import Path as ToolPath
from ._keywords import with_options
from ._model import Model
from ._options import ContactOptions, GaitOptions, TimingOptions
from ._parts import JointSetting, need, setting_fields
from ._retarget import Retargeting, options_of, pose_at_rest, retarget, standing
from ._srdf import JointLimit, joint_limits
from ._strip import Below, StripRow, draw_rows, rows_below
from ._structure import same_links
from ._task import Task
from ._values import Unchanging

Interpolation = Literal["linear", "cubic", "step"]


class Clip(Unchanging):
    """Configurations of a model at times that increase; it never changes.

    Made by :meth:`load` from a file or by :meth:`make` from arrays.

    Attributes
    ----------
    model : Model
    rate : float
        Keys a second, 0 where they are not evenly spaced, to a thousandth of a gap.
    interpolation : str
        Between keys: ``"linear"``, ``"cubic"`` or ``"step"``.
    rest : ndarray or None
        ``(nq,)``: of a BVH file that begins with one, the pose in which the figure stands upright.

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

    model: Model
    native: _core.Clip
    file: _core.Motion | _core.Gltf | None
    rest: Floats | None
    interpolation: str
    rate: float
    is_whole: bool
    _count: int
    _info: dict[str, Any] | None

    def __init__(
        self,
        model: Model,
        native: _core.Clip,
        file: _core.Motion | _core.Gltf | None = None,
        rest: Floats | None = None,
        info: dict[str, Any] | None = None,
        is_whole: bool = False,
    ) -> None:
        need(native, _core.Clip, "native", "Clip.make makes a clip of keys")
        count, interpolation, rate = native.describe()
        self._set(model=model, native=native, file=file, rest=rest, _info=info, is_whole=is_whole)
        self._set(_count=count, interpolation=interpolation, rate=rate)

    def __reduce__(self) -> tuple[Any, ...]:
        # the keys, without the file that they came from
        kept = (self.model, self.times, self.keys, self.interpolation)
        return clip_again, (*kept, self.rest, self.info)

    @classmethod
    def load(
        cls,
        path: PathLike,
        model: Model | None = None,
        *,
        unit: float | str | None = None,
        up: Literal["recognise", "x", "y", "z"] | None = None,
        rest_frame: bool | int | None = None,
        animation: str | int = 0,
        body: PathLike | None = None,
        table: Table = "recognise",
        source_fps: float | None = None,
    ) -> Clip:
        """Loads a capture, an animation, or a table of motion, by what the file holds.

        Captures (BVH, poses of SMPL) and animations (glTF, GLB) have a figure of their own. A table is over `model`,
        with a floating root where the file moves it and the model's is fixed.

        Parameters
        ----------
        path : path
            A BVH, a glTF or GLB, poses of SMPL (.npz, .pkl); a .csv of a robot or of poses, an array
            (.npy) or archive (.npz) of NumPy, a .pkl of GMR, or limber's JSON of a motion.
        model : Model, optional
            What a table moves.
        unit : float or str, optional
            Of a capture or animation, one unit of length: metres, or ``"m"``, ``"cm"``, ``"mm"``,
            ``"inch"``, ``"cmu"``. Recognised by the size of a BVH's figure; the metre of glTF.
        up : {"x", "y", "z"}, optional
            The axis that is up there; recognised in BVH and SMPL, y of glTF.
        rest_frame : bool or int, optional
            Of a BVH file: the number of a frame, from 0, that is a rest pose before the motion.
            True: 0, False: none; recognised. The clip begins after it, at 0 s, and has it as `rest`.
        animation : str or int
            Of a glTF, by its name or its number from 0.
        body : path, optional
            Of poses of SMPL: a .npy or .npz with the places J of the body's joints, or a body model
            as .npz. Else the proportions of an average person are assumed, with a warning.
        table : {"recognise", "lafan1", "bones", "poses"}
            The kind of a .csv, see limber/formats/motion.h.
        source_fps : float, optional
            Frames a second of a table without times: 30 of lafan1 and of poses, 120 of bones.
        """
        given = without_none(
            unit=None if unit is None else metres(unit),
            up=up,
            kind=None if table == "recognise" else table,
            rate=source_fps,
        )
        if rest_frame is not None:
            said = isinstance(rest_frame, (bool, np.bool_))
            given["rest"] = "no" if said and not rest_frame else "yes"
            given["rest_index"] = 0 if said else int(rest_frame)
        which = None if animation == 0 else str(animation)
        shape = None if body is None else os.fsdecode(body)
        opened = open_motion(path, model, which, shape, given)
        return cls(opened.model, opened.native, opened.file, opened.rest, is_whole=True)

    @classmethod
    def make(
        cls, model: Model, times: ArrayLike, keys: PoseLike, interpolation: Interpolation = "linear"
    ) -> Clip:
        """From times and the configurations at them, ``(N, nq)``."""
        poses, at = contiguous(model.poses(keys, "keys").flat), contiguous(times, "times")
        if at.shape != (len(poses),):
            raise ValueError(f"times: an array of shape {at.shape} where ({len(poses)},) is needed")
        return cls(model, _core.Clip.make(model.native, at, poses, interpolation))

    @classmethod
    @with_options(GaitOptions)
    def walk(cls, figure: Model, **options: Unpack[GaitOptions]) -> tuple[Clip, Contacts]:
        """A figure that walks, and when its heels and toes rest.

        Examples
        --------
        >>> import limber
        >>> human = limber.Model.load("human").with_root("floating")
        >>> walk, feet = limber.Clip.walk(human, cadence=90, cycles=2)
        >>> walk.duration.__round__(2), feet, walk.check(feet).items["slide"].worst < 1e-6
        (2.67, Contacts('human', 4 points, 9 spans), True)
        """
        moving = figure.with_moving_root()
        native, held = _core.walk(moving.native, dict(options))
        return cls(moving, native), Contacts(moving, held)

    @classmethod
    @with_options(TimingOptions)
    def timed(
        cls,
        model: Model,
        tip: str | int,
        path: ToolPath,
        start: PoseLike | None = None,
        *,
        task: Task | None = None,
        joints: Sequence[JointSetting] = (),
        **options: Unpack[TimingOptions],
    ) -> tuple[Clip | None, dict[str, Any]]:
        """The fastest motion along a path within the limits of joints and tool.

        `joints` narrow the limits of the model's, in speed, acceleration and jerk. Returns the clip,
        None where the path cannot be followed, and what came of it.

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
        need(path, ToolPath, "path", "limber.Path makes one of poses")
        fields = (task or Task(tip)).fields(model)
        begin = model.neutral if start is None else model.pose(start, "start")
        settings = setting_fields(joints, model)
        native, made = _core.Clip.time(model.native, path.native, fields, dict(options), settings, begin)
        return None if native is None else cls(model, native), made

    @property
    def info(self) -> dict[str, Any]:
        """Of a clip from a BVH file or a glTF what the file is: unit, up, frames, ...; else empty."""
        if self._info is not None:
            return dict(self._info)
        return (None if self.file is None else self.file.info()) or {}

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
        given = moments(times, "times")
        q = np.empty(given.shape + (self.model.nq,))
        self.native.sample(given.reshape(-1), q)
        return q

    def rates(self, times: ArrayLike) -> tuple[Floats, Floats]:
        """Velocities and accelerations at a time, or one row for each of several."""
        given = moments(times, "times")
        velocities = np.empty(given.shape + (self.model.nv,))
        accelerations = np.empty_like(velocities)
        self.native.rates(given.reshape(-1), velocities, accelerations)
        return velocities, accelerations

    def over(self, model: Model) -> Clip:
        """The same keys over a model of the same tree, as with other limits or locks."""
        if model.nq != self.model.nq:
            raise ValueError(f"model: {model.name!r} has nq={model.nq} where {self.model.nq} is needed")
        if not same_links(model, self.model):
            raise ValueError(
                f"model: {model.name!r} has other links than {self.model.name!r}; retarget moves a motion "
                "onto another model"
            )
        native = _core.Clip.make(model.native, self.times, self.keys, self.interpolation)
        return Clip(model, native, None, self.rest)

    @with_options(ContactOptions)
    def contacts(
        self,
        points: Contacts | None = None,
        rest: PoseLike | None = None,
        **options: Unpack[ContactOptions],
    ) -> Contacts:
        """When the feet rest on the ground: heels and toes of the figure, or other points.

        `points` are taken without their spans; `rest` is a pose in which the feet are flat, else the
        clip's own or that of :meth:`find_rest`. Of a clip without known contacts
        :meth:`Contacts.found` knows more.
        """
        if points is None:
            pose = pose_at_rest(self, self.model) if rest is None else rest
            found = Contacts.soles(self.model, pose)
        else:
            found = points.copy()
        found.detect(self, **options)
        return found

    def check(
        self,
        contacts: Contacts | PathLike | Literal[False] | None = None,
        collision: Collision | None = None,
        *,
        margin: float = 0.0,
        ground: float = 0.0,
        ground_normal: ArrayLike = (0.0, 0.0, 1.0),
        limits: PathLike | Mapping[str, JointLimit] | None = None,
        thresholds: Mapping[str, float] | None = None,
    ) -> Check:
        """What is wrong with the motion: feet that slide, jumps, speeds, broken limits, overlaps.

        It measures what ``limber check`` does, of any motion.

        Parameters
        ----------
        contacts : Contacts, path or False, optional
            When feet rest; detected by :meth:`Contacts.found`. False: nothing is said of feet.
        collision : Collision, optional
            What measures overlaps and pairs of links: ``model.collision(figure=True)``.
        margin : float
            Metres: pairs of links that come as near are in `pairs`.
        ground, ground_normal : float, array_like
            The height of the ground at x = y = 0, metres, and a vector perpendicular to it, of any
            length, z up, at most 60 degrees from z.
        limits : path or mapping, optional
            Limits of joints, which narrow the model's, and of accelerations: a file as MoveIt's
            joint_limits.yaml, or what :meth:`Model.joint_limits` returns.
        thresholds : mapping, optional
            By the names of items: what a value may be; those of limber/check.h.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("planar2")
        >>> poses = [[0, 0], [0, 0], [0.5, 0], [0, 0], [0, 0]]
        >>> found = limber.Clip.make(arm, [k / 64 for k in range(5)], poses).check()
        >>> found
        Check(5 keys: jump)
        >>> found.items["jump"].worst, found.items["jump"].of, found.values["jump"].tolist()
        (0.75, 'shoulder', [0.0, 0.0, 0.75, 0.75, 0.0])
        """
        return check_clip(
            self, contacts, collision, margin, ground, ground_normal, limits, thresholds
        )

    def find_rest(self) -> Floats:
        """The pose in which the figure stands, found from all of its motion.

        It is upright, with arms hanging and feet flat. By it :meth:`retarget` aligns links: the zero
        pose of a capture need not stand, and the axes of its links do not matter. What is moved by
        hinges, as a robot, stands in its neutral pose.

        Examples
        --------
        >>> import limber
        >>> walk, _ = limber.Clip.walk(limber.Model.load("human").with_root("floating"))
        >>> walk.find_rest().shape == (walk.model.nq,)
        True
        """
        found = standing(self, self.model)
        if found is None:
            raise LimberError("no pelvis and legs found, by name or by shape", self.model.name)
        return found

    def fidelity(
        self,
        source: Clip,
        *,
        ground_normal: ArrayLike = (0.0, 0.0, 1.0),
        source_ground_normal: ArrayLike = (0.0, 0.0, 1.0),
        thresholds: Mapping[str, float] | None = None,
    ) -> dict[str, Any]:
        """How like its source the motion is: places of both figures' joints, at equal times.

        Neither sizes nor local axes matter, nor who made the motion. A clip that begins later than
        0 and within the source's time is a piece of it; else times count from the first keys.

        Parameters
        ----------
        source : Clip
            The capture that the motion was made of.
        ground_normal, source_ground_normal : array_like
            Vectors perpendicular to the ground of the clip and of the source, of any length, z up;
            default: level.
        thresholds : mapping, optional
            By the names of items: what a mean may be, of jumps and shifts the largest; those of
            limber/fidelity.h.

        Returns
        -------
        dict
            ``"keys"`` that were compared, ``"duration"`` over the source's, ``"travel"`` and
            ``"source_travel"`` in legs, ``"at_limits"``, the share of values at a limit; and for
            each item (``"trunk"``, ``"heading"``, ``"left arm"`` ...) that both figures have a dict
            of ``"mean"``, ``"p95"``, ``"worst"``, its ``"key"``, and ``"beyond"``.

        Examples
        --------
        >>> import limber
        >>> walk, _ = limber.Clip.walk(limber.Model.load("human").with_root("floating"))
        >>> found = walk.retarget(limber.Model.load("biped"))[0].fidelity(walk)
        >>> found["trunk"]["mean"] < 0.1, found["left leg"]["beyond"]
        (True, False)
        """
        bounds = read_thresholds(thresholds, _core.FIDELITIES)
        grounds = np.array(
            [
                vector(ground_normal, 3, "ground_normal"),
                vector(source_ground_normal, 3, "source_ground_normal"),
            ]
        )
        return _core.clip_fidelity(self.native, source.native, grounds, bounds)

    def retarget(
        self,
        robot: Model,
        *,
        map: Mapping[str, Any] | PathLike | None = None,
        rest: PoseLike | None = None,
        contacts: Contacts | PathLike | None = None,
        fps: float | None = None,
        scale: float | None = None,
        root_scale: float | None = None,
        ground: float = 0.0,
        ground_normal: ArrayLike | None = None,
        source_ground_normal: ArrayLike | None = None,
        limits: PathLike | Mapping[str, JointLimit] | None = None,
        margin: float | None = None,
        collision: Collision | None = None,
        hands: bool = False,
        retime: bool = False,
        no_speed_limits: bool = False,
        no_contacts: bool = False,
        smooth: float | None = None,
        acceleration: float | None = None,
        blend: float | None = None,
        detect: Mapping[str, float] | None = None,
        start: PoseLike | None = None,
    ) -> tuple[Clip, dict[str, Any]]:
        """This motion on another figure: feet stay planted, joints inside their limits and speeds.

        It does what ``limber retarget`` does. Other threads run meanwhile, so several clips can be
        retargeted side by side.

        Parameters
        ----------
        robot : Model
            What is to move; its root becomes a floating one where it is fixed.
        map : mapping or path, optional
            What follows what, as :func:`limber.retarget_map` makes it; a file of it, or of GMR's
            ``ik_configs``. Found by names and shape.
        rest : array_like, optional
            ``(nq,)``: a configuration of this clip's model in which the figure stands upright, arms
            anyhow; that of the clip, else that of :meth:`find_rest`.
        contacts : Contacts or path, optional
            When this clip's feet rest; detected.
        fps : float, optional
            Frames a second of the result; the keys of this clip.
        scale, root_scale : float, optional
            Of positions against the root; of the root's path and height. The map's, else by the
            lengths of legs.
        ground : float
            The height of the target's ground at x = y = 0, metres.
        ground_normal, source_ground_normal : array_like, optional
            ``(3,)``: perpendicular to the target's ground and to this clip's, of any length, z up,
            at most 60 degrees from z. The target's is as the source's, which is found by where feet
            rest.
        limits : path or mapping, optional
            Limits of joints that narrow the robot's, and of accelerations: see
            :meth:`Model.with_limits`.
        margin : float, optional
            Metres that links stay apart, from each other and from a scene; limits come first,
            and held feet, but for millimetres.
        collision : Collision, optional
            What measures that, of the robot with its moving root;
            ``robot.collision(figure=True, margin=margin, always=margin)``.
        hands : bool
            Palms stay near what they touch (each other, head, trunk, arms, legs) and in their
            places on the ground.
        retime : bool
            Where legs would be faster than their limits the motion becomes longer.
        no_speed_limits, no_contacts : bool
            Joints may be as fast as the motion is; feet are not held.
        smooth : float, optional
            The whole motion is solved as one problem, which follows the source up to so many hertz;
            8. With 0 each frame is solved for itself, as ``limber retarget --fast`` does.
        acceleration : float, optional
            The largest acceleration of each joint but the root, rad/s^2 or m/s^2; that of
            ``limits``, else any. Kept in all frames, unless ``smooth`` is 0.
        blend : float, optional
            Seconds over which a foot goes over to and from its place; 0.15.
        detect : mapping, optional
            How this clip's contacts are detected, by options of :meth:`Contacts.detect` but the
            ground's: ``{"enter_height": 0.05, "leave_height": 0.1}``.
        start : array_like, optional
            ``(nq,)`` of the robot: a first guess for the first frame beside the fixed ones.

        Returns
        -------
        Clip, dict
            The clip over the robot, and what was done: ``scale``, ``frames``, ``fastest``,
            ``moved``, ``worst_slide``, ``near``, ... as in lb_retarget_report of
            limber/retarget.h; ``contacts``, which are those of the robot, or None; of a motion
            that was retimed ``seconds_before_retiming``.

        Examples
        --------
        >>> import limber
        >>> walk, feet = limber.Clip.walk(limber.Model.load("human").with_root("floating"))
        >>> motion, done = walk.retarget(limber.Model.load("biped"), fps=50)
        >>> motion.rate, done["worst_slide"] < 1e-4, motion.check(done["contacts"]).failed
        (50.0, True, ())
        """
        options = options_of(
            detect,
            fps=fps,
            scale=scale,
            root_scale=root_scale,
            ground=ground,
            ground_normal=ground_normal,
            source_ground_normal=source_ground_normal,
            hands=hands,
            no_speed_limits=no_speed_limits,
            no_contacts=no_contacts,
            smooth=smooth,
            acceleration=acceleration,
            blend=blend,
        )
        need(robot, Model, "robot", "Model.load reads one from a file")
        target, most = robot.with_moving_root(), None
        if limits is not None:
            known = joint_limits(target, limits)
            target, most = target.with_limits(known), accelerations_of(target, known)
        wanted = Retargeting(target, map, rest, start, most, contacts, margin, collision, retime)
        native, done = retarget(self, wanted, options)
        return Clip(target, native), done

    # ---- clips of this one -------------------------------------------------------------------

    def _of(self, native: _core.Clip) -> Clip:
        return type(self)(self.model, native, self.file, self.rest, self._info)

    def resample(self, rate: float) -> Clip:
        """Keys that are 1 / rate apart."""
        return self._of(self.native.resample(positive(rate, "rate")))

    def even(self) -> Clip:
        """The same poses at times that are exactly even, where files have rounded them.

        An error where gaps differ by more than a thousandth. :meth:`Clip.save` does it for formats
        that have a rate alone.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("planar2")
        >>> clip = limber.Clip.make(arm, [0, 0.33334, 0.66667, 1], arm.random(4))
        >>> clip.rate.__round__(3), clip.even().times
        (3.0, array([0.        , 0.33333333, 0.66666667, 1.        ]))
        """
        return self._of(self.native.even())

    def slice(self, begin: float, end: float) -> Clip:
        """The part from one time to a later one."""
        return self._of(self.native.slice(begin, end))

    def retime(self, begin: float = 0.0, speed: float = 1.0) -> Clip:
        """The same keys, the first at time `begin`, the others `speed` times as fast after it."""
        return self._of(self.native.retime(begin, speed))

    def blend(self, other: Clip, begin: float, end: float) -> Clip:
        """This clip up to `begin`, the other after `end`, and a smooth change in between."""
        need(other, type(self), "other", "clips are blended with clips of the same model")
        return self._of(self.native.blend(other.native, begin, end))

    def mirror(self) -> Clip:
        """The motion as in a mirror: left and right are exchanged, by the names of joints.

        Examples
        --------
        >>> import limber
        >>> human = limber.Model.load("human").with_root("floating")
        >>> clip = limber.Clip.make(human, [0, 1], human.random(2, seed=1))
        >>> bool(abs(clip.mirror().mirror().keys - clip.keys).max() < 1e-12)
        True
        """
        return self._of(self.native.mirror())

    def loop(self, count: int = 1, fade: float = 0.2) -> Clip:
        """The motion `count` times, each joined to the next in its last `fade` seconds.

        A root goes on from where it has come; the last key is the first pose again.
        """
        return self._of(self.native.loop(count, fade))

    # ---- pictures and files ------------------------------------------------------------------

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
        *,
        label: str | None = None,
        ground_normal: ArrayLike | None = None,
        paths: Sequence[str | int] = (),
        below: Below = (),
    ) -> None:
        """Draws moments of the motion side by side on one axis of time: .svg, .png or .pdf.

        `frames` moments are evenly spread from `begin` to `end`, by default all of the clip;
        `overlaid` puts them in one picture. Points of `contacts` are marked where they rest, with
        bars for when. `label`, `ground_normal` and `paths` are those of :class:`StripRow`; `below`
        has further motions at the same times and scale, up to seven. The viewing direction is
        chosen, or `azimuth` and `elevation`, radians.

        Examples
        --------
        >>> import limber, pathlib, tempfile
        >>> walk, feet = limber.Clip.walk(limber.Model.load("human").with_root("floating"))
        >>> motion, done = walk.retarget(limber.Model.load("biped"))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     picture = pathlib.Path(folder, "walk.svg")
        ...     below = limber.StripRow(motion, done["contacts"], "biped")
        ...     walk.draw(picture, frames=6, contacts=feet, below=below)
        ...     picture.read_text().startswith("<?xml")
        True
        """
        row = StripRow(self, contacts, label, ground_normal, paths)
        moments = {"frames": frames, "overlaid": overlaid, "begin": begin, "end": end}
        view = {"width": width, "azimuth": azimuth, "elevation": elevation}
        draw_rows([row, *rows_below(below)], path, title, moments | view, False)

    def animate(
        self,
        path: PathLike,
        frames: int | None = None,
        contacts: Contacts | None = None,
        begin: float | None = None,
        end: float | None = None,
        title: str | None = None,
        width: float | None = None,
        azimuth: float | None = None,
        elevation: float | None = None,
        *,
        label: str | None = None,
        ground_normal: ArrayLike | None = None,
        below: Below = (),
    ) -> None:
        """Draws a picture that moves, over and over: an .svg that needs nothing else.

        It goes from `begin` to `end` in as many seconds. Coordinates are interpolated between
        `frames` moments, by default 30 a second. Motions of `below` move beside it; all else is as
        in :meth:`draw`.
        """
        row = StripRow(self, contacts, label, ground_normal)
        moments = {"frames": frames, "begin": begin, "end": end}
        view = {"width": width, "azimuth": azimuth, "elevation": elevation}
        draw_rows([row, *rows_below(below)], path, title, moments | view, True)

    def save(
        self,
        path: PathLike,
        table: Literal["lafan1", "bones", "poses"] = "lafan1",
        name: str = "motion",
        order: str | Sequence[str] | None = None,
    ) -> None:
        """Writes the motion, as the ending says.

        .bvh: a capture; .csv: a `table` of robot motion or of poses; .npz: an archive of robot motion; .pkl: GMR's; .json;
        .gltf, .glb or .vrm, of clips that came from one: the file with this animation, `name`.
        A clip that was pickled is without its file.
        `order` is that of the joints of an .npz: "depth-first", the default; "breadth-first", as Isaac's
        simulators number them; or the names of all joints.
        """
        listed = order if order is None or isinstance(order, str) else ",".join(order)
        save(self, path, table, name, listed)

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"Clip({self.model.name!r}, {self._count} keys, {self.duration:.4g} s)"

    def _repr_svg_(self) -> str | None:
        return svg_of(self.draw)


def clip_again(
    model: Model,
    times: Floats,
    keys: Floats,
    interpolation: Interpolation,
    rest: Floats | None,
    info: dict[str, Any],
) -> Clip:
    """A clip that was pickled."""
    native = _core.Clip.make(model.native, times, keys, interpolation)
    return Clip(model, native, None, rest, info)
