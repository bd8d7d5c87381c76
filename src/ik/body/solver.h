/* solver.h - what an lb_body is made of. */
#ifndef IK_BODY_SOLVER_H
#define IK_BODY_SOLVER_H

#include "base/memory.h"
#include "kernel/body.h"
#include "model/subtree.h"

#include <limber/body.h>

/* Where a model's element or link is in the reduced tree: T_world_it = T_world_joint * rest. */
typedef struct body_place {
    int joint; /* -1: it is fixed, and rest is in world axes */
    lb_transform rest;
} body_place;

/* What a part of the model may do in one frame; no limit is INFINITY. */
typedef struct body_speed {
    double speed, acceleration;
} body_speed;

/* What the pose tasks of a body cut off from the rest of it. */
typedef struct body_part {
    lb_ik *local, *any; /* one descent, and any solution; NULL: it has no task, or they refused */
    int base;           /* the task whose link carries the part, -1: the world */
    int first, count;   /* its tasks among part_tasks */
} body_part;

/* One descent of the kernel, from starts[0] to found[0]. */
typedef struct body_problem {
    const lb_transform *targets;
    const double *low, *high, *reach; /* of each number; of each ball, NULL: any */
    kernel_body_end end;
    int iterations; /* of all descents so far */
} body_problem;

struct lb_body {
    lb_allocator allocator;
    const lb_model *model; /* or the view of it */
    lb_model *view;        /* with what the options change of joints, NULL: nothing */
    lb_body_options options;
    int task_count, given_count; /* loops come after the tasks that are given: loops.c */
    lb_body_task *tasks;         /* as given; vertices are in the kernel's */
    double length;               /* metres that count as a radian */

    /* the kernel's tree */
    kernel_body kernel;
    body_place *places; /* of the model's elements */
    kernel_joint *joints;
    kernel_block *blocks;
    kernel_body_column *columns;
    kernel_body_ball *balls;
    kernel_body_mass *masses;
    int *carriers;
    int *owners; /* of the model's q: the column that changes it, -1: none */
    kernel_body_task *kernel_tasks;
    kernel_body_row *rows;
    int *stage_rows;
    int *order, *depths; /* of columns */
    unsigned *passing;   /* blocks of sides, of each level's columns */
    double *stiffness;
    unsigned char *own; /* of each level: of each column what the stage puts on it */
    const kernel_body_ops *alone, *side_by_side;

    /* for restarts; parts.c */
    body_part *parts;
    int part_count;
    int *part_tasks;
    int *anchors;  /* of each joint: the pose task that says where its link is, -1: none */
    int *part_of;  /* of each joint */
    int root_task; /* the anchor that a floating root is placed by, -1: none */
    lb_transform *part_goals, *part_targets;
    double *part_q, *own_start, *best, *step;

    /* settings */
    lb_transform *targets;
    double *lower, *upper; /* nq: the model's limits, narrowed */
    body_speed *speeds;    /* of the model's parts */
    double *values;        /* nq: of joint tasks */
    double *posture;       /* nq */
    bool has_posture;
    double settled; /* of kernel_body_control */

    /* of one solve, a lane each */
    double *starts[KERNEL_MAX_WIDTH], *desired[KERNEL_MAX_WIDTH], *found[KERNEL_MAX_WIDTH];
    lb_vec3 *roots[KERNEL_MAX_WIDTH];     /* of weights, two for each task */
    lb_transform *aims[KERNEL_MAX_WIDTH]; /* targets of a problem of a batch, with the loops' */
    double *low, *high, *reach;
    double *reach_left;  /* of each ball, for lb_body_explain */
    unsigned char *held; /* of each column */
    lb_state *state;
    lb_body_outcome *outcomes;
    lb_outcome outcome; /* of the last solve */
    bool framed;        /* it was of one frame, within low and high */
    double *weights;    /* the tasks' own, while others are tried */
    int *link_columns;  /* of the model's links: the column that moves it, for what is kept apart */
    lb_proximity *nearest; /* of each distance task at what was found last */
    int *part_joints;      /* nq: the joint that each value belongs to */
    void *scratch;
};

