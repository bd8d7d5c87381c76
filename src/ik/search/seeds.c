/*
 * seeds.c - a table of configurations to begin tries at.
 *
 * A sample is the best of some random configurations - agile and away from its limits,
 * as descents from there arrive most often - and where it brings the tool. The samples are
 * sorted into leaves by that (leaves.h); looked up are those of the goal's leaf that come
 * nearest to it, one from each of eight classes so that they differ. Two joints are taken
 * out of the comparison where the chain allows it:
 *
 *   turn  a first joint that turns the whole chain about the base's z axis: samples
 *         and goals are compared as turned into the half plane y = 0, x > 0;
 *   roll  a last joint whose axis the tool lies on: only that axis is compared.
 *
 * Both are set exactly afterwards, so the samples are spread over two dimensions
 * less. Where goals are lines or planes there is no place to compare, and no table: random
 * starts do as well there. Comparing is in single precision, feature by feature over a whole leaf,
 * and each sum belongs to one sample: the same bits however it is vectorized.
 */
#include "ik/search/seeds.h"

#include "base/memory.h"
#include "math/scalar.h"

#include <float.h>
#include <string.h>

/* a tool nearer to the last joint's axis than this (lengths) lies on it */
#define ON_AXIS 1e-9
/* random configurations of which the best becomes a sample: measured, more win little */
#define CANDIDATES 8
/* samples of a leaf: so many that those of different classes lead to different solutions */
#define LEAF_ROWS 64
/* and a multiple of this, which has as many of each class */
#define LEAF_STEP (2 * SEED_CLASSES)
/* longer chains have so many solutions that starts hardly matter */
#define LONGEST 64
/* a joint nearer to a limit than this share of its range makes a start worse */
#define LIMIT_ROOM 0.35

/* ---- random starts -------------------------------------------------------- */

static double random_value(const kernel_variable *x, double half, double near, lb_random *random)
{
    double lower = isinf(x->lower) ? near - half : x->lower;
    double upper = isinf(x->upper) ? near + half : x->upper;
    return lb_random_between(random, scalar_min(lower, upper), scalar_max(lower, upper));
}

void ik_seeds_random(const kernel_problem *problem, lb_random *random, const double *near,
                     double *q)
{
    memcpy(q, near, sizeof(double) * (size_t)problem->tree.nq);
    for (int i = 0; i < problem->variable_count; i++) {
        const kernel_variable *x = &problem->variables[i];
        const kernel_joint *joint = &problem->tree.joints[x->joint];
        // a slide's value is in metres, its scale in lengths per metre
        double half = joint->kind == KERNEL_PRISMATIC ? 3 / fabs(joint->scale) : LB_PI;
        for (int k = 0; x->ball && k < 4; k++)
            q[x->q + k] = lb_random_between(random, -1, 1);
        if (!x->ball)
            q[x->q] = random_value(x, half, near[x->q], random);
    }
    // no step: what goes beyond a limit is brought back, balls to unit length
    kernel_settle(problem, q);
}

/* ---- building ------------------------------------------------------------- */

/* the variable that moves a joint alone and by the joint's own angle, NULL: none does */
static const kernel_variable *turning_variable(const kernel_problem *problem, int joint)
{
    const kernel_joint *j = &problem->tree.joints[joint];
    if (!problem->single_task_unshared || j->kind != KERNEL_REVOLUTE || j->v < 0 ||
        fabs(j->scale) != 1)
        return NULL;
    for (int i = 0; i < problem->variable_count; i++)
        if (problem->variables[i].joint == joint)
            return &problem->variables[i];
    return NULL;
}

