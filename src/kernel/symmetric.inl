/*
 * symmetric.inl - small symmetric positive systems, one per lane.
 *
 * The normal equations of one task are three or six wide; those stay in registers
 * as named blocks of three (arrays would live in memory). Any other size is a
 * matrix in memory. All are solved by L D L^T (Golub & Van Loan, 4.1), with pivots
 * held above the noise of the sums that made them, so that a singular system
 * gives a bounded answer instead of none.
 */
#ifndef KERNEL_SYMMETRIC_INL
#define KERNEL_SYMMETRIC_INL

#include "kernel/vec.inl"

/* pivots below this share of the trace are noise */
#define PIVOT_SHARE 1e-13

/* the sum of products of two columns of `rows` rows */
LANE_INLINE lane column_dot(const lane *a, const lane *b, int rows)
{
    lane sum = a[0] * b[0];
#pragma GCC unroll 6
    for (int r = 1; r < rows; r++)
        sum += a[r] * b[r];
    return sum;
}

/* ---- three by three ------------------------------------------------------- */

typedef struct sym3 {
    lane xx, yx, yy, zx, zy, zz;
} sym3;

/* L D L^T, with the pivots' inverses */
typedef struct ldl3 {
    lane yx, zx, zy;
    v3 inverse;
} ldl3;

/* a += u u^T */
LANE_INLINE void sym3_add(sym3 *a, v3 u)
{
    a->xx += u.x * u.x;
    a->yx += u.y * u.x;
    a->yy += u.y * u.y;
    a->zx += u.z * u.x;
    a->zy += u.z * u.y;
    a->zz += u.z * u.z;
}

LANE_INLINE ldl3 sym3_factor(const sym3 *a, lane least)
{
    ldl3 f;
    f.inverse.x = 1 / lane_max(a->xx, least);
    f.yx = a->yx * f.inverse.x;
    f.zx = a->zx * f.inverse.x;
    lane zy = a->zy - f.zx * a->yx;
    f.inverse.y = 1 / lane_max(a->yy - f.yx * a->yx, least);
    f.zy = zy * f.inverse.y;
    f.inverse.z = 1 / lane_max(a->zz - f.zx * a->zx - f.zy * zy, least);
    return f;
}

LANE_INLINE v3 ldl3_solve(const ldl3 *f, v3 b)
{
    lane y = b.y - f->yx * b.x;
    lane z = b.z - f->zx * b.x - f->zy * y;
    v3 x = {b.x * f->inverse.x, y * f->inverse.y, z * f->inverse.z};
    x.y -= f->zy * x.z;
    x.x -= f->yx * x.y + f->zx * x.z;
    return x;
}

/* ---- six by six, or its first block --------------------------------------- */

/* rows 0-2 and columns 0-2 are a, rows 3-5 are bx, by, bz and c */
typedef struct normal6 {
    sym3 a, c;
    v3 bx, by, bz;
} normal6;

/* lambda times one */
LANE_INLINE normal6 normal_start(lane lambda)
{
    lane zero = lane_set(0);
    sym3 diagonal = {lambda, zero, lambda, zero, zero, lambda};
    v3 none = {zero, zero, zero};
    return (normal6){diagonal, diagonal, none, none, none};
}

/* adds column * column^T; rows is 3 or 6 and a constant */
LANE_INLINE void normal_add(normal6 *n, const lane *column, int rows)
{
    v3 u = rows_get(column);
    sym3_add(&n->a, u);
    if (rows == 6) {
        v3 v = rows_get(column + 3);
        n->bx = v3_add_scaled(n->bx, u, v.x);
        n->by = v3_add_scaled(n->by, u, v.y);
        n->bz = v3_add_scaled(n->bz, u, v.z);
        sym3_add(&n->c, v);
    }
}

/* solves n x = b by blocks: c is reduced by what a explains of it */
LANE_INLINE void normal_solve(const normal6 *n, const lane *b, lane *x, int rows)
{
    lane trace = n->a.xx + n->a.yy + n->a.zz;
    if (rows == 6)
        trace += n->c.xx + n->c.yy + n->c.zz;
    lane least = trace * PIVOT_SHARE + 1e-200;
    ldl3 a = sym3_factor(&n->a, least);
    v3 first = ldl3_solve(&a, rows_get(b));
    if (rows == 6) {
        v3 wx = ldl3_solve(&a, n->bx), wy = ldl3_solve(&a, n->by), wz = ldl3_solve(&a, n->bz);
        sym3 s = {n->c.xx - v3_dot(n->bx, wx), n->c.yx - v3_dot(n->by, wx),
                  n->c.yy - v3_dot(n->by, wy), n->c.zx - v3_dot(n->bz, wx),
                  n->c.zy - v3_dot(n->bz, wy), n->c.zz - v3_dot(n->bz, wz)};
        v3 rest = rows_get(b + 3);
        rest = v3_sub(rest, (v3){v3_dot(n->bx, first), v3_dot(n->by, first), v3_dot(n->bz, first)});
        ldl3 c = sym3_factor(&s, least);
        v3 second = ldl3_solve(&c, rest);
        first = v3_sub(first, v3_add_scaled(v3_add_scaled(v3_scale(wx, second.x), wy, second.y), wz,
                                            second.z));
        rows_set(x + 3, second);
    }
    rows_set(x, first);
}

/* ---- any size ------------------------------------------------------------- */

/* the lower half of J J^T + lambda 1, rows x rows */
static void matrix_make(lane *a, const lane *jacobian, int nv, lane lambda, int rows)
{
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < i; j++)
            a[i * rows + j] = lane_set(0);
        a[i * rows + i] = lambda;
    }
    for (int v = 0; v < nv; v++) {
        const lane *column = jacobian + v * rows;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j <= i; j++)
                a[i * rows + j] += column[i] * column[j];
    }
}

/* solves a x = b in place; a is the lower half, x has b on entry */
static void matrix_solve(lane *a, lane *x, int n)
{
    lane trace = a[0];
    for (int i = 1; i < n; i++)
        trace += a[i * n + i];
    lane least = trace * PIVOT_SHARE + 1e-200;
    for (int j = 0; j < n; j++) {
        // what is left of column j becomes the pivot and L's column; x follows along
        lane inverse = 1 / lane_max(a[j * n + j], least);
        for (int i = j + 1; i < n; i++) {
            lane factor = a[i * n + j] * inverse;
            for (int k = j + 1; k <= i; k++)
                a[i * n + k] -= factor * a[k * n + j];
            x[i] -= factor * x[j];
        }
        for (int i = j + 1; i < n; i++)
            a[i * n + j] = a[i * n + j] * inverse;
        x[j] = x[j] * inverse;
    }
    for (int i = n - 1; i >= 0; i--)
        for (int k = i + 1; k < n; k++)
            x[i] -= a[k * n + i] * x[k];
}

#endif
