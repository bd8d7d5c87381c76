/*
 * step.inl - one damped least-squares step inside the limits, one problem per lane.
 *
 * Solves (J M J^T + lambda^2 1) y = e and moves by M J^T y: Parent 2012, Eq. 5.24, with the
 * mobilities M of the joints, whose square roots scale the columns of J. This form is as large as
 * the task, not as the linkage. lambda is given, or proportional to the error (Chan & Lawrence
 * 1988): a Levenberg-Marquardt descent with long steps near the target and short ones far away.
 *
 * The same equations are solved in two other places: ik/methods/damped.c is the textbook's form,
 * which this step is tested against; body_sweep.inl solves many tasks on one tree in time linear in
 * its joints.
 *
 * There is one text for all problems. `arm` (the joints of an arm, 0: no arm) and `rows` (3 or 6
 * of a single unshared task, 0: any tasks) are constants wherever they are parameters.
 */
#ifndef KERNEL_STEP_INL
#define KERNEL_STEP_INL

#include "kernel/arm.inl"
#include "kernel/descent.h"
#include "kernel/limits.inl"

/* how lambda's share of the squared error changes in monotone descents, and its range: measured */
#define SHARE_LOWERED 0.5
#define SHARE_RAISED 4
#define SHARE_MIN 0.01
#define SHARE_MAX 0.4
/* a step that increased the error is tried again at this part of its length */
#define BACKTRACK 0.125

/* ---- columns -------------------------------------------------------------- */

LANE_INLINE lane screw_dot(const screw *a, const screw *b, int rows)
{
    triple sum = triple_multiply(a->linear, b->linear);
    return triple_sum(rows == 6 ? triple_add(sum, triple_multiply(a->angular, b->angular)) : sum);
}

/* the column of a one-axis variable, not yet restricted; with three rows they are `linear` */
LANE_INLINE screw axis_column(const kernel_problem *problem, int i, const work *w,
                              const arm_state *at, int arm, int rows)
{
    if (arm > 0)
        return screw_rotation(at->axis[i], at->origin[i], at->tool);
    const kernel_variable *x = &problem->variables[i];
    const kernel_task *task = problem->tasks;
    screw c = joint_screw(&problem->tree.joints[x->joint], &w->frames[x->joint], w->tools);
    c = screw_weigh(c, task, w->tools);
    if (rows == 3 && !task->goal.position)
        c.linear = c.angular;
    return c;
}

/*
 * Of far slides, as against the damping: it grows with the squared error, and leaves nothing of the
 * steps of a slide to a target ten thousand lengths away.
 */
#define FAR_SHARE 10

/* the mobility of a variable in this step */
LANE_INLINE lane axis_mobility(const kernel_variable *x, const work *w)
{
    lane mobility = lane_set(x->mobility);
    return x->far ? mobility * w->far : mobility;
}

/* the same inside its limits and scaled with its mobility */
LANE_INLINE screw make_column(const kernel_problem *problem, int i, const screw *error,
                              const work *w, const arm_state *at, int arm, int rows)
{
    const kernel_variable *x = &problem->variables[i];
    screw c = axis_column(problem, i, w, at, arm, rows);
    lane_mask movable = can_move(x, w->q[arm > 0 ? i : x->q], screw_dot(&c, error, rows));
    if (arm == 0 && (x->mobility != 1 || x->far)) {
        lane mobility = axis_mobility(x, w);
        c.linear = triple_scale(c.linear, mobility);
        c.angular = triple_scale(c.angular, mobility);
    }
    c.linear = triple_keep(movable, c.linear);
    if (rows == 6)
        c.angular = triple_keep(movable, c.angular);
    return c;
}

/* The columns of an arm's Jacobian. */
typedef struct arm_jacobian {
    triple linear[ARM_MAX_JOINTS], angular[ARM_MAX_JOINTS];
} arm_jacobian;

/* the columns of an arm, and the sum of their products with themselves */
LANE_INLINE normal arm_columns(const kernel_problem *problem, const work *w, const arm_state *at,
                               arm_jacobian *jacobian, int arm)
{
    normal sum = normal_start();
#pragma GCC unroll 8
    for (int i = 0; i < arm; i++) {
        const screw c = make_column(problem, i, &at->error, w, at, arm, 6);
        jacobian->linear[i] = c.linear;
        jacobian->angular[i] = c.angular;
        normal_add(&sum, c.linear, c.angular, 6);
    }
    return sum;
}

