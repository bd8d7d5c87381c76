/*
 * clip.c - making a clip: its keys, and the velocities at them.
 *
 * Numbers follow cubic Hermite polynomials whose slopes at the keys are M. Steffen's ("A simple
 * method for monotonic interpolation in one dimension", A&A 239, 1990): between two keys the value
 * is monotone, so it stays between them. Balls follow rotation.c. A continuous joint's keys are
 * first brought within half a turn of the one before, and are then numbers like any other.
 */
#include "motion/clip.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "motion/rotation.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

const char *lb_interpolation_text(lb_interpolation interpolation)
{
    static const char *const texts[] = {LB_INTERPOLATION_LIST(LIST_TEXT)};
    return interpolation < LB_INTERPOLATION_COUNT ? texts[interpolation] : "";
}

/* ---- velocities at the keys --------------------------------------------- */

/* within these bounds on the slopes the cubic is monotone */
static double limited(double slope, double s0, double s1)
{
    if (!(s0 * s1 > 0))
        return 0;
    double most = 2 * fmin(fabs(s0), fabs(s1));
    return fmax(-most, fmin(most, slope));
}

/* Steffen's slope at a key between secants s0 and s1 of durations h0 and h1 */
static double inner_slope(double s0, double h0, double s1, double h1)
{
    return limited((s0 * h1 + s1 * h0) / (h0 + h1), s0, s1);
}

/* the same at an end, whose secant is s0 and the next one s1 */
static double end_slope(double s0, double h0, double s1, double h1)
{
    double slope = s0 + (s0 - s1) * h0 / (h0 + h1);
    return slope * s0 > 0 ? limited(slope, s0, s0) : 0;
}

static double secant(const lb_clip *clip, const model_part *part, int i)
{
    return (clip_key(clip, i + 1)[part->q] - clip_key(clip, i)[part->q]) / clip_gap(clip, i);
}

static void set_number_rates(const lb_clip *clip, const model_part *part)
{
    int last = clip->count - 1;
    for (int i = 0; i <= last; i++) {
        double *rate = &clip_rate(clip, i)[part->v];
        if (last == 1)
            *rate = secant(clip, part, 0);
        else if (i == 0)
            *rate = end_slope(secant(clip, part, 0), clip_gap(clip, 0), secant(clip, part, 1),
                              clip_gap(clip, 1));
        else if (i == last)
            *rate = end_slope(secant(clip, part, i - 1), clip_gap(clip, i - 1),
                              secant(clip, part, i - 2), clip_gap(clip, i - 2));
        else
            *rate = inner_slope(secant(clip, part, i - 1), clip_gap(clip, i - 1),
                                secant(clip, part, i), clip_gap(clip, i));
    }
}

/* from key i to the next, as a rotation vector */
static lb_vec3 ball_displacement(const lb_clip *clip, const model_part *part, int i)
{
    return rotation_displacement(clip_quat(&clip_key(clip, i)[part->q]),
                                 clip_quat(&clip_key(clip, i + 1)[part->q]));
}

static void set_ball_rates(const lb_clip *clip, const model_part *part)
{
    int last = clip->count - 1;
    for (int i = 0; i <= last; i++) {
        lb_vec3 rate;
        if (i == 0)
            rate = lb_vec3_scale(ball_displacement(clip, part, 0), 1 / clip_gap(clip, 0));
        else if (i == last)
            rate = lb_vec3_scale(ball_displacement(clip, part, i - 1), 1 / clip_gap(clip, i - 1));
        else
            rate = rotation_rate(ball_displacement(clip, part, i - 1), clip_gap(clip, i - 1),
                                 ball_displacement(clip, part, i), clip_gap(clip, i));
        memcpy(&clip_rate(clip, i)[part->v], (double[]){rate.x, rate.y, rate.z},
               3 * sizeof(double));
    }
}

static void set_rates(const lb_clip *clip)
{
    const lb_model *model = clip->model;
    if (!clip->rates || clip->count < 2)
        return;
    for (int i = 0; i < model->part_count; i++) {
        const model_part *part = &model->parts[i];
        if (part->kind == MODEL_BALL)
            set_ball_rates(clip, part);
        else
            set_number_rates(clip, part);
    }
}

