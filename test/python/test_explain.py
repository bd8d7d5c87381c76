"""limber explain: a referee that knows forward kinematics alone recomputes every number of a page."""

import os
import re
import subprocess
from pathlib import Path

import limber
import numpy as np
import pytest

PROGRAM = os.environ.get("LIMBER_PROGRAM", "")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="the program was not built")

NUMBER = re.compile(r"[-\u2212]?\d+\.\d{6}")
FREE = ["--step-limit", "1e6", "--no-nudge"]


def explain(*arguments: object) -> str:
    run = [PROGRAM, "explain", *map(str, arguments)]
    return subprocess.run(run, capture_output=True, text=True, check=True).stdout


def read_page(text: str) -> list[tuple[str, np.ndarray]]:
    """The matrices of a page in order; there are no other numbers in its formulas."""
    found = []
    for name, body in re.findall(r'<mtable data-name="(\w+)">(.*?)</mtable>', text):
        rows = [re.findall(r"<mn>(.*?)</mn>", row) for row in re.findall(r"<mtr>(.*?)</mtr>", body)]
        found.append((name, np.array([[float(x.strip("\u2007").replace("\u2212", "-")) for x in row] for row in rows])))
    assert sum(m.size for _, m in found) == text.count("<mn>") == len(NUMBER.findall(text))
    return found


