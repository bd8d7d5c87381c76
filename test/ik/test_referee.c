/*
 * test_referee.c - what is said of all solutions never contradicts a configuration that is one.
 *
 *     test_ik test_referee [POSES]     of each kind of arm
 *
 * The arms, the poses and the referee are those of bench/own_poses.h.
 */
#include "bench/own_poses.h"
#include "support_load.h"

#include <limber/batch.h>
#include <limber/formats/load.h>

TEST_ARGUMENT(wanted_poses, 1, 1600)

/* poses of an arm, and how many tell a share */
enum { POSES_OF_AN_ARM = 16, ENOUGH = 1000, ROWS_OF_LIST = 64 };

static void check_arm(own_kind kind, uint64_t seed, own_counts *counts)
{
    lb_random random = lb_random_seed(seed);
    own_arm arm;
    if (own_arm_make(&random, kind, &arm))
        for (int i = 0; i < POSES_OF_AN_ARM; i++) {
            double q[OWN_JOINTS];
            own_arm_draw(&random, &arm, q);
            const own_fault fault = own_arm_judge(&random, &arm, q, counts);
            if (fault != OWN_FINE)
                fail_msg("seed %llu, pose %d, %s: %s", (unsigned long long)seed, i,
                         own_kind_text(kind), own_fault_text(fault));
        }
    own_arm_release(&arm);
}

TEST(nothing_that_is_said_contradicts_a_solution)
{
    for (int kind = 0; kind < OWN_KINDS; kind++) {
        own_counts counts = {0};
        for (uint64_t seed = 1; counts.poses < wanted_poses; seed++)
            check_arm((own_kind)kind, OWN_KINDS * seed + (uint64_t)kind, &counts);
        // and enough is said: of the classes nearly half of these poses, most of which are singular
        if (kind <= OWN_SHOULDER && wanted_poses >= ENOUGH)
            assert_true(counts.certified * 10 > counts.listed * 4);
    }
}

/* a member of a family inside the limits is found by following: before, 112 of 2,854 such lists of
   shoulders had none, 7 since */
TEST(families_are_followed_into_the_limits)
{
    int families = 0, missing = 0;
    for (uint64_t seed = 0; seed < 150; seed++) {
        lb_random random = lb_random_seed(OWN_KINDS * seed + OWN_SHOULDER);
        own_arm arm = {.model = NULL};
        const bool made = own_arm_make(&random, OWN_SHOULDER, &arm) && arm.solver;
        for (int i = 0; i < POSES_OF_AN_ARM && made; i++) {
            double q[OWN_JOINTS], rows[ROWS_OF_LIST * OWN_JOINTS], start[OWN_JOINTS];
            lb_solution listed[ROWS_OF_LIST];
            lb_solutions_summary all;
            own_arm_draw(&random, &arm, q);
            for (int k = 0; k < 3; k++) {
                const int joint = (int)(lb_random_next(&random) % (uint64_t)arm.nq);
                const bool low = (lb_random_next(&random) & 1) != 0;
                const double limit = low ? arm.lower[joint] : arm.upper[joint];
                q[joint] = isfinite(limit) && !arm.idle[joint] ? limit : q[joint];
            }
            lb_configuration_random(arm.model, &random, start);
            const lb_transform target = own_arm_pose(&arm, q);
            lb_solutions(arm.solver, &target, start, ROWS_OF_LIST, rows, listed, &all);
            families += all.family_count > 0;
            missing += all.family_count > 0 && all.in_limits == 0;
        }
        own_arm_release(&arm);
    }
    assert_true(families > 100);
    if (missing * 100 > families)
        fail_msg("%d of %d lists have no solution inside the limits", missing, families);
}

/* the arms that are built in, at corners of their limits and singular places as well */
TEST(nothing_contradicts_a_solution_of_built_in_arms)
{
    for (int m = 0; m < lb_embedded_count(); m++) {
        lb_random random = lb_random_seed((uint64_t)m + 1);
        lb_model *model = test_load(lb_embedded_at(m)->name);
        int tips[LB_DEFAULT_TIPS], tip_count = 0;
        own_counts counts = {0};
        own_arm arm = {.model = model};
        assert_int_equal(lb_model_default_tips(model, NULL, tips, &tip_count), LB_OK);
        const lb_task task = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSE);
        const bool fits = own_arm_of(model, &task, &arm);
        // a target that a linkage cannot reach takes milliseconds
        const long poses = lb_model_loop_count(model) > 0 ? 32 : 2 * wanted_poses;
        for (int i = 0; i < poses && fits; i++) {
            double q[OWN_JOINTS];
            own_arm_draw(&random, &arm, q);
            const own_fault fault = own_arm_judge(&random, &arm, q, &counts);
            if (fault != OWN_FINE)
                fail_msg("%s, pose %d: %s", lb_embedded_at(m)->name, i, own_fault_text(fault));
        }
        own_arm_release(&arm);
    }
}

