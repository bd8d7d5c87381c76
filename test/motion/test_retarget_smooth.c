/*
 * test_retarget_smooth.c - a whole motion solved as one problem against its frames by themselves:
 * no less like the source, no contact or limit given up, and far calmer.
 */
#include <limber/check.h>
#include <limber/fidelity.h>
#include <limber/retarget.h>

#include "motion/retargeted.h"
#include "motion/walker.h"
#include "support_load.h"

#include <string.h>

static retargeted retarget_at(const lb_clip *source, const lb_model *target, double hertz)
{
    lb_retarget_options options = lb_retarget_options_default();
    options.smooth = hertz;
    return retarget(source, target, &options);
}

/* the mean error of a clip's limbs, radians */
static double unlike(const retargeted *r, const lb_clip *source)
{
    static const lb_fidelity_item limbs[] = {LB_FIDELITY_LEFT_ARM, LB_FIDELITY_RIGHT_ARM,
                                             LB_FIDELITY_LEFT_LEG, LB_FIDELITY_RIGHT_LEG};
    lb_fidelity_report report;
    double sum = 0;
    assert_ok(lb_clip_fidelity(r->clip, source, NULL, NULL, NULL, &report, NULL));
    for (int i = 0; i < 4; i++)
        sum += report.items[limbs[i]].mean / 4;
    return sum;
}

/* arms and a head that jerk: their directions change at once, four times a second */
static bool jerk(void *user, int key, double *time, double *q)
{
    *time = key / 60.0;
    walker_at(user, WALKER_T, *time, q);
    double angle = key / 15 % 2 ? 0.5 : -0.5;
    lb_quat turn = lb_quat_from_axis_angle(lb_vec3_make(0, 1, 0), angle);
    walker_set(user, "LeftArm", turn, q);
    walker_set(user, "RightForeArm", turn, q);
    return true;
}

static const char *const figures[] = {"human", "biped"};

TEST(nothing_jerks_and_nothing_is_given_up)
{
    owned_model *source = walker_model(WALKER_T);
    owned_clip *walk = walker_clip(source, WALKER_T, 3, 60);
    owned_clip *jerks = test_clip_generate(source, 180, jerk, source);
    const lb_clip *clips[] = {walk, jerks};
    for (int f = 0; f < 2; f++)
        for (int c = 0; c < 2; c++) {
            owned_model *target = test_load_moving(figures[f]);
            owned_retargeted fast = retarget_at(clips[c], target, 0);
            owned_retargeted calm = retarget_at(clips[c], target, 8);
            double before = worst(&fast, LB_CHECK_ACCELERATION);
            assert_true(worst(&calm, LB_CHECK_ACCELERATION) < (c ? 0.5 : 1) * before);
            assert_true(worst(&calm, LB_CHECK_SLIDE) < 1e-4);
            assert_true(worst(&calm, LB_CHECK_FLOATING) < 1e-4);
            assert_true(worst(&calm, LB_CHECK_PENETRATION) < 2e-4);
            assert_int_equal(calm.check.items[LB_CHECK_SPEED].beyond, 0);
            assert_int_equal(calm.check.items[LB_CHECK_POSITION].beyond, 0);
            assert_int_equal(calm.report.held, fast.report.held);
            assert_true(calm.report.smoothed && !fast.report.smoothed);
            if (c == 0)
                assert_true(unlike(&calm, clips[c]) < unlike(&fast, clips[c]) + 0.02);
        }
}

/* a lower frequency is calmer, a higher one nearer to the source */
TEST(the_frequency_decides)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("human");
    owned_clip *clip = test_clip_generate(source, 180, jerk, source);
    double calmest = 0, nearest = INFINITY;
    for (double hertz = 2; hertz <= 32; hertz *= 4) {
        owned_retargeted r = retarget_at(clip, target, hertz);
        double acceleration = r.check.items[LB_CHECK_ACCELERATION].rms, off = unlike(&r, clip);
        assert_true(acceleration > calmest && off < nearest);
        calmest = acceleration, nearest = off;
    }
}

