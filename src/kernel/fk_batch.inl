/*
 * fk_batch.inl - forward kinematics of many configurations, one in each lane.
 *
 * Rows of configurations are turned round into lanes, the tree is walked once for all
 * of them, and the frames that are wanted go into the rows of answers a block at a
 * time, while they are at hand. Rows that do not fill the lanes are copied aside, the
 * last of them as often as it takes, and so are their answers.
 */
#ifndef KERNEL_CROWD_INL
#define KERNEL_CROWD_INL

#include "kernel/forward.inl"
#include "kernel/jacobian.inl"
#include "simd/lane_rows.h"

/* Rows of numbers. */
typedef struct crowd_rows {
    real *at; /* NULL: none */
    size_t stride;
} crowd_rows;

/* What a group of lanes works on. */
typedef struct crowd_work {
    const kernel_crowd *crowd;
    kernel_layout layout;
    lane *q;        /* nq, at least four */
    frame *frames;  /* of the tree; what is passing is never written */
    lane *jacobian; /* 6 x nv */
    frame root, tip;
    const kernel_output *next; /* what is to be written next */
    crowd_rows out;            /* this group's */
    real *spare;               /* rows for what does not fill the lanes */
} crowd_work;

/* ---- sizes ---------------------------------------------------------------- */

/* how many numbers a row of links has */
LANE_INLINE size_t links_numbers(const kernel_crowd *crowd, kernel_layout layout)
{
    return crowd->output_count * (layout == KERNEL_COLUMNS_OF_4 ? 16u : 12u);
}

/* and a configuration, filled up to four */
LANE_INLINE size_t configuration_numbers(const kernel_crowd *crowd)
{
    return crowd->tree.nq > 4 ? (size_t)crowd->tree.nq : 4;
}

/* and a Jacobian, if one is wanted */
LANE_INLINE size_t jacobian_numbers(const kernel_crowd *crowd)
{
    return crowd->tip.joint == KERNEL_NO_JOINT ? 0 : 6 * (size_t)crowd->tree.nv;
}

/* ---- rows and lanes ------------------------------------------------------- */

/* count > 3: the last four may be some that have been seen already */
LANE_INLINE void rows_read(const crowd_rows *rows, lane *to, size_t count)
{
    const real *at[LANE_WIDTH];
    rows_apart(at, rows->at, rows->stride);
    for (size_t i = 0; i < count; i += 4) {
        size_t k = i + 4 <= count ? i : count - 4;
        lane_four x = lane_load_rows(at, k);
        to[k] = x.a;
        to[k + 1] = x.b;
        to[k + 2] = x.c;
        to[k + 3] = x.d;
    }
}

LANE_INLINE void rows_write(const crowd_rows *rows, const lane *from, size_t count)
{
    for (size_t i = 0; i < count; i += 4) {
        size_t k = i + 4 <= count ? i : count - 4;
        const lane_four x = {from[k], from[k + 1], from[k + 2], from[k + 3]};
        lane_store_rows(rows->at + k, rows->stride, &x, 1);
    }
}

/* twelve or sixteen numbers of a row each */
LANE_INLINE void rows_write_frame(const crowd_rows *rows, size_t at, kernel_layout layout,
                                  const frame *f)
{
    v3 x = f->x, y = f->y, z = f->z, p = f->p;
    lane zero = lane_set(0), one = lane_set(1);
    if (layout == KERNEL_COLUMNS_OF_3) {
        const lane_four numbers[3] = {
            {x.x, x.y, x.z, y.x}, {y.y, y.z, z.x, z.y}, {z.z, p.x, p.y, p.z}};
        lane_store_rows(rows->at + at, rows->stride, numbers, 3);
    } else if (layout == KERNEL_ROWS_OF_4) {
        const lane_four numbers[3] = {
            {x.x, y.x, z.x, p.x}, {x.y, y.y, z.y, p.y}, {x.z, y.z, z.z, p.z}};
        lane_store_rows(rows->at + at, rows->stride, numbers, 3);
    } else {
        const lane_four numbers[4] = {{x.x, x.y, x.z, zero},
                                      {y.x, y.y, y.z, zero},
                                      {z.x, z.y, z.z, zero},
                                      {p.x, p.y, p.z, one}};
        lane_store_rows(rows->at + at, rows->stride, numbers, 4);
    }
}

