/*
 * body_main.c - measures lb_body_solve on a robot: poses of links that are
 * known to be possible, from starts that are so many radians off in every
 * joint, and the centre of mass.
 *
 *     build/bench/body_bench MODEL LINK...
 *
 * A floating root, starts 0.02, 0.1 and 0.3 rad off,
 * to 1e-4
 *
 * Each problem's time is the least of several runs; times are those of one
 * thread.
 */
#include "bench/clock.h"

#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>

enum { PROBLEMS = 1000, RUNS = 8, MOST_LINKS = 8 };

/* One robot and its tasks. */
typedef struct setup {
    lb_model *model;
    lb_body *body;
    int tasks;
    double *goal, *start, *q, *v;
} setup;

static double *numbers(int count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    if (!x)
        exit(2);
    return x;
}

static bool has_mass(const lb_model *model)
{
    double mass = 0;
    for (int i = 0; i < lb_model_link_count(model); i++)
        mass += lb_model_link(model, i)->mass;
    return mass > 0;
}

/* with `levels` 2 the first two links are of a level above the others */
static bool make_setup(const char *name, const char *const *links, int count, int levels, setup *s)
{
    lb_model *fixed;
    lb_error error;
    if (lb_load(name, NULL, &fixed, &error) != LB_OK ||
        lb_model_with_root(fixed, LB_JOINT_FLOATING, NULL, &s->model, &error) != LB_OK) {
        fprintf(stderr, "body: %s\n", error.message);
        return false;
    }
    lb_model_release(fixed);
    lb_body_task tasks[MOST_LINKS + 1];
    for (s->tasks = 0; s->tasks < count && s->tasks < MOST_LINKS; s->tasks++) {
        int link = lb_model_find_link(s->model, links[s->tasks]);
        tasks[s->tasks] = lb_body_task_make(LB_BODY_POSE, link);
        tasks[s->tasks].level = s->tasks < 2 ? 0 : levels - 1;
    }
    if (has_mass(s->model))
        tasks[s->tasks++] = lb_body_task_make(LB_BODY_CENTER_OF_MASS, 0);
    lb_body_options options = lb_body_options_default();
    options.position_tolerance = options.rotation_tolerance = 1e-4;
    if (lb_body_create(s->model, tasks, s->tasks, &options, NULL, &s->body, &error) != LB_OK) {
        fprintf(stderr, "body: %s\n", error.message);
        return false;
    }
    s->goal = numbers(lb_model_nq(s->model));
    s->start = numbers(lb_model_nq(s->model));
    s->q = numbers(lb_model_nq(s->model));
    s->v = numbers(lb_model_nv(s->model));
    return true;
}

/* a goal within the limits and a start near it */
static void make_problem(setup *s, double off, lb_random *random)
{
    lb_configuration_random(s->model, random, s->goal);
    for (int i = 0; i < lb_model_nv(s->model); i++)
        s->v[i] = lb_random_between(random, -off, off);
    lb_configuration_integrate(s->model, s->goal, s->v, s->start);
    lb_configuration_clamp(s->model, s->start, s->start);
    for (int t = 0; t < s->tasks; t++)
        lb_body_hold(s->body, t, s->goal);
}

static void measure(setup *s, double off)
{
    static double times[PROBLEMS];
    lb_random random = lb_random_seed(7);
    long iterations = 0;
    int reached = 0;
    for (int k = 0; k < PROBLEMS; k++) {
        lb_body_result result;
        make_problem(s, off, &random);
        times[k] = INFINITY;
        for (int run = 0; run < RUNS; run++) {
            double before = clock_now();
            lb_body_solve(s->body, s->start, s->q, &result);
            times[k] = fmin(times[k], clock_now() - before - clock_cost());
        }
        reached += result.outcome == LB_REACHED;
        iterations += result.iterations;
    }
    double mean = clock_mean(times, PROBLEMS);
    clock_sort(times, PROBLEMS);
    printf("  %4g rad off: %6.2f %% reached, %5.2f iterations, mean %6.2f, p50 "
           "%6.2f, p99 %7.2f us\n",
           off, 100.0 * reached / PROBLEMS, (double)iterations / PROBLEMS, mean / 1000,
           clock_percentile(times, PROBLEMS, 0.5) / 1000,
           clock_percentile(times, PROBLEMS, 0.99) / 1000);
}

int main(int count, char **words)
{
    static const double offs[] = {0.02, 0.1, 0.3};
    if (count < 3) {
        fprintf(stderr, "body: MODEL LINK... are wanted\n");
        return 2;
    }
    for (int levels = 1; levels <= 2; levels++) {
        setup s = {0};
        if (!make_setup(words[1], (const char *const *)words + 2, count - 2, levels, &s))
            return 2;
        printf("%s, %d tasks, %d velocities, %d level%s\n", lb_model_name(s.model), s.tasks,
               lb_model_nv(s.model), levels, levels > 1 ? "s" : "");
        for (size_t i = 0; i < sizeof offs / sizeof *offs; i++)
            measure(&s, offs[i]);
        lb_body_release(s.body);
        lb_model_release(s.model);
        free(s.goal);
        free(s.start);
        free(s.q);
        free(s.v);
    }
    return 0;
}
