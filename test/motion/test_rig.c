/*
 * test_rig.c - which link is what part of a figure: by the file's own map, by names, by shape.
 */
#include <limber/formats/bvh.h>
#include <limber/retarget.h>
#include <math.h>

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

/* a walker whose links are called as nothing is: its ankle, and not its toe, is the leg's end */
TEST(toes_are_found_by_their_place)
{
    static char names[32][8];
    owned_model *named = walker_model(WALKER_A);
    lb_link links[32];
    lb_joint joints[32];
    int count = lb_model_link_count(named);
    for (int i = 0; i < count; i++) {
        links[i] = *lb_model_link(named, i);
        snprintf(names[i], sizeof names[i], "q%d", i);
        links[i].name = names[i];
    }
    for (int i = 1; i < count; i++) {
        joints[i - 1] = *lb_model_joint(named, i - 1);
        joints[i - 1].child = names[i];
        joints[i - 1].parent = names[lb_model_parent(named, i)];
    }
    owned_model *model = test_build(&(lb_model_source){.name = "walker",
                                                       .root = LB_TRANSFORM_IDENTITY,
                                                       .links = links,
                                                       .link_count = count,
                                                       .joints = joints,
                                                       .joint_count = count - 1});
    lb_rig rig;
    assert_int_equal(lb_rig_find(model, NULL, &rig, NULL), LB_OK);
    assert_string_equal(rig.convention, "shape");
    assert_int_equal(rig.links[LB_ROLE_LEFT_FOOT], lb_model_find_link(named, "LeftFoot"));
    assert_int_equal(rig.links[LB_ROLE_LEFT_TOE], lb_model_find_link(named, "LeftToeBase"));
    assert_int_equal(rig.links[LB_ROLE_RIGHT_TOE], lb_model_find_link(named, "RightToeBase"));
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
    assert_int_equal(lb_rig_find(model, NULL, &rig, NULL), LB_OK);
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
    lb_error error = {0};
    if (lb_bvh_load_memory("legs.bvh", text, strlen(text), &options, &bvh, &error) != LB_OK)
        fail_msg("%d: %s\n%s", error.line, error.message, text);
    return bvh;
}

/* feet are farther apart below wider hips; below narrower ones they do not come nearer, unless hips
   differ by more than people's */
TEST(feet_are_as_far_apart_as_before_or_farther)
{
    const double widths[] = {10, 17, 22, 30}, outward[] = {-4.25, 0, 0, 4};
    owned_bvh *source = legs_apart(22);
    for (int i = 0; i < 4; i++) {
        lb_bvh *target = legs_apart(widths[i]);
        lb_retarget_map map;
        int feet = 0;
        assert_int_equal(lb_retarget_map_find(lb_bvh_model(source), NULL, lb_bvh_model(target),
                                              NULL, &map, NULL),
                         LB_OK);
        for (int p = 0; p < map.count; p++) {
            bool left = map.pairs[p].role == LB_ROLE_LEFT_FOOT;
            if (!left && map.pairs[p].role != LB_ROLE_RIGHT_FOOT)
                continue;
            assert_near(map.pairs[p].offset.y, 0.01 * (left ? outward[i] : -outward[i]), 1e-12);
            feet++;
        }
        assert_int_equal(feet, 2);
        lb_bvh_release(target);
    }
}
