/* create.c - making an lb_body: one block of memory, and a state of its own. */
#include "ik/body/solver.h"

#include "base/error.h"
#include "ik/reduce.h"
#include "model/range.h"
#include "model/view.h"

#include <string.h>

lb_body_options lb_body_options_default(void)
{
    return (lb_body_options){.position_tolerance = 1e-6,
                             .rotation_tolerance = 1e-6,
                             .iterations = 100,
                             .posture = 1e-9,
                             .restarts = 32};
}

/* ---- checking --------------------------------------------------------------- */

#define TEXT(number) #number
#define TEXT_OF(number) TEXT(number)

static lb_status check_options(const lb_body_options *o, lb_error *error)
{
    const char *wrong = NULL;
    if (!(o->position_tolerance > 0) || !isfinite(o->position_tolerance) ||
        !(o->rotation_tolerance > 0) || !isfinite(o->rotation_tolerance))
        wrong = "tolerances must be positive and finite";
    else if (o->iterations < 1 || o->iterations > LB_BODY_ITERATIONS_MAX)
        wrong = "iterations must be 1 to " TEXT_OF(LB_BODY_ITERATIONS_MAX);
    else if (!ik_is_length(o->length))
        wrong = "length must be 0, or from 1 / LB_LENGTH_MAX to LB_LENGTH_MAX";
    else if (!(o->posture >= 0) || !range_has(o->posture))
        wrong = "posture must be at least 0 and at most 1e15";
    else if (o->width != 0 && o->width != 1 && o->width != 2 && o->width != 4 && o->width != 8)
        wrong = "width must be 1, 2, 4 or 8, or 0";
    else if (o->restarts < 0 || o->restarts > LB_BODY_RESTARTS_MAX)
        wrong = "restarts must be 0 to " TEXT_OF(LB_BODY_RESTARTS_MAX);
    return wrong ? REFUSE_VALUE(error, "%s", wrong) : LB_OK;
}

static lb_status check(const lb_model *model, const lb_body_task *tasks, int n,
                       const lb_body_options *options, lb_error *error)
{
    if (n < 1)
        return REFUSE_ARGUMENT(error, "a body needs at least one task");
    lb_status status = check_options(options, error);
    for (int i = 0; status == LB_OK && i < n; i++)
        status = body_check_task(model, &tasks[i], i, error);
    return status;
}

/* ---- length ----------------------------------------------------------------- */

/* how far an element's frame can be from the root, links laid end to end */
static double path_length(const lb_model *model, int link)
{
    double length = 0;
    for (int e = link < 0 ? -1 : model->link_layouts[link].element; e >= 0;
         e = model->tree.joints[e].parent)
        length += lb_vec3_length(model->tree.joints[e].place.p);
    return length;
}

/* half of the distance to the farthest link of a task; a metre where all are at the root */
static double find_length(const lb_model *model, const lb_body_task *tasks, int n)
{
    double longest = 0;
    for (int i = 0; i < n; i++)
        if (body_has_link(tasks[i].kind))
            longest = fmax(longest, path_length(model, tasks[i].link));
    return longest > 0 ? 0.5 * longest : 1;
}

/* ---- memory ----------------------------------------------------------------- */

/* How much there is of everything. */
typedef struct body_sizes {
    size_t elements, nq, tasks, rows, columns;
} body_sizes;

/* what is solved: the tasks and the tree that they need */
static void lay_out_problem(memory_arena *arena, lb_body *b, const body_sizes *s)
{
    b->tasks = memory_arena_take(arena, s->tasks, sizeof *b->tasks);
    b->places = memory_arena_take(arena, s->elements, sizeof *b->places);
    b->joints = memory_arena_take(arena, s->elements, sizeof *b->joints);
    b->blocks = memory_arena_take(arena, kernel_block_count((int)s->elements), sizeof *b->blocks);
    b->columns = memory_arena_take(arena, s->columns, sizeof *b->columns);
    b->balls = memory_arena_take(arena, s->elements, sizeof *b->balls);
    b->masses = memory_arena_take(arena, s->elements, sizeof *b->masses);
    b->carriers = memory_arena_take(arena, s->elements, sizeof *b->carriers);
    b->owners = memory_arena_take(arena, s->nq, sizeof *b->owners);
    b->kernel_tasks = memory_arena_take(arena, s->tasks, sizeof *b->kernel_tasks);
    b->rows = memory_arena_take(arena, s->rows, sizeof *b->rows);
    b->stage_rows = memory_arena_take(arena, KERNEL_BODY_LEVELS * s->rows, sizeof *b->stage_rows);
    b->order = memory_arena_take(arena, s->columns, sizeof *b->order);
    b->depths = memory_arena_take(arena, s->columns, sizeof *b->depths);
    b->stiffness = memory_arena_take(arena, s->columns, sizeof *b->stiffness);
    b->targets = memory_arena_take(arena, s->tasks, sizeof *b->targets);
    b->lower = memory_arena_take(arena, s->nq, sizeof(double));
    b->upper = memory_arena_take(arena, s->nq, sizeof(double));
    b->speeds = memory_arena_take(arena, (size_t)b->model->part_count, sizeof *b->speeds);
    b->values = memory_arena_take(arena, s->nq, sizeof(double));
    b->posture = memory_arena_take(arena, s->nq, sizeof(double));
}

