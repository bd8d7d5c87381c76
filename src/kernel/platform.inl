/*
 * platform.inl - the equations of kernel_platform in lanes, for track.inl.
 */
#ifndef KERNEL_PLATFORM_INL
#define KERNEL_PLATFORM_INL

#include "kernel/track_lanes.inl"

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

LANE_INLINE complex_lane platform_dot(const complex_lane *a, const complex_lane *b)
{
    return platform_gather(complex_set(0, 0), a, b);
}

/* a parameter at `to` */
LANE_INLINE complex_lane platform_move(const track_lanes *w, kernel_complex from, kernel_complex by)
{
    return (complex_lane){from.x + w->to * by.x, from.y + w->to * by.y};
}

LANE_SHARED void platform_at(const kernel_platform *s, track_lanes *w)
{
    for (int l = 0; l < PLATFORM_LEGS; l++)
        for (int i = 0; i < 7; i++)
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

/* the equations' values at w->point, and on request their derivatives */
LANE_SHARED void platform_values(const kernel_platform *s, track_lanes *w, bool derive)
{
    const complex_lane *g = w->point + 3, zero = complex_set(0, 0);
    complex_lane e[4], by_e[4], u[4];
    platform_turn(s, w->point, 1, e);
    complex_lane ee = platform_dot(e, e), square = w->platform.square;
    for (int l = 0; l < PLATFORM_LEGS; l++) {
        const complex_lane *leg = w->platform.legs[l];
        complex_lane v[4] = {zero, zero, zero, zero};
        platform_add(leg, e, v);
        for (int i = 0; i < 4; i++)
            u[i] = complex_add(g[i], complex_scale(v[i], lane_set(0.5)));
        complex_lane half = complex_scale(leg[6], lane_set(-0.5));
        w->f[l] = platform_gather(complex_multiply(half, ee), u, v);
        if (!derive)
            continue;
        for (int i = 0; i < 4; i++) {
            u[i] = complex_add(g[i], v[i]);
            by_e[i] = complex_multiply(leg[6], e[i]);
            w->lu[l][3 + i] = v[i];
        }
        platform_add(leg, u, by_e);
        for (int i = 0; i < 4; i++)
            by_e[i] = (complex_lane){-by_e[i].re, -by_e[i].im};
        platform_chart(s, by_e, w->lu[l]);
    }
    complex_lane last = complex_sub(platform_dot(g, g), complex_multiply(square, ee));
    w->f[PLATFORM_LEGS] = platform_dot(e, g);
    w->f[PLATFORM_LEGS + 1] = complex_scale(last, lane_set(0.5));
    if (!derive)
        return;
    for (int i = 0; i < 4; i++) {
        w->lu[PLATFORM_LEGS][3 + i] = e[i];
        w->lu[PLATFORM_LEGS + 1][3 + i] = g[i];
        by_e[i] = complex_multiply(square, (complex_lane){-e[i].re, -e[i].im});
    }
    platform_chart(s, g, w->lu[PLATFORM_LEGS]);
    platform_chart(s, by_e, w->lu[PLATFORM_LEGS + 1]);
}

/* what coefficients of the path before k make of the equations' coefficient k */
LANE_SHARED void platform_extend(const kernel_platform *s, track_lanes *w, const int k)
{
    platform_lanes *p = &w->platform;
    const complex_lane zero = complex_set(0, 0);
    complex_lane mixed = zero, eg = zero, gg = zero;
    platform_turn(s, w->series[k - 1], k == 1, p->e[k - 1]);
    p->ee[k - 1] = zero;
    for (int i = 0; i < k; i++)
        p->ee[k - 1] = platform_gather(p->ee[k - 1], p->e[i], p->e[k - 1 - i]);
    for (int i = 1; i < k; i++) {
        mixed = platform_gather(mixed, p->e[i], p->e[k - i]);
        eg = platform_gather(eg, p->e[i], w->series[k - i] + 3);
        gg = platform_gather(gg, w->series[i] + 3, w->series[k - i] + 3);
    }
    for (int l = 0; l < PLATFORM_LEGS; l++) {
        complex_lane(*v)[4] = p->v[l], rise[7];
        for (int i = 0; i < 7; i++)
            rise[i] = complex_of(s->rise[l][i]);
        for (int i = 0; i < 4; i++) {
            v[0][i] = k == 1 ? zero : v[0][i];
            v[k][i] = zero;
        }
        platform_add(p->legs[l], p->e[k - 1], v[k - 1]);
        platform_add(rise, p->e[k - 1], v[k]);
        complex_lane sum =
            complex_gather(complex_multiply(p->legs[l][6], mixed), rise[6], p->ee[k - 1]);
        sum = complex_scale(sum, lane_set(-0.5));
        for (int i = 0; i <= k; i++)
            for (int c = 0; c < 4; c++) {
                complex_lane u = complex_scale(v[i][c], lane_set(0.5));
                u = i < k ? complex_add(u, w->series[i][3 + c]) : u;
                sum = complex_gather(sum, u, v[k - i][c]);
            }
        w->f[l] = sum;
    }
    complex_lane squares = complex_gather(complex_multiply(p->square, mixed),
                                          complex_of(s->rise_square), p->ee[k - 1]);
    w->f[PLATFORM_LEGS] = eg;
    w->f[PLATFORM_LEGS + 1] = complex_scale(complex_sub(gg, squares), lane_set(0.5));
}

#endif
