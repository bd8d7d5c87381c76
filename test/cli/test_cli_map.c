/*
 * test_cli_map.c - maps of what a robot reaches: one file, bit for bit, however it was computed.
 */
#define _GNU_SOURCE

#include <fcntl.h>
#include <limber/base.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support_program.h"

/* cells, which under the sanitizer are twice as large, and an eighth as many */
#ifdef __SANITIZE_ADDRESS__
#define CELL "0.4"
#define RICH_CELL "0.6"
#define FINE_CELL "0.16"
#else
#define CELL "0.2"
#define RICH_CELL "0.3"
#define FINE_CELL "0.08"
#endif

/* a map of some 30,000 questions */
#define MAP "workspace panda --tip panda_hand --grid " CELL " --orientations 72"

/* two files are the same, bit for bit */
static void assert_same(const char *path, const char *expected)
{
    if (program_shell("cmp %s %s", path, expected) != 0)
        fail_msg("%s differs from %s: %s", path, expected, program.out);
}

TEST(any_split_gives_the_same_file)
{
    program_must(MAP " --output whole.npy");
    program_must(MAP " --threads 2 --output threads.npy");
    assert_same("threads.npy", "whole.npy");
    assert_same("threads.json", "whole.json");
    // three files joined in another order than they were made in
    for (int i = 1; i <= 3; i++)
        program_must(MAP " --part %d/3 --output part%d.npy", i, i);
    program_must("merge part3.npy part1.npy part2.npy --output merged.npy");
    assert_same("merged.npy", "whole.npy");
    assert_same("merged.json", "whole.json");
    // a whole that lacks parts is gone on with
    program_exits(1, "merge part1.npy part3.npy --output some.npy");
    program_must(MAP " --output some.npy");
    assert_said("stays");
    assert_same("some.npy", "whole.npy");
}

/* parts have together as many bytes as the whole, but for their headers; each belongs to one map */
TEST(a_part_is_as_large_as_its_tiles)
{
    program_must(MAP " --output whole.npy");
    program_shell("mkdir -p parts");
    for (int i = 1; i <= 50; i++)
        program_must(MAP " --part %d/50 --output parts/%d.npy", i, i);
    program_shell_exits(0, "test $(cat parts/*.npy | wc -c) = "
                           "$(($(stat -c %%s whole.npy) + 49 * 128))");
    program_shell_exits(0, "limber merge parts/*.npy --output parts/whole.npy");
    assert_same("parts/whole.npy", "whole.npy");
    assert_same("parts/whole.json", "whole.json");
    // the same part is there already; another one, or the whole, is another map
    program_must(MAP " --part 3/50 --output parts/3.npy");
    program_refuses(MAP " --part 4/50 --output parts/3.npy", "something else");
    program_refuses(MAP " --output parts/3.npy", "something else");
    program_refuses(MAP " --part 3/50 --output part.vti", "limber merge");
    // more parts than tiles: this one has none
    program_must(MAP " --part 100000/100000 --output none.npy");
    program_must("merge whole.npy none.npy --output again.npy");
    assert_same("again.npy", "whole.npy");
}

/* what took hours is not replaced for want of an option */
TEST(other_maps_are_not_overwritten)
{
    static const char map[] = "workspace ur5 --tip tool0 --grid 0.5 --orientations 72 --output ";
    program_must("%sfirst.npy", map);
    program_shell("cp first.npy kept.npy; cp first.json kept.json");
    program_refuses("workspace ur5 --tip tool0 --grid 0.4 --orientations 72 --output first.npy",
                    "--anew");
    assert_same("first.npy", "kept.npy");
    assert_same("first.json", "kept.json");
    // an array that was cut, and one that is no map
    program_shell("head -c 200 kept.npy > first.npy; head -c 500 kept.npy > other.npy");
    program_refuses("workspace ur5 --tip tool0 --grid 0.5 --orientations 72 --output first.npy",
                    "cut short");
    program_refuses("workspace ur5 --tip tool0 --grid 0.5 --orientations 72 --output other.npy",
                    "no map");
    program_must("%sfirst.npy --anew", map);
    assert_same("first.npy", "kept.npy");
}

