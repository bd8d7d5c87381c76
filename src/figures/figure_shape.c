/*
 * figure_shape.c - the palette and the shapes of the toolbox.
 */
#include "figures/figure_page.h"

#include <limber/math.h>
#include <stdlib.h>

/* ---- palette ------------------------------------------------------------ */

static const figure_color series[figure_series_count] = {
    {0.000, 0.447, 0.698, 1}, /* blue */
    {0.835, 0.369, 0.000, 1}, /* vermilion */
    {0.000, 0.620, 0.451, 1}, /* bluish green */
    {0.800, 0.475, 0.655, 1}, /* reddish purple */
    {0.902, 0.624, 0.000, 1}, /* orange */
    {0.337, 0.706, 0.914, 1}, /* sky */
    {0.400, 0.440, 0.490, 1}, /* slate */
};

figure_color figure_series(int i)
{
    const int round = i / figure_series_count % 3;
    return figure_mix(series[i % figure_series_count], FIGURE_INK, 0.35 * round);
}

figure_color figure_mix(figure_color a, figure_color b, double t)
{
    double s = 1 - t;
    return (figure_color){s * a.r + t * b.r, s * a.g + t * b.g, s * a.b + t * b.b,
                          s * a.a + t * b.a};
}

/* ---- painting a path ---------------------------------------------------- */

static void set_gradient(cairo_t *cr, const figure_gradient *g)
{
    cairo_pattern_t *pattern =
        g->radius > 0 ? cairo.pattern_create_radial(g->a.x, g->a.y, 0, g->b.x, g->b.y, g->radius)
                      : cairo.pattern_create_linear(g->a.x, g->a.y, g->b.x, g->b.y);
    for (int i = 0; i < g->count; i++) {
        figure_color c = g->colors[i];
        cairo.pattern_add_color_stop_rgba(pattern, (double)i / (g->count - 1), c.r, c.g, c.b, c.a);
    }
    cairo.set_source(cr, pattern);
    cairo.pattern_destroy(pattern);
}

