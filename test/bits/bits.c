/*
 * bits.c - a fingerprint of every kind of result, to be compared between builds.
 *
 * Prints one line for each robot and kind of result: a hash over all the bits.
 * Built by gcc and clang, with and without optimisation, for other machines: the
 * lines must be the same. Uses the core alone, so that it can be built for a
 * machine without libraries; dump.c has turned the embedded models into C.
 *
 *     bits [STEP]      of these models the first and every STEP-th after it; all, unless given
 */
#include "bench/golden.h"

#include <inttypes.h>
#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOINTS = 8, CONFIGURATIONS = 200, SOLVES = 20 };

/* ---- hashing (FNV-1a, 64 bits) ------------------------------------------ */

static uint64_t hash_start(void)
{
    return UINT64_C(0xcbf29ce484222325);
}

static void hash_number(uint64_t *hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 64; i += 8)
        *hash = (*hash ^ (bits >> i & 0xff)) * UINT64_C(0x100000001b3);
}

static void hash_numbers(uint64_t *hash, const double *values, int count)
{
    for (int i = 0; i < count; i++)
        hash_number(hash, values[i]);
}

static void hash_transform(uint64_t *hash, const lb_transform *t)
{
    const lb_vec3 columns[] = {t->x, t->y, t->z, t->p};
    for (int i = 0; i < 4; i++) {
        hash_number(hash, columns[i].x);
        hash_number(hash, columns[i].y);
        hash_number(hash, columns[i].z);
    }
}

static void say(const char *robot, const char *what, uint64_t hash)
{
    printf("%-9s %-9s %016" PRIx64 "\n", robot, what, hash);
}

/* ---- what is hashed ----------------------------------------------------- */

/* All link transforms of random configurations. */
static void print_forward(const lb_model *model, lb_state *state)
{
    lb_random random = lb_random_seed(1);
    uint64_t hash = hash_start();
    for (int i = 0; i < CONFIGURATIONS; i++) {
        double q[JOINTS];
        lb_configuration_random(model, &random, q);
        lb_state_update(state, q);
        for (int link = 0; link < lb_model_link_count(model); link++)
            hash_transform(&hash, &lb_state_transforms(state)[link]);
    }
    say(lb_model_name(model), "forward", hash);
}

/* The tip's Jacobian and its singular values. */
static void print_jacobian(const lb_model *model, lb_state *state, int tip)
{
    lb_random random = lb_random_seed(2);
    uint64_t hash = hash_start();
    lb_vec3 point = lb_vec3_make(0.1, -0.2, 0.3);
    for (int i = 0; i < CONFIGURATIONS; i++) {
        double q[JOINTS], jacobian[6 * JOINTS];
        lb_configuration_random(model, &random, q);
        lb_state_update(state, q);
        lb_state_jacobian(state, tip, point, LB_AXES_WORLD, jacobian);
        hash_numbers(&hash, jacobian, 6 * lb_model_nv(model));

        lb_singularity singularity;
        lb_state_singularity(state, tip, point, 0.3, 1e-9, &singularity);
        hash_numbers(&hash, singularity.values, 6);
    }
    say(lb_model_name(model), "jacobian", hash);
}

/* Every method's results to reachable poses, from random starts. */
static void print_solutions(const lb_model *model, lb_state *state, int tip,
                            const lb_method *method)
{
    lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSE);
    lb_ik_options options = lb_ik_options_default();
    options.method = method;
    lb_ik *ik;
    if (lb_ik_create(model, &task, 1, &options, NULL, &ik, NULL) != LB_OK)
        return;

    lb_random random = lb_random_seed(3);
    uint64_t hash = hash_start();
    for (int i = 0; i < SOLVES; i++) {
        double q[JOINTS];
        lb_configuration_random(model, &random, q);
        lb_state_update(state, q);
        lb_transform target = lb_state_transform(state, LB_WORLD, tip);
        lb_configuration_random(model, &random, q);

        lb_ik_result result;
        lb_ik_solve(ik, &target, q, q, &result);
        hash_numbers(&hash, q, lb_model_nq(model));
        hash_number(&hash, result.outcome);
        hash_number(&hash, result.iterations);
        hash_number(&hash, result.position_error);
    }
    say(lb_model_name(model), lb_method_name(method), hash);
    lb_ik_release(ik);
}

