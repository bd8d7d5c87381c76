/*
 * swivel.h - arms of seven joints with a spherical shoulder and a spherical wrist.
 *
 * The elbow goes round the line from shoulder to wrist by an angle t. The rotation of the upper
 * arm is then R(t) = a + b cos t + c sin t, and so is that of the wrist; a joint at a given value
 * is a linear equation in cos t and sin t, of two roots at most. So the angles that keep the limits
 * are arcs with exact ends.
 *
 * Source: Shimizu et al. 2008.
 */
#ifndef LIMBER_IK_CLOSED_SWIVEL_H
#define LIMBER_IK_CLOSED_SWIVEL_H

#include "ik/closed/chain.h"
#include "kernel/ops.h"

#include <limber/elbow.h>

enum {
    SWIVEL_JOINTS = 7,
    SWIVEL_BREAKS = 16, /* of three joints: two roots for each limit, and for each end of reach */
    SWIVEL_ARCS = 26    /* of a branch: not more than all breaks, and one more where they are cut */
};

typedef struct swivel_arm {
    const closed_chain *chain;
    lb_vec3 shoulder, wrist, elbow; /* at q = 0 */
    kernel_wrist upper, lower;      /* joints 0 to 2 and 4 to 6 */
    lb_vec3 behind, across;         /* t and r of the stereographic angle */
    double size;
} swivel_arm;

/* What one target leaves: for each root of the elbow joint its value and the rotations. */
typedef struct swivel_pose {
    int roots;
    int bit[2]; /* of the branch's number */
    double elbow[2];
    kernel_swivel upper[2], lower[2];
} swivel_pose;

/* False where the chain is no such arm; it must outlive the result. */
bool swivel_recognise(const closed_chain *chain, swivel_arm *arm);

/* Distances from shoulder to wrist, metres. */
typedef struct swivel_span {
    double least, most;
} swivel_span;

/* The distances at which the elbow joint, which alone decides them, can have the wrist. Spans and
 * slacks are rounded to the safe side: what is outside is out of reach. */
typedef struct swivel_reach {
    lb_vec3 shoulder, wrist;   /* in the base; in the tip */
    swivel_span whole, inside; /* with any value of the elbow joint; with those inside its limits */
    double slack;              /* by which rounding, and axes that hardly meet, blur a distance */
    double rounding;           /* the same for each metre that a target is away */
} swivel_reach;

/* `position` and `rotation`: metres and radians by which a solution may miss its target */
swivel_reach swivel_find_reach(const swivel_arm *arm, double position, double rotation);

/*
 * Whether a distance proves that nothing comes as near to a target as that: LB_REASON_REACH,
 * LB_REASON_LIMITS where only the limits of the elbow joint are in the way, LB_REASON_NONE where it
 * proves nothing.
 */
lb_reason swivel_prove(const swivel_reach *reach, const lb_transform *target);

/* False where the wrist is in the shoulder; no roots where it is out of reach or the elbow joint
   would break its limits. */
bool swivel_place(const swivel_arm *arm, const lb_transform *target, swivel_pose *pose);

/* Fills up to `room` arcs inside the limits, of angles between -pi and pi, those of a branch from
   low to high; returns how many. */
int swivel_find_arcs(const swivel_arm *arm, const kernel_ops *ops, const swivel_pose *pose,
                     lb_elbow_arc *arcs, int room);

/*
 * Whether the first and last axes of shoulder and wrist stay out of line wherever the elbow is. In
 * line, only the sum of two joints' angles is known, which no arc shows.
 */
bool swivel_is_regular(const swivel_arm *arm, const swivel_pose *pose);

#endif
