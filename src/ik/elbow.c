/*
 * elbow.c - the free motion of an arm of seven joints: the public calls.
 *
 * closed/swivel.c has the arcs of the elbow's angle, closed/motion_arcs.c those of a joint; here
 * they are joined across the half turn, configurations are put on their turns and verified by the
 * model's own forward kinematics, and the best is looked for.
 */
#include "ik/elbow.h"

#include "base/error.h"
#include "base/memory.h"
#include "ik/closed/finder.h"
#include "math/scalar.h"
#include "model/range.h"

#include <string.h>

#define TURN (2 * LB_PI)
/* solutions are confirmed to this, as those of lb_solutions are */
#define CONFIRMED 1e-9

/*
 * Radians by which limits are wider where it is decided whether anything is near: angles beside a
 * double root are open to 3e-5, the root of CONFIRMED, and arcs of limits that leave one value have
 * no length.
 */
#define WIDER 1e-4

/* Radians by which they are wider where configurations are looked for that stand at two of them,
   and the longest arc that this makes of one. */
#define CORNER 1e-10
#define CORNER_ARC 1e-8
/* The same of arcs that are followed: ends between nodes are in order to the bend of the path. */
#define FOLLOWED_CORNER 1e-4
#define FOLLOWED_CORNER_ARC 1e-1

/* radians between the angles that are tried of an arc */
#define SPACING 0.2
/* radians that joints move at most between two places of an arc, unless it takes
   more than CLOSER halvings */
#define FAR_APART 0.5

enum {
    CLOSER = 12,     /* halvings of what is far apart */
    LEADERS = 12,    /* places that are looked at more closely, */
    FINER = 8,       /* at so many angles about the best, */
    ROUNDS = 2,      /* so often, each on a quarter of the one before, */
    MORE_ROUNDS = 5, /* and then the best of all: 0.2 to 1e-5; */
    MOST_ROUNDS = 20 /* of one alone that keeps the limits, to rounding */
};

/* A goal of elbow.c alone: where limits are left least; in wider ones, the configuration that keeps
   them has the same room to each limit that it stands at. */
#define INNERMOST ((lb_elbow_goal)(LB_ELBOW_MANIPULABILITY + 1))

/* ---- creating --------------------------------------------------------------- */

static void lay_out(memory_arena *arena, lb_elbow *e)
{
    size_t nq = (size_t)lb_model_nq(e->model), local = (size_t)e->reduction.problem.tree.nq;
    e->neutral = memory_arena_take(arena, nq, sizeof(double));
    e->row = memory_arena_take(arena, nq, sizeof(double));
    e->start = memory_arena_take(arena, nq, sizeof(double));
    e->locals = memory_arena_take(arena, local * ELBOW_PLACES, sizeof(double));
    e->squares = memory_arena_take(arena, ELBOW_PLACES, sizeof(double));
    e->scratch = memory_arena_take_line(arena, e->ops->scratch(&e->reduction.problem));
}

static lb_status make(lb_elbow *e, lb_error *error)
{
    TRY(ik_reduce(e->model, &e->task, 1, 0, &e->allocator, &e->reduction, error));
    memory_arena arena = {0};
    lay_out(&arena, e);
    e->memory = memory_arena_block(&arena, &e->allocator);
    if (!e->memory || !ik_verifier_create(&e->verifier, kernel_choose_single(0, true), e->model,
                                          &e->task, 1, &e->allocator))
        return error_out_of_memory(error);
    lay_out(&arena, e);
    lb_configuration_neutral(e->model, e->neutral);
    int joint;
    const char *why = elbow_read(e, e->neutral, &joint);
    if (why && joint < 0 && elbow_recognise_slice(e)) {
        e->motion = memory_take(&e->allocator, 1, sizeof *e->motion);
        TRY(require_memory(error, e->motion));
        why = elbow_read(e, e->neutral, &joint);
    }
    if (why && joint < 0) {
        memory_release(&e->allocator, e->motion);
        e->motion = NULL;
        e->curve = memory_take(&e->allocator, 1, sizeof *e->curve);
        TRY(require_memory(error, e->curve));
        why = elbow_read(e, e->neutral, &joint);
    }
    e->joint = e->curve    ? LB_ELBOW_LENGTH
               : e->motion ? e->chain.joints[e->slice.held].joint
                           : LB_ELBOW_CIRCLE;
    if (why)
        return REFUSE_UNSUPPORTED(
            error, "the free motion is not known: the arm %s%s%s%s; %s", why,
            joint < 0 ? "" : " ('", joint < 0 ? "" : lb_model_joint(e->model, joint)->name,
            joint < 0 ? "" : "')",
            e->task.kind == LB_TASK_POSE
                ? "list solutions at values of a joint (lb_solutions, limber ik --all)"
                : "give both the position and the rotation of the tool, or lock joints");
    return LB_OK;
}

