/*
 * test_cli_answers.c - what the program computes, judged by the tests' own 4x4
 * forward kinematics: rows, units, columns in any order, every model there is.
 */
#define _XOPEN_SOURCE 700

#include "io/csv.h"

#include <limber/ik.h>
#include <limber/io/load.h>

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support.h"
#include "support_program.h"

enum { MAX_NQ = 256, MAX_LINKS = 256 };

/* ---- helpers ------------------------------------------------------------ */

static lb_model *load_or_fail(const char *name)
{
    lb_model *model = NULL;
    lb_error error = {0};
    if (lb_load(name, NULL, &model, &error) != LB_OK)
        fail_msg("%s: %s", name, error.message);
    assert_true(lb_model_nq(model) <= MAX_NQ && lb_model_link_count(model) <= MAX_LINKS);
    return model;
}

/* the last program's standard output, or a file, as a table; release with csv_release */
static csv_table table_of_output(void)
{
    csv_table table;
    lb_error error = {0};
    if (csv_parse("output", program.out, program.out_size, NULL, &table, &error) != LB_OK)
        fail_msg("%d: %s: %s", error.line, error.message, program.out);
    return table;
}

static csv_table table_of_file(const char *path)
{
    csv_table table;
    lb_error error = {0};
    if (csv_read(path, NULL, &table, &error) != LB_OK)
        fail_msg("%s:%d: %s", path, error.line, error.message);
    return table;
}

static double number_at(const csv_table *table, int row, int column)
{
    double value = NAN;
    assert_int_equal(csv_number(table, row, column, &value, NULL), LB_OK);
    return value;
}

/* a target or an answer of limber fk: x,y,z,qw,qx,qy,qz */
static lb_transform transform_at(const csv_table *table, int row)
{
    static const char *const names[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
    double v[7];
    for (int k = 0; k < 7; k++) {
        assert_string_equal(csv_name(table, k), names[k]);
        v[k] = number_at(table, row, k);
    }
    return lb_transform_from_quat((lb_quat){v[3], v[4], v[5], v[6]},
                                  lb_vec3_make(v[0], v[1], v[2]));
}

/* the tip that most joints move, as the program takes it when it is not told */
static int default_tip(const lb_model *model)
{
    int moving[MAX_LINKS] = {0}, chosen = -1;
    for (int i = 1; i < lb_model_link_count(model); i++) {
        const lb_joint *joint = lb_model_joint(model, i - 1);
        moving[i] = moving[lb_model_parent(model, i)] +
                    (lb_joint_kind_nq(joint->kind) > 0 && joint->mimic == NULL);
        if (lb_model_first_child(model, i) < 0 && (chosen < 0 || moving[i] > moving[chosen]))
            chosen = i;
    }
    return chosen;
}

/* the names of a model's values in the order of q, which head limber ik's answers */
static csv_table names_of_values(const char *model)
{
    program_run("ik '%s' --position '0 0 0' --iterations 1", model);
    csv_table table = table_of_output();
    assert_string_equal(csv_name(&table, 0), "status");
    assert_string_equal(csv_name(&table, 1), "iterations");
    assert_string_equal(csv_name(&table, 2), "position_error");
    assert_string_equal(csv_name(&table, 3), "rotation_error");
    return table;
}

/* writes poses with the columns in reversed order */
static void write_poses(const char *path, const csv_table *names, const double *q, int nq,
                        int count)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int k = nq - 1; k >= 0; k--)
        fprintf(file, "%s%c", csv_name(names, 4 + k), k > 0 ? ',' : '\n');
    for (int i = 0; i < count; i++)
        for (int k = nq - 1; k >= 0; k--)
            fprintf(file, "%.17g%c", q[i * nq + k], k > 0 ? ',' : '\n');
    fclose(file);
}

/* T_base_tip of a row of limber ik's answers, by the oracle */
static lb_transform judge(const lb_model *model, const csv_table *answers, int row, int base,
                          int tip)
{
    double q[MAX_NQ];
    lb_transform links[MAX_LINKS];
    lb_error error = {0};
    for (int k = 0; k < lb_model_nq(model); k++)
        q[k] = number_at(answers, row, 4 + k);
    if (lb_configuration_validate(model, q, 1e-12, &error) != LB_OK)
        fail_msg("answer outside the limits: %s", error.message);
    test_forward(model, q, links);
    return lb_transform_between(&links[base], &links[tip]);
}

