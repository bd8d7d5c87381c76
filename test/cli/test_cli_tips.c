/*
 * test_cli_tips.c - limber ik with several tips: one configuration for all of them.
 */
#define _POSIX_C_SOURCE 200809L

#include <unistd.h>

#include "support_load.h"
#include "support_program.h"

#include <limber/limber.h>

enum { MOST_Q = 128 };

/* the configuration of the one row of results, as `limber fk` reads it */
static void read_row(const lb_model *model, double *q)
{
    lb_configuration_neutral(model, q);
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const char *joint = lb_model_joint(model, j)->name;
        const char *names = program.out, *values = strchr(program.out, '\n') + 1;
        size_t size = strlen(joint);
        while (names &&
               (strncmp(names, joint, size) != 0 || (names[size] != ',' && names[size] != '\n'))) {
            names = strchr(names, ',') ? strchr(names, ',') + 1 : NULL;
            values = strchr(values, ',') ? strchr(values, ',') + 1 : values;
        }
        if (names && !lb_model_joint(model, j)->mimic)
            q[lb_model_joint_q(model, j)] = atof(values);
    }
}

/* robots of two arms: both tools where they were at some configuration */
TEST(both_arms_reach)
{
    static const char *const robots[][3] = {
        {"rtb_yumi", "gripper_l_base", "gripper_r_base"},
        {"erd_tiago_dual", "arm_left_tool_link", "arm_right_tool_link"},
        {"erd_pr2", "l_gripper_tool_frame", "r_gripper_tool_frame"},
        {"unitree_g1_29dof_rev_1_0", "left_rubber_hand", "right_rubber_hand"},
    };
    lb_random random = test_seed(95);
    int reached = 0, tried = 0;
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        char path[512];
        snprintf(path, sizeof path, LIMBER_DATA_DIR "/urdf/%s.urdf", robots[i][0]);
        if (access(path, R_OK) != 0) {
            print_message("skipped: there is no %s\n", path);
            skip();
        }
        owned_model *model = test_load(path);
        lb_task tasks[2];
        for (int k = 0; k < 2; k++) {
            int link = lb_model_find_link(model, robots[i][1 + k]);
            if (link < 0)
                fail_msg("%s has no %s", robots[i][0], robots[i][1 + k]);
            tasks[k] = lb_task_make(link, 0, LB_TASK_POSITION);
        }
        for (int n = 0; n < 3; n++) {
            double q[MOST_Q];
            lb_vec3 p[2];
            lb_configuration_random(model, &random, q);
            for (int k = 0; k < 2; k++)
                p[k] = test_task_tool(model, &tasks[k], q).p;
            int status = program_run("ik '%s' --tip %s --position '%.17g %.17g %.17g' --tip %s "
                                     "--position '%.17g %.17g %.17g' 2>&1",
                                     path, robots[i][1], p[0].x, p[0].y, p[0].z, robots[i][2],
                                     p[1].x, p[1].y, p[1].z);
            char *table = strstr(program.out, "status,");
            assert_non_null(table);
            memmove(program.out, table, strlen(table) + 1);
            tried++;
            if (status != 0)
                continue;
            reached++;
            // what is said to be reached is
            read_row(model, q);
            for (int k = 0; k < 2; k++)
                assert_true(lb_vec3_length(
                                lb_vec3_sub(test_task_tool(model, &tasks[k], q).p, p[k])) < 2e-6);
        }
    }
    print_message("%d of %d reached\n", reached, tried);
    assert_true(reached >= tried - 1);
}

TEST(each_tip_is_explained)
{
    program_prints("ik human --tip left_hand --position '0.3 0.3 0.2' --tip right_hand "
                   "--position '0.3 -0.3 0.2' --json",
                   "\"tip\":\"left_hand\",\"reached\":true");
    assert_printed("\"tip\":\"right_hand\",\"reached\":true");
    program_exits(1, "ik human --tip left_hand --position '0.3 0.3 0.2' "
                     "--tip right_hand --position '5 0 0' --json");
    assert_printed("\"tip\":\"right_hand\",\"reached\":false");
    // rotations alone, and with positions
    program_must("ik human --tip left_hand --rpy '0 0 0.1' --tip right_hand --rpy '0 0 -0.1'");
    assert_true(program_begins(program.out, "status,iterations,position_error,rotation_error,"));
}

