/*
 * rest.c - the pose in which a captured figure stands, found from its motion.
 *
 * In it every role's anatomical frame (anatomy.c) is the world's: upright, with hanging arms and
 * flat feet. Each joint that turns freely is set by itself, so that nothing is solved; what has no
 * role is as on average.
 */
#include "base/error.h"
#include "motion/clip.h"
#include "motion/retarget/figure.h"
#include "motion/rotation.h"

#include <limber/kinematics.h>

#include <string.h>

/* the cosine of a trunk's lean up to which a robot stands at zero; trunks of some lean by 17
 * degrees */
#define UPRIGHT 0.7
/* radians that legs are spread at least, seen from the front, for a robot not to stand so */
#define SPREAD 0.15

/* ---- means ---------------------------------------------------------------- */

static lb_quat turn_at(const double *q)
{
    return (lb_quat){q[0], q[1], q[2], q[3]};
}

static void set_turn(lb_quat turn, double *q)
{
    q[0] = turn.w, q[1] = turn.x, q[2] = turn.y, q[3] = turn.z;
}

/* the mean of rotations, `stride` numbers apart: of a quaternion and its opposite, which are one
   rotation, the one that is nearer to the mean counts */
static lb_quat mean_turn(const double *q, size_t stride, int count)
{
    lb_quat turn = turn_at(q);
    for (int round = 0; round < 3; round++) {
        double sum[4] = {0};
        for (const double *at = q; at < q + stride * (size_t)count; at += stride) {
            double dot = at[0] * turn.w + at[1] * turn.x + at[2] * turn.y + at[3] * turn.z;
            for (int k = 0; k < 4; k++)
                sum[k] += dot < 0 ? -at[k] : at[k];
        }
        turn = lb_quat_normalize(turn_at(sum));
    }
    return turn;
}

static double mean_value(const double *q, size_t stride, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += q[stride * (size_t)i];
    return sum / count;
}

static lb_joint_kind joint_kind(const retarget_anatomy *a, int joint)
{
    return lb_model_joint(a->model, joint)->kind;
}

static bool turns_freely(const retarget_anatomy *a, int joint)
{
    return joint_kind(a, joint) == LB_JOINT_BALL || joint_kind(a, joint) == LB_JOINT_FLOATING;
}

/* the first number of the quaternion of a joint that turns freely */
static int turn_of(const retarget_anatomy *a, int joint)
{
    return lb_model_joint_q(a->model, joint) + lb_joint_kind_nq(joint_kind(a, joint)) - 4;
}

/* all joints as on average; the figure as a whole stays in its place */
static void take_means(const retarget_anatomy *a, double *q)
{
    size_t nq = (size_t)lb_model_nq(a->model);
    lb_configuration_neutral(a->model, q);
    for (int j = 0; j < lb_model_joint_count(a->model); j++) {
        if (lb_model_joint(a->model, j)->mimic != NULL)
            continue;
        bool turns = turns_freely(a, j);
        int at = lb_model_joint_q(a->model, j);
        int end = turns ? turn_of(a, j) : at + lb_joint_kind_nq(joint_kind(a, j));
        for (int k = at; k < end && j > 0; k++)
            q[k] = mean_value(a->q + k, nq, a->times);
        if (turns)
            set_turn(mean_turn(a->q + end, nq, a->times), q + end);
    }
}

/* ---- the pose ------------------------------------------------------------- */

/* the joint that turns a role's link: its own, or that of what it is fixed to; -1: none */
static int turning_joint(const retarget_anatomy *a, lb_role role)
{
    int link = a->rig.links[role];
    while (link > 0 && joint_kind(a, link - 1) == LB_JOINT_FIXED)
        link = lb_model_parent(a->model, link);
    return link - 1;
}

/* whether trunk, thighs, upper arms and feet turn freely; hinges, as of robots, have a zero of
   their own */
