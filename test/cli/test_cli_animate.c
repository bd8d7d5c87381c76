/*
 * test_cli_animate.c - limber animate: what its rows, its JSON and its panels say is so.
 *
 * Rows are verified by the tests' own 4x4 forward kinematics.
 */
#define _XOPEN_SOURCE 700

#include <jansson.h>
#include <math.h>

#include "picture.h"
#include "results.h"

static int column_of(const csv_table *table, const char *name)
{
    int column = csv_column(table, name);
    if (column < 0)
        fail_msg("there is no column '%s'", name);
    return column;
}

static lb_vec3 vector_at(const csv_table *table, int row, const char *what)
{
    double values[3];
    for (int k = 0; k < 3; k++) {
        char name[32];
        snprintf(name, sizeof name, "%s_%c", what, "xyz"[k]);
        values[k] = number_at(table, row, column_of(table, name));
    }
    return lb_vec3_make(values[0], values[1], values[2]);
}

static double apart(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_length(lb_vec3_sub(a, b));
}

/* where the last columns, the joints', put the tip: by 4x4 matrices */
static lb_transform tip_of_row(const csv_table *table, int row, const char *name, const char *tip)
{
    owned_model *model = load_or_fail(name);
    double q[MAX_NQ];
    lb_transform links[MAX_LINKS];
    int nq = lb_model_nq(model);
    for (int k = 0; k < nq; k++)
        q[k] = number_at(table, row, table->columns - nq + k);
    test_forward(model, q, links);
    lb_transform there = links[lb_model_find_link(model, tip)];
    return there;
}

/* ---- along paths -------------------------------------------------------- */

TEST(lines_lead_straight_to_the_goal)
{
    owned_table table = program_table("animate planar3 --to '-20 5 0' --frames 21");
    assert_int_equal(table.rows, 21);
    lb_vec3 begin = vector_at(&table, 0, "tool"), goal = lb_vec3_make(-20, 5, 0);
    for (int i = 0; i < 21; i++) {
        lb_vec3 tool = vector_at(&table, i, "tool");
        lb_vec3 wanted = lb_vec3_add(begin, lb_vec3_scale(lb_vec3_sub(goal, begin), i / 20.0));
        assert_int_equal((int)number_at(&table, i, column_of(&table, "frame")), i);
        assert_string_equal(csv_text(&table, i, column_of(&table, "status")), "reached");
        assert_near(apart(tool, wanted), 0, 1.0001e-6);
        assert_near(apart(vector_at(&table, i, "goal"), wanted), 0, 1e-12);
        assert_near(apart(tip_of_row(&table, i, "planar3", "tip").p, tool), 0, 1e-9);
        assert_true(number_at(&table, i, column_of(&table, "condition")) >= 1);
    }
}

TEST(paths_pass_their_rows)
{
    program_write("path.csv", "x,y,z\n0.5,-0.2,0.4\n0.55,0,0.6\n0.5,0.2,0.4\n");
    static const char *const shapes[] = {"polyline", "spline", "arc"};
    for (int i = 0; i < 3; i++) {
        program_must("animate panda --tip panda_hand --path path.csv --shape %s --frames 41 "
                     "--output out.csv",
                     shapes[i]);
        owned_table table = table_of_file("out.csv");
        // by symmetry the second point is met halfway
        assert_near(apart(vector_at(&table, 0, "tool"), lb_vec3_make(0.5, -0.2, 0.4)), 0, 2e-6);
        assert_near(apart(vector_at(&table, 20, "tool"), lb_vec3_make(0.55, 0, 0.6)), 0, 2e-6);
        assert_near(apart(vector_at(&table, 40, "tool"), lb_vec3_make(0.5, 0.2, 0.4)), 0, 2e-6);
    }

    // closed, it ends where it began
    program_must("animate panda --tip panda_hand --path path.csv --shape arc --closed --frames 9 "
                 "--output out.csv");
    owned_table table = table_of_file("out.csv");
    assert_near(apart(vector_at(&table, 0, "tool"), vector_at(&table, 8, "tool")), 0, 4e-6);
}

/* the path is given in the root's frame, which is not the world's, and so are both columns */
TEST(columns_are_in_the_frame_of_the_path)
{
    program_write("path.csv", "x,y,z\n0.4,-0.2,0.3\n0.4,0.2,0.3\n");
    owned_table table =
        program_table("animate puma560 --path path.csv --frames 3 --tool '0 0 0.1'");
    for (int i = 0; i < 3; i++) {
        const lb_vec3 wanted = lb_vec3_make(0.4, -0.2 + 0.2 * i, 0.3);
        assert_near(apart(vector_at(&table, i, "tool"), wanted), 0, 1.0001e-6);
        assert_near(apart(vector_at(&table, i, "goal"), wanted), 0, 1e-12);
    }
}

