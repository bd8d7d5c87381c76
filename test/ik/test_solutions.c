/*
 * test_solutions.c - all configurations of real arms: the one that made a pose is always among
 * them, each is confirmed by the model's own forward kinematics, and limits, turns and filters
 * are kept.
 */
#include <limits.h>

#include "support_solutions.h"

#include <limber/formats/load.h>
#include <limber/solutions.h>

static void check_sample(const sample *s)
{
    owned_model *model = test_load(s->model);
    lb_task task = task_of(model, s);
    lb_solutions_options options = lb_solutions_options_default();
    options.out_of_limits = true;
    owned_solutions *solver = solver_of(model, &task, &options);
    assert_int_equal(lb_solutions_class(solver), s->arm_class);
    lb_random random = test_seed(17);
    int most = 0;
    for (int k = 0; k < 2000; k++) {
        double q[NQ];
        found f;
        lb_configuration_random(model, &random, q);
        lb_transform target = target_at(model, &task, q);
        solve(solver, &target, q, &f);
        if (find_row(model, &f, q) != 0 || f.summary.outcome != LB_REACHED)
            fail_msg("%s: pose %d: the configuration that made it is row %d of %d", s->model, k,
                     find_row(model, &f, q), f.count);
        check_rows(model, &task, &target, &f);
        most = f.count > most ? f.count : most;
    }
    assert_true(most >= 2);
}

TEST(test_the_q_that_made_a_pose_is_the_nearest_to_itself)
{
    for (int i = 0; i < SAMPLES; i++)
        check_sample(&samples[i]);
}

/* ---- targets out of reach ----------------------------------------------------- */

TEST(test_targets_out_of_reach_have_none)
{
    for (int i = 0; i < SAMPLES; i++) {
        owned_model *model = test_load(samples[i].model);
        lb_task task = task_of(model, &samples[i]);
        owned_solutions *solver = solver_of(model, &task, NULL);
        lb_transform target = lb_transform_translation(20, 30, 40);
        found f;
        solve(solver, &target, NULL, &f);
        assert_int_equal(f.count, 0);
        // a sliding joint would reach it if it had no limits
        bool slides = strcmp(samples[i].model, "stanford") == 0;
        assert_int_equal(f.summary.outcome, LB_UNREACHABLE);
        assert_int_equal(f.summary.reason == LB_REASON_LIMITS, slides && f.summary.count > 0);
        assert_true(f.summary.certified);
        // beyond what is supported, whatever of it the task leaves free
        static const double none[] = {NAN, INFINITY, -2 * LB_LENGTH_MAX, 1e300};
        for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
            target.p.x = none[k];
            solve(solver, &target, NULL, &f);
            assert_int_equal(f.summary.outcome, LB_INVALID);
        }
        double start[NQ];
        lb_configuration_neutral(model, start);
        start[0] = 2 * LB_LENGTH_MAX;
        solve(solver, &LB_TRANSFORM_IDENTITY, start, &f);
        assert_int_equal(f.summary.outcome, LB_INVALID);
    }
}

/* an arm of seven joints has no family where it has no solution */
TEST(test_no_solution_is_no_family)
{
    owned_model *model = test_load("iiwa14");
    lb_task task = task_of(model, &samples[0]);
    owned_solutions *solver = solver_of(model, &task, NULL);
    const lb_transform far = lb_transform_translation(2, 0, 0.3);
    const lb_transform near = lb_transform_translation(0.4, 0.1, 0.5);
    found f;
    solve(solver, &far, NULL, &f);
    assert_int_equal(f.summary.count, 0);
    assert_int_equal(f.summary.family_count, 0);
    solve(solver, &near, NULL, &f);
    assert_int_equal(f.summary.family_count, 7);
}

