/* state.h - what an lb_state holds. */
#ifndef KINEMATICS_STATE_H
#define KINEMATICS_STATE_H

#include "model/layout.h"

#include <limber/kinematics.h>

struct lb_state {
    lb_allocator allocator;
    const lb_model *model;
    double *q;              /* nq */
    lb_transform *links;    /* T_world_link */
    lb_transform *elements; /* T_world_element; the same memory where model->direct */
    double *masses;         /* what each element and everything after it weighs */
    lb_vec3 *moments;       /* sum of mass times place of the same, world axes */
    double *jacobian;       /* 6 x nv, to work in */
};

/*
 * The velocities that a joint gives a point (world axes) that it carries, for each of
 * its own velocities at 1; answers how many there are.
 */
int joint_motions(const kernel_joint *joint, const lb_transform *frame, lb_vec3 point,
                  lb_vec3 linear[3], lb_vec3 angular[3]);

#endif