lb_status lb_elbow_create(const lb_model *model, const lb_task *task, const lb_allocator *allocator,
                          lb_elbow **elbow, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(elbow, error, {model, "model"}, {task, "task"}));
    TRY(ik_check_tasks(model, task, 1, error));
    TRY(loop_refuse(model, task->base, task->tip, "an elbow's free motion", error));
    lb_allocator memory = memory_allocator(allocator);
    lb_elbow *e = memory_take(&memory, 1, sizeof *e);
    TRY(require_memory(error, e));
    e->allocator = memory;
    e->model = model;
    e->task = *task;
    e->ops = kernel_choose(0);
    lb_status status = make(e, error);
    if (status == LB_OK)
        *elbow = e;
    else
        lb_elbow_release(e);
    return status;
}

void lb_elbow_release(lb_elbow *elbow)
{
    if (!elbow)
        return;
    lb_allocator memory = elbow->allocator;
    memory_release(&memory, elbow->reduction.memory);
    memory_release(&memory, elbow->verifier.memory);
    memory_release(&memory, elbow->memory);
    memory_release(&memory, elbow->motion);
    memory_release(&memory, elbow->curve);
    memory_release(&memory, elbow);
}

int lb_elbow_joint(const lb_elbow *elbow)
{
    return elbow->joint;
}

/* ---- arcs ------------------------------------------------------------------- */

/* of one branch, the arc that ends at half a turn goes on where another begins at minus that;
   returns how many there are */
static int join_ends(lb_elbow_arc *arcs, int count)
{
    int last = count - 1;
    if (last < 1 || arcs[0].begin > -LB_PI || arcs[last].end < LB_PI)
        return count;
    arcs[last].end = arcs[0].end + TURN;
    memmove(arcs, arcs + 1, sizeof *arcs * (size_t)last);
    return last;
}

int lb_elbow_arcs(lb_elbow *elbow, const lb_transform *target, const double *start, int capacity,
                  lb_elbow_arc *arcs)
{
    swivel_pose pose;
    lb_elbow_arc all[LB_ELBOW_ARCS_MAX];
    if (elbow_accept(elbow, target, start, &pose) == LB_INVALID)
        return -1;
    const int found = elbow_find_arcs(elbow, &pose, target, all);
    const int branches = elbow->curve ? CURVE_PARTS : LB_ELBOW_BRANCHES;
    int count = 0;
    for (int branch = 0; branch < branches; branch++) {
        lb_elbow_arc some[LB_ELBOW_ARCS_MAX];
        int own = 0;
        for (int i = 0; i < found; i++)
            if (all[i].branch == branch)
                some[own++] = all[i];
        own = join_ends(some, own);
        for (int i = 0; i < own; i++, count++)
            if (count < capacity)
                arcs[count] = some[i];
    }
    return count;
}

/* writes a configuration and verifies it; what it keeps of the limits is known. What rounding
   refuses is not proved to be out of reach */
static lb_outcome write(lb_elbow *e, const lb_transform *target, const double *values, bool inside,
                        double *q, double *position, double *rotation)
{
    memcpy(e->row, e->start, sizeof(double) * (size_t)lb_model_nq(e->model));
    for (int i = 0; i < SWIVEL_JOINTS; i++)
        e->row[e->chain.joints[i].q] = values[i];
    ik_verifier_errors(&e->verifier, e->row, target, position, rotation);
    bool reached = *position <= CONFIRMED && *rotation <= CONFIRMED;
    memcpy(q, reached ? e->row : e->start, sizeof(double) * (size_t)lb_model_nq(e->model));
    return !reached ? LB_EXHAUSTED : inside ? LB_REACHED : LB_STALLED;
}

