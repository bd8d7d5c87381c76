/*
 * test_cli_full.c - where the system takes no more, the program ends with status 2, names the file
 * and says why in the system's words: a full disk, a file that may not grow, a closed output.
 *
 * Small results reach the system when the file is completed, large ones before: then the stream
 * remembers that a write failed, but not why.
 */
#include <unistd.h>

#include "support_program.h"

/* Commands that write OUT with an ending. */
static const struct {
    const char *line, *ending;
} writers[] = {
    {"fk planar3 --output OUT", "csv"},
    {"ik planar3 --targets many.csv --output OUT", "csv"},
    {"ik planar3 --targets many.csv --output OUT", "npy"},
    {"compare planar3 --position '2 1 0' --output OUT", "csv"},
    {"follow planar3 --path two.csv --output OUT", "csv"},
    {"animate planar3 --to '2 1 0' --output OUT", "json"},
    {"animate planar3 --to '2 1 0' --output OUT", "svg"},
    {"workspace planar2 --samples 1000 --output OUT", "csv"},
    {"workspace planar2 --samples 1000 --output OUT", "ply"},
    {"place planar3 --targets two.csv --output OUT", "csv"},
    {"collide panda --output OUT", "csv"},
    {"convert panda OUT", "json"},
    {"convert walk OUT", "csv"},
    {"convert walk OUT", "bvh"},
    {"convert walk OUT", "json"},
    {"draw panda --output OUT", "svg"},
    {"draw panda --output OUT", "png"},
    {"draw panda --output OUT", "pdf"},
};

enum { WRITERS = sizeof writers / sizeof *writers };

static void write_targets(const char *path, int count)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("x,y,z\n", file);
    for (int i = 0; i < count; i++)
        fprintf(file, "2,%g,0\n", 0.5 + 0.5 * i / count);
    assert_int_equal(fclose(file), 0);
}

/* the command that writes `path`, with `before` it and `after` it for the shell */
static int run_writer(int i, const char *path, const char *before, const char *after)
{
    const char *line = writers[i].line, *gap = strstr(line, "OUT");
    return program_shell("%s limber %.*s%s%s %s", before, (int)(gap - line), line, path, gap + 3,
                         after);
}

static void assert_says(const char *line, int status, const char *reason)
{
    if (status != 2 || strstr(program.err, reason) == NULL)
        fail_msg("%s: status %d, \"%s\" does not say \"%s\"", line, status, program.err, reason);
}

TEST(a_full_disk_is_named)
{
    if (access("/dev/full", W_OK) != 0) {
        print_message("there is no /dev/full: not tried\n");
        skip();
    }
    for (int i = 0; i < WRITERS; i++) {
        char path[32], says[80];
        // an array must be a file
        if (strcmp(writers[i].ending, "npy") == 0)
            continue;
        snprintf(path, sizeof path, "full.%s", writers[i].ending);
        snprintf(says, sizeof says, "%s: cannot be written: No space left on device", path);
        program_shell_exits(0, "ln -s /dev/full %s", path);
        assert_says(writers[i].line, run_writer(i, path, "", ""), says);
        program_shell_exits(0, "rm %s", path);
    }
    // larger than a stream's buffer
    static const char *const lines[] = {"convert walk -", "ik planar3 --targets many.csv",
                                        "ik planar3 --targets many.csv --json", "info panda --json",
                                        "--completion"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_says(lines[i], program_shell("limber %s >/dev/full", lines[i]),
                    "cannot be written: No space left on device");
}

/* the old file stays; files of a kilobyte or two at most fit in */
TEST(a_file_that_may_not_grow_is_named)
{
    int refused = 0;
    for (int i = 0; i < WRITERS; i++) {
        char path[32], says[80];
        snprintf(path, sizeof path, "large.%s", writers[i].ending);
        snprintf(says, sizeof says, "%s: cannot be written: File too large", path);
        program_write(path, "old");
        // blocks are of 512 bytes; the signal would end the program before it can say anything
        int status = run_writer(i, path, "trap '' XFSZ; ulimit -f 4;", "");
        refused += status != 0;
        if (status != 0)
            assert_says(writers[i].line, status, says);
        owned char *now = program_read(path);
        assert_true(status == 0 || strcmp(now, "old") == 0);
        program_shell_exits(0, "rm %s", path);
    }
    // else nothing was limited
    assert_true(refused > 0);
}

TEST(a_closed_output_is_named)
{
    static const char *const lines[] = {"convert walk -", "models", "info panda --json",
                                        "ik planar3 --targets many.csv",
                                        "workspace planar2 --samples 100"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_says(lines[i], program_shell("limber %s >&-", lines[i]),
                    "cannot be written: Bad file descriptor");
}

static int start(void)
{
    int status = program_start();
    write_targets("many.csv", 3000);
    write_targets("two.csv", 2);
    return status;
}

TEST_FIXTURE(start, program_stop)
