/*
 * test_retarget.c - a walker whose steps are known, on figures of other proportions; captures on
 * real robots; what must not matter: first guess, frame rate, rest pose.
 */
#include <limber/body.h>
#include <limber/check.h>
#include <limber/gait.h>
#include <limber/retarget.h>

#include "motion/capture.h"
#include "motion/retargeted.h"
#include "motion/walker.h"
#include "support_load.h"

#include <limber/formats/load.h>
#include <limber/formats/looks.h>
#include <limber/kinematics.h>
#include <unistd.h>

enum { MOST_NQ = 220 };

/* the farthest that any value differs at the times of the coarser clip */
static double apart(const lb_clip *coarse, const lb_clip *fine)
{
    const lb_model *model = lb_clip_model(coarse);
    double v[MOST_NQ], q[MOST_NQ], most = 0;
    for (int i = 0; i < lb_clip_count(coarse); i++) {
        lb_clip_at(fine, lb_clip_times(coarse)[i], q);
        lb_configuration_difference(model, lb_clip_key(coarse, i), q, v);
        for (int k = 0; k < lb_model_nv(model); k++)
            most = fmax(most, fabs(v[k]));
    }
    return most;
}

/* ---- feet --------------------------------------------------------------- */

TEST(held_feet_stay_where_they_are)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("human");
    owned_clip *clip = walker_clip(source, WALKER_T, 5, 60);
    owned_retargeted r = retarget(clip, target, NULL);
    // ten rests in five cycles, most of them in phases: heel or toe alone before and after
    assert_in_range(r.report.held, 10, 11);
    assert_true(worst(&r, LB_CHECK_SLIDE) < 1e-4);
    assert_true(worst(&r, LB_CHECK_FLOATING) < 1e-3);
    assert_true(worst(&r, LB_CHECK_PENETRATION) < 1e-3);
    assert_true(worst(&r, LB_CHECK_POSITION) < 1e-9);
}

TEST(contacts_are_those_of_the_walker)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("human");
    owned_clip *clip = walker_clip(source, WALKER_T, 5, 60);
    retargeted r = retarget(clip, target, NULL);
    for (int i = 0; i <= 400; i++) {
        double time = 0.3 + i * 0.011, x, z, pitch;
        for (int foot = 0; foot < 2; foot++) {
            bool rests = walker_foot(foot, time, &x, &z, &pitch);
            bool before = walker_foot(foot, time - 0.08, &x, &z, &pitch);
            bool after = walker_foot(foot, time + 0.08, &x, &z, &pitch);
            // the walker's feet leave and land slowly: times near that are left open
            if (rests != before || rests != after)
                continue;
            assert_int_equal(lb_contacts_at(r.contacts, 2 * foot, time) != NULL, rests);
        }
    }
    release_retargeted(&r);
}

/* points of the soles, both of a foot on one link, are those of the map, wherever that has them */
TEST(soles_that_are_given_are_held)
{
    owned_model *source = test_load_moving("human"), *target = test_load_moving("human");
    lb_gait gait = lb_gait_default();
    owned_clip *clip = NULL;
    owned_contacts *walk = NULL, *soles = NULL;
    assert_ok(lb_gait_walk(source, &gait, NULL, &clip, &walk, NULL));
    lb_retarget_options options = lb_retarget_options_default();
    options.contacts = walk;
    retargeted r = retarget(clip, target, &options);
    for (int p = 0; p < 4; p++) {
        int count, given;
        lb_contacts_spans(r.contacts, p, &count);
        lb_contacts_spans(walk, p, &given);
        assert_int_equal(count, given);
    }
    release_retargeted(&r);
    // a point without spans leaves its own free and has no effect on the other one of its link
    assert_ok(lb_rig_soles(source, NULL, NULL, &soles, NULL));
    assert_ok(lb_contacts_add(soles, 1, 0.1, 0.6, NULL));
    options.contacts = soles;
    r = retarget(clip, target, &options);
    assert_int_equal(r.report.held, 1);
    for (int p = 0; p < 4; p++)
        assert_int_equal(lb_contacts_at(r.contacts, p, 0.3) != NULL, p == 1);
    release_retargeted(&r);
}

static void compare_accelerations(const char *capture, const char *robot, const retargeted *held,
                                  const retargeted *loose)
{
    double with = held->check.items[LB_CHECK_ACCELERATION].rms;
    double without = loose->check.items[LB_CHECK_ACCELERATION].rms;
    if (!(with <= 1.25 * without))
        fail_msg("%s on %s: rms acceleration %g with held feet, %g without", capture, robot, with,
                 without);
}

