/*
 * optimum.c - the best value of one joint while all others stay where they are.
 *
 * With K = sum m b a^T a rotation R scores tr(R K^T). About a unit axis n by an angle t that is, up
 * to a constant,
 *
 *     A cos t + B sin t,   A = tr K - n.Kn,   B = n . sum m a x b.
 */
#include "ik/optimum.h"
#include "math/scalar.h"

/* rounding errors of zero, for sums of products of lengths */
#define NOISE 1e-14
/*
 * squared units of length: a joint stays where its distances to the tool and to the target,
 * multiplied, are at most this, as in bones.c: the direction from a point to nearly the same point
 * is rounding
 */
#define LEAST_PRODUCT 1e-12
/*
 * with several pulls a ball is rotated about the axis of their torque until a rotation gains less
 * than this share of the total, but not more often than this: the next sweep continues
 */
#define BALL_TURNS 20
#define BALL_SHARE 1e-4
/* halvings after which a ball at its limits stays where it is: a thousandth of the rotation */
#define HALVINGS 10

/* ---- pulls ----------------------------------------------------------------- */

static lb_vec3 add_scaled(lb_vec3 a, lb_vec3 b, double s)
{
    return lb_vec3_make(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}

void ik_pull_add_axis(ik_pull *pull, double weight, lb_vec3 a, lb_vec3 b)
{
    pull->x = add_scaled(pull->x, b, weight * a.x);
    pull->y = add_scaled(pull->y, b, weight * a.y);
    pull->z = add_scaled(pull->z, b, weight * a.z);
    pull->pairs++;
}

void ik_pull_add_point(ik_pull *pull, double weight, lb_vec3 a, lb_vec3 b)
{
    ik_pull_add_axis(pull, weight, a, b);
    pull->displacement = add_scaled(pull->displacement, lb_vec3_sub(b, a), weight);
    pull->mass += weight;
}

void ik_pull_add_task(ik_pull *pull, const kernel_task *task, lb_vec3 origin,
                      const lb_transform *tool, const lb_transform *target)
{
    double weight = task->weight * task->weight;
    if (task->goal.position) {
        lb_vec3 to = kernel_locus_nearest(&task->goal.locus, target, tool->p);
        ik_pull_add_point(pull, weight, lb_vec3_sub(tool->p, origin), lb_vec3_sub(to, origin));
    }
    // the squared error (2 sin(t / 2))^2 is 2 - 2 cos t: of one axis, or 3 minus the sum of three
    if (task->goal.rotation && task->goal.free) {
        ik_pull_add_axis(pull, weight, lb_transform_direction(tool, task->goal.axis),
                         lb_transform_direction(target, task->goal.axis));
    } else if (task->goal.rotation) {
        ik_pull_add_axis(pull, 0.5 * weight, tool->x, target->x);
        ik_pull_add_axis(pull, 0.5 * weight, tool->y, target->y);
        ik_pull_add_axis(pull, 0.5 * weight, tool->z, target->z);
    }
}

static double trace(const ik_pull *pull)
{
    return pull->x.x + pull->y.y + pull->z.z;
}

/* n . K n */
static double along(const ik_pull *pull, lb_vec3 n)
{
    return n.x * lb_vec3_dot(n, pull->x) + n.y * lb_vec3_dot(n, pull->y) +
           n.z * lb_vec3_dot(n, pull->z);
}

/* sum m a x b */
static lb_vec3 torque(const ik_pull *pull)
{
    return lb_vec3_make(pull->y.z - pull->z.y, pull->z.x - pull->x.z, pull->x.y - pull->y.x);
}

static double size2(const ik_pull *pull)
{
    return lb_vec3_dot(pull->x, pull->x) + lb_vec3_dot(pull->y, pull->y) +
           lb_vec3_dot(pull->z, pull->z);
}

/* ---- about and along an axis ----------------------------------------------- */

double ik_pull_turn(const ik_pull *pull, lb_vec3 axis, double lower, double upper, double *gain)
{
    double a = trace(pull) - along(pull, axis), b = lb_vec3_dot(axis, torque(pull));
    double best2 = a * a + b * b;
    *gain = 0;
    if (best2 <= scalar_max(NOISE * NOISE * size2(pull), LEAST_PRODUCT * LEAST_PRODUCT))
        return 0;
    double angle = lb_atan2(b, a);
    // the same direction may be within the limits one turn displacement
    if (angle > upper && angle - 2 * LB_PI >= lower)
        angle -= 2 * LB_PI;
    if (angle < lower && angle + 2 * LB_PI <= upper)
        angle += 2 * LB_PI;
    if (angle >= lower && angle <= upper) {
        *gain = 2 * (sqrt(best2) - a);
        return angle;
    }
    // otherwise one of the ends is best
    double sine, cosine;
    angle = 0;
    for (int k = 0; k < 2; k++) {
        double end = k ? upper : lower;
        lb_sincos(end, &sine, &cosine);
        double rise = 2 * (a * cosine + b * sine - a);
        if (rise > *gain) {
            *gain = rise;
            angle = end;
        }
    }
    return angle;
}

double ik_pull_slide(const ik_pull *pull, lb_vec3 axis, double lower, double upper, double *gain)
{
    double force = lb_vec3_dot(pull->displacement, axis);
    *gain = 0;
    if (pull->mass == 0)
        return 0;
    double step = scalar_min(scalar_max(force / pull->mass, lower), upper);
    *gain = step * (2 * force - step * pull->mass);
    return step;
}

/* ---- about any axis -------------------------------------------------------- */

/* rotates the points a of the pull: K R^T */
static ik_pull turned(const ik_pull *pull, lb_quat r)
{
    const lb_vec3 x = lb_quat_rotate(r, lb_vec3_make(1, 0, 0));
    const lb_vec3 y = lb_quat_rotate(r, lb_vec3_make(0, 1, 0));
    const lb_vec3 z = lb_quat_rotate(r, lb_vec3_make(0, 0, 1));
    ik_pull k = *pull;
    k.x = add_scaled(add_scaled(lb_vec3_scale(pull->x, x.x), pull->y, y.x), pull->z, z.x);
    k.y = add_scaled(add_scaled(lb_vec3_scale(pull->x, x.y), pull->y, y.y), pull->z, z.y);
    k.z = add_scaled(add_scaled(lb_vec3_scale(pull->x, x.z), pull->y, y.z), pull->z, z.z);
    return k;
}

static double pull_gain(const ik_pull *pull, lb_quat rotation)
{
    ik_pull after = turned(pull, rotation);
    return 2 * (trace(&after) - trace(pull));
}

/* half a turn, where there is no torque but the opposite direction is better; otherwise none */
static lb_quat half_turn(const ik_pull *pull, double *gain)
{
    lb_vec3 longest = pull->x;
    if (lb_vec3_dot(pull->y, pull->y) > lb_vec3_dot(longest, longest))
        longest = pull->y;
    if (lb_vec3_dot(pull->z, pull->z) > lb_vec3_dot(longest, longest))
        longest = pull->z;
    lb_vec3 n = lb_vec3_perpendicular(lb_vec3_normalize(longest, lb_vec3_make(1, 0, 0)));
    double a = trace(pull) - along(pull, n);
    if (a >= -NOISE * sqrt(size2(pull)))
        return LB_QUAT_IDENTITY;
    *gain -= 4 * a;
    return (lb_quat){0, n.x, n.y, n.z};
}

/*
 * The best rotation about the axis t of the torque; adds its gain to *gain. Its tangent is |t| / a,
 * so that of its half |t| / (best + a) and the quaternion along (best + a, t): no axis is needed.
 */
static lb_quat torque_turn(const ik_pull *pull, double *gain)
{
    lb_vec3 t = torque(pull);
    double b2 = lb_vec3_dot(t, t);
    if (size2(pull) <= LEAST_PRODUCT * LEAST_PRODUCT)
        return LB_QUAT_IDENTITY;
    if (b2 <= NOISE * NOISE * size2(pull))
        return half_turn(pull, gain);
    double a = trace(pull) - along(pull, t) / b2, best = sqrt(a * a + b2);
    *gain += 2 * (best - a);
    // best + a without cancellation
    double w = a >= 0 ? best + a : b2 / (best - a);
    double s = 1 / sqrt(w * w + b2);
    return (lb_quat){w * s, t.x * s, t.y * s, t.z * s};
}

/* at most `most` radians of a rotation */
static lb_quat shortened(lb_quat r, double most)
{
    lb_vec3 v = lb_quat_log(r);
    double angle = lb_vec3_length(v);
    return angle > most ? lb_quat_exp(lb_vec3_scale(v, most / angle)) : r;
}

lb_quat ik_pull_swing(const ik_pull *pull, double most, double *gain)
{
    *gain = 0;
    lb_quat r = torque_turn(pull, gain);
    // with several pulls the axis of the best rotation is not known at once
    double before = 0;
    for (int k = 1; k < BALL_TURNS && pull->pairs > 1 && *gain - before > BALL_SHARE * *gain; k++) {
        ik_pull left = turned(pull, r);
        before = *gain;
        r = lb_quat_multiply(torque_turn(&left, gain), r);
    }
    if (isinf(most))
        return r;
    r = shortened(r, most);
    *gain = pull_gain(pull, r);
    return r;
}

/* ---- joints ---------------------------------------------------------------- */

/* the inverse of ik_quat_outward */
static lb_quat quat_inward(const lb_transform *axes, lb_quat r)
{
    lb_vec3 v = {r.x, r.y, r.z};
    return (lb_quat){r.w, lb_vec3_dot(axes->x, v), lb_vec3_dot(axes->y, v),
                     lb_vec3_dot(axes->z, v)};
}

lb_quat ik_quat_outward(const lb_transform *axes, lb_quat r)
{
    lb_vec3 v = lb_transform_direction(axes, lb_vec3_make(r.x, r.y, r.z));
    return (lb_quat){r.w, v.x, v.y, v.z};
}

/* what a ball's value is multiplied by to rotate its frame by r, and the inverse */
static lb_quat to_ball(const lb_transform *axes, bool reversed, lb_quat r)
{
    return quat_inward(axes, reversed ? lb_quat_conjugate(r) : r);
}

static lb_quat from_ball(const lb_transform *axes, bool reversed, lb_quat turn)
{
    lb_quat r = ik_quat_outward(axes, turn);
    return reversed ? lb_quat_conjugate(r) : r;
}

static lb_quat load(const double *q)
{
    return (lb_quat){q[0], q[1], q[2], q[3]};
}

static void store(double *q, lb_quat a)
{
    q[0] = a.w;
    q[1] = a.x;
    q[2] = a.y;
    q[3] = a.z;
}

static lb_quat clamped(const kernel_variable *x, lb_quat q)
{
    double values[4];
    store(values, q);
    kernel_clamp(x, values);
    return load(values);
}

/* half of a rotation */
static lb_quat halved(lb_quat r)
{
    double s = r.w < 0 ? -1 : 1;
    return lb_quat_normalize((lb_quat){1 + s * r.w, s * r.x, s * r.y, s * r.z});
}

/* a ball's best move; less of it where its limits spoil it */
static ik_move ball_move(const ik_iteration *it, const kernel_variable *x, const ik_pull *pull,
                         const lb_transform *axes, bool reversed, const double *q)
{
    ik_move move = {0};
    lb_quat now = load(q + x->q), r = ik_pull_swing(pull, it->angle_limit, &move.gain);
    move.turn = to_ball(axes, reversed, r);
    if (!kernel_is_limited(x))
        return move;
    for (int k = 0; k < HALVINGS; k++) {
        lb_quat there = clamped(x, lb_quat_multiply(now, to_ball(axes, reversed, r)));
        move.turn = lb_quat_multiply(lb_quat_conjugate(now), there);
        move.gain = pull_gain(pull, from_ball(axes, reversed, move.turn));
        if (move.gain >= 0)
            return move;
        r = halved(r);
    }
    return (ik_move){.turn = LB_QUAT_IDENTITY};
}

ik_move ik_optimum(const ik_iteration *it, int index, const ik_pull *pull,
                   const lb_transform *frame, const lb_transform *parent, const double *q)
{
    const kernel_joint *joint = &it->joints[index];
    int variable = it->variable_of[index];
    const kernel_variable *x = &it->problem.variables[variable];
    ik_move move = {.turn = LB_QUAT_IDENTITY};
    // a reversed ball rotates about its parent's axes
    if (x->ball)
        return ball_move(it, x, pull, joint->scale < 0 ? parent : frame, joint->scale < 0, q);
    // limits of the number, as limits of the joint
    double scale = joint->scale,
           most = it->is_length[variable] ? it->length_limit : it->angle_limit;
    double a = scale * scalar_max(x->lower - q[x->q], -most),
           b = scale * scalar_min(x->upper - q[x->q], most);
    double lower = scalar_min(scalar_min(a, b), 0), upper = scalar_max(scalar_max(a, b), 0);
    double best = joint->kind == KERNEL_PRISMATIC
                      ? ik_pull_slide(pull, frame->z, lower, upper, &move.gain)
                      : ik_pull_turn(pull, frame->z, lower, upper, &move.gain);
    move.step = best / scale;
    return move;
}

void ik_move_apply(const ik_iteration *it, int variable, const ik_move *move, double *q)
{
    const kernel_variable *x = &it->problem.variables[variable];
    if (x->ball) {
        lb_quat there = lb_quat_normalize(lb_quat_multiply(load(q + x->q), move->turn));
        store(q + x->q, there);
    } else {
        q[x->q] += move->step;
    }
    kernel_clamp(x, q + x->q);
}

/* an angle changed by a whole turn into the limits, if that is possible */
static double inside(const kernel_variable *x, double q)
{
    const double turn = 2 * LB_PI;
    if (q > x->upper && q - turn >= x->lower)
        return q - turn;
    return q < x->lower && q + turn <= x->upper ? q + turn : q;
}

void ik_rotate_joint(const ik_iteration *it, int index, lb_quat rotation, double *q)
{
    const kernel_joint *joint = &it->joints[index];
    const kernel_variable *x = &it->problem.variables[it->variable_of[index]];
    const lb_transform *frame = &it->frames[index];
    ik_move move = {.turn = LB_QUAT_IDENTITY};
    if (x->ball) {
        bool reversed = joint->scale < 0;
        move.turn = to_ball(reversed ? &it->frames[joint->parent] : frame, reversed, rotation);
    } else {
        lb_vec3 v = {rotation.x, rotation.y, rotation.z};
        double angle = 2 * lb_atan2(lb_vec3_dot(frame->z, v), rotation.w);
        double now = q[x->q];
        move.step = inside(x, now + lb_wrap_angle(angle) / joint->scale) - now;
    }
    ik_move_apply(it, it->variable_of[index], &move, q);
}

/* ---- joints and the tools that they carry ----------------------------------- */

void ik_refresh(ik_iteration *it, const double *q)
{
    const lb_transform base = LB_TRANSFORM_IDENTITY;
    kernel_forward(&it->problem.tree, &base, q, it->frames);
    ik_place_tools(it);
}

static double error_at(ik_iteration *it, const double *q)
{
    double sum = 0;
    kernel_evaluate(&it->problem, it->control, q, it->targets, it->frames, it->error, it->jacobian);
    for (int r = 0; r < it->problem.rows; r++)
        sum += it->error[r] * it->error[r];
    return sum;
}

/*
 * Several joints follow one number: there is no closed form. A Gauss-Newton step of that number,
 * halved until it reduces the error.
 */
static ik_move shared_move(ik_iteration *it, int variable, double *q)
{
    const kernel_variable *x = &it->problem.variables[variable];
    int rows = it->problem.rows;
    double before = error_at(it, q), from = q[x->q], force = 0, mass = 0;
    const double *column = &it->jacobian[x->v * rows];
    for (int r = 0; r < rows; r++) {
        force += column[r] * it->error[r];
        mass += column[r] * column[r];
    }
    ik_move move = {.step = mass > 0 ? force / mass : 0};
    double most = it->is_length[variable] ? it->length_limit : it->angle_limit;
    move.step = scalar_min(scalar_max(move.step, scalar_max(x->lower - from, -most)),
                           scalar_min(x->upper - from, most));
    for (int k = 0; k < HALVINGS; k++, move.step *= 0.5) {
        q[x->q] = from + move.step;
        move.gain = before - error_at(it, q);
        if (move.gain >= 0)
            break;
    }
    if (move.gain < 0)
        move = (ik_move){0};
    q[x->q] = from;
    ik_refresh(it, q);
    return move;
}

ik_move ik_best_move(ik_iteration *it, int variable, double *q)
{
    int joint = it->joint_of[variable], tasks = it->problem.task_count;
    if (joint < 0)
        return shared_move(it, variable, q);
    const lb_transform *frame = &it->frames[joint];
    int parent = it->joints[joint].parent;
    ik_pull pull = {0};
    for (int t = 0; t < tasks; t++)
        if (it->carries[joint * tasks + t])
            ik_pull_add_task(&pull, &it->problem.tasks[t], frame->p, &it->tools[t],
                             &it->targets[t]);
    return ik_optimum(it, joint, &pull, frame, parent < 0 ? NULL : &it->frames[parent], q);
}

/* moves the tools that a joint carries */
static void move_tools(ik_iteration *it, int joint, lb_quat turn, lb_vec3 shift)
{
    int tasks = it->problem.task_count;
    lb_vec3 origin = it->frames[joint].p;
    for (int t = 0; t < tasks; t++) {
        lb_transform *tool = &it->tools[t];
        if (!it->carries[joint * tasks + t])
            continue;
        lb_vec3 arm = lb_quat_rotate(turn, lb_vec3_sub(tool->p, origin));
        tool->p = lb_vec3_add(lb_vec3_add(origin, arm), shift);
        if (it->problem.tasks[t].goal.rotation) {
            tool->x = lb_quat_rotate(turn, tool->x);
            tool->y = lb_quat_rotate(turn, tool->y);
            tool->z = lb_quat_rotate(turn, tool->z);
        }
    }
}

ik_move ik_optimize(ik_iteration *it, int variable, double *q)
{
    ik_move move = ik_best_move(it, variable, q);
    int joint = it->joint_of[variable];
    ik_move_apply(it, variable, &move, q);
    if (joint < 0) {
        ik_refresh(it, q);
        return move;
    }
    const kernel_joint *j = &it->joints[joint];
    const lb_transform *frame = &it->frames[joint];
    double step = move.step * j->scale;
    if (j->kind == KERNEL_PRISMATIC) {
        move_tools(it, joint, LB_QUAT_IDENTITY, lb_vec3_scale(frame->z, step));
    } else if (j->kind == KERNEL_REVOLUTE) {
        move_tools(it, joint, lb_quat_from_axis_angle(frame->z, step), lb_vec3_make(0, 0, 0));
    } else {
        bool reversed = j->scale < 0;
        const lb_transform *axes = reversed ? &it->frames[j->parent] : frame;
        move_tools(it, joint, from_ball(axes, reversed, move.turn), lb_vec3_make(0, 0, 0));
    }
    return move;
}
