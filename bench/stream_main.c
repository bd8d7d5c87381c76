/*
 * stream_main.c - a capture that is retargeted frame by frame: how long a frame takes, what holds
 * in every frame, and how far the motion is from that of the whole clip.
 *
 *     build/bench/stream_bench ROBOT CAPTURE RATE
 *
 * The clip itself is the calibration. All of it is played five times and each frame's least time
 * counts, since other programs only make it longer; the first frame, which is found from fixed
 * starts, is not among them.
 */
#include "bench/clock.h"

#include <limber/fidelity.h>
#include <limber/formats/load.h>
#include <limber/formats/motion.h>
#include <limber/kinematics.h>
#include <limber/retarget.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 5, MOST_POINTS = 31 };

typedef struct measured {
    const lb_model *robot;
    lb_clip *whole, *made;
    lb_retarget_stream *stream;
    int frames, nq;
    double *keys, *times; /* frames x nq, microseconds */
    lb_retarget_frame *reports;
} measured;

static int fail(const char *what, const lb_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error->message);
    return 1;
}

static void play(measured *m, const lb_clip *clip, double *q, bool first)
{
    for (int i = 0; i < m->frames; i++) {
        double time = lb_clip_times(m->whole)[i];
        lb_clip_at(clip, time, q);
        double begin = clock_now();
        lb_retarget_stream_next(m->stream, time, q, m->keys + (size_t)i * (size_t)m->nq,
                                &m->reports[i]);
        double took = (clock_now() - begin) / 1e3;
        m->times[i] = first ? took : fmin(m->times[i], took);
    }
}

/* the most that a value moves, over what its speed allows, and that it is beyond a limit */
static void measure_limits(const measured *m, double *speed, double *beyond)
{
    for (int j = 0; j < lb_model_joint_count(m->robot); j++) {
        const lb_joint *joint = lb_model_joint(m->robot, j);
        int at = lb_model_joint_q(m->robot, j);
        if (lb_joint_kind_nq(joint->kind) != 1 || joint->mimic != NULL)
            continue;
        for (int i = 0; i < m->frames; i++) {
            double now = m->keys[(size_t)i * (size_t)m->nq + (size_t)at];
            *beyond = fmax(*beyond, fmax(joint->lower[0] - now, now - joint->upper[0]));
            if (i == 0)
                continue;
            double time = lb_clip_times(m->whole)[i] - lb_clip_times(m->whole)[i - 1];
            double moved = now - m->keys[(size_t)(i - 1) * (size_t)m->nq + (size_t)at];
            *speed = fmax(*speed, fabs(moved) / (joint->velocity * time));
        }
    }
}

/* how far points go from where they began to be held, and below the ground, metres */
static void measure_feet(const measured *m, double *slide, double *below, int *released)
{
    int count;
    lb_vec3 began[MOST_POINTS];
    lb_state *state = NULL;
    const lb_contact_point *points = lb_retarget_stream_points(m->stream, &count);
    if (lb_state_create(m->robot, NULL, &state) != LB_OK)
        return;
    for (int i = 0; i < m->frames; i++) {
        lb_state_update(state, m->keys + (size_t)i * (size_t)m->nq);
        *released += m->reports[i].released;
        for (int k = 0; k < count && k < MOST_POINTS; k++) {
            lb_vec3 at = lb_state_point(state, points[k].link, LB_WORLD, points[k].at);
            bool held = m->reports[i].held >> k & 1;
            bool was = i > 0 && (m->reports[i - 1].held >> k & 1);
            *below = fmax(*below, -at.z);
            if (held && !was)
                began[k] = at;
            if (held)
                *slide = fmax(*slide, lb_vec3_length(lb_vec3_sub(at, began[k])));
        }
    }
    lb_state_release(state);
}

/* root mean square of the difference of all values of one number */
static double compare_values(const measured *m)
{
    double sum = 0;
    int count = 0;
    for (int j = 0; j < lb_model_joint_count(m->robot); j++)
        for (int i = 0; i < m->frames && lb_joint_kind_nq(lb_model_joint(m->robot, j)->kind) == 1;
             i++, count++) {
            int at = lb_model_joint_q(m->robot, j);
            double off =
                m->keys[(size_t)i * (size_t)m->nq + (size_t)at] - lb_clip_key(m->whole, i)[at];
            sum += off * off;
        }
    return sqrt(sum / count);
}

