/* manipulability.h - how freely a tool moves in a configuration. */
#ifndef WORKSPACE_MANIPULABILITY_H
#define WORKSPACE_MANIPULABILITY_H

#include <limber/model.h>
#include <limber/task.h>

/* How many numbers of working memory are needed. */
size_t manipulability_work(const lb_model *model);

/*
 * The product of the singular values of the Jacobian of the tool's position against the task's
 * base, in the directions that the tool can move in at all, at the state's configuration.
 */
double manipulability_at(const lb_state *state, const lb_task *task, double *work);

/* ---- margin ------------------------------------------------------------- */

/* How far a configuration is from the limits of its joints. */

/*
 * The least distance of a joint from its nearer limit as a share of half its range: 0 at a limit, 1
 * in the middle. Joints without limits, with several values, locked or mimicking do not count; 1
 * where none does.
 */
double margin_at(const lb_model *model, const double *q);

#endif
