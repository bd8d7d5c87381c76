/*
 * solutions.c - every configuration that brings a tool to a target: the public calls.
 *
 * The finder has all solutions; here they are put on their turns, sorted, shown to the filter,
 * confirmed by the model's own forward kinematics and written into the caller's rows.
 */
#include "ik/solutions.h"

#include "base/error.h"
#include "base/memory.h"
#include "ik/closed/proof.h"
#include "math/scalar.h"
#include "model/range.h"
#include "model/view.h"

#include <limber/kinematics.h>
#include <string.h>

lb_solutions_options lb_solutions_options_default(void)
{
    return (lb_solutions_options){.redundancy = 16};
}

/* ---- creating ------------------------------------------------------------- */

static lb_status check_options(const lb_solutions_options *o, lb_error *error)
{
    int w = o->width, most = LB_SOLUTIONS_REDUNDANCY_MAX;
    if (w != 0 && w != 1 && w != 2 && w != 4 && w != 8)
        return REFUSE_ARGUMENT(
            error, "option 'width' is %d but must be 1, 2, 4, 8 or 0 for the widest", w);
    if (!ik_is_length(o->length))
        return REFUSE_ARGUMENT(error, "option 'length' is %g but must be 0, or from %g to %g",
                               o->length, 1 / LB_LENGTH_MAX, LB_LENGTH_MAX);
    if (o->redundancy < 1 || o->redundancy > most)
        return REFUSE_ARGUMENT(error, "option 'redundancy' is %d but must be 1 to %d",
                               o->redundancy, most);
    return LB_OK;
}

static void lay_out(memory_arena *arena, lb_solutions_solver *s)
{
    size_t nq = (size_t)lb_model_nq(s->model);
    s->neutral = memory_arena_take(arena, nq, sizeof(double));
    s->row = memory_arena_take(arena, nq, sizeof(double));
    s->start = memory_arena_take(arena, nq, sizeof(double));
    s->columns = memory_arena_take(arena, KERNEL_CLOSED_BRANCHES * nq, sizeof(double));
    s->chain_of = memory_arena_take(arena, nq, sizeof(int));
    s->form_of = memory_arena_take(arena, nq, sizeof(int));
    s->scratch = memory_arena_take_line(arena, s->ops->verifier_scratch(&s->verifier.kernel));
}

/* the finder with locked joints where q has them; NULL when done, else why not */
static const char *find_at(lb_solutions_solver *s, const double *q, int *joint)
{
    const closed_finder_options options = {
        .general = true, .width = s->options.width, .certifies = true};
    const char *why =
        closed_finder_make(s->model, &s->reduction, &s->task, q, &options, &s->finder, joint);
    s->finds = why == NULL;
    return why;
}

#define CANNOT "solutions cannot be listed: "
#define SEARCH "search for one (lb_ik, limber ik without --all)"

/* the joints and constraints of the task where the arm is in no special configuration */
static lb_mobility generic_mobility(lb_solutions_solver *s)
{
    lb_mobility none = {0};
    lb_state *state;
    lb_random random = lb_random_seed(1);
    if (lb_state_create(s->model, &s->allocator, &state) != LB_OK)
        return none;
    lb_configuration_random(s->model, &random, s->row);
    lb_state_update(state, s->row);
    const lb_mobility found = lb_task_mobility(state, &s->task, NULL);
    lb_state_release(state);
    return found;
}

/* whether the solutions of the tool's position can be listed */
static bool lists_position(lb_solutions_solver *s)
{
    int joint;
    lb_error error;
    ik_reduction reduction;
    const closed_finder_options options = {
        .general = true, .width = s->options.width, .certifies = true};
    lb_task task = lb_task_make(s->task.tip, s->task.base, LB_TASK_POSITION);
    task.tool = s->task.tool;
    if (s->task.kind != LB_TASK_POSE ||
        ik_reduce(s->model, &task, 1, 0, &s->allocator, &reduction, &error) != LB_OK)
        return false;
    const char *why =
        closed_finder_make(s->model, &reduction, &task, s->neutral, &options, &s->finder, &joint);
    memory_release(&s->allocator, reduction.memory);
    return why == NULL;
}

