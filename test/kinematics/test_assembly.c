/*
 * test_assembly.c - linkages that close: mobility, branches, dead points.
 *
 * Planar linkages are judged by the triangles that they are made of, in closed form. Every link's
 * frame is turned at random, so nothing is along an axis.
 */
#include "linkages.h"
#include "support_load.h"

static const lb_vec3 along_x = {1, 0, 0};

/* ---- closing from afar ---------------------------------------------------- */

/* a link on a ball, of any rotation and half a turn off exactly: there is no wrong end */
TEST(closing_finds_the_rotation_from_anywhere)
{
    static const lb_loop_kind kinds[] = {LB_LOOP_WELD, LB_LOOP_SLIDE, LB_LOOP_HINGE,
                                         LB_LOOP_PLANAR};
    lb_random random = test_seed(31);
    for (int t = 0; t < FEWER(400, 40); t++) {
        linkage l = start_linkage((uint64_t)t);
        int root = add_link(&l);
        int body = add_joint(&l, root, LB_JOINT_BALL, at(0.3, 0.2, 0.1), along_z, 0);
        lb_transform turned = at(0.3, 0.2, 0.1);
        if (t >= 16)
            turned = lb_transform_from_quat(test_random_quat(&random), turned.p);
        else
            turned.z = lb_vec3_scale(turned.z, -1), turned.x = lb_vec3_scale(turned.x, -1);
        add_loop(&l, kinds[t % 4], root, turned, body, at(0, 0, 0));
        owned_model *model = build_linkage(&l);
        owned_assembly *assembly = assemble(model);
        assert_true(lb_assembly_mobility(assembly).closed);
    }
}

/* ---- loops that a path leaves as they are ---------------------------------- */

/* four bars of these lengths, along x at rest but for the values of their joints; returns the crank
 */
static int add_bars(linkage *l, int root, double y, const double bars[4], const double turns[3])
{
    int crank = add_joint(l, root, LB_JOINT_REVOLUTE, at(0, y, 0), along_z, turns[0]);
    int coupler = add_joint(l, crank, LB_JOINT_REVOLUTE, at(bars[1], 0, 0), along_z, turns[1]);
    int rocker = add_joint(l, root, LB_JOINT_REVOLUTE, at(bars[0], y, 0), along_z, turns[2]);
    add_loop(l, LB_LOOP_BALL, coupler, at(bars[2], 0, 0), rocker, at(bars[3], 0, 0));
    return crank;
}

/* a crank beside a parallelogram that is flat, where no step of it could be certified */
TEST(paths_leave_other_loops_as_they_are)
{
    static const double bars[4] = {3, 1, 3, 2.5}, flat[4] = {2, 1, 2, 1};
    static const double turns[3] = {0, 1, 1.7}, none[3] = {0, 0, 0};
    linkage l = start_linkage(5);
    int root = add_link(&l);
    int crank = add_bars(&l, root, 0, bars, turns);
    add_bars(&l, root, 5, flat, none);
    owned_model *model = build_linkage(&l);
    owned_assembly *assembly = assemble(model);
    lb_assembly_result result;
    double from[6], to[6];
    memcpy(from, lb_assembly_rest(assembly), sizeof from);
    memcpy(to, from, sizeof to);
    *value_of(model, to, crank) += 2 * LB_PI;
    assert_int_equal(lb_assembly_follow(assembly, from, to, to, &result), LB_ASSEMBLED);
    assert_true(gap(model, to) < 1e-11 && result.error < 1e-12);
    for (int j = crank + 3; j < crank + 6; j++)
        assert_true(*value_of(model, to, j) == *value_of(model, from, j));
}

/* ---- four-bars ------------------------------------------------------------ */

static bool draw_four_bar(lb_random *random, four_bar *b, double *u)
{
    double *lengths[] = {&b->ground, &b->crank, &b->coupler, &b->rocker};
    for (int i = 0; i < 4; i++)
        *lengths[i] = lb_random_between(random, 0.7, 2.3);
    b->side = test_random_chance(random, 0.5) ? 1 : -1;
    *u = lb_random_between(random, -LB_PI, LB_PI);
    double d2 = b->crank * b->crank + b->ground * b->ground - 2 * b->crank * b->ground * cos(*u);
    double sum = b->coupler + b->rocker, less = b->coupler - b->rocker;
    return d2 < sum * sum * 0.98 && d2 > less * less * 1.02;
}

