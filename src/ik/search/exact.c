/*
 * exact.c - solutions in closed form in place of a search, where the arm has one.
 *
 * The kernel gives all branches, each on the turns nearest to the start; the nearest one inside the
 * limits is verified, then the next one if rounding made it fail. So "nearest" is exact. Where no
 * branch is inside the limits, by clearly more than the tolerances could make up for, it is proved
 * that nothing reaches the target, and the closest of the configurations that the branches come
 * down to is the result.
 */
#include "ik/search/exact.h"

#include "ik/closed/finder.h"
#include "ik/closed/proof.h"
#include "math/scalar.h"

#include <string.h>

/* a solution this near to the start may be the start itself, which is then the result */
#define AT_START 1e-4
/* of the closest discriminant, at and below which a family is nearly open: solutions that are far
   from each other are then within some tolerances of one another, as 1e-4 radians from a wrist in
   line */
#define NEARLY_OPEN 1e-8
/* a solution on a family is taken where it is nearer by this share of the square, which tolerances
   cannot make */
#define CLEARLY_NEARER 1e-6
/* where there is an exact solution, what only tolerances take for one is looked for so far from the
   start, in radians */
#define BESIDE_MOST 0.2
/* configurations whose joints differ by less are one: twice the root of rounding, and some room */
#define SAME_JOINT 3e-7
/* the branch nearest to the start is preferred up to this multiple of the least error */
#define NEAR_MARGIN 1.1

/* which of the finder's joints each of the verifier's numbers is */
static void connect_columns(lb_ik *ik)
{
    for (int i = 0; i < ik->verifier.kernel.tree.nq; i++) {
        ik->column_joints[i] = -1;
        for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
            if (ik->finder.columns[j] == ik->verifier.kernel.model_q[i])
                ik->column_joints[i] = j;
    }
}

void ik_exact_create(lb_ik *ik)
{
    const lb_ik_options *o = &ik->options;
    const closed_finder_options options = {.general = true,
                                           .width = o->width,
                                           .position = o->position_tolerance,
                                           .rotation = o->rotation_tolerance};
    int joint;
    bool chosen = o->protocol != LB_PROTOCOL_GIVEN && o->iterations == 0 && !o->gains &&
                  o->damping == 0 && o->step_limit == 0;
    ik->exact = ik->complete = ik->redundant = ik->swivels = false;
    if (!chosen || ik->task_count != 1 || ik->method != lb_method_at(0) ||
        closed_finder_make(ik->model, &ik->reduction, &ik->tasks[0], ik->neutral, &options,
                           &ik->finder, &joint))
        return;
    ik->exact = closed_has_form(&ik->finder);
    ik->complete = ik->finder.arm_class == LB_ARM_GENERAL;
    ik->redundant = ik->finder.arm_class == LB_ARM_REDUNDANT && !ik->finder.is_general &&
                    closed_held_joint(&ik->finder);
    // other arms have discriminants of zero wherever they are
    ik->nearly_open = ik->finder.direct && ik->finder.chain.real == KERNEL_CLOSED_JOINTS &&
                              ik->finder.chain.count == KERNEL_CLOSED_JOINTS
                          ? NEARLY_OPEN
                          : 0;
    swivel_arm arm;
    ik->swivels =
        ik->finder.arm_class == LB_ARM_REDUNDANT && swivel_recognise(&ik->finder.chain, &arm);
    if (ik->swivels)
        ik->reach = swivel_find_reach(&arm, o->position_tolerance, o->rotation_tolerance);
    connect_columns(ik);
    ik->ranges = ik->finder.ranges;
    if (o->protocol == LB_PROTOCOL_NEAREST)
        ik->ranges.beside = CLOSED_BESIDE;
}

/* ---- branches ----------------------------------------------------------------- */

