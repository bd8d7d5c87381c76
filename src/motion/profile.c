/*
 * profile.c - the least time along a curve: an interior-point method with a banded Hessian.
 *
 * What is minimised is the time minus mu times the sum of the logarithms of all slacks; mu falls
 * until all slacks together cost a thousandth of the time. No logarithm is needed: the slope
 * at a step's end says whether it went too far.
 */
#include "motion/timing.h"

#include "math/dense.h"
#include "motion/spline.h"

#include <math.h>
#include <string.h>

/* the Hessian has this many diagonals below its main one: a cell has three coefficients */
enum { BAND = 2, ROW = BAND + 1 };

/* of the time that the slacks may cost in the end; the motion is slower by about as much */
#define GAP 5e-4
/* Newton's method has converged for a mu where its decrement is this small a part of mu */
#define DECREMENT 0.1
enum { STEPS_FOR_MU = 14, HALVINGS = 40 };
/* by how much mu falls */
#define FALL 0.2
/* what begins with the solution of half the cells begins with so many times the slacks' last cost,
   by so much slower, so many times at most */
#define AGAIN 0.15
#define SLOWING 0.9
enum { SLOWINGS = 12 };

size_t profile_work(int cells)
{
    // gradient, direction, trial and the Hessian's rows
    return (size_t)(cells + 2) * (3 + ROW);
}

/* ---- a block of places ------------------------------------------------------- */

/* cells that are looked at together, place after place in each array, so that compilers use lanes
 */
enum { BLOCK_CELLS = 16, BLOCK = BLOCK_CELLS * PROFILE_PLACES };

/* g, g' and g'' at the places of some cells; by these, gradient and Hessian (00 01 11 02 12 22) of
   the function that is minimised */
typedef struct profile_block {
    int first, count; /* places */
    double v[3][BLOCK], gradient[3][BLOCK], hessian[6][BLOCK];
    /* of the slack that is added: the room, its slope by g, and sums over the columns */
    double room[BLOCK], room_slope[BLOCK], length[BLOCK], slope[3][BLOCK], curve[6][BLOCK];
} profile_block;

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

/* adds a column to the sums: u = a g + b g' + c g'' of `n` rows, each by its scale */
static void add_column(profile_block *b, int n, const double *const rows[3], const double scale[3])
{
    double u[BLOCK] = {0}, d[3][BLOCK];
    for (int k = 0; k < n; k++)
        for (int i = 0; i < b->count; i++) {
            d[k][i] = scale[k] * rows[k][i];
            u[i] += d[k][i] * b->v[k][i];
        }
    for (int k = 0, e = 0; k < n; k++) {
        for (int i = 0; i < b->count; i++)
            b->slope[k][i] -= 2 * u[i] * d[k][i];
        for (int l = 0; l <= k; l++, e++)
            for (int i = 0; i < b->count; i++)
                b->curve[e][i] += 2 * d[k][i] * d[l][i];
    }
    for (int i = 0; i < b->count; i++)
        b->length[i] += u[i] * u[i];
}

static bool are_positive(const double *numbers, int count)
{
    for (int i = 0; i < count; i++)
        if (!(numbers[i] > 0))
            return false;
    return true;
}

/*
 * Adds -mu log(slack) with slack = room - |u|^2, of the sums of `n` rows. The room's curvature,
 * which is not negative, is left out. False: a slack is gone.
 */
static bool add_slack(profile_block *b, int n, double mu)
{
    double share[BLOCK], part[BLOCK];
    for (int i = 0; i < b->count; i++) {
        b->length[i] = b->room[i] - b->length[i];
        share[i] = 1 / b->length[i];
        part[i] = mu * share[i];
        b->slope[0][i] += b->room_slope[i];
    }
    for (int k = 0, e = 0; k < n; k++) {
        for (int i = 0; i < b->count; i++)
            b->gradient[k][i] -= part[i] * b->slope[k][i];
        for (int l = 0; l <= k; l++, e++)
            for (int i = 0; i < b->count; i++)
                b->hessian[e][i] +=
                    part[i] * (b->slope[k][i] * b->slope[l][i] * share[i] + b->curve[e][i]);
    }
    return are_positive(b->length, b->count);
}

/* a derivative of a column at the block's first place */
static const double *column_at(const profile *p, const profile_block *b, int derivative, int column)
{
    const size_t places = (size_t)p->cells * PROFILE_PLACES;
    return p->derivatives + (size_t)(derivative * p->columns + column) * places + b->first;
}

