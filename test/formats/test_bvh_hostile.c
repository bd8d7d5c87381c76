/*
 * test_bvh_hostile.c - BVH files that are wrong: refused with place and reason, in memory that the
 * file's size bounds.
 */
#include "bvh_text.h"
#include "loading.h"

/* the last number has one digit: every shorter text lacks a number */
static const char small[] = "HIERARCHY\nROOT hips\n{\n  OFFSET 0 1 0\n"
                            "  CHANNELS 4 Xposition Zrotation Yrotation Xrotation\n"
                            "  JOINT leg { OFFSET 0 -4 0 CHANNELS 1 Zrotation\n"
                            "    End Site { OFFSET 0 -3.5 0 } }\n}\n"
                            "MOTION\nFrames: 2\nFrame Time: .04\n"
                            "0 1 -2 3.25 4\n0 10 200 1e1 5";

#define ROOT(inside) "HIERARCHY\nROOT r {\n" inside "}\nMOTION\nFrames: 1\nFrame Time: 1\n0\n"
#define MOTION(rest)                                                                               \
    "HIERARCHY\nROOT r { OFFSET 0 0 0 CHANNELS 2 Xrotation Yrotation }\nMOTION\n" rest

static const refusal refusals[] = {
    {"\xff\xfeH", LB_SYNTAX_ERROR, 1, "the text is UTF-16; save it as UTF-8"},
    {"\xe9HIERARCHY\n", LB_SYNTAX_ERROR, 1, "not '?HIERARCHY'"},
    {"HIERACHY\n", LB_SYNTAX_ERROR, 1, "begins with the word HIERARCHY, not 'HIERACHY'"},
    {"HIERARCHY\nMOTION\n", LB_SYNTAX_ERROR, 2, "no ROOT before MOTION"},
    {"HIERARCHY\nJOINT a { }", LB_SYNTAX_ERROR, 2, "JOINT is outside of any ROOT"},
    {"HIERARCHY\nEnd Site { }", LB_SYNTAX_ERROR, 2, "End is outside of any ROOT"},
    {"HIERARCHY\nROOT\n{", LB_SYNTAX_ERROR, 2, "the ROOT has no name"},
    {"HIERARCHY\nROOT a\nOFFSET 0 0 0", LB_SYNTAX_ERROR, 3, "'{' is wanted, not 'OFFSET'"},
    {"HIERARCHY\nROOT a {\nROOT b { } }", LB_SYNTAX_ERROR, 3, "ROOT is inside of another joint"},
    {"HIERARCHY\n}", LB_SYNTAX_ERROR, 2, "a '}' closes no joint"},
    {"HIERARCHY\nSKELETON x", LB_SYNTAX_ERROR, 2, "'SKELETON' is not known here; a ROOT or MOTION"},
    {ROOT("LENGTH 1\n"), LB_SYNTAX_ERROR, 3, "'LENGTH' is not known here; OFFSET, CHANNELS"},
    {ROOT("CHANNELS 1 Xrotation\n"), LB_SYNTAX_ERROR, 4, "joint 'r' has no OFFSET"},
    {ROOT("OFFSET 0 0 0\nOFFSET 0 0 0\n"), LB_SYNTAX_ERROR, 4, "joint 'r' has two OFFSETs"},
    {ROOT("OFFSET 0 0\n"), LB_SYNTAX_ERROR, 4, "joint 'r': OFFSET: '}' is not a number"},
    {ROOT("OFFSET 0 0 nan\n"), LB_SYNTAX_ERROR, 3, "'nan' is not a finite number"},
    {ROOT("OFFSET 0 0 1e16\n"), LB_SYNTAX_ERROR, 3, "'1e16' is beyond 1e15"},
    {ROOT("OFFSET 0 0 0\nCHANNELS 2 Xrotation\n"), LB_SYNTAX_ERROR, 5,
     "CHANNELS states 2, but after 1 there is '}'"},
    {ROOT("OFFSET 0 0 0\nCHANNELS 1 Xrotation Yrotation\n"), LB_SYNTAX_ERROR, 4,
     "'Yrotation' is not known here"},
    {ROOT("OFFSET 0 0 0\nCHANNELS 2147483648 Xrotation\n"), LB_SYNTAX_ERROR, 4,
     "'2147483648' is not a count from 0 to 64"},
    {ROOT("OFFSET 0 0 0\nCHANNELS -1\n"), LB_SYNTAX_ERROR, 4, "is not a count"},
    {ROOT("OFFSET 0 0 0\nCHANNELS 1.5\n"), LB_SYNTAX_ERROR, 4, "is not a count"},
    {ROOT("OFFSET 0 0 0\nCHANNELS 1 Wrotation\n"), LB_SYNTAX_ERROR, 4, "'Wrotation', which is no"},
    {ROOT("OFFSET 0 0 0\nCHANNELS 2 Xposition Xposition\n"), LB_SYNTAX_ERROR, 4,
     "the channel Xposition is listed twice"},
    {ROOT("OFFSET 0 0 0\nCHANNELS 1 Xrotation\nCHANNELS 1 Xrotation\n"), LB_SYNTAX_ERROR, 5,
     "two lists of CHANNELS"},
    {ROOT("OFFSET 0 0 0\nEnd Site { OFFSET 0 0 0\nCHANNELS 1 Xrotation }\n"), LB_SYNTAX_ERROR, 5,
     "the End Site of 'r' has CHANNELS"},
    {ROOT("OFFSET 0 0 0\nEnd Site { OFFSET 0 0 0\nJOINT x { } }\n"), LB_SYNTAX_ERROR, 5,
     "JOINT is inside of an End Site"},
    {ROOT("OFFSET 0 0 0\n"), LB_BAD_VALUE, 7, "1 frames, but no joint has CHANNELS"},
    {MOTION(""), LB_SYNTAX_ERROR, 4, "after MOTION comes 'Frames:'"},
    {MOTION("Frames: two\n"), LB_SYNTAX_ERROR, 4, "Frames: 'two' is not a number"},
    {MOTION("Frames: 1.5\n"), LB_BAD_VALUE, 4, "Frames: 1.5 is not a count"},
    {MOTION("Frames: -1\n"), LB_BAD_VALUE, 4, "Frames: -1 is not a count"},
    {MOTION("Frames: 2147483648\n"), LB_BAD_VALUE, 4, "is not a count from 0 to 2147483647"},
    {MOTION("Frames: 1 2\n"), LB_SYNTAX_ERROR, 4, "is followed by something else"},
    {MOTION("Frames: 1\nTime: 1\n"), LB_SYNTAX_ERROR, 5, "after Frames comes 'Frame Time:'"},
    {MOTION("Frames: 2\nFrame Time: 0\n"), LB_BAD_VALUE, 5, "Frame Time: 0 is not positive"},
    {MOTION("Frames: 2\nFrame Time: -1\n"), LB_BAD_VALUE, 5, "Frame Time: -1 is not positive"},
    {MOTION("Frames: 2\nFrame Time: 1e300\n"), LB_BAD_VALUE, 5, "Frame Time: 1e+300 is beyond"},
    {MOTION("Frames: 2\nFrame Time: 1\n0 0\n"), LB_SYNTAX_ERROR, 7,
     "Frames: states 2, but there are only 1"},
    {MOTION("Frames: 2147483647\nFrame Time: 1\n0 0\n0 0\n"), LB_SYNTAX_ERROR, 8,
     "Frames: states 2147483647, but there are only 2"},
    {MOTION("Frames: 1\nFrame Time: 1\n0 0\n\n0 0\n"), LB_SYNTAX_ERROR, 8,
     "Frames: states 1, but more follows here"},
    {MOTION("Frames: 1\nFrame Time: 1\n0\n0\n"), LB_SYNTAX_ERROR, 6,
     "frame 0 has 1 numbers, the hierarchy 2 channels"},
    {MOTION("Frames: 1\nFrame Time: 1\n0 0 0\n"), LB_SYNTAX_ERROR, 6,
     "frame 0 has more numbers than the hierarchy has channels, 2"},
    {MOTION("Frames: 2\nFrame Time: 1\n0 0\n0 1,5\n"), LB_BAD_VALUE, 7,
     "frame 1, number 2: '1,5' is not a number"},
    {MOTION("Frames: 1\nFrame Time: 1\n0 inf\n"), LB_BAD_VALUE, 6, "'inf' is not a finite number"},
    {MOTION("Frames: 1\nFrame Time: 1\n0 1e16\n"), LB_BAD_VALUE, 6, "'1e16' is beyond 1e15"},
};

