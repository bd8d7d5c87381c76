/*
 * test_bvh.c - BVH: real files read, posed and written as they are; files of our own with
 * everything that the format allows; edited poses.
 */
#include <dirent.h>

#include "bvh_text.h"
#include "support.h"

#include <limber/kinematics.h>

/* ---- real files --------------------------------------------------------- */

typedef struct known_file {
    const char *name, *unit;
    int joints, channels, frames;
    double frame_time;
    lb_bvh_up up;
    bool rest, sized; /* sized: the unit is recognised, not assumed */
} known_file;

static const known_file known[] = {
    {"01_01", "cmu", 31, 96, 2752, 0.0083333, LB_BVH_UP_Y, true, true},
    {"bvh_test1", "inch", 24, 75, 75, 0.033333, LB_BVH_UP_Z, false, true},
    {"cmu_12_01_walk", "cmu", 31, 96, 524, 0.0083333, LB_BVH_UP_Y, true, true},
    {"full_precision_frame_time", "cm", 2, 9, 3, 0.0417083750417, LB_BVH_UP_Y, false, false},
    {"olympe_root", "inch", 18, 57, 2, 0.041667, LB_BVH_UP_Y, false, true},
    {"pfnn_hierarchy", "m", 31, 96, 60, 0.0333333, LB_BVH_UP_Y, false, true},
    {"rotation_first_root", "cm", 4, 15, 4, 0.04, LB_BVH_UP_Y, false, false},
    {"sinusoidal", "cm", 4, 15, 120, 0.016666666666666666, LB_BVH_UP_Y, false, false},
    {"wave_hello", "inch", 27, 84, 839, 0.008342, LB_BVH_UP_Z, false, false},
    {"zombie", "inch", 27, 84, 779, 0.0333333, LB_BVH_UP_Z, false, false},
};

enum { KNOWN = sizeof known / sizeof *known };

static const char *data_path(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, LIMBER_DATA_DIR "/bvh/%s.bvh", name);
    return path;
}

static void need_data(void)
{
    DIR *folder = opendir(LIMBER_DATA_DIR "/bvh");
    if (folder == NULL) {
        print_message("skipped: there is no " LIMBER_DATA_DIR "/bvh\n");
        skip();
    }
    closedir(folder);
}

static lb_bvh *load(const char *path)
{
    lb_bvh *bvh = NULL;
    assert_made(lb_bvh_load(path, NULL, &bvh, &cause), cause);
    return bvh;
}

TEST(real_files_are_recognised)
{
    need_data();
    for (int i = 0; i < KNOWN; i++) {
        owned_bvh *bvh = load(data_path(known[i].name));
        lb_bvh_info info = lb_bvh_describe(bvh);
        if (strcmp(info.unit_name, known[i].unit) != 0 || info.up != known[i].up ||
            info.rest_frame != known[i].rest || info.unit_recognised != known[i].sized)
            fail_msg("%s: unit %s, up %s, rest %d", known[i].name, info.unit_name,
                     lb_bvh_up_text(info.up), info.rest_frame);
        assert_int_equal(info.joints, known[i].joints);
        assert_int_equal(info.channels, known[i].channels);
        assert_int_equal(info.frames, known[i].frames);
        assert_true(info.frame_time == known[i].frame_time);
        assert_int_equal(lb_clip_count(lb_bvh_clip(bvh)), info.frames);
    }
}

static void check_equal(const lb_bvh *a, const lb_bvh *b)
{
    lb_bvh_info first = lb_bvh_describe(a), second = lb_bvh_describe(b);
    assert_int_equal(first.frames, second.frames);
    assert_int_equal(first.channels, second.channels);
    assert_true(first.frame_time == second.frame_time);
    for (int i = 0; i < first.frames; i++)
        assert_memory_equal(lb_bvh_row(a, i), lb_bvh_row(b, i),
                            sizeof(double) * (size_t)first.channels);
    const lb_model *x = lb_bvh_model(a), *y = lb_bvh_model(b);
    assert_int_equal(lb_model_joint_count(x), lb_model_joint_count(y));
    for (int i = 0; i < lb_model_joint_count(x); i++) {
        const lb_joint *p = lb_model_joint(x, i), *q = lb_model_joint(y, i);
        assert_string_equal(p->name, q->name);
        assert_string_equal(p->parent, q->parent);
        assert_int_equal(p->kind, q->kind);
        assert_memory_equal(&p->placement, &q->placement, sizeof p->placement);
        assert_memory_equal(p->value, q->value, sizeof p->value);
    }
}

