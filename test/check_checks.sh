#!/bin/sh
# check_checks.sh - each check of scripts/ must pass a good sample and fail each bad one.
#
#     test/check_checks.sh COMPILER
set -eu
scripts=$(cd "$(dirname "$0")/../scripts" && pwd)
style=$(cd "$(dirname "$0")/.." && pwd)/.clang-format
compiler=$1
sample=$(mktemp -d)
trap 'rm -rf "$sample"' EXIT
failures=0

# project: starts a good project anew
project() {
    rm -rf "$sample/project"
    mkdir -p "$sample/project/src/base" "$sample/project/src/math" "$sample/project/src/ik" "$sample/project/src/kernel" \
        "$sample/project/src/formats/mapping" \
        "$sample/project/include/limber" "$sample/project/examples" "$sample/project/web/limber"
    cp "$style" "$sample/project/"
    printf '/* good.c - good. */\n#include "math/good.h"\n' >"$sample/project/src/ik/good.c"
    printf '/* good.h - good. */\n#include <string.h>\n' >"$sample/project/src/math/good.h"
    printf '/* math.h - good. */\n\n/* one */\nint lb_one(void);\n' \
        >"$sample/project/include/limber/math.h"
    printf '// good.js - good.\nclass Good {\n  a() {\n%s  }\n  b() {\n  }\n}\n' \
        "$(yes '    a();' | head -n 60)
" >"$sample/project/web/limber/good.js"
    printf '[good](src/ik/good.c) and [elsewhere](https://example.org/)\n' \
        >"$sample/project/README.md"
}

# good CHECK ARGUMENT...: the check must pass
good() {
    check=$1
    shift
    if ! "$scripts/check-$check" "$@" >"$sample/said" 2>&1; then
        echo "check-$check fails a good sample:"
        cat "$sample/said"
        failures=$((failures + 1))
    fi
}

# bad CHECK MESSAGE ARGUMENT...: the check must fail, and say so
bad() {
    check=$1
    message=$2
    shift 2
    if "$scripts/check-$check" "$@" >"$sample/said" 2>&1; then
        echo "check-$check passes what it should not: $message"
        failures=$((failures + 1))
    elif ! grep -q "$message" "$sample/said"; then
        echo "check-$check fails, but without '$message':"
        cat "$sample/said"
        failures=$((failures + 1))
    fi
}

# bad_header MESSAGE FORMAT...: the same for check-headers, which has a compiler to name
bad_header() {
    message=$1
    shift
    project
    # shellcheck disable=SC2059
    printf "$@" >"$sample/project/include/limber/ik.h"
    bad headers "$message" "$sample/project" "$compiler"
}

# bad_file CHECK MESSAGE FILE FORMAT...: the same for a project with this file in it
bad_file() {
    check=$1
    message=$2
    file=$3
    shift 3
    project
    # shellcheck disable=SC2059
    printf "$@" >"$sample/project/$file"
    bad "$check" "$message" "$sample/project"
}

# bad_object MODE MESSAGE BODY: the same for a function that is compiled, or linked
bad_object() {
    printf 'double call(double x);\n%s\n' "$3" >"$sample/call.c"
    "$compiler" -std=c17 -O0 -c "$sample/call.c" -o "$sample/call.o"
    made=$sample/call.o
    if [ "$1" = solving ]; then
        made=$sample/program
        printf 'double call(double); int main(int n, char **v) { (void)v; return (int)call(n); }' \
            >"$sample/main.c"
        "$compiler" -std=c17 -O0 "$sample/main.c" "$sample/call.o" -lm -o "$made"
    fi
    bad symbols "$2" "$1" "$made"
}

for check in layering style docs; do
    project
    good $check "$sample/project"
done

