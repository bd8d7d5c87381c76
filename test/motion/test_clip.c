/*
 * test_clip.c - key poses: met, connected without jumps, and never overshot.
 */
#include <limber/clip.h>

#include "support.h"

/* those that move between the keys come first */
enum { ROUNDS = 60, MOST_KEYS = 9, MOST_NQ = 80, MOVING = LB_INTERPOLATION_STEP };

/* a random tree with keys in its limits at uneven times */
typedef struct scene {
    lb_model *model;
    int nq, nv, count;
    double times[MOST_KEYS];
    double *keys;
} scene;

static scene start_scene(lb_random *random)
{
    test_tree wanted = test_tree_default();
    scene s = {.count = 2 + test_random_index(random, MOST_KEYS - 1)};
    wanted.joints = 1 + test_random_index(random, 8);
    s.model = test_tree_build(&wanted, random);
    s.nq = lb_model_nq(s.model);
    s.nv = lb_model_nv(s.model);
    s.keys = calloc((size_t)(s.count * s.nq + 1), sizeof *s.keys);
    for (int i = 0; i < s.count; i++) {
        lb_configuration_random(s.model, random, s.keys + i * s.nq);
        s.times[i] =
            i == 0 ? -1 : s.times[i - 1] + 0.05 + lb_random_between(random, 0, i % 2 ? 2 : 0.3);
    }
    return s;
}

static void stop_scene(scene *s)
{
    free(s->keys);
    lb_model_release(s->model);
}
#define owned_clip_scene __attribute__((cleanup(stop_scene))) scene

static lb_clip *make(const scene *s, lb_interpolation how)
{
    lb_clip *clip = NULL;
    assert_made(lb_clip_create(s->model, s->times, s->keys, s->count, how, NULL, &clip, &cause),
                cause);
    return clip;
}

/* how far apart two configurations are, whole turns of continuous joints not counted */
static double apart(const scene *s, const double *a, const double *b)
{
    double v[MOST_NQ], most = 0;
    lb_configuration_difference(s->model, a, b, v);
    for (int i = 0; i < s->nv; i++)
        most = fmax(most, fabs(v[i]));
    return most;
}

/* ---- both interpolations ------------------------------------------------ */

TEST(keys_are_met)
{
    lb_random random = test_seed(1);
    for (int round = 0; round < ROUNDS; round++) {
        owned_clip_scene s = start_scene(&random);
        owned_clip *clip = make(&s, (lb_interpolation)(round % LB_INTERPOLATION_COUNT));
        assert_true(lb_clip_begin(clip) == s.times[0]);
        assert_true(lb_clip_end(clip) == s.times[s.count - 1]);
        for (int i = 0; i < s.count; i++) {
            double q[MOST_NQ];
            lb_clip_at(clip, s.times[i], q);
            assert_near(apart(&s, q, s.keys + i * s.nq), 0, 1e-12);
        }
    }
}

TEST(times_beyond_the_keys_hold_the_ends)
{
    lb_random random = test_seed(2);
    owned_clip_scene s = start_scene(&random);
    for (int how = 0; how < LB_INTERPOLATION_COUNT; how++) {
        owned_clip *clip = make(&s, (lb_interpolation)how);
        const double early[] = {s.times[0] - 1e-9, -1e300, -INFINITY, NAN};
        const double late[] = {s.times[s.count - 1] + 1e-9, 1e300, INFINITY};
        double q[MOST_NQ];
        for (size_t i = 0; i < sizeof early / sizeof *early; i++) {
            lb_clip_at(clip, early[i], q);
            assert_near(apart(&s, q, s.keys), 0, 1e-12);
        }
        for (size_t i = 0; i < sizeof late / sizeof *late; i++) {
            lb_clip_at(clip, late[i], q);
            assert_near(apart(&s, q, s.keys + (s.count - 1) * s.nq), 0, 1e-12);
        }
    }
}

/* no number jumps, not even one that distinguishes whole turns */
TEST(nothing_jumps)
{
    enum { SAMPLES = 4000 };
    lb_random random = test_seed(3);
    for (int round = 0; round < ROUNDS; round++) {
        owned_clip_scene s = start_scene(&random);
        owned_clip *clip = make(&s, (lb_interpolation)(round % MOVING));
        double before[MOST_NQ], q[MOST_NQ], v[MOST_NQ];
        double begin = lb_clip_begin(clip), duration = lb_clip_end(clip) - begin;
        lb_clip_at(clip, begin, before);
        for (int i = 1; i <= SAMPLES; i++) {
            lb_clip_at(clip, begin + duration * i / SAMPLES, q);
            lb_configuration_difference(s.model, before, q, v);
            double most = 0;
            for (int k = 0; k < s.nv; k++)
                most = fmax(most, fabs(v[k]));
            // the widest way between keys, in the shortest time, at thrice the mean speed
            assert_true(most < 3 * 2 * LB_PI / 0.05 * duration / SAMPLES);
            memcpy(before, q, sizeof q);
        }
    }
}

