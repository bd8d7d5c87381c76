/* solver.c - creating inverse-kinematics solvers. */
#include "ik/solver.h"
#include "math/scalar.h"

#include "base/error.h"
#include "base/text.h"
#include "ik/descent.h"
#include "ik/search/starts.h"

#include "base/memory.h"
#include "ik/search/exact.h"
#include "ik/task.h"
#include "model/view.h"

#include <string.h>

lb_ik_options lb_ik_options_default(void)
{
    return (lb_ik_options){.position_tolerance = 1e-6, .rotation_tolerance = 1e-6, .seeds = 512};
}

const char *lb_outcome_text(lb_outcome outcome)
{
    static const char *const texts[] = {LB_OUTCOME_LIST(LIST_TEXT)};
    return outcome < LB_OUTCOME_COUNT ? texts[outcome] : "";
}

const lb_ik_options *lb_ik_get_options(const lb_ik *ik)
{
    return &ik->options;
}

/*
 * the share of a tolerance that the descent converges to: the rest, far more than rounding, is a
 * margin for the verifier
 */
#define TOLERANCE_MARGIN (1 - 1e-6)

const char *lb_reason_text(lb_reason reason)
{
    static const char *const texts[] = {LB_REASON_LIST(LIST_TEXT)};
    return reason < LB_REASON_COUNT ? texts[reason] : "";
}

/* ---- creating ------------------------------------------------------------- */

static lb_status check_options(const lb_ik_options *o, lb_error *error)
{
    const struct {
        const char *name;
        double value;
        bool zero; /* may be */
    } numbers[] = {{"position_tolerance", o->position_tolerance, false},
                   {"rotation_tolerance", o->rotation_tolerance, false},
                   {"length", o->length, true},
                   {"damping", o->damping, true},
                   {"alpha", o->transpose.alpha, true},
                   {"step_limit", o->step_limit, true},
                   {"seeds", o->seeds, true},
                   {"iterations", o->iterations, true}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double x = numbers[i].value;
        if (!isfinite(x) || x < 0 || (x == 0 && !numbers[i].zero))
            return REFUSE_ARGUMENT(error, "option '%s' is %g but must be a finite number %s 0",
                                   numbers[i].name, x, numbers[i].zero ? "of at least" : "above");
    }
    if (!ik_is_length(o->length))
        return REFUSE_ARGUMENT(error, "option 'length' is %g but must be 0, or from %g to %g",
                               o->length, 1 / LB_LENGTH_MAX, LB_LENGTH_MAX);
    int w = o->width;
    if (w != 0 && w != 1 && w != 2 && w != 4 && w != 8)
        return REFUSE_ARGUMENT(
            error, "option 'width' is %d but must be 1, 2, 4, 8 or 0 for the widest", w);
    if (o->seeds > SEED_MOST)
        return REFUSE_ARGUMENT(error, "option 'seeds' is %d but must be at most %d", o->seeds,
                               SEED_MOST);
    if (o->iterations > LB_IK_ITERATIONS_MAX)
        return REFUSE_ARGUMENT(error, "option 'iterations' is %d but must be at most %d",
                               o->iterations, LB_IK_ITERATIONS_MAX);
    if (o->analytic.bend < -1 || o->analytic.bend > 1)
        return REFUSE_ARGUMENT(error, "option 'bend' is %d but must be -1, 1 or 0 for the nearer",
                               o->analytic.bend);
    const struct {
        const char *name;
        int value, last;
    } choices[] = {{"protocol", (int)o->protocol, LB_PROTOCOL_GIVEN},
                   {"control", (int)o->control, LB_CONTROL_SQUARE},
                   {"rank", (int)o->ranked.rank, LB_RANK_ROOM}};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (choices[i].value < 0 || choices[i].value > choices[i].last)
            return REFUSE_ARGUMENT(error, "option '%s': there is no number %d", choices[i].name,
                                   choices[i].value);
    return LB_OK;
}

static lb_status check_desired(const lb_model *model, const lb_ik_options *o, lb_error *error)
{
    if (!lb_vec3_is_finite(o->analytic.pole))
        return REFUSE_ARGUMENT(error, "option 'pole' must be finite");
    for (int v = 0; o->gains && v < model->tree.nv; v++)
        if (!(o->gains[v] >= 0 && isfinite(o->gains[v])))
            return REFUSE_ARGUMENT(
                error, "option 'gains': number %d is %g but must be finite and at least 0", v,
                o->gains[v]);
    for (int i = 0; o->desired && i < model->tree.nq; i++)
        if (!isfinite(o->desired[i]))
            return REFUSE_ARGUMENT(error, "option 'desired': number %d is not finite", i);
    return LB_OK;
}

