/*
 * test_contacts.c - contacts: edited spans against a table of instants, detected ones against
 * motions whose contacts are known.
 */
#include <limber/contacts.h>

#include "support.h"

enum { INSTANTS = 200, ROUNDS = 300 };

static lb_contacts *make_contacts(int points)
{
    lb_contact_point list[4] = {{.link = 1}, {.link = 1}, {.link = 1}, {.link = 1}};
    lb_contacts *contacts = NULL;
    assert_ok(lb_contacts_create(list, points, NULL, &contacts, NULL));
    return contacts;
}

/* ---- editing ------------------------------------------------------------ */

/* spans between whole numbers, so that half ones are inside or outside for certain */
TEST(edited_spans_are_those_of_a_table)
{
    lb_random random = test_seed(5);
    for (int round = 0; round < ROUNDS; round++) {
        bool held[INSTANTS] = {false};
        owned_contacts *contacts = make_contacts(1);
        for (int edit = 0; edit < 20; edit++) {
            int a = test_random_index(&random, INSTANTS), b = test_random_index(&random, INSTANTS);
            int begin = a < b ? a : b, end = a < b ? b : a;
            bool add = test_random_chance(&random, 0.5);
            lb_status status = add ? lb_contacts_add(contacts, 0, begin, end, NULL)
                                   : lb_contacts_cut(contacts, 0, begin, end, NULL);
            assert_ok(status);
            for (int i = begin; i < end; i++)
                held[i] = add;
        }
        for (int i = 0; i < INSTANTS; i++)
            assert_int_equal(lb_contacts_at(contacts, 0, i + 0.5) != NULL, held[i]);
        int count;
        const lb_contact_span *spans = lb_contacts_spans(contacts, 0, &count);
        for (int i = 1; i < count; i++)
            assert_true(spans[i - 1].end < spans[i].begin);
    }
}

TEST(wrong_spans_are_refused)
{
    owned_contacts *contacts = make_contacts(2);
    assert_int_equal(lb_contacts_add(contacts, 2, 0, 1, &cause), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_contacts_add(contacts, 0, 1, 0, &cause), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_contacts_cut(contacts, -1, 0, 1, &cause), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_contacts_add(contacts, 0, 0, INFINITY, &cause), LB_INVALID_ARGUMENT);
    assert_null(lb_contacts_at(contacts, 0, 0.5));
}

/* places beyond what a model may have, and numbers that are none */
TEST(points_out_of_range_are_refused)
{
    static const double wrong[] = {NAN, INFINITY, 1.1e15, -1e300};
    owned_contacts *contacts = make_contacts(1);
    for (int i = 0; i < 4; i++) {
        const lb_contact_point points[] = {{.at = {0, wrong[i], 0}}, {.height = wrong[i]}};
        lb_contacts *none = contacts;
        for (int k = 0; k < 2; k++) {
            assert_int_equal(lb_contacts_create(points + k, 1, NULL, &none, NULL),
                             LB_INVALID_ARGUMENT);
            assert_null(none);
            assert_int_equal(lb_contacts_move(contacts, 0, &points[k], NULL), LB_INVALID_ARGUMENT);
        }
    }
    const lb_contact_point farthest = {.at = {1e15, 0, 0}, .height = -1e15};
    assert_ok(lb_contacts_move(contacts, 0, &farthest, NULL));
}

TEST(shifted_spans_keep_their_lengths)
{
    owned_contacts *contacts = make_contacts(2);
    assert_ok(lb_contacts_add(contacts, 0, 1, 2, NULL));
    assert_ok(lb_contacts_add(contacts, 1, 3, 5, NULL));
    assert_ok(lb_contacts_shift(contacts, -1, NULL));
    int count;
    const lb_contact_span *span = lb_contacts_spans(contacts, 1, &count);
    assert_true(count == 1 && span->begin == 2 && span->end == 4);
    assert_non_null(lb_contacts_at(contacts, 0, 0));
    assert_int_equal(lb_contacts_shift(contacts, NAN, NULL), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_contacts_shift(NULL, 1, NULL), LB_INVALID_ARGUMENT);
    assert_true(lb_contacts_spans(contacts, 1, &count)->begin == 2);
}

