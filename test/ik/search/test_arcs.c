/*
 * test_arcs.c - the nearest of all arcs of arms of seven joints: against solutions listed at many
 * values of a joint, of built-in arms and of arms at odd angles, whose first three axes meet and
 * whose fifth and sixth do, or the other way round; and the same bits at every width.
 */
#include <limber/batch.h>
#include <limber/elbow.h>
#include <limber/solutions.h>
#include <math.h>
#include <string.h>

#include "harness.h"
#include "support_load.h"

enum { JOINTS = 7, MOST = 16, LISTED = 64 };

/* ---- arms ------------------------------------------------------------------- */

/* an axis that is at right angles to the one before it, or at any angle */
static lb_vec3 next_axis(lb_random *random, lb_vec3 before, bool right)
{
    lb_vec3 axis = test_random_direction(random);
    return right ? lb_vec3_normalize(lb_vec3_cross(before, axis), lb_vec3_perpendicular(before))
                 : axis;
}

/*
 * Seven joints; the place of joint i is `links[i]` metres from the one before it, in any direction.
 * `right`: the three axes that meet are at right angles.
 */
static lb_model *build(lb_random *random, const double *links, bool right)
{
    lb_joint joints[JOINTS];
    lb_vec3 axis = lb_vec3_make(0, 0, 1);
    for (int i = 0; i < JOINTS; i++) {
        joints[i] = lb_joint_default();
        joints[i].kind = LB_JOINT_REVOLUTE;
        joints[i].axis = axis = next_axis(random, axis, right);
        joints[i].placement.p = lb_vec3_scale(test_random_direction(random), links[i]);
        joints[i].lower[0] = lb_random_between(random, -3.6, -1);
        joints[i].upper[0] = lb_random_between(random, 1, 3.6);
    }
    return test_chain(&LB_TRANSFORM_IDENTITY, joints, JOINTS);
}

/* axes 1 to 3 meet, and 5 and 6 do; or 2 and 3 meet, and 5 to 7 do */
static lb_model *build_odd(lb_random *random, bool mirrored, bool right)
{
    static const double usual[JOINTS] = {0.3, 0, 0, 0.35, 0.4, 0, 0.15};
    static const double other[JOINTS] = {0.2, 0.15, 0, 0.4, 0.35, 0, 0};
    return build(random, mirrored ? other : usual, right);
}

/* ---- the nearest -------------------------------------------------------------- */

/* A solver, and one that lists solutions at many values of a joint. */
typedef struct both {
    const lb_model *model;
    lb_task task;
    lb_ik *ik;
    lb_solutions_solver *list;
} both;

static both both_of(const lb_model *model, const char *tip, int values)
{
    both b = {.model = model};
    lb_solutions_options options = lb_solutions_options_default();
    lb_error error;
    options.redundancy = values;
    b.task = lb_task_make(lb_model_find_link(model, tip), LB_WORLD, LB_TASK_POSE);
    b.ik = test_solver(model, &b.task, 1, NULL);
    assert_made(lb_solutions_create(model, &b.task, &options, NULL, &b.list, &error), error);
    return b;
}

static void release(both *b)
{
    lb_ik_release(b->ik);
    lb_solutions_release(b->list);
}

