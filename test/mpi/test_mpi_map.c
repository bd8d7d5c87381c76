/*
 * test_mpi_map.c - maps by the processes of a job: the program's own file, bit for bit, for any
 * number of processes and whatever becomes of them.
 */
#define _GNU_SOURCE

#include <limber/base.h>

#include "jobs.h"

/* a map of 200,000 questions, and one of some seconds */
#define MAP                                                                                        \
    "workspace panda --tip panda_hand --grid 0.15 --orientations 72 --contents bits,limit_margin"
#define LONG_MAP "workspace panda --tip panda_hand --grid 0.06 --orientations 72"

#ifdef LIMBER_MPI_PROGRAM

static void assert_same(const char *path, const char *expected)
{
    if (program_shell("cmp %s %s", path, expected) != 0)
        fail_msg("%s differs from %s: %s", path, expected, program.out);
}

TEST(any_number_of_processes_makes_the_same_file)
{
    program_must(MAP " --output whole.npy");
    static const int counts[] = {1, 2, 4};
    for (int i = 0; i < 3; i++) {
        char line[200];
        snprintf(line, sizeof line, "%s --output ranks%d.npy --report", MAP, counts[i]);
        if (run_job(counts[i], line) != 0)
            fail_msg("%s", program.err);
        // the first process alone has the words
        const char *words = strstr(program.out, "reached ");
        assert_non_null(words);
        assert_null(strstr(words + 1, "reached "));
        snprintf(line, sizeof line, "ranks%d.npy", counts[i]);
        assert_same(line, "whole.npy");
    }
    assert_same("ranks4.json", "whole.json");
}

/* what a part of the program's has decided stays, and reversely */
TEST(jobs_and_the_program_go_on_with_each_other)
{
    program_must(MAP " --output whole.npy");
    program_must(MAP " --part 2/3 --output part.npy");
    assert_int_equal(program_run("merge part.npy --output both.npy"), 1);
    if (run_job(2, MAP " --output both.npy") != 0)
        fail_msg("%s", program.err);
    assert_same("both.npy", "whole.npy");
    // a record that was written in part: its count begins like an undecided one
    program_shell("cp whole.npy torn.npy; cp whole.json torn.json");
    FILE *file = fopen("torn.npy", "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, -1, SEEK_END), 0);
    putc(0xff, file);
    fclose(file);
    assert_int_equal(program_run("merge torn.npy --output repeat.npy"), 1);
    if (run_job(2, MAP " --output torn.npy") != 0)
        fail_msg("%s", program.err);
    assert_same("torn.npy", "whole.npy");
}

TEST(a_killed_job_is_resumed)
{
    program_must(LONG_MAP " --output unkilled.npy");
    lb_random random = lb_random_seed(11);
    for (int i = 0; i < 3; i++)
        run_and_kill(LONG_MAP " --output killed.npy", "killed.npy",
                     (long)lb_random_between(&random, 100, 900), i == 1);
    if (run_job(2, LONG_MAP " --output killed.npy") != 0)
        fail_msg("%s", program.err);
    assert_same("killed.npy", "unkilled.npy");
}

TEST(help_is_printed_once)
{
    assert_int_equal(run_job(2, "--help"), 0);
    const char *said = strstr(program.out, "workspace");
    assert_non_null(said);
    assert_null(strstr(said + 1, "limber-mpi - "));
    assert_non_null(strstr(said, "  ik "));
    assert_int_equal(run_job(2, "ik --help"), 0);
    assert_non_null(strstr(program.out, "--targets"));
}

TEST(what_a_job_cannot_do_is_refused)
{
    static const char *const refused[][2] = {
        {MAP " --output map.vti", "in parts"},
        {MAP " --part 1/2 --output map.npy", "--part"},
        {MAP " --threads 2 --output map.npy", "--threads"},
        {MAP " --grib 2 --output map.npy", "--grib"},
        {"place ur5", "no command 'place'"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(run_job(2, refused[i][0]), 2);
        // said once
        const char *said = strstr(program.err, refused[i][1]);
        assert_non_null(said);
        assert_null(strstr(said + strlen(refused[i][1]), "limber: "));
        assert_false(program_has_file("map.npy"));
    }
    program_must(MAP " --output map.npy");
    assert_int_equal(run_job(2, LONG_MAP " --output map.npy"), 2);
    assert_non_null(strstr(program.err, "something else"));
}

/* a scene that is not the same for each process: no cell is decided */
TEST(processes_agree_on_what_they_avoid)
{
    static const char line[] =
        "%s -n 2 sh -c 'cd at$OMPI_COMM_WORLD_RANK && exec %s workspace panda --tip panda_hand "
        "--grid 0.6 --orientations 72 --avoid-collision --scene scene.json --output ../map.npy'";
    static const char scene[] = "{\"obstacles\": [{\"name\": \"ball\", \"shapes\": [{\"shape\": "
                                "\"sphere\", \"radius\": 0.%d}]}]}";
    char text[200];
    program_shell_exits(0, "mkdir at0 at1");
    snprintf(text, sizeof text, scene, 1);
    program_write("at0/scene.json", text);
    program_write("at1/scene.json", text);
    program_shell_exits(0, line, JOB, LIMBER_MPI_PROGRAM);
    program_shell_exits(0, "rm map.npy map.json");
    snprintf(text, sizeof text, scene, 2);
    program_write("at1/scene.json", text);
    assert_int_equal(program_shell(line, JOB, LIMBER_MPI_PROGRAM), 2);
    assert_said("the scene are not here what they are for the first process");
    assert_false(program_has_file("map.npy"));
}

TEST_FIXTURE(program_start, program_stop)

#else

TEST_SKIP("limber-mpi was not built")

#endif
