/* test_embedded.c - the built-in models: what they say of themselves, and whether it is true. */
#include "loading.h"

#include <limber/formats/load.h>

#include <unistd.h>

static lb_model *load_model(const char *name)
{
    lb_model *model;
    assert_made(lb_load(name, NULL, &model, &cause), cause);
    return model;
}

/* T_root_link for the model's values */
static lb_transform link_at(const lb_model *model, const double *q, const char *link)
{
    int index = lb_model_find_link(model, link);
    owned lb_transform *links = malloc(sizeof *links * (size_t)lb_model_link_count(model));
    assert_true(index >= 0);
    assert_non_null(links);
    test_forward(model, q, links);
    lb_transform result = lb_transform_between(&links[0], &links[index]);
    return result;
}

static double *neutral_of(const lb_model *model)
{
    double *q = calloc((size_t)lb_model_nq(model) + 1, sizeof *q);
    assert_non_null(q);
    lb_configuration_neutral(model, q);
    return q;
}

/* ---- the list ----------------------------------------------------------- */

TEST(lists_models)
{
    static const char *const names[] = {"biped", "crx10ia",        "human",   "iiwa14",  "kr6",
                                        "panda", "planar2",        "planar3", "puma560", "stanford",
                                        "scara", "sun_earth_moon", "ur5"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_non_null(lb_embedded_find(names[i]));
    assert_null(lb_embedded_find("panda2"));
    assert_null(lb_embedded_at(-1));
    assert_null(lb_embedded_at(lb_embedded_count()));

    // sorted, so that a list reads well
    for (int i = 1; i < lb_embedded_count(); i++)
        assert_true(strcmp(lb_embedded_at(i - 1)->name, lb_embedded_at(i)->name) < 0);
}

TEST(loads_every_model)
{
    for (int i = 0; i < lb_embedded_count(); i++) {
        const lb_embedded *embedded = lb_embedded_at(i);
        assert_true(strlen(embedded->summary) > 10 && strlen(embedded->source) > 10);
        assert_int_equal(strlen(embedded->text), embedded->size);
        assert_ptr_equal(lb_embedded_find(embedded->name), embedded);

        owned_model *model = load_model(embedded->name);
        assert_string_equal(lb_model_name(model), embedded->name);

        // rests within its limits, and has something to draw
        owned double *q = neutral_of(model);
        assert_ok(lb_configuration_validate(model, q, 0, NULL));
        int visuals = 0;
        for (int k = 0; k < lb_model_link_count(model); k++)
            visuals += lb_model_link(model, k)->visual_count;
        assert_true(visuals > 0);
    }
}

/* ---- published positions ------------------------------------------------ */

/* Where a tip is, seen from the root link, for joint values that somebody published it for. */
typedef struct published {
    const char *model, *tip;
    double q[7];
    lb_vec3 position, z; /* the tip's origin and z axis */
    double tolerance;    /* of the published digits */
} published;

static const published positions[] = {
    // the sum of the lengths, straight and bent at right angles
    {"planar2", "tip", {0, 0}, {2, 0, 0}, {0, 0, 1}, 1e-15},
    {"planar2", "tip", {0, LB_PI / 2}, {1, 1, 0}, {0, 0, 1}, 1e-15},
    {"planar3", "tip", {0, 0, 0}, {30, 0, 0}, {0, 0, 1}, 1e-14},
    {"planar3", "tip", {LB_PI / 2, -LB_PI / 2, LB_PI / 2}, {10, 20, 0}, {0, 0, 1}, 1e-14},
    // full moon: the earth between sun and moon; a quarter of a year later; new moon
    {"sun_earth_moon", "moon_center", {0, 0}, {1.25, 0, 0}, {0, 0, 1}, 1e-15},
    {"sun_earth_moon", "moon_center", {LB_PI / 2, 0}, {0, 1.25, 0}, {0, 0, 1}, 1e-15},
    {"sun_earth_moon", "moon_center", {0, LB_PI}, {0.75, 0, 0}, {0, 0, 1}, 1e-15},
    // a2 + a3, -(d4 + d6), d1 - d5
    {"ur5", "tool0", {0}, {-0.81725, -0.19145, -0.005491}, {0, -1, 0}, 1e-15},
    // libfranka's start: O_T_EE without the hand's 0.1034 m
    {"panda",
     "panda_link8",
     {0, -LB_PI / 4, 0, -3 * LB_PI / 4, 0, LB_PI / 2, LB_PI / 4},
     {0.3069, 0, 0.5903},
     {0, 0, -1},
     1e-4},
    // upright: 360 + 420 + 400 + 126 mm
    {"iiwa14", "flange", {0}, {0, 0, 1.306}, {0, 0, 1}, 1e-15},
    // Corke, Robotics, Vision and Control: qz, and qn = (0, pi/4, pi, 0, pi/4, 0)
    {"puma560", "wrist", {0}, {0.4521, -0.15005, 0.4318}, {0, 0, 1}, 1e-15},
    {"puma560",
     "wrist",
     {0, LB_PI / 4, LB_PI, 0, LB_PI / 4, 0},
     {0.5963, -0.1501, -0.0144},
     {1, 0, 0},
     6e-5},
    // the shoulder's offset, then all heights
    {"stanford", "tool", {0, 0, 0.5, 0, 0, 0}, {0, 0.154, 0.412 + 0.5 + 0.263}, {0, 0, 1}, 1e-15},
    // both arms straight, the quill down
    {"scara", "tool", {0, 0, 0.1, 0}, {0.6, 0, 0.387 - 0.1}, {0, 0, -1}, 1e-15},
    // KUKA's home position: 525, 0, 890 mm
    {"kr6", "tool0", {0, -LB_PI / 2, LB_PI / 2, 0, 0, 0}, {0.525, 0, 0.89}, {1, 0, 0}, 1e-15},
    // all zero: 540 + 160 mm forwards, 245 + 540 mm up, 150 mm aside
    {"crx10ia", "flange", {0}, {0.7, -0.15, 0.785}, {1, 0, 0}, 1e-15},
};

TEST(agrees_with_publications)
{
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        const published *p = &positions[i];
        owned_model *model = load_model(p->model);
        owned double *q = neutral_of(model);
        int joints = lb_model_nq(model) < 7 ? lb_model_nq(model) : 7;
        memcpy(q, p->q, sizeof *q * (size_t)joints);
        lb_transform tip = link_at(model, q, p->tip);
        // a few roundings on top of the published digits
        double tolerance = p->tolerance + 2e-15;
        assert_near(tip.p.x, p->position.x, tolerance);
        assert_near(tip.p.y, p->position.y, tolerance);
        assert_near(tip.p.z, p->position.z, tolerance);
        assert_near(lb_vec3_dot(tip.z, p->z), 1, tolerance);
    }
}

