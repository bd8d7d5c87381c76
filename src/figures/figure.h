/*
 * figure.h - the toolbox every picture is made with: pages, shapes, text, panels.
 *
 * A page is opened for a path, drawn on and closed; its ending chooses the
 * format. Shapes and text work in page coordinates: points (pixels of a PNG),
 * x to the right and y down from the upper left corner. A panel maps data to
 * the page: drawings with equal scales, plots with linear or logarithmic axes.
 *
 * Colours, line widths and text sizes come from the tables below alone, so that
 * all figures look of one hand. Nothing here reads a clock: the same calls give
 * the same bytes (on one machine; fonts differ between machines).
 *
 * Calls after a failure are harmless: figure_close reports it.
 */
#ifndef FIGURES_FIGURE_H
#define FIGURES_FIGURE_H

#include <limber/base.h>

typedef struct figure figure;

typedef struct figure_point {
    double x, y;
} figure_point;

typedef struct figure_rect {
    double x, y, width, height; /* x, y: upper left corner */
} figure_rect;

/* ---- palette ------------------------------------------------------------ */

/* Red, green, blue and opacity in 0..1; all zero means "not drawn". */
typedef struct figure_color {
    double r, g, b, a;
} figure_color;

#define FIGURE_INK ((figure_color){0.13, 0.17, 0.22, 1})   /* outlines, titles */
#define FIGURE_MUTED ((figure_color){0.42, 0.47, 0.53, 1}) /* labels, ticks */
#define FIGURE_FRAME ((figure_color){0.72, 0.76, 0.80, 1}) /* frames of panels */
#define FIGURE_GRID ((figure_color){0.90, 0.92, 0.94, 1})  /* grid lines */
#define FIGURE_PAPER ((figure_color){1, 1, 1, 1})
#define FIGURE_TARGET ((figure_color){0.80, 0.11, 0.16, 1}) /* goals, and goals alone */

/*
 * The i-th series colour, i >= 0: distinguished by colour-blind readers too (the
 * set of Okabe & Ito 2008 without its yellow, which vanishes on white).
 * Those after figure_series_count are the same ones, darker, and so on.
 */
enum { figure_series_count = 7 };
figure_color figure_series(int i);
/* From a (t = 0) to b (t = 1); opacity is mixed too. */
figure_color figure_mix(figure_color a, figure_color b, double t);

/* line widths and text sizes, in points */
#define FIGURE_HAIR 0.5
#define FIGURE_THIN 0.8
#define FIGURE_MEDIUM 1.3
#define FIGURE_BOLD 2.0
#define FIGURE_TEXT_SMALL 9.5
#define FIGURE_TEXT_BODY 11.0
#define FIGURE_TEXT_TITLE 14.5

/* ---- pages -------------------------------------------------------------- */

/* Largest width and height of a page, which bounds a PNG's memory to about 1 GB. */
enum { figure_max_size = 16384 };

/*
 * Opens a white page of width x height for a path that ends in .svg, .png or
 * .pdf (any case). The file takes its place when the page is closed, whole or
 * not at all.
 * Fails, with *page NULL, on another ending, a size that is not in
 * 1..figure_max_size, and a path that cannot be written.
 */
lb_status figure_open(const char *path, double width, double height, figure **page,
                      lb_error *error);
/* The same, but a PNG gets `density` > 0 pixels a point, so that it is as crisp as print. */
lb_status figure_open_dense(const char *path, double width, double height, double density,
                            figure **page, lb_error *error);
/* Refuses an ending or a size as the two do, before there is anything to draw. */
lb_status figure_check(const char *path, double width, double height, lb_error *error);
/*
 * Zeroed memory for what is drawn, released with free(); where there is none NULL, of which
 * figure_close says so, as where figure_fail says it.
 */
void *figure_allocate(figure *page, size_t count, size_t size);
void figure_fail(figure *page);
/* Finishes the file and gives it its name, or removes it and says what failed. Frees the page. */
lb_status figure_close(figure *page, lb_error *error);
/* Gives the page up: no file is left. NULL is accepted. */
void figure_discard(figure *page);

double figure_width(const figure *page);
double figure_height(const figure *page);

