/*
 * test_gait.c - a walk that is made: feet rest exactly, cycles join, limits hold.
 */
#include <limber/check.h>
#include <limber/formats/load.h>
#include <limber/gait.h>
#include <limber/retarget.h>

#include "support.h"

/* what the header promises of points that rest, metres */
#define PLANTED 1e-8

static lb_model *load_human(lb_root root)
{
    lb_model *model = NULL;
    lb_load_options options = {.root = root};
    assert_made(lb_load_with_options("human", &options, &model, &cause), cause);
    return model;
}

static lb_clip *make_walk(const lb_model *model, const lb_gait *gait, lb_contacts **contacts)
{
    lb_clip *clip = NULL;
    assert_made(lb_gait_walk(model, gait, NULL, &clip, contacts, &cause), cause);
    return clip;
}

static lb_gait gait_of(int cycles, double rate)
{
    lb_gait gait = lb_gait_default();
    gait.cycles = cycles;
    gait.rate = rate;
    return gait;
}

/* ---- feet ----------------------------------------------------------------------- */

/* a span of one point: it is on the ground and where it was at the span's first key */
static int check_span(const lb_clip *clip, lb_state *state, const lb_contact_point *point,
                      const lb_contact_span *span)
{
    lb_vec3 first = {0, 0, 0};
    int held = 0;
    for (int key = 0; key < lb_clip_count(clip); key++) {
        double time = lb_clip_times(clip)[key];
        if (time < span->begin || time > span->end)
            continue;
        lb_state_update(state, lb_clip_key(clip, key));
        lb_vec3 at = lb_transform_point(&lb_state_transforms(state)[point->link], point->at);
        first = held++ == 0 ? at : first;
        assert_near(at.z, 0, PLANTED);
        assert_near(lb_vec3_length(lb_vec3_sub(at, first)), 0, 2 * PLANTED);
    }
    return held;
}

TEST(held_points_do_not_move)
{
    owned_model *model = load_human(LB_ROOT_FLOATING);
    lb_gait gait = gait_of(3, 97);
    owned_contacts *contacts = NULL;
    owned_clip *clip = make_walk(model, &gait, &contacts);
    owned_state *state = test_state(model);
    int held = 0, count;
    assert_int_equal(lb_contacts_count(contacts), 4);
    for (int point = 0; point < 4; point++) {
        const lb_contact_span *spans = lb_contacts_spans(contacts, point, &count);
        assert_true(count >= 3);
        for (int i = 0; i < count; i++)
            held += check_span(clip, state, &lb_contacts_points(contacts)[point], &spans[i]);
    }
    // heels rest for 0.38 of the time, toes for half of it
    assert_near(held, 4 * 0.44 * lb_clip_count(clip), 0.05 * lb_clip_count(clip));
}

/* at other times the soles' ends are above the ground */
TEST(nothing_is_below_the_ground)
{
    owned_model *model = load_human(LB_ROOT_FLOATING);
    owned_contacts *contacts = NULL;
    owned_clip *clip = make_walk(model, NULL, &contacts);
    owned_state *state = test_state(model);
    for (int key = 0; key < lb_clip_count(clip); key++) {
        lb_state_update(state, lb_clip_key(clip, key));
        for (int i = 0; i < 4; i++) {
            const lb_contact_point *point = &lb_contacts_points(contacts)[i];
            lb_vec3 at = lb_transform_point(&lb_state_transforms(state)[point->link], point->at);
            assert_true(at.z > -PLANTED);
        }
    }
}

/* ---- cycles --------------------------------------------------------------------- */

/* a key of the next cycle is the same pose, a stride farther along x, bit for bit but for x */
TEST(cycles_are_equal)
{
    owned_model *model = load_human(LB_ROOT_FLOATING);
    lb_gait gait = gait_of(2, 60);
    owned_clip *clip = make_walk(model, &gait, NULL);
    int nq = lb_model_nq(model), keys = (lb_clip_count(clip) - 1) / 2;
    assert_int_equal(keys, 72);
    for (int key = 0; key <= keys; key++) {
        const double *a = lb_clip_key(clip, key), *b = lb_clip_key(clip, key + keys);
        assert_near(b[0] - a[0], 2 * 0.69 * (0.4287 + 0.4305), 1e-12);
        assert_memory_equal(a + 1, b + 1, (size_t)(nq - 1) * sizeof *a);
    }
}

