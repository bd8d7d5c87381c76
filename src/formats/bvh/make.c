/*
 * make.c - an lb_bvh of any model and clip.
 *
 * Joints of BVH have no rotation of their own at rest: a link's bone turns by what the link has
 * turned since the model was at rest, G = R R_rest^-1, and an OFFSET is between two places at rest,
 * both along the axes of the file. So a rigid link's bone needs three rotations alone, whatever its
 * joint is; only one that slides needs its place as well. The rows are then read as those of a file
 * are.
 */
#include "formats/bvh/bvh.h"

#include "base/error.h"
#include "base/memory.h"
#include "motion/clip.h"

#include <limber/kinematics.h>

#include <limits.h>
#include <string.h>

/* degrees as most files have them: position first, z x y */
static const unsigned char order[] = {LB_BVH_X_POSITION, LB_BVH_Y_POSITION, LB_BVH_Z_POSITION,
                                      LB_BVH_Z_ROTATION, LB_BVH_X_ROTATION, LB_BVH_Y_ROTATION};

/* frames a second of a clip of one key */
enum { USUAL_RATE = 30, ROTATIONS = 3, ALL = 6 };

typedef struct making {
    lb_bvh *bvh;
    const lb_model *model;
    const lb_clip *clip;
    int first;                /* the link that is the ROOT */
    int *joint_of;            /* of each link, -1: above the ROOT */
    int *link_of;             /* of each joint, -1: an End Site */
    lb_transform root;        /* the axes of the file in the world */
    lb_transform *rest, *now; /* of each link, in the file's axes */
    double *neutral;          /* the configuration at rest */
    lb_state *state;
    lb_error *error;
} making;

/* ---- the hierarchy ------------------------------------------------------- */

/* the first link that moves, as long as one carries one other alone; else the model's root */
static int find_root(const lb_model *model)
{
    int link = 0, child;
    while ((child = lb_model_first_child(model, link)) >= 0 &&
           lb_model_next_sibling(model, child) < 0) {
        link = child;
        if (lb_model_joint(model, link - 1)->kind != LB_JOINT_FIXED)
            return link;
    }
    return 0;
}

/* whether a joint moves its link's origin in the parent */
static bool slides(lb_joint_kind kind)
{
    return kind == LB_JOINT_PRISMATIC || kind == LB_JOINT_PLANAR || kind == LB_JOINT_FLOATING;
}

/* all links in the file's axes, for a configuration */
static void place_links(making *m, const double *q, lb_transform *out)
{
    lb_state_update(m->state, q);
    for (int i = 0; i < lb_model_link_count(m->model); i++) {
        lb_transform t = lb_state_transform(m->state, LB_WORLD, i);
        out[i] = lb_transform_between(&m->root, &t);
    }
}

static bvh_joint *add_joint(making *m, int parent, const char *name)
{
    lb_bvh *bvh = m->bvh;
    bvh_joint *joint = &bvh->joints[bvh->joint_count++];
    *joint = (bvh_joint){.name = name,
                         .name_size = strlen(name),
                         .parent = parent,
                         .placed = true,
                         .channel = bvh->channels,
                         .q = -1};
    joint->depth = parent < 0 ? 0 : bvh->joints[parent].depth + 1;
    return joint;
}

/* a link as a joint; behind a last one comes an End Site, which readers expect */
static void add_link(making *m, int link)
{
    lb_bvh *bvh = m->bvh;
    bool is_root = link == m->first;
    int parent = is_root ? -1 : m->joint_of[lb_model_parent(m->model, link)];
    m->joint_of[link] = bvh->joint_count;
    m->link_of[bvh->joint_count] = link;
    bvh_joint *joint = add_joint(m, parent, lb_model_link(m->model, link)->name);
    int above = is_root ? link : lb_model_parent(m->model, link);
    if (!is_root)
        joint->offset =
            lb_vec3_scale(lb_vec3_sub(m->rest[link].p, m->rest[above].p), 1 / bvh->info.unit);
    // the ROOT's place is its position channels'
    bool moves = is_root || slides(lb_model_joint(m->model, link - 1)->kind);
    joint->channels = moves ? ALL : ROTATIONS;
    memcpy(bvh->kinds + bvh->channels, order + (moves ? 0 : ALL - ROTATIONS),
           (size_t)joint->channels);
    bvh->channels += joint->channels;
    if (lb_model_first_child(m->model, link) >= 0)
        return;
    m->link_of[bvh->joint_count] = -1;
    add_joint(m, m->joint_of[link], joint->name)->is_end = true;
}

