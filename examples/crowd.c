/*
 * crowd.c - one clip for a crowd: mirrored, looped, blended, and sampled by each figure at its own
 * time.
 *
 * The clip is a wave of the left arm. Every second figure waves with the right arm. Each figure
 * begins a little later than the one before it, blends from standing still in half a second, and
 * loops without a jump. Sampling and forward kinematics allocate nothing.
 *
 * Prints:
 *     figure  0 at 1.20 s: left hand at 1.84, right hand at 0.86
 *     figure 25 at 1.20 s: left hand at 0.86, right hand at 1.95
 *     figure 50 at 1.20 s: left hand at 1.90, right hand at 0.86
 *     figure 75 at 1.20 s: left hand at 0.86, right hand at 1.73
 */
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIGURES = 100, ROUNDS = 20, KEYS = 3 };

static void must(lb_status status, const lb_error *error)
{
    if (status == LB_OK)
        return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

/* the arm goes up and down in a second */
static lb_clip *make_wave(const lb_model *model)
{
    double times[KEYS], keys[KEYS * 100];
    int nq = lb_model_nq(model);
    int shoulder = lb_model_joint_q(model, lb_model_find_joint(model, "left_shoulder"));
    lb_clip *clip = NULL;
    lb_error error;
    for (int i = 0; i < KEYS; i++) {
        double *q = keys + i * nq, sine, cosine;
        times[i] = 0.5 * i;
        lb_configuration_neutral(model, q);
        lb_sincos(0.5 + 0.5 * (i % 2), &sine, &cosine);
        q[shoulder] = cosine, q[shoulder + 1] = sine, q[shoulder + 2] = q[shoulder + 3] = 0;
    }
    must(lb_clip_create(model, times, keys, KEYS, LB_INTERPOLATION_LINEAR, NULL, &clip, &error),
         &error);
    return clip;
}

/* standing still at first, then the clip, round after round */
static lb_clip *make_cycle(const lb_model *model, const lb_clip *wave)
{
    double times[2] = {0, 1}, still[2 * 100];
    lb_clip *rest = NULL, *loop = NULL, *whole = NULL;
    lb_error error;
    for (int i = 0; i < 2; i++)
        lb_configuration_neutral(model, still + i * lb_model_nq(model));
    must(lb_clip_create(model, times, still, 2, LB_INTERPOLATION_LINEAR, NULL, &rest, &error),
         &error);
    must(lb_clip_loop(wave, ROUNDS, 0.1, NULL, &loop, &error), &error);
    must(lb_clip_blend(rest, loop, 0, 0.5, NULL, &whole, &error), &error);
    lb_clip_release(loop);
    lb_clip_release(rest);
    return whole;
}

int main(void)
{
    lb_model *model;
    lb_fk_batch *batch;
    lb_clip *mirrored = NULL;
    lb_error error;
    if (lb_load("human", NULL, &model, NULL) != LB_OK)
        return 1;
    lb_clip *wave = make_wave(model);
    must(lb_clip_mirror(wave, NULL, &mirrored, &error), &error);
    lb_clip *cycles[2] = {make_cycle(model, wave), make_cycle(model, mirrored)};

    const int links[] = {lb_model_find_link(model, "left_hand"),
                         lb_model_find_link(model, "right_hand")};
    lb_fk_batch_options options = lb_fk_batch_options_default();
    options.links = links;
    options.link_count = 2;
    static double q[FIGURES][100];
    static lb_transform hands[FIGURES][2];
    if (lb_fk_batch_create(model, &options, NULL, &batch) != LB_OK)
        return 1;

    // one picture: each figure at its own time in one of the two clips
    double now = 1.2;
    for (int i = 0; i < FIGURES; i++)
        lb_clip_at(cycles[i % 2], now + 0.01 * i, q[i]);
    lb_fk_batch_rows rows = {
        .q = q[0], .q_stride = sizeof q[0] / sizeof q[0][0], .transforms = hands[0]};
    lb_fk_batch_forward(batch, &rows, 0, FIGURES);
    for (int i = 0; i < FIGURES; i += 25)
        printf("figure %2d at %.2f s: left hand at %.2f, right hand at %.2f\n", i, now,
               hands[i][0].p.z, hands[i][1].p.z);

    lb_fk_batch_release(batch);
    lb_clip_release(cycles[0]);
    lb_clip_release(cycles[1]);
    lb_clip_release(mirrored);
    lb_clip_release(wave);
    lb_model_release(model);
    return 0;
}
