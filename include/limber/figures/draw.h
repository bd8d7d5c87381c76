/*
 * draw.h - figures of linkages: SVG, PNG and PDF.
 *
 * A model whose joints all move in one plane is drawn as in a textbook:
 * bars, hinges as circles, slides as blocks on a rail, the base on hatched
 * ground, on a grid with numbers. Shapes do not show there, and one whose last
 * link shows by its shape alone does not count as planar.
 *
 * Any other is drawn in space, shaded, seen from the front and a little above:
 * links that the file gives boxes, cylinders, capsules or spheres as those, all
 * others as rods between their joints (meshes are not read); hinges as drums
 * about their axis, ball joints as balls, slides as sleeves. Frames that carry
 * nothing, sensors for instance, are left out.
 *
 * The same call gives the same bytes on one machine; a PDF carries no date.
 * Fonts are the machine's own (DejaVu Sans where it has it).
 *
 * Link with limber_figures for this header.
 */
#ifndef LIMBER_FIGURES_DRAW_H
#define LIMBER_FIGURES_DRAW_H

#include <limber/collision.h>
#include <limber/workspace.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One configuration to draw, and how. Limits are ignored. Poses are
 * painted from faint to strong, equally strong ones from far to near.
 */
typedef struct lb_drawing_pose {
    const double *q; /* nq finite numbers */
    /* UTF-8, in the legend, once for equally strong poses of the same label, which share a colour;
       NULL: none, and the colour of all such poses */
    const char *label;
    double strength; /* 1 drawn in full, towards 0 faint (ghosts, earlier frames) */
} lb_drawing_pose;

/*
 * What to draw. Start from lb_drawing_default(): no poses, no targets, 720 x 540
 * points, view chosen from the model. Nothing is kept after the call. The path of
 * the tips through three poses or more is drawn as a dashed line.
 */
typedef struct lb_drawing {
    const lb_drawing_pose *poses;
    int pose_count;         /* 0: the neutral configuration */
    const lb_vec3 *targets; /* crosses, world frame */
    int target_count;
    /* marked by a line between the points of each, with its length: blue where shapes are apart,
       orange where they overlap; those that are not finite are left out */
    const lb_proximity *distances;
    int distance_count;
    /* what stands around, NULL: nothing; in the plane its outlines, behind the poses. Left out are
       meshes and what is more than three times as long as the model, as floors are */
    const lb_scene *scene;
    const char *title;    /* above the figure, NULL: none */
    double width, height; /* points (SVG, PDF) or pixels (PNG), 1 to 16384 */
    /*
     * The viewing direction in radians: about the world's z axis from x, and above
     * the horizon. NAN, both: a planar model straight from above, others from the
     * front; a number in either draws planar models in space, too.
     */
    double azimuth, elevation;
} lb_drawing;

lb_drawing lb_drawing_default(void);

/*
 * Draws a model's poses into one figure; the format is that of the path's ending
 * (.svg, .png, .pdf). An existing file is replaced when the figure is complete,
 * and left as it was on failure: LB_UNSUPPORTED for another ending,
 * LB_FILE_ERROR for a path that cannot be written, LB_BAD_VALUE, naming the
 * pose, the joint or the target, for a number that cannot be drawn. `error` may
 * be NULL.
 */
lb_status lb_draw(const lb_model *model, const lb_drawing *drawing, const char *path,
                  lb_error *error);

/*
 * Draws the tree itself: links as nodes, joints as arcs that say how they move. A
 * small model's grows downwards, a larger one's to the right, and that of a robot of
 * a hundred links is a list in columns; the page is as large as needed. A PNG has two
 * pixels a point. `title` may be NULL. Fails as lb_draw does; a tree that no page of 16384
 * points holds is LB_BAD_VALUE.
 */
lb_status lb_draw_tree(const lb_model *model, const char *title, const char *path, lb_error *error);

/* ---- workspaces --------------------------------------------------------- */

/* What a cell's colour says. */
typedef enum lb_workspace_quantity {
    LB_WORKSPACE_ORIENTATIONS,  /* the share of orientations; one colour where all are 0 */
    LB_WORKSPACE_MANIPULABILITY /* the largest there, if the workspace was made with it */
} lb_workspace_quantity;

/* What to draw of a workspace; fields left out may be zero. */
typedef struct lb_workspace_drawing {
    const lb_workspace *workspace;
    lb_task task;                /* that it was made with */
    const lb_planar_reach *ring; /* outlined; NULL: none */
    const char *title;           /* NULL: none */
    lb_workspace_quantity quantity;
} lb_workspace_drawing;

/*
 * Draws where the tool can be, coloured by the share of orientations that it can have there, and
 * outlined where it has all of them; or coloured by the largest manipulability.
 * A planar workspace is one map with the model at rest over it; one in space is shown by
 * three sections through the middle of what was reached. A PNG has two pixels a
 * point. Fails as lb_draw does.
 */
lb_status lb_draw_workspace(const lb_model *model, const lb_workspace_drawing *drawing,
                            const char *path, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
