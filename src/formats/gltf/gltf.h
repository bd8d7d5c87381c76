/*
 * gltf.h - what an lb_gltf holds, and the steps of reading one.
 *
 * bytes -> container.c -> a parser's tree of nodes, buffers -> accessor.c -> arrays of numbers
 * the tree -> node.c -> the forest of nodes -> animation.c -> curves -> skeleton.c -> model ->
 * clip.c
 *
 * Numbers are read where they lie in the buffers, so that memory is that of the file.
 */
#ifndef FORMATS_GLTF_GLTF_H
#define FORMATS_GLTF_GLTF_H

#include "base/memory.h"
#include "formats/mapping/mapping.h"
#include "formats/mapping/tree.h"

#include <limber/formats/gltf.h>
#include <stdint.h>

/* The bytes of a buffer; NULL where they are not here. */
typedef struct gltf_buffer {
    unsigned char *bytes;
    size_t size; /* byteLength, not more than there are */
} gltf_buffer;

/* A file that buffers are in, once for all that name it. */
typedef struct gltf_beside {
    uintmax_t identity[2]; /* of no other file the same */
    unsigned char *bytes;
    size_t size;
} gltf_beside;

/* An array of numbers in a buffer. */
typedef struct gltf_view {
    const unsigned char *bytes; /* NULL: zeros */
    size_t stride;
    int type; /* GL's number of a component type */
    bool normalized;
} gltf_view;

typedef struct gltf_accessor {
    gltf_view values;
    int count, components;
    /* of a sparse one: elements that are elsewhere, and which they are, in increasing order */
    int changed;
    gltf_view indices, changes;
} gltf_accessor;

/* A node: what it is at rest, and its place in the model. */
typedef struct gltf_node {
    const char *name;  /* unique: that of its link and its joint */
    const char *bone;  /* in the humanoid map; NULL: none */
    int parent;        /* -1: none */
    lb_vec3 place;     /* file units */
    lb_quat rotation;  /* of unit length */
    double stretch[9]; /* what is right of the rotation, row by row: the scale, and any skew */
    double above[9];   /* the stretch of the nodes above, in the parent's rigid frame, at rest */
    double reach;      /* of the chain of nodes from a root to this one */
    bool wanted;       /* a joint of a skin or a bone */
    bool has_matrix;
    bool turned, moved, stretched; /* by some animation; `moved`: so is the place in the parent */
    bool shifting;                 /* the stretch above is not the same at all times */
    bool corrected; /* its place makes up for what resting places and scales above it tremble */
    bool inside;    /* below a wanted one */
    lb_joint_kind kind;
    int link, joint, q; /* in the model; q -1: fixed */
} gltf_node;

/* What a channel moves. */
typedef enum gltf_path { GLTF_PLACE, GLTF_ROTATION, GLTF_SCALE, GLTF_PATHS } gltf_path;

typedef enum gltf_curve_kind { GLTF_LINEAR, GLTF_STEP, GLTF_CUBIC } gltf_curve_kind;

/* A channel with its sampler. */
typedef struct gltf_channel {
    int node;
    gltf_path path;
    gltf_curve_kind kind;
    int times, values; /* accessors */
} gltf_channel;

typedef struct gltf_animation {
    const char *name;
    int first, count; /* of the channels, sorted by node and path */
    double begin, end;
} gltf_animation;

struct lb_gltf {
    memory_pool pool; /* of all but the document and the model */
    lb_allocator allocator;
    lb_document *document;
    const tree_node *json;   /* its root */
    const tree_node *views;  /* the array of buffer views */
    const tree_node *listed; /* the array of accessors */
    size_t size;             /* of the file and its buffers, bytes */
    gltf_buffer *buffers;
    int buffer_count;
    gltf_beside *beside; /* as many as there are buffers at most */
    int beside_count;
    gltf_accessor *accessors;
    int accessor_count;
    gltf_node *nodes;
    int node_count;
    int *order; /* of the nodes, parents before children */
    char *names;
    gltf_channel *channels;
    int channel_count;
    gltf_animation *animations;
    lb_gltf_bone *bones;
    lb_gltf_info info;
    lb_transform root; /* the file's axes in the world */
    double tolerance;  /* see lb_gltf_options */
    lb_model *model;
};

typedef struct gltf_reader gltf_reader;
typedef struct gltf_place gltf_place;

enum { GLTF_PATH_SIZE = 1024 };

/*
 * Finds the file at a relative path, for a buffer. Fills in its identity, and its bytes from the
 * lb_gltf's allocator, unless gltf_held() has.
 */
