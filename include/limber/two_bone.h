/*
 * two_bone.h - arms of two bones in closed form: no model, no iteration.
 *
 * One triangle solves two kinds of arm. A planar arm of two links (Fig. 5.14) has two solutions for
 * every target that it reaches. An arm in space whose shoulder turns freely and whose elbow bends
 * about one axis (a leg, an arm) has a circle of them, of which a pole picks one.
 *
 * All functions are pure: nothing is allocated and no state is kept.
 *
 * Stable.
 */
#ifndef LIMBER_TWO_BONE_H
#define LIMBER_TWO_BONE_H

#include <limber/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Finds angles that bring the end of a planar arm to (x, y): angles[0] of the first link from the x
 * axis, angles[1] of the second relative to the first. The base is at the origin; `first` and
 * `second` are the links' lengths, >= 0. `bend` >= 0 selects the solution with angles[1] >= 0 (the
 * elbow bends to the left), < 0 the other one.
 *
 * Returns how far the target is out of reach: 0 if the arm arrives; positive if it is too far, by
 * that distance; negative if it is too near (only with unequal links). The angles are then those of
 * the nearest point that the arm reaches. An arm with a link of length zero is straight. Returns
 * NaN, and angles 0, if a number is not finite or a length is negative.
 */
double lb_two_link_solve(double first, double second, double x, double y, int bend,
                         double angles[2]);

/*
 * Two bones between three joints, in their present pose. Start from lb_two_bone_default(). All
 * transforms, the target and the pole are given in one frame, any.
 */
typedef struct lb_two_bone {
    lb_transform start, middle, end; /* T_frame_joint of shoulder, elbow and hand. */
    lb_vec3 target;                  /* Where the end's origin shall be, metres. */
    /* Axis about which the middle joint bends in the positive direction, in its own axes, of any
       length. Zero (the default): the normal of the plane in which the bones lie now, to the
       side to which they are bent. */
    lb_vec3 bend_axis;
    /* A direction: the middle joint comes to lie in the half plane that it and the line from
       start to target span. Zero (the default): the shoulder makes the shortest rotation. */
    lb_vec3 pole;
    /* Radians by which both bones turn about the line from start to target. Default: 0. */
    double twist;
    /* Share of the full length, in (0, 1], from which on the arm stretches ever more slowly
       towards a target that moves away, instead of snapping straight. 1: it does not (the
       default). */
    double soft;
    double weight; /* Share of the correction to return, 0 to 1. 0: none. Default: 1. */
} lb_two_bone;

lb_two_bone lb_two_bone_default(void);

/*
 * Finds rotations that bring the end's origin to the target. They are corrections in each joint's
 * own axes; multiply its local rotation by them from the right, so that they can be blended like
 * any other (new_local = local * correction).
 *
 * True if the end arrives: the target is within the bones' reach, or within the soft reach, and
 * weight is 1. Otherwise the end comes as near as it can. If input is not finite or out of range
 * (places: 1e70 from the origin), returns false and identities.
 */
bool lb_two_bone_solve(const lb_two_bone *arm, lb_quat *start, lb_quat *middle);

/*
 * As lb_two_bone_solve for `count` arms at once, one in each lane of the vector registers, for the
 * legs and arms of a crowd: a fifth of the time, and the same bits on every machine. start[i],
 * middle[i] and reached[i] belong to arms[i]; `reached` may be NULL. No array may overlap another.
 * Returns how many arms arrive. Arms are independent, so several threads can solve parts of an
 * array.
 */
size_t lb_two_bone_batch(const lb_two_bone *arms, size_t count, lb_quat *start, lb_quat *middle,
                         bool *reached);

#ifdef __cplusplus
}
#endif

#endif
