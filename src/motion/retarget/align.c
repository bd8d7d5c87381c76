/*
 * align.c - how links of two figures correspond: by their bones, whatever their rest poses are.
 *
 * Each role has an anatomical frame F, found in the figure at rest: of trunk and head the body's
 * own (x forward, y left, z up); of a limb's link that of the body turned by the smallest rotation
 * from hanging down to the bone. An arm that hangs and one that is held out to the side then have
 * the same frame along their bone, palms to the thighs there and down here, and A and T poses need
 * no case of their own. With R the link's axes at rest, the target's link follows the source's by
 * the rotation R_s^-1 F_s F_t^-1 R_t.
 */
#include "base/error.h"
#include "motion/retarget/figure.h"
#include "motion/rotation.h"

#include <limber/kinematics.h>

#include <string.h>

/* A model at rest, and what of it has roles. */
typedef struct figure {
    const lb_model *model;
    const lb_transform *at; /* links at rest */
    lb_rig rig;
    lb_vec3 centers[LB_ROLE_COUNT]; /* of the joints that begin each role, in the world at rest */
    lb_quat body;                   /* x forward, y left, z up */
    double leg;                     /* thigh and shank, the mean of both sides; 0: no legs */
    double arm;                     /* upper arm and forearm, likewise */
} figure;

/* ---- figures -------------------------------------------------------------- */

/* the role above one, in the chain of its joints; LB_ROLE_COUNT: none */
static lb_role role_above(lb_role role)
{
    switch (role) {
    case LB_ROLE_PELVIS:
        return LB_ROLE_COUNT;
    case LB_ROLE_CHEST:
    case LB_ROLE_LEFT_THIGH:
    case LB_ROLE_RIGHT_THIGH:
        return LB_ROLE_PELVIS;
    case LB_ROLE_HEAD:
    case LB_ROLE_LEFT_UPPER_ARM:
    case LB_ROLE_RIGHT_UPPER_ARM:
        return LB_ROLE_CHEST;
    default:
        return (lb_role)(role - 1);
    }
}

static double apart(const figure *f, lb_role a, lb_role b)
{
    return lb_vec3_length(lb_vec3_sub(f->centers[a], f->centers[b]));
}

static bool has_both(const figure *f, lb_role left, lb_role right)
{
    return f->rig.links[left] >= 0 && f->rig.links[right] >= 0;
}

/* the body's axes: left by the hips, else by the shoulders */
static void find_body(figure *f)
{
    lb_vec3 up = lb_vec3_make(0, 0, 1);
    bool hips = has_both(f, LB_ROLE_LEFT_THIGH, LB_ROLE_RIGHT_THIGH);
    lb_role l = hips ? LB_ROLE_LEFT_THIGH : LB_ROLE_LEFT_UPPER_ARM;
    lb_role r = hips ? LB_ROLE_RIGHT_THIGH : LB_ROLE_RIGHT_UPPER_ARM;
    lb_vec3 left = lb_vec3_sub(f->centers[l], f->centers[r]);
    left.z = 0;
    left = lb_vec3_normalize(left, lb_vec3_make(0, 1, 0));
    lb_transform axes = {lb_vec3_cross(left, up), left, up, {0, 0, 0}};
    f->body = lb_transform_quat(&axes);
}

/* the mean length of two limbs from the roles that begin them, 0: some part is missing */
static double limb_length(const figure *f, lb_role left, lb_role right)
{
    const lb_role begins[2] = {left, right};
    double length = 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            lb_role from = (lb_role)((int)begins[i] + k), to = (lb_role)((int)begins[i] + k + 1);
            if (!has_both(f, from, to))
                return 0;
            length += apart(f, from, to);
        }
    return 0.5 * length;
}

static void find_centers(figure *f)
{
    for (int i = 0; i < LB_ROLE_COUNT; i++) {
        lb_role above = role_above((lb_role)i);
        int link = f->rig.links[i], from = above < LB_ROLE_COUNT ? f->rig.links[above] : -1;
        // without a chest arms hang from the pelvis
        if (from < 0)
            from = f->rig.links[LB_ROLE_PELVIS];
        if (link >= 0)
            f->centers[i] = i == LB_ROLE_PELVIS
                                ? f->at[link].p
                                : retarget_joint_center(f->model, f->at, from > 0 ? from : 0, link);
    }
    static const lb_role uppers[] = {LB_ROLE_LEFT_UPPER_ARM, LB_ROLE_RIGHT_UPPER_ARM,
                                     LB_ROLE_LEFT_THIGH, LB_ROLE_RIGHT_THIGH};
    for (size_t i = 0; i < sizeof uppers / sizeof *uppers; i++)
        retarget_flatten_limb(f->model, f->at, &f->rig.links[uppers[i]], &f->centers[uppers[i]]);
}

