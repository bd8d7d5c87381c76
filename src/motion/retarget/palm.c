/*
 * palm.c - two figures at rest, and where their palms are: on from the wrist, by the length of the
 * upper arm.
 *
 * Files have bones and no hands, so a palm is where people have it. It touches other parts of the
 * body and rests on things in the world (hands.c).
 */
#include "motion/retarget/figure.h"

#include <limber/kinematics.h>

/* ---- where joints meet --------------------------------------------------- */

/*
 * Where the joints that move a link meet, and where a last link ends.
 *
 * Joints of robots are groups of hinges that need not meet in a point. A group's centre is the
 * point nearest to all its axes: it minimizes sum |(1 - a a^T)(p - o)|^2.
 */

/* p is nearest to the axes of a group; the mean of the origins where these leave it open */
typedef struct axis_group {
    double matrix[9], right[3];
    lb_vec3 sum;
    int count;
} axis_group;

/* of the mean of the origins, against one for an axis: it decides only along common directions */
#define ORIGIN_WEIGHT 1e-3

/* adds w (1 - a a^T) (p - o) = 0 */
static void add_axis(axis_group *g, lb_vec3 o, lb_vec3 a, double weight)
{
    const double axis[3] = {a.x, a.y, a.z}, origin[3] = {o.x, o.y, o.z};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double m = weight * ((i == k) - axis[i] * axis[k]);
            g->matrix[3 * i + k] += m;
            g->right[i] += m * origin[k];
        }
}

/* the solution of a symmetric positive 3 x 3 system by Cramer's rule */
static lb_vec3 solve_group(const axis_group *g)
{
    const double *m = g->matrix;
    lb_vec3 x = lb_vec3_make(m[0], m[3], m[6]), y = lb_vec3_make(m[1], m[4], m[7]);
    lb_vec3 z = lb_vec3_make(m[2], m[5], m[8]);
    lb_vec3 b = lb_vec3_make(g->right[0], g->right[1], g->right[2]);
    lb_vec3 yz = lb_vec3_cross(y, z);
    double det = lb_vec3_dot(x, yz);
    return lb_vec3_make(lb_vec3_dot(b, yz) / det, lb_vec3_dot(x, lb_vec3_cross(b, z)) / det,
                        lb_vec3_dot(x, lb_vec3_cross(y, b)) / det);
}

/* of at most three hinges, or one that turns freely */
lb_vec3 retarget_joint_center(const lb_model *model, const lb_transform *links, int from, int tip)
{
    axis_group g = {.count = 0};
    for (int link = tip; link > from && g.count < 3; link = lb_model_parent(model, link)) {
        const lb_joint *joint = lb_model_joint(model, link - 1);
        const lb_transform *at = &links[link];
        if (joint->kind == LB_JOINT_FIXED)
            continue;
        bool hinge = retarget_is_hinge(model, link);
        if (!hinge && g.count > 0)
            break;
        if (!hinge)
            return at->p;
        add_axis(&g, at->p, lb_transform_direction(at, joint->axis), 1);
        g.sum = lb_vec3_add(g.sum, at->p);
        g.count++;
    }
    if (g.count == 0)
        return links[tip].p;
    lb_vec3 mean = lb_vec3_scale(g.sum, 1.0 / g.count), none = {0, 0, 0};
    add_axis(&g, mean, none, ORIGIN_WEIGHT);
    return solve_group(&g);
}

lb_vec3 retarget_link_end(const lb_model *model, const lb_transform *links, int link)
{
    const lb_link *body = lb_model_link(model, link);
    lb_vec3 best = {0, 0, 0};
    if (body->mass > 0)
        return lb_transform_point(&links[link], lb_vec3_scale(body->center, 2));
    for (int i = 0; i < body->visual_count; i++) {
        lb_vec3 at = body->visuals[i].origin.p;
        best = lb_vec3_length(at) > lb_vec3_length(best) ? at : best;
    }
    return lb_transform_point(&links[link], best);
}

/* a limb so far out of a plane, of its length, is not bent by that hinge */
#define MOST_ACROSS 0.5

void retarget_flatten_limb(const lb_model *model, const lb_transform *links, const int limb[3],
                           lb_vec3 centers[3])
{
    int lower = limb[1], end = limb[2] >= 0 && limb[2] != lower ? 2 : 1;
    if (limb[0] < 0 || lower <= 0)
        return;
    if (!retarget_is_hinge(model, lower))
        return;
    lb_vec3 across = lb_transform_direction(&links[lower], lb_model_joint(model, lower - 1)->axis);
    lb_vec3 along = lb_vec3_sub(centers[end], centers[0]);
    if (fabs(lb_vec3_dot(along, across)) > MOST_ACROSS * lb_vec3_length(along))
        return;
    for (int i = 0; i < end; i++) {
        double off = lb_vec3_dot(lb_vec3_sub(centers[end], centers[i]), across);
        centers[i] = lb_vec3_add(centers[i], lb_vec3_scale(across, off));
    }
}

/* in lengths of the upper arm: from wrist to palm; from elbow to palm, of arms without a wrist */
#define PALM 0.3
#define ELBOW_TO_PALM 1.2
/* metres within which joints are in one place */
#define SAME_PLACE 1e-6

int retarget_find_pair(const lb_retarget_map *map, lb_role role)
{
    int pair = map->count - 1;
    while (pair >= 0 && (role == LB_ROLE_COUNT || map->pairs[pair].role != role))
        pair--;
    return pair;
}

double retarget_posture_weight(const lb_retarget_map *map, const lb_model *target, int joint)
{
    const lb_role arms[] = {LB_ROLE_LEFT_UPPER_ARM, LB_ROLE_RIGHT_UPPER_ARM};
    int chest = retarget_find_pair(map, LB_ROLE_CHEST);
    for (int side = 0; side < 2 && chest >= 0; side++) {
        int arm = retarget_find_pair(map, arms[side]), top = map->pairs[chest].target;
        int link = arm >= 0 ? lb_model_parent(target, map->pairs[arm].target) : -1;
        bool below = link > 0 && retarget_is_below(target, top, link);
        for (; below && link != top; link = lb_model_parent(target, link))
            if (link - 1 == joint && lb_model_joint(target, joint)->kind == LB_JOINT_BALL)
                return RETARGET_GIRDLE;
    }
    return 1;
}

void retarget_map_roles(const lb_retarget_map *map, bool source, lb_rig *rig)
{
    rig->convention = "map";
    for (int i = 0; i < LB_ROLE_COUNT; i++)
        rig->links[i] = LB_NO_LINK;
    for (int i = 0; i < map->count; i++)
        if (map->pairs[i].role < LB_ROLE_COUNT)
            rig->links[map->pairs[i].role] = source ? map->pairs[i].source : map->pairs[i].target;
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

lb_vec3 retarget_farthest_below(const lb_model *model, const lb_transform *at, int link,
                                lb_vec3 from)
{
    lb_vec3 best = from;
    double most = SAME_PLACE;
    for (int i = link + 1, end = retarget_end_below(model, link); i < end; i++) {
        double distance = lb_vec3_length(lb_vec3_sub(at[i].p, from));
        if (distance > most) {
            most = distance;
            best = at[i].p;
        }
    }
    return best;
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
