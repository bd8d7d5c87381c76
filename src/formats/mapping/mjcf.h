/*
 * mjcf.h - the parts of a reader of MJCF, the model files of MuJoCo.
 *
 * Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html; docs/format.md lists
 * what is read. Every body becomes a link with the body's frame, the world the root link.
 */
#ifndef FORMATS_MAPPING_MJCF_H
#define FORMATS_MAPPING_MJCF_H

#include "formats/mapping/draft.h"
#include "formats/mapping/element.h"
#include "model/names.h"

/* What <compiler> says: of several elements the last that has an attribute counts. */
typedef struct mjcf_compiler {
    bool degrees;     /* angles, but for joint values in keyframes */
    bool autolimits;  /* a range alone makes a joint limited */
    char eulerseq[4]; /* xyz: about the axes as turned; XYZ: about the fixed ones */
    const char *mesh_folder;
} mjcf_compiler;

/* A <frame> around an element, and where it is in the body; they may be nested so deep. */
enum { MJCF_FRAMES = 64 };
typedef struct mjcf_frame_around {
    const tree_node *node;
    lb_transform in_body;
} mjcf_frame_around;

/* Names of links, or of joints. MuJoCo has bodies and sites, joints and equalities apart: a name
   that the file gives to a body or a joint is kept for it. */
typedef struct mjcf_names {
    name_table taken; /* to the draft's last joint when each was taken */
    name_table given; /* by the file, to bodies or joints */
    int number;       /* the last that was put behind a name */
} mjcf_names;

typedef struct mjcf_reader {
    const tree_node *root;
    mjcf_compiler compiler;
    model_draft draft;
    mjcf_names links, joints;
    name_table sites; /* by the file's names, to the joints that hold their links */
    name_table classes, meshes, materials; /* to places in `nodes` */
    name_table pulled;                     /* tendons that actuators name */
    const tree_node **nodes;
    int node_count;
    name_table defaults;       /* see mjcf_default.c */
    const tree_node **sources; /* the elements that these lead to */
    int source_count, frame_count;
    mjcf_frame_around frames[MJCF_FRAMES]; /* around the element that was placed last */
    lb_document *scratch;                  /* holds generated names */
    lb_error *error;
    load_warnings *warnings;
} mjcf_reader;

/* ---- attributes and frames (mjcf_default.c) ------------------------------- */

/* Reads all <compiler> elements. */
lb_status mjcf_read_compiler(mjcf_reader *reader);

/* Enters <default>s and their named classes; refuses an element whose class does not exist. */
lb_status mjcf_read_classes(mjcf_reader *reader);

/*
 * The element that has an attribute of `node`: itself, the default of its class or a
 * default above; `node` when none has it.
 */
const tree_node *mjcf_source(const mjcf_reader *reader, const tree_node *node, const char *name);

/* true, false or auto, as 1, 0 or `usual`; another word is refused. */
lb_status mjcf_flag(const element_place *place, const tree_node *source, const char *name,
                    int usual, int *value);

/* An angle as the file has it, in radians. */
double mjcf_radians(const mjcf_reader *reader, double angle);

/* The two points of fromto, of an element or its defaults. */
lb_status mjcf_ends(const mjcf_reader *reader, const element_place *place, const tree_node *node,
                    lb_vec3 ends[2], bool *given);

/* fromto, or pos and one of quat, axisangle, euler, xyaxes and zaxis of an element or its
   defaults. */
lb_status mjcf_frame(const mjcf_reader *reader, const element_place *place, const tree_node *node,
                     lb_transform *frame);

/* The shortest rotation from the z axis to a direction. */
lb_quat mjcf_turn_from_z(lb_vec3 direction);

/* The next element of a body's own: in it or in frames of it, not in bodies in it. */
const tree_node *mjcf_next_own(const tree_node *node, const tree_node *body);

/* Where an element of a body is in the body: its frame, and those of frames around it. */
lb_status mjcf_frame_in_body(mjcf_reader *reader, const element_place *place, const tree_node *node,
                             const tree_node *body, lb_transform *frame);
/* How many names the attributes in a <default> take: twice each. */
int mjcf_count_defaults(const tree_node *node);

/* ---- bodies (mjcf_body.c, mjcf_geom.c, mjcf_equality.c) ------------------- */

/*
 * A name for the draft's last joint or for a link: the one that is wanted, or, where it is taken
 * or, of a name that is not `given`, the file gives it to another, a longer one. NULL when there
 * is no memory.
 */
const char *mjcf_unique(mjcf_reader *reader, mjcf_names *names, const char *wanted,
                        const char *ending, bool given);

/* Keeps the names that the file gives to the bodies and joints below `node` for these. */
void mjcf_keep_names(mjcf_reader *reader, const tree_node *node);

/* How many links and joints the bodies and sites below `node` make at most. */
int mjcf_count_links(const tree_node *node);

/* All bodies below <worldbody>, and its own sites. */
lb_status mjcf_read_bodies(mjcf_reader *reader, const tree_node *world, const char *world_name);

/* The geoms of one body, as visuals and collision shapes of its link, and its <inertial>. */
lb_status mjcf_read_geoms(mjcf_reader *reader, const tree_node *body, lb_link *link);
/* Those of the world: of `world`, which may be NULL, and of the <worldbody>s after it. */
lb_status mjcf_read_world_geoms(mjcf_reader *reader, const tree_node *world, lb_link *link);

/* <equality>: joints become mimicking or locked ones or are coupled, bodies are held by loops. */
lb_status mjcf_read_equality(mjcf_reader *reader);

#endif
