/*
 * anatomy.h - how the links of a figure lie in its body, found from its motion.
 */
#ifndef MOTION_RETARGET_ANATOMY_H
#define MOTION_RETARGET_ANATOMY_H

#include "motion/retarget/figure.h"

/* A figure at times evenly over a clip, and the anatomical frame of each of its roles. */
typedef struct retarget_anatomy {
    lb_rig rig;
    const lb_model *model;
    int times;
    double *q; /* times x nq */
    /* 2 x times x roles: links in the world, those of the second half `later` seconds on */
    lb_transform *at;
    double apart;    /* seconds from time to time, whole thirtieths */
    double later;    /* 0: the clip is one pose */
    double *flat[2]; /* times: how surely the left and the right foot lie flat */
    /* in the links' axes, unit vectors: of hands, and where no role follows, what hangs from them;
       0: nothing does */
    lb_vec3 tips[LB_ROLE_COUNT];
    lb_transform frames[LB_ROLE_COUNT]; /* x forward, y left, z up, in the links' axes */
    bool found[LB_ROLE_COUNT];
} retarget_anatomy;

/* Looks at a clip, with memory of a pool; its rig is that of the roles, whose pelvis and legs are
   there. */
lb_status retarget_anatomy_create(const lb_clip *clip, const lb_rig *rig, const lb_allocator *pool,
                                  retarget_anatomy *a, lb_error *error);

#endif
