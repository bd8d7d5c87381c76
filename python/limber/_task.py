"""What inverse kinematics must achieve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from ._arrays import ArrayLike, kept, matrices, transform, vector
from ._parts import need
from ._structure import Structure
from ._values import Equal

TaskKind = Literal["pose", "position", "rotation"]
WORLD = -1
FREE_BITS = {"x": 1, "y": 2, "z": 4}


@dataclass(frozen=True, eq=False)
class Task(Equal):
    """Which frame is moved, against what it is measured, and which part of its pose counts.

    Attributes
    ----------
    tip : str or int
        The link that carries the tool.
    kind : {"pose", "position", "rotation"}
        What of the target counts.
    base : str, int or None
        The link that the target is given in; None is the world.
    tool : array_like or None
        T_tip_tool; None: the tip's own frame.
    free_axis : array_like or None
        An axis of the tool about which it may turn freely.
    free_position : str
        Axes of the target along which the tool may be anywhere: of ``"x"``, ``"y"`` and ``"z"``
        one or two.
    weight : float
        Relative to the other tasks of the same solver.

    Examples
    --------
    >>> import limber
    >>> arm = limber.Model.load("human")
    >>> hands = [limber.Task("left_hand", "position"), limber.Task("right_hand", "position")]
    >>> arm.ik(tasks=hands)
    Ik('human', 'left_hand' position, 'right_hand' position, protocol='nearest', method='lm')
    """

    tip: str | int
    kind: TaskKind = "pose"
    base: str | int | None = None
    tool: ArrayLike | None = None
    free_axis: ArrayLike | None = None
    free_position: str = ""
    weight: float = 1.0

    def __post_init__(self) -> None:
        keep_arrays(self, {"free_axis": (3,)})
        if self.kind not in get_args(TaskKind):
            raise ValueError(f"kind: {self.kind!r} is none of {', '.join(get_args(TaskKind))}")
        if self.free_axis is not None and not np.any(self.free_axis):
            raise ValueError("free_axis: 0 0 0 is no direction; None is no free axis")

    def fields(self, model: Structure) -> dict[str, Any]:
        """As the extension reads it, with links as indices of the model."""
        made: dict[str, Any] = {
            "tip": model.link_index(self.tip),
            "base": base_index(self.base, model),
            "kind": self.kind,
            "weight": self.weight,
            "free_position": free_bits(self.free_position),
        }
        if self.tool is not None:
            made["tool"] = transform(self.tool, "tool")
        if self.free_axis is not None:
            made["free_axis"] = vector(self.free_axis, 3, "free_axis")
        return made


def base_index(base: str | int | None, model: Structure) -> int:
    """The link that a task is measured in, or the world, which is None and -1."""
    return WORLD if base is None or base == WORLD else model.link_index(base)


def task_fields(task: Task, model: Structure) -> dict[str, Any]:
    """The fields of a task that was given, or a TypeError."""
    need(task, Task, "task", "limber.Task(link) makes one")
    return task.fields(model)


def keep_arrays(task: Any, shapes: dict[str, tuple[int, ...]]) -> None:
    """The arrays of a task, and its tool, as copies: solvers read them whenever they are made."""
    for name, shape in shapes.items():
        if getattr(task, name) is not None:
            vars(task)[name] = kept(getattr(task, name), shape, name)
    if task.tool is not None:
        matrix = matrices(transform(task.tool, "tool").reshape(4, 3))
        vars(task)["tool"] = kept(matrix, (4, 4), "tool")


def free_bits(axes: str) -> int:
    """A set of letters as the library's bits."""
    if any(axis not in FREE_BITS for axis in axes) or len(set(axes)) < len(axes):
        raise ValueError(f"free_position: {axes!r} is not made of the letters x, y and z, each once")
    return sum(FREE_BITS[axis] for axis in axes)
