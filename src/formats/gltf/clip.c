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
#include "base/text.h"

#include <stdlib.h>
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

/* a joint's values at a time, which begin at q[node->q] */
static void set_values(const lb_gltf *gltf, int animation, int index, double time, double *q)
{
    const gltf_node *node = &gltf->nodes[index];
    gltf_pose pose = gltf_node_at(gltf, animation, index, time);
    double *values = q + node->q;
    if (node->kind == LB_JOINT_FLOATING) {
        double above[9];
        memcpy(above, node->above, sizeof above);
        if (node->shifting)
            gltf_stretch_above(gltf, index, pose_at_time, &(animated_pose){gltf, animation, time},
                               above);
        lb_vec3 p = lb_vec3_scale(gltf_apply(above, pose.place), gltf->info.unit);
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

/* ---- times --------------------------------------------------------------- */

/* Times that are collected. */
typedef struct time_list {
    double *times;
    int count, room, most;
} time_list;

/* A clip that is being made. */
typedef struct sampling {
    const lb_gltf *gltf;
    int animation;
    lb_allocator memory;
    time_list list;
    bool stepping; /* all curves are steps */
    bool curved;   /* some are no straight lines */
    double *work;  /* four poses and a velocity */
    lb_error *error;
} sampling;

/* what a clip may be longer than linear curves need */
#define CLIP_TOLERANCE 1e-6

/* pieces are halved so often at most: a thousandth of a thousandth of one is no motion */
enum { MOST_HALVINGS = 20 };

static lb_status add_time(sampling *s, double time)
{
    time_list *list = &s->list;
    if (list->count == list->most)
        return lb_error_set(s->error, LB_UNSUPPORTED, 0,
                            "animation %d: a clip of it has more than %d keys of %d numbers, far "
                            "more than the file",
                            s->animation, list->most, lb_model_nq(s->gltf->model));
    if (list->count == list->room) {
        int room = list->room < 512 ? 1024 : 2 * list->room;
        double *larger = memory_take(&s->memory, (size_t)room, sizeof *larger);
        if (larger == NULL)
            return error_out_of_memory(s->error);
        if (list->count > 0)
            memcpy(larger, list->times, (size_t)list->count * sizeof *larger);
        memory_release(&s->memory, list->times);
        list->times = larger;
        list->room = room;
    }
    list->times[list->count++] = time;
    return LB_OK;
}

/* the largest time that is surely less */
static double just_before(double time)
{
    return time == 0 ? -1e-300 : time - fabs(time) * 2.3e-16;
}

/* the times of one array of keys */
static lb_status add_keys(sampling *s, const gltf_accessor *times, bool steps)
{
    lb_status status = LB_OK;
    for (int i = 0; i < times->count && status == LB_OK; i++) {
        double time = gltf_number(times, i);
        if (steps && !s->stepping && i > 0)
            status = add_time(s, just_before(time));
        if (status == LB_OK)
            status = add_time(s, time);
    }
    return status;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort_times(time_list *list)
{
    qsort(list->times, (size_t)list->count, sizeof *list->times, compare_times);
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (kept == 0 || list->times[i] > list->times[kept - 1])
            list->times[kept++] = list->times[i];
    list->count = kept;
}

/* the keys of all curves, each array of times once; `seen` has a byte for each accessor */
static lb_status collect_times(sampling *s, unsigned char *seen)
{
    const lb_gltf *gltf = s->gltf;
    const gltf_animation *animation = &gltf->animations[s->animation];
    const gltf_channel *channels = gltf->channels + animation->first;
    lb_status status = LB_OK;
    s->stepping = animation->count > 0;
    for (int c = 0; c < animation->count; c++)
        s->stepping = s->stepping && channels[c].kind == GLTF_STEP;
    for (int c = 0; c < animation->count && status == LB_OK; c++) {
        const gltf_node *node = &gltf->nodes[channels[c].node];
        bool steps = channels[c].kind == GLTF_STEP;
        unsigned char bit = steps ? 2 : 1;
        s->curved = s->curved || channels[c].kind == GLTF_CUBIC || node->stretched;
        if ((seen[channels[c].times] & bit) == 0)
            status = add_keys(s, &gltf->accessors[channels[c].times], steps);
        seen[channels[c].times] |= bit;
    }
    for (int i = 0; i < gltf->node_count; i++)
        s->curved = s->curved || gltf->nodes[i].shifting;
    s->curved = s->curved && !s->stepping;
    if (status == LB_OK && animation->count == 0)
        status = add_time(s, 0);
    if (status == LB_OK)
        sort_times(&s->list);
    return status;
}

/* ---- pieces that are not straight ---------------------------------------- */

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
            status = add_time(s, b);
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
    time_list coarse = s->list;
    s->work = memory_take(&s->memory, size, sizeof *s->work);
    if (s->work == NULL)
        return error_out_of_memory(s->error);
    s->list = (time_list){.most = coarse.most};
    lb_status status = add_time(s, coarse.times[0]);
    for (int i = 1; i < coarse.count && status == LB_OK; i++)
        status = add_piece(s, coarse.times[i - 1], coarse.times[i]);
    memory_release(&s->memory, coarse.times);
    memory_release(&s->memory, s->work);
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
    size_t accessors = (size_t)s->gltf->accessor_count;
    unsigned char *seen = memory_take(&s->memory, accessors, 1);
    if (seen == NULL)
        return error_out_of_memory(s->error);
    lb_status status = collect_times(s, seen);
    memory_release(&s->memory, seen);
    if (status == LB_OK && s->curved)
        status = refine(s);
    if (status != LB_OK)
        return status;
    return lb_clip_generate(s->gltf->model, s->list.count, fill_key, s,
                            s->stepping ? LB_INTERPOLATION_STEP : LB_INTERPOLATION_LINEAR,
                            allocator, clip, s->error);
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
    sampling s = {.gltf = gltf,
                  .animation = animation,
                  .memory = memory_allocator(allocator),
                  .list = {.most = most_keys(gltf)},
                  .error = error};
    status = sample(&s, allocator, clip);
    memory_release(&s.memory, s.list.times);
    return status;
}
