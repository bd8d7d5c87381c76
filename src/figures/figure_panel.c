/*
 * figure_panel.c - panels: from data to the page, ticks, axes and curves; legends.
 */
#include "base/text.h"
#include "figures/figure_page.h"

#include <limber/math.h>

#include <float.h>
#include <string.h>

/* where numbers and titles of axes stand, in points from the panel's edge */
static const double tick_length = 4, number_gap = 6, title_gap = 8;

/* ---- rectangles --------------------------------------------------------- */

figure_rect figure_rect_cell(figure_rect rect, int columns, int rows, int i, double gap)
{
    double width = (rect.width - (columns - 1) * gap) / columns;
    double height = (rect.height - (rows - 1) * gap) / rows;
    int column = i % columns, row = i / columns;
    return (figure_rect){rect.x + column * (width + gap), rect.y + row * (height + gap), width,
                         height};
}

figure_rect figure_rect_inset(figure_rect rect, double left, double top, double right,
                              double bottom)
{
    return (figure_rect){rect.x + left, rect.y + top, fmax(rect.width - left - right, 1),
                         fmax(rect.height - top - bottom, 1)};
}

figure_rect figure_page_title(figure *page, figure_rect room, const char *title)
{
    const double height = 30, width = figure_width(page) - 2 * room.x;
    if (title == NULL)
        return room;
    // one that is too long is smaller
    figure_font font = {.size = FIGURE_TEXT_TITLE, .bold = true, .y_align = 1};
    font.size *= fmin(1, width / fmax(figure_text_width(page, title, font), 1));
    figure_text(page, (figure_point){room.x, room.y}, title, font);
    return figure_rect_inset(room, 0, height, 0, 0);
}

/* ---- mapping ------------------------------------------------------------ */

figure_panel figure_panel_drawing(figure_rect rect, double x0, double x1, double y0, double y1)
{
    double scale = fmin(rect.width / (x1 - x0), rect.height / (y1 - y0));
    double half_width = 0.5 * rect.width / scale, half_height = 0.5 * rect.height / scale;
    double x = 0.5 * (x0 + x1), y = 0.5 * (y0 + y1);
    return (figure_panel){rect,  x - half_width, x + half_width, y - half_height, y + half_height,
                          false, false};
}

/* the range of whole ticks about a range; an empty one gets some room */
static void widen(double *from, double *to, bool logarithmic)
{
    if (logarithmic) {
        *from = pow(10, floor(log10(*from)));
        *to = pow(10, ceil(log10(*to)));
        *to = *to > *from ? *to : 10 * *from;
        return;
    }
    if (!(*to > *from)) {
        double room = *from != 0 ? 0.5 * fabs(*from) : 1;
        *from -= room;
        *to += room;
    }
    double first, step;
    figure_ticks(*from, *to, 5, &first, &step);
    *from = step * floor(*from / step);
    *to = step * ceil(*to / step);
}

figure_panel figure_panel_plot(figure_rect rect, double x0, double x1, double y0, double y1,
                               bool log_x, bool log_y)
{
    widen(&x0, &x1, log_x);
    widen(&y0, &y1, log_y);
    return (figure_panel){rect, x0, x1, y0, y1, log_x, log_y};
}

/* where a value lies between two others: 0 at `from`, 1 at `to` */
static double share(double value, double from, double to, bool logarithmic)
{
    if (!logarithmic)
        return (value - from) / (to - from);
    return value > 0 ? log10(value / from) / log10(to / from) : 0;
}

figure_point figure_panel_at(const figure_panel *panel, double x, double y)
{
    const figure_rect *r = &panel->rect;
    return (figure_point){r->x + r->width * share(x, panel->x0, panel->x1, panel->log_x),
                          r->y + r->height * (1 - share(y, panel->y0, panel->y1, panel->log_y))};
}

double figure_panel_scale(const figure_panel *panel)
{
    return panel->rect.width / (panel->x1 - panel->x0);
}

/* ---- ticks -------------------------------------------------------------- */

