/*
 * starts.inl - what descents start from, one problem per lane: targets as a problem sees them, keys
 * of the table of samples, samples rotated to a target, and angles changed by whole turns.
 */
#ifndef KERNEL_STARTS_INL
#define KERNEL_STARTS_INL

#include "kernel/ops.h"
#include "simd/lane_rows.h"
#include "simd/vec.inl"

/* the problem of a lane: lanes beyond the last repeat the first */
LANE_INLINE int problem_of(int l, int count)
{
    return l < count ? l : 0;
}

/* transforms, each into its lane */
LANE_INLINE frame gather_frames(const lb_transform *const *from, int count)
{
    const double *rows[LANE_WIDTH];
    for (int l = 0; l < LANE_WIDTH; l++)
        rows[l] = &from[problem_of(l, count)]->x.x;
    return frame_load(rows);
}

/* ---- targets -------------------------------------------------------------- */

/* axes farther than this from orthonormal are not a rotation */
#define RIGID 1e-6

LANE_INLINE lane_mask is_small(lane x)
{
    return lane_le(lane_abs(x), lane_set(RIGID));
}

/* where axes are orthonormal and right-handed and origins finite: lb_transform_is_rigid */
LANE_INLINE lane_mask is_rigid(const frame *t)
{
    const lane infinite = lane_set(INFINITY);
    lane_mask units =
        mask_and(mask_and(is_small(v3_dot(t->x, t->x) - 1), is_small(v3_dot(t->y, t->y) - 1)),
                 is_small(v3_dot(t->z, t->z) - 1));
    lane_mask across =
        mask_and(mask_and(is_small(v3_dot(t->x, t->y)), is_small(v3_dot(t->y, t->z))),
                 is_small(v3_dot(t->z, t->x)));
    lane_mask finite =
        mask_and(mask_and(lane_lt(lane_abs(t->p.x), infinite), lane_lt(lane_abs(t->p.y), infinite)),
                 lane_lt(lane_abs(t->p.z), infinite));
    lane_mask right = lane_gt(v3_dot(v3_cross(t->x, t->y), t->z), lane_set(0));
    return mask_and(mask_and(units, across), mask_and(finite, right));
}

/* targets as a problem sees them; returns those that are rigid */
static unsigned transform_targets(const kernel_target_map *map, const lb_transform *const *targets,
                                  lb_transform *const *seen, int count)
{
    frame target = gather_frames(targets, count);
    const frame base = frame_set(map->base), turn = frame_set(map->axes);
    frame seen_tool = frame_multiply(&base, &target);
    // the tool's own position, and the axes of its frame when the tool's are those of the target
    frame carrier = {frame_direction(&seen_tool, turn.x), frame_direction(&seen_tool, turn.y),
                     frame_direction(&seen_tool, turn.z),
                     v3_scale(seen_tool.p, lane_set(map->scale))};
    double *to[LANE_WIDTH];
    for (int l = 0; l < count; l++)
        to[l] = &seen[l]->x.x;
    frame_store(to, count, &carrier);
    return mask_bits(is_rigid(&target)) & ((1u << count) - 1);
}

/* ---- angles --------------------------------------------------------------- */

/*
 * The angle of (x, y) to 0.0003 radians, without a branch: twice that of (r + |x|, y), which is
 * below pi/4, mirrored where x < 0.
 */
LANE_INLINE lane about_angle(lane y, lane x)
{
    lane t = y / (lane_sqrt(x * x + y * y) + lane_abs(x) + 1e-300), z = t * t;
    lane angle = t * (1.99951 + z * (-0.65046 + z * (0.30819 + z * -0.08672)));
    lane quarter = lane_copysign(lane_set(0.5 * LB_PI), y);
    return quarter + lane_copysign(lane_set(1), x) * (angle - quarter);
}

/*
 * an angle changed by whole turns to be nearest to `near`, or by one turn more or less if only that
 * is within the limits; unchanged if none is
 */
LANE_INLINE lane nearest_turn(lane angle, lane near, const kernel_variable *x)
{
    const double turn = 2 * LB_PI;
    lane lower = lane_set(x->lower), upper = lane_set(x->upper), whole = lane_set(turn);
    lane best = angle - whole * lane_round((angle - near) * (1 / turn));
    best = best + lane_keep(lane_lt(best, lower), whole);
    best = best - lane_keep(lane_gt(best, upper), whole);
    lane_mask inside = mask_and(lane_ge(best, lower), lane_le(best, upper));
    return lane_select(inside, best, angle);
}

/* changes each periodic value by whole turns to be nearest to its start */
static void unwind(const kernel_problem *problem, const double *const *near, double *const *q,
                   int count)
{
    const double *angles[LANE_WIDTH], *starts[LANE_WIDTH];
    lane_fill_rows(angles, (const double *const *)q, count);
    lane_fill_rows(starts, near, count);
    for (int i = 0; i < problem->variable_count; i++) {
        const kernel_variable *x = &problem->variables[i];
        if (!x->periodic)
            continue;
        const size_t at = (size_t)x->q;
        lane_place(q, at, nearest_turn(lane_pick(angles, at), lane_pick(starts, at), x), count);
    }
}

/* ---- keys ----------------------------------------------------------------- */

