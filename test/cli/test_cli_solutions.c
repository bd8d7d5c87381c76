/*
 * test_cli_solutions.c - limber solutions, elbow and info --solutions: every row, given back to
 * limber fk, is at its target.
 */
#define _XOPEN_SOURCE 700

#include <limber/formats/load.h>
#include <limber/ik.h>

#include <jansson.h>
#include <math.h>
#include <unistd.h>

#include "picture.h"
#include "results.h"

TEST(test_every_row_is_at_its_target)
{
    program_write("poses.csv", "shoulder_pan_joint,elbow_joint,wrist_2_joint\n"
                               "0.3,1.2,0.8\n-1,0.7,-1.1\n2,-1.4,0.4\n");
    program_must("fk ur5 --poses poses.csv --output targets.csv");
    program_must("ik ur5 --targets targets.csv --all --output all.csv");
    program_must("fk ur5 --poses all.csv --output back.csv");
    owned_table targets = table_of_file("targets.csv"), all = table_of_file("all.csv");
    owned_table back = table_of_file("back.csv");
    assert_string_equal(all.names[0], "target");
    assert_string_equal(all.names[4], "distance");
    assert_string_equal(all.names[8], "multiplicity");
    assert_int_equal(all.rows, back.rows);
    assert_true(all.rows >= 3);
    for (int i = 0; i < all.rows; i++) {
        int target = (int)number_at(&all, i, 0) - 1;
        for (int k = 0; k < 3; k++)
            assert_near(number_at(&back, i, back.columns - 7 + k),
                        number_at(&targets, target, targets.columns - 7 + k), 1e-12);
        assert_true(number_at(&all, i, 5) <= 1e-12 && number_at(&all, i, 6) <= 1e-12);
        // nearest to the start first
        bool first = number_at(&all, i, 1) == 1;
        assert_true(number_at(&all, i, 4) > 0);
        assert_true(first || number_at(&all, i, 4) >= number_at(&all, i - 1, 4));
    }
    csv_release(&all);
}

/* a rounding error is printed as no number, and no zero has a sign */
TEST(test_zeros_have_no_sign)
{
    program_prints("solutions kr6 --position '0.5 0 0.5' --rpy '3.14159265358979 0 0' --report",
                   " 0.0000");
    assert_null(strstr(program.out, "-0.0000"));
    program_must("elbow iiwa14 --position '0.5 0 0.5' --rpy '3.14159265358979 0 0' --report");
    assert_null(strstr(program.out, "-0.0000"));
}

TEST(test_limits_turns_and_exit_status)
{
    const char *pose = "--position '0.4 0.2 0.3' --rpy '3.1 0 0'";
    program_must("solutions ur5 %s --json", pose);
    assert_printed("\"class\":\"three parallel axes\"");
    assert_printed("\"complete\":true");
    program_must("ik ur5 %s --all --output one.csv", pose);
    program_must("solutions ur5 %s --copies --output copies.csv", pose);
    owned_table one = table_of_file("one.csv"), copies = table_of_file("copies.csv");
    assert_int_equal(one.rows, 8);
    assert_true(copies.rows > one.rows);
    program_exits(1, "solutions ur5 --position '4 0 0' --rpy '0 0 0'");
    program_must("ik ur5 %s --all --output all.csv --figure all.svg", pose);
    assert_true(program_has_file("all.svg"));
    // how far a joint is beyond its limits, in the unit of angles
    const char *out =
        "--position '0.5 0.1 0.4' --quaternion '0.97 0 0.25 0' --out-of-limits --json";
    program_exits(1, "solutions kr6 %s", out);
    double radians = program_number_behind(strstr(program.out, "\"joint\":\""), "\"beyond\":");
    program_exits(1, "solutions kr6 %s --degrees", out);
    assert_near(program_number_behind(strstr(program.out, "\"joint\":\""), "\"beyond\":"),
                radians * 180 / LB_PI, 1e-9);
}

static const char target_colour[] = "rgb(80%,11%,16%)";