/* ---- forward kinematics ------------------------------------------------- */

/* every built-in model: random poses, columns reversed, against the oracle */
static void test_forward_rows(void **state)
{
    (void)state;
    enum { POSES = 20 };
    static double q[POSES * MAX_NQ];
    lb_random random = test_seed(21);
    for (int m = 0; m < lb_embedded_count(); m++) {
        const char *name = lb_embedded_at(m)->name;
        lb_model *model = load_or_fail(name);
        csv_table names = names_of_values(name);
        int nq = lb_model_nq(model), tip = default_tip(model);
        assert_int_equal(names.columns, 4 + nq);
        for (int i = 0; i < POSES; i++)
            lb_configuration_random(model, &random, q + i * nq);
        write_poses("poses.csv", &names, q, nq, POSES);
        csv_release(&names);

        program_must("fk %s --frame '%s' --poses poses.csv", name, lb_model_link(model, tip)->name);
        assert_string_equal(program.err, "");
        csv_table rows = table_of_output();
        assert_int_equal(rows.rows, POSES);
        for (int i = 0; i < POSES; i++) {
            lb_transform links[MAX_LINKS], row = transform_at(&rows, i);
            test_forward(model, q + i * nq, links);
            lb_transform expected = lb_transform_between(&links[0], &links[tip]);
            assert_transform_near(&row, &expected, 1e-12 * (1 + lb_vec3_length(expected.p)));
        }
        csv_release(&rows);
        lb_model_release(model);
    }
    unlink("poses.csv");
}

/* the same pose by every way of giving it is the same row */
static void test_forward_same(void **state)
{
    (void)state;
    static const char *const ways[] = {
        "fk planar2 --poses p.csv",
        "fk planar2 --poses - <p.csv",
        "fk planar2 --poses crlf.csv",
        "fk planar2 --poses p.csv --output -",
        "fk planar2 --at ' elbow=.25  shoulder=5e-1 ' --frame=tip",
        "fk --frame tip --at 'elbow=0.25 shoulder=0.5' planar2",
    };
    program_write("p.csv", "shoulder,elbow\n0.5,0.25\n");
    program_write("crlf.csv", "\xEF\xBB\xBF\"elbow\", shoulder\r\n 0.25 ,\"0.5\"\r\n\r\n");
    program_must("fk planar2 --at 'shoulder=0.5 elbow=+25e-2' --frame tip");
    char *expected = strdup(program.out);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        program_must("%s", ways[i]);
        assert_string_equal(program.out, expected);
    }
    free(expected);
    unlink("p.csv");
    unlink("crlf.csv");
}

/* without --frame the tip that most joints move, and that is said when there are several */
static void test_default_tip(void **state)
{
    (void)state;
    program_must("fk planar2");
    assert_string_equal(program.err, "");
    program_must("fk panda");
    assert_string_equal(program.err, "limber: note: link 'panda_leftfinger' is taken, of 2 tips "
                                     "the one that most joints move; --frame chooses another\n");
    char *chosen = strdup(program.out);
    program_must("fk panda --frame panda_leftfinger");
    assert_string_equal(program.out, chosen);
    free(chosen);
}

/* what is not named is at its default */
static void test_forward_default(void **state)
{
    (void)state;
    program_must("fk panda --frame panda_hand");
    char *rest = strdup(program.out);
    program_must("fk panda --frame panda_hand --at 'panda_joint1=0'");
    assert_string_equal(program.out, rest);
    program_write("p.csv", "panda_joint1\n0\n");
    program_must("fk panda --frame panda_hand --poses p.csv");
    assert_string_equal(program.out, rest);
    free(rest);
    unlink("p.csv");
}

static void test_forward_degrees(void **state)
{
    (void)state;
    program_must("fk planar2 --at 'shoulder=90 elbow=-90' --degrees");
    csv_table rows = table_of_output();
    lb_transform place = transform_at(&rows, 0);
    lb_transform expected = lb_transform_translation(1, 1, 0);
    assert_transform_near(&place, &expected, 1e-15);
    csv_release(&rows);
}