int figure_ticks(double from, double to, int wanted, double *first, double *step)
{
    // a range that is empty, or too wide for its own numbers, has no ticks
    double even = (to - from) / (wanted > 0 ? wanted : 1);
    *first = from;
    *step = 1;
    if (!(even > DBL_MIN && even < DBL_MAX / 100))
        return 0;

    // the power of ten below the even step, then the multiple that comes nearest
    double power = pow(10, floor(log10(even))), ratio = even / power;
    *step = power * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);

    // the ends count although they are a rounding error away
    double slack = 1e-9 * *step;
    *first = *step * ceil((from - slack) / *step);
    return (int)floor((to + slack - *first) / *step) + 1;
}

/* decimals that show a multiple of `step` in full */
static int decimals(double step)
{
    double digits = -floor(log10(step) + 1e-9);
    return digits > 0 ? (int)digits : 0;
}

enum { number_size = 32 };

/* a hyphen reads as a minus sign only where fonts are fixed */
static void with_minus(char *out, size_t size, const char *number)
{
    bool negative = number[0] == '-';
    text_format(out, size, "%s%s", negative ? "\xe2\x88\x92" : "", number + negative);
}

/* plain, or with the power of ten of the largest number on the axis where that is long */
static void number_text(char out[number_size], double value, double step, double largest)
{
    char digits[number_size - 3];
    bool plain = largest < 1e5 && step >= 1e-4;
    int exponent = plain ? 0 : (int)floor(log10(largest));
    double unit = pow(10, exponent);
    value = fabs(value) < 1e-9 * step ? 0 : value;
    text_format(digits, sizeof digits,
                plain ? "%.*f"
                      : "%.*f\xc2\xb7"
                        "10^{%d}",
                decimals(step / unit), value / unit, exponent);
    with_minus(out, number_size, value == 0 ? "0" : digits);
}

static void power_text(char out[number_size], int exponent)
{
    char digits[number_size - 8], minus[number_size - 5];
    text_format(digits, sizeof digits, "%d", exponent);
    with_minus(minus, sizeof minus, digits);
    text_format(out, number_size, "10^{%s}", minus);
}

/* ---- axes --------------------------------------------------------------- */

/* one of a panel's two axes, so that both are drawn by the same lines */
typedef struct axis {
    const figure_panel *panel;
    bool vertical, logarithmic;
    double from, to;
} axis;

static axis axis_of(const figure_panel *panel, bool vertical)
{
    if (vertical)
        return (axis){panel, true, panel->log_y, panel->y0, panel->y1};
    return (axis){panel, false, panel->log_x, panel->x0, panel->x1};
}

/* the page point of a value on the panel's left or bottom edge */
static figure_point edge_point(const axis *a, double value)
{
    const figure_panel *p = a->panel;
    return a->vertical ? figure_panel_at(p, p->x0, value) : figure_panel_at(p, value, p->y0);
}

static void grid_line(figure *page, const axis *a, double value, figure_color color)
{
    const figure_rect *r = &a->panel->rect;
    figure_point p = edge_point(a, value), q = p;
    if (a->vertical)
        q.x = r->x + r->width;
    else
        q.y = r->y;
    figure_line(page, p, q, figure_pen(color, FIGURE_HAIR));
}

static void tick(figure *page, const axis *a, double value, const char *text)
{
    figure_font font = {.size = FIGURE_TEXT_SMALL, .color = FIGURE_MUTED};
    figure_point p = edge_point(a, value), q = p, label = p;
    if (a->vertical) {
        q.x -= tick_length;
        label.x -= number_gap;
        font.x_align = 1;
        font.y_align = 0.5;
    } else {
        q.y += tick_length;
        label.y += number_gap;
        font.x_align = 0.5;
        font.y_align = 1;
    }
    figure_line(page, p, q, figure_pen(FIGURE_FRAME, FIGURE_THIN));
    figure_math(page, label, text, font);
}

/* about one tick for each 55 points along and 40 up the page */
static int wanted_ticks(const axis *a)
{
    const figure_rect *r = &a->panel->rect;
    int n = (int)(a->vertical ? r->height / 40 : r->width / 55);
    return n < 2 ? 2 : n > 10 ? 10 : n;
}

