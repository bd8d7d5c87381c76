/*
 * lines_main.c - ten arms follow straight lines.
 *
 *     build/bench/lines [LINES]
 *
 * Of each arm so many lines (40) of 0.3 m in a second, a thousand frames: for how many there is a
 * continuous path, by exhaustive search, and on how many the follower jumps. "Frame by frame" is
 * lb_ik_solve from the frame before, as a program does that has no follower.
 */
#include "bench/clock.h"
#include "bench/lines.h"

#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 1000 };
#define LENGTH 0.3
/* radians in a millisecond: a step that no motor makes */
#define JUMP 0.1

/* One line, followed. */
typedef struct travel {
    int jumps, missed; /* frames */
    int fast;          /* frames that are no jump, and move a joint by more than JUMP */
    double time;       /* nanoseconds a frame */
} travel;

/* An arm's row of the table: numbers of lines. */
typedef struct table_row {
    int lines, any, given; /* with a continuous path: from some start, from its own */
    int frame_by_frame;    /* that jump */
    int given_jumps, any_jumps, unannounced; /* that the follower jumps on; with fast frames */
    int needless;                            /* jumps, or frames missed, where a path exists */
    int missed;                              /* with frames that are not reached */
    double given_time, any_time;             /* nanoseconds a frame */
} table_row;

static double step(const lb_model *model, const double *a, const double *b)
{
    double v[16], most = 0;
    lb_configuration_difference(model, a, b, v);
    for (int i = 0; i < lb_model_nv(model); i++)
        most = fmax(most, fabs(v[i]));
    return most;
}

static travel follow(const lb_model *model, const lb_path *path, const lb_task *task,
                     const double *start, bool any)
{
    travel t = {0};
    double q[8];
    lb_frame frame;
    lb_follower *follower = NULL;
    lb_follow how = lb_follow_default(*task, path, LINES_FRAMES);
    how.any_start = any;
    if (lb_follower_create(model, &how, NULL, &follower, NULL) != LB_OK)
        exit(2);
    memcpy(q, start, sizeof *q * (size_t)lb_model_nq(model));
    double begin = clock_now();
    while (lb_follower_next(follower, q, &frame)) {
        t.jumps += frame.jumped;
        t.fast += frame.index > 0 && !frame.jumped && frame.step > JUMP;
        t.missed += frame.result.outcome != LB_REACHED;
    }
    t.time = (clock_now() - begin) / LINES_FRAMES;
    lb_follower_release(follower);
    return t;
}

static travel solve_frames(const lb_model *model, const lb_path *path, const lb_task *task,
                           const double *start)
{
    travel t = {0};
    lb_ik *ik = NULL;
    double q[8], last[8];
    if (lb_ik_create(model, task, 1, NULL, NULL, &ik, NULL) != LB_OK)
        exit(2);
    memcpy(last, start, sizeof *q * (size_t)lb_model_nq(model));
    for (int i = 0; i < LINES_FRAMES; i++) {
        lb_transform goal = lb_path_at(path, (double)i / (LINES_FRAMES - 1));
        lb_ik_result result;
        t.missed += lb_ik_solve(ik, &goal, last, q, &result) != LB_REACHED;
        t.jumps += step(model, last, q) > JUMP;
        memcpy(last, q, sizeof q);
    }
    lb_ik_release(ik);
    return t;
}

static void add_line(const lb_model *model, const lb_task *task, const line *l, table_row *row)
{
    lb_path *path = NULL;
    line_truth truth = {0};
    double neutral[8];
    lb_configuration_neutral(model, neutral);
    if (lb_path_create(&(lb_path_source){.points = l->points, .count = 2}, NULL, &path, NULL))
        exit(2);
    lines_search(model, task, l, &truth);
    travel given = follow(model, path, task, l->start, false);
    travel any = follow(model, path, task, neutral, true);
    row->lines++;
    row->any += truth.any;
    row->given += truth.given;
    row->frame_by_frame += solve_frames(model, path, task, l->start).jumps > 0;
    row->given_jumps += given.jumps > 0;
    row->any_jumps += any.jumps > 0;
    row->unannounced += given.fast + any.fast > 0;
    row->needless += (truth.given && given.jumps + given.missed > 0) ||
                     (truth.any && any.jumps + any.missed > 0);
    row->missed += given.missed + any.missed > 0;
    row->given_time += given.time;
    row->any_time += any.time;
    lb_path_release(path);
}

int main(int argc, char **argv)
{
    static line lines[MOST_LINES];
    int count = argc > 1 ? atoi(argv[1]) : 40;
    printf("%-16s %5s | %14s %14s | %8s %6s %6s | %8s %6s %6s | %8s %8s\n", "", "lines",
           "path: any", "from its start", "frame by", "given:", "any:", "needless", "fast",
           "missed", "us given", "us any");
    for (int arm = 0; arm < LINES_ARMS; arm++) {
        lb_task task;
        table_row row = {0};
        lb_model *model = lines_arm(arm, &task);
        if (!model)
            return 2;
        int found =
            lines_make(model, &task, LENGTH, count < MOST_LINES ? count : MOST_LINES, 1, lines);
        for (int i = 0; i < found; i++)
            add_line(model, &task, &lines[i], &row);
        printf("%-16s %5d | %14d %14d | %8d %6d %6d | %8d %6d %6d | %8.2f %8.2f\n",
               lines_arm_name(arm), row.lines, row.any, row.given, row.frame_by_frame,
               row.given_jumps, row.any_jumps, row.needless, row.unannounced, row.missed,
               1e-3 * row.given_time / found, 1e-3 * row.any_time / found);
        fflush(stdout);
        lb_model_release(model);
    }
    return 0;
}
