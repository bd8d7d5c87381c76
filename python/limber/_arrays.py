"""Arrays as users have them and as the library reads them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from . import _core

Floats = npt.NDArray[np.float64]
ArrayLike = npt.ArrayLike
# configurations: numbers, or values of joints by their names
PoseLike = Union[npt.ArrayLike, Mapping[str, npt.ArrayLike]]

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
SINGULARITY = np.dtype(_core.SINGULARITY)
SOLUTION = np.dtype(_core.SOLUTION)
SUMMARY = np.dtype(_core.SUMMARY)
BODY_RESULT = np.dtype(_core.BODY_RESULT)
BODY_OUTCOME = np.dtype(_core.BODY_OUTCOME)
ARC = np.dtype(_core.ARC)
FRAME = np.dtype(_core.FRAME)
CELL = np.dtype(_core.CELL)
PROXIMITY = np.dtype(_core.PROXIMITY)
CHECK_PAIR = np.dtype(_core.CHECK_PAIR)


def numbers(value: ArrayLike, what: str) -> npt.NDArray[Any]:
    """The value as an array of real numbers: complex ones, texts and times are refused."""
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{what}: no array of one shape: {error}") from None
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{what}: real numbers are needed, not {array.dtype}")
    return array


def contiguous(value: ArrayLike, what: str = "array") -> Floats:
    """The value itself where it is contiguous float64, else a copy that is."""
    array = numbers(value, what)
    # of a single number it would make a row
    return np.ascontiguousarray(array, np.float64).reshape(array.shape)


def kept(value: ArrayLike, shape: tuple[int, ...], what: str) -> Floats:
    """A copy for objects that are used later; a length of -1 is any."""
    array = contiguous(value, what).copy()
    if array.ndim != len(shape) or any(n not in (-1, m) for n, m in zip(shape, array.shape)):
        raise wrong_shape(what, array.shape, shape)
    array.flags.writeable = False
    return array


def wrong_shape(what: str, given: tuple[int, ...], item: tuple[int, ...], many: bool = False) -> ValueError:
    """The error that says what shape is needed."""
    sizes = ["n" if n < 0 else str(n) for n in item]
    wanted = ", ".join(["..."] * many + sizes) + ("," if len(sizes) + many == 1 else "")
    return ValueError(f"{what}: an array of shape {given} where ({wanted}) is needed")


class Rows:
    """An array of equal items: `lead` is the shape before them, `flat` has one row an item."""

    __slots__ = ("flat", "lead")

    def __init__(self, flat: npt.NDArray[Any], lead: tuple[int, ...]) -> None:
        self.flat = flat
        self.lead = lead

    @property
    def count(self) -> int:
        return int(self.flat.shape[0])

    def part(self, begin: int, end: int) -> Floats:
        """Rows begin to end as the library reads them: a view where the array allows that."""
        return np.ascontiguousarray(self.flat[begin:end], np.float64)

    @property
    def all(self) -> Floats:
        """All rows as the library reads them."""
        return np.ascontiguousarray(self.flat, np.float64)

    def repeated(self, lead: tuple[int, ...]) -> Floats:
        """Rows of another leading shape, which these are broadcast to."""
        if lead == self.lead:
            return self.all
        item = self.flat.shape[1:]
        whole = np.broadcast_to(self.flat.reshape(self.lead + item), lead + item)
        return contiguous(whole.reshape((math.prod(lead), *item)))


def common_lead(*given: Rows) -> tuple[int, ...]:
    """The leading shape that all of these are repeated for."""
    first = given[0].lead
    if all(each.lead == first for each in given):
        return first
    return np.broadcast_shapes(*(each.lead for each in given))


def rows(value: ArrayLike, item: tuple[int, ...], what: str) -> Rows:
    """Any number of items of a shape."""
    array = numbers(value, what)
    if array.shape[array.ndim - len(item) :] != item or array.ndim < len(item):
        raise wrong_shape(what, array.shape, item, many=True)
    lead = array.shape[: array.ndim - len(item)]
    return Rows(array.reshape((math.prod(lead), *item)), lead)


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
    array = numbers(value, what)
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


def transform(value: ArrayLike, what: str) -> Floats:
    """One transform in the library's own layout, ``(12,)``."""
    made = columns(value, what)
    if made.ndim > 2:
        raise ValueError(f"{what}: one transform is needed, not {made.shape[:-2]} of them")
    return made.reshape(12)


def matrices(transforms: ArrayLike) -> Floats:
    """(..., 4, 4) from transforms by columns."""
    source = contiguous(transforms)
    made = np.empty(source.shape[:-2] + (4, 4))
    _core.convert(COLUMNS, MATRIX, source, made)
    return made


def one_matrix(numbers: tuple[float, ...]) -> Floats:
    """(4, 4) from twelve numbers."""
    return matrices(np.array(numbers).reshape(4, 3))


def fixed_matrix(numbers: tuple[float, ...]) -> Floats:
    """(4, 4) of what never changes."""
    return kept(one_matrix(numbers), (4, 4), "matrix")


def vector(value: ArrayLike, n: int, what: str) -> Floats:
    """n numbers, contiguous."""
    array = contiguous(value, what)
    if array.shape != (n,):
        raise wrong_shape(what, array.shape, (n,))
    return array


def finite(array: Floats, what: str) -> Floats:
    """The array itself, where no number is NaN or infinite."""
    if not np.isfinite(array).all():
        raise ValueError(f"{what}: {array[~np.isfinite(array)][0]} is no finite number")
    return array


def optional_vector(value: ArrayLike | None, n: int, what: str) -> Floats | None:
    """n numbers, contiguous; None where none are given."""
    return None if value is None else vector(value, n, what)


def writable(out: Any, shape: tuple[int, ...], kind: Any, what: str, *given: Floats) -> Any:
    """A new array, or `out` where it is one of this shape that the library can write into."""
    if out is None:
        return np.empty(shape, kind)
    if not isinstance(out, np.ndarray) or out.dtype != kind:
        has = out.dtype if isinstance(out, np.ndarray) else type(out).__name__
        raise TypeError(f"{what}: an array of {np.dtype(kind).name} is needed, not {has}")
    if out.shape != shape:
        raise wrong_shape(what, out.shape, shape)
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError(f"{what}: the array must be contiguous and writable")
    if any(np.may_share_memory(out, array) for array in given):
        raise ValueError(f"{what}: overlaps what is read")
    return out


def without_none(**options: Any) -> dict[str, Any]:
    """Options without those that are left out."""
    return {name: value for name, value in options.items() if value is not None}


def moments(value: ArrayLike, what: str) -> Floats:
    """Times, or shares of a time: any number of them, none of which is NaN."""
    found = contiguous(value, what)
    if np.isnan(found).any():
        raise ValueError(f"{what}: NaN is no time")
    return found


def positive(value: float, what: str) -> float:
    """A number above 0."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{what}: a number is needed, not {value!r}") from None
    if not number > 0:
        raise ValueError(f"{what}: {value} is not above 0")
    return number
