/*
 * solutions.c - every configuration that brings a tool to a target: the public calls.
 *
 * The finder has all solutions; here they are put on their turns, sorted, shown to the filter,
 * confirmed by the model's own forward kinematics and written into the caller's rows.
 */
#include "base/memory.h"
#include "base/require.h"
#include "ik/closed/choice.h"
#include "ik/closed/describe.h"
#include "ik/closed/finder.h"
#include "ik/task_check.h"
#include "ik/verifier.h"
#include "math/scalar.h"

#include <limber/solutions.h>
#include <string.h>

/* solutions on all their turns: what is more is counted as truncated */
enum { ENTRIES = 512 };

/* The target, and the start as the model's configuration, and in the chain's joints. */
typedef struct solutions_problem {
    const lb_transform *target;
    const double *start;
    double from[CLOSED_ARM_JOINTS];
} solutions_problem;

/* The properties of a row's solution on any turn. */
typedef struct row_source {
    int branch, multiplicity;
    bool family;
    double position, rotation; /* errors */
} row_source;

struct lb_solutions_solver {
    lb_allocator allocator;
    const lb_model *model;
    lb_task task;
    lb_solutions_options options;
    ik_reduction reduction;
    ik_verifier verifier;
    closed_finder finder;
    const kernel_ops *ops;
    double *neutral, *row; /* nq numbers */
    closed_set set;
    double *candidates;             /* CLOSED_SOLUTIONS rows of nq numbers, to be confirmed */
    void *scratch;                  /* of the verifier, on a cache line */
    closed_choice choices[ENTRIES]; /* rows that may be listed */
    row_source sources[ENTRIES];    /* of each row: its solution */
    int order[ENTRIES];             /* of the rows: nearest first */
    int choice_count;
    void *memory, *scratch_memory;
};

lb_solutions_options lb_solutions_options_default(void)
{
    return (lb_solutions_options){.redundancy = 16};
}

/* ---- creating ------------------------------------------------------------- */

static lb_status check_options(const lb_solutions_options *o, lb_error *error)
{
    int w = o->width;
    if (w != 0 && w != 1 && w != 2 && w != 4 && w != 8)
        return lb_error_set(error, LB_INVALID_ARGUMENT, 0,
                            "option 'width' is %d but must be 1, 2, 4, 8 or 0 for the widest", w);
    if (!isfinite(o->length) || o->length < 0)
        return lb_error_set(error, LB_INVALID_ARGUMENT, 0,
                            "option 'length' is %g but must be a finite number of at least 0",
                            o->length);
    if (o->redundancy < 1)
        return lb_error_set(error, LB_INVALID_ARGUMENT, 0,
                            "option 'redundancy' is %d but must be at least 1", o->redundancy);
    return LB_OK;
}

static void lay_out(memory_arena *arena, lb_solutions_solver *s)
{
    size_t nq = (size_t)lb_model_nq(s->model);
    s->neutral = memory_arena_take(arena, nq, sizeof(double));
    s->row = memory_arena_take(arena, nq, sizeof(double));
    s->candidates = memory_arena_take(arena, CLOSED_SOLUTIONS * nq, sizeof(double));
}

/* the finder with locked joints where q has them; NULL when done, else why not */
static const char *find_at(lb_solutions_solver *s, const double *q, int *joint)
{
    const closed_finder_options options = {.general = true, .width = s->options.width};
    return closed_finder_make(s->model, &s->reduction, &s->task, q, &options, &s->finder, joint);
}

static lb_status make_finder(lb_solutions_solver *s, lb_error *error)
{
    int joint;
    const char *why = find_at(s, s->neutral, &joint);
    if (!why)
        return LB_OK;
    if (joint >= 0)
        return lb_error_set(error, LB_UNSUPPORTED, 0,
                            "solutions cannot be listed: the path to the tool %s ('%s'); "
                            "search for one (lb_ik, limber ik without --all)",
                            why, lb_model_joint(s->model, joint)->name);
    return lb_error_set(error, LB_UNSUPPORTED, 0,
                        "solutions cannot be listed: the arm %s; search for one (lb_ik, limber ik "
                        "without --all)",
                        why);
}