/* the most that velocities before and after a key differ by, over all keys but the ends */
static double velocity_jump(const lb_model *model, double rate)
{
    lb_gait gait = gait_of(2, rate);
    owned_clip *clip = make_walk(model, &gait, NULL);
    int nv = lb_model_nv(model);
    double most = 0, *v = calloc(2 * (size_t)nv, sizeof *v), *before = v, *after = v + nv;
    assert_non_null(v);
    for (int key = 1; key < lb_clip_count(clip) - 1; key++) {
        lb_configuration_difference(model, lb_clip_key(clip, key - 1), lb_clip_key(clip, key),
                                    before);
        lb_configuration_difference(model, lb_clip_key(clip, key), lb_clip_key(clip, key + 1),
                                    after);
        for (int i = 0; i < nv; i++)
            most = fmax(most, fabs(after[i] - before[i]) * rate);
    }
    free(v);
    return most;
}

/* where keys are eight times as dense, velocities differ by about an eighth: none jumps, neither
   where contacts begin and end nor from one cycle to the next */
TEST(velocities_are_continuous)
{
    owned_model *model = load_human(LB_ROOT_FLOATING);
    double coarse = velocity_jump(model, 240), fine = velocity_jump(model, 1920);
    assert_true(coarse > 0);
    assert_true(fine < coarse / 6);
}

/* a pose depends on its place in the cycle alone */
TEST(rates_agree_at_shared_times)
{
    owned_model *model = load_human(LB_ROOT_FLOATING);
    lb_gait slow = gait_of(1, 30), fast = gait_of(1, 120);
    owned_clip *a = make_walk(model, &slow, NULL), *b = make_walk(model, &fast, NULL);
    assert_int_equal(lb_clip_count(a), 37);
    for (int key = 0; key < lb_clip_count(a); key++)
        assert_memory_equal(lb_clip_key(a, key), lb_clip_key(b, 4 * key),
                            (size_t)lb_model_nq(model) * sizeof(double));
}

/* ---- what else is promised -------------------------------------------------------- */

TEST(limits_hold_and_nothing_is_wrong)
{
    owned_model *model = load_human(LB_ROOT_FLOATING);
    owned_contacts *contacts = NULL;
    lb_check_report report;
    lb_gait gait = gait_of(4, 60);
    owned_clip *clip = make_walk(model, &gait, &contacts);
    for (int key = 0; key < lb_clip_count(clip); key++)
        if (lb_configuration_validate(model, lb_clip_key(clip, key), 1e-12, &cause) != LB_OK)
            fail_msg("key %d: %s", key, cause.message);
    assert_ok(lb_clip_check(clip, contacts, NULL, NULL, NULL, &report, NULL));
    for (int i = 0; i < LB_CHECK_COUNT; i++)
        assert_int_equal(report.items[i].beyond, 0);
}

/* contacts found in the motion are those that it was made with; heels rise slowly at first */
TEST(detection_finds_the_contacts)
{
    owned_model *model = load_human(LB_ROOT_FLOATING);
    owned_contacts *made = NULL, *found = NULL;
    lb_contact_options options = lb_contact_options_default();
    options.enter_height = 0.01;
    options.leave_height = 0.015;
    options.rate = 120;
    lb_gait gait = gait_of(3, 120);
    owned_clip *clip = make_walk(model, &gait, &made);
    assert_ok(lb_rig_soles(model, NULL, NULL, &found, NULL));
    assert_ok(lb_contacts_detect(found, clip, &options, NULL));
    for (int point = 0; point < 4; point++) {
        int a, b;
        const lb_contact_span *wanted = lb_contacts_spans(made, point, &a);
        const lb_contact_span *got = lb_contacts_spans(found, point, &b);
        assert_int_equal(a, b);
        for (int i = 0; i < a; i++) {
            assert_near(got[i].begin, wanted[i].begin, 0.1);
            assert_near(got[i].end, wanted[i].end, 0.1);
        }
    }
}

