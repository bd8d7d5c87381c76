/*
 * clip_sample.c - the pose of a clip at a time, its velocity and its acceleration.
 *
 * A configuration is sampled part by part (layout.h): a number, or the quaternion of a ball. Rates
 * are those of the parabola through three poses; rotations are measured from the middle one as
 * rotation vectors, whose first and second derivative at zero are the angular velocity and
 * acceleration in the child's axes.
 */
#include "motion/clip.h"
#include "motion/rotation.h"
#include "motion/spline.h"

#include <string.h>

/* Where in a clip a time is: from key to key + 1 by u in [0, 1]; a single key is 0 by 0. */
typedef struct clip_place {
    int key;
    double u;
} clip_place;

/* ---- places in time ----------------------------------------------------- */

/* the last key of lower .. upper that is not after `time` */
static int search(const lb_clip *clip, double time, int lower, int upper)
{
    lower += 1 + sorted_before(clip->times + lower + 1, sizeof *clip->times, upper - lower, time);
    return lower;
}

/* the last key that is not after `time`, of those that have a next one; evenly spaced it is there
 */
static int key_before(const lb_clip *clip, double time)
{
    int last = clip->count - 2;
    double share = (time - clip->times[0]) * clip->per_time;
    int key = share < last ? (int)share : last;
    if (clip->times[key] > time)
        return search(clip, time, key > 0 && clip->times[key - 1] <= time ? key - 1 : 0,
                      key > 0 ? key - 1 : 0);
    if (clip->times[key + 1] <= time && key < last)
        return search(clip, time, key + 1, last);
    return key;
}

static clip_place place_of(const lb_clip *clip, double time)
{
    int last = clip->count - 1;
    if (last == 0 || !(time > clip->times[0]))
        return (clip_place){0, 0};
    if (!(time < clip->times[last]))
        return (clip_place){last - 1, 1};
    int key = key_before(clip, time);
    return (clip_place){key, (time - clip->times[key]) / clip_gap(clip, key)};
}

/* ---- poses -------------------------------------------------------------- */

/* the cubic from a to b with these slopes, over u in [0, 1]; slopes b - a make it a line */
static double hermite(double a, double b, double leave, double arrive, double u)
{
    double w = 1 - u, change = b - a;
    double bend = u * w * (w * (leave - change) - u * (arrive - change));
    double value = u < 0.5 ? a + u * change + bend : b - w * change + bend;
    // rounding may not exceed the bounds that the slopes guarantee
    double least = a < b ? a : b, most = a < b ? b : a;
    return !(value <= most) ? most : value < least ? least : value;
}

/* a ball between two keys; its velocities there are given for the whole time */
static lb_quat ball_between(lb_quat a, lb_quat b, const double *leave, const double *arrive,
                            double h, double u)
{
    return rotation_between(a, b, lb_vec3_make(h * leave[0], h * leave[1], h * leave[2]),
                            lb_vec3_make(h * arrive[0], h * arrive[1], h * arrive[2]), u);
}

static void sample_ball(const lb_clip *clip, const model_part *part, clip_place at, double *out)
{
    const double *a = &clip_key(clip, at.key)[part->q];
    const double *b = &clip_key(clip, at.key + 1)[part->q];
    lb_quat q = clip_quat(a), next = clip_quat(b);
    if (clip->interpolation == LB_INTERPOLATION_CUBIC)
        q = ball_between(q, next, &clip_rate(clip, at.key)[part->v],
                         &clip_rate(clip, at.key + 1)[part->v], clip_gap(clip, at.key), at.u);
    else
        q = lb_quat_slerp(q, next, at.u);
    memcpy(out, (double[]){q.w, q.x, q.y, q.z}, 4 * sizeof *out);
}

static double sample_number(const lb_clip *clip, const model_part *part, clip_place at)
{
    double a = clip_key(clip, at.key)[part->q], b = clip_key(clip, at.key + 1)[part->q];
    if (clip->interpolation != LB_INTERPOLATION_CUBIC)
        return hermite(a, b, b - a, b - a, at.u);
    double h = clip_gap(clip, at.key);
    return hermite(a, b, h * clip_rate(clip, at.key)[part->v],
                   h * clip_rate(clip, at.key + 1)[part->v], at.u);
}

/* the key whose values hold at a place, -1: they lie between two */
static int held_key(const lb_clip *clip, clip_place at)
{
    if (at.u == 0 || at.u == 1)
        return at.key + (at.u == 1);
    return clip->interpolation == LB_INTERPOLATION_STEP ? at.key : -1;
}

/* fills the numbers of one part, which begin at `out` */
static void sample_part(const lb_clip *clip, const model_part *part, clip_place at, double *out)
{
    bool ball = part->kind == MODEL_BALL;
    int held = held_key(clip, at);
    if (held >= 0)
        memcpy(out, &clip_key(clip, held)[part->q], (ball ? 4 : 1) * sizeof *out);
    else if (ball)
        sample_ball(clip, part, at, out);
    else
        *out = sample_number(clip, part, at);
}

/*
 * The series of sin(u t) / sin(t) in cos(t) - 1: c_0 = u, c_i = c_{i-1} (u^2 - i^2) / (i (2 i +
 * 1)).
 */
static void slerp_series(double u, int terms, double *coefficients)
{
    static const double scale[KERNEL_SLERP_TERMS + 1] = {
        1,         1.0 / 3,   1.0 / 10,  1.0 / 21,  1.0 / 36,  1.0 / 55, 1.0 / 78,
        1.0 / 105, 1.0 / 136, 1.0 / 171, 1.0 / 210, 1.0 / 253, 1.0 / 300};
    coefficients[0] = u;
    for (int i = 1; i <= terms; i++)
        coefficients[i] = coefficients[i - 1] * (u * u - i * i) * scale[i];
}

