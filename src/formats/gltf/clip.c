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

/* a joint's values, which begin at q[node->q]; chain NULL: what is above is worked out for it */
static void set_values(const animated_pose *at, int index, const gltf_pose *pose,
                       const gltf_chain *chain, double *q)
{
    const gltf_node *node = &at->gltf->nodes[index];
    double *values = q + node->q;
    if (node->kind == LB_JOINT_FLOATING) {
        gltf_chain above;
        if (gltf_follows_chain(node))
            above = chain != NULL ? chain[node->parent]
                                  : gltf_chain_above(at->gltf, index, pose_at_time, at);
        lb_vec3 place = gltf_place_below(node, pose, &above);
        lb_vec3 p = lb_vec3_scale(place, at->gltf->info.unit);
        memcpy(values, (double[]){p.x, p.y, p.z}, 3 * sizeof *values);
        values += 3;
    }
    lb_quat r = pose->rotation;
    memcpy(values, (double[]){r.w, r.x, r.y, r.z}, 4 * sizeof *values);
}

/* with room for the chains of all nodes, or NULL: none */
static void set_pose(const animated_pose *at, gltf_chain *chain, double *q)
{
    const lb_gltf *gltf = at->gltf;
    lb_configuration_neutral(gltf->model, q);
    for (int i = 0; i < gltf->node_count; i++) {
        int index = gltf->order[i];
        gltf_pose pose = pose_at_time(at, index);
        if (chain != NULL)
            gltf_chain_add(gltf, index, &pose, chain);
        if (gltf->nodes[index].q >= 0)
            set_values(at, index, &pose, chain, q);
    }
}

void lb_gltf_at(const lb_gltf *gltf, int animation, double time, double *q)
{
    set_pose(&(animated_pose){gltf, animation, time}, NULL, q);
}

/* ---- pieces that are not straight ---------------------------------------- */

/* A clip that is being made. */
typedef struct sampling {
    const lb_gltf *gltf;
    int animation;
    gltf_times list;
    double *work;      /* four poses and a velocity */
    gltf_chain *chain; /* of all nodes, NULL where no place depends on it */
} sampling;

static void sample_at(const sampling *s, double time, double *q)
{
    set_pose(&(animated_pose){s->gltf, s->animation, time}, s->chain, q);
}

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
        curved = curved || gltf_follows_chain(&s->gltf->nodes[i]);
    return curved && !s->list.stepping;
}

/* whether the pose at a share of a piece is near that between its ends */
static bool is_near(const sampling *s, double a, double b, double share)
{
    const lb_model *model = s->gltf->model;
    size_t nq = (size_t)lb_model_nq(model);
    double *pose = s->work + 2 * nq, *between = s->work + 3 * nq, *apart = s->work + 4 * nq;
    sample_at(s, a + share * (b - a), pose);
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
    sample_at(s, a, s->work);
    sample_at(s, b, s->work + nq);
    return is_near(s, a, b, 0.5) && is_near(s, a, b, 0.25) && is_near(s, a, b, 0.75);
}

/* adds the times within a piece, from left to right, and its end */
static lb_status add_piece(sampling *s, double a, double end)
{
    double ends[MOST_HALVINGS + 1] = {end};
    int depths[MOST_HALVINGS + 1] = {0}, open = 1;
    while (open > 0) {
        double b = ends[open - 1], middle = a + (b - a) / 2;
        int depth = depths[open - 1];
        if (depth < MOST_HALVINGS && middle > a && middle < b && !is_straight(s, a, b)) {
            depths[open - 1] = depth + 1;
            ends[open] = middle;
            depths[open++] = depth + 1;
        } else {
            TRY(gltf_times_add(&s->list, b));
            a = b;
            open--;
        }
    }
    return LB_OK;
}

/* puts keys into all pieces; the list is made anew */
static lb_status refine(sampling *s)
{
    size_t size = 5 * (size_t)lb_model_nq(s->gltf->model);
    gltf_times coarse = s->list;
    s->work = memory_take(&coarse.memory, size, sizeof *s->work);
    TRY(require_memory(coarse.error, s->work));
    s->list.times = NULL;
    s->list.count = 0;
    s->list.room = 0;
    TRY(gltf_times_add(&s->list, coarse.times[0]));
    for (int i = 1; i < coarse.count; i++)
        TRY(add_piece(s, coarse.times[i - 1], coarse.times[i]));
    return LB_OK;
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
    sample_at(s, *time, q);
    return true;
}

/* makes room for the chains where a place depends on them */
static lb_status take_chain(sampling *s)
{
    const lb_gltf *gltf = s->gltf;
    int i = 0;
    while (i < gltf->node_count && !gltf_follows_chain(&gltf->nodes[i]))
        i++;
    if (i == gltf->node_count)
        return LB_OK;
    s->chain = memory_take(&s->list.memory, (size_t)gltf->node_count, sizeof *s->chain);
    return s->chain != NULL ? LB_OK : error_out_of_memory(s->list.error);
}

static lb_status sample(sampling *s, const lb_allocator *allocator, lb_clip **clip)
{
    TRY(take_chain(s));
    TRY(gltf_times_collect(&s->list, s->gltf, s->animation));
    if (is_curved(s))
        TRY(refine(s));
    return lb_clip_generate(s->gltf->model, s->list.count, fill_key, s,
                            s->list.stepping ? LB_INTERPOLATION_STEP : LB_INTERPOLATION_LINEAR,
                            allocator, clip, s->list.error);
}

lb_status lb_gltf_clip(const lb_gltf *gltf, int animation, const lb_allocator *allocator,
                       lb_clip **clip, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(clip, error, {gltf, "gltf"}));
    if (animation < 0 || animation >= gltf->info.animations)
        return REFUSE_ARGUMENT(error, "there is no animation %d; the file has %d", animation,
                               gltf->info.animations);
    MEMORY_POOL(memory, allocator);
    sampling s = {.gltf = gltf,
                  .animation = animation,
                  .list = {.memory = memory, .most = most_keys(gltf), .error = error}};
    return sample(&s, allocator, clip);
}