/* the least way of the crank in a direction to where coupler and rocker are in line */
static double way_to_dead_point(const four_bar *b, double u, double direction)
{
    double least = INFINITY, c = b->crank, g = b->ground;
    for (int f = 0; f < 2; f++) {
        double w = f ? b->coupler + b->rocker : fabs(b->coupler - b->rocker);
        double cosine = (c * c + g * g - w * w) / (2 * c * g);
        for (int turn = -2; turn <= 2 && fabs(cosine) <= 1; turn++)
            for (int h = -1; h <= 1; h += 2) {
                double way = (h * acos(cosine) + turn * 2 * LB_PI - u) * direction;
                least = way > 0 ? fmin(least, way) : least;
            }
    }
    return least;
}

TEST(four_bars_keep_their_branch_and_stop_at_dead_points)
{
    lb_random random = test_seed(20);
    int counts[LB_ASSEMBLY_OUTCOME_COUNT] = {0};
    for (int t = 0; t < FEWER(600, 40); t++) {
        four_bar b;
        double u, pin, pivot, from[3], to[3], move = lb_random_between(&random, -3, 3);
        if (!draw_four_bar(&random, &b, &u))
            continue;
        owned_model *model =
            make_four_bar(&b, u, t % 2 ? LB_LOOP_HINGE : LB_LOOP_BALL, (uint64_t)t);
        owned_assembly *assembly = assemble(model);
        lb_assembly_result result;
        memcpy(from, lb_assembly_rest(assembly), sizeof from);
        memcpy(to, from, sizeof to);
        u = *value_of(model, from, 1);
        *value_of(model, to, 1) = u + move;
        lb_assembly_outcome outcome = lb_assembly_follow(assembly, from, to, to, &result);
        double way = way_to_dead_point(&b, u, move > 0 ? 1 : -1);
        assert_true(gap(model, to) < 1e-11);
        counts[outcome]++;
        if (way > fabs(move)) {
            assert_int_equal(outcome, LB_ASSEMBLED);
            assert_true(*value_of(model, to, 1) == u + move);
        } else {
            assert_int_equal(outcome, LB_ASSEMBLY_DEAD_POINT);
            assert_near(result.fraction * fabs(move), way, 1e-11);
            continue;
        }
        angles_of(&b, u + move, &pin, &pivot);
        assert_near(angle_between(*value_of(model, to, 2), pin), 0, 1e-8);
        assert_near(angle_between(*value_of(model, to, 3), pivot), 0, 1e-8);
    }
    assert_true(counts[LB_ASSEMBLED] > FEWER(100, 3) &&
                counts[LB_ASSEMBLY_DEAD_POINT] > FEWER(30, 1));
}

/*
 * Bars that can nearly all lie in line: there the two branches pass each other so closely that
 * Newton's method alone goes over to the other one. The path may end as singular, which says
 * nothing; what is called assembled is on its branch.
 */
