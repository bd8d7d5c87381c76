/*
 * test_clip_edit.c - clips from clips: the same motion at other times, parts of it, and blends.
 */
#include <limber/clip.h>

#include "motion/clip.h"
#include "support_load.h"

enum { ROUNDS = 60, KEYS = 9, MOST_NQ = 80 };

/* a random tree and two clips over it, at uneven times from 0 on */
typedef struct scene {
    lb_model *model;
    lb_clip *a, *b;
} scene;

static lb_clip *uneven_clip(const lb_model *model, double begin, lb_interpolation how,
                            lb_random *random)
{
    double times[KEYS];
    for (int i = 0; i < KEYS; i++)
        times[i] = i == 0 ? begin : times[i - 1] + lb_random_between(random, 0.1, 0.5);
    return test_random_clip_at(model, times, KEYS, how, random);
}

static scene start_scene(lb_interpolation how, lb_random *random)
{
    test_tree wanted = test_tree_default();
    wanted.joints = 1 + test_random_index(random, 8);
    scene s = {.model = test_tree_build(&wanted, random)};
    assert_true(lb_model_nq(s.model) <= MOST_NQ);
    s.a = uneven_clip(s.model, 0, how, random);
    s.b = uneven_clip(s.model, 0.2, how, random);
    return s;
}

static void stop_scene(scene *s)
{
    lb_clip_release(s->a);
    lb_clip_release(s->b);
    lb_model_release(s->model);
}
#define owned_clip_scene __attribute__((cleanup(stop_scene))) scene

/* how far apart two clips are, each at its own time, whole turns not counted */
static double apart(const lb_clip *a, double at, const lb_clip *b, double bt)
{
    double p[MOST_NQ], q[MOST_NQ], v[MOST_NQ], most = 0;
    lb_clip_at(a, at, p);
    lb_clip_at(b, bt, q);
    lb_configuration_difference(lb_clip_model(a), p, q, v);
    for (int i = 0; i < lb_model_nv(lb_clip_model(a)); i++)
        most = fmax(most, fabs(v[i]));
    return most;
}

TEST(resampled_keys_lie_on_the_clip)
{
    lb_random random = test_seed(1);
    for (int round = 0; round < ROUNDS; round++) {
        owned_clip_scene s =
            start_scene((lb_interpolation)(round % LB_INTERPOLATION_COUNT), &random);
        double rate = lb_random_between(&random, 0.5, 200);
        owned_clip *made = NULL;
        assert_ok(lb_clip_resample(s.a, rate, NULL, &made, NULL));
        int count = lb_clip_count(made);
        for (int i = 0; i < count; i++) {
            double time = lb_clip_times(made)[i];
            assert_near(time, i / rate, 1e-12);
            assert_near(apart(made, time, s.a, time), 0, 1e-12);
        }
        assert_true(lb_clip_end(made) <= lb_clip_end(s.a));
        assert_true(lb_clip_end(made) + 1 / rate > lb_clip_end(s.a));
    }
}

/* an end that is a rounding short of a frame is that frame */
/* the rate of a file whose times are rounded to some digits keeps each of its keys */
TEST(a_rate_within_the_rounding_of_times_keeps_every_key)
{
    static const double gaps[] = {0.0333, 0.033333, 0.0333333, 0.0333334, 0.00833, 0.0083333};
    owned_model *arm = test_load("panda");
    int nq = lb_model_nq(arm);
    for (int i = 0; i < 6 * 4; i++) {
        int counts[] = {2, 3, 100, 9000}, n = counts[i / 6];
        double gap = gaps[i % 6], rate = floor(1 / gap + 0.5);
        double *times = calloc((size_t)n, sizeof *times), *keys = calloc((size_t)(n * nq), 8);
        for (int k = 0; k < n; k++) {
            times[k] = 5 + k * gap;
            lb_configuration_neutral(arm, keys + k * nq);
            keys[k * nq] = sin(0.1 * k);
        }
        owned_clip *clip = NULL, *made = NULL;
        assert_ok(lb_clip_create(arm, times, keys, n, LB_INTERPOLATION_LINEAR, NULL, &clip, NULL));
        assert_ok(lb_clip_resample(clip, rate, NULL, &made, NULL));
        // four digits are not near enough to be the same rate
        int short_of = fabs(rate * gap - 1) > 1e-4 ? (int)ceil((n - 1) * (1 - rate * gap)) : 0;
        assert_int_equal(lb_clip_count(made), n - short_of);
        for (int k = 0; k < n && short_of == 0 && rate * gap < 1; k++)
            assert_near(lb_clip_key(made, k)[0], keys[k * nq], 1e-9);
        free(times);
        free(keys);
    }
}

