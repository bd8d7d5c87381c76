/*
 * joints.h - what a user wants of a model's joints: a group, locks, limits and weights.
 */
#ifndef CLI_OPTIONS_JOINTS_H
#define CLI_OPTIONS_JOINTS_H

#include "cli/command.h"

#include <limber/formats/joint_limits.h>

/* --srdf, --group, --lock, --limits and --weights */
extern const struct poptOption joint_options[];

/*
 * The model as these options want it, in the place of `model`, which it takes over; NULL after a
 * complaint. `name` is what the model was loaded by: an SRDF is looked for beside it. What a view
 * shares lives until the program ends, so it is made for one model only.
 */
lb_model *joints_apply(const char *name, const lb_load_options *load, lb_model *model);

/* The tips of the group that was chosen, the first in front; 0: no group was, or it has none. */
int joints_tips(int tips[LB_DEFAULT_TIPS]);

/* What --limits has, a row for each joint; NULL: the option was not given. */
const lb_joint_limit *joints_limits(void);

#endif
