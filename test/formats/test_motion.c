/*
 * test_motion.c - one door for motion: every kind of file is known by its content, whatever it is
 * called; what was written is what is opened; what is no motion is refused, with a remedy.
 */
#include <limber/formats/load.h>
#include <limber/formats/motion.h>

#include <unistd.h>

#include "support.h"

/* no ending that says anything, and one that says something else */
static const char *const names[] = {"motion.dat", "motion",     "motion.xml",
                                    "motion.csv", "motion.bvh", "motion.npz"};

/* A robot with a fixed root, one with a free one, its motion; and a figure in a glTF. */
typedef struct sources {
    lb_model *fixed, *moving;
    lb_clip *clip, *still;
    lb_motion *figure;
} sources;

static sources made;

static const char scene[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"a\","
    "\"children\":[1]},{\"name\":\"b\",\"translation\":[0,1,0]}],\"skins\":[{\"joints\":[0,1]}]}";

/* frame 0 is a rest pose: the joint then turns by more than it ever does between frames */
static const char with_rest[] =
    "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT arm\n"
    "{\nOFFSET 0 10 0\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 10 0\n}\n}\n}\nMOTION\n"
    "Frames: 4\nFrame Time: 0.1\n0 0 0 0\n40 0 0 60\n40 0 0 61\n40 0 0 62\n";

static void put(const char *path, const void *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

static bool put_piece(void *stream, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, stream) == size;
}

static void write_as(const char *path, const lb_motion *of, const lb_clip *clip,
                     lb_motion_kind kind)
{
    lb_motion_write_options how = {.kind = kind};
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    if (lb_motion_write(of, clip, &how, put_piece, stream, &cause) != LB_OK)
        fail_msg("%s: %s", lb_motion_kind_text(kind), cause.message);
    assert_int_equal(fclose(stream), 0);
}

static lb_motion *open_or_fail(const char *path, const lb_motion_options *options)
{
    lb_motion *motion = NULL;
    assert_made(lb_motion_open(path, options, &motion, &cause), cause);
    return motion;
}

static void refuse(const char *path, const lb_motion_options *options, const char *reason)
{
    lb_error error = {0};
    lb_motion *motion = (lb_motion *)1;
    assert_true(lb_motion_open(path, options, &motion, &error) != LB_OK);
    assert_null(motion);
    assert_string_equal(error.path, path);
    if (strstr(error.message, reason) == NULL)
        fail_msg("'%s' is not in '%s'", reason, error.message);
}

/* floats have seven digits, decimals of tables nine; a quaternion and its opposite are one rotation
 */
static void check_equal(const lb_clip *a, const lb_clip *b)
{
    int nq = lb_model_nq(lb_clip_model(a));
    assert_int_equal(lb_model_nq(lb_clip_model(b)), nq);
    assert_int_equal(lb_clip_count(a), lb_clip_count(b));
    for (int i = 0; i < lb_clip_count(a); i++) {
        assert_near(lb_clip_times(a)[i], lb_clip_times(b)[i], 1e-6);
        const double *p = lb_clip_key(a, i), *q = lb_clip_key(b, i);
        double sign = p[3] * q[3] + p[4] * q[4] + p[5] * q[5] + p[6] * q[6] < 0 ? -1 : 1;
        for (int k = 0; k < nq; k++)
            assert_near(p[k], k >= 3 && k < 7 ? sign * q[k] : q[k], 1e-5);
    }
}

/* ---- kinds -------------------------------------------------------------- */

TEST(every_kind_is_known_by_its_content)
{
    const sources *s = &made;
    static const lb_motion_kind tables[] = {LB_MOTION_JSON,   LB_MOTION_NPZ,   LB_MOTION_PKL,
                                            LB_MOTION_LAFAN1, LB_MOTION_BONES, LB_MOTION_POSES};
    // of the fixed robot: the file moves its root
    lb_motion_options options = {.model = s->fixed, .usual_rate = 10};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            write_as(names[n], NULL, s->clip, tables[k]);
            assert_int_equal(lb_motion_find(names[n]), tables[k]);
            lb_motion *motion = open_or_fail(names[n], &options);
            assert_int_equal(motion->kind, tables[k]);
            assert_true(motion->root_moves && motion->root_added && !motion->rate_assumed);
            assert_near(motion->rate, 10, 1e-6);
            check_equal(motion->clip, s->clip);
            lb_motion_release(motion);
            unlink(names[n]);
        }
}

