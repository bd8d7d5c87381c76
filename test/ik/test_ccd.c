/*
 * test_ccd.c - coordinate descent: each joint's optimum against brute force, sweeps on
 * models against sweeps on bones.
 */
#include "ik/optimum.h"
#include "ik/solver.h"
#include "math/scalar.h"
#include "support.h"

#include <limber/bones.h>

enum { MOST_TASKS = 3, LINKAGES = 400, GRID = 720, SAMPLES = 400 };

/* ---- single joints ---------------------------------------------------------- */

/* counts of what has been seen, so that nothing is passed for want of cases */
static struct {
    int turns, lengths, balls, limited, shared, several;
} seen;

static lb_ik *random_solver(lb_random *random, const lb_model *model)
{
    lb_task tasks[MOST_TASKS];
    int links = lb_model_link_count(model), count = 1 + test_random_index(random, MOST_TASKS);
    for (int i = 0; i < count; i++) {
        int tip = test_random_index(random, links);
        tasks[i] = lb_task_make(tip, LB_WORLD, (lb_task_kind)test_random_index(random, 3));
        tasks[i].tool = test_random_transform(random);
        tasks[i].weight = lb_random_between(random, 0.5, 2);
        if (test_random_chance(random, 0.3))
            tasks[i].free_axis = test_random_direction(random);
    }
    lb_ik_options options = lb_ik_options_default();
    options.method = lb_method_find("ccd");
    options.length = 1;
    lb_ik *ik;
    lb_ik_create(model, tasks, count, &options, NULL, &ik, NULL);
    return ik;
}

/* the squared error with one variable at another value */
static double error_with(ik_iteration *it, const kernel_variable *x, const double *value)
{
    double kept[4];
    size_t size = sizeof(double) * (x->ball ? 4 : 1);
    memcpy(kept, it->q + x->q, size);
    memcpy(it->q + x->q, value, size);
    kernel_clamp(x, it->q + x->q);
    ik_iteration_measure(it);
    memcpy(it->q + x->q, kept, size);
    return it->error2;
}

/* the least error that a search over all values of a variable of one number finds */
static double search_numbers(ik_iteration *it, const kernel_variable *x, bool is_length)
{
    double lower = scalar_max(x->lower, it->q[x->q] - (is_length ? 20 : LB_PI));
    double upper = scalar_min(x->upper, it->q[x->q] + (is_length ? 20 : LB_PI));
    double least = INFINITY, best = lower, step = (upper - lower) / GRID;
    for (int k = 0; k <= GRID; k++) {
        double value = lower + k * step, e = error_with(it, x, &value);
        if (e < least) {
            least = e;
            best = value;
        }
    }
    // and finer around the best
    for (int k = -50; k <= 50; k++) {
        double value = best + k * step / 50;
        least = scalar_min(least, error_with(it, x, &value));
    }
    return least;
}

/* the same of a ball, by random rotations, far and near */
static double search_rotations(ik_iteration *it, const kernel_variable *x, lb_random *random)
{
    double least = INFINITY, best[4];
    memcpy(best, it->q + x->q, sizeof best);
    for (int k = 0; k < SAMPLES; k++) {
        double spread = k < SAMPLES / 2 ? LB_PI : 2 * LB_PI / k;
        lb_vec3 v =
            lb_vec3_scale(test_random_direction(random), lb_random_between(random, 0, spread));
        lb_quat q = {best[0], best[1], best[2], best[3]};
        q = lb_quat_multiply(q, lb_quat_exp(v));
        double value[4] = {q.w, q.x, q.y, q.z}, e = error_with(it, x, value);
        if (e < least) {
            least = e;
            memcpy(best, value, sizeof best);
        }
    }
    return least;
}

static void check_variable(ik_iteration *it, int variable, lb_random *random)
{
    const kernel_variable *x = &it->problem.variables[variable];
    ik_iteration_measure(it);
    double before = it->error2;
    ik_refresh(it, it->q);
    memcpy(it->next, it->q, sizeof(double) * (size_t)it->problem.tree.nq);
    ik_move move = ik_best_move(it, variable, it->next);
    ik_move_apply(it, variable, &move, it->next);
    double after = error_with(it, x, it->next + x->q);

    // it wins what it says, and is never a loss
    assert_near(before - after, move.gain, 1e-9 * (1 + before));
    assert_true(after <= before * (1 + 1e-12));
    bool shared = it->joint_of[variable] < 0, limited = kernel_is_limited(x);
    seen.shared += shared;
    seen.limited += limited;
    seen.several += it->problem.task_count > 1;
    if (shared)
        return;
    seen.balls += x->ball;
    seen.lengths += it->is_length[variable];
    seen.turns += !x->ball && !it->is_length[variable];
    if (!x->ball) {
        double least = search_numbers(it, x, it->is_length[variable]);
        assert_true(after <= least + 1e-9 * (1 + before));
    } else if (!limited) {
        // under several pulls its best is approached; one pull is exact
        double least = search_rotations(it, x, random);
        assert_true(after <= least + 0.05 * (before - least) + 1e-9);
    }
}

