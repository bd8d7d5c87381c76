/*
 * test_linkage.c - inverse kinematics of linkages that close: every result is closed, within limits
 * and, if reached, confirmed by the oracle's forward kinematics.
 */
#include <limber/batch.h>
#include <limber/body.h>

#include "linkages.h"

static void print_counts(int reached, int all)
{
    print_message("%d of %d reached\n", reached, all);
}

/* ---- four-bars ------------------------------------------------------------ */

static four_bar draw_four_bar(lb_random *random)
{
    four_bar b = {.side = test_random_chance(random, 0.5) ? 1 : -1};
    double *lengths[] = {&b.ground, &b.crank, &b.coupler, &b.rocker};
    for (int i = 0; i < 4; i++)
        *lengths[i] = lb_random_between(random, 0.7, 2.3);
    return b;
}

/* the place of a point of the coupler, given in its plain frame; false: the crank cannot be there
 */
static bool coupler_point(const four_bar *b, double u, lb_vec3 point, lb_vec3 *place)
{
    lb_vec3 pin = {b->crank * cos(u), b->crank * sin(u), 0}, elbow = elbow_of(b, u);
    lb_vec3 along = lb_vec3_scale(lb_vec3_sub(elbow, pin), 1 / b->coupler);
    *place = lb_vec3_add(pin, lb_vec3_make(along.x * point.x - along.y * point.y,
                                           along.y * point.x + along.x * point.y, 0));
    return fabs(lb_vec3_length(lb_vec3_sub(elbow, pin)) - b->coupler) < 1e-9 &&
           fabs(hypot(elbow.x - b->ground, elbow.y) - b->rocker) < 1e-9;
}

/* A random four-bar, and a solver of a point of its coupler. */
typedef struct bar_case {
    four_bar b;
    lb_model *model;
    lb_vec3 point;
    lb_task task;
    double start[3];
} bar_case;

/* NULL: the bars that were drawn do not close */
static lb_model *make_case(lb_random *random, uint64_t seed, bar_case *c)
{
    double u = lb_random_between(random, -LB_PI, LB_PI);
    lb_vec3 place;
    *c = (bar_case){.b = draw_four_bar(random)};
    c->point = lb_vec3_make(lb_random_between(random, -2, 2), lb_random_between(random, -2, 2), 0);
    if (!coupler_point(&c->b, u, c->point, &place))
        return NULL;
    c->model = make_four_bar(&c->b, u, seed % 2 ? LB_LOOP_HINGE : LB_LOOP_BALL, seed);
    int link = lb_model_find_link(c->model, "l2");
    lb_configuration_neutral(c->model, c->start);
    lb_state *state;
    assert_int_equal(lb_state_create(c->model, NULL, &state), LB_OK);
    lb_state_update(state, c->start);
    c->task = lb_task_make(link, LB_WORLD, LB_TASK_POSITION);
    c->task.tool.p = lb_state_point(state, LB_WORLD, link, place);
    lb_state_release(state);
    return c->model;
}

/* from any crank to any point of the coupler's curve, on either branch of it */
TEST(four_bars_reach_every_point_of_their_curves)
{
    lb_random random = test_seed(40);
    int all = 0, reached = 0;
    for (uint64_t i = 0; i < FEWER(400, 12); i++) {
        bar_case c;
        owned_model *model = make_case(&random, i, &c);
        if (!model)
            continue;
        owned_ik *ik = test_solver(c.model, &c.task, 1, NULL);
        for (int k = 0; k < 4; k++) {
            lb_transform target = LB_TRANSFORM_IDENTITY, links[MOST_LINKS];
            double q[3];
            lb_ik_result result;
            if (!coupler_point(&c.b, lb_random_between(&random, -LB_PI, LB_PI), c.point, &target.p))
                continue;
            lb_outcome outcome = lb_ik_solve(ik, &target, c.start, q, &result);
            all++;
            assert_true(gap(c.model, q) < 1e-11);
            assert_true(outcome != LB_UNREACHABLE && outcome != LB_INVALID);
            test_forward(c.model, q, links);
            lb_vec3 at = lb_transform_point(&links[c.task.tip], c.task.tool.p);
            double error = lb_vec3_length(lb_vec3_sub(at, target.p));
            assert_near(result.position_error, error, 1e-11);
            assert_true((outcome == LB_REACHED) == (error <= 1e-6));
            reached += outcome == LB_REACHED;
        }
    }
    print_counts(reached, all);
    assert_true(all > FEWER(400, 10) && reached >= all - all / 100);
}

