/*
 * test_cli_inverse.c - limber ik: every result is verified by the tests' own 4x4
 * forward kinematics, whatever the program says of it.
 */
#define _XOPEN_SOURCE 700

#include <limber/formats/load.h>
#include <limber/ik.h>

#include <jansson.h>
#include <math.h>
#include <unistd.h>

#include "results.h"

/* T_base_tip of a row of limber ik's results, by the oracle */
static lb_transform verify(const lb_model *model, const csv_table *results, int row, int base,
                           int tip)
{
    double q[MAX_NQ];
    lb_transform links[MAX_LINKS];
    lb_error error = {0};
    for (int k = 0; k < lb_model_nq(model); k++)
        q[k] = number_at(results, row, 4 + k);
    assert_made(lb_configuration_validate(model, q, 1e-12, &error), error);
    test_forward(model, q, links);
    return lb_transform_between(&links[base], &links[tip]);
}

/* targets that are reached for sure, from random poses; returns the tip's name in `tip` */
static void make_targets(const lb_model *model, const char *name, int link, int count,
                         uint64_t seed)
{
    static double q[200 * MAX_NQ];
    lb_random random = test_seed(seed);
    owned_table names = names_of_values(name);
    for (int i = 0; i < count; i++)
        lb_configuration_random(model, &random, q + i * lb_model_nq(model));
    write_poses("poses.csv", &names, q, lb_model_nq(model), count);
    program_must("fk '%s' --frame '%s' --poses poses.csv --output targets.csv", name,
                 lb_model_link(model, link)->name);
    unlink("poses.csv");
}

/* every row that says reached is at its target, within the limits; returns how many say so */
static int check_results(const lb_model *model, const char *path, int base, int tip)
{
    owned_table targets = table_of_file("targets.csv"), results = table_of_file(path);
    int reached = 0;
    assert_int_equal(targets.rows, results.rows);
    for (int i = 0; i < results.rows; i++) {
        lb_transform target = transform_at(&targets, i);
        lb_transform place = verify(model, &results, i, base, tip);
        double distance = lb_transform_distance(&target, &place);
        double angle = lb_transform_angle(&target, &place);
        assert_near(number_at(&results, i, 2), distance, 1e-9);
        assert_near(number_at(&results, i, 3), angle, 1e-7);
        if (strcmp(csv_text(&results, i, 0), "reached") != 0)
            continue;
        reached++;
        assert_true(distance <= 1e-6 + 1e-12 && angle <= 1e-6 + 1e-7);
    }
    csv_release(&results);
    return reached;
}

/* --tool is a frame in the tip's: what is there is at the target */
TEST(test_tool)
{
    owned_model *model = load_or_fail("ur5");
    int tip = lb_model_find_link(model, "tool0");
    program_must("ik ur5 --tip tool0 --tool '0.1 0 0.2 0 90 0' --position '0.4 0.2 0.3' "
                 "--rpy '180 0 0' --degrees --output results.csv");
    program_must("ik ur5 --tip tool0 --tool '0.1 0 0.2 0 1.5707963267948966 0' --position "
                 "'0.4 0.2 0.3' --rpy '3.141592653589793 0 0' --output results.csv");
    owned_table results = table_of_file("results.csv");
    assert_string_equal(csv_text(&results, 0, 0), "reached");
    lb_transform place = verify(model, &results, 0, 0, tip);
    lb_transform tool =
        lb_transform_from_quat(lb_quat_from_rpy(0, LB_PI / 2, 0), lb_vec3_make(0.1, 0, 0.2));
    lb_transform target =
        lb_transform_from_quat(lb_quat_from_rpy(LB_PI, 0, 0), lb_vec3_make(0.4, 0.2, 0.3));
    lb_transform reached = lb_transform_multiply(&place, &tool);
    assert_true(lb_transform_distance(&target, &reached) <= 1e-6);
    assert_true(lb_transform_angle(&target, &reached) <= 1e-6 + 1e-7);
    program_refuses("ik ur5 --tool '1 2' --position '0 0 0'", "--tool: \"1 2\" has 2 numbers");
    program_refuses("ik ur5 --tool 'a b c' --position '0 0 0'", "--tool: 'a' is not a number");
}

