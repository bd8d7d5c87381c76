/* probe.inl - the operations of probe.h at LANE_WIDTH, as a probe called PROBE_NAME. */
#include "probe.h"
#include "simd/trig.inl"

/* arithmetic, rounding, signs */
static void probe_arithmetic(lane a, lane b, lane *out)
{
    out[PROBE_SUM] = a + b;
    out[PROBE_DIFFERENCE] = a - b;
    out[PROBE_PRODUCT] = a * b;
    out[PROBE_QUOTIENT] = a / b;
    out[PROBE_NEGATIVE] = -a;
    out[PROBE_WITH_PLAIN] = 3.0 * a + 0.1;
    out[PROBE_SET] = lane_set(-0.0);
    out[PROBE_SQRT] = lane_sqrt(a);
    out[PROBE_ABS] = lane_abs(a);
    out[PROBE_MIN] = lane_min(a, b);
    out[PROBE_MAX] = lane_max(a, b);
    out[PROBE_FLIP_SIGN] = lane_flip_sign(a, b);
    out[PROBE_COPYSIGN] = lane_copysign(a, b);
    out[PROBE_ROUND] = lane_round(lane_keep(lane_lt(lane_abs(a), lane_set(0x1p51)), a));
}

/* comparisons and masks, seen by what they select */
static void probe_masks(lane a, lane b, lane *out)
{
    lane_mask less = lane_lt(a, b), negative = lane_sign(a);
    out[PROBE_LT] = lane_select(less, a, b);
    out[PROBE_LE] = lane_select(lane_le(a, b), a, b);
    out[PROBE_GT] = lane_select(lane_gt(a, b), a, b);
    out[PROBE_GE] = lane_select(lane_ge(a, b), a, b);
    out[PROBE_EQ] = lane_select(lane_eq(a, b), a, b);
    out[PROBE_ODD] = lane_select(lane_int_odd(lane_bits(a)), a, b);
    out[PROBE_SIGN] = lane_select(negative, a, b);
    out[PROBE_KEEP] = lane_keep(less, a);
    out[PROBE_NOT] = lane_select(mask_not(less), a, b);
    out[PROBE_AND] = lane_select(mask_and(less, negative), a, b);
    out[PROBE_OR] = lane_select(mask_or(less, negative), a, b);
    out[PROBE_ANDNOT] = lane_select(mask_andnot(less, negative), a, b);
}

static void probe_numbers(const double *a, const double *b, double (*out)[PROBE_WIDEST])
{
    lane x = lane_load(a), y = lane_load(b), results[PROBE_COUNT];
    probe_arithmetic(x, y, results);
    probe_masks(x, y, results);
    lane_sincos(x, &results[PROBE_SINE], &results[PROBE_COSINE]);
    results[PROBE_ATAN2] = lane_atan2(x, y);
    results[PROBE_ACOS] = lane_acos(x);
    for (int i = 0; i < PROBE_COUNT; i++)
        lane_store(out[i], results[i]);
}

static probe_mask probe_bits(unsigned bits)
{
    lane_mask mask = mask_from_bits(bits);
    probe_mask result = {.bits = mask_bits(mask),
                         .inverse = mask_bits(mask_not(mask)),
                         .any = mask_any(mask),
                         .all = mask_all(mask),
                         .none = mask_none(mask)};
    return result;
}

#define PROBE_TEXT(name) PROBE_TEXT_OF(name)
#define PROBE_TEXT_OF(name) #name

const probe PROBE_NAME = {.name = PROBE_TEXT(PROBE_NAME),
                          .width = LANE_WIDTH,
                          .numbers = probe_numbers,
                          .mask = probe_bits};