/* with rotations the hand is turned along, in this case by half of 40 degrees at half time */
TEST(rotations_are_followed_too)
{
    owned_table start = program_table("fk panda --frame panda_hand");
    lb_transform hand = transform_at(&start, 0);
    lb_quat turned = lb_quat_multiply(
        lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), 40 * LB_PI / 180), lb_transform_quat(&hand));
    owned_table table =
        program_table("animate panda --tip panda_hand --to '%.17g %.17g %.17g' "
                      "--quaternion '%.17g %.17g %.17g %.17g' --frames 3",
                      hand.p.x, hand.p.y, hand.p.z - 0.1, turned.w, turned.x, turned.y, turned.z);
    lb_transform middle = tip_of_row(&table, 1, "panda", "panda_hand");
    assert_near(lb_transform_angle(&hand, &middle), 20 * LB_PI / 180, 2e-6);
    lb_transform end = tip_of_row(&table, 2, "panda", "panda_hand");
    assert_near(lb_transform_angle(&hand, &end), 40 * LB_PI / 180, 2e-6);
    assert_near(end.p.z, hand.p.z - 0.1, 2e-6);
}

TEST(what_is_out_of_reach_is_said)
{
    program_exits(1, "animate planar3 --to '-35 5 0' --frames 6");
    owned_table table = table_of_output();
    int status = column_of(&table, "status");
    assert_string_equal(csv_text(&table, 0, status), "reached");
    assert_string_equal(csv_text(&table, 5, status), "unreachable");
}

TEST(steps_spread_the_work_over_frames)
{
    program_exits(1, "animate planar3 --to '-20 5 0' --steps 1 --method damped");
    owned_table table = table_of_output();
    int iterations = column_of(&table, "iterations");
    for (int i = 0; i < table.rows; i++)
        assert_true(number_at(&table, i, iterations) <= 1);
    assert_int_equal(table.rows, 21);
}

/* ---- keys --------------------------------------------------------------- */

TEST(keys_are_met_at_their_times)
{
    program_write("keys.csv", "time,elbow,shoulder\n0,10,0\n1,60,80\n3,20,-40\n");
    static const char *const how[] = {"linear", "cubic"};
    for (int i = 0; i < 2; i++) {
        owned_table table = program_table(
            "animate planar2 --keys keys.csv --interpolation %s --degrees --frames 31", how[i]);
        int time = column_of(&table, "time"), shoulder = column_of(&table, "shoulder");
        int elbow = column_of(&table, "elbow");
        assert_int_equal(csv_column(&table, "status"), -1);
        assert_near(number_at(&table, 10, time), 1, 1e-12);
        assert_near(number_at(&table, 10, shoulder), 80, 1e-9);
        assert_near(number_at(&table, 10, elbow), 60, 1e-9);
        assert_near(number_at(&table, 30, shoulder), -40, 1e-9);
        if (i == 0)
            assert_near(number_at(&table, 5, shoulder), 40, 1e-9);
    }

    // without times the keys are evenly spread
    program_write("keys.csv", "elbow\n0\n1\n0\n");
    owned_table table =
        program_table("animate planar2 --keys keys.csv --interpolation linear --frames 5");
    assert_near(number_at(&table, 1, column_of(&table, "elbow")), 0.5, 1e-12);
    assert_near(number_at(&table, 2, column_of(&table, "elbow")), 1, 1e-12);
}

/* a figure with ball joints plays as well, and its rows can be given back as keys */
TEST(balls_are_played)
{
    program_write("keys.csv", "left_shoulder.qw,left_shoulder.qx,left_shoulder.qy,"
                              "left_shoulder.qz\n1,0,0,0\n0.8,0.6,0,0\n0.8,0,0.6,0\n");
    program_must("animate human --keys keys.csv --frames 11 --output a.csv");
    program_must("animate human --keys a.csv --frames 11 --output b.csv");
    owned_table a = table_of_file("a.csv"), b = table_of_file("b.csv");
    for (int row = 0; row < 11; row++)
        for (int column = 0; column < a.columns; column++)
            if (column != csv_column(&a, "condition"))
                assert_near(number_at(&a, row, column), number_at(&b, row, column), 1e-9);
    program_must("draw human --poses a.csv --output figure.svg");
}

