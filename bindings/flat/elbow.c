/* elbow.c - the elbow's circle of arms of seven joints. */
#include "binding.h"

lb_elbow *EXPORT(elbow_create)(const lb_model *model, const double *task_numbers)
{
    lb_elbow *elbow = NULL;
    lb_task task = task_from(task_numbers);
    lb_elbow_create(model, &task, NULL, &elbow, &binding_error);
    return elbow;
}

void EXPORT(elbow_release)(lb_elbow *elbow)
{
    lb_elbow_release(elbow);
}

/* the arcs of one target (12 numbers), ARC_NUMBERS each of LB_ELBOW_ARCS_MAX, with locked joints as
   in start; -1: target or start is invalid */
int EXPORT(elbow_arcs)(lb_elbow *elbow, const double *target, const double *start, double *out)
{
    static lb_elbow_arc arcs[LB_ELBOW_ARCS_MAX];
    const lb_transform goal = transform_from(target);
    int count = lb_elbow_arcs(elbow, &goal, start, LB_ELBOW_ARCS_MAX, arcs);
    for (int i = 0; i < count; i++) {
        *out++ = arcs[i].branch;
        *out++ = arcs[i].begin;
        *out++ = arcs[i].end;
    }
    return count;
}

/* the outcome of a branch at an angle; q may be start */
int EXPORT(elbow_at)(lb_elbow *elbow, const double *target, int branch, double angle,
                     const double *start, double *q)
{
    const lb_transform goal = transform_from(target);
    return (int)lb_elbow_at(elbow, &goal, branch, angle, start, q);
}

/* the best elbow; `out` has CHOICE_NUMBERS, q may be start */
void EXPORT(elbow_best)(lb_elbow *elbow, const double *target, int goal, const double *start,
                        double *q, double *out)
{
    lb_elbow_choice choice;
    const lb_transform to = transform_from(target);
    *out++ = (double)lb_elbow_best(elbow, &to, (lb_elbow_goal)goal, start, q, &choice);
    *out++ = choice.branch;
    *out++ = choice.angle;
    *out++ = choice.value;
    *out++ = choice.position_error;
    *out = choice.rotation_error;
}