class Referee:
    """Everything that a page may show, from the joints' axes and places in the world."""

    def __init__(self, model: limber.Model, tip: str, goal: np.ndarray, kind: str, method: str, **options) -> None:
        self.model, self.tip, self.kind, self.options = model, tip, kind, options
        self.method = method
        solver = {k: v for k, v in options.items() if k not in ("gains", "desired")}
        pulls = {k: v for k, v in options.items() if k in ("gains", "desired")}
        self.ik = model.ik(tip, kind=kind, method=method, **solver, **pulls)
        self.q = np.array([j.value[0] for j in model.joints if j.nq == 1 and not j.mimic])
        self.unit = self.ik.options["length"]
        place = model.fk(self.q, tip)
        turn = goal[:3, :3] @ place[:3, :3].T
        angle = np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1))
        skew = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
        rotation = skew / np.sin(angle) * np.sin(angle / 2) if angle > 1e-9 else skew / 2
        counts = {"position": [0, 1, 2], "pose": range(6)}[kind]
        # what no joint moves in any configuration has no row
        random = [self.columns(q)[0] for q in model.random(20, seed=4)]
        self.rows = [r for r in counts if max(np.abs(J[r]).max() for J in random) > 1e-9]
        self.goal, self.end = goal[:3, 3], place[:3, 3]
        self.V = np.concatenate([self.goal - self.end, rotation])[self.rows]
        self.after = self.ik.step(goal[:3, 3] if kind == "position" else goal, self.q)[1]

    def columns(self, q: np.ndarray) -> tuple[np.ndarray, list[tuple[np.ndarray, ...]]]:
        T = dict(zip([link.name for link in self.model.links], self.model.fk(q)))
        J, joints = np.zeros((6, self.model.nv)), []
        end = T[self.tip][:3, 3]
        above = {j.child: j for j in self.model.joints}
        at = self.tip
        while at in above:
            joint = above[at]
            at = joint.parent
            if joint.nv == 0:
                continue
            axis = T[joint.child][:3, :3] @ joint.axis
            if joint.kind == "prismatic":
                J[:3, joint.v_index] = axis
                joints.insert(0, (axis,))
            else:
                r = end - T[joint.child][:3, 3]
                J[:, joint.v_index] = np.concatenate([np.cross(axis, r), axis])
                joints.insert(0, (axis, r, np.cross(axis, r)))
        return J, joints

    def sweep(self) -> tuple[np.ndarray, dict[str, list[np.ndarray]]]:
        """Juckett's: each hinge from the tip on turns the end onto the line to the target."""
        q, told, rate = self.q.copy(), {"ej": [], "tj": [], "turn": []}, np.zeros(self.model.nv)
        for joint in reversed([j for j in self.model.joints if j.nv]):
            T = dict(zip([link.name for link in self.model.links], self.model.fk(q)))
            place, axis = T[joint.child][:3, 3], T[joint.child][:3, :3] @ joint.axis
            e, t = T[self.tip][:3, 3] - place, self.goal - place
            if joint.kind == "prismatic":
                turn = axis @ (t - e)
            else:
                e, t = e - axis * (axis @ e), t - axis * (axis @ t)
                lengths = np.linalg.norm(e) * np.linalg.norm(t)
                turn = np.arccos(np.clip(e @ t / lengths, -1, 1)) if lengths > 1e-12 else 0.0
                turn = np.copysign(turn, axis @ np.cross(e, t))
            for name, value in zip(told, (e, t, np.array(turn))):
                told[name].append(value)
            rate[joint.v_index] = turn
            q[joint.q_index] += turn
        return rate, {**told, "e": [self.model.fk(q, self.tip)[:3, 3]]}

    def expect(self) -> dict[str, list[np.ndarray]]:
        """Names to the matrices of that name, in order."""
        model, V, options = self.model, self.V, self.options
        six, joints = self.columns(self.q)
        J = six[self.rows]
        n, nv = J.shape
        W = np.array([1 / self.unit if r < 3 else 1 for r in self.rows])
        slides = np.array([j.kind == "prismatic" for j in model.joints if j.nv])
        M2 = np.where(slides, self.unit**2, 1) / [j.weight for j in model.joints if j.nv]
        A = J * M2 @ J.T
        known: dict[str, list[np.ndarray]] = {
            "theta": [self.q], "L": [np.array(self.unit)], "M2": [M2], "V": [V], "J": [J], "a": [j[0] for j in joints],
            "r": [j[1] for j in joints if len(j) > 1], "axr": [j[2] for j in joints if len(j) > 1],
            "G": [self.goal[[r for r in self.rows if r < 3]]],
            "E": [self.end[[r for r in self.rows if r < 3]]], "A": [A],
        }  # fmt: skip
        if n == nv:
            known["inverse"] = [np.linalg.inv(J)]
            known["inverseV"] = [np.linalg.solve(J, V)]
        # least in M^-2 if there are solutions, else nearest in W^2: both by numpy's own
        plus = np.sqrt(M2)[:, None] * np.linalg.pinv((W[:, None] * J) * np.sqrt(M2)) * W
        known["plus"], known["plusV"] = [plus], [plus @ V] * 2
        if n <= nv:
            known["beta0"] = [np.linalg.solve(A, V)]
        rate = plus @ V if self.method in ("pseudoinverse", "inverse") else np.full(nv, np.nan)
        first = np.linalg.solve(A, V) if n <= nv else np.zeros(n)
        damping = options.get("damping", 0) / self.unit
        if self.method in ("damped", "lm"):
            usual = 0.1**2 if self.method == "damped" else 0.1 * np.sum((W * V) ** 2)
            known["lambda2"] = [(damping**2 or usual) / W**2]
            known["damped"] = [A + np.diag(known["lambda2"][0])]
            first = np.linalg.solve(known["damped"][0], V)
            rate = M2 * (J.T @ first)
            known["JTbeta"] = [rate]
        known["beta"] = [first]
        if "gains" in options:
            a, c = np.array(options["gains"]), np.array(options["desired"])
            apart = self.q - c
            square = options.get("control") == "square"
            z = M2 * (np.minimum(a * apart**2, np.abs(apart)) if square else np.minimum(2 * a, 1) * apart)
            idle = plus @ J - np.eye(nv)
            known |= {"gains": [a], "desired": [c], "z": [z], "idle": [idle], "idlez": [idle @ z]}
            known |= {"Jidlez": [np.zeros(n)], "Jz": [J @ z]}
            known["beta"] = [first + np.linalg.solve(A, J @ z)]
            rate = rate + idle @ z
        if self.method == "transpose":
            y = M2 * (J.T @ ((W * self.unit) ** 2 * V))
            moved, weight = J @ y, W**2
            alpha = options.get("alpha") or np.sum(weight * V * moved) / np.sum(weight * moved**2)
            rate = alpha * y
            known |= {"JTV": [y], "alpha": [np.array(alpha)]}
        if self.method == "ccd":
            rate, swept = self.sweep()
            known |= swept
        step = self.after - self.q
        known |= {"rate": [rate] * 2, "step": [step], "clamped": [step - rate]}
        return known


