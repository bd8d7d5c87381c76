/*
 * search.c - other starts of a body, where the first descent does not reach every task.
 *
 *     try 1          the start, each part moved to where its own tasks are achieved (parts.c)
 *     odd tries      a random configuration of the index of the try, likewise
 *     even tries     the same, but near the solution a configuration beside the start
 *     the last       on from the best of all, for as long as the error falls
 *
 * Which of two is better is decided level by level by the errors of the tasks that are not reached.
 */
#include "ik/body/solver.h"

#include <string.h>

/* of a try; the last one has the whole budget */
enum { TRY_ITERATIONS = 16 };
/* squared error of a task, in the mean; that of a random start is about five */
#define NEAR 3.0
/* radians and metres that a start is moved by at most to lie beside the user's */
#define PERTURBATION 0.3

/* errors of the tasks that are not reached, of each level */
typedef struct body_score {
    double level[KERNEL_BODY_LEVELS];
} body_score;

static body_score find_score(const lb_body *body)
{
    body_score score = {{0}};
    for (int t = 0; t < body->task_count; t++) {
        const lb_body_outcome *out = &body->outcomes[t];
        double position = out->position_error / body->length, rotation = out->rotation_error;
        if (!out->reached)
            score.level[body->kernel_tasks[t].level] +=
                body->tasks[t].weight * (position * position + rotation * rotation);
    }
    return score;
}

/* to a millionth, which is what descents towards what is out of reach leave */
static bool is_equal(double a, double b)
{
    return fabs(a - b) <= 1e-6 * (a + b);
}

static bool is_better(const body_score *a, const body_score *b)
{
    int level = 0;
    while (level < KERNEL_BODY_LEVELS - 1 && is_equal(a->level[level], b->level[level]))
        level++;
    return a->level[level] < b->level[level];
}

/* whether the first descent began, or ended, in the neighbourhood of a solution */
static bool is_near(const lb_body *body, const body_score *score)
{
    double error = 0, most = 0;
    for (int level = 0; level < KERNEL_BODY_LEVELS; level++)
        error += score->level[level];
    for (int t = 0; t < body->task_count; t++)
        most += NEAR * body->tasks[t].weight;
    return error < most;
}

/* whether loops determine a joint, as they do the place of a platform */
static bool is_in_loop(const lb_model *model, int joint)
{
    bool any = false;
    for (int i = 0; i < model->loop_count; i++)
        any = any || loop_moves_by(model, i, joint);
    return any;
}

/* all that a task needs is anywhere; the rest, and where a floating root is, stay as they are in q.
   A platform is turned anyhow: to some of its assemblies no way leads from its usual one. If
   `platforms`, all but that stays. */
static void randomize(lb_body *body, int attempt, bool platforms, double *q)
{
    const lb_model *model = body->model;
    lb_random random = lb_random_seed((uint64_t)attempt);
    lb_configuration_random(model, &random, body->part_q);
    for (int j = 0; j < model->joint_count; j++) {
        const model_joint *joint = &model->joint_layouts[j];
        lb_joint_kind kind = model->joints[j].kind;
        bool floats = kind == LB_JOINT_FLOATING;
        if (joint->q < 0 || body->owners[joint->q] < 0 || (!floats && platforms) ||
            (floats && !is_in_loop(model, j)))
            continue;
        int from = joint->q + (floats ? 3 : 0), count = lb_joint_kind_nq(kind) - (floats ? 3 : 0);
        memcpy(q + from, body->part_q + from, sizeof *q * (size_t)count);
    }
}

static void perturb(lb_body *body, int attempt, double *q)
{
    const lb_model *model = body->model;
    lb_random random = lb_random_seed((uint64_t)attempt);
    for (int i = 0; i < model->tree.nv; i++)
        body->step[i] = lb_random_between(&random, -PERTURBATION, PERTURBATION);
    lb_configuration_integrate(model, body->own_start, body->step, q);
    if (model->loop_count > 0)
        randomize(body, attempt, true, q);
}

/*
 * Puts the start of a try into starts[0]; the last try is that after all restarts. Where the user's
 * start is near a solution, every other try is from beside it.
 */
static void begin_try(lb_body *body, int attempt, bool near, const lb_transform *targets)
{
    double *q = body->starts[0];
    if (attempt > body->options.restarts) {
        memcpy(q, body->best, sizeof *q * (size_t)body->model->tree.nq);
        return;
    }
    if (near && attempt % 2 == 0) {
        perturb(body, attempt, q);
    } else {
        memcpy(q, body->own_start, sizeof *q * (size_t)body->model->tree.nq);
        if (attempt > 1)
            randomize(body, attempt, false, q);
        body_assemble(body, targets, q);
    }
    // limbs that were solved for targets at the end of the range may lead out of it
    if (!body_settle(body, q, q))
        memcpy(q, body->own_start, sizeof *q * (size_t)body->model->tree.nq);
}

lb_outcome body_search(lb_body *body, body_problem *problem, lb_body_result *result)
{
    size_t numbers = sizeof(double) * (size_t)body->model->tree.nq;
    int budget = body->options.iterations, tries = 1;
    kernel_body_control control = {0};
    body_score least = find_score(body);
    bool near = is_near(body, &least);
    lb_outcome outcome = LB_STALLED;
    memcpy(body->own_start, body->starts[0], numbers);
    memcpy(body->best, body->found[0], numbers);
    while (outcome != LB_REACHED && tries <= body->options.restarts + 1) {
        bool last = tries > body->options.restarts;
        begin_try(body, tries++, near, problem->targets);
        control.iterations = last || budget < TRY_ITERATIONS ? budget : TRY_ITERATIONS;
        body_descend(body, problem, &control);
        outcome = body_conclude(body, body->found[0], problem->targets, problem->end,
                                problem->iterations, result);
        body_score score = find_score(body);
        if (is_better(&score, &least)) {
            least = score;
            memcpy(body->best, body->found[0], numbers);
        }
    }
    if (result)
        result->tries = tries;
    return outcome;
}
