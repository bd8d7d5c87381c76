/*
 * test_cli_forward.c - limber fk: rows, units, columns in any order, defaults,
 * joints with several values; verified by the tests' own 4x4 forward kinematics.
 */
#define _XOPEN_SOURCE 700

#include <limber/formats/load.h>

#include <math.h>
#include <unistd.h>

#include "results.h"

/* every built-in model: random poses, columns reversed, against the oracle */
TEST(test_forward_rows)
{
    enum { POSES = 20 };
    static double q[POSES * MAX_NQ];
    lb_random random = test_seed(21);
    for (int m = 0; m < lb_embedded_count(); m++) {
        const char *name = lb_embedded_at(m)->name;
        owned_model *model = load_or_fail(name);
        // dependent joints follow: test_cli_loops.c
        if (lb_model_loop_count(model) > 0)
            continue;
        owned_table names = names_of_values(name);
        int nq = lb_model_nq(model), tip = default_tip(model);
        assert_int_equal(names.columns, 4 + nq);
        for (int i = 0; i < POSES; i++)
            lb_configuration_random(model, &random, q + i * nq);
        write_poses("poses.csv", &names, q, nq, POSES);

        program_must("fk %s --frame '%s' --poses poses.csv", name, lb_model_link(model, tip)->name);
        assert_string_equal(program.err, "");
        owned_table rows = table_of_output();
        assert_int_equal(rows.rows, POSES);
        for (int i = 0; i < POSES; i++) {
            lb_transform links[MAX_LINKS], row = transform_at(&rows, i);
            test_forward(model, q + i * nq, links);
            lb_transform expected = lb_transform_between(&links[0], &links[tip]);
            assert_transform_near(&row, &expected, 1e-12 * (1 + lb_vec3_length(expected.p)));
        }
    }
}

/* the same pose by every way of giving it is the same row */
TEST(test_forward_same)
{
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
    owned char *expected =
        program_output("fk planar2 --at 'shoulder=0.5 elbow=+25e-2' --frame tip");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        program_repeats(expected, "%s", ways[i]);
    }
}

/* without --frame the hand or tip that most joints move, which is said when there are several */
TEST(test_default_tip)
{
    program_must("fk planar2");
    assert_string_equal(program.err, "");
    program_must("fk panda");
    assert_string_equal(program.err, "limber: note: using tip 'panda_hand'; --frame chooses\n");
    owned char *chosen = strdup(program.out);
    program_repeats(chosen, "fk panda --frame panda_hand");

    // limber info says which one it is; where nothing goes on, nothing is chosen
    program_prints("info panda", " panda_hand (9, the default), panda_leftfinger (10)");
    program_prints("info panda --json", "\"tip\":\"panda_hand\"");
    program_refuses("fk panda --at elephant=1", "no joint 'elephant'");
    program_refuses("fk human --at left_shoulder.yaw=1",
                    "joint 'left_shoulder' (ball) has no value 'yaw': it has 'qw' to 'qz'");
    program_refuses("fk panda --at panda_joint1.x=1", "did you mean 'panda_joint1'?");
    program_refuses("ik panda --position '0 0 0' --start elephant=1", "no joint 'elephant'");
    program_refuses("ik panda --position '0 0 0' --method analytic", "method 'analytic'");
}

/* the tip of a tree of these joints, as "parent child x" of moving (or fixed) ones, and the others
 */
static void check_tip(const char *joints[][4], int count, const char *remark)
{
    FILE *file = fopen("tips.json", "w");
    assert_non_null(file);
    fputs("{\"name\": \"m\", \"links\": [{\"name\": \"base\"}", file);
    for (int i = 0; i < count; i++)
        fprintf(file, ", {\"name\": \"%s\"}", joints[i][1]);
    fputs("], \"joints\": [", file);
    for (int i = 0; i < count; i++)
        fprintf(file,
                "%s{\"name\": \"j%d\", \"parent\": \"%s\", \"child\": \"%s\", \"kind\": \"%s\", "
                "\"placement\": {\"xyz\": [%s, 0, 0]}}",
                i > 0 ? "," : "", i, joints[i][0], joints[i][1], joints[i][3], joints[i][2]);
    fputs("]}", file);
    fclose(file);
    program_must("fk tips.json");
    assert_string_equal(program.err, remark);
    unlink("tips.json");
}