/* brings values to the limits that they pass by a little and confirms them; else they break them */
static lb_outcome settle(lb_elbow *e, const lb_transform *target, const double *values, double *q,
                         double *position, double *rotation)
{
    double inside[CLOSED_ARM_JOINTS];
    for (int i = 0; i < SWIVEL_JOINTS; i++)
        inside[i] = scalar_clamp(values[i], e->chain.joints[i].lower, e->chain.joints[i].upper);
    if (write(e, target, inside, true, q, position, rotation) == LB_REACHED)
        return LB_REACHED;
    return write(e, target, values, false, q, position, rotation);
}

lb_outcome lb_elbow_at(lb_elbow *elbow, const lb_transform *target, int branch, double angle,
                       const double *start, double *q)
{
    swivel_pose pose;
    motion_rows rows;
    closed_choice choice;
    double position, rotation;
    lb_outcome outcome = elbow_accept(elbow, target, start, &pose);
    const int branches = elbow->curve ? CURVE_PARTS : LB_ELBOW_BRANCHES;
    if (outcome == LB_INVALID || !isfinite(angle) || branch < 0 || branch >= branches)
        return LB_INVALID;
    int root = elbow_root(elbow, &pose, branch);
    if (root >= 0) {
        elbow_find_rows(elbow, &pose, root, branch, &angle, 1, &rows);
        root = elbow_exists(elbow, &rows, 0) ? root : -1;
    }
    if (root < 0) {
        memmove(q, elbow->start, sizeof(double) * (size_t)lb_model_nq(elbow->model));
        return LB_UNREACHABLE;
    }
    elbow_choose(elbow, &rows, 0, &choice);
    return choice.worst < 0 ? settle(elbow, target, choice.q, q, &position, &rotation)
                            : write(elbow, target, choice.q, false, q, &position, &rotation);
}

/* ---- the best ---------------------------------------------------------------- */

/* how far the nearest joint is from a limit: in half its range, or in radians */
static double find_margin(const lb_elbow *e, lb_elbow_goal goal, const double *q)
{
    double least = 1;
    for (int i = 0; i < SWIVEL_JOINTS; i++) {
        const closed_joint *joint = &e->chain.joints[i];
        double room = scalar_min(q[i] - joint->lower, joint->upper - q[i]);
        double half = 0.5 * (joint->upper - joint->lower);
        if (isfinite(room) && isfinite(half) && half > 0)
            least = scalar_min(least, goal == INNERMOST ? room : room / half);
    }
    return least;
}

/* det J J^T of places */
static void measure_manipulability(lb_elbow *e, elbow_place *places, int count)
{
    size_t local = (size_t)e->reduction.problem.tree.nq;
    for (int i = 0; i < count; i++) {
        memcpy(e->row, e->start, sizeof(double) * (size_t)lb_model_nq(e->model));
        for (int k = 0; k < SWIVEL_JOINTS; k++)
            e->row[e->chain.joints[k].q] = places[i].q[k];
        ik_gather(&e->reduction, e->row, e->locals + (size_t)i * local);
    }
    if (count > 0)
        e->ops->manipulability_squared(&e->reduction.problem, e->locals, count, e->scratch,
                                       e->squares);
    for (int i = 0; i < count; i++)
        places[i].value = e->squares[i];
}

/* the values of places by what is wanted, greatest is best */
static void rate_places(lb_elbow *e, lb_elbow_goal goal, elbow_place *places, int count)
{
    if (goal == LB_ELBOW_MANIPULABILITY)
        measure_manipulability(e, places, count);
    for (int i = 0; i < count && (goal == LB_ELBOW_MARGIN || goal == INNERMOST); i++)
        places[i].value = find_margin(e, goal, places[i].q);
}

/* the first of the best, -1 where there is none */
static int best_place(const elbow_place *places, int count)
{
    int best = -1;
    for (int i = 0; i < count; i++)
        if (best < 0 || places[i].value > places[best].value)
            best = i;
    return best;
}

