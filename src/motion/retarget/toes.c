/*
 * toes.c - the soles of feet, and toes that bend as the source's do, and lie on the ground while
 * they carry the foot.
 *
 * A toe moves nothing else, so its goal is its axes: those of the foot's goal, bent as the source's
 * toe is against its foot. The more the ball of the foot, in front of which the toe begins, is held
 * on the ground, the more the toe lies flat there instead, under a heel that rises; and at no time
 * is its tip below the ground.
 */
#include "motion/retarget/plan.h"

#include <limber/kinematics.h>

/* of a toe without a bone of its own: its length over that from the ankle to the toe's joint */
#define TOE_LENGTH 0.5
/* seconds in which a toe goes over to and from the ground, as the foot's own axes do */
#define FADE 0.5
/* the sine of the angle below the ground's plane from which on a toe swings free more slowly */
#define STEEP 0.6

/* ---- figures at rest ------------------------------------------------------ */

/* of the links that are fixed to a toe the origin that is farthest from its joint, else so far on
   as the foot points; on the sole */
static lb_vec3 find_tip(const retarget_plan *plan, const lb_transform *at, int toe, int foot)
{
    const lb_retarget_pair *t = &plan->map->pairs[toe], *f = &plan->map->pairs[foot];
    lb_vec3 joint = at[t->target].p, heel = lb_transform_point(&at[f->target], f->held[0].at);
    lb_vec3 ball = lb_transform_point(&at[f->target], f->held[1].at);
    lb_vec3 tip = retarget_farthest_below(plan->target, at, t->target, joint);
    if (!(lb_vec3_length(lb_vec3_sub(tip, joint)) > 0)) {
        lb_vec3 ankle = lb_transform_point(&at[f->target], f->target_point);
        double length = TOE_LENGTH * lb_vec3_length(lb_vec3_sub(joint, ankle));
        lb_vec3 along = lb_vec3_normalize(lb_vec3_sub(ball, heel), lb_vec3_make(1, 0, 0));
        tip = lb_vec3_add(joint, lb_vec3_scale(along, length));
    }
    tip.z = heel.z;
    lb_transform inside = lb_transform_inverse(&at[t->target]);
    return lb_transform_point(&inside, tip);
}

static void add_toe(retarget_plan *plan, const lb_transform *at, lb_role role)
{
    int toe = retarget_find_pair(plan->map, role);
    int foot = retarget_find_pair(plan->map, (lb_role)(role - 1));
    if (toe < 0 || foot < 0 || plan->map->pairs[foot].held_count != 2)
        return;
    const lb_transform *foot_at = &at[plan->map->pairs[foot].target];
    const lb_transform *toe_at = &at[plan->map->pairs[toe].target];
    lb_transform between = lb_transform_between(foot_at, toe_at);
    plan->toes[plan->toe_count++] = (retarget_toe){.pair = toe,
                                                   .foot = foot,
                                                   .joint = between.p,
                                                   .flat = lb_transform_quat(&between),
                                                   .tip = find_tip(plan, at, toe, foot)};
}

/* metres: shapes so far below heel and toe are not what the map has the foot stand on */
#define OTHER_SOLE 1e-3

static lb_status add_sole(retarget_plan *plan, const lb_transform *at, foot_plan *foot)
{
    const lb_retarget_pair *pair = &plan->map->pairs[foot->pair];
    const lb_transform *link = &at[pair->target];
    const ground_plane level = ground_make(0, lb_vec3_make(0, 0, 1));
    lb_vec3 heel = lb_transform_point(link, pair->held[0].at), lowest;
    lb_status status = LB_OK;
    if (pair->held_count == 2)
        status = retarget_sole_create(plan->target, at, pair->target, &plan->memory, &foot->sole);
    if (retarget_sole_height(&foot->sole, &level, link, &lowest) < heel.z - OTHER_SOLE)
        foot->sole.count = 0;
    return status;
}