static void linear_ticks(figure *page, const axis *a)
{
    double first, step;
    int n = figure_ticks(a->from, a->to, wanted_ticks(a), &first, &step);
    for (int i = 0; i < n; i++) {
        double value = first + i * step;
        char text[number_size];
        grid_line(page, a, value, FIGURE_GRID);
        number_text(text, value, step, fmax(fabs(a->from), fabs(a->to)));
        tick(page, a, value, text);
    }
}

/* lines at each decade; numbers at every decade that has room */
static void decade_ticks(figure *page, const axis *a)
{
    int low = (int)lround(log10(a->from)), high = (int)lround(log10(a->to));
    int every = 1 + (high - low) / (wanted_ticks(a) + 1);
    for (int e = low; e <= high; e++) {
        char text[number_size];
        grid_line(page, a, pow(10, e), FIGURE_GRID);
        power_text(text, e);
        if ((e - low) % every == 0)
            tick(page, a, pow(10, e), text);
    }
}

static void axis_draw(figure *page, const axis *a)
{
    if (a->logarithmic)
        decade_ticks(page, a);
    else
        linear_ticks(page, a);
}

/* the room that axes need on each side of a panel */
static figure_rect axes_margin(figure_axes axes)
{
    double line = FIGURE_TEXT_BODY + title_gap;
    // numbers on the left are up to some five characters wide
    double left = number_gap + 3.2 * FIGURE_TEXT_SMALL + (axes.y ? line : 0);
    double bottom = number_gap + FIGURE_TEXT_SMALL + (axes.x ? line : 0);
    return (figure_rect){left, axes.title ? line : 0, FIGURE_TEXT_SMALL, bottom};
}

figure_rect figure_panel_room(figure_rect rect, figure_axes axes)
{
    figure_rect m = axes_margin(axes);
    return figure_rect_inset(rect, m.x, m.y, m.width, m.height);
}

static void titles_draw(figure *page, const figure_panel *panel, figure_axes axes)
{
    const figure_rect *r = &panel->rect;
    figure_rect room = axes_margin(axes);
    double middle_x = r->x + 0.5 * r->width, middle_y = r->y + 0.5 * r->height;
    figure_font font = {.x_align = 0.5, .y_align = 0, .color = FIGURE_MUTED};
    if (axes.x)
        figure_text(page, (figure_point){middle_x, r->y + r->height + room.height}, axes.x, font);
    if (axes.title)
        figure_text(page, (figure_point){middle_x, r->y - title_gap}, axes.title,
                    (figure_font){.x_align = 0.5, .bold = true});
    font.turn = LB_PI / 2;
    font.y_align = 1;
    if (axes.y)
        figure_text(page, (figure_point){r->x - room.x, middle_y}, axes.y, font);
}

void figure_panel_axes(figure *page, const figure_panel *panel, figure_axes axes)
{
    axis x = axis_of(panel, false), y = axis_of(panel, true);
    axis_draw(page, &x);
    axis_draw(page, &y);
    figure_rectangle(page, panel->rect, 0, figure_pen(FIGURE_FRAME, FIGURE_THIN));
    titles_draw(page, panel, axes);
}

/* ---- curves ------------------------------------------------------------- */

void figure_panel_curve(figure *page, const figure_panel *panel, const double *x, const double *y,
                        int n, figure_style style)
{
    enum { chunk = 256 };
    figure_point points[chunk];
    int used = 0;
    figure_clip(page, panel->rect);
    for (int i = 0; i <= n; i++) {
        bool good = i < n && isfinite(x[i]) && isfinite(y[i]);
        if (good)
            points[used++] = figure_panel_at(panel, x[i], y[i]);
        if (good && used < chunk)
            continue;

        // a gap, a full chunk or the end; a chunk hands its last point on
        if (used > 1)
            figure_polyline(page, points, used, style);
        points[0] = points[used > 0 ? used - 1 : 0];
        used = good ? 1 : 0;
    }
    figure_unclip(page);
}

/* ---- legends ------------------------------------------------------------ */

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
