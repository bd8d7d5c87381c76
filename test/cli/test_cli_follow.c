/*
 * test_cli_follow.c - limber follow: samples within limits, and what is refused.
 */
#define _XOPEN_SOURCE 700

#include <math.h>

#include "results.h"

/* the largest difference of the n-th order between rows, of the column, over its time */
static double largest_rate(const char *table, int column, int order)
{
    double last[4] = {0}, most = 0;
    int row = 0;
    for (const char *line = strchr(table, '\n') + 1; *line != '\0'; line = strchr(line, '\n') + 1) {
        const char *at = line;
        for (int c = 0; c < column; c++)
            at = strchr(at, ',') + 1;
        memmove(last + 1, last, 3 * sizeof *last);
        last[0] = strtod(at, NULL);
        double d = order == 1   ? last[0] - last[1]
                   : order == 2 ? last[0] - 2 * last[1] + last[2]
                                : last[0] - 3 * last[1] + 3 * last[2] - last[3];
        if (row++ >= order)
            most = fmax(most, fabs(d) * pow(1000, order));
    }
    return most;
}

TEST(limits_of_a_file_are_kept)
{
    program_write("limits.json",
                  "{\"joint_limits\": {\"shoulder_pan_joint\": {\"max_velocity\": 0.2, "
                  "\"max_acceleration\": 0.5, \"max_jerk\": 4}}}");
    program_prints("follow ur5 --to '0.5 -0.2 0.3' --limits limits.json --output m.csv --json "
                   "--start 'shoulder_lift_joint=-1.4 elbow_joint=1.6 wrist_2_joint=1.2'",
                   "\"outcome\":\"reached\"");
    owned char *table = program_read("m.csv");
    assert_true(program_begins(table, "time,shoulder_pan_joint,"));
    double speed = largest_rate(table, 1, 1), acceleration = largest_rate(table, 1, 2),
           jerk = largest_rate(table, 1, 3);
    // what is read back from text is rounded to 1e-16 radians: 1e-6 in a jerk
    assert_true(speed <= 0.2 + 1e-9 && acceleration <= 0.5 + 1e-9 && jerk <= 4 + 1e-5);
    assert_true(speed > 0.19 || acceleration > 0.49 || jerk > 3.9);
    // its rows are poses with times, which others read
    program_must("fk ur5 --frame tool0 --poses m.csv --output places.csv");
    program_must("animate ur5 --keys m.csv --frames 5 --output keys.csv");
}

/* the greatest difference from the first row of the four columns of a table that begin at `name` */
static double most_change(const char *table, const char *name)
{
    double first[4] = {0}, most = 0;
    const char *header = strstr(table, name);
    int column = 0, row = 0;
    for (const char *at = table; at < header; at++)
        column += *at == ',';
    for (const char *line = strchr(table, '\n') + 1; *line != '\0'; line = strchr(line, '\n') + 1) {
        const char *at = line;
        for (int c = 0; c < column; c++)
            at = strchr(at, ',') + 1;
        for (int k = 0; k < 4; k++, at = at == NULL ? NULL : strpbrk(at, ",\n") + 1) {
            double value = strtod(at, NULL);
            first[k] = row == 0 ? value : first[k];
            most = fmax(most, fabs(value - first[k]));
        }
        row++;
    }
    return most;
}

/* as every robot's straight line does */
TEST(a_straight_line_keeps_the_rotation)
{
    static const char line[] = "follow ur5 --to '0.5 -0.2 0.3' --output m.csv --start "
                               "'shoulder_lift_joint=-1.4 elbow_joint=1.6 wrist_2_joint=1.2'";
    char command[256];
    for (int freed = 0; freed < 2; freed++) {
        snprintf(command, sizeof command, "%s%s", line, freed ? " --free-rotation" : "");
        program_must(command);
        program_must("fk ur5 --frame tool0 --poses m.csv --output places.csv");
        owned char *table = program_read("places.csv");
        double turned = most_change(table, "qw,qx,qy,qz");
        assert_true(freed ? turned > 0.05 : turned < 1e-5);
    }
    // two joints can hold none, which is said
    program_must("follow planar2 --to '1 0.8 0' --start 'elbow=1' --output m.csv");
    assert_said("cannot hold its rotation");
    program_refuses("follow ur5 --to '0.5 0 0.3' --free-rotation --rpy '0 0 0'", "--free-rotation");
    program_refuses("follow ur5 --path p.csv --free-rotation", "--to");
}

