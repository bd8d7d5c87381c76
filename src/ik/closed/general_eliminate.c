/*
 * general_eliminate.c - six equations in three angles, and the determinant they make.
 *
 * Source: Raghavan and Roth 1990, "Kinematic analysis of the 6R manipulator of general
 * geometry": the point p and direction l of a joint's axis give 14 equations linear in the
 * products of cosines and sines, through p, l, p.p, p.l, p x l and (p.p) l - 2 (p.l) p; eight
 * combinations of the other two angles are eliminated. Here p and l are joint 4's axis in
 * any frame, without Denavit-Hartenberg parameters. In the axes of joint 0 six of the features
 * do not hold its angle and the rest are turned by it in four pairs, so that what is left to
 * eliminate is a 6 x 2 real and a 4 x 3 complex matrix.
 */
#include "ik/closed/general_parts.h"

#include <string.h>

/* columns and equations below this share are lost in rounding: what is made of them is known to
   less than 1e-9 */
#define LEAST_INDEPENDENCE 1e-7

/* ---- elimination ---------------------------------------------------------- */

typedef struct complex_number {
    double re, im;
} complex_number;

/* a + s b c, of a sign s */
static complex_number complex_add_product(complex_number a, double s, complex_number b,
                                          complex_number c)
{
    return (complex_number){a.re + s * (b.re * c.re - b.im * c.im),
                            a.im + s * (b.re * c.im + b.im * c.re)};
}

/* m with sum m[k] columns[j][k] = 0 for three columns, unit: cofactors; returns their length as a
   share of what columns at right angles would give */