bad_file layering 'math may not use ik' src/math/a.c '/* a */\n#include <limber/ik.h>\n'
bad_file layering 'math may not use ik' src/math/a.c '/* a */\n#include "ik/good.h"\n'
bad_file layering 'public header includes' include/limber/ik.h '/* a */\n#include "math/good.h"\n'
bad_file layering 'only test/ may reach' examples/a.c '/* a */\n#include "math/good.h"\n'
bad_file layering 'a private header is written' src/ik/a.c '/* a */\n#include "bench/a.h"\n'
bad_file layering 'lanes stay within' src/ik/a.c '/* a */\n#include "simd/lane.h"\n'
bad_file layering 'does not use <stdio.h>' src/kernel/a.c '/* a */\n#include <stdio.h>\n'
bad_file layering 'does not use <time.h>' src/ik/a.c '/* a */\n#include <time.h>\n'
bad_file layering 'does not use <jansson.h>' src/ik/a.c '/* a */\n#include <jansson.h>\n'
bad_file layering 'a mapping does not use <stdio.h>' src/formats/mapping/a.c '/* a */\n#include <stdio.h>\n'
bad_file layering 'a mapping uses no parser' src/formats/mapping/a.c '/* a */\n#include "formats/xml.h"\n'
bad_file layering 'no layer' include/limber/other.h '/* other.h - good. */\n'

# calls FILE...: the files "LAYER/NAME: CODE" as objects of a project, in $objects
calls() {
    rm -rf "$sample/calls"
    objects=
    for file in "$@"; do
        path=$sample/calls/src/${file%%:*}.c
        mkdir -p "$(dirname "$path")"
        echo "${file#*:}" >"$path"
        "$compiler" -std=c17 -c "$path" -o "$path.o"
        objects="$objects $path.o"
    done
}
# the paths hold no blanks
# shellcheck disable=SC2086
{
    calls 'math/a: int b(void); int a(void) { return b(); }' 'base/b: int b(void) { return 1; }'
    good layering calls $objects
    calls 'math/a: int b(void); int a(void) { return b(); }' 'ik/b: int b(void) { return 1; }'
    bad layering 'math/a.c: math may not use ik: b of src/ik/b.c' calls $objects
    calls 'motion/a: extern int b; int *a(void) { return &b; }' 'workspace/b: int b = 1;'
    bad layering 'motion may not use workspace' calls $objects
    calls 'formats/mapping/a: int b(void); int a(void) { return b(); }' \
        'formats/b: int b(void) { return 1; }'
    bad layering 'the mapping uses no other part' calls $objects
    calls 'ik/a: int b(void); int a(void) { return b(); }' \
        'ik/b: int c(void); int b(void) { return c(); }' \
        'ik/c: int a(void); int c(void) { return a(); }'
    bad layering 'ik/b.c: on a circle of calls, to src/ik/c.c: c' calls $objects
    calls 'ik/a: static int a;'
    bad layering 'nothing was checked' calls $objects
}

bad_file style 'a function of 61 lines' src/ik/a.c \
    '/* a */\nint a(void)\n{\n%s    return 1;\n}\n' "$(yes '    a();' | head -n 60)
"
bad_file style 'the most is 600' src/ik/a.c '/* a */\n%s\n' "$(yes 'int a;' | head -n 600)"
for opening in 'function a() {' 'const a = (b) => ({' 'a(b: c): d<e> {' 'test(1, async () => {' '} {'; do
    bad_file style 'a.ts:3: a function of 61 lines' web/limber/a.ts '// a\n  {\n  %s\n%s  }\n' \
        "$opening" "$(yes '    a();' | head -n 61)
"
done
bad_file style 'a.mjs:601: a file of 601 lines' web/limber/a.mjs '// a\n%s\n' "$(yes 'a();' | head -n 600)"
bad_file style 'the head says' web/limber/a.js 'a();\n'
bad_file style 'the most is 100' src/ik/a.c '/* a %0100d */\n' 0
bad_file style 'a tab' src/ik/a.c '/* a */\nint a;\t/* b */\n'
bad_file style 'at the end of the line' src/ik/a.c '/* a */\nint a; \n'
bad_file style 'left for later' src/ik/a.c '/* a */\n/* TO''DO: b */\n'
bad_file style 'the head says' src/ik/a.c 'int a;\n'
bad_file style 'little prose' include/limber/ik.h '/* a */\n%s\n' "$(yes 'int a;' | head -n 30)"
if command -v clang-format-14 >/dev/null 2>&1; then
    bad_file style 'clang-format' src/ik/a.c '/* a */\nint   a;\n'
