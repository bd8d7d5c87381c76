/*
 * test_check.c - measures of motions with known faults: each fault is found, at its key, with its
 * size, and a motion without any has none.
 */
#include <limber/check.h>

#include "support_load.h"

enum { KEYS = 21, SPOILT = 10 };

/* a carriage on a floating root: a body and a hinge of limits -1 to 1 and speed 2 */
static lb_model *make_model(void)
{
    lb_link links[3] = {lb_link_default(), lb_link_default(), lb_link_default()};
    lb_joint joints[2] = {lb_joint_default(), lb_joint_default()};
    links[0].name = "world", links[1].name = "body", links[2].name = "arm";
    joints[0].name = "root", joints[0].parent = "world", joints[0].child = "body";
    joints[0].kind = LB_JOINT_FLOATING;
    joints[1].name = "hinge", joints[1].parent = "body", joints[1].child = "arm";
    joints[1].kind = LB_JOINT_REVOLUTE;
    for (int k = 0; k < 3; k++)
        joints[0].lower[k] = -INFINITY, joints[0].upper[k] = INFINITY;
    joints[1].lower[0] = -1, joints[1].upper[0] = 1, joints[1].velocity = 2;
    return test_make("carriage", links, 3, joints, 2);
}

/* it rests on the ground, ten keys a second; row SPOILT is changed by `value` at `place` */
static lb_check_report check_with(int place, double value, double *values)
{
    double times[KEYS], keys[KEYS * 8] = {0};
    owned_model *model = make_model();
    for (int i = 0; i < KEYS; i++) {
        times[i] = 0.1 * i;
        keys[8 * i + 3] = 1;
    }
    if (place >= 0)
        keys[8 * SPOILT + place] += value;
    owned_contacts *contacts = NULL;
    lb_contact_point foot = {.link = 1};
    lb_check_report report;
    owned_clip *clip = test_clip(model, times, keys, KEYS, LB_INTERPOLATION_LINEAR);
    assert_ok(lb_contacts_create(&foot, 1, NULL, &contacts, NULL));
    assert_ok(lb_contacts_add(contacts, 0, 0, 2, NULL));
    assert_ok(lb_clip_check(clip, contacts, NULL, NULL, values, &report, NULL));
    return report;
}

TEST(what_rests_has_no_fault)
{
    lb_check_report report = check_with(-1, 0, NULL);
    assert_int_equal(report.keys, KEYS);
    for (int i = 0; i < LB_CHECK_COUNT; i++) {
        assert_near(report.items[i].worst, 0, 1e-15);
        assert_int_equal(report.items[i].beyond, 0);
        assert_int_equal(report.items[i].key, -1);
    }
}

/* no foot ever rests: none jumps for longer than a second */
TEST(what_never_rests_floats)
{
    for (int seconds = 1; seconds <= 2; seconds++) {
        double times[2] = {0, seconds}, keys[2][8] = {{0, 0, 0.3, 1}, {0, 0, 0.5, 1}};
        owned_model *model = make_model();
        owned_contacts *contacts = NULL;
        lb_contact_point feet[2] = {{.link = 1}, {.link = 1, .at = {0, 0, 0.1}}};
        lb_check_report report;
        owned_clip *clip = test_clip(model, times, *keys, 2, LB_INTERPOLATION_LINEAR);
        assert_ok(lb_contacts_create(feet, 2, NULL, &contacts, NULL));
        assert_ok(lb_clip_check(clip, contacts, NULL, NULL, NULL, &report, NULL));
        assert_near(report.items[LB_CHECK_FLOATING].worst, seconds > 1 ? 0.5 : 0, 1e-15);
        assert_int_equal(report.items[LB_CHECK_FLOATING].beyond, seconds > 1 ? 2 : 0);
    }
}

/* what may not move is infinitely too fast where it does, and not too fast where it rests */
TEST(a_speed_of_zero_stops_a_joint)
{
    lb_joint joint = lb_joint_default();
    joint.kind = LB_JOINT_REVOLUTE;
    joint.lower[0] = -1, joint.upper[0] = 1;
    joint.velocity = 0;
    owned_model *model = test_single_joint(&joint);
    static const double times[] = {0, 0.1, 0.2}, keys[2][3] = {{0.5, 0.5, 0.5}, {0, 0, 1e-3}};
    for (int moves = 0; moves < 2; moves++) {
        lb_check_report report;
        owned_clip *clip = test_clip(model, times, keys[moves], 3, LB_INTERPOLATION_LINEAR);
        assert_ok(lb_clip_check(clip, NULL, NULL, NULL, NULL, &report, NULL));
        const lb_check_worst *item = &report.items[LB_CHECK_SPEED];
        assert_true(item->worst == (moves ? INFINITY : 0));
        assert_int_equal(item->beyond, moves);
        assert_int_equal(item->key, moves ? 2 : -1);
    }
}