/* attempts, as many side by side as lanes, and what came of them */
static void lay_out_attempts(memory_arena *arena, lb_body *b, const body_sizes *s)
{
    for (int i = 0; i < KERNEL_MAX_WIDTH; i++) {
        b->starts[i] = memory_arena_take(arena, s->nq, sizeof(double));
        b->desired[i] = memory_arena_take(arena, s->nq, sizeof(double));
        b->found[i] = memory_arena_take(arena, s->nq, sizeof(double));
        b->roots[i] = memory_arena_take(arena, 2 * s->tasks, sizeof(lb_vec3));
        b->aims[i] = memory_arena_take(arena, s->tasks, sizeof(lb_transform));
    }
    b->low = memory_arena_take(arena, s->nq, sizeof(double));
    b->high = memory_arena_take(arena, s->nq, sizeof(double));
    b->reach = memory_arena_take(arena, s->elements, sizeof(double));
    b->reach_left = memory_arena_take(arena, s->elements, sizeof(double));
    b->held = memory_arena_take(arena, s->columns, 1);
    b->own = memory_arena_take(arena, KERNEL_BODY_LEVELS * s->columns, 1);
    b->passing = memory_arena_take(arena, KERNEL_BODY_LEVELS * s->columns, sizeof *b->passing);
    b->weights = memory_arena_take(arena, s->tasks, sizeof(double));
    b->part_joints = memory_arena_take(arena, s->nq, sizeof(int));
    b->link_columns = memory_arena_take(arena, (size_t)b->model->link_count, sizeof(int));
    b->nearest = memory_arena_take(arena, s->tasks, sizeof *b->nearest);
    b->outcomes = memory_arena_take(arena, s->tasks, sizeof *b->outcomes);
}

/* arms that are brought to their tasks by themselves, and steps of the caller's */
static void lay_out_parts(memory_arena *arena, lb_body *b, const body_sizes *s)
{
    b->parts = memory_arena_take(arena, s->elements, sizeof *b->parts);
    b->part_tasks = memory_arena_take(arena, s->tasks, sizeof *b->part_tasks);
    b->anchors = memory_arena_take(arena, s->elements, sizeof *b->anchors);
    b->part_of = memory_arena_take(arena, s->elements, sizeof *b->part_of);
    b->part_goals = memory_arena_take(arena, s->tasks, sizeof *b->part_goals);
    b->part_targets = memory_arena_take(arena, s->tasks, sizeof *b->part_targets);
    b->part_q = memory_arena_take(arena, s->nq, sizeof(double));
    b->own_start = memory_arena_take(arena, s->nq, sizeof(double));
    b->step = memory_arena_take(arena, (size_t)b->model->tree.nv, sizeof(double));
    b->best = memory_arena_take(arena, s->nq, sizeof(double));
}

static void lay_out(memory_arena *arena, lb_body *b, size_t rows)
{
    size_t elements = (size_t)b->model->tree.count;
    // a velocity each, a ball three, and a slack for each row
    const body_sizes sizes = {.elements = elements,
                              .nq = (size_t)b->model->tree.nq,
                              .tasks = (size_t)b->task_count,
                              .rows = rows,
                              .columns = 3 * elements + rows};
    lay_out_problem(arena, b, &sizes);
    lay_out_attempts(arena, b, &sizes);
    lay_out_parts(arena, b, &sizes);
}

