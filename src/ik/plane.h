/* plane.h - arms whose joints all rotate about one direction, and what they can never do. */
#ifndef IK_PLANE_H
#define IK_PLANE_H

#include "ik/iteration.h"

/*
 * What remains between a task's tool and its target in every configuration. Rotations about
 * `normal` keep the angle of directions to it, and the height of points along it unless a joint
 * slides that way.
 */
typedef struct ik_plane {
    lb_vec3 normal; /* unit, in the problem's axes */
    double height;  /* metres from the tool's plane to the target; 0 where a joint slides there */
    double tilt; /* radians by which the target's axes are inclined out of what rotations about the
                    normal give */
} ik_plane;

/* True when the task's joints are like that; the iteration was evaluated. */
bool ik_plane_find(const ik_iteration *it, int task, ik_plane *plane);

#endif