/* spans that are nothing apart where times are so far away */
TEST(spans_that_meet_become_one)
{
    owned_contacts *contacts = make_contacts(1);
    for (int i = 0; i < 4; i++)
        assert_ok(lb_contacts_add(contacts, 0, 2 * i, 2 * i + 1, NULL));
    assert_ok(lb_contacts_shift(contacts, 1e300, NULL));
    int count;
    const lb_contact_span *span = lb_contacts_spans(contacts, 0, &count);
    assert_true(count == 1 && span->begin == 1e300 && span->end == 1e300);
}

/* ---- detecting ---------------------------------------------------------- */

/* a floating body that is on the ground in even seconds and hops 0.3 m high and far in odd ones */
static void hop(double time, double *q)
{
    double second = floor(time), u = time - second;
    bool held = (int)second % 2 == 0;
    double s = u * u * (3 - 2 * u);
    q[0] = 0.3 * (floor((second + 1) / 2) - (held ? 0 : 1) + (held ? 0 : s));
    q[1] = 0;
    q[2] = held ? 0 : 0.3 * 4 * u * (1 - u);
    q[3] = 1, q[4] = q[5] = q[6] = 0;
}

static lb_clip *hopping(const lb_model *model, double rate)
{
    enum { SECONDS = 7 };
    int count = (int)(SECONDS * rate) + 1;
    double times[SECONDS * 120 + 1], keys[(SECONDS * 120 + 1) * 7];
    for (int i = 0; i < count; i++) {
        times[i] = i / rate;
        hop(times[i], &keys[7 * i]);
    }
    return test_clip(model, times, keys, count, LB_INTERPOLATION_LINEAR);
}

/* four months between two keys: samples that would take 12 GB are fewer and farther apart */
TEST(long_rests_have_few_samples)
{
    const double keys[14] = {[3] = 1, [10] = 1}, times[] = {0, 1e7};
    owned_model *model = test_single(LB_JOINT_FLOATING);
    owned_clip *clip = test_clip(model, times, keys, 2, LB_INTERPOLATION_LINEAR);
    owned_contacts *contacts = make_contacts(1);
    assert_ok(lb_contacts_detect(contacts, clip, NULL, NULL));
    int count;
    const lb_contact_span *spans = lb_contacts_spans(contacts, 0, &count);
    assert_int_equal(count, 1);
    assert_near(spans[0].begin, 0, 1e-6);
    assert_near(spans[0].end, 1e7, 1e-6);
}

/* times so far apart that the samples between them are too many to be counted */
TEST(endless_clips_are_refused)
{
    owned_model *model = test_single(LB_JOINT_FLOATING);
    const double keys[14] = {[3] = 1, [10] = 1};
    static const double ends[] = {1e9, 1e15, 1e308};
    for (int i = 0; i < 3; i++) {
        lb_error error = {0};
        owned_contacts *contacts = make_contacts(1);
        const double times[] = {0, ends[i]};
        owned_clip *clip = test_clip(model, times, keys, 2, LB_INTERPOLATION_LINEAR);
        assert_refused(lb_contacts_detect(contacts, clip, NULL, &error), LB_BAD_VALUE, &error,
                       "too many samples");
        assert_int_equal(lb_contacts_measure_heights(contacts, clip, NULL, NULL), LB_BAD_VALUE);
    }
}

