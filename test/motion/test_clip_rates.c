/*
 * test_clip_rates.c - clips read back, steps, and the velocities and accelerations of clips.
 */
#include <limber/clip.h>

#include "support.h"

static lb_clip *make(const lb_model *model, const double *times, const double *keys, int n,
                     lb_interpolation how)
{
    lb_clip *clip = NULL;
    assert_made(lb_clip_create(model, times, keys, n, how, NULL, &clip, &cause), cause);
    return clip;
}

/* ---- what it is made of ------------------------------------------------- */

TEST(keys_read_back)
{
    owned_model *model = test_single(LB_JOINT_BALL);
    const double times[] = {-1, 0, 4}, keys[] = {1, 0, 0, 0, 0, 3, 0, 4, 0, 0, -1, 0};
    const double unit[] = {1, 0, 0, 0, 0, 0.6, 0, 0.8, 0, 0, -1, 0};
    owned_clip *clip = make(model, times, keys, 3, LB_INTERPOLATION_STEP);
    assert_ptr_equal(lb_clip_model(clip), model);
    assert_int_equal(lb_clip_interpolation(clip), LB_INTERPOLATION_STEP);
    assert_int_equal(lb_clip_count(clip), 3);
    assert_memory_equal(lb_clip_times(clip), times, sizeof times);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            assert_near(lb_clip_key(clip, i)[k], unit[4 * i + k], 1e-16);
}

TEST(even_times_have_a_rate)
{
    enum { COUNT = 1000 };
    owned_model *model = test_single(LB_JOINT_PRISMATIC);
    double times[COUNT], keys[COUNT] = {0};
    for (int i = 0; i < COUNT; i++)
        times[i] = 5 + i * 0.0083333;
    for (int moved = 0; moved < 2; moved++) {
        times[500] += moved * 1e-6;
        owned_clip *clip = make(model, times, keys, COUNT, LB_INTERPOLATION_LINEAR);
        assert_near(lb_clip_rate(clip, 1e-6), moved ? 0 : 1 / 0.0083333, 1e-6);
        assert_near(lb_clip_rate(clip, 1e-3), 1 / 0.0083333, 1e-6);
    }
    owned_clip *one = make(model, times, keys, 1, LB_INTERPOLATION_LINEAR);
    assert_true(lb_clip_rate(one, 1) == 0);
}

/* ---- steps -------------------------------------------------------------- */

/* also of a ball, whose keys are whole quaternions */
TEST(a_step_holds_each_key)
{
    lb_random random = test_seed(11);
    owned_model *model = test_single(LB_JOINT_FLOATING);
    double times[9], keys[9 * 7], q[7];
    for (int i = 0; i < 9; i++) {
        times[i] = i == 0 ? 2 : times[i - 1] + lb_random_between(&random, 0.1, 2);
        lb_configuration_random(model, &random, keys + i * 7);
    }
    owned_clip *clip = make(model, times, keys, 9, LB_INTERPOLATION_STEP);
    for (int i = 0; i < 8; i++) {
        double u = lb_random_between(&random, 0, 0.999);
        lb_clip_at(clip, times[i] + u * (times[i + 1] - times[i]), q);
        assert_memory_equal(q, lb_clip_key(clip, i), sizeof q);
    }
}

/* times from almost even to very uneven: the key is the one that a look at all of them finds */
TEST(keys_are_found_at_any_spacing)
{
    enum { COUNT = 200 };
    owned_model *model = test_single(LB_JOINT_PRISMATIC);
    lb_random random = test_seed(12);
    for (int round = 0; round < 60; round++) {
        double times[COUNT], keys[COUNT], spread = pow(10, round % 6 - 4);
        for (int i = 0; i < COUNT; i++) {
            times[i] = i == 0 ? -3 : times[i - 1] + 1 + spread * lb_random_unit(&random);
            keys[i] = i;
        }
        owned_clip *clip = make(model, times, keys, COUNT, LB_INTERPOLATION_STEP);
        for (int i = 0; i < 500; i++) {
            double time = i < COUNT ? times[i]
                                    : lb_random_between(&random, times[0], times[COUNT - 1]),
                   q;
            int expected = 0;
            while (expected + 1 < COUNT && times[expected + 1] <= time)
                expected++;
            lb_clip_at(clip, time, &q);
            assert_true(q == expected);
        }
    }
}

/* ---- rates -------------------------------------------------------------- */

/* a number on a parabola has its derivatives everywhere, at the ends and between the keys */
TEST(rates_of_a_parabola_are_exact)
{
    owned_model *model = test_single(LB_JOINT_PRISMATIC);
    for (int count = 1; count <= 12; count++) {
        double times[12], keys[12], v, a;
        for (int i = 0; i < count; i++) {
            times[i] = 1 + 0.5 * i;
            keys[i] = 3 - 2 * times[i] + 4 * times[i] * times[i];
        }
        owned_clip *clip = make(model, times, keys, count, LB_INTERPOLATION_LINEAR);
        for (int i = -1; i <= count; i++) {
            double time = fmax(1, fmin(times[count - 1], 1 + 0.5 * i));
            lb_clip_rates(clip, 1 + 0.5 * i, &v, &a);
            assert_near(v, count > 2 ? -2 + 8 * time : count == 2 ? -2 + 8 * 1.25 : 0, 1e-12);
            assert_near(a, count > 2 ? 8 : 0, 1e-11);
        }
        lb_clip_rates(clip, 1, NULL, NULL);
    }
}

/* of second order: a quarter of the gap, a sixteenth of the error; angular rates in child axes */
TEST(rates_converge_to_those_of_the_motion)
{
    owned_model *model = test_single(LB_JOINT_BALL);
    double before[2] = {0, 0};
    for (int count = 21; count <= 81; count += 60) {
        double times[81], keys[4 * 81], worst[2] = {0, 0};
        for (int i = 0; i < count; i++) {
            // about z by sin t, then about the turned x by t^2: w = (2t, sin(t^2) c, cos(t^2) c)
            times[i] = 2.0 * i / (count - 1);
            double t = times[i];
            lb_quat q = lb_quat_multiply(lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), lb_sin(t)),
                                         lb_quat_from_axis_angle(lb_vec3_make(1, 0, 0), t * t));
            memcpy(keys + 4 * i, (double[]){q.w, q.x, q.y, q.z}, 4 * sizeof *keys);
        }
        owned_clip *clip = make(model, times, keys, count, LB_INTERPOLATION_LINEAR);
        for (int i = 0; i < count; i++) {
            double t = times[i], c = lb_cos(t), s = lb_sin(t), v[3], a[3];
            double sine = lb_sin(t * t), cosine = lb_cos(t * t);
            const double w[] = {2 * t, sine * c, cosine * c};
            const double dw[] = {2, 2 * t * cosine * c - sine * s, -2 * t * sine * c - cosine * s};
            lb_clip_rates(clip, t, v, a);
            for (int k = 0; k < 3; k++) {
                worst[0] = fmax(worst[0], fabs(v[k] - w[k]));
                worst[1] = fmax(worst[1], i > 0 && i < count - 1 ? fabs(a[k] - dw[k]) : 0);
            }
        }
        for (int k = 0; k < 2 && count > 21; k++) {
            assert_true(worst[k] < 0.02);
            assert_true(worst[k] < before[k] / 10);
        }
        memcpy(before, worst, sizeof before);
    }
}
