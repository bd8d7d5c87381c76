"""What is made of a model beside solutions: paths, maps of what is reached, collisions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any, Literal

from ._arrays import ArrayLike
from ._collision import Collision, CollisionOptions
from ._configurations import Configurations
from ._files import PathLike
from ._follow import Follow, Path, follow
from ._placement import Placement
from ._reach_map import Content, ReachMap, reach_map
from ._srdf import JointLimit, Srdf, joint_limits
from ._task import Task, TaskKind
from ._workspace import Workspace


class Planning(Configurations):
    """Paths, maps, collisions and further files of a model."""

    _path: PathLike

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
        return follow(self._model, task or Task(tip), path, frames, begin, options)

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
        return Workspace(self._model, task, options, samples, threads)

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
        options = {
            "cell": cell,
            "orientations": orientations,
            "inverse": inverse,
            "iterations": iterations,
        }
        task = Task(self.tips[0] if tip is None else tip, base=base, tool=tool)
        return reach_map(self._model, task, options, contents, collision, threads)

    def place(
        self,
        targets: ArrayLike,
        tip: str | int | None = None,
        *,
        kind: TaskKind = "pose",
        tool: ArrayLike | None = None,
        free_axis: ArrayLike | None = None,
        threads: int = 1,
        **options: Any,
    ) -> Placement:
        """The places from which the robot reaches most of its targets, the best first.

        `targets` are T_world_target in any layout. Options are those of lb_placement_options: cell
        (metres between places; 0.1), turns (about the vertical; 8), height (of the plane; 0).

        Examples
        --------
        >>> import limber
        >>> targets = [[2, y, 0.4, 0, 1, 0, 0] for y in (0, 0.5)]
        >>> limber.Model.load("ur5").place(targets, "tool0", cell=0.3)
        Placement(880 places, the best reaches 2 of 2 targets)
        """
        chosen = self.tips[0] if tip is None else tip
        task = Task(chosen, kind, tool=tool, free_axis=free_axis)
        return Placement(self._model, task, targets, options, threads)

    def srdf(self, path: PathLike | None = None, *, strict: bool = False) -> Srdf:
        """Groups, end effectors and named states; the model's file with the ending .srdf."""
        if path is None and not self._path:
            raise ValueError("srdf: a model that was not loaded from a file needs the path")
        return Srdf(self._model, path or PurePath(os.fspath(self._path)).with_suffix(".srdf"), strict)

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
        return joint_limits(self._model, path, strict)

    def collision(
        self,
        scene: PathLike | None = None,
        *,
        srdf: PathLike | Literal[False] | None = None,
        figure: bool = False,
        **options: Any,
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
        **options
            Those of lb_collision_options in limber/collision.h: margin (metres), fit (``"hull"`` or
            ``"capsule"``, for meshes), always (how near, in metres, counts as always overlapping),
            samples, skip_never, skip_rest, allow_missing.
        """
        return Collision(self._model, self._path, CollisionOptions(scene, srdf, figure, options))
