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
 * less. Comparing is in single precision, feature by feature over a whole leaf,
 * and each sum belongs to one sample: the same bits however it is vectorized.
 */
#include "ik/seeds.h"

#include "math/memory.h"
#include "math/scalar.h"

#include <string.h>

/* a tool nearer to the last joint's axis than this (lengths) lies on it */
#define ON_AXIS 1e-9
/* random configurations of which the best becomes a sample: measured, more win little */
#define CANDIDATES 8
/* samples of a leaf: so many that those of different classes lead to different solutions */
#define LEAF_ROWS 64
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

/* the variable that moves a joint alone and by the joint's own angle, -1: none does */
static int turning_variable(const kernel_problem *problem, int joint)
{
    const kernel_joint *j = &problem->tree.joints[joint];
    if (!problem->plain || j->kind != KERNEL_REVOLUTE || j->v < 0 || fabs(j->scale) != 1)
        return -1;
    for (int i = 0; i < problem->variable_count; i++)
        if (problem->variables[i].joint == joint)
            return i;
    return -1;
}

/* what can be left out, and how many features remain */
static void plan(ik_seeds *seeds)
{
    const kernel_problem *p = seeds->problem;
    const kernel_task *task = p->tasks;
    seeds->first = turning_variable(p, 0);
    seeds->last = turning_variable(p, task->frame);
    // the first joint's axis must be the base's z axis through its origin
    const lb_vec3 at = p->tree.joints[0].place.p;
    seeds->turn = task->position && seeds->first >= 0 && at.x == 0 && at.y == 0 &&
                  (p->tree.joints[0].form & KERNEL_ROTATION) == KERNEL_ROTATION_NONE;
    bool on_axis = fabs(task->tool.x) < ON_AXIS && fabs(task->tool.y) < ON_AXIS;
    seeds->roll = task->rotation && !task->free && seeds->last >= 0 && on_axis && task->frame > 0;
    seeds->features = (task->position ? (seeds->turn ? 2 : 3) : 0) +
                      (task->rotation ? (task->free || seeds->roll ? 3 : 6) : 0);
}

static void lay_out(memory_arena *arena, ik_seeds *seeds)
{
    size_t count = (size_t)seeds->count, nodes = (size_t)ik_leaves_nodes(seeds->leaves.depth);
    seeds->where = memory_arena_take(arena, count * (size_t)(seeds->features + 1), sizeof(float));
    seeds->q = memory_arena_take(arena, count * (size_t)seeds->problem->tree.nq, sizeof(double));
    seeds->axes = memory_arena_take(arena, 2 * count, sizeof(lb_vec3));
    seeds->leaves.feature = memory_arena_take(arena, nodes, sizeof(int));
    seeds->leaves.split = memory_arena_take(arena, nodes, sizeof(float));
    seeds->fixed = memory_arena_take(arena, (size_t)seeds->problem->tree.nq, sizeof(int));
}

/* leaves of about LEAF_ROWS samples, a multiple of what is compared side by side */
static void plan_leaves(ik_seeds *seeds, int count)
{
    int depth = 0;
    while (count >> (depth + 1) >= LEAF_ROWS)
        depth++;
    int rows = (count + (1 << depth) - 1) >> depth;
    rows = (rows + KERNEL_TABLE_SIDE - 1) / KERNEL_TABLE_SIDE * KERNEL_TABLE_SIDE;
    seeds->leaves = (ik_leaves){.depth = depth, .rows = rows};
    seeds->count = rows << depth;
}

/* the values that no variable owns */
static void find_fixed(ik_seeds *seeds)
{
    const kernel_problem *p = seeds->problem;
    int next = 0;
    // variables stand in the order of their values
    for (int i = 0; i <= p->variable_count; i++) {
        int q = i < p->variable_count ? p->variables[i].q : p->tree.nq;
        while (next < q)
            seeds->fixed[seeds->fixed_count++] = next++;
        if (i < p->variable_count)
            next += p->variables[i].ball ? 4 : 1;
    }
}

/*
 * The angle of (x, y) to 0.0003 radians, without a branch: twice that of
 * (r + |x|, y), which is below half a quarter, mirrored where x < 0.
 */
static double about_angle(double y, double x)
{
    double t = y / (sqrt(x * x + y * y) + fabs(x) + 1e-300), z = t * t;
    double angle = t * (1.99951 + z * (-0.65046 + z * (0.30819 + z * -0.08672)));
    return copysign(0.5 * LB_PI, y) + copysign(1, x) * (angle - copysign(0.5 * LB_PI, y));
}