fi

project
good headers "$sample/project" "$compiler"
bad_header 'ik.h does not compile by itself in C99' 'lb_model *lb_a(void);\n'
if command -v c++ >/dev/null 2>&1; then
    bad_header 'ik.h does not compile by itself in C++11' 'int *lb_new(int class);\n'
fi

if command -v c++ >/dev/null 2>&1; then
    project
    printf 'void lb_span(std::span<int> values);\n' >"$sample/project/include/limber/a.hpp"
    bad headers 'a.hpp does not compile by itself in c++20' "$sample/project" "$compiler"
fi

bad_file docs 'without a word' include/limber/ik.h '/* a */\n\nint a;\n\nint lb_a(void);\n'
bad_file docs 'leads nowhere: picture.png' README.md '![a](picture.png)\n'

printf 'int one(void);\nint one(void) { return 1; }\n' >"$sample/good.c"
"$compiler" -std=c17 -c "$sample/good.c" -o "$sample/good.o"
good symbols core "$sample/good.o"
include='#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
double call(double x)'
bad_object core 'uses sin' "$include { return sin(x); }"
bad_object core 'uses malloc' "$include { return malloc((size_t)x) ? x : 0; }"
bad_object core 'uses rand' "$include { return rand() * x; }"
bad_object core 'uses time' "$include { return x + (double)time(NULL); }"
bad_object core 'uses fopen' "$include { return fopen(\"a\", \"r\") ? x : 0; }"
bad_object solving 'uses malloc' "$include { return malloc((size_t)x) ? x : 0; }"
bad_object solving 'uses snprintf' "$include { char a[9]; return snprintf(a, 9, \"%g\", x); }"
bad symbols 'nothing was checked' core /dev/null

# library BODY: a shared library of this source
library() {
    echo "$1" >"$sample/library.c"
    "$compiler" -std=c17 -shared -fPIC "$sample/library.c" -o "$sample/library.so"
}
printf 'int lb_one(void);\nstatic inline int lb_two(void)\n{\n    return 2;\n}\n' >"$sample/one.h"
library 'int lb_one(void) { return 1; }'
good symbols exported "$sample/library.so" "$sample/one.h"
library 'int lb_one(void) { return 1; } int one(void) { return 1; }'
bad symbols 'in no public header: one' exported "$sample/library.so" "$sample/one.h"
library 'int lb_one(void) { return 1; } int lb_two(void) { return 1; }'
bad symbols 'in no public header: lb_two' exported "$sample/library.so" "$sample/one.h"
library 'int lb_other(void) { return 1; }'
bad symbols 'but not exported: lb_one' exported "$sample/library.so" "$sample/one.h"
library 'static int one;'
bad symbols 'nothing was checked' exported "$sample/library.so" "$sample/one.h"

# ---- check-defects --------------------------------------------------------

if command -v cppcheck >/dev/null 2>&1; then
    project
    good defects "$sample/project"
    printf 'int f(void);\nint f(void)\n{\n    int a[2] = {0, 0};\n    return a[2];\n}\n' \
        >"$sample/project/src/ik/bad.c"
    bad defects 'src/ik/bad.c: arrayIndexOutOfBounds' "$sample/project"
fi

printf 'double f(double a, double b, double c) { return a * b + c; }' >"$sample/fused.c"
"$compiler" -O2 -ffp-contract=off -c "$sample/fused.c" -o "$sample/fused.o"
good fused "$sample/fused.o"
if [ "$(uname -m)" = x86_64 ] && command -v objdump >/dev/null 2>&1; then
    "$compiler" -O2 -mfma -ffp-contract=fast -c "$sample/fused.c" -o "$sample/fused.o"
    bad fused 'vfmadd.* in f' "$sample/fused.o"
    printf 'int a;\n' >"$sample/empty.c"
    "$compiler" -c "$sample/empty.c" -o "$sample/empty.o"
    bad fused 'nothing was checked' "$sample/empty.o"
fi

[ $failures = 0 ] && echo "every check can fail"
exit $failures
