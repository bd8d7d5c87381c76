/*
 * strip_row.h - one row of a strip: its poses, the camera that sees them, and painting it.
 */
#ifndef FIGURES_STRIP_ROW_H
#define FIGURES_STRIP_ROW_H

#include "figures/spatial.h"

#include <limber/figures/strip.h>

/* How strips are laid out, points. */
typedef struct strip_layout {
    const lb_strip *what;
    double begin, end; /* of the time that is shown */
    double left;       /* where the first place begins */
    double cell;       /* width of each moment's place; in one picture of the whole */
    double spill;      /* how far a figure may reach beyond its place on each side */
    bool steady;       /* moves are even in time, as what follows a figure at its mean speed */
} strip_layout;

/* One clip as it is drawn. Its address must not change: the drawing points into it. */
typedef struct strip_row {
    const strip_layout *layout;
    const lb_strip_row *what;
    const lb_model *model;
    double *q;              /* frames x nq */
    lb_drawing_pose *poses; /* frames */
    lb_vec3 *moves;         /* frames: by which each figure is moved to be in the middle */
    lb_drawing drawn;       /* what the drawing is of */
    drawing drawing;
    bool started; /* the drawing is */
    scene solids; /* of all moments */
    int *first;   /* frames + 1: where in the list those of each moment begin */
    spatial space;
    double height; /* of what is seen, points */
    /* the middle of the line of the ground, points from the top of what is seen */
    double low;
} strip_row;

/* Refuses what cannot be drawn: counts, numbers, links. */
lb_status strip_check(const lb_strip *strip, lb_error *error);
/* With the first clip's times where none are given, and these where frames and width are 0. */
lb_strip strip_complete(const lb_strip *given, int frames, double width);
/* The time of a moment. */
double strip_time(const strip_layout *layout, int frame);

/* Samples, finds the view and measures. Release in any case. */
lb_status strip_row_start(strip_row *row, const strip_layout *layout, const lb_strip_row *what,
                          lb_error *error);
void strip_row_release(strip_row *row);
/* How far the line of the ground falls on the page, per point to the right; 0: it is level. */
double strip_row_slope(const strip_row *row);
/* Points per metre. The other takes a smaller scale, and measures again. */
double strip_row_scale(const strip_row *row);
void strip_row_rescale(strip_row *row, double scale);

/* Paints ground, figures, marks and paths with their upper edge at y. */
void strip_row_paint(strip_row *row, figure *page, double y);

/*
 * The links that contacts belong to, in their order, one colour each: how many, at most `most`.
 */
enum { STRIP_LINKS = 8 };
int strip_contact_links(const lb_contacts *contacts, int links[STRIP_LINKS]);
figure_color strip_contact_color(int index);
/* That of a row's i-th path. */
figure_color strip_path_color(int index);

#endif