/* the columns of a single unshared task in w->jacobian; the sums are a pass of their own, so that
   they stay in registers */
LANE_INLINE normal single_columns(const kernel_problem *problem, const screw *error, work *w,
                                  int rows)
{
    for (int i = 0; i < problem->variable_count; i++) {
        const kernel_variable *x = &problem->variables[i];
        lane *column = w->jacobian + x->v * rows;
        if (x->ball) {
            joint_write(problem, problem->tasks, w->tools, x->joint, w, rows, false);
            restrain(x, w, rows);
            continue;
        }
        const screw c = make_column(problem, i, error, w, NULL, 0, rows);
        rows_put(column, c.linear);
        if (rows == 6)
            rows_put(column + 3, c.angular);
    }
    return normal_of(w->jacobian, problem->tree.nv, rows);
}

/* the columns of any tasks in w->jacobian */
static void any_columns(const kernel_problem *problem, work *w)
{
    linearize(problem, w);
    for (int i = 0; i < problem->variable_count; i++) {
        const kernel_variable *x = &problem->variables[i];
        restrain(x, w, problem->rows);
        for (int r = 0; x->far && r < problem->rows; r++)
            w->jacobian[x->v * problem->rows + r] *= w->far;
    }
}

/* ---- changes -------------------------------------------------------------- */

/* step = M J^T solution, and where it leads; the columns have one half of M already */
LANE_INLINE void find_changes(const kernel_problem *problem, const lane *solution, const work *w,
                              int rows)
{
    const kernel_variable *x = problem->variables, *end = x + problem->variable_count;
    const lane *column = w->jacobian, *q = w->q;
    lane *step = w->step, *next = w->next;
    // the variables' columns and steps are consecutive
    for (; x != end; x++) {
        lane *first = step;
        for (int k = x->ball ? 3 : 1; k > 0; k--, column += rows) {
            lane change = column_dot(column, solution, rows);
            *step++ = x->mobility != 1 || x->far ? change * axis_mobility(x, w) : change;
        }
        if (x->ball)
            move_ball(x, q + x->q, first, next + x->q);
        else
            next[x->q] = axis_clamp(x, q[x->q] + *first);
    }
}

LANE_INLINE lane v3_sum_abs(v3 a)
{
    return lane_abs(a.x) + lane_abs(a.y) + lane_abs(a.z);
}

/*
 * The same for an arm. Returns where the step certainly arrives, so that its end need not be
 * measured: no limit and no poor pivot (`sound`) interfered, and the remaining errors are small:
 *   that of the damping, lambda^2 y, and that of rounding in the sums, with y the solution;
 *   that of a straight step along arcs: second derivatives of the tool's position are not longer
 *   than the reach, and rotations about several axes differ from their sum by at most half the
 *   square of that; so does taking the error for a small rotation.
 */
LANE_INLINE lane_mask arm_changes(const kernel_problem *problem, const kernel_control *control,
                                  lane damping2, v3 x, v3 y, lane_mask sound,
                                  const arm_jacobian *jacobian, const work *w, int arm)
{
    const screw solution = {triple_make(x.x, x.y, x.z), triple_make(y.x, y.y, y.z)};
    lane length = lane_set(0);
#pragma GCC unroll 8
    for (int i = 0; i < arm; i++) {
        const screw c = {jacobian->linear[i], jacobian->angular[i]};
        lane change = screw_dot(&c, &solution, 6);
        lane to = w->q[i] + change;
        w->step[i] = change;
        w->next[i] = axis_clamp(&problem->variables[i], to);
        sound = mask_and(sound, lane_eq(w->next[i], to));
        length = length + lane_abs(change);
    }
    double tolerance = control->position_tolerance < control->rotation_tolerance
                           ? control->position_tolerance
                           : control->rotation_tolerance;
    lane left = (v3_sum_abs(x) + v3_sum_abs(y)) * (damping2 + lane_set(problem->min_pivot)) +
                length * length * (1 + 0.5 * problem->reach);
    return mask_and(sound, lane_le(left, lane_set(tolerance)));
}

/* ---- the step ------------------------------------------------------------- */

/* from where w, or the arm `at`, was measured to w->step and w->next; returns where the step
   certainly arrives */
