"""Builds limber._core with CMake; everything else is in pyproject.toml.

The library's sources are the project above this folder. A source package (python3 setup.py sdist)
has them in its folder library/, so that it builds by itself.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
LIBRARY = HERE / "library" if (HERE / "library").exists() else HERE.parent
# what the library needs to be built
LIBRARY_PARTS = ["CMakeLists.txt", "LICENSE", "cmake", "include", "models", "src"]
NOT_NEEDED = {"cli"}


def version() -> str:
    """The version, which is defined in base.h alone."""
    text = (LIBRARY / "include" / "limber" / "base.h").read_text()
    return ".".join(re.findall(r"#define LB_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text))


class BuildCore(build_ext):
    """Configures and builds python/CMakeLists.txt, with the options in CMAKE_ARGS."""

    def build_extension(self, ext: Extension) -> None:
        target = Path(self.get_ext_fullpath(ext.name)).resolve().parent
        work = Path(self.build_temp).resolve()
        work.mkdir(parents=True, exist_ok=True)
        configure = [
            "cmake",
            "-S",
            str(HERE),
            "-B",
            str(work),
            f"-DCMAKE_BUILD_TYPE={'Debug' if self.debug else 'Release'}",
            f"-DPython3_EXECUTABLE={sys.executable}",
            f"-DLIMBER_PYTHON_PACKAGE={target}",
            *shlex.split(os.environ.get("CMAKE_ARGS", "")),
        ]
        subprocess.run(configure, check=True)
        jobs = str(self.parallel or os.cpu_count() or 1)
        build = ["cmake", "--build", str(work), "--target", "limber_python", "-j", jobs]
        subprocess.run(build, check=True)


class SourcePackage(sdist):
    """Adds the library's sources."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        for part in LIBRARY_PARTS:
            source, target = LIBRARY / part, Path(base_dir) / "library" / part
            if source.is_dir():
                shutil.copytree(source, target, ignore=lambda _, names: NOT_NEEDED & set(names))
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)


setup(
    version=version(),
    ext_modules=[Extension("limber._core", sources=[], py_limited_api=True)],
    cmdclass={"build_ext": BuildCore, "sdist": SourcePackage},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
