/*
 * outcomes.c - what tasks lack, by the model's own forward kinematics.
 *
 * Shares nothing with the kernel that solved them: link transforms come from an lb_state, and
 * angles from inverse trigonometric functions.
 */
#include "ik/body/solver.h"

/* ---- where things are --------------------------------------------------------- */

static lb_transform link_at(const lb_body *body, int link)
{
    return lb_state_transform(body->state, LB_WORLD, link);
}

/* the tool in world axes */
static lb_transform tool_at(const lb_body *body, const lb_body_task *task)
{
    lb_transform link = link_at(body, task->link), tool;
    tool = lb_transform_multiply(&link, &task->tool);
    return tool;
}

static lb_vec3 center_at(const lb_body *body)
{
    lb_vec3 center;
    lb_state_center_of_mass(body->state, &center, NULL);
    return center;
}

/* a target that the tool looks at, a metre ahead, or points along */
static lb_transform ahead(const lb_body_task *task, const lb_transform *tool)
{
    lb_vec3 axis = lb_vec3_normalize(task->axis, lb_vec3_make(0, 0, 1));
    lb_transform at = *tool;
    at.z = lb_transform_direction(tool, axis);
    at.x = lb_vec3_perpendicular(at.z);
    at.y = lb_vec3_cross(at.z, at.x);
    if (task->kind == LB_BODY_LOOK_AT)
        at.p = lb_vec3_add(tool->p, at.z);
    return at;
}

lb_transform body_tool(const lb_body *body, int t)
{
    const lb_body_task *task = &body->tasks[t];
    lb_transform at = LB_TRANSFORM_IDENTITY;
    if (body_is_center(task->kind))
        at.p = center_at(body);
    else if (body_has_link(task->kind))
        at = tool_at(body, task);
    if (task->kind == LB_BODY_LOOK_AT || task->kind == LB_BODY_DIRECTION)
        at = ahead(task, &at);
    if (!body_has_target(task->kind) || task->kind == LB_BODY_POLE || task->base < 0)
        return at;
    lb_transform base = link_at(body, task->base);
    return lb_transform_between(&base, &at);
}

/* ---- errors ------------------------------------------------------------------- */

static double outside(double x, double box)
{
    return fmax(fabs(x) - box, 0);
}

/* of the origins along the axes of the target that count */
static double position_error(const lb_body_task *task, const lb_transform *goal, lb_vec3 at)
{
    lb_vec3 d = lb_vec3_sub(at, goal->p);
    double x = outside(lb_vec3_dot(d, goal->x), task->box.x);
    double y = outside(lb_vec3_dot(d, goal->y), task->box.y);
    double z = outside(lb_vec3_dot(d, goal->z), task->box.z);
    if (task->kind == LB_BODY_ON_LINE)
        z = 0;
    if (task->kind == LB_BODY_ON_PLANE)
        x = y = 0;
    return sqrt(x * x + y * y + z * z);
}

static double angle_between(lb_vec3 a, lb_vec3 b)
{
    return lb_atan2(lb_vec3_length(lb_vec3_cross(a, b)), lb_vec3_dot(a, b));
}

static double direction_error(const lb_body_task *task, const lb_transform *goal,
                              const lb_transform *tool)
{
    lb_vec3 axis = lb_vec3_normalize(task->axis, lb_vec3_make(0, 0, 1));
    lb_vec3 now = lb_transform_direction(tool, axis), wanted = goal->z;
    if (task->kind == LB_BODY_LOOK_AT) {
        wanted = lb_vec3_sub(goal->p, tool->p);
        if (!(lb_vec3_length(wanted) > 1e-9))
            return 0;
    }
    return fmax(angle_between(now, wanted) - task->cone, 0);
}

/* the part of p that is across the line from a along h */
static lb_vec3 across(lb_vec3 p, lb_vec3 a, lb_vec3 h)
{
    lb_vec3 d = lb_vec3_sub(p, a);
    return lb_vec3_sub(d, lb_vec3_scale(h, lb_vec3_dot(d, h)));
}

static double pole_error(const lb_body *body, const lb_body_task *task, const lb_transform *goal)
{
    lb_vec3 a = lb_state_point(body->state, task->first, LB_WORLD, task->first_point);
    lb_vec3 c = lb_state_point(body->state, task->last, LB_WORLD, task->last_point);
    lb_vec3 line = lb_vec3_sub(c, a), h = lb_vec3_normalize(line, lb_vec3_make(0, 0, 1));
    lb_vec3 middle = across(tool_at(body, task).p, a, h), pole = across(goal->p, a, h);
    // as solved: a side fades out where the limb is nearly straight
    double faint = 0.02 * lb_vec3_length(line);
    double fade = fmin(lb_vec3_length(middle) / faint, 1) * fmin(lb_vec3_length(pole) / faint, 1);
    return fade > 0 ? angle_between(middle, pole) * sqrt(fade) : 0;
}

