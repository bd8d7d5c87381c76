/* durations.c - how long many things took: a histogram with bins of equal ratio. */
#include "cli/output/durations.h"

#include <math.h>

static int bin_of(double seconds)
{
    int order;
    double part = frexp(seconds, &order); // 0.5 <= part < 1
    if (!(seconds > 0) || order <= DURATION_FROM)
        return 0;
    if (order > DURATION_FROM + DURATION_ORDERS)
        return DURATION_ORDERS * DURATION_BINS - 1;
    return (order - 1 - DURATION_FROM) * DURATION_BINS + (int)((part - 0.5) * 2 * DURATION_BINS);
}

static double middle_of(int bin)
{
    double part = 0.5 + (bin % DURATION_BINS + 0.5) / (2 * DURATION_BINS);
    return ldexp(part, bin / DURATION_BINS + 1 + DURATION_FROM);
}

void durations_add(durations *all, double seconds)
{
    all->least = all->count == 0 || seconds < all->least ? seconds : all->least;
    all->most = all->count == 0 || seconds > all->most ? seconds : all->most;
    all->count++;
    all->bins[bin_of(seconds)]++;
}

double durations_percentile(const durations *all, double share)
{
    int64_t rank = (int64_t)ceil(share * (double)all->count), below = 0;
    int bin = 0;
    while (bin < DURATION_ORDERS * DURATION_BINS - 1 &&
           (below += all->bins[bin]) < (rank < 1 ? 1 : rank))
        bin++;
    return fmin(fmax(middle_of(bin), all->least), all->most);
}