TEST(held_feet_do_not_shake_the_rest)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("human");
    owned_clip *clip = walker_clip(source, WALKER_T, 5, 60);
    lb_retarget_options options = lb_retarget_options_default();
    owned_retargeted held = retarget(clip, target, &options);
    options.unlocked = true;
    owned_retargeted loose = retarget(clip, target, &options);
    assert_int_equal(loose.report.held, 0);
    compare_accelerations("a walker", "human", &held, &loose);
}

/* soles that are longer by so much before and behind, of their length */
static void lengthen(lb_contacts *soles, double behind, double before)
{
    for (int foot = 0; foot < 2; foot++) {
        lb_contact_point ends[2] = {lb_contacts_points(soles)[2 * foot],
                                    lb_contacts_points(soles)[2 * foot + 1]};
        lb_vec3 along = lb_vec3_sub(ends[1].at, ends[0].at);
        ends[0].at = lb_vec3_sub(ends[0].at, lb_vec3_scale(along, behind));
        ends[1].at = lb_vec3_add(ends[1].at, lb_vec3_scale(along, before));
        for (int k = 0; k < 2; k++)
            assert_ok(lb_contacts_move(soles, 2 * foot + k, &ends[k], NULL));
    }
}

/* soles of half a leg: heel and toe that are far apart make narrow valleys of what a figure is to
   do, and descents that end in them here and there make it shake between the grid's times */
TEST(long_soles_do_not_shake_the_rest)
{
    owned_model *source = test_load_moving("human"), *target = test_load_moving("human");
    lb_gait gait = lb_gait_default();
    owned_clip *clip = NULL;
    owned_contacts *walk = NULL, *soles = NULL;
    lb_retarget_map map;
    assert_ok(lb_gait_walk(source, &gait, NULL, &clip, &walk, NULL));
    assert_ok(lb_rig_soles(target, NULL, NULL, &soles, NULL));
    lengthen(soles, 0.2, 0.6);
    assert_ok(lb_retarget_map_find(source, NULL, target, NULL, &map, NULL));
    lb_retarget_map_set_soles(&map, soles);
    lb_retarget_options options = lb_retarget_options_default();
    options.map = &map;
    options.contacts = walk;
    options.rate = 120;
    owned_retargeted held = retarget(clip, target, &options);
    options.unlocked = true;
    owned_retargeted loose = retarget(clip, target, &options);
    compare_accelerations("walk", "long soles", &held, &loose);
    assert_true(worst(&held, LB_CHECK_SLIDE) < 1e-4);
    assert_true(worst(&held, LB_CHECK_PENETRATION) < 1e-3);
}

/* the ground of the target is where it is wanted, and the source's contacts may be given */
TEST(ground_and_contacts_are_given)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("human");
    owned_clip *clip = walker_clip(source, WALKER_T, 2, 30);
    lb_contact_point toe = {.link = lb_model_find_link(source, "LeftToeBase")};
    owned_contacts *given = NULL;
    assert_ok(lb_contacts_create(&toe, 1, NULL, &given, NULL));
    assert_ok(lb_contacts_add(given, 0, 0.1, 0.5, NULL));
    lb_retarget_options options = lb_retarget_options_default();
    options.contacts = given;
    options.ground = 0.25;
    owned_retargeted r = retarget(clip, target, &options);
    assert_int_equal(r.report.held, 1);
    const lb_contact_point *points = lb_contacts_points(r.contacts);
    owned_state *s = test_state(target);
    for (int i = 3; i <= 15; i++) {
        lb_state_update(s, lb_clip_key(r.clip, i));
        lb_vec3 at = lb_state_point(s, points[1].link, LB_WORLD, points[1].at);
        assert_near(at.z, 0.25, 1e-4);
    }
}

/* ---- poses -------------------------------------------------------------- */

/* a figure on itself moves as it did, but for what the posture weighs and what is smoothed */
TEST(a_figure_on_itself_keeps_its_motion)
{
    owned_model *source = walker_model(WALKER_T);
    owned_clip *clip = walker_clip(source, WALKER_T, 2, 30);
    lb_retarget_options options = lb_retarget_options_default();
    options.unlocked = true;
    owned_retargeted r = retarget(clip, source, &options);
    owned_state *a = test_state(source);
    owned_state *b = test_state(source);
    for (int i = 0; i < lb_clip_count(clip); i++) {
        lb_state_update(a, lb_clip_key(clip, i));
        lb_state_update(b, lb_clip_key(r.clip, i));
        for (int link = 1; link < lb_model_link_count(source); link++)
            assert_near(
                lb_transform_distance(&lb_state_transforms(a)[link], &lb_state_transforms(b)[link]),
                0, 0.017);
    }
}

