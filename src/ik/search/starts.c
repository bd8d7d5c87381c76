/*
 * starts.c - which configuration a try starts from: the one place that decides it, for one problem,
 * for lanes of problems, and for joints of every kind.
 *
 * - Try 0: the user's start; a single try goes on from escapes of stuck configurations.
 * - Tries 1 to 8: seeds, the nearest to the user's start first.
 * - The last of a level: the closest configuration of the level.
 * - All others: a random configuration.
 *
 * Where any solution will do, the seeds come first, the nearest to the target first, and the user's
 * start after them. Where there is no table, the tries that it would have are random.
 *
 * The others only compute: seed_table.c finds seeds and makes random configurations;
 * kernel/seed_table.inl has the arithmetic of lanes. search.c and batch.c call
 * this file, and a start depends on nothing but the problem, the options and the index of the try.
 */
#include "ik/search/starts.h"

#include "base/memory.h"
#include "ik/descent.h"
#include "ik/search/search.h"
#include "ik/search/seed_table.h"
#include "ik/solver.h"
#include "math/scalar.h"

#include <string.h>

/* ---- the table of seeds --------------------------------------------------- */

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
    bool made = ik_seed_table_create(&ik->seed_table, p, ik->ops, ik->options.seeds, neutral,
                                     &ik->allocator);
    memory_release(&ik->allocator, neutral);
    return made;
}

int ik_starts_rows(const lb_ik *ik)
{
    return ik->seed_table.count > 0 ? SEED_CLASSES : 0;
}

/* takes the table's starts until there are `count`, as many at a time as there are lanes */
static void take_starts(const lb_ik *ik, ik_search *s, const kernel_ops *ops, int count)
{
    const size_t nq = (size_t)ik->reduction.problem.tree.nq;
    while (s->tries.starts_taken < count) {
        int left = SEED_CLASSES - s->tries.starts_taken;
        s->tries.starts_taken +=
            ik_seed_table_take_next(&ik->seed_table, ops, &s->tries.choice, s->problem.start,
                                    s->tries.starts + (size_t)s->tries.starts_taken * nq,
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
        double d = ik_distance(ik, &s->problem, s->tries.starts + (size_t)c * nq, &farthest);
        int k = c;
        for (; k > 0 && distances[k - 1] > d; k--) {
            distances[k] = distances[k - 1];
            s->tries.start_order[k] = s->tries.start_order[k - 1];
        }
        distances[k] = d;
        s->tries.start_order[k] = c;
    }
}

/* start `index` of the table */
static const double *table_start(const lb_ik *ik, ik_search *s, int index)
{
    const bool any = ik->options.protocol == LB_PROTOCOL_ANY;
    if (s->tries.starts_taken == 0) {
        ik_seed_table_look(&ik->seed_table, ik->single,
                           (const lb_transform *[]){s->problem.targets},
                           (ik_seed_choice *[]){&s->tries.choice}, 1);
        if (!any)
            sort_starts(ik, s);
    }
    // where any solution will do, those nearest to the target come first
    take_starts(ik, s, s->tries.parallel ? ik->ops : ik->single, index + 1);
    size_t row = (size_t)(any ? index : s->tries.start_order[index]);
    return s->tries.starts + row * (size_t)ik->reduction.problem.tree.nq;
}

/* ---- other starts --------------------------------------------------------- */

/* a start that depends only on the seed and the index of the try */
static const double *random_start(const lb_ik *ik, const ik_search_problem *problem, int attempt,
                                  int lane)
{
    double *q = ik->lane_starts + (size_t)lane * (size_t)ik->reduction.problem.tree.nq;
    lb_random random = lb_random_seed(ik->options.seed * 1000003u + (uint64_t)attempt);
    ik_sample(&ik->reduction.problem, &random, problem->start, problem->targets, q);
    return q;
}

bool ik_starts_escape(lb_ik *ik, ik_search *s, const double *local)
{
    ik_iteration *it = &ik->iteration;
    size_t size = sizeof(double) * (size_t)ik->reduction.problem.tree.nq;
    memcpy(it->q, local, size);
    it->targets = s->problem.targets;
    if (!ik_stuck_escape(it))
        return false;
    memcpy(s->tries.escape_start, it->next, size);
    s->tries.escapes++;
    return true;
}

/* ---- which of them -------------------------------------------------------- */

/*
 * The index of the try from the user's start: the first, but where any solution will do those from
 * the table precede it.
 */
static int own_try(const lb_ik *ik)
{
    bool any = ik->options.protocol == LB_PROTOCOL_ANY;
    return any ? ik_starts_rows(ik) : 0;
}

ik_start_kind ik_starts_kind(const lb_ik *ik, const ik_search *s, int attempt)
{
    if (ik_schedule_ends_level(s, attempt))
        return IK_START_CLOSEST;
    if (attempt == own_try(ik))
        return s->tries.escapes > 0 ? IK_START_ESCAPE : IK_START_OWN;
    return attempt <= ik_starts_rows(ik) ? IK_START_TABLE : IK_START_RANDOM;
}

const double *ik_starts_of(const lb_ik *ik, ik_search *s, int attempt, ik_start_kind kind, int lane)
{
    switch (kind) {
    case IK_START_OWN:
        return s->problem.start;
    case IK_START_ESCAPE:
        return s->tries.escape_start;
    case IK_START_CLOSEST:
        return s->found.level_closest;
    case IK_START_TABLE:
        return table_start(ik, s, attempt - (attempt > own_try(ik)));
    default:
        return random_start(ik, &s->problem, attempt, lane);
    }
}

void ik_starts_look_up(lb_ik *ik, ik_search *const *searches, int count)
{
    const lb_transform *targets[KERNEL_MAX_WIDTH];
    ik_seed_choice *choices[KERNEL_MAX_WIDTH];
    const double *near[KERNEL_MAX_WIDTH];
    double *q[KERNEL_MAX_WIDTH];
    // elsewhere the first try, from the user's start, is most often enough
    if (own_try(ik) == 0 || count == 0)
        return;
    for (int i = 0; i < count; i++) {
        ik_search *s = searches[i];
        targets[i] = s->problem.targets;
        choices[i] = &s->tries.choice;
        near[i] = s->problem.start;
        q[i] = s->tries.starts;
        s->tries.starts_taken = 1;
    }
    ik_seed_table_look(&ik->seed_table, ik->ops, targets, choices, count);
    ik_seed_table_take(&ik->seed_table, ik->ops, choices, near, q, count);
}

/* ---- distance -------------------------------------------------------------- */

double ik_distance(const lb_ik *ik, const ik_search_problem *problem, const double *local,
                   double *farthest)
{
    const kernel_problem *p = &ik->reduction.problem;
    const kernel_variable *x = p->variables, *end = x + p->variable_count;
    double sum = 0, most = 0;
    for (const bool *is_length = ik->reduction.is_length; x < end; x++, is_length++) {
        const double *a = problem->start + x->q, *b = local + x->q;
        double d = fabs(a[0] - b[0]);
        if (x->ball) {
            double dot = fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
            d = 2 * lb_acos(dot);
        }
        // what a variable is mobile by has the unit of its length and its joint's weight in it
        double weighed = d / x->mobility;
        sum += weighed * weighed;
        most = scalar_max(*is_length ? d / ik->reduction.unit : d, most);
    }
    *farthest = most;
    return sum;
}

void ik_distance_unwind(const lb_ik *ik, const ik_search_problem *problem, double *local)
{
    ik->single->unwind(&ik->reduction.problem, (const double *[]){problem->start}, &local, 1);
}
