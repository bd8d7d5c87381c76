/*
 * test_retarget_paths.c - a retargeted pose does not depend on what came before it: a motion that
 * is played to its end and back again passes the same poses, whatever limits it was led to between.
 * Nor does it depend on keys of the source between its frames.
 */
#include <limber/retarget.h>

#include "motion/walker.h"
#include "support_load.h"

#include <limber/formats/bvh.h>
#include <unistd.h>

enum { MOST_NV = 120 };

/* both arms go round and round, past what shoulders allow */
static bool whirl(void *user, int key, double *time, double *q)
{
    const lb_model *model = user;
    *time = key / 30.0;
    walker_at(model, WALKER_T, *time, q);
    lb_vec3 axis = lb_vec3_normalize(lb_vec3_make(0.8, 1, 0.3), lb_vec3_make(0, 1, 0));
    lb_quat turn = lb_quat_from_axis_angle(axis, 0.8 * LB_PI * *time);
    walker_set(model, "LeftArm", turn, q);
    walker_set(model, "RightArm", lb_quat_conjugate(turn), q);
    return true;
}

/* the keys of a clip from the first to the last and back */
static bool there_and_back(void *user, int key, double *time, double *q)
{
    const lb_clip *clip = user;
    int n = lb_clip_count(clip), from = key < n ? key : 2 * n - 2 - key;
    double gap = lb_clip_times(clip)[1] - lb_clip_times(clip)[0];
    *time = key * gap;
    memcpy(q, lb_clip_key(clip, from), (size_t)lb_model_nq(lb_clip_model(clip)) * sizeof *q);
    return true;
}

/* keys at which the same pose of the source has become another one on the way back */
static int count_different(const lb_clip *clip)
{
    const lb_model *model = lb_clip_model(clip);
    double v[MOST_NV];
    int last = lb_clip_count(clip) - 1, different = 0;
    assert_in_range(lb_model_nv(model), 1, MOST_NV);
    for (int i = 0; 2 * i < last; i++) {
        double most = 0;
        lb_configuration_difference(model, lb_clip_key(clip, i), lb_clip_key(clip, last - i), v);
        for (int k = 0; k < lb_model_nv(model); k++)
            most = fmax(most, fabs(v[k]));
        different += most > 0.1;
    }
    return different;
}

/* at most a share of the poses is another one */
static void compare_ways(const lb_clip *source, const double *rest, const char *name, double share)
{
    owned_model *target = test_load_moving(name);
    owned_clip *made = NULL;
    int keys = 2 * lb_clip_count(source) - 1;
    lb_retarget_options options = lb_retarget_options_default();
    options.rest = rest;
    options.unlocked = true;
    options.smooth = 0; // which solution a frame takes by itself
    owned_clip *both =
        test_clip_generate(lb_clip_model(source), keys, there_and_back, (void *)source);
    assert_made(lb_retarget(both, target, &options, NULL, &made, NULL, NULL, &cause), cause);
    int different = count_different(made);
    if (different > share * lb_clip_count(source))
        fail_msg("%s: %d of %d poses are others on the way back", name, different,
                 lb_clip_count(source));
}

TEST(arms_that_whirl_come_back)
{
    owned_model *source = walker_model(WALKER_T);
    owned_clip *clip = test_clip_generate(source, 240, whirl, source);
    // where two solutions are about as good as each other, the motion stays with the one that it
    // has
    compare_ways(clip, NULL, "human", 0.2);
}

TEST(a_capture_comes_back_on_a_robot)
{
    const char *capture = LIMBER_DATA_DIR "/bvh/01_01.bvh";
    const char *robot = LIMBER_DATA_DIR "/urdf/unitree_g1_29dof_rev_1_0.urdf";
    if (access(capture, R_OK) != 0 || access(robot, R_OK) != 0) {
        print_message("no shared data: skipped\n");
        return;
    }
    owned_bvh *bvh = NULL;
    owned_clip *part = NULL;
    assert_ok(lb_bvh_load(capture, NULL, &bvh, NULL));
    const lb_clip *all = lb_bvh_clip(bvh);
    assert_ok(lb_clip_slice(all, lb_clip_times(all)[1], lb_clip_end(all), NULL, &part, NULL));
    compare_ways(part, lb_clip_key(all, 0), robot, 0.01);
}

/* ---- other frame rates ------------------------------------------------------ */

/* every fourth key of a clip */
static bool fourth_keys(void *user, int key, double *time, double *q)
{
    const lb_clip *clip = user;
    *time = lb_clip_times(clip)[4 * key];
    memcpy(q, lb_clip_key(clip, 4 * key), (size_t)lb_model_nq(lb_clip_model(clip)) * sizeof *q);
    return true;
}

static lb_clip *retarget_freely(const lb_clip *source, const double *rest, const lb_model *target)
{
    lb_retarget_options options = lb_retarget_options_default();
    lb_clip *made = NULL;
    options.rest = rest;
    options.any_speed = true;
    assert_made(lb_retarget(source, target, &options, NULL, &made, NULL, NULL, &cause), cause);
    return made;
}

/* contacts are shortened and moved on this figure, which must not depend on keys between those of
   the slower capture */
TEST(a_capture_at_a_quarter_of_its_rate_moves_alike)
{
    const char *capture = LIMBER_DATA_DIR "/bvh/01_01.bvh";
    if (access(capture, R_OK) != 0) {
        print_message("no shared data: skipped\n");
        return;
    }
    owned_bvh *bvh = NULL;
    owned_clip *all = NULL;
    owned_model *target = test_load_moving("human");
    assert_ok(lb_bvh_load(capture, NULL, &bvh, NULL));
    const lb_clip *clip = lb_bvh_clip(bvh);
    const double *rest = lb_clip_key(clip, 0), *times = lb_clip_times(clip);
    int keys = (lb_clip_count(clip) - 2) / 4 + 1;
    assert_ok(lb_clip_slice(clip, times[1], times[1 + 4 * (keys - 1)], NULL, &all, NULL));
    owned_clip *slow = test_clip_generate(lb_clip_model(all), keys, fourth_keys, all);
    owned_clip *first = retarget_freely(all, rest, target);
    owned_clip *second = retarget_freely(slow, rest, target);
    double v[MOST_NV];
    for (int i = 0; i < keys; i++) {
        lb_configuration_difference(target, lb_clip_key(first, 4 * i), lb_clip_key(second, i), v);
        for (int k = 0; k < lb_model_nv(target); k++)
            if (!(fabs(v[k]) < 1e-6))
                fail_msg("value %d differs by %g at key %d", k, v[k], i);
    }
}
