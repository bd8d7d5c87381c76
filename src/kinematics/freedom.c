/*
 * freedom.c - the directions in which a link can move at all, and whether they are a plane's.
 *
 * Whether axes are parallel does not depend on the configuration: rotations about one of them, and
 * translations, leave all as they are.
 */
#include "kinematics/freedom.h"

#include "kinematics/state.h"

/* sine of the angle up to which directions count as one: files round to five decimals */
#define PARALLEL 1e-5

/* ---- spans ---------------------------------------------------------------- */

static const span all_of_space = {3, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/* a vector without its part in the span */
static lb_vec3 outside(const span *s, lb_vec3 v)
{
    for (int i = 0; i < s->count; i++)
        v = lb_vec3_sub(v, lb_vec3_scale(s->axes[i], lb_vec3_dot(s->axes[i], v)));
    return v;
}

void span_add(span *s, lb_vec3 direction)
{
    lb_vec3 rest = outside(s, direction);
    // NaN counts as a direction, so that it is noticed
    if (s->count < 3 && !(lb_vec3_length(rest) <= PARALLEL))
        s->axes[s->count++] = lb_vec3_normalize(rest, rest);
}

/* ---- joints --------------------------------------------------------------- */

static void add_element(const lb_state *state, int element, freedom *f)
{
    const kernel_joint *j = &state->model->tree.joints[element];
    lb_vec3 axis = state->elements[element].z;
    if (j->kind == KERNEL_BALL)
        f->angular = all_of_space;
    else if (j->kind == KERNEL_REVOLUTE)
        span_add(&f->angular, axis);
    else if (j->kind == KERNEL_PRISMATIC)
        span_add(&f->linear, axis);
}

/* the joint that moves this one: itself, or the one that it mimics */
static int mover_of(const lb_model *model, int joint)
{
    int mimicked = model->joint_layouts[joint].mimicked_joint;
    return mimicked < 0 ? joint : mimicked;
}

static int above(const lb_model *model, int link)
{
    return model->link_layouts[link].parent;
}

/* steps up from the deeper of two links; returns the joint passed, -1 when they meet */
static int climb(const lb_model *model, int *a, int *b)
{
    int *deeper = *a > *b ? a : b;
    if (*a == *b || *deeper <= 0)
        return -1;
    int joint = *deeper - 1;
    *deeper = above(model, *deeper);
    return joint;
}

/* whether a joint between two links is moved together with one nearer to them */
static bool is_counted(const lb_model *model, int a, int b, int joint)
{
    int other;
    if (model->tree.unshared)
        return false;
    while ((other = climb(model, &a, &b)) >= 0 && other != joint)
        if (mover_of(model, other) == mover_of(model, joint))
            return true;
    return false;
}

static void add_joint(const lb_state *state, int base, int tip, int joint, freedom *f)
{
    const lb_model *model = state->model;
    const model_joint *layout = &model->joint_layouts[joint];
    const lb_joint *mover = &model->joints[mover_of(model, joint)];
    if (mover->locked || mover->kind == LB_JOINT_FIXED)
        return;
    for (int i = 0; i < layout->element_count; i++)
        add_element(state, layout->element + i, f);
    if (is_counted(model, base, tip, joint))
        return;
    f->joints++;
    f->velocities += lb_joint_kind_nv(mover->kind);
}

freedom freedom_find(const lb_state *state, int base, int tip)
{
    freedom f = {.joints = 0};
    int a = base, b = tip, joint;
    while ((joint = climb(state->model, &a, &b)) >= 0)
        add_joint(state, base, tip, joint, &f);
    freedom_complete(&f);
    return f;
}

/* ---- motion --------------------------------------------------------------- */

void freedom_complete(freedom *f)
{
    // rotations about several directions lead everywhere, about one only perpendicular to it
    if (f->angular.count > 1) {
        f->angular = f->linear = all_of_space;
    } else if (f->angular.count == 1) {
        lb_vec3 side = lb_vec3_perpendicular(f->angular.axes[0]);
        span_add(&f->linear, side);
        span_add(&f->linear, lb_vec3_cross(f->angular.axes[0], side));
    }
}

bool freedom_is_planar(const freedom *f, lb_vec3 *normal)
{
    const lb_vec3 *linear = f->linear.axes;
    if (f->angular.count > 1 || f->linear.count == 0 || f->linear.count == 3)
        return false;
    if (f->angular.count == 1)
        *normal = f->angular.axes[0];
    else
        *normal = f->linear.count == 2 ? lb_vec3_cross(linear[0], linear[1])
                                       : lb_vec3_perpendicular(linear[0]);
    return true;
}
