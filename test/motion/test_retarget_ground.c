/*
 * test_retarget_ground.c - slopes: a walker that was turned onto one, and one on level ground whose
 * target goes up a slope; soles lie in the plane, and a level plane changes nothing.
 */
#include <limber/check.h>
#include <limber/retarget.h>

#include "motion/capture.h"
#include "motion/retargeted.h"
#include "motion/walker.h"
#include "support_load.h"

#include <limber/kinematics.h>

enum { SECONDS = 6 };

/* A walker and what it moves. */
typedef struct stage {
    lb_model *source, *target;
    lb_clip *clip;
} stage;

typedef struct turned_keys {
    const lb_model *model;
    lb_quat turn;
} turned_keys;

/* the walker, turned as a whole about the origin */
static bool fill_turned(void *user, int key, double *time, double *q)
{
    const turned_keys *keys = user;
    *time = key / 30.0;
    walker_at(keys->model, WALKER_T, *time, q);
    lb_vec3 at = lb_quat_rotate(keys->turn, lb_vec3_make(q[0], q[1], q[2]));
    lb_quat turn = lb_quat_multiply(keys->turn, (lb_quat){q[3], q[4], q[5], q[6]});
    memcpy(q, (double[]){at.x, at.y, at.z, turn.w, turn.x, turn.y, turn.z}, 7 * sizeof *q);
    return true;
}

static stage open_stage(lb_quat turn)
{
    stage s = {.source = walker_model(WALKER_T), .target = test_load_moving("human")};
    turned_keys keys = {s.source, turn};
    s.clip = test_clip_generate(s.source, 30 * SECONDS + 1, fill_turned, &keys);
    return s;
}

static void close_stage(stage *s)
{
    lb_clip_release(s->clip);
    lb_model_release(s->target);
    lb_model_release(s->source);
}
#define owned_stage __attribute__((cleanup(close_stage))) stage

static double degrees_between(lb_vec3 a, lb_vec3 b)
{
    return lb_acos(fmin(1, lb_vec3_dot(a, b))) * 180 / LB_PI;
}

/* retargets, and expects feet that rest in the target's ground */
static retargeted put_on_ground(const lb_clip *source, const lb_model *target,
                                const lb_retarget_options *options)
{
    retargeted r = retarget(source, target, options);
    assert_true(worst(&r, LB_CHECK_SLIDE) < 1e-4);
    assert_true(worst(&r, LB_CHECK_FLOATING) < 1e-3);
    assert_true(worst(&r, LB_CHECK_PENETRATION) < 1e-3);
    assert_true(worst(&r, LB_CHECK_POSITION) < 1e-9);
    return r;
}

static retargeted walk_on_ground(const stage *s, const lb_retarget_options *options)
{
    retargeted r = put_on_ground(s->clip, s->target, options);
    assert_in_range(r.report.held, 8, 50);
    return r;
}

/* a walker that leans with its slope goes up the same one, or any other that is given */
TEST(slopes_of_sources_are_found)
{
    // up, down, across and oblique
    const struct {
        lb_vec3 axis;
        double degrees;
    } slopes[] = {{{0, 1, 0}, 5}, {{0, 1, 0}, 10},  {{0, 1, 0}, -10},
                  {{1, 0, 0}, 9}, {{1, 0, 0}, -12}, {{0.6, 0.8, 0}, 14}};
    for (size_t i = FEWER(0, 4); i < sizeof slopes / sizeof *slopes; i++) {
        lb_quat turn = lb_quat_from_axis_angle(slopes[i].axis, slopes[i].degrees * LB_PI / 180);
        lb_vec3 normal = lb_quat_rotate(turn, lb_vec3_make(0, 0, 1));
        owned_stage s = open_stage(turn);
        lb_retarget_options options = lb_retarget_options_default();
        owned_retargeted found = walk_on_ground(&s, &options);
        assert_true(degrees_between(found.report.source_normal, normal) < 0.5);
        assert_true(degrees_between(found.report.ground_normal, normal) < 0.5);
        // made level
        options.ground_normal = lb_vec3_make(0, 0, 2);
        options.detect.ground_normal = normal;
        owned_retargeted level = walk_on_ground(&s, &options);
        assert_true(degrees_between(level.report.source_normal, normal) < 1e-6);
        assert_true(level.report.ground_normal.z == 1);
    }
}