TEST(branches_that_pass_closely_are_not_exchanged)
{
    lb_random random = test_seed(24);
    int assembled = 0;
    for (int t = 0; t < FEWER(300, 30); t++) {
        four_bar b;
        double u, pin, pivot, q[3];
        draw_four_bar(&random, &b, &u);
        // ground + crank = coupler + rocker, or crank + rocker = ground + coupler, but for a hair
        double hair = (t % 2 ? 1 : -1) * exp(lb_random_between(&random, log(1e-6), log(1e-2)));
        if (t % 4 < 2)
            b.rocker = b.ground + b.crank - b.coupler + hair;
        else
            b.rocker = b.ground + b.coupler - b.crank + hair;
        double d2 = b.crank * b.crank + b.ground * b.ground - 2 * b.crank * b.ground * cos(u);
        double sum = b.coupler + b.rocker, less = b.coupler - b.rocker;
        if (b.rocker < 0.3 || d2 > sum * sum * 0.98 || d2 < less * less * 1.02)
            continue;
        owned_model *model = make_four_bar(&b, u, LB_LOOP_HINGE, (uint64_t)t);
        owned_assembly *assembly = assemble(model);
        memcpy(q, lb_assembly_rest(assembly), sizeof q);
        u = *value_of(model, q, 1);
        *value_of(model, q, 1) += test_random_chance(&random, 0.5) ? 6 : -6;
        if (lb_assembly_follow(assembly, lb_assembly_rest(assembly), q, q, NULL) != LB_ASSEMBLED)
            continue;
        assembled++;
        angles_of(&b, *value_of(model, q, 1), &pin, &pivot);
        assert_near(angle_between(*value_of(model, q, 2), pin), 0, 1e-7);
        assert_near(angle_between(*value_of(model, q, 3), pivot), 0, 1e-7);
    }
    print_message("%d assembled\n", assembled);
    assert_true(assembled > FEWER(40, 4));
}

TEST(a_crank_turns_many_times)
{
    const four_bar b = {3, 1, 3, 2.5, 1};
    owned_model *model = make_four_bar(&b, 0.3, LB_LOOP_BALL, 5);
    owned_assembly *assembly = assemble(model);
    lb_assembly_result result;
    double q[3], pin, pivot;
    memcpy(q, lb_assembly_rest(assembly), sizeof q);
    double u = *value_of(model, q, 1), before = *value_of(model, q, 3);
    for (int turn = 1; turn <= FEWER(50, 3); turn++) {
        // from a configuration that is open there is no branch
        *value_of(model, q, 1) += 0.5;
        assert_int_equal(lb_assembly_follow(assembly, q, q, q, NULL), LB_ASSEMBLY_OPEN);
        *value_of(model, q, 1) = u + (turn - 1) * 2 * LB_PI;
        double to[3] = {0};
        *value_of(model, to, 1) = u + turn * 2 * LB_PI;
        assert_int_equal(lb_assembly_follow(assembly, q, to, q, &result), LB_ASSEMBLED);
        angles_of(&b, *value_of(model, q, 1), &pin, &pivot);
        assert_near(angle_between(*value_of(model, q, 2), pin), 0, 1e-10);
        // the rocker swings, so its angle comes back itself
        assert_near(*value_of(model, q, 3), before, 1e-10);
        assert_true(gap(model, q) < 1e-12 && result.error <= 1e-12);
    }
}

TEST(velocities_are_those_of_the_closed_linkage)
{
    lb_random random = test_seed(21);
    for (int t = 0; t < 30; t++) {
        four_bar b;
        double u;
        if (!draw_four_bar(&random, &b, &u))
            continue;
        owned_model *model = make_four_bar(&b, u, LB_LOOP_HINGE, (uint64_t)t);
        owned_assembly *assembly = assemble(model);
        check_velocities(assembly, model, lb_assembly_rest(assembly));
    }
}