/* says why there is no finder, and what to do instead */
static lb_status refuse(lb_solutions_solver *s, const char *why, int joint, lb_error *error)
{
    const lb_mobility m = generic_mobility(s);
    const int more = m.velocities - m.constraints;
    const bool turns_and_slides = m.velocities == m.joints;
    const int spare = more == 1 && turns_and_slides
                          ? closed_find_spare(s->model, &s->task, s->options.width, &s->allocator)
                          : -1;
    if (more > 0 && turns_and_slides)
        return REFUSE_UNSUPPORTED(
            error,
            CANNOT
            "the arm is redundant by %d: %d joints, %d constraints; lock %d joint%s%s%s%s "
            "(lb_joint_setting, limber ik --lock) to list what the others can do, or " SEARCH,
            more, m.joints, m.constraints, more, more == 1 ? "" : "s", spare < 0 ? "" : ", as '",
            spare < 0 ? "" : lb_model_joint(s->model, spare)->name, spare < 0 ? "" : "',");
    if (joint >= 0)
        return REFUSE_UNSUPPORTED(error, CANNOT "the path to the tool %s ('%s'); " SEARCH, why,
                                  lb_model_joint(s->model, joint)->name);
    if (turns_and_slides && m.joints < 6 && lists_position(s))
        return REFUSE_UNSUPPORTED(error,
                                  CANNOT
                                  "%d joint%s too few for a pose; those of a position can be "
                                  "(LB_TASK_POSITION, limber ik --position without --rpy)",
                                  m.joints, m.joints == 1 ? " is" : "s are");
    return REFUSE_UNSUPPORTED(error, CANNOT "the arm %s; " SEARCH, why);
}

static lb_status make_finder(lb_solutions_solver *s, lb_error *error)
{
    int joint;
    const char *why = find_at(s, s->neutral, &joint);
    return why ? refuse(s, why, joint, error) : LB_OK;
}

/* which of the chain's joints each of the verifier's numbers is, and which of the form's */
static void connect_columns(lb_solutions_solver *s)
{
    for (int i = 0; i < s->verifier.kernel.tree.nq; i++) {
        s->chain_of[i] = s->form_of[i] = -1;
        for (int k = 0; k < s->finder.chain.count; k++)
            if (s->finder.chain.joints[k].q == s->verifier.kernel.model_q[i])
                s->chain_of[i] = k;
        for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++)
            if (s->finder.columns[k] == s->verifier.kernel.model_q[i])
                s->form_of[i] = k;
    }
    const closed_finder *f = &s->finder;
    s->plain = closed_has_form(f) && f->direct && f->chain.real == KERNEL_CLOSED_JOINTS &&
               f->chain.count == KERNEL_CLOSED_JOINTS && !s->options.filter && !s->options.copies &&
               !s->options.condition;
}

static lb_status make(lb_solutions_solver *s, lb_error *error)
{
    TRY(ik_reduce(s->model, &s->task, 1, s->options.length, &s->allocator, &s->reduction, error));
    if (!ik_verifier_create(&s->verifier, kernel_choose_single(s->options.width, true), s->model,
                            &s->task, 1, &s->allocator))
        return error_out_of_memory(error);
    memory_arena arena = {0};
    lay_out(&arena, s);
    s->memory = memory_arena_block(&arena, &s->allocator);
    TRY(require_memory(error, s->memory));
    lay_out(&arena, s);
    lb_configuration_neutral(s->model, s->neutral);
    lb_status status = make_finder(s, error);
    if (status == LB_OK)
        connect_columns(s);
    return status;
}