/* a tool by its name, the hand and not a finger, and of several arms the first with the others */
TEST(test_usual_tips)
{
    const char *tool[][4] = {{"base", "a", "1", "continuous"},
                             {"a", "b", "1", "continuous"},
                             {"b", "camera", "1", "continuous"},
                             {"b", "left_Tool0", "0", "fixed"}};
    check_tip(tool, 4, "limber: note: using tip 'left_Tool0'; --frame chooses\n");
    const char *hand[][4] = {
        {"base", "a", "1", "continuous"},    {"a", "palm", "1", "continuous"},
        {"palm", "f1", "0.1", "continuous"}, {"palm", "f2", "0.1", "continuous"},
        {"f1", "f1_end", "0.1", "fixed"},    {"f2", "f2_end", "0.1", "fixed"}};
    check_tip(hand, 6, "limber: note: using tip 'palm'; --frame chooses\n");
    const char *arms[][4] = {{"base", "l1", "1", "continuous"},
                             {"l1", "l2", "1", "continuous"},
                             {"base", "r1", "1", "continuous"},
                             {"r1", "r2", "1", "continuous"},
                             {"base", "rod", "1", "fixed"}};
    check_tip(arms, 5, "limber: note: using tip 'l2' rather than r2; --frame chooses\n");
}

/* what is not named is at its default */
TEST(test_forward_default)
{
    owned char *rest = program_output("fk panda --frame panda_hand");
    program_repeats(rest, "fk panda --frame panda_hand --at 'panda_joint1=0'");
    program_write("p.csv", "panda_joint1\n0\n");
    program_repeats(rest, "fk panda --frame panda_hand --poses p.csv");
}

TEST(test_forward_degrees)
{
    owned_table rows = program_table("fk planar2 --at 'shoulder=90 elbow=-90' --degrees");
    lb_transform place = transform_at(&rows, 0);
    lb_transform expected = lb_transform_translation(1, 1, 0);
    assert_transform_near(&place, &expected, 1e-15);
}

TEST(test_forward_json)
{
    program_must("fk planar2 --at 'shoulder=0 elbow=0' --json");
    assert_true(program_begins(program.out, "{\"poses\":[{\"position\":[2.0,"));
    assert_printed("}],\"model\":\"planar2\",\"base\":\"base\",");

    /* rows go aside, to where --output says */
    program_must("fk planar2 --at 'shoulder=0 elbow=0' --json --output o.csv");
    assert_int_equal(program.out[0], '{');
    owned_table rows = table_of_file("o.csv");
    assert_int_equal(rows.rows, 1);
}

