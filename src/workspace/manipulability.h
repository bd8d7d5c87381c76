/* manipulability.h - how freely a tool moves in a configuration. */
#ifndef WORKSPACE_MANIPULABILITY_H
#define WORKSPACE_MANIPULABILITY_H

#include <limber/task.h>

/* How many numbers of working memory are needed. */
size_t manipulability_work(const lb_model *model);

/*
 * The product of the singular values of the Jacobian of the tool's position against the task's
 * base, in the directions that the tool can move in at all, at the state's configuration.
 */
double manipulability_at(const lb_state *state, const lb_task *task, double *work);

#endif