/* an arm with a spherical wrist whose angles and offsets are off by up to so much */
static lb_model *make_jointed(double noise, lb_random *random)
{
    static const double lengths[6][2] = {{0.1}, {0, 0.35}, {0}, {0.305}, {0}, {0.1}};
    static const double alphas[6] = {LB_PI / 2, LB_PI, LB_PI / 2, -LB_PI / 2, LB_PI / 2, 0};
    lb_dh_row rows[6];
    lb_model *model = NULL;
    for (int i = 0; i < 6; i++) {
        rows[i] = lb_dh_row_default();
        rows[i].d = lengths[i][0];
        rows[i].a = lengths[i][1];
        rows[i].alpha = alphas[i] + noise * lb_random_between(random, -1, 1);
    }
    assert_int_equal(lb_model_from_dh("jointed", rows, 6, false, NULL, &model, NULL), LB_OK);
    return model;
}

/* how far two joints that turn by a radian, either way against each other, move the tool at least
 */
static double turn_pair(const lb_model *model, const lb_task *task, const lb_transform *target,
                        const double *q, const int pair[2])
{
    double least = INFINITY;
    for (int sign = -1; sign <= 1; sign += 2) {
        double turned[NQ], position, rotation;
        memcpy(turned, q, sizeof *q * (size_t)lb_model_nq(model));
        turned[lb_model_joint_q(model, pair[0])] += 1;
        turned[lb_model_joint_q(model, pair[1])] += sign;
        const lb_transform there = target_at(model, task, turned);
        position = lb_vec3_length(lb_vec3_sub(there.p, target->p));
        rotation = lb_vec3_length(lb_quat_log(lb_quat_multiply(
            lb_quat_conjugate(lb_transform_quat(target)), lb_transform_quat(&there))));
        least = fmin(least, fmax(position, rotation));
    }
    return least;
}

/* angles as files round them leave axes apart that seem to coincide: they turn the tool by
   millionths, and a Jacobian does not show it where two roots meet */
TEST(test_joints_of_a_family_leave_the_tool_where_it_is)
{
    lb_random random = test_seed(27);
    int families = 0;
    for (int arm = 0; arm < 60; arm++) {
        owned_model *model = make_jointed(arm % 6 ? pow(10, -4 - arm % 6) : 0, &random);
        lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSE);
        owned_solutions *solver = solver_of(model, &task, NULL);
        for (int k = 0; k < 100; k++) {
            double q[NQ] = {0};
            for (int i = 0; i < 6; i++)
                q[i] = test_random_index(&random, 4) * LB_PI / 2;
            const lb_transform target = target_at(model, &task, q);
            found f;
            solve(solver, &target, q, &f);
            for (int i = 0; f.summary.family_count == 2 && i < f.count; i++) {
                if (!f.infos[i].family)
                    continue;
                families++;
                assert_true(turn_pair(model, &task, &target, f.q + i * lb_model_nq(model),
                                      f.summary.family) < 2e-9);
            }
        }
    }
    assert_true(families > 100);
}

/* general arms whose tool is vertical have pairs with the same third joint */
TEST(test_branches_have_different_numbers)
{
    owned_model *model = test_load("crx10ia");
    lb_task task = task_of(model, &samples[0]);
    lb_solutions_options options = lb_solutions_options_default();
    options.out_of_limits = true;
    owned_solutions *solver = solver_of(model, &task, &options);
    lb_random random = test_seed(12);
    for (int n = 0; n < 200; n++) {
        const lb_vec3 x = {1, 0, 0}, z = {0, 0, 1};
        const lb_quat yaw = lb_quat_from_axis_angle(z, lb_random_between(&random, -3, 3));
        const lb_quat down = lb_quat_from_axis_angle(x, LB_PI);
        lb_transform target =
            lb_transform_from_quat(lb_quat_multiply(yaw, down), lb_vec3_make(0, 0, 0));
        target.p.x = lb_random_between(&random, 0.2, 0.8);
        target.p.y = lb_random_between(&random, -0.3, 0.3);
        target.p.z = lb_random_between(&random, 0.1, 0.6);
        found f;
        solve(solver, &target, NULL, &f);
        unsigned taken = 0;
        for (int i = 0; i < f.count; i++) {
            assert_false(taken >> f.infos[i].branch & 1);
            taken |= 1u << f.infos[i].branch;
        }
    }
}

/* ---- whole turns --------------------------------------------------------------- */

