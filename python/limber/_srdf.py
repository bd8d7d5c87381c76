"""What is known of a robot beside its model: groups, end effectors, named states (SRDF); limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from . import _core
from ._arrays import Floats, PoseLike
from ._errors import LimberError
from ._files import PathLike
from ._parts import JointSetting, warn_of
from ._structure import Structure, did_you_mean
from ._values import Unchanging, compared_by_parts

if TYPE_CHECKING:
    from ._model import Model


class Group(NamedTuple):
    """Joints that belong together; `base` and `tip` are the ends of its chain, None: it is none."""

    name: str
    joints: tuple[str, ...]
    base: str | None
    tip: str | None


class EndEffector(NamedTuple):
    """A gripper or tool: the group of its own joints, and the link and group that carry it."""

    name: str
    group: str
    parent_link: str
    parent_group: str | None


@compared_by_parts
class State(NamedTuple):
    """A named configuration of a group; `q` is NaN where the state has no value."""

    name: str
    group: str
    q: Floats


class LinkPair(NamedTuple):
    """Two links that may touch, and why."""

    link1: str
    link2: str
    reason: str


class Srdf(Unchanging):
    """A robot's SRDF; made by :meth:`Model.srdf`.

    Attributes
    ----------
    groups : dict of str to Group
    end_effectors : dict of str to EndEffector
    states : tuple of State
    pairs : tuple of LinkPair
        Links that need not be checked for collisions.

    Examples
    --------
    >>> import limber, pathlib, tempfile
    >>> arm = limber.Model.load("ur5")
    >>> text = '''<robot name="ur5"><group name="arm"><chain base_link="base_link" tip_link="tool0"/>
    ...     </group><group_state name="home" group="arm"><joint name="elbow_joint" value="1"/>
    ...     </group_state></robot>'''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "ur5.srdf")
    ...     _ = path.write_text(text)
    ...     srdf = arm.srdf(path)
    >>> len(srdf.groups["arm"].joints), srdf.groups["arm"].tip
    (7, 'tool0')
    >>> q = srdf.apply("home", arm.neutral)
    >>> float(q[2]), bool((q[3:] == arm.neutral[3:]).all())
    (1.0, True)
    """

    model: Model
    groups: dict[str, Group]
    end_effectors: dict[str, EndEffector]
    states: tuple[State, ...]
    pairs: tuple[LinkPair, ...]

    def __init__(self, model: Model, path: PathLike, strict: bool) -> None:
        found, warnings = _core.srdf(model.native, path, strict)
        warn_of(warnings)
        links = [link.name for link in model.links]
        joints = [joint.name for joint in model.joints]
        groups = [name for name, *_ in found["groups"]]
        made = {
            name: Group(
                name,
                tuple(joints[j] for j in members),
                links[base] if base >= 0 else None,
                links[tip] if tip >= 0 else None,
            )
            for name, base, tip, members in found["groups"]
        }
        effectors = {
            name: EndEffector(name, groups[own], links[link], groups[parent] if parent >= 0 else None)
            for name, own, link, parent in found["end_effectors"]
        }
        states = tuple(
            State(name, groups[group], np.frombuffer(q)) for name, group, q in found["states"]
        )
        pairs = tuple(LinkPair(links[a], links[b], why) for a, b, why in found["pairs"])
        self._set(model=model, groups=made, end_effectors=effectors, states=states, pairs=pairs)

    def state(self, name: str, group: str | None = None) -> State:
        """A state by name, of a group where several have one of that name."""
        for state in self.states:
            if state.name == name and group in (None, state.group):
                return state
        hint = did_you_mean(name, (state.name for state in self.states))
        raise LimberError(f"no state '{name}'{hint}", status="no such name")

    def apply(self, name: str, q: PoseLike, group: str | None = None) -> Floats:
        """q, one or rows, with the values that a state has."""
        values, given = self.state(name, group).q, self.model.poses(q)
        return np.where(np.isnan(values), given.repeated(given.lead), values).reshape((*given.lead, self.model.nq))

    def others(self, group: str) -> tuple[str, ...]:
        """The joints that do not belong to a group: ``arm.ik(..., locks=srdf.others("arm"))``."""
        own = set(self.groups[group].joints)
        moving = (joint for joint in self.model.joints if joint.nq > 0 and joint.mimic is None)
        return tuple(joint.name for joint in moving if joint.name not in own)

    def tip(self, group: str) -> str | None:
        """The link that targets of a group are meant for: of its end effector, or of its chain."""
        for effector in self.end_effectors.values():
            if effector.parent_group == group:
                return effector.parent_link
        return self.groups[group].tip

    def __repr__(self) -> str:
        return f"Srdf({self.model.name!r}, groups: {', '.join(self.groups) or 'none'})"


class JointLimit(NamedTuple):
    """What a file says of one joint; infinite where it is silent."""

    lower: float
    upper: float
    velocity: float
    acceleration: float
    jerk: float

    def setting(self, joint: str) -> JointSetting:
        """As what :meth:`Model.with_joints` and :meth:`Clip.timed` take."""
        given = {name: number for name, number in self._asdict().items() if np.isfinite(number)}
        return JointSetting(joint, **given)


def joint_limits(
    model: Structure, given: PathLike | Mapping[str, JointLimit], strict: bool = False
) -> dict[str, JointLimit]:
    """Limits of a model's joints, from a file or as they were read from one."""
    if isinstance(given, Mapping):
        for name in given:
            model.joint_index(name)
        return dict(given)
    path = given
    found, warnings = _core.joint_limits(model.native, path, strict)
    warn_of(warnings)
    return {
        joint.name: JointLimit(**limits)
        for joint, limits in zip(model.joints, found)
        if joint.nq > 0 and joint.mimic is None
    }
