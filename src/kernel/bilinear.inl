/*
 * bilinear.inl - the equations of kernel_bilinear in lanes, for track.inl.
 */
#ifndef KERNEL_BILINEAR_INL
#define KERNEL_BILINEAR_INL

LANE_SHARED void bilinear_at(const kernel_bilinear *s, const int n, track_lanes *w)
{
    for (int e = 0; e < 2 * n; e++)
        for (int i = 0; i <= n; i++)
            for (int j = 0; j <= n; j++) {
                kernel_complex from = s->start[e][i][j], by = s->rise[e][i][j];
                w->bilinear.form[e][i][j] =
                    (complex_lane){from.x + w->to * by.x, from.y + w->to * by.y};
            }
}

/* the equations' values at w->point, and on request their derivatives */
LANE_SHARED void bilinear_values(track_lanes *w, const int n, bool derive)
{
    const complex_lane *y = w->point, *z = w->point + n;
    for (int e = 0; e < 2 * n; e++) {
        for (int i = 0; i <= n; i++) {
            complex_lane row = w->bilinear.form[e][i][0];
            for (int j = 1; j <= n; j++)
                row = complex_gather(row, w->bilinear.form[e][i][j], z[j - 1]);
            w->f[e] = i == 0 ? row : complex_gather(w->f[e], row, y[i - 1]);
            if (derive && i > 0)
                w->lu[e][i - 1] = row;
        }
        for (int j = 1; derive && j <= n; j++) {
            complex_lane column = w->bilinear.form[e][0][j];
            for (int i = 1; i <= n; i++)
                column = complex_gather(column, w->bilinear.form[e][i][j], y[i - 1]);
            w->lu[e][n + j - 1] = column;
        }
    }
}

/* coefficient k of y_i z_j as far as coefficients up to `last` of both make it */
LANE_INLINE complex_lane bilinear_product(const track_lanes *w, const int n, int i, int j, int k,
                                          int last)
{
    complex_lane sum = complex_set(0, 0);
    for (int a = k - last; a <= last; a++)
        sum = complex_gather(sum, w->series[a][i - 1], w->series[k - a][n + j - 1]);
    return sum;
}

/* coefficient k - 1 of y_i z_j */
LANE_INLINE complex_lane bilinear_before(const track_lanes *w, const int n, int i, int j, int k)
{
    if (i > 0 && j > 0)
        return bilinear_product(w, n, i, j, k - 1, k - 1);
    return i > 0   ? w->series[k - 1][i - 1]
           : j > 0 ? w->series[k - 1][n + j - 1]
                   : complex_set(k == 1, 0);
}

/* what coefficients of the path before k make of the equations' coefficient k */
LANE_SHARED void bilinear_extend(const kernel_bilinear *s, const int n, track_lanes *w, const int k)
{
    for (int e = 0; e < 2 * n; e++)
        w->f[e] = complex_set(0, 0);
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++) {
            complex_lane before = bilinear_before(w, n, i, j, k), now = before;
            bool mixed = k > 1 && i > 0 && j > 0;
            if (mixed)
                now = bilinear_product(w, n, i, j, k, k - 1);
            for (int e = 0; e < 2 * n; e++) {
                kernel_complex by = s->rise[e][i][j];
                w->f[e] = complex_gather(w->f[e], complex_set(by.x, by.y), before);
                if (mixed)
                    w->f[e] = complex_gather(w->f[e], w->bilinear.form[e][i][j], now);
            }
        }
}

#endif
