/*
 * draw_planar.c - a linkage that lives in a plane, drawn as in a textbook.
 *
 * Links are tapered bars, hinges circles with a dot, slides blocks on a rail;
 * the base stands on hatched ground and tips hold a small gripper.
 */
#include "io/drawing.h"

#include <stdlib.h>

/*
 * How far axes may lean and joints stand off the plane, relative to 1 and to the
 * figure's extent: files round a right angle to 1.5708, which is off by 4e-6.
 */
static const double flatness = 1e-4;

/* thickness of a bar's half in points, whatever the scale */
static const double thinnest = 2.2, thickest = 9;

/* ---- is it planar? ------------------------------------------------------ */

/* the axis that a joint gives the plane, or that it must be at right angles to the plane for */
typedef enum bond { BOND_NONE, BOND_NORMAL, BOND_WITHIN, BOND_BREAKS } bond;

static bond bond_of(lb_joint_kind kind)
{
    switch (kind) {
    case LB_JOINT_FIXED:
        return BOND_NONE;
    case LB_JOINT_REVOLUTE:
    case LB_JOINT_CONTINUOUS:
    case LB_JOINT_PLANAR:
        return BOND_NORMAL;
    case LB_JOINT_PRISMATIC:
        return BOND_WITHIN;
    case LB_JOINT_UNIVERSAL:
    case LB_JOINT_BALL:
    case LB_JOINT_FLOATING:
    case LB_JOINT_KIND_COUNT:
        break;
    }
    return BOND_BREAKS;
}

static lb_vec3 axis_in_world(const drawing *d, const lb_transform *links, int joint)
{
    const lb_joint *j = lb_model_joint(d->model, joint);
    lb_transform rest =
        lb_transform_multiply(&links[lb_model_parent(d->model, joint + 1)], &j->placement);
    return lb_transform_direction(&rest, j->axis);
}

/* the axis of the first joint that turns in the plane */
static bool find_normal(const drawing *d, const lb_transform *links, lb_vec3 *normal)
{
    for (int j = 0; j < lb_model_joint_count(d->model); j++)
        if (bond_of(lb_model_joint(d->model, j)->kind) == BOND_NORMAL) {
            *normal = axis_in_world(d, links, j);
            return true;
        }
    return false;
}

static bool is_flat(const drawing *d, const lb_transform *links, lb_vec3 normal)
{
    lb_vec3 origin = {0, 0, 0};
    bool begun = false;
    for (int j = 0; j < lb_model_joint_count(d->model); j++) {
        bond b = bond_of(lb_model_joint(d->model, j)->kind);
        lb_vec3 axis = axis_in_world(d, links, j);
        double along = fabs(lb_vec3_dot(axis, normal));
        double across = lb_vec3_length(lb_vec3_cross(axis, normal));
        if (b == BOND_BREAKS || (b == BOND_NORMAL && across > flatness) ||
            (b == BOND_WITHIN && along > flatness))
            return false;

        // what is drawn stands in one plane
        if (b == BOND_NONE && !d->bones.bone[j + 1])
            continue;
        lb_vec3 p = links[j + 1].p;
        if (!begun)
            origin = p;
        begun = true;
        if (fabs(lb_vec3_dot(lb_vec3_sub(p, origin), normal)) > flatness * d->bones.extent)
            return false;
    }
    return true;
}

/* seen from the side where the world's axes run to the right and up */
static lb_transform plane_frame(lb_vec3 normal)
{
    // up: the world's z, or y where the plane lies level
    bool level = fabs(normal.z) > 0.7;
    lb_vec3 up = level ? lb_vec3_make(0, 1, 0) : lb_vec3_make(0, 0, 1);
    up = lb_vec3_sub(up, lb_vec3_scale(normal, lb_vec3_dot(up, normal)));
    lb_transform plane = {.y = lb_vec3_normalize(up, lb_vec3_perpendicular(normal)), .z = normal};
    plane.x = lb_vec3_cross(plane.y, plane.z);
    double lead = fabs(plane.x.x) > fabs(plane.x.y) ? plane.x.x : plane.x.y;
    if (lead < 0) {
        plane.x = lb_vec3_scale(plane.x, -1);
        plane.z = lb_vec3_scale(plane.z, -1);
    }
    return plane;
}

