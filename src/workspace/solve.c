/*
 * solve.c - a workspace decided by inverse kinematics, cell by cell.
 *
 * Whether a tool can be somewhere in some orientation is decided by a solver; random
 * configurations seldom happen to. So each cell's centre is solved for, first as a
 * position, then in the middle of every orientation cell, all side by side. What few
 * orientations are missing from a cell that is nearly dexterous are tried again with more
 * effort, as one that a short search overlooks would spoil the cell; what has them all is tried in
 * further ones. All of it depends on the cell's index alone.
 */
#include "ik/descent.h"
#include "workspace/map.h"
#include "workspace/reach_contents.h"

#include <string.h>

/* iterations for one orientation: of a Panda's reachable poses one in a hundred needs more */
#define ITERATIONS 100
/* as many times more for a position, and for what is missing from a nearly dexterous cell: after
   that one in a thousand is overlooked at most */
enum { POSITION_EFFORT = 8, PATIENCE = 64 };
/* of a linkage, for a position from beside it, and from how many configurations at most, and rest
 */
enum { NEIGHBOR_EFFORT = 6, NEIGHBOR_TRIES = 2 };
/* the share of orientations from which on a cell is nearly dexterous */
#define NEARLY 0.8
/* of a cell's edge, and radians: how near to its centre and orientation counts as there */
#define NEAR 1e-4

/* ---- solvers -------------------------------------------------------------- */

static lb_status create_solver(const lb_workspace *w, lb_task task, lb_task_kind kind,
                               int iterations, lb_ik **ik, lb_error *error)
{
    lb_ik_options options = lb_ik_options_default();
    options.protocol = LB_PROTOCOL_ANY;
    options.iterations = iterations;
    options.position_tolerance = NEAR * w->grid.cell;
    options.rotation_tolerance = NEAR;
    task.kind = kind;
    task.free_axis = lb_vec3_make(0, 0, 0);
    task.free_position = 0;
    task.weight = 1;
    lb_status status = lb_ik_create(w->probe.model, &task, 1, &options, &w->memory, ik, error);
    if (status == LB_OK)
        ik_result_leave_reasons(*ik);
    return status;
}

/* too few joints for all that a task of this kind has here; of a pose no place then has every
   orientation */
static bool is_overconstrained(const lb_workspace *w, lb_task task, lb_task_kind kind)
{
    task.kind = kind;
    task.free_axis = lb_vec3_make(0, 0, 0);
    task.free_position = 0;
    lb_mobility m = lb_task_mobility(w->probe.state, &task, NULL);
    return m.velocities < m.constraints ||
           (w->probe.assembly && lb_assembly_mobility(w->probe.assembly).found < m.constraints);
}

/* the tool moves in fewer directions than the grid has */
static bool is_line(const lb_workspace *w, lb_task task)
{
    task.kind = LB_TASK_POSITION;
    return lb_task_mobility(w->probe.state, &task, NULL).constraints < (w->grid.planar ? 2 : 3);
}

lb_status map_create_solvers(lb_workspace *w, const lb_task *task, int iterations, lb_error *error)
{
    int effort = iterations > 0 ? iterations : ITERATIONS;
    _Static_assert(LB_WORKSPACE_ITERATIONS_MAX <= INT32_MAX / PATIENCE, "the budget is an int");
    w->grid.thin = is_overconstrained(w, *task, LB_TASK_POSITION) || is_line(w, *task);
    if (w->grid.thin)
        return LB_OK;
    lb_status status = create_solver(
        w, *task, LB_TASK_POSITION,
        (w->probe.assembly ? NEIGHBOR_EFFORT : POSITION_EFFORT) * effort, &w->position, error);
    if (status != LB_OK || is_overconstrained(w, *task, LB_TASK_POSE))
        return status;
    status = create_solver(w, *task, LB_TASK_POSE, effort, &w->pose, error);
    if (status == LB_OK)
        status = create_solver(w, *task, LB_TASK_POSE, PATIENCE * effort, &w->patient, error);
    return status;
}

/* ---- cells ---------------------------------------------------------------- */

/* the tool's target at a cell's centre in each orientation, T_base_tool */
static void set_targets(lb_workspace *w, lb_vec3 center)
{
    lb_transform rest = probe_rest(&w->probe);
    for (int i = 0; i < w->orientations.count; i++) {
        lb_transform goal = orientation_center(&w->orientations, i, &rest);
        goal.p = center;
        w->targets[i] = lb_transform_multiply(&w->grid.frame, &goal);
    }
}

void map_keep_manipulability(lb_workspace *w, size_t index)
{
    if (!w->manipulability)
        return;
    double found =
        manipulability_at(w->probe.state, &w->probe.task, w->probe.assembly, w->measuring);
    if (found > w->manipulability[index])
        w->manipulability[index] = found;
}

/* a solution in row i of the configurations */
static void keep_solution(lb_workspace *w, size_t index, int i)
{
    if (!w->manipulability)
        return;
    lb_state_update(w->probe.state, w->configurations + i * lb_model_nq(w->probe.model));
    map_keep_manipulability(w, index);
}

