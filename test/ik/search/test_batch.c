/*
 * test_batch.c - many problems at once are the same problems one by one: the same bits
 * for any split, width and number of threads.
 *
 * The threads are the system's own, so that the thread sanitizer sees all that they
 * share: one model, and the arrays whose rows they write.
 */
#include <limber/batch.h>
#include <limber/formats/load.h>
#include <pthread.h>

#include "support.h"

/* odd, so that no range fills all lanes */
enum { PROBLEMS = 157, MOST_NQ = 64, MOST_TASKS = 2 };

/* Problems of one robot, and what a solver of width 1 says of each by itself. */
typedef struct fixture {
    lb_model *model;
    lb_task tasks[MOST_TASKS];
    int count;
    lb_ik_options options;
    lb_random random;
    lb_transform targets[PROBLEMS * MOST_TASKS];
    double starts[PROBLEMS * MOST_NQ];
    double q[PROBLEMS * MOST_NQ];
    lb_ik_result results[PROBLEMS];
} fixture;

static lb_ik *create(const fixture *f, int width)
{
    lb_ik *ik = NULL;
    lb_error error = {0};
    lb_ik_options options = f->options;
    options.width = width;
    lb_status status = lb_ik_create(f->model, f->tasks, f->count, &options, NULL, &ik, &error);
    if (status != LB_OK && status != LB_UNSUPPORTED)
        fail_msg("%s", error.message);
    return ik;
}

/* mostly what can be reached; now and then what is far off, or means nothing at all */
static void make_problem(fixture *f, int i)
{
    size_t nq = (size_t)lb_model_nq(f->model);
    double goal[MOST_NQ];
    lb_transform *targets = f->targets + i * f->count;
    lb_configuration_random(f->model, &f->random, f->starts + (size_t)i * nq);
    lb_configuration_random(f->model, &f->random, goal);
    for (int t = 0; t < f->count; t++)
        targets[t] = test_task_tool(f->model, &f->tasks[t], goal);
    if (i % 20 == 7)
        targets[0].p.x += 100;
    if (i % 50 == 13)
        targets[0].p.y = NAN;
    if (i % 50 == 31)
        f->starts[(size_t)i * nq] = INFINITY;
}

/* what a solver of width 1 says of each problem; false where it refuses the options */
static bool solve_one_by_one(fixture *f)
{
    lb_ik *ik = create(f, 1);
    for (int i = 0; i < PROBLEMS && ik; i++) {
        size_t row = (size_t)i * (size_t)lb_model_nq(f->model);
        lb_ik_solve(ik, f->targets + i * f->count, f->starts + row, f->q + row, &f->results[i]);
    }
    lb_ik_release(ik);
    return ik != NULL;
}

/* NULL where a solver refuses */
static fixture *setup_desired(const char *robot, const char *const *tips, lb_task_kind kind,
                              const lb_ik_options *options)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_int_equal(lb_load(robot, NULL, &f->model, NULL), LB_OK);
    assert_true(lb_model_nq(f->model) <= MOST_NQ);
    for (; tips[f->count] != NULL; f->count++)
        f->tasks[f->count] =
            lb_task_make(lb_model_find_link(f->model, tips[f->count]), LB_WORLD, kind);
    f->options = *options;
    f->random = test_seed(71);
    for (int i = 0; i < PROBLEMS; i++)
        make_problem(f, i);
    if (solve_one_by_one(f))
        return f;
    lb_model_release(f->model);
    free(f);
    return NULL;
}

static fixture *setup(const char *robot, const char *const *tips, lb_task_kind kind,
                      lb_protocol protocol)
{
    lb_ik_options options = lb_ik_options_default();
    options.protocol = protocol;
    fixture *f = setup_desired(robot, tips, kind, &options);
    assert_non_null(f);
    return f;
}

static void teardown(fixture *f)
{
    lb_model_release(f->model);
    free(f);
}

