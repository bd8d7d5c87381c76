"""Models: the immutable tree of links and joints, and all that is made from it."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePath
from typing import Any, Literal, TypedDict, Unpack

import numpy as np

from . import _core
from ._arrays import ArrayLike, PoseLike, contiguous, kept, rows, without_none
from ._assembly import Assembly
from ._body import Body, BodyTask
from ._collision import Collision, CollisionSources
from ._elbow import Elbow
from ._errors import LimberError
from ._figure import svg_of, svg_text
from ._files import PathLike
from ._follow import Follow, follow
from ._follow import Path as ToolPath
from ._ik import Ik, Protocol
from ._ik_result import IkResult
from ._keywords import with_options
from ._kinematics import Kinematics
from ._options import (
    BodyOptions,
    CollisionOptions,
    FollowOptions,
    PlacementOptions,
    WorkspaceOptions,
)
from ._parts import JointSetting, Locks, need, setting_fields, warn_of
from ._placement import Placement
from ._reach_map import Content, MapJob, ReachMap, reach_map, reach_map_file
from ._srdf import JointLimit, Srdf, joint_limits
from ._task import Task, TaskKind
from ._workspace import Workspace

ROOT_KINDS = {"fixed": 0, "planar": 5, "floating": 7}
DH_KINDS = {"revolute": 0, "prismatic": 1, "continuous": 2, "R": 0, "P": 1, "C": 2}


# what an XML file declares before its encoding, and that
ENCODING = r"""(\A\s*<\?xml[^>]*?)\s+encoding\s*=\s*(?:"[^"]*"|'[^']*')"""


