/*
 * test_explain_limits.c - what an explanation says of limits and outcomes: results are made by
 * hand, so that each case is there for certain, and the words are compared.
 */
#include <limber/ik.h>
#include <math.h>

#include "support_load.h"

enum { BALL, FREE, LOCKED, FIRST_HINGE, HINGES = 8, JOINTS = FIRST_HINGE + HINGES };
enum { TEXT = 2000 };

/* limits of the ball: twist -0.3 to 0.4, swing 0.5; of each hinge -1 to 2 */
static lb_model *make_chain(void)
{
    lb_joint joints[JOINTS];
    for (int i = 0; i < JOINTS; i++) {
        joints[i] = lb_joint_default();
        joints[i].placement.p.x = 1;
        joints[i].kind = i < LOCKED ? LB_JOINT_BALL : LB_JOINT_REVOLUTE;
        joints[i].lower[0] = i == FREE ? -INFINITY : -1;
        joints[i].upper[0] = i == FREE ? INFINITY : 2;
    }
    joints[BALL].lower[0] = -0.3;
    joints[BALL].upper[0] = 0.4;
    joints[BALL].upper[1] = 0.5;
    joints[LOCKED].locked = true;
    return test_chain(&LB_TRANSFORM_IDENTITY, joints, JOINTS);
}

/* the rotation by `angle` about z, which the ball twists about, or about x, which is a swing */
static void turn_ball(const lb_model *model, int joint, double angle, bool twists, double *q)
{
    double *ball = q + lb_model_joint_q(model, joint);
    memset(ball, 0, 4 * sizeof *ball);
    ball[0] = cos(angle / 2);
    ball[twists ? 3 : 1] = sin(angle / 2);
}

static void explain(const lb_model *model, const double *q, const lb_ik_result *result, char *text)
{
    owned_ik *ik = NULL;
    lb_task task = lb_task_make(JOINTS, LB_WORLD, LB_TASK_POSITION);
    lb_error error = {0};
    assert_made(lb_ik_create(model, &task, 1, NULL, NULL, &ik, &error), error);
    lb_transform target = LB_TRANSFORM_IDENTITY;
    target.p = lb_vec3_make(3, 2, 1);
    lb_ik_explain(ik, &target, q, result, text, TEXT);
}

TEST(joints_at_their_limits_are_named)
{
    static const struct {
        int joint;
        double value; /* of a ball: of its twist, or of its swing */
        bool twists;
        const char *says;
    } rows[] = {
        {BALL, 0.4, true, " At their limits: 'j0' (twist)."},
        {BALL, -0.3, true, " At their limits: 'j0' (twist)."},
        {BALL, 0.39, true, ""},
        {BALL, 0.5, false, " At their limits: 'j0' (swing)."},
        {BALL, -0.5, false, " At their limits: 'j0' (swing)."},
        {BALL, 0.49, false, ""},
        {FREE, 3, true, ""},
        {FREE, 3, false, ""},
        {LOCKED, -1, false, ""},
        {FIRST_HINGE, -1, false, " At their limits: 'j3' (lower)."},
        {FIRST_HINGE, 2, false, " At their limits: 'j3' (upper)."},
        {FIRST_HINGE, 1.99, false, ""},
    };
    owned_model *model = make_chain();
    const lb_ik_result result = {.outcome = LB_STALLED, .tries = 3, .iterations = 20};
    double q[32];
    assert_true(lb_model_nq(model) <= 32);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[TEXT];
        lb_configuration_neutral(model, q);
        if (rows[i].joint < LOCKED)
            turn_ball(model, rows[i].joint, rows[i].value, rows[i].twists, q);
        else
            q[lb_model_joint_q(model, rows[i].joint)] = rows[i].value;
        explain(model, q, &result, text);
        const char *limits = strstr(text, " At their limits:");
        if (strcmp(limits == NULL ? "" : limits, rows[i].says) != 0)
            fail_msg("row %zu: %s", i, text);
    }
    // of many the first six are named and the others counted
    lb_configuration_neutral(model, q);
    for (int i = 0; i < HINGES; i++)
        q[lb_model_joint_q(model, FIRST_HINGE + i)] = i % 2 == 0 ? -1 : 2;
    char text[TEXT];
    explain(model, q, &result, text);
    assert_non_null(strstr(text, "'j3' (lower), 'j4' (upper)"));
    assert_non_null(strstr(text, "'j8' (upper) and 2 more."));
    assert_null(strstr(text, "j9"));
}