/* figures of lists show starts and targets, as those of plain solutions do */
TEST(test_figures_show_start_and_target)
{
    static const char *const commands[] = {
        "ik planar2 --position '1 0.6 0' --start shoulder=",
        "solutions planar2 --position '1 0.6 0' --start shoulder=",
        "ik planar2 --position '1 0.6 0' --all --start shoulder=",
        "elbow iiwa14 --position '0.4 0.2 0.6' --rpy '3 0 0' --start joint_2="};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        program_must("%s0.2 --figure a.svg", commands[i]);
        assert_in_file("a.svg", target_colour);
        program_must("%s0.3 --figure b.svg", commands[i]);
        assert_false(program_same_files("a.svg", "b.svg"));
    }
}

/* values of one row as --start takes them, from column `first` on */
static void write_start(const csv_table *rows, int row, int first, char *text, size_t size)
{
    size_t used = 0;
    for (int k = first; k < rows->columns; k++)
        used += (size_t)snprintf(text + used, size - used, "%s=%.17g ", csv_name(rows, k),
                                 number_at(rows, row, k));
}

/* each arc has its middle at the target, and beyond its ends limits are broken */
TEST(test_arcs_of_the_elbow)
{
    const char *pose = "--position '0.4 0.2 0.6' --quaternion '0.02 1 0 0'";
    program_must("elbow iiwa14 %s --output arcs.csv", pose);
    program_must("fk iiwa14 --poses arcs.csv --output at.csv");
    owned_table arcs = table_of_file("arcs.csv"), at = table_of_file("at.csv");
    assert_string_equal(arcs.names[1], "branch");
    assert_string_equal(arcs.names[3], "end");
    assert_true(arcs.rows >= 8 && arcs.rows == at.rows);
    for (int i = 0; i < at.rows; i++) {
        assert_near(number_at(&at, i, at.columns - 7), 0.4, 1e-12);
        assert_near(number_at(&at, i, at.columns - 5), 0.6, 1e-12);
        assert_true(number_at(&arcs, i, 2) < number_at(&arcs, i, 3));
        assert_true(i == 0 || number_at(&arcs, i, 1) >= number_at(&arcs, i - 1, 1));
    }
    // the same in degrees, and as JSON
    owned_table degrees = program_table("elbow iiwa14 %s --degrees", pose);
    assert_near(number_at(&degrees, 0, 2), number_at(&arcs, 0, 2) * 180 / LB_PI, 1e-12);
    program_must("elbow iiwa14 %s --json", pose);
    json_t *all = json_loads(program.out, 0, NULL);
    json_t *list = json_object_get(json_array_get(json_object_get(all, "results"), 0), "arcs");
    assert_int_equal(json_array_size(list), arcs.rows);
    assert_near(json_number_value(json_object_get(json_array_get(list, 2), "end")),
                number_at(&arcs, 2, 3), 0);
    json_decref(all);
    program_must("elbow iiwa14 %s --report --figure arcs.svg", pose);
    assert_printed("of the elbow inside the limits");
    assert_true(program_has_file("arcs.svg"));
}

/* an arm whose axes miss each other: the joints between two links are off by 2 cm */
static void write_bent_arm(const char *name)
{
    char text[4096];
    int used = snprintf(text, sizeof text, "{\"name\": \"bent\", \"links\": [{\"name\": \"l0\"}");
    for (int i = 1; i <= 7; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, ", {\"name\": \"l%d\"}", i);
    used += snprintf(text + used, sizeof text - (size_t)used, "], \"joints\": [");
    for (int i = 0; i < 7; i++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "%s{\"name\": \"j%d\", \"kind\": \"revolute\", \"parent\": \"l%d\", "
                         "\"child\": \"l%d\", \"placement\": {\"xyz\": [0.02, 0, 0.2]}, "
                         "\"axis\": [0, %d, %d], \"limits\": [-2.5, 2.5]}",
                         i > 0 ? ", " : "", i, i, i + 1, i % 2, 1 - i % 2);
    snprintf(text + used, sizeof text - (size_t)used, "]}");
    program_write(name, text);
}

