/*
 * arguments.h - the values of options: numbers, whole numbers, lists of numbers, names.
 *
 * A text that is not what it should be is refused with the option's name. A text that is NULL, an
 * option that is not given, has the `usual` value.
 */
#ifndef CLI_OPTIONS_ARGUMENTS_H
#define CLI_OPTIONS_ARGUMENTS_H

#include <limber/math.h>
#include <popt.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- option tables ---------------------------------------------------- */

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

/* How the value of an option is read into a field of a struct. */
typedef enum field_kind {
    FIELD_FLAG,     /* bool: true where it is given */
    FIELD_NUMBER,   /* double */
    FIELD_POSITIVE, /* double above zero */
    FIELD_COUNT,    /* int in least..most */
    FIELD_SEED,     /* uint64_t that a double holds */
    FIELD_VECTOR,   /* lb_vec3 */
    FIELD_NORMAL,   /* lb_vec3: a slope as argument_normal() takes it */
    FIELD_NAME      /* int or an enumeration: one of names, its index or what is there in values */
} field_kind;

/* An option that only sets such a field; `given` is first, as popt fills it. */
typedef struct field_option {
    union {
        text_option text;
        int flag;
    } given;
    field_kind kind;
    size_t at; /* of the field in its struct */
    int least, most;
    const char *const *names;
    const int *values; /* NULL: the index itself */
} field_option;

/* what popt returns at an option that may be given again, at a name_option and at a field_option */
enum { OPTION_REPEATED = 1, OPTION_NAMED, OPTION_FIELDS };

/* Rows of an option table: a value, a flag (a static int), the rows of another table. */
#define OPTION_ROW(name, takes, slot, value, says, argument)                                       \
    {                                                                                              \
        name, '\0', takes, slot, value, says, argument                                             \
    }
#define OPTION_TEXT(name, slot, argument, says)                                                    \
    OPTION_ROW(name, POPT_ARG_ARGV, &(slot), 0, says, argument)
/* one that may be given several times: option_text is the first, slot[1] the next, up to a NULL */
#define OPTION_TEXTS(name, slot, argument, says)                                                   \
    OPTION_ROW(name, POPT_ARG_ARGV, &(slot), OPTION_REPEATED, says, argument)
/* one that takes a name: the slot is a name_option */
#define OPTION_NAME(name, slot, argument, says)                                                    \
    OPTION_ROW(name, POPT_ARG_ARGV, &(slot).given, OPTION_NAMED, says, argument)
#define OPTION_FLAG(name, slot, says) OPTION_ROW(name, POPT_ARG_NONE, &(slot), 0, says, NULL)
/* Rows that set a field of a struct by themselves: options_read() reads all of a table. */
#define OPTION_INTO(name, takes, argument, says, ...)                                              \
    OPTION_ROW(name, takes, (&(field_option){__VA_ARGS__}), OPTION_FIELDS, says, argument)
#define OPTION_FIELD(name, how, type, field, argument, says)                                       \
    OPTION_INTO(name, POPT_ARG_ARGV, argument, says, .kind = how, .at = offsetof(type, field))
#define OPTION_COUNT(name, type, field, low, high, argument, says)                                 \
    OPTION_INTO(name, POPT_ARG_ARGV, argument, says, .kind = FIELD_COUNT,                          \
                .at = offsetof(type, field), .least = low, .most = high)
#define OPTION_CHOICE(name, type, field, of, as, argument, says)                                   \
    OPTION_INTO(name, POPT_ARG_ARGV, argument, says, .kind = FIELD_NAME,                           \
                .at = offsetof(type, field), .names = of, .values = as)
#define OPTION_SET(name, type, field, says)                                                        \
    OPTION_INTO(name, POPT_ARG_NONE, NULL, says, .kind = FIELD_FLAG, .at = offsetof(type, field))
#define OPTION_TABLE(table)                                                                        \
    OPTION_ROW(NULL, POPT_ARG_INCLUDE_TABLE, (struct poptOption *)(table), 0, NULL, NULL)
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

/* An option of a table and of those it includes, by its place; NULL after the last. */
const struct poptOption *option_at(const struct poptOption *table, int i);

/* The name of the first option of a table that was given; NULL where none was. */
const char *option_any_given(const struct poptOption *table);

/*
 * Sets the fields of `into`, a struct, that options of a table itself, without those that it
 * includes, were given for.
 */
void options_read(const struct poptOption *table, void *into);

/* Whether the option of a name was given, in a table or in one that it includes. */
bool option_given(const struct poptOption *table, const char *name);

/* Whether an option was given. */
bool option_is_given(const struct poptOption *option);
/*
 * Refuses options of a table, because all would be without effect: "--size has no effect without
 * --figure", the last two words being `where`.
 */
void option_none_given(const struct poptOption *table, const char *where);

/* ---- values ----------------------------------------------------------- */

/* "I/N", the I-th of N parts: I - 1 and N; without a text 0 and 1. */
void argument_part(const char *option, const char *text, long *part, long *parts);

/* One finite number. */
double argument_number(const char *option, const char *text, double usual);

/* A finite number above zero. */
double argument_positive(const char *option, const char *text, double usual);

/* A whole number in least..most. */
int argument_count(const char *option, const char *text, int least, int most, int usual);

/*
 * Finite numbers separated by blanks or commas, those beyond `room` read but not
 * kept. Returns how many there are.
 */
int argument_list(const char *option, const char *text, int room, double *values);

/*
 * Exactly `count` finite numbers of a list; `shape` shows them in messages, as in
 * "x y z".
 */
void argument_numbers(const char *option, const char *text, const char *shape, int count,
                      double *values);

/* "x y z" */
lb_vec3 argument_vector(const char *option, const char *text);
/* The same of any length above zero, at most 60 degrees from z. */
lb_vec3 argument_normal(const char *option, const char *text);

/* Which of `count` endings, ".csv" and its like, a file's name has: its index. */
int argument_ending(const char *option, const char *path, const char *const *endings, int count);

/* What --output is by its ending: .csv, or "-"; a figure; or `other`, ".json" or the like. */
typedef enum output_form { FORM_CSV, FORM_OTHER, FORM_FIGURE } output_form;
output_form argument_output(const char *path, const char *other);

/* One of the names that an option takes: its index. */
int argument_name(const char *option, const name_option *choice, int usual);

#endif
