/*
 * test_dyads.c - all assemblies of planar linkages made of dyads, against exhaustive search.
 *
 * Linkages are drawn in an assembled pose, dyad after dyad, of any joints that turn or slide. The
 * referee is Newton's method on the dependent joints from many random starts: whatever it finds
 * must be listed, and whatever is listed must close by the oracle's forward kinematics.
 */
#include "kinematics/assembly.h"
#include "linkages.h"

enum { MOST_ASSEMBLIES = 64 };

/* ---- drawing linkages ----------------------------------------------------- */

/* A linkage being drawn, with the plain poses of its links. */
typedef struct draft {
    linkage l;
    lb_transform poses[MOST_LINKS];
} draft;

static lb_transform turned(double angle)
{
    return lb_transform_from_quat(lb_quat_exp(lb_vec3_make(0, 0, angle)), lb_vec3_make(0, 0, 0));
}

static lb_vec3 draw_point(lb_random *random)
{
    return lb_vec3_make(lb_random_between(random, -1, 1), lb_random_between(random, -1, 1), 0);
}

static lb_vec3 draw_direction(lb_random *random)
{
    double angle = lb_random_between(random, -LB_PI, LB_PI);
    return lb_vec3_make(cos(angle), sin(angle), 0);
}

/* a link on a joint that turns or slides, at a random value */
static int draw_joint(draft *d, lb_random *random, int parent, bool slides)
{
    lb_transform place = turned(lb_random_between(random, -LB_PI, LB_PI)), move;
    double value = lb_random_between(random, -1, 1);
    lb_vec3 axis = slides ? draw_direction(random) : along_z;
    place.p = draw_point(random);
    move = slides ? lb_transform_translation(value * axis.x, value * axis.y, 0) : turned(value);
    int i = add_joint(&d->l, parent, slides ? LB_JOINT_PRISMATIC : LB_JOINT_CONTINUOUS, place, axis,
                      value);
    d->l.joints[i - 1].lower[0] = -100;
    d->l.joints[i - 1].upper[0] = 100;
    place = lb_transform_multiply(&place, &move);
    d->poses[i] = lb_transform_multiply(&d->poses[parent], &place);
    return i;
}

/* a loop of two links as they are now */
static void draw_loop(draft *d, lb_random *random, int first, int second, bool slides)
{
    lb_transform at_second = LB_TRANSFORM_IDENTITY;
    at_second.p = draw_point(random);
    if (slides) {
        at_second.z = draw_direction(random);
        at_second.x = along_z;
        at_second.y = lb_vec3_cross(at_second.z, at_second.x);
    }
    lb_transform world = lb_transform_multiply(&d->poses[second], &at_second);
    lb_transform at_first = lb_transform_between(&d->poses[first], &world);
    if (slides)
        at_first.p = lb_vec3_add(at_first.p, lb_vec3_scale(at_first.z, 0.3));
    lb_loop_kind kind = slides                            ? LB_LOOP_SLIDE
                        : test_random_chance(random, 0.5) ? LB_LOOP_HINGE
                                                          : LB_LOOP_BALL;
    add_loop(&d->l, kind, first, at_first, second, at_second);
}

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

/* ---- the referee ----------------------------------------------------------- */

/* whether two configurations are one, up to whole turns */
static bool is_same(const lb_model *model, const double *p, const double *q)
{
    double v[MOST_LINKS], most = 0;
    lb_configuration_difference(model, p, q, v);
    for (int i = 0; i < lb_model_nv(model); i++)
        most = fmax(most, fabs(v[i]));
    return most < 1e-5;
}

static bool is_listed(const lb_model *model, const double *q, const double *rows, int count)
{
    bool listed = false;
    for (int i = 0; i < count; i++)
        listed = listed || is_same(model, q, rows + i * lb_model_nq(model));
    return listed;
}

/* closed configurations from random starts, which are all listed; returns how many were found */
static int search(lb_assembly *a, const lb_model *model, const double *q, const double *rows,
                  int count, lb_random *random, int starts)
{
    int found = 0, dependent[MOST_LINKS], n = lb_assembly_dependent(a, dependent);
    for (int s = 0; s < starts; s++) {
        double start[MOST_LINKS], corrected;
        memcpy(start, q, sizeof(double) * (size_t)lb_model_nq(model));
        for (int k = 0; k < n; k++)
            start[dependent[k]] = lb_random_between(random, -3.2, 3.2);
        if (!loop_correct(a, start, &corrected))
            continue;
        found++;
        if (!is_listed(model, start, rows, count))
            fail_msg("an assembly is missing from %d", count);
    }
    return found;
}

static void check_linkages(int dyads, double sliding, int many, int starts)
{
    lb_random random = test_seed((uint64_t)dyads);
    int found = 0, listed = 0, complete_count = 0, most = 0, drawn = 0;
    for (int i = 0; i < many; i++) {
        owned_model *model = draw_linkage(&random, (uint64_t)i, dyads, sliding);
        owned_assembly *assembly = assemble(model);
        double q[MOST_LINKS], rows[MOST_ASSEMBLIES * MOST_LINKS];
        bool complete;
        lb_configuration_neutral(model, q);
        // another dyad may be in the way of the crank
        if (lb_assembly_mobility(assembly).found != 1)
            continue;
        // dependent joints may have any values
        double open[MOST_LINKS];
        int dependent[MOST_LINKS], n = lb_assembly_dependent(assembly, dependent);
        memcpy(open, q, sizeof open);
        for (int k = 0; k < n; k++)
            open[dependent[k]] += lb_random_between(&random, -1, 1);
        int count = lb_assembly_all(assembly, open, rows, MOST_ASSEMBLIES, &complete);
        drawn++;
        assert_true(count >= 0 && count <= 1 << dyads);
        for (int k = 0; k < count; k++) {
            assert_true(gap(model, rows + k * lb_model_nq(model)) < 1e-10 || sliding > 0);
            assert_true(rows[k * lb_model_nq(model)] == q[0]);
            loop_measure(assembly, rows + k * lb_model_nq(model));
            assert_true(assembly->error <= LOOP_CLOSED);
            assert_false(is_listed(model, rows + k * lb_model_nq(model), rows, k) && complete);
        }
        if (!complete)
            continue;
        complete_count++;
        // the pose that it was drawn in
        assert_true(is_listed(model, q, rows, count));
        found += search(assembly, model, q, rows, count, &random, starts);
        listed += count;
        most = count > most ? count : most;
    }
    print_message("%d of %d complete, %d listed, at most %d; the search found %d times one\n",
                  complete_count, drawn, listed, most, found);
    assert_true(complete_count > drawn * 8 / 10 && found > listed);
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
