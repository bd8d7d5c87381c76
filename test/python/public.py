"""What the tests of everything public work with: an object of each class, arguments of each method.

A public class or method without a row here fails test_public.py.
"""

import inspect
import json
import tempfile
from pathlib import Path
from typing import Any, Callable, NamedTuple

import limber
import numpy as np

FOLDER = tempfile.TemporaryDirectory(prefix="limber-public-")


class Out(NamedTuple):
    """A file to be written: each call has one to itself."""

    name: str


def file(name: str, text: str) -> Path:
    path = Path(FOLDER.name, name)
    path.write_text(text)
    return path


# ---- things ----------------------------------------------------------------------------------

ARM = limber.Model.load("ur5")
IK = ARM.ik("tool0")
Q = ARM.random(3, seed=3)
T = ARM.fk(Q, "tool0")
SHAPES = [{"shape": "sphere", "radius": 0.1}]
SLIDE = {"kind": "prismatic", "limits": [0, 1], "axis": [1, 0, 0]}
CRANE = limber.Model.from_json(
    {
        "limber": 1,
        "name": "crane",
        "links": [{"name": name, "collisions": SHAPES} for name in ("a", "b", "c")],
        "joints": [
            {"name": "ab", "parent": "a", "child": "b", **SLIDE},
            {"name": "bc", "parent": "b", "child": "c", **SLIDE},
        ],
    }
)
APART = CRANE.collision()
SLIDES = np.array([[0.5, 0.5], [0.05, 0.1], [0.3, 0.15]])
HUMAN = limber.Model.load("human").with_root("floating")
ROBOT = limber.Model.load("biped").with_moving_root()
WALK, FEET = limber.Clip.walk(HUMAN, cycles=1, rate=30)
HINGE = next(joint.name for joint in HUMAN.joints if joint.kind == "revolute")
STANCE = WALK.keys[0].copy()
BIPED = limber.Clip.make(ROBOT, np.arange(3) / 10, np.tile(ROBOT.neutral, (3, 1)))
SWING = limber.Clip.make(ARM, [0.0, 0.5, 1.0], Q)
LINE = limber.Path(T[:2])
SEVEN = limber.Model.load("iiwa14")
ELBOW = SEVEN.elbow()
BENT = SEVEN.fk([0.1, 0.7, 0.2, -1.2, 0.3, 0.9, 0], SEVEN.tips[0])
REACH = ARM.reach_map("tool0", cell=0.5, orientations=72, contents=["bits", "solutions"])
PLANAR = limber.Model.load("planar2")
SPACE = PLANAR.workspace(cells=4)
RING = PLANAR.planar_reach(limber.Task("tip", "position"))
FOLLOWED = ARM.follow("tool0", LINE, 3, Q[0])
PLACED = ARM.place([[0.5, 0, 0.4, 0, 1, 0, 0]], "tool0", cell=0.5, turns=1)
LINKAGE = limber.Model.load("four_bar")
PLANE_POSES = [[0, 0, 0], [1, 0.5, 0.4], [1.6, 1.4, 1.1]]
GUIDES = limber.synthesize(PLANE_POSES, best=2)
FOUR_BAR = LINKAGE.assembly()
CLOSED = FOUR_BAR.follow(FOUR_BAR.rest, FOUR_BAR.rest + [[0.0, 0, 0], [0.1, 0, 0], [0.3, 0, 0]]).q
TASKS = [
    limber.BodyTask("position", "left_hand"),
    limber.BodyTask("contact", "right_foot"),
    limber.BodyTask("joint", joint=HINGE, weight=0.01),
]
FIGURE = {
    "asset": {"version": "2.0"},
    "nodes": [{"name": "root", "children": [1]}, {"name": "arm", "translation": [0, 1, 0]}],
    "scenes": [{"nodes": [0]}],
    "buffers": [
        {
            "byteLength": 40,
            "uri": "data:application/octet-stream;base64,"
            "AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAADzBDU/8wQ1Pw==",
        }
    ],
    "bufferViews": [
        {"buffer": 0, "byteLength": 8},
        {"buffer": 0, "byteOffset": 8, "byteLength": 32},
    ],
    "accessors": [
        {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
        {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC4"},
    ],
    "animations": [
        {
            "name": "turn",
            "samplers": [{"input": 0, "output": 1}],
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}],
        }
    ],
}
GLTF = file("figure.gltf", json.dumps(FIGURE))
SRDF = file(
    "ur5.srdf",
    '<robot name="ur5"><group name="arm"><chain base_link="base_link" tip_link="tool0"/></group>'
    '<end_effector name="tool" group="arm" parent_link="tool0" parent_group="arm"/>'
    '<group_state name="home" group="arm"><joint name="elbow_joint" value="1"/></group_state>'
    '<disable_collisions link1="base_link" link2="shoulder_link" reason="Adjacent"/></robot>',
)
LIMITS = file("limits.json", '{"joint_limits": {"elbow_joint": {"max_position": 1.5}}}')
BVH = file(
    "two.bvh",
    "HIERARCHY\nROOT a { OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "JOINT b { OFFSET 0 1 0 CHANNELS 1 Xrotation End Site { OFFSET 0 1 0 } } }\n"
    "MOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 10\n5 0 0 20\n",
)
MODEL_FILE = file("ur5.json", ARM.to_json())
HELD = file("held.json", "")
FEET.save(HELD)
FOUND = SWING.check()
REACH_FILE = Path(FOLDER.name, "map.npy")
REACH.save(REACH_FILE)


