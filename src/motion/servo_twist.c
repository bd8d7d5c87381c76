/*
 * servo_twist.c - moving the tool with a velocity.
 *
 * The rates of a configuration are the least joint speeds, as shares of their limits, that move the
 * tool with the whole twist; joints beside a limit take a smaller part in them where others can
 * take it (Chan and Dubey 1995). Rates are solved for by least squares whose damping, iterated, has
 * no effect but within 1e-5 of a singular configuration (iterated Tikhonov regularisation). The
 * joints have a share of the rates, so the tool keeps the twist's direction: the largest from which
 * they can stop, with the same direction, before the rates end or grow beyond the limits. For that
 * the way of the twist is integrated ahead for twice the time in which they stop.
 */
#include "motion/servo.h"

#include "kinematics/state.h"
#include "math/dense.h"
#include "math/scalar.h"
#include "motion/rotation.h"

#include <string.h>

enum { ROWS = 6, REFINEMENTS = 4, WEIGHINGS = 6 };
/* Of the way ahead: its cells, and how often they are halved. The steps that a frame tries: in the
   first one a few more than lead to where the joints stop; further ones of a way that had ended or
   has not begun, at least all halvings. */
enum { CELLS = 8, HALVINGS = 10, KNOTS_A_FRAME = 2, KNOTS_FIRST = 5, KNOTS_OF_END = 12 };
/* the damping, as a share of the tool's usual speed at full joint speeds: far above rounding */
#define DAMPING 1e-5
/* the part of a twist that its rates may leave out */
#define LEFT_OUT 1e-3
/* radians or metres from a limit from which on a joint takes less part, at most a quarter of its
   range */
#define ZONE 0.2
/* the part of accelerations that the way ahead is planned with; the rest is for its curvature
   between knots */
#define PLANNED 0.8
/* joint speeds for a twist, against the usual ones: where they grow beyond that the way ends */
#define STRAIN 100
/* the change of rates from knot to knot, as a part of them: more is a singular configuration */
#define CHANGE 0.2
/* the part of a way that ends, with the cell behind, after which it is looked for anew */
#define REPLANNED 0.125
/* frames that the way ahead is longer than the joints need to stop */
#define MARGIN 16

/* the rows of the task's kind of a vector of six */
static int first_row(const lb_servo *s)
{
    return s->task.kind == LB_TASK_ROTATION ? 3 : 0;
}

/* fills s->jacobian with all axes' columns as shares of their speeds, angles in lengths, and the
   twist in the world's axes */
static void find_rows(lb_servo *s, const double *q, double twist[ROWS])
{
    const lb_vec3 linear = lb_vec3_make(s->twist[0], s->twist[1], s->twist[2]);
    const lb_vec3 angular = lb_vec3_make(s->twist[3], s->twist[4], s->twist[5]);
    const double length = lb_ik_get_options(s->ik)->length;
    const int nv = lb_model_nv(s->model);
    lb_state_update(s->state, q);
    const lb_transform base = lb_state_transform(s->state, LB_WORLD, s->task.base);
    const lb_vec3 v = lb_transform_direction(&base, linear),
                  w = lb_transform_direction(&base, angular);
    memcpy(twist, (double[]){v.x, v.y, v.z, length * w.x, length * w.y, length * w.z},
           ROWS * sizeof *twist);
    relative_jacobian(s->state, s->task.base, s->task.tip, s->task.tool.p, s->jacobian + ROWS * nv,
                      s->jacobian);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < s->axis_count; k++)
            s->jacobian[i * nv + s->axes[k].v] *= s->axes[k].speed * (i < 3 ? 1 : length);
}

/* fills y with W J^T (J W J^T + damping^2)^-1 (twist - J y), added a few times, and what is
   left; the square of the tool's usual speed at full joint speeds */
static double solve_rows(const lb_servo *s, int rows, const double *twist, double *y, double *left)
{
    const int nv = lb_model_nv(s->model);
    const double *jacobian = s->jacobian + first_row(s) * nv;
    double a[ROWS * ROWS], trace = 0, z[ROWS];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j <= i; j++) {
            a[i * rows + j] = 0;
            for (int k = 0; k < s->axis_count; k++) {
                int v = s->axes[k].v;
                a[i * rows + j] += s->weights[k] * jacobian[i * nv + v] * jacobian[j * nv + v];
            }
        }
    for (int i = 0; i < rows; i++)
        trace += a[i * rows + i];
    for (int i = 0; i < rows; i++)
        a[i * rows + i] += DAMPING * DAMPING * trace / rows;
    memset(y, 0, sizeof *y * (size_t)s->axis_count);
    memcpy(left, twist, sizeof *left * (size_t)rows);
    bool solvable = trace > 0 && dense_ldl_factor(rows, a) > 0;
    for (int r = 0; r < REFINEMENTS && solvable; r++) {
        memcpy(z, left, sizeof *z * (size_t)rows);
        dense_ldl_solve(rows, a, z);
        for (int k = 0; k < s->axis_count; k++)
            for (int i = 0; i < rows; i++)
                y[k] += s->weights[k] * jacobian[i * nv + s->axes[k].v] * z[i];
        for (int i = 0; i < rows; i++) {
            left[i] = twist[i];
            for (int k = 0; k < s->axis_count; k++)
                left[i] -= jacobian[i * nv + s->axes[k].v] * y[k];
        }
    }
    return trace / rows;
}