typedef lb_status gltf_find(const gltf_reader *reader, const gltf_place *place, const char *path,
                            gltf_beside *file);
/* Whether a file of this identity was read before: fills in the rest. */
bool gltf_held(const gltf_reader *reader, gltf_beside *file);
/* Among those that the options have. */
gltf_find gltf_find_given;

/* While a file is being read. */
struct gltf_reader {
    lb_gltf *gltf;
    lb_allocator memory; /* a pool's, of what is only needed meanwhile */
    const char *file;    /* that buffers are beside, NULL: from memory */
    gltf_find *find;     /* what is beside it */
    lb_gltf_parts parts;
    const lb_gltf_options *options;
    double *looked; /* elements of accessors that were looked at: see gltf_look */
    load_warnings *warnings;
    lb_error *error;
};

/* ---- members of JSON: member.c ------------------------------------------- */

/* Where a value is, for messages: "accessors[3].sparse". */
struct gltf_place {
    char text[96];
};

gltf_place gltf_place_of(const char *array, size_t index);
gltf_place gltf_place_in(const gltf_place *place, const char *member);

/* Refuses with the place before the message. */
lb_status gltf_refuse(const gltf_reader *reader, lb_status status, const gltf_place *place,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The array `key` of an object; its size is 0 where it is absent, below INT_MAX where it is not. */
lb_status gltf_array(const gltf_reader *reader, const tree_node *object, const char *key,
                     const tree_node **array, int *count);
/*
 * A whole number in least..most; absent: `*value` stays as it is, and a negative one says that it
 * must be there. Most is at most 2^53.
 */
lb_status gltf_whole(const gltf_reader *reader, const gltf_place *place, const tree_node *object,
                     const char *key, double least, double most, double *value);
/* An index below `count`, of what `array` names. */
lb_status gltf_index(const gltf_reader *reader, const gltf_place *place, const tree_node *object,
                     const char *key, const char *array, int count, int *index);
/* `count` finite numbers below 1e15; absent: they stay as they are. */
lb_status gltf_numbers(const gltf_reader *reader, const gltf_place *place, const tree_node *object,
                       const char *key, int count, double *numbers, bool *given);

/* ---- rotations: rotation.c ------------------------------------------------ */

/* Rotations that are not of unit length: how many, and the first. */
typedef struct gltf_rotation_findings {
    int count;
    double length;
    gltf_place first;
} gltf_rotation_findings;

/* How far from 1 rounding takes the length of a rotation that is stored so. */
double gltf_rotation_rounding(const gltf_view *values);
/*
 * Refuses a quaternion that has no direction, and notes one that rounding does not explain (0: that
 * of a float). It is an element of an array, -1: it is not.
 */
lb_status gltf_check_rotation(const gltf_reader *reader, const gltf_place *place, int element,
                              const double xyzw[4], double rounding, gltf_rotation_findings *found);
/* Warns of those that were noted, of nodes or of animations. */
void gltf_warn_rotations(const gltf_reader *reader, const char *what,
                         const gltf_rotation_findings *found);

/* ---- steps ---------------------------------------------------------------- */

/* Checks that the tree is one of a glTF that can be read. */
lb_status gltf_read_asset(gltf_reader *reader);
/* Finds the bytes of all buffers. */
lb_status gltf_read_buffers(gltf_reader *reader);
/* Checks the accessors that animations use against their buffers. */
lb_status gltf_read_accessors(gltf_reader *reader);
/*
 * Counts elements that are to be looked at, one by one. Refused where they are far more than the
 * file and its buffers have bytes: the same ones are named again and again.
 */
lb_status gltf_look(const gltf_reader *reader, const gltf_place *place, double elements);
/* Checks any other accessor; on failure *accessor is not to be read. */
lb_status gltf_open_accessor(const gltf_reader *reader, int index, gltf_accessor *accessor);
/* Reads the forest of nodes, skins and the humanoid map. */
lb_status gltf_read_nodes(gltf_reader *reader);
lb_status gltf_read_skins(gltf_reader *reader);
lb_status gltf_read_humanoid(gltf_reader *reader);
lb_status gltf_read_animations(gltf_reader *reader);
/* Marks nodes as moved whose links would be farther than the tolerance from where the file has
   them, and which floating joints make up for what is left; `reach` is the longest chain. */
lb_status gltf_limit_drift(gltf_reader *reader, double reach);
/* Decides on the joints and makes the model. */
lb_status gltf_build_model(gltf_reader *reader);

/* Refuses options that want another root. */
lb_status gltf_check_root(const lb_gltf_options *options, lb_error *error);
/* All of them. `given` has name, file, find, parts and options; the tree is the lb_gltf's, or goes.
 */
lb_status gltf_build(gltf_reader given, const char *name, lb_document *document, lb_gltf **gltf,
                     lb_error *error);

/* ---- numbers -------------------------------------------------------------- */

/* An element of an accessor: its components, normalised integers as fractions. */
void gltf_element(const gltf_accessor *accessor, int index, double *out);
/* One number of one component. */
double gltf_number(const gltf_accessor *accessor, int index);

/* 3 x 3 matrices, row by row. */
void gltf_multiply(const double a[9], const double b[9], double out[9]);
void gltf_rotation_matrix(lb_quat rotation, double out[9]);
lb_vec3 gltf_apply(const double m[9], lb_vec3 v);
/* false: it has no inverse */
bool gltf_invert(const double m[9], double out[9]);

/* ---- poses ---------------------------------------------------------------- */

/* A node at a time: what its channels say, the rest where there is none. */
typedef struct gltf_pose {
    lb_vec3 place;
    lb_quat rotation;
    double stretch[9];
} gltf_pose;

gltf_pose gltf_node_at(const lb_gltf *gltf, int animation, int node, double time);

/* The stretch below a node at rest, in its rigid frame: its own and that of the nodes above it. */
void gltf_stretch_below(const gltf_node *node, double out[9]);

/* The pose of a node by what `user` points to: an animation at a time, a key of a clip. */
typedef gltf_pose gltf_node_pose(const void *user, int node);

/* The stretch above a node in its parent's rigid frame; by way of all nodes above it. */
void gltf_stretch_above(const lb_gltf *gltf, int node, gltf_node_pose *pose, const void *user,
                        double out[9]);

/* Both chains down to a node at a time: the file's, and the model's rigid one. */
typedef struct gltf_chain {
    double whole[9];  /* the rotations and scales of the nodes above and its own */
    lb_quat rotation; /* the rotations alone */
    lb_vec3 off;      /* from its link to the node, file units, in the file's root frame */
} gltf_chain;

/* Works out chain[node] by its parent's, which is there. */
void gltf_chain_add(const lb_gltf *gltf, int node, const gltf_pose *pose, gltf_chain *chain);
/* That of a node's parent without any other; by way of all nodes above it. */
gltf_chain gltf_chain_above(const lb_gltf *gltf, int node, gltf_node_pose *pose, const void *user);

/* Whether the place of a floating joint depends on the chain above it. */
static inline bool gltf_follows_chain(const gltf_node *node)
{
    return node->corrected || node->shifting;
}

/* The place of a floating joint in its parent's link that brings its own link to where the file has
   it, file units; `above` is its parent's chain, not read where it does not matter. */
lb_vec3 gltf_place_below(const gltf_node *node, const gltf_pose *pose, const gltf_chain *above);

/* ---- times ---------------------------------------------------------------- */

/* Times that are collected. All zeros but for memory, a pool's, most and error: none yet. */
typedef struct gltf_times {
    lb_allocator memory;
    double *times;
    size_t room;
    int count, most;
    int animation; /* whose times they are */
    bool stepping; /* all of its curves are steps */
    lb_error *error;
} gltf_times;

/* Adds one behind the others; LB_UNSUPPORTED: there are `most`. */
lb_status gltf_times_add(gltf_times *list, double time);
/* The keys of all curves of an animation, in order, each once, in the place of those before; 0
   where it has no curves. */
lb_status gltf_times_collect(gltf_times *list, const lb_gltf *gltf, int animation);

/* ---- curves: the keys of a clip ---------------------------------------- */

/* Where the nodes' values are in a clip. */
typedef struct gltf_curves {
    const lb_gltf *gltf;
    const lb_clip *clip;
    const char *name; /* for messages */
    int *places;      /* of each node in the clip's configuration, -1: fixed */
    lb_error *error;
} gltf_curves;

/* Finds the joints of the clip, and refuses what cannot be written; memory of a pool. */
lb_status gltf_curves_open(gltf_curves *curves, const lb_gltf *gltf,
                           const lb_gltf_animation *animation, const lb_allocator *pool,
                           lb_error *error);

/* The times of all keys as floats that increase. */
lb_status gltf_curve_times(const gltf_curves *curves, float *times);
/* Whether a node departs from rest, in its rotation or in its place. */
bool gltf_curve_moves(const gltf_curves *curves, int node, gltf_path path);
/* The values of all keys, 4 or 3 numbers each. */
lb_status gltf_curve_values(const gltf_curves *curves, int node, gltf_path path, float *values);

#endif
