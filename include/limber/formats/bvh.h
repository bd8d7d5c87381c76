/*
 * bvh.h - BVH: the skeletons and captures of Biovision's format, read and written without loss.
 *
 * A BVH file has a hierarchy of joints, each with an OFFSET from its parent and a list of CHANNELS,
 * and a table of numbers: one row a frame, one number a channel. An lb_bvh keeps all of that as it
 * is in the file, beside a model and a clip like any others:
 *
 *     lb_bvh *bvh;
 *     lb_bvh_load("walk.bvh", NULL, &bvh, &error);
 *     const lb_clip *clip = lb_bvh_clip(bvh);
 *     lb_clip_at(clip, 0.5, q);                              a pose of lb_bvh_model(bvh)
 *     lb_bvh_write(bvh, edited, write, stream, NULL, &error);    the file with other poses
 *
 * The model: the root link is called "world". Every JOINT and ROOT is a joint and the link of that
 * name that it moves; every End Site is a fixed joint PARENT_end with its link. A joint with a
 * position channel is floating; one with rotation channels alone is revolute (one channel),
 * universal (two different axes) or a ball; one without channels is fixed. Rotations are multiplied
 * in the order of the channels, each about an axis that the channels before it have turned. A
 * position channel is the joint's place in its parent, in place of that component of OFFSET, and
 * applies before rotations at any place in the list. Joints rest at their OFFSET with zero angles.
 *
 * The model is in metres with z up: lengths are multiplied by the file's unit, and the model's root
 * arc turns the file's up axis to z. The file says neither. They are recognised, reported in
 * lb_bvh_info and can be given instead.
 *
 * Experimental: may change in 0.2. Link with limber_formats for this header.
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

/* Whether a frame before the motion is a rest pose: name, text. */
#define LB_BVH_REST_LIST(X)                                                                        \
    X(LB_BVH_REST_RECOGNISE, "recognise") /* by how far joints turn, see lb_bvh_info */            \
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
    lb_load_options load; /* Source of memory, warnings, strict reading. */
    /* Metres in one unit of the file; 0.01 for centimetres. 0: recognised (the default). */
    double unit;
    lb_bvh_up up;     /* Axis that is up. Default: recognised. */
    lb_bvh_rest rest; /* Whether a frame is a rest pose. Default: recognised. */
    /* With a rest pose: its frame, which at least one other follows. Default: 0. */
    int rest_index;
} lb_bvh_options;

lb_bvh_options lb_bvh_options_default(void);

/*
 * Properties of a file. Its unit is recognised by the size of a figure: the longest chain of bones,
 * from hips to fingers or toes, is some 1.15 m of an adult. Of metres, centimetres, millimetres,
 * inches and the unit of the CMU captures (2.54 / 0.45 cm) it is the one that comes nearest,
 * millimetres and CMU's only within a quarter. The chain begins where the tree branches, since a
 * ROOT may be on the ground below the hips. The up axis is the one along which the body is far
 * above the feet on average and the lowest joint is always at one height: a ground carries who
 * walks, falls, turns over or crawls. A frame that stands as the offsets lay the skeleton out
 * counts for the skeleton's axis. Who lies in one place all the time and never stands is taken to
 * be upright. Both need joints that are named as feet, ankles or toes; without them the unit is the
 * centimetre and y is up, as in most files.
 */
typedef struct lb_bvh_info {
    int joints;           /* How many joints, without End Sites. */
    int channels, frames; /* Numbers in a row, and rows. 0 frames: a skeleton alone. */
    double frame_time;    /* Seconds a frame, as in the file. */
    double unit;          /* Metres in one unit of the file. */
    /* "cm", "m", "mm", "inch" or "cmu". Empty: another unit that was given. */
    const char *unit_name;
    lb_bvh_up up; /* Axis that is up: x, y or z. */
    /* The unit was recognised by the figure's size, within a quarter of an adult's. False: it
       was given or assumed, see unit_given. */
    bool unit_recognised;
    /* The axis was recognised by feet and body. False: it was given or assumed, see up_given. */
    bool up_recognised;
    /* Whether the options gave the unit, the axis or the rest pose. */
    bool unit_given, up_given, rest_given;
    /*
     * Whether there is a rest pose before the motion. The options say so, or frame 0 is recognised
     * as one, as in the CMU captures: from it to frame 1 some joint turns by more than 10 degrees
     * and by more than five times as much as any joint does between frames 1 to 10. Where the file
     * was filtered with it, it reaches over up to six frames: the joints that turn most from each
     * to the next turn by more than 60 degrees together, one of them more than five times as far as
     * any does in the nine steps that follow. All of it stays in lb_bvh_clip(); lb_bvh_motion()
     * begins with the frame after it.
     */
    bool rest_frame;
    int rest_index; /* Its last frame. 0 if there is none. */
} lb_bvh_info;

