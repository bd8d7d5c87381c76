/*
 * general_matrix.inl - determinants and null vectors of a resultant, one angle a lane.
 *
 * A pair of rows of M taken as one complex row has h = (g1 - i g2) / 2 in the column
 * cos(3y/2) and i h in the column sin(3y/2). Complex Householder reflections of the n
 * columns h therefore clear 2n real columns at once, without a pivot to look for, and
 * leave a real matrix of half the size in the columns cos(y/2) and sin(y/2).
 */
#ifndef KERNEL_GENERAL_MATRIX_INL
#define KERNEL_GENERAL_MATRIX_INL

#include "kernel/general.h"
#include "simd/complex.inl"

/* complex rows; the last 2n columns are those of cos(y/2), and of sin(y/2) divided by i */
typedef struct general_rows {
    complex_lane at[2 * GENERAL_MAX_ORDER][3 * GENERAL_MAX_ORDER];
} general_rows;

/* half of M, or what is left of it */
typedef struct general_half {
    lane at[2 * GENERAL_MAX_ORDER][2 * GENERAL_MAX_ORDER];
} general_half;

LANE_INLINE void rows_at(const kernel_resultant *resultant, int n, lane cosine, lane sine,
                         general_rows *m)
{
    for (int r = 0; r < 2 * n; r++) {
        for (int j = 0; j < n; j++) {
            lane g[3];
            for (int i = 0; i < 3; i++)
                g[i] = lane_set(resultant->part[0][r][i][j]) +
                       cosine * resultant->part[1][r][i][j] + sine * resultant->part[2][r][i][j];
            lane re = g[1] * 0.5, im = g[2] * 0.5;
            m->at[r][j] = (complex_lane){re, -im};
            m->at[r][n + j] = (complex_lane){g[0] + re, im};
            m->at[r][2 * n + j] = (complex_lane){g[0] - re, -im};
        }
    }
}

/* reflects rows k.. so that column k is zero below row k; returns the squared length it had */
LANE_SHARED lane rows_reflect(general_rows *m, int n, int k)
{
    // v = column + its first number's phase * its length
    complex_lane v[2 * GENERAL_MAX_ORDER];
    lane square = lane_set(0);
    for (int r = k; r < 2 * n; r++) {
        v[r] = m->at[r][k];
        square += v[r].re * v[r].re + v[r].im * v[r].im;
    }
    lane size = lane_sqrt(v[k].re * v[k].re + v[k].im * v[k].im), length = lane_sqrt(square);
    lane_mask zero = lane_le(size, lane_set(0));
    lane grown = 1 + length / lane_select(zero, lane_set(1), size);
    v[k].re = lane_select(zero, length, v[k].re * grown);
    v[k].im = v[k].im * grown;
    lane divisor = square + size * length;
    lane_mask none = lane_le(divisor, lane_set(0));
    lane factor = lane_keep(mask_not(none), 1 / lane_select(none, lane_set(1), divisor));

    // the rows above n are not needed any more: only what is below row k is updated
    for (int j = k + 1; j < 3 * n; j++) {
        lane re = lane_set(0), im = lane_set(0);
        for (int r = k; r < 2 * n; r++) {
            re += v[r].re * m->at[r][j].re + v[r].im * m->at[r][j].im;
            im += v[r].re * m->at[r][j].im - v[r].im * m->at[r][j].re;
        }
        re = re * factor;
        im = im * factor;
        for (int r = k + 1; r < 2 * n; r++) {
            m->at[r][j].re -= v[r].re * re - v[r].im * im;
            m->at[r][j].im -= v[r].re * im + v[r].im * re;
        }
    }
    return square;
}

/* M reduced to half its size; returns the determinant of what was taken away */
LANE_SHARED lane half_at(const kernel_resultant *resultant, int n, lane cosine, lane sine,
                         general_half *half)
{
    general_rows m;
    rows_at(resultant, n, cosine, sine, &m);
    lane determinant = lane_set(1);
    for (int k = 0; k < n; k++)
        determinant = determinant * rows_reflect(&m, n, k);
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < n; j++) {
            half->at[2 * r][j] = m.at[n + r][n + j].re;
            half->at[2 * r + 1][j] = m.at[n + r][n + j].im;
            half->at[2 * r][n + j] = -m.at[n + r][2 * n + j].im;
            half->at[2 * r + 1][n + j] = m.at[n + r][2 * n + j].re;
        }
    }
    return determinant;
}

/* a and b exchanged where the mask says so */
LANE_INLINE void lane_exchange(lane_mask mask, lane *a, lane *b)
{
    lane kept = *a;
    *a = lane_select(mask, *b, kept);
    *b = lane_select(mask, kept, *b);
}

/* Gaussian elimination of column k below row k */
LANE_SHARED void half_eliminate(general_half *half, int size, int k)
{
    lane pivot = half->at[k][k];
    lane_mask zero = lane_eq(pivot, lane_set(0));
    lane inverse = 1 / lane_select(zero, lane_set(1), pivot);
    for (int r = k + 1; r < size; r++) {
        lane factor = half->at[r][k] * inverse;
        for (int j = k + 1; j < size; j++)
            half->at[r][j] -= factor * half->at[k][j];
    }
}