/* whether ik->trial is a solution; then it is the result */
static bool confirm(lb_ik *ik, const ik_search_problem *problem, double *q, lb_ik_result *result)
{
    *result = (lb_ik_result){.outcome = LB_REACHED, .tries = 1};
    ik_measure(ik, problem, result);
    if (!ik_is_reached(ik, result))
        return false;
    memcpy(q, ik->trial, sizeof(double) * (size_t)ik->model->tree.nq);
    return true;
}

/* the start itself, where it is as good */
static bool confirm_start(lb_ik *ik, const ik_search_problem *problem, double square, double *q,
                          lb_ik_result *result)
{
    if (square > AT_START * AT_START)
        return false;
    memcpy(ik->trial, problem->model_start, sizeof(double) * (size_t)ik->model->tree.nq);
    return confirm(ik, problem, q, result);
}

/* whether the start may be a solution, by the tolerances, that is far from every exact one */
static bool may_stay(const lb_ik *ik, const ik_branches *b)
{
    double closest = ik->nearly_open > 0 ? INFINITY : 0;
    for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i++)
        closest = scalar_min(closest, b->found.closest[i]);
    return closest <= -CLOSED_NEARLY_ROOT;
}

/* the nearest branch that is confirmed or, where any will do, the first; nothing is nearer than the
   start */
static bool choose_branch(lb_ik *ik, const ik_search_problem *problem, ik_branches *b, double *q,
                          lb_ik_result *result)
{
    const bool nearest = ik->options.protocol == LB_PROTOCOL_NEAREST, stays = may_stay(ik, b);
    b->doubt = nearest && stays;
    if (nearest && stays && confirm_start(ik, problem, 0, q, result))
        return true;
    for (int i = ik_branches_next(ik, b, nearest); i >= 0; i = ik_branches_next(ik, b, nearest)) {
        if (nearest && !stays && confirm_start(ik, problem, b->found.square[i], q, result))
            return true;
        ik_branches_place(ik, problem, b, i);
        if (confirm(ik, problem, q, result))
            return true;
        b->doubt = nearest;
        if (!ik_branches_turn(ik, problem->model_start, b, i))
            b->tried |= 1u << i;
    }
    return !nearest && stays && confirm_start(ik, problem, 0, q, result);
}

/* ---- out of reach --------------------------------------------------------------- */

/* what the branches prove to be out of reach of the tolerances */
static lb_reason find_proof(const lb_ik *ik, const ik_search_problem *problem, const ik_branches *b)
{
    return closed_form_proof(&ik->finder, &b->found, &ik->finder.form, &ik->finder.snap,
                             problem->model_targets, ik->finder.slack);
}

/* the errors of all branches inside the limits, by the model's own frames */
static void measure_branches(lb_ik *ik, const ik_search_problem *problem, const ik_branches *b,
                             double *position, double *rotation)
{
    for (int i = 0; i < ik->verifier.kernel.tree.nq; i++) {
        double *column = ik->columns + KERNEL_CLOSED_BRANCHES * i;
        int joint = ik->column_joints[i];
        for (int k = 0; k < KERNEL_CLOSED_BRANCHES; k++)
            column[k] = joint < 0 ? problem->model_start[ik->verifier.kernel.model_q[i]]
                                  : ik_branches_value(ik, b, joint, k);
    }
    ik->ops->verify_columns(&ik->verifier.kernel, ik->columns, problem->model_targets,
                            ik->verifier_scratch, position, rotation);
}

/* the branch that comes closest to the target; near the start where it should be nearest */
static int closest_branch(const lb_ik *ik, const ik_branches *b, const double *errors)
{
    int least = 0;
    for (int k = 1; k < KERNEL_CLOSED_BRANCHES; k++)
        least = errors[k] < errors[least] ? k : least;
    if (ik->options.protocol != LB_PROTOCOL_NEAREST)
        return least;
    int best = least;
    for (int k = 0; k < KERNEL_CLOSED_BRANCHES; k++)
        if (errors[k] <= NEAR_MARGIN * errors[least] && b->found.square[k] < b->found.square[best])
            best = k;
    return best;
}

