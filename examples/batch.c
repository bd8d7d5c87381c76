/*
 * batch.c - many targets at once, side by side in the machine's vectors.
 *
 * The arrays hold all problems, and each call solves a range of them, so any job
 * system can split the work, with a solver for each of its threads. Here two
 * workers take turns. Every split gives the same bits.
 *
 * Prints:
 *     1000 of 1000 reached
 *     the first: 2.8652 -1.2208 1.7740 1.0176 1.5708 1.2944, off by ... m
 *     the same, one by one: yes
 */
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>
#include <string.h>

enum { PROBLEMS = 1000, RANGE = 100, WORKERS = 2, JOINTS = 6 };

/* places on a spiral about the arm, each with the tool pointing down */
static void make_targets(lb_transform *targets)
{
    lb_quat down = lb_quat_from_rpy(LB_PI, 0, 0);
    for (int i = 0; i < PROBLEMS; i++) {
        double turn = 4 * LB_PI * i / PROBLEMS, radius = 0.4 + 0.3 * i / PROBLEMS;
        targets[i] = lb_transform_from_quat(
            down, lb_vec3_make(radius * lb_cos(turn), radius * lb_sin(turn), 0.2));
    }
}

/* how many are reached; range by range, each by the worker whose turn it is */
static size_t solve_ranges(lb_ik **workers, const lb_batch *batch)
{
    size_t reached = 0;
    for (size_t begin = 0, turn = 0; begin < PROBLEMS; begin += RANGE, turn++)
        reached += lb_batch_solve(workers[turn % WORKERS], batch, begin, begin + RANGE);
    return reached;
}

int main(void)
{
    lb_model *model;
    lb_error error;
    if (lb_load("ur5", NULL, &model, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    // the workers' solvers are alike: one model, one task, the same options
    int tip = lb_model_find_link(model, "tool0");
    lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSE);
    lb_ik_options options = lb_ik_options_default();
    options.protocol = LB_PROTOCOL_ANY; // any solution will do: the fastest
    lb_ik *workers[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        if (lb_ik_create(model, &task, 1, &options, NULL, &workers[i], &error) != LB_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }

    // row i of each array is of problem i; without starts all begin at the neutral pose
    static lb_transform targets[PROBLEMS];
    static double q[PROBLEMS][JOINTS];
    static lb_ik_result results[PROBLEMS];
    make_targets(targets);
    lb_batch batch = {.targets = targets, .q = q[0], .results = results};
    printf("%d of %d reached\n", (int)solve_ranges(workers, &batch), PROBLEMS);
    printf("the first:");
    for (int j = 0; j < JOINTS; j++)
        printf(" %.4f", q[0][j]);
    printf(", off by %.1e m\n", results[0].position_error);

    // one at a time it is as well, only slower
    double start[JOINTS], alone[JOINTS];
    int same = 1;
    lb_configuration_neutral(model, start);
    for (int i = 0; i < PROBLEMS; i++) {
        lb_ik_solve(workers[0], &targets[i], start, alone, NULL);
        same = same && memcmp(alone, q[i], sizeof alone) == 0;
    }
    printf("the same, one by one: %s\n", same ? "yes" : "no");

    for (int i = 0; i < WORKERS; i++)
        lb_ik_release(workers[i]);
    lb_model_release(model);
    return 0;
}
