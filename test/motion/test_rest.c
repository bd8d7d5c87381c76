/*
 * test_rest.c - how a captured figure stands is found from its motion, whatever its links' axes,
 * its rate and its zero pose are.
 */
#include "motion/retargeted.h"
#include "motion/turned.h"
#include "motion/walker.h"
#include "support_load.h"

#include <limber/kinematics.h>

enum { MOST_NQ = 128, SEEDS = 20 };

static void find_rest(const lb_clip *clip, double *rest)
{
    assert_true(lb_model_nq(lb_clip_model(clip)) <= MOST_NQ);
    assert_made(lb_retarget_rest_find(clip, NULL, NULL, rest, &cause), cause);
}

/* a figure at zero for a second */
static lb_clip *still_clip(const lb_model *model, int keys)
{
    double q[2 * MOST_NQ], times[2] = {0, 1};
    int nq = lb_model_nq(model);
    lb_clip *clip = NULL;
    assert_true(nq <= MOST_NQ && keys <= 2);
    lb_configuration_neutral(model, q);
    lb_configuration_neutral(model, q + nq);
    assert_ok(lb_clip_create(model, times, q, keys, LB_INTERPOLATION_LINEAR, NULL, &clip, NULL));
    return clip;
}

/* the direction from one joint to another in a configuration */
static lb_vec3 from_to(const lb_model *model, const double *q, const char *from, const char *to)
{
    owned_state *state = NULL;
    assert_ok(lb_state_create(model, NULL, &state));
    lb_state_update(state, q);
    const lb_transform *at = lb_state_transforms(state);
    lb_vec3 way =
        lb_vec3_sub(at[lb_model_find_link(model, to)].p, at[lb_model_find_link(model, from)].p);
    return lb_vec3_normalize(way, lb_vec3_make(0, 0, 0));
}

static void assert_direction(const lb_model *model, const double *q, const char *from,
                             const char *to, lb_vec3 wanted, double within)
{
    lb_vec3 way = from_to(model, q, from, to);
    assert_near(lb_vec3_length(lb_vec3_sub(way, wanted)), 0, within);
}

/* upright, arms and legs hanging, toes ahead and a little down as they do on the ground */
static void assert_stands(const lb_model *model, const double *q, double within, double feet)
{
    lb_vec3 up = {0, 0, 1}, down = {0, 0, -1}, left = {0, 1, 0};
    lb_vec3 toes = lb_vec3_normalize(lb_vec3_make(0.15, 0, -0.06), up);
    assert_direction(model, q, "RightUpLeg", "LeftUpLeg", left, 1e-9);
    assert_direction(model, q, "RightArm", "LeftArm", left, within);
    assert_direction(model, q, "Hips", "Head", up, within);
    static const char *const limbs[][3] = {{"LeftUpLeg", "LeftLeg", "LeftFoot"},
                                           {"RightUpLeg", "RightLeg", "RightFoot"},
                                           {"LeftArm", "LeftForeArm", "LeftHand"},
                                           {"RightArm", "RightForeArm", "RightHand"}};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++)
            assert_direction(model, q, limbs[i][k], limbs[i][k + 1], down, 1e-9);
    assert_direction(model, q, "LeftFoot", "LeftToeBase", toes, feet);
    assert_direction(model, q, "RightFoot", "RightToeBase", toes, feet);
}

/* limbs are not turned about their bones: the walker's links have x ahead at zero */
static void assert_looks_ahead(const lb_model *model, const double *q)
{
    static const char *const limbs[] = {"LeftUpLeg", "LeftLeg",     "LeftFoot", "RightUpLeg",
                                        "RightLeg",  "RightFoot",   "LeftArm",  "LeftForeArm",
                                        "RightArm",  "RightForeArm"};
    owned_state *state = test_state(model);
    lb_state_update(state, q);
    for (size_t i = 0; i < sizeof limbs / sizeof *limbs; i++) {
        const lb_transform *at = &lb_state_transforms(state)[lb_model_find_link(model, limbs[i])];
        if (!(at->x.x > 0.99))
            fail_msg("%s looks %g ahead", limbs[i], at->x.x);
    }
}

