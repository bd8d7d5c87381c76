"""Motion on another figure while it happens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core
from ._arrays import ArrayLike, Floats, PoseLike, finite
from ._clip import Clip
from ._contacts import ContactPoint, looks_of
from ._files import PathLike
from ._model import Model
from ._parts import need
from ._retarget import as_fields, options_of, pose_at_rest, read_map
from ._values import Staying


class RetargetStream(Staying):
    """A figure or robot that follows a source frame by frame: live capture and teleoperation.

    A frame depends on none that comes later, so there is no latency. Limits, speeds and
    accelerations of joints hold in every frame, whatever the source does, at any rate; feet stay
    planted while those of the source rest.

    Parameters
    ----------
    source : Clip or Model
        What is followed. Of a clip, some seconds in which the figure walks or stands, its rest pose
        and the heights of its feet are found; a model stands on z = 0 in its rest pose.
    robot : Model
        What is to move; its root becomes a floating one where it is fixed.
    map, rest, start, scale, root_scale, ground, ground_normal, source_ground_normal, hands,
    no_speed_limits, no_contacts, blend, detect
        As in :meth:`Clip.retarget`.

    Attributes
    ----------
    model : Model
        The robot with its moving root, whose configurations come out.
    source : Model
        The figure whose configurations go in.
    frame : dict
        What the last frame came to: ``held``, a bit for each of :attr:`points`, ``released``,
        ``slowed``, ``penetration``, ``jumped``, ``iterations`` as in lb_retarget_frame of
        limber/retarget.h; empty before the first one.

    Examples
    --------
    >>> import limber
    >>> walk, _ = limber.Clip.walk(limber.Model.load("human").with_root("floating"))
    >>> stream = limber.RetargetStream(walk, limber.Model.load("biped"))
    >>> for time in (0.0, 0.01, 0.02):
    ...     q = stream.next(time, walk.at(time))
    >>> q.shape == (stream.model.nq,), stream.frame["slowed"]
    (True, False)
    """

    _instead = "a motion goes on in one place; make it in the process that needs it"

    def __init__(
        self,
        source: Clip | Model,
        robot: Model,
        *,
        map: Mapping[str, Any] | PathLike | None = None,
        rest: PoseLike | None = None,
        start: PoseLike | None = None,
        scale: float | None = None,
        root_scale: float | None = None,
        ground: float = 0.0,
        ground_normal: ArrayLike | None = None,
        source_ground_normal: ArrayLike | None = None,
        hands: bool = False,
        no_speed_limits: bool = False,
        no_contacts: bool = False,
        blend: float | None = None,
        detect: Mapping[str, float] | None = None,
    ) -> None:
        need(robot, Model, "robot", "Model.load reads one from a file")
        clip = source if isinstance(source, Clip) else None
        self.source: Model = source if isinstance(source, Model) else source.model
        self.model = robot.with_moving_root()
        self.frame: dict[str, Any] = {}
        options = options_of(
            detect,
            scale=scale,
            root_scale=root_scale,
            ground=ground,
            ground_normal=ground_normal,
            source_ground_normal=source_ground_normal,
            hands=hands,
            no_speed_limits=no_speed_limits,
            no_contacts=no_contacts,
            blend=blend,
        )
        name, text = read_map(map)
        pose = self.source.optional_pose(rest, "rest")
        if pose is None and clip is not None:
            pose = pose_at_rest(clip, self.model, name, text)
        self.native = _core.RetargetStream(
            self.source.native,
            None if clip is None else clip.native,
            self.model.native,
            as_fields(options),
            pose,
            None if start is None else finite(self.model.pose(start, "start"), "start"),
            name,
            text,
            looks_of(self.model) if text is None else None,
        )

    def next(self, time: float, q: PoseLike) -> Floats:
        """The robot's configuration for one of the source at a time, seconds.

        Times may be uneven. At the time of the frame before, the result is the same again; a time
        before it is refused, and so is a configuration that is not finite: nothing changes then.
        """
        made = np.empty(self.model.nq)
        self.frame = self.native.next(time, self.source.pose(q), made)
        return made

    def reset(self, q: PoseLike | None = None) -> None:
        """Starts again: the next frame is the first, at any time.

        With `q`, where the robot is, that frame is `q`, and those after it go over to the source
        from there.
        """
        self.native.reset(self.model.optional_pose(q))
        self.frame = {}

    def limit_acceleration(self, joint: str | int, acceleration: float) -> None:
        """Radians or metres per second squared; ``inf`` is no limit, as at first."""
        self.native.set_acceleration(self.model.joint_index(joint), acceleration)

    @property
    def points(self) -> tuple[ContactPoint, ...]:
        """The points of the robot that may be held, in the order of the bits of ``held``."""
        return tuple(
            ContactPoint(self.model.link_name(p["link"]), p["at"])
            for p in self.native.points()
        )

    def __repr__(self) -> str:
        return f"RetargetStream({self.source.name!r} onto {self.model.name!r})"
