/*
 * test_random_chains.c - the promises of inverse kinematics on random linkages.
 *
 * Chains and small trees of 2 to 12 joints, of every kind, with limits, followers, locks,
 * any base and tips, and targets that mostly can be reached. Of every result:
 *
 *   - `reached` is true: by the definition's 4x4 matrices the tools are there;
 *   - no limit is broken, a follower's neither;
 *   - it is no farther from its target than the start, brought inside the limits;
 *   - locked joints and joints off the way keep the start's values;
 *   - every width of the machine gives the same bits;
 *   - there is a reason exactly when it was not reached.
 *
 * By the usual method and, one linkage in ten, by any of the others.
 * `test_random_chains N` solves N times in all; without N a quick share of that.
 */
#include <limber/ik.h>

#include "support.h"

enum {
    QUICK = 20000,
    MOST_JOINTS = 12,
    MOST = LB_JOINT_MAX_NQ * MOST_JOINTS,
    MOST_TASKS = 3,
    WIDTHS = 4,
    TARGETS = 5 /* of each linkage */
};

/* what a clamp through a quaternion may leave beyond a limit */
#define LIMIT_TOLERANCE 1e-9
/* two sums of the same numbers, of trees some metres large */
#define ROUNDING 1e-11

TEST_ARGUMENT(wanted_solves, 1, QUICK)
static const int widths[WIDTHS] = {1, 2, 4, 8};

/* A linkage, its tasks and targets, and a solver of each width. */
typedef struct fixture {
    unsigned long long seed;
    lb_random random;
    lb_model *model;
    lb_task tasks[MOST_TASKS];
    int count;
    lb_ik *ik[WIDTHS];
    bool usual; /* the method */
    double gains[MOST], desired[MOST];
} fixture;

/* One problem and its result. */
typedef struct result {
    double q[MOST];
    lb_ik_result result;
} result;

/* counts of what has been seen, so that nothing is passed for want of cases */
static struct {
    long solves, reachable, reached, locked, followers, several, refused;
} seen;

/* ---- questions ------------------------------------------------------------ */

static lb_model *random_linkage(lb_random *random)
{
    test_tree wanted = test_tree_default();
    wanted.joints = 2 + test_random_index(random, MOST_JOINTS - 1);
    wanted.branching = test_random_chance(random, 0.5) ? 0 : 0.2;
    wanted.limited = lb_random_unit(random);
    // one half without balls, which are as many kinds as all others together
    const unsigned simple = TEST_KIND(LB_JOINT_REVOLUTE) | TEST_KIND(LB_JOINT_CONTINUOUS) |
                            TEST_KIND(LB_JOINT_PRISMATIC) | TEST_KIND(LB_JOINT_FIXED);
    if (test_random_chance(random, 0.5))
        wanted.kinds = simple;
    return test_tree_build(&wanted, random);
}

static lb_task random_task(fixture *f, int base)
{
    lb_random *random = &f->random;
    int links = lb_model_link_count(f->model);
    // the far end more often than not, so that most joints take part
    int tip = test_random_chance(random, 0.6) ? links - 1 : test_random_index(random, links);
    lb_task task = lb_task_make(tip, base, (lb_task_kind)test_random_index(random, 3));
    if (test_random_chance(random, 0.5))
        task.tool = test_random_transform(random);
    if (test_random_chance(random, 0.2))
        task.free_axis = test_random_direction(random);
    if (test_random_chance(random, 0.2))
        task.free_position = test_random_axes(random);
    if (test_random_chance(random, 0.2))
        task.weight = lb_random_between(random, 0.2, 5);
    return task;
}

/* any method, with whatever else only some of them read; a budget that the slow ones afford */
static void choose_method(fixture *f, lb_ik_options *options)
{
    lb_random *random = &f->random;
    options->method = lb_method_at(test_random_index(random, lb_method_count()));
    options->iterations = 200;
    options->no_nudge = test_random_chance(random, 0.3);
    options->damped.adaptive = test_random_chance(random, 0.3);
    options->ranked.rank = (lb_rank)test_random_index(random, 3);
    options->analytic.bend = test_random_index(random, 3) - 1;
    options->analytic.pole = test_random_direction(random);
    options->step_limit = test_random_chance(random, 0.2) ? 0.3 : 0;
    for (int v = 0; v < MOST; v++)
        f->gains[v] = test_random_chance(random, 0.5) ? lb_random_between(random, 0, 0.2) : 0;
    lb_configuration_random(f->model, random, f->desired);
    if (test_random_chance(random, 0.3))
        options->gains = f->gains;
    if (test_random_chance(random, 0.5))
        options->desired = f->desired;
    options->control = (lb_control)test_random_index(random, 2);
}

