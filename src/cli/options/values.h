/*
 * values.h - the numbers of a configuration by name.
 *
 * A joint with one value goes by its own name; those of a joint with several
 * are named by a part: "hip.qw", "base.x" (values_parts in values.c has
 * them all). So a configuration is a row of a CSV file, and a text of
 * "joint=value" words, in which a joint with several values takes them at once:
 * "hip=1,0,0,0" or, in place of a quaternion, roll, pitch and yaw: "hip=0.1,0,0".
 */
#ifndef CLI_OPTIONS_VALUES_H
#define CLI_OPTIONS_VALUES_H

#include <limber/model.h>

#include "cli/command.h"

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

/* One number of a configuration. */
typedef struct value_slot {
    const lb_joint *joint;
    const char *part; /* "" for a joint with one value */
    bool angular;     /* --degrees applies */
} value_slot;

enum { VALUE_NAME_SIZE = 256 };

/* The slots of a model's configuration, nq of them; release with free(). */
value_slot *values_slots(const lb_model *model);
/* "elbow" or "hip.qw". */
const char *value_name(const value_slot *slot, char name[VALUE_NAME_SIZE]);
/* What a user's number is multiplied by to be the configuration's. */
double value_unit(const value_slot *slot);

/*
 * Where in q the value of that name is. Refused, with the remedy in *error: no
 * such joint, a fixed or a mimic joint, a joint with several values.
 */
lb_status values_find(const lb_model *model, const value_slot *slots, const char *name, int *index,
                      lb_error *error);

/* Receives each word "name=value" of a text, until it returns false. */
typedef bool assignment_visit(void *user, const char *option, const char *name, const char *value);
/* Complains of `option` when a word has another form; false then, and where a visit said so. */
bool assignments_each(const char *option, const char *text, assignment_visit *visit, void *user);

/* Sets the values that `text` ("joint=value ...") names; complains of `option` when it cannot. */
bool values_from_text(const lb_model *model, const value_slot *slots, const char *option,
                      const char *text, double *q);

/*
 * Brings the quaternions in q to length 1. Counts in *changed those that were
 * off by more than writing six decimals explains. Refused: length zero.
 */
lb_status values_normalize(const lb_model *model, double *q, int *changed, lb_error *error);

/* A quaternion of length 1 from four numbers; the same rules. */
bool quaternion_normalize(double q[4], int *changed);

#endif
