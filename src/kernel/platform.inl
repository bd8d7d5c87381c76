/*
 * platform.inl - the equations of kernel_platform in lanes, for track.inl.
 */
#ifndef KERNEL_PLATFORM_INL
#define KERNEL_PLATFORM_INL

LANE_INLINE complex_lane complex_of(kernel_complex z)
{
    return complex_set(z.x, z.y);
}

/* x + a . b, of four numbers each */
LANE_INLINE complex_lane platform_gather(complex_lane x, const complex_lane *a,
                                         const complex_lane *b)
{
    for (int i = 0; i < 4; i++)
        x = complex_gather(x, a[i], b[i]);
    return x;
}

/* a parameter at `to` */
LANE_INLINE complex_lane platform_move(const track_lanes *w, kernel_complex from, kernel_complex by)
{
    return (complex_lane){from.x + w->to * by.x, from.y + w->to * by.y};
}

LANE_SHARED void platform_at(const kernel_platform *s, track_lanes *w)
{
    for (int l = 0; l < PLATFORM_LEGS; l++)
        for (int i = 0; i < PLATFORM_TERMS; i++)
            w->platform.legs[l][i] = platform_move(w, s->start[l][i], s->rise[l][i]);
    w->platform.square = platform_move(w, s->start_square, s->rise_square);
}

/* out + v of a leg for e; v is antisymmetric: the derivative of v . u by e is minus that of u */
LANE_INLINE void platform_add(const complex_lane *leg, const complex_lane *e, complex_lane *out)
{
    const complex_lane *difference = leg, *sum = leg + 3;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        complex_lane minus = {-e[1 + i].re, -e[1 + i].im}, other = {-e[1 + k].re, -e[1 + k].im};
        out[0] = complex_gather(out[0], minus, difference[i]);
        out[1 + i] = complex_gather(out[1 + i], e[0], difference[i]);
        out[1 + i] = complex_gather(out[1 + i], e[1 + j], sum[k]);
        out[1 + i] = complex_gather(out[1 + i], other, sum[j]);
    }
}

/* e of the unknowns, or of one of their derivatives: without the constant */
LANE_INLINE void platform_turn(const kernel_platform *s, const complex_lane *x, double constant,
                               complex_lane *e)
{
    complex_lane sum = complex_set(-constant, 0);
    for (int i = 0; i < 3; i++) {
        e[1 + i] = x[i];
        sum = complex_gather(sum, complex_of(s->chart[i]), x[i]);
    }
    e[0] = (complex_lane){-sum.re, -sum.im};
}

/* derivatives by the unknowns e_1 e_2 e_3 of those by e */
LANE_INLINE void platform_chart(const kernel_platform *s, const complex_lane *by_e,
                                complex_lane *row)
{
    complex_lane minus = {-by_e[0].re, -by_e[0].im};
    for (int i = 0; i < 3; i++)
        row[i] = complex_gather(by_e[1 + i], complex_of(s->chart[i]), minus);
}

/* coefficient k of the path becomes known, by which each v has but what the rise makes of those
   before */
LANE_INLINE void platform_know(const kernel_platform *s, track_lanes *w, const int k,
                               const complex_lane *x)
{
    platform_lanes *p = &w->platform;
    platform_turn(s, x, k == 0, p->e[k]);
    memcpy(p->g[k], x + 3, sizeof p->g[k]);
    for (int l = 0; l < PLATFORM_LEGS; l++) {
        if (k == 0)
            memset(p->v[l][0], 0, sizeof p->v[l][0]);
        platform_add(p->legs[l], p->e[k], p->v[l][k]);
    }
}

/* coefficient k of the sum of products of two series, of which coefficient k is zero if k > 0 */
LANE_INLINE complex_lane platform_product(complex_lane (*a)[4], complex_lane (*b)[4], const int k)
{
    complex_lane sum = complex_set(0, 0);
    for (int i = k > 0; i < k || i == 0; i++)
        sum = platform_gather(sum, a[i], b[k - i]);
    return sum;
}

