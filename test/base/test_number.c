/* test_number.c - the grammar of numbers and their rounding; every double survives as text. */
#include "base/number.h"

#include <limber/base.h>
#include <math.h>

#include "harness.h"

static double read_or_fail(const char *text)
{
    double value = NAN;
    const char *fault = number_read(text, strlen(text), &value);
    if (fault != NULL)
        fail_msg("'%s' %s", text, fault);
    return value;
}

TEST(test_accepts)
{
    assert_true(read_or_fail("0") == 0.0);
    assert_true(signbit(read_or_fail("-0")));
    assert_true(read_or_fail("+1.5") == 1.5);
    assert_true(read_or_fail(".5") == 0.5);
    assert_true(read_or_fail("5.") == 5.0);
    assert_true(read_or_fail("1e3") == 1000.0);
    assert_true(read_or_fail("-2.5E-3") == -0.0025);
    assert_true(read_or_fail("1e-400") == 0.0);
}

/* refused texts leave the value alone and say why */
TEST(test_refuses)
{
    static const struct {
        const char *text, *fault;
    } cases[] = {
        {"", "is not a number"},
        {"abc", "is not a number"},
        {"1x", "is not a number"},
        {" 1", "is not a number"},
        {"1 ", "is not a number"},
        {"1,5", "is not a number"},
        {"0x10", "is not a number"},
        {".", "is not a number"},
        {"+", "is not a number"},
        {"1e", "is not a number"},
        {"1e+", "is not a number"},
        {"--1", "is not a number"},
        {"1.2.3", "is not a number"},
        {"e5", "is not a number"},
        {"nano", "is not a number"},
        {"NaN", "is not a finite number"},
        {"-inf", "is not a finite number"},
        {"+Infinity", "is not a finite number"},
        {"1e999", "is too large"},
        {"-1e999", "is too large"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = 42;
        const char *fault = number_read(cases[i].text, strlen(cases[i].text), &value);
        assert_non_null(fault);
        assert_string_equal(fault, cases[i].fault);
        assert_true(value == 42);
    }
}

/* only `size` bytes count: the text need not be terminated */
TEST(test_reads_within_size)
{
    double value = 0;
    assert_null(number_read("12345", 2, &value));
    assert_true(value == 12);
}

TEST(test_refuses_endless_digits)
{
    static char text[5000];
    double value = 42;
    memset(text, '7', sizeof text);
    assert_string_equal(number_read(text, sizeof text, &value),
                        "has more digits than a number can hold");
    assert_true(value == 42);
}

/* random bit patterns, every exponent among them, come back bit for bit */
TEST(test_round_trip)
{
    uint64_t bits = 7;
    char text[NUMBER_TEXT_SIZE];
    for (int i = 0; i < 20000; i++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        double back = read_or_fail(number_write(value, text));
        assert_memory_equal(&back, &value, sizeof value);
    }
}

/* as few digits as come back as the same number */
TEST(test_shortest)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.1, "0.1"},
        {1.0 / 3, "0.3333333333333333"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1e22, "1e+22"},
        {5e-324, "4.94065645841247e-324"},
        {-2.8973, "-2.8973"},
        {0, "0"},
        {100, "100"},
    };
    char text[NUMBER_TEXT_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(number_write_shortest(cases[i].value, text), cases[i].text);
    assert_string_equal(number_write_digits(3.14159, 3, text), "3.14");

    uint64_t bits = 11;
    for (int i = 0; i < 20000; i++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            assert_true(read_or_fail(number_write_shortest(value, text)) == value);
    }
}

/* ---- against the C library ------------------------------------------------ */

static uint64_t next_bits(uint64_t *bits)
{
    *bits = *bits * 6364136223846793005u + 1442695040888963407u;
    return *bits >> 11;
}

/* random spellings of up to 40 digits round as strtod rounds them, which is correct in glibc */
TEST(test_rounds_as_strtod)
{
    uint64_t bits = 5;
    for (int i = 0; i < 50000; i++) {
        char text[80];
        int digits = 1 + (int)(next_bits(&bits) % 40), point = (int)(next_bits(&bits) % 20), at = 0;
        int range = i % 4 == 0 ? 340 : 12;
        for (int k = 0; k < digits; k++) {
            if (k == point)
                text[at++] = '.';
            text[at++] = (char)('0' + next_bits(&bits) % 10);
        }
        int exponent = (int)(next_bits(&bits) % (uint64_t)(2 * range)) - range - digits / 2;
        snprintf(text + at, sizeof text - (size_t)at, "e%d", exponent);
        double expected = strtod(text, NULL), value = INFINITY;
        number_read(text, strlen(text), &value);
        if (memcmp(&value, &expected, sizeof value) != 0)
            fail_msg("%s is %a, not %a", text, expected, value);
    }
}

