/*
 * jump.c - where a joint of the target jumps although none of the source does, and whose limb it
 * is; jumps are moved to where they cost least.
 */
#include "math/scalar.h"

#include "motion/retarget/retarget.h"

#include <string.h>

/* radians: a joint that changes by this in a step of 1/30 s is fast for a person; and it jumps if
   that is so many times as much as the source's joints change */
#define JUMP 0.35
#define RATIO 3.0
/* and so is a change that no person makes in that time, as from one limit to the other, if it is
   only so many times as much: the source may turn fast then, as a head that spins */
#define SUDDEN 1.2
#define SUDDEN_RATIO 1.5

/* the most that any joint but the root changes */
static double largest_change(const lb_model *model, const double *change, int root)
{
    double most = 0;
    int skip = lb_model_joint_v(model, root);
    int after = skip + lb_joint_kind_nv(lb_model_joint(model, root)->kind);
    for (int i = 0; i < lb_model_nv(model); i++)
        if (i < skip || i >= after)
            most = scalar_max(fabs(change[i]), most);
    return most;
}

/* what each number of the source changes by from a step to the next */
static const double *source_change(const retarget_plan *plan, int step, double *room)
{
    const lb_model *model = lb_clip_model(plan->source);
    double *next = room, *change = room + lb_model_nq(model);
    lb_clip_at(plan->source, retarget_grid_time(plan, step), plan->q);
    lb_clip_at(plan->source, retarget_grid_time(plan, step + 1), next);
    lb_configuration_difference(model, plan->q, next, change);
    return change;
}

static double largest_calm(double source)
{
    return fmax(JUMP, fmax(fmin(RATIO * source, SUDDEN), SUDDEN_RATIO * source));
}

/* how much a joint changes: what turns in space by its angle, whatever its axes are */
static double joint_change(const lb_model *model, int joint, const double *change)
{
    lb_joint_kind kind = lb_model_joint(model, joint)->kind;
    bool free = kind == LB_JOINT_BALL || kind == LB_JOINT_FLOATING;
    int at = lb_model_joint_v(model, joint), nv = at < 0 ? 0 : lb_joint_kind_nv(kind);
    double most = 0;
    for (int k = 0; k < nv; k += free ? 3 : 1) {
        const double *v = change + at + k;
        most = fmax(most, free ? lb_vec3_length(lb_vec3_make(v[0], v[1], v[2])) : fabs(v[0]));
    }
    return most;
}

double retarget_calm_change(const retarget_plan *plan, int step, double *room)
{
    const lb_model *model = lb_clip_model(plan->source);
    const double *change = source_change(plan, step, room);
    double most = 0;
    for (int j = 0; j < lb_model_joint_count(model); j++)
        most = fmax(most, joint_change(model, j, change));
    return largest_calm(most);
}

bool retarget_is_jump(const retarget_grid *grid, int step, double *room)
{
    const retarget_plan *plan = grid->solver->plan;
    const double *change = grid->changes + (size_t)step * grid->nv, *source;
    double most = largest_change(plan->target, change, grid->solver->root), least = 0;
    if (!(most > JUMP))
        return false;
    source = source_change(plan, step, room);
    for (int i = 0; i < lb_model_nv(lb_clip_model(plan->source)); i++)
        least = fmax(least, fabs(source[i]));
    return most > largest_calm(least);
}

static double *take_room(const retarget_grid *grid)
{
    const lb_model *source = lb_clip_model(grid->solver->plan->source);
    size_t size = (size_t)(lb_model_nq(source) + lb_model_nv(source));
    return memory_take(&grid->solver->plan->memory, size, sizeof(double));
}

lb_status retarget_move_jumps(retarget_grid *grid, lb_error *error)
{
    double *room = take_room(grid);
    for (int step = 0; room != NULL && step < grid->steps; step++)
        if (retarget_is_jump(grid, step, room))
            retarget_grid_move_jump(grid, step);
    return room != NULL ? LB_OK : error_out_of_memory(error);
}

/* ---- the limb ----------------------------------------------------------------- */

static int count_pairs(const retarget_grid *grid, int link)
{
    const lb_retarget_map *map = grid->solver->plan->map;
    int count = 0;
    for (int i = 0; i < map->count; i++)
        count += retarget_is_below(grid->solver->plan->target, link, map->pairs[i].target);
    return count;
}

/* the first link of the limb that a joint belongs to: above it other limbs begin */
static int find_limb(const retarget_grid *grid, int joint)
{
    const lb_model *model = grid->solver->plan->target;
    int link = joint + 1, parent = lb_model_parent(model, link);
    while (parent > grid->solver->root + 1 && count_pairs(grid, parent) == count_pairs(grid, link))
        link = parent, parent = lb_model_parent(model, link);
    return link;
}

static void mark_limb(const retarget_grid *grid, int top, unsigned char *limbs)
{
    const lb_model *model = grid->solver->plan->target;
    for (int link = top, end = retarget_end_below(model, top); link < end; link++) {
        int at = lb_model_joint_q(model, link - 1);
        int nq = lb_joint_kind_nq(lb_model_joint(model, link - 1)->kind);
        for (int k = 0; at >= 0 && k < nq; k++)
            limbs[at + k] = 1;
    }
}

void retarget_find_limbs(const retarget_grid *grid, int step, unsigned char *limbs)
{
    const lb_model *model = grid->solver->plan->target;
    const double *change = grid->changes + (size_t)step * grid->nv;
    for (int j = grid->solver->root + 1; j < lb_model_joint_count(model); j++) {
        int at = lb_model_joint_v(model, j);
        int nv = lb_joint_kind_nv(lb_model_joint(model, j)->kind);
        bool jumps = false;
        for (int k = 0; at >= 0 && k < nv; k++)
            jumps = jumps || fabs(change[at + k]) > JUMP;
        if (jumps)
            mark_limb(grid, find_limb(grid, j), limbs);
    }
}
