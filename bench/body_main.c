/*
 * body_main.c - measures lb_body_solve on a robot: poses of links that are known to be possible.
 *
 *     build/bench/body_bench MODEL LINK...
 *
 * Warm: a floating root, the centre of mass as well, starts 0.02, 0.1 and 0.3 radians off in every
 * velocity, on one and on two levels. Cold: starts anywhere within the limits, the root fixed and
 * floating, the poses alone. All to 1e-4, with 64 restarts.
 *
 * With --crowd in place of a model: one step of a figure of 60 hinges and a floating root, six
 * poses, at each width; and the same with solves to 1e-4.
 *
 * Each problem's time is the least of several runs; times are those of one thread.
 */
#include "bench/clock.h"

#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS = 10000, WARM_PROBLEMS = 10000, RUNS = 5, MOST_LINKS = 8, RESTARTS = 64 };

/* What is measured. */
typedef struct series {
    lb_joint_kind root;
    int levels; /* with 2 the first two links are of a level above the others */
    bool center, cold;
} series;

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

/* whether any joint can move a link */
static bool can_move(const lb_model *model, int link)
{
    lb_body_task task = lb_body_task_make(LB_BODY_POSE, link);
    lb_body *body = NULL;
    bool can = lb_body_create(model, &task, 1, NULL, NULL, &body, NULL) == LB_OK;
    lb_body_release(body);
    return can;
}