/* a slide in the middle of a range of a micrometre is at no limit */
TEST(short_ranges_have_a_middle)
{
    lb_joint joint = test_joint(LB_JOINT_PRISMATIC, lb_vec3_make(0, 0, 0), lb_vec3_make(1, 0, 0));
    joint.lower[0] = 0;
    joint.upper[0] = 1.5e-6;
    owned_model *model = test_chain(&LB_TRANSFORM_IDENTITY, &joint, 1);
    lb_task task = lb_task_make(1, LB_WORLD, LB_TASK_POSITION);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    const lb_ik_result result = {.outcome = LB_STALLED, .tries = 1, .position_error = 0.5};
    const lb_transform target = lb_transform_translation(0, 1, 0);
    static const struct {
        double q;
        bool limited;
    } rows[] = {{0, true}, {0.75e-6, false}, {1.5e-6, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[TEXT];
        lb_ik_explain(ik, &target, &rows[i].q, &result, text, sizeof text);
        if ((strstr(text, "At their limits") != NULL) != rows[i].limited)
            fail_msg("row %zu: %s", i, text);
    }
}

/* links of 1000 m and 0.1 m: the short one moves the tool along x, as the first sentence says */
TEST(short_links_of_long_arms_move)
{
    lb_joint joints[3];
    for (int i = 0; i < 3; i++)
        joints[i] = test_joint(LB_JOINT_REVOLUTE, lb_vec3_make(i == 1 ? 1000 : i * 0.05, 0, 0),
                               lb_vec3_make(0, 0, 1));
    joints[2].locked = true;
    owned_model *model = test_chain(&LB_TRANSFORM_IDENTITY, joints, 3);
    lb_task task = lb_task_make(3, LB_WORLD, LB_TASK_POSITION);
    lb_ik_options options = lb_ik_options_default();
    options.protocol = LB_PROTOCOL_GIVEN;
    options.iterations = 1;
    owned_ik *ik = test_solver(model, &task, 1, &options);
    const lb_transform target = lb_transform_translation(999.92, 0, 0);
    double q[3] = {0, 1.5, 0};
    char text[TEXT];
    lb_ik_result result;
    lb_ik_solve(ik, &target, q, q, &result);
    lb_ik_explain(ik, &target, q, &result, text, sizeof text);
    if (strstr(text, "no joint can move") != NULL)
        fail_msg("%s", text);
}

/* of two links, of which limits allow neither bend: two configurations, whatever the arm is
   completed by */
TEST(configurations_are_counted_once)
{
    owned_model *whole = test_load("planar2"), *model = NULL;
    lb_joint_setting narrow = lb_joint_setting_make(lb_model_find_joint(whole, "elbow"));
    narrow.lower[0] = -0.1;
    narrow.upper[0] = 0.1;
    assert_int_equal(lb_model_view(whole, &narrow, 1, NULL, &model, NULL), LB_OK);
    int tips[8];
    lb_model_tips(model, tips);
    lb_task task = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSITION);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    const lb_transform target = lb_transform_translation(0.9, 0.4, 0);
    double q[2] = {0, 0};
    char text[TEXT];
    lb_ik_result result;
    assert_int_equal(lb_ik_solve(ik, &target, q, q, &result), LB_UNREACHABLE);
    lb_ik_explain(ik, &target, q, &result, text, sizeof text);
    if (strstr(text, " 2 configurations reach the target") == NULL)
        fail_msg("%s", text);
}

TEST(outcomes_have_their_words)
{
    static const struct {
        lb_ik_result result;
        const char *says;
    } rows[] = {
        {{.outcome = LB_REACHED}, "Reached without iterating."},
        {{.outcome = LB_REACHED, .iterations = 1, .tries = 1},
         "Reached after 1 iteration in 1 try."},
        {{.outcome = LB_REACHED, .iterations = 9, .tries = 2},
         "Reached after 9 iterations in 2 tries."},
        {{.outcome = LB_INVALID}, "The target or the start is not finite"},
        {{.outcome = LB_STALLED, .tries = 1, .position_error = 0.5}, "Not reached in 1 try: "},
        {{.outcome = LB_STALLED, .tries = 4, .reason = LB_REASON_MINIMUM},
         "It is a local minimum."},
        {{.outcome = LB_STALLED, .tries = 4, .reason = LB_REASON_LIMITS},
         "Joints at their limits hold it back."},
        {{.outcome = LB_STALLED, .tries = 4, .reason = LB_REASON_SINGULAR},
         "a small bend of its joints would free it."},
        {{.outcome = LB_EXHAUSTED, .tries = 4, .reason = LB_REASON_BUDGET},
         "It used up its iterations."},
        {{.outcome = LB_UNREACHABLE, .beyond_reach = 0.25}, "would still be 0.25 m away."},
        {{.outcome = LB_UNREACHABLE, .reason = LB_REASON_LIMITS},
         "Out of reach of joints inside their limits; "},
        {{.outcome = LB_UNREACHABLE},
         "no joint values bring the tip there, with or without limits"},
    };
    owned_model *model = make_chain();
    double q[32];
    lb_configuration_neutral(model, q);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[TEXT];
        explain(model, q, &rows[i].result, text);
        if (strstr(text, rows[i].says) == NULL)
            fail_msg("row %zu: %s", i, text);
    }
}
