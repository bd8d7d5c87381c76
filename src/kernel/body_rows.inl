/*
 * body_rows.inl - what the tasks of a body lack, and how its links' motion changes that.
 *
 * A row is a number that must become zero: its error, and for each link that it depends on a
 * screw (a force on the link, seen as the moment about a common origin and the force). The
 * velocity of the row is the sum of screw times twist over these links. All is in world axes,
 * times the root of the row's weight. A row that does not count now is zero throughout.
 */
#ifndef KERNEL_BODY_ROWS_INL
#define KERNEL_BODY_ROWS_INL

#include "kernel/body_isotropic.inl"
#include "kernel/body_pairs.inl"

/* ---- rows ------------------------------------------------------------------ */

/* the relative velocity of two links, of the row's tool against the task's base */
LANE_INLINE void row_oppose(body_row *row)
{
    row->angular[1] = v3_sub(v3_zero(), row->angular[0]);
    row->linear[1] = v3_sub(v3_zero(), row->linear[0]);
}

/*
 * What is left of an error outside the range from -box to box. A row that may be anywhere there
 * has no error of its own: its slack goes as far as the error does, give or take the box.
 */
LANE_INLINE lane row_range(body_row *row, lane error, double box, lane weight)
{
    if (box <= 0) {
        row->error = error * weight;
        return error;
    }
    lane b = lane_set(box);
    row->low = (error - b) * weight;
    row->high = (error + b) * weight;
    return error - lane_min(lane_max(error, -b), b);
}

/* three rows along the target's axes for where the tool is */
LANE_INLINE lane position_rows(const kernel_body_task *task, const v3 *weights, const frame *goal,
                               v3 at, body_row *rows, lane *sum)
{
    const v3 *axes = &goal->x;
    const lane *own = &weights[0].x;
    const double on[3] = {task->weights[0].x, task->weights[0].y, task->weights[0].z};
    const double boxes[3] = {task->box.x, task->box.y, task->box.z};
    v3 to = v3_sub(goal->p, at);
    lane square = lane_set(0);
    for (int k = 0; k < 3; k++) {
        if (on[k] <= 0)
            continue;
        lane weight = own[k];
        lane error = row_range(&rows[k], v3_dot(to, axes[k]), boxes[k], weight);
        square = square + error * error;
        *sum = *sum + error * error * (weight * weight);
        row_push(&rows[k], 0, at, v3_scale(axes[k], weight));
        if (!task->local)
            row_oppose(&rows[k]);
    }
    return square;
}

/* what a cone allows: the first axis along the error, and its row in a range */
LANE_INLINE void cone_row(double cone, lane length, lane weight, body_row *row)
{
    row->error = lane_set(0);
    row->low = (length - lane_set(cone)) * weight;
    row->high = lane_set(INFINITY);
}

/* rows of angular velocity along axes; with a cone, one along the error alone */
LANE_INLINE lane angular_rows(const kernel_body_task *task, const v3 *weights, v3 error,
                              const v3 *axes, int count, body_row *rows, lane *sum)
{
    const lane *own = &weights[1].x;
    const double on[3] = {task->weights[1].x, task->weights[1].y, task->weights[1].z};
    lane square = lane_set(0), length = v3_length(error);
    lane shorter = lane_max(length - lane_set(task->cone), lane_set(0));
    bool cone = task->cone > 0;
    for (int k = 0; k < count; k++) {
        if (on[k] <= 0 || (cone && k > 0))
            continue;
        lane weight = own[k];
        v3 axis = cone ? v3_scale(error, 1 / lane_max(length, lane_set(1e-300))) : axes[k];
        lane e = cone ? shorter : v3_dot(error, axes[k]);
        square = square + e * e;
        *sum = *sum + e * e * (weight * weight);
        rows[k].angular[0] = v3_scale(axis, weight);
        rows[k].error = e * weight;
        if (cone)
            cone_row(task->cone, length, weight, &rows[k]);
        if (!task->local)
            row_oppose(&rows[k]);
    }
    return square;
}

