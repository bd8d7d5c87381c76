/*
 * platform.c - all assemblies of a platform: two bodies that six legs join.
 *
 * A leg is a rod whose length the independent joints give: a slide, or a rod on an arm that a motor
 * turns. The rods' lengths make the platform's poses (platform_poses.c), and where their ends are
 * follow the values of all joints. Everything is a motion from a reference configuration that has
 * the independent joints' values.
 */
#include "kinematics/assembly.h"
#include "kinematics/state.h"

#include <string.h>

/* ---- which bodies and joints -------------------------------------------- */

static bool is_kind(const lb_assembly *a, const planar_edge *e, lb_joint_kind kind)
{
    return e->joint >= 0 && a->model->joints[e->joint].kind == kind;
}

/* the next edge of a body after one of them that no floating joint is; -1: none */
static int next_edge(const lb_assembly *a, int body, int after)
{
    for (int i = after + 1; i < a->edge_count; i++) {
        const planar_edge *e = &a->edges[i];
        if ((e->bodies[0] == body || e->bodies[1] == body) && !is_kind(a, e, LB_JOINT_FLOATING))
            return i;
    }
    return -1;
}

/* the leg whose edges from a body on are these, the last one a ball; false: it is none */
static bool set_leg(const lb_assembly *a, int hub, int other, const int *edges, int count,
                    platform_leg *leg)
{
    const planar_edge *first = &a->edges[edges[0]];
    *leg = (platform_leg){.hub = hub, .rod = hub, .other = other, .ball = edges[count - 1]};
    for (int i = 0; i + 1 < count; i++) {
        const planar_edge *e = &a->edges[edges[i]];
        if (e->bodies[0] != leg->rod || e->joint < 0 || (count == 3 && !edge_turns(a, e)))
            return false;
        leg->rod = e->bodies[1];
        leg->joints[i] = e->joint;
        leg->values[i] = a->model->joint_layouts[e->joint].q;
    }
    if (count == 2) {
        leg->joints[1] = leg->joints[0];
        leg->values[1] = leg->values[0] + 1;
        leg->spins = edge_is_ball(a, first);
    }
    return edge_is_ball(a, &a->edges[leg->ball]) &&
           (count == 3 || leg->spins || is_kind(a, first, LB_JOINT_UNIVERSAL));
}

/* the leg that begins with an edge of the first body, which has so many edges; 0: there is none */
static int find_leg(const lb_assembly *a, int top, int edge, platform_leg *leg)
{
    int edges[3], back[3], count = 0, body = 0;
    do {
        if (count == 3 || edge < 0)
            return 0;
        const planar_edge *e = &a->edges[edges[count++] = edge];
        body = e->bodies[0] + e->bodies[1] - body;
        int other = next_edge(a, body, -1);
        edge = other == edge ? next_edge(a, body, other) : other;
    } while (body != 0 && body != top);
    for (int i = 0; i < count; i++)
        back[i] = edges[count - 1 - i];
    bool known = body == top && count > 1 &&
                 (set_leg(a, 0, top, edges, count, leg) || set_leg(a, top, 0, back, count, leg));
    return known ? count : 0;
}

/* whether a floating joint hangs on bodies whose places are known with the platform's */
static bool hangs(const lb_assembly *a, int top, const planar_edge *e)
{
    int known = 0;
    for (int end = 0; end < 2; end++) {
        bool rod = e->bodies[end] == 0 || e->bodies[end] == top;
        for (int l = 0; l <= PLATFORM_LEGS; l++)
            rod = rod || e->bodies[end] == a->legs[l].rod;
        known += rod;
    }
    return known == 2;
}

bool platform_plan(lb_assembly *a)
{
    int top = 0, legs = 0, left = 0;
    for (int b = 0; b < a->body_count; b++) {
        int count = 0;
        for (int i = next_edge(a, b, -1); i >= 0; i = next_edge(a, b, i))
            count++;
        top = count == PLATFORM_LEGS + 1 ? b : top;
        left += count;
    }
    for (int i = next_edge(a, 0, -1); i >= 0; i = next_edge(a, 0, i)) {
        int count = legs <= PLATFORM_LEGS ? find_leg(a, top, i, &a->legs[legs++]) : 0;
        if (count == 0)
            return false;
        left -= 2 * count;
    }
    bool known = legs == PLATFORM_LEGS + 1 && left == 0;
    for (int i = 0; i < a->edge_count && known; i++)
        known = !is_kind(a, &a->edges[i], LB_JOINT_FLOATING) || hangs(a, top, &a->edges[i]);
    return known;
}