/* Metres in a unit by its name, see lb_bvh_info. 0: unknown. */
double lb_bvh_unit(const char *name);

typedef struct lb_bvh lb_bvh;

/*
 * Loads a file; "-" is standard input. Keywords may be in any case, lines may end in LF, CRLF or
 * CR, any blanks may separate fields; each frame is one line. Joints of equal names are renamed
 * with a warning, NAME_2. All else is refused with line, thing and remedy: a CHANNELS count that
 * differs from its list, missing or superfluous frames, rows of another length, values that are no
 * finite number. Memory is bounded by the text's size, whatever its counts say.
 *
 * `options` may be NULL. On failure *bvh is NULL. Release with lb_bvh_release.
 */
lb_status lb_bvh_load(const char *path, const lb_bvh_options *options, lb_bvh **bvh,
                      lb_error *error);
/*
 * As lb_bvh_load, from `size` bytes of text, which are not needed afterwards; `name` is for
 * messages.
 */
lb_status lb_bvh_load_memory(const char *name, const char *text, size_t size,
                             const lb_bvh_options *options, lb_bvh **bvh, lb_error *error);
/*
 * Makes a capture of any motion: of a robot, of a glTF's figure. Each link is a JOINT of its name
 * with three rotations (z, x, y), and with its place if its joint slides. The ROOT, with its place,
 * is the first link that moves if the links before it carry it alone, else the root link. The
 * neutral configuration is the rest pose, in which no joint is turned: links of the lb_bvh's own
 * model have the places of the clip's, and turn as these do from there. The keys are the frames;
 * they must be evenly spaced, within 1e-3 (lb_clip_rate()). The clip is not needed afterwards.
 *
 * The options' unit (0: the centimetre) and up axis (LB_BVH_UP_RECOGNISE: y) are those of the file
 * to write. On failure *bvh is NULL.
 */
lb_status lb_bvh_make(const lb_clip *clip, const lb_bvh_options *options, lb_bvh **bvh,
                      lb_error *error);
/* NULL is accepted. Releases the model and the clip, too. */
void lb_bvh_release(lb_bvh *bvh);

/* The properties of a file. */
lb_bvh_info lb_bvh_describe(const lb_bvh *bvh);
/* The model, owned by the lb_bvh. */
const lb_model *lb_bvh_model(const lb_bvh *bvh);
/*
 * All frames, linear between them; the first is at time 0. Owned by the lb_bvh. NULL: the file has
 * no frames.
 */
const lb_clip *lb_bvh_clip(const lb_bvh *bvh);
/*
 * The frames after a rest pose, the first of them at time 0; all frames if there is none. Owned by
 * the lb_bvh. NULL if the file has no frames.
 */
const lb_clip *lb_bvh_motion(const lb_bvh *bvh);
/* The rest pose that the options name, nq numbers. NULL: they name none. One that was only
   recognised says nothing of how the figure stands: lb_retarget() finds that. */
const double *lb_bvh_rest_pose(const lb_bvh *bvh);
/*
 * The channels' numbers of a frame as in the file, in degrees and file units. NULL: there is no
 * such frame.
 */
const double *lb_bvh_row(const lb_bvh *bvh, int frame);

/*
 * Writes the file with the poses of `clip`, or with its own if `clip` is NULL, piece by piece. The
 * clip is over this model or one whose joints have its names and kinds. Its keys are the frames, so
 * they must be evenly spaced, within 1e-3 (lb_clip_rate()). Joint values that differ by at most
 * 1e-9 from those of that frame of the file are written with the file's own numbers, each with as
 * few digits as read back as the same double, so reading and writing keeps all numbers. Other
 * values become angles in the joint's channel order, those nearest to the frame before, so they run
 * on beyond 180 degrees. If a clip has fewer frames than the file, its last key is compared with
 * the file's last frame.
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
