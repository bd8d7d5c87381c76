/* pace.c - joint speeds: how far an arm comes in one frame. */
#include "motion/pace.h"

/* a step that just fits counts as one that does: rounding of differences of angles */
#define ROUNDING 1e-9

double pace_step(const pace *p, const lb_joint *joint)
{
    return p->rate > 0 ? joint->velocity / p->rate : INFINITY;
}

double pace_frames(const pace *p, const double *from, const double *to, int *joint)
{
    double most = 0;
    int slowest = -1;
    lb_configuration_difference(p->model, from, to, p->change);
    for (int i = 0; i < lb_model_joint_count(p->model); i++) {
        const lb_joint *at = lb_model_joint(p->model, i);
        int first = at->mimic ? -1 : lb_model_joint_v(p->model, i);
        for (int k = 0; first >= 0 && k < lb_joint_kind_nv(at->kind); k++) {
            double change = rest_or_change(fabs(p->change[first + k]));
            double frames = change > 0 ? change / pace_step(p, at) : 0;
            if (!(frames > most))
                continue;
            most = frames;
            slowest = i;
        }
    }
    if (joint)
        *joint = slowest;
    return most * (1 - ROUNDING);
}

void pace_part(const pace *p, const double *from, const double *to, double share, double *q)
{
    lb_configuration_difference(p->model, from, to, p->change);
    for (int i = 0; i < lb_model_nv(p->model); i++)
        p->change[i] *= share;
    lb_configuration_integrate(p->model, from, p->change, q);
}
