/*
 * test_decimals.c - numbers spelled together: at every width what number_append_rounded gives for
 * each, up to the first that is of no usual kind.
 */
#include <math.h>

#include "base/number.h"
#include "kernel/ops.h"
#include "support.h"

enum { MOST = 70, ROOM = MOST * (NUMBER_TEXT_SIZE + 1) };

/* what is spelled together */
static bool is_usual(double value)
{
    double size = fabs(floor(value * 1e12 + 0.5));
    return size >= 1e8 && size < 1e13;
}

static void check_width(const kernel_ops *ops, const double *values, int count)
{
    char expected[ROOM], text[ROOM + 1], *at = text;
    size_t size = 0;
    int usual = 0;
    for (; usual < count && is_usual(values[usual]); usual++) {
        size += number_append_rounded(values[usual], expected + size);
        expected[size++] = ',';
    }
    size_t room = (size_t)count * (NUMBER_TEXT_SIZE + 1);
    text[room] = '#';
    assert_int_equal(ops->decimals(values, count, &at), usual);
    assert_int_equal(text[room], '#');
    if ((size_t)(at - text) != size || memcmp(text, expected, size) != 0)
        fail_msg("width %d: '%.*s', not '%.*s'", ops->width, (int)(at - text), text, (int)size,
                 expected);
}

static void check_row(const double *values, int count)
{
    for (int width = 4; width <= KERNEL_MAX_WIDTH; width *= 2)
        if (kernel_choose(width)->decimals != NULL)
            check_width(kernel_choose(width), values, count);
}

static double make_value(lb_random *random, int i)
{
    double value = lb_random_between(random, -9.9, 9.9);
    switch (i) {
    case 0:
        return value * pow(10, lb_random_between(random, -15, 5));
    case 1:
        // few digits
        return floor(value * 1e3) / 1e3 + 0.0005;
    case 2:
        // next to a half of the last place
        return (floor(value * 1e12) + 0.5) / 1e12;
    default:
        return value;
    }
}

TEST(numbers_are_spelled_as_one_by_one)
{
    lb_random random = test_seed(5);
    for (int run = 0; run < 20000; run++) {
        double values[MOST];
        int count = run % (MOST + 1);
        for (int i = 0; i < count; i++)
            values[i] = make_value(&random, (int)(lb_random_next(&random) % 30));
        check_row(values, count);
    }
}

/* where digits carry, where %g takes an exponent, where a second digit comes before the point */
TEST(edges_are_spelled_as_one_by_one)
{
    static const double edges[] = {0,
                                   1e-4,
                                   1,
                                   2,
                                   9,
                                   10,
                                   99,
                                   1000,
                                   1e15,
                                   5e-13,
                                   1e-12,
                                   0.1,
                                   0.9999999999995,
                                   0.5,
                                   0.123456789,
                                   1e300,
                                   0.3,
                                   1e-5,
                                   9.9999999999995};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double below = nextafter(edges[i], 0), above = nextafter(edges[i], INFINITY);
            check_row((double[]){sign * edges[i], 0.5}, 2);
            check_row((double[]){sign * below, 0.5}, 2);
            check_row((double[]){sign * above, 0.5}, 2);
        }
    // every digit at every place
    for (int digit = 0; digit < 10; digit++)
        for (int place = 0; place < 13; place++)
            check_row((double[]){1 + digit / pow(10, place), digit / pow(10, place)}, 2);
}
