/*
 * comparison.h - methods measured side by side on the same targets.
 */
#ifndef CLI_TEXTBOOK_COMPARISON_H
#define CLI_TEXTBOOK_COMPARISON_H

#include <limber/ik.h>

#include "cli/options/targets.h"
#include "figures/plot.h"

/* What one method made of all targets. */
typedef struct comparison_row {
    const lb_method *method;
    int reached;
    double iterations;              /* mean of a solve, over all its tries */
    double microseconds;            /* mean of a solve */
    double mean_error, worst_error; /* metres, at the solutions */
    double worst_rotation;          /* radians */
    double travel; /* mean travel of all joints from start to solution, radians and metres added */
    double deviation; /* mean over the targets, step by step: how far the tip's path, between steps
                         as their joints move, strays from the segment to the target, by the length
                         of that */
    int violations;   /* solutions outside the limits */
    double *curve;    /* steps + 1: the median of the position error after each step */
    double *turns;    /* the same of the rotation error, radians; NULL for positions */
    int steps;        /* after which no target moved any more */
} comparison_row;

typedef struct comparison {
    const lb_model *model;
    lb_task task;
    const target_list *targets;
    const double *start; /* nq */
    int steps;           /* of each curve */
    double position_tolerance, rotation_tolerance;
    double out_of_reach; /* metres that the first target is proved to be; 0: it may be reached */
    comparison_row *rows;
    int count;
} comparison;

/*
 * Measures every method that can do the task, with these options but for the method;
 * remarks on those that cannot, and why. Complains and returns false when none can.
 */
bool comparison_make(comparison *all, const lb_model *model, const lb_task *task,
                     const lb_ik_options *options, const target_list *targets, const double *start,
                     int steps);
void comparison_release(comparison *all);

/* ---- looks ------------------------------------------------------------ */

/* Of a method that is not in the table: grey. */
plot_look look_of(const lb_method *method);

#endif
