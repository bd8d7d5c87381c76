/*
 * test_body_rows.c - the rows of every kind of task against central differences.
 *
 * A step that is damped very much is the rows' action on their errors, J^T e, over the damping.
 * That is the descent of a potential whose slope is the error: half the square of a distance, and
 * 4 (1 - cos(a / 2)) of an angle a, whose error is 2 sin(a / 2). The potential comes from the
 * model's own kinematics, by lb_body_outcome, and its slope from central differences.
 */
#include <limber/body.h>

#include "collision/layout.h"
#include "ik/body/solver.h"
#include "support.h"
#include "support_shapes.h"

enum { MOST_Q = 128, TREES = 150 };

/* so damped, a step differs from J^T e by a ten-billionth of J^T J */
#define DAMPING 1e10
#define STEP 1e-6

/* ---- tasks ------------------------------------------------------------------ */

static const double square[4][2] = {{-0.1, -0.1}, {0.1, -0.1}, {0.1, 0.1}, {-0.1, 0.1}};

/* an unlocked joint that follows no other one, -1: there is none */
static int random_joint(const lb_model *model, lb_random *random)
{
    for (int i = 0; i < 20; i++) {
        int joint = test_random_index(random, lb_model_joint_count(model));
        if (lb_model_joint_v(model, joint) >= 0 && !lb_model_joint(model, joint)->locked &&
            model->joint_layouts[joint].mimicked_joint < 0)
            return joint;
    }
    return -1;
}

static lb_body_task random_task(const lb_model *model, lb_body_kind kind, lb_random *random)
{
    int links = lb_model_link_count(model);
    lb_body_task task = lb_body_task_make(kind, 1 + test_random_index(random, links - 1));
    task.tool = test_random_transform(random);
    task.axis = lb_vec3_make(0.3, -0.5, 0.8);
    task.weight = lb_random_between(random, 0.2, 3);
    task.joint = random_joint(model, random);
    task.first = test_random_index(random, links);
    task.last = test_random_index(random, links);
    task.first_point = lb_vec3_make(0.1, 0.2, -0.3);
    task.last_point = lb_vec3_make(-0.2, 0.4, 0.1);
    task.vertices = square;
    task.vertex_count = 4;
    if (test_random_chance(random, 0.4))
        task.base = test_random_index(random, links);
    if (test_random_chance(random, 0.3))
        task.box = lb_vec3_make(0.1, 0, 0.2);
    if (test_random_chance(random, 0.3) && kind != LB_BODY_POLE)
        task.cone = 0.2;
    // what an outcome lacks and what its row does differ by this
    if (kind == LB_BODY_DISTANCE)
        task.position_tolerance = 1e-12;
    return task;
}

/* of all that collides only the nearest pair is too near, by a millimetre at most: of several the
   outcome is the largest error, not the sum */
static bool want_nearest_farther(lb_body *body, const double *q)
{
    lb_proximity pairs[2];
    lb_body_task *task = &body->tasks[0];
    if (nearest_shapes(task->collision, q, INFINITY, 2, pairs) < 2)
        return false;
    double a = fmin(pairs[0].distance, pairs[1].distance);
    double b = fmax(pairs[0].distance, pairs[1].distance);
    task->distance = fmin(a + 1e-3, 0.5 * (a + b));
    return task->distance > a + 1e-4 && task->distance >= 0;
}

/* ---- the potential ---------------------------------------------------------- */

static double potential(lb_body *body, const double *q)
{
    const lb_body_task *task = &body->tasks[0];
    lb_state_update(body->state, q);
    lb_body_outcome out = body_task_outcome(body, 0, &body->targets[0]);
    double distance = out.position_error / body->length, angle = out.rotation_error, turned;
    if (task->kind == LB_BODY_JOINT) {
        bool slides = body->columns[body->kernel_tasks[0].column].slides;
        double error = slides ? angle / body->length : angle;
        return task->weight * error * error / 2;
    }
    // an error outside a cone is the chord of the whole angle less that of the cone
    double whole = angle > 0 ? angle + task->cone : 0;
    turned = angle > 0 ? 4 * (lb_cos(task->cone / 2) - lb_cos(whole / 2)) -
                             2 * lb_sin(task->cone / 2) * angle
                       : 0;
    return task->weight * (distance * distance / 2 + turned);
}

/* whether central differences have a meaning here: away from half turns and faint poles */
static bool is_smooth(lb_body *body, const double *q)
{
    const lb_body_task *task = &body->tasks[0];
    if (task->kind == LB_BODY_DISTANCE)
        return want_nearest_farther(body, q);
    lb_state_update(body->state, q);
    lb_body_outcome out = body_task_outcome(body, 0, &body->targets[0]);
    if (out.rotation_error + task->cone > 2.8 && task->kind != LB_BODY_JOINT)
        return false;
    if (task->kind != LB_BODY_POLE)
        return true;
    lb_vec3 a = lb_state_point(body->state, task->first, LB_WORLD, task->first_point);
    lb_vec3 c = lb_state_point(body->state, task->last, LB_WORLD, task->last_point);
    lb_vec3 line = lb_vec3_sub(c, a), h = lb_vec3_normalize(line, lb_vec3_make(0, 0, 1));
    lb_transform link = lb_state_transform(body->state, LB_WORLD, task->link);
    lb_vec3 to[2] = {lb_vec3_sub(lb_transform_point(&link, task->tool.p), a),
                     lb_vec3_sub(body->targets[0].p, a)};
    // well beyond the fiftieth where a side fades
    for (int i = 0; i < 2; i++)
        if (lb_vec3_length(lb_vec3_cross(h, to[i])) < 0.1 * lb_vec3_length(line))
            return false;
    return lb_vec3_length(line) > 0.2;
}

