/*
 * test_singular_targets.c - all solutions of targets where branches meet, or joints are free to
 * move: wrists in line, elbows stretched, wrists above the shoulder, exactly and beside it.
 */
#include "support_solutions.h"

#include <limber/batch.h>
#include <limber/formats/load.h>

/*
 * Poses where a joint is at, or a little beside, a value at which branches meet: the
 * configuration that made the pose is always found, and whatever is listed reaches the target.
 */
static void check_singular(const sample *s, int joint, double value, bool family)
{
    owned_model *model = test_load(s->model);
    lb_task task = task_of(model, s);
    lb_solutions_options options = lb_solutions_options_default();
    options.out_of_limits = true;
    owned_solutions *solver = solver_of(model, &task, &options);
    lb_random random = test_seed(53);
    const double beside[] = {0, 1e-13, 1e-11, 1e-9, 1e-7, 1e-5, 1e-3};
    for (int k = 0; k < 700; k++) {
        double q[NQ], off = beside[k % 7];
        found f;
        lb_configuration_random(model, &random, q);
        q[joint] = value + (k & 8 ? off : -off);
        lb_transform target = target_at(model, &task, q);
        solve(solver, &target, q, &f);
        check_rows(model, &task, &target, &f);
        // beside a singularity angles are known to the rounding error over the distance, or its
        // root
        if (f.count == 0 || row_distance(model, f.q, q) > fmax(1e-5, 1e-13 / fmax(off, 1e-12)))
            fail_msg("%s: joint %d %g beside %g: nearest of %d rows is %g away", s->model, joint,
                     off, value, f.count, f.count ? row_distance(model, f.q, q) : INFINITY);
        if (family && off == 0)
            assert_true(f.summary.family_count >= 2 && f.infos[0].family);
        if (!family || off >= 1e-7)
            assert_int_equal(f.summary.family_count, 0);
    }
}

TEST(test_singular_targets)
{
    // wrists in line, elbows stretched
    check_singular(&samples[0], 4, 0, true);
    check_singular(&samples[0], 2, 0, false);
    check_singular(&samples[1], 4, 0, true);
    check_singular(&samples[2], 4, 0, true);
    check_singular(&samples[3], 4, 0, true);
    check_singular(&samples[5], 1, 0, false);
    check_singular(&samples[6], 1, 0, false);
}

/* how far in front of the first axis the wrist of a KR6 is when that joint is at zero */
static double wrist_radius(lb_state *state, int wrist, const double *q)
{
    double ahead[NQ];
    memcpy(ahead, q, sizeof ahead);
    ahead[0] = 0;
    lb_state_update(state, ahead);
    return lb_state_transform(state, LB_WORLD, wrist).p.x;
}

/* brings it to `radius` by the second joint; false: that does not come there */
static bool place_wrist(lb_state *state, int wrist, double radius, double *q)
{
    double low = -LB_PI, high = 0;
    q[1] = low;
    const double at_low = wrist_radius(state, wrist, q) - radius;
    q[1] = high;
    if (at_low * (wrist_radius(state, wrist, q) - radius) > 0)
        return false;
    for (int i = 0; i < 200; i++) {
        q[1] = 0.5 * (low + high);
        if ((wrist_radius(state, wrist, q) - radius) * at_low > 0)
            low = q[1];
        else
            high = q[1];
    }
    return true;
}

/* the wrist above the shoulder, or beside that: the first joint is free to move, or is not */
TEST(test_singular_shoulders)
{
    static const double beside[] = {0, 1e-9, 1e-7, 1e-5, 1e-3};
    owned_model *model = test_load("kr6");
    lb_task task = task_of(model, &samples[1]);
    lb_solutions_options options = lb_solutions_options_default();
    options.out_of_limits = true;
    owned_solutions *solver = solver_of(model, &task, &options);
    owned_state *at = test_state(model);
    lb_random random = test_seed(59);
    int seen[5] = {0};
    for (int k = 0; k < 500; k++) {
        double q[NQ];
        found f;
        lb_configuration_random(model, &random, q);
        if (!place_wrist(at, lb_model_find_link(model, "link_5"), beside[k % 5], q))
            continue;
        seen[k % 5]++;
        lb_transform target = target_at(model, &task, q);
        solve(solver, &target, q, &f);
        check_rows(model, &task, &target, &f);
        double off = fmax(beside[k % 5], 1e-12);
        if (f.count == 0 || row_distance(model, f.q, q) > fmax(1e-5, 1e-13 / off))
            fail_msg("wrist %g beside the first axis: nearest of %d rows is %g away", off, f.count,
                     f.count ? row_distance(model, f.q, q) : INFINITY);
        if (beside[k % 5] == 0)
            assert_true(f.summary.family_count >= 2 && f.infos[0].family);
        if (off >= 1e-7)
            assert_int_equal(f.summary.family_count, 0);
    }
    for (int i = 0; i < 5; i++)
        assert_true(seen[i] > 10);
}

