/*
 * test_dense.c - LU, LDL^T and singular values against what defines them: products
 * that give the matrix back, residuals, orthogonality.
 *
 * Tolerances are 1e-14 relative to the sizes involved: some fifty rounding units,
 * for sums of at most thirty terms.
 */
#include "math/dense.h"

#include <limber/math.h>

#include "support.h"

enum { MOST = 30, ROUNDS = 300 };

static const double tolerance = 1e-14;

/* ---- matrices ------------------------------------------------------------- */

static void random_matrix(lb_random *random, int count, double *a)
{
    for (int i = 0; i < count; i++)
        a[i] = lb_random_between(random, -1, 1);
}

/* out = a b, of sizes rows x inner and inner x columns */
static void multiply(int rows, int inner, int columns, const double *a, const double *b,
                     double *out)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            out[i * columns + j] = 0;
            for (int k = 0; k < inner; k++)
                out[i * columns + j] += a[i * inner + k] * b[k * columns + j];
        }
}

static void transpose(int rows, int columns, const double *a, double *out)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            out[j * rows + i] = a[i * columns + j];
}

static double greatest(int count, const double *a)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(a[i]));
    return most;
}

static void hilbert(int n, double *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] = 1.0 / (i + j + 1);
}

/* |a x - b| against the sizes of its terms */
static void check_residual(int n, const double *a, const double *x, const double *b)
{
    double product[MOST];
    multiply(n, n, 1, a, x, product);
    double size = n * greatest(n * n, a) * greatest(n, x) + greatest(n, b);
    for (int i = 0; i < n; i++)
        assert_near(product[i] / size, b[i] / size, tolerance);
}

/* ---- LU ------------------------------------------------------------------- */

TEST(test_lu_solves)
{
    lb_random random = test_seed(11);
    for (int round = 0; round < ROUNDS; round++) {
        int n = 1 + test_random_index(&random, 12), pivots[MOST];
        double a[MOST * MOST], lu[MOST * MOST], b[MOST], x[MOST];
        random_matrix(&random, n * n, a);
        random_matrix(&random, n, b);
        memcpy(lu, a, sizeof a);
        memcpy(x, b, sizeof b);
        double least = dense_lu_factor(n, lu, pivots);
        assert_true(0 < least && least <= 1);
        dense_lu_solve(n, lu, pivots, x);
        check_residual(n, a, x, b);
    }
}

/* the same system in any unit: sizes alone make nothing singular */
TEST(test_lu_scales)
{
    static const double a[9] = {0, 2, 1, 1, 1, 0, 3, 0, 1};
    static const double units[] = {1e-300, 1e-100, 1, 1e100, 1e300};
    for (int k = 0; k < 5; k++) {
        double lu[9], x[3] = {7 * units[k], 3 * units[k], 6 * units[k]};
        int pivots[3];
        for (int i = 0; i < 9; i++)
            lu[i] = a[i] * units[k];
        assert_true(dense_lu_factor(3, lu, pivots) > 0.1);
        dense_lu_solve(3, lu, pivots, x);
        assert_near(x[0], 1, tolerance);
        assert_near(x[1], 2, tolerance);
        assert_near(x[2], 3, tolerance);
    }
}

TEST(test_lu_names_singular)
{
    int pivots[6];

    // no pivot at all
    double zero[4] = {0}, column[4] = {0, 1, 0, 2}, none[4] = {1, 2, NAN, 4};
    assert_true(dense_lu_factor(2, zero, pivots) == 0);
    assert_true(dense_lu_factor(2, column, pivots) == 0);
    assert_true(dense_lu_factor(2, none, pivots) == 0);

    // nothing but rounding left for the last one
    double dependent[9] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
    assert_true(dense_lu_factor(3, dependent, pivots) < 1e-15);

    // a permutation is as regular as can be, Hilbert's matrix is bad but not singular
    double permutation[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0}, bad[36];
    assert_true(dense_lu_factor(3, permutation, pivots) == 1);
    hilbert(6, bad);
    double least = dense_lu_factor(6, bad, pivots);
    assert_true(1e-9 < least && least < 1e-4);
}

/* ---- LDL^T ---------------------------------------------------------------- */

/* a = b b^T for b of n x inner numbers; NaN above the diagonal of `lower`, not to be read */
static void gram_matrix(int n, int inner, const double *b, double *a, double *lower)
{
    double bt[MOST * MOST] = {0};
    transpose(n, inner, b, bt);
    multiply(n, inner, n, b, bt, a);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            lower[i * n + j] = j <= i ? a[i * n + j] : NAN;
}