/* in how many ways whole turns can be added inside the limits */
static int count_turns(const lb_model *model, const double *q)
{
    int turns = 1;
    for (int k = 0; k < lb_model_joint_count(model); k++) {
        const lb_joint *joint = lb_model_joint(model, k);
        if (joint->kind != LB_JOINT_REVOLUTE)
            continue;
        int kept = 0;
        for (int n = -3; n <= 3; n++) {
            double at = q[lb_model_joint_q(model, k)] + 2 * LB_PI * n;
            kept += at >= joint->lower[0] && at <= joint->upper[0];
        }
        turns *= kept;
    }
    return turns;
}

TEST(test_copies_are_all_turns_that_limits_leave)
{
    owned_model *model = test_load("ur5");
    lb_task task = task_of(model, &samples[0]);
    lb_solutions_options options = lb_solutions_options_default();
    options.copies = true;
    owned_solutions *solver = solver_of(model, &task, &options);
    const double start[6] = {0.3, -1.1, 1.2, -0.4, 0.9, 0.2};
    static double q[1024 * 6];
    static lb_solution infos[1024];
    lb_solutions_summary summary;
    lb_transform target = target_at(model, &task, start);
    int count = lb_solutions(solver, &target, start, 1024, q, infos, &summary);
    // a solution with n turns inside the limits has n rows, each of which counts 1 / n
    double solutions = 0;
    for (int i = 0; i < count; i++) {
        solutions += 1.0 / count_turns(model, q + i * 6);
        for (int k = 0; k < i; k++)
            assert_true(row_distance(model, q + k * 6, q + i * 6) > 1e-6);
    }
    assert_near(solutions, summary.in_limits, 1e-9);
    assert_true(count > summary.in_limits);
    assert_false(summary.truncated);
}

/* ---- filters -------------------------------------------------------------------- */

static bool refuse_some(void *user, const double *q)
{
    (void)q;
    int *calls = user;
    return (*calls)++ >= 2;
}

TEST(test_a_filter_gets_the_nearest_first)
{
    owned_model *model = test_load("kr6");
    lb_task task = task_of(model, &samples[1]);
    const double start[6] = {0.3, -1.1, 1.2, -0.4, 0.9, 0.2};
    lb_transform target = target_at(model, &task, start);
    lb_solutions_options options = lb_solutions_options_default();
    options.out_of_limits = true;
    owned_solutions *all = solver_of(model, &task, &options);
    int calls = 0;
    options.filter = refuse_some;
    options.user = &calls;
    owned_solutions *some = solver_of(model, &task, &options);
    found f, g;
    solve(all, &target, start, &f);
    solve(some, &target, start, &g);
    assert_int_equal(g.count, f.count - 2);
    assert_memory_equal(g.q, f.q + 12, sizeof(double) * 6 * (size_t)g.count);
    // the room is counted in accepted rows
    calls = 0;
    g.count = lb_solutions(some, &target, start, 1, g.q, g.infos, &g.summary);
    assert_int_equal(g.count, 1);
    assert_true(g.summary.truncated);
    assert_memory_equal(g.q, f.q + 12, sizeof(double) * 6);
}

/* ---- general arms ------------------------------------------------------------------ */

TEST(test_general_arms_are_solved)
{
    const sample crx = {"crx10ia", NULL, LB_TASK_POSE, {0, 0, 0}, LB_ARM_GENERAL};
    owned_model *model = test_load(crx.model);
    lb_task task = task_of(model, &crx);
    lb_solutions_options options = lb_solutions_options_default();
    options.out_of_limits = true;
    owned_solutions *solver = solver_of(model, &task, &options);
    assert_int_equal(lb_solutions_class(solver), LB_ARM_GENERAL);
    lb_random random = test_seed(61);
    int most = 0;
    for (int k = 0; k < 300; k++) {
        double q[NQ];
        found f;
        lb_configuration_random(model, &random, q);
        lb_transform target = target_at(model, &task, q);
        solve(solver, &target, q, &f);
        if (find_row(model, &f, q) != 0)
            fail_msg("pose %d: the configuration that made it is row %d of %d", k,
                     find_row(model, &f, q), f.count);
        check_rows(model, &task, &target, &f);
        for (int i = 0; i < f.count; i++)
            for (int j = 0; j < i; j++)
                assert_true(f.infos[i].branch != f.infos[j].branch);
        most = f.count > most ? f.count : most;
    }
    assert_true(most >= 10);
}

