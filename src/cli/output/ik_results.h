/*
 * ik_results.h - what inverse kinematics found for each target, for programs.
 */
#ifndef CLI_OUTPUT_IK_RESULTS_H
#define CLI_OUTPUT_IK_RESULTS_H

#include "cli/output/print_json.h"
#include "cli/output/rows.h"
#include "cli/output/solve.h"

/* A row for each target of a block of a `solve`; and the sums of all as members of an object. */
extern const result_table ik_results;
json_t *ik_results_members(void *all);

#endif
