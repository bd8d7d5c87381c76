/*
 * speed.c - keys within the speed limits of their joints, looking ahead and back.
 *
 * Of a value that may change by v a second at most, u_i = min_j (q_j + v |t_i - t_j|) is the
 * largest curve of that kind below the keys and l_i = max_j (q_j - v |t_i - t_j|) the smallest
 * above them; their mean is as near to the keys at the worst as any such curve is (McShane 1934).
 * It starts early and arrives late in equal measure. Each comes from one pass forward and one back.
 *
 * Joints that carry no held point take these curves as they are. The others' know nothing of feet:
 * frames that they change are solved again, in order, each as near to its curve as the held points
 * allow and no farther from the frame before than the speed is, until the motion is back on its
 * keys. A foot whose heel or toe is not where it is to be held when its contact begins, or turned
 * otherwise, stays where the frame before has it, on the ground, and the frame is solved once more:
 * the step becomes shorter or longer instead of the foot sliding.
 */
#include "base/error.h"
#include "math/scalar.h"
#include "model/layout.h"
#include "motion/pace.h"
#include "motion/retarget/retarget.h"

#include <limber/kinematics.h>

#include <string.h>

/* the share of a speed that the curves use: the rest is for feet and root to be put right */
#define CURVE_SHARE 0.9
/* rounding: a limit times a frame's time is met to this share of it */
#define ROUNDING 1e-9
/* metres that a foot may be away from its place when it is to be held there */
#define LANDED 1e-5
/* of the posture when frames are solved again: it is what is to be followed, below held feet */
#define FOLLOW 3.0

typedef struct speed_keys {
    const lb_model *model;
    const double *times;
    double *keys;  /* count x nq */
    double *curve; /* count x nq */
    int count;
    size_t nq;
    retarget_value *values;
    int value_count;
    unsigned char *slowed; /* of each key: whether it changed */
} speed_keys;

static bool is_too_fast(const retarget_value *v)
{
    return v->fastest > 1 + ROUNDING;
}

/* joints whose values may not change alone: frames are solved again */
static bool is_bound(const retarget_plan *plan, int joint)
{
    for (int i = 0; i < plan->target->loop_count; i++)
        if (loop_moves_by(plan->target, i, joint))
            return true;
    return retarget_carries_held(plan, joint);
}

int retarget_list_values(const retarget_plan *plan, retarget_value *values)
{
    int count = 0;
    for (int j = 0; j < lb_model_joint_count(plan->target); j++) {
        const lb_joint *joint = lb_model_joint(plan->target, j);
        for (int i = 0; retarget_has_numbers(joint->kind) && joint->mimic == NULL &&
                        i < lb_joint_kind_nq(joint->kind);
             i++)
            values[count++] = (retarget_value){.q = lb_model_joint_q(plan->target, j) + i,
                                               .joint = j,
                                               .value = i,
                                               .speed = joint->velocity,
                                               .carries = is_bound(plan, j)};
    }
    return count;
}

/* those that have a speed limit */
static void list_limited(const retarget_plan *plan, speed_keys *k)
{
    int count = retarget_list_values(plan, k->values);
    for (int i = 0; i < count; i++)
        if (isfinite(k->values[i].speed))
            k->values[k->value_count++] = k->values[i];
}

/* finds how fast each value is, key by key, which is the order they are in; whether any is too fast
 */
static bool measure_speeds(speed_keys *k, lb_retarget_report *report)
{
    bool any = false;
    for (int i = 1; i < k->count; i++) {
        const double *now = &k->keys[(size_t)i * k->nq], *before = now - k->nq;
        double time = k->times[i] - k->times[i - 1];
        for (int p = 0; p < k->value_count; p++) {
            retarget_value *v = &k->values[p];
            double change = rest_or_change(fabs(now[v->q] - before[v->q]));
            if (change > 0)
                v->fastest = scalar_max(change / (v->speed * time), v->fastest);
        }
    }
    for (int p = 0; p < k->value_count; p++) {
        const retarget_value *v = &k->values[p];
        report->fastest = fmax(report->fastest, v->fastest);
        if (v->carries)
            report->fastest_leg = fmax(report->fastest_leg, v->fastest);
        any = any || is_too_fast(v);
    }
    return any;
}

/* the mean of both envelopes of one value, in the curve */
static void make_curve(speed_keys *k, int value, double speed, double *upper, double *lower)
{
    int last = k->count - 1;
    for (int i = 0; i <= last; i++)
        upper[i] = lower[i] = k->keys[(size_t)i * k->nq + (size_t)value];
    for (int i = 1; i <= last; i++) {
        double most = speed * (k->times[i] - k->times[i - 1]);
        upper[i] = fmin(upper[i], upper[i - 1] + most);
        lower[i] = fmax(lower[i], lower[i - 1] - most);
    }
    for (int i = last - 1; i >= 0; i--) {
        double most = speed * (k->times[i + 1] - k->times[i]);
        upper[i] = fmin(upper[i], upper[i + 1] + most);
        lower[i] = fmax(lower[i], lower[i + 1] - most);
    }
    for (int i = 0; i <= last; i++)
        k->curve[(size_t)i * k->nq + (size_t)value] = 0.5 * (upper[i] + lower[i]);
}

