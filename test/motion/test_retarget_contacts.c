/*
 * test_retarget_contacts.c - when the feet of a capture rest: what is found in it alone is what a
 * retargeting holds, of a walker and of real captures.
 */
#include <float.h>
#include <limber/check.h>
#include <limber/retarget.h>

#include "motion/capture.h"
#include "motion/retargeted.h"
#include "motion/walker.h"
#include "support_load.h"

/* contacts of a retargeting begin and end with frames of its grid, 30 a second and somewhat fewer
   where the keys do not allow it */
#define STEP (1.0 / 29)

/* the spans of two lists are the same but for a step at either end; spans that are shorter are in
   one of them only */
static void assert_same_spans(const char *name, const lb_contacts *a, const lb_contacts *b)
{
    assert_int_equal(lb_contacts_count(a), lb_contacts_count(b));
    for (int p = 0; p < lb_contacts_count(a); p++) {
        int count, others;
        const lb_contact_span *spans = lb_contacts_spans(a, p, &count);
        const lb_contact_span *other = lb_contacts_spans(b, p, &others);
        bool same = count == others;
        for (int i = 0; i < count && same; i++)
            same = fabs(spans[i].begin - other[i].begin) < STEP &&
                   fabs(spans[i].end - other[i].end) < STEP;
        if (!same)
            fail_msg("%s: point %d: spans differ (%d and %d)", name, p, count, others);
    }
}

/* found in the motion, and held when it is put on its own figure */
static void compare(const char *name, const lb_clip *clip, const double *rest)
{
    owned_contacts *found = NULL;
    bool assumed;
    lb_error error = {0};
    lb_retarget_options options = lb_retarget_options_default();
    options.rest = rest;
    retargeted r = retarget(clip, lb_clip_model(clip), &options);
    if (lb_rig_contacts(clip, rest, 0, lb_vec3_make(0, 0, 0), NULL, &found, &assumed, &error) !=
        LB_OK)
        fail_msg("%s: %s", name, error.message);
    assert_true(assumed);
    assert_int_equal(r.report.shortened, 0);
    assert_same_spans(name, found, r.contacts);
    release_retargeted(&r);
}

TEST(a_walker_rests_when_it_is_held)
{
    owned_model *model = walker_model(WALKER_T);
    for (int rate = 30; rate <= 120; rate *= 2) {
        owned_clip *clip = walker_clip(model, WALKER_T, 5, rate);
        compare("walker", clip, NULL);
    }
}

TEST(feet_of_captures_rest_when_they_are_held)
{
    static const char *const names[] = {"cmu_12_01_walk", "01_01",          "zombie",
                                        "wave_hello",     "pfnn_hierarchy", "bvh_test1"};
    int compared = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        real_capture capture;
        if (open_capture(names[i], &capture)) {
            compare(names[i], capture.clip, capture.rest);
            compared++;
        }
        close_capture(&capture);
    }
    if (compared == 0)
        skip();
}

/* spans that are given for times far before and after the motion */
TEST(spans_far_from_the_motion_hold_nothing)
{
    static const lb_contact_span far[][2] = {{{-2, -1}, {1000, 1001}},
                                             {{-1e9, -2e8}, {3e9, 4e9}},
                                             {{-DBL_MAX, -1e300}, {1e300, DBL_MAX}}};
    owned_model *model = walker_model(WALKER_T);
    owned_clip *clip = walker_clip(model, WALKER_T, 1, 30);
    const lb_contact_point toe = {.link = lb_model_find_link(model, "LeftToeBase")};
    retargeted results[3];
    for (int i = 0; i < 3; i++) {
        lb_contacts *given = NULL;
        lb_retarget_options options = lb_retarget_options_default();
        assert_int_equal(lb_contacts_create(&toe, 1, NULL, &given, NULL), LB_OK);
        assert_int_equal(lb_contacts_add(given, 0, 0.1, 0.5, NULL), LB_OK);
        for (int k = 0; k < 2; k++)
            assert_int_equal(lb_contacts_add(given, 0, far[i][k].begin, far[i][k].end, NULL),
                             LB_OK);
        options.contacts = given;
        results[i] = retarget(clip, model, &options);
        lb_contacts_release(given);
        assert_int_equal(results[i].report.held, 1);
        size_t size = sizeof(double) * (size_t)lb_model_nq(model);
        for (int key = 0; key < lb_clip_count(clip); key++)
            assert_memory_equal(lb_clip_key(results[i].clip, key),
                                lb_clip_key(results[0].clip, key), size);
    }
    for (int i = 0; i < 3; i++)
        release_retargeted(&results[i]);
}

/* ---- places that legs do not reach ----------------------------------------------- */

/* the biped, less able in its ankles and hips, as robots with few joints in their legs are */
static lb_model *stiff_biped(void)
{
    enum { MOST = 32 };
    static const struct {
        const char *joint;
        double most;
    } stiff[] = {{"hip_yaw", 0.43}, {"hip_roll", 0.2}, {"ankle_roll", 0.02}, {"ankle_pitch", 0.5}};
    owned_model *biped = test_load_moving("biped");
    lb_link links[MOST];
    lb_joint joints[MOST];
    int count = lb_model_joint_count(biped);
    assert_in_range(count, 1, MOST - 1);
    for (int i = 0; i <= count; i++)
        links[i] = *lb_model_link(biped, i);
    for (int i = 0; i < count; i++) {
        joints[i] = *lb_model_joint(biped, i);
        for (size_t k = 0; k < sizeof stiff / sizeof *stiff; k++)
            if (strstr(joints[i].name, stiff[k].joint) != NULL)
                joints[i].lower[0] = -stiff[k].most, joints[i].upper[0] = stiff[k].most;
    }
    return test_build(&(lb_model_source){.name = "stiff",
                                         .root = LB_TRANSFORM_IDENTITY,
                                         .links = links,
                                         .link_count = count + 1,
                                         .joints = joints,
                                         .joint_count = count});
}

/* feet that stand turned out farther than the target's hips turn; its root could be where it is to
   be */
static bool stand_turned_out(void *user, int key, double *time, double *q)
{
    static const char *const thighs[] = {"LeftUpLeg", "RightUpLeg"};
    static const char *const below[] = {"LeftLeg", "RightLeg", "LeftFoot", "RightFoot"};
    *time = key / 30.0;
    walker_at(user, WALKER_T, 0, q);
    for (int side = 0; side < 2; side++)
        walker_set(user, thighs[side],
                   lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), side == 0 ? 0.7 : -0.7), q);
    for (int i = 0; i < 4; i++)
        walker_set(user, below[i], LB_QUAT_IDENTITY, q);
    return true;
}

TEST(feet_that_turn_too_far_are_planted_elsewhere)
{
    owned_model *walker = walker_model(WALKER_T), *target = stiff_biped();
    owned_clip *clip = test_clip_generate(walker, 61, stand_turned_out, walker);
    for (int smooth = 0; smooth <= 8; smooth += 8) {
        lb_retarget_options options = lb_retarget_options_default();
        options.smooth = smooth;
        retargeted r = retarget(clip, target, &options);
        assert_int_equal(r.report.held, 2);
        assert_int_equal(r.report.moved, 2);
        assert_true(worst(&r, LB_CHECK_SLIDE) < 1e-4);
        assert_true(r.report.worst_slide < 1e-4);
        release_retargeted(&r);
    }
}