/* a motion is solved window by window: what comes later than some seconds has no effect */
TEST(a_beginning_is_that_of_a_longer_motion)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("biped");
    owned_clip *all = walker_clip(source, WALKER_T, 24, 30), *part = NULL;
    assert_ok(lb_clip_slice(all, 0, 18, NULL, &part, NULL));
    // contacts at the end of a clip are others
    retargeted whole = retarget_at(all, target, 8), first = retarget_at(part, target, 8);
    double v[64], most = 0;
    assert_in_range(lb_model_nv(target), 1, 64);
    for (int key = 0; key < 30 * 12; key++) {
        lb_configuration_difference(target, lb_clip_key(whole.clip, key),
                                    lb_clip_key(first.clip, key), v);
        for (int k = 0; k < lb_model_nv(target); k++)
            most = fmax(most, fabs(v[k]));
    }
    assert_true(most < 1e-4);
    release_retargeted(&first);
    release_retargeted(&whole);
}

/* a motion that is too fast by far: speeds are kept, and places of feet as far as legs can */
TEST(speeds_are_kept_by_what_is_smoothed)
{
    owned_model *source = walker_model(WALKER_T), *robot = test_load_moving("biped");
    owned_clip *clip = walker_clip(source, WALKER_T, 6, 60), *fast = NULL;
    for (double speed = 4; speed <= 12; speed += 4) {
        assert_ok(lb_clip_retime(clip, 0, speed, NULL, &fast, NULL));
        retargeted r = retarget_at(fast, robot, 16);
        assert_int_equal(r.check.items[LB_CHECK_SPEED].beyond, 0);
        assert_true(worst(&r, LB_CHECK_SLIDE) < 2e-4);
        assert_true(r.report.fastest <= 1 || r.report.slowed > 0);
        release_retargeted(&r);
        lb_clip_release(fast);
        fast = NULL;
    }
}

/* the biped whose right hip follows the left one, as those of NAO do */
static lb_model *coupled_biped(const lb_model *model)
{
    enum { MOST = 40 };
    int count = lb_model_joint_count(model);
    lb_joint joints[MOST];
    lb_link links[MOST + 1];
    assert_true(count <= MOST);
    for (int i = 0; i <= count; i++)
        links[i] = *lb_model_link(model, i);
    for (int i = 0; i < count; i++) {
        joints[i] = *lb_model_joint(model, i);
        if (strcmp(joints[i].name, "right_hip_yaw") == 0) {
            joints[i].mimic = "left_hip_yaw";
            joints[i].multiplier = -1;
        }
    }
    return test_make("coupled", links, count + 1, joints, count);
}

/* joints that follow others in another limb are smoothed with these */
TEST(coupled_legs_are_smoothed)
{
    owned_model *source = walker_model(WALKER_T), *robot = test_load_moving("biped");
    owned_model *coupled = coupled_biped(robot);
    owned_clip *jerks = test_clip_generate(source, 180, jerk, source);
    owned_retargeted fast = retarget_at(jerks, coupled, 0), calm = retarget_at(jerks, coupled, 8);
    assert_true(calm.report.smoothed);
    assert_true(worst(&calm, LB_CHECK_ACCELERATION) < 0.5 * worst(&fast, LB_CHECK_ACCELERATION));
    assert_true(worst(&calm, LB_CHECK_SLIDE) < 1e-4);
    assert_true(worst(&calm, LB_CHECK_PENETRATION) < 2e-4);
    assert_int_equal(calm.check.items[LB_CHECK_SPEED].beyond, 0);
    assert_int_equal(calm.check.items[LB_CHECK_POSITION].beyond, 0);
    assert_true(unlike(&calm, jerks) < unlike(&fast, jerks) + 0.02);
}

/* a key's largest acceleration over a limit, by differences of values of single joints */
static double over_limit(const lb_clip *clip, int from, double limit)
{
    double most = 0;
    for (int key = 1; key + 1 < lb_clip_count(clip); key++) {
        const double *before = lb_clip_key(clip, key - 1), *now = lb_clip_key(clip, key);
        const double *after = lb_clip_key(clip, key + 1), *time = lb_clip_times(clip) + key;
        double came = time[0] - time[-1], goes = time[1] - time[0];
        for (int i = from; i < lb_model_nq(lb_clip_model(clip)); i++)
            most = fmax(most, fabs((after[i] - now[i]) / goes - (now[i] - before[i]) / came) /
                                  (0.5 * (came + goes) * limit));
    }
    return most;
}