/* weighs joints by their room where they go; whether a weight has changed */
static bool weigh_axes(lb_servo *s, const double *q, const double *y)
{
    bool changed = false;
    for (int k = 0; k < s->axis_count; k++) {
        const servo_axis *axis = &s->axes[k];
        double room = y[k] > 0 ? axis->upper - q[axis->q] : q[axis->q] - axis->lower;
        double zone = scalar_min(ZONE, 0.25 * (axis->upper - axis->lower));
        double weight = room < zone ? scalar_max(0, room) / zone : zone > 0;
        if (y[k] == 0 || weight == s->weights[k])
            continue;
        s->weights[k] = weight;
        changed = true;
    }
    return changed;
}

/* fills the rates of all axes, and s->strain; whether they give the twist */
static bool find_rates(lb_servo *s, const double *q, double *rates)
{
    double all[ROWS], left[ROWS], usual = 0, length = 0, off = 0, sum = 0;
    const int rows = lb_task_rows(s->task.kind);
    const double *twist = all + first_row(s);
    find_rows(s, q, all);
    for (int k = 0; k < s->axis_count; k++)
        s->weights[k] = 1;
    for (int i = 0; i == 0 || (i < WEIGHINGS && weigh_axes(s, q, rates)); i++)
        usual = solve_rows(s, rows, twist, rates, left);
    for (int i = 0; i < rows; i++) {
        length += twist[i] * twist[i];
        off += left[i] * left[i];
    }
    for (int k = 0; k < s->axis_count; k++) {
        sum += rates[k] * rates[k];
        rates[k] *= s->axes[k].speed;
    }
    s->strain = length > 0 ? sqrt(sum * usual / length) : 0;
    return off <= LEFT_OUT * LEFT_OUT * length;
}

/* ---- the way ahead ------------------------------------------------------------ */

/* whether rates at two knots are of one smooth way, that does not lead to a singular configuration
 */
static bool go_on(const lb_servo *s, const double *a, const double *b)
{
    double change = 0, from = 0, to = 0;
    for (int k = 0; k < s->axis_count; k++) {
        const double v = s->axes[k].speed;
        change += (b[k] - a[k]) / v * (b[k] - a[k]) / v;
        from += a[k] / v * a[k] / v;
        to += b[k] / v * b[k] / v;
    }
    return change <= CHANGE * CHANGE * scalar_max(from, to) && (to <= from || s->strain <= STRAIN);
}

/* puts a knot behind the last one, by a step of Heun; false if the way ends before it */
static bool add_knot(lb_servo *s, double h)
{
    spline *way = &s->line.curve;
    const int n = s->axis_count, last = way->knots - 1;
    double *values = way->values + last * n, *slopes = way->slopes + last * n;
    memcpy(s->trial, s->q, sizeof *s->q * (size_t)lb_model_nq(s->model));
    for (int k = 0; k < n; k++) {
        double q = values[k] + h * slopes[k];
        if (q < s->axes[k].lower || q > s->axes[k].upper)
            return false;
        s->trial[s->axes[k].q] = q;
    }
    if (!find_rates(s, s->trial, slopes + n) || !go_on(s, slopes, slopes + n))
        return false;
    for (int k = 0; k < n; k++)
        values[n + k] = scalar_clamp(values[k] + 0.5 * h * (slopes[k] + slopes[n + k]),
                                     s->axes[k].lower, s->axes[k].upper);
    way->x[way->knots++] = way->x[last] + h;
    return true;
}

/* the length that the way ahead should have: twice that in which the joints stop from the largest
   share of the rates at its first knot, and some frames */
static double find_ahead(const lb_servo *s)
{
    double share = 1, slowing = INFINITY;
    for (int k = 0; k < s->axis_count; k++) {
        const double rate = scalar_max(fabs(s->line.curve.slopes[k]), 1e-300);
        share = scalar_min(share, s->axes[k].speed / rate);
        slowing = scalar_min(slowing, PLANNED * s->axes[k].acceleration / rate);
    }
    return share * share / slowing + MARGIN * s->options.period * share;
}