def body() -> limber.Body:
    made = HUMAN.body(TASKS)
    made.hold(1, STANCE)
    made.solve(STANCE)
    return made


def servo() -> limber.Servo:
    made = limber.Servo(ARM, limber.Task("tool0"))
    made.reset(Q[0])
    return made


# ---- an object of each class; what is called each time belongs to one thread -------------------

OBJECTS: dict[str, Any] = {
    "Assembled": FOUR_BAR.close(CLOSED),
    "Assemblies": FOUR_BAR.all(CLOSED[0]),
    "Assembly": FOUR_BAR,
    "AssemblyOutcome": limber.AssemblyOutcome.LIMIT,
    "Body": body(),
    "BodyResult": body().solve(STANCE),
    "BodyTask": TASKS[0],
    "Check": FOUND,
    "Clip": WALK,
    "Collision": APART,
    "ContactPoint": FEET.points[0],
    "Contacts": lambda: limber.Contacts.load(HELD, HUMAN),
    "Elbow": ELBOW,
    "EndEffector": ARM.srdf(SRDF).end_effectors["tool"],
    "Follow": FOLLOWED,
    "Gltf": limber.Gltf.load(GLTF),
    "Group": ARM.srdf(SRDF).groups["arm"],
    "Ik": IK,
    "IkResult": IK.solve(T[0]),
    "Joint": ARM.joints[2],
    "JointLimit": ARM.joint_limits(LIMITS)["elbow_joint"],
    "JointSetting": limber.JointSetting("elbow_joint", lower=0.0, upper=[1.0]),
    "LimberError": limber.LimberError("is wrong", "a.urdf", 3, 1, "bad value"),
    "LimberWarning": limber.LimberWarning("looks wrong"),
    "Link": ARM.links[2],
    "LinkPair": ARM.srdf(SRDF).pairs[0],
    "Loop": LINKAGE.loops[0],
    "LoopMobility": FOUR_BAR.mobility,
    "Mobility": ARM.mobility(limber.Task("tool0")),
    "Model": ARM,
    "NearPair": limber.NearPair("a", "b", 0.1, 3, 0.1, 4, 0),
    "Outcome": limber.Outcome.STALLED,
    "Path": LINE,
    "Placement": PLACED,
    "PlanarReach": RING,
    "Progress": limber.Progress.SUCCESS,
    "Random": lambda: limber.Random(5),
    "ReachMap": REACH,
    "Reason": limber.Reason.LIMITS,
    "RetargetStream": lambda: limber.RetargetStream(WALK, ROBOT),
    "Servo": servo,
    "Synthesis": GUIDES,
    "Dyad": GUIDES.four_bars[0].crank,
    "FourBar": GUIDES.four_bars[0],
    "Singularity": ARM.singularity(Q[0], "tool0"),
    "Solutions": IK.solutions(T[0]),
    "Srdf": ARM.srdf(SRDF),
    "State": ARM.srdf(SRDF).states[0],
    "StripRow": limber.StripRow(WALK, FEET, "walk"),
    "Task": limber.Task("tool0", tool=np.eye(4)),
    "BonesStep": limber.bones_step([[0, 0, 0], [1, 0, 0]], [0, 1]),
    "TwoBone": limber.two_bone(*([[x, 0, 0, 1, 0, 0, 0] for x in (0, 1, 2)]), [1, 1, 0]),
    "TwoLink": limber.two_link(1, 1, [1, 1]),
    "Workspace": SPACE,
    "WorkspaceSize": SPACE.size,
    "Worst": FOUND.items["jump"],
}


