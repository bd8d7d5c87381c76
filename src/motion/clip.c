/*
 * clip.c - key poses and the interpolation between them.
 *
 * Numbers follow cubic Hermite polynomials whose slopes at the keys are M. Steffen's ("A simple
 * method for monotonic interpolation in one dimension", A&A 239, 1990): between two keys the value
 * is monotone, so it stays between them. Balls follow rotation.c. A continuous joint's keys are
 * first brought within half a turn of the one before, and are then numbers like any other.
 */
#include "base/memory.h"
#include "base/require.h"
#include "model/layout.h"
#include "motion/rotation.h"

#include <limber/motion.h>

#include <string.h>

struct lb_clip {
    lb_allocator allocator;
    const lb_model *model;
    lb_interpolation interpolation;
    int count;
    double *times; /* count */
    double *keys;  /* count x nq; quaternions normalized, turns unrolled */
    double *rates; /* count x nv: velocities at the keys; NULL: linear */
    void *memory;  /* one block for the arrays */
};

const char *lb_interpolation_text(lb_interpolation interpolation)
{
#define LB_INTERPOLATION_TEXT(name, text) text,
    static const char *const texts[] = {LB_INTERPOLATION_LIST(LB_INTERPOLATION_TEXT)};
#undef LB_INTERPOLATION_TEXT
    return interpolation < LB_INTERPOLATION_COUNT ? texts[interpolation] : "";
}

static const double *key_at(const lb_clip *clip, int key)
{
    return &clip->keys[(size_t)key * (size_t)clip->model->tree.nq];
}

static double *rate_at(const lb_clip *clip, int key)
{
    return &clip->rates[(size_t)key * (size_t)clip->model->tree.nv];
}