TEST(refusals_name_place_and_remedy)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        check_refusal("bad.bvh", &refusals[i]);
}

/* the same text as a whole, its clip included */
static lb_status read_hostile(const char *text, size_t size, const lb_allocator *allocator)
{
    owned_bvh *bvh = NULL;
    lb_error error = {0};
    lb_bvh_options options = {.load = {.allocator = allocator}};
    lb_status status = lb_bvh_load_memory("small.bvh", text, size, &options, &bvh, &error);
    assert_int_equal(bvh != NULL, status == LB_OK);
    assert_int_equal(error.message[0] != '\0', status != LB_OK);
    return status;
}

TEST(every_beginning_is_refused)
{
    load_truncated("small.bvh", small);
    for (size_t size = 0; size + 1 < sizeof small; size++)
        assert_int_not_equal(read_hostile(small, size, NULL), LB_OK);
}

TEST(every_byte_may_be_another)
{
    load_patched("small.bvh", small);
}

TEST(every_allocation_may_fail)
{
    load_without_memory("small.bvh", small);
    ALLOCATIONS_FAIL (run, 10000)
        run.status = read_hostile(small, sizeof small - 1, &run.allocator);

    // writing, too
    owned_bvh *bvh = bvh_read(small, NULL);
    ALLOCATIONS_FAIL (run, 10000) {
        grown to = {0};
        run.status = lb_bvh_write(bvh, lb_bvh_clip(bvh), grown_add, &to, &run.allocator, NULL);
        free(to.text);
    }
}

