/*
 * explain.c - why a task of a body is not reached, found by trying without what may hold it back.
 *
 * From where the solve ended, and from beside it, the task is given a few steps alone without
 * limits, then alone, then with the tasks of its level, and with those above. The first of these in
 * which it does not come nearer names the reason, which holds here: other configurations far away
 * may be nearer. Nothing of the body is changed.
 */
#include "base/text.h"
#include "ik/body/solver.h"

#include <string.h>

/* steps of one trial, and the share of the error that counts as nearer */
enum { TRIAL_STEPS = 20 };
#define NEARER 0.95
/* radians or metres that a trial begins beside the result at most: at a dead point, or where an arm
   is straight, no step leads on from the result itself */
#define BESIDE 0.05
/* a value that is farther beyond a limit than rounding leads */
#define BEYOND 1e-9

static const char *const reasons[] = {LB_BODY_REASON_LIST(LIST_TEXT)};

const char *lb_body_reason_text(lb_body_reason reason)
{
    return (unsigned)reason < LB_BODY_REASON_COUNT ? reasons[reason] : "unknown reason";
}

/* ---- trials ----------------------------------------------------------------- */

/* errors of both kinds as one number */
static double size_of(const lb_body *body, const lb_body_outcome *outcome)
{
    return outcome->position_error / body->length + outcome->rotation_error;
}

/* switches on the tasks of levels up to `level`, but at its own `task` alone if so wanted */
static void choose_tasks(lb_body *body, int task, int level, bool alone, const double *weights)
{
    for (int t = 0; t < body->task_count; t++) {
        const lb_body_task *other = &body->tasks[t];
        // loops always hold
        bool on = t == task || t >= body->given_count || (!alone && other->level <= level);
        body->tasks[t].weight = on ? weights[t] : 0;
        body_weigh(body, t);
    }
}

/* where a trial begins: where the last solve ended, or beside it, on either side */
static void begin_trial(lb_body *body, int side, double *q)
{
    const lb_model *model = body->model;
    lb_random random = lb_random_seed(1);
    double reach = side == 1 ? BESIDE : -BESIDE;
    for (int i = 0; i < model->tree.nv; i++)
        body->step[i] = lb_random_between(&random, -reach, reach);
    if (side > 0)
        lb_configuration_integrate(model, body->found[0], body->step, q);
    if (side == 0 || !body_settle(body, q, q))
        memcpy(q, body->found[0], sizeof *q * (size_t)model->tree.nq);
}

/* whether the task comes nearer in found[1] from where the last solve ended, or from beside it */
static bool comes_nearer(lb_body *body, int task, const double *low, const double *high)
{
    bool frame = body->framed && low == body->low, nearer = false;
    if (frame)
        body_find_reach_left(body);
    // what is beside may be out of a frame
    for (int side = 0; !nearer && side < (body->framed ? 1 : 3); side++) {
        kernel_body_control control = {.iterations = TRIAL_STEPS};
        kernel_body_query query = {.start = body->found[1],
                                   .targets = body->targets,
                                   .lower = low,
                                   .upper = high,
                                   .reach = frame ? body->reach_left : NULL,
                                   .desired = body->desired[0],
                                   .q = body->found[1],
                                   .held = side == 0 ? body->held : NULL};
        begin_trial(body, side, body->found[1]);
        body_run(body, &query, &control);
        lb_state_update(body->state, body->found[1]);
        lb_proximity nearest = body->nearest[task];
        lb_body_outcome now = body_task_outcome(body, task, &body->targets[task]);
        body->nearest[task] = nearest;
        nearer = now.reached || size_of(body, &now) < NEARER * size_of(body, &body->outcomes[task]);
    }
    return nearer;
}

/* whether a limit or a speed held a column back */
static bool is_held(const lb_body *body, int c)
{
    int ball = body->columns[c].ball;
    return body->held[c] || (body->framed && ball >= 0 && body->reach_left[ball] == 0);
}