/* found without knowing anything, they lie within those that it was made with, and do not slide;
   and do so when the whole figure floats, which is measured and not taken for a flight */
TEST(contacts_of_anybodys_clip_are_found)
{
    owned_model *model = load_human(LB_ROOT_FLOATING);
    lb_contacts *made, *found;
    lb_check_report report;
    const lb_vec3 up = {0, 0, 1};
    bool assumed = true;
    lb_gait gait = gait_of(3, 120);
    owned_clip *clip = make_walk(model, &gait, &made);
    for (int lifted = 0; lifted < 2; lifted++) {
        double ground = lifted ? -0.02 : 0;
        lb_check_options options = lb_check_options_default();
        assert_ok(lb_rig_contacts(clip, NULL, ground, up, NULL, &found, &assumed, NULL));
        assert_false(assumed);
        for (int point = 0; point < 4; point++) {
            int a, b;
            lb_contacts_spans(made, point, &a);
            const lb_contact_span *got = lb_contacts_spans(found, point, &b);
            assert_true(lb_contacts_points(found)[point].height == 0);
            assert_int_equal(a, b);
            for (int i = 0; i < b; i++)
                assert_non_null(lb_contacts_at(made, point, 0.5 * (got[i].begin + got[i].end)));
        }
        options.ground = ground;
        assert_ok(lb_clip_check(clip, found, &options, NULL, NULL, &report, NULL));
        assert_true(report.items[LB_CHECK_SLIDE].worst < 5e-4);
        assert_near(report.items[LB_CHECK_FLOATING].worst, -ground, 1e-3);
        lb_contacts_release(found);
    }
    assert_int_equal(lb_rig_contacts(NULL, NULL, 0, up, NULL, &found, NULL, NULL),
                     LB_INVALID_ARGUMENT);
    lb_contacts_release(made);
}

/* the figure with its root turned and moved, from the text of the built-in one */
static lb_model *load_turned(void)
{
    static const char from[] = "{\"xyz\": [0, 0, 0.9242]}";
    static const char to[] = "{\"xyz\": [3, 1, 1.9242], \"rpy\": [0, 0, 90]}";
    const lb_embedded *human = lb_embedded_find("human");
    const char *at = strstr(human->text, from);
    lb_model *model = NULL;
    lb_error error = {0};
    lb_load_options options = {.root = LB_ROOT_FLOATING};
    assert_non_null(at);
    owned char *text = calloc(human->size + sizeof to, 1);
    assert_non_null(text);
    size_t before = (size_t)(at - human->text);
    memcpy(text, human->text, before);
    memcpy(text + before, to, sizeof to - 1);
    strcpy(text + before + sizeof to - 1, at + sizeof from - 1);
    if (lb_load_memory_with_options("turned", text, strlen(text), &options, &model, &error) !=
        LB_OK)
        fail_msg("%s", error.message);
    return model;
}

/* it walks where its toes point, from where it stands */
TEST(the_figure_walks_where_it_faces)
{
    owned_model *straight = load_human(LB_ROOT_FLOATING), *turned = load_turned();
    lb_gait gait = gait_of(2, 20);
    owned_clip *a = make_walk(straight, &gait, NULL), *b = make_walk(turned, &gait, NULL);
    owned_state *s = test_state(straight);
    owned_state *t = test_state(turned);
    lb_transform move =
        lb_transform_from_quat(lb_quat_from_rpy(0, 0, 0.5 * LB_PI), lb_vec3_make(3, 1, 0));
    for (int key = 0; key < lb_clip_count(a); key++) {
        lb_state_update(s, lb_clip_key(a, key));
        lb_state_update(t, lb_clip_key(b, key));
        for (int i = 1; i < lb_model_link_count(straight); i++) {
            lb_transform wanted = lb_transform_multiply(&move, &lb_state_transforms(s)[i]);
            assert_transform_near(&lb_state_transforms(t)[i], &wanted, 1e-7);
        }
    }
}

