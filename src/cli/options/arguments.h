/*
 * arguments.h - the values of options: numbers, whole numbers, lists of numbers, names.
 *
 * All print an error that names the option and return false when the text is not what
 * it should be.
 */
#ifndef CLI_OPTIONS_ARGUMENTS_H
#define CLI_OPTIONS_ARGUMENTS_H

#include "cli/options/table.h"

#include <limber/math.h>

/* One finite number. */
bool argument_number(const char *option, const char *text, double *value);

/* A finite number above zero. */
bool argument_positive(const char *option, const char *text, double *value);

/*
 * A whole number in least..most, as large as a double holds or as an int does. A text
 * that is NULL, an option that is not given, leaves *value as it is.
 */
bool argument_whole(const char *option, const char *text, double least, double most, double *value);
bool argument_count(const char *option, const char *text, int least, int most, int *value);

/*
 * Finite numbers separated by blanks or commas, those beyond `room` read but not
 * kept. Returns how many there are, -1 after a complaint.
 */
int argument_list(const char *option, const char *text, int room, double *values);

/*
 * Exactly `count` finite numbers of a list; `shape` shows them in messages, as in
 * "x y z".
 */
bool argument_numbers(const char *option, const char *text, const char *shape, int count,
                      double *values);

bool argument_vector(const char *option, const char *text, const char *shape, lb_vec3 *value);
/* "x y z" of any length above zero, at most 60 degrees from z. */
bool argument_normal(const char *option, const char *text, lb_vec3 *value);

/* Which of `count` endings, ".csv" and its like, a file's name has: its index. */
bool argument_ending(const char *option, const char *path, const char *const *endings, int count,
                     int *index);

/* One of the names that an option takes: its index. Where it is not given, *index stays. */
bool argument_name(const char *option, const name_option *choice, int *index);

#endif
