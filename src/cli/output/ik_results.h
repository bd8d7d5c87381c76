/*
 * ik_results.h - what inverse kinematics found for each target, for programs.
 */
#ifndef CLI_OUTPUT_IK_RESULTS_H
#define CLI_OUTPUT_IK_RESULTS_H

#include "cli/output/print_json.h"
#include "cli/output/rows.h"
#include "cli/output/solve.h"

/*
 * Write a `solve`, as destination_writer says: a row for each target of the block; and one JSON
 * object of sums, with the result of each target unless rows go to a file.
 */
bool ik_results_rows(void *all, row *fields);
void ik_results_elements(void *all, json_list *list);
json_t *ik_results_members(void *all);

#endif