/* in all frames, at the rate of the grid, twice that and an uneven one, by one number for all
   joints or by one for each */
TEST(accelerations_are_kept)
{
    owned_model *source = walker_model(WALKER_T), *robot = test_load_moving("biped");
    owned_clip *clip = test_clip_generate(source, 180, jerk, source);
    double limits[64];
    assert_in_range(lb_model_joint_count(robot), 1, 64);
    for (int i = 0; i < 64; i++)
        limits[i] = 30;
    for (int i = 0; i < FEWER(6, 2); i++) {
        lb_retarget_options options = lb_retarget_options_default();
        options.rate = i % 3 == 0 ? 0 : i % 3 == 1 ? 30 : 77;
        options.acceleration = i < 3 ? 30 : 1e3;
        options.accelerations = i < 3 ? NULL : limits;
        owned_retargeted r = retarget(clip, robot, &options);
        assert_true(r.report.acceleration <= 1 && r.report.acceleration > 0.5);
        assert_true(fabs(over_limit(r.clip, 7, 30) - r.report.acceleration) < 1e-6);
        assert_int_equal(r.report.accelerated, 0);
        assert_int_equal(r.check.items[LB_CHECK_SPEED].beyond, 0);
        assert_int_equal(r.check.items[LB_CHECK_POSITION].beyond, 0);
        assert_true(worst(&r, LB_CHECK_SLIDE) < 1e-4);
        assert_true(worst(&r, LB_CHECK_PENETRATION) < 2e-4);
        // frames for themselves do not keep them, and say so
        options.smooth = 0;
        owned_retargeted fast = retarget(clip, robot, &options);
        assert_true(fast.report.accelerated > 0);
        assert_true(fabs(over_limit(fast.clip, 7, 30) - fast.report.acceleration) < 1e-6);
    }
}

/* balls have a limit of all their turn: check measures it */
TEST(accelerations_of_balls_are_kept)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("human");
    owned_clip *clip = test_clip_generate(source, 90, jerk, source);
    lb_retarget_options options = lb_retarget_options_default();
    options.acceleration = 40;
    owned_retargeted r = retarget(clip, target, &options);
    assert_true(worst(&r, LB_CHECK_ACCELERATION) < 40 * (1 + 1e-9));
    assert_true(fabs(worst(&r, LB_CHECK_ACCELERATION) / 40 - r.report.acceleration) < 1e-6);
    assert_int_equal(r.report.accelerated, 0);
}

/* legs that would have to be far quicker: joints keep their limits, feet give way, and the report
   has it */
TEST(feet_give_way_to_accelerations)
{
    owned_model *source = walker_model(WALKER_T), *robot = test_load_moving("biped");
    owned_clip *clip = walker_clip(source, WALKER_T, 4, 60);
    lb_retarget_options options = lb_retarget_options_default();
    options.acceleration = 2;
    owned_retargeted r = retarget(clip, robot, &options);
    assert_int_equal(r.report.accelerated, 0);
    assert_true(r.report.acceleration <= 1);
    assert_int_equal(r.check.items[LB_CHECK_POSITION].beyond, 0);
    assert_true(worst(&r, LB_CHECK_SLIDE) < 1e-4 || r.report.worst_slide > 0.5e-4);
}

TEST(no_acceleration_or_frequency_is_refused)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("biped");
    owned_clip *clip = walker_clip(source, WALKER_T, 1, 30);
    const double wrong[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 6; i++) {
        lb_retarget_options options = lb_retarget_options_default();
        lb_clip *made = NULL;
        *(i < 3 ? &options.acceleration : &options.smooth) = wrong[i % 3];
        assert_int_equal(lb_retarget(clip, target, &options, NULL, &made, NULL, NULL, NULL),
                         LB_BAD_VALUE);
        assert_null(made);
    }
}

/* ---- figures whose motion is known ------------------------------------------------------ */

/* A trunk that moves freely and what it carries: joints of a kind at a place, about or along x. */
typedef struct bench_joint {
    lb_joint_kind kind;
    int parent;
    double y, most, swing;
    bool about_z;
} bench_joint;