static lb_status make(lb_solutions_solver *s, lb_error *error)
{
    memory_arena arena = {0};
    lay_out(&arena, s);
    s->memory = arena.overflow ? NULL : memory_take(&s->allocator, arena.used, 1);
    if (!s->memory)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory");
    arena = (memory_arena){.block = s->memory};
    lay_out(&arena, s);
    lb_configuration_neutral(s->model, s->neutral);
    lb_status status =
        ik_reduce(s->model, &s->task, 1, s->options.length, &s->allocator, &s->reduction, error);
    if (status != LB_OK)
        return status;
    if (!ik_verifier_create(&s->verifier, kernel_choose_single(s->options.width, true), s->model,
                            &s->task, 1, &s->allocator))
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory");
    arena = (memory_arena){0};
    memory_arena_take_line(&arena, s->ops->verifier_scratch(&s->verifier.kernel));
    s->scratch_memory = memory_take(&s->allocator, arena.used, 1);
    if (!s->scratch_memory)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory");
    arena = (memory_arena){.block = s->scratch_memory};
    s->scratch = memory_arena_take_line(&arena, s->ops->verifier_scratch(&s->verifier.kernel));
    return make_finder(s, error);
}

lb_status lb_solutions_create(const lb_model *model, const lb_task *task,
                              const lb_solutions_options *options, const lb_allocator *allocator,
                              lb_solutions_solver **solver, lb_error *error)
{
    const lb_solutions_options usual = lb_solutions_options_default();
    lb_status status = REQUIRE(error, {solver, "solver"});
    if (status != LB_OK)
        return status;
    *solver = NULL;
    if (!options)
        options = &usual;
    status = REQUIRE(error, {model, "model"}, {task, "task"});
    if (status == LB_OK)
        status = check_options(options, error);
    if (status == LB_OK)
        status = ik_check_tasks(model, task, 1, error);
    if (status != LB_OK)
        return status;
    lb_allocator memory = memory_allocator(allocator);
    lb_solutions_solver *s = memory_take(&memory, 1, sizeof *s);
    if (!s)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory");
    s->allocator = memory;
    s->model = model;
    s->task = *task;
    s->options = *options;
    s->ops = kernel_choose(options->width);
    status = make(s, error);
    if (status == LB_OK)
        *solver = s;
    else
        lb_solutions_release(s);
    return status;
}

void lb_solutions_release(lb_solutions_solver *solver)
{
    if (!solver)
        return;
    lb_allocator memory = solver->allocator;
    memory_release(&memory, solver->reduction.memory);
    memory_release(&memory, solver->verifier.memory);
    memory_release(&memory, solver->memory);
    memory_release(&memory, solver->scratch_memory);
    memory_release(&memory, solver);
}

lb_arm_class lb_solutions_class(const lb_solutions_solver *solver)
{
    return solver->finder.arm_class;
}

size_t lb_solutions_describe(const lb_solutions_solver *solver, char *text, size_t size)
{
    return closed_describe(solver->model, &solver->finder, text, size);
}

/* ---- one target ------------------------------------------------------------ */

/* the chain's values of a model's configuration */
static void gather(const lb_solutions_solver *s, const double *q, double *values)
{
    for (int i = 0; i < s->finder.chain.count; i++)
        values[i] = q[s->finder.chain.joints[i].q];
}

static void scatter(const lb_solutions_solver *s, const double *values, double *q)
{
    for (int i = 0; i < s->finder.chain.count; i++)
        q[s->finder.chain.joints[i].q] = values[i];
}

static bool is_finite_row(const lb_solutions_solver *s, const double *q)
{
    bool finite = true;
    for (int i = 0; i < lb_model_nq(s->model); i++)
        finite &= isfinite(q[i]) != 0;
    return finite;
}

/* ---- confirming -------------------------------------------------------------- */

/* one solution by the model's own forward kinematics, after Newton's method */
static bool polish(lb_solutions_solver *s, const lb_transform *target, closed_solution *found,
                   double *row)
{
    closed_polish(&s->finder, target, found);
    scatter(s, found->q, row);
    ik_verifier_errors(&s->verifier, row, target, &found->position, &found->rotation);
    return found->position <= CLOSED_CONFIRMED && found->rotation <= CLOSED_CONFIRMED;
}

