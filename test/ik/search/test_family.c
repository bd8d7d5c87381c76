/*
 * test_family.c - "nearest" where a target leaves infinitely many solutions: against samples of all
 * families, on all their turns, and against a descent from the same start; and that lists name the
 * family of the configuration that made a pose.
 */
#include "support_load.h"

#include <limber/batch.h>
#include <limber/ik.h>
#include <limber/solutions.h>

enum { NQ = 6, STARTS = 6, SAMPLES = 360, ROWS = 16 };

TEST_ARGUMENT(target_count, 1, 40)

/* An arm, the joint whose zero opens its families, and one that turns along them. */
typedef struct family_arm {
    const char *model;
    int singular, turning;
} family_arm;

static const family_arm arms[] = {{"ur5", 4, 1}, {"kr6", 4, 3}, {"puma560", 4, 3}};

/* the least distance from a start over all turns inside the limits, INFINITY where there are none
 */
static double turned_distance(const lb_model *model, const double *q, const double *start)
{
    double sum = 0;
    for (int i = 0; i < NQ; i++) {
        double lower = -INFINITY, upper = INFINITY, nearest = INFINITY;
        for (int k = 0; k < lb_model_joint_count(model); k++)
            if (lb_model_joint_q(model, k) == i) {
                lower = lb_model_joint(model, k)->lower[0];
                upper = lb_model_joint(model, k)->upper[0];
            }
        for (int n = -3; n <= 3; n++) {
            const double at = q[i] + 2 * LB_PI * n;
            if (at >= lower - 1e-9 && at <= upper + 1e-9)
                nearest = fmin(nearest, fabs(at - start[i]));
        }
        sum += nearest * nearest;
    }
    return sqrt(sum);
}

/* the nearest of samples: joints that nothing determines are where the start of the list has them
 */
static double sampled_distance(lb_solutions_solver *all, const family_arm *arm,
                               const lb_model *model, const lb_transform *target,
                               const double *start)
{
    double least = INFINITY;
    for (int n = 0; n < SAMPLES; n++) {
        double from[NQ], rows[ROWS * NQ];
        lb_solution infos[ROWS];
        lb_solutions_summary summary;
        memcpy(from, start, sizeof from);
        from[arm->turning] += 2 * LB_PI * n / SAMPLES;
        const int count = lb_solutions(all, target, from, ROWS, rows, infos, &summary);
        for (int i = 0; i < count; i++)
            least = fmin(least, turned_distance(model, rows + NQ * i, start));
    }
    return least;
}

static double row_distance(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < NQ; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* Solvers of one arm. */
typedef struct solvers {
    lb_model *model;
    lb_task task;
    lb_ik *nearest, *descent;
    lb_solutions_solver *all;
} solvers;

static solvers open_solvers(const char *name)
{
    solvers s = {.model = test_load(name)};
    int tips[8];
    lb_error error;
    lb_model_tips(s.model, tips);
    s.task = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSE);
    lb_ik_options options = lb_ik_options_default();
    lb_solutions_options list = lb_solutions_options_default();
    s.nearest = test_solver(s.model, &s.task, 1, &options);
    options.protocol = LB_PROTOCOL_GIVEN;
    options.position_tolerance = options.rotation_tolerance = 1e-10;
    s.descent = test_solver(s.model, &s.task, 1, &options);
    list.out_of_limits = true;
    assert_int_equal(lb_solutions_create(s.model, &s.task, &list, NULL, &s.all, &error), LB_OK);
    return s;
}

static void close_solvers(solvers *s)
{
    lb_ik_release(s->nearest);
    lb_ik_release(s->descent);
    lb_solutions_release(s->all);
    lb_model_release(s->model);
}
#define owned_solvers __attribute__((cleanup(close_solvers))) solvers

