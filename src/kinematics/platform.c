/*
 * platform.c - all assemblies of a platform: two bodies that six legs join.
 *
 * A leg is a rod whose length the independent joints give: a slide, or an arm that a motor turns
 * and a rod on it. The rods' lengths make the platform's poses (platform_poses.c), and where their
 * ends are follow the values of all joints. Everything is a motion from a reference configuration
 * that has the independent joints' values.
 */
#include "kinematics/platform.h"
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

static int count_edges(const lb_assembly *a, int body)
{
    int count = 0;
    for (int i = next_edge(a, body, -1); i >= 0; i = next_edge(a, body, i))
        count++;
    return count;
}

/* the body that six legs join to the first; 0: there is none, or some body has not two joints */
static int find_top(const lb_assembly *a)
{
    int top = 0;
    for (int b = 0; b < a->body_count; b++) {
        int count = count_edges(a, b);
        if (count == PLATFORM_LEGS + 1 && top == 0)
            top = b;
        else if (count != (b == 0 ? PLATFORM_LEGS + 1 : 2))
            return 0;
    }
    return top;
}

/* the leg whose edges from a hub on are these, the last one a ball; false: it is none */
static bool set_leg(const lb_assembly *a, int hub, int other, const int *edges, int count,
                    platform_leg *leg)
{
    const planar_edge *first = &a->edges[edges[0]];
    *leg = (platform_leg){.hub = hub, .rod = hub, .other = other, .swivel_count = count - 1};
    leg->ball = edges[count - 1];
    for (int i = 0; i + 1 < count; i++) {
        const planar_edge *e = &a->edges[leg->swivel[i] = edges[i]];
        if (e->bodies[0] != leg->rod || e->joint < 0 || (count == 3 && !edge_turns(a, e)))
            return false;
        leg->rod = e->bodies[1];
    }
    return edge_is_ball(a, &a->edges[leg->ball]) &&
           (count == 3 || is_kind(a, first, LB_JOINT_UNIVERSAL) || edge_is_ball(a, first));
}

/* the leg that begins with an edge of the first body */
static bool find_leg(const lb_assembly *a, int top, int edge, platform_leg *leg)
{
    int edges[3], back[3], count = 0, body = 0;
    for (; body != top; count++) {
        if (count == 3 || (count > 0 && body == 0))
            return false;
        const planar_edge *e = &a->edges[edges[count] = edge];
        body = e->bodies[0] == body ? e->bodies[1] : e->bodies[0];
        int other = next_edge(a, body, -1);
        edge = other == edge ? next_edge(a, body, other) : other;
    }
    for (int i = 0; i < count; i++)
        back[i] = edges[count - 1 - i];
    return count > 1 &&
           (set_leg(a, 0, top, edges, count, leg) || set_leg(a, top, 0, back, count, leg));
}

bool platform_plan(lb_assembly *a)
{
    int top = find_top(a), count = 0;
    bool known = top > 0;
    for (int i = next_edge(a, 0, -1); known && i >= 0; i = next_edge(a, 0, i))
        known = find_leg(a, top, i, &a->legs[count++]);
    return known;
}

/* ---- legs at the reference ------------------------------------------------ */

/* A leg at the reference: the swivel's point and axes, the rod's end and where the ball is on the
   other body. */
typedef struct leg_place {
    lb_vec3 center, axes[2], rod, ball;
} leg_place;

/* a joint's frame in the world, before it moves */
static lb_transform frame_of(const lb_assembly *a, int joint)
{
    const lb_transform *links = lb_state_transforms(a->state);
    return lb_transform_multiply(&links[a->model->link_layouts[joint + 1].parent],
                                 &a->model->joints[joint].placement);
}

/* where two axes that turn meet; false: nowhere, or they are parallel */
static bool cross_axes(const lb_assembly *a, leg_place *at, lb_vec3 first, lb_vec3 second)
{
    const double parallel = 1e-6, rounding = 1e-9;
    lb_vec3 normal = lb_vec3_cross(at->axes[0], at->axes[1]), off = lb_vec3_sub(second, first);
    double square = lb_vec3_dot(normal, normal);
    if (square < parallel * parallel || fabs(lb_vec3_dot(off, normal)) > rounding * a->size)
        return false;
    double along = lb_vec3_dot(lb_vec3_cross(off, at->axes[1]), normal) / square;
    at->center = lb_vec3_add(first, lb_vec3_scale(at->axes[0], along));
    return true;
}