def make(name: str) -> Any:
    found = OBJECTS[name]
    return found() if inspect.isfunction(found) else found


# ---- arguments of each method, function and class that is called ---------------------------------

POSES = [[x, 0, 0, 1, 0, 0, 0] for x in (0.0, 1.0, 2.0)]
PATH_POINTS = np.array([[0.4, 0, 0.4, 1, 0, 0, 0], [0.5, 0, 0.4, 1, 0, 0, 0]])
SVG = {"path": Out("a.svg")}
CALLS: dict[str, dict[str, Any]] = {
    "Assembly.all": dict(q=CLOSED[0]),
    "Assembly.close": dict(q=CLOSED),
    "Assembly.follow": dict(start=CLOSED[0], to=CLOSED),
    "Assembly.velocities": dict(q=CLOSED),
    "Body": dict(model=HUMAN, tasks=TASKS, options={}),
    "Body.advance": dict(start=STANCE, time=0.1, velocity=np.zeros(HUMAN.nv)),
    "Body.explain": dict(task=0),
    "Body.hold": dict(task=1, q=STANCE),
    "Body.nearest": dict(task=0),
    "Body.set_limits": dict(joint=3, lower=-1.0, upper=1.0),
    "Body.set_point": dict(task=0, point=[0.2, 0.3, 1.0]),
    "Body.set_posture": dict(q=STANCE),
    "Body.set_speed": dict(joint=3, speed=2.0),
    "Body.set_target": dict(task=0, target=np.eye(4)),
    "Body.set_value": dict(task=2, value=[0.1]),
    "Body.set_weight": dict(task=0, weight=1.0),
    "Body.solve": dict(start=STANCE),
    "Body.solve_many": dict(starts=WALK.keys[:3], targets=np.tile(np.eye(4), (3, 3, 1, 1))),
    "Body.target": dict(task=0),
    "BodyTask": dict(
        kind="support",
        tool=np.eye(4),
        axis=[0, 0, 1],
        first_point=[0, 0, 0],
        last_point=[0, 0, 1],
        box=[1, 1, 1],
        vertices=[[0, 0], [1, 0], [0, 1]],
    ),
    "Clip.animate": SVG | dict(frames=2, ground_normal=[0, 0, 1]),
    "Clip.at": dict(times=[0.0, 0.25]),
    "Clip.blend": dict(other=WALK, begin=0.2, end=0.5),
    "Clip.check": dict(contacts=FEET, ground_normal=[0, 0, 1]),
    "Clip.contacts": dict(rest=STANCE, ground_normal=[0, 0, 1]),
    "Clip.draw": SVG | dict(frames=2, ground_normal=[0, 0, 1]),
    "Clip.even": {},
    "Clip.fidelity": dict(
        source=WALK, ground_normal=[0, 0, 1], source_ground_normal=[0, 0, 1],
    ),  # fmt: skip
    "Clip.find_rest": {},
    "Clip.load": dict(path=BVH),
    "Clip.loop": dict(count=1, fade=0.1),
    "Clip.make": dict(model=ARM, times=[0.0, 0.5, 1.0], keys=Q),
    "Clip.mirror": {},
    "Clip.over": dict(model=HUMAN),
    "Clip.rates": dict(times=[0.1, 0.25]),
    "Clip.resample": dict(rate=10.0),
    "Clip.retarget": dict(
        robot=ROBOT, contacts=FEET, fps=5.0, rest=STANCE, start=ROBOT.neutral, smooth=0.0,
        ground_normal=[0, 0, 1], source_ground_normal=[0, 0, 1],
    ),
    "Clip.retime": dict(begin=1.0, speed=2.0),
    "Clip.save": dict(path=Out("a.json")),
    "Clip.slice": dict(begin=0.1, end=0.4),
    "Clip.timed": dict(model=ARM, tip="tool0", path=LINE, start=Q[0], rate=50.0),
    "Clip.walk": dict(figure=HUMAN, cycles=1, rate=10.0),
    "Collision.distance": dict(q=SLIDES),
    "Collision.free": dict(q=SLIDES),
    "Collision.gradient": dict(q=SLIDES),
    "Collision.near": dict(q=SLIDES[0], distance=1.0),
    "ContactPoint": dict(link="left_foot"),
    "Contacts": dict(model=HUMAN, points=list(FEET.points)),
    "Contacts.add": dict(point=0, begin=2.0, end=2.1),
    "Contacts.at": dict(time=0.1),
    "Contacts.copy": {},
    "Contacts.cut": dict(point=0, begin=2.0, end=2.1),
    "Contacts.detect": dict(clip=WALK, ground_normal=[0, 0, 1]),
    "Contacts.find_ground": dict(clip=WALK),
    "Contacts.found": dict(clip=WALK, rest=STANCE, ground_normal=[0, 0, 1]),
    "Contacts.load": dict(path=HELD, model=HUMAN),
    "Contacts.measure_heights": dict(clip=WALK, ground_normal=[0, 0, 1]),
    "Contacts.move": dict(point=0, to=FEET.points[1]),
    "Contacts.save": dict(path=Out("a.json")),
    "Contacts.shift": dict(by=0.5),
    "Contacts.soles": dict(model=HUMAN, rest=STANCE),
    "Contacts.spans": dict(point=0),
    "Elbow.arcs": dict(target=BENT, start=SEVEN.neutral),
    "Elbow.at": dict(target=BENT, branch=0, angle=0.2, start=SEVEN.neutral),
    "Elbow.best": dict(target=BENT, start=SEVEN.neutral),
    "Follow.ended": dict(frame=1),
    "Gltf.at": dict(animation="turn", times=[0.0, 0.5]),
    "Gltf.clip": dict(animation="turn"),
    "Gltf.load": dict(path=GLTF),
    "Gltf.save": dict(path=Out("a.glb")),
    "Ik.derivative": dict(targets=T, q=Q),
    "Ik.describe": {},
    "Ik.solutions": dict(targets=T, start=Q[0]),
    "Ik.solve": dict(targets=T, starts=Q),
    "Ik.step": dict(target=T, q=Q),
    "IkResult.derivative": {},
    "IkResult.explain": {},
    "JointLimit.setting": dict(joint="elbow_joint"),
    "Model.assembly": {},
    "Model.body": dict(tasks=[limber.BodyTask("position", "tool0")]),
    "Model.center_of_mass": dict(q=Q),
    "Model.clamp": dict(q=10 * Q),
    "Model.collision": {},
    "Model.compare": dict(
        tip="tool0", targets=T, starts=Q, methods=["lm", "fabrik"], tool=np.eye(4), gains=np.ones(ARM.nv),
        desired=Q[0], free_axis=[0, 0, 1], pole=[0, 0, 1],
    ),
    "Model.difference": dict(a=Q, b=Q[::-1].copy()),
    "Model.draw": SVG | dict(q=Q, targets=T[:, :3, 3].copy()),
    "Model.draw_tree": SVG,
    "Model.elbow": dict(tip=SEVEN.tips[0], tool=np.eye(4)),
    "Model.fk": dict(q=Q, links="tool0", jacobian=True, point=[0.1, 0, 0]),
    "Model.follow": dict(tip="tool0", path=LINE, frames=3, start=Q[0]),
    "Model.from_dh": dict(rows=[[0, 0, 1, 0], [0, 0, 1, 0]], limits=[[-1, 1], [-2, 2]]),
    "Model.from_json": dict(text=ARM.to_json()),
    "Model.from_urdf": dict(text='<robot name="r"><link name="a"/></robot>'),
    "Model.ik": dict(
        tip="tool0", tool=np.eye(4), free_axis=[0, 0, 1], gains=np.ones(ARM.nv), desired=Q[0],
        pole=[0, 0, 1],
    ),
    "Model.integrate": dict(q=Q, v=0.1 * Q),
    "Model.interpolate": dict(a=Q[0], b=Q[1], t=[0.0, 0.25, 1.0]),
    "Model.joint_index": dict(joint="elbow_joint"),
    "Model.joint_limits": dict(path=LIMITS),
    "Model.link_index": dict(link="tool0"),
    "Model.link_name": dict(link=3),
    "Model.load": dict(name=MODEL_FILE),
    "Model.mobility": dict(task=limber.Task("tool0"), q=Q[0], target=T[0]),
    "Model.parse": dict(text=ARM.to_json(), name="a.json"),
    "Model.place": dict(
        targets=PATH_POINTS, tip="tool0", tool=np.eye(4), free_axis=[0, 0, 1], cell=0.8, turns=1
    ),
    "Model.planar_reach": dict(task=limber.Task("tool0", "position"), q=Q[0]),
    "Model.random": dict(n=3, seed=1),
    "Model.reach_map": dict(tip="tool0", cell=0.8, orientations=72, tool=np.eye(4)),
    "Model.reach_map_file": dict(path=Out("m.npy"), tip="tool0", cell=0.8, orientations=72, tool=np.eye(4)),
    "Model.singularity": dict(q=Q, link="tool0", point=[0.1, 0, 0]),
    "Model.srdf": dict(path=SRDF),
    "Model.svg": dict(q=Q, targets=T[:, :3, 3].copy()),
    "Model.task_error": dict(task=limber.Task("tool0"), q=Q, target=T),
    "Model.to_json": {},
    "Model.validate": dict(q=0.1 * Q),
    "Model.velocity_ellipsoid": dict(q=Q, link="tool0", point=[0.1, 0, 0], damping=0.2),
    "Model.with_joints": dict(settings=[limber.JointSetting("elbow_joint", locked=True, value=0.3)]),
    "Model.with_limits": dict(limits=LIMITS),
    "Model.with_locks": dict(joints={"elbow_joint": 0.2}),
    "Model.with_moving_root": {},
    "Model.with_root": dict(kind="planar"),
    "Model.workspace": dict(tip="tip", tool=np.eye(4), cells=4),
    "Path": dict(points=PATH_POINTS),
    "Path.at": dict(share=[0.0, 0.25]),
    "PlanarReach.reaches": dict(points=[[1.9, 0], [2.1, 0]]),
    "ReachMap.draw": SVG,
    "ReachMap.save": dict(path=Out("a.npy")),
    "ReachMap.join": dict(paths=[REACH_FILE], path=Out("j.npy")),
    "ReachMap.load": dict(path=REACH_FILE),
    "RetargetStream.limit_acceleration": dict(joint=3, acceleration=10.0),
    "RetargetStream.next": dict(time=0.1, q=STANCE),
    "RetargetStream.reset": dict(q=ROBOT.neutral),
    "RetargetStream": dict(
        source=WALK, robot=ROBOT, rest=STANCE, start=ROBOT.neutral,
        ground_normal=[0, 0, 1], source_ground_normal=[0, 0, 1],
    ),
    "Servo.aim": dict(target=T[0], velocity=np.zeros(6)),
    "Servo.move": dict(q=Q[0]),
    "Servo.reset": dict(q=Q[0]),
    "Servo.step": {},
    "Servo.stop": {},
    "Servo.twist": dict(twist=np.full(6, 0.1)),
    "Srdf.apply": dict(name="home", q=Q),
    "Srdf.others": dict(group="arm"),
    "Srdf.state": dict(name="home"),
    "Srdf.tip": dict(group="arm"),
    "StripRow": dict(clip=WALK, ground_normal=[0, 0, 1]),
    "Task": dict(tip="tool0", tool=np.eye(4), free_axis=[0, 0, 1]),
    "Workspace.draw": SVG,
    "bones_step": dict(bones=[[0, 0, 0], [1, 0, 0]], target=[0, 1], arrival=0.1, nudge=0.0),
    "FourBar.model": {},
    "FourBar.values": dict(poses=PLANE_POSES),
    "methods": {},
    "models": {},
    "retarget_map": dict(source=HUMAN, target=ROBOT, rest=HUMAN.neutral),
    "synthesize": dict(poses=PLANE_POSES, best=2),
    "two_bone": dict(
        start=POSES[0], middle=POSES[1], end=POSES[2], target=[1, 1, 0], bend_axis=[0, 0, 1],
        pole=[0, 1, 0], twist=0.1, soft=0.9, weight=0.8,
    ),
    "two_link": dict(first=1.0, second=1.0, target=[[1, 1], [0.5, 1]]),
}

