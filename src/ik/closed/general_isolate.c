/*
 * general_isolate.c - every real zero of a trigonometric polynomial, none missed.
 *
 * The circle is halved again and again, all intervals of one length side by side. About the
 * middle m of an interval of half width h
 *     |f(x) - f(m)| <= sum over 0 < i < 6 of |f_i(m)| h^i / i! + sum k^6 |c_k| h^6 / 6!
 * (f_i the i-th derivative) excludes it; the same bound for f_1 makes f monotone there, and the
 * signs at its ends decide. Many derivatives pay, because zeros often come in clusters round
 * which f is flat. What the noise of f does not let decide is kept as touching.
 */
#include "ik/closed/general_parts.h"

enum {
    FIRST_LEVEL = 5, /* 32 intervals: most zeros are then alone in theirs */
    LAST_LEVEL = 40,
    MAX_INTERVALS = 128, /* of one level; 24 zeros keep at most about 50 */
    FLAT_STEPS = 4,
    POLISH_STEPS = 60 /* of Newton's method or halving; four or five in fact */
};

/* f's noise at a point, for harmonics of noise 1 that add up; and the rounding of a sum */
#define NOISE_OF_SUM 16.0
#define ROUNDING_OF_SUM 4e-15
/* how often a neighbourhood is looked at again, what it must be smaller than for the series to
   hold, and with how much noise it is worth nothing */
enum { ZOOMS = 3, NEAR_HARMONICS = 11 };
#define WIDEST_ZOOM 0.1
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

/* a place where noise hides whether f has two zeros or none */
static void add_touching(const kernel_general_ops *ops, const kernel_series *series,
                         const kernel_bounds *b, double angle, double width, general_zeros *zeros)
{
    // where f'' does not vanish there are two zeros at most
    double f[GENERAL_DERIVATIVES];
    ops->derivatives(series, angle, f);
    const double near = 2 * width;
    const int most = fabs(f[2]) > reach_of(b, f, 2, near) ? 2 : 0;
    if (most == 2) {
        const double shift = -f[1] / f[2];
        if (fabs(shift) < near)
            angle += shift;
    }
    add_zero(zeros, (general_zero){angle, near, most});
}

/* f is monotone in these: a change of sign proves one zero */
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
    for (int i = 0; i < monotone->count; i++) {
        const double low = at.value[2 * i], high = at.value[2 * i + 1];
        if ((low >= 0) != (high >= 0)) {
            if (found->count == GENERAL_MAX_ITEMS) {
                zeros->truncated = true;
                return;
            }
            found->low[found->count] = at.angle[2 * i];
            found->high[found->count] = at.angle[2 * i + 1];
            found->start[found->count] =
                at.angle[2 * i] + (at.angle[2 * i + 1] - at.angle[2 * i]) * (low / (low - high));
            found->rising[found->count++] = low < 0;
        }
    }
}

/* sorts the intervals of one level: empty, monotone, touching, or cut; returns by how many levels
 */
