"""A tool along a smooth path: no joint jumps while a continuous motion exists.

Prints:
    Follow(60 frames, 60 reached, 0 jumps)
    the largest step of a joint is below 0.1 rad: True
"""

import limber
import numpy as np

arm = limber.Model.load("ur5")
start = np.array([0.2, -1.2, 1.4, -0.6, 0.5, 0.1])
poses = [start, start + [0.4, 0.1, 0, 0, 0, 0], start + [0.6, -0.1, 0.1, 0, 0, 0.3]]
path = limber.Path(arm.fk(poses, "tool0"), "spline")

motion = arm.follow("tool0", path, frames=60, start=start)
print(motion)
steps = np.abs(np.diff(motion.q, axis=0)).max()
print("the largest step of a joint is below 0.1 rad:", bool(steps < 0.1))
