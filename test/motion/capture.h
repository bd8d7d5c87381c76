/*
 * capture.h - captures of the shared data, to be retargeted.
 */
#ifndef TEST_MOTION_CAPTURE_H
#define TEST_MOTION_CAPTURE_H

#include "harness.h"

#include <limber/formats/bvh.h>
#include <stdio.h>
#include <unistd.h>

/* a capture without the rest pose before it */
typedef struct real_capture {
    lb_bvh *bvh;
    lb_clip *part;
    const lb_clip *clip;
    const double *rest;
} real_capture;

/* false: it is not there; close_capture() then, too */
static inline bool open_capture(const char *name, real_capture *out)
{
    char path[256];
    lb_error error = {0};
    snprintf(path, sizeof path, LIMBER_DATA_DIR "/bvh/%s.bvh", name);
    *out = (real_capture){.rest = NULL};
    if (access(path, R_OK) != 0)
        return false;
    assert_made(lb_bvh_load(path, NULL, &out->bvh, &error), error);
    out->clip = lb_bvh_clip(out->bvh);
    if (!lb_bvh_describe(out->bvh).rest_frame)
        return true;
    out->rest = lb_clip_key(out->clip, 0);
    assert_ok(lb_clip_slice(out->clip, lb_clip_times(out->clip)[1], lb_clip_end(out->clip), NULL,
                            &out->part, NULL));
    out->clip = out->part;
    return true;
}

static inline void close_capture(real_capture *c)
{
    lb_clip_release(c->part);
    lb_bvh_release(c->bvh);
}

#endif
