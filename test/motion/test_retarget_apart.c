/*
 * test_retarget_apart.c - links that retargeting keeps apart: legs that a motion crosses stay
 * beside each other, held feet stay where they are, and what is not near is not touched.
 */
#include <limber/check.h>
#include <limber/gait.h>
#include <limber/retarget.h>

#include "motion/retargeted.h"
#include "support_load.h"

enum { KEYS = 61, MOST_NQ = 64, MOST_VISUALS = 64 };

/* The figure with what it looks like as what it collides with. */
typedef struct figure {
    lb_model *model;
    lb_collision *collision;
} figure;

static figure make_figure(void)
{
    figure f = {.model = test_load_moving("human")};
    lb_link_shape shapes[MOST_VISUALS];
    lb_collision_options options = lb_collision_options_default();
    for (int i = 0; i < lb_model_link_count(f.model); i++) {
        const lb_link *link = lb_model_link(f.model, i);
        for (int k = 0; k < link->visual_count; k++)
            shapes[options.stand_in_count++] = (lb_link_shape){i, link->visuals[k]};
    }
    assert_in_range(options.stand_in_count, 10, MOST_VISUALS);
    options.stand_ins = shapes;
    options.skip_rest = true;
    options.always = 0.02;
    assert_made(lb_collision_create(f.model, NULL, &options, NULL, &f.collision, &cause), cause);
    return f;
}

static void release_figure(figure *f)
{
    lb_collision_release(f->collision);
    lb_model_release(f->model);
}

/* the left leg swings over to the right one and back; for the first third it rests */
static lb_clip *cross_legs(const lb_model *model)
{
    double times[KEYS], keys[KEYS * MOST_NQ];
    size_t nq = (size_t)lb_model_nq(model);
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
    return test_clip(model, times, keys, KEYS, LB_INTERPOLATION_LINEAR);
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

TEST(legs_that_cross_stay_apart)
{
    figure f = make_figure();
    owned_clip *source = cross_legs(f.model);
    lb_retarget_options options = lb_retarget_options_default();
    options.unlocked = options.any_speed = true;
    double least, v[MOST_NQ];
    owned_retargeted through = retarget(source, f.model, &options);
    assert_true(count_near(through.clip, &f, 0, &least) > 10 && least < -0.03);
    assert_int_equal(through.report.near, 0);
    options.collision = f.collision;
    options.distance = 0.02;
    owned_retargeted apart = retarget(source, f.model, &options);
    int near = count_near(apart.clip, &f, 0.02 - 1e-4, &least);
    assert_true(apart.report.smoothed);
    assert_true(least > 0.02 - 1e-4);
    assert_int_equal(apart.report.near, near);
    assert_near(apart.report.worst_near, fmax(0.02 - least, 0), 1e-12);
    assert_true(worst(&apart, LB_CHECK_ACCELERATION) <
                1.5 * worst(&through, LB_CHECK_ACCELERATION));
    // long before the leg swings all is as it was
    for (int i = 0; i < 10; i++) {
        lb_configuration_difference(f.model, lb_clip_key(through.clip, i),
                                    lb_clip_key(apart.clip, i), v);
        for (int k = 0; k < lb_model_nv(f.model); k++)
            assert_near(v[k], 0, 1e-5);
    }
    release_figure(&f);
}

static lb_clip *walk_with(const lb_model *model, lb_contacts **contacts)
{
    lb_gait gait = lb_gait_default();
    lb_clip *walk = NULL;
    gait.cycles = 2;
    gait.rate = 30;
    assert_int_equal(lb_gait_walk(model, &gait, NULL, &walk, contacts, NULL), LB_OK);
    return walk;
}

/* a walk with the arms tight to the hips: feet stay where they are held */
TEST(held_feet_come_first)
{
    figure f = make_figure();
    lb_contacts *contacts = NULL;
    owned_clip *walk = walk_with(f.model, &contacts);
    lb_retarget_options options = lb_retarget_options_default();
    options.contacts = contacts;
    options.collision = f.collision;
    options.distance = 0.02;
    owned_retargeted apart = retarget(walk, f.model, &options);
    double least;
    count_near(apart.clip, &f, 0.02, &least);
    assert_true(least > 0.02 - 1e-4);
    assert_true(worst(&apart, LB_CHECK_SLIDE) < 1e-4);
    assert_true(worst(&apart, LB_CHECK_PENETRATION) < 1e-3);
    lb_contacts_release(contacts);
    release_figure(&f);
}

/* legs that are to be a metre apart go as far as that, not beyond their limits, and feet stay */
TEST(a_distance_that_cannot_be_kept_gives_way)
{
    figure f = make_figure();
    lb_contacts *contacts = NULL;
    owned_clip *walk = walk_with(f.model, &contacts);
    lb_retarget_options options = lb_retarget_options_default();
    options.contacts = contacts;
    options.collision = f.collision;
    options.distance = 1;
    owned_retargeted apart = retarget(walk, f.model, &options);
    assert_int_equal(apart.report.near, apart.report.frames);
    assert_true(worst(&apart, LB_CHECK_POSITION) == 0);
    assert_true(worst(&apart, LB_CHECK_SLIDE) < 1e-3);
    lb_contacts_release(contacts);
    release_figure(&f);
}

/* frame by frame, too, to the millimetre that limbs may win */
TEST(frames_solved_one_by_one_keep_links_apart)
{
    figure f = make_figure();
    owned_clip *source = cross_legs(f.model);
    lb_retarget_options options = lb_retarget_options_default();
    options.unlocked = options.any_speed = true;
    options.collision = f.collision;
    options.distance = 0.02;
    options.smooth = 0;
    owned_retargeted apart = retarget(source, f.model, &options);
    double least;
    count_near(apart.clip, &f, 0.02, &least);
    assert_true(least > 0.019);
    release_figure(&f);
}

TEST(what_cannot_be_is_refused)
{
    figure f = make_figure(), other = make_figure();
    lb_clip *source = cross_legs(f.model), *clip = NULL;
    lb_retarget_options options = lb_retarget_options_default();
    options.collision = other.collision;
    assert_int_not_equal(lb_retarget(source, f.model, &options, NULL, &clip, NULL, NULL, &cause),
                         LB_OK);
    assert_non_null(strstr(cause.message, "collision is of another model"));
    options.collision = f.collision;
    options.distance = -1;
    assert_refused(lb_retarget(source, f.model, &options, NULL, &clip, NULL, NULL, &cause),
                   LB_BAD_VALUE, &cause, "distance");
    assert_null(clip);
    lb_clip_release(source);
    release_figure(&other);
    release_figure(&f);
}