/* confirms the solutions of the set, a lane's worth at once, and drops those that are none */
static void confirm_set(lb_solutions_solver *s, const lb_transform *target, const double *start)
{
    size_t nq = (size_t)lb_model_nq(s->model);
    double position[CLOSED_SOLUTIONS + KERNEL_MAX_WIDTH];
    double rotation[CLOSED_SOLUTIONS + KERNEL_MAX_WIDTH];
    const double *rows[CLOSED_SOLUTIONS];
    const lb_transform *targets[CLOSED_SOLUTIONS];
    int width = s->ops->width, count = s->set.count, kept = 0;
    for (int i = 0; i < count; i++) {
        double *row = s->candidates + (size_t)i * nq;
        memcpy(row, start, nq * sizeof(double));
        scatter(s, s->set.solutions[i].q, row);
        rows[i] = row;
        targets[i] = target;
    }
    for (int i = 0; i < count; i += width)
        s->ops->verify(&s->verifier.kernel, rows + i, targets + i,
                       count - i < width ? count - i : width, s->scratch, position + i,
                       rotation + i);
    for (int i = 0; i < count; i++) {
        closed_solution *found = &s->set.solutions[i];
        found->position = position[i];
        found->rotation = rotation[i];
        bool fine =
            position[i] <= CLOSED_ROUNDING * (1 + s->finder.size) && rotation[i] <= CLOSED_ROUNDING;
        if (fine || polish(s, target, found, s->candidates + (size_t)i * nq))
            s->set.solutions[kept++] = *found;
    }
    s->set.count = kept;
}

/* makes a row of each solution of the set that the options want, on its turns */
static void add_choices(lb_solutions_solver *s, const double *start, lb_solutions_summary *out)
{
    const closed_chain *chain = &s->finder.chain;
    for (int i = 0; i < s->set.count; i++) {
        const closed_solution *found = &s->set.solutions[i];
        closed_choice *to = &s->choices[s->choice_count], first;
        int room = ENTRIES - s->choice_count, count = 1;
        closed_choose(chain, found->q, start, &first);
        bool inside = first.worst < 0;
        out->in_limits += inside;
        if (!inside && !s->options.out_of_limits)
            continue;
        if (s->options.copies)
            count = closed_copies(chain, &first, start, to, room);
        else if (room > 0)
            *to = first;
        out->truncated |= count > room;
        for (int k = 0; k < count && k < room; k++)
            s->sources[s->choice_count++] = (row_source){
                .branch = found->branch,
                .multiplicity = found->multiplicity,
                .family = found->open != 0 || s->finder.held >= 0,
                .position = found->position,
                .rotation = found->rotation,
            };
    }
}

/* what the set adds to the summary */
static void add_set(lb_solutions_solver *s, const solutions_problem *problem, unsigned *open,
                    lb_solutions_summary *out)
{
    confirm_set(s, problem->target, problem->start);
    add_choices(s, problem->from, out);
    for (int i = 0; i < s->set.count; i++)
        *open |= s->set.solutions[i].open;
    out->count += s->set.count;
    out->complete &= s->set.complete;
    out->certified &= s->set.certified;
}

/* the rows' order: nearest first, equals as they were found */
static void sort_choices(lb_solutions_solver *s)
{
    for (int i = 0; i < s->choice_count; i++) {
        int k = i;
        for (; k > 0 && s->choices[s->order[k - 1]].square > s->choices[i].square; k--)
            s->order[k] = s->order[k - 1];
        s->order[k] = i;
    }
}

static double condition_of(const lb_solutions_solver *s, const double *q)
{
    double arm_q[CLOSED_ARM_JOINTS] = {0};
    const closed_chain *chain = &s->finder.chain;
    closed_arm real = chain->arm;
    real.joints = chain->real;
    for (int i = 0; i < chain->count; i++)
        if (chain->joints[i].place >= 0)
            arm_q[chain->joints[i].place] = q[i];
    return closed_condition(&real, arm_q, s->reduction.unit);
}

