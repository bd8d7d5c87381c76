/*
 * test_cli_servo.c - limber servo: targets at their times, frames within limits, and refusals.
 */
#include <math.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"
#include "support_program.h"

#define START "--start 'shoulder_lift_joint=-1.4 elbow_joint=1.6 wrist_2_joint=1.2'"

/* the n-th number of the last row */
static double last_number(const char *table, int column)
{
    const char *line = table + strlen(table) - 1;
    while (line > table && line[-1] != '\n')
        line--;
    for (int c = 0; c < column; c++)
        line = strchr(line, ',') + 1;
    return strtod(line, NULL);
}

static int count_rows(const char *table)
{
    int rows = -1;
    for (; *table != '\0'; table++)
        rows += *table == '\n';
    return rows;
}

/* metres from a place to the tool in the last row of m.csv */
static double end_off(double x, double y, double z)
{
    program_must("fk ur5 --frame tool0 --poses m.csv --output places.csv");
    owned char *places = program_read("places.csv");
    const char *header = strstr(places, "x,y,z");
    int column = 0;
    for (const char *at = places; at < header; at++)
        column += *at == ',';
    x -= last_number(places, column);
    y -= last_number(places, column + 1);
    z -= last_number(places, column + 2);
    return sqrt(x * x + y * y + z * z);
}

TEST(a_target_is_reached_and_the_rows_are_poses)
{
    program_must("servo ur5 --position '0.4 -0.2 0.4' " START " --output m.csv --json");
    assert_printed("\"state\":\"arrived\"");
    assert_printed("\"outcome\":\"reached\"");
    owned char *table = program_read("m.csv");
    assert_true(program_begins(table, "time,shoulder_pan_joint,"));
    int rows = count_rows(table);
    assert_true(rows == program_number_behind(program.out, "\"frames\":"));
    assert_near(last_number(table, 0), rows * 1e-3, 1e-12);
    assert_true(end_off(0.4, -0.2, 0.4) < 2e-6);
}

TEST(limits_and_a_rate_are_kept)
{
    program_write("slow.json",
                  "{\"joint_limits\": {\"shoulder_pan_joint\": {\"max_velocity\": 0.1, "
                  "\"max_acceleration\": 0.5, \"max_jerk\": 5}}}");
    program_must("servo ur5 --position '0.2 -0.5 0.4' " START
                 " --limits slow.json --rate 250 --output m.csv --json");
    owned char *table = program_read("m.csv");
    double last[4] = {0}, speed = 0, acceleration = 0, jerk = 0;
    for (const char *line = strchr(table, '\n') + 1; *line != '\0'; line = strchr(line, '\n') + 1) {
        memmove(last + 1, last, 3 * sizeof *last);
        last[0] = strtod(strchr(line, ',') + 1, NULL);
        speed = fmax(speed, fabs(last[0] - last[1]) * 250);
        acceleration = fmax(acceleration, fabs(last[0] - 2 * last[1] + last[2]) * 250 * 250);
        jerk = fmax(jerk, fabs(last[0] - 3 * last[1] + 3 * last[2] - last[3]) * pow(250, 3));
    }
    assert_true(speed <= 0.1 + 1e-9 && acceleration <= 0.5 + 1e-8 && jerk <= 5 + 1e-5);
    assert_true(speed > 0.099 && acceleration > 0.3);
}

TEST(targets_come_at_their_times)
{
    // the second target comes while the arm moves, the third when it rests
    program_write("t.csv", "time,x,y,z\n0,0.4,-0.2,0.4\n0.1,0.4,-0.1,0.5\n3,0.45,-0.1,0.5\n");
    program_must("servo ur5 --targets t.csv " START " --output m.csv --json");
    owned char *table = program_read("m.csv");
    double end = last_number(table, 0);
    assert_true(end > 3.1 && end < 3.6);
    // the same from standard input, which is read if nothing is said
    program_shell_exits(0, "limber servo ur5 " START " < t.csv > again.csv");
    owned char *again = program_read("again.csv");
    assert_string_equal(table, again);
    // without times a target counts for a frame
    program_write("t.csv", "x,y,z\n0.4,-0.2,0.4\n0.4001,-0.2,0.4\n0.4002,-0.2,0.4\n");
    program_must("servo ur5 --targets t.csv " START " --output m.csv --json");
    assert_printed("\"targets\":3");
}

TEST(a_target_out_of_reach_is_said)
{
    program_exits(1, "servo ur5 --position '3 0 0' " START " --output m.csv --report");
    // the servo proves nothing, and rests elsewhere
    assert_printed("no configuration found for 1");
    assert_printed("at the end unreached, off");
}

/* joints that stop for want of targets come to rest, and the tool is as far off as it is */
/* a target out of reach counts, also where it is stale before the next one or the end */
TEST(a_stale_target_counts_as_missed)
{
    program_write("t.csv", "time,x,y,z\n0,0.4,-0.2,0.4\n3,3,0,0\n5,0.4,-0.2,0.4\n");
    assert_int_equal(
        program_run("servo ur5 --targets t.csv " START " --stale 1.5 --output m.csv --report"), 1);
    assert_printed("no configuration found for 1");
    assert_int_equal(
        program_run("servo ur5 --position '3 0 0' " START " --stale 0.2 --output m.csv --report"),
        1);
    assert_printed("no configuration found for 1");
}

