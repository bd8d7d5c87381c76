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

#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __GLIBC__
#include <limits.h>
#include <malloc.h>
#endif

/* does something of a size; returns the clock's ticks of the part that counts */
typedef clock_t (*test_timed)(int size);

/* one copy, numbered i, of `count` of what is between braces; returns the end */
static inline char *test_copy(char *at, const char *begin, const char *end, int i, int count)
{
    for (; begin < end; begin++)
        if (*begin == '#' || *begin == '$')
            at += sprintf(at, "%d", *begin == '#' ? i : count + i);
        else
            *at++ = *begin;
    return at;
}

/*
 * A pattern in which what is between braces is repeated `count` times: '#' in it is the copy's
 * number, from 0 on, '$' that and `count`. Release with free().
 */
static inline char *test_repeated(const char *pattern, int count)
{
    // a number has no more than a dozen digits
    char *text = malloc(12 * strlen(pattern) * ((size_t)count + 1) + 1), *at = text;
    assert_non_null(text);
    while (*pattern != '\0') {
        const char *end = *pattern == '{' ? strchr(pattern, '}') : NULL;
        for (int i = 0; end != NULL && i < count; i++)
            at = test_copy(at, pattern + 1, end, i, count);
        if (end == NULL)
            *at++ = *pattern;
        pattern = end != NULL ? end + 1 : pattern + 1;
    }
    *at = '\0';
    return text;
}

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
#ifdef __SANITIZE_ADDRESS__
    // the sanitizer looks for faults of memory, for which once will do; times are the release
    // build's
    run(size);
#else
#ifdef __GLIBC__
    // memory stays with the program: where pages are slow to come, large sizes wait for them
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
    double parts = test_least_ticks(run, size / 8, 8), whole = test_least_ticks(run, size, 1);
    // between 1, with caches and logarithms on top, and 8; clocks may have ticks of 16 ms
    if (!(whole < 3 * parts + 0.02 * CLOCKS_PER_SEC))
        fail_msg("size %d takes %g ms, 8 times an eighth of it %g ms", size,
                 1e3 * whole / CLOCKS_PER_SEC, 1e3 * parts / CLOCKS_PER_SEC);
#endif
}

#endif
