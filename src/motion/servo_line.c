/*
 * servo_line.c - a straight line of the tool, from rest to rest.
 *
 * Knots on the line are solved one after the other, and a cubic spline q(s) through them is the
 * path. Its share s has the fastest profile of one acceleration A and a speed V at most, so from
 * rest to rest it has the square of the speed 2 A min(s, 1 - s) or V^2. The limits of a joint
 *
 *     |q'| V <= speed,    |q'| A + |q''| min(2 A min(s, 1 - s), V^2) <= acceleration
 *
 * give V and then A in closed form, from bounds of q' and q'' over each cell of the spline.
 */
#include "motion/servo.h"

#include "math/scalar.h"
#include "motion/rotation.h"

#include <string.h>

/* cells for each radian or metre of the joint that moves most: the spline is then off the line by
   some micrometres */
#define CELLS_PER_RADIAN 20
/* a joint that moves farther from knot to knot has changed its branch, radians or metres */
#define LEAP 0.5
/* a share of the line to which limits no longer count: no joint moves */
#define NO_SLOPE 1e-12

static int count_cells(const lb_servo *s)
{
    double most = 0;
    for (int k = 0; k < s->axis_count; k++)
        most = scalar_max(most, fabs(s->goal[s->axes[k].q] - s->q[s->axes[k].q]));
    double cells = SPLINE_KNOTS_MIN + ceil(CELLS_PER_RADIAN * most);
    return cells < SERVO_LINE_CELLS ? (int)cells : SERVO_LINE_CELLS;
}

/* fills the knots; each descent begins at the extrapolation of the two knots before */
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
        for (int k = 0; i > 1 && k < n; k++)
            s->trial[s->axes[k].q] = 2 * row[k - n] - row[k - 2 * n];
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

/* speed and acceleration of the share; false if the curve leaves the limits */
static bool find_limits(lb_servo *s)
{
    servo_line *l = &s->line;
    const int cells = l->curve.knots - 1, n = s->axis_count;
    double speed = INFINITY, acceleration = INFINITY;
    for (int i = 0; i < cells; i++) {
        bound_cell(l, i, n);
        if (!stays_inside(s, i))
            return false;
        for (int k = 0; k < n; k++)
            speed = scalar_min(speed, s->axes[k].speed / scalar_max(l->first[k], NO_SLOPE));
    }
    for (int i = 0; i < cells; i++) {
        double reach = scalar_min(0.5, scalar_min(l->x[i + 1], 1 - l->x[i]));
        bound_cell(l, i, n);
        for (int k = 0; k < n; k++) {
            double most = s->axes[k].acceleration, slope = scalar_max(l->first[k], NO_SLOPE);
            double free = most / (slope + 2 * l->bend[k] * reach);
            double capped = (most - l->bend[k] * speed * speed) / slope;
            acceleration = scalar_min(acceleration, scalar_max(free, capped));
        }
    }
    l->rest = (servo_motion){1, 0, acceleration, speed, speed};
    return true;
}

bool servo_line_plan(lb_servo *s, double longest)
{
    servo_line *l = &s->line;
    if (!solve_knots(s, count_cells(s)))
        return false;
    spline_fit(&l->curve, l->work);
    if (!find_limits(s) || servo_profile_fastest(&l->rest).duration > longest)
        return false;
    memcpy(s->goal, s->trial, sizeof *s->goal * (size_t)lb_model_nq(s->model));
    return true;
}

void servo_line_step(lb_servo *s)
{
    servo_line *l = &s->line;
    const servo_profile p = servo_profile_fastest(&l->rest);
    double covered, speed;
    servo_profile_at(&p, &l->rest, s->options.period, &covered, &speed);
    l->rest.distance -= covered;
    l->rest.speed = speed;
    l->active = l->rest.distance > 0 || speed != 0;
    spline_at(&l->curve, 1 - l->rest.distance, s->line.work, l->first, NULL, NULL);
    for (int k = 0; k < s->axis_count; k++) {
        int q = s->axes[k].q;
        s->q[q] = l->active ? l->work[k] : s->goal[q];
        s->speed[k] = l->first[k] * speed;
    }
}
