/*
 * assembly.c - creating an assembly: the chains through its loops, mobility, dependent joints.
 *
 * Rank at one configuration is not mobility: a flat truss has a motion at rest that it does not
 * have, a flat four-bar one too many. So the rank is measured after small moves along the null
 * space, closed again, and the largest counts.
 */
#include "kinematics/assembly.h"
#include "base/error.h"
#include "base/memory.h"
#include "kinematics/state.h"
#include "math/dense.h"
#include "model/kinds.h"
#include "model/limits.h"

#include <limits.h>
#include <string.h>

/* ---- chains ------------------------------------------------------------- */

/* Steps while they are listed: a count first, then the steps themselves. */
typedef struct listing {
    const lb_model *model;
    int *path;        /* links, as many as there are */
    loop_step *steps; /* NULL: count */
    bool *moves;      /* of velocities, NULL: count */
    int count;
    double length; /* since the last step */
} listing;

/* step s of a joint */
static void list_step(listing *l, int joint, int s)
{
    const model_joint *layout = &l->model->joint_layouts[joint];
    int mover = layout->mimicked_joint < 0 ? joint : layout->mimicked_joint;
    bool locked = l->model->joints[mover].locked;
    kernel_kind kind = kind_of(l->model->joints[joint].kind)->steps[s].kind;
    bool slides = kind == KERNEL_PRISMATIC;
    loop_step step = {.v = layout->v + s,
                      .turns = slides || locked      ? 0
                               : kind == KERNEL_BALL ? 3
                                                     : 1,
                      .value = slides ? layout->q + s : -1,
                      .factor = locked ? 0 : layout->multiplier,
                      .multiplier = layout->multiplier,
                      .offset = layout->offset,
                      .length = l->length};
    l->length = 0;
    if (l->steps) {
        l->steps[l->count] = step;
        for (int k = 0; k < step.turns || k < 1; k++)
            l->moves[step.v + k] = l->moves[step.v + k] || !locked;
    }
    l->count++;
}

/* from the second end up to where both sides meet, and down to the first */
static void list_chain(listing *l, int i)
{
    const lb_model *model = l->model;
    int first = model->loop_layouts[i].first, second = model->loop_layouts[i].second, down = 0;
    l->length = lb_vec3_length(model->loops[i].second_frame.p);
    while (first != second)
        if (second > first) {
            int joint = second - 1;
            for (int s = kind_of(model->joints[joint].kind)->step_count; s-- > 0;)
                list_step(l, joint, s);
            l->length += lb_vec3_length(model->joints[joint].placement.p);
            second = model->link_layouts[second].parent;
        } else {
            l->path[down++] = first;
            first = model->link_layouts[first].parent;
        }
    while (down-- > 0) {
        int joint = l->path[down] - 1;
        l->length += lb_vec3_length(model->joints[joint].placement.p);
        for (int s = 0; s < kind_of(model->joints[joint].kind)->step_count; s++)
            list_step(l, joint, s);
    }
}

static void list_all(listing *l, loop_chain *chains)
{
    for (int i = 0; i < l->model->loop_count; i++) {
        int first = l->count;
        if (l->model->loops[i].kind != LB_LOOP_COUPLING) {
            list_chain(l, i);
        } else if (l->moves) {
            const model_loop *ends = &l->model->loop_layouts[i];
            l->moves[lb_model_joint_v(l->model, ends->first)] |=
                !l->model->joints[ends->first].locked;
            l->moves[lb_model_joint_v(l->model, ends->second)] |=
                !l->model->joints[ends->second].locked;
        }
        if (chains)
            chains[i] = (loop_chain){first, l->count - first, 1};
    }
}

/* the unit of lengths, and of what each step and velocity is measured in */
static void set_units(lb_assembly *a)
{
    lb_configuration_neutral(a->model, a->q);
    for (int i = 0; i < a->model->loop_count; i++) {
        double reach = 0;
        for (int s = 0; s < a->chains[i].count; s++) {
            const loop_step *step = &a->steps[a->chains[i].first + s];
            reach += step->length;
            if (step->value >= 0)
                reach += fabs(step->multiplier * a->q[step->value] + step->offset);
        }
        a->size = fmax(a->size, reach);
    }
    // loops that have no length need no unit
    a->size = a->size > 0 ? a->size : 1;
    for (int i = 0; i < a->model->part_count; i++) {
        const model_part *part = &a->model->parts[i];
        for (int k = 0; k < (part->kind == MODEL_BALL ? 3 : 1); k++)
            a->scale[part->v + k] = part->kind == MODEL_LENGTH ? a->size : 1;
    }
    for (int i = 0; i < a->model->loop_count; i++) {
        const loop_chain *chain = &a->chains[i];
        memset(a->v, 0, sizeof(double) * (size_t)a->nv);
        for (int s = 0; s < chain->count; s++) {
            loop_step *step = &a->steps[chain->first + s];
            step->factor *= a->scale[step->v] / (step->value >= 0 ? a->size : 1);
            a->v[step->v] += step->factor * step->factor;
            a->chains[i].gain = fmax(a->chains[i].gain, a->v[step->v]);
        }
    }
}

