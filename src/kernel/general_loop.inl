/*
 * general_loop.inl - from a null vector to joint values, and Newton's method from there; one
 * candidate a lane.
 */
#ifndef KERNEL_GENERAL_LOOP_INL
#define KERNEL_GENERAL_LOOP_INL

#include "kernel/general_matrix.inl"
#include "simd/vec.inl"

/* v turned about the unit vector `axis` (Rodrigues) */
LANE_SHARED v3 turn_about(v3 axis, lane sine, lane cosine, v3 v)
{
    lane along = v3_dot(axis, v) * (1 - cosine);
    v3 across = v3_cross(axis, v);
    return (v3){v.x * cosine + across.x * sine + axis.x * along,
                v.y * cosine + across.y * sine + axis.y * along,
                v.z * cosine + across.z * sine + axis.z * along};
}

/* one number of several structs side by side; the last one repeats */
LANE_INLINE lane items_gather(const double *first, size_t stride, int count)
{
    double numbers[LANE_WIDTH];
    for (int l = 0; l < LANE_WIDTH; l++)
        numbers[l] = first[stride * (size_t)(l < count ? l : count - 1)];
    return lane_load(numbers);
}
LANE_INLINE void items_scatter(double *first, size_t stride, int count, lane x)
{
    for (int l = 0; l < LANE_WIDTH && l < count; l++)
        first[stride * (size_t)l] = lane_get(&x, l);
}

enum { CANDIDATE_STRIDE = sizeof(kernel_candidate) / sizeof(double) };

/* ---- the other joints of a null vector ------------------------------------ */

/* y and z of joints 2 and 3 */
LANE_INLINE void split_null(const lane *null, int n, lane *y, lane *z)
{
    // columns cos(y/2) m and sin(y/2) m of unknowns m: the angle y that fits all of them best
    lane cosine = lane_set(0), sine = lane_set(0);
    for (int j = 0; j < n; j++) {
        cosine += null[j] * null[j] - null[n + j] * null[n + j];
        sine += 2 * null[j] * null[n + j];
    }
    *y = lane_atan2(sine, cosine);

    // m = (1, cos z, sin z) or (cos z/2, sin z/2, cos 3z/2, sin 3z/2), up to its size
    lane c, s, m[3];
    lane_sincos(*y * 0.5, &s, &c);
    for (int j = 0; j < 3; j++)
        m[j] = null[j] * c + null[n + j] * s;
    if (n == 3)
        *z = lane_atan2(m[2] * m[0], m[1] * m[0]);
    else
        *z = lane_atan2(2 * m[0] * m[1], m[0] * m[0] - m[1] * m[1]);
}

/* the point and direction of joint 4's axis moved by joints 3, 2 and 1 */
LANE_INLINE void carry_line(const kernel_loop *loop, const lane *sine, const lane *cosine,
                            v3 *point, v3 *along)
{
    *point = v3_set(loop->point[4]);
    *along = v3_set(loop->axis[4]);
    for (int i = 3; i >= 1; i--) {
        v3 axis = v3_set(loop->axis[i]), center = v3_set(loop->point[i]);
        *along = turn_about(axis, sine[i], cosine[i], *along);
        *point = v3_add(turn_about(axis, sine[i], cosine[i], v3_sub(*point, center)), center);
    }
}

/* features of a line: six that a turn about z leaves, then four pairs that turn along */
LANE_INLINE void line_features(v3 p, v3 l, lane kept[6], lane turned[4][2])
{
    lane pp = v3_dot(p, p), pl = v3_dot(p, l);
    v3 moment = v3_cross(p, l);
    v3 bent = v3_sub(v3_scale(l, pp), v3_scale(p, 2 * pl));
    kept[0] = p.z;
    kept[1] = l.z;
    kept[2] = pp;
    kept[3] = pl;
    kept[4] = moment.z;
    kept[5] = bent.z;
    const v3 pairs[4] = {p, l, moment, bent};
    for (int k = 0; k < 4; k++) {
        turned[k][0] = pairs[k].x;
        turned[k][1] = pairs[k].y;
    }
}

/* joint 5 from the features that joint 0 leaves, joint 0 from the others */
LANE_INLINE void find_outer(const kernel_elimination *e, const lane kept[6],
                            const lane turned[4][2], lane *q0, lane *q5)
{
    lane pair[2];
    for (int i = 0; i < 2; i++) {
        pair[i] = lane_set(0);
        for (int r = 0; r < 6; r++)
            pair[i] += (kept[r] - e->constant[r]) * e->solve[i][r];
    }
    *q5 = lane_atan2(pair[1], pair[0]);
    lane c, s, re = lane_set(0), im = lane_set(0);
    lane_sincos(*q5, &s, &c);
    for (int k = 0; k < 4; k++) {
        lane a = lane_set(e->u[k][0]) + c * e->v[k][0] + s * e->w[k][0];
        lane b = lane_set(e->u[k][1]) + c * e->v[k][1] + s * e->w[k][1];
        re += turned[k][0] * a + turned[k][1] * b;
        im += turned[k][1] * a - turned[k][0] * b;
    }
    *q0 = lane_atan2(-im, re);
}

