/* test_status.c - statuses, errors, memory and random numbers. */
#include "base/error.h"
#include "base/memory.h"
#include "support.h"

#include <stdalign.h>

/* ---- statuses and errors ------------------------------------------------ */

TEST(every_status_has_a_text)
{
    assert_string_equal(lb_status_text(LB_OK), "ok");
    for (int a = LB_OK; a <= LB_UNSUPPORTED; a++)
        for (int b = LB_OK; b < a; b++)
            assert_string_not_equal(lb_status_text((lb_status)a), lb_status_text((lb_status)b));
    assert_string_equal(lb_status_text((lb_status)1000), "unknown status");
}

TEST(errors_are_filled)
{
    lb_error error = {.column = 7, .path = "arm.urdf"};
    lb_status status = lb_error_set(&error, LB_BAD_VALUE, 41, "joint '%s': %d", "elbow", 3);
    assert_int_equal(status, LB_BAD_VALUE);
    assert_int_equal(error.status, LB_BAD_VALUE);
    assert_int_equal(error.line, 41);
    assert_int_equal(error.column, 0);
    assert_string_equal(error.path, "arm.urdf");
    assert_string_equal(error.message, "joint 'elbow': 3");

    // reading it is not required
    assert_int_equal(lb_error_set(NULL, LB_NOT_FOUND, 1, "nothing"), LB_NOT_FOUND);
}

TEST(long_messages_are_cut)
{
    char name[2 * LB_ERROR_MESSAGE_SIZE];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    lb_error error;
    lb_error_set(&error, LB_BAD_VALUE, 0, "joint '%s'", name);
    assert_int_equal(strlen(error.message), LB_ERROR_MESSAGE_SIZE - 1);
    assert_memory_equal(error.message, "joint 'xxx", 10);
}

/* messages are one line that is no command to a terminal, whatever the texts in them are */
TEST(messages_hold_no_control_characters)
{
    lb_error error;
    lb_error_set(&error, LB_BAD_VALUE, 0, "link '%s'",
                 "\033[31m\n\x7f\xc2\x9b"
                 "1m \xc3\x9b");
    assert_string_equal(error.message, "link '?[31m????1m \xc3\x9b'");
    // a file names others, so paths are hidden, too
    error_begin(&error, "a\033[1m\xc2\x9b.xml");
    assert_string_equal(error.path, "a?[1m??.xml");
}

/* ---- memory ------------------------------------------------------------- */

TEST(arrays_are_zeroed)
{
    test_memory memory = {.fail_at = -1};
    lb_allocator allocator = test_memory_allocator(&memory);
    int *numbers = memory_take(&allocator, 100, sizeof *numbers);
    assert_non_null(numbers);
    for (int i = 0; i < 100; i++)
        assert_int_equal(numbers[i], 0);
    memory_release(&allocator, numbers);
    memory_release(&allocator, NULL);

    // an array of nothing is still something to release
    void *nothing = memory_take(&allocator, 0, sizeof *numbers);
    assert_non_null(nothing);
    memory_release(&allocator, nothing);
    assert_int_equal(memory.live, 0);
}

TEST(sizes_that_overflow_are_refused)
{
    test_memory memory = {.fail_at = -1};
    lb_allocator allocator = test_memory_allocator(&memory);
    assert_null(memory_take(&allocator, SIZE_MAX / 2, 3));
    assert_int_equal(memory.allocations, 0);

    memory_arena arena = {0};
    memory_arena_take(&arena, 10, 8);
    assert_false(arena.overflow);
    memory_arena_take(&arena, SIZE_MAX / 2, 3);
    assert_true(arena.overflow);

    // two sizes that fit alone and not together; and it stays so
    arena = (memory_arena){0};
    memory_arena_take(&arena, SIZE_MAX / 2 + 1, 1);
    assert_false(arena.overflow);
    memory_arena_take(&arena, SIZE_MAX / 2 + 1, 1);
    assert_true(arena.overflow);
    memory_arena_take(&arena, 1, 1);
    assert_true(arena.overflow);
}

TEST(arenas_align_and_do_not_overlap)
{
    alignas(max_align_t) unsigned char block[256];
    memory_arena arena = {.block = block};
    char *text = memory_arena_text(&arena, 3);
    double *numbers = memory_arena_take(&arena, 2, sizeof *numbers);
    char *more = memory_arena_text(&arena, 1);
    assert_ptr_equal(text, block);
    assert_int_equal((uintptr_t)numbers % alignof(max_align_t), 0);
    assert_true((char *)numbers >= text + 3);
    assert_ptr_equal(more, (char *)(numbers + 2));
    assert_int_equal(arena.used, (size_t)(more + 1 - (char *)block));
}

/* ---- random numbers ----------------------------------------------------- */

TEST(random_numbers_are_those_of_pcg)
{
    // pcg32_oneseq seeded with 42, as O'Neill's own check program prints it
    const uint32_t expected[] = {0xc2f57bd6, 0x6b07c4a9, 0x72b7b29b,
                                 0x44215383, 0xf5af5ead, 0x68beb632};
    lb_random random = lb_random_seed(42);
    for (int i = 0; i < 6; i++)
        assert_int_equal(lb_random_next(&random), expected[i]);
}

TEST(random_units_are_uniform)
{
    enum { COUNT = 100000, BINS = 20 };
    lb_random random = test_seed(7);
    int bins[BINS] = {0};
    double sum = 0;
    for (int i = 0; i < COUNT; i++) {
        double u = lb_random_unit(&random);
        assert_true(u >= 0 && u < 1);
        sum += u;
        bins[(int)(BINS * u)]++;
    }

    // five standard deviations of the mean, and of a bin's count
    assert_near(sum / COUNT, 0.5, 5 * sqrt(1.0 / 12 / COUNT));
    for (int i = 0; i < BINS; i++)
        assert_near(bins[i], (double)COUNT / BINS, 5 * sqrt((double)COUNT / BINS));
}

TEST(random_ranges_are_kept)
{
    const double big = 1.7e308;
    const double ranges[][2] = {{0, 1},           {-2, 3},        {5, 5},    {-big, big},
                                {1, 1 + 0x1p-52}, {0, 0x1p-1074}, {0.1, 0.1}};
    lb_random random = test_seed(8);
    for (int k = 0; k < 7; k++)
        for (int i = 0; i < 1000; i++) {
            double lower = ranges[k][0], upper = ranges[k][1];
            double value = lb_random_between(&random, lower, upper);
            assert_true(value >= lower && (value < upper || lower == upper));
            assert_true(value == lower || lower < upper);
        }
}
