#!/bin/sh
# debian.sh - Debian's packages build, have no fault that lintian finds, and work from where they
# are unpacked: the program, the libraries with versioned symbols, the Python module.
#
#     test/debian.sh PROJECT WORK
set -eu
project=$1
work=$2

"$project/scripts/deb" "$work"
cd "$work"
root=$work/root
mkdir -p "$root"

fail() {
    echo "debian.sh: $*"
    exit 1
}

# every package that debian/control names, and no other
expected=$(sed -n 's/^Package: //p' "$project/debian/control" | sort)
built=$(for package in *.deb; do dpkg-deb -f "$package" Package; done | sort)
[ "$expected" = "$built" ] || fail "built: $built"
if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error,warning limber_*.changes || fail "lintian found faults"
else
    echo "lintian is not there: the packages were not looked through"
fi

for package in *.deb; do
    dpkg-deb -x "$package" "$root"
done
libraries=$(dirname "$(ls "$root"/usr/lib/*/liblimber.so)")

# the program, its pages and completion
"$root/usr/bin/limber" ik ur5 --position "0.4 0.2 0.3" >/dev/null
for page in limber.1 limber-ik.1; do
    [ -e "$root/usr/share/man/man1/$page.gz" ] || fail "no $page"
done
[ -e "$root/usr/share/bash-completion/completions/limber" ] || fail "no completion for bash"
[ -e "$root/usr/share/zsh/vendor-completions/_limber" ] || fail "no completion for zsh"

# a project that uses pkg-config; nothing in what is installed names the folder it was built in
PKG_CONFIG_PATH=$libraries/pkgconfig
export PKG_CONFIG_PATH
# shellcheck disable=SC2046 # flags are words
cc "$project/test/consumer/files.c" -o files $(pkg-config --cflags --libs limber_formats) -lm
LD_LIBRARY_PATH=$libraries ./files >/dev/null
if grep -rlF "$work/limber" "$root" >named; then
    fail "the folder of the build is named in $(cat named)"
fi

# what programs are linked to is versioned, and the package says since when
for library in liblimber liblimber_formats liblimber_figures; do
    readelf --wide --dyn-syms "$libraries/$library.so" | grep -q ' lb_.*@@LIMBER_' ||
        fail "$library has no versioned symbols"
done
dpkg-deb -e liblimber0.*.deb control
grep -q '^ lb_ik_solve@LIMBER_.* 0.1.0' control/symbols || fail "no symbols of the core"

# the Python module
PYTHONPATH=$root/usr/lib/python3/dist-packages LD_LIBRARY_PATH=$libraries /usr/bin/python3 -c "
import limber
assert limber.__file__.startswith('$root'), limber.__file__
arm = limber.Model.load('ur5')
assert arm.ik('tool0').solve(arm.fk(arm.random(seed=1), 'tool0')).reached"
