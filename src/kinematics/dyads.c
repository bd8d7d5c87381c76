/*
 * dyads.c - all assemblies of a planar linkage that is made of dyads, in closed form.
 *
 * Links that independent joints hold together are one body. Bodies are known or not; two unknown
 * ones that three joints hold to known ones and to each other are a dyad, the smallest of Assur's
 * groups (Assur 1914). One quadratic equation gives both its places, whichever of its joints slide:
 * circle and circle, line and circle, line and line. So a linkage of n dyads has at most 2^n
 * assemblies, and all are visited.
 *
 * Points are complex numbers of the plane, in the world's axes at a reference configuration that
 * has the independent joints' values; a body's pose is what has become of them since.
 */
#include "kinematics/assembly.h"
#include "kinematics/state.h"

#include <string.h>

/* ---- complex numbers ---------------------------------------------------- */

typedef dyad_point point;

static point sum(point a, point b)
{
    return (point){a.x + b.x, a.y + b.y};
}

static point less(point a, point b)
{
    return (point){a.x - b.x, a.y - b.y};
}

static point times(point a, point b)
{
    return (point){a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

static point scaled(point a, double by)
{
    return (point){a.x * by, a.y * by};
}

static double square(point a)
{
    return a.x * a.x + a.y * a.y;
}

/* of a over b, which is not zero, the direction */
static point turn_of(point a, point b)
{
    point turn = times(a, (point){b.x, -b.y});
    return scaled(turn, 1 / sqrt(square(turn)));
}

static double cross(point a, point b)
{
    return a.x * b.y - a.y * b.x;
}

static double dot(point a, point b)
{
    return a.x * b.x + a.y * b.y;
}

/* ---- which bodies and joints -------------------------------------------- */

/* whether loops determine any of a joint */
static bool is_dependent(const lb_assembly *a, int joint)
{
    int v = a->model->joint_layouts[joint].v, n = lb_joint_kind_nv(a->model->joints[joint].kind);
    bool any = false;
    for (int k = 0; k < n; k++)
        any = any || a->is_dependent[v + k];
    return any;
}

/* the bodies of all links, and the joints between them that are in the tree; false: one of them is
   of no kind that a dyad has */
static bool list_bodies(lb_assembly *a)
{
    const lb_model *model = a->model;
    a->body_of[0] = 0;
    a->body_count = 1;
    a->edge_count = 0;
    for (int i = 1; i < model->link_count; i++) {
        const lb_joint *joint = &model->joints[i - 1];
        int parent = a->body_of[model->link_layouts[i].parent];
        a->body_of[i] = parent;
        if (!is_dependent(a, i - 1))
            continue;
        bool turns = joint->kind == LB_JOINT_REVOLUTE || joint->kind == LB_JOINT_CONTINUOUS;
        if ((!turns && joint->kind != LB_JOINT_PRISMATIC) || joint->mimic)
            return false;
        a->body_of[i] = a->body_count++;
        a->edges[a->edge_count++] = (dyad_edge){
            .bodies = {parent, a->body_of[i]}, .joint = i - 1, .loop = -1, .slides = !turns};
    }
    return true;
}

static bool list_edges(lb_assembly *a)
{
    if (!list_bodies(a))
        return false;
    for (int i = 0; i < a->model->loop_count; i++) {
        const model_loop *ends = &a->model->loop_layouts[i];
        lb_loop_kind kind = a->model->loops[i].kind;
        if (kind == LB_LOOP_COUPLING) {
            // of joints that are given it is a condition on them
            if (is_dependent(a, ends->first) || is_dependent(a, ends->second))
                return false;
            continue;
        }
        if (kind != LB_LOOP_HINGE && kind != LB_LOOP_BALL && kind != LB_LOOP_SLIDE)
            return false;
        a->edges[a->edge_count++] =
            (dyad_edge){.bodies = {a->body_of[ends->first], a->body_of[ends->second]},
                        .joint = -1,
                        .loop = i,
                        .slides = kind == LB_LOOP_SLIDE};
    }
    return true;
}

/* the end of an edge that is a body, 0 or 1; -1: neither */
static int end_at(const dyad_edge *e, int body)
{
    return e->bodies[0] == body ? 0 : e->bodies[1] == body ? 1 : -1;
}

/* the edge by number, in the sense in which it begins at its other end if `back` */
static dyad_use use_edge(int edge, int end)
{
    return (dyad_use){edge, end == 1};
}

/* the dyad of an edge between two unknown bodies, if other edges hold both to known ones */
static bool find_dyad(const lb_assembly *a, int middle, dyad *d)
{
    const dyad_edge *e = &a->edges[middle];
    int slides = e->slides;
    for (int side = 0; side < 2; side++) {
        int found = -1;
        for (int i = 0; i < a->edge_count && found < 0; i++) {
            int end = end_at(&a->edges[i], e->bodies[side]);
            if (i == middle || end < 0 || !a->flags[a->edges[i].bodies[1 - end]])
                continue;
            found = i;
            d->edges[2 * side] = use_edge(i, 1 - end);
        }
        if (found < 0)
            return false;
        d->bodies[side] = e->bodies[side];
        slides += a->edges[found].slides;
    }
    d->edges[1] = use_edge(middle, 0);
    return slides < 3;
}

/* the other way round, a dyad of a kind that is known */
static void turn_dyad(dyad *d)
{
    dyad_use first = d->edges[0];
    int body = d->bodies[0];
    d->edges[0] = d->edges[2];
    d->edges[2] = first;
    d->edges[1].back = !d->edges[1].back;
    d->bodies[0] = d->bodies[1];
    d->bodies[1] = body;
}

void dyads_plan(lb_assembly *a)
{
    a->dyad_count = 0;
    a->is_dyadic = list_edges(a);
    memset(a->flags, 0, sizeof(bool) * (size_t)a->body_count);
    a->flags[0] = true;
    int known = 1;
    for (bool grown = true; grown && a->is_dyadic;) {
        grown = false;
        for (int i = 0; i < a->edge_count && a->dyad_count < DYADS_MOST; i++) {
            const int *ends = a->edges[i].bodies;
            dyad *d = &a->dyads[a->dyad_count];
            if (a->flags[ends[0]] || a->flags[ends[1]] || ends[0] == ends[1] || !find_dyad(a, i, d))
                continue;
            if (a->edges[d->edges[2].edge].slides && !a->edges[d->edges[0].edge].slides)
                turn_dyad(d);
            a->flags[ends[0]] = a->flags[ends[1]] = grown = true;
            a->dyad_count++;
            known += 2;
        }
    }
    a->is_dyadic = a->is_dyadic && known == a->body_count && a->dyad_count > 0;
}

/* ---- their places at the reference --------------------------------------- */

/* The plane, by two axes and a normal of unit length. */
typedef struct plane {
    lb_vec3 x, y, normal;
} plane;

static point project(const plane *p, lb_vec3 v)
{
    return (point){lb_vec3_dot(p->x, v), lb_vec3_dot(p->y, v)};
}

/* what a joint or loop turns about or slides along, at the reference */
static lb_vec3 axis_of(const lb_assembly *a, const dyad_edge *e, int end)
{
    const lb_transform *links = lb_state_transforms(a->state);
    if (e->joint >= 0)
        return lb_transform_direction(&links[e->joint + 1], a->model->joints[e->joint].axis);
    const lb_loop *loop = &a->model->loops[e->loop];
    const model_loop *ends = &a->model->loop_layouts[e->loop];
    return end ? lb_transform_direction(&links[ends->second], loop->second_frame.z)
               : lb_transform_direction(&links[ends->first], loop->first_frame.z);
}

static lb_vec3 place_of(const lb_assembly *a, const dyad_edge *e, int end)
{
    const lb_transform *links = lb_state_transforms(a->state);
    if (e->joint >= 0)
        return links[e->joint + 1].p;
    const lb_loop *loop = &a->model->loops[e->loop];
    const model_loop *ends = &a->model->loop_layouts[e->loop];
    return end ? lb_transform_point(&links[ends->second], loop->second_frame.p)
               : lb_transform_point(&links[ends->first], loop->first_frame.p);
}

/* whether an axis is along the normal (or across it, of what slides), to rounding */
static bool is_in_plane(const plane *p, const dyad_edge *e, lb_vec3 axis)
{
    const double rounding = 1e-9;
    double along = lb_vec3_dot(axis, p->normal);
    return e->slides ? fabs(along) < rounding
                     : lb_vec3_length(lb_vec3_cross(axis, p->normal)) < rounding;
}

static bool is_ball(const lb_assembly *a, const dyad_edge *e)
{
    return e->joint < 0 && a->model->loops[e->loop].kind == LB_LOOP_BALL;
}

static bool place_edge(const lb_assembly *a, const plane *p, dyad_edge *e)
{
    bool ball = is_ball(a, e), planar = true;
    lb_vec3 axes[2];
    for (int end = 0; end < 2; end++) {
        axes[end] = axis_of(a, e, end);
        e->points[end] = project(p, place_of(a, e, end));
        planar = planar && (ball || is_in_plane(p, e, axes[end]));
    }
    e->turn = (point){1, 0};
    e->sign = lb_vec3_dot(axes[0], p->normal) < 0 ? -1 : 1;
    if (!e->slides || !planar)
        return planar;
    e->along = project(p, axes[0]);
    e->turn = turn_of(e->along, project(p, axes[1]));
    return true;
}

/* what joints turn about, or the slides among balls are across; zero: there is no such direction */
static lb_vec3 find_normal(const lb_assembly *a)
{
    lb_vec3 normal = {0, 0, 0}, slide = normal;
    for (int i = 0; i < a->edge_count; i++) {
        const dyad_edge *e = &a->edges[i];
        if (!is_ball(a, e) && !e->slides)
            return axis_of(a, e, 0);
        if (!e->slides)
            continue;
        lb_vec3 axis = axis_of(a, e, 0), across = lb_vec3_cross(slide, axis);
        if (lb_vec3_length(across) > lb_vec3_length(normal))
            normal = across;
        slide = axis;
    }
    return lb_vec3_normalize(normal, lb_vec3_make(0, 0, 0));
}

/* all edges, at the configuration whose state is known; false: they are not in one plane */
static bool place_edges(lb_assembly *a)
{
    plane p = {.normal = find_normal(a)};
    p.x = lb_vec3_perpendicular(p.normal);
    p.y = lb_vec3_cross(p.normal, p.x);
    bool planar = lb_vec3_length(p.normal) > 0;
    for (int i = 0; planar && i < a->edge_count; i++)
        planar = place_edge(a, &p, &a->edges[i]);
    return planar;
}

/* an edge in the sense of its use */
static dyad_edge turned_edge(const lb_assembly *a, dyad_use use)
{
    dyad_edge e = a->edges[use.edge];
    if (!use.back)
        return e;
    point back = {e.turn.x, -e.turn.y};
    return (dyad_edge){.bodies = {e.bodies[1], e.bodies[0]},
                       .points = {e.points[1], e.points[0]},
                       .slides = e.slides,
                       .along = scaled(times(e.along, back), -1),
                       .turn = back};
}

/* ---- solving one dyad ---------------------------------------------------- */

static point moved(const dyad_pose *pose, point z)
{
    return sum(pose->place, times(pose->turn, z));
}

/* the pose with a turn that brings a point of the body to a place */
static dyad_pose pose_at(point turn, point z, point place)
{
    return (dyad_pose){turn, less(place, times(turn, z))};
}

/*
 * Roots of x^2 + 2 b x + c = 0 for lengths of about `size`; returns how many. A double root is
 * found once, and is not certain.
 */
static int solve_square(double b, double c, double size, double roots[2], bool *certain)
{
    // a thousand times the rounding of squares
    double d = b * b - c, noise = 1e-12 * size * size;
    if (fabs(d) <= noise) {
        *certain = false;
        roots[0] = -b;
        return 1;
    }
    if (d < 0)
        return 0;
    d = sqrt(d);
    roots[0] = -b - d;
    roots[1] = -b + d;
    return 2;
}

/* where s and t of a + s u = t v, false: u and v are parallel */
static bool meet(point a, point u, point v, double *s, double *t)
{
    double det = cross(u, v);
    // unit vectors
    if (fabs(det) < 1e-9)
        return false;
    *s = -cross(a, v) / det;
    *t = -cross(a, u) / det;
    return true;
}

/* The three joints of a dyad, and the poses of the known bodies at its ends. */
typedef struct dyad_case {
    dyad_edge e[3];
    dyad_pose first, last;
    double size;
} dyad_case;

/* both bodies turn about known places, and about each other */
static int solve_turning(const dyad_case *c, dyad_pose out[2][2], bool *certain)
{
    point from = moved(&c->first, c->e[0].points[0]), to = moved(&c->last, c->e[2].points[0]);
    point first = less(c->e[1].points[0], c->e[0].points[1]);
    point last = less(c->e[2].points[1], c->e[1].points[1]), d = less(to, from);
    double least = 1e-9 * c->size, far = sqrt(square(d));
    if (far < least || square(first) < least * least || square(last) < least * least) {
        *certain = false;
        return 0;
    }
    double along = (square(first) - square(last) + far * far) / (2 * far), roots[2];
    int count = solve_square(0, along * along - square(first), c->size, roots, certain);
    for (int i = 0; i < count; i++) {
        point arm = times(scaled(d, 1 / far), (point){along, roots[i]});
        out[i][0] = pose_at(turn_of(arm, first), c->e[0].points[1], from);
        out[i][1] = pose_at(turn_of(less(d, arm), last), c->e[2].points[1], to);
    }
    return count;
}

/* the first body slides on a known one: it keeps its turn */
static dyad_pose sliding(const dyad_case *c)
{
    point turn = times(c->first.turn, c->e[0].turn);
    return pose_at(turn, c->e[0].points[1], moved(&c->first, c->e[0].points[0]));
}

static int solve_sliding(const dyad_case *c, dyad_pose out[2][2], bool *certain)
{
    dyad_pose first = sliding(c);
    point along = times(c->first.turn, c->e[0].along), to = moved(&c->last, c->e[2].points[0]);
    point last = less(c->e[2].points[1], c->e[1].points[1]);
    point off = less(moved(&first, c->e[1].points[0]), to);
    double roots[2], least = 1e-9 * c->size;
    if (square(last) < least * least) {
        *certain = false;
        return 0;
    }
    int count = solve_square(dot(along, off), square(off) - square(last), c->size, roots, certain);
    for (int i = 0; i < count; i++) {
        point by = scaled(along, roots[i]);
        out[i][0] = (dyad_pose){first.turn, sum(first.place, by)};
        out[i][1] = pose_at(turn_of(scaled(sum(off, by), -1), last), c->e[2].points[1], to);
    }
    return count;
}

/* both turn about known places and slide on each other */
static int solve_guided(const dyad_case *c, dyad_pose out[2][2], bool *certain)
{
    point from = moved(&c->first, c->e[0].points[0]), to = moved(&c->last, c->e[2].points[0]);
    point d = less(to, from), along = c->e[1].along;
    // where the last body's pivot is in the first one's axes, from that one's pivot
    point rest = times(c->e[1].turn, less(c->e[2].points[1], c->e[1].points[1]));
    point off = less(sum(c->e[1].points[0], rest), c->e[0].points[1]);
    double roots[2], least = 1e-9 * c->size;
    if (square(d) < least * least) {
        *certain = false;
        return 0;
    }
    int count = solve_square(dot(along, off), square(off) - square(d), c->size, roots, certain);
    for (int i = 0; i < count; i++) {
        point turn = turn_of(d, sum(off, scaled(along, roots[i])));
        out[i][0] = pose_at(turn, c->e[0].points[1], from);
        out[i][1] = pose_at(times(turn, c->e[1].turn), c->e[2].points[1], to);
    }
    return count;
}

/* both slide on known ones and turn about each other */
static int solve_crossing(const dyad_case *c, dyad_pose out[2][2], bool *certain)
{
    dyad_pose first = sliding(c);
    dyad_pose last = pose_at(times(c->last.turn, c->e[2].turn), c->e[2].points[1],
                             moved(&c->last, c->e[2].points[0]));
    point u = times(c->first.turn, c->e[0].along), v = times(c->last.turn, c->e[2].along);
    double s, t;
    point off = less(moved(&first, c->e[1].points[0]), moved(&last, c->e[1].points[1]));
    if (!meet(off, u, v, &s, &t)) {
        *certain = false;
        return 0;
    }
    out[0][0] = (dyad_pose){first.turn, sum(first.place, scaled(u, s))};
    out[0][1] = (dyad_pose){last.turn, sum(last.place, scaled(v, t))};
    return 1;
}

/* the first slides on a known one, the last on the first and turns about a known place */
static int solve_stacked(const dyad_case *c, dyad_pose out[2][2], bool *certain)
{
    dyad_pose first = sliding(c);
    point turn = times(first.turn, c->e[1].turn), to = moved(&c->last, c->e[2].points[0]);
    dyad_pose last = pose_at(turn, c->e[1].points[1], moved(&first, c->e[1].points[0]));
    point u = times(c->first.turn, c->e[0].along), v = times(first.turn, c->e[1].along);
    double s, t;
    if (!meet(less(moved(&last, c->e[2].points[1]), to), u, scaled(v, -1), &s, &t)) {
        *certain = false;
        return 0;
    }
    out[0][0] = (dyad_pose){first.turn, sum(first.place, scaled(u, s))};
    out[0][1] = pose_at(turn, c->e[2].points[1], to);
    return 1;
}

/* the poses of both bodies, up to two of them */
static int solve_dyad(const lb_assembly *a, const dyad *d, dyad_pose out[2][2], bool *certain)
{
    dyad_case c = {.size = a->size};
    for (int i = 0; i < 3; i++)
        c.e[i] = turned_edge(a, d->edges[i]);
    c.first = a->poses[c.e[0].bodies[0]];
    c.last = a->poses[c.e[2].bodies[0]];
    bool slides[3] = {c.e[0].slides, c.e[1].slides, c.e[2].slides};
    return slides[0] && slides[2] ? solve_crossing(&c, out, certain)
           : slides[0]
               ? slides[1] ? solve_stacked(&c, out, certain) : solve_sliding(&c, out, certain)
           : slides[1] ? solve_guided(&c, out, certain)
                       : solve_turning(&c, out, certain);
}

/* ---- configurations ------------------------------------------------------ */

/* a dependent angle to the turn that is inside its limits, if there is one */
static double turn_inside(const model_part *part, double q)
{
    for (int turn = -1; turn <= 1; turn += 2)
        if ((q < part->lower || q > part->upper) && q + turn * 2 * LB_PI >= part->lower &&
            q + turn * 2 * LB_PI <= part->upper)
            return q + turn * 2 * LB_PI;
    return q;
}

/* a->trial for the poses of all bodies, from the reference */
static void read_values(lb_assembly *a, const double *reference)
{
    memcpy(a->trial, reference, sizeof(double) * (size_t)a->nq);
    for (int i = 0; i < a->edge_count; i++) {
        const dyad_edge *e = &a->edges[i];
        const dyad_pose *from = &a->poses[e->bodies[0]], *to = &a->poses[e->bodies[1]];
        if (e->joint < 0)
            continue;
        double *q = &a->trial[a->model->joint_layouts[e->joint].q];
        point by = less(moved(to, e->points[1]), moved(from, e->points[0]));
        point turn = turn_of(to->turn, from->turn);
        *q += e->slides ? dot(times(from->turn, e->along), by) : e->sign * lb_atan2(turn.y, turn.x);
        if (!e->slides)
            *q = turn_inside(model_part_at(a->model, a->model->joint_layouts[e->joint].q), *q);
    }
}

/* whether a->trial closes, if need be after Newton's steps; *certain is lost if that is not clear
 */
static bool confirm(lb_assembly *a, bool *certain)
{
    // what is open by more is open for certain: rounding of a dozen dyads is far below
    const double open = 1e-6;
    loop_measure(a, a->trial);
    if (a->error <= LOOP_CLOSED)
        return true;
    if (a->error > open)
        return false;
    double corrected;
    bool closed = loop_correct(a, a->trial, &corrected);
    *certain = *certain && closed;
    return closed;
}

/* visits every choice of roots, the first dyad's slowest */
static int visit_all(lb_assembly *a, const double *reference, double *rows, int capacity,
                     bool *certain)
{
    int count[DYADS_MOST], next[DYADS_MOST], level = 0, found = 0;
    dyad_pose poses[DYADS_MOST][2][2];
    count[0] = solve_dyad(a, &a->dyads[0], poses[0], certain);
    next[0] = 0;
    while (level >= 0) {
        if (next[level] == count[level]) {
            level--;
            continue;
        }
        const dyad_pose *pair = poses[level][next[level]++];
        for (int i = 0; i < 2; i++)
            a->poses[a->dyads[level].bodies[i]] = pair[i];
        if (level + 1 < a->dyad_count) {
            level++;
            count[level] = solve_dyad(a, &a->dyads[level], poses[level], certain);
            next[level] = 0;
            continue;
        }
        read_values(a, reference);
        if (!confirm(a, certain))
            continue;
        if (found < capacity)
            memcpy(rows + (size_t)found * (size_t)a->nq, a->trial, sizeof(double) * (size_t)a->nq);
        found++;
    }
    return found;
}

int lb_assembly_all(lb_assembly *a, const double *q, double *rows, int capacity, bool *complete)
{
    bool certain = true;
    if (complete)
        *complete = false;
    if (!a || !q || (!rows && capacity > 0) || !a->is_dyadic)
        return -1;
    memcpy(a->base, q, sizeof(double) * (size_t)a->nq);
    for (int i = 0; i < a->nq; i++)
        if (!isfinite(a->base[i]))
            return -1;
    lb_state_update(a->state, a->base);
    if (!place_edges(a))
        return -1;
    for (int i = 0; i < a->body_count; i++)
        a->poses[i] = (dyad_pose){{1, 0}, {0, 0}};
    int found = visit_all(a, a->base, rows, capacity, &certain);
    if (complete)
        *complete = certain;
    return found;
}
