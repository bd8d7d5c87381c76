/*
 * test_bvh_make.c - captures made of any model's motion: written and read, the links of a random
 * tree, a robot and a figure are where they were, turned as they were.
 */
#include <limber/formats/bvh.h>
#include <limber/kinematics.h>

#include "grown.h"
#include "support_load.h"

static lb_error error;

static lb_bvh *write_and_read(const lb_clip *clip, const lb_bvh_options *options)
{
    lb_bvh *made = NULL, *again = NULL;
    grown to = {0};
    if (lb_bvh_make(clip, options, &made, &error) != LB_OK ||
        lb_bvh_write(made, NULL, grown_add, &to, NULL, &error) != LB_OK)
        fail_msg("%s", error.message);
    // neither is in the file
    lb_bvh_info info = lb_bvh_describe(made);
    lb_bvh_options how = {.unit = info.unit, .up = info.up};
    assert_made(lb_bvh_load_memory("m.bvh", to.text, to.size, &how, &again, &error), error);
    lb_bvh_release(made);
    free(to.text);
    return again;
}

/* the rotation from rest to now */
static lb_quat turn(const lb_transform *rest, const lb_transform *now)
{
    return lb_quat_multiply(lb_transform_quat(now), lb_quat_conjugate(lb_transform_quat(rest)));
}

/* every link of the capture, in every frame */
static void compare(const lb_clip *clip, const lb_bvh *bvh)
{
    const lb_model *model = lb_clip_model(clip), *made = lb_bvh_model(bvh);
    owned_state *a = NULL, *b = NULL, *rest_a = NULL, *rest_b = NULL;
    owned double *q = calloc((size_t)lb_model_nq(model) + (size_t)lb_model_nq(made) + 1, sizeof *q);
    lb_state_create(model, NULL, &a);
    lb_state_create(model, NULL, &rest_a);
    lb_state_create(made, NULL, &b);
    lb_state_create(made, NULL, &rest_b);
    lb_configuration_neutral(model, q);
    lb_state_update(rest_a, q);
    lb_configuration_neutral(made, q);
    lb_state_update(rest_b, q);
    assert_int_equal(lb_clip_count(clip), lb_clip_count(lb_bvh_clip(bvh)));
    int compared = 0;
    for (int i = 0; i < lb_clip_count(clip); i++) {
        lb_state_update(a, lb_clip_key(clip, i));
        lb_state_update(b, lb_clip_key(lb_bvh_clip(bvh), i));
        for (int k = 0; k < lb_model_link_count(model); k++) {
            int link = lb_model_find_link(made, lb_model_link(model, k)->name);
            if (link <= 0)
                continue;
            lb_transform x = lb_state_transform(a, LB_WORLD, k),
                         y = lb_state_transform(b, LB_WORLD, link);
            lb_transform p = lb_state_transform(rest_a, LB_WORLD, k);
            lb_transform r = lb_state_transform(rest_b, LB_WORLD, link);
            assert_near(lb_transform_distance(&x, &y), 0, 1e-9);
            lb_quat apart = lb_quat_multiply(lb_quat_conjugate(turn(&p, &x)), turn(&r, &y));
            assert_near(lb_vec3_length(lb_quat_log(apart)), 0, 1e-8);
            compared++;
        }
    }
    assert_true(compared >= lb_clip_count(clip));
}

TEST(random_trees_move_as_they_did)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        lb_random random = test_seed(seed);
        test_tree wanted = test_tree_default();
        wanted.joints = 1 + (int)(seed % 12);
        owned_model *model = test_tree_build(&wanted, &random);
        owned_clip *clip = test_random_clip(model, 5, &random);
        lb_bvh_options options = {.unit = seed % 2 == 0 ? 0 : 1, .up = (lb_bvh_up)(seed % 4)};
        owned_bvh *bvh = write_and_read(clip, &options);
        compare(clip, bvh);
    }
}

