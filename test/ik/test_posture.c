/*
 * test_posture.c - where a pose is solved, gains move it along the null space to its posture.
 *
 * The oracle is the condition of a constrained minimum: at the end the gradient of
 * sum a (q - c)^2, by differences, is a combination of the rows of the model's Jacobian, up to
 * pulls that joints at their limits hold back.
 */
#include <limber/batch.h>
#include <limber/formats/load.h>
#include <limber/motion.h>
#include <math.h>

#include "math/dense.h"
#include "support_load.h"

enum { MOST = 48, CHAINS = 150, PROBLEMS = 37 };
/* of the largest gradient: gains differ by 10^4, and a step below a microradian is the last */
#define LEAST_SHARE 0.01

/* An arm, its gains, and a configuration whose pose is the target. */
typedef struct fixture {
    lb_model *model;
    lb_state *state;
    lb_task task;
    lb_random random;
    int nq, nv;
    double gains[MOST], desired[MOST], start[MOST];
    lb_ik_options options;
    lb_transform target;
} fixture;

static void choose_start(fixture *f)
{
    lb_configuration_random(f->model, &f->random, f->start);
    lb_state_update(f->state, f->start);
    f->target = lb_state_transform(f->state, f->task.base, f->task.tip);
}

/* gains over four powers of ten, the same for the three of a ball in every other arm */
static void choose_gains(fixture *f, bool isotropic)
{
    for (int v = 0; v < f->nv; v++)
        f->gains[v] = pow(10, lb_random_between(&f->random, -2, 2));
    for (int j = 0; j < lb_model_joint_count(f->model) && isotropic; j++) {
        int v = lb_model_joint_v(f->model, j);
        if (v >= 0 && lb_joint_kind_nv(lb_model_joint(f->model, j)->kind) == 3)
            f->gains[v + 1] = f->gains[v + 2] = f->gains[v];
    }
}

static void setup(fixture *f, lb_model *model, lb_task_kind kind, uint64_t seed)
{
    int tips[MOST];
    f->model = model;
    f->nq = lb_model_nq(model);
    f->nv = lb_model_nv(model);
    assert_true(f->nq <= MOST);
    f->random = test_seed(seed);
    lb_model_tips(model, tips);
    f->task = lb_task_make(tips[0], 0, kind);
    assert_int_equal(lb_state_create(model, NULL, &f->state), LB_OK);
    choose_gains(f, seed % 2 == 0);
    lb_configuration_random(model, &f->random, f->desired);
    choose_start(f);
    f->options = lb_ik_options_default();
    f->options.gains = f->gains;
    f->options.desired = f->desired;
    f->options.iterations = 20000;
    f->options.protocol = LB_PROTOCOL_GIVEN;
}

static void teardown(fixture *f)
{
    lb_state_release(f->state);
    lb_model_release(f->model);
}
#define owned_fixture __attribute__((cleanup(teardown))) fixture

/* a chain of joints that turn, slide and rotate as balls: null spaces of one to many dimensions */
static lb_model *make_chain(uint64_t seed, double limited)
{
    lb_random random = test_seed(seed);
    test_tree tree = test_tree_default();
    tree.joints = 4 + (int)(seed % 6);
    tree.branching = tree.mimic = tree.locked = 0;
    tree.limited = limited;
    tree.kinds = TEST_KIND(LB_JOINT_REVOLUTE) | TEST_KIND(LB_JOINT_PRISMATIC);
    if (seed % 3 != 0 && limited == 0)
        tree.kinds |= TEST_KIND(LB_JOINT_BALL);
    return test_tree_build(&tree, &random);
}

/* ---- the oracle ----------------------------------------------------------- */

/* the smaller rotation between two balls, in the frame of the first */
static lb_vec3 ball_difference(const double *from, const double *to)
{
    lb_quat a = {from[0], from[1], from[2], from[3]}, b = {to[0], to[1], to[2], to[3]};
    return lb_quat_log(lb_quat_multiply(lb_quat_conjugate(a), b));
}