/* outside the limits it is computed all the same, and said in the user's unit */
TEST(test_forward_limits)
{
    static const char *const cases[][2] = {
        {"fk panda --frame panda_hand --at panda_joint4=1",
         "--at: outside the limits: joint 'panda_joint4': 1 is above its upper limit -0.0698 rad"},
        {"fk panda --frame panda_hand --at panda_joint4=-180 --degrees",
         "joint 'panda_joint4': -180 is below its lower limit -176.001 degrees"},
        {"fk panda --frame panda_hand --at panda_finger_joint1=1 --degrees",
         "joint 'panda_finger_joint1': 1 is above its upper limit 0.04 m"},
        {"fk human --frame head_top --at neck=60,0,0 --degrees",
         "joint 'neck': swing 60 is above its upper limit 50 degrees"},
        {"fk human --frame head_top --at neck=0,0,-80 --degrees",
         "joint 'neck': twist -80 is below its lower limit -75 degrees"},
        {"fk human --frame left_toe --at left_ankle=1,0",
         "joint 'left_ankle.angle1': 1 is above its upper limit 0.872665 rad"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        program_must("%s", cases[i][0]);
        if (strstr(program.err, cases[i][1]) == NULL)
            fail_msg("%s: %s", cases[i][0], program.err);
    }
    program_write("p.csv", "panda_joint4\n-1\n1\n-1\n2\n");
    program_must("fk panda --frame panda_hand --poses p.csv");
    assert_string_equal(program.err,
                        "limber: note: p.csv: 2 of 4 poses are outside the limits; the first: "
                        "joint 'panda_joint4': 1 is above its upper limit -0.0698 rad\n");
}

/* degrees where radians are read are noticed; angles that may well be radians are not */
TEST(test_degrees_noticed)
{
    static const char *const degrees[] = {
        "fk ur5 --at elbow_joint=90",
        "fk panda --frame panda_hand --at panda_joint2=-45",
        "fk planar3 --at joint_2=30",
        "fk human --frame head_top --at neck=0,20,0",
        "ik ur5 --position '0.4 0.2 0.3' --rpy '180 0 0'",
        "ik ur5 --position '0.4 0.2 0.3' --start shoulder_pan_joint=-90",
        "ik ur5 --position '0.4 0.2 0.3' --gains elbow_joint=0.1 --desired elbow_joint=90",
        "draw panda --view '45 20' --output f.svg",
        "animate planar3 --to '10 5 0' --start joint_1=90 --output f.csv",
    };
    static const char *const radians[] = {
        "fk ur5 --at elbow_joint=-6.2",
        "fk ur5 --at elbow_joint=7", // outside the limits, but not far
        "fk planar3 --at joint_2=20.5",
        "fk human --frame head_top --at neck=0,0.3,0",
        "ik ur5 --position '0.4 0.2 0.3' --rpy '6.2832 0 0'",
        "draw panda --view '-3.1 0.5' --output f.svg",
    };
    static const char says[] = " is read in radians but looks like degrees; add --degrees if it is";
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++) {
        program_must("%s", degrees[i]);
        if (strstr(program.err, says) == NULL)
            fail_msg("%s: %s", degrees[i], program.err);
        program_must("%s --degrees", degrees[i]);
        assert_not_said("note");
    }
    for (size_t i = 0; i < sizeof radians / sizeof *radians; i++) {
        program_must("%s", radians[i]);
        if (strstr(program.err, says) != NULL)
            fail_msg("%s: %s", radians[i], program.err);
    }
    program_write("p.csv", "elbow_joint\n1\n-90\n");
    program_must("fk ur5 --poses p.csv");
    assert_said("p.csv: joint 'elbow_joint': -90 is read in radians");
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
    csv_table rows = program_table("%s", first);
    lb_transform expected = transform_at(&rows, 0);
    csv_release(&rows);
    rows = program_table("%s", second);
    lb_transform place = transform_at(&rows, 0);
    csv_release(&rows);
    assert_transform_near(&place, &expected, 1e-15);
}

