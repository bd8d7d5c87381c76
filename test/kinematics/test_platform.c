/*
 * test_platform.c - all assemblies of platforms on six legs, against the pose that the legs were
 * made from and against exhaustive search.
 *
 * The referee is Newton's method on the legs' lengths from many random poses: whatever it finds
 * must be listed, and whatever is listed must have these lengths by the oracle's forward
 * kinematics.
 */
#include "kinematics/assembly.h"
#include "linkages.h"

enum { LEGS = 6, MOST_ASSEMBLIES = 64, MOST_VALUES = 64 };

/* ---- drawing platforms ------------------------------------------------------ */

typedef enum shape {
    GENERAL,
    PLATES,     /* flat base, flat platform */
    IRREGULAR,  /* hexagons whose corners are off by 2 % */
    HEXAGONS,   /* of pairs of corners */
    MIRRORED,   /* three legs and their mirror images */
    OCTAHEDRON, /* three points, each with two legs */
    SIMILAR,    /* the same hexagon, larger and smaller */
    IDENTICAL,
    NEARLY_SIMILAR, /* to 1e-6 .. 1e-2 */
    SHAPE_COUNT
} shape;

/* Ends of legs, and a pose of the platform with their lengths. */
typedef struct stand {
    lb_vec3 base[LEGS], top[LEGS];
    double length[LEGS];
    lb_transform pose;
} stand;

static double draw(lb_random *random, double most)
{
    return lb_random_between(random, -most, most);
}

static lb_vec3 draw_vector(lb_random *random, double most)
{
    lb_vec3 v;
    v.x = draw(random, most);
    v.y = draw(random, most);
    v.z = draw(random, most);
    return v;
}

static lb_vec3 corner(double radius, double angle)
{
    return lb_vec3_make(radius * cos(angle), radius * sin(angle), 0);
}

/* ends on hexagons, whose corners are in pairs so far apart */
static void draw_hexagons(stand *s, double base_pair, double top_pair)
{
    for (int l = 0; l < LEGS; l++) {
        double third = 2 * LB_PI / 3, side = l % 2 ? 0.5 : -0.5;
        s->base[l] = corner(1, third * (l / 2) + base_pair * side);
        s->top[l] = corner(0.6, third * ((l + 1) / 2) - third / 2 - top_pair * side);
    }
}

static void draw_ends(lb_random *random, shape kind, stand *s)
{
    for (int l = 0; l < LEGS; l++) {
        s->base[l] = draw_vector(random, 1);
        s->top[l] = draw_vector(random, 0.7);
        if (kind == PLATES)
            s->base[l].z = s->top[l].z = 0;
        if (kind == MIRRORED && l % 2) {
            s->base[l] = lb_vec3_make(-s->base[l - 1].x, s->base[l - 1].y, s->base[l - 1].z);
            s->top[l] = lb_vec3_make(-s->top[l - 1].x, s->top[l - 1].y, s->top[l - 1].z);
        }
    }
    if (kind == IRREGULAR || kind == HEXAGONS)
        draw_hexagons(s, 0.6, 0.5);
    if (kind == OCTAHEDRON)
        draw_hexagons(s, 0, 0);
    for (int l = 0; l < LEGS; l++) {
        if (kind == IRREGULAR) {
            s->base[l] = lb_vec3_add(s->base[l], draw_vector(random, 0.02));
            s->top[l] = lb_vec3_add(s->top[l], draw_vector(random, 0.02));
        }
        if (kind < SIMILAR)
            continue;
        s->base[l] = corner(1, l * LB_PI / 3);
        s->top[l] = lb_vec3_scale(s->base[l], kind == IDENTICAL ? 1 : 0.5);
        if (kind == NEARLY_SIMILAR)
            s->top[l] = lb_vec3_add(
                s->top[l], draw_vector(random, pow(10, lb_random_between(random, -6, -2))));
    }
}

static double leg_length(const stand *s, const lb_transform *pose, int leg)
{
    return lb_vec3_length(lb_vec3_sub(lb_transform_point(pose, s->top[leg]), s->base[leg]));
}

static void set_pose(stand *s, lb_vec3 turn, lb_vec3 place)
{
    s->pose = lb_transform_from_quat(lb_quat_exp(turn), place);
    for (int l = 0; l < LEGS; l++)
        s->length[l] = leg_length(s, &s->pose, l);
}

