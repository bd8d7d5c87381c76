"""Joint values for a tool pose: one target, then ten thousand.

Prints:
    reached [0.131, -0.365, 0.294, -2.26, 0.11, 1.907, 1.156]
    IkResult(10000 targets: 10000 reached)
    the worst position error is below 1e-06 m: True
"""

import limber

# a built-in model; a path loads a file: limber.Model.load("robot.urdf")
arm = limber.Model.load("panda")
ik = arm.ik("panda_hand")

# x y z and a quaternion w x y z; (4, 4) matrices do as well
one = ik.solve([0.4, 0.2, 0.5, 0, 1, 0, 0])
print(one.outcome.name.lower(), one.q[:7].round(3).tolist())

# many at once, each on whatever thread is free; the bits do not depend on that
targets = arm.fk(arm.random(10_000, seed=1), "panda_hand")
many = ik.solve(targets, threads=2)
print(many)
print("the worst position error is below 1e-06 m:", bool(many.position_error.max() < 1e-6))
