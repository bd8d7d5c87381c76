/*
 * test_cli_kill.c - a program that is ended while it writes leaves the old file or the new one.
 *
 * Every command that writes a file is ended by SIGINT or SIGKILL at random times of its run, some
 * 40 or 10 times; then the target is complete, old or new. Where the system has files without a
 * name, nothing lies beside it but, where the end came between naming the new file and putting it
 * in its place, that complete file. Rows of a long list of targets stay beside it, and the same
 * command goes on with them.
 */
#define _GNU_SOURCE

#include <fcntl.h>
#include <limber/base.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support_program.h"

enum { ROUNDS = FEWER(40, 10), FEWER_ROUNDS = FEWER(10, 3), POSES = 3000 };

/* as the program sees it: what gives them names later is in /proc */
static bool has_unnamed_files(void)
{
#ifdef O_TMPFILE
    if (access("/proc/self/fd", X_OK) != 0)
        return false;
    int unnamed = open(".", O_TMPFILE | O_WRONLY, 0600);
    if (unnamed >= 0)
        close(unnamed);
    return unnamed >= 0;
#else
    return false;
#endif
}

static void pause_for(long microseconds)
{
    nanosleep(&(struct timespec){.tv_sec = microseconds / 1000000,
                                 .tv_nsec = microseconds % 1000000 * 1000},
              NULL);
}

/* starts limber with these words; returns its number */
static pid_t begin_run(const char *words)
{
    char line[256];
    snprintf(line, sizeof line, "exec limber %s", words);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int silent = open("/dev/null", O_RDWR);
        dup2(silent, STDIN_FILENO);
        dup2(silent, STDOUT_FILENO);
        dup2(silent, STDERR_FILENO);
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    return child;
}

static void end_run(pid_t child, int signal_number)
{
    kill(child, signal_number);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
}

/* runs limber with these words and ends it after so many microseconds; returns its number */
static pid_t run_and_end(const char *words, int signal_number, long microseconds)
{
    pid_t child = begin_run(words);
    pause_for(microseconds);
    end_run(child, signal_number);
    return child;
}

static void write_inputs(void)
{
    program_write("tasks.json",
                  "{\"tasks\": [{\"kind\": \"contact\", \"link\": \"left_foot\"}, {\"kind\": "
                  "\"position\", \"link\": \"right_hand\", \"position\": [0.3, -0.2, 1.3]}]}");
    program_write("sway.csv", "time,root.x\n0,0\n1,0.05\n");
    program_must("workspace ur5 --grid 0.5 --orientations 72 --part 1/2 --output g-1.npy");
    program_must("workspace ur5 --grid 0.5 --orientations 72 --part 2/2 --output g-2.npy");
    FILE *file = fopen("poses.csv", "wb");
    assert_non_null(file);
    fputs("shoulder_pan_joint,shoulder_lift_joint\n", file);
    for (int i = 0; i < POSES; i++)
        fprintf(file, "%g,%g\n", 0.001 * i, -0.0005 * i);
    fclose(file);
    file = fopen("w.csv", "wb");
    assert_non_null(file);
    fputs("time,root.x,joint_1\n", file);
    for (int i = 0; i < POSES; i++)
        fprintf(file, "%g,%g,%g\n", 0.02 * i, 0.001 * i, 0.0005 * i);
    fclose(file);
}

static double microseconds_between(const struct timespec *begin, const struct timespec *end)
{
    return 1e6 * (double)(end->tv_sec - begin->tv_sec) +
           1e-3 * (double)(end->tv_nsec - begin->tv_nsec);
}

/* microseconds that a whole run takes */
static double time_of(const char *words)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    program_must("%s", words);
    clock_gettime(CLOCK_MONOTONIC, &end);
    return microseconds_between(&begin, &end);
}

/* a file that a command writes, and what a whole run leaves in it */
typedef struct {
    const char *path;
    char *bytes;
    size_t size;
} written;

/* a command, and the files that it writes; the list ends at the first NULL */
enum { MOST_FILES = 3 };
typedef struct {
    const char *words, *paths[MOST_FILES];
} writer;

static const char old[] = "what was there before\n";

static bool holds(const char *path, const char *bytes, size_t size)
{
    struct stat what;
    assert_int_equal(stat(path, &what), 0);
    owned char *now = program_read(path);
    bool same = (size_t)what.st_size == size && memcmp(now, bytes, size) == 0;
    return same;
}

/* the file is the old one or the whole new one, which is the result; beside it lies at most a whole
 * new one, which is removed */
