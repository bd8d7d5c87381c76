/*
 * general_isolate.c - every real zero of a trigonometric polynomial, none missed.
 *
 * The circle is halved again and again, all intervals of one length side by side. About the
 * middle m of an interval of half width h
 *     |f(x) - f(m)| <= sum over 0 < i < 6 of |f_i(m)| h^i / i! + sum k^6 |c_k| h^6 / 6!
 * (f_i the i-th derivative) excludes it; the same bound for f_1 makes f monotone there, and the
 * signs at its ends decide; and the same bound for f_2 leaves a parabola, of which the value where
 * f_1 vanishes decides. Many derivatives pay, because zeros often come in clusters round which f is
 * flat. What the noise of f does not let decide is kept as touching.
 */
#include "ik/closed/general_parts.h"

#include <string.h>

enum {
    FIRST_LEVEL = 5, /* 32 intervals: most zeros are then alone in theirs */
    BENT_LEVEL = 8,  /* what is still open there is mostly two zeros that are very near, or one that
                        is double: their parabola is solved instead of halving it on */
    LAST_LEVEL = 40,
    VERTEX_STEPS = 8,    /* of Newton's method: two or three in fact */
    MAX_INTERVALS = 128, /* of one level; 24 zeros keep at most about 50 */
    POLISH_STEPS = 60    /* of Newton's method or halving; four or five in fact */
};

/* f's noise at a point, for harmonics of noise 1 that add up: some four times as much, and as the
   greatest of the few that must vanish may by chance be a tenth of the others, more. A double zero
   that is lost in less noise than there is would not be noticed. And the rounding of a sum */
#define NOISE_OF_SUM 64.0
#define ROUNDING_OF_SUM 4e-15
/* how often a neighbourhood is looked at again, what it must be smaller than for the series to
   hold, and with how much noise it is worth nothing */
enum { ZOOMS = 3, NEAR_HARMONICS = 11 };
#define WIDEST_ZOOM 0.1
/* the rounding of the equations before they are made independent, in a few products */
#define ROUNDED_EQUATION 1e-15
/* zeros need no other look that are known to this, and to this share of their distances */
#define SHARP 1e-3
#define APART 0.1
#define ZOOM_NOISE 1e-3
/* the last step of Newton's method: the next one would be its square */
#define POLISHED 1e-9

/* intervals [index, index + 1] * width */
typedef struct intervals {
    int64_t index[MAX_INTERVALS];
    int count;
} intervals;

/* values and slopes at many angles */
typedef struct samples {
    double angle[2 * MAX_INTERVALS], value[2 * MAX_INTERVALS], slope[2 * MAX_INTERVALS];
} samples;

/* intervals that hold one zero */
typedef struct brackets {
    double low[GENERAL_MAX_ITEMS], high[GENERAL_MAX_ITEMS], start[GENERAL_MAX_ITEMS];
    bool rising[GENERAL_MAX_ITEMS];
    int count;
} brackets;

static kernel_bounds find_bounds(const kernel_series *s, double noise)
{
    kernel_bounds b = {0, NOISE_OF_SUM * noise + ROUNDING_OF_SUM};
    for (int k = 1; k <= s->harmonics; k++) {
        double factor = 1;
        for (int i = 0; i < GENERAL_DERIVATIVES; i++)
            factor *= k;
        b.rest += factor * sqrt(s->cosine[k] * s->cosine[k] + s->sine[k] * s->sine[k]);
    }
    return b;
}

/* how much the derivative `first` can change within h of where all are given */
static double reach_of(const kernel_bounds *b, const double f[GENERAL_DERIVATIVES], int first,
                       double h)
{
    double sum = 0, factor = h;
    for (int i = first + 1; i < GENERAL_DERIVATIVES; i++) {
        sum += fabs(f[i]) * factor;
        factor *= h / (i - first + 1);
    }
    return sum + b->rest * factor;
}

static void evaluate(const kernel_general_ops *ops, const kernel_series *series, int count,
                     samples *at)
{
    ops->series(series, at->angle, count, at->value, at->slope);
}

static void add_zero(general_zeros *zeros, general_zero zero)
{
    if (zeros->count == GENERAL_MAX_ITEMS)
        zeros->truncated = true;
    else
        zeros->at[zeros->count++] = zero;
}

/*
 * What there can be within zero->width of zero->angle, where noise hides how many zeros there are:
 * two at most where f'' keeps its sign, round the angle at which f' vanishes.
 */
