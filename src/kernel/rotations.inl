/*
 * rotations.inl - many quaternions, one in each lane; the same bits as lb_sincos, lb_quat_multiply,
 * lb_quat_normalize and lb_transform_quat give for each.
 */
#include "kernel/ops.h"
#include "simd/lane_rows.h"

/* one of the turns of several rotations */
LANE_INLINE quat axis_turn(const double *const axes[3], int i, lane sine, lane cosine)
{
    return (quat){cosine, sine * lane_load(axes[0] + i), sine * lane_load(axes[1] + i),
                  sine * lane_load(axes[2] + i)};
}

static void compose_turns(const kernel_turns *turns, const double *row, double *q)
{
    for (int i = 0; i < turns->count; i += LANE_WIDTH) {
        int count = turns->count - i < LANE_WIDTH ? turns->count - i : LANE_WIDTH;
        lane angles[KERNEL_TURNS], sines[KERNEL_TURNS], cosines[KERNEL_TURNS];
        for (int k = 0; k < KERNEL_TURNS; k++)
            angles[k] = lane_gather(row, turns->angles[k] + i) * lane_set(turns->half_unit);
        lane_sincos_several(angles, KERNEL_TURNS, sines, cosines);

        quat product = {lane_set(1), lane_set(0), lane_set(0), lane_set(0)};
        for (int k = 0; k < KERNEL_TURNS; k++)
            product = quat_multiply(product, axis_turn(turns->axes[k], i, sines[k], cosines[k]));
        real *out[LANE_WIDTH];
        for (int l = 0; l < LANE_WIDTH; l++)
            out[l] = q + turns->places[l < count ? i + l : i];
        const lane_four r = {product.w, product.x, product.y, product.z};
        lane_store_each(out, count, &r, 1);
    }
}

/* lb_quat_normalize; r: w x y z */
static lane_four four_normalize(lane_four r)
{
    lane square = r.a * r.a + r.b * r.b + r.c * r.c + r.d * r.d, one = lane_set(1);
    lane_mask unit = lane_le(lane_abs(square - one), lane_set(4 * DBL_EPSILON));
    if (mask_all(unit))
        return r;
    lane_mask near = mask_and(lane_gt(square, lane_set(0.5)), lane_lt(square, lane_set(2)));
    lane s = lane_select(unit, one, one / lane_sqrt(square));
    const lane_four scaled = {r.a * s, r.b * s, r.c * s, r.d * s};
    if (mask_all(near))
        return scaled;

    lane largest =
        lane_max(lane_max(lane_abs(r.a), lane_abs(r.b)), lane_max(lane_abs(r.c), lane_abs(r.d)));
    // not zero for infinities and NaN alone
    lane zero = lane_set(0), lost = r.a * 0 + r.b * 0 + r.c * 0 + r.d * 0;
    lane_mask fine = mask_and(lane_eq(lost, zero), lane_gt(largest, zero));
    lane_four t = {r.a / largest, r.b / largest, r.c / largest, r.d / largest};
    lane length = lane_sqrt(t.a * t.a + t.b * t.b + t.c * t.c + t.d * t.d);
    t = (lane_four){t.a / length, t.b / length, t.c / length, t.d / length};
    return (lane_four){lane_select(near, scaled.a, lane_select(fine, t.a, one)),
                       lane_select(near, scaled.b, lane_keep(fine, t.b)),
                       lane_select(near, scaled.c, lane_keep(fine, t.c)),
                       lane_select(near, scaled.d, lane_keep(fine, t.d))};
}

static void normalize_balls(const int *places, int balls, double *q)
{
    for (int i = 0; i < balls; i += LANE_WIDTH) {
        int count = balls - i < LANE_WIDTH ? balls - i : LANE_WIDTH;
        real *rows[LANE_WIDTH];
        for (int l = 0; l < LANE_WIDTH; l++)
            rows[l] = q + places[l < count ? i + l : i];
        const lane_four r = four_normalize(lane_load_rows((const real *const *)rows, 0));
        lane_store_each(rows, count, &r, 1);
    }
}

/* lb_transform_quat, four times the largest part too large */
LANE_INLINE lane_four frame_quat(const frame *t)
{
    lane xx = t->x.x, yy = t->y.y, zz = t->z.z, trace = xx + yy + zz;
    lane_mask w = mask_and(lane_ge(trace, xx), mask_and(lane_ge(trace, yy), lane_ge(trace, zz)));
    lane_mask x = mask_andnot(mask_and(lane_ge(xx, yy), lane_ge(xx, zz)), w);
    lane_mask y = mask_andnot(mask_andnot(lane_ge(yy, zz), w), x);
    // sums and differences of what is across the diagonal
    lane dx = t->y.z - t->z.y, dy = t->z.x - t->x.z, dz = t->x.y - t->y.x;
    lane sx = t->z.y + t->y.z, sy = t->z.x + t->x.z, sz = t->y.x + t->x.y;
    lane_four q;
    q.a = lane_select(w, 1 + trace, lane_select(x, dx, lane_select(y, dy, dz)));
    q.b = lane_select(w, dx, lane_select(x, 1 + 2 * xx - trace, lane_select(y, sz, sy)));
    q.c = lane_select(w, dy, lane_select(x, sz, lane_select(y, 1 + 2 * yy - trace, sx)));
    q.d = lane_select(w, dz, lane_select(x, sy, lane_select(y, sx, 1 + 2 * zz - trace)));
    lane_mask negative = lane_lt(q.a, lane_set(0));
    return (lane_four){lane_select(negative, -q.a, q.a), lane_select(negative, -q.b, q.b),
                       lane_select(negative, -q.c, q.c), lane_select(negative, -q.d, q.d)};
}

static void quats_of(const lb_transform *from, size_t transforms, lb_quat *to)
{
    for (size_t i = 0; i < transforms; i += LANE_WIDTH) {
        int count = transforms - i < LANE_WIDTH ? (int)(transforms - i) : LANE_WIDTH;
        const real *rows[LANE_WIDTH];
        real *out[LANE_WIDTH];
        for (int l = 0; l < LANE_WIDTH; l++) {
            size_t at = l < count ? i + (size_t)l : i;
            rows[l] = &from[at].x.x;
            out[l] = &to[at].w;
        }
        frame t = frame_load(rows, 0);
        const lane_four q = four_normalize(frame_quat(&t));
        lane_store_each(out, count, &q, 1);
    }
}
