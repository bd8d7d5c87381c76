/* shades.c - colours that stand for a number from 0 to a top, and the bar that says so. */
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