TEST(a_clip_resampled_at_its_own_rate_is_itself)
{
    lb_random random = test_seed(2);
    owned_clip_scene s = start_scene(LB_INTERPOLATION_LINEAR, &random);
    static const double rates[] = {120, 30, 1 / 0.0083333, 24000 / 1001.0, 60, 7};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        owned_clip *once = NULL, *twice = NULL;
        assert_ok(lb_clip_resample(s.a, rates[i], NULL, &once, NULL));
        assert_ok(lb_clip_resample(once, rates[i], NULL, &twice, NULL));
        assert_int_equal(lb_clip_count(once), lb_clip_count(twice));
        assert_near(lb_clip_rate(once, 1e-9), rates[i], 1e-6);
    }
}

TEST(a_slice_is_that_part)
{
    lb_random random = test_seed(3);
    for (int round = 0; round < ROUNDS; round++) {
        owned_clip_scene s =
            start_scene(round % 2 ? LB_INTERPOLATION_LINEAR : LB_INTERPOLATION_STEP, &random);
        double end = lb_clip_end(s.a), from = lb_random_between(&random, 0, 0.5 * end);
        // now and then at keys, and whole
        from = round % 5 == 0 ? lb_clip_times(s.a)[1] : round % 7 == 0 ? 0 : from;
        double to = round % 3 == 0 ? end : lb_random_between(&random, 0.6 * end, end);
        owned_clip *made = NULL;
        assert_ok(lb_clip_slice(s.a, from, to, NULL, &made, NULL));
        assert_true(lb_clip_begin(made) == from && lb_clip_end(made) == to);
        for (int i = 0; i <= 50; i++) {
            double time = from + (to - from) * i / 50;
            assert_near(apart(made, time, s.a, time), 0, 1e-9);
        }
    }
}

/* without its first keys a clip is what a slice of it is, from 0 on */
TEST(a_tail_is_a_slice)
{
    lb_random random = test_seed(9);
    for (int first = 0; first < KEYS - 1; first++) {
        owned_clip_scene s = start_scene(LB_INTERPOLATION_LINEAR, &random);
        double from = lb_clip_times(s.a)[first], end = lb_clip_end(s.a);
        owned_clip *slice = NULL, *tail = clip_tail(s.a, first);
        assert_non_null(tail);
        assert_ok(lb_clip_slice(s.a, from, end, NULL, &slice, NULL));
        assert_int_equal(lb_clip_count(tail), lb_clip_count(slice));
        for (int i = -1; i <= 51; i++) {
            double p[MOST_NQ], q[MOST_NQ], time = (end - from) * i / 50;
            lb_clip_at(tail, time, p);
            lb_clip_at(slice, from + time, q);
            // times of one are rounded otherwise than those of the other
            for (int k = 0; k < lb_model_nq(s.model); k++)
                assert_near(p[k], q[k], 1e-12);
        }
        assert_true(lb_clip_begin(tail) == 0);
    }
}

TEST(a_faster_clip_takes_less_time)
{
    lb_random random = test_seed(4);
    for (int round = 0; round < ROUNDS; round++) {
        owned_clip_scene s =
            start_scene((lb_interpolation)(round % LB_INTERPOLATION_STEP), &random);
        double speed = lb_random_between(&random, 0.1, 10), end = lb_clip_end(s.a);
        owned_clip *made = NULL;
        assert_ok(lb_clip_retime(s.a, -3, speed, NULL, &made, NULL));
        assert_int_equal(lb_clip_count(made), KEYS);
        for (int i = 0; i <= 50; i++)
            assert_near(apart(made, -3 + end / speed * i / 50, s.a, end * i / 50), 0, 1e-9);
    }
}

/* a clip of even keys at times as a file of single precision has them */
static void even_out(const lb_clip *even)
{
    enum { MOST = 200 };
    const lb_model *model = lb_clip_model(even);
    int count = lb_clip_count(even);
    double times[MOST];
    owned_clip *made = NULL;
    assert_in_range(count, 4, MOST);
    for (int i = 0; i < count; i++)
        times[i] = (double)(float)lb_clip_times(even)[i];
    owned_clip *rounded =
        test_clip(model, times, lb_clip_key(even, 0), count, LB_INTERPOLATION_LINEAR);
    assert_true(lb_clip_rate(rounded, 1e-12) == 0);
    assert_int_equal(lb_clip_even(rounded, 1e-12, NULL, &made, NULL), LB_BAD_VALUE);
    assert_null(made);
    assert_ok(lb_clip_even(rounded, 1e-5, NULL, &made, NULL));
    assert_true(lb_clip_rate(made, 1e-12) > 0);
    assert_true(lb_clip_begin(made) == times[0] && lb_clip_end(made) == times[count - 1]);
    for (int i = 0; i < count; i++)
        assert_memory_equal(lb_clip_key(made, i), lb_clip_key(even, i),
                            sizeof(double) * (size_t)lb_model_nq(model));
}