TEST(figures_and_robots_move_as_they_did)
{
    static const char *const names[] = {"human", "panda", "ur5", "scara"};
    lb_random random = test_seed(5);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        owned_model *model = test_load(names[i]);
        owned_model *floating = test_with_root(model, LB_JOINT_FLOATING);
        for (int k = 0; k < 2; k++) {
            owned_clip *clip = test_random_clip(k == 0 ? model : floating, 20, &random);
            owned_bvh *bvh = write_and_read(clip, NULL);
            compare(clip, bvh);
            // the link that moves freely is the ROOT, so that "world" is the capture's own
            if (k == 1)
                assert_int_equal(lb_model_link_count(lb_bvh_model(bvh)) -
                                     lb_model_link_count(floating),
                                 lb_model_tips(floating, NULL));
        }
    }
}

/* what does not move has angles of zero, and not those of rounding */
TEST(what_rests_is_zero)
{
    owned_bvh *made = NULL;
    owned_model *human = test_load("human");
    int nq = lb_model_nq(human), knee = lb_model_find_joint(human, "left_knee");
    double *keys = calloc((size_t)nq * 2, sizeof *keys), times[2] = {0, 0.1};
    lb_configuration_neutral(human, keys);
    lb_configuration_neutral(human, keys + nq);
    // what is above them turns them all
    lb_quat turn = lb_quat_from_axis_angle(lb_vec3_make(0.6, 0, 0.8), 0.7);
    int spine = lb_model_joint_q(human, lb_model_find_joint(human, "spine"));
    memcpy(&keys[nq + spine], (double[]){turn.w, turn.x, turn.y, turn.z}, 4 * sizeof *keys);
    keys[nq + lb_model_joint_q(human, knee)] = 0.5;
    owned_clip *clip = test_clip(human, times, keys, 2, LB_INTERPOLATION_LINEAR);
    assert_ok(lb_bvh_make(clip, NULL, &made, &error));
    const double *row = lb_bvh_row(made, 1);
    int moved = 0;
    // behind the ROOT's place
    for (int i = 3; i < lb_bvh_describe(made).channels; i++)
        moved += row[i] != 0;
    assert_in_range(moved, 2, 6);
    free(keys);
}

TEST(failing_allocations_are_said)
{
    lb_random random = test_seed(6);
    owned_model *model = test_load("planar3");
    lb_clip *clip = test_random_clip(model, 3, &random);
    ALLOCATIONS_FAIL (run, 100) {
        lb_bvh_options options = {.load = {.allocator = &run.allocator}};
        owned_bvh *bvh = NULL;
        run.status = lb_bvh_make(clip, &options, &bvh, &error);
    }
    lb_clip_release(clip);
    // keys that are not even
    double q[9] = {0}, times[] = {0, 1, 3};
    lb_bvh *bvh = NULL;
    clip = test_clip(model, times, q, 3, LB_INTERPOLATION_LINEAR);
    assert_refused(lb_bvh_make(clip, NULL, &bvh, &error), LB_BAD_VALUE, &error, "resample");
    lb_clip_release(clip);
}

/* keys at the times of a glTF, which are floats: as frames, and in a file that was read */
TEST(times_may_be_rounded)
{
    enum { KEYS = 90 };
    owned_model *model = test_load("planar2");
    double times[KEYS], q[2 * KEYS];
    for (int i = 0; i < KEYS; i++) {
        times[i] = (float)(3 + i / 24.0);
        q[2 * i] = q[2 * i + 1] = 0.01 * i;
    }
    owned_clip *clip = test_clip(model, times, q, KEYS, LB_INTERPOLATION_LINEAR);
    assert_true(lb_clip_rate(clip, 1e-6) == 0);
    owned_bvh *bvh = write_and_read(clip, NULL);
    compare(clip, bvh);
    assert_near(lb_bvh_describe(bvh).frame_time, 1 / 24.0, 1e-7);
    owned double *poses = calloc(KEYS * (size_t)lb_model_nq(lb_bvh_model(bvh)), sizeof *poses);
    for (int i = 0; i < KEYS; i++)
        memcpy(&poses[i * lb_model_nq(lb_bvh_model(bvh))], lb_clip_key(lb_bvh_clip(bvh), i),
               (size_t)lb_model_nq(lb_bvh_model(bvh)) * sizeof *poses);
    owned_clip *rounded = test_clip(lb_bvh_model(bvh), times, poses, KEYS, LB_INTERPOLATION_LINEAR);
    grown to = {0};
    assert_ok(lb_bvh_write(bvh, rounded, grown_add, &to, NULL, &error));
    free(to.text);
}
