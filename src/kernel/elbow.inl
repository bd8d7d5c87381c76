/*
 * elbow.inl - what the free motion of an arm of seven joints is made of: three axes that meet, for
 * rotations that depend on an angle, or an arm of six joints beside one that turns, one angle per
 * lane; and manipulability squared.
 */
#ifndef KERNEL_ELBOW_INL
#define KERNEL_ELBOW_INL

#include "kernel/closed.inl"
#include "kernel/ops.h"
#include "kernel/small.inl"
#include "kernel/step.inl"

#if !KERNEL_SHARES
LANE_INLINE v3 swivel_direction(const lb_vec3 parts[3], lane cosine, lane sine)
{
    v3 at = v3_add_scaled(v3_set(parts[0]), v3_set(parts[1]), cosine);
    return v3_add_scaled(at, v3_set(parts[2]), sine);
}

/* `sign` selects the root; joints that nothing determines are zero */
static void swivel(const kernel_wrist *wrist, const kernel_swivel *rotation, const double *angles,
                   int count, double sign, kernel_swivelled *out)
{
    for (int i = 0; i < count; i += LANE_WIDTH) {
        double group[LANE_WIDTH];
        for (int l = 0; l < LANE_WIDTH; l++)
            group[l] = angles[i + l < count ? i + l : count - 1];
        lane sine, cosine;
        lane_sincos(lane_load(group), &sine, &cosine);
        v3 last = swivel_direction(rotation->last, cosine, sine);
        v3 side = swivel_direction(rotation->side, cosine, sine);
        closed_three w = solve_wrist(wrist, last, side, lane_set(sign), lane_set(0));
        lane_store(out->q[0] + i, w.b.angle);
        lane_store(out->q[1] + i, w.c.angle);
        lane_store(out->q[2] + i, w.d);
        lane_store(out->margin + i, w.margin);
    }
}

static void closed_slices(const kernel_closed *arm, const kernel_turning *turning,
                          const double *values, const int *branches, int count, kernel_slices *out)
{
    for (int i = 0; i < count; i += LANE_WIDTH) {
        lane value = lane_set(0), sign[3] = {value, value, value}, sine, cosine;
        for (int l = 0; l < LANE_WIDTH; l++) {
            const int at = i + l < count ? i + l : count - 1;
            lane_put(&value, l, values[at]);
            for (int r = 0; r < 3; r++)
                lane_put(&sign[r], l, branches[at] >> r & 1 ? -1 : 1);
        }
        lane_sincos(value, &sine, &cosine);
        closed_goal goal = {.center = swivel_direction(turning->center, cosine, sine),
                            .last = swivel_direction(turning->last, cosine, sine),
                            .side = swivel_direction(turning->side, cosine, sine)};
        for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
            goal.near[j] = lane_set(0);
        complete_goal(arm, &goal);
        closed_branch b = one_branch(arm, &goal, sign, NULL);
        for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
            lane_store(out->q[arm->joint[j]] + i, b.q[j]);
        lane_store(out->margin + i, b.margin);
        const lane low = 1.0 - arm->wrist.near_end - b.cosine;
        lane_store(out->wrist + i, lane_min(low, 1.0 - arm->wrist.far_end + b.cosine));
    }
}

/* det J J^T (Yoshikawa 1985), one problem per lane, of `count` configurations, row by row, of a
 * problem with one task */
static void manipulability_squared(const kernel_problem *problem, const double *q, int count,
                                   void *scratch, double *squares)
{
    const kernel_task *task = problem->tasks;
    const frame base = frame_set(&LB_TRANSFORM_IDENTITY);
    work w = work_carve(problem, scratch);
    int nq = problem->tree.nq;
    for (int start = 0; start < count; start += LANE_WIDTH) {
        for (int l = 0; l < LANE_WIDTH; l++)
            for (int i = 0; i < nq; i++)
                lane_put(&w.q[i], l, q[(start + l < count ? start + l : start) * nq + i]);
        forward(&problem->tree, &base, w.q, w.frames);
        const frame *carrier = &w.frames[task->frame];
        const pose now = pose_load(carrier);
        triple_store(&w.tools->p, pose_point(&now, task->tool));
        w.tools->free_axis = v3_combine(carrier->x, carrier->y, carrier->z, task->goal.axis);
        linearize(problem, &w);
        lane found = lane_set(0);
        if (problem->rows == 6) {
            normal a = normal_of(w.jacobian, problem->tree.nv, 6);
            found = normal_determinant(&a, 6);
        } else {
            normal a = normal_of(w.jacobian, problem->tree.nv, 3);
            found = normal_determinant(&a, 3);
        }
        for (int l = 0; l < LANE_WIDTH && start + l < count; l++)
            squares[start + l] = lane_get(&found, l);
    }
}
#endif

#endif
