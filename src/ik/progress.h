/*
 * progress.h - whether a configuration solves its tasks as it is.
 */
#ifndef IK_PROGRESS_H
#define IK_PROGRESS_H

#include <limber/ik.h>

/*
 * True when q, brought inside its limits, solves the tasks: no iteration is made, no posture is
 * looked for. Else q stays as it is. `result` has the errors.
 */
bool ik_progress_solves(lb_ik *ik, const lb_transform *targets, double *q, lb_ik_result *result);

#endif
