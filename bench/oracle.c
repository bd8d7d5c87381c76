/* oracle.c - frames by 4x4 matrices, Rodrigues' formula and libm; errors and limits from these. */
#include "oracle.h"

/* ---- frames --------------------------------------------------------------- */

typedef struct matrix {
    double at[4][4];
} matrix;

static matrix product(const matrix *a, const matrix *b)
{
    matrix c = {0};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                c.at[i][j] += a->at[i][k] * b->at[k][j];
    return c;
}

static matrix from_transform(const lb_transform *t)
{
    matrix m = {{{t->x.x, t->y.x, t->z.x, t->p.x},
                 {t->x.y, t->y.y, t->z.y, t->p.y},
                 {t->x.z, t->y.z, t->z.z, t->p.z},
                 {0, 0, 0, 1}}};
    return m;
}

static lb_transform to_transform(const matrix *m)
{
    lb_transform t = {{m->at[0][0], m->at[1][0], m->at[2][0]},
                      {m->at[0][1], m->at[1][1], m->at[2][1]},
                      {m->at[0][2], m->at[1][2], m->at[2][2]},
                      {m->at[0][3], m->at[1][3], m->at[2][3]}};
    return t;
}

/* Rodrigues: R = c I + s [a] + (1 - c) a a^T. */
static matrix turn(lb_vec3 a, double angle)
{
    double c = cos(angle), s = sin(angle), d = 1 - c;
    matrix m = {{{c + d * a.x * a.x, d * a.x * a.y - s * a.z, d * a.x * a.z + s * a.y, 0},
                 {d * a.x * a.y + s * a.z, c + d * a.y * a.y, d * a.y * a.z - s * a.x, 0},
                 {d * a.x * a.z - s * a.y, d * a.y * a.z + s * a.x, c + d * a.z * a.z, 0},
                 {0, 0, 0, 1}}};
    return m;
}

static matrix translation(lb_vec3 a, double length)
{
    matrix m = {
        {{1, 0, 0, a.x * length}, {0, 1, 0, a.y * length}, {0, 0, 1, a.z * length}, {0, 0, 0, 1}}};
    return m;
}

/* The quaternion p of any length as axis and angle. */
static matrix ball(const double *p)
{
    lb_vec3 v = {p[1], p[2], p[3]};
    double length = lb_vec3_length(v);
    lb_vec3 axis = length > 0 ? lb_vec3_scale(v, 1 / length) : lb_vec3_make(1, 0, 0);
    return turn(axis, 2 * atan2(length, p[0]));
}

/* A(value) of a joint, by the table of kinds in model.h. */
static matrix articulation(const lb_joint *joint, const double *value)
{
    const lb_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    lb_vec3 a = joint->axis, b = joint->axis2;
    matrix first = translation(a, 0), second = first, third = first, last = first;
    switch (joint->kind) {
    case LB_JOINT_REVOLUTE:
    case LB_JOINT_CONTINUOUS:
        first = turn(a, value[0]);
        break;
    case LB_JOINT_PRISMATIC:
        first = translation(a, value[0]);
        break;
    case LB_JOINT_UNIVERSAL:
        first = turn(a, value[0]);
        second = turn(b, value[1]);
        break;
    case LB_JOINT_PLANAR:
        first = translation(b, value[0]);
        second = translation(lb_vec3_cross(a, b), value[1]);
        third = turn(a, value[2]);
        break;
    case LB_JOINT_BALL:
        first = ball(value);
        break;
    case LB_JOINT_FLOATING:
        first = translation(x, value[0]);
        second = translation(y, value[1]);
        third = translation(z, value[2]);
        last = ball(&value[3]);
        break;
    default:
        break;
    }
    first = product(&first, &second);
    third = product(&third, &last);
    return product(&first, &third);
}

void oracle_forward(const lb_model *model, const double *q, lb_transform *links)
{
    links[0] = lb_model_root(model);
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        double m, b, follower;
        int at = lb_model_joint_q(model, j);
        const double *value = at < 0 ? q : &q[at];
        if (lb_model_joint_mimic(model, j, &m, &b) >= 0) {
            follower = m * value[0] + b;
            value = &follower;
        }

        const lb_joint *joint = lb_model_joint(model, j);
        matrix parent = from_transform(&links[lb_model_parent(model, j + 1)]);
        matrix place = from_transform(&joint->placement);
        matrix moved = articulation(joint, value);
        moved = product(&place, &moved);
        moved = product(&parent, &moved);
        links[j + 1] = to_transform(&moved);
    }
}

/* ---- tasks ---------------------------------------------------------------- */

lb_transform oracle_tool(const lb_model *model, const lb_task *task, const double *q,
                         lb_transform *links)
{
    oracle_forward(model, q, links);
    lb_transform base = task->base < 0 ? LB_TRANSFORM_IDENTITY : links[task->base];
    lb_transform base_tip = lb_transform_between(&base, &links[task->tip]);
    return lb_transform_multiply(&base_tip, &task->tool);
}

