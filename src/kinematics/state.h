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

#endif