/* what is said of a row whose configuration is in s->row */
static void fill_info(const lb_solutions_solver *s, int row, lb_solution *info)
{
    const closed_chain *chain = &s->finder.chain;
    const closed_choice *choice = &s->choices[row];
    const row_source *found = &s->sources[row];
    *info = (lb_solution){.branch = found->branch,
                          .in_limits = choice->worst < 0,
                          .joint = -1,
                          .beyond = choice->beyond,
                          .position_error = found->position,
                          .rotation_error = found->rotation,
                          .multiplicity = found->multiplicity,
                          .family = found->family,
                          .distance = sqrt(choice->square)};
    if (choice->worst >= 0)
        info->joint = chain->joints[choice->worst].joint;
    if (s->options.condition)
        info->condition = condition_of(s, choice->q);
}

/* writes the rows that the filter accepts into the caller's rows */
static int list_choices(lb_solutions_solver *s, const double *start, int capacity, double *q,
                        lb_solution *solutions, lb_solutions_summary *out)
{
    sort_choices(s);
    size_t nq = (size_t)lb_model_nq(s->model);
    for (int i = 0; i < s->choice_count; i++) {
        int row = s->order[i];
        memcpy(s->row, start, nq * sizeof(double));
        scatter(s, s->choices[row].q, s->row);
        if (s->options.filter && !s->options.filter(s->options.user, s->row))
            continue;
        if (out->listed == capacity) {
            out->truncated = true;
            return out->listed;
        }
        lb_solution *info = &solutions[out->listed];
        fill_info(s, row, info);
        out->noise = scalar_max(out->noise, scalar_max(info->position_error, info->rotation_error));
        memcpy(q + (size_t)out->listed++ * nq, s->row, nq * sizeof(double));
    }
    return out->listed;
}

/* the outcome, and the joints of an infinite family */
static void summarise(const lb_solutions_solver *s, unsigned open, lb_solutions_summary *out)
{
    for (int i = 0; i < s->finder.chain.count; i++)
        if (open >> i & 1)
            out->family[out->family_count++] = s->finder.chain.joints[i].joint;
    out->outcome = out->in_limits > 0 ? LB_REACHED
                   : out->count > 0   ? LB_STALLED
                   : out->certified   ? LB_UNREACHABLE
                                      : LB_EXHAUSTED;
    if (out->outcome == LB_STALLED)
        out->reason = LB_REASON_LIMITS;
    if (out->outcome == LB_UNREACHABLE)
        out->reason = LB_REASON_REACH;
}

/* ---- redundant arms -------------------------------------------------------- */

/* value k of the held joint: evenly spaced over its range, the start's own first */
static double held_value(const lb_solutions_solver *s, const double *start, int k)
{
    const closed_joint *joint = closed_held_joint(&s->finder);
    double part = (double)k / s->options.redundancy;
    if (!joint)
        return lb_wrap_angle(2 * LB_PI * part);
    double lower = scalar_max(joint->lower, -LB_PI), upper = scalar_min(joint->upper, LB_PI);
    double first = scalar_clamp(start[joint - s->finder.chain.joints], lower, upper);
    double value = first + (upper - lower) * part;
    return value > upper ? value - (upper - lower) : value;
}

/* the sets of a redundant arm, one for each value of the joint that is held */
static void add_held_sets(lb_solutions_solver *s, const solutions_problem *problem,
                          lb_solutions_summary *out)
{
    unsigned open = 0;
    for (int k = 0; k < s->options.redundancy; k++) {
        bool held = closed_finder_hold(&s->finder, held_value(s, problem->from, k));
        out->complete &= held;
        if (!held)
            continue;
        closed_find(&s->finder, s->ops, problem->target, problem->from, &s->set);
        add_set(s, problem, &open, out);
    }
    // values in between may have what these have not, and every joint moves from one to the next
    out->certified = false;
    for (int i = 0; i < s->finder.chain.count; i++)
        open |= (unsigned)(s->finder.chain.joints[i].place >= 0) << i;
    summarise(s, open, out);
}

