"""Every capture retargeted onto every robot: one Markdown table.

    python3 bench/retarget_table.py --program build/limber --robots FILE... --captures FILE_OR_FOLDER...

A robot is a file or a built-in model; captures of a folder are its .bvh, .gltf and .glb files, those of its folders
too. A family of captures is the folder that they lie in; equal files count once. What is measured is what
`limber retarget --report` says. Frames a second are those of the processor time of the whole program, which reads both
files and writes a .csv. With --json FILE the numbers of each pair are written, too.
"""

import argparse
import hashlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path

ENDINGS = {".bvh", ".gltf", ".glb"}
UPRIGHT, NEAR = 15, 5  # degrees
SLIDE, PENETRATION = 0.1, 1  # millimetres
HEAD = (
    "pairs",
    "refused",
    f"trunk within {UPRIGHT}°",
    f"legs: mean, within {NEAR}°",
    f"arms: mean, within {NEAR}°",
    f"slide: worst, within {SLIDE} mm",
    f"penetration: worst, within {PENETRATION} mm",
    "values at limits",
    "frames beyond limits / speeds / accelerations",
    "unlike the source",
    "frames/s",
)


def find_captures(paths: list[str]) -> tuple[list[Path], list[str]]:
    """The files of captures, sorted, equal ones once, and what is not there."""
    found, lacking, seen = [], [], set()
    for name in paths:
        path = Path(name)
        if path.is_dir():
            files = [file for file in sorted(path.rglob("*")) if file.suffix.lower() in ENDINGS]
        else:
            files = [path] if path.is_file() else []
        if not files:
            lacking.append(name)
        for file in files:
            digest = hashlib.sha256(file.read_bytes()).digest()
            if digest not in seen:
                seen.add(digest)
                found.append(file)
    return sorted(found, key=lambda file: (file.parent.name, file.name)), lacking


def find_robots(names: list[str]) -> tuple[list[str], list[str]]:
    """The robots that are there, and those that are not: a name without a folder or an ending is a built-in one."""
    there = [name for name in names if Path(name).is_file() or not re.search(r"[/.]", name)]
    return there, [name for name in names if name not in there]


