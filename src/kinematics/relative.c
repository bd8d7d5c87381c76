/*
 * relative.c - the Jacobian of one link against another: that of the point on the tip minus that of
 * the same point on the base.
 */
#include "kinematics/state.h"

static void drop_locked(const lb_model *model, double *jacobian)
{
    int nv = lb_model_nv(model);
    for (int i = 0; i < lb_model_joint_count(model); i++) {
        const lb_joint *joint = lb_model_joint(model, i);
        if (!joint->locked || joint->mimic)
            continue;
        int first = lb_model_joint_v(model, i);
        for (int k = 0; k < lb_joint_kind_nv(joint->kind); k++)
            for (int row = 0; row < 6; row++)
                jacobian[row * nv + first + k] = 0;
    }
}

void relative_jacobian(const lb_state *state, int base, int tip, lb_vec3 point, double *work,
                       double *jacobian)
{
    const lb_model *model = lb_state_model(state);
    lb_state_jacobian(state, tip, point, LB_AXES_WORLD, jacobian);
    if (base != LB_WORLD) {
        lb_vec3 carried = lb_state_point(state, tip, base, point);
        lb_state_jacobian(state, base, carried, LB_AXES_WORLD, work);
        for (int i = 0; i < 6 * lb_model_nv(model); i++)
            jacobian[i] -= work[i];
    }
    drop_locked(model, jacobian);
}
