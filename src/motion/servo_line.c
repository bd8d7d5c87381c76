/*
 * servo_line.c - a straight line of the tool, from rest to rest.
 *
 * Knots on the line are solved one after the other, and a cubic spline q(s) through them is the
 * path. Its share s has a constant acceleration u in each cell between knots, so b = (ds/dt)^2 is
 * linear there. With bounds of q' and q'' over a cell of length h the limits of a joint are
 *
 *     |q'|^2 b <= speed^2,    |q'| |u| + |q''| b <= acceleration,    u = (b_next - b) / 2h
 *
 * A pass from the end and one from the beginning give the largest b that keeps them (as TOPP-RA of
 * Pham and Pham 2018, where bounds over cells take the place of a grid).
 */
#include "motion/servo.h"

#include "math/scalar.h"
#include "motion/rotation.h"

#include <string.h>

/* cells for each radian or metre of the joint that moves most: the spline is then off the line by
   some micrometres */
#define CELLS_PER_RADIAN 20
enum { CELLS_LEAST = 8 };
/* a joint that moves farther from knot to knot has changed its branch, radians or metres */
#define LEAP 0.5
/* a share of the line to which limits no longer count: no joint moves */
#define NO_SLOPE 1e-12

static int count_cells(const lb_servo *s)
{
    double most = 0;
    for (int k = 0; k < s->axis_count; k++)
        most = scalar_max(most, fabs(s->goal[s->axes[k].q] - s->q[s->axes[k].q]));
    double cells = CELLS_LEAST + ceil(CELLS_PER_RADIAN * most);
    return cells < SERVO_LINE_CELLS ? (int)cells : SERVO_LINE_CELLS;
}

/* one axis at the next knot, by the polynomial through the last four, or as many as there are */
static double extrapolated(const double *row, int n, int knot)
{
    const double a = row[-n], b = knot > 1 ? row[-2 * n] : a;
    const double c = knot > 2 ? row[-3 * n] : 2 * b - a, d = knot > 3 ? row[-4 * n] : 0;
    return knot > 3 ? 4 * (a + c) - 6 * b - d : 3 * (a - b) + c;
}

/* fills the knots; each descent begins at the extrapolation of those before */
static bool solve_knots(lb_servo *s, int cells)
{
    spline *curve = &s->line.curve;
    const int n = s->axis_count;
    const lb_transform from = servo_tool(s, s->q);
    const lb_quat turned = lb_transform_quat(&from), goal = lb_transform_quat(&s->target);
    const lb_vec3 way = lb_vec3_sub(s->target.p, from.p);
    const lb_vec3 turn = lb_transform_direction(&from, rotation_displacement(turned, goal));
    memcpy(s->trial, s->q, sizeof *s->q * (size_t)lb_model_nq(s->model));
    curve->knots = cells + 1;
    for (int i = 0; i <= cells; i++) {
        double share = (double)i / cells, *row = curve->values + i * n;
        const lb_transform at =
            servo_displaced(&from, lb_vec3_scale(way, share), lb_vec3_scale(turn, share));
        for (int k = 0; i > 0 && k < n; k++)
            s->trial[s->axes[k].q] = extrapolated(row + k, n, i);
        if (i > 0 && !servo_solve(s, i < cells ? &at : &s->target, s->trial, s->trial, NULL))
            return false;
        curve->x[i] = share;
        for (int k = 0; k < n; k++) {
            row[k] = s->trial[s->axes[k].q];
            if (i > 0 && fabs(row[k] - row[k - n]) > LEAP)
                return false;
        }
    }
    return true;
}

/* bounds over cell i: the second derivative is linear there, so its ends bound it, and the first
   exceeds its ends by at most an eighth of the change of the second */
static void bound_cell(servo_line *l, int i, int n)
{
    const double h = l->x[i + 1] - l->x[i];
    spline_at(&l->curve, l->x[i], l->work, l->first, l->bend, l->next_bend);
    for (int k = 0; k < n; k++) {
        double end = l->curve.slopes[(i + 1) * n + k], bend = l->bend[k] + h * l->next_bend[k];
        l->first[k] =
            scalar_max(fabs(l->first[k]), fabs(end)) + 0.125 * h * fabs(bend - l->bend[k]);
        l->bend[k] = scalar_max(fabs(l->bend[k]), fabs(bend));
    }
}

/* whether the curve stays within the limits of position: it swings beyond its knots by at most
   h^2 / 8 of its second derivative */