static void test_forward_json(void **state)
{
    (void)state;
    program_must("fk planar2 --at 'shoulder=0 elbow=0' --json");
    assert_true(program_begins(program.out, "{\"model\":\"planar2\",\"base\":\"base\","));
    assert_non_null(strstr(program.out, "\"poses\":[{\"position\":[2.0,"));

    /* rows go aside, to where --output says */
    program_must("fk planar2 --at 'shoulder=0 elbow=0' --json --output o.csv");
    assert_int_equal(program.out[0], '{');
    csv_table rows = table_of_file("o.csv");
    assert_int_equal(rows.rows, 1);
    csv_release(&rows);
    unlink("o.csv");
}

/* outside the limits it is computed all the same, and said */
static void test_forward_limits(void **state)
{
    (void)state;
    program_must("fk panda --frame panda_hand --at 'panda_joint4=1'");
    assert_non_null(strstr(program.err, "limber: note: --at: outside the limits: "));
    assert_non_null(strstr(program.err, "panda_joint4"));
    program_write("p.csv", "panda_joint4\n-1\n1\n-1\n2\n");
    program_must("fk panda --frame panda_hand --poses p.csv");
    assert_non_null(strstr(program.err, "p.csv: 2 of 4 poses are outside the limits"));
    unlink("p.csv");
}

/* ---- joints with several values ----------------------------------------- */

/* one ball joint and one of each other kind with several values */
static const char many[] =
    "{\"limber\": 1, \"name\": \"many\", \"links\": [{\"name\": \"l0\"}, {\"name\": \"l1\"},"
    " {\"name\": \"l2\"}, {\"name\": \"l3\"}, {\"name\": \"l4\"}], \"joints\": ["
    "{\"name\": \"b.all\", \"kind\": \"ball\", \"parent\": \"l0\", \"child\": \"l1\"},"
    "{\"name\": \"u\", \"kind\": \"universal\", \"parent\": \"l1\", \"child\": \"l2\"},"
    "{\"name\": \"p\", \"kind\": \"planar\", \"parent\": \"l2\", \"child\": \"l3\"},"
    "{\"name\": \"f\", \"kind\": \"floating\", \"parent\": \"l3\", \"child\": \"l4\"}]}";

static void check_same(const char *first, const char *second)
{
    program_must("%s", first);
    csv_table rows = table_of_output();
    lb_transform expected = transform_at(&rows, 0);
    csv_release(&rows);
    program_must("%s", second);
    rows = table_of_output();
    lb_transform place = transform_at(&rows, 0);
    csv_release(&rows);
    assert_transform_near(&place, &expected, 1e-15);
}

static void test_several_values(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "b.all.qw", "b.all.qx", "b.all.qy", "b.all.qz", "u.angle1", "u.angle2", "p.x",  "p.y",
        "p.angle",  "f.x",      "f.y",      "f.z",      "f.qw",     "f.qx",     "f.qy", "f.qz"};
    program_write("many.json", many);
    csv_table names = names_of_values("many.json");
    assert_int_equal(names.columns, 4 + 16);
    for (int k = 0; k < 16; k++)
        assert_string_equal(csv_name(&names, 4 + k), expected[k]);
    csv_release(&names);

    check_same("fk many.json --at 'b.all=0.5,0.5,0.5,0.5 p=1,2,0.5'",
               "fk many.json --at 'b.all.qx=0.5 b.all.qy=0.5 b.all.qz=0.5 b.all.qw=0.5 p.x=1 "
               "p.y=2 p.angle=0.5'");
    check_same("fk many.json --at 'b.all=0.3,0,0'",
               "fk many.json --at 'b.all.qw=0.98877107793604228 b.all.qx=0.14943813247359922'");
    check_same("fk many.json --at 'u=90,-45 p=0,0,30' --degrees",
               "fk many.json --at 'u=1.5707963267948966,-0.78539816339744828 "
               "p.angle=0.52359877559829882'");

    program_refuses("fk many.json --at 'b.all=1,2'",
                    "--at: joint 'b.all' (ball) takes 4 values, not 2");
    program_refuses("fk many.json --at 'b.all=0,0,0,0'",
                    "--at: joint 'b.all': a quaternion of length 0 is no rotation");
    program_refuses("fk many.json --at 'b.all.w=1'", "--at: no joint 'b.all.w'");
    program_refuses("fk many.json --at 'p.x=1,2'", "--at: 'p.x' takes 1 value, not 2");
    program_write("p.csv", "u\n1\n");
    program_refuses("fk many.json --poses p.csv", "p.csv:1: joint 'u' (universal) has 2 values, "
                                                  "'u.angle1' to 'u.angle2': give each of them");
    program_write("p.csv", "f.qw,f.x\n1,0\n0,1\n");
    program_refuses("fk many.json --poses p.csv",
                    "p.csv:3: joint 'f': a quaternion of length 0 is no rotation");
    program_write("p.csv", "f.qw,f.qx\n1,0\n1.01,0\n0,-2\n0.70710678,0.70710678\n");
    program_must("fk many.json --poses p.csv");
    assert_string_equal(program.err,
                        "limber: note: p.csv: 2 quaternions not of length 1, now normalised\n");
    unlink("p.csv");
    unlink("many.json");
}