TEST(hops_are_found_at_any_rate)
{
    const double rates[] = {30, 60, 120};
    owned_model *model = test_single(LB_JOINT_FLOATING);
    lb_contact_span first[4];
    for (int r = 0; r < 3; r++) {
        owned_clip *clip = hopping(model, rates[r]);
        owned_contacts *contacts = make_contacts(1);
        assert_ok(lb_contacts_detect(contacts, clip, NULL, NULL));
        int count;
        const lb_contact_span *spans = lb_contacts_spans(contacts, 0, &count);
        assert_int_equal(count, 4);
        for (int i = 0; i < 4; i++) {
            // a hop leaves the ground at 1.2 m/s: within a sample or two it is too fast
            assert_near(spans[i].begin, 2 * i, 0.07);
            assert_near(spans[i].end, 2 * i + 1, 0.07);
            if (r == 0)
                first[i] = spans[i];
            // the same samples, so the same contacts
            assert_near(spans[i].begin, first[i].begin, 1e-9);
            assert_near(spans[i].end, first[i].end, 1e-9);
        }
    }
}

/* a height that swings around the threshold of entering is one contact, by hysteresis */
/* what rests at the end does so until the last key, wherever the samples are */
TEST(rests_last_until_the_clip_ends)
{
    owned_model *model = test_single(LB_JOINT_FLOATING);
    double keys[14] = {[3] = 1, [10] = 1};
    static const double ends[] = {0.99, 0.9999999, 1, 6.990596, 99.79999999996666};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const double times[] = {0, ends[i]};
        lb_contact_options options = lb_contact_options_default();
        owned_contacts *contacts = make_contacts(1);
        owned_clip *clip = test_clip(model, times, keys, 2, LB_INTERPOLATION_LINEAR);
        int count;
        options.settle = 0.01;
        assert_ok(lb_contacts_detect(contacts, clip, &options, NULL));
        const lb_contact_span *span = lb_contacts_spans(contacts, 0, &count);
        assert_int_equal(count, 1);
        assert_true(span->begin == 0 && span->end == ends[i]);
    }
}

TEST(noise_does_not_cut_a_contact)
{
    owned_model *model = test_single(LB_JOINT_FLOATING);
    lb_random random = test_seed(3);
    enum { KEYS = 90 };
    double times[KEYS], keys[KEYS * 7] = {0};
    for (int i = 0; i < KEYS; i++) {
        times[i] = i / 30.0;
        keys[7 * i + 2] = i == 0 ? 0 : lb_random_between(&random, 0.026, 0.034);
        keys[7 * i + 3] = 1;
    }
    owned_contacts *contacts = make_contacts(1);
    owned_clip *clip = test_clip(model, times, keys, KEYS, LB_INTERPOLATION_LINEAR);
    int count;
    assert_ok(lb_contacts_detect(contacts, clip, NULL, NULL));
    lb_contacts_spans(contacts, 0, &count);
    assert_int_equal(count, 1);
    // with one threshold it is many
    lb_contact_options options = lb_contact_options_default();
    options.leave_height = options.enter_height;
    options.gap = options.shortest = 0;
    assert_ok(lb_contacts_detect(contacts, clip, &options, NULL));
    lb_contacts_spans(contacts, 0, &count);
    assert_true(count > 5);
}

/* comes to rest in some time and creeps off as slowly as it came: slowly enough for a contact */
static double creep(double time, double landing)
{
    double before = fmax(0, landing - time), after = fmax(0, time - 2 + landing);
    return 0.08 * (after * after - before * before);
}