/* false: its axes do not meet */
static bool place_leg(const lb_assembly *a, const platform_leg *leg, leg_place *at)
{
    const lb_transform *links = lb_state_transforms(a->state);
    const planar_edge *ball = &a->edges[leg->ball];
    int joint = a->edges[leg->swivel[0]].joint,
        last = a->edges[leg->swivel[leg->swivel_count - 1]].joint;
    const lb_joint *joints = a->model->joints;
    lb_transform frame = frame_of(a, joint);
    if (ball->joint >= 0) {
        at->rod = at->ball = links[ball->joint + 1].p;
    } else {
        const lb_loop *loop = &a->model->loops[ball->loop];
        const model_loop *ends = &a->model->loop_layouts[ball->loop];
        at->rod = lb_transform_point(&links[ends->first], loop->first_frame.p);
        at->ball = lb_transform_point(&links[ends->second], loop->second_frame.p);
        if (ball->bodies[0] != leg->rod) {
            lb_vec3 first = at->rod;
            at->rod = at->ball;
            at->ball = first;
        }
    }
    at->center = frame.p;
    at->axes[0] = lb_transform_direction(&frame, joints[joint].axis);
    at->axes[1] = lb_transform_direction(&links[last + 1],
                                         joint == last ? joints[last].axis2 : joints[last].axis);
    return joint == last || cross_axes(a, at, frame.p, links[last + 1].p);
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
    // twice the rounding of squares that are rounded a hundred times
    const double rounding = 1e-13;
    double cosine = lb_vec3_dot(axes[0], axes[1]), square = 1 - cosine * cosine;
    double first = lb_vec3_dot(axes[0], w), second = lb_vec3_dot(axes[1], u);
    double x = (first - cosine * second) / square, y = (second - cosine * first) / square;
    double left = lb_vec3_dot(u, u) - x * x - y * y - 2 * x * y * cosine;
    if (!(left > -rounding * lb_vec3_dot(u, u)) || !(square > 0))
        return false;
    lb_vec3 flat = lb_vec3_add(lb_vec3_scale(axes[0], x), lb_vec3_scale(axes[1], y));
    lb_vec3 up = lb_vec3_scale(lb_vec3_cross(axes[0], axes[1]), sqrt(fmax(left, 0) / square));
    for (int way = 0; way < 2; way++) {
        lb_vec3 between = way == 0 ? lb_vec3_add(flat, up) : lb_vec3_sub(flat, up);
        angles[way][1] = angle_about(axes[1], u, between);
        angles[way][0] = angle_about(axes[0], between, w);
    }
    return true;
}

/* the number of a->trial that an axis of a leg's swivel is */
static int axis_value(const lb_assembly *a, const platform_leg *leg, int axis)
{
    bool two = leg->swivel_count == 2;
    int joint = a->edges[leg->swivel[two ? axis : 0]].joint;
    return a->model->joint_layouts[joint].q + (two ? 0 : axis);
}

/* points a rod by its two axes, of two ways that inside the limits, or else the nearer one; returns
   its turn. false: it cannot point there */
static bool turn_swivel(lb_assembly *a, const platform_leg *leg, const leg_place *at, lb_vec3 u,
                        lb_vec3 w, lb_quat *turn)
{
    double angles[2][2], best = INFINITY;
    if (!point_axes(at->axes, u, w, angles))
        return false;
    for (int way = 0; way < 2; way++) {
        double values[2], cost = 0;
        for (int axis = 0; axis < 2; axis++) {
            int i = axis_value(a, leg, axis);
            const model_part *part = model_part_at(a->model, i);
            values[axis] = assembly_turn_inside(part, a->base[i] + angles[way][axis]);
            // more than turns are
            bool outside = values[axis] < part->lower || values[axis] > part->upper;
            cost += fabs(angles[way][axis]) + (outside ? 4 * LB_PI : 0);
        }
        if (cost >= best)
            continue;
        best = cost;
        *turn = lb_quat_multiply(lb_quat_from_axis_angle(at->axes[0], angles[way][0]),
                                 lb_quat_from_axis_angle(at->axes[1], angles[way][1]));
        for (int axis = 0; axis < 2; axis++)
            a->trial[axis_value(a, leg, axis)] = values[axis];
    }
    return true;
}

