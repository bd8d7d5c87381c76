/*
 * test_linkage_descent.c - what one descent of a closed linkage does, and what is said of it where
 * it does not arrive: refuted by closed configurations nearby, of a drive that is moved.
 */
#include <limber/body.h>
#include <limber/ik.h>

#include "linkages.h"
#include "support_load.h"

/* ---- cranks ------------------------------------------------------------------ */

/* A four-bar whose crank makes whole turns, closed from its angles alone. */
typedef struct crank_case {
    four_bar b;
    lb_model *model;
} crank_case;

/* the shortest bar turns against all others if it and the longest are no longer than the rest */
static crank_case draw_crank(lb_random *random, uint64_t seed)
{
    crank_case c = {.b = {.side = seed % 2 ? 1 : -1, .crank = 0.5}};
    double *bars[] = {&c.b.ground, &c.b.coupler, &c.b.rocker};
    double most;
    do {
        most = 0;
        for (int i = 0; i < 3; i++) {
            *bars[i] = lb_random_between(random, 0.6, 2.3);
            most = fmax(most, *bars[i]);
        }
    } while (2 * (c.b.crank + most) > c.b.crank + c.b.ground + c.b.coupler + c.b.rocker - 0.1);
    c.model = make_four_bar(&c.b, 0.4, seed % 3 ? LB_LOOP_HINGE : LB_LOOP_BALL, seed);
    return c;
}

/* the closed configuration of a crank's angle, on the branch of its side */
static void close_crank(const crank_case *c, double u, double q[3])
{
    double pin, pivot;
    angles_of(&c->b, u, &pin, &pivot);
    *value_of(c->model, q, 1) = u;
    *value_of(c->model, q, 2) = pin;
    *value_of(c->model, q, 3) = pivot;
    assert_true(gap(c->model, q) < 1e-9);
}

/* one solve of its joint and one of its coupler's pose, by `turn` from `from` */
static void check_turn(const crank_case *c, int level, double from, double turn)
{
    lb_body_task tasks[2] = {lb_body_task_make(LB_BODY_JOINT, 0),
                             lb_body_task_make(LB_BODY_POSE, lb_model_find_link(c->model, "l2"))};
    lb_body_options options = lb_body_options_default();
    double start[3], goal[3], q[3];
    tasks[0].joint = lb_model_find_joint(c->model, "j1");
    tasks[0].level = tasks[1].level = level;
    options.restarts = 0;
    close_crank(c, from, start);
    close_crank(c, from + turn, goal);
    for (int i = 0; i < 2; i++) {
        lb_body_result result;
        owned_body *body = test_body(c->model, &tasks[i], 1, &options);
        lb_body_hold(body, 0, goal);
        assert_int_equal(lb_body_solve(body, start, q, &result), LB_REACHED);
        assert_true(result.iterations < 20 && result.loop_error <= 1e-12);
        for (int k = 0; k < 3; k++)
            assert_true(angle_between(q[k], goal[k]) < 1e-5);
    }
}

/* one solve turns a crank by any angle, and keeps the branch */
TEST(cranks_turn_at_once)
{
    lb_random random = test_seed(70);
    for (uint64_t i = 0; i < FEWER(100, 4); i++) {
        crank_case c = draw_crank(&random, i);
        owned_model *model = c.model;
        for (int k = 0; k < 6; k++)
            check_turn(&c, k % 3, lb_random_between(&random, -LB_PI, LB_PI),
                       lb_random_between(&random, -1, 1));
        assert_int_equal(lb_model_nq(model), 3);
    }
}

/* ---- poses of a walker --------------------------------------------------------- */

static double error_at(lb_state *state, const lb_task *task, const lb_transform *target,
                       const double *q)
{
    double position, rotation;
    lb_state_update(state, q);
    lb_task_error(state, task, target, &position, &rotation);
    return task->kind == LB_TASK_POSITION ? position : rotation;
}

