"""Targets and solutions in NumPy files, which may be larger than memory.

Prints:
    2000 targets, 2000 reached
"""

import tempfile
from pathlib import Path

import limber
import numpy as np

arm = limber.Model.load("panda")
ik = arm.ik("panda_hand", protocol="any")

with tempfile.TemporaryDirectory() as folder:
    targets, solutions = Path(folder) / "targets.npy", Path(folder) / "q.npy"
    np.save(targets, arm.fk(arm.random(2000, seed=4), "panda_hand"))

    # mapped, not read: rows come into memory when they are solved
    rows = np.load(targets, mmap_mode="r")
    out = np.lib.format.open_memmap(solutions, "w+", np.float64, (len(rows), arm.nq))
    reached = 0
    for begin in range(0, len(rows), 500):
        part = ik.solve(rows[begin : begin + 500], threads=2)
        out[begin : begin + 500] = part.q
        reached += int(part.reached.sum())
    out.flush()
    print(f"{len(rows)} targets, {reached} reached")