/* takes a turn about z out of a tool's place, so that it lies at y = 0, x > 0 */
static double turn_back(lb_transform *t)
{
    double radius = sqrt(t->p.x * t->p.x + t->p.y * t->p.y);
    if (!(radius > 0))
        return 0;
    double c = t->p.x / radius, s = t->p.y / radius, angle = about_angle(t->p.y, t->p.x);
    lb_vec3 *const columns[] = {&t->x, &t->y, &t->z, &t->p};
    for (int i = 0; i < 4; i++) {
        lb_vec3 v = *columns[i];
        columns[i]->x = c * v.x + s * v.y;
        columns[i]->y = c * v.y - s * v.x;
    }
    return angle;
}

/* what is compared of a tool's place */
static void describe(const ik_seeds *seeds, const lb_transform *t, float *features)
{
    const kernel_task *task = seeds->problem->tasks;
    lb_vec3 parts[3];
    int n = 0, k = 0;
    if (task->position && !seeds->turn)
        parts[n++] = t->p;
    if (task->position && seeds->turn) {
        features[k++] = (float)t->p.x;
        features[k++] = (float)t->p.z;
    }
    if (task->rotation && task->free)
        parts[n++] = lb_transform_direction(t, task->axis);
    else if (task->rotation)
        parts[n++] = t->z;
    if (task->rotation && !task->free && !seeds->roll)
        parts[n++] = t->x;
    for (int i = 0; i < n; i++) {
        features[k++] = (float)parts[i].x;
        features[k++] = (float)parts[i].y;
        features[k++] = (float)parts[i].z;
    }
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

static void lay_out_nursery(memory_arena *arena, const ik_seeds *seeds, const kernel_ops *ops,
                            nursery *n)
{
    const kernel_problem *p = seeds->problem;
    size_t count = (size_t)seeds->count, nq = (size_t)p->tree.nq;
    n->q = memory_arena_take(arena, count * nq, sizeof(double));
    n->features = memory_arena_take(arena, count * (size_t)seeds->features, sizeof(float));
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
    ops->agility(p, n->candidates, CANDIDATES, n->scratch, agilities);
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
static void place_sample(const ik_seeds *seeds, int index, const nursery *n)
{
    const lb_transform base = LB_TRANSFORM_IDENTITY;
    const kernel_problem *p = seeds->problem;
    const kernel_task *task = p->tasks;
    double *q = n->q + (size_t)index * (size_t)p->tree.nq;
    kernel_forward(&p->tree, &base, q, n->frames);
    lb_transform at = n->frames[task->frame];
    at.p = lb_transform_point(&at, task->tool);
    // stored as if the first joint had not turned it; its scale is 1 or -1
    if (seeds->turn)
        q[p->variables[seeds->first].q] -= turn_back(&at) * p->tree.joints[0].scale;
    describe(seeds, &at, n->features + index * seeds->features);
    n->axes[2 * index] = at.x;
    n->axes[2 * index + 1] = at.y;
}

/* sample `from` becomes row `to` of the table */
static void plant_sample(ik_seeds *seeds, int from, int to, const nursery *n)
{
    const size_t nq = (size_t)seeds->problem->tree.nq;
    const int rows = seeds->leaves.rows, leaf = to / rows;
    const float *features = n->features + from * seeds->features;
    float *where = seeds->where + leaf * rows * (seeds->features + 1) + to % rows;
    float square = 0;
    for (int k = 0; k < seeds->features; k++) {
        square += features[k] * features[k];
        where[(k + 1) * rows] = features[k];
    }
    *where = square / 2;
    memcpy(seeds->q + (size_t)to * nq, n->q + (size_t)from * nq, nq * sizeof(double));
    seeds->axes[2 * to] = n->axes[2 * from];
    seeds->axes[2 * to + 1] = n->axes[2 * from + 1];
}

static void grow(ik_seeds *seeds, const kernel_ops *ops, const double *neutral, const nursery *n)
{
    lb_random random = lb_random_seed(0);
    for (int i = 0; i < seeds->count; i++) {
        make_sample(seeds, ops, i, neutral, &random, n);
        place_sample(seeds, i, n);
    }
    ik_leaves_sort(&seeds->leaves, n->features, seeds->features, n->order);
    for (int i = 0; i < seeds->count; i++)
        plant_sample(seeds, n->order[i], i, n);
}

bool ik_seeds_create(ik_seeds *seeds, const kernel_problem *problem, const kernel_ops *ops,
                     int count, const double *neutral, const lb_allocator *allocator)
{
    *seeds = (ik_seeds){.problem = problem};
    if (count <= 0 || problem->task_count != 1 || problem->tree.count > LONGEST)
        return true;
    plan(seeds);
    plan_leaves(seeds, count);
    nursery n;
    memory_arena arena = {0}, side = {0};
    lay_out(&arena, seeds);
    lay_out_nursery(&side, seeds, ops, &n);
    seeds->memory = arena.overflow ? NULL : memory_take(allocator, arena.used, 1);
    void *block = side.overflow ? NULL : memory_take(allocator, side.used, 1);
    bool made = seeds->memory && block;
    if (made) {
        arena = (memory_arena){.block = seeds->memory};
        side = (memory_arena){.block = block};
        lay_out(&arena, seeds);
        lay_out_nursery(&side, seeds, ops, &n);
        find_fixed(seeds);
        grow(seeds, ops, neutral, &n);
    }
    memory_release(allocator, block);
    return made;
}

/* ---- looking up ----------------------------------------------------------- */

void ik_seeds_look(const ik_seeds *seeds, const kernel_ops *ops, const lb_transform *goal,
                   ik_seed_choice *choice)
{
    float features[SEED_FEATURES];
    choice->goal = *goal;
    choice->angle = seeds->turn ? turn_back(&choice->goal) : 0;
    describe(seeds, &choice->goal, features);
    const int rows = seeds->leaves.rows;
    choice->leaf = ik_leaves_find(&seeds->leaves, features);
    ops->nearest(seeds->where + choice->leaf * rows * (seeds->features + 1), seeds->features, rows,
                 features, choice->distances, choice->rows);
}

/* added to the distance of a sample whose joints cannot turn to the goal: it comes last */
#define LAST_RESORT 1e6f

/* the class of the nearest sample that was not taken yet; of equals the lower */
static int nearest_class(const ik_seed_choice *choice)
{
    int best = 0;
    for (int c = 1; c < SEED_CLASSES; c++)
        best = choice->distances[c] < choice->distances[best] ? c : best;
    return best;
}

/* turns a joint by an angle, to the whole turn nearest to `near`; false where the limits, which are
   kept, forbid that */
static bool turn_joint(const ik_seeds *seeds, int variable, double angle, const double *near,
                       double *q)
{
    const kernel_variable *x = &seeds->problem->variables[variable];
    // its scale is 1 or -1
    double to = q[x->q] + angle * seeds->problem->tree.joints[x->joint].scale;
    to = scalar_unwind(to, near[x->q], x->lower, x->upper);
    q[x->q] = scalar_clamp(to, x->lower, x->upper);
    return q[x->q] == to;
}

/* the start that a sample gives; false where the limits do not let it turn to the goal */
static bool make_start(const ik_seeds *seeds, const ik_seed_choice *choice, int sample,
                       const double *near, double *q)
{
    const size_t nq = (size_t)seeds->problem->tree.nq;
    bool turned = true;
    memcpy(q, seeds->q + (size_t)sample * nq, sizeof(double) * nq);
    for (int i = 0; i < seeds->fixed_count; i++)
        q[seeds->fixed[i]] = near[seeds->fixed[i]];
    if (seeds->turn)
        turned = turn_joint(seeds, seeds->first, choice->angle, near, q);
    if (seeds->roll) {
        // about the tool's own z axis, from the sample's x axis to the goal's
        const lb_vec3 *axes = &seeds->axes[2 * sample];
        lb_vec3 to = choice->goal.x;
        double angle = about_angle(lb_vec3_dot(to, axes[1]), lb_vec3_dot(to, axes[0]));
        turned = turn_joint(seeds, seeds->last, angle, near, q) && turned;
    }
    return turned;
}

void ik_seeds_take(const ik_seeds *seeds, ik_seed_choice *choice, const double *near, double *q)
{
    for (;;) {
        int c = nearest_class(choice);
        bool last = choice->distances[c] >= LAST_RESORT / 2;
        int sample = choice->leaf * seeds->leaves.rows + choice->rows[c];
        if (make_start(seeds, choice, sample, near, q) || last) {
            choice->distances[c] = INFINITY;
            return;
        }
        choice->distances[c] += LAST_RESORT;
    }
}