static lb_status take_arrays(making *m, const lb_allocator *memory)
{
    size_t links = (size_t)lb_model_link_count(m->model), frames = (size_t)lb_clip_count(m->clip);
    lb_bvh *bvh = m->bvh;
    const lb_allocator *lasting = &bvh->allocator;
    bvh->joints = memory_take(lasting, 2 * links, sizeof *bvh->joints);
    bvh->kinds = memory_take(lasting, ALL * links, 1);
    m->joint_of = memory_take(memory, links, sizeof *m->joint_of);
    m->link_of = memory_take(memory, 2 * links, sizeof *m->link_of);
    m->rest = memory_take(memory, links, sizeof *m->rest);
    m->now = memory_take(memory, links, sizeof *m->now);
    m->neutral = memory_take(memory, (size_t)lb_model_nq(m->model), sizeof *m->neutral);
    bvh->rows = memory_take(lasting, frames * ALL * links, sizeof *bvh->rows);
    lb_state_create(m->model, memory, &m->state);
    return !memory_pool_failed(memory) && !memory_pool_failed(lasting)
               ? LB_OK
               : error_out_of_memory(m->error);
}

/* the names that the joints point to, which stay as long as the lb_bvh */
static lb_status copy_names(making *m)
{
    lb_bvh *bvh = m->bvh;
    size_t size = 1;
    for (int i = 0; i < bvh->joint_count; i++)
        size += bvh->joints[i].name_size + 1;
    bvh->names = memory_take(&bvh->allocator, size, 1);
    TRY(require_memory(m->error, bvh->names));
    char *at = bvh->names;
    for (int i = 0; i < bvh->joint_count; i++) {
        memcpy(at, bvh->joints[i].name, bvh->joints[i].name_size + 1);
        bvh->joints[i].name = at;
        at += bvh->joints[i].name_size + 1;
    }
    return LB_OK;
}

static lb_status make_hierarchy(making *m)
{
    lb_configuration_neutral(m->model, m->neutral);
    place_links(m, m->neutral, m->rest);
    // links are depth first, as a file's joints
    for (int i = 0; i < lb_model_link_count(m->model); i++) {
        m->joint_of[i] = -1;
        if (i == m->first || (i > m->first && m->joint_of[lb_model_parent(m->model, i)] >= 0))
            add_link(m, i);
    }
    return copy_names(m);
}

/* ---- the rows ------------------------------------------------------------ */

/* how a link has turned since rest, in the file's axes */
static lb_quat turned(const making *m, int link)
{
    lb_quat now = lb_transform_quat(&m->now[link]), rest = lb_transform_quat(&m->rest[link]);
    return lb_quat_multiply(now, lb_quat_conjugate(rest));
}

/* whether a link is in its parent where it is at rest, by its joint's own values */
static bool is_at_rest(const making *m, int link, const double *q)
{
    int at = lb_model_joint_q(m->model, link - 1);
    int count = at < 0 ? 0 : lb_joint_kind_nq(lb_model_joint(m->model, link - 1)->kind);
    for (int i = 0; i < count; i++)
        if (q[at + i] != m->neutral[at + i])
            return false;
    return true;
}

/* the channels of a joint, those of the frame before being in `row` */
static bool set_channels(const making *m, int index, const double *q, double *row)
{
    bvh_joint joint = m->bvh->joints[index];
    int link = m->link_of[index];
    lb_quat own = turned(m, link);
    lb_vec3 place = m->now[link].p;
    int above = joint.parent >= 0 ? m->link_of[joint.parent] : -1;
    if (above >= 0 && is_at_rest(m, link, q)) {
        // zero without the rounding of products
        own = LB_QUAT_IDENTITY;
        place = lb_vec3_sub(m->rest[link].p, m->rest[above].p);
    } else if (above >= 0) {
        lb_quat back = lb_quat_conjugate(turned(m, above));
        own = lb_quat_multiply(back, own);
        place = lb_quat_rotate(back, lb_vec3_sub(place, m->now[above].p));
    }
    const double values[] = {place.x, place.y, place.z, own.w, own.x, own.y, own.z};
    joint.kind = joint.channels == ALL ? LB_JOINT_FLOATING : LB_JOINT_BALL;
    joint.q = 0;
    return bvh_channels(m->bvh, &joint, joint.channels == ALL ? values : values + 3, row);
}

