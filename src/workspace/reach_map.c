/*
 * reach_map.c - a lattice of places, each decided in many orientations.
 *
 * Where there is a closed form it decides (reach_contents.c). Elsewhere a cell's orientations are
 * solved side by side with a short search. It overlooks some of what is hard to reach, and what
 * cannot be reached would cost a long search thirty times the price of what can. But orientations
 * have neighbours: where one is reached, its configuration is a start from which a few iterations
 * decide the next. So what is missing is tried from each neighbour that was reached, in rounds
 * until no neighbour is left: 12 of them overlook a third less than 6, at twice the price of the
 * second half. All starts come from the same cell, so that its result depends on its index alone.
 */
#include "base/error.h"
#include "base/memory.h"
#include "ik/solver.h"
#include "ik/task.h"
#include "kinematics/assembly.h"
#include "workspace/orientation.h"
#include "workspace/probe.h"
#include "workspace/reach_contents.h"

#include <assert.h>
#include <limber/batch.h>
#include <limber/reach_map.h>
#include <string.h>

/* of a first attempt: a Panda's reachable poses take 5 on average, 1 in 50 more than this */
#define ITERATIONS 40
/* of an attempt from a neighbour 30 degrees away; twice as many find 1 in 2000 more */
#define NEIGHBOR_ITERATIONS 15
enum { NEIGHBORS = 12 };
/* of a cell's edge, and radians: how near to its centre and orientation counts as there */
#define NEAR 1e-4

struct lb_reach_map {
    memory_pool pool; /* of all else */
    lb_allocator memory;
    lb_reach_grid grid;
    lb_vec3 shoulder; /* the first joint that moves the tool, seen from the base */
    reach_contents contents;
    size_t nq;
    decide_wrist wrist;      /* of a search: what proves that a target is out of reach */
    lb_ik *search, *descent; /* the first attempt, and those from neighbours; NULL: closed form */
    lb_transform *targets;   /* of the cell, one for each orientation */
    uint16_t *neighbors;     /* NEIGHBORS of each orientation, the nearest first */

    /* the orientations' states */
    double *q; /* nq each */
    lb_ik_result *results;
    uint16_t *tried; /* a bit for each neighbour */

    /* a round: those that are tried again, in a row */
    int *missing;
    lb_transform *round_targets;
    double *round_q; /* nq each: the starts, then the results */
    lb_ik_result *round_results;
};

lb_reach_map_options lb_reach_map_options_default(void)
{
    return (lb_reach_map_options){.cell = 0.05, .orientations = 576};
}

/* ---- creating ------------------------------------------------------------- */

static lb_status take_arrays(lb_reach_map *map, lb_error *error)
{
    const lb_allocator *memory = &map->memory;
    size_t n = (size_t)map->grid.orientations, row = map->nq * sizeof *map->q;
    map->targets = memory_take(memory, n, sizeof *map->targets);
    map->round_targets = memory_take(memory, n, sizeof *map->round_targets);
    map->q = memory_take(memory, n, row);
    map->round_q = memory_take(memory, n, row);
    map->results = memory_take(memory, n, sizeof *map->results);
    map->round_results = memory_take(memory, n, sizeof *map->round_results);
    map->missing = memory_take(memory, n, sizeof *map->missing);
    map->neighbors = memory_take(memory, NEIGHBORS * n, sizeof *map->neighbors);
    map->tried = memory_take(memory, n, sizeof *map->tried);
    return memory_pool_failed(memory) ? error_out_of_memory(error) : LB_OK;
}

/* where the lattice is and how large, from the links laid end to end */
static lb_status lay_grid(lb_reach_map *map, const lb_model *model, const lb_task *task,
                          const lb_reach_map_options *options, lb_error *error)
{
    decide_bound bound;
    TRY(decide_find_bound(model, task, &map->memory, &bound, error));
    map->shoulder = bound.center;
    map->grid.center = options->inverse ? lb_vec3_make(0, 0, 0) : bound.center;
    map->grid.radius = bound.radius;
    // 1289 along each side are the most whose cube is an int
    double half = floor(bound.radius / map->grid.cell);
    if (half > 644)
        return REFUSE_ARGUMENT(
            error,
            "cells of %g m are too small for a reach of %g m: at most 1289 along "
            "each side",
            map->grid.cell, map->grid.radius);
    map->grid.count = 2 * (int)half + 1;
    return LB_OK;
}

