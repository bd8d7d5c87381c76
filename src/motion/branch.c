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
#include "math/scalar.h"

#include <string.h>

#define WHOLE_TURN (2 * LB_PI)
/* where two branches touch, the path goes on along either: their distance, radians or metres */
#define TOUCHING 1e-3

/* A branch that is being followed; arrays of as many numbers as there are values. */
struct branch_thread {
    double *first;      /* the solution it began with */
    double *low, *high; /* how far it went from there, <= 0 and >= 0 */
    double *q;          /* where it is, a whole configuration; on the first one's turns */
    int end;            /* the last frame that it reaches */
    bool alive;
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

/* for all solutions of a place, and the threads that start there */
static lb_status take_memory(branches *b, const lb_allocator *memory, lb_error *error)
{
    size_t nq = (size_t)b->nq, values = (size_t)b->count;
    b->rows = memory_take(memory, LB_SOLUTIONS_MAX * nq, sizeof(double));
    b->next = memory_take(memory, nq, sizeof(double));
    b->threads = memory_take(memory, LB_SOLUTIONS_MAX, sizeof *b->threads);
    for (int i = 0; b->threads != NULL && i < LB_SOLUTIONS_MAX; i++)
        b->threads[i] = (branch_thread){.first = memory_take(memory, values, sizeof(double)),
                                        .low = memory_take(memory, values, sizeof(double)),
                                        .high = memory_take(memory, values, sizeof(double)),
                                        .q = memory_take(memory, nq, sizeof(double))};
    return memory_pool_failed(memory) ? error_out_of_memory(error) : LB_OK;
}

lb_status branches_create(branches *b, const lb_model *model, const lb_task *task,
                          const lb_path *path, bool wanted, const lb_ik_options *options,
                          const lb_allocator *pool, lb_error *error)
{
    *b = (branches){.path = path, .nq = lb_model_nq(model)};
    size_t joints = (size_t)lb_model_joint_count(model);
    b->values = memory_take(pool, joints, sizeof *b->values);
    if (!b->values)
        return error_out_of_memory(error);
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

/* the listed solution that continues `from`, to the same turns; false: it is not clear which */
static bool match(const branches *b, int count, const double *from, bool last, double *to)
{
    double nearest = INFINITY, second = INFINITY;
    const double *found = NULL;
    for (int i = 0; i < count; i++) {
        const double *row = b->rows + (size_t)i * (size_t)b->nq;
        double d = distance(b, from, row);
        second = scalar_min(scalar_max(d, nearest), second);
        if (d >= nearest)
            continue;
        nearest = d;
        found = row;
    }
    bool clear = nearest <= BRANCH_STEP && nearest * BRANCH_DISTINCT <= second;
    if (!clear && !(last && nearest <= TOUCHING))
        return false;
    memmove(to, from, (size_t)b->nq * sizeof *to);
    for (int i = 0; i < b->count; i++)
        to[b->values[i].q] += difference(&b->values[i], from, found);
    return true;
}

bool branches_continue(branches *b, double begin, const double *from, double end, double *to)
{
    double width = end - begin, least = width * BRANCH_LEAST;
    memcpy(to, from, (size_t)b->nq * sizeof *to);
    for (int i = 0; begin < end && i < BRANCH_PIECES; i++) {
        double next = begin + width < end ? begin + width : end;
        bool last = width <= least;
        if (match(b, branches_list(b, next, to), to, last, to)) {
            begin = next;
            width *= 2;
        } else if (last) {
            return false;
        } else {
            width /= 2;
        }
    }
    return !(begin < end);
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
    for (int i = 0; i < count; i++) {
        branch_thread *t = &b->threads[i];
        if (!t->alive)
            continue;
        // the same solutions serve all threads, unless one must look closer
        if (listed < 0)
            listed = branches_list(b, end, t->q);
        if (!match(b, listed, t->q, false, b->next)) {
            listed = -1;
            t->alive = branches_continue(b, begin, t->q, end, b->next);
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

bool branches_choose(branches *b, int frame, int frames, const double *near, double *q)
{
    int count = start_threads(b, branches_share(frame, frames), near, frame), best = 0;
    for (int k = frame + 1; k < frames && extend_all(b, count, k, frames); k++)
        continue;
    for (int i = 1; i < count; i++)
        best = b->threads[i].end > b->threads[best].end ? i : best;
    if (count > 0)
        take_first(b, &b->threads[best], near, q);
    return count > 0;
}