lb_status lb_solutions_create(const lb_model *model, const lb_task *task,
                              const lb_solutions_options *options, const lb_allocator *allocator,
                              lb_solutions_solver **solver, lb_error *error)
{
    const lb_solutions_options usual = lb_solutions_options_default();
    if (!options)
        options = &usual;
    TRY(REQUIRE_TO_MAKE(solver, error, {model, "model"}, {task, "task"}));
    TRY(check_options(options, error));
    TRY(ik_check_tasks(model, task, 1, error));
    lb_allocator memory = memory_allocator(allocator);
    lb_solutions_solver *s = memory_take(&memory, 1, sizeof *s);
    TRY(require_memory(error, s));
    s->allocator = memory;
    s->model = model;
    s->task = *task;
    s->options = *options;
    s->ops = kernel_choose(options->width);
    lb_status status =
        view_take(&s->options.joints, &s->options.joint_count, &memory, &s->model, &s->view, error);
    if (status == LB_OK)
        status = loop_refuse(s->model, task->base, task->tip, "a list of solutions", error);
    if (status == LB_OK)
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
    lb_model_release(solver->view);
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

/* makes a row of each solution of the set that the options want, on its turns */
static void add_choices(lb_solutions_solver *s, const double *start, lb_solutions_summary *out)
{
    const closed_chain *chain = &s->finder.chain;
    for (int i = 0; i < s->set.count; i++) {
        const closed_solution *found = &s->set.solutions[i];
        closed_choice *to = &s->choices[s->choice_count];
        int room = ENTRIES - s->choice_count, count = 1;
        bool inside = found->choice.worst < 0;
        out->in_limits += inside;
        if (!inside && !s->options.out_of_limits)
            continue;
        if (s->options.copies)
            count = closed_copies(chain, &found->choice, start, to, room);
        else if (room > 0)
            *to = found->choice;
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
    ik_solutions_confirm(s, problem);
    for (int i = 0; i < s->set.count; i++) {
        // members of what is no family were listed in place of solutions
        const bool settled = closed_settle(&s->finder, &s->set.solutions[i]);
        s->set.complete &= settled;
        s->set.certified &= settled;
    }
    ik_solutions_follow(s, problem);
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
    for (int i = 0; i < chain->count; i++)
        if (chain->joints[i].place >= 0)
            arm_q[chain->joints[i].place] = q[i];
    return closed_condition(&chain->arm, arm_q, s->reduction.unit, chain->real);
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
        if (s->options.filter) {
            memcpy(s->row, start, nq * sizeof(double));
            scatter(s, s->choices[row].q, s->row);
            if (!s->options.filter(s->options.user, s->row))
                continue;
        }
        if (out->listed == capacity) {
            out->truncated = true;
            return out->listed;
        }
        double *to = q + (size_t)out->listed * nq;
        memcpy(to, start, nq * sizeof(double));
        scatter(s, s->choices[row].q, to);
        lb_solution *info = &solutions[out->listed++];
        fill_info(s, row, info);
        out->noise = scalar_max(out->noise, scalar_max(info->position_error, info->rotation_error));
    }
    return out->listed;
}

/* ---- redundant arms -------------------------------------------------------- */

/* the sets of a redundant arm, one for each value of the joint that is held */
static void add_held_sets(lb_solutions_solver *s, const solutions_problem *problem,
                          lb_solutions_summary *out)
{
    unsigned open = 0;
    for (int k = 0; k < s->options.redundancy; k++) {
        bool held = closed_finder_hold(&s->finder,
                                       closed_held_value(&s->finder, problem->target, problem->from,
                                                         k, s->options.redundancy));
        if (!held)
            continue;
        closed_find(&s->finder, s->ops, problem->target, problem->from, NULL, &s->set);
        add_set(s, problem, &open, out);
    }
    // values in between may have what these have not, and every joint moves from one to the next
    out->complete = out->certified = false;
    for (int i = 0; i < s->finder.chain.count && out->count > 0; i++)
        open |= (unsigned)(s->finder.chain.joints[i].place >= 0) << i;
    ik_solutions_summarise(s, open, LB_REASON_NONE, out);
}

/* ---- one target, continued --------------------------------------------------- */

/* finds and makes all rows of a target; NULL: its branches are not known yet */
static void make_rows(lb_solutions_solver *s, const solutions_problem *problem,
                      const kernel_solutions *branches, lb_solutions_summary *out)
{
    unsigned open = 0;
    if (s->finder.held >= 0) {
        add_held_sets(s, problem, out);
        return;
    }
    closed_find(&s->finder, s->ops, problem->target, problem->from, branches, &s->set);
    out->complete = out->certified = true;
    add_set(s, problem, &open, out);
    ik_solutions_summarise(s, open, s->set.proof, out);
}

/* whether target and start are valid; locked joints are where the start has them */
static bool accept(lb_solutions_solver *s, const lb_transform *target, const double *start,
                   lb_solutions_summary *out)
{
    *out = (lb_solutions_summary){.outcome = LB_INVALID};
    s->choice_count = 0;
    if (!range_has_frame(target) || !range_has_row(start, lb_model_nq(s->model)))
        return false;
    int joint;
    if (!(s->finds && closed_chain_fits(&s->finder.chain, start)) && find_at(s, start, &joint)) {
        out->outcome = LB_EXHAUSTED;
        return false;
    }
    return true;
}

/* a start with the values that the options lock joints at */
static const double *lock_start(lb_solutions_solver *s, const double *start)
{
    if (!start)
        return s->neutral;
    if (!s->view)
        return start;
    memcpy(s->start, start, sizeof *start * (size_t)lb_model_nq(s->model));
    for (int i = 0; i < s->view->part_count; i++) {
        const model_part *part = &s->view->parts[i];
        if (part->kind != MODEL_BALL && part->lower == part->upper)
            s->start[part->q] = part->lower;
    }
    return s->start;
}

/* lists a target's solutions; `branches` of a plain arm are known, or NULL */
static int list_target(lb_solutions_solver *s, solutions_problem *problem,
                       const kernel_solutions *branches, const solutions_rows *rows,
                       lb_solutions_summary *summary)
{
    kernel_solutions found;
    if (!accept(s, problem->target, problem->start, summary))
        return 0;
    gather(s, problem->start, problem->from);
    if (s->plain && !branches) {
        closed_branches(&s->finder, s->ops, problem->target, problem->from, &found);
        branches = &found;
    }
    if (s->plain && ik_solutions_list_plain(s, problem, branches, rows, summary))
        return summary->listed;
    make_rows(s, problem, branches, summary);
    return list_choices(s, problem->start, rows->capacity, rows->q, rows->solutions, summary);
}

int lb_solutions(lb_solutions_solver *solver, const lb_transform *target, const double *start,
                 int capacity, double *q, lb_solution *solutions, lb_solutions_summary *summary)
{
    solutions_problem problem = {target, lock_start(solver, start), {0}};
    const solutions_rows rows = {capacity, q, solutions};
    return list_target(solver, &problem, NULL, &rows, summary);
}

/* ---- batches --------------------------------------------------------------- */

/* the branches of up to a lane's worth of targets; false: they are not made together */
static bool find_several(const lb_solutions_solver *s, const lb_transform *targets, int count,
                         const double *start, kernel_solutions *found)
{
    const lb_transform *several[KERNEL_MAX_WIDTH];
    const double *starts[KERNEL_MAX_WIDTH];
    kernel_solutions *sets[KERNEL_MAX_WIDTH];
    const kernel_closed_batch batch = {
        .targets = several, .starts = starts, .columns = s->finder.columns};
    if (!s->plain || !s->finds || !closed_chain_fits(&s->finder.chain, start))
        return false;
    for (int i = 0; i < count; i++) {
        several[i] = &targets[i];
        starts[i] = start;
        sets[i] = &found[i];
    }
    s->ops->closed_several(&s->finder.form, &s->finder.ranges, &batch, count, sets);
    return true;
}

void lb_solutions_batch(lb_solutions_solver *solver, const lb_transform *targets, size_t begin,
                        size_t end, const double *start, int capacity, double *q,
                        lb_solution *solutions, lb_solutions_summary *summaries)
{
    const size_t nq = (size_t)lb_model_nq(solver->model), most = (size_t)capacity;
    const size_t width = (size_t)solver->ops->width;
    kernel_solutions found[KERNEL_MAX_WIDTH];
    start = lock_start(solver, start);
    for (size_t i = begin; i < end; i += width) {
        const size_t count = end - i < width ? end - i : width;
        const bool known = find_several(solver, &targets[i], (int)count, start, found);
        for (size_t k = i; k < i + count; k++) {
            solutions_problem problem = {&targets[k], start, {0}};
            const solutions_rows rows = {capacity, capacity ? q + k * most * nq : q,
                                         capacity ? solutions + k * most : solutions};
            (void)list_target(solver, &problem, known ? &found[k - i] : NULL, &rows, &summaries[k]);
        }
    }
}
