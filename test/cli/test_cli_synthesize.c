/*
 * test_cli_synthesize.c - limber synthesize: the model that it writes goes through the poses that
 * it was given, and what is refused.
 */
#define _XOPEN_SOURCE 700

#include <math.h>
#include <unistd.h>

#include "support_program.h"

static int write_poses(void)
{
    int failed = program_start();
    program_write("p3.csv", "x,y,angle\n0,0,0\n1,0.5,0.5\n1.5,1.5,1.2\n");
    program_write("p5.csv", "angle,x,y\n0,0,0\n.5,1,.5\n1.2,1.5,1.5\n1.6,1.2,2\n1.9,.8,2.2\n");
    return failed;
}

TEST(the_best_four_bar_is_a_model)
{
    program_must("synthesize --points p3.csv --best 2 --output b.json --figure b.svg");
    assert_true(program_begins(program.out, "300 four-bars of 25 dyads; the best 2"));
    program_must("fk b.json --base world --at 'drive=0'");
    double x = 1, y = 1;
    assert_int_equal(sscanf(strchr(program.out, '\n'), "%lf,%lf", &x, &y), 2);
    assert_true(fabs(x) < 1e-12 && fabs(y) < 1e-12);
    program_must("draw b.json --output c.svg");
    program_prints("info b.json", "mobility");
    unlink("b.json");
    unlink("b.svg");
    unlink("c.svg");
}

TEST(forms_say_the_same)
{
    program_prints("synthesize --points p5.csv", "1 four-bar of 2 dyads");
    assert_printed("triple-rocker");
    program_prints("synthesize --points p5.csv --json", "\"dyads\": 2");
    assert_printed("\"complete\": true");
    assert_printed("\"kind\": \"triple-rocker\"");
}

TEST(no_dyad_is_a_result)
{
    program_write("none.csv", "x,y,angle\n0.3,-0.6,0.3\n-0.5,-0.2,-1.8\n-0.4,-1,0.1\n"
                              "-0.3,0.1,0.7\n0.9,-0.3,0\n");
    program_exits(1, "synthesize --points none.csv");
    assert_non_null(strstr(program.err, "no four-bar: 0 dyads; five poses have 0, 2 or 4"));
    unlink("none.csv");
}

TEST(wrong_poses_are_refused)
{
    program_refuses("synthesize", "--points P.csv");
    program_refuses("synthesize --points no.csv", "no.csv");
    program_refuses("synthesize --points p3.csv --near 1", "--near");
    program_refuses("synthesize --points p3.csv --samples 17", "--samples");
    program_refuses("synthesize --points p3.csv --title a", "--figure");
    program_refuses("synthesize --points p3.csv --figure b.txt", "b.txt");
    program_write("bad.csv", "x,y\n0,0\n");
    program_refuses("synthesize --points bad.csv", "bad.csv:1: there is no column 'angle'");
    program_write("bad.csv", "x,y,angle\n0,0,0\n1,a,0\n2,0,1\n");
    program_refuses("synthesize --points bad.csv", "bad.csv:3: column 'y': 'a'");
    program_write("bad.csv", "x,y,angle\n0,0,0\n1,1,0\n");
    program_refuses("synthesize --points bad.csv", "three to five poses are wanted, there are 2");
    program_write("bad.csv", "x,y,angle\n0,0,0\n1,1,0\n2,0,1\n3,0,2\n4,0,3\n5,0,4\n");
    program_refuses("synthesize --points bad.csv", "bad.csv:7: three to five poses");
    program_write("bad.csv", "x,y,angle\n0,0,0\n1,1,1\n1,1,1\n");
    program_refuses("synthesize --points bad.csv", "poses 2 and 3 are the same");
    unlink("bad.csv");
}

TEST_FIXTURE(write_poses, program_stop)
