#!/bin/sh
# readme_commands.sh - every command line of README.md that calls the program works as it stands.
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
    sh -c "$command" >answer
    [ -s answer ] || ls ./*.png >/dev/null
done <commands
