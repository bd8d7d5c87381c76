/*
 * singularity.c - what a Jacobian says of a configuration: rank, condition, weakest direction.
 *
 * It is measured in the directions that the link can have in some configuration (freedom.h): a
 * planar arm is not singular for want of a third dimension. Only singular values and left vectors
 * are wanted, and those do not change when columns are turned among each other. So the columns,
 * however many, are folded one by one into a triangle of at most 6 x 6 by plane rotations (Golub &
 * Van Loan, "Matrix Computations", 5.2.5 and 6.5.2), which is as exact as the Jacobian itself; J
 * J^T would lose half of the places. Manipulability: Yoshikawa, IJRR 4 (1985).
 */
#include "kinematics/freedom.h"
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
    int mimicked = model->joint_layouts[joint].mimicked_joint;
    int mover = mimicked < 0 ? joint : mimicked;
    if (model->joints[mover].locked)
        return;
    for (int i = 0; i < lb_joint_kind_nv(model->joints[mover].kind); i++)
        fold_column(f, model->joint_layouts[mover].v + i);
}

/* ---- the directions that count --------------------------------------------- */

/* sets row r of the basis, `rows` wide, to a direction in the linear or angular rows */
static void set_direction(double *basis, int rows, int r, int from, lb_vec3 axis)
{
    const double numbers[3] = {axis.x, axis.y, axis.z};
    for (int i = 0; i < rows; i++)
        basis[r * rows + i] = i >= from && i < from + 3 ? numbers[i - from] : 0;
}

/* the link's directions as rows of a matrix; returns how many there are */
static int set_basis(const freedom *f, int rows, double *basis)
{
    int count = 0;
    for (int i = 0; i < f->linear.count; i++)
        set_direction(basis, rows, count++, 0, f->linear.axes[i]);
    for (int i = 0; i < f->angular.count && rows == MOST_ROWS; i++)
        set_direction(basis, rows, count++, 3, f->angular.axes[i]);
    return count;
}

/* product = basis * triangle, count x rows */
static void project(const folding *f, const double *basis, int count, double *product)
{
    for (int r = 0; r < count; r++)
        for (int c = 0; c < f->rows; c++) {
            product[r * f->rows + c] = 0;
            for (int i = 0; i < f->rows; i++)
                product[r * f->rows + c] += basis[r * f->rows + i] * f->triangle[i * f->rows + c];
        }
}

/* from the triangle's singular values in those directions; a link that nothing moves has none */
static lb_status analyze(const folding *f, const freedom *directions, double tolerance,
                         lb_singularity *out)
{
    double basis[MOST_ROWS * MOST_ROWS], seen[MOST_ROWS * MOST_ROWS];
    double left[MOST_ROWS * MOST_ROWS], right[MOST_ROWS * MOST_ROWS], values[MOST_ROWS];
    int count = set_basis(directions, f->rows, basis), k = f->columns < count ? f->columns : count;
    project(f, basis, count, seen);
    if (!dense_svd(count, f->rows, seen, left, values, right))
        return LB_BAD_VALUE;
    *out = (lb_singularity){.condition = INFINITY};
    if (k == 0)
        return LB_OK;

    out->manipulability = 1;
    for (int i = 0; i < k; i++) {
        out->values[i] = values[i];
        out->rank += values[i] > tolerance * values[0];
        out->manipulability *= values[i];
    }
    out->condition = dense_condition(k, values);
    for (int i = 0; i < f->rows; i++)
        for (int r = 0; r < count; r++)
            out->weakest[i] += left[(k - 1) * count + r] * basis[r * f->rows + i];
    return LB_OK;
}

/* ---- public ----------------------------------------------------------------- */

static bool is_length(double number)
{
    return number >= 0 && isfinite(number);
}

/* the Jacobian of a link's point, folded; without angular rows if `length` is 0 */
static folding fold_link(const lb_state *state, int link, lb_vec3 point, double length)
{
    folding f = {.state = state, .rows = length > 0 ? 6 : 3, .length = length};
    lb_state_jacobian(state, link, point, LB_AXES_WORLD, state->jacobian);
    for (int i = link; i > 0; i = state->model->link_layouts[i].parent)
        fold_joint(&f, i - 1);
    return f;
}

lb_status lb_state_singularity(const lb_state *state, int link, lb_vec3 point, double length,
                               double tolerance, lb_singularity *out)
{
    if (!state || !out || link < LB_WORLD || link >= state->model->link_count)
        return LB_INVALID_ARGUMENT;
    if (!is_length(length) || !(tolerance >= 0))
        return LB_INVALID_ARGUMENT;
    folding f = fold_link(state, link, point, length);
    freedom directions = freedom_find(state, LB_WORLD, link);
    return analyze(&f, &directions, tolerance, out);
}

lb_status lb_state_velocity_ellipsoid(const lb_state *state, int link, lb_vec3 point,
                                      double damping, lb_ellipsoid *out)
{
    if (!state || !out || link < LB_WORLD || link >= state->model->link_count)
        return LB_INVALID_ARGUMENT;
    if (!is_length(damping))
        return LB_INVALID_ARGUMENT;
    folding f = fold_link(state, link, point, 0);
    double left[9], right[9], values[3];
    if (!dense_svd(3, 3, f.triangle, left, values, right))
        return LB_BAD_VALUE;
    lb_transform pose = lb_state_transform(state, LB_WORLD, link);
    out->center = lb_transform_point(&pose, point);
    for (int i = 0; i < 3; i++) {
        double share = damping / values[i];
        double length = values[i] > 0 ? values[i] / (1 + share * share) : 0;
        lb_vec3 direction = lb_vec3_make(left[3 * i], left[3 * i + 1], left[3 * i + 2]);
        out->axes[i] = lb_vec3_scale(direction, length);
    }
    return LB_OK;
}
