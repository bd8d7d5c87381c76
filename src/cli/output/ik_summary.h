/*
 * ik_summary.h - what inverse kinematics achieved, in words for people.
 */
#ifndef CLI_OUTPUT_IK_SUMMARY_H
#define CLI_OUTPUT_IK_SUMMARY_H

#include "cli/output/solve.h"

/*
 * Writes a `solve`, as destination_writer says. One target: the target, the outcome, the joints
 * from base to tip with their limits, and why when it was not reached. Several: how many of each
 * outcome, the time, and the first that were not reached.
 */
bool ik_summary_words(void *all, FILE *stream);

#endif
