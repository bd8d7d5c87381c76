/* iterate.inl - single steps of a descent that must reduce the error, at width 1. */
#ifndef KERNEL_ITERATE_INL
#define KERNEL_ITERATE_INL

#include "kernel/step.inl"

/* a step must reduce the error by this share of what its slope promises; else it is halved */
#define MIN_SHARE 0.25
enum { MAX_HALVINGS = 16 };

/* how fast the squared error falls along the step: 2 e^T J step */
static double slope(const kernel_problem *problem, const work *w)
{
    double sum = 0;
    for (int v = 0; v < problem->tree.nv; v++)
        sum += w->step[v] * column_dot(w->jacobian + v * problem->rows, w->error, problem->rows);
    return 2 * sum;
}

static double iterate(const kernel_problem *problem, const kernel_control *control,
                      const lb_transform *targets, double *q, double *share, void *scratch)
{
    double usual = KERNEL_DAMPING_SHARE;
    share = share ? share : &usual;
    work w = work_carve(problem, scratch);
    size_t size = sizeof(double) * (size_t)problem->tree.nq;
    memcpy(w.q, q, size);
    memcpy(w.next, q, size);
    w.targets = (lb_transform *)targets;
    double before, after;
    measure(problem, control, &w, true, &before);
    plan_step(problem, control, damping_squared(control, before, *share), &w);
    double promised = slope(problem, &w);
    for (int i = 0; i < MAX_HALVINGS; i++) {
        take_step(problem, &w);
        // measured where it leads; columns and step stay as they are
        work there = w;
        there.q = w.next;
        measure(problem, control, &there, true, &after);
        double decrease = before - after;
        if (control->accept_all || (decrease > 0 && decrease >= MIN_SHARE * promised)) {
            memcpy(q, w.next, size);
            *share = next_share(*share, i > 0);
            return decrease / before;
        }
        for (int v = 0; v < problem->tree.nv; v++)
            w.step[v] *= 0.5;
        promised *= 0.5;
    }
    return 0;
}

#endif
