/*
 * test_cli_parameters.c - options of single methods on the command line.
 */
#define _XOPEN_SOURCE 700

#include <math.h>

#include "results.h"

/* the result of limber ik in the columns after status, iterations and errors */
static void result_of(const char *arguments, double *q, int nq)
{
    program_run("ik %s", arguments);
    owned_table table = table_of_output();
    for (int k = 0; k < nq; k++)
        q[k] = number_at(&table, 0, 4 + k);
}

/* a joint with a gain ends nearer to its desired value, and the tip where it should */
TEST(gains_draw_joints)
{
    const double start[] = {LB_PI / 8, LB_PI / 4, LB_PI / 4};
    static const char *const methods[] = {"pseudoinverse", "damped", "selective", "transpose"};
    for (int i = 0; i < 4; i++) {
        char arguments[256];
        double plain[3], drawn[3];
        snprintf(arguments, sizeof arguments, "planar3 --position '-5 14 0' --method %s",
                 methods[i]);
        result_of(arguments, plain, 3);
        strcat(arguments, " --gains 'joint_3=0.3' --desired 'joint_3=0.2'");
        result_of(arguments, drawn, 3);
        assert_int_equal(program.status, 0);
        assert_true(fabs(drawn[2] - 0.2) < fabs(plain[2] - 0.2) - 0.1);
        assert_true(fabs(start[2] - 0.2) > 0.1);
    }
}

/* degrees apply to desired values as to all others */
TEST(desired_values_have_the_users_unit)
{
    double radians[3], degrees[3];
    result_of("planar3 --position '-5 14 0' --method damped --gains joint_2=0.3 "
              "--desired joint_2=0.5235987755982988",
              radians, 3);
    result_of("planar3 --position '-5 14 0' --method damped --gains joint_2=0.3 "
              "--desired joint_2=30 --degrees",
              degrees, 3);
    for (int k = 0; k < 3; k++)
        assert_near(degrees[k] * LB_PI / 180, radians[k], 1e-9);
}

/* one gain for all joints draws a redundant arm to the middle of its limits, as near as the pose
   allows: nearer than without, and a different solution from that for single gains */
TEST(middles_are_desired)
{
    static const double lower[] = {-2.8973, -1.7628, -2.8973, -3.0718, -2.8973, -0.0175, -2.8973},
                        upper[] = {2.8973, 1.7628, 2.8973, -0.0698, 2.8973, 3.7525, 2.8973};
    double plain[7], drawn[7], away[2] = {0, 0};
    const char *target = "panda --tip panda_hand --position '0.4 0.3 0.4' --rpy '3.1 0.2 0.4' "
                         "--start 'panda_joint1=1.5 panda_joint3=-1.5'";
    char arguments[256];
    result_of(target, plain, 7);
    snprintf(arguments, sizeof arguments, "%s --gains 0.1 --desired middle", target);
    result_of(arguments, drawn, 7);
    for (int k = 0; k < 7; k++) {
        double middle = 0.5 * (lower[k] + upper[k]);
        away[0] += (plain[k] - middle) * (plain[k] - middle);
        away[1] += (drawn[k] - middle) * (drawn[k] - middle);
    }
    assert_true(away[1] < 0.9 * away[0]);
}

TEST(bends_choose_the_solution)
{
    double left[2], right[2];
    result_of("planar2 --position '1 1 0' --method analytic --bend left", left, 2);
    result_of("planar2 --position '1 1 0' --method analytic --bend right", right, 2);
    assert_near(left[1], LB_PI / 2, 1e-9);
    assert_near(right[1], -LB_PI / 2, 1e-9);
}

/* the scale that is best for a while is chosen by itself; one far too large never arrives */
TEST(alpha_scales_the_transpose)
{
    program_exits(0, "ik planar3 --position '-20 5 0' --method transpose "
                     "--protocol given --alpha 0.002 --iterations 3000");
    program_exits(1, "ik planar3 --position '-20 5 0' --method transpose "
                     "--protocol given --alpha 0.5 --iterations 300");
}

