"""The lesson's exercises tell right answers from wrong ones; formulas and races are what they say."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import limber
import numpy as np
import pytest
from limber import lesson

ARM = lesson.arm("planar3")
MANY = 100


def tip(q, name="planar3"):
    """Our own kinematics of the planar arms."""
    lengths = {"planar3": [15, 10, 5], "planar2": [1, 1]}[name]
    angles = np.cumsum(q)
    return np.array([np.dot(lengths, np.cos(angles)), np.dot(lengths, np.sin(angles))])


def jacobian(q):
    lengths, angles = np.array([15, 10, 5]), np.cumsum(q)
    parts = np.array([-lengths * np.sin(angles), lengths * np.cos(angles)])
    return np.cumsum(parts[:, ::-1], axis=1)[:, ::-1]


def idle(q):
    return np.linalg.svd(jacobian(q))[2][2]


def away(rng, size, least=0.1, most=3.0):
    """A random change of at least some size."""
    d = rng.normal(size=size)
    return d / np.linalg.norm(d) * rng.uniform(least, most)


def sound(rng):
    """A configuration away from singular ones."""
    while True:
        q = rng.uniform(-3, 3, 3)
        if np.linalg.svd(jacobian(q))[1][-1] > 1:
            return q


# ---- answers: a right and a wrong one of each exercise ---------------------------------------------


def order(rng):
    links = limber.Model.load("human").links
    names, todo = [], [0]
    while todo:
        link = todo.pop()
        names.append(links[link].name)
        below = [each.index for each in links if each.parent == link]
        todo += list(rng.permutation(below)) if below else []
    return names[::-1]


def disorder(rng):
    names = order(rng)
    # a link is left after its parent, or a branch is left and taken up again
    names.reverse()
    links = {link.name: link for link in limber.Model.load("human").links}
    i = int(rng.integers(1, len(names)))
    parent = limber.Model.load("human").links[links[names[i]].parent].name
    names.insert(names.index(parent), names.pop(i))
    return names[::-1]


def parents(rng):
    given = [-1] + [0] * 6
    given[1] = int(rng.choice([0, 3, 4, 6]))
    given[2], given[5] = [(1, 1), (1, 2), (5, 1)][rng.integers(3)]
    for link, choices in zip((3, 4, 6), ([0], [0, 3], [0, 3, 4])):
        given[link] = int(rng.choice(choices))
    return given


def wrong_parents(rng):
    given = parents(rng)
    link = int(rng.choice([2, 5, 3, 4, 6]))
    # another link comes below 1, or one of its own leaves; 3 below 1 and 1 below 3 is a circle
    given[link] = 1 if link in (3, 4, 6) else 0
    return given


def point(rng):
    return point_at(rng.uniform(-3, 3, 3), rng.uniform(1, 9, 2))


def point_at(q, p):
    a = np.cumsum(q)
    origin = np.array([15 * np.cos(a[0]) + 10 * np.cos(a[1]), 15 * np.sin(a[0]) + 10 * np.sin(a[1])])
    return [*q, *p, *(origin + [np.cos(a[2]) * p[0] - np.sin(a[2]) * p[1], np.sin(a[2]) * p[0] + np.cos(a[2]) * p[1]])]


def elbows(rng, one=False):
    """By the law of cosines, any whole turns, in any order."""
    r, at = 1.3, np.arctan2(-1.2, 0.5)
    bend = np.arccos((r * r - 2) / 2)
    both = [[at - s * bend / 2, s * bend] for s in (1, -1 if not one else 1)]
    both = [q + 2 * np.pi * rng.integers(-1, 2, 2) for q in np.array(both)]
    return np.concatenate(both if rng.integers(2) else both[::-1])


def rim(rng):
    a = rng.uniform(-3, 3)
    return [2 * np.cos(a), 2 * np.sin(a), a, 0]


def inside(rng):
    q = [rng.uniform(-3, 3), rng.choice([-1, 1]) * rng.uniform(0.2, 3)]
    return [*tip(q, "planar2"), *q]


def upwards(rng):
    q = sound(rng)
    return np.concatenate([q, np.linalg.pinv(jacobian(q)) @ [0, 1] + rng.normal() * idle(q)])


def least(rng):
    q = sound(rng)
    return np.concatenate([q, np.linalg.pinv(jacobian(q)) @ [-1, 2]])


def damped(rng, times=1.0):
    q, damping = rng.uniform(-3, 3, 3), rng.uniform(3, 20)
    J, V = jacobian(q), np.array([-35, 5]) - tip(q)
    return [*q, damping, *(J.T @ np.linalg.solve(J @ J.T + (times * damping) ** 2 * np.eye(2), V))]


REST = np.array([np.pi / 8, np.pi / 4, np.pi / 4])


def control(rng):
    n = idle([0.4, 1, 0.6])
    return n / n[2] * -rng.uniform(0.11, 0.59)


def moving(rng):
    n = control(rng)
    n /= abs(n[2])
    return [n * 0.3 + away(rng, 3, 0.2), -n * rng.uniform(0.1, 3),
            n * rng.uniform(0, 0.09), n * rng.uniform(0.61, 4)][rng.integers(4)]  # fmt: skip


def own_damped(rng, sign=1):
    damping = rng.uniform(0.5, 3)

    def step(model, q, target):
        T, J = model.fk(q, "tip", jacobian=True)
        J, V = J[:2], (target - T[:3, 3])[:2]
        return q + sign * J.T @ np.linalg.solve(J @ J.T + damping**2 * np.eye(2), V)

    return step


def own_wrong(rng):
    """Away from the target, not at all, one joint alone, or with too large a scale."""
    def transpose(scale):
        def step(model, q, target):
            T, J = model.fk(q, "tip", jacobian=True)
            return q + scale * J[:3].T @ (target - T[:3, 3])
        return step

    return [own_damped(rng, -1), lambda model, q, target: q + rng.uniform(-1e-3, 1e-3),
            transpose(rng.uniform(0.01, 1)), transpose(rng.uniform(0, 1e-6))][rng.integers(4)]  # fmt: skip


def stuck(rng, bent=0.0):
    # each joint that is beyond the target folds by half a turn; then the end is at 10 or 20
    a, r = rng.choice([-1, 1]) * rng.uniform(0.3, 2.8), rng.uniform(0.5, 8.9)
    a = round(a, 4)
    return [a, bent, rng.choice([0, rng.uniform(-3, 3)]), r * np.cos(a), r * np.sin(a)]


def free(rng):
    q = [rng.uniform(-3, 3), *(rng.choice([-1, 1], 2) * rng.uniform(0.3, 2.5, 2))]
    a, r = rng.uniform(0.1, 3), rng.uniform(2, 8)
    given = [*q, r * np.cos(a), r * np.sin(a)]
    a, far = stuck(rng)[0], rng.choice([12, 31])
    # anyhow, nearly in line, one that folds onto the base, and too far
    return [given, stuck(rng, rng.choice([-1, 1]) * 10 ** rng.uniform(-4, -1)), [a, 0, 0, 0, 0],
            [a, 0, 0, far * np.cos(a), far * np.sin(a)]][rng.integers(4)]  # fmt: skip


def ring(rng, *radii):
    low, high = radii[rng.integers(len(radii))]
    r, a = rng.uniform(low, high), rng.uniform(-3, 3)
    return [r * np.cos(a), r * np.sin(a)]


ANSWERS = {
    "1.1": (order, disorder),
    "1.2": (parents, wrong_parents),
    "2.1": (point, lambda rng: point(rng) + np.array([0, 0, 0, 0, 0, *away(rng, 2)])),
    "2.2": (
        lambda rng: [rng.uniform(-3, 3), rng.choice([-1, 1, 3]) * np.pi / 2, rng.uniform(-3, 3)],
        lambda rng: [rng.uniform(-3, 3), rng.uniform(-1.5, 1.5), rng.uniform(-3, 3)],
    ),
    "3.1": (elbows, lambda rng: elbows(rng, True) if rng.integers(2) else elbows(rng) + away(rng, 4, 0.02)),
    "3.2": (rim, inside),
    "4.1": (
        lambda rng: (lambda q: [*q, *jacobian(q).ravel()])(rng.uniform(-3, 3, 3)),
        lambda rng: (lambda q: [*q, *(jacobian(q).ravel() + away(rng, 6))])(rng.uniform(-3, 3, 3)),
    ),
    "4.2": (upwards, lambda rng: upwards(rng) * [1, 1, 1, *(rng.uniform(1.1, 2) * rng.choice([-1, 1]) * np.ones(3))]),
    "5.1": (least, lambda rng: (lambda x: np.concatenate([x[:3], x[3:] + rng.choice([-1, 1]) * rng.uniform(0.01, 1) * idle(x[:3])]))(least(rng))),
    "5.2": (
        lambda rng: [rng.uniform(-3, 3), *[(1, 0), (0, -1), (1, 1), (-1, 2)][rng.integers(4)] * np.array([np.pi])],
        lambda rng: [rng.uniform(-3, 3), rng.choice([0, np.pi]) + rng.uniform(0.05, 3), rng.choice([0, np.pi]) + rng.uniform(0.05, 3)],
    ),
    "6.1": (damped, lambda rng: damped(rng, rng.choice([0.5, 0.9, 1.1, 2]))),
    "6.2": (control, moving),
    "7.1": (
        lambda rng: [rng.uniform(0.0053, 0.0073)],
        lambda rng: [rng.choice([rng.uniform(0.01, 1), -rng.uniform(0, 1), rng.uniform(0, 0.005)])],
    ),
    "7.2": (own_damped, own_wrong),
    "8.1": (stuck, free),
    "8.2": (lambda rng: ring(rng, (0.2, 6.99)), lambda rng: ring(rng, (0, 0.09), (7.1, 40))),
}  # fmt: skip


@pytest.mark.parametrize("exercise", ANSWERS)
def test_right_and_wrong(exercise: str) -> None:
    right, wrong = ANSWERS[exercise]
    rng = np.random.default_rng(int(exercise.replace(".", "")))
    for k in range(MANY):
        answer = right(rng)
        # every fourth as typed with four decimals
        if k % 4 == 0 and exercise not in ("1.1", "7.2"):
            answer = np.round(np.array(answer, float), 4)
        told = lesson.check(exercise, answer)
        assert told.right and told.why == "", (exercise, answer, told)
        answer = wrong(rng)
        told = lesson.check(exercise, answer)
        assert not told.right and told.why, (exercise, answer)
    for none in ([], [np.nan] * 7, ["x"], None):
        assert not lesson.check(exercise, none).right


def test_answers_in_files(tmp_path) -> None:
    file = tmp_path / "answer.csv"
    for text, right in (("0.3,3.1416,0\n", True), ("0.3\n0\n3.14159\n", True), ("0.3,1,0\n", False), ("1\n", False)):
        file.write_text(text)
        assert lesson.check("5.2", file).right == right == lesson.check("5.2", str(file)).right
    run = subprocess.run([sys.executable, "-m", "limber.lesson", "5.2", file], capture_output=True, text=True)
    assert run.returncode == 1 and run.stdout == "wrong: 3 numbers are wanted, there is 1\n"
    file.write_bytes(b"\xef\xbb\xbf0.3,3.1416,0\r\n")
    assert lesson.check("5.2", file).right
    file.write_text("\n".join(order(np.random.default_rng(0))))
    assert lesson.check("1.1", file).right
    with pytest.raises(ValueError, match="there is no exercise '9.1'; there are 1.1, "):
        lesson.check("9.1", [])


def test_answers_at_the_edge() -> None:
    """What a student may type: rounded, nearly right, of another kind."""

    names = [link.name for link in limber.Model.load("human").links]

    def forgets(model, q, target):
        q + 1

    for exercise, answer, why in (
        ("2.1", point_at([0.4, 0.8, 0.8], [5, 0]), ""),
        ("2.1", point_at(REST + [0, 0, 0.009], [5, 0]), "the default joint values; others are wanted, at least 0.01 rad away"),
        ("4.1", [0.4, 0.8, 0.8, *jacobian([0.4, 0.8, 0.8]).ravel()], ""),
        ("5.1", [0.3, 0.01, 0, 0, 0, 0], "too near a singular pose"),
        ("5.1", [*REST, *np.linalg.pinv(jacobian(REST)) @ [-1, 2]], "the default joint values"),
        ("5.2", [0.3, 0, 2 * np.pi], "the arm is stretched"),
        ("5.2", [0, 0.0045, 0], "the arm is stretched"),
        ("5.2", [0, 0.003, 0.003], "the arm is stretched"),
        ("2.2", [0, 90, 0], "at (0, 90, 0) radians the three axes are independent"),
        ("3.2", [2, 0, np.pi, 0], "the angles lead to [-2.  0.]"),
        ("4.1", [0.4, 0.8, 0.8, *-jacobian([0.4, 0.8, 0.8]).ravel()], "in row x joint 1 does not move the tip with "),
        ("6.1", [0.3, 0.5, -0.7, 20, 0, 0, 0], "and less with the damped step"),
        ("6.1", [0.3, 0.5, -0.7, 1000, 0, 0, 0], "lambda from 0.1 to 20"),
        ("7.1", [np.nan], "1 number is wanted, all finite"),
        ("7.1", [1, 2], "1 number is wanted, there are 2"),
        ("7.2", forgets, "the method returned None; the next 3 joint values are wanted"),
        ("7.2", lambda model, q, target: q * np.nan, "a number that is not finite"),
        ("7.2", "my.py", 'lesson.check("7.2", method)'),
        ("7.2", lambda model, q, target: q[:2], "returned an array of shape (2,)"),
        ("8.1", [0.3, 0.0001, 0, 8 * np.cos(0.3), 8 * np.sin(0.3)], "not on one line, by 0.001 m"),
        ("8.1", [0.3, 0, 0, 7.6427, 2.3642], ""),
        ("8.2", "3,4", ""),
        ("8.2", "3\n4", ""),
        ("8.2", "\ufeffx, y\r\n3, 4\r\n", ""),
        ("8.2", "x, y\nmetres, metres\n3, 4", "2 numbers are wanted, or a file with them; 'metres' is neither"),
        ("8.2", "3 m, 4 m", "2 numbers are wanted, or a file with them; 'm' is neither"),
        ("8.2", "nan\n3, 4", "2 numbers are wanted, there are 3"),
        ("8.2", "none.csv", "2 numbers are wanted, or a file with them; 'none.csv' is neither"),
        (8.2, "[3; 4]", ""),
        ("8.2", "3\t4\n", ""),
        ("1.1", names[1:], f"'{names[0]}' is missing"),
        ("1.1", [*names, "world"], "'world' is no link"),
        ("1.1", [*names, names[0]], "is there twice"),
        ("1.1", np.array(order(np.random.default_rng(0))), ""),
        ("1.1", "\n".join(order(np.random.default_rng(0))), ""),
    ):
        told = lesson.check(exercise, answer)
        assert told.right == (why == "") and why in told.why, (exercise, answer, told)


def test_the_pages_answer_no_exercise() -> None:
    """What the units print or have in their code is no right answer."""
    names = [link.name for link in limber.Model.load("human").links]
    rate = np.linalg.solve(jacobian(REST) @ jacobian(REST).T + 25 * np.eye(2), np.array([-35, 5]) - tip(REST))
    for exercise, answer in (
        ("1.1", names), ("2.1", [*REST, 5, 0, 22.071068, 12.071068]), ("3.1", [-0.0792, 1.4455, 1.3662, -1.4455]),
        ("3.2", [1.2, 0.9, -0.0792, 1.4455]), ("4.1", [*REST, *jacobian(REST).ravel()]), ("5.2", [0.28, 0, 0]),
        ("5.2", [0, 0, 0]), ("6.1", [*REST, 5, *(jacobian(REST).T @ rate)]), ("6.2", [0.0663, -0.207, 0.3396]),
        *(("7.1", [alpha]) for alpha in (0.001, 0.002, 0.003, 0.0037, 0.0038, 0.004, 0.005, 0.1)),
        ("8.1", [0, 0, 0, 12, 0]), *(("8.2", [r, 0]) for r in (0, 10, 12, 15, 20)),
    ):
        told = lesson.check(exercise, answer)
        assert not told.right, (exercise, answer, told)


def test_command_line(tmp_path, capsys, monkeypatch) -> None:
    """Mistakes are told in a line, without a traceback."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answer.csv").write_text("3, 4\n")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\xff")
    for said, status, what in (
        ([], 2, "the following arguments are required: EXERCISE, FILE"),
        (["--help"], 0, "usage: python3 -m limber.lesson [-h] EXERCISE FILE"),
        (["9.1", "answer.csv"], 2, "invalid choice: '9.1' (choose from "),
        (["8.2", "none.csv"], 2, "none.csv: No such file or directory"),
        (["8.2", "bytes"], 2, "bytes: no text"),
        (["8.2", "answer.csv"], 0, "right\n"),
        (["5.2", "answer.csv"], 1, "wrong: 3 numbers are wanted, there are 2\n"),
    ):
        try:
            code = lesson._main(said)
        except SystemExit as ended:
            code = ended.code
        told = "".join(capsys.readouterr())
        assert code == status and what in told, (said, told)