/* the same where records have all that there is */
TEST(any_split_has_the_same_contents)
{
    static const char map[] =
        "workspace panda --tip panda_hand --grid " RICH_CELL " --orientations 72 --avoid-collision "
        "--margin 0.01 --contents bits,manipulability,limit_margin --inverse";
    program_must("%s --output rich.npy", map);
    program_must("%s --threads 2 --output rich2.npy", map);
    assert_same("rich2.npy", "rich.npy");
    for (int i = 1; i <= 3; i++)
        program_must("%s --part %d/3 --output rich_part%d.npy", map, i, i);
    program_must("merge rich_part2.npy rich_part1.npy rich_part3.npy --output merged.npy");
    assert_same("merged.npy", "rich.npy");
    // other margins are other maps
    program_must("workspace panda --tip panda_hand --grid " RICH_CELL
                 " --orientations 72 --avoid-collision "
                 "--contents bits,manipulability,limit_margin --inverse --output wide.npy");
    program_refuses("merge rich.npy wide.npy --output both.npy", "descriptions");
}

/* an arm of six joints whose first and fourth links are the mesh cube.obj */
static void write_arm(void)
{
    static const char *const origins[] = {"0 0 .2",   "0 .1 0",    "0.4 0 0",
                                          "0.35 0 0", "0 .1 -.05", "0 0 -.08"};
    FILE *file = fopen("arm.urdf", "w");
    assert_non_null(file);
    fputs("<robot name=\"arm\">", file);
    for (int i = 0; i < 7; i++)
        fprintf(file, "<link name=\"l%d\"><collision><geometry>%s</geometry></collision></link>", i,
                i % 3 == 0 && i < 6 ? "<mesh filename=\"cube.obj\"/>" : "<sphere radius=\".05\"/>");
    for (int i = 0; i < 6; i++)
        fprintf(file,
                "<joint name=\"j%d\" type=\"revolute\"><parent link=\"l%d\"/><child link=\"l%d\"/>"
                "<origin xyz=\"%s\"/><axis xyz=\"%s\"/><limit lower=\"-3\" upper=\"3\" "
                "velocity=\"2\" effort=\"1\"/></joint>",
                i, i, i + 1, origins[i], i % 4 == 0 ? "0 0 1" : "0 1 0");
    fputs("</robot>", file);
    assert_int_equal(fclose(file), 0);
}

static void write_cube(const char *path, double half)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 8; i++)
        fprintf(file, "v %g %g %g\n", i & 1 ? half : -half, i & 2 ? half : -half,
                i & 4 ? half : -half);
    fputs("f 1 2 4 3\nf 5 6 8 7\nf 1 2 6 5\nf 3 4 8 7\nf 1 3 7 5\nf 2 4 8 6\n", file);
    assert_int_equal(fclose(file), 0);
}

/* all that collisions are found with belongs to what a map is of */
TEST(maps_of_other_collisions_are_refused)
{
    static const char map[] = "workspace arm.urdf --grid 0.7 --orientations 72 --avoid-collision "
                              "--scene scene.json";
    static const struct {
        const char *change, *differs;
    } cases[] = {
        {"cp small.obj cube.obj", "differ in avoidance.links"},
        {"rm cube.obj", "avoidance.left_out"},
        {"cp disabled.srdf arm.srdf", "differ in avoidance.pairs"},
        {"cp small.obj box.obj", "differ in avoidance.scene"},
        {"rm box.obj", "avoidance.left_out"},
    };
    write_arm();
    write_cube("large.obj", 0.15);
    write_cube("small.obj", 0.03);
    program_write("disabled.srdf", "<robot name=\"arm\"><disable_collisions link1=\"l0\" "
                                   "link2=\"l4\" reason=\"User\"/></robot>");
    program_write("scene.json", "{\"limber\": 1, \"obstacles\": [{\"name\": \"box\", "
                                "\"shapes\": [{\"shape\": \"mesh\", \"mesh\": \"box.obj\"}]}]}");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        program_shell_exits(0, "rm -f arm.srdf; cp large.obj cube.obj; cp large.obj box.obj");
        program_must("%s --part 1/2 --output first.npy --anew", map);
        program_shell_exits(0, "%s", cases[i].change);
        program_must("%s --part 2/2 --output second.npy --anew", map);
        program_refuses("merge first.npy second.npy --output both.npy", cases[i].differs);
    }
    // nor is a map gone on with
    program_must("%s --output whole.npy", map);
    program_must("%s --output whole.npy", map);
    assert_said("stays");
    program_shell_exits(0, "cp small.obj box.obj");
    program_exits(2, "%s --output whole.npy", map);
    assert_said("differs in avoidance.scene");
}