TEST(a_figure_stands_whatever_its_zero_pose_is)
{
    owned_model *figure = walker_model(WALKER_T);
    owned_clip *walk = walker_clip(figure, WALKER_T, 3, 30);
    double rest[MOST_NQ];
    find_rest(walk, rest);
    assert_stands(figure, rest, 0.02, 0.02);
    assert_looks_ahead(figure, rest);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        lb_quat turns[TURNED_JOINTS];
        turned_at_random(seed, turns);
        owned_model *turned = turned_model(figure, turns);
        owned_clip *clip = turned_clip(walk, turned, turns);
        find_rest(clip, rest);
        assert_stands(turned, rest, 0.02, 0.02);
    }
}

/* the largest difference of two motions' values */
static double difference(const lb_clip *a, const lb_clip *b)
{
    double most = 0;
    assert_int_equal(lb_clip_count(a), lb_clip_count(b));
    size_t count = (size_t)lb_clip_count(a) * (size_t)lb_model_nq(lb_clip_model(a));
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs(lb_clip_key(a, 0)[i] - lb_clip_key(b, 0)[i]));
    return most;
}

/* one motion in the world is one motion of the robot */
TEST(local_axes_do_not_matter)
{
    static const char *const targets[] = {"biped", "human"};
    owned_model *figure = walker_model(WALKER_A);
    owned_clip *walk = walker_clip(figure, WALKER_A, 2, 30);
    for (int i = 0; i < 2; i++) {
        owned_model *target = test_load_moving(targets[i]);
        owned_retargeted plain = retarget(walk, target, NULL);
        for (uint64_t seed = 1; seed <= SEEDS / 2; seed++) {
            lb_quat turns[TURNED_JOINTS];
            turned_at_random(seed, turns);
            owned_model *turned = turned_model(figure, turns);
            owned_clip *clip = turned_clip(walk, turned, turns);
            owned_retargeted other = retarget(clip, target, NULL);
            assert_near(difference(plain.clip, other.clip), 0, 1e-6);
        }
    }
}

/* nor do they for when feet rest */
TEST(contacts_do_not_depend_on_local_axes)
{
    owned_model *figure = walker_model(WALKER_T);
    owned_clip *walk = walker_clip(figure, WALKER_T, 3, 30);
    owned_contacts *plain = NULL;
    assert_ok(lb_rig_contacts(walk, NULL, 0, lb_vec3_make(0, 0, 0), NULL, &plain, NULL, NULL));
    for (uint64_t seed = 1; seed <= 5; seed++) {
        lb_quat turns[TURNED_JOINTS];
        turned_at_random(seed, turns);
        owned_model *turned = turned_model(figure, turns);
        owned_clip *clip = turned_clip(walk, turned, turns);
        owned_contacts *other = NULL;
        assert_ok(lb_rig_contacts(clip, NULL, 0, lb_vec3_make(0, 0, 0), NULL, &other, NULL, NULL));
        for (int i = 0; i < lb_contacts_count(plain); i++) {
            int a, b;
            const lb_contact_span *one = lb_contacts_spans(plain, i, &a);
            const lb_contact_span *two = lb_contacts_spans(other, i, &b);
            assert_true(a > 0 && a == b);
            for (int k = 0; k < a; k++)
                assert_near(one[k].begin, two[k].begin, 1e-6);
            assert_near(lb_contacts_points(plain)[i].height, lb_contacts_points(other)[i].height,
                        1e-6);
        }
    }
}

