/*
 * solver.h - configurations of the target for the goals of a plan, one at a time (solve.c), and how
 * far held points are from where they are to be (block.c).
 */
#ifndef MOTION_RETARGET_SOLVER_H
#define MOTION_RETARGET_SOLVER_H

#include "motion/retarget/plan.h"

#include <limber/body.h>

/* the weight of a sole's point in the air */
#define RETARGET_POINT_FREE 4.0

/* Whether the values of a kind of joint are numbers that have limits of place and speed each. */
static inline bool retarget_has_numbers(lb_joint_kind kind)
{
    return kind != LB_JOINT_BALL && kind != LB_JOINT_FLOATING;
}

/* ---- solve.c -------------------------------------------------------------- */

/* a task that joins a leg and a foot that moves freely beside it, and one that keeps links apart;
   they have no goals. And one of a palm that touches, whose goal is not that of a pair */
enum { RETARGET_JOINED = -2, RETARGET_APART = -3, RETARGET_TOUCHED = -4 };

/* What a task of the solver takes from the goals. */
typedef struct retarget_task {
    lb_body_kind kind;
    int pair, held; /* held: the point, -1: the pair itself, or one of the above */
} retarget_task;

/* position, orientation, direction, and the held points and their heights; legs and their feet;
   what is kept apart; palms that touch */
enum { RETARGET_TASKS = (3 + 2 * LB_RETARGET_HELD) * LB_RETARGET_PAIRS + 3 + RETARGET_TOUCHES };

/*
 * One problem in four settings: to be searched for from afar, and from near by, to put held points
 * exactly where they are to be, and to go on from there where that fails or speeds are limited.
 */
typedef enum retarget_stage {
    RETARGET_FAR,
    RETARGET_NEAR,
    RETARGET_EXACT,
    RETARGET_FOLLOW,
    RETARGET_STAGES
} retarget_stage;

typedef struct retarget_solver {
    retarget_plan *plan;
    int root;     /* the joint that carries everything */
    bool whole;   /* all frames are solved as one problem, which keeps links apart, too */
    bool stiff;   /* see retarget_solver_stiffen */
    int loose[2]; /* feet that move freely beside their legs; 0: none */
    lb_body *bodies[RETARGET_STAGES];
    lb_state *state;
    retarget_task tasks[RETARGET_TASKS];
    int count;
    retarget_goal goals[RETARGET_GOALS];
    lb_transform ground;  /* axes with z along the normal of the target's ground */
    double *neutral;      /* nq, within the limits */
    double reach;         /* metres there from the root pair's point to held points, the mean */
    unsigned char *moved; /* nq: whether some pair depends on the value, and it may change */
    bool beyond;          /* whether some target was beyond LB_LENGTH_MAX, or not finite */
    int iterations;
} retarget_solver;

/* `posture`: what a radian of it weighs. */
lb_status retarget_solver_create(retarget_plan *plan, double posture, retarget_solver *solver,
                                 lb_error *error);
/* From now on it only puts held points and what is pressed to the ground right, near to each start.
 */
lb_status retarget_solver_stiffen(retarget_solver *solver, lb_error *error);
/* A task's target at the goals of all pairs, and its weight in a stage. */
void retarget_task_target(const retarget_solver *solver, const retarget_goal *goals, int task,
                          lb_transform *target);
/* Whether a target is beyond LB_LENGTH_MAX, or not finite. */
static inline bool retarget_is_beyond(const lb_transform *target)
{
    return !(lb_vec3_dot(target->p, target->p) <= LB_LENGTH_MAX * LB_LENGTH_MAX);
}
double retarget_task_weight(const retarget_solver *solver, const retarget_goal *goals,
                            retarget_stage stage, int task);
/* Goals are those of a time. */
void retarget_aim(retarget_solver *solver, double time);
/* From a start to the goals; q may be `start`. */
void retarget_descend(retarget_solver *solver, retarget_stage stage, const double *start,
                      double *q);
/* What a configuration leaves of all tasks, by their weights. */
double retarget_cost(retarget_solver *solver, const double *q);
/* Moves the root so that the link of the first pair is at its goal. */
void retarget_place_root(retarget_solver *solver, const retarget_goal *goals, double *q);
/* The first one: from `start` (may be NULL) and fixed starts the best. */
lb_status retarget_solve_first(retarget_solver *solver, double time, const double *start, double *q,
                               lb_error *error);
/* The same for the goals that the solver has, with room for a configuration. */
void retarget_search_first(retarget_solver *solver, const double *start, double *try, double *q);

/* ---- apart.c -------------------------------------------------------------- */

/* metres: links that are so much nearer than they may be do not count */
#define RETARGET_NEAR_ENOUGH 1e-4

/* How many velocities of a joint may change; one whose speed is 0 stays as it is. */
int retarget_joint_moves(const retarget_solver *solver, int joint);
/* Whether all frames can be solved as one problem. */
bool retarget_can_be_whole(const retarget_solver *solver);

/* ---- block.c -------------------------------------------------------------- */

/* a point that is held by this share is held: times at which contacts begin and end are rounded */
#define RETARGET_NEARLY_HELD 0.9999

/* Metres that a held point is from where it is to be, and that any is below the ground, at most. */
typedef struct retarget_feet {
    double off, below;
} retarget_feet;
retarget_feet retarget_measure_feet(retarget_solver *solver, const retarget_goal *goals,
                                    const double *q);
/* Whether all points that goals hold are where they are to be, and none is below the ground. */
bool retarget_is_exact(const retarget_feet *feet);
/* so often that is done in a frame */
enum { RETARGET_PRESSINGS = 6 };
/* Points that are below the ground, the links being as above, are to be on it; whether there are
   any that were not to be so before. */
bool retarget_press_feet(const retarget_solver *solver, retarget_goal *goals,
                         const lb_transform *at);
/* The same of the solver's goals, at a configuration. */
bool retarget_press_pose(retarget_solver *solver, const double *q);

#endif
