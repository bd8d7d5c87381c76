/*
 * branch.c - which solution continues which along a path, and which branch leads farthest.
 *
 * Solutions of two near places belong together when they are near each other and far from all
 * others; where that is not clear the path between is halved. To choose a branch, all are
 * followed at once to where they end: of each joint only how far it went to either side is kept,
 * which decides on which of its turns it would stay inside the limits.
 */
#include "motion/branch.h"

#include "base/error.h"
#include "base/memory.h"
#include "kinematics/state.h"
#include "math/dense.h"
#include "math/scalar.h"

#include <string.h>

#define WHOLE_TURN (2 * LB_PI)
/* where two branches touch, the path goes on along either: their distance, radians or metres */
#define TOUCHING 1e-3
/* joints that move by less in a piece hardly bend in it; radians or metres */
#define STRAIGHT 0.02
/* how far half-way is from the mean of a piece's ends, as a share of the step: a fold is no piece
 */
#define BENT 0.25
/* a determinant's smallest pivot, as a share of its largest entry, that rounding decides */
#define SIGNLESS 1e-14
/* metres and radians off the path: joints that go straight through a singularity so near to it
   keep what a motion promises, with room for what it adds */
#define BESIDE 3e-8

/* A branch that is being followed; arrays of as many numbers as there are values. */
struct branch_thread {
    double *first;      /* the solution it began with */
    double *low, *high; /* how far it went from there, <= 0 and >= 0 */
    double *q;          /* where it is, a whole configuration; on the first one's turns */
    int end;            /* the last frame that it reaches */
    bool alive, confirmed;
};

/* ---- making ------------------------------------------------------------- */

/* the angles and lengths of a model that solutions may change */
static int read_values(const lb_model *model, branch_value *values)
{
    int count = 0;
    for (int i = 0; i < lb_model_joint_count(model); i++) {
        const lb_joint *joint = lb_model_joint(model, i);
        bool turns = joint->kind == LB_JOINT_REVOLUTE || joint->kind == LB_JOINT_CONTINUOUS;
        if (joint->mimic || (!turns && joint->kind != LB_JOINT_PRISMATIC))
            continue;
        bool limited = joint->kind != LB_JOINT_CONTINUOUS;
        values[count++] = (branch_value){.joint = i,
                                         .q = lb_model_joint_q(model, i),
                                         .is_angle = turns,
                                         .lower = limited ? joint->lower[0] : -INFINITY,
                                         .upper = limited ? joint->upper[0] : INFINITY,
                                         .step = INFINITY};
    }
    return count;
}

/* the task's rows at q, relative to the base; returns the first of them */
static const double *jacobian_at(const branches *b, const double *q)
{
    int size = 6 * lb_model_nv(b->model);
    lb_state_update(b->state, q);
    relative_jacobian(b->state, b->task.base, b->task.tip, b->task.tool.p, b->jacobian + size,
                      b->jacobian);
    return b->task.kind == LB_TASK_ROTATION ? b->jacobian + size / 2 : b->jacobian;
}

/* which columns a determinant has: where values move the tool, if they are as many as its rows */
static void find_moving(branches *b)
{
    int nv = lb_model_nv(b->model), rows = lb_task_rows(b->task.kind), count = 0;
    lb_random random = lb_random_seed(1);
    lb_configuration_random(b->model, &random, b->next);
    const double *j = jacobian_at(b, b->next);
    for (int v = 0; v < nv; v++) {
        double most = 0;
        for (int r = 0; r < rows; r++)
            most = scalar_max(most, fabs(j[r * nv + v]));
        if (most > 0)
            b->moving[count++] = v;
    }
    b->order = count == rows ? count : 0;
}

