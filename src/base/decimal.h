/*
 * decimal.h - a double's exact decimal digits, and the double nearest to some digits.
 */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <stdint.h>

enum {
    DECIMAL_WHOLE = 35,     /* words of nine digits before the point: DBL_MAX has 309 digits */
    DECIMAL_FRACTION = 120, /* and after it: DBL_TRUE_MIN ends at the 1074th */
    DECIMAL_WORDS = DECIMAL_WHOLE + DECIMAL_FRACTION,
    DECIMAL_DIGITS = 9 * DECIMAL_WORDS
};

/* The number 0.d1 d2 d3 ... * 10^point, d1 not 0; zero has no digits and point 1. */
typedef struct decimal {
    char digits[DECIMAL_DIGITS + 1]; /* as characters; one place more for a carry */
    int count;                       /* without zeros at the end */
    int point;
} decimal;

/* All digits of a finite x >= 0. */
void decimal_expand(double x, decimal *out);

/* Rounds to the first `keep` digits, to even on a tie; keep <= 0 leaves 0 or one digit. */
void decimal_round(decimal *d, int keep);

/* The nearest double, to even on a tie; INFINITY above the largest. No zeros at either end. */
double decimal_value(const decimal *d);

#endif