/* a start anywhere, or half a radian from the configuration that made the target */
static void make_start(const lb_model *model, bool near, const double *q, lb_random *random,
                       double *start)
{
    lb_configuration_random(model, random, start);
    for (int i = 0; i < NQ && near; i++)
        start[i] = q[i] + lb_random_between(random, -0.5, 0.5);
    lb_configuration_clamp(model, start, start);
}

TEST(nearest_member_of_all_families)
{
    for (size_t a = 0; a < sizeof arms / sizeof *arms; a++) {
        owned_solvers s = open_solvers(arms[a].model);
        lb_random random = test_seed(51);
        for (int n = 0; n < target_count; n++) {
            double q[NQ], start[NQ], found[NQ];
            lb_configuration_random(s.model, &random, q);
            q[arms[a].singular] = 0;
            const lb_transform target = test_task_tool(s.model, &s.task, q);
            for (int k = 0; k < STARTS; k++) {
                lb_ik_result result;
                make_start(s.model, k % 2 != 0, q, &random, start);
                assert_int_equal(lb_ik_solve(s.nearest, &target, start, found, &result),
                                 LB_REACHED);
                assert_true(test_limit_excess(s.model, found) <= 1e-9);
                const double d = row_distance(found, start);
                const double least = sampled_distance(s.all, &arms[a], s.model, &target, start);
                if (d > least + 1e-5)
                    fail_msg("%s: %g away, but a member of a family is %g away", arms[a].model, d,
                             least);
            }
        }
    }
}

/* a family that is open, or closed by less than a tolerance, or by more: no solution that a descent
   finds is nearer. It must be one to a tenth of a billionth, as what is within the tolerances
   beside a singularity is a region of configurations, whose nearest corner is not the question */
TEST(no_farther_than_a_descent)
{
    static const double values[] = {0, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4};
    for (size_t a = 0; a < sizeof arms / sizeof *arms; a++) {
        solvers s = open_solvers(arms[a].model);
        lb_random random = test_seed(52);
        for (int n = 0; n < 1200; n++) {
            double q[NQ], start[NQ], found[NQ], down[NQ];
            lb_configuration_random(s.model, &random, q);
            q[arms[a].singular] = values[n % 6];
            const lb_transform target = test_task_tool(s.model, &s.task, q);
            make_start(s.model, n / 6 % 2 != 0, q, &random, start);
            assert_int_equal(lb_ik_solve(s.nearest, &target, start, found, NULL), LB_REACHED);
            if (lb_ik_solve(s.descent, &target, start, down, NULL) != LB_REACHED)
                continue;
            const double d = row_distance(found, start), least = row_distance(down, start);
            // a family that 1e-10 closes is one for the solver: its end is known to the root
            if (d > least + 1e-4)
                fail_msg("%s: joint at %g: %g away, but a descent ends %g away", arms[a].model,
                         values[n % 6], d, least);
        }
        close_solvers(&s);
    }
}

/* the least distance of configurations that reach a target and differ from q in its four parallel
   axes, by quarter turns */
static double quarter_distance(const solvers *s, const double *q, const double *start)
{
    static const int parallel[4] = {1, 2, 3, 5};
    double least = INFINITY, other[NQ];
    owned_state *state = test_state(s->model);
    lb_state_update(state, q);
    const lb_transform target = lb_state_transform(state, LB_WORLD, s->task.tip);
    memcpy(other, q, sizeof other);
    for (int n = 0; n < 9 * 9 * 9 * 9; n++) {
        for (int k = 0, digits = n; k < 4; k++, digits /= 9)
            other[parallel[k]] = 0.5 * LB_PI * (digits % 9 - 4);
        if (!(row_distance(other, start) < least))
            continue;
        lb_state_update(state, other);
        const lb_transform tool = lb_state_transform(state, LB_WORLD, s->task.tip);
        if (lb_transform_distance(&tool, &target) < 1e-9 &&
            lb_transform_angle(&tool, &target) < 1e-9)
            least = row_distance(other, start);
    }
    return least;
}

