/* robot_npz.h - the arrays of a robot's motion as .npz. */
#ifndef FORMATS_MOTION_ROBOT_NPZ_H
#define FORMATS_MOTION_ROBOT_NPZ_H

#include <limber/formats/robot_npz.h>

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