/* ---- inverse kinematics ------------------------------------------------- */

/* targets that are reached for sure, from random poses; answers the tip's name in `tip` */
static void make_targets(const lb_model *model, const char *name, int link, int count,
                         uint64_t seed)
{
    static double q[200 * MAX_NQ];
    lb_random random = test_seed(seed);
    csv_table names = names_of_values(name);
    for (int i = 0; i < count; i++)
        lb_configuration_random(model, &random, q + i * lb_model_nq(model));
    write_poses("poses.csv", &names, q, lb_model_nq(model), count);
    csv_release(&names);
    program_must("fk '%s' --frame '%s' --poses poses.csv --output targets.csv", name,
                 lb_model_link(model, link)->name);
    unlink("poses.csv");
}

/* every row that says reached is at its target, within the limits; answers how many say so */
static int check_answers(const lb_model *model, const char *path, int base, int tip)
{
    csv_table targets = table_of_file("targets.csv"), answers = table_of_file(path);
    int reached = 0;
    assert_int_equal(targets.rows, answers.rows);
    for (int i = 0; i < answers.rows; i++) {
        lb_transform target = transform_at(&targets, i);
        lb_transform place = judge(model, &answers, i, base, tip);
        double distance = lb_transform_distance(&target, &place);
        double angle = lb_transform_angle(&target, &place);
        assert_near(number_at(&answers, i, 2), distance, 1e-9);
        assert_near(number_at(&answers, i, 3), angle, 1e-7);
        if (strcmp(csv_text(&answers, i, 0), "reached") != 0)
            continue;
        reached++;
        assert_true(distance <= 1e-6 + 1e-12 && angle <= 1e-6 + 1e-7);
    }
    csv_release(&targets);
    csv_release(&answers);
    return reached;
}

/* forward there and inverse back on every built-in model, in both methods */
static void test_inverse_round_trip(void **state)
{
    (void)state;
    enum { TARGETS = 50 };
    static const char *const sure[] = {"ur5", "panda", "iiwa14", "planar2"};
    for (int m = 0; m < lb_embedded_count(); m++) {
        const char *name = lb_embedded_at(m)->name;
        lb_model *model = load_or_fail(name);
        int tip = default_tip(model);
        make_targets(model, name, tip, TARGETS, 33);
        for (int k = 0; k < lb_method_count(); k++) {
            int status =
                program_run("ik %s --tip '%s' --targets targets.csv --method %s "
                            "--output answers.csv",
                            name, lb_model_link(model, tip)->name, lb_method_name(lb_method_at(k)));
            assert_string_equal(program.out, "");
            int reached = check_answers(model, "answers.csv", 0, tip);
            assert_int_equal(status, reached == TARGETS ? 0 : 1);
            for (size_t s = 0; k == 0 && s < sizeof sure / sizeof *sure; s++)
                if (strcmp(name, sure[s]) == 0)
                    assert_int_equal(reached, TARGETS);
        }
        lb_model_release(model);
    }
    unlink("targets.csv");
    unlink("answers.csv");
}