/* the angle between the rotations of two configurations, of the joint in which they differ most */
static double most_turned(const lb_model *model, const double *a, const double *b)
{
    double most = 0;
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        int at = lb_model_joint_q(model, j);
        at += lb_model_joint(model, j)->kind == LB_JOINT_FLOATING ? 3 : 0;
        double dot = 0;
        for (int k = at; k < at + 4; k++)
            dot += a[k] * b[k];
        most = fmax(most, 2 * lb_acos(fmin(1, fabs(dot))));
    }
    return most;
}

/* of a walk that ends anywhere */
static void find_rest_until(double end, const lb_model *figure, double rate, double *rest)
{
    owned_clip *walk = walker_clip(figure, WALKER_T, 3, rate), *part = NULL;
    assert_ok(lb_clip_slice(walk, 0, end, NULL, &part, NULL));
    find_rest(part, rest);
}

TEST(the_rate_does_not_matter)
{
    // keys at every thirtieth of a second are shared; at 100 a second only every third of them is
    static const double rates[] = {60, 120, 240, 100};
    owned_model *figure = walker_model(WALKER_T);
    double rest[MOST_NQ], other[MOST_NQ];
    find_rest_until(2.51, figure, 30, rest);
    for (int i = 0; i < 4; i++) {
        find_rest_until(2.51, figure, rates[i], other);
        assert_near(most_turned(figure, rest, other), 0, i < 3 ? 1e-6 : 2e-3);
    }
}

/* Turns the whole figure, and leaves it where it is. */
typedef struct tilted_keys {
    const lb_clip *clip;
    lb_quat turn;
} tilted_keys;

static bool tilted_key(void *user, int key, double *time, double *q)
{
    const tilted_keys *t = user;
    *time = lb_clip_times(t->clip)[key];
    memcpy(q, lb_clip_key(t->clip, key), (size_t)lb_model_nq(lb_clip_model(t->clip)) * sizeof *q);
    lb_quat turned = lb_quat_multiply(t->turn, (lb_quat){q[3], q[4], q[5], q[6]});
    memcpy(q + 3, (double[]){turned.w, turned.x, turned.y, turned.z}, 4 * sizeof *q);
    return true;
}

/* who lies all the time stands as well: only of the feet, which never rest, all that is known is
   how they bend on average */
TEST(a_figure_that_lies_stands)
{
    owned_model *figure = walker_model(WALKER_T);
    owned_clip *walk = walker_clip(figure, WALKER_T, 3, 30);
    for (int i = 0; i < 4; i++) {
        lb_vec3 axis = lb_vec3_make(i & 1, !(i & 1), 0);
        tilted_keys keys = {walk, lb_quat_from_axis_angle(axis, (i & 2 ? -0.5 : 0.5) * LB_PI)};
        owned_clip *lying = test_clip_generate(figure, lb_clip_count(walk), tilted_key, &keys);
        double rest[MOST_NQ];
        find_rest(lying, rest);
        assert_stands(figure, rest, 0.02, 0.4);
    }
}

/* limbs that never bend have the axes of a swing from hanging, as arms held out do */
TEST(one_pose_is_enough)
{
    static const walker_pose poses[] = {WALKER_T, WALKER_A};
    for (int i = 0; i < 2; i++) {
        owned_model *figure = walker_model(poses[i]);
        owned_clip *still = still_clip(figure, 1);
        double rest[MOST_NQ];
        find_rest(still, rest);
        assert_stands(figure, rest, 1e-6, 1e-6);
    }
}

/* what is moved by hinges has a zero that means something */
TEST(a_robot_rests_at_zero)
{
    owned_model *robot = test_load_moving("biped");
    owned_clip *still = still_clip(robot, 2);
    double rest[MOST_NQ], neutral[MOST_NQ];
    lb_configuration_neutral(robot, neutral);
    find_rest(still, rest);
    assert_memory_equal(rest, neutral, (size_t)lb_model_nq(robot) * sizeof *rest);
}

enum { ROBOT_JOINTS = 40 };

/* a robot whose pelvis has other axes, so that it lies at zero, and whose links may have no names
   that say anything */
