"""Where links are, and how they move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import _core
from ._arrays import COLUMNS, SHAPES, Floats, Rows
from ._ranges import run, thread_count
from ._structure import Structure


class Forward:
    """Forward kinematics of chosen links; the solvers of its threads are kept."""

    def __init__(
        self, model: Structure, links: Sequence[int], jacobian: bool, options: dict[str, Any]
    ) -> None:
        self.model = model
        self.links = list(links)
        self.jacobian = jacobian
        self._options = options
        self._threads: list[list[_core.Forward]] = []

    def _natives(self, thread: int) -> list[_core.Forward]:
        # the first has the transforms, and the Jacobian of the first link; one more for each other
        while len(self._threads) <= thread:
            tips = self.links if self.jacobian else [-1]
            made = []
            for i, tip in enumerate(tips):
                options = {**self._options, "tip": tip} if self.jacobian else {}
                links = self.links if i == 0 else [tip]
                made.append(_core.Forward(self.model.native, links, options, COLUMNS))
            self._threads.append(made)
        return self._threads[thread]

    def of_row(self, layout: int) -> Callable[[object], Any]:
        """What computes one row of float64 of one link in one call, and returns None of anything else."""
        options = {**self._options, "tip": self.links[0]} if self.jacobian else {}
        return _core.Forward(self.model.native, self.links, options, layout).row

    def run(
        self, q: Rows, layout: int, threads: int, transforms: Floats, jacobians: Floats | None
    ) -> None:
        """Fills transforms of each row, and Jacobians where they are wanted, of any leading shape."""
        n, links, nv = q.count, len(self.links), self.model.nv
        transforms = transforms.reshape((n, links, *SHAPES[layout]))
        nothing = np.empty(0)
        slopes = np.empty((n, 0)) if jacobians is None else jacobians.reshape((n, links, 6, nv))
        count = thread_count(threads, n)
        natives = [self._natives(thread) for thread in range(count)]

        def work(thread: int, first: int, last: int) -> None:
            part = q.part(first, last)
            for which, native in enumerate(natives[thread]):
                native.run(
                    last - first,
                    layout,
                    part,
                    transforms[first:last] if which == 0 else nothing,
                    slopes[first:last],
                    which,
                    links if self.jacobian else 0,
                )

        run(work, n, count)

    def run_float(self, q: Rows, threads: int, lead: tuple[int, ...]) -> Any:
        """Matrices in single precision; the library has them by columns, numpy sees them by rows."""
        n, links = q.count, len(self.links)
        flat = np.ascontiguousarray(q.flat, np.float32)
        matrices = np.empty((n, links, 4, 4), np.float32)
        count = thread_count(threads, n)
        natives = [self._natives(thread) for thread in range(count)]

        def work(thread: int, first: int, last: int) -> None:
            natives[thread][0].run_float(last - first, flat[first:last], matrices[first:last])

        run(work, n, count)
        return matrices.reshape((*lead, 4, 4)).swapaxes(-1, -2)
