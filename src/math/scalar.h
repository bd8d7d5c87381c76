/* scalar.h - what C has only as library calls, in one instruction each; and one of many numbers. */
#ifndef MATH_SCALAR_H
#define MATH_SCALAR_H

/* b where either is NaN */
static inline double scalar_min(double a, double b)
{
    return a < b ? a : b;
}

static inline double scalar_max(double a, double b)
{
    return a > b ? a : b;
}

static inline double scalar_clamp(double x, double lower, double upper)
{
    return scalar_min(scalar_max(x, lower), upper);
}

/* the nearest integer, halves to even, for |x| <= 2^51: the sum has no fractional bits */
static inline double scalar_round(double x)
{
    const double magic = 6755399441055744.0; /* 1.5 * 2^52 */
    return (x + magic) - magic;
}

/* the number that would be at `wanted` if they were sorted (Hoare 1961); changes their order */
static inline double scalar_select(double *numbers, int count, int wanted)
{
    int from = 0, to = count - 1;
    while (from < to) {
        double pivot = numbers[(from + to) / 2];
        int i = from, j = to;
        while (i <= j) {
            while (numbers[i] < pivot)
                i++;
            while (numbers[j] > pivot)
                j--;
            if (i <= j) {
                double other = numbers[i];
                numbers[i++] = numbers[j];
                numbers[j--] = other;
            }
        }
        if (wanted <= j)
            to = j;
        else if (wanted >= i)
            from = i;
        else
            break;
    }
    return numbers[wanted];
}

#endif
