/*
 * values.h - the numbers of a configuration by name.
 *
 * Names are those of formats/motion/values.h. A configuration is a row of a CSV file, or a text of
 * "joint=value" words, in which a joint with several values takes them at once:
 * "hip=1,0,0,0" or, in place of a quaternion, roll, pitch and yaw: "hip=0.1,0,0".
 */
#ifndef CLI_OPTIONS_VALUES_H
#define CLI_OPTIONS_VALUES_H

#include <limber/model.h>

#include "cli/command.h"
#include "formats/motion/values.h"

/* ---- angles ----------------------------------------------------------- */

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

/* ---- values ----------------------------------------------------------- */

/* The slots of a model's configuration, nq of them; release with free(). */
value_slot *values_slots(const lb_model *model);
/* What a user's number is multiplied by to be the configuration's. */
double value_unit(const value_slot *slot);

/* Receives each word "name=value" of a text, until it returns false. */
typedef bool assignment_visit(void *user, const char *option, const char *name, const char *value);
/* Complains of `option` when a word has another form; false then, and where a visit said so. */
bool assignments_each(const char *option, const char *text, assignment_visit *visit, void *user);

/* Sets the values that `text` ("joint=value ...") names; complains of `option` when it cannot. */
bool values_from_text(const lb_model *model, const value_slot *slots, const char *option,
                      const char *text, double *q);

#endif
