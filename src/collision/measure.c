/*
 * measure.c - all pairs of one configuration: the least distance, whether all keep a margin, those
 * that are near.
 *
 * Every shape has a ball about it; balls that are farther apart than what has been found need no
 * closer look. The pair of links whose balls come nearest is measured first, so that few others do;
 * obstacles are looked up in a tree (standing.c).
 */
#include "collision/layout.h"

#include <string.h>

/* ---- placing ------------------------------------------------------------ */

bool measure_place(lb_collision *c, const double *q)
{
    lb_state_update(c->state, q);
    const lb_transform *links = lb_state_transforms(c->state);
    double sum = 0;
    for (int i = 0; i < c->first_shape[c->link_count]; i++) {
        const body_shape *shape = &c->shapes[i];
        lb_transform frame = lb_transform_multiply(&links[shape->link], &shape->origin);
        c->places[i] = place_shape(&shape->shape, &frame);
        sum += frame.p.x + frame.p.y + frame.p.z + frame.x.x;
    }
    return isfinite(sum);
}

/* ---- pairs -------------------------------------------------------------- */

bool balls_apart(const lb_collision *c, const shape_pair *pair, double distance)
{
    lb_vec3 between = lb_vec3_sub(c->places[pair->b].frame.p, c->places[pair->a].frame.p);
    double least = pair->reach + distance + BOUND_ROOM * (pair->reach + fabs(distance));
    return lb_vec3_dot(between, between) > least * least && least > 0;
}

/* the pair whose balls overlap most, or come nearest, by the power of their distance */
static int nearest_balls(const lb_collision *c)
{
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < c->shape_pair_count; i++) {
        const shape_pair *pair = &c->shape_pairs[i];
        lb_vec3 between = lb_vec3_sub(c->places[pair->b].frame.p, c->places[pair->a].frame.p);
        double power = lb_vec3_dot(between, between) - pair->reach * pair->reach;
        if (power < least) {
            least = power;
            best = i;
        }
    }
    return best;
}

static lb_proximity no_pair(double distance)
{
    lb_vec3 none = {0, 0, 0};
    return (lb_proximity){distance, -1, -1, -1, -1, none, none, none};
}

bool measure_pair(const lb_collision *c, int a, int b, double bound, lb_proximity *nearest)
{
    lb_proximity p;
    if (!pair_measure(&c->places[a], &c->places[b], bound, &p))
        return false;
    p.body_a = c->shapes[a].body;
    p.shape_a = c->shapes[a].index;
    p.body_b = c->shapes[b].body;
    p.shape_b = c->shapes[b].index;
    *nearest = p;
    return true;
}

bool pair_precedes(const lb_proximity *a, const lb_proximity *b)
{
    const int x[4] = {a->body_a, a->body_b, a->shape_a, a->shape_b};
    const int y[4] = {b->body_a, b->body_b, b->shape_a, b->shape_b};
    int i = 0;
    while (i < 3 && x[i] == y[i])
        i++;
    return x[i] < y[i];
}

/* measures two shapes, and keeps them where they are nearer, or as near and come first */
static void try_pair(const lb_collision *c, int a, int b, lb_proximity *nearest)
{
    lb_proximity p;
    if (!measure_pair(c, a, b, nearest->distance, &p))
        return;
    bool tie = p.distance == nearest->distance && nearest->body_a >= 0;
    if (!tie || pair_precedes(&p, nearest))
        *nearest = p;
}

/* the nearest pair of links */
static lb_proximity least_of_links(const lb_collision *c)
{
    lb_proximity nearest = no_pair(INFINITY);
    if (c->shape_pair_count == 0)
        return nearest;
    int first = nearest_balls(c);
    try_pair(c, c->shape_pairs[first].a, c->shape_pairs[first].b, &nearest);
    for (int i = 0; i < c->shape_pair_count; i++) {
        const shape_pair *pair = &c->shape_pairs[i];
        if (i != first && !balls_apart(c, pair, nearest.distance))
            try_pair(c, pair->a, pair->b, &nearest);
    }
    return nearest;
}

static lb_proximity least_distance(const lb_collision *c)
{
    lb_proximity nearest = least_of_links(c);
    for (int i = 0; i < c->first_shape[c->link_count]; i++) {
        if (!c->meets[c->shapes[i].link])
            continue;
        standing_walk walk;
        standing_begin(c, i, &walk);
        for (int k; (k = standing_next(&c->standing, &walk, nearest.distance)) >= 0;)
            try_pair(c, i, k, &nearest);
    }
    return nearest;
}

/* ---- the calls ---------------------------------------------------------- */

