/*
 * shortest.c - the cheapest path through layers of nodes, one node of each: Viterbi 1967.
 *
 * Exact: of each node the cheapest path that ends there is kept. Of equals the one with the lowest
 * index is taken, so that the path does not depend on anything else.
 */
#include "motion/retarget/grid.h"

/* the cheapest node of the layer before to come from */
static void arrive(const retarget_layers *l, int layer, int node)
{
    size_t at = (size_t)layer * (size_t)l->width;
    double *sum = &l->sums[at + (size_t)node];
    *sum = INFINITY;
    l->from[at + (size_t)node] = 0;
    for (int i = 0; i < l->width; i++) {
        double before = l->sums[at - (size_t)l->width + (size_t)i];
        if (!(before < *sum))
            continue;
        double through = before + l->edge(l->user, layer - 1, i, node);
        if (through < *sum) {
            *sum = through;
            l->from[at + (size_t)node] = i;
        }
    }
    *sum += l->nodes[at + (size_t)node];
}

double retarget_shortest_path(const retarget_layers *l, int *path)
{
    for (int i = 0; i < l->width; i++)
        l->sums[i] = l->nodes[i];
    for (int layer = 1; layer < l->count; layer++)
        for (int i = 0; i < l->width; i++)
            if (isfinite(l->nodes[(size_t)layer * (size_t)l->width + (size_t)i]))
                arrive(l, layer, i);
            else
                l->sums[(size_t)layer * (size_t)l->width + (size_t)i] = INFINITY;
    const double *ends = &l->sums[(size_t)(l->count - 1) * (size_t)l->width];
    int best = 0;
    for (int i = 1; i < l->width; i++)
        if (ends[i] < ends[best])
            best = i;
    double cost = ends[best];
    for (int layer = l->count - 1; layer >= 0; layer--) {
        path[layer] = best;
        best = l->from[(size_t)layer * (size_t)l->width + (size_t)best];
    }
    return cost;
}
