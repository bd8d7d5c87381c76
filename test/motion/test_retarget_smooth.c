/*
 * test_retarget_smooth.c - a whole motion solved as one problem against its frames by themselves:
 * no less like the source, no contact or limit given up, and far calmer.
 */
#include <limber/check.h>
#include <limber/fidelity.h>
#include <limber/retarget.h>

#include "motion/retargeted.h"
#include "motion/walker.h"
#include "support_load.h"

static retargeted retarget_at(const lb_clip *source, const lb_model *target, double hertz)
{
    lb_retarget_options options = lb_retarget_options_default();
    options.smooth = hertz;
    return retarget(source, target, &options);
}

/* the mean error of a clip's limbs, radians */
static double unlike(const retargeted *r, const lb_clip *source)
{
    static const lb_fidelity_item limbs[] = {LB_FIDELITY_LEFT_ARM, LB_FIDELITY_RIGHT_ARM,
                                             LB_FIDELITY_LEFT_LEG, LB_FIDELITY_RIGHT_LEG};
    lb_fidelity_report report;
    double sum = 0;
    assert_int_equal(lb_clip_fidelity(r->clip, source, NULL, NULL, NULL, &report, NULL), LB_OK);
    for (int i = 0; i < 4; i++)
        sum += report.items[limbs[i]].mean / 4;
    return sum;
}

/* arms and a head that jerk: their directions change at once, four times a second */
static bool jerk(void *user, int key, double *time, double *q)
{
    *time = key / 60.0;
    walker_at(user, WALKER_T, *time, q);
    double angle = key / 15 % 2 ? 0.5 : -0.5;
    lb_quat turn = lb_quat_from_axis_angle(lb_vec3_make(0, 1, 0), angle);
    walker_set(user, "LeftArm", turn, q);
    walker_set(user, "RightForeArm", turn, q);
    return true;
}

static const char *const figures[] = {"human", "biped"};

TEST(nothing_jerks_and_nothing_is_given_up)
{
    owned_model *source = walker_model(WALKER_T);
    owned_clip *walk = walker_clip(source, WALKER_T, 3, 60);
    owned_clip *jerks = test_clip_generate(source, 180, jerk, source);
    const lb_clip *clips[] = {walk, jerks};
    for (int f = 0; f < 2; f++)
        for (int c = 0; c < 2; c++) {
            owned_model *target = test_load_moving(figures[f]);
            retargeted fast = retarget_at(clips[c], target, 0);
            retargeted calm = retarget_at(clips[c], target, 8);
            double before = worst(&fast, LB_CHECK_ACCELERATION);
            assert_true(worst(&calm, LB_CHECK_ACCELERATION) < (c ? 0.5 : 1) * before);
            assert_true(worst(&calm, LB_CHECK_SLIDE) < 1e-4);
            assert_true(worst(&calm, LB_CHECK_FLOATING) < 1e-4);
            assert_true(worst(&calm, LB_CHECK_PENETRATION) < 2e-4);
            assert_int_equal(calm.check.items[LB_CHECK_SPEED].beyond, 0);
            assert_int_equal(calm.check.items[LB_CHECK_POSITION].beyond, 0);
            assert_int_equal(calm.report.held, fast.report.held);
            assert_true(calm.report.smoothed && !fast.report.smoothed);
            if (c == 0)
                assert_true(unlike(&calm, clips[c]) < unlike(&fast, clips[c]) + 0.02);
            release_retargeted(&calm);
            release_retargeted(&fast);
        }
}

/* a lower frequency is calmer, a higher one nearer to the source */
TEST(the_frequency_decides)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("human");
    owned_clip *clip = test_clip_generate(source, 180, jerk, source);
    double calmest = 0, nearest = INFINITY;
    for (double hertz = 2; hertz <= 32; hertz *= 4) {
        retargeted r = retarget_at(clip, target, hertz);
        double acceleration = r.check.items[LB_CHECK_ACCELERATION].rms, off = unlike(&r, clip);
        assert_true(acceleration > calmest && off < nearest);
        calmest = acceleration, nearest = off;
        release_retargeted(&r);
    }
}

/* a motion is solved window by window: what comes later than some seconds has no effect */
TEST(a_beginning_is_that_of_a_longer_motion)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("biped");
    owned_clip *all = walker_clip(source, WALKER_T, 24, 30), *part = NULL;
    assert_int_equal(lb_clip_slice(all, 0, 18, NULL, &part, NULL), LB_OK);
    // contacts at the end of a clip are others
    retargeted whole = retarget_at(all, target, 8), first = retarget_at(part, target, 8);
    double v[64], most = 0;
    assert_in_range(lb_model_nv(target), 1, 64);
    for (int key = 0; key < 30 * 12; key++) {
        lb_configuration_difference(target, lb_clip_key(whole.clip, key),
                                    lb_clip_key(first.clip, key), v);
        for (int k = 0; k < lb_model_nv(target); k++)
            most = fmax(most, fabs(v[k]));
    }
    assert_true(most < 1e-4);
    release_retargeted(&first);
    release_retargeted(&whole);
}

/* a motion that is too fast by far: speeds are kept, and places of feet as far as legs can */
TEST(speeds_are_kept_by_what_is_smoothed)
{
    owned_model *source = walker_model(WALKER_T), *robot = test_load_moving("biped");
    owned_clip *clip = walker_clip(source, WALKER_T, 6, 60), *fast = NULL;
    for (double speed = 4; speed <= 12; speed += 4) {
        assert_int_equal(lb_clip_retime(clip, 0, speed, NULL, &fast, NULL), LB_OK);
        retargeted r = retarget_at(fast, robot, 16);
        assert_int_equal(r.check.items[LB_CHECK_SPEED].beyond, 0);
        assert_true(worst(&r, LB_CHECK_SLIDE) < 2e-4);
        assert_true(r.report.fastest <= 1 || r.report.slowed > 0);
        release_retargeted(&r);
        lb_clip_release(fast);
        fast = NULL;
    }
}

TEST(no_frequency_is_refused)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("biped");
    owned_clip *clip = walker_clip(source, WALKER_T, 1, 30);
    const double wrong[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        lb_retarget_options options = lb_retarget_options_default();
        lb_clip *made = NULL;
        options.smooth = wrong[i];
        assert_int_equal(lb_retarget(clip, target, &options, NULL, &made, NULL, NULL, NULL),
                         LB_BAD_VALUE);
        assert_null(made);
    }
}
