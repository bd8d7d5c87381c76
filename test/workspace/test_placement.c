/*
 * test_placement.c - the best places for a robot.
 *
 * Oracles: the place that targets were made from; a disc and a ring, known exactly; a solver.
 */
#include <limber/formats/load.h>
#include <limber/limber.h>

#include "support_load.h"

static lb_task task_of(const lb_model *model, const char *tip, lb_task_kind kind)
{
    return lb_task_make(lb_model_find_link(model, tip), LB_WORLD, kind);
}

static lb_placement *make(const lb_model *model, const lb_task *task, const lb_transform *targets,
                          int count, lb_placement_options options)
{
    lb_placement *placement = NULL;
    lb_error error = {0};
    if (lb_placement_create(model, task, targets, count, &options, NULL, &placement, &error) !=
        LB_OK)
        fail_msg("%s", error.message);
    return placement;
}

/* poses that a UR5 has where it is are all reached from there, and solvers agree elsewhere */
TEST(the_place_that_made_them_reaches_all)
{
    enum { COUNT = 12 };
    owned_model *model = test_load("ur5");
    lb_task task = task_of(model, "tool0", LB_TASK_POSE);
    owned_state *pose = test_state(model);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    lb_random random = test_seed(3);
    lb_transform targets[COUNT];
    double q[6], start[6];
    for (int i = 0; i < COUNT; i++) {
        lb_configuration_random(model, &random, q);
        lb_state_update(pose, q);
        targets[i] = lb_state_transform(pose, LB_WORLD, task.tip);
    }
    lb_placement_options options = lb_placement_options_default();
    options.cell = 0.25;
    options.turns = 4;
    owned_placement *placement = make(model, &task, targets, COUNT, options);
    lb_configuration_neutral(model, start);
    bool found = false;
    for (size_t i = 0; i < lb_placement_count(placement); i++) {
        lb_place place = lb_placement_solve(placement, i);
        int reached = 0;
        for (int k = 0; k < COUNT; k++) {
            lb_transform seen = lb_transform_between(&place.robot, &targets[k]);
            lb_ik_result result;
            reached += lb_ik_solve(ik, &seen, start, q, &result) == LB_REACHED;
        }
        assert_int_equal(place.reached, reached);
        assert_true(place.margin >= 0 && place.margin <= 1);
        bool origin = lb_vec3_length(place.robot.p) < 1e-12 && place.robot.x.x > 0.9;
        if (origin)
            assert_int_equal(place.reached, COUNT);
        found = found || origin;
    }
    assert_true(found);
}

/* the largest margin of all solutions on all turns, by their definition; -1: there is none */
static double best_margin(lb_solutions_solver *solver, const lb_model *model,
                          const lb_transform *target)
{
    enum { ROOM = 1024 };
    static double q[ROOM * 6];
    static lb_solution infos[ROOM];
    lb_solutions_summary summary;
    double best = -1;
    int count = lb_solutions(solver, target, NULL, ROOM, q, infos, &summary);
    assert_false(summary.truncated);
    for (int i = 0; i < count; i++) {
        double least = 1;
        for (int k = 0; k < 6; k++) {
            const lb_joint *joint = lb_model_joint(model, k);
            double middle = (joint->lower[0] + joint->upper[0]) / 2, at = q[6 * i + k];
            assert_int_equal(lb_model_joint_q(model, k), k);
            least = fmin(least, 1 - fabs(at - middle) / (joint->upper[0] - middle));
        }
        best = fmax(best, least);
    }
    return best;
}

/* a place's margin is that of the best solution of each target */
TEST(margins_are_of_all_solutions)
{
    enum { COUNT = 3 };
    static const char *const names[] = {"ur5", "kr6"};
    for (int m = 0; m < 2; m++) {
        owned_model *model = test_load(names[m]);
        lb_task task = task_of(model, "tool0", LB_TASK_POSE);
        lb_solutions_options listing = lb_solutions_options_default();
        owned_solutions *solver = NULL;
        listing.copies = true;
        assert_int_equal(lb_solutions_create(model, &task, &listing, NULL, &solver, NULL), LB_OK);
        lb_transform targets[COUNT];
        for (int i = 0; i < COUNT; i++)
            targets[i] = lb_transform_from_quat(lb_quat_from_rpy(LB_PI - 0.3 * i, 0.1, 0.4 * i),
                                                lb_vec3_make(1 + 0.15 * i, 2, 0.4));
        lb_placement_options options = lb_placement_options_default();
        options.cell = 0.3;
        options.turns = 4;
        owned_placement *placement = make(model, &task, targets, COUNT, options);
        int compared = 0;
        for (size_t i = 0; i < lb_placement_count(placement); i++) {
            lb_place place = lb_placement_solve(placement, i);
            double margin = place.reached > 0 ? 1 : 0;
            for (int k = 0; k < COUNT; k++) {
                lb_transform seen = lb_transform_between(&place.robot, &targets[k]);
                double best = best_margin(solver, model, &seen);
                margin = best < 0 ? margin : fmin(margin, best);
            }
            assert_near(place.margin, margin, 1e-9);
            compared += place.reached;
        }
        assert_true(compared > 50);
    }
}