static bool stays_inside(const lb_servo *s, int i)
{
    const servo_line *l = &s->line;
    const double h = l->x[i + 1] - l->x[i];
    for (int k = 0; k < s->axis_count; k++) {
        const double *row = l->curve.values + i * s->axis_count + k;
        double swing = 0.125 * h * h * l->bend[k];
        if (scalar_min(row[0], row[s->axis_count]) - swing < s->axes[k].lower ||
            scalar_max(row[0], row[s->axis_count]) + swing > s->axes[k].upper)
            return false;
    }
    return true;
}

/* the largest square of the speed at one end of a cell, by that at its other end */
static double square_beside(const lb_servo *s, double h, double other)
{
    double square = INFINITY;
    for (int k = 0; k < s->axis_count; k++) {
        double slope = 0.5 * scalar_max(s->line.first[k], NO_SLOPE) / h;
        double most = s->line.part * s->axes[k].acceleration + slope * other;
        square = scalar_min(square, most / (slope + s->line.bend[k]));
    }
    return square;
}

/* the largest square of the speed within a cell */
static double square_within(const lb_servo *s)
{
    double square = s->line.most;
    for (int k = 0; k < s->axis_count; k++) {
        double v = s->axes[k].speed / scalar_max(s->line.first[k], NO_SLOPE);
        double bent =
            s->line.part * s->axes[k].acceleration / scalar_max(s->line.bend[k], NO_SLOPE);
        square = scalar_min(square, scalar_min(v * v, bent));
    }
    return square;
}

bool servo_line_brake(lb_servo *s)
{
    servo_line *l = &s->line;
    bool inside = true;
    l->squares[l->curve.knots - 1] = 0;
    for (int i = l->curve.knots - 2; i >= 0; i--) {
        bound_cell(l, i, s->axis_count);
        inside = inside && stays_inside(s, i);
        double within = square_within(s), h = l->x[i + 1] - l->x[i];
        l->squares[i + 1] = scalar_min(l->squares[i + 1], within);
        l->squares[i] = scalar_min(within, square_beside(s, h, l->squares[i + 1]));
    }
    return inside;
}

/* from rest: squares of the speed at all knots, and the line's duration */
static void start_line(lb_servo *s)
{
    servo_line *l = &s->line;
    l->squares[0] = l->left = 0;
    for (int i = 0; i < l->curve.knots - 1; i++) {
        const double h = l->x[i + 1] - l->x[i];
        bound_cell(l, i, s->axis_count);
        double *next = &l->squares[i + 1];
        *next = scalar_min(*next, square_beside(s, h, l->squares[i]));
        l->left += 2 * h / (sqrt(l->squares[i]) + sqrt(*next));
    }
}

bool servo_line_plan(lb_servo *s, double longest)
{
    servo_line *l = &s->line;
    if (!solve_knots(s, count_cells(s)))
        return false;
    spline_fit(&l->curve, l->work);
    l->most = INFINITY;
    l->part = 1;
    if (!servo_line_brake(s))
        return false;
    start_line(s);
    if (!(l->left <= longest))
        return false;
    memcpy(s->goal, s->trial, sizeof *s->goal * (size_t)lb_model_nq(s->model));
    l->cell = 0;
    l->share = l->speed = 0;
    return true;
}

/* goes on by a time, from cell to cell */
static void advance(servo_line *l, double time)
{
    const int cells = l->curve.knots - 1;
    for (; l->cell < cells; l->cell++) {
        const double *square = &l->squares[l->cell];
        double end = l->x[l->cell + 1], last = sqrt(square[1]);
        double left = 2 * (end - l->share) / (l->speed + last);
        if (time < left) {
            double change = 0.5 * cells * (square[1] - square[0]) * time;
            l->share = scalar_min(end, l->share + time * (l->speed + 0.5 * change));
            l->speed += change;
            return;
        }
        time -= left;
        l->share = end;
        l->speed = last;
    }
}

void servo_line_step(lb_servo *s)
{
    servo_line *l = &s->line;
    advance(l, s->options.period);
    l->left -= s->options.period;
    l->active = l->cell < l->curve.knots - 1;
    spline_at(&l->curve, l->share, l->work, l->first, NULL, NULL);
    for (int k = 0; k < s->axis_count; k++) {
        int q = s->axes[k].q;
        s->q[q] = l->active ? l->work[k] : s->goal[q];
        s->speed[k] = l->first[k] * l->speed;
    }
}