static void place_double(const kernel_general_ops *ops, const kernel_series *series,
                         const kernel_bounds *b, general_zero *zero)
{
    double f[GENERAL_DERIVATIVES];
    ops->derivatives(series, zero->angle, f);
    // each derivative multiplies a harmonic's noise by its number
    const double harmonics = series->harmonics, slope_noise = b->noise * harmonics;
    const double change = reach_of(b, f, 2, zero->width) + slope_noise * harmonics;
    const double least = fabs(f[2]) - change, most = fabs(f[2]) + change, shift = -f[1] / f[2];
    if (!(least > 0))
        return;
    zero->most = 2;
    if (!(fabs(shift) < zero->width))
        return;
    // what is left of f' there is what its Taylor series has beyond the linear part
    const double slope = slope_noise + reach_of(b, f, 1, fabs(shift)) - fabs(f[1]);
    zero->angle += shift;
    zero->width += fabs(shift);
    zero->bend = least;
    zero->sharp_width = slope / least * (1 + sqrt(most / least));
}

/* makes one of two zeros: there are as many as in both */
static void join(general_zero *to, const general_zero *other)
{
    const double low = fmin(to->angle - to->width, other->angle - other->width);
    const double high = fmax(to->angle + to->width, other->angle + other->width);
    const int sum = to->most && other->most ? to->most + other->most : 0;
    *to = (general_zero){.angle = 0.5 * (low + high), .width = 0.5 * (high - low), .most = sum};
}

static bool do_overlap(const general_zero *a, const general_zero *b)
{
    return fabs(a->angle - b->angle) < a->width + b->width;
}

/* a place where noise hides whether f has two zeros or none; where f is flat, part by part */
static void add_touching(double angle, double width, general_zeros *zeros)
{
    const general_zero zero = {.angle = angle, .width = width};
    general_zero *last = zeros->count > 0 ? &zeros->at[zeros->count - 1] : NULL;
    if (last && last->most == 0 && do_overlap(last, &zero))
        join(last, &zero);
    else
        add_zero(zeros, zero);
}

/* f is monotone between two angles: a change of sign proves one zero */
static void add_bracket(const double angle[2], const double value[2], brackets *found,
                        general_zeros *zeros)
{
    const double low = value[0], high = value[1];
    if ((low >= 0) == (high >= 0))
        return;
    if (found->count == GENERAL_MAX_ITEMS) {
        zeros->truncated = true;
        return;
    }
    const int i = found->count++;
    found->low[i] = angle[0];
    found->high[i] = angle[1];
    found->start[i] = angle[0] + (angle[1] - angle[0]) * (low / (low - high));
    found->rising[i] = low < 0;
}

static void decide_monotone(const kernel_general_ops *ops, const kernel_series *series,
                            const intervals *monotone, double width, brackets *found,
                            general_zeros *zeros)
{
    samples at;
    for (int i = 0; i < monotone->count; i++) {
        at.angle[2 * i] = (double)monotone->index[i] * width;
        at.angle[2 * i + 1] = (double)(monotone->index[i] + 1) * width;
    }
    evaluate(ops, series, 2 * monotone->count, &at);
    for (int i = 0; i < monotone->count; i++)
        add_bracket(at.angle + 2 * i, at.value + 2 * i, found, zeros);
}

/* f' as a series */
static kernel_series derive(const kernel_series *s)
{
    kernel_series d = {.harmonics = s->harmonics};
    for (int k = 1; k <= s->harmonics; k++) {
        d.cosine[k] = k * s->sine[k];
        d.sine[k] = -k * s->cosine[k];
    }
    return d;
}

/* where f' vanishes in each interval, or the end that is nearest to that, and f'' as the slope;
   `settled` where the last step changed nothing that matters */
static void find_vertices(const kernel_general_ops *ops, const kernel_series *series,
                          const intervals *bent, double width, samples *at, bool *settled)
{
    const kernel_series derivative = derive(series);
    for (int i = 0; i < bent->count; i++)
        at->angle[i] = ((double)bent->index[i] + 0.5) * width;
    bool all = false;
    for (int n = 0; n < VERTEX_STEPS && !all; n++) {
        evaluate(ops, &derivative, bent->count, at);
        all = true;
        for (int i = 0; i < bent->count; i++) {
            const double low = (double)bent->index[i] * width, before = at->angle[i];
            at->angle[i] = fmin(fmax(before - at->value[i] / at->slope[i], low), low + width);
            settled[i] = fabs(at->angle[i] - before) <= POLISHED;
            all = all && settled[i];
        }
    }
}

/*
 * f'' keeps its sign in these, and f is monotone on either side of where f' vanishes: there are two
 * zeros, none, or two in the noise. Returns those where that could not be decided.
 */
