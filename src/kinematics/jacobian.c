/*
 * jacobian.c - how fast points of links move with the joints: Eq. 5.15-5.17, Fig. 5.16.
 *
 * Walks from the link to the root; every joint on the way gives one column for
 * each of its velocities. A turn about `axis` through `origin` moves the point by
 * axis x (point - origin) and turns it about axis; a way along axis moves it by axis.
 */
#include "kinematics/state.h"

#include <string.h>

/* where columns go: rows `row`.. of a matrix with nv columns, along some axes */
typedef struct target {
    double *jacobian;
    int nv;
    const lb_transform *axes; /* NULL: the world's */
} target;

/* v along the axes that were asked for */
static lb_vec3 turned(const target *to, lb_vec3 v)
{
    if (!to->axes)
        return v;
    return lb_vec3_make(lb_vec3_dot(to->axes->x, v), lb_vec3_dot(to->axes->y, v),
                        lb_vec3_dot(to->axes->z, v));
}

static void add_column(const target *to, int column, lb_vec3 linear, lb_vec3 angular)
{
    double *j = to->jacobian + column;
    size_t nv = (size_t)to->nv;
    linear = turned(to, linear);
    angular = turned(to, angular);
    j[0] += linear.x;
    j[nv] += linear.y;
    j[2 * nv] += linear.z;
    j[3 * nv] += angular.x;
    j[4 * nv] += angular.y;
    j[5 * nv] += angular.z;
}

int joint_motions(const kernel_joint *joint, const lb_transform *frame, lb_vec3 point,
                  lb_vec3 linear[3], lb_vec3 angular[3])
{
    lb_vec3 arm = lb_vec3_sub(point, frame->p);
    if (joint->kind == KERNEL_PRISMATIC) {
        linear[0] = lb_vec3_scale(frame->z, joint->scale);
        angular[0] = lb_vec3_make(0, 0, 0);
        return 1;
    }
    // a ball's angular velocity is given in the child's axes
    angular[0] = joint->kind == KERNEL_BALL ? frame->x : lb_vec3_scale(frame->z, joint->scale);
    angular[1] = frame->y;
    angular[2] = frame->z;
    int count = joint->kind == KERNEL_BALL ? 3 : 1;
    for (int i = 0; i < count; i++)
        linear[i] = lb_vec3_cross(angular[i], arm);
    return count;
}

static void add_joint(const target *to, const kernel_joint *joint, const lb_transform *frame,
                      lb_vec3 point)
{
    lb_vec3 linear[3], angular[3];
    if (joint->v < 0)
        return;
    int count = joint_motions(joint, frame, point, linear, angular);
    for (int i = 0; i < count; i++)
        add_column(to, joint->v + i, linear[i], angular[i]);
}

void lb_state_jacobian(const lb_state *state, int link, lb_vec3 point, lb_axes axes,
                       double *jacobian)
{
    const kernel_tree *tree = &state->model->tree;
    memset(jacobian, 0, sizeof(double) * 6 * (size_t)tree->nv);
    // nothing moves the world
    if (link < 0)
        return;
    const lb_transform *frame = &state->links[link];
    target to = {jacobian, tree->nv, axes == LB_AXES_LINK ? frame : NULL};
    lb_vec3 at = lb_transform_point(frame, point);
    for (int e = state->model->link_layouts[link].element; e >= 0; e = tree->joints[e].parent)
        add_joint(&to, &tree->joints[e], &state->elements[e], at);
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