/* sum a (q - c)^2 */
static double sum_at(const fixture *f, const double *q)
{
    double sum = 0;
    for (int j = 0; j < lb_model_joint_count(f->model); j++) {
        int at = lb_model_joint_q(f->model, j), v = lb_model_joint_v(f->model, j);
        if (at < 0)
            continue;
        double d[3] = {q[at] - f->desired[at]};
        int width = lb_joint_kind_nv(lb_model_joint(f->model, j)->kind);
        if (width == 3) {
            lb_vec3 ball = ball_difference(f->desired + at, q + at);
            d[0] = ball.x, d[1] = ball.y, d[2] = ball.z;
        }
        for (int k = 0; k < width; k++)
            sum += f->gains[v + k] * d[k] * d[k];
    }
    return sum;
}

/* which way limits hold a velocity back: -1 at the lower, 1 at the upper, 0 inside */
static int limit_side(const fixture *f, const double *q, int v, bool turns)
{
    for (int j = 0; j < lb_model_joint_count(f->model); j++) {
        const lb_joint *joint = lb_model_joint(f->model, j);
        if (lb_model_joint_v(f->model, j) != v || lb_joint_kind_nv(joint->kind) != 1)
            continue;
        const int i = lb_model_joint_q(f->model, j);
        // joints that turn end within a turn of the start
        const double turn = !turns || joint->kind == LB_JOINT_PRISMATIC ? INFINITY : 2 * LB_PI;
        const double lower = fmax(joint->lower[0], f->start[i] - turn);
        const double upper = fmin(joint->upper[0], f->start[i] + turn);
        return q[i] <= lower + 2e-6 ? -1 : q[i] >= upper - 2e-6 ? 1 : 0;
    }
    return 0;
}

/*
 * What is left of the gradient after the best combination of the Jacobian's rows, as a share of the
 * gradient's length; entries that push against a limit are no part of it.
 */
static double residual_beside(const fixture *f, const double *q, bool turns)
{
    double jacobian[6 * MOST], gradient[MOST], left[6 * 6], values[6], right[6 * MOST],
        free[6 * MOST];
    double v[MOST] = {0}, moved[MOST], length = 0, rest[MOST], most = 0;
    int rows = f->task.kind == LB_TASK_POSE ? 6 : 3;
    lb_state_update(f->state, q);
    lb_state_jacobian(f->state, f->task.tip, lb_vec3_make(0, 0, 0), LB_AXES_WORLD, jacobian);
    for (int i = 0; i < f->nv; i++) {
        const double h = 1e-5;
        v[i] = h;
        lb_configuration_integrate(f->model, q, v, moved);
        double above = sum_at(f, moved);
        v[i] = -h;
        lb_configuration_integrate(f->model, q, v, moved);
        gradient[i] = (above - sum_at(f, moved)) / (2 * h);
        v[i] = 0;
        length = fmax(length, fabs(gradient[i]));
    }
    // columns of joints at limits are left out where the multipliers are found
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < f->nv; i++)
            free[r * f->nv + i] = limit_side(f, q, i, turns) == 0 ? jacobian[r * f->nv + i] : 0;
    dense_svd(rows, f->nv, free, left, values, right);
    memcpy(rest, gradient, sizeof rest);
    int count = rows < f->nv ? rows : f->nv;
    for (int k = 0; k < count && values[k] > 1e-6 * values[0]; k++) {
        // the multiplier of this singular direction, applied to all columns
        double part = 0;
        for (int i = 0; i < f->nv; i++)
            part += limit_side(f, q, i, turns) == 0 ? right[k * f->nv + i] * gradient[i] : 0;
        for (int i = 0; i < f->nv; i++) {
            double column = 0;
            for (int r = 0; r < rows; r++)
                column += left[k * rows + r] * jacobian[r * f->nv + i];
            rest[i] -= part * column / values[k];
        }
    }
    for (int i = 0; i < f->nv; i++) {
        int side = limit_side(f, q, i, turns);
        // the sum must not fall on the way back into the limits
        double pull = side == 0 ? fabs(rest[i]) : fmax(0, side * rest[i]);
        most = fmax(most, pull);
    }
    return length > 0 ? most / length : 0;
}

