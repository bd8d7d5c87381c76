/*
 * placement.c - what a robot reaches from places on a lattice.
 *
 * From each place the targets are seen from the robot and solved side by side. Targets beyond the
 * links laid end to end are left out, so that far places cost nothing.
 */
#include "base/error.h"
#include "base/memory.h"
#include "ik/solver.h"
#include "model/range.h"
#include "workspace/probe.h"
#include "workspace/reach_contents.h"

#include <limber/batch.h>
#include <limber/placement.h>

/* where there is no closed form: as workspaces have it, of a Panda's reachable poses one in a
   hundred needs more */
enum { ITERATIONS = 100, MOST_TURNS = 360 };

struct lb_placement {
    memory_pool pool; /* of all else */
    lb_allocator memory;
    const lb_model *model;
    lb_placement_options options;
    decide_bound bound;    /* of the tool, with what the solver takes for reached */
    double x, y;           /* of the first place */
    size_t columns, lines; /* of places along x and y */
    size_t nq;
    int count;
    reach_contents contents; /* the margins of all solutions, where they are known */
    lb_ik *ik;
    lb_transform *targets; /* in the world */
    lb_transform *near;    /* those within reach, seen from the robot */
    lb_ik_result *results;
    double *q; /* nq each */
};

lb_placement_options lb_placement_options_default(void)
{
    return (lb_placement_options){.cell = 0.1, .turns = 8};
}

/* ---- creating ------------------------------------------------------------- */

static lb_status take_arrays(lb_placement *p, lb_error *error)
{
    size_t n = (size_t)p->count;
    p->targets = memory_take(&p->memory, n, sizeof *p->targets);
    p->near = memory_take(&p->memory, n, sizeof *p->near);
    p->results = memory_take(&p->memory, n, sizeof *p->results);
    p->q = memory_take(&p->memory, n, p->nq * sizeof *p->q);
    return memory_pool_failed(&p->memory) ? error_out_of_memory(error) : LB_OK;
}

static lb_status check(const lb_task *task, const lb_transform *targets, int count,
                       const lb_placement_options *options, lb_error *error)
{
    if (!(options->cell > 0) || !(options->cell <= LB_LENGTH_MAX) ||
        !(fabs(options->height) <= LB_LENGTH_MAX))
        return REFUSE_ARGUMENT(
            error,
            "cell is %g but must be a length above 0, height %g a number, both up "
            "to %g m",
            options->cell, options->height, LB_LENGTH_MAX);
    if (options->turns < 1 || options->turns > MOST_TURNS)
        return REFUSE_ARGUMENT(error, "turns must be 1 to 360, not %d", options->turns);
    if (count < 1 || targets == NULL)
        return REFUSE_ARGUMENT(error, "no target is given");
    if (task->base != LB_WORLD)
        return REFUSE_ARGUMENT(error, "targets are in the world: the task's base must be LB_WORLD");
    if (task->kind == LB_TASK_ROTATION || task->free_position != 0)
        return REFUSE_UNSUPPORTED(error, "targets must have a position that is free along no axis");
    for (int i = 0; i < count; i++)
        if (!lb_transform_is_rigid(&targets[i], 1e-6))
            return REFUSE_VALUE(error, "target %d is no rigid transform", i + 1);
    return LB_OK;
}

/* all lines of the lattice, multiples of a cell, that are at most `reach` from a coordinate */
static bool span(double least, double most, double reach, double cell, double *first, size_t *count)
{
    double from = floor((least - reach) / cell), to = ceil((most + reach) / cell);
    *first = from * cell;
    *count = to - from < 1e5 ? (size_t)(to - from) + 1 : 0;
    return *count > 0;
}

static lb_status lay_lattice(lb_placement *p, lb_error *error)
{
    // the first joint is aside of the robot's origin, whichever way it is turned
    lb_vec3 aside = {p->bound.center.x, p->bound.center.y, 0};
    double reach = p->bound.radius + lb_vec3_length(aside), cell = p->options.cell;
    lb_vec3 least = p->targets[0].p, most = least;
    for (int i = 1; i < p->count; i++) {
        lb_vec3 place = p->targets[i].p;
        least = lb_vec3_make(fmin(least.x, place.x), fmin(least.y, place.y), 0);
        most = lb_vec3_make(fmax(most.x, place.x), fmax(most.y, place.y), 0);
    }
    if (span(least.x, most.x, reach, cell, &p->x, &p->columns) &&
        span(least.y, most.y, reach, cell, &p->y, &p->lines) &&
        (double)p->columns * (double)p->lines * p->options.turns < INT32_MAX)
        return LB_OK;
    return REFUSE_ARGUMENT(
        error,
        "cells of %g m are too small: a target is reached from places up to %g m "
        "apart; make them larger",
        cell, fmax(most.x - least.x, most.y - least.y) + 2 * reach);
}