/* ---- forms -------------------------------------------------------------- */

TEST(json_says_what_rows_say)
{
    program_must("animate planar3 --to '-20 5 0' --frames 5 --output out.csv");
    program_must("animate planar3 --to '-20 5 0' --frames 5 --output out.json");
    owned_table table = table_of_file("out.csv");
    // one frame a line, behind what they are of
    owned char *text = program_read("out.json");
    assert_true(
        program_begins(text, "{\"model\":\"planar3\",\"tip\":\"tip\",\"frames\":[\n{\"frame\":0,"));
    assert_non_null(strstr(text, "},\n{\"frame\":4,"));
    assert_non_null(strstr(text, "}\n],\"jumps\":[]}\n"));
    json_t *all = json_load_file("out.json", 0, NULL);
    json_t *frames = json_object_get(all, "frames");
    assert_string_equal(json_string_value(json_object_get(all, "tip")), "tip");
    assert_int_equal(json_array_size(frames), 5);
    for (int i = 0; i < 5; i++) {
        json_t *frame = json_array_get(frames, (size_t)i);
        json_t *tool = json_object_get(frame, "tool"), *joints = json_object_get(frame, "joints");
        assert_string_equal(json_string_value(json_object_get(frame, "status")), "reached");
        assert_near(json_number_value(json_array_get(tool, 0)), vector_at(&table, i, "tool").x, 0);
        assert_near(json_number_value(json_object_get(joints, "joint_2")),
                    number_at(&table, i, column_of(&table, "joint_2")), 0);
    }
    json_decref(all);
}

/* stretched out an arm is singular, which JSON has no number for */
TEST(singular_frames_are_null_in_json)
{
    program_write("keys.csv", "elbow\n0\n");
    program_must("animate planar2 --keys keys.csv --frames 1 --output out.json");
    json_t *all = json_load_file("out.json", 0, NULL);
    json_t *frame = json_array_get(json_object_get(all, "frames"), 0);
    assert_true(json_is_null(json_object_get(frame, "condition")));
    json_decref(all);
}

/* how many panels show the goal: marks of its colour in each fifth of the strip */
TEST(strips_have_their_panels)
{
    static const char *const files[] = {"strip.svg", "strip.png", "strip.pdf"};
    for (int i = 0; i < 3; i++) {
        program_must("animate planar3 --to '-20 5 0' --output %s", files[i]);
        assert_true(figure_is_sound(files[i]));
    }
    cairo_surface_t *strip = picture_open("strip.png");
    int width = cairo_image_surface_get_width(strip);
    int height = cairo_image_surface_get_height(strip), marked = 0;
    for (int panel = 0; panel < 5; panel++) {
        int red = 0;
        for (int y = 0; y < height; y++)
            for (int x = panel * width / 5; x < (panel + 1) * width / 5; x++)
                red += pixel_is(picture_at(strip, x, y), 0.80, 0.11, 0.16, 0.05);
        marked += red > 50;
    }
    assert_int_equal(marked, 5);
    cairo_surface_destroy(strip);

    // the same call gives the same bytes; other panels another picture
    program_must("animate planar3 --to '-20 5 0' --output again.svg");
    assert_true(files_are_equal("strip.svg", "again.svg"));
    program_must("animate planar3 --to '-20 5 0' --panels '0 20' --title Two --output two.svg");
    assert_false(files_are_equal("strip.svg", "two.svg"));
    program_must("animate panda --tip panda_hand --to '0.4 0.3 0.5' --frames 4 --output p.png");
    assert_true(figure_is_sound("p.png"));
    program_must("animate planar3 --to '-20 5 0' --view '30 20' --degrees --output space.png");
    assert_true(figure_is_sound("space.png"));
}

/* ---- refusals ----------------------------------------------------------- */

