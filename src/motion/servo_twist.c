/*
 * servo_twist.c - moving the tool with a velocity.
 *
 * The rates of a configuration are the least joint speeds, as shares of their limits, that move the
 * tool with the whole twist; joints beside a limit take a smaller part in them where others can
 * take it (Chan and Dubey 1995). Where that takes joint speeds far beyond the usual ones, and leads
 * to a singular configuration, the twist loses its part in the direction that needs them.
 *
 * The joints have one share of the rates, so the tool keeps the direction. It is the largest share
 * that each joint's viable speeds allow, those from which it can stop before its limits, and from
 * which all can stop on the way that the rates lead: in every frame a few steps ahead along that
 * way bound the share, as knots do on a planned line.
 */
#include "motion/servo.h"

#include "kinematics/state.h"
#include "math/dense.h"
#include "math/scalar.h"
#include "motion/rotation.h"

#include <string.h>

enum { ROWS = 6, WEIGHINGS = 6 };
/* steps ahead, each as long as those before it together: the way is known best where it is near */
enum { STEPS = 4 };
/* joint speeds for a direction, against the usual ones: from STRAIN on the twist loses its part in
   it, from LOST on all of that. If these were nearer to each other the rates would change so fast
   that frames shake; smaller ones would take more from the twist */
#define STRAIN 25
#define LOST 100
/* the part of these speeds that counts where they lead away from a singular configuration: they
   fall there by themselves, unless a limit has taken the direction */
#define LEAVING (1 / 16.0)
/* the damping, as a share of the tool's usual speed at full joint speeds: far above rounding; what
   it leaves out of a direction that is not lost is a millionth */
#define DAMPING (1e-3 / LOST)
/* the part of a twist that may be left out before the servo says so: above that of rates that
   change within a frame */
#define LEFT_OUT 1e-3
/* radians or metres from a limit from which on a joint takes less part, at most a quarter of its
   range */
#define ZONE 0.2
/* the part of accelerations that the way ahead is planned with; the rest is for its curvature
   between knots */
#define PLANNED 0.8

static void add_scaled(int n, double *a, const double *b, double factor)
{
    for (int i = 0; i < n; i++)
        a[i] += factor * b[i];
}

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

/* fills y with W J^T z */
static void move_joints(const lb_servo *s, int rows, const double *z, double *y)
{
    const int nv = lb_model_nv(s->model);
    const double *jacobian = s->jacobian + first_row(s) * nv;
    for (int k = 0; k < s->axis_count; k++) {
        y[k] = 0;
        for (int i = 0; i < rows; i++)
            y[k] += s->weights[k] * jacobian[i * nv + s->axes[k].v] * z[i];
    }
}

/* whether joint speeds y lead to where they move the tool less: its acceleration at constant speeds
   is against its velocity, a part of the twist */
static bool slows(const lb_servo *s, const double *y, const double *part)
{
    const int nv = lb_model_nv(s->model);
    const double length = lb_ik_get_options(s->ik)->length;
    lb_vec3 turn = {0}, linear = {0}, angular = {0};
    for (int k = 0; k < s->axis_count; k++) {
        const double *column = s->jacobian + s->axes[k].v, f = y[k], g = f / length;
        const lb_vec3 v = lb_vec3_make(f * column[0], f * column[nv], f * column[2 * nv]);
        const lb_vec3 w = lb_vec3_make(g * column[3 * nv], g * column[4 * nv], g * column[5 * nv]);
        // what the joint moves is turned by itself and, twice, by those before it
        linear = lb_vec3_add(linear, lb_vec3_cross(lb_vec3_add(lb_vec3_scale(turn, 2), w), v));
        angular = lb_vec3_add(angular, lb_vec3_scale(lb_vec3_cross(turn, w), length));
        turn = lb_vec3_add(turn, w);
    }
    const double a[ROWS] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    return dense_dot(lb_task_rows(s->task.kind), a + first_row(s), part) < 0;
}

/* fills a with J W J^T and damping on its diagonal; the damping, and the square of the tool's usual
   speed at full joint speeds */
static double fill_square(const lb_servo *s, int rows, double *a, double *usual)
{
    const int nv = lb_model_nv(s->model);
    const double *jacobian = s->jacobian + first_row(s) * nv;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j <= i; j++) {
            a[i * rows + j] = 0;
            for (int k = 0; k < s->axis_count; k++) {
                int v = s->axes[k].v;
                a[i * rows + j] += s->weights[k] * jacobian[i * nv + v] * jacobian[j * nv + v];
            }
        }
    *usual = 0;
    for (int i = 0; i < rows; i++)
        *usual += a[i * rows + i] / rows;
    for (int i = 0; i < rows; i++)
        a[i * rows + i] += DAMPING * DAMPING * *usual;
    return DAMPING * DAMPING * *usual;
}