/* ---- comparing -------------------------------------------------------------- */

static void plan(lb_body *body, const double *q, double *changes)
{
    kernel_body_control control = {.iterations = 1, .damping = DAMPING};
    double found[MOST_Q];
    kernel_body_query query = {.start = q,
                               .targets = body->targets,
                               .lower = body->lower,
                               .upper = body->upper,
                               .desired = body->values,
                               .q = found};
    kernel_body_query *queries[1] = {&query};
    void *scratch = (void *)(((uintptr_t)body->scratch + 63) / 64 * 64);
    body->alone->plan(&body->kernel, &control, queries, 1, scratch, &changes);
}

static int velocity_of(const lb_body *body, int c)
{
    const kernel_body_column *column = &body->columns[c];
    const model_part *part = model_part_at(body->model, column->q);
    return part->v + (column->ball >= 0 ? column->axis : 0);
}

/* J^T e of each velocity, from the step and its armature */
static void find_actions(lb_body *body, const double *q, double *actions)
{
    double changes[3 * MOST_Q], armature[MOST_Q] = {0};
    plan(body, q, changes);
    memset(actions, 0, sizeof *actions * (size_t)lb_model_nv(body->model));
    for (int c = 0; c < body->kernel.joint_columns; c++)
        armature[velocity_of(body, c)] += DAMPING * body->columns[c].weight;
    for (int c = 0; c < body->kernel.joint_columns; c++)
        actions[velocity_of(body, c)] = changes[c] * armature[velocity_of(body, c)];
}

static double slope(lb_body *body, const double *q, int velocity)
{
    double v[MOST_Q] = {0}, ahead[MOST_Q], behind[MOST_Q];
    v[velocity] = STEP;
    lb_configuration_integrate(body->model, q, v, ahead);
    v[velocity] = -STEP;
    lb_configuration_integrate(body->model, q, v, behind);
    return (potential(body, ahead) - potential(body, behind)) / (2 * STEP);
}

/* the largest difference of an action from the slope, of the largest slope or one */
static double compare(lb_body *body, const double *q)
{
    double actions[MOST_Q], worst = 0, size = 1;
    for (int i = 0; i < body->kernel.ball_count; i++)
        body->balls[i].limited = false;
    find_actions(body, q, actions);
    for (int c = 0; c < body->kernel.joint_columns; c++) {
        double down = -slope(body, q, velocity_of(body, c));
        worst = fmax(worst, fabs(down - actions[velocity_of(body, c)]));
        size = fmax(size, fabs(down));
    }
    return worst / size;
}

static void aim(lb_body *body, lb_random *random)
{
    double wanted[MOST_Q];
    lb_configuration_random(body->model, random, wanted);
    body->targets[0] = test_random_transform(random);
    memcpy(body->values, wanted, sizeof *wanted * (size_t)lb_model_nq(body->model));
}

/* of joints with several velocities the outcome is the largest error, not the sum */
static bool has_several(const lb_body *body)
{
    return body->tasks[0].kind == LB_BODY_JOINT && body->kernel_tasks[0].columns > 1;
}

static int check_kind(lb_body_kind kind)
{
    lb_random random = test_seed((uint64_t)(71 + kind));
    int compared = 0;
    for (int i = 0; i < TREES; i++) {
        test_tree wanted = test_tree_default();
        wanted.joints = 2 + test_random_index(&random, 9);
        wanted.masses = body_is_center(kind);
        lb_model *bare = test_tree_build(&wanted, &random), *model = bare;
        lb_collision *collision = NULL;
        if (kind == LB_BODY_DISTANCE) {
            model = test_with_capsules(bare, 0.05);
            assert_int_equal(lb_collision_create(model, NULL, NULL, NULL, &collision, NULL), LB_OK);
        }
        lb_body_task task = random_task(model, kind, &random);
        task.collision = collision;
        lb_body_options options = lb_body_options_default();
        options.posture = 0;
        lb_body *body = NULL;
        double q[MOST_Q];
        if (lb_model_nq(model) <= MOST_Q &&
            lb_body_create(model, &task, 1, &options, NULL, &body, NULL) == LB_OK &&
            !has_several(body)) {
            lb_configuration_random(model, &random, q);
            aim(body, &random);
            if (is_smooth(body, q)) {
                double off = compare(body, q);
                if (off > 1e-6)
                    print_message("%s, tree %d: off by %g\n", lb_body_kind_text(kind), i, off);
                assert_true(off <= 1e-6);
                compared++;
            }
        }
        lb_body_release(body);
        lb_collision_release(collision);
        if (model != bare)
            lb_model_release(model);
        lb_model_release(bare);
    }
    return compared;
}

TEST(rows_are_the_slopes_of_their_errors)
{
    for (int kind = 0; kind < LB_BODY_KIND_COUNT; kind++) {
        int compared = check_kind((lb_body_kind)kind);
        print_message("%s: %d compared\n", lb_body_kind_text((lb_body_kind)kind), compared);
        assert_true(compared > TREES / 5);
    }
}
