/*
 * test_out_of_reach.c - a target that cannot be reached ends calmly: steps come to rest,
 * and one that moves on is followed without jumps; what an arm can never do is said.
 */
#include <limber/limber.h>
#include <math.h>

#include "support_load.h"

enum { STEPS = 240, MOST = 8, MOST_LINKS = 40 };

static lb_ik *solver(const lb_model *model, lb_task_kind kind, const char *method)
{
    int tips[MOST];
    assert_true(lb_model_tips(model, tips) <= MOST);
    lb_task task = lb_task_make(tips[0], LB_WORLD, kind);
    lb_ik_options options = lb_ik_options_default();
    options.method = lb_method_find(method);
    return test_solver(model, &task, 1, &options);
}

static double largest_change(const double *a, const double *b, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

/* the descents of the kernel: no step loses, and the robust one says when it is at the end */
TEST(steps_come_to_rest)
{
    const char *const methods[] = {"lm", "damped"};
    owned_model *model = test_load("planar3");
    for (size_t m = 0; m < 2; m++) {
        owned_ik *ik = solver(model, LB_TASK_POSITION, methods[m]);
        lb_transform target = lb_transform_translation(60, 5, 0);
        double q[MOST], error = INFINITY;
        lb_configuration_neutral(model, q);
        q[1] = 0.7;
        lb_ik_result result = {0};
        lb_progress progress = LB_PROCESSING;
        for (int i = 0; i < STEPS && progress == LB_PROCESSING; i++) {
            progress = lb_ik_step(ik, &target, q, &result);
            assert_true(result.position_error <= error);
            error = result.position_error;
        }
        // the arm is 30 long
        if (m == 0) {
            assert_int_equal(progress, LB_FAILURE);
            assert_int_equal(result.reason, LB_REASON_REACH);
        }
        assert_true(fabs(error - (sqrt(60. * 60 + 5 * 5) - 30)) < 1e-4);
    }
}

/* the error of a solve along one descent from the neutral configuration */
static double solve_given(const lb_model *model, const lb_method *method, lb_vec3 target,
                          int iterations)
{
    int tips[MOST];
    double q[MOST];
    lb_model_tips(model, tips);
    lb_task task = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSITION);
    lb_ik_options options = lb_ik_options_default();
    options.method = method;
    options.protocol = LB_PROTOCOL_GIVEN;
    options.iterations = iterations;
    lb_transform goal = lb_transform_translation(target.x, target.y, target.z);
    lb_ik *ik = NULL;
    // what cannot solve this arm is left out
    if (lb_ik_create(model, &task, 1, &options, NULL, &ik, NULL) != LB_OK)
        return NAN;
    lb_ik_result result;
    lb_configuration_neutral(model, q);
    lb_ik_solve(ik, &goal, q, q, &result);
    assert_int_equal(result.outcome, LB_UNREACHABLE);
    lb_ik_release(ik);
    return result.position_error;
}

/* the least error of single steps from the neutral configuration */
static double step_given(const lb_model *model, const lb_method *method, lb_vec3 target, int steps)
{
    owned_ik *ik = solver(model, LB_TASK_POSITION, lb_method_name(method));
    lb_transform goal = lb_transform_translation(target.x, target.y, target.z);
    double q[MOST], least = INFINITY;
    lb_ik_result result;
    lb_configuration_neutral(model, q);
    for (int i = 0; i < steps; i++) {
        lb_ik_step(ik, &goal, q, &result);
        least = fmin(least, result.position_error);
    }
    return least;
}

