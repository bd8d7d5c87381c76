/*
 * test_rig.c - which link is what part of a figure: by the file's own map, by names, by shape.
 */
#include <limber/fidelity.h>
#include <limber/formats/bvh.h>
#include <limber/retarget.h>
#include <math.h>

#include "motion/retargeted.h"
#include "motion/walker.h"
#include "support_load.h"

#include <unistd.h>

/* robots whose links are named as nothing in the tables, and models that are no figures */
TEST(figures_are_found_by_their_shape)
{
    const struct {
        const char *file, *foot, *forearm;
    } rows[] = {
        {"urdf/erd_talos_full_v2.urdf", "leg_left_6_link", "arm_left_4_link"},
        {"urdf/erd_romeo.urdf", "l_ankle", "LElbowYawLink"},
        {"mjcf/t1_mocap.xml", "left_foot_link", "AL4"},
        {"mjcf/pm01/pm_v2.xml", "LINK_ANKLE_ROLL_L", "LINK_ELBOW_PITCH_L"},
        {"gltf/robot_expressive.glb", "Foot.L", "LowerArm.L"},
        {"urdf/erd_go2.urdf", NULL, NULL},
        {"urdf/erd_pr2.urdf", NULL, NULL},
        {"urdf/erd_panda.urdf", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[256];
        snprintf(path, sizeof path, LIMBER_DATA_DIR "/%s", rows[i].file);
        if (access(path, R_OK) != 0) {
            print_message("%s: not there, skipped\n", path);
            continue;
        }
        owned_model *model = test_load(path);
        lb_rig rig;
        lb_status status = lb_rig_find(model, NULL, &rig, NULL);
        assert_int_equal(status, rows[i].foot != NULL ? LB_OK : LB_BAD_MODEL);
        if (status == LB_OK) {
            assert_string_equal(lb_model_link(model, rig.links[LB_ROLE_LEFT_FOOT])->name,
                                rows[i].foot);
            assert_string_equal(lb_model_link(model, rig.links[LB_ROLE_LEFT_FOREARM])->name,
                                rows[i].forearm);
        }
    }
}

/* the walker with the names of another figure, in the order of the roles; NULL: no such link */
static lb_model *named_walker(const char *const names[LB_ROLE_COUNT])
{
    static char plain[32][16];
    owned_model *walker = walker_model(WALKER_T);
    lb_link links[32];
    lb_joint joints[32];
    lb_rig own;
    int count = lb_model_link_count(walker);
    assert_ok(lb_rig_find(walker, NULL, &own, NULL));
    for (int i = 0; i < count; i++) {
        links[i] = *lb_model_link(walker, i);
        snprintf(plain[i], sizeof plain[i], "q%d", i);
        links[i].name = plain[i];
    }
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (names[role] != NULL)
            links[own.links[role]].name = names[role];
    for (int i = 1; i < count; i++) {
        joints[i - 1] = *lb_model_joint(walker, i - 1);
        joints[i - 1].child = links[i].name;
        joints[i - 1].parent = links[lb_model_parent(walker, i)].name;
    }
    return test_make("walker", links, count, joints, count - 1);
}

/* names as files have them, of robots and of captures: pelvis, chest, head, then left and right */
static const struct {
    const char *convention, *names[LB_ROLE_COUNT];
} named_figures[] = {
    {"fourier",
     {"base_link", "torso_link", "head_pitch_link", "left_upper_arm_yaw_link",
      "left_lower_arm_pitch_link", "left_hand_roll_link", "right_upper_arm_yaw_link",
      "right_lower_arm_pitch_link", "right_hand_roll_link", "left_thigh_yaw_link",
      "left_shank_pitch_link", "left_foot_roll_link", NULL, "right_thigh_yaw_link",
      "right_shank_pitch_link", "right_foot_roll_link", NULL}},
    {"fourier",
     {"base", "torso", "head_yaw", "l_upper_arm_yaw", "l_lower_arm_pitch", "l_hand_pitch",
      "r_upper_arm_yaw", "r_lower_arm_pitch", "r_hand_pitch", "l_thigh_pitch", "l_shank_pitch",
      "l_foot_roll", NULL, "r_thigh_pitch", "r_shank_pitch", "r_foot_roll", NULL}},
    {"kuavo",
     {"base_link", NULL, "zhead_2_link", "zarm_l3_link", "zarm_l4_link", "zarm_l7_link",
      "zarm_r3_link", "zarm_r4_link", "zarm_r7_link", "leg_l3_link", "leg_l4_link", "leg_l6_link",
      NULL, "leg_r3_link", "leg_r4_link", "leg_r6_link", NULL}},
    {"agility",
     {"torso", NULL, NULL, "left_shoulder_yaw", "left_elbow", NULL, "right_shoulder_yaw",
      "right_elbow", NULL, "left_hip_pitch", "left_tarsus", "left_toe_roll", NULL,
      "right_hip_pitch", "right_tarsus", "right_toe_roll", NULL}},
    {"poser",
     {"hip", "chest", "head", "lShldr", "lForeArm", "lHand", "rShldr", "rForeArm", "rHand",
      "lThigh", "lShin", "lFoot", "lToe", "rThigh", "rShin", "rFoot", "rToe"}},
    {"poser",
     {"hip", "spine2", "head", "l_upper_arm", "l_forearm", "l_hand", "r_upper_arm", "r_forearm",
      "r_hand", "l_thigh", "l_shin", "l_foot", "l_toe", "r_thigh", "r_shin", "r_foot", "r_toe"}},
    {"poser",
     {"hip", "chest", "head", "lShldrBend", "lForearmBend", "lHand", "rShldrBend", "rForearmBend",
      "rHand", "lThighBend", "lShin", "lFoot", "lToe", "rThighBend", "rShin", "rFoot", "rToe"}},
    {"mixamo",
     {"Hips_jnt", "Spine2_jnt", "Head_jnt", "LeftArm_jnt", "LeftForeArm_jnt", "LeftHand_jnt",
      "RightArm_jnt", "RightForeArm_jnt", "RightHand_jnt", "LeftUpLeg_jnt", "LeftLeg_jnt",
      "LeftFoot_jnt", "LeftToeBase_jnt", "RightUpLeg_jnt", "RightLeg_jnt", "RightFoot_jnt",
      "RightToeBase_jnt"}},
    {"poser",
     {"Skeleton:Hip", "Skeleton:Chest", "Skeleton:Head", "Skeleton:LUArm", "Skeleton:LFArm",
      "Skeleton:LHand", "Skeleton:RUArm", "Skeleton:RFArm", "Skeleton:RHand", "Skeleton:LThigh",
      "Skeleton:LShin", "Skeleton:LFoot", "Skeleton:LToe", "Skeleton:RThigh", "Skeleton:RShin",
      "Skeleton:RFoot", "Skeleton:RToe"}},
    {"forth",
     {"hip", "chest", "head", "lshoulder", "lelbow", "lhand", "rshoulder", "relbow", "rhand",
      "lhip", "lknee", "lfoot", "toe1-1.l", "rhip", "rknee", "rfoot", "toe1-1.r"}},
    {"acclaim",
     {"root", "thorax", "head", "lhumerus", "lradius", "lhand", "rhumerus", "rradius", "rhand",
      "lfemur", "ltibia", "lfoot", "ltoes", "rfemur", "rtibia", "rfoot", "rtoes"}},
    {"rigify",
     {"spine", "spine.003", "spine.006", "upper_arm.L", "forearm.L", "hand.L", "upper_arm.R",
      "forearm.R", "hand.R", "thigh.L", "shin.L", "foot.L", "toe.L", "thigh.R", "shin.R", "foot.R",
      "toe.R"}},
    {"rigify",
     {"DEF-spine", "DEF-spine.003", "DEF-spine.006", "DEF-upper_arm.L", "DEF-forearm.L",
      "DEF-hand.L", "DEF-upper_arm.R", "DEF-forearm.R", "DEF-hand.R", "DEF-thigh.L", "DEF-shin.L",
      "DEF-foot.L", "DEF-toe.L", "DEF-thigh.R", "DEF-shin.R", "DEF-foot.R", "DEF-toe.R"}},
    {"makehuman",
     {"root", "spine02", "head", "upperarm01.L", "lowerarm01.L", "wrist.L", "upperarm01.R",
      "lowerarm01.R", "wrist.R", "upperleg01.L", "lowerleg01.L", "foot.L", NULL, "upperleg01.R",
      "lowerleg01.R", "foot.R", NULL}},
    {"biped",
     {"Bip01 Pelvis", "Bip01 Spine2", "Bip01 Head", "Bip01 L UpperArm", "Bip01 L Forearm",
      "Bip01 L Hand", "Bip01 R UpperArm", "Bip01 R Forearm", "Bip01 R Hand", "Bip01 L Thigh",
      "Bip01 L Calf", "Bip01 L Foot", "Bip01 L Toe0", "Bip01 R Thigh", "Bip01 R Calf",
      "Bip01 R Foot", "Bip01 R Toe0"}},
    {"mixamo",
     {"Character1_Hips", "Character1_Spine2", "Character1_Head", "Character1_LeftArm",
      "Character1_LeftForeArm", "Character1_LeftHand", "Character1_RightArm",
      "Character1_RightForeArm", "Character1_RightHand", "Character1_LeftUpLeg",
      "Character1_LeftLeg", "Character1_LeftFoot", "Character1_LeftToeBase",
      "Character1_RightUpLeg", "Character1_RightLeg", "Character1_RightFoot",
      "Character1_RightToeBase"}},
    {"mixamo",
     {"mixamorigHips", "mixamorigSpine2", "mixamorigHead", "mixamorigLeftArm",
      "mixamorigLeftForeArm", "mixamorigLeftHand", "mixamorigRightArm", "mixamorigRightForeArm",
      "mixamorigRightHand", "mixamorigLeftUpLeg", "mixamorigLeftLeg", "mixamorigLeftFoot",
      "mixamorigLeftToeBase", "mixamorigRightUpLeg", "mixamorigRightLeg", "mixamorigRightFoot",
      "mixamorigRightToeBase"}},
    {"smpl",
     {"Pelvis", NULL, NULL, "J_L_Shoulder", "J_L_Elbow", "J_L_Hand", "J_R_Shoulder", "J_R_Elbow",
      "J_R_Hand", "J_L_Hip", "J_L_Knee", "J_L_Ankle", NULL, "J_R_Hip", "J_R_Knee", "J_R_Ankle",
      NULL}},
    {"biped",
     {"Bip002 Pelvis", "Bip002 Spine1", "Bip002 Head", "Bip002 L UpperArm", "Bip002 L Forearm",
      "Bip002 L Hand", "Bip002 R UpperArm", "Bip002 R Forearm", "Bip002 R Hand", "Bip002 L Thigh",
      "Bip002 L Calf", "Bip002 L Foot", "Bip002 L Toe0", "Bip002 R Thigh", "Bip002 R Calf",
      "Bip002 R Foot", "Bip002 R Toe0"}},
    {"kinect",
     {"PELVIS", "SPINE_CHEST", "HEAD", "SHOULDER_LEFT", "ELBOW_LEFT", "WRIST_LEFT",
      "SHOULDER_RIGHT", "ELBOW_RIGHT", "WRIST_RIGHT", "HIP_LEFT", "KNEE_LEFT", "ANKLE_LEFT",
      "FOOT_LEFT", "HIP_RIGHT", "KNEE_RIGHT", "ANKLE_RIGHT", "FOOT_RIGHT"}},
    {"kinect",
     {"SpineBase", "SpineShoulder", "Head", "ShoulderLeft", "ElbowLeft", "WristLeft",
      "ShoulderRight", "ElbowRight", "WristRight", "HipLeft", "KneeLeft", "AnkleLeft", "FootLeft",
      "HipRight", "KneeRight", "AnkleRight", "FootRight"}},
};

TEST(figures_are_found_by_their_names)
{
    for (size_t i = 0; i < sizeof named_figures / sizeof *named_figures; i++) {
        const char *const *names = named_figures[i].names;
        owned_model *model = named_walker(names);
        lb_rig rig;
        assert_ok(lb_rig_find(model, NULL, &rig, NULL));
        assert_string_equal(rig.convention, named_figures[i].convention);
        for (int role = 0; role < LB_ROLE_COUNT; role++)
            if (names[role] != NULL)
                assert_int_equal(rig.links[role], lb_model_find_link(model, names[role]));
        // toes without a name move against their feet
        assert_true(rig.links[LB_ROLE_LEFT_TOE] > rig.links[LB_ROLE_LEFT_FOOT]);
    }
}

/* a walker whose links are called as nothing is: its ankle, and not its toe, is the leg's end */
TEST(toes_are_found_by_their_place)
{
    static const char *const nothing[LB_ROLE_COUNT] = {NULL};
    owned_model *named = walker_model(WALKER_T), *model = named_walker(nothing);
    lb_rig rig;
    assert_ok(lb_rig_find(model, NULL, &rig, NULL));
    assert_string_equal(rig.convention, "shape");
    assert_int_equal(rig.links[LB_ROLE_LEFT_FOOT], lb_model_find_link(named, "LeftFoot"));
    assert_int_equal(rig.links[LB_ROLE_LEFT_TOE], lb_model_find_link(named, "LeftToeBase"));
    assert_int_equal(rig.links[LB_ROLE_RIGHT_TOE], lb_model_find_link(named, "RightToeBase"));
}

/* ---- ankles of robots ------------------------------------------------------ */

/* A robot of hinges, whose ankle has a second one and whose foot may have a toe. */
typedef struct ankle {
    bool named, roll_first, toe;
    lb_vec3 second; /* of the ankle's joints: its place against the first */
} ankle;

typedef struct robot_parts {
    lb_link links[24];
    lb_joint joints[24];
    lb_quat turned[24]; /* frames of links, which lie on their sides by turns */
    char names[24][32];
    int count;
} robot_parts;

static lb_model *build_robot(const robot_parts *all)
{
    return test_make("robot", all->links, all->count + 1, all->joints, all->count);
}

static void add_base(robot_parts *to)
{
    *to = (robot_parts){.names[0] = "base_link", .turned[0] = LB_QUAT_IDENTITY};
    to->links[0] = lb_link_default();
    to->links[0].name = to->names[0];
}

/* a link that a hinge about x, y or z moves, `at` from its parent; returns its index */
static int add_hinge(robot_parts *to, const char *name, int parent, char axis, lb_vec3 at)
{
    int i = ++to->count;
    lb_joint *joint = &to->joints[i - 1];
    lb_vec3 along = lb_vec3_make(axis == 'x', axis == 'y', axis == 'z');
    lb_quat up = lb_quat_conjugate(to->turned[parent]);
    to->turned[i] = lb_quat_from_rpy(i % 2 * 0.5 * LB_PI, 0, 0);
    snprintf(to->names[i], sizeof to->names[i], "%s", name);
    to->links[i] = lb_link_default();
    *joint = lb_joint_default();
    to->links[i].name = joint->name = joint->child = to->names[i];
    joint->parent = to->names[parent];
    joint->kind = LB_JOINT_REVOLUTE;
    joint->axis = lb_quat_rotate(lb_quat_conjugate(to->turned[i]), along);
    joint->placement =
        lb_transform_from_quat(lb_quat_multiply(up, to->turned[i]), lb_quat_rotate(up, at));
    joint->lower[0] = -1;
    joint->upper[0] = 1;
    return i;
}

/* the indices of both feet and toes, which is what is to be found; LB_NO_LINK: none */
static lb_model *robot_with(const ankle *kind, int feet[2], int toes[2])
{
    robot_parts all;
    add_base(&all);
    for (int side = 0; side < 2; side++) {
        double out = side == 0 ? 0.1 : -0.1;
        char name[5][32];
        static const char *const parts[] = {"thigh_yaw_link", "shank_pitch_link", "foot_pitch_link",
                                            "foot_roll_link", "ball_link"};
        for (int i = 0; i < 5; i++)
            snprintf(name[i], sizeof name[i], "%s_%s", side == 0 ? "left" : "right", parts[i]);
        for (int i = 0; i < 5 && !kind->named; i++)
            snprintf(name[i], sizeof name[i], "%c%d", side == 0 ? 'a' : 'b', i);
        int hip = add_hinge(&all, side == 0 ? "h0" : "h1", 0, 'y', lb_vec3_make(0, out, -0.05));
        int thigh = add_hinge(&all, name[0], hip, 'z', lb_vec3_make(0, 0, -0.05));
        int shank = add_hinge(&all, name[1], thigh, 'y', lb_vec3_make(0, 0, -0.1));
        int first = add_hinge(&all, name[kind->roll_first ? 3 : 2], shank,
                              kind->roll_first ? 'x' : 'y', lb_vec3_make(0, 0, -0.1));
        feet[side] = add_hinge(&all, name[kind->roll_first ? 2 : 3], first,
                               kind->roll_first ? 'y' : 'x', kind->second);
        toes[side] = kind->toe
                         ? add_hinge(&all, name[4], feet[side], 'y', lb_vec3_make(0.06, 0, -0.03))
                         : LB_NO_LINK;
    }
    return build_robot(&all);
}

/* an ankle's second joint, wherever it is along its axis, is no toe, and a toe behind it is */
TEST(feet_are_behind_all_joints_of_their_ankles)
{
    static const double places[][3] = {
        {0, 0, 0}, {-0.03, 0.02, 0}, {0.03, 0, 0}, {0, 0, -0.04}, {-0.02, 0.01, -0.02}};
    for (int i = 0; i < 5 * 8; i++) {
        const double *at = places[i / 8];
        const ankle kind = {.named = i & 1,
                            .roll_first = i & 2,
                            .toe = i & 4,
                            .second = lb_vec3_make(at[0], at[1], at[2])};
        int feet[2], toes[2];
        owned_model *model = robot_with(&kind, feet, toes);
        lb_rig rig;
        lb_error error = {0};
        if (lb_rig_find(model, NULL, &rig, &error) != LB_OK)
            fail_msg("%d: %s", i, error.message);
        assert_string_equal(rig.convention, kind.named ? "fourier" : "shape");
        for (int side = 0; side < 2; side++) {
            const int *leg = &rig.links[side == 0 ? LB_ROLE_LEFT_THIGH : LB_ROLE_RIGHT_THIGH];
            if (leg[2] != feet[side] || leg[3] != toes[side])
                fail_msg("%d: foot %d, not %d; toe %d, not %d", i, leg[2], feet[side], leg[3],
                         toes[side]);
        }
    }
}

/* Legs of hinges: the axes of the hip in their order, how far the third of its joints is below and
   beside the others, and whether the robot looks against x. */
typedef struct hips {
    const char *order;
    double down, wide;
    bool back;
    double base; /* how high the base's axes are above the hips */
} hips;

/* the links of the left leg: thigh, shank, foot */
static lb_model *robot_with_hips(const hips *kind, int left[3])
{
    robot_parts all;
    add_base(&all);
    for (int side = 0; side < 2; side++) {
        static const char *const parts[] = {"a", "b", "c", "d", "e", "f"};
        int link[6], above = 0;
        double out = (side == 0) != kind->back ? 1 : -1, wide = out * kind->wide;
        const lb_vec3 places[] = {{0, 0.1 * out, -kind->base}, {0, 0, 0},
                                  {0, wide, -kind->down},      {0, 0.25 * wide, -0.2},
                                  {0, -0.25 * wide, -0.3},     {0, 0, 0}};
        const char axes[] = {kind->order[0], kind->order[1], kind->order[2], 'y', 'y', 'x'};
        for (int i = 0; i < 6; i++) {
            char name[32];
            snprintf(name, sizeof name, "%c_%s", side == 0 ? 'l' : 'r', parts[i]);
            link[i] = above = add_hinge(&all, name, above, axes[i], places[i]);
        }
        if (side == 0)
            left[0] = link[2], left[1] = link[3], left[2] = link[5];
    }
    return build_robot(&all);
}

/* hips turn in any order and a joint along the bone is anywhere on it; names say which side is left
 */
TEST(legs_are_found_whatever_their_hips_are)
{
    static const char *const orders[] = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx"};
    for (int i = 0; i < 6 * 8; i++) {
        const char *order = orders[i / 8];
        // only what turns about the bone may lie along it; axes of bases are at pelvises, or far
        // below
        const hips kind = {order, i & 1 && order[2] == 'z' ? 0.15 : 0, 0, i & 2,
                           i & 4 ? -0.7 : 0.05};
        int left[3];
        owned_model *model = robot_with_hips(&kind, left);
        lb_rig rig;
        lb_error error = {0};
        if (lb_rig_find(model, NULL, &rig, &error) != LB_OK)
            fail_msg("%s: %s", order, error.message);
        for (int k = 0; k < 3; k++)
            if (rig.links[LB_ROLE_LEFT_THIGH + k] != left[k])
                fail_msg("%s, %g below, %s: role %d is link %d, not %d", order, kind.down,
                         i & 2 ? "back" : "ahead", k, rig.links[LB_ROLE_LEFT_THIGH + k], left[k]);
    }
}

/* arms that hang from a column on wheels are no legs */
TEST(arms_above_wheels_are_no_legs)
{
    robot_parts all;
    add_base(&all);
    add_hinge(&all, "wheel", 0, 'y', lb_vec3_make(0.2, 0, 0.1));
    int column = add_hinge(&all, "column", 0, 'z', lb_vec3_make(0, 0, 1.2));
    for (int side = 0; side < 2; side++) {
        int link = column;
        for (int i = 0; i < 6; i++)
            link = add_hinge(&all,
                             side == 0 ? (const char *[]){"a", "b", "c", "d", "e", "f"}[i]
                                       : (const char *[]){"u", "v", "w", "x", "y", "z"}[i],
                             link, "yxzyyx"[i],
                             lb_vec3_make(0, i == 0 ? 0.1 - 0.2 * side : 0, i < 3 ? 0 : -0.2));
    }
    owned_model *model = build_robot(&all);
    lb_rig rig;
    assert_int_equal(lb_rig_find(model, NULL, &rig, NULL), LB_BAD_MODEL);
}

/* a robot's parts beside each other, by whatever width, are no slanting bones: its legs hang as the
   source's do */
TEST(the_width_of_parts_is_no_bone)
{
    static const char *const orders[] = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx"};
    owned_model *walker = walker_model(WALKER_T);
    owned_clip *walk = walker_clip(walker, WALKER_T, 2, 30);
    for (int i = 0; i < 6 * 3; i++) {
        const hips kind = {.order = orders[i / 3], .wide = 0.05 * (i % 3), .base = 0.05};
        int left[3];
        owned_model *fixed = robot_with_hips(&kind, left), *robot = NULL;
        assert_ok(lb_model_with_root(fixed, LB_JOINT_FLOATING, NULL, &robot, NULL));
        owned_retargeted r = retarget(walk, robot, NULL);
        lb_fidelity_report report;
        assert_ok(lb_clip_fidelity(r.clip, walk, NULL, NULL, NULL, &report, NULL));
        assert_near(report.items[LB_FIDELITY_LEFT_LEG].mean, 0, 0.1);
        assert_near(report.items[LB_FIDELITY_RIGHT_LEG].mean, 0, 0.1);
    }
}

/* each role is found by its text, and nothing by another */
TEST(roles_have_texts)
{
    for (int i = 0; i < LB_ROLE_COUNT; i++)
        assert_int_equal(lb_role_find(lb_role_text((lb_role)i)), i);
    assert_int_equal(lb_role_find("left foo"), LB_ROLE_COUNT);
    assert_int_equal(lb_role_find(""), LB_ROLE_COUNT);
}

/* a file's own map comes first: here it exchanges the sides, and names no toes */
TEST(bones_that_a_file_names_come_before_names)
{
    static const char *const bones[][2] = {
        {"Hips", "hips"},
        {"Spine1", "chest"},
        {"LeftArm", "rightUpperArm"},
        {"LeftForeArm", "rightLowerArm"},
        {"RightArm", "leftUpperArm"},
        {"LeftUpLeg", "rightUpperLeg"},
        {"LeftLeg", "rightLowerLeg"},
        {"LeftFoot", "rightFoot"},
        {"RightUpLeg", "leftUpperLeg"},
        {"RightLeg", "leftLowerLeg"},
        {"RightFoot", "leftFoot"},
    };
    owned_model *plain = walker_model(WALKER_T);
    lb_link links[32];
    for (int i = 0; i < lb_model_link_count(plain); i++) {
        links[i] = *lb_model_link(plain, i);
        for (size_t k = 0; k < sizeof bones / sizeof *bones; k++)
            if (strcmp(links[i].name, bones[k][0]) == 0)
                links[i].bone = bones[k][1];
    }
    owned_model *model = test_with_links(plain, links);
    lb_rig rig;
    assert_ok(lb_rig_find(model, NULL, &rig, NULL));
    assert_string_equal(rig.convention, "vrm");
    assert_int_equal(rig.links[LB_ROLE_RIGHT_FOOT], lb_model_find_link(model, "LeftFoot"));
    assert_int_equal(rig.links[LB_ROLE_LEFT_UPPER_ARM], lb_model_find_link(model, "RightArm"));
    assert_int_equal(rig.links[LB_ROLE_LEFT_FOREARM], LB_NO_LINK);
    // toes that have no name move against their feet
    assert_int_equal(rig.links[LB_ROLE_LEFT_TOE], lb_model_find_link(model, "RightToeBase"));
}

/* two legs of 0.8 m below hips that are so many centimetres apart; release with lb_bvh_release */
static lb_bvh *legs_apart(double width)
{
    static const char leg[] = "JOINT %sUpLeg { OFFSET %g 0 0 CHANNELS 1 Xrotation JOINT %sLeg { "
                              "OFFSET 0 -40 0 CHANNELS 1 Xrotation JOINT %sFoot { OFFSET 0 -40 0 "
                              "CHANNELS 1 Xrotation End Site { OFFSET 0 -8 15 } } } }\n";
    static const char *const sides[2] = {"Left", "Right"};
    char text[2048] = "HIERARCHY ROOT Hips { OFFSET 0 88 0 CHANNELS 6 Xposition Yposition "
                      "Zposition Zrotation Xrotation Yrotation\n";
    lb_bvh *bvh = NULL;
    for (int i = 0; i < 2; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), leg, sides[i],
                 (i == 0 ? 0.5 : -0.5) * width, sides[i], sides[i]);
    strcat(text, "}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 88 0 0 0 0 0 0 0 0 0 0\n");
    lb_bvh_options options = {.unit = 0.01, .up = LB_BVH_UP_Y};
    if (lb_bvh_load_memory("legs.bvh", text, strlen(text), &options, &bvh, &cause) != LB_OK)
        fail_msg("%d: %s\n%s", cause.line, cause.message, text);
    return bvh;
}