static intervals decide_bent(const kernel_general_ops *ops, const kernel_series *series,
                             const kernel_bounds *b, const intervals *bent, double width,
                             brackets *found, general_zeros *zeros)
{
    intervals open = {.count = 0};
    samples vertex, ends;
    double bend[MAX_INTERVALS];
    bool settled[MAX_INTERVALS];
    find_vertices(ops, series, bent, width, &vertex, settled);
    memcpy(bend, vertex.slope, sizeof *bend * (size_t)bent->count);
    for (int i = 0; i < bent->count; i++) {
        ends.angle[2 * i] = (double)bent->index[i] * width;
        ends.angle[2 * i + 1] = (double)(bent->index[i] + 1) * width;
    }
    evaluate(ops, series, bent->count, &vertex);
    evaluate(ops, series, 2 * bent->count, &ends);
    for (int i = 0; i < bent->count; i++) {
        const double angle[3] = {ends.angle[2 * i], vertex.angle[i], ends.angle[2 * i + 1]};
        const double value[3] = {ends.value[2 * i], vertex.value[i], ends.value[2 * i + 1]};
        if (!settled[i]) {
            open.index[open.count++] = bent->index[i];
        } else if (fabs(value[1]) <= b->noise) {
            // f'' is a third of this at least: so far f can stay in the noise from its vertex, and
            // that is so far off by the noise of f'
            const double least = fabs(bend[i]) / 3;
            const double touch = sqrt(4 * b->noise / least) + b->noise * series->harmonics / least;
            add_touching(angle[1], touch, zeros);
        } else {
            add_bracket(angle, value, found, zeros);
            add_bracket(angle + 1, value + 1, found, zeros);
        }
    }
    return open;
}

/* What the intervals of one level are. */
typedef struct sorted {
    intervals monotone, bent, open;
} sorted;

/* sorts the intervals of one level, drops those that are empty and adds those that are touching */
static void sort_level(const kernel_general_ops *ops, const kernel_series *series,
                       const kernel_bounds *b, int level, const intervals *all, sorted *to,
                       general_zeros *zeros)
{
    double angle[MAX_INTERVALS];
    unsigned char kind[MAX_INTERVALS];
    const double width = 2 * LB_PI / (double)(1LL << level);
    for (int i = 0; i < all->count; i++)
        angle[i] = ((double)all->index[i] + 0.5) * width;
    ops->classify(series, b, angle, all->count, 0.5 * width, kind);
    to->monotone.count = to->bent.count = to->open.count = 0;
    for (int i = 0; i < all->count; i++) {
        const bool open = kind[i] == GENERAL_OPEN || kind[i] == GENERAL_BENT;
        if (kind[i] == GENERAL_MONOTONE)
            to->monotone.index[to->monotone.count++] = all->index[i];
        else if (kind[i] == GENERAL_TOUCHING || (open && level >= LAST_LEVEL))
            add_touching(angle[i], 2 * width, zeros);
        else if (kind[i] == GENERAL_BENT && level >= BENT_LEVEL)
            to->bent.index[to->bent.count++] = all->index[i];
        else if (open)
            to->open.index[to->open.count++] = all->index[i];
    }
}

/* halves the intervals that are open once or more; returns how often */
static int halve(const intervals *open, intervals *all, general_zeros *zeros)
{
    // few intervals are cut into more parts, so that lanes are full and levels few
    const int levels = open->count <= 2 ? 3 : open->count <= 6 ? 2 : 1;
    zeros->truncated = zeros->truncated || open->count << levels > MAX_INTERVALS;
    all->count = 0;
    for (int i = 0; i < open->count; i++)
        for (int k = 0; k < 1 << levels && all->count < MAX_INTERVALS; k++)
            all->index[all->count++] = open->index[i] * (1 << levels) + k;
    return levels;
}

/* one step of Newton's method inside a bracket, or a halving; returns its length */
static double polish_step(brackets *found, int i, double value, double slope, double *x)
{
    if ((value < 0) == found->rising[i])
        found->low[i] = *x;
    else
        found->high[i] = *x;
    const double before = *x;
    *x -= value / slope;
    if (!(found->low[i] <= *x && *x <= found->high[i]))
        *x = 0.5 * (found->low[i] + found->high[i]);
    return fabs(*x - before);
}