/* the trap of Juckett 2009: folded onto the line to the goal, only a nudge gets it out */
TEST(nudges_can_be_switched_off)
{
    program_write("pair.json",
                  "{\"limber\": 1, \"name\": \"pair\", \"links\": [{\"name\": \"base\"},\n"
                  " {\"name\": \"a\"}, {\"name\": \"b\"}, {\"name\": \"tip\"}],\n"
                  " \"joints\": [{\"name\": \"j1\", \"kind\": \"continuous\",\n"
                  "   \"parent\": \"base\", \"child\": \"a\"},\n"
                  "  {\"name\": \"j2\", \"kind\": \"continuous\", \"parent\": \"a\",\n"
                  "   \"child\": \"b\", \"placement\": {\"xyz\": [3, 0, 0]}},\n"
                  "  {\"name\": \"end\", \"parent\": \"b\", \"child\": \"tip\",\n"
                  "   \"placement\": {\"xyz\": [2, 0, 0]}}]}\n");
    static const char *const line =
        "ik pair.json --position '1.6 0 0' --method ccd --protocol given";
    program_exits(0, "%s", line);
    program_exits(1, "%s --no-nudge", line);
}

TEST(ranks_and_controls_are_known_by_name)
{
    static const char *const ranks[] = {"gain", "recency", "room"};
    for (int i = 0; i < 3; i++) {
        program_must("ik planar3 --position '-5 14 0' --method ccd-ranked --rank %s", ranks[i]);
    }
    program_must("ik planar3 --position '-5 14 0' --method pseudoinverse --gains joint_2=0.1 "
                 "--control gradient");
    program_must("ik planar3 --position '-5 14 0' --method damped --adaptive");
}

TEST(bad_input_is_refused)
{
    static const struct {
        const char *arguments, *says;
    } cases[] = {
        {"--alpha 0", "--alpha: 0 is not above zero"},
        {"--alpha much", "'much' is not a number"},
        {"--bend up", "--bend: no 'up'; there are nearer, left and right"},
        {"--rank recency", "--rank has no effect on method 'lm': it is for ccd-ranked"},
        {"--alpha 1", "--alpha has no effect on method 'lm': it is for transpose"},
        {"--pole '0 0 1'", "--pole has no effect on method 'lm': it is for analytic"},
        {"--method ccd --gains joint_2=1",
         "--gains has no effect on method 'ccd': it is for those with a Jacobian"},
        {"--method fabrik --damping 1",
         "--damping has no effect on method 'fabrik': it is for lm and damped"},
        {"--method transpose --adaptive", "--adaptive has no effect on method 'transpose'"},
        {"--control square", "--control has no effect without --gains"},
        {"--rank gian", "did you mean 'gain'?"},
        {"--control sqare", "did you mean 'square'?"},
        {"--pole '1 2'", "--pole"},
        {"--gains joint_2", "is not of the form joint=value"},
        {"--gains 'joint_2=1 joint_2=2'", "--gains: 'joint_2' is given twice"},
        {"--gains joint_9=1", "no joint 'joint_9'"},
        {"--gains joint_2=-1", "'joint_2': a gain of -1 is below zero"},
        {"--gains end=1", "joint 'end' is fixed"},
        {"--desired joint_2=1", "--desired has no effect without --gains"},
        {"--gains -1", "--gains: a gain of -1 is below zero"},
        {"--gains joint_2=1 --desired joint_9=1", "--desired: no joint 'joint_9'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "ik planar3 --position '-5 14 0' %s",
                 cases[i].arguments);
        program_refuses(arguments, cases[i].says);
    }
    program_refuses("ik human --tip right_hand --position '0 0 1' --gains right_shoulder.qw=1",
                    "is a part of a joint");
}

TEST_FIXTURE(program_start, program_stop)