/* decimals of every length and scale are spelled as printf spells them */
TEST(test_shortest_as_printf)
{
    uint64_t bits = 9;
    for (int i = 0; i < 100000; i++) {
        double value = (double)(next_bits(&bits) % 10000000000000000);
        for (uint64_t k = next_bits(&bits) % 17; k > 0; k--)
            value = floor(value / 10);
        for (uint64_t k = next_bits(&bits) % 6; k > 0; k--)
            value *= 10;
        char text[NUMBER_TEXT_SIZE], expected[NUMBER_TEXT_SIZE];
        value /= pow(10, (double)(next_bits(&bits) % 20));
        value = i % 2 ? -value : value;
        int digits = 15;
        do
            snprintf(expected, sizeof expected, "%.*g", digits, value);
        while (digits++ < 17 && strtod(expected, NULL) != value);
        assert_string_equal(number_write_shortest(value, text), expected);
    }
}

/* what lies exactly midway between two doubles goes to the even one, at every scale */
TEST(test_ties)
{
    static const char *const ties[] = {
        "9007199254740993",
        "9007199254740995",
        "9007199254740993.0000000000000000000000001",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000033306690738754696212708950042724609375",
        "1.7976931348623158e308",
        "2.2250738585072011e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327208e-324",
        "2.4703282292062328e-324",
        "8.98846567431158e307",
        "0.000000000000000000000000000000000000000000000000000000000000000000000000000000001e77",
    };
    for (size_t i = 0; i < sizeof ties / sizeof *ties; i++) {
        double expected = strtod(ties[i], NULL), value = read_or_fail(ties[i]);
        if (memcmp(&value, &expected, sizeof value) != 0)
            fail_msg("%s is %a, not %a", ties[i], expected, value);
    }
}

/* a double is written with 1 to 17 digits as printf writes it, of usual size and of others, beside
   powers of ten and halfway between two decimals */
TEST(test_writes_as_printf)
{
    uint64_t bits = 12;
    for (int i = 0; i < FEWER(300000, 20000); i++) {
        char text[NUMBER_TEXT_SIZE], expected[NUMBER_TEXT_SIZE];
        double value = ldexp((double)(next_bits(&bits) | (uint64_t)1 << 52),
                             (int)(next_bits(&bits) % 90) - 86);
        if (i % 3 == 0) // some bits alone
            value = ldexp((double)(next_bits(&bits) % 4096), (int)(next_bits(&bits) % 60) - 40);
        if (i % 3 == 1) // beside a power of ten
            value = nextafter(pow(10, (double)(next_bits(&bits) % 26) - 10),
                              next_bits(&bits) % 2 == 0 ? 0 : 1e30);
        if (i % 30 == 2) // too large for the short way
            value = ((double)next_bits(&bits) - 4503599627370496.0) * (double)(1 + i);
        int digits = 1 + i % 17;
        snprintf(expected, sizeof expected, "%.*g", digits, value);
        assert_string_equal(number_write_digits(value, digits, text), expected);
    }
}

/* up to 19 random digits as a whole number, the first not 0 */
static uint64_t next_whole(uint64_t *bits)
{
    int digits = 1 + (int)(next_bits(bits) % DECIMAL_SHORT);
    uint64_t whole = 1 + next_bits(bits) % 9;
    while (--digits > 0)
        whole = 10 * whole + next_bits(bits) % 10;
    return whole;
}

static void check_read(const char *text)
{
    double expected = strtod(text, NULL), value = INFINITY;
    number_read(text, strlen(text), &value);
    if (memcmp(&value, &expected, sizeof value) != 0)
        fail_msg("%s is read as %.17g, not %.17g", text, value, expected);
}

/* whole numbers of up to 19 digits with every power of ten, hardly any of them left open */
TEST(test_whole_numbers_round_as_strtod)
{
    uint64_t bits = 9;
    int open = 0;
    for (int i = 0; i < FEWER(400000, 20000); i++) {
        char text[64];
        uint64_t whole = next_whole(&bits);
        int exponent = i % (DECIMAL_PLACES + DECIMAL_ZEROS + 1) - DECIMAL_PLACES;
        double value;
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)whole, exponent);
        check_read(text);
        open += !decimal_short_value(whole, exponent, &value);
    }
    assert_in_range(open, 0, 2);
}

/* halves between doubles, and what lies beside them: whole ones, and cut off after 17 to 40 digits
 */
TEST(test_halves_round_as_strtod)
{
    uint64_t bits = 10;
    for (int i = 0; i < FEWER(100000, 5000); i++) {
        char text[64];
        uint64_t odd = (((uint64_t)1 << 53) + next_bits(&bits)) | 1;
        snprintf(text, sizeof text, "%llu", (unsigned long long)(2 * odd + (uint64_t)(i % 3) - 1));
        check_read(text);
        int exponent = (int)(next_bits(&bits) % 2000) - 1050;
        snprintf(text, sizeof text, "%.*Le", 16 + i % 24, ldexpl((long double)odd, exponent));
        check_read(text);
    }
}

