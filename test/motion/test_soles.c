/*
 * test_soles.c - all of a foot's sole: feet that roll do not enter the ground with an edge, and
 * what does is measured. Depths are found here from points all over the shapes' surfaces.
 */
#include <limber/check.h>
#include <limber/gait.h>
#include <limber/retarget.h>

#include "motion/contacts.h"
#include "motion/retargeted.h"
#include "support_load.h"

#include <string.h>

/* z of the soles in the feet of `human` */
#define BOTTOM (-0.0683)
#define MOST_SHAPES 4

static lb_error error;

/* Shapes of a foot. */
typedef struct foot_shapes {
    lb_geometry shapes[MOST_SHAPES];
    int count;
} foot_shapes;

static void add_shape(foot_shapes *foot, lb_shape kind, lb_vec3 size, lb_transform at)
{
    foot->shapes[foot->count++] = (lb_geometry){.shape = kind, .size = size, .origin = at};
}

/* four spheres, a box, two cylinders or two capsules along the foot, or two upright cylinders:
   `kind` 0 to 4. So long before and behind the ankle, half as wide */
static foot_shapes make_foot(int kind, double back, double front, double wide, double radius)
{
    foot_shapes foot = {.count = 0};
    lb_transform along = lb_transform_from_quat(
        lb_quat_from_axis_angle(lb_vec3_make(0, 1, 0), 0.5 * LB_PI), lb_vec3_make(0, 0, 0));
    lb_vec3 size = {radius, 0, front + back};
    for (int i = 0; i < 4; i++) {
        lb_transform at =
            lb_transform_translation(i & 1 ? front : -back, i & 2 ? wide : -wide, BOTTOM + radius);
        if (kind == 0)
            add_shape(&foot, LB_SHAPE_SPHERE, size, at);
        at.p.x = 0.5 * (front - back);
        along.p = at.p;
        if (i & 1 && (kind == 2 || kind == 3))
            add_shape(&foot, kind == 2 ? LB_SHAPE_CYLINDER : LB_SHAPE_CAPSULE, size, along);
        at.p = lb_vec3_make(i & 1 ? front : -back, 0, BOTTOM + 0.01);
        if (i < 2 && kind == 4)
            add_shape(&foot, LB_SHAPE_CYLINDER, lb_vec3_make(wide, 0, 0.02), at);
    }
    if (kind == 1)
        add_shape(&foot, LB_SHAPE_BOX, lb_vec3_make(front + back, 2 * wide, 0.03),
                  lb_transform_translation(0.5 * (front - back), 0, BOTTOM + 0.015));
    return foot;
}

static foot_shapes make_random_foot(int kind, lb_random *random)
{
    double back = 0.03 + 0.05 * lb_random_unit(random);
    double front = 0.1 + 0.1 * lb_random_unit(random);
    double wide = 0.02 + 0.04 * lb_random_unit(random);
    return make_foot(kind, back, front, wide, 0.005 + 0.02 * lb_random_unit(random));
}

/* `human` on such feet, whose looks are gone; `lame`: they are never level, and elbows are slow */
static lb_model *stand_on(const foot_shapes *foot, bool lame)
{
    owned_model *human = test_load_moving("human");
    int links = lb_model_link_count(human), joints = lb_model_joint_count(human);
    owned lb_link *other = calloc((size_t)links, sizeof *other);
    owned lb_joint *same = calloc((size_t)joints, sizeof *same);
    lb_model *made = NULL;
    for (int i = 0; i < links; i++) {
        other[i] = *lb_model_link(human, i);
        if (strstr(other[i].name, "_foot") == NULL)
            continue;
        other[i].visual_count = 0;
        other[i].collisions = foot->shapes;
        other[i].collision_count = foot->count;
    }
    for (int i = 0; i < joints; i++) {
        same[i] = *lb_model_joint(human, i);
        if (lame && strstr(same[i].name, "_ankle") != NULL)
            same[i].lower[1] = 0.1, same[i].upper[1] = 0.3;
        if (lame && strstr(same[i].name, "_elbow") != NULL)
            same[i].velocity = 0.1;
    }
    lb_model_source source = {.name = "stander",
                              .root = lb_model_root(human),
                              .links = other,
                              .link_count = links,
                              .joints = same,
                              .joint_count = joints};
    assert_ok(lb_model_build(&source, NULL, &made, &error));
    return made;
}

