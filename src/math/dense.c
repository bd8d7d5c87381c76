/*
 * dense.c - small dense linear algebra: LU, LDL^T and singular values.
 *
 * Sources: Golub & Van Loan, "Matrix Computations", 3.4 (LU with partial
 * pivoting), 4.1 (LDL^T); Hestenes, "Inversion of matrices by biorthogonalization
 * and related results", J. SIAM 6 (1958), the one-sided Jacobi method, whose small
 * singular values are relatively exact (Demmel & Veselic, SIMAX 13, 1992).
 */
#include "math/dense.h"

#include <float.h>
#include <math.h>

/* ---- rows --------------------------------------------------------------- */

static void swap_rows(int n, double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double kept = x[i];
        x[i] = y[i];
        y[i] = kept;
    }
}

/* x += factor * y */
static void add_row(int n, double *x, double factor, const double *y)
{
    for (int i = 0; i < n; i++)
        x[i] += factor * y[i];
}

/* the largest magnitude of n numbers, or one that is not finite */
static double greatest(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i]))
            return x[i];
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* ---- LU ----------------------------------------------------------------- */

static int find_pivot(int n, const double *a, int column)
{
    int best = column;
    for (int row = column + 1; row < n; row++)
        if (fabs(a[row * n + column]) > fabs(a[best * n + column]))
            best = row;
    return best;
}

double dense_lu_factor(int n, double *a, int *pivots)
{
    double scale = greatest(n * n, a), least = 1;
    if (!isfinite(scale))
        return 0;
    for (int k = 0; k < n; k++) {
        // the largest remaining entry of the column moves to the diagonal
        pivots[k] = find_pivot(n, a, k);
        if (pivots[k] != k)
            swap_rows(n, &a[k * n], &a[pivots[k] * n]);
        double pivot = a[k * n + k], part = fabs(pivot) / scale;
        if (!(part > 0) || !isfinite(part))
            return 0;
        least = fmin(least, part);

        // and eliminates the column below it; the factors stay there as L
        for (int row = k + 1; row < n; row++) {
            double factor = a[row * n + k] / pivot;
            a[row * n + k] = factor;
            add_row(n - k - 1, &a[row * n + k + 1], -factor, &a[k * n + k + 1]);
        }
    }
    return least;
}

void dense_lu_solve(int n, const double *lu, const int *pivots, double *b)
{
    // L y = P b, then U x = y
    for (int k = 0; k < n; k++)
        swap_rows(1, &b[k], &b[pivots[k]]);
    for (int k = 0; k < n; k++)
        b[k] -= dense_dot(k, &lu[k * n], b);
    for (int k = n - 1; k >= 0; k--)
        b[k] = (b[k] - dense_dot(n - k - 1, &lu[k * n + k + 1], &b[k + 1])) / lu[k * n + k];
}

/* ---- LDL^T -------------------------------------------------------------- */

/*
 * Row i of L D from row i of a, after elimination of the earlier rows. Returns D[i]; row i of L
 * replaces the row.
 */
static double ldl_row(int n, double *a, int i)
{
    double *row = &a[i * n];
    for (int j = 0; j < i; j++)
        row[j] -= dense_dot(j, row, &a[j * n]);
    double d = row[i];
    for (int j = 0; j < i; j++) {
        double scaled = row[j];
        row[j] /= a[j * n + j];
        d -= scaled * row[j];
    }
    return d;
}

double dense_ldl_factor(int n, double *a)
{
    double least = 1;
    for (int i = 0; i < n; i++) {
        double diagonal = a[i * n + i];
        double d = ldl_row(n, a, i);
        if (!(d > 0) || !isfinite(d))
            return 0;
        a[i * n + i] = d;
        least = fmin(least, d / diagonal);
    }
    return least;
}

void dense_ldl_solve(int n, const double *ldl, double *b)
{
    // L y = b, D z = y, L^T x = z
    for (int i = 0; i < n; i++)
        b[i] -= dense_dot(i, &ldl[i * n], b);
    for (int i = 0; i < n; i++)
        b[i] /= ldl[i * n + i];
    for (int i = n - 1; i > 0; i--)
        add_row(i, b, -b[i], &ldl[i * n]);
}

/* ---- singular values ---------------------------------------------------- */

/*
 * k vectors of `length` numbers that are rotated until they are orthogonal, and the rotation so
 * far, as k more vectors of k numbers.
 */
typedef struct jacobi {
    int k, length;
    double *vectors, *turn;
} jacobi;

/*
 * rounds over all pairs, at most: Jacobians take 5 to 8, sixty rows 11; the loop must end for any
 * matrix
 */
enum { SWEEPS = 40 };

/* rotates x and y in their plane */
static void rotate(int n, double *x, double *y, double cosine, double sine)
{
    for (int i = 0; i < n; i++) {
        double turned = cosine * x[i] - sine * y[i];
        y[i] = sine * x[i] + cosine * y[i];
        x[i] = turned;
    }
}

