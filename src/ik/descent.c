/* descent.c - descends by a method's own steps. */
#include "ik/descent.h"

#include <string.h>

/* a step that moves no tool by this share of its tolerance is negligible */
#define NEGLIGIBLE_SHARE 0.1
/* where joints still lower the error, a step may be this short: it takes thousands to move a tool
   by its tolerance */
#define SLOW_SHARE 1e-4

/* ---- steps ---------------------------------------------------------------- */

/* twice the sine of half the angle between two unit quaternions: the angle where it is small */
static double ball_displacement(const double *a, const double *b)
{
    double x = a[0] * b[1] - a[1] * b[0] + a[3] * b[2] - a[2] * b[3];
    double y = a[0] * b[2] - a[2] * b[0] + a[1] * b[3] - a[3] * b[1];
    double z = a[0] * b[3] - a[3] * b[0] + a[2] * b[1] - a[1] * b[2];
    return 2 * sqrt(x * x + y * y + z * z);
}

/* whether a joint's displacement moves a task's tool by more than this share of its tolerance */
static bool moves_tool(const ik_iteration *it, int joint, int task, double displacement,
                       double share)
{
    const kernel_joint *j = &it->joints[joint];
    const kernel_task *t = &it->problem.tasks[task];
    const lb_transform *frame = &it->frames[joint];
    double position = share * it->control->position_tolerance;
    double rotation = share * it->control->rotation_tolerance;
    if (j->kind == KERNEL_PRISMATIC)
        return t->goal.position && displacement > position;
    // an arc about the joint
    lb_vec3 arm = lb_vec3_sub(it->tools[task].p, frame->p);
    if (j->kind == KERNEL_REVOLUTE)
        arm = lb_vec3_cross(frame->z, arm);
    return (t->goal.position && displacement * lb_vec3_length(arm) > position) ||
           (t->goal.rotation && displacement > rotation);
}

/* whether some joint has moved some tool by this share of its tolerance from q to next */
static bool has_moved(ik_iteration *it, double share)
{
    int tasks = it->problem.task_count;
    ik_place_tools(it);
    for (int i = 0; i < it->problem.tree.count; i++) {
        if (it->variable_of[i] < 0)
            continue;
        const kernel_variable *x = &it->problem.variables[it->variable_of[i]];
        double displacement = x->ball ? ball_displacement(it->q + x->q, it->next + x->q)
                                      : fabs(it->q[x->q] - it->next[x->q]);
        for (int t = 0; t < tasks && displacement > 0; t++)
            if (it->carries[i * tasks + t] &&
                moves_tool(it, i, t, displacement * fabs(it->joints[i].scale), share))
                return true;
    }
    return false;
}

bool ik_descent_step(ik_iteration *it, lb_reason *reason)
{
    *reason = LB_REASON_NONE;
    if (ik_iteration_by_kernel(it)) {
        memcpy(it->next, it->q, sizeof(double) * (size_t)it->problem.tree.nq);
        kernel_iterate(&it->problem, it->control, it->targets, it->next, NULL, it->scratch);
    } else {
        *reason = it->method->solve ? ik_linear_step(it, it->method->solve) : it->method->step(it);
    }
    it->count++;
    if (*reason == LB_REASON_NONE && has_moved(it, NEGLIGIBLE_SHARE))
        return true;
    // slow is not stuck
    if (*reason == LB_REASON_NONE && !ik_stuck_is(it))
        return has_moved(it, SLOW_SHARE);
    return !it->options->no_nudge && !it->proved_unreachable && ik_stuck_escape(it);
}

/* ---- descents ------------------------------------------------------------- */

/* The error of a descent: its least so far, and what it was some iterations ago. */
typedef struct trend {
    double best, mark; /* squared errors */
    int since;         /* iterations since the mark was set */
} trend;

/* keeps the best; false when `patience` iterations have reduced the error by too little */
static bool is_decreasing(ik_iteration *it, trend *so_far, double stall_share)
{
    if (it->error2 < so_far->best) {
        so_far->best = it->error2;
        memcpy(it->best, it->q, sizeof(double) * (size_t)it->problem.tree.nq);
    }
    if (so_far->since++ < it->method->patience)
        return true;
    // not (a >= b), so that NaN has stalled
    bool decreasing = isinf(stall_share) || so_far->best < so_far->mark * stall_share;
    so_far->mark = so_far->best;
    so_far->since = 1;
    return decreasing;
}

/* steps from it->q until there is a reason to end */
static kernel_end run(ik_iteration *it, const kernel_job *job, trend *so_far)
{
    const double stall_share = kernel_stall_share(job->min_decrease);
    lb_reason reason;
    for (;;) {
        bool reached = ik_iteration_prepare(it);
        bool decreasing = is_decreasing(it, so_far, stall_share);
        if (reached)
            return KERNEL_CONVERGED;
        if (!decreasing)
            return KERNEL_STALLED;
        if (it->count >= job->iterations)
            return KERNEL_SPENT;
        if (!ik_descent_step(it, &reason))
            return KERNEL_STALLED;
        double *from = it->q;
        it->q = it->next;
        it->next = from;
    }
}

/* one job from its start; returns where it converged, or its best configuration */
static kernel_result descend(ik_iteration *it, const kernel_job *job)
{
    size_t size = sizeof(double) * (size_t)it->problem.tree.nq;
    trend so_far = {INFINITY, INFINITY, 0};
    it->targets = job->targets;
    it->count = 0;
    memcpy(it->q, job->start, size);
    memcpy(it->best, job->start, size);
    kernel_end end = run(it, job, &so_far);
    bool converged = end == KERNEL_CONVERGED;
    return (kernel_result){.q = converged ? it->q : it->best,
                           .end = end,
                           .iterations = it->count,
                           .error = sqrt(converged ? it->error2 : so_far.best)};
}

void ik_descent_run(ik_iteration *it, const kernel_feed *feed)
{
    kernel_job job;
    while (feed->next(feed->user, 0, &job)) {
        kernel_result result = descend(it, &job);
        feed->finish(feed->user, 0, &result);
    }
}