/* whether a frame can follow the one before within the speeds */
static bool can_follow(const speed_keys *k, const double *from, const double *to, double time)
{
    for (int i = 0; i < k->value_count; i++) {
        const retarget_value *v = &k->values[i];
        if (fabs(to[v->q] - from[v->q]) > v->speed * time * (1 + ROUNDING))
            return false;
    }
    return true;
}

/* whether the curves leave a frame as it is */
static bool is_kept(const speed_keys *k, int frame)
{
    const double *key = &k->keys[(size_t)frame * k->nq], *curve = &k->curve[(size_t)frame * k->nq];
    return memcmp(key, curve, k->nq * sizeof *key) == 0;
}

/* metres along the ground that a foot's points, which are held in a phase, are from their goals */
static double far_from_goals(const retarget_solver *solver, const foot_plan *foot,
                             const foot_phase *phase, const lb_transform *link, bool raised)
{
    const lb_retarget_pair *pair = &solver->plan->map->pairs[foot->pair];
    double far = 0;
    for (int i = 0; i < pair->held_count; i++) {
        lb_vec3 at = lb_transform_point(link, pair->held[i].at);
        lb_vec3 off = lb_vec3_sub(at, solver->goals[foot->pair].held[i]);
        if (!raised)
            off = ground_along(&solver->plan->ground, off);
        if (phase->held >> i & 1)
            far = fmax(far, lb_vec3_length(off));
    }
    return far;
}

/*
 * Feet of which heel or toe comes to rest with a frame are held where they are; returns until when
 * goals of feet are others than those of the keys.
 */
static double land(retarget_solver *solver, const speed_keys *k, int frame,
                   lb_retarget_report *report)
{
    retarget_plan *plan = solver->plan;
    double until = -INFINITY;
    for (int f = 0; f < plan->foot_count; f++) {
        foot_plan *foot = &plan->feet[f];
        int phase = retarget_phase_between(foot, k->times[frame - 1], k->times[frame]);
        if (phase < 0)
            continue;
        int target = plan->map->pairs[foot->pair].target;
        const lb_transform *link = &lb_state_transforms(solver->state)[target];
        lb_state_update(solver->state, &k->keys[(size_t)frame * k->nq]);
        bool raised = retarget_is_palm(&plan->map->pairs[foot->pair]);
        double far = far_from_goals(solver, foot, &foot->phases[phase], link, raised);
        if (far <= LANDED)
            continue;
        report->worst_moved = fmax(report->worst_moved, far);
        lb_state_update(solver->state, &k->keys[(size_t)(frame - 1) * k->nq]);
        until = fmax(until, retarget_land_foot(plan, foot, phase, link));
    }
    return until;
}

/* a stage's values go no farther from the frame before than their speeds allow */
static void bound_speeds(lb_body *body, const speed_keys *k, const double *before, double time)
{
    for (int i = 0; i < k->value_count; i++) {
        const retarget_value *v = &k->values[i];
        double most = v->speed * time;
        lb_body_set_limits(body, v->joint, v->value, before[v->q] - most, before[v->q] + most);
    }
}

/* one frame from the one before: near to its curve first, then with held points in their places */
static void follow_stages(retarget_solver *solver, const speed_keys *k, int frame)
{
    static const retarget_stage stages[] = {RETARGET_NEAR, RETARGET_FOLLOW, RETARGET_EXACT};
    double *q = &k->keys[(size_t)frame * k->nq], *before = q - k->nq;
    memcpy(q, before, k->nq * sizeof *q);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        bound_speeds(solver->bodies[stages[i]], k, before, k->times[frame] - k->times[frame - 1]);
        lb_body_set_posture(solver->bodies[stages[i]], &k->curve[(size_t)frame * k->nq]);
        retarget_descend(solver, stages[i], q, q);
    }
}

/* the same; points that come to be below the ground are put on it */
static void follow_frame(retarget_solver *solver, const speed_keys *k, int frame)
{
    const double *q = &k->keys[(size_t)frame * k->nq];
    for (int round = 0; round < RETARGET_PRESSINGS; round++) {
        follow_stages(solver, k, frame);
        if (!retarget_press_pose(solver, q))
            break;
    }
}

/* frames that the curves change, and those after them until the motion is back, solved again */
static void follow_curves(retarget_solver *solver, speed_keys *k, lb_retarget_report *report)
{
    double moved = -INFINITY;
    for (int i = 1; i < k->count; i++) {
        double time = k->times[i] - k->times[i - 1];
        double *q = &k->keys[(size_t)i * k->nq], *before = q - k->nq;
        if (is_kept(k, i) && can_follow(k, before, q, time) && k->times[i] > moved)
            continue;
        retarget_aim(solver, k->times[i]);
        follow_frame(solver, k, i);
        double until = land(solver, k, i, report);
        if (until > k->times[i]) {
            retarget_aim(solver, k->times[i]);
            follow_frame(solver, k, i);
        }
        moved = fmax(moved, until);
        k->slowed[i] = 1;
    }
}

