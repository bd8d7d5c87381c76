/*
 * iteration.c - drives a method's steps: the scalar counterpart of the kernel's engine.
 */
#include "ik/iteration.h"
#include "math/scalar.h"

#include <string.h>

/* a step that moves no tool by this share of its tolerance gets nowhere */
#define TRIVIAL_SHARE 0.1

/* ---- creating ------------------------------------------------------------- */

void ik_iteration_lay_out(ik_iteration *it, memory_arena *arena, const kernel_problem *problem,
                          bool wishes)
{
    size_t nq = (size_t)problem->tree.nq, nv = (size_t)problem->tree.nv;
    size_t rows = (size_t)problem->rows, joints = (size_t)problem->tree.count;
    size_t tasks = (size_t)problem->task_count, variables = (size_t)problem->variable_count;
    it->joints = memory_arena_take(arena, joints, sizeof(kernel_joint));
    it->first_child = memory_arena_take(arena, joints, sizeof(int));
    it->next_sibling = memory_arena_take(arena, joints, sizeof(int));
    it->variable_of = memory_arena_take(arena, joints, sizeof(int));
    it->joint_of = memory_arena_take(arena, variables, sizeof(int));
    it->carries = memory_arena_take(arena, joints * tasks, sizeof(bool));
    it->gains = wishes ? memory_arena_take(arena, nv, sizeof(double)) : NULL;
    it->desired = wishes ? memory_arena_take(arena, nq, sizeof(double)) : NULL;
    it->q = memory_arena_take(arena, nq, sizeof(double));
    it->next = memory_arena_take(arena, nq, sizeof(double));
    it->best = memory_arena_take(arena, nq, sizeof(double));
    it->other = memory_arena_take(arena, nq, sizeof(double));
    it->step = memory_arena_take(arena, nv, sizeof(double));
    it->error = memory_arena_take(arena, rows, sizeof(double));
    it->jacobian = memory_arena_take(arena, rows * nv, sizeof(double));
    it->frames = memory_arena_take(arena, joints, sizeof(lb_transform));
    it->tools = memory_arena_take(arena, tasks, sizeof(lb_transform));
    it->wanted = memory_arena_take(arena, joints, sizeof(lb_transform));
    it->ticks = memory_arena_take(arena, 1 + variables, sizeof(int));
    ik_linear_lay_out(&it->linear, arena, problem);
}

static void map_children(ik_iteration *it)
{
    int count = it->problem.tree.count;
    for (int i = 0; i < count; i++)
        it->first_child[i] = -1;
    for (int i = count - 1; i >= 0; i--) {
        int parent = it->joints[i].parent;
        it->next_sibling[i] = parent < 0 ? -1 : it->first_child[parent];
        if (parent >= 0)
            it->first_child[parent] = i;
    }
}