/* ---- links ---------------------------------------------------------------- */

/* f * t */
LANE_INLINE frame frame_times(const frame *f, const lb_transform *t)
{
    return (frame){v3_combine(f->x, f->y, f->z, t->x), v3_combine(f->x, f->y, f->z, t->y),
                   v3_combine(f->x, f->y, f->z, t->z),
                   v3_add(v3_combine(f->x, f->y, f->z, t->p), f->p)};
}

/* the link that a joint's frame carries */
LANE_INLINE frame link_frame(const kernel_output *output, const frame *f)
{
    if (output->way == KERNEL_LINK_TURNED)
        return frame_times(f, &output->fix);
    frame link = *f;
    if (output->way == KERNEL_LINK_SWAPPED) {
        const v3 *axes = &f->x;
        link.x = v3_scale(axes[output->from[0]], lane_set(output->sign[0]));
        link.y = v3_scale(axes[output->from[1]], lane_set(output->sign[1]));
        link.z = v3_scale(axes[output->from[2]], lane_set(output->sign[2]));
    }
    return link;
}

/* a joint's frame; the root's for none */
LANE_INLINE const frame *frame_of(const crowd_work *w, int joint)
{
    return joint < 0 ? &w->root : &w->frames[joint];
}

/* writes what hangs on the joints before `end` */
LANE_INLINE void crowd_visit(void *user, int end)
{
    crowd_work *w = user;
    size_t numbers = w->layout == KERNEL_COLUMNS_OF_4 ? 16 : 12;
    const kernel_output *next = w->next;
    for (; next->joint < end; next++) {
        frame link = link_frame(next, frame_of(w, next->joint));
        if (next->moved)
            link = frame_times(&link, &next->offset);
        rows_write_frame(&w->out, numbers * next->place, w->layout, &link);
    }
    w->next = next;
}

/* ---- the Jacobian --------------------------------------------------------- */

LANE_INLINE v3 column_get(const lane *column, size_t columns)
{
    return (v3){column[0], column[columns], column[2 * columns]};
}

/* three rows as they are seen along other axes */
LANE_INLINE void turn_columns(lane *rows, size_t columns, const frame *axes)
{
    for (size_t i = 0; i < columns; i++) {
        v3 a = column_get(rows + i, columns);
        rows[i] = v3_dot(axes->x, a);
        rows[columns + i] = v3_dot(axes->y, a);
        rows[2 * columns + i] = v3_dot(axes->z, a);
    }
}

LANE_INLINE void crowd_jacobian(crowd_work *w)
{
    const kernel_crowd *crowd = w->crowd;
    size_t columns = (size_t)crowd->tree.nv;
    w->tip = link_frame(&crowd->tip, frame_of(w, crowd->tip.joint));
    v3 point = v3_add(v3_combine(w->tip.x, w->tip.y, w->tip.z, crowd->point), w->tip.p);
    const triple at = triple_load(&point);
    // columns that nothing is added to are zero from the beginning
    if (crowd->tree.alone && !crowd->turned) {
        columns_to_root(&crowd->tree, crowd->tip.joint, w->frames, at, w->jacobian, false);
        return;
    }
    memset(w->jacobian, 0, sizeof(lane) * 6 * columns);
    columns_to_root(&crowd->tree, crowd->tip.joint, w->frames, at, w->jacobian, true);
    if (crowd->turned) {
        turn_columns(w->jacobian, columns, &w->tip);
        turn_columns(w->jacobian + 3 * columns, columns, &w->tip);
    }
}

/* ---- groups --------------------------------------------------------------- */

static void crowd_group(crowd_work *w, const crowd_rows *q, const crowd_rows *out,
                        const crowd_rows *jacobian)
{
    const kernel_crowd *crowd = w->crowd;
    size_t nq = (size_t)crowd->tree.nq;
    rows_read(q, w->q, nq > 4 ? nq : 4);
    w->out = *out;
    w->next = out->at ? crowd->outputs : &crowd->end;
    crowd_visit(w, 0);
    forward_walk(&crowd->tree, &w->root, w->q, w->frames, crowd_visit, w);
    if (jacobian->at) {
        crowd_jacobian(w);
        rows_write(jacobian, w->jacobian, jacobian_numbers(crowd));
    }
}

