/*
 * test_elbow_followed.c - arcs of arms that have no closed form, which are followed: against all
 * solutions where a joint is held at a random value, and against the arcs of the elbow's circle.
 */
#include "ik/elbow.h"
#include "kernel/general.h"
#include "support_load.h"

#include <limber/elbow.h>
#include <limber/solutions.h>

enum { JOINTS = 7, MOST = 16 };

/* An arm and its task. */
typedef struct setting {
    lb_model *model;
    lb_task task;
    lb_elbow *elbow;
} setting;

static setting setting_of(lb_model *model, int tip)
{
    setting s = {.model = model, .task = lb_task_make(tip, LB_WORLD, LB_TASK_POSE)};
    lb_error error;
    assert_made(lb_elbow_create(model, &s.task, NULL, &s.elbow, &error), error);
    return s;
}

static void release(setting *s)
{
    lb_elbow_release(s->elbow);
    lb_model_release(s->model);
}
#define owned_setting __attribute__((cleanup(release))) setting

/* an arm whose joints all are off by about 1e-4 metres and radians, as a calibration finds it */
static setting calibrated_arm(const char *name, const char *tip, lb_random *random)
{
    lb_joint joints[MOST];
    int count = 0;
    owned_model *model = test_load(name);
    const int last = lb_model_find_link(model, tip);
    for (int link = last; lb_model_parent(model, link) >= 0; link = lb_model_parent(model, link))
        count++;
    for (int link = last, i = count - 1; i >= 0; link = lb_model_parent(model, link), i--) {
        const lb_quat turn = lb_quat_from_axis_angle(test_random_direction(random), 1e-4);
        const lb_transform off =
            lb_transform_from_quat(turn, lb_vec3_scale(test_random_direction(random), 1e-4));
        joints[i] = *lb_model_joint(model, link - 1);
        joints[i].placement = lb_transform_multiply(&joints[i].placement, &off);
    }
    setting s = setting_of(test_chain(&LB_TRANSFORM_IDENTITY, joints, count), count);
    assert_int_equal(lb_elbow_joint(s.elbow), LB_ELBOW_LENGTH);
    return s;
}

/* axes and places at random, some limits beyond a turn */
static void random_joints(lb_random *random, lb_joint joints[JOINTS])
{
    for (int i = 0; i < JOINTS; i++) {
        joints[i] = test_joint(LB_JOINT_REVOLUTE, lb_vec3_scale(test_random_direction(random), 0.3),
                               test_random_direction(random));
        joints[i].lower[0] = lb_random_between(random, -4, -0.7);
        joints[i].upper[0] = lb_random_between(random, 0.7, 4);
    }
}

static setting arm_of(const lb_joint joints[JOINTS])
{
    return setting_of(test_chain(&LB_TRANSFORM_IDENTITY, joints, JOINTS), JOINTS);
}

static setting random_arm(lb_random *random)
{
    lb_joint joints[JOINTS];
    random_joints(random, joints);
    return arm_of(joints);
}

static lb_transform random_target(const setting *s, lb_random *random)
{
    double q[MOST];
    lb_configuration_random(s->model, random, q);
    return test_task_tool(s->model, &s->task, q);
}

static double distance(const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < JOINTS; k++)
        sum += lb_wrap_angle(a[k] - b[k]) * lb_wrap_angle(a[k] - b[k]);
    return sqrt(sum);
}

/* ---- what is on the arcs ------------------------------------------------------- */

/* the distance of a configuration from one arc */
static double distance_from_arc(const curve *c, int arc, const double *q)
{
    const double length = curve_length(c, arc);
    const int count = 2 + (int)(length / 0.05);
    double at = 0, step = length / (count - 1), best = INFINITY, x[JOINTS];
    for (int i = 0; i < count; i++) {
        curve_at(c, arc, i * step, x);
        if (distance(q, x) < best) {
            best = distance(q, x);
            at = i * step;
        }
    }
    for (; best < 0.1 && step > 1e-8; step *= 0.5)
        for (int side = -1; side <= 1; side += 2) {
            curve_at(c, arc, at + side * step, x);
            if (distance(q, x) < best) {
                best = distance(q, x);
                at += side * step;
            }
        }
    return best;
}

static bool is_on_an_arc(const curve *c, const double *q)
{
    for (int i = 0; i < c->arcs.count; i++)
        if (distance_from_arc(c, i, q) < 1e-6)
            return true;
    return false;
}

/* How many solutions were looked at, and how many are on no arc. */
typedef struct tally {
    int solutions, missed;
} tally;

