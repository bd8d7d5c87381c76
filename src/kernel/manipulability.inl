/* manipulability.inl - manipulability squared, det J J^T (Yoshikawa 1985), one problem per lane. */
#ifndef KERNEL_MANIPULABILITY_INL
#define KERNEL_MANIPULABILITY_INL

#include "kernel/small.inl"
#include "kernel/step.inl"

#if !KERNEL_SHARES
/* of `count` configurations, row by row, of a problem with one task */
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