static void rows_copy(real *to, size_t to_stride, const real *from, size_t from_stride,
                      size_t numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        memcpy(to + i * to_stride, from + i * from_stride, numbers * sizeof(real));
}

/* a group of which the last lanes have no row */
static void crowd_rest(crowd_work *w, const crowd_rows *q, const crowd_rows *out,
                       const crowd_rows *jacobian, size_t count)
{
    const kernel_crowd *crowd = w->crowd;
    size_t links = links_numbers(crowd, w->layout), speeds = jacobian_numbers(crowd);
    crowd_rows spare_q = {w->spare, configuration_numbers(crowd)};
    crowd_rows spare_out = {spare_q.at + LANE_WIDTH * spare_q.stride, links};
    crowd_rows spare_jacobian = {spare_out.at + LANE_WIDTH * links, speeds};
    for (size_t i = 0; i < LANE_WIDTH && crowd->tree.nq > 0; i++) {
        const real *from = q->at + (i < count ? i : count - 1) * q->stride;
        memcpy(spare_q.at + i * spare_q.stride, from, sizeof(real) * (size_t)crowd->tree.nq);
    }
    if (!out->at)
        spare_out.at = NULL;
    if (!jacobian->at)
        spare_jacobian.at = NULL;
    crowd_group(w, &spare_q, &spare_out, &spare_jacobian);
    if (out->at)
        rows_copy(out->at, out->stride, spare_out.at, links, links, count);
    if (jacobian->at)
        rows_copy(jacobian->at, jacobian->stride, spare_jacobian.at, speeds, speeds, count);
}

static size_t crowd_scratch(const kernel_crowd *crowd)
{
    size_t speeds = jacobian_numbers(crowd), q = configuration_numbers(crowd);
    size_t lanes = q + 12 * (size_t)crowd->tree.count + speeds;
    size_t spare = LANE_WIDTH * (q + links_numbers(crowd, KERNEL_COLUMNS_OF_4) + speeds);
    return sizeof(lane) * lanes + sizeof(real) * spare;
}

static crowd_work crowd_carve(const kernel_crowd *crowd, kernel_layout layout, void *scratch)
{
    crowd_work w = {.crowd = crowd, .layout = layout, .q = scratch};
    w.frames = (frame *)(void *)(w.q + configuration_numbers(crowd));
    w.jacobian = (lane *)(void *)(w.frames + crowd->tree.count);
    w.spare = (real *)(void *)(w.jacobian + jacobian_numbers(crowd));
    w.root = frame_set(&crowd->root);
    memset(w.q, 0, sizeof(lane) * configuration_numbers(crowd));
    memset(w.jacobian, 0, sizeof(lane) * jacobian_numbers(crowd));
    memset(w.spare, 0, sizeof(real) * LANE_WIDTH * configuration_numbers(crowd));
    return w;
}

/* the row of a problem, of rows that may be none */
static crowd_rows rows_from(const void *at, size_t stride, size_t problem)
{
    real *first = (real *)(uintptr_t)at;
    return (crowd_rows){first ? first + problem * stride : NULL, stride};
}

static void crowd_forward(const kernel_crowd *crowd, const kernel_rows *rows, size_t begin,
                          size_t end, void *scratch)
{
    crowd_work w = crowd_carve(crowd, rows->layout, scratch);
    for (size_t i = begin; i < end; i += LANE_WIDTH) {
        crowd_rows q = rows_from(rows->q, rows->q_stride, i);
        crowd_rows out = rows_from(rows->links, rows->links_stride, i);
        crowd_rows jacobian = rows_from(rows->jacobians, rows->jacobians_stride, i);
        if (end - i >= LANE_WIDTH && crowd->tree.nq >= 4)
            crowd_group(&w, &q, &out, &jacobian);
        else
            crowd_rest(&w, &q, &out, &jacobian, end - i < LANE_WIDTH ? end - i : LANE_WIDTH);
    }
}

extern const kernel_crowd_ops KERNEL_NAME(crowd);

const kernel_crowd_ops KERNEL_NAME(crowd) = {LANE_WIDTH, crowd_scratch, crowd_forward};

#endif
