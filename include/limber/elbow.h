/*
 * elbow.h - the free motion of an arm of seven joints: where its elbow can be.
 *
 *     lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSE);
 *     lb_elbow *elbow;
 *     lb_elbow_create(model, &task, NULL, &elbow, &error);
 *     int n = lb_elbow_arcs(elbow, &target, start, LB_ELBOW_ARCS_MAX, arcs);
 *     lb_elbow_at(elbow, &target, arcs[0].branch, arcs[0].begin, start, q);
 *     lb_elbow_best(elbow, &target, LB_ELBOW_MARGIN, start, q, &choice);
 *
 * For arms whose first three axes meet in a point, the shoulder, and whose last three meet in
 * another, the wrist (KUKA LBR iiwa, xMate Pro7, OpenArm). With the tool held still the elbow can
 * go round the line from shoulder to wrist. Every configuration that reaches a target is one of
 * eight branches at some elbow angle, in closed form, and the angles that keep the limits are arcs
 * whose ends are exact.
 *
 * Other arms of seven turning joints have a closed form when the last joint is held, or the first:
 * their first three axes meet, and the fifth and sixth do (Panda, FR3), or the second and third,
 * and the last three (Fetch, TIAGo). Then an angle is the value of that joint, of the last one
 * where both are possible, and a branch exists between two turning values, where it meets another
 * one.
 *
 * Any other arm of seven turning joints has its arcs followed: xArm 7, Kinova Gen3, Flexiv Rizon,
 * calibrated arms, whose axes no longer quite meet. The configurations that reach a target are
 * closed curves. All solutions of the other six joints are found at 27 values of joints, ten of the
 * third and of the fifth, one of each other one; from each the curve that passes it is followed
 * all round by Newton's method. Then each arc is a branch of its own, and an angle is the length of
 * the way along it, the root of the sum of the joints' squares, radians. This lists what it found
 * and proves nothing: a short curve is missed that stays between the values of every joint. It was
 * so for 4 of 5,000 random poses of five arms, and for 8 of 1,200 of random ones. A pose takes one
 * to two milliseconds, where a closed form takes 3 to 100 microseconds. Where curves cross, in a
 * singular configuration, arcs end, too; there places may pass limits by 1e-3, which lb_elbow_at
 * tells, and a pose may take 20 milliseconds.
 *
 * The elbow angle is the stereographic one: of the elbow about the line from shoulder to wrist,
 * seen against (w - t) x r, where w is that line's direction, t points against the first axis and r
 * across it. It is continuous everywhere but at a wrist straight behind the shoulder along the
 * first axis.
 *
 * Sources: Shimizu et al. 2008, "Analytical inverse kinematic computation for 7-DOF redundant
 * manipulators with joint limits"; Elias and Wen 2023, "Redundancy parameterization and inverse
 * kinematics of 7-DOF revolute manipulators" (the angle).
 *
 * An lb_elbow belongs to one thread and never allocates after its creation. Its results depend on
 * the model, the task, the target and the start alone, bit for bit.
 *
 * Experimental: may change in 0.2.
 */
#ifndef LIMBER_ELBOW_H
#define LIMBER_ELBOW_H

#include <limber/ik.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lb_elbow lb_elbow;

/*
 * Prepares an arm for one task, a pose. The task is copied; the model must outlive the lb_elbow.
 * Returns LB_UNSUPPORTED, and the message says why, if the seven joints between base and tip are
 * not such an arm, or loops move the tip.
 */
lb_status lb_elbow_create(const lb_model *model, const lb_task *task, const lb_allocator *allocator,
                          lb_elbow **elbow, lb_error *error);
/* NULL is accepted. */
void lb_elbow_release(lb_elbow *elbow);
/* The joint whose value the angle is, with locked joints where the neutral configuration has them;
   LB_ELBOW_CIRCLE: the angle is that of the elbow about the line from shoulder to wrist;
   LB_ELBOW_LENGTH: arcs are followed, and it is the length of the way along one. */
enum { LB_ELBOW_CIRCLE = -1, LB_ELBOW_LENGTH = -2 };
int lb_elbow_joint(const lb_elbow *elbow);

/* ---- arcs --------------------------------------------------------------- */

/* A limit is crossed at two elbow angles at most: each of six joints has four such angles. Where
   the angle is a joint's no more arcs are listed, either; a dozen are usual. Of followed arcs at
   most 64 are listed, all branches. */
enum { LB_ELBOW_BRANCHES = 8, LB_ELBOW_ARCS_MAX = LB_ELBOW_BRANCHES * 26 };

/* An arc: angles at which a branch keeps the limits, begin <= end <= begin + 2 pi, but for followed
   arcs, which may be longer. */
