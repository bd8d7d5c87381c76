/*
 * planar.c - which models live in a plane, and the signs they are drawn with.
 */
#include "figures/planar.h"

#include "kinematics/freedom.h"

/*
 * How far joints may be from the plane, relative to the figure's extent: files round a right angle
 * to 1.5708, which is off by 4e-6.
 */
static const double flatness = 1e-4;

/* thickness of a bar's half in points, whatever the scale */
static const double thinnest = 2.2, thickest = 9;

/* ---- is it planar? ------------------------------------------------------ */

static lb_vec3 axis_in_world(const lb_model *model, const lb_transform *links, int joint)
{
    const lb_joint *j = lb_model_joint(model, joint);
    lb_transform rest =
        lb_transform_multiply(&links[lb_model_parent(model, joint + 1)], &j->placement);
    return lb_transform_direction(&rest, j->axis);
}

/* adds what a joint does, locked or not; false when that is more than a plane allows */
static bool add_joint(const lb_model *model, const lb_transform *links, int joint, freedom *f)
{
    switch (lb_model_joint(model, joint)->kind) {
    case LB_JOINT_FIXED:
        return true;
    case LB_JOINT_REVOLUTE:
    case LB_JOINT_CONTINUOUS:
    case LB_JOINT_PLANAR:
        span_add(&f->angular, axis_in_world(model, links, joint));
        return true;
    case LB_JOINT_PRISMATIC:
        span_add(&f->linear, axis_in_world(model, links, joint));
        return true;
    case LB_JOINT_UNIVERSAL:
    case LB_JOINT_BALL:
    case LB_JOINT_FLOATING:
    case LB_JOINT_KIND_COUNT:
        break;
    }
    return false;
}

/* the normal of the plane that all joints move in; some joint rotates in it */
static bool find_normal(const lb_model *model, const lb_transform *links, lb_vec3 *normal)
{
    freedom f = {.joints = lb_model_joint_count(model)};
    for (int j = 0; j < f.joints; j++)
        if (!add_joint(model, links, j, &f))
            return false;
    freedom_complete(&f);
    return f.angular.count == 1 && freedom_is_planar(&f, normal);
}

