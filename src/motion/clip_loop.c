/*
 * clip_loop.c - a clip over and over without a jump.
 *
 * The root's way along the ground and its turn about the vertical, from the first to the last key,
 * is a transform D of the world that keeps z; round r of the clip is moved by D^r. At the end of a
 * round the pose fades to the first key moved by D, which is where the next round begins.
 */
#include "motion/clip.h"

#include "base/error.h"
#include "base/memory.h"
#include "motion/spline.h"

#include <limits.h>
#include <string.h>

/* A turn about z and a displacement along the ground. */
typedef struct ground_move {
    double angle;
    lb_vec3 shift;
} ground_move;

typedef struct loop_keys {
    const lb_clip *clip;
    int root; /* the joint that carries the whole model, -1: it has none that moves freely */
    double fade;
    ground_move once, here; /* of one round; of the round that is being filled in */
    int round;              /* whose `here` that is */
    double *first;          /* nq: the first key, moved by one round */
} loop_keys;

/* ---- the root ----------------------------------------------------------- */

/* the joint of the root link's only child where that is floating or planar */
static int find_root(const lb_model *model)
{
    if (lb_model_joint_count(model) == 0)
        return -1;
    lb_joint_kind kind = lb_model_joint(model, 0)->kind;
    bool alone = lb_model_next_sibling(model, 1) < 0;
    return alone && (kind == LB_JOINT_FLOATING || kind == LB_JOINT_PLANAR) ? 0 : -1;
}

/* the axes of the root's joint at rest, in the world */
static lb_transform root_rest(const lb_model *model)
{
    lb_transform root = lb_model_root(model);
    return lb_transform_multiply(&root, &lb_model_joint(model, 0)->placement);
}

/* a quaternion in the order of memory */
static void store_quat(lb_quat q, double *out)
{
    memcpy(out, (double[]){q.w, q.x, q.y, q.z}, 4 * sizeof *out);
}

/* where the root is in the world */
static lb_transform root_place(const lb_model *model, const double *q)
{
    const lb_joint *joint = lb_model_joint(model, 0);
    lb_transform rest = root_rest(model), moved;
    if (joint->kind == LB_JOINT_FLOATING) {
        moved = lb_transform_from_quat(clip_quat(&q[3]), lb_vec3_make(q[0], q[1], q[2]));
    } else {
        lb_vec3 y = lb_vec3_cross(joint->axis, joint->axis2);
        lb_vec3 at = lb_vec3_add(lb_vec3_scale(joint->axis2, q[0]), lb_vec3_scale(y, q[1]));
        moved = lb_transform_from_quat(lb_quat_from_axis_angle(joint->axis, q[2]), at);
    }
    return lb_transform_multiply(&rest, &moved);
}

/* a turn's angle about z: that of its twist */
static double turn_about_z(lb_quat q)
{
    return 2 * lb_atan2(q.w < 0 ? -q.z : q.z, fabs(q.w));
}

/* from where the root is at the first key to where it is at the last one, along the ground */
static ground_move find_move(const lb_clip *clip)
{
    lb_transform a = root_place(clip->model, clip_key(clip, 0));
    lb_transform b = root_place(clip->model, clip_key(clip, clip->count - 1));
    lb_quat turn =
        lb_quat_multiply(lb_transform_quat(&b), lb_quat_conjugate(lb_transform_quat(&a)));
    ground_move move = {.angle = turn_about_z(turn)};
    lb_quat about = lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), move.angle);
    move.shift = lb_vec3_sub(b.p, lb_quat_rotate(about, a.p));
    move.shift.z = 0;
    return move;
}

/* first a, then b */
static ground_move compose(ground_move b, ground_move a)
{
    lb_quat about = lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), b.angle);
    return (ground_move){a.angle + b.angle, lb_vec3_add(lb_quat_rotate(about, a.shift), b.shift)};
}

/* moves the root's values; all else stays */
static void move_root(const lb_model *model, ground_move by, double *q)
{
    const lb_joint *joint = lb_model_joint(model, 0);
    lb_transform rest = root_rest(model), at = root_place(model, q);
    lb_transform move =
        lb_transform_from_quat(lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), by.angle), by.shift);
    at = lb_transform_multiply(&move, &at);
    lb_transform moved = lb_transform_between(&rest, &at);
    if (joint->kind == LB_JOINT_FLOATING) {
        memcpy(q, (double[]){moved.p.x, moved.p.y, moved.p.z}, 3 * sizeof *q);
        store_quat(lb_transform_quat(&moved), &q[3]);
        return;
    }
    q[0] = lb_vec3_dot(moved.p, joint->axis2);
    q[1] = lb_vec3_dot(moved.p, lb_vec3_cross(joint->axis, joint->axis2));
    // a normal that points down turns the other way
    q[2] += by.angle * (lb_quat_rotate(lb_transform_quat(&rest), joint->axis).z < 0 ? -1 : 1);
}

/* ---- keys --------------------------------------------------------------- */

/* the weight of the next round's first key */
static double fade_weight(const loop_keys *keys, double time)
{
    double end = lb_clip_end(keys->clip);
    return smooth_step(1 - (end - time) / keys->fade);
}

static bool fill_loop(void *user, int key, double *time, double *q)
{
    loop_keys *keys = user;
    const lb_clip *clip = keys->clip;
    int gaps = clip->count - 1, round = key > 0 ? (key - 1) / gaps : 0, own = key - round * gaps;
    if (round > keys->round && keys->root >= 0)
        keys->here = compose(keys->here, keys->once);
    keys->round = round;
    double duration = lb_clip_end(clip) - lb_clip_begin(clip);
    *time = clip->times[own] + round * duration;
    double weight = fade_weight(keys, clip->times[own]);
    lb_configuration_interpolate(clip->model, clip_key(clip, own), keys->first, weight, q);
    if (keys->root >= 0)
        move_root(clip->model, keys->here, q);
    return true;
}

lb_status lb_clip_loop(const lb_clip *clip, int count, double fade, const lb_allocator *allocator,
                       lb_clip **out, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(out, error, {clip, "clip"}));
    double duration = lb_clip_end(clip) - lb_clip_begin(clip);
    if (count < 1 || clip->count < 2 || (clip->count - 1) > (LB_CLIP_KEYS_MAX - 1) / count)
        return REFUSE_ARGUMENT(error,
                               "a clip of %d keys cannot be repeated %d times; at most %d are made",
                               clip->count, count, LB_CLIP_KEYS_MAX);
    if (!(fade > 0 && fade <= duration))
        return REFUSE_ARGUMENT(error, "a fade of %g is not within the clip's duration of %g", fade,
                               duration);
    MEMORY_POOL(memory, allocator);
    size_t nq = (size_t)clip->model->tree.nq;
    loop_keys keys = {.clip = clip, .root = find_root(clip->model), .fade = fade};
    keys.first = memory_take(&memory, nq, sizeof *keys.first);
    TRY(require_memory(error, keys.first));
    memcpy(keys.first, clip_key(clip, 0), nq * sizeof *keys.first);
    if (keys.root >= 0) {
        keys.once = find_move(clip);
        move_root(clip->model, keys.once, keys.first);
    }
    return lb_clip_generate(clip->model, (clip->count - 1) * count + 1, fill_loop, &keys,
                            clip->interpolation, allocator, out, error);
}
