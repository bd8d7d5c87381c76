/*
 * test_retarget_hands.c - palms that touch: on a figure of other proportions they are as near as on
 * the source, by the scale of the figures; where nothing touches no bit changes.
 */
#include <limber/body.h>
#include <limber/retarget.h>

#include "motion/hands.h"
#include "motion/walker.h"

#include <limber/kinematics.h>

enum { MOST_NQ = 80 };

/* A palm of a model: a point of a link. */
typedef struct palm {
    const char *link;
    lb_vec3 at;
} palm;

/* of the walker a hand goes on as the arm does */
static const palm walker_palms[2] = {{"LeftHand", {0, 0.084, 0}}, {"RightHand", {0, -0.084, 0}}};

/* the human with its palms at places of the chest or of the shanks */
static void reach(const lb_model *model, const char *const bases[2], const lb_vec3 places[2],
                  double *q)
{
    lb_body_task tasks[2];
    lb_body_options options = lb_body_options_default();
    lb_body_result result;
    options.posture = 1e-3;
    options.iterations = 200;
    for (int side = 0; side < 2; side++) {
        tasks[side] =
            lb_body_task_make(LB_BODY_POSITION, lb_model_find_link(model, hand_links[side]));
        tasks[side].tool.p = human_palm(model, side);
        tasks[side].base = lb_model_find_link(model, bases[side]);
    }
    owned_body *body = test_body(model, tasks, 2, &options);
    lb_configuration_neutral(model, q);
    lb_body_set_posture(body, q);
    for (int side = 0; side < 2; side++) {
        lb_transform target = LB_TRANSFORM_IDENTITY;
        target.p = places[side];
        lb_body_set_target(body, side, &target);
    }
    lb_body_solve(body, q, q, &result);
}

/* a second from the neutral pose to another one and back */
static lb_clip *there_and_back(const lb_model *model, const double *q)
{
    static double keys[3 * MOST_NQ];
    const double times[3] = {0, 0.5, 1};
    size_t nq = (size_t)lb_model_nq(model);
    assert_in_range(nq, 1, MOST_NQ);
    lb_configuration_neutral(model, keys);
    memcpy(keys + nq, q, nq * sizeof *q);
    lb_configuration_neutral(model, keys + 2 * nq);
    return test_clip(model, times, keys, 3, LB_INTERPOLATION_LINEAR);
}

/* How far the left palm is from the right one or from a knee. */
typedef struct relation {
    palm hand, other;
} relation;

static double distance_of(const lb_model *model, const relation *r, const double *q)
{
    owned_state *s = test_state(model);
    lb_state_update(s, q);
    lb_vec3 a = lb_state_point(s, lb_model_find_link(model, r->hand.link), LB_WORLD, r->hand.at);
    lb_vec3 b = lb_state_point(s, lb_model_find_link(model, r->other.link), LB_WORLD, r->other.at);
    return lb_vec3_length(lb_vec3_sub(a, b));
}

/* that distance in the middle of a motion of another figure */
static double retargeted_distance(const lb_clip *clip, const lb_model *target, const relation *r,
                                  bool hands, lb_retarget_report *report)
{
    lb_retarget_options options = lb_retarget_options_default();
    lb_clip *made = NULL;
    double q[MOST_NQ];
    options.hands = hands;
    options.rate = 30;
    assert_made(lb_retarget(clip, target, &options, NULL, &made, NULL, report, &cause), cause);
    lb_clip_at(made, 0.5, q);
    lb_clip_release(made);
    assert_true(hands ? report->touches > 0 : report->touches == 0);
    return distance_of(target, r, q);
}

/* expects that palms are as far from what they touch as on the source, by the scale */
static void expect_touch(const lb_model *source, const lb_model *target, const char *const bases[2],
                         const lb_vec3 places[2], const relation *from, const relation *to)
{
    double q[MOST_NQ];
    lb_retarget_report report;
    reach(source, bases, places, q);
    owned_clip *clip = there_and_back(source, q);
    double there = distance_of(source, from, q);
    double far = retargeted_distance(clip, target, to, false, &report);
    double near = retargeted_distance(clip, target, to, true, &report);
    double off = fabs(near - report.scale * there), off_without = fabs(far - report.scale * there);
    if (!(off < 0.012) || !(off < fmax(0.005, off_without)))
        fail_msg("%g m away, %g by directions, %g on the source", near, far, there);
}

TEST(hands_meet_on_other_figures)
{
    static const char *const chest[2] = {"chest", "chest"};
    owned_model *source = test_load_moving("human"), *target = walker_model(WALKER_T);
    relation from = {{"left_hand", human_palm(source, 0)}, {"right_hand", human_palm(source, 1)}};
    relation to = {walker_palms[0], walker_palms[1]};
    for (int i = -1; i <= 1; i++) {
        const lb_vec3 places[2] = {{0.3, 0.02, 0.1 * i}, {0.3, -0.02, 0.1 * i}};
        expect_touch(source, target, chest, places, &from, &to);
    }
}

TEST(hands_are_on_knees_of_other_figures)
{
    static const char *const shanks[2] = {"left_shank", "right_shank"};
    const lb_vec3 places[2] = {{0.08, 0, -0.02}, {0.08, 0, -0.02}}, none = {0, 0, 0};
    owned_model *source = test_load_moving("human"), *target = walker_model(WALKER_T);
    relation from = {{"left_hand", human_palm(source, 0)}, {"left_shank", none}};
    relation to = {walker_palms[0], {"LeftLeg", none}};
    expect_touch(source, target, shanks, places, &from, &to);
    expect_touch(source, source, shanks, places, &from, &from);
}

/* a walk without a touch, and a figure on itself, whose palms are where they were */
TEST(nothing_changes_without_a_touch)
{
    owned_model *walker = walker_model(WALKER_T), *human = test_load_moving("human");
    lb_clip *walk = walker_clip(walker, WALKER_T, 2, 30), *made[2] = {NULL, NULL};
    lb_retarget_report report;
    lb_retarget_options options = lb_retarget_options_default();
    for (int i = 0; i < 2; i++) {
        options.hands = i == 1;
        assert_ok(lb_retarget(walk, human, &options, NULL, &made[i], NULL, &report, NULL));
        assert_int_equal(report.touches, 0);
    }
    for (int key = 0; key < lb_clip_count(walk); key++)
        assert_memory_equal(lb_clip_key(made[0], key), lb_clip_key(made[1], key),
                            (size_t)lb_model_nq(human) * sizeof(double));
    for (int i = 0; i < 2; i++)
        lb_clip_release(made[i]);
    lb_clip_release(walk);
}