/* how many orientations are reached; those that few are missing of are tried again */
static int solve_orientations(lb_workspace *w, size_t index, unsigned char *marks)
{
    int count = w->orientations.count, found = 0;
    const lb_batch batch = {.targets = w->targets, .q = w->configurations, .results = w->results};
    found = (int)lb_batch_solve(w->pose, &batch, 0, (size_t)count);
    bool again = found >= NEARLY * count;
    for (int i = 0; i < count; i++) {
        bool reached = w->results[i].outcome == LB_REACHED;
        int row = i;
        if (!reached && again) {
            row = 0;
            found += reached = lb_ik_solve(w->patient, &w->targets[i], w->probe.rest,
                                           w->configurations, &w->results[i]) == LB_REACHED;
        }
        if (!reached)
            continue;
        keep_solution(w, index, row);
        marks[i / 8] |= (unsigned char)(1u << (i % 8));
    }
    return found;
}

/* ---- finer orientations ------------------------------------------------- */

/*
 * No finite set proves a cell dexterous, and one orientation that is missing refutes it. So further
 * orientations are tried, ever twice as many, until one is missing. Two rules of the golden ratio
 * spread them: multiples of irrational shares leave no gaps (Weyl 1916), three shares of one cubic
 * root fill the unit cube evenly (Roberts 2018), and Shoemake's map makes rotations of that (1992).
 */

/* the shares of one, two and three numbers: 1 over the powers of the roots of x^2 = x + 1 and
   x^4 = x + 1 */
static const double headings = 0.61803398874989485;
static const double shares[3] = {0.81917251339616443, 0.67104360670378920, 0.54970047790197026};

/* solutions of other orientations that one which is missing is looked for from */
enum { NEIGHBORS = 8 };

static double fraction(double x)
{
    return x - floor(x);
}

/* rotation `n` of a sequence that leaves no gap */
static lb_quat spread_rotation(uint32_t n)
{
    double u[3], s[2], c[2];
    for (int k = 0; k < 3; k++)
        u[k] = fraction(0.5 + n * shares[k]);
    for (int k = 0; k < 2; k++)
        lb_sincos(2 * LB_PI * u[k + 1], &s[k], &c[k]);
    const double a = sqrt(1 - u[0]), b = sqrt(u[0]);
    return (lb_quat){b * c[1], a * s[0], a * c[0], b * s[1]};
}

/* orientation `n`, with the origin at zero; `rest` is the tool's at rest */
static lb_transform orientation(const lb_workspace *w, uint32_t n, const lb_transform *rest)
{
    const lb_vec3 zero = lb_vec3_make(0, 0, 0), up = lb_vec3_make(0, 0, 1);
    if (!w->orientations.planar)
        return lb_transform_from_quat(spread_rotation(n), zero);
    lb_quat turn = lb_quat_from_axis_angle(up, 2 * LB_PI * fraction(n * headings));
    return lb_transform_from_quat(lb_quat_multiply(turn, lb_transform_quat(rest)), zero);
}

/* looks for one that is missing with more effort, and from where others are reached */
static bool find_missing(lb_workspace *w, int missing)
{
    const size_t nq = (size_t)lb_model_nq(w->probe.model);
    const lb_transform *target = &w->targets[missing];
    double *q = w->configurations + (size_t)missing * nq;
    lb_ik_result result;
    bool found = lb_ik_solve(w->patient, target, w->probe.rest, q, &result) == LB_REACHED;
    const int step = w->orientations.count / NEIGHBORS + 1;
    for (int i = 0; i < w->orientations.count && !found; i += step)
        if (w->results[i].outcome == LB_REACHED)
            found = lb_ik_solve(w->patient, target, w->configurations + (size_t)i * nq, q,
                                &result) == LB_REACHED;
    return found;
}

/* whether the cell has `count` orientations of the sequence, from `first` on */
static bool has_all(lb_workspace *w, lb_vec3 center, uint32_t first, int count)
{
    lb_transform rest = probe_rest(&w->probe);
    for (int i = 0; i < count; i++) {
        lb_transform goal = orientation(w, first + (uint32_t)i, &rest);
        goal.p = center;
        w->targets[i] = lb_transform_multiply(&w->grid.frame, &goal);
    }
    const lb_batch batch = {.targets = w->targets, .q = w->configurations, .results = w->results};
    if ((int)lb_batch_solve(w->pose, &batch, 0, (size_t)count) == count)
        return true;
    bool all = true;
    for (int i = 0; i < count && all; i++)
        all = w->results[i].outcome == LB_REACHED || find_missing(w, i);
    return all;
}

/* how many doublings of its orientations a cell that has all of them passes */
static int refine(lb_workspace *w, size_t index)
{
    const int count = w->orientations.count;
    const lb_vec3 center = map_center(w, index);
    uint32_t next = 1;
    // level k doubles how many have been tried
    for (int level = 0; level < MAP_LEVELS; level++)
        for (int part = 0; part < 1 << level; part++, next += (uint32_t)count)
            if (!has_all(w, center, next, count))
                return level;
    return MAP_LEVELS;
}

