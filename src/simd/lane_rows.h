/*
 * lane_rows.h - loads rows in memory into lanes, transposed, and stores lanes into rows.
 *
 * Each problem has a row of numbers; rows are anywhere, or `stride` numbers apart. Four numbers of
 * every row become four lanes, or four lanes become four numbers of every row.
 */
#ifndef LIMBER_LANE_ROWS_H
#define LIMBER_LANE_ROWS_H

#include "simd/lane.h"

/* the i-th number of every row */
LANE_INLINE lane lane_pick(const real *const *rows, size_t i)
{
#if LANE_WIDTH == 1
    return rows[0][i];
#elif LANE_WIDTH == 2
    return (lane){rows[0][i], rows[1][i]};
#elif LANE_WIDTH == 4
    return (lane){rows[0][i], rows[1][i], rows[2][i], rows[3][i]};
#elif LANE_WIDTH == 8
    return (lane){rows[0][i], rows[1][i], rows[2][i], rows[3][i],
                  rows[4][i], rows[5][i], rows[6][i], rows[7][i]};
#else
    real numbers[LANE_WIDTH];
    for (int l = 0; l < LANE_WIDTH; l++)
        numbers[l] = rows[l][i];
    return lane_load(numbers);
#endif
}

/* a row for every lane: lanes beyond the last repeat the first */
LANE_INLINE void lane_fill_rows(const real *rows[], const real *const *from, int count)
{
    for (int l = 0; l < LANE_WIDTH; l++)
        rows[l] = from[l < count ? l : 0];
}

/* the i-th number of the first `count` rows */
LANE_INLINE void lane_place(real *const *rows, size_t i, lane x, int count)
{
#pragma GCC unroll 16
    for (int l = 0; l < LANE_WIDTH; l++)
        if (l < count)
            rows[l][i] = lane_get(&x, l);
}

typedef struct lane_four {
    lane a, b, c, d;
} lane_four;

/*
 * For each machine: four columns of all rows, from the at-th on, of rows that are anywhere
 * (lane_load_rows), the inverse (four_turned), and the i-th row of its result (row_store); i is a
 * constant.
 */
#if LANE_MASK_REGISTER && LANE_FLOAT

/* within each quarter: four columns of four rows, which is its own inverse */
LANE_INLINE lane_four four_turned(__m512 a, __m512 b, __m512 c, __m512 d)
{
    __m512 low = _mm512_unpacklo_ps(a, b), high = _mm512_unpackhi_ps(a, b);
    __m512 low2 = _mm512_unpacklo_ps(c, d), high2 = _mm512_unpackhi_ps(c, d);
    return (lane_four){_mm512_shuffle_ps(low, low2, 0x44), _mm512_shuffle_ps(low, low2, 0xee),
                       _mm512_shuffle_ps(high, high2, 0x44), _mm512_shuffle_ps(high, high2, 0xee)};
}

/* rows r, r + 4, r + 8 and r + 12 in a register */
LANE_INLINE __m512 four_rows(const float *const *rows, size_t at)
{
    __m512 four = _mm512_castps128_ps512(_mm_loadu_ps(rows[0] + at));
    four = _mm512_insertf32x4(four, _mm_loadu_ps(rows[4] + at), 1);
    four = _mm512_insertf32x4(four, _mm_loadu_ps(rows[8] + at), 2);
    return _mm512_insertf32x4(four, _mm_loadu_ps(rows[12] + at), 3);
}

LANE_INLINE lane_four lane_load_rows(const float *const *rows, size_t at)
{
    return four_turned(four_rows(rows, at), four_rows(rows + 1, at), four_rows(rows + 2, at),
                       four_rows(rows + 3, at));
}

LANE_INLINE void row_store(float *to, const lane_four *x, int i)
{
    __m512 rows = i % 4 == 0 ? x->a : i % 4 == 1 ? x->b : i % 4 == 2 ? x->c : x->d;
    if (i / 4 == 0)
        _mm_storeu_ps(to, _mm512_castps512_ps128(rows));
    else if (i / 4 == 1)
        _mm_storeu_ps(to, _mm512_extractf32x4_ps(rows, 1));
    else if (i / 4 == 2)
        _mm_storeu_ps(to, _mm512_extractf32x4_ps(rows, 2));
    else
        _mm_storeu_ps(to, _mm512_extractf32x4_ps(rows, 3));
}

/* a whole line of the cache, or past the caches straight into memory */
LANE_INLINE void line_store(float *to, __m512 line, bool stream)
{
    if (stream)
        _mm512_stream_ps(to, line);
    else
        _mm512_storeu_ps(to, line);
}

