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
    suggest nearest = suggest_start(name);
    for (const command *const *one = commands; *one != NULL; one++) {
        if (strcmp((*one)->name, name) == 0)
            return *one;
        suggest_consider(&nearest, (*one)->name);
    }
    if (nearest.best != NULL)
        refuse("no command '%s'%s", name, suggest_phrase(&nearest));
    refuse("no command '%s'; limber --help lists them", name);
}

/* the page of a command, that of limber-mpi, or that of the program */
static void print_manual(const char *name)
{
    if (name == NULL)
        manual_print_program(commands);
    else if (strcmp(name, "mpi") == 0)
        manual_print_mpi();
    else
        manual_print_command(find_command(name));
}

static void print_completion(const char *value)
{
    if (value != NULL)
        refuse("--completion takes no value: its script is for bash, and for zsh after 'autoload "
               "-Uz bashcompinit && bashcompinit'");
    completion_print(commands);
}

static int run(int count, const char **words)
{
    if (count < 2)
        refuse("a command is missing; limber --help lists them");
    const char *first = words[1];
    bool help =
        strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0;
    if (strcmp(first, "--version") == 0)
        printf("limber %d.%d.%d\n", LB_VERSION_MAJOR, LB_VERSION_MINOR, LB_VERSION_PATCH);
    else if (strcmp(first, "--manual") == 0)
        print_manual(words[2]);
    else if (strcmp(first, "--completion") == 0)
        print_completion(words[2]);
    else if (help && count == 2)
        help_print_program(commands);
    else if (help)
        help_print_command(find_command(words[2]));
    else
        return command_run(find_command(first), count - 1, words + 1);
    return EXIT_DONE;
}

int main(int count, char **words)
{
    console_start();
    print_json_start();
    return console_end(run(count, (const char **)words));
}