/* `rig`: where no figure is found, that of a part of one; NULL: there is none */
static lb_status find_figure(figure *f, const lb_model *model, const lb_transform *at,
                             const lb_rig *rig, const lb_allocator *memory, lb_error *error)
{
    *f = (figure){.model = model, .at = at};
    lb_status status = lb_rig_find(model, memory, &f->rig, error);
    bool part = status == LB_BAD_MODEL && rig != NULL;
    if (part)
        f->rig = *rig;
    else if (status != LB_OK)
        return status;
    find_centers(f);
    find_body(f);
    f->leg = limb_length(f, LB_ROLE_LEFT_THIGH, LB_ROLE_RIGHT_THIGH);
    f->arm = limb_length(f, LB_ROLE_LEFT_UPPER_ARM, LB_ROLE_RIGHT_UPPER_ARM);
    if (part && f->leg + f->arm > 0)
        return LB_OK;
    if (!part && !(f->leg > 0))
        status = REFUSE_MODEL(error, "'%s': its legs have no length", lb_model_name(model));
    return status;
}

/* ---- bones ---------------------------------------------------------------- */

static bool is_limb(lb_role role)
{
    return role >= LB_ROLE_LEFT_UPPER_ARM && role != LB_ROLE_LEFT_FOOT &&
           role != LB_ROLE_RIGHT_FOOT && !retarget_is_toe(role);
}

static bool is_foot(lb_role role)
{
    return role == LB_ROLE_LEFT_FOOT || role == LB_ROLE_RIGHT_FOOT;
}

static bool is_hand(lb_role role)
{
    return role == LB_ROLE_LEFT_HAND || role == LB_ROLE_RIGHT_HAND;
}

/* the direction of a role's bone at rest, in the world */
static lb_vec3 bone_of(const figure *f, lb_role role)
{
    lb_vec3 from = f->centers[role], down = lb_vec3_make(0, 0, -1), to;
    if (is_hand(role)) {
        // to the knuckles, else as the forearm goes on
        lb_vec3 forearm = lb_vec3_sub(from, f->centers[role - 1]);
        return lb_vec3_normalize(retarget_knuckles(f->model, f->at, f->rig.links[role]),
                                 lb_vec3_normalize(forearm, down));
    }
    bool has_next = role + 1 < LB_ROLE_COUNT && f->rig.links[role + 1] >= 0 &&
                    f->rig.links[role + 1] != f->rig.links[role];
    to = has_next ? f->centers[role + 1]
                  : retarget_farthest_below(f->model, f->at, f->rig.links[role], from);
    if (!has_next && lb_vec3_length(lb_vec3_sub(to, from)) == 0)
        to = retarget_link_end(f->model, f->at, f->rig.links[role]);
    return lb_vec3_normalize(lb_vec3_sub(to, from), down);
}

static lb_vec3 forward_of(const figure *f)
{
    return lb_quat_rotate(f->body, lb_vec3_make(1, 0, 0));
}

/* where a foot points, along the ground: to its toes, else to the front; frames on a foot that
   hinges turn may be those of sensors */
static lb_vec3 foot_forward(const figure *f, lb_role role)
{
    lb_vec3 from = f->centers[role], to = from, forward = forward_of(f);
    int carrier = f->rig.links[role];
    while (carrier > 0 && lb_model_joint(f->model, carrier - 1)->kind == LB_JOINT_FIXED)
        carrier = lb_model_parent(f->model, carrier);
    if (f->rig.links[role + 1] >= 0)
        to = f->at[f->rig.links[role + 1]].p;
    else if (carrier <= 0 || !retarget_is_hinge(f->model, carrier))
        to = retarget_farthest_below(f->model, f->at, f->rig.links[role], from);
    lb_vec3 along = lb_vec3_sub(to, from);
    along.z = 0;
    // what is straight below the ankle does not say where forward is
    if (lb_vec3_length(along) < 0.05 * f->leg || lb_vec3_dot(along, forward) <= 0)
        return forward;
    return lb_vec3_normalize(along, forward);
}