static bool can_stand(const retarget_anatomy *a)
{
    static const lb_role roles[] = {
        LB_ROLE_PELVIS,     LB_ROLE_LEFT_THIGH,     LB_ROLE_RIGHT_THIGH,    LB_ROLE_LEFT_FOOT,
        LB_ROLE_RIGHT_FOOT, LB_ROLE_LEFT_UPPER_ARM, LB_ROLE_RIGHT_UPPER_ARM};
    const int *links = a->rig.links;
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        int joint = a->found[roles[i]] ? turning_joint(a, roles[i]) : -1;
        if (a->found[roles[i]] && (joint < 0 || !turns_freely(a, joint)))
            return false;
    }
    return !retarget_is_loose(a->model, links[LB_ROLE_LEFT_SHANK], links[LB_ROLE_LEFT_FOOT]) &&
           !retarget_is_loose(a->model, links[LB_ROLE_RIGHT_SHANK], links[LB_ROLE_RIGHT_FOOT]);
}

/* turns a joint so that the frame of a role is the world's */
static void stand_role(const retarget_anatomy *a, lb_role role, int joint, lb_state *state,
                       double *q)
{
    lb_state_update(state, q);
    const lb_transform *links = lb_state_transforms(state);
    lb_quat moved = lb_transform_quat(&links[joint + 1]);
    lb_quat link = lb_transform_quat(&links[a->rig.links[role]]);
    lb_quat wanted = lb_quat_conjugate(lb_transform_quat(&a->frames[role]));
    lb_quat by = lb_quat_multiply(wanted, lb_quat_conjugate(link)); /* in the world */
    double *at = q + turn_of(a, joint);
    lb_quat own = lb_quat_multiply(lb_quat_conjugate(moved), lb_quat_multiply(by, moved));
    set_turn(lb_quat_normalize(lb_quat_multiply(turn_at(at), own)), at);
}

/* the first role whose frame is known and that a joint turns; LB_ROLE_COUNT: none */
static lb_role role_turned_by(const retarget_anatomy *a, int joint)
{
    lb_role role = 0;
    while (role < LB_ROLE_COUNT && (!a->found[role] || turning_joint(a, role) != joint))
        role++;
    return role;
}

/* whether the trunk is not upright at zero */
static bool lies(const retarget_anatomy *a, lb_state *state, double *q)
{
    lb_configuration_neutral(a->model, q);
    lb_state_update(state, q);
    const lb_transform *pelvis = &lb_state_transforms(state)[a->rig.links[LB_ROLE_PELVIS]];
    return lb_transform_direction(pelvis, a->frames[LB_ROLE_PELVIS].z).z < UPRIGHT;
}

/* the hinge between two links whose axis is nearest to a direction, within 45 degrees; -1: none */
static int hinge_along(const retarget_anatomy *a, const lb_transform *links, int above, int link,
                       lb_vec3 direction)
{
    double most = UPRIGHT;
    int found = -1;
    for (; link > above; link = lb_model_parent(a->model, link)) {
        const lb_joint *joint = lb_model_joint(a->model, link - 1);
        double along = lb_vec3_dot(lb_transform_direction(&links[link], joint->axis), direction);
        if (retarget_is_hinge(a->model, link) && joint->mimic == NULL && fabs(along) > most) {
            most = fabs(along);
            found = link - 1;
        }
    }
    return found;
}

/* turns the hip of a leg that is spread at zero, so that it is upright seen from the front: its
   foot is square to it, and flat then */
static void close_leg(const retarget_anatomy *a, lb_role thigh, lb_state *state, double *q)
{
    lb_state_update(state, q);
    const lb_transform *links = lb_state_transforms(state);
    int pelvis = a->rig.links[LB_ROLE_PELVIS], upper = a->rig.links[thigh];
    lb_vec3 forward = lb_transform_direction(&links[pelvis], a->frames[LB_ROLE_PELVIS].x);
    lb_vec3 leg = lb_vec3_sub(links[a->rig.links[thigh + 2]].p, links[upper].p);
    double spread =
        lb_atan2(lb_vec3_dot(leg, lb_vec3_cross(lb_vec3_make(0, 0, 1), forward)), -leg.z);
    int hip = hinge_along(a, links, pelvis, upper, forward);
    if (fabs(spread) < SPREAD || hip < 0)
        return;
    lb_vec3 axis = lb_transform_direction(&links[hip + 1], lb_model_joint(a->model, hip)->axis);
    double *at = &q[lb_model_joint_q(a->model, hip)];
    *at = fmin(fmax(lb_vec3_dot(axis, forward) > 0 ? *at - spread : *at + spread,
                    lb_model_joint(a->model, hip)->lower[0]),
               lb_model_joint(a->model, hip)->upper[0]);
}

