/*
 * test_gltf.c - glTF: poses at any time against an independent evaluation, clips, what is in files.
 */
#include <limber/formats/gltf.h>
#include <limber/kinematics.h>

#include "gltf_oracle.h"
#include "gltf_text.h"
#include "support.h"

static lb_error error;

static lb_gltf *load(const char *name, const void *bytes, size_t size, double tolerance)
{
    lb_gltf *gltf = NULL;
    lb_gltf_options options = {.tolerance = tolerance};
    if (lb_gltf_load_memory(name, bytes, size, &options, &gltf, &error) != LB_OK)
        fail_msg("%s: %s", name, error.message);
    return gltf;
}

/* the largest difference of all nodes' places, and of the elements of their rotations */
static double difference(const lb_gltf *gltf, oracle *o, const double *q)
{
    double worst = 0;
    owned_state *state = test_state(lb_gltf_model(gltf));
    lb_state_update(state, q);
    for (int i = 0; i < o->nodes; i++) {
        lb_transform t = lb_state_transform(state, LB_WORLD, lb_gltf_link(gltf, i));
        const double *m = o->world[i], *r = o->turned[i];
        const double apart[12] = {t.p.x - m[3], t.p.y - m[7], t.p.z - m[11], t.x.x - r[0],
                                  t.y.x - r[1], t.z.x - r[2], t.x.y - r[3],  t.y.y - r[4],
                                  t.z.y - r[5], t.x.z - r[6], t.y.z - r[7],  t.z.z - r[8]};
        for (int k = 0; k < 12; k++)
            worst = fmax(worst, fabs(apart[k]));
    }
    return worst;
}

enum { TIMES = 40 };

/* all animations at times from before to after them: poses, and clips of them */
static double compare_all(const lb_gltf *gltf, oracle *o, double *clips)
{
    int nq = lb_model_nq(lb_gltf_model(gltf)), count = lb_gltf_describe(gltf).animations;
    double *q = calloc((size_t)nq + 1, sizeof *q), worst = 0;
    lb_random random = test_seed(7);
    for (int a = 0; a < count; a++) {
        double begin, end;
        owned_clip *clip = NULL;
        lb_gltf_animation_times(gltf, a, &begin, &end);
        if (lb_gltf_clip(gltf, a, NULL, &clip, &error) != LB_OK)
            fail_msg("animation %d: %s", a, error.message);
        assert_true(lb_clip_begin(clip) == begin && lb_clip_end(clip) == end);
        for (int i = 0; i < TIMES; i++) {
            double time = begin + (end - begin) * lb_random_between(&random, -0.05, 1.05);
            oracle_pose(o, a, time);
            lb_gltf_at(gltf, a, time, q);
            worst = fmax(worst, difference(gltf, o, q));
            lb_clip_at(clip, time, q);
            *clips = fmax(*clips, difference(gltf, o, q));
        }
    }
    free(q);
    return worst;
}

/* ---- real files --------------------------------------------------------- */

TEST(files_agree_with_an_independent_evaluation)
{
    static const char *const names[] = {
        "cesium_man.gltf",      "rigged_simple.gltf", "interpolation_test/interpolation_test.gltf",
        "robot_expressive.glb", "greenman.glb",       "simple_skin.gltf"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[1024];
        size_t size;
        snprintf(path, sizeof path, "%s/gltf/%s", LIMBER_DATA_DIR, names[i]);
        FILE *file = fopen(path, "rb");
        if (file == NULL) {
            print_message("skipped: there is no %s\n", path);
            skip();
        }
        fclose(file);
        owned unsigned char *bytes = oracle_file(path, &size);
        owned_oracle o = oracle_open(path, bytes, size);
        // every bone as long as its animations say, those that tremble by little at rest, and by
        // more
        static const double tolerances[] = {1e-14, 1e-7, 0}, most[] = {1e-12, 1e-6, 1e-6};
        for (int k = 0; k < 3; k++) {
            owned_gltf *gltf = NULL;
            lb_gltf_options options = {.tolerance = tolerances[k]};
            assert_made(lb_gltf_load(path, &options, &gltf, &error), error);
            double clips = 0, worst = compare_all(gltf, &o, &clips);
            print_message("%s, tolerance %g: %.2g, clips %.2g\n", names[i], tolerances[k], worst,
                          clips);
            // clips of splines are within 1e-6 of these
            assert_true(worst <= most[k] && clips <= 1e-6);
        }
    }
}

/* ---- files of our own --------------------------------------------------- */

