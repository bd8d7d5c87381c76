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

/* the chains at a root's parent */
static const gltf_chain chain_root = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 0, 0, 0}, {0, 0, 0}};

static const gltf_chain *chain_above(const gltf_chain *chain, int parent)
{
    return parent < 0 ? &chain_root : &chain[parent];
}

lb_vec3 gltf_place_below(const gltf_node *node, const gltf_pose *pose, const gltf_chain *above)
{
    if (!gltf_follows_chain(node))
        return gltf_apply(node->above, pose->place);
    lb_vec3 place = lb_vec3_add(above->off, gltf_apply(above->whole, pose->place));
    return turned(lb_quat_conjugate(above->rotation), place);
}

gltf_chain gltf_chain_above(const lb_gltf *gltf, int node, gltf_node_pose *pose_of,
                            const void *user)
{
    // the parent's origin in the file and in the model, from one node above to the next; below a
    // joint that floats both count from its origin, which is the same in both
    gltf_chain at = chain_root;
    lb_vec3 exact = {0, 0, 0}, link = {0, 0, 0};
    bool anchored = false;
    for (int n = gltf->nodes[node].parent; n >= 0; n = gltf->nodes[n].parent) {
        const gltf_node *above = &gltf->nodes[n];
        gltf_pose pose = pose_of(user, n);
        double turn[9];
        gltf_rotation_matrix(pose.rotation, turn);
        exact = gltf_apply(turn, gltf_apply(pose.stretch, exact));
        link = gltf_apply(turn, link);
        gltf_multiply(pose.stretch, at.whole, at.whole);
        gltf_multiply(turn, at.whole, at.whole);
        at.rotation = lb_quat_multiply(pose.rotation, at.rotation);
        anchored = anchored || floats(above);
        if (!anchored) {
            exact = lb_vec3_add(exact, pose.place);
            link = lb_vec3_add(link, gltf_apply(above->above, above->place));
        }
    }
    at.rotation = lb_quat_normalize(at.rotation);
    at.off = lb_vec3_sub(exact, link);
    return at;
}

void gltf_stretch_above(const lb_gltf *gltf, int node, gltf_node_pose *pose_of, const void *user,
                        double out[9])
{
    gltf_chain above = gltf_chain_above(gltf, node, pose_of, user);
    double turn[9];
    gltf_rotation_matrix(lb_quat_conjugate(above.rotation), turn);
    gltf_multiply(turn, above.whole, out);
}

void gltf_chain_add(const lb_gltf *gltf, int index, const gltf_pose *pose, gltf_chain *chain)
{
    const gltf_node *node = &gltf->nodes[index];
    const gltf_chain *above = chain_above(chain, node->parent);
    gltf_chain *at = &chain[index];
    double turn[9];
    lb_vec3 exact = lb_vec3_add(above->off, gltf_apply(above->whole, pose->place));
    lb_vec3 place = turned(above->rotation, gltf_apply(node->above, node->place));
    at->off = floats(node) ? (lb_vec3){0, 0, 0} : lb_vec3_sub(exact, place);
    gltf_rotation_matrix(pose->rotation, turn);
    gltf_multiply(turn, pose->stretch, at->whole);
    gltf_multiply(above->whole, at->whole, at->whole);
    at->rotation = lb_quat_normalize(lb_quat_multiply(above->rotation, pose->rotation));
}

/* ---- both chains ---------------------------------------------------------- */

/* What is looked for drift. */
typedef struct drift_search {
    lb_gltf *gltf;
    gltf_times list;   /* of the animation that is followed */
    gltf_chain *chain; /* of each node */
    double limit;      /* of drift, file units */
    double rounding;   /* of drift by the numbers of the library itself */
    bool found;        /* a joint that has to float was added */
} drift_search;

static void follow_node(drift_search *s, int animation, double time, int index)
{
    gltf_node *node = &s->gltf->nodes[index];
    gltf_pose pose = gltf_node_at(s->gltf, animation, index, time);
    gltf_chain_add(s->gltf, index, &pose, s->chain);
    if (!floats(node) && lb_vec3_length(s->chain[index].off) > s->limit) {
        node->moved = s->found = true;
        s->chain[index].off = (lb_vec3){0, 0, 0};
    }
    if (!floats(node) || gltf_follows_chain(node))
        return;
    // the place that does not look at the chain, and the one that does
    lb_vec3 plain = gltf_place_below(node, &pose, NULL);
    node->corrected = true;
    lb_vec3 place = gltf_place_below(node, &pose, chain_above(s->chain, node->parent));
    node->corrected = lb_vec3_length(lb_vec3_sub(place, plain)) > s->rounding;
}

/* ---- all animations ------------------------------------------------------- */

/* `budget`: how many more poses of nodes may be worked out; it gets smaller by those that are */
static lb_status follow_animation(drift_search *s, int animation, double *budget)
{
    int nodes = s->gltf->node_count;
    s->list.most = (int)fmin(1e8, *budget / nodes);
    TRY(gltf_times_collect(&s->list, s->gltf, animation));
    for (int t = 0; t < s->list.count; t++)
        for (int i = 0; i < nodes; i++)
            follow_node(s, animation, s->list.times[t], s->gltf->order[i]);
    *budget -= (double)s->list.count * nodes;
    return LB_OK;
}

/* until no joint is added: each that is corrects those below it, so that a few rounds suffice;
   LB_UNSUPPORTED: they take more poses of nodes than a file of this size has any use for */
static lb_status follow_all(drift_search *s)
{
    double budget = 4.0 * (double)s->gltf->size + 1e6;
    do {
        s->found = false;
        for (int a = 0; a < s->gltf->info.animations; a++)
            TRY(follow_animation(s, a, &budget));
    } while (s->found);
    return LB_OK;
}

/* every place that is animated moves, and brings its link to where the file has it */
static void float_all(lb_gltf *gltf, load_warnings *warnings)
{
    for (int c = 0; c < gltf->channel_count; c++)
        if (gltf->channels[c].path == GLTF_PLACE)
            gltf->nodes[gltf->channels[c].node].moved = true;
    for (int i = 0; i < gltf->node_count; i++)
        gltf->nodes[i].corrected = floats(&gltf->nodes[i]);
    warnings_add(warnings, 0,
                 "the animations have too many keys to look for drift at all of them: every joint "
                 "whose translation is animated floats; links below scales that tremble may be "
                 "farther from their nodes than the tolerance");
}

/*
 * By default links are within 9.5e-7 m at all keys. Between them, where nothing is looked at, they
 * drift by 1 % more at most in the files tried, less than 1e-6 m; of figures above 9.5 m, floats
 * themselves leave more.
 */
#define DRIFT_METRES 9.5e-7
#define DRIFT_SHARE 1e-7

lb_status gltf_limit_drift(gltf_reader *reader, double reach)
{
    lb_gltf *gltf = reader->gltf;
    double given = reader->options->tolerance * reach;
    double usual = fmax(DRIFT_METRES / gltf->info.unit, DRIFT_SHARE * reach);
    drift_search s = {.gltf = gltf, .list.memory = reader->memory, .rounding = 1e-13 * reach};
    s.limit = fmax(s.rounding, given > 0 ? given : usual);
    s.chain = memory_take(&reader->memory, (size_t)gltf->node_count, sizeof *s.chain);
    TRY(require_memory(reader->error, s.chain));
    lb_status status = follow_all(&s);
    if (status == LB_UNSUPPORTED)
        float_all(gltf, reader->warnings);
    return status == LB_OUT_OF_MEMORY ? error_out_of_memory(reader->error) : LB_OK;
}
