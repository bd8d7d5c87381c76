/*
 * cli/main.c - the program: a table of subcommands, and the start of one of them.
 *
 * Exit status: 0 done and reached, 1 some targets not reached, 2 bad input.
 */
#include "base/suggest.h"
#include "cli/report/report.h"
#include "cli/report/results.h"

#include <stdio.h>
#include <string.h>

/* every subcommand there is: one file, and one row here */
#define COMMANDS(X)                                                                                \
    X(models)                                                                                      \
    X(info)                                                                                        \
    X(convert)                                                                                     \
    X(fk)                                                                                          \
    X(ik)                                                                                          \
    X(solutions)                                                                                   \
    X(elbow)                                                                                       \
    X(collide)                                                                                     \
    X(pose)                                                                                        \
    X(draw)                                                                                        \
    X(follow)                                                                                      \
    X(servo)                                                                                       \
    X(animate)                                                                                     \
    X(retarget)                                                                                    \
    X(check)                                                                                       \
    X(workspace)                                                                                   \
    X(merge)                                                                                       \
    X(place)                                                                                       \
    X(synthesize)                                                                                  \
    X(explain)                                                                                     \
    X(compare)                                                                                     \
    X(figures)                                                                                     \
    X(view)

#define DECLARE(name) extern const command command_##name;
COMMANDS(DECLARE)

#define ADDRESS(name) &command_##name,
static const command *const commands[] = {COMMANDS(ADDRESS) NULL};

static const command *find_command(const char *name)
{
    for (const command *const *one = commands; *one != NULL; one++)
        if (strcmp((*one)->name, name) == 0)
            return *one;
    return NULL;
}

static int refuse_unknown(const char *name)
{
    suggest nearest = suggest_start(name);
    for (const command *const *one = commands; *one != NULL; one++)
        suggest_consider(&nearest, (*one)->name);
    if (nearest.best != NULL)
        complain("no command '%s'%s", name, suggest_phrase(&nearest));
    else
        complain("no command '%s'; limber --help lists them", name);
    return EXIT_BAD_INPUT;
}

/* the page of a command, that of limber-mpi, or that of the program */
static int print_manual(const char *name)
{
    const command *which = name == NULL ? NULL : find_command(name);
    if (name != NULL && strcmp(name, "mpi") == 0) {
        manual_print_mpi();
        return EXIT_DONE;
    }
    if (name != NULL && which == NULL)
        return refuse_unknown(name);
    if (which != NULL)
        manual_print_command(which);
    else
        manual_print_program(commands);
    return EXIT_DONE;
}

static int run(int count, const char **words)
{
    if (count < 2)
        return bad_input("a command is missing; limber --help lists them");
    const char *first = words[1];
    if (strcmp(first, "--version") == 0) {
        printf("limber %d.%d.%d\n", LB_VERSION_MAJOR, LB_VERSION_MINOR, LB_VERSION_PATCH);
        return EXIT_DONE;
    }
    if (strcmp(first, "--manual") == 0)
        return print_manual(words[2]);
    if (strcmp(first, "--completion") == 0) {
        if (count > 2)
            return bad_input("--completion takes no value: its script is for bash, and for zsh "
                             "after 'autoload -Uz bashcompinit && bashcompinit'");
        completion_print(commands);
        return EXIT_DONE;
    }
    bool help =
        strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0;
    if (help && count == 2) {
        help_print_program(commands);
        return EXIT_DONE;
    }

    const command *which = find_command(words[help ? 2 : 1]);
    if (which == NULL)
        return refuse_unknown(words[help ? 2 : 1]);
    if (help) {
        help_print_command(which);
        return EXIT_DONE;
    }
    return command_run(which, count - 1, words + 1);
}

int main(int count, char **words)
{
    console_start();
    print_json_start();
    return console_end(run(count, (const char **)words));
}