/* targets of each model */
TEST_ARGUMENT(target_count, 1, 50)

/* forward there and inverse back on every built-in model, by every method */
TEST(test_inverse_round_trip)
{
    static const char *const sure[] = {"ur5", "panda", "iiwa14", "planar2"};
    for (int m = 0; m < lb_embedded_count(); m++) {
        const char *name = lb_embedded_at(m)->name;
        owned_model *model = load_or_fail(name);
        int tip = default_tip(model);
        // random poses are open: test_cli_loops.c has linkages that close
        if (lb_model_loop_count(model) > 0)
            continue;
        make_targets(model, name, tip, (int)target_count, 33);
        for (int k = 0; k < lb_method_count(); k++) {
            int status =
                program_run("ik %s --tip '%s' --targets targets.csv --method %s "
                            "--output results.csv",
                            name, lb_model_link(model, tip)->name, lb_method_name(lb_method_at(k)));
            assert_string_equal(program.out, "");
            // a method may refuse a linkage, by its own name
            if (status == 2) {
                assert_said(lb_method_name(lb_method_at(k)));
                continue;
            }
            int reached = check_results(model, "results.csv", 0, tip);
            assert_int_equal(status, reached == target_count ? 0 : 1);
            for (size_t s = 0; k == 0 && s < sizeof sure / sizeof *sure; s++)
                if (strcmp(name, sure[s]) == 0)
                    assert_int_equal(reached, target_count);
        }
    }
}

/* --json: exactly these members in this order, and they agree with each other */
TEST(test_inverse_summary)
{
    owned_model *model = load_or_fail("ur5");
    make_targets(model, "ur5", default_tip(model), 30, 5);
    int status = program_run("ik ur5 --targets targets.csv --output results.csv --json");
    int reached = check_results(model, "results.csv", 0, default_tip(model));
    int targets, said, end = 0;
    double seconds, rate, mean, p50, p99;
    int found = sscanf(program.out,
                       "{\"targets\":%d,\"reached\":%d,\"seconds\":%lf,\"solves_per_second\":%lf,"
                       "\"mean_us\":%lf,\"p50_us\":%lf,\"p99_us\":%lf}\n%n",
                       &targets, &said, &seconds, &rate, &mean, &p50, &p99, &end);
    assert_int_equal(found, 7);
    assert_int_equal(program.out[end], '\0');
    assert_int_equal(targets, 30);
    assert_int_equal(said, reached);
    assert_int_equal(status, reached == 30 ? 0 : 1);
    assert_true(seconds > 0 && seconds < 60);
    assert_near(rate * seconds, 30, 1e-6);
    assert_near(mean * 30, seconds * 1e6, 1e-6 * mean);
    assert_true(p50 > 0 && p50 <= p99);
}

/* without rows beside it the JSON has what rows have */
TEST(test_inverse_json)
{
    program_write("t.csv", "x,y,z\n5,0,0\n1,1,0\n");
    program_exits(1, "ik planar2 --targets t.csv");
    owned_table rows = table_of_output();
    program_exits(1, "ik planar2 --targets t.csv --json");
    json_t *all = json_loads(program.out, 0, NULL);
    json_t *results = json_object_get(all, "results");
    assert_int_equal(json_array_size(results), rows.rows);
    for (int i = 0; i < rows.rows; i++) {
        json_t *one = json_array_get(results, (size_t)i);
        assert_string_equal(json_string_value(json_object_get(one, "status")),
                            csv_text(&rows, i, 0));
        assert_near(json_number_value(json_object_get(one, "position_error")),
                    number_at(&rows, i, 2), 0);
        for (int k = 4; k < rows.columns; k++)
            assert_near(json_number_value(
                            json_object_get(json_object_get(one, "joints"), csv_name(&rows, k))),
                        number_at(&rows, i, k), 0);
    }
    json_decref(all);
}