/* the angle between two directions from their distance 2 sin(t / 2) */
static double angle_of_chord(double chord)
{
    return 2 * asin(fmin(chord / 2, 1));
}

/* of axes: |A - B|^2 over all nine numbers is 8 sin^2(t / 2) */
static double axes_angle(const lb_transform *a, const lb_transform *b)
{
    double x = lb_vec3_length(lb_vec3_sub(a->x, b->x));
    double y = lb_vec3_length(lb_vec3_sub(a->y, b->y));
    double z = lb_vec3_length(lb_vec3_sub(a->z, b->z));
    return angle_of_chord(sqrt((x * x + y * y + z * z) / 2));
}

/* how far a tool is from the target's origin, line or plane: seen from the target */
static double distance(const lb_transform *tool, const lb_transform *target, unsigned free)
{
    lb_vec3 at = lb_transform_between(target, tool).p;
    double x = free & LB_FREE_X ? 0 : at.x, y = free & LB_FREE_Y ? 0 : at.y;
    double z = free & LB_FREE_Z ? 0 : at.z;
    return sqrt(x * x + y * y + z * z);
}

void oracle_errors(const lb_model *model, const lb_task *tasks, int n, const double *q,
                   const lb_transform *targets, lb_transform *links, double *position_error,
                   double *rotation_error)
{
    *position_error = *rotation_error = 0;
    for (int i = 0; i < n; i++) {
        const lb_task *task = &tasks[i];
        lb_transform tool = oracle_tool(model, task, q, links);
        double position = distance(&tool, &targets[i], task->free_position);
        double rotation = axes_angle(&tool, &targets[i]);
        double length = lb_vec3_length(task->free_axis);
        if (length > 0) {
            lb_vec3 axis = lb_vec3_scale(task->free_axis, 1 / length);
            lb_vec3 apart = lb_vec3_sub(lb_transform_direction(&tool, axis),
                                        lb_transform_direction(&targets[i], axis));
            rotation = angle_of_chord(lb_vec3_length(apart));
        }
        if (task->kind != LB_TASK_ROTATION)
            *position_error = fmax(*position_error, position);
        if (task->kind != LB_TASK_POSITION)
            *rotation_error = fmax(*rotation_error, rotation);
    }
}

/* ---- limits --------------------------------------------------------------- */

/* how far a number is outside an interval */
static double beyond(double x, double lower, double upper)
{
    return fmax(0, fmax(lower - x, x - upper));
}

/*
 * A ball's quaternion is swing * twist about `axis`: the twist's angle, and the angle
 * between the axis before and after.
 */
static double ball_excess(const lb_joint *joint, const double *q)
{
    lb_vec3 v = {q[1], q[2], q[3]}, a = joint->axis;
    double twist = 2 * atan2(lb_vec3_dot(v, a), q[0]);
    if (twist > LB_PI)
        twist -= 2 * LB_PI;
    if (twist < -LB_PI)
        twist += 2 * LB_PI;
    double along = lb_vec3_dot(v, a);
    double swing =
        2 * atan2(lb_vec3_length(lb_vec3_cross(v, a)), sqrt(q[0] * q[0] + along * along));
    // at half a turn of swing the twist is not determined
    double excess = beyond(swing, 0, joint->upper[1]);
    if (swing > LB_PI - 1e-6)
        return excess;
    // limits beyond reach go round: 2 to 4 leaves -3
    double around = fmin(beyond(twist, joint->lower[0], joint->upper[0]),
                         fmin(beyond(twist + 2 * LB_PI, joint->lower[0], joint->upper[0]),
                              beyond(twist - 2 * LB_PI, joint->lower[0], joint->upper[0])));
    return fmax(excess, around);
}

static double joint_excess(const lb_model *model, int j, const double *q)
{
    const lb_joint *joint = lb_model_joint(model, j);
    int at = lb_model_joint_q(model, j);
    double m, b, excess = 0;
    if (at < 0)
        return 0;
    if (lb_model_joint_mimic(model, j, &m, &b) >= 0)
        return beyond(m * q[at] + b, joint->lower[0], joint->upper[0]);
    if (joint->kind == LB_JOINT_BALL)
        return ball_excess(joint, &q[at]);
    if (joint->kind == LB_JOINT_CONTINUOUS)
        return 0;
    int limited = lb_joint_kind_nv(joint->kind) < 3 ? lb_joint_kind_nv(joint->kind) : 3;
    for (int i = 0; i < limited; i++)
        excess = fmax(excess, beyond(q[at + i], joint->lower[i], joint->upper[i]));
    return excess;
}

double oracle_limit_excess(const lb_model *model, const double *q)
{
    double excess = 0;
    for (int i = 0; i < lb_model_nq(model); i++)
        if (!isfinite(q[i]))
            return INFINITY;
    for (int j = 0; j < lb_model_joint_count(model); j++)
        excess = fmax(excess, joint_excess(model, j, q));
    return excess;
}
