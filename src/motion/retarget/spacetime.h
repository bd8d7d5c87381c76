/*
 * spacetime.h - the configurations of a grid as one least-squares problem: its parts.
 */
#ifndef MOTION_RETARGET_SPACETIME_H
#define MOTION_RETARGET_SPACETIME_H

#include "ik/body/solver.h"
#include "kernel/time_sweep.h"
#include "motion/retarget/retarget.h"

#include <limber/collision.h>

/* frames that are solved together */
enum { SPACETIME_WINDOW = 240 };
/* the shares of speeds and accelerations that frames of the grid use; the rest is for those in
   between */
#define SPACETIME_SPEED 0.9
#define SPACETIME_BEND 0.8
/* the same of frames of a result, so that rounding keeps them */
#define SPACETIME_RESULT 0.995

/* One velocity. */
typedef struct time_column {
    int joint, v, q;              /* its places; q of balls and floating joints is their first */
    int parent;                   /* the column that carries it, -1: none */
    bool number;                  /* its value has limits */
    bool root;                    /* it is the root's */
    const kernel_body_ball *ball; /* of the first one of a ball with limits, these */
    double weight;                /* of its acceleration */
    double lower, upper, rest, speed;
    double bend; /* its largest acceleration */
} time_column;

typedef struct time_slack {
    double s, z;
} time_slack;

/* Two shapes that are kept apart. */
typedef struct time_pair {
    int body_a, shape_a, body_b, shape_b;
    double s, z, t; /* see apart.c; of a pair at rest s is its distance */
} time_pair;

/* the nearest ones of a frame, and those at rest that are nearer than they may be */
enum { SPACETIME_PAIRS = 24, SPACETIME_RESTING = 32 };

/* what a task is to a frame */
enum { TASK_NONE, TASK_PULLS, TASK_HOLDS, TASK_ABOVE };

/* One frame; rows of the arrays of all. */
typedef struct time_frame {
    double *panel, *inverses, *x;        /* of the sweep */
    double *last;                        /* the step before */
    double *own, *next, *after, *force;  /* n each: terms between frames */
    time_slack *limits, *speeds, *bends; /* 2 n each */
    time_slack *heights;                 /* of each task */
    time_pair pairs[SPACETIME_PAIRS];
    int pair_count;
    lb_vec3 *pulls;        /* likewise: multipliers of held points */
    lb_transform *targets; /* likewise */
    double *weights;
    unsigned char *kinds;
    double damping;
    bool swings; /* its steps have gone back and forth */
    bool known;  /* slacks and multipliers are those of a step before */
    double moved, broken;
    double near; /* by how much links are nearer than they may be, as far as that matters */
    double firm; /* of a result: the share of what holds points and keeps soles up */
    double calm; /* what joints change by to the next frame at most */
} time_frame;

typedef struct spacetime {
    retarget_grid *grid; /* NULL: its rows are the frames of a result */
    retarget_solver *solver;
    double *rows;           /* of nq each */
    const double *times;    /* of these */
    const double *kept;     /* of a result: the rows as they were, which these stay near to */
    unsigned char *changed; /* of a result: whether it changed */
    int last;               /* row */
    double step;            /* seconds between rows, the mean */
    const lb_body *body;    /* whose tasks are taken */
    const kernel_sweep_ops *ops;
    int n, padded, tasks;
    time_column columns[KERNEL_SWEEP_MOST];
    int *carriers; /* of each link: the last column that moves it, -1: none */
    int *tips;     /* links: each column moves one of them */
    int tip_count;
    bool limited;           /* speeds and accelerations are */
    bool coupled;           /* a column moves links that hang from a mimic joint */
    double acceleration;    /* weight of a second difference */
    int first, count;       /* rows in the window */
    time_frame *frames;     /* SPACETIME_WINDOW, and two before these, whose rows are known */
    double *carried;        /* of the sweep */
    double *changes;        /* (SPACETIME_WINDOW + 4) x n */
    double *jacobian;       /* 6 x nv */
    unsigned char *jumps;   /* of each row of the grid: it goes over calmly */
    double *change, *zeros; /* nv; padded */
    unsigned char *active;  /* of each frame */
    /* of one frame */
    lb_vec3 origin;
    double screws[KERNEL_SWEEP_MOST][6]; /* angular, then linear at the origin */
    double inertias[KERNEL_SWEEP_MOST][6][6], forces[KERNEL_SWEEP_MOST][6];
    double barrier;
    double pull; /* the largest multiplier of a held point */
    bool parts;  /* frames go on while links are too near */
    time_pair resting[SPACETIME_RESTING];
    int resting_count;
} spacetime;

/* ---- spacetime_tasks.c ---------------------------------------------------- */

/* Rows a to before b are unknown, those beside them known. */
typedef struct time_span {
    int a, b;
} time_span;

/* What columns change by from each row to the next (into s->changes). */
void spacetime_measure(spacetime *s, int from, int to);
/* A row. */
static inline double *spacetime_row(const spacetime *s, int step)
{
    return s->rows + (size_t)step * (size_t)lb_model_nq(s->solver->plan->target);
}
/* What a row takes of the share of speeds and accelerations that rows use, at most. */
double spacetime_excess(const spacetime *s, int row);
/* Terms of accelerations, speeds and limits. */
void spacetime_between(spacetime *s, time_span span);

/* Adds a frame's tasks and the terms between frames to what its panel has of the frames before. */
void spacetime_assemble(spacetime *s, int step);

/* ---- apart.c ------------------------------------------------------------- */

/* Two shapes that push each other. */
typedef struct time_push {
    lb_proximity pair;
    double weight, force; /* of the row of their distance */
} time_push;

/* Lists the shapes that are nearer than they may be at rest: they come no nearer. */
void spacetime_rest(spacetime *s);
/* By how much links of a row are nearer than they may be, but for what does not matter. */
double spacetime_shortfall(const spacetime *s, const double *q);
/* What pushes links of a frame in the next step (SPACETIME_PAIRS at most); returns how many. */
int spacetime_push(spacetime *s, time_frame *f, const double *q, time_push *pushes);

/* ---- spacetime.c ---------------------------------------------------------- */

/*
 * Smooths the rows of a grid in place: what its tasks pull with a weight of 1 follows the source up
 * to options.smooth hertz, and nothing is accelerated more than that needs. Held points stay in
 * their places, joints within their limits, speeds and accelerations, soles above the ground, and
 * no limb jumps, and the options' links stay apart; places that are missed move. *made: what did
 * it, NULL: numbers became too large, and they are left as they are.
 */
lb_status retarget_smooth(retarget_grid *grid, spacetime **made, lb_retarget_report *report,
                          lb_error *error);
/*
 * Brings frames that come of the smoothed rows (count rows of nq at `times`) within their limits of
 * place, speed and acceleration, near to where they are, held points in their places; marks those
 * that it changes. The solver is stiff now.
 */
lb_status retarget_keep_limits(spacetime *s, const double *times, double *rows, int count,
                               unsigned char *changed, lb_error *error);

#endif