/* means of the angles of arms and legs to the source's, degrees */
static void print_fidelity(const lb_clip *made, const lb_clip *source)
{
    lb_fidelity_report r;
    if (lb_clip_fidelity(made, source, NULL, NULL, NULL, &r, NULL) != LB_OK)
        return;
    const lb_fidelity_worst *i = r.items;
    printf(" | %.1f / %.1f",
           (i[LB_FIDELITY_LEFT_ARM].mean + i[LB_FIDELITY_RIGHT_ARM].mean) * 90 / LB_PI,
           (i[LB_FIDELITY_LEFT_LEG].mean + i[LB_FIDELITY_RIGHT_LEG].mean) * 90 / LB_PI);
}

static void print_all(measured *m, const lb_clip *clip, const char *name, double rate)
{
    double speed = 0, beyond = 0, slide = 0, below = 0;
    int released = 0;
    measure_limits(m, &speed, &beyond);
    measure_feet(m, &slide, &below, &released);
    clock_sort(m->times + 1, m->frames - 1);
    printf("| %s | %g | %d | %.0f | %.0f | %.0f | %g | %.3f | %.3f | %.3f | %d | %.3f", name, rate,
           m->frames, clock_percentile(m->times + 1, m->frames - 1, 0.5),
           clock_percentile(m->times + 1, m->frames - 1, 0.99), m->times[m->frames - 1],
           fmax(0, beyond), speed, 1e3 * slide, 1e3 * below, released, compare_values(m));
    lb_clip_create(m->robot, lb_clip_times(m->whole), m->keys, m->frames, LB_INTERPOLATION_LINEAR,
                   NULL, &m->made, NULL);
    print_fidelity(m->made, clip);
    print_fidelity(m->whole, clip);
    puts(" |");
}

static int measure(measured *m, const lb_motion *source, const char *name, double rate)
{
    lb_error error = {0};
    lb_retarget_options options = lb_retarget_options_default();
    options.rest = source->rest;
    options.rate = rate;
    if (lb_retarget(source->clip, m->robot, &options, NULL, &m->whole, NULL, NULL, &error) !=
            LB_OK ||
        lb_retarget_stream_create(source->model, source->clip, m->robot, &options, NULL, &m->stream,
                                  &error) != LB_OK)
        return fail(name, &error);
    m->frames = lb_clip_count(m->whole);
    m->nq = lb_model_nq(m->robot);
    m->keys = calloc((size_t)m->frames * (size_t)m->nq, sizeof *m->keys);
    m->times = calloc((size_t)m->frames, sizeof *m->times);
    m->reports = calloc((size_t)m->frames, sizeof *m->reports);
    double *q = calloc((size_t)lb_model_nq(source->model), sizeof *q);
    for (int run = 0; run < RUNS; run++) {
        lb_retarget_stream_reset(m->stream, NULL);
        play(m, source->clip, q, run == 0);
    }
    print_all(m, source->clip, name, rate);
    free(q);
    return 0;
}

int main(int count, char **words)
{
    lb_error error = {0};
    lb_model *fixed = NULL, *moving = NULL;
    lb_motion *source = NULL;
    lb_motion_options options = lb_motion_options_default();
    if (count != 4) {
        fprintf(stderr, "usage: stream_bench ROBOT CAPTURE RATE\n");
        return 2;
    }
    if (lb_load(words[1], NULL, &fixed, &error) != LB_OK ||
        lb_model_with_root(fixed, LB_JOINT_FLOATING, NULL, &moving, &error) != LB_OK)
        return fail(words[1], &error);
    if (lb_motion_open(words[2], &options, &source, &error) != LB_OK)
        return fail(words[2], &error);
    measured m = {.robot = moving};
    const char *slash = strrchr(words[2], '/');
    int status = measure(&m, source, slash != NULL ? slash + 1 : words[2], atof(words[3]));
    lb_retarget_stream_release(m.stream);
    lb_clip_release(m.made);
    lb_clip_release(m.whole);
    lb_motion_release(source);
    lb_model_release(moving);
    lb_model_release(fixed);
    free(m.keys);
    free(m.times);
    free(m.reports);
    return status;
}