/* A target that jumps, moves and is a velocity, followed frame by frame. */
static void print_servo(const lb_model *model, lb_state *state, int tip)
{
    enum { FRAMES = 600 };
    const lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSE);
    lb_joint_setting jerky = lb_joint_setting_make(0);
    jerky.jerk = 300;
    lb_servo_options options = lb_servo_options_default();
    options.joints = &jerky;
    options.joint_count = 1;
    options.line = 2;
    lb_servo *servo;
    if (lb_servo_create(model, &task, &options, NULL, &servo, NULL) != LB_OK)
        return;
    lb_random random = lb_random_seed(6);
    uint64_t hash = hash_start();
    for (int i = 0; i < FRAMES; i++) {
        double q[JOINTS], v[JOINTS], a[JOINTS], twist[6] = {0.05, 0, 0.1, 0, 0.2, 0};
        if (i % 100 == 0) {
            lb_configuration_random(model, &random, q);
            lb_state_update(state, q);
            lb_transform target = lb_state_transform(state, LB_WORLD, tip);
            lb_servo_aim(servo, &target, i % 200 ? twist : NULL);
        }
        if (i % 200 == 50)
            lb_servo_twist(servo, twist);
        lb_servo_step(servo, q, v, a, NULL);
        hash_numbers(&hash, q, lb_model_nq(model));
        hash_numbers(&hash, v, lb_model_nv(model));
        hash_numbers(&hash, a, lb_model_nv(model));
    }
    say(lb_model_name(model), "servo", hash);
    lb_servo_release(servo);
}

/* The rotations of arms of two bones, some of which are straight or out of reach. */
static void print_two_bones(void)
{
    enum { ARMS = 101 };
    static lb_two_bone arms[ARMS];
    static lb_quat start[ARMS], middle[ARMS];
    lb_random random = lb_random_seed(4);
    for (int i = 0; i < ARMS; i++) {
        arms[i] = lb_two_bone_default();
        arms[i].middle.p.x = 1;
        arms[i].end.p = lb_vec3_make(1.8, i % 3 ? 0.1 : 0, 0);
        arms[i].target.x = lb_random_between(&random, -1.5, 1.5);
        arms[i].target.y = lb_random_between(&random, -1.5, 1.5);
        arms[i].pole.z = i % 2;
        arms[i].bend_axis.y = i % 5;
        arms[i].twist = i % 7 ? 0 : i;
        arms[i].soft = 0.9;
    }
    uint64_t hash = hash_start();
    hash_number(&hash, (double)lb_two_bone_batch(arms, ARMS, start, middle, NULL));
    hash_numbers(&hash, &start[0].w, 4 * ARMS);
    hash_numbers(&hash, &middle[0].w, 4 * ARMS);
    say("two bones", "batch", hash);
}

/* Distances of shapes of every kind, apart and overlapping, by every algorithm. */
static void print_distances(void)
{
    enum { PAIRS = 4000, POINTS = 12 };
    lb_random random = lb_random_seed(5);
    uint64_t hash = hash_start();
    for (int n = 0; n < PAIRS; n++) {
        lb_geometry pair[2];
        lb_vec3 points[POINTS];
        lb_mesh mesh = {"m", points, POINTS};
        // in braces, whose order is fixed as that of arguments is not
        for (int i = 0; i < POINTS; i++)
            points[i] = (lb_vec3){lb_random_unit(&random), lb_random_unit(&random),
                                  lb_random_unit(&random)};
        for (int i = 0; i < 2; i++) {
            lb_quat turn = {lb_random_unit(&random) - 0.5, lb_random_unit(&random) - 0.5,
                            lb_random_unit(&random) - 0.5, lb_random_unit(&random) - 0.5};
            lb_vec3 at = {lb_random_unit(&random), lb_random_unit(&random),
                          lb_random_unit(&random)};
            pair[i] = (lb_geometry){.shape = (lb_shape)((n >> i) % 5), .mesh = "m"};
            pair[i].size = lb_vec3_make(0.4 * lb_random_unit(&random), 0.4, 0.5);
            pair[i].origin = lb_transform_from_quat(lb_quat_normalize(turn), at);
        }
        lb_proximity nearest;
        lb_geometry_distance(&pair[0], &mesh, &pair[1], &mesh, &nearest);
        hash_number(&hash, nearest.distance);
        hash_numbers(&hash, &nearest.point_a.x, 3);
        hash_numbers(&hash, &nearest.normal.x, 3);
    }
    say("shapes", "distance", hash);
}

/* ---- the robots --------------------------------------------------------- */

static void print_robot(const char *name, const lb_dh_row *rows, int count, bool modified)
{
    lb_model *model;
    lb_state *state;
    if (lb_model_from_dh(name, rows, count, modified, NULL, &model, NULL) != LB_OK)
        return;
    if (lb_state_create(model, NULL, &state) == LB_OK) {
        int tip = lb_model_link_count(model) - 1;
        print_forward(model, state);
        print_jacobian(model, state, tip);
        for (int m = 0; m < lb_method_count(); m++)
            print_solutions(model, state, tip, lb_method_at(m));
        print_servo(model, state, tip);
        lb_state_release(state);
    }
    lb_model_release(model);
}

/* embedded models, by dump.c */
extern const lb_model_source bits_models[];

/* the widest kernel there is, by cmake/kernel.cmake */
#if defined(__x86_64__)
enum { WIDEST = 8 };
#else
enum { WIDEST = 2 };
#endif

/* The golden hash of a robot's whole bodies, by each width, likewise. */
static void print_golden_body(const lb_model_source *source, const lb_model *model)
{
    const golden_body *row = golden_find_body(source->name);
    uint64_t first = 0, hash;
    for (int width = 1; row && width <= WIDEST; width *= 2) {
        if (!golden_body_hash(row, model, width, &hash))
            continue;
        if (width == 1 || hash != first)
            say(source->name, width == 1 ? "bodies" : "differs", hash);
        if (width == 1)
            first = hash;
    }
}

