"""The lesson of docs/lesson: methods of one's own beside the library's, formulas, checked exercises.

    >>> from limber import lesson
    >>> lesson.check("8.2", [9, 0]).why
    'the last link cannot point along 0 degrees there'
    >>> lesson.formulas(lesson.arm("planar2"))["Ex"]
    'cos(q1) + cos(q1 + q2)'
"""

from __future__ import annotations

import argparse
import itertools
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import ArrayLike, Floats
from ._ik_result import Progress
from ._model import Model
from ._structure import Joint

Method = Callable[[Model, Floats, Floats], ArrayLike]
_LIBRARY = {name for name, _, _ in _core.methods()}


@cache
def arm(name: str) -> Model:
    """A built-in model, loaded once."""
    return Model.load(name)


class Picture(NamedTuple):
    """A picture in a file, which a notebook shows."""

    path: str

    def _repr_svg_(self) -> str:
        return Path(self.path).read_text()


# ---- the same race for all ---------------------------------------------------------------------


class Race(NamedTuple):
    """Methods on one target: errors in metres before the first step and after each, ``(steps + 1,)``.

    Where a method of the library ends, its last error is repeated; a method that leaves the numbers
    has infinite errors from there on.
    """

    errors: dict[str, Floats]
    configurations: dict[str, Floats]
    tolerance: float

    def steps(self, name: str) -> int | None:
        """How many steps a method took to come within the tolerance; None: it did not."""
        there = np.flatnonzero(self.errors[name] <= self.tolerance)
        return int(there[0]) if len(there) else None

    def save(self, path: str | Path) -> None:
        """Writes the errors of one's own methods as CSV, for ``limber compare --curves``."""
        own = [name for name in self.errors if name not in _LIBRARY]
        rows = zip(*(self.errors[name] for name in own))
        lines = [",".join(repr(float(x)) if np.isfinite(x) else "" for x in row) for row in rows]
        heading = ",".join('"' + name.replace('"', "'") + '"' for name in own)
        Path(path).write_text("\n".join([heading, *lines, ""]))

    def __str__(self) -> str:
        lines = [f"{'method':24} {'steps':>6} {'least error':>12} {'last error':>12}"]
        for name, errors in self.errors.items():
            steps = self.steps(name)
            ends = f"{errors.min():12.3g} {errors[-1]:12.3g}"
            lines.append(f"{name:24} {'-' if steps is None else steps:>6} {ends}")
        return "\n".join(lines)


def compare(
    model: Model,
    target: ArrayLike,
    own: Mapping[str, Method],
    methods: Sequence[str] = ("pseudoinverse", "damped", "transpose", "ccd"),
    *,
    tip: str | None = None,
    start: ArrayLike | None = None,
    steps: int = 40,
    tolerance: float = 0.02,
) -> Race:
    """Races methods of one's own against the library's, step by step from one start.

    Parameters
    ----------
    model : Model
    target : array_like
        ``(3,)``: where the tip shall be, in the world.
    own : mapping
        Functions of the model, a configuration and the target that return the next configuration,
        by their names, which no method of the library has.
    methods : sequence of str
        Those of the library, which make plain steps here: no bends out of minima, and no limit of
        a step but the joints' own.
    tip : str, optional
        The link that shall be there; the last one.
    start : array_like, optional
        Where all begin; the neutral configuration.
    steps : int
        How many steps each makes.
    tolerance : float
        Metres; what counts as reached.

    Examples
    --------
    >>> from limber import lesson
    >>> def mine(model, q, target):
    ...     T, J = model.fk(q, "tip", jacobian=True)
    ...     return q + 0.001 * J[:3].T @ (target - T[:3, 3])
    >>> race = lesson.compare(lesson.arm("planar3"), [-20, 5, 0], {"mine": mine}, ["ccd"], steps=100)
    >>> race.steps("mine"), race.steps("ccd")
    (56, 3)
    """
    goal, link = np.array(target, float), tip or model.links[-1].name
    if goal.shape != (3,):
        raise ValueError(f"compare: the target is {goal.size} numbers; x, y and z are wanted")
    for name in own:
        if name in _LIBRARY:
            raise ValueError(f"compare: {name!r} is a method of the library; give yours another name")
    first = np.array(model.neutral if start is None else start, float)

    def error(q: Floats) -> float:
        away = float(np.linalg.norm(model.fk(q, link)[:3, 3] - goal)) if np.isfinite(q).all() else np.inf
        return away if np.isfinite(away) else np.inf

    errors, ends = {}, {}
    for name in (*methods, *own):
        q, told = first.copy(), [error(first)]
        step = own.get(name) or _library_step(model, link, name)
        while len(told) <= steps:
            if np.isfinite(told[-1]):
                q = _advance(step, model, q, goal)
            told.append(error(q))
        errors[name], ends[name] = np.array(told), q
    return Race(errors, ends, tolerance)


