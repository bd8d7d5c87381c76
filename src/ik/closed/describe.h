/* describe.h - why an arm is of its class, in words: which axes meet and which are parallel. */
#ifndef LIMBER_IK_CLOSED_DESCRIBE_H
#define LIMBER_IK_CLOSED_DESCRIBE_H

#include "ik/closed/finder.h"

/* As lb_solutions_describe. */
size_t closed_describe(const lb_model *model, const closed_finder *finder, char *text, size_t size);

/* The chain's joint that a redundant arm's finder holds; NULL: it represents what the task leaves
   open. */
const closed_joint *closed_held_joint(const closed_finder *finder);

#endif