TEST(rounded_times_are_made_even)
{
    for (uint64_t round = 0; round < ROUNDS; round++) {
        lb_random random = test_seed(round);
        owned_clip_scene s = start_scene(LB_INTERPOLATION_LINEAR, &random);
        owned_clip *even = NULL;
        assert_ok(lb_clip_resample(s.a, 30, NULL, &even, NULL));
        even_out(even);
    }
}

TEST(a_single_key_is_even)
{
    lb_random random = test_seed(8);
    owned_clip_scene s = start_scene(LB_INTERPOLATION_LINEAR, &random);
    owned_clip *even = NULL;
    lb_clip *single =
        test_clip(s.model, (double[]){2}, lb_clip_key(s.a, 0), 1, LB_INTERPOLATION_LINEAR);
    assert_ok(lb_clip_even(single, 0, NULL, &even, NULL));
    assert_int_equal(lb_clip_count(even), 1);
    assert_true(lb_clip_begin(even) == 2);
    lb_clip_release(single);
}

/* a model as it is but for one field of a joint; a field of -1: the same */
static lb_model *changed_model(const lb_model *model, int joint, int field)
{
    enum { MOST = 64 };
    lb_link links[MOST];
    lb_joint joints[MOST];
    int count = lb_model_joint_count(model);
    assert_true(count < MOST);
    for (int i = 0; i <= count; i++)
        links[i] = *lb_model_link(model, i);
    for (int i = 0; i < count; i++)
        joints[i] = *lb_model_joint(model, i);
    lb_joint *j = &joints[joint];
    if (field == 0)
        j->name = "another";
    if (field == 1)
        links[joint + 1].name = j->child = "another";
    if (field == 2)
        j->placement.p.y = nextafter(j->placement.p.y, 1);
    if (field == 3)
        j->upper[0] = isinf(j->upper[0]) ? 3 : nextafter(j->upper[0], 100);
    if (field == 4)
        j->kind = j->kind == LB_JOINT_PRISMATIC ? LB_JOINT_REVOLUTE : LB_JOINT_PRISMATIC;
    if (field == 5)
        j->axis = lb_vec3_make(0.6, 0, 0.8);
    for (int i = 0; i < count && field == 1; i++)
        if (strcmp(joints[i].parent, lb_model_joint(model, joint)->child) == 0)
            joints[i].parent = "another";
    return test_make("changed", links, count + 1, joints, count);
}

/* models are one in every load of a file, and another with any other joint */
TEST(clips_of_equal_models_are_blended)
{
    owned_model *arm = test_load("panda"), *again = test_load("panda");
    lb_random random = {11};
    owned_clip *a = uneven_clip(arm, 0, LB_INTERPOLATION_LINEAR, &random),
               *b = uneven_clip(arm, 0.2, LB_INTERPOLATION_LINEAR, &random), *wanted = NULL;
    int n = lb_clip_count(b);
    owned_clip *same = NULL, *made = NULL;
    assert_ok(lb_clip_create(again, lb_clip_times(b), lb_clip_key(b, 0), n, LB_INTERPOLATION_LINEAR,
                             NULL, &same, NULL));
    assert_ok(lb_clip_blend(a, b, 0.3, 0.8, NULL, &wanted, NULL));
    assert_ok(lb_clip_blend(a, same, 0.3, 0.8, NULL, &made, NULL));
    assert_ptr_equal(lb_clip_model(made), arm);
    assert_int_equal(lb_clip_count(made), lb_clip_count(wanted));
    for (int i = 0; i < lb_clip_count(made); i++)
        assert_memory_equal(lb_clip_key(made, i), lb_clip_key(wanted, i),
                            (size_t)lb_model_nq(arm) * sizeof(double));
    for (int field = -1; field < 6; field++) {
        owned_model *other = changed_model(arm, 3, field);
        owned_clip *second = uneven_clip(other, 0.2, LB_INTERPOLATION_LINEAR, &random),
                   *none = NULL;
        lb_error error = {0};
        lb_status status = lb_clip_blend(a, second, 0.3, 0.8, NULL, &none, &error);
        assert_int_equal(status, field < 0 ? LB_OK : LB_INVALID_ARGUMENT);
        if (field >= 0)
            assert_non_null(strstr(error.message, "two different models"));
        if (field >= 2)
            assert_non_null(strstr(error.message, "'panda_link4'"));
    }
}