static lb_status make_rows(making *m)
{
    lb_bvh *bvh = m->bvh;
    size_t channels = (size_t)bvh->channels;
    bvh->frames = lb_clip_count(m->clip);
    for (int f = 0; f < bvh->frames; f++) {
        double *row = bvh->rows + (size_t)f * channels;
        const double *q = lb_clip_key(m->clip, f);
        place_links(m, q, m->now);
        if (f > 0)
            memcpy(row, row - channels, channels * sizeof *row);
        for (int i = 0; i < bvh->joint_count; i++)
            if (!bvh->joints[i].is_end && !set_channels(m, i, q, row))
                return REFUSE_VALUE(m->error,
                                    "frame %d: the pose of link '%.100s' cannot be expressed", f,
                                    bvh->joints[i].name);
    }
    return LB_OK;
}

/* ---- all ----------------------------------------------------------------- */

static lb_status check_clip(making *m)
{
    int count = lb_clip_count(m->clip);
    double length = lb_clip_end(m->clip) - lb_clip_begin(m->clip);
    if (lb_model_link_count(m->model) > INT_MAX / 16)
        return REFUSE_MODEL(m->error, "the model has too many links");
    if (count > 1 && lb_clip_rate(m->clip, CLIP_EVEN) == 0)
        return REFUSE_VALUE(m->error, "the clip's keys are not evenly spaced; resample it");
    m->bvh->frame_time = count > 1 ? length / (count - 1) : 1.0 / USUAL_RATE;
    return LB_OK;
}

static lb_status make_all(making *m, const lb_bvh_options *options)
{
    load_warnings warnings = {.options = &options->load, .path = ""};
    MEMORY_POOL(memory, options->load.allocator);
    TRY(check_clip(m));
    TRY(take_arrays(m, &memory));
    TRY(make_hierarchy(m));
    TRY(make_rows(m));
    TRY(bvh_recognise(m->bvh, options, m->error));
    TRY(bvh_build_model(m->bvh, &warnings, m->error));
    return bvh_build_clip(m->bvh, m->error);
}

static lb_status take_options(lb_bvh_options *options, lb_error *error)
{
    if (!(options->unit == 0 || (options->unit >= 1e-9 && options->unit <= 1e9)) ||
        options->up >= LB_BVH_UP_COUNT)
        return REFUSE_ARGUMENT(
            error, "unit: %g is not between 1e-9 and 1e9 metres, or up is no axis", options->unit);
    options->unit = options->unit == 0 ? 0.01 : options->unit;
    options->up = options->up == LB_BVH_UP_RECOGNISE ? LB_BVH_UP_Y : options->up;
    return LB_OK;
}

lb_status lb_bvh_make(const lb_clip *clip, const lb_bvh_options *options, lb_bvh **bvh,
                      lb_error *error)
{
    lb_bvh_options given = options == NULL ? lb_bvh_options_default() : *options;
    TRY(REQUIRE_TO_MAKE(bvh, error, {clip, "clip"}));
    TRY(take_options(&given, error));
    lb_allocator memory;
    lb_bvh *made = memory_pool_object(sizeof *made, given.load.allocator, &memory);
    TRY(require_memory(error, made));
    made->allocator = memory;
    made->info.unit = given.unit;
    making m = {.bvh = made,
                .model = lb_clip_model(clip),
                .clip = clip,
                .root = bvh_root(given.up),
                .error = error};
    m.first = find_root(m.model);
    lb_status status = make_all(&m, &given);
    if (status == LB_OK)
        *bvh = made;
    else
        lb_bvh_release(made);
    return status;
}