/* joints a turn from the start are at that bound, or only happen to be there */
static double residual(const fixture *f, const double *q)
{
    return fmin(residual_beside(f, q, false), residual_beside(f, q, true));
}

/* ---- tests ---------------------------------------------------------------- */

/* a joint that does not move the tool ends at its desired value, or a turn from where it began */
TEST(idle_joints_end_at_most_a_turn_away)
{
    static const double starts[] = {-6, -3.2, -0.4, 0, 2};
    owned_model *model = test_load("kr6");
    const lb_task task =
        lb_task_make(lb_model_find_link(model, "tool0"), LB_WORLD, LB_TASK_POSITION);
    const double gains[6] = {[5] = 1.1}, desired[6] = {[5] = 6};
    lb_ik_options options = lb_ik_options_default();
    options.gains = gains;
    options.desired = desired;
    owned_ik *ik = test_solver(model, &task, 1, &options);
    const lb_transform target = lb_transform_translation(0.5, 0.1, 0.4);
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        double q[6] = {[5] = starts[k]};
        assert_int_equal(lb_ik_solve(ik, &target, q, q, NULL), LB_REACHED);
        assert_near(q[5], fmin(6, starts[k] + 2 * LB_PI), 1e-5);
    }
}

/* solves from the start; returns the residual */
static double check_solve(fixture *f)
{
    double q[MOST];
    lb_ik_result result;
    owned_ik *ik = test_solver(f->model, &f->task, 1, &f->options);
    assert_int_equal(lb_ik_solve(ik, &f->target, f->start, q, &result), LB_REACHED);
    assert_true(result.position_error <= f->options.position_tolerance);
    assert_true(result.rotation_error <= f->options.rotation_tolerance);
    assert_true(sum_at(f, q) <= sum_at(f, f->start) * (1 + 1e-9));
    assert_true(test_limit_excess(f->model, q) <= 1e-9);
    return residual(f, q);
}

/* one in a hundred may stop somewhat short of the minimum */
TEST(solves_end_at_the_least_sum)
{
    int least = 0;
    for (uint64_t seed = 1; seed <= CHAINS; seed++) {
        owned_fixture f;
        setup(&f, make_chain(seed, 0), seed % 2 ? LB_TASK_POSITION : LB_TASK_POSE, seed);
        double left = check_solve(&f);
        least += left < LEAST_SHARE;
        assert_true(left < 2 * LEAST_SHARE);
    }
    assert_true(least >= 0.99 * CHAINS);
}

/* also where several joints stand at limits; one in a hundred may stop short of the minimum */
TEST(limits_are_kept_and_left)
{
    int least = 0;
    for (uint64_t seed = 1; seed <= CHAINS; seed++) {
        owned_fixture f;
        setup(&f, make_chain(seed, 1), seed % 2 ? LB_TASK_POSITION : LB_TASK_POSE, seed);
        least += check_solve(&f) < LEAST_SHARE;
    }
    assert_true(least >= 0.99 * CHAINS);
}

/* steps hold the tasks, lower the sum each time, end, and end at a minimum too */
static void check_steps(fixture *f)
{
    double q[MOST], last = sum_at(f, f->start);
    lb_ik_result result;
    owned_ik *ik = test_solver(f->model, &f->task, 1, &f->options);
    memcpy(q, f->start, sizeof q);
    lb_progress progress = LB_PROCESSING;
    int steps = 0;
    for (; steps < 20000 && progress == LB_PROCESSING; steps++) {
        progress = lb_ik_step(ik, &f->target, q, &result);
        assert_int_equal(result.outcome, LB_REACHED);
        double now = sum_at(f, q);
        assert_true(now <= last + 1e-12 * (1 + last));
        last = now;
    }
    assert_int_equal(progress, LB_SUCCESS);
    assert_near(residual(f, q), 0, LEAST_SHARE);
}