/* equal keys of a ball are not quite no rotation when they are compared, nor what is between them
 */
TEST(a_ball_that_rests_is_not_too_fast)
{
    lb_random random = test_seed(7);
    lb_joint joint = lb_joint_default();
    joint.kind = LB_JOINT_BALL;
    joint.velocity = 0;
    owned_model *model = test_single_joint(&joint);
    static const double times[] = {0, 0.1, 0.2};
    for (int i = 0; i < 500; i++) {
        lb_quat turn = test_random_quat(&random);
        const double row[4] = {turn.w, turn.x, turn.y, turn.z};
        double keys[12];
        for (int k = 0; k < 12; k++)
            keys[k] = row[k % 4];
        lb_clip *clips[2] = {test_clip(model, times, keys, 3,
                                       i % 2 ? LB_INTERPOLATION_CUBIC : LB_INTERPOLATION_LINEAR)};
        assert_ok(lb_clip_resample(clips[0], 73, NULL, &clips[1], NULL));
        for (int c = 0; c < 2; c++) {
            lb_check_report report;
            assert_ok(lb_clip_check(clips[c], NULL, NULL, NULL, NULL, &report, NULL));
            const lb_check_worst *item = &report.items[LB_CHECK_SPEED];
            if (item->worst > 0 || item->beyond > 0)
                fail_msg("rotation %d, clip %d: a ball at rest is %g times too fast", i, c,
                         item->worst);
            lb_clip_release(clips[c]);
        }
    }
}

/* the change of speed counts over the time between the middles of two gaps, and at its key */
TEST(keys_may_be_uneven)
{
    lb_joint joint = lb_joint_default();
    joint.kind = LB_JOINT_REVOLUTE;
    joint.lower[0] = -9, joint.upper[0] = 9;
    owned_model *model = test_single_joint(&joint);
    static const double times[] = {0, 0.1, 0.4, 1.4}, keys[] = {0, 0.1, 0.7, 2.7};
    owned_clip *clip = test_clip(model, times, keys, 4, LB_INTERPOLATION_LINEAR);
    lb_check_report report;
    assert_ok(lb_clip_check(clip, NULL, NULL, NULL, NULL, &report, NULL));
    const lb_check_worst *item = &report.items[LB_CHECK_ACCELERATION];
    // speeds 1, 2 and 2 rad/s; the middles of the first two gaps are 0.2 s apart
    assert_near(item->worst, 5, 1e-12);
    assert_int_equal(item->key, 1);
}

/* times so near to each other that rates are beyond doubles: 0 at rest, else infinite */
TEST(keys_may_be_as_near_as_doubles_are)
{
    static const double times[] = {0, 5e-324, 1e-323, 1};
    for (int moves = 0; moves < 2; moves++) {
        double keys[4 * 8] = {0};
        owned_model *model = make_model();
        for (int i = 0; i < 4; i++)
            keys[8 * i + 3] = 1;
        keys[8 + 7] = 0.25 * moves;
        lb_check_report report;
        owned_clip *clip = test_clip(model, times, keys, 4, LB_INTERPOLATION_LINEAR);
        assert_ok(lb_clip_check(clip, NULL, NULL, NULL, NULL, &report, NULL));
        const lb_check_worst *item = &report.items[LB_CHECK_ACCELERATION];
        assert_true(item->worst == (moves ? INFINITY : 0) && item->rms == item->worst);
        assert_int_equal(item->key, moves ? 1 : -1);
    }
}

/* one fault, in one item, of one size */
static void expect(int place, double value, lb_check_item item, double size, int beyond, int where)
{
    double values[KEYS * LB_CHECK_COUNT];
    lb_check_report report = check_with(place, value, values);
    const lb_check_worst *worst = &report.items[item];
    assert_near(worst->worst, size, 1e-6);
    assert_int_equal(worst->beyond, beyond);
    assert_int_equal(worst->where, where);
    assert_true(worst->key >= SPOILT - 1 && worst->key <= SPOILT + 1);
    assert_near(values[worst->key * LB_CHECK_COUNT + (int)item], size, 1e-6);
}