static void pose_rows(const kernel_body_task *task, const v3 *weights, const body_work *w,
                      const frame *goal, body_row *rows, lane square[2], lane *sum)
{
    bool turns = task->weights[1].x > 0 || task->weights[1].y > 0 || task->weights[1].z > 0;
    v3 at;
    if (turns) {
        v3 error = body_turn(task, w, goal, &at), axes[3] = {goal->x, goal->y, goal->z};
        square[1] = angular_rows(task, weights, error, axes, 3, rows + 3, sum);
    } else {
        at = body_place(w, &task->tool);
    }
    square[0] = position_rows(task, weights, goal, at, rows, sum);
}

/* two unit vectors across the unit vector u */
LANE_INLINE void axes_across(v3 u, v3 axes[2])
{
    axes[0] = v3_perpendicular(u);
    axes[1] = v3_cross(u, axes[0]);
}

/* the tool's axis against a direction; the pole of a direction's change is its cross product */
static void direction_rows(const kernel_body_task *task, const v3 *weights, const body_work *w,
                           const frame *goal, body_row *rows, lane square[2], lane *sum)
{
    bool look = task->kind == KERNEL_BODY_LOOK;
    v3 at = body_place(w, &task->tool), d = body_direction(w, &task->tool, task->axis), u = goal->z;
    lane nearness = lane_set(0);
    if (look) {
        // an eye at its target looks wherever it does: nothing is left to turn
        u = v3_sub(goal->p, at);
        lane distance = v3_length(u);
        lane_mask apart = lane_gt(distance, lane_set(1e-9));
        nearness = lane_keep(apart, 1 / distance);
        u = v3_select(apart, v3_scale(u, nearness), d);
    }
    v3 error = direction_error(d, u), axes[3];
    axes_across(u, axes);
    square[1] = angular_rows(task, weights, error, axes, 2, rows, sum);
    for (int k = 0; look && k < 2; k++) {
        // n (w + u x v / distance), v the eye's velocity: a force (n x u) / distance at the eye
        v3 push = v3_scale(v3_cross(rows[k].angular[0], u), nearness);
        rows[k].linear[0] = push;
        if (!task->local) {
            rows[k].linear[1] = v3_sub(v3_zero(), push);
            rows[k].angular[1] = v3_cross(push, goal->p);
        }
        rows[k].angular[0] = v3_add(rows[k].angular[0], v3_cross(at, push));
    }
}

/* what turns with a point about the line a..c: the unit vector to it from the line, and how far */
LANE_INLINE v3 off_line(v3 from_a, v3 h, lane along, lane *distance)
{
    v3 off = v3_sub(from_a, v3_scale(h, along));
    *distance = v3_length(off);
    return v3_scale(off, 1 / lane_max(*distance, lane_set(1e-300)));
}

/* the angle about the line from the first to the last joint, from the middle to the pole */
static void pole_rows(const kernel_body_task *task, const v3 *weights, const body_work *w,
                      const frame *goal, body_row *row, lane square[2], lane *sum)
{
    v3 a = body_place(w, &task->base), k = body_place(w, &task->tool);
    v3 c = body_place(w, &task->end);
    v3 h = v3_sub(c, a), to_middle = v3_sub(k, a), to_pole = v3_sub(goal->p, a);
    lane length = lane_max(v3_length(h), lane_set(1e-12)), middle_off, pole_off;
    h = v3_scale(h, 1 / length);
    lane middle_along = v3_dot(h, to_middle), pole_along = v3_dot(h, to_pole);
    v3 m = off_line(to_middle, h, middle_along, &middle_off);
    v3 p = off_line(to_pole, h, pole_along, &pole_off);
    lane sine = v3_dot(h, v3_cross(m, p)), cosine = v3_dot(m, p);
    // 2 sin(angle / 2): half a turn leads there in either direction
    lane half = lane_sqrt(lane_max((1 - cosine) * 2, lane_set(0)));
    lane error = lane_copysign(half, sine);
    // a limb that is nearly straight has no side: the task fades out at a fiftieth of its length
    lane faint = length * 0.02, one = lane_set(1);
    lane fade = lane_min(middle_off / faint, one) * lane_min(pole_off / faint, one);
    square[1] = error * error * fade;
    lane weight = fade * weights[1].x;
    // the sides turn as their points move across the line against what the line does there
    v3 push_middle = v3_scale(v3_cross(h, m), weight / lane_max(middle_off, lane_set(1e-12)));
    v3 push_pole = v3_scale(v3_cross(h, p), weight / lane_max(pole_off, lane_set(1e-12)));
    lane middle_share = middle_along / length, pole_share = pole_along / length;
    row_push(row, 0, k, push_middle);
    row_push(
        row, 1, a,
        v3_sub(v3_scale(push_pole, one - pole_share), v3_scale(push_middle, one - middle_share)));
    row_push(row, 2, c,
             v3_sub(v3_scale(push_pole, pole_share), v3_scale(push_middle, middle_share)));
    row->error = error * weight;
    *sum = *sum + row->error * row->error;
}