static double complex_null(const complex_number columns[3][4], complex_number m[4])
{
    static const int others[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    const complex_number zero = {0, 0};
    const complex_number *u = columns[0], *v = columns[1], *w = columns[2];
    double square = 0;
    for (int k = 0; k < 4; k++) {
        const int *o = others[k];
        const double sign = k % 2 ? -1 : 1;
        m[k] = zero;
        for (int i = 0; i < 3; i++) {
            const int a = o[(i + 1) % 3], b = o[(i + 2) % 3];
            complex_number minor = complex_add_product(zero, 1, v[a], w[b]);
            minor = complex_add_product(minor, -1, v[b], w[a]);
            m[k] = complex_add_product(m[k], sign, u[o[i]], minor);
        }
        square += m[k].re * m[k].re + m[k].im * m[k].im;
    }
    const double scale = square > 0 ? 1 / sqrt(square) : 0;
    for (int k = 0; k < 4; k++)
        m[k] = (complex_number){m[k].re * scale, m[k].im * scale};
    double most = 1;
    for (int i = 0; i < 3; i++) {
        double length = 0;
        for (int k = 0; k < 4; k++)
            length += columns[i][k].re * columns[i][k].re + columns[i][k].im * columns[i][k].im;
        most *= length;
    }
    return most > 0 ? sqrt(square / most) : 0;
}

/* v = v - 2 n (n . v) for a unit vector n */
static void reflect(const double n[6], double v[6])
{
    double along = 0;
    for (int i = 0; i < 6; i++)
        along += n[i] * v[i];
    for (int i = 0; i < 6; i++)
        v[i] -= 2 * along * n[i];
}

/* the unit normal of the mirror that takes v to the k-th axis, its first k numbers left */
static void make_mirror(const double v[6], int k, double n[6])
{
    double square = 0;
    for (int i = 0; i < 6; i++) {
        n[i] = i < k ? 0 : v[i];
        square += n[i] * n[i];
    }
    n[k] += copysign(sqrt(square), n[k]);
    square = 0;
    for (int i = k; i < 6; i++)
        square += n[i] * n[i];
    const double scale = square > 0 ? 1 / sqrt(square) : 0;
    for (int i = k; i < 6; i++)
        n[i] *= scale;
}

/* what is at right angles to two columns, and how they are solved for: Q R by two mirrors */
static void split_columns(double cosine[6], double sine[6], double solve[2][6],
                          double left[4][GENERAL_FEATURES])
{
    double first[6], second[6];
    make_mirror(cosine, 0, first);
    reflect(first, cosine);
    reflect(first, sine);
    make_mirror(sine, 1, second);
    reflect(second, sine);

    double rows[6][6] = {{0}};
    for (int i = 0; i < 6; i++) {
        rows[i][i] = 1;
        reflect(second, rows[i]);
        reflect(first, rows[i]);
    }
    // columns that are zero: whatever fits, the steps that follow find the angle
    const double a = cosine[0], b = sine[1];
    for (int i = 0; i < 6; i++) {
        solve[1][i] = b != 0 ? rows[1][i] / b : 0;
        solve[0][i] = a != 0 ? (rows[0][i] - sine[0] * solve[1][i]) / a : 0;
        for (int e = 0; e < 4; e++)
            left[e][i] = rows[2 + e][i];
    }
}

void general_line_features(lb_vec3 p, lb_vec3 l, double out[GENERAL_FEATURES])
{
    const double pp = lb_vec3_dot(p, p), pl = lb_vec3_dot(p, l);
    const lb_vec3 moment = lb_vec3_cross(p, l);
    const lb_vec3 bent = lb_vec3_sub(lb_vec3_scale(l, pp), lb_vec3_scale(p, 2 * pl));
    const double kept[6] = {p.z, l.z, pp, pl, moment.z, bent.z};
    const lb_vec3 turned[4] = {p, l, moment, bent};
    memcpy(out, kept, sizeof kept);
    for (int k = 0; k < 4; k++) {
        out[6 + 2 * k] = turned[k].x;
        out[7 + 2 * k] = turned[k].y;
    }
}

/* the target of an ordering's loop */
static lb_transform loop_target(const general_arm *general, const general_ordering *ordering,
                                const lb_transform *tip_in_base)
{
    lb_transform moved = lb_transform_multiply(tip_in_base, &general->tip_home);
    if (ordering->reversed)
        moved = lb_transform_inverse(&moved);
    moved = lb_transform_multiply(&moved, &ordering->base_loop);
    moved = lb_transform_between(&ordering->base_loop, &moved);
    moved.p = lb_vec3_scale(moved.p, 1 / general->size);
    return moved;
}

/* features of joint 4's axis as the target and joint 5 have it: of 1, cos and sin of its angle */
static void outer_features(const general_ordering *ordering, const lb_transform *target,
                           double parts[3][GENERAL_FEATURES])
{
    for (int i = 0; i < 3; i++)
        general_line_features(lb_transform_point(target, ordering->line_point[i]),
                              lb_transform_direction(target, ordering->line_along[i]), parts[i]);
    for (int k = 0; k < GENERAL_FEATURES; k++) {
        const double mean = 0.5 * (parts[0][k] + parts[1][k]);
        const double cosine = 0.5 * (parts[0][k] - parts[1][k]);
        parts[2][k] -= mean;
        parts[0][k] = mean;
        parts[1][k] = cosine;
    }
}

/* rows of equal length, so that no equation outweighs the others; returns the length before */
static double balance(double row[GENERAL_STRIDE])
{
    double square = 0;
    for (int t = 0; t < GENERAL_TERMS; t++)
        square += row[t] * row[t];
    const double length = sqrt(square), scale = square > 0 ? 1 / length : 0;
    for (int t = 0; t < GENERAL_TERMS; t++)
        row[t] *= scale;
    return length;
}

void general_eliminate(const general_arm *general, const kernel_general_ops *ops,
                       const general_ordering *ordering, const lb_transform *tip_in_base,
                       general_problem *problem)
{
    problem->loop = ordering->loop;
    problem->loop.target = loop_target(general, ordering, tip_in_base);
    double parts[3][GENERAL_FEATURES];
    outer_features(ordering, &problem->loop.target, parts);

    kernel_elimination *e = &problem->elimination;
    e->across = ordering->across;
    complex_number columns[3][4], m[4];
    double(*const pairs[3])[2] = {e->u, e->v, e->w};
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 3; i++) {
            pairs[i][k][0] = parts[i][6 + 2 * k];
            pairs[i][k][1] = parts[i][7 + 2 * k];
            columns[i][k] = (complex_number){pairs[i][k][0], pairs[i][k][1]};
        }
    }
    problem->independence = complex_null((const complex_number(*)[4])columns, m);

    double combination[GENERAL_EQUATIONS][GENERAL_FEATURES] = {{0}};
    memcpy(e->constant, parts[0], sizeof e->constant);
    split_columns(parts[1], parts[2], e->solve, combination);
    for (int k = 0; k < 4; k++) {
        combination[4][6 + 2 * k] = m[k].re;
        combination[4][7 + 2 * k] = -m[k].im;
        combination[5][6 + 2 * k] = m[k].im;
        combination[5][7 + 2 * k] = m[k].re;
    }
    ops->combine(ordering->features, (const double(*)[GENERAL_FEATURES])combination,
                 problem->equations);
    for (int i = 0; i < GENERAL_EQUATIONS; i++) {
        for (int k = 0; k < 6 && i < 4; k++)
            problem->equations[i][0] -= combination[i][k] * e->constant[k];
        problem->independence = fmin(problem->independence, balance(problem->equations[i]));
    }
}