TEST(each_fault_is_found)
{
    expect(0, 0.02, LB_CHECK_SLIDE, 0.02, 1, 0);
    expect(1, -0.03, LB_CHECK_SLIDE, 0.03, 1, 0);
    expect(2, 0.04, LB_CHECK_FLOATING, 0.04, 1, 0);
    expect(2, -0.05, LB_CHECK_PENETRATION, 0.05, 1, 0);
    // there and back, half as far again beside where its speeds lead: two keys; a third of 0.1 s
    expect(7, 1.2, LB_CHECK_JUMP, 0.6, 2, 1);
    expect(1, 0.3, LB_CHECK_SHIFT, 0.15, 2, 0);
    expect(7, 0.5, LB_CHECK_SPEED, 2.5, 2, 1);
    expect(7, 0.1, LB_CHECK_ACCELERATION, 20, 0, 1);
    expect(7, 1.25, LB_CHECK_POSITION, 0.25, 1, 1);
    expect(7, -1.5, LB_CHECK_POSITION, 0.5, 1, 1);
}

/* an arm that is thrown up and down by 2.5 radians in 0.3 s, with a spike in one key */
static int jumps_of(double rate, double spike)
{
    enum { MOST = 400 };
    double times[MOST], q[MOST];
    int count = (int)(3 * rate);
    assert_true(count <= MOST);
    for (int i = 0; i < count; i++) {
        double time = i / rate, u = fmod(time, 0.8) / 0.3, s = fmin(u, 1);
        double back = fmin(fmax((fmod(time, 0.8) - 0.4) / 0.3, 0), 1);
        times[i] = time;
        q[i] = 2.5 * s * s * s * (10 - 15 * s + 6 * s * s) -
               2.5 * back * back * back * (10 - 15 * back + 6 * back * back);
    }
    q[count / 2] += spike;
    lb_joint joint = lb_joint_default();
    joint.kind = LB_JOINT_REVOLUTE;
    joint.lower[0] = -9, joint.upper[0] = 9;
    owned_model *model = test_single_joint(&joint);
    owned_clip *clip = test_clip(model, times, q, count, LB_INTERPOLATION_LINEAR);
    lb_check_report report;
    assert_ok(lb_clip_check(clip, NULL, NULL, NULL, NULL, &report, NULL));
    return report.items[LB_CHECK_JUMP].beyond;
}

/* what is fast and smooth is no jump, and what jumps is found, at any rate */
TEST(jumps_do_not_depend_on_the_rate)
{
    static const double rates[] = {30, 50, 60, 120, 2.1, 5, 10, 20};
    for (int i = 0; i < 8; i++) {
        assert_int_equal(jumps_of(rates[i], 0), 0);
        if (i >= 4)
            continue;
        assert_true(jumps_of(rates[i], 0.35) > 0);
        assert_true(jumps_of(rates[i], -0.35) > 0);
    }
}

/* a hinge that rests but in one key, where it is at `value`; the jump and its key */
static lb_check_worst jump_at(int count, int key, double value)
{
    double times[9], q[9] = {0};
    for (int i = 0; i < count; i++)
        times[i] = i / 50.0;
    q[key] = value;
    lb_joint joint = lb_joint_default();
    joint.kind = LB_JOINT_REVOLUTE;
    owned_model *model = test_single_joint(&joint);
    owned_clip *clip = test_clip(model, times, q, count, LB_INTERPOLATION_LINEAR);
    lb_check_report report;
    assert_ok(lb_clip_check(clip, NULL, NULL, NULL, NULL, &report, NULL));
    return report.items[LB_CHECK_JUMP];
}

TEST(jumps_at_either_end_are_found_whole)
{
    for (int count = 3; count <= 9; count += 3) {
        lb_check_worst last = jump_at(count, count - 1, 0.9), first = jump_at(count, 0, -0.9);
        assert_near(last.worst, 0.9, 1e-12);
        assert_near(first.worst, 0.9, 1e-12);
        assert_int_equal(last.key, count - 1);
        assert_int_equal(first.key, 1);
        assert_int_equal(last.beyond, 1);
        assert_int_equal(first.beyond, 1);
    }
    // those beside an end are not the end's
    assert_int_equal(jump_at(5, 2, 0.9).beyond, 2);
    assert_near(jump_at(5, 2, 0.9).worst, 1.35, 1e-12);
    assert_near(jump_at(2, 1, 0.9).worst, 0, 0);
}

