/* loops.h - closing the loops of given poses. */
#ifndef CLI_WORK_LOOPS_H
#define CLI_WORK_LOOPS_H

#include "cli/options/targets.h"

#include <limber/loops.h>

/* An assembly of the model; leaves the program if there is no memory for it. */
lb_assembly *loops_or_exit(const lb_model *model);

/*
 * Closes the loops of poses, in place: each is followed from the closed default configuration to
 * the values of its independent joints. Complains of the first that does not close, and returns
 * false; `before` is how many poses came before these.
 */
bool loops_close(lb_assembly *assembly, const lb_model *model, pose_list *poses, int before);

#endif
