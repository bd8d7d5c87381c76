/*
 * kinds.h - the steps that every joint kind is made of.
 *
 * A joint is a chain of steps, each one element of the kernel's tree with one axis or a ball: a
 * universal joint is two rotations, a floating one three translations and a ball. Everything that
 * depends on the kind follows from this table.
 */
#ifndef MODEL_KINDS_H
#define MODEL_KINDS_H

#include "kernel/tree.h"

#include <limber/model.h>

/* The direction in the joint's frame that a step rotates about or translates along. */
typedef enum kind_axis {
    KIND_AXIS,  /* the joint's axis */
    KIND_AXIS2, /* its axis2 */
    KIND_AXIS3, /* axis x axis2 */
    KIND_X,
    KIND_Y,
    KIND_Z
} kind_axis;

typedef struct kind_step {
    kernel_kind kind;
    kind_axis axis;
} kind_step;

enum { KIND_MAX_STEPS = 4 };

typedef struct kind_info {
    int step_count;
    kind_step steps[KIND_MAX_STEPS];
    int axis_count;  /* how many of axis, axis2 are read */
    int limit_count; /* how many pairs of lower, upper bound its values one by one */
    int quat;        /* index of the quaternion in its values, -1: it has none */
} kind_info;

/* For a valid kind. */
const kind_info *kind_of(lb_joint_kind kind);
bool kind_is_valid(lb_joint_kind kind);

#endif
