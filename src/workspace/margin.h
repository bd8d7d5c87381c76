/* margin.h - how far a configuration is from the limits of its joints. */
#ifndef WORKSPACE_MARGIN_H
#define WORKSPACE_MARGIN_H

#include <limber/model.h>

/*
 * The least distance of a joint from its nearer limit as a share of half its range: 0 at a limit, 1
 * in the middle. Joints without limits, with several values, locked or mimicking do not count; 1
 * where none does.
 */
double margin_at(const lb_model *model, const double *q);

#endif
