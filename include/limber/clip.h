/*
 * clip.h - motion sampled in time: configurations of a model, one after the other.
 *
 * A clip is a model, n times that increase and n configurations (keys), one for each
 * time. It is the one form in which limber keeps recorded and edited motion: a few key
 * poses of an arm, a capture of 100,000 frames, a robot's reference motion. What moves
 * is a model like any other. A figure that walks about has a floating joint at its
 * root, so that the root's motion is a part of q; see lb_model_with_root.
 *
 *     lb_clip *clip;
 *     lb_clip_create(model, times, keys, count, LB_INTERPOLATION_LINEAR, NULL, &clip, &error);
 *     for (double t = lb_clip_begin(clip); t < lb_clip_end(clip); t += 1.0 / 60) {
 *         lb_clip_at(clip, t, q);
 *         draw(q);
 *     }
 *
 * Units are those of model.h: metres, radians, quaternions w x y z. Times are seconds where
 * rates matter; nothing else depends on their unit. What a file has beside
 * configurations (the order of its channels, its meshes) stays with the file's
 * own object, as lb_bvh in formats/bvh.h, and is needed only to write such a file.
 *
 * Creating allocates; sampling never does. A clip never changes and may be shared between threads;
 * its model must outlive it.
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
 * Makes a clip of n >= 1 keys: `times` has n increasing numbers (seconds, or any
 * unit), `keys` n * nq numbers, row by row. Both are copied; the model must
 * outlive the clip. Refused, naming the key: times that do not increase, numbers
 * that are not finite, and times whose distance is not.
 *
 * Cubic: a number never leaves the range of the two keys it lies between, so that
 * limits which hold for the keys hold throughout (Steffen 1990), and what rests
 * between two keys rests. Balls pass their keys as squad does (Shoemake 1987), in a
 * form for uneven times; they may swing a little farther than their keys.
 */
lb_status lb_clip_create(const lb_model *model, const double times[/* n */],
                         const double keys[/* n * nq */], int n, lb_interpolation interpolation,
                         const lb_allocator *allocator, lb_clip **clip, lb_error *error);
/*
 * The same with keys that a function makes, one after the other, straight in the clip's own memory:
 * a long recording need not be there twice. It sets *time and the nq numbers of q, which begin as
 * the neutral configuration, of key 0, 1, ... n - 1; false ends it with LB_BAD_VALUE and *error as
 * the function, which has a pointer to it in `user` where it says more, left it.
 */
typedef bool lb_clip_fill(void *user, int key, double *time, double *q);
lb_status lb_clip_generate(const lb_model *model, int n, lb_clip_fill *fill, void *user,
                           lb_interpolation interpolation, const lb_allocator *allocator,
                           lb_clip **clip, lb_error *error);
/* NULL is accepted. */
void lb_clip_release(lb_clip *clip);

/* ---- what it is made of ------------------------------------------------- */

const lb_model *lb_clip_model(const lb_clip *clip);
lb_interpolation lb_clip_interpolation(const lb_clip *clip);
/* The number of keys, at least 1. */
int lb_clip_count(const lb_clip *clip);
/* The times of all keys, count numbers that increase; owned by the clip. */
const double *lb_clip_times(const lb_clip *clip);
/*
 * One key, nq numbers, 0 <= key < count; owned by the clip, the next key follows in memory.
 * Quaternions are of unit length, but for their sign as given; a continuous joint's value may
 * differ from what was given by whole turns, so that it never moves by more than half a turn.
 */
const double *lb_clip_key(const lb_clip *clip, int key);
/* The times of the first and of the last key. */
double lb_clip_begin(const lb_clip *clip);
double lb_clip_end(const lb_clip *clip);
/*
 * Keys per unit of time where all keys are evenly spaced, as those of a capture are: every
 * gap within `tolerance` of the mean, relatively; 1e-6 passes times that were added up or written
 * with seven digits. 0 where they are not, or there is but one key.
 */
double lb_clip_rate(const lb_clip *clip, double tolerance);

/* ---- sampling ----------------------------------------------------------- */

/*
 * The pose (nq numbers) at a time; before the first key the first, after the last
 * the last. A continuous joint takes the smaller rotation from key to key and its value
 * never jumps, so it may differ from a key by whole turns. Keys that are evenly spaced are
 * found without a search.
 */
