/*
 * masses.c - the centre of mass and its Jacobian.
 *
 * A joint moves all links that it carries as one body, so its column is that of a point at this
 * body's centre, weighted with the body's share of the mass.
 */
#include "kinematics/state.h"

#include <string.h>

/* masses and moments of what each element carries; returns those of the whole */
static double collect(const lb_state *state, lb_vec3 *moment)
{
    const lb_model *model = state->model;
    double total = 0;
    *moment = lb_vec3_make(0, 0, 0);
    for (int e = 0; e < model->tree.count; e++) {
        state->masses[e] = 0;
        state->moments[e] = lb_vec3_make(0, 0, 0);
    }
    // adds every link to its own element
    for (int i = 0; i < model->link_count; i++) {
        const lb_link *link = &model->links[i];
        int e = model->link_layouts[i].element;
        lb_vec3 part =
            lb_vec3_scale(lb_transform_point(&state->links[i], link->center), link->mass);
        total += link->mass;
        *moment = lb_vec3_add(*moment, part);
        if (e >= 0) {
            state->masses[e] += link->mass;
            state->moments[e] = lb_vec3_add(state->moments[e], part);
        }
    }
    // and from the tips inwards to the elements that carry it
    for (int e = model->tree.count - 1; e >= 0; e--) {
        int parent = model->tree.joints[e].parent;
        if (parent >= 0) {
            state->masses[parent] += state->masses[e];
            state->moments[parent] = lb_vec3_add(state->moments[parent], state->moments[e]);
        }
    }
    return total;
}

/* the velocity of a point that a joint carries, for each of its own velocities at 1 */
static int joint_motions(const kernel_joint *joint, const lb_transform *frame, lb_vec3 point,
                         lb_vec3 linear[3])
{
    lb_vec3 arm = lb_vec3_sub(point, frame->p), axis = lb_vec3_scale(frame->z, joint->scale);
    linear[0] = joint->kind == KERNEL_PRISMATIC ? axis : lb_vec3_cross(axis, arm);
    if (joint->kind != KERNEL_BALL)
        return 1;
    // a ball's angular velocity is given in the child's axes
    linear[0] = lb_vec3_cross(frame->x, arm);
    linear[1] = lb_vec3_cross(frame->y, arm);
    linear[2] = lb_vec3_cross(frame->z, arm);
    return 3;
}

static void add_body(const lb_state *state, int element, double total, double *jacobian)
{
    const kernel_joint *joint = &state->model->tree.joints[element];
    double mass = state->masses[element];
    lb_vec3 linear[3];
    if (joint->v < 0 || mass <= 0)
        return;
    lb_vec3 center = lb_vec3_scale(state->moments[element], 1 / mass);
    int count = joint_motions(joint, &state->elements[element], center, linear);
    int nv = state->model->tree.nv;
    for (int i = 0; i < count; i++) {
        lb_vec3 v = lb_vec3_scale(linear[i], mass / total);
        jacobian[joint->v + i] += v.x;
        jacobian[nv + joint->v + i] += v.y;
        jacobian[2 * nv + joint->v + i] += v.z;
    }
}

double lb_state_center_of_mass(const lb_state *state, lb_vec3 *center, double *jacobian)
{
    const kernel_tree *tree = &state->model->tree;
    double total = collect(state, center);
    if (jacobian)
        memset(jacobian, 0, sizeof(double) * 3 * (size_t)tree->nv);
    if (total <= 0)
        return 0;
    *center = lb_vec3_scale(*center, 1 / total);
    for (int e = 0; jacobian && e < tree->count; e++)
        add_body(state, e, total, jacobian);
    return total;
}
