/*
 * test_exact.c - "nearest" is the nearest: against all solutions that many descents from
 * random starts and lb_solutions find, on all their turns.
 *
 *     test_ik test_exact [POSES STARTS]
 *
 * checks so many poses of each arm, each from so many starts: 60 and 10 unless given.
 */
#include "support_load.h"

#include <limber/formats/load.h>
#include <limber/ik.h>
#include <limber/solutions.h>

enum { NQ = 8, DESCENTS = 150, KNOWN = 32 };

TEST_ARGUMENT(poses, 1, 60)
TEST_ARGUMENT(starts, 2, 10)

/* every different solution that descents found; angles on any turn */
typedef struct known {
    double q[KNOWN][NQ];
    int count;
} known;

static bool is_angle(const lb_model *model, int i)
{
    for (int k = 0; k < lb_model_joint_count(model); k++)
        if (lb_model_joint_q(model, k) == i)
            return lb_model_joint(model, k)->kind != LB_JOINT_PRISMATIC;
    return false;
}

static void remember(const lb_model *model, const double *q, known *all)
{
    for (int s = 0; s < all->count; s++) {
        double most = 0;
        for (int i = 0; i < lb_model_nq(model); i++) {
            double d = all->q[s][i] - q[i];
            most = fmax(most, fabs(is_angle(model, i) ? lb_wrap_angle(d) : d));
        }
        if (most < 1e-3)
            return;
    }
    if (all->count < KNOWN)
        memcpy(all->q[all->count++], q, sizeof(double) * (size_t)lb_model_nq(model));
}

static void find_known(const lb_model *model, lb_ik *descent, lb_solutions_solver *solutions,
                       const lb_transform *target, lb_random *random, known *all)
{
    double rows[LB_SOLUTIONS_MAX * NQ];
    lb_solution infos[LB_SOLUTIONS_MAX];
    lb_solutions_summary summary;
    int count = lb_solutions(solutions, target, NULL, LB_SOLUTIONS_MAX, rows, infos, &summary);
    for (int i = 0; i < count; i++)
        remember(model, rows + i * lb_model_nq(model), all);
    for (int k = 0; k < DESCENTS; k++) {
        double q[NQ];
        lb_ik_result result;
        lb_configuration_random(model, random, q);
        if (lb_ik_solve(descent, target, q, q, &result) == LB_REACHED)
            remember(model, q, all);
    }
}

/* the least distance from a start over all turns inside the limits; slides count in `unit` metres
 */
static double least_distance(const lb_model *model, const known *all, const double *start,
                             double unit)
{
    double least = INFINITY;
    for (int s = 0; s < all->count; s++) {
        double sum = 0;
        for (int k = 0; k < lb_model_joint_count(model); k++) {
            int i = lb_model_joint_q(model, k);
            const lb_joint *joint = lb_model_joint(model, k);
            if (i < 0)
                continue;
            double nearest = INFINITY;
            for (int n = -2; n <= 2; n++) {
                bool angle = joint->kind != LB_JOINT_PRISMATIC;
                double at = all->q[s][i] + (angle ? 2 * LB_PI * n : 0);
                if (at >= joint->lower[0] - 1e-9 && at <= joint->upper[0] + 1e-9)
                    nearest = fmin(nearest, fabs(at - start[i]) / (angle ? 1 : unit));
            }
            sum += nearest * nearest;
        }
        least = fmin(least, sum);
    }
    return sqrt(least);
}

static double row_distance(const lb_model *model, const double *a, const double *b, double unit)
{
    double sum = 0;
    for (int i = 0; i < lb_model_nq(model); i++) {
        double d = (a[i] - b[i]) / (is_angle(model, i) ? 1 : unit);
        sum += d * d;
    }
    return sqrt(sum);
}

/* how far the start is from the configuration that made the pose; 0: anywhere */
static void make_start(const lb_model *model, double off, lb_random *random, const double *q,
                       double *start)
{
    lb_configuration_random(model, random, start);
    for (int i = 0; off > 0 && i < lb_model_nq(model); i++)
        start[i] = q[i] + off * lb_random_between(random, -1, 1);
    lb_configuration_clamp(model, start, start);
}

