/*
 * test_numbers.c - decimals read together: at every width what number_read gives for each, up to
 * the first that is of no usual kind.
 */
#include "base/number.h"
#include "kernel/ops.h"
#include "support.h"

enum { FRONT = 16, MOST = 200, MARGIN = 72, ROOM = FRONT + 32 * MOST + MARGIN };

/* the widths that read numbers, on this machine */
static const kernel_ops *const *instances(void)
{
    static const kernel_ops *found[4];
    int count = 0;
    for (int width = 4; width <= KERNEL_MAX_WIDTH; width *= 2)
        if (kernel_choose(width)->width == width && kernel_choose(width)->numbers != NULL)
            found[count++] = kernel_choose(width);
    return found;
}

static int below(lb_random *random, int n)
{
    return (int)(lb_random_next(random) % (uint32_t)n);
}

/* a number as files have them, or with `odd` one that is not read together */
static void make_number(lb_random *random, bool odd, char text[32])
{
    static const char *const others[] = {"+1",   "1e5",   "1.5e-3",
                                         "",     "-",     ".",
                                         "-.",   "1.2.3", "1,5",
                                         "0x1",  "nan",   "{",
                                         "--1",  "1-",    "1234567890123456",
                                         "1/2",  ":5",    "0.000000012345678901",
                                         "1\x7f"};
    if (odd) {
        strcpy(text, others[below(random, (int)(sizeof others / sizeof *others))]);
        return;
    }
    // some lengths often, others seldom
    int most = below(random, 3) == 0 ? 15 : 7, digits = 1 + below(random, most);
    int places = below(random, digits < 7 ? digits + 1 : 8), at = 0;
    if (below(random, 2))
        text[at++] = '-';
    for (int i = 0; i < digits; i++) {
        if (i == digits - places && below(random, 8) > 0)
            text[at++] = '.';
        text[at++] = (char)('0' + below(random, 10));
    }
    if (places == 0 && below(random, 4) == 0)
        text[at++] = '.';
    text[at] = '\0';
}

/* a line, and where its numbers end; `odd`: the number that is not read together, -1: none */
typedef struct line {
    char text[ROOM];
    int count, odd;
    double values[MOST];
    size_t stops[MOST], size;
} line;

static void make_line(lb_random *random, int count, int odd, line *out)
{
    static const char blanks[] = "   \t", ends[] = "\n\r";
    memset(out->text, '7', FRONT);
    *out = (line){.count = count, .odd = odd, .size = FRONT};
    for (int i = 0; i < count; i++) {
        char number[32];
        make_number(random, i == odd, number);
        size_t size = strlen(number);
        memcpy(out->text + out->size, number, size);
        out->size += size;
        out->stops[i] = out->size;
        out->text[out->size++] = i + 1 < count ? blanks[below(random, 4)] : ends[below(random, 2)];
        if (i != odd && number_read(number, size, &out->values[i]) != NULL)
            fail_msg("'%s' is no number", number);
    }
}

static void check_line(const kernel_ops *ops, const line *from, size_t end, int wanted)
{
    double values[MOST];
    const char *at = from->text + FRONT;
    int expected = from->odd >= 0 && from->odd < wanted ? from->odd : wanted;
    memset(values, 0xff, sizeof values);
    int count = ops->numbers(&at, from->text + end, values, wanted);
    assert_true(count <= expected);
    // only what is near to the end is left
    if (count < expected)
        assert_true(from->stops[count] + 2 * MARGIN > end);
    assert_ptr_equal(at, from->text + (count > 0 ? from->stops[count - 1] : FRONT));
    for (int i = 0; i < count; i++)
        if (memcmp(&values[i], &from->values[i], sizeof *values) != 0)
            fail_msg("number %d of '%s' is %a, not %a (width %d)", i, from->text + FRONT, values[i],
                     from->values[i], ops->width);
}

TEST(numbers_are_read_as_one_by_one)
{
    static line made;
    lb_random random = test_seed(3);
    for (int run = 0; run < 20000; run++) {
        int count = 1 + below(&random, run % 10 == 0 ? MOST : 20);
        make_line(&random, count, run % 3 == 0 ? below(&random, count) : -1, &made);
        // what follows on the next line is not read
        size_t end = made.size + MARGIN + 64;
        memset(made.text + made.size, run % 2 ? '5' : ' ', end - made.size);
        for (const kernel_ops *const *ops = instances(); *ops != NULL; ops++) {
            check_line(*ops, &made, end, count);
            check_line(*ops, &made, end, 1 + below(&random, count));
            // a line that is wanted to be longer than it is ends where it ends
            const char *at = made.text + FRONT;
            double values[MOST + 1];
            assert_true((*ops)->numbers(&at, made.text + end, values, count + 1) <= count);
        }
    }
}

/* a text is never read behind its end, wherever that is */
TEST(nothing_is_read_behind_the_end)
{
    static line made;
    lb_random random = test_seed(4);
    make_line(&random, 40, -1, &made);
    for (size_t end = FRONT; end <= made.size; end++) {
        owned char *copy = malloc(end);
        assert_non_null(copy);
        memcpy(copy, made.text, end);
        for (const kernel_ops *const *ops = instances(); *ops != NULL; ops++) {
            const char *at = copy + FRONT;
            double values[MOST];
            int count = (*ops)->numbers(&at, copy + end, values, made.count);
            assert_memory_equal(values, made.values, sizeof *values * (size_t)count);
        }
    }
}