TEST(joints_go_to_their_optimum)
{
    for (int k = 0; k < LINKAGES; k++) {
        lb_random random = test_seed((uint64_t)k);
        test_tree wanted = test_tree_default();
        wanted.joints = 2 + test_random_index(&random, 6);
        owned_model *model = test_tree_build(&wanted, &random);
        owned_ik *ik = random_solver(&random, model);
        double q[64];
        assert_true(lb_model_nq(model) <= 64);
        if (ik) {
            ik_iteration *it = &ik->iteration;
            lb_configuration_random(model, &random, q);
            ik_gather(&ik->reduction, q, it->q);
            for (int t = 0; t < ik->task_count; t++) {
                ik->searches[0].problem.targets[t] = test_random_transform(&random);
                ik->searches[0].problem.targets[t].p =
                    lb_vec3_scale(ik->searches[0].problem.targets[t].p, 1 / it->unit);
            }
            it->targets = ik->searches[0].problem.targets;
            for (int i = 0; i < it->problem.variable_count; i++)
                check_variable(it, i, &random);
        }
    }
    assert_true(seen.turns > 0 && seen.lengths > 0 && seen.balls > 0);
    assert_true(seen.limited > 0 && seen.shared > 0 && seen.several > 0);
}

/* with one point the rotation is the shortest that there is */
TEST(a_single_pull_swings)
{
    lb_random random = test_seed(1);
    for (int k = 0; k < 1000; k++) {
        lb_vec3 a = lb_vec3_scale(test_random_direction(&random), 0.5);
        lb_vec3 b = k % 10 ? test_random_direction(&random) : lb_vec3_scale(a, k % 20 ? -3 : 3);
        ik_pull pull = {0};
        double won;
        ik_pull_add_point(&pull, 2, a, b);
        lb_quat r = ik_pull_swing(&pull, INFINITY, &won);
        lb_vec3 there = lb_quat_rotate(r, a);
        lb_vec3 wanted = lb_vec3_scale(b, 0.5 / lb_vec3_length(b));
        assert_near(lb_vec3_length(lb_vec3_sub(there, wanted)), 0, 1e-12);
        double angle = lb_vec3_length(lb_quat_log(r));
        double between = lb_atan2(lb_vec3_length(lb_vec3_cross(a, b)), lb_vec3_dot(a, b));
        assert_near(angle, between, 1e-12);
        lb_vec3 left = lb_vec3_sub(a, b), then = lb_vec3_sub(there, b);
        assert_near(won, 2 * (lb_vec3_dot(left, left) - lb_vec3_dot(then, then)), 1e-12);
        // cut short it goes the same way, only less far
        lb_quat part = ik_pull_swing(&pull, 0.1, &won);
        assert_near(lb_vec3_length(lb_quat_log(part)), scalar_min(angle, 0.1), 1e-12);
    }
}

/* ---- sweeps ----------------------------------------------------------------- */

enum { MOST_BONES = 8 };

/* a model of bones: turning joints about z, and a fixed one for the last */
static lb_model *model_of(const lb_bone *bones, int n)
{
    char names[2 * MOST_BONES + 1][8];
    lb_link links[MOST_BONES + 1];
    lb_joint joints[MOST_BONES];
    for (int i = 0; i <= n; i++) {
        names[i][0] = 'l';
        names[i][1] = (char)('a' + i);
        names[i][2] = '\0';
        links[i] = lb_link_default();
        links[i].name = names[i];
    }
    for (int i = 0; i < n; i++) {
        char *name = names[n + 1 + i];
        memcpy(name, names[i], 3);
        name[0] = 'j';
        joints[i] = lb_joint_default();
        joints[i].name = name;
        joints[i].parent = names[i];
        joints[i].child = names[i + 1];
        joints[i].kind = i < n - 1 ? LB_JOINT_REVOLUTE : LB_JOINT_FIXED;
        joints[i].placement = lb_transform_translation(bones[i].x, bones[i].y, 0);
    }
    const lb_model_source source = {.name = "bones",
                                    .root = LB_TRANSFORM_IDENTITY,
                                    .links = links,
                                    .link_count = n + 1,
                                    .joints = joints,
                                    .joint_count = n};
    lb_model *model;
    assert_int_equal(lb_model_build(&source, NULL, &model, NULL), LB_OK);
    return model;
}

