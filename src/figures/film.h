/*
 * film.h - a movement as a strip of panels, each a moment of it.
 *
 * All panels show the same piece of the world at the same scale. Each has the
 * pose at its frame, the path the tool has come so far with a dot for each frame,
 * the path it was to go and the goal.
 */
#ifndef FIGURES_FILM_H
#define FIGURES_FILM_H

#include <limber/figures/draw.h>

/* One movement: a row of panels, or several rows where there are many. */
typedef struct film_strip {
    const char *label;    /* above its panels; NULL: none */
    int frames;           /* >= 1 */
    const double *q;      /* frames x nq */
    const lb_vec3 *tools; /* of each frame, where the tool is; world */
    const lb_vec3 *goals; /* of each frame, where it was to be; NULL: there are none */
    const int *shown;     /* the frames that get a panel */
    int shown_count;
} film_strip;

typedef struct film {
    const lb_model *model;
    const film_strip *strips;
    int strip_count;
    const char *title;         /* NULL: none */
    double azimuth, elevation; /* as in lb_drawing */
} film;

/* Draws it; the page is as wide as its panels want. Fails as lb_draw does. */
lb_status film_draw(const film *what, const char *path, lb_error *error);

#endif
