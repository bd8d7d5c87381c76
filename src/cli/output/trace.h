/*
 * trace.h - every iteration of a method, with the matrices of Eq. 5.16-5.23.
 */
#ifndef CLI_OUTPUT_TRACE_H
#define CLI_OUTPUT_TRACE_H

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

/*
 * Writes a trace where the destination's options say: for each step the error V, the Jacobian J of
 * the rows that the tip can move in, J J^T, z of the control term, beta with
 * (J J^T + lambda^2) beta = V + J z, J^T beta, what limits took from J^T beta - z, and the joints'
 * change, which is the sum of these. Methods whose step is none of it, and rows where J J^T is
 * singular, have no beta; the last row has no step. False after an error is printed.
 */
bool trace_write(trace *what);

#endif