/* bits, so that a NaN equals itself and -0 is not 0 */
static bool same_result(const lb_ik_result *a, const lb_ik_result *b)
{
    return a->outcome == b->outcome && a->reason == b->reason && a->iterations == b->iterations &&
           a->tries == b->tries &&
           memcmp(&a->position_error, &b->position_error, sizeof(double)) == 0 &&
           memcmp(&a->rotation_error, &b->rotation_error, sizeof(double)) == 0 &&
           memcmp(&a->beyond_reach, &b->beyond_reach, sizeof(double)) == 0;
}

static void check_results(const fixture *f, const double *q, const lb_ik_result *results,
                          const char *way)
{
    size_t nq = (size_t)lb_model_nq(f->model);
    for (size_t i = 0; i < PROBLEMS; i++) {
        if (memcmp(q + i * nq, f->q + i * nq, nq * sizeof(double)) != 0)
            fail_msg("%s: result %zu has other values", way, i);
        if (!same_result(&results[i], &f->results[i]))
            fail_msg("%s: result %zu is another one", way, i);
    }
}

static size_t count_reached(const fixture *f, size_t begin, size_t end)
{
    size_t reached = 0;
    for (size_t i = begin; i < end; i++)
        reached += f->results[i].outcome == LB_REACHED;
    return reached;
}

/* ---- splits and widths ------------------------------------------------------ */

/* random ranges, some of them empty, until all is done */
static void check_split(fixture *f, int width)
{
    static double q[PROBLEMS * MOST_NQ];
    static lb_ik_result results[PROBLEMS];
    const lb_batch batch = {.targets = f->targets, .starts = f->starts, .q = q, .results = results};
    owned_ik *ik = create(f, width);
    size_t begin = 0;
    memset(q, 0, sizeof q);
    while (begin < PROBLEMS) {
        size_t end = begin + (size_t)test_random_index(&f->random, 40);
        end = end < PROBLEMS ? end : PROBLEMS;
        assert_int_equal(lb_batch_solve(ik, &batch, begin, end), count_reached(f, begin, end));
        begin = end;
    }
    check_results(f, q, results, "split");
}

static void check_robot(const char *robot, const char *const *tips, lb_task_kind kind,
                        lb_protocol protocol)
{
    fixture *f = setup(robot, tips, kind, protocol);
    size_t reached = count_reached(f, 0, PROBLEMS);
    assert_true(reached > PROBLEMS / 10 && reached < PROBLEMS);
    for (int width = 0; width <= 8; width = width > 0 ? 2 * width : 1)
        check_split(f, width);
    teardown(f);
}

/* results in place of the starts, in two ranges */
static void check_in_place(fixture *f, int width)
{
    static double q[PROBLEMS * MOST_NQ];
    static lb_ik_result results[PROBLEMS];
    const lb_batch batch = {.targets = f->targets, .starts = q, .q = q, .results = results};
    owned_ik *ik = create(f, width);
    size_t cut = (size_t)test_random_index(&f->random, PROBLEMS);
    memcpy(q, f->starts, sizeof q);
    lb_batch_solve(ik, &batch, 0, cut);
    lb_batch_solve(ik, &batch, cut, PROBLEMS);
    check_results(f, q, results, "in place");
}

/* unusual options */
static lb_ik_options make_desired(lb_random *random)
{
    lb_ik_options o = lb_ik_options_default();
    o.protocol = (lb_protocol)test_random_index(random, 3);
    if (test_random_chance(random, 0.4))
        o.seeds = test_random_index(random, 300);
    if (test_random_chance(random, 0.3))
        o.iterations = 1 + test_random_index(random, 200);
    if (test_random_chance(random, 0.3))
        o.method = lb_method_at(test_random_index(random, lb_method_count()));
    if (test_random_chance(random, 0.2))
        o.step_limit = 0.3;
    if (test_random_chance(random, 0.2))
        o.damping = 0.05;
    return o;
}

