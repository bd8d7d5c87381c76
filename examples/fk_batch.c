/*
 * fk_batch.c - a thousand figures at once, as matrices for a renderer.
 *
 * A row of q is one figure's configuration. For each the batch writes a row of float
 * matrices, many figures side by side; a renderer can upload them as they are. Here
 * every figure waves, each a little later than the one before it.
 *
 * Prints:
 *     hand of figure   0 at height 1.689
 *     hand of figure 250 at height 1.872
 *     hand of figure 500 at height 1.955
 *     hand of figure 750 at height 1.917
 */
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIGURES = 1000 };

int main(void)
{
    lb_model *model;
    lb_fk_batch *batch;
    if (lb_load("human", NULL, &model, NULL) != LB_OK)
        return 1;

    // two links alone; what does not lead to them costs nothing
    const int links[] = {lb_model_find_link(model, "left_hand"),
                         lb_model_find_link(model, "right_hand")};
    lb_fk_batch_options options = lb_fk_batch_options_default();
    options.links = links;
    options.link_count = 2;
    if (lb_fk_batch_create(model, &options, NULL, &batch) != LB_OK)
        return 1;

    // every figure is at rest but for its left upper arm, at an angle of its own
    size_t nq = (size_t)lb_model_nq(model);
    double *rest = malloc(sizeof *rest * nq);
    float *q = malloc(sizeof *q * nq * FIGURES);
    float(*matrices)[2][16] = malloc(sizeof *matrices * FIGURES);
    if (!rest || !q || !matrices)
        return 1;
    lb_configuration_neutral(model, rest);
    int shoulder = lb_model_joint_q(model, lb_model_find_joint(model, "left_shoulder"));
    for (int i = 0; i < FIGURES; i++) {
        float *row = q + (size_t)i * nq, *turn = row + shoulder;
        for (size_t k = 0; k < nq; k++)
            row[k] = (float)rest[k];
        double sine, cosine;
        lb_sincos(0.5 + 0.001 * i, &sine, &cosine);
        turn[0] = (float)cosine;
        turn[1] = (float)sine;
        turn[2] = turn[3] = 0;
    }

    lb_fk_batch_floats rows = {.q = q, .matrices = matrices[0][0], .matrix = LB_MATRIX_4X4};
    lb_fk_batch_forward_float(batch, &rows, 0, FIGURES);
    for (int i = 0; i < FIGURES; i += 250)
        printf("hand of figure %3d at height %.3f\n", i, (double)matrices[i][0][14]);
    free(matrices);
    free(q);
    free(rest);
    lb_fk_batch_release(batch);
    lb_model_release(model);
    return 0;
}
