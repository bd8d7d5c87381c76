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

#endif