/* hinges are at zero but for those of spread legs, and the figure is upright as a whole */
static lb_status stand(const retarget_anatomy *a, const lb_allocator *memory, double *q,
                       lb_error *error)
{
    lb_state *state = NULL;
    if (lb_state_create(a->model, memory, &state) != LB_OK)
        return error_out_of_memory(error);
    bool lying = lies(a, state, q), whole = can_stand(a);
    if (whole)
        take_means(a, q);
    // joints come after those that carry them
    for (int joint = 0; joint < lb_model_joint_count(a->model) && (whole || lying); joint++) {
        lb_role role = role_turned_by(a, joint);
        if (role < LB_ROLE_COUNT && turns_freely(a, joint) && (whole || role == LB_ROLE_PELVIS))
            stand_role(a, role, joint, state, q);
    }
    if (!whole) {
        close_leg(a, LB_ROLE_LEFT_THIGH, state, q);
        close_leg(a, LB_ROLE_RIGHT_THIGH, state, q);
    }
    return LB_OK;
}

/* ---- all of it ------------------------------------------------------------ */

/* the roles of a model: its own, and those of a map, whose source or target it is, before these */
static lb_status find_roles(const lb_model *model, const lb_retarget_map *map, bool source,
                            const lb_allocator *memory, lb_rig *rig, lb_error *error)
{
    static const lb_role needed[] = {LB_ROLE_PELVIS,    LB_ROLE_LEFT_THIGH,  LB_ROLE_LEFT_SHANK,
                                     LB_ROLE_LEFT_FOOT, LB_ROLE_RIGHT_THIGH, LB_ROLE_RIGHT_SHANK,
                                     LB_ROLE_RIGHT_FOOT};
    lb_status status = lb_rig_find(model, memory, rig, error);
    if (status == LB_OK && map == NULL)
        return LB_OK;
    if (status != LB_OK && (status != LB_BAD_MODEL || map == NULL))
        return status;
    for (int i = 0; i < LB_ROLE_COUNT && status != LB_OK; i++)
        rig->links[i] = LB_NO_LINK;
    bool any = false;
    for (int i = 0; i < map->count; i++) {
        const lb_retarget_pair *pair = &map->pairs[i];
        if ((unsigned)pair->role >= LB_ROLE_COUNT)
            continue;
        int link = source ? pair->source : pair->target;
        if (link < 0 || link >= lb_model_link_count(model))
            return REFUSE_VALUE(error, "pair %d of the map: no such link", i);
        rig->links[pair->role] = link;
        any = true;
    }
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!any || rig->links[needed[i]] < 0)
            return REFUSE_MODEL(error, "'%s': the map has no %s of the source",
                                lb_model_name(model), lb_role_text(needed[i]));
    return LB_OK;
}

/* the pose in which the figure of a clip stands */
static lb_status find_rest(const lb_clip *clip, const lb_retarget_map *map, bool source,
                           const lb_allocator *memory, double *rest, lb_error *error)
{
    lb_rig rig;
    retarget_anatomy a;
    TRY(find_roles(lb_clip_model(clip), map, source, memory, &rig, error));
    TRY(retarget_anatomy_create(clip, &rig, memory, &a, error));
    return stand(&a, memory, rest, error);
}

lb_status lb_retarget_rest_find(const lb_clip *clip, const lb_retarget_map *map,
                                const lb_allocator *allocator, double *rest, lb_error *error)
{
    TRY(REQUIRE(error, {clip, "clip"}, {rest, "rest"}));
    MEMORY_POOL(memory, allocator);
    return find_rest(clip, map, true, &memory, rest, error);
}

