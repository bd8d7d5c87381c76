/*
 * gltf.h - glTF 2.0 and GLB: figures and their animations, read, and written with others.
 *
 * Source: Khronos Group, glTF 2.0 Specification, https://registry.khronos.org/glTF/specs/2.0/.
 * A file has nodes in a forest, skins that name some of them, and animations: curves of the
 * translation, rotation and scale of nodes. An lb_gltf keeps all of the file, beside a model that
 * is like any other:
 *
 *     lb_gltf *gltf;
 *     lb_gltf_load("figure.glb", NULL, &gltf, &error);
 *     lb_gltf_clip(gltf, 0, NULL, &clip, &error);              of lb_gltf_model(gltf)
 *     lb_clip_at(clip, 0.5, q);
 *     lb_gltf_write(gltf, &(lb_gltf_animation){"walk", edited}, 1, &how, write, stream, &error);
 *
 * The model: the root link is called "world", every node is a link and the joint of that name that
 * moves it. Links have the nodes' places and rotations. A node whose place an animation moves is
 * floating (beyond rounding: see lb_gltf_options), and so are the first joints of a skin; of other
 * nodes those that an animation turns, the joints of skins and humanoid bones are balls; the rest
 * is fixed. The values of a ball are its node's rotation, those of a floating joint the node's
 * place and rotation; at rest they are those of the file. Nodes without a name are called node_N,
 * later ones of the same name NAME_N, N being the node's index in the file.
 *
 * Rotations that are not of length 1, beyond rounding, are normalised and warned of.
 *
 * Scale: joints are rigid and have none. The places of all nodes are as in the file, scaled by the
 * nodes above them; rotations are the nodes' own. So a uniform scale is carried exactly, and of
 * other ones the skew is left out. Where a scale is animated, the nodes below are floating. Both
 * are warned of. A mesh's own size is not in the model.
 *
 * glTF is in metres with y up; the model has z up: its root arc turns the file's axis there.
 *
 * Link with limber_formats for this header.
 */
#ifndef LIMBER_FORMATS_GLTF_H
#define LIMBER_FORMATS_GLTF_H

#include <limber/clip.h>
#include <limber/collision.h>
#include <limber/formats/bvh.h>
#include <limber/formats/document.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a file is loaded. All zeros are the defaults. */
typedef struct lb_gltf_options {
    lb_load_options load; /* allocator, warnings, strict reading */
    double unit;          /* metres in one unit of the file, 0: 1, as the format has it */
    lb_bvh_up up;         /* LB_BVH_UP_RECOGNISE: y, as the format has it */
    /*
     * How far links may be from where the file has their nodes, as a share of the longest chain of
     * nodes; 0: 1e-6 m, or 1e-7 of chains that are longer than 10 m. Exporters write the rounding
     * of floats as motion, and a bone whose length trembles would be floating: so places rest that
     * animations move by less, unless that adds up along a chain to more. Scales rest that are
     * moved by less than this share of themselves; 0: 1e-5. Floating joints make up for what places
     * and scales above them tremble. Looked at are the keys of all animations; of files with more
     * of them than their size gives a use for, every joint whose translation is animated floats,
     * which is warned of.
     */
    double tolerance;
    /* what buffers may be in that are beside a file that is itself in memory; not read by
       lb_gltf_load. NULL: none */
    const struct lb_gltf_file *files;
    int file_count;
} lb_gltf_options;

/* A file beside a .gltf, by the relative path that its URI means: "walk.bin". */
typedef struct lb_gltf_file {
    const char *path;
    const void *bytes;
    size_t size;
} lb_gltf_file;

lb_gltf_options lb_gltf_options_default(void);

typedef struct lb_gltf lb_gltf;