/* for all solutions of a place, and the threads that start there */
static lb_status take_memory(branches *b, const lb_allocator *memory, lb_error *error)
{
    size_t nq = (size_t)b->nq, values = (size_t)b->count;
    b->rows = memory_take(memory, LB_SOLUTIONS_MAX * nq, sizeof(double));
    b->next = memory_take(memory, 3 * nq, sizeof(double));
    b->threads = memory_take(memory, LB_SOLUTIONS_MAX, sizeof *b->threads);
    for (int i = 0; b->threads != NULL && i < LB_SOLUTIONS_MAX; i++)
        b->threads[i] = (branch_thread){.first = memory_take(memory, values, sizeof(double)),
                                        .low = memory_take(memory, values, sizeof(double)),
                                        .high = memory_take(memory, values, sizeof(double)),
                                        .q = memory_take(memory, nq, sizeof(double))};
    lb_status status = lb_state_create(b->model, memory, &b->state);
    size_t nv = (size_t)lb_model_nv(b->model);
    b->jacobian = memory_take(memory, 12 * nv, sizeof(double));
    b->moving = memory_take(memory, nv, sizeof *b->moving);
    if (status != LB_OK || memory_pool_failed(memory))
        return error_out_of_memory(error);
    b->ahead = b->next + nq;
    b->middle = b->ahead + nq;
    find_moving(b);
    return LB_OK;
}

lb_status branches_create(branches *b, const lb_model *model, const lb_task *task,
                          const lb_path *path, bool wanted, const lb_ik_options *options,
                          const lb_allocator *pool, lb_error *error)
{
    *b = (branches){.path = path, .model = model, .task = *task, .nq = lb_model_nq(model)};
    size_t joints = (size_t)lb_model_joint_count(model);
    b->values = memory_take(pool, joints, sizeof *b->values);
    TRY(require_memory(error, b->values));
    b->count = read_values(model, b->values);
    if (!wanted)
        return LB_OK;
    lb_solutions_options all = lb_solutions_options_default();
    all.out_of_limits = true;
    all.length = options->length;
    all.width = options->width;
    lb_error unsupported;
    lb_status status = lb_solutions_create(model, task, &all, pool, &b->solver, &unsupported);
    if (status == LB_OK && lb_solutions_class(b->solver) != LB_ARM_REDUNDANT)
        return take_memory(b, pool, error);
    lb_solutions_release(b->solver);
    b->solver = NULL;
    if (status == LB_OUT_OF_MEMORY)
        return error_out_of_memory(error);
    return LB_OK;
}

void branches_limit_steps(branches *b, const pace *speeds, double jump)
{
    for (int i = 0; i < b->count; i++) {
        double step = pace_step(speeds, lb_model_joint(speeds->model, b->values[i].joint));
        b->values[i].step = jump > 0 ? scalar_min(jump, step) : step;
    }
}

double branches_share(int frame, int frames)
{
    return frames > 1 ? (double)frame / (frames - 1) : 1;
}

/* ---- distances ---------------------------------------------------------- */

/* how far a value moves, by the smaller turn */
static double difference(const branch_value *value, const double *from, const double *to)
{
    double d = to[value->q] - from[value->q];
    return value->is_angle ? lb_wrap_angle(d) : d;
}

/* the largest step, by the smaller turns */
static double distance(const branches *b, const double *from, const double *to)
{
    double most = 0;
    for (int i = 0; i < b->count; i++)
        most = scalar_max(fabs(difference(&b->values[i], from, to)), most);
    return most;
}

int branches_beyond(const branches *b, const double *q, double tolerance)
{
    int worst = -1;
    double most = tolerance;
    for (int i = 0; i < b->count; i++) {
        const branch_value *value = &b->values[i];
        double out = scalar_max(value->lower - q[value->q], q[value->q] - value->upper);
        if (out <= most)
            continue;
        most = out;
        worst = value->joint;
    }
    return worst;
}

/* ---- from place to place ------------------------------------------------ */

int branches_list(branches *b, double share, const double *start)
{
    lb_solutions_summary summary;
    lb_transform goal = lb_path_at(b->path, share);
    return lb_solutions(b->solver, &goal, start, LB_SOLUTIONS_MAX, b->rows, b->infos, &summary);
}

/* how a listed solution was found to continue another */
typedef enum match_kind { MATCH_NONE, MATCH_TOUCHING, MATCH_CLEAR } match_kind;

/* the listed solution that continues `from`, to the same turns; where it is not clear which, but
   two branches touch or it is the `last` try, the nearest, or (`second`) the one after it */
