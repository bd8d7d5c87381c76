/* symbolic.h - the place of a tip and its Jacobian as formulas. */
#ifndef CLI_WORK_SYMBOLIC_H
#define CLI_WORK_SYMBOLIC_H

#include <limber/task.h>
#include <stdio.h>

/*
 * Of arms with at most three hinges and slides between the root and the tip: every entry is a sum
 * of products of cosines and sines of angles, or of cosines and sines of their sums, whichever is
 * shorter. False after a complaint about the arm.
 */
bool symbolic_check(const lb_model *model, const lb_task *task);
void symbolic_write(const lb_model *model, const lb_task *task, FILE *stream);

#endif
