/* margin.c - how far a configuration is from the limits of its joints. */
#include "workspace/probe.h"

double margin_at(const lb_model *model, const double *q)
{
    double least = 1;
    for (int i = 0; i < lb_model_joint_count(model); i++) {
        const lb_joint *joint = lb_model_joint(model, i);
        int at = lb_model_joint_q(model, i);
        bool single = lb_joint_kind_nq(joint->kind) == 1 && joint->mimic == NULL && at >= 0;
        double half = (joint->upper[0] - joint->lower[0]) / 2;
        if (single && !joint->locked && isfinite(half) && half > 0)
            least = fmin(least, fmin(q[at] - joint->lower[0], joint->upper[0] - q[at]) / half);
    }
    return least > 0 ? least : 0;
}