TEST(a_path_ends_at_the_limit_of_a_dependent_joint)
{
    const four_bar b = {3, 1, 3, 2.5, 1};
    owned_model *model = make_four_bar(&b, 0.3, LB_LOOP_BALL, 6);
    lb_joint joints[3];
    lb_loop loop = *lb_model_loop(model, 0);
    lb_link links[4];
    for (int i = 0; i < 4; i++)
        links[i] = *lb_model_link(model, i);
    for (int j = 0; j < 3; j++)
        joints[j] = *lb_model_joint(model, j);
    int rocker = lb_model_find_joint(model, "j3");
    joints[rocker].kind = LB_JOINT_REVOLUTE;
    joints[rocker].upper[0] = joints[rocker].value[0] + 0.2;
    joints[rocker].lower[0] = joints[rocker].value[0] - 0.2;
    lb_model_source source = {.root = LB_TRANSFORM_IDENTITY,
                              .links = links,
                              .link_count = 4,
                              .joints = joints,
                              .joint_count = 3,
                              .loops = &loop,
                              .loop_count = 1};
    owned_model *limited = test_build(&source);
    owned_assembly *assembly = assemble(limited);
    lb_assembly_result result;
    double q[3], to[3], pin, pivot;
    for (int sign = -1; sign <= 1; sign += 2) {
        memcpy(q, lb_assembly_rest(assembly), sizeof q);
        memcpy(to, q, sizeof to);
        *value_of(limited, to, 1) += sign * 6.0;
        assert_int_equal(lb_assembly_follow(assembly, q, to, q, &result), LB_ASSEMBLY_LIMIT);
        assert_int_equal(result.joint, rocker);
        double value = *value_of(limited, q, 3);
        assert_near(
            fmin(fabs(value - joints[rocker].upper[0]), fabs(value - joints[rocker].lower[0])), 0,
            1e-9);
        assert_near(*value_of(limited, q, 1), 0.3 + sign * 6.0 * result.fraction, 1e-9);
        angles_of(&b, *value_of(limited, q, 1), &pin, &pivot);
        assert_near(angle_between(pivot, value), 0, 1e-9);
    }
}

/* ---- other linkages of the plane ------------------------------------------ */

TEST(slider_cranks_keep_their_branch)
{
    lb_random random = test_seed(22);
    int assembled = 0, dead = 0;
    for (int t = 0; t < FEWER(200, 20); t++) {
        double k = lb_random_between(&random, 0.5, 1.5), c = lb_random_between(&random, 0.5, 2.5);
        double off = lb_random_between(&random, -0.4, 0.4), side = t % 2 ? 1 : -1, from[3], to[3];
        double u = lb_random_between(&random, -LB_PI, LB_PI), rise = k * sin(u) - off;
        if (rise * rise > c * c * 0.96)
            continue;
        double x = k * cos(u) + side * sqrt(c * c - rise * rise);
        linkage l = start_linkage((uint64_t)t);
        add_link(&l);
        int crank = add_joint(&l, 0, LB_JOINT_CONTINUOUS, at(0, 0, 0), along_z, u);
        int rod = add_joint(&l, crank, LB_JOINT_CONTINUOUS, at(k, 0, 0), along_z,
                            atan2(-rise, x - k * cos(u)) - u);
        int slider = add_joint(&l, 0, LB_JOINT_PRISMATIC, at(0, off, 0), along_x, x);
        add_loop(&l, LB_LOOP_HINGE, rod, at(c, 0, 0), slider, at(0, 0, 0));
        owned_model *model = build_linkage(&l);
        owned_assembly *assembly = assemble(model);
        memcpy(from, lb_assembly_rest(assembly), sizeof from);
        memcpy(to, from, sizeof to);
        double move = lb_random_between(&random, -7, 7);
        *value_of(model, to, 1) += move;
        lb_assembly_result result;
        lb_assembly_outcome outcome = lb_assembly_follow(assembly, from, to, to, &result);
        double v = *value_of(model, to, 1);
        rise = k * sin(v) - off;
        if (outcome == LB_ASSEMBLED) {
            assembled++;
            x = k * cos(v) + side * sqrt(c * c - rise * rise);
            assert_near(*value_of(model, to, 3), x, 1e-8);
        } else {
            dead++;
            assert_int_equal(outcome, LB_ASSEMBLY_DEAD_POINT);
            assert_near(fabs(rise), c, 1e-11);
        }
        assert_true(gap(model, to) < 1e-11);
    }
    assert_true(assembled > FEWER(30, 1) && dead > FEWER(20, 1));
}