/* joints at multiples of 90 degrees, also at their limits of two turns: on both sides of such a
   configuration joints of its family are on other turns, and it is alone */
TEST(members_alone_in_corners_of_limits_are_found)
{
    owned_solvers s = open_solvers("ur5");
    lb_random random = test_seed(54);
    for (int n = 0; n < 25 * target_count; n++) {
        double q[NQ], start[NQ], found[NQ];
        for (int i = 0; i < NQ; i++)
            q[i] = 0.5 * LB_PI * (test_random_index(&random, 9) - 4);
        q[4] = LB_PI * (test_random_index(&random, 3) - 1);
        const lb_transform target = test_task_tool(s.model, &s.task, q);
        lb_configuration_random(s.model, &random, start);
        assert_int_equal(lb_ik_solve(s.nearest, &target, start, found, NULL), LB_REACHED);
        const double d = row_distance(found, start), least = quarter_distance(&s, q, start);
        if (d > least + 1e-6)
            fail_msg("problem %d: %g away, but a member of a family is %g away", n, d, least);
    }
}

/* ---- lists ------------------------------------------------------------------------ */

enum { LISTED = 4000 };

/* the row that is nearest to q, whose turns may differ; its distance */
static int find_row(const double *rows, int count, const double *q, double *least)
{
    int best = -1;
    *least = INFINITY;
    for (int i = 0; i < count; i++) {
        double most = 0;
        for (int k = 0; k < NQ; k++)
            most = fmax(most, fabs(lb_wrap_angle(rows[NQ * i + k] - q[k])));
        if (most < *least) {
            *least = most;
            best = i;
        }
    }
    return best;
}

/* rows are solutions by the model's own forward kinematics */
static void check_rows(const solvers *s, const lb_transform *target, const double *rows, int count)
{
    for (int i = 0; i < count; i++) {
        const lb_transform tool = test_task_tool(s->model, &s->task, rows + NQ * i);
        assert_true(lb_transform_distance(&tool, target) <= 1e-9);
        assert_true(lb_transform_angle(&tool, target) <= 1e-9);
    }
}

/* whether a member of the family of q is listed: of the same shoulder and wrist, on the loop that q
   is on, which a list from q begins with */
static bool lists_family(const double *rows, const lb_solution *infos, int count, const double *q)
{
    bool some = false;
    for (int i = 0; i < count; i++)
        some = some || (infos[i].family && fabs(lb_wrap_angle(rows[NQ * i] - q[0])) < 1e-6 &&
                        fabs(lb_wrap_angle(rows[NQ * i + 4] - q[4])) < 1e-6);
    return some;
}

/* four parallel axes: every own pose has a family, q is a member, and where the list is made from
   elsewhere a member of q's family is in it */
TEST(four_parallel_axes_are_a_family)
{
    owned_solvers s = open_solvers("ur5");
    lb_random random = test_seed(54);
    for (int n = 0; n < LISTED; n++) {
        double q[NQ], start[NQ], rows[ROWS * NQ], least;
        lb_solution infos[ROWS];
        lb_solutions_summary summary;
        lb_configuration_random(s.model, &random, q);
        q[4] = n % 2 ? 0 : LB_PI * (n % 4 - 1);
        const lb_transform target = test_task_tool(s.model, &s.task, q);
        int count = lb_solutions(s.all, &target, q, ROWS, rows, infos, &summary);
        check_rows(&s, &target, rows, count);
        assert_int_equal(summary.outcome, LB_REACHED);
        assert_int_equal(summary.family_count, 4);
        const int row = find_row(rows, count, q, &least);
        if (!(least < 1e-6) || !infos[row].family)
            fail_msg("pose %d: q is %g from its family", n, least);
        lb_configuration_random(s.model, &random, start);
        count = lb_solutions(s.all, &target, start, ROWS, rows, infos, &summary);
        check_rows(&s, &target, rows, count);
        assert_int_equal(summary.outcome, LB_REACHED);
        assert_int_equal(summary.family_count, 4);
        if (!lists_family(rows, infos, count, q))
            fail_msg("pose %d: q's family is not listed", n);
    }
}

