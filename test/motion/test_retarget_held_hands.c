/*
 * test_retarget_held_hands.c - palms that rest on things in the world: a rail whose place is known,
 * the ground; on figures of other proportions, with speed limits, out of reach.
 */
#include <limber/body.h>
#include <limber/check.h>
#include <limber/retarget.h>

#include "motion/hands.h"
#include "motion/retargeted.h"
#include "motion/walker.h"

enum { MOST_NQ = 140 };

/* ---- the source ----------------------------------------------------------- */

/* A human that sways for two seconds while both palms are where they are wanted. */
typedef struct sway {
    lb_model *model;
    lb_body *body;
    lb_vec3 places[2]; /* of the palms while they rest */
    double bow;        /* of the trunk, radians */
    double lift;       /* of palms above their places before and after, metres */
    double low;        /* of the pelvis, metres */
} sway;

#define REST_BEGIN 0.5
#define REST_END 1.5

/* how far a palm is above its place at a time: not while it rests */
static double lift_at(const sway *s, double time)
{
    double away = fmax(0, fmax(REST_BEGIN - time, time - REST_END));
    return s->lift * fmin(1, away * away * 16);
}

/* tasks: the pelvis, both feet, both palms */
static void make_body(sway *s)
{
    static const char *const links[5] = {"pelvis", "left_foot", "right_foot", "left_hand",
                                         "right_hand"};
    lb_body_task tasks[5];
    lb_body_options options = lb_body_options_default();
    options.posture = 1e-4;
    options.iterations = 100;
    for (int i = 0; i < 5; i++) {
        tasks[i] = lb_body_task_make(i < 3 ? LB_BODY_POSE : LB_BODY_POSITION,
                                     lb_model_find_link(s->model, links[i]));
        tasks[i].weight = 100;
        if (i >= 3)
            tasks[i].tool.p = human_palm(s->model, i - 3);
    }
    s->body = test_body(s->model, tasks, 5, &options);
}

static bool fill_sway(void *user, int key, double *time, double *q)
{
    sway *s = user;
    lb_body_result result;
    *time = key / 60.0;
    owned_state *state = test_state(s->model);
    const lb_transform *at = lb_state_transforms(state);
    lb_configuration_neutral(s->model, q);
    // hips sway and lean, feet stay as in the neutral pose
    lb_transform pelvis =
        lb_transform_from_quat(lb_quat_from_axis_angle(lb_vec3_make(0, 1, 0), s->bow),
                               at[lb_model_find_link(s->model, "pelvis")].p);
    pelvis.p = lb_vec3_add(pelvis.p, lb_vec3_make(0.02, 0.05 * lb_sin(2 * LB_PI * *time),
                                                  -s->low + 0.02 * lb_cos(3 * *time)));
    lb_body_set_target(s->body, 0, &pelvis);
    lb_body_set_target(s->body, 1, &at[lb_model_find_link(s->model, "left_foot")]);
    lb_body_set_target(s->body, 2, &at[lb_model_find_link(s->model, "right_foot")]);
    for (int side = 0; side < 2; side++) {
        lb_transform palm = LB_TRANSFORM_IDENTITY;
        palm.p = s->places[side];
        palm.p.z += lift_at(s, *time);
        lb_body_set_target(s->body, 3 + side, &palm);
    }
    lb_body_set_posture(s->body, q);
    lb_body_solve(s->body, q, q, &result);
    return true;
}

/* the clip; that its palms rest is checked, not assumed */
static lb_clip *make_sway(sway *s)
{
    lb_check_report check;
    lb_contact_point points[2];
    owned_contacts *palms = NULL;
    s->model = test_load_moving("human");
    make_body(s);
    lb_clip *clip = test_clip_generate(s->model, 121, fill_sway, s);
    for (int side = 0; side < 2; side++)
        points[side] = (lb_contact_point){.link = lb_model_find_link(s->model, hand_links[side]),
                                          .at = human_palm(s->model, side),
                                          .any_height = true};
    assert_ok(lb_contacts_create(points, 2, NULL, &palms, NULL));
    for (int side = 0; side < 2; side++)
        assert_ok(lb_contacts_add(palms, side, REST_BEGIN, REST_END, NULL));
    assert_ok(lb_clip_check(clip, palms, NULL, NULL, NULL, &check, NULL));
    if (!(check.items[LB_CHECK_SLIDE].worst < 2e-3))
        fail_msg("palms of the source slide %g m", check.items[LB_CHECK_SLIDE].worst);
    return clip;
}

