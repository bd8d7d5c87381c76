/*
 * draft.h - a model while it is being read: the arrays that lb_model_build takes.
 *
 * A loader counts first, creates the draft with room for that many, fills it in
 * and builds. Names and URIs in it point into the loader's document, which must
 * stay until the model is built.
 */
#ifndef FORMATS_MAPPING_DRAFT_H
#define FORMATS_MAPPING_DRAFT_H

#include "base/memory.h"
#include "formats/mapping/mapping.h"

typedef struct model_draft {
    lb_model_source source;
    lb_link *links;
    lb_joint *joints;
    lb_geometry *geometries;       /* of all links, one after the other; a link's visuals first */
    int *joint_lines, *link_lines; /* in the file, 0: not known */
    int link_count, joint_count, geometry_count;
    int link_room, joint_room, geometry_room;
    lb_allocator allocator; /* a pool's, of all that is needed until the model is built */
    lb_loop *loops;         /* NULL until draft_loops */
    int *loop_lines;
    int loop_count, loop_room;
    load_warnings *warnings; /* NULL: dropped */
} model_draft;

/* Room for that many of each, in memory of a pool. */
lb_status draft_create(model_draft *draft, int links, int joints, int geometries,
                       const lb_allocator *pool, lb_error *error);

/* The next free one, filled with defaults. There must be room. */
lb_link *draft_link(model_draft *draft, int line);
lb_joint *draft_joint(model_draft *draft, int line);
lb_geometry *draft_geometry(model_draft *draft);

/* Room for so many loops, once; and the next free one. */
lb_status draft_loops(model_draft *draft, int loops, lb_error *error);
lb_loop *draft_loop(model_draft *draft, int line);

/*
 * Sets a link's centre of mass and inertia (xx yy zz xy xz yz about that centre) from a
 * tensor that is given along the axes of `frame`, whose origin is the centre.
 */
void draft_set_inertia(lb_link *link, const lb_transform *frame, const double given[6]);

/*
 * The rest value of a joint for which the file gives none: zero, or the value
 * nearest to it that the limits allow. The joint's kind and limits must be set.
 */
void draft_rest(lb_joint *joint);

/*
 * Mends what the mimicking joints of a file of others often have: a fixed joint that
 * mimics, a joint to mimic that does not exist, and limits that would narrow the range of
 * the mimicked joint, whose own range is kept. Warns of each.
 */
lb_status draft_check_mimics(model_draft *draft, lb_error *error);

/* Builds the model, and warns of what looks like a mistake in it. */
lb_status draft_build(model_draft *draft, const lb_allocator *allocator, lb_model **model,
                      lb_error *error);

#endif