/* the least height of a shape above the ground through the origin, by points of its surface */
static double find_low(const lb_geometry *shape, const lb_transform *link, lb_vec3 normal)
{
    enum { AROUND = 5760 };
    lb_transform at = lb_transform_multiply(link, &shape->origin);
    lb_vec3 half = lb_vec3_scale(shape->size, 0.5);
    bool box = shape->shape == LB_SHAPE_BOX, disc = shape->shape == LB_SHAPE_CYLINDER;
    double low = INFINITY;
    for (int i = 0; i < (box ? 8 : AROUND); i++) {
        double angle = 4 * LB_PI * i / AROUND, r = shape->size.x;
        double end = i % 2 ? half.z : -half.z;
        lb_vec3 p = {0, 0, shape->shape == LB_SHAPE_SPHERE ? 0 : end};
        if (disc)
            p = lb_vec3_make(r * lb_cos(angle), r * lb_sin(angle), end);
        if (box)
            p = lb_vec3_make(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                             i & 4 ? half.z : -half.z);
        double height = lb_vec3_dot(lb_transform_point(&at, p), normal);
        low = fmin(low, box || disc ? height : height - r);
    }
    return low;
}

/* how deep both feet are in the ground in a configuration */
static double find_depth(const lb_model *model, const foot_shapes *foot, const double *q,
                         lb_vec3 normal)
{
    lb_state *state = NULL;
    double low = 0;
    assert_ok(lb_state_create(model, NULL, &state));
    lb_state_update(state, q);
    for (int side = 0; side < 2; side++) {
        int link = lb_model_find_link(model, side ? "right_foot" : "left_foot");
        for (int i = 0; i < foot->count; i++)
            low = fmin(low, find_low(&foot->shapes[i], &lb_state_transforms(state)[link], normal));
    }
    lb_state_release(state);
    return -low;
}

static int find_roll(const lb_model *model, int side)
{
    int joint = lb_model_find_joint(model, side ? "right_ankle" : "left_ankle");
    return lb_model_joint_q(model, joint) + 1;
}

/* `human` walks, and its feet roll to and fro */
static lb_clip *walk_rolling(const lb_model *model, double by, double phase, lb_contacts **contacts)
{
    lb_clip *walk = NULL;
    assert_made(lb_gait_walk(model, NULL, NULL, &walk, contacts, &error), error);
    int count = lb_clip_count(walk);
    size_t nq = (size_t)lb_model_nq(model);
    owned double *keys = calloc((size_t)count * nq, sizeof *keys);
    for (int i = 0; i < count; i++) {
        memcpy(keys + (size_t)i * nq, lb_clip_key(walk, i), nq * sizeof *keys);
        for (int side = 0; side < 2; side++)
            keys[(size_t)i * nq + (size_t)find_roll(model, side)] +=
                by * lb_sin(7 * lb_clip_times(walk)[i] + phase + side);
    }
    lb_clip *made = test_clip(model, lb_clip_times(walk), keys, count, LB_INTERPOLATION_LINEAR);
    lb_clip_release(walk);
    return made;
}