/* whether the crank, turned a little either way, brings the task nearer on the same branch */
static bool crank_helps(lb_assembly *assembly, lb_state *state, const lb_task *task,
                        const lb_transform *target, const double *q)
{
    double here = error_at(state, task, target, q), beside[8];
    for (int i = -8; i <= 8; i++) {
        memcpy(beside, q, sizeof *q * (size_t)lb_model_nq(lb_state_model(state)));
        beside[0] += 0.006 * i;
        if (lb_assembly_follow(assembly, q, beside, beside, NULL) == LB_ASSEMBLED &&
            error_at(state, task, target, beside) < 0.98 * here)
            return true;
    }
    return false;
}

/* ---- restarts -------------------------------------------------------------- */

/* Poses of a delta robot's platform in closed configurations drawn from its limits. In many the
   rods are crossed and the platform is turned over, where no descent leads from the usual assembly:
   there restarts miss few, and none where the platform is upright below its base. */
TEST(restarts_turn_platforms_over)
{
    owned_model *model = test_load("delta");
    owned_assembly *assembly = NULL;
    owned_state *state = test_state(model);
    lb_random random = test_seed(75);
    lb_ik_options options = lb_ik_options_default();
    int tip = lb_model_find_link(model, "platform"), nq = lb_model_nq(model);
    lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSE);
    int all = 0, turned = 0, reached = 0;
    options.protocol = LB_PROTOCOL_ANY;
    assert_int_equal(lb_assembly_create(model, NULL, 0, NULL, &assembly, NULL), LB_OK);
    owned_ik *ik = test_solver(model, &task, 1, &options);
    while (all < FEWER(60, 6)) {
        double rest[32], q[32];
        assert_true(nq <= 32);
        lb_configuration_random(model, &random, q);
        if (lb_assembly_close(assembly, q, q, NULL) != LB_ASSEMBLED ||
            lb_configuration_validate(model, q, 1e-9, NULL) != LB_OK)
            continue;
        lb_state_update(state, q);
        lb_transform target = lb_state_transform(state, LB_WORLD, tip);
        lb_configuration_neutral(model, rest);
        bool found = lb_ik_solve(ik, &target, rest, q, NULL) == LB_REACHED;
        bool upright = target.x.x > 0.999 && target.z.z > 0.999 && target.p.z < 0;
        assert_true(found || !upright);
        all++;
        turned += !upright;
        reached += found && !upright;
    }
    assert_true(turned > 0 && reached * 10 >= turned * 9);
}

/* A descent from up to a radian away reaches a link's own place or axes, also where these turn
   back, or ends where the crank leads away from them to both sides. */
TEST(a_walker_stops_only_at_a_local_minimum)
{
    owned_model *model = test_load("klann");
    owned_assembly *assembly = NULL;
    owned_state *state = test_state(model);
    lb_random random = test_seed(74);
    lb_ik_options options = lb_ik_options_default();
    int stopped = 0, all = 0;
    options.protocol = LB_PROTOCOL_GIVEN;
    assert_int_equal(lb_assembly_create(model, NULL, 0, NULL, &assembly, NULL), LB_OK);
    for (int k = 0; k < 2 * 4; k++) {
        lb_task task =
            lb_task_make(1 + k / 2, LB_WORLD, k % 2 ? LB_TASK_ROTATION : LB_TASK_POSITION);
        owned_ik *ik = test_solver(model, &task, 1, &options);
        for (int i = 0; i < FEWER(25, 4); i++, all++) {
            double from[8], to[8], q[8];
            memcpy(from, lb_assembly_rest(assembly), sizeof *from * (size_t)lb_model_nq(model));
            from[0] += lb_random_between(&random, -LB_PI, LB_PI);
            lb_assembly_follow(assembly, lb_assembly_rest(assembly), from, from, NULL);
            memcpy(to, from, sizeof to);
            to[0] += lb_random_between(&random, -1, 1);
            lb_assembly_follow(assembly, from, to, to, NULL);
            lb_state_update(state, to);
            lb_transform target = lb_state_transform(state, LB_WORLD, task.tip);
            if (lb_ik_solve(ik, &target, from, q, NULL) == LB_REACHED)
                continue;
            stopped++;
            if (crank_helps(assembly, state, &task, &target, q))
                fail_msg("link %d: the crank brings it nearer than %g", task.tip,
                         error_at(state, &task, &target, q));
        }
    }
    assert_true(stopped * 30 < all);
}

