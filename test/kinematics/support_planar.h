/*
 * support_planar.h - planar linkages drawn in an assembled pose, and all assemblies of them against
 * exhaustive search.
 *
 * The referee is Newton's method on the dependent joints from many random starts: whatever it finds
 * must be listed, and whatever is listed must close by the oracle's forward kinematics.
 */
#ifndef TEST_SUPPORT_PLANAR_H
#define TEST_SUPPORT_PLANAR_H

#include "kinematics/assembly.h"
#include "linkages.h"

enum { MOST_ASSEMBLIES = 64 };

/* ---- drawing linkages ----------------------------------------------------- */

/* A linkage being drawn, with the plain poses of its links. */
typedef struct draft {
    linkage l;
    lb_transform poses[MOST_LINKS];
    bool snapped; /* lengths and angles are multiples of 1 m and 60 degrees */
} draft;

static inline lb_transform turned(double angle)
{
    return lb_transform_from_quat(lb_quat_exp(lb_vec3_make(0, 0, angle)), lb_vec3_make(0, 0, 0));
}

static inline double draw_number(const draft *d, lb_random *random, double most, double unit)
{
    double x = lb_random_between(random, -most, most);
    return d->snapped ? floor(x / unit + 0.5) * unit : x;
}

static inline lb_vec3 draw_point(const draft *d, lb_random *random)
{
    double x = draw_number(d, random, 1, 1);
    return lb_vec3_make(x, draw_number(d, random, 1, 1), 0);
}

static inline lb_vec3 draw_direction(const draft *d, lb_random *random)
{
    double angle = draw_number(d, random, LB_PI, LB_PI / 3);
    return lb_vec3_make(cos(angle), sin(angle), 0);
}

/* a link on a joint that turns or slides, at a random value */
static inline int draw_joint(draft *d, lb_random *random, int parent, bool slides)
{
    lb_transform place = turned(draw_number(d, random, LB_PI, LB_PI / 3)), move;
    double value = slides ? draw_number(d, random, 1, 1) : draw_number(d, random, 1, LB_PI / 3);
    lb_vec3 axis = slides ? draw_direction(d, random) : along_z;
    place.p = draw_point(d, random);
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
static inline void draw_loop(draft *d, lb_random *random, int first, int second, bool slides)
{
    lb_transform at_second = LB_TRANSFORM_IDENTITY;
    at_second.p = draw_point(d, random);
    if (slides) {
        at_second.z = draw_direction(d, random);
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

/* ---- the referee ----------------------------------------------------------- */

/* whether two configurations are one, up to whole turns */
static inline bool is_same(const lb_model *model, const double *p, const double *q)
{
    double v[MOST_LINKS], most = 0;
    lb_configuration_difference(model, p, q, v);
    for (int i = 0; i < lb_model_nv(model); i++)
        most = fmax(most, fabs(v[i]));
    return most < 1e-5;
}

static inline bool is_listed(const lb_model *model, const double *q, const double *rows, int count)
{
    bool listed = false;
    for (int i = 0; i < count; i++)
        listed = listed || is_same(model, q, rows + i * lb_model_nq(model));
    return listed;
}

/* closed configurations from random starts, which are all listed; returns how many were found */
static inline int search(lb_assembly *a, const lb_model *model, const double *q, const double *rows,
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

/* What lists of random linkages came to. */
typedef struct listing_count {
    int drawn, complete, listed, most, found;
} listing_count;

/* all assemblies at the pose a linkage was drawn in */
static inline void check_list(lb_assembly *assembly, const lb_model *model, lb_random *random,
                              int starts, bool slides, listing_count *sum)
{
    double q[MOST_LINKS], rows[MOST_ASSEMBLIES * MOST_LINKS];
    bool complete;
    lb_configuration_neutral(model, q);
    // dependent joints may have any values
    double open[MOST_LINKS];
    int dependent[MOST_LINKS], n = lb_assembly_dependent(assembly, dependent);
    memcpy(open, q, sizeof open);
    for (int k = 0; k < n; k++)
        open[dependent[k]] += lb_random_between(random, -1, 1);
    int count = lb_assembly_all(assembly, open, rows, MOST_ASSEMBLIES, &complete);
    sum->drawn++;
    assert_true(count >= 0 && count <= MOST_ASSEMBLIES);
    for (int k = 0; k < count; k++) {
        const double *row = rows + k * lb_model_nq(model);
        assert_true(gap(model, row) < 1e-10 || slides);
        assert_true(row[0] == q[0]);
        loop_measure(assembly, row);
        assert_true(assembly->error <= LOOP_CLOSED);
        assert_false(is_listed(model, row, rows, k) && complete);
    }
    if (!complete)
        return;
    sum->complete++;
    // the pose that it was drawn in
    assert_true(is_listed(model, q, rows, count));
    sum->found += search(assembly, model, q, rows, count, random, starts);
    sum->listed += count;
    sum->most = count > sum->most ? count : sum->most;
}

static inline void print_count(const listing_count *sum)
{
    print_message("%d of %d complete, %d listed, at most %d; the search found %d times one\n",
                  sum->complete, sum->drawn, sum->listed, sum->most, sum->found);
}

#endif