/* of every kind of foot; what the report and check say is what is */
TEST(no_edge_of_a_sole_is_below_the_ground)
{
    owned_model *human = test_load_moving("human");
    lb_random random = test_seed(71);
    const lb_vec3 up = {0, 0, 1};
    for (int i = 0; i < 15; i++) {
        foot_shapes foot = make_random_foot(i % 5, &random);
        owned_model *target = stand_on(&foot, i >= 10);
        owned_contacts *held = NULL;
        owned_clip *clip = walk_rolling(human, 0.3, lb_random_unit(&random), &held);
        lb_retarget_options options = lb_retarget_options_default();
        options.contacts = held;
        owned_retargeted r = retarget(clip, target, &options);
        double depth = 0;
        for (int k = 0; k < lb_clip_count(r.clip); k++)
            depth = fmax(depth, find_depth(target, &foot, lb_clip_key(r.clip, k), up));
        assert_true(depth < 1e-3);
        assert_near(r.report.worst_penetration, depth, 1e-6);
        assert_near(worst(&r, LB_CHECK_PENETRATION), depth, 1e-6);
        assert_true(worst(&r, LB_CHECK_SLIDE) < 1e-3 && r.report.worst_slide < 1e-3);
        assert_int_equal(r.check.items[LB_CHECK_FLOATING].beyond, 0);
        assert_true((r.report.slowed > 0) == (i >= 10));
    }
}

/* of feet that are turned in any way, on ground that slopes */
TEST(depths_are_those_of_the_shapes)
{
    lb_random random = test_seed(72);
    lb_check_options options = lb_check_options_default();
    for (int i = 0; i < 40; i++) {
        foot_shapes foot = make_random_foot(i % 5, &random);
        owned_model *model = stand_on(&foot, false);
        owned_clip *clip = test_random_clip(model, 5, &random);
        owned_contacts *soles = NULL;
        lb_check_report report;
        double values[5 * LB_CHECK_COUNT];
        assert_ok(lb_rig_soles(model, NULL, NULL, &soles, &error));
        options.ground_normal = lb_vec3_make(0.4 * lb_random_unit(&random), -0.1, 1);
        lb_vec3 normal = lb_vec3_normalize(options.ground_normal, lb_vec3_make(0, 0, 1));
        assert_ok(lb_clip_check(clip, soles, &options, NULL, values, &report, &error));
        for (int k = 0; k < 5; k++)
            assert_near(values[k * LB_CHECK_COUNT + LB_CHECK_PENETRATION],
                        find_depth(model, &foot, lb_clip_key(clip, k), normal), 1e-6);
    }
}

/* a walk without a fault passes; an ankle that rolls in one key of it does not, though heel and toe
   rise */
TEST(a_sunk_edge_is_found)
{
    foot_shapes foot = make_foot(0, 0.069, 0.1995, 0.03, 0.002);
    owned_model *model = stand_on(&foot, false);
    owned_contacts *held = NULL;
    owned_clip *walk = walk_rolling(model, 0, 0, &held);
    lb_check_report report;
    assert_ok(lb_clip_check(walk, held, NULL, NULL, NULL, &report, &error));
    assert_int_equal(report.items[LB_CHECK_PENETRATION].beyond, 0);
    assert_int_equal(report.items[LB_CHECK_SLIDE].beyond, 0);
    // the first key that has all of the left foot on the ground
    int key = 0, count = lb_clip_count(walk);
    while (lb_contacts_at(held, 0, lb_clip_times(walk)[key]) == NULL ||
           lb_contacts_at(held, 1, lb_clip_times(walk)[key]) == NULL)
        key++;
    size_t nq = (size_t)lb_model_nq(model);
    owned double *keys = calloc((size_t)count * nq, sizeof *keys);
    for (int i = 0; i < count; i++)
        memcpy(keys + (size_t)i * nq, lb_clip_key(walk, i), nq * sizeof *keys);
    keys[(size_t)key * nq + (size_t)find_roll(model, 0)] += 0.1;
    owned_clip *sunk = test_clip(model, lb_clip_times(walk), keys, count, LB_INTERPOLATION_LINEAR);
    assert_ok(lb_clip_check(sunk, held, NULL, NULL, NULL, &report, &error));
    assert_int_equal(report.items[LB_CHECK_PENETRATION].beyond, 1);
    assert_int_equal(report.items[LB_CHECK_PENETRATION].key, key);
    assert_near(report.items[LB_CHECK_PENETRATION].worst,
                find_depth(model, &foot, keys + (size_t)key * nq, lb_vec3_make(0, 0, 1)), 1e-9);
    assert_true(report.items[LB_CHECK_PENETRATION].worst > 2e-3);
    // the edge that is down is no float of the heel that is up
    assert_true(report.items[LB_CHECK_FLOATING].worst < 1e-3);
}

