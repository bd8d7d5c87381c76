/*
 * layout.h - the inside of a built model.
 *
 * The public part of a model is its links and joints as given, in depth-first order. The compiled
 * part is what computes:
 *
 *   elements   the kernel's tree, in the same order. Every element rotates about or translates
 * along its own z axis, and complex joints are chains of several elements with zero-length links
 * between them; parts      the pieces of a configuration: each independent number or quaternion of
 * q, with its limits, in the order of q.
 *
 * To bring a joint's axis a onto z, the compiled frames are rotated by B with B z = a. The link's
 * frame follows by its constant `fix`:
 *
 *     T_world_link = T_world_element * fix.
 *
 * The root link has no element: its frame is the root arc, for every configuration. A model is one
 * block of memory.
 */
#ifndef MODEL_LAYOUT_H
#define MODEL_LAYOUT_H

#include "kernel/ops.h"
#include "model/names.h"

#include <limber/model.h>

typedef struct model_link {
    int parent, first_child, next_sibling; /* -1: none */
    int element;                           /* the last of its joint's; -1 for the root link */
    bool exact;                            /* fix is the identity */
    bool swapped;                          /* fix only renames and reverses axes: */
    int from[3];                           /* the element's axis that each of the link's is, */
    double sign[3];                        /* as it is or reversed */
    lb_transform fix;                      /* T_element_link */
} model_link;

typedef struct model_joint {
    int element, element_count; /* consecutive */
    int part, part_count;       /* consecutive; fixed and mimic joints have none: -1, 0 */
    int q, v;           /* index of its first value, or of the mimicked joint's; fixed: -1 */
    int mimicked_joint; /* the joint at the end of the chain of mimic joints, -1: it is not one */
    double multiplier, offset; /* value = multiplier * mimicked value + offset; 1 and 0 */
    bool tied;                 /* whole turns change the frame of a joint that mimics it */
} model_joint;

typedef enum model_part_kind {
    MODEL_LENGTH, /* metres */
    MODEL_ANGLE,  /* radians; whole turns matter */
    MODEL_TURN,   /* radians; whole turns do not matter, no limits */
    MODEL_BALL    /* a quaternion */
} model_part_kind;

/*
 * An independent piece of a configuration. The limits are the effective ones, narrowed by those of
 * mimic joints. Of a ball lower and upper bound the twist about the joint's axis and `swing` the
 * angle of the axis from rest.
 */
typedef struct model_part {
    model_part_kind kind;
    int joint;
    int value;   /* index in the joint's values, of the first one */
    int q, v;    /* index in q and v, of the first one */
    int element; /* of the joint itself, not of those that mimic it */
    double lower, upper, swing;
} model_part;

/* The ends of a loop: links, of a coupling joints. */
typedef struct model_loop {
    int first, second;
} model_loop;

struct lb_model {
    lb_allocator allocator;
    const char *name;
    lb_transform root;
    int link_count, joint_count, part_count;

    /* as given, in depth-first order */
    lb_link *links;
    lb_joint *joints;
    name_table link_names, joint_names;
    int loop_count;
    lb_loop *loops;

    /* compiled */
    model_link *link_layouts;
    model_joint *joint_layouts;
    model_loop *loop_layouts;
    model_part *parts;
    kernel_range range; /* of every number of q, infinite in a quaternion */
    bool balls;         /* some parts are quaternions */
    kernel_joint *elements;
    kernel_block *blocks;
    kernel_tree tree; /* of the elements */

    /*
     * Every joint is one element and every fix the identity: element j is link
     * j + 1, so kernel_forward can write link transforms in place.
     */
    bool direct;

    /* what the arrays above point to */
    lb_geometry *geometries; /* visuals and collision shapes */
    char *text;
};

/* The last element of the joint above a link, -1 for the root link and LB_WORLD. */
static inline int model_element(const lb_model *model, int link)
{
    return link < 0 ? -1 : model->link_layouts[link].element;
}

/*
 * The first link by which two models differ, in the tree of names, in a placement, a kind, an axis,
 * limits or a mimic; -1: a configuration of one is the same pose of the other. Meshes, masses and
 * weights may differ.
 */
int model_difference(const lb_model *a, const lb_model *b);

/* Which components of its second frame a loop holds: see LB_LOOP_KIND_LIST. */
unsigned model_loop_held(lb_loop_kind kind);

/* Whether a joint, one that is not locked, changes within a loop. */
bool loop_moves_by(const lb_model *model, int loop, int joint);
/*
 * LB_UNSUPPORTED if a loop moves `tip` against `base`, links or LB_WORLD, by a joint that is not
 * locked; of one and the same link, if it moves any joint. `what` is what keeps no loop closed.
 */
lb_status loop_refuse(const lb_model *model, int base, int tip, const char *what, lb_error *error);

/*
 * The links at which limbs, arms, heads without such a name end, each moved by joints of its own,
 * fingers as what carries them: as lb_model_default_tips guesses, however few joints move one. The
 * first has most. `ends`: room for twice the links.
 */
lb_status model_find_ends(const lb_model *model, const lb_allocator *memory, int *ends, int *count);

/* The part that begins at an index of q that some part begins at. */
const model_part *model_part_at(const lb_model *model, int q);

#endif