static lb_quat quat_at(const model_part *part, const double *q)
{
    const double *p = &q[part->q];
    return (lb_quat){p[0], p[1], p[2], p[3]};
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

/* the time from key i to the next */
static double gap(const lb_clip *clip, int i)
{
    return clip->times[i + 1] - clip->times[i];
}

static double secant(const lb_clip *clip, const model_part *part, int i)
{
    return (key_at(clip, i + 1)[part->q] - key_at(clip, i)[part->q]) / gap(clip, i);
}

static void set_number_rates(const lb_clip *clip, const model_part *part)
{
    int last = clip->count - 1;
    for (int i = 0; i <= last; i++) {
        double *rate = &rate_at(clip, i)[part->v];
        if (last == 1)
            *rate = secant(clip, part, 0);
        else if (i == 0)
            *rate =
                end_slope(secant(clip, part, 0), gap(clip, 0), secant(clip, part, 1), gap(clip, 1));
        else if (i == last)
            *rate = end_slope(secant(clip, part, i - 1), gap(clip, i - 1),
                              secant(clip, part, i - 2), gap(clip, i - 2));
        else
            *rate = inner_slope(secant(clip, part, i - 1), gap(clip, i - 1), secant(clip, part, i),
                                gap(clip, i));
    }
}

/* from key i to the next, as a rotation vector */
static lb_vec3 ball_displacement(const lb_clip *clip, const model_part *part, int i)
{
    return rotation_displacement(quat_at(part, key_at(clip, i)),
                                 quat_at(part, key_at(clip, i + 1)));
}

static void set_ball_rates(const lb_clip *clip, const model_part *part)
{
    int last = clip->count - 1;
    for (int i = 0; i <= last; i++) {
        lb_vec3 rate;
        if (i == 0)
            rate = lb_vec3_scale(ball_displacement(clip, part, 0), 1 / gap(clip, 0));
        else if (i == last)
            rate = lb_vec3_scale(ball_displacement(clip, part, i - 1), 1 / gap(clip, i - 1));
        else
            rate = rotation_rate(ball_displacement(clip, part, i - 1), gap(clip, i - 1),
                                 ball_displacement(clip, part, i), gap(clip, i));
        memcpy(&rate_at(clip, i)[part->v], (double[]){rate.x, rate.y, rate.z}, 3 * sizeof(double));
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

/* ---- making ------------------------------------------------------------- */

static lb_status check(const lb_model *model, const double *times, const double *keys, int n,
                       lb_interpolation interpolation, lb_error *error)
{
    if (n < 1 || interpolation >= LB_INTERPOLATION_COUNT)
        return lb_error_set(error, LB_INVALID_ARGUMENT, 0,
                            "a clip needs at least one key and a known interpolation");
    int nq = model->tree.nq;
    for (int i = 0; i < n; i++) {
        if (!isfinite(times[i]))
            return lb_error_set(error, LB_BAD_VALUE, 0, "key %d: its time is not finite", i + 1);
        if (i > 0 && !(times[i] > times[i - 1]))
            return lb_error_set(error, LB_BAD_VALUE, 0,
                                "key %d: its time %g does not come after %g; order the keys by "
                                "time",
                                i + 1, times[i], times[i - 1]);
        for (int k = 0; k < nq; k++)
            if (!isfinite(keys[(size_t)i * (size_t)nq + (size_t)k]))
                return lb_error_set(error, LB_BAD_VALUE, 0, "key %d: value %d is not finite", i + 1,
                                    k + 1);
    }
    return LB_OK;
}

/* copies the keys in their canonical form */
static void copy_keys(lb_clip *clip, const double *keys)
{
    const lb_model *model = clip->model;
    size_t nq = (size_t)model->tree.nq;
    memcpy(clip->keys, keys, sizeof *keys * nq * (size_t)clip->count);
    for (int i = 0; i < clip->count; i++)
        for (int k = 0; k < model->part_count; k++) {
            const model_part *part = &model->parts[k];
            double *value = &clip->keys[(size_t)i * nq + (size_t)part->q];
            if (part->kind == MODEL_BALL) {
                lb_quat q = lb_quat_normalize((lb_quat){value[0], value[1], value[2], value[3]});
                memcpy(value, (double[]){q.w, q.x, q.y, q.z}, 4 * sizeof *value);
            } else if (part->kind == MODEL_TURN && i > 0) {
                double before = value[-(ptrdiff_t)nq];
                *value = before + lb_wrap_angle(*value - before);
            }
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
}

lb_status lb_clip_create(const lb_model *model, const double *times, const double *keys, int n,
                         lb_interpolation interpolation, const lb_allocator *allocator,
                         lb_clip **clip, lb_error *error)
{
    lb_status status = REQUIRE(error, {clip, "clip"});
    if (status != LB_OK)
        return status;
    *clip = NULL;
    status = REQUIRE(error, {model, "model"}, {times, "times"}, {keys, "keys"});
    if (status == LB_OK)
        status = check(model, times, keys, n, interpolation, error);
    if (status != LB_OK)
        return status;
    lb_clip sketch = {.allocator = memory_allocator(allocator),
                      .model = model,
                      .interpolation = interpolation,
                      .count = n};
    memory_arena arena = {0};
    lay_out(&arena, &sketch);
    lb_clip *made = memory_take(&sketch.allocator, 1, sizeof *made);
    void *block = arena.overflow ? NULL : memory_take(&sketch.allocator, arena.used, 1);
    if (!made || !block) {
        memory_release(&sketch.allocator, made);
        memory_release(&sketch.allocator, block);
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory");
    }
    *made = sketch;
    made->memory = block;
    arena = (memory_arena){.block = block};
    lay_out(&arena, made);
    memcpy(made->times, times, sizeof *times * (size_t)n);
    copy_keys(made, keys);
    set_rates(made);
    *clip = made;
    return LB_OK;
}

void lb_clip_release(lb_clip *clip)
{
    if (!clip)
        return;
    lb_allocator memory = clip->allocator;
    memory_release(&memory, clip->memory);
    memory_release(&memory, clip);
}

/* ---- playing ------------------------------------------------------------ */

double lb_clip_begin(const lb_clip *clip)
{
    return clip->times[0];
}

double lb_clip_end(const lb_clip *clip)
{
    return clip->times[clip->count - 1];
}

/* the cubic from a to b with these slopes, over u in [0, 1]; slopes b - a make it a line */
static double hermite(double a, double b, double leave, double arrive, double u)
{
    double w = 1 - u, change = b - a;
    double bend = u * w * (w * (leave - change) - u * (arrive - change));
    double value = u < 0.5 ? a + u * change + bend : b - w * change + bend;
    // rounding may not exceed the bounds that the slopes guarantee
    return fmax(fmin(a, b), fmin(fmax(a, b), value));
}

/* a ball between two keys; its velocities there are given for the whole time */
static lb_quat ball_at(lb_quat a, lb_quat b, const double *leave, const double *arrive, double h,
                       double u)
{
    return rotation_between(a, b, lb_vec3_make(h * leave[0], h * leave[1], h * leave[2]),
                            lb_vec3_make(h * arrive[0], h * arrive[1], h * arrive[2]), u);
}

/* the pose between key and the next one, u in [0, 1) */
static void pose_between(const lb_clip *clip, int key, double u, double *q)
{
    const lb_model *model = clip->model;
    const double *a = key_at(clip, key), *b = key_at(clip, key + 1);
    bool cubic = clip->rates != NULL;
    double h = gap(clip, key);
    for (int i = 0; i < model->part_count; i++) {
        const model_part *part = &model->parts[i];
        const double *leave = cubic ? &rate_at(clip, key)[part->v] : NULL;
        const double *arrive = cubic ? &rate_at(clip, key + 1)[part->v] : NULL;
        if (part->kind == MODEL_BALL) {
            lb_quat qa = quat_at(part, a), qb = quat_at(part, b);
            lb_quat r = cubic ? ball_at(qa, qb, leave, arrive, h, u) : lb_quat_slerp(qa, qb, u);
            memcpy(&q[part->q], (double[]){r.w, r.x, r.y, r.z}, 4 * sizeof *q);
        } else {
            double x = a[part->q], y = b[part->q];
            q[part->q] =
                cubic ? hermite(x, y, h * *leave, h * *arrive, u) : hermite(x, y, y - x, y - x, u);
        }
    }
}

/* the last key that is not after `time`, of those that have a next one */
static int key_before(const lb_clip *clip, double time)
{
    int low = 0, high = clip->count - 2;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (clip->times[middle] <= time)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

void lb_clip_at(const lb_clip *clip, double time, double *q)
{
    size_t size = sizeof *q * (size_t)clip->model->tree.nq;
    int last = clip->count - 1;
    if (!(time > clip->times[0]) || !(time < clip->times[last])) {
        memcpy(q, key_at(clip, time > clip->times[0] ? last : 0), size);
        return;
    }
    int key = key_before(clip, time);
    double u = (time - clip->times[key]) / gap(clip, key);
    pose_between(clip, key, u, q);
}