class ConfigurationError(ValueError):
    """What a method returned is no configuration."""


def _advance(step: Method, model: Model, q: Floats, goal: Floats) -> Floats:
    """The configuration after a step; diverging is data."""
    with np.errstate(all="ignore"):
        after = step(model, q.copy(), goal)
    if after is None or np.shape(after) != q.shape:
        what = "None" if after is None else f"an array of shape {np.shape(after)}"
        raise ConfigurationError(f"the method returned {what}; the next {len(q)} joint values are wanted")
    return np.array(after, float)


def _library_step(model: Model, link: str, method: str) -> Method:
    ik = model.ik(link, kind="position", method=method, step_limit=1e6, no_nudge=True, position_tolerance=1e-9)

    def step(_: Model, q: Floats, target: Floats) -> Floats:
        progress, after = ik.step(target, q)
        return q if progress == Progress.FAILURE else after

    return step


# ---- formulas ------------------------------------------------------------------------------------

# coefficients of 1, cos q, sin q from values at 0, a quarter and half a turn; of 1, q, q^2 from 0, 1, 2
_HINGE = np.linalg.inv([[1, 1, 0], [1, 0, 1], [1, -1, 0]])
_SLIDE = np.linalg.inv([[1, 0, 0], [1, 1, 1], [1, 2, 4]])
# and of 1, e^iq, e^-iq from those of 1, cos q, sin q
_EULER = np.array([[1, 0, 0], [0, 0.5, -0.5j], [0, 0.5, 0.5j]])


def formulas(model: Model, tip: str | None = None) -> dict[str, str]:
    """The place of a link and its Jacobian as formulas of q1, q2 and so on, in the world.

    Of arms with at most four hinges and slides before the link. "Ex" to "Ez" are the place, "Jvx1"
    is row vx of column 1. An entry is a sum of products of 1, cos and sin of each hinge and of 1 and
    q of each slide, so a few samples give its coefficients; it is written by cosines and sines of
    the joints or of their sums, whichever is shorter.

    Examples
    --------
    >>> from limber import lesson
    >>> lesson.formulas(lesson.arm("planar3"))["Jvx3"]
    '-5 sin(q1 + q2 + q3)'
    """
    link = tip or model.links[-1].name
    above = {joint.child: joint for joint in model.joints}
    joints: list[Joint] = []
    at = link
    while at in above:
        if above[at].kind != "fixed":
            joints.insert(0, above[at])
        at = above[at].parent
    if len(joints) > 4 or any(joint.nv != 1 or joint.mimic for joint in joints):
        raise ValueError(f"formulas: more than four hinges and slides before {link!r}, or other joints")
    slides = [joint.kind == "prismatic" for joint in joints]
    q = np.tile(np.array(model.neutral, float), (*(3,) * len(joints), 1))
    for i, joint in enumerate(joints):
        values = np.arange(3) * (1 if slides[i] else np.pi / 2)
        q[..., joint.q_index] = values.reshape([3 if k == i else 1 for k in range(len(joints))])
    T, J = model.fk(q, link, jacobian=True)
    entries = {f"E{'xyz'[r]}": T[..., r, 3] for r in range(3)}
    for r, row in enumerate(("vx", "vy", "vz", "wx", "wy", "wz")):
        entries |= {f"J{row}{i + 1}": J[..., r, joint.v_index] for i, joint in enumerate(joints)}
    scale = max(np.abs(values).max() for values in entries.values())
    return {name: _formula(values, slides, scale) for name, values in entries.items()}