/* ---- slerp between the keys --------------------------------------------- */

/* the places of quaternions, of other numbers and of endless turns in a configuration */
static void list_places(lb_clip *clip)
{
    for (int i = 0; i < clip->model->part_count; i++) {
        const model_part *part = &clip->model->parts[i];
        if (part->kind == MODEL_BALL)
            clip->balls[clip->ball_count++] = part->q;
        else
            clip->numbers[clip->number_count++] = part->q;
        if (part->kind == MODEL_TURN)
            clip->turns[clip->turn_count++] = part->q;
    }
}

/*
 * Terms after the first for quaternions whose product is `product`, 1 - gap. Each term is less than
 * gap / 2 of the one before, so those left out are less than a geometric series: below a rounding
 * of the first one. Where there are not so many, the way is halved.
 */
static clip_series series_of(double product)
{
    for (int halvings = 0;; halvings++) {
        double ratio = 0.5 * (1 - product), left = ratio;
        for (int terms = 1; terms <= KERNEL_SLERP_TERMS; terms++) {
            left *= ratio;
            if (left <= 0x1p-54 * (1 - ratio))
                return (clip_series){(unsigned char)terms, (unsigned char)halvings};
        }
        product = sqrt(0.5 * (1 + product));
    }
}

/* from a key to the next: by the ball that turns the farthest */
static clip_series key_series(const lb_clip *clip, int key)
{
    const double *a = clip_key(clip, key), *b = clip_key(clip, key + 1);
    double least = 1;
    for (int i = 0; i < clip->ball_count; i++) {
        const double *p = &a[clip->balls[i]], *q = &b[clip->balls[i]];
        least = fmin(least, fabs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]));
    }
    return series_of(least);
}

static void prepare_slerp(lb_clip *clip)
{
    for (int i = 0; i < clip->count - 1; i++)
        clip->series[i] = key_series(clip, i);
}

/* ---- making ------------------------------------------------------------- */

/* whether all numbers are finite: no exponent has all bits; without a branch, so that the compiler
   takes several at a time */
static bool are_finite(const double *q, int count)
{
    uint64_t all = 0;
    for (int k = 0; k < count; k++) {
        uint64_t bits;
        memcpy(&bits, &q[k], sizeof bits);
        // one more carries into the sign
        all |= (bits & INT64_MAX) + (UINT64_C(1) << 52);
    }
    return all >> 63 == 0;
}

/* a key that was filled in, with its number in messages */
static lb_status check_key(const lb_clip *clip, int key, lb_error *error)
{
    const double *q = clip_key(clip, key), time = clip->times[key];
    if (!isfinite(time))
        return REFUSE_VALUE(error, "key %d: its time is not finite", key + 1);
    if (key > 0 && !(time > clip->times[key - 1]))
        return REFUSE_VALUE(error,
                            "key %d: its time %g does not come after %g; order the keys by time",
                            key + 1, time, clip->times[key - 1]);
    if (!isfinite(time - clip->times[0]))
        return REFUSE_VALUE(error, "key %d: its time %g is too far after the first one, %g",
                            key + 1, time, clip->times[0]);
    for (int k = 0; k < clip->model->tree.nq && !are_finite(q, clip->model->tree.nq); k++)
        if (!isfinite(q[k]))
            return REFUSE_VALUE(error, "key %d: value %d is not finite", key + 1, k + 1);
    return LB_OK;
}

/* brings a key into its canonical form */
static void settle_key(lb_clip *clip, int key)
{
    double *q = &clip->keys[(size_t)key * (size_t)clip->model->tree.nq];
    clip->ops->normalize(clip->balls, clip->ball_count, q);
    for (int i = 0; i < clip->turn_count && key > 0; i++) {
        int at = clip->turns[i];
        double before = clip_key(clip, key - 1)[at], moved = lb_wrap_angle(q[at] - before);
        // so far away, half a turn is far below rounding
        q[at] = isfinite(moved) ? before + moved : before;
    }
}