# methods of the package's own use, which no documentation shows
PRIVATE = {
    "BodyTask.fields", "BodyTask.polygon", "Collision.borrow", "Collision.copy", "Collision.identity", "Collision.native",
    "Collision.on", "Ik.lister", "Ik.native", "Ik.read_targets", "JointSetting.fields", "Model.forward_of", "Model.made_by",
    "Model.optional_pose", "Model.pose", "Model.poses", "Model.srdf_file", "Task.fields",
}  # fmt: skip


def classes() -> dict[str, type]:
    found = {name: getattr(limber, name) for name in limber.__all__}
    return {name: kind for name, kind in found.items() if inspect.isclass(kind)}


def methods() -> list[str]:
    """Every public method and function, by what the documentation calls it."""
    found = [name for name in limber.__all__ if not inspect.isclass(getattr(limber, name))]
    for kind_name, kind in classes().items():
        for name in dir(kind):
            owner = next((c for c in kind.__mro__ if name in c.__dict__), object)
            part = inspect.getattr_static(kind, name)
            own = owner.__module__.split(".")[0] == "limber"
            if own and not name.startswith("_") and isinstance(part, (classmethod, staticmethod, type(make))):
                found.append(f"{kind_name}.{name}")
    return sorted(set(found) - PRIVATE)


