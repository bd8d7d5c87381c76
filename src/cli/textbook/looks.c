/*
 * looks.c - the colour, line and mark of each method.
 *
 * Eleven colours cannot all be distinguished by colour-blind readers; with five marks and lines
 * that are full, dashed or dotted no two methods look alike without colour, either. The page has
 * the same in web/page/src/board/looks.ts and style/base.css, which a test compares.
 */
#include "cli/textbook/comparison.h"

#include <string.h>

static const struct {
    const char *method;
    unsigned rgb;
    double dashes[4];
    figure_mark mark;
} looks[] = {
    {"damped", 0xb3470b, {0}, FIGURE_MARK_DOT},
    {"ccd", 0x1d62c9, {9, 5}, FIGURE_MARK_SQUARE},
    {"fabrik", 0x0d7f5c, {2, 4}, FIGURE_MARK_TRIANGLE},
    {"transpose", 0x8540b4, {12, 4, 2, 4}, FIGURE_MARK_DIAMOND},
    {"lm", 0x00718a, {0}, FIGURE_MARK_STAR},
    {"pseudoinverse", 0xab2b76, {0}, FIGURE_MARK_SQUARE},
    {"inverse", 0x6b5900, {0}, FIGURE_MARK_TRIANGLE},
    {"selective", 0x4b6b12, {6, 3}, FIGURE_MARK_DIAMOND},
    {"alternative", 0x8a4526, {9, 5}, FIGURE_MARK_STAR},
    {"ccd-ranked", 0x4453c4, {9, 5}, FIGURE_MARK_DOT},
    {"analytic", 0x565f70, {0}, FIGURE_MARK_DIAMOND},
};

static figure_color color_of(unsigned rgb)
{
    return (figure_color){(rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0,
                          1};
}

plot_look look_of(const lb_method *method)
{
    plot_look look = {.color = FIGURE_MUTED, .mark = FIGURE_MARK_CROSS};
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        if (strcmp(looks[i].method, lb_method_name(method)) != 0)
            continue;
        look = (plot_look){.color = color_of(looks[i].rgb), .mark = looks[i].mark};
        memcpy(look.dashes, looks[i].dashes, sizeof look.dashes);
    }
    return look;
}