/* ---- one target, continued --------------------------------------------------- */

/* the rows of an arm that is not redundant, whose set has been found */
static void add_only_set(lb_solutions_solver *s, const solutions_problem *problem,
                         lb_solutions_summary *out)
{
    unsigned open = 0;
    add_set(s, problem, &open, out);
    summarise(s, open, out);
}

/* finds and makes all rows of a target */
static void make_rows(lb_solutions_solver *s, const solutions_problem *problem,
                      lb_solutions_summary *out)
{
    if (s->finder.held >= 0) {
        add_held_sets(s, problem, out);
        return;
    }
    closed_find(&s->finder, s->ops, problem->target, problem->from, &s->set);
    add_only_set(s, problem, out);
}

/* whether target and start are valid; locked joints are where the start has them */
static bool accept(lb_solutions_solver *s, const lb_transform *target, const double *start,
                   lb_solutions_summary *out)
{
    *out = (lb_solutions_summary){.outcome = LB_INVALID};
    s->choice_count = 0;
    if (!lb_transform_is_rigid(target, 1e-6) || !is_finite_row(s, start))
        return false;
    int joint;
    if (!closed_chain_fits(&s->finder.chain, start) && find_at(s, start, &joint)) {
        out->outcome = LB_EXHAUSTED;
        return false;
    }
    out->complete = out->certified = true;
    return true;
}

int lb_solutions(lb_solutions_solver *solver, const lb_transform *target, const double *start,
                 int capacity, double *q, lb_solution *solutions, lb_solutions_summary *summary)
{
    solutions_problem problem = {target, start ? start : solver->neutral, {0}};
    if (!accept(solver, target, problem.start, summary))
        return 0;
    gather(solver, problem.start, problem.from);
    make_rows(solver, &problem, summary);
    return list_choices(solver, problem.start, capacity, q, solutions, summary);
}

/* ---- batches --------------------------------------------------------------- */

/* up to a lane's worth of targets that mean something, by the kernel */
static void find_lanes(lb_solutions_solver *s, const lb_transform *const *targets, int count,
                       const double *from, kernel_solutions *found)
{
    double hints[KERNEL_CLOSED_JOINTS];
    const double *rows[KERNEL_MAX_WIDTH];
    kernel_solutions *to[KERNEL_MAX_WIDTH];
    closed_hints(&s->finder, from, hints);
    for (int l = 0; l < count; l++) {
        rows[l] = hints;
        to[l] = &found[l];
    }
    s->ops->closed(&s->finder.form, targets, rows, count, to);
}

void lb_solutions_batch(lb_solutions_solver *solver, const lb_transform *targets, size_t begin,
                        size_t end, const double *start, int capacity, double *q,
                        lb_solution *solutions, lb_solutions_summary *summaries)
{
    lb_solutions_solver *s = solver;
    const size_t nq = (size_t)lb_model_nq(s->model), rows = (size_t)capacity;
    solutions_problem problem = {NULL, start ? start : s->neutral, {0}};
    start = problem.start;
    gather(s, start, problem.from);
    for (size_t i = begin; i < end;) {
        size_t place[KERNEL_MAX_WIDTH];
        const lb_transform *goals[KERNEL_MAX_WIDTH];
        kernel_solutions found[KERNEL_MAX_WIDTH];
        int count = 0;
        for (; i < end && count < s->ops->width; i++)
            if (accept(s, &targets[i], start, &summaries[i])) {
                place[count] = i;
                goals[count++] = &targets[i];
            }
        bool lanes = closed_has_form(&s->finder);
        if (lanes && count > 0)
            find_lanes(s, goals, count, problem.from, found);
        for (int l = 0; l < count; l++) {
            size_t row = place[l] * rows;
            lb_solutions_summary *out = &summaries[place[l]];
            s->choice_count = 0;
            problem.target = goals[l];
            if (lanes) {
                closed_collect(&s->finder, &found[l], problem.from, &s->set);
                add_only_set(s, &problem, out);
            } else {
                make_rows(s, &problem, out);
            }
            list_choices(s, start, capacity, q + row * nq, solutions + row, out);
        }
    }
}
