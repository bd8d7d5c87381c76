/*
 * explain.c - explains a result in words.
 *
 * The outcome, the meaning of the reason, the direction in which the tip cannot move although it
 * should (the part of the remaining error outside the span of the Jacobian's singular directions),
 * and the joints that are at their limits.
 */
#include "ik/descent.h"
#include "ik/plane.h"
#include "ik/search/exact.h"
#include "ik/solver.h"

#include "base/text.h"
#include "math/dense.h"
#include "model/kinds.h"

#include <string.h>

/* a joint value this near to its limit is at it, and this share of a range that is shorter than 1:
   beyond solver tolerances, below what is visible */
#define AT_LIMIT 1e-6
/* joints that are named before the rest is counted */
#define MOST_NAMES 6
/* singular directions weaker than this share of the strongest are useless */
#define WEAK 1e-3
/* a joint that moves a tip by less than this share of the strongest does not move it */
#define INERT 1e-6
/* a direction is missing when it is this share of the remaining error, squared */
#define MISSING 0.25
/* a missing direction is that of its longest part alone when the others are this small a share */
#define SMALL_PART 0.02
/* parts of a missing direction that are named */
#define MOST_PARTS 3
/* a direction is along an axis when its cosine is this near to 1: half a degree */
#define ALONG 0.99996

/* ---- text ------------------------------------------------------------------- */

/* a direction as the axis it is along, or as its numbers */
static void write_direction(text_writer *w, lb_vec3 d)
{
    const double numbers[3] = {d.x, d.y, d.z};
    for (int k = 0; k < 3; k++) {
        if (fabs(numbers[k]) < ALONG)
            continue;
        text_write(w, "%s%c", numbers[k] < 0 ? "-" : "", "xyz"[k]);
        return;
    }
    text_write(w, "(%.2f, %.2f, %.2f)", d.x, d.y, d.z);
}

/* ---- limits ----------------------------------------------------------------- */

/* which limit a part of a configuration is at, NULL: none */
static const char *limit_of(const lb_model *model, const model_part *part, const double *q)
{
    const lb_joint *joint = &model->joints[part->joint];
    const double *p = &q[part->q], near = AT_LIMIT * fmin(1, part->upper - part->lower);
    if (joint->locked)
        return NULL;
    if (part->kind != MODEL_BALL)
        return *p <= part->lower + near ? "lower" : *p >= part->upper - near ? "upper" : NULL;
    if (ball_is_free(part))
        return NULL;
    ball_angles angles = ball_measure(part, joint->axis, (lb_quat){p[0], p[1], p[2], p[3]});
    if (angles.swing >= part->swing - AT_LIMIT)
        return "swing";
    bool twisted = angles.twist <= part->lower + AT_LIMIT || angles.twist >= part->upper - AT_LIMIT;
    return twisted ? "twist" : NULL;
}

static void write_limits(text_writer *w, const lb_ik *ik, const double *q)
{
    const ik_reduction *r = &ik->reduction;
    int count = 0, k = 0, nq = r->problem.tree.nq;
    for (int i = 0; i < ik->model->part_count; i++) {
        const model_part *part = &ik->model->parts[i];
        // both are in the model's order
        while (k < nq && r->model_q[k] < part->q)
            k++;
        if (k == nq || r->model_q[k] != part->q)
            continue;
        const char *limit = limit_of(ik->model, part, q);
        if (!limit || ++count > MOST_NAMES)
            continue;
        text_write(w, "%s '%s' (%s)",
                   count > 1 ? "," : " At their limits:", ik->model->joints[part->joint].name,
                   limit);
    }
    if (count > MOST_NAMES)
        text_write(w, " and %d more", count - MOST_NAMES);
    text_write(w, count > 0 ? "." : "");
}

/* ---- directions -------------------------------------------------------------- */

/*
 * The remaining error that no joint can reduce from here: without its parts along the strong
 * singular directions, in the iteration's `error`. Returns its share of the whole, squared.
 */
static double find_missing(ik_iteration *it)
{
    ik_linear *linear = &it->linear;
    double whole = it->error2, missing = 0;
    ik_linear_assemble(it);
    int values = ik_linear_decompose(linear);
    for (int i = 0; i < values && linear->values[i] > WEAK * linear->values[0]; i++) {
        const double *u = &linear->left[i * linear->rows];
        double part = 0;
        for (int k = 0; k < linear->rows; k++)
            part += u[k] * linear->velocity[k];
        for (int k = 0; k < linear->rows; k++)
            it->error[linear->row_of[k]] -= part * u[k];
    }
    for (int k = 0; k < it->problem.rows; k++)
        missing += it->error[k] * it->error[k];
    return whole > 0 ? missing / whole : 0;
}

