/*
 * first.c - the first frame, which follows from none: the best of what several starts lead to.
 */
#include "motion/retarget/solver.h"

#include <limber/kinematics.h>

#include <string.h>

/* the first frame is solved from the neutral configuration; another start's result must be so much
   better to be taken, so that what is found does not depend on it */
#define MUCH_BETTER 0.8

/* descents end where a step reduces the error little; the first frame's go on so often */
enum { FIRST_ROUNDS = 6, RANDOM_STARTS = 8 };

void retarget_place_root(retarget_solver *solver, const retarget_goal *goals, double *q)
{
    const lb_retarget_pair *pair = &solver->plan->map->pairs[0];
    const retarget_goal *goal = &goals[0];
    const lb_model *model = solver->plan->target;
    if (lb_model_joint(model, solver->root)->kind != LB_JOINT_FLOATING)
        return;
    lb_state_update(solver->state, q);
    const lb_transform *at = lb_state_transforms(solver->state);
    lb_transform wanted = lb_transform_from_quat(goal->turn, goal->place);
    lb_vec3 arm = lb_transform_direction(&wanted, pair->target_point);
    wanted.p = lb_vec3_sub(wanted.p, arm);
    // T_rest_moved = T_rest_world * wanted * T_pair_moved
    int moved = solver->root + 1;
    lb_transform from_pair = lb_transform_between(&at[pair->target], &at[moved]);
    lb_transform parent = at[lb_model_parent(model, moved)];
    lb_transform rest =
        lb_transform_multiply(&parent, &lb_model_joint(model, solver->root)->placement);
    lb_transform place = lb_transform_multiply(&wanted, &from_pair);
    place = lb_transform_between(&rest, &place);
    lb_quat turn = lb_transform_quat(&place);
    const double values[7] = {place.p.x, place.p.y, place.p.z, turn.w, turn.x, turn.y, turn.z};
    for (int i = 0; i < 7; i++)
        q[lb_model_joint_q(model, solver->root) + i] = values[i];
}

/* the squared error of a task, by its weight away from contacts */
static double task_cost(const retarget_solver *solver, const lb_transform *at, int t)
{
    const retarget_task *task = &solver->tasks[t];
    if (task->held <= RETARGET_JOINED || task->kind == LB_BODY_ON_PLANE)
        return 0;
    const lb_retarget_pair *pair = &solver->plan->map->pairs[task->pair];
    const lb_transform *link = &at[pair->target];
    lb_transform target;
    retarget_task_target(solver, solver->goals, t, &target);
    if (task->kind == LB_BODY_POSITION) {
        bool held = task->held >= 0;
        lb_vec3 point = held ? pair->held[task->held].at : pair->target_point;
        lb_vec3 off = lb_vec3_sub(lb_transform_point(link, point), target.p);
        double weight = held ? RETARGET_POINT_FREE : pair->position;
        // a palm has a place only where it is held
        if (held && retarget_is_palm(pair))
            weight *= solver->goals[task->pair].hold[task->held];
        return weight * lb_vec3_dot(off, off);
    }
    if (task->kind == LB_BODY_ORIENTATION) {
        double angle = lb_transform_angle(link, &target);
        return pair->orientation * angle * angle;
    }
    lb_vec3 bone = lb_transform_direction(link, pair->axis);
    double angle =
        lb_atan2(lb_vec3_length(lb_vec3_cross(bone, target.z)), lb_vec3_dot(bone, target.z));
    return pair->direction * angle * angle;
}

double retarget_cost(retarget_solver *solver, const double *q)
{
    lb_state_update(solver->state, q);
    double sum = 0;
    for (int t = 0; t < solver->count; t++)
        sum += task_cost(solver, lb_state_transforms(solver->state), t);
    return sum;
}

void retarget_search_first(retarget_solver *solver, const double *start, double *try, double *q)
{
    const lb_model *model = solver->plan->target;
    size_t nq = (size_t)lb_model_nq(model);
    double least = INFINITY;
    lb_random random = lb_random_seed(1);
    for (int i = 0; i <= RANDOM_STARTS + (start != NULL); i++) {
        bool own = i > RANDOM_STARTS;
        if (i > 0 && !own)
            lb_configuration_random(model, &random, try);
        else
            memcpy(try, own ? start : solver->neutral, nq * sizeof *try);
        // what no task moves rests
        for (size_t k = 0; k < nq; k++)
            try[k] = solver->moved[k] ? try[k] : solver->neutral[k];
        if (!own)
            retarget_place_root(solver, solver->goals, try);
        // each descent begins where the one before ended
        for (int round = 0; round < FIRST_ROUNDS; round++)
            retarget_descend(solver, RETARGET_FAR, try, try);
        double cost = retarget_cost(solver, try);
        if (cost < (isfinite(least) ? MUCH_BETTER : 1) * least) {
            least = cost;
            memcpy(q, try, nq * sizeof *q);
        }
    }
}

lb_status retarget_solve_first(retarget_solver *solver, double time, const double *start, double *q,
                               lb_error *error)
{
    size_t nq = (size_t)lb_model_nq(solver->plan->target);
    double *try = memory_take(&solver->plan->memory, nq, sizeof *try);
    if (try == NULL)
        return error_out_of_memory(error);
    retarget_aim(solver, time);
    retarget_search_first(solver, start, try, q);
    return LB_OK;
}