/* fewer velocities than a pose has constraints here */
static lb_status check_joints(const lb_reach_map *map, const lb_model *model, const lb_task *task,
                              lb_error *error)
{
    lb_state *state = NULL;
    lb_status status = lb_state_create(model, &map->memory, &state);
    if (status != LB_OK)
        return lb_error_set(error, status, 0, "%s", lb_status_text(status));
    lb_mobility mobility = lb_task_mobility(state, task, NULL);
    lb_state_release(state);
    lb_assembly *assembly;
    TRY(assembly_of(model, &map->memory, &assembly, error));
    if (assembly && lb_assembly_mobility(assembly).found < mobility.velocities)
        mobility.velocities = lb_assembly_mobility(assembly).found;
    lb_assembly_release(assembly);
    if (mobility.constraints == 6 && mobility.velocities >= 6)
        return LB_OK;
    return REFUSE_UNSUPPORTED(
        error,
        "the tool has %d of the six directions of a pose, by %d joints' velocities: "
        "it reaches hardly any orientation; sample its workspace instead",
        mobility.constraints, mobility.velocities);
}

static lb_status create_solvers(lb_reach_map *map, const lb_model *model, const lb_task *task,
                                const lb_reach_map_options *given, lb_error *error)
{
    lb_status status = decide_find_wrist(model, task, &map->memory, &map->wrist);
    if (status != LB_OK)
        return lb_error_set(error, status, 0, "%s", lb_status_text(status));
    lb_ik_options options = lb_ik_options_default();
    options.position_tolerance = NEAR * given->cell;
    options.rotation_tolerance = NEAR;
    options.width = given->width;
    options.protocol = LB_PROTOCOL_ANY;
    options.iterations = given->iterations > 0 ? given->iterations : ITERATIONS;
    status = lb_ik_create(model, task, 1, &options, &map->memory, &map->search, error);
    options.protocol = LB_PROTOCOL_GIVEN;
    options.iterations = NEIGHBOR_ITERATIONS;
    return status == LB_OK
               ? lb_ik_create(model, task, 1, &options, &map->memory, &map->descent, error)
               : status;
}

/* enters orientation `other` among the nearest of those before it, which are in order */
static void enter_neighbor(uint16_t *nearest, double *near, int *count, int other, double cosine)
{
    int at = *count < NEIGHBORS ? (*count)++ : NEIGHBORS;
    for (; at > 0 && near[at - 1] < cosine; at--)
        if (at < NEIGHBORS) {
            near[at] = near[at - 1];
            nearest[at] = nearest[at - 1];
        }
    if (at < NEIGHBORS) {
        near[at] = cosine;
        nearest[at] = (uint16_t)other;
    }
}

/* the orientations, and the nearest of each: q and -q are one rotation */
static void find_neighbors(lb_reach_map *map)
{
    int n = map->grid.orientations, level = hopf_level(n);
    bool inverse = map->contents.options.inverse;
    for (int k = 0; k < n; k++) {
        lb_quat a = hopf_orientation(level, k);
        map->targets[k] =
            lb_transform_from_quat(inverse ? lb_quat_conjugate(a) : a, lb_vec3_make(0, 0, 0));
    }
    for (int k = 0; k < n; k++) {
        lb_quat a = lb_transform_quat(&map->targets[k]);
        double near[NEIGHBORS];
        int count = 0;
        for (int other = 0; other < n; other++) {
            lb_quat b = lb_transform_quat(&map->targets[other]);
            double dot = lb_product(a.w, b.w) + lb_product(a.x, b.x) + lb_product(a.y, b.y) +
                         lb_product(a.z, b.z);
            if (other != k)
                enter_neighbor(map->neighbors + NEIGHBORS * (size_t)k, near, &count, other,
                               fabs(dot));
        }
    }
}

static lb_status check_options(const lb_reach_map_options *options, lb_error *error)
{
    if (!(options->cell > 0) || !(options->cell <= LB_LENGTH_MAX))
        return REFUSE_ARGUMENT(error, "cell is %g but must be a length above 0, up to %g m",
                               options->cell, LB_LENGTH_MAX);
    if (hopf_level(options->orientations) < 0)
        return REFUSE_ARGUMENT(error, "orientations must be 72, 576 or 4608, not %d",
                               options->orientations);
    if (options->iterations < 0 || options->iterations > LB_REACH_MAP_ITERATIONS_MAX)
        return REFUSE_ARGUMENT(error, "iterations is %d but must be 1 to %d, or 0 for the default",
                               options->iterations, LB_REACH_MAP_ITERATIONS_MAX);
    return LB_OK;
}