static void release_sway(sway *s, lb_clip *clip)
{
    lb_clip_release(clip);
    lb_body_release(s->body);
    lb_model_release(s->model);
}

/* rows of a file: the hands' links, without saying which point of them */
static lb_contacts *rows_of_hands(const lb_model *model, double begin, double end)
{
    lb_contact_point points[2] = {{.link = 0}, {.link = 0}};
    lb_contacts *rows = NULL;
    for (int side = 0; side < 2; side++)
        points[side].link = lb_model_find_link(model, hand_links[side]);
    assert_ok(lb_contacts_create(points, 2, NULL, &rows, NULL));
    for (int side = 0; side < 2; side++)
        assert_ok(lb_contacts_add(rows, side, begin, end, NULL));
    return rows;
}

/* ---- results -------------------------------------------------------------- */

/* where the contact of a hand is, the point from which on contacts are of hands */
enum { FIRST_HAND = 4 };

static lb_vec3 palm_at(const retargeted *r, int point, double time)
{
    const lb_model *model = lb_clip_model(r->clip);
    const lb_contact_point *p = &lb_contacts_points(r->contacts)[point];
    double q[MOST_NQ];
    assert_in_range(lb_model_nq(model), 1, MOST_NQ);
    owned_state *s = test_state(model);
    lb_clip_at(r->clip, time, q);
    lb_state_update(s, q);
    lb_vec3 at = lb_state_point(s, p->link, LB_WORLD, p->at);
    return at;
}

/* the targets of these tests */
static lb_model *load_target(int which)
{
    if (which == 0)
        return walker_model(WALKER_T);
    return test_load_moving(which == 1 ? "human" : "biped");
}

enum { TARGETS = 3 };

/* ---- tests ---------------------------------------------------------------- */

/* what is done about palms that rest on a rail, and what is not without rows for them */
TEST(a_rail_is_held)
{
    sway s = {.places = {{0.35, 0.2, 1.05}, {0.35, -0.2, 1.05}}, .lift = 0.12};
    lb_clip *clip = make_sway(&s);
    lb_contacts *rows = rows_of_hands(s.model, REST_BEGIN, REST_END);
    for (int t = 0; t < TARGETS; t++) {
        owned_model *target = load_target(t);
        lb_retarget_options options = lb_retarget_options_default();
        owned_retargeted loose = retarget(clip, target, &options);
        assert_int_equal(loose.report.hands_held, 0);
        assert_int_equal(lb_contacts_count(loose.contacts), FIRST_HAND);
        options.contacts = rows;
        owned_retargeted held = retarget(clip, target, &options);
        assert_int_equal(held.report.hands_held, 2);
        assert_int_equal(held.report.released, 0);
        assert_int_equal(held.report.held, loose.report.held);
        assert_int_equal(lb_contacts_count(held.contacts), FIRST_HAND + 2);
        if (!(worst(&held, LB_CHECK_SLIDE) < 1e-4))
            fail_msg("target %d slides %g m", t, worst(&held, LB_CHECK_SLIDE));
        assert_true(worst(&held, LB_CHECK_PENETRATION) < 1e-3);
        // of the figure itself the place is the source's
        for (int side = 0; side < 2 && t == 1; side++) {
            lb_vec3 off = lb_vec3_sub(palm_at(&held, FIRST_HAND + side, 1), s.places[side]);
            assert_true(lb_vec3_length(off) < 3e-3);
        }
        assert_true(worst(&held, LB_CHECK_POSITION) < 1e-9);
        double with = held.check.items[LB_CHECK_ACCELERATION].rms;
        double without = loose.check.items[LB_CHECK_ACCELERATION].rms;
        if (!(with <= 1.6 * without))
            fail_msg("rms acceleration %g with held hands, %g without", with, without);
    }
    lb_contacts_release(rows);
    release_sway(&s, clip);
}

