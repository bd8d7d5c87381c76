/*
 * search.c - the driver: tries, their budgets, and what is kept of them; answer.c chooses.
 *
 * A try is one descent. Try 0 begins at the user's start, the others at seeds in a
 * fixed order; each has its own budget, short at first (a descent that does not
 * arrive soon hardly ever does) and growing when many have failed. The kernel runs
 * as many tries at once as it has lanes; the answer is defined by the tries'
 * indices alone, so it is the same for every width:
 *
 *     the first try that succeeds opens a window of a few tries, one that arrives
 *     very near to the start closes it behind itself; of the solutions inside the
 *     nearest to the start wins.
 *
 * The window is one try where any solution will do.
 */
#include "ik/solver.h"
#include "math/scalar.h"
#include "model/limits.h"
#include "model/range.h"

#include <limits.h>
#include <string.h>

/* other solutions differ by a flip of some joint, hardly ever by less than this (radians) */
#define SURELY_NEAREST 1.0
/* what is nearer than this (radians) is nearest on its own turn: half a turn but for rounding */
#define SAME_TURN 3.14
/* a try has stalled when two iterations win less than this share of the error: from the user's
   start while there is a table of better ones; from others; when many have failed; when there is
   no other try */
#define MIN_DECREASE_FIRST 0.75
#define MIN_DECREASE 0.3
#define MIN_DECREASE_LATER 0.1
#define MIN_DECREASE_SINGLE 0.01

/*
 * Tries come in levels. Each level doubles the budgets, up to a point, and its last try
 * goes on from the closest of the others for as long as it wins anything. When
 * that ends at the same error on several levels there is nothing nearer to be found.
 */
enum {
    LEVEL_TRIES = 17,
    LEVEL_TRIES_BEYOND = 4, /* when the goal is known to be out of reach one small level will do */
    LEVEL_DOUBLINGS = 4,
    LEVELS_AGREEING = 6,
};
/* times that a try without others may be freed: at its start, and where that leads */
enum { MAX_ESCAPES = 3 };
/* radians and lengths: what lies this near to a solution is not given up before all tries are made;
   of a million reachable goals two or three end there six times over */
#define NEAR_MISS 0.1
/* errors of one local minimum agree to this share */
#define SAME_ERROR 1e-3

/* ---- near and far -------------------------------------------------------- */

/* how far a configuration is from the start, and the farthest of its joints */
static double distance(const lb_ik *ik, const ik_search *s, const double *local, double *farthest)
{
    const kernel_problem *p = &ik->reduction.problem;
    const kernel_variable *x = p->variables, *end = x + p->variable_count;
    double sum = 0, most = 0;
    for (const bool *way = ik->reduction.ways; x < end; x++, way++) {
        const double *a = s->start + x->q, *b = local + x->q;
        double d = fabs(a[0] - b[0]);
        if (x->ball) {
            double dot = fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
            d = 2 * lb_acos(dot);
        } else if (*way) {
            d /= ik->reduction.unit;
        }
        sum += d * d;
        most = scalar_max(d, most);
    }
    *farthest = most;
    return sum;
}

/* ---- tries ---------------------------------------------------------------- */

/* most tries are of the first, which costs no division */
static int level_of(const ik_search *s, int attempt)
{
    return attempt < s->level_tries ? 0 : attempt / s->level_tries;
}

static bool is_last_of_level(const ik_search *s, int attempt)
{
    return s->level_tries > 1 && attempt + 1 == (level_of(s, attempt) + 1) * s->level_tries;
}

static int try_budget(const lb_ik *ik, const ik_search *s, int attempt)
{
    int budget = ik->method->iterations;
    if (ik->options.protocol == LB_PROTOCOL_GIVEN && ik->options.iterations > 0)
        return ik->options.iterations;
    if (s->level_tries == 1 || is_last_of_level(s, attempt))
        return IK_LONG_BUDGET * budget;
    int level = level_of(s, attempt);
    return budget << (level < LEVEL_DOUBLINGS ? level : LEVEL_DOUBLINGS);
}

