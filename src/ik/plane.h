/*
 * plane.h - arms whose joints all turn about one direction, and what such an arm can never do.
 */
#ifndef IK_PLANE_H
#define IK_PLANE_H

#include "ik/iteration.h"

/*
 * What stands between a task's tool and its target whatever the joints do. Turning about
 * `normal` leaves directions their angle to it, and points their height along it unless
 * a joint slides that way.
 */
typedef struct ik_plane {
    lb_vec3 normal; /* unit, in the problem's axes */
    double
        height;  /* metres that the target is off the tool's plane; 0 where a joint slides there */
    double tilt; /* radians that its axes lean out of what turning about the normal gives */
} ik_plane;

/* True when the task's joints are like that; the iteration was evaluated. */
bool ik_plane_find(const ik_iteration *it, int task, ik_plane *plane);

#endif
