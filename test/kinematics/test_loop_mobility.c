/*
 * test_loop_mobility.c - mobility, constraints and assembly of linkages in space.
 */
#include "linkages.h"

static const lb_vec3 along_x = {1, 0, 0};

/* ---- mobility ------------------------------------------------------------- */

/* Bennett's linkage: four hinges of space that move all the same */
TEST(bennetts_linkage_moves)
{
    double twist = 0.9, twist2 = 1.9, length = 1, length2 = sin(twist2) / sin(twist), u[3];
    linkage l = start_linkage(1);
    lb_transform turn = lb_transform_from_quat(lb_quat_from_rpy(twist, 0, 0), at(length, 0, 0).p);
    lb_transform turn2 =
        lb_transform_from_quat(lb_quat_from_rpy(twist2, 0, 0), at(length2, 0, 0).p);
    lb_transform none = at(0, 0, 0);
    add_link(&l);
    int crank = add_joint(&l, 0, LB_JOINT_CONTINUOUS, none, along_z, 0.5);
    int coupler = add_joint(&l, crank, LB_JOINT_CONTINUOUS, turn, along_z, 0.5);
    int rocker = add_joint(&l, 0, LB_JOINT_CONTINUOUS, turn2, along_z, 0.5);
    add_loop(&l, LB_LOOP_HINGE, coupler, turn2, rocker, turn);
    owned_model *model = build_linkage(&l);
    owned_assembly *assembly = assemble(model);
    lb_loop_mobility m = lb_assembly_mobility(assembly);
    assert_true(m.closed);
    assert_int_equal(m.counted, -2);
    assert_int_equal(m.rank, 2);
    assert_int_equal(m.found, 1);
    assert_int_equal(lb_assembly_redundant(assembly, NULL), 3);
    memcpy(u, lb_assembly_rest(assembly), sizeof u);
    double start = *value_of(model, u, 3), q[3];
    memcpy(q, u, sizeof q);
    *value_of(model, u, 1) += 2 * LB_PI;
    assert_int_equal(lb_assembly_follow(assembly, q, u, q, NULL), LB_ASSEMBLED);
    assert_near(angle_between(*value_of(model, q, 3), start), 0, 1e-9);
    assert_true(gap(model, q) < 1e-11);
    check_velocities(assembly, model, lb_assembly_rest(assembly));
}

/* two bars in line: the pin moves at first order only */
TEST(a_flat_truss_does_not_move)
{
    linkage l = start_linkage(2);
    add_link(&l);
    int left = add_joint(&l, 0, LB_JOINT_CONTINUOUS, at(0, 0, 0), along_z, 0);
    int right = add_joint(&l, 0, LB_JOINT_CONTINUOUS, at(2, 0, 0), along_z, LB_PI);
    add_loop(&l, LB_LOOP_BALL, left, at(1, 0, 0), right, at(1, 0, 0));
    owned_model *model = build_linkage(&l);
    owned_assembly *assembly = assemble(model);
    lb_loop_mobility m = lb_assembly_mobility(assembly);
    assert_int_equal(m.rest_rank, 1);
    assert_int_equal(m.found, 0);
    assert_int_equal(m.counted, -1);
}

/* three cranks of one length on one rod: one constraint too many, and it moves; the flat place is
   where branches cross */
TEST(a_double_parallelogram_moves_and_its_flat_place_is_singular)
{
    linkage l = start_linkage(3);
    add_link(&l);
    int cranks[3];
    for (int i = 0; i < 3; i++)
        cranks[i] = add_joint(&l, 0, LB_JOINT_CONTINUOUS, at(i, 0, 0), along_z, 1);
    int rod = add_joint(&l, cranks[0], LB_JOINT_CONTINUOUS, at(0.7, 0, 0), along_z, -1);
    for (int i = 1; i < 3; i++)
        add_loop(&l, LB_LOOP_BALL, rod, at(i, 0, 0), cranks[i], at(0.7, 0, 0));
    owned_model *model = build_linkage(&l);
    owned_assembly *assembly = assemble(model);
    assert_int_equal(lb_assembly_mobility(assembly).counted, -2);
    assert_int_equal(lb_assembly_mobility(assembly).found, 1);
    double q[4], to[4];
    memcpy(q, lb_assembly_rest(assembly), sizeof q);
    memcpy(to, q, sizeof to);
    *value_of(model, to, 1) = 2.5;
    assert_int_equal(lb_assembly_follow(assembly, q, to, to, NULL), LB_ASSEMBLED);
    for (int i = 1; i < 4; i++)
        assert_near(*value_of(model, to, i), 2.5, 1e-10);
}

