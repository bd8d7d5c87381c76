/*
 * goal.c - where one pair of a map is to be by the source alone: its pose, scaled; and the
 * contacts that the user gives.
 */
#include "base/error.h"
#include "motion/retarget/plan.h"

#include "kernel/ops.h"
#include "motion/contacts.h"

#include <limber/fk_batch.h>
#include <limber/kinematics.h>
#include <string.h>

/* ---- the source ---------------------------------------------------------- */

/*
 * The source at a time: where the links of a map's pairs are.
 *
 * Times that are known to be wanted soon, in this order, are looked up side by side, one in each
 * lane; what comes of one does not depend on the others.
 */

enum { AHEAD = RETARGET_AHEAD };

lb_status retarget_source_create(retarget_plan *plan, lb_error *error)
{
    const lb_model *model = lb_clip_model(plan->source);
    retarget_source *s = &plan->seen;
    int links[LB_RETARGET_PAIRS];
    size_t pairs = (size_t)plan->map->count, nq = (size_t)lb_model_nq(model);
    for (int i = 0; i < plan->map->count; i++)
        links[i] = plan->map->pairs[i].source;
    lb_fk_batch_options options = lb_fk_batch_options_default();
    options.links = links;
    options.link_count = plan->map->count;
    s->q = memory_take(&plan->memory, AHEAD * nq, sizeof *s->q);
    s->at = memory_take(&plan->memory, AHEAD * pairs, sizeof *s->at);
    s->turns = memory_take(&plan->memory, AHEAD * pairs, sizeof *s->turns);
    lb_state_create(model, &plan->memory, &plan->state);
    lb_fk_batch_create(model, &options, &plan->memory, &s->batch);
    return memory_pool_failed(&plan->memory) ? error_out_of_memory(error) : LB_OK;
}

void retarget_look_ahead(retarget_plan *plan, const double *times, int count)
{
    retarget_source *s = &plan->seen;
    size_t pairs = (size_t)plan->map->count, n = (size_t)count;
    size_t nq = (size_t)lb_model_nq(lb_clip_model(plan->source));
    for (size_t i = 0; i < n; i++) {
        s->times[i] = times[i];
        lb_clip_at(plan->source, times[i], s->q + i * nq);
    }
    const lb_fk_batch_rows rows = {.q = s->q, .transforms = s->at};
    lb_fk_batch_forward(s->batch, &rows, 0, n);
    kernel_choose(0)->quats(s->at, n * pairs, s->turns);
    s->count = count;
    s->next = 0;
}

void retarget_look(retarget_plan *plan, double time)
{
    retarget_source *s = &plan->seen;
    if (s->next < s->count && s->times[s->next] == time) {
        s->row = s->next++;
        return;
    }
    s->row = -1;
    lb_clip_at(plan->source, time, plan->q);
    lb_state_update(plan->state, plan->q);
}

const lb_transform *retarget_source_at(const retarget_plan *plan, int pair)
{
    if (plan->seen.row >= 0)
        return &plan->seen.at[plan->seen.row * plan->map->count + pair];
    return &lb_state_transforms(plan->state)[plan->map->pairs[pair].source];
}

lb_quat retarget_source_turn(const retarget_plan *plan, int pair)
{
    if (plan->seen.row >= 0)
        return plan->seen.turns[plan->seen.row * plan->map->count + pair];
    return lb_transform_quat(retarget_source_at(plan, pair));
}

double retarget_grid_time(const retarget_plan *plan, int step)
{
    return fmin(plan->begin + step * plan->step, lb_clip_end(plan->source));
}

void retarget_look_ahead_steps(retarget_plan *plan, int first, int last)
{
    double times[RETARGET_AHEAD];
    int count = 0;
    for (; count < RETARGET_AHEAD && first + count <= last; count++)
        times[count] = retarget_grid_time(plan, first + count);
    retarget_look_ahead(plan, times, count);
}

/* ---- free goals ------------------------------------------------------------- */

/* the way of the root on level ground, scaled; heights from the ankles that stand on the ground */
static lb_vec3 scale_root(const retarget_plan *plan, lb_vec3 p)
{
    double s = plan->root_scale, height = p.z - ground_rise(&plan->source_ground, p);
    return lb_vec3_make(s * p.x, s * p.y, plan->base_target + s * (height - plan->base_source));
}