/* the anatomical frame of a role; toes have that of their foot */
static lb_quat anatomy(const figure *f, lb_role role)
{
    role = retarget_is_toe(role) ? (lb_role)(role - 1) : role;
    if (is_limb(role))
        return lb_quat_multiply(rotation_smallest(lb_vec3_make(0, 0, -1), bone_of(f, role)),
                                f->body);
    if (!is_foot(role))
        return f->body;
    lb_vec3 x = foot_forward(f, role), up = lb_vec3_make(0, 0, 1);
    lb_transform axes = {x, lb_vec3_cross(up, x), up, {0, 0, 0}};
    return lb_transform_quat(&axes);
}

/* ---- pairs ---------------------------------------------------------------- */

/* What each role's pair follows. */
typedef struct role_weights {
    lb_role role;
    double position, orientation, direction;
} role_weights;

/*
 * Limbs follow directions, so that proportions do not matter; a pelvis that feet hold back gives
 * way before the trunk bends. Thighs and shanks decide where a knee points, and little else.
 */
static const role_weights weights[] = {
    {LB_ROLE_PELVIS, 1, 1, 0},
    {LB_ROLE_CHEST, 0, 0.5, 0},
    {LB_ROLE_HEAD, 0, 0.1, 0},
    {LB_ROLE_LEFT_UPPER_ARM, 0, 0.01, 1},
    {LB_ROLE_LEFT_FOREARM, 0, 0, 1},
    {LB_ROLE_LEFT_HAND, 0, 0.05, 0},
    {LB_ROLE_RIGHT_UPPER_ARM, 0, 0.01, 1},
    {LB_ROLE_RIGHT_FOREARM, 0, 0, 1},
    {LB_ROLE_RIGHT_HAND, 0, 0.05, 0},
    {LB_ROLE_LEFT_THIGH, 0, 0, 0.05},
    {LB_ROLE_LEFT_SHANK, 0, 0, 0.05},
    {LB_ROLE_LEFT_FOOT, 0, 1, 0},
    {LB_ROLE_LEFT_TOE, 0, 1, 0},
    {LB_ROLE_RIGHT_THIGH, 0, 0, 0.05},
    {LB_ROLE_RIGHT_SHANK, 0, 0, 0.05},
    {LB_ROLE_RIGHT_FOOT, 0, 1, 0},
    {LB_ROLE_RIGHT_TOE, 0, 1, 0},
};

enum { WEIGHTS = sizeof weights / sizeof *weights };

lb_retarget_pair lb_retarget_pair_make(lb_role role, int source, int target)
{
    lb_retarget_pair pair = {.role = role,
                             .source = source,
                             .target = target,
                             .rotation = LB_QUAT_IDENTITY,
                             .axis = {0, 0, -1}};
    for (int i = 0; i < WEIGHTS; i++) {
        if (weights[i].role != role)
            continue;
        pair.position = weights[i].position;
        pair.orientation = weights[i].orientation;
        pair.direction = weights[i].direction;
    }
    return pair;
}

/* what in a figure a role's place is: of the pelvis the middle of the hips */
static lb_vec3 place_of(const figure *f, lb_role role)
{
    if (role == LB_ROLE_PELVIS && has_both(f, LB_ROLE_LEFT_THIGH, LB_ROLE_RIGHT_THIGH))
        return retarget_middle(f->centers[LB_ROLE_LEFT_THIGH], f->centers[LB_ROLE_RIGHT_THIGH]);
    return f->centers[role];
}

/* whether some joint moves two links against each other */
static bool is_moved(const lb_model *model, int a, int b)
{
    while (a != b) {
        int *lower = a > b ? &a : &b;
        if (lb_model_joint(model, *lower - 1)->kind != LB_JOINT_FIXED)
            return true;
        *lower = lb_model_parent(model, *lower);
    }
    return false;
}

/* heel and toe of a foot that stands flat: where toes move, the sole of the foot ends before them
 */