/* solutions inside the limits where one joint is held at random values */
static void judge(const setting *s, int held, const lb_transform *target, lb_random *random,
                  tally *t)
{
    lb_joint_setting lock = lb_joint_setting_make(s->elbow->chain.joints[held].joint);
    lb_solutions_options options = lb_solutions_options_default();
    owned_solutions *solver = NULL;
    lb_solutions_summary summary;
    lb_solution infos[16];
    double start[MOST], q[16 * MOST];
    lock.locked = true;
    lock.value = NAN;
    options.joints = &lock;
    options.joint_count = 1;
    assert_ok(lb_solutions_create(s->model, &s->task, &options, NULL, &solver, NULL));
    lb_configuration_random(s->model, random, start);
    const int count = lb_solutions(solver, target, start, 16, q, infos, &summary);
    for (int i = 0; i < count; i++) {
        double own[JOINTS];
        for (int k = 0; k < JOINTS; k++)
            own[k] = q[i * lb_model_nq(s->model) + s->elbow->chain.joints[k].q];
        t->solutions++;
        t->missed += !is_on_an_arc(s->elbow->curve, own);
    }
}

static void judge_arm(setting *s, int poses, lb_random *random, tally *t)
{
    for (int i = 0; i < poses; i++) {
        const lb_transform target = random_target(s, random);
        lb_elbow_arcs(s->elbow, &target, NULL, 0, NULL);
        for (int held = 0; held < JOINTS; held++)
            judge(s, held, &target, random, t);
    }
    release(s);
}

/* which is measured, not proved: loops that are short are missed now and then */
TEST(nearly_all_solutions_are_on_an_arc)
{
    lb_random random = test_seed(31);
    tally t = {0};
    for (int i = 0; i < FEWER(2, 1); i++) {
        setting s = calibrated_arm("panda", "panda_hand", &random);
        judge_arm(&s, FEWER(8, 1), &random, &t);
        s = calibrated_arm("iiwa14", "flange", &random);
        judge_arm(&s, FEWER(4, 1), &random, &t);
    }
    for (int i = 0; i < FEWER(10, 2); i++) {
        setting s = random_arm(&random);
        judge_arm(&s, FEWER(3, 1), &random, &t);
    }
    assert_true(t.solutions > FEWER(300, 20));
    if (t.missed > 1)
        fail_msg("%d of %d solutions are on no arc", t.missed, t.solutions);
}

/* an arm whose arcs are known: where one ends another one ends, too */
TEST(arcs_are_those_of_the_circle)
{
    lb_random random = test_seed(32);
    owned_model *model = test_load("iiwa14");
    lb_task task = lb_task_make(lb_model_find_link(model, "flange"), LB_WORLD, LB_TASK_POSE);
    setting s = {.model = model, .task = task};
    assert_ok(lb_elbow_create(model, &task, NULL, &s.elbow, NULL));
    curve *c = calloc(1, sizeof *c);
    assert_true(c && curve_prepare(c, &s.elbow->chain, kernel_choose_general(0)));
    for (int i = 0; i < FEWER(8, 2); i++) {
        const lb_transform target = random_target(&s, &random);
        lb_elbow_arc arcs[LB_ELBOW_ARCS_MAX];
        const int count = lb_elbow_arcs(s.elbow, &target, NULL, LB_ELBOW_ARCS_MAX, arcs);
        curve_find(c, &target);
        curve_find_arcs(c);
        assert_int_equal(c->arcs.count, count);
        for (int k = 0; k < 2 * count; k++) {
            double q[MOST], end[JOINTS], nearest = INFINITY;
            const lb_elbow_arc *arc = &arcs[k / 2];
            lb_elbow_at(s.elbow, &target, arc->branch, k % 2 ? arc->end : arc->begin, NULL, q);
            if (arc->end - arc->begin > 2 * LB_PI - 1e-9)
                continue;
            for (int j = 0; j < 2 * count; j++) {
                curve_at(c, j / 2, j % 2 ? curve_length(c, j / 2) : 0, end);
                nearest = fmin(nearest, distance(q, end));
            }
            assert_true(nearest < 1e-8);
        }
    }
    free(c);
    lb_elbow_release(s.elbow);
}

/* ---- what is said of them ------------------------------------------------------- */

static double margin(const lb_model *model, const double *q)
{
    double least = 1;
    for (int i = 0; i < JOINTS; i++) {
        const lb_joint *joint = lb_model_joint(model, i);
        const double half = 0.5 * (joint->upper[0] - joint->lower[0]);
        least = fmin(least, fmin(q[i] - joint->lower[0], joint->upper[0] - q[i]) / half);
    }
    return least;
}

