/* kd_tree.c - sorting points into a k-d tree's leaves. */
#include "ik/search/kd_tree.h"

/* Points in the order being established. */
typedef struct range {
    const float *points;
    int features, count;
    int *order;
} range;

static float value(const range *r, int i, int feature)
{
    return r->points[r->order[i] * r->features + feature];
}

/* the feature with the largest difference between two points */
static int widest(const range *r)
{
    int best = 0;
    float most = -1;
    for (int k = 0; k < r->features; k++) {
        float least = value(r, 0, k), greatest = least;
        for (int i = 1; i < r->count; i++) {
            float x = value(r, i, k);
            least = x < least ? x : least;
            greatest = x > greatest ? x : greatest;
        }
        if (greatest - least > most) {
            most = greatest - least;
            best = k;
        }
    }
    return best;
}

/*
 * Reorders so that no point before the middle is greater than any from there on: Hoare's selection
 * (1961), ending at the middle.
 */
static void halve(const range *r, int feature)
{
    int low = 0, high = r->count - 1, middle = r->count / 2;
    while (low < high) {
        float pivot = value(r, low + (high - low) / 2, feature);
        int i = low, k = high;
        while (i <= k) {
            while (value(r, i, feature) < pivot)
                i++;
            while (value(r, k, feature) > pivot)
                k--;
            if (i > k)
                break;
            int swapped = r->order[i];
            r->order[i++] = r->order[k];
            r->order[k--] = swapped;
        }
        // continues with the part that contains the middle; between the parts all are equal
        if (middle <= k)
            high = k;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

void ik_kd_tree_sort(ik_kd_tree *leaves, const float *points, int features, int *order)
{
    int count = leaves->rows << leaves->depth, node = 0;
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int level = 0; level < leaves->depth; level++) {
        int size = count >> level;
        for (int start = 0; start < count; start += size, node++) {
            range r = {points, features, size, order + start};
            int feature = widest(&r);
            halve(&r, feature);
            leaves->feature[node] = feature;
            leaves->split[node] = value(&r, size / 2, feature);
        }
    }
}
