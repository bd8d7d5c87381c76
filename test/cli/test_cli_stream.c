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
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support_program.h"

/* many only where memory is measured: elsewhere a block more does as much */
enum {
    FEW = 3 * CSV_BLOCK,
    MANY = (LIMBER_MEMORY_IS_MEASURED ? 15 : 4) * CSV_BLOCK + 7,
    MANY_LONG = LIMBER_MEMORY_IS_MEASURED ? 20000 : 3000 /* rows that take longer */
};

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

/* runs limber with these arguments, of which %s is `what`; the most memory that it held, in kB */
static long memory_of(const char *arguments, const char *what)
{
    struct rusage usage;
    int status, used;
    char line[512];
    used = snprintf(line, sizeof line, "exec limber ");
    snprintf(line + used, sizeof line - (size_t)used, arguments, what, what);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int silent = open("/dev/null", O_WRONLY);
        dup2(silent, STDOUT_FILENO);
        execl("/bin/sh", "sh", "-c", line, NULL);
        _exit(127);
    }
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) <= 1);
    return usage.ru_maxrss;
}

/* a million rows take as much as these: some MB more than the program itself */
enum { MOST_MEMORY = 40000, MOST_GROWTH = 4000 };

static void check_memory(const char *arguments, const char *few, const char *many)
{
    long before = memory_of(arguments, few), after = memory_of(arguments, many);
    print_message("limber %s: %s in %ld kB, %s in %ld kB\n", arguments, few, before, many, after);
    if (!LIMBER_MEMORY_IS_MEASURED)
        return;
    assert_true(after < MOST_MEMORY);
    assert_true(after < before + MOST_GROWTH);
}

/* poses, targets and both as arrays; solutions are more than targets, so fewer of these */
TEST(memory_does_not_grow_with_rows)
{
    static const struct {
        const char *arguments, *few, *many;
    } cases[] = {
        {"fk ur5 --poses %s.csv --output o.csv", "few", "many"},
        {"fk ur5 --poses %s.csv --json", "few", "many"},
        {"ik ur5 --targets %s_targets.csv --threads 2 --output o.csv --json", "few", "many"},
        {"ik ur5 --targets %s_targets.npy --threads 2 --output o.npy --json", "few", "many"},
        {"ik ur5 --targets %s_targets.npy --threads 2 --json", "few", "many"},
        {"ik ur5 --targets %s_targets.csv --starts %s.csv --output o.csv", "few", "many"},
        {"ik ur5 --all --targets %s_targets.csv --output o.csv --json", "fewer", "some"},
        {"ik ur5 --all --targets %s_targets.csv --json", "fewer", "some"},
        {"ik planar3 --position '99 0 0' --method transpose --trace --iterations %s --json", "100",
         "20000"},
    };
    write_poses("few.csv", 0, FEW, -1);
    write_poses("many.csv", 0, MANY, -1);
    program_shell_exits(0,
                        "for n in few many; do for f in csv npy; do limber fk ur5 --poses $n.csv "
                        "--output ${n}_targets.$f; done; done; "
                        "head -n 2001 many_targets.csv > fewer_targets.csv; "
                        "head -n %d many_targets.csv > some_targets.csv",
                        MANY_LONG + 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_memory(cases[i].arguments, cases[i].few, cases[i].many);
}

/* a wall of many bricks: each has a pair with each link of a pose */
static void write_wall(const char *path)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("{\"obstacles\": [", file);
    for (int i = 0; i < 300; i++)
        fprintf(file,
                "%s{\"name\": \"brick_%d\", \"shapes\": [{\"shape\": \"sphere\", \"radius\": 0.1, "
                "\"placement\": {\"xyz\": [%d, 0, 5]}}]}",
                i > 0 ? ", " : "", i, i);
    fputs("]}", file);
    fclose(file);
}

/* poses of a Panda, which has shapes */
static void write_turns(const char *path, int count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("panda_joint1\n", file);
    for (int i = 0; i < count; i++)
        fprintf(file, "%.17g\n", 1e-4 * i);
    fclose(file);
}

TEST(memory_is_bounded_of_collisions)
{
    write_wall("wall.json");
    write_turns("some.csv", 100);
    write_turns("more.csv", LIMBER_MEMORY_IS_MEASURED ? 3000 : 1100);
    check_memory("collide panda --scene wall.json --samples 0 --poses %s.csv --output=o.csv",
                 "some", "more");
    check_memory("collide panda --scene wall.json --samples 0 --poses %s.csv --report", "some",
                 "more");
    check_memory("collide panda --scene wall.json --samples 0 --poses %s.csv --json", "some",
                 "more");
    // in words each pose has its number, as in one block
    program_prints("collide panda --poses more.csv --samples 0 --report", "pose 1: ");
    assert_printed("pose 1025: ");
}

/* a movement is in memory, its JSON is not: that took 12 kB a frame */
TEST(memory_of_frames_is_small)
{
    enum { FRAMES = MANY_LONG, FRAME_BYTES = 2000 };
    char frames[16];
    snprintf(frames, sizeof frames, "%d", FRAMES);
    program_write("keys.csv", "time,root.x\n0,0\n1,0.1\n");
    static const char line[] =
        "animate human --root floating --keys keys.csv --frames %s --output m.json";
    long before = memory_of(line, "1"), after = memory_of(line, frames);
    print_message("limber animate: one frame in %ld kB, %d in %ld kB\n", before, FRAMES, after);
    if (LIMBER_MEMORY_IS_MEASURED)
        assert_true(after - before < (long)FRAMES * FRAME_BYTES / 1000);
}