/* What is drawn between the two is cut to the rectangle. May be nested. */
void figure_clip(figure *page, figure_rect rect);
void figure_unclip(figure *page);
/*
 * What is drawn between the two is a soft stain: only where it is drawn counts,
 * not in which colour. It is blurred over `blur` points, a small picture in every
 * format. Not to be nested.
 */
void figure_soft(figure *page);
void figure_unsoft(figure *page, figure_color color, double blur);

/* ---- shapes ------------------------------------------------------------- */

/*
 * Colours that change over a shape: along the line from `a` to `b`, or, when
 * `radius` > 0, from the point `a` to the circle of that radius about `b`.
 * Colours are spread evenly.
 */
enum { figure_max_stops = 8 };
typedef struct figure_gradient {
    figure_point a, b;
    double radius;
    int count; /* 2..figure_max_stops */
    figure_color colors[figure_max_stops];
} figure_gradient;

/* How a shape is painted; zero fields do nothing. */
typedef struct figure_style {
    figure_color fill;
    const figure_gradient *gradient; /* instead of `fill`, when not NULL */
    figure_color stroke;
    double width;     /* of the stroke */
    double dash;      /* length of dashes and gaps, 0: a full line */
    double dashes[4]; /* instead: two or four lengths of dashes and gaps in turn, when not 0 */
    bool butt_ended;  /* lines end at their last point; else they are rounded */
} figure_style;

/* A full line; a shape without an outline; one with it. */
static inline figure_style figure_pen(figure_color stroke, double width)
{
    return (figure_style){.stroke = stroke, .width = width};
}
static inline figure_style figure_brush(figure_color fill)
{
    return (figure_style){.fill = fill};
}
static inline figure_style figure_outlined(figure_color fill, figure_color stroke, double width)
{
    return (figure_style){.fill = fill, .stroke = stroke, .width = width};
}

void figure_line(figure *page, figure_point a, figure_point b, figure_style style);
/* Through n >= 2 points, open. */
void figure_polyline(figure *page, const figure_point *points, int n, figure_style style);
/* The same, closed: n >= 3. */
void figure_polygon(figure *page, const figure_point *points, int n, figure_style style);
void figure_rectangle(figure *page, figure_rect rect, double corner_radius, figure_style style);
void figure_circle(figure *page, figure_point center, double radius, figure_style style);
/* From angle `from` to `to` in radians, counted anticlockwise as seen on the page. */
void figure_arc(figure *page, figure_point center, double radius, double from, double to,
                figure_style style);
/* A ring between two radii, inner < outer: the reach of a two-link arm. */
void figure_annulus(figure *page, figure_point center, double inner, double outer,
                    figure_style style);
/* Two circles and what lies between them: a tapered bar with round ends. */
void figure_bar(figure *page, figure_point a, double radius_a, figure_point b, double radius_b,
                figure_style style);
/* A line with a filled head of `head` points at b. */
void figure_arrow(figure *page, figure_point a, figure_point b, double head, figure_style style);
/* An arc with a head at its end: a turn. */
void figure_turn(figure *page, figure_point center, double radius, double from, double to,
                 double head, figure_style style);

typedef enum figure_mark {
    FIGURE_MARK_DOT,
    FIGURE_MARK_RING,
    FIGURE_MARK_CROSS, /* diagonal */
    FIGURE_MARK_PLUS,
    FIGURE_MARK_SQUARE,
    FIGURE_MARK_DIAMOND,
    FIGURE_MARK_TRIANGLE,
    FIGURE_MARK_STAR,
    FIGURE_MARK_TARGET /* a plus through a ring: a goal */
} figure_mark;

/* A mark `size` points across, in one colour, on a thin rim of paper that keeps it readable. */
void figure_marker(figure *page, figure_point center, figure_mark mark, double size,
                   figure_color color);
/*
 * The sign for solid ground: a line through a and b with strokes of length
 * `depth` on the side that lies to the right when walking from a to b.
 */
void figure_ground(figure *page, figure_point a, figure_point b, double depth, figure_color color);

/* ---- text --------------------------------------------------------------- */

/*
 * How text stands at its point. x_align 0: begins there, 0.5: centred, 1: ends
 * there. y_align 0: baseline, 0.5: middle of the capitals, 1: hangs from it.
 */
typedef struct figure_font {
    double size; /* 0: FIGURE_TEXT_BODY */
    double x_align, y_align;
    double turn; /* radians, anticlockwise */
    bool bold, italic;
    figure_color color; /* all zero: FIGURE_INK */
} figure_font;