LANE_INLINE lane half_determinant(general_half *half, int size)
{
    lane determinant = lane_set(1);
    for (int k = 0; k < size; k++) {
        // the greatest number of the column rises to row k, from below step by step
        for (int r = size - 1; r > k; r--) {
            lane_mask greater = lane_gt(lane_abs(half->at[r][k]), lane_abs(half->at[r - 1][k]));
            for (int j = k; j < size; j++)
                lane_exchange(greater, &half->at[r][j], &half->at[r - 1][j]);
            determinant = lane_select(greater, -determinant, determinant);
        }
        determinant = determinant * half->at[k][k];
        half_eliminate(half, size, k);
    }
    return determinant;
}

LANE_INLINE void determinants_of(const kernel_resultant *resultant, int n, const double *cosines,
                                 const double *sines, double *values)
{
    general_half half;
    lane first = half_at(resultant, n, lane_load(cosines), lane_load(sines), &half);
    lane_store(values, first * half_determinant(&half, 2 * n));
}

/* columns j > k moved so that the greatest number of rows and columns k.. is in column k */
LANE_INLINE void half_pivot_column(general_half *half, lane *order, int size, int k)
{
    lane greatest[2 * GENERAL_MAX_ORDER];
    for (int j = k; j < size; j++) {
        greatest[j] = lane_set(0);
        for (int r = k; r < size; r++)
            greatest[j] = lane_max(greatest[j], lane_abs(half->at[r][j]));
    }
    for (int j = size - 1; j > k; j--) {
        lane_mask greater = lane_gt(greatest[j], greatest[j - 1]);
        lane_exchange(greater, &greatest[j], &greatest[j - 1]);
        lane_exchange(greater, &order[j], &order[j - 1]);
        for (int r = 0; r < size; r++)
            lane_exchange(greater, &half->at[r][j], &half->at[r][j - 1]);
    }
}

LANE_INLINE void half_pivot_row(general_half *half, int size, int k)
{
    for (int r = size - 1; r > k; r--) {
        lane_mask greater = lane_gt(lane_abs(half->at[r][k]), lane_abs(half->at[r - 1][k]));
        for (int j = k; j < size; j++)
            lane_exchange(greater, &half->at[r][j], &half->at[r - 1][j]);
    }
}

/* a null vector of the triangular rows 0..rank-1 whose number at `free` is 1, unit, in order */
LANE_SHARED void half_null(const general_half *half, const lane *order, int size, int rank,
                           int free, lane *out)
{
    lane x[2 * GENERAL_MAX_ORDER];
    for (int j = 0; j < size; j++)
        x[j] = lane_set(j == free);
    lane square = lane_set(1);
    for (int k = rank - 1; k >= 0; k--) {
        lane sum = lane_set(0);
        for (int j = k + 1; j < size; j++)
            sum += half->at[k][j] * x[j];
        lane_mask zero = lane_eq(half->at[k][k], lane_set(0));
        x[k] = -sum / lane_select(zero, lane_set(1), half->at[k][k]);
        square += x[k] * x[k];
    }
    lane scale = 1 / lane_sqrt(square);
    for (int i = 0; i < size; i++) {
        out[i] = lane_set(0);
        for (int j = 0; j < size; j++)
            out[i] = lane_select(lane_eq(order[j], lane_set(i)), x[j] * scale, out[i]);
    }
}

/* null vectors by elimination with complete pivoting */
LANE_INLINE void nulls_of(const kernel_resultant *resultant, int n, const double *angles,
                          kernel_null *nulls, int count)
{
    lane cosine, sine, order[2 * GENERAL_MAX_ORDER], out[2 * GENERAL_MAX_ORDER];
    lane_sincos(lane_load(angles), &sine, &cosine);
    general_half half;
    lane scale = lane_abs(half_at(resultant, n, cosine, sine, &half));
    const int size = 2 * n;
    for (int j = 0; j < size; j++)
        order[j] = lane_set(j);
    for (int k = 0; k < size - 1; k++) {
        half_pivot_column(&half, order, size, k);
        half_pivot_row(&half, size, k);
        if (k < size - 2)
            half_eliminate(&half, size, k);
    }
    lane first = lane_max(lane_abs(half.at[0][0]), lane_set(DBL_MIN));
    lane gap = lane_abs(half.at[size - 2][size - 2]) / first;
    lane plane_gap = lane_abs(half.at[size - 3][size - 3]) / first;
    // the last four numbers are not greater than the first of them
    scale = scale * first * first;
    for (int k = 0; k < size - 2; k++)
        scale = scale * lane_abs(half.at[k][k]);

    half_null(&half, order, size, size - 2, size - 2, out);
    for (int l = 0; l < count; l++) {
        for (int i = 0; i < size; i++)
            nulls[l].second[i] = lane_get(&out[i], l);
        nulls[l].gap = lane_get(&gap, l);
        nulls[l].plane_gap = lane_get(&plane_gap, l);
        nulls[l].scale = lane_get(&scale, l);
    }
    half_null(&half, order, size, size - 1, size - 1, out);
    for (int l = 0; l < count; l++)
        for (int i = 0; i < size; i++)
            nulls[l].first[i] = lane_get(&out[i], l);
}

#endif
