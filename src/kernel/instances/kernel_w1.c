/* kernel_w1.c - the kernel at width 1: the scalar library. */
#define LANE_WIDTH 1
#include "kernel/instance.inl"

#include "kernel/fk_batch.inl"

lb_transform kernel_joint_frame(const kernel_joint *joint, const lb_transform *parent,
                                const double *q)
{
    pose f = pose_load(parent);
    f = joint_place(&f, joint);
    if (joint->kind == KERNEL_REVOLUTE) {
        double sine, cosine;
        lane_sincos(joint_value(joint, q), &sine, &cosine);
        turn(&f.x, &f.y, sine, cosine);
    } else if (joint->kind == KERNEL_BALL) {
        quat ball = joint_quat(joint, q);
        f = pose_turn(&f, ball, quat_share(ball));
    } else if (joint->kind == KERNEL_PRISMATIC) {
        f = joint_slide(&f, joint, q);
    }
    lb_transform out;
    pose_store(&out, &f);
    return out;
}

bool kernel_measure(const kernel_problem *problem, const kernel_control *control,
                    const lb_transform *frames, const lb_transform *targets, double *error)
{
    work w = {.error = error, .frames = (lb_transform *)frames};
    bool reached = true;
    for (int t = 0; t < problem->task_count; t++) {
        tool at;
        double square = 0;
        reached = task_measure(&problem->tasks[t], control, &targets[t], &at, &w, true, &square) &&
                  reached;
    }
    return reached;
}

lb_vec3 kernel_locus_rows(const kernel_locus *locus, const lb_transform *goal, lb_vec3 way)
{
    locus_axes across;
    return locus->open ? locus_measure(locus, goal, way, &across) : way;
}

lb_vec3 kernel_locus_displacement(const kernel_locus *locus, const lb_transform *goal, lb_vec3 rows)
{
    if (!locus->open)
        return rows;
    const locus_axes across = locus_across(locus, goal);
    return lb_vec3_add(lb_vec3_scale(across.first, rows.x), lb_vec3_scale(across.second, rows.y));
}

lb_vec3 kernel_locus_nearest(const kernel_locus *locus, const lb_transform *goal, lb_vec3 from)
{
    if (!locus->open)
        return goal->p;
    lb_vec3 rows = kernel_locus_rows(locus, goal, lb_vec3_sub(goal->p, from));
    return lb_vec3_add(from, kernel_locus_displacement(locus, goal, rows));
}

/* a task's tool where its frame carries it, or at the nearest point that its target allows */
static tool find_tool(const kernel_task *task, const lb_transform *carrier,
                      const lb_transform *target, bool arrived)
{
    tool at = {.p = lb_transform_point(carrier, task->tool)};
    if (arrived)
        at.p = kernel_locus_nearest(&task->locus, target, at.p);
    at.free_axis = lb_transform_direction(arrived ? target : carrier, task->axis);
    at.across = locus_across(&task->locus, target);
    return at;
}

void kernel_linearize(const kernel_problem *problem, const lb_transform *frames,
                      const lb_transform *targets, bool arrived, double *jacobian)
{
    work w = {.jacobian = jacobian, .frames = (lb_transform *)frames};
    memset(jacobian, 0, sizeof(double) * (size_t)(problem->rows * problem->tree.nv));
    for (int t = 0; t < problem->task_count; t++) {
        const kernel_task *task = &problem->tasks[t];
        tool at = find_tool(task, &frames[task->frame], &targets[t], arrived);
        for (int i = 0; i < task->path_count; i++)
            joint_write(problem, task, &at, task->path[i], &w, problem->rows, true);
    }
}

void kernel_goal_errors(const kernel_goal *claim, const lb_transform *at,
                        const lb_transform *target, double *position, double *rotation)
{
    goal_errors(claim, at, target, position, rotation);
}

bool kernel_evaluate(const kernel_problem *problem, const kernel_control *control, const double *q,
                     const lb_transform *targets, lb_transform *frames, double *error,
                     double *jacobian)
{
    const lb_transform base = LB_TRANSFORM_IDENTITY;
    forward(&problem->tree, &base, q, frames);
    kernel_linearize(problem, frames, targets, false, jacobian);
    return kernel_measure(problem, control, frames, targets, error);
}

void kernel_restrain(const kernel_problem *problem, const double *q, const double *error,
                     double *jacobian)
{
    work w = {.q = (double *)q, .error = (double *)error, .jacobian = jacobian};
    for (int i = 0; i < problem->variable_count; i++)
        restrain(&problem->variables[i], &w, problem->rows);
}

/* a step must win this share of what the slope promises, or it is halved, so often at most */
#define ENOUGH 0.25
enum { MOST_HALVINGS = 16 };

/* how fast the squared error falls along the step: 2 e^T J step */
static double slope(const kernel_problem *problem, const work *w)
{
    double sum = 0;
    for (int v = 0; v < problem->tree.nv; v++)
        sum += w->step[v] * column_dot(w->jacobian + v * problem->rows, w->error, problem->rows);
    return 2 * sum;
}

double kernel_iterate(const kernel_problem *problem, const kernel_control *control,
                      const lb_transform *targets, double *q, double *share, void *scratch)
{
    double usual = KERNEL_DAMPING_SHARE;
    share = share ? share : &usual;
    work w = work_carve(problem, scratch);
    size_t size = sizeof(double) * (size_t)problem->tree.nq;
    memcpy(w.q, q, size);
    memcpy(w.next, q, size);
    w.goals = (lb_transform *)targets;
    double before, after;
    measure(problem, control, &w, true, &before);
    plan_step(problem, control, damping(control, before, *share), &w);
    double promised = slope(problem, &w);
    for (int i = 0; i < MOST_HALVINGS; i++) {
        take_step(problem, &w);
        // measured where it leads; columns and step stay as they are
        work there = w;
        there.q = w.next;
        measure(problem, control, &there, true, &after);
        double won = before - after;
        if (control->raw || (won > 0 && won >= ENOUGH * promised)) {
            memcpy(q, w.next, size);
            *share = next_share(*share, i > 0);
            return won / before;
        }
        for (int v = 0; v < problem->tree.nv; v++)
            w.step[v] *= 0.5;
        promised *= 0.5;
    }
    return 0;
}

bool kernel_is_limited(const kernel_variable *x)
{
    return x->ball ? ball_is_limited(x) : x->lower > -INFINITY || x->upper < INFINITY;
}

void kernel_clamp(const kernel_variable *x, double *q)
{
    if (!x->ball)
        *q = lane_min(lane_max(*q, x->lower), x->upper);
    else if (ball_is_limited(x))
        quat_store(q, ball_clamp(x, quat_load(q)));
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
