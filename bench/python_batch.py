"""The time of a batch of inverse kinematics through numpy, beside the same in C.

    PYTHONPATH=build/python python3 bench/python_batch.py [TARGETS] [ROUNDS]

Runs build/bench/batch_bench and this by turns, so that a busy machine troubles both alike, and takes
the least of each. Prints nanoseconds per target of one thread and of two, and what memory the results
take. With 100,000 targets or fewer the hash of all configurations is compared with that of C, too.
"""

import resource
import subprocess
import sys
import time
from pathlib import Path

import limber
import numpy as np

PROGRAM = Path(__file__).parents[1] / "build" / "bench" / "batch_bench"
HASHED = 100_000


def fnv(data: bytes) -> int:
    """FNV-1a, 64 bits."""
    state = 0xCBF29CE484222325
    for byte in data:
        state = (state ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return state


def resident() -> int:
    """Bytes of memory that the process has had at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measure(ik: limber.Ik, targets: np.ndarray, threads: int) -> float:
    """Nanoseconds per target of one run."""
    begin = time.perf_counter_ns()
    ik.solve(targets, threads=threads)
    return (time.perf_counter_ns() - begin) / len(targets)


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    arm = limber.Model.load("panda")
    q = arm.random(n, seed=1)
    columns = arm.fk(q, "panda_hand", layout="columns")
    matrices = arm.fk(q, "panda_hand")
    del q
    for protocol in ("any", "nearest"):
        ik = arm.ik("panda_hand", protocol)
        ik.solve(columns[:1000], threads=2)
        before = resident()
        result = ik.solve(columns)
        grown = resident() - before
        least = {"C": np.inf, "columns": np.inf, "matrices": np.inf, "two threads": np.inf}
        said = ""
        for _ in range(rounds):
            text = subprocess.run([PROGRAM, str(n), protocol], check=True, capture_output=True).stdout
            each, said = text.decode().split()
            least["C"] = min(least["C"], float(each))
            for name, targets, threads in (
                ("columns", columns, 1),
                ("matrices", matrices, 1),
                ("two threads", columns, 2),
            ):
                least[name] = min(least[name], measure(ik, targets, threads))
        print(protocol, {name: round(each, 1) for name, each in least.items()}, result)
        kept = result.q.nbytes + result.info.nbytes
        print(f"  memory grew by {grown / 1e6:.1f} MB, the results are {kept / 1e6:.1f} MB")
        if n <= HASHED:
            print(f"  the same bits as from C: {fnv(result.q.tobytes()) == int(said, 16)}")


if __name__ == "__main__":
    main()