static void lay_out(memory_arena *arena, lb_clip *clip)
{
    size_t n = (size_t)clip->count;
    size_t nq = (size_t)clip->model->tree.nq, nv = (size_t)clip->model->tree.nv;
    bool cubic = clip->interpolation == LB_INTERPOLATION_CUBIC;
    clip->times = memory_arena_take(arena, n, sizeof(double));
    // a row at a time, so that no product overflows unnoticed
    clip->keys = memory_arena_take(arena, n, nq * sizeof(double));
    clip->rates = cubic ? memory_arena_take(arena, n, nv * sizeof(double)) : NULL;
    clip->balls = memory_arena_take(arena, nv, sizeof(int));
    clip->numbers = memory_arena_take(arena, nv, sizeof(int));
    clip->turns = memory_arena_take(arena, nv, sizeof(int));
    clip->series = memory_arena_take(arena, n, sizeof *clip->series);
}

/* the clip with its arrays, not filled; NULL: no memory */
static lb_clip *allocate(const lb_clip *sketch)
{
    memory_arena arena = {0};
    lb_clip measured = *sketch;
    lay_out(&arena, &measured);
    lb_clip *made = memory_take(&sketch->allocator, 1, sizeof *made);
    void *block = memory_arena_block(&arena, &sketch->allocator);
    if (!made || !block) {
        memory_release(&sketch->allocator, made);
        memory_release(&sketch->allocator, block);
        return NULL;
    }
    *made = *sketch;
    made->memory = block;
    lay_out(&arena, made);
    made->ops = kernel_choose(0);
    list_places(made);
    return made;
}

static void set_pace(lb_clip *clip)
{
    int last = clip->count - 1;
    clip->per_time = last > 0 ? last / (clip->times[last] - clip->times[0]) : 0;
}

/* what follows from all keys */
static void finish(lb_clip *clip)
{
    set_pace(clip);
    set_rates(clip);
    prepare_slerp(clip);
}

static lb_status fill_keys(lb_clip *clip, lb_clip_fill *fill, void *user, lb_error *error)
{
    int n = clip->count;
    size_t nq = (size_t)clip->model->tree.nq;
    lb_configuration_neutral(clip->model, clip->keys);
    for (int i = 0; i < n; i++) {
        double *q = &clip->keys[(size_t)i * nq];
        // each key begins as the neutral configuration, which is handed on before it is filled
        if (i + 1 < n)
            memcpy(q + nq, q, nq * sizeof *q);
        if (!fill(user, i, &clip->times[i], q))
            return LB_BAD_VALUE;
        TRY(check_key(clip, i, error));
        settle_key(clip, i);
    }
    finish(clip);
    return LB_OK;
}

lb_clip *clip_allocate(const lb_model *model, int n, lb_interpolation interpolation,
                       const lb_allocator *allocator)
{
    return allocate(&(lb_clip){.allocator = memory_allocator(allocator),
                               .model = model,
                               .interpolation = interpolation,
                               .count = n});
}

lb_status clip_complete(lb_clip *clip, lb_error *error)
{
    for (int i = 0; i < clip->count; i++) {
        TRY(check_key(clip, i, error));
        settle_key(clip, i);
    }
    finish(clip);
    return LB_OK;
}

lb_status lb_clip_generate(const lb_model *model, int n, lb_clip_fill *fill, void *user,
                           lb_interpolation interpolation, const lb_allocator *allocator,
                           lb_clip **clip, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(clip, error, {model, "model"}, {fill == NULL ? NULL : "", "fill"}));
    if (n < 1 || interpolation >= LB_INTERPOLATION_COUNT)
        return REFUSE_ARGUMENT(error, "a clip needs at least one key and a known interpolation");
    lb_clip *made = clip_allocate(model, n, interpolation, allocator);
    TRY(require_memory(error, made));
    lb_status status = fill_keys(made, fill, user, error);
    if (status == LB_OK)
        *clip = made;
    else
        lb_clip_release(made);
    return status;
}

