/*
 * test_held_proof.c - what intervals of a held joint prove of arms of seven joints: never that a
 * target is out of reach which some configuration reaches within the tolerances.
 *
 *     test_ik test_held_proof [TARGETS]     of each arm
 */
#include "ik/search/exact.h"
#include "ik/search/search.h"
#include "support_load.h"

#include <limber/batch.h>

enum { NQ = 7, ARMS = FEWER(60, 12) };

TEST_ARGUMENT(wanted, 1, 40)

/* zero, a multiple of 45 degrees, or any, and often a hair beside it */
static double draw_angle(lb_random *random)
{
    const double eighth = 0.25 * LB_PI * (test_random_index(random, 9) - 4);
    switch (test_random_index(random, 4)) {
    case 0:
        return lb_random_between(random, -3, 3);
    case 1:
        return eighth + lb_random_between(random, -1, 1) * 1e-6;
    default:
        return eighth;
    }
}

static double draw_length(lb_random *random)
{
    return test_random_index(random, 3) ? lb_random_between(random, 0.02, 0.5) : 0;
}

/* a shoulder of three axes that meet, an elbow, a wrist of two that meet and a last one beside
   them; limits are narrow or wide, about some angle and so many radians */
static lb_model *make_arm(lb_random *random, double turned)
{
    static const char *const names[] = {"base", "a", "b", "c", "d", "e", "f", "g"};
    static const double quarters[NQ] = {0, -1, 1, 1, -1, 1, 1};
    lb_joint joints[NQ];
    lb_link links[NQ + 1];
    for (int i = 0; i <= NQ; i++) {
        links[i] = lb_link_default();
        links[i].name = names[i];
    }
    for (int i = 0; i < NQ; i++) {
        const double along = i == 2 || i == 4 ? 0.1 + draw_length(random) : 0;
        const double beside = i == 3 || i == 4 || i == 6 ? draw_length(random) : 0;
        joints[i] = lb_joint_default();
        joints[i].name = joints[i].parent = names[i];
        joints[i].child = names[i + 1];
        joints[i].kind = LB_JOINT_REVOLUTE;
        joints[i].placement = lb_transform_from_quat(
            lb_quat_from_axis_angle(lb_vec3_make(1, 0, 0), 0.5 * LB_PI * quarters[i]),
            lb_vec3_make(i == 4 ? -beside : beside, quarters[i] * -along, 0));
        const double middle = turned + draw_angle(random);
        const double half = test_random_index(random, 4) ? lb_random_between(random, 0, 2) : LB_PI;
        joints[i].lower[0] = middle - half;
        joints[i].upper[0] = middle + half;
    }
    lb_model_source source = {.name = "arm",
                              .root = LB_TRANSFORM_IDENTITY,
                              .links = links,
                              .link_count = NQ + 1,
                              .joints = joints,
                              .joint_count = NQ};
    lb_model *model = NULL;
    assert_int_equal(lb_model_build(&source, NULL, &model, NULL), LB_OK);
    return model;
}

/* a configuration, often at limits */
static void draw(const lb_model *model, lb_random *random, double *q)
{
    lb_configuration_random(model, random, q);
    for (int i = 0; i < NQ; i++) {
        const lb_joint *joint = lb_model_joint(model, i);
        switch (test_random_index(random, 5)) {
        case 0:
            q[i] = joint->lower[0];
            break;
        case 1:
            q[i] = joint->upper[0];
            break;
        case 2:
            q[i] = draw_angle(random);
            break;
        default:
            break;
        }
    }
    lb_configuration_clamp(model, q, q);
}

static ik_complete_result decide(lb_ik *ik, const lb_transform *target, const double *start)
{
    ik_search *search = &ik->searches[0];
    assert_true(ik_search_begin(ik, search, target, start));
    return ik_held_decide(ik, &search->problem);
}

/* values so large that the next number is farther than what the search resolves: it ends */
TEST(a_search_ends_among_large_values)
{
    for (uint64_t seed = 1; seed <= ARMS; seed++) {
        lb_random random = lb_random_seed(seed);
        owned_model *model = make_arm(&random, 1e9);
        const lb_task task = lb_task_make(NQ, LB_WORLD, LB_TASK_POSE);
        lb_ik_options options = lb_ik_options_default();
        options.seeds = 0;
        owned_ik *ik = test_solver(model, &task, 1, &options);
        for (int i = 0; i < 20; i++) {
            double q[NQ], start[NQ];
            draw(model, &random, q);
            lb_configuration_random(model, &random, start);
            lb_transform target = test_task_tool(model, &task, q);
            target.p = lb_vec3_add(target.p, lb_vec3_scale(test_random_direction(&random), 2e-6));
            lb_ik_solve(ik, &target, start, q, NULL);
        }
    }
}

TEST(what_is_reached_is_never_excluded)
{
    int asked = 0, found = 0, proved = 0;
    for (uint64_t seed = 1; seed <= ARMS; seed++) {
        lb_random random = lb_random_seed(seed);
        owned_model *model = make_arm(&random, 0);
        lb_task task = lb_task_make(NQ, LB_WORLD, LB_TASK_POSE);
        task.tool =
            test_random_index(&random, 2) ? test_random_transform(&random) : LB_TRANSFORM_IDENTITY;
        lb_ik_options options = lb_ik_options_default();
        options.seeds = 0;
        owned_ik *ik = test_solver(model, &task, 1, &options);
        if (!ik->redundant || !ik->finder.held_last)
            continue;
        for (int i = 0; i < wanted; i++) {
            double q[NQ], start[NQ];
            draw(model, &random, q);
            lb_configuration_random(model, &random, start);
            lb_transform target = test_task_tool(model, &task, q);
            const lb_vec3 off = lb_vec3_scale(test_random_direction(&random), 0.999e-6);
            const lb_transform turn = lb_transform_from_quat(
                lb_quat_from_axis_angle(test_random_direction(&random), 0.999e-6),
                lb_vec3_make(0, 0, 0));
            const lb_vec3 place = lb_vec3_add(target.p, off);
            target = lb_transform_multiply(&turn, &target);
            target.p = place;
            const ik_complete_result own = decide(ik, &target, start);
            assert_int_equal(own.proof, LB_REASON_NONE);
            asked++;
            found += own.found;

            // turned by a large angle most are out of reach: of these, descents reach none
            draw(model, &random, q);
            lb_transform far = test_task_tool(model, &task, q);
            far.p = target.p;
            if (decide(ik, &far, start).proof == LB_REASON_NONE)
                continue;
            proved++;
            lb_ik_result one, of_batch;
            double row[NQ];
            assert_int_not_equal(lb_ik_solve(ik, &far, start, q, &one), LB_REACHED);
            const lb_batch batch = {
                .targets = &far, .starts = start, .q = row, .results = &of_batch};
            lb_batch_solve(ik, &batch, 0, 1);
            assert_memory_equal(row, q, sizeof row);
            assert_int_equal(one.outcome, of_batch.outcome);
        }
    }
    print_message("%d of %d found, %d proved\n", found, asked, proved);
    assert_true(asked > 0 && proved * 10 > asked && found > 0);
}
