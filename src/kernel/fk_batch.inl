/*
 * fk_batch.inl - forward kinematics of many configurations, one in each lane.
 *
 * Rows of configurations are transposed into lanes, the tree is traversed once for all of them, and
 * the frames that are wanted are written to the output rows once per block, while they are in
 * cache. Rows that do not fill the lanes are copied to spare rows, the last of them repeatedly.
 */
#ifndef KERNEL_FK_BATCH_INL
#define KERNEL_FK_BATCH_INL

#include "kernel/fk_batch.h"
#include "kernel/forward.inl"
#include "kernel/jacobian.inl"
#include "simd/lane_rows.h"

/* Rows of numbers. */
typedef struct fk_batch_rows {
    real *at; /* NULL: not wanted */
    size_t stride;
} fk_batch_rows;

/* What a group of lanes works on. */
typedef struct fk_batch_work {
    const kernel_fk_batch *batch;
    kernel_layout layout;
    lane *q;        /* nq, at least four */
    frame *frames;  /* of the tree; transient ones are not written */
    lane *jacobian; /* 6 x nv */
    frame root, tip;
    const kernel_output *next; /* the next output to write */
    fk_batch_rows out;         /* of this group */
    real *spare;               /* rows that do not fill the lanes, and their outputs */
} fk_batch_work;

/* ---- sizes ---------------------------------------------------------------- */

/* numbers in a row of links */
LANE_INLINE size_t links_numbers(const kernel_fk_batch *batch, kernel_layout layout)
{
    return batch->output_count * (layout == KERNEL_COLUMNS_OF_4 ? 16u : 12u);
}

/* numbers in a configuration, at least four */
LANE_INLINE size_t configuration_numbers(const kernel_fk_batch *batch)
{
    return batch->tree.nq > 4 ? (size_t)batch->tree.nq : 4;
}

/* numbers in a Jacobian, if one is wanted */
LANE_INLINE size_t jacobian_numbers(const kernel_fk_batch *batch)
{
    return batch->tip.joint == KERNEL_NO_JOINT ? 0 : 6 * (size_t)batch->tree.nv;
}

/* ---- rows and lanes ------------------------------------------------------- */

/* count > 3: the last four may overlap those before */
LANE_INLINE void rows_read(const fk_batch_rows *rows, lane *to, size_t count)
{
    const real *at[LANE_WIDTH];
    size_t whole = LANE_WHOLE_ROWS ? count / 16 * 16 : 0;
    for (size_t i = 0; i < whole; i += 16)
        rows_load_whole(rows->at + i, rows->stride, to + i);
    rows_apart(at, rows->at, rows->stride);
    for (size_t i = whole; i < count; i += 4) {
        size_t k = i + 4 <= count ? i : count - 4;
        lane_four x = lane_load_rows(at, k);
        to[k] = x.a;
        to[k + 1] = x.b;
        to[k + 2] = x.c;
        to[k + 3] = x.d;
    }
}

LANE_INLINE void rows_write(const fk_batch_rows *rows, const lane *from, size_t count)
{
    for (size_t i = 0; i < count; i += 4) {
        size_t k = i + 4 <= count ? i : count - 4;
        const lane_four x = {from[k], from[k + 1], from[k + 2], from[k + 3]};
        lane_store_rows(rows->at + k, rows->stride, &x, 1);
    }
}

/* twelve or sixteen numbers of each row */
LANE_INLINE void rows_write_frame(const fk_batch_rows *rows, size_t at, kernel_layout layout,
                                  bool stream, const frame *f)
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
        if (LANE_WHOLE_ROWS && stream)
            lane_store_lines(rows->at + at, rows->stride, numbers, true);
        else
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
    if (output->form == KERNEL_LINK_ROTATED)
        return frame_times(f, &output->fix);
    frame link = *f;
    if (output->form == KERNEL_LINK_SWAPPED) {
        const v3 *axes = &f->x;
        link.x = v3_scale(axes[output->from[0]], lane_set(output->sign[0]));
        link.y = v3_scale(axes[output->from[1]], lane_set(output->sign[1]));
        link.z = v3_scale(axes[output->from[2]], lane_set(output->sign[2]));
    }
    return link;
}

/* a joint's frame, or the root's */
LANE_INLINE const frame *frame_of(const fk_batch_work *w, int joint)
{
    return joint < 0 ? &w->root : &w->frames[joint];
}