/*
 * Loads a .gltf or a .glb, by its first bytes; "-" is standard input. Buffers are
 * in the file, in data: URIs or in files beside it, named by relative paths; lb_gltf_load reads
 * those, for lb_gltf_load_memory they are among the options. Images are never read.
 *
 * Refused with the place in the file ("accessors[3].count: ...") and the remedy: what the
 * specification rules out in nodes, skins, accessors, buffers and animations, as cycles of nodes, a
 * matrix beside a translation, accessors beyond their buffer, times that do not increase; required
 * extensions other than KHR_* ones of materials, textures and lights; what is not a finite number.
 * Memory is bounded by the sizes of the file and its buffers, whatever its counts say. jansson
 * takes the JSON's memory from malloc.
 *
 * `options` may be NULL. On failure *gltf is NULL. Release with lb_gltf_release.
 */
lb_status lb_gltf_load(const char *path, const lb_gltf_options *options, lb_gltf **gltf,
                       lb_error *error);
/* The same from `size` bytes, which are not needed afterwards; `name` is for messages. */
lb_status lb_gltf_load_memory(const char *name, const void *bytes, size_t size,
                              const lb_gltf_options *options, lb_gltf **gltf, lb_error *error);

/* A container's parts, within its bytes. */
typedef struct lb_gltf_parts {
    const char *json; /* text, all of a .gltf */
    size_t json_size;
    const void *chunk; /* the binary chunk of a GLB, NULL: there is none */
    size_t chunk_size;
} lb_gltf_parts;

/* Finds the parts of a .gltf or a .glb; refuses a container that is cut or says wrong sizes. */
lb_status lb_gltf_split(const char *name, const void *bytes, size_t size, lb_gltf_parts *parts,
                        lb_error *error);
/*
 * The same as lb_gltf_load_memory() for a program with a parser of its own, which has filled in the
 * nodes of the JSON: see document.h. The document becomes the lb_gltf's; on failure it is released.
 * Of the parts (NULL: none) the chunk is read, and not needed afterwards.
 */
lb_status lb_gltf_load_document(const char *name, lb_document *document,
                                const lb_gltf_parts parts[/* 1, or NULL */],
                                const lb_gltf_options *options, lb_gltf **gltf, lb_error *error);
/* NULL is accepted. The model goes with it; clips are their owner's and must go before. */
void lb_gltf_release(lb_gltf *gltf);

/* What a file has. */
typedef struct lb_gltf_info {
    int nodes, skins, animations;
    int skin_joints;       /* of all skins together, each node once */
    double unit;           /* metres in one unit of the file */
    lb_bvh_up up;          /* x, y or z */
    const char *generator; /* the program that wrote it, "" when it is not said */
    const char *humanoid;  /* "VRM 0.x", "VRM 1.0", or "" where there is no map of bones */
    int bones;             /* in that map */
} lb_gltf_info;

lb_gltf_info lb_gltf_describe(const lb_gltf *gltf);
/* Owned by the lb_gltf. */
const lb_model *lb_gltf_model(const lb_gltf *gltf);
/* The link of a node, and the joint of that name; -1 where there is no such node. */
int lb_gltf_link(const lb_gltf *gltf, int node);
int lb_gltf_joint(const lb_gltf *gltf, int node);

/* ---- VRM ---------------------------------------------------------------- */

/* A humanoid bone of VRM: "hips", "leftUpperLeg" ..., and the node and link that it is. */
typedef struct lb_gltf_bone {
    const char *name;
    int node, link;
} lb_gltf_bone;

/* A bone of the map, in the order of the file; names are those of its version. */
lb_gltf_bone lb_gltf_bone_at(const lb_gltf *gltf, int index);
/* The link of a humanoid bone, -1 where there is none. */
int lb_gltf_find_bone(const lb_gltf *gltf, const char *name);

/* ---- looks -------------------------------------------------------------- */

/*
 * What the links of a file look like, to measure collisions with: for each link that something is
 * drawn of one mesh, named as the link, and the shape that places it.
 *
 *     options.meshes = looks->meshes, options.mesh_count = looks->count;
 *     options.stand_ins = looks->shapes, options.stand_in_count = looks->count;
 *     options.fit = LB_MESH_CAPSULE;
 *     lb_collision_create(lb_gltf_model(gltf), NULL, &options, NULL, &collision, &error);
 */
