/*
 * spacetime_between.c - what a joint's values in several frames have to do with each other:
 * accelerations, speeds and jumps; and its limits. Joints meet only themselves here.
 */
#include "math/scalar.h"
#include "motion/retarget/spacetime.h"

#include <string.h>

/* of the posture, a radian or a metre */
#define POSTURE 1e-3
/* what multipliers are at most and slacks at least: a row that cannot be kept gives way */
#define MULTIPLIER_MOST 1e4
#define SLACK_LEAST 1e-6

/* ---- inequalities ----------------------------------------------------------------- */

time_bound spacetime_inside(const spacetime *s, time_slack *c, double g, double least, bool known,
                            double *broken)
{
    if (!known) {
        c->s = scalar_max(g, least);
        c->z = s->barrier / c->s;
    } else {
        double z = (s->barrier - c->z * (g - c->s)) / c->s,
               slack = scalar_max(SLACK_LEAST, scalar_max(g, 0.1 * c->s));
        double center = s->barrier / slack;
        z = scalar_min(scalar_max(z, 0.1 * c->z), MULTIPLIER_MOST);
        c->z = scalar_min(scalar_max(z, 1e-2 * center), 1e4 * center + MULTIPLIER_MOST);
        c->s = slack;
    }
    *broken = scalar_max(*broken, -g);
    double inverse = 1 / c->s, weight = c->z * inverse;
    return (time_bound){weight, s->barrier * inverse + weight * (c->s - g)};
}

/* ---- between frames ----------------------------------------------------------------- */

static double *change_of(const spacetime *s, int step)
{
    return s->changes + (size_t)(step - s->first + 2) * (size_t)s->n;
}

static time_frame *unknown(const spacetime *s, time_span span, int step)
{
    return step >= span.a && step < span.b ? &s->frames[step - s->first] : NULL;
}

/* a row with factors k of the column in frames step, step + 1 ..., at distance r from its goal */
static void add_term(const spacetime *s, time_span span, int step, int c, const double *k,
                     int count, double weight, double force)
{
    for (int i = 0; i < count; i++) {
        time_frame *f = unknown(s, span, step + i);
        if (f == NULL)
            continue;
        f->own[c] += weight * k[i] * k[i];
        f->force[c] += force * k[i];
        if (i + 1 < count)
            f->next[c] += weight * k[i] * k[i + 1];
        if (i + 2 < count)
            f->after[c] += weight * k[i] * k[i + 2];
    }
}

double spacetime_change(const spacetime *s, int step, int column)
{
    return change_of(s, step)[column];
}

double spacetime_speed(const spacetime *s, int column)
{
    return s->limited ? SPACETIME_SPEED * s->columns[column].speed * s->solver->plan->step
                      : INFINITY;
}

/* what a column may change by from a step of the window to the next */
static double most_change(const spacetime *s, int step, int c)
{
    double limit = spacetime_speed(s, c);
    if (s->columns[c].root)
        return limit;
    if (s->jumping[(size_t)step * (size_t)s->n + (size_t)c])
        limit = fmin(limit, RETARGET_CALM * s->solver->plan->step);
    return fmin(limit, s->frames[step - s->first].calm);
}

static void add_speed(spacetime *s, time_span span, int step, int c)
{
    static const double k[2] = {-1, 1};
    if (step < s->first || step >= span.b)
        return;
    time_frame *f = &s->frames[step - s->first];
    bool known = f->known && step + 1 < s->first + s->count && f[1].known;
    double most = most_change(s, step, c), x = change_of(s, step)[c];
    if (!isfinite(most))
        return;
    time_bound up =
        spacetime_inside(s, &f->speeds[2 * c], most - x, 0.05 * most, known, &f->broken);
    time_bound down =
        spacetime_inside(s, &f->speeds[2 * c + 1], most + x, 0.05 * most, known, &f->broken);
    add_term(s, span, step, c, k, 2, up.weight + down.weight, down.force - up.force);
}

static void add_limits(spacetime *s, int step, int c)
{
    const time_column *column = &s->columns[c];
    time_frame *f = &s->frames[step - s->first];
    if (!column->number)
        return;
    double x = spacetime_row(s, step)[column->q];
    f->own[c] += POSTURE;
    f->force[c] += POSTURE * (column->rest - x);
    for (int side = 0; side < 2; side++) {
        double bound = side ? column->lower : column->upper, sign = side ? 1 : -1;
        if (!isfinite(bound))
            continue;
        time_bound row = spacetime_inside(s, &f->limits[2 * c + side], sign * (x - bound), 0.02,
                                          f->known, &f->broken);
        f->own[c] += row.weight;
        f->force[c] += sign * row.force;
    }
}

void spacetime_measure(spacetime *s, int from, int to)
{
    const lb_model *model = s->solver->plan->target;
    for (int step = from; step < to; step++) {
        lb_configuration_difference(model, spacetime_row(s, step), spacetime_row(s, step + 1),
                                    s->change);
        for (int c = 0; c < s->n; c++)
            change_of(s, step)[c] = s->change[s->columns[c].v];
    }
}

void spacetime_between(spacetime *s, time_span span)
{
    static const double k[3] = {1, -2, 1};
    size_t size = (size_t)s->n * sizeof(double);
    int from = span.a > 1 ? span.a - 2 : 0;
    int to = span.b + 1 < s->grid->steps ? span.b + 1 : s->grid->steps;
    for (int step = span.a; step < span.b; step++) {
        time_frame *f = &s->frames[step - s->first];
        memset(f->own, 0, size), memset(f->next, 0, size);
        memset(f->after, 0, size), memset(f->force, 0, size);
        f->broken = 0;
    }
    spacetime_measure(s, from, to);
    for (int step = from; step < to; step++)
        for (int c = 0; c < s->n; c++) {
            add_speed(s, span, step, c);
            if (step == from)
                continue;
            double x = change_of(s, step)[c] - change_of(s, step - 1)[c];
            double weight = s->acceleration * s->columns[c].weight;
            add_term(s, span, step - 1, c, k, 3, weight, -weight * x);
        }
    for (int step = span.a; step < span.b; step++)
        for (int c = 0; c < s->n; c++)
            add_limits(s, step, c);
}