/* begins the way at the present configuration, in smaller steps if the one before had ended */
static void begin_way(lb_servo *s, bool ended)
{
    servo_line *l = &s->line;
    const double last = ended ? l->x[l->curve.knots - 1] : 0;
    l->curve.knots = 1;
    l->x[0] = l->share = 0;
    l->most = 1;
    l->part = PLANNED;
    const bool moves = find_rates(s, s->q, l->curve.slopes);
    const double cell = find_ahead(s) / CELLS;
    l->step = !moves ? 0 : ended && last > 0 ? scalar_min(last / CELLS, cell) : cell;
    for (int k = 0; k < s->axis_count; k++)
        l->curve.values[k] = s->q[s->axes[k].q];
}

/* leaves out the cells behind the last one, which still bounds the speed at its end: without it
   that would leap; the rest is moved to the present configuration, so that errors of the steps do
   not add up; whether there were any */
static bool shift_way(lb_servo *s)
{
    servo_line *l = &s->line;
    spline *way = &l->curve;
    const int n = s->axis_count;
    const int behind = sorted_before(l->x, sizeof *l->x, way->knots, l->share) - 1;
    if (behind <= 0 || behind >= way->knots - 2)
        return false;
    const size_t row = sizeof(double) * (size_t)n;
    const double before = l->x[behind];
    spline_at(way, l->share, l->work, NULL, NULL, NULL);
    way->knots -= behind;
    l->share -= before;
    memmove(way->values, way->values + behind * n, row * (size_t)way->knots);
    memmove(way->slopes, way->slopes + behind * n, row * (size_t)way->knots);
    for (int i = 0; i < way->knots; i++) {
        l->x[i] = l->x[i + behind] - before;
        for (int k = 0; k < n; k++) {
            const servo_axis *axis = &s->axes[k];
            double *at = &way->values[i * n + k];
            *at = scalar_clamp(*at + s->q[axis->q] - l->work[k], axis->lower, axis->upper);
        }
    }
    return true;
}

/* goes on with the way by some knots; where none can be added in small steps either it ends */
static bool extend_way(lb_servo *s, int knots)
{
    servo_line *l = &s->line;
    const int before = l->curve.knots;
    const double ahead = find_ahead(s), cell = ahead / CELLS;
    for (int i = 0; i < knots && l->step > 0 && l->curve.knots <= SERVO_LINE_CELLS &&
                    l->x[l->curve.knots - 1] - l->share < ahead - 0.5 * cell;
         i++) {
        const bool added = add_knot(s, l->step);
        l->step = added ? scalar_min(2 * l->step, cell) : 0.5 * l->step;
        if (l->step < cell / (1 << HALVINGS))
            l->step = 0;
    }
    return l->curve.knots > before;
}

/* follows the twist's way from the present configuration, most of it in the frames after the first
 */
static void look_ahead(lb_servo *s)
{
    servo_line *l = &s->line;
    const bool ended = !s->fresh && l->step == 0 && l->share < INFINITY &&
                       l->share >= REPLANNED * l->x[l->curve.knots - 1];
    const bool anew = s->fresh || ended || !(l->share < INFINITY);
    if (anew)
        begin_way(s, ended);
    const bool shifted = !anew && shift_way(s);
    bool extended = extend_way(s, anew ? KNOTS_FIRST : KNOTS_A_FRAME);
    // a way either begins at once, in steps however small, or there is none
    if (ended || l->curve.knots == 1)
        extended = extend_way(s, KNOTS_OF_END) || extended;
    if (extended || shifted || anew)
        servo_line_brake(s);
}

/* the largest share after a frame, which begins with `now`, from which the joints can stop on the
   way ahead: its square falls linearly within a cell */
static double share_after(const lb_servo *s, double now)
{
    const servo_line *l = &s->line;
    const double half = 0.5 * s->options.period;
    double x = l->share + half * now, share = INFINITY;
    for (int pass = 0; pass < 2; pass++) {
        int i = sorted_before(l->x, sizeof *l->x, l->curve.knots, x);
        if (i < 0 || i >= l->curve.knots - 1)
            return 0;
        double slope = (l->squares[i + 1] - l->squares[i]) / (l->x[i + 1] - l->x[i]);
        double square = l->squares[i] + (x - l->x[i]) * slope,
               c = scalar_max(0, -0.5 * half * slope);
        // the frame may end in the next cell
        share = scalar_min(share, pass == 0 ? sqrt(c * c + square) - c : sqrt(square));
        x = l->share + half * (now + share);
    }
    return share;
}