/* The bytes of the character that a text begins with; 0: it is not UTF-8, or nothing to print. */
size_t figure_character(const char *text);
/* Text as it is, UTF-8; bytes that are not are shown as '?'. Returns its width. */
double figure_text(figure *page, figure_point at, const char *text, figure_font font);
double figure_text_width(figure *page, const char *text, figure_font font);
/*
 * A formula: '_' lowers and '^' raises the next character or {group}, letters
 * are slanted: "\xce\xb8_1", "L_{1,2}", "10^{-3}".
 */
double figure_math(figure *page, figure_point at, const char *text, figure_font font);
double figure_math_width(figure *page, const char *text, figure_font font);

/* A title in the upper left corner of a room, and what is left below it; NULL: all of it. */
figure_rect figure_page_title(figure *page, figure_rect room, const char *title);

/* ---- panels ------------------------------------------------------------- */

/* A rectangle of the page that shows a range of data. */
typedef struct figure_panel {
    figure_rect rect;
    double x0, x1, y0, y1; /* data at the left, right, bottom and top edge */
    bool log_x, log_y;     /* then the data on that axis is positive */
} figure_panel;

/* For drawings: equal scales on both axes; the range is widened about its middle to fill `rect`. */
figure_panel figure_panel_drawing(figure_rect rect, double x0, double x1, double y0, double y1);
/* For plots: ranges are widened to whole ticks (whole decades where logarithmic). */
figure_panel figure_panel_plot(figure_rect rect, double x0, double x1, double y0, double y1,
                               bool log_x, bool log_y);
/* Where a data point lies on the page. A value <= 0 on a logarithmic axis lies at its lower end. */
figure_point figure_panel_at(const figure_panel *panel, double x, double y);
/* Points per unit of data along x (of a drawing: along both). */
double figure_panel_scale(const figure_panel *panel);
/*
 * Convex hull of n >= 1 points, which are reordered (Andrew 1979); returns its size, below 3 where
 * they are in a row. The hull has room for 2 n: more is never written, whatever rounding makes of
 * turns that are nearly straight.
 */
int figure_hull(figure_point *points, int n, figure_point *hull);
/* The i-th of `columns` x `rows` equal cells of a rectangle, `gap` apart, row by row. */
figure_rect figure_rect_cell(figure_rect rect, int columns, int rows, int i, double gap);
/* `rect` without a margin on each side; a point of it is left in any case. */
figure_rect figure_rect_inset(figure_rect rect, double left, double top, double right,
                              double bottom);

/*
 * Ticks at 1, 2 or 5 times a power of ten, about `wanted` of them, within
 * [from, to]: returns how many, the first and the step. from < to, finite.
 */
int figure_ticks(double from, double to, int wanted, double *first, double *step);

/* A frame about the panel, ticks with numbers at its left and bottom edges, and light lines there.
 */
typedef struct figure_axes {
    const char *x, *y; /* titles of the axes, NULL: none */
    const char *title; /* above the panel, NULL: none */
} figure_axes;

/* Draws a panel's axes outside `rect` and its grid inside: do it before the data. */
void figure_panel_axes(figure *page, const figure_panel *panel, figure_axes axes);
/* What axes leave of a rectangle for their panel. */
figure_rect figure_panel_room(figure_rect rect, figure_axes axes);

/* A line through data points; not finite ones leave a gap. Cut to the panel. */
void figure_panel_curve(figure *page, const figure_panel *panel, const double *x, const double *y,
                        int n, figure_style style);

/* ---- legends ------------------------------------------------------------ */

typedef struct figure_entry {
    const char *label;
    figure_color color;
    double dash, dashes[4]; /* as of a style */
    figure_mark mark;
    enum {
        FIGURE_SAMPLE_LINE,
        FIGURE_SAMPLE_BAR,
        FIGURE_SAMPLE_MARK,
        FIGURE_SAMPLE_BOTH /* a line and a mark on it */
    } sample;
} figure_entry;

/*
 * Entries in rows from the upper left corner of `rect`, wrapped at its width; as
 * many rows as its height holds, then "and N more". Returns the height used
 * (also with `draw` false, which only measures).
 */
double figure_legend(figure *page, figure_rect rect, const figure_entry *entries, int n, bool draw);

#endif
