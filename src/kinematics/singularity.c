/*
 * singularity.c - what a Jacobian says of a configuration: rank, condition, weakest way.
 *
 * Only singular values and left vectors are wanted, and those do not change when
 * columns are turned among each other. So the columns, however many, are folded
 * one by one into a triangle of at most 6 x 6 by plane rotations (Golub & Van
 * Loan, "Matrix Computations", 5.2.5 and 6.5.2), which is as exact as the Jacobian
 * itself; J J^T would lose half of the places. Manipulability: Yoshikawa, IJRR 4
 * (1985).
 */
#include "kinematics/state.h"
#include "math/dense.h"

#include <string.h>

enum { MOST_ROWS = 6 };

/* The joints between the root and a link, and what of them has been read so far. */
typedef struct folding {
    const lb_state *state;
    int rows;                               /* 3: linear alone, or 6 */
    double length;                          /* of angular rows */
    int columns;                            /* that can move the link; counted up to `rows` */
    int counted[MOST_ROWS];                 /* which */
    double triangle[MOST_ROWS * MOST_ROWS]; /* rows x rows, row major */
} folding;

/* turns column r of the triangle and the given one in their plane until its row r is zero */
static void rotate(folding *f, int r, double *column)
{
    double a = f->triangle[r * f->rows + r], b = column[r], cosine, sine;

    // the tangent or the cotangent, whichever is at most 1: no square overflows
    if (fabs(b) > fabs(a)) {
        sine = 1 / sqrt(1 + a / b * (a / b));
        cosine = sine * (a / b);
    } else {
        cosine = 1 / sqrt(1 + b / a * (b / a));
        sine = cosine * (b / a);
    }
    for (int i = r; i < f->rows; i++) {
        double *x = &f->triangle[i * f->rows + r], y = column[i];
        column[i] = cosine * y - sine * *x;
        *x = cosine * *x + sine * y;
    }
}

/* counts column v, unless it has been or there are enough */
static void count(folding *f, int v)
{
    for (int i = 0; i < f->columns; i++)
        if (f->counted[i] == v)
            return;
    if (f->columns < f->rows)
        f->counted[f->columns++] = v;
}

/* takes column v out of the state's Jacobian into the triangle; taken again it is zero */
static void fold_column(folding *f, int v)
{
    int nv = f->state->model->tree.nv;
    double column[MOST_ROWS];
    for (int i = 0; i < f->rows; i++) {
        column[i] = f->state->jacobian[i * nv + v] * (i < 3 ? 1 : f->length);
        f->state->jacobian[i * nv + v] = 0;
    }
    for (int r = 0; r < f->rows; r++)
        if (column[r] != 0)
            rotate(f, r, column);
    count(f, v);
}

/* the columns of one joint, or of the joint that it follows; none when that is locked */
static void fold_joint(folding *f, int joint)
{
    const lb_model *model = f->state->model;
    int master = model->joint_layouts[joint].master;
    int mover = master < 0 ? joint : master;
    if (model->joints[mover].locked)
        return;
    for (int i = 0; i < lb_joint_kind_nv(model->joints[mover].kind); i++)
        fold_column(f, model->joint_layouts[mover].v + i);
}

/* from the triangle's singular values; a link that nothing moves has none */
static lb_status analyse(const folding *f, double tolerance, lb_singularity *out)
{
    double left[MOST_ROWS * MOST_ROWS], right[MOST_ROWS * MOST_ROWS], values[MOST_ROWS];
    if (!dense_svd(f->rows, f->rows, f->triangle, left, values, right))
        return LB_BAD_VALUE;
    *out = (lb_singularity){.condition = INFINITY};
    if (f->columns == 0)
        return LB_OK;

    out->manipulability = 1;
    for (int i = 0; i < f->columns; i++) {
        out->values[i] = values[i];
        out->rank += values[i] > tolerance * values[0];
        out->manipulability *= values[i];
    }
    out->condition = dense_condition(f->columns, values);
    memcpy(out->weakest, &left[(f->columns - 1) * f->rows], sizeof(double) * (size_t)f->rows);
    return LB_OK;
}

lb_status lb_state_singularity(const lb_state *state, int link, lb_vec3 point, double length,
                               double tolerance, lb_singularity *out)
{
    if (!state || !out || link < LB_WORLD || link >= state->model->link_count)
        return LB_INVALID_ARGUMENT;
    if (!(length >= 0) || !isfinite(length) || !(tolerance >= 0))
        return LB_INVALID_ARGUMENT;
    folding f = {.state = state, .rows = length > 0 ? 6 : 3, .length = length};
    lb_state_jacobian(state, link, point, LB_AXES_WORLD, state->jacobian);
    for (int i = link; i > 0; i = state->model->link_layouts[i].parent)
        fold_joint(&f, i - 1);
    return analyse(&f, tolerance, out);
}
