/*
 * decimal.c - a double's exact decimal digits, by long multiplication and division; and back.
 *
 * A double is m * 2^e with 53 bits of m. m is stored in words of nine decimal digits
 * and is doubled or halved as often as e says, some 29 or 9 times in one pass: that
 * is exact, because 10^9 can be halved nine times. Slow and simple; numbers are read by a product
 * of 128 bits whose error is known, and in this way only where that does not decide.
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

/*
 * 5^(28 k) for k from -13 on, the first 128 bits of each, rounded down: {upper half, lower half}.
 * That of k = 0 is exact.
 */
enum { POWER_STEP = MOST_FIVES + 1, LOWEST_POWER = -13 };
static const uint64_t steps[][2] = {
    {0xe1afa13afbd14d6d, 0x82189c09a3a1ec21}, {0xe3e27a444d8d98b7, 0xfd1b1b2308169b25},
    {0xe61acf033d1a45df, 0x6fb92487298e33bd}, {0xe858ad248f5c22c9, 0xd1b3400f8f9cff68},
    {0xea9c227723ee8bcb, 0x465e15a979c1cadc}, {0xece53cec4a314ebd, 0xa4f8bf5635246428},
    {0xef340a98172aace4, 0x86fb897116c87c34}, {0xf18899b1bc3f8ca1, 0xdc44e6c3cb279ac1},
    {0xf3e2f893dec3f126, 0x5a89dba3c3efccfa}, {0xf64335bcf065d37d, 0x4d4617b5ff4a16d5},
    {0xf8a95fcf88747d94, 0x75a44c6397ce912a}, {0xfb158592be068d2e, 0xeed6e2f0f0d56712},
    {0xfd87b5f28300ca0d, 0x8bca9d6e188853fc}, {0x8000000000000000, 0x0000000000000000},
    {0x813f3978f8940984, 0x4000000000000000}, {0x82818f1281ed449f, 0xbff8f10e7a8921a4},
    {0x83c7088e1aab65db, 0x792667c6da79e0fa}, {0x850fadc09923329e, 0x03e2cf6bc604ddb0},
    {0x865b86925b9bc5c2, 0x0b8a2392ba45a9b2}, {0x87aa9aff79042286, 0x90fb44d2f05d0842},
    {0x88fcf317f22241e2, 0x441fece3bdf81f03}, {0x8a5296ffe33cc92f, 0x82bd6b70d99aaa6f},
    {0x8bab8eefb6409c1a, 0x1ad089b6c2f7548e}, {0x8d07e33455637eb2, 0xdb0b487b6423e1e8},
    {0x8e679c2f5e44ff8f, 0x570f09eaa7ea7648}};

typedef struct wide {
    uint64_t high, low;
} wide;

/* the first 128 bits of a * b, at most one too low in the last place */
static wide multiply_wide(wide a, uint64_t b)
{
    wide product;
    uint64_t carry;
    multiply(a.low, b, &carry);
    product.low = multiply(a.high, b, &product.high) + carry;
    product.high += product.low < carry;
    return product;
}

/* whole * 5^power with the first bit of 2^128 or the one after it; see approximate() */
static wide scale_by_fives(uint64_t whole, int power)
{
    const int step = (power - LOWEST_POWER * POWER_STEP) / POWER_STEP;
    const uint64_t five = fives[power - (step + LOWEST_POWER) * POWER_STEP];
    wide scaled =
        multiply_wide((wide){steps[step][0], steps[step][1]}, five << __builtin_clzll(five));
    if (scaled.high >> 63 == 0)
        scaled = (wide){scaled.high << 1 | scaled.low >> 63, scaled.low << 1};
    return multiply_wide(scaled, whole);
}

/* floor(log2(5^power)), for powers from -360 to 340 */
static int log_of_fives(int power)
{
    return (power * 152170 + (1 << 26)) / (1 << 16) - (1 << 10);
}

/*
 * Lemire 2021, "Number parsing at a gigabyte per second", with a bound in place of a list of cases:
 * the power of five is too low by less than 4 in the last of 128 bits (1 for each factor that is
 * rounded down, doubled as it is shifted), the product by less than 6. Rounding is certain unless a
 * half lies in between. Powers of five below 2^64 are exact, and so are halves of their products;
 * greater powers have no halves, because 5^24 does not divide a number of 54 bits.
 */
bool decimal_short_value(uint64_t whole, int exponent, double *value)
{
    enum { MOST_ERROR = 6, BITS = 53, LOWEST = -1022, HIGHEST = 1023 };
    const int leading = __builtin_clzll(whole);
    const wide product = scale_by_fives(whole << leading, exponent);
    const int above = __builtin_clzll(product.high);
    const int top = log_of_fives(exponent) + exponent + 64 - leading - above;
    int kept = top >= LOWEST ? BITS : BITS + top - LOWEST;
    if (top > HIGHEST || kept < 0) {
        *value = kept < 0 ? 0 : INFINITY;
        return true;
    }
    // what is lost of the upper half, 11 bits or more, and all of the lower one
    const int lost = 64 - above - kept;
    const uint64_t half = (uint64_t)1 << (lost - 1), tail = product.high & (half - 1 + half);
    const bool over = tail > half || (tail == half && product.low > 0);
    const bool tie = tail == half && product.low == 0;
    uint64_t bits = lost < 64 ? product.high >> lost : 0;
    bits += over || (tie && bits % 2 == 1);
    if (top >= LOWEST)
        bits += (uint64_t)(top - LOWEST) << (BITS - 1);
    memcpy(value, &bits, sizeof *value);
    const bool exact = exponent >= 0 && exponent <= MOST_FIVES;
    return exact || !(tie || (tail == half - 1 && product.low >= (uint64_t)-MOST_ERROR));
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

    // up to 19 digits are a whole number; more lie between it and the next
    int used = d->count < DECIMAL_SHORT ? d->count : DECIMAL_SHORT, exponent = d->point - used;
    uint64_t mantissa = 0;
    for (int i = 0; i < used; i++)
        mantissa = 10 * mantissa + (uint64_t)(d->digits[i] - '0');
    double x, next;
    bool certain = decimal_short_value(mantissa, exponent, &x);
    if (certain && d->count > used)
        certain = decimal_short_value(mantissa + 1, exponent, &next) && next == x;
    if (certain)
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
