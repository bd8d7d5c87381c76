"""Four-bars that guide a plane through given poses."""

from __future__ import annotations

from typing import Any, NamedTuple, Unpack

import numpy as np

from . import _core
from ._arrays import ArrayLike, Floats, contiguous, rows
from ._keywords import with_options
from ._model import Model
from ._options import SynthesisOptions


class Dyad(NamedTuple):
    """A point of the ground and a point of the coupler that have one distance in all poses.

    `fixed` is in the world, `moving` in the coupler's axes; metres.
    """

    fixed: tuple[float, float]
    moving: tuple[float, float]
    length: float


class FourBar(NamedTuple):
    """A four-bar and how it goes through the poses; see limber/synthesis.h.

    `kind` is its class by Grashof's rule, "crank-rocker" and so on; `on_one_branch` says whether
    the crank moves it to every pose without a dead point, `in_order` whether it also passes them in
    order. `transmission` is the least angle between coupler and rocker over the poses, radians.
    `first` is the first pose.
    """

    crank: Dyad
    rocker: Dyad
    ground: float
    coupler: float
    kind: str
    on_one_branch: bool
    in_order: bool
    transmission: float
    first: tuple[float, float, float]

    def model(self) -> Model:
        """The linkage; its link `guided` is in the first pose at the neutral configuration."""
        return Model.from_json(_core.four_bar_json(self._fields_of(), np.array(self.first)))

    def values(self, poses: ArrayLike) -> Floats:
        """The joint values of the model at poses of the coupler, ``(..., 3)``: drive, pin, pivot."""
        given = rows(poses, (3,), "poses")
        q = np.empty((given.count, 3))
        _core.four_bar_values(self._fields_of(), np.array(self.first), contiguous(given.flat), q)
        return q.reshape(*given.lead, 3)

    def _fields_of(self) -> dict[str, Any]:
        fields: dict[str, Any] = self._asdict()
        del fields["first"]
        for side in ("crank", "rocker"):
            dyad = fields.pop(side)
            for name in ("fixed", "moving"):
                fields |= zip((f"{side}_{name}_x", f"{side}_{name}_y"), getattr(dyad, name))
            fields[f"{side}_length"] = dyad.length
        return fields


class Synthesis(NamedTuple):
    """The best four-bars, of how many (`found`), and whether every dyad in reach is known."""

    four_bars: tuple[FourBar, ...]
    found: int
    complete: bool


def make_four_bar(fields: dict[str, Any], first: Floats) -> FourBar:
    """A four-bar from what the extension gives."""
    for side in ("crank", "rocker"):
        fields[side] = Dyad(
            (fields.pop(f"{side}_fixed_x"), fields.pop(f"{side}_fixed_y")),
            (fields.pop(f"{side}_moving_x"), fields.pop(f"{side}_moving_y")),
            fields.pop(f"{side}_length"),
        )
    x, y, angle = first.tolist()
    return FourBar(**fields, first=(x, y, angle))


@with_options(SynthesisOptions)
def synthesize(poses: ArrayLike, *, best: int = 10, **options: Unpack[SynthesisOptions]) -> Synthesis:
    """The four-bars that guide a coupler through three to five poses of a plane, the best first.

    `poses` are rows of x, y and angle, ``(3..5, 3)``. Four-bars without defects come first, then
    those on one branch, each by the least transmission angle.

    Examples
    --------
    >>> import limber
    >>> found = limber.synthesize([[0, 0, 0], [1, 0.5, 0.4], [1.6, 1.4, 1.1]], best=1)
    >>> found.four_bars[0].in_order
    True
    """
    given = rows(poses, (3,), "poses")
    if best < 1:
        raise ValueError(f"best: {best} four-bars; at least 1 is wanted")
    flat = contiguous(given.flat)
    made, found, complete = _core.synthesize(flat, dict(options), best)
    return Synthesis(tuple(make_four_bar(fields, flat[0]) for fields in made), found, complete)
