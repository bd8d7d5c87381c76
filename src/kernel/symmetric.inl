/*
 * symmetric.inl - small symmetric positive systems, one per lane.
 *
 * The normal equations of one task are three or six wide; those stay in registers
 * as named blocks of two (arrays would live in memory). Any other size is a
 * matrix in memory. All are solved by L D L^T (Golub & Van Loan, 4.1), the small
 * ones with blocks for pivots. Pivots are held above the noise of the sums that
 * made them, so that a singular system gives a bounded answer instead of none.
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

/* ---- two by two ----------------------------------------------------------- */

typedef struct pair {
    lane x, y;
} pair;

typedef struct sym2 {
    lane xx, yx, yy;
} sym2;

/* rows x and y */
typedef struct mat2 {
    pair x, y;
} mat2;

LANE_INLINE lane pair_dot(pair a, pair b)
{
    return a.x * b.x + a.y * b.y;
}

LANE_INLINE pair pair_sub(pair a, pair b)
{
    return (pair){a.x - b.x, a.y - b.y};
}

LANE_INLINE pair pair_scale(pair a, lane s)
{
    return (pair){a.x * s, a.y * s};
}

/* a - b * s */
LANE_INLINE pair pair_sub_scaled(pair a, pair b, lane s)
{
    return (pair){a.x - b.x * s, a.y - b.y * s};
}

/* a + b * s */
LANE_INLINE pair pair_add_scaled(pair a, pair b, lane s)
{
    return (pair){a.x + b.x * s, a.y + b.y * s};
}

LANE_INLINE pair sym2_times(const sym2 *a, pair b)
{
    return (pair){a->xx * b.x + a->yx * b.y, a->yx * b.x + a->yy * b.y};
}

LANE_INLINE pair mat2_times(const mat2 *a, pair b)
{
    return (pair){pair_dot(a->x, b), pair_dot(a->y, b)};
}

/* a^T b */
LANE_INLINE pair mat2_transposed_times(const mat2 *a, pair b)
{
    return (pair){a->x.x * b.x + a->y.x * b.y, a->x.y * b.x + a->y.y * b.y};
}

/* a s for a symmetric s */
LANE_INLINE mat2 mat2_times_sym2(const mat2 *a, const sym2 *s)
{
    return (mat2){sym2_times(s, a->x), sym2_times(s, a->y)};
}

/* s - a b^T t, where that is symmetric */
LANE_INLINE sym2 sym2_reduce(const sym2 *s, const mat2 *a, const mat2 *b, lane t)
{
    return (sym2){s->xx - pair_dot(a->x, b->x) * t, s->yx - pair_dot(a->y, b->x) * t,
                  s->yy - pair_dot(a->y, b->y) * t};
}

/* c - a b^T t */
LANE_INLINE mat2 mat2_reduce(const mat2 *c, const mat2 *a, const mat2 *b, lane t)
{
    return (mat2){{c->x.x - pair_dot(a->x, b->x) * t, c->x.y - pair_dot(a->x, b->y) * t},
                  {c->y.x - pair_dot(a->y, b->x) * t, c->y.y - pair_dot(a->y, b->y) * t}};
}

LANE_INLINE lane sym2_determinant(const sym2 *s)
{
    return s->xx * s->yy - s->yx * s->yx;
}

/* An inverse in two parts, so that work with the first need not wait for the division. */
typedef struct pivot2 {
    sym2 adjugate;
    lane inverse;    /* of the determinant */
    lane_mask sound; /* well conditioned, and what `least` asked for left the determinant alone */
} pivot2;

/* a determinant above this share of the diagonal's product costs few places */
#define SOUND_SHARE 1e-3

/* with no pivot below `least` */
LANE_INLINE pivot2 sym2_invert(const sym2 *s, lane least)
{
    sym2 a = {lane_max(s->yy, least), -s->yx, lane_max(s->xx, least)};
    lane enough = least * lane_max(a.xx, a.yy), product = a.xx * a.yy;
    lane determinant = product - a.yx * a.yx;
    lane_mask sound = lane_ge(determinant, lane_max(enough, product * SOUND_SHARE));
    return (pivot2){a, 1 / lane_max(determinant, enough), sound};
}

