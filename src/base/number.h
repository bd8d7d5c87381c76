/*
 * number.h - decimal numbers as text, the same in every locale and on every machine.
 *
 * Files and arguments are read by one strict grammar: an optional sign, digits
 * with at most one point, an optional exponent; nothing before or after. So
 * "nan", "inf", "0x10", "1,5" and "" are refused, whatever the C library and the
 * locale would make of them.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Enough for any double as number_write() spells it, with its terminator. */
enum { NUMBER_TEXT_SIZE = 32 };

/*
 * Reads the `size` bytes of `text` as one number, correctly rounded. Returns NULL and
 * fills *value, or leaves it and returns what is wrong in words that follow the text, as
 * in "'abc' is not a number".
 */
const char *number_read(const char *text, size_t size, double *value);

/*
 * The usual case of the same, fast, where numbers follow each other in a text up to `end`: a
 * minus or none, up to seven digits, and a point with up to seven more or none, with a blank or a
 * line's end behind. Fills *value and returns where the number ends; NULL where it is anything
 * else, or too near to the end, which number_read then takes or refuses.
 */
const char *number_scan(const char *text, const char *end, double *value);

/* Spells `value` with 17 significant digits, which read back as the same double. */
const char *number_write(double value, char text[NUMBER_TEXT_SIZE]);

/* The same with 1 to 17 significant digits. */
const char *number_write_digits(double value, int digits, char text[NUMBER_TEXT_SIZE]);

/* The same with as few digits as read back as the same double: 0.1 stays 0.1. */
const char *number_write_shortest(double value, char text[NUMBER_TEXT_SIZE]);

/* The same without a terminator that counts; returns its length. */
size_t number_append_shortest(double value, char text[NUMBER_TEXT_SIZE]);

/*
 * The same of floor(value * 1e12 + 0.5) / 1e12, which is twelve decimals less their zeros, in less
 * than a third of the time; from 1e3 on of the value itself.
 */
size_t number_append_rounded(double value, char text[NUMBER_TEXT_SIZE]);

/* ---- decimal ------------------------------------------------------------ */

/* A double's exact decimal digits, and the double nearest to some digits. */

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

/* The same, rounded to the first `keep` > 0 digits, to even on a tie. */
void decimal_first(double x, int keep, decimal *out);

/* Rounds to the first `keep` digits, to even on a tie; keep <= 0 leaves 0 or one digit. */
void decimal_round(decimal *d, int keep);

/* The nearest double, to even on a tie; INFINITY above the largest. No zeros at either end. */
double decimal_value(const decimal *d);

/* So many digits are a whole number below 2^64; powers of ten of decimal_short_value(). */
enum { DECIMAL_SHORT = 19, DECIMAL_PLACES = 350, DECIMAL_ZEROS = 310 };

/*
 * whole * 10^exponent, rounded once and to even, for whole > 0 and an exponent from -DECIMAL_PLACES
 * to DECIMAL_ZEROS. False where that is not certain, which is rare; *value is close then.
 */
bool decimal_short_value(uint64_t whole, int exponent, double *value);

#endif