static void lay_out(memory_arena *arena, lb_ik *ik)
{
    const kernel_problem *p = &ik->reduction.problem;
    size_t local = (size_t)p->tree.nq, nq = (size_t)ik->model->tree.nq;
    ik->trial = memory_arena_take(arena, nq, sizeof(double));
    ik->neutral = memory_arena_take(arena, nq, sizeof(double));
    ik->exhausted = memory_arena_take(arena, nq, sizeof(double));
    ik->replayed = memory_arena_take(arena, nq, sizeof(double));
    ik->planes = memory_arena_take(arena, (size_t)ik->task_count, sizeof(ik_plane));
    ik->columns = memory_arena_take(arena, nq * KERNEL_CLOSED_BRANCHES, sizeof(double));
    ik->column_joints = memory_arena_take(arena, nq, sizeof(int));
    ik->lane_starts = memory_arena_take(arena, local * KERNEL_MAX_WIDTH, sizeof(double));
    for (int i = 0; i < IK_SEARCHES; i++)
        ik_search_lay_out(&ik->searches[i], arena, p, ik->model->tree.nq, ik_starts_rows(ik));
    const bool gains = ik->options.gains != NULL;
    ik_iteration_lay_out(&ik->iteration, arena, &ik->reduction.problem, gains,
                         !gains && ik->options.protocol == LB_PROTOCOL_NEAREST &&
                             ik->method->kernel);
    // single steps are made while the descents of a batch are running
    ik->scratch = memory_arena_take_line(arena, ik->ops->scratch(&ik->reduction.problem));
    ik->verifier_scratch =
        memory_arena_take_line(arena, ik->ops->verifier_scratch(&ik->verifier.kernel));
    ik->iteration.scratch =
        memory_arena_take_line(arena, kernel_choose(1)->scratch(&ik->reduction.problem));
}

/* the kernel measures a rotation by t as 2 sin(t / 2), which is at most 2 */
static double turn_measure(double angle)
{
    return angle < LB_PI ? 2 * lb_sin(0.5 * angle) : angle;
}

static kernel_control make_control(const lb_ik *ik)
{
    const lb_ik_options *o = &ik->options;
    double unit = ik->reduction.unit;
    return (kernel_control){
        // slightly inside, so that the verifier, which rounds differently, agrees
        .position_tolerance = o->position_tolerance * TOLERANCE_MARGIN / unit,
        .rotation_tolerance = turn_measure(o->rotation_tolerance) * TOLERANCE_MARGIN,
        .damping = o->damping > 0 ? o->damping / unit : ik->method->damping,
        .step_limit = o->step_limit,
        // a given lambda means Eq. 5.24 to the letter
        .accept_all = o->damping > 0,
    };
}

static void make_iteration(lb_ik *ik)
{
    ik_iteration *it = &ik->iteration;
    it->control = &ik->control;
    it->method = ik->method;
    it->options = &ik->options;
    it->targets = ik->searches[0].problem.targets;
    ik_iteration_start(it, &ik->reduction);
    // the caller's arrays cover the whole model; the solver keeps its part of them
    if (ik->options.gains) {
        if (ik->options.desired)
            lb_configuration_clamp(ik->model, ik->options.desired, ik->trial);
        else
            lb_configuration_neutral(ik->model, ik->trial);
        ik_gather(&ik->reduction, ik->trial, it->desired);
        for (int v = 0; v < ik->reduction.problem.tree.nv; v++)
            it->gains[v] = ik->options.gains[ik->reduction.model_v[v]];
    }
    ik->options.gains = ik->options.desired = NULL;
}

/* what no configuration reaches, from any configuration */
static void find_planes(lb_ik *ik)
{
    const lb_transform base = LB_TRANSFORM_IDENTITY;
    ik_iteration *it = &ik->iteration;
    int moved = 0;
    for (int i = 0; i < it->problem.variable_count; i++)
        moved += it->problem.variables[i].ball ? 4 : 1;
    ik->held = ik->bounded = moved < it->problem.tree.nq;
    ik_gather(&ik->reduction, ik->neutral, it->q);
    kernel_forward(&it->problem.tree, &base, it->q, it->frames);
    for (int i = 0; i < ik->task_count; i++) {
        ik->planes[i] = ik_plane_of(it, i);
        ik->bounded |= ik->planes[i].planar || ik->planes[i].rigid;
    }
}

/* the gains that make the sum of a control term the distance: where the nearest is not chosen from
   all, solutions are brought nearer to the start along what the tasks leave open */
static void make_metric(lb_ik *ik)
{
    ik_iteration *it = &ik->iteration;
    if (ik->exact || ik->complete || ik->arcs)
        it->metric = NULL;
    for (int i = 0; i < it->problem.variable_count && it->metric; i++) {
        const kernel_variable *x = &it->problem.variables[i];
        for (int k = 0; k < (x->ball ? 3 : 1); k++)
            it->metric[x->v + k] = 1 / (x->mobility * x->mobility);
    }
}

