/*
 * values.h - the numbers of a configuration by name.
 *
 * A joint with one value goes by its own name; those of a joint with several are named by a part:
 * "hip.qw", "base.x" (values_parts in values.c has them all). So a configuration is a row of a
 * table with a header.
 */
#ifndef FORMATS_MOTION_VALUES_H
#define FORMATS_MOTION_VALUES_H

#include <limber/model.h>

/* One number of a configuration. */
typedef struct value_slot {
    const lb_joint *joint;
    const char *part; /* "" for a joint with one value */
    bool angular;     /* it is in the unit of angles */
} value_slot;

enum { VALUE_NAME_SIZE = 256 };

/* Fills the slots of a model's configuration, nq of them. */
void values_fill(const lb_model *model, value_slot *slots);
/* "elbow" or "hip.qw". */
const char *value_name(const value_slot *slot, char name[VALUE_NAME_SIZE]);

/*
 * Where in q the value of that name is. Refused, with the remedy in *error: no
 * such joint, a fixed or a mimic joint, a joint with several values.
 */
lb_status values_find(const lb_model *model, const value_slot *slots, const char *name, int *index,
                      lb_error *error);
/* Refuses a joint without values of its own. */
lb_status values_check_joint(const lb_joint *joint, lb_error *error);

/*
 * Brings the quaternions in q to length 1. Counts in *changed those that were
 * off by more than writing six decimals explains. Refused: length zero.
 */
lb_status values_normalize(const lb_model *model, double *q, int *changed, lb_error *error);

/* A quaternion of length 1 from four numbers; the same rules. */
bool quaternion_normalize(double q[4], int *changed);

#endif
