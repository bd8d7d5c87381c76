/*
 * test_trig_float.c - sine and cosine of floats: as near as trig_float.inl derives, and the
 * same bits at every width, on the baseline and on the wide instructions.
 */
#include "kernel/widths.h"
#include "trig_float/probe.h"

#include <math.h>

#include "support.h"

enum { COUNT = 16 * 4096, MOST_PROBES = 6 };

/* the bounds of trig_float.inl, in units of 2^-24 */
#define SINE_BOUND 1.7
#define COSINE_BOUND 1.5

static float angles[COUNT], sines[COUNT], cosines[COUNT], again[2][COUNT];

static int probes_here(probe_sincos **probes)
{
    int count = 0;
    probes[count++] = probe_plain_f4;
    probes[count++] = probe_plain_f8;
    probes[count++] = probe_plain_f16;
    probes[count++] = probe_kernel_f4;
#if defined(KERNEL_HAVE_F8)
    if (__builtin_cpu_supports("avx2"))
        probes[count++] = probe_kernel_f8;
#endif
#if defined(KERNEL_HAVE_F16)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        probes[count++] = probe_kernel_f16;
#endif
    return count;
}

/* all widths, one by one and four at once, leave the same in sines and cosines */
static void run_probes(void)
{
    probe_sincos *probes[MOST_PROBES];
    int count = probes_here(probes);
    probes[0](angles, sines, cosines, COUNT, 0);
    for (int i = 0; i < 2 * count; i++) {
        probes[i / 2](angles, again[0], again[1], COUNT, i % 2);
        assert_memory_equal(again[0], sines, sizeof sines);
        assert_memory_equal(again[1], cosines, sizeof cosines);
    }
}

static void check_angles(void)
{
    run_probes();
    for (int i = 0; i < COUNT; i++) {
        assert_near(sines[i], sin((double)angles[i]), SINE_BOUND * 0x1p-24);
        assert_near(cosines[i], cos((double)angles[i]), COSINE_BOUND * 0x1p-24);
    }
}

TEST(sweeps_stay_in_bounds)
{
    const double ranges[] = {1, 4, 100, 8192, 20000, 1e8};
    lb_random random = test_seed(1);
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
        for (int i = 0; i < COUNT; i++)
            angles[i] = (float)lb_random_between(&random, -ranges[r], ranges[r]);
        check_angles();
    }
}

TEST(near_multiples_of_a_quarter_turn)
{
    for (int i = 0; i < COUNT; i++) {
        float middle = (float)((i / 8 - COUNT / 16) * (LB_PI / 2));
        angles[i] = middle;
        for (int k = 0; k < i % 8; k++)
            angles[i] = nextafterf(angles[i], k % 2 ? INFINITY : -INFINITY);
    }
    check_angles();
}

TEST(zeros_keep_their_sign_and_nothing_becomes_a_number)
{
    for (int i = 0; i < COUNT; i++) {
        const float special[] = {0, -0.0f, INFINITY, -INFINITY, NAN, 1e-40f, -1e-40f};
        angles[i] = special[i % 7];
    }
    run_probes();
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(isnan(sines[i]) != 0, !isfinite(angles[i]));
        assert_int_equal(isnan(cosines[i]) != 0, !isfinite(angles[i]));
        if (isfinite(angles[i])) {
            assert_true(sines[i] == angles[i] && signbit(sines[i]) == signbit(angles[i]));
            assert_true(cosines[i] == 1);
        }
    }
}
