/*
 * standing.c - what stands still, in a binary tree of boxes: what is near is found without a look
 * at all.
 *
 * A node stands before its children: the left one is the next node, the right one comes after all
 * of the left one's. A leaf has one shape. Shapes are halved at the median of their middles, along
 * the axis in which these differ most, so that the tree is as deep as their number needs.
 */
#include "collision/layout.h"

#include "math/scalar.h"

#include <string.h>

static double along(lb_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* ---- boxes -------------------------------------------------------------- */

/* how far a shape reaches from its middle along an axis of the world, or against it */
static double extent(const placed *p, int axis, double sign)
{
    const lb_transform *frame = &p->frame;
    lb_vec3 d = {sign * along(frame->x, axis), sign * along(frame->y, axis),
                 sign * along(frame->z, axis)};
    return lb_vec3_dot(d, convex_support(p->shape, d)) + p->shape->radius;
}

/* the box of a leaf, larger by what distances may be off and places are rounded by */
static void enclose(const placed *p, standing_node *leaf)
{
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        double at = along(p->frame.p, k);
        double room = BOUND_ROOM * (p->shape->bound + p->shape->radius) + 1e-15 * fabs(at);
        high[k] = at + extent(p, k, 1) + room;
        low[k] = at - extent(p, k, -1) - room;
    }
    leaf->low = lb_vec3_make(low[0], low[1], low[2]);
    leaf->high = lb_vec3_make(high[0], high[1], high[2]);
}

static lb_vec3 lower_corner(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_make(scalar_min(a.x, b.x), scalar_min(a.y, b.y), scalar_min(a.z, b.z));
}

static lb_vec3 upper_corner(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_make(scalar_max(a.x, b.x), scalar_max(a.y, b.y), scalar_max(a.z, b.z));
}

/* ---- building ----------------------------------------------------------- */

static int left_count(int count)
{
    return (count + 1) / 2;
}

static double middle_along(const lb_collision *c, int at, int axis)
{
    return along(c->places[c->standing.shapes[at]].frame.p, axis);
}

