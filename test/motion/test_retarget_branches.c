/*
 * test_retarget_branches.c - limbs that have several solutions: an arm that has to begin in the
 * other solution, a robot whose arm jumped.
 */
#include <limber/body.h>
#include <limber/retarget.h>

#include "support_load.h"

#include <limber/formats/bvh.h>
#include <limber/kinematics.h>
#include <unistd.h>

/* ---- an arm with two solutions ---------------------------------------------- */

/* half the angle between the arm and the axis that its first joint turns about */
#define TILT 0.5

/* A figure with one arm along -y: a shoulder about y, which turns no farther than `most`, and one
   about x. Any direction is had by (pitch, roll) and by (pitch - pi, -roll). */
static lb_model *one_arm(double most)
{
    enum { JOINTS = 3 };
    const char *const names[JOINTS + 1] = {"world", "trunk", "shoulder", "arm"};
    lb_joint joints[JOINTS];
    for (int i = 0; i < JOINTS; i++) {
        joints[i] = lb_joint_default();
        joints[i].name = joints[i].child = names[i + 1];
        joints[i].parent = names[i];
        joints[i].kind = i == 0 ? LB_JOINT_FLOATING : LB_JOINT_REVOLUTE;
        joints[i].axis = i == 1 ? lb_vec3_make(0, 1, 0) : lb_vec3_make(1, 0, 0);
        for (int k = 0; k < 3; k++) {
            joints[i].lower[k] = i == 0 ? -INFINITY : -3.3;
            joints[i].upper[k] = i == 0 ? INFINITY : i == 1 ? most : 3.3;
        }
    }
    return test_make("one_arm", NULL, 0, joints, JOINTS);
}

enum { KEYS = 61, PITCH = 7, ROLL = 8, NQ = 9 };

/* the arm goes round at a constant tilt, by 2.4 radians in two seconds */
static bool go_round(void *user, int key, double *time, double *q)
{
    (void)user;
    *time = key / 30.0;
    memcpy(q, (double[NQ]){[3] = 1, [PITCH] = 0.04 * key, [ROLL] = TILT}, NQ * sizeof *q);
    return true;
}

static lb_retarget_map follow_the_arm(void)
{
    lb_retarget_map map = {.count = 2};
    map.pairs[0] = lb_retarget_pair_make(LB_ROLE_COUNT, 1, 1);
    map.pairs[0].position = map.pairs[0].orientation = 1e6;
    map.pairs[1] = lb_retarget_pair_make(LB_ROLE_COUNT, 3, 3);
    map.pairs[1].direction = 1;
    for (int i = 0; i < 2; i++) {
        map.pairs[i].aligned = true;
        map.pairs[i].rotation = LB_QUAT_IDENTITY;
        map.pairs[i].axis = lb_vec3_make(i == 0, -(i == 1), 0);
    }
    map.scale = map.root_scale = 1;
    return map;
}

/* the largest change of a joint from one key to the next */
static double largest_step(const lb_clip *clip)
{
    double most = 0;
    for (int i = 1; i < lb_clip_count(clip); i++)
        for (int k = PITCH; k <= ROLL; k++)
            most = fmax(most, fabs(lb_clip_key(clip, i)[k] - lb_clip_key(clip, i - 1)[k]));
    return most;
}

/* the farthest that the arm points from where the source's does */
static double largest_error(const lb_clip *source, const lb_clip *made)
{
    double most = 0;
    owned_state *a = test_state(lb_clip_model(source));
    owned_state *b = test_state(lb_clip_model(made));
    for (int i = 0; i < lb_clip_count(made); i++) {
        lb_state_update(a, lb_clip_key(source, i));
        lb_state_update(b, lb_clip_key(made, i));
        lb_vec3 wanted = lb_state_transforms(a)[3].y, got = lb_state_transforms(b)[3].y;
        most = fmax(most, lb_vec3_length(lb_vec3_sub(wanted, got)));
    }
    return most;
}