/* fills and strokes the current path, and forgets it */
static void paint(figure *page, const figure_style *style)
{
    cairo_t *cr = page->cr;
    if (style->gradient) {
        set_gradient(cr, style->gradient);
        cairo.fill_preserve(cr);
    } else if (style->fill.a > 0) {
        figure_set_color(page, style->fill);
        cairo.fill_preserve(cr);
    }
    if (style->stroke.a > 0 && style->width > 0) {
        figure_set_color(page, style->stroke);
        cairo.set_line_width(cr, style->width);
        cairo.set_line_cap(cr, style->butt_ended ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
        if (style->dashes[0] > 0)
            cairo.set_dash(cr, style->dashes, style->dashes[2] > 0 ? 4 : 2, 0);
        else
            cairo.set_dash(cr, &style->dash, style->dash > 0, 0);
        cairo.stroke_preserve(cr);
    }
    cairo.new_path(cr);
}

static void trace(cairo_t *cr, const figure_point *points, int n)
{
    cairo.new_path(cr);
    for (int i = 0; i < n; i++)
        cairo.line_to(cr, points[i].x, points[i].y);
}

/* ---- lines and polygons ------------------------------------------------- */

void figure_line(figure *page, figure_point a, figure_point b, figure_style style)
{
    figure_polyline(page, (figure_point[]){a, b}, 2, style);
}

void figure_polyline(figure *page, const figure_point *points, int n, figure_style style)
{
    style.fill.a = 0;
    trace(page->cr, points, n);
    paint(page, &style);
}

void figure_polygon(figure *page, const figure_point *points, int n, figure_style style)
{
    trace(page->cr, points, n);
    cairo.close_path(page->cr);
    paint(page, &style);
}

void figure_rectangle(figure *page, figure_rect rect, double corner_radius, figure_style style)
{
    cairo_t *cr = page->cr;
    double r = corner_radius, x1 = rect.x + rect.width, y1 = rect.y + rect.height;
    cairo.new_path(cr);
    if (r > 0) {
        cairo.arc(cr, x1 - r, rect.y + r, r, -LB_PI / 2, 0);
        cairo.arc(cr, x1 - r, y1 - r, r, 0, LB_PI / 2);
        cairo.arc(cr, rect.x + r, y1 - r, r, LB_PI / 2, LB_PI);
        cairo.arc(cr, rect.x + r, rect.y + r, r, LB_PI, 1.5 * LB_PI);
        cairo.close_path(cr);
    } else {
        cairo.rectangle(cr, rect.x, rect.y, rect.width, rect.height);
    }
    paint(page, &style);
}

/* ---- round shapes ------------------------------------------------------- */

void figure_circle(figure *page, figure_point center, double radius, figure_style style)
{
    cairo.new_path(page->cr);
    cairo.arc(page->cr, center.x, center.y, radius, 0, 2 * LB_PI);
    cairo.close_path(page->cr);
    paint(page, &style);
}

/* page angles grow clockwise, ours the other way */
static void add_arc(cairo_t *cr, figure_point center, double radius, double from, double to)
{
    if (to >= from)
        cairo.arc_negative(cr, center.x, center.y, radius, -from, -to);
    else
        cairo.arc(cr, center.x, center.y, radius, -from, -to);
}

void figure_arc(figure *page, figure_point center, double radius, double from, double to,
                figure_style style)
{
    style.fill.a = 0;
    cairo.new_path(page->cr);
    add_arc(page->cr, center, radius, from, to);
    paint(page, &style);
}

void figure_annulus(figure *page, figure_point center, double inner, double outer,
                    figure_style style)
{
    cairo_t *cr = page->cr;
    cairo.new_path(cr);
    cairo.arc(cr, center.x, center.y, outer, 0, 2 * LB_PI);
    cairo.close_path(cr);
    if (inner > 0) {
        cairo.new_sub_path(cr);
        cairo.arc_negative(cr, center.x, center.y, inner, 2 * LB_PI, 0);
        cairo.close_path(cr);
    }
    paint(page, &style);
}

/*
 * The hull of two circles: its straight sides touch both. A side's normal makes
 * the angle acos((ra - rb) / d) with the line from a to b.
 */
void figure_bar(figure *page, figure_point a, double radius_a, figure_point b, double radius_b,
                figure_style style)
{
    cairo_t *cr = page->cr;
    double dx = b.x - a.x, dy = b.y - a.y, d = sqrt(dx * dx + dy * dy);

    // one circle within the other
    if (d <= fabs(radius_a - radius_b)) {
        bool first = radius_a >= radius_b;
        figure_circle(page, first ? a : b, first ? radius_a : radius_b, style);
        return;
    }
    double along = lb_atan2(dy, dx), side = lb_acos((radius_a - radius_b) / d);
    cairo.new_path(cr);
    cairo.arc(cr, b.x, b.y, radius_b, along - side, along + side);
    cairo.arc(cr, a.x, a.y, radius_a, along + side, along - side + 2 * LB_PI);
    cairo.close_path(cr);
    paint(page, &style);
}

/* ---- arrows ------------------------------------------------------------- */

/* a filled head with its tip at b, looking along the unit vector (ux, uy) */
static void arrow_head(figure *page, figure_point b, double ux, double uy, double head,
                       figure_color color)
{
    double half = 0.38 * head, notch = 0.82 * head;
    figure_point back = {b.x - head * ux, b.y - head * uy};
    figure_point points[] = {b,
                             {back.x - half * uy, back.y + half * ux},
                             {b.x - notch * ux, b.y - notch * uy},
                             {back.x + half * uy, back.y - half * ux}};
    figure_polygon(page, points, 4, figure_brush(color));
}

void figure_arrow(figure *page, figure_point a, figure_point b, double head, figure_style style)
{
    double dx = b.x - a.x, dy = b.y - a.y, d = sqrt(dx * dx + dy * dy);
    if (!(d > 0))
        return;
    double ux = dx / d, uy = dy / d;

    // the shaft ends inside the head
    head = fmin(head, d);
    figure_line(page, a, (figure_point){b.x - 0.8 * head * ux, b.y - 0.8 * head * uy}, style);
    arrow_head(page, b, ux, uy, head, style.stroke);
}

void figure_turn(figure *page, figure_point center, double radius, double from, double to,
                 double head, figure_style style)
{
    double sign = to >= from ? 1 : -1;

    // the shaft stops short by the head's length along the arc, unless it is all head
    double short_by = fmin(0.8 * head / radius, fabs(to - from));
    figure_arc(page, center, radius, from, to - sign * short_by, style);

    // the head looks along the chord it replaces, which keeps it on the arc
    figure_point tip = {center.x + radius * lb_cos(to), center.y - radius * lb_sin(to)};
    double chord = to - sign * 0.5 * head / radius;
    arrow_head(page, tip, -sign * lb_sin(chord), -sign * lb_cos(chord), head, style.stroke);
}

/* ---- marks -------------------------------------------------------------- */

static void plus_path(cairo_t *cr)
{
    cairo.move_to(cr, -1, 0);
    cairo.line_to(cr, 1, 0);
    cairo.move_to(cr, 0, -1);
    cairo.line_to(cr, 0, 1);
}

/* the outline of a mark, as a path about the origin within [-1, 1] */
static void mark_path(cairo_t *cr, figure_mark mark)
{
    switch (mark) {
    case FIGURE_MARK_DOT:
    case FIGURE_MARK_RING:
        cairo.arc(cr, 0, 0, 1, 0, 2 * LB_PI);
        cairo.close_path(cr);
        break;
    case FIGURE_MARK_CROSS:
        cairo.move_to(cr, -0.8, -0.8);
        cairo.line_to(cr, 0.8, 0.8);
        cairo.move_to(cr, -0.8, 0.8);
        cairo.line_to(cr, 0.8, -0.8);
        break;
    case FIGURE_MARK_TARGET:
        cairo.arc(cr, 0, 0, 0.62, 0, 2 * LB_PI);
        cairo.close_path(cr);
        plus_path(cr);
        break;
    case FIGURE_MARK_PLUS:
        plus_path(cr);
        break;
    case FIGURE_MARK_SQUARE:
        cairo.rectangle(cr, -0.85, -0.85, 1.7, 1.7);
        break;
    case FIGURE_MARK_DIAMOND:
        cairo.move_to(cr, 0, -1.1);
        cairo.line_to(cr, 1.1, 0);
        cairo.line_to(cr, 0, 1.1);
        cairo.line_to(cr, -1.1, 0);
        cairo.close_path(cr);
        break;
    case FIGURE_MARK_STAR:
        for (int i = 0; i < 10; i++) {
            double radius = i % 2 ? 0.55 : 1.25, angle = i * LB_PI / 5;
            cairo.line_to(cr, radius * sin(angle), -radius * cos(angle));
        }
        cairo.close_path(cr);
        break;
    case FIGURE_MARK_TRIANGLE:
        cairo.move_to(cr, 0, -1.1);
        cairo.line_to(cr, 1, 0.7);
        cairo.line_to(cr, -1, 0.7);
        cairo.close_path(cr);
        break;
    }
}

void figure_marker(figure *page, figure_point center, figure_mark mark, double size,
                   figure_color color)
{
    cairo_t *cr = page->cr;
    bool drawn_by_lines = mark == FIGURE_MARK_CROSS || mark == FIGURE_MARK_PLUS ||
                          mark == FIGURE_MARK_TARGET || mark == FIGURE_MARK_RING;
    double line = drawn_by_lines ? fmax(0.14 * size, FIGURE_THIN) : 0;

    // the path in page units, so that lines keep their width
    cairo.save(cr);
    cairo.new_path(cr);
    cairo.translate(cr, center.x, center.y);
    cairo.scale(cr, size / 2, size / 2);
    mark_path(cr, mark);
    cairo.restore(cr);

    // a rim of paper, then the mark
    cairo.set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    cairo.set_dash(cr, NULL, 0, 0);
    figure_set_color(page, FIGURE_PAPER);
    cairo.set_line_width(cr, line + 2 * FIGURE_THIN);
    cairo.stroke_preserve(cr);
    figure_set_color(page, color);
    cairo.set_line_width(cr, line);
    if (drawn_by_lines)
        cairo.stroke(cr);
    else
        cairo.fill(cr);
}

/* ---- ground ------------------------------------------------------------- */

void figure_ground(figure *page, figure_point a, figure_point b, double depth, figure_color color)
{
    double dx = b.x - a.x, dy = b.y - a.y, d = sqrt(dx * dx + dy * dy);
    if (!(d > 0))
        return;
    double ux = dx / d, uy = dy / d;
    figure_style hatch = {.stroke = color, .width = FIGURE_THIN};

    // strokes at 45 degrees, leaning back, about one depth apart
    int n = (int)(d / (0.75 * depth));
    n = n < 1 ? 1 : n;
    for (int i = 0; i <= n; i++) {
        double s = d * i / n;
        figure_point top = {a.x + s * ux, a.y + s * uy};
        figure_point foot = {top.x - depth * (ux + uy), top.y - depth * (uy - ux)};
        figure_line(page, top, foot, hatch);
    }
    figure_line(page, a, b, figure_pen(color, FIGURE_MEDIUM));
}

/* ---- hulls -------------------------------------------------------------- */

static int compare_corners(const void *a, const void *b)
{
    const figure_point *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* positive where a, b, c turn towards growing y from growing x */
static double turn_of_points(figure_point a, figure_point b, figure_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

int figure_hull(figure_point *points, int n, figure_point *hull)
{
    qsort(points, (size_t)n, sizeof *points, compare_corners);
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        int floor = count + 1;
        for (int k = 0; k < n; k++) {
            figure_point p = points[pass ? n - 1 - k : k];
            while (count > floor && !(turn_of_points(hull[count - 2], hull[count - 1], p) > 0))
                count--;
            hull[count++] = p;
        }
        // the end of one side begins the other
        count--;
    }
    return count;
}