/* the closest configuration that the branches come down to, or the start where that is closer */
static void settle(lb_ik *ik, const ik_search_problem *problem, const ik_branches *b, double *q,
                   lb_ik_result *result)
{
    double position[KERNEL_CLOSED_BRANCHES], rotation[KERNEL_CLOSED_BRANCHES];
    double errors[KERNEL_CLOSED_BRANCHES];
    memcpy(ik->trial, problem->model_start, sizeof(double) * (size_t)ik->model->tree.nq);
    if (b->measured) {
        result->position_error = b->position;
        result->rotation_error = b->rotation;
    } else {
        ik_measure(ik, problem, result);
    }
    measure_branches(ik, problem, b, position, rotation);
    for (int k = 0; k < KERNEL_CLOSED_BRANCHES; k++)
        errors[k] = position[k] + ik->reduction.unit * rotation[k];
    int best = closest_branch(ik, b, errors);
    if (errors[best] < ik_total_error(ik, result)) {
        ik_branches_place(ik, problem, b, best);
        result->position_error = position[best];
        result->rotation_error = rotation[best];
    }
    // no proof stands against what is confirmed
    if (ik_is_reached(ik, result)) {
        result->outcome = LB_REACHED;
        result->reason = LB_REASON_NONE;
        result->beyond_reach = 0;
    }
    memcpy(q, ik->trial, sizeof(double) * (size_t)ik->model->tree.nq);
}

/* ---- one target ----------------------------------------------------------------- */

/* whether a closed form applies to a search */
static bool is_exact(const lb_ik *ik, const ik_search_problem *problem)
{
    return ik->exact && closed_chain_fits(&ik->finder.chain, problem->model_start);
}

/* the square of a configuration's distance from the start */
static double square_of(const lb_ik *ik, const ik_search_problem *problem, const double *q)
{
    double square = 0;
    for (int i = 0; i < ik->finder.chain.count; i++) {
        const closed_joint *joint = &ik->finder.chain.joints[i];
        const double d = (q[joint->q] - problem->model_start[joint->q]) / joint->unit;
        square += d * d;
    }
    return square;
}

/* what steps from the start lead to, where it is nearer than a solution in q */
static bool choose_beside(lb_ik *ik, ik_search *s, bool found, double *q, lb_ik_result *result)
{
    const double square = found ? square_of(ik, &s->problem, q) : INFINITY;
    if (!(square > AT_START * AT_START))
        return true;
    ik_search_ready_some(ik, ik->single, &s, 1);
    const ik_complete_result beside =
        ik_complete_beside(ik, s, found ? scalar_min(sqrt(square), BESIDE_MOST) : INFINITY);
    if (!beside.found || !(square_of(ik, &s->problem, ik->trial) < square * (1 - CLEARLY_NEARER)))
        return found;
    *result = beside.solution;
    memcpy(q, ik->trial, sizeof(double) * (size_t)ik->model->tree.nq);
    return true;
}

/* the nearest of a general arm's solutions; where some may not be known, tries compete with it */
static bool run_general(lb_ik *ik, ik_search *s, double *q, lb_ik_result *result)
{
    ik_complete_result all = ik_complete_near(ik, s);
    // nothing is nearer than the start
    if (!all.found && confirm_start(ik, &s->problem, 0, q, result))
        return true;
    if (!all.found)
        all = ik_complete_find(ik, &s->problem, GENERAL_QUICK);
    if (all.found && !all.all) {
        ik_search_give(ik, s, ik->trial);
    } else if (all.found) {
        *result = all.solution;
        memcpy(q, ik->trial, sizeof(double) * (size_t)ik->model->tree.nq);
        (void)choose_beside(ik, s, true, q, result);
    } else if (all.proof != LB_REASON_NONE) {
        ik_search_expect_none(ik, s, all.proof);
    }
    return all.found && all.all;
}