/* where the slider turns back: a double root, which a pull to the start would keep it off */
TEST(sliders_reach_their_dead_points)
{
    owned_model *model = test_load("slider_crank");
    owned_assembly *assembly = NULL;
    lb_task task = lb_task_make(lb_model_find_link(model, "slider"), LB_WORLD, LB_TASK_POSE);
    lb_ik_options options = lb_ik_options_default();
    options.protocol = LB_PROTOCOL_GIVEN;
    owned_ik *ik = test_solver(model, &task, 1, &options);
    assert_int_equal(lb_assembly_create(model, NULL, 0, NULL, &assembly, NULL), LB_OK);
    for (int i = 0; i < 60; i++) {
        double start[3], q[3];
        lb_transform target = lb_transform_translation(i % 2 ? 2 : 1, 0, 0);
        memcpy(start, lb_assembly_rest(assembly), sizeof start);
        start[0] = (i % 2 ? 0 : LB_PI) + 0.03 * (i + 3);
        lb_assembly_follow(assembly, lb_assembly_rest(assembly), start, start, NULL);
        assert_int_equal(lb_ik_solve(ik, &target, start, q, NULL), LB_REACHED);
    }
}

/* what the tree proves to be out of reach is looked for by a quarter of the restarts */
TEST(few_restarts_follow_a_proof)
{
    owned_model *model = test_load("klann");
    lb_task task = lb_task_make(lb_model_find_link(model, "foot"), LB_WORLD, LB_TASK_POSITION);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    double start[8], q[8];
    lb_ik_result result;
    lb_configuration_neutral(model, start);
    for (int i = 0; i < 2; i++) {
        // out of its plane, and too far in it
        lb_transform target = lb_transform_translation(0.2, i == 0 ? -0.3 : 9, i == 0 ? 0.1 : 0);
        assert_int_equal(lb_ik_solve(ik, &target, start, q, &result), LB_UNREACHABLE);
        assert_true(result.tries <= 2 + 8);
        assert_true(gap(model, q) < 1e-10);
        // q may be the start
        lb_ik_solve(ik, &target, start, start, NULL);
        assert_memory_equal(start, q, sizeof *q * (size_t)lb_model_nq(model));
        lb_configuration_neutral(model, start);
    }
}

/* ---- what is said of a coupler out of place ----------------------------------- */

/* errors of the coupler's place and of its axes */
static void coupler_errors(const crank_case *c, const double q[3], const lb_transform *target,
                           double errors[2])
{
    lb_transform links[MOST_LINKS];
    test_forward(c->model, q, links);
    const lb_transform *at = &links[lb_model_find_link(c->model, "l2")];
    errors[0] = lb_vec3_length(lb_vec3_sub(at->p, target->p));
    errors[1] = lb_transform_angle(at, target);
}

/* whether a closed neighbour has the task's error lower, `alone` or while the other's is no higher
 */
static bool has_better(const crank_case *c, const double q[3], const lb_transform *target, int task,
                       bool alone)
{
    static const double steps[] = {0.003, 0.01, 0.03, 0.06};
    double here[2], there[2], beside[3], *u = value_of(c->model, (double *)q, 1);
    crank_case other = *c;
    coupler_errors(c, q, target, here);
    close_crank(&other, *u, beside);
    if (angle_between(beside[1], q[1]) + angle_between(beside[2], q[2]) > 1e-3)
        other.b.side = -other.b.side;
    for (int i = 0; i < 8; i++) {
        close_crank(&other, *u + steps[i / 2] * (i % 2 ? 1 : -1), beside);
        coupler_errors(c, beside, target, there);
        if (there[task] < 0.94 * here[task] && (alone || there[!task] <= here[!task]))
            return true;
    }
    return false;
}

typedef struct reason_counts {
    int of[LB_BODY_REASON_COUNT];
} reason_counts;