/* also by way of the poses: a clip that is not edited keeps the file's numbers */
TEST(real_files_are_written_as_they_are)
{
    need_data();
    for (int i = 0; i < KNOWN; i++) {
        owned_bvh *bvh = load(data_path(known[i].name));
        for (int posed = 0; posed < 2; posed++) {
            grown text = bvh_written(bvh, posed ? lb_bvh_clip(bvh) : NULL);
            lb_bvh *again = bvh_read(text.text, NULL);
            check_equal(bvh, again);
            lb_bvh_release(again);
            free(text.text);
        }
    }
}

/* where the model has a joint, against the matrices of the second reader */
static double forward_error(const lb_bvh *bvh, const plain_bvh *plain, int frame, lb_state *state)
{
    static plain_matrix places[PLAIN_JOINTS];
    const lb_model *model = lb_bvh_model(bvh);
    lb_bvh_info info = lb_bvh_describe(bvh);
    double q[1024], worst = 0;
    assert_true(lb_model_nq(model) <= 1024);
    lb_clip_at(lb_bvh_clip(bvh), frame * info.frame_time, q);
    lb_state_update(state, q);
    plain_forward(plain, frame, places);
    for (int i = 0; i < plain->count; i++) {
        // depth first in the file is depth first in the model; link 0 is the world
        lb_transform link = lb_state_transform(state, 0, i + 1);
        const double rows[3][4] = {{link.x.x, link.y.x, link.z.x, link.p.x / info.unit},
                                   {link.x.y, link.y.y, link.z.y, link.p.y / info.unit},
                                   {link.x.z, link.y.z, link.z.z, link.p.z / info.unit}};
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 4; c++) {
                double size = c < 3 ? 1 : 1 + fabs(places[i].m[r][c]);
                worst = fmax(worst, fabs(rows[r][c] - places[i].m[r][c]) / size);
            }
    }
    return worst;
}

TEST(real_poses_are_those_of_the_matrices)
{
    need_data();
    for (int i = 0; i < KNOWN; i++) {
        owned_bvh *bvh = load(data_path(known[i].name));
        plain_bvh plain = plain_read(data_path(known[i].name));
        lb_state *work = test_state(lb_bvh_model(bvh));
        assert_int_equal(plain.count, lb_model_joint_count(lb_bvh_model(bvh)));
        assert_int_equal(plain.frames, known[i].frames);
        for (int frame = 0; frame < plain.frames; frame += 1 + plain.frames / 200)
            assert_near(forward_error(bvh, &plain, frame, work), 0, 1e-12);
        lb_state_release(work);
        free(plain.rows);
    }
}

/* the hips of a walker are above its toes in the world, whatever is up in the file */
TEST(up_is_z_in_the_world)
{
    need_data();
    static const char *const names[] = {"cmu_12_01_walk", "bvh_test1", "zombie", "pfnn_hierarchy"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        owned_bvh *bvh = load(data_path(names[i]));
        const lb_model *model = lb_bvh_model(bvh);
        owned_state *work = test_state(model);
        lb_state_update(work, lb_clip_key(lb_bvh_clip(bvh), 1));
        int hips = lb_model_find_link(model, "Hips"), foot = lb_model_find_link(model, "LeftFoot");
        assert_true(hips >= 0 && foot >= 0);
        lb_transform high = lb_state_transform(work, LB_WORLD, hips);
        lb_transform low = lb_state_transform(work, LB_WORLD, foot);
        double height = high.p.z - low.p.z;
        if (!(height > 0.5 && height < 1.2))
            fail_msg("%s: the hips are %g m above a foot", names[i], height);
    }
}

/* ---- files of our own --------------------------------------------------- */

