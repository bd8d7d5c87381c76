/*
 * nearest.c - the few pairs of shapes that are nearest, for what keeps all of them apart.
 */
#include "collision/layout.h"

#include <string.h>

/* puts a pair among those found, the nearest first; the farthest makes room where they are full */
static int insert(lb_proximity *nearest, int count, int capacity, const lb_proximity *pair)
{
    int last = count < capacity ? count : capacity - 1, at = last;
    while (at > 0 && pair->distance < nearest[at - 1].distance)
        at--;
    memmove(nearest + at + 1, nearest + at, sizeof *nearest * (size_t)(last - at));
    nearest[at] = *pair;
    return last + 1;
}

static void sort_by_bodies(lb_proximity *nearest, int count)
{
    for (int i = 1; i < count; i++) {
        lb_proximity pair = nearest[i];
        int at = i;
        for (; at > 0 && pair_precedes(&pair, &nearest[at - 1]); at--)
            nearest[at] = nearest[at - 1];
        nearest[at] = pair;
    }
}

/* The nearest pairs found so far. */
typedef struct nearest_list {
    lb_proximity *pairs;
    int count, capacity;
    double bound; /* beyond it none counts */
} nearest_list;

static void consider(const lb_collision *c, int a, int b, nearest_list *list)
{
    lb_proximity pair;
    if (!measure_pair(c, a, b, list->bound, &pair))
        return;
    list->count = insert(list->pairs, list->count, list->capacity, &pair);
    // once all places are taken only nearer ones count
    if (list->count == list->capacity)
        list->bound = list->pairs[list->count - 1].distance;
}

int nearest_shapes(lb_collision *c, const double *q, double distance, int capacity,
                   lb_proximity *nearest)
{
    nearest_list list = {nearest, 0, capacity, distance};
    if (!measure_place(c, q))
        return 0;
    for (int link = 0; link < c->link_count; link++) {
        for (int i = c->first_shape_pair[link]; i < c->first_shape_pair[link + 1]; i++) {
            const shape_pair *pair = &c->shape_pairs[i];
            if (!balls_apart(c, pair, list.bound))
                consider(c, pair->a, pair->b, &list);
        }
        int found = standing_find(c, link, list.bound);
        for (int i = 0; i < found; i++)
            for (int a = c->first_shape[link]; a < c->first_shape[link + 1]; a++)
                consider(c, a, c->standing.found[i], &list);
    }
    sort_by_bodies(nearest, list.count);
    return list.count;
}
