/*
 * linkages.h - linkages with loops, made of frames that are turned at random: nothing is along an
 * axis.
 */
#ifndef TEST_LINKAGES_H
#define TEST_LINKAGES_H

#include <limber/loops.h>

#include "support.h"

enum { MOST_LINKS = 32 };

/* ---- linkages ------------------------------------------------------------- */

/* Links l0, l1 ... and joints j1 (above l1), j2 ... with their frames turned at random. */
typedef struct linkage {
    lb_random random;
    lb_link links[MOST_LINKS];
    lb_joint joints[MOST_LINKS];
    lb_loop loops[MOST_LINKS];
    lb_transform turns[MOST_LINKS]; /* T_plain_turned of each link */
    char names[MOST_LINKS][2][8], loop_names[MOST_LINKS][8];
    int link_count, loop_count;
} linkage;

static inline int add_link(linkage *l)
{
    int i = l->link_count++;
    snprintf(l->names[i][0], sizeof l->names[i][0], "l%d", i);
    l->links[i] = lb_link_default();
    l->links[i].name = l->names[i][0];
    l->turns[i] = lb_transform_from_quat(test_random_quat(&l->random), lb_vec3_make(0, 0, 0));
    return i;
}

static inline linkage start_linkage(uint64_t seed)
{
    linkage l = {.random = test_seed(seed)};
    return l;
}

/* a link on a joint at a place of its parent whose frame is plain; the axis in it, too */
static inline int add_joint(linkage *l, int parent, lb_joint_kind kind, lb_transform place,
                            lb_vec3 axis, double value)
{
    int i = add_link(l);
    lb_joint *joint = &l->joints[i - 1];
    lb_transform back = lb_transform_inverse(&l->turns[parent]);
    lb_transform placed = lb_transform_multiply(&back, &place);
    *joint = lb_joint_default();
    snprintf(l->names[i][1], sizeof l->names[i][1], "j%d", i);
    joint->name = l->names[i][1];
    joint->parent = l->names[parent][0];
    joint->child = l->names[i][0];
    joint->kind = kind;
    joint->placement = lb_transform_multiply(&placed, &l->turns[i]);
    back = lb_transform_inverse(&l->turns[i]);
    joint->axis = lb_transform_direction(&back, axis);
    joint->value[0] = kind == LB_JOINT_BALL ? 1 : value;
    return i;
}

static inline lb_transform at(double x, double y, double z)
{
    return lb_transform_translation(x, y, z);
}

static const lb_vec3 along_z = {0, 0, 1};

/* closes by frames that are plain */
static inline void add_loop(linkage *l, lb_loop_kind kind, int first, lb_transform on_first,
                            int second, lb_transform on_second)
{
    lb_loop *loop = &l->loops[l->loop_count];
    lb_transform back = lb_transform_inverse(&l->turns[first]);
    snprintf(l->loop_names[l->loop_count], sizeof l->loop_names[0], "loop%d", l->loop_count);
    *loop = lb_loop_default();
    loop->name = l->loop_names[l->loop_count++];
    loop->kind = kind;
    loop->first = l->names[first][0];
    loop->second = l->names[second][0];
    loop->first_frame = lb_transform_multiply(&back, &on_first);
    back = lb_transform_inverse(&l->turns[second]);
    loop->second_frame = lb_transform_multiply(&back, &on_second);
}

static inline lb_model *build_linkage(const linkage *l)
{
    // the world is plain
    lb_model_source source = {.root = l->turns[0],
                              .links = l->links,
                              .link_count = l->link_count,
                              .joints = l->joints,
                              .joint_count = l->link_count - 1,
                              .loops = l->loops,
                              .loop_count = l->loop_count};
    return test_build(&source);
}

/* driven by joint j1, if there is one */
static inline lb_assembly *assemble(const lb_model *model)
{
    lb_assembly *assembly;
    lb_error error;
    int drive = lb_model_find_joint(model, "j1");
    assert_made(lb_assembly_create(model, &drive, drive >= 0, NULL, &assembly, &error), error);
    return assembly;
}

/* the value of joint ji */
static inline double *value_of(const lb_model *model, double *q, int i)
{
    char name[8];
    snprintf(name, sizeof name, "j%d", i);
    return &q[lb_model_joint_q(model, lb_model_find_joint(model, name))];
}