static double distance(const lb_model *model, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < lb_model_nq(model); i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* a configuration, each of whose joints is exactly at one of its limits by a chance */
static void take_corner(const lb_model *model, lb_random *random, double chance, double *q)
{
    lb_configuration_random(model, random, q);
    for (int i = 0; i < JOINTS && chance > 0; i++) {
        const double drawn = lb_random_unit(random);
        const lb_joint *joint = lb_model_joint(model, i);
        if (drawn < chance)
            q[i] = drawn < 0.5 * chance ? joint->lower[0] : joint->upper[0];
    }
}

/* nothing that is listed is nearer than the result, for poses of joints at their limits neither */
static void check_nearest(const both *b, lb_random *random, double at_limits, int poses)
{
    for (int n = 0; n < poses; n++) {
        double made[MOST], start[MOST], q[MOST], rows[LISTED * MOST];
        lb_solution infos[LISTED];
        lb_solutions_summary summary;
        take_corner(b->model, random, at_limits, made);
        lb_configuration_random(b->model, random, start);
        const lb_transform target = test_task_tool(b->model, &b->task, made);
        // joints that do not move the tool keep the start's values
        assert_int_equal(lb_ik_solve(b->ik, &target, start, q, NULL), LB_REACHED);
        const double found = distance(b->model, q, start);
        const int count = lb_solutions(b->list, &target, start, 1, rows, infos, &summary);
        const double listed = count > 0 ? distance(b->model, rows, start) : INFINITY;
        if (found > listed * (1 + 2e-5) + 1e-6)
            fail_msg("%s, pose %d: %.9g from the start, but there is one at %.9g",
                     lb_model_name(b->model), n, found, listed);
        // the configuration that made the pose is its own nearest
        assert_int_equal(lb_ik_solve(b->ik, &target, made, q, NULL), LB_REACHED);
        assert_true(distance(b->model, q, made) <= 1e-6);
    }
}

TEST(nothing_listed_is_nearer)
{
    const char *const arms[][2] = {{"panda", "panda_hand"}, {"iiwa14", "flange"}};
    lb_random random = test_seed(21);
    for (int i = 0; i < 2; i++) {
        owned_model *model = test_load(arms[i][0]);
        both b = both_of(model, arms[i][1], FEWER(400, 100));
        check_nearest(&b, &random, 0, FEWER(60, 6));
        check_nearest(&b, &random, 0.4, FEWER(60, 6));
        release(&b);
    }
}

TEST(arms_at_odd_angles_have_none_nearer)
{
    lb_random random = test_seed(22);
    for (int i = 0; i < FEWER(48, 8); i++) {
        owned_model *model = build_odd(&random, i & 1, i >> 1 & 1);
        both b = both_of(model, "l7", 150);
        check_nearest(&b, &random, 0, 3);
        check_nearest(&b, &random, 0.3, 3);
        release(&b);
    }
}

/* ---- arcs --------------------------------------------------------------------- */

/* how far inside the arcs of a branch a value is; below 0: outside */
static double depth(const lb_elbow_arc *arcs, int count, int branch, double value)
{
    double most = -INFINITY;
    for (int i = 0; i < count; i++)
        for (int turn = -1; turn <= 1 && arcs[i].branch == branch; turn++) {
            const double at = value + 2 * LB_PI * turn;
            most = fmax(most, fmin(at - arcs[i].begin, arcs[i].end - at));
        }
    return most;
}

/* each value by itself: inside an arc if and only if the branch keeps the limits there; returns how
   many are */
static int check_arcs(const lb_model *model, lb_elbow *elbow, const lb_transform *target)
{
    enum { VALUES = 240 };
    lb_elbow_arc arcs[LB_ELBOW_ARCS_MAX];
    const int count = lb_elbow_arcs(elbow, target, NULL, LB_ELBOW_ARCS_MAX, arcs);
    const int joint = lb_model_joint_q(model, lb_elbow_joint(elbow));
    int inside = 0;
    for (int branch = 0; branch < LB_ELBOW_BRANCHES; branch++)
        for (int k = 0; k < VALUES; k++) {
            double q[MOST], value = -LB_PI + 2 * LB_PI * (k + 0.37) / VALUES;
            const bool kept = lb_elbow_at(elbow, target, branch, value, NULL, q) == LB_REACHED;
            const double in = depth(arcs, count, branch, value);
            if (fabs(in) > 1e-7 && kept != (in > 0))
                fail_msg("%s: branch %d at %.9g is %s, but %g inside the arcs",
                         lb_model_name(model), branch, value, kept ? "inside" : "outside", in);
            // the angle is the joint's, on some turn
            if (kept)
                assert_near(cos(q[joint] - value), 1, 1e-12);
            inside += kept;
        }
    return inside;
}

TEST(arcs_of_arms_at_odd_angles_are_where_limits_are_kept)
{
    lb_random random = test_seed(24);
    int inside = 0;
    for (int i = 0; i < FEWER(60, 10); i++) {
        owned_model *model = build_odd(&random, i & 1, true);
        lb_task task = lb_task_make(lb_model_find_link(model, "l7"), LB_WORLD, LB_TASK_POSE);
        owned_elbow *elbow = NULL;
        double made[JOINTS];
        assert_int_equal(lb_elbow_create(model, &task, NULL, &elbow, NULL), LB_OK);
        lb_configuration_random(model, &random, made);
        const lb_transform target = test_task_tool(model, &task, made);
        inside += check_arcs(model, elbow, &target);
    }
    assert_true(inside > 500);
}

/* ---- bits --------------------------------------------------------------------- */

TEST(every_width_and_batch_has_the_same_bits)
{
    static const int widths[] = {1, 2, 4, 8};
    enum { POSES = 24 };
    owned_model *model = test_load("panda");
    const int nq = lb_model_nq(model);
    lb_task task = lb_task_make(lb_model_find_link(model, "panda_hand"), LB_WORLD, LB_TASK_POSE);
    lb_transform targets[POSES];
    double starts[POSES * MOST], first[POSES * MOST], q[POSES * MOST];
    lb_random random = test_seed(23);
    for (int i = 0; i < POSES; i++) {
        lb_configuration_random(model, &random, q);
        lb_configuration_random(model, &random, starts + i * nq);
        targets[i] = test_task_tool(model, &task, q);
    }
    for (int w = 0; w < 4; w++) {
        lb_ik_options options = lb_ik_options_default();
        options.width = widths[w];
        owned_ik *ik = test_solver(model, &task, 1, &options);
        for (int i = 0; i < POSES; i++)
            lb_ik_solve(ik, &targets[i], starts + i * nq, q + i * nq, NULL);
        if (w == 0)
            memcpy(first, q, sizeof(double) * POSES * (size_t)nq);
        assert_memory_equal(first, q, sizeof(double) * POSES * (size_t)nq);
        const lb_batch batch = {.targets = targets, .starts = starts, .q = q};
        assert_int_equal(lb_batch_solve(ik, &batch, 0, POSES), POSES);
        assert_memory_equal(first, q, sizeof(double) * POSES * (size_t)nq);
    }
}
