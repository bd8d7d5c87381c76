"""Models: the immutable tree of links and joints, and all that is made from it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from . import _core
from ._arrays import ArrayLike, contiguous
from ._drawing import Drawing
from ._files import PathLike
from ._kinematics import Kinematics
from ._parts import JointSetting, Locks, warn_of
from ._planning import Planning
from ._solving import Solving
from ._srdf import JointLimit, joint_limits

ROOT_KINDS = {"fixed": 0, "planar": 5, "floating": 7}
DH_KINDS = {"revolute": 0, "prismatic": 1, "continuous": 2, "R": 0, "P": 1, "C": 2}


class Model(Kinematics, Solving, Planning, Drawing):
    """A linkage: a robot, a figure, a mechanism. It never changes; threads may share it.

    Made by :meth:`load`, :meth:`from_urdf`, :meth:`from_json` or :meth:`from_dh`. Metres and
    radians; quaternions are w x y z; a configuration `q` has `nq` numbers and a velocity `nv`.

    Examples
    --------
    >>> import limber
    >>> arm = limber.Model.load("panda")
    >>> arm
    Model('panda', 12 links, nq=8)
    >>> arm.joints[0].name, arm.joints[0].kind
    ('panda_joint1', 'revolute')
    >>> arm.limits[:2]
    array([[-2.8973,  2.8973],
           [-1.7628,  1.7628]])
    """

    def __init__(self, native: _core.Model) -> None:
        self.native = native
        self.name, self.nq, self.nv, root = native.describe()
        self._root = root
        self._forward = {}
        self._path = ""
        self._moving: Model | None = None

    # ---- made from files and tables ------------------------------------------------------

    @classmethod
    def load(cls, name: PathLike, *, strict: bool = False) -> Model:
        """Loads a file (URDF, MJCF, JSON, BVH) or a model that is built in, by name.

        What looks like a mistake in a file is a ``LimberWarning``; with `strict` it is refused.
        """
        native, found = _core.Model.load(name, strict)
        warn_of(found)
        model = cls(native)
        # meshes are beside the file; a built-in model has none
        model._path = name if os.path.exists(name) else ""
        return model

    @classmethod
    def parse(cls, text: str | bytes, name: str, *, strict: bool = False) -> Model:
        """The same from text; the ending of `name` selects the format."""
        data = text.encode() if isinstance(text, str) else text
        native, found = _core.Model.parse(name, data, strict)
        warn_of(found)
        return cls(native)

    @classmethod
    def from_urdf(cls, text: str | bytes, *, strict: bool = False) -> Model:
        """From the text of a URDF file."""
        return cls.parse(text, "robot.urdf", strict=strict)

    @classmethod
    def from_json(cls, text: str | bytes | Mapping[str, Any], *, strict: bool = False) -> Model:
        """From limber JSON, as text or as what ``json.loads`` makes of it; see docs/format.md."""
        if isinstance(text, Mapping):
            text = json.dumps(text)
        return cls.parse(text, "model.json", strict=strict)

    @classmethod
    def from_dh(
        cls,
        rows: ArrayLike,
        *,
        kinds: str | Sequence[str] | None = None,
        limits: ArrayLike | None = None,
        modified: bool = False,
        name: str = "arm",
    ) -> Model:
        """From a Denavit-Hartenberg table.

        Parameters
        ----------
        rows : array_like
            ``(n, 4)``: theta, d, a, alpha; theta is the offset of a revolute joint, d that of a
            prismatic one.
        kinds : str or sequence of str, optional
            ``"RRP"``, or names of kinds; all revolute.
        limits : array_like, optional
            ``(n, 2)``: lower and upper; none.
        modified : bool
            Rx(alpha) Tx(a) Rz(theta) Tz(d) (Craig 1986) instead of Rz Tz Tx Rx.

        Examples
        --------
        >>> import limber
        >>> limber.Model.from_dh([[0, 0, 1, 0], [0, 0, 1, 0]], name="two links")
        Model('two links', 4 links, nq=2)
        """
        table = np.atleast_2d(contiguous(rows))
        n = len(table)
        if table.shape != (n, 4):
            raise ValueError(f"rows: an array of shape {table.shape} where (n, 4) is needed")
        codes = [DH_KINDS.get(kind, -1) for kind in kinds or "R" * n]
        if len(codes) != n or min(codes) < 0:
            raise ValueError(f"kinds: {kinds!r} is not one of R, P or C for each of {n} rows")
        bounds = np.tile([-np.inf, np.inf], (n, 1)) if limits is None else contiguous(limits)
        if bounds.shape != (n, 2):
            raise ValueError(f"limits: an array of shape {bounds.shape} where ({n}, 2) is needed")
        full = contiguous(np.hstack([table, bounds, np.array(codes, float)[:, None]]))
        return cls(_core.Model.from_dh(name, full, modified))

    def with_root(self, kind: Literal["fixed", "planar", "floating"]) -> Model:
        """The same model with a root that moves differently."""
        if kind not in ROOT_KINDS:
            raise ValueError(f"kind: {kind!r} is none of {', '.join(ROOT_KINDS)}")
        return self._derived(self.native.with_root(ROOT_KINDS[kind]))

    def _derived(self, native: _core.Model) -> Model:
        # its meshes are beside the same file
        made = Model(native)
        made._path = self._path
        return made

    def with_moving_root(self) -> Model:
        """This model where its root moves, planar or floating; else with a floating root.

        Motion of a robot, read from a table or retargeted, is over such a model: the same object each
        time.

        Examples
        --------
        >>> import limber
        >>> limber.Model.load("planar2").with_moving_root().nq
        9
        """
        kinds = (joint.kind for joint in self.joints if joint.kind != "fixed")
        if next(kinds, "fixed") in ("planar", "floating"):
            return self
        if self._moving is None:
            self._moving = self.with_root("floating")
        return self._moving

    def with_joints(self, settings: Sequence[JointSetting]) -> Model:
        """The same model with locks, narrower limits or weights of joints; it shares all else.

        Examples
        --------
        >>> import limber
        >>> arm = limber.Model.load("panda")
        >>> half = arm.with_joints([limber.JointSetting("panda_joint1", lower=0, upper=1)])
        >>> half.limits[0]
        array([0., 1.])
        """
        return self._derived(self.native.view([setting.fields(self) for setting in settings]))

    def with_limits(self, limits: PathLike | Mapping[str, JointLimit]) -> Model:
        """The same model with limits of joints narrowed, in position and in speed.

        `limits` is a file as MoveIt's joint_limits.yaml, or what :meth:`joint_limits` reads from one.
        """
        settings = joint_limits(self, limits)
        return self.with_joints([limit.setting(name) for name, limit in settings.items()])

    def with_locks(self, joints: Locks) -> Model:
        """The same model with these joints locked: a list, or a dict of joints and their values."""
        values = joints if isinstance(joints, Mapping) else dict.fromkeys(joints)
        return self.with_joints(
            [JointSetting(joint, locked=True, value=value) for joint, value in values.items()]
        )

    def to_json(self) -> str:
        """As limber JSON, which reads back as an equal model."""
        return self.native.json()

    def __reduce__(self) -> tuple[Any, ...]:
        # for processes: equal number for number
        return Model.from_json, (self.to_json(),)

    def __repr__(self) -> str:
        return f"Model({self.name!r}, {len(self.links)} links, nq={self.nq})"