/* feet are farther apart below wider hips; below narrower ones they do not come nearer, unless hips
   differ by more than people's */
TEST(feet_are_as_far_apart_as_before_or_farther)
{
    const double widths[] = {10, 17, 22, 30}, outward[] = {-4.25, 0, 0, 4};
    owned_bvh *source = legs_apart(22);
    for (int i = 0; i < 4; i++) {
        owned_bvh *target = legs_apart(widths[i]);
        lb_retarget_map map;
        int feet = 0;
        assert_ok(lb_retarget_map_find(lb_bvh_model(source), NULL, lb_bvh_model(target), NULL, &map,
                                       NULL));
        for (int p = 0; p < map.count; p++) {
            bool left = map.pairs[p].role == LB_ROLE_LEFT_FOOT;
            if (!left && map.pairs[p].role != LB_ROLE_RIGHT_FOOT)
                continue;
            assert_near(map.pairs[p].offset.y, 0.01 * (left ? outward[i] : -outward[i]), 1e-12);
            feet++;
        }
        assert_int_equal(feet, 2);
    }
}

/* sensors on the foot of a robot do not say where it points to */
TEST(frames_on_a_foot_do_not_turn_it)
{
    enum { MOST = 40 };
    owned_model *figure = walker_model(WALKER_A), *robot = test_load("biped");
    int count = lb_model_joint_count(robot);
    lb_joint joints[MOST];
    lb_link links[MOST + 1];
    lb_retarget_map maps[2];
    assert_true(count < MOST);
    for (int i = 0; i <= count; i++)
        links[i] = *lb_model_link(robot, i);
    for (int i = 0; i < count; i++)
        joints[i] = *lb_model_joint(robot, i);
    links[count + 1] = lb_link_default();
    links[count + 1].name = "pressure";
    joints[count] = lb_joint_default();
    joints[count].name = "pressure", joints[count].kind = LB_JOINT_FIXED;
    joints[count].parent = "left_foot", joints[count].child = "pressure";
    joints[count].placement = lb_transform_translation(0.08, 0.06, 0);
    owned_model *sensing = test_make("sensing", links, count + 2, joints, count + 1);
    assert_ok(lb_retarget_map_find(figure, NULL, robot, NULL, &maps[0], NULL));
    assert_ok(lb_retarget_map_find(figure, NULL, sensing, NULL, &maps[1], NULL));
    assert_int_equal(maps[0].count, maps[1].count);
    for (int i = 0; i < maps[0].count; i++) {
        lb_quat a = maps[0].pairs[i].rotation, b = maps[1].pairs[i].rotation;
        assert_near(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z, 1, 1e-12);
    }
}
