"""Linkages that close: what closes the loops of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import Floats, PoseLike, fixed_matrix
from ._values import Equal, Unchanging, Worded, compared_by_parts

if TYPE_CHECKING:
    from ._model import Model

RESULT = np.dtype(_core.ASSEMBLY_RESULT)


@dataclass(frozen=True, eq=False)
class Loop(Equal):
    """A joint that closes the tree: it holds two links together by a frame on each.

    Attributes
    ----------
    name : str
    kind : {"weld", "hinge", "slide", "ball", "planar", "coupling"}
    first, second : str
        Links; of a coupling the joint that it sets and the one that it reads.
    first_frame, second_frame : ndarray
        ``(4, 4)``: T_link_frame. A hinge turns about the frames' z, a slide moves along it.
    polynomial : tuple of float
        Of a coupling: the value of `first` by powers of that of `second`.
    """

    name: str
    kind: str
    first: str
    second: str
    first_frame: Floats = field(repr=False)
    second_frame: Floats = field(repr=False)
    polynomial: tuple[float, ...] = field(repr=False)


def make_loop(fields: dict[str, Any]) -> Loop:
    """A loop from what the extension gives."""
    for name in ("first_frame", "second_frame"):
        fields[name] = fixed_matrix(fields[name])
    return Loop(**fields)


class LoopMobility(NamedTuple):
    """What loops leave of a linkage's freedom; see limber/loops.h.

    `found` is its mobility, `counted` what Grübler and Kutzbach's formula says, `closed` whether a
    closed configuration was found from the neutral one.
    """

    closed: bool
    velocities: int
    rows: int
    rank: int
    rest_rank: int
    counted: int
    found: int


class AssemblyOutcome(Worded):
    """How a path of closed configurations ended; see limber/loops.h."""

    ASSEMBLED = 0
    DEAD_POINT = 1
    SINGULAR = 2
    LIMIT = 3
    OPEN = 4
    INVALID = 5


@compared_by_parts
class Assembled(NamedTuple):
    """Configurations that close all loops, and how each was come to; of several rows arrays.

    `outcome` is an :class:`AssemblyOutcome`, of rows an array of its numbers; `fraction` how far
    the independent joints came on their way; `error` the largest closing error, as a share of the
    loops' size or in radians; `joint` the index of the one at its limit, else -1.
    """

    q: Floats
    outcome: Any
    fraction: Any
    error: Any
    joint: Any
    steps: Any


@compared_by_parts
class Assemblies(NamedTuple):
    """All assemblies of a planar linkage or a platform for some values of its independent joints.

    `q` has a row for each. `complete`: there are no others, up to whole turns.
    """

    q: Floats
    complete: bool


class Assembly(Unchanging):
    """Closes the loops of a linkage: some joints are independent, the others follow.

    Made by :meth:`Model.assembly`. Threads may share it.

    Attributes
    ----------
    model : Model
    mobility : LoopMobility
    rest : ndarray
        The closed configuration found from the neutral one.
    independent, dependent : tuple of int
        Which velocities may be chosen, and which follow.
    redundant : tuple of int
        Constraints that follow from those before them.

    Examples
    --------
    >>> import limber
    >>> import numpy as np
    >>> linkage = limber.Model.load("four_bar")
    >>> assembly = linkage.assembly()
    >>> assembly.mobility.found
    1
    >>> turns = np.tile(assembly.rest, (5, 1))
    >>> turns[:, assembly.independent[0]] += np.linspace(0, 2 * np.pi, 5)
    >>> found = assembly.follow(assembly.rest, turns)
    >>> found.outcome, found.error.max() < 1e-12
    (array([0, 0, 0, 0, 0], dtype=int32), True)
    """

    model: Model
    mobility: LoopMobility
    rest: Floats
    independent: tuple[int, ...]
    dependent: tuple[int, ...]
    redundant: tuple[int, ...]
    _drives: tuple[int, ...]
    _native: _core.Assembly

    def __init__(self, model: Model, drives: Sequence[str | int] = ()) -> None:
        indices = tuple(model.joint_index(joint) for joint in drives)
        native = _core.Assembly(model.native, indices)
        rest = np.empty(model.nq)
        mobility, dependent, redundant = native.describe(rest)
        rest.flags.writeable = False
        follows = set(dependent)
        self._set(model=model, rest=rest, mobility=LoopMobility(**mobility))
        self._set(dependent=dependent, redundant=redundant, _drives=indices, _native=native)
        self._set(independent=tuple(v for v in range(model.nv) if v not in follows))

    def __reduce__(self) -> tuple[Any, ...]:
        return Assembly, (self.model, self._drives)

    def close(self, q: PoseLike) -> Assembled:
        """A closed configuration near each of `q`; all joints that move a loop may move."""
        given = self.model.poses(q)
        closed, info = np.empty((given.count, self.model.nq)), np.zeros(given.count, RESULT)
        self._native.close(given.all, closed, info)
        return made(closed, info, given.lead)

    def follow(self, start: PoseLike, to: PoseLike) -> Assembled:
        """Moves the independent joints to their values in `to`, and lets the others follow.

        Row after row on the branch of `start`, which is closed: each row begins where the last one
        ended. Values of dependent joints in `to` are not read. Turns count. Where a branch ends, at
        a dead point or a limit, the linkage stays there, and the next row goes on from there.

        Parameters
        ----------
        start : array_like or mapping
            ``(nq,)``.
        to : array_like or mapping
            ``(nq,)``, or rows of them; of a mapping the joints that it does not name are at rest.
        """
        begin, given = self.model.pose(start, "start"), self.model.poses(to, "to")
        q, info = np.empty((given.count, self.model.nq)), np.zeros(given.count, RESULT)
        self._native.follow(begin, given.all, q, info)
        return made(q, info, given.lead)

    def all(self, q: PoseLike) -> Assemblies:
        """All assemblies with the independent joints' values in `q`, inside limits or not.

        For planar linkages and platforms on six legs. Two links at once that follow from joints are
        placed in closed form, as in four-bars and slider-cranks; four or six that only follow
        together, and platforms, by tracking all roots of their equations, which is checked, not
        proved. A platform's legs have the lengths that the independent joints give, and each of its
        poses is listed once. ValueError for other linkages.
        """
        given = self.model.pose(q)
        if not np.isfinite(given).all():
            raise ValueError("q: every number must be finite")
        count, complete = self._native.all(given, np.empty((0, self.model.nq)))
        if count < 0:
            raise ValueError(
                f"{self.model.name} is neither a planar linkage made of groups of two, four or six "
                "links nor a platform on six legs whose lengths are given"
            )
        rows = np.empty((count, self.model.nq))
        self._native.all(given, rows)
        return Assemblies(rows, complete)

    def velocities(self, q: PoseLike) -> Floats:
        """The linkage's Jacobians E, ``(..., nv, found)``, at closed configurations.

        v = E u with u of the independent joints, so a Jacobian of the tree times E is that of the
        linkage. NaN at a dead point and where `q` is not closed.
        """
        given = self.model.poses(q)
        E = np.empty((given.count, self.model.nv, len(self.independent)))
        self._native.velocities(given.all, E)
        return E.reshape((*given.lead, *E.shape[1:]))

    def __repr__(self) -> str:
        return f"Assembly({self.model.name!r}, mobility {self.mobility.found})"


def made(q: Floats, info: Any, lead: tuple[int, ...]) -> Assembled:
    """The result of rows, or of one."""
    names = Assembled._fields[1:]
    if lead:
        return Assembled(q.reshape((*lead, q.shape[1])), *(info[name].reshape(lead) for name in names))
    outcome, *others = (info[name][0].item() for name in names)
    return Assembled(q[0], AssemblyOutcome(outcome), *others)