/* all that the format allows: roots, orders, counts, positions inside, several ends, odd blanks */
static const char everything[] =
    "HIERARCHY\r\n"
    "ROOT Left Hand\r\n{\r\n"
    "  OFFSET 1 2 3\r\n"
    "  CHANNELS 6 Zrotation Xrotation Yrotation Xposition Yposition Zposition\r\n"
    "\tJOINT finger {\r\n OFFSET 0 0\r\n 10 CHANNELS 1 Xrotation\r\n"
    "\t\tEnd Site\r\n{ OFFSET 0 0 4 } End Site { OFFSET 0 1 4 }\r\n }\r\n"
    " JOINT slide { OFFSET 5 6 7 CHANNELS 1 Yposition\r\n"
    "   JOINT wrist { OFFSET 0 -1 0 CHANNELS 2 yrotation ZROTATION\r\n"
    "     JOINT spin { OFFSET 0 2 0 CHANNELS 3 Zrotation Xrotation Zrotation } }\r\n"
    "   JOINT stiff { OFFSET 1 0 0 CHANNELS 0 }\r\n"
    "   JOINT many { OFFSET 1 0 1 CHANNELS 4 Xrotation Yrotation Xrotation Yrotation } }\r\n"
    "}\r\n"
    "ROOT other { OFFSET 0 0 0 CHANNELS 3 Xrotation Yrotation Zrotation }\r\n"
    "MOTION\r\n\r\nFrames :  3\r\nFrame Time: 0.0417083750417\r\n"
    "10 20 30 1 2 3 \t 40 0.5 10 20 30 40 50 1 2 3 4 5 6 7 \r\n"
    " 190 20 30 1 2 3 400 0.5 370 20 -30 40 50 1 2 3 4 5 6 7\r\n\r\n"
    "-1e1 +20 .5 1. 2 3 -700.25 0.5 10 20 30 40 50 1 2 3 4 180 90 1080";

/* a figure under a ROOT of its own on the ground, as converters write them; y up, cm */
#define ON_REFERENCE                                                                               \
    "HIERARCHY\n"                                                                                  \
    "ROOT reference { OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition "                      \
    "Zrotation Xrotation Yrotation\n"                                                              \
    " JOINT hips { OFFSET 0 90 0 CHANNELS 3 Zrotation Xrotation Yrotation\n"                       \
    "  JOINT leg { OFFSET 10 0 0 CHANNELS 0\n"                                                     \
    "   JOINT foot { OFFSET 0 -85 0 CHANNELS 0 JOINT toe { OFFSET 0 -3 15 CHANNELS 0 } } }\n"      \
    "  JOINT chest { OFFSET 0 50 0 CHANNELS 0 JOINT head { OFFSET 0 20 0 CHANNELS 0 } } } }\n"     \
    "MOTION\nFrames: 8\nFrame Time: 0.04\n"

/* who stands once as its skeleton does is upright then, however long it lies, and however */
TEST(up_is_where_a_figure_stands)
{
    static const char *const lying[] = {"90 0 0", "-90 0 0", "0 90 0", "0 -90 0", "0 0 0"};
    for (size_t i = 0; i < sizeof lying / sizeof *lying; i++) {
        char text[2048] = ON_REFERENCE "0 0 0 0 0 0 0 0 0\n";
        for (int frame = 1; frame < 8; frame++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "0 -80 0 0 0 0 %s\n",
                     lying[i]);
        owned_bvh *bvh = bvh_read(text, NULL);
        lb_bvh_info info = lb_bvh_describe(bvh);
        if (!info.up_recognised || info.up != LB_BVH_UP_Y)
            fail_msg("turned by %s: up is %s", lying[i], lb_bvh_up_text(info.up));
        // from the hips on, not from the ROOT below them, it is an adult
        assert_true(info.unit_recognised);
    }
}

