"""What arms of two links in a plane reach, exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import ArrayLike, Floats, contiguous, fixed_matrix, rows
from ._values import Unchanging


class PlanarReach(Unchanging):
    """The ring between two circles, or what limits leave of it; see :meth:`Model.planar_reach`.

    Attributes
    ----------
    plane : ndarray
        T_base_plane, ``(4, 4)``: the origin on the first axis, z along it.
    first, second : float
        The links' lengths, metres.
    lower, upper : tuple of float
        Limits of the first link's angle against the plane's x axis, and of the second's against the
        first; infinite for none.
    inner, outer : float
        The nearest and the farthest that limits allow, metres.
    """

    plane: Floats
    first: float
    second: float
    lower: tuple[float, float]
    upper: tuple[float, float]
    inner: float
    outer: float
    _fields: dict[str, Any]

    def __init__(self, fields: dict[str, Any]) -> None:
        names = ("first", "second", "lower", "upper", "inner", "outer")
        parts = {name: fields[name] for name in names}
        self._set(_fields=fields, plane=fixed_matrix(fields["plane"]), **parts)

    def reaches(self, points: ArrayLike) -> npt.NDArray[np.bool_]:
        """Whether the arm reaches x, y of the plane, ``(..., 2)``, to rounding."""
        given = rows(points, (2,), "points")
        flags = np.empty(given.count, np.bool_)
        ring = {name: np.array(value) if np.ndim(value) else value for name, value in self._fields.items()}
        _core.planar_reaches(ring, contiguous(given.flat), flags)
        return flags.reshape(given.lead)

    def __repr__(self) -> str:
        return f"PlanarReach({self.inner:.4g} to {self.outer:.4g} m)"