static void draw_pose(lb_random *random, shape kind, stand *s)
{
    bool upright = kind >= IRREGULAR && kind != MIRRORED;
    lb_vec3 turn = draw_vector(random, upright ? 0.4 : 2), place = draw_vector(random, 0.3);
    place.z += upright;
    set_pose(s, turn, place);
}

static stand draw_stand(lb_random *random, shape kind)
{
    stand s;
    draw_ends(random, kind, &s);
    draw_pose(random, kind, &s);
    return s;
}

/* ---- models ------------------------------------------------------------------- */

typedef enum build {
    SLIDES,  /* a universal joint, a slide and a ball */
    RODS,    /* a ball, a rod and a universal joint on the platform */
    SKEW,    /* the same with axes that are not at right angles */
    HINGES,  /* two hinges, a slide and a ball */
    BALLS,   /* a ball, a slide and a ball */
    CARRIED, /* slides, and the first leg has the platform on it */
    BUILD_COUNT
} build;

/* A model, and which of its links is the platform. */
typedef struct machine {
    linkage l;
    int platform, slides[LEGS];
    lb_vec3 origin; /* of its frame, on the platform of the stand */
    lb_vec3 axes[2];
    double limit; /* of universal joints */
} machine;

/* a frame at a point from which two turns lead to a z in some direction */
static lb_transform draw_swivel(machine *m, lb_vec3 point, lb_vec3 direction, double first,
                                double second)
{
    lb_quat turns = lb_quat_multiply(lb_quat_from_axis_angle(m->axes[0], first),
                                     lb_quat_from_axis_angle(m->axes[1], second));
    lb_quat any = test_random_quat(&m->l.random);
    lb_vec3 from = lb_quat_rotate(any, lb_quat_rotate(turns, along_z));
    lb_vec3 to = lb_vec3_normalize(direction, along_z), axis = lb_vec3_cross(from, to);
    double angle = atan2(lb_vec3_length(axis), lb_vec3_dot(from, to));
    lb_quat over = lb_quat_from_axis_angle(lb_vec3_normalize(axis, lb_vec3_make(1, 0, 0)), angle);
    return lb_transform_from_quat(lb_quat_multiply(over, any), point);
}

/* a link at a point of its parent whose z shows in a direction */
static int add_swivel(machine *m, build kind, int parent, lb_vec3 point, lb_vec3 direction)
{
    linkage *l = &m->l;
    bool ball = kind == BALLS;
    double first = ball ? 0 : draw(&l->random, 1), second = ball ? 0 : draw(&l->random, 1);
    lb_transform place = draw_swivel(m, point, direction, first, second), none = at(0, 0, 0);
    if (kind == HINGES) {
        int middle = add_joint(l, parent, LB_JOINT_CONTINUOUS, place, m->axes[0], first);
        return add_joint(l, middle, LB_JOINT_CONTINUOUS, none, m->axes[1], second);
    }
    int i =
        add_joint(l, parent, ball ? LB_JOINT_BALL : LB_JOINT_UNIVERSAL, place, m->axes[0], first);
    lb_joint *joint = &l->joints[i - 1];
    lb_transform back = lb_transform_inverse(&l->turns[i]);
    joint->axis2 = lb_transform_direction(&back, m->axes[1]);
    for (int axis = 0; !ball && axis < 2; axis++) {
        joint->value[axis] = axis ? second : first;
        joint->lower[axis] = -m->limit;
        joint->upper[axis] = m->limit;
    }
    return i;
}

/* a link whose origin is where a leg of the base ends */
static int add_leg(machine *m, build kind, const stand *s, int leg)
{
    lb_vec3 end = lb_transform_point(&s->pose, s->top[leg]);
    int i = add_swivel(m, kind, 0, s->base[leg], lb_vec3_sub(end, s->base[leg]));
    i = add_joint(&m->l, i, LB_JOINT_PRISMATIC, at(0, 0, 0), along_z, s->length[leg]);
    lb_joint *slide = &m->l.joints[i - 1];
    slide->lower[0] = 0;
    slide->upper[0] = 100;
    slide->driven = true;
    m->slides[leg] = i;
    return i;
}