static bool find_sole(const figure *f, lb_role role, int foot, const lb_looks *looks, lb_vec3 *heel,
                      lb_vec3 *front)
{
    int toe = f->rig.links[role + 1];
    bool moves = toe >= 0 && is_moved(f->model, foot, toe);
    const retarget_standing_foot standing = {.link = foot,
                                             .forward = foot_forward(f, role),
                                             .ankle = f->centers[role],
                                             .leg = f->leg,
                                             .end = moves ? &f->at[toe].p : NULL};
    return retarget_find_sole(f->model, f->at, looks, &standing, heel, front);
}

/* how much wider than the target's the source's hips may be without its feet coming nearer, as a
   share of the target's: CMU's figures are 0.32 wider than `human`, cartoon figures more */
#define MOST_WIDER_HIPS 0.35

/* the ankle of a foot and the joint of its toes, by which it is found when it rests */
static void find_joints(const figure *f, lb_role role, lb_contact_point joints[2])
{
    int foot = f->rig.links[role], toe = f->rig.links[role + 1];
    lb_vec3 ankle = f->centers[role];
    lb_vec3 front = toe >= 0 ? f->at[toe].p : retarget_farthest_below(f->model, f->at, foot, ankle);
    toe = toe >= 0 ? toe : foot;
    joints[0] = (lb_contact_point){.link = foot, .at = retarget_in_link(&f->at[foot], ankle)};
    joints[1] = (lb_contact_point){.link = toe, .at = retarget_in_link(&f->at[toe], front)};
}

/* heel and toe: of the source its ankle and the joint of its toes, of the target its sole */
static void align_foot(const figure *s, const figure *t, double scale, lb_retarget_pair *pair)
{
    lb_role role = pair->role;
    lb_contact_point joints[2];
    find_joints(s, role, joints);
    pair->held_count = 2;
    for (int k = 0; k < 2; k++) {
        pair->held[k].source = joints[k].link;
        pair->held[k].source_at = joints[k].at;
    }
    find_sole(t, role, pair->target, NULL, &pair->held[0].at, &pair->held[1].at);
    // feet are as far apart as the target's hips are wider; below hips that are narrower, as
    // people's differ, they come no nearer to each other, or they would pass through each other
    double wide_t = apart(t, LB_ROLE_LEFT_THIGH, LB_ROLE_RIGHT_THIGH);
    double wide_s = apart(s, LB_ROLE_LEFT_THIGH, LB_ROLE_RIGHT_THIGH);
    bool hips = has_both(s, LB_ROLE_LEFT_THIGH, LB_ROLE_RIGHT_THIGH) &&
                has_both(t, LB_ROLE_LEFT_THIGH, LB_ROLE_RIGHT_THIGH);
    double outward = hips ? 0.5 * (wide_t - scale * wide_s) : 0;
    if (outward < 0)
        outward = fmin(0, outward + 0.5 * MOST_WIDER_HIPS * wide_t);
    pair->offset = lb_vec3_make(0, role == LB_ROLE_LEFT_FOOT ? outward : 0 - outward, 0);
}

static void align_role(const figure *s, const figure *t, double scale, lb_retarget_pair *pair)
{
    lb_role role = pair->role;
    const lb_transform *as = &s->at[pair->source], *bt = &t->at[pair->target];
    lb_quat from = lb_quat_multiply(lb_quat_conjugate(lb_transform_quat(as)), anatomy(s, role));
    lb_quat to = lb_quat_multiply(lb_quat_conjugate(anatomy(t, role)), lb_transform_quat(bt));
    pair->rotation = lb_quat_normalize(lb_quat_multiply(from, to));
    pair->source_point = retarget_in_link(as, place_of(s, role));
    pair->target_point = retarget_in_link(bt, place_of(t, role));
    lb_vec3 bone = is_limb(role) ? bone_of(t, role) : forward_of(t);
    pair->axis = lb_quat_rotate(lb_quat_conjugate(lb_transform_quat(bt)), bone);
    if (is_foot(role))
        align_foot(s, t, scale, pair);
    pair->aligned = true;
}

/* without a role: as both are at rest */
static void align_rest(const lb_transform *source, const lb_transform *target,
                       lb_retarget_pair *pair)
{
    pair->rotation =
        lb_quat_multiply(lb_quat_conjugate(lb_transform_quat(source)), lb_transform_quat(target));
    pair->aligned = true;
}

