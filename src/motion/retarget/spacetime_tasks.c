/*
 * spacetime_tasks.c - the tasks of one frame as inertias and forces on its links, and the dense
 * block that these make.
 */
#include "math/scalar.h"

#include "motion/retarget/spacetime.h"

#include <limber/kinematics.h>

#include <string.h>

/* ---- between frames and at limits ---------------------------------------- */

/*
 * What a joint's values in several frames have to do with each other:
 * accelerations, speeds and jumps; and its limits. Joints meet only themselves here.
 */

/* of the posture, a radian or a metre */
#define POSTURE 1e-3
/* what multipliers are at most and slacks at least: a row that cannot be kept gives way */
#define MULTIPLIER_MOST 1e4
#define SLACK_LEAST 1e-6

/* ---- inequalities ----------------------------------------------------------------- */

/* A row whose slack g (negative: broken) is to stay positive: its weight, and the force away from
   what bounds it. */
typedef struct time_bound {
    double weight, force;
} time_bound;

/* a slack that was not known before is at least so large */
static time_bound inside(const spacetime *s, time_slack *c, double g, double least, bool known,
                         double *broken)
{
    // a ball that does not swing has no direction in which its swing is bounded
    if (!known || c->s == 0) {
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

/* seconds from a row to the next; those of the grid are even */
static double gap(const spacetime *s, int row)
{
    return s->kept != NULL ? s->times[row + 1] - s->times[row] : s->step;
}

/* what a column may change by from a row to the next by its speed */
static double most_change(const spacetime *s, int row, int c)
{
    double share = s->kept != NULL ? SPACETIME_RESULT : SPACETIME_SPEED;
    return s->limited ? share * s->columns[c].speed * gap(s, row) : INFINITY;
}

/* the same of a row of the window, calmly */
static double calm_change(const spacetime *s, int row, int c)
{
    double limit = most_change(s, row, c);
    if (s->columns[c].root || s->kept != NULL)
        return limit;
    return fmin(limit, s->frames[row - s->first].calm);
}

/* A second difference around a row, as if rows were a step apart. */
typedef struct time_bend {
    double k[3], x, most;
} time_bend;

static time_bend bend_at(const spacetime *s, int row, int c)
{
    double before = s->step / gap(s, row - 1), after = s->step / gap(s, row);
    double mean = 2 * before * after / (before + after);
    double share = s->kept != NULL ? SPACETIME_RESULT : SPACETIME_BEND;
    return (time_bend){
        {mean * before, -mean * (before + after), mean * after},
        mean * (after * change_of(s, row)[c] - before * change_of(s, row - 1)[c]),
        s->limited ? share * s->columns[c].bend * s->step * s->step : INFINITY,
    };
}

double spacetime_excess(const spacetime *s, int row)
{
    double most = 0;
    for (int c = 0; row < s->last && c < s->n; c++) {
        double speed = fabs(change_of(s, row)[c]) / most_change(s, row, c);
        time_bend bend = row > 0 ? bend_at(s, row, c) : (time_bend){.most = INFINITY};
        most = scalar_max(scalar_max(speed, fabs(bend.x) / bend.most), most);
    }
    return most;
}

/* keeps |x| below a limit; k are the factors of x in some frames, `unit` what x is measured in */
static void bound_both(const spacetime *s, time_span span, int step, int c, const double *k,
                       int count, double x, double most, double unit, time_slack *slacks)
{
    time_frame *f = &s->frames[step - s->first];
    double broken = 0;
    // of a row behind the window it is not known yet where it will be
    if (!isfinite(most) || step + 1 >= s->first + s->count)
        return;
    // the last of the frames is known after the others; the two before the window always are
    bool known = f->known && f[1].known;
    x /= unit, most /= unit;
    time_bound up = inside(s, &slacks[0], most - x, 0.05 * most, known, &broken);
    time_bound down = inside(s, &slacks[1], most + x, 0.05 * most, known, &broken);
    // of a result it is known after each step
    if (s->kept == NULL)
        f->broken = scalar_max(f->broken, broken);
    add_term(s, span, step + 2 - count, c, k, count, (up.weight + down.weight) / (unit * unit),
             (down.force - up.force) / unit);
}

static void add_speed(spacetime *s, time_span span, int row, int c)
{
    static const double k[2] = {-1, 1};
    if (row < s->first - 1 || row >= span.b)
        return;
    double most = calm_change(s, row, c);
    bound_both(s, span, row, c, k, 2, change_of(s, row)[c], most, s->kept != NULL ? most : 1,
               &s->frames[row - s->first].speeds[2 * c]);
}

static void add_bend(spacetime *s, time_span span, int row, int c)
{
    time_bend bend = bend_at(s, row, c);
    double weight = s->acceleration * s->columns[c].weight;
    add_term(s, span, row - 1, c, bend.k, 3, weight, -weight * bend.x);
    if (row >= s->first - 1 && row + 1 < s->first + s->count)
        bound_both(s, span, row, c, bend.k, 3, bend.x, bend.most, bend.most,
                   &s->frames[row - s->first].bends[2 * c]);
}

static void add_limits(spacetime *s, int step, int c)
{
    const time_column *column = &s->columns[c];
    time_frame *f = &s->frames[step - s->first];
    if (!column->number)
        return;
    double x = spacetime_row(s, step)[column->q];
    if (s->kept == NULL) {
        f->own[c] += POSTURE;
        f->force[c] += POSTURE * (column->rest - x);
    }
    for (int side = 0; side < 2; side++) {
        double bound = side ? column->lower : column->upper, sign = side ? 1 : -1;
        if (!isfinite(bound))
            continue;
        double room = sign * (x - bound) - (s->kept != NULL ? SLACK_LEAST : 0);
        time_bound row = inside(s, &f->limits[2 * c + side], room, 0.02, f->known, &f->broken);
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

/* a row of a result stays near to where it was */
static void stay(spacetime *s, int row)
{
    const lb_model *model = s->solver->plan->target;
    time_frame *f = &s->frames[row - s->first];
    lb_configuration_difference(model, spacetime_row(s, row),
                                s->kept + (size_t)row * (size_t)lb_model_nq(model), s->change);
    for (int c = 0; c < s->n; c++) {
        f->own[c] += s->columns[c].weight;
        f->force[c] += s->columns[c].weight * s->change[s->columns[c].v];
    }
}

void spacetime_between(spacetime *s, time_span span)
{
    size_t size = (size_t)s->n * sizeof(double);
    int from = span.a > 1 ? span.a - 2 : 0;
    int to = span.b + 1 < s->last ? span.b + 1 : s->last;
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
            if (step > from)
                add_bend(s, span, step, c);
        }
    for (int step = span.a; step < span.b; step++) {
        for (int c = 0; c < s->n; c++)
            add_limits(s, step, c);
        if (s->kept != NULL)
            stay(s, step);
    }
}

/* stiffness of held points, per square metre */
#define HELD 1e4
/* ---- tasks of a frame ---------------------------------------------------------------- */

/* A row of a task: its error changes by line * screw. */
typedef struct time_row {
    double line[6];
    double weight, force;
} time_row;

static void add_inertia(spacetime *s, int link, const time_row *row)
{
    int c = s->carriers[link];
    if (c < 0)
        return;
    for (int i = 0; i < 6; i++) {
        double by = row->weight * row->line[i];
        for (int j = 0; j < 6; j++)
            s->inertias[c][i][j] += by * row->line[j];
        s->forces[c][i] += row->force * row->line[i];
    }
}

/* a row over the frame's columns, from one of them on */
static void add_line(const spacetime *s, time_frame *f, const double *line, int first, int count,
                     double weight, double force)
{
    for (int i = 0; i < count; i++) {
        double *into = f->panel + (size_t)(first + i) * (size_t)kernel_sweep_row(s->padded);
        for (int j = i; j < count && line[i] != 0; j++)
            into[first + j] += weight * line[i] * line[j];
        into[3 * s->padded] += force * line[i];
    }
}

/* the Jacobian of a link at the origin */
static void find_jacobian(spacetime *s, int link)
{
    lb_transform inverse = lb_transform_inverse(&lb_state_transforms(s->solver->state)[link]);
    lb_state_jacobian(s->solver->state, link, lb_transform_point(&inverse, s->origin),
                      LB_AXES_WORLD, s->jacobian);
}

/* a row whose columns meet directly: of a link against a base, or of one that a column moves by a
   mimic joint, beside which no other chain has it; -1: what stands still */
static void add_dense(spacetime *s, time_frame *f, int link, int base, const time_row *row)
{
    size_t nv = (size_t)lb_model_nv(s->solver->plan->target);
    double line[KERNEL_SWEEP_MOST] = {0};
    const int ends[2] = {link, base};
    for (int end = 0; end < 2; end++) {
        if (ends[end] < 0)
            continue;
        find_jacobian(s, ends[end]);
        for (int c = 0; c < s->n; c++)
            for (size_t i = 0; i < 6; i++)
                line[c] += (end ? -1 : 1) * row->line[i] *
                           s->jacobian[(i + 3) % 6 * nv + (size_t)s->columns[c].v];
    }
    add_line(s, f, line, 0, s->n, row->weight, row->force);
}

static void add_row(spacetime *s, time_frame *f, const lb_body_task *task, const time_row *row)
{
    if (task->base >= 0 || s->coupled)
        add_dense(s, f, task->link, task->base, row);
    else
        add_inertia(s, task->link, row);
}

/* the row of a point's movement along a direction */
static time_row along(const spacetime *s, lb_vec3 point, lb_vec3 d, double weight, double force)
{
    lb_vec3 m = lb_vec3_cross(lb_vec3_sub(point, s->origin), d);
    return (time_row){{m.x, m.y, m.z, d.x, d.y, d.z}, weight, force};
}

/* the row of a link's turn about a direction */
static time_row about(lb_vec3 d, double weight, double error)
{
    return (time_row){{d.x, d.y, d.z, 0, 0, 0}, weight, weight * error};
}

static const lb_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* what a pull along a bent chain adds to the curvature, which steps of Gauss and Newton leave out:
   without it straight legs swing about their end */
static void add_curvature(spacetime *s, time_frame *f, int link, lb_vec3 point, double pull)
{
    lb_vec3 arm = lb_vec3_sub(point, s->origin);
    for (int c = s->carriers[link]; c >= 0; c = s->columns[c].parent) {
        const double *screw = s->screws[c];
        lb_vec3 turn = {screw[0], screw[1], screw[2]}, slide = {screw[3], screw[4], screw[5]};
        double lever = lb_vec3_length(lb_vec3_add(slide, lb_vec3_cross(turn, arm)));
        f->panel[(size_t)c * (size_t)kernel_sweep_row(s->padded) + (size_t)c] +=
            pull * lever * lb_vec3_dot(turn, turn);
    }
}

/* a multiplier, shortened to the largest one */
static lb_vec3 bounded(const spacetime *s, lb_vec3 pull)
{
    double length = lb_vec3_length(pull);
    return length > s->pull ? lb_vec3_scale(pull, s->pull / length) : pull;
}

static void add_position(spacetime *s, time_frame *f, int t, const lb_transform *at)
{
    const lb_body_task *task = &s->body->tasks[t];
    lb_vec3 tool = lb_transform_point(&at[task->link], task->tool.p), goal = f->targets[t].p;
    if (task->base >= 0)
        goal = lb_transform_point(&at[task->base], goal);
    lb_vec3 error = lb_vec3_sub(goal, tool), pull = {0, 0, 0};
    double weight = f->weights[t];
    if (f->kinds[t] == TASK_HOLDS) {
        weight = HELD * f->firm;
        if (f->firm < 1)
            f->pulls[t] = lb_vec3_make(0, 0, 0);
        else if (f->known)
            f->pulls[t] = bounded(s, lb_vec3_add(f->pulls[t], lb_vec3_scale(error, HELD)));
        pull = f->pulls[t];
        if (f->swings)
            add_curvature(s, f, task->link, tool, lb_vec3_length(pull));
        f->broken = scalar_max(f->broken, f->firm < 1 ? 0 : lb_vec3_length(error));
    }
    for (int i = 0; i < 3; i++) {
        double force = lb_vec3_dot(axes[i], lb_vec3_add(lb_vec3_scale(error, weight), pull));
        time_row row = along(s, tool, axes[i], weight, force);
        add_row(s, f, task, &row);
    }
}

static void add_orientation(spacetime *s, time_frame *f, int t, const lb_transform *at)
{
    const lb_body_task *task = &s->body->tasks[t];
    lb_quat is = lb_transform_quat(&at[task->link]);
    lb_quat off = lb_quat_multiply(lb_transform_quat(&f->targets[t]), lb_quat_conjugate(is));
    double sign = off.w < 0 ? -2 : 2;
    const double error[3] = {sign * off.x, sign * off.y, sign * off.z};
    for (int i = 0; i < 3; i++) {
        time_row row = about(axes[i], f->weights[t], error[i]);
        add_row(s, f, task, &row);
    }
}

/* angles are measured as 2 sin(angle / 2), across the direction */
static void add_direction(spacetime *s, time_frame *f, int t, const lb_transform *at)
{
    const lb_body_task *task = &s->body->tasks[t];
    lb_vec3 axis = lb_vec3_normalize(task->axis, axes[2]);
    lb_vec3 is = lb_transform_direction(&at[task->link], axis);
    lb_vec3 first = lb_vec3_perpendicular(is), second = lb_vec3_cross(is, first);
    double near = scalar_max(1 + lb_vec3_dot(is, f->targets[t].z), 1e-2);
    lb_vec3 error = lb_vec3_scale(lb_vec3_cross(is, f->targets[t].z), sqrt(2 / near));
    time_row rows[2] = {about(first, f->weights[t], lb_vec3_dot(first, error)),
                        about(second, f->weights[t], lb_vec3_dot(second, error))};
    add_row(s, f, task, &rows[0]);
    add_row(s, f, task, &rows[1]);
}

/* the lowest point of the half of a sole at heel or toe, in the link; with the lowest of all
   for both, frames end within 0.005 rad of the same places, in more steps */
static lb_vec3 lowest_point(const spacetime *s, int t, const lb_transform *link)
{
    const retarget_plan *plan = s->solver->plan;
    const retarget_task *task = &s->solver->tasks[t];
    const lb_retarget_held *held = plan->map->pairs[task->pair].held;
    const retarget_sole *sole = retarget_sole_of(plan, task->pair);
    lb_vec3 lowest = held[task->held].at, heel = held[0].at;
    if (sole == NULL || plan->map->pairs[task->pair].held_count < 2)
        return lowest;
    lb_vec3 up = retarget_along_link(link, plan->ground.normal);
    lb_vec3 along = lb_vec3_sub(held[1].at, heel);
    for (int i = 0; i < sole->count; i++) {
        lb_vec3 point = retarget_sole_point(sole, i, up);
        double far = lb_vec3_dot(lb_vec3_sub(point, heel), along);
        bool toe = far > 0.5 * lb_vec3_dot(along, along);
        if (toe == (task->held == 1) && lb_vec3_dot(up, point) < lb_vec3_dot(up, lowest))
            lowest = point;
    }
    return lowest;
}

static void add_height(spacetime *s, time_frame *f, int t, const lb_transform *at)
{
    const lb_body_task *task = &s->body->tasks[t];
    lb_vec3 up = f->targets[t].z;
    lb_vec3 tool = lb_transform_point(&at[task->link], lowest_point(s, t, &at[task->link]));
    double above = lb_vec3_dot(up, lb_vec3_sub(tool, f->targets[t].p));
    time_bound bound = inside(s, &f->heights[t], above, 5e-3, f->known, &f->broken);
    time_row row = along(s, tool, up, f->firm * bound.weight, f->firm * bound.force);
    add_row(s, f, task, &row);
}

static void add_tasks(spacetime *s, time_frame *f, const lb_transform *at)
{
    for (int t = 0; t < s->tasks; t++) {
        lb_body_kind kind = s->body->tasks[t].kind;
        if (f->kinds[t] == TASK_ABOVE)
            add_height(s, f, t, at);
        else if (f->kinds[t] == TASK_NONE)
            continue;
        else if (kind == LB_BODY_POSITION)
            add_position(s, f, t, at);
        else if (kind == LB_BODY_ORIENTATION)
            add_orientation(s, f, t, at);
        else
            add_direction(s, f, t, at);
    }
}

/* a row of both links for each two shapes that are near */
static void add_pushes(spacetime *s, time_frame *f, const double *q)
{
    const int links = lb_model_link_count(s->solver->plan->target);
    time_push pushes[SPACETIME_PAIRS];
    int count = spacetime_push(s, f, q, pushes);
    for (int i = 0; i < count; i++) {
        const lb_proximity *p = &pushes[i].pair;
        time_row row = along(s, p->point_a, p->normal, pushes[i].weight, pushes[i].force);
        add_dense(s, f, p->body_b < links ? p->body_b : -1, p->body_a, &row);
    }
}

/* ---- a frame's block ------------------------------------------------------------------- */

static void find_screws(spacetime *s, const lb_transform *at)
{
    size_t nv = (size_t)lb_model_nv(s->solver->plan->target);
    s->origin = at[s->solver->plan->map->pairs[0].target].p;
    for (int i = 0; i < s->tip_count; i++) {
        find_jacobian(s, s->tips[i]);
        for (int c = s->carriers[s->tips[i]]; c >= 0; c = s->columns[c].parent)
            for (int k = 0; k < 6; k++)
                s->screws[c][(k + 3) % 6] = s->jacobian[(size_t)k * nv + (size_t)s->columns[c].v];
    }
}

/* the links' inertias and forces, summed up towards the root */
static void sum_up(spacetime *s, time_frame *f)
{
    size_t row = (size_t)kernel_sweep_row(s->padded);
    for (int c = s->n - 1; c >= 0; c--) {
        double momentum[6] = {0}, force = 0;
        int parent = s->columns[c].parent;
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++)
                momentum[i] += s->inertias[c][i][j] * s->screws[c][j];
            force += s->forces[c][i] * s->screws[c][i];
        }
        f->panel[(size_t)c * row + (size_t)(3 * s->padded)] += force;
        for (int b = c; b >= 0; b = s->columns[b].parent) {
            double h = 0;
            for (int i = 0; i < 6; i++)
                h += momentum[i] * s->screws[b][i];
            f->panel[(size_t)b * row + (size_t)c] += h;
        }
        for (int i = 0; parent >= 0 && i < 6; i++) {
            for (int j = 0; j < 6; j++)
                s->inertias[parent][i][j] += s->inertias[c][i][j];
            s->forces[parent][i] += s->forces[c][i];
        }
    }
}

/* ---- limits of balls ------------------------------------------------------------------- */

/* an angle of a ball, which changes by `rate` * its velocity, kept below a bound, or above it */
static void bound_angle(const spacetime *s, time_frame *f, int column, time_slack *slack,
                        double room, lb_vec3 rate, double sign)
{
    const double line[3] = {sign * rate.x, sign * rate.y, sign * rate.z};
    time_bound row = inside(s, slack, room, 0.02, f->known, &f->broken);
    add_line(s, f, line, column, 3, row.weight, row.force);
}

/*
 * With q = (w, v) turned by a small d in its own axes, w changes by -v.d / 2 and v by (w d + v x d)
 * / 2; the twist is 2 atan2(v.a, w). The cosine of the swing is a.(R a).
 */
static void bound_ball(const spacetime *s, time_frame *f, const kernel_body_ball *ball, int column,
                       const double *q)
{
    const kernel_variable *limits = &ball->limits;
    lb_vec3 a = limits->axis, v = {q[1], q[2], q[3]};
    double w = q[0], along = lb_vec3_dot(v, a), square = w * w + along * along, twist, swing;
    kernel_ball_angles(limits, q, &twist, &swing);
    lb_vec3 turned = lb_vec3_add(lb_vec3_scale(a, w), lb_vec3_cross(a, v));
    lb_vec3 rate = lb_vec3_add(lb_vec3_scale(turned, w), lb_vec3_scale(v, along));
    // a swing by half a turn has no twist of its own
    if (limits->upper - limits->lower < 2 * LB_PI && square > 1e-6) {
        rate = lb_vec3_scale(rate, 1 / square);
        bound_angle(s, f, column, &f->limits[2 * column], limits->upper - twist, rate, -1);
        bound_angle(s, f, column, &f->limits[2 * column + 1], twist - limits->lower, rate, 1);
    }
    lb_vec3 back = lb_quat_rotate((lb_quat){w, -v.x, -v.y, -v.z}, a), out = lb_vec3_cross(back, a);
    double sine = lb_vec3_length(out);
    if (limits->swing < LB_PI && sine > 1e-9)
        bound_angle(s, f, column, &f->limits[2 * column + 2], limits->swing - swing,
                    lb_vec3_scale(out, 1 / sine), -1);
}

static void bound_balls(const spacetime *s, time_frame *f, const double *q)
{
    for (int c = 0; c < s->n; c++)
        if (s->columns[c].ball != NULL)
            bound_ball(s, f, s->columns[c].ball, c, q + s->columns[c].q);
}

void spacetime_assemble(spacetime *s, int step)
{
    time_frame *f = &s->frames[step - s->first];
    size_t row = (size_t)kernel_sweep_row(s->padded), padded = (size_t)s->padded;
    lb_state_update(s->solver->state, spacetime_row(s, step));
    const lb_transform *at = lb_state_transforms(s->solver->state);
    for (int i = 0; i < s->n; i++) {
        double *into = f->panel + (size_t)i * row;
        // the rest of the triangle is not read
        size_t first = (size_t)i / KERNEL_SWEEP_ROUND * KERNEL_SWEEP_ROUND;
        memset(into + 2 * padded, 0, (first + KERNEL_SWEEP_ROUND) * sizeof *into);
        into[i] += f->own[i] + f->damping;
        into[padded + (size_t)i] += f->next[i];
        into[2 * padded + (size_t)i] = f->after[i];
        into[3 * padded] += f->force[i];
    }
    memset(s->inertias, 0, (size_t)s->n * sizeof *s->inertias);
    memset(s->forces, 0, (size_t)s->n * sizeof *s->forces);
    find_screws(s, at);
    add_tasks(s, f, at);
    sum_up(s, f);
    bound_balls(s, f, spacetime_row(s, step));
    if (s->parts)
        add_pushes(s, f, spacetime_row(s, step));
}