TEST(linear_is_the_interpolation_of_configurations)
{
    lb_random random = test_seed(4);
    for (int round = 0; round < ROUNDS; round++) {
        owned_clip_scene s = start_scene(&random);
        owned_clip *clip = make(&s, LB_INTERPOLATION_LINEAR);
        for (int i = 0; i + 1 < s.count; i++) {
            double u = lb_random_unit(&random), q[MOST_NQ], expected[MOST_NQ];
            const double *key = s.keys + i * s.nq;
            lb_clip_at(clip, s.times[i] + u * (s.times[i + 1] - s.times[i]), q);
            lb_configuration_interpolate(s.model, key, key + s.nq, u, expected);
            assert_near(apart(&s, q, expected), 0, 1e-11);
        }
    }
}

/* ---- cubic -------------------------------------------------------------- */

/* the mean velocity from a time on, over a short h of either sign */
static void velocity(const scene *s, const lb_clip *clip, double time, double h, double *v)
{
    double a[MOST_NQ], b[MOST_NQ];
    lb_clip_at(clip, time, a);
    lb_clip_at(clip, time + h, b);
    lb_configuration_difference(s->model, a, b, v);
    for (int i = 0; i < s->nv; i++)
        v[i] /= h;
}

TEST(cubic_velocities_agree_at_the_keys)
{
    lb_random random = test_seed(5);
    for (int round = 0; round < ROUNDS; round++) {
        owned_clip_scene s = start_scene(&random);
        owned_clip *clip = make(&s, LB_INTERPOLATION_CUBIC);
        for (int i = 1; i + 1 < s.count; i++) {
            double before[MOST_NQ], after[MOST_NQ];
            velocity(&s, clip, s.times[i], -1e-7, before);
            velocity(&s, clip, s.times[i], 1e-7, after);
            // accelerations are below some 2 pi / 0.05^2, times h
            for (int k = 0; k < s.nv; k++)
                assert_near(before[k], after[k], 5e-3);
        }
    }
}

/* each number stays between its two keys, so limits hold where the keys hold them */
TEST(cubic_numbers_never_overshoot)
{
    lb_random random = test_seed(6);
    for (int round = 0; round < ROUNDS; round++) {
        test_tree wanted = test_tree_default();
        wanted.joints = 4;
        wanted.kinds = TEST_KIND(LB_JOINT_REVOLUTE) | TEST_KIND(LB_JOINT_PRISMATIC) |
                       TEST_KIND(LB_JOINT_UNIVERSAL);
        owned_clip_scene s = {.count = MOST_KEYS, .model = test_tree_build(&wanted, &random)};
        s.nq = lb_model_nq(s.model);
        s.keys = calloc((size_t)(s.count * s.nq + 1), sizeof *s.keys);
        for (int i = 0; i < s.count; i++) {
            lb_configuration_random(s.model, &random, s.keys + i * s.nq);
            s.times[i] = i == 0 ? 0 : s.times[i - 1] + lb_random_between(&random, 0.01, 1);
        }
        owned_clip *clip = make(&s, LB_INTERPOLATION_CUBIC);
        for (int i = 0; i + 1 < s.count; i++) {
            const double *a = s.keys + i * s.nq, *b = a + s.nq;
            double before[MOST_NQ], q[MOST_NQ];
            memcpy(before, a, sizeof *a * (size_t)s.nq);
            for (int k = 1; k <= 50; k++) {
                lb_clip_at(clip, s.times[i] + (s.times[i + 1] - s.times[i]) * k / 50, q);
                for (int n = 0; n < s.nq; n++) {
                    // monotone: each moves towards the next key alone
                    double towards = b[n] >= a[n] ? q[n] - before[n] : before[n] - q[n];
                    assert_true(towards >= -1e-12);
                }
                assert_ok(lb_configuration_validate(s.model, q, 1e-12, NULL));
                memcpy(before, q, sizeof q);
            }
        }
    }
}

/* ---- by hand ------------------------------------------------------------ */

/* on a parabola, even keys have its slopes, and the cubic is the parabola */
TEST(cubic_reproduces_parabolas_where_they_are_monotone)
{
    owned_model *model = test_single(LB_JOINT_PRISMATIC);
    const double times[] = {1, 2, 3, 4, 5};
    double keys[5], q;
    for (int i = 0; i < 5; i++)
        keys[i] = times[i] * times[i];
    owned_clip *clip = test_clip(model, times, keys, 5, LB_INTERPOLATION_CUBIC);
    for (int i = 0; i <= 400; i++) {
        double t = 1 + i * 0.01;
        lb_clip_at(clip, t, &q);
        assert_near(q, t * t, 1e-12);
    }
}

