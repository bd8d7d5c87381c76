/*
 * batch_main.c - the time of a batch of inverse kinematics in C, for comparison with Python's.
 *
 *     build/bench/batch_bench [TARGETS] [PROTOCOL]      1000000, any
 *
 * Targets are poses of the Panda's hand at random configurations of seed 1, starts the neutral
 * configuration: what bench/python_batch.py solves, too. Prints the nanoseconds per target of the
 * fastest of several runs in one thread, range by range, and the hash of all resulting
 * configurations.
 */
#include "bench/clock.h"
#include "bench/golden.h"

#include <limber/batch.h>
#include <limber/fk_batch.h>
#include <limber/formats/load.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a range takes two milliseconds: short enough to find a busy machine quiet now and then */
enum { RUNS = 25, RANGE = 4000 };

/* All arrays of a batch. */
typedef struct arrays {
    double *q;
    lb_transform *targets;
    lb_ik_result *results;
} arrays;

/* random configurations, and where they have the hand; false without memory */
static bool make_targets(const lb_model *model, int tip, size_t n, arrays *a)
{
    size_t nq = (size_t)lb_model_nq(model);
    lb_fk_batch_options options = lb_fk_batch_options_default();
    options.links = &tip;
    options.link_count = 1;
    lb_fk_batch *batch = NULL;
    a->q = malloc(n * nq * sizeof(double));
    a->targets = malloc(n * sizeof(lb_transform));
    a->results = malloc(n * sizeof(lb_ik_result));
    if (a->q == NULL || a->targets == NULL || a->results == NULL ||
        lb_fk_batch_create(model, &options, NULL, &batch) != LB_OK)
        return false;
    lb_random random = lb_random_seed(1);
    for (size_t i = 0; i < n; i++)
        lb_configuration_random(model, &random, a->q + i * nq);
    lb_fk_batch_rows rows = {.q = a->q, .transforms = a->targets};
    lb_fk_batch_forward(batch, &rows, 0, n);
    lb_fk_batch_release(batch);
    return true;
}

/* nanoseconds, the least of all runs of each range */
static double time_solving(lb_ik *ik, const arrays *a, size_t n)
{
    lb_batch batch = {.targets = a->targets, .q = a->q, .results = a->results};
    double sum = 0;
    for (size_t begin = 0; begin < n; begin += RANGE) {
        size_t end = n - begin < RANGE ? n : begin + RANGE;
        double least = INFINITY;
        for (int i = 0; i < RUNS; i++) {
            double start = clock_now();
            lb_batch_solve(ik, &batch, begin, end);
            least = fmin(least, clock_now() - start);
        }
        sum += least;
    }
    return sum / (double)n;
}

int main(int argc, char **argv)
{
    long given = argc > 1 ? strtol(argv[1], NULL, 10) : 1000000;
    size_t n = given > 0 ? (size_t)given : 1;
    lb_model *model = NULL;
    lb_ik *ik = NULL;
    arrays a = {NULL, NULL, NULL};
    if (lb_load("panda", NULL, &model, NULL) != LB_OK)
        return 1;
    int tip = lb_model_find_link(model, "panda_hand");
    lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSE);
    lb_ik_options options = lb_ik_options_default();
    options.protocol =
        argc > 2 && strcmp(argv[2], "nearest") == 0 ? LB_PROTOCOL_NEAREST : LB_PROTOCOL_ANY;
    bool done = make_targets(model, tip, n, &a) &&
                lb_ik_create(model, &task, 1, &options, NULL, &ik, NULL) == LB_OK;
    if (done) {
        double each = time_solving(ik, &a, n);
        uint64_t hash = golden_start();
        golden_add(&hash, a.q, n * (size_t)lb_model_nq(model));
        printf("%.1f %016llx\n", each, (unsigned long long)hash);
    }
    lb_ik_release(ik);
    free(a.q);
    free(a.targets);
    free(a.results);
    lb_model_release(model);
    return done ? 0 : 1;
}
