/*
 * pose_warnings.h - warnings about poses that look like mistakes.
 */
#ifndef CLI_OPTIONS_POSE_WARNINGS_H
#define CLI_OPTIONS_POSE_WARNINGS_H

#include "cli/options/values.h"

enum { POSE_WARNING_SIZE = VALUE_NAME_SIZE + 160 };

/* What looked like a mistake in all poses so far; all zeros at first. */
typedef struct pose_warnings {
    int poses, outside; /* how many, and how many are outside the limits */
    char first_outside[POSE_WARNING_SIZE];
    double degrees; /* the first angle that looks like degrees, 0: none does */
    char degrees_name[VALUE_NAME_SIZE];
} pose_warnings;

/* Looks at `count` more poses, nq numbers each. */
void pose_warnings_add(pose_warnings *all, const lb_model *model, const value_slot *slots,
                       const double *q, int count);

/*
 * Remarks on poses that are outside the limits, and on angles that look like degrees
 * where radians are read; `what` is the option or the file they are from.
 */
void pose_warnings_print(const pose_warnings *all, const char *what);

#endif