/* ---- mobility ----------------------------------------------------------- */

/* the columns that count, of joints up to a tier, side by side into a->matrix; how many */
static int gather_columns(lb_assembly *a, assembly_tier most)
{
    int count = 0, k = 0;
    for (int c = 0; c < a->column_count; c++)
        count += a->tier[a->columns[c]] <= most;
    for (int c = 0; c < a->column_count; c++) {
        if (a->tier[a->columns[c]] > most)
            continue;
        for (int r = 0; r < a->rows; r++)
            a->matrix[r * count + k] = a->jacobian[r * a->nv + a->columns[c]];
        k++;
    }
    return count;
}

/* of the rows measured last, and the joints up to a tier: what is below 1e-8 of the largest is
   decimals of a file, or rounding of a configuration that closes to 1e-12 and was flat */
static int measure_rank(lb_assembly *a, assembly_tier most)
{
    const int count = gather_columns(a, most), k = a->rows < count ? a->rows : count;
    int rank = 0;
    if (k == 0 || !dense_svd(a->rows, count, a->matrix, a->left, a->values, a->right))
        return 0;
    while (rank < k && a->values[rank] > 1e-8 * a->values[0])
        rank++;
    return rank;
}

/* a random direction of the null space at q, after measure_rank, as long as a small step */
static void draw_null(lb_assembly *a, int rank, lb_random *random)
{
    double square = 0;
    memset(a->move, 0, sizeof(double) * (size_t)a->nv);
    for (int c = 0; c < a->column_count; c++)
        a->move[a->columns[c]] = lb_random_between(random, -1, 1);
    for (int e = 0; e < rank; e++) {
        const double *right = a->right + e * a->column_count;
        double along = 0;
        for (int c = 0; c < a->column_count; c++)
            along += right[c] * a->move[a->columns[c]];
        for (int c = 0; c < a->column_count; c++)
            a->move[a->columns[c]] -= along * right[c];
    }
    for (int c = 0; c < a->column_count; c++)
        square += a->move[a->columns[c]] * a->move[a->columns[c]];
    for (int c = 0; c < a->column_count && square > 0; c++)
        a->move[a->columns[c]] *= 0.05 / sqrt(square);
}

/* the rank in general position; a->best is where it is largest, and where joints that are not
   driven have most of it: at a dead point they may follow from no drive */
static void find_rank(lb_assembly *a)
{
    enum { MOVES = 8 };
    lb_random random = lb_random_seed(1);
    loop_measure(a, a->rest);
    int most = measure_rank(a, TIER_SPRUNG);
    a->mobility.rank = a->mobility.rest_rank = measure_rank(a, TIER_DRIVEN);
    memcpy(a->best, a->rest, sizeof(double) * (size_t)a->nq);
    for (int i = 0; i < MOVES && a->mobility.closed; i++) {
        loop_measure(a, a->rest);
        draw_null(a, measure_rank(a, TIER_DRIVEN), &random);
        loop_move(a, a->rest, a->move, a->before);
        if (!loop_close(a, a->before))
            continue;
        const int rank = measure_rank(a, TIER_DRIVEN), undriven = measure_rank(a, TIER_SPRUNG);
        if (rank > a->mobility.rank || (rank == a->mobility.rank && undriven > most)) {
            a->mobility.rank = rank;
            most = undriven;
            memcpy(a->best, a->before, sizeof(double) * (size_t)a->nq);
        }
    }
}

/* ---- dependent joints and redundant rows -------------------------------- */

/* shares of a column that must be its own: the best conditioned first, to the rounding of ranks */
static const double shares[] = {1e-2, 1e-3, 1e-5, 1e-9};

