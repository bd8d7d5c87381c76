/*
 * problem.h - inverse kinematics as the kernel sees it: variables, tasks and their errors.
 *
 * A problem measures lengths in a unit of its own, chosen so that one unit counts as much as one
 * radian. Placements, tools, targets and the position tolerance are given in that unit, so no row
 * is ever scaled.
 */
#ifndef KERNEL_PROBLEM_H
#define KERNEL_PROBLEM_H

#include "kernel/tree.h"

#include <limber/math.h>

/* ---- goal --------------------------------------------------------------- */

/* What counts of a tool's pose, and how far a tool is from its target. */

/* The positions that satisfy a target: its origin or, where `extended`, a line or plane there. */
typedef struct kernel_locus {
    bool extended;
    lb_vec3 normals[2]; /* unit, in the target's axes; of a plane the second is zero */
} kernel_locus;

/* What counts of a tool's pose: position, rotation or both. */
typedef struct kernel_goal {
    bool position, rotation;
    kernel_locus locus;
    bool free;    /* of the rotation only the direction of `axis` counts */
    lb_vec3 axis; /* unit, in the axes of the tool's frame */
} kernel_goal;

/*
 * The position rows of a displacement for a target: its coordinates in base axes or, where the
 * locus is extended, along the normals, then zeros; and the displacement of given rows.
 */
lb_vec3 kernel_locus_rows(const kernel_locus *locus, const lb_transform *target,
                          lb_vec3 displacement);
lb_vec3 kernel_locus_displacement(const kernel_locus *locus, const lb_transform *target,
                                  lb_vec3 rows);
/* The point of the locus nearest to `from`. */
lb_vec3 kernel_locus_nearest(const kernel_locus *locus, const lb_transform *target, lb_vec3 from);

/* Errors of a tool at `at`, metres and radians; zero where they do not count. */
void kernel_goal_errors(const kernel_goal *goal, const lb_transform *at, const lb_transform *target,
                        double *position, double *rotation);

/* Something of a configuration that moves: one number, or a ball's quaternion. */
typedef struct kernel_variable {
    bool ball;
    int q, v;            /* first index: 1 and 1 numbers, for a ball 4 and 3 */
    int joint;           /* the joint that it moves; of several, one */
    double lower, upper; /* limits; of a ball: of its twist about `axis`, both or none finite */
    double swing;        /* of a ball: largest angle between `axis` and its rest; >= pi: any */
    lb_vec3 axis;        /* of a ball: unit */
    bool periodic;       /* whole turns do not change any frame */
    double mobility;     /* > 0: 1 / sqrt(stiffness weight) */
    bool far;            /* a slide that is far longer than the links */
} kernel_variable;

/*
 * One tool and what it must achieve: three rows of position, three of rotation, or six. The tool
 * has the axes of its frame; how they differ from the real tool's is part of the target.
 */
typedef struct kernel_task {
    int frame;    /* index in the tree */
    lb_vec3 tool; /* position of the tool in the frame */
    kernel_goal goal;
    double weight;   /* of its rows */
    const int *path; /* the joints between base and frame that move, base first */
    int path_count;
    int row; /* its first row */
} kernel_task;

typedef struct kernel_problem {
    kernel_tree tree;
    const kernel_variable *variables;
    int variable_count;
    const kernel_task *tasks;
    int task_count;
    int rows;                  /* of all tasks */
    bool single_task_unshared; /* one task, and every variable moves exactly one of its joints */
    double reach;     /* of rigid links: no joint axis is farther than this from the first tool */
    int arm_joints;   /* set by kernel_prepare: joints of an arm (arm.inl), 0: not an arm */
    double min_pivot; /* set by kernel_prepare: smaller pivots of the normal equations are noise */
} kernel_problem;

/* Completes a problem whose other members are set. */
void kernel_prepare(kernel_problem *problem);

/* How the descent steps; see step.inl. */
typedef struct kernel_control {
    double position_tolerance, rotation_tolerance;
    double damping;    /* lambda; 0: from the error */
    double step_limit; /* largest change of a variable in one iteration; 0: none */
    bool accept_all;   /* kernel_iterate takes a step even if the error grows */
} kernel_control;

/* ---- one problem at a time ---------------------------------------------- */

/*
 * Errors of a problem whose frames are those of kernel_forward with the base at the identity:
 * `rows` numbers, times the tasks' weights. True when every task is within tolerance.
 */
bool kernel_measure(const kernel_problem *problem, const kernel_control *control,
                    const lb_transform *frames, const lb_transform *targets, double *error);

/*
 * The Jacobian there: nv columns of `rows` numbers, times the tasks' weights. The tools are where
 * the frames carry them or, where `arrived`, at their targets.
 */
void kernel_linearize(const kernel_problem *problem, const lb_transform *frames,
                      const lb_transform *targets, bool arrived, double *jacobian);

/* Frames (z and p only of axis_only joints), errors and Jacobian at q. */
bool kernel_evaluate(const kernel_problem *problem, const kernel_control *control, const double *q,
                     const lb_transform *targets, lb_transform *frames, double *error,
                     double *jacobian);

/*
 * Restricts a Jacobian to the limits: clears the columns that would push a variable farther out,
 * of balls the direction that does, and scales all by the mobilities. `error` gives the direction.
 */
void kernel_restrain(const kernel_problem *problem, const double *q, const double *error,
                     double *jacobian);

/* Whether a variable has limits, and its nearest value inside them, in place. */
bool kernel_is_limited(const kernel_variable *x);
void kernel_clamp(const kernel_variable *x, double *q);

/*
 * The angles of a ball's quaternion swing * twist: the twist about the axis, of those whole turns
 * apart the nearest to the middle of its range, and the swing of the axis in [0, pi]. A swing by pi
 * goes with any twist: the least of its range is taken.
 */
void kernel_ball_angles(const kernel_variable *ball, const double *q, double *twist, double *swing);

/* Brings all values inside their limits, and balls (not zero) to unit length. */
void kernel_settle(const kernel_problem *problem, double *q);

/* q (+) step, limits enforced; q and out may be the same. */
void kernel_advance(const kernel_problem *problem, const double *q, const double *step,
                    double *out);

#endif