TEST(a_parallelogram_that_becomes_flat_is_singular)
{
    const four_bar b = {2, 1, 2, 1, 1};
    owned_model *model = make_four_bar(&b, 1, LB_LOOP_BALL, 9);
    owned_assembly *assembly = assemble(model);
    lb_assembly_result result;
    double q[3], to[3];
    memcpy(q, lb_assembly_rest(assembly), sizeof q);
    memcpy(to, q, sizeof to);
    *value_of(model, to, 1) = -1;
    assert_int_equal(lb_assembly_follow(assembly, q, to, to, &result), LB_ASSEMBLY_SINGULAR);
    assert_near(*value_of(model, to, 1), 0, 1e-4);
    assert_true(gap(model, to) < 1e-11);
}

/* ---- space ---------------------------------------------------------------- */

/* a platform on six legs: the lengths are driven */
static lb_model *make_platform(uint64_t seed)
{
    linkage l = start_linkage(seed);
    add_link(&l);
    lb_transform identity = LB_TRANSFORM_IDENTITY;
    int platform = add_joint(&l, 0, LB_JOINT_FLOATING, at(0, 0, 0), along_z, 0);
    lb_joint *floating = &l.joints[platform - 1];
    // the platform's frame is plain, so that its value is its height
    l.turns[platform] = identity;
    lb_transform back = lb_transform_inverse(&l.turns[0]);
    floating->placement = back;
    floating->value[2] = 1;
    floating->value[3] = 1;
    for (int i = 0; i < 6; i++) {
        double a = (i / 2) * 2 * LB_PI / 3 + (i % 2 ? 0.3 : -0.3);
        double b = ((i + 1) / 2 % 3) * 2 * LB_PI / 3 - LB_PI / 3 + (i % 2 ? -0.25 : 0.25);
        lb_vec3 foot = {cos(a), sin(a), 0}, head = {0.6 * cos(b), 0.6 * sin(b), 0.02 * i};
        lb_vec3 up = lb_vec3_sub(lb_vec3_add(head, lb_vec3_make(0, 0, 1)), foot);
        double length = lb_vec3_length(up);
        lb_vec3 z = lb_vec3_scale(up, 1 / length), x = lb_vec3_perpendicular(z);
        lb_transform place = {x, lb_vec3_cross(z, x), z, foot};
        int leg = add_joint(&l, 0, LB_JOINT_UNIVERSAL, place, lb_vec3_make(1, 0, 0), 0);
        lb_transform turned = lb_transform_inverse(&l.turns[leg]);
        l.joints[leg - 1].axis2 = lb_transform_direction(&turned, lb_vec3_make(0, 1, 0));
        int rod = add_joint(&l, leg, LB_JOINT_PRISMATIC, identity, along_z, length);
        add_loop(&l, LB_LOOP_BALL, rod, identity, platform, at(head.x, head.y, head.z));
    }
    return build_linkage(&l);
}

TEST(a_platform_follows_its_legs)
{
    enum { NQ = 7 + 18 };
    owned_model *model = make_platform(4);
    int drives[6], count = 0, dependent[24];
    for (int j = 0; j < lb_model_joint_count(model); j++)
        if (lb_model_joint(model, j)->kind == LB_JOINT_PRISMATIC)
            drives[count++] = j;
    owned_assembly *assembly = NULL;
    assert_int_equal(lb_assembly_create(model, drives, 6, NULL, &assembly, NULL), LB_OK);
    lb_loop_mobility m = lb_assembly_mobility(assembly);
    assert_int_equal(m.counted, 6);
    assert_int_equal(m.found, 6);
    assert_int_equal(lb_assembly_dependent(assembly, dependent), 18);
    for (int d = 0; d < 18; d++)
        for (int i = 0; i < 6; i++)
            assert_int_not_equal(dependent[d], lb_model_joint_v(model, drives[i]));
    lb_random random = test_seed(24);
    double q[NQ], to[NQ], whole[NQ];
    memcpy(q, lb_assembly_rest(assembly), sizeof q);
    for (int t = 0; t < 5; t++) {
        memcpy(to, q, sizeof to);
        for (int i = 0; i < 6; i++)
            to[lb_model_joint_q(model, drives[i])] += lb_random_between(&random, -0.05, 0.05);
        assert_int_equal(lb_assembly_follow(assembly, q, to, whole, NULL), LB_ASSEMBLED);
        assert_true(gap(model, whole) < 1e-11);
        for (int i = 0; i < 6; i++)
            assert_true(whole[lb_model_joint_q(model, drives[i])] ==
                        to[lb_model_joint_q(model, drives[i])]);
        // the same in a hundred parts
        double part[NQ], goal[NQ];
        memcpy(part, q, sizeof part);
        memcpy(goal, q, sizeof goal);
        for (int k = 1; k <= 100; k++) {
            for (int i = 0; i < 6; i++) {
                int at_q = lb_model_joint_q(model, drives[i]);
                goal[at_q] = q[at_q] + (to[at_q] - q[at_q]) * k / 100;
            }
            assert_int_equal(lb_assembly_follow(assembly, part, goal, part, NULL), LB_ASSEMBLED);
        }
        for (int i = 0; i < NQ; i++)
            assert_near(part[i], whole[i], 1e-9);
        memcpy(q, whole, sizeof q);
    }
    check_velocities(assembly, model, q);
}

