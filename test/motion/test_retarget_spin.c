/*
 * test_retarget_spin.c - a head that turns all the way round: a free one goes on turning, one with
 * limits stays within them and goes over in time.
 */
#include <limber/check.h>
#include <limber/retarget.h>

#include "motion/retargeted.h"
#include "motion/walker.h"
#include "support_load.h"

#include <limber/kinematics.h>

enum { RATE = 60, SECONDS = 2, LINKS = 32 };

/* a walker whose head turns once in so many seconds, from half a second on */
typedef struct spinner {
    const lb_model *model;
    double duration;
} spinner;

static bool spin(void *user, int key, double *time, double *q)
{
    const spinner *s = user;
    *time = key / (double)RATE;
    walker_at(s->model, WALKER_T, *time, q);
    double share = fmin(1, fmax(0, (*time - 0.5) / s->duration));
    double angle = 2 * LB_PI * share * share * (3 - 2 * share);
    walker_set(s->model, "Head", lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), angle), q);
    return true;
}

/* the most that a head's joint, or one between it and the chest, changes from a key to the next */
static double fastest(const lb_clip *clip, const char *const *joints, int count)
{
    const lb_model *model = lb_clip_model(clip);
    double v[256], most = 0;
    assert_in_range(lb_model_nv(model), 1, 256);
    for (int key = 1; key < lb_clip_count(clip); key++) {
        lb_configuration_difference(model, lb_clip_key(clip, key - 1), lb_clip_key(clip, key), v);
        for (int i = 0; i < count; i++) {
            int joint = lb_model_find_joint(model, joints[i]);
            assert_true(joint >= 0);
            for (int k = 0; k < lb_joint_kind_nv(lb_model_joint(model, joint)->kind); k++)
                most = fmax(most, fabs(v[lb_model_joint_v(model, joint) + k]));
        }
    }
    return most;
}

/* how far the axes of the head are from those of the source's, over all keys; both begin upright */
static double farthest(const lb_clip *source, const lb_clip *clip)
{
    lb_state *states[2];
    const lb_clip *const clips[2] = {source, clip};
    double most = 0;
    for (int i = 0; i < 2; i++)
        assert_int_equal(lb_state_create(lb_clip_model(clips[i]), NULL, &states[i]), LB_OK);
    for (int key = 0; key < lb_clip_count(clip); key++) {
        lb_quat turns[2];
        for (int i = 0; i < 2; i++) {
            lb_state_update(states[i], lb_clip_key(clips[i], key));
            int head = lb_model_find_link(lb_clip_model(clips[i]), "Head");
            lb_transform at = lb_state_transform(states[i], LB_WORLD, head);
            turns[i] = lb_transform_quat(&at);
        }
        lb_quat gap = lb_quat_multiply(lb_quat_conjugate(turns[0]), turns[1]);
        most = fmax(most, 2 * lb_acos(fmin(1, fabs(gap.w))));
    }
    for (int i = 0; i < 2; i++)
        lb_state_release(states[i]);
    return most;
}

/* the walker with a neck between chest and head */
static lb_model *with_neck(const lb_model *walker)
{
    lb_link links[LINKS];
    lb_joint joints[LINKS];
    int count = lb_model_link_count(walker);
    assert_true(count < LINKS);
    for (int i = 0; i < count; i++)
        links[i] = *lb_model_link(walker, i);
    for (int i = 0; i + 1 < count; i++)
        joints[i] = *lb_model_joint(walker, i);
    int head = lb_model_find_link(walker, "Head") - 1;
    links[count] = lb_link_default();
    links[count].name = "Neck";
    joints[count - 1] = joints[head];
    joints[count - 1].name = joints[count - 1].child = joints[head].parent = "Neck";
    joints[count - 1].placement.p.z -= 0.1;
    joints[head].placement = lb_transform_translation(0, 0, 0.1);
    return test_build(&(lb_model_source){.name = "necked",
                                         .root = LB_TRANSFORM_IDENTITY,
                                         .links = links,
                                         .link_count = count + 1,
                                         .joints = joints,
                                         .joint_count = count});
}

TEST(a_free_head_goes_on_turning)
{
    static const char *const joints[] = {"Neck", "Head"};
    owned_model *walker = walker_model(WALKER_T), *target = with_neck(walker);
    const double durations[] = {0.3, 0.6, 1.2};
    for (int i = 0; i < 3; i++) {
        spinner s = {walker, durations[i]};
        owned_clip *clip = test_clip_generate(walker, RATE * SECONDS + 1, spin, &s);
        retargeted r = retarget(clip, target, NULL);
        // the source's largest change, and the tenth that the neck takes
        double most = 1.5 * 2 * LB_PI / (durations[i] * RATE);
        assert_true(fastest(r.clip, joints, 2) < 1.1 * most);
        assert_true(farthest(clip, r.clip) < 0.15);
        release_retargeted(&r);
    }
}

TEST(a_neck_with_limits_goes_over_in_time)
{
    static const char *const joints[] = {"neck"};
    owned_model *walker = walker_model(WALKER_T), *target = test_load_moving("human");
    const double durations[] = {0.3, 0.6, 1.2};
    for (int i = 0; i < 3; i++) {
        spinner s = {walker, durations[i]};
        owned_clip *clip = test_clip_generate(walker, RATE * SECONDS + 1, spin, &s);
        retargeted r = retarget(clip, target, NULL);
        // 8 rad/s and what the head turns meanwhile
        assert_true(fastest(r.clip, joints, 1) < 0.35);
        assert_true(worst(&r, LB_CHECK_POSITION) < 1e-9);
        assert_true(r.report.spread > 0);
        assert_true(r.report.worst_spread > 1 && r.report.worst_spread < 2 * LB_PI);
        release_retargeted(&r);
    }
}

TEST(a_head_that_does_not_spin_is_left_alone)
{
    owned_model *walker = walker_model(WALKER_T), *target = with_neck(walker);
    owned_clip *clip = walker_clip(walker, WALKER_T, SECONDS, RATE);
    retargeted r = retarget(clip, target, NULL);
    assert_int_equal(r.report.spread, 0);
    assert_true(r.report.worst_spread == 0);
    release_retargeted(&r);
}