/* feet all around a body say nothing of what is up */
TEST(up_is_assumed_where_nothing_says_it)
{
    for (int frames = 0; frames < 2; frames++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "HIERARCHY\nROOT hips { OFFSET 0 0 0 CHANNELS 3 Xrotation Yrotation Zrotation\n"
                 " JOINT leftfoot { OFFSET 60 0 0 CHANNELS 0 }\n"
                 " JOINT rightfoot { OFFSET -60 0 0 CHANNELS 0 } }\n"
                 "MOTION\nFrames: %d\nFrame Time: 0.1\n%s",
                 frames, frames > 0 ? "0 0 0\n" : "");
        owned_bvh *bvh = bvh_read(text, NULL);
        assert_false(lb_bvh_describe(bvh).up_recognised);
        assert_int_equal(lb_bvh_describe(bvh).up, LB_BVH_UP_Y);
    }
}

/* without a motion, and where the motion turns all of a skeleton that lies in its file */
TEST(up_is_of_the_motion_else_of_the_skeleton)
{
    char text[2048] = ON_REFERENCE;
    for (int frame = 0; frame < 8; frame++)
        strcat(text, "0 0 0 0 90 0 0 0 0\n");
    lb_bvh *bvh = bvh_read(text, NULL);
    assert_int_equal(lb_bvh_describe(bvh).up, LB_BVH_UP_Z);
    lb_bvh_release(bvh);
    strcpy(text, ON_REFERENCE);
    memcpy(strstr(text, "Frames: 8"), "Frames: 0", strlen("Frames: 0"));
    bvh = bvh_read(text, NULL);
    assert_true(lb_bvh_describe(bvh).up_recognised);
    assert_int_equal(lb_bvh_describe(bvh).up, LB_BVH_UP_Y);
    lb_bvh_release(bvh);
}

TEST(everything_is_read)
{
    owned_bvh *bvh = bvh_read(everything, NULL);
    const lb_model *model = lb_bvh_model(bvh);
    lb_bvh_info info = lb_bvh_describe(bvh);
    assert_int_equal(info.joints, 8);
    assert_int_equal(info.channels, 20);
    assert_int_equal(info.frames, 3);
    static const struct {
        const char *name, *parent;
        lb_joint_kind kind;
    } joints[] = {
        {"Left Hand", "world", LB_JOINT_FLOATING}, {"finger", "Left Hand", LB_JOINT_REVOLUTE},
        {"finger_end", "finger", LB_JOINT_FIXED},  {"finger_end_2", "finger", LB_JOINT_FIXED},
        {"slide", "Left Hand", LB_JOINT_FLOATING}, {"wrist", "slide", LB_JOINT_UNIVERSAL},
        {"spin", "wrist", LB_JOINT_BALL},          {"stiff", "slide", LB_JOINT_FIXED},
        {"many", "slide", LB_JOINT_BALL},          {"other", "world", LB_JOINT_BALL},
    };
    assert_int_equal(lb_model_joint_count(model), sizeof joints / sizeof *joints);
    for (int i = 0; i < lb_model_joint_count(model); i++) {
        assert_string_equal(lb_model_joint(model, i)->name, joints[i].name);
        assert_string_equal(lb_model_joint(model, i)->parent, joints[i].parent);
        assert_int_equal(lb_model_joint(model, i)->kind, joints[i].kind);
    }
    // a turning joint keeps whole turns, in radians; a sliding one the rest of its offset
    int finger = lb_model_joint_q(model, lb_model_find_joint(model, "finger"));
    int slide = lb_model_joint_q(model, lb_model_find_joint(model, "slide"));
    const double *q = lb_clip_key(lb_bvh_clip(bvh), 2);
    assert_near(q[finger], -700.25 * LB_PI / 180, 1e-12);
    assert_near(q[slide], 0.05, 1e-15);
    assert_near(q[slide + 1], 0.005, 1e-15);
    assert_near(q[slide + 2], 0.07, 1e-15);
    assert_near(lb_clip_times(lb_bvh_clip(bvh))[2], 2 * 0.0417083750417, 1e-15);
}

TEST(everything_is_written_as_it_is)
{
    owned_bvh *bvh = bvh_read(everything, NULL);
    for (int posed = 0; posed < 2; posed++) {
        grown text = bvh_written(bvh, posed ? lb_bvh_clip(bvh) : NULL);
        assert_non_null(strstr(text.text, "Frame Time: 0.0417083750417\n"));
        assert_non_null(strstr(text.text, "ROOT Left Hand\n"));
        lb_bvh *again = bvh_read(text.text, NULL);
        check_equal(bvh, again);
        lb_bvh_release(again);
        free(text.text);
    }
}