/* why a method refuses the problem, for any target */
static lb_status check_method(lb_ik *ik, lb_error *error)
{
    for (int i = 0; i < ik->task_count; i++)
        ik->searches[0].problem.targets[i] = LB_TRANSFORM_IDENTITY;
    const char *why = ik->method->check ? ik->method->check(&ik->iteration) : NULL;
    if (!why)
        return LB_OK;
    return REFUSE_UNSUPPORTED(error, "method '%s': %s", ik->method->name, why);
}

/* creates the parts of a solver in order; after a failure the caller releases them */
static lb_status make(lb_ik *ik, const lb_task *tasks, lb_error *error)
{
    size_t size = sizeof(lb_task) * (size_t)ik->task_count;
    ik->tasks = memory_take(&ik->allocator, size, 1);
    TRY(require_memory(error, ik->tasks));
    memcpy(ik->tasks, tasks, size);
    TRY(ik_reduce(ik->model, ik->tasks, ik->task_count, ik->options.length, &ik->allocator,
                  &ik->reduction, error));
    ik->options.length = ik->reduction.unit;
    ik->single = kernel_choose_single(ik->options.width, ik->reduction.problem.arm_joints > 0);
    TRY(require_memory(error, ik_verifier_create(&ik->verifier, ik->single, ik->model, ik->tasks,
                                                 ik->task_count, &ik->allocator) &&
                                  ik_starts_create(ik)));
    memory_arena arena = {0};
    lay_out(&arena, ik);
    ik->memory = memory_arena_block(&arena, &ik->allocator);
    TRY(require_memory(error, ik->memory));
    lay_out(&arena, ik);
    lb_configuration_neutral(ik->model, ik->neutral);
    ik_exact_create(ik);
    TRY(require_memory(error, ik_arcs_create(ik)));
    ik->control = make_control(ik);
    make_iteration(ik);
    find_planes(ik);
    make_metric(ik);
    return check_method(ik, error);
}

lb_status ik_tree_create(const lb_model *model, const lb_task *tasks, int n,
                         const lb_ik_options *options, const lb_allocator *allocator, lb_ik **ik,
                         lb_error *error)
{
    const lb_ik_options usual = lb_ik_options_default();
    if (!options)
        options = &usual;
    TRY(REQUIRE_TO_MAKE(ik, error, {model, "model"}, {tasks, "tasks"}));
    TRY(check_options(options, error));
    TRY(check_desired(model, options, error));
    TRY(ik_check_tasks(model, tasks, n, error));
    lb_allocator memory = memory_allocator(allocator);
    lb_ik *made = memory_take(&memory, 1, sizeof *made);
    TRY(require_memory(error, made));
    made->allocator = memory;
    made->model = model;
    made->task_count = n;
    made->options = *options;
    made->method = options->method ? options->method : lb_method_at(0);
    made->options.method = made->method;
    made->ops = kernel_choose(options->width);
    lb_status status = view_take(&made->options.joints, &made->options.joint_count, &memory,
                                 &made->model, &made->view, error);
    if (status == LB_OK)
        status = make(made, tasks, error);
    if (status == LB_OK)
        *ik = made;
    else
        ik_tree_release(made);
    return status;
}

void ik_tree_release(lb_ik *ik)
{
    if (!ik)
        return;
    lb_allocator memory = ik->allocator;
    memory_release(&memory, ik->tasks);
    memory_release(&memory, ik->reduction.memory);
    memory_release(&memory, ik->verifier.memory);
    memory_release(&memory, ik->seed_table.memory);
    memory_release(&memory, ik->memory);
    memory_release(&memory, ik->arcs);
    lb_model_release(ik->view);
    memory_release(&memory, ik);
}

void ik_posture_make_gradual(lb_ik *ik)
{
    ik->gradual_posture = true;
}

void ik_result_leave_reasons(lb_ik *ik)
{
    ik->no_reasons = true;
}

void ik_narrow(lb_ik *ik, const double *from, double rate)
{
    const ik_reduction *r = &ik->reduction;
    // the reduction's own memory, which is this solver's
    kernel_variable *variables = (kernel_variable *)(uintptr_t)r->problem.variables;
    for (int i = 0; i < r->problem.variable_count; i++) {
        kernel_variable *x = &variables[i];
        if (x->ball)
            continue;
        int q = r->model_q[x->q];
        const model_part *part = model_part_at(ik->model, q);
        double most = ik->model->joints[part->joint].velocity / rate;
        // a start on or beyond a limit may stay there
        double at = scalar_clamp(from[q], part->lower, part->upper);
        x->lower = scalar_max(part->lower, at - most);
        x->upper = scalar_min(part->upper, at + most);
    }
}