static int sort_level(const kernel_general_ops *ops, const kernel_series *series,
                      const kernel_bounds *b, int level, intervals *all, intervals *monotone,
                      general_zeros *zeros)
{
    double angle[MAX_INTERVALS];
    unsigned char kind[MAX_INTERVALS];
    const double width = 2 * LB_PI / (double)(1LL << level);
    for (int i = 0; i < all->count; i++)
        angle[i] = ((double)all->index[i] + 0.5) * width;
    ops->classify(series, b, angle, all->count, 0.5 * width, kind);
    intervals open = {.count = 0};
    monotone->count = 0;
    for (int i = 0; i < all->count; i++) {
        if (kind[i] == GENERAL_MONOTONE)
            monotone->index[monotone->count++] = all->index[i];
        else if (kind[i] == GENERAL_TOUCHING || (kind[i] == GENERAL_OPEN && level >= LAST_LEVEL))
            add_touching(ops, series, b, angle[i], width, zeros);
        else if (kind[i] == GENERAL_OPEN)
            open.index[open.count++] = all->index[i];
    }

    // few intervals are cut into more parts, so that lanes are full and levels few
    const int levels = open.count <= 2 ? 3 : open.count <= 6 ? 2 : 1;
    zeros->truncated = zeros->truncated || open.count << levels > MAX_INTERVALS;
    all->count = 0;
    for (int i = 0; i < open.count; i++)
        for (int k = 0; k < 1 << levels && all->count < MAX_INTERVALS; k++)
            all->index[all->count++] = open.index[i] * (1 << levels) + k;
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
        add_zero(zeros, (general_zero){at.angle[i], width, 1});
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

/* neighbours that touch are one */
static void merge_touching(general_zeros *zeros)
{
    int kept = 0;
    for (int i = 0; i < zeros->count; i++) {
        const general_zero *zero = &zeros->at[i];
        general_zero *last = kept > 0 ? &zeros->at[kept - 1] : NULL;
        const bool same = last && last->most != 1 && zero->most != 1 &&
                          zero->angle - last->angle < last->width + zero->width;
        if (!same) {
            zeros->at[kept++] = *zero;
            continue;
        }
        const double low = fmin(last->angle - last->width, zero->angle - zero->width);
        const double high = fmax(last->angle + last->width, zero->angle + zero->width);
        last->angle = 0.5 * (low + high);
        last->width = 0.5 * (high - low);
        last->most = last->most == zero->most ? last->most : 0;
    }
    zeros->count = kept;
}

static void isolate(const kernel_general_ops *ops, const kernel_series *series, double noise,
                    general_zeros *zeros)
{
    const kernel_bounds b = find_bounds(series, noise);
    intervals all = {.count = 1 << FIRST_LEVEL}, monotone;
    brackets found = {.count = 0};
    for (int i = 0; i < all.count; i++)
        all.index[i] = i;
    zeros->count = 0;
    zeros->truncated = false;
    for (int level = FIRST_LEVEL; all.count > 0;) {
        const double width = 2 * LB_PI / (double)(1LL << level);
        level += sort_level(ops, series, &b, level, &all, &monotone, zeros);
        if (monotone.count > 0)
            decide_monotone(ops, series, &monotone, width, &found, zeros);
    }
    if (found.count > 0)
        polish(ops, series, &b, &found, zeros);
    sort_zeros(zeros);
    merge_touching(zeros);
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
    const double noise = general_fit(values, cosines, general->sines[2], GENERAL_SAMPLES_NEAR,
                                     NEAR_HARMONICS, &series);
    if (!(noise < ZOOM_NOISE))
        return false;
    isolate(ops, &series, noise, out);

    // t and -t are the same angle; zeros that are not this one's are others'
    int kept = 0;
    for (int i = 0; i < out->count; i++) {
        const general_zero at = out->at[i];
        const double shift = w * lb_cos(at.angle), width = w * at.width;
        if (at.angle <= LB_PI + at.width && fabs(shift) <= zero->width + width)
            out->at[kept++] = (general_zero){zero->angle + shift, width, at.most};
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
    enum { LOOKS = 2 * MAX_INTERVALS };
    const double spacing = 2 * LB_PI / LOOKS;
    samples at;
    double least = INFINITY;
    for (int i = 0; i < LOOKS; i++)
        at.angle[i] = spacing * i;
    evaluate(ops, series, LOOKS, &at);
    for (int i = 0; i < LOOKS; i++) {
        const double value = at.value[i], before = at.value[(i + LOOKS - 1) % LOOKS];
        const double after = at.value[(i + 1) % LOOKS];
        if (fabs(value) > fabs(before) || fabs(value) > fabs(after))
            continue;
        // where it is flat, by Newton's method on the slope
        double x = at.angle[i], f[GENERAL_DERIVATIVES];
        ops->derivatives(series, x, f);
        for (int n = 0; n < FLAT_STEPS && fabs(f[1]) < fabs(f[2]) * spacing; n++) {
            x -= f[1] / f[2];
            ops->derivatives(series, x, f);
        }
        if ((value < 0) == (before < 0) && (value < 0) == (after < 0))
            least = fmin(least, fmin(fabs(value), fabs(f[0])));
    }
    return least;
}

void general_isolate(const general_arm *general, const kernel_general_ops *ops,
                     const general_problem *problem, general_zeros *zeros)
{
    isolate(ops, &problem->series, problem->noise, zeros);
    for (int n = 0; n < ZOOMS; n++) {
        const general_zeros before = *zeros;
        bool again = false;
        zeros->count = 0;
        for (int i = 0; i < before.count; i++) {
            general_zeros near = {.count = 0};
            const general_zero *zero = &before.at[i];
            if (is_sharp(&before, i) || zero->width > WIDEST_ZOOM ||
                !zoom(general, ops, problem, zero, &near)) {
                add_zero(zeros, *zero);
                continue;
            }
            again = true;
            zeros->truncated = zeros->truncated || near.truncated;
            for (int k = near.count - 1; k >= 0; k--)
                add_zero(zeros, near.at[k]);
        }
        if (!again)
            break;
    }
}
