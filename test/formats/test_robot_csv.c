/*
 * test_robot_csv.c - robot motion as tables: both kinds there and back, real robots, and tables
 * that are wrong.
 */
#include "grown.h"
#include "refusal.h"
#include "support_growth.h"
#include "support_load.h"

#include <limber/formats/load.h>
#include <limber/formats/robot_csv.h>
#include <unistd.h>

static const char robot_text[] =
    "<robot name='r'><link name='base'/><link name='a'/><link name='b'/><link name='c'/>"
    "<link name='d'/>"
    "<joint name='hip' type='continuous'><parent link='base'/><child link='a'/></joint>"
    "<joint name='rail' type='prismatic'><parent link='a'/><child link='b'/>"
    "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"
    "<joint name='twin' type='continuous'><parent link='base'/><child link='c'/>"
    "<mimic joint='hip'/></joint>"
    "<joint name='stiff' type='fixed'><parent link='base'/><child link='d'/></joint></robot>";

static lb_model *small_robot(void)
{
    owned_model *fixed = NULL;
    assert_ok(lb_load_memory("r.urdf", robot_text, strlen(robot_text), NULL, &fixed, NULL));
    lb_model *model = test_with_root(fixed, LB_JOINT_FLOATING);
    return model;
}

/* ---- texts -------------------------------------------------------------- */

static grown written(const lb_clip *clip, lb_robot_csv kind)
{
    grown to = {0};
    assert_made(lb_robot_csv_write(clip, kind, grown_add, &to, &cause), cause);
    return to;
}

static lb_clip *read_text(const lb_model *model, const char *text)
{
    lb_clip *clip = NULL;
    assert_made(lb_robot_csv_load_memory("t.csv", text, strlen(text), model, NULL, &clip, &cause),
                cause);
    return clip;
}

/* ---- the kinds ---------------------------------------------------------- */

/* one pose by hand in both: 1 2 3 m, a quarter turn about z, 30 degrees, 5 cm */
TEST(both_kinds_are_what_they_say)
{
    owned_model *model = small_robot();
    static const char *const texts[] = {
        "1,2,3,0,0,0.7071067811865476,0.7071067811865476,0.5235987755982988,0.05\n",
        "Frame,root_translateX,root_translateY,root_translateZ,root_rotateX,root_rotateY,"
        "root_rotateZ,rail_dof,hip\r\n7,100,200,300,0,0,90,5,30\r\n\r\n",
    };
    for (int i = 0; i < 2; i++) {
        owned_clip *clip = read_text(model, texts[i]);
        assert_int_equal(lb_robot_csv_recognise(texts[i], strlen(texts[i])),
                         i == 0 ? LB_ROBOT_CSV_LAFAN1 : LB_ROBOT_CSV_BONES);
        assert_int_equal(lb_clip_count(clip), 1);
        const double *q = lb_clip_key(clip, 0);
        const double *root = &q[lb_model_joint_q(model, lb_model_find_joint(model, "root"))];
        const double expected[] = {1, 2, 3, sqrt(0.5), 0, 0, sqrt(0.5)};
        for (int k = 0; k < 7; k++)
            assert_near(root[k], expected[k], 1e-15);
        assert_near(q[lb_model_joint_q(model, lb_model_find_joint(model, "hip"))], LB_PI / 6,
                    1e-15);
        assert_near(q[lb_model_joint_q(model, lb_model_find_joint(model, "rail"))], 0.05, 1e-16);
    }
    assert_int_equal(lb_robot_csv_recognise("time,hip\n0,1", 12), LB_ROBOT_CSV_RECOGNISE);
    assert_int_equal(lb_robot_csv_recognise("", 0), LB_ROBOT_CSV_RECOGNISE);
}

/* random motion there and back, of each kind and from one to the other */
static void check_round_trip(const lb_model *model, lb_random *random)
{
    enum { FRAMES = 20 };
    int nq = lb_model_nq(model), nv = lb_model_nv(model);
    double times[FRAMES], *keys = calloc((size_t)(FRAMES * nq), sizeof *keys);
    owned double *v = calloc((size_t)nv, sizeof *v);
    for (int i = 0; i < FRAMES; i++) {
        times[i] = i / 30.0;
        lb_configuration_random(model, random, &keys[i * nq]);
    }
    owned_clip *again = NULL, *third = NULL;
    owned_clip *clip = test_clip(model, times, keys, FRAMES, LB_INTERPOLATION_LINEAR);
    grown text = written(clip, LB_ROBOT_CSV_LAFAN1);
    again = read_text(model, text.text);
    grown other = written(again, LB_ROBOT_CSV_BONES);
    third = read_text(model, other.text);
    assert_near(lb_clip_rate(again, 1e-9), 30, 1e-9);
    assert_near(lb_clip_rate(third, 1e-9), 120, 1e-9);
    for (int i = 0; i < FRAMES; i++) {
        lb_configuration_difference(model, lb_clip_key(clip, i), lb_clip_key(again, i), v);
        for (int k = 0; k < nv; k++)
            assert_near(v[k], 0, 1e-11);
        lb_configuration_difference(model, lb_clip_key(again, i), lb_clip_key(third, i), v);
        // angles in three parts lose the most where two of their axes coincide
        for (int k = 0; k < nv; k++)
            assert_near(v[k], 0, 1e-9);
    }
    free(text.text);
    free(other.text);
    free(keys);
}