def spent(command: list[str], said, limit: float) -> tuple[int, float]:
    """The exit code of a command and its processor time in seconds; -9 if it took longer than the limit."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said)
    timer = threading.Timer(limit, process.kill)
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


def reason(code: int, text: str, limit: float) -> str:
    """Why a pair was refused: the last line that is not a note, without folders."""
    if code == -9:
        return f"took longer than {limit:g} s"
    lines = [line for line in text.splitlines() if line and not line.startswith("limber: note:")]
    line = lines[-1].removeprefix("limber: ") if lines else "no message"
    return f"exit {code}: " + re.sub(r"\S*/(?=[^/\s])", "", line)


def run(program: str, capture: Path, robot: str, limit: float, more: list[str]) -> dict:
    """Retargets one capture onto one robot."""
    pair = {"family": capture.parent.name, "capture": capture.name, "robot": Path(robot).name}
    with tempfile.TemporaryDirectory() as folder, open(Path(folder, "said"), "w+") as said:
        report = Path(folder, "report.json")
        code, seconds = spent(
            [program, "retarget", str(capture), "--to", robot, "--output", str(Path(folder, "out.csv")),
             "--report", str(report), *more], said, limit)  # fmt: skip
        said.seek(0)
        if code:
            return pair | {"refused": reason(code, said.read(), limit)}
        report = json.loads(report.read_text())
    return pair | {"seconds": seconds, "report": report} | measures(report["check"])


def measures(check: dict) -> dict:
    """What the table has of a pair; of what was not measured None."""
    source = check.get("source") or {}

    def degrees(*items: str) -> float | None:
        known = [source[item]["mean"] for item in items if source.get(item)]
        return math.degrees(sum(known) / len(known)) if known else None

    def of(item: str, what: str, absent: float | None = None):
        return (check.get(item) or {}).get(what, absent)

    return {
        "frames": check["frames"],
        "trunk": degrees("trunk"),
        "legs": degrees("left leg", "right leg"),
        "arms": degrees("left arm", "right arm"),
        "slide": of("slide", "worst"),
        "penetration": of("penetration", "worst"),
        "at_limits": source.get("at_limits"),
        "position": of("position", "frames_beyond", 0),
        "speed": of("speed", "frames_beyond", 0),
        "acceleration": of("acceleration", "frames_beyond", 0),
        "unlike": [name for name, item in source.items() if isinstance(item, dict) and item["beyond"]],
    }


def known(pairs: list[dict], item: str) -> list[float]:
    """The values of an item where it was measured."""
    return [pair[item] for pair in pairs if pair[item] is not None]


def within(pairs: list[dict], item: str, bound: float) -> str:
    """How many of the values that are known are within a bound."""
    values = known(pairs, item)
    return f"{sum(value <= bound for value in values)} of {len(values)}" if values else "–"


def mean(pairs: list[dict], item: str) -> str:
    """The mean of an angle, and how many pairs are near."""
    values = known(pairs, item)
    return f"{sum(values) / len(values):.1f}°, {within(pairs, item, NEAR)}" if values else "–"


def worst(pairs: list[dict], item: str, bound: float) -> str:
    """The largest of a length and how many are within a bound, in millimetres."""
    values = known(pairs, item)
    return f"{max(values) * 1000:.2f} mm, {within(pairs, item, bound / 1000)}" if values else "–"


def row(name: str, pairs: list[dict]) -> str:
    """One row of the table."""
    done = [pair for pair in pairs if "refused" not in pair]
    cells = [name, str(len(pairs)), str(len(pairs) - len(done))]
    if done:
        flagged = Counter(item for pair in done for item in pair["unlike"])
        unlike = sum(bool(pair["unlike"]) for pair in done)
        items = ", ".join(f"{item} {n}" for item, n in sorted(flagged.items(), key=lambda at: (-at[1], at[0])))
        limits = known(done, "at_limits")
        cells += [
            within(done, "trunk", UPRIGHT),
            mean(done, "legs"),
            mean(done, "arms"),
            worst(done, "slide", SLIDE),
            worst(done, "penetration", PENETRATION),
            f"{100 * sum(limits) / len(limits):.1f} %" if limits else "–",
            " / ".join(str(sum(pair[item] for pair in done)) for item in ("position", "speed", "acceleration")),
            f"{unlike}: {items}" if items else "0",
            f"{sum(pair['frames'] for pair in done) / sum(pair['seconds'] for pair in done):,.0f}",
        ]
    else:
        cells += ["–"] * (len(HEAD) - 2)
    return "| " + " | ".join(cells) + " |"


def table(pairs: list[dict]) -> str:
    """Rows of the families, of the robots, and of all."""
    lines = ["| captures | " + " | ".join(HEAD) + " |", "|---" * (len(HEAD) + 1) + "|"]
    for family in sorted({pair["family"] for pair in pairs}):
        part = [pair for pair in pairs if pair["family"] == family]
        lines.append(row(f"{family}: {len({pair['capture'] for pair in part})}", part))
    for robot in dict.fromkeys(pair["robot"] for pair in pairs):
        lines.append(row(f"all, on {robot}", [pair for pair in pairs if pair["robot"] == robot]))
    lines.append(row("all", pairs))
    return "\n".join(lines)


def refusals(pairs: list[dict]) -> str:
    """What was refused, by message, with the captures and how many robots each."""
    why = {}
    for pair in pairs:
        if "refused" in pair:
            why.setdefault(pair["refused"], Counter())[pair["capture"]] += 1
    return "\n".join(
        f"- {sum(captures.values())} refused: {message} ({', '.join(f'{name} × {n}' for name, n in captures.items())})"
        for message, captures in sorted(why.items(), key=lambda at: (-at[1].total(), at[0]))
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/limber")
    parser.add_argument("--robots", nargs="+", required=True)
    parser.add_argument("--captures", nargs="+", required=True)
    parser.add_argument("--limit", type=float, default=120, help="seconds that a pair may take")
    parser.add_argument("--acceleration", help="the limit of all joints but the root; default: none")
    parser.add_argument("--fast", action="store_true", help="each frame for itself")
    parser.add_argument("--json", help="write the numbers of each pair and its report")
    options = parser.parse_args()
    if not shutil.which(options.program):
        parser.error(f"not a program: {options.program}")
    captures, lacking = find_captures(options.captures)
    robots, absent = find_robots(options.robots)
    more = ["--acceleration", options.acceleration] if options.acceleration else []
    more += ["--fast"] if options.fast else []
    pairs = [run(options.program, capture, robot, options.limit, more) for capture in captures for robot in robots]
    if options.json:
        Path(options.json).write_text(json.dumps(pairs, indent=1))
    if pairs:
        print(table(pairs), refusals(pairs), sep="\n\n")
    for name in lacking + absent:
        print(f"- not there: {name}")
    sys.exit(0 if pairs else 1)


if __name__ == "__main__":
    main()