/* a tool on a joint's axis, aside of the robot's origin: one place reaches it, but for rounding */
TEST(a_tool_that_stays_is_reached)
{
    enum { COUNT = 100 };
    lb_link links[2] = {lb_link_default(), lb_link_default()};
    lb_joint joint = lb_joint_default();
    joint.name = joint.parent = links[0].name = "a";
    joint.child = links[1].name = "b";
    joint.kind = LB_JOINT_CONTINUOUS;
    joint.placement = lb_transform_translation(0.1, 0.2, 0.3);
    lb_model_source source = {.name = "column",
                              .root = LB_TRANSFORM_IDENTITY,
                              .links = links,
                              .link_count = 2,
                              .joints = &joint,
                              .joint_count = 1};
    owned_model *model = NULL;
    assert_int_equal(lb_model_build(&source, NULL, &model, NULL), LB_OK);
    lb_task task = lb_task_make(1, LB_WORLD, LB_TASK_POSITION);
    lb_placement_options options = lb_placement_options_default();
    options.turns = 1;
    for (int i = 0; i < COUNT; i++) {
        lb_transform target = lb_transform_translation(0.1 + 0.1 * i, 0.2 - 0.3 * i, 0.3);
        owned_placement *placement = make(model, &task, &target, 1, options);
        int reached = 0;
        for (size_t k = 0; k < lb_placement_count(placement); k++)
            reached += lb_placement_solve(placement, k).reached;
        assert_int_equal(reached, 1);
    }
}

/* planar2 has two links of a metre: it reaches what is at most two metres away */
TEST(a_disc_is_reached)
{
    owned_model *model = test_load("planar2");
    lb_task task = task_of(model, "tip", LB_TASK_POSITION);
    lb_transform target = lb_transform_translation(3, -1, 0);
    lb_placement_options options = lb_placement_options_default();
    options.cell = 0.37;
    options.turns = 1;
    owned_placement *placement = make(model, &task, &target, 1, options);
    int reached = 0;
    for (size_t i = 0; i < lb_placement_count(placement); i++) {
        lb_place place = lb_placement_solve(placement, i);
        double distance = lb_vec3_length(lb_vec3_sub(place.robot.p, target.p));
        assert_int_equal(place.reached, distance < 2);
        reached += place.reached;
    }
    // pi 2^2 m^2 of cells of 0.37^2 m^2
    assert_in_range(reached, 80, 104);
}

static void refuse(const lb_model *model, lb_task task, lb_transform target, int count,
                   lb_placement_options options, const char *word)
{
    lb_placement *placement = NULL;
    lb_error error = {0};
    assert_int_not_equal(
        lb_placement_create(model, &task, &target, count, &options, NULL, &placement, &error),
        LB_OK);
    assert_null(placement);
    if (strstr(error.message, word) == NULL)
        fail_msg("'%s' does not name '%s'", error.message, word);
}

TEST(what_makes_no_sense_is_refused)
{
    owned_model *model = test_load("ur5");
    lb_task task = task_of(model, "tool0", LB_TASK_POSE), other = task;
    lb_transform target = LB_TRANSFORM_IDENTITY, bent = target;
    lb_placement_options options = lb_placement_options_default(), odd = options;
    refuse(model, task, target, 0, options, "no target");
    bent.x.x = 2;
    refuse(model, task, bent, 1, options, "target 1");
    odd.turns = 0;
    refuse(model, task, target, 1, odd, "turns");
    odd = options;
    odd.cell = -1;
    refuse(model, task, target, 1, odd, "cell");
    odd.cell = 1e16;
    refuse(model, task, target, 1, odd, "cell");
    odd = options;
    odd.height = -1e16;
    refuse(model, task, target, 1, odd, "height");
    odd.height = 0;
    odd.cell = 1e-9;
    refuse(model, task, target, 1, odd, "too small");
    other.base = 1;
    refuse(model, other, target, 1, options, "LB_WORLD");
    refuse(model, task_of(model, "tool0", LB_TASK_ROTATION), target, 1, options, "position");
    lb_placement_release(NULL);
}