/* what can be left out, and how many features remain */
static void plan(ik_seeds *seeds)
{
    const kernel_problem *p = seeds->problem;
    const kernel_task *task = p->tasks;
    const kernel_variable *first = turning_variable(p, 0), *last = turning_variable(p, task->frame);
    // the first joint's axis must be the base's z axis through its origin
    const lb_vec3 at = p->tree.joints[0].place.p;
    bool turn = task->goal.position && first && at.x == 0 && at.y == 0 &&
                (p->tree.joints[0].form & KERNEL_ROTATION) == KERNEL_ROTATION_NONE;
    bool on_axis = fabs(task->tool.x) < ON_AXIS && fabs(task->tool.y) < ON_AXIS;
    bool roll = task->goal.rotation && !task->goal.free && last && on_axis && task->frame > 0;
    seeds->table = (kernel_table){
        .task = task,
        .joints = p->tree.joints,
        .nq = p->tree.nq,
        .features = (task->goal.position ? (turn ? 2 : 3) : 0) +
                    (task->goal.rotation ? (task->goal.free || roll ? 3 : 6) : 0),
        .omit_turn = turn,
        .omit_roll = roll,
        .first = first,
        .last = last,
    };
}

/* The table's own memory. */
typedef struct soil {
    double *q;
    lb_vec3 *axes;
    int *fixed;
} soil;

static soil lay_out(memory_arena *arena, ik_seeds *seeds)
{
    size_t count = (size_t)seeds->count, nodes = (size_t)ik_kd_tree_nodes(seeds->leaves.depth);
    size_t features = (size_t)seeds->table.features, nq = (size_t)seeds->table.nq;
    size_t room = (size_t)seeds->room << seeds->leaves.depth;
    seeds->where = memory_arena_take_line(arena, sizeof(float) * room * (features + 1));
    seeds->leaves.feature = memory_arena_take(arena, nodes, sizeof(int));
    seeds->leaves.split = memory_arena_take(arena, nodes, sizeof(float));
    return (soil){
        .q = memory_arena_take(arena, count * nq, sizeof(double)),
        .axes = memory_arena_take(arena, 2 * count, sizeof(lb_vec3)),
        .fixed = memory_arena_take(arena, nq, sizeof(int)),
    };
}

/* leaves of about LEAF_ROWS samples */
static void plan_kd_tree(ik_seeds *seeds, int count)
{
    int depth = 0;
    while (count >> (depth + 1) >= LEAF_ROWS)
        depth++;
    int rows = (count + (1 << depth) - 1) >> depth;
    rows = (rows + LEAF_STEP - 1) / LEAF_STEP * LEAF_STEP;
    seeds->leaves = (ik_kd_tree){.depth = depth, .rows = rows};
    seeds->count = rows << depth;
    seeds->room = (rows + KERNEL_TABLE_SIDE - 1) / KERNEL_TABLE_SIDE * KERNEL_TABLE_SIDE;
}

/* the values that no variable owns; answers how many */
static int find_fixed(const kernel_problem *p, int *fixed)
{
    int next = 0, count = 0;
    // variables stand in the order of their values
    for (int i = 0; i <= p->variable_count; i++) {
        int q = i < p->variable_count ? p->variables[i].q : p->tree.nq;
        while (next < q)
            fixed[count++] = next++;
        if (i < p->variable_count)
            next += p->variables[i].ball ? 4 : 1;
    }
    return count;
}

/* Samples in the order in which they are made, and memory to make them. */
typedef struct nursery {
    double *q;       /* count rows of nq numbers */
    float *features; /* count rows */
    lb_vec3 *axes;   /* count pairs */
    int *order;      /* count: in which they go into the table */
    double *candidates;
    lb_transform *frames;
    void *scratch;
} nursery;

static void lay_out_sample_buffer(memory_arena *arena, const ik_seeds *seeds, const kernel_ops *ops,
                                  nursery *n)
{
    const kernel_problem *p = seeds->problem;
    size_t count = (size_t)seeds->count, nq = (size_t)p->tree.nq;
    n->q = memory_arena_take(arena, count * nq, sizeof(double));
    n->features = memory_arena_take(arena, count * (size_t)seeds->table.features, sizeof(float));
    n->axes = memory_arena_take(arena, 2 * count, sizeof(lb_vec3));
    n->order = memory_arena_take(arena, count, sizeof(int));
    n->candidates = memory_arena_take(arena, CANDIDATES * nq, sizeof(double));
    n->frames = memory_arena_take(arena, (size_t)p->tree.count, sizeof(lb_transform));
    n->scratch = memory_arena_take_line(arena, ops->scratch(p));
}

