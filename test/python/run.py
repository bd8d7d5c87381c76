"""Runs one kind of test of the Python module for ctest; 77, a skip, where a package is absent.

    run.py pytest FILE      the tests of a file
    run.py doctest PACKAGE  the examples in the docstrings
    run.py mypy PACKAGE     the types
"""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

NEEDS = {"pytest": ["numpy", "pytest"], "doctest": ["numpy", "pytest"], "mypy": ["numpy", "mypy"]}
COMMANDS = {
    # what is skipped is said with the reason, for scripts/skipped
    "pytest": ["pytest", "-q", "-rs", "-p", "no:cacheprovider"],
    "doctest": ["pytest", "-q", "-p", "no:cacheprovider", "--doctest-modules"],
    # before 1.7 mypy has Unpack for keywords by this flag alone
    "mypy": ["mypy", "--strict", "--cache-dir=/dev/null", "--enable-incomplete-feature=Unpack"],
}


def main() -> int:
    kind, what = sys.argv[1:]
    absent = [name for name in NEEDS[kind] if importlib.util.find_spec(name) is None]
    if absent:
        print(f"skipped: not installed for {sys.executable}: {' '.join(absent)}")
        return 77
    files, environment = [what], dict(os.environ)
    if kind == "mypy":
        # the package, and what users write
        files.append(str(Path(__file__).with_name("typed.py")))
        environment["MYPYPATH"] = str(Path(what).parent)
    return subprocess.run([sys.executable, "-m", *COMMANDS[kind], *files], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
