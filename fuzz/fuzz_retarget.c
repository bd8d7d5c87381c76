/*
 * fuzz_retarget.c - maps of retargeting, limber's and GMR's ik_configs: refused with a message, or
 * numbers that are finite, written and read back equal; a motion of two frames that follows such a
 * map is refused, or has finite numbers within the limits, and so are frames one by one.
 */
#include "checks.h"
#include "fuzz.h"

#include <string.h>

/* the figure takes one step to the side */
static lb_clip *make_step(const lb_model *model)
{
    enum { MOST = 256 };
    double keys[2 * MOST] = {0};
    const double times[] = {0, 0.25};
    lb_clip *clip = NULL;
    int nq = lb_model_nq(model);
    if (nq > MOST)
        return NULL;
    lb_configuration_neutral(model, keys);
    lb_configuration_neutral(model, keys + nq);
    keys[nq] += 0.1;
    lb_clip_create(model, times, keys, 2, LB_INTERPOLATION_LINEAR, NULL, &clip, NULL);
    return clip;
}

static void follow(const lb_retarget_map *map, const lb_model *source, const lb_model *target)
{
    lb_clip *clip = make_step(source), *made = NULL;
    lb_error error = {0};
    lb_retarget_options options = lb_retarget_options_default();
    options.map = map;
    if (clip != NULL) {
        lb_status status = lb_retarget(clip, target, &options, NULL, &made, NULL, NULL, &error);
        FUZZ_CHECK((status == LB_OK) == (made != NULL));
        FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
        for (int i = 0; made != NULL && i < lb_clip_count(made); i++)
            FUZZ_CHECK(lb_configuration_validate(target, lb_clip_key(made, i), 1e-6, NULL) ==
                       LB_OK);
    }
    lb_clip_release(made);
    lb_clip_release(clip);
}

/* the same frame by frame */
static void follow_frames(const lb_retarget_map *map, const lb_model *source,
                          const lb_model *target)
{
    enum { MOST = 256, FRAMES = 6 };
    double q[MOST];
    lb_clip *clip = make_step(source);
    lb_error error = {0};
    lb_retarget_stream *stream = NULL;
    lb_retarget_options options = lb_retarget_options_default();
    options.map = map;
    if (clip != NULL) {
        lb_status status =
            lb_retarget_stream_create(source, clip, target, &options, NULL, &stream, &error);
        FUZZ_CHECK((status == LB_OK) == (stream != NULL));
        FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    }
    for (int i = 0; stream != NULL && i < FRAMES; i++)
        if (lb_retarget_stream_next(stream, i / 3 * 0.01, lb_clip_key(clip, i % 2), q, NULL) ==
            LB_OK)
            FUZZ_CHECK(lb_configuration_validate(target, q, 1e-6, NULL) == LB_OK);
    lb_retarget_stream_release(stream);
    lb_clip_release(clip);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static lb_retarget_map map;
    lb_error error = {0};
    const lb_model *model = fuzz_figure();
    lb_status status = lb_retarget_map_load_memory("map.json", (const char *)data, size, model,
                                                   model, NULL, &map, &error);
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (status == LB_OK) {
        fuzz_check_map(&map, model, model);
        follow(&map, model, model);
        follow_frames(&map, model, model);
    }
    return 0;
}