/* ---- families ------------------------------------------------------------------- */

/* whether a branch is one of infinitely many solutions, or nearly so */
static bool has_families(const lb_ik *ik, const ik_branches *b)
{
    bool some = false;
    for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i++)
        some = some || b->found.freedom[i] != 0 || b->found.closest[i] <= ik->nearly_open;
    return some;
}

/* the nearest of all families; `found`: q has a solution already */
static bool choose_member(lb_ik *ik, const ik_search_problem *problem, bool found, double *q,
                          lb_ik_result *result)
{
    const double square = found ? square_of(ik, problem, q) * (1 - CLEARLY_NEARER) : INFINITY;
    lb_ik_result now;
    if (!ik_exact_member(ik, problem, problem->model_targets, square, &now))
        return found;
    *result = now;
    memcpy(q, ik->trial, sizeof(double) * (size_t)ik->model->tree.nq);
    return true;
}

/* the same as ik_exact_run, of branches that are known */
static bool run_branches(lb_ik *ik, ik_search *s, ik_branches *b, double *q, lb_ik_result *result)
{
    bool found = choose_branch(ik, &s->problem, b, q, result);
    if ((!found || ik->options.protocol == LB_PROTOCOL_NEAREST) && has_families(ik, b))
        found = choose_member(ik, &s->problem, found, q, result);
    if (b->doubt)
        found = choose_beside(ik, s, found, q, result);
    if (found)
        return true;
    ik_search_ready_some(ik, ik->single, &s, 1);
    lb_reason proof =
        s->problem.beyond_reach > 0 ? LB_REASON_REACH : find_proof(ik, &s->problem, b);
    if (proof == LB_REASON_NONE)
        return false;
    if (ik->options.closest) {
        ik_search_expect_none(ik, s, proof);
        return false;
    }
    *result = (lb_ik_result){.outcome = LB_UNREACHABLE,
                             .reason = proof,
                             .tries = 1,
                             .beyond_reach = s->problem.beyond_reach};
    settle(ik, &s->problem, b, q, result);
    return true;
}

bool ik_exact_run(lb_ik *ik, ik_search *s, double *q, lb_ik_result *result)
{
    ik_branches b;
    if (is_exact(ik, &s->problem)) {
        ik_branches_find(ik, s->problem.model_targets, s->problem.model_start, &b);
        return run_branches(ik, s, &b, q, result);
    }
    ik_search_ready_some(ik, ik->single, &s, 1);
    return ik->complete && ik->options.protocol == LB_PROTOCOL_NEAREST &&
           !(s->problem.beyond_reach > 0) && run_general(ik, s, q, result);
}

/* ---- several at once ---------------------------------------------------------- */

/* Searches that have a result in closed form, as the kernel takes them. */
typedef struct group {
    int count;
    int place[KERNEL_MAX_WIDTH]; /* among those that were given */
    const lb_transform *targets[KERNEL_MAX_WIDTH];
    const double *starts[KERNEL_MAX_WIDTH];
    double *q[KERNEL_MAX_WIDTH];
    kernel_solutions *sets[KERNEL_MAX_WIDTH];
    bool made; /* the sets are: at least one search has no result yet */
} group;

/* keeps the members that `chosen` has a bit for */
static void narrow(group *g, unsigned chosen)
{
    int kept = 0;
    for (int i = 0; i < g->count; i++) {
        if ((chosen >> i & 1) == 0)
            continue;
        g->place[kept] = g->place[i];
        g->targets[kept] = g->targets[i];
        g->starts[kept] = g->starts[i];
        g->q[kept++] = g->q[i];
    }
    g->count = kept;
}

