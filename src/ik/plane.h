/*
 * plane.h - places that no configuration of an arm reaches, because of its axes or its lengths.
 */
#ifndef IK_PLANE_H
#define IK_PLANE_H

#include "ik/iteration.h"

/*
 * What holds of a task's tool in every configuration, in the problem's axes and unit. Where all
 * revolute axes are parallel, rotations keep heights along them and the angles of directions to
 * them. Without slides the tool keeps a distance from the first joint where one link is longer than
 * all others together. `slack`: how much rounding and axes that are not quite parallel may change.
 */
typedef struct ik_plane {
    bool planar;           /* all axes are parallel */
    bool level;            /* ... and no joint slides along them: the height is constant */
    lb_vec3 normal;        /* unit */
    double height;         /* of the tool, along the normal */
    lb_vec3 own;           /* the normal in the axes of the tool's frame */
    double slack, tilting; /* of heights; of angles, radians */
    bool rigid;            /* there is a least distance from the shoulder */
    lb_vec3 shoulder;
    double inner; /* that least distance, in the plane where `planar` */
} ik_plane;

/* By how much a target is beyond that. */
typedef struct ik_plane_miss {
    double height;  /* metres off the plane */
    double tilt;    /* radians by which its axes are inclined out of what rotations about the normal
                       give */
    double near;    /* metres too near to the shoulder */
    lb_vec3 normal; /* of the plane, on the side of a target that is off it */
    bool proved;    /* one of them is beyond the tolerance and the slack: nothing reaches it */
} ik_plane_miss;

/* What holds of a task; the iteration was evaluated, in whichever configuration. */
ik_plane ik_plane_of(const ik_iteration *it, int task);

/* By how much a target misses it; `rounding`: of its place, in the problem's unit. */
ik_plane_miss ik_plane_measure(const ik_iteration *it, int task, const ik_plane *plane,
                               const lb_transform *target, double rounding);

#endif