/* where not all solutions are known, the nearest is still no farther than where the start leads */
TEST(nearest_is_no_farther_than_a_descent)
{
    static const struct {
        const char *model, *tip;
        lb_task_kind kind;
    } arms[] = {{"panda", "panda_hand", LB_TASK_POSE},
                {"iiwa14", "flange", LB_TASK_POSE},
                {"iiwa14", "flange", LB_TASK_POSITION},
                {"ur5", "tool0", LB_TASK_POSITION},
                {"planar3", "tip", LB_TASK_POSITION}};
    static const double offs[] = {0, 0.1, 0.3, 1};
    for (size_t a = 0; a < sizeof arms / sizeof *arms; a++) {
        owned_model *model = test_load(arms[a].model);
        lb_task task = lb_task_make(lb_model_find_link(model, arms[a].tip), LB_WORLD, arms[a].kind);
        lb_ik_options options = lb_ik_options_default();
        owned_ik *ik = test_solver(model, &task, 1, &options);
        options.protocol = LB_PROTOCOL_GIVEN;
        owned_ik *descent = test_solver(model, &task, 1, &options);
        lb_random random = test_seed(41);
        for (int k = 0; k < 20 * poses; k++) {
            double q[2 * NQ], start[2 * NQ], found[2 * NQ], down[2 * NQ];
            lb_configuration_random(model, &random, q);
            lb_transform target = test_task_tool(model, &task, q);
            make_start(model, offs[k % 4], &random, q, start);
            if (lb_ik_solve(descent, &target, start, down, NULL) != LB_REACHED)
                continue;
            assert_int_equal(lb_ik_solve(ik, &target, start, found, NULL), LB_REACHED);
            double d = row_distance(model, found, start, 1);
            double least = row_distance(model, down, start, 1);
            if (d > least + 1e-6)
                fail_msg("%s: start %g off: %g away, but a descent ends %g away", arms[a].model,
                         offs[k % 4], d, least);
        }
    }
}

/* half a thousandth from a shoulder in line, steps from a start far away lead to a configuration
   that is nearer than the exact solutions */
TEST(what_only_tolerances_reach_may_be_far_from_the_start)
{
    static const char *const names[] = {"waist_yaw",          "left_shoulder_pitch",
                                        "left_shoulder_roll", "left_shoulder_yaw",
                                        "left_elbow",         "left_wrist_yaw"};
    static const double made[] = {0.2003, 0.1354, 1.5713, 1.0409, -2.0411, -0.2242};
    static const double from[] = {0.2007, 0.0532, 1.3041, 0.9045, -2.2689, -0.2062};
    owned_model *model = test_load("biped");
    double q[4 * NQ] = {0}, start[4 * NQ] = {0}, found[4 * NQ];
    for (int k = 0; k < 6; k++) {
        int at = lb_model_joint_q(model, lb_model_find_joint(model, names[k]));
        q[at] = made[k];
        start[at] = from[k];
    }
    lb_task task = lb_task_make(lb_model_find_link(model, "left_hand"), LB_WORLD, LB_TASK_POSE);
    lb_transform target = test_task_tool(model, &task, q);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    assert_int_equal(lb_ik_solve(ik, &target, start, found, NULL), LB_REACHED);
    // 0.386 by the nearest exact solution
    assert_true(row_distance(model, found, start, 1) < 0.354);
}

/* multiples of 90 degrees and limits, where solutions meet, or anywhere; inside the limits */
static void make_singular(const lb_model *model, lb_random *random, double *q)
{
    lb_configuration_random(model, random, q);
    for (int k = 0; k < lb_model_joint_count(model); k++) {
        const lb_joint *joint = lb_model_joint(model, k);
        int i = lb_model_joint_q(model, k), kind = test_random_index(random, 10);
        if (i < 0 || kind < 2)
            continue;
        if (kind == 2 && isfinite(joint->lower[0]))
            q[i] = test_random_chance(random, 0.5) ? joint->lower[0] : joint->upper[0];
        else if (joint->kind != LB_JOINT_PRISMATIC)
            q[i] = 0.5 * LB_PI * (test_random_index(random, 9) - 4);
    }
    lb_configuration_clamp(model, q, q);
}