/* ---- refused ------------------------------------------------------------------------ */

static void refuse(const lb_model *model, const lb_gait *gait, lb_status status, const char *word)
{
    lb_clip *clip = (lb_clip *)&status;
    lb_contacts *contacts = (lb_contacts *)&status;
    lb_error error = {0};
    assert_int_equal(lb_gait_walk(model, gait, NULL, &clip, &contacts, &error), status);
    assert_null(clip);
    assert_null(contacts);
    if (strstr(error.message, word) == NULL)
        fail_msg("'%s' does not have '%s'", error.message, word);
}

TEST(wrong_gaits_are_refused)
{
    owned_model *model = load_human(LB_ROOT_FLOATING), *fixed = load_human(LB_ROOT_AS_READ);
    lb_gait gait = lb_gait_default();
    gait.step_length = NAN;
    refuse(model, &gait, LB_BAD_VALUE, "step_length");
    gait = lb_gait_default();
    gait.heel_off = 0.05;
    refuse(model, &gait, LB_BAD_VALUE, "heel_off");
    gait = lb_gait_default();
    gait.cycles = 0;
    refuse(model, &gait, LB_BAD_VALUE, "cycles");
    gait.cycles = 1000000;
    refuse(model, &gait, LB_BAD_VALUE, "keys");
    // out of reach
    gait = lb_gait_default();
    gait.step_length = 1.5;
    refuse(model, &gait, LB_BAD_VALUE, "of the cycle");
    // at the end of what the body's targets may be
    gait = lb_gait_default();
    gait.ground = LB_LENGTH_MAX;
    refuse(model, &gait, LB_BAD_VALUE, "more than 1e+15 m away");
    refuse(fixed, NULL, LB_BAD_MODEL, "lb_model_with_root");
    refuse(NULL, NULL, LB_INVALID_ARGUMENT, "model");
    assert_int_equal(lb_gait_walk(model, NULL, NULL, NULL, NULL, NULL), LB_INVALID_ARGUMENT);
}

/* an arm with a root that moves is no figure */
TEST(an_arm_does_not_walk)
{
    owned_model *model = NULL;
    lb_load_options options = {.root = LB_ROOT_FLOATING};
    assert_ok(lb_load_with_options("panda", &options, &model, NULL));
    refuse(model, NULL, LB_BAD_MODEL, "");
}

TEST(every_allocation_may_fail)
{
    owned_model *model = load_human(LB_ROOT_FLOATING);
    lb_gait gait = gait_of(1, 4);
    ALLOCATIONS_FAIL (failing, 1000) {
        owned_clip *clip = NULL;
        owned_contacts *contacts = NULL;
        failing.status = lb_gait_walk(model, &gait, &failing.allocator, &clip, &contacts, NULL);
    }
}

/* of a clip of an instant what is found is a point's place; one without an end is refused */
TEST(clips_of_any_length_are_measured_or_refused)
{
    enum { KEYS = 2, MOST_NQ = 128 };
    owned_model *model = load_human(LB_ROOT_FLOATING);
    size_t nq = (size_t)lb_model_nq(model);
    assert_true(nq <= MOST_NQ);
    double keys[KEYS * MOST_NQ];
    lb_configuration_neutral(model, keys);
    lb_configuration_neutral(model, keys + nq);
    static const double ends[] = {1e-300, 1e-9, 1, 1e15, 1e308};
    for (int i = 0; i < 5; i++) {
        const double times[KEYS] = {0, ends[i]};
        owned_contacts *found = NULL;
        lb_error error = {0};
        owned_clip *clip = test_clip(model, times, keys, KEYS, LB_INTERPOLATION_LINEAR);
        lb_status status =
            lb_rig_contacts(clip, NULL, 0, lb_vec3_make(0, 0, 1), NULL, &found, NULL, &error);
        assert_int_equal(status, i < 3 ? LB_OK : LB_BAD_VALUE);
        if (i >= 3)
            assert_non_null(strstr(error.message, "too many samples"));
    }
}
