/* solutions.c - every configuration that reaches a target. */
#include "binding.h"

/* NULL beyond the last */
const char *EXPORT(arm_class_text)(int arm_class)
{
    return arm_class < LB_ARM_CLASS_COUNT ? lb_arm_class_text((lb_arm_class)arm_class) : NULL;
}

/* Options in the order: copies, out of limits, redundancy, condition, length, width. */
static lb_solutions_options read_options(const double *n)
{
    lb_solutions_options o = lb_solutions_options_default();
    o.copies = n[0] != 0;
    o.out_of_limits = n[1] != 0;
    o.redundancy = (int)n[2];
    o.condition = n[3] != 0;
    o.length = n[4];
    o.width = (int)n[5];
    return o;
}

lb_solutions_solver *EXPORT(solutions_create)(const lb_model *model, const double *task_numbers,
                                              const double *option_numbers)
{
    lb_solutions_solver *solver = NULL;
    lb_task task = task_from(task_numbers);
    lb_solutions_options options = read_options(option_numbers);
    lb_solutions_create(model, &task, &options, NULL, &solver, &binding_error);
    return solver;
}

void EXPORT(solutions_release)(lb_solutions_solver *solver)
{
    lb_solutions_release(solver);
}

int EXPORT(solutions_class)(const lb_solutions_solver *solver)
{
    return (int)lb_solutions_class(solver);
}

int EXPORT(solutions_describe)(const lb_solutions_solver *solver, char *text, int size)
{
    return (int)lb_solutions_describe(solver, text, (size_t)size);
}

/* bytes of `capacity` solutions, as solutions_find needs them */
int EXPORT(solutions_size)(int capacity)
{
    return capacity * (int)sizeof(lb_solution);
}

static void put_summary(double *out, const lb_solutions_summary *s)
{
    const double numbers[] = {
        (double)s->outcome, (double)s->reason, s->count,     s->in_limits,
        s->complete,        s->certified,      s->truncated, (double)s->family_count};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *out++ = numbers[i];
    for (int i = 0; i < LB_SOLUTION_JOINTS; i++)
        *out++ = s->family[i];
}

/*
 * Lists the solutions of one target (12 numbers): rows of q, SOLUTION_NUMBERS of each in `infos`
 * and SUMMARY_NUMBERS of all. `work` has solutions_size(capacity) bytes. Returns how many.
 */
int EXPORT(solutions_find)(lb_solutions_solver *solver, const double *target, const double *start,
                           int capacity, double *q, lb_solution *work, double *infos,
                           double *summary)
{
    lb_solutions_summary all;
    lb_transform goal = transform_from(target);
    int count = lb_solutions(solver, &goal, start, capacity, q, work, &all);
    put_summary(summary, &all);
    for (int i = 0; i < count; i++) {
        const lb_solution *s = &work[i];
        const double numbers[] = {
            s->branch,         s->in_limits, s->joint,        s->beyond, s->position_error,
            s->rotation_error, s->condition, s->multiplicity, s->family, s->distance};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            *infos++ = numbers[k];
    }
    return count;
}