/* ---- the determinant ------------------------------------------------------ */

/* joint 2's angle by half angles, joint 3's cosine and sine as unknowns */
static void make_order_3(general_problem *problem)
{
    problem->resultant.order = 3;
    for (int m = 0; m < 3; m++)
        for (int r = 0; r < 6; r++)
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    problem->resultant.part[m][r][i][j] = problem->equations[r][9 * m + 3 * i + j];
}

/*
 * Both angles by half angles: the determinant above is zero everywhere where axes 0 and 5 meet
 * or are parallel, through cosines and sines of joint 3 whose squares do not add to one; this one
 * is not. Four equations, each times cos(z/2) and sin(z/2), suffice; the last two are mixed into
 * them.
 */
static void make_order_4(general_problem *problem)
{
    static const double mix[4][2] = {{0.6, 0.8}, {-0.8, 0.6}, {0.28, -0.96}, {0.96, 0.28}};
    problem->resultant.order = 4;
    for (int m = 0; m < 3; m++) {
        for (int r = 0; r < 4; r++) {
            for (int i = 0; i < 3; i++) {
                double g[3];
                for (int j = 0; j < 3; j++) {
                    const int t = 9 * m + 3 * i + j;
                    g[j] = problem->equations[r][t] + mix[r][0] * problem->equations[4][t] +
                           mix[r][1] * problem->equations[5][t];
                }
                const double a = 0.5 * g[1], b = 0.5 * g[2];
                const double first[4] = {g[0] + a, b, a, b}, second[4] = {b, g[0] - a, -b, a};
                memcpy(problem->resultant.part[m][2 * r][i], first, sizeof first);
                memcpy(problem->resultant.part[m][2 * r + 1][i], second, sizeof second);
            }
        }
    }
}

/* Fourier series of samples all round the circle, up to half their number */
static void transform(const double *values, const double *cosines, const double *sines, int count,
                      kernel_series *series)
{
    double even[GENERAL_MAX_SAMPLES / 2], odd[GENERAL_MAX_SAMPLES / 2];
    const int half = count / 2;
    for (int j = 1; j < half; j++) {
        even[j] = values[j] + values[count - j];
        odd[j] = values[j] - values[count - j];
    }
    for (int k = 0; k < half; k++) {
        double cosine = values[0] + (k % 2 ? -values[half] : values[half]), sine = 0;
        // the angle of sample j times k, without a division
        for (int j = 1, at = k; j < half; j++) {
            cosine += even[j] * cosines[at];
            sine += odd[j] * sines[at];
            at += k;
            at -= at >= count ? count : 0;
        }
        series->cosine[k] = cosine * (k ? 2.0 : 1.0) / count;
        series->sine[k] = sine * 2.0 / count;
    }
}

double general_fit(const double *values, const double *cosines, const double *sines, int count,
                   int harmonics, kernel_series *series, double *scale)
{
    transform(values, cosines, sines, count, series);

    // squares of harmonics: those that may be there, those that must not
    double greatest = 0, tail = 0;
    bool finite = true;
    for (int k = 0; k < count / 2; k++) {
        const double square =
            series->cosine[k] * series->cosine[k] + series->sine[k] * series->sine[k];
        finite = finite && isfinite(square);
        if (k <= harmonics)
            greatest = fmax(greatest, square);
        else
            tail = fmax(tail, square);
    }
    series->harmonics = harmonics;
    *scale = 1;
    if (!finite || !(greatest > 0))
        return 1;
    *scale = 1 / sqrt(greatest);
    for (int k = 0; k <= harmonics; k++) {
        series->cosine[k] *= *scale;
        series->sine[k] *= *scale;
    }
    return fmin(sqrt(tail) * *scale, 1);
}

double general_sample(const general_arm *general, const kernel_general_ops *ops, int order,
                      general_problem *problem)
{
    const bool three = order == 3;
    const int count = three ? GENERAL_SAMPLES_3 : GENERAL_SAMPLES_4;
    if (three)
        make_order_3(problem);
    else
        make_order_4(problem);
    // equations that are rounding alone, made as long as the others, are not the target's
    if (!(problem->independence > LEAST_INDEPENDENCE))
        return problem->noise = 1;
    const double *cosines = general->cosines[!three], *sines = general->sines[!three];
    double values[GENERAL_MAX_SAMPLES];
    ops->determinants(&problem->resultant, cosines, sines, count, values);
    problem->noise = general_fit(values, cosines, sines, count, three ? 8 : 12, &problem->series,
                                 &problem->scale);
    return problem->noise;
}
