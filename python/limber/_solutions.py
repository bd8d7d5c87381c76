"""Every configuration that reaches a target."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats
from ._figure import svg_of
from ._ik_result import Outcome
from ._values import Unchanging

if TYPE_CHECKING:
    from ._ik import Ik


class Solutions(Unchanging):
    """All solutions of one target, or of many.

    Of one target `q` has the shape ``(n, nq)``: exactly those that were found. Of targets of the
    shape ``(N, 4, 4)`` it is ``(N, limit, nq)``, of which the first ``listed[i]`` rows are filled
    and the others NaN.

    An index of the solutions of one target selects configurations of `q`; of many targets the
    solutions of one, or those of several: ``for q in solutions[3]``.

    Attributes
    ----------
    q : ndarray
        Configurations, nearest to the start first.
    info : ndarray
        A structured array, one record a solution: branch, in_limits, joint, beyond,
        position_error, rotation_error, condition, multiplicity, family, distance.
    summary : ndarray
        A structured array, one record a target: outcome, reason, count, in_limits, listed,
        complete, certified, truncated, family_count, family, noise.
    """

    q: Floats
    info: npt.NDArray[Any]
    summary: npt.NDArray[Any]
    _ik: Ik

    def __init__(
        self, ik: Ik, q: Floats, info: npt.NDArray[Any], summary: npt.NDArray[Any]
    ) -> None:
        self._set(_ik=ik, q=q, info=info, summary=summary)

    def _summarised(self, name: str) -> Any:
        return self.summary[name] if self.summary.ndim else self.summary[name].item()

    @property
    def listed(self) -> Any:
        """How many rows are filled."""
        return self._summarised("listed")

    @property
    def count(self) -> Any:
        """Different solutions on any turn, inside the limits or not."""
        return self._summarised("count")

    @property
    def complete(self) -> Any:
        """Whether all are counted."""
        return self._summarised("complete")

    @property
    def certified(self) -> Any:
        """Whether that is proved."""
        return self._summarised("certified")

    @property
    def branch(self) -> npt.NDArray[np.int32]:
        """Which of the arm's branches each solution is on.

        The number stays the same along a path up to a singularity; of general arms it only
        distinguishes the solutions of one target.
        """
        return np.asarray(self.info["branch"])

    @property
    def distance(self) -> Floats:
        """From the start: the root of the sum of squares, radians and lengths."""
        return np.asarray(self.info["distance"])

    @property
    def outcome(self) -> Any:
        """:class:`Outcome` of one target, or an array of its numbers."""
        found = self._summarised("outcome")
        return found if self.summary.ndim else Outcome(found)

    def __len__(self) -> int:
        return len(self.q)

    def __getitem__(self, index: Any) -> Any:
        if self.summary.ndim == 0:
            return self.q[index]
        q, info, summary = self.q[index], self.info[index], np.asarray(self.summary[index])
        if summary.ndim == 0:
            # of one target those that were found
            listed = int(summary["listed"])
            q, info = q[:listed], info[:listed]
        return Solutions(self._ik, q, info, summary)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        if self.summary.ndim:
            return f"Solutions({self.summary.size} targets, {int(self.listed.sum())} solutions)"
        certified = ", certified" if self.certified else ""
        return f"Solutions({self.listed} of {self.count}{certified})"

    def _repr_svg_(self) -> str | None:
        rows = self.q.reshape(-1, self._ik.model.nq)
        poses = rows[np.isfinite(rows).all(axis=1)][:16]
        return svg_of(lambda path: self._ik.model.draw(path, poses))
