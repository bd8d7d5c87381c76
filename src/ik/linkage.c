/*
 * linkage.c - inverse kinematics of linkages that close, and the solver that every model gets.
 *
 * Every lb_ik solves a tree. That of a model with loops has a body beside it (ik/body), whose
 * descents keep the loops; the tree then proves what it can: what is out of its reach is out of the
 * linkage's, which has less freedom.
 */
#include "base/error.h"
#include "base/text.h"
#include "ik/body/solver.h"
#include "ik/solver.h"
#include "model/range.h"

#include <string.h>

/* Iterations of a descent and of a restart, and how many restarts, unless options say otherwise;
   of what is proved out of reach one in so many, for what is nearest to it. */
enum { DESCENT = 100, RESTART = 16, RESTARTS = 32, NEAREST = 4 };

/* How a target of a body's task follows from one of the solver's: T_base_target * turn. */
typedef struct ik_aim {
    int task;
    lb_transform turn;
} ik_aim;

struct ik_linkage {
    lb_body *body;
    int count; /* tasks of the body, one or two for each of the solver's */
    ik_aim *aims;
    lb_body_task *tasks;
    double *proof; /* nq: what the tree comes to */
    double *begun; /* nq: where a solve began */
    lb_ik_result tree;
};

/* ---- tasks ------------------------------------------------------------------ */

/* axes whose z is one of the target's, 0 to 2 */
static lb_transform turn_axis(int axis)
{
    const lb_vec3 units[5] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    lb_transform turn = LB_TRANSFORM_IDENTITY;
    turn.z = units[axis];
    turn.x = units[axis + 1];
    turn.y = units[axis + 2];
    return axis == 2 ? LB_TRANSFORM_IDENTITY : turn;
}

static lb_body_task *add_task(struct ik_linkage *l, const lb_task *from, int index,
                              lb_body_kind kind, lb_transform turn)
{
    lb_body_task *task = &l->tasks[l->count];
    *task = lb_body_task_make(kind, from->tip);
    task->base = from->base;
    task->tool = from->tool;
    task->weight = from->weight;
    l->aims[l->count++] = (ik_aim){index, turn};
    return task;
}

static void add_position(struct ik_linkage *l, const lb_task *from, int index)
{
    static const struct {
        lb_body_kind kind;
        int axis;
    } forms[7] = {{LB_BODY_POSITION, 2}, {LB_BODY_ON_LINE, 0}, {LB_BODY_ON_LINE, 1},
                  {LB_BODY_ON_PLANE, 2}, {LB_BODY_ON_LINE, 2}, {LB_BODY_ON_PLANE, 1},
                  {LB_BODY_ON_PLANE, 0}};
    add_task(l, from, index, forms[from->free_position].kind,
             turn_axis(forms[from->free_position].axis));
}

static void add_rotation(struct ik_linkage *l, const lb_task *from, int index)
{
    lb_vec3 axis = lb_vec3_normalize(from->free_axis, lb_vec3_make(0, 0, 0));
    lb_transform turn = LB_TRANSFORM_IDENTITY;
    if (lb_vec3_length(axis) == 0) {
        add_task(l, from, index, LB_BODY_ORIENTATION, turn);
        return;
    }
    turn.z = axis;
    turn.x = lb_vec3_perpendicular(axis);
    turn.y = lb_vec3_cross(turn.z, turn.x);
    add_task(l, from, index, LB_BODY_DIRECTION, turn)->axis = axis;
}

static void aim(lb_ik *ik, const lb_transform *targets)
{
    lb_body *body = ik->linkage->body;
    for (int i = 0; i < ik->linkage->count; i++) {
        const ik_aim *a = &ik->linkage->aims[i];
        body->targets[i] = lb_transform_multiply(&targets[a->task], &a->turn);
    }
}

/* ---- creating --------------------------------------------------------------- */

