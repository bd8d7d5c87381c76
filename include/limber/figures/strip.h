/*
 * strip.h - motion on paper: moments of clips side by side on one time axis, or in one picture.
 *
 *     lb_strip_row row = {.clip = walk, .contacts = contacts, .label = "human"};
 *     lb_strip strip = lb_strip_default();
 *     strip.rows = &row;
 *     strip.row_count = 1;
 *     lb_draw_strip(&strip, "walk.svg", &error);
 *
 * Each row is one clip; the moments of all rows are the same, and so is the scale, so that a
 * recording and what was made of it stand above each other. Figures are drawn as lb_draw
 * (figures/draw.h) draws them in space. Side by side a figure whose root moves is shown in the
 * middle of its place, wherever it goes; in one picture each stands where it is, from faint to
 * full. A line is the ground, below the lowest that figures reach; points of contacts are marked on
 * it while they are held, and below it bars show when they are.
 *
 * Unless a view is given, the motion is seen from the side to which it goes from left to right, or,
 * where it stays in its place, from the front.
 *
 * Link with limber_figures for this header.
 */
#ifndef LIMBER_FIGURES_STRIP_H
#define LIMBER_FIGURES_STRIP_H

#include <limber/contacts.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LB_STRIP_ROWS = 8,
    LB_STRIP_FRAMES = 120,
    LB_STRIP_PATHS = 8 /* of a row */
};

/* One clip. */
typedef struct lb_strip_row {
    const lb_clip *clip;
    const lb_contacts *contacts; /* of links of the clip's model; NULL: none are marked */
    const char *label;           /* above its figures; NULL: none */
    /* links whose paths are drawn through the whole time; in one picture only */
    int paths[LB_STRIP_PATHS];
    int path_count;
    /* of the ground, of any length, up to 60 degrees from z; {0, 0, 0}: level. Figures side by side
       stand on a piece of it each, as if all were at one place of the slope */
    lb_vec3 ground_normal;
} lb_strip_row;

/* What to draw. Start from lb_strip_default(). Nothing is kept after the call. */
typedef struct lb_strip {
    const lb_strip_row *rows; /* from top to bottom */
    int row_count;            /* 1 to LB_STRIP_ROWS */
    /* moments, evenly spread from begin to end, at most LB_STRIP_FRAMES; 0: ten, of an animation 30
       a second */
    int frames;
    double begin, end; /* in the clips' times; NAN, both: those of the first clip */
    bool overlaid;     /* all moments of a row in one picture; false */
    const char *title; /* above all; NULL: none */
    /* of the page, points, at least 100; its height is as needed; 0: 1000, of an animation 560 */
    double width;
    double azimuth, elevation; /* the viewing direction as in lb_drawing; NAN, both: chosen */
} lb_strip;

lb_strip lb_strip_default(void);

/*
 * Draws it; the format is that of the path's ending (.svg, .png with two pixels a point, .pdf).
 * Moments before a clip's begin or after its end show the pose there. Fails as lb_draw does;
 * LB_INVALID_ARGUMENT for a count out of range, and for links that a model does not have.
 */
lb_status lb_draw_strip(const lb_strip *strip, const char *path, lb_error *error);

/*
 * Writes the same rows as a picture that moves, beside each other: an SVG that needs nothing else,
 * for pages and README files. It goes from `begin` to `end` in as many seconds, for ever; where the
 * motion repeats, as a walk does, whole cycles from one to the other join without a seam. Figures
 * stay in their places while the ground goes by. `frames` are the moments between which
 * coordinates are interpolated, 2 or more. Solids are drawn as lines as
 * thick as they are, in the order of their mean depth; colours are readable on light and on dark.
 * Fails as lb_draw_strip does; LB_UNSUPPORTED for another ending than .svg and for figures whose
 * parts appear only as they move.
 */
lb_status lb_draw_animation(const lb_strip *strip, const char *path, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
