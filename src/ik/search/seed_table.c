/*
 * seed_table.c - a table of configurations that tries can start at; which do is decided in
 * starts.c.
 *
 * A sample is the best of some random configurations (large manipulability, far from its limits,
 * since descents from there converge most often) with the tool's pose there. The samples are sorted
 * into the leaves of a k-d tree by that pose. A look-up returns the samples of the target's leaf
 * that are nearest to it, one from each of eight classes so that they differ. Two joints are left
 * out of the comparison where the chain allows it:
 *
 *   turn  a first joint that rotates the whole chain about the base's z axis: samples and targets
 * are compared as rotated into the half plane y = 0, x > 0; roll  a last joint whose axis contains
 * the tool: only that axis is compared.
 *
 * Both are set exactly afterwards, so the samples cover two dimensions less. Where targets are
 * lines or planes there is no position to compare and no table: random starts are as good there.
 * Distances are computed in single precision, feature by feature over a whole leaf, and each sum
 * belongs to one sample, so the bits do not depend on the vector width.
 */
#include "ik/search/seed_table.h"

#include "base/memory.h"
#include "math/scalar.h"

#include <float.h>
#include <string.h>

/* lengths: a tool nearer to the last joint's axis than this lies on it */
#define ON_AXIS 1e-9
/* random configurations of which the best becomes a sample: measured, more gain little */
#define CANDIDATES 8
/* samples of a leaf: enough that different classes lead to different solutions */
#define LEAF_ROWS 64
/* leaf sizes are a multiple of this, which has as many samples of each class */
#define LEAF_STEP (2 * SEED_CLASSES)
/* a joint nearer to a limit than this share of its range makes a start worse */
#define LIMIT_MARGIN 0.35

/* ---- building ------------------------------------------------------------- */

/* the variable that moves only this joint, by the joint's own angle, NULL: none does */
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

/* which joints can be left out, and how many features remain */
static void plan_features(ik_seed_table *seeds)
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

/* The arrays of the table. */
typedef struct table_arrays {
    double *q;
    lb_vec3 *axes;
    int *fixed;
} table_arrays;

static table_arrays lay_out(memory_arena *arena, ik_seed_table *seeds)
{
    size_t count = (size_t)seeds->count, nodes = (size_t)ik_kd_tree_nodes(seeds->tree.depth);
    size_t features = (size_t)seeds->table.features, nq = (size_t)seeds->table.nq;
    size_t room = (size_t)seeds->padded_rows << seeds->tree.depth;
    seeds->rows = memory_arena_take_line(arena, sizeof(float) * room * (features + 1));
    seeds->tree.feature = memory_arena_take(arena, nodes, sizeof(int));
    seeds->tree.split = memory_arena_take(arena, nodes, sizeof(float));
    return (table_arrays){
        .q = memory_arena_take(arena, count * nq, sizeof(double)),
        .axes = memory_arena_take(arena, 2 * count, sizeof(lb_vec3)),
        .fixed = memory_arena_take(arena, nq, sizeof(int)),
    };
}

/* leaves of about LEAF_ROWS samples */
static void plan_kd_tree(ik_seed_table *seeds, int count)
{
    int depth = 0;
    while (count >> (depth + 1) >= LEAF_ROWS)
        depth++;
    int rows = (count + (1 << depth) - 1) >> depth;
    rows = (rows + LEAF_STEP - 1) / LEAF_STEP * LEAF_STEP;
    seeds->tree = (ik_kd_tree){.depth = depth, .rows = rows};
    seeds->count = rows << depth;
    seeds->padded_rows = (rows + KERNEL_TABLE_SIDE - 1) / KERNEL_TABLE_SIDE * KERNEL_TABLE_SIDE;
}

