/*
 * plot.c - curves in panels beside each other.
 *
 * Each curve has its marks at other points than its neighbours', so that curves that run into one
 * another can still be distinguished.
 */
#include "figures/plot.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* of a page with one panel and with several */
static const double narrow = 720, wide = 1080, page_height = 480, margin = 22;
static const double legend_gap = 10, panel_gap = 18, line_dash = 2, mark_size = 8;
enum { MARKS = 6 }; /* on a curve, about */

typedef struct range {
    double from, to;
} range;

static void include(range *r, double value, bool logarithmic)
{
    if (!isfinite(value) || (logarithmic && !(value > 0)))
        return;
    r->from = fmin(r->from, value);
    r->to = fmax(r->to, value);
}

/* the data's range on an axis of a panel; something where there is none */
static range range_of(const plot *what, const plot_panel *panel, bool vertical)
{
    bool logarithmic = vertical ? what->log_y : what->log_x;
    range r = {INFINITY, -INFINITY};
    for (int i = 0; i < what->count; i++)
        for (int k = 0; k < panel->curves[i].n; k++)
            include(&r, vertical ? panel->curves[i].y[k] : panel->curves[i].x[k], logarithmic);
    if (vertical && panel->name)
        include(&r, panel->line, logarithmic);
    return r.from <= r.to ? r : (range){logarithmic ? 0.1 : 0, 1};
}

/* in the order of the first panel's curves; returns the height it took */
static double draw_legend(figure *page, const plot *what, figure_rect rect)
{
    figure_entry *entries = figure_allocate(page, (size_t)what->count, sizeof *entries);
    if (!entries)
        return 0;
    for (int i = 0; i < what->count; i++) {
        const plot_curve *curve = &what->panels[0].curves[i];
        entries[i] = (figure_entry){.label = curve->label,
                                    .color = curve->look.color,
                                    .mark = curve->look.mark,
                                    .sample = FIGURE_SAMPLE_BOTH};
        memcpy(entries[i].dashes, curve->look.dashes, sizeof entries[i].dashes);
    }
    double height = figure_legend(page, rect, entries, what->count, true);
    free(entries);
    return height;
}

/* a value on the panel's y axis: no error at all lies at the lower end of a logarithmic one */
static double height_of(const figure_panel *panel, const plot *what, double y)
{
    return !what->log_y || y > 0 ? y : y == 0 ? panel->y0 : NAN;
}

/* a curve without the points that an axis cannot show */
static void draw_curve(figure *page, const figure_panel *panel, const plot *what,
                       const plot_curve *curve)
{
    double *x = figure_allocate(page, 2 * (size_t)curve->n, sizeof *x),
           *y = x ? x + curve->n : NULL;
    for (int k = 0; x && k < curve->n; k++) {
        x[k] = what->log_x && !(curve->x[k] > 0) ? NAN : curve->x[k];
        y[k] = height_of(panel, what, curve->y[k]);
    }
    figure_style style = {.stroke = curve->look.color, .width = FIGURE_BOLD};
    memcpy(style.dashes, curve->look.dashes, sizeof style.dashes);
    style.butt_ended = style.dashes[0] > 0;
    if (x)
        figure_panel_curve(page, panel, x, y, curve->n, style);
    free(x);
}

/* the marks of curve i, and one at its end */
static void draw_marks(figure *page, const figure_panel *panel, const plot *what, int i,
                       const plot_curve *curve)
{
    int every = curve->n / MARKS > 1 ? curve->n / MARKS : 1, first = i * every / what->count;
    for (int k = 0; k < curve->n; k++) {
        double x = curve->x[k], y = height_of(panel, what, curve->y[k]);
        bool marked = k % every == first || k + 1 == curve->n;
        if (marked && isfinite(y) && (x > 0 || !what->log_x))
            figure_marker(page, figure_panel_at(panel, x, y), curve->look.mark, mark_size,
                          curve->look.color);
    }
}

/* whether some curve gets clearly below a panel's line */
static bool is_crossed(const plot *what, const plot_panel *own)
{
    for (int i = 0; i < what->count; i++)
        for (int k = 0; k < own->curves[i].n; k++)
            if (own->curves[i].y[k] < 0.99 * own->line)
                return true;
    return false;
}