/* how far the loops' origins are apart, by the oracle's forward kinematics */
static inline double gap(const lb_model *model, const double *q)
{
    lb_transform links[MOST_LINKS];
    double largest = 0;
    test_forward(model, q, links);
    for (int i = 0; i < lb_model_loop_count(model); i++) {
        const lb_loop *loop = lb_model_loop(model, i);
        lb_vec3 a =
            lb_transform_point(&links[lb_model_find_link(model, loop->first)], loop->first_frame.p);
        lb_vec3 b = lb_transform_point(&links[lb_model_find_link(model, loop->second)],
                                       loop->second_frame.p);
        largest = fmax(largest, lb_vec3_length(lb_vec3_sub(a, b)));
    }
    return largest;
}

/* Lengths, and on which side of the line from crank pin to rocker pivot the elbow is. */
typedef struct four_bar {
    double ground, crank, coupler, rocker, side;
} four_bar;

static inline lb_vec3 elbow_of(const four_bar *b, double u)
{
    double ax = b->crank * cos(u), ay = b->crank * sin(u), dx = b->ground - ax, dy = -ay;
    double d2 = dx * dx + dy * dy;
    double along = (b->coupler * b->coupler - b->rocker * b->rocker + d2) / 2 / d2;
    double across = b->side * sqrt(fmax(0, b->coupler * b->coupler / d2 - along * along));
    return lb_vec3_make(ax + along * dx - across * dy, ay + along * dy + across * dx, 0);
}

static inline void angles_of(const four_bar *b, double u, double *pin, double *pivot)
{
    lb_vec3 e = elbow_of(b, u);
    *pin = atan2(e.y - b->crank * sin(u), e.x - b->crank * cos(u)) - u;
    *pivot = atan2(e.y, e.x - b->ground);
}

/* j1 crank, j2 coupler, j3 rocker */
static inline lb_model *make_four_bar(const four_bar *b, double u, lb_loop_kind kind, uint64_t seed)
{
    linkage l = start_linkage(seed);
    double pin, pivot;
    angles_of(b, u, &pin, &pivot);
    add_link(&l);
    int crank = add_joint(&l, 0, LB_JOINT_CONTINUOUS, at(0, 0, 0), along_z, u);
    int coupler = add_joint(&l, crank, LB_JOINT_CONTINUOUS, at(b->crank, 0, 0), along_z, pin);
    int rocker = add_joint(&l, 0, LB_JOINT_CONTINUOUS, at(b->ground, 0, 0), along_z, pivot);
    add_loop(&l, kind, coupler, at(b->coupler, 0, 0), rocker, at(b->rocker, 0, 0));
    return build_linkage(&l);
}

static inline double angle_between(double a, double b)
{
    return fabs(lb_wrap_angle(a - b));
}

/* E against differences of closed configurations */
static inline void check_velocities(lb_assembly *assembly, const lb_model *model,
                                    const double *from)
{
    enum { MOST = 40 };
    lb_loop_mobility m = lb_assembly_mobility(assembly);
    int nv = lb_model_nv(model), nq = lb_model_nq(model), dependent[MOST], column = 0;
    double e[MOST * MOST], h = 1e-5, u[MOST], q[2][MOST], v[MOST];
    int count = lb_assembly_dependent(assembly, dependent);
    assert_true(lb_assembly_velocities(assembly, from, e));
    assert_true(nq <= MOST && m.found == nv - count);
    for (int i = 0; i < nv; i++) {
        bool is_dependent = false;
        for (int d = 0; d < count; d++)
            is_dependent = is_dependent || dependent[d] == i;
        if (is_dependent)
            continue;
        for (int side = 0; side < 2; side++) {
            memset(u, 0, sizeof u);
            u[i] = side ? h : -h;
            lb_configuration_integrate(model, from, u, q[side]);
            assert_int_equal(lb_assembly_follow(assembly, from, q[side], q[side], NULL),
                             LB_ASSEMBLED);
        }
        lb_configuration_difference(model, q[0], q[1], v);
        for (int k = 0; k < nv; k++)
            assert_near(v[k] / (2 * h), e[k * m.found + column], 1e-6);
        column++;
    }
}

#endif