/* with lengths in some unit */
static lb_model *make_bench(const bench_joint *of, int count, double unit)
{
    enum { MOST = 8 };
    static const char *const names[] = {"world", "trunk", "a", "b", "c", "d", "e", "f", "g"};
    lb_link links[MOST + 1];
    lb_joint joints[MOST];
    lb_model *model = NULL;
    for (int i = 0; i <= count; i++) {
        links[i] = lb_link_default();
        links[i].name = names[i];
    }
    for (int i = 0; i < count; i++) {
        lb_joint *joint = &joints[i];
        *joint = lb_joint_default();
        joint->name = joint->child = names[i + 1];
        joint->parent = names[of[i].parent];
        joint->kind = of[i].kind;
        joint->axis = of[i].about_z ? lb_vec3_make(0, 0, 1) : lb_vec3_make(1, 0, 0);
        joint->placement = lb_transform_translation(0, of[i].y * unit, 0);
        joint->upper[0] = of[i].most, joint->lower[0] = -of[i].most;
        joint->upper[1] = of[i].swing;
    }
    lb_model_source source = {.name = "bench",
                              .root = LB_TRANSFORM_IDENTITY,
                              .links = links,
                              .link_count = count + 1,
                              .joints = joints,
                              .joint_count = count};
    assert_made(lb_model_build(&source, NULL, &model, &cause), cause);
    return model;
}

static lb_retarget_pair bench_pair(int link, double position, double orientation, double direction)
{
    lb_retarget_pair pair = lb_retarget_pair_make(LB_ROLE_COUNT, link, link);
    pair.position = position, pair.orientation = orientation, pair.direction = direction;
    pair.aligned = true;
    pair.rotation = LB_QUAT_IDENTITY;
    pair.axis = lb_vec3_make(0, 1, 0);
    return pair;
}

static retargeted retarget_bench(const lb_clip *clip, const lb_model *target, double hertz,
                                 lb_retarget_map *map)
{
    lb_retarget_options options = lb_retarget_options_default();
    map->scale = map->root_scale = 1;
    options.map = map;
    options.smooth = hertz;
    return retarget(clip, target, &options);
}

/* of the trunk turned half round, with a link that slides and two hinges that carry an arm: all
   swings, the arm is raised for a while, all swings where a window ends and the next begins */
enum { TURN = 3, SLIDE = 7, UPPER, LOWER, SWUNG = 60, RESTS = 150, RAISED = 210, KEYS = 300 };

#define HERTZ 4.0

static double swing_at(int key)
{
    return key < SWUNG || key > RAISED ? lb_sin(2 * LB_PI * HERTZ * key / 30) : 0;
}

static bool swing(void *user, int key, double *time, double *q)
{
    double unit = *(double *)user, by = swing_at(key), half = 0.5 * LB_PI + 0.05 * by;
    double raised = key > RESTS && key < RAISED ? 1.2 : 0;
    const double values[] = {[0] = 0.1 * unit * by,
                             [TURN] = lb_cos(half),
                             [TURN + 1] = lb_sin(half),
                             [SLIDE] = -0.05 * unit * by,
                             [LOWER] = 0.2 * by + raised};
    *time = key / 30.0;
    memcpy(q, values, sizeof values);
    return true;
}

/* what swings of the root and of a joint become whose acceleration counts `joint`, by the normal
   equations of the two */
static void answer(double root_goal, double joint_goal, double joint, double is[2])
{
    double turn = 2 * LB_PI * HERTZ / 30, chord = 2 - 2 * lb_cos(turn);
    double a = chord * chord / (turn * turn * turn * turn);
    double root = 2 + 10 * a, own = 1 + joint * a, det = root * own - 1;
    is[0] = ((2 * root_goal + joint_goal) * own - root_goal - joint_goal) / det;
    is[1] = ((root_goal + joint_goal) * root - 2 * root_goal - joint_goal) / det;
}

/* whatever the unit of length: swings pass as by a filter of the fourth order, hinges share what
   they can, and rest where nothing moves them */
