/*
 * limits.h - clamps configurations and finds violations of limits, as data; messages are the
 * caller's.
 */
#ifndef MODEL_LIMITS_H
#define MODEL_LIMITS_H

#include "model/layout.h"

/*
 * Radians or metres by which rounding may put a value beyond its limit: numbers are clamped
 * exactly, balls through quaternions. Every solution is verified with this tolerance.
 */
#define LIMITS_ROUNDING 1e-12

typedef enum limits_fault {
    LIMITS_KEPT,
    LIMITS_NOT_FINITE, /* value */
    LIMITS_NOT_UNIT,   /* value: the quaternion's length */
    LIMITS_VALUE,      /* value, lower, upper: a number beyond its limits */
    LIMITS_TWIST,      /* of a ball joint, about its axis */
    LIMITS_SWING       /* of a ball joint's axis */
} limits_fault;

/* The first violation of a configuration. */
typedef struct limits_violation {
    limits_fault fault;
    const model_part *part; /* NULL when all limits are kept */
    double value, lower, upper;
} limits_violation;

/*
 * Neither allocates nor formats, so solvers can use it. `tolerance` as in
 * lb_configuration_validate.
 */
limits_violation limits_find_violation(const lb_model *model, const double *q, double tolerance);

/* Up to ops->width configurations at once: returns a bit for each without a violation. */
unsigned limits_kept(const lb_model *model, const kernel_ops *ops, const double *const *q,
                     int count, double tolerance);
/*
 * lb_configuration_clamp of up to ops->width configurations; returns a bit for each whose numbers
 * are all finite.
 */
unsigned limits_clamp(const lb_model *model, const kernel_ops *ops, const double *const *q,
                      double *const *out, int count);

#endif