/* a direction from the problem's axes to the base's */
static lb_vec3 to_base(const lb_ik *ik, lb_vec3 d)
{
    // reduction.base is T_problem_base, so the inverse
    const lb_transform *base = &ik->reduction.base;
    return lb_vec3_make(lb_vec3_dot(base->x, d), lb_vec3_dot(base->y, d), lb_vec3_dot(base->z, d));
}

/* three rows of a task's error from `row` on, in the base's axes: linear or angular ones */
static lb_vec3 rows_of(const lb_ik *ik, int index, int row, bool turns)
{
    const double *e = &ik->iteration.error[row];
    lb_vec3 part = {e[0], e[1], e[2]};
    if (!turns)
        part = kernel_locus_displacement(&ik->reduction.problem.tasks[index].goal.locus,
                                         &ik->iteration.targets[index], part);
    return to_base(ik, part);
}

/* "x of 'base'" */
static void write_base_direction(text_writer *w, const lb_ik *ik, lb_vec3 d)
{
    int base = ik->tasks[0].base;
    write_direction(w, lb_vec3_normalize(d, lb_vec3_make(0, 0, 1)));
    if (base < 0)
        text_write(w, " of the world");
    else
        text_write(w, " of '%s'", ik->model->links[base].name);
}

/* A part of a direction that is missing: how a tip would have to move or turn. */
typedef struct missing_part {
    int task, row; /* the first of its three rows */
    bool turns;
    double length; /* in the problem's unit or radians, without the task's weight */
    lb_vec3 direction;
} missing_part;

/* the parts that matter, the longest first; returns how many, at most `most` */
static int find_parts(const lb_ik *ik, missing_part *parts, int most)
{
    int count = 0;
    for (int t = 0; t < ik->task_count; t++) {
        const kernel_task *task = &ik->reduction.problem.tasks[t];
        for (int k = 0; k < task->goal.position + task->goal.rotation; k++) {
            bool turns = !task->goal.position || k == 1;
            int row = task->row + 3 * k;
            lb_vec3 d = rows_of(ik, t, row, turns);
            missing_part part = {t, row, turns, lb_vec3_length(d) / task->weight, d};
            int i = count < most ? count++ : most;
            for (; i > 0 && parts[i - 1].length < part.length; i--)
                if (i < most)
                    parts[i] = parts[i - 1];
            if (i < most)
                parts[i] = part;
        }
    }
    while (count > 1 && parts[count - 1].length < SMALL_PART * parts[0].length)
        count--;
    return count;
}

static void write_part(text_writer *w, const lb_ik *ik, const missing_part *part)
{
    const char *name = ik->model->links[ik->tasks[part->task].tip].name;
    text_write(w, "%s '%s' %s ", part->turns ? "turn" : "move", name,
               part->turns ? "about" : "along");
    write_base_direction(w, ik, part->direction);
}

/* turning per metre of a tip that is to move and turn at once */
static void write_ratio(text_writer *w, const lb_ik *ik, const missing_part *parts, int count)
{
    if (count != 2 || parts[0].task != parts[1].task)
        return;
    const missing_part *turn = parts[0].turns ? &parts[0] : &parts[1];
    const missing_part *linear = parts[0].turns ? &parts[1] : &parts[0];
    text_write(w, " at %.3g rad per metre", turn->length / (linear->length * ik->reduction.unit));
}

/* whether some joint, inside its limits, moves the tips along these parts, the only rows that are
   left of the iteration's error: by more than WEAK of what it moves them at all */
static bool can_move(ik_iteration *it, const missing_part *parts, int count)
{
    double *jacobian = it->linear.restrained, strongest2 = 0;
    int rows = it->problem.rows, nv = it->problem.tree.nv;
    memcpy(jacobian, it->jacobian, sizeof(double) * (size_t)(rows * nv));
    for (int r = 0; r < rows; r++) {
        bool kept = false;
        for (int i = 0; i < count; i++)
            kept = kept || (r >= parts[i].row && r < parts[i].row + 3);
        it->error[r] *= kept;
        for (int v = 0; v < nv; v++)
            jacobian[v * rows + r] *= kept;
    }
    for (int c = 0; c < rows * nv; c += rows)
        strongest2 = fmax(strongest2, dense_dot(rows, &jacobian[c], &jacobian[c]));
    double error2 = dense_dot(rows, it->error, it->error);
    bool moved = false;
    kernel_restrain(&it->problem, it->q, it->error, jacobian);
    for (int c = 0; c < rows * nv; c += rows) {
        double along = dense_dot(rows, &jacobian[c], it->error);
        double size2 = dense_dot(rows, &jacobian[c], &jacobian[c]);
        double least2 = fmax(WEAK * WEAK * size2, INERT * INERT * strongest2);
        moved = moved || along * along > least2 * error2;
    }
    return moved;
}