/* whether q is beyond a bound of a column */
static bool is_beyond(const lb_body *body, int c, const double *q, const double *low,
                      const double *high)
{
    const kernel_body_column *column = &body->columns[c];
    int i = column->q;
    if (column->ball < 0)
        return q[i] < low[i] - BEYOND || q[i] > high[i] + BEYOND;
    double kept[4], most = 0;
    memcpy(kept, q + i, sizeof kept);
    if (body->balls[column->ball].limited)
        kernel_clamp(&body->balls[column->ball].limits, kept);
    for (int k = 0; k < 4; k++)
        most = fmax(most, fabs(kept[k] - q[i + k]));
    return most > BEYOND;
}

/* where no bound held the last step, what holds is what is nearer without limits is beyond */
static bool find_held(lb_body *body, const double *q, const double *low, const double *high)
{
    bool any = false;
    for (int c = 0; c < body->kernel.joint_columns; c++)
        any = any || is_held(body, c);
    for (int c = 0; !any && c < body->kernel.joint_columns; c++)
        body->held[c] = is_beyond(body, c, q, low, high);
    for (int c = 0; c < body->kernel.joint_columns; c++)
        any = any || body->held[c];
    return any;
}

/* whether another task that is on is of a level above a task's, or of its own */
static bool is_other(const lb_body *body, int task, int other, bool above)
{
    int level = body->tasks[task].level, of = body->tasks[other].level;
    return other != task && other < body->given_count && body->tasks[other].weight > 0 &&
           (above ? of < level : of == level);
}

static bool has_others(const lb_body *body, int task, bool above)
{
    bool any = false;
    for (int t = 0; t < body->given_count; t++)
        any = any || is_other(body, task, t, above);
    return any;
}

/* whether the last trial brought the task nearer at the cost of others */
static bool costs_others(lb_body *body, int task, bool above)
{
    bool any = false;
    for (int t = 0; t < body->given_count && !any; t++) {
        if (!is_other(body, task, t, above))
            continue;
        lb_proximity nearest = body->nearest[t];
        lb_body_outcome now = body_task_outcome(body, t, &body->targets[t]);
        body->nearest[t] = nearest;
        any = !now.reached && size_of(body, &now) > size_of(body, &body->outcomes[t]);
    }
    return any;
}

static lb_body_reason try_reasons(lb_body *body, int task, const double *weights)
{
    int level = body->tasks[task].level, nq = body->model->tree.nq;
    for (int i = 0; i < nq; i++) {
        body->starts[1][i] = -INFINITY;
        body->desired[1][i] = INFINITY;
    }
    choose_tasks(body, task, level, true, weights);
    if (!comes_nearer(body, task, body->starts[1], body->desired[1]))
        return LB_BODY_REASON_REACH;
    memcpy(body->found[2], body->found[1], sizeof(double) * (size_t)nq);
    const double *low = body->framed ? body->low : body->lower;
    const double *high = body->framed ? body->high : body->upper;
    // without limits it may have come nearer within them
    if (!comes_nearer(body, task, low, high) && find_held(body, body->found[2], low, high))
        return LB_BODY_REASON_LIMITS;
    // with its own level, those above switched off
    choose_tasks(body, task, level, false, weights);
    for (int t = 0; t < body->given_count; t++)
        if (body->tasks[t].level < level)
            body->tasks[t].weight = 0, body_weigh(body, t);
    if (!comes_nearer(body, task, low, high) && has_others(body, task, false))
        return LB_BODY_REASON_CONFLICT;
    choose_tasks(body, task, level, false, weights);
    if (!comes_nearer(body, task, low, high) && has_others(body, task, true))
        return LB_BODY_REASON_LEVEL;
    return costs_others(body, task, false)  ? LB_BODY_REASON_CONFLICT
           : costs_others(body, task, true) ? LB_BODY_REASON_LEVEL
                                            : LB_BODY_REASON_BUDGET;
}

lb_body_reason body_find_reason(lb_body *body, int task)
{
    if (body->outcomes[task].reached)
        return LB_BODY_REASON_NONE;
    if (body->outcome == LB_INVALID)
        return LB_BODY_REASON_NONE;
    for (int t = 0; t < body->task_count; t++)
        body->weights[t] = body->tasks[t].weight;
    lb_body_reason reason = try_reasons(body, task, body->weights);
    for (int t = 0; t < body->task_count; t++) {
        body->tasks[t].weight = body->weights[t];
        body_weigh(body, t);
    }
    return reason;
}