TEST(steps_end_at_the_least_sum)
{
    for (uint64_t seed = 1; seed <= CHAINS; seed++) {
        owned_fixture f;
        setup(&f, make_chain(seed, 0), seed % 2 ? LB_TASK_POSITION : LB_TASK_POSE, seed);
        check_steps(&f);
    }
}

/* gains of any size move no joint beyond its desired value, in one step */
TEST(huge_gains_step_to_the_desired_values)
{
    for (uint64_t seed = 1; seed <= CHAINS; seed++) {
        owned_fixture f;
        setup(&f, make_chain(seed, 0), LB_TASK_POSITION, 2 * seed);
        for (int v = 0; v < f.nv; v++)
            f.gains[v] = 1e6;
        check_steps(&f);
    }
}

/* Eq. 5.27 to the letter pushes away from below: steps end, and the tasks hold; a third
   of them go somewhere at all */
TEST(steps_of_the_square_end)
{
    int moved = 0;
    for (uint64_t seed = 1; seed <= CHAINS; seed++) {
        owned_fixture f;
        double first[MOST], most = 0;
        setup(&f, make_chain(seed, 0), LB_TASK_POSITION, seed);
        memcpy(first, f.start, sizeof first);
        f.options.control = LB_CONTROL_SQUARE;
        lb_ik *ik = test_solver(f.model, &f.task, 1, &f.options);
        lb_progress progress = LB_PROCESSING;
        lb_ik_result result;
        for (int steps = 0; steps < 20000 && progress == LB_PROCESSING; steps++) {
            progress = lb_ik_step(ik, &f.target, f.start, &result);
            assert_int_equal(result.outcome, LB_REACHED);
        }
        assert_int_equal(progress, LB_SUCCESS);
        lb_ik_release(ik);
        for (int i = 0; i < lb_model_nq(f.model); i++)
            most = fmax(most, fabs(f.start[i] - first[i]));
        moved += most > 1e-3;
    }
    assert_true(moved > 0.3 * CHAINS);
}

/* the built-in figure: balls in their limits, and a spine of several joints */
TEST(figures_of_balls_keep_their_limits)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        owned_fixture f;
        setup(&f, test_load("human"), LB_TASK_POSE, seed);
        check_solve(&f);
    }
}

/* how far a joint that turns ends from its start, at most */
static double farthest_turn(const fixture *f, const double *q)
{
    double most = 0;
    for (int j = 0; j < lb_model_joint_count(f->model); j++) {
        int at = lb_model_joint_q(f->model, j);
        lb_joint_kind kind = lb_model_joint(f->model, j)->kind;
        if (at >= 0 && (kind == LB_JOINT_REVOLUTE || kind == LB_JOINT_CONTINUOUS))
            most = fmax(most, fabs(q[at] - f->start[at]));
    }
    return most;
}

/* solves a reachable target from another start with gains of one joint or of several */
static double wind(fixture *f, int gained)
{
    double q[MOST];
    lb_ik_result result;
    for (int v = 0; v < f->nv; v++)
        f->gains[v] = v % f->nv < gained ? lb_random_between(&f->random, 0.05, 1) : 0;
    for (int k = 0; k < f->nq; k++) {
        f->start[k] = lb_random_between(&f->random, -LB_PI, LB_PI);
        f->desired[k] = lb_random_between(&f->random, -4, 4);
    }
    f->options.protocol = LB_PROTOCOL_NEAREST;
    f->options.iterations = 0;
    owned_ik *ik = test_solver(f->model, &f->task, 1, &f->options);
    lb_outcome outcome = lb_ik_solve(ik, &f->target, f->start, q, &result);
    return outcome == LB_REACHED ? farthest_turn(f, q) : 0;
}

