"""Maps of what a tool reaches: how many orientations at each place of a lattice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import Floats
from ._ranges import run, thread_count
from ._task import Task

if TYPE_CHECKING:
    from ._model import Model


class ReachMap:
    """For each cell of a lattice the number of orientations that are reached at its centre.

    Made by :meth:`Model.reach_map`; ``limber workspace --grid`` writes the same array.

    Attributes
    ----------
    counts : ndarray
        ``(n, n, n)``, the first index along x of the base.
    bits : ndarray or None
        ``(n, n, n, (orientations + 7) // 8)``: which orientations, as ``numpy.packbits`` with
        ``bitorder="little"`` has them.
    cell, radius : float
        Metres between centres, and how far the tool ever is from `center`.
    center : ndarray
        Of the middle cell, seen from the base.
    orientations : ndarray
        ``(N, 4)``: quaternions w x y z.
    """

    def __init__(
        self, model: Model, task: Task, options: dict[str, Any], bits: bool, threads: int
    ) -> None:
        self.model = model
        self.task = task
        fields = task.fields(model)
        natives = [_core.ReachMap(model.native, fields, options)]
        grid = natives[0].grid()
        n: int = grid["count"]
        self.cell: float = grid["cell"]
        self.radius: float = grid["radius"]
        self.center: Floats = np.array(grid["center"])
        self.orientations: Floats = np.empty((grid["orientations"], 4))
        natives[0].orientations(self.orientations)
        counts = np.empty(n**3, np.uint16)
        marks = np.empty((n**3, (grid["orientations"] + 7) // 8), np.uint8) if bits else None
        # a cell takes a fraction of a millisecond: a few are worth a thread
        count = thread_count(threads, n**3 * 16)
        while len(natives) < count:
            natives.append(_core.ReachMap(model.native, fields, options))

        def work(thread: int, first: int, last: int) -> None:
            part = None if marks is None else marks[first:last]
            natives[thread].solve(first, counts[first:last], part)

        run(work, n**3, count, longest=1024)
        self.counts: npt.NDArray[np.uint16] = counts.reshape((n, n, n), order="F")
        self.bits: npt.NDArray[np.uint8] | None = None
        if marks is not None:
            self.bits = marks.reshape((n, n, n, -1)).swapaxes(0, 2)

    @property
    def share(self) -> Floats:
        """``(n, n, n)``: the share of orientations that are reached."""
        return np.asarray(self.counts / len(self.orientations))

    @property
    def axis(self) -> Floats:
        """The coordinates of centres along each axis, less those of `center`."""
        half = len(self.counts) // 2
        return np.arange(-half, half + 1) * self.cell

    def __repr__(self) -> str:
        n = len(self.counts)
        return (
            f"ReachMap({n} x {n} x {n} cells of {self.cell:g} m, "
            f"{len(self.orientations)} orientations, {100 * self.share.mean():.2f} % reached)"
        )
