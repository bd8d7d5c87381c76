/*
 * test_stuck.c - configurations that hold a descent: recognised, named, and left.
 */
#include "support.h"

#include <limber/formats/load.h>
#include <limber/ik.h>

enum { MOST_LINKS = 6, MOST = 4 * MOST_LINKS };

/* n links along x, of these lengths, on hinges about z or balls, and a tip */
static lb_model *chain(const double *lengths, int n, lb_joint_kind kind, double limit)
{
    static const char *const link_names[] = {"l0", "l1", "l2", "l3", "l4", "l5", "l6", "l7"};
    static const char *const joint_names[] = {"j0", "j1", "j2", "j3", "j4", "j5", "j6"};
    lb_link links[MOST_LINKS + 2];
    lb_joint joints[MOST_LINKS + 1];
    for (int i = 0; i <= n + 1; i++) {
        links[i] = lb_link_default();
        links[i].name = link_names[i];
    }
    for (int i = 0; i <= n; i++) {
        joints[i] = lb_joint_default();
        joints[i].name = joint_names[i];
        joints[i].parent = link_names[i];
        joints[i].child = link_names[i + 1];
        joints[i].kind = i < n ? kind : LB_JOINT_FIXED;
        joints[i].placement = lb_transform_translation(i > 0 ? lengths[i - 1] : 0, 0, 0);
        joints[i].lower[0] = -limit;
        joints[i].upper[0] = limit;
    }
    return test_make("chain", links, n + 2, joints, n + 1);
}

/* A linkage, where it is stuck, and the goal that it is stuck for. */
typedef struct trap {
    const char *what;
    lb_joint_kind kind;
    int links;
    double lengths[MOST_LINKS], angles[MOST_LINKS];
    lb_vec3 goal;
} trap;

static const trap traps[] = {
    {"the extended arm of Fig. 5.19", LB_JOINT_REVOLUTE, 3, {3, 2, 1}, {0}, {4.5, 0, 0}},
    {"a straight chain that points at its goal",
     LB_JOINT_REVOLUTE,
     6,
     {1, 1, 1, 1, 1, 1},
     {0},
     {3.7, 0, 0}},
    {"the two-bone lock", LB_JOINT_REVOLUTE, 2, {1, 0.8}, {0, LB_PI}, {0.5, 0, 0}},
    {"a straight chain of balls", LB_JOINT_BALL, 5, {1, 1, 1, 1, 1}, {0}, {2.5, 0, 0}},
    {"a chain folded back", LB_JOINT_REVOLUTE, 3, {1, 1, 1}, {0, LB_PI, LB_PI}, {2, 0, 0}},
};
enum { TRAPS = sizeof traps / sizeof *traps };

static void place(const trap *t, const lb_model *model, double *q)
{
    lb_configuration_neutral(model, q);
    for (int i = 0; t->kind != LB_JOINT_BALL && i < t->links; i++)
        q[i] = t->angles[i];
}

static lb_ik *make(const lb_model *model, const lb_method *method, bool no_nudge,
                   lb_protocol protocol)
{
    lb_ik_options options = lb_ik_options_default();
    options.method = method;
    options.no_nudge = no_nudge;
    options.protocol = protocol;
    options.position_tolerance = 1e-4;
    lb_ik *ik;
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSITION);
    if (lb_ik_create(model, &task, 1, &options, NULL, &ik, NULL) != LB_OK)
        return NULL;
    return ik;
}

static void on_every(void (*check)(const trap *t, const lb_model *model, const lb_method *method))
{
    for (int i = 0; i < TRAPS; i++) {
        const trap *t = &traps[i];
        owned_model *model = chain(t->lengths, t->links, t->kind, INFINITY);
        for (int m = 0; m < lb_method_count(); m++) {
            owned_ik *ik = make(model, lb_method_at(m), false, LB_PROTOCOL_GIVEN);
            if (ik)
                check(t, model, lb_method_at(m));
        }
    }
}

static void complain(const trap *t, const lb_method *method, const char *what, double by)
{
    fail_msg("%s, %s: %s (%g)", t->what, lb_method_name(method), what, by);
}

/* ---- leaving ---------------------------------------------------------------- */

/* by default every method gets out, step by step, and the same way each time */
static void check_steps(const trap *t, const lb_model *model, const lb_method *method)
{
    double q[2][MOST];
    lb_transform target = lb_transform_translation(t->goal.x, t->goal.y, t->goal.z);
    owned_ik *ik = make(model, method, false, LB_PROTOCOL_GIVEN);
    for (int k = 0; k < 2; k++) {
        lb_progress progress = LB_PROCESSING;
        place(t, model, q[k]);
        int steps = 0;
        while (progress == LB_PROCESSING && steps < 5000) {
            progress = lb_ik_step(ik, &target, q[k], NULL);
            steps++;
        }
        if (progress != LB_SUCCESS)
            complain(t, method, "did not get out by steps", steps);
    }
    assert_memory_equal(q[0], q[1], sizeof(double) * (size_t)lb_model_nq(model));
}