TEST(whatever_is_wished_for_gives_the_same_bits)
{
    static const struct {
        const char *robot;
        const char *tips[MOST_TASKS + 1];
    } all[] = {{"ur5", {"tool0"}},      {"panda", {"panda_hand"}},
               {"kr6", {"tool0"}},      {"planar3", {"tip"}},
               {"stanford", {"tool"}},  {"human", {"left_hand"}},
               {"crx10ia", {"flange"}}, {"human", {"left_hand", "right_hand"}}};
    lb_random random = test_seed(72);
    int checked = 0;
    for (int i = 0; i < FEWER(40, 16); i++) {
        int which = test_random_index(&random, sizeof all / sizeof *all);
        lb_task_kind kind = (lb_task_kind)test_random_index(&random, 3);
        lb_ik_options options = make_desired(&random);
        fixture *f = setup_desired(all[which].robot, all[which].tips, kind, &options);
        if (!f)
            continue;
        checked++;
        for (int width = 1; width <= 8; width *= 2)
            check_in_place(f, width);
        teardown(f);
    }
    assert_true(checked > FEWER(20, 8));
}

TEST(any_split_and_width_gives_the_same_bits)
{
    static const char *const hand[] = {"panda_hand", NULL}, *const tool[] = {"tool0", NULL};
    static const char *const both[] = {"left_hand", "right_hand", NULL};
    check_robot("panda", hand, LB_TASK_POSE, LB_PROTOCOL_NEAREST);
    check_robot("panda", hand, LB_TASK_POSE, LB_PROTOCOL_ANY);
    check_robot("ur5", tool, LB_TASK_POSE, LB_PROTOCOL_ANY);
    check_robot("ur5", tool, LB_TASK_POSITION, LB_PROTOCOL_GIVEN);
    // trees with balls and several tips
    check_robot("human", both, LB_TASK_POSITION, LB_PROTOCOL_NEAREST);
}

/* an arm whose joints have whole turns that differ and hardly any limits */
static lb_model *build_winding_arm(void)
{
    lb_dh_row rows[6];
    for (int i = 0; i < 6; i++)
        rows[i] = (lb_dh_row){.kind = LB_JOINT_REVOLUTE,
                              .d = 0.1 * i,
                              .a = i % 2 ? 0 : 0.4,
                              .alpha = i % 2 ? 1.3 : -0.9,
                              .lower = -4,
                              .upper = INFINITY};
    lb_model *model = NULL;
    assert_int_equal(lb_model_from_dh("winding", rows, 6, false, NULL, &model, NULL), LB_OK);
    return model;
}

/* starts so many turns away that a double hardly resolves a tolerance there */
TEST(far_turns_give_the_same_bits)
{
    static const double starts[] = {4.9e9, 1e9, 9.99e8, 1.1e9, 1e12, 3e15, 1e18, 1e300};
    for (int p = 0; p < 3; p++) {
        fixture *f = calloc(1, sizeof *f);
        assert_non_null(f);
        f->model = build_winding_arm();
        f->count = 1;
        f->tasks[0] = lb_task_make(lb_model_link_count(f->model) - 1, LB_WORLD, LB_TASK_POSE);
        f->options = lb_ik_options_default();
        f->options.protocol = (lb_protocol)p;
        f->random = test_seed(74);
        for (int i = 0; i < PROBLEMS; i++) {
            make_problem(f, i);
            f->starts[i * 6 + 5 - i % 3] = starts[i % 8];
        }
        assert_true(solve_one_by_one(f));
        for (int width = 0; width <= 8; width = width > 0 ? 2 * width : 1)
            check_split(f, width);
        teardown(f);
    }
}

/* an arm whose hand is so far away that a double hardly resolves a metre there */
static lb_model *build_far_arm(void)
{
    lb_dh_row rows[8];
    for (int i = 0; i < 8; i++)
        rows[i] = (lb_dh_row){.kind = LB_JOINT_REVOLUTE,
                              .d = 0.2 * (i % 3),
                              .a = i == 6 ? 9e14 : 0.3,
                              .alpha = i % 2 ? 1.3 : -0.9,
                              .lower = -3,
                              .upper = 2.5};
    lb_model *model = NULL;
    assert_int_equal(lb_model_from_dh("far", rows, 8, false, NULL, &model, NULL), LB_OK);
    return model;
}