/* ---- cells of a linkage ---------------------------------------------------- */

/*
 * A linkage that closes seldom comes to the assembly of a place from far away. So its cells are
 * found from configurations that are known, and then each from its neighbours: what is reached
 * costs some iterations from there, and only at the rim a search fails.
 */

static size_t row_bytes(const lb_workspace *w)
{
    return sizeof(double) * (size_t)lb_model_nq(w->probe.model);
}

static double *seed_of(const lb_workspace *w, int index)
{
    return w->seeds + (size_t)index * (size_t)lb_model_nq(w->probe.model);
}

/* solves for a cell's centre from a configuration, the last time from rest; adds what is reached to
   the queue */
static void try_cell(lb_workspace *w, int index, const double *from, int *queue, int *count)
{
    map_cell *c = &w->cell[index];
    lb_transform target = LB_TRANSFORM_IDENTITY;
    lb_ik_result result;
    if (c->reached || c->tries > NEIGHBOR_TRIES)
        return;
    from = c->tries++ == NEIGHBOR_TRIES ? w->probe.rest : from;
    target.p = lb_transform_point(&w->grid.frame, map_center(w, (size_t)index));
    c->reached = lb_ik_solve(w->position, &target, from, w->configurations, &result) == LB_REACHED;
    if (!c->reached)
        return;
    memcpy(seed_of(w, index), w->configurations, row_bytes(w));
    queue[(*count)++] = index;
}

static void flood(lb_workspace *w)
{
    const probe *p = &w->probe;
    const int *n = w->grid.count, strides[3] = {1, n[0], n[0] * n[1]};
    int *queue = w->queue, count = 0;
    w->flooded = true;
    for (int i = 0; i < p->place_count; i++) {
        int cell = map_cell_of(&w->grid, p->places[i]);
        if (cell >= 0)
            try_cell(w, cell, p->kept + (size_t)i * row_bytes(w) / sizeof(double), queue, &count);
    }
    for (int next = 0; next < count; next++) {
        int cell = queue[next];
        for (int k = 0; k < 3; k++) {
            int at = cell / strides[k] % n[k];
            if (at > 0)
                try_cell(w, cell - strides[k], seed_of(w, cell), queue, &count);
            if (at + 1 < n[k])
                try_cell(w, cell + strides[k], seed_of(w, cell), queue, &count);
        }
    }
}

/* ---- a cell ---------------------------------------------------------------- */

static void solve_cell(lb_workspace *w, size_t index)
{
    map_cell *c = &w->cell[index];
    unsigned char *marks = &w->marks[index * w->mark_bytes];
    lb_transform target = LB_TRANSFORM_IDENTITY;
    lb_ik_result result;
    target.p = lb_transform_point(&w->grid.frame, map_center(w, index));
    c->solved = true;
    c->orientations = c->levels = 0;
    if (w->manipulability)
        w->manipulability[index] = 0;
    memset(marks, 0, w->mark_bytes);
    if (w->flooded && c->reached)
        memcpy(w->configurations, seed_of(w, (int)index), row_bytes(w));
    else if (!w->flooded && w->position)
        c->reached = lb_ik_solve(w->position, &target, w->probe.rest, w->configurations, &result) ==
                     LB_REACHED;
    if (c->reached)
        keep_solution(w, index, 0);
    if (!c->reached || !w->pose)
        return;
    set_targets(w, map_center(w, index));
    c->orientations = solve_orientations(w, index, marks);
    if (c->orientations == w->orientations.count)
        c->levels = refine(w, index);
}

void lb_workspace_solve(lb_workspace *workspace, int begin, int end)
{
    int last = end < (int)workspace->cells ? end : (int)workspace->cells;
    if (workspace->probe.assembly && workspace->position && !workspace->flooded)
        flood(workspace);
    for (int i = begin > 0 ? begin : 0; i < last; i++)
        solve_cell(workspace, (size_t)i);
}

static bool is_same_grid(const lb_workspace_grid *a, const lb_workspace_grid *b)
{
    return memcmp(a->count, b->count, sizeof a->count) == 0 && a->planar == b->planar &&
           a->orientations == b->orientations && a->cell == b->cell &&
           memcmp(&a->corner, &b->corner, sizeof a->corner) == 0 &&
           memcmp(&a->frame, &b->frame, sizeof a->frame) == 0;
}

lb_status lb_workspace_merge(lb_workspace *into, const lb_workspace *from)
{
    if (into == NULL || from == NULL)
        return LB_INVALID_ARGUMENT;
    if (!is_same_grid(&into->grid, &from->grid))
        return LB_INVALID_ARGUMENT;
    size_t bytes = into->mark_bytes;
    for (size_t i = 0; i < into->cells; i++) {
        if (!from->cell[i].solved)
            continue;
        uint32_t samples = into->cell[i].samples;
        into->cell[i] = from->cell[i];
        into->cell[i].samples = samples;
        if (into->manipulability && from->manipulability)
            into->manipulability[i] = from->manipulability[i];
        memcpy(&into->marks[i * bytes], &from->marks[i * bytes], bytes);
    }
    return LB_OK;
}
