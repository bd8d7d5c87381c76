/*
 * table.inl - finding the nearest rows of a table.
 *
 * Rows are compared eight at a time, each eighth with what came before it in its own
 * column: so there are eight winners, one for each class of rows, and every sum and
 * every minimum belongs to one class, however wide the machine's registers are.
 */
#ifndef KERNEL_TABLE_INL
#define KERNEL_TABLE_INL

#include "kernel/kernel.h"

#include <string.h>

typedef float table_numbers __attribute__((vector_size(4 * KERNEL_TABLE_CLASSES)));
typedef int32_t table_indices __attribute__((vector_size(4 * KERNEL_TABLE_CLASSES)));

/* the nearest row of each class and its squared distance; row i is of class i mod 8 */
static void table_nearest(const float *table, int features, int count, const float *at,
                          float *distances, int *rows)
{
    const table_indices first = {0, 1, 2, 3, 4, 5, 6, 7};
    table_numbers least = (table_numbers){0} + INFINITY;
    table_indices best = first;
    for (int i = 0; i < count; i += KERNEL_TABLE_CLASSES) {
        table_numbers sum = {0};
        for (int k = 0; k < features; k++) {
            table_numbers d;
            memcpy(&d, table + k * count + i, sizeof d);
            d -= at[k];
            sum += d * d;
        }
        // all ones where it is nearer than any before
        table_indices nearer = sum < least;
        least = (table_numbers)((nearer & (table_indices)sum) | (~nearer & (table_indices)least));
        best = (nearer & (first + i)) | (~nearer & best);
    }
    memcpy(distances, &least, sizeof least);
    memcpy(rows, &best, sizeof best);
}

#endif
