/*
 * test_dyads.c - all assemblies of planar linkages made of dyads, against exhaustive search.
 *
 * Linkages are drawn in an assembled pose, dyad after dyad, of any joints that turn or slide.
 */
#include "support_planar.h"

/* a crank and up to three dyads, each on any two links so far */
static lb_model *draw_linkage(lb_random *random, uint64_t seed, int dyads, double sliding)
{
    draft d = {.l = start_linkage(seed)};
    add_link(&d.l);
    d.poses[0] = LB_TRANSFORM_IDENTITY;
    draw_joint(&d, random, 0, false);
    for (int i = 0; i < dyads; i++) {
        int known = d.l.link_count, from = (int)(lb_random_between(random, 0, known - 1e-9));
        int to = (int)(lb_random_between(random, 0, known - 1e-9));
        bool slides[3];
        do
            for (int k = 0; k < 3; k++)
                slides[k] = test_random_chance(random, sliding);
        while (slides[0] && slides[1] && slides[2]);
        // the loop is one of the dyad's outer joints, or the inner one
        int first = draw_joint(&d, random, from, slides[0]);
        bool inner = test_random_chance(random, 0.5);
        int last = draw_joint(&d, random, inner ? to : first, slides[inner ? 2 : 1]);
        draw_loop(&d, random, inner ? first : to, last, slides[inner ? 1 : 2]);
    }
    return build_linkage(&d.l);
}

static void check_linkages(int dyads, double sliding, int many, int starts)
{
    lb_random random = test_seed((uint64_t)dyads);
    listing_count sum = {0};
    for (int i = 0; i < many; i++) {
        owned_model *model = draw_linkage(&random, (uint64_t)i, dyads, sliding);
        owned_assembly *assembly = assemble(model);
        // another dyad may be in the way of the crank
        if (lb_assembly_mobility(assembly).found == 1)
            check_list(assembly, model, &random, starts, sliding > 0, &sum);
    }
    print_count(&sum);
    assert_true(sum.complete > sum.drawn * 8 / 10 && sum.found > sum.listed);
}

TEST(all_assemblies_of_four_bars)
{
    check_linkages(1, 0, FEWER(100, 10), 60);
    check_linkages(1, 0.4, FEWER(200, 10), 60);
}

TEST(all_assemblies_of_six_bars)
{
    check_linkages(2, 0, FEWER(60, 6), 200);
    check_linkages(2, 0.3, FEWER(60, 6), 200);
}

TEST(all_assemblies_of_eight_bars)
{
    check_linkages(3, 0, FEWER(40, 3), 600);
    check_linkages(3, 0.3, FEWER(40, 3), 600);
}

/* ---- by hand ---------------------------------------------------------------- */

/* both elbows of a four-bar; at the dead point, where they are one, completeness is not said */
TEST(both_elbows)
{
    four_bar b = {3, 2, 2, 2, 1};
    double u = 1, dead = LB_PI - acos(0.25), pin, pivot, rows[8], q[3];
    bool complete;
    owned_model *model = make_four_bar(&b, u, LB_LOOP_HINGE, 7);
    owned_assembly *assembly = assemble(model);
    memcpy(q, lb_assembly_rest(assembly), sizeof q);
    assert_int_equal(lb_assembly_all(assembly, q, rows, 2, &complete), 2);
    assert_true(complete);
    for (int side = 0; side < 2; side++) {
        b.side = side ? 1 : -1;
        angles_of(&b, u, &pin, &pivot);
        memcpy(q, lb_assembly_rest(assembly), sizeof q);
        *value_of(model, q, 2) = pin;
        *value_of(model, q, 3) = pivot;
        assert_true(is_listed(model, q, rows, 2));
    }
    // one row, and how many there are
    assert_int_equal(lb_assembly_all(assembly, q, rows, 1, NULL), 2);
    assert_int_equal(lb_assembly_all(assembly, q, NULL, 0, NULL), 2);
    *value_of(model, q, 1) = dead - 1e-6;
    assert_int_equal(lb_assembly_all(assembly, q, rows, 2, &complete), 2);
    *value_of(model, q, 1) = dead;
    assert_true(lb_assembly_all(assembly, q, rows, 2, &complete) <= 2 && !complete);
    // coupler and rocker do not come so far, which is proved
    *value_of(model, q, 1) = dead + 0.01;
    assert_int_equal(lb_assembly_all(assembly, q, rows, 2, &complete), 0);
    assert_true(complete);
}

/* what is no planar linkage of dyads, and what is not finite */
TEST(linkages_that_are_not_of_dyads)
{
    linkage l = start_linkage(1);
    add_link(&l);
    for (int i = 0; i < 6; i++)
        add_joint(&l, i, LB_JOINT_CONTINUOUS, at(1, 0, 0), i % 2 ? along_z : lb_vec3_make(1, 0, 0),
                  0.3);
    add_loop(&l, LB_LOOP_HINGE, 0, at(0, 0, 0), 6, at(0, 0, 0));
    owned_model *model = build_linkage(&l);
    owned_assembly *assembly = assemble(model);
    double q[6] = {0}, rows[6];
    bool complete = true;
    assert_int_equal(lb_assembly_all(assembly, q, rows, 1, &complete), -1);
    assert_false(complete);
    four_bar b = {3, 1, 3, 2.5, 1};
    owned_model *bars = make_four_bar(&b, 1, LB_LOOP_HINGE, 7);
    owned_assembly *other = assemble(bars);
    q[1] = NAN;
    assert_int_equal(lb_assembly_all(other, q, rows, 1, &complete), -1);
    assert_int_equal(lb_assembly_all(NULL, q, rows, 1, &complete), -1);
}
