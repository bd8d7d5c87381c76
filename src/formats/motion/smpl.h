/*
 * smpl.h - poses of the body model SMPL and of its successors SMPL-H and SMPL-X, as AMASS, OMOMO
 * and estimators from video keep them.
 *
 * A file has arrays, a row for each frame: `poses`, the axis-angles of all joints in turn (66, 72,
 * 156 or 165 numbers), or `root_orient`, `pose_body` and `pose_hand`; `trans`, metres; and once
 * `betas`, the body's shape, and the frames a second. The body's joints are places of a file that
 * the user has; the body model itself is not part of this library.
 */
#ifndef FORMATS_MOTION_SMPL_H
#define FORMATS_MOTION_SMPL_H

#include "formats/mapping/mapping.h"
#include "formats/motion/arrays.h"

#include <limber/clip.h>
#include <limber/formats/bvh.h>

/* The joints of the body, two hands, and five fingers of three joints for each hand. */
enum { SMPL_BODY = 22, SMPL_HANDS = 2, SMPL_FINGERS = 30, SMPL_MOST = 54 };
enum { SMPL_NAME = 16 };

/* The arrays of a file by their place in the list; other names of an array follow it. */
enum {
    SMPL_POSES,
    SMPL_ROOT,
    SMPL_ROOT_2,
    SMPL_BODY_POSE,
    SMPL_BODY_POSE_2,
    SMPL_HAND_POSE,
    SMPL_LEFT_HAND,
    SMPL_RIGHT_HAND,
    SMPL_TRANS,
    SMPL_TRANS_2,
    SMPL_BETAS,
    SMPL_RATE,
    SMPL_RATE_2,
    SMPL_RATE_3,
    SMPL_ARRAYS
};

extern const char *const smpl_arrays[SMPL_ARRAYS];

/* The arrays of a body. */
enum { SMPL_J, SMPL_REGRESSOR, SMPL_TEMPLATE, SMPL_SHAPES, SMPL_BODY_ARRAYS };

extern const char *const smpl_body_arrays[SMPL_BODY_ARRAYS];

typedef struct smpl_joint {
    char name[SMPL_NAME];
    int parent;
    lb_vec3 place; /* at rest, in the body's axes: x left, y up, z ahead */
    int array;     /* that has its rotation, -1: none */
    size_t first;  /* column of it */
} smpl_joint;

/* A file that is being read; begin with what is given. */
typedef struct smpl_file {
    const char *body; /* name of the file of the joints' places, and its bytes; NULL: assumed */
    const void *body_bytes;
    size_t body_size;
    lb_bvh_up up; /* recognised by smpl_model() */
    load_warnings *warnings;
    double rate; /* frames a second; 0: the file has none */
    named_arrays set;
    int frames, count;
    lb_vec3 origin; /* of the pelvis where `trans` is zero */
    smpl_joint joints[SMPL_MOST];
    lb_status status; /* why a frame is refused */
    lb_error *error;
} smpl_file;

/* Reads the arrays into memory of a pool. */
lb_status smpl_open(smpl_file *file, const void *bytes, size_t size, const lb_allocator *pool,
                    lb_error *error);
/* Reads the body and makes the figure. */
lb_status smpl_model(smpl_file *file, const lb_allocator *allocator, lb_model **model,
                     lb_error *error);
/* Places the joints, from the file of a body, or by proportions. */
lb_status smpl_place(smpl_file *file, lb_error *error);
lb_status smpl_clip(smpl_file *file, const lb_model *model, const lb_allocator *allocator,
                    lb_clip **clip, lb_error *error);

#endif
