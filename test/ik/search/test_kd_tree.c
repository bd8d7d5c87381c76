/* test_kd_tree.c - points in a k-d tree's leaves. */
#include "ik/search/kd_tree.h"

#include <limber/base.h>

#include "harness.h"

enum { FEATURES = 3, DEPTH = 4, ROWS = 8, COUNT = ROWS << DEPTH };

typedef struct garden {
    float points[COUNT * FEATURES];
    int order[COUNT];
    int feature[(1 << DEPTH) - 1];
    float split[(1 << DEPTH) - 1];
    ik_kd_tree leaves;
} garden;

/* numbers from a few values, so that many are equal, or from all */
static void plant(garden *g, uint64_t seed, int values)
{
    lb_random random = lb_random_seed(seed);
    for (int i = 0; i < COUNT * FEATURES; i++) {
        double x = lb_random_between(&random, -1, 1);
        g->points[i] = values > 0 ? (float)(int)(x * values) : (float)x;
    }
    g->leaves = (ik_kd_tree){DEPTH, ROWS, g->feature, g->split};
    ik_kd_tree_sort(&g->leaves, g->points, FEATURES, g->order);
}

TEST(test_every_point_once)
{
    for (int values = 0; values < 4; values++) {
        garden g;
        int seen[COUNT] = {0};
        plant(&g, 5, values);
        for (int i = 0; i < COUNT; i++)
            seen[g.order[i]]++;
        for (int i = 0; i < COUNT; i++)
            assert_int_equal(seen[i], 1);
    }
}

/* each node's halves lie on their sides of its split */
TEST(test_halves)
{
    for (int values = 0; values < 4; values++) {
        garden g;
        plant(&g, 6, values);
        int node = 0;
        for (int level = 0; level < DEPTH; level++)
            for (int start = 0, size = COUNT >> level; start < COUNT; start += size, node++)
                for (int i = start; i < start + size; i++) {
                    float x = g.points[g.order[i] * FEATURES + g.feature[node]];
                    assert_true(i < start + size / 2 ? x <= g.split[node] : x >= g.split[node]);
                }
    }
}

/* where all numbers differ a point is found in the leaf that it was put into */
TEST(test_found_again)
{
    garden g;
    plant(&g, 7, 0);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(ik_kd_tree_find(&g.leaves, &g.points[g.order[i] * FEATURES]), i / ROWS);
}