TEST(test_ldl_solves)
{
    lb_random random = test_seed(12);
    for (int round = 0; round < ROUNDS; round++) {
        int n = 1 + test_random_index(&random, 12);
        double factor[MOST * MOST], a[MOST * MOST], ldl[MOST * MOST], b[MOST], x[MOST];
        random_matrix(&random, n * 2 * n, factor);
        gram_matrix(n, 2 * n, factor, a, ldl);
        random_matrix(&random, n, b);
        memcpy(x, b, sizeof b);
        double least = dense_ldl_factor(n, ldl);
        assert_true(0 < least && least <= 1);
        dense_ldl_solve(n, ldl, x);
        check_residual(n, a, x, b);
    }
}

TEST(test_ldl_names_singular)
{
    double indefinite[4] = {1, 0, 2, 1}, negative[1] = {-1}, zero[4] = {0};
    double late[9] = {1, 0, 0, 0, NAN, 0, 0, 0, 1};
    assert_true(dense_ldl_factor(2, indefinite) == 0);
    assert_true(dense_ldl_factor(1, negative) == 0);
    assert_true(dense_ldl_factor(2, zero) == 0);
    assert_true(dense_ldl_factor(3, late) == 0);

    // n - 1 independent rows and one more: nothing but rounding is left for it
    lb_random random = test_seed(13);
    for (int round = 0; round < ROUNDS; round++) {
        int n = 2 + test_random_index(&random, 8);
        double factor[MOST * MOST], a[MOST * MOST], ldl[MOST * MOST];
        random_matrix(&random, n * (n - 1), factor);
        for (int i = 0; i < n - 1; i++)
            factor[i * (n - 1) + i] += n;
        gram_matrix(n, n - 1, factor, a, ldl);
        assert_true(dense_ldl_factor(n, ldl) < tolerance);
    }
}

/* rows in very different units: the result sees that they are independent */
TEST(test_ldl_ignores_units)
{
    double a[9] = {1, 0, 0, 1e-100, 2e-200, 0, 1e100, 0, 3e200};
    assert_near(dense_ldl_factor(3, a), 1.0 / 3, tolerance);
}

/* ---- singular values ------------------------------------------------------ */

/* one set of k vectors of n numbers: of length one and at right angles */
static void check_orthonormal(int k, int n, const double *vectors)
{
    for (int i = 0; i < k; i++)
        for (int j = 0; j <= i; j++) {
            double product = 0;
            for (int m = 0; m < n; m++)
                product += vectors[i * n + m] * vectors[j * n + m];
            assert_near(product, i == j, n * tolerance);
        }
}

/* all that dense_svd promises; returns the values */
static void check_svd(int rows, int columns, const double *a, double *values)
{
    double left[MOST * MOST], right[MOST * MOST];
    int k = rows < columns ? rows : columns;
    assert_true(dense_svd(rows, columns, a, left, values, right));
    check_orthonormal(k, rows, left);
    check_orthonormal(k, columns, right);
    for (int i = 0; i < k; i++)
        assert_true(values[i] >= 0 && (i == 0 || values[i] <= values[i - 1]));

    // the sum of the parts is the matrix
    double size = k > 0 && values[0] > 0 ? values[0] : 1;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double sum = 0;
            for (int m = 0; m < k; m++)
                sum += values[m] / size * left[m * rows + i] * right[m * columns + j];
            assert_near(sum, a[i * columns + j] / size, 3 * tolerance);
        }
}

TEST(test_svd_shapes)
{
    lb_random random = test_seed(14);
    double a[MOST * MOST], at[MOST * MOST], values[MOST], transposed[MOST];
    for (int rows = 1; rows <= 9; rows++)
        for (int columns = 1; columns <= MOST; columns += columns < 9 ? 1 : 7) {
            random_matrix(&random, rows * columns, a);
            check_svd(rows, columns, a, values);
            transpose(rows, columns, a, at);
            check_svd(columns, rows, at, transposed);
            for (int i = 0; i < rows && i < columns; i++)
                assert_near(transposed[i], values[i], tolerance * values[0]);
        }
}

