/*
 * random.c - PCG-XSH-RR 64/32 on its default stream.
 *
 * M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically
 * Good Algorithms for Random Number Generation", 2014, section 6.3.
 */
#include <limber/base.h>

/* Knuth's multiplier and increment for MMIX, as the paper takes them. */
static const uint64_t multiplier = 6364136223846793005u;
static const uint64_t increment = 1442695040888963407u;

lb_random lb_random_seed(uint64_t seed)
{
    // one step before and one after the seed comes in, as the paper seeds
    lb_random random = {(increment + seed) * multiplier + increment};
    return random;
}

uint32_t lb_random_next(lb_random *random)
{
    uint64_t old = random->state;
    random->state = old * multiplier + increment;

    // xorshift high bits down, then rotate by the topmost five
    uint32_t mixed = (uint32_t)(((old >> 18) ^ old) >> 27);
    uint32_t turn = (uint32_t)(old >> 59);
    return mixed >> turn | mixed << (-turn & 31);
}

double lb_random_unit(lb_random *random)
{
    // 27 and 26 bits make the 53 of a double
    uint64_t high = lb_random_next(random) >> 5;
    uint64_t low = lb_random_next(random) >> 6;
    return (double)(high << 26 | low) * 0x1p-53;
}

double lb_random_between(lb_random *random, double lower, double upper)
{
    // in halves, so that the widest range does not overflow
    double half = 0.5 * lower + (0.5 * upper - 0.5 * lower) * lb_random_unit(random);
    double value = 2 * half;

    // rounding must not reach the upper end
    return value < upper ? value : lower;
}
