/*
 * body_pairs.inl - what must be kept apart: rows whose links change from place to place.
 *
 * At every place a lane's nearest pairs are found anew by the caller. A pair is a row that says by
 * how much its points must still move apart, and may be anything less. Which columns move its
 * points differs from lane to lane, so forces are put on columns, and twists taken from them, lane
 * by lane.
 */
#ifndef KERNEL_BODY_PAIRS_INL
#define KERNEL_BODY_PAIRS_INL

#include "kernel/body_work.inl"

/* the columns that move one end of a row's pairs, one for each lane */
LANE_INLINE int *pair_columns(const body_work *w, int r, int part)
{
    return w->pair_columns + (2 * (size_t)r + (size_t)part) * LANE_WIDTH;
}

/* ---- rows ------------------------------------------------------------------ */

/* What a task's pairs are in all lanes: each number of a pair as lanes. */
typedef struct pair_lanes {
    v3 point[2], normal;
    lane beyond;
} pair_lanes;

LANE_INLINE void put_vector(v3 *to, int l, lb_vec3 from)
{
    lane_put(&to->x, l, from.x);
    lane_put(&to->y, l, from.y);
    lane_put(&to->z, l, from.z);
}

/* one lane's pairs; what is missing has a normal of zero, and room without end */
static void put_pairs(const kernel_body_task *task, int l, const kernel_body_pair *pairs, int count,
                      pair_lanes *lanes, const body_work *w)
{
    static const kernel_body_pair none = {.column = {-1, -1}, .beyond = -INFINITY};
    for (int i = 0; i < task->row_count; i++) {
        const kernel_body_pair *pair = i < count ? &pairs[i] : &none;
        put_vector(&lanes[i].normal, l, pair->normal);
        lane_put(&lanes[i].beyond, l, pair->beyond);
        for (int part = 0; part < 2; part++) {
            put_vector(&lanes[i].point[part], l, pair->point[part]);
            pair_columns(w, task->row + i, part)[l] = pair->column[part];
        }
    }
}

/* the nearest pairs of all lanes that need them; lanes without a query share the first one's */
static void find_pairs(const kernel_body *body, int t, pair_lanes *lanes, body_work *w)
{
    const kernel_body_task *task = &body->tasks[t];
    unsigned busy = mask_bits(w->busy);
    for (int l = 0; l < w->count; l++) {
        kernel_body_pair pairs[KERNEL_BODY_PAIRS];
        for (int i = 0; i < body->tree.nq; i++)
            w->plain[i] = lane_get(&w->q[i], l);
        int count = busy >> l & 1 ? body->find_pairs(body->user, t, w->plain, pairs) : 0;
        put_pairs(task, l, pairs, count, lanes, w);
        for (int k = w->count; l == 0 && k < LANE_WIDTH; k++)
            put_pairs(task, k, pairs, count, lanes, w);
    }
}

/* a row for each pair, which says how far it is nearer than allowed and may be anything less */
static void distance_rows(const kernel_body *body, int t, const v3 *weights, body_work *w,
                          lane square[2], lane *sum)
{
    const kernel_body_task *task = &body->tasks[t];
    pair_lanes lanes[KERNEL_BODY_PAIRS];
    lane weight = weights[0].x, zero = lane_set(0), far = lane_set(INFINITY);
    bool on = task->weights[0].x > 0;
    if (on)
        find_pairs(body, t, lanes, w);
    for (int i = 0; i < task->row_count; i++) {
        body_row *row = &w->rows[task->row + i];
        row->low = -far;
        row->high = far;
        if (!on) {
            memset(row->angular, 0, sizeof row->angular);
            memset(row->linear, 0, sizeof row->linear);
            continue;
        }
        lane error = lane_max(lanes[i].beyond, zero);
        square[0] = square[0] + error * error;
        *sum = *sum + error * error * (weight * weight);
        v3 push = v3_scale(lanes[i].normal, weight);
        row_push(row, 0, v3_sub(lanes[i].point[0], w->origin), push);
        row_push(row, 1, v3_sub(lanes[i].point[1], w->origin), v3_sub(v3_zero(), push));
        row->high = -lanes[i].beyond * weight;
    }
}

/* ---- forces and twists ------------------------------------------------------- */

/* a number of one lane of a column's force grows by that of a row */
LANE_INLINE void add_lane(lane *to, lane what, int l)
{
    lane_put(to, l, lane_get(to, l) + lane_get(&what, l));
}

/* one row as a force on the columns that move its ends, which `forces` holds as add_force has it */
static void load_pair(int r, int sides, int side, body_work *w)
{
    const body_row *row = &w->rows[r];
    for (int part = 0; part < 2; part++) {
        const v3 *p = &row->angular[part], *f = &row->linear[part];
        const lane numbers[6] = {p->x, p->y, p->z, f->x, f->y, f->z};
        for (int l = 0; l < LANE_WIDTH; l++) {
            int c = pair_columns(w, r, part)[l];
            lane *forces = w->forces + (size_t)(c > 0 ? c : 0) * 6 * (size_t)sides +
                           side / BODY_BLOCK * 6 * BODY_BLOCK + side % BODY_BLOCK;
            for (int k = 0; c >= 0 && k < 6; k++)
                add_lane(&forces[k * BODY_BLOCK], numbers[k], l);
        }
    }
}

/* how fast a row's pairs come nearer by the step */
static lane pair_change(int r, const body_work *w)
{
    const body_row *row = &w->rows[r];
    lane sum = lane_set(0);
    for (int part = 0; part < 2; part++) {
        v3 angular = v3_zero(), linear = angular;
        for (int l = 0; l < LANE_WIDTH; l++) {
            int c = pair_columns(w, r, part)[l];
            if (c < 0)
                continue;
            const v3 *turn = &w->twists[c].angular.v, *move = &w->twists[c].linear.v;
            put_vector(
                &angular, l,
                lb_vec3_make(lane_get(&turn->x, l), lane_get(&turn->y, l), lane_get(&turn->z, l)));
            put_vector(
                &linear, l,
                lb_vec3_make(lane_get(&move->x, l), lane_get(&move->y, l), lane_get(&move->z, l)));
        }
        sum = sum + (v3_dot(row->angular[part], angular) + v3_dot(row->linear[part], linear));
    }
    return sum;
}

#endif