/* beyond the reach one descent ends no farther away than single steps do, whatever the method */
TEST(a_solve_ends_as_near_as_single_steps)
{
    static const struct {
        const char *model;
        lb_vec3 target;
    } cases[] = {{"planar3", {-35, 5, 0}}, {"planar3", {3, 40, 0}}, {"ur5", {-1.2, 0.4, 0.3}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        owned_model *model = test_load(cases[i].model);
        int methods = 0;
        for (int m = 0; m < lb_method_count(); m++) {
            const lb_method *method = lb_method_at(m);
            double solved = solve_given(model, method, cases[i].target, 0);
            if (isnan(solved))
                continue;
            double stepped = step_given(model, method, cases[i].target, 40);
            // what oscillates without damping stops when a window of iterations wins nothing
            if (solved > 1.002 * stepped)
                fail_msg("%s, %s: %g m away by a solve, %g m by steps", cases[i].model,
                         lb_method_name(method), solved, stepped);
            // the same number of iterations, where a step is no more than one
            bool kernel = strcmp(lb_method_name(method), "lm") == 0 ||
                          strcmp(lb_method_name(method), "damped") == 0;
            double ten = solve_given(model, method, cases[i].target, 10);
            if (!kernel && fabs(ten - step_given(model, method, cases[i].target, 10)) > 1e-9 * ten)
                fail_msg("%s, %s: ten steps and ten iterations differ", cases[i].model,
                         lb_method_name(method));
            methods++;
        }
        assert_true(methods >= 9);
    }
}

/* solved frame by frame from the last result, out over the edge of reach and back */
TEST(a_target_is_followed_out_of_reach_without_jumps)
{
    owned_model *model = test_load("ur5");
    int nq = lb_model_nq(model), reached = 0;
    owned_ik *ik = solver(model, LB_TASK_POSE, "lm");
    lb_quat down = lb_quat_from_rpy(LB_PI, 0, 0);
    double q[MOST], last[MOST];
    lb_configuration_neutral(model, q);
    for (int i = 0; i <= 60; i++) {
        double x = 0.5 + 0.6 * (i <= 30 ? i : 60 - i) / 30;
        lb_transform target = lb_transform_from_quat(down, lb_vec3_make(x, 0.1, 0.3));
        for (int k = 0; k < nq; k++)
            last[k] = q[k];
        lb_ik_result result;
        reached += lb_ik_solve(ik, &target, q, q, &result) == LB_REACHED;
        // the target moves 2 cm; at the edge an elbow straightens fast, but nothing flips
        if (i > 0)
            assert_true(largest_change(q, last, nq) < 1);
    }
    assert_true(reached > 20 && reached < 61);
}

/* In which respect a task of an arm is beyond its joints. */
typedef struct askance {
    const char *model, *tip;
    lb_task_kind kind;
    lb_vec3 free_axis;
    double x, y, z, roll, pitch, yaw;
    const char *says, *not ;
} askance;

/* planar arms and those that turn about one direction alone; what slides out of the plane may */
TEST(planes_are_not_left)
{
    static const char off[] = "'tip' cannot leave its plane, and the target is 3 m off it along z";
    static const char under[] = "the target is 3 m off it along -z";
    static const char tilted[] = "'tip' can turn about z of the world alone, and the target is "
                                 "tilted against that by 0.5 rad.";
    static const char leaning[] = "'tool' can turn about z of the world alone, and the target is "
                                  "tilted against that by 0.4 rad.";
    static const askance cases[] = {
        {"planar3", "tip", LB_TASK_POSITION, {0, 0, 0}, 10, 5, -3, 0, 0, 0, under, "rad"},
        {"planar3", "tip", LB_TASK_POSE, {0, 0, 0}, 10, 5, 3, 0, 0, 0.4, off, "tilted"},
        {"planar3", "tip", LB_TASK_POSE, {0, 0, 0}, 10, 5, 0, 0.3, -0.4, 1, "tilted", "off"},
        {"planar3", "tip", LB_TASK_POSE, {0, 0, 0}, 10, 5, 0, 0, 0.5, 1, tilted, "off"},
        {"planar3", "tip", LB_TASK_ROTATION, {0, 0, 0}, 10, 5, 9, 0.5, 0, 0, tilted, " m "},
        {"planar3", "tip", LB_TASK_POSE, {0, 0, 1}, 10, 5, 0, 0.5, 0, 0, tilted, "off"},
        {"planar3", "tip", LB_TASK_POSE, {1, 0, 0}, 10, 5, 0, 0, 0.5, 0, tilted, "off"},
        // slides along z, so height is no matter; its tool points down
        {"scara",
         "tool",
         LB_TASK_POSE,
         {0, 0, 0},
         0.4,
         0.2,
         0.2,
         LB_PI - 0.4,
         0,
         0,
         leaning,
         "off"},
        {"ur5", "tool0", LB_TASK_POSE, {0, 0, 0}, 0.1, 0, 0.05, 1, 1, 1, "Not reached", "plane"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const askance *c = &cases[i];
        owned_model *model = test_load(c->model);
        lb_task task = lb_task_make(lb_model_find_link(model, c->tip), LB_WORLD, c->kind);
        task.free_axis = c->free_axis;
        lb_ik_options options = lb_ik_options_default();
        // one of them could be reached: it is given no time to
        options.iterations = strcmp(c->model, "ur5") == 0 ? 1 : 200;
        owned_ik *ik = test_solver(model, &task, 1, &options);
        lb_transform target = lb_transform_from_quat(lb_quat_from_rpy(c->roll, c->pitch, c->yaw),
                                                     lb_vec3_make(c->x, c->y, c->z));
        double q[MOST];
        lb_ik_result result;
        char text[1000];
        lb_configuration_neutral(model, q);
        lb_ik_solve(ik, &target, q, q, &result);
        lb_ik_explain(ik, &target, q, &result, text, sizeof text);
        if (strstr(text, c->says) == NULL || strstr(text, c->not ) != NULL)
            fail_msg("case %d: %s", (int)i, text);
    }
}

/* What puts an arm far from the origin. */
typedef enum far_place {
    FAR_ROOT,
    FAR_JOINT,
    FAR_ROOT_AS_BASE, /* the task's base is the root link */
    FAR_OUT_AND_BACK, /* a fixed joint, and one that leads back to the origin */
    FAR_OTHER_BRANCH, /* the root, and the task's base is on another branch */
    FAR_PLACES
} far_place;

/* a list of links, each below a joint */
typedef struct link_chain {
    lb_link links[MOST_LINKS];
    lb_joint joints[MOST_LINKS];
    int count;
} link_chain;

/* a link on a fixed joint to another one */
static lb_joint *add_link(link_chain *chain, int parent, lb_transform placement)
{
    static char names[MOST_LINKS][12];
    int i = chain->count++;
    snprintf(names[i], sizeof names[i], "l%d", i);
    chain->links[i] = lb_link_default();
    chain->links[i].name = names[i];
    if (i == 0)
        return NULL;
    lb_joint *joint = &chain->joints[i - 1];
    *joint = lb_joint_default();
    joint->name = joint->child = names[i];
    joint->parent = names[parent];
    joint->placement = placement;
    return joint;
}

/* stretched, with axes at right angles in turns, so far from the origin; its tip and its base */
static lb_model *make_stretched(int joints, double far, far_place kind, lb_random *random,
                                lb_task *task)
{
    const lb_transform here = LB_TRANSFORM_IDENTITY;
    lb_transform place = lb_transform_from_quat(test_random_quat(random),
                                                lb_vec3_scale(test_random_direction(random), far));
    link_chain chain = {.count = 0};
    add_link(&chain, -1, here);
    int base = kind == FAR_ROOT_AS_BASE ? 0 : LB_WORLD, parent = 0;
    if (kind == FAR_OTHER_BRANCH) {
        base = chain.count;
        add_link(&chain, 0, here);
    } else if (kind == FAR_OUT_AND_BACK) {
        add_link(&chain, 0, place);
        add_link(&chain, 1, lb_transform_inverse(&place));
        parent = 2;
    }
    for (int i = 0; i < joints; i++) {
        lb_transform at =
            lb_transform_translation(i > 0 ? lb_random_between(random, 0.1, 1) : 0, 0, 0);
        lb_joint *joint = add_link(&chain, parent, i == 0 && kind == FAR_JOINT ? place : at);
        joint->kind = LB_JOINT_REVOLUTE;
        joint->axis = lb_vec3_make(0, i % 2, 1 - i % 2);
        joint->lower[0] = -3;
        joint->upper[0] = 3;
        parent = chain.count - 1;
    }
    bool far_root = kind == FAR_ROOT || kind == FAR_ROOT_AS_BASE || kind == FAR_OTHER_BRANCH;
    lb_model_source source = {.name = "stretched",
                              .root = far_root ? place : here,
                              .links = chain.links,
                              .link_count = chain.count,
                              .joints = chain.joints,
                              .joint_count = chain.count - 1};
    lb_model *model = test_build(&source);
    const char *base_name = base > 0 ? chain.links[base].name : NULL;
    *task = lb_task_make(lb_model_find_link(model, chain.links[parent].name),
                         base_name != NULL ? lb_model_find_link(model, base_name) : base,
                         LB_TASK_POSITION);
    return model;
}

/* where a stretched arm's own forward kinematics put its tip is not beyond its reach */
TEST(own_poses_far_away_are_not_out_of_reach)
{
    lb_random random = test_seed(11);
    for (int i = 0; i < 10000; i++) {
        far_place kind = (far_place)(i % FAR_PLACES);
        int joints = 2 + test_random_index(&random, i / FAR_PLACES % 2 ? 6 : MOST_LINKS - 6);
        double far = pow(10, lb_random_between(&random, 3, 14));
        lb_task task;
        owned_model *model = make_stretched(joints, far, kind, &random, &task);
        lb_ik_options options = lb_ik_options_default();
        options.position_tolerance = 1e-13;
        options.protocol = LB_PROTOCOL_GIVEN;
        options.seeds = 0;
        owned_ik *ik = test_solver(model, &task, 1, &options);
        double q[MOST_LINKS] = {lb_random_between(&random, -3, 3)};
        lb_transform target = test_task_tool(model, &task, q);
        q[0] -= q[0] > 0 ? 1 : -1;
        if (lb_ik_solve(ik, &target, q, q, NULL) == LB_UNREACHABLE)
            fail_msg("arm %d of %d joints, %g m away, kind %d: its own pose is out of reach", i,
                     joints, far, (int)kind);
    }
}