/* a crank and a rocker with skew axes, joined by a rod with a ball at each end */
TEST(rods_between_skew_axes_keep_their_length)
{
    lb_random random = test_seed(25);
    int assembled = 0;
    for (int t = 0; t < FEWER(60, 10); t++) {
        linkage l = start_linkage((uint64_t)t);
        add_link(&l);
        lb_transform place = test_random_transform(&random);
        int crank = add_joint(&l, 0, LB_JOINT_CONTINUOUS, at(0, 0, 0), along_z, 0);
        int rod = add_joint(&l, crank, LB_JOINT_BALL, at(0.5, 0, 0), along_z, 0);
        int rocker = add_joint(&l, 0, LB_JOINT_CONTINUOUS, place, along_z, 1);
        add_loop(&l, LB_LOOP_BALL, rod, at(2, 0, 0), rocker, at(1.2, 0, 0));
        owned_model *model = build_linkage(&l);
        owned_assembly *assembly = assemble(model);
        lb_loop_mobility m = lb_assembly_mobility(assembly);
        if (!m.closed)
            continue;
        assert_int_equal(m.found, 2);
        double q[6], to[6];
        memcpy(q, lb_assembly_rest(assembly), sizeof q);
        memcpy(to, q, sizeof to);
        *value_of(model, to, 1) += lb_random_between(&random, -1, 1);
        lb_assembly_outcome outcome = lb_assembly_follow(assembly, q, to, to, NULL);
        assembled += outcome == LB_ASSEMBLED;
        assert_true(gap(model, to) < 1e-11);
    }
    assert_true(assembled > 5);
}

/* ---- kinds and couplings --------------------------------------------------- */

/* two floating links: each kind leaves the freedom that its constraints do not take */
TEST(each_kind_holds_what_its_table_says)
{
    for (int kind = 0; kind < LB_LOOP_COUPLING; kind++) {
        linkage l = start_linkage((uint64_t)kind);
        add_link(&l);
        int body = add_joint(&l, 0, LB_JOINT_FLOATING, at(0.1, 0.2, 0.05), along_z, 0);
        l.joints[body - 1].value[3] = 1;
        l.joints[body - 1].value[4] = 0.2;
        add_loop(&l, (lb_loop_kind)kind, 0, at(1, 0, 0), body, at(1, 0.1, 0));
        owned_model *model = build_linkage(&l);
        owned_assembly *assembly = assemble(model);
        lb_loop_mobility m = lb_assembly_mobility(assembly);
        assert_true(m.closed);
        assert_int_equal(m.found, 6 - lb_loop_kind_rows((lb_loop_kind)kind));
        assert_int_equal(m.found, m.counted);
        // what remains free, seen from the first frame
        const lb_loop *loop = lb_model_loop(model, 0);
        lb_transform links[MOST_LINKS];
        test_forward(model, lb_assembly_rest(assembly), links);
        lb_transform a = lb_transform_multiply(&links[0], &loop->first_frame);
        lb_transform b = lb_transform_multiply(&links[1], &loop->second_frame);
        lb_transform seen = lb_transform_between(&a, &b);
        bool displaced[] = {false, false, true, false, false};
        if (!displaced[kind] && kind != LB_LOOP_PLANAR)
            assert_near(lb_vec3_length(seen.p), 0, 1e-11);
        if (kind == LB_LOOP_PLANAR)
            assert_near(seen.p.z, 0, 1e-11);
        if (kind == LB_LOOP_SLIDE)
            assert_near(fabs(seen.p.x) + fabs(seen.p.y), 0, 1e-11);
        if (kind != LB_LOOP_BALL)
            assert_near(seen.z.z, 1, 1e-11);
        if (kind == LB_LOOP_WELD || kind == LB_LOOP_SLIDE)
            assert_near(seen.x.x, 1, 1e-11);
    }
}

