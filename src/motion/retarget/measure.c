/*
 * measure.c - how far held points of a frame are from where they are to be, and what is below the
 * ground: such points are to be on it when the frame is solved again.
 */
#include "motion/retarget/solver.h"

#include <limber/kinematics.h>

/* metres: a held point is where it is to be; a fifth of what is promised */
#define EXACT 2e-5
/* metres: a point is below the ground; a tenth of what is promised */
#define BELOW 1e-4

/* how high the sole of a pair that is at *at is above the ground */
static double sole_height(const retarget_plan *plan, int pair, const lb_transform *at,
                          lb_vec3 *lowest)
{
    return retarget_sole_height(retarget_sole_of(plan, pair), &plan->ground, at, lowest);
}

/* a point that an edge of the sole keeps above its place is off by no more than that edge is above
   the ground */
static lb_vec3 without_edge(const ground_plane *ground, lb_vec3 off, double height)
{
    double excess = lb_vec3_dot(off, ground->normal) - fmax(0, height);
    return excess > 0 ? lb_vec3_sub(off, lb_vec3_scale(ground->normal, excess)) : off;
}

/* `edges`: goals do not know of edges that were pressed */
static retarget_feet compare_feet(const retarget_solver *solver, const retarget_goal *goals,
                                  const lb_transform *at, bool edges)
{
    retarget_feet feet = {0, 0};
    const lb_retarget_map *map = solver->plan->map;
    const ground_plane *ground = &solver->plan->ground;
    for (int i = 0; i < map->count; i++) {
        lb_vec3 lowest;
        if (map->pairs[i].held_count == 0)
            continue;
        double height = sole_height(solver->plan, i, at, &lowest);
        feet.below = fmax(feet.below, -height);
        for (int k = 0; k < map->pairs[i].held_count; k++) {
            lb_vec3 point = lb_transform_point(at, map->pairs[i].held[k].at);
            lb_vec3 off = lb_vec3_sub(point, goals[i].held[k]);
            if (!retarget_is_palm(&map->pairs[i]))
                feet.below = fmax(feet.below, -ground_distance(ground, point));
            if (edges)
                off = without_edge(ground, off, height);
            if (goals[i].hold[k] > RETARGET_NEARLY_HELD)
                feet.off = fmax(feet.off, lb_vec3_length(off));
        }
        at++;
    }
    return feet;
}

retarget_feet retarget_compare_feet(const retarget_solver *solver, const retarget_goal *goals,
                                    const lb_transform *at)
{
    return compare_feet(solver, goals, at, false);
}

/* the links of all pairs with held points */
static void list_feet(retarget_solver *solver, const double *q, lb_transform *at)
{
    const lb_retarget_map *map = solver->plan->map;
    lb_state_update(solver->state, q);
    for (int i = 0; i < map->count; i++)
        if (map->pairs[i].held_count > 0)
            *at++ = lb_state_transforms(solver->state)[map->pairs[i].target];
}

retarget_feet retarget_measure_feet(retarget_solver *solver, const retarget_goal *goals,
                                    const double *q)
{
    lb_transform at[LB_RETARGET_PAIRS];
    list_feet(solver, q, at);
    return compare_feet(solver, goals, at, true);
}

bool retarget_press_pose(retarget_solver *solver, const double *q)
{
    lb_transform at[LB_RETARGET_PAIRS];
    list_feet(solver, q, at);
    return retarget_press_feet(solver, solver->goals, at);
}

bool retarget_is_exact(const retarget_feet *feet)
{
    return feet->off <= EXACT && feet->below <= BELOW;
}

/* heel or toe of a foot that is where *at is comes to be so much higher; what was pressed and is
   lowered no lower than the ground */
static void raise_end(const retarget_plan *plan, const lb_retarget_pair *pair, int end,
                      const lb_transform *at, double by, retarget_goal *goal)
{
    lb_vec3 *held = &goal->held[end];
    double height = ground_distance(&plan->ground, lb_transform_point(at, pair->held[end].at));
    double before = goal->raised[end], now = fmax(0, height + by);
    double change = by > 0 ? fmax(0, now - ground_distance(&plan->ground, *held)) : now - before;
    goal->pressed[end] = true;
    goal->raised[end] = now;
    *held = lb_vec3_add(*held, lb_vec3_scale(plan->ground.normal, change));
}

/* an edge of the sole that is below the ground is lifted with the nearer of heel and toe, which may
   be held; a sole that was lifted too far is lowered */
static bool press_sole(const retarget_plan *plan, int index, const lb_transform *at,
                       retarget_goal *goal)
{
    const lb_retarget_pair *pair = &plan->map->pairs[index];
    lb_vec3 lowest, heel = pair->held[0].at;
    double depth = -sole_height(plan, index, at, &lowest);
    bool lowered = false;
    for (int k = 0; k < 2 && depth < -BELOW; k++)
        if (goal->pressed[k] && goal->raised[k] > 0) {
            raise_end(plan, pair, k, at, depth, goal);
            lowered = true;
        }
    if (!(depth > BELOW))
        return lowered;
    lb_vec3 along = lb_vec3_sub(pair->held[1].at, heel);
    double far = lb_vec3_dot(lb_vec3_sub(lowest, heel), along) / lb_vec3_dot(along, along);
    raise_end(plan, pair, far > 0.5, at, depth, goal);
    return true;
}

bool retarget_press_feet(const retarget_solver *solver, retarget_goal *goals,
                         const lb_transform *at)
{
    bool any = false;
    const lb_retarget_map *map = solver->plan->map;
    for (int i = 0; i < map->count; i++) {
        bool stands = !retarget_is_palm(&map->pairs[i]);
        for (int k = 0; stands && k < map->pairs[i].held_count; k++) {
            lb_vec3 point = lb_transform_point(at, map->pairs[i].held[k].at);
            if (goals[i].pressed[k] || ground_distance(&solver->plan->ground, point) >= -BELOW)
                continue;
            goals[i].pressed[k] = any = true;
        }
        if (map->pairs[i].held_count > 0)
            any = press_sole(solver->plan, i, at++, &goals[i]) || any;
    }
    return any;
}
