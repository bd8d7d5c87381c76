/* jacobian.c - Jacobians of points of links: Parent 2012, Eq. 5.15-5.17, Fig. 5.16. */
#include "kinematics/state.h"

#include <assert.h>
#include <string.h>

/* three rows in other axes */
static void turn_rows(double *rows, size_t nv, const lb_transform *axes)
{
    for (size_t i = 0; i < nv; i++) {
        lb_vec3 a = lb_vec3_make(rows[i], rows[nv + i], rows[2 * nv + i]);
        rows[i] = lb_vec3_dot(axes->x, a);
        rows[nv + i] = lb_vec3_dot(axes->y, a);
        rows[2 * nv + i] = lb_vec3_dot(axes->z, a);
    }
}

void lb_state_jacobian(const lb_state *state, int link, lb_vec3 point, lb_axes axes,
                       double *jacobian)
{
    const kernel_tree *tree = &state->model->tree;
    size_t nv = (size_t)tree->nv;
    bool is_link = link >= 0 && link < state->model->link_count;
    assert((is_link || link == LB_WORLD) && "index of a link");
    // no joint moves the world
    if (!is_link) {
        memset(jacobian, 0, sizeof(double) * 6 * nv);
        return;
    }
    const lb_transform *frame = &state->links[link];
    lb_vec3 at = lb_transform_point(frame, point);
    state->ops->jacobian(tree, state->model->link_layouts[link].element, state->elements, &at,
                         jacobian);
    if (axes == LB_AXES_LINK) {
        turn_rows(jacobian, nv, frame);
        turn_rows(jacobian + 3 * nv, nv, frame);
    }
}

void lb_state_jacobians(const lb_state *state, const int *links, const lb_vec3 *points, int n,
                        lb_axes axes, double *jacobian)
{
    const lb_vec3 origin = {0, 0, 0};
    size_t size = 6 * (size_t)state->model->tree.nv;
    for (int i = 0; i < n; i++)
        lb_state_jacobian(state, links[i], points ? points[i] : origin, axes,
                          jacobian + (size_t)i * size);
}

/* ---- of one link against another ------------------------------------------ */

/* That of the point on the tip less that of the same point on the base. */

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