/* ---- the figure --------------------------------------------------------- */

TEST(stands_on_the_ground)
{
    owned_model *model = load_model("human");
    owned double *q = neutral_of(model);
    lb_transform root = lb_model_root(model);

    // soles down, head up, hands beside the thighs, left on the left
    double mass = 0;
    for (int i = 0; i < lb_model_link_count(model); i++)
        mass += lb_model_link(model, i)->mass;
    assert_near(mass, 75, 1e-12);
    assert_near(root.p.z + link_at(model, q, "left_toe").p.z, 0, 1e-3);
    assert_near(root.p.z + link_at(model, q, "right_toe").p.z, 0, 1e-3);
    assert_near(root.p.z + link_at(model, q, "head_top").p.z, 1.75, 5e-3);
    lb_transform hand = link_at(model, q, "left_fingertip");
    assert_true(hand.p.y > 0.1 && hand.p.z < -0.1 && hand.p.z > -0.4);
    assert_true(link_at(model, q, "left_toe").p.x > 0.1);

    // mirror images of each other
    static const char *const sides[][2] = {{"left_fingertip", "right_fingertip"},
                                           {"left_forearm", "right_forearm"},
                                           {"left_toe", "right_toe"}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        lb_transform left = link_at(model, q, sides[i][0]), right = link_at(model, q, sides[i][1]);
        assert_near(left.p.x, right.p.x, 1e-8);
        assert_near(left.p.y, -right.p.y, 1e-8);
        assert_near(left.p.z, right.p.z, 1e-8);
    }
}

TEST(bends_as_people_do)
{
    static const struct {
        const char *name;
        lb_joint_kind kind;
    } joints[] = {
        {"spine", LB_JOINT_BALL},          {"neck", LB_JOINT_BALL},
        {"left_shoulder", LB_JOINT_BALL},  {"right_hip", LB_JOINT_BALL},
        {"left_elbow", LB_JOINT_REVOLUTE}, {"right_knee", LB_JOINT_REVOLUTE},
    };
    owned_model *model = load_model("human");
    for (size_t i = 0; i < sizeof joints / sizeof *joints; i++) {
        int index = lb_model_find_joint(model, joints[i].name);
        assert_true(index >= 0);
        const lb_joint *joint = lb_model_joint(model, index);
        assert_int_equal(joint->kind, joints[i].kind);
        assert_true(isfinite(joint->lower[0]) && isfinite(joint->upper[0]));
        assert_true(joint->kind != LB_JOINT_BALL || joint->upper[1] < LB_PI);
    }

    // a bent knee brings the foot back, a bent elbow the hand forward
    owned double *q = neutral_of(model);
    lb_transform toe = link_at(model, q, "left_toe"), tip = link_at(model, q, "left_fingertip");
    q[lb_model_joint_q(model, lb_model_find_joint(model, "left_knee"))] += 1;
    q[lb_model_joint_q(model, lb_model_find_joint(model, "left_elbow"))] += 1;
    assert_true(link_at(model, q, "left_toe").p.x < toe.p.x - 0.2);
    assert_true(link_at(model, q, "left_fingertip").p.x > tip.p.x + 0.2);
}

