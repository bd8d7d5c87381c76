/*
 * joints.h - what a user wants of a model's joints: a group, locks, limits and weights.
 */
#ifndef CLI_OPTIONS_JOINTS_H
#define CLI_OPTIONS_JOINTS_H

#include "cli/command.h"

#include <limber/formats/joint_limits.h>
#include <limber/formats/srdf.h>

/* --srdf, which is a part of the next table, too. */
extern const struct poptOption srdf_options[];

/* --srdf, --group, --lock, --limits and --weights */
extern const struct poptOption joint_options[];

/*
 * The model as these options want it, in the place of `model`, which it takes over; NULL after a
 * complaint. `name` is what the model was loaded by: an SRDF is looked for beside it. What a view
 * shares lives until the program ends, so it is made for one model only.
 */
lb_model *joints_apply(const char *name, const lb_load_options *load, lb_model *model);

/*
 * The SRDF that --srdf names or that is beside the model's file; *srdf is NULL where there is none.
 * False after a complaint. Release with lb_srdf_release. A command that calls this says so first:
 * without --group --srdf is refused otherwise.
 */
void joints_use_srdf(void);
bool joints_srdf(const char *name, const lb_load_options *load, const lb_model *model,
                 lb_srdf **srdf);

/* The tips of the group that was chosen, the first in front; 0: no group was, or it has none. */
int joints_tips(int tips[LB_DEFAULT_TIPS]);

/* What --limits has, a row for each joint; NULL: the option was not given. */
const lb_joint_limit *joints_limits(void);

#endif
