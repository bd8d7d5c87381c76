/*
 * decimals.inl - numbers written to twelve decimals, one in each lane.
 *
 * A number below ten is a digit, a point and twelve digits. These are split off in doubles, whose
 * quotients by powers of ten are whole numbers but for rounding, and fours of them in the bytes of
 * a word, by products and shifts. Zeros at the end, which one number in ten has, and other numbers
 * are left to the scalar code.
 */
#include "base/number.h"
#include "simd/lane_rows.h"

/* A digit before the point and twelve behind it, as text from the lowest byte on. */
typedef struct decimal_words {
    lane_int first, second; /* eight characters and six, with a minus seven */
    unsigned negative, odd; /* a bit for each; odd: it is no such number */
} decimal_words;

/* x / unit without its fraction, of whole numbers; share = 1 / unit */
LANE_INLINE lane whole_part(lane x, double share)
{
    // half a unit is far more than the product's rounding, so that no quotient is a whole number
    return lane_round((x + lane_set(0.5)) * lane_set(share) - lane_set(0.5));
}

/* of a whole number below 2^52 */
LANE_INLINE lane_int whole_bits(lane x)
{
    return lane_bits(x + lane_set(0x1p52)) ^ 0x4330000000000000;
}

/* numbers below 10^4 in the halves of a word, as four digits each, the first lowest */
LANE_INLINE lane_int split_fours(lane_int v)
{
    lane_int hundreds = (v * 10486 >> 20) & 0x0000007f0000007f;
    v = hundreds | (v - hundreds * 100) << 16;
    lane_int tens = (v * 103 >> 10) & 0x000f000f000f000f;
    return tens | (v - tens * 10) << 8;
}

LANE_INLINE decimal_words spell_lanes(lane value)
{
    // rounded as number_append_rounded does, which takes all but numbers from 1e-4 up to 10
    lane scaled = value * lane_set(1e12) + lane_set(0.5), near = lane_round(scaled);
    near = near - lane_keep(lane_gt(near, scaled), lane_set(1));
    lane size = lane_abs(near);
    lane_mask usual = mask_and(lane_lt(size, lane_set(1e13)), lane_ge(size, lane_set(1e8)));
    lane_mask minus = lane_sign(near);

    // a digit, twice four and again four
    lane nine = whole_part(size, 1e-4), front = whole_part(nine, 1e-8);
    lane eight = nine - front * lane_set(1e8), four = whole_part(eight, 1e-4);
    lane_int middle = whole_bits(four) | whole_bits(eight - four * lane_set(1e4)) << 32;
    lane_int high = split_fours(middle), low = split_fours(whole_bits(size - nine * lane_set(1e4)));

    // as text, behind a minus where there is one
    lane_int first = (whole_bits(front) | high << 16) + 0x3030303030302e30;
    lane_int second = (high >> 48 | low << 16) + 0x303030303030, sign = lane_bits(near) >> 63;
    decimal_words words = {.negative = mask_bits(minus), .odd = mask_bits(mask_not(usual))};
    words.first = first << (sign << 3) | ((0 - sign) & '-');
    words.second = second << (sign << 3) | (first >> 56 & (0 - sign));
    return words;
}

/* the end of a text without the zeros behind its point, and without the point if it is the last */
LANE_INLINE char *trim_zeros(char *end)
{
    if (end[-1] != '0')
        return end;
    while (end[-1] == '0')
        end--;
    return end - (end[-1] == '.');
}

LANE_INLINE char *append_words(uint64_t first, uint64_t second, bool negative, char *text)
{
    word_put(text, first);
    word_put(text + 8, second);
    return trim_zeros(text + 14 + negative);
}

static int append_decimals(const double *values, int count, char **text)
{
    char *at = *text;
    int done = 0, here, usual;
    do {
        double some[LANE_WIDTH] = {0};
        uint64_t first[LANE_WIDTH], second[LANE_WIDTH];
        here = count - done < LANE_WIDTH ? count - done : LANE_WIDTH;
        memcpy(some, values + done, sizeof *some * (size_t)here);
        decimal_words words = spell_lanes(lane_load(some));
        lane_int_store(first, words.first);
        lane_int_store(second, words.second);
        usual = __builtin_ctz(words.odd | 1u << here);
        for (int l = 0; l < usual; l++) {
            at = append_words(first[l], second[l], words.negative >> l & 1, at);
            *at++ = ',';
        }
        done += usual;
    } while (usual == LANE_WIDTH && done < count);
    *text = at;
    return done;
}
