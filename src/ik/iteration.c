/* iteration.c - the memory of an iteration, and its errors and Jacobian. */
#include "ik/iteration.h"

#include <string.h>

/* ---- creating ------------------------------------------------------------- */

void ik_iteration_lay_out(ik_iteration *it, memory_arena *arena, const kernel_problem *problem,
                          bool gains, bool nearest)
{
    const bool posture = gains || nearest;
    size_t nq = (size_t)problem->tree.nq, nv = (size_t)problem->tree.nv;
    size_t rows = (size_t)problem->rows, joints = (size_t)problem->tree.count;
    size_t tasks = (size_t)problem->task_count, variables = (size_t)problem->variable_count;
    it->joints = memory_arena_take(arena, joints, sizeof(kernel_joint));
    it->first_child = memory_arena_take(arena, joints, sizeof(int));
    it->next_sibling = memory_arena_take(arena, joints, sizeof(int));
    it->variable_of = memory_arena_take(arena, joints, sizeof(int));
    it->joint_of = memory_arena_take(arena, variables, sizeof(int));
    it->carries = memory_arena_take(arena, joints * tasks, sizeof(bool));
    it->gains = gains ? memory_arena_take(arena, nv, sizeof(double)) : NULL;
    it->metric = nearest ? memory_arena_take(arena, nv, sizeof(double)) : NULL;
    it->desired = posture ? memory_arena_take(arena, nq, sizeof(double)) : NULL;
    it->near = posture ? memory_arena_take(arena, variables, sizeof *it->near) : NULL;
    it->posture =
        posture ? memory_arena_take(arena, nv * (gains ? nv + 1 : 1), sizeof(double)) : NULL;
    it->q = memory_arena_take(arena, nq, sizeof(double));
    it->next = memory_arena_take(arena, nq, sizeof(double));
    it->best = memory_arena_take(arena, nq, sizeof(double));
    it->other = memory_arena_take(arena, nq, sizeof(double));
    it->step = memory_arena_take(arena, nv, sizeof(double));
    it->error = memory_arena_take(arena, rows, sizeof(double));
    it->jacobian = memory_arena_take(arena, rows * nv, sizeof(double));
    it->frames = memory_arena_take(arena, joints, sizeof(lb_transform));
    it->tools = memory_arena_take(arena, tasks, sizeof(lb_transform));
    it->desired_poses = memory_arena_take(arena, joints, sizeof(lb_transform));
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

/* the variable of velocity v; variables are in the order of their velocities */
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

/* which variable moves a joint, and which single joint a variable moves */
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
    it->is_length = reduction->is_length;
    it->unit = reduction->unit;
    memcpy(it->joints, p->tree.joints, sizeof(kernel_joint) * (size_t)p->tree.count);
    for (int i = 0; i < p->tree.count; i++)
        it->joints[i].axis_only = false;
    it->problem.tree.joints = it->joints;
    map_children(it);
    map_variables(it);
    const lb_ik_options *o = it->options;
    double own = it->method->step_limit > 0 ? it->method->step_limit : INFINITY;
    it->angle_limit = o->step_limit > 0 ? o->step_limit : own;
    it->length_limit = o->step_limit > 0 ? o->step_limit : own * reduction->unit;
    it->pole = lb_transform_direction(&reduction->base, o->analytic.pole);
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
    return by_steps && (it->method->capabilities & LB_METHOD_JACOBIAN) ? ik_iteration_evaluate(it)
                                                                       : ik_iteration_measure(it);
}

void ik_place_tools(ik_iteration *it)
{
    for (int t = 0; t < it->problem.task_count; t++) {
        const kernel_task *task = &it->problem.tasks[t];
        it->tools[t] = it->frames[task->frame];
        it->tools[t].p = lb_transform_point(&it->tools[t], task->tool);
    }
}

bool ik_iteration_by_kernel(const ik_iteration *it)
{
    return it->method->kernel && !it->control_term && !it->options->damped.adaptive;
}