/* rotations within the limits of their balls are beyond them by nothing, not by rounding */
TEST(what_is_within_its_limits_is_not_beyond_them)
{
    enum { POSES = 60 };
    owned_model *human = test_load("human");
    lb_check_report report;
    lb_random random = test_seed(3);
    int nq = lb_model_nq(human);
    double times[POSES], *q = calloc((size_t)nq * POSES, sizeof *q);
    for (int i = 0; i < POSES; i++) {
        times[i] = i;
        lb_configuration_random(human, &random, &q[i * nq]);
        // at a limit, too
        for (int k = 0; k < nq && i % 2 == 0; k++)
            q[i * nq + k] += lb_random_between(&random, -1, 1);
        if (i % 2 == 0)
            lb_configuration_clamp(human, &q[i * nq], &q[i * nq]);
    }
    owned_clip *clip = test_clip(human, times, q, POSES, LB_INTERPOLATION_LINEAR);
    assert_ok(lb_clip_check(clip, NULL, NULL, NULL, NULL, &report, NULL));
    assert_true(report.items[LB_CHECK_POSITION].worst == 0);
    assert_int_equal(report.items[LB_CHECK_POSITION].key, -1);
    free(q);
}

/* an arm with a ball at its end that swings into the body's */
TEST(links_that_overlap_are_found)
{
    lb_geometry ball = {
        .shape = LB_SHAPE_SPHERE, .origin = LB_TRANSFORM_IDENTITY, .size = {0.1, 0, 0}};
    lb_link links[4] = {lb_link_default(), lb_link_default(), lb_link_default(), lb_link_default()};
    lb_joint joints[3] = {lb_joint_default(), lb_joint_default(), lb_joint_default()};
    const char *names[4] = {"base", "upper", "middle", "hand"};
    for (int i = 0; i < 4; i++)
        links[i].name = names[i];
    links[0].collisions = links[2].collisions = links[3].collisions = &ball;
    links[0].collision_count = links[2].collision_count = links[3].collision_count = 1;
    for (int i = 0; i < 3; i++) {
        joints[i].name = joints[i].child = names[i + 1];
        joints[i].parent = names[i];
        joints[i].kind = LB_JOINT_REVOLUTE;
        joints[i].lower[0] = -4, joints[i].upper[0] = 4;
        joints[i].placement = lb_transform_translation(0.5, 0, 0);
    }
    owned_model *model = test_make("arm", links, 4, joints, 3);
    // bent to a triangle that does not quite close, the hand is 5 cm from the base's middle
    double times[2] = {0, 1}, keys[6] = {0, 0, 0, 2 * LB_PI / 3, 2, 0};
    lb_check_options options = lb_check_options_default();
    lb_check_report report;
    owned_clip *clip = test_clip(model, times, keys, 2, LB_INTERPOLATION_LINEAR);
    assert_ok(lb_collision_create(model, NULL, NULL, NULL, &options.collision, NULL));
    assert_ok(lb_clip_check(clip, NULL, &options, NULL, NULL, &report, NULL));
    const lb_check_worst *overlap = &report.items[LB_CHECK_OVERLAP];
    lb_proximity nearest;
    double distance = lb_collision_distance(options.collision, lb_clip_key(clip, 1), &nearest);
    assert_true(distance < -0.05);
    assert_near(overlap->worst, -distance, 1e-12);
    assert_int_equal(overlap->key, 1);
    assert_int_equal(overlap->where, 0);
    assert_int_equal(overlap->beyond, 1);
    lb_collision_release(options.collision);
}

/* ---- pairs of links -------------------------------------------------------- */

enum { CHAIN = 6, POSES = 30 };

/* A chain of capsules, and where the ends of each are. */
typedef struct chain {
    lb_geometry shapes[CHAIN];
    lb_model *model;
    lb_clip *clip;
    lb_collision *collision;
} chain;