/* all along an arc the target is reached inside the limits; both ends are at a limit, to the last
   bits, or are one */
static void check_arc(const setting *s, const lb_transform *target, const lb_elbow_arc *arc)
{
    double q[MOST], first[MOST];
    assert_near(arc->begin, 0, 0);
    assert_true(arc->end > 0);
    for (int i = 0; i <= 20; i++) {
        const double at = arc->end * (i / 20.0);
        assert_int_equal(lb_elbow_at(s->elbow, target, arc->branch, at, NULL, q), LB_REACHED);
        assert_int_equal(lb_configuration_validate(s->model, q, 0, NULL), LB_OK);
        const lb_transform tool = test_task_tool(s->model, &s->task, q);
        assert_true(lb_vec3_length(lb_vec3_sub(tool.p, target->p)) <= 1e-9);
        assert_true(lb_transform_angle(&tool, target) <= 1e-9);
        if (i == 0)
            memcpy(first, q, sizeof first);
    }
    const bool round = distance(first, q) < 1e-9;
    assert_true(round || (margin(s->model, first) <= 1e-14 && margin(s->model, q) <= 1e-14));
    // beyond an end there is nothing; round a whole curve it goes on
    assert_int_equal(lb_elbow_at(s->elbow, target, arc->branch, -0.01, NULL, q) == LB_REACHED,
                     round);
}

TEST(arcs_keep_the_limits_to_their_ends)
{
    lb_random random = test_seed(33);
    int arcs = 0;
    for (int i = 0; i < FEWER(6, 2); i++) {
        owned_setting s = random_arm(&random);
        assert_int_equal(lb_elbow_joint(s.elbow), LB_ELBOW_LENGTH);
        for (int k = 0; k < FEWER(5, 1); k++) {
            const lb_transform target = random_target(&s, &random);
            lb_elbow_arc all[LB_ELBOW_ARCS_MAX];
            const int count = lb_elbow_arcs(s.elbow, &target, NULL, LB_ELBOW_ARCS_MAX, all);
            double q[MOST];
            for (int j = 0; j < count; j++, arcs++)
                check_arc(&s, &target, &all[j]);
            assert_int_equal(lb_elbow_at(s.elbow, &target, count, 0, NULL, q), LB_UNREACHABLE);
            assert_int_equal(lb_elbow_at(s.elbow, &target, -1, 0, NULL, q), LB_INVALID);
        }
    }
    assert_true(arcs > FEWER(60, 2));
}

/* where a joint is greatest along an arc, -1: at an end */
static int find_summit(const curve *c, int arc, int joint, double q[JOINTS])
{
    enum { STEPS = 200 };
    const double length = curve_length(c, arc);
    double best = -INFINITY, at = 0, x[JOINTS];
    int place = -1;
    for (int i = 0; i <= STEPS; i++) {
        curve_at(c, arc, length * i / STEPS, x);
        if (x[joint] > best) {
            best = x[joint];
            place = i;
        }
    }
    at = length * place / STEPS;
    for (double step = length / STEPS; step > 1e-9; step *= 0.5)
        for (int side = -1; side <= 1; side += 2) {
            curve_at(c, arc, at + side * step, x);
            if (x[joint] > best) {
                best = x[joint];
                at += side * step;
            }
        }
    curve_at(c, arc, at, q);
    return place > 0 && place < STEPS ? place : -1;
}

/* an arc ends where a joint passes its limit by a hundredth of a milliradian, and goes on where
   that is missing */
TEST(limits_that_are_hardly_passed_end_an_arc)
{
    lb_random random = test_seed(38);
    int summits = 0;
    for (int i = 0; i < FEWER(20, 4); i++) {
        lb_joint joints[JOINTS];
        double q[JOINTS];
        random_joints(&random, joints);
        const int k = i % JOINTS;
        joints[k].lower[0] = -2.5;
        joints[k].upper[0] = 2.5;
        owned_setting s = arm_of(joints);
        const lb_transform target = random_target(&s, &random);
        const int count = lb_elbow_arcs(s.elbow, &target, NULL, 0, NULL);
        if (count > 0 && find_summit(s.elbow->curve, i % count, k, q) > 0)
            for (int side = -1; side <= 1; side += 2, summits++) {
                joints[k].upper[0] = lb_wrap_angle(q[k]) + side * 1e-5;
                owned_setting other = arm_of(joints);
                lb_elbow_arcs(other.elbow, &target, NULL, 0, NULL);
                assert_int_equal(is_on_an_arc(other.elbow->curve, q), side > 0);
            }
    }
    assert_true(summits > FEWER(9, 0));
}