/* the platform at its pose, on a floating joint or a leg */
static void add_platform(machine *m, build kind, const stand *s)
{
    lb_transform pose = s->pose;
    pose.p = lb_transform_point(&pose, m->origin);
    if (kind == CARRIED) {
        int i = add_leg(m, kind, s, 0);
        // where that link is follows from the pose of its ball alone
        lb_transform place = at(0, 0, 0);
        m->platform = add_joint(&m->l, i, LB_JOINT_BALL, place, along_z, 0);
        return;
    }
    m->platform = add_joint(&m->l, 0, LB_JOINT_FLOATING, at(0, 0, 0), along_z, 0);
    lb_joint *joint = &m->l.joints[m->platform - 1];
    const lb_transform *turn = &m->l.turns[m->platform];
    lb_transform back = lb_transform_inverse(turn), moved = lb_transform_multiply(&back, &pose);
    moved = lb_transform_multiply(&moved, turn);
    lb_quat q = lb_transform_quat(&moved);
    double values[7] = {moved.p.x, moved.p.y, moved.p.z, q.w, q.x, q.y, q.z};
    memcpy(joint->value, values, sizeof values);
}

static void add_legs(machine *m, build kind, const stand *s)
{
    bool rods = kind == RODS || kind == SKEW;
    lb_transform back = lb_transform_inverse(&s->pose);
    for (int leg = kind == CARRIED; leg < LEGS; leg++) {
        lb_vec3 top = lb_vec3_sub(s->top[leg], m->origin);
        lb_transform on_top = at(top.x, top.y, top.z);
        if (!rods) {
            add_loop(&m->l, LB_LOOP_BALL, add_leg(m, kind, s, leg), at(0, 0, 0), m->platform,
                     on_top);
            continue;
        }
        lb_vec3 base = lb_transform_point(&back, s->base[leg]);
        int rod = add_swivel(m, kind, m->platform, top, lb_vec3_sub(base, s->top[leg]));
        add_loop(&m->l, LB_LOOP_BALL, 0, at(s->base[leg].x, s->base[leg].y, s->base[leg].z), rod,
                 at(0, 0, s->length[leg]));
    }
}

/* in place: links point to their names */
static void build_machine(machine *m, lb_random *random, build kind, const stand *s, double limit)
{
    *m = (machine){
        .l = start_linkage(lb_random_next(random)), .axes = {{1, 0, 0}, {0, 1, 0}}, .limit = limit};
    add_link(&m->l);
    for (int axis = 0; kind == SKEW && axis < 2; axis++)
        m->axes[axis] =
            lb_vec3_normalize(lb_vec3_add(m->axes[axis], draw_vector(random, 0.3)), along_z);
    if (kind == CARRIED)
        m->origin = s->top[0];
    add_platform(m, kind, s);
    add_legs(m, kind, s);
}

/* ---- lists and their referee ---------------------------------------------------- */

/* where the stand's platform is, by the oracle's forward kinematics */
static lb_transform pose_at(const machine *m, const lb_model *model, const double *q)
{
    lb_transform links[MOST_LINKS], back = lb_transform_inverse(&m->l.turns[m->platform]);
    test_forward(model, q, links);
    int link = lb_model_find_link(model, m->l.names[m->platform][0]);
    lb_transform pose = lb_transform_multiply(&links[link], &back);
    pose.p = lb_vec3_sub(pose.p, lb_transform_direction(&pose, m->origin));
    return pose;
}

static bool is_same_pose(const lb_transform *p, const lb_transform *q)
{
    return lb_transform_distance(p, q) < 1e-5 && lb_transform_angle(p, q) < 1e-5;
}

static bool is_among(const lb_transform *poses, int count, const lb_transform *pose)
{
    bool listed = false;
    for (int i = 0; i < count; i++)
        listed = listed || is_same_pose(&poses[i], pose);
    return listed;
}

/* x of a x = b, with b in the seventh column; false: it has no good solution */
static bool solve_six(double a[LEGS][LEGS + 1], double *x)
{
    for (int k = 0; k < LEGS; k++) {
        int best = k;
        for (int i = k; i < LEGS; i++)
            best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
        if (!(fabs(a[best][k]) > 1e-12))
            return false;
        for (int j = 0; j <= LEGS; j++) {
            double kept = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = kept;
        }
        for (int i = 0; i < LEGS; i++)
            for (int j = LEGS; i != k && j >= k; j--)
                a[i][j] -= a[i][k] / a[k][k] * a[k][j];
    }
    for (int k = 0; k < LEGS; k++)
        x[k] = a[k][LEGS] / a[k][k];
    return true;
}