/* rows of a file, each for both tips; they are what the options give one by one */
TEST(files_have_columns_of_tips)
{
    program_write("two.csv", "left_hand.x,left_hand.y,left_hand.z,right_hand.z,right_hand.y,"
                             "right_hand.x\n0.3,0.3,0.2,0.2,-0.3,0.3\n0.2,0.3,0.3,0.3,-0.3,0.25\n");
    owned char *rows =
        program_output("ik human --tip left_hand --tip right_hand --targets two.csv");
    assert_non_null(rows);
    program_must("ik human --tip left_hand --position '0.2 0.3 0.3' --tip right_hand "
                 "--position '0.25 -0.3 0.3'");
    assert_non_null(strstr(rows, strchr(program.out, '\n') + 1));
    program_must("ik human --tip left_hand --tip right_hand --targets two.csv --json "
                 "--output q.csv");
    assert_string_equal(program.out, "{\"targets\":2,\"reached\":2}\n");
    program_must("fk human --frame left_hand --poses q.csv");
    program_write("one.csv", "left_hand.x,left_hand.y,left_hand.z\n0.3,0.3,0.2\n");
    program_write("short.csv", "left_hand.x,left_hand.y,right_hand.x\n0.3,0.3,0.2\n");
    program_refuses("ik human --tip left_hand --tip right_hand --targets one.csv",
                    "one.csv:1: there is no column of the tip 'right_hand'");
    program_refuses("ik human --tip left_hand --tip head --targets two.csv",
                    "unknown column 'right_hand.z'; those of several tips are named 'left_hand.x'");
    program_refuses("ik human --tip left_hand --tip right_hand --targets short.csv",
                    "column 'left_hand.z' is missing");
    program_refuses("ik human --tip left_hand --tip right_hand --targets -",
                    "several tips are read from a file, not from standard input");
}

static void write_rows(const char *path, int rows)
{
    FILE *file = fopen(path, "w");
    fputs("left_hand.x,left_hand.y,left_hand.z,right_hand.x,right_hand.y,right_hand.z\n", file);
    for (int i = 0; i < rows; i++)
        fputs("0.3,0.3,0.2,0.3,-0.3,0.2\n", file);
    fclose(file);
}

/* all tips have the rows of one reading: a pipe, which cannot be read again, gives the same */
TEST(a_pipe_of_several_tips_is_read_once)
{
    write_rows("three.csv", 3);
    owned char *expected =
        program_output("ik human --tip left_hand --tip right_hand --targets three.csv");
    program_shell_exits(0, "mkfifo pipe && { cat three.csv >pipe & limber ik human "
                           "--tip left_hand --tip right_hand --targets pipe; }");
    assert_string_equal(program.out, expected);
}

TEST(bad_tips_are_refused)
{
    static const char *const bad[][2] = {
        {"ik human --tip left_hand --tip right_hand", "several tips: give each its --position"},
        {"ik human --tip left_hand --tip right_hand --position '0 0 1'",
         "--position: 1 for 2 tips; give one for each, in the order of --tip"},
        {"ik human --tip left_hand --tip left_hand --position '0 0 1' --position '0 0 1'",
         "--tip: 'left_hand' is given twice"},
        {"ik human --tip left_hand --tip right_hnd --position '0 0 1' --position '0 0 1'",
         "--tip: no link 'right_hnd'; did you mean 'right_hand'?"},
        {"ik human --tip left_hand --tip right_hand --position '0 0 1' --position '0 0 1' --all",
         "--all has no effect with several tips"},
        {"ik human --tip left_hand --tip right_hand --position '0 0 1' --position '0 0 1' "
         "--method ccd",
         "--method has no effect with several tips"},
        {"ik human --tip left_hand --position '0 0 1' --position '0 0 1'",
         "--position is given twice"},
        {"animate planar3 --to '1 0 0' --rpy '0 0 0' --rpy '0 0 0'", "--rpy is given twice"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        program_refuses(bad[i][0], bad[i][1]);
}

TEST_FIXTURE(program_start, program_stop)
