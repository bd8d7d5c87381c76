/*
 * profile.c - the least time along a curve: an interior-point method with a banded Hessian.
 *
 * What is minimised is the time minus mu times the sum of the logarithms of all slacks; mu falls
 * until all slacks together cost a thousandth of the time. No logarithm is needed: the slope
 * at a step's end says whether it went too far.
 */
#include "motion/timing.h"

#include "motion/spline.h"

#include <math.h>
#include <string.h>

/* the Hessian has this many diagonals below its main one: a cell has three coefficients */
enum { BAND = 2, ROW = BAND + 1 };

/* of the time that the slacks may cost in the end; the motion is slower by about as much */
#define GAP 5e-4
/* Newton's method has converged for a mu where its decrement is this small a part of mu */
#define DECREMENT 0.1
enum { STEPS_FOR_MU = 24, HALVINGS = 40 };
/* by how much mu falls */
#define FALL 0.2

size_t profile_work(int cells)
{
    // gradient, direction, trial and the Hessian's rows
    return (size_t)(cells + 2) * (3 + ROW);
}

/* ---- one place -------------------------------------------------------------- */

/* g, g' and g'' at a place as sums of the cell's three coefficients: rows of `weights` */
static void basis(int cells, int place, double weights[3][3])
{
    double n = cells, x = 0.5 * place;
    const double rows[3][3] = {
        {0.5 * (1 - x) * (1 - x), 0.5 + x * (1 - x), 0.5 * x * x},
        {-(1 - x) * n, (1 - 2 * x) * n, x * n},
        {n * n, -2 * n * n, n * n},
    };
    memcpy(weights, rows, sizeof rows);
}

/* gradient and Hessian in (g, g', g''), of the function that is minimised */
typedef struct place_sum {
    double gradient[3], hessian[3][3];
} place_sum;

/*
 * Adds -mu log(slack) with slack = room - |u|^2, u = a g + b g' + c g'' in `count` columns. The
 * room's own slope by g is `room_slope`; its curvature, which is not negative, is left out.
 */
static bool add_slack(const double *const rows[3], const double scale[3], int count,
                      const double v[3], double room, double room_slope, double mu, place_sum *sum)
{
    double slope[3] = {room_slope, 0, 0}, curve[3][3] = {{0}}, length = 0;
    for (int k = 0; k < count; k++) {
        double d[3], u = 0;
        for (int i = 0; i < 3; i++) {
            d[i] = rows[i] ? scale[i] * rows[i][k] : 0;
            u += d[i] * v[i];
        }
        length += u * u;
        for (int i = 0; i < 3; i++) {
            slope[i] -= 2 * u * d[i];
            for (int j = 0; j < 3; j++)
                curve[i][j] += 2 * d[i] * d[j];
        }
    }
    double slack = room - length;
    if (!(slack > 0))
        return false;
    for (int i = 0; sum && i < 3; i++) {
        sum->gradient[i] -= mu * slope[i] / slack;
        for (int j = 0; j < 3; j++)
            sum->hessian[i][j] +=
                mu * (slope[i] * slope[j] / (slack * slack) + curve[i][j] / slack);
    }
    return true;
}

/* the slacks of one channel at a place; `d` are the curve's derivatives there */
static bool add_channel(const profile *p, const profile_channel *c, const double *d,
                        const double v[3], double mu, place_sum *sum)
{
    const double *first = d + c->first, *second = first + p->columns, *third = second + p->columns;
    double speed = 0;
    for (int k = 0; k < c->count; k++)
        speed += first[k] * first[k];

    // the square of the speed is linear in g
    double room = c->limits[0] * c->limits[0];
    if (isfinite(room)) {
        double slack = room - speed * v[0];
        if (!(slack > 0))
            return false;
        if (sum) {
            sum->gradient[0] += mu * speed / slack;
            sum->hessian[0][0] += mu * speed * speed / (slack * slack);
        }
    }
    const double *const acceleration[3] = {second, first, NULL};
    const double *const jerk[3] = {third, second, first};
    static const double by_acceleration[3] = {1, 0.5, 0}, by_jerk[3] = {1, 1.5, 0.5};
    room = c->limits[1] * c->limits[1];
    if (isfinite(room) && !add_slack(acceleration, by_acceleration, c->count, v, room, 0, mu, sum))
        return false;
    room = c->limits[2] * c->limits[2] / v[0];
    return !isfinite(room) || add_slack(jerk, by_jerk, c->count, v, room, -room / v[0], mu, sum);
}

/* ---- all places --------------------------------------------------------------- */

/* Simpson's rule over a cell */
static const double shares[PROFILE_PLACES] = {1.0 / 6, 4.0 / 6, 1.0 / 6};

