/*
 * dense.h - small dense linear algebra: LU, LDL^T and singular values.
 *
 * For matrices of a few dozen rows, as Jacobians are. All are row major without
 * gaps, in memory of the caller; nothing is allocated. Only + - * / and sqrt in
 * a fixed order, so that the bits are the same everywhere. Sizes may be zero.
 */
#ifndef LIMBER_DENSE_H
#define LIMBER_DENSE_H

#include <stdbool.h>

/* The sum of the products of n numbers. */
static inline double dense_dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* ---- LU: any square system ---------------------------------------------- */

/*
 * Factors the n x n matrix `a` in place, P a = L U with partial pivoting; pivots[0..n) are the rows
 * that each was exchanged with. Returns the smallest pivot as a share of the largest entry of `a`:
 * near 1 for well-posed systems, near the rounding unit 1e-16 for singular ones, exactly 0 (`a` is
 * then incomplete and cannot be solved with) when a pivot is zero or a number is not finite.
 */
double dense_lu_factor(int n, double *a, int *pivots);
/* Solves a x = b with what dense_lu_factor made; b becomes x. */
void dense_lu_solve(int n, const double *lu, const int *pivots, double *b);

/* ---- LDL^T: symmetric positive definite systems ------------------------- */

/*
 * Factors the symmetric n x n matrix `a` in place, a = L D L^T without square roots. Only the lower
 * triangle is read and written; D is on the diagonal, L (with ones on its own) below. Returns the
 * smallest D[i] / a[i][i]: the part of row i that is independent of the rows above it, in (0, 1];
 * exactly 0 (`a` is then incomplete) when `a` is not positive definite or not finite.
 */
double dense_ldl_factor(int n, double *a);
/* Solves a x = b with what dense_ldl_factor made; b becomes x. */
void dense_ldl_solve(int n, const double *ldl, double *b);

/* ---- singular values ---------------------------------------------------- */

/*
 * a = sum over i < k of values[i] * left_i * right_i^T, with k = min(rows, columns) and values[0]
 * >= values[1] >= ... >= 0. The vectors are consecutive: left_i is left[i * rows ..], right_i is
 * right[i * columns ..]; both are orthonormal sets even where values are zero. `a` is not changed;
 * `left` takes k * rows numbers, `right` k * columns, `values` k; none may overlap. Small values
 * are as accurate relatively as `a` allows. Returns false, with all values NaN and vectors unset,
 * when a number in `a` is not finite.
 */
bool dense_svd(int rows, int columns, const double *a, double *left, double *values, double *right);
/* values[0] / values[k - 1]: INFINITY when the last is zero, 1 when there are none. */
double dense_condition(int k, const double *values);

#endif