/* what lands or lifts off is cut away unless it takes long, as what slides all the time */
TEST(contacts_settle)
{
    enum { KEYS = 241 };
    static const double landings[] = {0.2, 0.5, INFINITY};
    owned_model *model = test_single(LB_JOINT_FLOATING);
    lb_contact_options options = lb_contact_options_default();
    double times[KEYS], keys[KEYS * 7] = {0};
    options.stray = 0;
    for (int k = 0; k < 3; k++) {
        owned_contacts *contacts = make_contacts(1);
        for (int i = 0; i < KEYS; i++) {
            times[i] = i / 120.0;
            keys[7 * i] = isinf(landings[k]) ? 0.02 * times[i] : creep(times[i], landings[k]);
            keys[7 * i + 3] = 1;
        }
        owned_clip *clip = test_clip(model, times, keys, KEYS, LB_INTERPOLATION_LINEAR);
        for (int settles = 0; settles < 2; settles++) {
            options.settle = settles ? 0.01 : 0;
            assert_ok(lb_contacts_detect(contacts, clip, &options, NULL));
            int count;
            const lb_contact_span *span = lb_contacts_spans(contacts, 0, &count);
            assert_int_equal(count, 1);
            // 0.16 t metres a second are 0.01 after 0.06 s; samples are 1/30 s apart
            bool cut = settles && k == 0;
            assert_near(span->begin, cut ? 0.2 - 0.0625 : 0, cut ? 0.034 : 0);
            assert_near(span->end, cut ? 1.8 + 0.0625 : 2, cut ? 0.034 : 0);
        }
    }
}

/* lands with 0.4 m/s from 4 cm before it rests for two seconds, and lifts off as it landed */
static double land(double time)
{
    double away = fmax(0, fmax(0.2 - time, time - 2.2));
    return 0.2 * away + 0.8 * away * away;
}

/* a contact is what is near to where the point rests, but for long ways that it goes slowly */
TEST(contacts_do_not_stray)
{
    enum { KEYS = 289 };
    owned_model *model = test_single(LB_JOINT_FLOATING);
    lb_contact_options options = lb_contact_options_default();
    double times[KEYS], keys[KEYS * 7] = {0};
    owned_contacts *contacts = make_contacts(1);
    for (int i = 0; i < KEYS; i++) {
        times[i] = i / 120.0;
        keys[7 * i + 2] = land(times[i]);
        keys[7 * i + 3] = 1;
    }
    owned_clip *clip = test_clip(model, times, keys, KEYS, LB_INTERPOLATION_LINEAR);
    const double strays[] = {0.01, 0.004, 0};
    options.enter_speed = options.leave_speed = 1;
    for (int i = 0; i < 3; i++) {
        options.stray = strays[i];
        assert_ok(lb_contacts_detect(contacts, clip, &options, NULL));
        int count;
        const lb_contact_span *span = lb_contacts_spans(contacts, 0, &count);
        assert_int_equal(count, 1);
        // it rests from 0.2 to 2.2 s, and is within reach of that for a sample or two more
        for (int end = 0; end < 2 && strays[i] > 0; end++) {
            double time = end ? span->end : span->begin, next = time + (end ? 1 : -1) / 30.0;
            assert_true(land(time) <= strays[i] && land(next) > strays[i] - 1e-9);
        }
        if (strays[i] == 0)
            assert_true(span->begin < 0.11 && span->end > 2.32);
    }
    options.stray = -1;
    assert_int_equal(lb_contacts_detect(contacts, clip, &options, NULL), LB_BAD_VALUE);
}

TEST(heights_are_measured_at_rest)
{
    owned_model *model = test_single(LB_JOINT_FLOATING);
    owned_clip *clip = hopping(model, 60);
    lb_contact_point ankle = {.link = 1, .at = {0, 0, 0.08}};
    owned_contacts *contacts = NULL;
    assert_ok(lb_contacts_create(&ankle, 1, NULL, &contacts, NULL));
    assert_ok(lb_contacts_measure_heights(contacts, clip, NULL, NULL));
    assert_near(lb_contacts_points(contacts)[0].height, 0.08, 1e-9);
    int count;
    assert_ok(lb_contacts_detect(contacts, clip, NULL, NULL));
    lb_contacts_spans(contacts, 0, &count);
    assert_int_equal(count, 4);
}

