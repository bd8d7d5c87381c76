/*
 * test_cli_hostile.c - options of every command with hostile values.
 *
 * Options are taken from each command's own --help, values from a list of the hostile; whatever
 * comes together, the program ends by itself in time with status 0, 1 or 2, and what it refuses it
 * says in words.
 */
#include <limber/base.h>

#include "support_program.h"

enum {
    MOST_OPTIONS = 96,
    NAME_SIZE = 48,
    LINE_SIZE = 8192,
    ROUNDS = FEWER(40, 12),
    MOST_GIVEN = 4
};

TEST_ARGUMENT(seed, 1, 2024)

/* An option as its help shows it. */
typedef struct option {
    char name[NAME_SIZE];
    bool takes_value;
} option;

/* the lines "  --name VALUE    what it does" below "Options:" */
static int read_options(const char *command, option *options)
{
    int count = 0;
    program_must("%s --help", command);
    char *at = strstr(program.out, "\nOptions:\n");
    assert_non_null(at);
    while ((at = strstr(at, "\n  --")) != NULL && count < MOST_OPTIONS) {
        at += 3;
        size_t length = strcspn(at, " \n");
        assert_true(length < NAME_SIZE);
        memcpy(options[count].name, at, length);
        options[count].name[length] = '\0';
        options[count].takes_value = at[length] == ' ' && at[length + 1] != ' ';
        count++;
    }
    assert_true(count > 1);
    return count;
}

/* as the shell is to see them; none of them needs much work */
static const char *const values[] = {
    "''",
    "nan",
    "-inf",
    "-1",
    "0",
    "3",
    "0.5",
    "1e308",
    "-1e308",
    "1e-320",
    "1e15",
    "1e16",
    "99999999999",
    "'1 2 3'",
    "'1e300 0 0'",
    "'0 0 0 0'",
    "'1 2'",
    "'nan 0 0'",
    "a=b",
    "=",
    "'joint_1=1e300 joint_2=nan'",
    "joint_1=0.3",
    "x,y,z",
    "--",
    "-",
    ".",
    "missing/x",
    "x.csv",
    "x.npy",
    "x.svg",
    "x.json",
    "models",
    "%s%n%n",
    "';'",
    "\"$(printf '\\377\\001')\"",
    "panda_hand",
    "tip",
    "lm",
    "any",
    "\"$(printf '%04000d' 7)\"",
};
static const char *const models[] = {"planar2", "planar3", "panda", "human", "missing", "x.csv"};
/* workspaces in space take a minute under the sanitizers: they are sampled for as long as that
 * helps */
static const char *const planar[] = {"planar2", "planar3", "missing"};

static const char *choose(lb_random *random, const char *const *words, size_t count)
{
    return words[lb_random_next(random) % count];
}

/* one command line; what needs five minutes of a processor is ended, which is a failure: the time
 * is the program's own, so that a busy machine does not count */
static int run_line(lb_random *random, const char *command, const option *options, int count,
                    char *line)
{
    bool slow = strcmp(command, "workspace") == 0;
    int size = snprintf(line, LINE_SIZE, "(ulimit -t 300; exec limber %s %s", command,
                        slow ? choose(random, planar, sizeof planar / sizeof *planar)
                             : choose(random, models, sizeof models / sizeof *models));
    for (uint64_t given = 1 + lb_random_next(random) % MOST_GIVEN; given > 0; given--) {
        const option *one = &options[lb_random_next(random) % (unsigned)count];
        size += snprintf(line + size, (size_t)(LINE_SIZE - size), " %s %s", one->name,
                         one->takes_value ? choose(random, values, sizeof values / sizeof *values)
                                          : "");
        assert_true(size < LINE_SIZE);
    }
    return program_shell("%s)", line);
}

TEST(every_command_line_ends_in_words)
{
    // view serves until it is ended
    static const char *const commands[] = {"info",     "convert", "fk",        "ik",      "pose",
                                           "draw",     "animate", "workspace", "compare", "follow",
                                           "retarget", "check",   "collide",   "merge",   "place"};
    lb_random random = lb_random_seed((uint64_t)seed);
    int done = 0, refused = 0;
    program_write("x.csv", "x,y,z\n0.1,0.2,nan\n");
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        option options[MOST_OPTIONS];
        int count = read_options(commands[c], options);
        for (int i = 0; i < ROUNDS; i++) {
            char line[LINE_SIZE];
            int status = run_line(&random, commands[c], options, count, line);
            if (status > 2)
                fail_msg("seed %ld: status %d: %s\n%s", seed, status, line, program.err);
            if (status == 2 && !program_begins(program.err, "limber: "))
                fail_msg("seed %ld: refused without a word: %s\n%s", seed, line, program.err);
            done += status < 2;
            refused += status == 2;
        }
    }
    // both happen, or nothing was tried
    assert_true(done > ROUNDS / 4 && refused > ROUNDS);
}

TEST_FIXTURE(program_start, program_stop)
