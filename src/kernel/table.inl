/*
 * table.inl - finding the nearest rows of a table.
 *
 * Rows are compared many at a time, in columns, and each of eight classes of rows has a winner.
 * Every sum belongs to one row and ties go to the first, so the result does not depend on how many
 * are compared together.
 */
#ifndef KERNEL_TABLE_INL
#define KERNEL_TABLE_INL

#include "kernel/seed_table.h"
#include "simd/lane.h"

#include <string.h>

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