/* how far a point of the plane is from a convex polygon */
static double polygon_distance(const kernel_body_task *task, double x, double y)
{
    double least = INFINITY;
    bool inside = true;
    for (int i = 0; i < task->vertex_count; i++) {
        const double *a = task->vertices[i], *b = task->vertices[(i + 1) % task->vertex_count];
        double ex = b[0] - a[0], ey = b[1] - a[1], px = x - a[0], py = y - a[1];
        double length2 = ex * ex + ey * ey;
        double share = length2 > 0 ? fmin(fmax((px * ex + py * ey) / length2, 0), 1) : 0;
        double nx = px - share * ex, ny = py - share * ey;
        least = fmin(least, sqrt(nx * nx + ny * ny));
        inside = inside && ex * py - ey * px >= 0;
    }
    return inside ? 0 : least;
}

static double support_error(const lb_body *body, int t, const lb_transform *goal)
{
    lb_vec3 from = lb_vec3_sub(center_at(body), goal->p);
    return polygon_distance(&body->kernel_tasks[t], lb_vec3_dot(from, goal->x),
                            lb_vec3_dot(from, goal->y));
}

/* the largest difference of a joint's values from what is wanted */
static double joint_error(const lb_body *body, const lb_body_task *task)
{
    const lb_model *model = body->model;
    const model_joint *joint = &model->joint_layouts[task->joint];
    const double *q = lb_state_configuration(body->state);
    double most = 0;
    for (int i = joint->part; i < joint->part + joint->part_count; i++) {
        const model_part *part = &model->parts[i];
        const double *now = q + part->q, *wanted = body->values + part->q;
        double error = now[0] - wanted[0];
        if (part->kind == MODEL_TURN)
            error = lb_wrap_angle(error);
        if (part->kind == MODEL_BALL) {
            lb_quat a = {now[0], now[1], now[2], now[3]};
            lb_quat b = {wanted[0], wanted[1], wanted[2], wanted[3]};
            error = lb_vec3_length(lb_quat_log(lb_quat_multiply(lb_quat_conjugate(a), b)));
        }
        most = fmax(most, outside(error, task->cone));
    }
    return most;
}

static lb_body_outcome measure(const lb_body *body, int t, const lb_transform *goal)
{
    const lb_body_task *task = &body->tasks[t];
    lb_body_outcome out = {0};
    lb_transform tool;
    switch (task->kind) {
    case LB_BODY_POSE:
    case LB_BODY_CONTACT:
    case LB_BODY_ORIENTATION:
        tool = tool_at(body, task);
        out.rotation_error = fmax(lb_transform_angle(&tool, goal) - task->cone, 0);
        if (task->kind != LB_BODY_ORIENTATION)
            out.position_error = position_error(task, goal, tool.p);
        break;
    case LB_BODY_POSITION:
    case LB_BODY_ON_LINE:
    case LB_BODY_ON_PLANE:
        out.position_error = position_error(task, goal, tool_at(body, task).p);
        break;
    case LB_BODY_LOOK_AT:
    case LB_BODY_DIRECTION:
        tool = tool_at(body, task);
        out.rotation_error = direction_error(task, goal, &tool);
        break;
    case LB_BODY_POLE:
        out.rotation_error = pole_error(body, task, goal);
        break;
    case LB_BODY_CENTER_OF_MASS:
        out.position_error = position_error(task, goal, center_at(body));
        break;
    case LB_BODY_SUPPORT:
        out.position_error = support_error(body, t, goal);
        break;
    case LB_BODY_JOINT:
        out.rotation_error =
            body_is_coupling(body, t) ? body_coupling_error(body, t) : joint_error(body, task);
        break;
    case LB_BODY_DISTANCE:
        out.position_error = body_distance_error(body, t);
        break;
    case LB_BODY_KIND_COUNT:
        break;
    }
    return out;
}

lb_body_outcome body_task_outcome(const lb_body *body, int t, const lb_transform *target)
{
    const lb_body_task *task = &body->tasks[t];
    lb_transform goal = *target;
    if (task->base >= 0 && task->kind != LB_BODY_POLE && body_has_target(task->kind)) {
        lb_transform base = link_at(body, task->base);
        goal = lb_transform_multiply(&base, target);
    }
    lb_body_outcome out = measure(body, t, &goal);
    // what keeps apart has none: its descent goes for more
    double position = task->kind == LB_BODY_DISTANCE ? 0 : body_position_tolerance(body, task);
    out.reached = task->weight <= 0 || (out.position_error <= position &&
                                        out.rotation_error <= body_rotation_tolerance(body, task));
    return out;
}
