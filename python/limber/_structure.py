"""What a model consists of: links, joints, limits, and their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from . import _core
from ._arrays import ArrayLike, Floats, PoseLike, Rows, fixed_matrix, numbers, one_matrix, rows, vector, wrong_shape
from ._assembly import Loop, make_loop
from ._errors import LimberError
from ._values import Equal, Unchanging

NO_LINK = -2


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """What a message ends with where one of these names is near to one that is not there."""
    known = tuple(names)
    near = _core.nearest_name(name, known)
    return f"; did you mean '{known[near]}'?" if near >= 0 else ""


@dataclass(frozen=True, eq=False)
class Joint(Equal):
    """A joint: it moves link `child` against link `parent`.

    `q_index` is where its `nq` values begin in a configuration, `v_index` where its `nv` begin in
    a velocity; -1 of fixed joints. A motor moves it if it is `driven`, a spring
    holds it if it is `sprung`. Of a ball, `lower` and `upper` are limits of twist and swing.
    """

    index: int
    name: str
    parent: str
    child: str
    kind: str
    placement: Floats = field(repr=False)
    axis: tuple[float, ...] = field(repr=False)
    axis2: tuple[float, ...] = field(repr=False)
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    value: tuple[float, ...] = field(repr=False)
    weight: float = field(repr=False)
    locked: bool = field(repr=False)
    driven: bool = field(repr=False)
    sprung: bool = field(repr=False)
    mimic: str | None = field(repr=False)
    multiplier: float = field(repr=False)
    offset: float = field(repr=False)
    velocity: float = field(repr=False)
    effort: float = field(repr=False)
    q_index: int = field(repr=False)
    v_index: int = field(repr=False)
    nq: int = field(repr=False)
    nv: int = field(repr=False)


@dataclass(frozen=True, eq=False)
class Link(Equal):
    """A rigid part.

    `parent` is the index of the link before it, -1 of the root. `bone` is what it is in a human
    figure, by VRM's names, or None.
    """

    index: int
    name: str
    parent: int
    bone: str | None = field(repr=False)
    mass: float = field(repr=False)
    center: tuple[float, ...] = field(repr=False)
    inertia: tuple[float, ...] = field(repr=False)
    visual_count: int = field(repr=False)
    data_offset: Floats = field(repr=False)


def make_joint(index: int, fields: dict[str, Any]) -> Joint:
    """A joint from what the extension gives."""
    count = {"ball": 2, "floating": 3}.get(fields["kind"], fields["nq"] or 1)
    for name in ("lower", "upper"):
        fields[name] = fields[name][:count]
    fields["value"] = fields["value"][: fields["nq"]]
    fields["placement"] = fixed_matrix(fields["placement"])
    return Joint(index=index, **fields)


def make_link(index: int, fields: dict[str, Any]) -> Link:
    """A link from what the extension gives."""
    fields["data_offset"] = fixed_matrix(fields["data_offset"])
    return Link(index=index, **fields)


class Structure(Unchanging):
    """The tree of a model, which all other parts of a model build on."""

    native: _core.Model
    name: str
    nq: int
    nv: int
    _root: dict[str, Any]

    def __init__(self, native: _core.Model) -> None:
        name, nq, nv, root = native.describe()
        self._set(native=native, name=name, nq=nq, nv=nv, _root=root)

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """All joints, depth first; joint j moves link j + 1."""
        return tuple(make_joint(i, fields) for i, fields in enumerate(self.native.joints()))

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """All links, depth first; the first is the root."""
        return tuple(make_link(i, fields) for i, fields in enumerate(self.native.links()))

    @cached_property
    def loops(self) -> tuple[Loop, ...]:
        """Joints that close the tree; :meth:`Model.assembly` closes them."""
        return tuple(make_loop(fields) for fields in self.native.loops())

    @cached_property
    def limits(self) -> Floats:
        """``(nq, 2)``: lower and upper of each number of q; infinite where there are none.

        The numbers of a quaternion have none; limits of a ball are those of its joint.
        """
        found = np.tile([-np.inf, np.inf], (self.nq, 1))
        for joint in self.joints:
            if joint.nq > 0 and joint.kind != "ball":
                for i, pair in enumerate(zip(joint.lower, joint.upper)):
                    found[joint.q_index + i] = pair
        # a model never changes
        found.flags.writeable = False
        return found

    @cached_property
    def tips(self) -> tuple[str, ...]:
        """The links that targets are most likely meant for, the first first."""
        return tuple(self.links[i].name for i in self.native.tips())

    @property
    def root(self) -> Floats:
        """T_world_root."""
        return one_matrix(self._root["root"])

    # ---- configurations ----------------------------------------------------------------------

    @property
    def neutral(self) -> Floats:
        """Each joint at its value at rest."""
        q = np.empty(self.nq)
        self.native.neutral(q)
        return q

    def poses(self, q: PoseLike, what: str = "q") -> Rows:
        """Any number of configurations."""
        return rows(self._numbers(q, what), (self.nq,), what)

    def pose(self, q: PoseLike, what: str = "q") -> Floats:
        """One configuration, contiguous."""
        return vector(self._numbers(q, what), self.nq, what)

    def optional_pose(self, q: PoseLike | None, what: str = "q") -> Floats | None:
        """One configuration; None where none is given."""
        return None if q is None else self.pose(q, what)

    def _numbers(self, values: PoseLike, what: str) -> ArrayLike:
        # an array is no mapping, which takes longer to find out
        if isinstance(values, np.ndarray) or not isinstance(values, Mapping):
            return values
        # joints that are not named are at rest
        given = []
        for name, value in values.items():
            joint = self.joints[self.joint_index(name)]
            if joint.nq == 0:
                raise ValueError(f"{what}: joint '{joint.name}' has no value of its own")
            array = numbers(value, f"{what}: joint '{joint.name}'")
            array = array[..., None] if joint.nq == 1 else array
            if array.shape[-1:] != (joint.nq,):
                raise wrong_shape(f"{what}: joint '{joint.name}'", array.shape, (joint.nq,), many=True)
            given.append((joint.q_index, joint.nq, array))
        lead = np.broadcast_shapes(*(array.shape[:-1] for _, _, array in given))
        q = np.tile(self.neutral, (*lead, 1))
        for begin, n, array in given:
            q[..., begin : begin + n] = array
        return q

    # ---- names -------------------------------------------------------------------------------

    def link_index(self, link: str | int) -> int:
        """The index of a link by name, or the index itself; a LimberError suggests a name."""
        if isinstance(link, (int, np.integer)):
            return self._within("link", link, len(self.links))
        found = self.native.find_link(link)
        if found == NO_LINK:
            raise self._unknown("link", link, self.links)
        return found

    def joint_index(self, joint: str | int) -> int:
        """The index of a joint by name, or the index itself."""
        if isinstance(joint, (int, np.integer)):
            return self._within("joint", joint, len(self.joints))
        found = self.native.find_joint(joint)
        if found < 0:
            raise self._unknown("joint", joint, self.joints)
        return found

    def link_name(self, link: str | int) -> str:
        """The name of a link by index, or the name itself."""
        return link if isinstance(link, str) else self.links[self.link_index(link)].name

    def _within(self, what: str, index: int | np.integer[Any], count: int) -> int:
        if isinstance(index, bool) or not 0 <= index < count:
            raise LimberError(
                f"{self.name} has {what}s 0 to {count - 1}, not {index}", status="no such name"
            )
        return int(index)

    def _unknown(self, what: str, name: str, parts: Iterable[Joint | Link]) -> LimberError:
        hint = did_you_mean(name, (part.name for part in parts))
        return LimberError(f"{self.name} has no {what} '{name}'{hint}", status="no such name")


def same_links(one: Structure, other: Structure) -> bool:
    """Whether two models have the same links, by their names."""
    return [link.name for link in one.links] == [link.name for link in other.links]