/* the same results in every run, and as many rows as targets on standard output */
TEST(test_inverse_repeats)
{
    owned_model *model = load_or_fail("panda");
    int tip = lb_model_find_link(model, "panda_hand");
    make_targets(model, "panda", tip, 20, 6);
    static const char line[] = "ik panda --tip panda_hand --targets targets.csv --protocol any";
    program_run("%s --seed 7", line);
    owned char *first = strdup(program.out);
    program_run("%s --seed 7", line);
    assert_string_equal(program.out, first);
    program_run("%s <targets.csv --targets - --seed 7", "ik panda --tip panda_hand --protocol any");
    assert_string_equal(program.out, first);
    owned_table rows = table_of_output();
    assert_int_equal(rows.rows, 20);
}

/* the same bytes side by side, on any number of threads, at any width, and one after the other */
TEST(test_inverse_threads)
{
    /* more than one range for each thread */
    enum { TARGETS = 200 };
    owned_model *model = load_or_fail("panda");
    int tip = lb_model_find_link(model, "panda_hand");
    make_targets(model, "panda", tip, TARGETS, 9);
    static const char line[] = "ik panda --tip panda_hand --targets targets.csv --protocol any";
    owned char *expected = program_output("%s", line);
    for (int threads = 1; threads <= 3; threads++)
        for (int width = 1; width <= 8; width *= 2) {
            program_repeats(expected, "%s --threads %d --width %d", line, threads, width);
        }
    program_repeats(expected, "%s --threads 0", line);
    program_repeats(expected, "%s --width 2", line);
    program_shell_exits(0, "LIMBER_WIDTH=4 limber %s --threads 2", line);
    assert_string_equal(program.out, expected);

    /* the summary says how it was done, and --json has the same members */
    program_must("%s --threads 1 --report", line);
    assert_printed("\n  side by side on 1 thread: ");
    program_must("%s --threads 2 --json", line);
    assert_true(program_begins(program.out, "{\"results\":[{\"status\":\"reached\","));
    assert_printed("}}],\"targets\":200,\"reached\":200,\"seconds\":");
    assert_printed(",\"p99_us\":");

    /* threads that cannot be started are bad input, and no target that is not reached */
    if (LIMBER_MEMORY_IS_MEASURED) {
        int status = program_shell("ulimit -v 3000000; limber %s --threads 1024", line);
        assert_true(status == 0 || status == 2);
    }
}

/* starts of their own, and one target alone, as rows of a batch */
TEST(test_inverse_threads_starts)
{
    program_write("starts.csv", "elbow,shoulder\n0.5,0.25\n-0.5,1\n1,0.1\n");
    program_must("fk planar2 --poses starts.csv --output targets.csv");
    char *expected = program_output("ik planar2 --targets targets.csv --starts starts.csv");
    program_repeats(expected, "ik planar2 --targets targets.csv --starts starts.csv --threads 3");
    free(expected);
    unlink("starts.csv");
    unlink("targets.csv");

    program_exits(1, "ik planar2 --position '5 0 0'");
    expected = strdup(program.out);
    program_exits(1, "ik planar2 --position '5 0 0' --threads 2");
    assert_string_equal(program.out, expected);
    free(expected);
}

TEST(test_inverse_threads_refused)
{
    program_refuses("ik planar2 --position '1 1 0' --threads many", "--threads: 'many' ");
    program_refuses("ik planar2 --position '1 1 0' --threads -1", "--threads: -1 is not a whole");
    program_refuses("ik planar2 --position '1 1 0' --threads 1.5", "--threads: 1.5 is not a whole");
    program_refuses("ik planar2 --position '1 1 0' --width 3",
                    "--width: width must be 1, 2, 4 or 8, not 3");
    program_shell_exits(2, "LIMBER_WIDTH=wide limber ik planar2 --position '1 1 0'");
    assert_said("limber: LIMBER_WIDTH: 'wide' ");
    /* the option wins, and an empty variable is none */
    program_shell_exits(0, "LIMBER_WIDTH=wide limber ik planar2 --position '1 1 0' --width 1");
    program_shell_exits(0, "LIMBER_WIDTH= limber ik planar2 --position '1 1 0'");
}

