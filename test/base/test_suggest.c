/* test_suggest.c - which name is suggested for one that is not known. */
#include "base/suggest.h"

#include "harness.h"

#include <limber/base.h>

static const char *const links[] = {"panda_link0",      "panda_link1", "panda_hand",
                                    "panda_leftfinger", "tool",        "Base"};

static suggest nearest;

static const char *phrase_for(const char *name)
{
    nearest = suggest_start(name);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        suggest_consider(&nearest, links[i]);
    return suggest_phrase(&nearest);
}

TEST(test_mistakes)
{
    assert_string_equal(phrase_for("panda_hnd"), "; did you mean 'panda_hand'?");
    assert_string_equal(phrase_for("panda_hnad"), "; did you mean 'panda_hand'?");
    assert_string_equal(phrase_for("panda_handd"), "; did you mean 'panda_hand'?");
    assert_string_equal(phrase_for("PANDA_HAND"), "; did you mean 'panda_hand'?");
    assert_string_equal(phrase_for("base"), "; did you mean 'Base'?");
    assert_string_equal(phrase_for("tol"), "; did you mean 'tool'?");
}

/* of equally near names the first, and a swap counts as one mistake */
TEST(test_order)
{
    assert_string_equal(phrase_for("panda_link9"), "; did you mean 'panda_link0'?");
    assert_string_equal(phrase_for("panda_lnik1"), "; did you mean 'panda_link1'?");
}

TEST(test_parts)
{
    assert_string_equal(phrase_for("finger"), "; did you mean 'panda_leftfinger'?");
    assert_string_equal(phrase_for("hand"), "; did you mean 'panda_hand'?");
}

/* a name in a file may be as long as the file: looking for it takes no square of that */
TEST(test_names_as_long_as_a_file)
{
    enum { LENGTH = 1000000 };
    static char text[LENGTH], part[LENGTH / 2];
    memset(text, 'a', sizeof text - 1);
    memset(part, 'a', sizeof part - 1);
    part[sizeof part - 2] = 'b';
    nearest = suggest_start(part);
    suggest_consider(&nearest, text);
    assert_true(suggest_phrase(&nearest)[0] != '\0');
}

TEST(test_nothing_near)
{
    assert_string_equal(phrase_for("elephant"), "");
    assert_string_equal(phrase_for(""), "");
    nearest = suggest_start("w");
    suggest_consider(&nearest, "x");
    assert_string_equal(suggest_phrase(&nearest), "");
    suggest_consider(&nearest, "W");
    assert_string_equal(suggest_phrase(&nearest), "; did you mean 'W'?");
    nearest = suggest_start("anything");
    assert_string_equal(suggest_phrase(&nearest), "");
}

/* names beyond the table's size neither overrun nor lose the suggestion */
TEST(test_long_names)
{
    char name[500], other[500];
    memset(name, 'a', sizeof name - 1);
    memset(other, 'a', sizeof other - 1);
    name[sizeof name - 1] = other[sizeof other - 1] = '\0';
    other[10] = 'b';
    nearest = suggest_start(name);
    suggest_consider(&nearest, other);
    assert_ptr_equal(nearest.best, other);
    assert_int_equal(nearest.distance, 1);
    assert_true(strlen(suggest_phrase(&nearest)) < SUGGEST_PHRASE_SIZE);
}

/* one of several: its place, or what is near it, or the whole list */
TEST(test_choices)
{
    static const char *const colours[] = {"red", "green", "blue"};
    assert_int_equal(suggest_choice(&nearest, "green", colours, 3), 1);
    assert_int_equal(suggest_choice(&nearest, "gren", colours, 3), -1);
    assert_string_equal(nearest.phrase, "; did you mean 'green'?");
    assert_int_equal(suggest_choice(&nearest, "elephant", colours, 3), -1);
    assert_string_equal(nearest.phrase, "; there are red, green and blue");
    assert_int_equal(suggest_choice(&nearest, "elephant", colours, 0), -1);
    assert_string_equal(nearest.phrase, "");

    // as much of a long list as there is room for
    char name[120];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    const char *const names[] = {name, name, name};
    assert_int_equal(suggest_choice(&nearest, "elephant", names, 3), -1);
    assert_int_equal(strlen(nearest.phrase), SUGGEST_PHRASE_SIZE - 1);
}

/* what programs call: the index of the nearest, the first of equals */
TEST(nearest_name_is_an_index)
{
    static const char *const names[] = {"shoulder", "elbow", "elbow_2", "wrist"};
    assert_int_equal(lb_nearest_name("elbwo", names, 4), 1);
    assert_int_equal(lb_nearest_name("Wrst", names, 4), 3);
    assert_int_equal(lb_nearest_name("oulde", names, 4), 0);
    assert_int_equal(lb_nearest_name("knee", names, 4), -1);
    assert_int_equal(lb_nearest_name("elbow", names, 0), -1);
}

/* one wrong letter each: a name's beginning is seldom mistyped */
TEST(test_ties)
{
    static const char *const names[] = {"kr6", "ur5", "ur10"};
    for (int turn = 0; turn < 2; turn++) {
        nearest = suggest_start("ur6");
        suggest_consider(&nearest, names[turn]);
        suggest_consider(&nearest, names[1 - turn]);
        assert_string_equal(suggest_phrase(&nearest), "; did you mean 'ur5'?");
    }
    assert_int_equal(lb_nearest_name("ur6", names, 3), 1);
}
