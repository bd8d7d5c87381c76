/* tree_sign.c - a tree's texts and the signs of its joints, in boxes and lists alike. */
#include "figures/tree_layout.h"

double tree_text_width(const tree_layout *l, const char *text, figure_font font)
{
    return l->what->formulas ? figure_math_width(l->page, text, font)
                             : figure_text_width(l->page, text, font);
}

void tree_draw_text(const tree_layout *l, figure_point at, const char *text, figure_font font)
{
    if (l->what->formulas)
        figure_math(l->page, at, text, font);
    else
        figure_text(l->page, at, text, font);
}

void tree_draw_sign(figure *page, figure_point at, tree_sign sign)
{
    figure_style ring = {.fill = FIGURE_PAPER, .stroke = FIGURE_INK, .width = FIGURE_MEDIUM};
    figure_color blue = figure_series(0);
    if (sign == TREE_TURN)
        figure_circle(page, at, 4, ring);
    if (sign == TREE_PLANE)
        ring.fill = blue;
    if (sign == TREE_SLIDE || sign == TREE_PLANE)
        figure_rectangle(page, (figure_rect){at.x - 3.6, at.y - 3.6, 7.2, 7.2}, 0, ring);
    if (sign == TREE_BALL)
        figure_circle(page, at, 4,
                      (figure_style){.fill = blue, .stroke = FIGURE_INK, .width = FIGURE_THIN});
}
