/*
 * bvh.h - BVH: the skeletons and captures of Biovision's format, read and written without loss.
 *
 * A BVH file has a hierarchy of joints, each with an OFFSET from its parent and a list of
 * CHANNELS, and a table of numbers: one row a frame, one number a channel. An lb_bvh keeps all
 * of that as it is in the file, beside a model and a clip that are like any others:
 *
 *     lb_bvh *bvh;
 *     lb_bvh_load("walk.bvh", NULL, &bvh, &error);
 *     const lb_clip *clip = lb_bvh_clip(bvh);
 *     lb_clip_at(clip, 0.5, q);                              a pose of lb_bvh_model(bvh)
 *     lb_bvh_write(bvh, edited, write, stream, NULL, &error);    the file with other poses
 *
 * The model: the root link is called "world"; every JOINT and ROOT is a joint and the link of that
 * name that it moves, every End Site a fixed joint PARENT_end with its link. A joint with a
 * position channel is floating; one with rotation channels alone is revolute (one channel),
 * universal (two different axes) or a ball; one without channels is fixed. Rotations are
 * multiplied in the order of the channels, each about an axis that those before it have turned; a
 * position channel is the joint's place in its parent, in place of that component of OFFSET, and
 * applies before rotations wherever it is in the list. Joints rest at their OFFSET with zero
 * angles.
 *
 * The model is in metres with z up: lengths are multiplied by the file's unit and the model's root
 * arc turns the file's up axis to z. Neither is in the file. They are recognised, reported in
 * lb_bvh_info and can be given instead.
 *
 * Link with limber_formats for this header.
 */
#ifndef LIMBER_FORMATS_BVH_H
#define LIMBER_FORMATS_BVH_H

#include <limber/clip.h>
#include <limber/formats/document.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Every channel: name, text in the file. */
#define LB_BVH_CHANNEL_LIST(X)                                                                     \
    X(LB_BVH_X_POSITION, "Xposition")                                                              \
    X(LB_BVH_Y_POSITION, "Yposition")                                                              \
    X(LB_BVH_Z_POSITION, "Zposition")                                                              \
    X(LB_BVH_X_ROTATION, "Xrotation")                                                              \
    X(LB_BVH_Y_ROTATION, "Yrotation")                                                              \
    X(LB_BVH_Z_ROTATION, "Zrotation")

typedef enum lb_bvh_channel {
#define LB_BVH_CHANNEL_ENUM(name, text) name,
    LB_BVH_CHANNEL_LIST(LB_BVH_CHANNEL_ENUM)
#undef LB_BVH_CHANNEL_ENUM
        LB_BVH_CHANNEL_COUNT
} lb_bvh_channel;

/* The text of a channel, never NULL. */
const char *lb_bvh_channel_text(lb_bvh_channel channel);

/* The axis of a file that is up: name, text. */
#define LB_BVH_UP_LIST(X)                                                                          \
    X(LB_BVH_UP_RECOGNISE, "recognise") /* from the feet, see lb_bvh_info */                       \
    X(LB_BVH_UP_X, "x")                                                                            \
    X(LB_BVH_UP_Y, "y")                                                                            \
    X(LB_BVH_UP_Z, "z")

typedef enum lb_bvh_up {
#define LB_BVH_UP_ENUM(name, text) name,
    LB_BVH_UP_LIST(LB_BVH_UP_ENUM)
#undef LB_BVH_UP_ENUM
        LB_BVH_UP_COUNT
} lb_bvh_up;

/* The text of an axis, never NULL. */
const char *lb_bvh_up_text(lb_bvh_up up);

/* Whether a frame is a rest pose that was put before the motion: name, text. */
#define LB_BVH_REST_LIST(X)                                                                        \
    X(LB_BVH_REST_RECOGNISE, "recognise") /* frame 0, by how far joints turn, see lb_bvh_info */   \
    X(LB_BVH_REST_YES, "yes")                                                                      \
    X(LB_BVH_REST_NO, "no")

typedef enum lb_bvh_rest {
#define LB_BVH_REST_ENUM(name, text) name,
    LB_BVH_REST_LIST(LB_BVH_REST_ENUM)
#undef LB_BVH_REST_ENUM
        LB_BVH_REST_COUNT
} lb_bvh_rest;

/* How a file is loaded. All zeros are the defaults. */
typedef struct lb_bvh_options {
    lb_load_options load; /* allocator, warnings, strict reading */
    double unit;          /* metres in one unit of the file, 0: recognised; 0.01 for centimetres */
    lb_bvh_up up;         /* recognised */
    lb_bvh_rest rest;     /* recognised */
    int rest_index;       /* with LB_BVH_REST_YES: which frame it is; 0. One at least follows it */
} lb_bvh_options;

lb_bvh_options lb_bvh_options_default(void);

/*
 * What a file is. A unit is recognised by the size of a figure: the longest chain of bones, from
 * hips to fingers or toes, is some 1.15 m of an adult; of metres, centimetres, millimetres,
 * inches and the unit of the CMU captures (2.54 / 0.45 cm) it is the one that comes nearest, of
 * millimetres and that of CMU only within a quarter. The
 * up axis is the one along which the body is farthest above the feet, on average over the
 * frames; that of the skeleton as its offsets lay it out where a frame stands in the same way,
 * however long the figure lies. Both need joints that are named as feet, ankles or toes; without
 * them the unit is the centimetre and y is up, as most files have it.
 */
