/*
 * joint_values.h - a configuration in results: a column or a JSON member for each of its numbers,
 * by the names and in the units that --at takes.
 */
#ifndef CLI_OUTPUT_JOINT_VALUES_H
#define CLI_OUTPUT_JOINT_VALUES_H

#include <jansson.h>

#include "cli/options/values.h"
#include "cli/output/rows.h"

/* The names and the unit of a model's values. */
typedef struct joint_values {
    int count; /* nq */
    value_slot *slots;
} joint_values;

joint_values joint_values_of(const lb_model *model);
void joint_values_release(joint_values *values);

/* The header's columns, and those of one configuration. */
void joint_values_names(const joint_values *values, row *fields);
void joint_values_row(const joint_values *values, const double *q, row *fields);

/* {"elbow": 0.5, ...} */
json_t *joint_values_json(const joint_values *values, const double *q);

#endif
