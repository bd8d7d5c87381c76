/*
 * two_bone.h - arms of two bones in closed form: no model, no iteration.
 *
 * Two shapes that one triangle solves. A planar arm of two links
 * (Fig. 5.14) has two solutions for every target it reaches. An arm in space with a
 * shoulder that turns freely and an elbow that bends about one axis (a leg, an arm)
 * has a circle of them, of which a pole picks one.
 *
 * All calls are pure functions: nothing is allocated and no state is kept.
 */
#ifndef LIMBER_TWO_BONE_H
#define LIMBER_TWO_BONE_H

#include <limber/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Angles that bring the end of a planar arm to (x, y): angles[0] of the first
 * link from the x axis, angles[1] of the second relative to the first. The base is
 * at the origin, `first` and `second` are the links' lengths, >= 0. `bend` >= 0
 * selects the solution with angles[1] >= 0 (the elbow bends to the left), < 0
 * for the other one.
 *
 * Returns how far the target is out of reach: 0 when the arm arrives; positive,
 * the distance by which it is too far; negative, by which it is too near (only arms of
 * unequal links). Then the angles are those of the nearest point the arm reaches. An
 * arm with a link of length zero is straight. NaN, and angles 0, when a number
 * is not finite or a length negative.
 */
double lb_two_link_solve(double first, double second, double x, double y, int bend,
                         double angles[2]);

/*
 * Two bones between three joints, as they are now. Start from
 * lb_two_bone_default(): pole and bend axis zero, twist 0, soft 1, weight 1.
 * All transforms, target and pole are given in one frame, any.
 */
typedef struct lb_two_bone {
    lb_transform start, middle, end; /* T_frame_joint: shoulder, elbow, hand */
    lb_vec3 target;                  /* where the end's origin is to be */
    /*
     * The axis that the middle joint bends about, in its own axes, any length: it
     * bends in the positive direction about it. Zero: about the normal of the plane the bones
     * lie in now, to the side they are bent to.
     */
    lb_vec3 bend_axis;
    /*
     * A direction: the middle joint comes to lie in the half plane that it and the
     * line from start to target span. Zero: the shoulder makes the shortest rotation.
     */
    lb_vec3 pole;
    double twist; /* radians to turn both bones further, about the line from start to target */
    /*
     * Share of the full length, in (0, 1], from which on the arm stretches ever more slowly
     * towards a target that moves away, instead of snapping straight. 1: it does not.
     */
    double soft;
    double weight; /* in [0, 1]: share of the correction to return; 0: none */
} lb_two_bone;

lb_two_bone lb_two_bone_default(void);

/*
 * Rotations that bring the end's origin to the target: corrections in each
 * joint's own axes, to be multiplied from the right onto its local rotation, so
 * that they can be blended like any other (new_local = local * correction).
 *
 * True when the end arrives: the target is within the bones' reach, or what is soft
 * of it, and weight is 1. Otherwise the end comes as near as it can. For input
 * that is not finite or out of range (places: 1e70 from the origin), returns false and identities.
 */
bool lb_two_bone_solve(const lb_two_bone *arm, lb_quat *start, lb_quat *middle);

/*
 * The same of `count` arms at once, one in each lane of the vector registers, for the legs and arms
 * of a crowd: a fifth of the time, and the same bits on every machine. start[i], middle[i] and
 * reached[i] are those of arms[i]; `reached` may be NULL. No array may overlap another. Returns how
 * many arms arrive. Arms are independent of each other: parts of an array can be solved by several
 * threads.
 */
size_t lb_two_bone_batch(const lb_two_bone *arms, size_t count, lb_quat *start, lb_quat *middle,
                         bool *reached);

#ifdef __cplusplus
}
#endif

#endif
