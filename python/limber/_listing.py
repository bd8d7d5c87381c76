"""Every solution of a target: what Ik has of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from . import _core
from ._arrays import ArrayLike
from ._arrays import targets as read_targets
from ._solutions import Solutions, find_solutions
from ._task import Task

if TYPE_CHECKING:
    from ._collision import Collision
    from ._ik import Ik
    from ._model import Model


class Listing:
    """Lists solutions where a closed form has them all."""

    model: Model
    tasks: tuple[Task, ...]
    _listers: dict[tuple[Any, ...], list[_core.Solutions]]

    def solutions(
        self,
        targets: ArrayLike,
        start: ArrayLike | None = None,
        *,
        limit: int = 16,
        copies: bool = False,
        out_of_limits: bool = False,
        redundancy: int = 16,
        condition: bool = False,
        collision: Collision | None = None,
        threads: int = 1,
    ) -> Solutions:
        """Lists every configuration that brings the tool to its target, nearest to `start` first.

        For arms of six turning joints, and those of seven at sampled values of the redundant
        joint; see docs/methods.md. Other arms raise :class:`LimberError`.

        Parameters
        ----------
        targets : array_like
            As in :meth:`solve`.
        start : array_like, optional
            What distances are measured from; the neutral configuration.
        limit : int
            Rows for each target; of redundant arms more are of use.
        copies : bool
            Also list the same solutions with joints turned by whole turns.
        out_of_limits : bool
            Also list solutions that break limits.
        redundancy : int
            Of redundant arms: values of the redundant joint to list.
        condition : bool
            Also compute each solution's condition number.
        collision : Collision, optional
            Lists only what is free of collisions; of the same model, see :meth:`Model.collision`.
        threads : int
            As in :meth:`solve`.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("ur5")
        >>> ik = arm.ik("tool0")
        >>> s = ik.solutions(arm.fk([0.3, -1, 1, 0.4, 0.5, 0.6], "tool0"))
        >>> s.q.shape, s.complete
        ((8, 6), True)
        """
        if len(self.tasks) != 1:
            raise ValueError("solutions: only of solvers of one task")
        options = {
            "copies": copies,
            "out_of_limits": out_of_limits,
            "redundancy": redundancy,
            "condition": condition,
        }
        given = read_targets(targets, 1, self.tasks[0].kind == "position")
        return find_solutions(cast("Ik", self), given, start, limit, options, collision, threads)

    def lister(
        self, options: dict[str, Any], thread: int, collision: Collision | None = None
    ) -> _core.Solutions:
        """The extension's lister of solutions of a thread, kept for the next call."""
        known = self._listers.setdefault((collision, *sorted(options.items())), [])
        while len(known) <= thread:
            task = self.tasks[0].fields(self.model)
            filtered = None if collision is None else collision.native(len(known))
            known.append(_core.Solutions(self.model.native, task, options, filtered))
        return known[thread]

    def describe(self) -> tuple[str, str]:
        """The arm's class as :meth:`solutions` sees it, and why; LimberError where it has none.

        Examples
        --------
        >>> import limber
        >>> limber.Model.load("puma560").ik("flange").describe()[0]
        'spherical wrist'
        """
        return self.lister({}, 0).describe()
