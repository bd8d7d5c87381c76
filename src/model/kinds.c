/* kinds.c - the table of joint kinds, and default joints and links. */
#include "model/kinds.h"

#include <assert.h>

static const kind_info kinds[] = {
    [LB_JOINT_FIXED] = {.step_count = 1, .steps = {{KERNEL_FIXED, KIND_Z}}, .quat = -1},
    [LB_JOINT_REVOLUTE] = {.step_count = 1,
                           .steps = {{KERNEL_REVOLUTE, KIND_AXIS}},
                           .axis_count = 1,
                           .limit_count = 1,
                           .quat = -1},
    [LB_JOINT_CONTINUOUS] = {.step_count = 1,
                             .steps = {{KERNEL_REVOLUTE, KIND_AXIS}},
                             .axis_count = 1,
                             .quat = -1},
    [LB_JOINT_PRISMATIC] = {.step_count = 1,
                            .steps = {{KERNEL_PRISMATIC, KIND_AXIS}},
                            .axis_count = 1,
                            .limit_count = 1,
                            .quat = -1},
    [LB_JOINT_UNIVERSAL] = {.step_count = 2,
                            .steps = {{KERNEL_REVOLUTE, KIND_AXIS}, {KERNEL_REVOLUTE, KIND_AXIS2}},
                            .axis_count = 2,
                            .limit_count = 2,
                            .quat = -1},
    [LB_JOINT_PLANAR] = {.step_count = 3,
                         .steps = {{KERNEL_PRISMATIC, KIND_AXIS2},
                                   {KERNEL_PRISMATIC, KIND_AXIS3},
                                   {KERNEL_REVOLUTE, KIND_AXIS}},
                         .axis_count = 2,
                         .limit_count = 3,
                         .quat = -1},
    [LB_JOINT_BALL] = {.step_count = 1,
                       .steps = {{KERNEL_BALL, KIND_Z}},
                       .axis_count = 1,
                       .quat = 0},
    [LB_JOINT_FLOATING] = {.step_count = 4,
                           .steps = {{KERNEL_PRISMATIC, KIND_X},
                                     {KERNEL_PRISMATIC, KIND_Y},
                                     {KERNEL_PRISMATIC, KIND_Z},
                                     {KERNEL_BALL, KIND_Z}},
                           .limit_count = 3,
                           .quat = 3},
};

/* the public list's columns */
static const struct {
    const char *text;
    int nq, nv;
} sizes[] = {
#define KIND_SIZES(name, text, nq, nv) {text, nq, nv},
    LB_JOINT_KIND_LIST(KIND_SIZES)
#undef KIND_SIZES
};

bool kind_is_valid(lb_joint_kind kind)
{
    return (unsigned)kind < LB_JOINT_KIND_COUNT;
}

const kind_info *kind_of(lb_joint_kind kind)
{
    assert(kind_is_valid(kind));
    return &kinds[kind];
}

const char *lb_joint_kind_text(lb_joint_kind kind)
{
    return kind_is_valid(kind) ? sizes[kind].text : "unknown kind";
}

int lb_joint_kind_nq(lb_joint_kind kind)
{
    return kind_is_valid(kind) ? sizes[kind].nq : 0;
}

int lb_joint_kind_nv(lb_joint_kind kind)
{
    return kind_is_valid(kind) ? sizes[kind].nv : 0;
}

lb_joint lb_joint_default(void)
{
    lb_joint joint = {
        .kind = LB_JOINT_FIXED,
        .placement = LB_TRANSFORM_IDENTITY,
        .axis = {0, 0, 1},
        .axis2 = {1, 0, 0},
        .lower = {-INFINITY, -INFINITY, -INFINITY},
        .upper = {INFINITY, INFINITY, INFINITY},
        .weight = 1,
        .multiplier = 1,
        .velocity = INFINITY,
        .effort = INFINITY,
    };
    return joint;
}

lb_link lb_link_default(void)
{
    lb_link link = {.data_offset = LB_TRANSFORM_IDENTITY};
    return link;
}
