#!/bin/sh
# exact.sh - math.h's inline functions give the same bits whatever a consumer compiles with.
#
#     test/consumer/exact.sh INCLUDE SOURCE
#
# Each compiler that is there, at the machine's own instructions, with contraction at its default.
set -eu
include=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# fingerprint COMPILER FLAG...: of exact.c compiled so
fingerprint() {
    "$@" -I"$include" "$source" -o "$work/exact" -lm && "$work/exact"
}

expected=
for compiler in gcc clang g++ clang++; do
    command -v $compiler >/dev/null 2>&1 || continue
    language=c
    case $compiler in *++) language=c++ ;; esac
    for flags in "-O0" "-O2" "-O3 -march=native" "-O3 -march=native -ffp-contract=on"; do
        # shellcheck disable=SC2086
        found=$(fingerprint $compiler -x $language $flags)
        [ -n "$expected" ] || expected=$found
        [ "$found" = "$expected" ] || {
            echo "$compiler $flags: $found, expected $expected"
            failures=$((failures + 1))
        }
    done

    # where the machine fuses, a plain product and sum shows it
    if [ $compiler = gcc ] && echo | gcc -march=native -dM -E - | grep -q __FP_FAST_FMA; then
        [ "$(fingerprint gcc -O3 -march=native -DFUSE)" != "$(fingerprint gcc -O0 -DFUSE)" ] || {
            echo "gcc fuses nothing: this test cannot fail"
            failures=$((failures + 1))
        }
    fi
done
[ -n "$expected" ] || echo "skipped: there is no compiler"
exit $failures