static match_kind match(const branches *b, int count, const double *from, bool last, bool second,
                        double *to)
{
    double least[2] = {INFINITY, INFINITY};
    const double *found[2] = {NULL, NULL};
    for (int i = 0; i < count; i++) {
        const double *row = b->rows + (size_t)i * (size_t)b->nq;
        double d = distance(b, from, row);
        int place = d < least[0] ? 0 : 1;
        if (d >= least[place])
            continue;
        least[1] = place == 0 ? least[0] : d;
        found[1] = place == 0 ? found[0] : row;
        if (place == 0) {
            least[0] = d;
            found[0] = row;
        }
    }
    bool clear = least[0] <= BRANCH_STEP && least[0] * BRANCH_DISTINCT <= least[1];
    if (!clear && !(least[last ? 0 : 1] <= TOUCHING))
        return MATCH_NONE;
    const double *row = found[!clear && second && least[1] <= TOUCHING];
    memmove(to, from, (size_t)b->nq * sizeof *to);
    for (int i = 0; i < b->count; i++)
        to[b->values[i].q] += difference(&b->values[i], from, row);
    return clear ? MATCH_CLEAR : MATCH_TOUCHING;
}

bool branches_settle(branches *b, double share, double *q)
{
    int count = branches_list(b, share, q);
    return match(b, count, q, false, false, q) == MATCH_CLEAR;
}

/* the sign of the Jacobian's determinant at q, which only a singularity changes; 0: not known */
static int sign_at(const branches *b, const double *q)
{
    int n = b->order, nv = lb_model_nv(b->model), pivots[6], sign = 1;
    double a[36];
    const double *j = n > 0 ? jacobian_at(b, q) : NULL;
    for (int i = 0; i < n * n; i++)
        a[i] = j[i / n * nv + b->moving[i % n]];
    if (n == 0 || dense_lu_factor(n, a, pivots) < SIGNLESS)
        return 0;
    for (int i = 0; i < n; i++)
        sign *= (pivots[i] == i ? 1 : -1) * (a[i * n + i] > 0 ? 1 : -1);
    return sign;
}

/* whether the tool stays beside the path where all joints go straight from one end of a piece to
   the other, as through a singularity that the path passes too closely to go round it */
static bool stays_beside(branches *b, double begin, const double *from, double end)
{
    enum { PARTS = 4 };
    for (int k = 1; k < PARTS; k++) {
        double part = (double)k / PARTS, position, rotation;
        lb_transform goal = lb_path_at(b->path, begin + part * (end - begin));
        for (int i = 0; i < b->nq; i++)
            b->middle[i] = from[i] + part * (b->ahead[i] - from[i]);
        lb_state_update(b->state, b->middle);
        lb_task_error(b->state, &b->task, &goal, &position, &rotation);
        if (!(position <= BESIDE && rotation <= BESIDE))
            return false;
    }
    return true;
}

/* whether a value may come to its limits within a step */
static bool is_near_limit(const branches *b, const double *from, double step)
{
    for (int i = 0; i < b->count; i++) {
        const branch_value *value = &b->values[i];
        double q[2] = {from[value->q], b->ahead[value->q]};
        if (scalar_min(q[0], q[1]) < value->lower + step ||
            scalar_max(q[0], q[1]) > value->upper - step)
            return true;
    }
    return false;
}

/* the joint that leaves its limits between the ends of a piece, by the parabola through half-way
   and a quarter of how far that bends, for what is no parabola; -1: none does */
static int beyond_between(const branches *b, const double *from)
{
    for (int i = 0; i < b->count; i++) {
        const branch_value *value = &b->values[i];
        double begin = from[value->q], end = b->ahead[value->q], mean = 0.5 * (begin + end);
        double bend = b->middle[value->q] - mean, change = end - begin, turn = mean;
        if (fabs(change) < 4 * fabs(bend))
            turn += bend + change * change / (16 * bend) + 0.25 * bend;
        double low = scalar_min(turn, scalar_min(begin, end));
        double high = scalar_max(turn, scalar_max(begin, end));
        if (low < value->lower - BRANCH_LIMIT || high > value->upper + BRANCH_LIMIT)
            return value->joint;
    }
    return -1;
}

