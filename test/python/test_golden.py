"""The same bits as from C: the hashes of bench/golden_table.h, computed through numpy."""

import re
import struct
from pathlib import Path

import limber
import numpy as np
import pytest

TABLE = Path(__file__).parents[2] / "bench" / "golden_table.h"
ROW = re.compile(r'GOLDEN\("(\w+)", "(\w*)", "(\w+)", LB_TASK_(\w+), (0x[0-9a-f]+)\)')
PROBLEMS, BATCH = 1000, 101
POINT = [0.1, -0.2, 0.3]
# those whose targets are in the world: the others' need a difference of two frames
ROBOTS = [row for row in ROW.findall(TABLE.read_text()) if not row[1]]


def fnv(state: int, data: bytes) -> int:
    """FNV-1a, 64 bits, as golden.c has it."""
    for byte in data:
        state = (state ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return state


def problems(model: limber.Model, tip: str):
    """Targets and starts of golden.c's solve_one."""
    drawn = model.random(2 * PROBLEMS, seed=2024)
    goals, starts = drawn[0::2], drawn[1::2]
    targets = model.fk(goals, tip, layout="columns")
    targets[99::100, 3] *= 3
    return targets, starts


def add_solves(state: int, model: limber.Model, tip: str, kind: str, protocol: str) -> int:
    targets, starts = problems(model, tip)
    ik = model.ik(tip, protocol, kind=kind)
    result = ik.solve(targets[:, 3] if kind == "position" else targets, starts)
    transforms = model.fk(result.q, layout="columns")
    _, jacobians = model.fk(result.q, tip, jacobian=True, point=POINT)
    names = ["outcome", "tries", "iterations", "position_error", "rotation_error", "beyond_reach"]
    for i in range(PROBLEMS):
        numbers = [float(result.info[name][i]) for name in names]
        for part in (result.q[i], struct.pack("6d", *numbers), transforms[i], jacobians[i]):
            state = fnv(state, part if isinstance(part, bytes) else part.tobytes())
    return state


def add_batch(state: int, model: limber.Model, tip: str) -> int:
    q = model.random(BATCH, seed=2025)
    state = fnv(state, model.fk(q, layout="columns").tobytes())
    state = fnv(state, model.fk(q, tip, jacobian=True, point=POINT)[1].tobytes())
    # the library has matrices of floats by columns
    floats = model.fk(q.astype(np.float32)).swapaxes(-1, -2)
    return fnv(state, floats.astype(np.float64).tobytes())


@pytest.mark.parametrize("name, base, tip, kind, expected", ROBOTS, ids=[row[0] for row in ROBOTS])
def test_golden(name: str, base: str, tip: str, kind: str, expected: str) -> None:
    model = limber.Model.load(name)
    state = 0xCBF29CE484222325
    for protocol in ("nearest", "any"):
        state = add_solves(state, model, tip, kind.lower(), protocol)
    assert f"{add_batch(state, model, tip):#018x}" == expected


def test_table_is_read() -> None:
    assert len(ROBOTS) >= 7
