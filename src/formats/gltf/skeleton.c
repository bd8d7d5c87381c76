/*
 * skeleton.c - the model of a glTF's nodes.
 *
 * Joints are rigid. With M the product of the rotations and scales above a node and R that of the
 * rotations alone, A = R^-1 M is the stretch above it in its parent's rigid frame: a node's place
 * there is A t. Below a node with rotation Q and scale S the stretch is Q^-1 A Q S. It is constant
 * unless a scale is animated or a rotation turns a stretch that is not uniform.
 */
#include "formats/gltf/gltf.h"

#include "base/error.h"
#include "formats/mapping/draft.h"

#include <string.h>

/* ---- what moves ---------------------------------------------------------- */

/* whether any key of a channel differs from these numbers by more than `most`, or has a tangent */
static bool departs(const lb_gltf *gltf, const gltf_channel *channel, const double rest[3],
                    double most)
{
    const gltf_accessor *values = &gltf->accessors[channel->values];
    bool cubic = channel->kind == GLTF_CUBIC;
    for (int i = 0; i < values->count; i++) {
        double value[16];
        gltf_element(values, i, value);
        bool tangent = cubic && i % 3 != 1;
        for (int k = 0; k < 3; k++)
            if (!(fabs(value[k] - (tangent ? 0 : rest[k])) <= most))
                return true;
    }
    return false;
}

static double largest(const double numbers[3])
{
    return fmax(fabs(numbers[0]), fmax(fabs(numbers[1]), fabs(numbers[2])));
}

/* marks what animations move of nodes, beyond rounding; `reach` is the longest chain. Returns
   whether any of the rest trembles. */
static bool mark_channels(lb_gltf *gltf, double reach)
{
    bool trembles = false;
    for (int c = 0; c < gltf->channel_count; c++) {
        const gltf_channel *channel = &gltf->channels[c];
        gltf_node *node = &gltf->nodes[channel->node];
        const double place[3] = {node->place.x, node->place.y, node->place.z};
        const double scale[3] = {node->stretch[0], node->stretch[4], node->stretch[8]};
        if (channel->path == GLTF_ROTATION) {
            node->turned = true;
            continue;
        }
        bool *moves = channel->path == GLTF_PLACE ? &node->moved : &node->stretched;
        const double *rest = channel->path == GLTF_PLACE ? place : scale;
        double size = channel->path == GLTF_PLACE ? reach : largest(scale);
        *moves = *moves || departs(gltf, channel, rest, gltf->tolerance * size);
        trembles = trembles || (!*moves && departs(gltf, channel, rest, 0));
    }
    return trembles;
}

static bool is_uniform(const double stretch[9], double tolerance)
{
    double scale = fabs(stretch[0]), off = 0;
    for (int i = 0; i < 9; i++)
        off = fmax(off, fabs(stretch[i] - (i % 4 == 0 ? stretch[0] : 0)));
    return off <= tolerance * scale;
}

void gltf_stretch_below(const gltf_node *node, double out[9])
{
    double turn[9], back[9];
    gltf_rotation_matrix(node->rotation, turn);
    gltf_rotation_matrix(lb_quat_conjugate(node->rotation), back);
    gltf_multiply(turn, node->stretch, out);
    gltf_multiply(node->above, out, out);
    gltf_multiply(back, out, out);
}

/* What is said of scales: the first node of each kind, and how many there are. */
typedef struct scale_findings {
    int animated, skewed;
    bool turning; /* a stretch that is uniform but for rounding is turned by an animation */
    const char *first_animated, *first_skewed;
} scale_findings;

static void note(int *count, const char **first, const char *name)
{
    if ((*count)++ == 0)
        *first = name;
}

/* the stretch above each node at rest; returns the longest chain of nodes, file units */
static double stretch_all(lb_gltf *gltf)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double longest = 0;
    for (int i = 0; i < gltf->node_count; i++) {
        gltf_node *node = &gltf->nodes[gltf->order[i]];
        const gltf_node *parent = node->parent < 0 ? NULL : &gltf->nodes[node->parent];
        memcpy(node->above, identity, sizeof identity);
        if (parent != NULL)
            gltf_stretch_below(parent, node->above);
        node->reach = lb_vec3_length(gltf_apply(node->above, node->place));
        node->reach += parent == NULL ? 0 : parent->reach;
        longest = fmax(longest, node->reach);
    }
    return longest;
}

/* what products of matrices leave of a uniform stretch, relatively */
#define EXACT 1e-13

/* whether the stretch above each node changes, and so which places move; parents come first */
static void find_shifting(lb_gltf *gltf, scale_findings *found)
{
    for (int i = 0; i < gltf->node_count; i++) {
        gltf_node *node = &gltf->nodes[gltf->order[i]];
        const gltf_node *parent = node->parent < 0 ? NULL : &gltf->nodes[node->parent];
        if (parent != NULL) {
            node->shifting = parent->stretched || parent->shifting ||
                             (parent->turned && !is_uniform(parent->above, gltf->tolerance));
            node->inside = parent->inside || parent->wanted;
            found->turning =
                found->turning || (parent->turned && !is_uniform(parent->above, EXACT));
        }
        if (!is_uniform(node->above, gltf->tolerance))
            note(&found->skewed, &found->first_skewed, node->name);
        node->moved = node->moved || (node->shifting && lb_vec3_length(node->place) > 0);
        if (node->stretched)
            note(&found->animated, &found->first_animated, node->name);
    }
}

