/*
 * arm.inl - one iteration of the descent for arms, one problem per lane.
 *
 * An arm is a chain of joints that all turn, each by a number of its own, with one tool that
 * has a pose to reach: what most robots are. Their steps are those of step.inl, bit for
 * bit; but as nothing needs to be asked of a joint except how it is placed, and the number of
 * joints is a constant, the whole of an iteration stands in one piece without loops, which
 * takes three quarters of the time.
 */
#ifndef KERNEL_ARM_INL
#define KERNEL_ARM_INL

#include "kernel/step.inl"

/* the numbers of joints that have an instance, none where size counts more; and the most */
#ifdef LIMBER_SMALL
#define ARM_COUNTS(DO)
#else
#define ARM_COUNTS(DO) DO(6) DO(7)
#endif
enum { ARM_MOST = 7 };

/* Where an arm is, and what is missing to its goal. */
typedef struct arm_state {
    triple axis[ARM_MOST], origin[ARM_MOST]; /* of each joint */
    triple tip;
    triple way, turn; /* to the goal: errors as in evaluate.inl */
} arm_state;

/* sines and cosines of all joints */
LANE_INLINE void arm_turns(const kernel_tree *tree, const lane *q, lane *sines, lane *cosines,
                           int count)
{
    if (LANE_WIDTH == 1) {
        find_turns(tree->turns, q, sines, cosines);
        return;
    }
    lane angles[ARM_MOST];
#pragma GCC unroll 8
    for (int i = 0; i < count; i++)
        angles[i] = q[i] + lane_set(tree->joints[i].offset);
    lane_sincos_several(angles, count, sines, cosines);
}

/* where the arm is at q; answers the pose of its tool */
LANE_INLINE pose arm_forward(const kernel_problem *problem, const lane *q, arm_state *at, int count)
{
    const kernel_joint *joints = problem->tree.joints;
    const frame base = frame_set(&LB_TRANSFORM_IDENTITY);
    lane sines[KERNEL_BLOCK], cosines[KERNEL_BLOCK];
    arm_turns(&problem->tree, q, sines, cosines, count);
    pose f = pose_load(&base);
#pragma GCC unroll 8
    for (int i = 0; i < count; i++) {
        // the first stands where the base is
        if (i > 0)
            f = place_pose(&f, &joints[i].place, joints[i].form);
        turn(&f.x, &f.y, sines[i], cosines[i]);
        at->axis[i] = f.z;
        at->origin[i] = f.p;
    }
    at->tip = pose_point(&f, problem->tasks->tool);
    return f;
}

/* errors at q and their sum of squares; answers where both are within tolerance */
LANE_INLINE lane_mask arm_measure(const kernel_problem *problem, const kernel_control *control,
                                  const work *w, arm_state *at, lane_mask busy, lane *error2,
                                  int count)
{
    const pose tip = arm_forward(problem, w->q, at, count);
    at->way = triple_sub(triple_load(&w->goals->p), at->tip);
    at->turn = rotation_error(&tip, w->goals, busy);
    lane way2 = triple_sum(triple_multiply(at->way, at->way));
    lane turn2 = triple_sum(triple_multiply(at->turn, at->turn));
    double p = control->position_tolerance, r = control->rotation_tolerance;
    *error2 = way2 + turn2;
    return mask_and(lane_le(way2, lane_set(p * p)), lane_le(turn2, lane_set(r * r)));
}

/* A Jacobian's columns, inside the limits. */
typedef struct arm_columns {
    triple linear[ARM_MOST], angular[ARM_MOST];
} arm_columns;

/* the columns, and the sum of their products with themselves */
LANE_INLINE normal arm_linearize(const kernel_problem *problem, const work *w, const arm_state *at,
                                 arm_columns *c, int count)
{
    normal sum = normal_start();
#pragma GCC unroll 8
    for (int i = 0; i < count; i++) {
        triple v = at->axis[i], u = triple_cross(v, triple_sub(at->tip, at->origin[i]));
        lane gradient =
            triple_sum(triple_add(triple_multiply(u, at->way), triple_multiply(v, at->turn)));
        lane_mask open = is_free(&problem->variables[i], w->q[i], gradient);
        u = c->linear[i] = triple_keep(open, u);
        v = c->angular[i] = triple_keep(open, v);
        normal_add(&sum, u, v, 6);
    }
    return sum;
}

LANE_INLINE lane v3_span(v3 a)
{
    return lane_abs(a.x) + lane_abs(a.y) + lane_abs(a.z);
}

/*
 * One step. Answers where it is sure to arrive, so that nobody need look: no limit and no poor
 * pivot was in its way, and what it leaves of the errors is small. These are
 *   the damping's part, lambda y, and that of what rounding may have made of the sums, with y
 *   the solution;
 *   what a straight step misses of a way on arcs: second derivatives of the tool's place are no
 *   longer than the reach, and turns about several axes differ from their sum by no more
 *   than half the square of that; so does taking the error for a small turn.
 */
LANE_INLINE lane_mask arm_step(const kernel_problem *problem, const kernel_control *control,
                               lane lambda, const work *w, const arm_state *at, int count)
{
    arm_columns c;
    normal a = arm_linearize(problem, w, at, &c, count);
    lane noise = lane_set(problem->noise), way = lane_set(0);
    v3 e, f, x, y;
    triple_store(&e, at->way);
    triple_store(&f, at->turn);
    lane_mask sure = normal_solve(&a, lambda, noise, e, f, &x, &y, 6);
    const triple pull = triple_make(x.x, x.y, x.z), twist = triple_make(y.x, y.y, y.z);
#pragma GCC unroll 8
    for (int i = 0; i < count; i++) {
        lane change = triple_sum(
            triple_add(triple_multiply(c.linear[i], pull), triple_multiply(c.angular[i], twist)));
        lane to = w->q[i] + change;
        w->step[i] = change;
        w->next[i] = axis_clamp(&problem->variables[i], to);
        sure = mask_and(sure, lane_eq(w->next[i], to));
        way = way + lane_abs(change);
    }
    double tolerance = control->position_tolerance < control->rotation_tolerance
                           ? control->position_tolerance
                           : control->rotation_tolerance;
    lane left =
        (v3_span(x) + v3_span(y)) * (lambda + noise) + way * way * (1 + 0.5 * problem->reach);
    return mask_and(sure, lane_le(left, lane_set(tolerance)));
}

#endif