/* one place: time and slacks; false where a slack is gone */
static bool add_place(const profile *p, int cell, int place, const double *g, double mu,
                      const double weights[3][3], place_sum *sum, double *time)
{
    double v[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            v[i] += weights[i][k] * g[cell + k];
    if (!(v[0] > 0))
        return false;
    double part = shares[place] / p->cells / sqrt(v[0]);
    *time += part;
    if (sum) {
        *sum = (place_sum){.gradient = {-0.5 * part / v[0], 0, 0}};
        sum->hessian[0][0] = 0.75 * part / (v[0] * v[0]);
    }
    const double *d = p->derivatives + (size_t)(cell * PROFILE_PLACES + place) *
                                           PROFILE_DERIVATIVES * (size_t)p->columns;
    for (int c = 0; c < p->channels; c++)
        if (!add_channel(p, &p->channel[c], d, v, mu, sum))
            return false;
    return true;
}

/* adds what a place has to the cell's three coefficients */
static void scatter(const place_sum *sum, const double weights[3][3], double *gradient,
                    double *hessian)
{
    for (int k = 0; k < 3; k++) {
        double column[3] = {0, 0, 0};
        for (int i = 0; i < 3; i++) {
            gradient[k] += weights[i][k] * sum->gradient[i];
            for (int j = 0; j < 3; j++)
                column[i] += sum->hessian[i][j] * weights[j][k];
        }
        // the lower triangle, a row's diagonal first
        for (int l = 0; hessian && l <= k; l++)
            for (int i = 0; i < 3; i++)
                hessian[k * ROW + k - l] += weights[i][l] * column[i];
    }
}

/* gradient and, unless NULL, Hessian at g; false where a slack is gone. *time is set in any case */
static bool evaluate(const profile *p, const double *g, double mu, double *gradient,
                     double *hessian, double *time)
{
    double weights[PROFILE_PLACES][3][3];
    size_t n = (size_t)p->cells + 2;
    memset(gradient, 0, n * sizeof *gradient);
    if (hessian)
        memset(hessian, 0, n * ROW * sizeof *hessian);
    *time = 0;
    for (int k = 0; k < PROFILE_PLACES; k++)
        basis(p->cells, k, weights[k]);
    for (int i = 0; i < p->cells; i++)
        for (int k = 0; k < PROFILE_PLACES; k++) {
            place_sum sum;
            if (!add_place(p, i, k, g, mu, (const double(*)[3])weights[k], &sum, time))
                return false;
            scatter(&sum, (const double(*)[3])weights[k], gradient + i,
                    hessian ? hessian + (size_t)i * ROW : NULL);
        }
    return true;
}

/* ---- steps ------------------------------------------------------------------ */

/* d = -H^-1 gradient by a banded L D L^T in place; false where H is not positive definite */
static bool solve_band(int n, double *h, const double *gradient, double *d)
{
    for (int i = 0; i < n; i++) {
        for (int k = BAND < i ? BAND : i; k > 0; k--) {
            double sum = h[i * ROW + k];
            for (int m = k + 1; m <= BAND && m <= i; m++)
                sum -= h[i * ROW + m] * h[(i - k) * ROW + m - k] * h[(i - m) * ROW];
            h[i * ROW + k] = sum / h[(i - k) * ROW];
        }
        for (int k = 1; k <= BAND && k <= i; k++)
            h[i * ROW] -= h[i * ROW + k] * h[i * ROW + k] * h[(i - k) * ROW];
        if (!(h[i * ROW] > 0))
            return false;
        d[i] = -gradient[i];
        for (int k = 1; k <= BAND && k <= i; k++)
            d[i] -= h[i * ROW + k] * d[i - k];
    }
    for (int i = n - 1; i >= 0; i--) {
        d[i] /= h[i * ROW];
        for (int k = 1; k <= BAND && i + k < n; k++)
            d[i] -= h[(i + k) * ROW + k] * d[i + k];
    }
    return true;
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/*
 * Goes along d from p->g as far as all slacks stay and the function does not rise again: the slope
 * at the end is at most half of that at the beginning, in the other direction. `trial` and
 * `gradient` are free to use. False: no step is left.
 */
static bool step(profile *p, double mu, const double *d, double slope, double *trial,
                 double *gradient)
{
    int n = p->cells + 2;
    double length = 1, time;
    for (int k = 0; k < HALVINGS; k++, length *= 0.5) {
        for (int i = 0; i < n; i++)
            trial[i] = p->g[i] + length * d[i];
        if (evaluate(p, trial, mu, gradient, NULL, &time) && dot(n, gradient, d) <= -0.5 * slope) {
            memcpy(p->g, trial, (size_t)n * sizeof *trial);
            return true;
        }
    }
    return false;
}

/* Newton's method for one mu */
static void descend(profile *p, double mu)
{
    int n = p->cells + 2;
    double *gradient = p->work, *d = gradient + n, *trial = d + n, *hessian = trial + n, time;
    for (int k = 0; k < STEPS_FOR_MU; k++) {
        if (!evaluate(p, p->g, mu, gradient, hessian, &time) ||
            !solve_band(n, hessian, gradient, d))
            return;
        double slope = dot(n, gradient, d);
        if (-slope <= DECREMENT * mu || !step(p, mu, d, slope, trial, gradient))
            return;
    }
}

/* ---- the whole -------------------------------------------------------------- */

/* a limit whose square is a number */
static bool is_limit(double limit)
{
    return isfinite(limit * limit);
}

/* limits that a curve can come to, over all places */
static int count_slacks(const profile *p)
{
    int count = 0;
    for (int c = 0; c < p->channels; c++)
        for (int k = 0; k < PROFILE_DERIVATIVES; k++)
            count += is_limit(p->channel[c].limits[k]);
    return count * p->cells * PROFILE_PLACES;
}

/* whether a channel changes at any place */
static bool moves(const profile *p, const profile_channel *c)
{
    size_t rows = (size_t)p->cells * PROFILE_PLACES * PROFILE_DERIVATIVES;
    for (size_t i = 0; i < rows; i++)
        for (int k = c->first; k < c->first + c->count; k++)
            if (fabs(p->derivatives[i * (size_t)p->columns + (size_t)k]) > 1e-12)
                return true;
    return false;
}

/* whether something moves that has a limit: else no time is too short */
static bool is_bounded(const profile *p)
{
    for (int i = 0; i < p->channels; i++) {
        const double *limits = p->channel[i].limits;
        bool limited = is_limit(limits[0]) || is_limit(limits[1]) || is_limit(limits[2]);
        if (limited && moves(p, &p->channel[i]))
            return true;
    }
    return false;
}

/* a constant g that has slack everywhere: about half of the largest */
static bool begin(profile *p)
{
    int n = p->cells + 2;
    double *gradient = p->work, time, largest = 0x1p-200;
    for (double g = 0x1p200; g > largest; g *= 0.5) {
        for (int i = 0; i < n; i++)
            p->g[i] = g;
        if (evaluate(p, p->g, 1, gradient, NULL, &time))
            return true;
    }
    return false;
}

/* in a cell: tau seconds after its beginning, and d tau / dt, by the powers of t */
static double run(const double *g, int cells, double t)
{
    // g = g0 + g1 x + g2 x^2, and so x.. = g1 / 2 + g2 x
    double n = cells, g0 = 0.5 * (g[0] + g[1]), g1 = n * (g[1] - g[0]);
    double g2 = 0.5 * n * n * (g[0] - 2 * g[1] + g[2]);
    double square = g2 * t * t, odd = t, even = 0.5 * t * t, sum = 0;
    double speed = sqrt(g0), half = 0.5 * g1;
    for (int k = 1; k < 40; k++) {
        double add = speed * odd + half * even;
        sum += add;
        odd *= square / ((2 * k) * (2 * k + 1));
        even *= square / ((2 * k + 1) * (2 * k + 2));
        if (fabs(speed * odd) + fabs(half * even) <= 1e-18 * fabs(sum))
            break;
    }
    return sum;
}

static double cell_speed(const double *g, double x)
{
    return sqrt(0.5 * (1 - x) * (1 - x) * g[0] + (0.5 + x * (1 - x)) * g[1] + 0.5 * x * x * g[2]);
}

/* how long a cell takes: Simpson's rule, then Newton's method on its closed form */
static double cell_time(const double *g, int cells)
{
    double whole = 1.0 / cells, t = 0;
    for (int k = 0; k < PROFILE_PLACES; k++)
        t += shares[k] * whole / cell_speed(g, 0.5 * k);
    for (int i = 0; i < 6; i++)
        t += (whole - run(g, cells, t)) / cell_speed(g, 1);
    return t;
}

bool profile_solve(profile *p)
{
    memset(p->times, 0, sizeof *p->times * ((size_t)p->cells + 1));
    if (!is_bounded(p) || !begin(p))
        return false;
    double time, slacks = count_slacks(p);
    evaluate(p, p->g, 1, p->work, NULL, &time);
    // from where the slacks count as much as the time
    for (double mu = time / slacks;; mu *= FALL) {
        descend(p, mu);
        evaluate(p, p->g, mu, p->work, NULL, &time);
        if (mu * slacks <= GAP * time)
            break;
    }
    for (int i = 0; i < p->cells; i++)
        p->times[i + 1] = p->times[i] + cell_time(p->g + i, p->cells);
    return true;
}

double profile_at(const profile *p, double time)
{
    if (!(time > 0))
        return 0;
    if (time >= p->times[p->cells])
        return 1;
    int low = sorted_before(p->times, sizeof *p->times, p->cells, time);
    double tau = (low + p->cells * run(p->g + low, p->cells, time - p->times[low])) / p->cells;
    return tau < 1 ? tau : 1;
}