bool drawing_plane(const drawing *d, lb_transform *plane)
{
    const lb_transform *links = lb_state_transforms(d->state);
    lb_vec3 normal;
    if (!find_normal(d, links, &normal) || !is_flat(d, links, normal))
        return false;
    *plane = plane_frame(normal);
    return true;
}

/* ---- sizes -------------------------------------------------------------- */

/* a planar drawing at work */
typedef struct sheet {
    const drawing *d;
    const lb_transform *plane;
    const lb_transform *links; /* T_world_link of the pose at hand */
    figure_panel panel;
    figure_color accent; /* of the pose at hand */
    double faded;
} sheet;

static figure_point on_page(const sheet *s, lb_vec3 p)
{
    return figure_panel_at(&s->panel, lb_vec3_dot(p, s->plane->x), lb_vec3_dot(p, s->plane->y));
}

static double bar_radius(const sheet *s, int link)
{
    double r = s->d->bones.radius[link] * figure_panel_scale(&s->panel);
    return fmin(fmax(r, thinnest), thickest);
}

static figure_color faded(const sheet *s, figure_color c)
{
    return figure_mix(c, FIGURE_PAPER, s->faded);
}

static figure_style outlined(const sheet *s, figure_color fill)
{
    return (figure_style){
        .fill = faded(s, fill), .stroke = faded(s, FIGURE_INK), .width = FIGURE_THIN};
}

static lb_vec3 joint_origin(const sheet *s, int link)
{
    const lb_joint *joint = lb_model_joint(s->d->model, link - 1);
    return lb_transform_point(&s->links[lb_model_parent(s->d->model, link)], joint->placement.p);
}

/* ---- signs -------------------------------------------------------------- */

static figure_point moved(figure_point p, double ux, double uy, double way)
{
    return (figure_point){p.x + way * ux, p.y + way * uy};
}

/* the base: a stand under its origin, on hatched ground */
static void draw_base(const sheet *s)
{
    double r = bar_radius(s, 0);
    figure_point top = on_page(s, s->links[0].p);
    figure_point left = {top.x - 1.7 * r, top.y + 2.4 * r}, right = {top.x + 1.7 * r, left.y};
    figure_color stone = figure_mix(FIGURE_FRAME, FIGURE_PAPER, 0.45);
    figure_ground(s->d->page, (figure_point){left.x - 1.3 * r, left.y},
                  (figure_point){right.x + 1.3 * r, right.y}, 0.95 * r, FIGURE_INK);
    figure_polygon(s->d->page, (figure_point[]){top, left, right}, 3,
                   (figure_style){.fill = stone, .stroke = FIGURE_INK, .width = FIGURE_THIN});
    figure_circle(s->d->page, top, 1.15 * r,
                  (figure_style){.fill = stone, .stroke = FIGURE_INK, .width = FIGURE_THIN});
}

static void draw_hinge(const sheet *s, figure_point at, double r)
{
    figure_circle(s->d->page, at, 0.68 * r, outlined(s, FIGURE_PAPER));
    figure_circle(s->d->page, at, 0.22 * r, (figure_style){.fill = faded(s, FIGURE_INK)});
}