/* arcs that are followed: each is a branch and begins at 0; they are said to be those found */
TEST(test_arcs_that_are_followed)
{
    const char *pose = "--position '0.4 0.2 0.6' --rpy '3.1 0 0'";
    write_bent_arm("bent.json");
    program_must("elbow bent.json %s --output arcs.csv", pose);
    program_must("fk bent.json --poses arcs.csv --output at.csv");
    owned_table arcs = table_of_file("arcs.csv"), at = table_of_file("at.csv");
    assert_true(arcs.rows > 0 && arcs.rows == at.rows);
    for (int i = 0; i < at.rows; i++) {
        assert_near(number_at(&at, i, at.columns - 7), 0.4, 1e-12);
        assert_near(number_at(&arcs, i, 1), i, 0);
        assert_near(number_at(&arcs, i, 2), 0, 0);
        assert_true(number_at(&arcs, i, 3) > 0);
    }
    program_must("elbow bent.json %s --report", pose);
    assert_printed(arcs.rows == 1 ? "1 arc found inside" : "arcs found inside");
    program_must("elbow bent.json %s --report --best margin", pose);
    assert_printed("reached on arc ");
    assert_printed("from its beginning");
    program_prints("info bent.json --solutions", "limber elbow lists arcs");
    program_exits(1, "elbow bent.json --position '4 0 0' --rpy '0 0 0' --best margin --report");
    assert_printed("exhausted");
}

/* the best by each goal is as good as any solution that --all lists by it */
TEST(test_the_best_elbow)
{
    char start[512];
    const char *pose = "--position '0.4 0.2 0.6' --rpy '3.1 0 0'";
    program_must("solutions iiwa14 %s --redundancy 200 --output all.csv", pose);
    owned_table all = table_of_file("all.csv");
    csv_table best = program_table("elbow iiwa14 %s --best nearest", pose);
    assert_string_equal(best.names[1], "status");
    assert_string_equal(best.names[4], "distance");
    assert_true(number_at(&best, 0, 4) <= number_at(&all, 0, 4) + 1e-9);
    csv_release(&best);
    // what is best for limits is there from any start: the nearest to it is it
    best = program_table("elbow iiwa14 %s --best margin", pose);
    double margin = number_at(&best, 0, 4);
    assert_true(margin > 0.2 && margin <= 1);
    write_start(&best, 0, 7, start, sizeof start);
    csv_release(&best);
    program_must("elbow iiwa14 %s --best margin --output best.csv", pose);
    program_must("fk iiwa14 --poses best.csv");
    best = program_table("elbow iiwa14 %s --best nearest --start '%s'", pose, start);
    assert_near(number_at(&best, 0, 4), 0, 1e-4);
    csv_release(&best);
    program_must("elbow iiwa14 %s --best nearest --report --start '%s'", pose, start);
    assert_printed(" rad from the start, the nearest found\n");
    program_refuses("elbow iiwa14 --position '0.4 0 0.4'",
                    "by more than one; give both the position and the rotation of the tool");
    program_prints("elbow panda --position '0.4 0 0.4' --rpy '3 0 0' --report",
                   " panda_joint6 panda_joint7   (rad, metres)\n");
    program_must("elbow iiwa14 %s --best margin --report", pose);
    char words[64];
    snprintf(words, sizeof words, "every joint at least %.3g %% of half its range", 100 * margin);
    assert_printed(words);
    program_must("elbow iiwa14 %s --best manipulability --report", pose);
    assert_printed("manipulability");
}

/* a target out of reach is said to be, and an arm without an elbow's circle refused */
TEST(test_elbows_that_are_none)
{
    program_write("far.csv", "x,y,z,qw,qx,qy,qz\n0.4,0.2,0.6,0,1,0,0\n4,0,0,1,0,0,0\n");
    program_says(1, "elbow iiwa14 --targets far.csv",
                 "no arc, or not every one, is listed for target 2 (unreachable)");
    program_exits(1, "elbow iiwa14 --targets far.csv --best margin --json");
    assert_printed("\"status\":\"unreachable\",\"branch\":0,\"elbow_angle\":null");
    program_exits(1, "elbow iiwa14 --targets far.csv --best margin --report");
    assert_printed("\n1 of 2 targets reached, ");
    assert_printed("no elbow inside the limits for target 2 (unreachable)");
    program_exits(1, "elbow iiwa14 --position '4 0 0' --rpy '0 0 0' --best nearest --report");
    assert_printed("unreachable: no angle keeps the limits");
    program_refuses("elbow kr6 --targets far.csv", "seven turning joints");
    program_refuses("elbow ur5 --targets far.csv --best margin", "seven turning joints");
    program_refuses("elbow iiwa14 --targets far.csv --best margn", "did you mean 'margin'");
    program_refuses("elbow iiwa14 --targets far.csv --all", "no option '--all'");
    program_refuses("elbow iiwa14 --targets far.csv --seed 3", "--seed");
}