static bool check_file(const written *file, const char *words, pid_t child, bool clean)
{
    bool is_new = holds(file->path, file->bytes, file->size);
    bool is_old = holds(file->path, old, sizeof old - 1);
    if (!is_old && !is_new)
        fail_msg("limber %s: %s is neither the old file nor the new one", words, file->path);
    char beside[128];
    snprintf(beside, sizeof beside, "%s.%ld-0", file->path, (long)child);
    if (clean && program_has_file(beside)) {
        assert_true(is_old && holds(beside, file->bytes, file->size));
        unlink(beside);
    }
    return is_new;
}

/* the files of a command, as a whole run has left them; returns their number */
static int take_written(const writer *command, written files[MOST_FILES])
{
    int count = 0;
    for (; count < MOST_FILES && command->paths[count] != NULL; count++) {
        struct stat what;
        files[count] = (written){.path = command->paths[count]};
        assert_int_equal(stat(files[count].path, &what), 0);
        files[count].bytes = program_read(files[count].path);
        files[count].size = (size_t)what.st_size;
    }
    return count;
}

/* wherever a run is ended, each of its files is the old one or the whole new one */
static void check_command(const writer *command, int rounds, lb_random *random)
{
    double whole = fmin(time_of(command->words), 5e5);
    written files[MOST_FILES];
    int count = take_written(command, files), news = 0;
    bool clean = has_unnamed_files();
    int beside = program_count_files();
    for (int i = 0; i < rounds; i++) {
        for (int k = 0; k < count; k++)
            program_write(files[k].path, old);
        pid_t child = run_and_end(command->words, i % 2 ? SIGINT : SIGKILL,
                                  (long)lb_random_between(random, 0, whole));
        for (int k = 0; k < count; k++)
            news += check_file(&files[k], command->words, child, clean);
        if (clean)
            assert_int_equal(program_count_files(), beside);
    }
    print_message("limber %s: %d times an old file, %d times a new one%s\n", command->words,
                  rounds * count - news, news, clean ? ", nothing beside it" : "");
    for (int k = 0; k < count; k++)
        free(files[k].bytes);
}

#define RETARGET                                                                                   \
    "retarget sway.csv --from human --to human --fps 30 --output r.csv --report r.json "           \
    "--write-contacts r.feet.json"

static const writer writers[] = {
    {"fk ur5 --frame tool0 --poses poses.csv --output out.npy", {"out.npy"}},
    {"ik ur5 --targets out.csv --output ik.csv", {"ik.csv"}},
    {"animate planar3 --to '1 1 0' --frames 500 --output a.json", {"a.json"}},
    {"collide ur5 --poses poses.csv --output c.csv", {"c.csv"}},
    {"compare planar3 --position '1 1 0' --figure m.svg", {"m.svg"}},
    {"convert ur5 --output ur5.json", {"ur5.json"}},
    {"convert planar3 --root floating --keys w.csv --output w.npz", {"w.npz"}},
    {"draw panda --output d.svg", {"d.svg"}},
    {"draw panda --output d.png", {"d.png"}},
    {"follow planar3 --to '1 1 0' --free-rotation --output f.csv", {"f.csv"}},
    {"merge g-1.npy g-2.npy --output all.npy", {"all.npy", "all.json"}},
    {"merge g-1.npy g-2.npy --output all.vti", {"all.vti"}},
    {"place ur5 --position '1 2 0.3' --rpy '3.14159 0 0' --grid 0.2 --output p.csv", {"p.csv"}},
    {"pose human --root floating --task tasks.json --output q.csv", {"q.csv"}},
    {RETARGET, {"r.csv", "r.json", "r.feet.json"}},
    {"workspace planar2 --samples 20000 --output s.csv", {"s.csv"}},
    {"workspace ur5 --grid 0.5 --orientations 72 --output g.npy", {"g.npy", "g.json"}},
};

TEST(the_target_is_old_or_new)
{
    lb_random random = lb_random_seed(7);
    write_inputs();
    const writer first = {"fk ur5 --frame tool0 --poses poses.csv --output out.csv", {"out.csv"}};
    check_command(&first, ROUNDS, &random);
    program_must("%s", first.words);
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        check_command(&writers[i], FEWER_ROUNDS, &random);
}

/* ---- long lists of targets -------------------------------------------------- */

/* of some tiles; every fifth is out of reach */
static void write_targets(const char *path, int count)
{
    FILE *file = fopen(path, "wb");
    lb_random random = lb_random_seed(31);
    assert_non_null(file);
    fputs("x,y,z\n", file);
    for (int i = 0; i < count; i++) {
        double size = i % 5 == 4 ? 3 : 0.3;
        fprintf(file, "%.4f,%.4f,%.4f\n", size, size * lb_random_between(&random, -1, 1),
                lb_random_between(&random, 0.1, 0.6));
    }
    fclose(file);
}