TEST(poses_come_back)
{
    lb_random random = test_seed(1);
    owned_model *model = small_robot();
    check_round_trip(model, &random);
}

/* the G1: 36 columns in the order of its URDF */
TEST(the_g1_has_36_columns)
{
    static const char path[] = LIMBER_DATA_DIR "/urdf/unitree_g1_29dof_rev_1_0.urdf";
    if (access(path, R_OK) != 0) {
        print_message("skipped: there is no %s\n", path);
        skip();
    }
    owned_model *fixed = test_load(path), *model = test_with_root(fixed, LB_JOINT_FLOATING);
    lb_random random = test_seed(2);
    check_round_trip(model, &random);
    owned double *q = calloc((size_t)lb_model_nq(model), sizeof *q);
    lb_configuration_neutral(model, q);
    owned_clip *clip = test_clip(model, (double[]){0}, q, 1, LB_INTERPOLATION_LINEAR);
    grown text = written(clip, LB_ROBOT_CSV_LAFAN1);
    int columns = 1;
    for (const char *c = text.text; *c != '\0'; c++)
        columns += *c == ',';
    assert_int_equal(columns, 36);
    grown named = written(clip, LB_ROBOT_CSV_BONES);
    static const char *const order[] = {"left_hip_pitch_joint_dof",
                                        "left_hip_roll_joint_dof",
                                        "left_ankle_roll_joint_dof",
                                        "right_hip_pitch_joint_dof",
                                        "waist_yaw_joint_dof",
                                        "waist_pitch_joint_dof",
                                        "left_shoulder_pitch_joint_dof",
                                        "left_wrist_yaw_joint_dof",
                                        "right_shoulder_pitch_joint_dof",
                                        "right_wrist_yaw_joint_dof"};
    const char *at = named.text;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const char *found = strstr(named.text, order[i]);
        assert_true(found > at);
        at = found;
    }
    free(text.text);
    free(named.text);
}

/* ---- what is wrong ------------------------------------------------------ */

#define HEAD                                                                                       \
    "Frame,root_translateX,root_translateY,root_translateZ,root_rotateX,root_rotateY,root_"        \
    "rotateZ,"

TEST(bad_tables_are_refused)
{
    static const refusal refusals[] = {
        {"", LB_SYNTAX_ERROR, 0, "the file is empty"},
        {"\n \n", LB_SYNTAX_ERROR, 0, "the file is empty"},
        {"1,2,3,0,0,0,1,0\n", LB_SYNTAX_ERROR, 1, "8 columns, where the model's root and joints"},
        {"1,2,3,0,0,0,1,0,0\n1,2,3,0,0,0,1,0,0,0\n", LB_SYNTAX_ERROR, 2, "more than 9 columns"},
        {"1,2,3,0,0,0,1,0,x\n", LB_BAD_VALUE, 1, "column 9: 'x' is not a number"},
        {"1,2,3,0,0,0,1,0,\n", LB_BAD_VALUE, 1, "column 9: '' is not a number"},
        {"1,2,3,0,0,0,1,nan,0\n", LB_BAD_VALUE, 1, "column 8: 'nan' is not a finite number"},
        {"1,2,3,0,0,0,1,1e16,0\n", LB_BAD_VALUE, 1, "column 8: '1e16' is beyond 1e15"},
        {"1,2,3,0,0,0,2,0,0\n", LB_BAD_VALUE, 1, "columns 4 to 7 are no quaternion"},
        {HEAD "hip_dof,rail_dof\n", LB_BAD_VALUE, 1, "there are no frames"},
        {HEAD "hip_dof\n", LB_NOT_FOUND, 1, "no column 'rail_dof'"},
        {HEAD "hip_dof,hop_dof\n", LB_NOT_FOUND, 1, "column 'hop_dof' is no joint's"},
        {HEAD "hip_dof,hip\n", LB_SYNTAX_ERROR, 1, "columns 8 and 9 are the same"},
        {HEAD "hip_dof,twin_dof\n", LB_NOT_FOUND, 1, "column 'twin_dof' is no joint's"},
        {HEAD "hip_dof,rail_dof,Frame\n", LB_SYNTAX_ERROR, 1, "more than 9 columns"},
        {"Frame,root_translateX,hip,rail\n", LB_NOT_FOUND, 1, "the root's columns"},
    };
    owned_model *model = small_robot();
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        lb_clip *clip = (lb_clip *)(uintptr_t)1;
        lb_error error = {0};
        lb_status status = lb_robot_csv_load_memory(
            "bad.csv", refusals[i].text, strlen(refusals[i].text), model, NULL, &clip, &error);
        if (status != refusals[i].status || strstr(error.message, refusals[i].message) == NULL ||
            (refusals[i].line > 0 && error.line != refusals[i].line))
            fail_msg("%d, line %d, \"%s\" instead of \"%s\"", (int)status, error.line,
                     error.message, refusals[i].message);
        assert_null(clip);
        assert_string_equal(error.path, "bad.csv");
    }
}