/* products of thin matrices: the values after the rank are rounding, the vectors still sound */
TEST(test_svd_ranks)
{
    lb_random random = test_seed(15);
    for (int rank = 0; rank < 6; rank++)
        for (int round = 0; round < 20; round++) {
            double thin[MOST * MOST], flat[MOST * MOST], a[MOST * MOST], values[MOST];
            int columns = 6 + test_random_index(&random, 8);
            random_matrix(&random, 6 * rank, thin);
            random_matrix(&random, rank * columns, flat);
            multiply(6, rank, columns, thin, flat, a);
            check_svd(6, columns, a, values);
            for (int i = 0; i < 6; i++)
                assert_true(i < rank ? values[i] > 1e-6 : values[i] <= tolerance * values[0]);
        }
}

/* values that are known, some of them zero to the last bit */
TEST(test_svd_known)
{
    double values[6];
    static const double diagonal[12] = {0, -3, 0, 0, 5, 0, 0, 0, 0, 0, 0, 2};
    check_svd(3, 4, diagonal, values);
    assert_true(values[0] == 5 && values[1] == 3 && values[2] == 2);

    static const double zero[6] = {0};
    check_svd(2, 3, zero, values);
    assert_true(values[0] == 0 && values[1] == 0);
    check_svd(3, 2, zero, values);

    static const double repeated[4] = {3, 3, 3, 3};
    check_svd(2, 2, repeated, values);
    assert_near(values[0], 6, tolerance);
    assert_true(values[1] == 0);

    // the condition of Hilbert's matrix of five rows, Golub & Van Loan's favourite bad example
    double bad[25];
    hilbert(5, bad);
    check_svd(5, 5, bad, values);
    assert_near(dense_condition(5, values), 476607.250242, 1e-4);
}

/* Demmel and Veselic: rows of any size leave small values relatively exact */
TEST(test_svd_graded)
{
    lb_random random = test_seed(16);
    for (int round = 0; round < ROUNDS; round++) {
        double a[16], lu[16], values[4];
        int pivots[4];
        random_matrix(&random, 16, a);
        for (int i = 0; i < 16; i++)
            lu[i] = a[i];

        // the product of the values is the determinant, with rows scaled and without
        double determinant = dense_lu_factor(4, lu, pivots) > 1e-3 ? 1 : 0;
        if (determinant == 0)
            continue;
        for (int i = 0; i < 4; i++)
            determinant *= fabs(lu[i * 5]);
        for (int i = 0; i < 16; i++)
            a[i] = ldexp(a[i], -30 * (i / 4));
        check_svd(4, 4, a, values);
        double product = ldexp(values[0] * values[1] * values[2] * values[3], 30 * 6);
        assert_near(product / determinant, 1, 1e-11);
    }
}

/* a power of two is a change of unit: it changes no bit of the vectors, and values exactly */
TEST(test_svd_units)
{
    lb_random random = test_seed(17);
    double a[12], values[3], scaled[12], scaled_values[3];
    double left[9], right[12], scaled_left[9], scaled_right[12];
    random_matrix(&random, 12, a);
    assert_true(dense_svd(3, 4, a, left, values, right));
    static const int exponents[] = {-900, -40, 1, 1020};
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 12; i++)
            scaled[i] = ldexp(a[i], exponents[k]);
        assert_true(dense_svd(3, 4, scaled, scaled_left, scaled_values, scaled_right));
        for (int i = 0; i < 3; i++)
            assert_true(scaled_values[i] == ldexp(values[i], exponents[k]));
        assert_memory_equal(left, scaled_left, sizeof left);
        assert_memory_equal(right, scaled_right, sizeof right);
    }
}

/* entries from the least double to the greatest in one matrix */
TEST(test_svd_extremes)
{
    double values[3];
    static const double wild[9] = {1e300, 1, 1e-300, 1e-300, 1e300, 1, 5e-324, 1e-160, 1e-150};
    check_svd(3, 3, wild, values);
    static const double least[4] = {5e-324, 0, 0, 1e-323};
    check_svd(2, 2, least, values);
    assert_true(values[0] == 1e-323 && values[1] == 5e-324);
}

TEST(test_svd_refuses)
{
    static const double none[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        double a[6] = {1, 2, 3, 4, none[k], 6}, left[4], values[2] = {0}, right[6];
        assert_false(dense_svd(2, 3, a, left, values, right));
        assert_true(isnan(values[0]) && isnan(values[1]));
    }
}

TEST(test_condition)
{
    static const double regular[3] = {6, 3, 2}, singular[2] = {1, 0}, zero[1] = {0};
    assert_true(dense_condition(3, regular) == 3);
    assert_true(isinf(dense_condition(2, singular)));
    assert_true(isinf(dense_condition(1, zero)));
    assert_true(dense_condition(0, regular) == 1);
}
