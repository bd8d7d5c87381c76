/*
 * plan.c - where the pairs of a map are to be at any time: the source, scaled, with its feet held.
 *
 * Everything that depends on more than one instant (contacts, places of feet, rates) is taken from
 * a grid of times of its own, 30 a second from the clip's begin (every so many keys, if keys are
 * even), and contacts begin and end on it. So the goals of one time depend on the motion, and not
 * on how many keys it has.
 *
 * The ground of either figure may slope. Figures stay upright there: what corresponds is a place's
 * height above the ground below it, along z, and of feet their turn against the ground.
 */
#include "motion/retarget/plan.h"
#include "base/error.h"

#include "motion/clip.h"
#include "motion/contacts.h"
#include "motion/rotation.h"
#include "motion/spline.h"

#include <limber/kinematics.h>

#include <limits.h>
#include <string.h>

/* ---- goals ------------------------------------------------------------------- */

/* held points follow the pair's axes and place */
static void place_held(const lb_retarget_pair *pair, retarget_goal *goal)
{
    for (int i = 0; i < pair->held_count; i++) {
        lb_vec3 from = lb_vec3_sub(pair->held[i].at, pair->target_point);
        goal->held[i] = lb_vec3_add(goal->place, lb_quat_rotate(goal->turn, from));
    }
}

/* below this height, metres, a point weighs more: a foot that gives way to its ankle's limits would
   enter the ground */
#define NEAR_GROUND 0.03

static void find_near(const retarget_plan *plan, const lb_retarget_pair *pair, retarget_goal *goal)
{
    for (int i = 0; i < pair->held_count && !retarget_is_palm(pair); i++) {
        double above = ground_distance(&plan->ground, goal->held[i]);
        goal->near[i] = smooth_step(1 - above / NEAR_GROUND);
    }
}

/* the foot turned about one of its points so that another is so much higher above the ground */
static void turn_about(const retarget_plan *plan, const lb_retarget_pair *pair, int fixed,
                       int other, double by, retarget_goal *goal)
{
    lb_vec3 normal = plan->ground.normal, center = goal->held[fixed];
    lb_vec3 arm = lb_vec3_sub(goal->held[other], center), along = ground_along(&plan->ground, arm);
    double length = lb_vec3_length(arm), height = lb_vec3_dot(normal, arm) + by;
    if (!(fabs(height) < length) || !(lb_vec3_length(along) > 0))
        return;
    lb_vec3 before = lb_vec3_scale(arm, 1 / length), up = lb_vec3_scale(normal, height / length);
    along = lb_vec3_scale(lb_vec3_normalize(along, arm), sqrt(1 - lb_vec3_dot(up, up)));
    lb_quat turn = rotation_smallest(before, lb_vec3_add(along, up));
    goal->turn = lb_quat_multiply(turn, goal->turn);
    goal->place = lb_vec3_add(center, lb_quat_rotate(turn, lb_vec3_sub(goal->place, center)));
    place_held(pair, goal);
}

/* of heel and toe the one that would be below the ground is turned up about the other, as far as
   that is held the more; lifting both would take it from its place */
static void turn_up(const retarget_plan *plan, const lb_retarget_pair *pair, retarget_goal *goal)
{
    if (pair->held_count != 2)
        return;
    for (int low = 0; low < 2; low++) {
        double below = -ground_distance(&plan->ground, goal->held[low]);
        double held = goal->hold[1 - low], more = held - goal->hold[low];
        if (below > 0 && more > 0)
            turn_about(plan, pair, 1 - low, low, below * more / (1 - goal->hold[low]), goal);
    }
}

const retarget_sole *retarget_sole_of(const retarget_plan *plan, int pair)
{
    int foot = plan->foot_of[pair];
    return foot >= 0 ? &plan->feet[foot].sole : NULL;
}

/* what would be below the ground is lifted to it */
static void lift(const retarget_plan *plan, int index, retarget_goal *goal)
{
    const lb_retarget_pair *pair = &plan->map->pairs[index];
    const ground_plane *ground = &plan->ground;
    lb_transform link = lb_transform_from_quat(goal->turn, goal->place);
    link.p = lb_transform_point(&link, lb_vec3_scale(pair->target_point, -1));
    lb_vec3 lowest;
    double height = retarget_sole_height(retarget_sole_of(plan, index), ground, &link, &lowest);
    double low = ground->height + height / ground->normal.z;
    for (int i = 0; i < pair->held_count; i++)
        low = fmin(low, goal->held[i].z - ground_rise(ground, goal->held[i]));
    double by = fmax(0, ground->height - low);
    if (pair->held_count == 0 || by == 0 || retarget_is_palm(pair))
        return;
    goal->place.z += by;
    for (int i = 0; i < pair->held_count; i++)
        goal->held[i].z += by;
}