/* --json: exactly these members in this order, and they agree with each other */
static void test_inverse_summary(void **state)
{
    (void)state;
    lb_model *model = load_or_fail("ur5");
    make_targets(model, "ur5", default_tip(model), 30, 5);
    int status = program_run("ik ur5 --targets targets.csv --output answers.csv --json");
    int reached = check_answers(model, "answers.csv", 0, default_tip(model));
    int targets, told, end = 0;
    double seconds, rate, mean, p50, p99;
    int found = sscanf(program.out,
                       "{\"targets\":%d,\"reached\":%d,\"seconds\":%lf,\"solves_per_second\":%lf,"
                       "\"mean_us\":%lf,\"p50_us\":%lf,\"p99_us\":%lf}\n%n",
                       &targets, &told, &seconds, &rate, &mean, &p50, &p99, &end);
    assert_int_equal(found, 7);
    assert_int_equal(program.out[end], '\0');
    assert_int_equal(targets, 30);
    assert_int_equal(told, reached);
    assert_int_equal(status, reached == 30 ? 0 : 1);
    assert_true(seconds > 0 && seconds < 60);
    assert_near(rate * seconds, 30, 1e-6);
    assert_near(mean * 30, seconds * 1e6, 1e-6 * mean);
    assert_true(p50 > 0 && p50 <= p99);
    lb_model_release(model);
    unlink("targets.csv");
    unlink("answers.csv");
}

/* the same answers in every run, and as many rows as targets on standard output */
static void test_inverse_repeats(void **state)
{
    (void)state;
    lb_model *model = load_or_fail("panda");
    int tip = lb_model_find_link(model, "panda_hand");
    make_targets(model, "panda", tip, 20, 6);
    static const char line[] = "ik panda --tip panda_hand --targets targets.csv --protocol any";
    program_run("%s --seed 7", line);
    char *first = strdup(program.out);
    program_run("%s --seed 7", line);
    assert_string_equal(program.out, first);
    program_run("%s <targets.csv --targets - --seed 7", "ik panda --tip panda_hand --protocol any");
    assert_string_equal(program.out, first);
    csv_table rows = table_of_output();
    assert_int_equal(rows.rows, 20);
    csv_release(&rows);
    free(first);
    lb_model_release(model);
    unlink("targets.csv");
}

/* targets in another link's frame, above the tip and beside it */
static void test_inverse_base(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"panda_link2", "panda_hand"},
                                           {"panda_hand", "panda_link1"}};
    lb_model *model = load_or_fail("panda");
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
        program_must("ik panda --base %s --tip %s --position '%.17g %.17g %.17g' "
                     "--quaternion '%.17g %.17g %.17g %.17g'",
                     pairs[i][0], pairs[i][1], target.p.x, target.p.y, target.p.z, r.w, r.x, r.y,
                     r.z);
        csv_table answers = table_of_output();
        lb_transform place = judge(model, &answers, 0, base, tip);
        assert_transform_near(&place, &target, 2e-6);
        csv_release(&answers);
    }
    lb_model_release(model);
}

/* a start for each target: a start that is a solution is the answer, to the tolerance */
static void test_inverse_starts(void **state)
{
    (void)state;
    program_write("starts.csv", "elbow,shoulder\n0.5,0.25\n-0.5,1\n");
    program_must("fk planar2 --poses starts.csv --output targets.csv");
    program_must("ik planar2 --targets targets.csv --starts starts.csv");
    csv_table rows = table_of_output();
    int shoulder = csv_column(&rows, "shoulder"), elbow = csv_column(&rows, "elbow");
    assert_near(number_at(&rows, 0, shoulder), 0.25, 1e-5);
    assert_near(number_at(&rows, 0, elbow), 0.5, 1e-5);
    assert_near(number_at(&rows, 1, shoulder), 1, 1e-5);
    assert_near(number_at(&rows, 1, elbow), -0.5, 1e-5);
    csv_release(&rows);

    /* answers are poses: what was reached is where it should be */
    program_must("ik planar2 --targets targets.csv --starts starts.csv --output answers.csv");
    program_must("fk planar2 --poses answers.csv");
    csv_table back = table_of_output(), targets = table_of_file("targets.csv");
    for (int i = 0; i < 2; i++) {
        lb_transform place = transform_at(&back, i), target = transform_at(&targets, i);
        assert_transform_near(&place, &target, 2e-6);
    }
    csv_release(&back);
    csv_release(&targets);
    unlink("starts.csv");
    unlink("targets.csv");
    unlink("answers.csv");
}

