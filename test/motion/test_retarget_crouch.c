/*
 * test_retarget_crouch.c - a figure that stands, crouches over its planted feet with its pelvis
 * turned forward as when a thing is lifted, and stands again.
 */
#include <limber/fidelity.h>

#include "motion/retargeted.h"
#include "motion/walker.h"
#include "support_load.h"

#include <limber/kinematics.h>

enum { SECONDS = 8, RATE = 30 };

/* How low hips go and how far back, metres; the pelvis turned forward, radians; how much lower feet
   are in the crouch than they stand, and turned against the ground there, as where a capture
   drifts. */
typedef struct crouch {
    double down, back, bow, sink, tilt;
} crouch;

typedef struct crouch_keys {
    const lb_model *model;
    crouch how;
} crouch_keys;

/* 0 standing, 1 in the crouch, which takes the middle two of eight seconds */
static double share_of(double time)
{
    double s = fmin(1, fmax(0, fmin(time - 2, SECONDS - 2 - time)));
    return s * s * (3 - 2 * s);
}

static bool crouch_key(void *user, int key, double *time, double *q)
{
    const crouch_keys *keys = user;
    const crouch *how = &keys->how;
    double s = share_of(*time = (double)key / RATE);
    double x = -how->back * s, z = WALKER_ANKLE + 0.82 - how->down * s;
    walker_at(keys->model, WALKER_T, 0, q);
    q[0] = x, q[2] = z + how->sink * (1 - s);
    lb_quat bow = walker_pitch(how->bow * s), back = lb_quat_conjugate(bow);
    memcpy(q + 3, (double[]){bow.w, bow.x, bow.y, bow.z}, 4 * sizeof *q);
    for (int foot = 0; foot < 2; foot++) {
        const char *thigh = foot == 0 ? "LeftUpLeg" : "RightUpLeg";
        walker_leg(keys->model, foot, -x, WALKER_ANKLE - z, how->tilt * s, q);
        int at = lb_model_joint_q(keys->model, lb_model_find_joint(keys->model, thigh));
        lb_quat turn = {q[at], q[at + 1], q[at + 2], q[at + 3]};
        walker_set(keys->model, thigh, lb_quat_multiply(back, turn), q);
    }
    return true;
}

static lb_clip *crouching(const lb_model *figure, crouch how)
{
    crouch_keys keys = {figure, how};
    return test_clip_generate(figure, SECONDS * RATE + 1, crouch_key, &keys);
}

TEST(legs_that_do_not_reach_their_places_bend_as_the_sources)
{
    owned_model *figure = walker_model(WALKER_T), *robot = test_load_moving("biped");
    owned_clip *clip = crouching(figure, (crouch){.down = 0.5, .back = 0.2, .bow = 1.5});
    owned_retargeted r = retarget(clip, robot, NULL);
    lb_fidelity_options options = lb_fidelity_options_default();
    lb_fidelity_report report;
    assert_ok(lb_clip_fidelity(r.clip, clip, &options, NULL, NULL, &report, NULL));
    assert_true(report.items[LB_FIDELITY_LEFT_LEG].mean < 0.3);
    assert_true(report.items[LB_FIDELITY_RIGHT_LEG].mean < 0.3);
}

TEST(feet_are_flat_where_the_figure_stands_though_it_sinks_in_a_crouch)
{
    owned_model *figure = walker_model(WALKER_T);
    owned_clip *clip = crouching(figure, (crouch){0.3, 0.1, 1, 0.08, 0.4});
    owned_state *state = test_state(figure);
    int foot = lb_model_find_link(figure, "LeftFoot");
    double rest[256];
    assert_ok(lb_retarget_rest_find(clip, NULL, NULL, rest, NULL));
    lb_state_update(state, rest);
    lb_vec3 up = lb_state_transforms(state)[foot].z;
    assert_true(up.z > lb_cos(8 * LB_PI / 180));
}