int retarget_goal_count(const retarget_plan *plan)
{
    return plan->map->count + plan->touch_count;
}

void retarget_complete_goals(const retarget_plan *plan, int count, retarget_goal *goals)
{
    for (int i = 0; i < count; i++) {
        if (plan->map->pairs[i].held_count == 0)
            continue;
        place_held(&plan->map->pairs[i], &goals[i]);
        turn_up(plan, &plan->map->pairs[i], &goals[i]);
        lift(plan, i, &goals[i]);
        find_near(plan, &plan->map->pairs[i], &goals[i]);
    }
    retarget_toe_goals(plan, count, goals);
}

void retarget_goals_of(retarget_plan *plan, double time, int count, retarget_goal *goals)
{
    retarget_look(plan, time);
    retarget_free_goals(plan, count, goals);
    if (!plan->options->unlocked && !plan->released) {
        for (int i = 0; i < count; i++)
            if (plan->foot_of[i] >= 0)
                retarget_hold(plan, &plan->feet[plan->foot_of[i]], time, &goals[i]);
        retarget_hold_toes(plan, time, count, goals);
    }
    retarget_complete_goals(plan, count, goals);
}

void retarget_goals(retarget_plan *plan, double time, retarget_goal *goals)
{
    retarget_goals_of(plan, time, plan->map->count, goals);
    retarget_touch_goals(plan, goals + plan->map->count);
}

bool retarget_carries_held(const retarget_plan *plan, int joint)
{
    for (int i = 0; i < plan->foot_count; i++) {
        int link = plan->map->pairs[plan->feet[i].pair].target;
        if (retarget_is_below(plan->target, joint + 1, link))
            return true;
    }
    return false;
}

/* ---- contacts --------------------------------------------------------------- */

/* the source's points, in the order of the feet */
static lb_status make_contacts(retarget_plan *plan, lb_error *error)
{
    lb_contact_point points[LB_RETARGET_PAIRS * LB_RETARGET_HELD];
    int count = 0;
    for (int i = 0; i < plan->foot_count; i++) {
        foot_plan *foot = &plan->feet[i];
        const lb_retarget_pair *pair = &plan->map->pairs[foot->pair];
        for (int k = 0; k < pair->held_count; k++) {
            foot->points[k] = count;
            points[count++] =
                (lb_contact_point){.link = pair->held[k].source, .at = pair->held[k].source_at};
        }
    }
    return count == 0 ? LB_OK
                      : lb_contacts_create(points, count, &plan->memory, &plan->contacts, error);
}

/* of feet; *given: by the user */
static lb_status find_contacts(retarget_plan *plan, bool *given, lb_error *error)
{
    lb_contact_options level = plan->options->detect;
    int kinds[LB_RETARGET_PAIRS * LB_RETARGET_HELD] = {0};
    // heights of points are measured from here
    level.rate = 1 / plan->step;
    level.ground = 0;
    TRY(make_contacts(plan, error));
    if (plan->contacts == NULL)
        return LB_OK;
    if (plan->options->contacts != NULL)
        TRY(retarget_take_spans(plan, plan->contacts, given, error));
    for (int i = 0; i < plan->foot_count; i++)
        for (int k = 0; k < plan->map->pairs[plan->feet[i].pair].held_count; k++)
            kinds[plan->feet[i].points[k]] = k;
    contact_survey survey = {.options = &level,
                             .kinds = kinds,
                             .spans_known = *given,
                             .fit_ground = retarget_is_zero(level.ground_normal)};
    TRY(contacts_survey(plan->contacts, plan->source, &survey, error));
    plan->source_ground.normal = survey.normal;
    plan->unseen_slope = survey.unseen;
    return LB_OK;
}

/* the target's ground is as steep as the source's unless it is given */
static void find_ground(retarget_plan *plan)
{
    const lb_retarget_options *o = plan->options;
    bool given = !retarget_is_zero(o->ground_normal);
    plan->ground = ground_make(o->ground, given ? o->ground_normal : plan->source_ground.normal);
    plan->foot_tilt = lb_quat_multiply(ground_tilt(&plan->ground),
                                       lb_quat_conjugate(ground_tilt(&plan->source_ground)));
}

