/*
 * clip.c - a glTF's animation as configurations: at one time, and sampled as a clip.
 *
 * Between the keys of all curves together, linear curves are what a linear clip is: places go
 * straight, rotations along the smaller one. Only where that is not so, below splines and scales
 * that are animated, are keys added, by halving until the clip is near enough at a quarter, the
 * middle and three quarters of the piece.
 */
#include "formats/gltf/gltf.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/require.h"
#include <string.h>

/* ---- a pose -------------------------------------------------------------- */

/* A time of an animation; -1: at rest. */
typedef struct animated_pose {
    const lb_gltf *gltf;
    int animation;
    double time;
} animated_pose;

static gltf_pose pose_at_time(const void *user, int node)
{
    const animated_pose *at = user;
    return gltf_node_at(at->gltf, at->animation, node, at->time);
}

/* a floating joint's place in its parent's rigid frame, file units */
static lb_vec3 place_at(const lb_gltf *gltf, int animation, int index, double time,
                        const gltf_pose *pose)
{
    const gltf_node *node = &gltf->nodes[index];
    const animated_pose at = {gltf, animation, time};
    if (node->corrected)
        return gltf_corrected_place(gltf, index, pose_at_time, &at);
    double above[9];
    memcpy(above, node->above, sizeof above);
    if (node->shifting)
        gltf_stretch_above(gltf, index, pose_at_time, &at, above);
    return gltf_apply(above, pose->place);
}

/* a joint's values at a time, which begin at q[node->q] */
static void set_values(const lb_gltf *gltf, int animation, int index, double time, double *q)
{
    const gltf_node *node = &gltf->nodes[index];
    gltf_pose pose = gltf_node_at(gltf, animation, index, time);
    double *values = q + node->q;
    if (node->kind == LB_JOINT_FLOATING) {
        lb_vec3 p = lb_vec3_scale(place_at(gltf, animation, index, time, &pose), gltf->info.unit);
        memcpy(values, (double[]){p.x, p.y, p.z}, 3 * sizeof *values);
        values += 3;
    }
    lb_quat r = pose.rotation;
    memcpy(values, (double[]){r.w, r.x, r.y, r.z}, 4 * sizeof *values);
}

void lb_gltf_at(const lb_gltf *gltf, int animation, double time, double *q)
{
    lb_configuration_neutral(gltf->model, q);
    for (int i = 0; i < gltf->node_count; i++)
        if (gltf->nodes[i].q >= 0)
            set_values(gltf, animation, i, time, q);
}

/* ---- pieces that are not straight ---------------------------------------- */

/* A clip that is being made. */
typedef struct sampling {
    const lb_gltf *gltf;
    int animation;
    gltf_times list;
    double *work; /* four poses and a velocity */
} sampling;

/* half of what a clip may be off: between the places that are looked at it is off by more */
#define CLIP_TOLERANCE 5e-7

/* pieces are halved so often at most: a thousandth of a thousandth of one is no motion */
enum { MOST_HALVINGS = 20 };

/* whether what a clip has between the keys of all curves may not be straight */
static bool is_curved(const sampling *s)
{
    const gltf_animation *animation = &s->gltf->animations[s->animation];
    const gltf_channel *channels = s->gltf->channels + animation->first;
    bool curved = false;
    for (int c = 0; c < animation->count; c++)
        curved =
            curved || channels[c].kind == GLTF_CUBIC || s->gltf->nodes[channels[c].node].stretched;
    for (int i = 0; i < s->gltf->node_count; i++)
        curved = curved || s->gltf->nodes[i].shifting;
    return curved && !s->list.stepping;
}

/* whether the pose at a share of a piece is near that between its ends */
static bool is_near(const sampling *s, double a, double b, double share)
{
    const lb_model *model = s->gltf->model;
    size_t nq = (size_t)lb_model_nq(model);
    double *pose = s->work + 2 * nq, *between = s->work + 3 * nq, *apart = s->work + 4 * nq;
    lb_gltf_at(s->gltf, s->animation, a + share * (b - a), pose);
    lb_configuration_interpolate(model, s->work, s->work + nq, share, between);
    lb_configuration_difference(model, between, pose, apart);
    for (int i = 0; i < lb_model_nv(model); i++)
        if (!(fabs(apart[i]) <= CLIP_TOLERANCE))
            return false;
    return true;
}