/* behind KR6's back, where its first joint would have to pass what it cannot */
TEST(jumps_are_reported)
{
    const char *start = "--start 'joint_a1=-2.8'";
    program_write("behind.csv", "x,y,z,roll,pitch,yaw\n-0.5,0.2,0.5,0,3,0\n-0.5,-0.2,0.5,0,3,0\n");
    program_must("animate kr6 --path behind.csv --frames 101 --output a.csv %s", start);
    assert_string_equal(program.err, "limber: note: the arm jumps in 1 of 101 frames, first in "
                                     "frame 28 by 3.58 rad: joint 'joint_a1' meets its limit\n");
    csv_table rows = table_of_file("a.csv");
    for (int i = 0; i < rows.rows; i++) {
        assert_string_equal(csv_text(&rows, i, column_of(&rows, "ended")), i == 28 ? "limit" : "");
        double step = number_at(&rows, i, column_of(&rows, "step"));
        assert_true(i == 0 || (step > 0.1) == (i == 28));
    }
    csv_release(&rows);

    // it stops there with --on-jump stop
    program_exits(1, "animate kr6 --path behind.csv --frames 101 --on-jump stop %s", start);
    assert_string_equal(program.err, "limber: note: stopped in frame 28 of 101: joint 'joint_a1' "
                                     "meets its limit\n");
    rows = table_of_output();
    assert_int_equal(rows.rows, 29);
    csv_release(&rows);

    // in JSON with the joint; a step that is too large likewise
    program_must("animate kr6 --path behind.csv --frames 101 --output a.json %s", start);
    json_t *all = json_load_file("a.json", 0, NULL);
    json_t *frame = json_array_get(json_object_get(all, "frames"), 28);
    assert_string_equal(json_string_value(json_object_get(frame, "ended")), "limit");
    assert_string_equal(json_string_value(json_object_get(frame, "joint")), "joint_a1");
    assert_true(json_is_true(json_object_get(frame, "jumped")));
    json_t *jumps = json_object_get(all, "jumps");
    assert_int_equal(json_array_size(jumps), 1);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(jumps, 0), "frame")), 28);
    assert_string_equal(json_string_value(json_object_get(json_array_get(jumps, 0), "joint")),
                        "joint_a1");
    json_decref(all);
    program_run("animate kr6 --path behind.csv --frames 101 --jump 0.002 --on-jump stop");
    assert_said("moves farther than --jump allows");

    // at the joints' speeds it goes over to the other branch, off the path
    program_exits(1, "animate kr6 --path behind.csv --frames 101 --rate 20 %s", start);
    assert_said("joint speeds keep the tip off the path in");

    // without a start it begins where it need not jump
    program_must("animate kr6 --path behind.csv --frames 101 --output a.csv");
    assert_string_equal(program.err, "");
    program_must("animate kr6 --path behind.csv --frames 101 --jump 0.1 --output a.csv");
    assert_string_equal(program.err, "");
    remove("behind.csv");
    remove("a.csv");
    remove("a.json");
}

/* a turn of the Panda's hand that its last joint cannot go on with */
TEST(plans_of_redundant_arms_are_said)
{
    program_write("turn.csv", "x,y,z,roll,pitch,yaw\n0.5,0.1,0.5,3,0,0\n0.5,0.1,0.5,3,0,3\n"
                              "0.5,0.1,0.5,3,0,6\n0.5,0.1,0.5,3,0,9\n0.5,0.1,0.5,3,0,12\n");
    program_must("animate panda --tip panda_hand --path turn.csv --frames 60 --output a.json");
    assert_said("no motion with fewer jumps was found");
    json_t *all = json_load_file("a.json", 0, NULL);
    const size_t jumps = json_array_size(json_object_get(all, "jumps"));
    assert_true(jumps > 0);
    assert_int_equal(json_integer_value(json_object_get(all, "planned_jumps")), jumps);
    json_decref(all);
    remove("turn.csv");
    remove("a.json");
}