double lb_collision_distance(lb_collision *c, const double *q, lb_proximity *nearest)
{
    lb_proximity found = measure_place(c, q) ? least_distance(c) : no_pair(NAN);
    if (nearest != NULL)
        *nearest = found;
    return found.distance;
}

static bool links_keep_margin(const lb_collision *c)
{
    for (int i = 0; i < c->shape_pair_count; i++) {
        const shape_pair *pair = &c->shape_pairs[i];
        if (!balls_apart(c, pair, c->margin) &&
            !pair_is_apart(&c->places[pair->a], &c->places[pair->b], c->margin))
            return false;
    }
    return true;
}

bool lb_collision_free(lb_collision *c, const double *q)
{
    if (!measure_place(c, q) || !links_keep_margin(c))
        return false;
    for (int i = 0; i < c->first_shape[c->link_count]; i++) {
        if (!c->meets[c->shapes[i].link])
            continue;
        standing_walk walk;
        standing_begin(c, i, &walk);
        for (int k; (k = standing_next(&c->standing, &walk, c->margin)) >= 0;)
            if (!pair_is_apart(&c->places[i], &c->places[k], c->margin))
                return false;
    }
    return true;
}

bool lb_collision_filter(void *collision, const double *q)
{
    return lb_collision_free(collision, q);
}

/* the nearest of the pairs of shapes from *i on that are of the same two links; *i: the next one */
static lb_proximity nearest_of_links(const lb_collision *c, double distance, int *i)
{
    lb_proximity best = no_pair(distance);
    const int last = c->shapes[c->shape_pairs[*i].b].body, end = c->shape_pair_count;
    const int first = c->shapes[c->shape_pairs[*i].a].body;
    for (; *i < end; ++*i) {
        const shape_pair *pair = &c->shape_pairs[*i];
        if (c->shapes[pair->a].body != first || c->shapes[pair->b].body != last)
            break;
        if (!balls_apart(c, pair, best.distance))
            try_pair(c, pair->a, pair->b, &best);
    }
    return best;
}

/* the nearest of a link's shapes to one that stands still */
static lb_proximity nearest_to(const lb_collision *c, double distance, int link, int shape)
{
    lb_proximity best = no_pair(distance);
    for (int i = c->first_shape[link]; i < c->first_shape[link + 1]; i++)
        try_pair(c, i, shape, &best);
    return best;
}

static void append_near(const lb_proximity *pair, int capacity, lb_proximity *nearest, int *count)
{
    if (pair->body_a < 0)
        return;
    if (*count < capacity)
        nearest[*count] = *pair;
    ++*count;
}

int lb_collision_near(lb_collision *c, const double *q, double distance, int capacity,
                      lb_proximity *nearest)
{
    int count = 0;
    if (!measure_place(c, q))
        return 0;
    for (int link = 0; link < c->link_count; link++) {
        for (int i = c->first_shape_pair[link]; i < c->first_shape_pair[link + 1];) {
            lb_proximity best = nearest_of_links(c, distance, &i);
            append_near(&best, capacity, nearest, &count);
        }
        int found = standing_find(c, link, distance);
        for (int i = 0; i < found; i++) {
            lb_proximity best = nearest_to(c, distance, link, c->standing.found[i]);
            append_near(&best, capacity, nearest, &count);
        }
    }
    return count;
}

void lb_collision_batch(lb_collision *c, const double *q, size_t begin, size_t end,
                        lb_proximity *nearest)
{
    size_t nq = (size_t)lb_model_nq(c->model);
    for (size_t i = begin; i < end; i++)
        lb_collision_distance(c, q + i * nq, &nearest[i]);
}

/* ---- gradients ---------------------------------------------------------- */

/* adds sign * n^T J of a point in the world that a body carries */
static void add_rows(lb_collision *c, int body, lb_vec3 point, lb_vec3 n, double sign,
                     double *gradient)
{
    if (body < 0 || body >= c->link_count)
        return;
    size_t nv = (size_t)lb_model_nv(c->model);
    lb_vec3 at = lb_state_point(c->state, LB_WORLD, body, point);
    lb_state_jacobian(c->state, body, at, LB_AXES_WORLD, c->jacobian);
    const double *x = c->jacobian, *y = x + nv, *z = y + nv;
    for (size_t i = 0; i < nv; i++)
        gradient[i] += sign * (n.x * x[i] + n.y * y[i] + n.z * z[i]);
}

void lb_collision_gradient(lb_collision *c, const lb_proximity *nearest, double *gradient)
{
    memset(gradient, 0, sizeof *gradient * (size_t)lb_model_nv(c->model));
    add_rows(c, nearest->body_a, nearest->point_a, nearest->normal, -1, gradient);
    add_rows(c, nearest->body_b, nearest->point_b, nearest->normal, 1, gradient);
}