/* a place and axes near those of the coupler `turn` ahead */
static void check_coupler(const crank_case *c, lb_random *random, double from, double turn,
                          double off, reason_counts *counts)
{
    int link = lb_model_find_link(c->model, "l2");
    lb_body_task tasks[2] = {lb_body_task_make(LB_BODY_POSITION, link),
                             lb_body_task_make(LB_BODY_ORIENTATION, link)};
    lb_body_options options = lb_body_options_default();
    double q[3], start[3];
    char text[512];
    options.restarts = 0;
    owned_body *body = test_body(c->model, tasks, 2, &options);
    close_crank(c, from + turn, q);
    lb_body_hold(body, 0, q);
    lb_transform target = lb_body_target(body, 0);
    lb_transform turned = lb_transform_from_quat(
        lb_quat_exp(lb_vec3_scale(test_random_direction(random), off)), lb_vec3_make(0, 0, 0));
    target = lb_transform_multiply(&target, &turned);
    target.p = lb_vec3_add(target.p, lb_vec3_scale(test_random_direction(random), off));
    for (int t = 0; t < 2; t++)
        lb_body_set_target(body, t, &target);
    close_crank(c, from, start);
    if (lb_body_solve(body, start, q, NULL) == LB_REACHED)
        return;
    for (int t = 0; t < 2; t++) {
        lb_body_reason reason = lb_body_explain(body, t, text, sizeof text);
        counts->of[reason]++;
        if (reason == LB_BODY_REASON_REACH || reason == LB_BODY_REASON_CONFLICT)
            if (has_better(c, q, &target, t, reason == LB_BODY_REASON_REACH))
                fail_msg("%s: refuted", text);
    }
}

/* "here no joint brings it nearer" and "only at the cost of": no closed neighbour says otherwise */
TEST(neighbours_do_not_refute_reasons)
{
    lb_random random = test_seed(71);
    reason_counts counts = {{0}};
    for (uint64_t i = 0; i < FEWER(150, 6); i++) {
        crank_case c = draw_crank(&random, i);
        owned_model *model = c.model;
        for (int k = 0; k < 10; k++)
            check_coupler(&c, &random, lb_random_between(&random, -LB_PI, LB_PI),
                          lb_random_between(&random, -1, 1), k % 2 ? 0.2 : 0.01, &counts);
        assert_non_null(model);
    }
    assert_true(counts.of[LB_BODY_REASON_REACH] > 0 && counts.of[LB_BODY_REASON_CONFLICT] > 0);
}

/* at a dead point no step moves the slider, but its way on is not denied */
TEST(dead_points_are_not_taken_for_the_nearest)
{
    owned_model *model = test_load("slider_crank");
    lb_body_task task = lb_body_task_make(LB_BODY_POSITION, lb_model_find_link(model, "slider"));
    lb_body_options options = lb_body_options_default();
    options.restarts = 0;
    owned_body *body = test_body(model, &task, 1, &options);
    double q[3], start[3];
    char text[256];
    lb_configuration_neutral(model, start);
    for (int i = 1; i < 20; i++) {
        lb_body_set_point(body, 0, lb_vec3_make(2 - 0.05 * i, 0, 0));
        assert_int_equal(lb_body_solve(body, start, q, NULL), LB_STALLED);
        assert_int_equal(lb_body_explain(body, 0, text, sizeof text), LB_BODY_REASON_BUDGET);
        assert_non_null(strstr(text, "another descent from here or from beside it"));
    }
}

/* ---- what is said of results of lb_ik --------------------------------------------- */

/* the error that a sentence gives of what `format` names, or `none` */
static double said_error(const char *text, const char *name, const char *format, double none)
{
    const char *at = strstr(text, name);
    if (at)
        sscanf(at, format, &none);
    return none;
}

