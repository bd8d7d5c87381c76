"""The workspace of a planar arm, compared with the exact ring of two links.

Prints:
    Workspace(42 x 42 cells of 0.1 m, 12.6 m2 reachable)
    off the exact area by less than 1 %: True
"""

import math

import limber

arm = limber.Model.load("planar2")
map_ = arm.workspace(cells=40, threads=2)
print(map_)
exact = math.pi * 2**2
print("off the exact area by less than 1 %:", abs(map_.size.reachable - exact) < 0.01 * exact)