static bool make_setup(const char *name, const char *const *links, int count, const series *of,
                       setup *s)
{
    lb_model *fixed;
    lb_error error;
    if (lb_load(name, NULL, &fixed, &error) != LB_OK ||
        lb_model_with_root(fixed, of->root, NULL, &s->model, &error) != LB_OK) {
        fprintf(stderr, "body: %s\n", error.message);
        return false;
    }
    lb_model_release(fixed);
    lb_body_task tasks[MOST_LINKS + 1];
    for (int i = 0; i < count && i < MOST_LINKS; i++) {
        int link = lb_model_find_link(s->model, links[i]);
        if (!can_move(s->model, link))
            continue;
        tasks[s->tasks] = lb_body_task_make(LB_BODY_POSE, link);
        tasks[s->tasks].level = s->tasks < 2 ? 0 : of->levels - 1;
        s->tasks++;
    }
    if (of->center && has_mass(s->model))
        tasks[s->tasks++] = lb_body_task_make(LB_BODY_CENTER_OF_MASS, 0);
    lb_body_options options = lb_body_options_default();
    options.position_tolerance = options.rotation_tolerance = 1e-4;
    options.restarts = RESTARTS;
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

/* a goal within the limits and a start near it, or, with 0, anywhere */
static void make_problem(setup *s, double off, lb_random *random)
{
    lb_configuration_random(s->model, random, s->goal);
    for (int i = 0; i < lb_model_nv(s->model); i++)
        s->v[i] = lb_random_between(random, -off, off);
    if (off > 0)
        lb_configuration_integrate(s->model, s->goal, s->v, s->start);
    else
        lb_configuration_random(s->model, random, s->start);
    lb_configuration_clamp(s->model, s->start, s->start);
    for (int t = 0; t < s->tasks; t++)
        lb_body_hold(s->body, t, s->goal);
}

static void measure(setup *s, int problems, double off)
{
    static double times[PROBLEMS];
    lb_random random = lb_random_seed(7);
    long iterations = 0;
    int reached = 0;
    for (int k = 0; k < problems; k++) {
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
    double mean = clock_mean(times, problems);
    clock_sort(times, problems);
    printf("  %4g rad off: %6.2f %% reached, %5.2f iterations, mean %6.2f, p50 "
           "%6.2f, p99 %7.2f us\n",
           off, 100.0 * reached / problems, (double)iterations / problems, mean / 1000,
           clock_percentile(times, problems, 0.5) / 1000,
           clock_percentile(times, problems, 0.99) / 1000);
}

static bool run(const char *name, const char *const *links, int count, const series *of)
{
    static const double offs[] = {0.02, 0.1, 0.3};
    setup s = {0};
    if (!make_setup(name, links, count, of, &s))
        return false;
    printf("%s, %s root, %d tasks, %d velocities, %d level%s, %s\n", lb_model_name(s.model),
           lb_joint_kind_text(of->root), s.tasks, lb_model_nv(s.model), of->levels,
           of->levels > 1 ? "s" : "", of->cold ? "cold" : "warm");
    if (of->cold)
        measure(&s, PROBLEMS, 0);
    for (size_t i = 0; !of->cold && i < sizeof offs / sizeof *offs; i++)
        measure(&s, WARM_PROBLEMS, offs[i]);
    lb_body_release(s.body);
    lb_model_release(s.model);
    free(s.goal);
    free(s.start);
    free(s.q);
    free(s.v);
    return true;
}

/* ---- crowds ----------------------------------------------------------------- */

enum { FIGURE_JOINTS = 60, LIMB_JOINTS = 10, LIMBS = 6, FIGURES = 512, CROWD_RUNS = 40 };

/* six limbs of ten hinges about x, y and z in turn; two of them on the end of the first */
static lb_model *make_figure(void)
{
    static char names[2 * FIGURE_JOINTS + 1][16];
    lb_link links[FIGURE_JOINTS + 1];
    lb_joint joints[FIGURE_JOINTS];
    lb_model *fixed = NULL, *model = NULL;
    for (int i = 0; i <= FIGURE_JOINTS; i++) {
        links[i] = lb_link_default();
        snprintf(names[i], sizeof names[i], "link%d", i);
        links[i].name = names[i];
    }
    for (int i = 0; i < FIGURE_JOINTS; i++) {
        int limb = i / LIMB_JOINTS, parent = limb > 3 ? LIMB_JOINTS : 0;
        char *name = names[FIGURE_JOINTS + 1 + i];
        snprintf(name, sizeof names[0], "joint%d", i);
        joints[i] = lb_joint_default();
        joints[i].kind = LB_JOINT_REVOLUTE;
        joints[i].name = name;
        joints[i].parent = names[i % LIMB_JOINTS ? i : parent];
        joints[i].child = names[i + 1];
        joints[i].axis = lb_vec3_make(i % 3 == 0, i % 3 == 1, i % 3 == 2);
        joints[i].placement = lb_transform_translation(0.02 * limb, 0.01 * limb, 0.1);
        joints[i].lower[0] = -1;
        joints[i].upper[0] = 1;
    }
    lb_model_source source = {.name = "figure",
                              .root = LB_TRANSFORM_IDENTITY,
                              .links = links,
                              .link_count = FIGURE_JOINTS + 1,
                              .joints = joints,
                              .joint_count = FIGURE_JOINTS};
    if (lb_model_build(&source, NULL, &fixed, NULL) != LB_OK ||
        lb_model_with_root(fixed, LB_JOINT_FLOATING, NULL, &model, NULL) != LB_OK)
        exit(2);
    lb_model_release(fixed);
    return model;
}

/* figures in a millisecond, of the best of several runs */
static double measure_crowd(setup *s, int width, int iterations)
{
    lb_body_task tasks[LIMBS];
    lb_body_options options = lb_body_options_default();
    options.position_tolerance = options.rotation_tolerance = 1e-4;
    options.iterations = iterations;
    options.restarts = 0;
    options.width = width;
    for (s->tasks = 0; s->tasks < LIMBS; s->tasks++)
        tasks[s->tasks] = lb_body_task_make(LB_BODY_POSE, 1 + (s->tasks + 1) * LIMB_JOINTS);
    if (lb_body_create(s->model, tasks, LIMBS, &options, NULL, &s->body, NULL) != LB_OK)
        exit(2);
    static lb_transform targets[FIGURES][LIMBS];
    size_t nq = (size_t)lb_model_nq(s->model);
    double *starts = numbers((int)(FIGURES * nq)), *found = numbers((int)(FIGURES * nq));
    lb_random random = lb_random_seed(8);
    for (size_t i = 0; i < FIGURES; i++) {
        make_problem(s, 0.02, &random);
        for (size_t k = 0; k < nq; k++)
            starts[i * nq + k] = s->start[k];
        for (int t = 0; t < LIMBS; t++)
            targets[i][t] = lb_body_target(s->body, t);
    }
    lb_body_batch batch = {.targets = targets[0], .starts = starts, .q = found};
    double least = INFINITY;
    for (int run = 0; run < CROWD_RUNS; run++) {
        double before = clock_now();
        lb_body_batch_solve(s->body, &batch, 0, FIGURES);
        least = fmin(least, clock_now() - before);
    }
    lb_body_release(s->body);
    free(starts);
    free(found);
    return FIGURES / least * 1e6;
}

static int run_crowd(void)
{
    setup s = {.model = make_figure()};
    s.goal = numbers(lb_model_nq(s.model));
    s.start = numbers(lb_model_nq(s.model));
    s.v = numbers(lb_model_nv(s.model));
    for (int width = 1; width <= 8; width *= 2)
        printf("width %d: %5.0f figures/ms a step, %5.0f solved to 1e-4\n", width,
               measure_crowd(&s, width, 1), measure_crowd(&s, width, 100));
    lb_model_release(s.model);
    free(s.goal);
    free(s.start);
    free(s.v);
    return 0;
}

int main(int count, char **words)
{
    static const series all[] = {
        {LB_JOINT_FLOATING, 1, true, false},
        {LB_JOINT_FLOATING, 2, true, false},
        {LB_JOINT_FIXED, 1, false, true},
        {LB_JOINT_FLOATING, 1, false, true},
    };
    if (count == 2 && strcmp(words[1], "--crowd") == 0)
        return run_crowd();
    if (count < 3) {
        fprintf(stderr, "body: MODEL LINK... are wanted\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!run(words[1], (const char *const *)words + 2, count - 2, &all[i]))
            return 2;
    return 0;
}
