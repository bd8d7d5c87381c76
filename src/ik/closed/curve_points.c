/* curve_points.c - points of the curves that reach a pose, and cubics between them. */
#include "ik/closed/curve.h"
#include "ik/closed/newton.h"
#include "math/dense.h"
#include "math/scalar.h"

#include <string.h>

/* cubics leave their curve by less than this times the fourth power of their length; by less than
   1e-7 where that is CUBIC_FINE */
#define CUBIC_OFF 0.01
#define CUBIC_FINE 0.05
enum { NEWTON_STEPS = 8 };

/* the unit tangent by the factors of [J; row], in the curve's direction: the sign of row . t is
   that of the determinant */
static bool take_tangent(const double *lu, const int *pivots, double *t)
{
    double sign = 1;
    for (int k = 0; k < CURVE_JOINTS; k++) {
        sign = (pivots[k] != k) != (lu[k * CURVE_JOINTS + k] < 0) ? -sign : sign;
        t[k] = k + 1 == CURVE_JOINTS;
    }
    dense_lu_solve(CURVE_JOINTS, lu, pivots, t);
    const double scale = sign / sqrt(curve_dot(t, t));
    for (int k = 0; k < CURVE_JOINTS; k++)
        t[k] *= scale;
    return isfinite(scale);
}

double curve_correct(const curve *c, const double *row, double close, curve_node *node)
{
    double moved = 0, lu[CURVE_JOINTS * CURVE_JOINTS], error[CURVE_JOINTS];
    for (int i = 0; i < NEWTON_STEPS && moved < 1; i++) {
        int pivots[CURVE_JOINTS];
        lb_transform tip;
        closed_jacobian(&c->chain->arm, node->q, &tip, lu);
        closed_error(&tip, &c->target, error);
        error[CURVE_JOINTS - 1] = 0;
        memcpy(lu + CURVE_JOINTS * (CURVE_JOINTS - 1), row, CURVE_JOINTS * sizeof *row);
        if (!(dense_lu_factor(CURVE_JOINTS, lu, pivots) > 0))
            return INFINITY;
        dense_lu_solve(CURVE_JOINTS, lu, pivots, error);
        const double step = sqrt(curve_dot(error, error));
        for (int k = 0; k < CURVE_JOINTS; k++)
            node->q[k] += error[k];
        moved += step;
        if (step < close)
            return take_tangent(lu, pivots, node->t) ? moved : INFINITY;
    }
    return INFINITY;
}

curve_cubic curve_between(const curve_node *from, const curve_node *to)
{
    curve_cubic s = {.from = from};
    double mean[CURVE_JOINTS];
    for (int k = 0; k < CURVE_JOINTS; k++) {
        s.way[k] = closed_wrapped(to->q[k] - from->q[k]);
        mean[k] = 0.5 * (from->t[k] + to->t[k]);
    }
    s.length = curve_dot(s.way, mean) / curve_dot(mean, mean);
    for (int k = 0; k < CURVE_JOINTS; k++) {
        s.begin[k] = s.length * from->t[k];
        s.end[k] = s.length * to->t[k];
        mean[k] = s.way[k] - s.length * mean[k];
    }
    s.defect = sqrt(curve_dot(mean, mean)) / s.length;
    return s;
}

double curve_value(const curve_cubic *s, int k, double u)
{
    const double v = 1 - u;
    return s->from->q[k] + u * u * (3 - 2 * u) * s->way[k] +
           u * v * (v * s->begin[k] - u * s->end[k]);
}

double curve_take(const curve *c, const curve_cubic *s, double u, double close, curve_node *node)
{
    double row[CURVE_JOINTS];
    for (int k = 0; k < CURVE_JOINTS; k++) {
        node->q[k] = curve_value(s, k, u);
        row[k] = s->way[k] / s->length;
    }
    return curve_correct(c, row, close, node);
}

int curve_turns(const curve_cubic *s, int k, double u[4])
{
    // the slope is b + 2 c u + 3 d u^2
    const double b = s->begin[k], d = b + s->end[k] - 2 * s->way[k];
    const double c = 3 * s->way[k] - 2 * b - s->end[k], square = c * c - 3 * b * d;
    int count = 1;
    u[0] = 0;
    if (square > 0) {
        const double w = -(c + (c < 0 ? -1 : 1) * sqrt(square));
        const double one = d != 0 ? w / (3 * d) : INFINITY, other = w != 0 ? b / w : INFINITY;
        const double places[2] = {scalar_min(one, other), scalar_max(one, other)};
        for (int i = 0; i < 2; i++)
            if (places[i] > 0 && places[i] < 1)
                u[count++] = places[i];
    }
    u[count++] = 1;
    return count;
}

bool curve_touches(const curve *c, const curve_cubic *s)
{
    const double square = s->length * s->length, off = CUBIC_OFF * square * square;
    for (int k = 0; k < CURVE_JOINTS && s->length > CUBIC_FINE; k++) {
        const closed_joint *joint = &c->chain->joints[k];
        double u[4];
        const int count = closed_is_limited(joint) ? curve_turns(s, k, u) : 0;
        for (int i = 1; i + 1 < count; i++) {
            const double q = curve_value(s, k, u[i]);
            if (fabs(lb_wrap_angle(q - joint->lower)) < off ||
                fabs(lb_wrap_angle(q - joint->upper)) < off)
                return true;
        }
    }
    return false;
}
