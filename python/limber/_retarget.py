"""Motion on another figure."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import Floats, PoseLike, positive, without_none
from ._collision import Collision
from ._contacts import Contacts, looks_of, read_contacts, with_vectors
from ._errors import file_error
from ._files import PathLike
from ._model import Model
from ._parts import need, warn_of

if TYPE_CHECKING:
    from ._clip import Clip


def standing(
    clip: Clip, target: Model, name: str = "map", text: str | None = None
) -> Floats | None:
    """How the figure of a clip stands by its motion, and a map's roles; None: it has no figure."""
    found = _core.retarget_rest(clip.native, target.native, name, text)
    return None if found is None else np.frombuffer(found).copy()


def pose_at_rest(
    clip: Clip, target: Model, name: str = "map", text: str | None = None
) -> Floats | None:
    """The rest pose of a clip's file, else as it stands by its motion."""
    if clip.rest is None:
        return standing(clip, target, name, text)
    return clip.model.optional_pose(clip.rest, "rest")


def retarget_map(
    source: Clip | Model, target: Model, rest: PoseLike | None = None
) -> dict[str, Any]:
    """What follows what when a motion of `source` is put on `target`, to be edited.

    It is found by the names of links and by the shapes of the trees, with `rest` a configuration
    of `source` in which the figure stands upright; that of a clip is found as
    :meth:`limber.Clip.find_rest` does, that of a model is neutral. The keys are those of
    docs/format.md.

    Examples
    --------
    >>> import limber
    >>> human = limber.Model.load("human").with_root("floating")
    >>> pairs = limber.retarget_map(human, human)["pairs"]
    >>> pairs[0]["role"], pairs[0]["source"]
    ('pelvis', 'pelvis')
    """
    looks = looks_of(target)
    model = source if isinstance(source, Model) else source.model
    pose = model.optional_pose(rest, "rest")
    if pose is None and not isinstance(source, Model):
        pose = pose_at_rest(source, target)
    found = _core.retarget_map(model.native, pose, target.native, looks)
    made: dict[str, Any] = json.loads(found)
    return made


class Retargeting(NamedTuple):
    """What Clip.retarget was given beside numbers."""

    target: Model
    map: Mapping[str, Any] | PathLike | None
    rest: PoseLike | None
    start: PoseLike | None
    accelerations: Floats | None
    contacts: Contacts | PathLike | None
    margin: float | None
    collision: Collision | None
    retime: bool


# what options are called here and in lb_retarget_options
FIELDS = {"fps": "rate", "no_speed_limits": "any_speed", "no_contacts": "unlocked"}


def options_of(detect: Mapping[str, float] | None, **given: Any) -> dict[str, Any]:
    """Options of a retargeting by their fields; `detect` are those of its contacts."""
    named = {FIELDS.get(name, name): value for name, value in given.items()}
    return named | {f"detect_{name}": value for name, value in (detect or {}).items()}


def read_map(given: Mapping[str, Any] | PathLike | None) -> tuple[str, str | None]:
    """What a map is called in messages, and its text."""
    if given is None or isinstance(given, Mapping):
        return "map", None if given is None else json.dumps(given)
    if not isinstance(given, (str, os.PathLike)):
        raise TypeError(f"map: a dict or the path of a file is needed, not {type(given).__name__}")
    try:
        return os.fspath(given), Path(given).read_text(encoding="utf-8")
    except OSError as error:
        raise file_error(f"cannot be opened: {error.strerror}", os.fspath(given)) from error


def find_collision(wanted: Retargeting) -> Collision | None:
    """What keeps links apart."""
    margin, target = wanted.margin, wanted.target
    if margin is not None and not margin >= 0:
        raise ValueError(f"margin: {margin} is not 0 or more metres")
    if wanted.collision is not None:
        need(wanted.collision, Collision, "collision", "robot.collision(figure=True) makes one")
        found = wanted.collision.on(target)
    elif margin is not None:
        found = target.collision(figure=True, margin=margin, always=margin)
    else:
        return None
    if found.checked == 0:
        raise ValueError(f"margin: {target.name!r} has no two links whose shapes could touch")
    return found


def check_retime(options: dict[str, Any]) -> None:
    """Refuses what a motion cannot be slowed down with."""
    names = {"any_speed": "no_speed_limits", "unlocked": "no_contacts"}
    for name, text in names.items():
        if options.get(name):
            raise ValueError(f"retime cannot be given with {text}")


def as_fields(options: dict[str, Any], margin: float | None = None) -> dict[str, Any]:
    """Options as the extension reads them: what is not given is left out."""
    given = without_none(**options)
    for name, text in (("rate", "fps"), ("scale", "scale"), ("root_scale", "root_scale")):
        if name in given:
            given[name] = positive(given[name], text)
    # one scale alone is both
    if "root_scale" in given and "scale" not in given:
        given["scale"] = given["root_scale"]
    return with_vectors(given) | {"distance": margin or 0.0}


def retarget(
    clip: Clip, wanted: Retargeting, options: dict[str, Any]
) -> tuple[_core.Clip, dict[str, Any]]:
    """The work of Clip.retarget."""
    target, source = wanted.target, clip.native
    held = None if wanted.contacts is None else read_contacts(wanted.contacts, clip.model).native
    fields = as_fields(options, wanted.margin)
    start, most = target.optional_pose(wanted.start, "start"), wanted.accelerations
    name, text = read_map(wanted.map)
    rest = clip.model.optional_pose(wanted.rest, "rest")
    if rest is None:
        rest = pose_at_rest(clip, target, name, text)
    looks = looks_of(target) if text is None else None
    collision = find_collision(wanted)
    with collision.borrow() if collision else nullcontext() as apart:
        if wanted.retime:
            check_retime(fields)
            source, held = _core.retarget_slow(
                source, target.native, fields, rest, start, most, name, text, looks, held, apart
            )
            fields = {"rate": clip.rate} | fields
        native, found, done, realigned, rescaled = _core.retarget(
            source, target.native, fields, rest, start, most, name, text, looks, held, apart
        )
    if realigned:
        text = "its rotations are for bones with other axes; limbs are aligned by their directions"
        warn_of([(name, 0, text)])
    if rescaled:
        text = "its scales are for people; of this capture's figure, which is not of an adult's "
        warn_of([(name, 0, f"{text}size, they are {rescaled:.3g}")])
    if wanted.retime:
        done["seconds_before_retiming"] = clip.duration
    done["contacts"] = None if found is None else Contacts(target, found)
    return native, done
