/*
 * freedom.c - the directions in which a link can move at all.
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

/* What the joints between two links do. */
typedef struct motion {
    const lb_state *state;
    span turns, slides;
    int joints, velocities;
} motion;

static void add_element(motion *m, int element)
{
    const kernel_joint *j = &m->state->model->tree.joints[element];
    lb_vec3 axis = m->state->elements[element].z;
    if (j->kind == KERNEL_BALL)
        m->turns = all_of_space;
    else if (j->kind == KERNEL_REVOLUTE)
        span_add(&m->turns, axis);
    else if (j->kind == KERNEL_PRISMATIC)
        span_add(&m->slides, axis);
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
    while ((other = climb(model, &a, &b)) >= 0 && other != joint)
        if (mover_of(model, other) == mover_of(model, joint))
            return true;
    return false;
}

static void add_joint(motion *m, int base, int tip, int joint)
{
    const lb_model *model = m->state->model;
    const model_joint *layout = &model->joint_layouts[joint];
    const lb_joint *mover = &model->joints[mover_of(model, joint)];
    if (mover->locked || mover->kind == LB_JOINT_FIXED)
        return;
    for (int i = 0; i < layout->element_count; i++)
        add_element(m, layout->element + i);
    if (is_counted(model, base, tip, joint))
        return;
    m->joints++;
    m->velocities += lb_joint_kind_nv(mover->kind);
}

freedom freedom_find(const lb_state *state, int base, int tip)
{
    motion m = {.state = state};
    int a = base, b = tip, joint;
    while ((joint = climb(state->model, &a, &b)) >= 0)
        add_joint(&m, base, tip, joint);

    // rotations about several directions lead everywhere, about one only perpendicular to it
    if (m.turns.count > 1) {
        m.turns = m.slides = all_of_space;
    } else if (m.turns.count == 1) {
        lb_vec3 side = lb_vec3_perpendicular(m.turns.axes[0]);
        span_add(&m.slides, side);
        span_add(&m.slides, lb_vec3_cross(m.turns.axes[0], side));
    }
    return (freedom){
        .linear = m.slides, .angular = m.turns, .joints = m.joints, .velocities = m.velocities};
}