TEST(test_several_values)
{
    static const char *const expected[] = {
        "b.all.qw", "b.all.qx", "b.all.qy", "b.all.qz", "u.angle1", "u.angle2", "p.x",  "p.y",
        "p.angle",  "f.x",      "f.y",      "f.z",      "f.qw",     "f.qx",     "f.qy", "f.qz"};
    program_write("many.json", many);
    owned_table names = names_of_values("many.json");
    assert_int_equal(names.columns, 4 + 16);
    for (int k = 0; k < 16; k++)
        assert_string_equal(csv_name(&names, 4 + k), expected[k]);

    check_same("fk many.json --at 'b.all=0.5,0.5,0.5,0.5 p=1,2,0.5'",
               "fk many.json --at 'b.all.qx=0.5 b.all.qy=0.5 b.all.qz=0.5 b.all.qw=0.5 p.x=1 "
               "p.y=2 p.angle=0.5'");
    check_same("fk many.json --at 'b.all=0.3,0,0'",
               "fk many.json --at 'b.all.qw=0.98877107793604228 b.all.qx=0.14943813247359922'");
    check_same("fk many.json --at 'u=90,-45 p=0,0,30' --degrees",
               "fk many.json --at 'u=1.5707963267948966,-0.78539816339744828 "
               "p.angle=0.52359877559829882'");

    program_refuses("fk many.json --at 'b.all=1,2'",
                    "--at: joint 'b.all' (ball) takes roll,pitch,yaw or qw,qx,qy,qz, not 2 values");
    check_same("fk many.json --at 'b.all=0,0,30 f=1,2,3,0,0,90' --degrees",
               "fk many.json --at 'b.all=0.96592582628906829,0,0,0.25881904510252076 "
               "f=1,2,3,0.70710678118654752,0,0,0.70710678118654752'");
    program_refuses("fk many.json --at 'f=1,2,3'",
                    "--at: joint 'f' (floating) takes x,y,z,roll,pitch,yaw or "
                    "x,y,z,qw,qx,qy,qz, not 3 values");
    program_refuses("fk many.json --at 'p=1'", "(planar) takes x,y,angle, not 1 value");
    program_refuses("fk many.json --at 'b.all=0,0,0,0'",
                    "--at: joint 'b.all': a quaternion of length 0 is no rotation");
    program_refuses("fk many.json --at 'b.all.w=1'", "--at: joint 'b.all' (ball) has no value 'w'");
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
}

/* what ik finds for a base can be checked by fk with the same base */
TEST(test_base)
{
    program_write("moved.json",
                  "{\"limber\":1,\"name\":\"moved\",\"root\":{\"xyz\":[1,2,3],"
                  "\"rpy\":[0,0,1]},\"links\":[{\"name\":\"a\"},{\"name\":\"b\"},"
                  "{\"name\":\"c\"}],\"joints\":[{\"name\":\"j\",\"kind\":\"continuous\","
                  "\"parent\":\"a\",\"child\":\"b\"},{\"name\":\"k\",\"kind\":\"continuous\","
                  "\"parent\":\"b\",\"child\":\"c\",\"placement\":{\"xyz\":[1,0,0]}}]}");
    static const double expected[3][3] = {
        {1 + 0.54030230586813977, 2 + 0.8414709848078965, 3}, {1, 0, 0}, {0, 0, 0}};
    static const char *const bases[] = {"world", "a", "c"};
    for (int i = 0; i < 3; i++) {
        owned_table rows =
            program_table("fk moved.json --base %s --frame c --at 'j=0 k=0.3'", bases[i]);
        lb_transform found = transform_at(&rows, 0);
        assert_near(found.p.x, expected[i][0], 1e-15);
        assert_near(found.p.y, expected[i][1], 1e-15);
        assert_near(found.p.z, expected[i][2], 0);
    }

    // of a root that is called world, as in captures, the world is meant
    program_write("moved.json", "{\"limber\":1,\"name\":\"moved\",\"root\":{\"xyz\":[1,2,3]},"
                                "\"links\":[{\"name\":\"world\"},{\"name\":\"b\"}],\"joints\":["
                                "{\"name\":\"j\",\"kind\":\"continuous\",\"parent\":\"world\","
                                "\"child\":\"b\"}]}");
    csv_table rows = program_table("fk moved.json --base world --frame b");
    assert_near(transform_at(&rows, 0).p.z, 3, 0);
    csv_release(&rows);
    program_must("ik planar3 --base world --position '-20 5 0' --output q.csv");
    rows = program_table("fk planar3 --base world --poses q.csv");
    assert_near(transform_at(&rows, 0).p.x, -20, 1e-6);
    csv_release(&rows);
    program_refuses("fk planar3 --base nowhere --at 'joint_1=0'", "--base: no link 'nowhere'");
}

