/*
 * clip.h - motion sampled in time: configurations of a model, one after the other.
 *
 * A clip is a model, n times that increase and n configurations (keys), one for each time. It is
 * the one form in which limber keeps recorded and edited motion: a few key poses of an arm, a
 * capture of 100,000 frames, a robot's reference motion. A figure that walks about has a floating
 * joint at its root, so its root's motion is a part of q; see lb_model_with_root.
 *
 *     lb_clip *clip;
 *     lb_clip_create(model, times, keys, count, LB_INTERPOLATION_LINEAR, NULL, &clip, &error);
 *     for (double t = lb_clip_begin(clip); t < lb_clip_end(clip); t += 1.0 / 60) {
 *         lb_clip_at(clip, t, q);
 *         draw(q);
 *     }
 *
 * Units are those of model.h: metres, radians, quaternions w x y z. Times are seconds for rates;
 * nothing else depends on their unit. Whatever else a file holds (the order of its channels, its
 * meshes) stays with the file's own object, such as lb_bvh in formats/bvh.h, and is needed only to
 * write such a file. Between keys, and in blends, loops of a model (loops.h) stay closed only as
 * far as interpolation keeps them.
 *
 * Creating allocates; sampling never does. A clip never changes and may be shared between threads;
 * its model must outlive it.
 *
 * Stable.
 */
#ifndef LIMBER_CLIP_H
#define LIMBER_CLIP_H

#include <limber/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a clip interpolates between two keys: name, text. */
#define LB_INTERPOLATION_LIST(X)                                                                   \
    X(LB_INTERPOLATION_LINEAR, "linear") /* constant rate; the smaller rotation (slerp) */         \
    X(LB_INTERPOLATION_CUBIC, "cubic")   /* continuous velocities at the keys */                   \
    X(LB_INTERPOLATION_STEP, "step")     /* each key is held until the next one */

typedef enum lb_interpolation {
#define LB_INTERPOLATION_ENUM(name, text) name,
    LB_INTERPOLATION_LIST(LB_INTERPOLATION_ENUM)
#undef LB_INTERPOLATION_ENUM
        LB_INTERPOLATION_COUNT
} lb_interpolation;

/* The text of an interpolation, never NULL. */
const char *lb_interpolation_text(lb_interpolation interpolation);

typedef struct lb_clip lb_clip;

/*
 * Makes a clip of n >= 1 keys. `times` has n increasing numbers (seconds, or any unit), `keys` n *
 * nq numbers, row by row. Both are copied; the model must outlive the clip. Refused, naming the
 * key: times that do not increase, numbers that are not finite, times whose distance is not finite.
 *
 * Cubic interpolation never leaves the range of the two keys between which it lies, so limits that
 * hold at the keys hold throughout (Steffen 1990), and a value that rests at two keys rests between
 * them. Balls pass their keys as squad does (Shoemake 1987), in a form for uneven times; they may
 * swing a little farther than their keys.
 */
lb_status lb_clip_create(const lb_model *model, const double times[/* n */],
                         const double keys[/* n * nq */], int n, lb_interpolation interpolation,
                         const lb_allocator *allocator, lb_clip **clip, lb_error *error);
/*
 * As lb_clip_create, with keys that a function makes, one after the other, straight in the clip's
 * memory, so a long recording is never there twice. For keys 0, 1, ... n - 1 the function sets
 * *time and the nq numbers of q, which begin as the neutral configuration. If it returns false, the
 * result is LB_BAD_VALUE, and *error is as the function left it (`user` can hold a pointer to it).
 */
typedef bool lb_clip_fill(void *user, int key, double *time, double *q);
lb_status lb_clip_generate(const lb_model *model, int n, lb_clip_fill *fill, void *user,
                           lb_interpolation interpolation, const lb_allocator *allocator,
                           lb_clip **clip, lb_error *error);
/* NULL is accepted. */
void lb_clip_release(lb_clip *clip);

/* ---- reading ------------------------------------------------------------ */

/* The model of a clip, and how it interpolates. */
const lb_model *lb_clip_model(const lb_clip *clip);
lb_interpolation lb_clip_interpolation(const lb_clip *clip);
/* The number of keys, at least 1. */
int lb_clip_count(const lb_clip *clip);
/* The times of all keys, count numbers that increase; owned by the clip. */
const double *lb_clip_times(const lb_clip *clip);
/*
 * One key, nq numbers, 0 <= key < count; owned by the clip, and the next key follows in memory.
 * Quaternions have unit length and the sign that they were given with. A continuous joint's value
 * may differ from the given one by whole turns, so that it never moves by more than half a turn.
 */
const double *lb_clip_key(const lb_clip *clip, int key);
/* The times of the first and of the last key. */
double lb_clip_begin(const lb_clip *clip);
double lb_clip_end(const lb_clip *clip);
/*
 * Keys per unit of time if all keys are evenly spaced, as those of a capture are: every gap is
 * within `tolerance` of the mean, relatively. 1e-6 accepts times that were added up or written with
 * seven digits. Returns 0 if the gaps differ, or there is but one key.
 */
double lb_clip_rate(const lb_clip *clip, double tolerance);

/* ---- sampling ----------------------------------------------------------- */