/* the results of a target do not depend on the one before */
TEST(results_depend_on_the_target_alone)
{
    lb_random random = test_seed(34);
    owned_setting s = calibrated_arm("panda", "panda_hand", &random);
    const lb_transform one = random_target(&s, &random), other = random_target(&s, &random);
    lb_elbow_arc arcs[LB_ELBOW_ARCS_MAX], again[LB_ELBOW_ARCS_MAX];
    lb_elbow_choice choice;
    double q[MOST];
    const int count = lb_elbow_arcs(s.elbow, &one, NULL, LB_ELBOW_ARCS_MAX, arcs);
    lb_elbow_best(s.elbow, &other, LB_ELBOW_MARGIN, NULL, q, &choice);
    assert_int_equal(lb_elbow_arcs(s.elbow, &one, NULL, LB_ELBOW_ARCS_MAX, again), count);
    assert_true(count > 0);
    for (int i = 0; i < count; i++)
        assert_near(arcs[i].end, again[i].end, 0);
}

/* ---- the best ------------------------------------------------------------------- */

/* no place of an arc is nearer, or has more room */
static void check_best(const setting *s, const lb_transform *target, const double *start)
{
    lb_elbow_arc arcs[LB_ELBOW_ARCS_MAX];
    lb_elbow_choice nearest, widest;
    double q[MOST], x[MOST];
    assert_int_equal(lb_elbow_best(s->elbow, target, LB_ELBOW_MARGIN, start, x, &widest),
                     LB_REACHED);
    assert_near(widest.value, margin(s->model, x), 1e-12);
    assert_int_equal(lb_elbow_best(s->elbow, target, LB_ELBOW_NEAREST, start, q, &nearest),
                     LB_REACHED);
    assert_int_equal(lb_elbow_at(s->elbow, target, nearest.branch, nearest.angle, start, x),
                     LB_REACHED);
    assert_true(distance(q, x) < 1e-9);
    const int count = lb_elbow_arcs(s->elbow, target, start, LB_ELBOW_ARCS_MAX, arcs);
    for (int i = 0; i < count; i++)
        for (int k = 0; k <= 40; k++) {
            double off = 0;
            lb_elbow_at(s->elbow, target, arcs[i].branch, arcs[i].end * (k / 40.0), start, x);
            for (int j = 0; j < JOINTS; j++)
                off += (x[j] - start[j]) * (x[j] - start[j]);
            assert_true(nearest.value <= sqrt(off) + 1e-5);
            assert_true(widest.value >= margin(s->model, x) - 1e-4);
        }
}

TEST(the_best_is_no_worse_than_any)
{
    lb_random random = test_seed(35);
    for (int i = 0; i < FEWER(8, 2); i++) {
        owned_setting s = random_arm(&random);
        for (int k = 0; k < FEWER(5, 1); k++) {
            double start[MOST];
            const lb_transform target = random_target(&s, &random);
            lb_configuration_random(s.model, &random, start);
            check_best(&s, &target, start);
        }
    }
}

/* joints at their limits leave no arc, or a short one: it is reached, or nothing is claimed */
TEST(poses_at_corners_are_not_proved_away)
{
    lb_random random = test_seed(36);
    int reached = 0, poses = 0;
    for (int i = 0; i < FEWER(8, 2); i++) {
        owned_setting s = random_arm(&random);
        for (int k = 0; k < FEWER(10, 2); k++, poses++) {
            double q[MOST];
            lb_elbow_choice choice;
            lb_configuration_random(s.model, &random, q);
            for (int j = 0; j < JOINTS; j++) {
                const lb_joint *joint = lb_model_joint(s.model, j);
                const double chance = lb_random_unit(&random);
                q[j] = chance < 0.4 ? joint->lower[0] : chance < 0.8 ? joint->upper[0] : q[j];
            }
            const lb_transform target = test_task_tool(s.model, &s.task, q);
            lb_elbow_best(s.elbow, &target, (lb_elbow_goal)(k % 3), NULL, q, &choice);
            assert_true(choice.outcome != LB_UNREACHABLE && choice.outcome != LB_INVALID);
            if (choice.outcome == LB_REACHED)
                assert_int_equal(lb_configuration_validate(s.model, q, 0, NULL), LB_OK);
            reached += choice.outcome == LB_REACHED;
        }
    }
    assert_true(reached * 10 >= poses * 9);
}