/* writes the links of the joints before `end`; `stream` is a constant */
LANE_INLINE void write_links(fk_batch_work *w, int end, bool stream)
{
    size_t numbers = w->layout == KERNEL_COLUMNS_OF_4 ? 16 : 12;
    const kernel_output *next = w->next;
    for (; next->joint < end; next++) {
        frame link = link_frame(next, frame_of(w, next->joint));
        if (next->has_offset)
            link = frame_times(&link, &next->offset);
        rows_write_frame(&w->out, numbers * next->index, w->layout, stream, &link);
    }
    w->next = next;
}

LANE_INLINE void fk_batch_visit(void *user, int end)
{
    write_links(user, end, false);
}

LANE_INLINE void fk_batch_visit_stream(void *user, int end)
{
    write_links(user, end, true);
}

/* ---- the Jacobian --------------------------------------------------------- */

LANE_INLINE v3 column_get(const lane *column, size_t columns)
{
    return (v3){column[0], column[columns], column[2 * columns]};
}

/* three rows in other axes */
LANE_INLINE void rotate_columns(lane *rows, size_t columns, const frame *axes)
{
    for (size_t i = 0; i < columns; i++) {
        v3 a = column_get(rows + i, columns);
        rows[i] = v3_dot(axes->x, a);
        rows[columns + i] = v3_dot(axes->y, a);
        rows[2 * columns + i] = v3_dot(axes->z, a);
    }
}

LANE_INLINE void fk_batch_jacobian(fk_batch_work *w)
{
    const kernel_fk_batch *batch = w->batch;
    size_t columns = (size_t)batch->tree.nv;
    w->tip = link_frame(&batch->tip, frame_of(w, batch->tip.joint));
    v3 point = v3_add(v3_combine(w->tip.x, w->tip.y, w->tip.z, batch->point), w->tip.p);
    const triple at = triple_load(&point);
    // without sums every column is either written or zero from the start
    if (batch->tree.unshared && !batch->link_axes) {
        columns_to_root(&batch->tree, batch->tip.joint, w->frames, at, w->jacobian, false);
        return;
    }
    memset(w->jacobian, 0, sizeof(lane) * 6 * columns);
    columns_to_root(&batch->tree, batch->tip.joint, w->frames, at, w->jacobian, true);
    if (batch->link_axes) {
        rotate_columns(w->jacobian, columns, &w->tip);
        rotate_columns(w->jacobian + 3 * columns, columns, &w->tip);
    }
}

/* ---- groups --------------------------------------------------------------- */

static void fk_batch_group(fk_batch_work *w, const fk_batch_rows *q, const fk_batch_rows *out,
                           const fk_batch_rows *jacobian)
{
    const kernel_fk_batch *batch = w->batch;
    size_t nq = (size_t)batch->tree.nq;
    rows_read(q, w->q, nq > 4 ? nq : 4);
    w->out = *out;
    w->next = out->at ? batch->outputs : &batch->end;
    fk_batch_visit(w, 0);
    forward_walk(&batch->tree, &w->root, w->q, w->frames, fk_batch_visit, w);
    if (jacobian->at) {
        fk_batch_jacobian(w);
        rows_write(jacobian, w->jacobian, jacobian_numbers(batch));
    }
}

/* the same past the caches, of matrices alone */
static void fk_batch_group_stream(fk_batch_work *w, const fk_batch_rows *q,
                                  const fk_batch_rows *out)
{
    const kernel_fk_batch *batch = w->batch;
    rows_read(q, w->q, (size_t)batch->tree.nq);
    w->out = *out;
    w->next = batch->outputs;
    fk_batch_visit_stream(w, 0);
    forward_walk(&batch->tree, &w->root, w->q, w->frames, fk_batch_visit_stream, w);
}

static void rows_copy(real *to, size_t to_stride, const real *from, size_t from_stride,
                      size_t numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        memcpy(to + i * to_stride, from + i * from_stride, numbers * sizeof(real));
}