TEST(bad_input_is_refused)
{
    program_write("keys.csv", "time,elbow\n0,0\n0,1\n");
    program_write("two.csv", "x,y,z\n1,0,0\n1,1,0\n");
    program_write("text.csv", "x,y,z\n1,0,zero\n");
    program_write("same.csv", "x,y,z\n1,0,0\n1,0,0\n1,1,0\n");
    static const struct {
        const char *arguments, *says;
    } cases[] = {
        {"animate planar3", "the destination is missing"},
        {"animate planar3 --to '1 2 0' --path two.csv", "only one can be given"},
        {"animate planar3 --to '1 2'", "--to"},
        {"animate planar3 --to '1 2 three'", "'three' is not a number"},
        {"animate planar3 --to '1 2 0' --tip tp", "did you mean 'tip'?"},
        {"animate planar3 --to '1 2 0' --frames 0", "--frames"},
        {"animate planar3 --to '1 2 0' --frames 2.5", "--frames"},
        {"animate planar3 --to '1 2 0' --steps -1", "--steps"},
        {"animate planar3 --to '1 2 0' --method dampd", "did you mean 'damped'?"},
        {"animate planar3 --to '1 2 0' --interpolation cubic", "--interpolation has no effect"},
        {"animate planar3 --to '1 2 0' --output a.txt", "must end in .csv"},
        {"animate planar3 --to '1 2 0' --output no/where.csv", "no/where.csv"},
        {"animate planar3 --to '1 2 0' --output a.svg --panels 99", "99 is no frame"},
        {"animate planar3 --to '1 2 0' --output a.svg --panels ' '", "1 to 120 frames"},
        {"animate planar3 --to '1 2 0' --rpy '0 0 1' --quaternion '1 0 0 0'", "cannot both"},
        {"animate planar3 --to '1 2 0' --on-jump halt", "--on-jump"},
        {"animate planar3 --to '1 2 0' --jump 0", "--jump"},
        {"animate planar3 --to '1 2 0' --rate -1", "--rate"},
        {"animate planar3 --to '1 2 0' --deviation 1", "--deviation has no effect"},
        {"animate planar2 --keys two.csv --jump 1", "--jump has no effect"},
        {"animate planar3 --path two.csv --shape splin", "did you mean 'spline'?"},
        {"animate planar3 --path two.csv --shape arc", "two.csv: a path of kind 'arc'"},
        {"animate planar3 --path same.csv --shape spline", "points 1 and 2 of the spline"},
        {"animate planar3 --path text.csv", "text.csv:2: column 'z': 'zero'"},
        {"animate planar3 --path nothing.csv", "nothing.csv"},
        {"animate planar2 --keys keys.csv", "keys.csv: key 2: its time 0 does not come after 0"},
        {"animate planar2 --keys keys.csv --shape arc", "--shape has no effect"},
        {"animate planar2 --keys two.csv", "no joint 'x'"},
        {"animate nomodel --to '1 2 0'", "nomodel"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        program_refuses(cases[i].arguments, cases[i].says);
}

/* "singularity" is said only where one is, and a motion that goes on from one does not jump */
TEST(a_path_that_leaves_the_reach_is_no_singularity)
{
    program_says(1, "animate planar3 --to '10 5 1' --frames 3 --output a.csv",
                 "leads to frame 1: no configuration was found farther on");
    owned char *rows = program_read("a.csv");
    assert_true(strstr(rows, ",reach,") != NULL && strstr(rows, "singularity") == NULL);
    program_must(
        "animate planar2 --to '1 1 0' --start 'shoulder=0 elbow=0' --frames 3 --output a.csv");
    assert_not_said("jumps");
    owned char *others = program_read("a.csv");
    assert_true(strstr(others, "singularity") == NULL);
    program_write("one.json", "{\"name\": \"one\", \"links\": [{\"name\": \"base\"}, {\"name\": "
                              "\"l\"}, {\"name\": \"tip\"}], \"joints\": [{\"name\": \"j\", "
                              "\"kind\": \"revolute\", \"parent\": \"base\", \"child\": \"l\", "
                              "\"limits\": [-3, 3]}, {\"name\": \"e\", \"parent\": \"l\", "
                              "\"child\": \"tip\", \"placement\": {\"xyz\": [1, 0, 0]}}]}");
    program_says(1, "follow one.json --to '0 1 0'", "no configuration was found farther on");
    program_exits(1, "animate one.json --to '0 1 0' --frames 3 --output a.csv");
    assert_not_said("jumps");
}

/* a movement that does not get there says how much of it, and where it begins */
TEST(axes_are_free_on_paths_alone)
{
    program_write("keys.csv", "shoulder,elbow\n0,0\n0.8,1.2\n");
    program_refuses("animate planar2 --keys keys.csv --free-position x",
                    "--free-position has no effect with --keys");
    program_refuses("animate ur5 --to '0.5 -0.2 0.3' --free-axis '0 0 1'", "leaves every axis");
}

TEST(missed_frames_are_reported)
{
    program_exits(1, "animate planar3 --to '40 0 0' --output a.csv");
    assert_string_equal(program.err,
                        "limber: note: no continuous motion leads to frame 11: the solution ends "
                        "at a singularity\n"
                        "limber: note: 10 of 21 frames are not reached, the first is frame 11, "
                        "off by 0.404 m\n");
    owned_table rows = table_of_file("a.csv");
    int status = csv_column(&rows, "status");
    for (int i = 0; i < rows.rows; i++)
        assert_int_equal(strcmp(csv_text(&rows, i, status), "reached") == 0, i < 11);
    remove("a.csv");

    // with --steps it is of no matter
    program_run("animate planar3 --to '-20 5 0' --steps 1 --method damped");
    assert_string_equal(program.err, "");
}

TEST_FIXTURE(program_start, program_stop)
