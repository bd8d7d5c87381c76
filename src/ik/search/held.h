/* held.h - solutions of an arm of seven joints between its limits, where a search has found none.
 */
#ifndef LIMBER_IK_SEARCH_HELD_H
#define LIMBER_IK_SEARCH_HELD_H

#include "ik/solver.h"

/*
 * Where an arm of seven joints has found no solution and ik->trial misses by little: looks through
 * the values of the joint that is held, and between them where limits leave a narrow way, or a
 * single configuration. True: the solution is in ik->trial, *result says so. False: ik->trial may
 * be anything.
 */
bool ik_held_search(lb_ik *ik, const ik_search *search, lb_ik_result *result);

#endif
