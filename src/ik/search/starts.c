/* starts.c - where tries start: at the user's start, at seeds of the table, at random. */
#include "ik/search/starts.h"

#include "base/memory.h"
#include "ik/solver.h"
#include "math/scalar.h"

bool ik_starts_create(lb_ik *ik)
{
    const kernel_problem *p = &ik->reduction.problem;
    size_t local = (size_t)p->tree.nq, nq = (size_t)ik->model->tree.nq;
    double *neutral = memory_take(&ik->allocator, local + nq, sizeof(double));
    if (!neutral)
        return false;
    // variables without limits are sampled about the neutral configuration
    lb_configuration_neutral(ik->model, neutral + local);
    ik_gather(&ik->reduction, neutral + local, neutral);
    bool made = ik_seeds_create(&ik->seeds, p, ik->ops, ik->options.seeds, neutral, &ik->allocator);
    memory_release(&ik->allocator, neutral);
    return made;
}

/* ---- distances ------------------------------------------------------------ */

double ik_starts_distance(const lb_ik *ik, const ik_search *s, const double *local,
                          double *farthest)
{
    const kernel_problem *p = &ik->reduction.problem;
    const kernel_variable *x = p->variables, *end = x + p->variable_count;
    double sum = 0, most = 0;
    for (const bool *is_length = ik->reduction.is_length; x < end; x++, is_length++) {
        const double *a = s->start + x->q, *b = local + x->q;
        double d = fabs(a[0] - b[0]);
        if (x->ball) {
            double dot = fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
            d = 2 * lb_acos(dot);
        } else if (*is_length) {
            d /= ik->reduction.unit;
        }
        sum += d * d;
        most = scalar_max(d, most);
    }
    *farthest = most;
    return sum;
}

void ik_starts_unwind(const lb_ik *ik, const ik_search *s, double *local)
{
    ik->single->unwind(&ik->reduction.problem, (const double *[]){s->start}, &local, 1);
}

/* ---- starts from the table ------------------------------------------------ */

int ik_starts_own_try(const lb_ik *ik)
{
    bool table = ik->seeds.count > 0 && ik->options.protocol == LB_PROTOCOL_ANY;
    return table ? SEED_CLASSES : 0;
}

/* takes the table's starts until there are `count`, as many at a time as there are lanes */
static void take_starts(const lb_ik *ik, ik_search *s, const kernel_ops *ops, int count)
{
    const size_t nq = (size_t)ik->reduction.problem.tree.nq;
    while (s->starts_taken < count) {
        int left = SEED_CLASSES - s->starts_taken;
        s->starts_taken += ik_seeds_take_next(&ik->seeds, ops, &s->choice, s->start,
                                              s->starts + (size_t)s->starts_taken * nq,
                                              left < ops->width ? left : ops->width);
    }
}

/* all of the table's starts, ordered by their distance from the user's */
static void sort_starts(const lb_ik *ik, ik_search *s)
{
    size_t nq = (size_t)ik->reduction.problem.tree.nq;
    double distances[SEED_CLASSES], farthest;
    take_starts(ik, s, ik->ops, SEED_CLASSES);
    for (int c = 0; c < SEED_CLASSES; c++) {
        double d = ik_starts_distance(ik, s, s->starts + (size_t)c * nq, &farthest);
        int k = c;
        for (; k > 0 && distances[k - 1] > d; k--) {
            distances[k] = distances[k - 1];
            s->start_order[k] = s->start_order[k - 1];
        }
        distances[k] = d;
        s->start_order[k] = c;
    }
}

/* start `index` of the table */
static const double *table_start(const lb_ik *ik, ik_search *s, int index)
{
    const bool any = ik->options.protocol == LB_PROTOCOL_ANY;
    if (s->starts_taken == 0) {
        ik_seeds_look(&ik->seeds, ik->single, (const lb_transform *[]){s->targets},
                      (ik_seed_choice *[]){&s->choice}, 1);
        if (!any)
            sort_starts(ik, s);
    }
    // where any solution will do, those nearest to the target come first
    take_starts(ik, s, s->parallel ? ik->ops : ik->single, index + 1);
    size_t row = (size_t)(any ? index : s->start_order[index]);
    return s->starts + row * (size_t)ik->reduction.problem.tree.nq;
}

void ik_starts_look_up(lb_ik *ik, ik_search *const *searches, int count)
{
    const lb_transform *targets[KERNEL_MAX_WIDTH];
    ik_seed_choice *choices[KERNEL_MAX_WIDTH];
    const double *near[KERNEL_MAX_WIDTH];
    double *q[KERNEL_MAX_WIDTH];
    if (ik_starts_own_try(ik) == 0 || count == 0)
        return;
    for (int i = 0; i < count; i++) {
        ik_search *s = searches[i];
        targets[i] = s->targets;
        choices[i] = &s->choice;
        near[i] = s->start;
        q[i] = s->starts;
        s->starts_taken = 1;
    }
    ik_seeds_look(&ik->seeds, ik->ops, targets, choices, count);
    ik_seeds_take(&ik->seeds, ik->ops, choices, near, q, count);
}

/* ---- starts of tries ------------------------------------------------------ */

/* a start that depends only on the seed and the index of the try */
static const double *random_start(const lb_ik *ik, const ik_search *s, int attempt, int lane)
{
    double *q = ik->lane_starts + (size_t)lane * (size_t)ik->reduction.problem.tree.nq;
    lb_random random = lb_random_seed(ik->options.seed * 1000003u + (uint64_t)attempt);
    ik_seeds_random(&ik->reduction.problem, &random, s->start, q);
    return q;
}

const double *ik_starts_of(const lb_ik *ik, ik_search *s, int attempt, int lane)
{
    int table = ik->seeds.count > 0 ? SEED_CLASSES : 0, own = ik_starts_own_try(ik);
    if (attempt == own)
        return s->escapes > 0 ? s->escape_start : s->start;
    if (attempt > table)
        return random_start(ik, s, attempt, lane);
    return table_start(ik, s, attempt - (attempt > own));
}