/* a vector of the root's heading in the world: x along its path, y to its left */
static lb_vec3 along_heading(const retarget_plan *plan, lb_vec3 v)
{
    const lb_retarget_pair *root = &plan->map->pairs[0];
    lb_quat turn = lb_quat_multiply(retarget_source_turn(plan, 0), root->rotation);
    lb_vec3 forward = lb_quat_rotate(turn, root->axis);
    forward.z = 0;
    forward = lb_vec3_normalize(forward, lb_vec3_make(1, 0, 0));
    return lb_vec3_make(forward.x * v.x - forward.y * v.y, forward.y * v.x + forward.x * v.y, v.z);
}

/* Where the root is, and comes to be. */
typedef struct root_place {
    lb_vec3 source, moved;
    double rise; /* of the target's ground below it */
} root_place;

static root_place place_root(const retarget_plan *plan)
{
    root_place root;
    root.source = lb_transform_point(retarget_source_at(plan, 0), plan->map->pairs[0].source_point);
    root.moved = scale_root(plan, root.source);
    root.rise = ground_rise(&plan->ground, root.moved);
    return root;
}

static void find_goal(const retarget_plan *plan, const root_place *root, int pair,
                      retarget_goal *goal)
{
    const lb_retarget_pair *p = &plan->map->pairs[pair];
    const retarget_limb *limb = &plan->limbs[pair];
    bool stands = p->held_count > 0 && !retarget_is_palm(p);
    if (limb->is_limb) {
        *goal = (retarget_goal){
            .direction = lb_transform_direction(retarget_source_at(plan, pair), limb->axis)};
        return;
    }
    lb_vec3 place = lb_transform_point(retarget_source_at(plan, pair), p->source_point);
    lb_vec3 from_root = lb_vec3_sub(place, root->source);
    // each foot is as high above the ground below it, all else as the root
    if (stands)
        from_root.z -= ground_rise(&plan->source_ground, from_root);
    *goal =
        (retarget_goal){.turn = lb_quat_multiply(retarget_source_turn(plan, pair), p->rotation),
                        .place = lb_vec3_add(root->moved, lb_vec3_scale(from_root, plan->scale))};
    if (!retarget_is_zero(p->offset))
        goal->place = lb_vec3_add(goal->place, along_heading(plan, p->offset));
    goal->place.z += stands ? ground_rise(&plan->ground, goal->place) : root->rise;
    if (stands && !(ground_is_level(&plan->ground) && ground_is_level(&plan->source_ground)))
        goal->turn = lb_quat_multiply(plan->foot_tilt, goal->turn);
}

retarget_goal retarget_free_goal(const retarget_plan *plan, int pair)
{
    root_place root = place_root(plan);
    retarget_goal goal;
    find_goal(plan, &root, pair, &goal);
    return goal;
}

void retarget_free_goals(const retarget_plan *plan, int count, retarget_goal *goals)
{
    root_place root = place_root(plan);
    for (int i = 0; i < count; i++)
        find_goal(plan, &root, i, &goals[i]);
}

/* ---- contacts that the user gives --------------------------------------- */

/* where a point of the source is in the pose that plan->state has */
static lb_vec3 place_point(const retarget_plan *plan, const lb_contact_point *point)
{
    lb_transform t = lb_state_transform(plan->state, LB_WORLD, point->link);
    return lb_transform_point(&t, point->at);
}

static bool is_same_or_next(const lb_model *model, int a, int b)
{
    return a == b || lb_model_parent(model, a) == b || lb_model_parent(model, b) == a;
}

/*
 * The held point that is nearest to a user's one at rest, on its link or the next one: soles are
 * points of the foot, where a map may hold the toe's joint. -1: there is none.
 */