TEST(a_joint_rests_between_equal_keys)
{
    const double times[] = {0, 1, 3, 3.5};
    owned_model *slide = test_single(LB_JOINT_PRISMATIC), *ball = test_single(LB_JOINT_BALL);
    const double places[] = {0, 2, 2, 5};
    lb_quat turn = lb_quat_from_axis_angle(lb_vec3_make(0, 0.6, 0.8), 2);
    const double turns[] = {1,      0,      0,      0,      turn.w, turn.x, turn.y, turn.z,
                            turn.w, turn.x, turn.y, turn.z, 1,      0,      0,      0};
    owned_clip *sliding = test_clip(slide, times, places, 4, LB_INTERPOLATION_CUBIC);
    owned_clip *spin = test_clip(ball, times, turns, 4, LB_INTERPOLATION_CUBIC);
    for (int i = 0; i <= 100; i++) {
        double q[4];
        lb_clip_at(sliding, 1 + 0.02 * i, q);
        assert_true(q[0] == 2);
        lb_clip_at(spin, 1 + 0.02 * i, q);
        for (int k = 0; k < 4; k++)
            assert_near(q[k], turns[4 + k], 1e-15);
    }
}

/* a ball that turns evenly about one axis through its keys does so between them */
TEST(an_even_turn_stays_even)
{
    owned_model *model = test_single(LB_JOINT_BALL);
    lb_random random = test_seed(7);
    lb_vec3 axis = test_random_direction(&random);
    const double times[] = {0, 0.7, 1, 3};
    double keys[16], q[4];
    for (int i = 0; i < 4; i++) {
        lb_quat turn = lb_quat_from_axis_angle(axis, 1.3 * times[i]);
        memcpy(keys + 4 * i, (double[]){turn.w, turn.x, turn.y, turn.z}, sizeof q);
    }
    for (int how = 0; how < MOVING; how++) {
        owned_clip *clip = test_clip(model, times, keys, 4, (lb_interpolation)how);
        for (int i = 0; i <= 300; i++) {
            lb_clip_at(clip, 0.01 * i, q);
            lb_quat turn = lb_quat_from_axis_angle(axis, 1.3 * 0.01 * i);
            double dot = turn.w * q[0] + turn.x * q[1] + turn.y * q[2] + turn.z * q[3];
            assert_near(fabs(dot), 1, 1e-14);
        }
    }
}

/* Shoemake's velocity at a key between even times: the mean of the ways on both sides */
TEST(balls_pass_even_keys_as_squad_does)
{
    owned_model *model = test_single(LB_JOINT_BALL);
    lb_random random = test_seed(8);
    for (int round = 0; round < ROUNDS; round++) {
        const double times[] = {0, 1, 2}, h = 1e-6;
        lb_quat quats[3] = {test_random_quat(&random)};
        lb_vec3 turns[2];
        double keys[12], a[4], b[4];
        for (int i = 1; i < 3; i++) {
            // of lengths within a factor of two, so that neither side slows the other down
            turns[i - 1] =
                lb_vec3_scale(test_random_direction(&random), lb_random_between(&random, 1.2, 2.2));
            quats[i] = lb_quat_multiply(quats[i - 1], lb_quat_exp(turns[i - 1]));
        }
        for (int i = 0; i < 3; i++)
            memcpy(keys + 4 * i, (double[]){quats[i].w, quats[i].x, quats[i].y, quats[i].z},
                   sizeof a);
        owned_clip *clip = test_clip(model, times, keys, 3, LB_INTERPOLATION_CUBIC);
        lb_clip_at(clip, 1 - h, a);
        lb_clip_at(clip, 1 + h, b);
        double v[3];
        lb_configuration_difference(model, a, b, v);
        lb_vec3 mean = lb_vec3_scale(lb_vec3_add(turns[0], turns[1]), 0.5);
        assert_near(v[0] / (2 * h), mean.x, 1e-4);
        assert_near(v[1] / (2 * h), mean.y, 1e-4);
        assert_near(v[2] / (2 * h), mean.z, 1e-4);
    }
}

TEST(continuous_joints_take_the_short_way)
{
    const double degree = LB_PI / 180, times[] = {0, 1, 2, 3};
    const double keys[] = {350 * degree, 10 * degree, 100 * degree, -120 * degree};
    const double run[] = {350, 370, 460, 600};
    owned_model *model = test_single(LB_JOINT_CONTINUOUS);
    for (int how = 0; how < MOVING; how++) {
        owned_clip *clip = test_clip(model, times, keys, 4, (lb_interpolation)how);
        double q, before = 350;
        for (int i = 0; i <= 300; i++) {
            lb_clip_at(clip, 0.01 * i, &q);
            assert_true(q / degree >= before - 1e-9);
            before = q / degree;
            if (i % 100 == 0)
                assert_near(before, run[i / 100], 1e-9);
        }
    }
}