/*
 * What `make soak` has found in rounds of its own. A joint is held at its one value where two
 * solutions meet: another one is then past its limit by less than counts, or inside on another
 * turn. Of a wrist that follows the first joint round, half of the way was not looked at. A joint
 * that is idle but for 1e-9 has another value than the one that the pose was made with. The
 * determinant of a general arm with a link of 396 m is 1.3e-7 where two of its zeros meet. From
 * beside such a place whole steps to a joint's limit, with a wrist of 30 m, do not come nearer.
 * Directions of frames that are turned are longer than one by 1e-14, and so their cosines.
 */
TEST(what_the_soak_has_found_stays_mended)
{
    static const struct {
        uint64_t seed;
        own_kind kind;
        int poses;
    } rounds[] = {{700004326, OWN_PARALLEL, 220},  {700006050, OWN_SHOULDER, 243},
                  {1400004963, OWN_PARALLEL, 119}, {2100003987, OWN_FEW, 39},
                  {59661, OWN_PARALLEL, 65},       {141830558, OWN_SHOULDER, 30},
                  {673, OWN_TURNED, 248}};
    for (size_t r = 0; r < sizeof rounds / sizeof *rounds; r++) {
        lb_random random = lb_random_seed(rounds[r].seed);
        own_counts counts = {0};
        own_arm arm;
        assert_true(own_arm_make(&random, rounds[r].kind, &arm));
        for (int i = 0; i < rounds[r].poses; i++) {
            double q[OWN_JOINTS];
            own_arm_draw(&random, &arm, q);
            const own_fault fault = own_arm_judge(&random, &arm, q, &counts);
            if (fault != OWN_FINE)
                fail_msg("round %d, pose %d: %s", (int)r, i, own_fault_text(fault));
        }
        own_arm_release(&arm);
    }
}

/* out of reach by far: that is proved of every arm that has a closed form */
TEST(what_is_plainly_out_of_reach_is_proved_so)
{
    for (int kind = OWN_PARALLEL; kind <= OWN_SHOULDER; kind++) {
        int proved = 0, asked = 0;
        for (uint64_t seed = 1; asked < 300; seed++) {
            lb_random random = lb_random_seed(seed);
            own_arm arm;
            lb_solutions_summary summary;
            double q[OWN_JOINTS];
            if (own_arm_make(&random, (own_kind)kind, &arm) && arm.solver &&
                lb_solutions_class(arm.solver) != LB_ARM_GENERAL) {
                own_arm_draw(&random, &arm, q);
                lb_transform pose = test_task_tool(arm.model, &arm.task, q);
                pose.p = lb_vec3_add(pose.p, lb_vec3_make(2 * arm.size + 1, 0, 2 * arm.size + 1));
                lb_solutions(arm.solver, &pose, NULL, 0, NULL, NULL, &summary);
                proved += summary.outcome == LB_UNREACHABLE && summary.reason == LB_REASON_REACH;
                asked++;
            }
            own_arm_release(&arm);
        }
        assert_true(proved * 100 >= asked * 97);
    }
}

/* whether a search proves what lb_solutions does of some targets, at the same tolerances, alone and
   in a batch with the same bits; counts them */
static void compare_proofs(lb_random *random, const own_arm *arm, int *proved)
{
    enum { TARGETS = 8 };
    lb_ik_options options = lb_ik_options_default();
    lb_transform targets[TARGETS];
    double q[TARGETS][OWN_JOINTS], rows[TARGETS * OWN_JOINTS], start[OWN_JOINTS];
    lb_ik_result results[TARGETS], result;
    options.seeds = 0;
    options.position_tolerance = options.rotation_tolerance = 1e-9;
    owned_ik *ik = test_solver(arm->model, &arm->task, 1, &options);
    for (int i = 0; i < TARGETS; i++) {
        own_arm_draw(random, arm, q[i]);
        targets[i] = test_task_tool(arm->model, &arm->task, q[i]);
        targets[i].p = lb_vec3_scale(targets[i].p, lb_random_between(random, 0.2, 1.4));
    }
    lb_configuration_neutral(arm->model, start);
    lb_batch_solve(ik, &(lb_batch){.targets = targets, .q = rows, .results = results}, 0, TARGETS);
    for (int i = 0; i < TARGETS; i++) {
        lb_solutions_summary summary;
        lb_ik_solve(ik, &targets[i], start, q[i], &result);
        assert_memory_equal(q[i], rows + (size_t)(i * arm->nq), sizeof(double) * (size_t)arm->nq);
        assert_int_equal(result.outcome, results[i].outcome);
        lb_solutions(arm->solver, &targets[i], start, 0, NULL, NULL, &summary);
        if (summary.outcome != LB_UNREACHABLE)
            continue;
        assert_int_equal(result.outcome, LB_UNREACHABLE);
        ++*proved;
    }
}