def _formula(values: Floats, slides: list[bool], scale: float) -> str:
    terms: list[list[tuple[float, str]]] = [[], []]
    sums: Any = values
    for i, slide in enumerate(slides):
        values = np.moveaxis(np.tensordot(_SLIDE if slide else _HINGE, values, (1, i)), 0, i)
        change = _SLIDE if slide else _EULER @ _HINGE
        sums = np.moveaxis(np.tensordot(change, sums, (1, i)), 0, i)
    for index in itertools.product(range(3), repeat=len(slides)):
        slid = [f"q{i + 1}" for i, k in enumerate(index) if slides[i] and k]
        hinges = [(i + 1, k) for i, k in enumerate(index) if not slides[i] and k]
        turned = [f"{('cos', 'sin')[k - 1]}(q{i})" for i, k in hinges]
        terms[0].append((float(values[index]), " ".join(slid + turned)))
        if not hinges:
            terms[1].append((float(np.real(sums[index])), " ".join(slid)))
        elif hinges[0][1] == 1:  # the conjugate term has the other half
            angle = f"q{hinges[0][0]}" + "".join(f" {'+-'[k - 1]} q{i}" for i, k in hinges[1:])
            terms[1].append((2 * float(np.real(sums[index])), " ".join([*slid, f"cos({angle})"])))
            terms[1].append((-2 * float(np.imag(sums[index])), " ".join([*slid, f"sin({angle})"])))
    kept = [[(c, factor) for c, factor in each if abs(c) > 1e-12 * scale] for each in terms]
    text = ""
    for c, factor in min(kept, key=len):
        size = "" if factor and abs(abs(c) - 1) < 1e-12 else f"{abs(c):.12g} "
        text += (" - " if c < 0 else " + ") + (size + factor).strip()
    return (("-" if text[1] == "-" else "") + text[3:]) if text else "0"


# ---- exercises ------------------------------------------------------------------------------------


class Checked(NamedTuple):
    """Whether an answer has the property that an exercise asks for, and what is wrong with it."""

    right: bool
    why: str


_CHECKS: dict[str, tuple[int, Callable[[Any], str]]] = {}


def check(exercise: str, answer: Any) -> Checked:
    """Whether an answer to an exercise of the lesson, "1.1" to "8.2", is right.

    Answers are judged by their property: whatever has it is right. An answer is what the exercise
    says, most often numbers in a row; or text with them, separated by commas, blanks or lines, below
    names of columns or without; or the path of a file with such text.

    Examples
    --------
    >>> from limber import lesson
    >>> lesson.check("3.2", [1.5, 0, 0, 0])
    Checked(right=False, why='(1.5, 0) has two solutions or none')
    """
    exercise = str(exercise)
    if exercise not in _CHECKS:
        raise ValueError(f"there is no exercise {exercise!r}; there are {', '.join(_CHECKS)}")
    count, judge = _CHECKS[exercise]
    if isinstance(answer, Path) or (isinstance(answer, str) and os.path.isfile(answer)):
        answer = Path(answer).read_text("utf-8")
    if isinstance(answer, str):
        heading, _, rows = answer.partition("\n")
        # a first line without a number has the names of columns
        named = count > 0 and rows and not any(map(_is_number, _words(heading)))
        answer = _words(rows if named else answer)
    if count > 0:
        wanted = "1 number is wanted" if count == 1 else f"{count} numbers are wanted"
        try:
            answer = np.array(answer, float).reshape(-1)
        except (TypeError, ValueError):
            return Checked(False, f"{wanted}, or a file with {'it' if count == 1 else 'them'}{_other(answer)}")
        if len(answer) != count:
            return Checked(False, f"{wanted}, there {'is' if len(answer) == 1 else 'are'} {len(answer)}")
        if not np.isfinite(answer).all():
            return Checked(False, f"{wanted}, all finite")
    try:
        why = judge(answer)
    except ConfigurationError as wrong:
        why = str(wrong)
    return Checked(not why, why)


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,;()\[\]\ufeff]+", text) if word]


