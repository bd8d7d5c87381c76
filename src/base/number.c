/*
 * number.c - decimal numbers as text.
 *
 * The grammar is checked here; decimal.c rounds correctly in both directions.
 */
#include "base/number.h"

#include "base/text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* longer than any double needs: DBL_MAX written out has 309 digits, DBL_TRUE_MIN 1074 */
enum { LONGEST = 1100 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t count_digits(const char *text, const char *end)
{
    size_t count = 0;
    while (text + count < end && is_digit(text[count]))
        count++;
    return count;
}

/* [+-] digits [. digits] [e [+-] digits], at least one digit before the exponent */
static bool is_decimal(const char *text, const char *end)
{
    if (text < end && (*text == '+' || *text == '-'))
        text++;
    size_t digits = count_digits(text, end);
    text += digits;
    if (text < end && *text == '.') {
        size_t fraction = count_digits(++text, end);
        digits += fraction;
        text += fraction;
    }
    if (digits == 0)
        return false;
    if (text == end)
        return true;
    if (*text++ != 'e' && text[-1] != 'E')
        return false;
    if (text < end && (*text == '+' || *text == '-'))
        text++;
    size_t exponent = count_digits(text, end);
    return exponent > 0 && text + exponent == end;
}

/* nan, inf and infinity with any sign and in any case: numbers to others, named as such */
static bool is_named(const char *text, size_t size)
{
    static const char *const names[] = {"nan", "inf", "infinity"};
    if (size > 0 && (*text == '+' || *text == '-')) {
        text++;
        size--;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t k = 0;
        while (k < size && names[i][k] != '\0' && (text[k] | 0x20) == names[i][k])
            k++;
        if (k == size && names[i][k] == '\0')
            return true;
    }
    return false;
}

/* the exponent behind a 'e'; beyond what any double needs it stays where it is */
static int read_exponent(const char *text, const char *end)
{
    bool negative = text < end && *text == '-';
    int exponent = 0;
    if (text < end && (*text == '+' || *text == '-'))
        text++;
    for (; text < end && exponent < 10000; text++)
        exponent = 10 * exponent + (*text - '0');
    return negative ? -exponent : exponent;
}

/* the digits of a decimal, without its sign and without zeros at both ends */
static void read_digits(const char *text, const char *end, decimal *d)
{
    bool behind_point = false;
    d->count = d->point = 0;
    for (; text < end && (is_digit(*text) || *text == '.'); text++) {
        if (*text == '.') {
            behind_point = true;
            continue;
        }
        bool leading = d->count == 0 && *text == '0';
        if (!leading)
            d->digits[d->count++] = *text;
        d->point += leading ? -behind_point : !behind_point;
    }
    if (text < end)
        d->point += read_exponent(text + 1, end);
    while (d->count > 0 && d->digits[d->count - 1] == '0')
        d->count--;
}

/* powers of ten that are doubles: 5^22 has less than 53 bits */
enum { POWERS = 23 };
static const double powers[POWERS] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
/* as many digits are whole numbers below 2^53 */
enum { EXACT_DIGITS = 15 };

/* what stands behind the digits, [e [+-] digits] or nothing; false where it is anything else */
static bool take_exponent(const char *text, const char *end, int *exponent)
{
    *exponent = 0;
    if (text == end)
        return true;
    if ((*text++ | 0x20) != 'e')
        return false;
    bool has_sign = text < end && (*text == '+' || *text == '-');
    size_t digits = count_digits(text + has_sign, end);
    if (digits == 0 || text + has_sign + digits != end)
        return false;
    *exponent = read_exponent(text, end);
    return true;
}

/*
 * The usual case: at most 19 digits with at most one point, behind it an exponent or none. Of few
 * digits both these and the power of ten are doubles, so that one division rounds once and
 * correctly (Clinger 1990). False where it does not apply.
 */
static bool read_short(const char *text, const char *end, double *number)
{
    uint64_t whole = 0;
    const char *point = NULL, *from = text;
    int digits = 0, exponent;
    for (; text < end && digits <= DECIMAL_SHORT; text++) {
        if (is_digit(*text)) {
            whole = 10 * whole + (uint64_t)(*text - '0');
            digits += whole > 0;
        } else if (*text == '.' && point == NULL) {
            point = text;
        } else {
            break;
        }
    }
    bool any = text - from > (point != NULL);
    if (!any || digits > DECIMAL_SHORT || !take_exponent(text, end, &exponent))
        return false;
    ptrdiff_t places = (point != NULL ? text - point - 1 : 0) - exponent;
    if (digits <= EXACT_DIGITS && places >= 0 && places < POWERS) {
        *number = (double)whole / powers[places];
        return true;
    }
    return whole > 0 && places <= DECIMAL_PLACES && places >= -DECIMAL_ZEROS &&
           decimal_short_value(whole, (int)-places, number);
}

/* eight bytes, the first one lowest */
static uint64_t load_bytes(const char *text)
{
    uint64_t bytes = 0;
    for (int i = 0; i < 8; i++)
        bytes |= (uint64_t)(unsigned char)text[i] << 8 * i;
    return bytes;
}

/* the number that the digits at the front of eight characters are; returns how many these are */
static int take_digits(const char *text, uint64_t *number)
{
    uint64_t bytes = load_bytes(text) ^ 0x3030303030303030;
    // a digit has nothing in its upper half now, and neither has it six more
    uint64_t others = (bytes | (bytes + 0x0606060606060606)) & 0xf0f0f0f0f0f0f0f0;
    int count = others != 0 ? __builtin_ctzll(others) / 8 : 8;
    if (count == 8)
        return 8;
    // zeros take the place before the first digit; then pairs, fours and all eight are joined
    uint64_t v = bytes << 8 * (7 - count) << 8;
    v = (v * 10 + (v >> 8)) & 0x00ff00ff00ff00ff;
    v = (v * 100 + (v >> 16)) & 0x0000ffff0000ffff;
    *number = (v * 10000 + (v >> 32)) & 0xffffffff;
    return count;
}

const char *number_scan(const char *text, const char *end, double *value)
{
    // a sign, seven digits, a point and seven more, and what is behind: reads of eight stay within
    if (end - text < 24)
        return NULL;
    uint64_t whole, fraction = 0;
    bool negative = *text == '-';
    text += negative;
    int digits = take_digits(text, &whole), places = 0;
    if (digits == 8)
        return NULL;
    text += digits;
    if (*text == '.') {
        places = take_digits(++text, &fraction);
        if (places == 8)
            return NULL;
        text += places;
    }
    if (digits + places == 0 || (unsigned char)*text > ' ')
        return NULL;
    // as in read_short
    double number = ((double)whole * powers[places] + (double)fraction) / powers[places];
    *value = negative ? -number : number;
    return text;
}

const char *number_read(const char *text, size_t size, double *value)
{
    decimal d;
    double number;
    const char *end = text + size;
    bool negative = size > 0 && *text == '-', has_sign = negative || (size > 0 && *text == '+');
    if (!read_short(text + has_sign, end, &number)) {
        if (!is_decimal(text, end))
            return is_named(text, size) ? "is not a finite number" : "is not a number";
        if (size > LONGEST)
            return "has more digits than a number can hold";
        read_digits(text + has_sign, end, &d);
        number = decimal_value(&d);
    }
    if (!isfinite(number))
        return "is too large";
    *value = negative ? -number : number;
    return NULL;
}

const char *number_write_digits(double value, int digits, char text[NUMBER_TEXT_SIZE])
{
    text_format(text, NUMBER_TEXT_SIZE, "%.*g", digits, value);
    return text;
}

const char *number_write(double value, char text[NUMBER_TEXT_SIZE])
{
    return number_write_digits(value, 17, text);
}

/* 10^places times a number below 10^15, rounded */
static uint64_t scale_up(double size, int places)
{
    return (uint64_t)floor(size * powers[places] + 0.5);
}

#define EIGHT_DIGITS ((uint64_t)100000000)

/* two numbers below 10^4, the first in the lower half, as four digits each, the first lowest */
static uint64_t split_fours(uint64_t v)
{
    // pairs, then single digits; each quotient by a product and a shift
    uint64_t hundreds = (v * 10486 >> 20) & 0x0000007f0000007f;
    v = hundreds | (v - 100 * hundreds) << 16;
    uint64_t tens = (v * 103 >> 10) & 0x000f000f000f000f;
    return tens | (v - 10 * tens) << 8;
}

/* a number below 10^8 as eight digits, the first in the lowest byte */
static uint64_t split_digits(uint64_t number)
{
    return split_fours(number / 10000 | number % 10000 << 32);
}

/* in the order that compilers merge into one store */
static char *store_digits(uint64_t digits, char *text)
{
    digits |= 0x3030303030303030;
    for (int i = 0; i < 8; i++)
        text[i] = (char)(digits >> 8 * i);
    return text + 8;
}

/* a whole number below 10^16; may spoil eight characters; returns where it ends */
static char *write_whole(uint64_t whole, char *text)
{
    if (whole < 10) {
        *text = (char)('0' + whole);
        return text + 1;
    }
    uint64_t low = split_digits(whole % EIGHT_DIGITS), high = split_digits(whole / EIGHT_DIGITS);
    uint64_t first = high != 0 ? high : low;
    int zeros = __builtin_ctzll(first) / 8;
    text = store_digits(first >> 8 * zeros, text) - zeros;
    return high != 0 ? store_digits(low, text) : text;
}

/* sixteen decimals, less the zeros at their end; not all may be zero */
static char *write_places(uint64_t decimals, char *text)
{
    uint64_t high = split_digits(decimals / EIGHT_DIGITS);
    uint64_t low = split_digits(decimals % EIGHT_DIGITS);
    store_digits(high, text);
    store_digits(low, text + 8);
    return low != 0 ? text + 16 - __builtin_clzll(low) / 8 : text + 8 - __builtin_clzll(high) / 8;
}

/* whole / 10^places in decimals, whole < 10^15; returns the end of the text */
static char *write_decimal(uint64_t whole, int places, char *text)
{
    // of more than sixteen decimals the first are zeros, as are all digits before the point
    int shown = places < 16 ? places : 16;
    uint64_t one = places <= 16 ? (uint64_t)powers[shown] : UINT64_MAX;
    text = write_whole(whole / one, text);
    uint64_t decimals = whole % one;
    if (decimals == 0)
        return text;
    *text++ = '.';
    for (int i = 16; i < places; i++)
        *text++ = '0';
    return write_places(decimals * (uint64_t)powers[16 - shown], text);
}

/*
 * Spells a number that is whole / 10^places with at most 15 digits, the usual case, as %.15g would.
 * No two such decimals are the same double, so the one with all 15 digits less its zeros is the
 * shortest. Returns its end; NULL where there is none or where %g takes an exponent. That it reads
 * back is seen as in read_short.
 */
static char *write_short(double value, char text[NUMBER_TEXT_SIZE])
{
    double size = fabs(value);
    *text = '-';
    text += signbit(value) != 0;
    if (size == 0) {
        *text = '0';
        return text + 1;
    }
    if (!(size >= 1e-4 && size < powers[EXACT_DIGITS]))
        return NULL;
    int places = EXACT_DIGITS;
    while (places > 0 && size >= powers[EXACT_DIGITS - places])
        places--;
    // of a number below 1 its leading zeros are no digits
    places += (size < 0.1) + (size < 0.01) + (size < 0.001);
    uint64_t whole = scale_up(size, places);
    if (whole >= (uint64_t)powers[EXACT_DIGITS] || (double)whole / powers[places] != size)
        return NULL;
    return write_decimal(whole, places, text);
}

size_t number_append_rounded(double value, char text[NUMBER_TEXT_SIZE])
{
    // at most 15 digits: the whole number is exact, and its digits are the shortest text
    if (!(fabs(value) < 1e3))
        return number_append_shortest(value, text);
    double scaled = value * 1e12 + 0.5;
    int64_t floored = (int64_t)scaled;
    floored -= (double)floored > scaled;
    uint64_t size = (uint64_t)(floored < 0 ? -floored : floored), one = 1000000000000;
    // %g takes an exponent there
    if (size < 100000000 && size != 0)
        return number_append_shortest((double)floored / 1e12, text);

    char *at = text;
    *at = '-';
    at = write_whole(size / one, at + (floored < 0));
    uint64_t decimals = size % one;
    if (decimals == 0)
        return (size_t)(at - text);
    uint64_t high = split_digits(decimals / 10000), low = split_fours(decimals % 10000);
    *at = '.';
    store_digits(high, at + 1);
    store_digits(low, at + 9);
    // up to the last digit that is not zero
    at += low != 0 ? 17 - __builtin_clzll(low) / 8 : 9 - __builtin_clzll(high) / 8;
    return (size_t)(at - text);
}

size_t number_append_shortest(double value, char text[NUMBER_TEXT_SIZE])
{
    const char *end = write_short(value, text);
    return end != NULL ? (size_t)(end - text) : strlen(number_write_shortest(value, text));
}

const char *number_write_shortest(double value, char text[NUMBER_TEXT_SIZE])
{
    char *end = write_short(value, text);
    if (end != NULL) {
        *end = '\0';
        return text;
    }
    /* 15 digits are always kept, 17 always suffice */
    for (int digits = 15; digits <= 17; digits++) {
        double back = 0;
        number_write_digits(value, digits, text);
        if (number_read(text, strlen(text), &back) == NULL && back == value)
            break;
    }
    return text;
}