/* off the curve: closed, no nearer than the curve comes, nearly as near, and "unreachable" only
   beyond what crank and coupler reach */
TEST(points_off_the_curve_are_not_reached)
{
    lb_random random = test_seed(41);
    int all = 0, near = 0, proved = 0;
    for (uint64_t i = 0; i < FEWER(100, 6); i++) {
        bar_case c;
        owned_model *model = make_case(&random, i, &c);
        if (!model)
            continue;
        owned_ik *ik = test_solver(c.model, &c.task, 1, NULL);
        lb_transform target = LB_TRANSFORM_IDENTITY;
        target.p =
            lb_vec3_make(lb_random_between(&random, -6, 6), lb_random_between(&random, -6, 6), 0);
        double q[3], least = INFINITY, tool = lb_vec3_length(c.point);
        lb_ik_result result;
        lb_outcome outcome = lb_ik_solve(ik, &target, c.start, q, &result);
        assert_true(gap(c.model, q) < 1e-11);
        for (int side = -1; side <= 1; side += 2)
            for (int k = 0; k < 20000; k++) {
                four_bar b = c.b;
                lb_vec3 at;
                b.side = side;
                if (coupler_point(&b, k * LB_PI / 10000, c.point, &at))
                    least = fmin(least, lb_vec3_length(lb_vec3_sub(at, target.p)));
            }
        // neighbours of the samples
        assert_true(outcome == LB_REACHED || result.position_error > least - 5e-3);
        double far = lb_vec3_length(target.p);
        bool out = far > c.b.crank + tool || far < fabs(c.b.crank - tool);
        assert_true(outcome != LB_UNREACHABLE || out);
        near += result.position_error < least + 5e-3;
        proved += outcome == LB_UNREACHABLE;
        all++;
    }
    print_message("%d of %d the closest, %d proved\n", near, all, proved);
    assert_true(proved > 0 && near > all * 9 / 10);
}

/* limits hold, of dependent joints too */
TEST(limits_of_linkages_hold)
{
    lb_random random = test_seed(42);
    int reached = 0, held = 0;
    for (uint64_t i = 0; i < FEWER(150, 80); i++) {
        bar_case c;
        owned_model *model = make_case(&random, i, &c);
        if (!model)
            continue;
        lb_ik_options options = lb_ik_options_default();
        lb_joint_setting settings[3];
        for (int j = 0; j < 3; j++) {
            settings[j] = lb_joint_setting_make(j);
            settings[j].lower[0] = c.start[j] - lb_random_between(&random, 0, 0.8);
            settings[j].upper[0] = c.start[j] + lb_random_between(&random, 0, 0.8);
        }
        options.joints = settings;
        options.joint_count = 3;
        owned_ik *ik = test_solver(c.model, &c.task, 1, &options);
        lb_transform target = LB_TRANSFORM_IDENTITY;
        double q[3];
        coupler_point(&c.b, lb_random_between(&random, -LB_PI, LB_PI), c.point, &target.p);
        lb_outcome outcome = lb_ik_solve(ik, &target, c.start, q, NULL);
        assert_true(gap(c.model, q) < 1e-11);
        for (int j = 0; j < 3; j++)
            assert_true(q[j] >= settings[j].lower[0] && q[j] <= settings[j].upper[0]);
        reached += outcome == LB_REACHED;
        held += outcome != LB_REACHED;
    }
    print_message("%d reached, %d held back\n", reached, held);
    assert_true(reached > 0 && held > 0);
}

/* a linkage's own steps come to where it reaches */
TEST(steps_of_linkages_arrive)
{
    lb_random random = test_seed(43);
    int all = 0, arrived = 0;
    for (uint64_t i = 0; i < FEWER(60, 6); i++) {
        bar_case c;
        owned_model *model = make_case(&random, i, &c);
        if (!model)
            continue;
        owned_ik *ik = test_solver(c.model, &c.task, 1, NULL);
        double u, pin, q[3];
        lb_transform target = LB_TRANSFORM_IDENTITY;
        memcpy(q, c.start, sizeof q);
        u = *value_of(c.model, q, 1) + 0.2;
        angles_of(&c.b, u, &pin, &pin);
        if (!coupler_point(&c.b, u, c.point, &target.p))
            continue;
        lb_progress progress = LB_PROCESSING;
        for (int step = 0; step < 50 && progress == LB_PROCESSING; step++)
            progress = lb_ik_step(ik, &target, q, NULL);
        arrived += progress == LB_SUCCESS;
        all++;
        assert_true(gap(c.model, q) < 1e-11);
    }
    print_counts(arrived, all);
    assert_true(arrived > all * 8 / 10);
}