/* writes the branch that is wanted for each member, and keeps those that have one */
static void pick(lb_ik *ik, group *g)
{
    double squares[KERNEL_MAX_WIDTH];
    const kernel_closed_batch batch = {.targets = g->targets,
                                       .starts = g->starts,
                                       .q = g->q,
                                       .columns = ik->finder.columns,
                                       .nearest = ik->options.protocol == LB_PROTOCOL_NEAREST,
                                       .nearly_open = ik->nearly_open > 0 ? -CLOSED_NEARLY_ROOT : 0,
                                       .sets = g->sets,
                                       .made = &g->made};
    for (int i = 0; i < g->count; i++)
        memmove(g->q[i], g->starts[i], sizeof(double) * (size_t)ik->model->tree.nq);
    unsigned some = ik->ops->closed_pick(&ik->finder.form, &ik->ranges, &batch, g->count, squares);
    // the start itself may be the result
    for (int i = 0; i < g->count && batch.nearest; i++)
        if (squares[i] <= AT_START * AT_START)
            some &= ~(1u << i);
    narrow(g, some);
}

/* the errors of the members' rows; returns a bit for each that is a solution */
static unsigned verify_some(lb_ik *ik, const group *g, const double *const *rows, double *position,
                            double *rotation)
{
    unsigned some = 0;
    if (g->count > 0)
        ik->ops->verify(&ik->verifier.kernel, rows, g->targets, g->count, ik->verifier_scratch,
                        position, rotation);
    for (int i = 0; i < g->count; i++)
        some |= (unsigned)(position[i] <= ik->options.position_tolerance &&
                           rotation[i] <= ik->options.rotation_tolerance)
                << i;
    return some;
}

/* verifies the members' rows; returns a bit for each search that is solved */
static unsigned confirm_some(lb_ik *ik, const group *g, lb_ik_result *const *results)
{
    double position[KERNEL_MAX_WIDTH], rotation[KERNEL_MAX_WIDTH];
    unsigned solved = 0, stays = 0;
    // of the others closed_pick has left out the poses at which the start may be the result
    if (ik->options.protocol == LB_PROTOCOL_NEAREST && ik->nearly_open == 0)
        stays = verify_some(ik, g, g->starts, position, rotation);
    const unsigned some =
        verify_some(ik, g, (const double *const *)g->q, position, rotation) & ~stays;
    for (int i = 0; i < g->count; i++) {
        if ((some >> i & 1) == 0)
            continue;
        *results[g->place[i]] = (lb_ik_result){.outcome = LB_REACHED,
                                               .tries = 1,
                                               .position_error = position[i],
                                               .rotation_error = rotation[i]};
        solved |= 1u << g->place[i];
    }
    return solved;
}

/* the errors of the starts of searches that have not ended, all at once */
static void measure_starts(lb_ik *ik, ik_search *const *rest, int count, ik_branches *const *b)
{
    const lb_transform *targets[KERNEL_MAX_WIDTH];
    const double *starts[KERNEL_MAX_WIDTH];
    double position[KERNEL_MAX_WIDTH], rotation[KERNEL_MAX_WIDTH];
    for (int i = 0; i < count; i++) {
        targets[i] = rest[i]->problem.model_targets;
        starts[i] = rest[i]->problem.model_start;
    }
    ik->ops->verify(&ik->verifier.kernel, starts, targets, count, ik->verifier_scratch, position,
                    rotation);
    for (int i = 0; i < count; i++) {
        b[i]->measured = true;
        b[i]->position = position[i];
        b[i]->rotation = rotation[i];
    }
}

/* solves those that have not ended one by one: other branches, the start itself, a proof; returns a
   bit for each that ends. `made`: their branches are known */
