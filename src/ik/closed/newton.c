/* newton.c - forward kinematics of an arm given by its axes, and Newton's method on it. */
#include "ik/closed/newton.h"

#include "math/dense.h"
#include "math/scalar.h"

#include <string.h>

/* ---- forward kinematics ---------------------------------------------------- */

/* what joint i does to space, as a transform */
static lb_transform displace(const closed_arm *arm, int i, double q)
{
    lb_vec3 k = arm->axis[i], p = arm->point[i];
    if (arm->is_length[i])
        return lb_transform_translation(k.x * q, k.y * q, k.z * q);
    double s, c;
    lb_sincos(q, &s, &c);
    double v = 1 - c;
    lb_transform t = {
        {c + v * k.x * k.x, v * k.x * k.y + s * k.z, v * k.x * k.z - s * k.y},
        {v * k.x * k.y - s * k.z, c + v * k.y * k.y, v * k.y * k.z + s * k.x},
        {v * k.x * k.z + s * k.y, v * k.y * k.z - s * k.x, c + v * k.z * k.z},
        {0, 0, 0},
    };
    t.p = lb_vec3_sub(p, lb_transform_direction(&t, p));
    return t;
}

lb_transform closed_forward(const closed_arm *arm, const double *q)
{
    lb_transform t = arm->home;
    for (int i = arm->joints - 1; i >= 0; i--) {
        lb_transform a = displace(arm, i, q[i]);
        t = lb_transform_multiply(&a, &t);
    }
    return t;
}

lb_transform closed_axes(const closed_arm *arm, const double *q, lb_vec3 *axis, lb_vec3 *point)
{
    lb_transform moved = LB_TRANSFORM_IDENTITY;
    for (int i = 0; i < arm->joints; i++) {
        axis[i] = lb_transform_direction(&moved, arm->axis[i]);
        point[i] = lb_transform_point(&moved, arm->point[i]);
        lb_transform a = displace(arm, i, q[i]);
        moved = lb_transform_multiply(&moved, &a);
    }
    return moved;
}

void closed_jacobian(const closed_arm *arm, const double *q, lb_transform *tip, double *jacobian)
{
    lb_vec3 axis[CLOSED_ARM_JOINTS], point[CLOSED_ARM_JOINTS];
    const lb_transform moved = closed_axes(arm, q, axis, point);
    *tip = lb_transform_multiply(&moved, &arm->home);
    for (int i = 0; i < arm->joints; i++) {
        lb_vec3 turn = arm->is_length[i] ? lb_vec3_make(0, 0, 0) : axis[i];
        lb_vec3 displacement =
            arm->is_length[i] ? axis[i] : lb_vec3_cross(axis[i], lb_vec3_sub(tip->p, point[i]));
        const double column[6] = {displacement.x, displacement.y, displacement.z,
                                  turn.x,         turn.y,         turn.z};
        for (int r = 0; r < 6; r++)
            jacobian[r * arm->joints + i] = column[r];
    }
}

double closed_error(const lb_transform *tip, const lb_transform *target, double error[6])
{
    // the rotation from tip to target: twice its sine times its axis, from the axes' products
    lb_vec3 displacement = lb_vec3_sub(target->p, tip->p);
    lb_vec3 twice =
        lb_vec3_add(lb_vec3_add(lb_vec3_cross(tip->x, target->x), lb_vec3_cross(tip->y, target->y)),
                    lb_vec3_cross(tip->z, target->z));
    double trace = lb_vec3_dot(tip->x, target->x) + lb_vec3_dot(tip->y, target->y) +
                   lb_vec3_dot(tip->z, target->z);
    double sine = lb_vec3_length(twice), angle = lb_atan2(sine, trace - 1);
    // a half turn has no axis in these products: any will do that is about as long
    lb_vec3 turn = sine > 1e-12 ? lb_vec3_scale(twice, angle / sine)
                                : lb_vec3_scale(twice, trace > 0 ? 0.5 : 0);
    const double parts[6] = {displacement.x, displacement.y, displacement.z,
                             turn.x,         turn.y,         turn.z};
    memcpy(error, parts, sizeof parts);
    return scalar_max(lb_vec3_length(displacement), angle);
}

/* ---- Newton's method ------------------------------------------------------- */

/*
 * The damping, as a share of the Jacobian's greatest square: the rounding of the sums of
 * products, below which no direction is known to be mobile at all.
 */
#define NEWTON_DAMPING 1e-15

