/*
 * slerp.inl - the rotations between two configurations, one ball in each lane.
 *
 * Slerp weighs the two quaternions with sin((1 - u) t) / sin(t) and sin(u t) / sin(t), cos(t) being
 * their product. As a series in cos(t) - 1 (D. Eberly, "A fast and accurate algorithm for computing
 * slerp", 2011) the weights' coefficients depend on u alone, which all balls share: each ball takes
 * two polynomials, no trigonometry and no division. How many terms are exact depends on the
 * farthest ball; motion/clip_sample.c sees to that. Of a long way a half or a quarter is taken,
 * from or to the rotation in its middle.
 */
#include "kernel/ops.h"
#include "simd/lane_rows.h"

/* both polynomials side by side: each is a chain of dependent steps */
LANE_INLINE void slerp_weights(const kernel_slerp *slerp, lane x, lane *leave, lane *arrive)
{
    lane a = lane_set(slerp->leave[slerp->terms]), b = lane_set(slerp->arrive[slerp->terms]);
    for (int i = slerp->terms - 1; i >= 0; i--) {
        a = a * x + lane_set(slerp->leave[i]);
        b = b * x + lane_set(slerp->arrive[i]);
    }
    *leave = a;
    *arrive = b;
}

/* the rotation half-way between two whose product is at least 0 */
LANE_INLINE lane_four slerp_middle(lane_four p, lane_four q)
{
    lane_four m = {p.a + q.a, p.b + q.b, p.c + q.c, p.d + q.d};
    lane scale = lane_set(1) / lane_sqrt(m.a * m.a + m.b * m.b + m.c * m.c + m.d * m.d);
    return (lane_four){m.a * scale, m.b * scale, m.c * scale, m.d * scale};
}

static void slerp_balls(const kernel_slerp *slerp, const double *a, const double *b, double *to)
{
    for (int i = 0; i < slerp->count; i += LANE_WIDTH) {
        int count = slerp->count - i < LANE_WIDTH ? slerp->count - i : LANE_WIDTH;
        const real *from[LANE_WIDTH], *next[LANE_WIDTH];
        real *out[LANE_WIDTH];
        // lanes beyond the last repeat the first
        for (int l = 0; l < LANE_WIDTH; l++) {
            int place = slerp->places[l < count ? i + l : i];
            from[l] = a + place;
            next[l] = b + place;
            out[l] = to + place;
        }
        lane_four p = lane_load_rows(from, 0), q = lane_load_rows(next, 0);
        lane dot = p.a * q.a + p.b * q.b + p.c * q.c + p.d * q.d;

        // of q and -q the nearer one
        lane_mask far = lane_lt(dot, lane_set(0));
        dot = lane_select(far, -dot, dot);
        q = (lane_four){lane_select(far, -q.a, q.a), lane_select(far, -q.b, q.b),
                        lane_select(far, -q.c, q.c), lane_select(far, -q.d, q.d)};
        for (int k = 0; k < slerp->halvings; k++) {
            lane_four middle = slerp_middle(p, q);
            if (slerp->upper[k])
                p = middle;
            else
                q = middle;
            dot = p.a * q.a + p.b * q.b + p.c * q.c + p.d * q.d;
        }
        lane leave, arrive;
        slerp_weights(slerp, dot - lane_set(1), &leave, &arrive);
        const lane_four r = {leave * p.a + arrive * q.a, leave * p.b + arrive * q.b,
                             leave * p.c + arrive * q.c, leave * p.d + arrive * q.d};
        lane_store_each(out, count, &r, 1);
    }
}
