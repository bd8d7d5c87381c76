/*
 * sketch.h - annotated drawings of planar linkages: the explanatory figures of a textbook.
 *
 * A sketch is a model in one pose or several and a list of marks: labels, vectors,
 * angles, circles, each fastened to places on links. So it is data alone.
 */
#ifndef FIGURES_SKETCH_H
#define FIGURES_SKETCH_H

#include <limber/kinematics.h>

/* A place in the axes of a link, by index, or of the world (LB_WORLD), in the last pose. */
typedef struct sketch_place {
    int link;
    double x, y;
} sketch_place;

/* Those before SKETCH_OVER lie under the linkage. */
typedef enum sketch_kind {
    SKETCH_RING,     /* what lies between the circles about a through b and through c */
    SKETCH_CIRCLE,   /* about a through b, dashed */
    SKETCH_LINE,     /* from a to b, dashed */
    SKETCH_OVER,     /* nothing: from here on, over the linkage */
    SKETCH_ANGLE,    /* an arc about a from the direction of b to that of c, with a head */
    SKETCH_AXES,     /* the axes at a, of a's link */
    SKETCH_OVERLINE, /* from a to b, dashed, over the linkage */
    SKETCH_VECTOR,   /* an arrow from a to b */
    SKETCH_BOW,      /* a bent arrow from a to b */
    SKETCH_VELOCITY, /* at b: how a turn about a moves it, scaled by `size` */
    SKETCH_DOT,      /* at a */
    SKETCH_TARGET,   /* a goal at a */
    SKETCH_TEXT      /* at a */
} sketch_kind;

typedef struct sketch_mark {
    sketch_kind kind;
    sketch_place a, b, c;
    const char *text; /* a formula as in figure.h; NULL: none */
    double dx, dy;    /* of the text from where it would be, points */
    int color;        /* a series colour from 1; 0: the usual */
    bool before;      /* b is a place in the first pose */
    double size;      /* of angles: radius in points; of bows: how far they bend, by their length */
} sketch_mark;

typedef struct sketch_pose {
    const double *q;
    double faded; /* 0 in full */
} sketch_pose;

typedef struct sketch {
    const lb_model *model;
    const sketch_pose *poses; /* the last one is what marks are fastened to */
    int pose_count;           /* 0: no linkage, only marks */
    const sketch_mark *marks;
    int mark_count;
    bool grounded;         /* the root stands on its base */
    double x0, x1, y0, y1; /* the piece of the world that is shown */
} sketch;

/* Draws it. Fails as lb_draw does. */
lb_status sketch_draw(const sketch *what, const char *path, lb_error *error);

/* A place in the world, in the state's configuration. */
lb_vec3 sketch_at(const lb_state *state, sketch_place place);

#endif
