/*
 * motion.h - one door for motion: files of any kind are opened, and written, by the same calls.
 *
 *     lb_motion *walk;
 *     lb_motion_open("walk.bvh", NULL, &walk, &error);
 *     lb_clip_at(walk->clip, 0.5, q);                        a pose of walk->model
 *     lb_motion_write(walk, NULL, &how, write, stream, &error);
 *     lb_motion_release(walk);
 *
 * What a file holds is recognised by its content, whatever it is called. Captures and glTF have a
 * figure of their own; the others are tables of numbers and move a model that the options name.
 *
 * Link with limber_formats for this header.
 */
#ifndef LIMBER_FORMATS_MOTION_H
#define LIMBER_FORMATS_MOTION_H

#include <limber/clip.h>
#include <limber/formats/bvh.h>
#include <limber/formats/gltf.h>
#include <limber/formats/joint_limits.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of files: name, text. */
#define LB_MOTION_LIST(X)                                                                          \
    X(LB_MOTION_UNKNOWN, "unknown") /* when reading: recognised */                                 \
    X(LB_MOTION_BVH, "BVH")         /* begins with HIERARCHY: see bvh.h */                         \
    X(LB_MOTION_GLTF, "glTF")       /* JSON with "asset": see gltf.h */                            \
    X(LB_MOTION_GLB, "GLB")         /* begins with glTF, as .vrm does */                           \
    X(LB_MOTION_JSON, "JSON")       /* JSON with "limber_motion": see clip_json.h */               \
    X(LB_MOTION_NPZ, "npz")         /* an archive: see robot_npz.h */                              \
    X(LB_MOTION_LAFAN1, "lafan1")   /* begins with a row of numbers: see robot_csv.h */            \
    X(LB_MOTION_BONES, "bones")     /* has a column root_translateX: see robot_csv.h */            \
    X(LB_MOTION_POSES, "poses")     /* names of values, and time, above columns; or an .npy */

typedef enum lb_motion_kind {
#define LB_MOTION_ENUM(name, text) name,
    LB_MOTION_LIST(LB_MOTION_ENUM)
#undef LB_MOTION_ENUM
        LB_MOTION_COUNT
} lb_motion_kind;

/* The text of a kind, never NULL. */
const char *lb_motion_kind_text(lb_motion_kind kind);
/* Whether files of a kind have a figure of their own; else they move a model that is given. */
bool lb_motion_has_figure(lb_motion_kind kind);

/*
 * The kind of a file by the first `size` bytes of it. `name`, which is not opened, decides by its
 * ending where they could be anything: of a table without commas, of what is damaged or empty.
 */
lb_motion_kind lb_motion_recognise(const char *name, const void *bytes, size_t size);
/*
 * The kind of the file at `path`, whose beginning is read. LB_MOTION_UNKNOWN: there is no such
 * file, it holds something else, as a model, or it is standard input or a pipe, which can be read
 * once.
 */
lb_motion_kind lb_motion_find(const char *path);

/* How a file is opened. All zeros are the defaults. */
typedef struct lb_motion_options {
    lb_load_options load;  /* allocator, warnings, strict reading */
    lb_motion_kind kind;   /* what it is read as; recognised */
    const lb_model *model; /* what a table moves, which must outlive the motion; NULL: nothing */
    const char *limits;    /* a file that narrows that model: see joint_limits.h; NULL: none */
    double rate;           /* frames a second of a table without times, refused of others; 0: */
    double usual_rate;     /* in its place where nothing is given, for any file; 0: the kind's, 120
                              of bones, else 30 */
    bool degrees;          /* angles of poses are in degrees; refused of other kinds */
    double unit;           /* of BVH and glTF: metres in one unit of the file, 0: see there */
    lb_bvh_up up;          /* of BVH and glTF: the axis that is up; see there */
    lb_bvh_rest rest;      /* of BVH: whether a frame is a rest pose; recognised */
    int rest_index;        /* of BVH: with LB_BVH_REST_YES which frame it is, from 0 */
    const char *animation; /* of glTF: its name, or its number from 0; NULL: the first */
    bool at_rest;          /* the figure alone is wanted: no clip is made */
} lb_motion_options;

lb_motion_options lb_motion_options_default(void);

/* A motion that was opened. All that it points to goes with it, but for a model that was given. */
typedef struct lb_motion {
    lb_motion_kind kind;    /* never LB_MOTION_UNKNOWN */
    const lb_model *model;  /* what moves: the file's own figure, or the model that was given with
                               what the file and the limits made of it */
    const lb_clip *clip;    /* the motion over it, without a rest pose, whose first frame after that
                               is at 0 s; NULL: a figure without motion */
    const lb_clip *as_read; /* the motion as it is written again: a rest pose that was recognised,
                               not given, stays in it; else the clip */
    const double *rest;     /* nq: a rest pose that the file has in a frame; NULL: none */
    const lb_bvh *bvh;      /* the file, NULL: it is another */
    const lb_gltf *gltf;    /* the file, NULL: it is another */
    int animation;          /* of glTF: which one the clip is, -1: none */
    bool root_moves;        /* a joint at the root of the model is floating or planar */
    bool root_added;        /* the file moves a root that is fixed in the model that was given */
    const lb_joint_limit *limits; /* a row for each joint, which have narrowed the model's; NULL:
                                     lb_motion_options.limits names no file */
    double rate;       /* keys a second, 0: they are not evenly spaced, or there is one alone */
    bool rate_assumed; /* the file has no times, and neither rate was given */
} lb_motion;

/*
 * Opens a file; "-" is standard input. A model whose root is fixed gets a floating one where the
 * file moves it: robots' tables and archives, JSON with a floating joint, poses with a column
 * root.z. Refused, with what was seen and what would do: a file of no kind, a table without a
 * model, a figure's file with one, options that have no effect on the kind, and what the kind's own
 * reader refuses. `options` may be NULL. On failure *motion is NULL.
 */
lb_status lb_motion_open(const char *path, const lb_motion_options *options, lb_motion **motion,
                         lb_error *error);
/* NULL is accepted. */
void lb_motion_release(lb_motion *motion);

/* How a motion is written. */
typedef struct lb_motion_write_options {
    lb_motion_kind kind; /* what the file is to be */
    const char *name;    /* of glTF: the animation's; NULL: that of the one read, else "motion" */
    bool degrees;        /* of poses: angles are in degrees */
    const lb_allocator *allocator; /* NULL: malloc and free */
} lb_motion_write_options;

/*
 * What a file is written as by the ending of its name. A .csv is lafan1 of a robot (a floating root
 * and joints of one value), else poses. LB_MOTION_UNKNOWN: the ending is none of .bvh, .gltf, .glb,
 * .vrm, .json, .npz and .csv.
 */
lb_motion_kind lb_motion_kind_for(const char *path, const lb_model *model);

/*
 * Writes a clip, NULL: that of the file as it was read. `of` (NULL: none) is what the clip's figure
 * was opened from: a BVH keeps its numbers where poses are the same, a glTF all else that is in it.
 * From any other figure a BVH is made (lb_bvh_make), and no glTF can be. Kinds without times in
 * each row need keys that are evenly spaced, to 1e-3.
 */
lb_status lb_motion_write(const lb_motion *of, const lb_clip *clip,
                          const lb_motion_write_options *options, lb_sink *sink, void *user,
                          lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