static lb_status build(lb_reach_map *map, const lb_model *model, const lb_task *task,
                       const lb_reach_map_options *options, lb_error *error)
{
    TRY(check_options(options, error));
    map->nq = (size_t)lb_model_nq(model);
    map->grid.cell = options->cell;
    map->grid.orientations = options->orientations;
    TRY(ik_check_tasks(model, task, 1, error));
    TRY(check_joints(map, model, task, error));
    TRY(lay_grid(map, model, task, options, error));
    TRY(reach_contents_create(&map->contents, model, task, options, &map->memory, error));
    if (!map->contents.closed)
        TRY(create_solvers(map, model, task, options, error));
    TRY(take_arrays(map, error));
    find_neighbors(map);
    return LB_OK;
}

lb_status lb_reach_map_create(const lb_model *model, const lb_task *task,
                              const lb_reach_map_options *options, const lb_allocator *allocator,
                              lb_reach_map **map, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(map, error, {model, "model"}, {task, "task"}));
    lb_allocator memory;
    lb_reach_map_options standard = lb_reach_map_options_default();
    lb_reach_map *made = memory_pool_object(sizeof *made, allocator, &memory);
    TRY(require_memory(error, made));
    made->memory = memory;
    lb_task pose = lb_task_make(task->tip, task->base, LB_TASK_POSE);
    pose.tool = task->tool;
    lb_status status = build(made, model, &pose, options != NULL ? options : &standard, error);
    if (status == LB_OK)
        *map = made;
    else
        lb_reach_map_release(made);
    return status;
}

void lb_reach_map_release(lb_reach_map *map)
{
    memory_pool_release(map);
}

/* ---- reading -------------------------------------------------------------- */

const lb_reach_grid *lb_reach_map_grid(const lb_reach_map *map)
{
    return &map->grid;
}

const reach_contents *reach_map_contents(const lb_reach_map *map)
{
    return &map->contents;
}

size_t lb_reach_map_count(const lb_reach_map *map)
{
    size_t n = (size_t)map->grid.count;
    return n * n * n;
}

/* how many cells a coordinate is from the middle */
static double steps(const lb_reach_map *map, size_t coordinate)
{
    return (double)coordinate - (double)(map->grid.count / 2);
}

/* from the middle cell to this one, in cells */
static lb_vec3 cell_steps(const lb_reach_map *map, size_t cell)
{
    size_t n = (size_t)map->grid.count;
    return lb_vec3_make(steps(map, cell % n), steps(map, cell / n % n), steps(map, cell / n / n));
}

lb_vec3 lb_reach_map_center(const lb_reach_map *map, size_t cell)
{
    return lb_vec3_add(map->grid.center, lb_vec3_scale(cell_steps(map, cell), map->grid.cell));
}

static bool is_orientation(const lb_reach_map *map, int k)
{
    bool known = k >= 0 && k < map->grid.orientations;
    assert(known && "index of an orientation");
    return known;
}

lb_quat lb_reach_map_orientation(const lb_reach_map *map, int k)
{
    if (!is_orientation(map, k))
        return LB_QUAT_IDENTITY;
    return hopf_orientation(hopf_level(map->grid.orientations), k);
}

/* where the tool must be, seen from the base, if an inverse map's orientations are inverted */
static lb_vec3 target_place(const lb_reach_map *map, lb_vec3 center, const lb_transform *target)
{
    if (!map->contents.options.inverse)
        return center;
    return lb_vec3_sub(map->shoulder, lb_transform_direction(target, center));
}

lb_transform lb_reach_map_target(const lb_reach_map *map, size_t cell, int k)
{
    if (!is_orientation(map, k))
        return LB_TRANSFORM_IDENTITY;
    lb_transform target = map->targets[k];
    target.p = target_place(map, lb_reach_map_center(map, cell), &target);
    return target;
}

/* ---- solving -------------------------------------------------------------- */

/* the nearest neighbour that was reached and not yet tried from, -1: none is left */
static int next_neighbor(lb_reach_map *map, int k)
{
    const uint16_t *neighbors = map->neighbors + NEIGHBORS * (size_t)k;
    for (int i = 0; i < NEIGHBORS; i++)
        if ((map->tried[k] & 1u << i) == 0 && map->results[neighbors[i]].outcome == LB_REACHED) {
            map->tried[k] = (uint16_t)(map->tried[k] | 1u << i);
            return neighbors[i];
        }
    return -1;
}

