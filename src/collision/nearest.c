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

static bool comes_before(const lb_proximity *a, const lb_proximity *b)
{
    const int x[4] = {a->body_a, a->body_b, a->shape_a, a->shape_b};
    const int y[4] = {b->body_a, b->body_b, b->shape_a, b->shape_b};
    int i = 0;
    while (i < 3 && x[i] == y[i])
        i++;
    return x[i] < y[i];
}

static void sort_by_bodies(lb_proximity *nearest, int count)
{
    for (int i = 1; i < count; i++) {
        lb_proximity pair = nearest[i];
        int at = i;
        for (; at > 0 && comes_before(&pair, &nearest[at - 1]); at--)
            nearest[at] = nearest[at - 1];
        nearest[at] = pair;
    }
}

int nearest_shapes(lb_collision *c, const double *q, double distance, int capacity,
                   lb_proximity *nearest)
{
    int count = 0;
    double bound = distance;
    bool finite = measure_place(c, q);
    for (int i = 0; i < c->shape_pair_count && finite; i++) {
        lb_proximity pair;
        if (balls_apart(c, &c->shape_pairs[i], bound) || !measure_pair(c, i, bound, &pair))
            continue;
        count = insert(nearest, count, capacity, &pair);
        // once all places are taken only nearer ones count
        if (count == capacity)
            bound = nearest[count - 1].distance;
    }
    sort_by_bodies(nearest, count);
    return count;
}
