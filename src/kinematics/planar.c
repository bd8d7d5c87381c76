/*
 * planar.c - all assemblies of a planar linkage, one of Assur's groups after the other.
 *
 * Links that independent joints hold together are one body. Bodies are known or not; two unknown
 * ones that three joints hold to known ones and to each other are a dyad, the smallest of Assur's
 * groups (Assur 1914), which has at most two places. Four or six bodies that dyads do not make up
 * are solved at once. All choices of places are visited.
 *
 * Points are complex numbers of the plane, in the world's axes at a reference configuration that
 * has the independent joints' values; a body's pose is what has become of them since.
 */
#include "kinematics/planar.h"
#include "kinematics/state.h"

#include <string.h>

/* ---- groups ------------------------------------------------------------- */

/* the end of an edge that is a body, 0 or 1; -1: neither */
static int end_at(const planar_edge *e, int body)
{
    return e->bodies[0] == body ? 0 : e->bodies[1] == body ? 1 : -1;
}

/* the edge by number, in the sense in which it begins at its other end if `back` */
static planar_use use_edge(int edge, int end)
{
    return (planar_use){edge, end == 1};
}

/* the dyad of an edge between two unknown bodies, if other edges hold both to known ones */
static bool find_dyad(const lb_assembly *a, int middle, planar_group *d)
{
    const planar_edge *e = &a->edges[middle];
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
static void turn_dyad(planar_group *d)
{
    planar_use first = d->edges[0];
    int body = d->bodies[0];
    d->edges[0] = d->edges[2];
    d->edges[2] = first;
    d->edges[1].back = !d->edges[1].back;
    d->bodies[0] = d->bodies[1];
    d->bodies[1] = body;
}

/* the next dyad between unknown bodies */
static bool add_dyad(lb_assembly *a, planar_group *d)
{
    for (int i = 0; i < a->edge_count; i++) {
        const int *ends = a->edges[i].bodies;
        if (a->flags[ends[0]] || a->flags[ends[1]] || ends[0] == ends[1] || !find_dyad(a, i, d))
            continue;
        if (a->edges[d->edges[2].edge].slides && !a->edges[d->edges[0].edge].slides)
            turn_dyad(d);
        d->body_count = 2;
        return true;
    }
    return false;
}

/* the joints that hold a set of bodies to known ones and to each other, if these are three to two
   bodies */
static bool hold_group(const lb_assembly *a, unsigned set, planar_group *g)
{
    int count = 0;
    for (int i = 0; i < a->edge_count; i++) {
        const int *ends = a->edges[i].bodies;
        unsigned touched =
            (a->flags[ends[0]] ? 0 : 1U << ends[0]) | (a->flags[ends[1]] ? 0 : 1U << ends[1]);
        if ((touched & set) == 0 || (touched & ~set) != 0 || ends[0] == ends[1])
            continue;
        if (count == g->body_count / 2 * 3)
            return false;
        g->edges[count++] = use_edge(i, 0);
    }
    return count == g->body_count / 2 * 3;
}

/* the next set of as many bits of a mask, 0: there is none (Gosper 1972) */
static unsigned next_set(unsigned set, unsigned mask)
{
    unsigned low = set & (0 - set), up = set + low;
    set = up | ((set ^ up) / low >> 2);
    return (set & ~mask) == 0 ? set : 0;
}

/* the next set of four or six unknown bodies that joints hold */
static bool add_group(lb_assembly *a, planar_group *g)
{
    int unknown[BODIES_MOST + 1], count = 0;
    for (int b = 0; b < a->body_count; b++)
        if (!a->flags[b])
            unknown[count++] = b;
    for (g->body_count = 4; g->body_count <= GROUP_BODIES && g->body_count <= count;
         g->body_count += 2)
        for (unsigned pick = (1U << g->body_count) - 1; pick != 0;
             pick = next_set(pick, (1U << count) - 1)) {
            unsigned set = 0;
            for (int i = 0, n = 0; i < count; i++)
                if (pick >> i & 1) {
                    g->bodies[n++] = unknown[i];
                    set |= 1U << unknown[i];
                }
            if (hold_group(a, set, g))
                return true;
        }
    return false;
}

/* whether an edge is of a kind that a dyad has */
static bool is_of_dyad(const lb_assembly *a, const planar_edge *e)
{
    lb_loop_kind loop = e->loop < 0 ? LB_LOOP_HINGE : a->model->loops[e->loop].kind;
    return loop != LB_LOOP_WELD && loop != LB_LOOP_PLANAR &&
           (e->joint < 0 || e->slides || edge_turns(a, e));
}

bool planar_plan(lb_assembly *a)
{
    if (a->body_count > BODIES_MOST + 1)
        return false;
    for (int i = 0; i < a->edge_count; i++)
        if (!is_of_dyad(a, &a->edges[i]))
            return false;
    memset(a->flags, 0, sizeof(bool) * (size_t)a->body_count);
    a->flags[0] = true;
    int known = 1;
    while (a->group_count < GROUPS_MOST) {
        planar_group *g = &a->groups[a->group_count];
        if (!add_dyad(a, g) && !add_group(a, g))
            break;
        for (int i = 0; i < g->body_count; i++)
            a->flags[g->bodies[i]] = true;
        a->group_count++;
        known += g->body_count;
    }
    return known == a->body_count && a->group_count > 0;
}

/* ---- their places at the reference --------------------------------------- */

/* The plane, by two axes and a normal of unit length. */
typedef struct plane {
    lb_vec3 x, y, normal;
} plane;

static planar_point project(const plane *p, lb_vec3 v)
{
    return (planar_point){lb_vec3_dot(p->x, v), lb_vec3_dot(p->y, v)};
}

/* what a joint or loop turns about or slides along, at the reference */
static lb_vec3 axis_of(const lb_assembly *a, const planar_edge *e, int end)
{
    const lb_transform *links = lb_state_transforms(a->state);
    if (e->joint >= 0)
        return lb_transform_direction(&links[e->joint + 1], a->model->joints[e->joint].axis);
    const lb_loop *loop = &a->model->loops[e->loop];
    const model_loop *ends = &a->model->loop_layouts[e->loop];
    return end ? lb_transform_direction(&links[ends->second], loop->second_frame.z)
               : lb_transform_direction(&links[ends->first], loop->first_frame.z);
}

/* whether an axis is along the normal (or across it, of what slides), to rounding */
static bool is_in_plane(const plane *p, const planar_edge *e, lb_vec3 axis)
{
    const double rounding = 1e-9;
    double along = lb_vec3_dot(axis, p->normal);
    return e->slides ? fabs(along) < rounding
                     : lb_vec3_length(lb_vec3_cross(axis, p->normal)) < rounding;
}

static bool place_edge(const lb_assembly *a, const plane *p, planar_edge *e)
{
    bool ball = edge_is_ball(a, e), planar = true;
    lb_vec3 axes[2];
    for (int end = 0; end < 2; end++) {
        axes[end] = axis_of(a, e, end);
        e->points[end] = project(p, edge_point(a, e, end));
        planar = planar && (ball || is_in_plane(p, e, axes[end]));
    }
    e->turn = (planar_point){1, 0};
    e->sign = lb_vec3_dot(axes[0], p->normal) < 0 ? -1 : 1;
    if (!e->slides || !planar)
        return planar;
    e->along = project(p, axes[0]);
    e->turn = point_turn(e->along, project(p, axes[1]));
    return true;
}

/* what joints turn about, or the slides among balls are across; zero: there is no such direction */
static lb_vec3 find_normal(const lb_assembly *a)
{
    lb_vec3 normal = {0, 0, 0}, slide = normal;
    for (int i = 0; i < a->edge_count; i++) {
        const planar_edge *e = &a->edges[i];
        if (!edge_is_ball(a, e) && !e->slides)
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

/* ---- configurations ------------------------------------------------------ */

/* a->trial for the poses of all bodies */
static void read_values(lb_assembly *a)
{
    memcpy(a->trial, a->base, sizeof(double) * (size_t)a->nq);
    for (int i = 0; i < a->edge_count; i++) {
        const planar_edge *e = &a->edges[i];
        const planar_pose *from = &a->poses[e->bodies[0]], *to = &a->poses[e->bodies[1]];
        if (e->joint < 0)
            continue;
        double *q = &a->trial[a->model->joint_layouts[e->joint].q];
        planar_point by = point_less(pose_point(to, e->points[1]), pose_point(from, e->points[0]));
        planar_point turn = point_turn(to->turn, from->turn);
        *q += e->slides ? point_dot(point_times(from->turn, e->along), by)
                        : e->sign * lb_atan2(turn.y, turn.x);
        if (!e->slides)
            *q = assembly_turn_inside(model_part_at(a->model, a->model->joint_layouts[e->joint].q),
                                      *q);
    }
}

/* A group while its places are visited. */
typedef struct visit {
    planar_pose *rows; /* of body_count poses */
    int count, next;
} visit;

static void begin_visit(const lb_assembly *a, const planar_group *g, visit *v, bool *certain)
{
    v->count = g->body_count == 2 ? dyad_solve(a, g, v->rows, certain)
                                  : group_solve(a, g, v->rows, certain);
    v->next = 0;
}

/* visits every choice of places, the first group's slowest */
static void visit_all(lb_assembly *a, assembly_list *list)
{
    visit visits[GROUPS_MOST];
    int level = 0;
    visits[0].rows = a->branches;
    begin_visit(a, &a->groups[0], &visits[0], &list->certain);
    while (level >= 0) {
        const planar_group *g = &a->groups[level];
        visit *here = &visits[level];
        if (here->next == here->count) {
            level--;
            continue;
        }
        const planar_pose *row = here->rows + g->body_count * here->next++;
        for (int i = 0; i < g->body_count; i++)
            a->poses[g->bodies[i]] = row[i];
        if (level + 1 < a->group_count) {
            level++;
            here[1].rows = here->rows + g->body_count * here->count;
            begin_visit(a, &a->groups[level], &here[1], &list->certain);
            continue;
        }
        read_values(a);
        assembly_keep(a, list);
    }
}

bool planar_list(lb_assembly *a, assembly_list *list)
{
    if (!place_edges(a))
        return false;
    for (int i = 0; i < a->body_count; i++)
        a->poses[i] = (planar_pose){{1, 0}, {0, 0}};
    visit_all(a, list);
    return true;
}