def plain_number(value: Any) -> Any:
    """What ``json.dumps`` makes of NumPy's numbers and arrays."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"limber JSON has no {type(value).__name__}")


class IkOptions(TypedDict, total=False):
    """Keywords of Model.ik.

    kind, base, tool, ...
        As in :meth:`ik`.
    """

    protocol: Protocol
    kind: TaskKind
    base: str | int | None
    tool: ArrayLike | None
    free_axis: ArrayLike | None
    free_position: str
    tasks: Sequence[Task] | None
    locks: Locks
    position_tolerance: float | None
    rotation_tolerance: float | None
    iterations: int | None
    seed: int | None
    seeds: int | None
    length: float | None
    damping: float | None
    step_limit: float | None
    width: int | None
    closest: bool | None
    no_nudge: bool | None
    gains: ArrayLike | None
    desired: PoseLike | None
    control: Literal["gradient", "square"] | None
    adaptive: bool | None
    alpha: float | None
    rank: Literal["gain", "recency", "room"] | None
    bend: int | None
    pole: ArrayLike | None


class DrawOptions(TypedDict, total=False):
    """Keywords of Model.draw.

    targets, title, ...
        As in :meth:`draw`.
    """

    targets: ArrayLike | None
    title: str | None
    width: float | None
    height: float | None
    azimuth: float | None
    elevation: float | None


class Model(Kinematics):
    """A linkage: a robot, a figure, a mechanism. It never changes; threads may share it.

    Made by :meth:`load`, :meth:`from_urdf`, :meth:`from_json` or :meth:`from_dh`. Metres and
    radians; quaternions are w x y z; a configuration `q` has `nq` numbers and a velocity `nv`.

    Examples
    --------
    >>> import limber
    >>> arm = limber.Model.load("panda")
    >>> arm
    Model('panda', 12 links, nq=8)
    >>> arm.joints[0].name, arm.joints[0].kind
    ('panda_joint1', 'revolute')
    >>> arm.limits[:2]
    array([[-2.8973,  2.8973],
           [-1.7628,  1.7628]])
    """

    _path: PathLike
    # the same model with a moving root, once it is made
    _moving: list[Model]
    # of a figure that draws itself: what makes it again, and of what
    _again: tuple[Any, ...] | None
    # of a model that was pickled: the bytes of what was beside its file
    _srdf: bytes | None

    def __init__(self, native: _core.Model) -> None:
        if not isinstance(native, _core.Model):
            raise TypeError(f"limber.Model.load({native!r}) reads a model; Model() alone makes none")
        super().__init__(native)
        self._set(_path="", _moving=[], _again=None, _srdf=None)

    # ---- made from files and tables ------------------------------------------------------

    @classmethod
    def load(
        cls, name: PathLike, *, strict: bool = False, loops: PathLike | None = None
    ) -> Model:
        """Loads a file (URDF, MJCF, JSON, BVH, glTF) or a model that is built in, by name.

        What looks like a mistake in a file is a ``LimberWarning``; with `strict` it is refused.
        `loops` is a YAML file of loops, see docs/format.md; without it that of the same name beside
        a URDF is read, if there is one.
        """
        native, found = _core.Model.load(name, strict, None if loops is None else os.fspath(loops))
        warn_of(found)
        model = cls(native)
        # meshes are beside the file; a built-in model has none
        model._set(_path=os.path.abspath(name) if os.path.isfile(name) else "")
        return model

    @classmethod
    def made_by(cls, native: _core.Model, make: Callable[..., Model], *given: Any) -> Model:
        """A model that is pickled as what it is made of."""
        model = cls(native)
        model._set(_again=(make, given))
        return model

    @classmethod
    def parse(cls, text: str | bytes, name: str, *, strict: bool = False) -> Model:
        """The same from text; the ending of `name` selects the format.

        The encoding that the text of an XML file declares is that of its bytes, and passed over in
        a str.
        """
        data = re.sub(ENCODING, r"\1", text, count=1).encode() if isinstance(text, str) else text
        native, found = _core.Model.parse(name, data, strict)
        warn_of(found)
        return cls(native)

    @classmethod
    def from_urdf(cls, text: str | bytes, *, strict: bool = False) -> Model:
        """From the text of a URDF file."""
        return cls.parse(text, "robot.urdf", strict=strict)

    @classmethod
    def from_json(cls, text: str | bytes | Mapping[str, Any], *, strict: bool = False) -> Model:
        """From limber JSON, as text or as what ``json.loads`` makes of it; see docs/format.md."""
        if isinstance(text, Mapping):
            text = json.dumps(text, default=plain_number)
        elif not isinstance(text, (str, bytes, bytearray, memoryview)):
            raise TypeError(f"text: a str, bytes or a dict is needed, not {type(text).__name__}")
        return cls.parse(text, "model.json", strict=strict)

    @classmethod
    def from_dh(
        cls,
        rows: ArrayLike,
        *,
        kinds: str | Sequence[str] | None = None,
        limits: ArrayLike | None = None,
        modified: bool = False,
        name: str = "arm",
    ) -> Model:
        """From a Denavit-Hartenberg table.

        Parameters
        ----------
        rows : array_like
            ``(n, 4)``: theta, d, a, alpha; theta is the offset of a revolute joint, d that of a
            prismatic one.
        kinds : str or sequence of str, optional
            ``"RRP"``, or names of kinds; all revolute.
        limits : array_like, optional
            ``(n, 2)``: lower and upper; none.
        modified : bool
            Rx(alpha) Tx(a) Rz(theta) Tz(d) (Craig 1986) instead of Rz Tz Tx Rx.

        Examples
        --------
        >>> import limber
        >>> limber.Model.from_dh([[0, 0, 1, 0], [0, 0, 1, 0]], name="two links")
        Model('two links', 4 links, nq=2)
        """
        table = kept(rows, (-1, 4), "rows")
        n = len(table)
        codes = [DH_KINDS.get(kind, -1) for kind in kinds or "R" * n]
        if n == 0:
            raise ValueError("rows: a row for each joint is needed, there is none")
        if len(codes) != n or min(codes) < 0:
            raise ValueError(f"kinds: {kinds!r} is not one of R, P or C for each of {n} rows")
        free = np.tile([-np.inf, np.inf], (n, 1))
        bounds = free if limits is None else kept(limits, (n, 2), "limits")
        full = contiguous(np.hstack([table, bounds, np.array(codes, float)[:, None]]))
        return cls(_core.Model.from_dh(name, full, modified))

    def with_root(self, kind: Literal["fixed", "planar", "floating"]) -> Model:
        """The same model with a root that moves differently."""
        if kind not in ROOT_KINDS:
            raise ValueError(f"kind: {kind!r} is none of {', '.join(ROOT_KINDS)}")
        native = self.native.with_root(ROOT_KINDS[kind])
        return self._derived(native, Model.with_root, kind)

    def _derived(self, native: _core.Model, make: Callable[..., Model], *given: Any) -> Model:
        # its meshes are beside the same file
        made = Model(native)
        again = None if self._again is None else (make, (self, *given))
        made._set(_path=self._path, _srdf=self._srdf, _again=again)
        return made

    def with_moving_root(self) -> Model:
        """This model where its root moves, planar or floating; else with a floating root.

        Motion of a robot, read from a table or retargeted, is over such a model: the same object each
        time.

        Examples
        --------
        >>> import limber
        >>> limber.Model.load("planar2").with_moving_root().nq
        9
        """
        kinds = (joint.kind for joint in self.joints if joint.kind != "fixed")
        if next(kinds, "fixed") in ("planar", "floating"):
            return self
        if not self._moving:
            self._moving.append(self.with_root("floating"))
        return self._moving[0]

    def with_joints(self, settings: Sequence[JointSetting]) -> Model:
        """The same model with locks, narrower limits or weights of joints; it shares all else.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("panda")
        >>> half = arm.with_joints([limber.JointSetting("panda_joint1", lower=0, upper=1)])
        >>> half.limits[0]
        array([0., 1.])
        """
        given = tuple(settings)
        native = self.native.view(setting_fields(given, self))
        return self._derived(native, Model.with_joints, given)

    def with_limits(self, limits: PathLike | Mapping[str, JointLimit]) -> Model:
        """The same model with limits of joints narrowed, in position and in speed.

        `limits` is a file as MoveIt's joint_limits.yaml, or what :meth:`joint_limits` reads from one.
        """
        settings = joint_limits(self, limits)
        for name, limit in settings.items():
            need(limit, JointLimit, f"limits: {name}", "limber.JointLimit(lower=..., upper=...) makes one")
        return self.with_joints([limit.setting(name) for name, limit in settings.items()])

    def with_locks(self, joints: Locks) -> Model:
        """The same model with these joints locked: a list, or a dict of joints and their values."""
        if isinstance(joints, str):
            raise TypeError(f"locks: a list of joints is needed, not {joints!r}; write [{joints!r}]")
        values = joints if isinstance(joints, Mapping) else dict.fromkeys(joints)
        return self.with_joints(
            [JointSetting(joint, locked=True, value=value) for joint, value in values.items()]
        )

    def to_json(self) -> str:
        """As limber JSON, which reads back as an equal model."""
        return self.native.json()

    # ---- solvers ---------------------------------------------------------------------------

    def ik(
        self,
        tip: str | int | None = None,
        protocol: Protocol = "nearest",
        *,
        kind: TaskKind = "pose",
        base: str | int | None = None,
        tool: ArrayLike | None = None,
        free_axis: ArrayLike | None = None,
        free_position: str = "",
        tasks: Sequence[Task] | None = None,
        method: str = "lm",
        locks: Locks = (),
        position_tolerance: float | None = None,
        rotation_tolerance: float | None = None,
        iterations: int | None = None,
        seed: int | None = None,
        seeds: int | None = None,
        length: float | None = None,
        damping: float | None = None,
        step_limit: float | None = None,
        width: int | None = None,
        closest: bool | None = None,
        no_nudge: bool | None = None,
        gains: ArrayLike | None = None,
        desired: PoseLike | None = None,
        control: Literal["gradient", "square"] | None = None,
        adaptive: bool | None = None,
        alpha: float | None = None,
        rank: Literal["gain", "recency", "room"] | None = None,
        bend: int | None = None,
        pole: ArrayLike | None = None,
    ) -> Ik:
        """A reusable solver.

        Parameters
        ----------
        tip : str or int, optional
            The link that carries the tool; the first of `tips`.
        protocol : {"nearest", "any", "given"}
            Which solution: the one nearest to the start; the first found, which is fastest; or
            one descent from the start without restarts.
        kind, base, tool, free_axis, free_position
            What of the target counts, and against what it is measured; see :class:`Task`.
        tasks : sequence of Task, optional
            Several tips at once, instead of `tip` and all of these.
        method : str
            One of :func:`limber.methods`.
        locks : sequence of str or int, or dict
            Joints that keep their start values, or those of the dict.
        position_tolerance, rotation_tolerance : float
            Metres and radians; 1e-6.
        iterations : int
            Budget of one target over all restarts; the method's own.
        seed, seeds : int
            Of the random restarts, 0; samples in the table of starts, 512.
        length : float
            Metres that count as much as one radian; from the model.
        damping, step_limit, control, adaptive, alpha, rank, bend, pole, no_nudge
            Of single methods; see docs/methods.md.
        width : int
            Problems side by side: 1, 2, 4 or 8; what the machine has. Results do not depend on it.
        closest : bool
            Where nothing reaches the target, also search for the closest configuration of all,
            as the program always does. Default: False.
        gains, desired : array_like
            ``(nv,)`` and ``(nq,)``: pull towards desired values along the null space.

        Examples
        --------
        >>> import limber
        >>> ik = limber.Model.load("ur5").ik("tool0")
        >>> ik.solve([0.3, 0.2, 0.4, 0, 1, 0, 0])
        IkResult(reached, q=[...])
        """
        named = locks if isinstance(locks, (str, Mapping)) else tuple(locks)
        model = self.with_locks(named) if named else self
        if tasks is None:
            tip = model.tips[0] if tip is None else tip
            tasks = [Task(tip, kind, base, tool, free_axis, free_position)]
        elif any((tip is not None, kind != "pose", base, tool is not None, free_axis is not None, free_position)):
            raise TypeError("tasks: tip, kind, base, tool and free axis belong in each Task")
        options = {
            "protocol": protocol,
            "position_tolerance": position_tolerance,
            "rotation_tolerance": rotation_tolerance,
            "iterations": iterations,
            "seed": seed,
            "seeds": seeds,
            "length": length,
            "damping": damping,
            "step_limit": step_limit,
            "width": width,
            "closest": closest,
            "no_nudge": no_nudge,
            "control": control,
            "adaptive": adaptive,
            "alpha": alpha,
            "rank": rank,
            "bend": bend,
            "pole": None if pole is None else kept(pole, (3,), "pole"),
        }
        return Ik(model, tasks, method, options, gains, desired)

    @with_options(IkOptions, ik)
    def compare(
        self,
        tip: str | int,
        targets: ArrayLike,
        starts: PoseLike | None = None,
        methods: Sequence[str] | None = None,
        **options: Unpack[IkOptions],
    ) -> dict[str, IkResult]:
        """The same targets by several methods; those that do not support the task are left out.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("planar3")
        >>> results = arm.compare("tip", [[1, 1, 0]], kind="position", methods=["lm", "ccd"])
        >>> {name: bool(result.reached.all()) for name, result in results.items()}
        {'lm': True, 'ccd': True}
        """
        made = {}
        if isinstance(methods, str):
            raise TypeError(f"methods: a list is needed, not {methods!r}; write [{methods!r}]")
        for name in [name for name, _, _ in _core.methods()] if methods is None else methods:
            try:
                made[name] = self.ik(tip, method=name, **options).solve(targets, starts)
            except LimberError:
                # a method that does not support this task is left out, unless it was named
                if methods is not None:
                    raise
        return made

    @with_options(BodyOptions)
    def body(self, tasks: Sequence[BodyTask], **options: Unpack[BodyOptions]) -> Body:
        """A solver of many tasks on the whole tree."""
        return Body(self, tasks, dict(options))

    def elbow(self, tip: str | int | None = None, *, tool: ArrayLike | None = None) -> Elbow:
        """The free motion of an arm of seven joints while its tool stays."""
        return Elbow(self, Task(self.tips[0] if tip is None else tip, tool=tool))

    def assembly(self, drives: Sequence[str | int] = ()) -> Assembly:
        """What closes the loops of a linkage; joints in `drives` stay independent if they can.

        :meth:`ik`, :meth:`body` and :meth:`workspace` keep loops closed by themselves; lists of
        solutions and elbows refuse them.
        """
        return Assembly(self, drives)

    # ---- paths, maps, collisions, further files ----------------------------------------------

    @with_options(FollowOptions)
    def follow(
        self,
        tip: str | int,
        path: ToolPath,
        frames: int,
        start: PoseLike | None = None,
        *,
        task: Task | None = None,
        **options: Unpack[FollowOptions],
    ) -> Follow:
        """Joint motion along a path of the tool, frame by frame, without a jump where there is none.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("ur5")
        >>> q = [0.2, -1.2, 1.4, -0.6, 0.5, 0.1]
        >>> T = arm.fk([q, [0.4, -1.0, 1.3, -0.6, 0.5, 0.1]], "tool0")
        >>> motion = arm.follow("tool0", limber.Path(T), 30, q)
        >>> motion.q.shape, motion.jumped.any()
        ((30, 6), False)
        """
        begin = self.neutral if start is None else start
        return follow(self, task or Task(tip), path, frames, begin, dict(options))

    @with_options(WorkspaceOptions)
    def workspace(
        self,
        tip: str | int | None = None,
        *,
        base: str | int | None = None,
        tool: ArrayLike | None = None,
        samples: int = 0,
        threads: int = 1,
        **options: Unpack[WorkspaceOptions],
    ) -> Workspace:
        """Where a tip can be, and in how many orientations, cell by cell of a grid.

        With `samples` random configurations are tried instead of solving for each cell; so are
        100,000 where the tip moves on a curve or a surface, which hardly any centre is on.

        Examples
        --------
        >>> import limber
        >>> limber.Model.load("planar2").workspace(cells=20)
        Workspace(22 x 22 cells of 0.2 m, 12.6 m2 reachable)
        """
        task = Task(self.tips[0] if tip is None else tip, "position", base, tool)
        return Workspace(self, task, dict(options), samples, threads)

    def reach_map(
        self,
        tip: str | int | None = None,
        *,
        base: str | int | None = None,
        tool: ArrayLike | None = None,
        cell: float | None = None,
        orientations: int | None = None,
        contents: str | Sequence[Content] = (),
        inverse: bool = False,
        collision: Collision | None = None,
        iterations: int | None = None,
        threads: int = 1,
    ) -> ReachMap:
        """In how many orientations a tool reaches each place of a lattice.

        Parameters
        ----------
        tip, base, tool
            What is brought there, and from where it is seen; see :class:`Task`.
        cell : float, optional
            Metres between the centres of cells; 0.05.
        orientations : int, optional
            72, 576 or 4608; 576.
        contents : sequence of str, optional
            What else is kept of each cell: ``"bits"`` (which orientations), ``"solutions"`` (how
            many, of arms of six joints), ``"manipulability"`` and ``"limit_margin"`` (the largest).
        inverse : bool
            Cells are places of the first joint that moves the tool, seen from the tool, and
            orientations those of the base: where a base can be so that the tool is reached.
        collision : Collision, optional
            Counts only what is reached without a collision: ``arm.collision("scene.json")``. Of arms
            of six and seven joints.
        iterations : int, optional
            Of a first attempt at an orientation; 40.
        threads : int
            0 is all processors; the map is the same for any number.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("ur5")
        >>> arm.reach_map("tool0", cell=0.2, orientations=72)
        ReachMap(11 x 11 x 11 cells of 0.2 m, 72 orientations, 26.43 % reached)
        >>> found = arm.reach_map("tool0", cell=0.4, orientations=72, contents=["solutions"])
        >>> found.solutions.shape, bool((found.solutions >= found.counts).all())
        ((5, 5, 5), True)
        """
        grid = {"cell": cell, "orientations": orientations, "inverse": inverse, "iterations": iterations}
        task = Task(self.tips[0] if tip is None else tip, base=base, tool=tool)
        with ExitStack() as stack:
            job = MapJob(stack, self, task, grid, contents, collision, threads)
            found = reach_map(self, task, job)
        return found

    def reach_map_file(
        self,
        path: PathLike,
        tip: str | int | None = None,
        *,
        part: tuple[int, int] = (1, 1),
        anew: bool = False,
        base: str | int | None = None,
        tool: ArrayLike | None = None,
        cell: float | None = None,
        orientations: int | None = None,
        contents: str | Sequence[Content] = (),
        inverse: bool = False,
        collision: Collision | None = None,
        iterations: int | None = None,
        threads: int = 1,
    ) -> None:
        """Makes a map in a file, tile by tile, and goes on with what is decided of it already.

        Memory does not grow with the map. After an end of any kind the same call goes on; a tile of
        64 cells for each thread is lost at most. :meth:`ReachMap.load` opens the file; ``limber
        workspace --grid`` makes the same; either goes on with what the other began. Parameters that are not described here are those of :meth:`reach_map`.

        Parameters
        ----------
        path : path-like
            Of the array, .npy; a JSON file beside it says what it is of. A map of something else
            there is refused, unless `anew` replaces it.
        part : tuple of two int
            ``(i, n)``: the i-th of n parts, every n-th tile; :meth:`ReachMap.join` joins them.

        Examples
        --------
        >>> import limber, pathlib, tempfile
        >>> arm = limber.Model.load("ur5")
        >>> with tempfile.TemporaryDirectory() as name:
        ...     path = pathlib.Path(name, "map.npy")
        ...     arm.reach_map_file(path, "tool0", cell=0.2, orientations=72)
        ...     limber.ReachMap.load(path)
        ReachMap(11 x 11 x 11 cells of 0.2 m, 72 orientations, 26.43 % reached)
        """
        grid = {"cell": cell, "orientations": orientations, "inverse": inverse, "iterations": iterations}
        task = Task(self.tips[0] if tip is None else tip, base=base, tool=tool)
        with ExitStack() as stack:
            job = MapJob(stack, self, task, grid, contents, collision, threads)
            reach_map_file(path, job, part, anew)

    @with_options(PlacementOptions)
    def place(
        self,
        targets: ArrayLike,
        tip: str | int | None = None,
        *,
        kind: TaskKind = "pose",
        tool: ArrayLike | None = None,
        free_axis: ArrayLike | None = None,
        threads: int = 1,
        **options: Unpack[PlacementOptions],
    ) -> Placement:
        """The places from which the robot reaches most of its targets, the best first.

        `targets` are T_world_target in any layout.

        Examples
        --------
        >>> import limber
        >>> targets = [[2, y, 0.4, 0, 1, 0, 0] for y in (0, 0.5)]
        >>> limber.Model.load("ur5").place(targets, "tool0", cell=0.3)
        Placement(880 places, the best reaches 2 of 2 targets)
        """
        chosen = self.tips[0] if tip is None else tip
        task = Task(chosen, kind, tool=tool, free_axis=free_axis)
        return Placement(self, task, targets, dict(options), threads)

    def srdf(self, path: PathLike | None = None, *, strict: bool = False) -> Srdf:
        """Groups, end effectors and named states; the model's file with the ending .srdf."""
        if path is not None:
            return Srdf(self, path, strict)
        with self.srdf_file() as beside:
            if beside is None and not self._path:
                raise ValueError("srdf: a model that was not loaded from a file needs the path")
            return Srdf(self, beside or self._beside(), strict)

    def _beside(self) -> PurePath:
        return PurePath(os.fspath(self._path)).with_suffix(".srdf")

    @contextmanager
    def srdf_file(self) -> Iterator[PathLike | None]:
        """The SRDF beside the model's file, or its copy in a model that was pickled; None: neither."""
        if self._path and os.path.isfile(self._beside()):
            yield self._beside()
        elif self._srdf is not None:
            with tempfile.TemporaryDirectory(prefix="limber-") as folder:
                copy = os.path.join(folder, f"{PurePath(os.fspath(self._path)).stem}.srdf")
                with open(copy, "wb") as stream:
                    stream.write(self._srdf)
                yield copy
        else:
            yield None

    def joint_limits(self, path: PathLike, *, strict: bool = False) -> dict[str, JointLimit]:
        """Limits of joints from a file as MoveIt's joint_limits.yaml, or the same as JSON.

        Examples
        --------
        >>> import limber, pathlib, tempfile
        >>> arm = limber.Model.load("ur5")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "limits.json")
        ...     _ = path.write_text('{"joint_limits": {"elbow_joint": {"max_position": 1.5}}}')
        ...     limits = arm.joint_limits(path)
        >>> narrow = arm.with_joints([limits["elbow_joint"].setting("elbow_joint")])
        >>> float(narrow.limits[2, 1])
        1.5
        """
        return joint_limits(self, path, strict)

    @with_options(CollisionOptions)
    def collision(
        self,
        scene: PathLike | None = None,
        *,
        srdf: PathLike | Literal[False] | None = None,
        figure: bool = False,
        **options: Unpack[CollisionOptions],
    ) -> Collision:
        """Checks configurations for collisions of links with each other and with a scene.

        Parameters
        ----------
        scene : path, optional
            What stands around the model: a file of limber JSON, see docs/format.md.
        srdf : path or False, optional
            A file with pairs of links that need not be checked; that beside the model's file, if
            there is one. False: none.
        figure : bool
            As ``limber check`` and ``limber retarget --margin`` measure: capsules stand for meshes,
            those that are missing are left out, and so are pairs that touch at rest, and the ground
            of a robot's file. Where no link has a shape to collide with, what links look like
            stands in: a robot's visuals, the meshes that a glTF draws.
        """
        return Collision(self, self._path, CollisionSources(scene, srdf, figure, dict(options)))

    # ---- pictures ----------------------------------------------------------------------------

    def draw(
        self,
        path: PathLike,
        q: PoseLike | None = None,
        *,
        targets: ArrayLike | None = None,
        title: str | None = None,
        width: float | None = None,
        height: float | None = None,
        azimuth: float | None = None,
        elevation: float | None = None,
    ) -> None:
        """Draws poses, the last in full, into a file: .svg, .png or .pdf.

        `targets` are points of the world, drawn as crosses; `azimuth` and `elevation` are the
        viewing direction, radians.
        """
        poses = np.empty(0) if q is None else contiguous(self.poses(q).flat)
        crosses = np.empty(0) if targets is None else contiguous(rows(targets, (3,), "targets").flat)
        options = without_none(width=width, height=height, azimuth=azimuth, elevation=elevation)
        _core.draw(self.native, path, poses, crosses, title, options)

    @with_options(DrawOptions, draw)
    def svg(self, q: PoseLike | None = None, **options: Unpack[DrawOptions]) -> str:
        """The figure of :meth:`draw` as the text of an SVG."""
        return svg_text(lambda path: self.draw(path, q, **options))

    def draw_tree(self, path: PathLike, title: str | None = None) -> None:
        """Draws the tree itself: links as nodes, joints as arcs."""
        _core.draw_tree(self.native, path, title)

    def _repr_svg_(self) -> str | None:
        return svg_of(self.draw)

    def __reduce__(self) -> tuple[Any, ...]:
        # for processes: equal number for number, with its SRDF, and the place that its meshes are beside
        if self._again is not None:
            return self._again
        with self.srdf_file() as beside:
            srdf = None if beside is None else Path(beside).read_bytes()
        return model_again, (self.to_json(), self._path, srdf)

    def __repr__(self) -> str:
        return f"Model({self.name!r}, {len(self.links)} links, nq={self.nq})"


def model_again(text: str, path: str, srdf: bytes | None) -> Model:
    """A model that was pickled."""
    model = Model.from_json(text)
    model._set(_path=path, _srdf=srdf)
    return model