static void pick_dependent(lb_assembly *a)
{
    int n = a->column_count;
    bool *taken = a->flags;
    loop_pick pick = {a->matrix, 1, n, a->rows, n, a->mobility.rank, 0, taken, a->left};
    memset(taken, 0, sizeof(bool) * (size_t)n);
    for (int tier = 0; tier < TIER_COUNT; tier++)
        for (size_t s = 0; s < sizeof shares / sizeof *shares - (tier < TIER_DRIVEN); s++)
            for (int c = n; c-- > 0;)
                if (a->tier[a->columns[c]] == tier)
                    loop_pick_vector(&pick, c, shares[s]);
    for (int c = n; c-- > 0;)
        loop_pick_vector(&pick, c, shares[3]);
    for (int c = 0; c < n; c++)
        if (taken[c]) {
            a->is_dependent[a->columns[c]] = true;
            a->dependent[a->dependent_count++] = a->columns[c];
        }
    a->mobility.rank = a->dependent_count;
}

static void pick_rows(lb_assembly *a)
{
    int n = a->column_count;
    loop_pick pick = {a->matrix, n, 1, n, a->rows, a->mobility.rank, 0, a->flags, a->right};
    memset(a->flags, 0, sizeof(bool) * (size_t)a->rows);
    for (size_t s = 2; s < sizeof shares / sizeof *shares; s++)
        for (int r = 0; r < a->rows; r++)
            loop_pick_vector(&pick, r, shares[s]);
    for (int r = 0; r < a->rows; r++)
        a->redundant[r] = !a->flags[r];
}

static void raise_tier(lb_assembly *a, int joint, assembly_tier tier)
{
    int v = lb_model_joint_v(a->model, joint);
    for (int k = 0; v >= 0 && k < lb_joint_kind_nv(a->model->joints[joint].kind); k++)
        if (a->tier[v + k] < tier)
            a->tier[v + k] = (unsigned char)tier;
}

static void choose(lb_assembly *a, const int *drives, int drive_count)
{
    lb_configuration_neutral(a->model, a->rest);
    a->mobility.closed = loop_close(a, a->rest);
    memset(a->tier, TIER_PASSIVE, (size_t)a->nv);
    for (int i = 0; i < drive_count; i++)
        raise_tier(a, drives[i], TIER_DRIVEN);
    for (int j = 0; j < a->model->joint_count; j++) {
        const lb_joint *joint = &a->model->joints[j];
        raise_tier(a, j, joint->driven ? TIER_DRIVEN : joint->sprung ? TIER_SPRUNG : TIER_PASSIVE);
    }
    for (int i = 0; i < a->model->loop_count; i++) {
        if (a->model->loops[i].kind != LB_LOOP_COUPLING)
            continue;
        const int v = lb_model_joint_v(a->model, a->model->loop_layouts[i].first);
        if (v >= 0 && a->tier[v] == TIER_PASSIVE)
            a->tier[v] = TIER_SET;
    }
    find_rank(a);
    loop_measure(a, a->best);
    (void)gather_columns(a, TIER_DRIVEN);
    pick_dependent(a);
    pick_rows(a);
    for (int i = 0; i < a->model->part_count; i++) {
        const model_part *part = &a->model->parts[i];
        bool ball = part->kind == MODEL_BALL;
        a->mobility.velocities += a->model->joints[part->joint].locked ? 0 : ball ? 3 : 1;
    }
    a->mobility.counted = a->mobility.velocities - a->rows;
    a->mobility.found = a->mobility.velocities - a->mobility.rank;
}

/* ---- creating ----------------------------------------------------------- */

static double *take_numbers(memory_arena *arena, int rows, int columns)
{
    return memory_arena_take(arena, (size_t)rows * (size_t)columns, sizeof(double));
}

static void lay_out_solves(lb_assembly *a, memory_arena *arena)
{
    int r = a->rows, c = a->column_count, n = (r < c ? r : c) + 1, m = r > n ? r : n;
    int wide = c > m ? c : m;
    a->f = take_numbers(arena, r, 1);
    a->jacobian = take_numbers(arena, r, a->nv);
    a->relative = take_numbers(arena, 12, a->nv);
    a->basis = take_numbers(arena, n, r);
    a->inverse = take_numbers(arena, n, n);
    a->part = take_numbers(arena, n + r, 1);
    a->tangent = take_numbers(arena, n, 1);
    a->start = take_numbers(arena, n, 1);
    a->correction = take_numbers(arena, n, 1);
    a->left_over = take_numbers(arena, n, 1);
    a->matrix = take_numbers(arena, m, wide);
    a->left = take_numbers(arena, n, m);
    a->right = take_numbers(arena, n, wide);
    a->values = take_numbers(arena, wide, 1);
    int flags = wide > a->model->link_count ? wide : a->model->link_count;
    a->flags = memory_arena_take(arena, (size_t)flags, sizeof(bool));
    a->redundant = memory_arena_take(arena, (size_t)r, sizeof(bool));
    a->dependent = memory_arena_take(arena, (size_t)n, sizeof(int));
}