/* the same motion of a rig that rests with its arms half down */
TEST(the_rest_pose_does_not_matter)
{
    owned_model *t = walker_model(WALKER_T), *a = walker_model(WALKER_A);
    owned_model *target = test_load_moving("human");
    owned_clip *of_t = walker_clip(t, WALKER_T, 2, 30), *of_a = walker_clip(a, WALKER_A, 2, 30);
    retargeted first = retarget(of_t, target, NULL), second = retarget(of_a, target, NULL);
    assert_near(apart(first.clip, second.clip), 0, 1e-5);
    release_retargeted(&first);
    release_retargeted(&second);
}

TEST(the_frame_rate_does_not_matter)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("human");
    owned_clip *slow = walker_clip(source, WALKER_T, 3, 30);
    owned_retargeted first = retarget(slow, target, NULL);
    const double rates[] = {60, 120};
    for (int i = 0; i < 2; i++) {
        owned_clip *fast = walker_clip(source, WALKER_T, 3, rates[i]);
        owned_retargeted second = retarget(fast, target, NULL);
        assert_near(apart(first.clip, second.clip), 0, 1e-6);
    }
}

TEST(the_first_guess_does_not_matter)
{
    lb_random random = test_seed(4);
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("human");
    owned_clip *clip = walker_clip(source, WALKER_T, 1, 30);
    lb_retarget_options options = lb_retarget_options_default();
    owned_retargeted first = retarget(clip, target, &options);
    double start[MOST_NQ];
    for (int i = 0; i < FEWER(50, 8); i++) {
        lb_configuration_random(target, &random, start);
        options.start = start;
        owned_retargeted second = retarget(clip, target, &options);
        assert_near(apart(first.clip, second.clip), 0, 1e-6);
    }
}

/* ---- real captures on real robots ----------------------------------------- */

static const char *const captures[] = {"cmu_12_01_walk", "01_01",     "zombie",
                                       "pfnn_hierarchy", "bvh_test1", "wave_hello",
                                       "olympe_root"};
/* the first of these move; held feet must not shake the rest there */
enum { MOVING = 3 };
static const char *const robots[] = {"human",
                                     LIMBER_DATA_DIR "/urdf/unitree_g1_29dof_rev_1_0.urdf",
                                     LIMBER_DATA_DIR "/mjcf/t1_mocap.xml",
                                     LIMBER_DATA_DIR "/urdf/erd_talos_full_v2.urdf",
                                     LIMBER_DATA_DIR "/gltf/cesium_man.gltf",
                                     LIMBER_DATA_DIR "/gltf/robot_expressive.glb"};

/* one pair of so many: 5 has each capture and each robot */
TEST_ARGUMENT(one_of, 1, 1)

/* what follows what, on the soles that a glTF draws */
static lb_retarget_map make_map(const real_capture *capture, const char *name,
                                const lb_model *target)
{
    lb_retarget_map map;
    lb_gltf *gltf = NULL;
    lb_looks *looks = NULL;
    lb_contacts *soles = NULL;
    lb_error error = {0};
    bool known = false;
    assert_made(lb_retarget_map_find(lb_clip_model(capture->clip), capture->rest, target, NULL,
                                     &map, &error),
                error);
    if (strstr(name, ".gl") == NULL)
        return map;
    assert_made(lb_gltf_load(name, NULL, &gltf, &error) != LB_OK ||
                    lb_looks_load(NULL, lb_gltf_model(gltf), gltf, NULL, &looks, &error) != LB_OK ||
                    lb_rig_soles_by_looks(target, NULL, looks, NULL, &soles, &known, &error),
                error);
    assert_true(known);
    lb_retarget_map_set_soles(&map, soles);
    lb_contacts_release(soles);
    lb_looks_release(looks);
    lb_gltf_release(gltf);
    return map;
}