/* Pairs that are farther apart than wanted by more than this share of a body's length are not
   minded: a step that brings them so much nearer is one that its rows cannot be trusted for. */
#define BODY_WATCHED 0.5

/* The level of loops, in the place of a task's. */
#define BODY_LOOP_LEVEL (-1)
/* A loop is closed to this share of its reach, and to as many radians, as in lb_assembly. */
#define BODY_CLOSED 1e-12

/* Whether a kind is one of the centre of mass, which every link carries. */
static inline bool body_is_center(lb_body_kind kind)
{
    return kind == LB_BODY_CENTER_OF_MASS || kind == LB_BODY_SUPPORT;
}

/* Whether a kind is of one link, which carries a tool. */
static inline bool body_has_link(lb_body_kind kind)
{
    return !body_is_center(kind) && kind != LB_BODY_JOINT && kind != LB_BODY_DISTANCE;
}

/* Whether a kind has a T_base_target. */
static inline bool body_has_target(lb_body_kind kind)
{
    return kind != LB_BODY_JOINT && kind != LB_BODY_DISTANCE;
}

/* The errors at which a task counts as reached: its own, or the options'. */
static inline double body_position_tolerance(const lb_body *body, const lb_body_task *task)
{
    return task->position_tolerance > 0 ? task->position_tolerance
                                        : body->options.position_tolerance;
}
static inline double body_rotation_tolerance(const lb_body *body, const lb_body_task *task)
{
    return task->rotation_tolerance > 0 ? task->rotation_tolerance
                                        : body->options.rotation_tolerance;
}

/* ---- tree.c --------------------------------------------------------------- */

/* The model's elements that the tasks depend on, then the kernel's tree of these. */
subtree body_needed(const lb_body *body, int *work);
void body_build_tree(lb_body *body, const subtree *needed);
/* What a link carries, as the kernel sees it. */
kernel_body_point body_point(const lb_body *body, int link, const lb_transform *tool);

/* ---- tasks.c -------------------------------------------------------------- */

/* Refuses what is no task. */
lb_status body_check_task(const lb_model *model, const lb_body_task *task, int index,
                          lb_error *error);
/* The kernel's tasks, rows and stages. */
void body_make_tasks(lb_body *body);
lb_status body_check_moving(const lb_body *body, lb_error *error);
/* The weight of the posture, in place of that of the options. */
void body_set_stiffness(lb_body *body, double posture);
/* What a weight of a task is to the kernel. */
void body_find_roots(const lb_body *body, int task, double weight, lb_vec3 roots[2]);
/* Hands a task's own weight to the kernel. */
void body_weigh(lb_body *body, int task);

/* ---- loops.c -------------------------------------------------------------- */

/* How many tasks the loops of a model are. */
int body_count_loops(const lb_model *model);
/* Whether a task is a loop that couples two joints, and its error. */
static inline bool body_is_coupling(const lb_body *body, int task)
{
    return task >= body->given_count && body->tasks[task].kind == LB_BODY_JOINT;
}
double body_coupling_error(const lb_body *body, int task);
/* These tasks; then their targets, after those of the tasks that are given. */
void body_add_loops(lb_body *body);
void body_aim_loops(const lb_body *body, lb_transform *targets);
/* The largest error of a loop in the outcomes, as a share of its reach or in radians. */
double body_loop_error(const lb_body *body);

/* ---- distance.c ----------------------------------------------------------- */

/* What is wrong with a distance task's collision; NULL: nothing. */
const char *body_check_distance(const lb_model *model, const lb_body_task *task);
/* The elements that distance tasks depend on; then the columns that move their links. */
void body_add_pairs(const lb_body *body, subtree *needed);
void body_find_link_columns(lb_body *body);
/* The kernel's find_pairs; `body` is the lb_body. */
int body_find_pairs(void *body, int task, const double *q, kernel_body_pair *pairs);
/* What a distance task lacks at the state's configuration; keeps its nearest pair. */
double body_distance_error(const lb_body *body, int task);