/* one descent after the other: the most that the arm jumps, or is off at last */
static double descend_straight(const lb_clip *source, const lb_model *model)
{
    // the trunk stays where it is
    lb_body_task tasks[2] = {lb_body_task_make(LB_BODY_POSE, 1),
                             lb_body_task_make(LB_BODY_DIRECTION, 3)};
    double q[NQ], before[NQ], worst = 0;
    tasks[0].weight = 1e6;
    tasks[1].axis = lb_vec3_make(0, -1, 0);
    owned_body *body = test_body(model, tasks, 2, NULL);
    owned_state *wanted = test_state(model);
    lb_configuration_neutral(model, q);
    for (int i = 0; i < KEYS; i++) {
        lb_state_update(wanted, lb_clip_key(source, i));
        const lb_transform *arm = &lb_state_transforms(wanted)[3];
        lb_transform target = {arm->z, arm->x, lb_vec3_scale(arm->y, -1), {0, 0, 0}};
        target.x = lb_vec3_cross(target.y, target.z);
        lb_body_set_target(body, 1, &target);
        memcpy(before, q, sizeof q);
        lb_body_solve(body, q, q, NULL);
        if (i > 0)
            worst = fmax(worst, fabs(q[PITCH] - before[PITCH]));
        worst = fmax(worst, lb_body_outcomes(body)[1].rotation_error);
    }
    return worst;
}

/* The neutral start leads to the solution that ends at a limit halfway; the other goes on. */
TEST(an_arm_begins_in_the_solution_that_goes_on)
{
    owned_model *free = one_arm(3.3), *target = one_arm(1.2);
    owned_clip *source = test_clip_generate(free, KEYS, go_round, NULL), *made = NULL;
    lb_retarget_map map = follow_the_arm();
    lb_retarget_options options = lb_retarget_options_default();
    options.map = &map;
    assert_true(descend_straight(source, target) > 0.3);
    assert_made(lb_retarget(source, target, &options, NULL, &made, NULL, NULL, &cause), cause);
    if (!(largest_step(made) < 0.1) || !(largest_error(source, made) < 0.02))
        fail_msg("the arm jumps by %g and is off by %g", largest_step(made),
                 largest_error(source, made));
}

/* without memory for the search, refused at each allocation and nothing left behind */
TEST(every_allocation_may_fail)
{
    owned_model *free = one_arm(3.3), *target = one_arm(1.2);
    lb_clip *source = test_clip_generate(free, KEYS, go_round, NULL), *made = NULL;
    lb_retarget_map map = follow_the_arm();
    lb_retarget_options options = lb_retarget_options_default();
    options.map = &map;
    ALLOCATIONS_FAIL (failing, 1000) {
        failing.status =
            lb_retarget(source, target, &options, &failing.allocator, &made, NULL, NULL, NULL);
        lb_clip_release(made);
    }
    lb_clip_release(source);
}

/* ---- a robot ---------------------------------------------------------------- */

/* the Booster T1 has no speed limits; its shoulder turned by 1.9 radians within a frame */
TEST(arms_of_a_robot_do_not_jump)
{
    const char *capture = LIMBER_DATA_DIR "/bvh/zombie.bvh";
    const char *robot = LIMBER_DATA_DIR "/mjcf/t1_mocap.xml";
    if (access(capture, R_OK) != 0 || access(robot, R_OK) != 0) {
        print_message("no shared data: skipped\n");
        return;
    }
    owned_bvh *bvh = NULL;
    owned_clip *made = NULL;
    owned_model *model = test_load(robot);
    assert_ok(lb_bvh_load(capture, NULL, &bvh, NULL));
    assert_made(lb_retarget(lb_bvh_clip(bvh), model, NULL, NULL, &made, NULL, NULL, &cause), cause);
    for (int i = 1; i < lb_clip_count(made); i++)
        for (int k = 7; k < lb_model_nq(model); k++) {
            double by = fabs(lb_clip_key(made, i)[k] - lb_clip_key(made, i - 1)[k]);
            if (!(by < 0.5))
                fail_msg("value %d changes by %g before frame %d", k, by, i);
        }
}
