/*
 * test_retarget_toes.c - toes bend as the source's do, lie flat under a heel that rises, and never
 * enter the ground, also where the source has none.
 */
#include <limber/check.h>
#include <limber/gait.h>
#include <limber/retarget.h>

#include "motion/retargeted.h"
#include "motion/walker.h"
#include "support_load.h"

#include <limber/kinematics.h>

enum { MOST_NQ = 140 };

/* where the walker's toes begin, from the ankle; its sole is a thirteenth of the leg below that,
   and a toe half as long as it is far from there to the ankle */
static const lb_vec3 ball = {0.15, 0, -0.06};
#define SOLE (2 * WALKER_BONE / 13)

static lb_vec3 toe_tip(void)
{
    return lb_vec3_make(0.5 * lb_vec3_length(ball), 0, -SOLE - ball.z);
}

/* ---- the source ----------------------------------------------------------- */

/* how far heels are raised, or toes bent in the air, at a time: smooth, 0 before 0.5 and from 1.5
 */
static double share_at(double time)
{
    double u = fmax(0, fmin(1, time - 0.5));
    return 16 * u * u * (1 - u) * (1 - u);
}

typedef struct heel_keys {
    const lb_model *model;
    double raise; /* radians of the feet about the balls, toes flat */
    double bend;  /* radians of the left toe, its foot in the air */
} heel_keys;

static bool fill_heels(void *user, int key, double *time, double *q)
{
    static const char *const toes[2] = {"LeftToeBase", "RightToeBase"};
    const heel_keys *k = user;
    *time = key / 60.0;
    lb_configuration_neutral(k->model, q);
    double pitch = k->raise * share_at(*time), bend = k->bend * share_at(*time);
    lb_quat turn = walker_pitch(pitch);
    // the ankle turns about the ball
    lb_vec3 ankle = lb_vec3_sub(ball, lb_quat_rotate(turn, ball));
    q[2] = WALKER_ANKLE + 0.8 + ankle.z;
    for (int foot = 0; foot < 2; foot++) {
        bool flies = k->bend > 0 && foot == 0;
        double lift = flies ? 0.2 * share_at(*time) : 0;
        walker_leg(k->model, foot, ankle.x, -0.8 + lift, pitch, q);
        walker_set(k->model, toes[foot], walker_pitch(flies ? -bend : -pitch), q);
    }
    return true;
}

static lb_clip *make_heels(const lb_model *model, double raise, double bend)
{
    heel_keys keys = {model, raise, bend};
    return test_clip_generate(model, 121, fill_heels, &keys);
}

/* ---- results -------------------------------------------------------------- */

typedef struct result {
    lb_quat turned; /* the toes' frames at rest */
    retargeted made;
} result;

static result stand_on_toes(const lb_clip *source, const lb_model *target)
{
    result r = {LB_QUAT_IDENTITY, retarget(source, target, NULL)};
    assert_true(worst(&r.made, LB_CHECK_SLIDE) < 1e-4);
    assert_true(worst(&r.made, LB_CHECK_PENETRATION) < 1e-3);
    return r;
}

/* How high a toe's tip is, and how far it is bent up against its foot. */
typedef struct toe_pose {
    double height, bend;
} toe_pose;

static toe_pose toe_at(const result *r, int foot, double time)
{
    static const char *const names[2][2] = {{"LeftFoot", "LeftToeBase"},
                                            {"RightFoot", "RightToeBase"}};
    const lb_model *model = lb_clip_model(r->made.clip);
    double q[MOST_NQ];
    assert_in_range(lb_model_nq(model), 1, MOST_NQ);
    owned_state *s = test_state(model);
    lb_clip_at(r->made.clip, time, q);
    lb_state_update(s, q);
    const lb_transform *at = lb_state_transforms(s);
    const lb_transform back =
        lb_transform_from_quat(lb_quat_conjugate(r->turned), lb_vec3_make(0, 0, 0));
    const lb_transform toe =
        lb_transform_multiply(&at[lb_model_find_link(model, names[foot][1])], &back);
    lb_transform bend = lb_transform_between(&at[lb_model_find_link(model, names[foot][0])], &toe);
    toe_pose pose = {lb_transform_point(&toe, toe_tip()).z, lb_atan2(bend.x.z, bend.x.x)};
    return pose;
}

