/*
 * solutions_main.c - the time of all solutions and of single solves, for arms that have a class.
 *
 *     build/bench/solutions_bench [MODEL FILE...]
 *
 * Targets are poses of random configurations within the limits. Each is solved several times, and
 * the least time counts: of a single call for each target, of a batch for all of them, where rows
 * of all solutions are wanted for 256. Percentiles
 * are over targets. Nothing reaches the targets of the unreachable row: the tool's place is half as
 * far again from the base, and only those that are proved to be out of reach count.
 */
#include "bench/clock.h"

#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TARGETS = 4096, RUNS = 11, BATCH_RUNS = 25, BLOCK = 256, ROWS = 16 };

/* A model, its targets and where solves begin. */
typedef struct setting {
    lb_model *model;
    lb_task task;
    int nq;
    lb_transform *targets, *far, *down; /* down: turned so that the tip's z axis points down */
    lb_transform *square;               /* of joints at multiples of 90 degrees: singular */
    double *made, *starts, *near, *q;   /* TARGETS rows of nq numbers */
    double *times;
} setting;

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory) {
        fprintf(stderr, "solutions_bench: out of memory\n");
        exit(2);
    }
    return memory;
}

static void check(lb_status status, const lb_error *error)
{
    if (status == LB_OK)
        return;
    fprintf(stderr, "solutions_bench: %s\n", error->message);
    exit(2);
}

/* the least rotation that turns a target's z axis down */
static lb_transform turn_down(const lb_transform *target)
{
    const lb_vec3 down = {0, 0, -1}, x = {1, 0, 0}, across = lb_vec3_cross(target->z, down);
    const double angle = lb_atan2(lb_vec3_length(across), lb_vec3_dot(target->z, down));
    const lb_quat turn = lb_quat_from_axis_angle(lb_vec3_normalize(across, x), angle);
    lb_transform t = lb_transform_from_quat(turn, lb_vec3_make(0, 0, 0));
    t = lb_transform_multiply(&t, target);
    t.p = target->p;
    return t;
}

static void fill(setting *s)
{
    lb_random random = lb_random_seed(1);
    lb_state *state;
    lb_error error = {.message = "out of memory"};
    check(lb_state_create(s->model, NULL, &state), &error);
    for (size_t i = 0; i < TARGETS; i++) {
        double *made = s->made + i * (size_t)s->nq, *near = s->near + i * (size_t)s->nq;
        lb_configuration_random(s->model, &random, made);
        lb_configuration_random(s->model, &random, s->starts + i * (size_t)s->nq);
        for (int k = 0; k < s->nq; k++)
            near[k] = made[k] + lb_random_between(&random, -0.1, 0.1);
        lb_configuration_clamp(s->model, near, near);
        lb_state_update(state, made);
        s->targets[i] = s->far[i] = lb_state_transform(state, s->task.base, s->task.tip);
        s->down[i] = turn_down(&s->targets[i]);
        s->far[i].p = lb_vec3_scale(s->far[i].p, 1.5);

        // joints at right angles, and at their limits where these are nearer
        for (int k = 0; k < s->nq; k++)
            s->q[k] = floor(made[k] / (0.5 * LB_PI) + 0.5) * (0.5 * LB_PI);
        lb_configuration_clamp(s->model, s->q, s->q);
        lb_state_update(state, s->q);
        s->square[i] = lb_state_transform(state, s->task.base, s->task.tip);
    }
    lb_state_release(state);
}

static void load(const char *path, setting *s)
{
    lb_error error = {0};
    int tips[LB_DEFAULT_TIPS], count = 0;
    check(lb_load(path, NULL, &s->model, &error), &error);
    check(lb_model_default_tips(s->model, NULL, tips, &count), &error);
    s->task = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSE);
    s->nq = lb_model_nq(s->model);
    s->targets = take(TARGETS, sizeof *s->targets);
    s->far = take(TARGETS, sizeof *s->far);
    s->down = take(TARGETS, sizeof *s->down);
    s->square = take(TARGETS, sizeof *s->square);
    s->made = take(TARGETS * (size_t)s->nq, sizeof(double));
    s->starts = take(TARGETS * (size_t)s->nq, sizeof(double));
    s->near = take(TARGETS * (size_t)s->nq, sizeof(double));
    s->q = take(TARGETS * (size_t)s->nq, sizeof(double));
    s->times = take(TARGETS, sizeof(double));
    fill(s);
}