/* each problem by itself, its other tries side by side */
static void check_singles(const fixture *f, int width)
{
    static double q[PROBLEMS * MOST_NQ];
    static lb_ik_result results[PROBLEMS];
    owned_ik *ik = create(f, width);
    for (int i = 0; i < PROBLEMS; i++) {
        size_t row = (size_t)i * (size_t)lb_model_nq(f->model);
        lb_ik_solve(ik, f->targets + i * f->count, f->starts + row, q + row, &results[i]);
    }
    check_results(f, q, results, "single");
}

/* what a descent finds there, the verifier may refuse, after later tries have ended beside it */
TEST(refused_solutions_give_the_same_bits)
{
    static const int budgets[] = {0, 40, 100, 250};
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->model = build_far_arm();
    f->count = 1;
    f->tasks[0] = lb_task_make(lb_model_link_count(f->model) - 1, LB_WORLD, LB_TASK_POSITION);
    f->tasks[0].free_position = LB_FREE_Y | LB_FREE_Z;
    f->random = test_seed(75);
    for (int round = 0; round < 24; round++) {
        f->options = lb_ik_options_default();
        f->options.protocol = (lb_protocol)(round % 2);
        f->options.iterations = budgets[round / 2 % 4];
        for (int i = 0; i < PROBLEMS; i++)
            make_problem(f, i);
        assert_true(solve_one_by_one(f));
        for (int width = 2; width <= 8; width *= 2) {
            check_split(f, width);
            check_singles(f, width);
        }
    }
    teardown(f);
}

/* a solution goes on towards its posture whatever comes of those solved beside it */
TEST(postures_need_no_results)
{
    static const char *const tips[] = {"panda_hand", NULL};
    static double q[PROBLEMS * MOST_NQ];
    double gains[MOST_NQ];
    for (int i = 0; i < MOST_NQ; i++)
        gains[i] = 1;
    for (int budget = 0; budget <= 60; budget += 60) {
        lb_ik_options options = lb_ik_options_default();
        options.gains = gains;
        options.iterations = budget;
        fixture *f = setup_desired("panda", tips, LB_TASK_POSITION, &options);
        assert_non_null(f);
        const lb_batch batch = {.targets = f->targets, .starts = f->starts, .q = q};
        for (int width = 1; width <= 8; width *= 2) {
            owned_ik *ik = create(f, width);
            assert_int_equal(lb_batch_solve(ik, &batch, 0, PROBLEMS),
                             count_reached(f, 0, PROBLEMS));
            check_results(f, q, f->results, "without results");
        }
        teardown(f);
    }
}

/* ---- rows -------------------------------------------------------------------- */

