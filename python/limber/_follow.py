"""Paths for a tool, and joint motion along them."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import FRAME, ArrayLike, Floats, PoseLike, columns, matrices, moments
from ._parts import need
from ._structure import Structure
from ._task import Task
from ._values import Unchanging


class Path(Unchanging):
    """Where a tool goes: a polyline, the circle through three points, or a smooth curve.

    Parameters
    ----------
    points : array_like
        T_base_target of each point, in order; layouts as in :meth:`Ik.solve`.
    kind : {"polyline", "arc", "spline"}
    closed : bool
        Goes on from the last point to the first.
    turn : float
        Metres that one radian of rotation counts as in the timing.

    Examples
    --------
    >>> import limber
    >>> path = limber.Path([[0, 0, 0, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0, 0]])
    >>> path.length
    1.0
    >>> path.at(0.25)[:3, 3]
    array([0.25, 0.  , 0.  ])
    >>> path.shares
    array([0., 1.])
    """

    kind: str
    native: _core.Path
    _points: Floats
    _options: dict[str, Any]

    def __init__(
        self,
        points: ArrayLike,
        kind: Literal["polyline", "arc", "spline"] = "polyline",
        *,
        closed: bool = False,
        turn: float = 0.0,
    ) -> None:
        options = {"kind": kind, "closed": closed, "turn": turn}
        given = columns(points, "points")
        if given.ndim != 3:
            raise ValueError(f"points: an array of shape {given.shape[:-2]} of them where (n,) is needed")
        self._set(kind=kind, native=_core.Path(given, options), _points=given.copy(), _options=options)

    def __reduce__(self) -> tuple[Any, ...]:
        return path_again, (self._points, self._options)

    @property
    def length(self) -> float:
        """Arc length, metres."""
        return self.native.length()

    @property
    def shares(self) -> Floats:
        """The share of its time at which it passes each of its points."""
        return np.array([self.native.share(i) for i in range(len(self._points))])

    def at(self, share: ArrayLike) -> Floats:
        """T_base_target after a share of its time, 0 to 1: ``(4, 4)``, of several ``(N, 4, 4)``."""
        shares = moments(share, "share")
        made = np.empty(shares.shape + (4, 3))
        self.native.at(shares.reshape(-1), made)
        return matrices(made)

    def __repr__(self) -> str:
        return f"Path({self.kind}, {len(self._points)} points, {self.length:.4g} m)"


def path_again(points: Floats, options: dict[str, Any]) -> Path:
    """A path that was pickled."""
    return Path(points, **options)


class Follow(Unchanging):
    """Motion along a path: `q` is ``(frames, nq)``.

    Attributes
    ----------
    q : ndarray
    info : ndarray
        A record for each frame: index, goal, outcome, reason, position_error, rotation_error,
        condition, step, jumped, ended, joint, limited; see lb_frame in limber/motion.h.
    planned_jumps : int or None
        How often the plan of a redundant arm jumps: no motion with fewer jumps was found.
        None: nothing was planned.
    """

    q: Floats
    info: npt.NDArray[Any]
    planned_jumps: int | None

    def __init__(self, q: Floats, info: npt.NDArray[Any], planned_jumps: int | None = None) -> None:
        self._set(q=q, info=info, planned_jumps=planned_jumps)

    @property
    def reached(self) -> npt.NDArray[np.bool_]:
        """Whether each frame is at its target."""
        return np.asarray(self.info["outcome"] == 0)

    @property
    def jumped(self) -> npt.NDArray[np.bool_]:
        """Where no continuous motion leads on from the frame before."""
        return np.asarray(self.info["jumped"])

    def ended(self, frame: int) -> str:
        """What ended the branch of the frame before: "limit", "singularity", ..., "none"."""
        return _core.BRANCH_ENDS[int(self.info["ended"][frame])]

    def __len__(self) -> int:
        return len(self.q)

    def __repr__(self) -> str:
        return (
            f"Follow({len(self)} frames, {int(self.reached.sum())} reached, "
            f"{int(self.jumped.sum())} jumps)"
        )


def follow(
    model: Structure, task: Task, path: Path, frames: int, start: PoseLike, options: dict[str, Any]
) -> Follow:
    """The work of Model.follow."""
    need(path, Path, "path", "limber.Path makes one of poses")
    given = {**options, "frames": frames}
    native = _core.Follower(model.native, path.native, task.fields(model), given)
    q = np.empty((frames, model.nq))
    info = np.zeros(frames, FRAME)
    made = native.run(model.pose(start, "start"), q, info)
    planned = native.planned_jumps()
    return Follow(q[:made], info[:made], planned if planned >= 0 else None)