/* three nodes in a row, of which `middle` has more members; `channels` animate them */
static double compare_made(gltf_text *text, double *clips)
{
    size_t size;
    owned char *bytes = gltf_text_end(text, &size);
    oracle o = oracle_open("", (unsigned char *)bytes, size);
    lb_gltf *gltf = load("made.gltf", bytes, size, 1e-14);
    double worst = compare_all(gltf, &o, clips);
    lb_gltf_release(gltf);
    oracle_close(&o);
    return worst;
}

static const float times[] = {0.5f, 1, 1.25f, 3};
/* lengths are not one */
static const float turns[] = {0, 0, 0.6f, 0.8f, 0,     0.5f, 0,    -0.5f,
                              1, 0, 0,    0.1f, -0.2f, 0.3f, 0.4f, 1};
static const float places[] = {0, 1, 0, 0.5f, 1, 0.25f, 2, 1, -1, 0, 0, 3};
static const float scales[] = {1, 1, 1, 2, 2, 2, 0.5f, 0.5f, 0.5f, 1, 1, 1};

TEST(every_interpolation_is_evaluated)
{
    static const char *const how[] = {"LINEAR", "STEP"};
    for (int r = 0; r < 2; r++)
        for (int t = 0; t < 2; t++) {
            gltf_text text =
                gltf_text_start("{\"children\":[1]},{\"children\":[2],\"translation\":[0,1,0]},"
                                "{\"translation\":[1,0,0.5]}");
            gltf_text_channel(&text, 0, "rotation", how[r], times, 4, turns, 16);
            gltf_text_channel(&text, 1, "translation", how[t], times, 4, places, 12);
            gltf_text_channel(&text, 1, "rotation", how[t], times + 1, 3, turns, 12);
            double clips = 0, worst = compare_made(&text, &clips);
            assert_near(worst, 0, 1e-9);
            assert_near(clips, 0, 1e-9);
        }
}

TEST(splines_are_normalised)
{
    float values[48], moves[36];
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 4; i++) {
            values[12 * k + i] = 0.3f * (float)i - 0.2f * (float)k;
            values[12 * k + 4 + i] = turns[4 * k + i];
            values[12 * k + 8 + i] = 0.5f - 0.4f * (float)i;
            if (i < 3)
                moves[9 * k + i] = (float)k, moves[9 * k + 3 + i] = places[3 * k + i],
                              moves[9 * k + 6 + i] = (float)(i - k);
        }
    gltf_text text = gltf_text_start("{\"children\":[1]},{\"translation\":[0,1,0]}");
    gltf_text_channel(&text, 0, "rotation", "CUBICSPLINE", times, 4, values, 48);
    gltf_text_channel(&text, 1, "translation", "CUBICSPLINE", times, 4, moves, 36);
    gltf_text_channel(&text, 1, "rotation", "STEP", times, 4, turns, 16);
    double clips = 0, worst = compare_made(&text, &clips);
    assert_near(worst, 0, 1e-9);
    // see lb_gltf_clip: the two joints together
    assert_near(clips, 0, 4e-6);
}

/* a matrix, uniform and other scales, mirrored ones, and scales that are animated */
TEST(places_follow_scales)
{
    static const char *const above[] = {
        "\"scale\":[2,2,2]",
        "\"scale\":[2,0.5,3]",
        "\"scale\":[-1,1,1]",
        "\"matrix\":[0,2,0,0, -2,0,0,0, 0,0,2,0, 1,2,3,1]",
        "\"matrix\":[0,2,0,0, -0.5,0,0,0, 0,0,3,0, 1,2,3,1]",
    };
    for (size_t i = 0; i < sizeof above / sizeof *above; i++)
        for (int animated = 0; animated < 2; animated++) {
            char nodes[512];
            snprintf(nodes, sizeof nodes,
                     "{\"children\":[1],%s},{\"children\":[2],\"translation\":[0,1,0]},"
                     "{\"children\":[3],\"translation\":[1,0,0.5]},{\"translation\":[0,2,1]}",
                     above[i]);
            gltf_text text = gltf_text_start(nodes);
            gltf_text_channel(&text, 1, "rotation", "LINEAR", times, 4, turns, 16);
            gltf_text_channel(&text, 2, "rotation", "LINEAR", times, 4, turns, 16);
            if (animated)
                gltf_text_channel(&text, 2, "scale", "LINEAR", times, 4, scales, 12);
            double clips = 0, worst = compare_made(&text, &clips);
            assert_near(worst, 0, 1e-9);
            assert_near(clips, 0, 1e-5);
        }
}

/* a chain of bones whose places tremble by rounding, all along the same axis, before one that moves
 */