static lb_status create_solver(lb_placement *p, const lb_task *task, lb_error *error)
{
    lb_ik_options options = lb_ik_options_default();
    lb_reach_map_options wanted = lb_reach_map_options_default();
    wanted.contents = LB_REACH_LIMIT_MARGIN;
    TRY(reach_contents_create(&p->contents, p->model, task, &wanted, &p->memory, error));
    if (!p->contents.closed) {
        options.protocol = LB_PROTOCOL_ANY;
        options.iterations = ITERATIONS;
    }
    return lb_ik_create(p->model, task, 1, &options, &p->memory, &p->ik, error);
}

static lb_status build(lb_placement *p, const lb_task *task, const lb_transform *targets,
                       lb_error *error)
{
    TRY(check(task, targets, p->count, &p->options, error));
    TRY(create_solver(p, task, error));
    TRY(decide_find_bound(p->model, task, &p->memory, &p->bound, error));
    TRY(take_arrays(p, error));
    double farthest = lb_vec3_length(p->bound.center);
    for (int i = 0; i < p->count; i++) {
        p->targets[i] = targets[i];
        farthest = fmax(farthest, lb_vec3_length(targets[i].p));
    }
    // a stretched arm is as far as this only to the solver's tolerance and to rounding
    farthest += p->bound.radius;
    p->bound.radius += lb_ik_options_default().position_tolerance +
                       range_rounding(farthest, lb_model_joint_count(p->model));
    return lay_lattice(p, error);
}

lb_status lb_placement_create(const lb_model *model, const lb_task *task,
                              const lb_transform *targets, int count,
                              const lb_placement_options *options, const lb_allocator *allocator,
                              lb_placement **placement, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(placement, error, {model, "model"}, {task, "task"}));
    lb_allocator memory;
    lb_placement *made = memory_pool_object(sizeof *made, allocator, &memory);
    TRY(require_memory(error, made));
    made->memory = memory;
    made->model = model;
    made->options = options != NULL ? *options : lb_placement_options_default();
    made->nq = (size_t)lb_model_nq(model);
    made->count = count;
    lb_status status = build(made, task, targets, error);
    if (status == LB_OK)
        *placement = made;
    else
        lb_placement_release(made);
    return status;
}

void lb_placement_release(lb_placement *p)
{
    memory_pool_release(p);
}

size_t lb_placement_count(const lb_placement *p)
{
    return p->columns * p->lines * (size_t)p->options.turns;
}

/* ---- solving -------------------------------------------------------------- */

static lb_transform robot_at(const lb_placement *p, size_t index)
{
    size_t turns = (size_t)p->options.turns, column = index / turns % p->columns;
    double angle = 2 * LB_PI * (double)(index % turns) / (double)turns;
    lb_vec3 place = {p->x + lb_product((double)column, p->options.cell),
                     p->y + lb_product((double)(index / turns / p->columns), p->options.cell),
                     p->options.height};
    return lb_transform_from_quat(lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), angle), place);
}

/* the largest of the solutions that are known of a target that is near */
static double find_margin(lb_placement *p, size_t i)
{
    lb_reach_cell cell = {.reached = 0};
    reach_contents_add(&p->contents, &p->near[i], p->q + i * p->nq, &cell);
    return cell.limit_margin;
}

lb_place lb_placement_solve(lb_placement *p, size_t index)
{
    lb_place place = {.robot = robot_at(p, index), .margin = 1};
    size_t near = 0;
    for (int i = 0; i < p->count; i++) {
        lb_transform seen = lb_transform_between(&place.robot, &p->targets[i]);
        if (lb_vec3_length(lb_vec3_sub(seen.p, p->bound.center)) <= p->bound.radius)
            p->near[near++] = seen;
    }
    lb_batch batch = {.targets = p->near, .q = p->q, .results = p->results};
    place.reached = (int)lb_batch_solve(p->ik, &batch, 0, near);
    for (size_t i = 0; i < near; i++)
        if (p->results[i].outcome == LB_REACHED)
            place.margin = fmin(place.margin, find_margin(p, i));
    if (place.reached == 0)
        place.margin = 0;
    return place;
}