/* removes a rotation about z from a tool's pose, so that it lies at y = 0, x > 0 */
LANE_INLINE lane remove_rotation(frame *t)
{
    lane radius = lane_sqrt(t->p.x * t->p.x + t->p.y * t->p.y);
    lane_mask off = lane_gt(radius, lane_set(0));
    lane inverse = 1 / lane_select(off, radius, lane_set(1));
    lane c = lane_select(off, t->p.x * inverse, lane_set(1));
    lane s = lane_select(off, t->p.y * inverse, lane_set(0));
    lane angle = lane_keep(off, about_angle(t->p.y, t->p.x));
    v3 *const columns[] = {&t->x, &t->y, &t->z, &t->p};
    for (int i = 0; i < 4; i++) {
        v3 v = *columns[i];
        *columns[i] = (v3){c * v.x + s * v.y, c * v.y - s * v.x, v.z};
    }
    return angle;
}

/* the keys of tool poses */
static void make_keys(const kernel_table *table, const lb_transform *const *poses,
                      kernel_key *const *keys, int count)
{
    const kernel_task *task = table->task;
    frame t = gather_frames(poses, count);
    lane angle = table->omit_turn ? remove_rotation(&t) : lane_set(0),
         features[KERNEL_MAX_FEATURES];
    int n = 0;
    if (task->goal.position) {
        rows_set(features, table->omit_turn ? (v3){t.p.x, t.p.z, t.p.y} : t.p);
        n += table->omit_turn ? 2 : 3;
    }
    if (task->goal.rotation) {
        rows_set(features + n, task->goal.free ? v3_combine(t.x, t.y, t.z, task->goal.axis) : t.z);
        n += 3;
        if (!task->goal.free && !table->omit_roll)
            rows_set(features + n, t.x);
    }
    for (int l = 0; l < count; l++) {
        kernel_key *to = keys[l];
        to->angle = lane_get(&angle, l);
        to->x = (lb_vec3){lane_get(&t.x.x, l), lane_get(&t.x.y, l), lane_get(&t.x.z, l)};
        to->y = (lb_vec3){lane_get(&t.y.x, l), lane_get(&t.y.y, l), lane_get(&t.y.z, l)};
        for (int k = 0; k < table->features; k++)
            to->features[k] = (float)lane_get(&features[k], l);
    }
}

/* ---- starts --------------------------------------------------------------- */

/*
 * rotates a variable by an angle, to the turn nearest to where it was, within its limits; returns
 * where the limits prevent that
 */
LANE_INLINE lane_mask rotate_variable(const kernel_table *table, const kernel_variable *x,
                                      lane angle, const double *const *near, double *const *q,
                                      int count)
{
    const double *values[LANE_WIDTH], *starts[LANE_WIDTH];
    lane_fill_rows(values, (const double *const *)q, count);
    lane_fill_rows(starts, near, count);
    // its scale is 1 or -1
    lane to = lane_pick(values, (size_t)x->q) + angle * table->joints[x->joint].scale;
    to = nearest_turn(to, lane_pick(starts, (size_t)x->q), x);
    lane kept = lane_min(lane_max(to, lane_set(x->lower)), lane_set(x->upper));
    lane_place(q, (size_t)x->q, kept, count);
    return mask_not(lane_eq(kept, to));
}

/* about the tool's own z axis, from the samples' x axes to the targets' */
LANE_INLINE lane roll_angle(const kernel_table *table, const int *samples,
                            kernel_key *const *targets, int count)
{
    const double *pairs[LANE_WIDTH], *axes[LANE_WIDTH];
    for (int l = 0; l < LANE_WIDTH; l++) {
        const int which = problem_of(l, count);
        pairs[l] = &table->axes[2 * samples[which]].x;
        axes[l] = &targets[which]->x.x;
    }
    // x and y; the second four overlap the first by one number
    lane_four first = lane_load_rows(pairs, 0), second = lane_load_rows(pairs, 2);
    v3 x = {first.a, first.b, first.c}, y = {first.d, second.c, second.d};
    v3 wanted = {lane_pick(axes, 0), lane_pick(axes, 1), lane_pick(axes, 2)};
    return about_angle(v3_dot(wanted, y), v3_dot(wanted, x));
}

/*
 * the starts that samples give for targets; returns the problems whose limits prevent the rotations
 */
static unsigned seed_starts(const kernel_table *table, const int *samples,
                            kernel_key *const *targets, const double *const *near, double *const *q,
                            int count)
{
    lane_mask prevented = mask_from_bits(0);
    for (int l = 0; l < count; l++) {
        memcpy(q[l], table->q + (size_t)samples[l] * (size_t)table->nq,
               sizeof(double) * (size_t)table->nq);
        for (int i = 0; i < table->fixed_count; i++)
            q[l][table->fixed[i]] = near[l][table->fixed[i]];
    }
    if (table->omit_turn) {
        const double *angles[LANE_WIDTH];
        for (int l = 0; l < LANE_WIDTH; l++)
            angles[l] = &targets[problem_of(l, count)]->angle;
        prevented = rotate_variable(table, table->first, lane_pick(angles, 0), near, q, count);
    }
    if (table->omit_roll) {
        lane angle = roll_angle(table, samples, targets, count);
        prevented = mask_or(rotate_variable(table, table->last, angle, near, q, count), prevented);
    }
    return mask_bits(prevented) & ((1u << count) - 1);
}

#endif