/* the quarters of four registers, turned: the first ones, the second ones... its own inverse */
LANE_INLINE lane_four quarters_turned(__m512 a, __m512 b, __m512 c, __m512 d)
{
    __m512 ab = _mm512_shuffle_f32x4(a, b, 0x44), cd = _mm512_shuffle_f32x4(c, d, 0x44);
    __m512 ab2 = _mm512_shuffle_f32x4(a, b, 0xee), cd2 = _mm512_shuffle_f32x4(c, d, 0xee);
    return (lane_four){_mm512_shuffle_f32x4(ab, cd, 0x88), _mm512_shuffle_f32x4(ab, cd, 0xdd),
                       _mm512_shuffle_f32x4(ab2, cd2, 0x88), _mm512_shuffle_f32x4(ab2, cd2, 0xdd)};
}

/* sixteen numbers of rows r, r + 4, r + 8 and r + 12, from their parts in four registers */
LANE_INLINE void four_store_whole(float *to, size_t stride, bool stream, __m512 a, __m512 b,
                                  __m512 c, __m512 d)
{
    const lane_four rows = quarters_turned(a, b, c, d);
    line_store(to, rows.a, stream);
    line_store(to + 4 * stride, rows.b, stream);
    line_store(to + 8 * stride, rows.c, stream);
    line_store(to + 12 * stride, rows.d, stream);
}

/* rows r, r + 4, r + 8 and r + 12 of sixteen numbers: four numbers of each in a register */
LANE_INLINE lane_four four_load_whole(const float *from, size_t stride)
{
    return quarters_turned(lane_load(from), lane_load(from + 4 * stride),
                           lane_load(from + 8 * stride), lane_load(from + 12 * stride));
}

/* sixteen numbers of every row */
LANE_INLINE void rows_load_whole(const float *from, size_t stride, lane to[16])
{
    const lane_four r = four_load_whole(from, stride), s = four_load_whole(from + stride, stride);
    const lane_four t = four_load_whole(from + 2 * stride, stride);
    const lane_four u = four_load_whole(from + 3 * stride, stride);
    const lane_four turned[4] = {four_turned(r.a, s.a, t.a, u.a), four_turned(r.b, s.b, t.b, u.b),
                                 four_turned(r.c, s.c, t.c, u.c), four_turned(r.d, s.d, t.d, u.d)};
    for (int k = 0; k < 4; k++) {
        to[4 * k] = turned[k].a;
        to[4 * k + 1] = turned[k].b;
        to[4 * k + 2] = turned[k].c;
        to[4 * k + 3] = turned[k].d;
    }
}

#define LANE_WHOLE_ROWS 1
LANE_INLINE void rows_store_whole(float *to, size_t stride, const lane_four x[4], bool stream)
{
    four_store_whole(to, stride, stream, x[0].a, x[1].a, x[2].a, x[3].a);
    four_store_whole(to + stride, stride, stream, x[0].b, x[1].b, x[2].b, x[3].b);
    four_store_whole(to + 2 * stride, stride, stream, x[0].c, x[1].c, x[2].c, x[3].c);
    four_store_whole(to + 3 * stride, stride, stream, x[0].d, x[1].d, x[2].d, x[3].d);
}

/* what was streamed is seen by other threads as all else is */
LANE_INLINE void rows_stream_end(void)
{
    _mm_sfence();
}

#elif LANE_MASK_REGISTER

/* rows r and r + 2 in a register */
LANE_INLINE __m512d two_rows(const double *const *rows, size_t at)
{
    __m512d two = _mm512_castpd256_pd512(_mm256_loadu_pd(rows[0] + at));
    return _mm512_insertf64x4(two, _mm256_loadu_pd(rows[2] + at), 1);
}

LANE_INLINE lane_four lane_load_rows(const double *const *rows, size_t at)
{
    __m512d r02 = two_rows(rows, at), r13 = two_rows(rows + 1, at);
    __m512d r46 = two_rows(rows + 4, at), r57 = two_rows(rows + 5, at);
    __m512d even = _mm512_unpacklo_pd(r02, r13), odd = _mm512_unpackhi_pd(r02, r13);
    __m512d even2 = _mm512_unpacklo_pd(r46, r57), odd2 = _mm512_unpackhi_pd(r46, r57);
    return (lane_four){
        _mm512_shuffle_f64x2(even, even2, 0x88), _mm512_shuffle_f64x2(odd, odd2, 0x88),
        _mm512_shuffle_f64x2(even, even2, 0xdd), _mm512_shuffle_f64x2(odd, odd2, 0xdd)};
}

