/*
 * test_retarget_slow.c - a walk that is too fast for a robot's legs, slowed down for them: feet
 * stay where they are, and what is slow enough stays as it is.
 */
#include <limber/check.h>
#include <limber/retarget.h>

#include "motion/capture.h"
#include "motion/retargeted.h"
#include "motion/walker.h"
#include "support_load.h"

/* the walker on the built-in biped, `speed` times as fast as it walks */
typedef struct fast_walk {
    lb_model *figure, *robot;
    lb_clip *walk, *fast;
} fast_walk;

static fast_walk make_walk(double speed)
{
    fast_walk w = {.figure = walker_model(WALKER_T), .robot = test_load_moving("biped")};
    w.walk = walker_clip(w.figure, WALKER_T, 4, 60);
    assert_ok(lb_clip_retime(w.walk, 0, speed, NULL, &w.fast, NULL));
    return w;
}

static void release(fast_walk *w)
{
    lb_clip_release(w->fast);
    lb_clip_release(w->walk);
    lb_model_release(w->robot);
    lb_model_release(w->figure);
}
#define owned_fast_walk __attribute__((cleanup(release))) fast_walk

/* the walk, or slowed down, on the robot */
static retargeted retarget_walk(const fast_walk *w, const lb_clip *slowed,
                                const lb_contacts *contacts, double smooth)
{
    lb_retarget_options options = lb_retarget_options_default();
    options.contacts = contacts;
    options.smooth = smooth;
    options.rate = 60;
    return retarget(slowed, w->robot, &options);
}

static double duration(const lb_clip *clip)
{
    return lb_clip_end(clip) - lb_clip_begin(clip);
}

TEST(legs_that_are_too_slow_get_the_time_they_need)
{
    owned_fast_walk w = make_walk(4);
    owned_clip *slowed = NULL;
    owned_contacts *contacts = NULL;
    assert_ok(lb_retarget_slow(w.fast, w.robot, NULL, NULL, &slowed, &contacts, NULL));
    owned_retargeted fast = retarget_walk(&w, w.fast, NULL, 0);
    assert_true(fast.report.fastest > 1.2 && fast.report.slowed > 0);
    assert_int_equal(lb_clip_count(slowed), lb_clip_count(w.fast));
    assert_true(duration(slowed) > 1.2 * duration(w.fast));
    assert_true(duration(slowed) < 1.2 * duration(w.walk));
    for (double smooth = 0; smooth < 9; smooth += 8) {
        owned_retargeted slow = retarget_walk(&w, slowed, contacts, smooth);
        int beyond = slow.check.items[LB_CHECK_SPEED].beyond;
        if (!(worst(&slow, LB_CHECK_SLIDE) < 1e-4) ||
            !(worst(&slow, LB_CHECK_PENETRATION) < 1e-3) || beyond > 0)
            fail_msg("slide %g, penetration %g, %d frames beyond a speed",
                     worst(&slow, LB_CHECK_SLIDE), worst(&slow, LB_CHECK_PENETRATION), beyond);
        assert_true(slow.report.held > 0);
    }
}

/*
 * Romeo's hips turn at most 0.32 rad/s: as it is, steps become others than the source's, shorter
 * and turned otherwise, and feet stay where they land.
 */
TEST(feet_that_are_late_stay_where_they_land)
{
    static const char *const names[] = {"cmu_12_01_walk", "01_01", "zombie"};
    // contacts that moved
    static const int places[] = {0, 4, 3};
    static const char path[] = LIMBER_DATA_DIR "/urdf/erd_romeo.urdf";
    int tried = 0;
    if (access(path, R_OK) != 0) {
        print_message("%s is not there: skipped\n", path);
        skip();
    }
    lb_model *robot = test_load_moving(path);
    for (int i = 0; i < FEWER(3, 1); i++) {
        real_capture capture;
        lb_retarget_options options = lb_retarget_options_default();
        if (open_capture(names[i], &capture)) {
            options.rest = capture.rest;
            owned_retargeted r = retarget(capture.clip, robot, &options);
            if (!(worst(&r, LB_CHECK_SLIDE) < 2e-4) || !(worst(&r, LB_CHECK_PENETRATION) < 1e-3))
                fail_msg("%s: slide %g, penetration %g", names[i], worst(&r, LB_CHECK_SLIDE),
                         worst(&r, LB_CHECK_PENETRATION));
            assert_int_equal(r.check.items[LB_CHECK_SPEED].beyond, 0);
            assert_true(r.report.fastest_leg > 2 && r.report.held > 0);
            assert_int_equal(r.report.moved, places[i]);
            tried++;
        }
        close_capture(&capture);
    }
    lb_model_release(robot);
    if (tried == 0) {
        print_message("no capture is there: skipped\n");
        skip();
    }
}

TEST(what_is_slow_enough_stays_as_it_is)
{
    owned_fast_walk w = make_walk(1);
    owned_clip *slowed = NULL;
    owned_contacts *contacts = NULL;
    assert_ok(lb_retarget_slow(w.walk, w.robot, NULL, NULL, &slowed, &contacts, NULL));
    for (int i = 0; i < lb_clip_count(w.walk); i++)
        assert_near(lb_clip_times(slowed)[i], lb_clip_times(w.walk)[i], 1e-9);
    assert_non_null(contacts);
}

TEST(what_cannot_be_is_refused)
{
    owned_fast_walk w = make_walk(1);
    lb_clip *slowed = NULL;
    lb_contacts *contacts = NULL;
    lb_retarget_options options = lb_retarget_options_default();
    options.blend = -1;
    assert_int_equal(lb_retarget_slow(w.walk, w.robot, &options, NULL, &slowed, &contacts, &cause),
                     LB_BAD_VALUE);
    assert_int_equal(lb_retarget_slow(NULL, w.robot, NULL, NULL, &slowed, &contacts, &cause),
                     LB_INVALID_ARGUMENT);
    assert_null(slowed);
    assert_null(contacts);
}

/* without memory, refused at each allocation and nothing left behind */
TEST(every_allocation_may_fail)
{
    owned_fast_walk w = make_walk(4);
    ALLOCATIONS_FAIL (failing, 1000) {
        owned_clip *slowed = NULL;
        owned_contacts *contacts = NULL;
        failing.status =
            lb_retarget_slow(w.fast, w.robot, NULL, &failing.allocator, &slowed, &contacts, NULL);
    }
}
