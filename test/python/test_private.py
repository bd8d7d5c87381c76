"""No call of the private module limber._core ends the interpreter, whatever its arguments are."""

import subprocess
import sys
import textwrap

import pytest

BEGIN = '''
import gc
import limber
from limber import _core

open("a.bvh", "w").write("""HIERARCHY
ROOT a { OFFSET 0 0 0 CHANNELS 1 Xrotation }
MOTION
Frames: 2
Frame Time: 0.1
10
20
""")
model = limber.Model.load("panda").native
nq = model.describe()[1]
links = list(range(3))
task = {"tip": 8}

def refused(kind, call, *arguments):
    try:
        call(*arguments)
    except kind:
        return
    raise AssertionError("not refused")
'''

# lines that would otherwise crash, each in an interpreter of its own
CASES = {
    # a file of a map is closed once, and answers nothing after that
    "reach file": """
        solver = _core.ReachMap(model, task, {"cell": 0.8}, None)
        file = _core.ReachFile("map.npy", solver, 1, 1, False)
        file.decide(solver, 0, 1)
        file.close()
        file.close()
        refused(ValueError, file.tiles)
        refused(ValueError, file.decide, solver, 0, 1)
        assert _core.ReachFile("map.npy", solver, 1, 1, False).tiles() > 0
    """,
    # sizes whose product is beyond a word
    "combine": """
        refused(ValueError, model.combine, 0, 1 << 61, b"", b"", None, bytearray())
        refused(IndexError, model.combine, 0, -1, b"", b"", None, bytearray())
    """,
    "forward": """
        forward = _core.Forward(model, links, {}, 0)
        q = bytearray(8 * nq)
        none = bytearray()
        refused(ValueError, forward.run, 1, 0, q, none, none, 1 << 60, 1 << 61)
        refused(ValueError, forward.run, 1 << 61, 0, b"", none, none, 0, 0)
        assert forward.row(q) is None and _core.Forward(model, [3], {}, 1).row(object()) is None
        refused(ValueError, _core.Forward, model, [3], {}, 9)
        refused(IndexError, forward.run, 0, 0, b"", none, none, 0, -1)
        refused(ValueError, forward.run_float, 1 << 62, b"", none)
    """,
    "assembly": """
        refused(OverflowError, _core.Assembly, model, [1 << 40])
        refused(limber.LimberError, _core.Assembly, model, [99])
        assembly = _core.Assembly(model, [])
        row, results = bytearray(8 * nq), bytearray(40)
        refused(ValueError, assembly.describe, bytearray(8))
        refused(ValueError, assembly.close, row[8:], row, results)
        refused(ValueError, assembly.close, row, row[8:], results)
        refused(ValueError, assembly.follow, row[8:], row, row, results)
        refused(ValueError, assembly.follow, row, row, row[8:], results)
        refused(ValueError, assembly.velocities, row, bytearray(8))
        refused(ValueError, assembly.all, row[8:], row)
        refused(ValueError, assembly.all, row, row[8:])
    """,
    "draw_reach": """
        refused(ValueError, _core.draw_reach, "r.svg", b"", "cells", None, {"count": 1 << 22})
    """,
    # links that the model has not
    "draw_workspace": """
        workspace = _core.Workspace(model, task, {"cells": 4})
        for wrong in {"tip": 1 << 30}, {"tip": -5}, {"tip": 8, "base": 1 << 30}:
            refused(limber.LimberError, _core.draw_workspace, workspace, "w.svg", wrong, None, 0)
    """,
    # memory without an address is no None
    "no address": """
        import ctypes
        empty = (ctypes.c_double * 0).from_address(0)
        refused(ValueError, model.validate, empty, 0.0)
        refused(ValueError, _core.State(model).planar_reach, empty, {})
    """,
    # what belongs to another file, and what is released before what reads it
    "borrowed": """
        capture, _ = _core.Motion.open("a.bvh", None, None, None, {})
        refused(TypeError, _core.Clip.of_motion, model)
        clip = _core.Clip.of_motion(capture)
        del capture
        gc.collect()
        assert clip.describe()[0] == 2
    """,
    "collision": """
        collision, _ = _core.Collision.make(model, "", "", False, [], {"allow_missing": True})
        body = _core.Body(model, [{"kind": "distance"}] * 2, [None] * 2, [collision] * 2, {})
        del collision
        gc.collect()
        result = bytearray(_core.BODY_RESULT["itemsize"])
        outcomes = bytearray(2 * _core.BODY_OUTCOME["itemsize"])
        q = bytearray(8 * nq)
        body.solve(bytes(8 * nq), None, 0.0, q, result, outcomes)
    """,
    # conversions that change what is being read
    "conversion": """
        class Number:
            def __init__(self, change):
                self.change = change
            def __float__(self):
                self.change()
                gc.collect()
                raise TypeError
        options = {}
        options["cell"] = Number(options.clear)
        refused(TypeError, _core.ReachMap, model, task, options, None)
        points = [{"link": 0}, {"link": 0}]
        points[0]["height"] = Number(points.clear)
        refused(TypeError, _core.Contacts.make, points)
    """,
    "names of options": """
        for key in 5, None, b"tip":
            refused(TypeError, _core.Workspace, model, {key: 0}, {})
        refused(TypeError, _core.Contacts.make, [5])
    """,
    "replaced": """
        human = limber.Model.load("human").native.with_root(_core.JOINT_KINDS.index("floating"))
        _core.Clip = int
        refused(TypeError, _core.walk, human, {})
    """,
    # each allocation of Python's own fails once
    "memory": """
        import _testcapi
        capture, _ = _core.Motion.open("a.bvh", None, None, None, {})
        calls = [
            lambda: _core.Model.of_motion(capture),
            lambda: _core.Clip.of_motion(capture),
            lambda: _core.Motion.open("a.bvh", None, None, None, {}),
            lambda: _core.Motion.write(capture, None, "BVH", None, None),
            capture.info,
            capture.rest,
            lambda: _core.Model.load("a.bvh", False, None),
            lambda: _core.Workspace(model, task, {"cells": 4}),
        ]
        failed = 0
        for call in calls:
            for nth in range(40):
                try:
                    _testcapi.set_nomemory(nth, nth + 1)
                    made = call()
                except MemoryError:
                    failed += 1
                finally:
                    _testcapi.remove_mem_hooks()
                made = None
        assert failed > len(calls)
        del calls, capture
        gc.collect()
    """,
}


@pytest.mark.parametrize("what", list(CASES))
def test_no_private_call_crashes(what, tmp_path) -> None:
    if what == "memory":
        pytest.importorskip("_testcapi")
    code = BEGIN + textwrap.dedent(CASES[what])
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
