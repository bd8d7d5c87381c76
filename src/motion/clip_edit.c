/*
 * clip_edit.c - clips from clips: resampled, made even, cut, shifted and blended.
 *
 * Each is a function that fills in one key after the other (lb_clip_generate).
 */
#include "motion/clip.h"

#include "base/error.h"
#include "base/memory.h"
#include "motion/spline.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

/* ---- resampling --------------------------------------------------------- */

typedef struct even_keys {
    const lb_clip *clip;
    double rate;
} even_keys;

static bool fill_even(void *user, int key, double *time, double *q)
{
    const even_keys *keys = user;
    *time = fmin(lb_clip_begin(keys->clip) + key / keys->rate, lb_clip_end(keys->clip));
    lb_clip_at(keys->clip, *time, q);
    return true;
}

double clip_own_rate(const lb_clip *clip, double rate)
{
    double own = lb_clip_rate(clip, CLIP_EVEN);
    double gaps = (lb_clip_end(clip) - lb_clip_begin(clip)) * rate + 1e-9;
    return own > 0 && gaps < clip->count - 1 && rate > own * (1 - CLIP_ROUNDED) ? own : rate;
}

lb_status lb_clip_resample(const lb_clip *clip, double rate, const lb_allocator *allocator,
                           lb_clip **out, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(out, error, {clip, "clip"}));
    // the last key may be a rounding of the times beyond the end
    rate = clip_own_rate(clip, rate);
    double gaps = floor((lb_clip_end(clip) - lb_clip_begin(clip)) * rate + 1e-9);
    if (!(rate > 0) || !(gaps < LB_CLIP_KEYS_MAX))
        return REFUSE_ARGUMENT(error, "a rate of %g is not positive, or makes more than %d keys",
                               rate, LB_CLIP_KEYS_MAX);
    even_keys keys = {clip, rate};
    return lb_clip_generate(clip->model, (int)gaps + 1, fill_even, &keys, clip->interpolation,
                            allocator, out, error);
}

/* ---- even times --------------------------------------------------------- */

/* the keys one after the other at equal gaps, the last one exactly at the end */
static bool fill_rounded(void *user, int key, double *time, double *q)
{
    const lb_clip *clip = user;
    *time = clip_even_time(clip, key);
    memcpy(q, clip_key(clip, key), sizeof *q * (size_t)clip->model->tree.nq);
    return true;
}

lb_status lb_clip_even(const lb_clip *clip, double tolerance, const lb_allocator *allocator,
                       lb_clip **out, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(out, error, {clip, "clip"}));
    if (clip->count > 1 && lb_clip_rate(clip, tolerance) == 0)
        return REFUSE_VALUE(error, "the keys are not evenly spaced; resample the clip first");
    return lb_clip_generate(clip->model, clip->count, fill_rounded, (void *)(uintptr_t)clip,
                            clip->interpolation, allocator, out, error);
}

/* ---- a part ------------------------------------------------------------- */

typedef struct part_keys {
    const lb_clip *clip;
    double from, to;
    int first, inner; /* keys of the clip strictly between the two */
} part_keys;

static bool fill_part(void *user, int key, double *time, double *q)
{
    const part_keys *keys = user;
    int i = keys->first + key - 1;
    *time = key == 0 ? keys->from : key > keys->inner ? keys->to : keys->clip->times[i];
    lb_clip_at(keys->clip, *time, q);
    return true;
}

lb_status lb_clip_slice(const lb_clip *clip, double from, double to, const lb_allocator *allocator,
                        lb_clip **out, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(out, error, {clip, "clip"}));
    if (!(from < to && from >= lb_clip_begin(clip) && to <= lb_clip_end(clip)))
        return REFUSE_ARGUMENT(error, "%g to %g is no part of a clip from %g to %g", from, to,
                               lb_clip_begin(clip), lb_clip_end(clip));
    part_keys keys = {.clip = clip, .from = from, .to = to};
    while (clip->times[keys.first] <= from)
        keys.first++;
    while (clip->times[keys.first + keys.inner] < to)
        keys.inner++;
    return lb_clip_generate(clip->model, keys.inner + 2, fill_part, &keys, clip->interpolation,
                            allocator, out, error);
}