/* arms of the classes, and those that miss them by as little as calibration changes */
TEST(a_search_proves_what_all_solutions_prove)
{
    for (int kind = OWN_PARALLEL; kind <= OWN_SHOULDER; kind++) {
        int proved = 0;
        for (uint64_t seed = 1; seed <= FEWER(60, 15); seed++) {
            lb_random random = lb_random_seed(1000 * seed + (uint64_t)kind);
            own_arm arm;
            if (own_arm_make(&random, (own_kind)kind, &arm) && arm.solver)
                compare_proofs(&random, &arm, &proved);
            own_arm_release(&arm);
        }
        assert_true(proved > FEWER(80, 20));
    }
}

/* three joints, of which two axes may meet: what they have made themselves is listed */
TEST(arms_of_three_joints_have_lists)
{
    int lists = 0, empty = 0;
    for (uint64_t seed = 1; lists < FEWER(4000, 800); seed++) {
        lb_random random = lb_random_seed(seed);
        own_arm arm;
        const bool made = own_arm_make(&random, OWN_FEW, &arm) && arm.solver && arm.nq == 3 &&
                          arm.task.kind == LB_TASK_POSE;
        for (int i = 0; made && i < POSES_OF_AN_ARM; i++) {
            double q[OWN_JOINTS];
            lb_solutions_summary summary;
            own_arm_draw(&random, &arm, q);
            const lb_transform pose = own_arm_pose(&arm, q);
            lb_solutions(arm.solver, &pose, NULL, 0, NULL, NULL, &summary);
            lists++;
            empty += summary.count == 0;
        }
        own_arm_release(&arm);
    }
    if (empty * 40 > lists)
        fail_msg("%d of %d lists are empty", empty, lists);
}

/* targets of built-in arms with the tool straight down that lb_solutions proves to be out of reach:
   with tolerances a thousand times as large a search decides them, too */
TEST(hardly_a_proof_is_lost_at_the_usual_tolerances)
{
    static const char *const names[] = {"kr6", "ur5", "puma560"};
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        owned_model *model = test_load(names[m]);
        int tips[LB_DEFAULT_TIPS], count = 0, proved = 0, lost = 0;
        assert_int_equal(lb_model_default_tips(model, NULL, tips, &count), LB_OK);
        const lb_task task = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSE);
        lb_random random = lb_random_seed(7);
        owned_ik *ik = test_solver(model, &task, 1, NULL);
        owned_solutions *solver = NULL;
        assert_int_equal(lb_solutions_create(model, &task, NULL, NULL, &solver, NULL), LB_OK);
        for (int i = 0; i < FEWER(30000, 3000); i++) {
            double q[OWN_JOINTS], start[OWN_JOINTS];
            lb_ik_result result;
            lb_solutions_summary summary;
            lb_configuration_random(model, &random, q);
            lb_configuration_random(model, &random, start);
            const double turn = i & 1 ? lb_random_between(&random, -LB_PI, LB_PI) : 0;
            lb_transform target = test_task_tool(model, &task, q);
            target.z = lb_vec3_make(0, 0, -1);
            target.x = lb_vec3_make(lb_cos(turn), lb_sin(turn), 0);
            target.y = lb_vec3_cross(target.z, target.x);
            lb_solutions(solver, &target, start, 0, NULL, NULL, &summary);
            if (summary.outcome != LB_UNREACHABLE)
                continue;
            lb_ik_solve(ik, &target, start, q, &result);
            lost += result.outcome != LB_UNREACHABLE && result.outcome != LB_REACHED;
            proved++;
        }
        assert_true(proved > FEWER(4000, 400));
        assert_int_equal(lost, 0);
    }
}