/* bent down to the ground: what rests there is found, at the height of the target's own hands */
TEST(the_ground_is_found)
{
    sway s = {
        .places = {{0.5, 0.2, 0.035}, {0.5, -0.2, 0.035}}, .lift = 0.3, .bow = 1.6, .low = 0.25};
    lb_clip *clip = make_sway(&s);
    for (int t = 0; t < TARGETS; t++) {
        owned_model *target = load_target(t);
        lb_retarget_options options = lb_retarget_options_default();
        lb_retarget_map map;
        assert_ok(lb_retarget_map_find(s.model, NULL, target, NULL, &map, NULL));
        options.hands = true;
        options.map = &map;
        options.ground = 0.1;
        owned_retargeted r = retarget(clip, target, &options);
        assert_int_equal(r.report.hands_held, 2);
        assert_int_equal(r.report.released, 0);
        assert_true(worst(&r, LB_CHECK_SLIDE) < 1e-4);
        for (int side = 0; side < 2; side++) {
            double size = 0;
            for (int i = 0; i < map.count; i++)
                size = map.pairs[i].held[0].any_height ? map.pairs[i].held[0].size : size;
            double height = palm_at(&r, FIRST_HAND + side, 1).z;
            if (!(fabs(height - options.ground - size) < 1e-4))
                fail_msg("target %d: a palm is %g above the ground, half a hand is %g", t,
                         height - options.ground, size);
        }
    }
    release_sway(&s, clip);
}

/* rows of hands that walk away: they are released, without a jump, and the report says so */
TEST(what_is_out_of_reach_is_released)
{
    owned_model *walker = walker_model(WALKER_T), *target = test_load_moving("human");
    owned_clip *clip = walker_clip(walker, WALKER_T, 6, 30);
    lb_contact_point hand = {.link = lb_model_find_link(walker, "LeftHand")};
    owned_contacts *rows = NULL;
    lb_retarget_options options = lb_retarget_options_default();
    assert_ok(lb_contacts_create(&hand, 1, NULL, &rows, NULL));
    assert_ok(lb_contacts_add(rows, 0, 0.3, 5.7, NULL));
    options.contacts = rows;
    owned_retargeted r = retarget(clip, target, &options);
    assert_true(r.report.released > 0);
    // 1.6 m of way are far beyond an arm
    assert_true(r.report.worst_released > 0.1);
    if (!(worst(&r, LB_CHECK_SLIDE) < 1e-4))
        fail_msg("slides %g m", worst(&r, LB_CHECK_SLIDE));
    assert_true(worst(&r, LB_CHECK_JUMP) < 0.35);
}

/* a slow robot takes its time, its hands and feet where they rest */
TEST(held_hands_are_slowed_down)
{
    sway s = {.places = {{0.35, 0.2, 1.05}, {0.35, -0.2, 1.05}}, .lift = 0.12};
    lb_clip *clip = make_sway(&s), *slowed = NULL;
    lb_contacts *rows = rows_of_hands(s.model, REST_BEGIN, REST_END), *contacts = NULL;
    owned_model *target = test_load_moving("biped");
    lb_retarget_options options = lb_retarget_options_default();
    options.contacts = rows;
    options.hands = true;
    assert_ok(lb_retarget_slow(clip, target, &options, NULL, &slowed, &contacts, NULL));
    options.contacts = contacts;
    options.rate = 60;
    retargeted r = retarget(slowed, target, &options);
    assert_int_equal(r.report.hands_held, 2);
    assert_true(worst(&r, LB_CHECK_SLIDE) < 1e-4);
    assert_true(worst(&r, LB_CHECK_SPEED) < 1 + 1e-6);
    release_retargeted(&r);
    lb_contacts_release(contacts);
    lb_contacts_release(rows);
    lb_clip_release(slowed);
    release_sway(&s, clip);
}
