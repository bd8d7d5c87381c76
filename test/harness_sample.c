/*
 * harness_sample.c - tests that pass, fail and are skipped, for harness.sh. Each part acts as a
 * file of its own.
 */
#include "harness.h"

#line 1 "test_passing.c"
TEST(the_first_passes)
{
    assert_true(1);
}

TEST(another_passes)
{
    assert_true(1);
}

#line 1 "test_failing.c"
TEST(one_fails)
{
    assert_true(0);
}

TEST(another_fails)
{
    assert_true(0);
}

#line 1 "test_number.c"
TEST_ARGUMENT(number, 2, 6)

TEST(the_second_argument_is_seven)
{
    assert_int_equal(number, 7);
    assert_string_equal(test_word(1), "word");
}

#line 1 "test_skipped.c"
TEST(what_is_skipped_would_fail)
{
    assert_true(0);
}

TEST_SKIP("there is a reason")

#line 1 "test_unready.c"
TEST(what_is_not_ready_does_not_run)
{
    assert_true(1);
}

static int do_not_begin(void)
{
    return 3;
}

TEST_FIXTURE(do_not_begin, NULL)