/* ---- legs at the reference ------------------------------------------------ */

/* a joint's frame in the world, before it moves */
static lb_transform frame_of(const lb_assembly *a, int joint)
{
    const lb_transform *links = lb_state_transforms(a->state);
    return lb_transform_multiply(&links[a->model->link_layouts[joint + 1].parent],
                                 &a->model->joints[joint].placement);
}

/* the axes of two joints that turn meet; false: nowhere, or they are parallel */
static bool cross_axes(const lb_assembly *a, platform_leg *leg, lb_vec3 second)
{
    const double parallel = 1e-6, rounding = 1e-9;
    lb_vec3 normal = lb_vec3_cross(leg->axes[0], leg->axes[1]);
    lb_vec3 off = lb_vec3_sub(second, leg->center);
    double square = lb_vec3_dot(normal, normal);
    double along = lb_vec3_dot(lb_vec3_cross(off, leg->axes[1]), normal) / square;
    leg->center = lb_vec3_add(leg->center, lb_vec3_scale(leg->axes[0], along));
    return square > parallel * parallel && fabs(lb_vec3_dot(off, normal)) < rounding * a->size;
}

/* false: its axes do not meet */
static bool place_leg(const lb_assembly *a, platform_leg *leg)
{
    const lb_transform *links = lb_state_transforms(a->state);
    const planar_edge *ball = &a->edges[leg->ball];
    const lb_joint *last = &a->model->joints[leg->joints[1]];
    lb_transform frame = frame_of(a, leg->joints[0]);
    bool back = ball->bodies[0] != leg->rod, two = leg->joints[0] != leg->joints[1];
    leg->end = edge_point(a, ball, back);
    leg->target = edge_point(a, ball, !back);
    leg->center = frame.p;
    leg->axes[0] = lb_transform_direction(&frame, a->model->joints[leg->joints[0]].axis);
    leg->axes[1] =
        lb_transform_direction(&links[leg->joints[1] + 1], two ? last->axis : last->axis2);
    return !two || cross_axes(a, leg, links[leg->joints[1] + 1].p);
}

/* ---- configurations ------------------------------------------------------ */

/* the angle by which an axis turns u to v */
static double angle_about(lb_vec3 axis, lb_vec3 u, lb_vec3 v)
{
    double along = lb_vec3_dot(axis, u) * lb_vec3_dot(axis, v);
    return lb_atan2(lb_vec3_dot(axis, lb_vec3_cross(u, v)), lb_vec3_dot(u, v) - along);
}

/* both pairs of angles that turn u to w, by the second axis and then the first (Paden's subproblem
   2); false: there is none */
static bool point_axes(const lb_vec3 axes[2], lb_vec3 u, lb_vec3 w, double angles[2][2])
{
    // a hundred times that of squares
    const double rounding = 1e-13;
    double cosine = lb_vec3_dot(axes[0], axes[1]), square = 1 - cosine * cosine;
    double first = lb_vec3_dot(axes[0], w), second = lb_vec3_dot(axes[1], u);
    double x = (first - cosine * second) / square, y = (second - cosine * first) / square;
    double left = lb_vec3_dot(u, u) - x * x - y * y - 2 * x * y * cosine;
    if (!(left > -rounding * lb_vec3_dot(u, u)) || !(square > 0))
        return false;
    lb_vec3 flat = lb_vec3_add(lb_vec3_scale(axes[0], x), lb_vec3_scale(axes[1], y));
    double up = sqrt(fmax(left, 0) / square);
    for (int way = 0; way < 2; way++, up = -up) {
        lb_vec3 between = lb_vec3_add(flat, lb_vec3_scale(lb_vec3_cross(axes[0], axes[1]), up));
        angles[way][1] = angle_about(axes[1], u, between);
        angles[way][0] = angle_about(axes[0], between, w);
    }
    return true;
}

/* turns u to w by the two axes, of both ways by that inside the limits, or else the nearer one;
   false: they cannot */