static void make_chain(chain *c, lb_random *random)
{
    static const char *const names[CHAIN] = {"a", "b", "c", "d", "e", "f"};
    lb_link links[CHAIN];
    lb_joint joints[CHAIN - 1];
    double times[POSES], keys[POSES * (CHAIN - 1)];
    for (int i = 0; i < CHAIN; i++) {
        links[i] = lb_link_default();
        links[i].name = names[i];
        links[i].collisions = &c->shapes[i];
        links[i].collision_count = 1;
        c->shapes[i] = (lb_geometry){.shape = LB_SHAPE_CAPSULE, .origin = LB_TRANSFORM_IDENTITY};
        c->shapes[i].origin.p.z = 0.15;
        c->shapes[i].size.x = lb_random_between(random, 0.04, 0.1);
        c->shapes[i].size.z = 0.3;
    }
    for (int i = 0; i + 1 < CHAIN; i++) {
        joints[i] = lb_joint_default();
        joints[i].name = joints[i].child = names[i + 1];
        joints[i].parent = names[i];
        joints[i].kind = LB_JOINT_REVOLUTE;
        joints[i].axis = i % 2 == 0 ? lb_vec3_make(1, 0, 0) : lb_vec3_make(0, 1, 0);
        joints[i].lower[0] = -2.9, joints[i].upper[0] = 2.9;
        joints[i].placement = lb_transform_translation(0, 0, 0.3);
    }
    c->model = test_make("chain", links, CHAIN, joints, CHAIN - 1);
    for (int i = 0; i < POSES; i++) {
        times[i] = i;
        lb_configuration_random(c->model, random, &keys[i * (CHAIN - 1)]);
    }
    c->clip = test_clip(c->model, times, keys, POSES, LB_INTERPOLATION_LINEAR);
    assert_ok(lb_collision_create(c->model, NULL, NULL, NULL, &c->collision, NULL));
}

/* the distance of two points, `s` and `t` of the way along two segments of 0.3 m */
static double apart(const lb_transform *a, const lb_transform *b, double s, double t)
{
    lb_vec3 p = lb_transform_point(a, lb_vec3_make(0, 0, 0.3 * s));
    lb_vec3 q = lb_transform_point(b, lb_vec3_make(0, 0, 0.3 * t));
    return lb_vec3_length(lb_vec3_sub(q, p));
}

/* the least over t: the distance is convex there, so thirds of an interval bound it */
static double nearest_along(const lb_transform *a, const lb_transform *b, double s)
{
    double low = 0, high = 1;
    for (int i = 0; i < 80; i++) {
        double x = low + (high - low) / 3, y = high - (high - low) / 3;
        if (apart(a, b, s, x) <= apart(a, b, s, y))
            high = y;
        else
            low = x;
    }
    return apart(a, b, s, low);
}

/* the distance of two capsules by thirds of both segments, without any formula for segments */
static double measured(const chain *c, const lb_state *state, int a, int b)
{
    const lb_transform *at = lb_state_transforms(state);
    double low = 0, high = 1;
    for (int i = 0; i < 80; i++) {
        double x = low + (high - low) / 3, y = high - (high - low) / 3;
        if (nearest_along(&at[a], &at[b], x) <= nearest_along(&at[a], &at[b], y))
            high = y;
        else
            low = x;
    }
    return nearest_along(&at[a], &at[b], low) - c->shapes[a].size.x - c->shapes[b].size.x;
}

/* what is said of a pair is what measuring it key by key gives */
static void check_pair(const chain *c, int a, int b, double margin, const lb_check_pair *said)
{
    double least = INFINITY;
    int near = 0, touching = 0;
    owned_state *state = test_state(c->model);
    for (int key = 0; key < POSES; key++) {
        lb_state_update(state, lb_clip_key(c->clip, key));
        double distance = measured(c, state, a, b);
        near += distance <= margin;
        touching += distance <= 0;
        least = fmin(least, distance);
    }
    assert_int_equal(said->near, near);
    assert_int_equal(said->touching, touching);
    assert_true(said->key >= 0 || near == 0);
    // where two axes meet thirds are only as near as rounding allows
    if (near > 0)
        assert_near(said->distance, least, 1e-7);
    else
        assert_true(said->distance == INFINITY);
}

