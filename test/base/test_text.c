/* test_text.c - formatting against the C library's, which the tests run in the C locale. */
#include "base/text.h"

#include "support.h"

#include <float.h>

/* the same directives to both; the macro keeps the compiler's check of the format */
#define assert_same(...)                                                                           \
    do {                                                                                           \
        char ours[600], theirs[600];                                                               \
        size_t length = text_format(ours, sizeof ours, __VA_ARGS__);                               \
        int expected = snprintf(theirs, sizeof theirs, __VA_ARGS__);                               \
        assert_string_equal(ours, theirs);                                                         \
        assert_int_equal(length, expected);                                                        \
    } while (0)

TEST(test_words)
{
    assert_same("%s", "");
    assert_same("plain");
    const char *volatile none = NULL;
    assert_same("[%s]", none);
    assert_same("100 %% of %s and %.3s, %c", "all", "truncated", 'x');
    assert_same("[%8s] [%-8s] [%.*s] [%*s] [%-*s]", "ab", "cd", 2, "efgh", 5, "i", 3, "j");
}

/* what a terminal obeys or cannot show; characters of one to four bytes stay */
TEST(test_hidden)
{
    static const char *const texts[][2] = {
        {"plain", "plain"},
        {"a\tb\033[1m\x7f", "a?b?[1m?"},
        {"\xc2\x9b"
         "1",
         "??1"},
        {"\xff\xfeH", "??H"},
        {"2\xe9,3", "2?,3"},
        {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82"},
        {"cut \xe2\x82", "cut ??"},
        {"\xed\xa0\x80 \xc0\x80", "??? ??"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[40];
        text_format(text, sizeof text, "%s", texts[i][0]);
        text_hide_controls(text);
        assert_string_equal(text, texts[i][1]);
    }
}

TEST(test_whole)
{
    static const int values[] = {0, 1, -1, 9, 10, 12345, -99999, 2147483647, -2147483647 - 1};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        int x = values[i];
        assert_same("%d %i %u %x %5d|%-7d|%07d|%+d|% d", x, x, (unsigned)x, (unsigned)x, x, x, x, x,
                    x);
    }
    assert_same("%ld %lu %lld %zu %04x", -5000000000L, 5000000000UL, (long long)INT64_MIN,
                (size_t)-1, 0xabu);
    assert_same("%llu %zd %*d|%*d|", (unsigned long long)UINT64_MAX, (ptrdiff_t)-7, 6, 42, -6, 42);
}

static void check_real(double x)
{
    assert_same("%g %.3g %.10g %.17g %.1g", x, x, x, x, x);
    assert_same("%e %.0e %.16e", x, x, x);
    assert_same("%.0f %.2f %f", x, x, x);
    assert_same("%11.6f|%-12.4g|%+.3e|%010.2f|% g", x, x, x, x, x);
}

TEST(test_real_edges)
{
    static const double values[] = {
        0,        -0.0,   1,      10,       0.1,     0.5,          1.5,         2.5,
        0.05,     9.5,    99.5,   999999.5, 0.0001,  0.00009999,   1e5,         999999,
        1e6,      1e15,   1e16,   1e17,     1e21,    1e22,         1e23,        123456789.0,
        0.000123, 1e-300, 1e300,  DBL_MAX,  DBL_MIN, DBL_TRUE_MIN, DBL_EPSILON, 4503599627370497.5,
        0.125,    0.375,  1.0 / 3};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        check_real(values[i]);
        check_real(-values[i]);
    }
    assert_same("%g %f %e %6g %-6g| %06g", (double)INFINITY, -(double)INFINITY, (double)INFINITY,
                (double)INFINITY, (double)INFINITY, (double)INFINITY);
    assert_same("%.0g %.60g", 0.1, 0.1);
}

/* any bits, and numbers of every size with few digits, where ties are frequent */
TEST(test_real_random)
{
    lb_random random = test_seed(20);
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = (uint64_t)lb_random_next(&random) << 32 | lb_random_next(&random);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x))
            check_real(x);
        check_real((double)((int)lb_random_next(&random) / 65536) / 1024);
        check_real(lb_random_between(&random, -10, 10));
    }
}

TEST(test_room)
{
    char out[8];
    // cut, terminated, and the whole length returned
    assert_int_equal(text_format(out, sizeof out, "%d-%s", 12345, "abc"), 9);
    assert_string_equal(out, "12345-a");
    assert_int_equal(text_format(NULL, 0, "%s", "four"), 4);
    memset(out, 'x', sizeof out);
    assert_int_equal(text_format(out, 1, "%s", "four"), 4);
    assert_int_equal(out[0], '\0');
    assert_int_equal(out[1], 'x');
}

TEST(test_unknown)
{
    char out[32];
    // through a variable: the compiler would rightly refuse these
    const char *const formats[] = {"a %q b", "%", "%5", "%.3"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        text_format(out, sizeof out, formats[i]);
#pragma GCC diagnostic pop
        assert_string_equal(out, formats[i]);
    }
}