TEST(swings_are_those_of_the_closed_form)
{
    const bench_joint joints[] = {{.kind = LB_JOINT_FLOATING, .most = INFINITY},
                                  {.kind = LB_JOINT_PRISMATIC, .parent = 1, .most = 9},
                                  {.kind = LB_JOINT_REVOLUTE, .parent = 1, .y = 2, .most = 0.2},
                                  {.kind = LB_JOINT_REVOLUTE, .parent = 3, .most = 3}};
    double slides[2], turns[2];
    answer(0.1, -0.05, 1, slides);
    answer(0.1, 0.2, 0.5, turns);
    for (double unit = 0.1; unit < 2; unit *= 10) {
        owned_model *model = make_bench(joints, 4, unit);
        owned_clip *clip = test_clip_generate(model, KEYS, swing, &unit);
        lb_retarget_map map = {
            .count = 3,
            .pairs = {bench_pair(1, 1, 1, 0), bench_pair(2, 1, 0, 0), bench_pair(4, 0, 1, 0)}};
        retargeted r = retarget_bench(clip, model, HERTZ, &map);
        for (int key = SWUNG / 3; key < KEYS - SWUNG / 3; key++) {
            const double *q = lb_clip_key(r.clip, key);
            double by = swing_at(key);
            if (key > 2 * SWUNG / 3 && key < RAISED + SWUNG / 3)
                continue;
            assert_near(q[0], slides[0] * unit * by, 1e-4 * unit);
            assert_near(q[SLIDE], slides[1] * unit * by, 1e-4 * unit);
            // the trunk's angle less half a turn
            assert_near(-2 * lb_atan2(q[TURN] / q[TURN + 1], 1), turns[0] * by, 1e-4);
            assert_near(q[UPPER] + q[LOWER], turns[1] * by, 4e-4);
            if (key < SWUNG)
                assert_near(q[UPPER], q[LOWER], 4e-4);
        }
        assert_near(lb_clip_key(r.clip, 100)[UPPER], 0, 5e-3);
        assert_near(lb_clip_key(r.clip, 180)[UPPER], 0.2, 5e-3);
        assert_near(lb_clip_key(r.clip, 180)[LOWER], 1, 5e-3);
        release_retargeted(&r);
    }
}

/* a hinge and a ball about x, and such two about z, that turn to and fro with what the trunk holds;
   an arm that can point no farther than 0.2 from what carries it */
enum { TWIST_HINGE = 7, TWIST_BALL, SWING_HINGE = 12, SWING_BALL, CARRIER = 17, ARM };

static bool twist(void *user, int key, double *time, double *q)
{
    (void)user;
    double half = 0.4 * lb_sin(0.2 * key), cosine = lb_cos(half), sine = lb_sin(half);
    const double values[] = {[3] = 1,
                             [TWIST_HINGE] = 2 * half,
                             [TWIST_BALL] = cosine,
                             [TWIST_BALL + 1] = sine,
                             [SWING_HINGE] = 2 * half,
                             [SWING_BALL] = cosine,
                             [SWING_BALL + 3] = sine,
                             [ARM] = 1.7};
    *time = key / 30.0;
    memcpy(q, values, sizeof values);
    return true;
}

/* limits of balls bind as those of hinges do; and what is out of reach is shared by angles */
TEST(balls_at_their_limits_move_as_hinges)
{
    bench_joint joints[] = {
        {.kind = LB_JOINT_FLOATING, .most = INFINITY},
        {.kind = LB_JOINT_REVOLUTE, .parent = 1, .y = 2, .most = 3},
        {.kind = LB_JOINT_BALL, .parent = 1, .most = LB_PI, .swing = LB_PI},
        {.kind = LB_JOINT_REVOLUTE, .parent = 1, .most = 3, .about_z = true},
        {.kind = LB_JOINT_BALL, .parent = 1, .most = LB_PI, .swing = LB_PI},
        {.kind = LB_JOINT_REVOLUTE, .parent = 1, .most = 3},
        {.kind = LB_JOINT_REVOLUTE, .parent = 6, .most = 3},
    };
    enum { JOINTS = sizeof joints / sizeof *joints };
    owned_model *source = make_bench(joints, JOINTS, 1);
    owned_clip *clip = test_clip_generate(source, 90, twist, NULL);
    joints[1].most = joints[2].most = 0.3;
    joints[3].most = joints[4].swing = 0.5;
    joints[6].most = 0.2;
    owned_model *target = make_bench(joints, JOINTS, 1);
    lb_retarget_map map = {.count = 7,
                           .pairs = {bench_pair(1, 1e6, 1e6, 0), bench_pair(2, 0, 1, 0),
                                     bench_pair(3, 0, 1, 0), bench_pair(4, 0, 1, 0),
                                     bench_pair(5, 0, 1, 0), bench_pair(6, 0, 1, 0),
                                     bench_pair(7, 0, 0, 1)}};
    owned_retargeted r = retarget_bench(clip, target, 4, &map);
    for (int key = 0; key < lb_clip_count(r.clip); key++) {
        const double *q = lb_clip_key(r.clip, key);
        assert_near(2 * lb_atan2(q[TWIST_BALL + 1], q[TWIST_BALL]), q[TWIST_HINGE], 3e-3);
        assert_near(2 * lb_atan2(q[SWING_BALL + 3], q[SWING_BALL]), q[SWING_HINGE], 3e-3);
        assert_near(q[CARRIER], 0.75, 3e-3);
        assert_near(q[ARM], 0.2, 3e-3);
    }
}