/* 1 in the middle of all ranges, towards 0 at any limit */
static double limit_room(const kernel_problem *p, const double *q)
{
    double room = 1;
    for (int i = 0; i < p->variable_count; i++) {
        const kernel_variable *x = &p->variables[i];
        if (x->ball || isinf(x->lower) || isinf(x->upper) || x->lower == x->upper)
            continue;
        double at = (q[x->q] - x->lower) / (x->upper - x->lower);
        double nearest = scalar_min(at, 1 - at);
        room *= scalar_min(nearest / LIMIT_ROOM, 1);
    }
    return room;
}

/* the most agile of some random configurations, farthest from its limits */
static void make_sample(const ik_seeds *seeds, const kernel_ops *ops, int index,
                        const double *neutral, lb_random *random, const nursery *n)
{
    const kernel_problem *p = seeds->problem;
    const size_t nq = (size_t)p->tree.nq;
    double agilities[CANDIDATES], most = -1;
    for (size_t i = 0; i < CANDIDATES; i++)
        ik_seeds_random(p, random, neutral, n->candidates + i * nq);
    ops->manipulability_squared(p, n->candidates, CANDIDATES, n->scratch, agilities);
    for (size_t i = 0; i < CANDIDATES; i++) {
        const double *q = n->candidates + i * nq;
        double worth = agilities[i] * limit_room(p, q);
        if (i > 0 && !(worth > most))
            continue;
        most = worth;
        memcpy(n->q + (size_t)index * nq, q, nq * sizeof(double));
    }
}

/* where a sample brings the tool, and what is compared of that */
static void place_sample(const ik_seeds *seeds, const kernel_ops *ops, int index, const nursery *n)
{
    const lb_transform base = LB_TRANSFORM_IDENTITY;
    const kernel_problem *p = seeds->problem;
    const kernel_table *table = &seeds->table;
    double *q = n->q + (size_t)index * (size_t)p->tree.nq;
    kernel_forward(&p->tree, &base, q, n->frames);
    lb_transform at = n->frames[table->task->frame];
    at.p = lb_transform_point(&at, table->task->tool);
    kernel_key place;
    ops->make_keys(table, (const lb_transform *[]){&at}, (kernel_key *[]){&place}, 1);
    // stored as if the first joint had not turned it; its scale is 1 or -1
    if (table->omit_turn)
        q[table->first->q] -= place.angle * p->tree.joints[0].scale;
    memcpy(n->features + index * table->features, place.features,
           sizeof(float) * (size_t)table->features);
    n->axes[2 * index] = place.x;
    n->axes[2 * index + 1] = place.y;
}

/* what is compared of a leaf: see ik_seeds */
static float *leaf_features(const ik_seeds *seeds, int leaf)
{
    return seeds->where + leaf * seeds->room * (seeds->table.features + 1);
}

/* rows that are no samples are infinitely far */
static void fill_up(ik_seeds *seeds)
{
    for (int leaf = 0; leaf < 1 << seeds->leaves.depth; leaf++)
        for (int i = seeds->leaves.rows; i < seeds->room; i++)
            leaf_features(seeds, leaf)[i] = INFINITY;
}

