/*
 * test_retarget_apart.c - links that retargeting keeps apart: legs that a motion crosses stay
 * beside each other, held feet stay where they are, and what is not near is not touched.
 */
#include <limber/check.h>
#include <limber/gait.h>
#include <limber/retarget.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support_load.h"

enum { KEYS = 61, MOST_NQ = 64, MOST_VISUALS = 64 };

/* The figure with what it looks like as what it collides with. */
typedef struct figure {
    lb_model *fixed, *model;
    lb_collision *collision;
} figure;

static figure make_figure(void)
{
    figure f = {.fixed = test_load("human")};
    lb_link_shape shapes[MOST_VISUALS];
    lb_collision_options options = lb_collision_options_default();
    lb_error error = {0};
    assert_int_equal(lb_model_with_root(f.fixed, LB_JOINT_FLOATING, NULL, &f.model, &error), LB_OK);
    for (int i = 0; i < lb_model_link_count(f.model); i++) {
        const lb_link *link = lb_model_link(f.model, i);
        for (int k = 0; k < link->visual_count; k++)
            shapes[options.stand_in_count++] = (lb_link_shape){i, link->visuals[k]};
    }
    assert_in_range(options.stand_in_count, 10, MOST_VISUALS);
    options.stand_ins = shapes;
    options.skip_rest = true;
    options.always = 0.02;
    if (lb_collision_create(f.model, NULL, &options, NULL, &f.collision, &error) != LB_OK)
        fail_msg("%s", error.message);
    return f;
}

static void release_figure(figure *f)
{
    lb_collision_release(f->collision);
    lb_model_release(f->model);
    lb_model_release(f->fixed);
}

/* the left leg swings over to the right one and back; for the first third it rests */
static lb_clip *cross_legs(const lb_model *model)
{
    double times[KEYS], keys[KEYS * MOST_NQ];
    size_t nq = (size_t)lb_model_nq(model);
    lb_clip *clip = NULL;
    assert_true(nq <= MOST_NQ);
    double *hip = keys + lb_model_joint_q(model, lb_model_find_joint(model, "left_hip"));
    for (size_t i = 0; i < KEYS; i++) {
        double share = i < 20 ? 0 : (double)(i - 20) / 40, half = 0.5 * 0.6 * lb_sin(LB_PI * share);
        times[i] = (double)i / 30;
        lb_configuration_neutral(model, keys + i * nq);
        hip[i * nq] = lb_cos(half);
        hip[i * nq + 1] = -lb_sin(half);
        hip[i * nq + 2] = hip[i * nq + 3] = 0;
    }
    assert_int_equal(
        lb_clip_create(model, times, keys, KEYS, LB_INTERPOLATION_LINEAR, NULL, &clip, NULL),
        LB_OK);
    return clip;
}

static lb_clip *retargeted(const lb_clip *source, const figure *f,
                           const lb_retarget_options *options, lb_contacts **contacts,
                           lb_retarget_report *report)
{
    lb_clip *clip = NULL;
    lb_error error = {0};
    if (lb_retarget(source, f->model, options, NULL, &clip, contacts, report, &error) != LB_OK)
        fail_msg("%s", error.message);
    return clip;
}

/* frames in which links are nearer than a distance, measured one by one; *least of all */
static int count_near(const lb_clip *clip, const figure *f, double distance, double *least)
{
    int near = 0;
    *least = INFINITY;
    for (int i = 0; i < lb_clip_count(clip); i++) {
        double now = lb_collision_distance(f->collision, lb_clip_key(clip, i), NULL);
        near += now < distance;
        *least = fmin(*least, now);
    }
    return near;
}

static void legs_that_cross_stay_apart(void **state)
{
    (void)state;
    figure f = make_figure();
    lb_clip *source = cross_legs(f.model);
    lb_retarget_options options = lb_retarget_options_default();
    lb_retarget_report report;
    options.unlocked = options.any_speed = true;
    double least, v[MOST_NQ];
    lb_clip *through = retargeted(source, &f, &options, NULL, &report);
    assert_true(count_near(through, &f, 0, &least) > 10 && least < -0.03);
    assert_int_equal(report.near, 0);
    options.collision = f.collision;
    options.distance = 0.02;
    lb_clip *apart = retargeted(source, &f, &options, NULL, &report);
    int near = count_near(apart, &f, 0.02, &least);
    // to the millimetre that limbs may win
    assert_true(least > 0.019);
    assert_int_equal(report.near, near);
    assert_near(report.worst_near, fmax(0.02 - least, 0), 1e-12);
    // while the leg rests nothing is near, and all is as it was
    for (int i = 0; i < 20; i++) {
        lb_configuration_difference(f.model, lb_clip_key(through, i), lb_clip_key(apart, i), v);
        for (int k = 0; k < lb_model_nv(f.model); k++)
            assert_near(v[k], 0, 1e-6);
    }
    lb_clip_release(apart);
    lb_clip_release(through);
    lb_clip_release(source);
    release_figure(&f);
}

/* a walk with the arms tight to the hips: feet stay where they are held */
static void held_feet_come_first(void **state)
{
    (void)state;
    figure f = make_figure();
    lb_gait gait = lb_gait_default();
    lb_clip *walk = NULL;
    lb_contacts *contacts = NULL, *held = NULL;
    lb_error error = {0};
    lb_retarget_report report;
    lb_check_report check;
    gait.cycles = 2;
    gait.rate = 30;
    assert_int_equal(lb_gait_walk(f.model, &gait, NULL, &walk, &contacts, &error), LB_OK);
    lb_retarget_options options = lb_retarget_options_default();
    options.contacts = contacts;
    options.collision = f.collision;
    options.distance = 0.02;
    lb_clip *apart = retargeted(walk, &f, &options, &held, &report);
    double least;
    count_near(apart, &f, 0.02, &least);
    assert_true(least > 0.019);
    assert_int_equal(lb_clip_check(apart, held, NULL, NULL, NULL, &check, &error), LB_OK);
    assert_true(check.items[LB_CHECK_SLIDE].worst < 1e-4);
    assert_true(check.items[LB_CHECK_PENETRATION].worst < 1e-3);
    lb_clip_release(apart);
    lb_clip_release(walk);
    lb_contacts_release(held);
    lb_contacts_release(contacts);
    release_figure(&f);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    figure f = make_figure(), other = make_figure();
    lb_clip *source = cross_legs(f.model), *clip = NULL;
    lb_retarget_options options = lb_retarget_options_default();
    lb_error error = {0};
    options.collision = other.collision;
    assert_int_not_equal(lb_retarget(source, f.model, &options, NULL, &clip, NULL, NULL, &error),
                         LB_OK);
    assert_non_null(strstr(error.message, "collision is of another model"));
    options.collision = f.collision;
    options.distance = -1;
    assert_int_equal(lb_retarget(source, f.model, &options, NULL, &clip, NULL, NULL, &error),
                     LB_BAD_VALUE);
    assert_non_null(strstr(error.message, "distance"));
    assert_null(clip);
    lb_clip_release(source);
    release_figure(&other);
    release_figure(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legs_that_cross_stay_apart),
        cmocka_unit_test(held_feet_come_first),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