/* what the tolerances take for a solution competes with exact ones: the configuration that made a
   pose, moved by less than these */
TEST(solutions_by_the_tolerances_count)
{
    static const char *const arms[] = {"ur5",      "kr6",   "puma560", "crx10ia",
                                       "stanford", "scara", "planar2"};
    int compared = 0, farther = 0, missed = 0;
    for (size_t a = 0; a < sizeof arms / sizeof *arms; a++) {
        owned_model *model = test_load(arms[a]);
        int tips[8];
        lb_model_tips(model, tips);
        bool planar = strcmp(arms[a], "planar2") == 0;
        lb_task task = lb_task_make(tips[0], LB_WORLD, planar ? LB_TASK_POSITION : LB_TASK_POSE);
        lb_ik_options options = lb_ik_options_default();
        options.length = 0.3;
        owned_ik *ik = test_solver(model, &task, 1, &options);
        lb_random random = test_seed(43);
        for (int k = 0; k < 20 * poses; k++) {
            double q[NQ], start[NQ], found[NQ];
            make_singular(model, &random, q);
            make_start(model, pow(10, lb_random_between(&random, -9, -1)), &random, q, start);
            lb_transform target = test_task_tool(model, &task, q);
            double moved = pow(10, lb_random_between(&random, -11, -6.3));
            target.p = lb_vec3_add(target.p, lb_vec3_scale(test_random_direction(&random), moved));
            missed += lb_ik_solve(ik, &target, start, found, NULL) != LB_REACHED;
            double d = row_distance(model, found, start, 0.3);
            double least = row_distance(model, q, start, 0.3);
            farther += d > least + 0.1;
            compared++;
        }
    }
    // steps from the start end beside limits, now and then: most of the rest have joints at them
    print_message("[   NOTE   ] %d of %d are farther\n", farther, compared);
    assert_true(farther <= compared / 100 && missed <= compared / 10000);
}

/* What an arm is checked with. */
typedef struct nearest_check {
    const lb_model *model;
    lb_ik *ik, *descent;
    lb_solutions_solver *solutions;
    lb_random random;
} nearest_check;

/* one pose, from starts anywhere, 0.1 and 0.3 off, and hardly off at all */
static void check_pose(nearest_check *c, const lb_task *task)
{
    static const double offs[] = {0, 0.1, 0.3, 3e-3, 3e-4};
    double q[NQ], start[NQ], found[NQ];
    known all = {.count = 0};
    lb_configuration_random(c->model, &c->random, q);
    lb_transform target = test_task_tool(c->model, task, q);
    remember(c->model, q, &all);
    find_known(c->model, c->descent, c->solutions, &target, &c->random, &all);
    for (int k = 0; k < starts; k++) {
        lb_ik_result result;
        make_start(c->model, offs[k % 5], &c->random, q, start);
        assert_int_equal(lb_ik_solve(c->ik, &target, start, found, &result), LB_REACHED);
        double d = row_distance(c->model, found, start, 0.3);
        double least = least_distance(c->model, &all, start, 0.3);
        if (d > least + 1e-4)
            fail_msg("%s: start %g off: %g away, but a solution is %g away",
                     lb_model_name(c->model), offs[k % 5], d, least);
    }
}