/* how many tries there may be as far as iterations do not matter */
static int most_tries(const lb_ik *ik, const ik_search *s)
{
    if (ik->options.protocol == LB_PROTOCOL_GIVEN)
        return 1;
    if ((s->beyond > 0 || s->proved) && ik->method->levels > 0)
        return s->level_tries;
    if (ik->options.iterations > 0)
        return IK_MAX_TRIES;
    return ik->method->levels > 0 ? ik->method->levels * s->level_tries : 1;
}

/* the tries that a budget of iterations pays for, the last of them perhaps in part */
static void plan_tries(const lb_ik *ik, ik_search *s)
{
    int most = most_tries(ik, s), budget = ik->options.iterations;
    s->tries = budget > 0 ? 0 : most;
    while (s->tries < most && budget > 0)
        budget -= try_budget(ik, s, s->tries++);
    s->budget_shortfall = budget < 0 ? -budget : 0;
}

/* what a try may use of its budget: the last one what is left of the whole */
static int paid_budget(const lb_ik *ik, const ik_search *s, int attempt)
{
    return try_budget(ik, s, attempt) - (attempt == s->tries - 1 ? s->budget_shortfall : 0);
}

/* the iterations that a try which was freed, always the only one, has used already */
static int used(const ik_search *s)
{
    return s->freed > 0 ? s->iterations[0] : 0;
}

int ik_search_own_try(const lb_ik *ik)
{
    bool table = ik->seeds.count > 0 && ik->options.protocol == LB_PROTOCOL_ANY;
    return table ? SEED_CLASSES : 0;
}

/* takes the table's starts until there are so many, by lanes or one by one */
static void take_starts(const lb_ik *ik, ik_search *s, const kernel_ops *ops, int count)
{
    const size_t nq = (size_t)ik->reduction.problem.tree.nq;
    while (s->looked < count) {
        int left = SEED_CLASSES - s->looked;
        s->looked += ik_seeds_take_next(&ik->seeds, ops, &s->choice, s->start,
                                        s->starts + (size_t)s->looked * nq,
                                        left < ops->width ? left : ops->width);
    }
}

/* all of the table's starts, nearest to the user's first */
static void sort_starts(const lb_ik *ik, ik_search *s)
{
    size_t nq = (size_t)ik->reduction.problem.tree.nq;
    double far[SEED_CLASSES], farthest;
    take_starts(ik, s, ik->ops, SEED_CLASSES);
    for (int c = 0; c < SEED_CLASSES; c++) {
        double d = distance(ik, s, s->starts + (size_t)c * nq, &farthest);
        int k = c;
        for (; k > 0 && far[k - 1] > d; k--) {
            far[k] = far[k - 1];
            s->order[k] = s->order[k - 1];
        }
        far[k] = d;
        s->order[k] = c;
    }
}

/* where the table says that try `index` of it begins; they are asked for in order */
static const double *table_start(const lb_ik *ik, ik_search *s, int index)
{
    const bool any = ik->options.protocol == LB_PROTOCOL_ANY;
    if (s->looked == 0) {
        ik_seeds_look(&ik->seeds, ik->single, (const lb_transform *[]){s->targets},
                      (ik_seed_choice *[]){&s->choice}, 1);
        if (!any)
            sort_starts(ik, s);
    }
    // where any solution will do those nearest to the goal come first
    take_starts(ik, s, s->together ? ik->ops : ik->single, index + 1);
    size_t row = (size_t)(any ? index : s->order[index]);
    return s->starts + row * (size_t)ik->reduction.problem.tree.nq;
}