/* (J^T J + lambda) step = J^T error */
static bool solve_step(int n, const double *jacobian, const double *error, double *step)
{
    double normal[CLOSED_ARM_JOINTS * CLOSED_ARM_JOINTS], most = 0;
    for (int i = 0; i < n; i++) {
        step[i] = 0;
        for (int r = 0; r < 6; r++)
            step[i] += jacobian[r * n + i] * error[r];
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int r = 0; r < 6; r++)
                sum += jacobian[r * n + i] * jacobian[r * n + j];
            normal[i * n + j] = sum;
        }
        most = scalar_max(most, normal[i * n + i]);
    }
    for (int i = 0; i < n; i++)
        normal[i * n + i] += most * NEWTON_DAMPING;
    if (dense_ldl_factor(n, normal) == 0)
        return false;
    dense_ldl_solve(n, normal, step);
    return true;
}

/* the Jacobian without the columns of joints that are held */
static void hold_columns(int n, unsigned held, double *jacobian)
{
    for (int i = 0; i < n; i++)
        for (int r = 0; r < 6 && (held >> i & 1); r++)
            jacobian[r * n + i] = 0;
}

double closed_newton(const closed_arm *arm, const lb_transform *target, int steps, double *q)
{
    return closed_newton_held(arm, target, steps, 0, q);
}

double closed_newton_held(const closed_arm *arm, const lb_transform *target, int steps,
                          unsigned held, double *q)
{
    double jacobian[6 * CLOSED_ARM_JOINTS], error[6], step[CLOSED_ARM_JOINTS];
    double next[CLOSED_ARM_JOINTS], next_error[6];
    lb_transform tip;
    int n = arm->joints;
    const double least = held ? 1e-3 : 1; // of a step
    closed_jacobian(arm, q, &tip, jacobian);
    double left = closed_error(&tip, target, error);
    for (int k = 0; k < steps && left > 0; k++) {
        hold_columns(n, held, jacobian);
        if (!solve_step(n, jacobian, error, step))
            break;
        double after = left;
        for (double share = 1; share >= least && !(after < left); share *= 0.5) {
            for (int i = 0; i < n; i++)
                next[i] = q[i] + share * step[i];
            closed_jacobian(arm, next, &tip, jacobian);
            after = closed_error(&tip, target, next_error);
        }
        if (!(after < left))
            break;
        left = after;
        memcpy(q, next, sizeof(double) * (size_t)n);
        memcpy(error, next_error, sizeof error);
    }
    return left;
}

/* the Jacobian where one length counts as one radian, in rows and in columns */
static void scaled_jacobian(const closed_arm *arm, const double *q, double length, double *jacobian)
{
    lb_transform tip;
    int n = arm->joints;
    closed_jacobian(arm, q, &tip, jacobian);
    for (int i = 0; i < n; i++) {
        double unit = arm->is_length[i] ? length : 1;
        for (int r = 0; r < 6; r++)
            jacobian[r * n + i] *= r < 3 ? unit / length : unit;
    }
}

/* takes from a column what those of an orthonormal basis say of it; returns the length that is left
 */
static double project_out(const double *basis, int count, double *column)
{
    double square = 0;
    for (int k = 0; k < count; k++) {
        double along = 0;
        for (int r = 0; r < 6; r++)
            along += basis[6 * k + r] * column[r];
        for (int r = 0; r < 6; r++)
            column[r] -= along * basis[6 * k + r];
    }
    for (int r = 0; r < 6; r++)
        square += column[r] * column[r];
    return sqrt(square);
}

/* joints that move the tool by less, a radian in all, do not move it */
#define IDLE 1e-5
/* of a column, below which it is a sum of others */
#define DEPENDENT 1e-6

/* How some joints move the tool, without what others do. */
typedef struct own_columns {
    double of[6 * CLOSED_ARM_JOINTS]; /* rows of `count` */
    int joint[CLOSED_ARM_JOINTS], count;
    int known; /* directions that the others move it in */
} own_columns;

static void take_columns(const closed_arm *arm, const double *q, double length, unsigned among,
                         unsigned given, own_columns *own)
{
    double jacobian[6 * CLOSED_ARM_JOINTS], basis[6 * CLOSED_ARM_JOINTS], column[6];
    int n = arm->joints;
    own->count = own->known = 0;
    scaled_jacobian(arm, q, length, jacobian);
    for (int i = 0; i < n; i++) {
        for (int r = 0; r < 6; r++)
            column[r] = jacobian[r * n + i];
        double size = (given >> i & 1) != 0 ? project_out(basis, own->known, column) : 0;
        for (int r = 0; r < 6 && size > DEPENDENT; r++)
            basis[6 * own->known + r] = column[r] / size;
        own->known += size > DEPENDENT;
        if (among >> i & 1)
            own->joint[own->count++] = i;
    }
    for (int c = 0; c < own->count; c++) {
        for (int r = 0; r < 6; r++)
            column[r] = jacobian[r * n + own->joint[c]];
        (void)project_out(basis, own->known, column);
        for (int r = 0; r < 6; r++)
            own->of[r * own->count + c] = column[r];
    }
}