static void lay_out_assembly(lb_assembly *a, int steps, memory_arena *arena)
{
    double **configurations[] = {&a->rest, &a->q,      &a->trial, &a->base,
                                 &a->goal, &a->before, &a->best};
    double **velocities[] = {&a->scale, &a->v, &a->move, &a->sum, &a->way};
    for (size_t i = 0; i < sizeof configurations / sizeof *configurations; i++)
        *configurations[i] = take_numbers(arena, a->nq, 1);
    for (size_t i = 0; i < sizeof velocities / sizeof *velocities; i++)
        *velocities[i] = take_numbers(arena, a->nv, 1);
    a->steps = memory_arena_take(arena, (size_t)steps, sizeof *a->steps);
    a->chains = memory_arena_take(arena, (size_t)a->model->loop_count, sizeof *a->chains);
    a->columns = memory_arena_take(arena, (size_t)a->nv, sizeof(int));
    a->is_dependent = memory_arena_take(arena, (size_t)a->nv, sizeof(bool));
    a->tier = memory_arena_take(arena, (size_t)a->nv, 1);
    a->marked = memory_arena_take(arena, (size_t)a->nv, sizeof(bool));
    a->idle = memory_arena_take(arena, (size_t)a->model->loop_count, sizeof(bool));
    a->all_dependent = memory_arena_take(arena, (size_t)a->nv, sizeof(int));
    a->outside = memory_arena_take(arena, (size_t)a->model->part_count, sizeof(bool));
    size_t links = (size_t)a->model->link_count, loops = (size_t)a->model->loop_count;
    a->body_of = memory_arena_take(arena, links, sizeof(int));
    a->edges = memory_arena_take(arena, links + loops, sizeof *a->edges);
    a->poses = memory_arena_take(arena, links, sizeof *a->poses);
    a->motions = memory_arena_take(arena, links, sizeof *a->motions);
    a->groups = memory_arena_take(arena, GROUPS_MOST, sizeof *a->groups);
    size_t bodies = links < BODIES_MOST ? links : BODIES_MOST;
    a->branches = memory_arena_take(arena, bodies * TRACK_PATHS, sizeof *a->branches);
    lay_out_solves(a, arena);
}

/* lists the chains into the assembly's arrays, and the columns that move loops */
static void fill_chains(lb_assembly *a, int *path)
{
    listing l = {.model = a->model, .path = path, .steps = a->steps, .moves = a->marked};
    list_all(&l, a->chains);
    a->column_count = 0;
    for (int v = 0; v < a->nv; v++)
        if (a->marked[v])
            a->columns[a->column_count++] = v;
    set_units(a);
}

/* the block of the assembly, whose head says what it needs */
static lb_assembly *take_assembly(const lb_assembly *head, int steps)
{
    lb_assembly measured = *head;
    memory_arena arena = {0};
    memory_arena_take(&arena, 1, sizeof measured);
    lay_out_assembly(&measured, steps, &arena);
    if (!memory_arena_block(&arena, &head->allocator))
        return NULL;
    lb_assembly *a = memory_arena_take(&arena, 1, sizeof *a);
    *a = *head;
    lay_out_assembly(a, steps, &arena);
    return a;
}

static lb_status check_drives(const lb_model *model, const int *drives, int count, lb_error *error)
{
    if (count < 0 || (count > 0 && !drives))
        return REFUSE_ARGUMENT(error, "drives are not given");
    for (int i = 0; i < count; i++)
        if (drives[i] < 0 || drives[i] >= model->joint_count)
            return REFUSE_ARGUMENT(error, "drives[%d] is %d, no joint", i, drives[i]);
    return LB_OK;
}