static lb_model *lying_robot(const lb_model *model, lb_quat turn, bool named)
{
    static char names[ROBOT_JOINTS + 1][8];
    int count = lb_model_joint_count(model);
    lb_joint joints[ROBOT_JOINTS];
    lb_link links[ROBOT_JOINTS + 1];
    lb_transform back = lb_transform_from_quat(lb_quat_conjugate(turn), lb_vec3_make(0, 0, 0));
    assert_true(count <= ROBOT_JOINTS);
    for (int i = 0; i <= count; i++) {
        links[i] = *lb_model_link(model, i);
        snprintf(names[i], sizeof names[i], "l%d", i);
        links[i].name = named ? links[i].name : names[i];
    }
    for (int i = 0; i < count; i++) {
        joints[i] = *lb_model_joint(model, i);
        joints[i].parent = links[lb_model_parent(model, i + 1)].name;
        joints[i].child = links[i + 1].name;
        if (lb_model_parent(model, i + 1) == 1)
            joints[i].placement = lb_transform_multiply(&back, &joints[i].placement);
    }
    return test_make("lying", links, count + 1, joints, count);
}

/* one that lies there, as those with y up do, moves as one that stands */
TEST(a_robot_that_lies_at_zero_stands)
{
    owned_model *figure = walker_model(WALKER_A), *robot = test_load_moving("biped");
    owned_clip *walk = walker_clip(figure, WALKER_A, 2, 30);
    owned_retargeted plain = retarget(walk, robot, NULL);
    for (int i = 0; i < 8; i++) {
        lb_vec3 up = {0, 0, 1}, axis = lb_vec3_make(i & 1, !(i & 1), i & 4 ? 0 : 0.2 * i);
        axis = lb_vec3_normalize(axis, up);
        lb_quat turn = lb_quat_from_axis_angle(axis, (i & 2 ? i & 4 ? -0.5 : 0.9 : 0.5) * LB_PI);
        owned_model *lying = lying_robot(robot, turn, i < 4);
        owned_retargeted other = retarget(walk, lying, NULL);
        for (int key = 0; key < lb_clip_count(walk); key++) {
            const double *a = lb_clip_key(plain.clip, key), *b = lb_clip_key(other.clip, key);
            for (int k = 0; k < lb_model_nq(robot); k++)
                if (k < 3 || k > 6)
                    assert_near(a[k], b[k], 1e-3);
        }
        assert_near(worst(&plain, LB_CHECK_SLIDE), worst(&other, LB_CHECK_SLIDE), 1e-6);
    }
}

TEST(roles_of_a_map_come_first)
{
    owned_model *figure = walker_model(WALKER_T);
    owned_clip *walk = walker_clip(figure, WALKER_T, 1, 30);
    lb_retarget_map map = {.count = 0};
    double rest[MOST_NQ];
    // no role, and no link
    assert_int_equal(lb_retarget_rest_find(walk, &map, NULL, rest, &cause), LB_BAD_MODEL);
    map.pairs[map.count++] = lb_retarget_pair_make(LB_ROLE_HEAD, 99, 0);
    assert_refused(lb_retarget_rest_find(walk, &map, NULL, rest, &cause), LB_BAD_VALUE, &cause,
                   "pair 0 of the map");
    // a head that is a hand decides how that link lies
    map.pairs[0].source = lb_model_find_link(figure, "LeftHand");
    assert_ok(lb_retarget_rest_find(walk, &map, NULL, rest, &cause));
    double own[MOST_NQ];
    find_rest(walk, own);
    assert_true(most_turned(figure, rest, own) > 0.1);
}

TEST(what_is_no_figure_is_refused)
{
    owned_model *arm = test_load("panda");
    owned_clip *still = still_clip(arm, 2);
    double rest[MOST_NQ];
    assert_refused(lb_retarget_rest_find(still, NULL, NULL, rest, &cause), LB_BAD_MODEL, &cause,
                   "no pelvis and legs");
}