/* fills y with W J^T z, where z = (J W J^T + damping)^-1 of the twist without its lost directions;
   the part of the twist's square that y does */
static double solve_rows(const lb_servo *s, int rows, const double *twist, double *y)
{
    const double whole = dense_dot(rows, twist, twist);
    double a[ROWS * ROWS], left[ROWS], z[ROWS], part[ROWS], usual, *work = s->line.work;
    const double damping = fill_square(s, rows, a, &usual);
    memset(y, 0, sizeof *y * (size_t)s->axis_count);
    if (!(whole > 0 && dense_ldl_factor(rows, a) > 0))
        return whole > 0 ? 0 : 1;
    memcpy(left, twist, sizeof *left * (size_t)rows);
    for (int pass = 0; pass < rows + 2; pass++) {
        memcpy(z, left, sizeof *z * (size_t)rows);
        dense_ldl_solve(rows, a, z);
        move_joints(s, rows, z, y);
        // what follows is at most this
        if (sqrt(dense_dot(rows, z, z) / whole) * usual <= STRAIN * STRAIN)
            break;
        // first without what no joint moves, which is all that the damping leaves of it
        if (pass < 2) {
            add_scaled(rows, left, z, -damping);
            continue;
        }
        // the part of it that takes the highest joint speeds, by inverse iteration
        memcpy(part, z, sizeof *z * (size_t)rows);
        dense_ldl_solve(rows, a, part);
        const double inverse = sqrt(dense_dot(rows, part, part) / dense_dot(rows, z, z));
        const double share = dense_dot(rows, left, part) / dense_dot(rows, part, part);
        for (int i = 0; i < rows; i++)
            part[i] *= share;
        move_joints(s, rows, part, work);
        // the geometric mean of the joint speeds that it takes and those of a whole twist along it
        const double speeds = inverse * inverse * dense_dot(s->axis_count, work, work) * usual;
        double strain = sqrt(speeds / sqrt(dense_dot(rows, part, part) * whole));
        if (strain > STRAIN && !slows(s, work, part))
            strain *= LEAVING;
        if (!(strain > STRAIN))
            break;
        const double kept = scalar_max(0, (LOST / strain - 1) / (LOST / STRAIN - 1.0));
        add_scaled(rows, left, part, kept * kept - 1);
    }
    return (dense_dot(rows, twist, left) - damping * dense_dot(rows, twist, z)) / whole;
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

/* fills the rates of all axes for the possible part of the twist; its share of the twist's square
 */
static double find_rates(lb_servo *s, const double *q, double *rates)
{
    double twist[ROWS], possible = 0;
    find_rows(s, q, twist);
    for (int k = 0; k < s->axis_count; k++)
        s->weights[k] = 1;
    for (int i = 0; i == 0 || (i < WEIGHINGS && weigh_axes(s, q, rates)); i++)
        possible = solve_rows(s, lb_task_rows(s->task.kind), twist + first_row(s), rates);
    for (int k = 0; k < s->axis_count; k++)
        rates[k] *= s->axes[k].speed;
    return possible;
}

/* ---- the way ahead ------------------------------------------------------------ */

/* puts a knot behind the last one, by a step of Heun; the way ends where a joint meets its limit */
static bool add_knot(lb_servo *s, double h)
{
    spline *way = &s->line.curve;
    const int n = s->axis_count, last = way->knots - 1;
    double *values = way->values + last * n, *slopes = way->slopes + last * n, whole = h;
    for (int k = 0; k < n; k++) {
        double room = (slopes[k] > 0 ? s->axes[k].upper : s->axes[k].lower) - values[k];
        if (fabs(h * slopes[k]) > fabs(room))
            h = room / slopes[k];
    }
    way->x[last + 1] = way->x[last] + h;
    if (way->x[last + 1] == way->x[last])
        return false;
    for (int k = 0; k < n; k++)
        s->trial[s->axes[k].q] = values[k] + h * slopes[k];
    find_rates(s, s->trial, slopes + n);
    for (int k = 0; k < n; k++)
        values[n + k] = scalar_clamp(values[k] + 0.5 * h * (slopes[k] + slopes[n + k]),
                                     s->axes[k].lower, s->axes[k].upper);
    way->knots++;
    return h == whole;
}

/* fills the way from its first knot, twice as long as the joints need to stop from their full
   speeds; the largest share of the rates at that knot from which they can stop on it */
static double share_ahead(lb_servo *s)
{
    servo_line *l = &s->line;
    double slowing = INFINITY, share = 1;
    for (int k = 0; k < s->axis_count; k++) {
        const double rate = scalar_max(fabs(l->curve.slopes[k]), 1e-300);
        slowing = scalar_min(slowing, s->axes[k].acceleration / rate);
        share = scalar_min(share, s->axes[k].speed / rate);
    }
    const double ahead = share * share / (PLANNED * slowing) + 2 * s->options.period * share;
    double h = ahead / (1 << (STEPS - 1));
    for (int i = 0; i < STEPS && add_knot(s, h); i++)
        h = l->curve.x[l->curve.knots - 1];
    l->most = 1;
    l->part = PLANNED;
    servo_line_brake(s);
    return sqrt(l->squares[0]);
}

/* ---- a frame ------------------------------------------------------------------ */

/* the speeds of a joint after the frame from which it can stop before its limits; braking is always
   one of them */
static void find_viable(const lb_servo *s, int k, double *low, double *high)
{
    const servo_axis *axis = &s->axes[k];
    const double a = axis->acceleration, w = s->speed[k], half = 0.5 * s->options.period;
    const double up = axis->upper - s->q[axis->q] - half * w;
    const double down = s->q[axis->q] - axis->lower + half * w;
    *low = scalar_max(w - 2 * half * a, -axis->speed);
    *high = scalar_min(w + 2 * half * a, axis->speed);
    const double brake = w > 0 ? *low : *high;
    // w'^2 / 2a is the way to stop, w' period / 2 that of the frame
    if (up >= 0)
        *high = scalar_min(*high, sqrt(half * half * a * a + 2 * a * up) - half * a);
    if (down >= 0)
        *low = scalar_max(*low, half * a - sqrt(half * half * a * a + 2 * a * down));
    if (*low > *high || up < 0 || down < 0)
        *low = *high = w > 0 ? scalar_max(0, brake) : scalar_min(0, brake);
}

/* the shares of the rates that all joints allow; false if there is none: the joints' speeds are not
   yet in proportion to the rates, which their limits of speed then bound */
static bool find_shares(const lb_servo *s, const double *rates, double *least, double *most)
{
    double low, high;
    bool viable = true;
    *least = 0;
    *most = 1;
    for (int k = 0; k < s->axis_count; k++) {
        find_viable(s, k, &low, &high);
        viable = viable && (rates[k] != 0 || (low <= 0 && high >= 0));
        if (rates[k] == 0)
            continue;
        *least = scalar_max(*least, (rates[k] > 0 ? low : high) / rates[k]);
        *most = scalar_min(*most, (rates[k] > 0 ? high : low) / rates[k]);
    }
    return viable && *least <= *most;
}

/* the part of the joints' changes of speed, straight to a share of the rates, that a frame allows
 */
static double part_of_change(const lb_servo *s, const double *rates, double share)
{
    double part = 1;
    for (int k = 0; k < s->axis_count; k++) {
        double change = fabs(share * rates[k] - s->speed[k]);
        double most = s->axes[k].acceleration * s->options.period;
        if (change * part > most)
            part = most / change;
    }
    return part;
}

void servo_twist_step(lb_servo *s)
{
    const double dt = s->options.period;
    spline *way = &s->line.curve;
    double least, most, low, high;
    way->knots = 1;
    way->x[0] = 0;
    for (int k = 0; k < s->axis_count; k++) {
        const servo_axis *axis = &s->axes[k];
        way->values[k] = s->trial[axis->q] =
            scalar_clamp(s->q[axis->q] + dt * s->speed[k], axis->lower, axis->upper);
    }
    s->partly = find_rates(s, s->trial, way->slopes) < 1 - LEFT_OUT * LEFT_OUT;
    const bool aligned = find_shares(s, way->slopes, &least, &most);
    double share = share_ahead(s);
    if (aligned)
        share = scalar_clamp(share, least, most);
    // else the tool's velocity goes straight from the old twist to the new one
    const double part = aligned ? 1 : part_of_change(s, way->slopes, share);
    for (int k = 0; k < s->axis_count; k++) {
        double w = s->speed[k], after = w + part * (share * way->slopes[k] - w);
        find_viable(s, k, &low, &high);
        after = scalar_clamp(after, low, high);
        servo_move_axis(s, k, s->q[s->axes[k].q] + 0.5 * dt * (w + after), after);
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
