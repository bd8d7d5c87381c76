/*
 * options/table.h - rows of popt's option tables, and what was given of them.
 */
#ifndef CLI_OPTIONS_TABLE_H
#define CLI_OPTIONS_TABLE_H

#include <popt.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The value of an option that takes one, a static variable of the file that owns
 * it: empty until command_parse() has seen the option. (popt appends to it, so
 * that an option given twice is noticed.)
 */
typedef char **text_option;

/* The same of an option that takes one of several names; NULL is after the last of them. */
typedef struct name_option {
    text_option given;
    const char *const *names;
} name_option;

/* what popt returns at an option that may be given again, and at a name_option */
enum { OPTION_REPEATED = 1, OPTION_NAMED };

/* Rows of an option table: a value, a flag (a static int), the rows of another table. */
#define OPTION_TEXT(name, slot, argument, says)                                                    \
    {                                                                                              \
        name, '\0', POPT_ARG_ARGV, &(slot), 0, says, argument                                      \
    }
/* one that may be given several times: option_text is the first, slot[1] the next, up to a NULL */
#define OPTION_TEXTS(name, slot, argument, says)                                                   \
    {                                                                                              \
        name, '\0', POPT_ARG_ARGV, &(slot), OPTION_REPEATED, says, argument                        \
    }
/* one that takes a name: the slot is a name_option */
#define OPTION_NAME(name, slot, argument, says)                                                    \
    {                                                                                              \
        name, '\0', POPT_ARG_ARGV, &(slot).given, OPTION_NAMED, says, argument                     \
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

/* How often an option was given. */
static inline int option_count(text_option option)
{
    int count = 0;
    while (option != NULL && option[count] != NULL)
        count++;
    return count;
}

/* The names that an option takes, NULL after the last; NULL where it takes something else. */
const char *const *option_names(const struct poptOption *option);

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

#endif