def turned(model: limber.Model, tip: str, move: list[float], at: list[float]) -> np.ndarray:
    """Where the tip is when every joint has moved a little, and a displacement."""
    q = np.array([j.value[0] for j in model.joints if j.nq == 1 and not j.mimic]) + move
    goal = model.fk(q, tip)
    goal[:3, 3] += at
    return goal


CASES = {
    "planar3 pseudoinverse": ("planar3", "position", "pseudoinverse", {}),
    "planar3 lm": ("planar3", "position", "lm", {}),
    "planar3 damped": ("planar3", "position", "damped", {"damping": 6}),
    "planar3 usual damping": ("planar3", "pose", "damped", {}),
    "planar3 inverse": ("planar3", "pose", "inverse", {}),
    "planar3 transpose": ("planar3", "position", "transpose", {}),
    "planar3 alpha": ("planar3", "pose", "transpose", {"alpha": 0.001}),
    "planar3 ccd": ("planar3", "position", "ccd", {}),
    "planar2 ccd": ("planar2", "position", "ccd", {}),
    "scara ccd": ("scara", "position", "ccd", {}),
    "ur5 ccd": ("ur5", "position", "ccd", {}),
    "planar3 control": ("planar3", "position", "pseudoinverse", {"gains": [0.1, 0.5, 0.1], "desired": [0.0, 0, 0]}),
    "planar3 square": (
        "planar3", "position", "pseudoinverse",
        {"gains": [0.1, 0.2, 0.1], "desired": [0.0, 0.5, 0.9], "control": "square"},
    ),
    "planar3 damped control": (
        "planar3", "position", "damped", {"damping": 6, "gains": [0.1, 0.5, 0.1], "desired": [0.0, 0, 0]},
    ),
    "planar2 pose": ("planar2", "pose", "pseudoinverse", {}),
    "planar2 square": ("planar2", "position", "inverse", {}),
    "scara": ("scara", "pose", "pseudoinverse", {}),
    "scara lm": ("scara", "pose", "lm", {}),
    "scara control": (
        "scara", "position", "pseudoinverse",
        {"gains": [0.1, 0.1, 0.2, 0.1], "desired": [0.3, -0.9, 0.05, 0.2]},
    ),
    "ur5": ("ur5", "pose", "inverse", {}),
    "iiwa14": ("iiwa14", "pose", "damped", {"damping": 0.05}),
    "iiwa14 transpose": ("iiwa14", "pose", "transpose", {}),
}  # fmt: skip
SHOWN_ALWAYS = {"theta", "V", "J", "a", "step"}


@pytest.mark.parametrize("name", CASES)
def test_every_number(name: str, tmp_path) -> None:
    arm, kind, method, options = CASES[name]
    model = limber.Model.load(arm)
    tip = model.links[-1].name
    far = 2.0 if arm == "planar3" else 0.02
    goal = turned(model, tip, [0.1] * model.nq, [far, -far, 0])
    referee = Referee(model, tip, goal, kind, method, step_limit=1e6, no_nudge=True, **options)
    at = " ".join(repr(float(x)) for x in goal[:3, 3])
    said = [arm, "--tip", tip, "--base", "world", "--position", at, "--method", method, *FREE]
    if kind == "pose":
        said += ["--quaternion", " ".join(repr(float(x)) for x in model.fk(
            np.array(referee.q) + 0.1, tip, layout="pose")[3:])]
    names = [j.name for j in model.joints if j.nq]
    for key, value in options.items():
        if isinstance(value, list):
            value = " ".join(f"{joint}={x}" for joint, x in zip(names, value))
        said += [f"--{key}", value]
    page = tmp_path / "page.html"
    explain(*said, "--output", page)
    found, expected = read_page(page.read_text()), referee.expect()
    seen: dict[str, int] = {}
    for shown, numbers in found:
        wanted = expected[shown][seen.get(shown, 0)].reshape(numbers.shape)
        seen[shown] = seen.get(shown, 0) + 1
        # six decimals, and the rounding of inverses of what is large
        np.testing.assert_allclose(numbers, wanted, atol=6e-7, rtol=1e-9, err_msg=f"{name}: {shown}")
    # a sweep needs no Jacobian, and the transpose no inverse
    if method == "ccd":
        assert set(seen) == {"theta", "ej", "tj", "turn", "e", "clamped", "step"}
    else:
        assert SHOWN_ALWAYS <= set(seen)
        assert seen["a"] == len(expected["a"]) and seen.get("r", 0) == len(expected["r"])
        assert (method == "transpose") == ("JTV" in seen) == (not {"A", "inverse", "plus"} & set(seen))
    # the text has the same numbers, matrices side by side
    text = explain(*said)
    there = [x.replace("\u2212", "-") for x in NUMBER.findall(page.read_text())]
    assert sorted(there) == sorted(NUMBER.findall(text))


