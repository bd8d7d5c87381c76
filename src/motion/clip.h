/* clip.h - what an lb_clip holds. */
#ifndef MOTION_CLIP_H
#define MOTION_CLIP_H

#include "model/layout.h"

#include <limber/clip.h>

/* gaps between keys that differ by less, relatively, are equal but for the digits that a file gives
   its times: those of a glTF are floats, a BVH's frame time often has six */
#define CLIP_EVEN 1e-3
/* a rate is a clip's own if it differs by less of it: five digits of a time tell no more */
#define CLIP_ROUNDED 1e-4

/* How the balls turn from a key to the next: a way that is halved, then terms of the series. */
typedef struct clip_series {
    unsigned char terms, halvings;
} clip_series;

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
    /* linear clips: places of quaternions and of numbers in q, and the series from a key to the
       next */
    int *balls, *numbers, ball_count, number_count;
    int *turns, turn_count; /* places of joints without limits, among the numbers */
    clip_series *series;    /* count */
    const kernel_ops *ops;
};

/*
 * The keys of a linear clip from the first-th to its end, as lb_clip_slice makes them, but from 0
 * on and in their place: `clip` must outlive what is made. NULL: no memory.
 */
lb_clip *clip_tail(const lb_clip *clip, int first);

/*
 * A clip whose times and keys are to be filled in, in their place: all are zero. clip_complete
 * makes it what lb_clip_create would, with the same errors; until then nothing else may be done
 * with it but releasing it. NULL: no memory.
 */
lb_clip *clip_allocate(const lb_model *model, int n, lb_interpolation interpolation,
                       const lb_allocator *allocator);
lb_status clip_complete(lb_clip *clip, lb_error *error);

/*
 * The keys of a linear clip in their place at the times that lb_clip_even gives them; `clip`, whose
 * times are nearly even, must outlive what is made. NULL: no memory.
 */
lb_clip *clip_evened(const lb_clip *clip);
/*
 * The clip's own rate where `rate` is this but for the rounding of a file's times, by which it
 * would miss the last key: 30 a second of keys that are 0.033333 s apart. Else `rate`.
 */
double clip_own_rate(const lb_clip *clip, double rate);
/* Moves a clip to another begin, as lb_clip_retime does with a speed of 1, in its place. */
void clip_begin_at(lb_clip *clip, double begin);

static inline const double *clip_key(const lb_clip *clip, int key)
{
    return &clip->keys[(size_t)key * (size_t)clip->model->tree.nq];
}

static inline double *clip_rate(const lb_clip *clip, int key)
{
    return &clip->rates[(size_t)key * (size_t)clip->model->tree.nv];
}

/* when the i-th key is if all are evenly spaced */
static inline double clip_even_time(const lb_clip *clip, int i)
{
    int last = clip->count - 1;
    double begin = clip->times[0], end = clip->times[last];
    return i == last ? end : begin + i * ((end - begin) / last);
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