static void clear_sums(profile_block *b)
{
    memset(b->length, 0, sizeof b->length);
    memset(b->slope, 0, sizeof b->slope);
    memset(b->curve, 0, sizeof b->curve);
    memset(b->room_slope, 0, sizeof b->room_slope);
}

/* the slacks of a channel's speed, which is linear in g when squared */
static bool add_speed(const profile *p, const profile_channel *c, double mu, profile_block *b)
{
    const double room = c->limits[0] * c->limits[0];
    memset(b->length, 0, sizeof b->length);
    for (int k = 0; k < c->count; k++) {
        const double *first = column_at(p, b, 0, c->first + k);
        for (int i = 0; i < b->count; i++)
            b->length[i] += first[i] * first[i];
    }
    for (int i = 0; i < b->count; i++) {
        const double slack = room - b->length[i] * b->v[0][i], share = b->length[i] / slack;
        b->room[i] = slack;
        b->gradient[0][i] += mu * share;
        b->hessian[0][i] += mu * share * share;
    }
    return are_positive(b->room, b->count);
}

/* those of its acceleration and jerk */
static bool add_change(const profile *p, const profile_channel *c, bool jerk, double mu,
                       profile_block *b)
{
    static const double by_acceleration[3] = {1, 0.5}, by_jerk[3] = {1, 1.5, 0.5};
    const double room = c->limits[1 + jerk] * c->limits[1 + jerk];
    clear_sums(b);
    for (int k = c->first; k < c->first + c->count; k++) {
        const double *const first = column_at(p, b, 0, k), *const second = column_at(p, b, 1, k);
        const double *const rows[2][3] = {{second, first}, {column_at(p, b, 2, k), second, first}};
        add_column(b, 2 + jerk, rows[jerk], jerk ? by_jerk : by_acceleration);
    }
    for (int i = 0; i < b->count; i++) {
        b->room[i] = jerk ? room / b->v[0][i] : room;
        b->room_slope[i] = jerk ? -b->room[i] / b->v[0][i] : 0;
    }
    return add_slack(b, 2 + jerk, mu);
}

/* a limit whose square is a number */
static bool is_limit(double limit)
{
    return isfinite(limit * limit);
}

static bool add_channel(const profile *p, const profile_channel *c, double mu, profile_block *b)
{
    return (!is_limit(c->limits[0]) || add_speed(p, c, mu, b)) &&
           (!is_limit(c->limits[1]) || add_change(p, c, false, mu, b)) &&
           (!is_limit(c->limits[2]) || add_change(p, c, true, mu, b));
}

/* ---- all places --------------------------------------------------------------- */

/* Simpson's rule over a cell */
static const double shares[PROFILE_PLACES] = {1.0 / 6, 4.0 / 6, 1.0 / 6};

typedef double place_weights[PROFILE_PLACES][3][3];

/* the block's values, and its time; false where g is not positive */
static bool begin_block(const profile *p, const double *g, place_weights weights, profile_block *b,
                        double *time)
{
    bool positive = true;
    for (int i = 0; i < b->count; i++) {
        const int place = i % PROFILE_PLACES, cell = (b->first + i) / PROFILE_PLACES;
        for (int k = 0; k < 3; k++) {
            const double *w = weights[place][k];
            b->v[k][i] = w[0] * g[cell] + w[1] * g[cell + 1] + w[2] * g[cell + 2];
        }
        const double v = b->v[0][i], part = shares[place] / p->cells / sqrt(v);
        positive = positive && v > 0;
        *time += part;
        for (int k = 0; k < 3; k++)
            b->gradient[k][i] = k == 0 ? -0.5 * part / v : 0;
        for (int k = 0; k < 6; k++)
            b->hessian[k][i] = k == 0 ? 0.75 * part / (v * v) : 0;
    }
    return positive;
}

/* adds what a block has to the coefficients of its cells */
static void scatter(const profile_block *b, place_weights weights, double *gradient,
                    double *hessian)
{
    static const int at[3][3] = {{0, 1, 3}, {1, 2, 4}, {3, 4, 5}};
    for (int place = 0; place < b->count; place++) {
        const int cell = (b->first + place) / PROFILE_PLACES;
        double(*w)[3] = weights[place % PROFILE_PLACES];
        for (int k = 0; k < 3; k++) {
            double column[3] = {0, 0, 0};
            for (int i = 0; i < 3; i++) {
                gradient[cell + k] += w[i][k] * b->gradient[i][place];
                for (int j = 0; j < 3; j++)
                    column[i] += b->hessian[at[i][j]][place] * w[j][k];
            }
            // the lower triangle, a row's diagonal first
            for (int l = 0; l <= k; l++)
                for (int i = 0; i < 3; i++)
                    hessian[(cell + k) * ROW + k - l] += w[i][l] * column[i];
        }
    }
}