static bool turn_axes(lb_assembly *a, const platform_leg *leg, lb_vec3 u, lb_vec3 w, lb_quat *turn)
{
    double angles[2][2], best = INFINITY;
    if (!point_axes(leg->axes, u, w, angles))
        return false;
    for (int way = 0; way < 2; way++) {
        double values[2], cost = 0;
        for (int i = 0; i < 2; i++) {
            const model_part *part = model_part_at(a->model, leg->values[i]);
            double q = values[i] =
                assembly_turn_inside(part, a->base[leg->values[i]] + angles[way][i]);
            // turns are shorter than two together
            cost += fabs(angles[way][i]) + (q < part->lower || q > part->upper ? 4 * LB_PI : 0);
        }
        if (cost >= best)
            continue;
        best = cost;
        *turn = lb_quat_multiply(lb_quat_from_axis_angle(leg->axes[0], angles[way][0]),
                                 lb_quat_from_axis_angle(leg->axes[1], angles[way][1]));
        a->trial[leg->values[0]] = values[0];
        a->trial[leg->values[1]] = values[1];
    }
    return true;
}

/* moves a rod so that its end meets the other body; false: it cannot point there */
static bool move_rod(lb_assembly *a, const platform_leg *leg)
{
    lb_transform back = lb_transform_inverse(&a->motions[leg->hub]);
    lb_vec3 target = lb_transform_point(&a->motions[leg->other], leg->target);
    lb_vec3 u = lb_vec3_sub(leg->end, leg->center);
    lb_vec3 w = lb_vec3_sub(lb_transform_point(&back, target), leg->center);
    lb_vec3 axis = lb_vec3_normalize(lb_vec3_cross(u, w), lb_vec3_perpendicular(u));
    lb_quat turn = lb_quat_from_axis_angle(axis, angle_about(axis, u, w));
    if (!leg->spins && !turn_axes(a, leg, u, w, &turn))
        return false;
    lb_transform about = lb_transform_from_quat(turn, leg->center);
    about.p = lb_vec3_sub(leg->center, lb_transform_direction(&about, leg->center));
    a->motions[leg->rod] = lb_transform_multiply(&a->motions[leg->hub], &about);
    return true;
}

/* the values of a floating or ball joint between bodies that have moved */
static void read_free(lb_assembly *a, const planar_edge *e)
{
    double *q = &a->trial[a->model->joint_layouts[e->joint].q];
    lb_transform parent = frame_of(a, e->joint),
                 child = lb_state_transforms(a->state)[e->joint + 1];
    parent = lb_transform_multiply(&a->motions[e->bodies[0]], &parent);
    child = lb_transform_multiply(&a->motions[e->bodies[1]], &child);
    lb_transform moved = lb_transform_between(&parent, &child);
    lb_quat turn = lb_transform_quat(&moved);
    double values[] = {moved.p.x, moved.p.y, moved.p.z, turn.w, turn.x, turn.y, turn.z};
    if (is_kind(a, e, LB_JOINT_FLOATING))
        memcpy(q, values, sizeof values);
    else
        memcpy(q, values + 3, 4 * sizeof *q);
}

/* a->trial for a motion of the platform; false: a rod cannot point where it should */
static bool read_pose(lb_assembly *a, const lb_transform *motion)
{
    memcpy(a->trial, a->base, sizeof(double) * (size_t)a->nq);
    a->motions[0] = LB_TRANSFORM_IDENTITY;
    a->motions[a->legs[0].hub + a->legs[0].other] = *motion;
    for (int l = 0; l <= PLATFORM_LEGS; l++)
        if (!move_rod(a, &a->legs[l]))
            return false;
    for (int i = 0; i < a->edge_count; i++)
        if (is_kind(a, &a->edges[i], LB_JOINT_FLOATING) || is_kind(a, &a->edges[i], LB_JOINT_BALL))
            read_free(a, &a->edges[i]);
    return true;
}

bool platform_list(lb_assembly *a, assembly_list *list)
{
    lb_transform motions[TRACK_PATHS];
    for (int l = 0; l <= PLATFORM_LEGS; l++)
        if (!place_leg(a, &a->legs[l]))
            return false;
    int count = platform_poses(a->legs, motions, &list->certain);
    for (int i = 0; i < count; i++) {
        // closing measures other states
        lb_state_update(a->state, a->base);
        if (read_pose(a, &motions[i]))
            assembly_keep(a, list);
    }
    return true;
}