/* on planar chains the method on models and the call on bones do the same */
TEST(planes_and_space_agree)
{
    lb_random random = test_seed(2);
    for (int k = 0; k < 200; k++) {
        lb_bone bones[MOST_BONES];
        double q[MOST_BONES], ex, ey;
        int n = 2 + test_random_index(&random, MOST_BONES - 1);
        for (int i = 0; i < n; i++) {
            bones[i] = (lb_bone){lb_random_between(&random, 0.3, 1),
                                 lb_random_between(&random, -0.3, 0.3), 0};
            bones[i].angle = q[i] = lb_random_between(&random, -2, 2);
        }
        owned_model *model = model_of(bones, n);
        double x = lb_random_between(&random, -n, n), y = lb_random_between(&random, -n, n);
        lb_transform target = lb_transform_translation(x, y, 0);
        lb_task task = lb_task_make(n, LB_WORLD, LB_TASK_POSITION);
        lb_ik_options options = lb_ik_options_default();
        options.method = lb_method_find("ccd");
        options.position_tolerance = 1e-3;
        options.no_nudge = true;
        lb_bones_options plain = lb_bones_options_default();
        plain.nudge = 0;
        owned_ik *ik = test_solver(model, &task, 1, &options);
        for (int sweep = 0; sweep < 5; sweep++) {
            lb_progress a = lb_bones_step(bones, n, x, y, 1e-3, &plain);
            lb_progress b = lb_ik_step(ik, &target, q, NULL);
            // what is trivial is decided by another measure
            assert_true(a == b || (a != LB_SUCCESS && b != LB_SUCCESS));
            for (int i = 0; i < n - 1; i++)
                assert_near(lb_wrap_angle(bones[i].angle - q[i]), 0, 1e-9);
            if (a != LB_PROCESSING)
                break;
        }
        lb_bones_end(bones, n, &ex, &ey);
    }
}

/* no joint of a sweep moves by more than the step limit, and the sweep still wins */
TEST(steps_are_capped)
{
    const lb_bone bones[] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    static const char *const names[] = {"ccd", "ccd-ranked", "fabrik"};
    owned_model *model = model_of(bones, 4);
    lb_task task = lb_task_make(4, LB_WORLD, LB_TASK_POSITION);
    lb_transform target = lb_transform_translation(0.5, 1.5, 0);
    for (int m = 0; m < 3; m++) {
        double q[3] = {0.1, 0.1, 0.1}, error = INFINITY;
        lb_ik_options options = lb_ik_options_default();
        options.method = lb_method_find(names[m]);
        options.step_limit = 0.05;
        owned_ik *ik = test_solver(model, &task, 1, &options);
        for (int i = 0; i < 10; i++) {
            double before[3] = {q[0], q[1], q[2]};
            lb_ik_result result;
            lb_ik_step(ik, &target, q, &result);
            assert_true(result.position_error < error);
            error = result.position_error;
            // the ranked one may move the same joint again, as often as there are joints
            double most = m == 1 ? 3 * 0.05 : 0.05;
            for (int k = 0; k < 3; k++)
                assert_true(fabs(q[k] - before[k]) <= most + 1e-12);
        }
    }
}

/* by whatever joints are ranked, what is reached is reached from the start, without nudges */
TEST(every_rank_arrives)
{
    // three bones of 15, 10 and 5: the hinges stand at the ends of all but the last
    const lb_bone bones[] = {{0, 0, 0}, {15, 0, 0}, {10, 0, 0}, {5, 0, 0}};
    static const lb_vec3 goals[] = {{-5, 14, 0}, {-20, 5, 0}, {10, -5, 0}, {3, 22, 0}};
    owned_model *model = model_of(bones, 4);
    lb_task task = lb_task_make(4, LB_WORLD, LB_TASK_POSITION);
    for (int rank = 0; rank <= LB_RANK_ROOM; rank++) {
        lb_ik_options options = lb_ik_options_default();
        options.method = lb_method_find("ccd-ranked");
        options.protocol = LB_PROTOCOL_GIVEN;
        options.position_tolerance = 1e-3;
        options.ranked.rank = (lb_rank)rank;
        options.no_nudge = true;
        owned_ik *ik = test_solver(model, &task, 1, &options);
        for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
            double q[3] = {LB_PI / 8, LB_PI / 4, LB_PI / 4};
            lb_transform target = lb_transform_translation(goals[i].x, goals[i].y, 0);
            lb_ik_result result;
            if (lb_ik_solve(ik, &target, q, q, &result) != LB_REACHED)
                fail_msg("rank %d, goal %d: %g off after %d", rank, (int)i, result.position_error,
                         result.iterations);
        }
    }
}