/* sample `from` becomes row `to` of the table */
static void store_sample(ik_seeds *seeds, int from, int to, const nursery *n, const soil *into)
{
    const size_t nq = (size_t)seeds->table.nq;
    const int rows = seeds->leaves.rows, count = seeds->table.features;
    const float *features = n->features + from * count;
    float *where = leaf_features(seeds, to / rows) + to % rows;
    float square = 0;
    for (int k = 0; k < count; k++) {
        square += features[k] * features[k];
        where[(k + 1) * seeds->room] = features[k];
    }
    *where = square / 2;
    memcpy(into->q + (size_t)to * nq, n->q + (size_t)from * nq, nq * sizeof(double));
    into->axes[2 * to] = n->axes[2 * from];
    into->axes[2 * to + 1] = n->axes[2 * from + 1];
}

static void grow(ik_seeds *seeds, const kernel_ops *ops, const double *neutral, const nursery *n,
                 const soil *into)
{
    lb_random random = lb_random_seed(0);
    for (int i = 0; i < seeds->count; i++) {
        make_sample(seeds, ops, i, neutral, &random, n);
        place_sample(seeds, ops, i, n);
    }
    ik_kd_tree_sort(&seeds->leaves, n->features, seeds->table.features, n->order);
    for (int i = 0; i < seeds->count; i++)
        store_sample(seeds, n->order[i], i, n, into);
    fill_up(seeds);
    seeds->table.q = into->q;
    seeds->table.axes = into->axes;
    seeds->table.fixed = into->fixed;
    seeds->table.fixed_count = find_fixed(seeds->problem, into->fixed);
}

/* a table for one tool that is to be at a place */
static bool has_table(const kernel_problem *problem, int count)
{
    return count > 0 && problem->task_count == 1 && problem->tree.count <= LONGEST &&
           !problem->tasks->goal.locus.extended;
}

bool ik_seeds_create(ik_seeds *seeds, const kernel_problem *problem, const kernel_ops *ops,
                     int count, const double *neutral, const lb_allocator *allocator)
{
    *seeds = (ik_seeds){.problem = problem, .comparing = ops};
    if (!has_table(problem, count))
        return true;
    plan(seeds);
    plan_kd_tree(seeds, count);
    nursery n;
    memory_arena arena = {0}, side = {0};
    lay_out(&arena, seeds);
    lay_out_sample_buffer(&side, seeds, ops, &n);
    seeds->memory = arena.overflow ? NULL : memory_take(allocator, arena.used, 1);
    void *block = side.overflow ? NULL : memory_take(allocator, side.used, 1);
    bool made = seeds->memory && block;
    if (made) {
        arena = (memory_arena){.block = seeds->memory};
        side = (memory_arena){.block = block};
        soil into = lay_out(&arena, seeds);
        lay_out_sample_buffer(&side, seeds, ops, &n);
        grow(seeds, ops, neutral, &n, &into);
    }
    memory_release(allocator, block);
    return made;
}

/* ---- looking up ----------------------------------------------------------- */

void ik_seeds_look(const ik_seeds *seeds, const kernel_ops *ops, const lb_transform *const *goals,
                   ik_seed_choice *const *choices, int count)
{
    kernel_key *places[KERNEL_MAX_WIDTH] = {0};
    for (int i = 0; i < count; i++)
        places[i] = &choices[i]->goal;
    ops->make_keys(&seeds->table, goals, places, count);
    for (int i = 0; i < count; i++) {
        ik_seed_choice *choice = choices[i];
        choice->postponed = 0;
        choice->leaf = ik_kd_tree_find(&seeds->leaves, choice->goal.features);
        seeds->comparing->nearest(leaf_features(seeds, choice->leaf), seeds->table.features,
                                  seeds->room, choice->goal.features, choice->distances,
                                  choice->rows);
    }
}

/* added to the distance of a sample whose joints cannot turn to the goal: it comes last */
#define LAST_RESORT 1e6f

/* the class of the nearest sample that was not taken yet; of equals the lower */
static int nearest_class(const ik_seed_choice *choice)
{
    int best = 0;
    float least = choice->distances[0];
    for (int c = 1; c < SEED_CLASSES; c++) {
        // without a branch, which would be wrong as often as not: all ones where it is nearer
        int nearer = -(choice->distances[c] < least);
        best = (c & nearer) | (best & ~nearer);
        least = choice->distances[c] < least ? choice->distances[c] : least;
    }
    return best;
}

