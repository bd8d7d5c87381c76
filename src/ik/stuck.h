/*
 * stuck.h - configurations where a descent stops although they are not the target.
 */
#ifndef IK_STUCK_H
#define IK_STUCK_H

#include "ik/iteration.h"

/*
 * Whether no joint lowers the error at it->q to first order inside its limits. How short the steps
 * of a method are there does not matter. Evaluates there.
 */
bool ik_stuck_is(ik_iteration *it);

/*
 * Looks for an escape from a stuck configuration: a small move along which the tools do not move to
 * first order, but approach their targets to second. True, and it->next, when there is one; false
 * also where it->q is not stuck. Evaluates elsewhere, and at it->q again.
 */
bool ik_stuck_escape(ik_iteration *it);

/* Why a descent ended at it->q, which is not the target. Evaluates there. */
lb_reason ik_stuck_reason(ik_iteration *it);

#endif