static lb_status solve_again(retarget_plan *plan, speed_keys *k, lb_retarget_report *report,
                             lb_error *error)
{
    retarget_solver solver = {0};
    lb_status status = retarget_solver_create(plan, FOLLOW, &solver, error);
    if (status == LB_OK) {
        follow_curves(&solver, k, report);
        report->iterations += solver.iterations;
    }
    return status;
}

/* values that carry no held point take their curves; whether others are too fast */
static bool take_curves(speed_keys *k, double *bounds)
{
    bool others = false;
    size_t n = (size_t)k->count;
    for (int i = 0; i < k->value_count; i++) {
        const retarget_value *v = &k->values[i];
        if (!is_too_fast(v))
            continue;
        make_curve(k, v->q, (v->carries ? CURVE_SHARE : 1) * v->speed, bounds, bounds + n);
        others = others || v->carries;
    }
    for (size_t i = 0; i < n; i++)
        for (int p = 0; p < k->value_count; p++) {
            const retarget_value *v = &k->values[p];
            double *key = &k->keys[i * k->nq + (size_t)v->q];
            double curve = k->curve[i * k->nq + (size_t)v->q];
            if (v->carries || *key == curve)
                continue;
            *key = curve;
            k->slowed[i] = 1;
        }
    return others;
}

/* keys with values that are too fast */
static lb_status slow_down(retarget_plan *plan, speed_keys *k, lb_retarget_report *report,
                           lb_error *error)
{
    const lb_allocator *memory = &plan->memory;
    size_t n = (size_t)k->count;
    double *bounds = memory_take(memory, 2 * n, sizeof *bounds);
    k->curve = memory_take(memory, n, k->nq * sizeof *k->curve);
    if (memory_pool_failed(memory))
        return error_out_of_memory(error);
    memcpy(k->curve, k->keys, n * k->nq * sizeof *k->curve);
    return take_curves(k, bounds) ? solve_again(plan, k, report, error) : LB_OK;
}

lb_status retarget_limit_speeds(retarget_plan *plan, const double *times, double *keys, int count,
                                unsigned char *slowed, lb_retarget_report *report, lb_error *error)
{
    const lb_allocator *memory = &plan->memory;
    size_t nq = (size_t)lb_model_nq(plan->target);
    speed_keys k = {.model = plan->target,
                    .times = times,
                    .keys = keys,
                    .count = count,
                    .nq = nq,
                    .slowed = slowed};
    k.values = memory_take(memory, nq, sizeof *k.values);
    TRY(require_memory(error, k.values));
    list_limited(plan, &k);
    bool too_fast = measure_speeds(&k, report);
    return too_fast && slowed != NULL ? slow_down(plan, &k, report, error) : LB_OK;
}

double retarget_largest_bend(const retarget_plan *plan, int joint)
{
    const lb_retarget_options *o = plan->options;
    lb_joint_kind kind = lb_model_joint(plan->target, joint)->kind;
    double most = o->acceleration > 0 ? o->acceleration : INFINITY;
    if (kind == LB_JOINT_FLOATING || kind == LB_JOINT_PLANAR)
        return INFINITY;
    return o->accelerations != NULL ? fmin(most, o->accelerations[joint]) : most;
}

/* the largest acceleration over its limit, by changes before and after a key; a ball has one */
static double share_of_bends(const retarget_plan *plan, const double *came, double before,
                             const double *goes, double after)
{
    double most = 0;
    for (int j = 0; j < lb_model_joint_count(plan->target); j++) {
        lb_joint_kind kind = lb_model_joint(plan->target, j)->kind;
        int v = lb_model_joint_v(plan->target, j), end = v < 0 ? v : v + lb_joint_kind_nv(kind);
        double square = 0, limit = 0.5 * (before + after) * retarget_largest_bend(plan, j);
        for (int k = v; k < end; k++) {
            double change = goes[k] / after - came[k] / before;
            square = change * change + (retarget_has_numbers(kind) ? 0 : square);
            most = fmax(most, sqrt(square) / limit);
        }
    }
    return most;
}

lb_status retarget_measure_bends(const retarget_plan *plan, const double *times, const double *keys,
                                 int count, lb_retarget_report *report, lb_error *error)
{
    size_t nq = (size_t)lb_model_nq(plan->target), nv = (size_t)lb_model_nv(plan->target);
    double *goes = memory_take(&plan->memory, nv, sizeof *goes);
    double *came = memory_take(&plan->memory, nv, sizeof *came);
    bool any = plan->options->accelerations != NULL || plan->options->acceleration > 0;
    if (memory_pool_failed(&plan->memory))
        return error_out_of_memory(error);
    for (int i = 1; any && i + 1 < count; i++) {
        const double *key = keys + (size_t)i * nq;
        lb_configuration_difference(plan->target, key - nq, key, came);
        lb_configuration_difference(plan->target, key, key + nq, goes);
        double share =
            share_of_bends(plan, came, times[i] - times[i - 1], goes, times[i + 1] - times[i]);
        report->acceleration = fmax(report->acceleration, share);
        report->accelerated += share > 1 + ROUNDING;
    }
    return LB_OK;
}
