/*
 * measure.c - all pairs of one configuration: the least distance, whether all keep a margin, those
 * that are near.
 *
 * Every shape has a ball about it; balls that are farther apart than what has been found need no
 * closer look. The pair whose balls come nearest is measured first, so that few others do.
 */
#include "collision/layout.h"

#include <string.h>

/* ---- placing ------------------------------------------------------------ */

bool measure_place(lb_collision *c, const double *q)
{
    lb_state_update(c->state, q);
    const lb_transform *links = lb_state_transforms(c->state);
    double sum = 0;
    for (int i = 0; i < c->shape_count; i++) {
        const body_shape *shape = &c->shapes[i];
        if (shape->link == LB_WORLD)
            continue;
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

bool measure_pair(const lb_collision *c, int i, double bound, lb_proximity *nearest)
{
    const shape_pair *pair = &c->shape_pairs[i];
    lb_proximity p;
    if (!pair_measure(&c->places[pair->a], &c->places[pair->b], bound, &p))
        return false;
    const body_shape *a = &c->shapes[pair->a], *b = &c->shapes[pair->b];
    p.body_a = a->body;
    p.shape_a = a->index;
    p.body_b = b->body;
    p.shape_b = b->index;
    *nearest = p;
    return true;
}

/* measures a pair, and keeps it where it is nearer, or as near and before the one that is kept */
static void try_pair(const lb_collision *c, int i, int *kept, lb_proximity *nearest)
{
    lb_proximity p;
    if (!measure_pair(c, i, nearest->distance, &p))
        return;
    bool tie = p.distance == nearest->distance;
    if (tie && i >= *kept)
        return;
    *nearest = p;
    *kept = i;
}

static lb_proximity least_distance(const lb_collision *c)
{
    lb_proximity nearest = no_pair(INFINITY);
    if (c->shape_pair_count == 0)
        return nearest;
    int first = nearest_balls(c), kept = c->shape_pair_count;
    try_pair(c, first, &kept, &nearest);
    for (int i = 0; i < c->shape_pair_count; i++)
        if (i != first && !balls_apart(c, &c->shape_pairs[i], nearest.distance))
            try_pair(c, i, &kept, &nearest);
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

bool lb_collision_free(lb_collision *c, const double *q)
{
    if (!measure_place(c, q))
        return false;
    for (int i = 0; i < c->shape_pair_count; i++) {
        const shape_pair *pair = &c->shape_pairs[i];
        if (!balls_apart(c, pair, c->margin) &&
            !pair_is_apart(&c->places[pair->a], &c->places[pair->b], c->margin))
            return false;
    }
    return true;
}

bool lb_collision_filter(void *collision, const double *q)
{
    return lb_collision_free(collision, q);
}

int lb_collision_near(lb_collision *c, const double *q, double distance, int capacity,
                      lb_proximity *nearest)
{
    int count = 0;
    bool finite = measure_place(c, q);
    for (int i = 0; i < c->shape_pair_count && finite;) {
        // the nearest shapes of one pair of bodies, which are consecutive
        lb_proximity best = no_pair(distance);
        int pair = c->shape_pairs[i].pair, kept = c->shape_pair_count;
        for (; i < c->shape_pair_count && c->shape_pairs[i].pair == pair; i++)
            if (!balls_apart(c, &c->shape_pairs[i], best.distance))
                try_pair(c, i, &kept, &best);
        if (best.body_a < 0)
            continue;
        if (count < capacity)
            nearest[count] = best;
        count++;
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
