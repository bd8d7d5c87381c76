/*
 * test_robot_npz_order.c - the order of joints and bodies in an .npz: breadth first as simulators
 * number them, or as a list of names says.
 */
#include <limber/formats/load.h>
#include <limber/formats/robot_npz.h>

#include "formats/motion/robot.h"
#include "formats/npy.h"
#include "support.h"
#include "support_load.h"

enum { FRAMES = 3, MOST = 64 };

static lb_error error;
static lb_model *model;
static lb_clip *clip;

/* The files of an archive. */
typedef struct archive {
    unsigned char *bytes[ROBOT_NPZ_ARRAYS];
    lb_robot_npz_file files[ROBOT_NPZ_ARRAYS];
    npy_array arrays[ROBOT_NPZ_ARRAYS];
    int count;
} archive;

static int make_motion(void)
{
    model = test_load_moving("biped");
    int nq = lb_model_nq(model);
    double times[FRAMES] = {0, 0.1, 0.2}, *keys = calloc((size_t)(FRAMES * nq), sizeof *keys);
    for (int i = 0; i < FRAMES; i++) {
        lb_configuration_neutral(model, keys + i * nq);
        for (int k = 7; k < nq; k++)
            keys[i * nq + k] += 0.01 * k + 0.1 * i;
    }
    lb_status status =
        lb_clip_create(model, times, keys, FRAMES, LB_INTERPOLATION_LINEAR, NULL, &clip, &error);
    free(keys);
    return status == LB_OK ? 0 : -1;
}

static int drop_motion(void)
{
    lb_clip_release(clip);
    lb_model_release(model);
    return 0;
}

static bool take_file(void *user, const lb_robot_npz_file *file)
{
    archive *to = user;
    int i = to->count++;
    to->bytes[i] = malloc(file->size);
    memcpy(to->bytes[i], file->bytes, file->size);
    to->files[i] = (lb_robot_npz_file){NULL, to->bytes[i], file->size};
    return npy_parse(to->bytes[i], file->size, &to->arrays[i], NULL) == LB_OK;
}

static archive write_or_fail(const lb_clip *of, const char *order)
{
    archive all = {.count = 0};
    assert_made(lb_robot_npz_write_files(of, order, NULL, take_file, &all, &error), error);
    assert_int_equal(all.count, ROBOT_NPZ_ARRAYS);
    return all;
}

static void close_archive(archive *all)
{
    for (int i = 0; i < ROBOT_NPZ_ARRAYS; i++)
        free(all->bytes[i]);
}

static const char *name_of(const archive *all, int which, int i)
{
    static char texts[4][128];
    static int next;
    char *text = texts[next++ % 4];
    assert_true(npy_text(&all->arrays[which], (size_t)i, text, sizeof *texts));
    return text;
}

/* every column of both archives is the same under its name */
static void check_same_columns(const archive *a, const archive *b)
{
    static const struct {
        int array, names, numbers;
    } kinds[] = {{JOINT_POS, JOINT_NAMES, 1},   {JOINT_VEL, JOINT_NAMES, 1},
                 {BODY_POS, BODY_NAMES, 3},     {BODY_QUAT, BODY_NAMES, 4},
                 {BODY_LIN_VEL, BODY_NAMES, 3}, {BODY_ANG_VEL, BODY_NAMES, 3}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int count = (int)a->arrays[kinds[k].names].count, wide = kinds[k].numbers;
        for (int i = 0; i < count; i++) {
            int other = 0;
            while (strcmp(name_of(a, kinds[k].names, i), name_of(b, kinds[k].names, other)) != 0)
                assert_true(++other < count);
            for (int f = 0; f < FRAMES; f++)
                for (int c = 0; c < wide; c++)
                    assert_true(npy_element(&a->arrays[kinds[k].array],
                                            (size_t)((f * count + i) * wide + c)) ==
                                npy_element(&b->arrays[kinds[k].array],
                                            (size_t)((f * count + other) * wide + c)));
        }
    }
}

/* the joints by a queue that begins at the root; fixed ones carry nothing that moves */
static int walk_breadth_first(const lb_model *of, int *joints)
{
    int queue[256] = {0}, begin = 0, end = 1, count = 0;
    for (; begin < end; begin++)
        for (int link = queue[begin] + 1; link < lb_model_link_count(of); link++)
            if (lb_model_parent(of, link) == queue[begin]) {
                queue[end++] = link;
                joints[count++] = link - 1;
            }
    return count;
}

TEST(breadth_first_is_level_by_level)
{
    archive deep = write_or_fail(clip, NULL), same = write_or_fail(clip, "depth-first");
    archive wide = write_or_fail(clip, "breadth-first");
    int joints[256], count = walk_breadth_first(model, joints), column = 0, body = 0;
    for (int i = 0; i < count; i++) {
        const lb_joint *joint = lb_model_joint(model, joints[i]);
        if (joint->kind == LB_JOINT_FIXED)
            continue;
        assert_string_equal(name_of(&wide, BODY_NAMES, body++), joint->child);
        if (joint->kind != LB_JOINT_FLOATING)
            assert_string_equal(name_of(&wide, JOINT_NAMES, column++), joint->name);
    }
    assert_int_equal(column, wide.arrays[JOINT_NAMES].count);
    assert_string_equal(name_of(&wide, JOINT_NAMES, 1), "left_hip_pitch");
    assert_string_equal(name_of(&deep, JOINT_NAMES, 1), "neck_yaw");
    check_same_columns(&deep, &wide);
    for (int i = 0; i < ROBOT_NPZ_ARRAYS; i++)
        assert_memory_equal(deep.bytes[i], same.bytes[i], deep.files[i].size);
    close_archive(&deep);
    close_archive(&same);
    close_archive(&wide);
}