/* ---- maps ----------------------------------------------------------------- */

/* pairs of the roles that both rigs have and the target can move by themselves */
static void pair_roles(const lb_rig *source, const lb_model *model, const lb_rig *target,
                       lb_retarget_map *map)
{
    *map = (lb_retarget_map){.count = 0};
    for (int i = 0; i < WEIGHTS; i++) {
        const role_weights *w = &weights[i];
        int from = source->links[w->role], to = target->links[w->role];
        // toes of a source without any are as straight as its feet
        if (from < 0 && retarget_is_toe(w->role))
            from = source->links[w->role - 1];
        lb_role above = role_above(w->role);
        int carrier = above < LB_ROLE_COUNT ? target->links[above] : -1;
        if (from < 0 || to < 0 || (carrier >= 0 && !is_moved(model, carrier, to)))
            continue;
        map->pairs[map->count++] = lb_retarget_pair_make(w->role, from, to);
    }
}

/* what the axes of a link count on its own skeleton, at least: less than what keeps links apart */
#define OWN_AXES 0.5

/* on its own skeleton every link that moves follows itself */
static void pair_links(const lb_model *model, lb_retarget_map *map)
{
    int roles = map->count;
    for (int i = 0; i < roles; i++)
        map->pairs[i].orientation = fmax(map->pairs[i].orientation, OWN_AXES);
    for (int link = 1; link < lb_model_link_count(model); link++) {
        bool paired = lb_model_joint(model, link - 1)->kind == LB_JOINT_FIXED;
        for (int i = 0; i < roles; i++)
            paired = paired || map->pairs[i].target == link;
        if (paired || map->count == LB_RETARGET_PAIRS)
            continue;
        lb_retarget_pair *pair = &map->pairs[map->count++];
        *pair = lb_retarget_pair_make(LB_ROLE_COUNT, link, link);
        pair->orientation = OWN_AXES;
    }
}

/* whether pairs are aligned by their roles, or the scale is that of the legs */
static bool needs_figures(const lb_retarget_map *map)
{
    bool scaled = map->root_scale > 0;
    for (int i = 0; i < map->count; i++)
        if (map->pairs[i].role < LB_ROLE_COUNT && (!map->pairs[i].aligned || !scaled))
            return true;
    return false;
}

/* without roles: how far held points are from the root at rest, over that of the source; 1: none */
static double scale_of_held(const lb_transform *source, const lb_transform *target,
                            const lb_retarget_map *map)
{
    double from = 0, to = 0;
    lb_vec3 s = source[map->pairs[0].source].p, t = target[map->pairs[0].target].p;
    for (int i = 0; i < map->count; i++)
        for (int k = 0; k < map->pairs[i].held_count; k++) {
            const lb_retarget_pair *pair = &map->pairs[i];
            const lb_retarget_held *held = &pair->held[k];
            lb_vec3 a = lb_transform_point(&source[held->source], held->source_at);
            lb_vec3 b = lb_transform_point(&target[pair->target], held->at);
            from += lb_vec3_length(lb_vec3_sub(a, s));
            to += lb_vec3_length(lb_vec3_sub(b, t));
        }
    return from > 0 && to > 0 ? to / from : 1;
}

/* the target's legs over the source's; of parts without legs its arms */
static double scale_of_limbs(const figure *from, const figure *to)
{
    if (from->leg > 0 && to->leg > 0)
        return to->leg / from->leg;
    return from->arm > 0 && to->arm > 0 ? to->arm / from->arm : 1;
}