TEST(rates_are_those_of_the_kinds)
{
    assert_true(lb_robot_csv_rate(LB_ROBOT_CSV_LAFAN1) == 30);
    assert_true(lb_robot_csv_rate(LB_ROBOT_CSV_BONES) == 120);
    assert_true(lb_robot_csv_rate(LB_ROBOT_CSV_RECOGNISE) == 0);
    assert_true(lb_robot_csv_rate(LB_ROBOT_CSV_COUNT) == 0);
    // with or without a byte order mark
    static const char text[] = "\xEF\xBB\xBF"
                               "0.5,1,2\n";
    assert_int_equal(lb_robot_csv_recognise(text, strlen(text)), LB_ROBOT_CSV_LAFAN1);
    assert_int_equal(lb_robot_csv_recognise(text, 2), LB_ROBOT_CSV_RECOGNISE);
}

TEST(bad_models_and_arguments_are_refused)
{
    owned_model *fixed = test_load("planar3"), *human = test_load("human"), *model = small_robot();
    lb_clip *clip = NULL;
    static const char row[] = "1,2,3,0,0,0,1,0,0\n";
    assert_refused(lb_robot_csv_load_memory("t", row, strlen(row), fixed, NULL, &clip, &cause),
                   LB_BAD_MODEL, &cause, "--root floating");
    owned_model *figure = test_with_root(human, LB_JOINT_FLOATING);
    assert_refused(lb_robot_csv_load_memory("t", row, strlen(row), figure, NULL, &clip, &cause),
                   LB_BAD_MODEL, &cause, "a column holds one value");
    assert_int_equal(lb_robot_csv_load_memory("t", NULL, 0, model, NULL, &clip, &cause),
                     LB_INVALID_ARGUMENT);
    lb_robot_csv_options options = {.rate = -1};
    assert_refused(lb_robot_csv_load_memory("t", row, strlen(row), model, &options, &clip, &cause),
                   LB_INVALID_ARGUMENT, &cause, "-1 frames a second");
    clip = read_text(model, row);
    assert_int_equal(lb_robot_csv_write(clip, LB_ROBOT_CSV_RECOGNISE, grown_add, NULL, &cause),
                     LB_INVALID_ARGUMENT);
    assert_int_equal(lb_robot_csv_write(NULL, LB_ROBOT_CSV_BONES, grown_add, NULL, &cause),
                     LB_INVALID_ARGUMENT);
    lb_clip_release(clip);
    // a table has no times, so they must be even
    static const double times[] = {0, 0.1, 0.4};
    double keys[3 * 16] = {0};
    int nq = lb_model_nq(model);
    for (int i = 0; i < 3; i++)
        lb_configuration_neutral(model, &keys[i * nq]);
    clip = test_clip(model, times, keys, 3, LB_INTERPOLATION_LINEAR);
    assert_refused(lb_robot_csv_write(clip, LB_ROBOT_CSV_LAFAN1, grown_add, NULL, &cause),
                   LB_BAD_VALUE, &cause, "not evenly spaced");
    lb_clip_release(clip);
}