/* whether the solution half-way is near the mean of the ends, and comes to b->middle */
static bool is_straight(branches *b, double begin, const double *from, double end, double step)
{
    double share = 0.5 * (begin + end), most = 0;
    if (!match(b, branches_list(b, share, from), from, false, false, b->middle))
        return false;
    for (int i = 0; i < b->count; i++) {
        int k = b->values[i].q;
        most = scalar_max(most, fabs(b->middle[k] - 0.5 * (from[k] + b->ahead[k])));
    }
    return step <= STRAIGHT || most <= BENT * step;
}

/* whether b->ahead continues `from`; else the walk says why it may not, and `side` is the sign at
   `from`, which becomes that at b->ahead */
static bool find_piece(branches *b, branch_walk *walk, double begin, const double *from, double end,
                       int *side)
{
    bool last = end - begin <= walk->least;
    walk->ended = LB_END_SINGULAR;
    walk->joint = -1;
    bool second = walk->seconds >> walk->passed & 1;
    match_kind kind = match(b, branches_list(b, end, from), from, last, second, b->ahead);
    if (kind == MATCH_NONE)
        return false;
    int sign = sign_at(b, b->ahead);
    double step = distance(b, from, b->ahead);
    bool crosses = sign * *side < 0, chooses = crosses || kind == MATCH_TOUCHING;
    if (crosses && !stays_beside(b, begin, from, end))
        return false;
    if (chooses && walk->passed < BRANCH_CHOICES)
        walk->touched = walk->passed + 1;
    if (crosses && second)
        return false;
    if (!chooses && !last && (step > STRAIGHT || (walk->limited && is_near_limit(b, from, step)))) {
        if (!is_straight(b, begin, from, end, step))
            return false;
        walk->joint = walk->limited ? beyond_between(b, from) : -1;
    }
    if (walk->limited && walk->joint < 0)
        walk->joint = branches_beyond(b, b->ahead, BRANCH_LIMIT);
    *side = sign;
    walk->passed += walk->joint < 0 && chooses && walk->passed < BRANCH_CHOICES;
    walk->ended = walk->joint < 0 ? LB_END_NONE : LB_END_LIMIT;
    return walk->joint < 0;
}

bool branches_walk(branches *b, branch_walk *walk, double begin, const double *from, double end,
                   double *to)
{
    size_t size = sizeof *to * (size_t)b->nq;
    double width = scalar_min(end - begin, walk->most);
    memcpy(to, from, size);
    int side = sign_at(b, to), next_side = side;
    walk->ended = LB_END_NONE;
    for (int i = 0; begin < end && i < walk->pieces; i++) {
        double next = begin + width < end ? begin + width : end;
        if (find_piece(b, walk, begin, to, next, &next_side)) {
            memcpy(to, b->ahead, size);
            begin = next;
            side = next_side;
            width = scalar_min(2 * width, walk->most);
            if (walk->note && !walk->note(walk->user, begin, to))
                break;
        } else if (width <= walk->least) {
            break;
        } else {
            width /= 2;
        }
        next_side = side;
    }
    walk->share = begin;
    if (begin < end && walk->ended == LB_END_NONE)
        walk->ended = LB_END_SINGULAR;
    return !(begin < end);
}

bool branches_continue(branches *b, double begin, const double *from, double end, bool limited,
                       double *to, branch_walk *walk)
{
    *walk = (branch_walk){.most = end - begin,
                          .least = scalar_min((end - begin) * BRANCH_LEAST, BRANCH_PIECE),
                          .pieces = BRANCH_PIECES,
                          .limited = limited};
    return branches_walk(b, walk, begin, from, end, to);
}

/* ---- choosing ----------------------------------------------------------- */

/* the turns on which a value keeps its limits from first to last; false: there is none */
static bool kept_turns(const branch_value *value, double first, double low, double high,
                       double *least, double *most)
{
    double below = value->lower - BRANCH_LIMIT - first - low;
    double above = value->upper + BRANCH_LIMIT - first - high;
    if (value->is_angle) {
        *least = ceil(below / WHOLE_TURN);
        *most = floor(above / WHOLE_TURN);
    } else {
        *least = below <= 0 ? 0 : 1;
        *most = above >= 0 ? 0 : -1;
    }
    return *least <= *most;
}