TEST(figures_are_known_by_their_content)
{
    const sources *s = &made;
    static const lb_motion_kind kinds[] = {LB_MOTION_BVH, LB_MOTION_GLTF, LB_MOTION_GLB};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            bool gltf = kinds[k] != LB_MOTION_BVH;
            write_as(names[n], gltf ? s->figure : NULL, gltf ? s->still : s->clip, kinds[k]);
            lb_motion *motion = open_or_fail(names[n], NULL);
            assert_int_equal(motion->kind, kinds[k]);
            assert_true(lb_motion_has_figure(motion->kind));
            assert_ptr_equal(motion->clip, motion->as_read);
            assert_int_equal(lb_clip_count(motion->clip), lb_clip_count(gltf ? s->still : s->clip));
            assert_int_equal(motion->animation, gltf ? 0 : -1);
            assert_true((motion->gltf != NULL) == gltf && (motion->bvh != NULL) != gltf);
            lb_motion_release(motion);
            // what moves by itself moves no model
            lb_motion_options options = {.model = s->fixed};
            refuse(names[n], &options, "has a figure of its own");
            unlink(names[n]);
        }
}

TEST(a_late_member_is_found)
{
    // longer than what is looked at first
    enum { SIZE = 1 << 17 };
    char *text = malloc(SIZE + sizeof scene);
    assert_non_null(text);
    memset(text, ' ', SIZE);
    text[0] = '{';
    memcpy(text + 1, "\"x\": \"\\\"asset\\\"\",", 17);
    strcpy(text + SIZE, scene + 1);
    put("late.dat", text, strlen(text));
    assert_int_equal(lb_motion_find("late.dat"), LB_MOTION_GLTF);
    // a text, and members further in, are none
    const char *other = "{\"name\": \"asset\", \"links\": [{\"asset\": 1, \"limber_motion\": 1}]}";
    assert_int_equal(lb_motion_recognise("a.dat", other, strlen(other)), LB_MOTION_UNKNOWN);
    // what is cut within a text, an escape, a mark
    for (size_t i = 0; i < strlen(text + SIZE - 8); i++)
        assert_true(lb_motion_recognise("a", text, i) <= LB_MOTION_GLTF);
    free(text);
    unlink("late.dat");
}

TEST(endings_decide_what_could_be_anything)
{
    assert_int_equal(lb_motion_recognise("a.csv", "shoulder\n0\n", 11), LB_MOTION_POSES);
    assert_int_equal(lb_motion_recognise("a.txt", "shoulder\n0\n", 11), LB_MOTION_UNKNOWN);
    assert_int_equal(lb_motion_recognise("a.txt", " a ,b\tc\n", 8), LB_MOTION_UNKNOWN);
    assert_int_equal(lb_motion_recognise("a.txt", " a , b\t\n", 8), LB_MOTION_POSES);
    assert_int_equal(lb_motion_recognise("a.csv", "a b,c\n", 6), LB_MOTION_POSES);
    assert_int_equal(lb_motion_recognise("a.bvh", "", 0), LB_MOTION_BVH);
    assert_int_equal(lb_motion_recognise("A.VRM", "gltf", 4), LB_MOTION_GLB);
    assert_int_equal(lb_motion_recognise("a.json", "{\"links\": []}", 13), LB_MOTION_UNKNOWN);
    assert_int_equal(lb_motion_recognise("a.bvh", "<robot/>", 8), LB_MOTION_BVH);
    assert_int_equal(lb_motion_recognise("a.x", "\xEF\xBB\xBF hierarchy", 13), LB_MOTION_BVH);
    assert_int_equal(lb_motion_find("nowhere.bvh"), LB_MOTION_UNKNOWN);
    assert_string_equal(lb_motion_kind_text(LB_MOTION_COUNT), "");
}

/* ---- refusals ----------------------------------------------------------- */

