/*
 * decimal.c - a double's exact decimal digits, by long multiplication and division; and back.
 *
 * A double is m * 2^e with 53 bits of m. m is stored in words of nine decimal digits
 * and is doubled or halved as often as e says, some 29 or 9 times in one pass: that
 * is exact, because 10^9 can be halved nine times. Slow and simple; the other way numbers of files,
 * which have up to 19 digits and few places, are divided by a power of five instead.
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

/* ---- the first digits ------------------------------------------------------ */

/* powers of five below 2^63 */
static const uint64_t fives[] = {1u,
                                 5u,
                                 25u,
                                 125u,
                                 625u,
                                 3125u,
                                 15625u,
                                 78125u,
                                 390625u,
                                 1953125u,
                                 9765625u,
                                 48828125u,
                                 244140625u,
                                 1220703125u,
                                 6103515625u,
                                 30517578125u,
                                 152587890625u,
                                 762939453125u,
                                 3814697265625u,
                                 19073486328125u,
                                 95367431640625u,
                                 476837158203125u,
                                 2384185791015625u,
                                 11920928955078125u,
                                 59604644775390625u,
                                 298023223876953125u,
                                 1490116119384765625u,
                                 7450580596923828125u};
enum { MOST_FIVES = sizeof fives / sizeof *fives - 1 };

/* a * b; *high: what is above 64 bits */
static uint64_t multiply(uint64_t a, uint64_t b, uint64_t *high)
{
    const uint64_t low = (uint64_t)(uint32_t)a * (uint32_t)b;
    const uint64_t left = (a >> 32) * (uint32_t)b + (low >> 32);
    const uint64_t right = (uint32_t)a * (b >> 32) + (uint32_t)left;
    *high = (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32);
    return right << 32 | (uint32_t)low;
}

/* mantissa * 5^places / 2^shift, 0 < shift < 64, as a whole number below 2^64; to even on a tie */
static uint64_t round_whole(uint64_t mantissa, int places, int shift)
{
    uint64_t high, low = multiply(mantissa, fives[places], &high);
    const uint64_t whole = high << (64 - shift) | low >> shift;
    const uint64_t tail = low << (64 - shift), half = (uint64_t)1 << 63;
    return whole + (tail > half || (tail == half && whole % 2 == 1));
}

static void spell_whole(uint64_t whole, int keep, decimal *out)
{
    out->count = keep;
    for (int i = keep - 1; i >= 0; i--, whole /= 10)
        out->digits[i] = (char)('0' + whole % 10);
    while (out->count > 0 && out->digits[out->count - 1] == '0')
        out->count--;
}

/* the first digits where they are a whole number below 10^17 by exact arithmetic; false elsewhere
 */
static bool spell_first(double x, int keep, decimal *out)
{
    enum { MOST_DIGITS = 17 };
    if (keep < 1 || keep > MOST_DIGITS || !(x >= 1e-9 && x < 1e15))
        return false;
    int exponent, point = -8;
    uint64_t mantissa = take_apart(x, &exponent), end = 1;
    for (int i = 0; i < keep; i++)
        end *= 10;
    // a bound below; the rest is seen by the number itself
    for (double above = 1e-8; x >= above; above *= 10)
        point++;
    for (point--; point <= 16; point++) {
        const int places = keep - point, shift = -(exponent + places);
        if (places < 0 || places > MOST_FIVES || shift < 1 || shift > 63)
            return false;
        const uint64_t whole = round_whole(mantissa, places, shift);
        if (whole >= end)
            continue;
        spell_whole(whole, keep, out);
        out->point = point;
        return true;
    }
    return false;
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

void decimal_first(double x, int keep, decimal *out)
{
    if (spell_first(x, keep, out))
        return;
    decimal_expand(x, out);
    decimal_round(out, keep);
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

#define ENOUGH_BITS ((uint64_t)1 << 54) /* 53, one that rounds, and one more */

/*
 * whole / 10^places, rounded once, for whole > 0. The division by 5^places is exact: the quotient
 * gets more bits as long as it has too few, and what is left of it says whether anything is lost.
 */
static double divide(uint64_t whole, int places)
{
    const uint64_t power = fives[places];
    const int room = __builtin_clzll(power);
    uint64_t quotient = whole / power, rest = whole % power;
    int exponent = -places;
    while (quotient < ENOUGH_BITS) {
        int own = __builtin_clzll(quotient | 1), shift = own < room ? own : room;
        quotient = quotient << shift | (rest << shift) / power;
        rest = (rest << shift) % power;
        exponent -= shift;
    }
    const int lost = 64 - __builtin_clzll(quotient) - 53;
    const uint64_t half = (uint64_t)1 << (lost - 1), tail = quotient & (2 * half - 1);
    uint64_t mantissa = quotient >> lost;
    mantissa += tail > half || (tail == half && (rest > 0 || mantissa % 2 == 1));
    const uint64_t bits = (uint64_t)(1023 + exponent + lost) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return (double)mantissa * scale;
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

    // up to 19 digits are a whole number; up to 15 are exact, and so is their product with an exact
    // power, rounded
    int used = d->count < 19 ? d->count : 19, exponent = d->point - used;
    uint64_t mantissa = 0;
    for (int i = 0; i < used; i++)
        mantissa = 10 * mantissa + (uint64_t)(d->digits[i] - '0');
    if (d->count == used && exponent <= 0 && exponent >= -MOST_FIVES)
        return divide(mantissa, -exponent);
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