/* every format has the numbers of the array, as Python reads them */
TEST(python_reads_every_format)
{
    static const char map[] = "workspace ur5 --tip tool0 --grid 0.3 --orientations 72 --contents "
                              "solutions,bits,limit_margin,manipulability";
    if (program_shell("/usr/bin/python3 -c 'import numpy'") != 0) {
        print_message("there is no numpy: nothing is read\n");
        skip();
    }
    program_must("%s --output ur5.npy", map);
    program_must("%s --output ur5.vti", map);
    program_must("merge ur5.npy --output again.vti");
    assert_same("again.vti", "ur5.vti");
    if (program_shell("/usr/bin/python3 %s/test/cli/cli_map/read.py ur5", LIMBER_SOURCE_DIR) != 0)
        fail_msg("%s%s", program.out, program.err);
    print_message("%s", program.out);
}

/* a missing part is said, and the exit status too */
TEST(missing_parts_are_said)
{
    program_must(MAP " --part 1/2 --output half.npy");
    program_says(1, "merge half.npy --output again.npy --report", "not decided");
    assert_printed("undecided");
}

/* runs a map into killed.npy and ends it after so many milliseconds */
static void run_and_kill(long milliseconds)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int silent = open("/dev/null", O_WRONLY);
        dup2(silent, STDERR_FILENO);
        execlp("limber", "limber", "workspace", "panda", "--tip", "panda_hand", "--grid", FINE_CELL,
               "--orientations", "72", "--output", "killed.npy", (char *)NULL);
        _exit(127);
    }
    nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
    kill(child, SIGKILL);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
}

TEST(a_killed_map_is_resumed)
{
    static const char whole[] = "workspace panda --tip panda_hand --grid " FINE_CELL
                                " --orientations 72 --output unkilled.npy";
    program_must("%s", whole);
    lb_random random = lb_random_seed(11);
    for (int i = 0; i < 3; i++)
        run_and_kill((long)lb_random_between(&random, 50, 600));
    program_must("workspace panda --tip panda_hand --grid " FINE_CELL " --orientations 72 "
                 "--output killed.npy");
    assert_same("killed.npy", "unkilled.npy");
}

/* a program that may write files of 512 bytes only, or none at all, or is ended before it renames
 */
static const struct {
    const char *before, *after;
} troubles[] = {
    {"trap '' XFSZ; ulimit -f 1;", ""},
    {"trap '' XFSZ; ulimit -f 0;", ""},
    {"strace -qq -f -o /dev/null -e trace=rename -e inject=rename:signal=KILL:when=1", ""},
    {"strace -qq -f -o /dev/null -e trace=rename -e inject=rename:signal=KILL:when=2", ""},
    {"strace -qq -f -o /dev/null -e trace=rename -e inject=rename:error=ENOSPC:when=1", ""},
    {"strace -qq -f -o /dev/null -e trace=rename -e inject=rename:error=ENOSPC:when=2", ""},
};

/* an array never lies beside the description of another, wherever the program ends */
TEST(a_map_that_is_not_replaced_is_never_another)
{
    static const char map[] = "--grid 0.3 --orientations 72 --contents bits";
    program_must("workspace kr6 %s --output old.npy", map);
    program_must("workspace ur5 %s --output new.npy", map);
    bool traced = program_shell("strace -qq -o /dev/null true") == 0;
    for (size_t i = 0; i < sizeof troubles / sizeof *troubles; i++) {
        if (strncmp(troubles[i].before, "strace", 6) == 0 && !traced)
            continue;
        for (int merging = 0; merging < 2; merging++) {
            program_shell_exits(0, "cp old.npy map.npy; cp old.json map.json");
            int status =
                merging
                    ? program_shell("%s limber merge new.npy --output map.npy", troubles[i].before)
                    : program_shell("%s limber workspace ur5 %s --anew --output map.npy",
                                    troubles[i].before, map);
            assert_int_not_equal(status, 0);
            bool whole = program_has_file("map.npy");
            if (whole) {
                assert_same("map.npy", "old.npy");
                assert_same("map.json", "old.json");
                program_refuses("workspace ur5 --grid 0.3 --orientations 72 --contents bits "
                                "--output map.npy",
                                "differs in");
            } else {
                program_must("workspace ur5 %s --output map.npy", map);
                assert_same("map.npy", "new.npy");
                assert_same("map.json", "new.json");
            }
        }
    }
}

