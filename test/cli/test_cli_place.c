/*
 * test_cli_place.c - limber place: from the best place inverse kinematics reaches every target,
 * places are in order, in rows, in JSON and in words; and what is refused.
 */
#define _XOPEN_SOURCE 700

#include <limber/math.h>
#include <unistd.h>

#include "support_program.h"

/* A row of the table. */
typedef struct place_row {
    double x, y, z, yaw, reached, margin;
} place_row;

static const double targets[2][3] = {{1, 2, 0.3}, {1.5, 2, 0.3}};

static int write_targets(void)
{
    int failed = program_start();
    program_write("t.csv", "x,y,z\n1,2,0.3\n1.5,2,0.3\n");
    return failed;
}

/* the rows that were printed, at most so many; returns how many */
static int read_rows(place_row *rows, int most)
{
    int count = 0;
    assert_true(program_begins(program.out, "x,y,z,yaw,reached,margin\n"));
    for (char *line = strchr(program.out, '\n'); line != NULL; line = strchr(line + 1, '\n')) {
        place_row *r = &rows[count];
        if (count < most && sscanf(line + 1, "%lf,%lf,%lf,%lf,%lf,%lf", &r->x, &r->y, &r->z,
                                   &r->yaw, &r->reached, &r->margin) == 6)
            count++;
    }
    return count;
}

TEST(the_best_place_reaches_all)
{
    enum { MOST = 8 };
    place_row rows[MOST];
    program_must("place ur5 --targets t.csv --grid 0.25 --turns 4 --best %d", MOST);
    assert_int_equal(read_rows(rows, MOST), MOST);
    for (int i = 1; i < MOST; i++)
        assert_true(
            rows[i].reached < rows[i - 1].reached ||
            (rows[i].reached == rows[i - 1].reached && rows[i].margin <= rows[i - 1].margin));
    assert_true(rows[0].reached == 2 && rows[0].margin > 0 && rows[0].z == 0);
    // the targets as they are seen from there
    double c = lb_cos(rows[0].yaw), s = lb_sin(rows[0].yaw);
    for (int i = 0; i < 2; i++) {
        double x = targets[i][0] - rows[0].x, y = targets[i][1] - rows[0].y;
        program_must("ik ur5 --base world --position '%.17g %.17g %.17g'", c * x + s * y,
                     c * y - s * x, targets[i][2]);
    }
}

TEST(threads_and_forms_say_the_same)
{
    const char *line = "place ur5 --targets t.csv --grid 0.5 --turns 2 --height 0.1 --best 2";
    owned char *alone = program_output("%s", line);
    program_repeats(alone, "%s --threads 2", line);
    place_row rows[2];
    assert_int_equal(read_rows(rows, 2), 2);
    assert_true(rows[0].z == 0.1);
    program_must("%s --json", line);
    assert_true(program_begins(program.out, "{\"places\":[{\"place\":["));
    assert_printed("],\"targets\":2,\"tried\":");
    program_must("%s --json --output p.csv", line);
    assert_true(program_begins(program.out, "{\"targets\":2,\"tried\":"));
    unlink("p.csv");
    program_must("%s --report", line);
    assert_printed(" places reach all of 2 targets\nbest: x ");
    program_prints("place ur5 --position '1 2 0.3' --grid 0.5 --turns 1 --report",
                   " of 1 target\n");
}

/* two targets that no place serves: a result, not an error */
TEST(targets_too_far_apart_are_not_reached)
{
    program_write("far.csv", "x,y,z\n0,0,0.3\n9,0,0.3\n");
    program_exits(1, "place ur5 --targets far.csv --grid 0.5 --turns 1 --best 1 --report");
    assert_true(program_begins(program.out, "0 of "));
}

TEST(wrong_places_are_refused)
{
    program_refuses("place ur5", "a target is missing");
    program_refuses("place ur5 --targets t.csv --grid 0", "--grid");
    program_refuses("place ur5 --targets t.csv --grid x", "--grid");
    program_refuses("place ur5 --targets t.csv --turns 0", "--turns");
    program_refuses("place ur5 --targets t.csv --height no", "--height");
    program_refuses("place ur5 --targets t.csv --best 0", "--best");
    program_refuses("place ur5 --targets t.csv --base world", "--base");
    program_refuses("place ur5 --targets t.csv --tip tool0 --tip ee_link", "given twice");
    program_refuses("place ur5 --targets t.csv --tip nothing", "nothing");
    program_refuses("place ur5 --targets t.csv --grid 1e-9", "1e-09 m are too small: a target is");
    program_refuses("place nothing --targets t.csv", "nothing");
    program_refuses("place ur5 --targets none.csv", "none.csv");
    program_refuses("place ur5 --targets t.csv --json --report", "--json and --report");
}

TEST_FIXTURE(write_targets, program_stop)