void ik_search_look(lb_ik *ik, ik_search *const *searches, int count)
{
    const lb_transform *goals[KERNEL_MAX_WIDTH];
    ik_seed_choice *choices[KERNEL_MAX_WIDTH];
    const double *near[KERNEL_MAX_WIDTH];
    double *q[KERNEL_MAX_WIDTH];
    if (ik_search_own_try(ik) == 0 || count == 0)
        return;
    for (int i = 0; i < count; i++) {
        ik_search *s = searches[i];
        goals[i] = s->targets;
        choices[i] = &s->choice;
        near[i] = s->start;
        q[i] = s->starts;
        s->looked = 1;
    }
    ik_seeds_look(&ik->seeds, ik->ops, goals, choices, count);
    ik_seeds_take(&ik->seeds, ik->ops, choices, near, q, count);
}

/* a start that depends on the seed and the index of the try alone */
static const double *random_start(const lb_ik *ik, const ik_search *s, int attempt, int lane)
{
    double *q = ik->lane_starts + (size_t)lane * (size_t)ik->reduction.problem.tree.nq;
    lb_random random = lb_random_seed(ik->options.seed * 1000003u + (uint64_t)attempt);
    ik_seeds_random(&ik->reduction.problem, &random, s->start, q);
    return q;
}

static const double *try_start(const lb_ik *ik, ik_search *s, int attempt, int lane)
{
    int table = ik->seeds.count > 0 ? SEED_CLASSES : 0, own = ik_search_own_try(ik);
    if (attempt == own)
        return s->freed > 0 ? s->again : s->start;
    if (attempt > table)
        return random_start(ik, s, attempt, lane);
    return table_start(ik, s, attempt - (attempt > own));
}

/* how much two iterations must win: a lot at first, as there are better starts to try */
static double try_min_decrease(const lb_ik *ik, const ik_search *s, int attempt)
{
    if (is_last_of_level(s, attempt))
        return IK_MIN_DECREASE_LAST;
    if (s->level_tries == 1)
        return MIN_DECREASE_SINGLE;
    if (attempt == 0 && ik_search_own_try(ik) == 0 && ik->seeds.count > 0)
        return MIN_DECREASE_FIRST;
    return attempt < s->level_tries ? MIN_DECREASE : MIN_DECREASE_LATER;
}

bool ik_search_next(lb_ik *ik, ik_search *s, int lane, kernel_job *job)
{
    if (s->next >= s->tries || s->next >= s->end)
        return false;
    bool last = is_last_of_level(s, s->next);
    // the last of a level waits for the others, and the next level for it
    if (s->finished < s->next && (last || s->next % s->level_tries == 0))
        return false;
    int attempt = s->next++;
    // methods that step on their own make one try at a time, this one next
    ik->iteration.proved_unreachable = s->beyond > 0;
    *job = (kernel_job){.start = last ? s->level_closest : try_start(ik, s, attempt, lane),
                        .targets = s->targets,
                        .iterations = paid_budget(ik, s, attempt) - used(s),
                        .min_decrease = try_min_decrease(ik, s, attempt),
                        .monotone = last || s->level_tries == 1,
                        .tag = attempt};
    return true;
}

/* ---- solutions ------------------------------------------------------------ */

void ik_search_unwind(const lb_ik *ik, const ik_search *s, double *local)
{
    ik->single->unwind(&ik->reduction.problem, (const double *[]){s->start}, &local, 1);
}

static void keep_candidate(lb_ik *ik, ik_search *s, int attempt, const double *local)
{
    // of two tries in one place only the lower index can still win
    int place = attempt % IK_WINDOW;
    ik_candidate *c = &s->candidates[place];
    if ((s->found >> place & 1) != 0 && c->attempt < attempt)
        return;
    s->found |= 1u << place;
    c->attempt = attempt;
    c->distance = 0;
    // where the nearest is wanted that is done here, as far as it matters
    c->unwound = ik->options.protocol == LB_PROTOCOL_NEAREST;
    memcpy(c->local, local, sizeof(double) * (size_t)ik->reduction.problem.tree.nq);
    bool alone = true;
    if (ik->options.protocol == LB_PROTOCOL_NEAREST) {
        double farthest;
        c->distance = distance(ik, s, local, &farthest);
        if (farthest > SAME_TURN) {
            ik_search_unwind(ik, s, c->local);
            c->distance = distance(ik, s, c->local, &farthest);
        }
        alone = farthest < SURELY_NEAREST;
    }
    int end = attempt + (alone ? 1 : IK_WINDOW);
    s->end = end < s->end ? end : s->end;
}

