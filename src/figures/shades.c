/*
 * shades.c - colours that stand for a number from 0 to a top, the bar that says so, and maps of
 * cells in them.
 */
#include "figures/drawing.h"

#include "base/text.h"

#include <math.h>

static const figure_color shades[] = {{0.93, 0.95, 0.78, 1},
                                      {0.63, 0.85, 0.72, 1},
                                      {0.25, 0.71, 0.77, 1},
                                      {0.17, 0.50, 0.72, 1},
                                      {0.14, 0.20, 0.58, 1}};
enum { SHADES = sizeof shades / sizeof *shades };

figure_color shade_color(double share)
{
    double at = fmax(0, fmin(share, 1)) * (SHADES - 1);
    int i = (int)at < SHADES - 1 ? (int)at : SHADES - 2;
    return figure_mix(shades[i], shades[i + 1], at - i);
}

shade_scale shade_scale_for(double largest)
{
    shade_scale s = {1, 1, false};
    double first;
    figure_ticks(0, largest > 0 ? largest : 1, 4, &first, &s.step);
    s.top = s.step * fmax(1, ceil(largest / s.step - 1e-9));
    return s;
}

/* the numbers beside the bar */
static void draw_marks(figure *page, figure_rect bar, shade_scale s)
{
    figure_font font = {.size = FIGURE_TEXT_SMALL, .y_align = 0.5, .color = FIGURE_MUTED};
    int count = (int)floor(s.top / s.step + 0.5);
    for (int i = 0; i <= count; i++) {
        char text[32];
        double value = i * s.step;
        if (s.percent)
            text_format(text, sizeof text, "%.0f %%", 100 * value);
        else
            text_format(text, sizeof text, "%.4g", value);
        double y = bar.y + bar.height * (1 - value / s.top);
        figure_text(page, (figure_point){bar.x + bar.width + 7, y}, text, font);
    }
}

void shade_bar(figure *page, figure_rect bar, shade_scale scale)
{
    figure_gradient colors = {
        .a = {bar.x, bar.y + bar.height}, .b = {bar.x, bar.y}, .count = SHADES};
    for (int i = 0; i < SHADES; i++)
        colors.colors[i] = shades[i];
    figure_rectangle(
        page, bar, 0,
        (figure_style){.gradient = &colors, .stroke = FIGURE_FRAME, .width = FIGURE_THIN});
    draw_marks(page, bar, scale);
}

/* ---- maps --------------------------------------------------------------- */

/* cells from..to of row j, all of one step */
static void draw_run(figure *page, const shade_map *m, int from, int to, int j, int step)
{
    figure_color color = step < 0 ? FIGURE_GRID : shade_color((double)step / m->steps);
    figure_point corners[] = {m->point(m->map, from, j), m->point(m->map, to, j),
                              m->point(m->map, to, j + 1), m->point(m->map, from, j + 1)};
    figure_polygon(page, corners, 4, figure_outlined(color, color, SHADE_OVERLAP));
}

void shade_cells(figure *page, const shade_map *m)
{
    for (int j = 0; j < m->rows; j++)
        for (int i = 1, from = 0; i <= m->columns; i++) {
            int step = m->step(m->map, from, j);
            if (i < m->columns && m->step(m->map, i, j) == step)
                continue;
            if (step != -1)
                draw_run(page, m, from, i, j, step);
            from = i;
        }
}