static void check_model(const char *name)
{
    owned_model *model = test_load(name);
    int tips[8];
    lb_error error;
    lb_model_tips(model, tips);
    lb_task task = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSE);
    lb_ik_options options = lb_ik_options_default();
    nearest_check c = {.model = model, .random = test_seed(29)};
    // the unit of slides must be known here
    options.length = 0.3;
    c.ik = test_solver(model, &task, 1, &options);
    options.protocol = LB_PROTOCOL_GIVEN;
    // beside a singularity what is within a tolerance reaches as far as its root
    options.position_tolerance = options.rotation_tolerance = 1e-10;
    c.descent = test_solver(model, &task, 1, &options);
    assert_int_equal(lb_solutions_create(model, &task, NULL, NULL, &c.solutions, &error), LB_OK);
    for (int k = 0; k < poses; k++)
        check_pose(&c, &task);
    lb_ik_release(c.ik);
    lb_ik_release(c.descent);
    lb_solutions_release(c.solutions);
}

TEST(nearest_is_nearest)
{
    const char *names[] = {"ur5", "kr6", "puma560", "stanford", "scara", "crx10ia"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        check_model(names[i]);
}

/* both errors in metres */
static double total_error(const lb_ik *ik, const lb_ik_result *result)
{
    return result->position_error + lb_ik_get_options(ik)->length * result->rotation_error;
}

/* a configuration as a result of the model's own */
static double error_at(const lb_model *model, const lb_task *task, const lb_ik *ik,
                       const lb_transform *target, const double *q)
{
    lb_transform tool = test_task_tool(model, task, q);
    return lb_vec3_length(lb_vec3_sub(tool.p, target->p)) +
           lb_ik_get_options(ik)->length * lb_transform_angle(&tool, target);
}

/* what is proved, how close the result comes and what is said of it; returns the reason */
static lb_reason check_unreachable(const lb_model *model, const lb_task *task, lb_ik *quick,
                                   lb_ik *closest, const lb_transform *target)
{
    double start[NQ], q[NQ];
    char text[600];
    lb_ik_result result, best;
    lb_configuration_neutral(model, start);
    lb_outcome outcome = lb_ik_solve(quick, target, start, q, &result);
    assert_int_equal(lb_ik_solve(closest, target, start, start, &best), outcome);
    if (outcome == LB_REACHED)
        return LB_REASON_NONE;
    assert_int_equal(lb_configuration_validate(model, q, 1e-12, NULL), LB_OK);
    lb_configuration_neutral(model, start);
    assert_near(error_at(model, task, quick, target, q), total_error(quick, &result), 1e-12);
    assert_true(total_error(quick, &result) <= error_at(model, task, quick, target, start));
    if (outcome != LB_UNREACHABLE)
        return LB_REASON_NONE;
    assert_int_equal(result.reason, best.reason);
    lb_ik_explain(quick, target, q, &result, text, sizeof text);
    assert_non_null(strstr(text, "Out of reach"));
    // many descents find nothing either
    lb_random random = test_seed(37);
    for (int k = 0; k < 5; k++) {
        lb_configuration_random(model, &random, q);
        assert_int_equal(lb_ik_solve(closest, target, q, q, NULL), LB_UNREACHABLE);
    }
    if (result.reason == LB_REASON_LIMITS)
        assert_non_null(strstr(text, "outside the limits: the closest has '"));
    return result.reason;
}

/* poses of an arm whose joints are turned beyond their limits, half of them too far out */
static void check_unreachables(const char *name, lb_protocol protocol, int least)
{
    owned_model *model = test_load(name);
    int tips[8];
    lb_model_tips(model, tips);
    lb_task task = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSE);
    lb_ik_options options = lb_ik_options_default();
    options.protocol = protocol;
    owned_ik *quick = test_solver(model, &task, 1, &options);
    options.closest = true;
    owned_ik *closest = test_solver(model, &task, 1, &options);
    lb_random random = test_seed(31);
    int forbidden = 0, proved = 0;
    for (int k = 0; k < 300; k++) {
        double q[NQ];
        for (int i = 0; i < 6; i++)
            q[i] = lb_random_between(&random, -3.1, 3.1);
        lb_transform target = test_task_tool(model, &task, q);
        // half of them so far out that the wrist cannot be where it must
        if (k & 1)
            target.p = lb_vec3_scale(target.p, 1.5);
        lb_reason reason = check_unreachable(model, &task, quick, closest, &target);
        proved += reason == LB_REASON_REACH;
        forbidden += reason == LB_REASON_LIMITS;
        assert_true(reason != LB_REASON_REACH || (k & 1));
    }
    if (!(forbidden >= least && proved > 20))
        fail_msg("%s: %d beyond limits, %d out of reach", name, forbidden, proved);
}