/* moves a rod so that it ends where its ball is */
static bool move_rod(lb_assembly *a, const platform_leg *leg, const leg_place *at)
{
    const lb_transform *hub = &a->motions[leg->hub];
    lb_vec3 ball = lb_transform_point(&a->motions[leg->other], at->ball);
    lb_transform back = lb_transform_inverse(hub);
    lb_vec3 u = lb_vec3_sub(at->rod, at->center),
            w = lb_vec3_sub(lb_transform_point(&back, ball), at->center);
    lb_quat turn;
    if (edge_is_ball(a, &a->edges[leg->swivel[0]])) {
        // the shortest way
        lb_vec3 axis = lb_vec3_normalize(lb_vec3_cross(u, w), lb_vec3_perpendicular(u));
        turn = lb_quat_from_axis_angle(axis, angle_about(axis, u, w));
    } else if (!turn_swivel(a, leg, at, u, w, &turn)) {
        return false;
    }
    lb_transform about = lb_transform_from_quat(turn, at->center);
    about.p = lb_vec3_sub(at->center, lb_transform_direction(&about, at->center));
    a->motions[leg->rod] = lb_transform_multiply(hub, &about);
    return true;
}

/* the values of a floating or ball joint between bodies that have moved */
static void read_free(lb_assembly *a, const planar_edge *e)
{
    double *q = &a->trial[a->model->joint_layouts[e->joint].q];
    lb_transform frame = frame_of(a, e->joint);
    lb_transform parent = lb_transform_multiply(&a->motions[e->bodies[0]], &frame);
    lb_transform child = lb_transform_multiply(&a->motions[e->bodies[1]],
                                               &lb_state_transforms(a->state)[e->joint + 1]);
    lb_transform moved = lb_transform_between(&parent, &child);
    lb_quat turn = lb_transform_quat(&moved);
    if (a->model->joints[e->joint].kind == LB_JOINT_FLOATING) {
        memcpy(q, (double[]){moved.p.x, moved.p.y, moved.p.z}, 3 * sizeof *q);
        q += 3;
    }
    memcpy(q, (double[]){turn.w, turn.x, turn.y, turn.z}, 4 * sizeof *q);
}

/* a->trial for a motion of the platform; false: a rod cannot point where it should */
static bool read_pose(lb_assembly *a, const leg_place *places, const lb_transform *motion)
{
    int top = a->legs[0].hub + a->legs[0].other;
    memcpy(a->trial, a->base, sizeof(double) * (size_t)a->nq);
    a->motions[0] = LB_TRANSFORM_IDENTITY;
    a->motions[top] = *motion;
    for (int l = 0; l <= PLATFORM_LEGS; l++)
        if (!move_rod(a, &a->legs[l], &places[l]))
            return false;
    for (int i = 0; i < a->edge_count; i++)
        if (is_kind(a, &a->edges[i], LB_JOINT_FLOATING) || is_kind(a, &a->edges[i], LB_JOINT_BALL))
            read_free(a, &a->edges[i]);
    return true;
}

bool platform_list(lb_assembly *a, assembly_list *list)
{
    leg_place places[PLATFORM_LEGS + 1];
    platform_ends ends;
    lb_transform motions[TRACK_PATHS];
    for (int l = 0; l <= PLATFORM_LEGS; l++) {
        if (!place_leg(a, &a->legs[l], &places[l]))
            return false;
        bool up = a->legs[l].hub == 0;
        ends.base[l] = up ? places[l].center : places[l].ball;
        ends.top[l] = up ? places[l].ball : places[l].center;
        ends.length[l] = lb_vec3_length(lb_vec3_sub(places[l].rod, places[l].center));
    }
    int count = platform_poses(&ends, motions, &list->certain);
    for (int i = 0; i < count; i++) {
        // closing measures other states
        lb_state_update(a->state, a->base);
        if (read_pose(a, places, &motions[i]))
            assembly_keep(a, list);
    }
    return true;
}