TEST(a_blend_leads_from_one_clip_to_the_other)
{
    lb_random random = test_seed(5);
    for (int round = 0; round < ROUNDS; round++) {
        scene s = start_scene(LB_INTERPOLATION_LINEAR, &random);
        double from = lb_random_between(&random, 0.3, 0.6), to = from + 0.4;
        owned_clip *made = NULL;
        assert_ok(lb_clip_blend(s.a, s.b, from, to, NULL, &made, NULL));
        assert_true(lb_clip_begin(made) == lb_clip_begin(s.a));
        assert_true(lb_clip_end(made) == lb_clip_end(s.b));
        for (int i = 0; i <= 50; i++) {
            double before = from * i / 50, after = to + (lb_clip_end(s.b) - to) * i / 50;
            assert_near(apart(made, before, s.a, before), 0, 1e-9);
            assert_near(apart(made, after, s.b, after), 0, 1e-9);
        }
        // the keys in between are between the two poses, by the smooth weight
        for (int i = 0; i < lb_clip_count(made); i++) {
            double time = lb_clip_times(made)[i], u = (time - from) / (to - from);
            double p[MOST_NQ], q[MOST_NQ], v[MOST_NQ];
            if (!(u > 0 && u < 1))
                continue;
            lb_clip_at(s.a, time, p);
            lb_clip_at(s.b, time, q);
            lb_configuration_interpolate(s.model, p, q, 3 * u * u - 2 * u * u * u, p);
            lb_configuration_difference(s.model, p, lb_clip_key(made, i), v);
            for (int k = 0; k < lb_model_nv(s.model); k++)
                assert_near(v[k], 0, 1e-9);
        }
        stop_scene(&s);
    }
}

TEST(bad_arguments_are_refused)
{
    lb_random random = test_seed(6);
    owned_clip_scene s = start_scene(LB_INTERPOLATION_LINEAR, &random);
    owned_clip_scene other = start_scene(LB_INTERPOLATION_LINEAR, &random);
    lb_clip *made = (lb_clip *)(uintptr_t)1;
    static const double rates[] = {0, -1, NAN, INFINITY, 1e300};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        assert_int_equal(lb_clip_resample(s.a, rates[i], NULL, &made, NULL), LB_INVALID_ARGUMENT);
        assert_null(made);
        if (!(rates[i] > 0) || isinf(rates[i]))
            assert_int_equal(lb_clip_retime(s.a, 0, rates[i], NULL, &made, NULL),
                             LB_INVALID_ARGUMENT);
    }
    double end = lb_clip_end(s.a);
    // 2 GB and more of keys
    double many = 2.1e7 / (end - lb_clip_begin(s.a));
    assert_int_equal(lb_clip_resample(s.a, many, NULL, &made, NULL), LB_INVALID_ARGUMENT);
    const double parts[][2] = {{-1, end}, {0, end + 1}, {0.5, 0.5}, {0.6, 0.5}, {NAN, end}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_int_equal(lb_clip_slice(s.a, parts[i][0], parts[i][1], NULL, &made, NULL),
                         LB_INVALID_ARGUMENT);
    assert_int_equal(lb_clip_blend(s.a, other.a, 0.3, 0.5, NULL, &made, NULL), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_clip_blend(s.a, s.b, -1, 0.5, NULL, &made, NULL), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_clip_blend(s.a, s.b, 0.3, 1e3, NULL, &made, NULL), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_clip_blend(s.a, NULL, 0.3, 0.5, NULL, &made, NULL), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_clip_slice(NULL, 0, 1, NULL, &made, NULL), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_clip_slice(s.a, 0, 1, NULL, NULL, NULL), LB_INVALID_ARGUMENT);
}

TEST(failing_memory_leaves_nothing)
{
    lb_random random = test_seed(7);
    owned_clip_scene s = start_scene(LB_INTERPOLATION_CUBIC, &random);
    ALLOCATIONS_FAIL (failing, 1000) {
        owned_clip *made = TEST_UNSET;
        failing.status = lb_clip_blend(s.a, s.b, 0.3, 0.7, &failing.allocator, &made, NULL);
    }
}
