/*
 * test_retarget_extreme.c - retargetings of hostile sources: keys a year or no time apart, contacts
 * and links in numbers that no figure has. They end in a time that grows as these numbers do.
 */
#include <limber/retarget.h>

#include "motion/walker.h"
#include "support_growth.h"

/* ---- long clips --------------------------------------------------------- */

/* one link that goes where another one goes */
static lb_retarget_map make_map(void)
{
    lb_retarget_map map = {.count = 1};
    map.pairs[0] = lb_retarget_pair_make(LB_ROLE_COUNT, 1, 1);
    map.pairs[0].position = map.pairs[0].orientation = 1;
    return map;
}

/* two keys that are hours, years or ages apart: frames that are solved in order would take days, so
   they are fewer and farther apart */
TEST(long_rests_have_few_frames)
{
    static const double ends[] = {1e4, 1e300};
    owned_model *model = test_single(LB_JOINT_FLOATING);
    const double keys[14] = {[3] = 1, [7] = 2, [10] = 1};
    for (int i = FEWER(0, 1); i < 2; i++) {
        owned_clip *clip =
            test_clip(model, (double[]){0, ends[i]}, keys, 2, LB_INTERPOLATION_LINEAR);
        owned_clip *out = NULL;
        lb_retarget_map map = make_map();
        lb_retarget_options options = lb_retarget_options_default();
        lb_retarget_report report;
        lb_error error = {0};
        options.map = &map;
        if (lb_retarget(clip, model, &options, NULL, &out, NULL, &report, &error) != LB_OK)
            fail_msg("%g s: %s", ends[i], error.message);
        assert_int_equal(report.solved, 100001);
        assert_int_equal(lb_clip_count(out), 2);
        assert_near(lb_clip_key(out, 1)[0], 2, 1e-6);
    }
}

/* ---- a leg -------------------------------------------------------------- */

enum { HINGES = 6 };

/* a leg of hinges whose speed is limited, on a root that moves freely */
static lb_model *make_leg(double speed)
{
    static const char *const names[] = {"world", "hip", "a", "b", "c", "d", "e", "foot"};
    lb_joint joints[HINGES + 1];
    for (int i = 0; i < HINGES + 1; i++) {
        joints[i] = lb_joint_default();
        joints[i].name = joints[i].child = names[i + 1];
        joints[i].parent = names[i];
        joints[i].kind = i == 0 ? LB_JOINT_FLOATING : LB_JOINT_REVOLUTE;
        joints[i].placement = lb_transform_translation(0, 0, i == 0 ? 0.6 : -0.1);
        joints[i].axis = i % 2 ? lb_vec3_make(1, 0, 0) : lb_vec3_make(0, 1, 0);
        joints[i].velocity = speed;
        for (int k = 0; k < 3; k++) {
            joints[i].lower[k] = i == 0 ? -INFINITY : -1;
            joints[i].upper[k] = i == 0 ? INFINITY : 1;
        }
    }
    return test_make("leg", NULL, 0, joints, HINGES + 1);
}

/* it bends, the first time by this much */
typedef struct bending {
    double gap, bend;
} bending;

static bool bend_leg(void *user, int key, double *time, double *q)
{
    const bending *by = user;
    *time = key * by->gap;
    for (int i = 0; i < HINGES; i++)
        q[7 + i] = key == 1 ? by->bend : 0;
    return true;
}

/* hip and foot of a leg on another one, heel and toe, or the heel alone, held when contacts say */
static lb_retarget_map make_leg_map(int held)
{
    lb_retarget_map map = {.count = 2};
    for (int i = 0; i < 2; i++) {
        int link = i == 0 ? 1 : HINGES + 1;
        map.pairs[i] = lb_retarget_pair_make(LB_ROLE_COUNT, link, link);
        map.pairs[i].position = 1;
    }
    map.pairs[1].aligned = true;
    map.pairs[1].held_count = held;
    for (int k = 0; k < held; k++) {
        lb_vec3 at = lb_vec3_make(0.1 * k, 0, 0);
        map.pairs[1].held[k] = (lb_retarget_held){.source = HINGES + 1, .source_at = at, .at = at};
    }
    return map;
}

/* ---- numbers of things -------------------------------------------------- */

/* a leg whose toe touches the ground ten times a second, and its heel never: no foot is ever flat
 */
