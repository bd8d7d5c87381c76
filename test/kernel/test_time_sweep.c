/*
 * test_time_sweep.c - the sweep over time against Gauss elimination of the whole matrix, at every
 * width.
 */
#include "kernel/time_sweep.h"

#include "harness.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { FRAMES = 7, MOST = FRAMES * KERNEL_SWEEP_MOST };

/* A problem: the blocks of frames, and diagonals towards the next two frames. */
typedef struct problem {
    int n;
    double blocks[FRAMES][KERNEL_SWEEP_MOST][KERNEL_SWEEP_MOST];
    double next[FRAMES][KERNEL_SWEEP_MOST], after[FRAMES][KERNEL_SWEEP_MOST];
    double right[FRAMES][KERNEL_SWEEP_MOST];
} problem;

/* blocks J^T J with few rows, so that what is between frames decides as well */
static void make_problem(problem *p, int n, lb_random *random)
{
    memset(p, 0, sizeof *p);
    p->n = n;
    for (int t = 0; t < FRAMES; t++) {
        for (int row = 0; row < n / 2 + 1; row++) {
            double line[KERNEL_SWEEP_MOST];
            for (int i = 0; i < n; i++)
                line[i] = lb_random_between(random, -1, 1);
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    p->blocks[t][i][j] += line[i] * line[j];
        }
        for (int i = 0; i < n; i++) {
            p->blocks[t][i][i] += 1e-3;
            p->right[t][i] = lb_random_between(random, -1, 1);
        }
    }
    // squares of second differences
    for (int t = 0; t + 2 < FRAMES; t++)
        for (int i = 0; i < n; i++) {
            double w = lb_random_between(random, 0.1, 2);
            p->blocks[t][i][i] += w, p->blocks[t + 1][i][i] += 4 * w, p->blocks[t + 2][i][i] += w;
            p->next[t][i] -= 2 * w, p->next[t + 1][i] -= 2 * w, p->after[t][i] += w;
        }
}

/* one row after the other, as at school */
static void solve_whole(const problem *p, double *x)
{
    static double a[MOST][MOST + 1];
    int n = p->n, size = FRAMES * n;
    memset(a, 0, sizeof a);
    for (int t = 0; t < FRAMES; t++)
        for (int i = 0; i < n; i++) {
            int at = t * n + i;
            for (int j = 0; j < n; j++)
                a[at][t * n + j] = p->blocks[t][i][j];
            if (t + 1 < FRAMES)
                a[at][at + n] = a[at + n][at] = p->next[t][i];
            if (t + 2 < FRAMES)
                a[at][at + 2 * n] = a[at + 2 * n][at] = p->after[t][i];
            a[at][size] = p->right[t][i];
        }
    for (int k = 0; k < size; k++)
        for (int i = k + 1; i < size; i++) {
            double by = a[i][k] / a[k][k];
            for (int j = k; by != 0 && j <= size; j++)
                a[i][j] -= by * a[k][j];
        }
    for (int k = size - 1; k >= 0; k--) {
        x[k] = a[k][size];
        for (int j = k + 1; j < size; j++)
            x[k] -= a[k][j] * x[j];
        x[k] /= a[k][k];
    }
}

/* what is not read: were it, everything would be NAN */
static double *take_unread(size_t count)
{
    double *numbers = malloc(count * sizeof *numbers);
    assert_non_null(numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = NAN;
    return numbers;
}

static void solve_swept(const problem *p, const kernel_sweep_ops *ops, double *x)
{
    int n = p->n, padded = kernel_sweep_padded(n), row = kernel_sweep_row(padded);
    size_t panel = (size_t)(padded * row);
    size_t carry = (size_t)(padded * kernel_sweep_carried_row(padded));
    double *panels = take_unread(FRAMES * panel), *carried = take_unread(carry);
    double *found = calloc((size_t)((FRAMES + 2) * padded), sizeof *found);
    double inverses[FRAMES][KERNEL_SWEEP_MOST];
    assert_non_null(found);
    memset(carried, 0, carry * sizeof *carried);
    memset(panels, 0, panel * sizeof *panels);
    for (int t = 0; t < FRAMES; t++) {
        double *here = panels + (size_t)t * panel;
        for (int i = 0; i < n; i++) {
            double *into = here + (size_t)(i * row);
            int first = i / KERNEL_SWEEP_ROUND * KERNEL_SWEEP_ROUND;
            memset(into + 2 * padded, 0, (size_t)(first + KERNEL_SWEEP_ROUND) * sizeof *into);
            for (int j = i; j < n; j++)
                into[j] += p->blocks[t][i][j];
            into[padded + i] += t + 1 < FRAMES ? p->next[t][i] : 0;
            into[2 * padded + i] = t + 2 < FRAMES ? p->after[t][i] : 0;
            into[3 * padded] += p->right[t][i];
        }
        ops->eliminate(n, here, inverses[t], carried, t + 1 < FRAMES ? here + panel : NULL);
    }
    for (int t = FRAMES - 1; t >= 0; t--) {
        double *at = found + (size_t)(t * padded);
        ops->back(n, panels + (size_t)t * panel, inverses[t], at + padded, at + 2 * padded, at);
        memcpy(x + (size_t)(t * n), at, (size_t)n * sizeof *x);
    }
    free(found), free(carried), free(panels);
}

TEST(it_solves_the_whole_matrix_at_every_width)
{
    static problem p;
    static double whole[MOST], first[MOST], other[MOST];
    static const int sizes[] = {1, 2, 7, 8, 9, 16, 35, 63, 64};
    lb_random random = lb_random_seed(5);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int n = sizes[i], size = FRAMES * n;
        make_problem(&p, n, &random);
        solve_whole(&p, whole);
        solve_swept(&p, kernel_choose_sweep(1), first);
        for (int k = 0; k < size; k++)
            assert_near(first[k], whole[k], 1e-8 * (1 + fabs(whole[k])));
        for (int w = 2; w <= 8; w *= 2) {
            solve_swept(&p, kernel_choose_sweep(w), other);
            assert_memory_equal(first, other, (size_t)size * sizeof *first);
        }
    }
}
