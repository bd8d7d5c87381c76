/*
 * draw.h - figures of linkages: SVG, PNG and PDF.
 *
 * A model whose joints all move in one plane is drawn as in a textbook: bars, hinges as circles,
 * slides as blocks on a rail, the base on hatched ground, on a grid with numbers. Shapes are not
 * drawn there; a model whose last link shows by its shape alone does not count as planar.
 *
 * Any other model is drawn in space, shaded, seen from the front and a little above: links as the
 * boxes, cylinders, capsules or spheres that the file gives them, all others as rods between their
 * joints (meshes are not read); hinges as drums about their axis, ball joints as balls, slides as
 * sleeves. Frames that carry nothing, such as sensors, are left out.
 *
 * Equal calls give equal bytes on one machine; a PDF carries no date. Fonts are the machine's own
 * (DejaVu Sans if it has it).
 *
 * Experimental: may change in 0.2. Link with limber_figures for this header.
 */
#ifndef LIMBER_FIGURES_DRAW_H
#define LIMBER_FIGURES_DRAW_H

#include <limber/collision.h>
#include <limber/kinematics.h>
#include <limber/workspace.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One configuration to draw, and how. Limits are ignored. Poses are painted from faint to strong,
 * equally strong ones from far to near.
 */
typedef struct lb_drawing_pose {
    const double *q; /* The configuration, nq finite numbers. */
    /* Name in the legend, UTF-8, once for equally strong poses of one label, which share a
       colour. Absent: no name, and the colour of all such poses. */
    const char *label;
    double strength; /* 1: drawn in full; towards 0: faint (ghosts, earlier frames). */
} lb_drawing_pose;

/*
 * Content of a figure. Start from lb_drawing_default(): no poses, no targets, 720 x 540 points,
 * view chosen from the model. Nothing is kept after the call. The path of the tips through three
 * poses or more is drawn as a dashed line, unless one of them has a label.
 */
typedef struct lb_drawing {
    const lb_drawing_pose *poses; /* The poses. */
    int pose_count;               /* How many poses. 0: the neutral configuration (the default). */
    const lb_vec3 *targets;       /* Points to mark by crosses, in the world, metres. */
    int target_count;             /* How many targets. Default: 0. */
    /* Distances to mark by a line between their points, with the length: blue for shapes that
       are apart, orange for an overlap. Distances that are not finite are left out. */
    const lb_proximity *distances;
    int distance_count; /* How many distances. Default: 0. */
    /* Velocity ellipsoids (lb_state_velocity_ellipsoid) to draw, with the lengths of their axes;
       in the plane their ellipses. All have one scale, the longest axis being a quarter as long as
       the model. One at the same centre as the one before it is dashed: what damping leaves. */
    const lb_ellipsoid *ellipsoids;
    int ellipsoid_count; /* How many ellipsoids. Default: 0. */
    /* Obstacles to draw; in the plane their outlines, behind the poses. Meshes are left out, and
       so are obstacles more than three times as long as the model, such as floors. Absent: none
       (the default). */
    const lb_scene *scene;
    const char *title; /* Title above the figure. Absent: none (the default). */
    /* Size in points (SVG, PDF) or pixels (PNG), 1 to 16384. Defaults: 720 and 540. */
    double width, height;
    /* The viewing direction, radians: about the world's z axis from x, and above the horizon.
       NaN, both: a planar model straight from above, others from the front (the default). A
       number in either draws planar models in space, too. */
    double azimuth, elevation;
} lb_drawing;

lb_drawing lb_drawing_default(void);

/*
 * Draws a model's poses into one figure; the path's ending selects the format (.svg, .png, .pdf).
 * An existing file is replaced once the figure is complete and stays unchanged on failure:
 * LB_UNSUPPORTED for another ending, LB_FILE_ERROR for a path that cannot be written, LB_BAD_VALUE,
 * naming the pose, the joint or the target, for a number that cannot be drawn. `error` may be NULL.
 */
lb_status lb_draw(const lb_model *model, const lb_drawing *drawing, const char *path,
                  lb_error *error);

/*
 * Draws the tree itself: links as nodes, joints as arcs that say how they move. A small model's
 * tree grows downwards, a larger one's to the right, and that of a robot of a hundred links is a
 * list in columns; the page is as large as needed. A PNG has two pixels a point. `title` may be
 * NULL. Fails as lb_draw does; a tree that no page of 16384 points holds is LB_BAD_VALUE.
 */
lb_status lb_draw_tree(const lb_model *model, const char *title, const char *path, lb_error *error);

/* ---- workspaces --------------------------------------------------------- */

/* The meaning of a cell's colour. */
typedef enum lb_workspace_quantity {
    LB_WORKSPACE_ORIENTATIONS, /* The share of orientations; one colour if all are 0. */
    /* The largest manipulability, if the workspace was made with it. */
    LB_WORKSPACE_MANIPULABILITY
} lb_workspace_quantity;

/* Content of a figure of a workspace; fields left out may be zero. */
typedef struct lb_workspace_drawing {
    const lb_workspace *workspace;  /* The workspace. */
    lb_task task;                   /* The task that it was made with. */
    const lb_planar_reach *ring;    /* Ring to outline. Absent: none. */
    const char *title;              /* Title above the figure. Absent: none. */
    lb_workspace_quantity quantity; /* Meaning of a cell's colour. Default: orientations. */
} lb_workspace_drawing;

/*
 * Draws where the tool can be, coloured by the share of orientations that it can have there and
 * outlined where it has all of them; or coloured by the largest manipulability. A planar workspace
 * is one map with the model at rest over it; one in space is three sections through the middle of
 * its reached cells. A PNG has two pixels a point. Fails as lb_draw does.
 */
lb_status lb_draw_workspace(const lb_model *model, const lb_workspace_drawing *drawing,
                            const char *path, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
