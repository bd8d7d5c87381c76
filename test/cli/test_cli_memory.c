/*
 * test_cli_memory.c - every command while memory runs out: the whole result or a complaint.
 *
 * The n-th allocation fails, alone or with all that follow (preload/failing_malloc.c). Then
 * the program either writes what it always writes, or exits with status 2 and says so; nothing
 * is lost from a result, nothing crashes. Figures are left out: fontconfig, which lays out their
 * text, neither returns nor fails where it finds no memory. A run of all n takes minutes, so some
 * are left out unless LIMBER_EVERY_ALLOCATION is set.
 */
#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_program.h"

#ifdef LIMBER_FAILING_MALLOC
enum { CAN_FAIL = 1 };
#else
enum { CAN_FAIL = 0 };
#define LIMBER_FAILING_MALLOC ""
#endif

enum { RUNS = 25 }; /* of each command and way to fail */

static const char *const commands[] = {
    "info panda",
    "info panda --json",
    "models",
    "models --json",
    "models --sources",
    "fk panda --frame panda_hand --json",
    "ik panda --tip panda_hand --position '0.3 0.2 0.5'",
    "ik panda --tip panda_hand --targets t.csv --report",
    "animate planar3 --to '1 1 0' --output a.json && cat a.json",
    "workspace planar2 --samples 1000",
    "ik --help",
};

/* in the C locale: without memory for another the program does without UTF-8 */

/* how many allocations a command makes, its output kept in *expected; release with free() */
static long measure(const char *command, char **expected)
{
    program_shell("env LC_ALL=C COUNT_TO=count LD_PRELOAD='%s' limber %s", LIMBER_FAILING_MALLOC,
                  command);
    if (program.status > 1)
        fail_msg("limber %s: %s", command, program.err);
    *expected = strdup(program.out);
    char *text = program_read("count");
    long count = strtol(text, NULL, 10);
    free(text);
    return count;
}

static void check(const char *command, long n, int on, const char *expected, int expected_status)
{
    program_shell("env LC_ALL=C FAIL_AT=%ld FAIL_ON=%d LD_PRELOAD='%s' limber %s", n, on,
                  LIMBER_FAILING_MALLOC, command);
    bool same = program.status == expected_status && strcmp(program.out, expected) == 0;
    bool refused = program.status == 2 && program.err_size > 0;
    if (!same && !refused)
        fail_msg("limber %s, allocation %ld%s: status %d, %zu bytes instead of %zu, '%s'", command,
                 n, on ? " and all after" : "", program.status, program.out_size, strlen(expected),
                 program.err);
}

static void check_command(const char *command)
{
    char *expected;
    long count = measure(command, &expected), step = count / RUNS + 1;
    int status = program.status;
    assert_true(count > 5);
    if (getenv("LIMBER_EVERY_ALLOCATION"))
        step = 1;
    for (int on = 0; on < 2; on++)
        for (long n = on; n < count; n += step)
            check(command, n, on, expected, status);
    print_message("%s: %ld allocations, every %ldth failed\n", command, count, step);
    free(expected);
}

static void results_are_whole_or_refused(void **state)
{
    (void)state;
    program_write("t.csv", "x,y,z\n1,1,0\n");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        check_command(commands[i]);
}

int main(void)
{
    if (!CAN_FAIL) {
        print_message("no library that lets allocations fail: skipped\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_whole_or_refused),
    };
    return cmocka_run_group_tests(tests, program_start, program_stop);
}