void ik_search_end_level(const lb_ik *ik, ik_search *s)
{
    bool same = fabs(s->level_least - s->last_least) <= SAME_ERROR * s->last_least;
    s->agreeing = same ? s->agreeing + 1 : 1;
    s->last_least = s->level_least;
    if (s->level_least < s->least) {
        s->least = s->level_least;
        s->closest = memcpy(s->best, s->level_closest,
                            sizeof(double) * (size_t)ik->reduction.problem.tree.nq);
    }
    s->level_least = INFINITY;
}

/* remembers what came closest */
static void keep_closest(const lb_ik *ik, ik_search *s, int attempt, const kernel_result *answer)
{
    // equals go to the lower index, whichever ended first
    bool closer = answer->error < s->level_least ||
                  (answer->error == s->level_least && attempt < s->level_attempt);
    if (closer) {
        s->level_least = answer->error;
        s->level_attempt = attempt;
        s->level_closest = memcpy(s->level_best, answer->q,
                                  sizeof(double) * (size_t)ik->reduction.problem.tree.nq);
    }
    if (attempt == s->tries - 1 || is_last_of_level(s, attempt))
        s->moving = answer->end == KERNEL_SPENT;
    if (!is_last_of_level(s, attempt))
        return;
    ik_search_end_level(ik, s);
    if (s->agreeing >= LEVELS_AGREEING && s->last_least > NEAR_MISS)
        s->tries = s->next;
}

/* a try that has no others to follow it goes on from where the stuck get free, if they do */
static void go_on(lb_ik *ik, ik_search *s, const kernel_result *answer)
{
    ik_iteration *it = &ik->iteration;
    size_t size = sizeof(double) * (size_t)ik->reduction.problem.tree.nq;
    int left = paid_budget(ik, s, 0) - s->iterations[0];
    if (s->tries > 1 || answer->end != KERNEL_STALLED || left <= 0 || s->freed >= MAX_ESCAPES ||
        ik->options.no_nudge || s->beyond > 0 || !ik_iteration_by_kernel(it))
        return;
    memcpy(it->q, answer->q, size);
    it->targets = s->targets;
    if (!ik_stuck_free(it))
        return;
    memcpy(s->again, it->next, size);
    s->freed++;
    s->next = s->finished = 0;
}

int ik_search_finish(lb_ik *ik, ik_search *s, int attempt, const kernel_result *answer)
{
    s->iterations[attempt] = used(s) + answer->iterations;
    s->finished++;
    if (answer->end == KERNEL_CONVERGED) {
        keep_candidate(ik, s, attempt, answer->q);
    } else {
        keep_closest(ik, s, attempt, answer);
        go_on(ik, s, answer);
    }
    return s->end;
}

/* ---- the question --------------------------------------------------------- */

bool ik_search_in_range(const lb_ik *ik, const double *local)
{
    bool inside = true;
    for (int i = 0; i < ik->reduction.problem.tree.nq; i++)
        inside &= range_has(local[i]);
    return inside;
}

/* takes over the starts; answers a bit for each search whose start is numbers */
static unsigned accept_starts(const lb_ik *ik, const kernel_ops *ops, ik_search *const *searches,
                              const double *const *starts, int count)
{
    double *to[KERNEL_MAX_WIDTH];
    for (int k = 0; k < count; k++)
        to[k] = searches[k]->model_start;
    unsigned sound = limits_clamp(ik->model, ops, starts, to, count);
    for (int k = 0; k < count; k++) {
        ik_gather(&ik->reduction, to[k], searches[k]->start);
        if (!ik_search_in_range(ik, searches[k]->start))
            sound &= ~(1u << k);
    }
    return sound;
}

