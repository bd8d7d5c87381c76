"""Arrays as users have them and as the library reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core

Floats = npt.NDArray[np.float64]
ArrayLike = npt.ArrayLike

# how transforms are laid out, and the shape of one; see core.h
COLUMNS, MATRIX, AFFINE, POSE, POINT = range(5)
SHAPES: dict[int, tuple[int, ...]] = {
    COLUMNS: (4, 3),
    MATRIX: (4, 4),
    AFFINE: (3, 4),
    POSE: (7,),
    POINT: (3,),
}
LAYOUT_NAMES = {"columns": COLUMNS, "matrix": MATRIX, "pose": POSE}

IK_RESULT = np.dtype(_core.IK_RESULT)
SOLUTION = np.dtype(_core.SOLUTION)
SUMMARY = np.dtype(_core.SUMMARY)
BODY_RESULT = np.dtype(_core.BODY_RESULT)
BODY_OUTCOME = np.dtype(_core.BODY_OUTCOME)
ARC = np.dtype(_core.ARC)
FRAME = np.dtype(_core.FRAME)
CELL = np.dtype(_core.CELL)
PROXIMITY = np.dtype(_core.PROXIMITY)
CHECK_PAIR = np.dtype(_core.CHECK_PAIR)


def contiguous(value: ArrayLike) -> Floats:
    """The value itself where it is contiguous float64, else a copy that is."""
    return np.ascontiguousarray(value, dtype=np.float64)


@dataclass(frozen=True)
class Rows:
    """An array of equal items: `lead` is the shape before them, `flat` has one row an item."""

    flat: npt.NDArray[Any]
    lead: tuple[int, ...]

    @property
    def count(self) -> int:
        return int(self.flat.shape[0])

    def part(self, begin: int, end: int) -> Floats:
        """Rows begin to end as the library reads them: a view where the array allows that."""
        return contiguous(self.flat[begin:end])


def rows(value: ArrayLike, item: tuple[int, ...], what: str) -> Rows:
    """Any number of items of a shape."""
    array = np.asarray(value)
    if array.shape[array.ndim - len(item) :] != item or array.ndim < len(item):
        wanted = ", ".join(["..."] + [str(n) for n in item])
        raise ValueError(f"{what}: an array of shape {array.shape} where ({wanted}) is needed")
    lead = array.shape[: array.ndim - len(item)]
    return Rows(array.reshape((-1, *item)), lead)


def layout_of(shape: tuple[int, ...], points: bool) -> int | None:
    """The layout of transforms in an array of this shape."""
    if points and shape[-1:] == (3,):
        return POINT
    for layout in (MATRIX, AFFINE, COLUMNS, POSE):
        item = SHAPES[layout]
        if shape[len(shape) - len(item) :] == item:
            return layout
    return None


class Targets(NamedTuple):
    """Transforms: `rows` has one problem a row, `layout` says what a transform looks like."""

    rows: Rows
    layout: int


def targets(value: ArrayLike, tasks: int = 1, points: bool = False, what: str = "targets") -> Targets:
    """Transforms in whatever layout; with several tasks the last axis before them is the task's."""
    array = np.asarray(value)
    layout = layout_of(array.shape, points)
    if layout is None:
        known = "(..., 4, 4), (..., 3, 4) or (..., 7): x y z and a quaternion w x y z"
        if points:
            known += ", or (..., 3): positions"
        raise ValueError(f"{what}: an array of shape {array.shape} where {known} is needed")
    item = SHAPES[layout]
    if tasks > 1:
        item = (tasks, *item)
    return Targets(rows(array, item, what), layout)


def columns(value: ArrayLike, what: str = "transform") -> Floats:
    """Transforms in the library's own layout, (..., 4, 3)."""
    found = targets(value, what=what)
    source = found.rows.part(0, found.rows.count)
    if found.layout == COLUMNS:
        return source.reshape(found.rows.lead + (4, 3))
    made = np.empty((found.rows.count, 4, 3))
    _core.convert(found.layout, COLUMNS, source, made)
    return made.reshape(found.rows.lead + (4, 3))


def matrices(transforms: ArrayLike) -> Floats:
    """(..., 4, 4) from transforms by columns."""
    source = contiguous(transforms)
    made = np.empty(source.shape[:-2] + (4, 4))
    _core.convert(COLUMNS, MATRIX, source, made)
    return made


def one_matrix(numbers: tuple[float, ...]) -> Floats:
    """(4, 4) from twelve numbers."""
    return matrices(np.array(numbers).reshape(4, 3))


def vector(value: ArrayLike, n: int, what: str) -> Floats:
    """n numbers, contiguous."""
    array = contiguous(value)
    if array.shape != (n,):
        raise ValueError(f"{what}: an array of shape {array.shape} where ({n},) is needed")
    return array


def optional_vector(value: ArrayLike | None, n: int, what: str) -> Floats | None:
    """n numbers, contiguous; None where none are given."""
    return None if value is None else vector(value, n, what)


def without_none(**options: Any) -> dict[str, Any]:
    """Options without those that are left out."""
    return {name: value for name, value in options.items() if value is not None}


def positive(value: float, what: str) -> float:
    """A number above 0."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{what}: a number is needed, not {value!r}") from None
    if not number > 0:
        raise ValueError(f"{what}: {value} is not above 0")
    return number