# methods that other objects than those of their class have arguments for
OTHERS = {"Model.elbow": SEVEN, "Model.workspace": PLANAR}


def thing_of(name: str) -> Any:
    """What a method is called of; None: a function."""
    return OTHERS.get(name) or (make(name.partition(".")[0]) if "." in name else None)


def target_of(name: str, thing: Any = None) -> Callable[..., Any]:
    """What is called: a method of its class's object, or of `thing`."""
    kind, _, method = name.partition(".")
    if not method:
        return getattr(limber, kind)
    if isinstance(inspect.getattr_static(getattr(limber, kind), method), classmethod):
        return getattr(getattr(limber, kind), method)
    return getattr(thing_of(name) if thing is None else thing, method)


def parameters(name: str) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(target_of(name)).parameters)


# ---- comparing -------------------------------------------------------------------------------

# what the attributes of an object do not show
SHOWS: dict[str, Callable[[Any], Any]] = {
    "Model": lambda m: m.to_json(),
    "Path": lambda p: p.at([0, 0.3, 1]),
    "Ik": lambda ik: (ik.options, ik.solve(T[0]).q),
    "Collision": lambda c: (c.pairs, c.distance(c.model.neutral)),
    "Contacts": lambda c: [(p, c.spans(i)) for i, p in enumerate(c.points)],
    "Elbow": lambda e: e.best(BENT),
    "Body": lambda b: b.solve().q,
    "Gltf": lambda g: (g.info, g.animations, g.bones, g.at(0, 0.3)),
    "RetargetStream": lambda r: r.next(0.2, STANCE),
    "Servo": lambda s: (s.step(), s.frame),
}
# what their methods change
CHANGED = {"Contacts", "Random", "RetargetStream", "Servo"}
# of the package's own use, or what costs an object that cannot be compared
HIDDEN = {"native", "file", "is_whole"}