/* rows that are parts of larger ones; what lies between them is not touched */
TEST(rows_may_be_parts_of_larger_ones)
{
    enum { GAP = 3 };
    static const char *const tips[] = {"left_hand", "right_hand", NULL};
    fixture *f = setup("human", tips, LB_TASK_POSITION, LB_PROTOCOL_ANY);
    size_t nq = (size_t)lb_model_nq(f->model), row = nq + GAP;
    lb_transform *targets = calloc(PROBLEMS * (MOST_TASKS + GAP), sizeof *targets);
    double *starts = calloc(PROBLEMS * row, sizeof *starts);
    double *q = calloc(PROBLEMS * row, sizeof *q);
    double *packed = calloc(PROBLEMS * nq, sizeof *packed);
    lb_ik_result results[PROBLEMS];
    for (size_t i = 0; i < PROBLEMS; i++) {
        memcpy(targets + i * (MOST_TASKS + GAP), f->targets + i * MOST_TASKS,
               MOST_TASKS * sizeof *targets);
        memcpy(starts + i * row, f->starts + i * nq, nq * sizeof *starts);
        for (size_t k = 0; k < row; k++)
            q[i * row + k] = 42;
    }
    lb_batch batch = {targets, MOST_TASKS + GAP, starts, row, q, row, results};
    lb_ik *ik = create(f, 0);
    lb_batch_solve(ik, &batch, 0, PROBLEMS);
    for (size_t i = 0; i < PROBLEMS; i++) {
        memcpy(packed + i * nq, q + i * row, nq * sizeof *q);
        for (size_t k = nq; k < row; k++)
            assert_true(q[i * row + k] == 42);
    }
    check_results(f, packed, results, "strides");

    // in place, and without results
    batch.q = starts;
    batch.results = NULL;
    assert_int_equal(lb_batch_solve(ik, &batch, 0, PROBLEMS), count_reached(f, 0, PROBLEMS));
    assert_true(batch.starts == starts);
    for (size_t i = 0; i < PROBLEMS; i++)
        assert_memory_equal(starts + i * row, f->q + i * nq, nq * sizeof *q);
    lb_ik_release(ik);
    free(targets);
    free(starts);
    free(q);
    free(packed);
    teardown(f);
}

/* without starts every problem begins at the neutral configuration */
TEST(without_starts_the_neutral_one_is_meant)
{
    static const char *const tips[] = {"tool0", NULL};
    fixture *f = setup("ur5", tips, LB_TASK_POSE, LB_PROTOCOL_NEAREST);
    static double q[PROBLEMS * MOST_NQ];
    lb_ik_result results[PROBLEMS];
    double neutral[MOST_NQ], expected[MOST_NQ];
    const lb_batch batch = {.targets = f->targets, .q = q, .results = results};
    size_t nq = (size_t)lb_model_nq(f->model);
    lb_configuration_neutral(f->model, neutral);
    lb_ik *ik = create(f, 0);
    lb_batch_solve(ik, &batch, 0, PROBLEMS);
    for (size_t i = 0; i < PROBLEMS; i++) {
        lb_ik_result result;
        lb_ik_solve(ik, &f->targets[i], neutral, expected, &result);
        assert_memory_equal(q + i * nq, expected, nq * sizeof *q);
        assert_true(same_result(&results[i], &result));
    }
    lb_ik_release(ik);
    teardown(f);
}

/* ---- threads ----------------------------------------------------------------- */

enum { THREADS = 4, RANGE = 10 };

/* What one thread has of its own, and what it shares. */
typedef struct worker {
    const fixture *shared;
    const lb_batch *batch;
    int number;
    pthread_t thread;
    bool fine;
} worker;

/* every THREADS-th range, by a solver that this thread makes itself */
static void *work(void *user)
{
    worker *w = user;
    const fixture *f = w->shared;
    owned_ik *ik = NULL;
    w->fine = lb_ik_create(f->model, f->tasks, f->count, &f->options, NULL, &ik, NULL) == LB_OK;
    for (size_t begin = (size_t)w->number * RANGE; w->fine && begin < PROBLEMS;
         begin += THREADS * RANGE) {
        size_t end = begin + RANGE < PROBLEMS ? begin + RANGE : PROBLEMS;
        w->fine = lb_batch_solve(ik, w->batch, begin, end) == count_reached(f, begin, end);
    }
    return NULL;
}

TEST(threads_share_one_model)
{
    static const char *const tips[] = {"panda_hand", NULL};
    static double q[PROBLEMS * MOST_NQ];
    lb_ik_result results[PROBLEMS];
    fixture *f = setup("panda", tips, LB_TASK_POSE, LB_PROTOCOL_NEAREST);
    const lb_batch batch = {.targets = f->targets, .starts = f->starts, .q = q, .results = results};
    worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.shared = f, .batch = &batch, .number = i};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        assert_true(workers[i].fine);
    }
    check_results(f, q, results, "threads");
    teardown(f);
}