/* adds the places of a branch at angles where it keeps the limits; returns how many there are */
static int add_places(lb_elbow *e, const swivel_pose *pose, int branch, const double *angles,
                      int count, int already)
{
    motion_rows rows;
    int root = elbow_root(e, pose, branch);
    elbow_find_rows(e, pose, root, branch, angles, count, &rows);
    for (int k = 0; k < count && already < ELBOW_PLACES; k++) {
        closed_choice choice;
        if (!elbow_exists(e, &rows, k))
            continue;
        elbow_choose(e, &rows, k, &choice);
        if (choice.worst >= 0)
            continue;
        elbow_place *to = &e->places[already++];
        memcpy(to->q, choice.q, sizeof to->q);
        to->value = -choice.square;
        to->angle = angles[k];
        to->branch = branch;
    }
    return already;
}

/* The best local places of arcs, the best of all first. */
typedef struct leaders {
    elbow_place at[LEADERS + 1];
    int count;
} leaders;

static void add_leader(leaders *l, const elbow_place *place)
{
    int k = l->count;
    for (; k > 0 && l->at[k - 1].value < place->value; k--)
        l->at[k] = l->at[k - 1];
    l->at[k] = *place;
    l->count += l->count < LEADERS;
}

/* the most that a joint moves between two places */
static double find_travel(const elbow_place *a, const elbow_place *b)
{
    double most = 0;
    for (int i = 0; i < SWIVEL_JOINTS; i++)
        most = scalar_max(most, fabs(a->q[i] - b->q[i]));
    return most;
}

/* by angle, of places whose first are in order */
static void sort_places(elbow_place *places, int sorted, int count)
{
    for (int i = sorted; i < count; i++) {
        const elbow_place place = places[i];
        int k = i;
        for (; k > 0 && places[k - 1].angle > place.angle; k--)
            places[k] = places[k - 1];
        places[k] = place;
    }
}

/* adds places half-way between those that are far apart: beside a singular configuration joints go
   far in a little of another one's angle; returns how many there are */
static int look_between(lb_elbow *e, const swivel_pose *pose, int branch, int count)
{
    for (int round = 0; round < CLOSER; round++) {
        double angles[KERNEL_SWIVEL_ANGLES];
        int wanted = 0;
        for (int i = 0; i + 1 < count && wanted < KERNEL_SWIVEL_ANGLES; i++)
            if (find_travel(&e->places[i], &e->places[i + 1]) > FAR_APART)
                angles[wanted++] = 0.5 * (e->places[i].angle + e->places[i + 1].angle);
        const int now = wanted > 0 ? add_places(e, pose, branch, angles, wanted, count) : count;
        if (now == count)
            break;
        sort_places(e->places, count, now);
        count = now;
    }
    return count;
}

/* how far the places beside one are */
static double find_spacing(const elbow_place *places, int at, int count)
{
    const double before = at > 0 ? places[at].angle - places[at - 1].angle : 0;
    const double after = at + 1 < count ? places[at + 1].angle - places[at].angle : 0;
    return count > 1 ? scalar_max(before, after) : SPACING;
}

/* places along an arc, from end to end; of a joint's angle closer at both, where joints are fast */
static void look_along(lb_elbow *e, const swivel_pose *pose, lb_elbow_goal goal,
                       const lb_elbow_arc *arc, leaders *l)
{
    double angles[KERNEL_SWIVEL_ANGLES];
    const double length = arc->end - arc->begin;
    // the ends have no room: only a place between them shows how much of it there is
    const double wanted = (goal == INNERMOST ? 3 : 2) + length / SPACING;
    int count = (int)scalar_min(wanted, KERNEL_SWIVEL_ANGLES);
    count = e->motion ? 4 + count : count;
    for (int i = 0; i < count; i++) {
        const double u = (double)i / (count - 1);
        angles[i] = e->motion ? arc->begin + length * (u * u * (3 - 2 * u))
                              : arc->begin + length * i / (count - 1);
    }
    count = add_places(e, pose, arc->branch, angles, count, 0);
    count = look_between(e, pose, arc->branch, count);
    rate_places(e, goal, e->places, count);
    for (int i = 0; i < count; i++) {
        elbow_place *place = &e->places[i];
        if ((i > 0 && place->value < place[-1].value) ||
            (i + 1 < count && place->value <= place[1].value))
            continue;
        place->width = find_spacing(e->places, i, count);
        add_leader(l, place);
    }
}

/* what is known of an arm by its limits */
static void take_limits(lb_elbow *e)
{
    if (e->motion)
        (void)elbow_recognise_slice(e);
    if (e->curve)
        curve_find_arcs(e->curve);
}