# ---- the pages ------------------------------------------------------------------------------------

UNITS = sorted((Path(__file__).parents[2] / "docs" / "lesson").glob("unit*.md"))


@pytest.mark.parametrize("page", UNITS, ids=[page.stem for page in UNITS])
def test_commands(page: Path, tmp_path) -> None:
    """Commands work as they stand, print what the page shows, and draw its pictures.

    The boards that `limber view` opens need the page, and are tested with it.
    """
    program = Path(os.environ.get("LIMBER_PROGRAM") or pytest.skip("LIMBER_PROGRAM is not set"))
    text, shown = page.read_text(), 0
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    printed = ""
    for language, block in re.findall(r"^```(sh|text)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        if language == "sh":
            printed = ""
            for line in (x for x in block.splitlines() if not x.startswith("limber view")):
                run = subprocess.run(line, shell=True, cwd=tmp_path, capture_output=True, text=True,
                                     check=True, env={**os.environ, "PATH": path})
                printed += run.stdout
        else:
            shown += len(block.splitlines())
            for line in block.splitlines():
                assert line.strip() in printed, (page.stem, line, printed)
    pictures = re.findall(r"!\[.+\]\(\.\./generated/figures/(.*?)\)", text)
    assert pictures and all((tmp_path / picture).stat().st_size > 1000 for picture in pictures)
    assert shown > 0 or page.stem == "unit3"


def test_units_are_whole() -> None:
    """Every equation is in one unit, every unit has two exercises, and all of them are checked."""
    equations, exercises = [], []
    for number, page in enumerate(UNITS, 1):
        text = page.read_text()
        span = re.search(r"^\*Equations 5\.(\d+) to 5\.(\d+)\.\*$", text, re.MULTILINE)
        if span:
            there = list(range(int(span[1]), int(span[2]) + 1))
            equations += there
            for first, last in re.findall(r"Equations 5\.(\d+) to 5\.(\d+)", text):
                text += "".join(f" 5.{i} " for i in range(int(first), int(last) + 1))
            assert all(re.search(rf"5\.{i}\b", text.replace(span[0], "")) for i in there), page
        found = re.findall(r"^\*\*(\d\.\d)\*\* ", text, re.MULTILINE)
        assert found == [f"{number}.1", f"{number}.2"]
        exercises += found
    assert equations == list(range(1, 32)) and exercises == list(ANSWERS)
    with pytest.raises(ValueError) as told:
        lesson.check("", [])
    assert str(told.value).endswith(", ".join(exercises))


# ---- races ----------------------------------------------------------------------------------------


def test_race() -> None:
    """Errors are those of each configuration; the library's methods make the library's steps."""
    target = np.array([-20.0, 5, 0])

    def transpose(model, q, goal):
        T, J = model.fk(q, "tip", jacobian=True)
        return q + 0.001 * J[:3].T @ (goal - T[:3, 3])

    def diverging(model, q, goal):
        return q + 1e200 * (1 + np.abs(q)) ** 3

    own = {"mine": transpose, "wild": diverging, "stays": lambda model, q, goal: q}
    race = lesson.compare(ARM, target, own, ["transpose", "ccd", "damped"], steps=60)
    assert list(race.errors) == ["transpose", "ccd", "damped", "mine", "wild", "stays"]
    first = np.linalg.norm(tip(REST) - target[:2])
    for name, errors in race.errors.items():
        assert errors.shape == (61,) and abs(errors[0] - first) < 1e-12
        if np.isfinite(errors[-1]):
            assert abs(np.linalg.norm(tip(race.configurations[name]) - target[:2]) - errors[-1]) < 1e-9
    assert race.errors["wild"][-1] == np.inf and race.steps("wild") is None
    assert np.ptp(race.errors["stays"]) == 0 and race.steps("stays") is None
    # the same scale makes the library's own steps
    ik = ARM.ik("tip", kind="position", method="transpose", alpha=0.001, step_limit=1e6, no_nudge=True)
    q = REST.copy()
    for k in range(20):
        assert abs(np.linalg.norm(tip(q) - target[:2]) - race.errors["mine"][k]) < 1e-9
        q = ik.step(target, q)[1]
    # a name tells whose method it is
    for given, name, why in ((target, "ccd", "is a method of the library"), (target[:2], "mine", "x, y and z ")):
        with pytest.raises(ValueError, match=why):
            lesson.compare(ARM, given, {name: transpose}, [])
    lines = str(race).splitlines()
    assert len(lines) == 7 and lines[4].split()[:2] == ["mine", str(race.steps("mine"))] and " inf" in lines[5]
    assert race.errors["mine"][race.steps("mine")] <= 0.02 < race.errors["mine"][race.steps("mine") - 1]


def test_curves_of_a_race(tmp_path) -> None:
    """A race's own methods are in the figure of limber compare, beside the library's."""
    program = os.environ.get("LIMBER_PROGRAM") or pytest.skip("LIMBER_PROGRAM is not set")
    def transpose(model, q, goal):
        T, J = model.fk(q, "tip", jacobian=True)
        return q + 0.001 * J[:3].T @ (goal - T[:3, 3])

    own = {"mine, plain": transpose, "wild": lambda model, q, goal: q * 1e300 + 1}
    race = lesson.compare(ARM, [-20, 5, 0], own, ["ccd"], steps=50)
    race.save(tmp_path / "own.csv")
    lines = (tmp_path / "own.csv").read_text().splitlines()
    assert lines[0] == '"mine, plain","wild"' and len(lines) == 52 and lines[-1].endswith(",")
    said = [program, "compare", "planar3", "--position", "-20 5 0"]

    def draw(name, *options):
        run = subprocess.run([*said, *options], cwd=tmp_path, capture_output=True, text=True, check=False)
        return run, (tmp_path / name).read_text() if (tmp_path / name).exists() else ""

    plain = draw("plain.svg", "--figure", "plain.svg")[1]
    run, both = draw("both.svg", "--curves", "own.csv", "--figure", "both.svg")
    assert run.returncode == 0
    # a line goes on towards fifty steps (straight pieces are one), where the library's end before
    longest = [max(path.count("L") for path in re.findall(r' d="(.*?)"', text)) for text in (plain, both)]
    assert longest[0] <= 30 and longest[1] > 35
    # the legend has their names, letter by letter
    (tmp_path / "own.csv").write_text("\n".join(["m,w", *lines[1:], ""]))
    short = draw("short.svg", "--curves", "own.csv", "--figure", "short.svg")[1]
    assert both.count("<use") - short.count("<use") == len("mine, plain" "wild") - len("mw")
    for options, why in (
        (["--curves", "own.csv"], "--curves has no effect without --figure"),
        (["--curves", "none.csv", "--figure", "x.svg"], "none.csv"),
        (["--curves", "own.csv", "--figure", "x.svg", "--rpy", "0 0 1"], "targets have rotations"),
    ):
        run, picture = draw("x.svg", *options)
        assert run.returncode == 2 and why in run.stderr and not picture
    (tmp_path / "own.csv").write_text("mine\n1\n")
    assert draw("x.svg", "--curves", "own.csv", "--figure", "x.svg")[0].returncode == 2
    (tmp_path / "own.csv").write_text("mine\n1\nabc\n")
    assert "abc" in draw("x.svg", "--curves", "own.csv", "--figure", "x.svg")[0].stderr


def read_picture(path) -> list[tuple[str, str, np.ndarray]]:
    """The paths of a picture in order: their styles, the letters of their points, and these."""
    found = re.findall(r'<path style="(.*?)" d="(.*?)"', path.read_text())
    return [(style, re.sub(r"[^A-Z]", "", d), np.array(re.findall(r"-?[\d.]+", d), float).reshape(-1, 2))
            for style, d in found]


def test_curves_can_be_told_apart(tmp_path) -> None:
    """No two curves have the same line and mark, whatever their colours; the line's name is clear of all."""
    program = os.environ.get("LIMBER_PROGRAM") or pytest.skip("LIMBER_PROGRAM is not set")
    said = [program, "compare", "planar3", "--position", "-20 5 0", "--curves", "own.csv", "--figure", "own.svg"]

    def draw(count):
        # one falls fast, the others slowly
        rows = [",".join(f"{40 * (0.05 if i == 0 else 0.9) ** step:g}" for i in range(count)) for step in range(61)]
        (tmp_path / "own.csv").write_text("\n".join([",".join(f"m{i}" for i in range(count)), *rows, ""]))
        return subprocess.run(said, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert draw(15).returncode == 0
    paths, looks = read_picture(tmp_path / "own.svg"), []
    for (style, letters, points), (rim, *_), (filled, shape, mark) in zip(paths, paths[1:], paths[2:]):
        # a sample of the legend: a line, and in its middle the paper below a mark, and the mark
        if letters != "ML" or "stroke:rgb(100%,100%,100%)" not in rim:
            continue
        middle = points.mean(axis=0)
        if np.abs(mark - middle).max() < 6:
            dash = re.search(r"stroke-dasharray:.*?;", style)
            looks.append((dash[0] if dash else "", "fill:none" in filled, shape, *(mark - middle).round(1).ravel()))
    assert len(looks) == 9 + 15 == len(set(looks)), looks
    # letters are 9 points high, and stand on their line
    last = re.findall(r'<use .*? x="([\d.]+)" y="([\d.]+)"', (tmp_path / "own.svg").read_text())[-len("tolerance"):]
    left, base = np.array(last, float).min(axis=0)
    right = np.array(last, float).max(axis=0)[0] + 6
    assert base < paths[-1][2][0, 1] < base + 8 and right < 700
    curves = [points for style, letters, points in paths if "stroke-width:2;" in style and len(points) > 5]
    assert len(curves) >= 9
    for points in curves:
        x = np.linspace(left, right, 50)
        y = np.interp(x, *points.T, left=np.nan, right=np.nan)
        assert not ((y > base - 9) & (y < base)).any()
    refused = draw(16)
    assert refused.returncode == 2 and "own.csv: at most 15 curves are wanted, there are 16" in refused.stderr


def test_damped_ellipse_is_named(tmp_path) -> None:
    """Both ellipses have their semi-axes' lengths, those of the dashed one with a word."""
    program = os.environ.get("LIMBER_PROGRAM") or pytest.skip("LIMBER_PROGRAM is not set")
    at, counts = ["--at", "joint_1=0.4 joint_2=0.8 joint_3=0.5"], []
    for damping in ([], ["--damping", "5"]):
        subprocess.run([program, "draw", "planar3", "--ellipse", *at, *damping, "--output", tmp_path / "e.svg"], check=True)
        counts.append((tmp_path / "e.svg").read_text().count("<use"))
    s = np.linalg.svd(jacobian([0.4, 0.8, 0.5]))[1]
    words = "".join(f"damped {x:.3g} m/s" for x in s**3 / (s**2 + 25))
    assert words == "damped 28.8 m/sdamped 4.57 m/s" and counts[1] - counts[0] == len(words)


def test_lengths_are_beside_their_ellipse(tmp_path) -> None:
    """No number's paper covers the outline, whichever way the axes lie."""
    program = os.environ.get("LIMBER_PROGRAM") or pytest.skip("LIMBER_PROGRAM is not set")
    rng = np.random.default_rng(8)
    for _ in range(12):
        q = sound(rng)
        at = " ".join(f"joint_{i + 1}={x}" for i, x in enumerate(q))
        said = ["draw", "planar3", "--ellipse", "--at", at, "--damping", "5", "--output", tmp_path / "e.svg"]
        subprocess.run([program, *said], check=True)
        paths = read_picture(tmp_path / "e.svg")
        outline = next(i for i, path in enumerate(paths) if len(path[2]) > 90 and "fill-opacity:0.13" in path[0])
        axes = [points for _, letters, points in paths[outline:] if letters == "ML"][:2]
        middle = axes[0].mean(axis=0)
        axes = np.array([points[1] - middle for points in axes])
        papers = [points for style, _, points in paths
                  if "fill:rgb(100%,100%,100%)" in style and 12 < np.ptp(points[:, 1]) < 14 and np.ptp(points[:, 0]) > 30]
        assert len(papers) == 4
        for paper in papers:
            low, high = paper.min(axis=0), paper.max(axis=0)
            grid = np.stack(np.meshgrid(*np.linspace(low, high, 30).T), axis=-1).reshape(-1, 2) - middle
            assert np.linalg.norm(np.linalg.solve(axes.T, grid.T), axis=0).min() > 1


# ---- formulas -------------------------------------------------------------------------------------

def evaluate(formula: str, q: np.ndarray) -> float:
    """A formula as it stands, products being written without a sign."""
    known = {f"q{i + 1}": value for i, value in enumerate(q)} | {"cos": np.cos, "sin": np.sin}
    return eval(re.sub(r"(?<=[\d)]) (?=[csq])", "*", formula), {"__builtins__": {}}, known)


def random_arm(rng: np.random.Generator, folder):
    """Three hinges and slides, placed anyhow or in right angles, and an end."""
    joints = []
    for i in range(4):
        right = rng.integers(2) == 1
        rpy = rng.integers(-1, 3, 3) * np.pi / 2 if right else rng.uniform(-3, 3, 3)
        joint = {"name": f"j{i}", "parent": str(i), "child": str(i + 1)}
        joint["placement"] = {"xyz": list(rng.uniform(-1, 1, 3)), "rpy": list(rpy)}
        if i < 3:
            joint["kind"] = "prismatic" if rng.integers(3) == 0 else "continuous"
            if joint["kind"] == "prismatic":
                joint["limits"] = [-5, 5]
        joints.append(joint)
    links = [{"name": str(i)} for i in range(5)]
    path = folder / "arm.json"
    path.write_text(json.dumps({"limber": 1, "name": "arm", "links": links, "joints": joints}))
    return limber.Model.load(path)


def test_formulas_are_the_kinematics(tmp_path) -> None:
    rng = np.random.default_rng(3)
    for name, tip in [("planar2", "tip"), ("planar3", "tip"), ("puma560", "link_3"), ("stanford", "link_3")]:
        check_formulas(rng, limber.Model.load(name), tip)
    for _ in range(12):
        check_formulas(rng, random_arm(rng, tmp_path), "4")
    # a planar arm in sums of angles, a spherical one in products
    assert lesson.formulas(ARM)["Ex"] == "15 cos(q1) + 10 cos(q1 + q2) + 5 cos(q1 + q2 + q3)"
    assert lesson.formulas(limber.Model.load("puma560"), "link_3")["Ez"] == "0.6718 + 0.4318 sin(q2)"
    for model in ("ur5", "human"):
        with pytest.raises(ValueError, match="formulas: "):
            lesson.formulas(limber.Model.load(model))


def check_formulas(rng: np.random.Generator, model: limber.Model, tip: str) -> None:
    found = lesson.formulas(model, tip)
    above, names, at = {joint.child: joint for joint in model.joints}, [], tip
    while at in above:
        names += [above[at].name] if above[at].nv else []
        at = above[at].parent
    columns = [joint.v_index for joint in model.joints if joint.name in names]
    assert len(found) == 3 + 6 * len(names) and len(columns) == len(names)
    for q in rng.uniform(-3, 3, (5, model.nq)):
        T, J = model.fk(q, tip, jacobian=True)
        inputs = q[[joint.q_index for joint in model.joints if joint.name in names]]
        place = [evaluate(found[f"E{axis}"], inputs) for axis in "xyz"]
        np.testing.assert_allclose(place, T[:3, 3], atol=1e-9)
        rows = [[evaluate(found[f"J{row}{c + 1}"], inputs) for c in range(len(names))]
                for row in ("vx", "vy", "vz", "wx", "wy", "wz")]
        np.testing.assert_allclose(rows, J[:, columns], atol=1e-9)


# ---- notebooks ---------------------------------------------------------------------------------------


def run_cell(source: str, names: dict) -> str:
    """What a cell prints: Python in the notebook's names, commands in a shell."""
    if source.startswith("%%sh\n"):
        shell = subprocess.run(["sh", "-e", "-c", source[5:]], capture_output=True, text=True, check=False)
        assert shell.returncode == 0, source + shell.stderr
        return shell.stdout
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(source, "cell", "exec"), names)
    return out.getvalue()


@pytest.fixture(scope="module")
def notebooks(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("notebooks")
    maker = Path(__file__).parents[2] / "docs" / "lesson" / "notebooks.py"
    subprocess.run([sys.executable, maker, folder], check=True)
    assert len(list(folder.iterdir())) == 8
    return folder


@pytest.mark.parametrize("unit", range(1, 9))
def test_notebooks_run_from_top_to_bottom(unit: int, notebooks: Path, tmp_path, monkeypatch) -> None:
    program = os.environ.get("LIMBER_PROGRAM") or pytest.skip("LIMBER_PROGRAM is not set")
    monkeypatch.setenv("PATH", f"{Path(program).parent}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    made = json.loads((notebooks / f"unit{unit}.ipynb").read_text())
    cells = [(each["cell_type"], "".join(each["source"])) for each in made["cells"]]
    names: dict = {}
    for source in (source for kind, source in cells if kind == "code"):
        said = run_cell(source, names)
        if "lesson.Picture" in source:
            assert "<svg" in eval(source.splitlines()[-1], names)._repr_svg_()
        elif not source.startswith("%%sh"):
            assert said.splitlines() == re.findall(r"^print\(.*\) +# (.*)$", source, re.MULTILINE)
    # nothing of the text is lost
    text = (Path(__file__).parents[2] / "docs" / "lesson" / f"unit{unit}.md").read_text()
    for line in re.sub(r"\{doc\}`(?:.*?/)?(\w+)`", r"*\1*", text).splitlines():
        plain = line.removeprefix("```sh").removeprefix("```python").strip("`")
        assert line.startswith("![") or plain in "\n".join(source for _, source in cells), line