/* a piston that drives is independent, also where the model rests at its dead point */
TEST(a_driven_piston_is_independent)
{
    owned_model *model = test_load("slider_crank");
    const int drive = lb_model_find_joint(model, "slide"), at = lb_model_joint_q(model, drive);
    double q[3];
    int dependent[3];
    lb_assembly *made;
    assert_int_equal(lb_assembly_create(model, &drive, 1, NULL, &made, NULL), LB_OK);
    owned_assembly *assembly = made;
    assert_int_equal(lb_assembly_dependent(assembly, dependent), 2);
    for (int i = 0; i < 2; i++)
        assert_int_not_equal(dependent[i], lb_model_joint_v(model, drive));
    memcpy(q, lb_assembly_rest(assembly), sizeof q);
    q[at] = 1.2;
    assert_int_equal(lb_assembly_follow(assembly, lb_assembly_rest(assembly), q, q, NULL),
                     LB_ASSEMBLED);
    assert_true(q[at] == 1.2 && gap(model, q) < 1e-11);
}

/* a four-bar whose rocker carries another dyad: the elbow's side must hold */
TEST(six_bars_keep_both_elbows)
{
    lb_random random = test_seed(23);
    int assembled = 0, dead = 0;
    for (int t = 0; t < FEWER(200, 20); t++) {
        four_bar b, second;
        double u, v, pin, pivot, from[5], to[5], pin2, pivot2;
        if (!draw_four_bar(&random, &b, &u) || !draw_four_bar(&random, &second, &v))
            continue;
        // the second four-bar's crank is the first one's rocker, from its pivot on
        angles_of(&b, u, &pin, &pivot);
        double d2 = second.crank * second.crank + second.ground * second.ground -
                    2 * second.crank * second.ground * cos(pivot);
        double sum = second.coupler + second.rocker, less = second.coupler - second.rocker;
        if (!(d2 < sum * sum * 0.98 && d2 > less * less * 1.02))
            continue;
        angles_of(&second, pivot, &pin2, &pivot2);
        linkage l = start_linkage((uint64_t)t);
        add_link(&l);
        lb_joint_kind kind = LB_JOINT_CONTINUOUS;
        int crank = add_joint(&l, 0, kind, at(0, 0, 0), along_z, u);
        int coupler = add_joint(&l, crank, kind, at(b.crank, 0, 0), along_z, pin);
        int rocker = add_joint(&l, 0, kind, at(b.ground, 0, 0), along_z, pivot);
        int rod = add_joint(&l, rocker, kind, at(second.crank, 0, 0), along_z, pin2);
        int output = add_joint(&l, 0, kind, at(b.ground + second.ground, 0, 0), along_z, pivot2);
        add_loop(&l, LB_LOOP_BALL, coupler, at(b.coupler, 0, 0), rocker, at(b.rocker, 0, 0));
        add_loop(&l, LB_LOOP_HINGE, rod, at(second.coupler, 0, 0), output, at(second.rocker, 0, 0));
        owned_model *model = build_linkage(&l);
        owned_assembly *assembly = assemble(model);
        assert_int_equal(lb_assembly_mobility(assembly).found, 1);
        memcpy(from, lb_assembly_rest(assembly), sizeof from);
        memcpy(to, from, sizeof to);
        *value_of(model, to, 1) += lb_random_between(&random, -4, 4);
        lb_assembly_outcome outcome = lb_assembly_follow(assembly, from, to, to, NULL);
        assert_true(gap(model, to) < 1e-11);
        angles_of(&b, *value_of(model, to, 1), &pin, &pivot);
        double near = outcome == LB_ASSEMBLED ? 1e-7 : 1e-3;
        assert_near(angle_between(*value_of(model, to, 3), pivot), 0, near);
        angles_of(&second, *value_of(model, to, 3), &pin2, &pivot2);
        assert_near(angle_between(*value_of(model, to, 5), pivot2), 0, near);
        assembled += outcome == LB_ASSEMBLED;
        if (outcome == LB_ASSEMBLED)
            continue;
        // one of the elbows is straight
        assert_int_equal(outcome, LB_ASSEMBLY_DEAD_POINT);
        double bend = sin(*value_of(model, to, 1) + *value_of(model, to, 2) - pivot);
        double bend2 = sin(*value_of(model, to, 3) + *value_of(model, to, 4) - pivot2);
        assert_true(fmin(fabs(bend), fabs(bend2)) < 1e-6);
        dead++;
    }
    assert_true(assembled > 2 && dead > 2);
}
