/*
 * test_cli_kill.c - a program that is ended while it writes leaves the old file or the new one.
 *
 * It is ended by SIGINT or SIGKILL after a random time, some 40 times; then the target is
 * complete, old or new, and where the system has files without a name, nothing lies beside it.
 */
#define _GNU_SOURCE

#include <fcntl.h>
#include <limber/base.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "support_program.h"

enum { ROUNDS = 40, POSES = 3000 };

static bool has_unnamed_files(void)
{
#ifdef O_TMPFILE
    int unnamed = open(".", O_TMPFILE | O_WRONLY, 0600);
    if (unnamed >= 0)
        close(unnamed);
    return unnamed >= 0;
#else
    return false;
#endif
}

/* runs limber fk into out.csv and ends it after so many microseconds; true if it had finished */
static bool run_and_end(int signal_number, long microseconds)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int silent = open("/dev/null", O_WRONLY);
        dup2(silent, STDERR_FILENO);
        execlp("limber", "limber", "fk", "ur5", "--frame", "tool0", "--poses", "poses.csv",
               "--output", "out.csv", (char *)NULL);
        _exit(127);
    }
    nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL);
    kill(child, signal_number);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status);
}

static void write_poses(void)
{
    FILE *file = fopen("poses.csv", "wb");
    assert_non_null(file);
    fputs("shoulder_pan_joint,shoulder_lift_joint\n", file);
    for (int i = 0; i < POSES; i++)
        fprintf(file, "%g,%g\n", 0.001 * i, -0.0005 * i);
    fclose(file);
}

static void the_target_is_old_or_new(void **state)
{
    (void)state;
    static const char old[] = "what was there before\n";
    write_poses();
    program_must("fk ur5 --frame tool0 --poses poses.csv --output out.csv");
    char *new = program_read("out.csv");
    bool clean = has_unnamed_files();
    int files = program_count_files(), olds = 0, news = 0;
    lb_random random = lb_random_seed(7);
    for (int i = 0; i < ROUNDS; i++) {
        program_write("out.csv", old);
        run_and_end(i % 2 ? SIGINT : SIGKILL, (long)lb_random_between(&random, 0, 60000));
        char *now = program_read("out.csv");
        bool is_old = strcmp(now, old) == 0, is_new = strcmp(now, new) == 0;
        free(now);
        assert_true(is_old || is_new);
        olds += is_old;
        news += is_new;
        if (clean)
            assert_int_equal(program_count_files(), files);
    }
    print_message("%d times the old file, %d times the new one%s\n", olds, news,
                  clean ? ", nothing beside it" : "");
    free(new);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_target_is_old_or_new),
    };
    return cmocka_run_group_tests(tests, program_start, program_stop);
}
