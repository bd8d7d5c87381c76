"""What a model consists of: links, joints, limits, and their names."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from . import _core
from ._arrays import Floats, one_matrix
from ._errors import LimberError
from ._parts import Joint, Link, make_joint, make_link

if TYPE_CHECKING:
    from ._model import Model

NO_LINK = -2


class Structure:
    """The tree of a model, which all other parts of a model build on."""

    native: _core.Model
    name: str
    nq: int
    nv: int
    _root: dict[str, Any]

    @property
    def _model(self) -> Model:
        """This as the model that it is: what solvers and maps are made for."""
        return cast("Model", self)

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """All joints, depth first; joint j moves link j + 1."""
        return tuple(make_joint(i, fields) for i, fields in enumerate(self.native.joints()))

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """All links, depth first; the first is the root."""
        return tuple(make_link(i, fields) for i, fields in enumerate(self.native.links()))

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
        return found

    @cached_property
    def tips(self) -> tuple[str, ...]:
        """The links that targets are most likely meant for, the first first."""
        return tuple(self.links[i].name for i in self.native.tips())

    @property
    def root(self) -> Floats:
        """T_world_root."""
        return one_matrix(self._root["root"])

    def link_index(self, link: str | int) -> int:
        """The index of a link by name, or the index itself; a LimberError suggests a name."""
        if isinstance(link, (int, np.integer)):
            return int(link)
        found = self.native.find_link(link)
        if found == NO_LINK:
            raise self._unknown("link", link, tuple(part.name for part in self.links))
        return found

    def joint_index(self, joint: str | int) -> int:
        """The index of a joint by name, or the index itself."""
        if isinstance(joint, (int, np.integer)):
            return int(joint)
        found = self.native.find_joint(joint)
        if found < 0:
            raise self._unknown("joint", joint, tuple(part.name for part in self.joints))
        return found

    def link_name(self, link: str | int) -> str:
        """The name of a link by index, or the name itself."""
        return link if isinstance(link, str) else self.links[link].name

    def _unknown(self, what: str, name: str, names: tuple[str, ...]) -> LimberError:
        near = _core.nearest_name(name, names)
        hint = f"; did you mean '{names[near]}'?" if near >= 0 else ""
        return LimberError(f"{self.name} has no {what} '{name}'{hint}", status="no such name")