/* out of reach: exit status 1, the row written, nearer than the start, and words that say why */
static void test_inverse_unreached(void **state)
{
    (void)state;
    assert_int_equal(program_run("ik planar2 --position '5 0 0'"), 1);
    csv_table rows = table_of_output();
    assert_string_not_equal(csv_text(&rows, 0, 0), "reached");
    program_must("fk planar2");
    csv_table start = table_of_output();
    lb_vec3 from = transform_at(&start, 0).p;
    double distance = lb_vec3_length(lb_vec3_sub(from, lb_vec3_make(5, 0, 0)));
    assert_true(number_at(&rows, 0, 2) <= distance);
    csv_release(&rows);
    csv_release(&start);

    program_write("t.csv", "x,y,z\n5,0,0\n1,1,0\n0,7,0\n");
    assert_int_equal(program_run("ik planar2 --targets t.csv --output o.csv --json"), 1);
    assert_true(program_begins(program.out, "{\"targets\":3,\"reached\":1,"));
    assert_true(program_has_file("o.csv"));
    assert_int_equal(program_run("ik planar2 --position '5 0 0' --report"), 1);
    assert_non_null(strstr(program.out, "\n  because   "));
    assert_int_equal(program_run("ik planar2 --targets t.csv --report"), 1);
    assert_true(program_begins(program.out, "1 of 3 targets reached"));
    assert_non_null(strstr(program.out, "\n  target 3: "));
    unlink("t.csv");
    unlink("o.csv");
}

/* a quaternion of length 1.01 is normalised and that is said, once for all */
static void test_inverse_normalises(void **state)
{
    (void)state;
    program_must("ik ur5 --position '0.4 0.2 0.3' --quaternion '0 1 0 0'");
    char *expected = strdup(program.out);
    assert_string_equal(program.err, "");
    program_must("ik ur5 --position '0.4 0.2 0.3' --quaternion '0 1.01 0 0'");
    assert_string_equal(program.out, expected);
    assert_string_equal(program.err,
                        "limber: note: --quaternion: not of length 1, now normalised\n");
    free(expected);
    program_write("t.csv", "x,y,z,qw,qx,qy,qz\n0.4,0.2,0.3,0,1.01,0,0\n0.4,0.2,0.3,0,1,0,0\n"
                           "0.4,0.2,0.3,0,0.99,0,0\n");
    program_must("ik ur5 --targets t.csv");
    assert_string_equal(
        program.err, "limber: note: t.csv: 2 of 3 quaternions not of length 1, now normalised\n");
    unlink("t.csv");
}

/* degrees in, degrees out; the errors stay metres and radians */
static void test_inverse_degrees(void **state)
{
    (void)state;
    program_must("ik ur5 --position '0.4 0.2 0.3' --rpy '3.1415926535897931 0 0.5'");
    csv_table radians = table_of_output();
    program_must("ik ur5 --position '0.4 0.2 0.3' --rpy '180 0 28.647889756541161' --degrees");
    csv_table degrees = table_of_output();
    assert_string_equal(csv_text(&radians, 0, 0), "reached");
    assert_string_equal(csv_text(&degrees, 0, 0), "reached");
    assert_true(number_at(&degrees, 0, 3) <= 1e-6);
    for (int k = 4; k < radians.columns; k++)
        assert_near(number_at(&degrees, 0, k) * LB_PI / 180, number_at(&radians, 0, k), 1e-9);
    csv_release(&radians);
    csv_release(&degrees);
}

/* a free axis: the tip's own axis points along the target's, its roll is anything */
static void test_inverse_free_axis(void **state)
{
    (void)state;
    lb_model *model = load_or_fail("ur5");
    int tip = default_tip(model);
    program_must("ik ur5 --position '0.4 0.2 0.3' --rpy '3.1415926535897931 0 0' "
                 "--free-axis '0 0 1'");
    csv_table answers = table_of_output();
    lb_transform place = judge(model, &answers, 0, 0, tip);
    assert_near(lb_vec3_dot(place.z, lb_vec3_make(0, 0, -1)), 1, 1e-11);
    assert_near(lb_vec3_length(lb_vec3_sub(place.p, lb_vec3_make(0.4, 0.2, 0.3))), 0, 1e-6);
    csv_release(&answers);

    /* a rotation alone leaves the place open */
    program_must("ik ur5 --rpy '0.1 0.2 0.3'");
    answers = table_of_output();
    place = judge(model, &answers, 0, 0, tip);
    lb_transform goal =
        lb_transform_from_quat(lb_quat_from_rpy(0.1, 0.2, 0.3), lb_vec3_make(0, 0, 0));
    assert_near(lb_transform_angle(&place, &goal), 0, 1e-6 + 1e-7);
    csv_release(&answers);
    lb_model_release(model);
}