TEST(pairs_are_those_that_measuring_finds)
{
    lb_random random = test_seed(11);
    static const double margins[] = {0, 0.05, 10};
    int touching = 0, near = 0;
    for (size_t m = 0; m < 3; m++) {
        chain c;
        make_chain(&c, &random);
        int count = lb_collision_pair_count(c.collision), a, b;
        lb_check_pair *pairs = calloc((size_t)count, sizeof *pairs);
        assert_ok(lb_clip_check_pairs(c.clip, c.collision, margins[m], NULL, pairs, NULL));
        for (int i = 0; i < count; i++) {
            if (lb_collision_pair_at(c.collision, i, &a, &b) == LB_PAIR_CHECKED)
                check_pair(&c, a, b, margins[m], &pairs[i]);
            else
                assert_int_equal(pairs[i].near, 0);
            touching += pairs[i].touching;
            near += pairs[i].near;
        }
        lb_error error = {0};
        assert_refused(lb_clip_check_pairs(c.clip, c.collision, -1, NULL, pairs, &error),
                       LB_BAD_VALUE, &error, "margin -1");
        free(pairs);
        lb_collision_release(c.collision);
        lb_clip_release(c.clip);
        lb_model_release(c.model);
    }
    print_message("%d touching, %d near\n", touching, near);
    assert_true(touching > 10 && near > touching + 10);
}

TEST(collisions_of_other_models_are_refused)
{
    lb_random random = test_seed(12);
    chain one, two;
    make_chain(&one, &random);
    make_chain(&two, &random);
    lb_check_options options = lb_check_options_default();
    lb_check_report report;
    lb_check_pair pairs[CHAIN * CHAIN];
    options.collision = two.collision;
    assert_int_equal(lb_clip_check(one.clip, NULL, &options, NULL, NULL, &report, &cause),
                     LB_INVALID_ARGUMENT);
    assert_string_equal(cause.message, "collision is of another model");
    assert_int_equal(lb_clip_check_pairs(one.clip, two.collision, 0, NULL, pairs, &cause),
                     LB_INVALID_ARGUMENT);
    assert_string_equal(cause.message, "collision is of another model");
    const chain *all[] = {&one, &two};
    for (int i = 0; i < 2; i++) {
        lb_collision_release(all[i]->collision);
        lb_clip_release(all[i]->clip);
        lb_model_release(all[i]->model);
    }
}

TEST(contacts_of_other_models_are_refused)
{
    owned_model *model = make_model();
    double q[8] = {0, 0, 0, 1}, time = 0;
    owned_contacts *contacts = NULL;
    lb_contact_point foot = {.link = 7};
    lb_check_report report;
    owned_clip *clip = test_clip(model, &time, q, 1, LB_INTERPOLATION_LINEAR);
    assert_ok(lb_contacts_create(&foot, 1, NULL, &contacts, NULL));
    assert_refused(lb_clip_check(clip, contacts, NULL, NULL, NULL, &report, &cause),
                   LB_INVALID_ARGUMENT, &cause, "7");
}

/* what moves along a slope slides, what leaves it along its normal floats or enters it */
TEST(slopes_are_measured_along_their_normals)
{
    const lb_vec3 moves[] = {{0.8, 0, 0.6}, {-0.6, 0, 0.8}, {0.6, 0, -0.8}, {0, 1, 0}};
    const lb_check_item items[] = {LB_CHECK_SLIDE, LB_CHECK_FLOATING, LB_CHECK_PENETRATION,
                                   LB_CHECK_SLIDE};
    owned_model *model = make_model();
    lb_contact_point foot = {.link = 1};
    owned_contacts *contacts = NULL;
    assert_ok(lb_contacts_create(&foot, 1, NULL, &contacts, NULL));
    assert_ok(lb_contacts_add(contacts, 0, 0, 2, NULL));
    for (int i = 0; i < 4; i++) {
        double times[2] = {0, 1};
        // from (0, 0, 2) on the plane z = 2 + 0.75 x, by 5 cm
        double keys[16] = {0, 0, 2, 1};
        memcpy(keys + 8, keys, 8 * sizeof *keys);
        keys[8] = 0.05 * moves[i].x, keys[9] = 0.05 * moves[i].y, keys[10] += 0.05 * moves[i].z;
        lb_check_report report;
        lb_check_options options = lb_check_options_default();
        options.ground = 2;
        options.ground_normal = lb_vec3_make(-3, 0, 4);
        owned_clip *clip = test_clip(model, times, keys, 2, LB_INTERPOLATION_LINEAR);
        assert_ok(lb_clip_check(clip, contacts, &options, NULL, NULL, &report, NULL));
        for (int k = LB_CHECK_SLIDE; k <= LB_CHECK_PENETRATION; k++)
            assert_near(report.items[k].worst, k == (int)items[i] ? 0.05 : 0, 1e-12);
        options.ground_normal = lb_vec3_make(0, 0, -1);
        assert_int_equal(lb_clip_check(clip, contacts, &options, NULL, NULL, &report, NULL),
                         LB_BAD_VALUE);
    }
}