/* ---- memory ------------------------------------------------------------- */

/* An allocator that counts bytes. */
typedef struct byte_count {
    size_t live, most;
} byte_count;

static void *count_allocate(void *user, size_t size)
{
    byte_count *count = user;
    size_t *block = malloc(size + 2 * sizeof(size_t));
    if (block == NULL)
        return NULL;
    *block = size;
    count->live += size;
    count->most = count->live > count->most ? count->live : count->most;
    return block + 2;
}

static void count_release(void *user, void *memory)
{
    byte_count *count = user;
    size_t *block = memory;
    if (block == NULL)
        return;
    count->live -= block[-2];
    free(block - 2);
}

/* a count that is a lie takes no memory that the text does not fill */
TEST(counts_reserve_nothing)
{
    static const char *const lies[] = {
        MOTION("Frames: 2147483647\nFrame Time: 1\n0 0\n"),
        ROOT("OFFSET 0 0 0\nCHANNELS 64 Xrotation\n"),
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        byte_count count = {0};
        lb_allocator allocator = {count_allocate, count_release, &count};
        assert_int_not_equal(read_hostile(lies[i], strlen(lies[i]), &allocator), LB_OK);
        assert_true(count.most < 8192);
        assert_true(count.live == 0);
    }
}

/* 100,000 frames: a number of the file is one in the table, and at most two in the clip's poses */
TEST(long_captures_take_what_their_numbers_take)
{
    enum { FRAMES = 100000, CHANNELS = 12 };
    static const char head[] =
        "HIERARCHY\nROOT r { OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation "
        "Xrotation Yrotation\nJOINT a { OFFSET 0 9 0 CHANNELS 3 Zrotation Xrotation Yrotation\n"
        "JOINT b { OFFSET 0 9 0 CHANNELS 3 Zrotation Xrotation Yrotation } } }\n"
        "MOTION\nFrames: 100000\nFrame Time: 0.0083333\n";
    static const char row[] = "1.25 90.5 -3.75 10.123 -20.456 30.789 1 2 3 -4.5 5.25 -6.125\n";
    size_t size = strlen(head) + FRAMES * strlen(row);
    char *text = malloc(size + 1), *at = text + strlen(head);
    assert_non_null(text);
    strcpy(text, head);
    for (int i = 0; i < FRAMES; i++, at += strlen(row))
        memcpy(at, row, strlen(row));

    byte_count count = {0};
    lb_allocator allocator = {count_allocate, count_release, &count};
    assert_ok(read_hostile(text, size, &allocator));
    size_t numbers = FRAMES * CHANNELS * sizeof(double);
    print_message("%zu bytes at most for %zu of numbers\n", count.most, numbers);
    assert_true(count.most < 5 * numbers / 2);
    assert_true(count.live == 0);
    free(text);
}

