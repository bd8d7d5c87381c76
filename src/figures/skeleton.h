/*
 * skeleton.h - what of a model is worth drawing, and how thick, in any view.
 *
 * A bone leads from a link's origin to that of each child. Frames that only
 * mark a place (sensors, markers) would bristle from the figure: of links that
 * nothing can move against each other only the farthest is drawn, and none
 * where the parent goes on to a joint.
 */
#ifndef FIGURES_SKELETON_H
#define FIGURES_SKELETON_H

#include <limber/model.h>

typedef struct skeleton {
    int link_count;
    int trunk;      /* a link below which free parts belong to a figure; LB_NO_LINK: none */
    bool *bone;     /* of each link: a bone leads to it; false for the root */
    bool *tip;      /* of each link: a bone leads to it and none on */
    bool *carries;  /* of each link: a joint that moves hangs from it, however far down */
    double *reach;  /* of each link: metres from its origin to its farthest tip, along bones */
    double *radius; /* of each link: metres, how thick the figure is at its origin */
    double extent;  /* metres: the root's reach; with no bones at all 1 */
    void *block;    /* what the arrays are in */
} skeleton;

/* Measures a model at rest. False when there is no memory. */
bool skeleton_make(skeleton *s, const lb_model *model);
void skeleton_release(skeleton *s);

/* True for joints that have a value, mimic and locked ones too. */
bool skeleton_moves(const lb_joint *joint);
/* True where parent and child do not stay near each other: floating and planar joints. */
bool skeleton_parts(const lb_joint *joint);
/* True when the file gives a link a shape that can be drawn: any but a mesh. */
bool skeleton_has_shape(const lb_link *link);

#endif
