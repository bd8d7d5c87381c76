/* clock.c - the time, and what can be said of many measurements. */
#define _POSIX_C_SOURCE 200809L

#include "clock.h"

#include <stdlib.h>
#include <time.h>

enum { READINGS = 1000 };

double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

double clock_cost(void)
{
    double least = 1e9;
    for (int i = 0; i < READINGS; i++) {
        double begin = clock_now(), cost = clock_now() - begin;
        if (cost < least)
            least = cost;
    }
    return least;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void clock_sort(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare);
}

double clock_percentile(const double *sorted, int count, double share)
{
    int index = (int)(share * count);
    return sorted[index < count ? index : count - 1];
}

double clock_mean(const double *times, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += times[i];
    return sum / count;
}
