/*
 * bvh.h - what an lb_bvh holds, and the steps of reading one.
 *
 * text -> hierarchy.c -> joints and channel lists -> motion.c -> numbers
 * joints -> recognise.c -> unit and up axis -> skeleton.c -> model, clip
 *
 * No stream is used but by load.c, so that a module without files has the rest.
 */
#ifndef FORMATS_BVH_BVH_H
#define FORMATS_BVH_BVH_H

#include "base/memory.h"
#include "formats/mapping/mapping.h"
#include "formats/scan.h"
#include "kernel/ops.h"

#include <limber/formats/bvh.h>

/* A ROOT, a JOINT or an End Site, in the order of the file: depth first. */
typedef struct bvh_joint {
    const char *name; /* as in the file; of an End Site its parent's */
    size_t name_size;
    char *unique;      /* of the model's joint and link */
    int parent, depth; /* -1 and 0: a ROOT */
    bool is_end;
    bool placed;           /* it has an OFFSET */
    lb_vec3 offset;        /* file units */
    int channel, channels; /* of the row, in `kinds` and in the numbers */
    int renamed;           /* 0, or it is the n-th of its name */
    int line;
    int q; /* index of its first value in the model's configuration, -1: fixed */
    lb_joint_kind kind;
    bool composed; /* its rotation is one of the bvh_turns */
} bvh_joint;

/* The rotations of three channels, which are composed side by side; they are most. */
typedef struct bvh_turns {
    kernel_turns turns;
} bvh_turns;

struct lb_bvh {
    memory_pool pool; /* of all but the model and the clips */
    lb_allocator allocator;
    bvh_joint *joints;
    int joint_count;
    unsigned char *kinds; /* lb_bvh_channel of each channel */
    int channels;
    char *names, *unique_names; /* what the joints' names point to */
    int frames;
    double frame_time;
    double *rows; /* frames x channels */
    lb_bvh_info info;
    lb_model *model;
    lb_clip *clip, *tail; /* of all frames; of those after a rest pose, NULL: there is none */
};

/* Reads the HIERARCHY up to the word MOTION. */
lb_status bvh_read_hierarchy(lb_bvh *bvh, text_scan *scan, lb_error *error);
/* Reads the rest. */
lb_status bvh_read_motion(lb_bvh *bvh, text_scan *scan, lb_error *error);

/* Fills bvh->info from what has been read; what the options give is taken. */
lb_status bvh_recognise(lb_bvh *bvh, const lb_bvh_options *options, lb_error *error);

/* Makes bvh->model; names that are taken twice are changed with a warning. */
lb_status bvh_build_model(lb_bvh *bvh, load_warnings *warnings, lb_error *error);
/* Makes the clips, where there are frames. */
lb_status bvh_build_clip(lb_bvh *bvh, lb_error *error);
/* The model's root arc: the file's up axis is z in the world. */
lb_transform bvh_root(lb_bvh_up up);

/* ---- channels: channels.c ------------------------------------------------ */

/* The kind of the model's joint that these channels move, and its axes. */
lb_joint_kind bvh_joint_kind(const lb_bvh *bvh, const bvh_joint *joint);
void bvh_joint_axes(const lb_bvh *bvh, const bvh_joint *joint, lb_joint *out);
/* The joint's place in its parent, metres, for a row of all channels; NULL: at rest. */
lb_vec3 bvh_position(const lb_bvh *bvh, const bvh_joint *joint, const double *row);
/* Its rotation in its parent, of unit length but for rounding. */
lb_quat bvh_rotation(const lb_bvh *bvh, const bvh_joint *joint, const double *row);
/* Fills in the joint's values, which begin at q[joint->q]. */
void bvh_pose(const lb_bvh *bvh, const bvh_joint *joint, const double *row, double *q);
/* Lists the rotations that bvh_pose_all composes side by side, in memory of a pool. */
lb_status bvh_turns_create(lb_bvh *bvh, const lb_allocator *memory, bvh_turns *turns,
                           lb_error *error);
/* The same of all joints of a row. */
void bvh_pose_all(const lb_bvh *bvh, const bvh_turns *turns, const double *row, double *q);
/*
 * The inverse: sets the joint's channels in `row` so that bvh_pose gives these values, the
 * angles nearest to those that the row has. False where the channels cannot.
 */
bool bvh_channels(const lb_bvh *bvh, const bvh_joint *joint, const double *q, double *row);

#endif