/* a block that has slid along its rail from where it rests */
static void draw_slide(const sheet *s, figure_point rest, figure_point at, lb_vec3 axis, double r)
{
    double ux = lb_vec3_dot(axis, s->plane->x), uy = -lb_vec3_dot(axis, s->plane->y);
    double length = fmax(hypot(ux, uy), 1e-9);
    ux /= length;
    uy /= length;

    // the rail runs past both places
    double way = (at.x - rest.x) * ux + (at.y - rest.y) * uy;
    figure_point from = moved(rest, ux, uy, fmin(way, 0) - 3 * r);
    figure_point to = moved(rest, ux, uy, fmax(way, 0) + 3 * r);
    figure_line(s->d->page, from, to,
                (figure_style){.stroke = faded(s, FIGURE_INK), .width = FIGURE_BOLD});
    double a = 1.7 * r, b = 1.15 * r;
    figure_point corners[] = {{at.x + a * ux - b * uy, at.y + a * uy + b * ux},
                              {at.x + a * ux + b * uy, at.y + a * uy - b * ux},
                              {at.x - a * ux + b * uy, at.y - a * uy - b * ux},
                              {at.x - a * ux - b * uy, at.y - a * uy + b * ux}};
    figure_polygon(s->d->page, corners, 4, outlined(s, FIGURE_PAPER));
}

/* two fingers that hold the tip between them, on a bar that ends at their palm */
static void draw_gripper(const sheet *s, figure_point tip, double ux, double uy, double r)
{
    double depth = 1.6 * r, half = 1.35 * r;
    figure_point palm = moved(tip, ux, uy, -depth);
    figure_point fingers[] = {moved(tip, -uy, ux, half), moved(palm, -uy, ux, half),
                              moved(palm, uy, -ux, half), moved(tip, uy, -ux, half)};
    figure_style line = {.stroke = faded(s, FIGURE_INK), .width = fmax(0.5 * r, FIGURE_MEDIUM)};
    figure_polyline(s->d->page, fingers, 4, line);
}

/* ---- a pose ------------------------------------------------------------- */

/* the bar to a link; one that ends in a gripper stops at its palm */
static void draw_bar(const sheet *s, int link)
{
    int parent = lb_model_parent(s->d->model, link);
    double r0 = bar_radius(s, parent), r1 = bar_radius(s, link);
    figure_point a = on_page(s, s->links[parent].p), b = on_page(s, joint_origin(s, link));
    double length = hypot(b.x - a.x, b.y - a.y);
    if (length < 0.5)
        return;
    double ux = (b.x - a.x) / length, uy = (b.y - a.y) / length;
    bool is_tip = !skeleton_moves(lb_model_joint(s->d->model, link - 1)) && s->d->bones.tip[link] &&
                  length > 4 * r1;
    if (is_tip) {
        draw_gripper(s, b, ux, uy, r1);
        b = moved(b, ux, uy, -1.6 * r1 - 0.5 * r1);
    }
    figure_style style = outlined(s, figure_mix(s->accent, FIGURE_PAPER, 0.55));
    figure_bar(s->d->page, a, r0, b, r1, style);
}

static void draw_joint(const sheet *s, int link)
{
    const lb_joint *joint = lb_model_joint(s->d->model, link - 1);
    figure_point at = on_page(s, s->links[link].p);
    double r = bar_radius(s, link);
    if (joint->kind == LB_JOINT_REVOLUTE || joint->kind == LB_JOINT_CONTINUOUS)
        draw_hinge(s, at, r);
    else if (joint->kind == LB_JOINT_PRISMATIC)
        draw_slide(s, on_page(s, joint_origin(s, link)), at,
                   axis_in_world(s->d, s->links, link - 1), r);
}

static void draw_pose(sheet *s, int pose)
{
    const drawing *d = s->d;
    lb_state_update(d->state, d->poses[pose].q);
    s->links = lb_state_transforms(d->state);
    s->accent = drawing_color(d, pose);
    s->faded = drawing_fade(d, pose);

    // slides under bars under hinges
    for (int i = 1; i < d->bones.link_count; i++)
        if (d->bones.bone[i])
            draw_bar(s, i);
    for (int i = 1; i < d->bones.link_count; i++)
        if (d->bones.bone[i])
            draw_joint(s, i);
}