/* a target that only limits forbid is distinguished from one that nothing reaches */
TEST(limits_are_named)
{
    check_unreachables("kr6", LB_PROTOCOL_NEAREST, 20);
    check_unreachables("kr6", LB_PROTOCOL_ANY, 20);
    // this arm's elbow can nearly always bend the other way
    check_unreachables("crx10ia", LB_PROTOCOL_NEAREST, 0);
    check_unreachables("crx10ia", LB_PROTOCOL_ANY, 0);
}

/* of a general arm nothing is proved, but what every configuration of a complete list breaks is
   named, the least first */
TEST(general_arms_name_the_limit)
{
    owned_model *whole = test_load("crx10ia"), *model = NULL;
    int tips[8], named = 0;
    lb_model_tips(whole, tips);
    lb_joint_setting narrow = lb_joint_setting_make(lb_model_find_joint(whole, "J3"));
    assert_true(narrow.joint >= 0);
    narrow.lower[0] = 0.1;
    narrow.upper[0] = 0.4;
    assert_int_equal(lb_model_view(whole, &narrow, 1, NULL, &model, NULL), LB_OK);
    lb_task task = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSE);
    lb_ik_options exact = lb_ik_options_default();
    // nothing is reached beside what is listed
    exact.position_tolerance = exact.rotation_tolerance = 1e-9;
    owned_ik *ik = test_solver(model, &task, 1, &exact);
    lb_solutions_options options = lb_solutions_options_default();
    owned_solutions *lister = NULL;
    options.out_of_limits = true;
    assert_int_equal(lb_solutions_create(model, &task, &options, NULL, &lister, NULL), LB_OK);
    assert_int_equal(lb_solutions_class(lister), LB_ARM_GENERAL);
    lb_random random = test_seed(71);
    for (int k = 0; k < 300; k++) {
        double q[NQ], all[LB_SOLUTIONS_MAX * NQ];
        char text[600], name[80];
        lb_solution rows[LB_SOLUTIONS_MAX];
        lb_solutions_summary summary;
        lb_ik_result result;
        lb_configuration_random(whole, &random, q);
        lb_transform target = test_task_tool(model, &task, q);
        lb_configuration_neutral(model, q);
        int count = lb_solutions(lister, &target, q, LB_SOLUTIONS_MAX, all, rows, &summary);
        assert_true(summary.outcome == LB_REACHED || summary.outcome == LB_STALLED);
        if (summary.outcome != LB_STALLED || !summary.complete)
            continue;
        assert_int_equal(summary.reason, LB_REASON_LIMITS);
        const lb_solution *least = &rows[0];
        for (int i = 1; i < count; i++)
            least = rows[i].beyond < least->beyond ? &rows[i] : least;
        lb_outcome outcome = lb_ik_solve(ik, &target, q, q, &result);
        assert_true(outcome == LB_STALLED || outcome == LB_EXHAUSTED);
        lb_ik_explain(ik, &target, q, &result, text, sizeof text);
        snprintf(name, sizeof name, "'%s'", lb_model_joint(model, least->joint)->name);
        if (strstr(text, name) == NULL)
            fail_msg("%s is not in '%s'", name, text);
        named++;
    }
    assert_true(named > 20);
}

/* a slide that would have to be longer than it is */
TEST(beyond_a_slide_is_unreachable)
{
    owned_model *model = test_load("stanford");
    int tips[8];
    lb_model_tips(model, tips);
    lb_task task = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSE);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    lb_transform target = lb_transform_translation(20, 30, 40);
    double q[NQ];
    lb_ik_result result;
    lb_configuration_neutral(model, q);
    assert_int_equal(lb_ik_solve(ik, &target, q, q, &result), LB_UNREACHABLE);
}