/* ---- every model -------------------------------------------------------- */

/* all commands on one model that loads */
static void check_model(const char *name)
{
    lb_model *model = load_or_fail(name);
    program_must("info '%s'", name);
    for (int j = 0; j < lb_model_joint_count(model); j++)
        assert_non_null(strstr(program.out, lb_model_joint(model, j)->name));
    for (int i = 0; i < lb_model_link_count(model); i++)
        assert_non_null(strstr(program.out, lb_model_link(model, i)->name));
    program_must("info '%s' --json", name);
    assert_int_equal(program.out[0], '{');
    assert_int_equal(program.out[program.out_size - 2], '}');
    const char *tip = lb_model_link(model, default_tip(model))->name;
    program_must("fk '%s' --frame '%s' --output t.csv", name, tip);
    if (lb_model_nq(model) > 0) {
        int status = program_run("ik '%s' --tip '%s' --targets t.csv --report", name, tip);
        assert_true(status == 0 || status == 1);
    }
    program_must("draw '%s' --output figure.svg", name);
    assert_true(program_has_file("figure.svg"));
    unlink("figure.svg");
    unlink("t.csv");
    lb_model_release(model);
}

static void test_built_in_models(void **state)
{
    (void)state;
    program_must("models");
    char *list = strdup(program.out);
    assert_true(lb_embedded_count() >= 9);
    for (int m = 0; m < lb_embedded_count(); m++) {
        assert_non_null(strstr(list, lb_embedded_at(m)->name));
        check_model(lb_embedded_at(m)->name);
    }
    free(list);
}

/* real files: all are shown and solved but for the two that are malformed */
static void test_real_files(void **state)
{
    (void)state;
    static const char *const malformed[] = {"bullet_diff_ring.urdf", "bullet_bike.urdf"};
    DIR *folder = opendir(LIMBER_DATA_DIR "/urdf");
    if (folder == NULL) {
        print_message("%s/urdf is not there: real files not tried\n", LIMBER_DATA_DIR);
        skip();
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[4096];
        bool bad = false;
        if (strstr(entry->d_name, ".urdf") == NULL)
            continue;
        snprintf(path, sizeof path, "%s/urdf/%s", LIMBER_DATA_DIR, entry->d_name);
        for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
            bad = bad || strcmp(entry->d_name, malformed[i]) == 0;
        if (!bad) {
            check_model(path);
            continue;
        }
        char arguments[8192], place[8192];
        snprintf(arguments, sizeof arguments, "info '%s'", path);
        snprintf(place, sizeof place, "%s:", path);
        program_refuses(arguments, place);
    }
    closedir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forward_rows),       cmocka_unit_test(test_forward_same),
        cmocka_unit_test(test_forward_default),    cmocka_unit_test(test_default_tip),
        cmocka_unit_test(test_forward_degrees),    cmocka_unit_test(test_forward_json),
        cmocka_unit_test(test_forward_limits),     cmocka_unit_test(test_several_values),
        cmocka_unit_test(test_inverse_round_trip), cmocka_unit_test(test_inverse_summary),
        cmocka_unit_test(test_inverse_repeats),    cmocka_unit_test(test_inverse_base),
        cmocka_unit_test(test_inverse_starts),     cmocka_unit_test(test_inverse_unreached),
        cmocka_unit_test(test_inverse_normalises), cmocka_unit_test(test_inverse_degrees),
        cmocka_unit_test(test_inverse_free_axis),  cmocka_unit_test(test_built_in_models),
        cmocka_unit_test(test_real_files),
    };
    return cmocka_run_group_tests(tests, program_start, program_stop);
}
