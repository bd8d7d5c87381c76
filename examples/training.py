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
clip, feet = limber.Clip.walk(limber.Model.load("human"), cycles=4)  # or Clip.load("walk.bvh")
motion, done = clip.retarget(robot, contacts=feet, fps=50)
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder, "walk.npz")
    motion.save(path)
    archive = np.load(path)
    frames, joints = archive["joint_pos"].shape
    print(f"{frames} frames of {joints} joints at {archive['fps'].item():.0f} a second")
print(motion.check(done["contacts"], robot.collision(figure=True)))