/* whether what is drawn is in one plane */
static bool is_flat(const lb_model *model, const skeleton *bones, const lb_transform *links,
                    lb_vec3 normal)
{
    const lb_vec3 *first = NULL;
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        if (lb_model_joint(model, j)->kind == LB_JOINT_FIXED && !bones->bone[j + 1])
            continue;
        const lb_vec3 *p = &links[j + 1].p;
        if (!first)
            first = p;
        if (fabs(lb_vec3_dot(lb_vec3_sub(*p, *first), normal)) > flatness * bones->extent)
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

bool planar_find(const lb_model *model, const skeleton *bones, const lb_transform *links,
                 lb_transform *plane)
{
    lb_vec3 normal;
    if (!find_normal(model, links, &normal) || !is_flat(model, bones, links, normal))
        return false;
    *plane = plane_frame(normal);
    return true;
}

const char *planar_axis_title(lb_vec3 axis)
{
    const double along[] = {axis.x, axis.y, axis.z};
    static const char *const titles[] = {"x in m", "y in m", "z in m"};
    for (int i = 0; i < 3; i++)
        if (along[i] > 1 - 1e-6)
            return titles[i];
    return NULL;
}

/* ---- sizes -------------------------------------------------------------- */

figure_point planar_at(const planar *p, lb_vec3 point)
{
    return figure_panel_at(&p->panel, lb_vec3_dot(point, p->plane.x),
                           lb_vec3_dot(point, p->plane.y));
}

static double bar_radius(const planar *p, int link)
{
    double r = p->bones->radius[link] * figure_panel_scale(&p->panel);
    return fmin(fmax(r, thinnest), thickest);
}

static figure_color faded(const planar *p, figure_color c)
{
    return figure_mix(c, FIGURE_PAPER, p->faded);
}

static figure_style outlined(const planar *p, figure_color fill)
{
    return figure_outlined(faded(p, fill), faded(p, FIGURE_INK), FIGURE_THIN);
}

static lb_vec3 joint_origin(const planar *p, int link)
{
    const lb_joint *joint = lb_model_joint(p->model, link - 1);
    return lb_transform_point(&p->links[lb_model_parent(p->model, link)], joint->placement.p);
}

/* true for links that are drawn by their own shapes */
static bool has_shape(const planar *p, int link)
{
    return p->shaped && skeleton_has_shape(lb_model_link(p->model, link));
}

/* ---- signs -------------------------------------------------------------- */

static figure_point moved(figure_point p, double ux, double uy, double distance)
{
    return (figure_point){p.x + distance * ux, p.y + distance * uy};
}

/* the base: a stand under its origin, on hatched ground */
void planar_draw_base(const planar *p)
{
    if (has_shape(p, 0))
        return;
    double r = bar_radius(p, 0);
    figure_point top = planar_at(p, p->links[0].p);
    figure_point left = {top.x - 1.7 * r, top.y + 2.4 * r}, right = {top.x + 1.7 * r, left.y};
    figure_color stone = figure_mix(FIGURE_FRAME, FIGURE_PAPER, 0.45);
    figure_ground(p->page, (figure_point){left.x - 1.3 * r, left.y},
                  (figure_point){right.x + 1.3 * r, right.y}, 0.95 * r, FIGURE_INK);
    figure_polygon(p->page, (figure_point[]){top, left, right}, 3,
                   figure_outlined(stone, FIGURE_INK, FIGURE_THIN));
    figure_circle(p->page, top, 1.15 * r, figure_outlined(stone, FIGURE_INK, FIGURE_THIN));
}

static void draw_hinge(const planar *p, figure_point at, double r)
{
    figure_circle(p->page, at, 0.68 * r, outlined(p, FIGURE_PAPER));
    figure_circle(p->page, at, 0.22 * r, figure_brush(faded(p, FIGURE_INK)));
}

/* a block that has slid along its rail from where it rests */
static void draw_slide(const planar *p, figure_point rest, figure_point at, lb_vec3 axis, double r)
{
    double ux = lb_vec3_dot(axis, p->plane.x), uy = -lb_vec3_dot(axis, p->plane.y);
    double length = fmax(hypot(ux, uy), 1e-9);
    ux /= length;
    uy /= length;

    // the rail runs past both places
    double distance = (at.x - rest.x) * ux + (at.y - rest.y) * uy;
    figure_point from = moved(rest, ux, uy, fmin(distance, 0) - 3 * r);
    figure_point to = moved(rest, ux, uy, fmax(distance, 0) + 3 * r);
    figure_line(p->page, from, to, figure_pen(faded(p, FIGURE_INK), FIGURE_BOLD));
    double a = 1.7 * r, b = 1.15 * r;
    figure_point corners[] = {{at.x + a * ux - b * uy, at.y + a * uy + b * ux},
                              {at.x + a * ux + b * uy, at.y + a * uy - b * ux},
                              {at.x - a * ux + b * uy, at.y - a * uy - b * ux},
                              {at.x - a * ux - b * uy, at.y - a * uy + b * ux}};
    figure_polygon(p->page, corners, 4, outlined(p, FIGURE_PAPER));
}

/* two fingers that hold the tip between them, on a bar that ends at their palm */
static void draw_gripper(const planar *p, figure_point tip, double ux, double uy, double r)
{
    double depth = 1.6 * r, half = 1.35 * r;
    figure_point palm = moved(tip, ux, uy, -depth);
    figure_point fingers[] = {moved(tip, -uy, ux, half), moved(palm, -uy, ux, half),
                              moved(palm, uy, -ux, half), moved(tip, uy, -ux, half)};
    figure_style line = {.stroke = faded(p, FIGURE_INK), .width = fmax(0.5 * r, FIGURE_MEDIUM)};
    figure_polyline(p->page, fingers, 4, line);
}

/* ---- shapes ------------------------------------------------------------- */

static void draw_shapes(const planar *p, int link)
{
    const lb_link *l = lb_model_link(p->model, link);
    figure_color plain = figure_mix(p->color, FIGURE_PAPER, 0.55);
    lb_transform data = lb_transform_multiply(&p->links[link], &l->data_offset);
    for (int i = 0; i < l->visual_count; i++) {
        const double *c = l->visuals[i].color;
        figure_color own = c[3] > 0 ? (figure_color){c[0], c[1], c[2], 1} : plain;
        planar_outline outline = planar_outline_of(&l->visuals[i], &data);
        planar_draw_outline(p, &outline, outlined(p, figure_mix(own, p->color, p->tint)));
    }
}

/* true where a ball of the link hides a joint */
static bool covers(const planar *p, int link, lb_vec3 joint)
{
    const lb_link *l = lb_model_link(p->model, link);
    lb_transform data = lb_transform_multiply(&p->links[link], &l->data_offset);
    for (int i = 0; has_shape(p, link) && i < l->visual_count; i++) {
        planar_outline o = planar_outline_of(&l->visuals[i], &data);
        if (o.count == 1 && lb_vec3_length(lb_vec3_sub(o.points[0], joint)) < o.radius)
            return true;
    }
    return false;
}

/* ---- a pose ------------------------------------------------------------- */

/* the bar to a link; one that ends in a gripper stops at its palm */
static void draw_bar(const planar *p, int link)
{
    int parent = lb_model_parent(p->model, link);
    double r0 = bar_radius(p, parent), r1 = bar_radius(p, link);
    figure_point a = planar_at(p, p->links[parent].p), b = planar_at(p, joint_origin(p, link));
    double length = hypot(b.x - a.x, b.y - a.y);
    if (length < 0.5)
        return;
    double ux = (b.x - a.x) / length, uy = (b.y - a.y) / length;
    bool is_tip = !skeleton_moves(lb_model_joint(p->model, link - 1)) && p->bones->tip[link] &&
                  length > 4 * r1;
    if (is_tip) {
        draw_gripper(p, b, ux, uy, r1);
        b = moved(b, ux, uy, -1.6 * r1 - 0.5 * r1);
    }
    figure_style style = outlined(p, figure_mix(p->color, FIGURE_PAPER, 0.55));
    figure_bar(p->page, a, r0, b, r1, style);
}

static void draw_joint(const planar *p, int link)
{
    const lb_joint *joint = lb_model_joint(p->model, link - 1);
    figure_point at = planar_at(p, p->links[link].p);
    double r = bar_radius(p, link);
    if (covers(p, link, p->links[link].p) ||
        covers(p, lb_model_parent(p->model, link), p->links[link].p))
        return;
    if (joint->kind == LB_JOINT_REVOLUTE || joint->kind == LB_JOINT_CONTINUOUS)
        draw_hinge(p, at, r);
    else if (joint->kind == LB_JOINT_PRISMATIC)
        draw_slide(p, planar_at(p, joint_origin(p, link)), at,
                   axis_in_world(p->model, p->links, link - 1), r);
}

/* the pins of loops, where one joins two links in a point */
static void draw_loops(const planar *p)
{
    for (int i = 0; i < lb_model_loop_count(p->model); i++) {
        const lb_loop *loop = lb_model_loop(p->model, i);
        if (loop->kind != LB_LOOP_HINGE && loop->kind != LB_LOOP_BALL)
            continue;
        int first = lb_model_find_link(p->model, loop->first);
        int second = lb_model_find_link(p->model, loop->second);
        lb_vec3 at = lb_transform_point(&p->links[first], loop->first_frame.p);
        draw_hinge(p, planar_at(p, at), fmin(bar_radius(p, first), bar_radius(p, second)));
    }
}

void planar_draw_pose(const planar *p)
{
    // shapes and bars under joints
    for (int i = 0; i < p->bones->link_count; i++)
        if (has_shape(p, i))
            draw_shapes(p, i);
    for (int i = 1; i < p->bones->link_count; i++)
        if (p->bones->bone[i] && !has_shape(p, lb_model_parent(p->model, i)))
            draw_bar(p, i);
    for (int i = 1; i < p->bones->link_count; i++)
        if (p->bones->bone[i])
            draw_joint(p, i);
    draw_loops(p);
}