/* sentences have the result's numbers and name joints; what is open is said to be */
static void check_sentence(const lb_model *model, lb_ik *ik, const lb_transform *target,
                           const double *start)
{
    double q[MOST_LINKS];
    char text[1024];
    lb_ik_result result;
    lb_outcome outcome = lb_ik_solve(ik, target, start, q, &result);
    lb_ik_explain(ik, target, q, &result, text, sizeof text);
    if (gap(model, q) > 1e-10 && !strstr(text, "The loops are open by"))
        fail_msg("open by %g: %s", gap(model, q), text);
    if (outcome == LB_REACHED || outcome == LB_UNREACHABLE)
        return;
    double position =
        said_error(text, "position of", "position of '%*[^']' is %lf m", result.position_error);
    double rotation = said_error(text, "orientation of", "orientation of '%*[^']' is %lf rad",
                                 result.rotation_error);
    if (fabs(position - result.position_error) > 1e-3 * position ||
        fabs(rotation - result.rotation_error) > 1e-3 * rotation ||
        strstr(text, "limits or speeds of."))
        fail_msg("%g m, %g rad: %s", result.position_error, result.rotation_error, text);
}

TEST(sentences_describe_the_result)
{
    static const char *const names[] = {"scissors", "gripper", "slider_crank", "klann"};
    lb_random random = test_seed(73);
    for (int m = 0; m < 4; m++) {
        owned_model *model = test_load(names[m]);
        lb_ik_options options = lb_ik_options_default();
        options.protocol = LB_PROTOCOL_GIVEN;
        for (int link = 1; link < lb_model_link_count(model); link++) {
            lb_task task = lb_task_make(link, LB_WORLD, link % 2 ? LB_TASK_POSE : LB_TASK_POSITION);
            owned_ik *ik = test_solver(model, &task, 1, &options);
            for (int i = 0; i < FEWER(30, 2); i++) {
                double start[MOST_LINKS];
                lb_transform links[MOST_LINKS];
                lb_configuration_random(model, &random, start);
                test_forward(model, start, links);
                lb_configuration_random(model, &random, start);
                lb_transform target = links[link];
                target.p = lb_vec3_scale(target.p, i % 5 == 0 ? 10 : 1);
                check_sentence(model, ik, &target, start);
            }
        }
    }
}

/* a limit that holds a finger back is named where no bound held the last step, too */
TEST(limits_that_hold_a_linkage_back_have_names)
{
    owned_model *model = test_load("gripper");
    lb_ik_options options = lb_ik_options_default();
    options.protocol = LB_PROTOCOL_GIVEN;
    lb_task task = lb_task_make(lb_model_find_link(model, "left_finger"), LB_WORLD, LB_TASK_POSE);
    owned_ik *ik = test_solver(model, &task, 1, &options);
    const double start[] = {0.624169, 0.823278, 0.57082, -0.0220508, 0.588265};
    lb_transform target = lb_transform_translation(0.0282797, 0.0729175, 0);
    double q[5];
    char text[512];
    lb_ik_result result;
    assert_int_equal(lb_model_nq(model), 5);
    assert_int_equal(lb_ik_solve(ik, &target, start, q, &result), LB_STALLED);
    lb_ik_explain(ik, &target, q, &result, text, sizeof text);
    assert_non_null(strstr(text, "limits or speeds of 'right_knuckle'"));
}

/* bars that are too short to meet: no sentence leaves out that they do not, whatever the outcome */
TEST(loops_that_cannot_close_are_said_to_be_open)
{
    const four_bar apart = {5, 0.5, 0.7, 0.6, 1};
    owned_model *model = make_four_bar(&apart, 0.4, LB_LOOP_HINGE, 3);
    lb_task task = lb_task_make(lb_model_find_link(model, "l2"), LB_WORLD, LB_TASK_POSITION);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    double start[3], q[3];
    lb_configuration_neutral(model, start);
    for (int i = 0; i < 2; i++) {
        lb_transform target = lb_transform_translation(i == 0 ? 0.5 : 9, 0.2, 0);
        char text[512];
        lb_ik_result result;
        lb_outcome outcome = lb_ik_solve(ik, &target, start, q, &result);
        assert_true(i == 0 ? outcome != LB_REACHED : outcome == LB_UNREACHABLE);
        lb_ik_explain(ik, &target, q, &result, text, sizeof text);
        assert_non_null(strstr(text, "The loops are open by"));
        assert_null(strstr(text, "With its loops closed"));
    }
}
