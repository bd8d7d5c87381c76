/*
 * numbers.inl - decimals that follow each other in a text, one in each lane.
 *
 * First all blanks of some lines of the cache are found, so that no number waits for the one before
 * (G. Langdale and D. Lemire, "Parsing gigabytes of JSON per second", 2019). A number's last eight
 * characters are then a word, whose digits are joined to pairs, fours and eight (D. Lemire, "Number
 * parsing at a gigabyte per second", 2021); what is before these is a second word. The point is
 * taken out, and the unit of the last digit is joined in the same way from a digit where the point
 * was.
 */
#include "simd/bytes.h"
#include "simd/lane_rows.h"

enum {
    NUMBERS_LISTED = 64,
    /* a word behind the last number is read as well */
    NUMBERS_MARGIN = BYTES_AT_ONCE + 8,
    NUMBERS_ROOM = NUMBERS_LISTED + BYTES_AT_ONCE + LANE_WIDTH
};

/* how many bits are set */
LANE_INLINE int count_bits(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (int)(x * 0x0101010101010101 >> 56);
}

/* where the numbers of a line end, counted from the text; returns how many there are */
static int list_ends(const char *text, const char *end, int wanted, uint64_t *stops)
{
    int count = 0;
    bool ended = false;
    for (const char *at = text; count < wanted && !ended && end - at >= NUMBERS_MARGIN;
         at += BYTES_AT_ONCE) {
        bytes_found found = bytes_find(at);
        ended = found.lines != 0;
        uint64_t left = ended ? found.blanks & (found.lines ^ (found.lines - 1)) : found.blanks;
        int here = count_bits(left);
        // more than there are, so that hardly any branch is mispredicted
        for (int i = 0; i < here; i += 4)
            for (int k = 0; k < 4; k++, left &= left - 1)
                stops[count + i + k] =
                    (uint64_t)(at - text) +
                    (uint64_t)__builtin_ctzll(left | (uint64_t)1 << (BYTES_AT_ONCE - 1));
        count += here;
    }
    return count < wanted ? count : wanted;
}

/* 1 where a number below 2^63 is not zero, else 0 */
LANE_INLINE lane_int is_nonzero(lane_int x)
{
    return (0 - x) >> 63;
}

/* the number whose eight digits are the bytes of a word, the first one lowest */
LANE_INLINE lane_int join_digits(lane_int v)
{
    v = (v * 10 + (v >> 8)) & 0x00ff00ff00ff00ff;
    v = (v * 100 + (v >> 16)) & 0x0000ffff0000ffff;
    return (v * 10000 + (v >> 32)) & 0xffffffff;
}

/* what is no digit, of characters less '0' */
LANE_INLINE lane_int find_non_digits(lane_int word)
{
    return (word | (word + 0x0606060606060606)) & 0xf0f0f0f0f0f0f0f0;
}

/* a whole number below 2^52 */
LANE_INLINE lane lane_from_whole(lane_int x)
{
    return lane_from_bits(x | 0x4330000000000000) - lane_set(0x1p52);
}

/* Numbers between stops that follow each other: characters less '0', zero before the number. */
typedef struct number_words {
    lane_int high, low;  /* the last sixteen */
    lane_int size, sign; /* without the sign, which is 1 or 0 */
} number_words;

LANE_INLINE lane_int load_words(const char *text, const uint64_t *stops, int from)
{
    const char *at[LANE_WIDTH];
    for (int l = 0; l < LANE_WIDTH; l++)
        at[l] = text + ((ptrdiff_t)stops[l] + from);
    return lane_int_words(at);
}

/* the last eight characters, the rest being zero; of more than eight none is cut off */
LANE_INLINE number_words find_words(const char *text, const uint64_t *stops)
{
    number_words words = {.high = lane_int_set(0)};
    words.sign = 1 - is_nonzero((load_words(text, stops, 1) & 0xff) ^ '-');
    words.size = lane_int_load(stops + 1) - lane_int_load(stops) - 1 - words.sign;
    lane_int spare = 8 - words.size, cut = (spare << 3) & ((spare >> 63) - 1) & 63;
    words.low = (load_words(text, stops + 1, -8) ^ 0x3030303030303030) >> cut << cut;
    return words;
}

/* the eight characters before */
LANE_INLINE lane_int find_high(const char *text, const uint64_t *stops, lane_int size)
{
    lane_int longer = (8 - size) >> 63, cut = (16 - size) << 3 & 63;
    lane_int word = (load_words(text, stops + 1, -16) ^ 0x3030303030303030) & (0 - longer);
    return word >> cut << cut;
}

/* fills `values`; returns a bit for each that is not of the kind */
LANE_INLINE unsigned join_words(number_words words, bool longer, double *values)
{
    // the point: 0x1e in a byte, of which 0x10 is its lowest bit among the others
    lane_int others = find_non_digits(words.low), bit = others & (0 - others), unit = bit >> 4;
    lane_int low = words.low ^ (bit | bit >> 1 | bit >> 2 | bit >> 3), point = is_nonzero(unit);
    lane_int odd = find_non_digits(low) | (low & ((bit << 4) - unit)), digits = words.size - point;

    // digits before the point move into its place
    lane_int before = low & (unit - 1), move = point << 3;
    low = (low ^ before) | before << move;
    if (longer) {
        odd |= find_non_digits(words.high);
        low |= words.high >> 56 & (0 - point);
    }
    lane_int whole = join_digits(low), parts = join_digits(unit | (1 - point) << 56);
    if (longer)
        whole += join_digits(words.high << move) * 100000000;
    lane value = lane_from_whole(whole) / lane_from_whole(parts);
    lane_store(values, lane_from_bits(lane_bits(value) | words.sign << 63));
    return mask_bits(lane_sign(lane_from_bits(odd | (0 - odd) | (digits - 1) | (15 - digits))));
}

static unsigned read_numbers(const char *text, const uint64_t *stops, double *values)
{
    number_words words = find_words(text, stops);
    // most files have short numbers alone
    if (mask_none(lane_sign(lane_from_bits(8 - words.size))))
        return join_words(words, false, values);
    words.high = find_high(text, stops, words.size);
    return join_words(words, true, values);
}

/* the numbers whose ends are listed, up to the first that is not of the kind; returns how many */
static int read_listed(const char *text, const uint64_t *stops, int listed, double *values)
{
    int done = 0, room, read;
    do {
        double some[LANE_WIDTH];
        room = listed - done < LANE_WIDTH ? listed - done : LANE_WIDTH;
        read = __builtin_ctz(read_numbers(text, stops + done, some) | 1u << room);
        memcpy(values + done, some, sizeof *some * (size_t)read);
        done += read;
    } while (read == LANE_WIDTH && done < listed);
    return done;
}

static int scan_numbers(const char **text, const char *end, double *values, int count)
{
    uint64_t stops[1 + NUMBERS_ROOM];
    const char *at = *text;
    int done = 0, listed, read;
    bool more;
    // a number begins behind the end of the one before; -1 for the first
    stops[0] = UINT64_MAX;
    do {
        listed = count - done < NUMBERS_LISTED ? count - done : NUMBERS_LISTED;
        int found = list_ends(at, end, listed, stops + 1);
        // lanes beyond the last have nothing to read
        for (int l = 1; l < LANE_WIDTH; l++)
            stops[found + l] = stops[found];
        read = found > 0 ? read_listed(at, stops, found, values + done) : 0;
        done += read;
        at += stops[read] + 1;
        more = read == listed && done < count && at[-1] != '\n' && at[-1] != '\r';
    } while (more);
    *text = done > 0 ? at - 1 : at;
    return done;
}
