"""limber: forward and inverse kinematics of robots, figures and mechanisms.

    >>> import limber
    >>> arm = limber.Model.load("panda")
    >>> ik = arm.ik("panda_hand")
    >>> result = ik.solve([0.4, 0.1, 0.5, 0, 1, 0, 0])
    >>> result.reached
    True
    >>> arm.fk(result.q, "panda_hand")[:3, 3].round(6)
    array([0.4, 0.1, 0.5])

Metres and radians, quaternions w x y z, transforms T_a_b of frame b seen from a. Arrays of any
number of targets or configurations go in and out; the library works on them in place, by several
threads where ``threads`` says so, and returns the same bits as from C on every machine.
"""

from . import _core
from ._assembly import Assembled, Assemblies, Assembly, AssemblyOutcome, Loop, LoopMobility
from ._body import Body, BodyResult, BodyTask
from ._check import Check, NearPair, Worst
from ._clip import Clip
from ._collision import Collision
from ._contacts import ContactPoint, Contacts
from ._elbow import Elbow
from ._errors import LimberError, LimberWarning
from ._follow import Follow, Path
from ._gltf import Gltf
from ._ik import Ik
from ._ik_result import IkResult, Outcome, Progress, Reason
from ._model import Model
from ._parts import JointSetting, Mobility, Random, Singularity
from ._placement import Placement
from ._planar_reach import PlanarReach
from ._reach_map import ReachMap
from ._retarget import retarget_map
from ._retarget_stream import RetargetStream
from ._servo import Servo
from ._solutions import Solutions
from ._srdf import EndEffector, Group, JointLimit, LinkPair, Srdf, State
from ._strip import StripRow
from ._structure import Joint, Link
from ._synthesis import Dyad, FourBar, Synthesis, synthesize
from ._task import Task
from ._two_bone import BonesStep, TwoBone, TwoLink, bones_step, two_bone, two_link
from ._workspace import Workspace, WorkspaceSize

__version__: str = _core.VERSION


def methods() -> dict[str, str]:
    """The numerical methods by name, each with one line on what it does.

    >>> import limber
    >>> "ccd" in limber.methods()
    True
    """
    return {name: summary for name, summary, _ in _core.methods()}


def models() -> dict[str, str]:
    """The models that are built in, by name, each with one line on what it is.

    >>> import limber
    >>> limber.models()["panda"]
    'Franka Emika Panda, seven revolute joints, with its hand and two fingers'
    """
    return {name: summary for name, summary, _ in _core.models()}


__all__ = [
    "Assembled",
    "Assemblies",
    "Assembly",
    "AssemblyOutcome",
    "Body",
    "BodyResult",
    "BodyTask",
    "BonesStep",
    "Check",
    "Clip",
    "Collision",
    "ContactPoint",
    "Contacts",
    "Dyad",
    "Elbow",
    "EndEffector",
    "Follow",
    "FourBar",
    "Gltf",
    "Group",
    "Ik",
    "IkResult",
    "Joint",
    "JointLimit",
    "JointSetting",
    "LimberError",
    "LimberWarning",
    "Link",
    "LinkPair",
    "Loop",
    "LoopMobility",
    "Mobility",
    "Model",
    "NearPair",
    "Outcome",
    "Path",
    "Placement",
    "PlanarReach",
    "Progress",
    "Random",
    "ReachMap",
    "Reason",
    "RetargetStream",
    "Servo",
    "Singularity",
    "Solutions",
    "Srdf",
    "State",
    "StripRow",
    "Synthesis",
    "Task",
    "TwoBone",
    "TwoLink",
    "Workspace",
    "WorkspaceSize",
    "Worst",
    "bones_step",
    "methods",
    "models",
    "retarget_map",
    "synthesize",
    "two_bone",
    "two_link",
]