static clock_t time_toes(int seconds)
{
    owned_model *model = make_leg(INFINITY);
    bending none = {.gap = 0.1};
    owned_clip *clip = test_clip_generate(model, 10 * seconds, bend_leg, &none), *out = NULL;
    const lb_contact_point points[2] = {{.link = HINGES + 1},
                                        {.link = HINGES + 1, .at = {0.1, 0, 0}}};
    owned_contacts *contacts = NULL;
    assert_ok(lb_contacts_create(points, 2, NULL, &contacts, NULL));
    for (int i = 0; i < 10 * seconds; i++)
        assert_ok(lb_contacts_add(contacts, 1, 0.1 * i, 0.1 * i + 0.04, NULL));
    lb_retarget_map map = make_leg_map(2);
    lb_retarget_options options = lb_retarget_options_default();
    lb_retarget_report report;
    options.map = &map;
    options.contacts = contacts;
    clock_t before = clock();
    assert_made(lb_retarget(clip, model, &options, NULL, &out, NULL, &report, &cause), cause);
    clock_t ticks = clock() - before;
    assert_true(report.held > 9 * seconds);
    return ticks;
}

TEST(steps_on_toes_take_linear_time)
{
    assert_grows_linearly(time_toes, 1600);
}

/* the walker with so many more links in its left foot, one on the other */
static lb_model *make_centipede(const lb_model *walker, int count)
{
    int own = lb_model_joint_count(walker);
    size_t all = (size_t)(own + count);
    owned lb_link *links = calloc(all + 1, sizeof *links);
    owned lb_joint *joints = calloc(all, sizeof *joints);
    char(*names)[16] = calloc((size_t)count, sizeof *names);
    assert_true(links != NULL && joints != NULL && names != NULL);
    for (int i = 0; i <= own; i++)
        links[i] = *lb_model_link(walker, i);
    for (int i = 0; i < own; i++)
        joints[i] = *lb_model_joint(walker, i);
    for (int i = 0; i < count; i++) {
        snprintf(names[i], sizeof *names, "x%d", i);
        links[own + 1 + i] = lb_link_default();
        links[own + 1 + i].name = names[i];
        joints[own + i] = lb_joint_default();
        joints[own + i].name = joints[own + i].child = names[i];
        joints[own + i].parent = i > 0 ? names[i - 1] : "LeftFoot";
        joints[own + i].placement = lb_transform_translation(1e-7, 0, 0);
    }
    lb_model *model = test_make("centipede", links, own + count + 1, joints, own + count);
    free(names);
    return model;
}

static clock_t time_links(int count)
{
    owned_model *walker = walker_model(WALKER_T), *model = make_centipede(walker, count);
    owned_contacts *soles = NULL;
    lb_retarget_map map;
    clock_t before = clock();
    assert_ok(lb_rig_soles(model, NULL, NULL, &soles, NULL));
    assert_ok(lb_retarget_map_find(model, NULL, model, NULL, &map, NULL));
    clock_t ticks = clock() - before;
    return ticks;
}

TEST(links_take_linear_time)
{
    assert_grows_linearly(time_links, 6000);
}

/* ---- slowing down -------------------------------------------------------- */

/* the foot is held throughout */
static lb_status slow_leg(const lb_clip *clip, lb_clip **slowed, lb_error *error)
{
    lb_retarget_map map = make_leg_map(1);
    lb_retarget_options options = lb_retarget_options_default();
    const lb_contact_point point = {.link = HINGES + 1};
    owned_contacts *given = NULL, *contacts = NULL;
    assert_ok(lb_contacts_create(&point, 1, NULL, &given, NULL));
    assert_ok(lb_contacts_add(given, 0, 0, lb_clip_end(clip), NULL));
    options.map = &map;
    options.contacts = given;
    lb_status status =
        lb_retarget_slow(clip, lb_clip_model(clip), &options, NULL, slowed, &contacts, error);
    return status;
}

/* so many keys within the time over which a motion is slowed down alike */
static clock_t time_slow(int count)
{
    owned_model *model = make_leg(1e3);
    bending none = {.gap = 0.02 / count};
    owned_clip *clip = test_clip_generate(model, count, bend_leg, &none), *slowed = NULL;
    clock_t before = clock();
    assert_made(slow_leg(clip, &slowed, &cause), cause);
    clock_t ticks = clock() - before;
    return ticks;
}

TEST(keys_in_no_time_take_linear_time)
{
    assert_grows_linearly(time_slow, 12000);
}

/* hinges that may not move, though they would have to: no time is enough */
TEST(legs_that_may_not_move_are_refused)
{
    for (int still = 0; still < 2; still++) {
        owned_model *model = make_leg(0);
        bending by = {.gap = 1, .bend = still ? 0 : 0.5};
        owned_clip *clip = test_clip_generate(model, 3, bend_leg, &by), *slowed = NULL;
        lb_error error = {0};
        assert_int_equal(slow_leg(clip, &slowed, &error), still ? LB_OK : LB_BAD_VALUE);
        assert_true((slowed != NULL) == still);
        if (!still)
            assert_non_null(
                strstr(error.message, "has to move, but its speed is limited to 0: no time"));
    }
}