/* makes all limits wider by so many radians */
static void widen(lb_elbow *e, double by)
{
    for (int i = 0; i < e->chain.count; i++) {
        e->chain.joints[i].lower -= by;
        e->chain.joints[i].upper += by;
    }
    take_limits(e);
}

/* takes values that pass limits by a little to them, and what is free after them; false: they have
   no such configuration */
static bool bring_inside(const lb_elbow *e, const lb_transform *target, double *values)
{
    double from[SWIVEL_JOINTS];
    closed_solution s;
    for (int i = 0; i < SWIVEL_JOINTS; i++)
        from[i] = e->start[e->chain.joints[i].q];
    closed_choose(&e->chain, values, from, 0, &s.choice);
    if (s.choice.worst >= 0 && !closed_bring_inside(&e->chain, target, from, &s))
        return false;
    memcpy(values, s.choice.q, sizeof from);
    return true;
}

/* adds a configuration that is on no arc of those that are listed */
static void add_single(lb_elbow *e, const lb_transform *target, elbow_place *place, leaders *l)
{
    bool known = !bring_inside(e, target, place->q);
    for (int i = 0; i < l->count; i++)
        known = known || find_travel(&l->at[i], place) < FOLLOWED_CORNER_ARC;
    place->branch = -1;
    if (!known)
        add_leader(l, place);
}

/* places of single configurations, which keep two limits at once: the arcs that wider ones make */
static void look_at_corners(lb_elbow *e, const swivel_pose *pose, const lb_transform *target,
                            lb_elbow_goal goal, leaders *l)
{
    const closed_chain narrow = e->chain;
    lb_elbow_arc arcs[LB_ELBOW_ARCS_MAX];
    leaders corners = {.count = 0};
    widen(e, e->curve ? FOLLOWED_CORNER : CORNER);
    const int count = elbow_find_arcs(e, pose, target, arcs);
    for (int i = 0; i < count; i++)
        if (arcs[i].end - arcs[i].begin < (e->curve ? FOLLOWED_CORNER_ARC : CORNER_ARC))
            look_along(e, pose, goal, &arcs[i], e->curve ? &corners : l);
    e->chain = narrow;
    take_limits(e);
    for (int i = 0; i < corners.count; i++)
        add_single(e, target, &corners.at[i], l);
}

/* places along all arcs */
static void look_round(lb_elbow *e, const swivel_pose *pose, const lb_transform *target,
                       lb_elbow_goal goal, leaders *l)
{
    lb_elbow_arc arcs[LB_ELBOW_ARCS_MAX];
    const int count = elbow_find_arcs(e, pose, target, arcs);
    l->count = 0;
    for (int i = 0; i < count; i++)
        look_along(e, pose, goal, &arcs[i], l);
    look_at_corners(e, pose, target, goal, l);
}

/* goes on from a place in ever smaller steps about the best so far */
static void refine(lb_elbow *e, const swivel_pose *pose, lb_elbow_goal goal, int rounds,
                   elbow_place *best)
{
    double width = best->width;
    for (int round = 0; round < rounds && best->branch >= 0; round++, width *= 0.25) {
        double angles[FINER];
        for (int k = 0; k < FINER; k++)
            angles[k] = best->angle + width * (k - 0.5 * (FINER - 1)) / (0.5 * FINER);
        int count = add_places(e, pose, best->branch, angles, FINER, 0);
        rate_places(e, goal, e->places, count);
        int at = best_place(e->places, count);
        if (at >= 0 && e->places[at].value > best->value)
            *best = e->places[at];
    }
    best->width = width;
}

/* the best of the leaders after a closer look; false: there is none */
static bool find_best(lb_elbow *e, const swivel_pose *pose, const lb_transform *target,
                      lb_elbow_goal goal, int rounds, elbow_place *best)
{
    leaders l;
    look_round(e, pose, target, goal, &l);
    for (int i = 0; i < l.count; i++)
        refine(e, pose, goal, ROUNDS, &l.at[i]);
    int first = best_place(l.at, l.count);
    if (first < 0)
        return false;
    *best = l.at[first];
    refine(e, pose, goal, rounds, best);
    return true;
}

