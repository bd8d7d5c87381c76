/*
 * test_retarget_contacts.c - when the feet of a capture rest: what is found in it alone is what a
 * retargeting holds, of a walker and of real captures.
 */
#include <limber/check.h>
#include <limber/fidelity.h>

#include <float.h>

#include "motion/capture.h"
#include "motion/retargeted.h"
#include "motion/walker.h"
#include "support_load.h"

/* seconds of a span in which a point is held */
static double held_time(lb_contact_span span, const lb_contact_span *held, int count)
{
    double time = 0;
    for (int i = 0; i < count; i++)
        time += fmax(0, fmin(span.end, held[i].end) - fmax(span.begin, held[i].begin));
    return time;
}

/* of the time in which points rest such a share is held: captures land and lift off slowly */
static void assert_held(const char *name, const lb_contacts *found, const lb_contacts *held,
                        double least)
{
    double rest = 0, both = 0;
    assert_int_equal(lb_contacts_count(found), lb_contacts_count(held));
    for (int p = 0; p < lb_contacts_count(found); p++) {
        int count, others;
        const lb_contact_span *spans = lb_contacts_spans(found, p, &count);
        const lb_contact_span *other = lb_contacts_spans(held, p, &others);
        assert_true(count > 0 || others == 0);
        for (int i = 0; i < count; i++) {
            rest += spans[i].end - spans[i].begin;
            both += held_time(spans[i], other, others);
        }
    }
    if (!(both >= least * rest))
        fail_msg("%s: points rest for %g s and are held for %g s of these", name, rest, both);
}

/* Changes a key of a clip; x is horizontal in the root of every figure here. */
typedef struct edited {
    const lb_clip *clip;
    void (*fault)(double time, double middle, double *q);
    double middle; /* of a contact, seconds */
} edited;

static void none(double time, double middle, double *q)
{
    (void)time, (void)middle, (void)q;
}

static void drifts(double time, double middle, double *q)
{
    (void)middle;
    q[0] += 0.03 * time;
}

static void shifted_from_the_middle_on(double time, double middle, double *q)
{
    q[0] += time > middle ? 0.05 : 0;
}

/* by 5 mm, slower than a step */
static void creeps_from_the_middle_on(double time, double middle, double *q)
{
    q[0] += fmin(5e-3, 0.03 * fmax(0, time - middle));
}

static bool fill(void *user, int key, double *time, double *q)
{
    const edited *e = user;
    *time = lb_clip_times(e->clip)[key];
    memcpy(q, lb_clip_key(e->clip, key), (size_t)lb_model_nq(lb_clip_model(e->clip)) * sizeof *q);
    e->fault(*time, e->middle, q);
    return true;
}

/* the most that a foot slides where it is found to rest, metres */
static double slide(const lb_clip *clip, edited from)
{
    owned_contacts *found = NULL;
    owned_clip *wrong = NULL;
    lb_check_report report;
    from.clip = clip;
    assert_ok(lb_clip_generate(lb_clip_model(clip), lb_clip_count(clip), fill, &from,
                               LB_INTERPOLATION_LINEAR, NULL, &wrong, NULL));
    assert_ok(lb_rig_contacts(wrong, NULL, 0, lb_vec3_make(0, 0, 0), NULL, &found, NULL, NULL));
    assert_ok(lb_clip_check(wrong, found, NULL, NULL, NULL, &report, NULL));
    double worst = report.items[LB_CHECK_SLIDE].worst;
    assert_true((report.items[LB_CHECK_SLIDE].beyond > 0) == (worst > 1e-3));
    return worst;
}

/* the middle of the longest contact */
static double middle_of(const lb_contacts *contacts)
{
    lb_contact_span longest = {0, 0};
    for (int p = 0; p < lb_contacts_count(contacts); p++) {
        int count;
        const lb_contact_span *spans = lb_contacts_spans(contacts, p, &count);
        for (int i = 0; i < count; i++)
            if (spans[i].end - spans[i].begin > longest.end - longest.begin)
                longest = spans[i];
    }
    return 0.5 * (longest.begin + longest.end);
}

/* a motion on its own figure is what it was, but for feet that are held: means, radians */
static void assert_like(const char *name, const lb_clip *clip, const lb_clip *source)
{
    static const double most[] = {[LB_FIDELITY_TRUNK] = 0.03,    [LB_FIDELITY_HEADING] = 0.04,
                                  [LB_FIDELITY_LEFT_ARM] = 0.01, [LB_FIDELITY_RIGHT_ARM] = 0.01,
                                  [LB_FIDELITY_LEFT_LEG] = 0.06, [LB_FIDELITY_RIGHT_LEG] = 0.06};
    lb_fidelity_report report;
    assert_ok(lb_clip_fidelity(clip, source, NULL, NULL, NULL, &report, NULL));
    for (int i = 0; i <= LB_FIDELITY_RIGHT_LEG; i++)
        if (!(report.items[i].mean < most[i]))
            fail_msg("%s: %s differs by %g", name, lb_fidelity_text((lb_fidelity_item)i),
                     report.items[i].mean);
}

/* what is found to rest is held when the motion is put on its own figure; there it does not slide,
   and faults that are put into it are found */
static void compare(const char *name, const lb_clip *clip, const double *rest, double least)
{
    owned_contacts *found = NULL;
    bool assumed;
    lb_retarget_options options = lb_retarget_options_default();
    options.rest = rest;
    owned_retargeted r = retarget(clip, lb_clip_model(clip), &options);
    if (lb_rig_contacts(clip, rest, 0, lb_vec3_make(0, 0, 0), NULL, &found, &assumed, &cause) !=
        LB_OK)
        fail_msg("%s: %s", name, cause.message);
    assert_true(assumed);
    assert_int_equal(r.report.shortened, 0);
    assert_like(name, r.clip, clip);
    assert_held(name, found, r.contacts, least);
    double clean = slide(r.clip, (edited){.fault = none});
    double drift = slide(r.clip, (edited){.fault = drifts});
    double step = slide(
        r.clip, (edited){.fault = shifted_from_the_middle_on, .middle = middle_of(r.contacts)});
    double creep = slide(
        r.clip, (edited){.fault = creeps_from_the_middle_on, .middle = middle_of(r.contacts)});
    if (!(clean < 1e-3 && drift > 1e-3 && step > 1e-2 && creep > 4e-3))
        fail_msg("%s: slides by %g, with faults by %g, %g and %g m", name, clean, drift, step,
                 creep);
}

TEST(a_walker_rests_when_it_is_held)
{
    owned_model *model = walker_model(WALKER_T);
    for (int rate = 30; rate <= 120; rate *= 2) {
        owned_clip *clip = walker_clip(model, WALKER_T, 5, rate);
        compare("walker", clip, NULL, 0.99);
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
            compare(names[i], capture.clip, capture.rest, 0.85);
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
        assert_ok(lb_contacts_create(&toe, 1, NULL, &given, NULL));
        assert_ok(lb_contacts_add(given, 0, 0.1, 0.5, NULL));
        for (int k = 0; k < 2; k++)
            assert_ok(lb_contacts_add(given, 0, far[i][k].begin, far[i][k].end, NULL));
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
    return test_make("stiff", links, count + 1, joints, count);
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
        owned_retargeted r = retarget(clip, target, &options);
        assert_int_equal(r.report.held, 2);
        assert_int_equal(r.report.moved, 2);
        assert_true(worst(&r, LB_CHECK_SLIDE) < 1e-4);
        assert_true(r.report.worst_slide < 1e-4);
    }
}