typedef struct lb_bvh_info {
    int joints;            /* without End Sites */
    int channels, frames;  /* numbers in a row, rows; frames may be 0: a skeleton alone */
    double frame_time;     /* seconds, as in the file */
    double unit;           /* metres in one unit of the file */
    const char *unit_name; /* "cm", "m", "mm", "inch", "cmu"; "" for another one that was given */
    lb_bvh_up up;          /* x, y or z */
    bool unit_recognised; /* by the figure's size, within a quarter of an adult's; else given in the
                             options or, where unit_given is false, too, assumed */
    bool up_recognised;   /* by feet and body; else given, or assumed */
    bool unit_given, up_given, rest_given; /* in the options */
    /*
     * Whether frame 0 is a rest pose that was put before the motion, as in the CMU captures: from
     * it to frame 1 some joint turns by more than 10 degrees and by more than five times as much
     * as any joint does between frames 1 to 10. Or whether the options say that a frame is one. It
     * stays in lb_bvh_clip; lb_bvh_motion begins with the frame after it.
     */
    bool rest_frame;
    int rest_index; /* which frame; 0 unless given */
} lb_bvh_info;

/* Metres in a unit of that name, 0 for an unknown one; the names are in lb_bvh_info. */
double lb_bvh_unit(const char *name);

typedef struct lb_bvh lb_bvh;

/*
 * Loads a file; "-" is standard input. Keywords may be in any case, lines may end in LF, CRLF or
 * CR, fields be apart by any blanks; each frame is one line. Joints of the same name are renamed
 * with a warning, NAME_2. Refused with line, thing and remedy is all else: a CHANNELS count that
 * differs from its list, frames that are missing or too many, rows of another length, what is not
 * a finite number. Memory is bounded by the text's size, whatever its counts say.
 *
 * `options` may be NULL. On failure *bvh is NULL. Release with lb_bvh_release.
 */
lb_status lb_bvh_load(const char *path, const lb_bvh_options *options, lb_bvh **bvh,
                      lb_error *error);
/* The same from `size` bytes of text, which are not needed afterwards; `name` is for messages. */
lb_status lb_bvh_load_memory(const char *name, const char *text, size_t size,
                             const lb_bvh_options *options, lb_bvh **bvh, lb_error *error);
/*
 * Makes a capture of any motion: of a robot, of a glTF's figure. Each link is a JOINT of its name
 * with three rotations (z, x, y), and with its place where its joint slides; the ROOT, with its
 * place, is the first link that moves, where the links before it carry it alone, else the root
 * link. The neutral configuration is the rest pose, in which no joint is turned: links of the
 * lb_bvh's own model have the places of the clip's, and turn as these do from there. The keys are
 * the frames; they must be evenly spaced, to 1e-3 (lb_clip_rate()). The clip is not needed
 * afterwards.
 *
 * Of the options the unit (0: the centimetre) and the up axis (LB_BVH_UP_RECOGNISE: y) are those
 * of the file to be. On failure *bvh is NULL.
 */
lb_status lb_bvh_make(const lb_clip *clip, const lb_bvh_options *options, lb_bvh **bvh,
                      lb_error *error);
/* NULL is accepted. The model and the clip go with it. */
void lb_bvh_release(lb_bvh *bvh);

lb_bvh_info lb_bvh_describe(const lb_bvh *bvh);
/* Owned by the lb_bvh. */
const lb_model *lb_bvh_model(const lb_bvh *bvh);
/*
 * All frames, linear between them; the first is at time 0. Owned by the lb_bvh. NULL where the
 * file has no frames.
 */
const lb_clip *lb_bvh_clip(const lb_bvh *bvh);
/*
 * The frames after a rest pose, the first of them at time 0; all frames where there is none. Owned
 * by the lb_bvh. NULL where the file has no frames.
 */
const lb_clip *lb_bvh_motion(const lb_bvh *bvh);
/* The rest pose that a frame is, nq numbers; NULL: there is none. */
const double *lb_bvh_rest_pose(const lb_bvh *bvh);
/* The channels' numbers of a frame as they are in the file, degrees and file units; NULL: none. */
const double *lb_bvh_row(const lb_bvh *bvh, int frame);

/*
 * Writes the file with the poses of `clip`, or with its own where `clip` is NULL, piece by piece.
 * The clip is over this model or one whose joints have the same names and kinds; its keys are the
 * frames, so they must be evenly spaced: see lb_clip_rate, to 1e-3. Joint values that differ by
 * at most 1e-9 from those of the same frame of the file are written with the file's own numbers,
 * each with as few digits as read back as the same double; so a file that is read and written
 * has equal numbers. Others become angles in the joint's channel order, those nearest to the
 * frame before, so that they run on beyond 180 degrees. Where a clip has fewer frames than the
 * file, its last key is compared with the file's last frame.
 *
 * `allocator` (NULL: malloc) serves one row. Refused with LB_BAD_VALUE, naming frame and joint: a
 * pose that the channels cannot express.
 */
lb_status lb_bvh_write(const lb_bvh *bvh, const lb_clip *clip, lb_sink *sink, void *user,
                       const lb_allocator *allocator, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