static void check_solve(const trap *t, const lb_model *model, const lb_method *method)
{
    double start[MOST], q[MOST];
    lb_ik_result result;
    lb_transform target = lb_transform_translation(t->goal.x, t->goal.y, t->goal.z);
    owned_ik *ik = make(model, method, false, LB_PROTOCOL_GIVEN);
    place(t, model, start);
    lb_ik_solve(ik, &target, start, q, &result);
    if (result.outcome != LB_REACHED)
        complain(t, method, lb_reason_text(result.reason), result.position_error);
    assert_int_equal(result.reason, LB_REASON_NONE);
}

TEST(every_method_gets_out_by_steps)
{
    on_every(check_steps);
}

TEST(every_method_gets_out_by_itself)
{
    on_every(check_solve);
}

/* ---- staying ---------------------------------------------------------------- */

static bool follows_gradients(const lb_method *method)
{
    static const char *const names[] = {"lm",          "damped",    "pseudoinverse", "selective",
                                        "alternative", "transpose", "inverse"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], lb_method_name(method)) == 0)
            return true;
    return false;
}

/* with the nudge switched off what follows gradients stays, and says so */
static void check_stays(const trap *t, const lb_model *model, const lb_method *method)
{
    double start[MOST], q[MOST];
    lb_ik_result result;
    lb_transform target = lb_transform_translation(t->goal.x, t->goal.y, t->goal.z);
    if (!follows_gradients(method))
        return;
    owned_ik *ik = make(model, method, true, LB_PROTOCOL_GIVEN);
    place(t, model, start);
    memcpy(q, start, sizeof q);
    if (lb_ik_step(ik, &target, q, &result) != LB_FAILURE)
        complain(t, method, "moved although it is stuck", 0);
    assert_int_equal(result.reason, LB_REASON_SINGULAR);
    assert_int_equal(result.outcome, LB_STALLED);
    lb_ik_solve(ik, &target, start, q, &result);
    if (result.outcome != LB_STALLED || result.reason != LB_REASON_SINGULAR)
        complain(t, method, lb_reason_text(result.reason), result.outcome);
}

TEST(without_the_nudge_gradients_stay)
{
    on_every(check_stays);
}

/* the lock of Juckett 2009 holds coordinate descent alone as well */
TEST(the_lock_holds_coordinate_descent)
{
    static const char *const names[] = {"ccd", "ccd-ranked"};
    const trap *t = &traps[2];
    owned_model *model = chain(t->lengths, t->links, t->kind, INFINITY);
    lb_transform target = lb_transform_translation(t->goal.x, t->goal.y, t->goal.z);
    for (int m = 0; m < 2; m++) {
        double q[MOST];
        lb_ik_result result;
        owned_ik *ik = make(model, lb_method_find(names[m]), true, LB_PROTOCOL_GIVEN);
        place(t, model, q);
        assert_int_equal(lb_ik_step(ik, &target, q, &result), LB_FAILURE);
        assert_int_equal(result.reason, LB_REASON_SINGULAR);
    }
}

/* Juckett's lock: the goal is the elbow itself, and rounding must not decide where it bends */
TEST(a_goal_on_a_joint_locks_coordinate_descent)
{
    const double lengths[] = {0.5, 0.5}, turned[] = {0, 0.3, 1, -2.5};
    owned_model *model = chain(lengths, 2, LB_JOINT_REVOLUTE, INFINITY);
    for (int i = 0; i < 4; i++) {
        // the elbow is there but for rounding
        double q[MOST] = {turned[i], 0};
        lb_transform target =
            lb_transform_translation(0.5 * lb_cos(turned[i]), 0.5 * lb_sin(turned[i]) + 1e-16, 0);
        lb_ik_result result;
        lb_ik *ik = make(model, lb_method_find("ccd"), true, LB_PROTOCOL_GIVEN);
        lb_ik_solve(ik, &target, q, q, &result);
        assert_int_equal(result.outcome, LB_STALLED);
        assert_near(result.position_error, 0.5, 1e-9);
        assert_near(q[1], 0, 1e-9);
        lb_ik_release(ik);
        // and with a nudge it gets out
        ik = make(model, lb_method_find("ccd"), false, LB_PROTOCOL_GIVEN);
        assert_int_equal(lb_ik_solve(ik, &target, q, q, &result), LB_REACHED);
        lb_ik_release(ik);
    }
}

