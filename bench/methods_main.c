/*
 * methods_main.c - every method on three linkages of the animation trade.
 *
 *     build/bench/methods [METHOD]
 *
 * A chain of 20 balls with bones of one metre and 10 hinges in turn about z and x with limits of
 * 45 degrees, whose tips are to come to within a thousandth of the reach of places that random
 * configurations put them at; and two bones with a pole and soft reach in closed form. Starts
 * are the straight chains. The mean over all targets of one solve's time, of each the least of
 * several, so that what else the machine does is left out.
 */
#include "bench/clock.h"

#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOINTS = 20, TARGETS = 300, RUNS = 7 };

static void check(lb_status status, const lb_error *error)
{
    if (status == LB_OK)
        return;
    fprintf(stderr, "methods: %s\n", error->message);
    exit(2);
}

/* ---- linkages --------------------------------------------------------------- */

/* n joints, each one metre along x from the one before, and a tip behind the last */
static lb_model *chain(int n, lb_joint_kind kind, double limit)
{
    char names[2 * MOST_JOINTS + 4][8];
    lb_link links[MOST_JOINTS + 2];
    lb_joint joints[MOST_JOINTS + 1];
    for (int i = 0; i <= n + 1; i++) {
        snprintf(names[i], sizeof names[i], "l%d", i);
        links[i] = lb_link_default();
        links[i].name = names[i];
    }
    for (int i = 0; i <= n; i++) {
        char *name = names[n + 2 + i];
        snprintf(name, sizeof names[0], "j%d", i);
        joints[i] = lb_joint_default();
        joints[i].name = name;
        joints[i].parent = names[i];
        joints[i].child = names[i + 1];
        joints[i].kind = i < n ? kind : LB_JOINT_FIXED;
        joints[i].axis = i % 2 ? lb_vec3_make(1, 0, 0) : lb_vec3_make(0, 0, 1);
        // hinges about x would move nothing on bones along x
        bool along_y = kind != LB_JOINT_BALL;
        if (i > 0)
            joints[i].placement = lb_transform_translation(!along_y, along_y, 0);
        joints[i].lower[0] = -limit;
        joints[i].upper[0] = limit;
    }
    const lb_model_source source = {.name = "chain",
                                    .root = LB_TRANSFORM_IDENTITY,
                                    .links = links,
                                    .link_count = n + 2,
                                    .joints = joints,
                                    .joint_count = n + 1};
    lb_model *model;
    lb_error error;
    check(lb_model_build(&source, NULL, &model, &error), &error);
    return model;
}

/* ---- measuring -------------------------------------------------------------- */

typedef struct tally {
    int reached;
    double iterations, mean;
} tally;

static tally solve_all(lb_ik *ik, const lb_model *model, const lb_transform *targets, int count)
{
    double *start = calloc(2 * (size_t)lb_model_nq(model), sizeof(double));
    double *q = start + lb_model_nq(model), cost = clock_cost();
    tally t = {0};
    lb_configuration_neutral(model, start);
    for (int i = 0; i < count; i++) {
        lb_ik_result result;
        double least = INFINITY;
        for (int run = 0; run < RUNS; run++) {
            double began = clock_now();
            lb_ik_solve(ik, &targets[i], start, q, &result);
            double time = clock_now() - began - cost;
            least = time < least ? time : least;
        }
        t.reached += result.outcome == LB_REACHED;
        t.iterations += (double)result.iterations / count;
        t.mean += least / count;
    }
    free(start);
    return t;
}

/* where the tip is in random configurations */
static void make_targets(const lb_model *model, int tip, lb_transform *targets, int count)
{
    double *q = calloc((size_t)lb_model_nq(model), sizeof(double));
    lb_random random = lb_random_seed(1);
    lb_state *state;
    check(lb_state_create(model, NULL, &state), &(lb_error){.message = "out of memory"});
    for (int i = 0; i < count; i++) {
        lb_configuration_random(model, &random, q);
        lb_state_update(state, q);
        targets[i] = lb_state_transform(state, LB_WORLD, tip);
    }
    lb_state_release(state);
    free(q);
}