TEST(trembling_bones_do_not_add_up)
{
    enum { BONES = 6, KEYS = 4 };
    char nodes[1024] = "";
    for (int i = 0; i < BONES; i++)
        snprintf(nodes + strlen(nodes), sizeof nodes - strlen(nodes),
                 "{\"children\":[%d],\"translation\":[0,0.5,0]},", i + 1);
    snprintf(nodes + strlen(nodes), sizeof nodes - strlen(nodes), "{\"translation\":[1,0,0]}");
    gltf_text text = gltf_text_start(nodes);
    for (int i = 0; i < BONES; i++) {
        float moved[3 * KEYS] = {0};
        for (int k = 0; k < KEYS; k++)
            moved[3 * k + 1] = 0.5f + (k % 2 ? 3e-7f : 0);
        gltf_text_channel(&text, i, "rotation", "LINEAR", times, KEYS, turns, 4 * KEYS);
        gltf_text_channel(&text, i, "translation", "LINEAR", times, KEYS, moved, 3 * KEYS);
    }
    gltf_text_channel(&text, BONES, "translation", "LINEAR", times, KEYS, places, 3 * KEYS);
    size_t size;
    owned char *bytes = gltf_text_end(&text, &size);
    owned_oracle o = oracle_open("", (unsigned char *)bytes, size);
    owned_gltf *gltf = load("tremble.gltf", bytes, size, 0);
    double clips = 0, worst = compare_all(gltf, &o, &clips);
    assert_true(worst > 1e-7 && worst <= 1e-6 && clips <= 1e-6);
    // a bone takes up what was added before it, most rest; the last one moves anyway
    int floating = 0;
    for (int i = 0; i < lb_model_joint_count(lb_gltf_model(gltf)); i++)
        floating += lb_model_joint(lb_gltf_model(gltf), i)->kind == LB_JOINT_FLOATING;
    print_message("%.2g, clips %.2g, %d floating\n", worst, clips, floating);
    assert_true(floating > 1 && floating <= BONES / 3 + 1);
}

/* scales that tremble by less than the tolerance, above joints that float and others: at rest in
   the model, but no link is farther off for that */
TEST(trembling_scales_move_no_link)
{
    static const double trembles[] = {9e-6, 5e-6, 1e-6}, lengths[] = {1, 0.3, 4};
    float tremble[12], longer[12];
    for (int i = 0; i < 27; i++) {
        double length = lengths[i / 3 % 3];
        char nodes[512];
        snprintf(nodes, sizeof nodes,
                 "{\"children\":[1]},{\"children\":[2],\"translation\":[%g,0,0]},{\"children\":[3],"
                 "\"translation\":[0,%g,0]},{\"translation\":[0,0,%g]}",
                 length, length, length);
        for (int k = 0; k < 12; k++) {
            tremble[k] = (float)(1 + (k / 3 % 2 == 0 ? 0 : trembles[i % 3]));
            longer[k] = (float)length * places[k];
        }
        gltf_text text = gltf_text_start(nodes);
        gltf_text_channel(&text, 0, "scale", "LINEAR", times, 4, tremble, 12);
        gltf_text_channel(&text, 1, "rotation", "LINEAR", times, 4, turns, 16);
        // what moves beside it: nothing, the node below, one farther below
        if (i / 9 > 0)
            gltf_text_channel(&text, i / 9, "translation", "LINEAR", times, 4, longer, 12);
        size_t size;
        owned char *bytes = gltf_text_end(&text, &size);
        owned_oracle o = oracle_open("", (unsigned char *)bytes, size);
        owned_gltf *gltf = load("scales.gltf", bytes, size, 0);
        double clips = 0, worst = compare_all(gltf, &o, &clips);
        if (!(worst <= 1e-6 && clips <= 1e-6))
            fail_msg("case %d: %.2g, clips %.2g", i, worst, clips);
    }
}

/* a scale that is uniform but for rounding, which an animation turns */
TEST(stretches_that_are_turned_move_no_link)
{
    gltf_text text = gltf_text_start("{\"children\":[1],\"scale\":[1,1,1.000009]},"
                                     "{\"children\":[2],\"translation\":[0,0,1]},"
                                     "{\"children\":[3],\"translation\":[0,0,2]},"
                                     "{\"translation\":[1,0,1]}");
    gltf_text_channel(&text, 1, "rotation", "LINEAR", times, 4, turns, 16);
    gltf_text_channel(&text, 2, "rotation", "LINEAR", times, 4, turns, 16);
    gltf_text_channel(&text, 3, "translation", "LINEAR", times, 4, places, 12);
    size_t size;
    owned char *bytes = gltf_text_end(&text, &size);
    owned_oracle o = oracle_open("", (unsigned char *)bytes, size);
    owned_gltf *gltf = load("turned.gltf", bytes, size, 0);
    double clips = 0, worst = compare_all(gltf, &o, &clips);
    print_message("%.2g, clips %.2g\n", worst, clips);
    assert_true(worst <= 1e-6 && clips <= 1e-6);
}