/* numbers as files have them: read as strtod reads them, and written with the fewest digits */
TEST(test_short_numbers_survive)
{
    uint64_t bits = 7;
    char text[80], shortest[NUMBER_TEXT_SIZE], expected[NUMBER_TEXT_SIZE];
    for (int i = 0; i < 60000; i++) {
        int places = (int)(next_bits(&bits) % 26), size = (int)(next_bits(&bits) % 18);
        uint64_t whole = next_bits(&bits) % (uint64_t)pow(10, size);
        snprintf(text, sizeof text, "%s%llu.%0*llu", i % 2 ? "-" : "", (unsigned long long)whole,
                 places, (unsigned long long)(next_bits(&bits) % 1000));
        double value = strtod(text, NULL), read = read_or_fail(text);
        if (memcmp(&value, &read, sizeof value) != 0)
            fail_msg("%s is %a, not %a", text, value, read);
        // every third one has all its bits
        value = i % 3 == 0 ? value / 3 : value;
        for (int digits = 15; digits <= 17; digits++) {
            snprintf(expected, sizeof expected, "%.*g", digits, value);
            if (strtod(expected, NULL) == value)
                break;
        }
        assert_string_equal(number_write_shortest(value, shortest), expected);
    }
}

/* what is scanned is what is read, and all that follows numbers in files is left */
TEST(test_scans_as_it_reads)
{
    static const char behind[] = " \t\n\r,x{-";
    uint64_t bits = 11;
    int scanned = 0;
    for (int i = 0; i < 60000; i++) {
        char number[40], text[120];
        int places = (int)(next_bits(&bits) % 10), size = (int)(next_bits(&bits) % 10);
        uint64_t whole = next_bits(&bits) % (uint64_t)pow(10, size);
        uint64_t part = next_bits(&bits) % (uint64_t)pow(10, places);
        static const char *const forms[] = {"%llu.%0*llu", "-%llu.%0*llu", "%llu", "-%llu.",
                                            "+%llu",       "%llue1",       "",     "-.%llu"};
        snprintf(number, sizeof number, forms[next_bits(&bits) % 8], (unsigned long long)whole,
                 places, (unsigned long long)part);
        char after = behind[next_bits(&bits) % (sizeof behind - 1)];
        snprintf(text, sizeof text, "%s%c%s", number, after, "9.99999999 9.99999999 9.9");
        double value = -1, read;
        const char *end = number_scan(text, text + strlen(text), &value);
        // near the end of the text nothing is scanned
        assert_null(number_scan(text, text + 23, &read));
        if (end == NULL)
            continue;
        scanned++;
        assert_int_equal(end - text, strlen(number));
        assert_true(after <= ' ');
        assert_null(number_read(number, strlen(number), &read));
        if (memcmp(&value, &read, sizeof value) != 0)
            fail_msg("%s is %a, not %a", number, read, value);
    }
    assert_true(scanned > 8000);
}

/* what is appended is what is written, and nothing is written behind the room for a number */
TEST(test_appends_as_it_writes)
{
    uint64_t bits = 13;
    for (int i = 0; i < 60000; i++) {
        char text[NUMBER_TEXT_SIZE + 1], expected[NUMBER_TEXT_SIZE];
        double scale = pow(10, (double)(next_bits(&bits) % 24));
        double value = ((double)next_bits(&bits) - 4503599627370496.0) / scale;
        // some of few digits
        if (i % 2)
            value = floor(value / 1e9);
        text[NUMBER_TEXT_SIZE] = '#';
        size_t length = number_append_shortest(value, text);
        assert_int_equal(text[NUMBER_TEXT_SIZE], '#');
        number_write_shortest(value, expected);
        assert_int_equal(length, strlen(expected));
        assert_memory_equal(text, expected, length);
    }
}

static void check_rounded(double value)
{
    char text[NUMBER_TEXT_SIZE + 1], expected[NUMBER_TEXT_SIZE];
    double rounded = fabs(value) < 1e3 ? floor(value * 1e12 + 0.5) / 1e12 : value;
    text[NUMBER_TEXT_SIZE] = '#';
    size_t length = number_append_rounded(value, text);
    number_write_shortest(rounded, expected);
    if (length != strlen(expected) || memcmp(text, expected, length) != 0)
        fail_msg("%a is spelled '%.*s', not '%s'", value, (int)length, text, expected);
    assert_int_equal(text[NUMBER_TEXT_SIZE], '#');
}

/* rounded to twelve decimals it is the shortest text of what was rounded before */
TEST(test_rounds_as_it_writes)
{
    uint64_t bits = 17;
    for (int i = 0; i < 200000; i++) {
        double scale = pow(10, (double)(next_bits(&bits) % 30));
        double value = ((double)next_bits(&bits) - 4503599627370496.0) / scale;
        // some of few digits, some midway between two decimals
        check_rounded(i % 3 != 0 ? value : floor(value / 1e9));
        check_rounded((floor(value) + 0.5) / 1e12);
        check_rounded(floor(value) / 1e12);
    }
    static const double edges[] = {0, 1e-4, 1, 10, 100, 999, 1000, 1e15, 5e-13, 1e-12, 0x1p-52};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            check_rounded(sign * edges[i]);
            check_rounded(sign * nextafter(edges[i], 0));
            check_rounded(sign * nextafter(edges[i], 2000));
        }
}
