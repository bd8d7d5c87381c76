/*
 * bones.h - cyclic coordinate descent on a chain of bones in the plane.
 *
 * For callers without a model, with a row of bones as a 2D skeleton has them: each at x, y in the
 * axes of the bone before it and rotated by an angle relative to it (R. Juckett, "Cyclic Coordinate
 * Descent in 2D", 2009). One call is one sweep from the last bone to the first:
 *
 *     while (lb_bones_step(bones, n, x, y, 0.01, NULL) == LB_PROCESSING)
 *         draw(bones, n);
 *
 * Nothing is allocated, and no state is kept between calls.
 *
 * Stable.
 */
#ifndef LIMBER_BONES_H
#define LIMBER_BONES_H

#include <limber/ik.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A bone. The first bone's parent is the plane itself. The end effector is the origin of the last
 * bone, whose angle therefore has no effect and is not changed.
 */
typedef struct lb_bone {
    /* Origin x, y in the parent's axes, and angle relative to the parent's in radians. */
    double x, y, angle;
} lb_bone;

/* Start from lb_bones_options_default(). All numbers are at least 0 and may be infinite. */
typedef struct lb_bones_options {
    /* A bone stays as it is if its distances to the end and to the target, multiplied, are at
       most this (length squared): the direction from one point to nearly the same point means
       nothing. Default: 0.0001. */
    double least_product;
    /* Moving the end along an arc of at most this length, or of a two-millionth of the chain's
       length, does not count as moving it. Default: 0.00001. */
    double trivial_arc;
    /* Radians by which one or two bones are bent at most when all are stuck: none moves although
       the lengths allow the target, as when two bones lie folded on the line to it. Only a bend
       that brings the end nearer is made. 0: stay stuck, as plain descent does. Default: 0.1. */
    double nudge;
} lb_bones_options;

lb_bones_options lb_bones_options_default(void);

/*
 * Makes one sweep over n >= 1 bones, in place: from the last but one to the first, each bone turns
 * the end as near to (x, y) as it alone can. Stops at the bone that brings it within `arrival`
 * (length, >= 0). Angles that change are wrapped to [-pi, pi]. `options` NULL: the defaults.
 *
 * Returns LB_SUCCESS if the end is within `arrival`; LB_PROCESSING if a bone or a nudge brought it
 * nearer; LB_FAILURE if neither did: out of reach, stuck, a number is not finite, or an option or
 * `arrival` is negative or NaN (then no bone is touched). Every LB_PROCESSING leaves the end nearer
 * by more than rounding, so the loop above ends for every input.
 */
lb_progress lb_bones_step(lb_bone bones[/* n, in place */], int n, double x, double y,
                          double arrival, const lb_bones_options *options);

/* Where the end effector is. */
void lb_bones_end(const lb_bone *bones, int n, double *x, double *y);

#ifdef __cplusplus
}
#endif

#endif
