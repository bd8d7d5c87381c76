/*
 * test_groups.c - all assemblies of planar linkages that dyads do not make up, against exhaustive
 * search.
 *
 * Bodies and joints between them are drawn at random, as long as no part is rigid by count.
 */
#include "support_planar.h"

/* ---- drawing linkages ----------------------------------------------------- */

enum { MOST_BODIES = 8, MOST_JOINTS = 12 };

/* Which bodies joints are between; body 0 is the ground, and joint 0 the crank's. */
typedef struct topology {
    int bodies, joints, ends[MOST_JOINTS][2];
} topology;

static int draw_index(lb_random *random, int below)
{
    return (int)lb_random_between(random, 0, below - 1e-9);
}

/* no part is rigid, and every body has two joints */
static bool is_movable(const topology *t)
{
    for (int set = 1; set < 1 << t->bodies; set++) {
        int size = 0, inside = 0, touching = 0;
        for (int b = 0; b < t->bodies; b++)
            size += set >> b & 1;
        for (int j = 0; j < t->joints; j++) {
            int in = (set >> t->ends[j][0] & 1) + (set >> t->ends[j][1] & 1);
            inside += in == 2;
            touching += in > 0;
        }
        if (size > 1 ? 3 * (size - 1) - 2 * inside < 1 : touching < 2)
            return false;
    }
    return true;
}

/* of mobility 1 by count */
static topology draw_topology(lb_random *random, int bodies)
{
    topology t = {.bodies = bodies, .joints = (3 * bodies - 4) / 2, .ends = {{0, 1}}};
    do
        for (int j = 1; j < t.joints; j++) {
            t.ends[j][0] = draw_index(random, bodies);
            do
                t.ends[j][1] = draw_index(random, bodies);
            while (t.ends[j][1] == t.ends[j][0]);
        }
    while (!is_movable(&t));
    return t;
}

/* joints that lead to a body for the first time are in the tree, the others are loops */
static lb_model *draw_bodies(lb_random *random, const topology *t, uint64_t seed, double sliding,
                             bool snapped)
{
    draft d = {.l = start_linkage(seed), .snapped = snapped};
    int link_of[MOST_BODIES];
    bool used[MOST_JOINTS] = {false};
    memset(link_of, -1, sizeof link_of);
    link_of[0] = add_link(&d.l);
    d.poses[0] = LB_TRANSFORM_IDENTITY;
    for (bool grown = true; grown;) {
        grown = false;
        for (int j = 0; j < t->joints && !grown; j++) {
            int from = t->ends[j][0], to = t->ends[j][1];
            if ((link_of[from] < 0) == (link_of[to] < 0))
                continue;
            int known = link_of[from] < 0 ? to : from;
            link_of[from + to - known] = draw_joint(&d, random, link_of[known],
                                                    j > 0 && test_random_chance(random, sliding));
            used[j] = grown = true;
        }
    }
    for (int j = 0; j < t->joints; j++)
        if (!used[j])
            draw_loop(&d, random, link_of[t->ends[j][0]], link_of[t->ends[j][1]],
                      test_random_chance(random, sliding));
    return build_linkage(&d.l);
}

static int largest_group(const lb_assembly *a)
{
    int most = 0;
    for (int i = 0; i < a->group_count; i++)
        most = a->groups[i].body_count > most ? a->groups[i].body_count : most;
    return most;
}

/* a linkage whose crank may turn and whose largest group has so many bodies; NULL: none was drawn
 */
static lb_model *draw_group(lb_random *random, int bodies, int group, double sliding, bool snapped)
{
    topology t = draw_topology(random, bodies);
    lb_model *model = draw_bodies(random, &t, lb_random_next(random), sliding, snapped);
    owned_assembly *assembly = assemble(model);
    // slides may hold the crank
    if (lb_assembly_mobility(assembly).found == 1 && !assembly->is_dependent[0] &&
        assembly->is_grouped && largest_group(assembly) == group)
        return model;
    lb_model_release(model);
    return NULL;
}

static listing_count check_bodies(int bodies, int group, double sliding, bool snapped, int many,
                                  int starts)
{
    lb_random random = test_seed((uint64_t)(bodies + group));
    listing_count sum = {0};
    while (sum.drawn < many) {
        owned_model *model = draw_group(&random, bodies, group, sliding, snapped);
        if (model == NULL)
            continue;
        owned_assembly *assembly = assemble(model);
        check_list(assembly, model, &random, starts, sliding > 0, &sum);
    }
    print_count(&sum);
    assert_true(sum.found > sum.listed);
    return sum;
}

static void check_random(int bodies, int group, double sliding, int many, int starts)
{
    listing_count sum = check_bodies(bodies, group, sliding, false, many, starts);
    assert_true(sum.complete > sum.drawn * 95 / 100);
}

TEST(all_assemblies_of_groups_of_four)
{
    check_random(6, 4, 0, FEWER(200, 5), 300);
    check_random(6, 4, 0.3, FEWER(200, 5), 300);
    check_random(8, 4, 0, FEWER(60, 3), 600);
    check_random(8, 4, 0.3, FEWER(60, 3), 600);
}

TEST(all_assemblies_of_groups_of_six)
{
    check_random(8, 6, 0, FEWER(100, 3), 600);
    check_random(8, 6, 0.3, FEWER(60, 3), 600);
}

/* equal links, parallelograms, joints in line and on one another: what moves by itself or is at a
   dead point is not said to be all */
TEST(nothing_is_missing_from_regular_linkages_that_are_complete)
{
    for (int slides = 0; slides < 2; slides++) {
        listing_count sum = check_bodies(6, 4, 0.3 * slides, true, FEWER(300, 10), 100);
        assert_true(sum.complete > sum.drawn / 2);
        check_bodies(8, 6, 0.3 * slides, true, FEWER(40, 2), 400);
    }
}

/* at a dead point two assemblies meet; there they are not all, before it both are listed */
TEST(a_dead_point_of_a_group)
{
    lb_random random = test_seed(5);
    int met = 0;
    while (met < FEWER(20, 3)) {
        owned_model *model = draw_group(&random, 6, 4, 0, false);
        if (model == NULL)
            continue;
        owned_assembly *assembly = assemble(model);
        double q[MOST_LINKS], to[MOST_LINKS], rows[MOST_ASSEMBLIES * MOST_LINKS];
        lb_configuration_neutral(model, q);
        memcpy(to, q, sizeof to);
        to[0] += 2 * LB_PI;
        if (lb_assembly_follow(assembly, q, to, q, NULL) != LB_ASSEMBLY_DEAD_POINT)
            continue;
        bool before, there, beyond;
        double dead = q[0];
        // as far to both sides as loops close without that
        for (int side = -1; side <= 1; side++) {
            q[0] = dead + 1e-12 * side;
            lb_assembly_all(assembly, q, NULL, 0, &there);
            assert_false(there);
        }
        q[0] = dead - 1e-5;
        int two = lb_assembly_all(assembly, q, rows, MOST_ASSEMBLIES, &before);
        q[0] = dead + 1e-5;
        int none = lb_assembly_all(assembly, q, rows, MOST_ASSEMBLIES, &beyond);
        assert_true(before && beyond && two == none + 2);
        met++;
    }
}