/* ---- in space --------------------------------------------------------------- */

/* A platform on six legs, each a universal joint, a slide and a ball that closes. */
static lb_model *make_platform(lb_random *random, uint64_t seed)
{
    linkage l = start_linkage(seed);
    add_link(&l);
    lb_transform up = at(0, 0, 1.2);
    int top = add_joint(&l, 0, LB_JOINT_FLOATING, up, along_z, 0);
    l.joints[top - 1].value[0] = 0;
    l.joints[top - 1].value[3] = 1;
    for (int i = 0; i < 6; i++) {
        double a = i * LB_PI / 3 + lb_random_between(random, -0.4, 0.4);
        double b = i * LB_PI / 3 + lb_random_between(random, -0.4, 0.4);
        lb_vec3 foot = {cos(a), sin(a), 0}, head = {0.5 * cos(b), 0.5 * sin(b), 1.2};
        lb_vec3 leg = lb_vec3_sub(head, foot), side = lb_vec3_perpendicular(leg);
        lb_transform place = at(foot.x, foot.y, 0);
        lb_vec3 along = lb_vec3_normalize(leg, along_z), across = lb_vec3_cross(along, side);
        int first = add_joint(&l, 0, LB_JOINT_CONTINUOUS, place, side, 0);
        int second = add_joint(&l, first, LB_JOINT_CONTINUOUS, at(0, 0, 0), across, 0);
        int slide =
            add_joint(&l, second, LB_JOINT_PRISMATIC, at(0, 0, 0), along, lb_vec3_length(leg));
        l.joints[slide - 1].lower[0] = 0.6;
        l.joints[slide - 1].upper[0] = 2;
        add_loop(&l, LB_LOOP_BALL, slide, at(0, 0, 0), top, at(head.x, head.y, 0));
    }
    return build_linkage(&l);
}

/* poses nearby are reached with all six legs closed, by solve and by batch alike, to the bit */
TEST(platforms_reach_poses)
{
    enum { POSES = 6 };
    lb_random random = test_seed(44);
    int reached = 0, all = 0;
    for (uint64_t i = 0; i < FEWER(20, 2); i++) {
        owned_model *model = make_platform(&random, i);
        int link = lb_model_find_link(model, "l1"), nq = lb_model_nq(model);
        lb_body_task tasks[2] = {lb_body_task_make(LB_BODY_POSE, link),
                                 lb_body_task_make(LB_BODY_POSITION, link)};
        tasks[1].level = 3;
        owned_body *body;
        assert_int_equal(lb_body_create(model, tasks, 2, NULL, NULL, &body, NULL), LB_OK);
        double start[MOST_LINKS], q[POSES][MOST_LINKS], many[POSES][MOST_LINKS];
        lb_transform targets[POSES][2], here = lb_body_target(body, 0);
        lb_configuration_neutral(model, start);
        assert_true(nq <= MOST_LINKS && gap(model, start) < 1e-9);
        for (int k = 0; k < POSES; k++) {
            lb_vec3 turn = lb_vec3_scale(test_random_direction(&random), 0.3);
            lb_vec3 by = lb_vec3_scale(test_random_direction(&random), 0.2);
            lb_transform move = lb_transform_from_quat(lb_quat_exp(turn), by);
            targets[k][0] = lb_transform_multiply(&here, &move);
            targets[k][1] = targets[k][0];
            assert_int_equal(lb_body_set_target(body, 0, &targets[k][0]), LB_OK);
            assert_int_equal(lb_body_set_target(body, 1, &targets[k][1]), LB_OK);
            lb_body_result result;
            reached += lb_body_solve(body, start, q[k], &result) == LB_REACHED;
            assert_true(result.loop_error <= 1e-12 && gap(model, q[k]) < 1e-11);
            assert_int_equal(result.reached, result.outcome == LB_REACHED ? 2 : result.reached);
            all++;
            memcpy(many[k], start, sizeof start);
        }
        lb_body_batch batch = {.targets = targets[0],
                               .starts = many[0],
                               .start_stride = MOST_LINKS,
                               .q = many[0],
                               .q_stride = MOST_LINKS};
        lb_body_batch_solve(body, &batch, 0, POSES);
        for (int k = 0; k < POSES; k++)
            assert_memory_equal(many[k], q[k], sizeof(double) * (size_t)nq);
    }
    print_counts(reached, all);
    assert_true(reached > all * 9 / 10);
}

