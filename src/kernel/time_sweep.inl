/*
 * time_sweep.inl - the sweep over time of time_sweep.h; vectors run along rows of a panel, and each
 * number is a sum in the same order at any width.
 */
#ifndef KERNEL_TIME_SWEEP_INL
#define KERNEL_TIME_SWEEP_INL

#include "kernel/time_sweep.h"
#include "simd/lane.h"

#include <stddef.h>
#include <string.h>

/* rows that are made together; four where no more are left */
enum { SWEEP_ROWS = KERNEL_SWEEP_ROUND };

/* what the factor's rows from `first` to before `last` count in each of a group of rows, by the
   group's columns in them */
LANE_SHARED void sweep_factors(const double *columns, int row, const double *inverses, int first,
                               int last, double (*by)[SWEEP_ROWS])
{
    for (int k = first; k < last; k++)
        for (int r = 0; r < SWEEP_ROWS; r += LANE_WIDTH)
            lane_store(by[k] + r, lane_load(columns + (size_t)k * (size_t)row + r) * inverses[k]);
}

/* a column of a group: `sums` less the products of the factor's rows */
LANE_INLINE void sweep_products(const double *column, int row, double (*by)[SWEEP_ROWS], int first,
                                int last, int count, lane sums[SWEEP_ROWS])
{
    lane a = sums[0], b = sums[1], c = sums[2], d = sums[3];
    lane e = sums[4], f = sums[5], g = sums[6], h = sums[7];
    for (int k = first; k < last; k++) {
        lane x = lane_load(column + (size_t)k * (size_t)row);
        a -= by[k][0] * x, b -= by[k][1] * x, c -= by[k][2] * x, d -= by[k][3] * x;
        if (count > 4)
            e -= by[k][4] * x, f -= by[k][5] * x, g -= by[k][6] * x, h -= by[k][7] * x;
    }
    sums[0] = a, sums[1] = b, sums[2] = c, sums[3] = d;
    sums[4] = e, sums[5] = f, sums[6] = g, sums[7] = h;
}

/* the same of what is in memory, NULL: nothing; `within`: and of the rows of the group itself,
   which then begins with row `last` of the factor */
LANE_SHARED void sweep_make(const double *from, int stride, double *into, int width,
                            const double *column, int row, double (*by)[SWEEP_ROWS], int first,
                            int last, int count, bool within)
{
    lane sums[SWEEP_ROWS];
#pragma GCC unroll 8
    for (int r = 0; r < SWEEP_ROWS; r++)
        sums[r] =
            from != NULL && r < count ? lane_load(from + (size_t)r * (size_t)stride) : lane_set(0);
    sweep_products(column, row, by, first, last, count, sums);
#pragma GCC unroll 8
    for (int r = 1; r < SWEEP_ROWS; r++)
#pragma GCC unroll 8
        for (int k = 0; k < r; k++)
            if (within && r < count)
                sums[r] -= by[last + k][r] * sums[k];
#pragma GCC unroll 8
    for (int r = 0; r < SWEEP_ROWS; r++)
        if (r < count)
            lane_store(into + (size_t)r * (size_t)width, sums[r]);
}

/* the first row of a panel that reaches into a column of the block of the frame after the next */
static inline int sweep_first(int column)
{
    return column / KERNEL_SWEEP_ROUND * KERNEL_SWEEP_ROUND;
}

/* the square of a group where the diagonal goes through it, with its pivots */
LANE_SHARED void sweep_pivot(int n, double *rows, int row, double *inverses, int i, int count,
                             double (*by)[SWEEP_ROWS])
{
    for (int r = 0; r < count; r++) {
        double *into = rows + (size_t)r * (size_t)row;
        for (int k = 0; k < r; k++) {
            const double *before = rows + (size_t)k * (size_t)row;
            by[k][r] = i + r < n ? before[r] * inverses[i + k] : 0;
            for (int c = r; c < SWEEP_ROWS; c++)
                into[c] -= by[k][r] * before[c];
        }
        if (i + r < n)
            inverses[i + r] = 1 / into[r];
    }
}

/* L D L^T of the frame's own block, with the rest of the panel, for a group of rows; row i reaches
   into the block of the frame after the next as far as its i-th column */
LANE_SHARED void sweep_factor(int n, double *panel, double *inverses, int i, int count)
{
    int padded = kernel_sweep_padded(n), row = kernel_sweep_row(padded);
    double by[KERNEL_SWEEP_MOST][SWEEP_ROWS], *rows = panel + (size_t)i * (size_t)row;
    sweep_factors(panel + i, row, inverses, 0, i, by);
    for (int c = i; c < i + SWEEP_ROWS; c += LANE_WIDTH)
        sweep_make(rows + c, row, rows + c, row, panel + c, row, by, 0, i, count, false);
    sweep_pivot(n, rows + i, row, inverses, i, count, by + i);
    for (int c = i + SWEEP_ROWS; c < 2 * padded + i + SWEEP_ROWS; c += LANE_WIDTH) {
        int first = c < 2 * padded ? 0 : sweep_first(c - 2 * padded);
        sweep_make(rows + c, row, rows + c, row, panel + c, row, by, first, i, count, true);
    }
    rows += 3 * padded;
    sweep_make(rows, row, rows, row, panel + 3 * padded, row, by, 0, i, count, true);
}

