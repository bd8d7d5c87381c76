"""What objects have in common: most never change, some are equal by their numbers, some stay here."""

from __future__ import annotations

from enum import IntEnum
from numbers import Number
from typing import Any, NoReturn, TypeVar

import numpy as np

Kind = TypeVar("Kind", bound=type)


class Worded(IntEnum):
    """A number with a name, printed as words in lower case and equal to them."""

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")

    def __eq__(self, other: object) -> bool:
        return str(self) == other if isinstance(other, str) else int(self) == other

    def __ne__(self, other: object) -> bool:
        return str(self) != other if isinstance(other, str) else int(self) != other

    # a key by its number
    __hash__ = IntEnum.__hash__


class Unchanging:
    """An object whose attributes cannot be set; its own code fills it by `_set`."""

    def _set(self, **attributes: Any) -> None:
        self.__dict__.update(attributes)

    def __setattr__(self, name: str, value: object) -> None:
        kind = type(self).__name__
        raise AttributeError(f"{name} cannot be set: a {kind} never changes; make another one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{name} cannot be deleted: a {type(self).__name__} never changes")


def same(one: Any, other: Any) -> bool:
    """Whether values are equal, arrays number for number; NaN is what stands for no number."""
    numbers = all(isinstance(value, (float, np.ndarray)) for value in (one, other))
    return bool(np.array_equal(one, other, equal_nan=numbers))


def compared_by_parts(kind: Kind) -> Kind:
    """A NamedTuple that is equal where all parts are: a tuple's own comparison fails for arrays."""

    def equal(self: Any, other: Any) -> bool:
        parts = isinstance(other, tuple) and len(self) == len(other)
        return parts and all(map(same, self, other))

    setattr(kind, "__eq__", equal)
    setattr(kind, "__ne__", object.__ne__)
    return kind


class Equal:
    """What is equal where all attributes are, arrays number for number; of frozen dataclasses."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        mine, theirs = vars(self), vars(other)
        return all(same(value, theirs[name]) for name, value in mine.items())

    def __hash__(self) -> int:
        return hash((type(self), *(v for v in vars(self).values() if isinstance(v, (str, Number)) and v == v)))


class Staying:
    """What belongs to its process: `_instead` says what to send in its place."""

    _instead: str

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{type(self).__name__} cannot be pickled: {self._instead}")
