/*
 * test_cli_stream.c - files of many rows: memory that does not grow with them, the same bytes as
 * in small files, and whole files or none when a late row is wrong.
 *
 * Every file has several blocks of rows (CSV_BLOCK); the parts it is compared with have one each.
 */
#define _GNU_SOURCE

#include "formats/csv.h"

#include <fcntl.h>
#include <limber/base.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "support_program.h"

enum { FEW = 3 * CSV_BLOCK, MANY = 15 * CSV_BLOCK + 7 };

/* poses of ur5, the same at the same row of every file; row `wrong` is no number */
static void write_poses(const char *path, int first, int count, int wrong)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("shoulder_pan_joint,shoulder_lift_joint,elbow_joint,wrist_1_joint\n", file);
    for (int i = first; i < first + count; i++)
        fprintf(file, "%.17g,%.17g,%.17g,%s\n", 1e-5 * i, -0.4e-5 * i - 1, 1 + 1.3e-5 * i,
                i == wrong ? "x" : "0.7");
    fclose(file);
}

/* ---- memory ------------------------------------------------------------- */

/* sanitizers keep released memory for a while */
#if defined(__SANITIZE_ADDRESS__)
enum { MEMORY_IS_MEASURED = 0 };
#else
enum { MEMORY_IS_MEASURED = 1 };
#endif

/* runs limber with these words; the most memory that it held, in kB */
static long memory_of(const char *const *words)
{
    struct rusage usage;
    int status;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int silent = open("/dev/null", O_WRONLY);
        dup2(silent, STDOUT_FILENO);
        execvp("limber", (char *const *)words);
        _exit(127);
    }
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) <= 1);
    return usage.ru_maxrss;
}

/* a million rows take as much as these: some MB more than the program itself */
enum { MOST_MEMORY = 40000, MOST_GROWTH = 4000 };

static void check_memory(const char *what, const char *const *few, const char *const *many)
{
    long before = memory_of(few), after = memory_of(many);
    print_message("%s: %d rows in %ld kB, %d in %ld kB\n", what, FEW, before, MANY, after);
    if (!MEMORY_IS_MEASURED)
        return;
    assert_true(after < MOST_MEMORY);
    assert_true(after < before + MOST_GROWTH);
}

static void memory_is_bounded_of_poses(void **state)
{
    (void)state;
    write_poses("few.csv", 0, FEW, -1);
    write_poses("many.csv", 0, MANY, -1);
    check_memory(
        "limber fk",
        (const char *[]){"limber", "fk", "ur5", "--poses", "few.csv", "--output", "o.csv", NULL},
        (const char *[]){"limber", "fk", "ur5", "--poses", "many.csv", "--output", "o.csv", NULL});
}

/* ---- the same bytes ----------------------------------------------------- */

/* rows of a CSV text, without its header */
static const char *rows_of(const char *text)
{
    return strchr(text, '\n') + 1;
}

static void blocks_have_the_bytes_of_parts(void **state)
{
    (void)state;
    enum { PART = CSV_BLOCK / 2 };
    write_poses("poses.csv", 0, FEW, -1);
    program_must("fk ur5 --poses poses.csv");
    char *whole = strdup(program.out), *at = whole;
    for (int first = 0; first < FEW; first += PART) {
        write_poses("part.csv", first, PART, -1);
        program_must("fk ur5 --poses part.csv");
        const char *part = first == 0 ? program.out : rows_of(program.out);
        assert_int_equal(strncmp(at, part, strlen(part)), 0);
        at += strlen(part);
    }
    assert_string_equal(at, "");
    program_must("fk ur5 --poses - --output - <poses.csv");
    assert_string_equal(program.out, whole);
    free(whole);
}

/* ---- a late error ------------------------------------------------------- */

static void late_errors_leave_the_old_file(void **state)
{
    (void)state;
    char says[64];
    write_poses("poses.csv", 0, FEW, FEW - 10);
    program_write("o.csv", "what was there before\n");
    snprintf(says, sizeof says, "limber: poses.csv:%d: column 'wrist_1_joint': 'x' is not",
             FEW - 10 + 2);
    program_refuses("fk ur5 --poses poses.csv --output o.csv", says);
    char *now = program_read("o.csv");
    assert_string_equal(now, "what was there before\n");
    free(now);

    /* standard output has the whole rows of the blocks before, and the exit status is 2 */
    write_poses("good.csv", 0, FEW, -1);
    program_must("fk ur5 --poses good.csv");
    char *good = strdup(program.out);
    assert_int_equal(program_run("fk ur5 --poses poses.csv"), 2);
    assert_non_null(strstr(program.err, says));
    assert_true(program.out_size > 0 && program.out_size < strlen(good));
    assert_int_equal(strncmp(good, program.out, program.out_size), 0);
    assert_int_equal(program.out[program.out_size - 1], '\n');
    free(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_bounded_of_poses),
        cmocka_unit_test(blocks_have_the_bytes_of_parts),
        cmocka_unit_test(late_errors_leave_the_old_file),
    };
    return cmocka_run_group_tests(tests, program_start, program_stop);
}