/* a wide foot that turns about its middle: its corners slide farther than heel and toe; one whose
   contacts were detected may turn */
TEST(corners_slide)
{
    const double back = 0.06, front = 0.16, wide = 0.2, by = 0.02;
    foot_shapes foot = make_foot(0, back, front, wide, 0.005);
    owned_model *model = stand_on(&foot, false);
    owned_contacts *soles = NULL;
    size_t nq = (size_t)lb_model_nq(model);
    owned double *keys = calloc(2 * nq, sizeof *keys);
    lb_check_report report;
    owned_state *state = NULL;
    assert_ok(lb_rig_soles(model, NULL, NULL, &soles, &error));
    assert_ok(lb_state_create(model, NULL, &state));
    // the left foot's heel and toe are held while the figure turns about the middle of the two
    lb_configuration_neutral(model, keys);
    lb_state_update(state, keys);
    const lb_contact_point *points = lb_contacts_points(soles);
    lb_vec3 middle =
        lb_vec3_scale(lb_vec3_add(lb_state_point(state, points[0].link, LB_WORLD, points[0].at),
                                  lb_state_point(state, points[1].link, LB_WORLD, points[1].at)),
                      0.5);
    for (int i = 0; i < 2; i++)
        assert_ok(lb_contacts_add(soles, i, 0, 1, &error));
    lb_vec3 root = lb_vec3_make(keys[0], keys[1], 0);
    keys[2] -= middle.z;
    middle.z = 0;
    memcpy(keys + nq, keys, nq * sizeof *keys);
    lb_quat turn = lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), by);
    lb_vec3 moved = lb_vec3_add(middle, lb_quat_rotate(turn, lb_vec3_sub(root, middle)));
    keys[nq] = moved.x, keys[nq + 1] = moved.y;
    keys[nq + 3] = turn.w, keys[nq + 4] = turn.x, keys[nq + 5] = turn.y, keys[nq + 6] = turn.z;
    owned_clip *clip = test_clip(model, (double[]){0, 1}, keys, 2, LB_INTERPOLATION_LINEAR);
    assert_ok(lb_clip_check(clip, soles, NULL, NULL, NULL, &report, &error));
    double half = 0.5 * (front + back), corner = sqrt(half * half + wide * wide);
    assert_near(report.items[LB_CHECK_SLIDE].worst, 2 * lb_sin(0.5 * by) * corner, 1e-9);
    soles->resolution = 1e-3;
    assert_ok(lb_clip_check(clip, soles, NULL, NULL, NULL, &report, &error));
    assert_near(report.items[LB_CHECK_SLIDE].worst, 0, 1e-12);
}

/* without memory, refused at each allocation and nothing left behind */
TEST(checks_without_memory_are_refused)
{
    foot_shapes foot = make_foot(2, 0.05, 0.15, 0.03, 0.01);
    owned_model *model = stand_on(&foot, false);
    lb_random random = test_seed(73);
    owned_clip *clip = test_random_clip(model, 3, &random);
    owned_contacts *soles = NULL;
    assert_ok(lb_rig_soles(model, NULL, NULL, &soles, &error));
    ALLOCATIONS_FAIL (failing, 1000) {
        lb_check_report report;
        failing.status =
            lb_clip_check(clip, soles, NULL, &failing.allocator, NULL, &report, &error);
    }
}
