/*
 * test_body.c - whole bodies on random trees: what is near is reached, limits and speeds are
 * never exceeded, and every width gives the same bits.
 */
#include <limber/body.h>

#include "ik/body/solver.h"
#include "support.h"
#include "support_growth.h"

enum { MOST_Q = 128 };

TEST_ARGUMENT(tree_count, 1, 200)

/* ---- bodies ---------------------------------------------------------------- */

static lb_model *random_model(lb_random *random)
{
    test_tree wanted = test_tree_default();
    wanted.joints = 3 + test_random_index(random, 12);
    return test_tree_build(&wanted, random);
}

/* tasks of every kind that needs no mass, on random links */
static int random_tasks(const lb_model *model, lb_body_task *tasks, lb_random *random)
{
    const lb_body_kind kinds[] = {LB_BODY_POSITION, LB_BODY_ORIENTATION, LB_BODY_POSE,
                                  LB_BODY_ON_LINE,  LB_BODY_ON_PLANE,    LB_BODY_LOOK_AT,
                                  LB_BODY_DIRECTION};
    int n = 1 + test_random_index(random, 4), links = lb_model_link_count(model);
    for (int t = 0; t < n; t++) {
        lb_body_kind kind = kinds[test_random_index(random, 7)];
        tasks[t] = lb_body_task_make(kind, 1 + test_random_index(random, links - 1));
        tasks[t].tool = test_random_transform(random);
        if (test_random_chance(random, 0.2))
            tasks[t].base = test_random_index(random, links);
    }
    return n;
}

static void nearby(const lb_model *model, const double *q, double size, lb_random *random,
                   double *out)
{
    double v[MOST_Q];
    for (int i = 0; i < lb_model_nv(model); i++)
        v[i] = lb_random_between(random, -size, size);
    lb_configuration_integrate(model, q, v, out);
    lb_configuration_clamp(model, out, out);
}

/* ---- reached --------------------------------------------------------------- */

TEST(what_is_near_is_reached_within_the_limits)
{
    lb_random random = test_seed(11);
    int solved = 0, reached = 0;
    for (int i = 0; i < tree_count; i++) {
        owned_model *model = random_model(&random);
        lb_body_task tasks[4];
        int n = random_tasks(model, tasks, &random);
        owned_body *body = NULL;
        if (lb_model_nq(model) <= MOST_Q &&
            lb_body_create(model, tasks, n, NULL, NULL, &body, NULL) == LB_OK) {
            double goal[MOST_Q], start[MOST_Q], q[MOST_Q];
            lb_body_result result;
            lb_configuration_random(model, &random, goal);
            nearby(model, goal, 0.05, &random, start);
            // what is locked stays at the start
            for (int j = 0; j < lb_model_joint_count(model); j++)
                if (lb_model_joint(model, j)->locked && lb_model_joint_q(model, j) >= 0)
                    memcpy(start + lb_model_joint_q(model, j), goal + lb_model_joint_q(model, j),
                           sizeof *q * (size_t)lb_joint_kind_nq(lb_model_joint(model, j)->kind));
            for (int t = 0; t < n; t++)
                assert_int_equal(lb_body_hold(body, t, goal), LB_OK);
            solved++;
            reached += lb_body_solve(body, start, q, &result) == LB_REACHED;
            assert_true(test_limit_excess(model, q) <= 1e-9);
        }
    }
    print_message("%d of %d reached\n", reached, solved);
    assert_true(solved > tree_count / 2);
    // a step of 0.05 leads into another basin, or onto a limit, now and then
    assert_true(reached >= solved * 97 / 100);
}

/* What holds in every frame. */
typedef struct frame_limits {
    double speed, acceleration, time;
} frame_limits;

/* `limited`: the ball has limits, which hold where its acceleration contradicts them */
static void check_ball(const double *before, const double *q, const double *v, bool limited,
                       const frame_limits *f, double *now)
{
    lb_quat from = {before[0], before[1], before[2], before[3]}, to = {q[0], q[1], q[2], q[3]};
    lb_vec3 turn = lb_quat_log(lb_quat_multiply(lb_quat_conjugate(from), to));
    assert_true(lb_vec3_length(turn) <= f->speed * f->time + 1e-9);
    lb_vec3 kept = lb_vec3_scale(lb_vec3_make(v[0], v[1], v[2]), f->time);
    lb_quat there = lb_quat_multiply(from, lb_quat_exp(kept));
    double off = lb_vec3_length(lb_quat_log(lb_quat_multiply(lb_quat_conjugate(there), to)));
    if (!limited && isfinite(f->acceleration))
        assert_true(off <= f->acceleration * f->time * f->time + 1e-9);
    memcpy(now, (double[]){turn.x / f->time, turn.y / f->time, turn.z / f->time}, sizeof turn);
}