/* Newton's method on the lengths; false: it comes to none */
static bool descend(const stand *s, lb_transform *pose)
{
    for (int step = 0; step < 40; step++) {
        double a[LEGS][LEGS + 1], x[LEGS], worst = 0;
        for (int l = 0; l < LEGS; l++) {
            lb_vec3 arm = lb_transform_direction(pose, s->top[l]);
            lb_vec3 u = lb_vec3_sub(lb_vec3_add(pose->p, arm), s->base[l]);
            lb_vec3 turn = lb_vec3_cross(arm, u);
            double row[LEGS + 1] = {u.x,
                                    u.y,
                                    u.z,
                                    turn.x,
                                    turn.y,
                                    turn.z,
                                    (s->length[l] * s->length[l] - lb_vec3_dot(u, u)) / 2};
            memcpy(a[l], row, sizeof row);
            worst = fmax(worst, fabs(row[LEGS]));
        }
        if (worst < 1e-12)
            return true;
        if (!solve_six(a, x))
            return false;
        double far = 0;
        for (int k = 0; k < LEGS; k++)
            far = fmax(far, fabs(x[k]));
        double share = far > 0.5 ? 0.5 / far : 1;
        lb_quat turn = lb_quat_exp(lb_vec3_make(share * x[3], share * x[4], share * x[5]));
        lb_vec3 place = lb_vec3_add(pose->p, lb_vec3_scale(lb_vec3_make(x[0], x[1], x[2]), share));
        *pose = lb_transform_from_quat(
            lb_quat_normalize(lb_quat_multiply(turn, lb_transform_quat(pose))), place);
    }
    return false;
}

/* What lists came to. */
typedef struct platform_count {
    int drawn, complete, listed, most, hits;
} platform_count;

/* one list, for the lengths of a stand on ends from whose other pose the model is made */
static void check_platform(lb_random *random, const stand *from, const stand *s, build kind,
                           int starts, platform_count *sum)
{
    machine m;
    build_machine(&m, random, kind, from, 100);
    owned_model *model = build_linkage(&m.l);
    owned_assembly *assembly = NULL;
    lb_error error;
    double q[MOST_VALUES], rows[MOST_ASSEMBLIES * MOST_VALUES];
    lb_transform poses[MOST_ASSEMBLIES];
    bool complete;
    int nq = lb_model_nq(model);
    assert_made(lb_assembly_create(model, NULL, 0, NULL, &assembly, &error), error);
    lb_configuration_neutral(model, q);
    for (int l = 0; l < LEGS; l++)
        if (m.slides[l] > 0)
            *value_of(model, q, m.slides[l]) = s->length[l];
    int count = lb_assembly_all(assembly, q, rows, MOST_ASSEMBLIES, &complete);
    assert_true(count <= 40 && (count >= 0 || !complete));
    for (int i = 0; i < count; i++) {
        const double *row = rows + i * nq;
        poses[i] = pose_at(&m, model, row);
        assert_true(gap(model, row) < 1e-10);
        for (int l = 0; l < LEGS; l++)
            assert_near(leg_length(s, &poses[i], l), s->length[l], 1e-9);
        for (int l = 0; l < LEGS; l++)
            assert_true(m.slides[l] == 0 ||
                        *value_of(model, rows + i * nq, m.slides[l]) == s->length[l]);
        assert_false(complete && is_among(poses, i, &poses[i]));
    }
    sum->drawn++;
    sum->complete += complete;
    sum->listed += count > 0 ? count : 0;
    sum->most = count > sum->most ? count : sum->most;
    if (!complete)
        return;
    if (!is_among(poses, count, &s->pose))
        fail_msg("the pose that the legs were made from is missing from %d", count);
    for (int i = 0; i < starts && kind != SKEW; i++) {
        lb_transform pose =
            lb_transform_from_quat(test_random_quat(random), draw_vector(random, 2));
        if (!descend(s, &pose))
            continue;
        sum->hits++;
        if (!is_among(poses, count, &pose))
            fail_msg("a pose is missing from %d", count);
    }
}

static platform_count check_platforms(shape kind, build how, int many, int starts)
{
    lb_random random = test_seed((uint64_t)(SHAPE_COUNT * how + kind));
    platform_count sum = {0};
    for (int c = 0; c < many; c++) {
        stand from = draw_stand(&random, kind), s = from;
        if (how != RODS && how != SKEW && c % 4)
            draw_pose(&random, kind, &s);
        check_platform(&random, &from, &s, how, starts, &sum);
    }
    print_message(
        "shape %d, build %d: %d of %d complete, %d listed, at most %d; the search hit %d\n", kind,
        how, sum.complete, sum.drawn, sum.listed, sum.most, sum.hits);
    return sum;
}

TEST_ARGUMENT(platforms, 1, 40)