static unsigned run_rest(lb_ik *ik, ik_search *const *searches, int count, unsigned ended,
                         bool made, ik_branches *branches, double *const *q,
                         lb_ik_result *const *results)
{
    ik_search *rest[KERNEL_MAX_WIDTH] = {NULL};
    ik_branches *of[KERNEL_MAX_WIDTH];
    int place[KERNEL_MAX_WIDTH], some = 0;
    for (int i = 0; i < count; i++) {
        const ik_search_problem *problem = &searches[i]->problem;
        if (ended >> i & 1)
            continue;
        if (!is_exact(ik, problem)) {
            ended |= (unsigned)ik_exact_run(ik, searches[i], q[i], results[i]) << i;
            continue;
        }
        if (made)
            ik_branches_take(&branches[i]);
        else
            ik_branches_find(ik, problem->model_targets, problem->model_start, &branches[i]);
        place[some] = i;
        of[some] = &branches[i];
        rest[some++] = searches[i];
    }
    if (some > 0)
        measure_starts(ik, rest, some, of);
    for (int i = 0; i < some; i++)
        ended |= (unsigned)run_branches(ik, rest[i], of[i], q[place[i]], results[place[i]])
                 << place[i];
    return ended;
}

unsigned ik_exact_run_some(lb_ik *ik, ik_search *const *searches, int count, double *const *q,
                           lb_ik_result *const *results)
{
    ik_branches branches[KERNEL_MAX_WIDTH];
    group g = {.count = 0};
    for (int i = 0; i < count; i++)
        if (is_exact(ik, &searches[i]->problem)) {
            g.place[g.count] = i;
            g.targets[g.count] = searches[i]->problem.model_targets;
            g.starts[g.count] = searches[i]->problem.model_start;
            g.sets[g.count] = &branches[i].found;
            g.q[g.count++] = q[i];
        }
    unsigned ended = 0;
    if (g.count > 0) {
        pick(ik, &g);
        ended = confirm_some(ik, &g, results);
    }
    return ended == (1u << count) - 1
               ? ended
               : run_rest(ik, searches, count, ended, g.made, branches, q, results);
}

/* ---- why there is none ---------------------------------------------------------- */

/* notes a solution outside the limits that breaks them by less than those before */
static void note_limit(const lb_ik *ik, int worst, double beyond, ik_exact_limits *limits)
{
    const closed_joint *joint = &ik->finder.chain.joints[worst];
    if (limits->count++ == 0 || beyond < limits->beyond) {
        limits->joint = joint->joint;
        limits->beyond = beyond;
        limits->is_length = joint->is_length;
    }
}

static bool find_general_limit(const lb_ik *ik, const lb_transform *target, const double *q,
                               ik_exact_limits *limits)
{
    closed_set set;
    if (!ik_complete_list(ik, target, q, &set))
        return false;
    for (int i = 0; i < set.count; i++) {
        const closed_choice *c = &set.solutions[i].choice;
        if (c->worst < 0)
            return false;
        note_limit(ik, c->worst, c->beyond, limits);
    }
    return limits->count > 0;
}

/* whether an earlier branch is the same configuration: those of an arm that is completed differ in
   joints that it has not */
static bool is_repeated(const lb_ik *ik, const ik_branches *b, int branch)
{
    bool repeated = false;
    for (int k = 0; k < branch && !repeated; k++) {
        repeated = (b->solve >> k & 1) != 0;
        for (int i = 0; i < KERNEL_CLOSED_JOINTS && repeated; i++)
            repeated = ik->finder.columns[i] < 0 ||
                       fabs(b->found.q[i][k] - b->found.q[i][branch]) <= SAME_JOINT;
    }
    return repeated;
}

bool ik_exact_limit(lb_ik *ik, const lb_transform *target, const double *q, ik_exact_limits *limits)
{
    ik_branches b;
    *limits = (ik_exact_limits){.count = 0};
    if (ik->complete)
        return find_general_limit(ik, target, q, limits);
    if (!ik->exact || !closed_chain_fits(&ik->finder.chain, q))
        return false;
    ik_branches_find(ik, target, q, &b);
    for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i++) {
        if ((b.solve >> i & 1) == 0 || is_repeated(ik, &b, i))
            continue;
        if (b.found.worst[i] < 0)
            return false;
        note_limit(ik, ik->finder.chain_of[(int)b.found.worst[i]], b.found.beyond[i], limits);
    }
    return limits->count > 0;
}