/* Arrays that are copied. */
typedef struct key_arrays {
    const double *times, *keys;
    size_t nq;
} key_arrays;

static bool copy_key(void *user, int key, double *time, double *q)
{
    const key_arrays *from = user;
    *time = from->times[key];
    memcpy(q, &from->keys[(size_t)key * from->nq], from->nq * sizeof *q);
    return true;
}

lb_status lb_clip_create(const lb_model *model, const double *times, const double *keys, int n,
                         lb_interpolation interpolation, const lb_allocator *allocator,
                         lb_clip **clip, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(clip, error, {model, "model"}, {times, "times"}, {keys, "keys"}));
    key_arrays from = {times, keys, (size_t)model->tree.nq};
    return lb_clip_generate(model, n, copy_key, &from, interpolation, allocator, clip, error);
}

/* the keys from the first-th on, in their place, with times that are to be filled in */
static lb_clip *borrow_keys(const lb_clip *clip, int first)
{
    assert(clip->interpolation == LB_INTERPOLATION_LINEAR && first >= 0 && first < clip->count);
    size_t n = (size_t)(clip->count - first);
    lb_clip *made = memory_take(&clip->allocator, 1, sizeof *made);
    double *times = memory_take(&clip->allocator, n, sizeof *times);
    if (made == NULL || times == NULL) {
        memory_release(&clip->allocator, made);
        memory_release(&clip->allocator, times);
        return NULL;
    }
    *made = *clip;
    made->count -= first;
    made->memory = made->times = times;
    made->series += first;
    made->keys += (size_t)first * (size_t)clip->model->tree.nq;
    return made;
}

lb_clip *clip_tail(const lb_clip *clip, int first)
{
    lb_clip *tail = borrow_keys(clip, first);
    for (int i = 0; tail != NULL && i < tail->count; i++)
        tail->times[i] = clip->times[first + i] - clip->times[first];
    if (tail != NULL)
        set_pace(tail);
    return tail;
}

lb_clip *clip_evened(const lb_clip *clip)
{
    lb_clip *even = borrow_keys(clip, 0);
    for (int i = 0; even != NULL && i < even->count; i++)
        even->times[i] = clip_even_time(clip, i);
    if (even != NULL)
        set_pace(even);
    return even;
}

void clip_begin_at(lb_clip *clip, double begin)
{
    double was = clip->times[0];
    for (int i = 0; i < clip->count; i++)
        clip->times[i] = begin + (clip->times[i] - was);
    set_pace(clip);
}

void lb_clip_release(lb_clip *clip)
{
    if (!clip)
        return;
    lb_allocator memory = clip->allocator;
    memory_release(&memory, clip->memory);
    memory_release(&memory, clip);
}

/* ---- what it is made of ------------------------------------------------- */

const lb_model *lb_clip_model(const lb_clip *clip)
{
    return clip->model;
}

lb_interpolation lb_clip_interpolation(const lb_clip *clip)
{
    return clip->interpolation;
}

int lb_clip_count(const lb_clip *clip)
{
    return clip->count;
}

const double *lb_clip_times(const lb_clip *clip)
{
    return clip->times;
}

const double *lb_clip_key(const lb_clip *clip, int key)
{
    assert(key >= 0 && key < clip->count);
    return key >= 0 && key < clip->count ? clip_key(clip, key) : NULL;
}

double lb_clip_begin(const lb_clip *clip)
{
    return clip->times[0];
}

double lb_clip_end(const lb_clip *clip)
{
    return clip->times[clip->count - 1];
}

double lb_clip_rate(const lb_clip *clip, double tolerance)
{
    double gap =
        clip->count > 1 ? (lb_clip_end(clip) - lb_clip_begin(clip)) / (clip->count - 1) : 0;
    for (int i = 0; i < clip->count - 1; i++)
        if (!(fabs(clip_gap(clip, i) - gap) <= tolerance * gap))
            return 0;
    return gap > 0 && isfinite(1 / gap) ? 1 / gap : 0;
}
