/*
 * live.c - motion that is retargeted line by line while it happens.
 *
 * What is written for a row does not wait in a buffer.
 */
#include "cli/work/live.h"

#include "base/number.h"
#include "cli/options/targets.h"
#include "cli/report/report.h"
#include "formats/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool hand_on(void)
{
    int reason = file_flush(stdout);
    if (reason != 0)
        complain("standard output: %s", strerror(reason));
    return reason == 0;
}

static bool write_heading(const lb_model *model)
{
    char name[VALUE_NAME_SIZE];
    value_slot *slots = values_slots(model);
    printf("time");
    for (int i = 0; i < lb_model_nq(model); i++)
        printf(",%s", value_name(&slots[i], name));
    putchar('\n');
    free(slots);
    return hand_on();
}

static bool write_row(double time, const double *q, int nq)
{
    char text[NUMBER_TEXT_SIZE];
    fputs(number_write_shortest(time, text), stdout);
    for (int i = 0; i < nq; i++)
        printf(",%s", number_write_shortest(q[i], text));
    putchar('\n');
    return hand_on();
}

static bool follow_rows(live_rows *rows, lb_retarget_stream *stream, const lb_model *target)
{
    int nq = lb_model_nq(target);
    double time, *q = allocate_or_exit((size_t)nq, sizeof *q);
    const double *from;
    live_state state;
    bool fine = true, headed = false;
    do {
        state = live_rows_next(rows, &time, &from);
        bool first = !headed && (state == LIVE_NAMES || state == LIVE_ROW);
        fine = !first || write_heading(target);
        headed = headed || first;
        if (!fine || state != LIVE_ROW)
            continue;
        if (lb_retarget_stream_next(stream, time, from, q, NULL) == LB_OK)
            fine = write_row(time, q, nq);
        else
            fine = live_rows_complain(rows, "its time is before that of the line above, or a place "
                                            "is out of range");
    } while (fine && state <= LIVE_ROW);
    free(q);
    return fine && state == LIVE_END;
}

static bool follow(lb_retarget_stream *stream, const lb_model *source, const lb_model *target)
{
    angles_of_source(true);
    live_rows *rows = live_rows_open(source, true);
    bool fine = follow_rows(rows, stream, target);
    angles_of_source(false);
    live_rows_close(rows);
    return fine;
}

static bool limit_accelerations(const motion *target, lb_retarget_stream *stream)
{
    lb_status status = LB_OK;
    const double *most = target->accelerations;
    for (int j = 0; most != NULL && j < lb_model_joint_count(target->model); j++)
        if (status == LB_OK && most[j] > 0)
            status = lb_retarget_stream_set_acceleration(stream, j, most[j]);
    return succeeds(status);
}

bool live_retarget(const motion *source, const motion *target, const lb_retarget_options *options)
{
    lb_retarget_stream *stream = NULL;
    bool done = succeeds(lb_retarget_stream_create(source->model, source->clip, target->model,
                                                   options, NULL, &stream, why())) &&
                limit_accelerations(target, stream) && follow(stream, source->model, target->model);
    lb_retarget_stream_release(stream);
    return done;
}