/* what a linkage does not take */
static lb_status refuse_options(const lb_ik_options *given, const lb_ik *ik, lb_error *error)
{
    if (ik->method != lb_method_at(0))
        return REFUSE_UNSUPPORTED(error, "method '%s': it keeps no loop closed, '%s' does",
                                  ik->method->name, lb_method_name(lb_method_at(0)));
    if (given && given->gains)
        return REFUSE_UNSUPPORTED(
            error, "option 'gains': the model has loops, which the control term would "
                   "open; lb_body has postures");
    return LB_OK;
}

static lb_body_options choose_options(const lb_ik *ik, const lb_ik_options *given)
{
    lb_body_options o = lb_body_options_default();
    int most = ik->options.iterations;
    o.position_tolerance = ik->options.position_tolerance;
    o.rotation_tolerance = ik->options.rotation_tolerance;
    o.width = ik->options.width;
    o.iterations = most > 0 && most < 2 * DESCENT ? most : DESCENT;
    o.restarts = RESTARTS;
    // a pull to the start would keep results off the ends of their ways, which are double roots
    o.posture = 0;
    // the first and the last descent are whole ones
    if (most > 0)
        o.restarts = most < 2 * DESCENT ? 0 : (most - 2 * DESCENT) / RESTART;
    if (ik->options.protocol == LB_PROTOCOL_GIVEN)
        o.restarts = 0;
    o.length = given ? given->length : 0;
    o.joints = given ? given->joints : NULL;
    o.joint_count = given ? given->joint_count : 0;
    return o;
}

static void lay_out(memory_arena *arena, struct ik_linkage *l, const lb_ik *ik)
{
    l->aims = memory_arena_take(arena, 2 * (size_t)ik->task_count, sizeof *l->aims);
    l->tasks = memory_arena_take(arena, 2 * (size_t)ik->task_count, sizeof *l->tasks);
    l->proof = memory_arena_take(arena, (size_t)ik->model->tree.nq, sizeof(double));
    l->begun = memory_arena_take(arena, (size_t)ik->model->tree.nq, sizeof(double));
}

static lb_status make_linkage(lb_ik *ik, const lb_model *model, const lb_ik_options *given,
                              lb_error *error)
{
    struct ik_linkage measure;
    memory_arena arena = {0};
    memory_arena_take(&arena, 1, sizeof measure);
    lay_out(&arena, &measure, ik);
    TRY(require_memory(error, memory_arena_block(&arena, &ik->allocator)));
    struct ik_linkage *l = ik->linkage = memory_arena_take(&arena, 1, sizeof *l);
    lay_out(&arena, l, ik);
    for (int i = 0; i < ik->task_count; i++) {
        if (ik->tasks[i].kind != LB_TASK_ROTATION)
            add_position(l, &ik->tasks[i], i);
        if (ik->tasks[i].kind != LB_TASK_POSITION)
            add_rotation(l, &ik->tasks[i], i);
    }
    lb_body_options options = choose_options(ik, given);
    return lb_body_create(model, l->tasks, l->count, &options, &ik->allocator, &l->body, error);
}

lb_status lb_ik_create(const lb_model *model, const lb_task *tasks, int n,
                       const lb_ik_options *options, const lb_allocator *allocator, lb_ik **ik,
                       lb_error *error)
{
    lb_status status = ik_tree_create(model, tasks, n, options, allocator, ik, error);
    if (status != LB_OK || model->loop_count == 0)
        return status;
    status = refuse_options(options, *ik, error);
    if (status == LB_OK)
        status = make_linkage(*ik, model, options, error);
    if (status != LB_OK) {
        lb_ik_release(*ik);
        *ik = NULL;
    }
    return status;
}

void lb_ik_release(lb_ik *ik)
{
    if (!ik)
        return;
    if (ik->linkage) {
        lb_body_release(ik->linkage->body);
        memory_release(&ik->allocator, ik->linkage);
    }
    ik_tree_release(ik);
}

/* ---- solving ---------------------------------------------------------------- */

static bool all_valid(const lb_ik *ik, const lb_transform *targets)
{
    for (int i = 0; i < ik->task_count; i++)
        if (!range_has_frame(&targets[i]))
            return false;
    return true;
}

