/*
 * gltf.h - glTF 2.0 and GLB: figures and their animations, read, and written with other animations.
 *
 * Source: Khronos Group, glTF 2.0 Specification, https://registry.khronos.org/glTF/specs/2.0/. A
 * file has nodes in a forest, skins that name some of them, and animations: curves of the
 * translation, rotation and scale of nodes. An lb_gltf keeps all of the file, beside a model like
 * any other:
 *
 *     lb_gltf *gltf;
 *     lb_gltf_load("figure.glb", NULL, &gltf, &error);
 *     lb_gltf_clip(gltf, 0, NULL, &clip, &error);              of lb_gltf_model(gltf)
 *     lb_clip_at(clip, 0.5, q);
 *     lb_gltf_write(gltf, &(lb_gltf_animation){"walk", edited}, 1, &how, write, stream, &error);
 *
 * The model: the root link is called "world"; every node is a link and the joint of that name that
 * moves it. Links have the nodes' places and rotations. Floating are nodes whose place an animation
 * moves (beyond rounding: see lb_gltf_options) and the first joints of a skin. Of all other nodes,
 * those that an animation turns, the joints of skins and humanoid bones are balls; the rest is
 * fixed. The values of a ball are its node's rotation, those of a floating joint the node's place
 * and rotation; at rest they are those of the file. Nodes without a name are called node_N, later
 * ones of an equal name NAME_N, where N is the node's index in the file. Rotations that are not of
 * length 1, beyond rounding, are normalised and warned of.
 *
 * Scale: joints are rigid and have none. The places of all nodes are as in the file, scaled by the
 * nodes above them; rotations are the nodes' own. So a uniform scale is carried exactly, and other
 * scales lose their skew. Nodes below an animated scale are floating. Both are warned of. A mesh's
 * own size is not in the model.
 *
 * glTF is in metres with y up; the model has z up: its root arc turns the file's axis there.
 *
 * Experimental: may change in 0.2. Link with limber_formats for this header.
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
    lb_load_options load; /* Source of memory, warnings, strict reading. */
    double unit;  /* Metres in one unit of the file. 0: 1, as the format has it (the default). */
    lb_bvh_up up; /* Axis that is up. Default: "recognise", which is y, as the format has it. */
    /*
     * How far links may be from the file's nodes, as a share of the longest chain of nodes. 0: 1e-6
     * m, or 1e-7 of chains longer than 10 m (the default). Exporters write float rounding as
     * motion, and a bone with a jittering length would be floating, so jitter of a place below this
     * is treated as rest, unless it adds up along a chain to more. Jitter of a scale below this
     * share of itself is rest, too (0: 1e-5). Floating joints make up for the jitter of places and
     * scales above them. The keys of all animations are looked at. In files with more keys than
     * their size has a use for, every joint with an animated translation floats, which is warned
     * of.
     */
    double tolerance;
    /* Files with buffers beside a file that is itself in memory; lb_gltf_load does not read
       this. Absent: none (the default). */
    const struct lb_gltf_file *files;
    int file_count; /* How many files. Default: 0. */
} lb_gltf_options;

/* A file beside a .gltf. */
typedef struct lb_gltf_file {
    const char *path;  /* The relative path that its URI means: "walk.bin". */
    const void *bytes; /* Its content. */
    size_t size;       /* Bytes of the content. */
} lb_gltf_file;

lb_gltf_options lb_gltf_options_default(void);

typedef struct lb_gltf lb_gltf;

/*
 * Loads a .gltf or a .glb, by its first bytes; "-" is standard input. Buffers are in the file, in
 * data: URIs or in files beside it, named by relative paths; lb_gltf_load reads those, and
 * lb_gltf_load_memory has them in its options. Images are never read.
 *
 * Refused with the place in the file ("accessors[3].count: ...") and the remedy: nodes, skins,
 * accessors, buffers and animations that break the specification, such as cycles of nodes, a matrix
 * beside a translation, accessors beyond their buffer, times that do not increase; required
 * extensions other than KHR_* ones of materials, textures and lights; numbers that are not finite.
 * Memory is bounded by the sizes of the file and its buffers, whatever its counts say. jansson
 * takes the JSON's memory from malloc.
 *
 * `options` may be NULL. On failure *gltf is NULL. Release with lb_gltf_release.
 */
