"""A motion on a robot as an archive for training code: 50 frames a second with velocities.

Prints:
    241 frames of 24 joints at 50 a second
    Check(241 keys: passed)
"""

import pathlib
import tempfile

import limber
import numpy as np

robot = limber.Model.load("biped")  # or "g1.urdf"
walk, feet = limber.Clip.walk(limber.Model.load("human").with_root("floating"), cycles=4)
motion, done = walk.retarget(robot, contacts=feet, fps=50)  # or Clip.load("walk.bvh").retarget(robot, fps=50)
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder, "walk.npz")
    motion.save(path)
    archive = np.load(path)
    frames, joints = archive["joint_pos"].shape
    print(f"{frames} frames of {joints} joints at {archive['fps'].item():.0f} a second")
print(motion.check(done["contacts"], robot.with_moving_root().collision(figure=True)))
