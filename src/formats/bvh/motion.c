/*
 * motion.c - the MOTION of a BVH file: the number of frames, their time, and a row for each.
 *
 * The table is as large as the rest of the text can fill, whatever the file states.
 */
#include "formats/bvh/bvh.h"

#include "base/error.h"
#include "base/memory.h"

#include <limits.h>

/* "Frames:", also "Frames :" */
static bool read_label(text_scan *scan, const char *with_colon, const char *without)
{
    text_word word = text_scan_word_here(scan);
    if (text_word_is(word, with_colon))
        return true;
    return text_word_is(word, without) && text_word_is(text_scan_word_here(scan), ":");
}

/* the number behind a label on the same line */
static lb_status read_header_number(text_scan *scan, const char *label, double *number,
                                    lb_error *error)
{
    char text[TEXT_SHOWN];
    text_word word = text_scan_word_here(scan);
    const char *fault = text_word_number(word, number);
    if (fault == NULL && text_scan_word_here(scan).size > 0)
        fault = "is followed by something else";
    if (fault == NULL)
        return LB_OK;
    return lb_error_set(error, LB_SYNTAX_ERROR, word.line, "%s '%s' %s", label,
                        text_word_show(word, text), fault);
}

/* starts the next line that is not empty */
static void next_line(text_scan *scan)
{
    text_scan ahead = *scan;
    text_word word = text_scan_word(&ahead);
    scan->at = word.text;
    scan->line = word.line;
}

static lb_status read_header(lb_bvh *bvh, text_scan *scan, lb_error *error)
{
    double frames, time;
    next_line(scan);
    if (!read_label(scan, "frames:", "frames"))
        return lb_error_set(error, LB_SYNTAX_ERROR, scan->line,
                            "after MOTION comes 'Frames:' and their number");
    TRY(read_header_number(scan, "Frames:", &frames, error));
    if (frames != floor(frames) || frames < 0 || frames > INT_MAX)
        return lb_error_set(error, LB_BAD_VALUE, scan->line,
                            "Frames: %g is not a count from 0 to %d", frames, INT_MAX);
    next_line(scan);
    if (!text_word_is(text_scan_word_here(scan), "frame") || !read_label(scan, "time:", "time"))
        return lb_error_set(error, LB_SYNTAX_ERROR, scan->line,
                            "after Frames comes 'Frame Time:' and the seconds of one frame");
    TRY(read_header_number(scan, "Frame Time:", &time, error));
    if (!(time > 0 || (time == 0 && frames <= 1)))
        return lb_error_set(error, LB_BAD_VALUE, scan->line,
                            "Frame Time: %g is not positive; state the seconds of one frame", time);
    // the last frame's time must be a finite number
    if (time > LB_LENGTH_MAX)
        return lb_error_set(error, LB_BAD_VALUE, scan->line, "Frame Time: %g is beyond 1e15", time);
    bvh->frames = (int)frames;
    bvh->frame_time = time;
    return LB_OK;
}

/* the next number of a row, of any kind */
static lb_status read_value(const lb_bvh *bvh, text_scan *scan, int frame, int i, double *value,
                            lb_error *error)
{
    char text[TEXT_SHOWN];
    text_word word = text_scan_word_here(scan);
    if (word.size == 0)
        return lb_error_set(error, LB_SYNTAX_ERROR, word.line,
                            "frame %d has %d numbers, the hierarchy %d channels", frame, i,
                            bvh->channels);
    const char *fault = text_word_number(word, value);
    if (fault == NULL && fabs(*value) > LB_LENGTH_MAX)
        fault = "is beyond 1e15";
    if (fault == NULL)
        return LB_OK;
    return lb_error_set(error, LB_BAD_VALUE, word.line, "frame %d, number %d: '%s' %s", frame,
                        i + 1, text_word_show(word, text), fault);
}

static lb_status read_row(const lb_bvh *bvh, text_scan *scan, int frame, lb_error *error)
{
    double *row = &bvh->rows[(size_t)frame * (size_t)bvh->channels];
    lb_status status = LB_OK;
    for (int i = 0; i < bvh->channels && status == LB_OK; i++)
        if (!text_scan_number(scan, &row[i]))
            status = read_value(bvh, scan, frame, i, &row[i], error);
    text_word more = status == LB_OK ? text_scan_word_here(scan) : (text_word){0};
    if (more.size > 0)
        return lb_error_set(error, LB_SYNTAX_ERROR, more.line,
                            "frame %d has more numbers than the hierarchy has channels, %d", frame,
                            bvh->channels);
    return status;
}

lb_status bvh_read_motion(lb_bvh *bvh, text_scan *scan, lb_error *error)
{
    TRY(read_header(bvh, scan, error));
    if (bvh->frames > 0 && bvh->channels == 0)
        return lb_error_set(error, LB_BAD_VALUE, scan->line,
                            "there are %d frames, but no joint has CHANNELS", bvh->frames);

    // a number and what ends it are two bytes at least
    size_t rest = (size_t)(scan->end - scan->at), row = 2 * (size_t)bvh->channels;
    size_t possible = row > 0 ? rest / row + 1 : 0;
    size_t room = (size_t)bvh->frames < possible ? (size_t)bvh->frames : possible;
    bvh->rows = memory_take(&bvh->allocator, room, (size_t)bvh->channels * sizeof *bvh->rows);
    TRY(require_memory(error, bvh->rows));
    for (int i = 0; i < bvh->frames; i++) {
        next_line(scan);
        if (scan->at == scan->end || (size_t)i == room)
            return lb_error_set(error, LB_SYNTAX_ERROR, scan->line,
                                "Frames: states %d, but there are only %d; correct the count or "
                                "complete the file",
                                bvh->frames, i);
        TRY(read_row(bvh, scan, i, error));
    }
    text_word more = text_scan_word(scan);
    if (more.size > 0)
        return lb_error_set(error, LB_SYNTAX_ERROR, more.line,
                            "Frames: states %d, but more follows here; correct the count or remove "
                            "what follows",
                            bvh->frames);
    return LB_OK;
}
