/*
 * animation.c - the curves of a glTF's animations.
 *
 * Source: glTF 2.0, section 3.11 (animations) and appendix C (interpolation): STEP, LINEAR, with
 * spherical interpolation along the smaller rotation, and CUBICSPLINE, a Hermite spline whose
 * tangents are multiplied by the time between two keys; rotations are then normalised.
 */
#include "formats/gltf/gltf.h"

#include "base/error.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* the numbers of what a channel moves: see gltf_path */
static const int path_sizes[GLTF_PATHS] = {3, 4, 3};

/* ---- evaluating ---------------------------------------------------------- */

/* the last key that is not after the time, -1: all are */
static int find_key(const gltf_accessor *times, double time)
{
    int low = -1, high = times->count - 1;
    while (low < high) {
        int middle = high - (high - low) / 2;
        if (gltf_number(times, middle) <= time)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void normalize(double q[4])
{
    lb_quat unit = lb_quat_normalize((lb_quat){q[3], q[0], q[1], q[2]});
    memcpy(q, (double[]){unit.x, unit.y, unit.z, unit.w}, 4 * sizeof *q);
}

static void interpolate_linear(const double *a, const double *b, double u, bool rotates, int size,
                               double *out)
{
    for (int i = 0; !rotates && i < size; i++)
        out[i] = a[i] + u * (b[i] - a[i]);
    if (!rotates)
        return;
    lb_quat from = lb_quat_normalize((lb_quat){a[3], a[0], a[1], a[2]});
    lb_quat to = lb_quat_normalize((lb_quat){b[3], b[0], b[1], b[2]});
    lb_quat q = lb_quat_slerp(from, to, u);
    memcpy(out, (double[]){q.x, q.y, q.z, q.w}, 4 * sizeof *out);
}

/* values and tangents: a key has its in-tangent, its value and its out-tangent */
static void interpolate_cubic(const gltf_accessor *values, int key, double u, double step, int size,
                              double *out)
{
    double a[16], b[16], leaving[16], entering[16];
    double u2 = u * u, u3 = u2 * u;
    gltf_element(values, 3 * key + 1, a);
    gltf_element(values, 3 * key + 2, leaving);
    gltf_element(values, 3 * key + 3, entering);
    gltf_element(values, 3 * key + 4, b);
    for (int i = 0; i < size; i++)
        out[i] = (2 * u3 - 3 * u2 + 1) * a[i] + (u3 - 2 * u2 + u) * step * leaving[i] +
                 (3 * u2 - 2 * u3) * b[i] + (u3 - u2) * step * entering[i];
}

/* the value of a channel at a time */
static void channel_at(const lb_gltf *gltf, const gltf_channel *channel, double time, double *out)
{
    const gltf_accessor *times = &gltf->accessors[channel->times];
    const gltf_accessor *values = &gltf->accessors[channel->values];
    int size = path_sizes[channel->path], key = find_key(times, time);
    bool cubic = channel->kind == GLTF_CUBIC, rotates = channel->path == GLTF_ROTATION;
    int held = key < 0 ? 0 : key;
    double a[16], b[16];
    gltf_element(values, cubic ? 3 * held + 1 : held, a);
    if (key < 0 || key + 1 >= times->count || channel->kind == GLTF_STEP) {
        memcpy(out, a, (size_t)size * sizeof *out);
    } else {
        double begin = gltf_number(times, key), step = gltf_number(times, key + 1) - begin;
        double u = (time - begin) / step;
        if (cubic) {
            interpolate_cubic(values, key, u, step, size, out);
        } else {
            gltf_element(values, key + 1, b);
            interpolate_linear(a, b, u, rotates, size, out);
        }
    }
    if (rotates)
        normalize(out);
}

/* the first channel of an animation that moves this node or a later one; they are sorted */
static int find_channel(const lb_gltf *gltf, int animation, int node)
{
    const gltf_animation *of = &gltf->animations[animation];
    int low = of->first, high = of->first + of->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (gltf->channels[middle].node < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

gltf_pose gltf_node_at(const lb_gltf *gltf, int animation, int node, double time)
{
    const gltf_node *rest = &gltf->nodes[node];
    gltf_pose pose = {.place = rest->place, .rotation = rest->rotation};
    memcpy(pose.stretch, rest->stretch, sizeof pose.stretch);
    int c = animation < 0 ? 0 : find_channel(gltf, animation, node);
    int end =
        animation < 0 ? 0 : gltf->animations[animation].first + gltf->animations[animation].count;
    for (; c < end && gltf->channels[c].node == node; c++) {
        double value[16];
        channel_at(gltf, &gltf->channels[c], time, value);
        switch (gltf->channels[c].path) {
        case GLTF_PLACE:
            pose.place = lb_vec3_make(value[0], value[1], value[2]);
            break;
        case GLTF_ROTATION:
            pose.rotation = (lb_quat){value[3], value[0], value[1], value[2]};
            break;
        default:
            memset(pose.stretch, 0, sizeof pose.stretch);
            for (int i = 0; i < 3; i++)
                pose.stretch[4 * i] = value[i];
        }
    }
    return pose;
}

/* ---- reading -------------------------------------------------------------- */

/* times are finite and increase */
static lb_status check_times(const gltf_reader *reader, int index)
{
    const gltf_accessor *times = &reader->gltf->accessors[index];
    gltf_place place = gltf_place_of("accessors", (size_t)index);
    double before = -INFINITY;
    if (times->components != 1)
        return gltf_refuse(reader, LB_BAD_VALUE, &place, "times of an animation must be SCALAR");
    for (int i = 0; i < times->count; i++) {
        double time = gltf_number(times, i);
        if (!(time > before && time <= LB_LENGTH_MAX))
            return gltf_refuse(reader, LB_BAD_VALUE, &place,
                               "time %d is %.9g, after %.9g; times must increase", i, time, before);
        before = time;
    }
    return gltf_look(reader, &place, times->count);
}

/* values are finite, and no rotation is zero */
static lb_status check_values(const gltf_reader *reader, const gltf_channel *channel,
                              gltf_rotation_findings *found)
{
    const gltf_accessor *values = &reader->gltf->accessors[channel->values];
    gltf_place place = gltf_place_of("accessors", (size_t)channel->values);
    double rounding = gltf_rotation_rounding(&values->values);
    bool cubic = channel->kind == GLTF_CUBIC;
    for (int i = 0; i < values->count; i++) {
        double value[16];
        gltf_element(values, i, value);
        for (int k = 0; k < values->components; k++)
            if (!(fabs(value[k]) <= LB_LENGTH_MAX))
                return gltf_refuse(reader, LB_BAD_VALUE, &place,
                                   "element %d is no number below 1e15", i);
        bool is_value = !cubic || i % 3 == 1;
        if (channel->path == GLTF_ROTATION && is_value)
            TRY(gltf_check_rotation(reader, &place, i, value, rounding, found));
    }
    return LB_OK;
}

static lb_status read_kind(const gltf_reader *reader, const gltf_place *place,
                           const tree_node *sampler, gltf_curve_kind *kind)
{
    static const char *const names[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    const char *given = tree_text(sampler, "interpolation");
    gltf_place inner = gltf_place_in(place, "interpolation");
    int found = *given == '\0' ? GLTF_LINEAR : text_index(given, names, 3);
    *kind = (gltf_curve_kind)found;
    if (found >= 0)
        return LB_OK;
    return gltf_refuse(reader, LB_BAD_VALUE, &inner, "'%.30s' is not LINEAR, STEP or CUBICSPLINE",
                       given);
}

/* Accessors that were checked, so that many curves of the same ones take no time. */
typedef struct checked {
    bool *times;
    unsigned char *values; /* a bit for each path and kind */
    gltf_rotation_findings rotations;
} checked;

static lb_status read_sampler(const gltf_reader *reader, const gltf_place *place,
                              const tree_node *sampler, gltf_channel *channel, checked *seen)
{
    const lb_gltf *gltf = reader->gltf;
    gltf_place inner = gltf_place_in(place, "output");
    channel->times = channel->values = -1;
    TRY(gltf_index(reader, place, sampler, "input", "accessors", gltf->accessor_count,
                   &channel->times));
    TRY(gltf_index(reader, place, sampler, "output", "accessors", gltf->accessor_count,
                   &channel->values));
    TRY(read_kind(reader, place, sampler, &channel->kind));
    if (!seen->times[channel->times])
        TRY(check_times(reader, channel->times));
    seen->times[channel->times] = true;
    const gltf_accessor *times = &gltf->accessors[channel->times];
    const gltf_accessor *values = &gltf->accessors[channel->values];
    int per_key = channel->kind == GLTF_CUBIC ? 3 : 1;
    if (values->components != path_sizes[channel->path])
        return gltf_refuse(reader, LB_BAD_VALUE, &inner, "has %d numbers a key, %d are wanted",
                           values->components, path_sizes[channel->path]);
    if (values->count / per_key != times->count || values->count % per_key != 0)
        return gltf_refuse(reader, LB_BAD_VALUE, &inner, "has %d elements for %d times%s",
                           values->count, times->count,
                           per_key == 3 ? "; CUBICSPLINE has three for each" : "");
    // of each channel, because what it moves is found by all of its values
    TRY(gltf_look(reader, place, values->count));
    unsigned bit = 1u << ((channel->path == GLTF_ROTATION) + (channel->kind == GLTF_CUBIC) * 2);
    if ((seen->values[channel->values] & bit) == 0)
        TRY(check_values(reader, channel, &seen->rotations));
    seen->values[channel->values] |= (unsigned char)bit;
    return LB_OK;
}

/* what a channel moves; false: nothing here, as the weights of a morph or an extension's pointer */
static bool find_path(const tree_node *target, gltf_path *path)
{
    static const char *const names[] = {"translation", "rotation", "scale"};
    const char *given = tree_text(target, "path");
    int found = text_index(given, names, GLTF_PATHS);
    *path = (gltf_path)found;
    return found >= 0 && tree_member(target, "node") != NULL;
}

static lb_status read_channel(gltf_reader *reader, const gltf_place *animation,
                              const tree_node *object, const tree_node *samplers, int count,
                              int index, checked *seen)
{
    lb_gltf *gltf = reader->gltf;
    gltf_channel *channel = &gltf->channels[gltf->channel_count];
    gltf_place place, at;
    const tree_node *target = tree_member(object, "target");
    int sampler = -1;
    text_format(place.text, sizeof place.text, "%s.channels[%d]", animation->text, index);
    *channel = (gltf_channel){.node = -1};
    if (!find_path(target, &channel->path))
        return LB_OK;
    TRY(gltf_index(reader, &place, target, "node", "nodes", gltf->node_count, &channel->node));
    TRY(gltf_index(reader, &place, object, "sampler", "samplers", count, &sampler));
    text_format(at.text, sizeof at.text, "%s.samplers[%d]", animation->text, sampler);
    TRY(read_sampler(reader, &at, tree_element(samplers, sampler), channel, seen));
    gltf->channel_count++;
    return LB_OK;
}

static int compare_channels(const void *a, const void *b)
{
    const gltf_channel *x = a, *y = b;
    int order = (x->node > y->node) - (x->node < y->node);
    return order != 0 ? order : (x->path > y->path) - (x->path < y->path);
}

/* by node and by path, each of which has one channel */
static lb_status sort_channels(const gltf_reader *reader, const gltf_place *place,
                               const gltf_animation *animation)
{
    gltf_channel *channels = reader->gltf->channels + animation->first;
    qsort(channels, (size_t)animation->count, sizeof *channels, compare_channels);
    for (int i = 1; i < animation->count; i++)
        if (compare_channels(&channels[i - 1], &channels[i]) == 0)
            return gltf_refuse(reader, LB_BAD_MODEL, place,
                               "two channels move the same of node %d '%.60s'", channels[i].node,
                               reader->gltf->nodes[channels[i].node].name);
    return LB_OK;
}

static lb_status read_animation(gltf_reader *reader, const tree_node *object, int index,
                                checked *seen)
{
    lb_gltf *gltf = reader->gltf;
    gltf_animation *animation = &gltf->animations[index];
    gltf_place place = gltf_place_of("animations", (size_t)index);
    const tree_node *channels, *samplers;
    int count, sampler_count;
    TRY(gltf_array(reader, object, "channels", &channels, &count));
    TRY(gltf_array(reader, object, "samplers", &samplers, &sampler_count));
    *animation = (gltf_animation){.name = tree_text(object, "name"),
                                  .first = gltf->channel_count,
                                  .begin = INFINITY,
                                  .end = -INFINITY};
    for (int i = 0; i < count; i++) {
        int next = gltf->channel_count;
        TRY(read_channel(reader, &place, tree_element(channels, i), samplers, sampler_count, i,
                         seen));
        if (gltf->channel_count == next)
            continue;
        const gltf_accessor *times = &gltf->accessors[gltf->channels[next].times];
        animation->begin = fmin(animation->begin, gltf_number(times, 0));
        animation->end = fmax(animation->end, gltf_number(times, times->count - 1));
    }
    animation->count = gltf->channel_count - animation->first;
    // one that moves no node rests
    if (animation->count == 0)
        animation->begin = animation->end = 0;
    return sort_channels(reader, &place, animation);
}

/* how many channels all animations have, so that a table of all is bounded by the file's size */
static size_t count_channels(const tree_node *array)
{
    size_t count = 0;
    for (int i = 0; i < tree_array_size(array); i++)
        count += (size_t)tree_array_size(tree_member(tree_element(array, i), "channels"));
    return count;
}

lb_status gltf_read_animations(gltf_reader *reader)
{
    lb_gltf *gltf = reader->gltf;
    const tree_node *array;
    int count;
    TRY(gltf_array(reader, gltf->json, "animations", &array, &count));
    size_t accessors = (size_t)gltf->accessor_count;
    gltf->channels = memory_take(&gltf->allocator, count_channels(array), sizeof *gltf->channels);
    gltf->animations = memory_take(&gltf->allocator, (size_t)count, sizeof *gltf->animations);
    checked seen = {.times = memory_take(&reader->memory, accessors, sizeof *seen.times),
                    .values = memory_take(&reader->memory, accessors, sizeof *seen.values)};
    lb_status status = require_memory(reader->error, gltf->channels && gltf->animations &&
                                                         seen.times && seen.values);
    for (int i = 0; i < count && status == LB_OK; i++)
        status = read_animation(reader, tree_element(array, i), i, &seen);
    gltf_warn_rotations(reader, "animations", &seen.rotations);
    gltf->info.animations = status == LB_OK ? count : 0;
    return status;
}
