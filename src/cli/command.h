/*
 * cli/command.h - what a subcommand is.
 *
 * A subcommand is one file that defines one `command`, and one row in the table
 * of main.c. Parsing, --help, suggestions and the man page all read that.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <popt.h>
#include <stdbool.h>
#include <stddef.h>

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

/* ---- options ------------------------------------------------------------ */

/*
 * The value of an option that takes one, a static variable of the file that owns
 * it: empty until command_parse() has seen the option. (popt appends to it, so
 * that an option given twice is noticed.)
 */
typedef char **text_option;

/* Rows of an option table: a value, a flag (a static int), the rows of another table. */
#define OPTION_TEXT(name, slot, argument, says)                                                    \
    {                                                                                              \
        name, '\0', POPT_ARG_ARGV, &(slot), 0, says, argument                                      \
    }
#define OPTION_FLAG(name, slot, says)                                                              \
    {                                                                                              \
        name, '\0', POPT_ARG_NONE, &(slot), 0, says, NULL                                          \
    }
#define OPTION_TABLE(table)                                                                        \
    {                                                                                              \
        NULL, '\0', POPT_ARG_INCLUDE_TABLE, (struct poptOption *)(table), 0, NULL, NULL            \
    }
#define OPTION_END POPT_TABLEEND

/* What was given; NULL when nothing was. */
static inline const char *option_text(text_option option)
{
    return option == NULL ? NULL : option[0];
}

/* Calls `visit` for each option of a table and of those it includes, until it returns false. */
typedef bool option_visit(void *user, const struct poptOption *option);
bool option_each(const struct poptOption *table, option_visit *visit, void *user);

/* Whether an option was given. */
bool option_is_given(const struct poptOption *option);
/*
 * Whether none of a table was given, because all would be without effect; else complains of
 * the first: "--size has no effect without --figure", the last two words being `where`.
 */
bool option_none_given(const struct poptOption *table, const char *where);

/* ---- running ------------------------------------------------------------ */

/*
 * Parses the words after the subcommand's name, the first of `words` being that
 * name, and runs it or prints its help. Returns the exit status.
 */
int command_run(const command *which, int count, const char **words);

#endif