/* false where a task cannot be moved at all, or the method cannot do it, which is refused */
static bool setup_fixture(fixture *f, unsigned long long seed)
{
    *f = (fixture){.seed = seed, .random = test_seed(seed)};
    lb_random *random = &f->random;
    f->model = random_linkage(random);
    f->count = test_random_chance(random, 0.7) ? 1 : 1 + test_random_index(random, MOST_TASKS);
    int links = lb_model_link_count(f->model);
    bool rooted = test_random_chance(random, 0.6);
    int base = rooted ? LB_WORLD : test_random_index(random, links);
    for (int i = 0; i < f->count; i++)
        f->tasks[i] = random_task(f, base);

    lb_ik_options options = lb_ik_options_default();
    options.protocol = (lb_protocol)test_random_index(random, 3);
    options.seed = lb_random_next(random);
    // metres and radians count the same, so that "farther" is their sum
    options.length = 1;
    // enough for what is easy; what is not may fail, but must not lie
    options.iterations = 2000;
    f->usual = test_random_chance(random, 0.9);
    if (!f->usual)
        choose_method(f, &options);
    for (int w = 0; w < WIDTHS; w++) {
        options.width = widths[w];
        lb_error error;
        lb_status status =
            lb_ik_create(f->model, f->tasks, f->count, &options, NULL, &f->ik[w], &error);
        if (status == LB_OK)
            continue;
        seen.refused += status == LB_UNSUPPORTED;
        bool may_refuse = status == LB_UNSUPPORTED && !f->usual;
        if ((status != LB_INVALID_ARGUMENT && !may_refuse) || w > 0)
            fail_msg("seed %llu: %s", seed, error.message);
        return false;
    }
    return true;
}

static void teardown_fixture(fixture *f)
{
    for (int w = 0; w < WIDTHS; w++)
        lb_ik_release(f->ik[w]);
    lb_model_release(f->model);
}

/* locked joints of `from` in `to`, so that a target made at `to` can be reached */
static void copy_locked(const lb_model *model, const double *from, double *to)
{
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        int at = lb_model_joint_q(model, j), nq = lb_joint_kind_nq(joint->kind);
        if (joint->locked && at >= 0 && lb_model_joint_mimic(model, j, NULL, NULL) < 0)
            memcpy(&to[at], &from[at], sizeof(double) * (size_t)nq);
    }
}

/* targets where some configuration has the tools; now and then a little or far off that */
static bool random_targets(fixture *f, const double *start, lb_transform *targets)
{
    double goal[MOST];
    lb_configuration_random(f->model, &f->random, goal);
    copy_locked(f->model, start, goal);
    bool reachable = test_random_chance(&f->random, 0.95);
    double off = test_random_chance(&f->random, 0.5) ? 0.01 : 10;
    for (int i = 0; i < f->count; i++) {
        targets[i] = test_task_tool(f->model, &f->tasks[i], goal);
        test_move_freely(&f->tasks[i], 2, &f->random, &targets[i]);
        if (!reachable)
            targets[i].p =
                lb_vec3_add(targets[i].p, lb_vec3_scale(test_random_direction(&f->random), off));
    }
    return reachable;
}

/* ---- promises ------------------------------------------------------------- */

static void complain(const fixture *f, const char *what, double by)
{
    fail_msg("seed %llu: %s (%g)", f->seed, what, by);
}

static void check_errors(const fixture *f, const double *start, const lb_transform *targets,
                         const result *a)
{
    double position, rotation, position_before, rotation_before;
    test_task_errors(f->model, f->tasks, f->count, a->q, targets, &position, &rotation);
    test_task_errors(f->model, f->tasks, f->count, start, targets, &position_before,
                     &rotation_before);
    const lb_ik_options *options = lb_ik_get_options(f->ik[0]);
    if (a->result.outcome == LB_REACHED) {
        if (position > options->position_tolerance + ROUNDING)
            complain(f, "a false `reached`, by metres", position);
        if (rotation > options->rotation_tolerance + ROUNDING)
            complain(f, "a false `reached`, by radians", rotation);
    }
    double before = position_before + rotation_before, after = position + rotation;
    double tolerance = options->position_tolerance + options->rotation_tolerance;
    if (after > before + ROUNDING && after > tolerance)
        complain(f, "worse than the start", after - before);
    if (fabs(position - a->result.position_error) > ROUNDING)
        complain(f, "the position error is wrong", position - a->result.position_error);
    // half a turn is the worst conditioned angle there is
    if (fabs(rotation - a->result.rotation_error) > 1e-6)
        complain(f, "the rotation error is wrong", rotation - a->result.rotation_error);
}