/* ---- creating ------------------------------------------------------------------------ */

TEST(test_only_creating_needs_memory)
{
    owned_model *model = test_load("crx10ia");
    lb_task task = task_of(model, &samples[0]);
    ALLOCATIONS_FAIL (failing, 1000) {
        lb_error error = {0};
        owned_solutions *solver = TEST_UNSET;
        failing.status =
            lb_solutions_create(model, &task, NULL, &failing.allocator, &solver, &error);
        assert_int_equal(solver != NULL, failing.status == LB_OK);
        if (solver) {
            long before = failing.memory.allocations;
            found f;
            lb_transform target = lb_transform_translation(0.4, 0.1, 0.3);
            solve(solver, &target, NULL, &f);
            assert_int_equal(failing.memory.allocations, before);
        }
    }
    lb_solutions_release(NULL);
}

TEST(test_bad_questions_are_refused)
{
    owned_model *model = test_load("human");
    lb_task task = lb_task_make(lb_model_find_link(model, "left_hand"), LB_WORLD, LB_TASK_POSE);
    lb_solutions_options options = lb_solutions_options_default();
    lb_solutions_solver *solver;
    lb_error error;
    assert_int_equal(lb_solutions_create(model, &task, NULL, NULL, &solver, &error),
                     LB_UNSUPPORTED);
    assert_non_null(strstr(error.message, "search for one"));
    assert_null(solver);
    options.width = 3;
    assert_int_equal(lb_solutions_create(model, &task, &options, NULL, &solver, &error),
                     LB_INVALID_ARGUMENT);
    options = lb_solutions_options_default();
    options.length = 1e-300;
    assert_int_equal(lb_solutions_create(model, &task, &options, NULL, &solver, &error),
                     LB_INVALID_ARGUMENT);
    options = lb_solutions_options_default();
    options.redundancy = INT_MAX;
    assert_int_equal(lb_solutions_create(model, &task, &options, NULL, &solver, &error),
                     LB_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "1 to 100000"));
    assert_int_equal(lb_solutions_create(NULL, &task, NULL, NULL, &solver, &error),
                     LB_INVALID_ARGUMENT);
    assert_int_equal(lb_solutions_create(model, &task, NULL, NULL, NULL, &error),
                     LB_INVALID_ARGUMENT);
}

/* two joints about one line, and a point on it that they cannot move: every proof of it is void */
TEST(test_joints_that_move_the_tool_alike_are_refused)
{
    static const char text[] =
        "{\"limber\": 1, \"name\": \"line\", \"links\": [{\"name\": \"a\"}, {\"name\": \"b\"},"
        "{\"name\": \"c\"}], \"joints\": ["
        "{\"name\": \"one\", \"kind\": \"continuous\", \"parent\": \"a\", \"child\": \"b\","
        " \"axis\": [1, 1, 1], \"placement\": {\"xyz\": [0.5, 0.5, 0.5]}},"
        "{\"name\": \"two\", \"kind\": \"continuous\", \"parent\": \"b\", \"child\": \"c\","
        " \"axis\": [1, 1, 1], \"placement\": {\"xyz\": [0.5, 0.5, 0.5]}}]}";
    owned_model *model = NULL;
    lb_error error;
    assert_int_equal(lb_load_memory("line.json", text, strlen(text), NULL, &model, &error), LB_OK);
    lb_task task = lb_task_make(2, LB_WORLD, LB_TASK_POSITION);
    lb_solutions_solver *solver;
    assert_int_equal(lb_solutions_create(model, &task, NULL, NULL, &solver, &error),
                     LB_UNSUPPORTED);
    assert_non_null(strstr(error.message, "move the tool alike"));
    // nor does a search report such a proof: the point is where it should be
    double q[2] = {1, 2};
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    lb_transform target = lb_transform_translation(1, 1, 1);
    assert_int_equal(lb_ik_solve(ik, &target, q, q, NULL), LB_REACHED);
}

/* ---- the same bits -------------------------------------------------------------------- */