lb_status lb_assembly_create(const lb_model *model, const int *drives, int drive_count,
                             const lb_allocator *allocator, lb_assembly **assembly, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(assembly, error, {model, "model"}));
    TRY(check_drives(model, drives, drive_count, error));
    lb_assembly head = {.allocator = memory_allocator(allocator), .model = model};
    listing counted = {.model = model};
    counted.path = memory_take(&head.allocator, (size_t)model->link_count, sizeof(int));
    TRY(require_memory(error, counted.path));
    list_all(&counted, NULL);
    head.nq = model->tree.nq;
    head.nv = head.column_count = model->tree.nv;
    for (int i = 0; i < model->loop_count; i++)
        head.rows += lb_loop_kind_rows(model->loops[i].kind);
    head.mobility.rows = head.rows;
    bool huge = (double)head.rows * (head.nv + head.rows + 1.0) > INT_MAX / 2;
    lb_status status = LB_OK;
    if (!huge)
        *assembly = take_assembly(&head, counted.count);
    if (*assembly)
        status = lb_state_create(model, &head.allocator, &(*assembly)->state);
    if (*assembly && status == LB_OK) {
        fill_chains(*assembly, counted.path);
        choose(*assembly, drives, drive_count);
        assembly_plan(*assembly);
    } else {
        memory_release(&head.allocator, *assembly);
        *assembly = NULL;
        status = huge ? REFUSE_UNSUPPORTED(error, "too many loops for its joints")
                      : error_out_of_memory(error);
    }
    memory_release(&head.allocator, counted.path);
    return status;
}

void lb_assembly_release(lb_assembly *assembly)
{
    if (!assembly)
        return;
    lb_allocator allocator = assembly->allocator;
    lb_state_release(assembly->state);
    memory_release(&allocator, assembly);
}

/* ---- reading ------------------------------------------------------------ */

const char *lb_assembly_outcome_text(lb_assembly_outcome outcome)
{
    static const char *const texts[] = {
#define OUTCOME_TEXT(name, text) text,
        LB_ASSEMBLY_OUTCOME_LIST(OUTCOME_TEXT)
#undef OUTCOME_TEXT
    };
    return (unsigned)outcome < LB_ASSEMBLY_OUTCOME_COUNT ? texts[outcome] : "";
}

lb_loop_mobility lb_assembly_mobility(const lb_assembly *assembly)
{
    return assembly->mobility;
}

const double *lb_assembly_rest(const lb_assembly *assembly)
{
    return assembly->rest;
}

int lb_assembly_dependent(const lb_assembly *assembly, int *v)
{
    if (v)
        memcpy(v, assembly->dependent, sizeof(int) * (size_t)assembly->dependent_count);
    return assembly->dependent_count;
}

int lb_assembly_redundant(const lb_assembly *assembly, int *rows)
{
    int count = 0;
    for (int r = 0; r < assembly->rows; r++)
        if (assembly->redundant[r]) {
            if (rows)
                rows[count] = r;
            count++;
        }
    return count;
}

lb_assembly_outcome lb_assembly_close(lb_assembly *a, const double *start, double *q,
                                      lb_assembly_result *result)
{
    lb_assembly_result made = {.outcome = LB_ASSEMBLY_INVALID, .joint = -1, .error = INFINITY};
    bool finite = a && start && q;
    if (finite)
        memmove(q, start, sizeof(double) * (size_t)a->nq);
    for (int i = 0; finite && i < a->nq; i++)
        finite = isfinite(q[i]);
    if (finite) {
        memcpy(a->q, q, sizeof(double) * (size_t)a->nq);
        bool closed = loop_close(a, a->q);
        memcpy(q, a->q, sizeof(double) * (size_t)a->nq);
        made = (lb_assembly_result){.outcome = closed ? LB_ASSEMBLED : LB_ASSEMBLY_OPEN,
                                    .fraction = closed ? 1 : 0,
                                    .error = a->error,
                                    .joint = -1};
    }
    if (result)
        *result = made;
    return made.outcome;
}

bool assembly_settle(lb_assembly *a, double *q)
{
    return lb_assembly_close(a, q, q, NULL) == LB_ASSEMBLED &&
           limits_find_violation(a->model, q, LIMITS_ROUNDING).fault == LIMITS_KEPT;
}

lb_status assembly_of(const lb_model *model, const lb_allocator *allocator, lb_assembly **assembly,
                      lb_error *error)
{
    *assembly = NULL;
    return model->loop_count == 0 ? LB_OK
                                  : lb_assembly_create(model, NULL, 0, allocator, assembly, error);
}