TEST(a_single_key_is_a_clip)
{
    owned_model *model = test_single(LB_JOINT_PRISMATIC);
    const double time = 3, key = 0.25;
    for (int how = 0; how < LB_INTERPOLATION_COUNT; how++) {
        double q;
        owned_clip *clip = test_clip(model, &time, &key, 1, (lb_interpolation)how);
        for (int i = 0; i < 5; i++) {
            lb_clip_at(clip, 1.5 * i, &q);
            assert_true(q == key);
        }
    }
}

/* ---- refusals ----------------------------------------------------------- */

TEST(bad_keys_are_refused_by_name)
{
    owned_model *model = test_single(LB_JOINT_PRISMATIC);
    static const struct {
        double times[3], keys[3];
        int count, how;
        lb_status status;
        const char *says;
    } cases[] = {
        {{0, 1, 2}, {0, 0, 0}, 0, 0, LB_INVALID_ARGUMENT, "at least one key"},
        {{0, 1, 2},
         {0, 0, 0},
         3,
         LB_INTERPOLATION_COUNT,
         LB_INVALID_ARGUMENT,
         "known interpolation"},
        {{0, 1, 1}, {0, 0, 0}, 3, 1, LB_BAD_VALUE, "key 3: its time 1 does not come after 1"},
        {{0, -1, 2}, {0, 0, 0}, 3, 1, LB_BAD_VALUE, "key 2: its time -1"},
        {{0, NAN, 2}, {0, 0, 0}, 3, 0, LB_BAD_VALUE, "key 2: its time is not finite"},
        {{0, 1, 2}, {0, 0, INFINITY}, 3, 0, LB_BAD_VALUE, "key 3: value 1 is not finite"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lb_clip *clip = (lb_clip *)(uintptr_t)1;
        lb_error error = {0};
        assert_int_equal(lb_clip_create(model, cases[i].times, cases[i].keys, cases[i].count,
                                        (lb_interpolation)cases[i].how, NULL, &clip, &error),
                         cases[i].status);
        assert_null(clip);
        if (!strstr(error.message, cases[i].says))
            fail_msg("\"%s\" is not in \"%s\"", cases[i].says, error.message);
    }
}

/* numbers as far apart as doubles can be: poses are finite, or the key is refused */
TEST(keys_may_be_far_apart)
{
    static const lb_joint_kind kinds[] = {LB_JOINT_CONTINUOUS, LB_JOINT_PRISMATIC};
    const double times[2] = {0, 1}, ends[2] = {-1.7e308, 1.7e308}, keys[2] = {1.7e308, -1.7e308};
    for (int i = 0; i < 2; i++)
        for (int how = 0; how < LB_INTERPOLATION_COUNT; how++) {
            owned_model *model = test_single(kinds[i]);
            lb_clip *clip = test_clip(model, times, keys, 2, (lb_interpolation)how);
            assert_true(isfinite(lb_clip_key(clip, 1)[0]));
            for (int k = -1; k <= 11; k++) {
                double q;
                lb_clip_at(clip, 0.1 * k, &q);
                assert_true(isfinite(q));
            }
            lb_clip_release(clip);
            lb_error error;
            assert_refused(
                lb_clip_create(model, ends, keys, 2, (lb_interpolation)how, NULL, &clip, &error),
                LB_BAD_VALUE, &error, "key 2: its time 1.7e+308 is too far");
        }
    // so short a gap has no rate
    owned_model *model = test_single(LB_JOINT_PRISMATIC);
    owned_clip *clip = test_clip(model, (double[]){0, 5e-324}, keys, 2, LB_INTERPOLATION_LINEAR);
    assert_true(lb_clip_rate(clip, 1e-6) == 0);
}

TEST(failing_memory_is_reported_and_leaves_nothing)
{
    lb_random random = test_seed(9);
    owned_clip_scene s = start_scene(&random);
    ALLOCATIONS_FAIL (failing, 1000) {
        owned_clip *clip = TEST_UNSET;
        failing.status = lb_clip_create(s.model, s.times, s.keys, s.count, LB_INTERPOLATION_CUBIC,
                                        &failing.allocator, &clip, NULL);
        assert_true((clip != NULL) == (failing.status == LB_OK));
    }
    lb_clip_release(NULL);
}

TEST(interpolations_have_texts)
{
    assert_string_equal(lb_interpolation_text(LB_INTERPOLATION_CUBIC), "cubic");
    assert_string_equal(lb_interpolation_text(LB_INTERPOLATION_COUNT), "");
}