/* FNV-1a over all rows of five hundred poses; a change that means to change them says why */
static uint64_t hash_rows(const char *name, int width)
{
    owned_model *model = test_load(name);
    lb_task task = task_of(model, &samples[0]);
    lb_solutions_options options = lb_solutions_options_default();
    options.width = width;
    options.out_of_limits = true;
    owned_solutions *solver = solver_of(model, &task, &options);
    lb_random random = test_seed(67);
    uint64_t hash = 0xcbf29ce484222325;
    for (int k = 0; k < 500; k++) {
        double q[NQ];
        found f;
        lb_configuration_random(model, &random, q);
        lb_transform target = target_at(model, &task, q);
        lb_configuration_neutral(model, q);
        solve(solver, &target, q, &f);
        const unsigned char *bytes = (const unsigned char *)f.q;
        size_t size = sizeof(double) * (size_t)(f.count * lb_model_nq(model));
        for (size_t i = 0; i < size; i++)
            hash = (hash ^ bytes[i]) * 0x100000001b3;
    }
    return hash;
}

TEST(test_rows_have_golden_bits)
{
    const struct {
        const char *model;
        uint64_t hash;
    } golden[] = {{"ur5", 0xd3ab5fbacf35304c},
                  {"kr6", 0x17fe04a7fac218c9},
                  {"stanford", 0x8a2b3972471043e5},
                  {"crx10ia", 0x61d8294e64306443}};
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++)
        for (int width = 0; width <= 8; width = width ? 2 * width : 1) {
            uint64_t hash = hash_rows(golden[i].model, width);
            if (hash != golden[i].hash)
                fail_msg("%s at width %d: 0x%016llx", golden[i].model, width,
                         (unsigned long long)hash);
        }
}

/* ---- batches ---------------------------------------------------------------------- */

TEST(test_batches_have_the_bits_of_single_calls)
{
    enum { N = 37, EACH = 8 };
    for (int i = 0; i < SAMPLES; i++) {
        owned_model *model = test_load(samples[i].model);
        int nq = lb_model_nq(model);
        lb_task task = task_of(model, &samples[i]);
        lb_random random = test_seed(3);
        lb_transform targets[N];
        double q[NQ], start[NQ];
        for (int k = 0; k < N; k++) {
            lb_configuration_random(model, &random, q);
            targets[k] = target_at(model, &task, q);
            targets[k].p.x += k % 5 == 0;
        }
        lb_configuration_random(model, &random, start);
        for (int width = 1; width <= 8; width *= 2) {
            lb_solutions_options options = lb_solutions_options_default();
            options.width = width;
            owned_solutions *solver = solver_of(model, &task, &options);
            static double rows[N * EACH * NQ];
            static lb_solution infos[N * EACH];
            lb_solutions_summary summaries[N];
            lb_solutions_batch(solver, targets, 0, 11, start, EACH, rows, infos, summaries);
            lb_solutions_batch(solver, targets, 11, N, start, EACH, rows, infos, summaries);
            for (int k = 0; k < N; k++) {
                double one[EACH * NQ];
                lb_solution info[EACH];
                lb_solutions_summary summary;
                int n = lb_solutions(solver, &targets[k], start, EACH, one, info, &summary);
                assert_int_equal(n, summaries[k].listed);
                assert_int_equal(summary.outcome, summaries[k].outcome);
                assert_memory_equal(one, rows + k * EACH * nq, sizeof(double) * (size_t)(n * nq));
            }
        }
    }
}

/* ---- redundant arms --------------------------------------------------------------- */

/* a tip by name, or the only one */
static lb_task redundant_task(const lb_model *model, const char *tip)
{
    int tips[8];
    lb_model_tips(model, tips);
    return lb_task_make(tip ? lb_model_find_link(model, tip) : tips[0], LB_WORLD, LB_TASK_POSE);
}