/* ---- other reasons ---------------------------------------------------------- */

/* beyond the reach the arm ends stretched, and stays: nothing there is stuck */
TEST(out_of_reach)
{
    const double lengths[] = {1, 1, 1};
    owned_model *model = chain(lengths, 3, LB_JOINT_REVOLUTE, INFINITY);
    lb_transform target = lb_transform_translation(0, 5, 0);
    for (int m = 0; m < lb_method_count(); m++) {
        owned_ik *ik = make(model, lb_method_at(m), false, LB_PROTOCOL_GIVEN);
        if (!ik)
            continue;
        double q[MOST] = {0.4, 0.3, 0.2};
        lb_ik_result result;
        lb_ik_solve(ik, &target, q, q, &result);
        assert_int_equal(result.outcome, LB_UNREACHABLE);
        assert_int_equal(result.reason, LB_REASON_REACH);
        assert_near(result.beyond_reach, 2, 1e-12);
        // near to the nearest; those without damping flutter there
        assert_near(result.position_error, 2, 0.5);
    }
    // a target within all lengths that lie too near: no bound says so, but the closed form does
    const double unequal[] = {2, 0.5};
    lb_model *other = chain(unequal, 2, LB_JOINT_REVOLUTE, INFINITY);
    lb_ik *ik = make(other, NULL, false, LB_PROTOCOL_NEAREST);
    double q[MOST] = {0.4, 0.3};
    lb_ik_result result;
    target = lb_transform_translation(0, 0.2, 0);
    lb_ik_solve(ik, &target, q, q, &result);
    assert_int_equal(result.outcome, LB_UNREACHABLE);
    assert_int_equal(result.reason, LB_REASON_REACH);
    assert_near(result.beyond_reach, 0, 0);
    assert_near(result.position_error, 1.3, 1e-6);
    lb_ik_release(ik);
    lb_model_release(other);
    // with any method, also off the plane
    for (int m = 0; m < lb_method_count(); m++) {
        ik = make(model, lb_method_at(m), false, LB_PROTOCOL_GIVEN);
        if (!ik)
            continue;
        target = lb_transform_translation(1, 1, 1);
        lb_ik_solve(ik, &target, q, q, &result);
        assert_int_equal(result.outcome, LB_UNREACHABLE);
        assert_int_equal(result.reason, LB_REASON_REACH);
        lb_ik_release(ik);
    }
}

/* joints at their limits are named as the reason */
TEST(at_limits)
{
    const double lengths[] = {1, 1, 1};
    owned_model *model = chain(lengths, 3, LB_JOINT_REVOLUTE, 0.5);
    lb_transform target = lb_transform_translation(0, 2.5, 0);
    static const char *const names[] = {"lm", "damped", "pseudoinverse", "selective", "ccd"};
    for (int m = 0; m < 5; m++) {
        owned_ik *ik = make(model, lb_method_find(names[m]), false, LB_PROTOCOL_GIVEN);
        double q[MOST] = {0};
        lb_ik_result result;
        lb_ik_solve(ik, &target, q, q, &result);
        assert_int_equal(result.outcome, LB_STALLED);
        assert_int_equal(result.reason, LB_REASON_LIMITS);
        assert_near(test_limit_excess(model, q), 0, 0);
    }
}

/* a budget that ends it while it moves is one, too */
TEST(out_of_budget)
{
    const double lengths[] = {1, 1, 1};
    owned_model *model = chain(lengths, 3, LB_JOINT_REVOLUTE, INFINITY);
    lb_task task = lb_task_make(4, LB_WORLD, LB_TASK_POSITION);
    lb_ik_options options = lb_ik_options_default();
    options.protocol = LB_PROTOCOL_GIVEN;
    options.iterations = 1;
    for (int m = 0; m < lb_method_count(); m++) {
        owned_ik *ik = NULL;
        options.method = lb_method_at(m);
        if (lb_ik_create(model, &task, 1, &options, NULL, &ik, NULL) != LB_OK)
            continue;
        double q[MOST] = {0.1, 0.1, 0.1};
        lb_ik_result result;
        lb_transform target = lb_transform_translation(-1, 1, 0);
        lb_ik_solve(ik, &target, q, q, &result);
        assert_int_equal(result.outcome, LB_EXHAUSTED);
        assert_int_equal(result.reason, LB_REASON_BUDGET);
        assert_int_equal(result.iterations, 1);
    }
}