lb_status retarget_take_rest(const lb_clip *clip, const lb_retarget_map *map,
                             const lb_allocator *pool, const double **rest, lb_error *error)
{
    if (*rest != NULL)
        return LB_OK;
    double *found = memory_take(pool, (size_t)lb_model_nq(lb_clip_model(clip)) + 1, sizeof *found);
    TRY(require_memory(error, found));
    // what is no figure, as an animal, corresponds as it is at zero
    lb_status status = lb_retarget_rest_find(clip, map, pool, found, NULL);
    if (status == LB_OK)
        *rest = found;
    return status == LB_OUT_OF_MEMORY ? error_out_of_memory(error) : LB_OK;
}

/* ---- targets -------------------------------------------------------------- */

/* radians by which bones of one skeleton in two sizes differ at most, as files round */
#define SAME_DIRECTION 1e-3

bool retarget_same_skeleton(const lb_model *a, const lb_model *b)
{
    bool same = lb_model_joint_count(a) == lb_model_joint_count(b);
    for (int j = 0; same && j < lb_model_joint_count(a); j++) {
        const lb_joint *s = lb_model_joint(a, j), *t = lb_model_joint(b, j);
        lb_vec3 turn = rotation_displacement(lb_transform_quat(&s->placement),
                                             lb_transform_quat(&t->placement));
        double across = lb_vec3_length(lb_vec3_cross(s->placement.p, t->placement.p));
        double along = lb_vec3_dot(s->placement.p, t->placement.p);
        same = s->kind == t->kind && strcmp(s->name, t->name) == 0 &&
               lb_model_parent(a, j + 1) == lb_model_parent(b, j + 1) &&
               lb_vec3_length(turn) < SAME_DIRECTION && across <= SAME_DIRECTION * along;
    }
    return same;
}

lb_status retarget_pose_clip(const lb_model *model, const double *q, const lb_allocator *pool,
                             lb_clip **clip, lb_error *error)
{
    double zero = 0, *neutral = memory_take(pool, (size_t)lb_model_nq(model), sizeof *neutral);
    TRY(require_memory(error, neutral));
    lb_configuration_neutral(model, neutral);
    return lb_clip_create(model, &zero, q != NULL ? q : neutral, 1, LB_INTERPOLATION_LINEAR, pool,
                          clip, error);
}

lb_status retarget_flat_pose(const lb_model *model, const lb_allocator *pool, const double **rest,
                             lb_error *error)
{
    lb_clip *pose = NULL;
    lb_state *state = NULL;
    lb_rig rig;
    retarget_anatomy a;
    TRY(retarget_pose_clip(model, NULL, pool, &pose, error));
    *rest = pose->keys;
    TRY(lb_rig_find(model, pool, &rig, error));
    TRY(retarget_anatomy_create(pose, &rig, pool, &a, error));
    if (lb_state_create(model, pool, &state) != LB_OK)
        return error_out_of_memory(error);
    return lies(&a, state, pose->keys) || !can_stand(&a) ? stand(&a, pool, pose->keys, error)
                                                         : LB_OK;
}

lb_status retarget_stand(const lb_model *source, const double *rest, const lb_model *target,
                         const lb_retarget_map *map, const lb_allocator *pool, double **stand,
                         lb_error *error)
{
    lb_clip *pose = NULL;
    bool same = retarget_same_skeleton(source, target);
    TRY(retarget_pose_clip(target, same ? rest : NULL, pool, &pose, error));
    *stand = pose->keys;
    // a figure that is not recognised, as an animal, stands as it is at zero
    if (!same && find_rest(pose, map, false, pool, *stand, NULL) == LB_OUT_OF_MEMORY)
        return error_out_of_memory(error);
    return LB_OK;
}

lb_status retarget_rest_create(const lb_model *source, const double *q, const lb_model *target,
                               const lb_retarget_map *map, const lb_allocator *pool,
                               retarget_rest *f, lb_error *error)
{
    lb_state *states[2];
    double *stand;
    TRY(retarget_stand(source, q, target, map, pool, &stand, error));
    if (lb_state_create(source, pool, &states[0]) != LB_OK ||
        lb_state_create(target, pool, &states[1]) != LB_OK)
        return error_out_of_memory(error);
    if (q != NULL)
        lb_state_update(states[0], q);
    lb_state_update(states[1], stand);
    *f = (retarget_rest){.map = map,
                         .source = lb_state_transforms(states[0]),
                         .target = lb_state_transforms(states[1])};
    return LB_OK;
}
