/*
 * draw_planar.c - the picture of a planar linkage: its poses in one panel with axes.
 */
#include "figures/drawing.h"
#include "figures/planar.h"

#include <stdlib.h>

/* how far the shapes' colours go towards the pose's where poses must be distinguished */
static const double shape_tint = 0.6;

static int obstacle_count(const drawing *d)
{
    return d->what->scene ? d->what->scene->obstacle_count : 0;
}

static const lb_geometry *obstacle_at(const drawing *d, int i)
{
    return &d->what->scene->obstacles[i].geometry;
}

/* of what is not drawn it has no points */
static planar_outline outline_at(const drawing *d, int i)
{
    const lb_transform world = LB_TRANSFORM_IDENTITY;
    if (!drawing_has_obstacle(d, obstacle_at(d, i)))
        return (planar_outline){.count = 0};
    return planar_outline_of(obstacle_at(d, i), &world);
}

/* ---- extent ------------------------------------------------------------- */

static planar_bounds find_bounds(const drawing *d, const lb_transform *plane)
{
    planar_bounds b = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int pose = 0; pose < d->pose_count; pose++) {
        lb_state_update(d->state, d->poses[pose].q);
        const lb_transform *links = lb_state_transforms(d->state);
        for (int i = 0; i < d->bones.link_count; i++)
            if (i == 0 || d->bones.bone[i])
                planar_include(&b, plane, links[i].p);
        planar_include_shapes(&b, d->model, links, plane);
    }
    for (int i = 0; i < d->what->target_count; i++)
        planar_include(&b, plane, d->what->targets[i]);
    for (int i = 0; i < d->what->ellipsoid_count; i++) {
        lb_vec3 points[7];
        for (int k = drawing_ellipsoid_points(d, i, points); k > 0; k--)
            planar_include(&b, plane, points[k - 1]);
    }
    for (int i = 0; i < obstacle_count(d); i++) {
        planar_outline o = outline_at(d, i);
        planar_include_outline(&b, plane, &o);
    }

    // room for thickness, ground and grippers; and for what rounding leaves of a tiny figure
    double farthest = fmax(fmax(-b.x0, b.x1), fmax(-b.y0, b.y1));
    double extent = fmax(fmax(b.x1 - b.x0, b.y1 - b.y0), 0.5 * d->bones.extent);
    double room = 0.09 * fmax(extent, fmax(1e-12 * farthest, 1e-12));
    return (planar_bounds){b.x0 - room, b.x1 + room, b.y0 - 1.2 * room, b.y1 + room};
}

/* ---- the picture -------------------------------------------------------- */

static figure_panel draw_panel(const drawing *d)
{
    figure_axes axes = {planar_axis_title(d->plane.x), planar_axis_title(d->plane.y), NULL};
    figure_rect rect = figure_panel_room(d->room, axes);
    planar_bounds b = find_bounds(d, &d->plane);
    figure_panel panel = figure_panel_drawing(rect, b.x0, b.x1, b.y0, b.y1);
    figure_panel_axes(d->page, &panel, axes);
    return panel;
}

/* what stands around */
static void draw_scene(const drawing *d, const planar *p)
{
    for (int i = 0; i < obstacle_count(d); i++) {
        planar_outline o = outline_at(d, i);
        planar_draw_outline(
            p, &o,
            figure_outlined(drawing_scene_color(obstacle_at(d, i)), FIGURE_MUTED, FIGURE_THIN));
    }
}

static figure_point place_of(const void *view, lb_vec3 point)
{
    return planar_at(view, point);
}

void drawing_planar(drawing *d)
{
    int *order = figure_allocate(d->page, (size_t)d->pose_count, sizeof *order);
    if (!order)
        return;
    drawing_order(d, order);
    planar p = {.page = d->page,
                .panel = draw_panel(d),
                .plane = d->plane,
                .model = d->model,
                .bones = &d->bones,
                .links = lb_state_transforms(d->state),
                .shaped = true};

    // what stands around, base, poses from faint to strong, what must be seen last
    figure_clip(d->page, p.panel.rect);
    draw_scene(d, &p);
    planar_draw_base(&p);
    for (int i = 0; i < d->pose_count; i++) {
        lb_state_update(d->state, d->poses[order[i]].q);
        p.color = drawing_color(d, order[i]);
        p.faded = drawing_fade(d, order[i]);
        p.tint = drawing_is_natural(d, order[i]) ? 0 : shape_tint;
        planar_draw_pose(&p);
    }
    drawing_paths(d, place_of, &p);
    for (int i = 0; i < d->what->target_count; i++)
        figure_marker(d->page, planar_at(&p, d->what->targets[i]), FIGURE_MARK_TARGET,
                      drawing_target_size, FIGURE_TARGET);
    drawing_ellipsoids(d, place_of, &p);
    drawing_distances(d, place_of, &p);
    figure_unclip(d->page);
    free(order);
}
