/*
 * angles.h - the unit of angles, and numbers that look like the other one.
 */
#ifndef CLI_OPTIONS_ANGLES_H
#define CLI_OPTIONS_ANGLES_H

#include "cli/command.h"

/* --degrees */
extern const struct poptOption angle_options[];
/*
 * --source-degrees: a table of motion that is read has a unit of its own, which need not be that of
 * what is typed and written.
 */
extern const struct poptOption source_angle_options[];
bool angles_of_source_given(void);
/* From true to false angles are those of such a table. */
void angles_of_source(bool read);

/* Radians in one unit of the user's angles: 1, or pi / 180 with --degrees. */
double angle_unit(void);
/* The name of that unit: "rad" or "degrees". */
const char *angle_unit_name(void);

/* Read in radians, and more than a turn. */
bool angle_is_doubtful(double given);
/* Remarks on the first of an option's angles, as they were given, that is doubtful. */
void angles_remark(const char *option, const double *given, int count);

#endif