/* of a tool, whose roll may be free: its axis keeps its direction */
TEST(a_tool_may_roll_freely)
{
    static const char line[] = "follow ur5 --to '0.5 -0.2 0.3' --tool '0 0 0.1' --output m.csv "
                               "--start 'shoulder_lift_joint=-1.4 elbow_joint=1.6 "
                               "wrist_2_joint=1.2'";
    for (int freed = 0; freed < 2; freed++) {
        char command[256];
        snprintf(command, sizeof command, "%s%s", line, freed ? " --free-axis '0 0 1'" : "");
        program_must(command);
        program_must("fk ur5 --frame tool0 --point '0 0 0.1' --poses m.csv --output places.csv");
        owned_table places = table_of_file("places.csv");
        for (int k = 0; k < 3; k++)
            assert_near(number_at(&places, places.rows - 1, k), ((double[]){0.5, -0.2, 0.3})[k],
                        1e-6);
        program_must("fk ur5 --frame tool0 --poses m.csv --output places.csv");
        owned char *table = program_read("places.csv");
        assert_true(freed ? most_change(table, "qw,qx,qy,qz") > 0.05
                          : most_change(table, "qw,qx,qy,qz") < 1e-5);
        owned_table turned = table_of_file("places.csv");
        const lb_transform first = transform_at(&turned, 0),
                           last = transform_at(&turned, turned.rows - 1);
        assert_near(lb_vec3_dot(lb_transform_direction(&first, lb_vec3_make(0, 0, 1)),
                                lb_transform_direction(&last, lb_vec3_make(0, 0, 1))),
                    1, 1e-9);
    }
}

TEST(the_tip_has_limits_too)
{
    program_write("path.csv", "x,y,z\n0.45,0,0.35\n0.45,0.15,0.5\n0.45,0,0.65\n");
    program_prints("follow ur5 --path path.csv --shape arc --speed 0.1 --acceleration 0.5 --jerk 5 "
                   "--output m.csv --report",
                   "0 stops on the way");
    program_must("fk ur5 --frame tool0 --poses m.csv --output places.csv");
    owned char *table = program_read("places.csv");
    double speed = 0;
    const char *header = strstr(table, "x,y,z");
    assert_non_null(header);
    int column = 0;
    for (const char *at = table; at < header; at++)
        column += *at == ',';
    for (int k = 0; k < 3; k++)
        speed = fmax(speed, largest_rate(table, column + k, 1));
    assert_true(speed <= 0.1 + 1e-6 && speed > 0.06);
    // a polyline stops at its corner
    program_prints("follow ur5 --path path.csv --report --output m.csv", "1 stop on the way");
}

TEST(the_end_of_a_motion_is_said)
{
    int files = program_count_files();
    program_says(1,
                 "follow ur5 --to '3 0 0' --output none.csv --start "
                 "'shoulder_lift_joint=-1.4 elbow_joint=1.6 wrist_2_joint=1.2'",
                 "the path can be followed to ");
    assert_said("its end: Out of reach");
    // nothing is singular where the path leaves the plane at once
    program_says(1, "follow planar2 --to '0.5 0.5 0.3'", "cannot leave its plane");
    assert_int_equal(program_count_files(), files);
}

TEST(bad_input_is_refused)
{
    static const char *const bad[][2] = {
        {"follow ur5", "the path is missing: --to"},
        {"follow ur5 --to '1 0 0' --path p.csv", "of --to and --path only one can be given"},
        {"follow ur5 --to '1 0 0' --speed 0", "--speed"},
        {"follow ur5 --to '1 0 0' --jerk -1", "--jerk"},
        {"follow ur5 --to '1 0 0' --rate none", "--rate"},
        {"follow ur5 --path none.csv", "none.csv"},
        {"follow ur5 --rpy '0 0 0' --path none.csv", "--rpy has no effect without --to"},
        {"follow human --tip right_hand --free-rotation --to '-0.05 -0.25 0.85'",
         "only joints that turn or slide can be timed, and those that loops move; lock it"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        program_refuses(bad[i][0], bad[i][1]);
}

TEST_FIXTURE(program_start, program_stop)
