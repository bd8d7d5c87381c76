/*
 * table.inl - finding the nearest rows of a table.
 *
 * Rows are compared many at a time, each with those before it in its own column; in the
 * end there are eight winners, one for each class of rows. Every sum belongs to one row
 * and of equals the first wins, so how many stand side by side makes no difference.
 */
#ifndef KERNEL_TABLE_INL
#define KERNEL_TABLE_INL

#include "kernel/kernel.h"
#include "kernel/lane.h"

#include <string.h>

/* rows side by side: as many as a register of the lanes holds floats, and all classes at least */
enum { TABLE_SIDE = LANE_WIDTH >= 8 ? 2 * LANE_WIDTH : KERNEL_TABLE_CLASSES };

typedef float table_numbers __attribute__((vector_size(4 * TABLE_SIDE)));
typedef int32_t table_indices __attribute__((vector_size(4 * TABLE_SIDE)));

/* one of each class */
typedef float class_numbers __attribute__((vector_size(4 * KERNEL_TABLE_CLASSES)));
typedef int32_t class_indices __attribute__((vector_size(4 * KERNEL_TABLE_CLASSES)));

/* the winners of several sides of classes: of equals the lower row */
static void table_merge(const table_numbers *least, const table_indices *best, float *distances,
                        int *rows)
{
    class_numbers nearest, other;
    class_indices row, other_row;
    memcpy(&nearest, least, sizeof nearest);
    memcpy(&row, best, sizeof row);
    for (size_t side = 1; side < TABLE_SIDE / KERNEL_TABLE_CLASSES; side++) {
        memcpy(&other, (const char *)least + side * sizeof other, sizeof other);
        memcpy(&other_row, (const char *)best + side * sizeof other_row, sizeof other_row);
        class_indices wins = (other < nearest) | ((other == nearest) & (other_row < row));
        nearest = (class_numbers)((wins & (class_indices)other) | (~wins & (class_indices)nearest));
        row = (wins & other_row) | (~wins & row);
    }
    memcpy(distances, &nearest, sizeof nearest);
    memcpy(rows, &row, sizeof row);
}

/* the first nearest row of each class, and its distance as kernel.h says */
static void table_nearest(const float *table, int features, int count, const float *at,
                          float *distances, int *rows)
{
    static const int32_t first[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    table_indices index, best = {0};
    table_numbers least = (table_numbers){0} + INFINITY;
    memcpy(&index, first, sizeof index);
    for (int i = 0; i < count; i += TABLE_SIDE, index += TABLE_SIDE) {
        // |row - at|^2 / 2 is |at|^2 / 2 + |row|^2 / 2 - row at; the table has the second first
        table_numbers sum, feature;
        const float *column = table + i;
        memcpy(&sum, column, sizeof sum);
        for (int k = 0; k < features; k++) {
            column += count;
            memcpy(&feature, column, sizeof feature);
            sum -= feature * at[k];
        }
        // all ones where it is nearer than any before
        table_indices nearer = sum < least;
        least = (table_numbers)((nearer & (table_indices)sum) | (~nearer & (table_indices)least));
        best = (nearer & index) | (~nearer & best);
    }
    table_merge(&least, &best, distances, rows);
}

#endif
