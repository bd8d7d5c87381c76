"""What is wrong with a motion, measured key by key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from . import _core
from ._arrays import CHECK_PAIR, ArrayLike, Floats, vector
from ._collision import Collision
from ._contacts import Contacts, read_contacts
from ._errors import LimberError
from ._files import PathLike
from ._model import Model
from ._parts import need
from ._srdf import JointLimit, joint_limits
from ._values import Unchanging, compared_by_parts

if TYPE_CHECKING:
    from ._clip import Clip

FEET = ("slide", "floating", "penetration")


@compared_by_parts
class Worst(NamedTuple):
    """One item over the whole clip.

    `worst` is the largest value, at the key `key` (-1: it is 0 everywhere), at `time` seconds (NaN)
    and `of` this link or joint (None); `where` is the index of the point, link or joint. `rms` is the
    root of the mean square of all keys, `beyond` how many keys are beyond the threshold.
    """

    worst: float
    key: int
    where: int
    rms: float
    beyond: int
    time: float
    of: str | None


class NearPair(NamedTuple):
    """Two bodies that come near to each other, and how near.

    `distance` is the least of all keys, metres, negative where they overlap, at the key `key` and
    the time `time`; `near` and `touching` are the numbers of keys in which it is at most the margin
    and at most 0.
    """

    a: str
    b: str
    distance: float
    key: int
    time: float
    near: int
    touching: int


class Check(Unchanging):
    """Made by :meth:`Clip.check`.

    Attributes
    ----------
    items : dict of str to Worst
        Of ``slide``, ``floating``, ``penetration``, ``shift`` and ``overlap`` in metres; ``jump`` and
        ``position`` in radians or metres; ``speed`` as a share of the limit; ``acceleration`` in
        radians or metres per second squared; ``open`` as a share of the loops' size. See limber/check.h.
    values : dict of str to ndarray
        The same of every key, ``(N,)``.
    unknown : dict of str to str
        The items that were not measured, and why.
    contacts : Contacts or None
        When feet rest, as it was given or detected.
    pairs : tuple of NearPair
        The pairs of links that come as near as the margin, the nearest first.
    """

    items: dict[str, Worst]
    values: dict[str, Floats]
    unknown: dict[str, str]
    contacts: Contacts | None
    pairs: tuple[NearPair, ...]
    _margin: float

    def __init__(
        self,
        items: dict[str, Worst],
        values: dict[str, Floats],
        unknown: dict[str, str],
        contacts: Contacts | None,
        pairs: tuple[NearPair, ...],
        margin: float,
    ) -> None:
        self._set(items=items, values=values, unknown=unknown)
        self._set(contacts=contacts, pairs=pairs, _margin=margin)

    @property
    def passed(self) -> bool:
        """Nothing is beyond its threshold, and no pair nearer than a margin above 0."""
        return not self.failed and not (self._margin > 0 and self.pairs)

    @property
    def failed(self) -> tuple[str, ...]:
        """The items that are beyond their thresholds at some key."""
        return tuple(
            name
            for name, item in self.items.items()
            if item.beyond > 0 and name not in self.unknown
        )

    def __repr__(self) -> str:
        keys = len(next(iter(self.values.values())))
        found = [*self.failed]
        if self._margin > 0 and self.pairs:
            found.append(f"{len(self.pairs)} pairs near")
        return f"Check({keys} keys: {', '.join(found) or 'passed'})"


def find_feet(
    clip: Clip, given: Contacts | PathLike | Literal[False] | None, ground: float, normal: Floats
) -> tuple[Contacts | None, bool, str]:
    """When feet rest, whether their soles are assumed, and why nothing is known of them."""
    if given is False:
        return None, False, "contacts=False was given"
    if given is not None:
        return read_contacts(given, clip.model), False, ""
    try:
        return *Contacts.found(clip, ground=ground, ground_normal=normal), ""
    except LimberError as error:
        return None, False, error.message


def why_unknown(
    model: Model,
    feet: tuple[Contacts | None, bool, str],
    collision: Collision | None,
    floats: bool,
) -> dict[str, str]:
    """The items that cannot be measured, and why; as ``limber check`` has it.

    What never rests ``floats``, or is too short for that.
    """
    found = {}
    contacts, assumed, missing = feet
    if contacts is None:
        found = dict.fromkeys(FEET, missing)
    else:
        if not any(len(contacts.spans(point)) for point in range(len(contacts))):
            found = dict.fromkeys(FEET[: 1 if floats else 2], "no point of the feet rests")
        if assumed:
            why = "the feet have no shapes that say where their soles are"
            found |= dict.fromkeys(FEET[1:], why)
    if not any(np.isfinite(joint.velocity) for joint in model.joints):
        found["speed"] = "no joint has a speed limit"
    if not model.loops:
        found["open"] = "the model has no loops"
    if collision is None:
        found["overlap"] = "collision was not given"
    elif collision.checked == 0:
        found["overlap"] = "no two links have shapes that could touch"
    return found


def name_of(item: str, where: int, model: Model, contacts: Contacts | None) -> str | None:
    """The link or the joint that a worst value is of."""
    if where < 0:
        return None
    if item in FEET and contacts is not None:
        return contacts.points[where].link
    return model.links[where].name if item == "overlap" else model.joints[where].name


def near_pairs(
    clip: _core.Clip, times: Floats, collision: Collision, native: _core.Collision, margin: float
) -> tuple[NearPair, ...]:
    """All pairs that come as near as the margin."""
    names = native.pairs()
    found = np.zeros(len(names), CHECK_PAIR)
    _core.check_pairs(clip, native, margin, found)
    near = [
        NearPair(
            collision.bodies[a],
            collision.bodies[b],
            float(row["distance"]),
            int(row["key"]),
            float(times[row["key"]]),
            int(row["near"]),
            int(row["touching"]),
        )
        for (a, b, _), row in zip(names, found)
        if row["near"] > 0
    ]
    return tuple(sorted(near, key=lambda pair: pair.distance))


def read_thresholds(given: Mapping[str, float] | None, items: tuple[str, ...]) -> Floats:
    """A number for each item, NaN where the library's own counts."""
    limits = np.full(len(items), np.nan)
    for name, limit in (given or {}).items():
        if name not in items:
            raise ValueError(f"thresholds: {name!r} is none of {', '.join(items)}")
        if np.isnan(limit):
            raise ValueError(f"thresholds: {name}: NaN is no bound")
        limits[items.index(name)] = limit
    return limits


