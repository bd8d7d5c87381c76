/*
 * trace.h - a method's iterations, one by one, with the matrices of Parent 2012, chapter 5.
 */
#ifndef CLI_WORK_TRACE_H
#define CLI_WORK_TRACE_H

#include "cli/options/targets.h"
#include "cli/report/results.h"
#include "ik/derivation/step.h"

#include <limber/ik.h>

/* What is traced: one target from one start, one step after the other. */
typedef struct trace {
    const lb_model *model;
    lb_task task; /* its base is the world or the root */
    lb_ik_options options;
    const lb_transform *target; /* T_base_goal */
    const double *start;        /* nq */
    const char *of;             /* begins messages */
    int steps;                  /* at most */
    bool reached;               /* result: whether the last step arrived */
} trace;

/*
 * Reads one target, its start and the solver from the options; `of` begins messages. `problems` has
 * open targets and must outlive the trace.
 */
trace trace_given(const lb_model *model, problem_source *problems, const char *of);

/*
 * Writes a trace where the destination's options say: for each step the error V, the Jacobian J of
 * the rows that the tip can move in, J J^T, z of the control term, beta with
 * (J J^T + lambda^2) beta = V + J z, J^T beta, what limits took from J^T beta - z, and the joints'
 * change, which is the sum of these. Methods whose step is none of it, and rows where J J^T is
 * singular, have no beta; the last row has no step.
 */
void trace_write(trace *what);

/* ---- one step ------------------------------------------------------------- */

/* A trace at one of its steps. */
typedef struct tracing {
    trace *what;
    derivation_step step;
    int iteration;
    value_slot *slots; /* nq */
    double *q;         /* nq, those of the step in the user's unit of angles */
} tracing;

/* Begins at the start. Stop it. */
void trace_start(tracing *t);
void trace_stop(tracing *t);

#endif
