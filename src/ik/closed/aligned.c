/* aligned.c - joints that turn about one line, of which only the sum matters. */
#include "ik/closed/family.h"

#include "ik/closed/newton.h"
#include "math/scalar.h"

#define TURN (2 * LB_PI)

void aligned_find(const closed_arm *arm, const kernel_ranges *ranges, const double *q, int about,
                  double position, double rotation, aligned_group *group)
{
    lb_vec3 axis[CLOSED_ARM_JOINTS], point[CLOSED_ARM_JOINTS];
    closed_axes(arm, q, axis, point);
    *group = (aligned_group){.count = 0};
    for (int i = 0; i < arm->joints; i++) {
        const lb_vec3 from = lb_vec3_sub(point[i], point[about]);
        const bool in_line = lb_vec3_length(lb_vec3_cross(axis[i], axis[about])) <= rotation &&
                             lb_vec3_length(lb_vec3_cross(from, axis[about])) <= position;
        if (arm->is_length[i] || !(in_line || i == about))
            continue;
        const double sign = lb_vec3_dot(axis[i], axis[about]) < 0 ? -1 : 1;
        group->sum += sign * q[i];
        if (ranges->vanishes[i])
            continue;
        group->joint[group->count] = i;
        group->sign[group->count++] = sign;
        group->bits |= 1u << i;
    }
}

double aligned_total(const aligned_group *group, const double *start)
{
    double sum = 0;
    for (int k = 0; k < group->count; k++)
        sum += group->sign[k] * start[group->joint[k]];
    return group->sum + TURN * scalar_round((sum - group->sum) / TURN);
}

void aligned_project(const aligned_group *group, const kernel_ranges *ranges, const double *start,
                     double total, double *q)
{
    bool fixed[KERNEL_CLOSED_JOINTS] = {false};
    // those at their limits leave the rest to the others
    for (int round = 0; round < group->count; round++) {
        double rest = total, share = 0;
        for (int k = 0; k < group->count; k++) {
            const int i = group->joint[k];
            // joints that do not count in distances take all of it
            const double weight = scalar_max(ranges->weight[i], 1e-6);
            rest -= group->sign[k] * (fixed[k] ? q[i] : start[i]);
            share += fixed[k] ? 0 : 1 / (weight * weight);
        }
        bool again = false;
        for (int k = 0; k < group->count; k++) {
            const int i = group->joint[k];
            const double weight = scalar_max(ranges->weight[i], 1e-6);
            if (fixed[k])
                continue;
            const double want = start[i] + group->sign[k] * rest / (weight * weight * share);
            q[i] = scalar_clamp(want, ranges->lower[i], ranges->upper[i]);
            fixed[k] = q[i] != want;
            again = again || fixed[k];
        }
        if (!again)
            return;
    }
}