TEST(a_coupling_is_its_polynomial)
{
    linkage l = start_linkage(7);
    add_link(&l);
    add_joint(&l, 0, LB_JOINT_CONTINUOUS, at(0, 0, 0), along_z, 0);
    add_joint(&l, 0, LB_JOINT_PRISMATIC, at(0, 1, 0), along_x, 0.25);
    lb_loop loop = lb_loop_default();
    const double polynomial[] = {0.25, 0.5, -0.125, 0.03, 0.01};
    loop.kind = LB_LOOP_COUPLING;
    loop.name = "cam";
    loop.first = "j2";
    loop.second = "j1";
    memcpy(loop.polynomial, polynomial, sizeof polynomial);
    l.loops[l.loop_count++] = loop;
    owned_model *model = build_linkage(&l);
    owned_assembly *assembly = assemble(model);
    assert_int_equal(lb_assembly_mobility(assembly).found, 1);
    double q[2], to[2];
    memcpy(q, lb_assembly_rest(assembly), sizeof q);
    for (int i = -20; i <= 20; i++) {
        double x = 0.2 * i, y = 0;
        memcpy(to, q, sizeof to);
        *value_of(model, to, 1) = x;
        assert_int_equal(lb_assembly_follow(assembly, q, to, q, NULL), LB_ASSEMBLED);
        for (int k = 5; k-- > 0;)
            y = y * x + polynomial[k];
        assert_near(*value_of(model, q, 2), y, 1e-11);
    }
    check_velocities(assembly, model, q);
}

/* ---- refusals and memory --------------------------------------------------- */

TEST(models_without_loops_have_no_dependent_joints)
{
    lb_random random = test_seed(26);
    test_tree wanted = test_tree_default();
    wanted.joints = 12;
    for (int t = 0; t < 10; t++) {
        owned_model *model = test_tree_build(&wanted, &random);
        owned_assembly *assembly = assemble(model);
        lb_loop_mobility m = lb_assembly_mobility(assembly);
        assert_true(m.closed);
        assert_int_equal(m.found, m.velocities);
        assert_int_equal(lb_assembly_dependent(assembly, NULL), 0);
    }
}

TEST(a_linkage_that_cannot_close_says_so)
{
    linkage l = start_linkage(8);
    add_link(&l);
    int left = add_joint(&l, 0, LB_JOINT_CONTINUOUS, at(0, 0, 0), along_z, 0);
    int right = add_joint(&l, 0, LB_JOINT_CONTINUOUS, at(5, 0, 0), along_z, LB_PI);
    add_loop(&l, LB_LOOP_BALL, left, at(1, 0, 0), right, at(1, 0, 0));
    owned_model *model = build_linkage(&l);
    owned_assembly *assembly = assemble(model);
    lb_assembly_result result;
    double q[2] = {0, 1}, bad[2] = {NAN, 0};
    assert_false(lb_assembly_mobility(assembly).closed);
    assert_int_equal(lb_assembly_close(assembly, q, q, &result), LB_ASSEMBLY_OPEN);
    assert_true(result.error > 0.1);
    assert_int_equal(lb_assembly_follow(assembly, q, q, q, &result), LB_ASSEMBLY_OPEN);
    assert_int_equal(lb_assembly_close(assembly, bad, q, &result), LB_ASSEMBLY_INVALID);
    assert_true(isnan(q[0]) && q[1] == 0);
    assert_int_equal(lb_assembly_follow(assembly, q, bad, q, &result), LB_ASSEMBLY_INVALID);
    int drive = 2;
    lb_assembly *none;
    lb_error error;
    assert_int_equal(lb_assembly_create(model, &drive, 1, NULL, &none, &error),
                     LB_INVALID_ARGUMENT);
}