/* what holds the first task back that is not reached */
static lb_reason reason_of_body(lb_ik *ik, lb_outcome outcome)
{
    lb_body *body = ik->linkage->body;
    for (int t = 0; t < ik->linkage->count; t++) {
        if (body->outcomes[t].reached)
            continue;
        lb_body_reason reason = body_find_reason(body, t);
        return reason == LB_BODY_REASON_LIMITS   ? LB_REASON_LIMITS
               : reason != LB_BODY_REASON_BUDGET ? LB_REASON_MINIMUM
               : outcome == LB_EXHAUSTED         ? LB_REASON_BUDGET
                                                 : LB_REASON_STEPS;
    }
    // the loops themselves
    return LB_REASON_MINIMUM;
}

/* whether the tree proves that no configuration reaches the targets */
static bool is_proved(lb_ik *ik, const lb_transform *targets, const double *q)
{
    struct ik_linkage *l = ik->linkage;
    return ik_tree_solve(ik, targets, q, l->proof, &l->tree) == LB_UNREACHABLE;
}

/* the result of the body's last solve; a proof was looked for if it failed */
static lb_outcome conclude(lb_ik *ik, const lb_transform *targets, const lb_body_result *solved,
                           lb_ik_result *result)
{
    *result = (lb_ik_result){
        .outcome = solved->outcome, .iterations = solved->iterations, .tries = solved->tries};
    for (int i = 0; i < ik->task_count && solved->outcome != LB_INVALID; i++) {
        double position, rotation;
        lb_task_error(ik->linkage->body->state, &ik->tasks[i], &targets[i], &position, &rotation);
        result->position_error = fmax(result->position_error, position);
        result->rotation_error = fmax(result->rotation_error, rotation);
    }
    if (solved->outcome == LB_REACHED || solved->outcome == LB_INVALID)
        return result->outcome;
    const lb_ik_result *tree = &ik->linkage->tree;
    if (tree->outcome == LB_UNREACHABLE) {
        result->outcome = LB_UNREACHABLE;
        result->reason = tree->reason;
        result->beyond_reach = tree->beyond_reach;
        return result->outcome;
    }
    result->reason = ik->no_reasons ? LB_REASON_NONE : reason_of_body(ik, solved->outcome);
    result->outcome = result->reason == LB_REASON_BUDGET ? LB_EXHAUSTED : LB_STALLED;
    return result->outcome;
}

static lb_outcome solve_linkage(lb_ik *ik, const lb_transform *targets, const double *start,
                                double *q, lb_ik_result *result)
{
    lb_body_result solved = {.outcome = LB_INVALID};
    struct ik_linkage *l = ik->linkage;
    const int restarts = l->body->options.restarts;
    memcpy(l->begun, start, sizeof *q * (size_t)ik->model->tree.nq);
    memcpy(q, l->begun, sizeof *q * (size_t)ik->model->tree.nq);
    if (all_valid(ik, targets)) {
        aim(ik, targets);
        l->body->options.restarts = 0;
        lb_body_solve(l->body, l->begun, q, &solved);
        l->body->options.restarts = restarts;
    }
    bool failed = solved.outcome != LB_REACHED && solved.outcome != LB_INVALID;
    // what cannot be is not searched for, only what is nearest to it
    if (failed && is_proved(ik, targets, q))
        l->body->options.restarts = restarts / NEAREST;
    if (failed && l->body->options.restarts > 0)
        lb_body_solve(l->body, l->begun, q, &solved);
    l->body->options.restarts = restarts;
    return conclude(ik, targets, &solved, result);
}

lb_outcome lb_ik_solve(lb_ik *ik, const lb_transform *targets, const double *start, double *q,
                       lb_ik_result *result)
{
    lb_ik_result unwanted;
    if (!ik->linkage)
        return ik_tree_solve(ik, targets, start, q, result);
    return solve_linkage(ik, targets, start, q, result ? result : &unwanted);
}

