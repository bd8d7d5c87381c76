/*
 * test_mpi_ik.c - inverse kinematics by the processes of a job: the program's own array, bit for
 * bit.
 */
#define _GNU_SOURCE

#include "jobs.h"

#include <limber/limber.h>

#include "formats/npy.h"

#ifdef LIMBER_MPI_PROGRAM

/* several tiles of targets, some of them out of reach */
enum { TARGETS = 40000 };

static void write_targets(const char *path)
{
    FILE *file = fopen(path, "wb");
    npy_writer array;
    assert_non_null(file);
    assert_true(npy_begin(&array, file, 7));
    lb_random random = lb_random_seed(29);
    for (int i = 0; i < TARGETS; i++) {
        lb_quat q = lb_quat_normalize(
            (lb_quat){lb_random_between(&random, -1, 1), lb_random_between(&random, -1, 1),
                      lb_random_between(&random, -1, 1), lb_random_between(&random, -1, 1)});
        for (int k = 0; k < 3; k++)
            npy_number(&array, lb_random_between(&random, -0.7, 0.7));
        npy_number(&array, q.w);
        npy_number(&array, q.x);
        npy_number(&array, q.y);
        npy_number(&array, q.z);
    }
    assert_true(npy_end(&array));
    fclose(file);
}

TEST(any_number_of_processes_writes_the_same_rows)
{
    write_targets("t.npy");
    // some targets are out of reach
    assert_int_equal(program_run("ik ur5 --targets t.npy --output whole.npy"), 1);
    for (int n = 1; n <= 4; n *= 2) {
        assert_int_equal(run_job(n, "ik ur5 --targets t.npy --output ranks.npy"), 1);
        assert_int_equal(program_shell("cmp ranks.npy whole.npy"), 0);
        assert_false(program_has_file("ranks.npy.part"));
    }
}

#define LONG_JOB "ik crx10ia --targets slow.npy --output killed.npy"

TEST(a_killed_job_goes_on)
{
    write_targets("slow.npy");
    assert_int_equal(program_run("ik crx10ia --targets slow.npy --output unkilled.npy"), 1);
    lb_random random = lb_random_seed(12);
    for (int i = 0; i < 2; i++)
        run_and_kill(LONG_JOB, "killed.npy.part", (long)lb_random_between(&random, 20, 300),
                     i == 1);
    // beyond the eight bytes that say what the run is, a state speaks of tiles
    for (long wait = 100; program_file_size("killed.npy.state") <= 8; wait += 100) {
        unlink("killed.npy");
        run_and_kill(LONG_JOB, "killed.npy.part", wait, false);
    }
    assert_true(program_has_file("killed.npy.part") && !program_has_file("killed.npy"));
    // other options are another run
    assert_int_equal(run_job(2, LONG_JOB " --seed 5"), 2);
    assert_non_null(strstr(program.err, "killed.npy.part' has rows of another run"));
    int status = run_job(2, LONG_JOB " --seed 5 --anew");
    if (status != 1)
        fail_msg("%d: %s", status, program.err);
    assert_null(strstr(program.err, "they stay"));
    // how soon there are rows, and all of them, is the machine's affair
    static const long waits[] = {300, 100, 900, 30, 2700};
    bool stay = false;
    for (size_t i = 0; i < sizeof waits / sizeof *waits && !stay; i++) {
        assert_int_equal(program_shell("rm killed.npy"), 0);
        run_and_kill(LONG_JOB, "killed.npy.part", waits[i], false);
        assert_int_equal(run_job(2, LONG_JOB), 1);
        stay = strstr(program.err, "'killed.npy.part' has rows of this run: they stay") != NULL;
    }
    assert_true(stay);
    assert_int_equal(program_shell("cmp killed.npy unkilled.npy"), 0);
    assert_false(program_has_file("killed.npy.part") || program_has_file("killed.npy.state"));
}

TEST(what_a_job_cannot_write_is_refused)
{
    static const char *const refused[][2] = {
        {"ik ur5 --targets t.npy --output rows.csv", "OUT.npy"},
        {"ik ur5 --targets t.npy", "OUT.npy"},
        {"ik ur5 --targets t.npy --report --output rows.npy", "--report"},
        {"ik ur5 --targets t.npy --all --output rows.npy", "--all"},
        {"ik ur5 --targets none.npy --output rows.npy", "none.npy"},
    };
    write_targets("t.npy");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(run_job(2, refused[i][0]), 2);
        const char *said = strstr(program.err, refused[i][1]);
        assert_non_null(said);
        assert_false(program_has_file("rows.csv") || program_has_file("rows.npy"));
    }
}

TEST_FIXTURE(program_start, program_stop)

#else

TEST_SKIP("limber-mpi was not built")

#endif