static void polish(const kernel_general_ops *ops, const kernel_series *series,
                   const kernel_bounds *b, brackets *found, general_zeros *zeros)
{
    samples at;
    for (int i = 0; i < found->count; i++)
        at.angle[i] = found->start[i];
    double longest = 1;
    for (int n = 0; n < POLISH_STEPS && longest > POLISHED; n++) {
        evaluate(ops, series, found->count, &at);
        longest = 0;
        for (int i = 0; i < found->count; i++)
            longest = fmax(longest, polish_step(found, i, at.value[i], at.slope[i], &at.angle[i]));
    }
    // noise shifts a zero the more the flatter f is
    for (int i = 0; i < found->count; i++) {
        const double width = POLISHED + b->noise / fabs(at.slope[i]);
        add_zero(zeros, (general_zero){.angle = at.angle[i], .width = width, .most = 1});
    }
}

/* by insertion: there are few, and most are in order */
static void sort_zeros(general_zeros *zeros)
{
    for (int i = 1; i < zeros->count; i++) {
        const general_zero zero = zeros->at[i];
        int k = i;
        for (; k > 0 && zeros->at[k - 1].angle > zero.angle; k--)
            zeros->at[k] = zeros->at[k - 1];
        zeros->at[k] = zero;
    }
}

/* neighbours that overlap are one: noise hides how many there are */
static void merge_overlapping(general_zeros *zeros)
{
    int kept = 0;
    for (int i = 0; i < zeros->count; i++) {
        if (kept > 0 && do_overlap(&zeros->at[kept - 1], &zeros->at[i]))
            join(&zeros->at[kept - 1], &zeros->at[i]);
        else
            zeros->at[kept++] = zeros->at[i];
    }
    zeros->count = kept;
}

static void isolate(const kernel_general_ops *ops, const kernel_series *series, double noise,
                    general_zeros *zeros)
{
    const kernel_bounds b = find_bounds(series, noise);
    intervals all = {.count = 1 << FIRST_LEVEL};
    sorted now;
    brackets found = {.count = 0};
    for (int i = 0; i < all.count; i++)
        all.index[i] = i;
    zeros->count = 0;
    zeros->truncated = zeros->lacking = false;
    for (int level = FIRST_LEVEL; all.count > 0;) {
        const double width = 2 * LB_PI / (double)(1LL << level);
        sort_level(ops, series, &b, level, &all, &now, zeros);
        if (now.monotone.count > 0)
            decide_monotone(ops, series, &now.monotone, width, &found, zeros);
        if (now.bent.count > 0) {
            const intervals rest = decide_bent(ops, series, &b, &now.bent, width, &found, zeros);
            for (int i = 0; i < rest.count; i++)
                now.open.index[now.open.count++] = rest.index[i];
        }
        level += halve(&now.open, &all, zeros);
    }
    if (found.count > 0)
        polish(ops, series, &b, &found, zeros);
    sort_zeros(zeros);
    merge_overlapping(zeros);
    for (int i = 0; i < zeros->count; i++)
        if (zeros->at[i].most != 1)
            place_double(ops, series, &b, &zeros->at[i]);
}

/*
 * How much the rounding of the equations changes the determinant near a zero. It is the same at
 * all samples, so that no harmonic shows it: a matrix that is off by some share of its first pivot
 * has a determinant that is off by that times the other pivots but the last.
 */
static double rounding_near(const kernel_general_ops *ops, const general_problem *problem,
                            const general_zero *zero)
{
    kernel_null null;
    ops->null_vectors(&problem->resultant, &zero->angle, 1, &null);
    return ROUNDED_EQUATION / problem->independence * (null.gap + zero->width) * null.scale;
}

/* whether f turns back from zero so near to it that rounding, more than its noise, may have taken
   two zeros away, at a cosine of at most `reach` */
static bool may_lack_zeros(const kernel_general_ops *ops, const kernel_series *series, double noise,
                           double rounding, double reach)
{
    const kernel_series slope = derive(series);
    general_zeros turns;
    if (rounding <= find_bounds(series, noise).noise)
        return false;
    isolate(ops, &slope, noise, &turns);
    for (int i = 0; i < turns.count; i++) {
        double f[GENERAL_DERIVATIVES];
        ops->derivatives(series, turns.at[i].angle, f);
        if (fabs(f[0]) <= rounding && f[0] * f[2] > 0 && fabs(lb_cos(turns.at[i].angle)) <= reach)
            return true;
    }
    return turns.truncated;
}

/*
 * Looks at the neighbourhood of a zero again. The determinant itself has much less noise there
 * than a series that also holds for where it is greatest; its values at x + w cos(t) are a series
 * in t (Chebyshev's), so that all of the above serves again. Returns false where nothing is won.
 */