/* ---- the same bytes ----------------------------------------------------- */

/* rows of a CSV text, without its header */
static const char *rows_of(const char *text)
{
    return strchr(text, '\n') + 1;
}

TEST(blocks_have_the_bytes_of_parts)
{
    enum { PART = CSV_BLOCK / 2 };
    write_poses("poses.csv", 0, FEW, -1);
    owned char *whole = program_output("fk ur5 --poses poses.csv");
    const char *at = whole;
    for (int first = 0; first < FEW; first += PART) {
        write_poses("part.csv", first, PART, -1);
        program_must("fk ur5 --poses part.csv");
        const char *part = first == 0 ? program.out : rows_of(program.out);
        assert_int_equal(strncmp(at, part, strlen(part)), 0);
        at += strlen(part);
    }
    assert_string_equal(at, "");
    program_repeats(whole, "fk ur5 --poses - --output - <poses.csv");
}

/* targets with starts of their own; some are out of reach */
TEST(targets_have_the_bytes_of_parts)
{
    enum { PART = CSV_BLOCK - 1, COUNT = 2 * PART };
    static const char line[] = "limber ik ur5 --targets targets.csv --starts starts.csv";
    write_poses("starts.csv", 0, COUNT, -1);
    program_must("fk ur5 --poses starts.csv --output targets.csv");
    program_shell_exits(1,
                        "awk -F, -v OFS=, 'NR %% 997 == 0 { $1 += 3 } 1' targets.csv > t.csv && "
                        "mv t.csv targets.csv && %s",
                        line);
    owned char *whole = strdup(program.out);
    const char *at = whole;
    program_shell("%s --threads 2", line);
    assert_string_equal(program.out, whole);
    program_shell_exits(1, "%s --report --output o.csv", line);
    assert_printed("16366 of 16382 targets reached, 16 unreachable\n");
    assert_printed("\n  target 996: ");
    assert_printed("\n  ... and 8 more\n");
    for (int part = 0; part < 2; part++) {
        program_shell("for f in targets starts; do { head -n 1 $f.csv; tail -n +%d $f.csv | "
                      "head -n %d; } > part_$f.csv; done",
                      part * PART + 2, PART);
        program_run("ik ur5 --targets part_targets.csv --starts part_starts.csv");
        const char *text = part == 0 ? program.out : rows_of(program.out);
        assert_int_equal(strncmp(at, text, strlen(text)), 0);
        at += strlen(text);
    }
    assert_string_equal(at, "");
}

/* ---- a late error ------------------------------------------------------- */

TEST(late_errors_leave_the_old_file)
{
    char says[64];
    write_poses("poses.csv", 0, FEW, FEW - 10);
    program_write("o.csv", "what was there before\n");
    snprintf(says, sizeof says, "limber: poses.csv:%d: column 'wrist_1_joint': 'x' is not",
             FEW - 10 + 2);
    program_refuses("fk ur5 --poses poses.csv --output o.csv", says);
    owned char *now = program_read("o.csv");
    assert_string_equal(now, "what was there before\n");

    /* standard output has the whole rows of the blocks before, and the exit status is 2 */
    write_poses("good.csv", 0, FEW, -1);
    owned char *good = program_output("fk ur5 --poses good.csv");
    program_says(2, "fk ur5 --poses poses.csv", says);
    assert_true(program.out_size > 0 && program.out_size < strlen(good));
    assert_int_equal(strncmp(good, program.out, program.out_size), 0);
    assert_int_equal(program.out[program.out_size - 1], '\n');
}

/* two files that end at different rows, one target wrong, both from standard input */
TEST(late_errors_of_targets)
{
    char says[64];
    write_poses("starts.csv", 0, FEW, -1);
    program_must("fk ur5 --poses starts.csv --output targets.csv");
    program_shell("head -n %d starts.csv > fewer.csv", FEW - 9);
    snprintf(says, sizeof says, "fewer.csv: %d starts for %d targets", FEW - 10, FEW);
    program_refuses("ik ur5 --targets targets.csv --starts fewer.csv --output new.csv", says);
    program_shell("head -n %d targets.csv > fewer.csv", FEW - 9);
    snprintf(says, sizeof says, "starts.csv: %d starts for %d targets", FEW, FEW - 10);
    program_refuses("ik ur5 --targets fewer.csv --starts starts.csv --output new.csv", says);
    program_shell_exits(0, "echo '1,2,3,1,0,0' >> targets.csv");
    snprintf(says, sizeof says, "limber: targets.csv:%d: 6 fields where", FEW + 2);
    program_refuses("ik ur5 --targets targets.csv --output new.csv --json", says);
    program_refuses("ik ur5 --targets - --starts - < starts.csv",
                    "unknown column 'shoulder_pan_joint'");
    program_refuses("ik ur5 --targets - --starts - < targets.csv",
                    "--targets - and --starts - cannot both have standard input");
}

TEST_FIXTURE(program_start, program_stop)
