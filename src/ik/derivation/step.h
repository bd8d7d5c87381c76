/*
 * step.h - one step of a method, and the numbers of its equations (Parent 2012, chapter 5).
 */
#ifndef IK_DERIVATION_STEP_H
#define IK_DERIVATION_STEP_H

#include "base/memory.h"

#include <limber/derivation.h>
#include <limber/kinematics.h>

enum { DERIVATION_ROWS = 6 };
/* Of the six: "vx" to "wz". */
const char *derivation_row_name(int row);

/*
 * A step from q: the error V, the Jacobian J of the rows that the tip can move in, J J^T, z of the
 * control term, beta with (J J^T + lambda^2) beta = V + J z, J^T beta, what limits took from
 * J^T beta - z, and the joints' change, which is the sum of these. Methods whose step is none of
 * it, and rows where J J^T is singular, have no beta.
 */
typedef struct derivation_step {
    const lb_model *model;
    const lb_task *task;
    const lb_ik_options *options;
    const lb_transform *target; /* T_base_goal */
    memory_pool pool;           /* has all that the step owns but the next two */
    lb_ik *ik;
    lb_state *state; /* at q */
    double unit;     /* metres that count as one radian */
    int rows, nq, nv;
    int row_of[DERIVATION_ROWS];                      /* of the six: vx vy vz wx wy wz */
    double v[DERIVATION_ROWS];                        /* V */
    double square[DERIVATION_ROWS * DERIVATION_ROWS]; /* J J^T */
    double beta[DERIVATION_ROWS];                     /* NaN: none */
    double *all, *jacobian, *q, *next, *change;       /* 6 x nv, rows x nv, nq, nq, nv */
    double *mobility, *z, *product, *clamped;         /* nv; the last two NaN: none */
    double *desired;                                  /* nq */
    lb_ik_result result;                              /* before the step */
} derivation_step;

/*
 * Begins at q, with one task of a tree. End it in either case. LB_UNSUPPORTED for what the matrices
 * do not show: loops, a base that moves, free axes.
 */
lb_status derivation_step_begin(derivation_step *t, const lb_model *model, const lb_task *task,
                                const lb_ik_options *options, const lb_transform *target,
                                const double *q, lb_error *error);
void derivation_step_end(derivation_step *t);
/* Takes one step from q to `next`, with all that belongs to it; the last row has no step. */
lb_progress derivation_step_take(derivation_step *t, bool last);

bool derivation_is_of(const derivation_step *t, const char *method);
/* The weight of a row in the solver: 1 / unit of a position, else 1. */
double derivation_weight(const derivation_step *t, int r);
/* lambda^2 of the method's step, in the solver's units; below 0: its step is no J^T beta. */
double derivation_damping(const derivation_step *t);

/* Visits the lines of a step that was taken. */
lb_status derivation_visit(const derivation_step *t, lb_derivation_visit *visit, void *user,
                           lb_error *error);

#endif
