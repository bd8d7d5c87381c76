/*
 * crowd_main.c - the time of forward kinematics of crowds, to float matrices.
 *
 *     build/bench/crowd_bench
 *
 * Figures of 60 ball joints, in poses at random; of many runs of one thread the least time counts,
 * per joint, for 4 x 4 and for 3 x 4 matrices. Large crowds do not fit the caches.
 */
#include "bench/clock.h"

#include <limber/fk_batch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { JOINTS = 60, RUNS = 400000 };

/* chains of four that hang from each other */
static lb_model *make_model(void)
{
    static char names[JOINTS + 1][8];
    lb_joint joints[JOINTS];
    lb_link links[JOINTS + 1];
    lb_model *model = NULL;
    for (int i = 0; i <= JOINTS; i++) {
        snprintf(names[i], sizeof names[i], "l%d", i);
        links[i] = lb_link_default();
        links[i].name = names[i];
    }
    for (int i = 0; i < JOINTS; i++) {
        joints[i] = lb_joint_default();
        joints[i].name = joints[i].child = names[i + 1];
        joints[i].parent = names[i % 4 != 0 ? i : i / 2];
        joints[i].kind = LB_JOINT_BALL;
        joints[i].placement = lb_transform_translation(0.1, 0.02, 0.3);
        for (int k = 0; k < 3; k++) {
            joints[i].lower[k] = -INFINITY;
            joints[i].upper[k] = INFINITY;
        }
    }
    lb_model_source source = {.name = "figure",
                              .root = LB_TRANSFORM_IDENTITY,
                              .links = links,
                              .link_count = JOINTS + 1,
                              .joints = joints,
                              .joint_count = JOINTS};
    return lb_model_build(&source, NULL, &model, NULL) == LB_OK ? model : NULL;
}

static void fill_poses(const lb_model *model, float *q, int figures)
{
    double one[4 * JOINTS];
    lb_random random = lb_random_seed(1);
    for (int i = 0; i < figures; i++) {
        lb_configuration_random(model, &random, one);
        for (int k = 0; k < 4 * JOINTS; k++)
            q[i * 4 * JOINTS + k] = (float)one[k];
    }
}

/* the least time of a run, nanoseconds a joint */
static double time_crowd(lb_fk_batch *batch, lb_fk_batch_floats rows, int figures)
{
    double least = INFINITY;
    for (int run = 0; run < RUNS / figures + 3; run++) {
        double begin = clock_now();
        lb_fk_batch_forward_float(batch, &rows, 0, (size_t)figures);
        least = fmin(least, clock_now() - begin);
    }
    return least / figures / JOINTS;
}

static void time_figures(const lb_model *model, lb_fk_batch *batch, int figures)
{
    size_t count = (size_t)figures;
    float *q = aligned_alloc(64, sizeof *q * 4 * JOINTS * count);
    float *matrices = aligned_alloc(64, sizeof *matrices * 16 * (JOINTS + 1) * count);
    if (q != NULL && matrices != NULL) {
        lb_fk_batch_floats rows = {.q = q, .matrices = matrices, .matrix = LB_MATRIX_4X4};
        fill_poses(model, q, figures);
        printf("%5d figures: 4 x 4 %.2f ns a joint", figures, time_crowd(batch, rows, figures));
        rows.matrix = LB_MATRIX_3X4;
        printf(", 3 x 4 %.2f\n", time_crowd(batch, rows, figures));
    }
    free(matrices);
    free(q);
}

int main(void)
{
    static const int sizes[] = {16, 64, 128, 2048, 4096, 8192};
    lb_fk_batch *batch = NULL;
    lb_model *model = make_model();
    if (model == NULL || lb_fk_batch_create(model, NULL, NULL, &batch) != LB_OK)
        return 1;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        time_figures(model, batch, sizes[i]);
    lb_fk_batch_release(batch);
    lb_model_release(model);
    return 0;
}