/* arms whose joints move in one plane, by whatever they are completed */
TEST(test_planar_arms_are_called_planar)
{
    static const struct {
        const char *model;
        lb_task_kind kind;
        const char *text;
    } planar[] = {
        {"planar2", LB_TASK_POSITION, "planar: the axes of 'shoulder' and 'elbow' are parallel"},
        {"planar3", LB_TASK_POSE,
         "planar: the axes of 'joint_1', 'joint_2' and 'joint_3' are parallel"}};
    for (size_t i = 0; i < sizeof planar / sizeof *planar; i++) {
        char text[300];
        int tips[8];
        owned_model *model = test_load(planar[i].model);
        lb_model_tips(model, tips);
        lb_task task = lb_task_make(tips[0], LB_WORLD, planar[i].kind);
        owned_solutions *solver = solver_of(model, &task, NULL);
        assert_int_equal(lb_solutions_class(solver), LB_ARM_PLANAR);
        lb_solutions_describe(solver, text, sizeof text);
        assert_string_equal(text, planar[i].text);
    }
}

/* a result of joints at right angles depends neither on earlier solves nor on the batch */
static void check_alone(const char *name)
{
    enum { POSES = 300, MOST = 8 };
    static lb_transform targets[POSES];
    static double starts[POSES * MOST], rows[POSES * MOST], ends[POSES * MOST];
    static lb_ik_result results[POSES], batched[POSES];
    owned_model *model = test_load(name);
    int tips[LB_DEFAULT_TIPS], count;
    assert_int_equal(lb_model_default_tips(model, NULL, tips, &count), LB_OK);
    const lb_task task = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSE);
    const size_t nq = (size_t)lb_model_nq(model), size = nq * sizeof(double);
    owned_ik *used = NULL;
    assert_int_equal(lb_ik_create(model, &task, 1, NULL, NULL, &used, NULL), LB_OK);
    lb_random random = test_seed(3);
    for (size_t i = 0; i < POSES; i++) {
        double q[MOST], *start = starts + i * nq, *row = rows + i * nq;
        lb_configuration_random(model, &random, q);
        lb_configuration_random(model, &random, start);
        for (size_t k = 0; k < nq; k++)
            q[k] = floor(q[k] / (0.5 * LB_PI) + 0.5) * (0.5 * LB_PI);
        lb_configuration_clamp(model, q, q);
        targets[i] = target_at(model, &task, q);
        lb_ik_solve(used, &targets[i], start, row, &results[i]);

        owned_ik *fresh = NULL;
        lb_ik_result alone;
        assert_int_equal(lb_ik_create(model, &task, 1, NULL, NULL, &fresh, NULL), LB_OK);
        lb_ik_solve(fresh, &targets[i], start, q, &alone);
        assert_memory_equal(q, row, size);
        assert_int_equal(alone.outcome, results[i].outcome);
        assert_int_equal(alone.tries, results[i].tries);
        assert_int_equal(alone.iterations, results[i].iterations);
    }
    const lb_batch batch = {.targets = targets, .starts = starts, .q = ends, .results = batched};
    lb_batch_solve(used, &batch, 0, POSES);
    assert_memory_equal(ends, rows, POSES * size);
    for (int i = 0; i < POSES; i++)
        assert_int_equal(batched[i].iterations, results[i].iterations);
}

TEST(results_of_singular_targets_stand_alone)
{
    check_alone("crx10ia");
    check_alone("ur5");
    check_alone("iiwa14");
}
