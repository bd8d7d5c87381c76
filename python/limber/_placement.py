"""Places from which a robot reaches its targets."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import ArrayLike, Floats, columns, matrices
from ._ranges import run, thread_count
from ._structure import Structure
from ._task import Task
from ._values import Unchanging

PLACE = np.dtype(_core.PLACE)


class Placement(Unchanging):
    """Places of a robot on a lattice, turned about the vertical; made by :meth:`Model.place`.

    Attributes
    ----------
    robot : ndarray
        ``(N, 4, 4)``: T_world_robot of each place, the best first.
    reached : ndarray
        ``(N,)``: how many of the targets are reached from there.
    margin : ndarray
        ``(N,)``: the least distance of a joint from its limits, over the targets that are reached,
        as a share of half its range.
    targets : int
        How many there are.
    """

    robot: Floats
    reached: npt.NDArray[Any]
    margin: npt.NDArray[Any]
    targets: int

    def __init__(
        self, model: Structure, task: Task, targets: ArrayLike, options: dict[str, Any], threads: int
    ) -> None:
        given = columns(targets, "targets").reshape(-1, 4, 3)
        count = len(given)
        fields = task.fields(model)
        natives = [_core.Placement(model.native, fields, given, options)]
        found = np.zeros(natives[0].count(), PLACE)
        # every target is solved at each place
        workers = thread_count(threads, len(found) * count)
        while len(natives) < workers:
            natives.append(_core.Placement(model.native, fields, given, options))
        run(
            lambda thread, begin, end: natives[thread].solve(begin, found[begin:end]),
            len(found),
            workers,
            shortest=8,
        )
        # most targets first, then the widest margin, then the order of the lattice
        order = np.lexsort((np.arange(len(found)), -found["margin"], -found["reached"]))
        best: npt.NDArray[Any] = found[order]
        robot, reached, margin = matrices(best["robot"]), best["reached"], best["margin"]
        self._set(robot=robot, reached=reached, margin=margin, targets=count)

    def __len__(self) -> int:
        return len(self.reached)

    def __repr__(self) -> str:
        most = int(self.reached[0]) if len(self) else 0
        return f"Placement({len(self)} places, the best reaches {most} of {self.targets} targets)"