def test_numbers_are_those_of_the_trace() -> None:
    said = ["planar3", "--position", "-20 5 0", "--method", "pseudoinverse"]
    trace = subprocess.run([PROGRAM, "ik", *said, "--trace"], capture_output=True, text=True, check=False)
    names, row = (line.split(",") for line in trace.stdout.splitlines()[:2])
    text = explain(*said)
    for name, number in zip(names, row):
        if re.match(r"(joint|V|J|JJT|beta|JTbeta|clamped|step)_", name):
            assert f"{float(number):.6f}" in text, name


def section(text: str, number: str) -> str:
    """What stands below the heading of an equation."""
    return text.split(f"\n{number}  ")[1].split("\n\n")[0]


def test_equations_have_the_numbers_of_the_lesson() -> None:
    """Parent's 5.20 is J⁺ V, and 5.21 has Jᵀ (J Jᵀ)⁻¹ in its place."""
    lesson = (Path(__file__).parents[2] / "docs" / "lesson" / "unit5.md").read_text().replace("\n", " ")
    page = explain("planar3", "--position", "-20 5 0", "--method", "pseudoinverse")
    for number, formula in (("5.18", "V = J θ̇"), ("5.20", "θ̇ = J⁺ V"), ("5.21", "J⁺ = Jᵀ (J Jᵀ)⁻¹"), ("5.23", "θ̇ = Jᵀ β")):
        assert f"{formula} (Eq. {number})" in lesson and formula in section(page, number), number
    # more rows than joints: the pseudoinverse of independent columns is in 5.20 itself
    tall = explain("planar2", "--position", "1 1 0", "--rpy", "0 0 1", "--method", "pseudoinverse")
    assert "J⁺ = (Jᵀ W² J)⁻¹ Jᵀ W²" in section(tall, "5.20") and "\n5.21" not in tall


@pytest.mark.parametrize("control", ["gradient", "square"])
def test_z_is_what_its_formula_says(control: str) -> None:
    """The rule that is printed, evaluated with the numbers that are printed, whatever the gain."""
    for gain in (0.1, 0.5, 0.7, 1, 3):
        text = section(
            explain("planar3", "--position", "-20 5 0", "--method", "pseudoinverse", "--control", control,
                    "--gains", f"joint_1=0.2 joint_2={gain}", "--desired", "joint_1=1 joint_2=-1"), "5.27")
        rule = re.search(r"z = (min\(.*)", text)[1].strip()
        rule = re.sub(r"\|(.*?)\|", r"abs(\1)", rule).replace("²", "**2").replace("θ", "q")
        rule = re.sub(r"(?<=[a2)]) (?=[a(])", "*", rule).replace("min", "np.minimum")
        a, c, z = (np.array([float(x.replace("\u2212", "-")) for x in NUMBER.findall(line)])
                   for line in text.splitlines()[-3:])
        q = np.array([np.pi / 8, np.pi / 4, np.pi / 4])
        np.testing.assert_allclose(z, eval(rule, {"np": np, "abs": np.abs, "a": a, "c": c, "q": q}), atol=3e-6)


