/*
 * palm.c - two figures at rest, and where their palms are: on from the wrist, by the length of the
 * upper arm.
 *
 * Files have bones and no hands, so a palm is where people have it. It touches other parts of the
 * body (touch.c) and rests on things in the world (hands.c).
 */
#include "motion/retarget/figure.h"

#include <limber/kinematics.h>

/* in lengths of the upper arm: from wrist to palm; from elbow to palm, of arms without a wrist */
#define PALM 0.3
#define ELBOW_TO_PALM 1.2
/* metres within which joints are in one place */
#define SAME_PLACE 1e-6

lb_status retarget_rest_create(const lb_model *source, const double *q, const lb_model *target,
                               const lb_retarget_map *map, const lb_allocator *pool,
                               retarget_rest *f, lb_error *error)
{
    lb_state *states[2];
    if (lb_state_create(source, pool, &states[0]) != LB_OK ||
        lb_state_create(target, pool, &states[1]) != LB_OK)
        return error_out_of_memory(error);
    if (q != NULL)
        lb_state_update(states[0], q);
    *f = (retarget_rest){.map = map,
                         .source = lb_state_transforms(states[0]),
                         .target = lb_state_transforms(states[1])};
    return LB_OK;
}

int retarget_find_pair(const lb_retarget_map *map, lb_role role)
{
    int pair = map->count - 1;
    while (pair >= 0 && (role == LB_ROLE_COUNT || map->pairs[pair].role != role))
        pair--;
    return pair;
}

lb_vec3 retarget_source_place(const retarget_rest *f, int pair)
{
    const lb_retarget_pair *p = &f->map->pairs[pair];
    return lb_transform_point(&f->source[p->source], p->source_point);
}

lb_vec3 retarget_target_place(const retarget_rest *f, int pair)
{
    const lb_retarget_pair *p = &f->map->pairs[pair];
    return lb_transform_point(&f->target[p->target], p->target_point);
}

bool retarget_measure_arms(retarget_rest *f)
{
    const lb_role uppers[2] = {LB_ROLE_LEFT_UPPER_ARM, LB_ROLE_RIGHT_UPPER_ARM};
    f->source_arm = f->target_arm = 0;
    for (int side = 0; side < 2; side++) {
        int upper = retarget_find_pair(f->map, uppers[side]);
        int lower = retarget_find_pair(f->map, (lb_role)(uppers[side] + 1));
        if (upper < 0 || lower < 0)
            return false;
        lb_vec3 source =
            lb_vec3_sub(retarget_source_place(f, lower), retarget_source_place(f, upper));
        lb_vec3 target =
            lb_vec3_sub(retarget_target_place(f, lower), retarget_target_place(f, upper));
        f->source_arm += 0.5 * lb_vec3_length(source);
        f->target_arm += 0.5 * lb_vec3_length(target);
    }
    return f->source_arm > 0 && f->target_arm > 0;
}

/* of the links that hang on one itself the origin that is farthest from a point; `from`: none is */
static lb_vec3 farthest_child(const lb_model *model, const lb_transform *at, int link, lb_vec3 from)
{
    lb_vec3 best = from;
    for (int i = link + 1, end = retarget_end_below(model, link); i < end; i++)
        if (lb_model_parent(model, i) == link &&
            lb_vec3_length(lb_vec3_sub(at[i].p, from)) > lb_vec3_length(lb_vec3_sub(best, from)))
            best = at[i].p;
    return best;
}

lb_vec3 retarget_knuckles(const lb_model *model, const lb_transform *at, int hand)
{
    lb_vec3 sum = {0, 0, 0}, from = at[hand].p;
    for (int i = hand + 1, end = retarget_end_below(model, hand); i < end; i++) {
        if (lb_model_parent(model, i) != hand)
            continue;
        lb_vec3 to = at[i].p;
        if (lb_vec3_length(lb_vec3_sub(to, from)) < SAME_PLACE)
            to = farthest_child(model, at, i, from);
        sum = lb_vec3_add(sum, lb_vec3_sub(to, from));
    }
    return lb_vec3_normalize(sum, lb_vec3_make(0, 0, 0));
}

/* so far along a pair's bone, in its links */
static retarget_palm along_bone(const retarget_rest *f, int pair, double share)
{
    const lb_retarget_pair *p = &f->map->pairs[pair];
    lb_vec3 source = lb_vec3_scale(lb_quat_rotate(p->rotation, p->axis), share * f->source_arm);
    lb_vec3 target = lb_vec3_scale(p->axis, share * f->target_arm);
    return (retarget_palm){pair, lb_vec3_add(p->source_point, source),
                           lb_vec3_add(p->target_point, target)};
}

retarget_palm retarget_find_palm(const retarget_rest *f, lb_role hand)
{
    int wrist = retarget_find_pair(f->map, hand);
    int elbow = retarget_find_pair(f->map, (lb_role)(hand - 1));
    if (wrist >= 0)
        return along_bone(f, wrist, PALM);
    return elbow >= 0 ? along_bone(f, elbow, ELBOW_TO_PALM) : (retarget_palm){.pair = -1};
}

void retarget_hold_palms(retarget_rest *f, lb_retarget_map *map, const bool *fresh)
{
    const lb_role hands[2] = {LB_ROLE_LEFT_HAND, LB_ROLE_RIGHT_HAND};
    if (!retarget_measure_arms(f))
        return;
    for (int side = 0; side < 2; side++) {
        retarget_palm palm = retarget_find_palm(f, hands[side]);
        if (palm.pair < 0 || !fresh[palm.pair])
            continue;
        lb_retarget_pair *pair = &map->pairs[palm.pair];
        pair->held_count = 1;
        pair->held[0] = (lb_retarget_held){.source = pair->source,
                                           .source_at = palm.source,
                                           .at = palm.target,
                                           .any_height = true,
                                           .size = RETARGET_HAND_RADIUS * f->target_arm};
    }
}
