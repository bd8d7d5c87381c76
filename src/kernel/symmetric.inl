/*
 * symmetric.inl - small symmetric positive definite systems, one per lane.
 *
 * The normal equations of one task are three or six wide and stay in registers as blocks of three.
 * Those of any other size are a matrix in memory. All are solved by L D L^T (Golub & Van
 * Loan, 4.1), the small ones with blocks as pivots. Pivots are kept above the rounding errors of
 * the sums that made them, so that a singular system has a bounded solution.
 */
#ifndef KERNEL_SYMMETRIC_INL
#define KERNEL_SYMMETRIC_INL

#include "kernel/pose.inl"

/* the sum of products of two columns of `rows` rows */
LANE_INLINE lane column_dot(const lane *a, const lane *b, int rows)
{
    if (rows == 6)
        return (a[0] * b[0] + a[3] * b[3]) + (a[1] * b[1] + a[4] * b[4]) +
               (a[2] * b[2] + a[5] * b[5]);
    lane sum = a[0] * b[0];
    for (int r = 1; r < rows; r++)
        sum += a[r] * b[r];
    return sum;
}

/* ---- three by three ------------------------------------------------------- */

/* by columns */
typedef struct mat3 {
    v3 x, y, z;
} mat3;

LANE_INLINE v3 mat3_times(const mat3 *m, v3 a)
{
    return v3_add_scaled(v3_add_scaled(v3_scale(m->x, a.x), m->y, a.y), m->z, a.z);
}

/* m^T a */
LANE_INLINE v3 mat3_transposed_times(const mat3 *m, v3 a)
{
    return (v3){v3_dot(m->x, a), v3_dot(m->y, a), v3_dot(m->z, a)};
}

/* a - b * s */
LANE_INLINE v3 v3_sub_scaled(v3 a, v3 b, lane s)
{
    return (v3){a.x - b.x * s, a.y - b.y * s, a.z - b.z * s};
}

/* An inverse in two parts, so that products with the adjugate need not wait for the division. */
typedef struct pivot3 {
    mat3 adjugate;
    lane inverse;    /* of the determinant */
    lane_mask sound; /* well conditioned */
} pivot3;

/* a determinant above this share of the diagonal's product loses few digits */
#define SOUND_SHARE 1e-4

/* of a symmetric matrix without eigenvalues below `least`: columns are cross products (Cramer) */
LANE_INLINE pivot3 mat3_invert(const mat3 *s, lane least)
{
    const mat3 a = {v3_cross(s->y, s->z), v3_cross(s->z, s->x), v3_cross(s->x, s->y)};
    lane determinant = v3_dot(s->x, a.x), diagonal = s->x.x * s->y.y * s->z.z;
    // no minor is larger than the product of the two largest eigenvalues: this only catches
    // rounding
    lane minor = lane_max(lane_max(a.x.x, a.y.y), lane_max(a.z.z, least * least));
    lane enough = minor * least;
    lane_mask sound = lane_ge(determinant, diagonal * SOUND_SHARE);
    return (pivot3){a, 1 / lane_max(determinant, enough), sound};
}

LANE_INLINE v3 pivot_solve(const pivot3 *p, v3 b)
{
    return v3_scale(mat3_times(&p->adjugate, b), p->inverse);
}

/* ---- six by six, or its first half ---------------------------------------- */

/* a sum of products a b^T by columns; of symmetric sums the lower half is read */
typedef struct outer {
    triple x, y, z;
} outer;

LANE_INLINE outer outer_start(void)
{
    const lane zero = lane_set(0);
    const triple none = triple_make(zero, zero, zero);
    return (outer){none, none, none};
}

LANE_INLINE void outer_add(outer *o, triple a, triple b)
{
    o->x = triple_add(o->x, triple_by_x(a, b));
    o->y = triple_add(o->y, triple_by_y(a, b));
    o->z = triple_add(o->z, triple_by_z(a, b));
}

LANE_INLINE mat3 outer_get(const outer *o)
{
    mat3 m;
    triple_store(&m.x, o->x);
    triple_store(&m.y, o->y);
    triple_store(&m.z, o->z);
    return m;
}

/* a symmetric sum with lambda^2 added to its diagonal */
LANE_INLINE mat3 outer_damped(const outer *o, lane lambda)
{
    const mat3 m = outer_get(o);
    return (mat3){{m.x.x + lambda, m.x.y, m.x.z},
                  {m.x.y, m.y.y + lambda, m.y.z},
                  {m.x.z, m.y.z, m.z.z + lambda}};
}

/* J J^T, of columns (u, v): by blocks of three rows */
typedef struct normal {
    outer uu, vu, vv;
} normal;

LANE_INLINE normal normal_start(void)
{
    return (normal){outer_start(), outer_start(), outer_start()};
}

/* adds the product of the column (u, v) with itself; rows is 3 (u only) or 6 and a constant */
LANE_INLINE void normal_add(normal *n, triple u, triple v, int rows)
{
    outer_add(&n->uu, u, u);
    if (rows == 6) {
        outer_add(&n->vu, v, u);
        outer_add(&n->vv, v, v);
    }
}