/* targets in another link's frame, above the tip and beside it */
TEST(test_inverse_base)
{
    static const char *const pairs[][2] = {{"panda_link2", "panda_hand"},
                                           {"panda_hand", "panda_link1"}};
    owned_model *model = load_or_fail("panda");
    for (size_t i = 0; i < 2; i++) {
        int base = lb_model_find_link(model, pairs[i][0]);
        int tip = lb_model_find_link(model, pairs[i][1]);
        double q[MAX_NQ];
        lb_transform links[MAX_LINKS];
        lb_random random = test_seed(8);
        lb_configuration_random(model, &random, q);
        test_forward(model, q, links);
        lb_transform target = lb_transform_between(&links[base], &links[tip]);
        lb_quat r = lb_transform_quat(&target);
        owned_table results = program_table(
            "ik panda --base %s --tip %s --position '%.17g %.17g %.17g' "
            "--quaternion '%.17g %.17g %.17g %.17g'",
            pairs[i][0], pairs[i][1], target.p.x, target.p.y, target.p.z, r.w, r.x, r.y, r.z);
        lb_transform place = verify(model, &results, 0, base, tip);
        assert_transform_near(&place, &target, 2e-6);
    }
}

/* the frame that the root stands in: a model's own, by the name of no link */
TEST(test_inverse_world)
{
    program_prints("info human", "root: pelvis, at 0 0 0.9242 m in the world\n");
    owned_table local =
        program_table("ik human --tip right_hand --base pelvis --position '0.3 -0.3 0.3'");
    owned_table world =
        program_table("ik human --tip right_hand --base world --position '0.3 -0.3 1.2242'");
    for (int k = 4; k < local.columns; k++)
        assert_near(number_at(&world, 0, k), number_at(&local, 0, k), 1e-6);
    program_must("animate planar3 --base world --to '10 5 0'");
    program_must("workspace planar3 --base world --samples 100");
    program_must("compare planar3 --base world --position '10 5 0'");

    program_refuses("ik planar3 --base wrold --position '1 0 0'", "did you mean 'world'?");

    // a link of that name is meant first
    program_write("w.urdf",
                  "<robot name='w'><link name='base'/><link name='world'/><link name='t'/>"
                  "<joint name='a' type='continuous'><parent link='base'/>"
                  "<child link='world'/><axis xyz='0 0 1'/></joint>"
                  "<joint name='b' type='continuous'><parent link='world'/>"
                  "<child link='t'/><axis xyz='0 0 1'/><origin xyz='1 0 0'/></joint>"
                  "</robot>");
    program_refuses("ik w.urdf --base world --tip world --position '1 0 0'", "world");
}

/* a start for each target: a start that is a solution is the result, to the tolerance */
TEST(test_inverse_starts)
{
    program_write("starts.csv", "elbow,shoulder\n0.5,0.25\n-0.5,1\n");
    program_must("fk planar2 --poses starts.csv --output targets.csv");
    owned_table rows = program_table("ik planar2 --targets targets.csv --starts starts.csv");
    int shoulder = csv_column(&rows, "shoulder"), elbow = csv_column(&rows, "elbow");
    assert_near(number_at(&rows, 0, shoulder), 0.25, 1e-5);
    assert_near(number_at(&rows, 0, elbow), 0.5, 1e-5);
    assert_near(number_at(&rows, 1, shoulder), 1, 1e-5);
    assert_near(number_at(&rows, 1, elbow), -0.5, 1e-5);

    /* results are poses: what was reached is where it should be */
    program_must("ik planar2 --targets targets.csv --starts starts.csv --output results.csv");
    program_must("fk planar2 --poses results.csv");
    owned_table back = table_of_output(), targets = table_of_file("targets.csv");
    for (int i = 0; i < 2; i++) {
        lb_transform place = transform_at(&back, i), target = transform_at(&targets, i);
        assert_transform_near(&place, &target, 2e-6);
    }
}

