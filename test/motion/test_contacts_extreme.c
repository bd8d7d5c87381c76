/*
 * test_contacts_extreme.c - contacts with spans far from their clip, with options at the ends of
 * what is accepted, and many of them: finite results, in a time that grows as their number does.
 */
#include <float.h>
#include <limber/contacts.h>
#include <limber/formats/motion_json.h>

#include "support.h"
#include "support_growth.h"

static lb_contacts *make_contacts(void)
{
    const lb_contact_point point = {.link = 1};
    lb_contacts *contacts = NULL;
    assert_ok(lb_contacts_create(&point, 1, NULL, &contacts, NULL));
    return contacts;
}

/* up a slope of a tenth, one metre a second; two keys */
static lb_clip *make_climb(const lb_model *model, double begin, double end)
{
    double times[2] = {begin, end}, length = end - begin;
    double keys[14] = {0, 0, 0, 1, 0, 0, 0, length, 0, 0.1 * length, 1, 0, 0, 0};
    return test_clip(model, times, keys, end > begin ? 2 : 1, LB_INTERPOLATION_LINEAR);
}

/* the ground under these contacts: a unit vector, whatever their spans are */
static lb_vec3 check_ground(const lb_contacts *contacts, const lb_clip *clip)
{
    lb_vec3 normal;
    assert_ok(lb_contacts_find_ground(contacts, clip, &normal, NULL));
    assert_near(lb_vec3_length(normal), 1, 1e-12);
    return normal;
}

/* ---- numbers ------------------------------------------------------------ */

/* spans of which no sample of the clip is, and one that holds it all */
TEST(spans_may_be_far_from_the_clip)
{
    static const lb_contact_span spans[] = {
        {-DBL_MAX, -1e300}, {-1e299, -1e15}, {-1e14, -1e14}, {-1e9, -1},   {0.5, 0.75},
        {0.8, 1},           {3, 1e9},        {1e10, 1e11},   {1e15, 1e16}, {1e300, DBL_MAX}};
    owned_model *model = test_single(LB_JOINT_FLOATING);
    owned_clip *clip = make_climb(model, 0, 2);
    owned_contacts *contacts = make_contacts();
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        assert_ok(lb_contacts_add(contacts, 0, spans[i].begin, spans[i].end, NULL));
        check_ground(contacts, clip);
    }
    assert_ok(lb_contacts_add(contacts, 0, -DBL_MAX, DBL_MAX, NULL));
    lb_vec3 normal = check_ground(contacts, clip);
    assert_true(normal.z == 1);
}

/* what shifts a span out of the numbers that there are is refused, and nothing is changed */
TEST(shifts_keep_spans_finite)
{
    owned_contacts *contacts = make_contacts();
    assert_ok(lb_contacts_add(contacts, 0, 1, 2, NULL));
    assert_ok(lb_contacts_add(contacts, 0, 3, 1e308, NULL));
    assert_int_equal(lb_contacts_shift(contacts, 1e308, NULL), LB_INVALID_ARGUMENT);
    int count;
    const lb_contact_span *spans = lb_contacts_spans(contacts, 0, &count);
    assert_int_equal(count, 2);
    assert_true(spans[0].begin == 1 && spans[1].begin == 3 && spans[1].end == 1e308);
}

/* every option as large and as small as it may be, on a clip and on a single pose */
TEST(options_may_be_extreme)
{
    static const size_t offsets[] = {
        offsetof(lb_contact_options, leave_height), offsetof(lb_contact_options, leave_speed),
        offsetof(lb_contact_options, shortest),     offsetof(lb_contact_options, gap),
        offsetof(lb_contact_options, drift),        offsetof(lb_contact_options, rate),
        offsetof(lb_contact_options, settle),       offsetof(lb_contact_options, stray)};
    static const double values[] = {DBL_TRUE_MIN, 1e-310, 1e-300, 1e-9, 1e9, 1e300, DBL_MAX};
    owned_model *model = test_single(LB_JOINT_FLOATING);
    owned_contacts *contacts = make_contacts();
    int detected = 0;
    for (int single = 0; single < 2; single++) {
        owned_clip *clip = make_climb(model, 0, single ? 0 : 2);
        for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++)
            for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
                lb_contact_options options = lb_contact_options_default();
                memcpy((char *)&options + offsets[i], &values[k], sizeof *values);
                options.enter_height = fmin(options.enter_height, options.leave_height);
                options.enter_speed = options.leave_speed = fmax(2, options.leave_speed);
                if (lb_contacts_detect(contacts, clip, &options, NULL) != LB_OK)
                    continue;
                int count;
                const lb_contact_span *spans = lb_contacts_spans(contacts, 0, &count);
                for (int s = 0; s < count; s++)
                    assert_true(spans[s].begin >= 0 && spans[s].end <= 2);
                assert_ok(lb_contacts_measure_heights(contacts, clip, &options, NULL));
                assert_true(isfinite(lb_contacts_points(contacts)[0].height));
                detected++;
            }
    }
    assert_true(detected > 80);
}

/* ---- numbers of spans --------------------------------------------------- */

enum { MANY = 200000 };

/* a span in each second of a long climb, no two at one place; compared with each other they take a
   minute, as in a file */
static clock_t time_ground(int count)
{
    owned_model *model = test_single(LB_JOINT_FLOATING);
    owned_clip *clip = make_climb(model, 0, count);
    owned_contacts *contacts = make_contacts();
    clock_t before = clock();
    for (int i = 0; i < count; i++)
        assert_ok(lb_contacts_add(contacts, 0, i, i + 0.5, NULL));
    lb_vec3 normal = check_ground(contacts, clip);
    clock_t ticks = clock() - before;
    assert_near(normal.x / normal.z, -0.1, 1e-6);
    return ticks;
}

TEST(many_spans_take_linear_time)
{
    assert_grows_linearly(time_ground, MANY);
}

/* a file may have its spans in any order */
static clock_t time_file(int count)
{
    owned_model *model = test_single(LB_JOINT_FLOATING);
    char *text = malloc((size_t)count * 32 + 100), *at = text;
    assert_non_null(text);
    at += sprintf(at, "{\"limber_contacts\":1,\"points\":[{\"link\":\"%s\",\"spans\":[",
                  lb_model_link(model, 1)->name);
    for (int i = count; i > 0; i--)
        at += sprintf(at, "[%d.5,%d.75]%s", i, i, i > 1 ? "," : "]}]}");
    owned_contacts *contacts = NULL;
    clock_t before = clock();
    assert_ok(
        lb_contacts_load_memory("c.json", text, (size_t)(at - text), model, NULL, &contacts, NULL));
    clock_t ticks = clock() - before;
    int found;
    const lb_contact_span *spans = lb_contacts_spans(contacts, 0, &found);
    assert_int_equal(found, count);
    for (int i = 0; i < count; i++)
        assert_true(spans[i].begin == i + 1.5 && spans[i].end == i + 1.75);
    free(text);
    return ticks;
}

TEST(files_of_many_spans_take_linear_time)
{
    assert_grows_linearly(time_file, MANY);
}