/* of nv columns; the sums stay in registers because nothing else is done meanwhile */
LANE_INLINE normal normal_of(const lane *jacobian, int nv, int rows)
{
    normal a = normal_start();
    for (const lane *column = jacobian; column != jacobian + nv * rows; column += rows) {
        const v3 u = rows_get(column), v = rows_get(column + (rows == 6 ? 3 : 0));
        normal_add(&a, triple_load(&u), triple_load(&v), rows);
    }
    return a;
}

/* The system with the first three rows eliminated. */
typedef struct reduced {
    pivot3 first, second;
    mat3 across, down; /* the block below the first, and times the first's adjugate */
} reduced;

LANE_INLINE reduced normal_reduce(const normal *n, lane lambda, lane least)
{
    const mat3 uu = outer_damped(&n->uu, lambda), vv = outer_damped(&n->vv, lambda);
    reduced r = {.first = mat3_invert(&uu, least), .across = outer_get(&n->vu)};
    const mat3 *c = &r.across, *p = &r.first.adjugate;
    lane t = r.first.inverse;
    r.down = (mat3){mat3_times(c, p->x), mat3_times(c, p->y), mat3_times(c, p->z)};
    // vv - down across^T t, which is symmetric
    const v3 rows[3] = {
        {c->x.x, c->y.x, c->z.x}, {c->x.y, c->y.y, c->z.y}, {c->x.z, c->y.z, c->z.z}};
    const v3 x = v3_sub_scaled(vv.x, mat3_times(&r.down, rows[0]), t);
    const v3 y = v3_sub_scaled(vv.y, mat3_times(&r.down, rows[1]), t);
    const v3 z = v3_sub_scaled(vv.z, mat3_times(&r.down, rows[2]), t);
    const mat3 rest = {x, {x.y, y.y, y.z}, {x.z, y.z, z.z}};
    r.second = mat3_invert(&rest, least);
    return r;
}

/*
 * Solves (n + damping2 1) (x, y) = (e, f), with damping2 at least `least`, so that a singular
 * system has a bounded solution. The first block of three rows is eliminated at once, which is as
 * accurate as row by row (a pivot is a determinant instead) with a third of the dependent
 * divisions. Returns where no pivot was poor, so that the solution is accurate to rounding errors.
 */
LANE_INLINE lane_mask normal_solve(const normal *n, lane lambda, lane least, v3 e, v3 f, v3 *x,
                                   v3 *y, int rows)
{
    lambda = lane_max(lambda, least);
    if (rows == 3) {
        const mat3 uu = outer_damped(&n->uu, lambda);
        const pivot3 p = mat3_invert(&uu, least);
        *x = pivot_solve(&p, e);
        *y = e;
        return p.sound;
    }
    const reduced r = normal_reduce(n, lambda, least);
    *y = pivot_solve(&r.second, v3_sub_scaled(f, mat3_times(&r.down, e), r.first.inverse));
    *x = pivot_solve(&r.first, v3_sub(e, mat3_transposed_times(&r.across, *y)));
    return mask_and(r.first.sound, r.second.sound);
}

/* the determinant of n without damping */
LANE_INLINE lane normal_determinant(const normal *n, int rows)
{
    const lane least = lane_set(1e-100);
    const mat3 uu = outer_damped(&n->uu, lane_set(0));
    if (rows == 3)
        return v3_dot(uu.x, v3_cross(uu.y, uu.z));
    const reduced r = normal_reduce(n, lane_set(0), least);
    return 1 / (r.first.inverse * r.second.inverse);
}

/* ---- any size ------------------------------------------------------------- */

/* the lower half of J J^T + damping2 1, rows x rows */
static void matrix_make(lane *a, const lane *jacobian, int nv, lane lambda, int rows)
{
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < i; j++)
            a[i * rows + j] = lane_set(0);
        a[i * rows + i] = lambda;
    }
    for (int v = 0; v < nv; v++) {
        const lane *column = jacobian + v * rows;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j <= i; j++)
                a[i * rows + j] += column[i] * column[j];
    }
}

/* solves a x = b in place, no pivot below `least`; a is the lower half, x has b on entry */
static void matrix_solve(lane *a, lane least, lane *x, int n)
{
    for (int j = 0; j < n; j++) {
        // column j becomes the pivot and L's column; x is updated along
        lane inverse = 1 / lane_max(a[j * n + j], least);
        for (int i = j + 1; i < n; i++) {
            lane factor = a[i * n + j] * inverse;
            for (int k = j + 1; k <= i; k++)
                a[i * n + k] -= factor * a[k * n + j];
            x[i] -= factor * x[j];
        }
        for (int i = j + 1; i < n; i++)
            a[i * n + j] = a[i * n + j] * inverse;
        x[j] = x[j] * inverse;
    }
    for (int i = n - 1; i >= 0; i--)
        for (int k = i + 1; k < n; k++)
            x[i] -= a[k * n + i] * x[k];
}

#endif
