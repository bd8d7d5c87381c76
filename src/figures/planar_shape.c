/*
 * planar_shape.c - a model's own shapes, seen at right angles to a plane.
 *
 * All shapes are convex, so their outline is that of a few points, grown by a radius:
 * a ball is a point, a capsule two; boxes are their corners and cylinders points of
 * their two rims, both without radius. The convex hull is found by scanning the points
 * from left to right, lower chain first (Andrew 1979).
 */
#include "figures/planar.h"

/* points of one rim of a cylinder: the chord strays from a circle by 0.5 % of its radius */
enum { RIM = PLANAR_OUTLINE_POINTS / 2 };

/* ---- outlines ----------------------------------------------------------- */

static void add(planar_outline *o, const lb_transform *frame, double x, double y, double z)
{
    o->points[o->count++] = lb_transform_point(frame, lb_vec3_make(x, y, z));
}

static void add_box(planar_outline *o, const lb_transform *frame, lb_vec3 size)
{
    for (int i = 0; i < 8; i++)
        add(o, frame, (i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y,
            (i & 4 ? 0.5 : -0.5) * size.z);
}

static void add_rims(planar_outline *o, const lb_transform *frame, double radius, double half)
{
    for (int i = 0; i < RIM; i++) {
        double angle = 2 * LB_PI * i / RIM;
        double x = radius * lb_cos(angle), y = radius * lb_sin(angle);
        add(o, frame, x, y, -half);
        add(o, frame, x, y, half);
    }
}

planar_outline planar_outline_of(const lb_geometry *shape, const lb_transform *data)
{
    lb_transform frame = lb_transform_multiply(data, &shape->origin);
    double half = 0.5 * shape->size.z;
    planar_outline o = {.count = 0};
    switch (shape->shape) {
    case LB_SHAPE_BOX:
        add_box(&o, &frame, shape->size);
        break;
    case LB_SHAPE_CYLINDER:
        add_rims(&o, &frame, shape->size.x, half);
        break;
    case LB_SHAPE_CAPSULE:
        add(&o, &frame, 0, 0, -half);
        add(&o, &frame, 0, 0, half);
        o.radius = shape->size.x;
        break;
    case LB_SHAPE_SPHERE:
        add(&o, &frame, 0, 0, 0);
        o.radius = shape->size.x;
        break;
    case LB_SHAPE_MESH:
        break;
    }
    return o;
}

/* ---- extent ------------------------------------------------------------- */

void planar_include(planar_bounds *b, const lb_transform *plane, lb_vec3 p)
{
    double x = lb_vec3_dot(p, plane->x), y = lb_vec3_dot(p, plane->y);
    b->x0 = fmin(b->x0, x);
    b->x1 = fmax(b->x1, x);
    b->y0 = fmin(b->y0, y);
    b->y1 = fmax(b->y1, y);
}

void planar_include_outline(planar_bounds *b, const lb_transform *plane, const planar_outline *o)
{
    lb_vec3 corner = lb_vec3_scale(lb_vec3_add(plane->x, plane->y), o->radius);
    for (int i = 0; i < o->count; i++) {
        planar_include(b, plane, lb_vec3_sub(o->points[i], corner));
        planar_include(b, plane, lb_vec3_add(o->points[i], corner));
    }
}

void planar_include_shapes(planar_bounds *b, const lb_model *model, const lb_transform *links,
                           const lb_transform *plane)
{
    for (int k = 0; k < lb_model_link_count(model); k++) {
        const lb_link *link = lb_model_link(model, k);
        lb_transform data = lb_transform_multiply(&links[k], &link->data_offset);
        for (int i = 0; i < link->visual_count; i++) {
            planar_outline o = planar_outline_of(&link->visuals[i], &data);
            planar_include_outline(b, plane, &o);
        }
    }
}

/* ---- on the page -------------------------------------------------------- */

void planar_draw_outline(const planar *p, const planar_outline *o, figure_style style)
{
    figure_point points[PLANAR_OUTLINE_POINTS], hull[2 * PLANAR_OUTLINE_POINTS];
    double radius = o->radius * figure_panel_scale(&p->panel);
    for (int i = 0; i < o->count; i++)
        points[i] = figure_panel_at(&p->panel, lb_vec3_dot(o->points[i], p->plane.x),
                                    lb_vec3_dot(o->points[i], p->plane.y));
    if (o->count == 1)
        figure_circle(p->page, points[0], radius, style);
    else if (o->count == 2)
        figure_bar(p->page, points[0], radius, points[1], radius, style);
    if (o->count <= 2)
        return;
    int count = figure_hull(points, o->count, hull);
    if (count > 2)
        figure_polygon(p->page, hull, count, style);
}