/* ---- slow steps -------------------------------------------------------------- */

/* the transpose with a given alpha, on the arm of Fig. 5.24 */
static lb_ik *make_slow(const lb_model *model, double alpha, bool no_nudge)
{
    lb_ik_options options = lb_ik_options_default();
    options.method = lb_method_find("transpose");
    options.protocol = LB_PROTOCOL_GIVEN;
    options.transpose.alpha = alpha;
    options.position_tolerance = 0.02;
    options.step_limit = 1e6;
    options.no_nudge = no_nudge;
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSITION);
    return test_solver(model, &task, 1, &options);
}

static const double slow_lengths[] = {15, 10, 5}, slow_start[] = {LB_PI / 8, LB_PI / 4, LB_PI / 4};

/* up to 500 steps; returns how they ended */
static lb_ik_result take_steps(lb_ik *ik, const lb_transform *target, double *q)
{
    lb_ik_result result = {0};
    lb_progress progress = LB_PROCESSING;
    for (int i = 0; i < 500 && progress == LB_PROCESSING; i++)
        progress = lb_ik_step(ik, target, q, &result);
    return result;
}

/* where joints still lower the error to first order, short steps are no reason for a nudge */
TEST(slow_steps_are_not_nudged)
{
    owned_model *model = chain(slow_lengths, 3, LB_JOINT_REVOLUTE, INFINITY);
    owned_ik *ik = make_slow(model, 0.001, false), *plain = make_slow(model, 0.001, true);
    double q[3], without[3];
    memcpy(q, slow_start, sizeof q);
    memcpy(without, slow_start, sizeof q);
    // along the line from where the tip is
    for (int frame = 1; frame <= 20; frame++) {
        double share = frame / 20.0;
        lb_transform target =
            lb_transform_translation(15.771610149494753 * (1 - share) - 20 * share,
                                     19.598444473145648 * (1 - share) + 5 * share, 0);
        assert_int_equal(take_steps(ik, &target, q).outcome, LB_REACHED);
        assert_int_equal(take_steps(plain, &target, without).outcome, LB_REACHED);
        assert_memory_equal(q, without, sizeof q);
    }
}

/* steps that would take for ever end, and for the reason that a solve gives there */
TEST(endless_steps_end)
{
    owned_model *model = chain(slow_lengths, 3, LB_JOINT_REVOLUTE, INFINITY);
    owned_ik *ik = make_slow(model, 1e-12, false);
    lb_transform target = lb_transform_translation(-20, 5, 0);
    double q[3];
    lb_ik_result result;
    memcpy(q, slow_start, sizeof q);
    assert_int_equal(lb_ik_step(ik, &target, q, &result), LB_FAILURE);
    assert_int_equal(result.outcome, LB_STALLED);
    assert_int_equal(result.reason, LB_REASON_STEPS);
    lb_ik_solve(ik, &target, slow_start, q, &result);
    assert_int_equal(result.outcome, LB_STALLED);
    assert_int_equal(result.reason, LB_REASON_STEPS);
}

/* ---- words ------------------------------------------------------------------- */

/* steps that made too little progress may be long ones again: nothing is said of later steps */
TEST(steps_are_not_called_short)
{
    static const double own[] = {-1.3, 1.1, 0, 5.3}, start[] = {0, 1.1, 0.1, -3.1};
    owned_model *model = NULL;
    owned_state *state = NULL;
    assert_int_equal(lb_load("scara", NULL, &model, NULL), LB_OK);
    assert_int_equal(lb_state_create(model, NULL, &state), LB_OK);
    lb_state_update(state, own);
    int tip = lb_model_link_count(model) - 1;
    lb_transform target = lb_state_transform(state, LB_WORLD, tip);
    lb_ik_options options = lb_ik_options_default();
    options.method = lb_method_find("inverse");
    options.protocol = LB_PROTOCOL_GIVEN;
    lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSE);
    owned_ik *ik = test_solver(model, &task, 1, &options);
    double q[4], next[4];
    char text[1000];
    lb_ik_result result;
    assert_int_equal(lb_ik_solve(ik, &target, start, q, &result), LB_STALLED);
    assert_int_equal(result.reason, LB_REASON_STEPS);
    lb_ik_explain(ik, &target, q, &result, text, sizeof text);
    memcpy(next, q, sizeof q);
    lb_ik_step(ik, &target, next, NULL);
    double step = 0;
    for (int i = 0; i < 4; i++)
        step = fmax(step, fabs(next[i] - q[i]));
    assert_true(step > 0.1);
    assert_null(strstr(text, "short"));
    assert_non_null(
        strstr(text, "The last iterations of 'inverse' lowered the error by too little"));
}

