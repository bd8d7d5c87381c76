#!/bin/sh
# make_goals.sh - what each goal of the Makefile would install, read without installing anything;
# that the set-up waits for an apt that is at work; that skipped tests are named at the end; and that
# make valgrind leaves out what there is.
#
#     test/make_goals.sh PROJECT
set -eu
project=$1
sample=$(mktemp -d)
trap 'rm -rf "$sample"' EXIT
failures=0

# packages GOAL...: what the goals would install on a machine that has none of it
packages() {
    (cd "$project" && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -n "$@") >"$sample/dry" 2>/dev/null
    # shellcheck disable=SC2046 # the groups are words
    "$project/scripts/setup" --list $(sed -n 's,^scripts/setup ,,p' "$sample/dry")
}

# expect GOALS PACKAGE...: each package is among them, or with a leading - is not
expect() {
    goals=$1
    shift
    # shellcheck disable=SC2086 # several goals are several words
    list=" $(packages $goals) "
    for package in "$@"; do
        case $package in
        -*) case $list in *" ${package#-} "*) ;; *) continue ;; esac ;;
        *) case $list in *" $package "*) continue ;; esac ;;
        esac
        echo "make $goals: expected $package among:$list"
        failures=$((failures + 1))
    done
}

expect all gcc cmake libxml2-dev -chromium -liborocos-kdl-dev
expect demo gcc cmake libcairo2-dev -chromium -qemu-user
expect test gcc chromium qemu-user gcc-aarch64-linux-gnu wasi-libc nodejs npm libmujoco-dev liborocos-kdl-dev
expect web clang wasi-libc nodejs npm cmake -qemu-user
expect bench gcc liborocos-kdl-dev libmujoco-dev -chromium
expect python gcc python3-dev python3-numpy -chromium -mypy
expect test python3-dev python3-numpy python3-pytest mypy
expect docs python3-sphinx furo python3-myst-parser python3-numpy -chromium
expect deb debhelper dh-python python3-dev libqhull-dev -chromium
expect abi abigail-tools -debhelper
expect 'web bench' wasi-libc libmujoco-dev

# the set-up of a copy that lacks one package, with an apt-get that is locked twice before it works
mkdir -p "$sample/copy/scripts" "$sample/bin"
sed "s,^build needed   gcc .*,build needed absent file $sample/installed," "$project/scripts/setup" >"$sample/copy/scripts/setup"
cat >"$sample/bin/apt-get" <<SH
#!/bin/sh
echo "\$*" >>"$sample/calls"
case "\$*" in
*update) [ "\$(grep -c update "$sample/calls")" -gt 2 ] || { echo "E: Could not get lock x"; exit 100; } ;;
*"install absent") touch "$sample/installed" ;;
esac
SH
printf '#!/bin/sh\nwhile [ "${1#-}" != "$1" ]; do shift; done\nexec "$@"\n' >"$sample/bin/sudo"
printf '#!/bin/sh\n' >"$sample/bin/sleep"
chmod +x "$sample/bin/"*
if ! PATH="$sample/bin:$PATH" sh "$sample/copy/scripts/setup" build >"$sample/said" 2>&1 ||
    ! grep -q 'Lock::Timeout.*install absent' "$sample/calls"; then
    echo "scripts/setup: expected it to wait for a locked apt-get:"
    cat "$sample/said" "$sample/calls"
    failures=$((failures + 1))
fi

# skipped tests are named, others are not; a run without any prints nothing
cat >"$sample/tests.xml" <<'XML'
<testsuite>
	<testcase name="test_ran" classname="test_ran" time="1" status="run"/>
	<testcase name="test_left_out" classname="test_left_out" time="0" status="notrun">
		<skipped message="SKIP_RETURN_CODE=77"/>
	</testcase>
</testsuite>
XML
"$project/scripts/skipped" "$sample/tests.xml" >"$sample/said"
if ! grep -q 'Skipped: test_left_out$' "$sample/said" || [ "$(grep -c . "$sample/said")" != 2 ]; then
    echo "scripts/skipped: expected test_left_out alone, and how to run it:"
    cat "$sample/said"
    failures=$((failures + 1))
fi
grep -v left_out "$sample/tests.xml" >"$sample/none.xml"
[ -z "$("$project/scripts/skipped" "$sample/none.xml")" ] || {
    echo "scripts/skipped: prints something where no test was skipped"
    failures=$((failures + 1))
}

# every line is about a test, and says why
(cd "$project/test" && find . -name 'test_*.c' -exec basename {} .c ';') >"$sample/programs"
grep -v '^#' "$project/test/valgrind.left_out" >"$sample/left_out"
while read -r name reason; do
    if [ -z "$reason" ] || ! grep -qx "$name" "$sample/programs"; then
        echo "test/valgrind.left_out: '$name' is no program of test/, or there is no reason"
        failures=$((failures + 1))
    fi
done <"$sample/left_out"
exit $failures
