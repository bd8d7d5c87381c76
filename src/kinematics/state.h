/* state.h - what an lb_state holds. */
#ifndef KINEMATICS_STATE_H
#define KINEMATICS_STATE_H

#include "model/layout.h"

#include <limber/kinematics.h>

struct lb_state {
    lb_allocator allocator;
    const lb_model *model;
    const kernel_ops *ops;
    double *q;              /* nq */
    lb_transform *links;    /* T_world_link */
    lb_transform *elements; /* T_world_element; the same memory where model->direct */
    double *masses;         /* the mass of each element and everything it carries */
    lb_vec3 *moments;       /* sum of mass times position of the same, world axes */
    double *jacobian;       /* 6 x nv, working memory */
};

/* ---- relative ----------------------------------------------------------- */

/* The Jacobian of one link against another. */

/*
 * The 6 x nv Jacobian of `point` (in tip axes) against `base` (a link or LB_WORLD), row major, in
 * world axes, without the columns of locked joints. `work` has room for as many numbers.
 */
void relative_jacobian(const lb_state *state, int base, int tip, lb_vec3 point, double *work,
                       double *jacobian);

#endif