static void assert_says(lb_ik *ik, const lb_transform *target, const double *q,
                        const lb_ik_result *result, const char *const *words)
{
    char text[1000];
    lb_ik_explain(ik, target, q, result, text, sizeof text);
    for (; *words; words++)
        if (!strstr(text, *words))
            fail_msg("'%s' is not in: %s", *words, text);
}

/* what is stuck, in which direction, and which joints hold it */
TEST(reasons_are_said_in_words)
{
    double q[MOST] = {0};
    lb_ik_result result;

    // stretched towards a goal on the arm: x is missing
    const trap *t = &traps[0];
    lb_model *model = chain(t->lengths, t->links, t->kind, INFINITY);
    lb_ik *ik = make(model, lb_method_find("pseudoinverse"), true, LB_PROTOCOL_GIVEN);
    lb_transform target = lb_transform_translation(t->goal.x, t->goal.y, t->goal.z);
    lb_ik_solve(ik, &target, q, q, &result);
    assert_says(ik, &target, q, &result,
                (const char *const[]){"stuck", "move 'l4' along -x of the world", NULL});
    lb_ik_release(ik);

    // above the plane: z is missing for good, and what is well is not spoken of
    ik = make(model, NULL, false, LB_PROTOCOL_NEAREST);
    target = lb_transform_translation(3, 1, 2);
    lb_ik_solve(ik, &target, q, q, &result);
    assert_says(ik, &target, q, &result,
                (const char *const[]){"Out of reach: ",
                                      "; 2 m remains at the closest found. 'l4' cannot leave its "
                                      "plane, and the target is 2 m off it along z of the world.",
                                      NULL});
    lb_ik_release(ik);
    lb_model_release(model);

    // all at their limits, more of them than are named
    const double lengths[] = {1, 1, 1, 1, 1, 1};
    model = chain(lengths, 6, LB_JOINT_REVOLUTE, 0.1);
    ik = make(model, NULL, false, LB_PROTOCOL_NEAREST);
    target = lb_transform_translation(0, 5, 0);
    lb_ik_solve(ik, &target, q, q, &result);
    assert_says(ik, &target, q, &result,
                (const char *const[]){"Joints at their limits", "'j0' (upper), 'j1' (upper)",
                                      "'j5' (upper).", NULL});
    lb_ik_release(ik);
    lb_model_release(model);
}

/* both joints of this arm turn its tip and move it: only a combination is beyond them */
TEST(a_mixed_direction_is_named_as_a_combination)
{
    const double lengths[] = {1, 1}, q[] = {0.5, 1};
    owned_model *model = chain(lengths, 2, LB_JOINT_REVOLUTE, INFINITY);
    lb_task task = lb_task_make(3, LB_WORLD, LB_TASK_POSE);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    lb_transform target =
        lb_transform_from_quat(lb_quat_from_rpy(0, 0, 0.3), lb_vec3_make(1.2, 0.9, 0));
    double found[2];
    char text[1000];
    lb_ik_result result;
    assert_int_equal(lb_ik_solve(ik, &target, q, found, &result), LB_STALLED);
    lb_ik_explain(ik, &target, found, &result, text, sizeof text);
    assert_null(strstr(text, "no joint can"));
    const char *ratio = strstr(text, "rad per metre"), *way = strstr(text, "move 'l3' along (");
    assert_non_null(strstr(text, "no combination of joints can turn 'l3' about z of the world"));
    assert_true(ratio != NULL && way != NULL);

    // what it names is at right angles to the columns of the Jacobian, lengths in its own unit
    double x = 0, y = 0, rate = 0, jacobian[12];
    assert_int_equal(sscanf(way, "move 'l3' along (%lf, %lf", &x, &y), 2);
    while (*--ratio == ' ')
        ;
    while (ratio[-1] != ' ')
        ratio--;
    assert_int_equal(sscanf(ratio, "%lf", &rate), 1);
    owned_state *arm = test_state(model);
    lb_state_update(arm, found);
    lb_state_jacobian(arm, 3, lb_vec3_make(0, 0, 0), LB_AXES_WORLD, jacobian);
    double first = x * jacobian[0] + y * jacobian[2], second = x * jacobian[1] + y * jacobian[3];
    assert_near(first, second, 0.02);
    assert_true(first * rate < 0);
}

TEST(reasons_have_texts)
{
    for (int i = 0; i < LB_REASON_COUNT; i++)
        assert_true(strlen(lb_reason_text((lb_reason)i)) > 0);
    assert_string_equal(lb_reason_text(LB_REASON_COUNT), "");
}