LANE_INLINE lane_mask find_step(const kernel_problem *problem, const kernel_control *control,
                                lane damping2, work *w, const arm_state *at, int arm, int rows)
{
    const lane least = lane_set(problem->min_pivot);
    if (arm == 0)
        w->far = lane_sqrt(lane_max(damping2 * FAR_SHARE, lane_set(1)));
    if (rows == 0) {
        any_columns(problem, w);
        matrix_make(w->normal, w->jacobian, problem->tree.nv, damping2, problem->rows);
        memcpy(w->solution, w->error, sizeof(lane) * (size_t)problem->rows);
        matrix_solve(w->normal, least, w->solution, problem->rows);
        find_changes(problem, w->solution, w, problem->rows);
        return mask_from_bits(0);
    }
    v3 e, f, x, y;
    if (arm > 0) {
        arm_jacobian jacobian;
        const normal a = arm_columns(problem, w, at, &jacobian, arm);
        triple_store(&e, at->error.linear);
        triple_store(&f, at->error.angular);
        lane_mask sound = normal_solve(&a, damping2, least, e, f, &x, &y, 6);
        return arm_changes(problem, control, damping2, x, y, sound, &jacobian, w, arm);
    }
    const screw error = {rows_take(w->error), rows_take(w->error + rows - 3)};
    const normal a = single_columns(problem, &error, w, rows);
    triple_store(&e, error.linear);
    triple_store(&f, error.angular);
    normal_solve(&a, damping2, least, e, f, &x, &y, rows);
    lane solution[6];
    rows_set(solution, x);
    rows_set(solution + 3, y);
    find_changes(problem, solution, w, rows);
    return mask_from_bits(0);
}

/* shortens the whole step so that no variable moves by more than the limit */
LANE_INLINE void shorten_step(const kernel_problem *problem, double limit, work *w)
{
    lane longest = lane_set(0);
    for (int v = 0; v < problem->tree.nv; v++)
        longest = lane_max(lane_abs(w->step[v]), longest);
    lane share = lane_min(lane_set(limit) / lane_max(longest, lane_set(limit)), lane_set(1));
    for (int v = 0; v < problem->tree.nv; v++)
        w->step[v] = w->step[v] * share;
}

/* lambda^2 of a step */
LANE_INLINE lane damping_squared(const kernel_control *control, lane error2, lane share)
{
    if (control->damping > 0)
        return lane_set(control->damping * control->damping);
    return error2 * share;
}

/* lambda's share of the squared error after a step that succeeded, or was shortened */
LANE_INLINE lane next_share(lane share, lane_mask shortened)
{
    return lane_select(shortened, lane_min(share * SHARE_RAISED, lane_set(SHARE_MAX)),
                       lane_max(share * SHARE_LOWERED, lane_set(SHARE_MIN)));
}

/* w->step and w->next from where w was measured, of any problem */
static void plan_step(const kernel_problem *problem, const kernel_control *control, lane damping2,
                      work *w)
{
    if (!problem->single_task_unshared)
        find_step(problem, control, damping2, w, NULL, 0, 0);
    else if (problem->rows == 6)
        find_step(problem, control, damping2, w, NULL, 0, 6);
    else
        find_step(problem, control, damping2, w, NULL, 0, 3);
    if (control->step_limit > 0) {
        shorten_step(problem, control->step_limit, w);
        take_step(problem, w);
    }
}

/* ---- steps that must reduce the error --------------------------------------- */

/* returns to where the last successful step led, for lanes whose error has increased */
LANE_INLINE void go_back(const kernel_problem *problem, work *w, lane_mask worse)
{
    for (int i = 0; i < problem->tree.nq; i++)
        w->q[i] = lane_select(worse, w->kept[i], w->q[i]);
}

/* keeps where a step starts; lanes whose error has increased take a part of the last step */
LANE_INLINE void keep_step(const kernel_problem *problem, work *w, lane_mask worse)
{
    for (int i = 0; i < problem->tree.nq; i++)
        w->kept[i] = w->q[i];
    for (int v = 0; v < problem->tree.nv; v++) {
        lane part = w->kept_step[v] * BACKTRACK;
        w->step[v] = w->kept_step[v] = lane_select(worse, part, w->step[v]);
    }
}

#endif