def test_what_is_not_said_twice(tmp_path) -> None:
    """Sentences that depend on the arm, where they hold and where they do not."""
    wide = explain("planar3", "--position", "-20 5 0", "--method", "ccd")
    assert not re.search(r"^5\.\d", wide, re.MULTILINE)
    long = explain("planar3", "--position", "-20 5 0", "--method", "pseudoinverse")
    assert "J has 2 rows and 3 columns: there is no inverse." in long
    assert "5.24" not in long and "5.27" not in long
    # the control term has an inverse whatever the method
    pulled = explain("planar3", "--position", "-20 5 0", "--method", "transpose", "--gains", "joint_2=0.5",
                     "--desired", "joint_2=0")
    assert all(f"\n5.{i}  " in pulled for i in range(16, 28) if i != 24)
    # within all limits the step is Juckett's sweep itself
    lines = wide.splitlines()
    assert lines[-6].split()[-2] == "0.000000", wide
    assert "do not make this step" in explain("planar3", "--position", "-20 5 0", "--method", "fabrik")
    straight = explain("planar3", "--position", "5 0 0", "--start", "joint_1=0 joint_2=0 joint_3=0",
                       "--method", "pseudoinverse")
    assert "is singular here" in straight and "leaves out singular values of 0" in straight
    bent = [line.split()[-2] for line in straight.splitlines()[-3:]]
    assert any(float(x) for x in bent), straight
    plain = explain("planar3", "--position", "5 0 0", "--start", "joint_1=0 joint_2=0 joint_3=0",
                    "--method", "pseudoinverse", "--no-nudge")
    assert not any(float(line.split()[-2]) for line in plain.splitlines()[-3:]), plain
    folded = explain("planar2", "--position", "1 0 0", "--start", "shoulder=0 elbow=0", "--method", "inverse")
    assert "J is singular here" in folded
    # where a sweep moves nothing, a bend is the step
    for options, bends in ((["--no-nudge"], False), ([], True)):
        stuck = explain("planar3", "--position", "12 0 0", "--start", "joint_1=0 joint_2=3.141592653589793 joint_3=3.141592653589793",
                        "--method", "ccd", *options).splitlines()
        numbers = [float(line.split()[-2]) for line in stuck[-6:]]
        assert any(numbers) == bends and numbers[:3] == numbers[3:], stuck
    # names of a file are no marks, and no script is fetched from anywhere
    model = tmp_path / "odd.json"
    model.write_text(explain_model("a<b>&c"))
    page = tmp_path / "odd.html"
    explain(model, "--position", "0 1 0", "--method", "pseudoinverse", "--output", page)
    assert "a&lt;b" in page.read_text() and "<b>" not in page.read_text()
    assert not re.search(r"<script|src=|href=|url\(|@import", page.read_text())


def test_figures_and_long_names(tmp_path) -> None:
    """Balls have no r, and names of any length and number have room."""
    figure = explain("human", "--tip", "right_hand", "--position", "0.3 -0.3 1", "--method", "damped")
    assert "Joints of several velocities, and those that follow others" in figure and " ...\n" in figure
    model = tmp_path / "long.json"
    model.write_text(explain_model("j" * 240))
    assert "jjjj" in explain(model, "--position", "0 1 0", "--method", "ccd")


def explain_model(name: str) -> str:
    return (
        '{"limber":1,"name":"odd","links":[{"name":"0"},{"name":"1"},{"name":"2"}],"joints":['
        f'{{"name":"{name}","kind":"continuous","parent":"0","child":"1"}},'
        '{"name":"end","parent":"1","child":"2","placement":{"xyz":[1,0,0]}}]}'
    )


def test_refusals() -> None:
    for said in (["planar3"], ["planar3", "--position", "1 2 3", "--output", "x.pdf"],
                 ["planar3", "--position", "1 2 0", "--base", "link_1"]):
        run = subprocess.run([PROGRAM, "explain", *said], capture_output=True, text=True, check=False)
        assert run.returncode == 2 and run.stderr.startswith("limber: ")