TEST(captures_move_robots)
{
    for (size_t i = 0; i < sizeof captures / sizeof *captures; i++) {
        real_capture capture;
        if (!open_capture(captures[i], &capture)) {
            print_message("%s: not there, skipped\n", captures[i]);
            continue;
        }
        for (size_t k = 0; k < sizeof robots / sizeof *robots; k++) {
            if ((i + k) % (size_t)one_of != 0)
                continue;
            owned_model *target = test_load_moving(robots[k]);
            lb_retarget_options options = lb_retarget_options_default();
            lb_retarget_map map = make_map(&capture, robots[k], target);
            options.map = &map;
            options.rest = capture.rest;
            retargeted r = retarget(capture.clip, target, &options);
            const lb_check_worst *items = r.check.items;
            if (!(worst(&r, LB_CHECK_SLIDE) < 1e-4) || !(worst(&r, LB_CHECK_PENETRATION) < 1e-3) ||
                !(worst(&r, LB_CHECK_FLOATING) < 1e-3) || items[LB_CHECK_SPEED].beyond > 0 ||
                items[LB_CHECK_POSITION].beyond > 0)
                fail_msg("%s on %s: slide %g, penetration %g, floating %g, %d frames beyond a "
                         "speed, %d beyond a limit",
                         captures[i], robots[k], worst(&r, LB_CHECK_SLIDE),
                         worst(&r, LB_CHECK_PENETRATION), worst(&r, LB_CHECK_FLOATING),
                         items[LB_CHECK_SPEED].beyond, items[LB_CHECK_POSITION].beyond);
            assert_true(r.report.worst_slide < 1e-4 && r.report.worst_penetration < 1e-3);
            options.unlocked = true;
            if (i < MOVING) {
                owned_retargeted loose = retarget(capture.clip, target, &options);
                compare_accelerations(captures[i], robots[k], &r, &loose);
            }
            release_retargeted(&r);
        }
        close_capture(&capture);
    }
}

/* a quadruped that sways over its feet, which stay */
static lb_clip *sway(const lb_model *model, const char *const *feet)
{
    enum { KEYS = 61 };
    lb_body_task tasks[5] = {lb_body_task_make(LB_BODY_POSE, 1)};
    double times[KEYS], keys[KEYS * MOST_NQ];
    int nq = lb_model_nq(model);
    for (int i = 0; i < 4; i++) {
        tasks[i + 1] = lb_body_task_make(LB_BODY_POSITION, lb_model_find_link(model, feet[i]));
        tasks[i + 1].weight = 100;
    }
    lb_configuration_neutral(model, keys);
    // legs that stand: hips, thighs and calves in turn
    for (int leg = 0; leg < 4; leg++)
        memcpy(&keys[7 + 3 * leg], (double[]){0, 0.8, -1.6}, 3 * sizeof(double));
    owned_body *body = test_body(model, tasks, 5, NULL);
    for (int i = 0; i < 5; i++)
        assert_ok(lb_body_hold(body, i, keys));
    for (int i = 0; i < KEYS; i++) {
        double *q = &keys[i * nq];
        lb_transform at = lb_transform_translation(0, 0.04 * lb_sin(0.1 * i), -0.02);
        times[i] = i / 30.0;
        lb_body_set_target(body, 0, &at);
        lb_body_solve(body, i > 0 ? q - nq : q, q, NULL);
    }
    lb_clip *clip = test_clip(model, times, keys, KEYS, LB_INTERPOLATION_LINEAR);
    return clip;
}

/* by a map of the trunk and four feet, without any role */
TEST(animals_move_by_a_map)
{
    const char *const of_source[4] = {"FL_foot", "FR_foot", "RL_foot", "RR_foot"};
    const char *const of_target[4] = {"lf_foot", "rf_foot", "lh_foot", "rh_foot"};
    const char *files[2] = {LIMBER_DATA_DIR "/urdf/erd_go2.urdf",
                            LIMBER_DATA_DIR "/urdf/erd_hyq_no_sensors.urdf"};
    if (access(files[0], R_OK) != 0 || access(files[1], R_OK) != 0) {
        print_message("no shared data: skipped\n");
        return;
    }
    owned_model *source = test_load_moving(files[0]), *target = test_load_moving(files[1]);
    owned_clip *clip = sway(source, of_source);
    lb_retarget_map map = {.count = 5};
    map.pairs[0] = lb_retarget_pair_make(LB_ROLE_COUNT, lb_model_find_link(source, "base"),
                                         lb_model_find_link(target, "trunk"));
    map.pairs[0].position = map.pairs[0].orientation = 1;
    for (int i = 0; i < 4; i++) {
        lb_retarget_pair *foot = &map.pairs[i + 1];
        *foot = lb_retarget_pair_make(LB_ROLE_COUNT, lb_model_find_link(source, of_source[i]),
                                      lb_model_find_link(target, of_target[i]));
        foot->held_count = 1;
        foot->held[0].source = foot->source;
    }
    lb_retarget_options options = lb_retarget_options_default();
    options.map = &map;
    retargeted r = retarget(clip, target, &options);
    assert_int_equal(r.report.held, 4);
    assert_true(r.report.scale > 1);
    assert_true(worst(&r, LB_CHECK_SLIDE) < 1e-4);
    assert_true(worst(&r, LB_CHECK_PENETRATION) < 1e-3);
    assert_int_equal(r.check.items[LB_CHECK_SPEED].beyond, 0);
    release_retargeted(&r);
}