static bool zoom(const general_arm *general, const kernel_general_ops *ops,
                 const general_problem *problem, const general_zero *zero, general_zeros *out)
{
    const double w = 2 * zero->width, *cosines = general->cosines[2];
    enum { DISTINCT = GENERAL_SAMPLES_NEAR / 2 + 1 };
    double c[DISTINCT], s[DISTINCT], values[GENERAL_SAMPLES_NEAR];
    for (int i = 0; i < DISTINCT; i++)
        lb_sincos(zero->angle + w * cosines[i], &s[i], &c[i]);
    ops->determinants(&problem->resultant, c, s, DISTINCT, values);
    for (int i = DISTINCT; i < GENERAL_SAMPLES_NEAR; i++)
        values[i] = values[GENERAL_SAMPLES_NEAR - i];
    kernel_series series;
    double scale;
    const double noise = general_fit(values, cosines, general->sines[2], GENERAL_SAMPLES_NEAR,
                                     NEAR_HARMONICS, &series, &scale);
    if (!(noise < ZOOM_NOISE))
        return false;
    isolate(ops, &series, noise, out);
    const double rounding = rounding_near(ops, problem, zero) * scale;
    out->lacking = may_lack_zeros(ops, &series, noise, rounding, zero->width / w);

    // t and -t are the same angle; zeros that are not this one's are others'
    int kept = 0;
    for (int i = 0; i < out->count; i++) {
        const general_zero at = out->at[i];
        const double shift = w * lb_cos(at.angle), width = w * at.width;
        if (at.angle <= LB_PI + at.width && fabs(shift) <= zero->width + width)
            out->at[kept++] =
                (general_zero){.angle = zero->angle + shift, .width = width, .most = at.most};
    }
    out->count = kept;
    return true;
}

/* whether a zero is known well enough, beside its neighbours on the circle */
static bool is_sharp(const general_zeros *zeros, int i)
{
    const general_zero *zero = &zeros->at[i];
    double nearest = SHARP;
    for (int k = 0; k < zeros->count; k++)
        if (k != i)
            nearest = fmin(nearest, APART * fabs(lb_wrap_angle(zero->angle - zeros->at[k].angle)));
    return zero->most != 0 && zero->width < nearest;
}

double general_clearance(const kernel_general_ops *ops, const kernel_series *series)
{
    // between two zeros of f' it is monotone: a change of f adds zeros at these alone
    const kernel_series slope = derive(series);
    general_zeros turns;
    isolate(ops, &slope, 0, &turns);
    samples at;
    for (int i = 0; i < turns.count; i++)
        at.angle[i] = turns.at[i].angle;
    evaluate(ops, series, turns.count, &at);
    double least = turns.truncated ? 0 : INFINITY;
    for (int i = 0; i < turns.count; i++)
        least = fmin(least, fabs(at.value[i]));
    return least;
}

bool general_zoom(const general_arm *general, const kernel_general_ops *ops,
                  const general_problem *problem, const bool *chosen, general_zeros *zeros)
{
    const general_zeros before = *zeros;
    bool any = false;
    zeros->count = 0;
    for (int i = 0; i < before.count; i++) {
        general_zeros near = {.count = 0};
        const general_zero *zero = &before.at[i];
        if (!chosen[i] || zero->width > WIDEST_ZOOM || !zoom(general, ops, problem, zero, &near)) {
            add_zero(zeros, *zero);
            continue;
        }
        any = true;
        zeros->truncated = zeros->truncated || near.truncated;
        zeros->lacking = zeros->lacking || near.lacking;
        for (int k = near.count - 1; k >= 0; k--)
            add_zero(zeros, near.at[k]);
    }
    return any;
}

void general_isolate(const general_arm *general, const kernel_general_ops *ops,
                     const general_problem *problem, int *looks, general_zeros *zeros)
{
    isolate(ops, &problem->series, problem->noise, zeros);
    for (int n = 0; n < ZOOMS; n++) {
        bool blurred[GENERAL_MAX_ITEMS];
        for (int i = 0; i < zeros->count; i++) {
            blurred[i] = !is_sharp(zeros, i);
            *looks -= blurred[i];
        }
        if (*looks < 0 || !general_zoom(general, ops, problem, blurred, zeros))
            break;
    }
    // the circle's ends are one place
    for (int i = 0; i < zeros->count; i++)
        if (zeros->at[i].angle + zeros->at[i].width > 2 * LB_PI)
            zeros->at[i].angle -= 2 * LB_PI;
    sort_zeros(zeros);
    merge_overlapping(zeros);
}