/* ---- the centre of mass ----------------------------------------------------- */

/* from the origin of the screws */
static void find_center(const kernel_body *body, body_work *w)
{
    v3 sum = v3_sub(v3_set(body->standing), v3_scale(w->origin, lane_set(body->standing_share)));
    for (int i = 0; i < body->tree.count; i++) {
        const kernel_body_mass *mass = &body->masses[i];
        const frame *f = &w->frames[i];
        if (mass->share <= 0)
            continue;
        v3 at = v3_add(v3_combine(f->x, f->y, f->z, mass->center), v3_sub(f->p, w->origin));
        w->mass_places[i] = at;
        sum = v3_add_scaled(sum, at, lane_set(mass->share));
    }
    w->center = sum;
}

/* rows of the centre of mass keep their direction in `linear`; the sweep spreads it over links */
static void center_rows(const kernel_body_task *task, const v3 *weights, const body_work *w,
                        const frame *goal, body_row *rows, lane square[2], lane *sum)
{
    square[0] = position_rows(task, weights, goal, w->center, rows, sum);
}

/* a row for each edge, which says how far the centre is beyond it and may be anything less */
static void support_rows(const kernel_body_task *task, const v3 *weights, const body_work *w,
                         const frame *goal, body_row *rows, lane square[2], lane *sum)
{
    v3 from = v3_sub(w->center, goal->p);
    lane x = v3_dot(from, goal->x), y = v3_dot(from, goal->y), weight = weights[0].x;
    for (int i = 0; i < task->vertex_count; i++) {
        const double *a = task->vertices[i], *b = task->vertices[(i + 1) % task->vertex_count];
        // the outward normal of an edge of a polygon that goes round to the left
        double ex = b[0] - a[0], ey = b[1] - a[1], length = sqrt(ex * ex + ey * ey);
        double nx = length > 0 ? ey / length : 0, ny = length > 0 ? -ex / length : 0;
        lane beyond = (x - lane_set(a[0])) * nx + (y - lane_set(a[1])) * ny;
        lane error = lane_max(beyond, lane_set(0));
        square[0] = square[0] + error * error;
        *sum = *sum + error * error * (weight * weight);
        v3 out = v3_add(v3_scale(goal->x, lane_set(nx)), v3_scale(goal->y, lane_set(ny)));
        row_push(&rows[i], 0, w->center, v3_scale(out, weight));
        row_oppose(&rows[i]);
        rows[i].low = lane_set(-INFINITY);
        rows[i].high = -beyond * weight;
    }
}

/* ---- joints ----------------------------------------------------------------- */

/* the turn that is left from a ball to where it is wanted, along its columns */
static void ball_error(const kernel_body_ball *ball, int index, const body_work *w, lane error[3])
{
    quat now = quat_load(w->q + ball->q), goal = quat_load(w->desired + ball->q);
    quat rest = quat_multiply((quat){now.w, -now.x, -now.y, -now.z}, goal);
    // 2 sin(angle / 2) along the axis of the shorter rotation
    v3 turn = {lane_flip_sign(rest.x, rest.w) * 2, lane_flip_sign(rest.y, rest.w) * 2,
               lane_flip_sign(rest.z, rest.w) * 2};
    for (int k = 0; k < 3; k++)
        error[k] = v3_dot(w->ball_axes[3 * index + k], turn);
}

