/*
 * draw.c - lb_draw: lays the page out, with title and legend, and draws one of the two views.
 */
#include "base/error.h"
#include "figures/drawing.h"

#include <stdlib.h>

static const double margin = 26;

lb_drawing lb_drawing_default(void)
{
    return (lb_drawing){.width = 720, .height = 540, .azimuth = NAN, .elevation = NAN};
}

/* ---- the legend --------------------------------------------------------- */

static void draw_legend(drawing *d)
{
    figure_entry *entries = figure_allocate(d->page, (size_t)d->pose_count, sizeof *entries);
    if (!entries)
        return;
    int n = 0;
    for (int i = 0; i < d->pose_count; i++) {
        figure_color color = drawing_is_natural(d, i) ? FIGURE_MUTED : drawing_color(d, i);
        if (d->poses[i].label && drawing_first(d, i) == i)
            entries[n++] =
                (figure_entry){.label = d->poses[i].label,
                               .sample = FIGURE_SAMPLE_BAR,
                               .color = figure_mix(color, FIGURE_PAPER, drawing_fade(d, i))};
    }
    if (n > 0 && d->what->target_count > 0)
        entries[n++] = (figure_entry){.label = "target",
                                      .sample = FIGURE_SAMPLE_MARK,
                                      .mark = FIGURE_MARK_TARGET,
                                      .color = FIGURE_TARGET};

    // at most a fifth of the page
    figure_rect rect = d->room;
    rect.height = fmax(0.2 * figure_height(d->page), 1);
    double height = figure_legend(d->page, rect, entries, n, true);
    d->room = figure_rect_inset(d->room, 0, height > 0 ? height + 8 : 0, 0, 0);
    free(entries);
}

/* ---- the page ----------------------------------------------------------- */

static void draw_page(drawing *d)
{
    figure_rect page = {0, 0, figure_width(d->page), figure_height(d->page)};
    double edge = fmin(margin, 0.1 * fmin(page.width, page.height));
    d->room = figure_rect_inset(page, edge, edge, edge, edge);
    d->room = figure_page_title(d->page, d->room, d->what->title);
    draw_legend(d);
    if (d->in_space)
        drawing_spatial(d);
    else
        drawing_planar(d);
}

lb_status lb_draw(const lb_model *model, const lb_drawing *what, const char *path, lb_error *error)
{
    TRY(REQUIRE(error, {model, "model"}, {what, "drawing"}, {path, "path"}));
    drawing d;
    lb_status status = drawing_start(&d, model, what, error);
    if (status == LB_OK)
        status = figure_open(path, what->width, what->height, &d.page, error);
    if (status == LB_OK) {
        draw_page(&d);
        status = figure_close(d.page, error);
    }
    drawing_stop(&d);
    return status;
}