/*
 * Names the missing direction. One that a single tip would move or turn along is beyond every
 * joint; of one that is made of several the joints can do each, but not all together.
 */
static void write_missing(text_writer *w, lb_ik *ik)
{
    missing_part parts[MOST_PARTS];
    int count = find_parts(ik, parts, MOST_PARTS);
    if (can_move(&ik->iteration, parts, count))
        return;
    text_write(w, " From here no %s can ", count > 1 ? "combination of joints" : "joint");
    for (int i = 0; i < count; i++) {
        text_write(w, i > 0 ? " and " : "");
        write_part(w, ik, &parts[i]);
    }
    write_ratio(w, ik, parts, count);
    text_write(w, ".");
}

/* ---- planes ------------------------------------------------------------------ */

/* what the axes and lengths of an arm never let it do; returns whether the target requires it */
static bool write_planes(text_writer *w, lb_ik *ik)
{
    bool required = false;
    for (int t = 0; t < ik->task_count; t++) {
        ik_plane_miss miss = ik_search_miss(ik, &ik->searches[0].problem, t, 0);
        const char *name = ik->model->links[ik->tasks[t].tip].name;
        if (!miss.proved)
            continue;
        if (miss.height > ik->options.position_tolerance) {
            text_write(w, " '%s' cannot leave its plane, and the target is %.3g m off it along ",
                       name, miss.height);
            write_base_direction(w, ik, to_base(ik, miss.normal));
            text_write(w, ".");
        }
        if (miss.tilt > ik->options.rotation_tolerance) {
            text_write(w, " '%s' can turn about ", name);
            write_base_direction(w, ik, to_base(ik, miss.normal));
            text_write(w, " alone, and the target is tilted against that by %.3g rad.", miss.tilt);
        }
        if (miss.near > ik->options.position_tolerance)
            text_write(w,
                       " '%s' cannot come so near to its first joint: one link is longer than all "
                       "others together, and the target is %.3g m too near.",
                       name, miss.near);
        required = true;
    }
    return required;
}

/* ---- more iterations --------------------------------------------------------- */

/* a budget is only tried when it is at most this: tens of milliseconds */
#define MOST_ITERATIONS 20000
enum { TIMES = 10 };

/* solves again from the start of the last budget that was used up, with another budget */
static lb_ik_result replay(lb_ik *ik, const lb_transform *targets, int iterations)
{
    lb_ik_result result;
    int budget = ik->options.iterations;
    ik->options.iterations = iterations;
    memcpy(ik->replayed, ik->exhausted, sizeof(double) * (size_t)ik->model->tree.nq);
    ik_tree_solve(ik, targets, ik->replayed, ik->replayed, &result);
    ik->options.iterations = budget;
    return result;
}

/* the budget that reaches the target, ten times that of `result`; 0: it does not, or the start is
   not known */
static int find_budget(lb_ik *ik, const lb_transform *targets, const double *q,
                       const lb_ik_result *result)
{
    int used = ik->options.iterations > 0 ? ik->options.iterations : result->iterations;
    // with several tries q does not tell the start: other starts end at the same restart's result
    if (result->reason != LB_REASON_BUDGET || result->tries > 1 || used < 1 ||
        TIMES * used > MOST_ITERATIONS)
        return 0;
    replay(ik, targets, ik->options.iterations);
    if (memcmp(ik->replayed, q, sizeof(double) * (size_t)ik->model->tree.nq) != 0)
        return 0;
    return replay(ik, targets, TIMES * used).outcome == LB_REACHED ? TIMES * used : 0;
}

static void write_budget(text_writer *w, int budget)
{
    if (budget > 0)
        text_write(w, " It still came nearer; more iterations may help: %d reach it.", budget);
    else
        text_write(w, " It used up its iterations.");
}

/* ---- steps -------------------------------------------------------------------- */

