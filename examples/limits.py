"""Limits, locks and reasons: what a solver may move, and its words for a target that it misses.

Prints:
    panda_joint4 from -3.07 to -0.07
    with joint 1 kept: reached, 0.0
    with half its range: reached, True
    too far: unreachable
    Out of reach: with all links in one straight line the target would still be 2.014 m away.
"""

import limber

arm = limber.Model.load("panda")
elbow = arm.joints[arm.joint_index("panda_joint4")]
print(f"{elbow.name} from {elbow.lower[0]:.2f} to {elbow.upper[0]:.2f}")

target = [0.5, 0.1, 0.4, 0, 1, 0, 0]
kept = arm.ik("panda_hand", locks={"panda_joint1": 0.0}).solve(target)
print(f"with joint 1 kept: {kept.outcome.name.lower()}, {kept.q[0]}")

half = arm.with_joints([limber.JointSetting("panda_joint1", lower=0, upper=1)])
inside = half.ik("panda_hand").solve(target)
print(f"with half its range: {inside.outcome.name.lower()}, {bool(0 <= inside.q[0] <= 1)}")

# an unreached target is data, and the closest configuration comes with it
far = arm.ik("panda_hand").solve([3, 0, 0.4, 0, 1, 0, 0])
print("too far:", far.outcome.name.lower())
print(far.explain())
