#!/bin/sh
# readme_commands.sh - every command line of README.md that calls the program works as it stands, and
# docs/features.md names every command, model, motion and method of the program.
#
#     test/readme_commands.sh PROJECT BUILD WORK
set -eu
project=$1
build=$2
work=$3

# a folder of its own, in which build/limber is this build's
rm -rf "$work"
mkdir -p "$work"
ln -s "$build" "$work/build"
cd "$work"
grep '^build/limber ' "$project/README.md" >commands
[ -s commands ]
while read -r command; do
    echo "$command"
    output=$(echo "$command" | sed -n 's/.*--output \([^ ]*\).*/\1/p')
    [ -z "$output" ] || rm -f "$output"
    sh -c "$command" >result </dev/null
    [ -s "${output:-result}" ]
done <commands

# nothing is left lying about in the project: what is written goes below build/
[ "$(ls)" = "$(printf 'build\ncommands\nresult')" ]

# names KIND: docs/features.md has each name on the input, as code or behind `limber`
names() {
    count=0
    while read -r name; do
        count=$((count + 1))
        grep -q "[\`]${name}[\`]\|[\`]limber ${name}[\`]" "$project/docs/features.md" || {
            echo "docs/features.md does not name the $1 '$name'"
            exit 1
        }
    done
    [ $count -gt 0 ] || {
        echo "the program names no $1: nothing was checked"
        exit 1
    }
}

# what the program says that it has; it lists its methods when another is given
build/limber --help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\)  .*/\1/p' | names command
build/limber models | awk 'NF == 0 { exit } NR > 1 { print $1 }' | names model
build/limber models | awk 'NF == 0 { from = NR + 1 } from && NR > from { print $1 }' | names motion
{ build/limber ik planar2 --position '0 0 0' --method none 2>&1 || true; } |
    sed -n "s/.*there is '\([^']*\)'.*/\1/p" | names method