/* the lowest that a toe's tip is in a clip */
static double lowest_tip(const result *r)
{
    double low = INFINITY;
    for (int i = 0; i < lb_clip_count(r->made.clip); i++)
        for (int foot = 0; foot < 2; foot++)
            low = fmin(low, toe_at(r, foot, lb_clip_times(r->made.clip)[i]).height);
    return low;
}

/* ---- tests ---------------------------------------------------------------- */

static void check_rising_heels(lb_quat turned)
{
    owned_model *source = walker_model(WALKER_T), *target = walker_model_turned(WALKER_A, turned);
    owned_clip *clip = make_heels(source, 0.6, 0);
    result r = stand_on_toes(clip, target);
    r.turned = turned;
    for (int foot = 0; foot < 2; foot++) {
        toe_pose stands = toe_at(&r, foot, 0.2), up = toe_at(&r, foot, 1);
        assert_true(fabs(stands.bend) < 0.01 && fabs(stands.height) < 1e-3);
        // feet that are flat again soon turn less, but toes as much as their feet
        if (!(up.bend > 0.3 && up.bend < 0.65) || !(fabs(up.height) < 1e-3))
            fail_msg("foot %d: bent by %g, its tip %g above the ground", foot, up.bend, up.height);
    }
    assert_true(lowest_tip(&r) > -1e-3);
    release_retargeted(&r.made);
}

TEST(toes_lie_flat_under_rising_heels)
{
    check_rising_heels(LB_QUAT_IDENTITY);
}

/* as in most rigged characters */
TEST(frames_of_toes_may_be_turned)
{
    check_rising_heels(lb_quat_from_axis_angle(lb_vec3_make(1, 0, 0), 0.5 * LB_PI));
    check_rising_heels(walker_pitch(0.8));
    lb_random random = test_seed(12);
    for (int i = 0; i < 5; i++)
        check_rising_heels(test_random_quat(&random));
}

TEST(toes_in_the_air_bend_as_the_source)
{
    owned_model *source = walker_model(WALKER_T), *target = walker_model(WALKER_A);
    owned_clip *clip = make_heels(source, 0, 0.5);
    result r = stand_on_toes(clip, target);
    double flies = toe_at(&r, 0, 1).bend, stands = toe_at(&r, 1, 1).bend;
    if (!(fabs(flies - 0.5) < 0.02) || !(fabs(stands) < 0.01))
        fail_msg("bent by %g in the air, by %g on the ground", flies, stands);
    release_retargeted(&r.made);
}

/* the human has no joints in its feet; nor does its walk's heel strike push toes into the ground */
TEST(toes_of_a_source_without_any_stay_above_the_ground)
{
    owned_model *source = test_load_moving("human"), *target = walker_model(WALKER_T);
    lb_gait gait = lb_gait_default();
    owned_clip *clip = NULL;
    assert_ok(lb_gait_walk(source, &gait, NULL, &clip, NULL, NULL));
    result r = stand_on_toes(clip, target);
    double low = lowest_tip(&r), most = 0;
    for (int i = 0; i < lb_clip_count(r.made.clip); i++)
        most = fmax(most, toe_at(&r, 0, lb_clip_times(r.made.clip)[i]).bend);
    // feet turn by less than 0.2 rad a key; toes that hang free of the ground at once would jump
    assert_true(r.made.check.items[LB_CHECK_JUMP].worst < 0.3);
    if (!(low > -1e-3) || !(most > 0.2))
        fail_msg("a tip is %g below the ground; toes bend by %g", -low, most);
    release_retargeted(&r.made);
}
