/*
 * rotations.inl - quaternions of many balls, one ball in each lane; the same bits as lb_sincos,
 * lb_quat_multiply and lb_quat_normalize give for each.
 */
#include "kernel/rotations.h"
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

static void normalize_balls(const int *places, int balls, double *q)
{
    for (int i = 0; i < balls; i += LANE_WIDTH) {
        int count = balls - i < LANE_WIDTH ? balls - i : LANE_WIDTH;
        real *rows[LANE_WIDTH];
        for (int l = 0; l < LANE_WIDTH; l++)
            rows[l] = q + places[l < count ? i + l : i];
        lane_four r = lane_load_rows((const real *const *)rows, 0);
        lane square = r.a * r.a + r.b * r.b + r.c * r.c + r.d * r.d, one = lane_set(1);
        lane_mask unit = lane_le(lane_abs(square - one), lane_set(4 * DBL_EPSILON));
        if (mask_all(unit))
            continue;
        lane_mask near = mask_and(lane_gt(square, lane_set(0.5)), lane_lt(square, lane_set(2)));
        if (mask_all(near)) {
            lane s = lane_select(unit, one, one / lane_sqrt(square));
            r = (lane_four){r.a * s, r.b * s, r.c * s, r.d * s};
            lane_store_each(rows, count, &r, 1);
            continue;
        }
        for (int l = 0; l < count; l++) {
            lb_quat to =
                lb_quat_normalize((lb_quat){rows[l][0], rows[l][1], rows[l][2], rows[l][3]});
            memcpy(rows[l], (double[]){to.w, to.x, to.y, to.z}, 4 * sizeof(double));
        }
    }
}
