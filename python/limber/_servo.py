"""A target that is followed frame by frame, within limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from ._arrays import ArrayLike, Floats, PoseLike, optional_vector, transform, vector, without_none
from ._parts import JointSetting, setting_fields
from ._structure import Structure
from ._task import Task, task_fields
from ._values import Staying


class Servo(Staying):
    """Follows a target that is not known in advance, frame by frame at a fixed rate.

    Every frame keeps the limits of position, speed, acceleration and jerk of every joint. A target
    at rest is reached in the shortest time that speed and acceleration allow the slowest joint; a
    limit of jerk adds twice the time in which it reaches the acceleration. From rest no joint goes
    beyond the goal of a frame, which may take several frames of search to settle; beside a singular
    configuration the tool itself may swing out. The arm stays on its branch.

    Parameters
    ----------
    model : Model
    task : Task or None
        Whose tool is moved; None: joint values alone.
    period : float
        Seconds from frame to frame.
    stale : float or None
        Seconds after which a target that is not given again is stale: the joints stop.
    landing : float
        The least seconds in which a target that moves is met, which filters its noise.
    line : float
        From rest the tool moves on straight lines that take up to so many times the joints'
        fastest motion, at least 1; 0: no lines.
    joints : sequence of JointSetting
        Limits of speed, acceleration and jerk, locks, narrower limits of position.

    Attributes
    ----------
    model : Model
    frame : dict
        What the last step did: ``state`` ("moving", "line", "arrived" where it rests at its target,
        "unreached" where it rests elsewhere, "stopped", "stale", "invalid", "blocked",
        "partly"), ``resting``, ``outcome``, ``position_error`` and
        ``rotation_error`` of the goal, ``remaining`` seconds, ``share`` of a twist that the tool
        does; empty before the first one.

    Examples
    --------
    >>> import limber
    >>> arm = limber.Model.load("ur5")
    >>> servo = limber.Servo(arm, limber.Task("tool0"))
    >>> start = [0.0, -1.4, 1.6, -1.8, -1.5, 0.0]
    >>> servo.reset(start)
    >>> target = arm.fk(start, "tool0")
    >>> target[2, 3] += 0.05
    >>> servo.aim(target)
    >>> q, v, a = servo.step()
    >>> while not servo.frame["resting"]:
    ...     q, v, a = servo.step()
    >>> servo.frame["state"]
    'arrived'
    >>> bool(abs(arm.fk(q, "tool0") - target).max() < 1e-6)
    True
    """

    _instead = "a motion goes on in one place; make it in the process that needs it"

    def __init__(
        self,
        model: Structure,
        task: Task | None = None,
        *,
        period: float = 0.001,
        stale: float | None = None,
        landing: float = 0.04,
        line: float = 0.0,
        joints: Sequence[JointSetting] = (),
    ) -> None:
        self.model = model
        self.frame: dict[str, Any] = {}
        options = without_none(period=period, stale=stale, landing=landing, line=line)
        fields = None if task is None else task_fields(task, model)
        self.native = _core.Servo(model.native, fields, options, setting_fields(joints, model))

    def reset(self, q: PoseLike) -> None:
        """Puts it to rest at a configuration, without a target."""
        self.native.reset(self.model.pose(q))

    def aim(self, target: ArrayLike, velocity: ArrayLike | None = None) -> None:
        """Gives the target T_base_target, which may move with a velocity, linear then angular."""
        self.native.aim(transform(target, "target"), optional_vector(velocity, 6, "velocity"))

    def twist(self, twist: ArrayLike) -> None:
        """Moves the tool with a velocity in the base's axes, linear then angular.

        The tool keeps its direction; before limits and singular configurations it slows down.
        """
        self.native.twist(vector(twist, 6, "twist"))

    def move(self, q: PoseLike) -> None:
        """Gives goals for all joints.

        Values outside the limits are clamped; the servo then rests "unreached".
        """
        self.native.move(self.model.pose(q))

    def stop(self) -> None:
        """Stops all joints in the shortest time."""
        self.native.stop()

    def step(self) -> tuple[Floats, Floats, Floats]:
        """The next frame: the configuration, its velocities and accelerations."""
        q, v, a = np.empty(self.model.nq), np.empty(self.model.nv), np.empty(self.model.nv)
        self.frame = self.native.step(q, v, a)
        return q, v, a

    def __repr__(self) -> str:
        return f"Servo({self.model.name!r}, {self.frame.get('state', 'no step yet')})"