/* a file's digits do not cost the last frame: 30 a second of keys 0.033333 s apart */
TEST(the_own_rate_keeps_every_frame)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("biped");
    owned_clip *walk = walker_clip(source, WALKER_T, 1, 1 / 0.033333);
    lb_retarget_options options = lb_retarget_options_default();
    options.rate = 30;
    owned_retargeted r = retarget(walk, target, &options);
    assert_int_equal(lb_clip_count(r.clip), lb_clip_count(walk));
    assert_near(lb_clip_end(r.clip), lb_clip_end(walk), 1e-12);
}

/* ---- refusals ----------------------------------------------------------- */

TEST(what_cannot_be_is_refused)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("human");
    owned_model *fixed = test_load("human"), *arm = test_load("panda");
    lb_clip *clip = walker_clip(source, WALKER_T, 1, 30), *out = NULL;
    lb_retarget_map map;
    lb_retarget_options options = lb_retarget_options_default();
    assert_refused(lb_retarget(clip, fixed, NULL, NULL, &out, NULL, NULL, &cause), LB_BAD_MODEL,
                   &cause, "root");
    assert_refused(lb_retarget(clip, arm, NULL, NULL, &out, NULL, NULL, &cause), LB_BAD_MODEL,
                   &cause, "map");
    assert_ok(lb_retarget_map_find(source, NULL, target, NULL, &map, &cause));
    map.pairs[3].target = 1000;
    options.map = &map;
    assert_refused(lb_retarget(clip, target, &options, NULL, &out, NULL, NULL, &cause),
                   LB_BAD_VALUE, &cause, "pair 3");
    // numbers that are finite and place targets where nothing is computed
    for (int i = 0; i < 3; i++) {
        assert_ok(lb_retarget_map_find(source, NULL, target, NULL, &map, &cause));
        options = lb_retarget_options_default();
        options.map = &map;
        options.root_scale = i == 0 ? 1e200 : 0;
        options.ground = i == 1 ? 1e200 : 0;
        map.pairs[0].offset.x = i == 2 ? 1e20 : 0;
        assert_refused(lb_retarget(clip, target, &options, NULL, &out, NULL, NULL, &cause),
                       LB_BAD_VALUE, &cause, "1e15 m");
    }
    options = lb_retarget_options_default();
    options.blend = -1;
    assert_int_equal(lb_retarget(clip, target, &options, NULL, &out, NULL, NULL, &cause),
                     LB_BAD_VALUE);
    options = lb_retarget_options_default();
    options.rate = 2.0 * LB_CLIP_KEYS_MAX / (lb_clip_end(clip) - lb_clip_begin(clip));
    assert_refused(lb_retarget(clip, target, &options, NULL, &out, NULL, NULL, &cause),
                   LB_BAD_VALUE, &cause, "too many frames");
    assert_null(out);
    lb_clip_release(clip);
}

/* without memory, refused at each allocation and nothing left behind */
TEST(every_allocation_may_fail)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("human");
    lb_clip *clip = walker_clip(source, WALKER_T, 1, 30), *out = NULL;
    lb_contacts *contacts = NULL;
    ALLOCATIONS_FAIL (failing, 1000) {
        failing.status =
            lb_retarget(clip, target, NULL, &failing.allocator, &out, &contacts, NULL, NULL);
        lb_clip_release(out);
        lb_contacts_release(contacts);
        contacts = NULL;
    }
    lb_clip_release(clip);
}

/* people who stand, walk, wave or jump have their hands in the air */
TEST(hands_in_the_air_are_not_held)
{
    lb_model *target = test_load_moving("human");
    int found = 0;
    for (size_t i = FEWER(0, 5); i < sizeof captures / sizeof *captures; i++) {
        real_capture capture;
        if (!open_capture(captures[i], &capture))
            continue;
        found++;
        lb_retarget_options options = lb_retarget_options_default();
        options.rest = capture.rest;
        options.hands = true;
        retargeted r = retarget(capture.clip, target, &options);
        if (r.report.hands_held != 0)
            fail_msg("%s: %d contacts of hands", captures[i], r.report.hands_held);
        release_retargeted(&r);
        close_capture(&capture);
    }
    lb_model_release(target);
    if (found == 0)
        skip();
}