/* how far a column is from where it is wanted */
LANE_INLINE lane column_error(const kernel_body *body, int c, const body_work *w)
{
    const kernel_body_column *column = &body->columns[c];
    if (column->ball >= 0) {
        lane error[3];
        ball_error(&body->balls[column->ball], column->ball, w, error);
        return error[column->axis];
    }
    lane error = w->desired[column->q] - w->q[column->q];
    if (!column->turns)
        return error;
    return error - lane_round(error * (0.5 / LB_PI)) * (2 * LB_PI);
}

static void joint_rows(const kernel_body *body, const kernel_body_task *task, const v3 *weights,
                       const body_work *w, body_row *rows, lane square[2], lane *sum)
{
    lane weight = weights[1].x;
    for (int k = 0; k < task->columns; k++) {
        lane error =
            row_range(&rows[k], column_error(body, task->column + k, w), task->cone, weight);
        square[1] = square[1] + error * error;
        *sum = *sum + error * error * (weight * weight);
        // what the column's own share of the row is
        rows[k].linear[0].x = weight;
    }
}

/* the first joint's value against the polynomial of the second's */
static void coupling_rows(const kernel_body_task *task, const v3 *weights, const body_work *w,
                          body_row *row, lane square[2], lane *sum)
{
    lane x = w->q[task->coupled_q[1]], value = lane_set(0), slope = value, weight = weights[1].x;
    for (int k = KERNEL_BODY_TERMS - 1; k >= 0; k--) {
        slope = slope * x + value;
        value = value * x + lane_set(task->polynomial[k]);
    }
    lane error = value - w->q[task->coupled_q[0]];
    square[1] = error * error;
    row->error = error * weight;
    *sum = *sum + row->error * row->error;
    row->linear[0].x = weight;
    row->linear[1].x = -(slope * weight);
}

/* ---- all of them ------------------------------------------------------------ */

static void fill_rows(const kernel_body *body, int t, const frame *goal, body_row *rows,
                      lane square[2], body_work *w)
{
    const kernel_body_task *task = &body->tasks[t];
    const v3 *weights = w->weights + 2 * t;
    lane *sum = &w->level_error[task->level];
    switch (task->kind) {
    case KERNEL_BODY_POSE:
        pose_rows(task, weights, w, goal, rows, square, sum);
        break;
    case KERNEL_BODY_LOOK:
    case KERNEL_BODY_ALIGN:
        direction_rows(task, weights, w, goal, rows, square, sum);
        break;
    case KERNEL_BODY_POLE:
        pole_rows(task, weights, w, goal, rows, square, sum);
        break;
    case KERNEL_BODY_CENTER:
        center_rows(task, weights, w, goal, rows, square, sum);
        break;
    case KERNEL_BODY_SUPPORT:
        support_rows(task, weights, w, goal, rows, square, sum);
        break;
    case KERNEL_BODY_COUPLING:
        coupling_rows(task, weights, w, rows, square, sum);
        break;
    case KERNEL_BODY_JOINT:
        joint_rows(body, task, weights, w, rows, square, sum);
        break;
    case KERNEL_BODY_DISTANCE:
        distance_rows(body, t, weights, w, square, sum);
        break;
    }
}

static lane_mask task_rows(const kernel_body *body, int t, body_work *w)
{
    const kernel_body_task *task = &body->tasks[t];
    body_row *rows = w->rows + task->row;
    frame goal = body_target(w, task, t);
    lane square[2] = {lane_set(0), lane_set(0)};
    if (task->isotropic)
        isotropic_rows(task, w->weights + 2 * t, w, &goal, rows, square,
                       &w->level_error[task->level]);
    else
        fill_rows(body, t, &goal, rows, square, w);
    if (!task->counted)
        return mask_from_bits(MASK_FULL);
    w->missed = mask_or(w->missed, mask_or(lane_gt(square[0], lane_set(task->missed[0])),
                                           lane_gt(square[1], lane_set(task->missed[1]))));
    return mask_and(lane_le(square[0], lane_set(task->tolerance[0])),
                    lane_le(square[1], lane_set(task->tolerance[1])));
}

