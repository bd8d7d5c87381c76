"""Key poses as a clip: sampled, with velocities, resampled and blended.

Prints:
    Clip('planar3', 3 keys, 2 s)
    halfway [0.4, 0.5, 0.0]
    61 keys at 30 a second
"""

import limber

arm = limber.Model.load("planar3")
clip = limber.Clip.make(arm, [0, 1, 2], [[0, 0, 0], [0.4, 0.5, 0], [0.8, 0, 0]], "cubic")
print(clip)
print("halfway", clip.at(1.0).round(3).tolist())
velocities, accelerations = clip.rates(clip.times)
dense = clip.resample(30)
print(f"{len(dense)} keys at {dense.rate:.0f} a second")