/* ---- outcomes.c ----------------------------------------------------------- */

/* Errors of a task at the state's configuration, against `target`. */
lb_body_outcome body_task_outcome(const lb_body *body, int task, const lb_transform *target);
/* Where a task's tool is there, in its base: the target that it would be at. */
lb_transform body_tool(const lb_body *body, int task);

/* ---- attempt.c ------------------------------------------------------------ */

/* Brings a configuration within the model's limits and the body's; false: it is not finite. */
bool body_settle(lb_body *body, const double *start, double *q);
/* How far balls may still turn from where the last frame ended: reach_left. */
void body_find_reach_left(lb_body *body);
/* What the posture and joint tasks want, for a start. */
void body_desire(const lb_body *body, const double *start, double *desired);
/* Solves one query of the kernel's. */
void body_run(lb_body *body, kernel_body_query *query, const kernel_body_control *control);
/* Closes the loops from q, whatever becomes of the tasks, and with as little motion as it takes. */
void body_close(lb_body *body, const body_problem *problem, double *q);
/* One descent; loops are closed where it ends. */
void body_descend(lb_body *body, body_problem *problem, const kernel_body_control *control);
/* How the descent from the user's start goes; `restarts`: others may follow it. */
kernel_body_control body_first_control(const lb_body *body, bool restarts);
/* Outcomes and result of what was found for one problem. */
lb_outcome body_conclude(lb_body *body, const double *q, const lb_transform *targets,
                         kernel_body_end end, int iterations, lb_body_result *result);
/* Makes q, which is not moved, what the last solve led to; false: it is not finite. */
bool body_revisit(lb_body *body, const double *q, lb_outcome outcome, lb_body_result *result);

/* ---- solve.c -------------------------------------------------------------- */

/* The least and the largest number that q may become within `time`: within its limits, and as its
   speed and its acceleration allow, slow enough to stop before its limit. */
void body_bound_value(const double limits[2], const body_speed *speed, double q, double velocity,
                      double time, double bounds[2]);

/* ---- settings.c ----------------------------------------------------------- */

/* Descents that begin near their end, as along a motion, take fewer steps, and end with one that
   changes no velocity of a joint by more than this; 0: only where steps win nothing. */
void body_set_settled(lb_body *body, double most);
/* A descent has no more iterations than this. */
void body_cap_iterations(lb_body *body, int most);

/* ---- explain.c ------------------------------------------------------------ */

/* Why a task of the last solve is not reached; tries steps without other tasks for it. */
lb_body_reason body_find_reason(lb_body *body, int task);

/* ---- batch.c -------------------------------------------------------------- */

/* lb_body_batch_solve; `rigid`: targets' axes are known to be orthonormal. */
size_t body_batch_solve(lb_body *body, const lb_body_batch *batch, bool rigid, size_t begin,
                        size_t end);

/* ---- parts.c -------------------------------------------------------------- */

/* Cuts the body into parts; none where there are no restarts. */
lb_status body_make_parts(lb_body *body, lb_error *error);
void body_release_parts(lb_body *body);
/* Whether any part has tasks that body_assemble can achieve. */
bool body_has_parts(const lb_body *body);
/* Moves q to where each part has achieved its tasks by itself, as far as that was found. */
void body_assemble(lb_body *body, const lb_transform *targets, double *q);

/* ---- search.c ------------------------------------------------------------- */

/*
 * After a first descent from starts[0] to found[0] that has not reached everything: other starts.
 * Leaves the best in found[0], and returns as body_conclude does.
 */
lb_outcome body_search(lb_body *body, body_problem *problem, lb_body_result *result);

#endif
