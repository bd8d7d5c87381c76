/*
 * time_sweep.inl - the sweep over time of time_sweep.h; vectors run along rows of a panel, and each
 * number is a sum in the same order at any width.
 */
#ifndef KERNEL_TIME_SWEEP_INL
#define KERNEL_TIME_SWEEP_INL

#include "kernel/time_sweep.h"
#include "simd/lane.h"

#include <string.h>

/* rows of what is carried that are made together */
enum { SWEEP_ROWS = 4 };

/* columns of a row less the products of the rows before it, from `first` on */
LANE_INLINE void sweep_reduce(double *into, const double *panel, int row, const double *by,
                              int first, int count, int column)
{
    lane sum = lane_load(into + column);
    for (int k = first; k < count; k++)
        sum -= lane_set(by[k]) * lane_load(panel + (size_t)k * (size_t)row + column);
    lane_store(into + column, sum);
}

/* the same of four vectors, whose sums do not wait for each other */
LANE_INLINE void sweep_reduce_four(double *into, const double *panel, int row, const double *by,
                                   int first, int count, int column)
{
    lane a = lane_load(into + column), b = lane_load(into + column + LANE_WIDTH),
         c = lane_load(into + column + 2 * LANE_WIDTH),
         d = lane_load(into + column + 3 * LANE_WIDTH);
    for (int k = first; k < count; k++) {
        const double *from = panel + (size_t)k * (size_t)row + column;
        lane w = lane_set(by[k]);
        a -= w * lane_load(from);
        b -= w * lane_load(from + LANE_WIDTH);
        c -= w * lane_load(from + 2 * LANE_WIDTH);
        d -= w * lane_load(from + 3 * LANE_WIDTH);
    }
    lane_store(into + column, a), lane_store(into + column + LANE_WIDTH, b);
    lane_store(into + column + 2 * LANE_WIDTH, c), lane_store(into + column + 3 * LANE_WIDTH, d);
}

/* L D L^T of the frame's own block, with the rest of the panel; row i reaches into the block of
   the frame after the next as far as its i-th column */
static void sweep_factor(int n, double *panel, double *inverses)
{
    int padded = kernel_sweep_padded(n), row = kernel_sweep_row(padded), right = 3 * padded;
    for (int i = 0; i < n; i++) {
        double *into = panel + (size_t)i * (size_t)row, by[KERNEL_SWEEP_MOST];
        int c = i / KERNEL_SWEEP_ROUND * KERNEL_SWEEP_ROUND;
        for (int k = 0; k < i; k++) {
            by[k] = panel[(size_t)k * (size_t)row + (size_t)i] * inverses[k];
            into[right] -= by[k] * panel[(size_t)k * (size_t)row + (size_t)right];
        }
        for (; c + 4 * LANE_WIDTH <= 2 * padded; c += 4 * LANE_WIDTH)
            sweep_reduce_four(into, panel, row, by, 0, i, c);
        for (; c <= 2 * padded + i; c += LANE_WIDTH) {
            int first = c < 2 * padded ? 0 : (c - 2 * padded) / KERNEL_SWEEP_ROUND;
            sweep_reduce(into, panel, row, by, first * KERNEL_SWEEP_ROUND, i, c);
        }
        inverses[i] = 1 / into[i];
    }
}

/* four rows of what is carried, from a column on: `sums` less the products of the factor's rows
   from `first` on */
LANE_INLINE void sweep_products(int n, const double *panel, int row, const double (*by)[SWEEP_ROWS],
                                int first, int column, lane sums[SWEEP_ROWS])
{
    lane a = sums[0], b = sums[1], c = sums[2], d = sums[3];
    for (int k = first; k < n; k++) {
        lane x = lane_load(panel + (size_t)k * (size_t)row + column);
        a -= lane_set(by[k][0]) * x;
        b -= lane_set(by[k][1]) * x;
        c -= lane_set(by[k][2]) * x;
        d -= lane_set(by[k][3]) * x;
    }
    sums[0] = a, sums[1] = b, sums[2] = c, sums[3] = d;
}

/* the first row of a panel that reaches into a column of what is carried */
LANE_INLINE int sweep_first(int padded, int column)
{
    bool after = column >= padded && column < 2 * padded;
    return after ? (column - padded) / KERNEL_SWEEP_ROUND * KERNEL_SWEEP_ROUND : 0;
}

static void sweep_carry(int n, const double *panel, const double *inverses, const double *carried,
                        double *next, int i)
{
    int padded = kernel_sweep_padded(n), row = kernel_sweep_row(padded);
    size_t width = (size_t)kernel_sweep_carried_row(padded);
    double by[KERNEL_SWEEP_MOST][SWEEP_ROWS];
    for (int k = 0; k < n; k++)
        for (int r = 0; r < SWEEP_ROWS; r++)
            by[k][r] = panel[(size_t)k * (size_t)row + (size_t)(padded + i + r)] * inverses[k];
    int from = i / KERNEL_SWEEP_ROUND * KERNEL_SWEEP_ROUND;
    for (int c = from; c < (int)width; c += LANE_WIDTH) {
        lane sums[SWEEP_ROWS];
        int first = sweep_first(padded, i), other = sweep_first(padded, c);
        // what was carried of the frame after this one's next is of its next now
        bool old = i < padded && (c < padded || c >= 2 * padded);
        for (int r = 0; r < SWEEP_ROWS; r++) {
            const double *before = carried + (size_t)(padded + i + r) * width;
            sums[r] = old ? lane_load(before + (c < padded ? padded + c : c)) : lane_set(0);
        }
        sweep_products(n, panel, row, (const double(*)[SWEEP_ROWS])by,
                       first > other ? first : other, padded + c, sums);
        for (int r = 0; r < SWEEP_ROWS; r++)
            lane_store(next + (size_t)(i + r) * width + c, sums[r]);
    }
}

static void sweep_eliminate(int n, double *panel, double *inverses, const double *carried,
                            double *next)
{
    int padded = kernel_sweep_padded(n);
    size_t width = (size_t)kernel_sweep_carried_row(padded);
    sweep_factor(n, panel, inverses);
    for (int i = 0; i < 2 * padded; i += SWEEP_ROWS) {
        if (i % padded < n)
            sweep_carry(n, panel, inverses, carried, next, i);
        else
            memset(next + (size_t)i * width, 0, SWEEP_ROWS * width * sizeof *next);
    }
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
