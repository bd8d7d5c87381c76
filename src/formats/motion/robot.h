/*
 * robot.h - the motion of robots: the joints that have columns, and the arrays of an archive.
 */
#ifndef FORMATS_MOTION_ROBOT_H
#define FORMATS_MOTION_ROBOT_H

#include <limber/formats/robot_npz.h>
#include <limber/model.h>

/*
 * The floating joint that is the robot's root, and how many others have a column: those of one
 * value that mimic none. Refused: a model without such a root, joints of several values.
 */
lb_status robot_joints_check(const lb_model *model, int *root, int *joints, lb_error *error);
/* Whether a joint has a column. */
bool robot_joints_has(const lb_model *model, int root, int joint);
/* Refuses a name in `list` that is no such joint's. */
lb_status robot_joints_refuse(const lb_model *model, int root, const char *list, const char *name,
                              lb_error *error);
/*
 * The joints that move, `*count` of them, in an order as lb_robot_npz_write() describes it. `moved`
 * has room for twice as many numbers as there are joints.
 */
lb_status robot_joints_order(const lb_model *model, int root, const char *order, int *moved,
                             int *count, lb_error *error);

/* ---- .npz -------------------------------------------------------------- */

/* By their place in the list. */
enum {
    FPS,
    JOINT_POS,
    JOINT_VEL,
    BODY_POS,
    BODY_QUAT,
    BODY_LIN_VEL,
    BODY_ANG_VEL,
    JOINT_NAMES,
    BODY_NAMES,
    ROBOT_NPZ_ARRAYS
};

extern const char *const robot_npz_arrays[ROBOT_NPZ_ARRAYS];

#endif