/* a group of rows of the next frame's panel */
LANE_SHARED void sweep_next(int n, const double *panel, const double *inverses,
                            const double *carried, double *next, int i, int count)
{
    int padded = kernel_sweep_padded(n), row = kernel_sweep_row(padded);
    int width = kernel_sweep_carried_row(padded);
    double by[KERNEL_SWEEP_MOST][SWEEP_ROWS];
    sweep_factors(panel + padded + i, row, inverses, 0, n, by);
    carried += (size_t)i * (size_t)width, next += (size_t)i * (size_t)row;
    for (int c = i; c < padded; c += LANE_WIDTH)
        sweep_make(carried + c, width, next + c, row, panel + padded + c, row, by, 0, n, count,
                   false);
    for (int c = 0; c < padded; c += LANE_WIDTH)
        sweep_make(NULL, 0, next + padded + c, row, panel + 2 * padded + c, row, by, sweep_first(c),
                   n, count, false);
    sweep_make(carried + padded, width, next + 3 * padded, row, panel + 3 * padded, row, by, 0, n,
               count, false);
}

/* the same of what is carried to the frame after the next */
LANE_SHARED void sweep_after(int n, const double *panel, const double *inverses, double *carried,
                             int i, int count)
{
    int padded = kernel_sweep_padded(n), row = kernel_sweep_row(padded);
    int width = kernel_sweep_carried_row(padded);
    double by[KERNEL_SWEEP_MOST][SWEEP_ROWS];
    panel += 2 * padded, carried += (size_t)i * (size_t)width;
    sweep_factors(panel + i, row, inverses, i, n, by);
    for (int c = i; c < padded; c += LANE_WIDTH)
        sweep_make(NULL, 0, carried + c, width, panel + c, row, by, sweep_first(c), n, count,
                   false);
    sweep_make(NULL, 0, carried + padded, width, panel + padded, row, by, i, n, count, false);
}

static void sweep_eliminate(int n, double *panel, double *inverses, double *carried, double *next)
{
    int whole = n % SWEEP_ROWS > 4 ? kernel_sweep_padded(n) : n / SWEEP_ROWS * SWEEP_ROWS;
    for (int i = 0; i < whole; i += SWEEP_ROWS)
        sweep_factor(n, panel, inverses, i, SWEEP_ROWS);
    if (whole < n)
        sweep_factor(n, panel, inverses, whole, 4);
    for (int i = 0; next != NULL && i < whole; i += SWEEP_ROWS)
        sweep_next(n, panel, inverses, carried, next, i, SWEEP_ROWS);
    if (next != NULL && whole < n)
        sweep_next(n, panel, inverses, carried, next, whole, 4);
    for (int i = 0; next != NULL && i < whole; i += SWEEP_ROWS)
        sweep_after(n, panel, inverses, carried, i, SWEEP_ROWS);
    if (next != NULL && whole < n)
        sweep_after(n, panel, inverses, carried, whole, 4);
}

/* sums[l] += the sum over columns l, l + 8 ... */
LANE_INLINE void sweep_dot(const double *row, const double *x, int from, int to,
                           double sums[KERNEL_SWEEP_ROUND])
{
    for (int l = 0; l < KERNEL_SWEEP_ROUND; l += LANE_WIDTH) {
        lane s = lane_load(sums + l);
        for (int c = from; c < to; c += KERNEL_SWEEP_ROUND)
            s += lane_load(row + c + l) * lane_load(x + c + l);
        lane_store(sums + l, s);
    }
}

static void sweep_back(int n, const double *panel, const double *inverses, const double *next,
                       const double *after, double *x)
{
    int padded = kernel_sweep_padded(n), row = kernel_sweep_row(padded);
    memset(x, 0, (size_t)padded * sizeof *x);
    for (int k = n - 1; k >= 0; k--) {
        const double *u = panel + (size_t)k * (size_t)row;
        double s[KERNEL_SWEEP_ROUND] = {0};
        int first = k / KERNEL_SWEEP_ROUND * KERNEL_SWEEP_ROUND;
        sweep_dot(u, x, first, padded, s);
        sweep_dot(u + padded, next, 0, padded, s);
        sweep_dot(u + 2 * padded, after, 0, first + KERNEL_SWEEP_ROUND, s);
        double sum = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
        x[k] = (u[3 * padded] - sum) * inverses[k];
    }
}

extern const kernel_sweep_ops KERNEL_NAME(sweep);

const kernel_sweep_ops KERNEL_NAME(sweep) = {
    .width = LANE_WIDTH, .eliminate = sweep_eliminate, .back = sweep_back};

#endif
