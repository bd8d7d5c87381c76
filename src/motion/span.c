/*
 * span.c - the spans of a path: their length, and the position after a share of it.
 *
 * Lines and arcs have constant speed. A cubic's length is the integral of its speed, by five-point
 * Gauss-Legendre quadrature on each part of it; parts are halved where that is not exact, as in
 * sharp bends. The parameter of a given length is found by Newton's method between bounds.
 */
#include "motion/path.h"

enum { POINTS = 5, NEWTON_STEPS = 16 };

/* nodes and weights on [-1, 1]: Abramowitz & Stegun, table 25.4 */
static const double nodes[POINTS] = {-0.906179845938664, -0.538469310105683, 0, 0.538469310105683,
                                     0.906179845938664};
static const double weights[POINTS] = {0.236926885056189, 0.478628670499366, 0.568888888888889,
                                       0.478628670499366, 0.236926885056189};

/* ---- by parameter ------------------------------------------------------- */

static lb_vec3 place_at(const path_span *span, double u)
{
    const lb_vec3 *c = span->c;
    if (span->kind == SPAN_ARC) {
        double sine, cosine;
        lb_sincos(span->from + u * span->sweep, &sine, &cosine);
        return lb_vec3_add(c[0],
                           lb_vec3_add(lb_vec3_scale(c[1], cosine), lb_vec3_scale(c[2], sine)));
    }
    if (span->kind == SPAN_LINE)
        return u < 0.5 ? lb_vec3_add(c[0], lb_vec3_scale(c[1], u))
                       : lb_vec3_sub(c[2], lb_vec3_scale(c[1], 1 - u));
    lb_vec3 sum = lb_vec3_add(c[2], lb_vec3_scale(c[3], u));
    sum = lb_vec3_add(c[1], lb_vec3_scale(sum, u));
    return lb_vec3_add(c[0], lb_vec3_scale(sum, u));
}

/* metres per unit of u of a cubic */
static double speed_at(const path_span *span, double u)
{
    lb_vec3 sum = lb_vec3_add(lb_vec3_scale(span->c[2], 2), lb_vec3_scale(span->c[3], 3 * u));
    return lb_vec3_length(lb_vec3_add(span->c[1], lb_vec3_scale(sum, u)));
}

/* the length of a cubic between two parameters within one part */
static double length_between(const path_span *span, double a, double b)
{
    double middle = 0.5 * (a + b), half = 0.5 * (b - a), sum = 0;
    for (int i = 0; i < POINTS; i++)
        sum += weights[i] * speed_at(span, middle + half * nodes[i]);
    return half * sum;
}

/* ---- measuring ---------------------------------------------------------- */

/* a part is exact enough when halving it changes its length by less of the whole */
#define EXACT 1e-9

static double part_begin(const path_span *span, int part)
{
    return part > 0 ? span->ends[part - 1] : 0;
}

/* what halving a part would change */
static double part_error(const path_span *span, int part)
{
    double a = part_begin(span, part), b = span->ends[part], middle = 0.5 * (a + b);
    double halves = length_between(span, a, middle) + length_between(span, middle, b);
    return fabs(length_between(span, a, b) - halves);
}

/* halves a part; the errors of those after it move up */
static void split(path_span *span, int part, double *errors)
{
    for (int i = span->parts; i > part; i--) {
        span->ends[i] = span->ends[i - 1];
        errors[i] = errors[i - 1];
    }
    span->ends[part] = 0.5 * (part_begin(span, part) + span->ends[part]);
    span->parts++;
    errors[part] = part_error(span, part);
    errors[part + 1] = part_error(span, part + 1);
}

/* splits the worst part until all are exact, or the table is full */
static void divide(path_span *span)
{
    double errors[SPAN_PARTS];
    double whole = length_between(span, 0, 1);
    span->parts = 1;
    span->ends[0] = 1;
    errors[0] = part_error(span, 0);
    while (span->parts < SPAN_PARTS) {
        int worst = 0;
        for (int i = 1; i < span->parts; i++)
            if (errors[i] > errors[worst])
                worst = i;
        if (!(errors[worst] > EXACT * whole))
            break;
        split(span, worst, errors);
    }
}

void span_measure(path_span *span)
{
    if (span->kind == SPAN_LINE)
        span->length = lb_vec3_length(span->c[1]);
    if (span->kind == SPAN_ARC)
        span->length = lb_vec3_length(span->c[1]) * span->sweep;
    if (span->kind != SPAN_CUBIC)
        return;
    divide(span);
    double sum = 0;
    for (int i = 0; i < span->parts; i++) {
        sum += length_between(span, part_begin(span, i), span->ends[i]);
        span->lengths[i] = sum;
    }
    span->length = sum;
}

/* ---- by length ---------------------------------------------------------- */

/* the parameter of a cubic after `wanted` metres */
static double parameter_after(const path_span *span, double wanted)
{
    int part = 0;
    while (part < span->parts - 1 && span->lengths[part] < wanted)
        part++;
    double begin = part_begin(span, part), low = begin, high = span->ends[part];
    double before = part > 0 ? span->lengths[part - 1] : 0;
    double whole = span->lengths[part] - before;
    double u = whole > 0 ? low + (high - low) * (wanted - before) / whole : low;

    // a step out of the bounds, as near a cusp, is replaced by bisection
    for (int i = 0; i < NEWTON_STEPS; i++) {
        double excess = before + length_between(span, begin, u) - wanted;
        // far below the accuracy of the quadrature
        if (fabs(excess) <= 1e-12 * span->length)
            break;
        if (excess > 0)
            high = u;
        else
            low = u;
        double next = u - excess / speed_at(span, u);
        u = next > low && next < high ? next : 0.5 * (low + high);
    }
    return u;
}

lb_vec3 span_place(const path_span *span, double share)
{
    // lines and arcs have constant speed, and a cubic's ends are those of its parameter
    if (span->kind == SPAN_CUBIC && share > 0 && share < 1)
        share = parameter_after(span, share * span->length);
    return place_at(span, share);
}