/* steps after which no cycle is looked for any more */
enum { MOST_STEPS = 1000, LONGEST = 64, ROUNDS = 20 };
/* radians and lengths: configurations of a cycle agree to this, far below what is printed */
#define SAME 1e-9

static double farthest_value(const ik_iteration *it, const double *a, const double *b)
{
    double most = 0;
    for (int i = 0; i < it->problem.tree.nq; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* one step of the method, in it->q; false when it ends */
static bool take_step(ik_iteration *it)
{
    lb_reason reason;
    if (ik_iteration_prepare(it) || !ik_descent_step(it, &reason))
        return false;
    memcpy(it->q, it->next, sizeof(double) * (size_t)it->problem.tree.nq);
    return true;
}

/* whether that many steps lead from it->q back to it, and do so again and again */
static bool returns(ik_iteration *it, int length)
{
    memcpy(it->best, it->q, sizeof(double) * (size_t)it->problem.tree.nq);
    for (int i = 0; i < ROUNDS * length; i++)
        if (!take_step(it))
            return false;
    return farthest_value(it, it->q, it->best) <= SAME;
}

/* how many steps lead from it->q to where it has been, by Brent's method; 0: none found */
static int find_cycle(ik_iteration *it)
{
    size_t size = sizeof(double) * (size_t)it->problem.tree.nq;
    int length = 0, power = 1;
    memcpy(it->best, it->q, size);
    for (int i = 0; i < MOST_STEPS && take_step(it); i++) {
        length++;
        if (farthest_value(it, it->q, it->best) <= SAME)
            return length <= LONGEST && returns(it, length) ? length : 0;
        if (length == power) {
            memcpy(it->best, it->q, size);
            power *= 2;
            length = 0;
        }
    }
    return 0;
}

/* it->best to the configuration of the cycle that is farthest from it->q, which stays */
static void find_farthest(lb_ik *ik, int length)
{
    ik_iteration *it = &ik->iteration;
    size_t size = sizeof(double) * (size_t)it->problem.tree.nq;
    double most = 0;
    memcpy(ik->replayed, it->q, size);
    memcpy(it->best, it->q, size);
    for (int i = 1; i < length && take_step(it); i++) {
        double far = farthest_value(it, it->q, ik->replayed);
        if (far > most) {
            most = far;
            memcpy(it->best, it->q, size);
        }
    }
    memcpy(it->q, ik->replayed, size);
}

/* "joint=value joint=value", of the joints with one value that the problem moves */
static void write_values(text_writer *w, const lb_ik *ik, const double *local)
{
    const ik_reduction *r = &ik->reduction;
    int k = 0, nq = r->problem.tree.nq, count = 0;
    for (int i = 0; i < ik->model->part_count; i++) {
        const model_part *part = &ik->model->parts[i];
        while (k < nq && r->model_q[k] < part->q)
            k++;
        if (k < nq && r->model_q[k] == part->q && part->kind != MODEL_BALL)
            text_write(w, "%s%s=%.6g", count++ > 0 ? " " : "", ik->model->joints[part->joint].name,
                       local[k]);
    }
}

/* whether every joint of the problem has one value and a name of its own */
static bool has_names(const lb_ik *ik)
{
    for (int i = 0; i < ik->model->part_count; i++)
        if (ik->model->parts[i].kind == MODEL_BALL ||
            (i > 0 && ik->model->parts[i].joint == ik->model->parts[i - 1].joint))
            return false;
    return true;
}

/* what the method's own steps do where others might lead on */
static void write_steps(text_writer *w, lb_ik *ik)
{
    ik_iteration *it = &ik->iteration;
    it->count = 0;
    int length = find_cycle(it);
    if (length < 2 || !has_names(ik)) {
        text_write(w,
                   length < 2 ? " The last iterations of '%s' lowered the error by too little."
                              : " The steps of '%s' cycle.",
                   ik->method->name);
        return;
    }
    find_farthest(ik, length);
    text_write(w, " Its steps cycle between ");
    write_values(w, ik, it->q);
    text_write(w, " and ");
    write_values(w, ik, it->best);
    text_write(w, ", %d steps a round.", length);
}

/* ---- the text ----------------------------------------------------------------- */

/* the errors that are beyond their tolerances */
static void write_remains(text_writer *w, const lb_ik *ik, const lb_ik_result *result)
{
    bool far = result->position_error > ik->options.position_tolerance;
    bool turned = result->rotation_error > ik->options.rotation_tolerance;
    if (far || !turned)
        text_write(w, "%.3g m", result->position_error);
    if (far && turned)
        text_write(w, " and ");
    if (turned)
        text_write(w, "%.3g rad", result->rotation_error);
    text_write(w, " remain%s at the closest found.", far && turned ? "" : "s");
}

static void write_outcome(text_writer *w, const lb_ik *ik, const lb_ik_result *result)
{
    const char *tries = result->tries == 1 ? "try" : "tries";
    switch (result->outcome) {
    case LB_REACHED:
        // a closed form takes none, nor does a start that is a solution
        if (result->iterations == 0)
            text_write(w, "Reached without iterating.");
        else
            text_write(w, "Reached after %d iteration%s in %d %s.", result->iterations,
                       result->iterations == 1 ? "" : "s", result->tries, tries);
        break;
    case LB_INVALID:
        text_write(w, "The target or the start is not finite, or the target's axes are not "
                      "orthonormal.");
        break;
    case LB_UNREACHABLE:
        if (result->beyond_reach > 0) {
            text_write(w,
                       "Out of reach: with all links in one straight line the target would still "
                       "be %.4g m away.",
                       result->beyond_reach);
        } else if (result->reason == LB_REASON_LIMITS) {
            text_write(w, "Out of reach of joints inside their limits; ");
            write_remains(w, ik, result);
        } else {
            text_write(w, "Out of reach: no joint values bring the tip there, with or without "
                          "limits; ");
            write_remains(w, ik, result);
        }
        break;
    default:
        text_write(w, "Not reached in %d %s: ", result->tries, tries);
        write_remains(w, ik, result);
        break;
    }
}

static void write_reason(text_writer *w, lb_reason reason)
{
    static const char *const texts[LB_REASON_COUNT] = {
        [LB_REASON_LIMITS] = " Joints at their limits hold it back.",
        [LB_REASON_SINGULAR] = " It is stuck: a small bend of its joints would free it.",
        [LB_REASON_MINIMUM] = " It is a local minimum.",
    };
    if (reason < LB_REASON_COUNT && texts[reason])
        text_write(w, "%s", texts[reason]);
}

/* the exact solutions that limits forbid; returns whether there are any */
static bool write_forbidden(text_writer *w, lb_ik *ik, const lb_transform *target, const double *q)
{
    ik_exact_limits limits;
    if (!ik_exact_limit(ik, target, q, &limits))
        return false;
    text_write(w,
               " %d configuration%s the target, but outside the limits: the closest has '%s' "
               "%.3g %s beyond.",
               limits.count, limits.count == 1 ? " reaches" : "s reach",
               ik->model->joints[limits.joint].name, limits.beyond, limits.is_length ? "m" : "rad");
    return true;
}

size_t ik_tree_explain(lb_ik *ik, const lb_transform *targets, const double *q,
                       const lb_ik_result *result, char *text, size_t size)
{
    text_writer w = {text, size, 0};
    if (size > 0)
        text[0] = '\0';
    write_outcome(&w, ik, result);
    ik_search *search = &ik->searches[0];
    bool failed = result->outcome != LB_REACHED && result->outcome != LB_INVALID;
    int budget = failed ? find_budget(ik, targets, q, result) : 0;
    if (!failed || !ik_search_begin(ik, search, targets, q))
        return w.length;

    ik_iteration *it = &ik->iteration;
    memcpy(it->q, search->problem.start, sizeof(double) * (size_t)it->problem.tree.nq);
    it->targets = search->problem.targets;
    ik_iteration_evaluate(it);

    // the missing direction adds nothing to what a target out of reach or out of plane explains
    bool unreachable = result->outcome == LB_UNREACHABLE, steps = false;
    bool far = unreachable && result->beyond_reach > 0;
    bool limited = !unreachable || result->reason == LB_REASON_LIMITS;
    bool forbidden = limited && write_forbidden(&w, ik, targets, q);
    if (!forbidden && (far || !write_planes(&w, ik))) {
        if (result->reason == LB_REASON_BUDGET)
            write_budget(&w, budget);
        else if (result->reason == LB_REASON_STEPS)
            steps = true;
        else
            write_reason(&w, result->reason);
        if (!unreachable && result->reason != LB_REASON_LIMITS && find_missing(it) > MISSING)
            write_missing(&w, ik);
    }
    // steps move the iteration, so that what is said of here comes first
    if (steps)
        write_steps(&w, ik);
    write_limits(&w, ik, q);
    return w.length;
}
