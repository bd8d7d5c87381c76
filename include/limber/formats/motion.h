/*
 * motion.h - one door for motion: files of any kind are opened, and written, by the same calls.
 *
 *     lb_motion *walk;
 *     lb_motion_open("walk.bvh", NULL, &walk, &error);
 *     lb_clip_at(walk->clip, 0.5, q);                        a pose of walk->model
 *     lb_motion_write(walk, NULL, &how, write, stream, &error);
 *     lb_motion_release(walk);
 *
 * The kind of a file is recognised by its content, whatever its name. Captures and glTF have a
 * figure of their own; the other kinds are tables of numbers and move a model of the options.
 *
 * Experimental: may change in 0.2. Link with limber_formats for this header.
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
    X(LB_MOTION_SMPL, "SMPL")       /* an archive or a pickle with poses, as AMASS's */            \
    X(LB_MOTION_NPZ, "npz")         /* an archive: see robot_npz.h */                              \
    X(LB_MOTION_PKL, "GMR")         /* a pickle with dof_pos, as GMR's */                          \
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
 * The kind of a file by its first `size` bytes. The ending of `name`, which is not opened, decides
 * if they could be anything: a table without commas, a damaged or an empty file.
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
    lb_load_options load;  /* Allocator, warnings, strict reading. */
    lb_motion_kind kind;   /* Kind of the file. Default: recognised. */
    const lb_model *model; /* Model that a table moves; it outlives the motion. Default: absent. */
    const char *limits;    /* File that narrows that model, see joint_limits.h. Default: absent. */
    /* Frames a second of a table without times; refused of other files. Default: 0, usual_rate. */
    double rate;
    /* Frames a second in place of a missing rate, for any file. Default: 0, 120 for bones, else
       30. */
    double usual_rate;
    bool degrees;     /* Angles of poses are in degrees; refused of other kinds. Default: false. */
    double unit;      /* Of BVH and glTF: metres in one unit of the file. Default: 0, recognised. */
    lb_bvh_up up;     /* Of BVH, glTF and SMPL: axis up. Default: recognised, y in glTF. */
    lb_bvh_rest rest; /* Of BVH: whether a frame is a rest pose. Default: recognised. */
    int rest_index;   /* Of BVH, with LB_BVH_REST_YES: frame of the rest pose. Default: 0. */
    /* Of glTF: name of an animation, or its number from 0. Default: absent, the first. */
    const char *animation;
    /* Of SMPL: file of the body's joints, a .npy or .npz. Default: absent, assumed proportions. */
    const char *body;
    bool at_rest; /* Only the figure is wanted: no clip is made. Default: false. */
} lb_motion_options;

lb_motion_options lb_motion_options_default(void);

/* A motion that was opened. It owns everything it points to, except a model that was given. */
typedef struct lb_motion {
    lb_motion_kind kind; /* Kind of the file, never LB_MOTION_UNKNOWN. */
    /* Model that moves: the file's figure, or the given model with the root and the limits that
       file and options give it. */
    const lb_model *model;
    /* The motion, without a rest pose; its first frame is at 0 s. Absent: a figure without motion.
     */
    const lb_clip *clip;
    /* The motion as it is written again: a rest pose that was recognised, not given, stays in it;
       else the clip. */
    const lb_clip *as_read;
    /* Rest pose that is a frame of the file as the options say, nq numbers. Absent: none; one
       that was only recognised is left out of the motion, and lb_retarget() finds its own. */
    const double *rest;
    const lb_bvh *bvh;   /* The file if it is a BVH, else absent. */
    const lb_gltf *gltf; /* The file if it is a glTF, else absent. */
    int animation;       /* Of glTF: number of the clip's animation. -1: none. */
    bool root_moves;     /* A joint at the root of the model is floating or planar. */
    bool root_added;     /* The file moves a root that is fixed in the given model. */
    /* Limits that narrowed the model's, one row for each joint. Absent: the options name no file.
     */
    const lb_joint_limit *limits;
    double rate;       /* Keys a second. 0: they are not evenly spaced, or there is only one. */
    bool rate_assumed; /* The file has no times, and neither rate was given. */
} lb_motion;

/*
 * Opens a file; "-" is standard input. A model with a fixed root gets a floating one if the file
 * moves it: robots' tables and archives, JSON with a floating joint, poses with a column root.z.
 * Refused, with the finding and a remedy: a file of no kind, a table without a model, a figure's
 * file with one, options without effect on the kind, and whatever the kind's own reader refuses.
 * `options` may be NULL. On failure *motion is NULL.
 */
lb_status lb_motion_open(const char *path, const lb_motion_options *options, lb_motion **motion,
                         lb_error *error);
/* NULL is accepted. */
void lb_motion_release(lb_motion *motion);

/* How a motion is written. */
typedef struct lb_motion_write_options {
    lb_motion_kind kind; /* Kind of the file; must be set. */
    /* Of glTF: the animation's name. Default: absent, the name it was read with, else "motion". */
    const char *name;
    /* Of npz: "depth-first", "breadth-first" or names of all joints, separated by commas, see
       lb_robot_npz_write(); refused of other kinds. Default: absent, depth first. */
    const char *order;
    bool degrees;                  /* Of poses: angles are in degrees. Default: false. */
    const lb_allocator *allocator; /* Source of memory. Absent: the C library's (the default). */
} lb_motion_write_options;

/*
 * The kind in which a file is written, by the ending of its name. A .csv is lafan1 of a robot (a
 * floating root and joints of one value), else poses. LB_MOTION_UNKNOWN: the ending is none of
 * .bvh, .gltf, .glb, .vrm, .json, .npz and .csv.
 */
lb_motion_kind lb_motion_kind_for(const char *path, const lb_model *model);

/*
 * Writes a clip, NULL: that of the file as it was read. `of` (NULL: none) is the motion that the
 * clip's figure was opened with: a BVH keeps its numbers for equal poses, a glTF everything else in
 * it. For any other figure a BVH is made (lb_bvh_make()), and a glTF is refused. Kinds without
 * times in each row need evenly spaced keys, within 1e-3.
 */
lb_status lb_motion_write(const lb_motion *of, const lb_clip *clip,
                          const lb_motion_write_options *options, lb_sink *sink, void *user,
                          lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