/* the names of the joints, the last one first, with blanks and lines between them */
static void list_backwards(char *text, size_t room)
{
    size_t length = 0;
    for (int j = lb_model_joint_count(model) - 1; j > 0; j--)
        if (lb_model_joint(model, j)->kind == LB_JOINT_REVOLUTE)
            length += (size_t)snprintf(text + length, room - length, "%s%s",
                                       lb_model_joint(model, j)->name, j % 2 ? " ,\t" : "\r\n");
}

TEST(a_list_of_names_is_the_order)
{
    char names[2048];
    list_backwards(names, sizeof names);
    archive deep = write_or_fail(clip, NULL), listed = write_or_fail(clip, names);
    int count = (int)deep.arrays[JOINT_NAMES].count;
    assert_int_equal(listed.arrays[JOINT_NAMES].count, count);
    assert_string_equal(name_of(&listed, BODY_NAMES, 0), "pelvis");
    for (int i = 0; i < count; i++) {
        const char *name = name_of(&listed, JOINT_NAMES, i);
        assert_string_equal(name, name_of(&deep, JOINT_NAMES, count - 1 - i));
        // a body stands where the joint that moves it does
        assert_string_equal(name_of(&listed, BODY_NAMES, i + 1),
                            lb_model_joint(model, lb_model_find_joint(model, name))->child);
    }
    check_same_columns(&deep, &listed);
    close_archive(&deep);
    close_archive(&listed);
}

static void check_refused(const char *order, lb_status status, const char *message)
{
    archive all = {.count = 0};
    assert_int_equal(lb_robot_npz_write_files(clip, order, NULL, take_file, &all, &error), status);
    assert_int_equal(all.count, 0);
    if (strstr(error.message, message) == NULL)
        fail_msg("'%s' is not in '%s'", message, error.message);
}

TEST(an_order_without_all_joints_is_refused)
{
    char names[2048], twice[4096];
    list_backwards(names, sizeof names);
    check_refused("breadth", LB_NOT_FOUND, "order: 'breadth' is no joint's");
    check_refused("waist_yawn", LB_NOT_FOUND, "did you mean 'waist_yaw'?");
    check_refused("waist_yaw,neck_yaw", LB_BAD_VALUE, "order: 'left_shoulder_pitch' is missing");
    check_refused("", LB_BAD_VALUE, "order: 'waist_yaw' is missing");
    snprintf(twice, sizeof twice, "%s,neck_yaw", names);
    check_refused(twice, LB_BAD_VALUE, "order: 'neck_yaw' is there twice");
    // the root has no column, and neither has a fixed joint
    check_refused("left_foot_end", LB_NOT_FOUND, "order: 'left_foot_end' is no joint's");
}

/* the first joints as IsaacLab lists those of the 29-joint G1 */
TEST(the_g1_has_the_order_of_its_simulator)
{
    static const char *const first[] = {"left_hip_pitch_joint",
                                        "right_hip_pitch_joint",
                                        "waist_yaw_joint",
                                        "left_hip_roll_joint",
                                        "right_hip_roll_joint",
                                        "waist_roll_joint",
                                        "left_hip_yaw_joint",
                                        "right_hip_yaw_joint",
                                        "waist_pitch_joint",
                                        "left_knee_joint",
                                        "right_knee_joint",
                                        "left_shoulder_pitch_joint",
                                        "right_shoulder_pitch_joint",
                                        "left_ankle_pitch_joint"};
    owned_model *robot = NULL, *moving = NULL;
    owned_clip *still = NULL;
    if (lb_load(LIMBER_DATA_DIR "/urdf/unitree_g1_29dof_rev_1_0.urdf", NULL, &robot, &error) !=
        LB_OK)
        skip();
    assert_ok(lb_model_with_root(robot, LB_JOINT_FLOATING, NULL, &moving, &error));
    double times[2] = {0, 0.1}, keys[2 * MOST];
    for (int i = 0; i < 2; i++)
        lb_configuration_neutral(moving, keys + i * lb_model_nq(moving));
    assert_ok(
        lb_clip_create(moving, times, keys, 2, LB_INTERPOLATION_LINEAR, NULL, &still, &error));
    archive all = write_or_fail(still, "breadth-first");
    for (int i = 0; i < (int)(sizeof first / sizeof *first); i++)
        assert_string_equal(name_of(&all, JOINT_NAMES, i), first[i]);
    close_archive(&all);
}

TEST_FIXTURE(make_motion, drop_motion)
