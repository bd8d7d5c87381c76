/*
 * test_cli_corpus.c - limber retarget of many captures onto many models.
 *
 * Each file is byte for byte the one that a run of its own writes, however the jobs are split, and
 * whatever ended a run before.
 */
#define _POSIX_C_SOURCE 200809L

#include "support_program.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

TEST_FIXTURE(program_start, program_stop)

enum { CLIPS = 4, MODELS = 2, KILLS = FEWER(12, 4) };

static const char *const models[MODELS] = {"human", "biped"};

#define JOBS                                                                                       \
    "s/sway0.csv s/sway1.csv s/sway2.csv s/sway3.csv --from human --to human --to biped --fps 20 "

/* captures, and what single runs make of them */
static void write_inputs(void)
{
    program_shell("mkdir -p s one/human one/biped");
    for (int clip = 0; clip < CLIPS; clip++) {
        char path[32], text[128];
        snprintf(path, sizeof path, "s/sway%d.csv", clip);
        snprintf(text, sizeof text, "time,root.x,root.y\n0,0,0\n0.5,0.0%d,0.01\n1,0.02,0\n", clip);
        program_write(path, text);
        for (int m = 0; m < MODELS; m++)
            program_must("retarget %s --from human --to %s --fps 20 --output one/%s/sway%d.csv",
                         path, models[m], models[m], clip);
    }
}

static void check_files(const char *folder)
{
    assert_int_equal(program_shell("diff -r -x limber.json one %s", folder), 0);
}

static void check_counts(int written, int there, int failed)
{
    char text[96];
    snprintf(text, sizeof text, "note: %d written, %d there already, %d failed\n", written, there,
             failed);
    if (strstr(program.err, text) == NULL)
        fail_msg("not \"%s\" but %s", text, program.err);
}

TEST(files_are_those_of_single_runs)
{
    write_inputs();
    program_must("retarget " JOBS "--output 'a/{model}/{clip}.csv'");
    check_counts(8, 0, 0);
    check_files("a");
    program_must("retarget " JOBS "--output 'b/{model}/{clip}.csv' --jobs 3");
    check_files("b");
    for (int part = 1; part <= 3; part++)
        program_must("retarget " JOBS "--output 'c/{model}/{clip}.csv' --part %d/3", part);
    check_counts(2, 0, 0);
    check_files("c");
}

TEST(what_is_done_is_not_done_again)
{
    write_inputs();
    program_must("retarget " JOBS "--output 'a/{model}/{clip}.csv'");
    program_must("retarget " JOBS "--output 'a/{model}/{clip}.csv' --jobs 2");
    check_counts(0, 8, 0);
    assert_int_equal(program_shell("rm a/human/sway2.csv && touch s/sway3.csv"), 0);
    program_must("retarget " JOBS "--output 'a/{model}/{clip}.csv'");
    check_counts(3, 5, 0);
    check_files("a");
    program_must("retarget " JOBS "--output 'a/{model}/{clip}.csv' --anew");
    check_counts(8, 0, 0);
    // a report that is not there belongs to a job that is not done
    assert_int_equal(program_run("retarget " JOBS "--output 'a/{model}/{clip}.csv' --report "
                                 "'a/{model}/{clip}.json'"),
                     2);
    assert_non_null(strstr(program.err, "'a/limber.json' is of other options or another version"));
    program_must("retarget " JOBS
                 "--output 'd/{model}/{clip}.csv' --report 'd/{model}/{clip}.json'");
    assert_int_equal(program_shell("rm d/biped/sway0.json"), 0);
    program_must("retarget " JOBS
                 "--output 'd/{model}/{clip}.csv' --report 'd/{model}/{clip}.json'");
    check_counts(1, 7, 0);
}

/* an edited file that an option names makes all jobs anew */
TEST(files_of_options_count)
{
    write_inputs();
    program_write("l.json", "{\"joint_limits\": {}}");
    for (int again = 0; again < 2; again++) {
        program_must("retarget " JOBS "--limits l.json --output 'l/{model}/{clip}.csv'");
        check_counts(again ? 0 : 8, again ? 8 : 0, 0);
    }
    assert_int_equal(program_shell("touch l.json"), 0);
    program_must("retarget " JOBS "--limits l.json --output 'l/{model}/{clip}.csv'");
    check_counts(8, 0, 0);
}