/* joint 4 turns what the others leave of a direction across its axis */
LANE_INLINE lane find_last(const kernel_loop *loop, const kernel_elimination *e, const lane *sine,
                           const lane *cosine)
{
    v3 across = v3_set(e->across), axis = v3_set(loop->axis[4]);
    v3 d = turn_about(v3_set(loop->axis[5]), -sine[5], cosine[5], across);
    const frame target = frame_set(&loop->target);
    d = frame_direction(&target, d);
    for (int i = 0; i < 4; i++)
        d = turn_about(v3_set(loop->axis[i]), -sine[i], cosine[i], d);
    return lane_atan2(v3_dot(axis, v3_cross(across, d)), v3_dot(across, d));
}

LANE_INLINE void recover_lanes(const kernel_loop *loop, const kernel_elimination *elimination,
                               int n, kernel_candidate *first, int count)
{
    lane null[2 * GENERAL_MAX_ORDER], q[6], sine[6], cosine[6], kept[6], turned[4][2];
    for (int i = 0; i < 2 * n; i++)
        null[i] = items_gather(&first->null[i], CANDIDATE_STRIDE, count);
    q[1] = items_gather(&first->x, CANDIDATE_STRIDE, count);
    split_null(null, n, &q[2], &q[3]);
    for (int i = 1; i < 4; i++)
        lane_sincos(q[i], &sine[i], &cosine[i]);
    v3 point, along;
    carry_line(loop, sine, cosine, &point, &along);
    line_features(point, along, kept, turned);
    find_outer(elimination, kept, (const lane(*)[2])turned, &q[0], &q[5]);
    lane_sincos(q[0], &sine[0], &cosine[0]);
    lane_sincos(q[5], &sine[5], &cosine[5]);
    q[4] = find_last(loop, elimination, sine, cosine);
    for (int i = 0; i < 6; i++)
        items_scatter(&first->q[i], CANDIDATE_STRIDE, count, q[i]);
}

/* ---- Newton's method ------------------------------------------------------ */

/* how far a configuration is from its target, and the Jacobian with that as its last column */
typedef struct loop_state {
    lane rows[6][7];
    lane error;
} loop_state;

LANE_SHARED void loop_measure(const kernel_loop *loop, const lane *q, loop_state *state)
{
    // axes and points where the joints before them put them
    v3 x = v3_set((lb_vec3){1, 0, 0}), y = v3_set((lb_vec3){0, 1, 0}),
       z = v3_set((lb_vec3){0, 0, 1}), p = v3_set((lb_vec3){0, 0, 0});
    v3 axis[6], point[6];
    for (int i = 0; i < 6; i++) {
        lane sine, cosine;
        lane_sincos(q[i], &sine, &cosine);
        axis[i] = v3_combine(x, y, z, loop->axis[i]);
        point[i] = v3_add(v3_combine(x, y, z, loop->point[i]), p);
        x = turn_about(axis[i], sine, cosine, x);
        y = turn_about(axis[i], sine, cosine, y);
        z = turn_about(axis[i], sine, cosine, z);
        p = v3_add(turn_about(axis[i], sine, cosine, v3_sub(p, point[i])), point[i]);
    }
    v3 tip = v3_add(v3_combine(x, y, z, loop->tip), p);
    for (int i = 0; i < 6; i++) {
        v3 moves = v3_cross(axis[i], v3_sub(tip, point[i]));
        const lane column[6] = {moves.x, moves.y, moves.z, axis[i].x, axis[i].y, axis[i].z};
        for (int r = 0; r < 6; r++)
            state->rows[r][i] = column[r];
    }

    // rotation: half the sum of the axes' cross products is the sine of the angle, along its axis
    const frame t = frame_set(&loop->target);
    v3 goal = v3_add(v3_combine(t.x, t.y, t.z, loop->tip), t.p), off = v3_sub(goal, tip);
    v3 turn = v3_add(v3_add(v3_cross(x, t.x), v3_cross(y, t.y)), v3_cross(z, t.z));
    lane trace = v3_dot(x, t.x) + v3_dot(y, t.y) + v3_dot(z, t.z);
    const lane errors[6] = {off.x, off.y, off.z, turn.x * 0.5, turn.y * 0.5, turn.z * 0.5};
    lane square = lane_set(0);
    for (int r = 0; r < 6; r++) {
        state->rows[r][6] = errors[r];
        square += errors[r] * errors[r];
    }
    // beyond a right angle the sine falls again
    state->error = lane_sqrt(square) + lane_keep(lane_lt(trace, lane_set(1)), lane_set(4));
}

