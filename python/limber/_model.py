"""Models: the immutable tree of links and joints, and all that is made from it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, overload

import numpy as np

from . import _core
from ._arrays import ArrayLike, Floats, contiguous, one_matrix, vector
from ._body import Body, BodyTask
from ._collision import Collision
from ._configurations import Configurations
from ._elbow import Elbow
from ._errors import LimberError
from ._figure import PathLike, draw, svg_of, svg_text
from ._follow import Follow, Path, follow
from ._forward import Forward, forward
from ._ik import Ik, IkResult, Protocol, compare
from ._parts import Joint, JointSetting, Link, Singularity, make_joint, make_link, warn_of
from ._reach_map import ReachMap
from ._task import Task, TaskKind
from ._workspace import Workspace

Locks = Sequence[str | int] | Mapping[str | int, float]

NO_LINK = -2
ROOT_KINDS = {"fixed": 0, "planar": 5, "floating": 7}
DH_KINDS = {"revolute": 0, "prismatic": 1, "continuous": 2, "R": 0, "P": 1, "C": 2}


class Model(Configurations):
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

    def __init__(self, native: _core.Model) -> None:
        self.native = native
        self.name, self.nq, self.nv, root = native.describe()
        self._root = root
        self._forward: dict[Any, Forward] = {}
        self._path: PathLike = ""

    # ---- made from files and tables ------------------------------------------------------

    @classmethod
    def load(cls, name: PathLike, *, strict: bool = False) -> Model:
        """Loads a file (URDF, MJCF, JSON, BVH) or a model that is built in, by name.

        What looks like a mistake in a file is a ``LimberWarning``; with `strict` it is refused.
        """
        native, found = _core.Model.load(name, strict)
        warn_of(found)
        model = cls(native)
        # meshes are beside the file; a built-in model has none
        model._path = name if os.path.exists(name) else ""
        return model

    @classmethod
    def parse(cls, text: str | bytes, name: str, *, strict: bool = False) -> Model:
        """The same from text; the ending of `name` selects the format."""
        data = text.encode() if isinstance(text, str) else text
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
            text = json.dumps(text)
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
        table = np.atleast_2d(contiguous(rows))
        n = len(table)
        if table.shape != (n, 4):
            raise ValueError(f"rows: an array of shape {table.shape} where (n, 4) is needed")
        codes = [DH_KINDS.get(kind, -1) for kind in kinds or "R" * n]
        if len(codes) != n or min(codes) < 0:
            raise ValueError(f"kinds: {kinds!r} is not one of R, P or C for each of {n} rows")
        bounds = np.tile([-np.inf, np.inf], (n, 1)) if limits is None else contiguous(limits)
        if bounds.shape != (n, 2):
            raise ValueError(f"limits: an array of shape {bounds.shape} where ({n}, 2) is needed")
        full = contiguous(np.hstack([table, bounds, np.array(codes, float)[:, None]]))
        return cls(_core.Model.from_dh(name, full, modified))

    def with_root(self, kind: Literal["fixed", "planar", "floating"]) -> Model:
        """The same model with another way for its root to move."""
        if kind not in ROOT_KINDS:
            raise ValueError(f"kind: {kind!r} is none of {', '.join(ROOT_KINDS)}")
        return Model(self.native.with_root(ROOT_KINDS[kind]))

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
        return Model(self.native.view([setting.fields(self) for setting in settings]))

    def with_locks(self, joints: Locks) -> Model:
        """The same model with these joints locked: a list, or a dict of joints and their values."""
        values = joints if isinstance(joints, Mapping) else dict.fromkeys(joints)
        return self.with_joints(
            [JointSetting(joint, locked=True, value=value) for joint, value in values.items()]
        )

    def to_json(self) -> str:
        """As limber JSON, which reads back as an equal model."""
        return self.native.json()

    def __reduce__(self) -> tuple[Any, ...]:
        # for processes: equal number for number
        return Model.from_json, (self.to_json(),)

    # ---- what it consists of ---------------------------------------------------------------

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """All joints, depth first; joint j moves link j + 1."""
        return tuple(make_joint(i, fields) for i, fields in enumerate(self.native.joints()))

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """All links, depth first; the first is the root."""
        return tuple(make_link(i, fields) for i, fields in enumerate(self.native.links()))

    @cached_property
    def limits(self) -> Floats:
        """``(nq, 2)``: lower and upper of each number of q; infinite where there are none.

        The numbers of a quaternion have none; limits of a ball are those of its joint.
        """
        found = np.tile([-np.inf, np.inf], (self.nq, 1))
        for joint in self.joints:
            if joint.nq > 0 and joint.kind != "ball":
                for i, pair in enumerate(zip(joint.lower, joint.upper)):
                    found[joint.q_index + i] = pair
        return found

    @cached_property
    def tips(self) -> tuple[str, ...]:
        """The links that targets are most likely meant for, the first first."""
        return tuple(self.links[i].name for i in self.native.tips())

    @property
    def root(self) -> Floats:
        """T_world_root."""
        return one_matrix(self._root["root"])

    def link_index(self, link: str | int) -> int:
        """The index of a link by name, or the index itself; a LimberError suggests a name."""
        if isinstance(link, (int, np.integer)):
            return int(link)
        found = self.native.find_link(link)
        if found == NO_LINK:
            raise self._unknown("link", link, tuple(part.name for part in self.links))
        return found

    def joint_index(self, joint: str | int) -> int:
        """The index of a joint by name, or the index itself."""
        if isinstance(joint, (int, np.integer)):
            return int(joint)
        found = self.native.find_joint(joint)
        if found < 0:
            raise self._unknown("joint", joint, tuple(part.name for part in self.joints))
        return found

    def link_name(self, link: str | int) -> str:
        """The name of a link by index, or the name itself."""
        return link if isinstance(link, str) else self.links[link].name

    def _unknown(self, what: str, name: str, names: tuple[str, ...]) -> LimberError:
        near = _core.nearest_name(name, names)
        hint = f"; did you mean '{names[near]}'?" if near >= 0 else ""
        return LimberError(f"{self.name} has no {what} '{name}'{hint}", status="no such name")

    # ---- forward kinematics ------------------------------------------------------------------

    @overload
    def fk(
        self,
        q: ArrayLike,
        links: str | int | Sequence[str | int] | None = ...,
        *,
        jacobian: Literal[False] = ...,
        layout: Literal["matrix", "columns", "pose"] = ...,
        threads: int = ...,
    ) -> Floats: ...

    @overload
    def fk(
        self,
        q: ArrayLike,
        links: str | int | Sequence[str | int] | None = ...,
        *,
        jacobian: Literal[True],
        point: ArrayLike | None = ...,
        axes: Literal["world", "link"] = ...,
        layout: Literal["matrix", "columns", "pose"] = ...,
        threads: int = ...,
    ) -> tuple[Floats, Floats]: ...

    def fk(
        self,
        q: ArrayLike,
        links: str | int | Sequence[str | int] | None = None,
        *,
        jacobian: bool = False,
        point: ArrayLike | None = None,
        axes: Literal["world", "link"] = "world",
        layout: Literal["matrix", "columns", "pose"] = "matrix",
        threads: int = 1,
    ) -> Any:
        """Forward kinematics: T_world_link of links, for any number of configurations.

        Parameters
        ----------
        q : array_like
            ``(nq,)`` or ``(N, nq)``. An array of float32 is computed in float32.
        links : str, int or a sequence of them, optional
            Of one link the result has no axis of links; all links.
        jacobian : bool
            Also return Jacobians, ``(..., 6, nv)`` for each link: rows linear, then angular.
        point : array_like, optional
            The point of the link that the Jacobian is of, in the link's frame; its origin.
        axes : {"world", "link"}
            The axes of the Jacobian's rows.
        layout : {"matrix", "columns", "pose"}
            ``(4, 4)``; ``(4, 3)``, the library's own, which is written in place; or x y z and a
            quaternion w x y z.
        threads : int
            As in :meth:`Ik.solve`.

        Returns
        -------
        ndarray or (ndarray, ndarray)
            ``(..., links, 4, 4)``, and the Jacobians.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("planar2")
        >>> arm.fk([0, 0], "tip")[:3, 3]
        array([2., 0., 0.])
        >>> T, J = arm.fk(arm.random(5), ["base", "tip"], jacobian=True)
        >>> T.shape, J.shape
        ((5, 2, 4, 4), (5, 2, 6, 2))
        """
        return forward(self, q, links, jacobian, point, axes, layout, threads)

    def forward_of(
        self, links: tuple[int, ...], jacobian: bool, point: ArrayLike | None, axes: str
    ) -> Forward:
        """The worker for these links, kept for the next call."""
        options: dict[str, Any] = {"axes": axes}
        if point is not None:
            options["point"] = vector(point, 3, "point")
        key = (links, jacobian, axes, None if point is None else tuple(options["point"]))
        if key not in self._forward:
            # of many different questions only the last are kept
            if len(self._forward) >= 16:
                self._forward.pop(next(iter(self._forward)))
            self._forward[key] = Forward(self, links, jacobian, options)
        return self._forward[key]

    def singularity(
        self,
        q: ArrayLike,
        link: str | int,
        *,
        point: ArrayLike = (0, 0, 0),
        length: float = 1.0,
        tolerance: float = 1e-9,
    ) -> Singularity:
        """Analyses the Jacobian of a link's point; `length` metres count as one radian, 0: none."""
        state = _core.State(self.native, vector(q, self.nq, "q"))
        x, y, z = (float(n) for n in vector(point, 3, "point"))
        found = state.singularity(self.link_index(link), (x, y, z), length, tolerance)
        for name in ("values", "weakest"):
            found[name] = np.array(found[name])
        return Singularity(**found)

    def center_of_mass(self, q: ArrayLike) -> tuple[float, Floats, Floats]:
        """The total mass, the centre of mass in world axes, and its Jacobian, ``(3, nv)``."""
        jacobian = np.zeros((3, self.nv))
        mass, center = _core.State(self.native, vector(q, self.nq, "q")).center_of_mass(jacobian)
        return mass, np.array(center), jacobian

    # ---- inverse kinematics --------------------------------------------------------------------

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
        desired: ArrayLike | None = None,
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
            Several tips at once, instead of all of these.
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
            Where nothing reaches the target, also search for the closest configuration of all.
        gains, desired : array_like
            ``(nv,)`` and ``(nq,)``: pull towards desired values along the null space.

        Examples
        --------
        >>> import limber
        >>> ik = limber.Model.load("ur5").ik("tool0")
        >>> ik.solve([0.3, 0.2, 0.4, 0, 1, 0, 0])
        IkResult(reached, q=[...])
        """
        model = self.with_locks(locks) if locks else self
        if tasks is None:
            tip = model.tips[0] if tip is None else tip
            tasks = [Task(tip, kind, base, tool, free_axis, free_position)]
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
            "pole": None if pole is None else vector(pole, 3, "pole"),
        }
        return Ik(model, tasks, method, options, gains, desired)

    def compare(
        self,
        tip: str | int,
        targets: ArrayLike,
        starts: ArrayLike | None = None,
        methods: Sequence[str] | None = None,
        **options: Any,
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
        return compare(self, tip, targets, starts, methods, **options)

    # ---- whole bodies, motion, maps ------------------------------------------------------------

    def body(self, tasks: Sequence[BodyTask], **options: Any) -> Body:
        """A solver of many tasks on the whole tree; see :class:`Body` for the options."""
        return Body(self, tasks, options)

    def elbow(self, tip: str | int | None = None, *, tool: ArrayLike | None = None) -> Elbow:
        """The elbow's circle of an arm of seven joints."""
        return Elbow(self, Task(self.tips[0] if tip is None else tip, tool=tool))

    def follow(
        self,
        tip: str | int,
        path: Path,
        frames: int,
        start: ArrayLike | None = None,
        *,
        task: Task | None = None,
        **options: Any,
    ) -> Follow:
        """Joint motion along a path of the tool, frame by frame, without a jump where there is none.

        Options are those of lb_follow in limber/motion.h: steps, any_start, jump, on_jump
        (``"report"`` or ``"stop"``), rate, deviation, position_tolerance, rotation_tolerance.

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
        return follow(self, task or Task(tip), path, frames, begin, options)

    def workspace(
        self,
        tip: str | int | None = None,
        *,
        base: str | int | None = None,
        tool: ArrayLike | None = None,
        samples: int = 0,
        threads: int = 1,
        **options: Any,
    ) -> Workspace:
        """Where a tip can be, and in how many orientations, cell by cell of a grid.

        Options are those of lb_workspace_options: cells, angle, seed, iterations, manipulability.
        With `samples` random configurations are tried instead of solving for each cell.

        Examples
        --------
        >>> import limber
        >>> limber.Model.load("planar2").workspace(cells=20)
        Workspace(22 x 22 cells of 0.2 m, 12.6 m2 reachable)
        """
        task = Task(self.tips[0] if tip is None else tip, "position", base, tool)
        return Workspace(self, task, options, samples, threads)

    def reach_map(
        self,
        tip: str | int | None = None,
        *,
        base: str | int | None = None,
        tool: ArrayLike | None = None,
        bits: bool = False,
        threads: int = 1,
        **options: Any,
    ) -> ReachMap:
        """In how many orientations a tool reaches each place of a lattice.

        Options are those of lb_reach_map_options: cell (metres; 0.05), orientations (72, 576 or
        4608; 576), iterations. With `bits` the map says which orientations, too.

        Examples
        --------
        >>> import limber
        >>> limber.Model.load("ur5").reach_map("tool0", cell=0.2, orientations=72)
        ReachMap(11 x 11 x 11 cells of 0.2 m, 72 orientations, 26.43 % reached)
        """
        task = Task(self.tips[0] if tip is None else tip, base=base, tool=tool)
        return ReachMap(self, task, options, bits, threads)

    def collision(self, scene: PathLike | None = None, **options: Any) -> Collision:
        """Checks configurations for collisions of links with each other and with a scene.

        `scene` is a file of limber JSON, see docs/format.md. Options are those of
        lb_collision_options: margin (metres), samples, skip_never, allow_missing.
        """
        return Collision(self, self._path, scene, options)

    # ---- figures ----------------------------------------------------------------------------------

    def draw(
        self,
        path: PathLike,
        q: ArrayLike | None = None,
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
        options = {"width": width, "height": height, "azimuth": azimuth, "elevation": elevation}
        draw(self, path, q, targets, title, options)

    def svg(self, q: ArrayLike | None = None, **options: Any) -> str:
        """The figure of :meth:`draw` as the text of an SVG."""
        return svg_text(lambda path: self.draw(path, q, **options))

    def draw_tree(self, path: PathLike, title: str | None = None) -> None:
        """Draws the tree itself: links as nodes, joints as arcs."""
        _core.draw_tree(self.native, path, title)

    def _repr_svg_(self) -> str | None:
        return svg_of(self, None)

    def __repr__(self) -> str:
        return f"Model({self.name!r}, {len(self.links)} links, nq={self.nq})"


