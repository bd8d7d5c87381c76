/*
 * test_retarget_spin.c - a head or a leg that turns all the way round: joints stay within their
 * limits and go over in time.
 */
#include <limber/check.h>
#include <limber/retarget.h>

#include "motion/retargeted.h"
#include "motion/walker.h"
#include "support_load.h"

enum { RATE = 60, SECONDS = 2 };

/* a walker one of whose bones turns once in so many seconds, from half a second on */
typedef struct spinner {
    const lb_model *model;
    const char *bone;
    double duration;
} spinner;

static bool spin(void *user, int key, double *time, double *q)
{
    const spinner *s = user;
    *time = key / (double)RATE;
    walker_at(s->model, WALKER_T, *time, q);
    double share = fmin(1, fmax(0, (*time - 0.5) / s->duration));
    double angle = 2 * LB_PI * share * share * (3 - 2 * share);
    walker_set(s->model, s->bone, lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), angle), q);
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

TEST(what_has_limits_goes_over_in_time)
{
    static const char *const necks[] = {"neck"}, *const legs[] = {"left_hip", "left_ankle"};
    owned_model *walker = walker_model(WALKER_T), *target = test_load_moving("human");
    const spinner spins[] = {{walker, "Head", 0.3},      {walker, "Head", 0.6},
                             {walker, "Head", 1.2},      {walker, "LeftFoot", 0.3},
                             {walker, "LeftUpLeg", 0.6}, {walker, "LeftUpLeg", 1.2}};
    for (int i = 0; i < 6; i++) {
        spinner s = spins[i];
        owned_clip *clip = test_clip_generate(walker, RATE * SECONDS + 1, spin, &s);
        owned_retargeted r = retarget(clip, target, NULL);
        // 8 rad/s and what the bone turns meanwhile
        assert_true(fastest(r.clip, i < 3 ? necks : legs, i < 3 ? 1 : 2) < 0.35);
        assert_true(worst(&r, LB_CHECK_POSITION) < 1e-9);
        assert_true(worst(&r, LB_CHECK_SLIDE) < 1e-3);
    }
}