def state(value: Any) -> Any:
    """A value as plain data that can be compared: arrays by dtype, shape and bits."""
    if isinstance(value, np.ndarray) and value.dtype.names:
        return [(name, state(value[name])) for name in value.dtype.names]
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        return array.dtype.str, array.shape, array.tobytes()
    if isinstance(value, dict):
        return {str(key): state(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(state, value)]
    kind = type(value)
    if kind.__module__.split(".")[0] != "limber" or isinstance(value, int):
        return repr(value) if isinstance(value, float) else value
    if kind.__name__ in ("LimberError", "LimberWarning"):
        return repr(value)
    shown: dict[str, Any] = {"class": kind.__name__}
    if kind.__name__ in SHOWS:
        shown["shows"] = state(SHOWS[kind.__name__](value))
    if kind.__name__ != "Model":
        fields = [name for name in vars(value) if not name.startswith("_")]
        known = [name for name, p in inspect.getmembers_static(kind) if isinstance(p, property)]
        names = {n for n in {*fields, *known} - HIDDEN if not n.startswith("_")}
        shown |= {name: state(getattr(value, name)) for name in sorted(names)}
    return shown


COUNT = iter(range(1 << 40))


def call(name: str, arguments: dict[str, Any], thing: Any = None) -> Any:
    """The state of what a call returns, of what it writes, and of what it changes."""
    given, files = dict(arguments), []
    for key, value in given.items():
        if isinstance(value, Out):
            given[key] = Path(FOLDER.name, f"{next(COUNT)}{value.name}")
            files.append(given[key])
    thing = thing_of(name) if thing is None else thing
    returned = target_of(name, thing)(**given)
    changed = [thing] if name.partition(".")[0] in CHANGED else []
    # a method that returns its own object has nothing else to show
    shown = None if returned is thing and thing is not None else returned
    return [state(shown), *map(state, changed), *[path.read_bytes() for path in files]]