/* frame by frame no joint is faster than its speed, and every frame is closed */
TEST(linkages_advance_at_their_speeds)
{
    lb_random random = test_seed(45);
    bar_case c;
    owned_model *model = NULL;
    while (!model)
        model = make_case(&random, 2, &c);
    lb_body_task task = lb_body_task_make(LB_BODY_POSITION, c.task.tip);
    task.tool = c.task.tool;
    owned_body *body;
    assert_int_equal(lb_body_create(c.model, &task, 1, NULL, NULL, &body, NULL), LB_OK);
    for (int j = 0; j < 3; j++)
        assert_int_equal(lb_body_set_speed(body, j, 1, INFINITY), LB_OK);
    double q[3], next[3];
    memcpy(q, c.start, sizeof q);
    for (int frame = 0; frame < 100; frame++) {
        lb_vec3 to = {3 * cos(0.1 * frame), 3 * sin(0.1 * frame), 0};
        assert_int_equal(lb_body_set_point(body, 0, to), LB_OK);
        lb_body_advance(body, q, NULL, 0.02, next, NULL);
        assert_true(gap(c.model, next) < 1e-11);
        for (int j = 0; j < 3; j++)
            assert_true(fabs(next[j] - q[j]) <= 0.02 * (1 + 1e-9));
        memcpy(q, next, sizeof q);
    }
}

/* what a loop holds, as docs/format.md has it, by the oracle's forward kinematics */
static double kind_error(const lb_model *model, const double *q)
{
    const lb_loop *loop = lb_model_loop(model, 0);
    lb_transform links[MOST_LINKS], first, second;
    test_forward(model, q, links);
    first =
        lb_transform_multiply(&links[lb_model_find_link(model, loop->first)], &loop->first_frame);
    second =
        lb_transform_multiply(&links[lb_model_find_link(model, loop->second)], &loop->second_frame);
    lb_transform t = lb_transform_between(&first, &second);
    double across = hypot(t.p.x, t.p.y), tilt = hypot(t.z.x, t.z.y) + fmax(0, -t.z.z);
    double turn = tilt + hypot(t.x.y, t.x.z) + fmax(0, -t.x.x);
    switch (loop->kind) {
    case LB_LOOP_WELD:
        return across + fabs(t.p.z) + turn;
    case LB_LOOP_HINGE:
        return across + fabs(t.p.z) + tilt;
    case LB_LOOP_SLIDE:
        return across + turn;
    case LB_LOOP_PLANAR:
        return fabs(t.p.z) + tilt;
    default:
        return across + fabs(t.p.z);
    }
}

/* a chain of joints in space that ends where it began, by loops of every kind */
TEST(every_kind_of_loop_holds)
{
    lb_random random = test_seed(50);
    int reached = 0, all = 0;
    for (int i = 0; i < FEWER(100, 10); i++) {
        linkage l = start_linkage((uint64_t)i);
        lb_transform end = LB_TRANSFORM_IDENTITY;
        double q[8], start[8];
        add_link(&l);
        for (int j = 0; j < 8; j++) {
            lb_transform place =
                lb_transform_from_quat(test_random_quat(&random), test_random_direction(&random));
            double value = lb_random_between(&random, -1, 1);
            add_joint(&l, j, LB_JOINT_CONTINUOUS, place, along_z, value);
            lb_transform turn = lb_transform_from_quat(lb_quat_exp(lb_vec3_make(0, 0, value)),
                                                       lb_vec3_make(0, 0, 0));
            place = lb_transform_multiply(&place, &turn);
            end = lb_transform_multiply(&end, &place);
        }
        lb_loop_kind kind = (lb_loop_kind)(i % LB_LOOP_COUPLING);
        add_loop(&l, kind, 0, end, 8, LB_TRANSFORM_IDENTITY);
        owned_model *model = build_linkage(&l);
        lb_configuration_neutral(model, start);
        assert_true(kind_error(model, start) < 1e-12);
        lb_task task = lb_task_make(lb_model_find_link(model, "l4"), LB_WORLD, LB_TASK_POSITION);
        // of a weld two freedoms are left, of all others three and more
        task.free_position = kind == LB_LOOP_WELD ? LB_FREE_X | LB_FREE_Y : 0;
        owned_ik *ik = test_solver(model, &task, 1, NULL);
        // where the linkage is in another closed configuration
        lb_transform links[MOST_LINKS], target = LB_TRANSFORM_IDENTITY;
        owned_assembly *assembly = assemble(model);
        for (int j = 0; j < 8; j++)
            q[j] = start[j] + lb_random_between(&random, -0.3, 0.3);
        if (lb_assembly_close(assembly, q, q, NULL) != LB_ASSEMBLED)
            continue;
        test_forward(model, q, links);
        target.p = links[task.tip].p;
        reached += lb_ik_solve(ik, &target, start, q, NULL) == LB_REACHED;
        assert_true(kind_error(model, q) < 1e-11);
        all++;
        // out of reach the loop is closed, too
        target.p = lb_vec3_make(0, 0, 100);
        assert_int_equal(lb_ik_solve(ik, &target, start, q, NULL), LB_UNREACHABLE);
        assert_true(kind_error(model, q) < 1e-11);
    }
    print_counts(reached, all);
    assert_true(reached > all * 9 / 10);
}