lb_status lb_gltf_load(const char *path, const lb_gltf_options *options, lb_gltf **gltf,
                       lb_error *error);
/* As lb_gltf_load, from `size` bytes, which are not needed afterwards; `name` is for messages. */
lb_status lb_gltf_load_memory(const char *name, const void *bytes, size_t size,
                              const lb_gltf_options *options, lb_gltf **gltf, lb_error *error);

/* A container's parts, within its bytes. */
typedef struct lb_gltf_parts {
    const char *json;  /* Text of the JSON; all of a .gltf. */
    size_t json_size;  /* Bytes of the text. */
    const void *chunk; /* The binary chunk of a GLB. Absent: there is none. */
    size_t chunk_size; /* Bytes of the chunk. */
} lb_gltf_parts;

/* Finds the parts of a .gltf or a .glb. Refuses a container that is cut or has wrong sizes. */
lb_status lb_gltf_split(const char *name, const void *bytes, size_t size, lb_gltf_parts *parts,
                        lb_error *error);
/*
 * As lb_gltf_load_memory, for a program that filled in the nodes of the JSON with a parser of its
 * own: see document.h. The document becomes the lb_gltf's; on failure it is released. The chunk
 * among the parts (NULL: none) is read, and not needed afterwards.
 */
lb_status lb_gltf_load_document(const char *name, lb_document *document,
                                const lb_gltf_parts parts[/* 1, or NULL */],
                                const lb_gltf_options *options, lb_gltf **gltf, lb_error *error);
/* NULL is accepted. Releases the model, too; release clips, which belong to the caller, before. */
void lb_gltf_release(lb_gltf *gltf);

/* The content of a file. */
typedef struct lb_gltf_info {
    int nodes, skins, animations; /* How many nodes, skins and animations. */
    int skin_joints;              /* Joints of all skins together, each node once. */
    double unit;                  /* Metres in one unit of the file. */
    lb_bvh_up up;                 /* Axis that is up: x, y or z. */
    const char *generator;        /* The program that wrote the file. Empty: not said. */
    /* "VRM 0.x", "VRM 1.0" or "VRM animation" (.vrma). Empty: there is no map of bones. */
    const char *humanoid;
    int bones; /* How many bones the map has. */
} lb_gltf_info;

/* The content of a file. */
lb_gltf_info lb_gltf_describe(const lb_gltf *gltf);
/* The model, owned by the lb_gltf. */
const lb_model *lb_gltf_model(const lb_gltf *gltf);
/* The link of a node, and the joint of that name. -1: there is no such node. */
int lb_gltf_link(const lb_gltf *gltf, int node);
int lb_gltf_joint(const lb_gltf *gltf, int node);

/* ---- VRM ---------------------------------------------------------------- */

/* A humanoid bone of VRM. */
typedef struct lb_gltf_bone {
    const char *name; /* Its name: "hips", "leftUpperLeg" ... */
    int node, link;   /* The node and the link that it is. */
} lb_gltf_bone;

/* A bone of the map, in the order of the file; names are those of its version. */
lb_gltf_bone lb_gltf_bone_at(const lb_gltf *gltf, int index);
/* The link of a humanoid bone. -1: none. */
int lb_gltf_find_bone(const lb_gltf *gltf, const char *name);

/* ---- looks -------------------------------------------------------------- */

/*
 * The look of a file's links, to measure collisions with: for each link with something drawn, one
 * mesh, named as the link, and the shape that places it.
 *
 *     options.meshes = looks->meshes, options.mesh_count = looks->count;
 *     options.stand_ins = looks->shapes, options.stand_in_count = looks->count;
 *     options.fit = LB_MESH_CAPSULE;
 *     lb_collision_create(lb_gltf_model(gltf), NULL, &options, NULL, &collision, &error);
 */
