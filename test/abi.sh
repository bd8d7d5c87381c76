#!/bin/sh
# abi.sh - scripts/abi finds what breaks programs, in a library made for the purpose, and nothing else.
#
#     test/abi.sh PROJECT COMPILER WORK
set -eu
project=$1
compiler=$2
work=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# library NAME FIELDS FUNCTION CONSTANTS: a library of one struct, one enumeration, two functions
library() {
    mkdir -p "$1"
    cat >"$1/thing.h" <<C
typedef struct lb_thing { $2 } lb_thing;
typedef enum lb_kind { $4 } lb_kind;
C
    cat >"$1.c" <<C
#include "$1/thing.h"
$3
double lb_size(const lb_thing *thing) { return thing->length; }
lb_kind lb_kind_of(const lb_thing *thing) { return (lb_kind)(thing->length > 1); }
C
    "$compiler" -g -fPIC -shared "$1.c" -o "$1.so"
}

fields='double length; int count;'
kinds='LB_SHORT, LB_LONG, LB_KIND_COUNT'
library first "$fields" '' "$kinds"
"$project/scripts/abi" write list.txt first first.so || exit $?

# expect STATUS NAME TEXT: of a library, whose header is in a folder of its name
expect() {
    status=0
    "$project/scripts/abi" compare list.txt "${2%%_*}" "$2.so" >said 2>&1 || status=$?
    if [ $status != "$1" ] || ! grep -qF "$3" said; then
        echo "abi.sh: $2: exit status $status, expected $1 and '$3':"
        cat said
        exit 1
    fi
}

# changed NAME SED: the first library, a line of it changed
changed() {
    sed "$2" first.c >"$1.c"
    "$compiler" -g -fPIC -shared "$1.c" -o "$1.so"
}

expect 0 first '0 are not; 0 are new'
library more "$fields" 'int lb_more(void) { return 1; }' 'LB_SHORT, LB_LONG, LB_WIDE, LB_KIND_COUNT'
expect 0 more '0 are not; 2 are new'
library moved 'int count; double length;' '' "$kinds"
expect 1 moved 'changed or gone: struct lb_thing: length at 0: double'
library grown "$fields int more[2];" '' "$kinds"
expect 1 grown 'changed or gone: struct lb_thing: 16 bytes'
library renumbered "$fields" '' 'LB_LONG, LB_SHORT, LB_KIND_COUNT'
expect 1 renumbered 'changed or gone: enum lb_kind: LB_SHORT = 0'
changed first_retyped 's/double lb_size/float lb_size/'
expect 1 first_retyped 'changed or gone: function lb_size: double (const lb_thing *)'
changed first_gone '/lb_size/d'
expect 1 first_gone 'changed or gone: function lb_size: double (const lb_thing *)'