/* ---- against robot files ------------------------------------------------ */

/*
 * A robot file of the same arm. Its base may be turned about z, its tip frame
 * may be another one; joint i of both has the same value.
 */
typedef struct counterpart {
    const char *model, *tip, *file, *file_tip;
    const char *joints[7], *file_joints[7];
    double base_yaw;
    double tolerance;     /* robot files often write pi/2 with 12 digits */
    const char *narrowed; /* a joint that the file limits further than its maker does */
} counterpart;

#define PANDA_JOINTS                                                                               \
    {                                                                                              \
        "panda_joint1", "panda_joint2", "panda_joint3", "panda_joint4", "panda_joint5",            \
            "panda_joint6", "panda_joint7"                                                         \
    }
#define UR_JOINTS                                                                                  \
    {                                                                                              \
        "shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint",               \
            "wrist_2_joint", "wrist_3_joint"                                                       \
    }
#define CRX_JOINTS                                                                                 \
    {                                                                                              \
        "J1", "J2", "J3", "J4", "J5", "J6"                                                         \
    }

static const counterpart counterparts[] = {
    {"panda", "panda_hand", "erd_panda.urdf", "panda_hand", PANDA_JOINTS, PANDA_JOINTS, 0, 1e-14,
     NULL},
    {"ur5", "tool0", "erd_ur5_robot.urdf", "tool0", UR_JOINTS, UR_JOINTS, LB_PI, 1e-10,
     "elbow_joint"},
    {"iiwa14",
     "flange",
     "ssik_kuka_iiwa14.urdf",
     "iiwa_link_ee_kuka",
     {"joint_1", "joint_2", "joint_3", "joint_4", "joint_5", "joint_6", "joint_7"},
     {"iiwa_joint_1", "iiwa_joint_2", "iiwa_joint_3", "iiwa_joint_4", "iiwa_joint_5",
      "iiwa_joint_6", "iiwa_joint_7"},
     0,
     1e-14,
     NULL},
    {"crx10ia", "flange", "ssik_fanuc_crx10ia.urdf", "fanuc_flange", CRX_JOINTS, CRX_JOINTS, 0,
     1e-14, NULL},
};

static void set_joint(const lb_model *model, double *q, const char *name, double value)
{
    int joint = lb_model_find_joint(model, name);
    if (joint < 0)
        fail_msg("no joint %s", name);
    q[lb_model_joint_q(model, joint)] = value;
}

/* T_tip_filetip at random values: the same whatever they are, if the arms are the same */
static lb_transform compare_once(const counterpart *c, const lb_model *ours, const lb_model *theirs,
                                 lb_random *random)
{
    owned double *q = neutral_of(ours), *p = neutral_of(theirs);
    for (int i = 0; i < 7 && c->joints[i] != NULL; i++) {
        double value = lb_random_between(random, -LB_PI, LB_PI);
        set_joint(ours, q, c->joints[i], value);
        set_joint(theirs, p, c->file_joints[i], value);
    }
    lb_transform yaw = lb_transform_from_quat(
        lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), c->base_yaw), lb_vec3_make(0, 0, 0));
    lb_transform tip = link_at(ours, q, c->tip), file_tip = link_at(theirs, p, c->file_tip);
    tip = lb_transform_multiply(&yaw, &tip);
    return lb_transform_between(&tip, &file_tip);
}

/* twelve digits of the file's radians */
static void check_limits(const counterpart *c, const lb_model *ours, const lb_model *theirs)
{
    for (int i = 0; i < 7 && c->joints[i] != NULL; i++) {
        const lb_joint *a = lb_model_joint(ours, lb_model_find_joint(ours, c->joints[i]));
        const lb_joint *b = lb_model_joint(theirs, lb_model_find_joint(theirs, c->file_joints[i]));
        if (c->narrowed != NULL && strcmp(a->name, c->narrowed) == 0)
            continue;
        assert_near(a->lower[0], b->lower[0], 1e-11);
        assert_near(a->upper[0], b->upper[0], 1e-11);
    }
}

TEST(agrees_with_robot_files)
{
    if (access(LIMBER_DATA_DIR "/urdf", R_OK) != 0) {
        print_message("skipped: there is no " LIMBER_DATA_DIR "/urdf\n");
        skip();
    }
    for (size_t i = 0; i < sizeof counterparts / sizeof *counterparts; i++) {
        const counterpart *c = &counterparts[i];
        char path[1024];
        snprintf(path, sizeof path, LIMBER_DATA_DIR "/urdf/%s", c->file);
        owned_model *ours = load_model(c->model), *theirs = load_model(path);
        lb_random random = test_seed(i + 1);
        lb_transform first = compare_once(c, ours, theirs, &random);
        for (int n = 0; n < 100; n++) {
            lb_transform again = compare_once(c, ours, theirs, &random);
            assert_transform_near(&again, &first, c->tolerance);
        }
        check_limits(c, ours, theirs);
    }
}