/* the held joint's own value is listed first: so the q that made a pose is among the rows */
static void check_redundant(const char *name, const char *tip)
{
    owned_model *model = test_load(name);
    lb_task task = redundant_task(model, tip);
    lb_solutions_options options = lb_solutions_options_default();
    options.out_of_limits = true;
    options.redundancy = 7;
    owned_solutions *solver = solver_of(model, &task, &options);
    assert_int_equal(lb_solutions_class(solver), LB_ARM_REDUNDANT);
    lb_random random = test_seed(23);
    int nq = lb_model_nq(model);
    assert_true(nq <= 16);
    for (int k = 0; k < 500; k++) {
        static double q[128 * 16], made[16];
        static lb_solution infos[128];
        lb_solutions_summary summary;
        lb_configuration_random(model, &random, made);
        lb_transform target = target_at(model, &task, made);
        int count = lb_solutions(solver, &target, made, 128, q, infos, &summary);
        if (count == 0 || row_distance(model, q, made) > 1e-6)
            fail_msg("%s: pose %d: the configuration that made it is not listed", name, k);
        assert_int_equal(summary.outcome, LB_REACHED);
        assert_int_equal(summary.family_count, 7);
        assert_false(summary.certified);
        for (int i = 0; i < count; i++)
            assert_true(infos[i].position_error <= 1e-12 && infos[i].rotation_error <= 1e-12);
    }
}

TEST(test_redundant_arms_are_solved_with_a_joint_held)
{
    check_redundant("panda", "panda_hand");
    check_redundant("iiwa14", NULL);
}

/* a free axis of an arm of six joints is a seventh joint */
TEST(test_a_free_axis_is_a_family)
{
    owned_model *model = test_load("kr6");
    lb_task task = task_of(model, &samples[1]);
    lb_random random = test_seed(41);
    // across the last joint's axis, so that no joint is idle
    task.free_axis = lb_vec3_make(1, 0.3, 0);
    owned_solutions *solver = solver_of(model, &task, NULL);
    assert_int_equal(lb_solutions_class(solver), LB_ARM_REDUNDANT);
    for (int k = 0; k < 200; k++) {
        double q[NQ];
        found f;
        lb_configuration_random(model, &random, q);
        lb_transform target = target_at(model, &task, q);
        solve(solver, &target, q, &f);
        assert_true(f.count > 0);
        check_rows(model, &task, &target, &f);
    }
}

/* ---- locked joints ------------------------------------------------------------------ */

/* three slides and a wrist; with the locked joint at a quarter of a turn two slides are parallel */
static lb_model *build_locked(void)
{
    const lb_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, none = {0, 0, 0};
    lb_joint joints[] = {
        test_joint(LB_JOINT_PRISMATIC, none, x), test_joint(LB_JOINT_PRISMATIC, none, y),
        test_joint(LB_JOINT_REVOLUTE, none, x),  test_joint(LB_JOINT_PRISMATIC, none, z),
        test_joint(LB_JOINT_REVOLUTE, z, z),     test_joint(LB_JOINT_REVOLUTE, none, y),
        test_joint(LB_JOINT_REVOLUTE, none, x),
    };
    for (int i = 0; i < 4; i++) {
        joints[i].lower[0] = -2;
        joints[i].upper[0] = 2;
    }
    joints[2].locked = true;
    return test_chain(&LB_TRANSFORM_IDENTITY, joints, sizeof joints / sizeof *joints);
}

/* a start that leaves no class has no solutions, however often, and changes no later one */
TEST(test_locked_joints_may_leave_no_class)
{
    static const double locked[] = {0, LB_PI / 2, LB_PI / 2, LB_PI / 2, 0, LB_PI / 2, 0};
    owned_model *model = build_locked();
    lb_task task = lb_task_make(7, LB_WORLD, LB_TASK_POSE);
    owned_solutions *solver = solver_of(model, &task, NULL);
    double q[NQ] = {0.2, 0.4, 0, -0.7, 0.3, 0.5, -0.2};
    for (size_t i = 0; i < sizeof locked / sizeof *locked; i++) {
        found f;
        q[2] = locked[i];
        lb_transform target = target_at(model, &task, q);
        solve(solver, &target, q, &f);
        if (locked[i] == 0)
            assert_int_equal(find_row(model, &f, q), 0);
        else
            assert_true(f.count == 0 && f.summary.outcome == LB_EXHAUSTED);
    }
}