typedef struct lb_elbow_arc {
    /* Branch, 0 to 7: bit 0 is the shoulder's root, bit 1 the elbow's, bit 2 the wrist's. Where the
       angle is a joint's, bit 0 is the elbow joint's root, bit 1 that of the two axes that meet,
       bit 2 that of the three. Of followed arcs the number, 0 to 63, which means something for
       this target alone. */
    int branch;
    /* Radians; begin is in [-pi, pi), or inside the joint's limits where the angle is a joint's. A
       whole circle goes from -pi to pi. Of followed arcs begin is 0 and end the length; a whole
       curve ends where it begins. */
    double begin, end;
} lb_elbow_arc;

/*
 * Fills up to `capacity` arcs, by branch and then by angle, and returns how many there are. 0:
 * nothing reaches the target inside the limits, or only single configurations do, as with limits
 * that leave a joint one value; arcs shorter than 1e-12 rad are not listed (lb_elbow_best decides).
 * Where the angle is a joint's, crossings of limits are looked for between samples until none is
 * left open: no arc was missed in ten million samples, which proves nothing, and neither does 0.
 * Followed arcs are those that were found, longer than 1e-9; 0 proves nothing, either.
 * Locked joints are where `start` (nq numbers, NULL: neutral) has them; its other values change
 * nothing. -1: the target is no rigid transform or beyond LB_LENGTH_MAX, the wrist is in the
 * shoulder, the start is not finite or beyond LB_LENGTH_MAX, or locked joints at the start leave no
 * such arm.
 */
int lb_elbow_arcs(lb_elbow *elbow, const lb_transform *target, const double *start, int capacity,
                  lb_elbow_arc *arcs);

/*
 * Computes the configuration of a branch at an elbow angle, inside the limits or not, on the turns
 * nearest to `start` (nq numbers, NULL: neutral), whose other values are kept. q (nq numbers) may
 * be start. Returns LB_REACHED if forward kinematics of the model confirms it within 1e-9 and
 * limits are kept; LB_STALLED if limits are broken; LB_UNREACHABLE if that branch does not exist;
 * LB_EXHAUSTED if rounding leaves more than 1e-9, as a million metres from the origin (q is then
 * start); LB_INVALID if lb_elbow_arcs returns -1, the branch does not exist in any arm, or the
 * angle is not finite.
 */
lb_outcome lb_elbow_at(lb_elbow *elbow, const lb_transform *target, int branch, double angle,
                       const double *start, double *q);

/* ---- the best ------------------------------------------------------------ */

/* Measures by which a configuration is best. */
typedef enum lb_elbow_goal {
    LB_ELBOW_NEAREST, /* The least distance from the start: root of the sum of squares, radians. */
    /* The greatest margin: the least distance of a joint from its nearer limit, as a share of
       half its range. */
    LB_ELBOW_MARGIN,
    /* The greatest sqrt(det J J^T), with J in radians and in lengths in units of the `length`
       that lb_ik takes for option 0 (lb_ik_get_options returns it). */
    LB_ELBOW_MANIPULABILITY
} lb_elbow_goal;

/* The best configuration that lb_elbow_best found. */
typedef struct lb_elbow_choice {
    /*
     * Reached, or an outcome of lb_elbow_at. Stalled: it breaks limits by 1e-4 radians at most.
     * Unreachable: proved, no angle keeps the limits, nor would any if they were wider by that;
     * never said where the angle is a joint's or arcs are followed.
     * Exhausted: none was found, which proves nothing if shoulder or wrist can be in line or
     * rounding refuses a configuration.
     */
    lb_outcome outcome;
    int branch;   /* Of the configuration; -1: it is on no arc that is followed, or beside one. */
    double angle; /* Elbow angle, joint's value or length, radians; 0 where branch is -1. */
    double value; /* The distance, the margin from 0 to 1, or the square root of det J J^T. */
    /* Errors by the model's own forward kinematics, metres and radians. */
    double position_error, rotation_error;
} lb_elbow_choice;

/*
 * Finds the best of the branches and angles that keep the limits, on the turns nearest to `start`
 * (NULL: neutral). It looks at up to 64 places of each arc, and between those that are half a
 * radian apart in a joint, more closely about the twelve best local ones, and refines the best of
 * these to 1e-5 radians of the angle. So it is the best that was found: no proof that there is no
 * better. Where joints move fast the
 * distance may be off by a thousandth. If there is none, q (nq numbers) is start. Returns
 * choice->outcome.
 */
lb_outcome lb_elbow_best(lb_elbow *elbow, const lb_transform *target, lb_elbow_goal goal,
                         const double *start, double *q, lb_elbow_choice *choice);

#ifdef __cplusplus
}
#endif

#endif