typedef struct lb_gltf_looks {
    const lb_mesh *meshes; /* points in the links' frames, metres, each as often as it is drawn */
    const lb_link_shape *shapes; /* shape i is mesh i, of its link, in the order of links */
    int count;                   /* 0: nothing is drawn */
} lb_gltf_looks;

/*
 * The points of all meshes that nodes draw, at rest: a skin's are of the joint that has the most
 * weight there, the others of their node. Morph targets move none, and what only an extension can
 * read (Draco) is left out. Refused with the place in the file: what the specification rules out in
 * meshes and skins, more points than the file and its buffers have bytes (instances of one mesh
 * count each). On failure *looks is NULL. Release with lb_gltf_looks_release, which accepts NULL.
 */
lb_status lb_gltf_looks_create(const lb_gltf *gltf, const lb_allocator *allocator,
                               lb_gltf_looks **looks, lb_error *error);
void lb_gltf_looks_release(lb_gltf_looks *looks);

/* ---- animations --------------------------------------------------------- */

/* The name of an animation, "" where it has none; NULL: there is no such animation. */
const char *lb_gltf_animation_name(const lb_gltf *gltf, int animation);
/* The index of an animation of that name, -1: none. */
int lb_gltf_find_animation(const lb_gltf *gltf, const char *name);
/* The first and the last time of all its curves. */
void lb_gltf_animation_times(const lb_gltf *gltf, int animation, double *begin, double *end);

/*
 * The configuration (nq numbers) at a time, as the specification evaluates the curves: STEP, LINEAR
 * with the smaller rotation, CUBICSPLINE normalised; before the first key the first, after the
 * last the last. What the animation does not move is at rest. Never allocates. For each joint whose
 * place depends on scales or on what trembles above it, it looks at all nodes above; lb_gltf_clip
 * looks at each node once.
 */
void lb_gltf_at(const lb_gltf *gltf, int animation, double time, double *q);

/*
 * An animation as a clip over the file's model, which must outlive it; release with
 * lb_clip_release. Its keys are at the times of all curves' keys. A clip is linear throughout (or
 * steps throughout): a step among linear curves has one more key just before it, splines and places
 * under animated scales have keys in between, so close that the clip is within 1e-6 (metres,
 * radians) of lb_gltf_at. On failure *clip is NULL.
 */
lb_status lb_gltf_clip(const lb_gltf *gltf, int animation, const lb_allocator *allocator,
                       lb_clip **clip, lb_error *error);

/* ---- writing ------------------------------------------------------------ */

/* An animation that a written file is to have. */
typedef struct lb_gltf_animation {
    const char *name;
    const lb_clip *clip;
} lb_gltf_animation;

/* How a file is written. All zeros are the defaults. */
typedef struct lb_gltf_write_options {
    bool binary;                   /* a GLB; else a .gltf */
    bool only_these;               /* without the animations that the file has itself */
    const lb_allocator *allocator; /* NULL: malloc and free */
} lb_gltf_write_options;

/*
 * Writes the file with `count` >= 0 more animations; one of a name that the file has takes the
 * place of that one. All else is as it was, unknown members and extensions included; buffers, also
 * those that were beside the file, are in the file that is written, and the numbers of an animation
 * that was replaced stay unused in them.
 *
 * A clip is over this model, or over one whose joints have the names and kinds of this one's; its
 * interpolation is linear or step (resample a cubic one). Its keys become curves of floats, one for
 * the rotation and, of floating joints, one for the place of each node that departs from rest;
 * scales are those at rest. Refused with the reason: times before 0, or closer together than floats
 * are. `options` may be NULL.
 */
lb_status lb_gltf_write(const lb_gltf *gltf, const lb_gltf_animation *animations, int count,
                        const lb_gltf_write_options *options, lb_sink *sink, void *user,
                        lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