/* makes vectors i and j orthogonal; false when they are already, to rounding */
static bool jacobi_turn(const jacobi *m, int i, int j)
{
    double *x = &m->vectors[i * m->length], *y = &m->vectors[j * m->length];
    double xx = dense_dot(m->length, x, x), yy = dense_dot(m->length, y, y),
           xy = dense_dot(m->length, x, y);

    // each term of a product may add half an epsilon, and so may each term of the rotation
    if (fabs(xy) <= m->length * 2 * DBL_EPSILON * sqrt(xx) * sqrt(yy))
        return false;

    // the smaller of the two angles whose rotation makes x y zero, by its tangent
    double cotangent = (yy - xx) / (2 * xy);
    double tangent = 1 / (fabs(cotangent) + sqrt(1 + cotangent * cotangent));
    tangent = cotangent < 0 ? -tangent : tangent;
    double cosine = 1 / sqrt(1 + tangent * tangent), sine = cosine * tangent;
    rotate(m->length, x, y, cosine, sine);
    rotate(m->k, &m->turn[i * m->k], &m->turn[j * m->k], cosine, sine);
    return true;
}

static void jacobi_orthogonalize(const jacobi *m)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool turned = false;
        for (int i = 0; i < m->k; i++)
            for (int j = i + 1; j < m->k; j++)
                turned |= jacobi_turn(m, i, j);
        if (!turned)
            return;
    }
}

/* the largest value first, equal ones in the order of the rows */
static void jacobi_sort(const jacobi *m, double *values)
{
    for (int i = 1; i < m->k; i++)
        for (int j = i; j > 0 && values[j] > values[j - 1]; j--) {
            swap_rows(1, &values[j], &values[j - 1]);
            swap_rows(m->length, &m->vectors[j * m->length], &m->vectors[(j - 1) * m->length]);
            swap_rows(m->k, &m->turn[j * m->k], &m->turn[(j - 1) * m->k]);
        }
}

/*
 * A unit vector orthogonal to the vectors before it, from the first axis with a large enough part
 * outside them: some axis has at least 1 - count/length, which is at least 1/length, of its square
 * there.
 */
static void jacobi_complete(const jacobi *m, int count)
{
    int n = m->length;
    double *x = &m->vectors[count * n];
    for (int axis = 0; axis < n; axis++) {
        for (int i = 0; i < n; i++)
            x[i] = i == axis;
        for (int again = 0; again < 2; again++)
            for (int i = 0; i < count; i++)
                add_row(n, x, -dense_dot(n, x, &m->vectors[i * n]), &m->vectors[i * n]);
        double square = dense_dot(n, x, x);
        if (2 * n * square >= 1) {
            for (int i = 0; i < n; i++)
                x[i] /= sqrt(square);
            return;
        }
    }
}

/* lengths become the values, in order, and the vectors are normalized */
static void jacobi_finish(const jacobi *m, double *values)
{
    for (int i = 0; i < m->k; i++) {
        double *x = &m->vectors[i * m->length];
        values[i] = sqrt(dense_dot(m->length, x, x));
    }
    jacobi_sort(m, values);
    for (int i = 0; i < m->k; i++) {
        double *x = &m->vectors[i * m->length];

        // beside entries near 1, such a vector is zero: the square of its cotangent overflows
        if (values[i] < 1e-130) {
            values[i] = 0;
            jacobi_complete(m, i);
            continue;
        }
        for (int j = 0; j < m->length; j++)
            x[j] /= values[i];
    }
}

bool dense_svd(int rows, int columns, const double *a, double *left, double *values, double *right)
{
    bool wide = rows <= columns;
    jacobi m = {.k = wide ? rows : columns,
                .length = wide ? columns : rows,
                .vectors = wide ? right : left,
                .turn = wide ? left : right};

    double most = greatest(rows * columns, a);
    if (!isfinite(most)) {
        for (int i = 0; i < m.k; i++)
            values[i] = NAN;
        return false;
    }

    // the rows, or the columns if they are fewer, scaled by a power of two so that squares fit
    int exponent;
    frexp(most, &exponent);
    for (int i = 0; i < m.k; i++)
        for (int j = 0; j < m.length; j++)
            m.vectors[i * m.length + j] =
                ldexp(wide ? a[i * columns + j] : a[j * columns + i], -exponent);
    for (int i = 0; i < m.k * m.k; i++)
        m.turn[i] = i % (m.k + 1) == 0;

    jacobi_orthogonalize(&m);
    jacobi_finish(&m, values);
    for (int i = 0; i < m.k; i++)
        values[i] = ldexp(values[i], exponent);
    return true;
}

double dense_condition(int k, const double *values)
{
    if (k == 0)
        return 1;
    return values[k - 1] > 0 ? values[0] / values[k - 1] : INFINITY;
}
