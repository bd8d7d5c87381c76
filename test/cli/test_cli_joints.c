/*
 * test_cli_joints.c - --group, --lock, --limits and --weights: what they do and what is refused.
 */
#include <unistd.h>

#include "support_load.h"
#include "support_program.h"

#include <limber/limber.h>

enum { MOST_Q = 128 };

static void skip_without(const char *path)
{
    if (access(path, R_OK) == 0)
        return;
    print_message("skipped: there is no %s\n", path);
    skip();
}

/* the value of a joint in the one row of results */
static double value_of(const char *joint)
{
    const char *names = program.out, *values = strchr(program.out, '\n') + 1;
    size_t size = strlen(joint);
    while (strncmp(names, joint, size) != 0 || (names[size] != ',' && names[size] != '\n')) {
        names = strchr(names, ',') + 1;
        values = strchr(values, ',') + 1;
    }
    return atof(values);
}

TEST(groups_move_alone)
{
    skip_without(LIMBER_DATA_DIR "/srdf/panda.srdf");
    program_must("ik %s/srdf/panda.urdf --group panda_arm --position '0.4 0.1 0.5' --rpy '3.1 0 0' "
                 "--start 'panda_finger_joint1=0.02'",
                 LIMBER_DATA_DIR);
    assert_said("using tip 'panda_link8'");
    assert_true(value_of("panda_finger_joint1") == 0.02);
    assert_printed("reached");
    program_must("ik %s/srdf/fanuc.urdf --group manipulator --position '0.8 0.1 0.9' "
                 "--rpy '0 1 0' --all",
                 LIMBER_DATA_DIR);
    char text[512];
    snprintf(text, sizeof text, "ik %s/srdf/panda.urdf --position '0 0 1' --group ",
             LIMBER_DATA_DIR);
    strcat(text, "panda_arn");
    program_refuses(text, "--group: no group 'panda_arn'; did you mean 'panda_arm'?");
    program_refuses("ik panda --position '0 0 1' --group arm",
                    "there is no 'panda.srdf': give --srdf FILE");
    program_refuses("ik panda --position '0 0 1' --srdf a.srdf",
                    "--srdf has no effect without --group");
}

TEST(locks_hold)
{
    program_must("ik panda --position '0.4 0.1 0.5' --rpy '180 0 45' --degrees --tip panda_hand "
                 "--lock panda_joint3=10");
    // in degrees they are read, in degrees they are written
    assert_near(value_of("panda_joint3"), 10, 1e-12);
    // two words in one, and a joint that stays where the start has it: a planar arm is left
    program_must("ik panda --position '0.38213459565024 0.11820808266454 0.5' --tip panda_hand "
                 "--start panda_joint1=0.3 --lock 'panda_joint3=0 panda_joint5=0' "
                 "--lock panda_joint1");
    assert_true(value_of("panda_joint1") == 0.3);
    assert_true(value_of("panda_joint3") == 0 && value_of("panda_joint5") == 0);
    // seven joints with one of them locked are six, and all their solutions are known
    program_must("ik panda --position '0.4 0.1 0.5' --rpy '180 0 45' --degrees --tip panda_hand "
                 "--lock panda_joint7=40 --all --json");
    assert_not_printed("redundant");
    assert_printed("\"certified\":true");
    // other commands have them as well
    program_must("fk panda --frame panda_hand --lock panda_joint4=-1.5");
    program_must("workspace planar3 --lock joint_3=0 --cells 10 --output cells.csv");
}