/* heights that correspond: of the ankles that stand, in both figures, along z */
static void find_bases(retarget_plan *plan)
{
    double source = 0, target = 0;
    for (int i = 0; i < plan->foot_count; i++) {
        const foot_plan *foot = &plan->feet[i];
        const lb_retarget_pair *pair = &plan->map->pairs[foot->pair];
        source += lb_contacts_points(plan->contacts)[foot->points[0]].height;
        // the axes of a foot that stands flat are known only with the sole
        lb_vec3 up = lb_vec3_sub(pair->target_point, pair->held[0].at);
        lb_vec3 along = lb_vec3_sub(pair->held[pair->held_count - 1].at, pair->held[0].at);
        double length = lb_vec3_length(along);
        if (length > 0)
            up = lb_vec3_sub(up, lb_vec3_scale(along, lb_vec3_dot(up, along) / (length * length)));
        target += lb_vec3_length(up);
    }
    if (plan->foot_count > 0) {
        plan->base_source = source / plan->foot_count / plan->source_ground.normal.z;
        plan->base_target = plan->ground.height + target / plan->foot_count / plan->ground.normal.z;
    }
}

/* ---- making ----------------------------------------------------------------- */

double retarget_fit_rate(const lb_clip *source, double wanted)
{
    double keys = lb_clip_rate(source, CLIP_EVEN), share = keys / wanted;
    if (!(keys > 0) || !(share < INT_MAX) || !(share > 1.0 / INT_MAX))
        return wanted;
    return share >= 1 ? keys / floor(share + 0.5) : keys * floor(1 / share + 0.5);
}

/* of clips far longer than any motion, whose keys are far apart: their steps would take days */
#define MOST_STEPS 1e5
enum { STEPS_A_KEY = 4 };

/* a grid that ends with the clip */
static lb_status make_grid(retarget_plan *plan, lb_error *error)
{
    double rate = plan->options->detect.rate;
    if (rate > 0)
        rate = retarget_fit_rate(plan->source, rate);
    plan->begin = lb_clip_begin(plan->source);
    double duration = lb_clip_end(plan->source) - plan->begin, gaps = duration * rate;
    double most = fmax(MOST_STEPS, (double)STEPS_A_KEY * lb_clip_count(plan->source));
    if (!(most < INT_MAX / 8))
        return REFUSE_UNSUPPORTED(error, "a clip of %d keys is too long; retarget parts of it",
                                  lb_clip_count(plan->source));
    if (!(rate > 0) || !isfinite(1 / rate))
        return REFUSE_VALUE(error, "a rate of contacts of %g is out of range", rate);
    if (gaps > most) {
        gaps = most;
        rate = most / duration;
    }
    plan->step = 1 / rate;
    // what is nearer than rounding is the same time
    plan->steps = (int)ceil(gaps - 1e-6);
    return LB_OK;
}

/* pairs of which only the direction counts, when it is known which points are held */
static void find_limbs(retarget_plan *plan)
{
    for (int i = 1; i < plan->map->count; i++) {
        const lb_retarget_pair *pair = &plan->map->pairs[i];
        lb_vec3 axis = lb_quat_rotate(pair->rotation, pair->axis);
        plan->limbs[i].is_limb = pair->direction > 0 && pair->position == 0 &&
                                 pair->orientation == 0 && pair->held_count == 0 &&
                                 !retarget_is_toe(pair->role);
        plan->limbs[i].axis = lb_vec3_normalize(axis, lb_vec3_make(0, 0, 1));
    }
}

lb_status retarget_plan_create(retarget_plan *plan, lb_error *error)
{
    plan->q = memory_take(&plan->memory, (size_t)lb_model_nq(lb_clip_model(plan->source)),
                          sizeof *plan->q);
    TRY(require_memory(error, plan->q));
    TRY(retarget_source_create(plan, error));
    for (int i = 0; i < plan->map->count; i++) {
        const lb_retarget_pair *pair = &plan->map->pairs[i];
        bool stands = pair->held_count > 0 && !retarget_is_palm(pair);
        plan->foot_of[i] = stands ? plan->foot_count : -1;
        if (stands)
            plan->feet[plan->foot_count++].pair = i;
    }
    bool feet_given = false;
    TRY(make_grid(plan, error));
    TRY(retarget_plan_soles(plan, error));
    TRY(find_contacts(plan, &feet_given, error));
    find_ground(plan);
    find_bases(plan);
    TRY(retarget_plan_hands(plan, feet_given, error));
    for (int i = 0; i < plan->foot_count; i++)
        TRY(retarget_plan_foot(plan, &plan->feet[i], error));
    TRY(retarget_plan_touches(plan, error));
    find_limbs(plan);
    return LB_OK;
}