/* mean and percentile of the times that count */
static void print_times(const char *what, setting *s, int count, const char *note)
{
    if (count == 0) {
        printf("  %-34s none\n", what);
        return;
    }
    double mean = clock_mean(s->times, count);
    clock_sort(s->times, count);
    printf("  %-34s mean %8.1f ns  median %8.1f  p99 %8.1f  p99.9 %8.1f  (%d%s)\n", what, mean,
           clock_percentile(s->times, count, 0.5), clock_percentile(s->times, count, 0.99),
           clock_percentile(s->times, count, 0.999), count, note);
}

/* ---- all solutions ---------------------------------------------------------- */

/* times one call for each target; returns how many solutions a pose has */
static double time_poses(const char *what, setting *s, lb_solutions_solver *solver,
                         const lb_transform *targets, double *q, lb_solution *infos)
{
    double rows = 0, cost = clock_cost();
    int certified = 0;
    char note[40];
    for (int i = 0; i < TARGETS; i++) {
        lb_solutions_summary summary;
        s->times[i] = INFINITY;
        for (int run = 0; run < RUNS; run++) {
            double began = clock_now();
            lb_solutions(solver, &targets[i], NULL, ROWS, q, infos, &summary);
            s->times[i] = fmin(s->times[i], clock_now() - began - cost);
        }
        rows += (double)summary.count / TARGETS;
        certified += summary.certified;
    }
    snprintf(note, sizeof note, ", %d certified", certified);
    print_times(what, s, TARGETS, note);
    return rows;
}

static void time_solutions(setting *s, int redundancy)
{
    lb_solutions_options options = lb_solutions_options_default();
    lb_solutions_solver *solver;
    lb_error error;
    options.redundancy = redundancy;
    options.out_of_limits = true;
    if (lb_solutions_create(s->model, &s->task, &options, NULL, &solver, &error) != LB_OK) {
        printf("  %s\n", error.message);
        return;
    }
    char text[300];
    lb_solutions_describe(solver, text, sizeof text);
    printf("  %s\n", text);
    double *q = take(TARGETS * ROWS * (size_t)s->nq, sizeof(double));
    lb_solution *infos = take(TARGETS * ROWS, sizeof *infos);
    lb_solutions_summary *summaries = take(TARGETS, sizeof *summaries);
    double best = INFINITY;
    time_poses("all solutions, tool down", s, solver, s->down, q, infos);
    const double rows = time_poses("all solutions, one pose", s, solver, s->targets, q, infos);
    for (int run = 0; run < BATCH_RUNS; run++) {
        const lb_transform *targets = s->targets + run % (TARGETS / BLOCK) * BLOCK;
        double began = clock_now();
        lb_solutions_batch(solver, targets, 0, BLOCK, NULL, ROWS, q, infos, summaries);
        best = fmin(best, (clock_now() - began) / BLOCK);
    }
    printf("  %-34s mean %8.1f ns  (%.2f solutions a pose)\n", "all solutions, batch", best, rows);
    free(q);
    free(infos);
    free(summaries);
    lb_solutions_release(solver);
}

/* ---- the elbow's circle ------------------------------------------------------ */

static void time_elbow(setting *s)
{
    static const char *const names[] = {"elbow: nearest", "elbow: widest margin",
                                        "elbow: most manipulable", "elbow: arcs"};
    lb_elbow *elbow;
    double cost = clock_cost();
    if (lb_elbow_create(s->model, &s->task, NULL, &elbow, NULL) != LB_OK)
        return;
    for (int what = LB_ELBOW_NEAREST; what <= LB_ELBOW_MANIPULABILITY + 1; what++) {
        for (int i = 0; i < TARGETS; i++) {
            const double *start = s->starts + (size_t)i * (size_t)s->nq;
            s->times[i] = INFINITY;
            for (int run = 0; run < RUNS; run++) {
                lb_elbow_arc arcs[LB_ELBOW_ARCS_MAX];
                lb_elbow_choice choice;
                double began = clock_now();
                if (what > LB_ELBOW_MANIPULABILITY)
                    lb_elbow_arcs(elbow, &s->targets[i], start, LB_ELBOW_ARCS_MAX, arcs);
                else
                    lb_elbow_best(elbow, &s->targets[i], (lb_elbow_goal)what, start, s->q, &choice);
                s->times[i] = fmin(s->times[i], clock_now() - began - cost);
            }
        }
        print_times(names[what], s, TARGETS, "");
    }
    lb_elbow_release(elbow);
}