/* ---- couplings ---------------------------------------------------------------- */

/* an arm in the plane whose second joint is a polynomial of the third, and whose slide of the first
 */
TEST(couplings_hold)
{
    lb_random random = test_seed(49);
    int reached = 0, all = 0;
    for (uint64_t i = 0; i < FEWER(50, 5); i++) {
        linkage l = start_linkage(i);
        add_link(&l);
        int first = add_joint(&l, 0, LB_JOINT_CONTINUOUS, at(0, 0, 0), along_z, 0);
        int second = add_joint(&l, first, LB_JOINT_CONTINUOUS, at(1, 0, 0), along_z, 0);
        int third = add_joint(&l, second, LB_JOINT_CONTINUOUS, at(1, 0, 0), along_z, 0);
        int slide =
            add_joint(&l, third, LB_JOINT_PRISMATIC, at(0.3, 0, 0), lb_vec3_make(1, 0, 0), 0);
        l.joints[slide - 1].lower[0] = -2;
        l.joints[slide - 1].upper[0] = 2;
        const int ends[2][2] = {{second, third}, {slide, first}};
        double p[2][LB_LOOP_TERMS];
        for (int c = 0; c < 2; c++) {
            add_loop(&l, LB_LOOP_COUPLING, 0, at(0, 0, 0), 0, at(0, 0, 0));
            l.loops[c].first = l.joints[ends[c][0] - 1].name;
            l.loops[c].second = l.joints[ends[c][1] - 1].name;
            for (int k = 0; k < LB_LOOP_TERMS; k++)
                l.loops[c].polynomial[k] = p[c][k] = lb_random_between(&random, -0.3, 0.3);
        }
        owned_model *model = build_linkage(&l);
        int link = lb_model_find_link(model, "l4");
        lb_task task = lb_task_make(link, LB_WORLD, LB_TASK_POSITION);
        owned_ik *ik = test_solver(model, &task, 1, NULL);
        double q[4], value[2];
        lb_transform target = LB_TRANSFORM_IDENTITY, links[MOST_LINKS];
        // what the polynomials say of some first and third joint
        for (int j = 1; j <= 3; j += 2)
            *value_of(model, q, j) = lb_random_between(&random, -1, 1);
        for (int side = 0; side < 2; side++) {
            for (int c = 0; c < 2; c++) {
                double x = *value_of(model, q, ends[c][1]);
                value[c] = p[c][0] + x * (p[c][1] + x * (p[c][2] + x * (p[c][3] + x * p[c][4])));
            }
            if (side == 1)
                break;
            *value_of(model, q, second) = value[0];
            *value_of(model, q, slide) = value[1];
            test_forward(model, q, links);
            target.p = links[link].p;
            double start[4] = {0};
            reached += lb_ik_solve(ik, &target, start, q, NULL) == LB_REACHED;
            all++;
        }
        assert_near(*value_of(model, q, second), value[0], 2e-12);
        assert_near(*value_of(model, q, slide), value[1], 2e-12);
    }
    print_counts(reached, all);
    assert_true(reached > all * 9 / 10);
}

