/*
 * family.h - what a singular pose leaves open: infinite families of solutions, in closed form.
 *
 * A pose opens a joint where the point that the joint has to place is on the joint's own axis. Then
 * three things can be: joints turn about one line, and only their sum matters; four
 * axes are parallel, as those of an arm with three parallel axes whose last one joins them: a
 * four-bar linkage; or four axes meet in a point, as where a wrist is above the shoulder. The
 * latter two are loops (loop.h).
 */
#ifndef LIMBER_IK_CLOSED_FAMILY_H
#define LIMBER_IK_CLOSED_FAMILY_H

#include "ik/closed/class.h"
#include "ik/closed/loop.h"
#include "kernel/closed.h"

enum { FAMILY_MEMBERS = 32 };

/*
 * Of each family of a target the member that is nearest to the start inside the limits or, where
 * none is inside, the one that breaks them least. Joints open to within the tolerances of the
 * problem count; a joint that is less open, up to FAMILY_NEARLY times that, counts where its turn
 * changes the pose by no more. `ends`: of a linkage also where bars are in line, between which it
 * moves. Returns how many there are. Members that are farther than problem->bound may be left out;
 * it is lowered to the nearest.
 */
int family_find(family_problem *problem, bool ends, family_member members[FAMILY_MEMBERS]);

/* Beyond so many tolerances what a joint may turn by is less than a hundredth of a radian. */
#define FAMILY_NEARLY 100

/* ---- aligned ------------------------------------------------------------ */

/*
 * Joints that turn about one line, of which only the sum matters.
 *
 * The axes of a wrist in line, of an upright arm, of equal links folded onto each other: such
 * joints are free to move as long as the sum of their turns stays. The nearest values to a start
 * are its projection, cut to the limits.
 */

/* Joints that turn about one line; sum of sign * q over those that are free to move. */
typedef struct aligned_group {
    int count;
    int joint[KERNEL_CLOSED_JOINTS];
    double sign[KERNEL_CLOSED_JOINTS];
    double sum;
    unsigned bits;
} aligned_group;

/*
 * The joints of an arm of six that turn about the line of joint `about` at q, to within so many
 * metres and radians. Joints that must be zero are set to it and are not of the group.
 */
void aligned_find(const closed_arm *arm, const kernel_ranges *ranges, const double *q, int about,
                  double position, double rotation, aligned_group *group);

/* The sum plus the whole turns at which the start is nearest. */
double aligned_total(const aligned_group *group, const double *start);

/* The values inside the limits that are nearest to `start` and have a sum, in place of those of q;
   where none have it they come near it. */
void aligned_project(const aligned_group *group, const kernel_ranges *ranges, const double *start,
                     double total, double *q);

#endif