TEST(what_is_stale_comes_to_rest)
{
    program_exits(1, "servo ur5 --position '0.4 -0.2 0.4' " START
                     " --stale 0.05 --output m.csv --json");
    assert_printed("\"state\":\"stale\"");
    assert_printed("\"outcome\":\"stalled\"");
    double off = program_number_behind(program.out, "\"position_error\":"), last[6];
    owned char *table = program_read("m.csv");
    assert_true(count_rows(table) > 60 && off > 0.01);
    for (int c = 0; c < 6; c++)
        last[c] = last_number(table, c + 1);
    // without the last row
    *strrchr(table, '\n') = '\0';
    strrchr(table, '\n')[1] = '\0';
    for (int c = 0; c < 6; c++)
        assert_near(last_number(table, c + 1), last[c], 1e-12);
    assert_near(end_off(0.4, -0.2, 0.4), off, 1e-9);
}

/* a descent may take some frames; what it has reached by the end, or by the next target, counts */
TEST(targets_that_are_far_away_are_reached)
{
    program_prints("servo kr6 --position '-0.32277899541700505 -0.24258678950006723 "
                   "0.7025381595935355' --output m.csv --json",
                   "\"outcome\":\"reached\"");
    assert_printed("\"missed\":0");
    program_write("t.csv", "time,x,y,z\n0,3,0,0\n2,-0.32277899541700505,-0.24258678950006723,"
                           "0.7025381595935355\n4,3,0,0\n");
    program_exits(1, "servo kr6 --targets t.csv --output m.csv --json");
    assert_printed("\"missed\":2");
}

/* what comes within ten seconds, up to `rows` lines */
static int rows_within(int from, int rows)
{
    char text[1 << 16];
    int count = 0;
    struct pollfd wait = {.fd = from, .events = POLLIN};
    while (count < rows && poll(&wait, 1, 10000) > 0) {
        ssize_t size = read(from, text, sizeof text);
        if (size <= 0)
            break;
        for (ssize_t i = 0; i < size; i++)
            count += text[i] == '\n';
    }
    return count;
}

TEST(a_target_acts_while_its_pipe_stays_open)
{
    static const char *const lines[] = {"time,x,y,z\n0,0.4,-0.2,0.4\n", "0.01,0.4,-0.2,0.41\n",
                                        "0.015,0.4,-0.2,0.42\n"};
    static const int rows[] = {2, 10, 5};
    int in[2], out[2], status;
    assert_true(pipe(in) == 0 && pipe(out) == 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[1]);
        close(out[0]);
        execl("/bin/sh", "sh", "-c", "exec limber servo ur5 --targets - " START, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(write(in[1], lines[i], strlen(lines[i])), strlen(lines[i]));
        assert_int_equal(rows_within(out[0], rows[i]), rows[i]);
    }
    close(in[1]);
    while (rows_within(out[0], 1 << 16) > 0)
        continue;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(out[0]);
}

TEST(lines_are_counted_and_those_that_cannot_be_are_refused)
{
    program_write("near.csv", "x,y,z\n0.5,-0.2,0.4\n");
    program_prints("servo panda --tip panda_hand --targets near.csv --line 3 --start "
                   "'panda_joint4=-2 panda_joint6=1.6' --json --output m.csv",
                   "\"lines\":1");
    program_must("servo ur5 --position '0.4 -0.2 0.4' " START
                 " --line 1.5 --report --output m.csv");
    assert_printed("on a straight line towards 0 of them");
    program_refuses("servo ur5 --position '0.4 -0.2 0.4' " START " --line 0.5", "at least 1");
}

TEST(what_is_wrong_is_refused_with_its_line)
{
    program_write("t.csv", "time,x,y,z\n0,0.4,-0.2,0.4\nnow,0.4,-0.1,0.5\n");
    program_refuses("servo ur5 --targets t.csv", "t.csv:3: column 'time': 'now' is not a number");
    program_write("t.csv", "time,x,y,z\n0.2,0.4,-0.2,0.4\n0.1,0.4,-0.1,0.5\n");
    program_refuses("servo ur5 --targets t.csv", "t.csv:3: the time 0.1 follows that of the row "
                                                 "above, 0.2: sort the rows");
    program_write("t.csv", "time,x,y,z\n1700000000,0.4,-0.2,0.4\n");
    program_refuses(
        "servo ur5 --targets t.csv",
        "t.csv:2: the time 1700000000 follows that of the row above, 0: more than an hour");
    program_write("t.csv", "tim,x,y,z\n0,0.4,-0.2,0.4\n");
    program_refuses("servo ur5 --targets t.csv", "unknown column 'tim'");
    program_refuses("servo ur5 --position '1 0 0' --landing 11", "landing is 11");
    program_refuses("servo ur5 --position '1 0 0' --line -1", "line is -1");
    program_refuses("servo ur5 --position '1 0 0' --rate 1e6",
                    "--rate is 1e+06 but must be a number from 1 to 100000");
    program_refuses("servo human --position '1 0 0'", "lock it");
    program_exits(2, "servo ur5 --position '1 0 0' --start elbow_joint=9");
    // a column of times has no meaning to other commands
    program_write("t.csv", "time,x,y,z\n0,0.4,-0.2,0.4\n");
    program_refuses("ik ur5 --targets t.csv", "unknown column 'time'");
}

TEST_FIXTURE(program_start, program_stop)