/* ---- the picture -------------------------------------------------------- */

typedef struct bounds {
    double x0, x1, y0, y1;
} bounds;

static void include(bounds *b, const lb_transform *plane, lb_vec3 p)
{
    double x = lb_vec3_dot(p, plane->x), y = lb_vec3_dot(p, plane->y);
    b->x0 = fmin(b->x0, x);
    b->x1 = fmax(b->x1, x);
    b->y0 = fmin(b->y0, y);
    b->y1 = fmax(b->y1, y);
}

static bounds find_bounds(const drawing *d, const lb_transform *plane)
{
    bounds b = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int pose = 0; pose < d->pose_count; pose++) {
        lb_state_update(d->state, d->poses[pose].q);
        const lb_transform *links = lb_state_transforms(d->state);
        for (int i = 0; i < d->bones.link_count; i++)
            if (i == 0 || d->bones.bone[i])
                include(&b, plane, links[i].p);
    }
    for (int i = 0; i < d->what->target_count; i++)
        include(&b, plane, d->what->targets[i]);

    // room for thickness, ground and grippers
    double room = 0.09 * fmax(fmax(b.x1 - b.x0, b.y1 - b.y0), 0.5 * d->bones.extent);
    return (bounds){b.x0 - room, b.x1 + room, b.y0 - 1.2 * room, b.y1 + room};
}

/* "x in m" where the plane's axis is one of the world's */
static const char *axis_title(lb_vec3 axis)
{
    const double along[] = {axis.x, axis.y, axis.z};
    static const char *const titles[] = {"x in m", "y in m", "z in m"};
    for (int i = 0; i < 3; i++)
        if (along[i] > 1 - flatness)
            return titles[i];
    return NULL;
}

/* the way of each tip through three poses or more */
static void draw_paths(const sheet *s)
{
    const drawing *d = s->d;
    for (int link = 1; link < d->bones.link_count; link++) {
        if (!d->bones.tip[link])
            continue;
        figure_point last = {0, 0};
        for (int i = 0; i < d->pose_count; i++) {
            lb_state_update(d->state, d->poses[i].q);
            figure_point p = on_page(s, lb_state_transforms(d->state)[link].p);
            if (i > 0)
                figure_line(
                    d->page, last, p,
                    (figure_style){.stroke = FIGURE_MUTED, .width = FIGURE_MEDIUM, .dash = 3});
            last = p;
        }
    }
}

lb_status drawing_planar(drawing *d)
{
    const lb_transform *plane = &d->plane;
    int *order = malloc((size_t)d->pose_count * sizeof *order);
    if (!order)
        return LB_OUT_OF_MEMORY;
    drawing_order(d, order);

    figure_axes axes = {.grid = true,
                        .frame = true,
                        .ticks = true,
                        .x = axis_title(plane->x),
                        .y = axis_title(plane->y)};
    figure_rect edge = figure_panel_margin(axes);
    figure_rect rect = figure_rect_inset(d->room, edge.x, edge.y, edge.width, edge.height);
    bounds b = find_bounds(d, plane);
    sheet s = {.d = d, .plane = plane};
    s.panel = figure_panel_drawing(rect, b.x0, b.x1, b.y0, b.y1);
    figure_panel_axes(d->page, &s.panel, axes);

    // base, poses from faint to strong, what must be seen last
    figure_clip(d->page, rect);
    lb_state_update(d->state, d->poses[0].q);
    s.links = lb_state_transforms(d->state);
    draw_base(&s);
    for (int i = 0; i < d->pose_count; i++)
        draw_pose(&s, order[i]);
    if (d->pose_count > 2)
        draw_paths(&s);
    for (int i = 0; i < d->what->target_count; i++)
        figure_marker(d->page, on_page(&s, d->what->targets[i]), FIGURE_MARK_TARGET, 17,
                      FIGURE_TARGET);
    figure_unclip(d->page);
    free(order);
    return LB_OK;
}
