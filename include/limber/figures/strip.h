/*
 * strip.h - motion on paper: moments of clips side by side on one time axis, or in one picture.
 *
 *     lb_strip_row row = {.clip = walk, .contacts = contacts, .label = "human"};
 *     lb_strip strip = lb_strip_default();
 *     strip.rows = &row;
 *     strip.row_count = 1;
 *     lb_draw_strip(&strip, "walk.svg", &error);
 *
 * Each row is one clip. All rows have one scale and show the same moments, so a recording and a
 * motion made of it stand above each other. Figures are drawn as lb_draw (figures/draw.h) draws
 * them in space. Side by side, a figure whose root moves is shown in the middle of its place,
 * wherever it goes; in one picture each figure stands where it is, from faint to full. A line is
 * the ground, below the lowest place that figures reach. Held contact points are marked on it, and
 * bars below it show when they are held.
 *
 * Unless a view is given, the motion is seen from the side on which it goes from left to right, or
 * from the front if it stays in its place.
 *
 * Experimental: may change in 0.2. Link with limber_figures for this header.
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
    LB_STRIP_PATHS = 8 /* Of a row. */
};

/* One clip of a strip. */
typedef struct lb_strip_row {
    const lb_clip *clip;         /* The clip. */
    const lb_contacts *contacts; /* Contacts of the clip's model. Absent: none are marked. */
    const char *label;           /* Label above the figures. Absent: none. */
    /* Links whose paths are drawn through the whole time, in one picture only. */
    int paths[LB_STRIP_PATHS];
    int path_count; /* How many paths, 0 to 8. */
    /* Normal of the ground, of any length, up to 60 degrees from z. Zero: level. Figures side by
       side each stand on a piece of it, as if all were at one place of the slope. */
    lb_vec3 ground_normal;
} lb_strip_row;

/* Content of a strip. Start from lb_strip_default(). Nothing is kept after the call. */
typedef struct lb_strip {
    const lb_strip_row *rows; /* Rows from top to bottom. */
    int row_count;            /* How many rows, 1 to 8. */
    /* How many moments, evenly spread from begin to end, at most 120. 0: ten, of an animation 30
       a second (the default). */
    int frames;
    /* First and last time of the clips, seconds. NaN, both: those of the first clip (the
       default). */
    double begin, end;
    bool overlaid;     /* Draw all moments of a row in one picture. Default: false. */
    const char *title; /* Title above all rows. Absent: none (the default). */
    /* Width of the page in points, at least 100; its height follows. 0: 1000, of an animation
       560 (the default). */
    double width;
    /* Viewing direction, radians, as in lb_drawing. NaN, both: chosen (the default). */
    double azimuth, elevation;
} lb_strip;

lb_strip lb_strip_default(void);

/*
 * Draws a strip; the path's ending selects the format (.svg, .png with two pixels a point, .pdf).
 * Moments before a clip's begin or after its end show the pose there. Fails as lb_draw does;
 * LB_INVALID_ARGUMENT for a count out of range and for links that a model does not have.
 */
lb_status lb_draw_strip(const lb_strip *strip, const char *path, lb_error *error);

/*
 * Writes the rows of a strip as an animation, beside each other: an SVG that needs nothing else,
 * for pages and README files. It plays from `begin` to `end` in real time, for ever. If the motion
 * repeats, as a walk does, whole cycles join without a seam. Figures stay in their places while the
 * ground goes by. `frames` are the moments between which coordinates are interpolated, 2 or more.
 * Solids are lines as thick as they are, in the order of their mean depth; colours are readable on
 * light and on dark. Fails as lb_draw_strip does; LB_UNSUPPORTED for another ending than .svg and
 * for figures whose parts appear only as they move.
 */
lb_status lb_draw_animation(const lb_strip *strip, const char *path, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