/* whether joint j is between some task's base and tip */
static bool is_on_path(const fixture *f, int j)
{
    for (int i = 0; i < f->count; i++) {
        bool of_tip = false, of_base = false;
        for (int link = f->tasks[i].tip; link > 0; link = lb_model_parent(f->model, link))
            of_tip |= link == j + 1;
        for (int link = f->tasks[i].base; link > 0; link = lb_model_parent(f->model, link))
            of_base |= link == j + 1;
        if (of_tip != of_base)
            return true;
    }
    return false;
}

/* whether joint j itself, or one that follows it, can have moved */
static bool may_move(const fixture *f, int j)
{
    if (lb_model_joint(f->model, j)->locked)
        return false;
    for (int k = 0; k < lb_model_joint_count(f->model); k++)
        if ((k == j || lb_model_joint_mimic(f->model, k, NULL, NULL) == j) && is_on_path(f, k))
            return true;
    return false;
}

static void check_kept(const fixture *f, const double *start, const result *a)
{
    for (int j = 0; j < lb_model_joint_count(f->model); j++) {
        int at = lb_model_joint_q(f->model, j);
        const lb_joint *joint = lb_model_joint(f->model, j);
        bool follows = lb_model_joint_mimic(f->model, j, NULL, NULL) >= 0;
        seen.followers += follows;
        if (at < 0 || follows || may_move(f, j))
            continue;
        seen.locked += joint->locked;
        size_t size = sizeof(double) * (size_t)lb_joint_kind_nq(joint->kind);
        if (memcmp(&a->q[at], &start[at], size) != 0)
            complain(f, "a joint moved that must not", j);
    }
}

static void check_same(const fixture *f, const result *a, const result *b, int width)
{
    size_t size = sizeof(double) * (size_t)lb_model_nq(f->model);
    bool same = memcmp(a->q, b->q, size) == 0 && a->result.outcome == b->result.outcome &&
                a->result.reason == b->result.reason && a->result.tries == b->result.tries &&
                a->result.iterations == b->result.iterations &&
                a->result.position_error == b->result.position_error &&
                a->result.rotation_error == b->result.rotation_error &&
                a->result.beyond_reach == b->result.beyond_reach;
    if (!same)
        complain(f, "another result than width 1, at width", width);
}

static void check_question(fixture *f)
{
    double start[MOST], clamped[MOST];
    lb_transform targets[MOST_TASKS];
    result results[WIDTHS];
    lb_configuration_random(f->model, &f->random, start);
    // some starts are outside their limits: the promises are then about the clamped one
    if (test_random_chance(&f->random, 0.2))
        for (int i = 0; i < lb_model_nq(f->model); i++)
            start[i] += lb_random_between(&f->random, -1, 1);
    lb_configuration_clamp(f->model, start, clamped);
    bool reachable = random_targets(f, clamped, targets);
    for (int w = 0; w < WIDTHS; w++) {
        result *a = &results[w];
        lb_ik_solve(f->ik[w], targets, start, a->q, &a->result);
        seen.solves++;
        check_same(f, &results[0], a, widths[w]);
    }

    // all are the same, so one is looked at
    const result *a = &results[0];
    double excess = test_limit_excess(f->model, a->q);
    if (excess > LIMIT_TOLERANCE)
        complain(f, "a limit is broken", excess);
    if (a->result.outcome == LB_INVALID || a->result.tries < 1)
        complain(f, "a sound question is called invalid", a->result.outcome);
    if (a->result.outcome == LB_UNREACHABLE && reachable)
        complain(f, "what can be reached is called unreachable", a->result.beyond_reach);
    check_errors(f, clamped, targets, a);
    check_kept(f, clamped, a);
    if ((a->result.outcome == LB_REACHED) != (a->result.reason == LB_REASON_NONE))
        complain(f, "outcome and reason disagree", a->result.reason);
    bool fair = f->usual && reachable && lb_ik_get_options(f->ik[0])->protocol != LB_PROTOCOL_GIVEN;
    seen.reachable += fair;
    seen.reached += fair && a->result.outcome == LB_REACHED;
    seen.several += f->count > 1;
}

TEST(random_linkages_keep_every_promise)
{
    fixture f;
    for (unsigned long long seed = 1; seen.solves < wanted_solves; seed++) {
        if (setup_fixture(&f, seed))
            for (int n = 0; n < TARGETS; n++)
                check_question(&f);
        teardown_fixture(&f);
    }
    print_message("%ld solves; of %ld that could be reached, %ld were\n", seen.solves,
                  seen.reachable, seen.reached);
    assert_true(seen.locked > 0 && seen.followers > 0 && seen.several > 0 && seen.refused > 0);
    // no promise, but what the others are worth depends on it
    assert_true((double)seen.reached > 0.995 * (double)seen.reachable);
}
