"""Whole bodies: many tasks on one tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import (
    BODY_OUTCOME,
    BODY_RESULT,
    PROXIMITY,
    ArrayLike,
    Floats,
    PoseLike,
    columns,
    contiguous,
    one_matrix,
    optional_vector,
    rows,
    transform,
    vector,
)
from ._collision import Collision
from ._ranges import run, thread_count
from ._structure import Structure
from ._parts import need
from ._task import base_index, keep_arrays
from ._values import Equal, Unchanging

if TYPE_CHECKING:
    from ._model import Model


@dataclass(frozen=True, eq=False)
class BodyTask(Equal):
    """One task of a body; kinds are those of limber/body.h.

    ``position``, ``orientation``, ``pose``, ``on-line``, ``on-plane``, ``look-at``,
    ``direction``, ``pole``, ``center-of-mass``, ``support``, ``joint``, ``contact``,
    ``distance``: all pairs that `collision` checks stay at least `distance` metres apart. What a
    kind has no use for is not read. `level` 0 comes first and never gives way to a later one.
    """

    kind: str
    link: str | int = 0
    base: str | int | None = None
    tool: ArrayLike | None = None
    axis: ArrayLike | None = None
    first: str | int | None = None
    last: str | int | None = None
    first_point: ArrayLike | None = None
    last_point: ArrayLike | None = None
    joint: str | int | None = None
    level: int = 0
    weight: float = 1.0
    box: ArrayLike | None = None
    cone: float = 0.0
    position_tolerance: float = 0.0
    rotation_tolerance: float = 0.0
    vertices: ArrayLike | None = None
    collision: Collision | None = None
    distance: float = 0.0

    def __post_init__(self) -> None:
        if self.kind == "rotation":
            raise ValueError("kind: the 'rotation' of a Task is the 'orientation' of a BodyTask")
        points = dict.fromkeys(("axis", "first_point", "last_point", "box"), (3,))
        keep_arrays(self, {**points, "vertices": (-1, 2)})

    def fields(self, model: Structure) -> dict[str, Any]:
        """As the extension reads it."""
        made: dict[str, Any] = {
            "kind": self.kind,
            "link": model.link_index(self.link),
            "base": base_index(self.base, model),
            "level": self.level,
            "weight": self.weight,
            "cone": self.cone,
            "position_tolerance": self.position_tolerance,
            "rotation_tolerance": self.rotation_tolerance,
            "distance": self.distance,
        }
        if self.tool is not None:
            made["tool"] = transform(self.tool, "tool")
        for name in ("first", "last"):
            if getattr(self, name) is not None:
                made[name] = model.link_index(getattr(self, name))
        if self.joint is not None:
            made["joint"] = model.joint_index(self.joint)
        for name in ("axis", "first_point", "last_point", "box"):
            if getattr(self, name) is not None:
                made[name] = vector(getattr(self, name), 3, name)
        return made

    def polygon(self) -> Floats | None:
        """The support's vertices, contiguous."""
        if self.vertices is None:
            return None
        return contiguous(rows(self.vertices, (2,), "vertices").flat)


class BodyResult(Unchanging):
    """A configuration, and what became of each task.

    Attributes
    ----------
    q : ndarray
    info : ndarray
        One record: outcome, iterations, tries, tasks_reached, loop_error.
    tasks : ndarray
        A record for each task: reached, position_error, rotation_error.
    """

    q: Floats
    info: npt.NDArray[Any]
    tasks: npt.NDArray[Any]

    def __init__(self, q: Floats, info: npt.NDArray[Any], tasks: npt.NDArray[Any]) -> None:
        self._set(q=q, info=info, tasks=tasks)

    @property
    def reached(self) -> bool:
        """Whether every task is, within all limits."""
        return bool(self.info["outcome"] == 0)

    def __repr__(self) -> str:
        return f"BodyResult({int(self.tasks['reached'].sum())} of {len(self.tasks)} tasks reached)"