TEST(every_pose_of_legs_is_listed)
{
    for (shape kind = GENERAL; kind <= OCTAHEDRON; kind++) {
        platform_count sum = check_platforms(kind, SLIDES, FEWER((int)platforms, 2), 300);
        assert_true(sum.complete * 20 >= sum.drawn * 19);
        assert_true(sum.hits > sum.listed);
    }
}

TEST(legs_may_be_built_in_many_ways)
{
    for (build how = RODS; how < BUILD_COUNT; how++) {
        platform_count sum = check_platforms(GENERAL, how, FEWER((int)platforms / 2, 2), 100);
        assert_true(sum.complete * 20 >= sum.drawn * 19);
        sum = check_platforms(HEXAGONS, how, FEWER((int)platforms / 4, 2), 100);
        assert_true(sum.complete * 20 >= sum.drawn * 19);
    }
}

/* architecturally singular platforms, in every pose */
TEST(platforms_that_move_by_themselves_are_not_complete)
{
    assert_int_equal(check_platforms(SIMILAR, SLIDES, FEWER(20, 2), 0).complete, 0);
    assert_int_equal(check_platforms(IDENTICAL, SLIDES, FEWER(20, 2), 0).complete, 0);
    check_platforms(NEARLY_SIMILAR, SLIDES, FEWER((int)platforms, 2), 2000);
}

/* in one plane two poses meet that are each other's image */
TEST(flat_platforms_are_not_complete)
{
    lb_random random = test_seed(5);
    platform_count sum = {0};
    for (int c = 0; c < FEWER(20, 2); c++) {
        stand from = draw_stand(&random, PLATES), s = from;
        set_pose(&s, lb_vec3_make(0, 0, draw(&random, 3)), corner(0.5, draw(&random, 3)));
        check_platform(&random, &from, &s, SLIDES, 0, &sum);
    }
    assert_int_equal(sum.complete, 0);
    assert_true(sum.listed > 0);
}

/* of the two ways in which a universal joint lets a leg point, the one inside its limits */
TEST(legs_point_inside_their_limits)
{
    lb_random random = test_seed(7);
    for (int c = 0; c < 10; c++) {
        stand s = draw_stand(&random, HEXAGONS);
        machine m;
        build_machine(&m, &random, SLIDES, &s, 1.01);
        owned_model *model = build_linkage(&m.l);
        owned_assembly *assembly = NULL;
        double q[MOST_VALUES], rows[MOST_ASSEMBLIES * MOST_VALUES];
        int nq = lb_model_nq(model), inside = 0;
        assert_ok(lb_assembly_create(model, NULL, 0, NULL, &assembly, NULL));
        lb_configuration_neutral(model, q);
        int count = lb_assembly_all(assembly, q, rows, MOST_ASSEMBLIES, NULL);
        assert_true(count > 1);
        for (int i = 0; i < count; i++) {
            lb_transform pose = pose_at(&m, model, rows + i * nq);
            bool valid = lb_configuration_validate(model, rows + i * nq, 1e-9, NULL) == LB_OK;
            assert_true(valid || !is_same_pose(&pose, &s.pose));
            inside += valid;
        }
        assert_true(inside > 0 && inside < count);
    }
}

/* one of the numbers -1, -0.9 .. 1 */
static double tenth(int i)
{
    return (i * 37 % 21 - 10) / 10.0;
}

/* poses from decimals alone: every width, compiler and machine has these bits */
TEST(poses_have_golden_bits)
{
    const uint64_t golden = UINT64_C(0xa17657b1a3f667da);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    int listed = 0;
    for (int c = 0; c < 5; c++) {
        platform_leg legs[LEGS];
        lb_transform poses[TRACK_PATHS];
        bool certain = true;
        for (int l = 0, i = 5 * c; l < LEGS; l++, i += 6) {
            lb_vec3 base = {tenth(i), tenth(i + 1), tenth(i + 2) / 10};
            legs[l] = (platform_leg){.center = base, .end = base};
            legs[l].target = lb_vec3_make(tenth(i + 3), tenth(i + 4), tenth(i + 5) / 10);
            legs[l].end.z += 1.5 + tenth(i + 7) / 10;
        }
        int count = platform_poses(legs, poses, &certain);
        assert_true(certain);
        listed += count;
        for (size_t i = 0; i < (size_t)count * sizeof *poses; i++)
            hash = (hash ^ ((const unsigned char *)poses)[i]) * UINT64_C(0x100000001b3);
    }
    assert_true(listed > 5);
    if (hash != golden)
        fail_msg("hash 0x%016llx", (unsigned long long)hash);
}
