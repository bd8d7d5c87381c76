/*
 * decimal.c - a double's exact decimal digits, by long multiplication and division; and back.
 *
 * A double is m * 2^e with 53 bits of m. m is stored in words of nine decimal digits
 * and is doubled or halved as often as e says, some 29 or 9 times in one pass: that
 * is exact, because 10^9 can be halved nine times. Slow and simple; meant for messages.
 */
#include "base/number.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { BASE = 1000000000, DOUBLINGS = 29, HALVINGS = 9 };

/* word k counts BASE^(DECIMAL_WHOLE - 1 - k); those outside first .. last are zero */
typedef struct words {
    uint32_t word[DECIMAL_WORDS];
    int first, last;
} words;

static void double_words(words *w, int times)
{
    uint64_t carry = 0;
    for (int k = w->last; k >= w->first; k--) {
        uint64_t value = ((uint64_t)w->word[k] << times) + carry;
        w->word[k] = (uint32_t)(value % BASE);
        carry = value / BASE;
    }
    if (carry > 0)
        w->word[--w->first] = (uint32_t)carry;
}

static void halve_words(words *w, int times)
{
    uint32_t carry = 0, mask = (1u << times) - 1;
    for (int k = w->first; k <= w->last; k++) {
        uint32_t lost = w->word[k] & mask;
        w->word[k] = (w->word[k] >> times) + carry;
        carry = lost * (BASE >> times);
    }
    if (carry > 0)
        w->word[++w->last] = carry;
}

/* x = mantissa * 2^exponent, exactly */
static uint64_t take_apart(double x, int *exponent)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    int biased = (int)(bits >> 52 & 0x7ff);
    *exponent = (biased > 0 ? biased : 1) - 1075;
    return biased > 0 ? fraction | (uint64_t)1 << 52 : fraction;
}

static void spell_words(const words *w, decimal *out)
{
    // each word has nine digits, the highest place first
    int count = 0;
    for (int k = w->first; k <= w->last; k++) {
        uint32_t value = w->word[k];
        for (int i = 8; i >= 0; i--) {
            out->digits[count + i] = (char)('0' + value % 10);
            value /= 10;
        }
        count += 9;
    }
    // zeros at both ends have no meaning
    int leading = 0;
    while (leading < count && out->digits[leading] == '0')
        leading++;
    while (count > leading && out->digits[count - 1] == '0')
        count--;
    memmove(out->digits, out->digits + leading, (size_t)(count - leading));
    out->count = count - leading;
    out->point = out->count > 0 ? 9 * (DECIMAL_WHOLE - w->first) - leading : 1;
}

/* all digits of mantissa * 2^exponent; the mantissa has 54 bits at most */
static void expand(uint64_t mantissa, int exponent, decimal *out)
{
    words w = {.first = DECIMAL_WHOLE - 2, .last = DECIMAL_WHOLE - 1};
    w.word[w.first] = (uint32_t)(mantissa / BASE);
    w.word[w.last] = (uint32_t)(mantissa % BASE);
    while (exponent != 0) {
        int times = exponent > DOUBLINGS ? DOUBLINGS : exponent < -HALVINGS ? -HALVINGS : exponent;
        if (times > 0)
            double_words(&w, times);
        else
            halve_words(&w, -times);
        exponent -= times;
    }
    spell_words(&w, out);
}

void decimal_expand(double x, decimal *out)
{
    int exponent;
    uint64_t mantissa = take_apart(x, &exponent);
    expand(mantissa, exponent, out);
}

/* whether what follows the first `keep` digits rounds them up */
static bool rounds_up(const decimal *d, int keep)
{
    if (keep < 0 || d->digits[keep] != '5')
        return keep >= 0 && d->digits[keep] > '5';
    if (d->count > keep + 1)
        return true;
    return keep > 0 && d->digits[keep - 1] % 2 == 1;
}

void decimal_round(decimal *d, int keep)
{
    if (keep >= d->count)
        return;
    bool up = rounds_up(d, keep);
    d->count = keep > 0 ? keep : 0;
    if (up) {
        // nines become zeros, which are dropped; when all were, a new digit comes in front
        while (d->count > 0 && d->digits[d->count - 1] == '9')
            d->count--;
        if (d->count > 0) {
            d->digits[d->count - 1]++;
        } else {
            d->digits[0] = '1';
            d->count = 1;
            d->point++;
        }
    }
    while (d->count > 0 && d->digits[d->count - 1] == '0')
        d->count--;
    if (d->count == 0)
        d->point = 1;
}

/* ---- the nearest double --------------------------------------------------- */

/* doubles that are powers of ten exactly */
static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
enum { LARGEST_POWER = sizeof powers / sizeof *powers - 1 };

/* x * 10^exponent, rounded once for every 22 powers of ten */
static double scale(double x, int exponent)
{
    for (; exponent > LARGEST_POWER; exponent -= LARGEST_POWER)
        x *= powers[LARGEST_POWER];
    for (; exponent < -LARGEST_POWER; exponent += LARGEST_POWER)
        x /= powers[LARGEST_POWER];
    return exponent >= 0 ? x * powers[exponent] : x / powers[-exponent];
}

/* below zero, zero or above zero: how a compares with b */
static int compare(const decimal *a, const decimal *b)
{
    if (a->point != b->point)
        return a->point - b->point;
    int shared = a->count < b->count ? a->count : b->count;
    int order = memcmp(a->digits, b->digits, (size_t)shared);
    return order != 0 ? order : a->count - b->count;
}

/* how d compares with what lies midway between the double of these bits and the next */
static int compare_with_midpoint(const decimal *d, uint64_t bits)
{
    int exponent;
    double x;
    decimal midpoint;
    memcpy(&x, &bits, sizeof x);
    uint64_t mantissa = take_apart(x, &exponent);
    expand(2 * mantissa + 1, exponent - 1, &midpoint);
    return compare(d, &midpoint);
}

double decimal_value(const decimal *d)
{
    // far outside of what doubles reach
    if (d->count == 0 || d->point < -330)
        return 0;
    if (d->point > 310)
        return INFINITY;

    // up to 15 digits are exact, and so is their product or quotient with an exact power, rounded
    int used = d->count < 17 ? d->count : 17, exponent = d->point - used;
    uint64_t mantissa = 0;
    for (int i = 0; i < used; i++)
        mantissa = 10 * mantissa + (uint64_t)(d->digits[i] - '0');
    double x = scale((double)mantissa, exponent);
    if (used <= 15 && d->count == used && exponent >= -LARGEST_POWER && exponent <= LARGEST_POWER)
        return x;

    // else it is close: step to the nearest by comparing with exact midpoints, to even on a tie
    uint64_t bits, limit = (uint64_t)0x7ff << 52;
    memcpy(&bits, &x, sizeof bits);
    int order = 0;
    while (bits < limit && (order = compare_with_midpoint(d, bits)) >= 0 &&
           (order > 0 || bits % 2 == 1))
        bits++;
    while (bits > 0 && (order = compare_with_midpoint(d, bits - 1)) <= 0 &&
           (order < 0 || bits % 2 == 1))
        bits--;
    memcpy(&x, &bits, sizeof x);
    return x;
}