/* gradient and Hessian at g; false where a slack is gone, then neither nor the time is whole */
static bool evaluate(const profile *p, const double *g, double mu, double *gradient,
                     double *hessian, double *time)
{
    place_weights weights;
    profile_block b;
    const int places = p->cells * PROFILE_PLACES;
    size_t n = (size_t)p->cells + 2;
    memset(gradient, 0, n * sizeof *gradient);
    memset(hessian, 0, n * ROW * sizeof *hessian);
    *time = 0;
    for (int k = 0; k < PROFILE_PLACES; k++)
        basis(p->cells, k, weights[k]);
    for (b.first = 0; b.first < places; b.first += BLOCK) {
        b.count = places - b.first < BLOCK ? places - b.first : BLOCK;
        if (!begin_block(p, g, weights, &b, time))
            return false;
        for (int c = 0; c < p->channels; c++)
            if (!add_channel(p, &p->channel[c], mu, &b))
                return false;
        scatter(&b, weights, gradient, hessian);
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

/*
 * Goes along d from p->g as far as all slacks stay and the function does not rise again: the slope
 * at the end is at most half of that at the beginning, in the other direction. Gradient and Hessian
 * become those at the end; `trial` is free to use. False: no step is left.
 */
static bool step(profile *p, double mu, const double *d, double slope, double *trial,
                 double *gradient, double *hessian)
{
    int n = p->cells + 2;
    double length = 1, time;
    for (int k = 0; k < HALVINGS; k++, length *= 0.5) {
        for (int i = 0; i < n; i++)
            trial[i] = p->g[i] + length * d[i];
        if (evaluate(p, trial, mu, gradient, hessian, &time) &&
            dense_dot(n, gradient, d) <= -0.5 * slope) {
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
    bool moves = evaluate(p, p->g, mu, gradient, hessian, &time);
    for (int k = 0; moves && k < STEPS_FOR_MU; k++) {
        if (!solve_band(n, hessian, gradient, d))
            return;
        double slope = dense_dot(n, gradient, d);
        moves = -slope > DECREMENT * mu && step(p, mu, d, slope, trial, gradient, hessian);
    }
}

/* ---- the whole -------------------------------------------------------------- */

/* limits that a curve can come to, over all places */
static int count_slacks(const profile *p)
{
    int count = 0;
    for (int c = 0; c < p->channels; c++)
        for (int k = 0; k < PROFILE_DERIVATIVES; k++)
            count += is_limit(p->channel[c].limits[k]);
    return count * p->cells * PROFILE_PLACES;
}

/* whether all slacks are there at g, and the time that it takes */
static bool has_slack(profile *p, double *time)
{
    double *gradient = p->work, *hessian = gradient + 3 * (p->cells + 2);
    return evaluate(p, p->g, 1, gradient, hessian, time);
}

/* a constant g that has slack everywhere: about half of the largest; false: nothing bounds it but
   rounding */
static bool begin(profile *p, double *time)
{
    const double most = 0x1p80;
    for (double g = most; g > 0x1p-200; g *= 0.5) {
        for (int i = 0; i < p->cells + 2; i++)
            p->g[i] = g;
        if (has_slack(p, time))
            return g < most;
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

/* the same curve in twice as many cells (Chaikin 1974), which may be the same array */
static void subdivide(int cells, const double *from, double *to)
{
    for (int i = cells; i >= 0; i--) {
        const double a = from[i], b = from[i + 1];
        to[2 * i + 1] = 0.25 * a + 0.75 * b;
        to[2 * i] = 0.75 * a + 0.25 * b;
    }
}

/* the curve of half the cells, as much slower as the places that these did not look at need */
static bool begin_again(profile *p, const double *coarse, double *time)
{
    subdivide(p->cells / 2, coarse, p->g);
    for (int k = 0; k < SLOWINGS; k++) {
        for (int i = 0; i < p->cells + 2; i++)
            p->g[i] *= SLOWING;
        if (has_slack(p, time))
            return true;
    }
    return false;
}

bool profile_solve(profile *p, const double *coarse)
{
    double time;
    memset(p->times, 0, sizeof *p->times * ((size_t)p->cells + 1));
    const bool again = coarse && begin_again(p, coarse, &time);
    if (!again && !begin(p, &time))
        return false;
    const double slacks = count_slacks(p);
    // from where the slacks count as much as the time
    for (double mu = (again ? AGAIN : 1) * time / slacks;; mu *= FALL) {
        descend(p, mu);
        has_slack(p, &time);
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