/* hops that are turned onto a slope, contacts and heights along its normal */
TEST(slopes_have_the_contacts_of_level_ground)
{
    owned_model *model = test_single(LB_JOINT_FLOATING);
    owned_clip *level = hopping(model, 30);
    lb_quat turn = lb_quat_from_axis_angle(lb_vec3_make(0.6, -0.8, 0), 0.3);
    lb_vec3 up = {0, 0, 1};
    double times[7 * 30 + 1], keys[(7 * 30 + 1) * 7];
    int n = lb_clip_count(level);
    for (int i = 0; i < n; i++) {
        const double *q = lb_clip_key(level, i);
        lb_vec3 p = lb_quat_rotate(turn, lb_vec3_make(q[0], q[1], q[2]));
        times[i] = lb_clip_times(level)[i];
        memcpy(&keys[7 * i], (double[]){p.x, p.y, p.z, 1, 0, 0, 0}, 7 * sizeof *q);
    }
    owned_clip *clip = test_clip(model, times, keys, n, LB_INTERPOLATION_LINEAR);
    lb_contact_options options = lb_contact_options_default();
    owned_contacts *a = make_contacts(1), *b = make_contacts(1);
    assert_ok(lb_contacts_detect(a, level, &options, NULL));
    options.ground_normal = lb_vec3_scale(lb_quat_rotate(turn, up), 3);
    assert_ok(lb_contacts_detect(b, clip, &options, NULL));
    assert_ok(lb_contacts_measure_heights(b, clip, &options, NULL));
    assert_near(lb_contacts_points(b)[0].height, 0, 1e-9);
    int count_a, count_b;
    const lb_contact_span *of_a = lb_contacts_spans(a, 0, &count_a);
    const lb_contact_span *of_b = lb_contacts_spans(b, 0, &count_b);
    assert_int_equal(count_a, count_b);
    for (int i = 0; i < count_a; i++) {
        assert_near(of_a[i].begin, of_b[i].begin, 1e-6);
        assert_near(of_a[i].end, of_b[i].end, 1e-6);
    }
}

/* the plane that points rest on, less their heights; what rests at any height does not count */
TEST(the_ground_is_where_points_rest)
{
    enum { STEPS = 12 };
    const double slopes[] = {0, 0.08, 0.2};
    owned_model *model = test_single(LB_JOINT_FLOATING);
    for (int s = 0; s < 3; s++) {
        double times[2 * STEPS], keys[2 * STEPS * 7];
        lb_vec3 up = lb_vec3_normalize(lb_vec3_make(-slopes[s], 0, 1), lb_vec3_make(0, 0, 1));
        lb_vec3 at = lb_vec3_scale(lb_vec3_make(0, 0, 1), 0.06), found;
        lb_contact_point points[2] = {{.link = 1, .at = at, .height = 0.06},
                                      {.link = 1, .any_height = true}};
        owned_contacts *contacts = NULL;
        assert_ok(lb_contacts_create(points, 2, NULL, &contacts, NULL));
        for (int i = 0; i < STEPS; i++) {
            // a left and a right row, 0.2 m apart
            const double q[7] = {0.4 * i, i % 2 ? 0.1 : -0.1, 0.4 * slopes[s] * i, 1, 0, 0, 0};
            for (int k = 0; k < 2; k++) {
                times[2 * i + k] = i + 0.6 * k;
                memcpy(&keys[(2 * i + k) * 7], q, sizeof q);
            }
            assert_ok(lb_contacts_add(contacts, 0, i, i + 0.6, NULL));
        }
        // far above, all the time
        assert_ok(lb_contacts_add(contacts, 1, 0, 0.1, NULL));
        owned_clip *clip = test_clip(model, times, keys, 2 * STEPS, LB_INTERPOLATION_LINEAR);
        assert_ok(lb_contacts_find_ground(contacts, clip, &found, NULL));
        // along the principal direction of the steps, which two rows turn: a third of a degree
        assert_near(lb_vec3_length(lb_vec3_sub(found, up)), 0, 5e-3);
        // without spans nothing is proved
        assert_ok(lb_contacts_cut(contacts, 0, -1, 100, NULL));
        assert_ok(lb_contacts_find_ground(contacts, clip, &found, NULL));
        assert_true(found.x == 0 && found.y == 0 && found.z == 1);
        assert_int_equal(lb_contacts_find_ground(contacts, clip, NULL, NULL), LB_INVALID_ARGUMENT);
    }
}

