/*
 * solutions.c - every configuration that brings a tool to a target: the public calls.
 *
 * The finder has all solutions; here they are put on their turns, sorted, shown to the filter,
 * confirmed by the model's own forward kinematics and written into the caller's rows.
 */
#include "base/memory.h"
#include "base/text.h"
#include "ik/closed/choice.h"
#include "ik/closed/finder.h"
#include "ik/task_check.h"
#include "ik/verifier.h"
#include "math/scalar.h"

#include <limber/solutions.h>
#include <string.h>

/* solutions on all their turns: what is more is counted as truncated */
enum { ENTRIES = 512 };

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
    closed_choice choices[ENTRIES]; /* rows that may be listed */
    int source[ENTRIES];            /* of each row: its solution in the set */
    int order[ENTRIES];             /* of the rows: nearest first */
    int choice_count;
    void *memory;
};

lb_solutions_options lb_solutions_options_default(void)
{
    return (lb_solutions_options){.redundancy = 16};
}

const char *lb_arm_class_text(lb_arm_class arm_class)
{
#define LB_ARM_CLASS_TEXT(name, text) text,
    static const char *const texts[] = {LB_ARM_CLASS_LIST(LB_ARM_CLASS_TEXT)};
#undef LB_ARM_CLASS_TEXT
    return (unsigned)arm_class < LB_ARM_CLASS_COUNT ? texts[arm_class] : "";
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
}

static lb_status make_finder(lb_solutions_solver *s, lb_error *error)
{
    int joint;
    const char *why =
        closed_finder_make(s->model, &s->reduction, &s->task, s->neutral, &s->finder, &joint);
    if (!why)
        return LB_OK;
    if (joint >= 0)
        return lb_error_set(error, LB_UNSUPPORTED, 0,
                            "not every solution can be found: the way to the tool %s ('%s'); use "
                            "lb_ik",
                            why, lb_model_joint(s->model, joint)->name);
    return lb_error_set(error, LB_UNSUPPORTED, 0,
                        "not every solution can be found: the arm %s; use lb_ik", why);
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
    return make_finder(s, error);
}

lb_status lb_solutions_create(const lb_model *model, const lb_task *task,
                              const lb_solutions_options *options, const lb_allocator *allocator,
                              lb_solutions_solver **solver, lb_error *error)
{
    const lb_solutions_options usual = lb_solutions_options_default();
    *solver = NULL;
    if (!options)
        options = &usual;
    lb_status status = check_options(options, error);
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
    memory_release(&memory, solver);
}

lb_arm_class lb_solutions_class(const lb_solutions_solver *solver)
{
    return solver->finder.arm_class;
}

/* ---- why it is that class -------------------------------------------------- */

/* the name of the model's joint that is the completed arm's joint i, NULL: it is none */
static const char *name_of(const lb_solutions_solver *s, int i)
{
    const closed_chain *chain = &s->finder.chain;
    for (int k = 0; k < chain->count; k++)
        if (chain->joints[k].place >= 0 && chain->joints[k].place == s->finder.completion.place[i])
            return lb_model_joint(s->model, chain->joints[k].joint)->name;
    return NULL;
}

/* "'a', 'b' and 'c'": those of the completed arm's joints that are the model's; how many */
static int join_names(const lb_solutions_solver *s, const int *joints, int count, char *text,
                      size_t size)
{
    const char *names[KERNEL_CLOSED_JOINTS];
    int named = 0;
    size_t used = 0;
    text[0] = 0;
    for (int at = 0; at < KERNEL_CLOSED_JOINTS; at++)
        for (int i = 0; i < count; i++) {
            const char *name = joints[i] == at ? name_of(s, at) : NULL;
            if (name)
                names[named++] = name;
        }
    for (int i = 0; i < named; i++) {
        const char *before = i == 0 ? "" : i == named - 1 ? " and " : ", ";
        used += text_format(text + used, size - used, "%s'%s'", before, names[i]);
        // a text that is cut short stays terminated
        used = used < size ? used : size - 1;
    }
    return named;
}