/* ---- what every kind of task means ------------------------------------------- */

/* lines, planes and axes of a platform: as lb_task_error says */
TEST(tasks_of_linkages_are_those_of_trees)
{
    lb_random random = test_seed(46);
    int reached = 0, all = 0;
    owned_model *model = make_platform(&random, 3);
    double start[MOST_LINKS], q[MOST_LINKS];
    lb_state *state;
    assert_int_equal(lb_state_create(model, NULL, &state), LB_OK);
    lb_configuration_neutral(model, start);
    for (unsigned form = 0; form < 3 * 7 * 2; form++) {
        lb_task task = lb_task_make(1, LB_WORLD, (lb_task_kind)(form % 3));
        task.free_position = form / 3 % 7;
        if (form >= 21)
            task.free_axis = test_random_direction(&random);
        task.tool.p = lb_vec3_scale(test_random_direction(&random), 0.1);
        owned_ik *ik = test_solver(model, &task, 1, NULL);
        lb_state_update(state, start);
        lb_transform target = lb_state_transform(state, LB_WORLD, 1);
        target = lb_transform_multiply(&target, &task.tool);
        lb_transform move =
            lb_transform_from_quat(lb_quat_exp(lb_vec3_scale(test_random_direction(&random), 0.2)),
                                   lb_vec3_scale(test_random_direction(&random), 0.1));
        target = lb_transform_multiply(&target, &move);
        lb_ik_result result;
        double position, rotation;
        reached += lb_ik_solve(ik, &target, start, q, &result) == LB_REACHED;
        lb_state_update(state, q);
        lb_task_error(state, &task, &target, &position, &rotation);
        assert_true(result.outcome != LB_REACHED || (position <= 1e-6 && rotation <= 1e-6));
        assert_true(gap(model, q) < 1e-11);
        all++;
    }
    lb_state_release(state);
    print_counts(reached, all);
    assert_int_equal(reached, all);
}

/* ---- what is refused --------------------------------------------------------- */

TEST(what_linkages_do_not_keep_is_named)
{
    lb_random random = test_seed(47);
    bar_case c;
    owned_model *model = NULL;
    while (!model)
        model = make_case(&random, 2, &c);
    lb_ik_options options = lb_ik_options_default();
    lb_ik *ik;
    lb_error error;
    options.method = lb_method_find("ccd");
    assert_int_equal(lb_ik_create(c.model, &c.task, 1, &options, NULL, &ik, &error),
                     LB_UNSUPPORTED);
    assert_non_null(strstr(error.message, "method 'ccd': it keeps no loop closed"));
    options = lb_ik_options_default();
    options.gains = (const double[]){1, 1, 1};
    assert_int_equal(lb_ik_create(c.model, &c.task, 1, &options, NULL, &ik, &error),
                     LB_UNSUPPORTED);
    assert_non_null(strstr(error.message, "option 'gains'"));
}

/* the sentence names the tool, and that the loops are closed */
TEST(sentences_about_linkages)
{
    lb_random random = test_seed(48);
    bar_case c;
    owned_model *model = NULL;
    while (!model)
        model = make_case(&random, 2, &c);
    owned_ik *ik = test_solver(c.model, &c.task, 1, NULL);
    lb_transform target = LB_TRANSFORM_IDENTITY;
    double q[3], derivative[18];
    char text[300];
    lb_ik_result result;
    target.p = lb_vec3_make(c.b.crank, 0.1, 0);
    do
        target.p.y += 0.05;
    while (lb_ik_solve(ik, &target, c.start, q, &result) == LB_UNREACHABLE);
    lb_ik_explain(ik, &target, q, &result, text, sizeof text);
    if (result.outcome != LB_REACHED)
        assert_non_null(strstr(text, "With its loops closed, the position of 'l2'"));
    target.p = lb_vec3_make(100, 0, 0);
    assert_int_equal(lb_ik_solve(ik, &target, c.start, q, &result), LB_UNREACHABLE);
    assert_true(result.beyond_reach > 90 && gap(c.model, q) < 1e-11);
    target.p.x = NAN;
    assert_int_equal(lb_ik_solve(ik, &target, c.start, q, &result), LB_INVALID);
    assert_memory_equal(q, c.start, sizeof q);
    target.p.x = 1;
    assert_int_equal(lb_ik_derivative(ik, &target, c.start, 0, derivative), -1);
}