TEST(what_is_no_motion_is_refused)
{
    const sources *s = &made;
    lb_motion_options over = {.model = s->fixed}, timed = {.model = s->fixed, .rate = 30};
    put("none.dat", "hello world\n", 12);
    refuse("none.dat", NULL, "a BVH begins with HIERARCHY");
    refuse("none.dat", &over, "no joint 'hello world'");
    put("none.dat", "{\"links\": []}", 13);
    refuse("none.dat", NULL, "it holds no motion");
    refuse("none.dat", &over, "\"limber_motion\": 1 is missing");
    put("none.dat", "", 0);
    refuse("none.dat", NULL, "the file is empty");
    unlink("none.dat");
    refuse("none.dat", NULL, "cannot be opened");
    refuse("panda", NULL, "a built-in model has no motion");
    write_as("table.dat", NULL, s->clip, LB_MOTION_JSON);
    refuse("table.dat", NULL, "name the model that it moves");
    refuse("table.dat", &timed, "has its own times");
    over.degrees = true;
    refuse("table.dat", &over, "has its own unit of angles");
    over = (lb_motion_options){.model = s->fixed, .up = LB_BVH_UP_Z};
    refuse("table.dat", &over, "has its own unit and axes");
    over = (lb_motion_options){.model = s->fixed, .rest = LB_BVH_REST_YES};
    refuse("table.dat", &over, "a BVH alone has one");
    over = (lb_motion_options){.model = s->fixed, .body = "body.npz"};
    refuse("table.dat", &over, "a file of SMPL alone has none");
    over = (lb_motion_options){.model = s->fixed, .animation = "walk"};
    refuse("table.dat", &over, "a glTF alone has several");
    unlink("table.dat");
}

TEST(animations_have_names_and_numbers)
{
    const sources *s = &made;
    write_as("figure.glb", s->figure, s->still, LB_MOTION_GLB);
    lb_motion_options options = {.animation = "0"};
    lb_motion *motion = open_or_fail("figure.glb", &options);
    assert_int_equal(motion->animation, 0);
    lb_motion_release(motion);
    options.animation = "motio";
    refuse("figure.glb", &options, "did you mean 'motion'");
    options = (lb_motion_options){.at_rest = true};
    motion = open_or_fail("figure.glb", &options);
    assert_null(motion->clip);
    assert_non_null(motion->model);
    lb_motion_release(motion);
    unlink("figure.glb");
}

/* ---- rest poses, rates, limits ------------------------------------------ */

TEST(a_rest_pose_is_cut_off)
{
    put("rest.dat", with_rest, sizeof with_rest - 1);
    lb_motion *motion = open_or_fail("rest.dat", NULL);
    assert_int_equal(lb_clip_count(motion->clip), 3);
    assert_int_equal(lb_clip_count(motion->as_read), 4);
    assert_near(lb_clip_begin(motion->clip), 0, 0);
    assert_null(motion->rest);
    assert_near(lb_clip_key(motion->clip, 0)[4], 60 * LB_PI / 180, 1e-12);
    double rest[32];
    size_t size = sizeof *rest * (size_t)lb_model_nq(motion->model);
    assert_true(size <= sizeof rest);
    memcpy(rest, lb_clip_key(motion->as_read, 1), size);
    lb_motion_release(motion);

    // one that is named says how the figure stands, and is not written again
    lb_motion_options options = {.rest = LB_BVH_REST_YES, .rest_index = 1};
    motion = open_or_fail("rest.dat", &options);
    assert_int_equal(lb_clip_count(motion->clip), 2);
    assert_ptr_equal(motion->clip, motion->as_read);
    assert_memory_equal(motion->rest, rest, size);
    lb_motion_release(motion);
    options = (lb_motion_options){.rest = LB_BVH_REST_NO};
    motion = open_or_fail("rest.dat", &options);
    assert_int_equal(lb_clip_count(motion->clip), 4);
    assert_null(motion->rest);
    lb_motion_release(motion);
    unlink("rest.dat");
}

TEST(rates_are_given_or_assumed)
{
    const sources *s = &made;
    static const lb_motion_kind kinds[] = {LB_MOTION_LAFAN1, LB_MOTION_BONES};
    static const double usual[] = {30, 120};
    for (int k = 0; k < 2; k++) {
        lb_motion_options options = {.model = s->moving};
        write_as("rate.dat", NULL, s->clip, kinds[k]);
        lb_motion *motion = open_or_fail("rate.dat", &options);
        assert_near(motion->rate, usual[k], 1e-6);
        assert_true(motion->rate_assumed && !motion->root_added);
        lb_motion_release(motion);
        options.rate = 50;
        options.usual_rate = 20;
        motion = open_or_fail("rate.dat", &options);
        assert_near(motion->rate, 50, 1e-6);
        assert_false(motion->rate_assumed);
        lb_motion_release(motion);
        unlink("rate.dat");
    }
}