/* along a null space that hardly moves the joints with gains the others must not wind up */
TEST(no_joint_turns_more_than_once)
{
    static const char *const names[] = {"planar3", "planar3", "panda", "ur5"};
    for (uint64_t seed = 1; seed <= 800; seed++) {
        owned_fixture f;
        setup(&f, test_load(names[seed % 4]), LB_TASK_POSITION, seed);
        double turned = wind(&f, 1 + (int)(seed / 4 % 3));
        if (turned > 2 * LB_PI + 1e-9)
            print_error("%s, seed %d: a joint turns by %.17g\n", names[seed % 4], (int)seed,
                        turned);
        assert_true(turned <= 2 * LB_PI + 1e-9);
    }
}

/* many at once give the bits of one by one, at every width and for any range */
TEST(batches_equal_single_solves)
{
    static lb_transform targets[PROBLEMS];
    static double starts[PROBLEMS * MOST], one[PROBLEMS * MOST], all[PROBLEMS * MOST];
    static lb_ik_result results[PROBLEMS];
    for (uint64_t seed = 1; seed <= 6; seed++) {
        owned_fixture f;
        setup(&f, make_chain(seed, seed % 2 ? 1 : 0), LB_TASK_POSITION, seed);
        f.options.protocol = LB_PROTOCOL_NEAREST;
        f.options.iterations = 0;
        lb_ik *ik = test_solver(f.model, &f.task, 1, &f.options);
        for (int i = 0; i < PROBLEMS; i++) {
            choose_start(&f);
            targets[i] = f.target;
            memcpy(starts + i * f.nq, f.start, sizeof(double) * (size_t)f.nq);
            // every other start solves its problem already
            if (i % 2)
                lb_configuration_random(f.model, &f.random, starts + i * f.nq);
            lb_ik_solve(ik, &targets[i], starts + i * f.nq, one + i * f.nq, &results[i]);
        }
        lb_ik_release(ik);
        for (int width = 1; width <= 8; width *= 2) {
            f.options.width = width;
            ik = test_solver(f.model, &f.task, 1, &f.options);
            lb_batch batch = {.targets = targets, .starts = starts, .q = all};
            lb_batch_solve(ik, &batch, 0, 11);
            lb_batch_solve(ik, &batch, 11, PROBLEMS);
            assert_memory_equal(all, one, sizeof(double) * (size_t)(PROBLEMS * f.nq));
            lb_ik_release(ik);
        }
    }
}

/* a motion leaves its start as it is, and goes to the posture no faster than the gains say */
TEST(motions_begin_at_their_start)
{
    enum { FRAMES = 200 };
    for (int steps = 0; steps <= 2; steps++) {
        owned_fixture f;
        setup(&f, test_load("planar3"), LB_TASK_POSITION, 1);
        for (int v = 0; v < f.nv; v++)
            f.gains[v] = 0.05;
        const double start[3] = {0.4, 0.8, 0.8}, desired[3] = {1.4, -0.8, 0.4};
        memcpy(f.desired, desired, sizeof desired);
        lb_state_update(f.state, start);
        lb_transform ends[2];
        ends[0] = ends[1] = lb_state_transform(f.state, f.task.base, f.task.tip);
        ends[1].p.y += 1e-3;
        owned_path *path = NULL;
        assert_int_equal(
            lb_path_create(&(lb_path_source){.points = ends, .count = 2}, NULL, &path, NULL),
            LB_OK);
        lb_follow how = lb_follow_default(f.task, path, FRAMES);
        how.steps = steps;
        how.options.gains = f.gains;
        how.options.desired = f.desired;
        owned_follower *follower = NULL;
        assert_int_equal(lb_follower_create(f.model, &how, NULL, &follower, NULL), LB_OK);
        double q[3], last[3];
        memcpy(q, start, sizeof q);
        lb_frame frame;
        for (int i = 0; i < FRAMES; i++) {
            memcpy(last, q, sizeof q);
            assert_true(lb_follower_next(follower, q, &frame));
            assert_true(frame.result.position_error < (steps == 0 ? 1e-6 : 5e-2));
            for (int k = 0; k < 3; k++)
                assert_true(i == 0 ? q[k] == start[k] : fabs(q[k] - last[k]) < 0.25);
        }
        assert_true(sum_at(&f, q) < 0.5 * sum_at(&f, start));
    }
}
