/*
 * support_growth.h - that the time of something grows as its size does, for tests of hostile input.
 *
 * No limit in seconds: valgrind, sanitizers and slow machines would exceed any that means
 * something. One run of a size is compared with eight of an eighth of it, which take as long where
 * time grows as the size does, and an eighth of that where all is compared with all. Include it
 * after cmocka.h.
 */
#ifndef TEST_SUPPORT_GROWTH_H
#define TEST_SUPPORT_GROWTH_H

#include <math.h>
#include <time.h>

/* does something of a size; returns the clock's ticks of the part that counts */
typedef clock_t (*test_timed)(int size);

/* the least of three, as other programs only make it longer */
static inline double test_least_ticks(test_timed run, int size, int times)
{
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (int k = 0; k < times; k++)
            sum += (double)run(size);
        least = fmin(least, sum);
    }
    return least;
}

static inline void assert_grows_linearly(test_timed run, int size)
{
    double parts = test_least_ticks(run, size / 8, 8), whole = test_least_ticks(run, size, 1);
    // between 1, with caches and logarithms on top, and 8; clocks may have ticks of 16 ms
    if (!(whole < 3 * parts + 0.02 * CLOCKS_PER_SEC))
        fail_msg("size %d takes %g ms, 8 times an eighth of it %g ms", size,
                 1e3 * whole / CLOCKS_PER_SEC, 1e3 * parts / CLOCKS_PER_SEC);
}

#endif
