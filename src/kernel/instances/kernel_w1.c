/* kernel_w1.c - the kernel at width 1: the scalar library. */
#define LANE_WIDTH 1
#define LANE_TARGET 0
#include "simd/target.inl"

#include "kernel/instance.inl"

#include "kernel/widths.h"
#ifdef KERNEL_HAVE_FK_BATCH_W1
#include "kernel/fk_batch.inl"
#endif

/* where size counts, for size: what a page solves once in a picture */
#ifdef LIMBER_SMALL
#pragma clang attribute push(__attribute__((minsize)), apply_to = function)
#endif
#include "kernel/body.inl"

#include "kernel/general.inl"
#include "kernel/time_sweep.inl"
#include "kernel/track.inl"
#ifdef LIMBER_SMALL
#pragma clang attribute pop
#endif

lb_transform kernel_joint_frame(const kernel_joint *joint, const lb_transform *parent,
                                const double *q)
{
    pose f = pose_load(parent);
    f = joint_place(&f, joint);
    if (joint->kind == KERNEL_REVOLUTE) {
        double sine, cosine;
        lane_sincos(joint_value(joint, q), &sine, &cosine);
        rotate(&f.x, &f.y, sine, cosine);
    } else if (joint->kind == KERNEL_BALL) {
        quat ball = joint_quat(joint, q);
        f = pose_rotate(&f, ball, quat_share(ball));
    } else if (joint->kind == KERNEL_PRISMATIC) {
        f = joint_slide(&f, joint, q);
    }
    lb_transform out;
    pose_store(&out, &f);
    return out;
}

/* ---- goals ---------------------------------------------------------------- */

lb_vec3 kernel_locus_rows(const kernel_locus *locus, const lb_transform *target,
                          lb_vec3 displacement)
{
    locus_axes normals;
    return locus->extended ? locus_measure(locus, target, displacement, &normals) : displacement;
}

lb_vec3 kernel_locus_displacement(const kernel_locus *locus, const lb_transform *target,
                                  lb_vec3 rows)
{
    if (!locus->extended)
        return rows;
    const locus_axes normals = locus_normals(locus, target);
    return lb_vec3_add(lb_vec3_scale(normals.first, rows.x), lb_vec3_scale(normals.second, rows.y));
}

lb_vec3 kernel_locus_nearest(const kernel_locus *locus, const lb_transform *target, lb_vec3 from)
{
    if (!locus->extended)
        return target->p;
    lb_vec3 rows = kernel_locus_rows(locus, target, lb_vec3_sub(target->p, from));
    return lb_vec3_add(from, kernel_locus_displacement(locus, target, rows));
}

void kernel_goal_errors(const kernel_goal *goal, const lb_transform *at, const lb_transform *target,
                        double *position, double *rotation)
{
    goal_errors(goal, at, target, position, rotation);
}

/* ---- errors and Jacobian -------------------------------------------------- */

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

/* a task's tool where its frame carries it, or at the nearest point that satisfies its target */
static tool find_tool(const kernel_task *task, const lb_transform *carrier,
                      const lb_transform *target, bool arrived)
{
    tool at = {.p = lb_transform_point(carrier, task->tool)};
    if (arrived)
        at.p = kernel_locus_nearest(&task->goal.locus, target, at.p);
    at.free_axis = lb_transform_direction(arrived ? target : carrier, task->goal.axis);
    at.normals = locus_normals(&task->goal.locus, target);
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

bool kernel_evaluate(const kernel_problem *problem, const kernel_control *control, const double *q,
                     const lb_transform *targets, lb_transform *frames, double *error,
                     double *jacobian)
{
    const lb_transform base = LB_TRANSFORM_IDENTITY;
    forward(&problem->tree, &base, q, frames);
    kernel_linearize(problem, frames, targets, false, jacobian);
    return kernel_measure(problem, control, frames, targets, error);
}

double kernel_iterate(const kernel_problem *problem, const kernel_control *control,
                      const lb_transform *targets, double *q, double *share, void *scratch)
{
    return iterate(problem, control, targets, q, share, scratch);
}

/* ---- limits --------------------------------------------------------------- */

void kernel_restrain(const kernel_problem *problem, const double *q, const double *error,
                     double *jacobian)
{
    work w = {.q = (double *)q, .error = (double *)error, .jacobian = jacobian};
    for (int i = 0; i < problem->variable_count; i++)
        restrain(&problem->variables[i], &w, problem->rows);
}

bool kernel_is_limited(const kernel_variable *x)
{
    return x->ball ? ball_is_limited(x) : x->lower > -INFINITY || x->upper < INFINITY;
}

void kernel_clamp(const kernel_variable *x, double *q)
{
    settle(x, q);
}

void kernel_ball_angles(const kernel_variable *ball, const double *q, double *twist, double *swing)
{
    quat twist_part;
    ball_angles(ball, quat_load(q), twist, swing, &twist_part);
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

#include "simd/target_end.inl"