/* threads from the solutions in limits at a share of the path, nearest first; returns how many */
static int start_threads(branches *b, double share, const double *near, int frame)
{
    int listed = branches_list(b, share, near), count = 0;
    for (int i = 0; i < listed; i++) {
        if (!b->infos[i].in_limits)
            continue;
        branch_thread *t = &b->threads[count++];
        memcpy(t->q, b->rows + (size_t)i * (size_t)b->nq, (size_t)b->nq * sizeof *t->q);
        for (int k = 0; k < b->count; k++) {
            t->first[k] = t->q[b->values[k].q];
            t->low[k] = t->high[k] = 0;
        }
        t->end = frame;
        t->alive = true;
        t->confirmed = false;
    }
    return count;
}

/* moves a thread to b->next; false where no turns are left, or a step is too large */
static bool extend(const branches *b, branch_thread *t)
{
    for (int i = 0; i < b->count; i++) {
        const branch_value *value = &b->values[i];
        double least, most, moved = b->next[value->q] - t->first[i];
        if (fabs(b->next[value->q] - t->q[value->q]) > value->step)
            return false;
        if (!kept_turns(value, t->first[i], scalar_min(moved, t->low[i]),
                        scalar_max(moved, t->high[i]), &least, &most))
            return false;
    }
    for (int i = 0; i < b->count; i++) {
        double moved = b->next[b->values[i].q] - t->first[i];
        t->low[i] = scalar_min(moved, t->low[i]);
        t->high[i] = scalar_max(moved, t->high[i]);
    }
    memcpy(t->q, b->next, (size_t)b->nq * sizeof *t->q);
    t->end++;
    return true;
}

/* moves all threads to the next frame; returns whether any is left */
static bool extend_all(branches *b, int count, int frame, int frames)
{
    double begin = branches_share(frame - 1, frames), end = branches_share(frame, frames);
    int listed = -1;
    bool any = false;
    branch_walk walk;
    for (int i = 0; i < count; i++) {
        branch_thread *t = &b->threads[i];
        if (!t->alive)
            continue;
        // the same solutions serve all threads, unless one must look closer
        if (listed < 0)
            listed = branches_list(b, end, t->q);
        if (!match(b, listed, t->q, false, false, b->next)) {
            listed = -1;
            t->alive = branches_continue(b, begin, t->q, end, false, b->next, &walk);
        }
        t->alive = t->alive && extend(b, t);
        any |= t->alive;
    }
    return any;
}

/* a thread's first configuration, on the nearest turns that led to its end */
static void take_first(const branches *b, const branch_thread *t, const double *near, double *q)
{
    memmove(q, near, (size_t)b->nq * sizeof *q);
    for (int i = 0; i < b->count; i++) {
        const branch_value *value = &b->values[i];
        double least, most, turn = 0;
        if (value->is_angle && kept_turns(value, t->first[i], t->low[i], t->high[i], &least, &most))
            turn = scalar_clamp(0, least, most);
        q[value->q] = t->first[i] + WHOLE_TURN * turn;
    }
}

/* follows a thread again, from its first configuration in q: limits end it between frames, too */
static void confirm(branches *b, branch_thread *t, int frame, int frames, const double *q)
{
    const size_t size = (size_t)b->nq * sizeof *q;
    branch_walk walk;
    memcpy(t->q, q, size);
    for (int k = frame + 1; k <= t->end; k++) {
        const double begin = branches_share(k - 1, frames), end = branches_share(k, frames);
        if (!branches_continue(b, begin, t->q, end, true, b->next, &walk))
            t->end = k - 1;
        memcpy(t->q, b->next, size);
    }
    t->confirmed = true;
}

bool branches_choose(branches *b, int frame, int frames, const double *near, double *q)
{
    int count = start_threads(b, branches_share(frame, frames), near, frame), best = 0;
    for (int k = frame + 1; k < frames && extend_all(b, count, k, frames); k++)
        continue;
    while (count > 0) {
        for (int i = best = 0; i < count; i++)
            best = b->threads[i].end > b->threads[best].end ? i : best;
        take_first(b, &b->threads[best], near, q);
        if (b->threads[best].confirmed)
            break;
        confirm(b, &b->threads[best], frame, frames, q);
    }
    return count > 0;
}
