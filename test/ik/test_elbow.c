/*
 * test_elbow.c - arcs of the elbow angle against many angles, each decided by itself; the best
 * configuration against the best of these; the iiwa14 and arms whose axes meet at odd angles.
 */
#include "ik/closed/class.h"
#include "kernel/ops.h"
#include "support_load.h"

#include <limber/elbow.h>
#include <limber/formats/load.h>
#include <limber/kinematics.h>

enum { JOINTS = 7, MOST = 16, ANGLES = 180 };

/* of results_have_golden_bits: renewed where results are meant to change */
#define GOLDEN UINT64_C(0x39164b6396daccd9)

/* ---- arms ------------------------------------------------------------------- */

/* an arm whose first and last three axes meet, at angles of its own, some limits beyond a turn */
static lb_model *random_arm(lb_random *random)
{
    lb_joint joints[JOINTS];
    for (int i = 0; i < JOINTS; i++) {
        joints[i] = lb_joint_default();
        joints[i].kind = LB_JOINT_REVOLUTE;
        joints[i].axis = test_random_direction(random);
        if (i == 3 || i == 4)
            joints[i].placement.p = lb_vec3_scale(test_random_direction(random), 0.5);
        joints[i].lower[0] = lb_random_between(random, -4, -0.7);
        joints[i].upper[0] = lb_random_between(random, 0.7, 4);
    }
    return test_chain(&LB_TRANSFORM_IDENTITY, joints, JOINTS);
}

/* An arm, its task and its solver. */
typedef struct setting {
    lb_model *model;
    lb_task task;
    lb_elbow *elbow;
} setting;

static setting setting_of(lb_model *model, const char *tip)
{
    setting s = {.model = model};
    lb_error error;
    s.task = lb_task_make(lb_model_find_link(model, tip), LB_WORLD, LB_TASK_POSE);
    if (lb_elbow_create(model, &s.task, NULL, &s.elbow, &error) != LB_OK)
        fail_msg("%s: %s", lb_model_name(model), error.message);
    return s;
}

static void release(setting *s)
{
    lb_elbow_release(s->elbow);
    lb_model_release(s->model);
}
#define owned_setting __attribute__((cleanup(release))) setting

/* ---- arcs ------------------------------------------------------------------- */

/* how far inside the arcs of a branch an angle is; below 0: outside */
static double depth(const lb_elbow_arc *arcs, int count, int branch, double angle)
{
    double most = -INFINITY;
    for (int i = 0; i < count; i++)
        for (int turn = -1; turn <= 1 && arcs[i].branch == branch; turn++) {
            double at = angle + 2 * LB_PI * turn;
            double room = fmin(at - arcs[i].begin, arcs[i].end - at);
            // a whole circle has no ends
            if (arcs[i].end - arcs[i].begin > 2 * LB_PI - 1e-9)
                room = 1;
            most = fmax(most, room);
        }
    return most;
}

static void assert_reaches(const setting *s, const lb_transform *target, const double *q)
{
    lb_transform tool = test_task_tool(s->model, &s->task, q);
    assert_true(lb_vec3_length(lb_vec3_sub(tool.p, target->p)) <= 1e-9);
    assert_true(lb_transform_angle(&tool, target) <= 1e-9);
}