/* a linear clip between two keys, all balls at once */
static void sample_together(const lb_clip *clip, clip_place at, double *q)
{
    const double *a = clip_key(clip, at.key), *b = clip_key(clip, at.key + 1);
    clip_series series = clip->series[at.key];
    kernel_slerp slerp = {.places = clip->balls,
                          .count = clip->ball_count,
                          .halvings = series.halvings,
                          .terms = series.terms};
    double u = at.u;
    for (int i = 0; i < slerp.halvings; i++) {
        slerp.upper[i] = u >= 0.5;
        u = slerp.upper[i] ? 2 * u - 1 : 2 * u;
    }
    slerp_series(1 - u, slerp.terms, slerp.leave);
    slerp_series(u, slerp.terms, slerp.arrive);
    clip->ops->slerp(&slerp, a, b, q);
    for (int i = 0; i < clip->number_count; i++) {
        double x = a[clip->numbers[i]], y = b[clip->numbers[i]];
        q[clip->numbers[i]] = hermite(x, y, y - x, y - x, at.u);
    }
}

void lb_clip_at(const lb_clip *clip, double time, double *q)
{
    const lb_model *model = clip->model;
    clip_place at = place_of(clip, time);
    int held = held_key(clip, at);
    if (held >= 0)
        memcpy(q, clip_key(clip, held), sizeof *q * (size_t)model->tree.nq);
    else if (clip->interpolation == LB_INTERPOLATION_LINEAR)
        sample_together(clip, at, q);
    else
        for (int i = 0; i < model->part_count; i++)
            sample_part(clip, &model->parts[i], at, &q[model->parts[i].q]);
}

/* ---- rates -------------------------------------------------------------- */

/* Three places in time, the middle one where the rates are wanted unless it is at an end. */
typedef struct rate_places {
    clip_place at[3];
    double gap;
    int base; /* the place whose rates are wanted */
} rate_places;

/* the same as beyond an end: what the rounding of evenly spaced times may be, in gaps */
#define AT_END 1e-9

static rate_places places_around(const lb_clip *clip, double time)
{
    double begin = lb_clip_begin(clip), end = lb_clip_end(clip);
    double gap = clip->count > 1 ? (end - begin) / (clip->count - 1) : 0;
    rate_places places = {.gap = gap, .base = 1};
    time = fmax(begin, fmin(end, time));

    // near an end all three are on its inner side; of two keys these are all there is
    if (clip->count == 2)
        places.base = 0, time = begin;
    else if (time - gap < begin - AT_END * gap)
        places.base = 0, places.gap = fmin(gap, (end - time) / 2);
    else if (time + gap > end + AT_END * gap)
        places.base = 2, places.gap = fmin(gap, (time - begin) / 2);
    for (int i = 0; i < 3; i++)
        places.at[i] = place_of(clip, time + (i - places.base) * places.gap);
    return places;
}

/* how far a part is moved from the base place to another one */
static lb_vec3 part_displacement(const lb_clip *clip, const model_part *part,
                                 const rate_places *places, int to)
{
    double a[4], b[4];
    sample_part(clip, part, places->at[places->base], a);
    sample_part(clip, part, places->at[to], b);
    if (part->kind == MODEL_BALL)
        return rotation_displacement(clip_quat(a), clip_quat(b));
    return lb_vec3_make(b[0] - a[0], 0, 0);
}

/*
 * The derivatives at 0 of the parabola through 0 at 0, p at `reach` and q at `other` times the gap:
 * p = v r + a r^2 / 2 and q = v s + a s^2 / 2.
 */
static void parabola(lb_vec3 p, double r, lb_vec3 q, double s, lb_vec3 *velocity,
                     lb_vec3 *acceleration)
{
    double scale = 1 / (r * s * (s - r));
    *velocity = lb_vec3_scale(lb_vec3_sub(lb_vec3_scale(p, s * s), lb_vec3_scale(q, r * r)), scale);
    *acceleration = lb_vec3_scale(lb_vec3_sub(lb_vec3_scale(q, r), lb_vec3_scale(p, s)), 2 * scale);
}

static void part_rates(const lb_clip *clip, const model_part *part, const rate_places *places,
                       lb_vec3 *velocity, lb_vec3 *acceleration)
{
    *velocity = *acceleration = lb_vec3_make(0, 0, 0);
    int first = places->base == 0 ? 1 : 0, second = places->base == 2 ? 1 : 2;
    double r = (first - places->base) * places->gap, s = (second - places->base) * places->gap;
    if (clip->count < 2)
        return;
    lb_vec3 p = part_displacement(clip, part, places, first);
    if (clip->count > 2)
        parabola(p, r, part_displacement(clip, part, places, second), s, velocity, acceleration);
    else
        *velocity = lb_vec3_scale(p, 1 / r);
}

static void store_rates(const model_part *part, lb_vec3 from, double *to)
{
    if (to != NULL)
        memcpy(&to[part->v], (double[]){from.x, from.y, from.z},
               (part->kind == MODEL_BALL ? 3 : 1) * sizeof *to);
}

void lb_clip_rates(const lb_clip *clip, double time, double *velocity, double *acceleration)
{
    rate_places places = places_around(clip, time);
    for (int i = 0; i < clip->model->part_count; i++) {
        const model_part *part = &clip->model->parts[i];
        lb_vec3 v, a;
        part_rates(clip, part, &places, &v, &a);
        store_rates(part, v, velocity);
        store_rates(part, a, acceleration);
    }
}
