"""Every configuration of a six-axis arm for one pose, and the reason for an unreachable one.

Prints:
    three parallel axes
    Solutions(8 of 8, certified)
    nearest first: [0.0, 2.45, 4.26, 4.68, 4.85, 5.21, 5.22, 5.44]
    Solutions(0 of 0, certified) unreachable
"""

import limber

arm = limber.Model.load("ur5")
ik = arm.ik("tool0")
print(ik.describe()[0])

q = [0.3, -1.0, 1.0, 0.4, 0.5, 0.6]
target = arm.fk(q, "tool0")
found = ik.solutions(target, start=q)
print(found)
print("nearest first:", found.distance.round(2).tolist())

# two metres away there is none, and that is proved
target[:3, 3] = [2, 0, 0]
none = ik.solutions(target)
print(none, none.outcome.name.lower())