/* numbers as normalised integers, in views with strides, and sparse ones */
TEST(every_kind_of_number_is_read)
{
    static const signed char bytes[] = {0, 0, 90, 90, 10, -128, 3, 50, 127, 0, 0, 1, -5, 0, 4, 90};
    static const short shorts[] = {0, 0, 9000, 9000,  100, -32768, 3, 50,
                                   0, 0, 0,    32767, 1,   1,      1, 1};
    static const unsigned char unsigned_bytes[] = {0, 0, 255, 255, 9, 8, 7, 6,
                                                   1, 1, 1,   1,   0, 0, 0, 9};
    static const unsigned short unsigned_shorts[] = {0, 0, 65535, 65535, 9, 8, 7, 6,
                                                     1, 1, 1,     1,     0, 0, 0, 9};
    static const struct {
        const void *values;
        int type;
        size_t size;
    } kinds[] = {{bytes, 5120, sizeof bytes},
                 {shorts, 5122, sizeof shorts},
                 {unsigned_bytes, 5121, sizeof unsigned_bytes},
                 {unsigned_shorts, 5123, sizeof unsigned_shorts}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        gltf_text text = gltf_text_start("{\"children\":[1]},{\"translation\":[0,1,0]}");
        int input = gltf_text_accessor(&text, times, sizeof times, 5126, "SCALAR", 4, false);
        int output = gltf_text_accessor(&text, kinds[i].values, kinds[i].size, kinds[i].type,
                                        "VEC4", 4, true);
        gltf_text_curve(&text, 0, "rotation", "LINEAR", input, output);
        int sparse = gltf_text_sparse(&text, places + 3, 4, 1, 2);
        gltf_text_curve(&text, 1, "translation", "LINEAR", input, sparse);
        double clips = 0, worst = compare_made(&text, &clips);
        assert_near(worst, 0, 1e-9);
        assert_near(clips, 0, 1e-9);
    }
}

/* ---- what is in it ------------------------------------------------------ */

TEST(names_and_bones_are_found)
{
    static const char *const extensions[] = {
        "\"VRMC_vrm\":{\"humanoid\":{\"humanBones\":{\"hips\":{\"node\":1},\"head\":{\"node\":2}}}"
        "}",
        "\"VRM\":{\"humanoid\":{\"humanBones\":[{\"bone\":\"hips\",\"node\":1},"
        "{\"bone\":\"head\",\"node\":2}]}}",
        "\"VRMC_vrm_animation\":{\"specVersion\":\"1.0\",\"humanoid\":{\"humanBones\":{"
        "\"hips\":{\"node\":1},\"head\":{\"node\":2}}}}"};
    static const char *const kinds[] = {"VRM 1.0", "VRM 0.x", "VRM animation"};
    for (int i = 0; i < 3; i++) {
        char bytes[1024];
        snprintf(bytes, sizeof bytes,
                 "{\"asset\":{\"version\":\"2.0\",\"generator\":\"hand\"},\"nodes\":["
                 "{\"name\":\"world\",\"children\":[1]},{\"name\":\"a\",\"children\":[2]},"
                 "{\"name\":\"a\"},{}],\"extensions\":{%s}}",
                 extensions[i]);
        owned_gltf *gltf = load("bones.gltf", bytes, strlen(bytes), 0);
        const lb_model *model = lb_gltf_model(gltf);
        lb_gltf_info info = lb_gltf_describe(gltf);
        assert_string_equal(info.humanoid, kinds[i]);
        assert_string_equal(info.generator, "hand");
        assert_int_equal(info.bones, 2);
        assert_int_equal(lb_gltf_find_bone(gltf, "head"), lb_model_find_link(model, "a_2"));
        assert_string_equal(lb_gltf_bone_at(gltf, 0).name, "hips");
        assert_int_equal(lb_gltf_bone_at(gltf, 2).node, -1);
        assert_string_equal(lb_model_link(model, lb_gltf_link(gltf, 1))->bone, "hips");
        assert_null(lb_model_link(model, lb_gltf_link(gltf, 3))->bone);
        assert_true(lb_model_find_link(model, "world_0") == lb_gltf_link(gltf, 0));
        assert_true(lb_model_find_link(model, "node_3") == lb_gltf_link(gltf, 3));
        // bones can be turned, the first one goes anywhere
        assert_int_equal(lb_model_joint(model, lb_gltf_joint(gltf, 1))->kind, LB_JOINT_FLOATING);
        assert_int_equal(lb_model_joint(model, lb_gltf_joint(gltf, 2))->kind, LB_JOINT_BALL);
        assert_int_equal(lb_model_joint(model, lb_gltf_joint(gltf, 3))->kind, LB_JOINT_FIXED);
    }
}