typedef struct lb_gltf_looks {
    const lb_mesh *meshes; /* Points in the links' frames, metres, each as often as it is drawn. */
    const lb_link_shape *shapes; /* Shape i is mesh i of its link, in the order of links. */
    int count;                   /* How many meshes. 0: nothing is drawn. */
} lb_gltf_looks;

/*
 * Collects the points of all meshes that nodes draw, at rest. A skin's point goes to the joint with
 * the most weight there, any other to its node. Morph targets move none, and data that only an
 * extension can read (Draco) is left out. Refused with the place in the file: meshes and skins that
 * break the specification, more points than the file and its buffers have bytes (instances of one
 * mesh count each). On failure *looks is NULL. Release with lb_gltf_looks_release, which accepts
 * NULL.
 */
lb_status lb_gltf_looks_create(const lb_gltf *gltf, const lb_allocator *allocator,
                               lb_gltf_looks **looks, lb_error *error);
void lb_gltf_looks_release(lb_gltf_looks *looks);

/* ---- animations --------------------------------------------------------- */

/* The name of an animation, "" if it has none. NULL: there is no such animation. */
const char *lb_gltf_animation_name(const lb_gltf *gltf, int animation);
/* The index of an animation by its name. -1: none. */
int lb_gltf_find_animation(const lb_gltf *gltf, const char *name);
/* The first and the last time of all curves of an animation, seconds. */
void lb_gltf_animation_times(const lb_gltf *gltf, int animation, double *begin, double *end);

/*
 * Evaluates the configuration (nq numbers) at a time by the specification's rules: STEP, LINEAR
 * with the smaller rotation, CUBICSPLINE normalised; before the first key the first, after the last
 * the last. Joints that the animation does not move are at rest. Never allocates. For each joint
 * whose place depends on scales or jitter above it, it looks at all nodes above; lb_gltf_clip looks
 * at each node once.
 */
void lb_gltf_at(const lb_gltf *gltf, int animation, double time, double *q);

/*
 * Makes a clip of an animation over the file's model, which must outlive it; release with
 * lb_clip_release. Its keys are at the times of all curves' keys. A clip is linear throughout (or
 * steps throughout): a step among linear curves has one more key just before it, splines and places
 * under animated scales have keys in between, so close that the clip is within 1e-6 (metres,
 * radians) of lb_gltf_at. On failure *clip is NULL.
 */
lb_status lb_gltf_clip(const lb_gltf *gltf, int animation, const lb_allocator *allocator,
                       lb_clip **clip, lb_error *error);

/* ---- writing ------------------------------------------------------------ */

/* An animation to write. */
typedef struct lb_gltf_animation {
    const char *name;    /* Its name in the file. */
    const lb_clip *clip; /* Its motion. */
} lb_gltf_animation;

/* How a file is written. All zeros are the defaults. */
typedef struct lb_gltf_write_options {
    bool binary;     /* Write a GLB; else a .gltf. Default: false. */
    bool only_these; /* Leave the animations of the file itself out. Default: false. */
    const lb_allocator *allocator; /* Source of memory. Absent: the C library's (the default). */
} lb_gltf_write_options;

/*
 * Writes the file with `count` >= 0 more animations; one with a name that the file has replaces
 * that animation. All else stays, unknown members and extensions included. Buffers, also those
 * beside the file, are written into it, and the numbers of a replaced animation stay unused in
 * them.
 *
 * A clip is over this model, or over one whose joints have its names and kinds; its interpolation
 * is linear or step (resample a cubic one). Its keys become curves of floats, one for the rotation
 * and, of floating joints, one for the place of each node that departs from rest; scales are those
 * at rest. Refused with the reason: times before 0, or closer together than floats are. `options`
 * may be NULL.
 */
lb_status lb_gltf_write(const lb_gltf *gltf, const lb_gltf_animation *animations, int count,
                        const lb_gltf_write_options *options, lb_sink *sink, void *user,
                        lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
