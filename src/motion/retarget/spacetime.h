/*
 * spacetime.h - the configurations of a grid as one least-squares problem: its parts.
 */
#ifndef MOTION_RETARGET_SPACETIME_H
#define MOTION_RETARGET_SPACETIME_H

#include "ik/body/solver.h"
#include "kernel/time_sweep.h"
#include "motion/retarget/retarget.h"

/* frames that are solved together */
enum { SPACETIME_WINDOW = 240 };
/* the share of a speed that frames of the grid use; the rest is for those in between */
#define SPACETIME_SPEED 0.9

/* One velocity. */
typedef struct time_column {
    int joint, v, q;              /* its places; q of balls and floating joints is their first */
    int parent;                   /* the column that carries it, -1: none */
    bool number;                  /* its value has limits */
    bool root;                    /* it is the root's */
    const kernel_body_ball *ball; /* of the first one of a ball with limits, these */
    double weight;                /* of its acceleration */
    double lower, upper, rest, speed;
} time_column;

typedef struct time_slack {
    double s, z;
} time_slack;

/* what a task is to a frame */
enum { TASK_NONE, TASK_PULLS, TASK_HOLDS, TASK_ABOVE };

/* One frame; rows of the arrays of all. */
typedef struct time_frame {
    double *panel, *inverses, *x;       /* of the sweep */
    double *last;                       /* the step before */
    double *own, *next, *after, *force; /* n each: terms between frames */
    time_slack *limits, *speeds;        /* 2 n each */
    time_slack *heights;                /* of each task */
    lb_vec3 *pulls;                     /* likewise: multipliers of held points */
    lb_transform *targets;              /* likewise */
    double *weights;
    unsigned char *kinds;
    double damping;
    bool swings; /* its steps have gone back and forth */
    bool known;  /* slacks and multipliers are those of a step before */
    double moved, broken;
    double calm; /* what joints change by to the next frame at most */
} time_frame;

typedef struct spacetime {
    retarget_grid *grid;
    retarget_solver *solver;
    const lb_body *body; /* whose tasks are taken */
    const kernel_sweep_ops *ops;
    int n, padded, tasks;
    time_column columns[KERNEL_SWEEP_MOST];
    int *carriers; /* of each link: the last column that moves it, -1: none */
    int *tips;     /* links: each column moves one of them */
    int tip_count;
    bool limited;           /* speeds are */
    double acceleration;    /* weight of a second difference */
    int first, count;       /* rows of the grid in the window */
    time_frame *frames;     /* SPACETIME_WINDOW */
    double *carried[2];     /* of the sweep */
    double *changes;        /* (SPACETIME_WINDOW + 4) x n */
    double *jacobian;       /* 6 x nv */
    double *source;         /* nq + nv of the source */
    unsigned char *limbs;   /* nq */
    unsigned char *jumping; /* steps x n: what must go over calmly from step to step */
    double *change, *zeros; /* nv; padded */
    unsigned char *active;  /* of each frame */
    /* of one frame */
    lb_vec3 origin;
    double screws[KERNEL_SWEEP_MOST][6]; /* angular, then linear at the origin */
    double inertias[KERNEL_SWEEP_MOST][6][6], forces[KERNEL_SWEEP_MOST][6];
    double barrier;
} spacetime;

/* ---- spacetime_tasks.c ---------------------------------------------------- */

/* Rows a to before b of the grid are unknown, those beside them known. */
typedef struct time_span {
    int a, b;
} time_span;

/* What a joint changes by from each step to the next (into s->changes). */
void spacetime_measure(spacetime *s, int from, int to);
/* What a column has changed by then; and may by its speed. */
double spacetime_change(const spacetime *s, int step, int column);
double spacetime_speed(const spacetime *s, int column);
/* Terms of accelerations, speeds and limits. */
void spacetime_between(spacetime *s, time_span span);

/* The panel of a frame: its own block by its tasks, what is carried to it, and the terms between
   frames. */
void spacetime_assemble(spacetime *s, int step, const double *carried);

/* ---- spacetime.c ---------------------------------------------------------- */

/*
 * Smooths the rows of a grid in place: what its tasks pull with a weight of 1 follows the source up
 * to `hertz`, and nothing is accelerated more than that needs. Held points stay in their places,
 * joints within their limits and speeds, soles above the ground, and no limb jumps. *done: whether
 * it could; figures with more than KERNEL_SWEEP_MOST velocities, mimic joints, feet beside their
 * legs or links that are kept apart are left as they are. Adds jumps to the report.
 */
lb_status retarget_smooth(retarget_grid *grid, double hertz, bool *done, lb_retarget_report *report,
                          lb_error *error);

#endif