/* pairs of roles by the figures; a scale by their legs */
static lb_status align_pairs(retarget_rest *rest, const lb_model *source, const lb_model *target,
                             const lb_allocator *memory, lb_retarget_map *map, lb_error *error)
{
    figure from, to;
    lb_rig source_part, target_part;
    retarget_map_roles(map, true, &source_part);
    retarget_map_roles(map, false, &target_part);
    bool figures = needs_figures(map);
    if (figures)
        TRY(find_figure(&from, source, rest->source, &source_part, memory, error));
    if (figures)
        TRY(find_figure(&to, target, rest->target, &target_part, memory, error));
    if (!(map->root_scale > 0))
        map->root_scale =
            figures ? scale_of_limbs(&from, &to) : scale_of_held(rest->source, rest->target, map);
    if (!(map->scale > 0))
        map->scale = map->root_scale;
    bool fresh[LB_RETARGET_PAIRS] = {false};
    for (int i = 0; i < map->count; i++) {
        lb_retarget_pair *pair = &map->pairs[i];
        fresh[i] = !pair->aligned;
        if (!pair->aligned && pair->role < LB_ROLE_COUNT) {
            // another link may have the role by the user's own map
            from.rig.links[pair->role] = pair->source;
            to.rig.links[pair->role] = pair->target;
            align_role(&from, &to, map->scale, pair);
        } else if (!pair->aligned) {
            align_rest(&rest->source[pair->source], &rest->target[pair->target], pair);
        }
    }
    retarget_hold_palms(rest, map, fresh);
    return LB_OK;
}

lb_status retarget_align(const lb_model *source, const double *rest, const lb_model *target,
                         const lb_allocator *memory, lb_retarget_map *map, lb_error *error)
{
    retarget_rest figures;
    MEMORY_POOL(own, memory);
    TRY(retarget_rest_create(source, rest, target, map, &own, &figures, error));
    return align_pairs(&figures, source, target, &own, map, error);
}

/* finds the rig of the source or the target; figures that are not recognised, as animals, need a
   map */
static lb_status find_rig(const char *whose, const lb_model *model, const lb_allocator *allocator,
                          lb_rig *rig, lb_error *error)
{
    lb_status status = lb_rig_find(model, allocator, rig, error);
    if (status == LB_BAD_MODEL)
        lb_error_set(
            error, status, 0,
            "the %s '%s' has no pelvis and legs that are found by name or by shape; give "
            "a map (lb_retarget_options.map; limber retarget --map, and --write-map writes "
            "what was found)",
            whose, lb_model_name(model));
    return status;
}

lb_status lb_retarget_map_find(const lb_model *source, const double *rest, const lb_model *target,
                               const lb_allocator *allocator, lb_retarget_map *map, lb_error *error)
{
    lb_rig from, to;
    TRY(REQUIRE(error, {source, "source"}, {target, "target"}, {map, "map"}));
    lb_status status = find_rig("source", source, allocator, &from, error);
    if (status != LB_OK && status != LB_BAD_MODEL)
        return status;
    lb_status other = find_rig("target", target, allocator, &to, status == LB_OK ? error : NULL);
    if (other != LB_OK && other != LB_BAD_MODEL)
        return other;
    // roles of what is no figure are paired all the same
    pair_roles(&from, target, &to, map);
    if (retarget_same_skeleton(source, target))
        pair_links(target, map);
    TRY(status == LB_OK ? other : status);
    return retarget_align(source, rest, target, allocator, map, error);
}

/* ---- soles ---------------------------------------------------------------- */

/* heel and toe of both feet */
static bool find_feet(const figure *f, const lb_looks *looks, lb_contact_point soles[4])
{
    const lb_role feet[2] = {LB_ROLE_LEFT_FOOT, LB_ROLE_RIGHT_FOOT};
    bool known = true;
    for (int i = 0; i < 2; i++) {
        int link = f->rig.links[feet[i]];
        lb_contact_point *heel = &soles[2 * i], *toe = heel + 1;
        *heel = *toe = (lb_contact_point){.link = link};
        known = find_sole(f, feet[i], link, looks, &heel->at, &toe->at) && known;
    }
    return known;
}

lb_status retarget_soles(const lb_model *model, const double *rest, const lb_looks *looks,
                         const lb_allocator *allocator, lb_contacts **contacts, bool *known,
                         lb_error *error)
{
    MEMORY_POOL(memory, allocator);
    lb_contact_point soles[4];
    lb_state *state;
    figure f;
    *contacts = NULL;
    if (rest == NULL)
        TRY(retarget_flat_pose(model, &memory, &rest, error));
    TRY(require_memory(error, lb_state_create(model, &memory, &state) == LB_OK));
    lb_state_update(state, rest);
    TRY(find_figure(&f, model, lb_state_transforms(state), NULL, &memory, error));
    *known = find_feet(&f, looks, soles);
    return lb_contacts_create(soles, 4, allocator, contacts, error);
}