/* A sample that is taken: the nearest one that a choice had left. */
typedef struct pick {
    ik_seed_choice *choice;
    int class;
    float distance;
    bool last_resort; /* it was put back before */
} pick;

static void restore_distance(const pick *p, float distance)
{
    p->choice->distances[p->class] = distance;
}

/* to come last, and once: distances of far goals may be too large for the sum to grow */
static void postpone(const pick *p)
{
    bool adds_up = p->distance > -LAST_RESORT / 2 && p->distance < LAST_RESORT / 2;
    restore_distance(p, adds_up ? p->distance + LAST_RESORT : FLT_MAX);
    p->choice->postponed |= 1u << p->class;
}

/* takes the nearest samples and turns them to the goals; answers those whose limits forbid that,
   which are put back to come last, and have not done so yet */
static unsigned take_nearest(const ik_seeds *seeds, const kernel_ops *ops, pick *picks,
                             const double *const *near, double *const *q, int count)
{
    int samples[KERNEL_MAX_WIDTH] = {0};
    kernel_key *goals[KERNEL_MAX_WIDTH] = {0};
    for (int i = 0; i < count; i++) {
        ik_seed_choice *choice = picks[i].choice;
        int c = picks[i].class = nearest_class(choice);
        samples[i] = choice->leaf * seeds->leaves.rows + choice->rows[c];
        goals[i] = &choice->goal;
        picks[i].distance = choice->distances[c];
        picks[i].last_resort = choice->postponed >> c & 1;
        choice->distances[c] = INFINITY;
    }
    unsigned forbidden = ops->seed_starts(&seeds->table, samples, goals, near, q, count), back = 0;
    // bit by bit, as most often there is none
    for (; forbidden != 0; forbidden &= forbidden - 1) {
        int i = __builtin_ctz(forbidden);
        if (picks[i].last_resort)
            continue;
        postpone(&picks[i]);
        back |= 1u << i;
    }
    return back;
}

void ik_seeds_take(const ik_seeds *seeds, const kernel_ops *ops, ik_seed_choice *const *choices,
                   const double *const *near, double *const *q, int count)
{
    pick picks[KERNEL_MAX_WIDTH];
    for (int i = 0; i < count; i++)
        picks[i].choice = choices[i];
    unsigned left = take_nearest(seeds, ops, picks, near, q, count);
    // those left over, one by one: each of a choice's samples is put back once at most
    for (; left != 0; left &= left - 1) {
        int i = __builtin_ctz(left);
        while (take_nearest(seeds, ops, &picks[i], &near[i], &q[i], 1) != 0)
            continue;
    }
}

int ik_seeds_take_next(const ik_seeds *seeds, const kernel_ops *ops, ik_seed_choice *choice,
                       const double *near, double *q, int count)
{
    const size_t nq = (size_t)seeds->table.nq;
    pick picks[KERNEL_MAX_WIDTH];
    const double *nears[KERNEL_MAX_WIDTH] = {0};
    double *rows[KERNEL_MAX_WIDTH] = {0};
    for (int i = 0; i < count; i++) {
        picks[i].choice = choice;
        nears[i] = near;
        rows[i] = q + (size_t)i * nq;
    }
    unsigned back = take_nearest(seeds, ops, picks, nears, rows, count);
    int taken = 0;
    for (int i = 0; i < count; i++) {
        // last resorts must wait for what has just become one
        bool waits = back != 0 && picks[i].last_resort;
        if (waits)
            restore_distance(&picks[i], picks[i].distance);
        if (waits || back >> i & 1)
            continue;
        memmove(rows[taken++], rows[i], nq * sizeof(double));
    }
    return taken;
}