/* starts with two joints at limits are on no arc, and nearly all are the nearest to themselves */
TEST(starts_in_corners_of_limits_are_found)
{
    lb_random random = test_seed(38);
    owned_setting s = calibrated_arm("panda", "panda_hand", &random);
    int missed = 0;
    for (int k = 0; k < FEWER(200, 20); k++) {
        lb_elbow_choice choice;
        double start[MOST], q[MOST];
        test_corner(s.model, JOINTS, k, &random, start);
        const lb_transform target = test_task_tool(s.model, &s.task, start);
        lb_elbow_best(s.elbow, &target, LB_ELBOW_NEAREST, start, q, &choice);
        assert_int_equal(choice.outcome, LB_REACHED);
        assert_int_equal(lb_configuration_validate(s.model, q, 0, NULL), LB_OK);
        missed += choice.value > 1e-3;
    }
    assert_in_range(missed, 0, FEWER(200, 20) / 10);
}

/* where curves cross, every place of an arc is confirmed or refused, none is said not to exist */
TEST(singular_targets_claim_nothing)
{
    lb_random random = test_seed(39);
    lb_joint joints[JOINTS];
    int reached = 0, places = 0;
    for (int i = 0; i < JOINTS; i++) {
        joints[i] = test_joint(LB_JOINT_REVOLUTE, lb_vec3_make(0.02, 0, 0.2),
                               lb_vec3_make(0, i % 2, 1 - i % 2));
        joints[i].lower[0] = -2.5;
        joints[i].upper[0] = 2.5;
    }
    owned_setting s = arm_of(joints);
    assert_int_equal(lb_elbow_joint(s.elbow), LB_ELBOW_LENGTH);
    for (int i = 0; i < FEWER(12, 2); i++) {
        double q[MOST];
        lb_elbow_arc arcs[LB_ELBOW_ARCS_MAX];
        lb_configuration_random(s.model, &random, q);
        for (int k = 0; k < JOINTS; k++)
            q[k] = lb_random_unit(&random) < 0.6 ? 0 : q[k];
        const lb_transform target = test_task_tool(s.model, &s.task, q);
        const int count = lb_elbow_arcs(s.elbow, &target, NULL, LB_ELBOW_ARCS_MAX, arcs);
        assert_true(count >= 0 && count <= LB_ELBOW_ARCS_MAX);
        for (int k = 0; k < 5 * count; k++, places++) {
            const lb_elbow_arc *arc = &arcs[k / 5];
            const lb_outcome outcome =
                lb_elbow_at(s.elbow, &target, arc->branch, arc->end * (k % 5 / 4.0), NULL, q);
            assert_true(outcome != LB_UNREACHABLE && outcome != LB_INVALID);
            const lb_transform tool = test_task_tool(s.model, &s.task, q);
            if (outcome == LB_REACHED) {
                assert_true(lb_vec3_length(lb_vec3_sub(tool.p, target.p)) <= 1e-9);
                assert_int_equal(lb_configuration_validate(s.model, q, 0, NULL), LB_OK);
            }
            reached += outcome == LB_REACHED;
        }
    }
    assert_true(reached * 10 > places * 9);
}

TEST(targets_out_of_reach_are_exhausted)
{
    lb_random random = test_seed(37);
    owned_setting s = random_arm(&random);
    const lb_transform target = lb_transform_translation(5, 6, 7);
    double q[MOST];
    lb_elbow_choice choice;
    assert_int_equal(lb_elbow_arcs(s.elbow, &target, NULL, 0, NULL), 0);
    assert_int_equal(lb_elbow_best(s.elbow, &target, LB_ELBOW_NEAREST, NULL, q, &choice),
                     LB_EXHAUSTED);
    assert_int_equal(choice.branch, 0);
}

/* joints with parallel axes move the tool alike: nothing can be followed */
TEST(flat_arms_are_refused)
{
    lb_joint joints[JOINTS];
    lb_elbow *elbow;
    lb_error error;
    for (int i = 0; i < JOINTS; i++)
        joints[i] = test_joint(LB_JOINT_REVOLUTE, lb_vec3_make(0.3, 0, 0), lb_vec3_make(0, 0, 1));
    owned_model *model = test_chain(&LB_TRANSFORM_IDENTITY, joints, JOINTS);
    const lb_task task = lb_task_make(JOINTS, LB_WORLD, LB_TASK_POSE);
    assert_int_equal(lb_elbow_create(model, &task, NULL, &elbow, &error), LB_UNSUPPORTED);
    assert_non_null(strstr(error.message, "free motion is not known"));
    assert_null(elbow);
}