/* solves for the step by elimination with partial pivoting; returns the conditioning, and +-1 by
   the determinant's sign */
LANE_INLINE lane loop_solve(loop_state *s, lane step[6], lane *sign)
{
    *sign = lane_set(1);
    lane greatest = lane_set(DBL_MIN), smallest = lane_set(DBL_MAX);
    for (int r = 0; r < 6; r++)
        for (int j = 0; j < 6; j++)
            greatest = lane_max(greatest, lane_abs(s->rows[r][j]));
    for (int k = 0; k < 6; k++) {
        for (int r = 5; r > k; r--) {
            lane_mask greater = lane_gt(lane_abs(s->rows[r][k]), lane_abs(s->rows[r - 1][k]));
            for (int j = k; j < 7; j++)
                lane_exchange(greater, &s->rows[r][j], &s->rows[r - 1][j]);
            *sign = lane_select(greater, -*sign, *sign);
        }
        // a singular arm does not move along the directions that it lacks
        lane pivot = s->rows[k][k];
        *sign = lane_flip_sign(*sign, pivot);
        smallest = lane_min(smallest, lane_abs(pivot));
        lane_mask lost = lane_le(lane_abs(pivot), greatest * 1e-13);
        lane inverse = lane_keep(mask_not(lost), 1 / lane_select(lost, lane_set(1), pivot));
        for (int r = k + 1; r < 6; r++) {
            lane factor = s->rows[r][k] * inverse;
            for (int j = k + 1; j < 7; j++)
                s->rows[r][j] -= factor * s->rows[k][j];
        }
        s->rows[k][k] = inverse;
    }
    for (int k = 5; k >= 0; k--) {
        lane sum = s->rows[k][6];
        for (int j = k + 1; j < 6; j++)
            sum -= s->rows[k][j] * step[j];
        step[k] = sum * s->rows[k][k];
    }
    return smallest / greatest;
}

/* the longest change of a joint in one step: beyond it the linear model is invalid */
#define LOOP_STEP 0.5
/* what double precision leaves of an error in units of about 1, after six joints */
#define LOOP_ROUNDING 2e-15
/* candidates that gain less than this share after three steps are no solutions */
#define LOOP_SLOW 0.9

LANE_INLINE void refine_lanes(const kernel_loop *loop, int steps, kernel_candidate *first,
                              int count)
{
    lane q[6], next[6], step[6], conditioning = lane_set(0), sign = lane_set(1), new_sign;
    for (int i = 0; i < 6; i++)
        q[i] = items_gather(&first->q[i], CANDIDATE_STRIDE, count);
    loop_state state;
    loop_measure(loop, q, &state);
    lane error = state.error;
    lane_mask active = lane_ge(error, lane_set(0));
    for (int n = 0; n < steps && mask_any(active); n++) {
        conditioning = lane_select(active, loop_solve(&state, step, &new_sign), conditioning);
        sign = lane_select(active, new_sign, sign);
        lane longest = lane_set(LOOP_STEP);
        for (int i = 0; i < 6; i++)
            longest = lane_max(longest, lane_abs(step[i]));
        lane part = LOOP_STEP / longest;
        for (int i = 0; i < 6; i++)
            next[i] = q[i] + step[i] * part;
        loop_measure(loop, next, &state);

        // a step that wins nothing ends the descent where it was
        lane_mask won = mask_and(active, lane_lt(state.error, error));
        lane_mask slow = lane_gt(state.error, error * LOOP_SLOW);
        for (int i = 0; i < 6; i++)
            q[i] = lane_select(won, next[i], q[i]);
        error = lane_select(won, state.error, error);
        active = mask_and(won, lane_gt(error, lane_set(LOOP_ROUNDING)));
        if (n >= 2)
            active = mask_andnot(active, slow);
    }
    for (int i = 0; i < 6; i++)
        items_scatter(&first->q[i], CANDIDATE_STRIDE, count, q[i]);
    items_scatter(&first->error, CANDIDATE_STRIDE, count, error);
    items_scatter(&first->conditioning, CANDIDATE_STRIDE, count, conditioning);
    items_scatter(&first->sign, CANDIDATE_STRIDE, count, sign);
}

#endif