/* all of a frame from `before` to q; v becomes its velocity */
static void check_frame(const lb_model *model, const double *before, const double *q,
                        const frame_limits *f, double *v)
{
    assert_true(test_limit_excess(model, q) <= 1e-9);
    for (int p = 0; p < model->part_count; p++) {
        const model_part *part = &model->parts[p];
        double *rate = v + part->v;
        if (part->kind == MODEL_BALL) {
            bool limited = part->swing < LB_PI || isfinite(part->lower) || isfinite(part->upper);
            check_ball(before + part->q, q + part->q, rate, limited, f, rate);
            continue;
        }
        double now = (q[part->q] - before[part->q]) / f->time;
        assert_true(fabs(now) <= f->speed + 1e-9);
        assert_true(fabs(now - *rate) <= f->acceleration * f->time + 1e-9);
        assert_true(q[part->q] >= part->lower && q[part->q] <= part->upper);
        *rate = now;
    }
}

/* numbers are within their limits to the last bit, whatever is wanted, and wherever next */
TEST(limits_and_speeds_are_never_exceeded)
{
    lb_random random = test_seed(12);
    for (int i = 0; i < tree_count; i++) {
        owned_model *model = random_model(&random);
        lb_body_task tasks[4];
        int n = random_tasks(model, tasks, &random);
        owned_body *body = NULL;
        if (lb_model_nq(model) <= MOST_Q &&
            lb_body_create(model, tasks, n, NULL, NULL, &body, NULL) == LB_OK) {
            double start[MOST_Q], q[MOST_Q], v[MOST_Q];
            lb_configuration_random(model, &random, start);
            lb_configuration_clamp(model, start, start);
            double speed = lb_random_between(&random, 0.1, 5);
            double acceleration = i % 2 ? lb_random_between(&random, 1, 50) : INFINITY;
            const frame_limits limits = {speed, acceleration, 0.01};
            for (int j = 0; j < lb_model_joint_count(model); j++)
                lb_body_set_speed(body, j, speed, acceleration);
            memset(v, 0, sizeof v);
            for (int frame = 0; frame < 20; frame++) {
                for (int t = 0; t < n && frame % 7 == 0; t++)
                    body->targets[t] = test_random_transform(&random);
                // now and then everything is where it has to be
                for (int t = 0; t < n && frame % 7 == 4; t++)
                    body->targets[t] = body_tool(body, t);
                lb_body_advance(body, start, v, limits.time, q, NULL);
                check_frame(model, start, q, &limits, v);
                memcpy(start, q, sizeof start);
            }
        }
    }
}

/* ---- widths ---------------------------------------------------------------- */

enum { PROBLEMS = 19, TASKS = 4 };

/* Problems of one body, and what came of them one by one. */
typedef struct problems {
    double starts[PROBLEMS][MOST_Q], alone[PROBLEMS][MOST_Q], weights[PROBLEMS][TASKS];
    lb_transform targets[PROBLEMS][TASKS];
    lb_body_result results[PROBLEMS];
    bool weighed; /* each has its own weights */
} problems;

static void solve_one_by_one(lb_body *body, lb_random *random, problems *p)
{
    const lb_model *model = body->model;
    for (int k = 0; k < PROBLEMS; k++) {
        double goal[MOST_Q];
        lb_configuration_random(model, random, goal);
        nearby(model, goal, 0.3, random, p->starts[k]);
        for (int t = 0; t < body->task_count; t++) {
            lb_body_hold(body, t, goal);
            p->targets[k][t] = body->targets[t];
            // one that is off stays off, whatever a problem gives it
            p->weights[k][t] = lb_random_between(random, 0.1, 10);
            if (p->weighed && body->tasks[t].weight > 0)
                lb_body_set_weight(body, t, p->weights[k][t]);
        }
        lb_body_solve(body, p->starts[k], p->alone[k], &p->results[k]);
    }
}

static void compare_side_by_side(lb_body *body, const problems *p)
{
    static double wide[PROBLEMS][MOST_Q];
    lb_body_result found[PROBLEMS];
    lb_body_batch batch = {.targets = &p->targets[0][0],
                           .target_stride = TASKS,
                           .weights = p->weighed ? &p->weights[0][0] : NULL,
                           .weight_stride = TASKS,
                           .starts = &p->starts[0][0],
                           .start_stride = MOST_Q,
                           .q = &wide[0][0],
                           .q_stride = MOST_Q,
                           .results = found};
    lb_body_batch_solve(body, &batch, 0, PROBLEMS);
    size_t reached = 0;
    for (int k = 0; k < PROBLEMS; k++) {
        assert_memory_equal(wide[k], p->alone[k],
                            sizeof(double) * (size_t)lb_model_nq(body->model));
        assert_int_equal(found[k].iterations, p->results[k].iterations);
        assert_int_equal(found[k].outcome, p->results[k].outcome);
        reached += found[k].outcome == LB_REACHED;
    }
    // without results as many are reached
    batch.results = NULL;
    assert_int_equal(lb_body_batch_solve(body, &batch, 0, PROBLEMS), reached);
}