static bool is_straight(const sampling *s, double a, double b)
{
    size_t nq = (size_t)lb_model_nq(s->gltf->model);
    lb_gltf_at(s->gltf, s->animation, a, s->work);
    lb_gltf_at(s->gltf, s->animation, b, s->work + nq);
    return is_near(s, a, b, 0.5) && is_near(s, a, b, 0.25) && is_near(s, a, b, 0.75);
}

/* adds the times within a piece, from left to right, and its end */
static lb_status add_piece(sampling *s, double a, double end)
{
    double ends[MOST_HALVINGS + 1] = {end};
    int depths[MOST_HALVINGS + 1] = {0}, open = 1;
    lb_status status = LB_OK;
    while (open > 0 && status == LB_OK) {
        double b = ends[open - 1], middle = a + (b - a) / 2;
        int depth = depths[open - 1];
        if (depth < MOST_HALVINGS && middle > a && middle < b && !is_straight(s, a, b)) {
            depths[open - 1] = depth + 1;
            ends[open] = middle;
            depths[open++] = depth + 1;
        } else {
            status = gltf_times_add(&s->list, b);
            a = b;
            open--;
        }
    }
    return status;
}

/* puts keys into all pieces; the list is made anew */
static lb_status refine(sampling *s)
{
    size_t size = 5 * (size_t)lb_model_nq(s->gltf->model);
    gltf_times coarse = s->list;
    s->work = memory_take(&coarse.memory, size, sizeof *s->work);
    if (s->work == NULL)
        return error_out_of_memory(coarse.error);
    s->list.times = NULL;
    s->list.count = s->list.room = 0;
    lb_status status = gltf_times_add(&s->list, coarse.times[0]);
    for (int i = 1; i < coarse.count && status == LB_OK; i++)
        status = add_piece(s, coarse.times[i - 1], coarse.times[i]);
    gltf_times_release(&coarse);
    memory_release(&coarse.memory, s->work);
    return status;
}

/* ---- the clip ------------------------------------------------------------ */

/* how many keys a clip may have: so many numbers for each byte of the file, and a million */
static int most_keys(const lb_gltf *gltf)
{
    double numbers = 64.0 * (double)gltf->size + 1048576;
    double keys = numbers / (lb_model_nq(gltf->model) + 1);
    return keys < 1e8 ? (int)keys + 1 : 100000000;
}

static bool fill_key(void *user, int key, double *time, double *q)
{
    const sampling *s = user;
    *time = s->list.times[key];
    lb_gltf_at(s->gltf, s->animation, *time, q);
    return true;
}

static lb_status sample(sampling *s, const lb_allocator *allocator, lb_clip **clip)
{
    lb_status status = gltf_times_collect(&s->list, s->gltf, s->animation);
    if (status == LB_OK && is_curved(s))
        status = refine(s);
    if (status != LB_OK)
        return status;
    return lb_clip_generate(s->gltf->model, s->list.count, fill_key, s,
                            s->list.stepping ? LB_INTERPOLATION_STEP : LB_INTERPOLATION_LINEAR,
                            allocator, clip, s->list.error);
}

lb_status lb_gltf_clip(const lb_gltf *gltf, int animation, const lb_allocator *allocator,
                       lb_clip **clip, lb_error *error)
{
    if (clip != NULL)
        *clip = NULL;
    lb_status status = REQUIRE(error, {gltf, "gltf"}, {clip, "clip"});
    if (status != LB_OK)
        return status;
    if (animation < 0 || animation >= gltf->info.animations)
        return lb_error_set(error, LB_INVALID_ARGUMENT, 0,
                            "there is no animation %d; the file has %d", animation,
                            gltf->info.animations);
    sampling s = {
        .gltf = gltf,
        .animation = animation,
        .list = {.memory = memory_allocator(allocator), .most = most_keys(gltf), .error = error}};
    status = sample(&s, allocator, clip);
    gltf_times_release(&s.list);
    return status;
}