/* the UR5 upright, its bars in line: nothing of the family is left but one configuration, which is
   found; that it is all there is is not said */
TEST(an_upright_arm_is_one_configuration)
{
    owned_solvers s = open_solvers("ur5");
    double rows[ROWS * NQ];
    lb_solution infos[ROWS];
    lb_solutions_summary summary;
    const lb_quat turn = lb_quat_from_axis_angle(lb_vec3_make(1, 0, 0), LB_PI / 2);
    const lb_transform target = lb_transform_from_quat(turn, lb_vec3_make(0, -0.19145, 1.001059));
    const int count = lb_solutions(s.all, &target, NULL, ROWS, rows, infos, &summary);
    assert_int_equal(count, 1);
    assert_int_equal(summary.outcome, LB_REACHED);
    assert_int_equal(summary.family_count, 0);
    assert_false(summary.complete || summary.certified || infos[0].family);
    check_rows(&s, &target, rows, count);
}

/* two equal links folded onto the base: the first joint is free */
TEST(folded_links_are_a_family)
{
    owned_model *model = test_load("planar2");
    int tips[8];
    lb_error error;
    lb_model_tips(model, tips);
    const lb_task task = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSITION);
    owned_solutions *all = NULL;
    assert_int_equal(lb_solutions_create(model, &task, NULL, NULL, &all, &error), LB_OK);
    owned_ik *nearest = test_solver(model, &task, 1, NULL);
    lb_random random = test_seed(55);
    for (int n = 0; n < 200; n++) {
        double start[2], rows[ROWS * 2];
        lb_solution infos[ROWS];
        lb_solutions_summary summary;
        const lb_transform target = LB_TRANSFORM_IDENTITY;
        lb_configuration_random(model, &random, start);
        const int count = lb_solutions(all, &target, start, ROWS, rows, infos, &summary);
        assert_int_equal(count, 1);
        assert_int_equal(summary.family_count, 1);
        assert_int_equal(summary.family[0], lb_model_find_joint(model, "shoulder"));
        assert_true(infos[0].family);
        assert_near(rows[0], start[0], 1e-7);
        assert_near(fabs(lb_wrap_angle(rows[1])), LB_PI, 1e-7);
        assert_int_equal(lb_ik_solve(nearest, &target, start, start, NULL), LB_REACHED);
        assert_near(start[0], rows[0], 1e-6);
    }
}

/* batches look at families as single solves do */
TEST(batches_have_the_same_bits)
{
    enum { COUNT = 40 };
    for (size_t a = 0; a < sizeof arms / sizeof *arms; a++) {
        owned_solvers s = open_solvers(arms[a].model);
        lb_random random = test_seed(53);
        lb_transform targets[COUNT];
        double starts[COUNT][NQ], rows[COUNT][NQ], one[NQ];
        lb_ik_result results[COUNT];
        for (int n = 0; n < COUNT; n++) {
            double q[NQ];
            lb_configuration_random(s.model, &random, q);
            if (n % 3 == 0)
                q[arms[a].singular] = 0;
            targets[n] = test_task_tool(s.model, &s.task, q);
            make_start(s.model, n % 2 != 0, q, &random, starts[n]);
        }
        const lb_batch batch = {
            .targets = targets, .starts = starts[0], .q = rows[0], .results = results};
        (void)lb_batch_solve(s.nearest, &batch, 0, COUNT);
        for (int n = 0; n < COUNT; n++) {
            assert_int_equal(lb_ik_solve(s.nearest, &targets[n], starts[n], one, NULL),
                             results[n].outcome);
            assert_memory_equal(one, rows[n], sizeof one);
        }
    }
}
