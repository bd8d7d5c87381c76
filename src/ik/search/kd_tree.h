/*
 * kd_tree.h - points sorted into leaves of equal size, found by position.
 *
 * A k-d tree (Bentley 1975) without pointers: at each node the points are halved along the feature
 * with the widest range. A look-up descends to one leaf only, so what it finds is near, not always
 * nearest.
 */
#ifndef IK_SEARCH_KD_TREE_H
#define IK_SEARCH_KD_TREE_H

#include <stdbool.h>

typedef struct ik_kd_tree {
    int depth;    /* 2^depth leaves */
    int rows;     /* points of each */
    int *feature; /* of each node, level by level: the feature it halves */
    float *split; /* of each node: from here on a point is in the second half */
} ik_kd_tree;

/* The number of nodes of a depth. */
static inline int ik_kd_tree_nodes(int depth)
{
    return (1 << depth) - 1;
}

/*
 * Sorts 2^depth * rows points, of `features` numbers each, row by row: order[i] is the point that
 * comes i-th, leaf by leaf. Depth, rows and memory for the nodes are given.
 */
void ik_kd_tree_sort(ik_kd_tree *leaves, const float *points, int features, int *order);

/* The leaf that contains a point. */
static inline int ik_kd_tree_find(const ik_kd_tree *leaves, const float *at)
{
    int node = 0;
    for (int level = 0; level < leaves->depth; level++)
        node = 2 * node + 1 + (at[leaves->feature[node]] >= leaves->split[node]);
    return node - ik_kd_tree_nodes(leaves->depth);
}

#endif