/* takes over the targets; answers a bit for each search whose targets mean something */
static unsigned accept_targets(const lb_ik *ik, const kernel_ops *ops, ik_search *const *searches,
                               const lb_transform *const *targets, int count)
{
    const lb_transform *from[KERNEL_MAX_WIDTH];
    lb_transform *to[KERNEL_MAX_WIDTH];
    unsigned sound = (1u << count) - 1;
    for (int i = 0; i < ik->task_count; i++) {
        const kernel_target_map aim = ik_reduction_target_map(&ik->reduction, i);
        for (int k = 0; k < count; k++) {
            from[k] = &targets[k][i];
            to[k] = &searches[k]->targets[i];
            if (!range_has_point(from[k]->p))
                sound &= ~(1u << k);
        }
        sound &= ops->transform_targets(&aim, from, to, count);
    }
    return sound;
}

static double greatest(lb_vec3 a)
{
    return scalar_max(fabs(a.x), scalar_max(fabs(a.y), fabs(a.z)));
}

/* by how much the targets lie outside of what the links can span; 0: that proves nothing */
static double beyond_reach(const lb_ik *ik, const ik_search *s)
{
    double beyond = 0;
    for (int i = 0; i < ik->task_count; i++) {
        const ik_reach *reach = &ik->reduction.reaches[i];
        const kernel_task *task = &ik->reduction.problem.tasks[i];
        if (!task->goal.position)
            continue;
        lb_vec3 whole = lb_vec3_sub(s->targets[i].p, reach->shoulder);
        lb_vec3 way = kernel_locus_rows(&task->goal.locus, &s->targets[i], whole);
        double room = reach->radius + ik->control.position_tolerance;
        double square = lb_vec3_dot(way, way);
        // most are within reach, which takes no root
        if (square <= room * room)
            continue;
        double far = sqrt(square);
        // by more than the rounding of the sums
        if (far - room > 1e-12 * scalar_max(room, greatest(whole)))
            beyond = scalar_max((far - reach->radius) * ik->reduction.unit, beyond);
    }
    return beyond;
}

/* a search whose question has been accepted */
static void begin(const lb_ik *ik, ik_search *s, const lb_transform *targets)
{
    s->given = targets;
    s->together = false;
    s->beyond = beyond_reach(ik, s);
    s->level_tries = ik->options.protocol == LB_PROTOCOL_GIVEN ? 1
                     : s->beyond > 0                           ? LEVEL_TRIES_BEYOND
                                                               : LEVEL_TRIES;
    plan_tries(ik, s);
    s->next = s->finished = s->agreeing = s->freed = s->local = s->looked = 0;
    s->end = INT_MAX;
    s->found = 0;
    s->least = s->level_least = s->last_least = INFINITY;
    s->level_attempt = 0;
    s->moving = s->proved = false;
    s->closest = s->level_closest = s->start;
}

void ik_search_expect_none(const lb_ik *ik, ik_search *s)
{
    s->proved = true;
    s->level_tries = LEVEL_TRIES_BEYOND;
    plan_tries(ik, s);
}

unsigned ik_search_begin_some(lb_ik *ik, const kernel_ops *ops, ik_search *const *searches,
                              const lb_transform *const *targets, const double *const *starts,
                              int count)
{
    unsigned sound = accept_targets(ik, ops, searches, targets, count) &
                     accept_starts(ik, ops, searches, starts, count);
    for (int k = 0; k < count; k++)
        if (sound >> k & 1)
            begin(ik, searches[k], targets[k]);
    return sound;
}

bool ik_search_begin(lb_ik *ik, ik_search *s, const lb_transform *targets, const double *start)
{
    return ik_search_begin_some(ik, ik->single, &s, &targets, &start, 1) != 0;
}