/* whether no curve goes through a place of the page; x grows along a curve */
static bool is_free(const figure_panel *panel, const plot *what, const plot_panel *own,
                    figure_rect place)
{
    for (int i = 0; i < what->count; i++) {
        const plot_curve *curve = &own->curves[i];
        for (int k = 0; k + 1 < curve->n; k++) {
            figure_point a =
                figure_panel_at(panel, curve->x[k], height_of(panel, what, curve->y[k]));
            figure_point b =
                figure_panel_at(panel, curve->x[k + 1], height_of(panel, what, curve->y[k + 1]));
            double from = fmax(a.x, place.x), to = fmin(b.x, place.x + place.width);
            // a gap is through nothing: comparisons with NaN are false
            if (!(from <= to) || !(b.x > a.x))
                continue;
            double slope = (b.y - a.y) / (b.x - a.x);
            double first = a.y + slope * (from - a.x), last = a.y + slope * (to - a.x);
            if (fmax(first, last) >= place.y && fmin(first, last) <= place.y + place.height)
                return false;
        }
    }
    return true;
}

/*
 * The horizontal line and its name: above it, or below it where no curve goes; at the left if there
 * is room between the curves, else at the right or in the middle.
 */
static void draw_line(figure *page, const figure_panel *panel, const plot *what,
                      const plot_panel *own)
{
    figure_point a = figure_panel_at(panel, panel->x0, own->line);
    figure_point b = figure_panel_at(panel, panel->x1, own->line);
    bool below = !is_crossed(what, own);
    figure_line(page, a, b,
                (figure_style){.stroke = FIGURE_INK, .width = FIGURE_THIN, .dash = line_dash});
    figure_font font = {.size = FIGURE_TEXT_SMALL, .y_align = below ? 1 : 0, .color = FIGURE_INK};
    const double width = figure_text_width(page, own->name, font), room = mark_size / 2;
    const double places[] = {a.x + 6, b.x - 6 - width, 0.5 * (a.x + b.x - width), a.x + 6};
    figure_point at = {a.x, below ? a.y + 7 : a.y - 5};
    for (int i = 0; i < 4; i++) {
        at.x = places[i];
        if (is_free(panel, what, own,
                    (figure_rect){at.x - room, (below ? at.y : at.y - font.size) - room,
                                  width + 2 * room, font.size + 2 * room}))
            break;
    }
    figure_text(page, at, own->name, font);
}

static void draw_panel(figure *page, const plot *what, const plot_panel *own, figure_rect rect)
{
    figure_axes axes = {what->x, own->y, NULL};
    rect = figure_panel_room(rect, axes);
    range x = range_of(what, own, false), y = range_of(what, own, true);
    figure_panel panel =
        figure_panel_plot(rect, x.from, x.to, y.from, y.to, what->log_x, what->log_y);
    figure_panel_axes(page, &panel, axes);

    // the first on top: it is the one that the others are compared with
    for (int i = what->count - 1; i >= 0; i--)
        draw_curve(page, &panel, what, &own->curves[i]);
    for (int i = what->count - 1; i >= 0; i--)
        draw_marks(page, &panel, what, i, &own->curves[i]);
    if (own->name)
        draw_line(page, &panel, what, own);
}

static void draw_page(figure *page, const plot *what)
{
    figure_rect rect = {0, 0, figure_width(page), figure_height(page)};
    rect = figure_rect_inset(rect, margin, margin, margin, margin);
    rect = figure_page_title(page, rect, what->title);
    double legend = draw_legend(page, what, rect);
    rect = figure_rect_inset(rect, 0, legend + legend_gap, 0, 0);
    for (int i = 0; i < what->panel_count; i++)
        draw_panel(page, what, &what->panels[i],
                   figure_rect_cell(rect, what->panel_count, 1, i, panel_gap));
}

lb_status plot_draw(const plot *what, const char *path, lb_error *error)
{
    figure *page;
    TRY(figure_open_dense(path, what->panel_count > 1 ? wide : narrow, page_height, 2, &page,
                          error));
    draw_page(page, what);
    return figure_close(page, error);
}
