"""Configurations of a model: at rest, at random, between two others."""

from __future__ import annotations

import numpy as np

from ._arrays import ArrayLike, Floats, contiguous, rows, vector
from ._parts import Random
from ._structure import Structure

INTEGRATE, DIFFERENCE, INTERPOLATE, CLAMP = range(4)


class Configurations(Structure):
    """Configurations of a model, and how they are combined."""

    @property
    def neutral(self) -> Floats:
        """Each joint at its value at rest."""
        q = np.empty(self.nq)
        self.native.neutral(q)
        return q

    def random(self, n: int | None = None, seed: int | Random = 0) -> Floats:
        """Configurations that are uniform in the limits: ``(nq,)``, or ``(n, nq)``.

        Examples
        --------
        >>> import limber
        >>> limber.Model.load("ur5").random(1000, seed=7).shape
        (1000, 6)
        """
        source = seed if isinstance(seed, Random) else Random(seed)
        q = np.empty((1 if n is None else n, self.nq))
        source.state = self.native.random(source.state, q)
        return q.reshape(self.nq) if n is None else q

    def validate(self, q: ArrayLike, tolerance: float = 0.0) -> None:
        """Raises LimberError, naming the joint, where q is no configuration or breaks limits."""
        self.native.validate(vector(q, self.nq, "q"), tolerance)

    def integrate(self, q: ArrayLike, v: ArrayLike) -> Floats:
        """q moved by v over unit time."""
        return self._combine(INTEGRATE, q, rows(v, (self.nv,), "v").flat, self.nq)

    def difference(self, a: ArrayLike, b: ArrayLike) -> Floats:
        """The v that leads from a to b, turns by the smaller rotation."""
        return self._combine(DIFFERENCE, a, rows(b, (self.nq,), "b").flat, self.nv)

    def interpolate(self, a: ArrayLike, b: ArrayLike, t: ArrayLike) -> Floats:
        """a at t = 0, b at t = 1; of several t one row each."""
        times = np.asarray(t, np.float64)
        start = np.broadcast_to(np.asarray(a, np.float64), times.shape + (self.nq,))
        end = np.broadcast_to(np.asarray(b, np.float64), times.shape + (self.nq,))
        return self._combine(INTERPOLATE, start, end, self.nq, times)

    def clamp(self, q: ArrayLike) -> Floats:
        """Each value brought to the nearest within its limits."""
        given = rows(q, (self.nq,), "q").flat
        return self._combine(CLAMP, q, given, self.nq)

    def _combine(
        self, work: int, a: ArrayLike, b: ArrayLike, width: int, t: Floats | None = None
    ) -> Floats:
        first = rows(a, (self.nq,), "q")
        second = contiguous(b).reshape(-1, np.shape(b)[-1])
        n = max(first.count, len(second))
        left = contiguous(np.broadcast_to(first.flat, (n, self.nq)))
        right = contiguous(np.broadcast_to(second, (n, second.shape[1])))
        out = np.empty((n, width))
        times = None if t is None else contiguous(t).reshape(-1)
        self.native.combine(work, n, left, right, times, out)
        return out.reshape((*first.lead, width)) if first.count == n else out
