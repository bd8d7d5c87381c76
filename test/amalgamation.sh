#!/bin/sh
# amalgamation.sh - limber.c compiles plainly, exports only names with lb_, and gives the bits of
# this build.
#
#     test/amalgamation.sh PROJECT BITS MODELS
#
# BITS prints this build's fingerprint, MODELS is C that it was made with (test/bits). Each compiler
# that is there reads limber.c without a warning; the first also compiles it for this machine, as far
# as it can be optimised, and links it: test/bits compares the rest.
set -eu
project=$1
bits=$2
models=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tried=0

"$project/scripts/amalgamate" "$work" "$project"
"$bits" >"$work/expected"
# a consumer needs limber.h alone
sed 's,<limber/limber.h>,"limber.h",' "$project/test/consumer/core.c" >"$work/core.c"

# clang takes half of gcc's time for it
for compiler in clang gcc; do
    command -v $compiler >/dev/null 2>&1 || continue
    task="-O3 -march=native -c"
    [ $tried = 0 ] || task=-fsyntax-only
    # shellcheck disable=SC2086 # flags are words
    (cd "$work" && $compiler $task limber.c) 2>"$work/said" || {
        head -n 20 "$work/said"
        exit 1
    }
    [ ! -s "$work/said" ] || {
        echo "$compiler warns about limber.c:"
        head -n 20 "$work/said"
        exit 1
    }
    [ $tried = 0 ] || continue
    tried=1
    nm -g --defined-only "$work/limber.o" | awk '
        NF == 3 { count++ }
        NF == 3 && $3 !~ /^lb_/ { print "limber.o exports " $3; bad = 1 }
        END { exit bad || !count }'
    $compiler "$work/core.c" "$work/limber.o" -lm -o "$work/core"
    "$work/core"
    $compiler -O2 -ffp-contract=off -I"$project" -I"$project/include" "$project/test/bits/bits.c" \
        "$project/bench/golden.c" "$project/bench/golden_body.c" "$models" "$work/limber.o" -lm -o "$work/bits"
    "$work/bits" | diff "$work/expected" - || {
        echo "$compiler: limber.c has other bits than this build"
        exit 1
    }
done
[ $tried = 1 ] || echo "skipped: there is neither gcc nor clang"