size_t lb_batch_solve(lb_ik *ik, const lb_batch *b, size_t begin, size_t end)
{
    if (!ik->linkage)
        return ik_tree_batch_solve(ik, b, begin, end);
    size_t nq = (size_t)ik->model->tree.nq, tasks = (size_t)ik->task_count, reached = 0;
    for (size_t i = begin; i < end; i++) {
        lb_ik_result unwanted;
        const double *start = ik->neutral;
        if (b->starts)
            start = b->starts + i * (b->start_stride > 0 ? b->start_stride : nq);
        reached +=
            solve_linkage(ik, b->targets + i * (b->target_stride > 0 ? b->target_stride : tasks),
                          start, b->q + i * (b->q_stride > 0 ? b->q_stride : nq),
                          b->results ? &b->results[i] : &unwanted) == LB_REACHED;
    }
    return reached;
}

lb_progress lb_ik_step(lb_ik *ik, const lb_transform *targets, double *q, lb_ik_result *result)
{
    if (!ik->linkage)
        return ik_tree_step(ik, targets, q, result);
    lb_ik_result made;
    lb_body *body = ik->linkage->body;
    const lb_body_options options = body->options;
    size_t nq = (size_t)ik->model->tree.nq;
    bool valid = all_valid(ik, targets), moved = false;
    lb_body_result solved = {.outcome = LB_INVALID};
    memcpy(ik->linkage->proof, q, sizeof *q * nq);
    if (valid)
        aim(ik, targets);
    body->options.restarts = 0;
    // a descent may refuse its first steps
    for (int most = 1; valid && !moved && most <= DESCENT; most *= 2) {
        body->options.iterations = most;
        lb_body_solve(body, ik->linkage->proof, q, &solved);
        moved = solved.outcome == LB_REACHED || solved.outcome == LB_INVALID ||
                memcmp(ik->linkage->proof, q, sizeof *q * nq) != 0;
    }
    moved = moved && memcmp(ik->linkage->proof, q, sizeof *q * nq) != 0;
    body->options = options;
    if (valid && solved.outcome != LB_REACHED && solved.outcome != LB_INVALID)
        is_proved(ik, targets, q);
    conclude(ik, targets, &solved, &made);
    if (result)
        *result = made;
    return made.outcome == LB_REACHED            ? LB_SUCCESS
           : made.outcome != LB_INVALID && moved ? LB_PROCESSING
                                                 : LB_FAILURE;
}

/* ---- words ------------------------------------------------------------------ */

/* what is open of the loops at a result, and else why its tasks are not reached */
static void explain_result(lb_ik *ik, const lb_transform *targets, const double *q,
                           const lb_ik_result *result, text_writer *w)
{
    lb_body *body = ik->linkage->body;
    lb_body_result here;
    aim(ik, targets);
    if (!body_revisit(body, q, result->outcome, &here))
        return;
    bool open = !(here.loop_error <= BODY_CLOSED);
    if (open)
        text_write(w, " The loops are open by %.3g of their size.", here.loop_error);
    for (int t = 0; t < ik->linkage->count && result->outcome != LB_UNREACHABLE; t++) {
        char text[512];
        if (body->outcomes[t].reached)
            continue;
        lb_body_explain(body, t, text, sizeof text);
        text_write(w, open ? " The %s." : " With its loops closed, the %s.", text);
    }
}

size_t lb_ik_explain(lb_ik *ik, const lb_transform *targets, const double *q,
                     const lb_ik_result *result, char *text, size_t size)
{
    text_writer w = {text, size, 0};
    if (size > 0)
        text[0] = '\0';
    bool failed = result->outcome == LB_STALLED || result->outcome == LB_EXHAUSTED;
    if (!ik->linkage || !failed)
        w.length = ik_tree_explain(ik, targets, q, result, text, size);
    else
        text_write(&w, "Not reached after %d iterations in %d %s.", result->iterations,
                   result->tries, result->tries == 1 ? "try" : "tries");
    if (ik->linkage && all_valid(ik, targets))
        explain_result(ik, targets, q, result, &w);
    return w.length;
}