/* each number of the options, below what it may be and none at all */
TEST(wrong_options_are_refused)
{
    static const struct {
        size_t offset;
        double value; /* NAN is refused of each */
        const char *says;
    } numbers[] = {
        {offsetof(lb_contact_options, ground), INFINITY, "ground"},
        {offsetof(lb_contact_options, ground_normal.x), INFINITY, "ground"},
        {offsetof(lb_contact_options, enter_height), 0, "thresholds must be positive"},
        {offsetof(lb_contact_options, leave_height), 0.01, "not below those of entering"},
        {offsetof(lb_contact_options, enter_speed), 0, "thresholds must be positive"},
        {offsetof(lb_contact_options, leave_speed), 0.1, "not below those of entering"},
        {offsetof(lb_contact_options, shortest), -1, "settle and stray must not be negative"},
        {offsetof(lb_contact_options, gap), -1, "settle and stray must not be negative"},
        {offsetof(lb_contact_options, drift), 0, "drift and rate must be positive"},
        {offsetof(lb_contact_options, rate), 0, "drift and rate must be positive"},
        {offsetof(lb_contact_options, rate), INFINITY, "drift and rate must be positive"},
        {offsetof(lb_contact_options, rate), 1e12, "too many samples at 1e+12 a second"},
        {offsetof(lb_contact_options, settle), -1, "settle and stray must not be negative"},
        {offsetof(lb_contact_options, leave_height), INFINITY, "thresholds must be positive"},
        {offsetof(lb_contact_options, leave_speed), INFINITY, "thresholds must be positive"},
        {offsetof(lb_contact_options, shortest), INFINITY, "finite"},
        {offsetof(lb_contact_options, gap), INFINITY, "finite"},
        {offsetof(lb_contact_options, drift), INFINITY, "finite"},
        {offsetof(lb_contact_options, stray), -1, "settle and stray must not be negative"},
        {offsetof(lb_contact_options, stray), INFINITY, "settle and stray must not be negative"},
        {offsetof(lb_contact_options, settle), INFINITY, "settle and stray must not be negative"},
    };
    owned_model *model = test_single(LB_JOINT_FLOATING);
    owned_clip *clip = hopping(model, 30);
    owned_contacts *contacts = make_contacts(1);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (int none = 0; none < 2; none++) {
            lb_contact_options options = lb_contact_options_default();
            lb_error error = {0};
            double value = none ? NAN : numbers[i].value;
            memcpy((char *)&options + numbers[i].offset, &value, sizeof value);
            if (lb_contacts_detect(contacts, clip, &options, &error) != LB_BAD_VALUE)
                fail_msg("row %zu with %g is not refused", i, value);
            if (!none && strstr(error.message, numbers[i].says) == NULL)
                fail_msg("%s: %s", numbers[i].says, error.message);
        }
    assert_int_equal(lb_contacts_detect(contacts, NULL, NULL, NULL), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_contacts_detect(NULL, clip, NULL, NULL), LB_INVALID_ARGUMENT);
    // points of links that the clip's model has not
    static const int links[] = {-1, 100};
    for (int i = 0; i < 2; i++) {
        lb_contact_point point = {.link = links[i]};
        owned_contacts *other = NULL;
        lb_error error = {0};
        if (lb_contacts_create(&point, 1, NULL, &other, NULL) != LB_OK)
            continue;
        assert_refused(lb_contacts_detect(other, clip, NULL, &error), LB_INVALID_ARGUMENT, &error,
                       "point 0: the clip's model has no link");
    }
}