lb_status retarget_plan_soles(retarget_plan *plan, lb_error *error)
{
    lb_state *state;
    MEMORY_POOL(memory, &plan->memory);
    TRY(require_memory(error, lb_state_create(plan->target, &memory, &state) == LB_OK));
    const lb_transform *at = lb_state_transforms(state);
    for (int i = 0; i < plan->foot_count; i++)
        TRY(require_memory(error, add_sole(plan, at, &plan->feet[i]) == LB_OK));
    add_toe(plan, at, LB_ROLE_LEFT_TOE);
    add_toe(plan, at, LB_ROLE_RIGHT_TOE);
    return LB_OK;
}

/* ---- goals ---------------------------------------------------------------- */

/* the toe's axes, the foot's being those of its goal: bent as the source's */
static lb_quat bend(const retarget_plan *plan, const retarget_toe *toe, const retarget_goal *foot)
{
    const lb_retarget_pair *pairs = plan->map->pairs;
    lb_quat f = lb_quat_multiply(retarget_source_turn(plan, toe->foot), pairs[toe->foot].rotation);
    lb_quat t = lb_quat_multiply(retarget_source_turn(plan, toe->pair), pairs[toe->pair].rotation);
    return lb_quat_multiply(foot->turn, lb_quat_multiply(lb_quat_conjugate(f), t));
}

/* the angle below the ground's plane that a toe may have whose joint is so high, in lengths of the
   toe: its tip is on the ground; but near straight down, where it would swing free at once, the
   angle grows no faster than before */
static double largest_angle(double height)
{
    double most = fmax(-1, fmin(height, STEEP)), slope = 1 / sqrt(1 - STEEP * STEEP);
    return lb_atan2(most, sqrt(1 - most * most)) + slope * fmax(0, height - STEEP);
}

/* turned up about the axis across the flat toe until its tip is not below the ground */
static lb_quat raise_tip(const retarget_plan *plan, const retarget_toe *toe, lb_vec3 joint,
                         lb_quat turn, lb_quat flat)
{
    lb_vec3 normal = plan->ground.normal, arm = lb_quat_rotate(turn, toe->tip);
    lb_vec3 across = lb_vec3_cross(lb_quat_rotate(flat, toe->tip), normal);
    across = lb_vec3_normalize(across, lb_vec3_perpendicular(normal));
    double forward = lb_vec3_dot(lb_vec3_cross(normal, across), arm);
    double down = -lb_vec3_dot(normal, arm), length = sqrt(forward * forward + down * down);
    double height = ground_distance(&plan->ground, joint);
    if (!(length > 0))
        return turn;
    double by = lb_atan2(down, forward) - largest_angle(height / length);
    return lb_quat_multiply(lb_quat_from_axis_angle(across, fmax(0, by)), turn);
}

void retarget_hold_toes(const retarget_plan *plan, double time, int count, retarget_goal *goals)
{
    for (const retarget_toe *toe = plan->toes; toe < plan->toes + plan->toe_count; toe++) {
        int foot = plan->foot_of[toe->foot];
        if (toe->pair < count && foot >= 0)
            goals[toe->pair].hold[0] = retarget_hold_share(&plan->feet[foot], 1, time, FADE);
    }
}

void retarget_toe_goals(const retarget_plan *plan, int count, retarget_goal *goals)
{
    for (int i = 0; i < plan->toe_count; i++) {
        const retarget_toe *toe = &plan->toes[i];
        if (toe->pair >= count || toe->foot >= count)
            continue;
        const lb_retarget_pair *pair = &plan->map->pairs[toe->foot];
        const retarget_goal *foot = &goals[toe->foot];
        retarget_goal *goal = &goals[toe->pair];
        lb_quat flat = retarget_lay_flat(&plan->ground, pair, foot->turn);
        flat = lb_quat_multiply(flat, toe->flat);
        lb_vec3 from = lb_vec3_sub(toe->joint, pair->target_point);
        lb_vec3 joint = lb_vec3_add(foot->place, lb_quat_rotate(foot->turn, from));
        goal->turn = lb_quat_slerp(bend(plan, toe, foot), flat, goal->hold[0]);
        goal->turn = raise_tip(plan, toe, joint, goal->turn, flat);
    }
}