TEST(limits_narrow_the_model)
{
    const sources *s = &made;
    static const char text[] = "{\"joint_limits\": {\"joint_2\": {\"max_acceleration\": 7, "
                               "\"min_position\": -0.5, \"max_position\": 0.25}}}";
    put("limits.json", text, sizeof text - 1);
    write_as("table.dat", NULL, s->clip, LB_MOTION_NPZ);
    lb_motion_options options = {.model = s->fixed, .limits = "limits.json"};
    lb_motion *motion = open_or_fail("table.dat", &options);
    int joint = lb_model_find_joint(motion->model, "joint_2");
    assert_true(joint >= 0);
    assert_near(motion->limits[joint].acceleration, 7, 0);
    assert_near(lb_model_joint(motion->model, joint)->upper[0], 0.25, 0);
    lb_motion_release(motion);
    options.limits = "nowhere.json";
    assert_int_equal(lb_motion_open("table.dat", &options, &motion, &cause), LB_FILE_ERROR);
    assert_string_equal(cause.path, "nowhere.json");
    unlink("table.dat");
    unlink("limits.json");
}

/* ---- memory and writing --------------------------------------------------- */

TEST(every_allocation_may_fail)
{
    const sources *s = &made;
    for (int kind = LB_MOTION_BVH; kind < LB_MOTION_COUNT; kind++) {
        bool figure = lb_motion_has_figure(kind), gltf = figure && kind != LB_MOTION_BVH;
        // read alone: test_smpl.c
        if (kind == LB_MOTION_SMPL)
            continue;
        write_as("memory.dat", gltf ? s->figure : NULL, gltf ? s->still : s->clip, kind);
        ALLOCATIONS_FAIL (run, 10000) {
            lb_motion_options options = {.load.allocator = &run.allocator};
            options.model = figure ? NULL : s->fixed;
            owned_motion *motion = NULL;
            run.status = lb_motion_open("memory.dat", &options, &motion, NULL);
        }
        unlink("memory.dat");
    }
}

TEST(endings_say_what_is_written)
{
    const sources *s = &made;
    assert_int_equal(lb_motion_kind_for("a.csv", s->moving), LB_MOTION_LAFAN1);
    assert_int_equal(lb_motion_kind_for("a.csv", s->fixed), LB_MOTION_POSES);
    assert_int_equal(lb_motion_kind_for("a.csv", NULL), LB_MOTION_POSES);
    assert_int_equal(lb_motion_kind_for("a.vrm", NULL), LB_MOTION_GLB);
    assert_int_equal(lb_motion_kind_for("a.pkl", NULL), LB_MOTION_PKL);
    assert_int_equal(lb_motion_kind_for("a.npy", NULL), LB_MOTION_UNKNOWN);
    assert_int_equal(lb_motion_kind_for("csv", NULL), LB_MOTION_UNKNOWN);
}

TEST(what_cannot_be_written_is_refused)
{
    const sources *s = &made;
    lb_motion_write_options how = {.kind = LB_MOTION_GLB};
    assert_refused(lb_motion_write(NULL, s->clip, &how, put_piece, NULL, &cause), LB_UNSUPPORTED,
                   &cause, "only a glTF has the nodes");
    how.kind = LB_MOTION_JSON;
    assert_refused(lb_motion_write(s->figure, NULL, &how, put_piece, NULL, &cause), LB_UNSUPPORTED,
                   &cause, "there is no motion to write");
    how.kind = LB_MOTION_SMPL;
    assert_refused(lb_motion_write(NULL, s->clip, &how, put_piece, NULL, &cause), LB_UNSUPPORTED,
                   &cause, "read, not written");
    how.kind = LB_MOTION_UNKNOWN;
    assert_int_equal(lb_motion_write(NULL, s->clip, &how, put_piece, NULL, &cause),
                     LB_INVALID_ARGUMENT);
}

/* ---- sources ------------------------------------------------------------ */

static int make_sources(void)
{
    lb_random random = test_seed(41);
    lb_status status = lb_load("planar3", NULL, &made.fixed, &cause);
    if (status == LB_OK)
        status = lb_model_with_root(made.fixed, LB_JOINT_FLOATING, NULL, &made.moving, &cause);
    if (status != LB_OK)
        return -1;
    made.clip = test_random_clip(made.moving, 12, &random);
    put("source.gltf", scene, sizeof scene - 1);
    made.figure = open_or_fail("source.gltf", NULL);
    unlink("source.gltf");
    made.still = test_random_clip(made.figure->model, 12, &random);
    return 0;
}

static int drop_sources(void)
{
    lb_clip_release(made.still);
    lb_motion_release(made.figure);
    lb_clip_release(made.clip);
    lb_model_release(made.moving);
    lb_model_release(made.fixed);
    return 0;
}

TEST_FIXTURE(make_sources, drop_sources)
