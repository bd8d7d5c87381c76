/*
 * elbow.h - the free motion of an arm of seven joints: its elbow's circle.
 *
 *     lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSE);
 *     lb_elbow *elbow;
 *     lb_elbow_create(model, &task, NULL, &elbow, &error);
 *     int n = lb_elbow_arcs(elbow, &target, start, LB_ELBOW_ARCS_MAX, arcs);
 *     lb_elbow_at(elbow, &target, arcs[0].branch, arcs[0].begin, start, q);
 *     lb_elbow_best(elbow, &target, LB_ELBOW_MARGIN, start, q, &choice);
 *
 * For arms whose first three axes meet in a point, the shoulder, and whose last three meet in
 * another, the wrist (KUKA LBR iiwa, xMate Pro7, OpenArm): with the tool held still the elbow can
 * go round the line from shoulder to wrist. Every configuration that reaches a target is one of
 * eight branches at some elbow angle, in closed form, and the angles that keep the limits are arcs
 * whose ends are exact.
 *
 * The elbow angle is the stereographic one: of the elbow about the line from shoulder to wrist,
 * seen against (w - t) x r, where w is that line's direction, t points against the first axis and r
 * across it. It is continuous wherever the wrist is but where it is straight behind the shoulder
 * along the first axis.
 *
 * Sources: Shimizu et al. 2008, "Analytical inverse kinematic computation for 7-DOF redundant
 * manipulators with joint limits"; Elias and Wen 2023, "Redundancy parameterization and inverse
 * kinematics of 7-DOF revolute manipulators" (the angle).
 *
 * An lb_elbow belongs to one thread and never allocates after its creation. Its results depend on
 * the model, the task, the target and the start alone, bit for bit.
 */
#ifndef LIMBER_ELBOW_H
#define LIMBER_ELBOW_H

#include <limber/ik.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lb_elbow lb_elbow;

/*
 * Prepares an arm for one task, a pose; task is copied, the model must outlive it. LB_UNSUPPORTED,
 * and the message says why, where the seven joints between base and tip are not such an arm.
 */
lb_status lb_elbow_create(const lb_model *model, const lb_task *task, const lb_allocator *allocator,
                          lb_elbow **elbow, lb_error *error);
/* NULL is accepted. */
void lb_elbow_release(lb_elbow *elbow);

/* ---- arcs --------------------------------------------------------------- */

/* A limit is crossed at two elbow angles at most: each of six joints has four of them. */
enum { LB_ELBOW_BRANCHES = 8, LB_ELBOW_ARCS_MAX = LB_ELBOW_BRANCHES * 26 };

/*
 * Elbow angles from `begin` to `end`, begin <= end <= begin + 2 pi, at which a branch keeps the
 * limits. Branches are numbered from 0 to 7: bit 0 is the shoulder's root, bit 1 the elbow's, bit 2
 * the wrist's.
 */
typedef struct lb_elbow_arc {
    int branch;
    double begin, end; /* radians; begin in [-pi, pi); a whole circle: -pi to pi */
} lb_elbow_arc;

/*
 * Fills up to `capacity` arcs, by branch and then by angle, and returns how many there are: 0 where
 * nothing reaches the target inside the limits, or single configurations alone, as with limits that
 * leave a joint one value: arcs shorter than 1e-12 are not listed (lb_elbow_best decides). Locked
 * joints are where `start` (nq numbers, NULL: neutral) has them; its other values change nothing.
 * -1: the target is no rigid transform, or beyond LB_LENGTH_MAX, or the wrist is in the shoulder;
 * the start is not finite or beyond LB_LENGTH_MAX, or has locked joints where they leave no such
 * arm.
 */
int lb_elbow_arcs(lb_elbow *elbow, const lb_transform *target, const double *start, int capacity,
                  lb_elbow_arc *arcs);

/*
 * The configuration of a branch at an elbow angle, inside the limits or not, on the turns nearest
 * to `start` (nq numbers, NULL: neutral), whose other values are kept; q (nq numbers) may be start.
 * Returns LB_REACHED when forward kinematics of the model confirms it to 1e-9 and limits are kept,
 * LB_STALLED when limits are not, LB_UNREACHABLE where that branch does not exist, LB_EXHAUSTED
 * where rounding leaves more than 1e-9, as a million metres from the origin: then q is start;
 * LB_INVALID where lb_elbow_arcs returns -1, and for no branch or an angle that is not finite.
 */
lb_outcome lb_elbow_at(lb_elbow *elbow, const lb_transform *target, int branch, double angle,
                       const double *start, double *q);

/* ---- the best ------------------------------------------------------------ */

/* What is best. */
typedef enum lb_elbow_goal {
    LB_ELBOW_NEAREST, /* the least distance from the start: root of the sum of squares, radians */
    /* the least distance of a joint from its nearer limit, as a share of half its range, is as
       great as it can be: the joint that is nearest to a limit is as far from it as possible */
    LB_ELBOW_MARGIN,
    /* sqrt(det J J^T) is greatest, J in radians and in lengths in units of the `length` that lb_ik
       takes where its option is 0 (lb_ik_get_options returns it) */
    LB_ELBOW_MANIPULABILITY
} lb_elbow_goal;

typedef struct lb_elbow_choice {
    /* LB_REACHED, or as lb_elbow_at: LB_STALLED breaks limits by 1e-4 radians at most;
       LB_UNREACHABLE: proved, no angle keeps the limits, nor would it if they were wider by that;
       LB_EXHAUSTED: none was found, which proves nothing where shoulder or wrist can be in line or
       where rounding refuses what was found */
    lb_outcome outcome;
    int branch;
    double angle;
    double value; /* the distance, the margin from 0 to 1, or the square root of det J J^T */
    double position_error, rotation_error;
} lb_elbow_choice;

/*
 * The best of all branches and elbow angles that keep the limits, on the turns nearest to `start`
 * (NULL: neutral): the best of 64 angles of each branch and of the middles of its arcs, then
 * refined to 1e-5 radians. So it is the best of all unless two places are as good to what 0.1
 * radians change. q (nq numbers) is start where there is none. Returns choice->outcome.
 */
lb_outcome lb_elbow_best(lb_elbow *elbow, const lb_transform *target, lb_elbow_goal goal,
                         const double *start, double *q, lb_elbow_choice *choice);

#ifdef __cplusplus
}
#endif

#endif
