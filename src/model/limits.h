/* limits.h - where a configuration is out of bounds, as data; words are for whoever asks. */
#ifndef MODEL_LIMITS_H
#define MODEL_LIMITS_H

#include "model/layout.h"

typedef enum limits_fault {
    LIMITS_KEPT,
    LIMITS_NOT_FINITE, /* value */
    LIMITS_NOT_UNIT,   /* value: the quaternion's length */
    LIMITS_VALUE,      /* value, lower, upper: a number beyond its limits */
    LIMITS_TWIST,      /* of a ball joint, about its axis */
    LIMITS_SWING       /* of a ball joint's axis */
} limits_fault;

/* The first thing that is wrong with a configuration. */
typedef struct limits_violation {
    limits_fault fault;
    const model_part *part; /* NULL when all limits are kept */
    double value, lower, upper;
} limits_violation;

/* Neither allocates nor formats: solvers ask here. `tolerance` as in lb_configuration_validate. */
limits_violation limits_find_violation(const lb_model *model, const double *q, double tolerance);

/* Up to ops->width configurations at once: a bit for each that has no violation. */
unsigned limits_kept(const lb_model *model, const kernel_ops *ops, const double *const *q,
                     int count, double tolerance);
/* lb_configuration_clamp; answers a bit for each whose numbers all are finite. */
unsigned limits_clamp(const lb_model *model, const kernel_ops *ops, const double *const *q,
                      double *const *out, int count);

#endif
