/*
 * drift.c - how far links are from where the file has their nodes, and what keeps them near.
 *
 * Exporters write the rounding of floats as motion: places and scales of bones that keep their
 * lengths tremble by a few of their last bits. Such a place rests in the model, so that its joint
 * is a ball, and all links behind it drift. Two chains are followed at each key of each animation:
 * the file's, by products of its rotations and scales, and the model's rigid one. Where they come
 * apart by more than the tolerance, the joint floats. A floating joint below resting ones has the
 * place that brings its link to where the file has it, so that drift never adds up beyond it.
 */
#include "formats/gltf/gltf.h"

#include "base/error.h"
#include "base/memory.h"

/* ---- a floating joint's place -------------------------------------------- */

/* what is behind a node's rotation */
static lb_vec3 turned(lb_quat rotation, lb_vec3 v)
{
    double turn[9];
    gltf_rotation_matrix(rotation, turn);
    return gltf_apply(turn, v);
}

/* whether a node's joint has a place of its own */
static bool floats(const gltf_node *node)
{
    return node->moved || (node->wanted && !node->inside);
}

lb_vec3 gltf_corrected_place(const lb_gltf *gltf, int node, gltf_node_pose *pose_of,
                             const void *user)
{
    // the node's origin and its parent's link, from one node above to the next; below a joint that
    // floats both count from its origin, which is the same in the file and in the model
    lb_vec3 exact = pose_of(user, node).place, link = {0, 0, 0};
    lb_quat rotation = LB_QUAT_IDENTITY;
    bool anchored = false;
    for (int n = gltf->nodes[node].parent; n >= 0; n = gltf->nodes[n].parent) {
        const gltf_node *above = &gltf->nodes[n];
        gltf_pose pose = pose_of(user, n);
        exact = turned(pose.rotation, gltf_apply(pose.stretch, exact));
        link = turned(pose.rotation, link);
        rotation = lb_quat_multiply(pose.rotation, rotation);
        anchored = anchored || floats(above);
        if (!anchored) {
            exact = lb_vec3_add(exact, pose.place);
            link = lb_vec3_add(link, gltf_apply(above->above, above->place));
        }
    }
    rotation = lb_quat_conjugate(lb_quat_normalize(rotation));
    return turned(rotation, lb_vec3_sub(exact, link));
}

/* ---- both chains ---------------------------------------------------------- */

/* A node at a time, in the file's root frame. */
typedef struct chain_link {
    double whole[9]; /* the rotations and scales of the nodes above and its own */
    lb_quat rotation;
    lb_vec3 exact, link; /* the origins of the node and of its link */
} chain_link;

/* What is looked for drift. */
typedef struct drift_search {
    lb_gltf *gltf;
    chain_link *chain; /* of each node */
    double limit;      /* of drift, file units */
    double rounding;   /* of drift by the numbers of the library itself */
    bool found;        /* a joint that has to float was added */
} drift_search;

static void follow_node(drift_search *s, int animation, double time, int index)
{
    static const chain_link root = {
        {1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    gltf_node *node = &s->gltf->nodes[index];
    const chain_link *parent = node->parent < 0 ? &root : &s->chain[node->parent];
    chain_link *at = &s->chain[index];
    gltf_pose pose = gltf_node_at(s->gltf, animation, index, time);
    at->exact = lb_vec3_add(parent->exact, gltf_apply(parent->whole, pose.place));
    lb_vec3 place = turned(parent->rotation, gltf_apply(node->above, node->place));
    at->link = lb_vec3_add(parent->link, place);
    if (!floats(node) && lb_vec3_length(lb_vec3_sub(at->exact, at->link)) > s->limit)
        node->moved = s->found = true;
    if (floats(node)) {
        at->link = at->exact;
        double off = lb_vec3_length(lb_vec3_sub(parent->exact, parent->link));
        node->corrected = node->corrected || off > s->rounding;
    }
    double turn[9];
    gltf_rotation_matrix(pose.rotation, turn);
    gltf_multiply(turn, pose.stretch, at->whole);
    gltf_multiply(parent->whole, at->whole, at->whole);
    at->rotation = lb_quat_normalize(lb_quat_multiply(parent->rotation, pose.rotation));
}

/* ---- all animations ------------------------------------------------------- */

/* `budget`: how many nodes may be followed yet */
static lb_status follow_animation(drift_search *s, int animation, double *budget)
{
    int nodes = s->gltf->node_count;
    gltf_times list = {.memory = s->gltf->allocator, .most = (int)fmin(1e8, *budget / nodes)};
    lb_status status = gltf_times_collect(&list, s->gltf, animation);
    for (int t = 0; t < list.count && status == LB_OK; t++)
        for (int i = 0; i < nodes; i++)
            follow_node(s, animation, list.times[t], s->gltf->order[i]);
    *budget -= (double)list.count * nodes;
    gltf_times_release(&list);
    return status;
}

/* LB_UNSUPPORTED: the animations are longer than a file of its size has any use for */
static lb_status follow_all(drift_search *s)
{
    // a joint that is added corrects those below it, so that fewer are needed: some rounds suffice
    enum { MOST_ROUNDS = 8 };
    double budget = 4.0 * (double)s->gltf->size + 1e6;
    lb_status status = LB_OK;
    s->found = true;
    for (int round = 0; round < MOST_ROUNDS && s->found && status == LB_OK; round++) {
        s->found = false;
        for (int a = 0; a < s->gltf->info.animations && status == LB_OK; a++)
            status = follow_animation(s, a, &budget);
    }
    return status == LB_OK && s->found ? LB_UNSUPPORTED : status;
}

/* every place that is animated moves */
static void float_all(lb_gltf *gltf)
{
    for (int c = 0; c < gltf->channel_count; c++)
        if (gltf->channels[c].path == GLTF_PLACE)
            gltf->nodes[gltf->channels[c].node].moved = true;
}

/*
 * By default links are within 1e-6 m at all times. Between the keys, where nothing is looked at,
 * they drift by 1 % more at most in the files tried; of figures above 9.5 m, floats themselves
 * leave more.
 */
#define DRIFT_METRES 9.5e-7
#define DRIFT_SHARE 1e-7

lb_status gltf_limit_drift(gltf_reader *reader, double reach)
{
    lb_gltf *gltf = reader->gltf;
    double given = reader->options->tolerance * reach;
    double usual = fmax(DRIFT_METRES / gltf->info.unit, DRIFT_SHARE * reach);
    drift_search s = {.gltf = gltf, .rounding = 1e-13 * reach};
    s.limit = fmax(s.rounding, given > 0 ? given : usual);
    s.chain = memory_take(&gltf->allocator, (size_t)gltf->node_count, sizeof *s.chain);
    if (s.chain == NULL)
        return error_out_of_memory(reader->error);
    lb_status status = follow_all(&s);
    memory_release(&gltf->allocator, s.chain);
    if (status == LB_UNSUPPORTED)
        float_all(gltf);
    return status == LB_OUT_OF_MEMORY ? error_out_of_memory(reader->error) : LB_OK;
}