/* ---- other times -------------------------------------------------------- */

typedef struct moved_keys {
    const lb_clip *clip;
    double begin, speed;
} moved_keys;

static bool fill_moved(void *user, int key, double *time, double *q)
{
    const moved_keys *keys = user;
    *time = keys->begin + (keys->clip->times[key] - keys->clip->times[0]) / keys->speed;
    memcpy(q, clip_key(keys->clip, key), sizeof *q * (size_t)keys->clip->model->tree.nq);
    return true;
}

lb_status lb_clip_retime(const lb_clip *clip, double begin, double speed,
                         const lb_allocator *allocator, lb_clip **out, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(out, error, {clip, "clip"}));
    if (!(speed > 0) || !isfinite(speed))
        return REFUSE_ARGUMENT(error, "a speed of %g is not positive", speed);
    moved_keys keys = {clip, begin, speed};
    return lb_clip_generate(clip->model, clip->count, fill_moved, &keys, clip->interpolation,
                            allocator, out, error);
}

/* ---- blending ----------------------------------------------------------- */

typedef struct blend_keys {
    const lb_clip *a, *b;
    double from, to, last; /* last: the time of the key before */
    int next_a, next_b;    /* their next keys */
    double *pose;          /* nq */
} blend_keys;

/* the time of the next key, INFINITY after the last */
static double next_time(blend_keys *keys)
{
    const lb_clip *a = keys->a, *b = keys->b;
    while (keys->next_a < a->count && a->times[keys->next_a] <= keys->last)
        keys->next_a++;
    while (keys->next_b < b->count &&
           (b->times[keys->next_b] <= keys->last || b->times[keys->next_b] < keys->from))
        keys->next_b++;
    double time = keys->next_b < b->count ? b->times[keys->next_b] : INFINITY;
    if (keys->next_a < a->count && a->times[keys->next_a] <= keys->to)
        time = fmin(time, a->times[keys->next_a]);
    if (keys->last < keys->from)
        time = fmin(time, keys->from);
    if (keys->last < keys->to)
        time = fmin(time, keys->to);
    return keys->last = time;
}

static bool fill_blend(void *user, int key, double *time, double *q)
{
    (void)key;
    blend_keys *keys = user;
    *time = next_time(keys);
    double u = fmax(0, fmin(1, (*time - keys->from) / (keys->to - keys->from)));
    lb_clip_at(u < 1 ? keys->a : keys->b, *time, q);
    if (u > 0 && u < 1) {
        lb_clip_at(keys->b, *time, keys->pose);
        lb_configuration_interpolate(keys->a->model, q, keys->pose, smooth_step(u), q);
    }
    return true;
}

lb_status lb_clip_blend(const lb_clip *a, const lb_clip *b, double from, double to,
                        const lb_allocator *allocator, lb_clip **out, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(out, error, {a, "clip"}, {b, "b"}));
    int differs = model_difference(a->model, b->model);
    if (differs >= 0)
        return REFUSE_ARGUMENT(error,
                               "the clips belong to two different models, which differ at link "
                               "'%.100s'; retarget one onto the other's model first",
                               a->model->links[differs].name);
    if (!(from < to && from >= lb_clip_begin(a) && to <= lb_clip_end(b)))
        return REFUSE_ARGUMENT(
            error,
            "blending from %g to %g is before the begin of the first clip, %g, or "
            "after the end of the second, %g",
            from, to, lb_clip_begin(a), lb_clip_end(b));
    MEMORY_POOL(memory, allocator);
    blend_keys keys = {.a = a, .b = b, .from = from, .to = to, .last = -INFINITY};
    int count = 0;
    while (count < INT_MAX && next_time(&keys) < INFINITY)
        count++;
    keys.last = -INFINITY;
    keys.next_a = keys.next_b = 0;
    keys.pose = memory_take(&memory, (size_t)a->model->tree.nq, sizeof *keys.pose);
    TRY(require_memory(error, keys.pose));
    return lb_clip_generate(a->model, count, fill_blend, &keys, a->interpolation, allocator, out,
                            error);
}