TEST(poses_of_everything_are_those_of_the_matrices)
{
    lb_bvh *bvh = bvh_read(everything, NULL);
    grown text = bvh_written(bvh, NULL);
    FILE *file = fopen("everything.bvh", "wb");
    assert_non_null(file);
    fwrite(text.text, 1, text.size, file);
    fclose(file);
    plain_bvh plain = plain_read("everything.bvh");
    lb_state *work = test_state(lb_bvh_model(bvh));
    for (int frame = 0; frame < 3; frame++)
        assert_near(forward_error(bvh, &plain, frame, work), 0, 1e-12);
    lb_state_release(work);
    free(plain.rows);
    free(text.text);
    lb_bvh_release(bvh);
    remove("everything.bvh");
}

/* lines may end in CR, LF or both, with a mark before the first */
TEST(lines_may_end_in_any_way)
{
    static const char *const ends[] = {"\n", "\r", "\r\n"};
    owned_bvh *expected = bvh_read(everything, NULL);
    for (int i = 0; i < 3; i++) {
        char text[2 * sizeof everything] = "\xEF\xBB\xBF";
        size_t size = strlen(text);
        for (const char *c = everything; *c != '\0'; c++)
            if (*c == '\n')
                size += (size_t)sprintf(text + size, "%s", ends[i]);
            else if (*c != '\r')
                text[size++] = *c;
        text[size] = '\0';
        owned_bvh *bvh = bvh_read(text, NULL);
        check_equal(expected, bvh);
    }
}

TEST(unit_and_axis_can_be_given)
{
    for (int up = LB_BVH_UP_X; up < LB_BVH_UP_COUNT; up++) {
        lb_bvh_options options = {.unit = 0.5, .up = (lb_bvh_up)up};
        owned_bvh *bvh = bvh_read(everything, &options);
        lb_bvh_info info = lb_bvh_describe(bvh);
        assert_true(info.unit == 0.5 && !info.unit_recognised && !info.up_recognised);
        assert_int_equal(info.up, up);
        assert_string_equal(info.unit_name, "");
        // the offset of the left hand in the world: the file's up component is the world's z
        double q[64];
        lb_state *work = test_state(lb_bvh_model(bvh));
        lb_configuration_neutral(lb_bvh_model(bvh), q);
        lb_state_update(work, q);
        lb_transform hand = lb_state_transform(work, LB_WORLD, 1);
        assert_near(hand.p.z, 0.5 * (1 + up - LB_BVH_UP_X), 1e-15);
        assert_true(lb_transform_is_rigid(&hand, 1e-12));
        lb_state_release(work);

        // neither is written
        grown text = bvh_written(bvh, lb_bvh_clip(bvh));
        lb_bvh *again = bvh_read(text.text, &options);
        check_equal(bvh, again);
        lb_bvh_release(again);
        free(text.text);
    }
}

static void keep_warning(void *user, const lb_error *warning)
{
    snprintf(user, 256, "%d: %.200s", warning->line, warning->message);
}

TEST(equal_names_are_numbered_with_a_warning)
{
    static const char text[] = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nJOINT a_2 { OFFSET 0 0 0 }\n"
                               "JOINT a { OFFSET 0 0 0 }\nJOINT world { OFFSET 0 0 0 }\n}\n"
                               "MOTION\nFrames: 0\nFrame Time: 1";
    char warned[256] = "";
    lb_bvh_options options = {.load = {.warn = keep_warning, .user = warned}};
    lb_bvh *bvh = bvh_read(text, &options);
    assert_string_equal(warned, "6: joint 'a' is there twice; this one is 'a_2_'");
    assert_true(lb_model_find_joint(lb_bvh_model(bvh), "a_2_") >= 0);
    assert_string_equal(lb_model_link(lb_bvh_model(bvh), 0)->name, "world_");
    assert_null(lb_bvh_clip(bvh));
    assert_null(lb_bvh_row(bvh, 0));
    grown written = bvh_written(bvh, NULL);
    assert_null(strstr(written.text, "a_2_"));
    free(written.text);
    lb_bvh_release(bvh);

    options.load.strict = true;
    assert_int_equal(lb_bvh_load_memory("t.bvh", text, sizeof text - 1, &options, &bvh, &cause),
                     LB_BAD_MODEL);
    assert_null(bvh);
}

