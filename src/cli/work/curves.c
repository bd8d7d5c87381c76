/* curves.c - how the curves of methods look, and curves of methods that are not the library's. */
#include "cli/work/curves.h"

#include "cli/report/report.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- looks ---------------------------------------------------------------- */

/*
 * The colour, line and mark of each method. Eleven colours cannot all be distinguished by
 * colour-blind readers; with five marks and lines that are full, dashed or dotted no two methods
 * look alike without colour, either. The page has the same in web/page/src/board/looks.ts and
 * style/base.css, which a test compares.
 */
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

/* of a method that is not in the table: grey */
plot_look curves_look(const lb_method *method)
{
    plot_look look = {.color = FIGURE_MUTED, .mark = FIGURE_MARK_CROSS};
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        if (strcmp(looks[i].method, lb_method_name(method)) != 0)
            continue;
        look.color = color_of(looks[i].rgb);
        look.mark = looks[i].mark;
        memcpy(look.dashes, looks[i].dashes, sizeof look.dashes);
    }
    return look;
}

/* ---- of others ------------------------------------------------------------- */

own_curves own_curves_read(const char *path)
{
    own_curves own = {.y = NULL};
    if (path == NULL)
        return own;
    require(csv_open(path, &program_memory, &own.table, why()));
    require(csv_next(&own.table, INT_MAX, why()));
    const int rows = own.table.rows;
    own.steps = rows - 1;
    own.y = allocate_or_exit((size_t)rows * (size_t)own.table.columns, sizeof *own.y);
    for (int c = 0; c < own.table.columns; c++)
        for (int r = 0; r < rows; r++) {
            double *y = &own.y[c * rows + r];
            if (*csv_text(&own.table, r, c) == '\0')
                *y = NAN;
            else
                require(csv_number(&own.table, r, c, y, why()));
        }
    if (own.table.columns > OWN_CURVES)
        refuse("%s: at most %d curves are wanted, there are %d", path, OWN_CURVES,
               own.table.columns);
    if (rows <= 1)
        refuse("%s: a row for each step is wanted, and one before the first", path);
    return own;
}

/* marks that no method of the library has; with five lines no two of OWN_CURVES look alike without
   colour, either */
void own_curves_list(const own_curves *own, const double *x, plot_curve *curves)
{
    static const figure_mark marks[] = {FIGURE_MARK_CROSS, FIGURE_MARK_PLUS, FIGURE_MARK_RING};
    static const double dashes[][4] = {{0}, {9, 5}, {2, 4}, {16, 4}, {12, 4, 2, 4}};
    static const unsigned colors[] = {0x14171c, 0xa3180f, 0x0f4fa8, 0x2f6b1b};
    for (int c = 0; c < own->table.columns; c++) {
        curves[c] = (plot_curve){.label = csv_name(&own->table, c),
                                 .x = x,
                                 .y = own->y + c * own->table.rows,
                                 .n = own->table.rows,
                                 .look = {.color = color_of(colors[c % 4]), .mark = marks[c % 3]}};
        memcpy(curves[c].look.dashes, dashes[c % 5], sizeof curves[c].look.dashes);
    }
}