/* random trees with tasks of so many levels, some of which are reached in a box or cone */
static void compare_widths(uint64_t seed, long trees, int levels, double boxes)
{
    static problems p;
    lb_random random = test_seed(seed);
    for (int i = 0; i < trees; i++) {
        lb_model *model = random_model(&random);
        lb_body_task tasks[TASKS];
        int n = random_tasks(model, tasks, &random);
        for (int t = 0; t < n; t++) {
            tasks[t].level = i % 3 == 0 ? 0 : test_random_index(&random, levels);
            if (boxes > 0 && test_random_chance(&random, boxes)) {
                tasks[t].box = lb_vec3_make(0.1, 0.2, 0.05);
                tasks[t].cone = 0.2;
            }
        }
        if (i % 8 == 3 && n > 1)
            tasks[n - 1].weight = 0;
        lb_body *body = NULL;
        if (lb_model_nq(model) > MOST_Q ||
            lb_body_create(model, tasks, n, NULL, NULL, &body, NULL) != LB_OK) {
            lb_model_release(model);
            continue;
        }
        p.weighed = i % 2 == 1;
        solve_one_by_one(body, &random, &p);
        lb_body_release(body);
        for (int width = 1; width <= 8; width *= 2) {
            lb_body_options options = lb_body_options_default();
            options.width = width;
            body = test_body(model, tasks, n, &options);
            compare_side_by_side(body, &p);
            lb_body_release(body);
        }
        lb_model_release(model);
    }
}

TEST(every_width_gives_the_same_bits)
{
    compare_widths(15, tree_count / 5, 2, 0);
}

/* lanes that are done wait for others without losing what their own steps have found */
TEST(lanes_that_wait_keep_their_own)
{
    compare_widths(108, tree_count / 2, 3, 0.5);
}

/* ---- working memory ------------------------------------------------------------ */

/* what the memory of the descents holds before a solve */
static void fill_scratch(lb_body *body, int byte)
{
    size_t alone = body->alone->scratch(&body->kernel);
    size_t wide = body->side_by_side->scratch(&body->kernel);
    memset(body->scratch, byte, (alone > wide ? alone : wide) + 64);
}

/* what earlier solves leave in memory changes nothing */
TEST(memory_is_not_read_before_it_is_written)
{
    lb_random random = test_seed(29);
    for (int i = 0; i < tree_count; i++) {
        owned_model *model = random_model(&random);
        lb_body_task tasks[4];
        lb_body_options options = lb_body_options_default();
        owned_body *body = NULL;
        int n = random_tasks(model, tasks, &random), size = lb_model_nq(model);
        options.restarts = i % 2;
        if (size <= MOST_Q &&
            lb_body_create(model, tasks, n, &options, NULL, &body, NULL) == LB_OK) {
            double start[MOST_Q], q[3][MOST_Q] = {{0}}, goal[MOST_Q];
            lb_configuration_random(model, &random, start);
            lb_configuration_random(model, &random, goal);
            for (int t = 0; t < n; t++)
                lb_body_hold(body, t, goal);
            const lb_body_batch batch = {.starts = start, .q = q[2]};
            fill_scratch(body, 0);
            lb_body_solve(body, start, q[0], NULL);
            fill_scratch(body, 0x3f);
            lb_body_solve(body, start, q[1], NULL);
            fill_scratch(body, 0x3f);
            lb_body_batch_solve(body, &batch, 0, 1);
            if (memcmp(q[0], q[1], sizeof *q) != 0 || memcmp(q[0], q[2], sizeof *q) != 0)
                fail_msg("tree %d: other values with other memory", i);
        }
    }
}

/* ---- long chains --------------------------------------------------------------- */

/* the creation of a body on a chain of so many links */
static clock_t create_on_chain(int size)
{
    owned lb_dh_row *rows = calloc((size_t)size, sizeof *rows);
    assert_non_null(rows);
    for (int i = 0; i < size; i++) {
        rows[i] = lb_dh_row_default();
        rows[i].a = 0.01;
    }
    owned_model *model = NULL;
    assert_int_equal(lb_model_from_dh("chain", rows, size, true, NULL, &model, NULL), LB_OK);
    lb_body_task task = lb_body_task_make(LB_BODY_POSITION, size);
    clock_t begun = clock();
    owned_body *body = test_body(model, &task, 1, NULL);
    clock_t ticks = clock() - begun;
    return ticks;
}

/* no column is compared with all others */
TEST(creating_takes_no_longer_by_link)
{
    assert_grows_linearly(create_on_chain, 16000);
}
