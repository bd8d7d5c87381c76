/*
 * plot.c - curves in panels beside each other.
 *
 * Colours are those of the series and repeat; a curve whose colour has been is
 * dashed, so that twice as many can be distinguished.
 */
#include "figures/plot.h"

#include "figures/figure.h"

#include <math.h>
#include <stdlib.h>

static const double usual_width = 720, usual_height = 480, margin = 22, title_room = 30;
static const double legend_gap = 10, panel_gap = 18, dash = 5, line_dash = 2;

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

static double dash_of(const plot_curve *curve)
{
    return curve->color < figure_series_count ? 0 : dash;
}

/* in the order of the first panel's curves; returns the height it took */
static double draw_legend(figure *page, const plot *what, figure_rect rect)
{
    figure_entry *entries = calloc((size_t)what->count + 1, sizeof *entries);
    if (!entries)
        return -1;
    for (int i = 0; i < what->count; i++) {
        const plot_curve *curve = &what->panels[0].curves[i];
        entries[i] = (figure_entry){.label = curve->label,
                                    .color = figure_series(curve->color),
                                    .dash = dash_of(curve),
                                    .sample = FIGURE_SAMPLE_LINE};
    }
    double height = figure_legend(page, rect, entries, what->count, true);
    free(entries);
    return height;
}

/* a curve without the points that an axis cannot show */
static bool draw_curve(figure *page, const figure_panel *panel, const plot *what,
                       const plot_curve *curve)
{
    double *x = malloc(((size_t)curve->n + 1) * sizeof *x),
           *y = malloc(((size_t)curve->n + 1) * sizeof *y);
    bool done = x && y;
    for (int k = 0; done && k < curve->n; k++) {
        x[k] = what->log_x && !(curve->x[k] > 0) ? NAN : curve->x[k];
        y[k] = what->log_y && !(curve->y[k] > 0) ? NAN : curve->y[k];
    }
    if (done)
        figure_panel_curve(page, panel, x, y, curve->n,
                           (figure_style){.stroke = figure_series(curve->color),
                                          .width = FIGURE_BOLD,
                                          .dash = dash_of(curve)});
    free(y);
    free(x);
    return done;
}

/* the horizontal line and its name, at the left above it: curves begin far above what they approach
 */
static void draw_line(figure *page, const figure_panel *panel, const plot_panel *what)
{
    figure_point a = figure_panel_at(panel, panel->x0, what->line);
    figure_point b = figure_panel_at(panel, panel->x1, what->line);
    figure_line(page, a, b,
                (figure_style){.stroke = FIGURE_INK, .width = FIGURE_THIN, .dash = line_dash});
    figure_text(page, (figure_point){a.x + 6, a.y - 5}, what->name,
                (figure_font){.size = FIGURE_TEXT_SMALL, .color = FIGURE_INK});
}

static bool draw_panel(figure *page, const plot *what, const plot_panel *own, figure_rect rect)
{
    figure_axes axes = {.grid = true, .frame = true, .ticks = true, .x = what->x, .y = own->y};
    figure_rect edge = figure_panel_margin(axes);
    rect = figure_rect_inset(rect, edge.x, edge.y, edge.width, edge.height);
    range x = range_of(what, own, false), y = range_of(what, own, true);
    figure_panel panel =
        figure_panel_plot(rect, x.from, x.to, y.from, y.to, what->log_x, what->log_y);
    figure_panel_axes(page, &panel, axes);

    // the first on top: it is the one that the others are compared with
    bool done = true;
    for (int i = what->count - 1; done && i >= 0; i--)
        done = draw_curve(page, &panel, what, &own->curves[i]);
    if (own->name)
        draw_line(page, &panel, own);
    return done;
}

static bool draw_page(figure *page, const plot *what)
{
    figure_rect rect = {0, 0, figure_width(page), figure_height(page)};
    rect = figure_rect_inset(rect, margin, margin, margin, margin);
    if (what->title) {
        figure_text(page, (figure_point){rect.x, rect.y}, what->title,
                    (figure_font){.size = FIGURE_TEXT_TITLE, .bold = true, .y_align = 1});
        rect = figure_rect_inset(rect, 0, title_room, 0, 0);
    }
    double legend = draw_legend(page, what, rect);
    bool done = legend >= 0;
    rect = figure_rect_inset(rect, 0, legend + legend_gap, 0, 0);
    for (int i = 0; done && i < what->panel_count; i++)
        done = draw_panel(page, what, &what->panels[i],
                          figure_rect_cell(rect, what->panel_count, 1, i, panel_gap));
    return done;
}

lb_status plot_draw(const plot *what, const char *path, lb_error *error)
{
    figure *page;
    double width = what->width > 0 ? what->width : usual_width * (what->panel_count > 1 ? 1.5 : 1);
    double height = what->height > 0 ? what->height : usual_height;
    double density = what->density > 0 ? what->density : 2;
    lb_status status = figure_open_dense(path, width, height, density, &page, error);
    if (status)
        return status;
    if (draw_page(page, what))
        return figure_close(page, error);
    figure_discard(page);
    return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory for a plot");
}