def _is_number(word: Any) -> bool:
    try:
        float(word)
    except (TypeError, ValueError):
        return False
    return True


def _other(answer: Any) -> str:
    """The first word that is no number."""
    words = answer if isinstance(answer, (list, tuple)) else ()
    return next((f"; {word!r} is neither" for word in words if not _is_number(word)), "")


def _exercise(name: str, count: int = 0) -> Callable[[Callable[[Any], str]], Callable[[Any], str]]:
    """Puts a judge on the list: of `count` numbers, of 0 whatever it is; "" from it is right."""

    def put(judge: Callable[[Any], str]) -> Callable[[Any], str]:
        _CHECKS[name] = (count, judge)
        return judge

    return put


def _tip(name: str, q: Floats) -> Floats:
    return np.array(arm(name).fk(q, "tip")[:2, 3])


def _jacobian(q: Floats) -> Floats:
    """Of the tip of planar3, by central differences."""
    h = 1e-6
    columns = [(_tip("planar3", q + h * e) - _tip("planar3", q - h * e)) / (2 * h) for e in np.eye(3)]
    return np.array(columns).T


def _far(a: ArrayLike, b: ArrayLike, most: float) -> bool:
    return not float(np.linalg.norm(np.asarray(a) - np.asarray(b))) <= most


def _printed(q: Floats) -> str:
    """What is wrong with joint values of planar3 whose numbers the pages print."""
    if _far(q, arm("planar3").neutral, 0.01):
        return ""
    return "these are the default joint values; others are wanted, at least 0.01 rad away"


@_exercise("1.1")
def _depth_first(names: Sequence[str]) -> str:
    if isinstance(names, np.ndarray):
        names = names.tolist()
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        return "a list of names is wanted"
    links = arm("human").links
    parents = {link.name: links[link.parent].name if link.parent >= 0 else None for link in links}
    for name in names:
        if name not in parents or names.count(name) > 1:
            return f"'{name}' is {'there twice' if name in parents else 'no link'}"
    if len(names) < len(parents):
        return f"'{next(name for name in parents if name not in names)}' is missing: {len(parents)} links are wanted"
    # backwards, links are left in the order in which another traversal meets them
    path: list[str | None] = [None]
    for name in reversed(names):
        while path and path[-1] != parents[name]:
            path.pop()
        if not path:
            return f"'{name}' is left before links that hang from it, or between those of another"
        path.append(name)
    return ""


@_exercise("1.2", 7)
def _parents(parents: Floats) -> str:
    if parents[0] != -1 or any(p not in range(7) for p in parents[1:]):
        return "-1 is wanted for link 0, then 0 to 6"
    below = set()
    for link in range(1, 7):
        path = [link]
        while path[-1] != 0 and len(path) <= 7:
            path.append(int(parents[path[-1]]))
        if path[-1] != 0:
            return f"link {link} does not hang from link 0"
        if 1 in path:
            below.add(link)
    return "" if below == {1, 2, 5} else f"joint 1 moves links {sorted(below)}"


@_exercise("2.1", 7)
def _frames(given: Floats) -> str:
    q, local, world = given[:3], given[3:5], given[5:]
    if not _far(local, [0, 0], 1e-2):
        return "a point that is not the origin of the link is wanted"
    place = (arm("planar3").fk(q, "link_3") @ [*local, 0, 1])[:2]
    return _printed(q) or (f"the point is at {place.round(4)} of the world" if _far(place, world, 1e-2) else "")


@_exercise("2.2", 3)
def _gimbal(angles: Floats) -> str:
    r, p, y = angles
    turned = [[0, 0, 1], [-np.sin(y), np.cos(y), 0], [np.cos(y) * np.cos(p), np.sin(y) * np.cos(p), -np.sin(p)]]
    least = np.linalg.svd(np.array(turned))[1][-1]
    return "" if least < 1e-3 else f"at ({r:g}, {p:g}, {y:g}) radians the three axes are independent"


