/*
 * durations.h - how long many things took: any number of them in fixed memory.
 */
#ifndef CLI_OUTPUT_DURATIONS_H
#define CLI_OUTPUT_DURATIONS_H

#include <stdint.h>

/* Binary orders of magnitude from 2^DURATION_FROM seconds (0.5 ns) on, and bins in each. */
enum { DURATION_FROM = -31, DURATION_ORDERS = 56, DURATION_BINS = 512 };

/* Durations counted in bins; all zeros at first. */
typedef struct durations {
    int64_t count;
    double least, most;
    uint32_t bins[DURATION_ORDERS * DURATION_BINS];
} durations;

/* One more, in seconds. */
void durations_add(durations *all, double seconds);
/*
 * The smallest of the durations that a share of them does not exceed (nearest rank), within
 * 0.1 %; exact when all are equal. There is at least one.
 */
double durations_percentile(const durations *all, double share);

#endif