static int find_held(const retarget_plan *plan, const lb_contacts *own,
                     const lb_contact_point *given)
{
    const lb_contact_point *points = lb_contacts_points(own);
    const lb_model *model = lb_clip_model(plan->source);
    double least = INFINITY;
    int found = -1;
    for (int p = 0; p < lb_contacts_count(own); p++) {
        if (!is_same_or_next(model, points[p].link, given->link))
            continue;
        lb_vec3 gap = lb_vec3_sub(place_point(plan, &points[p]), place_point(plan, given));
        if (lb_vec3_length(gap) >= least)
            continue;
        least = lb_vec3_length(gap);
        found = p;
    }
    return found;
}

/* the spans of the user's points that are nearest to a held one; of points that are nearer to
   others those of the same link, so that one may stand for a whole foot. *any: there are some */
static lb_status take_point(retarget_plan *plan, lb_contacts *into, int point, bool *any,
                            lb_error *error)
{
    const lb_contacts *from = plan->options->contacts;
    const lb_contact_point *given = lb_contacts_points(from);
    int link = lb_contacts_points(into)[point].link;
    bool own = false;
    for (int pass = 0; pass < 2 && !own; pass++)
        for (int g = 0; g < lb_contacts_count(from); g++) {
            if (pass == 0 ? find_held(plan, into, &given[g]) != point : given[g].link != link)
                continue;
            own = true;
            TRY(contacts_copy_spans(from, g, into, point, error));
        }
    *any = *any || own;
    return LB_OK;
}

lb_status retarget_take_spans(retarget_plan *plan, lb_contacts *into, bool *any, lb_error *error)
{
    const lb_contacts *given = plan->options->contacts;
    const lb_model *model = lb_clip_model(plan->source);
    *any = false;
    // a link that the model lacks is of no point
    for (int g = 0; g < lb_contacts_count(given); g++)
        if (lb_contacts_points(given)[g].link < 0 ||
            lb_contacts_points(given)[g].link >= lb_model_link_count(model))
            return REFUSE_ARGUMENT(error, "contact point %d: the source has no link %d", g,
                                   lb_contacts_points(given)[g].link);
    if (plan->options->rest != NULL)
        memcpy(plan->q, plan->options->rest, (size_t)lb_model_nq(model) * sizeof *plan->q);
    else
        lb_configuration_neutral(model, plan->q);
    lb_state_update(plan->state, plan->q);
    for (int p = 0; p < lb_contacts_count(into); p++)
        TRY(take_point(plan, into, p, any, error));
    return LB_OK;
}

/* ---- jumps ---------------------------------------------------------------- */

/* radians: a joint that changes by this in a step of 1/30 s is fast for a person; and it jumps if
   that is so many times as much as the source's joints change */
#define JUMP 0.35
#define RATIO 3.0
/* and so is a change that no person makes in that time, as from one limit to the other, if it is
   only so many times as much: the source may turn fast then, as a head that spins */
#define SUDDEN 1.2
#define SUDDEN_RATIO 1.5

/* how much a joint changes: what turns in space by its angle, or by the largest of its numbers */
static double joint_change(const lb_model *model, int joint, const double *change, bool numbers)
{
    lb_joint_kind kind = lb_model_joint(model, joint)->kind;
    bool free = !numbers && (kind == LB_JOINT_BALL || kind == LB_JOINT_FLOATING);
    int at = lb_model_joint_v(model, joint), nv = at < 0 ? 0 : lb_joint_kind_nv(kind);
    double most = 0;
    for (int k = 0; k < nv; k += free ? 3 : 1) {
        const double *v = change + at + k;
        most = fmax(most, free ? lb_vec3_length(lb_vec3_make(v[0], v[1], v[2])) : fabs(v[0]));
    }
    return most;
}

double retarget_calm_change(const retarget_plan *plan, int step, bool numbers, double *room)
{
    const lb_model *model = lb_clip_model(plan->source);
    double most = 0, *next = room, *change = room + lb_model_nq(model);
    lb_clip_at(plan->source, retarget_grid_time(plan, step), plan->q);
    lb_clip_at(plan->source, retarget_grid_time(plan, step + 1), next);
    lb_configuration_difference(model, plan->q, next, change);
    for (int j = 0; j < lb_model_joint_count(model); j++)
        most = fmax(most, joint_change(model, j, change, numbers));
    return fmax(JUMP, fmax(fmin(RATIO * most, SUDDEN), SUDDEN_RATIO * most));
}
