/*
 * missing.h - the targets that nothing was found for, named up to some number.
 */
#ifndef CLI_OUTPUT_MISSING_H
#define CLI_OUTPUT_MISSING_H

#include <stddef.h>

enum { MISSING_SIZE = 1536, MISSING_TEXT_SIZE = MISSING_SIZE + 64 };

/* All zeros at first. */
typedef struct missing_targets {
    int count;
    char names[MISSING_SIZE]; /* " 2 (unreachable), 4 (stalled)" */
} missing_targets;

/* Adds the target of a number, counted from 1, and why it is missing: "unreachable". */
void missing_add(missing_targets *missing, int number, const char *why);

/* "no solution for target 2 (unreachable), 4 (stalled) and 5 more" with `what` as its beginning. */
void missing_describe(const missing_targets *missing, const char *what,
                      char text[MISSING_TEXT_SIZE]);

/* The same as a remark, unless none is missing. */
void missing_remark(const missing_targets *missing, const char *what);

#endif