/* the variable of velocity v; they stand in its order */
static int find_variable(const kernel_problem *problem, int v)
{
    int low = 0, high = problem->variable_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (problem->variables[middle].v <= v)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* which variable moves a joint, and which one joint a variable */
static void map_variables(ik_iteration *it)
{
    const kernel_problem *p = &it->problem;
    for (int x = 0; x < p->variable_count; x++)
        it->joint_of[x] = p->variables[x].joint;
    for (int i = 0; i < p->tree.count; i++) {
        int v = p->tree.joints[i].v, x = v < 0 ? -1 : find_variable(p, v);
        it->variable_of[i] = x;
        if (x >= 0 && p->variables[x].joint != i)
            it->joint_of[x] = -1;
    }
}

void ik_iteration_start(ik_iteration *it, const ik_reduction *reduction)
{
    const kernel_problem *p = &reduction->problem;
    it->problem = *p;
    it->ways = reduction->ways;
    it->unit = reduction->unit;
    memcpy(it->joints, p->tree.joints, sizeof(kernel_joint) * (size_t)p->tree.count);
    for (int i = 0; i < p->tree.count; i++)
        it->joints[i].axis_only = false;
    it->problem.tree.joints = it->joints;
    map_children(it);
    map_variables(it);
    const lb_ik_options *o = it->options;
    double own = it->method->step_limit > 0 ? it->method->step_limit : INFINITY;
    it->turn_limit = o->step_limit > 0 ? o->step_limit : own;
    it->length_limit = o->step_limit > 0 ? o->step_limit : own * reduction->unit;
    it->pole = lb_transform_direction(&reduction->base, o->pole);
    for (int t = 0; t < p->task_count; t++)
        for (int i = 0; i < p->tasks[t].path_count; i++)
            it->carries[p->tasks[t].path[i] * p->task_count + t] = true;
}

/* ---- steps ---------------------------------------------------------------- */

bool ik_iteration_measure(ik_iteration *it)
{
    const lb_transform base = LB_TRANSFORM_IDENTITY;
    kernel_forward(&it->problem.tree, &base, it->q, it->frames);
    bool reached = kernel_measure(&it->problem, it->control, it->frames, it->targets, it->error);
    it->error2 = 0;
    for (int r = 0; r < it->problem.rows; r++)
        it->error2 += it->error[r] * it->error[r];
    return reached;
}

bool ik_iteration_evaluate(ik_iteration *it)
{
    bool reached = ik_iteration_measure(it);
    kernel_linearize(&it->problem, it->frames, it->targets, false, it->jacobian);
    return reached;
}

bool ik_iteration_prepare(ik_iteration *it)
{
    bool by_steps = !ik_iteration_by_kernel(it);
    return by_steps && it->method->jacobian ? ik_iteration_evaluate(it) : ik_iteration_measure(it);
}

void ik_place_tools(ik_iteration *it)
{
    for (int t = 0; t < it->problem.task_count; t++) {
        const kernel_task *task = &it->problem.tasks[t];
        it->tools[t] = it->frames[task->frame];
        it->tools[t].p = lb_transform_point(&it->tools[t], task->tool);
    }
}

/* twice the sine of half the angle between two unit quaternions; the angle when it is small */
static double ball_displacement(const double *a, const double *b)
{
    double x = a[0] * b[1] - a[1] * b[0] + a[3] * b[2] - a[2] * b[3];
    double y = a[0] * b[2] - a[2] * b[0] + a[1] * b[3] - a[3] * b[1];
    double z = a[0] * b[3] - a[3] * b[0] + a[2] * b[1] - a[1] * b[2];
    return 2 * sqrt(x * x + y * y + z * z);
}

/* whether a joint that goes `way` moves a task's tool by more than a trivial way */
static bool moves_tool(const ik_iteration *it, int joint, int task, double way)
{
    const kernel_joint *j = &it->joints[joint];
    const kernel_task *t = &it->problem.tasks[task];
    const lb_transform *frame = &it->frames[joint];
    double position = TRIVIAL_SHARE * it->control->position_tolerance;
    double rotation = TRIVIAL_SHARE * it->control->rotation_tolerance;
    if (j->kind == KERNEL_PRISMATIC)
        return t->goal.position && way > position;
    // an arc about the joint
    lb_vec3 arm = lb_vec3_sub(it->tools[task].p, frame->p);
    if (j->kind == KERNEL_REVOLUTE)
        arm = lb_vec3_cross(frame->z, arm);
    return (t->goal.position && way * lb_vec3_length(arm) > position) ||
           (t->goal.rotation && way > rotation);
}

/* whether some joint has moved some tool on the way from q to next */
static bool has_moved(ik_iteration *it)
{
    int tasks = it->problem.task_count;
    ik_place_tools(it);
    for (int i = 0; i < it->problem.tree.count; i++) {
        if (it->variable_of[i] < 0)
            continue;
        const kernel_variable *x = &it->problem.variables[it->variable_of[i]];
        double way = x->ball ? ball_displacement(it->q + x->q, it->next + x->q)
                             : fabs(it->q[x->q] - it->next[x->q]);
        for (int t = 0; t < tasks && way > 0; t++)
            if (it->carries[i * tasks + t] && moves_tool(it, i, t, way * fabs(it->joints[i].scale)))
                return true;
    }
    return false;
}

bool ik_iteration_by_kernel(const ik_iteration *it)
{
    return it->method->kernel && !it->gains && !it->options->adaptive;
}

bool ik_iteration_step(ik_iteration *it, lb_reason *reason)
{
    *reason = LB_REASON_NONE;
    if (ik_iteration_by_kernel(it)) {
        memcpy(it->next, it->q, sizeof(double) * (size_t)it->problem.tree.nq);
        kernel_iterate(&it->problem, it->control, it->targets, it->next, NULL, it->scratch);
    } else {
        *reason = it->method->step(it);
    }
    it->count++;
    if (*reason == LB_REASON_NONE && has_moved(it))
        return true;
    return !it->options->no_nudge && !it->proved_unreachable && ik_stuck_free(it);
}

/* ---- descents ------------------------------------------------------------- */

/* how a descent wins: its best so far, and what it was some iterations ago */
typedef struct progress {
    double best, mark; /* squared errors */
    int since;         /* iterations since the mark was set */
} progress;

/* notes the error at it->q; false when `patience` iterations have won too little */
static bool is_decreasing(ik_iteration *it, progress *p, double win)
{
    if (it->error2 < p->best) {
        p->best = it->error2;
        memcpy(it->best, it->q, sizeof(double) * (size_t)it->problem.tree.nq);
    }
    if (p->since++ < it->method->patience)
        return true;
    // errors are squared; not (a >= b), so that what is not a number has stalled
    bool winning = win <= 0 || p->best < p->mark * (1 - win) * (1 - win);
    p->mark = p->best;
    p->since = 1;
    return winning;
}

/* steps from it->q until there is a reason to end */
static kernel_end run(ik_iteration *it, const kernel_job *job, progress *p)
{
    lb_reason reason;
    for (;;) {
        bool reached = ik_iteration_prepare(it), winning = is_decreasing(it, p, job->min_decrease);
        if (reached)
            return KERNEL_CONVERGED;
        if (!winning)
            return KERNEL_STALLED;
        if (it->count >= job->iterations)
            return KERNEL_SPENT;
        if (!ik_iteration_step(it, &reason))
            return KERNEL_STALLED;
        double *from = it->q;
        it->q = it->next;
        it->next = from;
    }
}

/* one job from its start; the answer is where it arrived, or the best on its way */
static kernel_result descend(ik_iteration *it, const kernel_job *job)
{
    size_t size = sizeof(double) * (size_t)it->problem.tree.nq;
    progress p = {INFINITY, INFINITY, 0};
    it->targets = job->targets;
    it->count = 0;
    memcpy(it->q, job->start, size);
    memcpy(it->best, job->start, size);
    kernel_end end = run(it, job, &p);
    bool arrived = end == KERNEL_CONVERGED;
    return (kernel_result){.q = arrived ? it->q : it->best,
                           .end = end,
                           .iterations = it->count,
                           .error = sqrt(arrived ? it->error2 : p.best)};
}

void ik_iteration_descend(ik_iteration *it, const kernel_feed *feed)
{
    kernel_job job;
    while (feed->next(feed->user, 0, &job)) {
        kernel_result answer = descend(it, &job);
        feed->finish(feed->user, 0, &answer);
    }
}