/* coefficient k of the equations, without what coefficient k of the path makes of it if k > 0 */
LANE_INLINE void platform_sum(const kernel_platform *s, track_lanes *w, const int k)
{
    platform_lanes *p = &w->platform;
    complex_lane ee = platform_product(p->e, p->e, k), squares[PLATFORM_LEGS + 1];
    for (int l = 0; l <= PLATFORM_LEGS; l++) {
        bool leg = l < PLATFORM_LEGS;
        squares[l] = complex_multiply(leg ? p->legs[l][6] : p->square, ee);
        if (k > 0)
            squares[l] =
                complex_gather(squares[l], complex_of(leg ? s->rise[l][6] : s->rise_square), p->ee);
    }
    for (int l = 0; l < PLATFORM_LEGS; l++) {
        w->f[l] = complex_scale(squares[l], lane_set(-0.5));
        for (int i = 0; i <= k; i++)
            for (int c = 0; c < 4; c++) {
                complex_lane u = complex_scale(p->v[l][i][c], lane_set(0.5));
                u = i < k || k == 0 ? complex_add(u, p->g[i][c]) : u;
                w->f[l] = complex_gather(w->f[l], u, p->v[l][k - i][c]);
            }
    }
    complex_lane last = complex_sub(platform_product(p->g, p->g, k), squares[PLATFORM_LEGS]);
    w->f[PLATFORM_LEGS] = complex_scale(last, lane_set(0.5));
    w->f[PLATFORM_LEGS + 1] = platform_product(p->e, p->g, k);
}

/* the equations' values at w->point, and on request their derivatives */
LANE_SHARED void platform_values(const kernel_platform *s, track_lanes *w, bool derive)
{
    const platform_lanes *p = &w->platform;
    const complex_lane *e = p->e[0], *g = p->g[0];
    platform_know(s, w, 0, w->point);
    platform_sum(s, w, 0);
    if (!derive)
        return;
    for (int l = 0; l <= PLATFORM_LEGS; l++) {
        // by e minus what stands here
        complex_lane by_e[4], u[4];
        for (int i = 0; i < 4; i++) {
            by_e[i] = complex_multiply(l < PLATFORM_LEGS ? p->legs[l][6] : p->square, e[i]);
            w->lu[l][3 + i] = l < PLATFORM_LEGS ? p->v[l][0][i] : g[i];
            u[i] = complex_add(g[i], w->lu[l][3 + i]);
        }
        if (l < PLATFORM_LEGS)
            platform_add(p->legs[l], u, by_e);
        for (int i = 0; i < 4; i++)
            by_e[i] = (complex_lane){-by_e[i].re, -by_e[i].im};
        platform_chart(s, by_e, w->lu[l]);
    }
    memcpy(w->lu[PLATFORM_LEGS + 1] + 3, e, sizeof p->e[0]);
    platform_chart(s, g, w->lu[PLATFORM_LEGS + 1]);
}

/* what coefficients of the path before k make of the equations' coefficient k */
LANE_SHARED void platform_extend(const kernel_platform *s, track_lanes *w, const int k)
{
    platform_lanes *p = &w->platform;
    platform_know(s, w, k - 1, w->series[k - 1]);
    p->ee = complex_set(0, 0);
    for (int i = 0; i < k; i++)
        p->ee = platform_gather(p->ee, p->e[i], p->e[k - 1 - i]);
    for (int l = 0; l < PLATFORM_LEGS; l++) {
        complex_lane rise[6];
        for (int i = 0; i < 6; i++)
            rise[i] = complex_of(s->rise[l][i]);
        memset(p->v[l][k], 0, sizeof p->v[l][k]);
        platform_add(rise, p->e[k - 1], p->v[l][k]);
    }
    platform_sum(s, w, k);
}

#endif