static void measure(const char *what, const lb_model *model, double reach, int count,
                    const char *only)
{
    static const struct {
        lb_protocol protocol;
        const char *name;
    } protocols[] = {{LB_PROTOCOL_GIVEN, "given start"}, {LB_PROTOCOL_ANY, "any solution"}};
    lb_transform targets[TARGETS];
    int tip = lb_model_link_count(model) - 1;
    make_targets(model, tip, targets, count);
    printf("%s\n", what);
    for (int k = 0; k < lb_method_count(); k++) {
        const lb_method *method = lb_method_at(k);
        if (only && strcmp(only, lb_method_name(method)) != 0)
            continue;
        for (int p = 0; p < 2; p++) {
            lb_ik_options options = lb_ik_options_default();
            options.method = method;
            options.protocol = protocols[p].protocol;
            options.position_tolerance = 1e-3 * reach;
            lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSITION);
            lb_ik *ik;
            if (lb_ik_create(model, &task, 1, &options, NULL, &ik, NULL) != LB_OK)
                continue;
            tally t = solve_all(ik, model, targets, count);
            printf("    %-14s %-13s %3d/%d %9.2f us %9.1f iterations\n", lb_method_name(method),
                   protocols[p].name, t.reached, count, 1e-3 * t.mean, t.iterations);
            lb_ik_release(ik);
        }
    }
}

/* ---- two bones ------------------------------------------------------------ */

enum { ARMS = 256 }; /* the arms and their rotations stay in the second cache */

/* Legs of a crowd. */
typedef struct legs {
    lb_two_bone arms[ARMS];
    lb_quat start[ARMS], middle[ARMS];
    bool reached[ARMS];
} legs;

static size_t solve_one_by_one(legs *l)
{
    size_t reached = 0;
    for (int i = 0; i < ARMS; i++)
        reached += lb_two_bone_solve(&l->arms[i], &l->start[i], &l->middle[i]);
    return reached;
}

static size_t solve_together(legs *l)
{
    return lb_two_bone_batch(l->arms, ARMS, l->start, l->middle, l->reached);
}

/* the least time of an arm, nanoseconds */
static double least_time(legs *l, size_t (*solve)(legs *l), size_t *reached)
{
    enum { SAMPLES = 2000 };
    double best = INFINITY;
    for (int run = 0; run < SAMPLES; run++) {
        double began = clock_now();
        *reached = solve(l);
        double mean = (clock_now() - began) / ARMS;
        best = mean < best ? mean : best;
    }
    return best;
}

static void measure_two_bones(double soft)
{
    static legs l;
    lb_random random = lb_random_seed(1);
    for (int i = 0; i < ARMS; i++) {
        lb_two_bone *arm = &l.arms[i];
        *arm = lb_two_bone_default();
        arm->middle = lb_transform_translation(1, 0, 0);
        arm->end = lb_transform_translation(1.8, 0.1, 0);
        arm->bend_axis = lb_vec3_make(0, 0, 1);
        arm->pole = lb_vec3_make(0, 1, 0.2);
        arm->soft = soft;
        arm->target = lb_vec3_make(lb_random_between(&random, -1.2, 1.2),
                                   lb_random_between(&random, -1.2, 1.2),
                                   lb_random_between(&random, -1.2, 1.2));
    }
    size_t reached;
    double one = least_time(&l, solve_one_by_one, &reached);
    double together = least_time(&l, solve_together, &reached);
    printf("two bones with pole, soft %.2f: one %.1f ns, in a batch %.1f ns, %.0f %% in reach\n",
           soft, one, together, 100.0 * (double)reached / ARMS);
}

int main(int count, char **words)
{
    const char *only = count > 1 ? words[1] : NULL;
    lb_model *balls = chain(20, LB_JOINT_BALL, INFINITY);
    lb_model *hinges = chain(10, LB_JOINT_REVOLUTE, LB_PI / 4);
    measure("20 balls, to 1e-3 of the reach", balls, 20, 200, only);
    measure("10 hinges about z and x in limits of 45 degrees, to 1e-3 of the reach", hinges, 10,
            300, only);
    measure_two_bones(1);
    measure_two_bones(0.95);
    lb_model_release(balls);
    lb_model_release(hinges);
    return 0;
}