void lb_clip_at(const lb_clip *clip, double time, double *q);
/*
 * Velocity and acceleration (nv numbers each; either may be NULL) at a time: those of the
 * parabola through three poses of lb_clip_at() that are the mean gap h between keys apart, at
 * time - h, time and time + h. So they are of second order whatever the interpolation is, and
 * at the keys of evenly spaced clips they are the central differences of the keys. Within h of
 * an end the three lie on its inner side, at least h / 2 apart. Zero where there are fewer than
 * three keys: a single key rests; of two the velocity is the constant one between them. Components
 * are as in model.h, angular ones in the child's axes. Before the first and after the last key they
 * are those at the end.
 */
void lb_clip_rates(const lb_clip *clip, double time, double velocity[/* nv, or NULL */],
                   double acceleration[/* nv, or NULL */]);

/* ---- clips from clips --------------------------------------------------- */

/*
 * Each makes a clip of its own over the same model, with the interpolation of the first one it is
 * given, to be released with lb_clip_release; on failure *out is NULL.
 */

/* The most keys that are made of a rate or a count, as lb_clip_resample, lb_clip_loop and
   lb_retarget do: a thousand a second for nearly three hours. */
#define LB_CLIP_KEYS_MAX 10000000

/*
 * Keys that are 1 / rate apart, from the clip's begin to the last one that is not after its end:
 * what lb_clip_at returns there. rate > 0, in keys per unit of time. LB_INVALID_ARGUMENT for more
 * than LB_CLIP_KEYS_MAX.
 */
lb_status lb_clip_resample(const lb_clip *clip, double rate, const lb_allocator *allocator,
                           lb_clip **out, lb_error *error);
/*
 * The same poses at times that are exactly even, from the clip's begin to its end: of files whose
 * times are rounded, as those of a glTF are, for formats that have a rate alone. LB_BAD_VALUE
 * unless lb_clip_rate() finds one within the tolerance; a clip of one key stays as it is.
 */
lb_status lb_clip_even(const lb_clip *clip, double tolerance, const lb_allocator *allocator,
                       lb_clip **out, lb_error *error);
/*
 * The part from one time to a later one, both within the clip: the poses there, and the keys in
 * between. Times stay as they are. Linear clips and steps are the same as the whole in that part;
 * a cubic one may differ between its first two and its last two keys.
 */
lb_status lb_clip_slice(const lb_clip *clip, double from, double to, const lb_allocator *allocator,
                        lb_clip **out, lb_error *error);
/* The same keys, the first at time `begin`, the others `speed` > 0 times as fast after it. */
lb_status lb_clip_retime(const lb_clip *clip, double begin, double speed,
                         const lb_allocator *allocator, lb_clip **out, lb_error *error);
/*
 * `a` up to the time `from`, `b` after `to`, and in between a pose that goes from that of `a` to
 * that of `b` with the weight 3 u^2 - 2 u^3, u being the share of the time. Both clips have one
 * model, and times that are those of the result: lb_clip_retime shifts one first. `from` is not
 * before the begin of `a`, `to` is later and not after the end of `b`. Keys are those of both
 * where they count, and one at `from` and `to`.
 */
lb_status lb_clip_blend(const lb_clip *a, const lb_clip *b, double from, double to,
                        const lb_allocator *allocator, lb_clip **out, lb_error *error);

/*
 * The motion as in a mirror: what the left hand did the right one does, and what went to the left
 * goes to the right. Joints are exchanged by name (left and right, l and r, in any case, as a part
 * of the name); those in the middle are mirrored themselves. The mirror is the plane through the
 * world's origin at right angles to the world axis along which the exchanged joints are farthest
 * apart at rest. Sizes are not compared, so a figure that is not quite symmetric is mirrored as
 * well. Refused, naming the joint: one whose counterpart is of another kind or turns about an axis
 * more than 5 degrees from the mirrored one, a model without any left and right.
 */
lb_status lb_clip_mirror(const lb_clip *clip, const lb_allocator *allocator, lb_clip **out,
                         lb_error *error);
/*
 * The motion `count` >= 1 times, one after the other, each joined to the next without a jump: in
 * the last `fade` seconds of each the pose goes over to that of the first key, with the weight 3
 * u^2 - 2 u^3. A floating or planar root goes on from where it has come: of its displacement what
 * is along the ground and its turn about the vertical (z) are kept, the rest fades as all else
 * does. 0 < fade <= the clip's duration. The last key is the first pose again, so a loop of one
 * can be drawn over and over. Refused: a clip of one key, more
 * than LB_CLIP_KEYS_MAX.
 */
lb_status lb_clip_loop(const lb_clip *clip, int count, double fade, const lb_allocator *allocator,
                       lb_clip **out, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
