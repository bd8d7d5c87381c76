/*
 * draw_ellipsoids.c - velocity ellipsoids over a drawn model, by their outlines on the page.
 */
#include "base/text.h"
#include "figures/drawing.h"

static const figure_color ink = {0.42, 0.16, 0.60, 1}, inside = {0.42, 0.16, 0.60, 0.13};

/* the longest axis of all as a part of the model's extent */
static const double longest_drawn = 0.25;

/* axes that are shorter on the page, points, have no number; a number's distance from the end */
static const double shortest_noted = 9, text_offset = 6;

/* the dashes of what damping leaves */
static const double dash = 3;

enum { OUTLINE = 96 };

/* metres in the drawing for one metre a second; 0 when nothing moves */
static double scale_of(const drawing *d)
{
    double longest = 0;
    for (int i = 0; i < d->what->ellipsoid_count; i++)
        longest = fmax(longest, lb_vec3_length(d->what->ellipsoids[i].axes[0]));
    return longest > 0 ? longest_drawn * d->bones.extent / longest : 0;
}

int drawing_ellipsoid_points(const drawing *d, int ellipsoid, lb_vec3 points[7])
{
    const lb_ellipsoid *e = &d->what->ellipsoids[ellipsoid];
    double scale = scale_of(d);
    points[0] = e->center;
    for (int i = 0; i < 3; i++) {
        points[2 * i + 1] = lb_vec3_add(e->center, lb_vec3_scale(e->axes[i], scale));
        points[2 * i + 2] = lb_vec3_add(e->center, lb_vec3_scale(e->axes[i], -scale));
    }
    return 7;
}

/*
 * The page shows a point as an affine map of it, so an ellipsoid as an ellipse: with the images a_i
 * of its semi-axes and M = sum a_i a_i^T, the outline is the points M n / sqrt(n^T M n) of all unit
 * vectors n, farthest from the middle along n.
 */
static void draw_outline(figure *page, figure_point middle, const figure_point a[3],
                         figure_style style)
{
    double xx = 0, xy = 0, yy = 0;
    figure_point outline[OUTLINE];
    for (int i = 0; i < 3; i++) {
        xx += a[i].x * a[i].x;
        xy += a[i].x * a[i].y;
        yy += a[i].y * a[i].y;
    }
    for (int i = 0; i < OUTLINE; i++) {
        double angle = 2 * LB_PI * i / OUTLINE, x = cos(angle), y = sin(angle);
        double square = xx * x * x + 2 * xy * x * y + yy * y * y;
        double inverse = square > 0 ? 1 / sqrt(square) : 0;
        outline[i].x = middle.x + (xx * x + xy * y) * inverse;
        outline[i].y = middle.y + (xy * x + yy * y) * inverse;
    }
    figure_polygon(page, outline, OUTLINE, style);
}

/* -1 to 1: to which side of an end a number is, centred where the axis is across that direction */
static double side_of(double along)
{
    return fmin(1, fmax(-1, 3 * along));
}

/* an axis' length, behind a word, beyond the axis' end `a` from the middle, clear of the outline */
static void note_length(figure *page, figure_point middle, figure_point a, const char *word,
                        double length)
{
    char text[32];
    double drawn = hypot(a.x, a.y);
    if (drawn < shortest_noted)
        return;
    text_format(text, sizeof text, "%s%.3g m/s", word, length);
    double width = figure_text_width(page, text, (figure_font){.size = FIGURE_TEXT_SMALL});
    double away = 1 + text_offset / drawn;
    figure_point at = {middle.x + a.x * away - width * 0.5 * (1 - side_of(a.x / drawn)),
                       middle.y + a.y * away + 0.7 * FIGURE_TEXT_SMALL * side_of(a.y / drawn)};
    drawing_note(page, at, text, ink);
}

static bool is_same_point(lb_vec3 a, lb_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void draw_one(const drawing *d, int which, drawing_place *place, const void *view)
{
    const lb_ellipsoid *e = &d->what->ellipsoids[which];
    bool again = which > 0 && is_same_point(e->center, e[-1].center);
    lb_vec3 points[7];
    figure_point middle, a[3];
    drawing_ellipsoid_points(d, which, points);
    middle = place(view, points[0]);
    for (int i = 0; i < 3; i++) {
        figure_point end = place(view, points[2 * i + 1]);
        a[i] = (figure_point){end.x - middle.x, end.y - middle.y};
    }
    draw_outline(d->page, middle, a,
                 (figure_style){.fill = again ? (figure_color){0} : inside,
                                .stroke = ink,
                                .width = FIGURE_MEDIUM,
                                .dash = again ? dash : 0});
    // at the other ends of the full ellipse's axes, where it has no numbers
    for (int i = 0; i < 3 && again; i++) {
        double length = lb_vec3_length(e->axes[i]);
        double full = length > 0 ? lb_vec3_length(e[-1].axes[i]) / length : 0;
        note_length(d->page, middle, (figure_point){-full * a[i].x, -full * a[i].y}, "damped ",
                    length);
    }
    for (int i = 0; i < 3 && !again; i++) {
        figure_point from = {middle.x - a[i].x, middle.y - a[i].y};
        figure_point to = {middle.x + a[i].x, middle.y + a[i].y};
        figure_line(d->page, from, to, figure_pen(ink, FIGURE_THIN));
        note_length(d->page, middle, a[i], "", lb_vec3_length(e->axes[i]));
    }
}

void drawing_ellipsoids(const drawing *d, drawing_place *place, const void *view)
{
    for (int i = 0; i < d->what->ellipsoid_count; i++)
        draw_one(d, i, place, view);
}