/* A walk of a figure's that it follows itself, frame by frame at uneven times. */
static void print_stream(const lb_model *fixed)
{
    enum { FRAMES = 60, MOST = 64 };
    lb_model *model = NULL;
    lb_clip *clip = NULL;
    lb_contacts *contacts = NULL;
    lb_retarget_stream *stream = NULL;
    lb_gait gait = lb_gait_default();
    uint64_t hash = hash_start();
    if (lb_model_with_root(fixed, LB_JOINT_FLOATING, NULL, &model, NULL) == LB_OK &&
        lb_model_nq(model) <= MOST &&
        lb_gait_walk(model, &gait, NULL, &clip, &contacts, NULL) == LB_OK &&
        lb_retarget_stream_create(model, clip, model, NULL, NULL, &stream, NULL) == LB_OK) {
        for (int i = 0; i < FRAMES; i++) {
            // one rounding: a product and a sum may be contracted here
            double q[MOST], made[MOST], time = (4 * i + i % 3) / 1000.0;
            lb_clip_at(clip, time, q);
            lb_retarget_stream_next(stream, time, q, made, NULL);
            hash_numbers(&hash, made, lb_model_nq(model));
        }
        say(lb_model_name(fixed), "stream", hash);
    }
    lb_retarget_stream_release(stream);
    lb_contacts_release(contacts);
    lb_clip_release(clip);
    lb_model_release(model);
}

/* The golden hash of a robot, by each width: one line, as long as they agree. */
static void print_golden(const lb_model_source *source)
{
    lb_model *model;
    if (lb_model_build(source, NULL, &model, NULL) != LB_OK)
        return;
    print_golden_body(source, model);
    uint64_t first = 0, hash;
    for (int width = 1; width <= WIDEST; width *= 2) {
        if (!golden_hash(golden_find(source->name), model, width, &hash))
            continue;
        if (width == 1 || hash != first)
            say(source->name, width == 1 ? "golden" : "differs", hash);
        if (width == 1)
            first = hash;
    }
    print_stream(model);
    lb_model_release(model);
}

#define REVOLUTE(theta, d, a, alpha, lower, upper)                                                 \
    {                                                                                              \
        LB_JOINT_REVOLUTE, theta, d, a, alpha, lower, upper                                        \
    }

int main(int argc, char **argv)
{
    const int step = argc > 1 ? atoi(argv[1]) : 1;
    // like a UR5: six joints, standard convention, wide limits
    const lb_dh_row six[] = {REVOLUTE(0, 0.0892, 0, LB_PI / 2, -6.28, 6.28),
                             REVOLUTE(0, 0, -0.425, 0, -6.28, 6.28),
                             REVOLUTE(0, 0, -0.3922, 0, -3.14, 3.14),
                             REVOLUTE(0, 0.1091, 0, LB_PI / 2, -6.28, 6.28),
                             REVOLUTE(0, 0.0947, 0, -LB_PI / 2, -6.28, 6.28),
                             REVOLUTE(0, 0.0823, 0, 0, -6.28, 6.28)};
    print_robot("six", six, 6, false);

    // like a Panda: seven joints, modified convention, tight limits
    const lb_dh_row seven[] = {REVOLUTE(0, 0.333, 0, 0, -2.9, 2.9),
                               REVOLUTE(0, 0, 0, -LB_PI / 2, -1.76, 1.76),
                               REVOLUTE(0, 0.316, 0, LB_PI / 2, -2.9, 2.9),
                               REVOLUTE(0, 0, 0.0825, LB_PI / 2, -3.07, -0.07),
                               REVOLUTE(0, 0.384, -0.0825, -LB_PI / 2, -2.9, 2.9),
                               REVOLUTE(0, 0, 0, LB_PI / 2, -0.02, 3.75),
                               REVOLUTE(0, 0.107, 0.088, LB_PI / 2, -2.9, 2.9)};
    print_robot("seven", seven, 7, true);

    // like the Stanford arm: a slide among turns
    const lb_dh_row slide[] = {REVOLUTE(0, 0.4, 0, -LB_PI / 2, -3, 3),
                               REVOLUTE(0, 0.15, 0, LB_PI / 2, -3, 3),
                               {LB_JOINT_PRISMATIC, -LB_PI / 2, 0, 0, 0, 0.3, 1.2},
                               REVOLUTE(0, 0, 0, -LB_PI / 2, -3, 3),
                               REVOLUTE(0, 0, 0, LB_PI / 2, -1.6, 1.6),
                               REVOLUTE(0, 0.26, 0, 0, -3, 3)};
    print_robot("slide", slide, 6, false);
    print_two_bones();
    print_distances();
    for (int i = 0; bits_models[i].name; i++)
        if (i % step == 0)
            print_golden(&bits_models[i]);
    return 0;
}