/* out of reach: exit status 1, the row written, nearer than the start, and words that say why */
TEST(test_inverse_unreached)
{
    program_exits(1, "ik planar2 --position '5 0 0'");
    owned_table rows = table_of_output();
    assert_string_not_equal(csv_text(&rows, 0, 0), "reached");
    owned_table start = program_table("fk planar2");
    lb_vec3 from = transform_at(&start, 0).p;
    double distance = lb_vec3_length(lb_vec3_sub(from, lb_vec3_make(5, 0, 0)));
    assert_true(number_at(&rows, 0, 2) <= distance);

    program_write("t.csv", "x,y,z\n5,0,0\n1,1,0\n0,7,0\n");
    program_exits(1, "ik planar2 --targets t.csv --output o.csv --json");
    assert_true(program_begins(program.out, "{\"targets\":3,\"reached\":1,"));
    assert_true(program_has_file("o.csv"));
    program_exits(1, "ik planar2 --position '5 0 0' --report");
    assert_printed("\n  because   ");
    assert_printed(" m at the closest configuration found\n");
    assert_printed(" closest ");
    assert_not_printed(" solution ");
    program_exits(1, "ik planar2 --targets t.csv --report");
    assert_true(program_begins(program.out, "1 of 3 targets reached"));
    assert_printed("\n  target 3: ");
}

/* a quaternion of length 1.01 is normalised and that is said, once for all */
TEST(test_inverse_normalises)
{
    owned char *expected = program_output("ik ur5 --position '0.4 0.2 0.3' --quaternion '0 1 0 0'");
    assert_string_equal(program.err, "");
    program_repeats(expected, "ik ur5 --position '0.4 0.2 0.3' --quaternion '0 1.01 0 0'");
    assert_string_equal(program.err,
                        "limber: note: --quaternion: not of length 1, now normalised\n");
    program_write("t.csv", "x,y,z,qw,qx,qy,qz\n0.4,0.2,0.3,0,1.01,0,0\n0.4,0.2,0.3,0,1,0,0\n"
                           "0.4,0.2,0.3,0,0.99,0,0\n");
    program_must("ik ur5 --targets t.csv");
    assert_string_equal(
        program.err, "limber: note: t.csv: 2 of 3 quaternions not of length 1, now normalised\n");
}

/* degrees in, degrees out; the errors stay metres and radians */
TEST(test_inverse_degrees)
{
    owned_table radians =
        program_table("ik ur5 --position '0.4 0.2 0.3' --rpy '3.1415926535897931 0 0.5'");
    owned_table degrees =
        program_table("ik ur5 --position '0.4 0.2 0.3' --rpy '180 0 28.647889756541161' --degrees");
    assert_string_equal(csv_text(&radians, 0, 0), "reached");
    assert_string_equal(csv_text(&degrees, 0, 0), "reached");
    assert_true(number_at(&degrees, 0, 3) <= 1e-6);
    for (int k = 4; k < radians.columns; k++)
        assert_near(number_at(&degrees, 0, k) * LB_PI / 180, number_at(&radians, 0, k), 1e-9);
}