TEST(bad_joints_are_refused)
{
    static const struct {
        const char *options, *says;
    } cases[] = {
        {"--lock panda_jont3=1", "--lock: no joint 'panda_jont3'; did you mean 'panda_joint3'?"},
        {"--lock panda_jont3", "--lock: no joint 'panda_jont3'; did you mean 'panda_joint3'?"},
        {"--lock panda_joint3=much", "--lock: 'much' is not a number"},
        {"--lock panda_joint3=9", "joint 'panda_joint3': locked at 9, outside its limits"},
        {"--lock panda_joint8", "joint 'panda_joint8': it is fixed: there is nothing to set"},
        {"--weights panda_joint3=0", "--weights"},
        {"--weights panda_jont3=2", "--weights: no joint 'panda_jont3'"},
        {"--weights 'panda_joint3'", "is not of the form joint=value"},
        {"--limits none.json", "none.json: "},
        {"--limits crossed.json", "crossed.json:1: joint_limits.panda_joint1: min_position 2"},
        {"--limits outside.json", "limits 4 .. inf leave nothing of -2.8973 .. 2.8973"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        program_write("crossed.json", "{\"joint_limits\": {\"panda_joint1\": {\"min_position\": 2, "
                                      "\"max_position\": 1}}}");
        program_write("outside.json",
                      "{\"joint_limits\": {\"panda_joint1\": {\"min_position\": 4}}}");
        snprintf(text, sizeof text, "ik panda --position '0.4 0.1 0.5' %s", cases[i].options);
        program_refuses(text, cases[i].says);
    }
}

/* names may have blanks wherever joints are named with values */
TEST(names_with_blanks_are_joints)
{
    program_write(
        "slides.json",
        "{\"limber\": 1, \"name\": \"m\", \"links\": [{\"name\": \"a\"}, {\"name\": \"b\"}, "
        "{\"name\": \"c\"}], \"joints\": [{\"name\": \"long  slide\", \"kind\": "
        "\"prismatic\", \"parent\": \"a\", \"child\": \"b\", \"limits\": [0, 1]}, "
        "{\"name\": \"up\", \"kind\": \"prismatic\", \"parent\": \"b\", \"child\": "
        "\"c\", \"limits\": [0, 1]}]}");
    program_prints("fk slides.json --frame c --at ' up=0.25  long  slide=0.5 '", "\n0,0,0.75,");
    program_must("ik slides.json --tip c --position '0 0 0.75' --lock 'long  slide=0.5' "
                 "--weights 'up=3 long  slide=2'");
    program_must("ik slides.json --tip c --position '0 0 0.5' --start 'up=0.25 long  slide=0.25'");
    program_refuses("fk slides.json --at 'long  slide =1'",
                    "--at: 'long  slide =1' is not of the form joint=value, without blanks beside "
                    "the =");
    program_refuses("fk slides.json --at 'up=1 long'", "'long' is not of the form joint=value");
    program_refuses("fk slides.json --at 'long slide=1'", "'long slide'");
}

/* a range that leaves no room beyond it, and a joint that hardly moves */
TEST(limits_and_weights_count)
{
    program_write("narrow.json", "{\"joint_limits\": {\"joint_1\": {\"min_position\": 0.2, "
                                 "\"max_position\": 0.3}}}");
    program_must("ik planar3 --position '1 0.9 0' --limits narrow.json");
    assert_true(value_of("joint_1") >= 0.2 && value_of("joint_1") <= 0.3);
    // the nearest leaves a stiff joint where it is, as far as another solution allows
    program_must("ik planar3 --position '20 10 0' --start 'joint_1=0.4 joint_2=0.3'");
    double moved = value_of("joint_1") - 0.4;
    program_must("ik planar3 --position '20 10 0' --start 'joint_1=0.4 joint_2=0.3' "
                 "--weights 'joint_1=1000000'");
    assert_near(value_of("joint_1"), 0.4, 1e-3);
    assert_true(moved < -0.1 || moved > 0.1);
    // what a file narrows is warned of in poses
    program_shell("limber fk planar3 --limits narrow.json --at joint_1=1");
    assert_said("joint_1");
}

/* ten robots as they come: with a joint of the arm locked a pose that it allows is reached */
TEST(real_robots_obey)
{
    static const char *const files[] = {
        "erd_panda",         "erd_ur5_robot",   "ssik_gen3",   "ssik_kuka_iiwa14", "ssik_xarm7",
        "rtb_puma560_robot", "ufd_irb120_3_58", "debdart_wam", "erd_tiago_dual",   "rtb_yumi",
    };
    lb_random random = test_seed(81);
    int refused = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[512];
        snprintf(path, sizeof path, LIMBER_DATA_DIR "/urdf/%s.urdf", files[i]);
        skip_without(path);
        double q[MOST_Q];
        int tips[LB_DEFAULT_TIPS], count;
        owned_model *model = test_load(path);
        assert_int_equal(lb_model_default_tips(model, NULL, tips, &count), LB_OK);
        lb_configuration_random(model, &random, q);
        lb_task task = lb_task_make(tips[0], 0, LB_TASK_POSITION);
        // the third joint above the tip that turns or slides
        int link = tips[0], joint = -1;
        for (int passed = 0; link > 0 && passed < 3; link = lb_model_parent(model, link)) {
            const lb_joint *above = lb_model_joint(model, link - 1);
            bool moves = lb_joint_kind_nq(above->kind) == 1 && !above->mimic;
            joint = moves ? link - 1 : joint;
            passed += moves;
        }
        lb_vec3 target = test_task_tool(model, &task, q).p;
        double value = q[lb_model_joint_q(model, joint)];
        const char *name = lb_model_joint(model, joint)->name;
        int status = program_run("ik '%s' --position '%.17g %.17g %.17g' --lock '%s=%.17g' 2>&1",
                                 path, target.x, target.y, target.z, name, value);
        if (status != 0 || !strstr(program.out, "reached,"))
            fail_msg("%s: %s", files[i], program.out);
        char *table = strstr(program.out, "status,");
        assert_non_null(table);
        memmove(program.out, table, strlen(table) + 1);
        assert_true(value_of(name) == value);
        // and a name that is nearly right is suggested
        program_run("ik '%s' --position '0 0 1' --lock '%sx=0'", path, name);
        assert_int_equal(program.status, 2);
        refused += strstr(program.err, "did you mean") != NULL;
    }
    assert_int_equal(refused, (int)(sizeof files / sizeof *files));
}

TEST_FIXTURE(program_start, program_stop)