/* each angle by itself: inside an arc if and only if the branch keeps the limits there */
static int check_angles(const setting *s, const lb_transform *target, const double *start)
{
    lb_elbow_arc arcs[LB_ELBOW_ARCS_MAX];
    int count = lb_elbow_arcs(s->elbow, target, start, LB_ELBOW_ARCS_MAX, arcs), inside = 0;
    assert_true(count >= 0 && count <= LB_ELBOW_ARCS_MAX);
    for (int i = 0; i < count; i++)
        assert_true(arcs[i].begin >= -LB_PI && arcs[i].begin <= arcs[i].end &&
                    arcs[i].end <= arcs[i].begin + 2 * LB_PI);
    for (int branch = 0; branch < LB_ELBOW_BRANCHES; branch++)
        for (int k = 0; k < ANGLES; k++) {
            double q[MOST], angle = -LB_PI + 2 * LB_PI * (k + 0.37) / ANGLES;
            lb_outcome outcome = lb_elbow_at(s->elbow, target, branch, angle, start, q);
            double in = depth(arcs, count, branch, angle);
            if (outcome != LB_UNREACHABLE)
                assert_reaches(s, target, q);
            bool kept = lb_configuration_validate(s->model, q, 1e-9, NULL) == LB_OK;
            assert_int_equal(outcome == LB_REACHED, outcome != LB_UNREACHABLE && kept);
            if (fabs(in) > 1e-7 && (outcome == LB_REACHED) != (in > 0))
                fail_msg("%s: branch %d at %.9g: %s, but %g inside the arcs",
                         lb_model_name(s->model), branch, angle, lb_outcome_text(outcome), in);
            inside += outcome == LB_REACHED;
        }
    return inside;
}

static double margin(const lb_model *model, const double *q)
{
    double least = 1;
    for (int i = 0; i < JOINTS; i++) {
        const lb_joint *joint = lb_model_joint(model, i);
        double half = 0.5 * (joint->upper[0] - joint->lower[0]);
        least = fmin(least, fmin(q[i] - joint->lower[0], joint->upper[0] - q[i]) / half);
    }
    return least;
}

/* at an arc's end a joint is at a limit or, of a joint's angle, the arc of another branch goes on
 */
static void check_ends(const setting *s, const lb_transform *target, const double *start)
{
    lb_elbow_arc arcs[LB_ELBOW_ARCS_MAX];
    int count = lb_elbow_arcs(s->elbow, target, start, LB_ELBOW_ARCS_MAX, arcs);
    for (int i = 0; i < count; i++) {
        double q[MOST];
        if (arcs[i].end - arcs[i].begin > 2 * LB_PI - 1e-9)
            continue;
        for (int k = 0; k < 2; k++) {
            const double end = k == 0 ? arcs[i].begin : arcs[i].end;
            bool meets = false;
            for (int j = 0; j < count; j++)
                meets = meets || (arcs[j].branch != arcs[i].branch &&
                                  fabs((k == 0 ? arcs[j].begin : arcs[j].end) - end) <= 1e-9);
            lb_elbow_at(s->elbow, target, arcs[i].branch, end, start, q);
            if (!meets)
                assert_near(margin(s->model, q), 0, 1e-7);
        }
    }
}

static void check_arcs(const char *name, const char *tip, int poses)
{
    owned_setting s = setting_of(test_load(name), tip);
    lb_random random = test_seed(3);
    for (int k = 0; k < poses; k++) {
        double q[MOST];
        lb_configuration_random(s.model, &random, q);
        lb_transform target = test_task_tool(s.model, &s.task, q);
        assert_true(check_angles(&s, &target, q) > 0);
        check_ends(&s, &target, q);
    }
}

TEST(arcs_are_where_limits_are_kept)
{
    check_arcs("iiwa14", "flange", 60);
}

/* the angle is that of the last joint */
TEST(arcs_of_a_joint_are_where_limits_are_kept)
{
    check_arcs("panda", "panda_hand", FEWER(60, 10));
}

TEST(axes_may_meet_at_any_angle)
{
    lb_random random = test_seed(5);
    int inside = 0;
    for (int k = 0; k < 60; k++) {
        owned_setting s = setting_of(random_arm(&random), "l7");
        double q[JOINTS];
        lb_configuration_random(s.model, &random, q);
        lb_transform target = test_task_tool(s.model, &s.task, q);
        inside += check_angles(&s, &target, q);
    }
    assert_true(inside > 1000);
}

/* ---- the best ---------------------------------------------------------------- */