/* the posture is the last level's */
static void posture_error(const kernel_body *body, body_work *w)
{
    lane sum = lane_set(0);
    for (int c = 0; c < body->joint_columns; c++) {
        if (body->stiffness[c] <= 0)
            continue;
        lane error = column_error(body, c, w);
        sum = sum + error * error * body->stiffness[c];
    }
    lane *last = &w->level_error[body->level_count - 1];
    *last = *last + sum;
}

/* a limited ball's columns: away from its rest, about its axis, and across both */
static void limited_axes(const kernel_variable *ball, quat q, v3 axes[3], lane low[3], lane high[3])
{
    quat part;
    lane twist, swing;
    ball_angles(ball, q, &twist, &swing, &part);
    const v3 axis = v3_set(ball->axis);
    v3 rest = quat_rotate((quat){q.w, -q.x, -q.y, -q.z}, axis);
    v3 out = v3_cross(rest, axis), roll = v3_add(rest, axis);
    lane out_length = v3_length(out), roll_length = v3_length(roll);
    // at rest, and half a turn from it, any direction leads out; then the roll is its own
    lane_mask clear = lane_gt(lane_min(out_length, roll_length), lane_set(1e-6));
    v3 any = v3_perpendicular(axis);
    out = v3_select(clear, v3_scale(out, 1 / out_length), any);
    roll = v3_select(clear, v3_scale(roll, 1 / roll_length), axis);
    axes[0] = out;
    axes[1] = roll;
    axes[2] = v3_cross(out, roll);
    // swings grow as fast as the column turns, twists by the half swing's cosine slower
    lane room = lane_max(lane_set(ball->swing) - swing, lane_set(0)), far = lane_set(INFINITY);
    lane slower = lane_max(roll_length * 0.5, lane_set(1e-3));
    low[0] = -far;
    high[0] = lane_select(clear, room, far);
    low[1] = lane_min((lane_set(ball->lower) - twist) * slower, lane_set(0));
    high[1] = lane_max((lane_set(ball->upper) - twist) * slower, lane_set(0));
    low[2] = -far;
    high[2] = far;
}

static void find_ball_axes(const kernel_body *body, body_work *w)
{
    for (int i = 0; i < body->ball_count; i++) {
        const kernel_body_ball *ball = &body->balls[i];
        v3 *axes = w->ball_axes + 3 * i;
        if (ball->limited) {
            limited_axes(&ball->limits, quat_load(w->q + ball->q), axes, w->ball_low + 3 * i,
                         w->ball_high + 3 * i);
            continue;
        }
        axes[0] = v3_set(lb_vec3_make(1, 0, 0));
        axes[1] = v3_set(lb_vec3_make(0, 1, 0));
        axes[2] = v3_set(lb_vec3_make(0, 0, 1));
        for (int k = 0; k < 3; k++) {
            w->ball_low[3 * i + k] = lane_set(-INFINITY);
            w->ball_high[3 * i + k] = lane_set(INFINITY);
        }
    }
}

/* frames, rows and the levels' errors at w->q; returns where all tasks are within tolerance */
static lane_mask body_measure(const kernel_body *body, body_work *w)
{
    const frame root = frame_set(&body->root);
    forward(&body->tree, &root, w->q, w->frames);
    w->origin = body->reference < 0 ? root.p : w->frames[body->reference].p;
    if (body->center)
        find_center(body, w);
    find_ball_axes(body, w);
    for (int level = 0; level < body->level_count; level++)
        w->level_error[level] = lane_set(0);
    lane_mask reached = mask_from_bits(MASK_FULL);
    w->reached_above = reached;
    w->missed = mask_from_bits(0);
    for (int t = 0; t < body->task_count; t++) {
        lane_mask kept = task_rows(body, t, w);
        reached = mask_and(reached, kept);
        if (body->tasks[t].level < body->level_count - 1)
            w->reached_above = mask_and(w->reached_above, kept);
    }
    if (body->stiffness)
        posture_error(body, w);
    return reached;
}

#endif