/* the values that belong to no variable; returns how many */
static int find_fixed(const kernel_problem *p, int *fixed)
{
    int next = 0, count = 0;
    // variables are in the order of their values
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
typedef struct sample_buffer {
    double *q;       /* count rows of nq numbers */
    float *features; /* count rows */
    lb_vec3 *axes;   /* count pairs */
    int *order;      /* count: in which they go into the table */
    double *candidates;
    lb_transform *frames;
    void *scratch;
} sample_buffer;

static void lay_out_sample_buffer(memory_arena *arena, const ik_seed_table *seeds,
                                  const kernel_ops *ops, sample_buffer *n)
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
static double limit_margin(const kernel_problem *p, const double *q)
{
    double margin = 1;
    for (int i = 0; i < p->variable_count; i++) {
        const kernel_variable *x = &p->variables[i];
        if (x->ball || isinf(x->lower) || isinf(x->upper) || x->lower == x->upper)
            continue;
        double at = (q[x->q] - x->lower) / (x->upper - x->lower);
        double nearest = scalar_min(at, 1 - at);
        margin *= scalar_min(nearest / LIMIT_MARGIN, 1);
    }
    return margin;
}

/* the random configuration of largest manipulability and distance from its limits */
static void make_sample(const ik_seed_table *seeds, const kernel_ops *ops, int index,
                        const double *neutral, lb_random *random, const sample_buffer *n)
{
    const kernel_problem *p = seeds->problem;
    const size_t nq = (size_t)p->tree.nq;
    double squares[CANDIDATES], most = -1;
    for (size_t i = 0; i < CANDIDATES; i++)
        ik_sample(p, random, neutral, NULL, n->candidates + i * nq);
    ops->manipulability_squared(p, n->candidates, CANDIDATES, n->scratch, squares);
    for (size_t i = 0; i < CANDIDATES; i++) {
        const double *q = n->candidates + i * nq;
        double score = squares[i] * limit_margin(p, q);
        if (i > 0 && !(score > most))
            continue;
        most = score;
        memcpy(n->q + (size_t)index * nq, q, nq * sizeof(double));
    }
}

/* the tool's pose of a sample, and its key */
static void make_key(const ik_seed_table *seeds, const kernel_ops *ops, int index,
                     const sample_buffer *n)
{
    const lb_transform base = LB_TRANSFORM_IDENTITY;
    const kernel_problem *p = seeds->problem;
    const kernel_table *table = &seeds->table;
    double *q = n->q + (size_t)index * (size_t)p->tree.nq;
    kernel_forward(&p->tree, &base, q, n->frames);
    lb_transform at = n->frames[table->task->frame];
    at.p = lb_transform_point(&at, table->task->tool);
    kernel_key key;
    ops->make_keys(table, (const lb_transform *[]){&at}, (kernel_key *[]){&key}, 1);
    // stored without the first joint's rotation; its scale is 1 or -1
    if (table->omit_turn)
        q[table->first->q] -= key.angle * p->tree.joints[0].scale;
    memcpy(n->features + index * table->features, key.features,
           sizeof(float) * (size_t)table->features);
    n->axes[2 * index] = key.x;
    n->axes[2 * index + 1] = key.y;
}

/* the features of a leaf: see ik_seed_table */
static float *leaf_features(const ik_seed_table *seeds, int leaf)
{
    return seeds->rows + leaf * seeds->padded_rows * (seeds->table.features + 1);
}

/* rows that are not samples are infinitely far */
static void fill_up(ik_seed_table *seeds)
{
    for (int leaf = 0; leaf < 1 << seeds->tree.depth; leaf++)
        for (int i = seeds->tree.rows; i < seeds->padded_rows; i++)
            leaf_features(seeds, leaf)[i] = INFINITY;
}

/* sample `from` becomes row `to` of the table */
static void store_sample(ik_seed_table *seeds, int from, int to, const sample_buffer *n,
                         const table_arrays *into)
{
    const size_t nq = (size_t)seeds->table.nq;
    const int rows = seeds->tree.rows, count = seeds->table.features;
    const float *features = n->features + from * count;
    float *column = leaf_features(seeds, to / rows) + to % rows;
    float square = 0;
    for (int k = 0; k < count; k++) {
        square += features[k] * features[k];
        column[(k + 1) * seeds->padded_rows] = features[k];
    }
    *column = square / 2;
    memcpy(into->q + (size_t)to * nq, n->q + (size_t)from * nq, nq * sizeof(double));
    into->axes[2 * to] = n->axes[2 * from];
    into->axes[2 * to + 1] = n->axes[2 * from + 1];
}

static void build_table(ik_seed_table *seeds, const kernel_ops *ops, const double *neutral,
                        const sample_buffer *n, const table_arrays *into)
{
    lb_random random = lb_random_seed(0);
    for (int i = 0; i < seeds->count; i++) {
        make_sample(seeds, ops, i, neutral, &random, n);
        make_key(seeds, ops, i, n);
    }
    ik_kd_tree_sort(&seeds->tree, n->features, seeds->table.features, n->order);
    for (int i = 0; i < seeds->count; i++)
        store_sample(seeds, n->order[i], i, n, into);
    fill_up(seeds);
    seeds->table.q = into->q;
    seeds->table.axes = into->axes;
    seeds->table.fixed = into->fixed;
    seeds->table.fixed_count = find_fixed(seeds->problem, into->fixed);
}

/* a table exists for one tool with a point as its locus */
static bool has_table(const kernel_problem *problem, int count)
{
    return count > 0 && problem->task_count == 1 && problem->tree.count <= SEED_LONGEST &&
           !problem->tasks->goal.locus.extended;
}

bool ik_seed_table_create(ik_seed_table *seeds, const kernel_problem *problem,
                          const kernel_ops *ops, int count, const double *neutral,
                          const lb_allocator *allocator)
{
    *seeds = (ik_seed_table){.problem = problem, .comparing = ops};
    if (!has_table(problem, count))
        return true;
    plan_features(seeds);
    plan_kd_tree(seeds, count);
    sample_buffer n;
    memory_arena arena = {0}, side = {0};
    lay_out(&arena, seeds);
    lay_out_sample_buffer(&side, seeds, ops, &n);
    seeds->memory = memory_arena_block(&arena, allocator);
    void *block = memory_arena_block(&side, allocator);
    bool made = seeds->memory && block;
    if (made) {
        table_arrays into = lay_out(&arena, seeds);
        lay_out_sample_buffer(&side, seeds, ops, &n);
        build_table(seeds, ops, neutral, &n, &into);
    }
    memory_release(allocator, block);
    return made;
}

/* ---- looking up ----------------------------------------------------------- */

void ik_seed_table_look(const ik_seed_table *seeds, const kernel_ops *ops,
                        const lb_transform *const *targets, ik_seed_choice *const *choices,
                        int count)
{
    kernel_key *keys[KERNEL_MAX_WIDTH] = {0};
    for (int i = 0; i < count; i++)
        keys[i] = &choices[i]->target;
    ops->make_keys(&seeds->table, targets, keys, count);
    for (int i = 0; i < count; i++) {
        ik_seed_choice *choice = choices[i];
        choice->postponed = 0;
        choice->leaf = ik_kd_tree_find(&seeds->tree, choice->target.features);
        seeds->comparing->nearest(leaf_features(seeds, choice->leaf), seeds->table.features,
                                  seeds->padded_rows, choice->target.features, choice->distances,
                                  choice->rows);
    }
}

/* added to the distance of a sample whose joints cannot rotate to the target: it comes last */
#define LAST_RESORT 1e6f

/* the class of the nearest sample that was not taken yet; ties go to the lower class */
static int nearest_class(const ik_seed_choice *choice)
{
    int best = 0;
    float least = choice->distances[0];
    for (int c = 1; c < SEED_CLASSES; c++) {
        // without a branch, which is mispredicted half of the time: all ones where it is nearer
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

/* makes a sample come last, once: distances of far targets may be too large for the sum to
 * build_table */
static void postpone(const pick *p)
{
    bool adds_up = p->distance > -LAST_RESORT / 2 && p->distance < LAST_RESORT / 2;
    restore_distance(p, adds_up ? p->distance + LAST_RESORT : FLT_MAX);
    p->choice->postponed |= 1u << p->class;
}

/*
 * takes the nearest samples and rotates them to the targets; returns those whose limits prevent
 * that, which are postponed and were not before
 */
static unsigned take_nearest(const ik_seed_table *seeds, const kernel_ops *ops, pick *picks,
                             const double *const *near, double *const *q, int count)
{
    int samples[KERNEL_MAX_WIDTH] = {0};
    kernel_key *targets[KERNEL_MAX_WIDTH] = {0};
    for (int i = 0; i < count; i++) {
        ik_seed_choice *choice = picks[i].choice;
        int c = picks[i].class = nearest_class(choice);
        samples[i] = choice->leaf * seeds->tree.rows + choice->rows[c];
        targets[i] = &choice->target;
        picks[i].distance = choice->distances[c];
        picks[i].last_resort = choice->postponed >> c & 1;
        choice->distances[c] = INFINITY;
    }
    unsigned forbidden = ops->seed_starts(&seeds->table, samples, targets, near, q, count),
             back = 0;
    // bit by bit, as there is usually none
    for (; forbidden != 0; forbidden &= forbidden - 1) {
        int i = __builtin_ctz(forbidden);
        if (picks[i].last_resort)
            continue;
        postpone(&picks[i]);
        back |= 1u << i;
    }
    return back;
}

void ik_seed_table_take(const ik_seed_table *seeds, const kernel_ops *ops,
                        ik_seed_choice *const *choices, const double *const *near, double *const *q,
                        int count)
{
    pick picks[KERNEL_MAX_WIDTH];
    for (int i = 0; i < count; i++)
        picks[i].choice = choices[i];
    unsigned left = take_nearest(seeds, ops, picks, near, q, count);
    // the remaining ones one by one: each sample of a choice is postponed at most once
    for (; left != 0; left &= left - 1) {
        int i = __builtin_ctz(left);
        while (take_nearest(seeds, ops, &picks[i], &near[i], &q[i], 1) != 0)
            continue;
    }
}

int ik_seed_table_take_next(const ik_seed_table *seeds, const kernel_ops *ops,
                            ik_seed_choice *choice, const double *near, double *q, int count)
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
        // postponed samples wait for one that has just been postponed
        bool waits = back != 0 && picks[i].last_resort;
        if (waits)
            restore_distance(&picks[i], picks[i].distance);
        if (waits || back >> i & 1)
            continue;
        memmove(rows[taken++], rows[i], nq * sizeof(double));
    }
    return taken;
}

/* ---- samples --------------------------------------------------------------- */

/*
 * Values of hinges and slides are uniform. A ball is the direction of four uniform numbers, which
 * is not quite uniform over all rotations and needs no trigonometry; a start need not be.
 */

static double random_value(const kernel_variable *x, double half, double near, lb_random *random)
{
    double lower = isinf(x->lower) ? near - half : x->lower;
    double upper = isinf(x->upper) ? near + half : x->upper;
    return lb_random_between(random, scalar_min(lower, upper), scalar_max(lower, upper));
}

/* times the reach from which a slide is sampled only where targets need it */
#define LONG_SLIDE 40

/* how far a tool may have to go: the links, and to the farthest target; lengths */
static double farthest(const kernel_problem *problem, const lb_transform *targets)
{
    double most = 0;
    for (int i = 0; targets != NULL && i < problem->task_count; i++)
        most = scalar_max(most, lb_vec3_length(targets[i].p));
    return problem->reach + most;
}

/* a slide that is far longer than `reach` metres, cut to that about its value nearest to 0 */
static kernel_variable cut_slide(const kernel_variable *x, double reach)
{
    kernel_variable cut = *x;
    if (x->upper - x->lower > LONG_SLIDE * reach && isfinite(x->upper - x->lower)) {
        double middle = scalar_clamp(0, x->lower, x->upper);
        cut.lower = scalar_max(x->lower, middle - reach);
        cut.upper = scalar_min(x->upper, middle + reach);
    }
    return cut;
}

void ik_sample(const kernel_problem *problem, lb_random *random, const double *near,
               const lb_transform *targets, double *q)
{
    const double reach = farthest(problem, targets);
    memcpy(q, near, sizeof(double) * (size_t)problem->tree.nq);
    for (int i = 0; i < problem->variable_count; i++) {
        const kernel_variable *x = &problem->variables[i];
        const kernel_joint *joint = &problem->tree.joints[x->joint];
        const kernel_variable cut = cut_slide(x, reach / fabs(joint->scale));
        // the value of a prismatic joint is in metres, its scale in lengths per metre
        double half = joint->kind == KERNEL_PRISMATIC ? 3 / fabs(joint->scale) : LB_PI;
        for (int k = 0; x->ball && k < 4; k++)
            q[x->q + k] = lb_random_between(random, -1, 1);
        if (!x->ball)
            q[x->q] =
                random_value(joint->kind == KERNEL_PRISMATIC ? &cut : x, half, near[x->q], random);
    }
    // without a step: brings values into their limits, balls to unit length
    kernel_settle(problem, q);
}