/* ---- words ------------------------------------------------------------------ */

/* the two that are nearest, if there are two */
static void name_pair(const lb_collision *collision, const lb_proximity *nearest, text_writer *s)
{
    if (!isfinite(nearest->distance))
        return;
    text_write(s, " of '%s'", lb_collision_body_name(collision, nearest->body_a));
    text_write(s, " and '%s'", lb_collision_body_name(collision, nearest->body_b));
}

/* what a task is called: its kind and what it moves */
static void name_task(const lb_body *body, int t, text_writer *s)
{
    const lb_body_task *task = &body->tasks[t];
    text_write(s, "%s", lb_body_kind_text(task->kind));
    if (task->kind == LB_BODY_JOINT)
        text_write(s, " of '%s'", body->model->joints[task->joint].name);
    else if (body_has_link(task->kind))
        text_write(s, " of '%s'", body->model->links[task->link].name);
    else if (task->kind == LB_BODY_DISTANCE)
        name_pair(task->collision, &body->nearest[t], s);
}

/* names of the joints that a bound held in the last step */
static void name_held(const lb_body *body, text_writer *s)
{
    int named = 0, last = -1;
    for (int c = 0; c < body->kernel.joint_columns; c++) {
        const kernel_body_column *column = &body->columns[c];
        int joint = body->part_joints[column->q];
        if (!is_held(body, c) || joint == last)
            continue;
        text_write(s, named++ == 0 ? " '%s'" : ", '%s'", body->model->joints[joint].name);
        last = joint;
    }
}

/* the other tasks that are on, of its own level or above it */
static void name_others(const lb_body *body, int task, bool above, text_writer *s)
{
    int named = 0;
    for (int t = 0; t < body->given_count; t++) {
        if (!is_other(body, task, t, above))
            continue;
        text_write(s, named++ == 0 ? " " : ", ");
        name_task(body, t, s);
    }
}

static void say_error(const lb_body *body, int task, text_writer *s)
{
    const lb_body_outcome *o = &body->outcomes[task];
    name_task(body, task, s);
    if (o->position_error == 0)
        text_write(s, " is %.4g rad off", o->rotation_error);
    else if (o->rotation_error == 0)
        text_write(s, " is %.4g m off", o->position_error);
    else
        text_write(s, " is %.4g m and %.4g rad off", o->position_error, o->rotation_error);
}

static void explain(const lb_body *body, int task, lb_body_reason reason, text_writer *s)
{
    if (reason == LB_BODY_REASON_NONE) {
        name_task(body, task, s);
        text_write(s, "%s",
                   body->outcome == LB_INVALID
                       ? " was not tried: no solve yet, or its start was not finite"
                       : " is reached");
        return;
    }
    say_error(body, task, s);
    switch (reason) {
    case LB_BODY_REASON_REACH:
        text_write(s, ": here no joint brings %s",
                   body->tasks[task].kind == LB_BODY_DISTANCE ? "them farther apart" : "it nearer");
        break;
    case LB_BODY_REASON_LIMITS:
        text_write(s, ": here it is held back by limits or speeds of");
        name_held(body, s);
        break;
    case LB_BODY_REASON_CONFLICT:
        text_write(s, ": here it comes nearer only at the cost of tasks of its level:");
        name_others(body, task, false, s);
        break;
    case LB_BODY_REASON_LEVEL:
        text_write(s, ": here it comes nearer only at the cost of tasks of levels above:");
        name_others(body, task, true, s);
        break;
    default:
        text_write(s, body->outcome == LB_EXHAUSTED
                          ? ": it was still coming nearer when the iterations were used up"
                          : ": another descent from here or from beside it brings it nearer");
    }
}

lb_body_reason lb_body_explain(lb_body *body, int task, char *text, size_t size)
{
    text_writer s = {.text = text, .size = text ? size : 0};
    if (s.size > 0)
        text[0] = 0;
    if (task < 0 || task >= body->given_count)
        return LB_BODY_REASON_NONE;
    lb_body_reason reason = body_find_reason(body, task);
    if (s.size > 0)
        explain(body, task, reason, &s);
    return reason;
}