static double distance(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < JOINTS; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* the best that a close look round every branch finds */
static void look_round(const setting *s, const lb_transform *target, const double *start,
                       double *nearest, double *widest)
{
    *nearest = INFINITY;
    *widest = -INFINITY;
    for (int branch = 0; branch < LB_ELBOW_BRANCHES; branch++)
        for (int k = 0; k < 4 * ANGLES; k++) {
            double q[MOST], angle = LB_PI * k / (2 * ANGLES);
            if (lb_elbow_at(s->elbow, target, branch, angle, start, q) != LB_REACHED)
                continue;
            *nearest = fmin(*nearest, distance(q, start));
            *widest = fmax(*widest, margin(s->model, q));
        }
}

static void check_best(const char *name, const char *tip, int poses)
{
    owned_setting s = setting_of(test_load(name), tip);
    lb_random random = test_seed(7);
    for (int k = 0; k < poses; k++) {
        double made[MOST], start[MOST], q[MOST], nearest, widest;
        lb_elbow_choice choice;
        lb_configuration_random(s.model, &random, made);
        lb_configuration_random(s.model, &random, start);
        lb_transform target = test_task_tool(s.model, &s.task, made);
        look_round(&s, &target, start, &nearest, &widest);
        assert_int_equal(lb_elbow_best(s.elbow, &target, LB_ELBOW_NEAREST, start, q, &choice),
                         LB_REACHED);
        assert_reaches(&s, &target, q);
        assert_near(choice.value, distance(q, start), 1e-12);
        assert_true(choice.value <= nearest + 1e-6 && choice.value <= distance(made, start) + 1e-6);
        assert_int_equal(lb_elbow_best(s.elbow, &target, LB_ELBOW_MARGIN, start, q, &choice),
                         LB_REACHED);
        assert_near(choice.value, margin(s.model, q), 1e-12);
        assert_true(choice.value >= widest - 1e-6);
        // the configuration that made the pose is its own nearest
        assert_int_equal(lb_elbow_best(s.elbow, &target, LB_ELBOW_NEAREST, made, q, &choice),
                         LB_REACHED);
        assert_true(choice.value <= 1e-3);
        double again[MOST];
        assert_int_equal(lb_elbow_at(s.elbow, &target, choice.branch, choice.angle, made, again),
                         LB_REACHED);
        assert_true(distance(q, again) <= 1e-9);
    }
}

static bool is_within(const lb_model *model, const double *q)
{
    return margin(model, q) >= 0;
}

/* poses of configurations with joints at their limits are reached, inside the limits to the last
   bit, whatever is wanted, and the value is that of the configuration */
static void check_corners(const char *name, const char *tip, int poses)
{
    owned_setting s = setting_of(test_load(name), tip);
    lb_random random = test_seed(8);
    for (int k = 0; k < poses; k++) {
        double made[MOST], start[MOST], q[MOST];
        lb_configuration_random(s.model, &random, made);
        lb_configuration_random(s.model, &random, start);
        for (int i = 0; i < JOINTS; i++) {
            const lb_joint *joint = lb_model_joint(s.model, i);
            double chance = lb_random_unit(&random);
            made[i] = chance < 0.4 ? joint->lower[0] : chance < 0.8 ? joint->upper[0] : made[i];
        }
        lb_transform target = test_task_tool(s.model, &s.task, made);
        for (lb_elbow_goal goal = LB_ELBOW_NEAREST; goal <= LB_ELBOW_MANIPULABILITY; goal++) {
            lb_elbow_choice choice;
            lb_outcome outcome = lb_elbow_best(s.elbow, &target, goal, start, q, &choice);
            if (outcome != LB_REACHED || !is_within(s.model, q))
                fail_msg("%s, pose %d, goal %d: %s", name, k, goal, lb_outcome_text(outcome));
            assert_reaches(&s, &target, q);
            if (goal == LB_ELBOW_NEAREST)
                assert_near(choice.value, distance(q, start), 1e-12);
            if (goal == LB_ELBOW_MARGIN)
                assert_near(choice.value, fmax(margin(s.model, q), 0), 1e-12);
        }
    }
}

/* of several configurations that are within 1e-4 of the limits, one that keeps them is found */
TEST(a_pose_at_one_limit_is_reached_for_every_goal)
{
    static const lb_quat turn = {-0.9215382288072679, 0.0022202193744345735, 0.20694994903941222,
                                 0.32853322825138576};
    owned_setting s = setting_of(test_load("panda"), "panda_hand");
    lb_transform target = lb_transform_from_quat(
        turn, lb_vec3_make(0.17666925894749202, 0.1002584497327202, 0.4367018619959116));
    for (lb_elbow_goal goal = LB_ELBOW_NEAREST; goal <= LB_ELBOW_MANIPULABILITY; goal++) {
        double q[MOST];
        lb_elbow_choice choice;
        assert_int_equal(lb_elbow_best(s.elbow, &target, goal, NULL, q, &choice), LB_REACHED);
        assert_true(is_within(s.model, q));
    }
}

/* starts with two joints at limits, on no arc, are the nearest to themselves but for 1 in 25 */
static void check_starts_in_corners(const char *name, const char *tip, int poses)
{
    owned_setting s = setting_of(test_load(name), tip);
    lb_random random = test_seed(9);
    for (int k = 0, missed = 0; k < poses; k++) {
        lb_elbow_choice choice;
        double start[MOST], q[MOST];
        test_corner(s.model, JOINTS, k, &random, start);
        lb_transform target = test_task_tool(s.model, &s.task, start);
        lb_elbow_best(s.elbow, &target, LB_ELBOW_NEAREST, start, q, &choice);
        missed += choice.outcome != LB_REACHED || choice.value > 1e-6;
        assert_in_range(missed, 0, poses / 25);
    }
}

TEST(starts_in_corners_of_limits_are_found)
{
    check_starts_in_corners("iiwa14", "flange", FEWER(500, 25));
    check_starts_in_corners("panda", "panda_hand", FEWER(500, 25));
}

TEST(poses_at_limits_are_reached_inside_them)
{
    check_corners("iiwa14", "flange", FEWER(2000, 20));
    check_corners("panda", "panda_hand", FEWER(1000, 4));
}

TEST(the_best_is_no_worse_than_any)
{
    check_best("iiwa14", "flange", 100);
    check_best("panda", "panda_hand", FEWER(30, 4));
}

/* det J J^T where it is greatest, against a look round */
/* beside a shoulder in line, where joints turn far in a little of the angle that arcs are measured
   in: nothing has more room than the best, to a hundredth, the configuration that made the pose
   neither */
TEST(steep_arcs_are_looked_at_closely)
{
    owned_setting s = setting_of(test_load("panda"), "panda_hand");
    lb_random random = test_seed(12);
    for (int k = 0; k < FEWER(300, 20); k++) {
        double made[MOST], q[MOST];
        lb_elbow_choice choice;
        lb_configuration_random(s.model, &random, made);
        for (int i = 0; i < JOINTS; i++) {
            const lb_joint *joint = lb_model_joint(s.model, i);
            made[i] = 0.5 * (made[i] + 0.5 * (joint->lower[0] + joint->upper[0]));
        }
        made[1] = lb_random_between(&random, -0.01, 0.01);
        lb_transform target = test_task_tool(s.model, &s.task, made);
        assert_int_equal(lb_elbow_best(s.elbow, &target, LB_ELBOW_MARGIN, NULL, q, &choice),
                         LB_REACHED);
        assert_true(choice.value >= margin(s.model, made) - 0.01);
    }
}

TEST(manipulability_is_the_greatest)
{
    owned_setting s = setting_of(test_load("iiwa14"), "flange");
    lb_random random = test_seed(9);
    for (int k = 0; k < 10; k++) {
        double made[JOINTS], q[JOINTS];
        lb_elbow_choice best, choice;
        lb_configuration_random(s.model, &random, made);
        lb_transform target = test_task_tool(s.model, &s.task, made);
        assert_int_equal(lb_elbow_best(s.elbow, &target, LB_ELBOW_MANIPULABILITY, made, q, &best),
                         LB_REACHED);
        assert_reaches(&s, &target, q);
        assert_int_equal(lb_configuration_validate(s.model, q, 1e-9, NULL), LB_OK);
        // the value does not depend on the start
        lb_configuration_random(s.model, &random, made);
        assert_int_equal(lb_elbow_best(s.elbow, &target, LB_ELBOW_MANIPULABILITY, made, q, &choice),
                         LB_REACHED);
        assert_near(choice.value, best.value, 1e-9);
        assert_true(best.value > 0);
    }
}

/* ---- what has no circle ------------------------------------------------------ */

TEST(other_arms_are_refused)
{
    const char *const names[][2] = {{"ur5", "tool0"}, {"kr6", "tool0"}};
    for (int i = 0; i < 2; i++) {
        owned_model *model = test_load(names[i][0]);
        lb_task task = lb_task_make(lb_model_find_link(model, names[i][1]), LB_WORLD, LB_TASK_POSE);
        lb_elbow *elbow;
        lb_error error;
        assert_int_equal(lb_elbow_create(model, &task, NULL, &elbow, &error), LB_UNSUPPORTED);
        assert_non_null(strstr(error.message, "free motion is not known"));
        assert_null(elbow);
    }
}

TEST(targets_out_of_reach_have_no_arcs)
{
    owned_setting s = setting_of(test_load("iiwa14"), "flange");
    lb_transform target = lb_transform_translation(1, 2, 3);
    double q[JOINTS], neutral[JOINTS];
    lb_elbow_choice choice;
    lb_configuration_neutral(s.model, neutral);
    assert_int_equal(lb_elbow_arcs(s.elbow, &target, NULL, 0, NULL), 0);
    assert_int_equal(lb_elbow_best(s.elbow, &target, LB_ELBOW_MARGIN, NULL, q, &choice),
                     LB_UNREACHABLE);
    assert_memory_equal(q, neutral, sizeof q);
    assert_int_equal(lb_elbow_at(s.elbow, &target, 0, 0, NULL, q), LB_UNREACHABLE);
    static const double none[] = {NAN, 2 * LB_LENGTH_MAX, 1e300};
    for (int k = 0; k < 3; k++) {
        target.p.x = none[k];
        assert_int_equal(lb_elbow_arcs(s.elbow, &target, NULL, 0, NULL), -1);
        assert_int_equal(lb_elbow_best(s.elbow, &target, LB_ELBOW_MARGIN, NULL, q, &choice),
                         LB_INVALID);
    }
    // stretched and singular: nothing is reported that is not so
    lb_transform straight = test_task_tool(s.model, &s.task, neutral);
    (void)check_angles(&s, &straight, neutral);
}

/* ---- locked joints, and far places ---------------------------------------------- */

/* where an arm has a locked joint: in the shoulder, whose axes meet while it is at zero, or in the
   upper arm, whose every value leaves an elbow */
typedef enum place { NOWHERE = -1, SHOULDER = 1, UPPER_ARM } place;

/* an arm of shoulder, elbow and wrist, with a locked joint whose neutral value is `value` */
static lb_model *build_arm(const lb_transform *root, place locked, double value)
{
    const lb_vec3 y = {0, 1, 0}, z = {0, 0, 1}, none = {0, 0, 0};
    lb_joint joints[JOINTS + 1];
    int count = 0;
    for (int i = 0; i < JOINTS; i++) {
        joints[count] = test_joint(LB_JOINT_REVOLUTE, none, i % 2 ? y : z);
        joints[count].placement.p.z = i == 1 || i == 6 ? 0 : 0.2;
        joints[count].lower[0] = -2.5;
        joints[count++].upper[0] = 2.5;
        if (i == (int)locked) {
            joints[count] = test_joint(LB_JOINT_REVOLUTE, lb_vec3_make(0, 0, 0.1), y);
            joints[count].value[0] = value;
            joints[count++].locked = true;
        }
    }
    return test_chain(root, joints, count);
}

/* results do not depend on where an earlier start had a locked joint */
TEST(locked_joints_may_leave_no_elbow)
{
    static const double locked[] = {0, 0.5, 0.5, 0, 0.5};
    lb_model *model = build_arm(&LB_TRANSFORM_IDENTITY, SHOULDER, 0);
    owned_setting s = setting_of(model, "l8");
    double start[JOINTS + 1] = {0.2, 0.4, 0, -0.7, 0.9, 0.5, -0.6, 0.1}, q[JOINTS + 1];
    lb_transform target = test_task_tool(model, &s.task, start);
    int arcs = lb_elbow_arcs(s.elbow, &target, NULL, 0, NULL);
    assert_true(arcs > 0);
    for (size_t i = 0; i < sizeof locked / sizeof *locked; i++) {
        lb_elbow_choice choice;
        start[2] = locked[i];
        lb_outcome outcome = lb_elbow_best(s.elbow, &target, LB_ELBOW_NEAREST, start, q, &choice);
        assert_int_equal(outcome, locked[i] == 0 ? LB_REACHED : LB_INVALID);
        assert_int_equal(lb_elbow_arcs(s.elbow, &target, start, 0, NULL),
                         locked[i] == 0 ? arcs : -1);
        assert_int_equal(lb_elbow_arcs(s.elbow, &target, NULL, 0, NULL), arcs);
    }
}

/* the arcs of a start are those of an arm whose neutral configuration has the locked joint there,
   and do not depend on earlier calls; their middles keep the limits at that start */
TEST(arcs_are_of_the_locked_joints_of_the_start)
{
    static const double locked[] = {1, 0, -0.6, 1, 0.3};
    owned_setting s = setting_of(build_arm(&LB_TRANSFORM_IDENTITY, UPPER_ARM, 0), "l8");
    int earlier = -1, changes = 0;
    for (size_t i = 0; i < sizeof locked / sizeof *locked; i++) {
        owned_setting fresh =
            setting_of(build_arm(&LB_TRANSFORM_IDENTITY, UPPER_ARM, locked[i]), "l8");
        double start[JOINTS + 1] = {0.2, 0.4, 0.3, locked[i], -0.7, 0.5, -0.6, 0.1}, q[JOINTS + 1];
        const lb_transform target = lb_transform_translation(0.2, 0.1, 0.7);
        lb_elbow_arc arcs[LB_ELBOW_ARCS_MAX], wanted[LB_ELBOW_ARCS_MAX];
        int count = lb_elbow_arcs(s.elbow, &target, start, LB_ELBOW_ARCS_MAX, arcs);
        assert_true(count > 0);
        assert_int_equal(lb_elbow_arcs(fresh.elbow, &target, NULL, LB_ELBOW_ARCS_MAX, wanted),
                         count);
        for (int k = 0; k < count; k++) {
            assert_int_equal(arcs[k].branch, wanted[k].branch);
            assert_near(arcs[k].begin, wanted[k].begin, 0);
            assert_near(arcs[k].end, wanted[k].end, 0);
            assert_int_equal(lb_elbow_at(s.elbow, &target, arcs[k].branch,
                                         0.5 * (arcs[k].begin + arcs[k].end), start, q),
                             LB_REACHED);
            assert_near(q[3], locked[i], 0);
        }
        changes += count != earlier;
        earlier = count;
    }
    // the locked joint does change them
    assert_true(changes > 1);
}

/* where places are rounded to more than is confirmed, nothing is proved of an arm's own pose */
TEST(own_poses_far_away_are_not_proved_away)
{
    lb_random random = test_seed(23);
    for (double far = 1; far < 1e10; far *= 10)
        for (int i = 0; i < 100; i++) {
            double start[JOINTS], q[JOINTS];
            lb_elbow_choice choice;
            lb_transform root = test_random_transform(&random);
            root.p = lb_vec3_scale(root.p, far);
            lb_model *model = build_arm(&root, NOWHERE, 0);
            owned_setting s = {.model = model,
                               .task = lb_task_make(JOINTS, LB_WORLD, LB_TASK_POSE)};
            assert_int_equal(lb_elbow_create(model, &s.task, NULL, &s.elbow, NULL), LB_OK);
            // whose axes miss each other there by more than it takes for an elbow: a few are enough
            if (lb_elbow_joint(s.elbow) != LB_ELBOW_CIRCLE) {
                assert_true(far > 1e5);
                i += 19;
            }
            lb_configuration_random(s.model, &random, start);
            // stretched now and then
            if (i % 2)
                start[3] = 0;
            lb_transform target = test_task_tool(s.model, &s.task, start);
            lb_outcome outcome =
                lb_elbow_best(s.elbow, &target, (lb_elbow_goal)(i % 3), start, q, &choice);
            if (outcome == LB_UNREACHABLE)
                fail_msg("arm %d at %g m: its own pose is proved to be out of reach", i, far);
            assert_true(far > 1e4 || i % 2 || outcome == LB_REACHED);
        }
}

/* ---- the same bits ------------------------------------------------------------ */

TEST(every_width_gives_the_same_bits)
{
    lb_random random = test_seed(15);
    for (int n = 0; n < 50; n++) {
        closed_arm arm = {.joints = 3, .home = LB_TRANSFORM_IDENTITY};
        kernel_wrist wrist;
        kernel_swivel rotation;
        kernel_swivelled one, other;
        lb_vec3 center;
        double angles[11];
        for (int i = 0; i < 3; i++) {
            arm.axis[i] = test_random_direction(&random);
            rotation.last[i] = test_random_direction(&random);
            rotation.side[i] = test_random_direction(&random);
            rotation.other[i] = test_random_direction(&random);
        }
        arm.home.p.x = 1;
        if (!closed_wrist(&arm, 0, CLOSED_EXACT, &wrist, &center))
            continue;
        for (int i = 0; i < 11; i++)
            angles[i] = lb_random_between(&random, -LB_PI, LB_PI);
        kernel_choose(1)->swivel(&wrist, &rotation, angles, 11, -1, &one);
        for (int width = 2; width <= 8; width *= 2) {
            kernel_choose(width)->swivel(&wrist, &rotation, angles, 11, -1, &other);
            for (int i = 0; i < 3; i++)
                assert_memory_equal(one.q[i], other.q[i], sizeof angles);
            assert_memory_equal(one.margin, other.margin, sizeof angles);
        }
    }
}

/* FNV-1a over the bits of arcs and of the best configurations */
static void add_numbers(uint64_t *hash, const double *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        for (int byte = 0; byte < 64; byte += 8)
            *hash = (*hash ^ (bits >> byte & 0xff)) * UINT64_C(0x100000001b3);
    }
}

TEST(results_have_golden_bits)
{
    owned_setting s = setting_of(test_load("iiwa14"), "flange");
    lb_random random = test_seed(17);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int k = 0; k < 50; k++) {
        double q[JOINTS];
        lb_elbow_arc arcs[LB_ELBOW_ARCS_MAX];
        lb_elbow_choice choice;
        lb_configuration_random(s.model, &random, q);
        lb_transform target = test_task_tool(s.model, &s.task, q);
        int count = lb_elbow_arcs(s.elbow, &target, NULL, LB_ELBOW_ARCS_MAX, arcs);
        for (int i = 0; i < count; i++)
            add_numbers(&hash, (const double[]){arcs[i].branch, arcs[i].begin, arcs[i].end}, 3);
        lb_configuration_random(s.model, &random, q);
        for (int goal = LB_ELBOW_NEAREST; goal <= LB_ELBOW_MANIPULABILITY; goal++) {
            lb_elbow_best(s.elbow, &target, (lb_elbow_goal)goal, q, q, &choice);
            add_numbers(&hash, q, JOINTS);
            add_numbers(&hash, &choice.value, 1);
        }
    }
    if (hash != GOLDEN)
        fail_msg("hash 0x%016llx", (unsigned long long)hash);
}
