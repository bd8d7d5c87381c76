/*
 * arm.h - a serial arm as its joint axes in space (product of exponentials).
 *
 * The solvers that find every solution of an arm share this description. It has
 * no Denavit-Hartenberg form: parallel and intersecting axes need no special case,
 * and fixed and locked joints, offsets and tools are folded into the numbers.
 *
 * Source: Brockett 1984, "Robotic manipulators and the product of exponentials
 * formula".
 */
#ifndef LIMBER_IK_CLOSED_ARM_H
#define LIMBER_IK_CLOSED_ARM_H

#include <limber/math.h>
#include <stdbool.h>

enum { CLOSED_ARM_JOINTS = 7 };

/*
 * An arm of `joints` <= CLOSED_ARM_JOINTS joints, joint 0 next to the base:
 *     T_base_tip(q) = A_0(q[0]) A_1(q[1]) ... A_(joints - 1)(q[joints - 1]) home,
 * where A_i(q) turns space by q about the line through point[i] along axis[i] or,
 * where is_length[i], moves it by q along axis[i].
 */
typedef struct closed_arm {
    int joints;
    lb_vec3 axis[CLOSED_ARM_JOINTS];   /* unit, in the base frame at q = 0 */
    lb_vec3 point[CLOSED_ARM_JOINTS];  /* any point on the axis, likewise; metres */
    bool is_length[CLOSED_ARM_JOINTS]; /* prismatic: q is a length in metres */
    lb_transform home;                 /* T_base_tip at q = 0 */
} closed_arm;

#endif