size_t lb_solutions_describe(const lb_solutions_solver *solver, char *text, size_t size)
{
    const kernel_closed *form = &solver->finder.form;
    bool parallel = form->kind == KERNEL_CLOSED_PARALLEL;
    const int three[3] = {form->joint[parallel ? 1 : 3], form->joint[parallel ? 2 : 4],
                          form->joint[parallel ? 3 : 5]};
    const int first[3] = {form->joint[0], form->joint[1], form->joint[2]};
    const char *does = form->pair == KERNEL_PAIR_LENGTHS  ? "slide"
                       : form->pair == KERNEL_PAIR_PLANAR ? "are parallel"
                                                          : "meet";
    const char *three_do = parallel ? "are parallel" : "meet in a point";
    char names[3][512];
    int some = join_names(solver, three, 3, names[0], sizeof names[0]);
    const int last[2] = {form->joint[4], form->joint[5]};
    int pair = parallel ? join_names(solver, last, 2, names[1], sizeof names[1])
               : form->pair == KERNEL_PAIR_LENGTHS
                   ? join_names(solver, first, 3, names[1], sizeof names[1])
                   : join_names(solver, first + 1, 2, names[1], sizeof names[1]);
    const char *kind = lb_arm_class_text(solver->finder.arm_class);
    if (parallel)
        does = "meet";
    // what the task leaves open, and what an arm of few joints lacks, has no names
    if (some > 1 && pair > 1)
        return text_format(text, size, "%s: the axes of %s %s, those of %s %s", kind, names[0],
                           three_do, names[1], does);
    if (some > 1)
        return text_format(text, size, "%s: the axes of %s %s", kind, names[0], three_do);
    if (pair > 1)
        return text_format(text, size, "%s of what the task leaves open; the axes of %s %s", kind,
                           names[1], does);
    return text_format(text, size, "%s", kind);
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

/* makes a row of each solution that the options want, on its turns */
static void make_choices(lb_solutions_solver *s, const double *start, lb_solutions_summary *out)
{
    const closed_chain *chain = &s->finder.chain;
    s->choice_count = 0;
    for (int i = 0; i < s->set.count; i++) {
        closed_choice *to = &s->choices[s->choice_count], first;
        int room = ENTRIES - s->choice_count, count = 1;
        closed_choose(chain, s->set.solutions[i].q, start, &first);
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
            s->source[s->choice_count++] = i;
    }
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

/* what is said of a row whose configuration is in s->row */
static void fill_info(lb_solutions_solver *s, int row, const lb_transform *target,
                      lb_solution *info)
{
    const closed_chain *chain = &s->finder.chain;
    const closed_choice *choice = &s->choices[row];
    const closed_solution *found = &s->set.solutions[s->source[row]];
    double arm_q[CLOSED_ARM_JOINTS] = {0};
    *info = (lb_solution){.branch = found->branch,
                          .in_limits = choice->worst < 0,
                          .joint = -1,
                          .beyond = choice->beyond,
                          .multiplicity = found->multiplicity,
                          .family = found->open != 0,
                          .distance = sqrt(choice->square)};
    if (choice->worst >= 0)
        info->joint = chain->joints[choice->worst].joint;
    ik_verifier_errors(&s->verifier, s->row, target, &info->position_error, &info->rotation_error);
    for (int i = 0; i < chain->count; i++)
        if (chain->joints[i].place >= 0)
            arm_q[chain->joints[i].place] = choice->q[i];
    closed_arm real = chain->arm;
    real.joints = chain->real;
    info->condition = closed_condition(&real, arm_q, s->reduction.unit);
}

/* writes the rows that the filter accepts into the caller's rows */
static int list_choices(lb_solutions_solver *s, const lb_transform *target, const double *start,
                        int capacity, double *q, lb_solution *solutions, lb_solutions_summary *out)
{
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
        fill_info(s, row, target, info);
        out->noise = scalar_max(out->noise, scalar_max(info->position_error, info->rotation_error));
        memcpy(q + (size_t)out->listed++ * nq, s->row, nq * sizeof(double));
    }
    return out->listed;
}

/* the outcome, and the joints of an infinite family */
static void summarise(const lb_solutions_solver *s, lb_solutions_summary *out)
{
    unsigned open = 0;
    for (int i = 0; i < s->set.count; i++)
        open |= s->set.solutions[i].open;
    for (int i = 0; i < s->finder.chain.count; i++)
        if (open >> i & 1)
            out->family[out->family_count++] = s->finder.chain.joints[i].joint;
    out->count = s->set.count;
    out->complete = s->set.complete;
    out->certified = s->set.certified;
    out->outcome = out->in_limits > 0 ? LB_REACHED
                   : out->count > 0   ? LB_STALLED
                   : s->set.certified ? LB_UNREACHABLE
                                      : LB_EXHAUSTED;
    if (out->outcome == LB_STALLED)
        out->reason = LB_REASON_LIMITS;
    if (out->outcome == LB_UNREACHABLE)
        out->reason = LB_REASON_REACH;
}

/* the set of one target has been found */
static int report(lb_solutions_solver *s, const lb_transform *target, const double *start,
                  const double *from, int capacity, double *q, lb_solution *solutions,
                  lb_solutions_summary *out)
{
    make_choices(s, from, out);
    sort_choices(s);
    summarise(s, out);
    return list_choices(s, target, start, capacity, q, solutions, out);
}

/* true where the question means something; locked joints are where the start has them */
static bool accept(lb_solutions_solver *s, const lb_transform *target, const double *start,
                   lb_solutions_summary *out)
{
    *out = (lb_solutions_summary){.outcome = LB_INVALID};
    if (!lb_transform_is_rigid(target, 1e-6) || !is_finite_row(s, start))
        return false;
    int joint;
    if (!closed_chain_fits(&s->finder.chain, start) &&
        closed_finder_make(s->model, &s->reduction, &s->task, start, &s->finder, &joint)) {
        out->outcome = LB_EXHAUSTED;
        return false;
    }
    return true;
}

int lb_solutions(lb_solutions_solver *solver, const lb_transform *target, const double *start,
                 int capacity, double *q, lb_solution *solutions, lb_solutions_summary *summary)
{
    double from[CLOSED_ARM_JOINTS];
    if (!start)
        start = solver->neutral;
    if (!accept(solver, target, start, summary))
        return 0;
    gather(solver, start, from);
    closed_find(&solver->finder, solver->ops, target, from, &solver->set);
    return report(solver, target, start, from, capacity, q, solutions, summary);
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
    double from[CLOSED_ARM_JOINTS];
    if (!start)
        start = s->neutral;
    gather(s, start, from);
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
            find_lanes(s, goals, count, from, found);
        for (int l = 0; l < count; l++) {
            size_t row = place[l] * rows;
            if (lanes)
                closed_collect(&s->finder, &found[l], goals[l], from, &s->set);
            else
                closed_find(&s->finder, s->ops, goals[l], from, &s->set);
            report(s, goals[l], start, from, capacity, q + row * nq, solutions + row,
                   &summaries[place[l]]);
        }
    }
}
