#!/bin/sh
# harness.sh - how a program of tests exits and what it says, by tests that pass, fail and are skipped.
#
#     test/harness.sh HARNESS_SAMPLE
set -u
program=$1
failures=0

# expect STATUS PATTERN ARGUMENT...: the exit status, and a pattern in what is said, on one line
expect() {
    status=$1
    pattern=$2
    shift 2
    said=$("$program" "$@" 2>&1)
    got=$?
    if [ $got != "$status" ] || ! echo "$said" | tr '\n' ' ' | grep -q "$pattern"; then
        echo "harness_sample $*: expected status $status and '$pattern', got $got and:"
        echo "$said"
        failures=$((failures + 1))
    fi
}

# a file's tests run in their order, and no others
expect 0 'Running 2 test(s).*the_first_passes.*another_passes.*PASSED  . 2' test_passing

# failures are no number in the exit status, which 77 of them would make a skipped test
expect 1 'FAILED  . 2 test' test_failing

# arguments
expect 0 'PASSED  . 1' test_number word 7
expect 1 'FAILED  . 1' test_number word
expect 1 'FAILED  . 1' test_number word 8

# what does not run
expect 77 'skipped: there is a reason' test_skipped
expect 1 'FAILED' test_unready

# no selection, and those that select nothing
for name in '' test test_passin test_passing.c test_failing.c/ passing; do
    expect 2 'usage: .*test_failing .*test_passing' "$name"
done
expect 2 'usage: .*test_failing .*test_passing'
exit $failures