/* ---- arms of a robot ------------------------------------------------------------------- */

static void set_arms(const lb_model *walker, lb_quat left, lb_quat right, double bend, double *q)
{
    walker_at(walker, WALKER_T, 0, q);
    walker_set(walker, "LeftArm", left, q);
    walker_set(walker, "RightArm", right, q);
    lb_vec3 up = lb_vec3_make(0, 0, 1);
    walker_set(walker, "LeftForeArm", lb_quat_from_axis_angle(up, -bend), q);
    walker_set(walker, "RightForeArm", lb_quat_from_axis_angle(up, bend), q);
}

/* both arms go up in two seconds: nearly straight, they hardly say how the shoulders' last hinges
   turn */
static bool raise_arms(void *user, int key, double *time, double *q)
{
    double share = fmin(1, key / 60.0), angle = LB_PI * (share * share * (3 - 2 * share) - 0.5);
    lb_vec3 ahead = lb_vec3_make(1, 0, 0);
    *time = key / 30.0;
    set_arms(user, lb_quat_from_axis_angle(ahead, angle), lb_quat_from_axis_angle(ahead, -angle),
             0.3, q);
    return true;
}

/* the left arm goes slowly round the axis of the shoulder's first hinge */
static bool circle(void *user, int key, double *time, double *q)
{
    lb_vec3 axis = {lb_sin(4 * key / 30.0), 0, -lb_cos(4 * key / 30.0)};
    *time = key / 30.0;
    set_arms(user, lb_quat_from_axis_angle(axis, 0.29),
             lb_quat_from_axis_angle(lb_vec3_make(1, 0, 0), 1.3), 0, q);
    return true;
}

static bool circle_back(void *user, int key, double *time, double *q)
{
    circle(user, 89 - key, time, q);
    *time = key / 30.0;
    return true;
}

/* what swings in the solve comes to rest; where the source is calm, no joint changes by more than
   0.35 in a step, and those beside it give way as well */
TEST(arms_are_as_calm_as_those_of_the_source)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("biped");
    lb_retarget_options options = lb_retarget_options_default();
    options.any_speed = true;
    lb_clip_fill *const moves[] = {raise_arms, circle, circle_back};
    for (int c = 0; c < 3; c++) {
        owned_clip *clip = test_clip_generate(source, 90, moves[c], source);
        owned_retargeted r = retarget(clip, target, &options);
        double speed = 0, acceleration = 0;
        for (int key = 1; key + 1 < lb_clip_count(r.clip); key++)
            for (int i = 7; i < lb_model_nq(target); i++) {
                const double *now = lb_clip_key(r.clip, key), *next = lb_clip_key(r.clip, key + 1);
                double before = now[i] - lb_clip_key(r.clip, key - 1)[i], after = next[i] - now[i];
                speed = fmax(speed, fabs(after));
                acceleration = fmax(acceleration, fabs(after - before));
            }
        if (!(speed < 0.3501) || !(acceleration < (c ? 0.175 : 0.1)))
            fail_msg("%g in a step, %g against the one before", speed, acceleration);
    }
}