/* every beginning, every byte replaced, every allocation failing: refused, or a clip */
TEST(hostile_tables_do_no_harm)
{
    static const char text[] = HEAD "hip_dof,rail_dof\n0,1,2,3,4,5,6,7,8\n1,1,-2,3,4,5,6,7,.5\n";
    static const char patches[] = {'\0', '\n', ',', '-', '.', 'e', '9', '"', (char)0xFF};
    owned_model *model = small_robot();
    for (size_t size = 0; size < sizeof text; size++)
        for (size_t k = 0; k <= sizeof patches; k++) {
            owned_clip *clip = NULL;
            lb_error error = {0};
            // of its very size, so that a read beyond it shows
            size_t used = k == 0 ? size : sizeof text - 1;
            owned char *copy = malloc(used + 1);
            assert_non_null(copy);
            memcpy(copy, text, used);
            if (k > 0 && size < used)
                copy[size] = patches[k - 1];
            lb_status status =
                lb_robot_csv_load_memory("t", copy, used, model, NULL, &clip, &error);
            assert_int_equal(status == LB_OK, clip != NULL);
            assert_int_equal(status == LB_OK, error.message[0] == '\0');
        }
    ALLOCATIONS_FAIL (run, 10000) {
        lb_robot_csv_options options = {.allocator = &run.allocator};
        owned_clip *clip = NULL;
        run.status =
            lb_robot_csv_load_memory("t", text, sizeof text - 1, model, &options, &clip, NULL);
    }
}

/* a name that would be two columns, a part of itself or another's, is not written as one */
TEST(names_that_are_no_columns_are_refused)
{
    char text[2048], name[200];
    memset(name, 'n', sizeof name);
    name[151] = '\0';
    const char *const names[] = {"a,b", name, " a", "a"};
    for (int i = 0; i < 4; i++) {
        snprintf(text, sizeof text,
                 "<robot name='r'><link name='l'/><link name='k'/><link name='m'/><joint name='%s' "
                 "type='continuous'><parent link='l'/><child link='k'/></joint><joint name='a_dof' "
                 "type='continuous'><parent link='k'/><child link='m'/></joint></robot>",
                 names[i]);
        owned_model *fixed = NULL;
        lb_error error = {0};
        assert_ok(lb_load_memory("r.urdf", text, strlen(text), NULL, &fixed, NULL));
        owned_model *model = test_with_root(fixed, LB_JOINT_FLOATING);
        lb_random random = test_seed(3);
        owned_clip *clip = test_random_clip(model, 2, &random);
        grown to = {.text = NULL};
        assert_refused(lb_robot_csv_write(clip, LB_ROBOT_CSV_BONES, grown_add, &to, &error),
                       LB_BAD_MODEL, &error, "a column name cannot");
        assert_null(to.text);
        assert_ok(lb_robot_csv_write(clip, LB_ROBOT_CSV_LAFAN1, grown_add, &to, &error));
        free(to.text);
    }
}

/* ---- time and memory ------------------------------------------------------- */

/* a robot of so many joints that move, with a floating root */
static lb_model *long_robot(int joints)
{
    char *text = malloc(160 * (size_t)joints + 256), *at = text;
    assert_non_null(text);
    at += sprintf(at, "<robot name='r'><link name='l0'/>");
    for (int i = 0; i < joints; i++)
        at += sprintf(at,
                      "<link name='l%d'/><joint name='j%d' type='continuous'><parent link='l0'/>"
                      "<child link='l%d'/></joint>",
                      i + 1, i, i + 1);
    at += sprintf(at, "</robot>");
    owned_model *fixed = NULL;
    assert_ok(lb_load_memory("r.urdf", text, (size_t)(at - text), NULL, &fixed, NULL));
    lb_model *model = test_with_root(fixed, LB_JOINT_FLOATING);
    free(text);
    return model;
}

static clock_t time_of_header(int joints)
{
    owned_model *model = long_robot(joints);
    lb_clip *clip = NULL;
    lb_error error;
    owned char *text = test_repeated("root_translateX{,j#_dof}", joints);
    clock_t before = clock();
    assert_int_equal(lb_robot_csv_load_memory("t", text, strlen(text), model, NULL, &clip, &error),
                     LB_NOT_FOUND);
    clock_t taken = clock() - before;
    assert_non_null(strstr(error.message, "the root's columns"));
    return taken;
}

TEST(headers_take_time_by_their_length)
{
    assert_grows_linearly(time_of_header, 24000);
}

/* short lines are refused before there is room for frames of as many joints */
TEST(short_rows_take_little_memory)
{
    enum { JOINTS = 1000, ROWS = 20000 };
    size_t bytes = 0;
    lb_allocator allocator = test_byte_allocator(&bytes);
    lb_robot_csv_options options = {.allocator = &allocator};
    owned_model *model = long_robot(JOINTS);
    lb_clip *clip = NULL;
    char text[2 * ROWS];
    for (int i = 0; i < 2 * ROWS; i++)
        text[i] = i % 2 == 0 ? '1' : '\n';
    assert_int_equal(
        lb_robot_csv_load_memory("t", text, sizeof text, model, &options, &clip, &cause),
        LB_SYNTAX_ERROR);
    assert_non_null(
        strstr(cause.message, "1 columns, where the model's root and joints have 1007"));
    // room for all of them would have 160 MB
    assert_true(bytes < 50 * sizeof text);
}