/* roll, pitch and yaw do for the quaternion of a row, in the user's unit */
TEST(test_inverse_angles)
{
    program_write("q.csv", "x,y,z,qw,qx,qy,qz\n0.4,0.2,0.3,0,1,0,0\n"
                           "0.3,0.3,0.4,0,0.70710678118654757,0.70710678118654757,0\n");
    program_write("r.csv", "yaw,x,y,z,roll,pitch\n0,0.4,0.2,0.3,3.1415926535897931,0\n"
                           "1.5707963267948966,0.3,0.3,0.4,3.1415926535897931,0\n");
    program_write("d.csv", "x,y,z,roll,pitch,yaw\n0.4,0.2,0.3,180,0,0\n0.3,0.3,0.4,180,0,90\n");
    owned_table expected = program_table("ik ur5 --targets q.csv");
    static const char *const others[] = {"r.csv", "d.csv --degrees"};
    for (int i = 0; i < 2; i++) {
        owned_table rows = program_table("ik ur5 --targets %s", others[i]);
        assert_int_equal(rows.rows, 2);
        for (int row = 0; row < 2; row++)
            for (int k = 4; k < rows.columns; k++)
                assert_near(number_at(&rows, row, k) * (i == 1 ? LB_PI / 180 : 1),
                            number_at(&expected, row, k), 1e-6);
    }

    // rotations alone; degrees that are read as radians are noticed
    program_write("a.csv", "roll,pitch,yaw\n0.1,0.2,0.3\n");
    owned char *alone = program_output("ik ur5 --targets a.csv");
    program_repeats(alone, "ik ur5 --rpy '0.1 0.2 0.3'");
    program_run("ik ur5 --targets d.csv");
    assert_said("note: d.csv: 180 is read in radians but looks like");
}

/* a free axis: the tip's own axis points along the target's, its roll is anything */
TEST(test_inverse_free_axis)
{
    owned_model *model = load_or_fail("ur5");
    int tip = default_tip(model);
    csv_table results =
        program_table("ik ur5 --position '0.4 0.2 0.3' --rpy '3.1415926535897931 0 0' "
                      "--free-axis '0 0 1'");
    lb_transform place = verify(model, &results, 0, 0, tip);
    assert_near(lb_vec3_dot(place.z, lb_vec3_make(0, 0, -1)), 1, 1e-11);
    assert_near(lb_vec3_length(lb_vec3_sub(place.p, lb_vec3_make(0.4, 0.2, 0.3))), 0, 1e-6);
    csv_release(&results);

    /* of any length */
    static const char *const lengths[] = {"0 0 1e-200", "0 0 5e-324", "0 0 1e300"};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        owned char *unit = strdup(program.out);
        program_repeats(unit,
                        "ik ur5 --position '0.4 0.2 0.3' --rpy '3.1415926535897931 0 0' "
                        "--free-axis '%s'",
                        lengths[i]);
    }
    char *unit = program_output(
        "ik ur5 --position '0.4 0.2 0.3' --quaternion '0 1 0 0' --free-axis '0 0 1'");
    program_repeats(unit, "ik ur5 --position '0.4 0.2 0.3' --quaternion '0 1e-200 0 0' "
                          "--free-axis '0 0 1'");
    free(unit);

    /* a rotation alone leaves the place open */
    results = program_table("ik ur5 --rpy '0.1 0.2 0.3'");
    place = verify(model, &results, 0, 0, tip);
    lb_transform goal =
        lb_transform_from_quat(lb_quat_from_rpy(0.1, 0.2, 0.3), lb_vec3_make(0, 0, 0));
    assert_near(lb_transform_angle(&place, &goal), 0, 1e-6 + 1e-7);
    csv_release(&results);
}

/* free positions: the tip on the target's axis z; anywhere in a plane that is far away itself */
TEST(test_inverse_free_position)
{
    owned_model *model = load_or_fail("ur5");
    int tip = default_tip(model);
    csv_table results =
        program_table("ik ur5 --position '0.4 0.2 9' --rpy '0 0 1' --free-position z");
    lb_transform place = verify(model, &results, 0, 0, tip);
    assert_near(hypot(place.p.x - 0.4, place.p.y - 0.2), 0, 1e-6);
    assert_near(place.z.z, 1, 1e-11);
    assert_true(place.p.z < 1.5);
    csv_release(&results);

    program_must("ik ur5 --position '70 -80 0.3' --free-position yx");
    results = table_of_output();
    place = verify(model, &results, 0, 0, tip);
    assert_near(place.p.z, 0.3, 1e-6);
    csv_release(&results);

    program_run("ik ur5 --position '70 0 0' --free-position z --report");
    assert_int_equal(program.status, 1);
    assert_printed("Out of reach");
}

TEST_FIXTURE(program_start, program_stop)