bool closed_is_idle(const closed_arm *arm, const double *q, double length, unsigned among,
                    unsigned given)
{
    own_columns own;
    double left[6 * 6], values[6], right[6 * CLOSED_ARM_JOINTS];
    take_columns(arm, q, length, among, given, &own);
    // more joints than directions always can
    return own.count + own.known > 6 || !dense_svd(6, own.count, own.of, left, values, right) ||
           (own.count > 0 && values[own.count - 1] < IDLE);
}

/* how far a joint goes along a family, in radians and shares of the size: far enough to distinguish
   it from two solutions that meet; and what the tool may move by there: arms are of their class to
   1e-9, of which this is a twentieth */
#define FAMILY_STEP 0.05
#define FAMILY_STAYS 5e-11
/* what moves a joint by less is rounding */
#define FAMILY_MOVES 1e-11

/* the same along one way: joint i goes on by `step` */
static unsigned move_along(const closed_arm *arm, const double *q, double size, unsigned among,
                           int i, double step)
{
    double moved[CLOSED_ARM_JOINTS], error[6];
    const lb_transform tool = closed_forward(arm, q);
    unsigned joints = 0;
    memcpy(moved, q, sizeof *moved * (size_t)arm->joints);
    moved[i] += step * (arm->is_length[i] ? size : 1);
    (void)closed_newton_held(arm, &tool, 8, ~among | 1u << i, moved);
    const lb_transform there = closed_forward(arm, moved);
    (void)closed_error(&there, &tool, error);
    for (int r = 0; r < 6; r++)
        if (!(fabs(error[r]) <= FAMILY_STAYS * (r < 3 ? size : 1)))
            return 0;
    for (int k = 0; k < arm->joints; k++) {
        const double way = fabs(moved[k] - q[k]) / (arm->is_length[k] ? size : 1);
        joints |= (unsigned)(way > FAMILY_MOVES) << k;
        // another solution, farther away
        if (way > 2 * FAMILY_STEP)
            return 0;
    }
    return joints;
}

unsigned closed_moving(const closed_arm *arm, const double *q, double size, unsigned among,
                       unsigned given)
{
    unsigned moving = 0;
    for (int i = 0; i < 2 * arm->joints && moving == 0; i++)
        if (among >> i / 2 & 1)
            moving =
                move_along(arm, q, size, among | given, i / 2, i % 2 ? -FAMILY_STEP : FAMILY_STEP);
    return moving;
}

double closed_condition(const closed_arm *arm, const double *q, double length, int real)
{
    own_columns own;
    double left[6 * 6], values[6], right[6 * CLOSED_ARM_JOINTS];
    const unsigned among = (1u << real) - 1;
    take_columns(arm, q, length, among, ((1u << arm->joints) - 1) & ~among, &own);
    dense_svd(6, own.count, own.of, left, values, right);
    return dense_condition(own.count < 6 - own.known ? own.count : 6 - own.known, values);
}

/* the length of the inverse Jacobian, in radians and arm's lengths; infinite where it is singular
 */
static double inverse_length(const closed_arm *arm, const double *q, double size)
{
    double jacobian[6 * CLOSED_ARM_JOINTS], sum = 0;
    int pivots[6];
    lb_transform tip;
    closed_jacobian(arm, q, &tip, jacobian);
    for (int i = 0; i < 18; i++)
        jacobian[i] /= size;
    if (dense_lu_factor(6, jacobian, pivots) == 0)
        return INFINITY;
    for (int k = 0; k < 6; k++) {
        double column[6] = {0};
        column[k] = 1;
        dense_lu_solve(6, jacobian, pivots, column);
        for (int i = 0; i < 6; i++)
            sum += column[i] * column[i];
    }
    return sqrt(sum);
}

/*
 * Between two solutions, d apart, the pose goes away and comes back: |J d| <= 1/2 |second
 * derivative| |d|^2, and that derivative is at most 6 sqrt 3: six joints, of which any two turn the
 * axes and, by the arm's length at most, the tool.
 */
double closed_apart(const closed_arm *arm, const double *q, double size)
{
    return 2 / (6 * sqrt(3.0) * inverse_length(arm, q, size));
}
