/*
 * cli/command.h - what a subcommand is.
 *
 * A subcommand is one file that defines one `command`, and one row in the table
 * of main.c. Parsing, --help, suggestions and the man page all read that.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/options/arguments.h"

/* How the program ends. */
enum { EXIT_DONE = 0, EXIT_UNREACHED = 1, EXIT_BAD_INPUT = 2 };

/* A line for the shell that works as written, and what it does. */
typedef struct example {
    const char *says;
    const char *line;
} example;

/* A list of things by name that a command's options choose from. */
typedef struct choice_list {
    const char *heading;
    int (*count)(void);
    const char *(*name)(int i);
    const char *(*says)(int i);
} choice_list;

typedef struct command {
    const char *name;
    const char *synopsis;    /* what follows the name; further lines after '\n' */
    const char *summary;     /* one line without a full stop */
    const char *details;     /* paragraphs of at most 78 columns, "" for none */
    const example *examples; /* the last one has no line */
    const struct poptOption *options;
    const choice_list *choices;              /* listed below the options; NULL: none */
    int operands;                            /* how many words that are no options are needed */
    int spare;                               /* how many more there may be */
    int (*run)(const char *const *operands); /* returns the exit status */
} command;

/* What every command's file calls alike. */
#define COMMAND(word) .name = #word, .examples = examples, .options = options, .run = run

/* ---- running ------------------------------------------------------------ */

/*
 * Parses the words after the subcommand's name, the first of `words` being that
 * name, and runs it or prints its help. Returns the exit status.
 */
int command_run(const command *which, int count, const char **words);

/* The words of the command that runs, its name first; NULL after the last. */
const char *const *command_words(void);

/* ---- help ------------------------------------------------------------- */

/* `limber --help`: every subcommand with its summary. The list ends with NULL. */
void help_print_program(const command *const *commands);

/* `limber NAME --help`: synopsis, details, options and examples. */
void help_print_command(const command *which);

/* ---- manual pages ----------------------------------------------------- */

/* `limber --manual`: limber(1), the commands and what all have in common. The list ends with NULL.
 */
void manual_print_program(const command *const *commands);

/* `limber --manual NAME`: limber-NAME(1). */
void manual_print_command(const command *which);

/* `limber --manual mpi`: limber-mpi(1), of the program that is started by mpirun and so cannot
   print it itself. */
void manual_print_mpi(void);

/* ---- completion ------------------------------------------------------- */

/* The script for bash 3.2 and later, without the package bash-completion, and for zsh's
   bashcompinit. The list ends with NULL. */
void completion_print(const command *const *commands);

#endif