LANE_INLINE pair pivot_solve(const pivot2 *p, pair b)
{
    return pair_scale(sym2_times(&p->adjugate, b), p->inverse);
}

/* ---- six by six, or its first half ---------------------------------------- */

/* the lower half by blocks of two rows: a; b of rows 2 and 3; c of rows 4 and 5 */
typedef struct normal6 {
    sym2 aa, bb, cc;
    mat2 ba, ca, cb;
} normal6;

LANE_INLINE normal6 normal_start(void)
{
    lane zero = lane_set(0);
    sym2 s = {zero, zero, zero};
    mat2 m = {{zero, zero}, {zero, zero}};
    return (normal6){s, s, s, m, m, m};
}

/* a += u u^T */
LANE_INLINE void sym2_add(sym2 *a, pair u)
{
    a->xx += u.x * u.x;
    a->yx += u.y * u.x;
    a->yy += u.y * u.y;
}

/* a += u v^T */
LANE_INLINE void mat2_add(mat2 *a, pair u, pair v)
{
    a->x = pair_add_scaled(a->x, v, u.x);
    a->y = pair_add_scaled(a->y, v, u.y);
}

/* adds the column (u, v) times itself; rows is 3 (u alone) or 6 and a constant */
LANE_INLINE void normal_add(normal6 *n, v3 u, v3 v, int rows)
{
    pair a = {u.x, u.y}, b = {u.z, v.x}, c = {v.y, v.z};
    sym2_add(&n->aa, a);
    if (rows == 6) {
        mat2_add(&n->ba, b, a);
        mat2_add(&n->ca, c, a);
        sym2_add(&n->bb, b);
        mat2_add(&n->cb, c, b);
        sym2_add(&n->cc, c);
    } else {
        n->ba.x = pair_add_scaled(n->ba.x, a, b.x);
        n->bb.xx += b.x * b.x;
    }
}

/* J J^T of nv columns; the sums stay in registers as long as nothing else is done meanwhile */
LANE_INLINE normal6 normal_of(const lane *jacobian, int nv, int rows)
{
    normal6 a = normal_start();
    for (const lane *column = jacobian; column != jacobian + nv * rows; column += rows)
        normal_add(&a, rows_get(column), rows_get(column + (rows == 6 ? 3 : 0)), rows);
    return a;
}

/* a sum of products a b^T by columns; of those that are symmetric the lower half is read */
typedef struct outer {
    triple x, y, z;
} outer;

LANE_INLINE void outer_add(outer *o, triple a, triple b)
{
    o->x = triple_add(o->x, triple_by_x(a, b));
    o->y = triple_add(o->y, triple_by_y(a, b));
    o->z = triple_add(o->z, triple_by_z(a, b));
}

LANE_INLINE outer outer_start(void)
{
    const lane zero = lane_set(0);
    const triple none = triple_make(zero, zero, zero);
    return (outer){none, none, none};
}

typedef struct columns3 {
    v3 x, y, z;
} columns3;

LANE_INLINE columns3 outer_columns(const outer *o)
{
    columns3 c;
    triple_store(&c.x, o->x);
    triple_store(&c.y, o->y);
    triple_store(&c.z, o->z);
    return c;
}

/* from u u^T, v u^T and v v^T */
LANE_INLINE normal6 normal_join(const outer *uu, const outer *vu, const outer *vv)
{
    const columns3 l = outer_columns(uu), c = outer_columns(vu), a = outer_columns(vv);
    return (normal6){
        .aa = {l.x.x, l.x.y, l.y.y},
        .bb = {l.z.z, c.z.x, a.x.x},
        .cc = {a.y.y, a.y.z, a.z.z},
        .ba = {{l.x.z, l.y.z}, {c.x.x, c.y.x}},
        .ca = {{c.x.y, c.y.y}, {c.x.z, c.y.z}},
        .cb = {{c.z.y, a.x.y}, {c.z.z, a.x.z}},
    };
}

/* s + lambda 1 */
LANE_INLINE sym2 sym2_damp(const sym2 *s, lane lambda)
{
    return (sym2){s->xx + lambda, s->yx, s->yy + lambda};
}

