/*
 * trace.h - a method's iterations, one by one, with the matrices of Parent 2012, chapter 5.
 */
#ifndef CLI_WORK_TRACE_H
#define CLI_WORK_TRACE_H

#include "cli/options/targets.h"
#include "cli/report/results.h"
#include "cli/work/trace.h"

#include <limber/ik.h>

/* What is traced: one target from one start, one step after the other. */
typedef struct trace {
    const lb_model *model;
    const lb_task *task; /* its base is the world or the root */
    const lb_ik_options *options;
    const lb_transform *target; /* T_base_goal */
    const double *start;        /* nq */
    int steps;                  /* at most */
    bool reached;               /* result: whether the last step arrived */
} trace;

/* What options say of a trace; release with trace_release. */
typedef struct trace_choice {
    lb_task task;
    solver_choice solver;
    trace what; /* refers to the choice and to the problems that it was made of */
} trace_choice;

/*
 * Reads one target, its start and the solver from the options; `of` begins messages. `problems` has
 * open targets. False after a complaint.
 */
bool trace_given(const lb_model *model, problem_source *problems, const char *of,
                 trace_choice *choice);
void trace_release(trace_choice *choice);

/*
 * Writes a trace where the destination's options say: for each step the error V, the Jacobian J of
 * the rows that the tip can move in, J J^T, z of the control term, beta with
 * (J J^T + lambda^2) beta = V + J z, J^T beta, what limits took from J^T beta - z, and the joints'
 * change, which is the sum of these. Methods whose step is none of it, and rows where J J^T is
 * singular, have no beta; the last row has no step. False after an error is printed.
 */
bool trace_write(trace *what);

/* ---- one step ------------------------------------------------------------- */

enum { TRACE_ROWS = 6 };
extern const char *const trace_row_names[TRACE_ROWS]; /* vx vy vz wx wy wz */

/* A trace at one of its steps. */
typedef struct tracing {
    trace *what;
    lb_ik *ik;
    lb_state *state; /* at q */
    double unit;     /* metres that count as one radian */
    int rows, nq, nv;
    int row_of[TRACE_ROWS];                     /* of the six: vx vy vz wx wy wz */
    double v[TRACE_ROWS];                       /* V */
    double square[TRACE_ROWS * TRACE_ROWS];     /* J J^T */
    double beta[TRACE_ROWS];                    /* NaN: none */
    double *all, *jacobian, *q, *next, *change; /* 6 x nv, rows x nv, nq, nq, nv; one block */
    double *mobility, *z, *product, *clamped;   /* nv; the last two NaN: none */
    double *desired;                            /* nq */
    lb_ik_result result;                        /* before the step */
    int iteration;
    value_slot *slots; /* nq */
} tracing;

/* Begins at the start; false after a complaint. Stop it in either case. */
bool trace_start(tracing *t);
void trace_stop(tracing *t);
/* Takes one step from q to `next`, with all that belongs to it; the last row has no step. */
lb_progress trace_step(tracing *t, bool last);

bool trace_is_of(const tracing *t, const char *method);
/* The weight of a row in the solver: 1 / unit of a position, else 1. */
double trace_weight(const tracing *t, int r);
/* lambda^2 of the method's step, in the solver's units; below 0: its step is no J^T beta. */
double trace_damping(const tracing *t);

/* ---- one step in equations -------------------------------------------- */

/* Write the derivation of a `step`, the tracing that has just made it, as text or as HTML. */
void derivation_text(const void *step, FILE *stream);
void derivation_html(const void *step, FILE *stream);

#endif