/* a target without a solution has no row, and is named */
TEST(test_targets_without_a_solution)
{
    program_write("far.csv", "x,y,z,qw,qx,qy,qz\n0.4,0.2,0.3,0,1,0,0\n4,0,0,1,0,0,0\n");
    program_exits(1, "ik ur5 --targets far.csv --all");
    owned_table all = table_of_output();
    assert_true(all.rows > 0);
    for (int i = 0; i < all.rows; i++)
        assert_near(number_at(&all, i, 0), 1, 0);
    assert_said("no solution is listed for target 2 (unreachable)");
    program_exits(1, "solutions ur5 --targets far.csv --report");
    assert_true(program_begins(program.out, "ur5: tool0 from base_link\n"));
    assert_printed("\nno solution for target 2 (unreachable)\n");
}

/* the words say of each row by how much it breaks limits, and of an arm why there is none */
TEST(test_words_agree_with_rows)
{
    const char *pose = "--position '0.4 0.2 0.3' --rpy '3.14159 0 0' --out-of-limits";
    const double lower = -0.5, upper = 1.6;
    program_write("l.json", "{\"joint_limits\": {\"elbow_joint\": {\"min_position\": -0.5, "
                            "\"max_position\": 1.6}}}");
    owned_table rows = program_table("solutions ur5 %s --limits l.json", pose);
    program_must("solutions ur5 %s --limits l.json --report", pose);
    int elbow = csv_column(&rows, "elbow_joint"), inside = csv_column(&rows, "in_limits"), out = 0;
    for (int i = 0; i < rows.rows; i++) {
        double value = number_at(&rows, i, elbow), beyond = fmax(lower - value, value - upper);
        char words[64];
        snprintf(words, sizeof words, "'elbow_joint' beyond its limits by %.3g rad", beyond);
        assert_true((number_at(&rows, i, inside) == 0) == (beyond > 0));
        out += beyond > 0;
        if (beyond > 0 && strstr(program.out, words) == NULL)
            fail_msg("row %d: '%s' is not in '%s'", i + 1, words, program.out);
    }
    int said = 0;
    for (const char *at = program.out; (at = strstr(at, "beyond its limits")) != NULL; at++)
        said++;
    assert_int_equal(said, out);
    assert_true(out > 0 && out < rows.rows);
    program_exits(1, "solutions ur5 --position '9 0 0' --rpy '0 0 0' --report");
    assert_printed("unreachable: proved, no configuration reaches");
    program_prints("solutions crx10ia --position '0.5 0.2 0.3' --rpy '3.14 0 0' --report",
                   "along a path they change");
}

/* what the rows have is in the JSON, unless a file has the rows */
TEST(test_json_lists_solutions)
{
    const char *pose = "--position '0.4 0.2 0.3' --rpy '3.1 0 0'";
    owned_table rows = program_table("solutions ur5 %s", pose);
    program_must("solutions ur5 %s --json", pose);
    json_t *all = json_loads(program.out, 0, NULL);
    json_t *result = json_array_get(json_object_get(all, "results"), 0);
    json_t *list = json_object_get(result, "solutions");
    assert_string_equal(json_string_value(json_object_get(result, "status")), "reached");
    assert_int_equal(json_array_size(list), rows.rows);
    for (int i = 0; i < rows.rows; i++) {
        json_t *one = json_array_get(list, (size_t)i), *joints = json_object_get(one, "joints");
        assert_near(json_number_value(json_object_get(one, "distance")), number_at(&rows, i, 4), 0);
        for (int k = 9; k < rows.columns; k++)
            assert_near(json_number_value(json_object_get(joints, csv_name(&rows, k))),
                        number_at(&rows, i, k), 0);
    }
    assert_true(json_is_false(json_object_get(result, "infinite")));
    json_decref(all);
    program_must("solutions ur5 %s --json --output all.csv", pose);
    assert_not_printed("results");
}

