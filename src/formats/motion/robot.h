/*
 * robot.h - the motion of robots: the joints that have columns, and the arrays of an archive.
 */
#ifndef FORMATS_MOTION_ROBOT_H
#define FORMATS_MOTION_ROBOT_H

#include "formats/motion/arrays.h"

#include <limber/formats/robot_npz.h>
#include <limber/model.h>

/* The first floating joint; -1: there is none. */
int robot_joints_root(const lb_model *model);
/*
 * The floating joint that is the robot's root, and how many others have a column: those of one
 * value that mimic none. Refused: a model without such a root or with one that hangs from a joint
 * that moves, joints of several values.
 */
lb_status robot_joints_check(const lb_model *model, int *root, int *joints, lb_error *error);
/*
 * Where the root is in the world, which is what tables hold: x y z and a quaternion w x y z, from
 * a configuration and into one.
 */
void robot_joints_place(const lb_model *model, int root, const double *q, double place[7]);
void robot_joints_set_place(const lb_model *model, int root, const double place[7], double *q);
/* Whether a joint has a column. */
bool robot_joints_has(const lb_model *model, int root, int joint);
/* The next such joint after one, -1 being before all; -1: there is none. */
int robot_joints_next(const lb_model *model, int root, int joint);
/* Refuses a name that is no such joint's; `where`: what comes before it in the message. */
lb_status robot_joints_refuse(const lb_model *model, int root, int line, const char *where,
                              const char *name, lb_error *error);
/*
 * The joints that move, `*count` of them, in an order as lb_robot_npz_write() describes it. `moved`
 * has room for twice as many numbers as there are joints.
 */
lb_status robot_joints_order(const lb_model *model, int root, const char *order, int *moved,
                             int *count, lb_error *error);

/* ---- frames of arrays ------------------------------------------------------ */

/* Where the numbers of a robot's frames are, and what reading them says. */
typedef struct robot_frames {
    const lb_model *model;
    int root, joints; /* as robot_joints_check() finds them */
    named_arrays set;
    int place, turn, values; /* arrays: of the root's place and quaternion, and of the joints */
    size_t body;             /* whose place and quaternion of a row are the root's */
    bool scalar_last;        /* quaternions are x y z w */
    int *
        columns; /* of each joint: which it is of the array, -1: none; NULL: in the model's order */
    int frames;
    double rate;
    lb_status status; /* why a frame is refused */
    lb_error *error;
} robot_frames;

/* The frames as a clip; all arrays are checked. */
lb_status robot_frames_clip(robot_frames *frames, const lb_allocator *allocator, lb_clip **clip);

/* ---- .pkl -------------------------------------------------------------- */

/*
 * Motion as GMR keeps it (General Motion Retargeting, github.com/YanjieZe/GMR): a pickle of a
 * dictionary with fps, root_pos (T x 3), root_rot (T x 4, x y z w) and dof_pos (T x joints, in the
 * model's order, depth first), the root's in the world; written, too, local_body_pos (T x links x
 * 3: places of the links below the root while that is at rest) and link_body_list, the names of
 * these links.
 */
lb_status robot_pkl_read(const void *bytes, size_t size, const lb_model *model,
                         const lb_allocator *allocator, lb_clip **clip, lb_error *error);
/* The keys of a clip, evenly spaced. */
lb_status robot_pkl_write(const lb_clip *clip, const lb_allocator *allocator, lb_sink *sink,
                          void *user, lb_error *error);

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
