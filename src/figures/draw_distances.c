/*
 * draw_distances.c - how near links come to each other, marked over a drawn model, and what of a
 * scene a page shows.
 */
#include "base/text.h"
#include "figures/drawing.h"

/* between what is apart, and in what overlaps: neither is the colour of goals */
static const figure_color apart = {0.10, 0.36, 0.75, 1}, overlapping = {0.90, 0.45, 0, 1};

/* points on the page: a mark's radius, the paper around it, from its middle to its text */
static const double mark_radius = 2.6, edge = 1.2, text_offset = 8;

/* of the model's extent: an obstacle that is longer would make the model small, or hide the grid */
static const double most_drawn = 3;

/* the line and its ends, so much thicker than they are */
static void draw_mark(figure *page, figure_point a, figure_point b, double more, figure_color color)
{
    double width = 2 * FIGURE_MEDIUM + 2 * more;
    figure_line(page, a, b, figure_pen(color, width));
    figure_circle(page, a, mark_radius + more, figure_brush(color));
    figure_circle(page, b, mark_radius + more, figure_brush(color));
}

void drawing_note(figure *page, figure_point at, const char *text, figure_color color)
{
    figure_font font = {.size = FIGURE_TEXT_SMALL, .y_align = 0.5, .color = color};
    figure_rect paper = {at.x - 2 * edge, at.y - 0.7 * FIGURE_TEXT_SMALL,
                         figure_text_width(page, text, font) + 4 * edge, 1.4 * FIGURE_TEXT_SMALL};
    figure_rectangle(page, paper, mark_radius, figure_brush(FIGURE_PAPER));
    figure_text(page, at, text, font);
}

void drawing_distances(const drawing *d, drawing_place *place, const void *view)
{
    for (int i = 0; i < d->what->distance_count; i++) {
        const lb_proximity *p = &d->what->distances[i];
        if (!isfinite(p->distance))
            continue;
        figure_point a = place(view, p->point_a), b = place(view, p->point_b);
        figure_point at = {fmax(a.x, b.x) + text_offset, 0.5 * (a.y + b.y)};
        figure_color color = p->distance <= 0 ? overlapping : apart;
        draw_mark(d->page, a, b, edge, FIGURE_PAPER);
        draw_mark(d->page, a, b, 0, color);
        char text[32];
        text_format(text, sizeof text, "%.3g m", p->distance);
        drawing_note(d->page, at, text, color);
    }
}

bool drawing_has_obstacle(const drawing *d, const lb_geometry *obstacle)
{
    lb_vec3 s = obstacle->size;
    return obstacle->shape != LB_SHAPE_MESH &&
           fmax(s.x, fmax(s.y, s.z)) <= most_drawn * d->bones.extent;
}

figure_color drawing_scene_color(const lb_geometry *obstacle)
{
    const double *c = obstacle->color;
    return c[3] > 0 ? (figure_color){c[0], c[1], c[2], 1} : FIGURE_FRAME;
}
