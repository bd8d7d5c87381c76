/*
 * gallery.h - the figures that limber figures draws, as data.
 *
 * Each figure is a row: a movement in panels, a sketch or a tree. The numbers are
 * those of Parent 2012, chapter 5 (figures 5.1 to 5.25), and of Juckett 2009
 * (1 to 3c); the captions are our own.
 */
#ifndef CLI_TEXTBOOK_GALLERY_H
#define CLI_TEXTBOOK_GALLERY_H

#include "figures/sketch.h"
#include "figures/tree.h"

#include <stdio.h>

enum {
    GALLERY_PANELS = 5,
    GALLERY_FRAMES = 21,
    GALLERY_STRIPS = 2,
    GALLERY_KEYS = 5,
    GALLERY_JOINTS = 4
};

/* radians: no step is clamped, as in Parent 2012, chapter 5 */
#define GALLERY_STEP_LIMIT 1e6

/*
 * One movement of a model: from its rest straight to a goal, or from key
 * pose to key pose. Straight to a goal, a frame
 * is as many steps of the method as it takes to come within the tolerance of that frame's
 * goal, but at most `steps`.
 */
typedef struct gallery_strip {
    const char *label; /* NULL: none */
    double x, y, z;    /* the goal */
    const char *method;
    int steps;           /* 0: each frame is solved */
    double tolerance;    /* metres */
    double damping;      /* 0: the method's own */
    double alpha;        /* 0: the best at each step */
    const double *gains; /* NULL: none; towards 0 */
    const double *keys;  /* key poses, row by row, that are played at constant rates from one to
                            the next; NULL: a goal is followed with all of the above */
    const char *columns; /* what they are of, "elbow,hip.qw"; NULL: planar3's joints */
    int key_count;
    bool lined; /* keys: the straight line between the ends of the tip's path is shown too */
} gallery_strip;

typedef struct gallery_film {
    int strip_count;
    gallery_strip strips[GALLERY_STRIPS];
    int shown[GALLERY_PANELS];
    const char *model, *tip;   /* NULL: planar3, its last link */
    double azimuth, elevation; /* of a model in space */
} gallery_film;

/* The values that a strip's keys are of, and how many. */
const char *gallery_columns(const gallery_strip *strip, int *count);
/* The model of a film. */
const char *gallery_model(const gallery_film *film);
/* The whole page that shows all figures, with the commands that compute them. */
void gallery_write_page(FILE *stream);

/* How the pose of a sketch comes from its joint values. */
typedef enum gallery_pose {
    POSE_GIVEN,   /* as they are; `before`, where it is given, is shown faint */
    POSE_DESCENT, /* after `turns` joints, from the tip on, have each done its best for the goal */
    POSE_TRIANGLE /* an arm of two links at the goal; the other solution is shown faint */
} gallery_pose;

typedef struct gallery_sketch {
    const char *model; /* a built-in one, or a linkage as limber JSON */
    gallery_pose pose;
    double q[GALLERY_JOINTS];
    const double *before;
    int turns;
    double x, y; /* the goal */
    const sketch_mark *marks;
    int mark_count;
    bool grounded;
    bool alone;     /* no pose is shown faint */
    double view[4]; /* left, right, bottom, top */
} gallery_sketch;

typedef struct gallery_figure {
    const char *name;         /* of its files, "figure-5.20a" */
    const char *title;        /* "Figure 5.20a: ..." */
    const char *caption;      /* what to notice */
    const gallery_film *film; /* exactly one of the three */
    const gallery_sketch *sketch;
    const tree *tree;
} gallery_figure;

extern const gallery_figure gallery[];
extern const int gallery_count;

/* ---- how the rows are written ------------------------------------------ */

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* the beginnings of linkages as limber JSON, and of their joints */
#define DEGREES "{\"limber\":1,\"angles\":\"degrees\","
#define TURNS "\"kind\":\"continuous\","

/* links of these linkages by index, which is their order above; planar3 has the same */
#define AT(link, x, y)                                                                             \
    {                                                                                              \
        link, x, y                                                                                 \
    }
#define WORLD(x, y) AT(LB_WORLD, x, y)
#define ORIGIN(link) AT(link, 0, 0)
/* a mark without words from one place to another */
#define BETWEEN(what, from, to)                                                                    \
    {                                                                                              \
        .kind = what, .a = from, .b = to                                                           \
    }

/* a sketch of a model with these marks, and what else there is to say */
#define SKETCH(of, with, ...)                                                                      \
    {                                                                                              \
        .model = of, .marks = with, .mark_count = COUNT(with), __VA_ARGS__                         \
    }
/* five frames of a film, evenly spread */
#define EVEN                                                                                       \
    {                                                                                              \
        0, 5, 10, 15, 20                                                                           \
    }
/* a strip of planar3, straight to a place; and a film of one such strip */
#define TOWARDS(px, py, by, says, ...)                                                             \
    {                                                                                              \
        .label = says, .x = px, .y = py, .method = by, __VA_ARGS__                                 \
    }
#define FILM_TOWARDS(frames, ...)                                                                  \
    {                                                                                              \
        1, {TOWARDS(__VA_ARGS__)}, .shown = frames                                                 \
    }

/* an arm of two links, 3 and 2 long */
extern const char gallery_pair[];

/* data of the figures that explain the structure of linkages: gallery_structure.c */
extern const gallery_film film_5_1, film_5_2, film_5_1_human, film_5_2_human, film_joints;
extern const gallery_sketch sketch_5_3, sketch_5_15, sketch_5_16;
extern const tree tree_5_4, tree_5_5, tree_5_6, tree_5_13;

#endif