/* rows 0 and 2, 1 and 3, 4 and 6, 5 and 7 */
LANE_INLINE lane_four four_turned(__m512d a, __m512d b, __m512d c, __m512d d)
{
    const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    __m512d even = _mm512_unpacklo_pd(a, b), odd = _mm512_unpackhi_pd(a, b);
    __m512d even2 = _mm512_unpacklo_pd(c, d), odd2 = _mm512_unpackhi_pd(c, d);
    return (lane_four){
        _mm512_permutex2var_pd(even, low, even2), _mm512_permutex2var_pd(odd, low, odd2),
        _mm512_permutex2var_pd(even, high, even2), _mm512_permutex2var_pd(odd, high, odd2)};
}

LANE_INLINE void row_store(double *to, const lane_four *x, int i)
{
    __m512d front = i % 2 == 0 ? x->a : x->b, back = i % 2 == 0 ? x->c : x->d;
    __m512d rows = i < 4 ? front : back;
    if (i % 4 < 2)
        _mm256_storeu_pd(to, _mm512_castpd512_pd256(rows));
    else
        _mm256_storeu_pd(to, _mm512_extractf64x4_pd(rows, 1));
}

#elif LANE_AVX && LANE_WIDTH == 8 && LANE_FLOAT

/* within each half: four columns of four rows, which is its own inverse */
LANE_INLINE lane_four four_turned(__m256 a, __m256 b, __m256 c, __m256 d)
{
    __m256 low = _mm256_unpacklo_ps(a, b), high = _mm256_unpackhi_ps(a, b);
    __m256 low2 = _mm256_unpacklo_ps(c, d), high2 = _mm256_unpackhi_ps(c, d);
    return (lane_four){_mm256_shuffle_ps(low, low2, 0x44), _mm256_shuffle_ps(low, low2, 0xee),
                       _mm256_shuffle_ps(high, high2, 0x44), _mm256_shuffle_ps(high, high2, 0xee)};
}

/* rows r and r + 4 in a register */
LANE_INLINE __m256 two_rows(const float *const *rows, size_t at)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows[0] + at)),
                                _mm_loadu_ps(rows[4] + at), 1);
}

LANE_INLINE lane_four lane_load_rows(const float *const *rows, size_t at)
{
    return four_turned(two_rows(rows, at), two_rows(rows + 1, at), two_rows(rows + 2, at),
                       two_rows(rows + 3, at));
}

LANE_INLINE void row_store(float *to, const lane_four *x, int i)
{
    __m256 rows = i % 4 == 0 ? x->a : i % 4 == 1 ? x->b : i % 4 == 2 ? x->c : x->d;
    if (i < 4)
        _mm_storeu_ps(to, _mm256_castps256_ps128(rows));
    else
        _mm_storeu_ps(to, _mm256_extractf128_ps(rows, 1));
}

#elif LANE_AVX && LANE_WIDTH == 4 && !LANE_FLOAT

/* four columns of four rows, which is its own inverse */
LANE_INLINE lane_four four_turned(__m256d a, __m256d b, __m256d c, __m256d d)
{
    __m256d even = _mm256_unpacklo_pd(a, b), odd = _mm256_unpackhi_pd(a, b);
    __m256d even2 = _mm256_unpacklo_pd(c, d), odd2 = _mm256_unpackhi_pd(c, d);
    return (lane_four){
        _mm256_permute2f128_pd(even, even2, 0x20), _mm256_permute2f128_pd(odd, odd2, 0x20),
        _mm256_permute2f128_pd(even, even2, 0x31), _mm256_permute2f128_pd(odd, odd2, 0x31)};
}

LANE_INLINE lane_four lane_load_rows(const double *const *rows, size_t at)
{
    return four_turned(_mm256_loadu_pd(rows[0] + at), _mm256_loadu_pd(rows[1] + at),
                       _mm256_loadu_pd(rows[2] + at), _mm256_loadu_pd(rows[3] + at));
}

LANE_INLINE void row_store(double *to, const lane_four *x, int i)
{
    lane_store(to, i == 0 ? x->a : i == 1 ? x->b : i == 2 ? x->c : x->d);
}

#elif defined(__SSE2__) && LANE_WIDTH == 4 && LANE_FLOAT

/* four columns of four rows, which is its own inverse */
LANE_INLINE lane_four four_turned(__m128 a, __m128 b, __m128 c, __m128 d)
{
    _MM_TRANSPOSE4_PS(a, b, c, d);
    return (lane_four){a, b, c, d};
}

LANE_INLINE lane_four lane_load_rows(const float *const *rows, size_t at)
{
    return four_turned(_mm_loadu_ps(rows[0] + at), _mm_loadu_ps(rows[1] + at),
                       _mm_loadu_ps(rows[2] + at), _mm_loadu_ps(rows[3] + at));
}

LANE_INLINE void row_store(float *to, const lane_four *x, int i)
{
    lane_store(to, i == 0 ? x->a : i == 1 ? x->b : i == 2 ? x->c : x->d);
}

#else

