/*
 * test_cli_memory.c - every command while memory runs out: the whole result or a complaint.
 *
 * The n-th allocation fails, alone or with all that follow (preload/failing_malloc.c). Then
 * the program either writes what it always writes, or exits with status 2 and says so; nothing
 * is lost from a result, nothing crashes, and a file is as it was or as it always becomes. Of
 * commands that draw or write .npz only the program's own allocations fail: without memory
 * fontconfig, which lays out text, neither returns nor fails, cairo (1.16) writes beyond its stack
 * and minizip (1.1) reads through NULL. Left out are bench, whose numbers differ each time, and
 * view, which does not end. A run of all n takes many minutes, so some are left out unless
 * LIMBER_EVERY_ALLOCATION is set.
 */
#define _XOPEN_SOURCE 700

#include "support_program.h"

#ifdef LIMBER_FAILING_MALLOC
enum { CAN_FAIL = 1 };
#else
enum { CAN_FAIL = 0 };
#define LIMBER_FAILING_MALLOC ""
#endif

/* LLVM's OpenMP (14), which clang links, ends the program when it gets no memory for threads */
#ifdef __clang__
#define WHOSE "FAIL_IN=limber"
#else
#define WHOSE ""
#endif

enum { RUNS = 12 }; /* of each command and way to fail */

/* a command, and what its files then hold */
static const char *const commands[] = {
    "info panda",
    "info panda --json",
    "models",
    "models --json",
    "models --sources",
    "fk panda --frame panda_hand --json",
    "fk panda --poses p.csv --frame panda_hand --output f.npy && cksum <f.npy",
    "ik panda --tip panda_hand --position '0.3 0.2 0.5'",
    // all but the line that has the time
    "ik panda --tip panda_hand --targets t.csv --report >r && grep -v outcome r",
    "ik panda --tip panda_hand --targets t.csv --json >j && grep -v seconds j",
    "ik ur5 --position '0.3 0.2 0.5' --rpy '0 0 1' --all",
    "ik planar3 --position '1 1 0' --method pseudoinverse --trace --json",
    "ik panda --tip panda_hand --position '0.3 0.2 0.5' --rpy '0 0 1' "
    "--avoid-collision --scene s.json",
    "animate planar3 --to '1 1 0' --output a.json && cat a.json",
    "collide panda --scene s.json --json",
    // the rows have times
    "compare planar3 --position '1 1 0' >c && wc -l <c",
    "convert ur5 --output c.json && cat c.json",
    "convert w.bvh --keys k.csv --output b.bvh && cat b.bvh",
    "check sway.csv --model human --json",
    "follow planar3 --to '1 1 0' --free-rotation --output o.csv && cat o.csv",
    "pose planar3 --task pose.json --json",
    "retarget sway.csv --from human --to human --fps 4 --output r.csv --write-map m.json "
    "--write-contacts c.json && cat r.csv m.json c.json",
    "workspace planar2 --samples 1000",
    "workspace ur5 --grid 0.7 --orientations 72 --output g.npy && cksum <g.npy",
    "merge parts.npy --output h.npy && cksum <h.npy",
    "place ur5 --position '1 2 0.3' --rpy '3.14159 0 0' --grid 0.5 --best 2",
    "ik --help",
};

/* the same of commands that draw or write archives */
static const char *const drawings[] = {
    "draw panda --output d.svg && cat d.svg",
    "convert planar3 --root floating --keys w.csv --output w.npz && cksum <w.npz",
    "draw planar3 --output d.png && cksum <d.png",
    "draw human --tree --output t.svg && cat t.svg",
    "ik planar3 --position '1 1 0' --figure i.svg && cat i.svg",
    "compare planar3 --position '1 1 0' --figure c.svg && cat c.svg",
    "workspace planar2 --samples 500 --output w.svg && cat w.svg",
    "figures --only figure-5.10 --output f5 && cat f5/*.svg",
};

/* in the C locale: without memory for another the program does without UTF-8 */

/* how many allocations a command makes, its output kept in *expected; release with free() */
static long measure(const char *settings, const char *command, char **expected)
{
    program_shell("env LC_ALL=C %s COUNT_TO=count LD_PRELOAD='%s' limber %s", settings,
                  LIMBER_FAILING_MALLOC, command);
    if (program.status > 1)
        fail_msg("limber %s: %s", command, program.err);
    *expected = strdup(program.out);
    owned char *text = program_read("count");
    long count = strtol(text, NULL, 10);
    return count;
}

static void check(const char *settings, const char *command, long n, int on, const char *expected,
                  int expected_status)
{
    program_shell("env LC_ALL=C %s FAIL_AT=%ld FAIL_ON=%d LD_PRELOAD='%s' limber %s", settings, n,
                  on, LIMBER_FAILING_MALLOC, command);
    bool same = program.status == expected_status && strcmp(program.out, expected) == 0;
    bool refused = program.status == 2 && program.err_size > 0;
    if (!same && !refused)
        fail_msg("limber %s, allocation %ld%s: status %d, %zu bytes instead of %zu, '%s'", command,
                 n, on ? " and all after" : "", program.status, program.out_size, strlen(expected),
                 program.err);
}

static void check_command(const char *settings, const char *command)
{
    owned char *expected = NULL;
    long count = measure(settings, command, &expected), step = count / RUNS + 1;
    int status = program.status;
    // every command allocates: the library that counts is there
    assert_true(count > 0);
    if (getenv("LIMBER_EVERY_ALLOCATION"))
        step = 1;
    for (int on = 0; on < 2; on++)
        for (long n = on; n < count; n += step)
            check(settings, command, n, on, expected, status);
    print_message("%s: %ld allocations, every %ldth failed\n", command, count, step);
}

/* what the commands read */
static int write_files(void)
{
    int failed = program_start();
    program_write("t.csv", "x,y,z\n0.3,0.2,0.5\n");
    program_write("p.csv", "panda_joint1,panda_joint2\n0.1,0.2\n0.3,0.4\n");
    program_write("s.json", "{\"obstacles\": [{\"name\": \"table\", \"shapes\": [{\"shape\": "
                            "\"box\", \"size\": [0.6, 1, 0.1]}]}]}");
    program_write("w.csv", "time,root.x,joint_1\n0,0,0\n0.1,0.05,0.2\n0.2,0.1,0.1\n");
    program_write("w.bvh", "HIERARCHY\nROOT hips { OFFSET 0 0 0 CHANNELS 1 Xrotation }\nMOTION\n"
                           "Frames: 2\nFrame Time: 0.04\n10\n20\n");
    program_write("pose.json", "{\"tasks\": [{\"kind\": \"position\", \"link\": \"tip\", "
                               "\"position\": [1, 1, 0]}]}");
    program_write("sway.csv", "time,root.x\n0,0\n1,0.05\n");
    program_must("convert w.bvh k.csv");
    program_must("workspace ur5 --grid 0.7 --orientations 72 --output parts.npy");
    return failed;
}

TEST(results_are_whole_or_refused)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        check_command(WHOSE, commands[i]);
}

TEST(drawings_are_whole_or_refused)
{
    for (size_t i = 0; i < sizeof drawings / sizeof *drawings; i++)
        check_command("FAIL_IN=limber", drawings[i]);
}
TEST_SKIP(CAN_FAIL ? NULL : "no library makes allocations fail here")

TEST_FIXTURE(write_files, program_stop)