/* numpy's own header, and as many numbers as it says */
TEST(the_array_is_numpys)
{
    program_must("workspace ur5 --tip tool0 --grid 0.3 --orientations 72 --output array.npy");
    owned char *text = program_read("array.json");
    const char *at = strstr(text, "\"count\": ");
    assert_non_null(at);
    long n = strtol(at + strlen("\"count\": "), NULL, 10);
    assert_true(n >= 5 && n % 2 == 1);
    owned char *bytes = program_read("array.npy");
    char header[128];
    assert_memory_equal(bytes, "\x93NUMPY\x01\x00\x76\x00", 10);
    snprintf(header, sizeof header, "'<u2', 'fortran_order': True, 'shape': (%ld, %ld, %ld), }", n,
             n, n);
    assert_non_null(strstr(bytes + 10, header));
    program_shell_exits(0, "test $(stat -c %%s array.npy) = %ld", 128 + 2 * n * n * n);
    program_must("merge array.npy --output array.vti");
    assert_in_file("array.vti", "<ImageData WholeExtent=\"0 ");
}

/* replaces bytes of the record of a cell; `bits`, `manipulability`, `limit_margin` and `reached` */
static void change_record(const char *path, size_t cell, size_t offset, size_t size,
                          const void *bytes)
{
    enum { HEADER = 192, RECORD = 9 + 4 + 4 + 2 };
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (long)(HEADER + cell * RECORD + offset), SEEK_SET), 0);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* parts that cannot be true, and two that cannot both be */
TEST(parts_that_contradict_are_refused)
{
    static const char map[] = "workspace ur5 --tip tool0 --grid 0.5 --orientations 72 --contents "
                              "bits,manipulability,limit_margin";
    static const struct {
        size_t offset, size;
        const char *bytes, *says;
    } cases[] = {
        {0, 1, "\x01", "cell [0, 0, 0]: bits of 1 orientations, but 0 are reached"},
        {9, 4, "\0\0\x80\x7f", "cell [0, 0, 0]: manipulability is inf"},
        {13, 4, "\0\0\xc0\x7f", "cell [0, 0, 0]: limit_margin is nan"},
        {13, 4, "\0\0\0\x40", "cell [0, 0, 0]: limit_margin is 2"},
        {13, 4, "\0\0\x80\xbf", "cell [0, 0, 0]: limit_margin is -1"},
        {17, 1, "\x49", "cell [0, 0, 0]: 73 orientations, but there are 72"},
    };
    program_must("%s --output whole.npy", map);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        program_shell_exits(0, "cp whole.npy bad.npy; cp whole.json bad.json");
        change_record("bad.npy", 0, cases[i].offset, cases[i].size, cases[i].bytes);
        program_refuses("merge bad.npy --output new.npy", cases[i].says);
    }
    // a margin that might be, but not beside the true one
    program_shell_exits(0, "cp whole.npy bad.npy");
    change_record("bad.npy", 1, 13, 4, "\0\0\x80\x3e");
    program_must("merge bad.npy --output new.npy");
    program_refuses("merge whole.npy bad.npy --output other.npy",
                    "bad.npy: cell [1, 0, 0] is not as in 'whole.npy'");
    program_refuses("merge bad.npy whole.npy --output other.npy",
                    "whole.npy: cell [1, 0, 0] is not as in 'bad.npy'");
    program_must("merge whole.npy whole.npy --output other.npy");
}

/* figures of a map and of its contents; what it lacks is said */
TEST(maps_are_drawn)
{
    program_must("workspace ur5 --tip tool0 --grid 0.3 --orientations 72 --contents limit_margin "
                 "--output drawn.npy");
    program_must("draw drawn.npy --output slices.svg");
    assert_in_file("slices.svg", "<svg");
    program_must(
        "draw drawn.npy --slice z=0.3 --field limit_margin --title margins --output z.png");
    program_must("draw drawn.npy --shell 0.5 --view \"0.5 0.5\" --output shell.pdf");
    program_must("workspace ur5 --tip tool0 --grid 0.3 --orientations 72 --part 1/2 --inverse "
                 "--output drawn_half.npy");
    program_must("draw drawn_half.npy --output half.svg");
    program_refuses("draw drawn.npy --field solutions --output no.svg", "--contents solutions");
    program_refuses("draw drawn.npy --slice w=1 --output no.svg", "AXIS=METRES");
    program_refuses("draw drawn.npy --slice x=9 --output no.svg", "outside");
    program_refuses("draw drawn.npy --slice x=0 --shell 1 --output no.svg", "cannot both");
    program_refuses("draw drawn.npy --tree --output no.svg", "--tree");
    program_refuses("draw drawn.npy --at \"elbow_joint=1\" --output no.svg", "--at");
    program_refuses("draw ur5 --shell 1 --output no.svg", "unless a map");
}