/* the class is that of the arm that the options leave, also for programs */
TEST(test_class_of_what_is_left)
{
    program_must("info panda --tip panda_hand --lock panda_joint7=0.5 --solutions --json");
    json_t *object = json_loads(program.out, 0, NULL);
    assert_true(json_is_true(json_object_get(object, "listed")));
    assert_string_equal(json_string_value(json_object_get(object, "tip")), "panda_hand");
    assert_non_null(json_object_get(object, "class"));
    assert_true(json_is_false(json_object_get(object, "elbow")));
    json_decref(object);
    program_prints("info panda --solutions --json", "\"listed\":");
    program_exits(2, "info kr6 --tip nowhere --solutions");
}

/* infinitely many solutions are said to be, with their joints; and which joint is out, by how much
 */
TEST(test_json_has_families_and_limits)
{
    program_must("solutions kr6 --position '0.76 0 0.435' --rpy '0 90 0' --degrees --json "
                 "--out-of-limits");
    json_t *all = json_loads(program.out, 0, NULL);
    json_t *result = json_array_get(json_object_get(all, "results"), 0);
    const bool infinite = json_is_true(json_object_get(result, "infinite"));
    assert_int_equal(infinite, json_array_size(json_object_get(result, "family")) > 0);
    json_t *one, *list = json_object_get(result, "solutions");
    size_t i;
    assert_true(json_array_size(list) > 0);
    json_array_foreach(list, i, one)
    {
        const bool inside = json_is_true(json_object_get(one, "in_limits"));
        assert_int_equal(inside, json_is_null(json_object_get(one, "joint")));
        assert_int_equal(inside, !(json_number_value(json_object_get(one, "beyond")) > 0));
    }
    json_decref(all);
    program_prints("ik iiwa14 --position '0.4 0.1 0.5' --rpy '180 0 0' --degrees --all --json",
                   "\"infinite\":true");
}

/* the pose of a drawing is itself the first of its list: start and target are not drawn besides */
TEST(test_drawings_have_every_solution)
{
    const char *at = "joint_1=0.3 joint_2=0.9 joint_3=-0.4";
    double v[7];
    owned_table fk = program_table("fk planar3 --frame tip --at '%s'", at);
    for (int k = 0; k < 7; k++)
        v[k] = number_at(&fk, 0, k);
    program_must("draw planar3 --at '%s' --all --output drawn.svg", at);
    program_must("draw planar3 --at '%s' --output pose.svg", at);
    program_must("ik planar3 --position '%.17g %.17g %.17g' --quaternion '%.17g %.17g %.17g %.17g' "
                 "--start '%s' --all --output all.csv --figure listed.svg",
                 v[0], v[1], v[2], v[3], v[4], v[5], v[6], at);
    assert_false(files_are_equal("drawn.svg", "listed.svg"));
    assert_in_file("listed.svg", target_colour);
    assert_not_in_file("drawn.svg", target_colour);
    assert_false(files_are_equal("drawn.svg", "pose.svg"));
    // an arm too simple for poses keeps its tip's place
    program_must("draw planar2 --all --output drawn.svg");
    program_must("draw panda --all --redundancy 5 --out-of-limits --output drawn.svg");
}

TEST(test_what_has_no_effect_is_refused)
{
    program_refuses("draw ur5 --all --tree --output a.svg", "--all");
    program_refuses("draw ur5 --redundancy 3 --output a.svg", "--redundancy");
    program_refuses("draw human --all --output a.svg", "solutions cannot be listed");
    program_refuses("ik ur5 --position '0.4 0.2 0.3' --copies", "no option '--copies'");
    program_refuses("ik ur5 --position '0.4 0.2 0.3' --rpy '0 0 0' --all --seed 3", "--seed");
    program_refuses("solutions human --position '0.4 0.2 0.3'", "search for one");
}