/* the matrix in row i of a table of factors */
static lb_transform matrix_at(const csv_table *rows, int i)
{
    double m[12];
    for (int k = 0; k < 12; k++)
        m[k] = number_at(rows, i, 2 + k);
    return (lb_transform){
        {m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}, {m[3], m[7], m[11]}};
}

/* a point of any link as any other sees it, and back again */
TEST(test_point)
{
    owned_model *model = load_or_fail("human");
    static lb_transform links[MAX_LINKS];
    lb_vec3 p = {0.1, -0.2, 0.3};
    double q[MAX_NQ];
    lb_configuration_neutral(model, q);
    test_forward(model, q, links);
    for (int i = 1; i < lb_model_link_count(model); i++) {
        int base = (7 * i) % lb_model_link_count(model);
        lb_transform seen = lb_transform_between(&links[base], &links[i]);
        lb_vec3 wanted = lb_transform_point(&seen, p);
        owned_table rows =
            program_table("fk human --frame %s --base %s --point '0.1 -0.2 0.3'",
                          lb_model_link(model, i)->name, lb_model_link(model, base)->name);
        assert_int_equal(rows.columns, 3);
        lb_vec3 there = {number_at(&rows, 0, 0), number_at(&rows, 0, 1), number_at(&rows, 0, 2)};
        assert_near(lb_vec3_length(lb_vec3_sub(there, wanted)), 0, 1e-12);
    }
    program_prints("fk planar3 --frame link_3 --base tip --point '5 0 0' --report",
                   "the point of link_3 in the frame of tip\n  position         0.000000");
    program_prints("fk planar3 --frame link_3 --base world --point '5 0 0' --json",
                   "\"position\":[15.77");
    program_refuses("fk planar3 --point '5 0'", "--point");
    program_refuses("fk planar3 --point '5 0 0' --factors", "--point has no effect");
}

/* the factors multiplied are the product, which is what fk prints; angles stand in the R */
TEST(test_factors)
{
    owned_table place =
        program_table("fk human --base world --frame left_hand --at 'left_elbow=0.7'");
    lb_transform expected = transform_at(&place, 0), product = LB_TRANSFORM_IDENTITY;
    owned_table rows =
        program_table("fk human --base world --frame left_hand --at 'left_elbow=0.7' --factors");
    assert_string_equal(csv_text(&rows, 0, 0), "T_0");
    for (int i = 0; i + 1 < rows.rows; i++) {
        lb_transform factor = matrix_at(&rows, i);
        product = lb_transform_multiply(&product, &factor);
    }
    lb_transform last = matrix_at(&rows, rows.rows - 1);
    assert_string_equal(csv_text(&rows, rows.rows - 1, 0), "product");
    assert_transform_near(&product, &last, 1e-14);
    assert_transform_near(&product, &expected, 1e-14);

    program_must("fk planar3 --base world --factors --at 'joint_1=0.5' --report");
    assert_printed("= T_0 T_1 R_1 T_2 R_2 T_3 R_3 T_4\n");
    assert_printed("    0.877583  -0.479426");
    program_prints("fk planar3 --factors --at 'joint_1=0.5' --json",
                   "{\"factor\":\"R_1\",\"joint\":\"joint_1\",\"matrix\":[[");
    program_refuses("fk human --base left_foot --frame left_hand --factors --at 'left_elbow=0'",
                    "does not lie between");
    program_write("two.csv", "joint_1\n0\n1\n");
    program_refuses("fk planar3 --factors --poses two.csv", "one pose is wanted");
}