@_exercise("3.1", 4)
def _both_elbows(angles: Floats) -> str:
    for q in (angles[:2], angles[2:]):
        if _far(_tip("planar2", q), [0.5, -1.2], 1e-3):
            return f"{q} leads to {_tip('planar2', q).round(4)}"
    apart = np.abs(np.exp(1j * angles[:2]) - np.exp(1j * angles[2:])).max()
    return "" if apart > 1e-2 else "both are the same solution"


@_exercise("3.2", 4)
def _one_solution(given: Floats) -> str:
    # on the outer rim alone; at the base the first angle is free
    r = np.hypot(*given[:2])
    if r == 0:
        return "the base has infinitely many solutions"
    if abs(r - 2) > 1e-3:
        return f"({given[0]:g}, {given[1]:g}) has two solutions or none"
    tip = _tip("planar2", given[2:])
    return f"the angles lead to {tip.round(4)}" if _far(tip, given[:2], 2e-3) else ""


@_exercise("4.1", 9)
def _columns(given: Floats) -> str:
    off = np.abs(given[3:].reshape(2, 3) - _jacobian(given[:3]))
    row, column = np.argwhere(off > 1e-2)[0] if (off > 1e-2).any() else (0, 0)
    why = f"in row {'xy'[row]} joint {column + 1} does not move the tip with {given[3 + 3 * row + column]:g}"
    return _printed(given[:3]) or (why if (off > 1e-2).any() else "")


@_exercise("4.2", 6)
def _upwards(given: Floats) -> str:
    v = _jacobian(given[:3]) @ given[3:]
    return f"the tip moves with {v.round(4)}" if _far(v, [0, 1], 1e-2) else ""


def _idle(J: Floats) -> Floats:
    """The direction in joint velocities that leaves the tip."""
    return np.array(np.cross(J[0], J[1]))


@_exercise("5.1", 6)
def _least(given: Floats) -> str:
    J, rate = _jacobian(given[:3]), given[3:]
    least = np.linalg.svd(J)[1][-1]
    if least < 0.1:
        return f"too near a singular pose: the short axis of the ellipse is {least:.3g}, at least 0.1 is wanted"
    if _far(J @ rate, [-1, 2], 1e-2):
        return f"the tip moves with {(J @ rate).round(4)}"
    idle = _idle(J) / np.linalg.norm(_idle(J))
    return _printed(given[:3]) or ("" if abs(idle @ rate) < 1e-3 else "a shorter one makes the same velocity")


@_exercise("5.2", 3)
def _singular(q: Floats) -> str:
    most, least = np.linalg.svd(_jacobian(q))[1]
    if (np.abs(np.angle(np.exp(1j * q[1:]))) < 0.02).all():
        return "the arm is stretched"
    return "" if least < 1e-3 * most else f"the tip moves in two directions: singular values {most:.3g}, {least:.3g}"


@_exercise("6.1", 7)
def _damped(given: Floats) -> str:
    q, damping, rate = given[:3], given[3], given[4:]
    J, V = _jacobian(q), np.array([-35, 5]) - _tip("planar3", q)
    if not 0.1 <= damping <= 20:
        return "lambda from 0.1 to 20 is wanted"
    # the least |J x - V|^2 + lambda^2 |x|^2
    least = np.linalg.solve(J.T @ J + damping**2 * np.eye(3), J.T @ V)
    wrong = _far(rate, least, 1e-3 * float(np.linalg.norm(least)) + 2e-4)
    left = np.sum((J @ rate - V) ** 2) + damping**2 * np.sum(rate**2)
    return _printed(q) or (f"|J x - V|^2 + lambda^2 |x|^2 is {left:.4g}, and less with the damped step" if wrong else "")


@_exercise("6.2", 3)
def _control(rate: Floats) -> str:
    v = _jacobian(np.array([0.4, 1, 0.6])) @ rate
    if _far(v, [0, 0], 1e-2):
        return f"the tip moves with {v.round(4)}"
    return "" if 0.1 <= -rate[2] <= 0.6 else f"joint 3 turns by {rate[2]:g}, -0.6 to -0.1 are wanted"


