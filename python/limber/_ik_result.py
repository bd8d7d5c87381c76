"""What inverse kinematics returns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats, Rows, Targets, contiguous, targets
from ._figure import svg_of
from ._values import Unchanging, Worded

if TYPE_CHECKING:
    from ._ik import Ik


class Outcome(Worded):
    """What happened to a target; ``REACHED`` is confirmed by forward kinematics and the limits.

    An outcome is equal to its number and to its name in lower case, which is how it prints.

    Examples
    --------
    >>> import limber
    >>> print(limber.Outcome(0), limber.Outcome(0) == "reached")
    reached True
    """

    REACHED = 0
    STALLED = 1
    UNREACHABLE = 2
    EXHAUSTED = 3
    INVALID = 4


class Reason(Worded):
    """Why a target was not reached."""

    NONE = 0
    REACH = 1
    LIMITS = 2
    SINGULAR = 3
    MINIMUM = 4
    BUDGET = 5
    STEPS = 6


class Progress(Worded):
    """What one step achieved."""

    SUCCESS = 0
    PROCESSING = 1
    FAILURE = 2


class IkResult(Unchanging):
    """Configurations, and what was achieved with them.

    Of one target `q` has the shape ``(nq,)`` and the rest are scalars; of targets of the shape
    ``(N, 4, 4)`` `q` is ``(N, nq)`` and the rest have the shape ``(N,)``. An index or a slice
    selects targets, without a copy.

    Attributes
    ----------
    q : ndarray
        The best configuration found: it reaches the target where `reached` is true.
    info : ndarray
        A structured array of all that is known: its fields are the properties below.
    """

    _ik: Ik
    # of one target the bytes of its transform
    _given: Targets | bytes | None
    q: Floats
    info: npt.NDArray[Any]

    def __init__(
        self, ik: Ik, given: Targets | bytes | None, q: Floats, info: npt.NDArray[Any]
    ) -> None:
        own = self.__dict__
        own["_ik"], own["_given"], own["q"], own["info"] = ik, given, q, info

    def __reduce__(self) -> tuple[Any, ...]:
        return IkResult, (self._ik, self._targets, self.q, self.info)

    @property
    def _targets(self) -> Targets | None:
        given = self._given
        return targets(np.frombuffer(given).reshape(4, 3)) if isinstance(given, bytes) else given

    def _field(self, name: str) -> Any:
        return self.info[name] if self.info.ndim else self.info[name].item()

    @property
    def reached(self) -> Any:
        """bool, or an array of them: every task is within its tolerances and the limits."""
        return self._field("outcome") == Outcome.REACHED

    @property
    def outcome(self) -> Any:
        """:class:`Outcome`, or an array of its numbers."""
        return self._field("outcome") if self.info.ndim else Outcome(self._field("outcome"))

    @property
    def reason(self) -> Any:
        """:class:`Reason`, or an array of its numbers."""
        return self._field("reason") if self.info.ndim else Reason(self._field("reason"))

    @property
    def position_error(self) -> Any:
        """Metres, the largest of the tasks."""
        return self._field("position_error")

    @property
    def rotation_error(self) -> Any:
        """Radians, the largest of the tasks."""
        return self._field("rotation_error")

    @property
    def beyond_reach(self) -> Any:
        """Metres that an unreachable target is farther than the links laid end to end."""
        return self._field("beyond_reach")

    @property
    def iterations(self) -> Any:
        """Of all descents that count."""
        return self._field("iterations")

    @property
    def tries(self) -> Any:
        """Descents that count."""
        return self._field("tries")

    def __len__(self) -> int:
        return len(self.info)

    def __bool__(self) -> bool:
        """Of one target whether it is reached; of several that is not one answer."""
        if self.info.ndim:
            raise ValueError("the truth of several results is ambiguous: use reached.all()")
        return bool(self.reached)

    def __getitem__(self, index: Any) -> IkResult:
        info = np.asarray(self.info[index])
        given = None
        all_given = self._targets
        if all_given is not None:
            source = all_given.rows
            item = source.flat.shape[1:]
            chosen = source.flat.reshape(source.lead + item)[index]
            lead = chosen.shape[: chosen.ndim - len(item)]
            given = Targets(Rows(chosen.reshape((-1, *item)), lead), all_given.layout)
        return IkResult(self._ik, given, self.q[index], info)

    def __iter__(self) -> Iterator[IkResult]:
        return (self[i] for i in range(len(self)))

    def explain(self) -> str:
        """Why one result is what it is, in one or two sentences.

        Examples
        --------
        >>> import limber
        >>> ik = limber.Model.load("planar2").ik("tip", kind="position")
        >>> print(ik.solve([3, 0, 0]).explain())
        Out of reach: with all links in one straight line the target would still be 1 m away.
        """
        if self.info.ndim:
            raise ValueError("explain: choose one result by its index first: result[i].explain()")
        given = self._targets
        if given is None:
            raise ValueError("explain: this result has no target")
        source = given.rows
        return self._ik.native(0).explain(
            given.layout, source.part(0, 1), contiguous(self.q), contiguous_info(self.info)
        )

    def derivative(self, *, damping: float = 0.0) -> Floats:
        """How the configurations move with their targets, see :meth:`Ik.derivative`.

        Of targets that are not reached it is NaN: no solution moves with them.
        """
        given = self._targets
        if given is None:
            raise ValueError("derivative: this result has no target")
        aims = given.rows.flat.reshape(given.rows.lead + given.rows.flat.shape[1:])
        found = self._ik.derivative(aims, self.q, damping=damping)
        found[~np.asarray(self.reached)] = np.nan
        return found

    def __repr__(self) -> str:
        if self.info.ndim == 0:
            numbers = np.array2string(self.q, precision=4, separator=", ")
            return f"IkResult({self.outcome.name.lower()}, q={numbers})"
        found = np.bincount(np.ravel(self.outcome), minlength=len(Outcome))
        counts = [f"{n} {o.name.lower()}" for o, n in zip(Outcome, found) if n]
        return f"IkResult({self.info.size} targets: {', '.join(counts) or 'none'})"

    def _repr_svg_(self) -> str | None:
        poses = self.q.reshape(-1, self.q.shape[-1])[:16] if self.q.size else None
        return svg_of(lambda path: self._ik.model.draw(path, poses))


def contiguous_info(info: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """One record that the library can read."""
    return np.ascontiguousarray(info).reshape(1)
