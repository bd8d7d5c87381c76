"""Where a tool can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import CELL, Floats, one_matrix
from ._figure import svg_of
from ._files import PathLike
from ._ranges import run, thread_count
from ._task import Task
from ._values import Staying, Unchanging

if TYPE_CHECKING:
    from ._model import Model


# of a tool that moves on a curve or a surface, which hardly any cell's centre is on
THIN_SAMPLES = 100_000


@dataclass(frozen=True)
class WorkspaceSize:
    """Areas of a plane, or volumes, and how far they may be off for the width of the cells.

    Half a cell along the rim, or, if that is more, half of all cells that the tool passes though it does
    not reach their centres. Cells of samples count on the rim by half, give or take the other half, once the
    samples have settled; until then they bound nothing.

    Where `settled` is false and cells were solved, the dexterous size is at most what it says: the last
    doubling of the `orientations` tried took away more than counting cells explains. Of samples it is the
    size of the cells where they had every orientation so far, which bounds nothing: `settled` is false and
    the error infinite, as it is not known.
    """

    reachable: float
    reachable_error: float
    dexterous: float
    dexterous_error: float
    reachable_cells: int
    dexterous_cells: int
    settled: bool
    orientations: int


class Workspace(Staying, Unchanging):
    """A grid of cells, each solved in many orientations; made by :meth:`Model.workspace`.

    Attributes
    ----------
    cells : ndarray
        Records of the shape ``(nx, ny, nz)``: center, samples, orientations, solved, reached,
        dexterous, manipulability.
    cell : float
        The edge of a cell, metres.
    orientations : int
        How many orientations there are; what has them all is tried in 15 times as many more.
    frame : ndarray
        T_base_grid.
    size : WorkspaceSize
    """

    model: Model
    task: Task
    cells: npt.NDArray[Any]
    cell: float
    orientations: int
    frame: Floats
    size: WorkspaceSize
    shape: tuple[int, ...]
    planar: bool
    _native: _core.Workspace
    _manipulability: bool
    _instead = "send its cells and its size, or make it again by Model.workspace"

    def __init__(
        self, model: Model, task: Task, options: dict[str, Any], samples: int, threads: int
    ) -> None:
        shown = bool(options.get("manipulability", False))
        native = _core.Workspace(model.native, task.fields(model), options)
        count = native.describe()[0]
        if samples == 0 and native.describe()[1]["thin"]:
            samples = THIN_SAMPLES
        if samples > 0:
            native.sample(samples)
        else:
            solve(native, model, task.fields(model), options, count, threads)
        _, grid, size = native.describe()
        cells = np.empty(count, CELL)
        native.cells(cells)
        self._set(model=model, task=task, _manipulability=shown, _native=native)
        self._set(shape=grid["count"], planar=grid["planar"], cell=grid["cell"])
        self._set(orientations=grid["orientations"], frame=one_matrix(grid["frame"]))
        self._set(size=WorkspaceSize(**size), cells=cells.reshape(self.shape, order="F"))

    @property
    def reached(self) -> npt.NDArray[np.bool_]:
        """``(nx, ny, nz)``: whether the tool can be at each cell's centre."""
        return np.asarray(self.cells["reached"])

    @property
    def share(self) -> Floats:
        """``(nx, ny, nz)``: the share of orientations that are reached."""
        return np.asarray(self.cells["orientations"] / self.orientations)

    def draw(self, path: PathLike, title: str | None = None) -> None:
        """Draws the map into a file: .svg, .png or .pdf."""
        task = self.task.fields(self.model)
        _core.draw_workspace(self._native, path, task, title, self._manipulability)

    def _repr_svg_(self) -> str | None:
        return svg_of(self.draw)

    def __repr__(self) -> str:
        unit = "m2" if self.planar else "m3"
        sides = self.shape[:2] if self.planar else self.shape
        return (
            f"Workspace({' x '.join(str(n) for n in sides)} cells of {self.cell:.3g} m, "
            f"{self.size.reachable:.3g} {unit} reachable)"
        )


def solve(
    native: _core.Workspace,
    model: Model,
    task: dict[str, Any],
    options: dict[str, Any],
    count: int,
    threads: int,
) -> None:
    """Solves all cells, by several threads."""
    # a cell takes half a millisecond: a few are worth a thread
    workers = thread_count(threads, count * 64)
    natives = [native]
    while len(natives) < workers:
        natives.append(_core.Workspace(model.native, task, options))
    run(lambda thread, begin, end: natives[thread].solve(begin, end), count, workers, shortest=8)
    for other in natives[1:]:
        native.merge(other)