/*
 * Samples the pose (nq numbers) at a time. Before the first key it is the first key's, after the
 * last the last key's. A continuous joint takes the smaller rotation from key to key and its value
 * never jumps, so it may differ from a key by whole turns. Evenly spaced keys are found without a
 * search.
 */
void lb_clip_at(const lb_clip *clip, double time, double *q);
/*
 * Computes velocity and acceleration (nv numbers each; either may be NULL) at a time. They are
 * those of the parabola through three poses of lb_clip_at() that are the mean gap h between keys
 * apart, at time - h, time and time + h. So they are of second order for every interpolation, and
 * at the keys of evenly spaced clips they are the central differences of the keys. Within h of an
 * end the three poses lie on its inner side, at least h / 2 apart. With two keys the velocity is
 * the constant one between them and the acceleration zero; a single key rests. Components are as in
 * model.h, angular ones in the child's axes. Before the first and after the last key they are those
 * at the end.
 */
void lb_clip_rates(const lb_clip *clip, double time, double velocity[/* nv, or NULL */],
                   double acceleration[/* nv, or NULL */]);

/* ---- clips from clips --------------------------------------------------- */

/*
 * Each of these makes a clip over the model of the clip that it is given, with the interpolation of
 * the first clip. Release it with lb_clip_release. On failure *out is NULL.
 */

/*
 * The most keys that lb_clip_resample, lb_clip_loop and lb_retarget make of a rate or a count: a
 * thousand a second for nearly three hours.
 */
#define LB_CLIP_KEYS_MAX 10000000

/*
 * Samples the clip at times that are 1 / rate apart, from its begin to the last one that is not
 * after its end. `rate` > 0 counts keys per unit of time; one that is below the clip's own by less
 * than 1e-4 of it, as files round times, is taken for that, so that no key is lost. Returns
 * LB_INVALID_ARGUMENT for more than LB_CLIP_KEYS_MAX keys.
 */
lb_status lb_clip_resample(const lb_clip *clip, double rate, const lb_allocator *allocator,
                           lb_clip **out, lb_error *error);
/*
 * Makes times exactly even, from the clip's begin to its end, and keeps the poses: for files whose
 * times are rounded, such as glTF, and formats that have a rate alone. Returns LB_BAD_VALUE if
 * lb_clip_rate() finds no rate within the tolerance. A clip of one key stays as it is.
 */
lb_status lb_clip_even(const lb_clip *clip, double tolerance, const lb_allocator *allocator,
                       lb_clip **out, lb_error *error);
/*
 * Cuts out the part from one time to a later one, both within the clip: the poses at both times and
 * the keys in between. Times stay as they are. A linear or stepped clip is unchanged in that part;
 * a cubic one may differ between its first two and its last two keys.
 */
lb_status lb_clip_slice(const lb_clip *clip, double from, double to, const lb_allocator *allocator,
                        lb_clip **out, lb_error *error);
/* Moves the first key to time `begin` and plays the rest `speed` > 0 times as fast after it. */
lb_status lb_clip_retime(const lb_clip *clip, double begin, double speed,
                         const lb_allocator *allocator, lb_clip **out, lb_error *error);
/*
 * Joins `a` up to the time `from` and `b` after `to`. In between the pose goes from that of `a` to
 * that of `b` with the weight 3 u^2 - 2 u^3, where u is the share of the time. Both clips have one
 * model, or models of equal names, placements, kinds, axes and limits, as each load of a file makes
 * one; else LB_INVALID_ARGUMENT names the first link that differs. The result has that of `a`.
 * Times are those of the result: lb_clip_retime shifts one first. `from` is not
 * before the begin of `a`; `to` is later and not after the end of `b`. Keys are those of both clips
 * where they count, and one at `from` and one at `to`. Experimental: may change in 0.2.
 */
lb_status lb_clip_blend(const lb_clip *a, const lb_clip *b, double from, double to,
                        const lb_allocator *allocator, lb_clip **out, lb_error *error);

/*
 * Mirrors the motion: the right hand does what the left hand did, and motion to the left goes to
 * the right. Joints are exchanged by name (left and right, l and r, in any case, as a part of the
 * name); joints in the middle are mirrored themselves. The mirror is the plane through the world's
 * origin at right angles to the world axis along which the exchanged joints are farthest apart at
 * rest. Sizes are not compared, so a figure that is not quite symmetric is mirrored as well.
 * Refused, naming the joint: a counterpart of another kind, or one that turns about an axis more
 * than 5 degrees from the mirrored one; a model without left and right. Experimental: may change in
 * 0.2.
 */
lb_status lb_clip_mirror(const lb_clip *clip, const lb_allocator *allocator, lb_clip **out,
                         lb_error *error);
/*
 * Repeats the motion `count` >= 1 times, each joined to the next without a jump: in the last `fade`
 * seconds of each the pose goes over to that of the first key, with the weight 3 u^2 - 2 u^3, where
 * u is the share of that time. A floating or planar root goes on from where it is: its displacement
 * along the ground and its turn about the vertical (z) are kept, and the rest fades as all else
 * does. 0 < fade <= the clip's duration. The last key is the first pose again, so a loop of one can
 * be drawn over and over. Refused: a clip of one key, more than LB_CLIP_KEYS_MAX keys.
 * Experimental: may change in 0.2.
 */
lb_status lb_clip_loop(const lb_clip *clip, int count, double fade, const lb_allocator *allocator,
                       lb_clip **out, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