def _least_error(own: Method, start: ArrayLike, target: ArrayLike, steps: int) -> float:
    """How near the tip of planar3 comes; it stops within 0.02 m."""
    q, goal, least = np.array(start, float), np.array(target, float), np.inf
    for _ in range(steps + 1):
        if not np.isfinite(q).all():
            raise ConfigurationError("the method returned a number that is not finite")
        least = min(least, float(np.linalg.norm(arm("planar3").fk(q, "tip")[:3, 3] - goal)))
        if least <= 0.02:
            break
        q = _advance(own, arm("planar3"), q, goal)
    return least


@_exercise("7.1", 1)
def _scale(given: Floats) -> str:
    def step(model: Model, q: Floats, target: Floats) -> Floats:
        T, J = model.fk(q, "tip", jacobian=True)
        return np.array(q + given[0] * J[:3].T @ (target - T[:3, 3]))

    away = _least_error(step, arm("planar3").neutral, [-5, -12, 0], 10)
    return "" if away <= 0.02 else f"in 10 steps it comes within {away:.3g} m"


@_exercise("7.2")
def _method(own: Method) -> str:
    if not callable(own):
        return 'a function of the model, a configuration and the target is wanted: lesson.check("7.2", method) in Python'
    model = arm("planar3")
    for i, q in enumerate(np.random.default_rng(7).uniform(-2, 2, (10, 3))):
        goal = model.fk(q, "tip")[:3, 3]
        away = _least_error(own, model.neutral, goal, 100)
        if away > 0.02:
            return f"goal {i + 1} of 10, {goal.round(2)}, is missed by {away:.3g} m"
    return ""


@_exercise("8.1", 5)
def _stuck(given: Floats) -> str:
    q, target = given[:3], np.array([*given[3:], 0])
    if np.linalg.norm(target) >= 9 or abs(target[1]) < 0.1:
        return "the target is to be less than 9 m from the base and at least 0.1 m off the x axis"
    # on one line with the target the joints turn by 0 or by half a turn, whatever the last angle is
    across = [10 * np.sin(q[1]), target[1] * np.cos(q[0]) - target[0] * np.sin(q[0])]
    if _far(across, [0, 0], 5e-4):
        return f"the joints and the target are not on one line, by {np.abs(across).max():.2g} m"
    # rounded decimals bend the line, and a bend grows: from the line itself, as the x axis
    line = [0, np.pi * round(q[1] / np.pi), q[2]]
    along = [target[0] * np.cos(q[0]) + target[1] * np.sin(q[0]), 0, 0]
    away = compare(arm("planar3"), along, {}, ["ccd"], start=line, steps=5).errors["ccd"][-1]
    return "" if away > 0.05 else f"cyclic descent comes within {away:.2g} m"


@_exercise("8.2", 2)
def _dexterous(point: Floats) -> str:
    from ._two_bone import two_link

    turns = np.arange(72) * np.pi / 36
    if not _far(point, [0, 0], 0.1):
        return "a point other than the base is wanted"
    wrists = point - 12 * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    missed = np.flatnonzero(np.abs(two_link(15, 10, wrists).miss) > 1e-9)
    return f"the last link cannot point along {np.degrees(turns[missed[0]]):.0f} degrees there" if len(missed) else ""


def _main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m limber.lesson", description="Checks an answer to an exercise.")
    parser.add_argument("exercise", choices=_CHECKS, metavar="EXERCISE", help="1.1 to 8.2")
    parser.add_argument("answer", type=Path, metavar="FILE", help="the answer, separated by commas or lines")
    given = parser.parse_args(arguments)
    try:
        checked = check(given.exercise, given.answer)
    except (OSError, UnicodeDecodeError) as wrong:
        parser.error(f"{given.answer}: {getattr(wrong, 'strerror', 'no text')}")
    print("right" if checked.right else f"wrong: {checked.why}")
    return not checked.right


if __name__ == "__main__":
    sys.exit(_main())