/* number by number */
LANE_INLINE lane_four lane_load_rows(const real *const *rows, size_t at)
{
    return (lane_four){lane_pick(rows, at), lane_pick(rows, at + 1), lane_pick(rows, at + 2),
                       lane_pick(rows, at + 3)};
}

LANE_INLINE lane_four four_turned(lane a, lane b, lane c, lane d)
{
    return (lane_four){a, b, c, d};
}

LANE_INLINE void row_store(real *to, const lane_four *x, int i)
{
    real columns[4][LANE_WIDTH];
    lane_store(columns[0], x->a);
    lane_store(columns[1], x->b);
    lane_store(columns[2], x->c);
    lane_store(columns[3], x->d);
    for (int k = 0; k < 4; k++)
        to[k] = columns[k][i];
}

#endif

/* pointers to rows that are `stride` numbers apart */
LANE_INLINE void rows_apart(const real *rows[], const real *from, size_t stride)
{
#pragma GCC unroll 16
    for (size_t i = 0; i < LANE_WIDTH; i++)
        rows[i] = from + i * stride;
}

/* where a register holds sixteen numbers, a row of sixteen is loaded and stored at once */
#ifndef LANE_WHOLE_ROWS
#define LANE_WHOLE_ROWS 0
LANE_INLINE void rows_load_whole(const real *from, size_t stride, lane to[16])
{
    (void)from;
    (void)stride;
    (void)to;
}
LANE_INLINE void rows_store_whole(real *to, size_t stride, const lane_four x[4], bool stream)
{
    (void)to;
    (void)stride;
    (void)x;
    (void)stream;
}
LANE_INLINE void rows_stream_end(void)
{
}
#endif

/* the i-th row of several fours, side by side; returns the start of the next row */
LANE_INLINE real *row_store_all(real *to, size_t stride, const lane_four *x, int fours, int i)
{
    for (int k = 0; k < fours; k++)
        row_store(to + 4 * k, &x[k], i);
    return to + stride;
}

enum { LANE_MOST_FOURS = 4 };

/* whether rows of sixteen numbers can be streamed: each is a line of the cache, at its start */
LANE_INLINE bool rows_stream_fit(const real *to, size_t stride)
{
    return LANE_WHOLE_ROWS && ((uintptr_t)to | stride * sizeof *to) % 64 == 0;
}

/* four fours into sixteen numbers of every row; `stream`: where rows_stream_fit allows it */
LANE_INLINE void lane_store_lines(real *to, size_t stride, const lane_four x[4], bool stream)
{
    lane_four rows[4];
    for (int k = 0; k < 4; k++)
        rows[k] = four_turned(x[k].a, x[k].b, x[k].c, x[k].d);
    rows_store_whole(to, stride, rows, stream);
}

/* several fours into that many times four numbers of every row; `fours` is a constant */
LANE_INLINE void lane_store_rows(real *to, size_t stride, const lane_four *x, int fours)
{
    lane_four rows[LANE_MOST_FOURS];
    if (LANE_WHOLE_ROWS && fours == 4) {
        lane_store_lines(to, stride, x, false);
        return;
    }
    for (int k = 0; k < fours; k++)
        rows[k] = four_turned(x[k].a, x[k].b, x[k].c, x[k].d);
        // row after row, so that one pointer suffices
#pragma GCC unroll 16
    for (int i = 0; i < LANE_WIDTH; i++)
        to = row_store_all(to, stride, rows, fours, i);
}

/* the same into the first `count` rows, which may be anywhere */
LANE_INLINE void lane_store_each(real *const *to, int count, const lane_four *x, int fours)
{
    lane_four rows[LANE_MOST_FOURS];
    for (int k = 0; k < fours; k++)
        rows[k] = four_turned(x[k].a, x[k].b, x[k].c, x[k].d);
#pragma GCC unroll 16
    for (int i = 0; i < LANE_WIDTH; i++)
        if (i < count)
            row_store_all(to[i], 0, rows, fours, i);
}

/* transforms: twelve numbers of every row, from the at-th on */
LANE_INLINE frame frame_load(const real *const *rows, size_t at)
{
    lane_four a = lane_load_rows(rows, at), b = lane_load_rows(rows, at + 4);
    lane_four c = lane_load_rows(rows, at + 8);
    return (frame){{a.a, a.b, a.c}, {a.d, b.a, b.b}, {b.c, b.d, c.a}, {c.b, c.c, c.d}};
}

LANE_INLINE void frame_store(real *const *to, int count, const frame *f)
{
    const lane_four numbers[3] = {{f->x.x, f->x.y, f->x.z, f->y.x},
                                  {f->y.y, f->y.z, f->z.x, f->z.y},
                                  {f->z.z, f->p.x, f->p.y, f->p.z}};
    lane_store_each(to, count, numbers, 3);
}

#endif