TEST(what_is_no_map_is_refused)
{
    program_refuses("workspace ur5 --grid 0.3", "no destination given");
    program_refuses("workspace ur5 --grid 0.3 --output map.csv", ".npy");
    program_refuses("workspace ur5 --grid 0.3 --orientations 99 --output map.npy", "576");
    program_refuses("workspace ur5 --grid 0.3 --part 3/2 --output map.npy", "--part");
    program_refuses("workspace ur5 --grid 0.3 --part 4294967298/4294967299 --output map.npy",
                    "--part");
    program_refuses("workspace ur5 --grid 0.3 --part 2/-1 --output map.npy", "--part");
    program_refuses("workspace ur5 --grid 0.3 --contents bits,size --output map.npy",
                    "no 'size'; there are");
    program_refuses("workspace ur5 --grid 0.3 --margin 0.1 --output map.npy", "--margin");
    program_refuses("workspace panda --tip panda_hand --grid 0.3 --contents solutions "
                    "--output map.npy",
                    "infinitely many");
    program_refuses("workspace ur5 --grid 0.3 --cells 20 --output map.npy", "--cells");
    program_refuses("workspace ur5 --part 1/2", "without --grid");
    program_refuses("workspace planar3 --grid 1 --output map.npy", "six directions");
    program_refuses("merge absent.npy --output map.npy", "absent.json");
    // parts of different maps
    program_must("workspace ur5 --tip tool0 --grid 0.4 --orientations 72 --output one.npy");
    program_must("workspace ur5 --tip tool0 --grid 0.5 --orientations 72 --output two.npy");
    program_refuses("merge one.npy two.npy --output map.npy", "descriptions");
    program_refuses("workspace ur5 --tip tool0 --grid 0.5 --orientations 72 "
                    "--output one.npy",
                    "something else");
    // an array that is cut short, a description that is none
    program_shell("head -c 200 one.npy > cut.npy; cp one.json cut.json");
    program_refuses("merge cut.npy --output map.npy", "described");
    program_shell("cp one.npy bad.npy; echo '{}' > bad.json");
    program_refuses("merge bad.npy --output map.npy", "does not describe");
    // orientations that no map has
    program_shell("cp one.npy odd.npy; sed 's/\"orientations\": 72/\"orientations\": 73/' "
                  "one.json > odd.json");
    program_refuses("merge odd.npy --output map.vti", "does not describe");
    // more orientations in a cell than there are
    program_shell("cp one.json more.json; { head -c 128 one.npy; printf '\\111\\0'; "
                  "tail -c +131 one.npy; } > more.npy");
    program_refuses("merge more.npy --output map.npy",
                    "cell [0, 0, 0]: 73 orientations, but there are");
}

/* robot.npy is described in robot.json, which may be the model itself */
TEST(a_description_replaces_no_other_file)
{
    const char *map = "workspace robot.json --tip tool0 --grid 0.5 --orientations 72 --output";
    program_must("convert ur5 robot.json");
    program_must("%s free.npy", map);
    program_must("%s free.npy --anew", map);
    program_refuses("workspace robot.json --tip tool0 --grid 0.5 --orientations 72 "
                    "--output robot.npy",
                    "would overwrite 'robot.json', which is not a map description");
    program_refuses("merge free.npy --output robot.npy", "would overwrite 'robot.json'");
    assert_false(program_has_file("robot.npy"));
    program_must("info robot.json");
    // of a pipe nothing is read, which might never end
    program_shell("mkfifo pipe.json");
    program_refuses("merge free.npy --output pipe.npy", "would overwrite 'pipe.json'");
}

TEST_FIXTURE(program_start, program_stop)