class Body:
    """A solver of many tasks; made by :meth:`Model.body`.

    Threads may share it while none of them changes its tasks: a second call waits for one that is
    running. :meth:`explain` and :meth:`nearest` speak of whatever solve was last. :meth:`solve_many`
    uses several threads itself.

    Examples
    --------
    >>> import limber
    >>> human = limber.Model.load("human").with_root("floating")
    >>> body = human.body([limber.BodyTask("position", "left_hand"),
    ...                    limber.BodyTask("contact", "right_foot")])
    >>> body.hold(1, human.neutral)
    >>> hand = human.fk(human.neutral, "left_hand")[:3, 3]
    >>> body.set_point(0, hand + [0.1, 0, 0.1])
    >>> body.solve(human.neutral)
    BodyResult(2 of 2 tasks reached)
    """

    def __init__(self, model: Model, tasks: Sequence[BodyTask], options: dict[str, Any]) -> None:
        self.model = model
        self.tasks = tuple(tasks)
        for task in self.tasks:
            need(task, BodyTask, "tasks", 'a list of limber.BodyTask("position", link) and the like')
        self._options = options
        self._changes: list[tuple[str, tuple[Any, ...]]] = []
        self._collisions: list[list[_core.Collision | None]] = []
        self._natives: list[_core.Body] = []
        self._native(0)

    def __reduce__(self) -> tuple[Any, ...]:
        return body_again, (self.model, self.tasks, self._options, self._changes)

    def _native(self, thread: int) -> _core.Body:
        # a later thread's body gets the changes that the first has had
        while len(self._natives) <= thread:
            fields = [task.fields(self.model) for task in self.tasks]
            polygons = [task.polygon() for task in self.tasks]
            # one of each body's own: nothing else measures with it
            own = [None if t.collision is None else t.collision.copy() for t in self.tasks]
            made = _core.Body(self.model.native, fields, polygons, own, self._options)
            self._collisions.append(own)
            for name, arguments in self._changes:
                getattr(made, name)(*arguments)
            self._natives.append(made)
        return self._natives[thread]

    def _change(self, name: str, *arguments: Any) -> None:
        for native in self._natives:
            getattr(native, name)(*arguments)
        # the last change of one thing is enough
        what = (name, *(a for a in arguments[:-1] if isinstance(a, int)))
        self._changes = [
            (n, old)
            for n, old in self._changes
            if (n, *(a for a in old[:-1] if isinstance(a, int))) != what
        ]
        self._changes.append((name, arguments))

    def _index(self, task: int) -> int:
        if not 0 <= task < len(self.tasks):
            raise IndexError(f"task {task}: there are {len(self.tasks)}, counted from 0")
        # a number of NumPy's would be no key of _change
        return index(task)

    def set_target(self, task: int, target: ArrayLike) -> None:
        """T_base_target of a task."""
        self._change("set_target", self._index(task), transform(target, "target").copy())

    def set_point(self, task: int, point: ArrayLike) -> None:
        """The origin of a task's target alone."""
        x, y, z = (float(n) for n in vector(point, 3, "point"))
        self._change("set_point", self._index(task), (x, y, z))

    def set_value(self, task: int, value: ArrayLike) -> None:
        """Of a joint task: as many numbers as the joint has in q."""
        given = contiguous(value, "value").reshape(-1)
        if len(given) > 7:
            raise ValueError(f"value: no joint has {len(given)} values")
        self._change("set_value", self._index(task), np.concatenate([given, np.zeros(7 - len(given))]))

    def set_weight(self, task: int, weight: float) -> None:
        """0 switches a task off."""
        self._change("set_weight", self._index(task), weight)

    def set_limits(self, joint: str | int, lower: float, upper: float, value: int = 0) -> None:
        """Narrower limits of one value of a joint, for this body alone."""
        self._change("set_limits", self.model.joint_index(joint), index(value), lower, upper)

    def set_speed(self, joint: str | int, speed: float, acceleration: float = np.inf) -> None:
        """Of all of a joint's values, for :meth:`advance`."""
        self._change("set_speed", self.model.joint_index(joint), speed, acceleration)

    def set_posture(self, q: PoseLike | None) -> None:
        """What the posture pulls towards; None: the start of each solve."""
        self._change("set_posture", None if q is None else self.model.pose(q).copy())

    def hold(self, task: int, q: PoseLike) -> None:
        """The target becomes where the tool is at q."""
        self._change("hold", self._index(task), self.model.pose(q).copy())

    def target(self, task: int) -> Floats:
        """T_base_target as it is now."""
        return one_matrix(self._native(0).target(self._index(task))["target"])

    def solve(self, start: PoseLike | None = None) -> BodyResult:
        """The configuration that achieves the tasks, from `start` (neutral)."""
        return self._solve(start, None, 0.0)

    def advance(
        self, start: PoseLike, time: float, velocity: ArrayLike | None = None
    ) -> BodyResult:
        """The same for one frame of `time` seconds: no joint moves faster than its speed allows."""
        if not time > 0:
            raise ValueError(f"time: {time} s is no duration")
        return self._solve(start, velocity, time)

    def _solve(
        self, start: PoseLike | None, velocity: ArrayLike | None, time: float
    ) -> BodyResult:
        begin = self.model.neutral if start is None else self.model.pose(start, "start")
        moving = optional_vector(velocity, self.model.nv, "velocity")
        q = np.empty(self.model.nq)
        info = np.zeros(1, BODY_RESULT)
        tasks = np.zeros(len(self.tasks), BODY_OUTCOME)
        self._native(0).solve(begin, moving, time, q, info, tasks)
        return BodyResult(q, info[0], tasks)

    def solve_many(
        self, starts: PoseLike, targets: ArrayLike | None = None, threads: int = 1
    ) -> tuple[Floats, npt.NDArray[Any]]:
        """Many problems: configurations ``(N, nq)``, and a record for each.

        `targets` is ``(N, T, 4, 4)`` for T tasks; the body's own where it is None.
        """
        given = self.model.poses(starts, "starts")
        n, wanted = given.count, (*given.lead, len(self.tasks))
        goals = None if targets is None else columns(targets, "targets")
        if goals is not None and goals.shape[:-2] != wanted:
            raise ValueError(f"targets: {goals.shape[:-2]} of them where {wanted} are needed")
        q = np.empty((n, self.model.nq))
        info = np.zeros(n, BODY_RESULT)
        flat = None if goals is None else goals.reshape(n, 12 * len(self.tasks))
        count = thread_count(threads, n)
        natives = [self._native(thread) for thread in range(count)]

        def work(thread: int, first: int, last: int) -> None:
            part = slice(first, last)
            aims = None if flat is None else flat[part]
            natives[thread].batch(aims, given.part(first, last), q[part], info[part])

        run(work, n, count)
        return q.reshape((*given.lead, self.model.nq)), info.reshape(given.lead)

    def explain(self, task: int) -> tuple[str, str]:
        """Why a task of the last solve is as it is: the reason, and a sentence."""
        return self._native(0).explain(self._index(task))

    def nearest(self, task: int) -> Any:
        """Of a distance task the pair that is nearest in the last solution, a record.

        Its fields are those of :meth:`Collision.distance`. None of another task, before a solve,
        and where no pair is checked.
        """
        found = np.zeros(1, PROXIMITY)
        return found[0] if np.isfinite(self._native(0).nearest(self._index(task), found)) else None

    def __repr__(self) -> str:
        kinds = ", ".join(task.kind for task in self.tasks)
        return f"Body({self.model.name!r}, {kinds})"


def body_again(
    model: Model,
    tasks: Sequence[BodyTask],
    options: dict[str, Any],
    changes: list[tuple[str, tuple[Any, ...]]],
) -> Body:
    """A body that was pickled: with its tasks as they were set last, before its first solve."""
    made = Body(model, tasks, options)
    for name, arguments in changes:
        made._change(name, *arguments)
    return made