/* the Jacobian's columns are differences of positions, and its words say what is singular */
TEST(test_jacobian)
{
    const double h = 1e-6;
    for (int base = 0; base < 2; base++) {
        const char *of = base ? "--base right_hand" : "--base world";
        owned_table j =
            program_table("fk human %s --frame left_hand --at 'left_elbow=0.7' --jacobian", of);
        int column = csv_column(&j, "left_elbow");
        assert_true(column > 0 && j.rows == 6);
        assert_int_equal(csv_column(&j, "left_knee"), -1);
        assert_true((csv_column(&j, "right_shoulder.2") > 0) == (base == 1));
        lb_vec3 ends[2];
        for (int side = 0; side < 2; side++) {
            owned_table place = program_table(
                "fk human %s --frame left_hand --at 'left_elbow=%.9f'", of, 0.7 + (side ? h : -h));
            ends[side] = transform_at(&place, 0).p;
        }
        lb_vec3 rate = lb_vec3_scale(lb_vec3_sub(ends[1], ends[0]), 0.5 / h);
        assert_near(number_at(&j, 0, column), rate.x, 1e-8);
        assert_near(number_at(&j, 1, column), rate.y, 1e-8);
        assert_near(number_at(&j, 2, column), rate.z, 1e-8);
    }
    // the stretched arm moves across itself alone; Eq. 5.17 of the bent one
    program_prints("fk planar3 --jacobian --report --at 'joint_1=0 joint_2=0 joint_3=0'",
                   "rank 1, manipulability 0, condition infinite");
    assert_true(strstr(program.out, "along 1.00 0.00 0.00") != NULL ||
                strstr(program.out, "along -1.00 0.00 0.00") != NULL);
    // two directions leave it there; else one, along the cross product of the rows, unless none
    // does
    assert_null(strstr(program.out, "null space"));
    program_must(
        "fk planar3 --jacobian --report --at 'joint_1=0 joint_2=1.5707963267948966 joint_3=0'");
    // 15 0 0 and -15 -15 -5 have the cross product 0 75 -225
    assert_printed("null space: joint_1 0.0000, joint_2 0.3162, joint_3 -0.9487\n");
    program_must("fk planar2 --jacobian --report");
    assert_null(strstr(program.out, "null space"));
    program_prints("fk planar3 --jacobian --json",
                   "\"columns\":[\"joint_1\",\"joint_2\",\"joint_3\"]");
    program_refuses("fk planar3 --jacobian --factors", "choose one");
}

/* along a path, of the origin or a point: the square root of the determinant of J J^T */
TEST(test_manipulability)
{
    program_must("follow planar3 --to '-20 5 0' --rate 10 --output path.csv");
    owned_table path = table_of_file("path.csv");
    // the end of link 3 is 5 along it, where the tip is
    static const char *const said[] = {"", "--frame link_3 --point '5 0 0'"};
    for (int k = 0; k < 2; k++) {
        owned_table table =
            program_table("fk planar3 --poses path.csv --manipulability %s", said[k]);
        assert_int_equal(table.rows, path.rows);
        assert_true(table.rows > 10);
        for (int i = 0; i < table.rows; i++) {
            double a = 0, x[3], y[3], xx = 0, xy = 0, yy = 0;
            static const double lengths[] = {15, 10, 5};
            for (int j = 0; j < 3; j++) {
                a += number_at(&path, i, csv_column(&path, "joint_1") + j);
                x[j] = lengths[j] * cos(a);
                y[j] = lengths[j] * sin(a);
            }
            for (int j = 0; j < 3; j++) {
                double jx = 0, jy = 0;
                for (int m = j; m < 3; m++) {
                    jx -= y[m];
                    jy += x[m];
                }
                xx += jx * jx;
                xy += jx * jy;
                yy += jy * jy;
            }
            double found = number_at(&table, i, csv_column(&table, "manipulability"));
            assert_near(found, sqrt(xx * yy - xy * xy), 1e-9);
        }
    }
    program_prints("fk planar3 --at 'joint_1=0.3 joint_2=0 joint_3=0' --manipulability --report",
                   "  manipulability          0\n");
    program_refuses("fk planar3 --at 'joint_1=0' --jacobian --manipulability", "has no effect");
}

TEST_FIXTURE(program_start, program_stop)