/* lists what is missing and has a neighbour to start from; how many they are */
static int gather_round(lb_reach_map *map)
{
    int count = 0;
    size_t row = map->nq * sizeof(double);
    for (int k = 0; k < map->grid.orientations; k++) {
        lb_outcome outcome = map->results[k].outcome;
        int from = outcome == LB_REACHED || outcome == LB_UNREACHABLE ? -1 : next_neighbor(map, k);
        if (from < 0)
            continue;
        map->missing[count] = k;
        map->round_targets[count] = map->targets[k];
        memcpy(map->round_q + map->nq * (size_t)count, map->q + map->nq * (size_t)from, row);
        count++;
    }
    return count;
}

/* takes over what was reached, once the round is over: no start depends on the order in it */
static void keep_round(lb_reach_map *map, int count)
{
    size_t row = map->nq * sizeof(double);
    for (int i = 0; i < count; i++) {
        int k = map->missing[i];
        if (map->round_results[i].outcome != LB_REACHED)
            continue;
        map->results[k] = map->round_results[i];
        memcpy(map->q + map->nq * (size_t)k, map->round_q + map->nq * (size_t)i, row);
    }
}

static void solve_rounds(lb_reach_map *map)
{
    memset(map->tried, 0, (size_t)map->grid.orientations * sizeof *map->tried);
    for (int count; (count = gather_round(map)) > 0; keep_round(map, count)) {
        lb_batch round = {.targets = map->round_targets,
                          .starts = map->round_q,
                          .q = map->round_q,
                          .results = map->round_results};
        lb_batch_solve(map->descent, &round, 0, (size_t)count);
    }
}

static void count_reached(lb_reach_map *map, unsigned char *bits, lb_reach_cell *found)
{
    for (int k = 0; k < map->grid.orientations; k++) {
        const double *q = map->q + map->nq * (size_t)k;
        if (map->results[k].outcome != LB_REACHED ||
            !reach_contents_add(&map->contents, &map->targets[k], q, found))
            continue;
        found->reached++;
        if (bits != NULL)
            bits[k / 8] = (unsigned char)(bits[k / 8] | 1u << k % 8);
    }
}

/* whether the wrist would be farther from the shoulder than it gets, by more than the tolerances */
static bool is_beyond(const lb_reach_map *map, const lb_transform *target)
{
    const decide_wrist *w = &map->wrist;
    lb_vec3 place = lb_transform_point(target, w->point);
    double slack = NEAR * (map->grid.cell + lb_vec3_length(w->point)) + 1e-9 * w->radius;
    return lb_vec3_length(lb_vec3_sub(place, w->shoulder)) > w->radius + slack;
}

/* lists the targets that are not proved to be out of reach; how many they are */
static int gather_possible(lb_reach_map *map)
{
    int count = 0;
    for (int k = 0; k < map->grid.orientations; k++) {
        map->results[k] = (lb_ik_result){.outcome = LB_UNREACHABLE, .reason = LB_REASON_REACH};
        if (is_beyond(map, &map->targets[k]))
            continue;
        map->missing[count] = k;
        map->round_targets[count++] = map->targets[k];
    }
    return count;
}

/* all of a cell's targets by a search, and what is missing from their neighbours */
static void search_cell(lb_reach_map *map)
{
    size_t count = (size_t)gather_possible(map);
    lb_batch all = {
        .targets = map->round_targets, .q = map->round_q, .results = map->round_results};
    size_t reached = lb_batch_solve(map->search, &all, 0, count);
    for (size_t i = 0; i < count; i++)
        map->results[map->missing[i]] = map->round_results[i];
    keep_round(map, (int)count);
    if (reached > 0)
        solve_rounds(map);
}

lb_reach_cell lb_reach_map_solve(lb_reach_map *map, size_t cell, unsigned char *bits)
{
    int n = map->grid.orientations;
    lb_reach_cell found = {0, 0, 0, 0};
    if (bits != NULL)
        memset(bits, 0, ((size_t)n + 7) / 8);
    // farther than the links laid end to end
    if (lb_vec3_length(cell_steps(map, cell)) * map->grid.cell > map->grid.radius)
        return found;
    lb_vec3 center = lb_reach_map_center(map, cell);
    for (int k = 0; k < n; k++)
        map->targets[k].p = target_place(map, center, &map->targets[k]);
    if (map->contents.closed) {
        reach_contents_decide(&map->contents, map->targets, n, bits, &found);
        return found;
    }
    search_cell(map);
    count_reached(map, bits, &found);
    return found;
}