TEST(a_job_that_fails_costs_itself)
{
    write_inputs();
    program_write("s/wrong.csv", "time,root.x\n0,nan\n");
    assert_int_equal(program_run("retarget s/wrong.csv " JOBS "--output 'e/{model}/{clip}.csv'"),
                     2);
    check_counts(8, 0, 2);
    assert_non_null(strstr(program.err, "limber: wrong on human: s/wrong.csv:"));
    assert_non_null(strstr(program.err, "limber: wrong on biped: s/wrong.csv:"));
    check_files("e");
}

TEST(names_tell_captures_apart)
{
    write_inputs();
    assert_int_equal(program_shell("mkdir -p s/more && cp s/sway0.csv s/more/sway1.csv"), 0);
    program_must("retarget s/more/sway1.csv s/sway1.csv --from human --to biped --fps 20 "
                 "--output 'f/{clip}.csv'");
    assert_int_equal(program_shell("cmp f/more/sway1.csv one/biped/sway0.csv"), 0);
    assert_int_equal(program_shell("cmp f/sway1.csv one/biped/sway1.csv"), 0);
    // one capture with its name in braces
    program_must("retarget s/sway1.csv --from human --to biped --fps 20 --output 'g/{clip}.csv'");
    assert_int_equal(program_shell("cmp g/sway1.csv one/biped/sway1.csv"), 0);
}

TEST(an_array_job_is_done_by_its_tasks)
{
    write_inputs();
    assert_int_equal(program_shell("mkdir caught"), 0);
    program_must("retarget s/sway0.csv --from human --to human --fps 20 --output caught/a.bvh");
    program_must("retarget s/sway1.csv --from human --to human --fps 20 --output caught/b.bvh");
    program_must("retarget caught/a.bvh --to biped --output whole.npz");
    for (int task = 1; task <= 2; task++)
        assert_int_equal(program_shell("SLURM_ARRAY_TASK_ID=%d SLURM_ARRAY_TASK_COUNT=2 sh "
                                       "'" LIMBER_SOURCE_DIR "/examples/array_job.sh' caught biped",
                                       task),
                         0);
    check_counts(1, 0, 0);
    assert_int_equal(program_shell("cmp motions/biped/a.npz whole.npz"), 0);
    assert_true(program_has_file("motions/biped/b.npz"));
}

TEST(what_cannot_be_meant_is_refused)
{
    write_inputs();
    static const struct {
        const char *words, *says;
    } rows[] = {
        {JOBS, "--output names the files"},
        {JOBS "--output 'x/{clip}.csv'", "is one file for 2 models: put {model} in its name"},
        {JOBS "--output x.csv", "is one file for 4 captures: put {clip} in its name"},
        {JOBS "--output 'x/{model}/{clip}.csv' --report r.json", "--report 'r.json' is one file"},
        {JOBS "--output 'x/{model}/{clip}{n}.csv'", "{clip} and {model} are what can be in braces"},
        {JOBS "--output 'x/{model}/{clip}.csv' --part 4/3", "\"4/3\" is not I/N"},
        {JOBS "--output 'x/{model}/{clip}.csv' --jobs 0", "--jobs"},
        {JOBS "--to biped --output 'x/{model}/{clip}.csv'", "would be written twice"},
        {"s/sway0.csv --from human --to biped --output x.csv --jobs 2",
         "--jobs has no effect with one capture on one model"},
        {"- --stream --from human --to biped --to human", "--stream"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(program_run("retarget %s", rows[i].words), 2);
        if (strstr(program.err, rows[i].says) == NULL)
            fail_msg("%s: %s", rows[i].words, program.err);
    }
    assert_false(program_has_file("x"));
}

TEST(a_run_that_was_killed_goes_on)
{
    write_inputs();
    for (int i = 0; i < KILLS; i++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            setpgid(0, 0);
            execl("/bin/sh", "sh", "-c",
                  "exec limber retarget " JOBS
                  "--output 'k/{model}/{clip}.csv' --jobs 2 2>/dev/null",
                  (char *)NULL);
            _exit(127);
        }
        nanosleep(&(struct timespec){.tv_nsec = (3 + 11 * i) * 1000000L}, NULL);
        // with its jobs, or they alone go on to their end
        kill(i % 2 == 0 ? -child : child, SIGKILL);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
    }
    program_must("retarget " JOBS "--output 'k/{model}/{clip}.csv'");
    check_files("k");
}