/* the axis in which the middles of some shapes differ most */
static int widest_axis(const lb_collision *c, int begin, int count)
{
    lb_vec3 low = c->places[c->standing.shapes[begin]].frame.p, high = low;
    for (int i = begin + 1; i < begin + count; i++) {
        lb_vec3 p = c->places[c->standing.shapes[i]].frame.p;
        low = lower_corner(low, p);
        high = upper_corner(high, p);
    }
    lb_vec3 size = lb_vec3_sub(high, low);
    return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

/* brings the shapes with the least coordinates to the front, `wanted` of them (Hoare 1961) */
static void select_lower(const lb_collision *c, int begin, int count, int wanted, int axis)
{
    int *shapes = c->standing.shapes, first = begin, last = begin + count - 1;
    while (first < last) {
        double pivot = middle_along(c, first + (last - first) / 2, axis);
        int i = first, k = last;
        while (i <= k) {
            while (middle_along(c, i, axis) < pivot)
                i++;
            while (middle_along(c, k, axis) > pivot)
                k--;
            if (i <= k) {
                int moved = shapes[i];
                shapes[i++] = shapes[k];
                shapes[k--] = moved;
            }
        }
        // what lies between is equal to the pivot
        if (begin + wanted - 1 <= k)
            last = k;
        else if (begin + wanted - 1 >= i)
            first = i;
        else
            break;
    }
}

void standing_build(lb_collision *c)
{
    standing_tree *tree = &c->standing;
    tree->count = c->shape_count - c->first_shape[c->link_count];
    for (int i = 0; i < tree->count; i++)
        tree->shapes[i] = c->first_shape[c->link_count] + i;
    if (tree->count == 0)
        return;

    // the first node has all; a node's children are filled when it is passed
    tree->nodes[0] = (standing_node){.begin = 0, .count = tree->count};
    for (int i = 0; i < 2 * tree->count - 1; i++) {
        standing_node *node = &tree->nodes[i];
        if (node->count == 1)
            continue;
        int left = left_count(node->count);
        select_lower(c, node->begin, node->count, left, widest_axis(c, node->begin, node->count));
        tree->nodes[i + 1] = (standing_node){.begin = node->begin, .count = left};
        tree->nodes[i + 2 * left] =
            (standing_node){.begin = node->begin + left, .count = node->count - left};
    }
    for (int i = 2 * tree->count - 2; i >= 0; i--) {
        standing_node *node = &tree->nodes[i];
        if (node->count == 1) {
            enclose(&c->places[tree->shapes[node->begin]], node);
            continue;
        }
        const standing_node *left = node + 1, *right = node + 2 * left_count(node->count);
        node->low = lower_corner(left->low, right->low);
        node->high = upper_corner(left->high, right->high);
    }
}

/* ---- looking ------------------------------------------------------------ */

static double beyond(double low_a, double high_a, double low_b, double high_b)
{
    return high_a < low_b ? low_b - high_a : low_a > high_b ? low_a - high_b : 0;
}

/* the square of the distance of two boxes, 0 where they overlap */
static double gap(const standing_node *node, const standing_walk *walk)
{
    double x = beyond(walk->low.x, walk->high.x, node->low.x, node->high.x),
           y = beyond(walk->low.y, walk->high.y, node->low.y, node->high.y),
           z = beyond(walk->low.z, walk->high.z, node->low.z, node->high.z);
    return x * x + y * y + z * z;
}

void standing_begin(const lb_collision *c, int shape, standing_walk *walk)
{
    const placed *p = &c->places[shape];
    // a segment is in a box about its ends, of all others the box is their middle
    lb_vec3 half = {fabs(p->half_axis.x), fabs(p->half_axis.y), fabs(p->half_axis.z)};
    walk->reach = p->shape->core == CORE_SEGMENT ? p->shape->radius : c->shapes[shape].reach;
    walk->size = c->shapes[shape].reach;
    walk->low = lb_vec3_sub(p->frame.p, half);
    walk->high = lb_vec3_add(p->frame.p, half);
    walk->depth = 0;
    if (c->standing.count > 0)
        walk->branches[walk->depth++] = (standing_branch){.gap = 0, .node = 0};
}

int standing_next(const standing_tree *tree, standing_walk *walk, double distance)
{
    // balls round the walk's box are at most as deep in another box as their radius exceeds the gap
    double least = walk->reach + distance + BOUND_ROOM * (walk->size + fabs(distance));
    while (walk->depth > 0) {
        standing_branch branch = walk->branches[--walk->depth];
        if (branch.gap > 0 && (least < 0 || branch.gap > least * least))
            continue;
        const standing_node *node = &tree->nodes[branch.node];
        if (node->count == 1)
            return tree->shapes[node->begin];
        standing_branch near = {.node = branch.node + 1};
        standing_branch far = {.node = branch.node + 2 * left_count(node->count)};
        near.gap = gap(&tree->nodes[near.node], walk);
        far.gap = gap(&tree->nodes[far.node], walk);
        bool swapped = far.gap < near.gap;
        walk->branches[walk->depth++] = swapped ? near : far;
        walk->branches[walk->depth++] = swapped ? far : near;
    }
    return -1;
}

int standing_find(lb_collision *c, int link, double distance)
{
    const standing_tree *tree = &c->standing;
    const int first = c->first_shape[c->link_count], words = (tree->count + 63) / 64;
    if (!c->meets[link])
        return 0;
    memset(tree->marks, 0, sizeof *tree->marks * (size_t)words);
    for (int i = c->first_shape[link]; i < c->first_shape[link + 1]; i++) {
        standing_walk walk;
        standing_begin(c, i, &walk);
        for (int k; (k = standing_next(tree, &walk, distance)) >= 0;)
            tree->marks[(k - first) / 64] |= (uint64_t)1 << (k - first) % 64;
    }
    int count = 0;
    for (int i = 0; i < words; i++)
        for (uint64_t word = tree->marks[i]; word != 0; word &= word - 1)
            tree->found[count++] = first + 64 * i + __builtin_ctzll(word);
    return count;
}