static void warn_scales(const scale_findings *found, load_warnings *warnings)
{
    if (found->animated > 0)
        warnings_add(warnings, 0,
                     "the scale of %d node%s is animated, as of '%.80s'; joints have no scale: the "
                     "places of the nodes below follow it, sizes do not",
                     found->animated, found->animated == 1 ? "" : "s", found->first_animated);
    if (found->skewed > 0)
        warnings_add(warnings, 0,
                     "%d node%s, as '%.80s', %s below a scale that is not uniform; joints have no "
                     "scale: places are kept, the skew of axes is left out",
                     found->skewed, found->skewed == 1 ? "" : "s", found->first_skewed,
                     found->skewed == 1 ? "is" : "are");
}

/* ---- the model ----------------------------------------------------------- */

static void choose_kind(gltf_node *node)
{
    bool first = node->wanted && !node->inside;
    node->kind = node->moved || first           ? LB_JOINT_FLOATING
                 : node->turned || node->wanted ? LB_JOINT_BALL
                                                : LB_JOINT_FIXED;
}

static lb_status add_joint(const gltf_reader *reader, model_draft *draft, int index)
{
    const lb_gltf *gltf = reader->gltf;
    gltf_node *node = &gltf->nodes[index];
    lb_link *link = draft_link(draft, 0);
    lb_joint *joint = draft_joint(draft, 0);
    lb_quat r = node->rotation;
    lb_vec3 p = lb_vec3_scale(gltf_apply(node->above, node->place), gltf->info.unit);
    gltf_place place = gltf_place_of("nodes", (size_t)index);
    if (!(lb_vec3_length(p) <= LB_LENGTH_MAX))
        return gltf_refuse(reader, LB_BAD_VALUE, &place,
                           "the scales above it place it beyond 1e15 m");
    choose_kind(node);
    link->name = joint->name = joint->child = node->name;
    link->bone = node->bone;
    joint->parent = node->parent < 0 ? "world" : gltf->nodes[node->parent].name;
    joint->kind = node->kind;
    if (node->kind == LB_JOINT_FIXED)
        joint->placement = lb_transform_from_quat(r, p);
    else if (node->kind == LB_JOINT_BALL)
        joint->placement.p = p;
    if (node->kind == LB_JOINT_BALL)
        memcpy(joint->value, (double[]){r.w, r.x, r.y, r.z}, 4 * sizeof(double));
    if (node->kind == LB_JOINT_FLOATING)
        memcpy(joint->value, (double[]){p.x, p.y, p.z, r.w, r.x, r.y, r.z}, 7 * sizeof(double));
    return LB_OK;
}

/* where nodes and bones are in the model */
static void find_places(lb_gltf *gltf)
{
    for (int i = 0; i < gltf->node_count; i++) {
        gltf_node *node = &gltf->nodes[i];
        node->link = lb_model_find_link(gltf->model, node->name);
        node->joint = lb_model_find_joint(gltf->model, node->name);
        node->q = lb_model_joint_q(gltf->model, node->joint);
    }
    for (int i = 0; i < gltf->info.bones; i++)
        gltf->bones[i].link = gltf->nodes[gltf->bones[i].node].link;
}

/* the name of the first scene, else of the first root */
static const char *model_name(const lb_gltf *gltf)
{
    const tree_node *scenes = tree_member(gltf->json, "scenes");
    const char *name = tree_text(tree_element(scenes, 0), "name");
    return *name != '\0' ? name : gltf->nodes[gltf->order[0]].name;
}

lb_status gltf_build_model(gltf_reader *reader)
{
    lb_gltf *gltf = reader->gltf;
    scale_findings found = {0};
    model_draft draft;
    double reach = stretch_all(gltf);
    bool trembles = mark_channels(gltf, reach);
    find_shifting(gltf, &found);
    warn_scales(&found, reader->warnings);
    trembles = trembles || found.turning;
    if (trembles)
        TRY(gltf_limit_drift(reader, reach));
    TRY(draft_create(&draft, gltf->node_count + 1, gltf->node_count, 0, &reader->memory,
                     reader->error));
    draft_link(&draft, 0)->name = "world";
    draft.source.name = model_name(gltf);
    draft.source.root = gltf->root;
    for (int i = 0; i < gltf->node_count; i++)
        TRY(add_joint(reader, &draft, gltf->order[i]));
    TRY(draft_build(&draft, &gltf->pool.from, &gltf->model, reader->error));
    find_places(gltf);
    return LB_OK;
}
