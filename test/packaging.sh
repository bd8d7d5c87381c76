#!/bin/sh
# packaging.sh - every recipe has the version of base.h, parses, and sets options that exist.
#
#     test/packaging.sh PROJECT PYTHON
set -eu
cd "$1"
python=$2
command -v "$python" >/dev/null || {
    echo "skipped: no $python"
    exit 77
}

"$python" - <<'PYTHON'
import json
import re
import shutil
import subprocess
from pathlib import Path

header = Path("include/limber/base.h").read_text()
version = ".".join(re.findall(r"#define LB_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))
soname = version.rpartition(".")[0]

# vcpkg: features are the options of CMake, dependencies are named
port = json.loads(Path("packaging/vcpkg/limber/vcpkg.json").read_text())
assert port["version"] == version, port["version"]
portfile = Path("packaging/vcpkg/limber/portfile.cmake").read_text()
for feature in port["features"]:
    assert f"{feature} LIMBER_{feature.upper()}\n" in portfile, feature
assert set(port["default-features"]) <= set(port["features"])

# Debian: the changelog, the package of the libraries, and the files that packages have
assert Path("debian/changelog").read_text().startswith(f"limber ({version}) ")
control = Path("debian/control").read_text()
packages = re.findall(r"^Package: (\S+)$", control, re.MULTILINE)
assert f"liblimber{soname}" in packages, packages
for path in Path("debian").glob("*.install"):
    assert path.stem in packages, path
assert {p for p in packages if not Path(f"debian/{p}.install").exists()} == set()
symbols = Path(f"debian/liblimber{soname}.symbols").read_text()
for library in ("limber", "limber_formats", "limber_figures"):
    assert f"lib{library}.so.{soname} liblimber{soname} #MINVER#" in symbols, library
assert symbols.count(f"(symver)LIMBER_{soname} ") == 3

# each option that a recipe sets is one of ours, or CMake's
known = set(re.findall(r"^(?:option|set)\((LIMBER_\w+)", Path("CMakeLists.txt").read_text(), re.MULTILINE))
for path in Path("cmake").glob("*.cmake"):
    known |= set(re.findall(r"^set\((LIMBER_\w+)", path.read_text(), re.MULTILINE))
known |= set(re.findall(r"^set\((LIMBER_\w+)", Path("python/CMakeLists.txt").read_text(), re.MULTILINE))
formula = Path("packaging/homebrew/limber.rb").read_text()
for text in (portfile, formula, Path("debian/rules").read_text()):
    given = set(re.findall(r"LIMBER_\w+", text))
    assert given and given <= known, given - known

if shutil.which("ruby"):
    subprocess.run(["ruby", "-c", "packaging/homebrew/limber.rb"], check=True, stdout=subprocess.DEVNULL)
else:
    print("ruby is not there: the formula was not parsed")
if shutil.which("cmake"):
    # to the first command of vcpkg, which CMake itself does not have
    said = subprocess.run(
        ["cmake", "-P", "packaging/vcpkg/limber/portfile.cmake"], stderr=subprocess.PIPE, text=True
    ).stderr
    assert 'Unknown CMake command "vcpkg_check_features"' in said, said
PYTHON
