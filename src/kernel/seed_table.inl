/*
 * seed_table.inl - the arithmetic of the table of seeds: keys of tool poses and samples rotated to
 * a target, one problem per lane, and the nearest rows of a table.
 *
 * Decides nothing: ik/search/seed_table.c builds the table and takes samples from it, and which try
 * starts at one of them is decided in ik/search/starts.c.
 *
 * Rows are compared many at a time, in columns, and each of eight classes of rows has a winner.
 * Every sum belongs to one row and ties go to the first, so the result does not depend on how many
 * are compared together.
 */
#ifndef KERNEL_SEED_TABLE_INL
#define KERNEL_SEED_TABLE_INL

#include "kernel/ops.h"
#include "kernel/targets.inl"
#include "kernel/turns.inl"
#include "simd/lane.h"
#include "simd/lane_rows.h"
#include "simd/vec.inl"

#include <string.h>

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

/* ---- samples -------------------------------------------------------------- */

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

/* ---- nearest rows --------------------------------------------------------- */

/* a row of each class side by side; several of these are computed independently */
typedef float table_numbers __attribute__((vector_size(4 * KERNEL_TABLE_CLASSES)));
typedef int32_t table_indices __attribute__((vector_size(4 * KERNEL_TABLE_CLASSES)));

enum { TABLE_SIDES = KERNEL_TABLE_SIDE / KERNEL_TABLE_CLASSES };

/* The nearest of each class so far. */
typedef struct table_winners {
    table_numbers least;
    table_indices best;
} table_winners;

/* half of the squared distances of rows, as ops.h defines them */
LANE_INLINE void table_distances(const float *column, int features, int count, const float *at,
                                 table_numbers *sums)
{
    // |row - at|^2 / 2 is |at|^2 / 2 + |row|^2 / 2 - row at; the table's first column is the second
    // term
#pragma GCC unroll 4
    for (int side = 0; side < TABLE_SIDES; side++)
        memcpy(&sums[side], column + side * KERNEL_TABLE_CLASSES, sizeof *sums);
    for (int k = 0; k < features; k++) {
        column += count;
#pragma GCC unroll 4
        for (int side = 0; side < TABLE_SIDES; side++) {
            table_numbers feature;
            memcpy(&feature, column + side * KERNEL_TABLE_CLASSES, sizeof feature);
            sums[side] -= feature * at[k];
        }
    }
}

/* compares the next rows with the winners; ties go to the earlier row */
LANE_INLINE void table_compete(table_winners *w, const table_numbers *sum, int first)
{
    const table_indices index = {0, 1, 2, 3, 4, 5, 6, 7};
    // all ones where it is nearer than any before
    table_indices nearer = *sum < w->least;
    w->least =
        (table_numbers)((nearer & (table_indices)*sum) | (~nearer & (table_indices)w->least));
    w->best = (nearer & (index + first)) | (~nearer & w->best);
}

/* the first nearest row of each class, and its distance as ops.h defines it */
static void table_nearest(const float *table, int features, int count, const float *at,
                          float *distances, int *rows)
{
    table_winners winners = {(table_numbers){0} + INFINITY, {0}};
    for (int i = 0; i < count; i += KERNEL_TABLE_SIDE) {
        table_numbers sums[TABLE_SIDES];
        table_distances(table + i, features, count, at, sums);
#pragma GCC unroll 4
        for (int side = 0; side < TABLE_SIDES; side++)
            table_compete(&winners, &sums[side], i + side * KERNEL_TABLE_CLASSES);
    }
    memcpy(distances, &winners.least, sizeof winners.least);
    memcpy(rows, &winners.best, sizeof winners.best);
}

#endif
