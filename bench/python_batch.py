"""The time of a batch of inverse kinematics through numpy, beside the same in C.

    PYTHONPATH=build/python python3 bench/python_batch.py [TARGETS]

Both solve ranges of 4,000 targets several times and add up the least time of each, so that a busy
machine troubles neither much. Prints nanoseconds per target of one thread and of two, and what memory the results
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
RUNS, RANGE = 25, 4_000


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
    """Nanoseconds per target: the least of all runs of each range, as batch_main.c has it."""
    total = 0
    for begin in range(0, len(targets), RANGE * threads):
        part = targets[begin : begin + RANGE * threads]
        least = float("inf")
        for _ in range(RUNS):
            start = time.perf_counter_ns()
            ik.solve(part, threads=threads)
            least = min(least, time.perf_counter_ns() - start)
        total += least
    return total / len(targets)


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    arm = limber.Model.load("panda")
    columns = arm.fk(arm.random(n, seed=1), "panda_hand", layout="columns")
    for protocol in ("any", "nearest"):
        ik = arm.ik("panda_hand", protocol)
        ik.solve(columns[:1000], threads=2)
        before = resident()
        result = ik.solve(columns)
        grown = resident() - before
        kept = result.q.nbytes + result.info.nbytes
        print(f"{protocol}: {result}, {grown / 1e6:.1f} MB more for results of {kept / 1e6:.1f} MB")
        text = subprocess.run([PROGRAM, str(n), protocol], check=True, capture_output=True).stdout
        each, said = text.decode().split()
        print(f"  C {float(each):.1f} ns", flush=True)
        if n <= HASHED:
            print(f"  the same bits as from C: {fnv(result.q.tobytes()) == int(said, 16)}")
        del result
        matrices = arm.fk(arm.random(min(n, HASHED), seed=1), "panda_hand")
        for name, targets, threads in (
            ("(N, 4, 3)", columns[:HASHED], 1),
            ("(N, 4, 4)", matrices, 1),
            ("(N, 4, 3), two threads", columns[:HASHED], 2),
        ):
            print(f"  {name} {measure(ik, targets, threads):.1f} ns", flush=True)


if __name__ == "__main__":
    main()