/* ---- single solves ---------------------------------------------------------- */

static lb_ik *solver_of(setting *s, lb_protocol protocol)
{
    lb_ik_options options = lb_ik_options_default();
    lb_ik *ik;
    lb_error error;
    options.protocol = protocol;
    check(lb_ik_create(s->model, &s->task, 1, &options, NULL, &ik, &error), &error);
    return ik;
}

/* solves that end with `outcome` */
static void time_solves(const char *what, setting *s, lb_ik *ik, const lb_transform *targets,
                        const double *starts, lb_outcome outcome)
{
    double cost = clock_cost();
    int count = 0;
    for (int i = 0; i < TARGETS; i++) {
        double least = INFINITY;
        lb_ik_result result;
        for (int run = 0; run < RUNS; run++) {
            double began = clock_now();
            lb_ik_solve(ik, &targets[i], starts + (size_t)i * (size_t)s->nq, s->q, &result);
            least = fmin(least, clock_now() - began - cost);
        }
        if (result.outcome == outcome)
            s->times[count++] = least;
    }
    print_times(what, s, count, " of 4096");
}

static void time_batch(const char *what, setting *s, lb_ik *ik, const double *starts)
{
    lb_batch batch = {.targets = s->targets, .starts = starts, .q = s->q};
    double best = INFINITY;
    size_t reached = 0;
    for (int run = 0; run < BATCH_RUNS; run++) {
        double began = clock_now();
        reached = lb_batch_solve(ik, &batch, 0, TARGETS);
        best = fmin(best, (clock_now() - began) / TARGETS);
    }
    printf("  %-34s mean %8.1f ns  %6.2f M/s  (%zu reached)\n", what, best, 1e3 / best, reached);
}

static void time_model(const char *path)
{
    setting s;
    load(path, &s);
    printf("%s\n", lb_model_name(s.model));
    time_solutions(&s, 1);
    time_elbow(&s);
    lb_ik *nearest = solver_of(&s, LB_PROTOCOL_NEAREST), *any = solver_of(&s, LB_PROTOCOL_ANY);
    time_solves("nearest, random start", &s, nearest, s.targets, s.starts, LB_REACHED);
    time_solves("nearest, start 0.1 rad off", &s, nearest, s.targets, s.near, LB_REACHED);
    time_solves("nearest, joints at right angles", &s, nearest, s.square, s.starts, LB_REACHED);
    time_solves("any, joints at right angles", &s, any, s.square, s.starts, LB_REACHED);
    time_solves("any", &s, any, s.targets, s.starts, LB_REACHED);
    time_solves("out of reach, nearest", &s, nearest, s.far, s.starts, LB_UNREACHABLE);
    time_solves("out of reach, any", &s, any, s.far, s.starts, LB_UNREACHABLE);
    time_batch("batch, nearest, random start", &s, nearest, s.starts);
    time_batch("batch, nearest, 0.1 rad off", &s, nearest, s.near);
    time_batch("batch, any", &s, any, s.starts);
    lb_ik_release(nearest);
    lb_ik_release(any);
    lb_model_release(s.model);
    free(s.targets);
    free(s.far);
    free(s.down);
    free(s.square);
    free(s.made);
    free(s.starts);
    free(s.near);
    free(s.q);
    free(s.times);
}

int main(int count, char **words)
{
    static const char *const usual[] = {"ur5", "kr6", "crx10ia", "panda", "iiwa14"};
    for (int i = 1; i < count; i++)
        time_model(words[i]);
    for (size_t i = 0; count < 2 && i < sizeof usual / sizeof *usual; i++)
        time_model(usual[i]);
    return 0;
}