/* an arm with too many or too few joints for the task gets a remedy, which then works */
TEST(test_refusals_have_a_remedy)
{
    program_refuses("ik planar3 --position '5 5 0' --all",
                    "redundant by 1: 3 joints, 2 constraints; lock 1 joint, as 'joint_1',");
    program_must("ik planar3 --position '5 5 0' --lock joint_1 --all");
    owned_table locked = program_table("solutions planar3 --position '5 5 0' --lock joint_3");
    assert_int_equal(locked.rows, 2);
    // two elbows are two solutions, and no branches that meet
    for (int i = 0; i < 2; i++)
        assert_near(number_at(&locked, i, 8), 1, 0);
    // the elbow straight: they do meet
    owned_table straight = program_table("solutions planar2 --position '2 0 0'");
    assert_int_equal(straight.rows, 1);
    assert_near(number_at(&straight, 0, 8), 2, 0);
    program_refuses("ik planar2 --position '1 1 0' --rpy '0 0 1' --all", "too few for a pose");
    // a base that slides along x and y and turns is solved by hand, but by no class
    program_write("base.urdf",
                  "<robot name='r'><link name='a'/><link name='b'/><link name='c'/><link name='d'/>"
                  "<joint name='x' type='prismatic'><parent link='a'/><child link='b'/>"
                  "<axis xyz='1 0 0'/><limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"
                  "<joint name='y' type='prismatic'><parent link='b'/><child link='c'/>"
                  "<axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"
                  "<joint name='t' type='continuous'><parent link='c'/><child link='d'/>"
                  "<axis xyz='0 0 1'/></joint></robot>");
    program_refuses("solutions base.urdf --position '1 0 0' --rpy '0 0 1'",
                    "the arm is of none of the classes that limber solves; search for one");
    program_must("solutions planar2 --position '1 1 0'");
    program_refuses("ik stanford --position '0.3 0.2 0.1' --all", "lock 3 joints");
}

/* limber ik --all is a short spelling of limber solutions: the same rows, JSON and refusals */
TEST(test_ik_all_is_the_same)
{
    static const char *const forms[] = {"", " --output s.npy", " --report"};
    const char *pose = "--position '0.4 0.2 0.3' --rpy '3.14159 0 0'";
    for (int i = 0; i < 3; i++) {
        owned char *own = program_output("solutions ur5 %s%s", pose, forms[i]);
        program_repeats(own, "ik ur5 %s --all%s", pose, forms[i]);
    }
    owned char *free_ones = program_output("solutions panda %s --avoid-collision", pose);
    program_repeats(free_ones, "ik panda %s --avoid-collision --all", pose);
    const char *two = "--tip left_hand --tip right_hand --position '0 0 1' --position '0 0 1'";
    static const char *const commands[] = {"solutions", "elbow"};
    for (int i = 0; i < 2; i++) {
        char line[256];
        snprintf(line, sizeof line, "%s human %s", commands[i], two);
        program_refuses(line, "--tip is given twice");
    }
    program_refuses("solutions ur5 --position '0.4 0.2 0.3' --margin 0.1",
                    "--margin has no effect without --avoid-collision");
}

TEST(test_the_class_is_reported)
{
    program_must("info kr6 --solutions");
    assert_true(program_begins(
        program.out, "kr6: tool0 from base_link\nspherical wrist: the axes of 'joint_a4'"));
    program_must("info ur5 --solutions");
    assert_true(program_begins(program.out, "ur5: tool0 from base_link\nthree parallel axes"));
    assert_not_printed("limber elbow");
    program_prints("info iiwa14 --solutions", "limber elbow");
}

/* no solution at the listed values of a redundant arm is no complete list */
TEST(test_nothing_listed_is_not_complete)
{
    program_run("solutions iiwa14 --position \"3 0 0\" --rpy \"0 0 0\" --json");
    assert_printed("\"solutions\":0,");
    assert_not_printed("\"complete\":true");
    program_run("solutions crx10ia --position \"1.2 0.6 0.3\" --rpy \"3.1 0.2 0.3\" --report");
    assert_printed("no solution was found, which proves nothing");
    assert_not_printed("unreachable");
}

TEST_FIXTURE(program_start, program_stop)
