"""What is wrong with a motion, measured key by key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from . import _core
from ._arrays import ArrayLike, Floats, vector
from ._collision import Collision
from ._contacts import Contacts


class Worst(NamedTuple):
    """One item over the whole clip.

    `worst` is the largest value, at the key `key` (-1: it is 0 everywhere) and at the point, link
    or joint `where` (-1: none); `rms` the root of the mean square of all keys; `beyond` how many
    keys are beyond the threshold.
    """

    worst: float
    key: int
    where: int
    rms: float
    beyond: int


class Check:
    """Made by :meth:`Clip.check`.

    Attributes
    ----------
    items : dict of str to Worst
        Of ``slide``, ``floating``, ``penetration``, ``jump``, ``speed``, ``acceleration``,
        ``position`` and ``overlap``; units and thresholds are those of limber/check.h.
    values : dict of str to ndarray
        The same of every key.
    """

    def __init__(self, items: dict[str, Worst], values: dict[str, Floats]) -> None:
        self.items = items
        self.values = values

    @property
    def passed(self) -> bool:
        """Nothing is beyond its threshold."""
        return not self.failed

    @property
    def failed(self) -> tuple[str, ...]:
        """The items that are beyond their thresholds at some key."""
        return tuple(name for name, item in self.items.items() if item.beyond > 0)

    def __repr__(self) -> str:
        keys = len(next(iter(self.values.values())))
        return f"Check({keys} keys: {', '.join(self.failed) or 'passed'})"


def check_clip(
    clip: _core.Clip,
    keys: int,
    contacts: Contacts | None,
    collision: Collision | None,
    ground: float,
    ground_normal: ArrayLike,
    thresholds: Mapping[str, float] | None,
) -> Check:
    """The work of Clip.check."""
    limits = np.full(len(_core.CHECKS), np.nan)
    for name, limit in (thresholds or {}).items():
        if name not in _core.CHECKS:
            raise ValueError(f"thresholds: {name!r} is none of {', '.join(_core.CHECKS)}")
        limits[_core.CHECKS.index(name)] = limit
    values = np.zeros((keys, len(_core.CHECKS)))
    found = _core.check_clip(
        clip,
        None if contacts is None else contacts.native,
        None if collision is None else collision.native(0),
        np.array([ground, *vector(ground_normal, 3, "ground_normal")]),
        limits,
        values,
    )
    items = {name: Worst(**item) for name, item in found.items()}
    return Check(items, {name: values[:, i] for i, name in enumerate(_core.CHECKS)})