/* ---- edited poses ------------------------------------------------------- */

/* joints of every order of three rotations, proper Euler angles included, and a chain of turns */
static void write_orders(char *text, int frames)
{
    static const char axes[] = "XYZ";
    strcpy(text, "HIERARCHY\nROOT root { OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition "
                 "Zrotation Yrotation Xrotation\n");
    for (int i = 0; i < 27; i++) {
        int a = i / 9, b = i / 3 % 3, c = i % 3;
        if (a != b && b != c)
            sprintf(text + strlen(text),
                    "JOINT %c%c%c { OFFSET 1 0 2 CHANNELS 3 %crotation %crotation %crotation }\n",
                    axes[a], axes[b], axes[c], axes[a], axes[b], axes[c]);
    }
    strcat(text, "JOINT two { OFFSET 1 0 0 CHANNELS 2 Xrotation Yrotation }\n"
                 "JOINT one { OFFSET 1 0 0 CHANNELS 1 Xrotation } }\n");
    sprintf(text + strlen(text), "MOTION\nFrames: %d\nFrame Time: 0.01\n", frames);
    for (int i = 0; i < frames; i++) {
        for (int k = 0; k < 6 + 12 * 3 + 3; k++)
            strcat(text, k % 2 ? "0 " : "5 ");
        strcat(text, "\n");
    }
}

static double largest_difference(const lb_bvh *a, const lb_clip *clip, int frame)
{
    double v[256], largest = 0;
    const lb_model *model = lb_bvh_model(a);
    lb_configuration_difference(model, lb_clip_key(lb_bvh_clip(a), frame), lb_clip_key(clip, frame),
                                v);
    for (int i = 0; i < lb_model_nv(model); i++)
        largest = fmax(largest, fabs(v[i]));
    return largest;
}

/* random poses through the file: the same poses come back, whatever the order of the channels */
TEST(edited_poses_come_back)
{
    enum { FRAMES = 100 };
    static char text[40000];
    static double keys[FRAMES * 256];
    double times[FRAMES];
    write_orders(text, FRAMES);
    owned_bvh *bvh = bvh_read(text, NULL);
    const lb_model *model = lb_bvh_model(bvh);
    lb_random random = test_seed(1);
    for (int i = 0; i < FRAMES; i++) {
        times[i] = 3 + 0.02 * i;
        lb_configuration_random(model, &random, &keys[i * lb_model_nq(model)]);
    }
    owned_clip *clip = test_clip(model, times, keys, FRAMES, LB_INTERPOLATION_LINEAR);
    grown written = bvh_written(bvh, clip);
    lb_bvh *again = bvh_read(written.text, NULL);
    assert_near(lb_bvh_describe(again).frame_time, 0.02, 1e-12);
    for (int i = 0; i < FRAMES; i++)
        assert_near(largest_difference(again, clip, i), 0, 1e-9);
    lb_bvh_release(again);
    free(written.text);
}