def accelerations_of(model: Model, limits: Mapping[str, JointLimit]) -> Floats:
    """The most that the acceleration of each joint may be; infinite where none is given."""
    found = np.full(len(model.joints), np.inf)
    for name, limit in limits.items():
        found[model.joint_index(name)] = limit.acceleration
    return found


def measured(
    item: str, fields: dict[str, Any], times: Floats, model: Model, feet: Contacts | None
) -> Worst:
    """What was found of one item."""
    key = fields["key"]
    time = float(times[key]) if key >= 0 else np.nan
    return Worst(**fields, time=time, of=name_of(item, fields["where"], model, feet))


def check_clip(
    clip: Clip,
    contacts: Contacts | PathLike | Literal[False] | None,
    collision: Collision | None,
    margin: float,
    ground: float,
    ground_normal: ArrayLike,
    limits: PathLike | Mapping[str, JointLimit] | None,
    thresholds: Mapping[str, float] | None,
) -> Check:
    """The work of Clip.check."""
    accelerations = None
    if limits is not None:
        known = joint_limits(clip.model, limits)
        accelerations = accelerations_of(clip.model, known)
        clip = clip.over(clip.model.with_limits(known))
    if collision is not None:
        need(collision, Collision, "collision", "model.collision(figure=True) makes one")
        collision = collision.on(clip.model)
    normal = vector(ground_normal, 3, "ground_normal")
    feet = find_feet(clip, contacts, ground, normal)
    native_feet = None if feet[0] is None else feet[0].native
    plane, bounds = np.array([ground, *normal]), read_thresholds(thresholds, _core.CHECKS)
    times, values = clip.times, np.zeros((len(clip), len(_core.CHECKS)))
    pairs: tuple[NearPair, ...] = ()

    def measure(native: _core.Collision | None) -> dict[str, dict[str, Any]]:
        return _core.check_clip(
            clip.native, native_feet, native, plane, bounds, accelerations, values
        )

    if collision is None:
        found = measure(None)
    else:
        with collision.borrow() as native:
            found = measure(native)
            pairs = near_pairs(clip.native, times, collision, native, margin)
    items = {name: measured(name, item, times, clip.model, feet[0]) for name, item in found.items()}
    columns = {name: values[:, i] for i, name in enumerate(_core.CHECKS)}
    unknown = why_unknown(clip.model, feet, collision, found["floating"]["worst"] > 0)
    return Check(items, columns, unknown, feet[0], pairs, margin)
