/*
 * result.h - the result of a search: a verified solution, or the closest configuration found.
 */
#ifndef IK_SEARCH_RESULT_H
#define IK_SEARCH_RESULT_H

#include "ik/search/search.h"

/*
 * Ends up to ops->width searches whose tries are made: writes the model's q and the result of each.
 * q may be the start. Returns how many were reached.
 */
int ik_result_write(lb_ik *ik, const kernel_ops *ops, ik_search *const *searches, double *const *q,
                    lb_ik_result *const *results, int count);

/* The result of a problem that is not valid: q becomes the start. */
lb_outcome ik_result_refuse(const lb_ik *ik, const double *start, double *q, lb_ik_result *result);

#endif
