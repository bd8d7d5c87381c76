/*
 * loops.c - the loops of a body's model, as tasks above all others.
 *
 * A loop holds a frame of one link at a frame of another: what a relative task does. Its place and
 * its axes are a task each, of the kinds that hold as much, on a strict level of their own and
 * after the tasks that were given, whose numbers stay.
 */
#include "ik/body/solver.h"

#include <string.h>

/* What of a loop's place, or of its axes, a kind of task holds. */
typedef struct held_kind {
    unsigned held;
    lb_body_kind kind;
} held_kind;

static const held_kind places[] = {
    {007, LB_BODY_POSITION}, {003, LB_BODY_ON_LINE}, {004, LB_BODY_ON_PLANE}};
static const held_kind turns[] = {{070, LB_BODY_ORIENTATION}, {030, LB_BODY_DIRECTION}};

/* ---- reach ------------------------------------------------------------------ */

/* the lengths from a link up to another one above it, slides at rest */
static double length_above(const lb_model *model, const double *q, int link, int top)
{
    double length = 0;
    for (; link > top; link = model->link_layouts[link].parent) {
        const model_joint *layout = &model->joint_layouts[link - 1];
        length += lb_vec3_length(model->joints[link - 1].placement.p);
        if (model->joints[link - 1].kind == LB_JOINT_PRISMATIC)
            length += fabs(layout->multiplier * q[layout->q] + layout->offset);
    }
    return length;
}

/* the lengths once round a loop */
static double loop_reach(const lb_model *model, const double *q, int loop)
{
    const model_loop *ends = &model->loop_layouts[loop];
    int top = ends->first, other = ends->second;
    while (top != other)
        if (top > other)
            top = model->link_layouts[top].parent;
        else
            other = model->link_layouts[other].parent;
    double length = length_above(model, q, ends->first, top) +
                    length_above(model, q, ends->second, top) +
                    lb_vec3_length(model->loops[loop].first_frame.p) +
                    lb_vec3_length(model->loops[loop].second_frame.p);
    return length > 0 ? length : 1;
}

/* ---- tasks ------------------------------------------------------------------ */

int body_count_loops(const lb_model *model)
{
    int count = 0;
    for (int i = 0; i < model->loop_count; i++) {
        unsigned held = model_loop_held(model->loops[i].kind);
        count += ((held & 007) != 0) + ((held & 070) != 0);
    }
    return count;
}

static lb_body_task make_task(const lb_model *model, int loop, lb_body_kind kind, double reach)
{
    const model_loop *ends = &model->loop_layouts[loop];
    lb_body_task task = lb_body_task_make(kind, ends->second);
    task.base = ends->first;
    task.tool = model->loops[loop].second_frame;
    task.level = BODY_LOOP_LEVEL;
    task.position_tolerance = BODY_CLOSED * reach;
    task.rotation_tolerance = BODY_CLOSED;
    return task;
}

/* as a task of the joint that is set; `first` is the loop, `last` the joint that is read */
static lb_body_task make_coupling(const lb_model *model, int loop)
{
    lb_body_task task = lb_body_task_make(LB_BODY_JOINT, 0);
    task.joint = model->loop_layouts[loop].first;
    task.first = loop;
    task.last = model->loop_layouts[loop].second;
    task.level = BODY_LOOP_LEVEL;
    task.position_tolerance = task.rotation_tolerance = BODY_CLOSED;
    return task;
}

void body_add_loops(lb_body *body)
{
    const lb_model *model = body->model;
    lb_body_task *task = body->tasks + body->given_count;
    // the neutral configuration, which the values of joint tasks begin with
    const double *q = body->values;
    for (int i = 0; i < model->loop_count; i++) {
        unsigned held = model_loop_held(model->loops[i].kind);
        if (model->loops[i].kind == LB_LOOP_COUPLING) {
            *task++ = make_coupling(model, i);
            continue;
        }
        double reach = loop_reach(model, q, i);
        for (size_t k = 0; k < sizeof places / sizeof *places; k++)
            if ((held & 007) == places[k].held)
                *task++ = make_task(model, i, places[k].kind, reach);
        for (size_t k = 0; k < sizeof turns / sizeof *turns; k++)
            if ((held & 070) == turns[k].held)
                *task++ = make_task(model, i, turns[k].kind, reach);
    }
}

void body_aim_loops(const lb_body *body, lb_transform *targets)
{
    const lb_model *model = body->model;
    lb_transform *target = targets + body->given_count;
    for (int i = 0; i < model->loop_count && body->given_count < body->task_count; i++) {
        unsigned held = model_loop_held(model->loops[i].kind);
        for (int k = ((held & 007) != 0) + ((held & 070) != 0); k > 0; k--)
            *target++ = model->loops[i].first_frame;
    }
}

/* ---- couplings -------------------------------------------------------------- */

double body_coupling_error(const lb_body *body, int t)
{
    const kernel_body_task *k = &body->kernel_tasks[t];
    const double *q = lb_state_configuration(body->state);
    double value = 0;
    for (int i = KERNEL_BODY_TERMS - 1; i >= 0; i--)
        value = value * q[k->coupled_q[1]] + k->polynomial[i];
    return fabs(value - q[k->coupled_q[0]]);
}

/* ---- errors ----------------------------------------------------------------- */

double body_loop_error(const lb_body *body)
{
    double most = 0;
    for (int t = body->given_count; t < body->task_count; t++) {
        const lb_body_outcome *out = &body->outcomes[t];
        most = fmax(most, out->position_error / body->tasks[t].position_tolerance * BODY_CLOSED);
        most = fmax(most, out->rotation_error);
    }
    return most;
}
