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
#include "model/layout.h"

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

/* Whether the first joint of a model that moves at all is floating or planar. */
bool kinds_root_moves(const lb_model *model);

/* ---- ball --------------------------------------------------------------- */

/* The limits of ball joints: twist about an axis, swing of the axis. */

/* q = swing * twist; as in kernel_ball_angles. */
typedef struct ball_angles {
    double twist, swing;
} ball_angles;

ball_angles ball_measure(const model_part *part, lb_vec3 axis, lb_quat q);

/* A twist is at most half a turn: a limit on one side only ends there on the other. */
void ball_close_twist(double *lower, double *upper);

/* Whether every rotation is within the limits. */
bool ball_is_free(const model_part *part);

/* The rotation with twist and swing each brought to the nearest within the limits. */
lb_quat ball_clamp(const model_part *part, lb_vec3 axis, lb_quat q);

/*
 * Uniform within the limits: the twist in its range, the axis on its spherical cap. Without limits
 * that is uniform over all rotations.
 */
lb_quat ball_random(const model_part *part, lb_vec3 axis, lb_random *random);

#endif
