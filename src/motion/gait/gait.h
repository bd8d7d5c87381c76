/*
 * gait.h - what a walk is made of: a figure at rest, and where its parts are at a time of the
 * cycle.
 *
 * Everything is in the frame of the walk: on the ground below the pelvis at rest, x in the
 * direction of the toes, z up. A phase that is 1 greater is the same pose one stride farther.
 */
#ifndef MOTION_GAIT_GAIT_H
#define MOTION_GAIT_GAIT_H

#include <limber/body.h>
#include <limber/gait.h>
#include <limber/retarget.h>

/* what a part of the figure does */
typedef enum gait_move {
    GAIT_PELVIS,
    GAIT_TRUNK, /* a link between pelvis and chest, or the chest */
    GAIT_HEAD,
    GAIT_UPPER_ARM,
    GAIT_FOREARM, /* or the hand, which goes with it */
    GAIT_FOOT
} gait_move;

typedef struct gait_part {
    gait_move move;
    int link;
    int side;          /* 1 left, -1 right, 0 in the middle */
    double share;      /* of the trunk: 0 as the pelvis, 1 as the chest */
    lb_transform rest; /* of the link, in the frame of the walk */
    lb_vec3 elbow;     /* of a forearm: what it bends about, at rest in the frame of the walk */
    lb_vec3 heel, toe; /* of a foot: ends of the sole, in the link */
} gait_part;

/* parts with a role, and links between pelvis and chest */
enum { GAIT_TRUNK_LINKS = 16, GAIT_PARTS = LB_ROLE_COUNT + GAIT_TRUNK_LINKS };

typedef struct gait_figure {
    lb_transform frame; /* of the walk, in the world */
    double leg;         /* from hip to ankle, straight */
    double hips;        /* height of the pelvis' origin above the hips at rest */
    double ankles;      /* height of the ankles at rest */
    int count;
    gait_part parts[GAIT_PARTS];
} gait_figure;

/* ---- figure.c -------------------------------------------------------------- */

/* Finds the parts of a model at rest. */
lb_status gait_find(const lb_model *model, double ground, const lb_allocator *pool,
                    gait_figure *figure, lb_error *error);

#endif