/* a chain of 20,000 joints: nothing recurses, nothing is of its square */
TEST(deep_chains_are_read_and_written)
{
    enum { DEPTH = 20000 };
    static char text[DEPTH * 40 + 200];
    size_t size = (size_t)sprintf(text, "HIERARCHY\n");
    for (int i = 0; i < DEPTH; i++)
        size +=
            (size_t)sprintf(text + size, "%s j%d { OFFSET 0 0 1\n", i ? "JOINT" : "ROOT", i % 7);
    memset(text + size, '}', DEPTH);
    strcpy(text + size + DEPTH, "\nMOTION\nFrames: 0\nFrame Time: 1\n");
    owned_bvh *bvh = bvh_read(text, NULL);
    assert_int_equal(lb_model_joint_count(lb_bvh_model(bvh)), DEPTH);
    grown written = bvh_written(bvh, NULL);
    lb_bvh *again = bvh_read(written.text, NULL);
    assert_int_equal(lb_model_joint_count(lb_bvh_model(again)), DEPTH);
    lb_bvh_release(again);
    free(written.text);
}

TEST(arguments_are_refused_by_name)
{
    lb_bvh *bvh = (lb_bvh *)(uintptr_t)1;
    assert_int_equal(lb_bvh_load(NULL, NULL, &bvh, &cause), LB_INVALID_ARGUMENT);
    assert_null(bvh);
    assert_int_equal(lb_bvh_load_memory("a", NULL, 0, NULL, &bvh, &cause), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_bvh_load_memory("a", "", 0, NULL, NULL, &cause), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_bvh_load("there-is-none.bvh", NULL, &bvh, &cause), LB_FILE_ERROR);
    assert_string_equal(cause.path, "there-is-none.bvh");
    static const double units[] = {-1, 1e-10, 1e10, NAN};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        lb_bvh_options options = {.unit = units[i]};
        assert_int_equal(lb_bvh_load_memory("a", small, sizeof small - 1, &options, &bvh, &cause),
                         LB_INVALID_ARGUMENT);
    }
    lb_bvh_release(NULL);
    assert_true(lb_bvh_unit("inch") == 0.0254 && lb_bvh_unit("foot") == 0);
    assert_string_equal(lb_bvh_channel_text(LB_BVH_Z_ROTATION), "Zrotation");
    assert_string_equal(lb_bvh_channel_text(LB_BVH_CHANNEL_COUNT), "");
    assert_string_equal(lb_bvh_up_text(LB_BVH_UP_COUNT), "");
}