/* ---- a frame ------------------------------------------------------------------ */

/* the share of the rates nearest to the wanted one that speeds and accelerations allow; false if
   there is none: the joints' speeds are not yet in proportion to the rates */
static bool allowed_share(const lb_servo *s, const double *rates, double *share)
{
    double low = -INFINITY, high = INFINITY;
    for (int k = 0; k < s->axis_count; k++) {
        double change = s->axes[k].acceleration * s->options.period, w = s->speed[k];
        double rate = fabs(rates[k]), now = copysign(1, rates[k]) * w;
        if (rate == 0 && fabs(w) > change)
            return false;
        if (rate == 0)
            continue;
        double most = s->axes[k].speed / rate;
        low = scalar_max(low, scalar_max((now - change) / rate, -most));
        high = scalar_min(high, scalar_min((now + change) / rate, most));
    }
    *share = scalar_clamp(*share, low, high);
    return low <= high;
}

/* the share of the rates in the joints' speeds */
static double present_share(const lb_servo *s, const double *rates)
{
    double along = 0, length = 0;
    for (int k = 0; k < s->axis_count; k++) {
        const double v = s->axes[k].speed;
        along += rates[k] / v * s->speed[k] / v;
        length += rates[k] / v * rates[k] / v;
    }
    return length > 0 ? along / length : 0;
}

void servo_twist_step(lb_servo *s)
{
    const double dt = s->options.period;
    double *rates = s->goal_speed;
    servo_line *l = &s->line;
    look_ahead(s);
    for (int k = 0; k < s->axis_count; k++) {
        const servo_axis *axis = &s->axes[k];
        s->trial[axis->q] =
            scalar_clamp(s->q[axis->q] + dt * s->speed[k], axis->lower, axis->upper);
    }
    bool moves = find_rates(s, s->trial, rates) || find_rates(s, s->q, rates);
    double now = scalar_max(0, present_share(s, rates)), part = 1;
    double share = moves ? share_after(s, now) : 0, wanted = share;
    // else the speeds go straight to the wanted ones: the tool's velocity goes from the old twist
    // to the new one
    if (!allowed_share(s, rates, &share)) {
        share = wanted;
        for (int k = 0; k < s->axis_count; k++) {
            const double most = s->axes[k].speed / scalar_max(fabs(rates[k]), 1e-300);
            share = scalar_min(share, most);
        }
        for (int k = 0; k < s->axis_count; k++) {
            double change = fabs(share * rates[k] - s->speed[k]);
            if (change > s->axes[k].acceleration * dt)
                part = scalar_min(part, s->axes[k].acceleration * dt / change);
        }
    }
    l->share = part < 1 ? INFINITY : l->share + 0.5 * dt * (now + scalar_max(0, share));
    // where a joint has no room for that all stop within the frame
    double taken = 0.5 * dt;
    for (int k = 0; k < s->axis_count && share == 0 && part == 1; k++) {
        const servo_axis *axis = &s->axes[k];
        double w = s->speed[k], q = s->q[axis->q];
        taken = scalar_min(taken, w > 0   ? (axis->upper - q) / w
                                  : w < 0 ? (axis->lower - q) / w
                                          : taken);
    }
    for (int k = 0; k < s->axis_count; k++) {
        double w = s->speed[k], after = w + part * (share * rates[k] - w);
        servo_move_axis(s, k, s->q[s->axes[k].q] + taken * (w + after), after);
    }
    memcpy(s->goal, s->q, sizeof *s->goal * (size_t)lb_model_nq(s->model));
    s->goal_result = (lb_ik_result){.outcome = LB_REACHED};
}

double servo_twist_share(const lb_servo *s, const lb_transform *from, const lb_transform *to)
{
    const double length = lb_ik_get_options(s->ik)->length, per = 1 / s->options.period;
    const lb_vec3 moved = lb_vec3_sub(to->p, from->p);
    const lb_vec3 turned = lb_transform_direction(
        from, rotation_displacement(lb_transform_quat(from), lb_transform_quat(to)));
    const double motion[ROWS] = {moved.x, moved.y, moved.z, turned.x, turned.y, turned.z};
    const int first = first_row(s), rows = lb_task_rows(s->task.kind);
    double along = 0, whole = 0;
    for (int i = first; i < first + rows; i++) {
        double unit = i < 3 ? 1 : length * length;
        along += unit * s->twist[i] * motion[i] * per;
        whole += unit * s->twist[i] * s->twist[i];
    }
    return whole > 0 ? scalar_clamp(along / whole, 0, 1) : 1;
}
