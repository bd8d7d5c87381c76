/*
 * figure_legend.c - rows of samples with their labels.
 */
#include "base/text.h"
#include "figures/figure_page.h"

#include <string.h>

static const double row_height = 17, sample_width = 30, sample_gap = 6, entry_gap = 20;

static void sample_draw(figure *page, figure_point left, const figure_entry *e)
{
    figure_point right = {left.x + sample_width, left.y};
    figure_point middle = {left.x + 0.5 * sample_width, left.y};
    figure_style line = {.stroke = e->color, .width = FIGURE_BOLD, .dash = e->dash};
    memcpy(line.dashes, e->dashes, sizeof line.dashes);
    line.butt_ended = line.dashes[0] > 0;
    switch (e->sample) {
    case FIGURE_SAMPLE_LINE:
        figure_line(page, left, right, line);
        break;
    case FIGURE_SAMPLE_BAR:
        figure_bar(page, (figure_point){left.x + 4, left.y}, 4, (figure_point){right.x - 4, left.y},
                   4, figure_brush(e->color));
        break;
    case FIGURE_SAMPLE_BOTH:
        figure_line(page, left, right, line);
        figure_marker(page, middle, e->mark, 8, e->color);
        break;
    case FIGURE_SAMPLE_MARK:
        figure_marker(page, middle, e->mark, 10, e->color);
        break;
    }
}

static double entry_width(figure *page, const figure_entry *e)
{
    return sample_width + sample_gap + figure_text_width(page, e->label, (figure_font){0});
}

static void entry_draw(figure *page, double x, double y, const figure_entry *e)
{
    figure_point left = {x, y + 0.5 * row_height};
    sample_draw(page, left, e);
    figure_text(page, (figure_point){x + sample_width + sample_gap, left.y}, e->label,
                (figure_font){.y_align = 0.5});
}

double figure_legend(figure *page, figure_rect rect, const figure_entry *entries, int n, bool draw)
{
    /* room for "and N more", kept free in the last row */
    const double rest_width = 90;
    double x = 0, y = 0;
    for (int i = 0; i < n; i++) {
        double width = entry_width(page, &entries[i]);
        bool last_row = y + 2 * row_height > rect.height;
        double room = rect.width - (last_row && i + 1 < n ? rest_width : 0);
        if (x > 0 && x + width > room && !last_row) {
            x = 0;
            y += row_height;
        } else if (x > 0 && x + width > room) {
            char rest[32];
            text_format(rest, sizeof rest, "and %d more", n - i);
            if (draw)
                figure_text(page, (figure_point){rect.x + x, rect.y + y + 0.5 * row_height}, rest,
                            (figure_font){.y_align = 0.5, .color = FIGURE_MUTED});
            break;
        }
        if (draw)
            entry_draw(page, rect.x + x, rect.y + y, &entries[i]);
        x += width + entry_gap;
    }
    return n > 0 ? y + row_height : 0;
}
