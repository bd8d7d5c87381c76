/* kernel_w1.c - the kernel at width 1: the scalar library. */
#define LANE_WIDTH 1
#include "kernel/instance.inl"

void kernel_forward(const kernel_tree *tree, const lb_transform *root, const double *q,
                    lb_transform *frames)
{
    forward(tree, root, q, frames);
}

bool kernel_evaluate(const kernel_problem *problem, const kernel_control *control, const double *q,
                     const lb_transform *targets, lb_transform *frames, double *error,
                     double *jacobian)
{
    const lb_transform base = LB_TRANSFORM_IDENTITY;
    work w = {.error = error, .jacobian = jacobian, .frames = frames};
    int rows = problem->rows;
    bool reached = true;
    forward(&problem->tree, &base, q, frames);
    memset(jacobian, 0, sizeof(double) * (size_t)(rows * problem->tree.nv));
    for (int t = 0; t < problem->task_count; t++) {
        const kernel_task *task = &problem->tasks[t];
        tool at = {targets[t].p, targets[t].p};
        reached = task_measure(task, control, &targets[t], &at, &w) && reached;
        for (int i = 0; i < task->path_count; i++)
            joint_write(problem, task, &at, task->path[i], &w, rows, true);
    }
    return reached;
}

/* the longest way that any one variable's step moves the tools, in scaled metres */
static double longest_arc(const kernel_problem *problem, const work *w)
{
    double longest = 0;
    for (int v = 0; v < problem->tree.nv; v++) {
        const double *column = w->jacobian + v * problem->rows;
        double arc = fabs(w->step[v]) * sqrt(column_dot(column, column, problem->rows));
        longest = arc > longest ? arc : longest;
    }
    return longest;
}

double kernel_iterate(const kernel_problem *problem, const kernel_control *control,
                      const lb_transform *targets, double *q, void *scratch)
{
    work w = work_carve(problem, scratch);
    w.q = w.next = q;
    w.goals = (lb_transform *)targets;
    measure(problem, control, &w);
    plan_step(problem, control, column_dot(w.error, w.error, problem->rows), &w);
    take_step(problem, &w);
    return longest_arc(problem, &w);
}

void kernel_advance(const kernel_problem *problem, const double *q, const double *step, double *out)
{
    work w = {.q = (double *)q, .step = (double *)step, .next = out};
    take_step(problem, &w);
}

void kernel_settle(const kernel_problem *problem, double *q)
{
    for (int i = 0; i < problem->variable_count; i++) {
        const kernel_variable *x = &problem->variables[i];
        if (x->ball)
            quat_store(q + x->q, quat_normalize(quat_load(q + x->q)));
        settle(x, q + x->q);
    }
}
