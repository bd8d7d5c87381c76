/* clip.h - what an lb_clip holds. */
#ifndef MOTION_CLIP_H
#define MOTION_CLIP_H

#include "model/layout.h"

#include <limber/clip.h>

struct lb_clip {
    lb_allocator allocator;
    const lb_model *model;
    lb_interpolation interpolation;
    int count;
    double per_time; /* keys per unit of time on average; 0: a single key */
    double *times;   /* count */
    double *keys;    /* count x nq; quaternions normalized, turns unrolled */
    double *rates;   /* count x nv: velocities at the keys; NULL unless cubic */
    void *memory;    /* one block for the arrays */
    /* linear clips: places of quaternions and of numbers in q, and the terms that slerp takes from
       a key to the next, 0: too far for the series */
    int *balls, *numbers, ball_count, number_count;
    unsigned char *terms; /* count */
    const kernel_ops *ops;
};

/*
 * The keys of a linear clip from the first-th to its end, as lb_clip_slice makes them, but in their
 * place: `clip` must outlive what is made. NULL: no memory.
 */
lb_clip *clip_tail(const lb_clip *clip, int first);

static inline const double *clip_key(const lb_clip *clip, int key)
{
    return &clip->keys[(size_t)key * (size_t)clip->model->tree.nq];
}

static inline double *clip_rate(const lb_clip *clip, int key)
{
    return &clip->rates[(size_t)key * (size_t)clip->model->tree.nv];
}

/* the time from key i to the next */
static inline double clip_gap(const lb_clip *clip, int i)
{
    return clip->times[i + 1] - clip->times[i];
}

static inline lb_quat clip_quat(const double *p)
{
    return (lb_quat){p[0], p[1], p[2], p[3]};
}

#endif