static void assert_rows(const char *path, const char *expected)
{
    char line[256];
    snprintf(line, sizeof line, "cmp %s %s", path, expected);
    assert_int_equal(program_shell(line), 0);
    snprintf(line, sizeof line, "ls %s.part %s.state 2>/dev/null", path, path);
    assert_int_not_equal(program_shell(line), 0);
}

enum { TARGETS = FEWER(60000, 34000) };
#define LONG "ik ur5 --targets long.csv --output "

/* by SIGKILL at random times until it comes to its end */
static int run_with_ends(const char *words, const char *path, double whole, lb_random *random)
{
    int ends = 0;
    unlink(path);
    while (!program_has_file(path) && ends++ < 100)
        run_and_end(words, SIGKILL, (long)lb_random_between(random, 0, 0.9 * whole));
    return ends;
}

TEST(a_long_list_goes_on_after_an_end)
{
    static const char *const names[][2] = {{"rows.csv", "whole.csv"}, {"rows.npy", "whole.npy"}};
    lb_random random = lb_random_seed(11);
    char words[128];
    write_targets("long.csv", TARGETS);
    for (int i = 0; i < 2; i++) {
        snprintf(words, sizeof words, LONG "%s", names[i][1]);
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        assert_int_equal(program_run("%s", words), 1);
        clock_gettime(CLOCK_MONOTONIC, &end);
        double whole = microseconds_between(&begin, &end);
        snprintf(words, sizeof words, LONG "%s", names[i][0]);
        int ends = run_with_ends(words, names[i][0], whole, &random);
        print_message("%s: all rows after %d ends\n", names[i][0], ends);
        assert_rows(names[i][0], names[i][1]);
    }
    // blocks of CSV that one thread solves, and several
    assert_int_equal(program_run(LONG "threads.csv --threads 2 --json"), 1);
    assert_rows("threads.csv", "whole.csv");
}

/* ends the run when rows of a tile are there, without its end */
static void leave_part(void)
{
    unlink("left.csv");
    do {
        pid_t child = begin_run(LONG "left.csv");
        // beyond the eight bytes that say what the run is, a state speaks of tiles
        while (program_file_size("left.csv.state") <= 8 && !program_has_file("left.csv"))
            pause_for(1000);
        end_run(child, SIGKILL);
    } while (unlink("left.csv") == 0);
}

TEST(another_command_does_not_go_on)
{
    write_targets("long.csv", TARGETS);
    assert_int_equal(program_run(LONG "whole.csv"), 1);
    leave_part();
    // what changes rows is another run: options, a changed file
    assert_int_equal(program_run(LONG "left.csv --seed 5"), 2);
    assert_non_null(strstr(program.err, "left.csv.part' has rows of another run"));
    assert_non_null(strstr(program.err, "--anew"));
    assert_true(program_has_file("left.csv.part") && !program_has_file("left.csv"));
    // what changes none is the same
    assert_int_equal(program_run(LONG "left.csv --threads=2 --json"), 1);
    assert_non_null(strstr(program.out, "\"targets\":"));
    assert_rows("left.csv", "whole.csv");
    leave_part();
    assert_int_equal(program_shell("touch left.csv && chmod 600 left.csv"), 0);
    assert_int_equal(program_run(LONG "left.csv --anew"), 1);
    assert_null(strstr(program.err, "they stay"));
    assert_rows("left.csv", "whole.csv");
    struct stat what;
    assert_int_equal(stat("left.csv", &what), 0);
    assert_int_equal(what.st_mode & 0777, 0600);
    // a file of somebody else stays as well
    program_write("left.csv.part", "mine");
    assert_int_equal(program_run(LONG "left.csv"), 2);
    owned char *mine = program_read("left.csv.part");
    assert_string_equal(mine, "mine");
    unlink("left.csv.part");
    // of targets that cannot be read nothing stays
    assert_int_equal(program_shell("cp long.csv bad.csv && echo no >> bad.csv"), 0);
    assert_int_equal(program_run("ik ur5 --targets bad.csv --output left.csv"), 2);
    assert_rows("left.csv", "whole.csv");
}

TEST(a_run_that_left_no_rows_is_replaced)
{
    write_targets("long.csv", TARGETS);
    assert_int_equal(program_run(LONG "whole.csv"), 1);
    leave_part();
    // as if it had ended in its first tile: the state says what the run is and nothing else
    assert_int_equal(program_shell("truncate -s 8 left.csv.state"), 0);
    assert_int_equal(program_run(LONG "left.csv --seed 5"), 1);
    assert_null(strstr(program.err, "another run"));
    assert_int_not_equal(program_shell("ls left.csv.part left.csv.state 2>/dev/null"), 0);
}

TEST_FIXTURE(program_start, program_stop)
