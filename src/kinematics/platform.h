/*
 * platform.h - all poses of a body that six legs hold.
 */
#ifndef KINEMATICS_PLATFORM_H
#define KINEMATICS_PLATFORM_H

#include "kinematics/assembly.h"

/* The ends of legs on a body at rest and on one that moves, in the axes of one frame, and how far
   they are apart. */
typedef struct platform_ends {
    lb_vec3 base[PLATFORM_LEGS + 1], top[PLATFORM_LEGS + 1];
    double length[PLATFORM_LEGS + 1];
} platform_ends;

/*
 * The motions of the second body for which every leg has its length. Returns how many; *certain is
 * lost if there may be others.
 */
int platform_poses(const platform_ends *ends, lb_transform motions[TRACK_PATHS], bool *certain);

#endif