/*
 * Whether it is proved that a target has no elbow, which was looked for within wider limits: not
 * where shoulder or wrist can be in line, nor where rounding is more than what is confirmed.
 */
static bool is_proved(const lb_elbow *e, const lb_transform *target, const swivel_pose *pose)
{
    // no arcs are proved to be all where they are found by samples, or followed
    if (e->motion || e->curve)
        return false;
    const swivel_reach reach = swivel_find_reach(&e->arm, CONFIRMED, CONFIRMED);
    const double far = lb_vec3_length(target->p) + lb_vec3_length(e->arm.shoulder);
    // confirming refuses by rounding alone, and the elbow joint of a stretched arm, which is open
    // to the root of it, comes near WIDER
    if (range_rounding(far, CLOSED_ARM_JOINTS) > CONFIRMED * scalar_min(e->arm.size, 1))
        return false;
    return pose->roots > 0 ? swivel_is_regular(&e->arm, pose)
                           : swivel_prove(&reach, target) != LB_REASON_NONE;
}

/* the best place of wider limits: LB_STALLED; none: LB_UNREACHABLE if proved, else LB_EXHAUSTED */
static lb_outcome find_near(lb_elbow *e, const lb_transform *target, lb_elbow_goal goal, int rounds,
                            elbow_place *best)
{
    const closed_chain narrow = e->chain;
    swivel_pose pose;
    // the wrist is not in the shoulder: that was invalid
    widen(e, WIDER);
    if (!e->motion && !e->curve)
        (void)swivel_place(&e->arm, target, &pose);
    lb_outcome outcome = find_best(e, &pose, target, goal, rounds, best) ? LB_STALLED
                         : is_proved(e, target, &pose)                   ? LB_UNREACHABLE
                                                                         : LB_EXHAUSTED;
    e->chain = narrow;
    take_limits(e);
    return outcome;
}

/* what is wanted, of the configuration that is returned */
static double measure_choice(lb_elbow *e, lb_elbow_goal goal, const double *q)
{
    elbow_place place = {.value = 0};
    for (int i = 0; i < SWIVEL_JOINTS; i++) {
        const int k = e->chain.joints[i].q;
        place.q[i] = q[k];
        place.value += (q[k] - e->start[k]) * (q[k] - e->start[k]);
    }
    rate_places(e, goal, &place, 1);
    return goal == LB_ELBOW_MARGIN ? scalar_max(place.value, 0) : sqrt(scalar_max(place.value, 0));
}

lb_outcome lb_elbow_best(lb_elbow *elbow, const lb_transform *target, lb_elbow_goal goal,
                         const double *start, double *q, lb_elbow_choice *choice)
{
    swivel_pose pose;
    *choice = (lb_elbow_choice){.outcome = elbow_accept(elbow, target, start, &pose)};
    elbow_place best;
    double *position = &choice->position_error, *rotation = &choice->rotation_error;
    bool found = choice->outcome != LB_INVALID &&
                 find_best(elbow, &pose, target, goal, MORE_ROUNDS, &best) &&
                 settle(elbow, target, best.q, q, position, rotation) == LB_REACHED;
    const bool wider = !found;
    if (found)
        choice->outcome = LB_REACHED;
    // a best place that breaks limits may stand before others that keep them: the innermost is one
    for (int i = 0; i < 2 && !found && choice->outcome != LB_INVALID; i++) {
        const bool last = i > 0;
        choice->outcome = find_near(elbow, target, last ? INNERMOST : goal,
                                    last ? MOST_ROUNDS : MORE_ROUNDS, &best);
        if (choice->outcome != LB_STALLED)
            break;
        choice->outcome = settle(elbow, target, best.q, q, position, rotation);
        found = choice->outcome == LB_REACHED;
    }
    if (choice->outcome != LB_REACHED && choice->outcome != LB_STALLED) {
        memmove(q, start ? start : elbow->neutral,
                sizeof(double) * (size_t)lb_model_nq(elbow->model));
        return choice->outcome;
    }
    // arcs of wider limits are none of those that are listed
    choice->branch = elbow->curve && wider ? -1 : best.branch;
    choice->angle = !elbow->curve ? lb_wrap_angle(best.angle) : choice->branch < 0 ? 0 : best.angle;
    choice->value = measure_choice(elbow, goal, q);
    return choice->outcome;
}