/* a block for all arrays, and the body's head at its beginning */
static lb_body *allocate(const lb_body *head)
{
    // a row for each of a task's, of a support its edges, and one for each joint that follows
    size_t rows = LB_BODY_VERTICES * (size_t)head->task_count + (size_t)head->model->tree.count;
    lb_body measure = *head;
    memory_arena arena = {0};
    memory_arena_take(&arena, 1, sizeof measure);
    lay_out(&arena, &measure, rows);
    void *block = memory_arena_block(&arena, &head->allocator);
    if (!block)
        return NULL;
    lb_body *body = memory_arena_take(&arena, 1, sizeof *body);
    *body = *head;
    lay_out(&arena, body, rows);
    return body;
}

/* ---- settings at first -------------------------------------------------------- */

static void set_speeds(lb_body *body)
{
    const lb_model *model = body->model;
    for (int i = 0; i < model->part_count; i++)
        body->speeds[i] = (body_speed){model->joints[model->parts[i].joint].velocity, INFINITY};
}

static void set_defaults(lb_body *body)
{
    const lb_model *model = body->model;
    size_t numbers = sizeof(double) * (size_t)model->tree.nq;
    memcpy(body->lower, model->range.lower, numbers);
    memcpy(body->upper, model->range.upper, numbers);
    set_speeds(body);
    for (int i = 0; i < model->part_count; i++)
        body->part_joints[model->parts[i].q] = model->parts[i].joint;
    lb_configuration_neutral(model, body->values);
    body->outcome = LB_INVALID;
    for (int t = 0; t < body->task_count; t++) {
        body->targets[t] = LB_TRANSFORM_IDENTITY;
        body->nearest[t].distance = NAN;
    }
    lb_state_update(body->state, body->values);
    for (int t = 0; t < body->given_count; t++)
        body->targets[t] = body_tool(body, t);
    body_aim_loops(body, body->targets);
}

static lb_status fill(lb_body *body, lb_error *error)
{
    const lb_model *model = body->model;
    int *work = memory_take(&body->allocator, subtree_work(model), sizeof *work);
    TRY(require_memory(error, work));
    subtree needed = body_needed(body, work);
    body_add_pairs(body, &needed);
    body_build_tree(body, &needed);
    body_find_link_columns(body);
    memory_release(&body->allocator, work);
    body_make_tasks(body);
    TRY(body_check_moving(body, error));
    body->alone = kernel_choose_body_single(body->options.width);
    body->side_by_side = kernel_choose_body(body->options.width);
    size_t scratch = body->alone->scratch(&body->kernel);
    size_t wide = body->side_by_side->scratch(&body->kernel);
    body->scratch = memory_take(&body->allocator, (wide > scratch ? wide : scratch) + 64, 1);
    if (!body->scratch || lb_state_create(model, &body->allocator, &body->state) != LB_OK)
        return error_out_of_memory(error);
    set_defaults(body);
    return body_make_parts(body, error);
}

lb_status lb_body_create(const lb_model *model, const lb_body_task *tasks, int n,
                         const lb_body_options *options, const lb_allocator *allocator,
                         lb_body **body, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(body, error, {model, "model"}, {tasks, "tasks"}));
    lb_body head = {.allocator = memory_allocator(allocator),
                    .model = model,
                    .options = options ? *options : lb_body_options_default(),
                    .given_count = n};
    TRY(check(model, tasks, n, &head.options, error));
    TRY(view_take(&head.options.joints, &head.options.joint_count, &head.allocator, &head.model,
                  &head.view, error));
    head.task_count = n + body_count_loops(model);
    head.length = head.options.length > 0 ? head.options.length : find_length(model, tasks, n);
    lb_body *made = allocate(&head);
    if (!made) {
        lb_model_release(head.view);
        return error_out_of_memory(error);
    }
    memcpy(made->tasks, tasks, sizeof *tasks * (size_t)n);
    lb_configuration_neutral(model, made->values);
    body_add_loops(made);
    for (int i = 0; i < n; i++)
        made->kernel.center = made->kernel.center || body_is_center(tasks[i].kind);
    lb_status status = fill(made, error);
    if (status != LB_OK) {
        lb_body_release(made);
        return status;
    }
    *body = made;
    return LB_OK;
}

void lb_body_release(lb_body *body)
{
    if (!body)
        return;
    lb_allocator memory = body->allocator;
    body_release_parts(body);
    lb_state_release(body->state);
    lb_model_release(body->view);
    memory_release(&memory, body->scratch);
    memory_release(&memory, body);
}