/* a group with fewer rows than lanes */
static void fk_batch_rest(fk_batch_work *w, const fk_batch_rows *q, const fk_batch_rows *out,
                          const fk_batch_rows *jacobian, size_t count)
{
    const kernel_fk_batch *batch = w->batch;
    size_t links = links_numbers(batch, w->layout), speeds = jacobian_numbers(batch);
    fk_batch_rows spare_q = {w->spare, configuration_numbers(batch)};
    fk_batch_rows spare_out = {spare_q.at + LANE_WIDTH * spare_q.stride, links};
    fk_batch_rows spare_jacobian = {spare_out.at + LANE_WIDTH * links, speeds};
    for (size_t i = 0; i < LANE_WIDTH && batch->tree.nq > 0; i++) {
        const real *from = q->at + (i < count ? i : count - 1) * q->stride;
        memcpy(spare_q.at + i * spare_q.stride, from, sizeof(real) * (size_t)batch->tree.nq);
    }
    if (!out->at)
        spare_out.at = NULL;
    if (!jacobian->at)
        spare_jacobian.at = NULL;
    fk_batch_group(w, &spare_q, &spare_out, &spare_jacobian);
    if (out->at)
        rows_copy(out->at, out->stride, spare_out.at, links, links, count);
    if (jacobian->at)
        rows_copy(jacobian->at, jacobian->stride, spare_jacobian.at, speeds, speeds, count);
}

static size_t fk_batch_scratch(const kernel_fk_batch *batch)
{
    size_t speeds = jacobian_numbers(batch), q = configuration_numbers(batch);
    size_t lanes = q + 12 * (size_t)batch->tree.count + speeds;
    size_t spare = LANE_WIDTH * (q + links_numbers(batch, KERNEL_COLUMNS_OF_4) + speeds);
    return sizeof(lane) * lanes + sizeof(real) * spare;
}

static fk_batch_work fk_batch_carve(const kernel_fk_batch *batch, kernel_layout layout,
                                    void *scratch)
{
    fk_batch_work w = {.batch = batch, .layout = layout, .q = scratch};
    w.frames = (frame *)(void *)(w.q + configuration_numbers(batch));
    w.jacobian = (lane *)(void *)(w.frames + batch->tree.count);
    w.spare = (real *)(void *)(w.jacobian + jacobian_numbers(batch));
    w.root = frame_set(&batch->root);
    memset(w.jacobian, 0, sizeof(lane) * jacobian_numbers(batch));
    // rows of fewer numbers than are read at once
    if (batch->tree.nq < 4)
        memset(w.spare, 0, sizeof(real) * LANE_WIDTH * configuration_numbers(batch));
    return w;
}

/* the row of a problem, NULL for rows that are not wanted */
static fk_batch_rows rows_from(const void *at, size_t stride, size_t problem)
{
    real *first = (real *)(uintptr_t)at;
    return (fk_batch_rows){first ? first + problem * stride : NULL, stride};
}

/*
 * So much is written past the caches: what is not read before most of it has left them need not
 * displace all else there, nor be read before it is written. Measured, it takes longer up to 8 MB
 * and half the time above 16 MB.
 */
#define STREAM_BYTES ((size_t)12 << 20)

/* whether all of the matrices are to be streamed */
static bool fk_batch_streams(const kernel_fk_batch *batch, const kernel_rows *rows, size_t count)
{
    size_t bytes = count * links_numbers(batch, rows->layout) * sizeof(real);
    return rows->layout == KERNEL_COLUMNS_OF_4 && rows->links && !rows->jacobians &&
           bytes > STREAM_BYTES && rows_stream_fit(rows->links, rows->links_stride);
}

static void fk_batch_forward(const kernel_fk_batch *batch, const kernel_rows *rows, size_t begin,
                             size_t end, void *scratch)
{
    fk_batch_work w = fk_batch_carve(batch, rows->layout, scratch);
    bool stream = fk_batch_streams(batch, rows, end - begin);
    for (size_t i = begin; i < end; i += LANE_WIDTH) {
        fk_batch_rows q = rows_from(rows->q, rows->q_stride, i);
        fk_batch_rows out = rows_from(rows->links, rows->links_stride, i);
        fk_batch_rows jacobian = rows_from(rows->jacobians, rows->jacobians_stride, i);
        bool whole = end - i >= LANE_WIDTH && batch->tree.nq >= 4;
        if (LANE_WHOLE_ROWS && whole && stream)
            fk_batch_group_stream(&w, &q, &out);
        else if (whole)
            fk_batch_group(&w, &q, &out, &jacobian);
        else
            fk_batch_rest(&w, &q, &out, &jacobian, end - i < LANE_WIDTH ? end - i : LANE_WIDTH);
    }
    if (stream)
        rows_stream_end();
}

extern const kernel_fk_batch_ops KERNEL_NAME(fk_batch);

const kernel_fk_batch_ops KERNEL_NAME(fk_batch) = {LANE_WIDTH, fk_batch_scratch, fk_batch_forward};

#endif
