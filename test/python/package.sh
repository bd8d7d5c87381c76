#!/bin/sh
# package.sh - the source package builds by itself, and its wheel is one binary for every Python from 3.11.
#
#     test/python/package.sh PROJECT/python INTERPRETER WORK
set -eu
project=$1
python=$2
work=$3

"$python" -c 'import setuptools, wheel, pip, numpy' 2>/dev/null || {
    echo "skipped: pip, setuptools, wheel or numpy is not installed for $python"
    exit 77
}
rm -rf "$work"
mkdir -p "$work"

# what is written beside the sources would be left lying about
cp -r "$project" "$work/python"
for part in CMakeLists.txt LICENSE cmake include models src; do
    ln -s "$project/../$part" "$work/$part"
done

cd "$work/python"
"$python" setup.py -q sdist --dist-dir "$work"
cd "$work"
"$python" -m pip wheel -q --no-build-isolation --no-deps --no-index limber-*.tar.gz

# a single wheel of that name, which works from where it is unpacked
ls limber-*-cp311-abi3-*.whl
"$python" -m zipfile -e limber-*.whl site
[ -e site/limber/py.typed ] && [ -e site/limber/_core.pyi ]
PYTHONPATH=site "$python" -c '
import limber
arm = limber.Model.load("ur5")
assert arm.ik("tool0").solve(arm.fk(arm.random(seed=1), "tool0")).reached
assert limber.__file__.startswith("'"$work"'"), limber.__file__'