/* joints that spin, also through the gimbal: no angle jumps from frame to frame */
TEST(edited_angles_run_on)
{
    enum { FRAMES = 400 };
    static char text[40000];
    static double keys[FRAMES * 256];
    double times[FRAMES];
    write_orders(text, 0);
    owned_bvh *bvh = bvh_read(text, NULL);
    const lb_model *model = lb_bvh_model(bvh);
    int nq = lb_model_nq(model);
    for (int i = 0; i < FRAMES; i++) {
        times[i] = 0.01 * i;
        lb_configuration_neutral(model, &keys[i * nq]);
        for (int j = 0; j < lb_model_joint_count(model); j++)
            if (lb_model_joint(model, j)->kind == LB_JOINT_BALL) {
                // three whole turns about the first channel, a swing about the second
                const char *name = lb_model_joint(model, j)->name;
                lb_vec3 axis = lb_vec3_make(name[0] == 'X', name[0] == 'Y', name[0] == 'Z');
                lb_vec3 swing = lb_vec3_make(name[1] == 'X', name[1] == 'Y', name[1] == 'Z');
                double angle = 6 * LB_PI * i / FRAMES;
                lb_quat q = lb_quat_multiply(lb_quat_from_axis_angle(axis, angle),
                                             lb_quat_from_axis_angle(swing, 1));
                memcpy(&keys[i * nq + lb_model_joint_q(model, j)], (double[]){q.w, q.x, q.y, q.z},
                       4 * sizeof(double));
            }
    }
    owned_clip *clip = test_clip(model, times, keys, FRAMES, LB_INTERPOLATION_LINEAR);
    grown written = bvh_written(bvh, clip);
    lb_bvh *again = bvh_read(written.text, NULL);
    int channels = lb_bvh_describe(again).channels;
    for (int i = 1; i < FRAMES; i++)
        for (int k = 0; k < channels; k++)
            assert_true(fabs(lb_bvh_row(again, i)[k] - lb_bvh_row(again, i - 1)[k]) < 3);
    // the first angle of XYZ has made its three turns
    assert_true(fabs(lb_bvh_row(again, FRAMES - 1)[6]) > 1000);
    lb_bvh_release(again);
    free(written.text);
}

static bool refuse_all(void *user, const void *text, size_t size)
{
    (void)user, (void)text, (void)size;
    return false;
}

TEST(what_cannot_be_written_is_refused)
{
    owned_bvh *bvh = bvh_read(everything, NULL);
    const lb_model *model = lb_bvh_model(bvh);
    double q[2 * 64];
    grown to = {0};
    for (int i = 0; i < 2; i++)
        lb_configuration_neutral(model, &q[i * lb_model_nq(model)]);
    q[lb_model_joint_q(model, lb_model_find_joint(model, "many")) + 1] = 0.5;
    lb_clip *clip = test_clip(model, (double[]){0, 1}, q, 2, LB_INTERPOLATION_LINEAR);
    assert_refused(lb_bvh_write(bvh, clip, grown_add, &to, NULL, &cause), LB_BAD_VALUE, &cause,
                   "frame 0: the channels of joint 'many'");
    lb_clip_release(clip);

    // a slide that leaves its axis has no channel for that
    lb_configuration_neutral(model, q);
    q[lb_model_joint_q(model, lb_model_find_joint(model, "slide"))] += 0.1;
    clip = test_clip(model, (double[]){0}, q, 1, LB_INTERPOLATION_LINEAR);
    assert_int_equal(lb_bvh_write(bvh, clip, grown_add, &to, NULL, &cause), LB_BAD_VALUE);
    lb_clip_release(clip);

    for (int i = 0; i < 3; i++)
        lb_configuration_neutral(model, &q[i * lb_model_nq(model)]);
    clip = test_clip(model, (double[]){0, 1, 3}, q, 3, LB_INTERPOLATION_LINEAR);
    assert_refused(lb_bvh_write(bvh, clip, grown_add, &to, NULL, &cause), LB_BAD_VALUE, &cause,
                   "not evenly spaced");
    lb_clip_release(clip);
    assert_int_equal(lb_bvh_write(bvh, NULL, refuse_all, NULL, NULL, &cause), LB_FILE_ERROR);
    assert_int_equal(lb_bvh_write(NULL, NULL, refuse_all, NULL, NULL, &cause), LB_INVALID_ARGUMENT);

    lb_bvh *other = bvh_read("HIERARCHY\nROOT o { OFFSET 0 0 0 CHANNELS 1 Xrotation }\nMOTION\n"
                             "Frames: 1\nFrame Time: 1\n0",
                             NULL);
    assert_int_equal(lb_bvh_write(bvh, lb_bvh_clip(other), grown_add, &to, NULL, &cause),
                     LB_BAD_MODEL);
    lb_bvh_release(other);
    free(to.text);
}