TEST(units_and_axes_can_be_given)
{
    const char *bytes = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"translation\":[0,0,100]}]}";
    owned_gltf *gltf = NULL;
    lb_gltf_options options = {.unit = 0.01, .up = LB_BVH_UP_Z};
    assert_ok(lb_gltf_load_memory("u.gltf", bytes, strlen(bytes), &options, &gltf, &error));
    double q[1];
    owned_state *at = test_state(lb_gltf_model(gltf));
    lb_state_update(at, q);
    assert_near(lb_state_transform(at, LB_WORLD, 1).p.z, 1, 1e-12);
}

/* ---- rotations that are not of unit length --------------------------------- */

static int warned;
static char warning[LB_ERROR_MESSAGE_SIZE];

static void keep_warning(void *user, const lb_error *said)
{
    (void)user;
    warned++;
    snprintf(warning, sizeof warning, "%s", said->message);
}

/* loads what was written, released; how many warnings there are */
static int count_warnings(gltf_text *text, lb_quat *turned)
{
    size_t size;
    owned char *bytes = gltf_text_end(text, &size);
    lb_gltf *gltf = NULL;
    lb_gltf_options options = {.load = {.warn = keep_warning}};
    double q[8] = {0};
    warned = 0;
    assert_made(lb_gltf_load_memory("r.gltf", bytes, size, &options, &gltf, &error), error);
    lb_gltf_at(gltf, 0, 1, q);
    *turned = (lb_quat){q[0], q[1], q[2], q[3]};
    lb_gltf_release(gltf);
    // strictly they are refused
    options.load = (lb_load_options){.strict = true};
    assert_int_equal(lb_gltf_load_memory("r.gltf", bytes, size, &options, &gltf, &error) != LB_OK,
                     warned > 0);
    lb_gltf_release(gltf);
    return warned;
}

/* of nodes and of keys, each said once; what floats and normalised integers round is not said */
TEST(rotations_are_made_of_unit_length)
{
    static const float ends[] = {0, 1};
    static const float unit[] = {0, 0, 0.70710677f, 0.70710677f, 0, 0, 0.6f, 0.8f};
    static const float printed[] = {0, 0, 0.707f, 0.707f, 0, 0, 1.2f, 1.6f};
    static const signed char bytes[] = {0, 0, 90, 90, 0, 0, 76, 102};
    lb_quat turned;
    gltf_text text = gltf_text_start("{\"rotation\":[0,0,0.7071068,0.7071068]},{}");
    gltf_text_channel(&text, 1, "rotation", "LINEAR", ends, 2, unit, 8);
    assert_int_equal(count_warnings(&text, &turned), 0);

    text = gltf_text_start("{\"rotation\":[0,0,0.7,0.7]},{\"rotation\":[0,0,0,2]}");
    gltf_text_channel(&text, 1, "rotation", "LINEAR", ends, 2, unit, 8);
    assert_int_equal(count_warnings(&text, &turned), 1);
    assert_non_null(
        strstr(warning, "2 rotations of nodes, as nodes[0].rotation of length 0.98994"));

    text = gltf_text_start("{},{}");
    gltf_text_channel(&text, 1, "rotation", "LINEAR", ends, 2, printed, 8);
    assert_int_equal(count_warnings(&text, &turned), 1);
    assert_non_null(
        strstr(warning, "2 rotations of animations, as accessors[1] element 0 of length 0.99984"));
    assert_near(turned.w, 0.8, 1e-7);
    assert_near(turned.z, 0.6, 1e-7);

    text = gltf_text_start("{},{}");
    int input = gltf_text_accessor(&text, ends, sizeof ends, 5126, "SCALAR", 2, false);
    gltf_text_curve(&text, 1, "rotation", "LINEAR", input,
                    gltf_text_accessor(&text, bytes, sizeof bytes, 5120, "VEC4", 2, true));
    assert_int_equal(count_warnings(&text, &turned), 0);
}