/* from level ground up, down and across slopes: pelvises rise with the ground and stay upright */
TEST(targets_go_up_slopes)
{
    const lb_vec3 normals[] = {{-0.0875, 0, 1}, {-0.176, 0, 1}, {0.176, 0, 1}, {0.06, 0.1, 1}};
    owned_stage s = open_stage(LB_QUAT_IDENTITY);
    lb_retarget_options options = lb_retarget_options_default();
    options.ground = 0.4;
    owned_retargeted level = walk_on_ground(&s, &options);
    assert_true(level.report.source_normal.z == 1 && level.report.ground_normal.z == 1);
    for (int i = 0; i < 4; i++) {
        options.ground_normal = normals[i];
        owned_retargeted r = walk_on_ground(&s, &options);
        for (int key = 0; key < lb_clip_count(r.clip); key++) {
            const double *q = lb_clip_key(r.clip, key), *flat = lb_clip_key(level.clip, key);
            double rise = -(normals[i].x * q[0] + normals[i].y * q[1]) / normals[i].z;
            assert_near(q[2] - rise, flat[2], 0.08);
            assert_near(fabs(q[3] * flat[3] + q[4] * flat[4] + q[5] * flat[5] + q[6] * flat[6]), 1,
                        0.01);
        }
    }
}

/* turns that the legs cannot make, on slopes: what gives way is not the ground */
TEST(captures_stay_above_slopes)
{
    const char *const captures[] = {"01_01", "zombie"};
    const lb_vec3 normals[] = {{0, 0.176, 1}, {0.0875, 0, 1}};
    owned_model *target = test_load_moving("human");
    for (int i = 0; i < 2; i++) {
        real_capture capture;
        if (!open_capture(captures[i], &capture)) {
            print_message("%s: not there, skipped\n", captures[i]);
            continue;
        }
        lb_retarget_options options = lb_retarget_options_default();
        options.rest = capture.rest;
        for (int k = 0; k < FEWER(2, 1); k++) {
            options.ground_normal = normals[k];
            owned_retargeted r = put_on_ground(capture.clip, target, &options);
            assert_true(r.report.worst_penetration < 1e-3);
        }
        close_capture(&capture);
    }
}

TEST(level_ground_changes_no_bit)
{
    owned_stage s = open_stage(LB_QUAT_IDENTITY);
    lb_retarget_options options = lb_retarget_options_default();
    owned_retargeted found = walk_on_ground(&s, &options);
    size_t row = (size_t)lb_model_nq(s.target) * sizeof(double);
    static const double lengths[] = {3, 1e-300, 1e300};
    for (int i = 0; i < 3; i++) {
        options.ground_normal = options.detect.ground_normal = lb_vec3_make(0, 0, lengths[i]);
        owned_retargeted given = walk_on_ground(&s, &options);
        for (int key = 0; key < lb_clip_count(found.clip); key++)
            assert_memory_equal(lb_clip_key(found.clip, key), lb_clip_key(given.clip, key), row);
    }
}

TEST(normals_that_are_none_are_refused)
{
    const lb_vec3 wrong[] = {{0, 0, -1}, {1, 0, 0.1}, {NAN, 0, 1}, {0, INFINITY, 1}};
    owned_stage s = open_stage(LB_QUAT_IDENTITY);
    for (int i = 0; i < 8; i++) {
        lb_retarget_options options = lb_retarget_options_default();
        lb_clip *clip = NULL;
        lb_error error = {0};
        *(i < 4 ? &options.ground_normal : &options.detect.ground_normal) = wrong[i % 4];
        assert_refused(lb_retarget(s.clip, s.target, &options, NULL, &clip, NULL, NULL, &error),
                       LB_BAD_VALUE, &error, "normal");
    }
}