/*
 * Solves (n + lambda 1) (x, y) = (e, f), no pivot below `least`. Each block is taken out of
 * those below it, two rows at a time: as good as one by one (a pivot is a determinant instead),
 * with half as many divisions that wait for one another. Answers where no pivot was poor, so
 * that the solution is one to rounding errors and `least`.
 */
LANE_INLINE lane_mask normal_solve(const normal6 *n, lane lambda, lane least, v3 e, v3 f, v3 *x,
                                   v3 *y, int rows)
{
    sym2 aa = sym2_damp(&n->aa, lambda), bb = sym2_damp(&n->bb, lambda);
    sym2 cc = sym2_damp(&n->cc, lambda);
    // the row that three rows lack is that of one unknown alone
    if (rows == 3)
        bb.yy = bb.xx;
    pair ea = {e.x, e.y}, eb = {e.z, rows == 6 ? f.x : lane_set(0)}, ec = {f.y, f.z};

    // down: what a explains of b and c, then b of c
    pivot2 p = sym2_invert(&aa, least);
    mat2 u = mat2_times_sym2(&n->ba, &p.adjugate);
    bb = sym2_reduce(&bb, &u, &n->ba, p.inverse);
    eb = pair_sub_scaled(eb, mat2_times(&u, ea), p.inverse);
    pivot2 r = sym2_invert(&bb, least);
    lane_mask sound = mask_and(p.sound, r.sound);
    pair xb, xc;
    if (rows == 6) {
        mat2 v = mat2_times_sym2(&n->ca, &p.adjugate);
        mat2 cb = mat2_reduce(&n->cb, &v, &n->ba, p.inverse);
        cc = sym2_reduce(&cc, &v, &n->ca, p.inverse);
        ec = pair_sub_scaled(ec, mat2_times(&v, ea), p.inverse);
        mat2 w = mat2_times_sym2(&cb, &r.adjugate);
        cc = sym2_reduce(&cc, &w, &cb, r.inverse);
        ec = pair_sub_scaled(ec, mat2_times(&w, eb), r.inverse);
        pivot2 s = sym2_invert(&cc, least);
        sound = mask_and(sound, s.sound);
        // up again
        xc = pivot_solve(&s, ec);
        xb = pivot_solve(&r, pair_sub(eb, mat2_transposed_times(&cb, xc)));
        ea = pair_sub(ea, mat2_transposed_times(&n->ca, xc));
    } else {
        xc = (pair){lane_set(0), lane_set(0)};
        xb = pivot_solve(&r, eb);
    }
    pair xa = pivot_solve(&p, pair_sub(ea, mat2_transposed_times(&n->ba, xb)));
    *x = (v3){xa.x, xa.y, xb.x};
    *y = (v3){xb.y, xc.x, xc.y};
    return sound;
}

/* the determinant of n without damping */
LANE_INLINE lane normal_determinant(const normal6 *n, int rows)
{
    lane least = lane_set(1e-200);
    pivot2 p = sym2_invert(&n->aa, least);
    mat2 u = mat2_times_sym2(&n->ba, &p.adjugate);
    sym2 bb = sym2_reduce(&n->bb, &u, &n->ba, p.inverse);
    lane product = sym2_determinant(&n->aa);
    if (rows == 3)
        return product * bb.xx;
    mat2 v = mat2_times_sym2(&n->ca, &p.adjugate);
    mat2 cb = mat2_reduce(&n->cb, &v, &n->ba, p.inverse);
    sym2 cc = sym2_reduce(&n->cc, &v, &n->ca, p.inverse);
    pivot2 r = sym2_invert(&bb, least);
    mat2 w = mat2_times_sym2(&cb, &r.adjugate);
    cc = sym2_reduce(&cc, &w, &cb, r.inverse);
    return product * sym2_determinant(&bb) * sym2_determinant(&cc);
}

/* ---- any size ------------------------------------------------------------- */

/* the lower half of J J^T + lambda 1, rows x rows */
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
        // what is left of column j becomes the pivot and L's column; x follows along
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
