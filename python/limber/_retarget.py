"""Motion on another figure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import _core
from ._arrays import ArrayLike, Floats, vector
from ._contacts import Contacts, with_vectors

if TYPE_CHECKING:
    from ._model import Model


def pose_of(model: Model, rest: ArrayLike | None) -> Floats | None:
    """A rest pose; None is the neutral one."""
    return None if rest is None else vector(rest, model.nq, "rest")


def retarget_map(source: Model, target: Model, rest: ArrayLike | None = None) -> dict[str, Any]:
    """What follows what when a motion of `source` is put on `target`, to be edited.

    It is found by the names of links and by the shapes of the trees, with `rest` a configuration
    of `source` in which the figure stands upright; the keys are those of docs/format.md.

    Examples
    --------
    >>> import limber
    >>> human = limber.Model.load("human").with_root("floating")
    >>> pairs = limber.retarget_map(human, human)["pairs"]
    >>> pairs[0]["role"], pairs[0]["source"]
    ('pelvis', 'pelvis')
    """
    found = _core.retarget_map(source.native, pose_of(source, rest), target.native)
    made: dict[str, Any] = json.loads(found)
    return made


def retarget(
    model: Model,
    clip: _core.Clip,
    robot: Model,
    rest: ArrayLike | None,
    pairs: Mapping[str, Any] | None,
    contacts: Contacts | None,
    options: dict[str, Any],
) -> tuple[_core.Clip, dict[str, Any]]:
    """The work of Clip.retarget."""
    native, held, done = _core.retarget(
        clip,
        robot.native,
        with_vectors(options),
        pose_of(model, rest),
        None if pairs is None else json.dumps(pairs),
        None if contacts is None else contacts.native,
    )
    done["contacts"] = None if held is None else Contacts(robot, held)
    return native, done
