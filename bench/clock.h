/*
 * clock.h - the time, and what can be said of many measurements.
 */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

/* Nanoseconds since some moment. */
double clock_now(void);

/* What two readings cost by themselves: to be taken off single short measurements. */
double clock_cost(void);

/* Sorts `count` >= 1 numbers; the share of them below the result, from 0 to 1. */
void clock_sort(double *times, int count);
double clock_percentile(const double *sorted, int count, double share);
double clock_mean(const double *times, int count);

#endif
