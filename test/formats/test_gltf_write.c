/*
 * test_gltf_write.c - written glTF and GLB: all that was there is still there, and animations are
 * those of the clips.
 */
#include <limber/formats/gltf.h>
#include <limber/kinematics.h>

#include <jansson.h>
#include <math.h>

#include "gltf_oracle.h"
#include "gltf_text.h"
#include "grown.h"
#include "support.h"

static lb_error error;

static lb_gltf *load(const void *bytes, size_t size)
{
    lb_gltf *gltf = NULL;
    assert_made(lb_gltf_load_memory("w.gltf", bytes, size, NULL, &gltf, &error), error);
    return gltf;
}

static grown written(const lb_gltf *gltf, const lb_gltf_animation *animations, int count,
                     bool binary, bool only_these)
{
    grown to = {0};
    lb_gltf_write_options options = {.binary = binary, .only_these = only_these};
    assert_made(lb_gltf_write(gltf, animations, count, &options, grown_add, &to, &error), error);
    return to;
}

/* the largest difference of all links' places and axes, of animations of two files of one figure */
static double compare(const lb_gltf *a, int first, const lb_gltf *b, int second)
{
    const lb_model *model = lb_gltf_model(a), *other = lb_gltf_model(b);
    double begin, end, worst = 0;
    owned double *q = calloc((size_t)lb_model_nq(model) + 1, sizeof *q);
    owned double *r = calloc((size_t)lb_model_nq(other) + 1, sizeof *r);
    owned_state *x = test_state(model);
    owned_state *y = test_state(other);
    assert_int_equal(lb_model_link_count(model), lb_model_link_count(other));
    lb_gltf_animation_times(a, first, &begin, &end);
    for (int i = 0; i <= 50; i++) {
        double time = begin + (end - begin) * i / 50;
        lb_gltf_at(a, first, time, q);
        lb_gltf_at(b, second, time, r);
        lb_state_update(x, q);
        lb_state_update(y, r);
        for (int n = 0; n < lb_gltf_describe(a).nodes; n++) {
            lb_transform s = lb_state_transform(x, LB_WORLD, lb_gltf_link(a, n));
            lb_transform t = lb_state_transform(y, LB_WORLD, lb_gltf_link(b, n));
            worst = fmax(worst, lb_transform_distance(&s, &t));
            worst = fmax(worst, lb_vec3_length(lb_vec3_sub(s.x, t.x)));
            worst = fmax(worst, lb_vec3_length(lb_vec3_sub(s.z, t.z)));
        }
    }
    return worst;
}

/* ---- real files --------------------------------------------------------- */

static const char *const names[] = {
    "cesium_man.gltf",      "rigged_simple.gltf", "interpolation_test/interpolation_test.gltf",
    "robot_expressive.glb", "greenman.glb",       "simple_skin.gltf"};

static lb_gltf *load_file(const char *name, char path[1024])
{
    lb_gltf *gltf = NULL;
    snprintf(path, 1024, "%s/gltf/%s", LIMBER_DATA_DIR, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        print_message("skipped: there is no %s\n", path);
        skip();
    }
    fclose(file);
    assert_made(lb_gltf_load(path, NULL, &gltf, &error), error);
    return gltf;
}

static json_t *json_of(const unsigned char *bytes, size_t size)
{
    json_error_t said;
    uint32_t length = (uint32_t)size;
    bool binary = memcmp(bytes, "glTF", 4) == 0;
    if (binary)
        memcpy(&length, bytes + 12, 4);
    json_t *json = json_loadb((const char *)bytes + (binary ? 20 : 0), length, 0, &said);
    assert_non_null(json);
    return json;
}

/* written as it is: every member but the buffers' own is equal, and so are all poses */
TEST(unchanged_files_keep_everything)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int binary = 0; binary < 2; binary++) {
            char path[1024];
            owned_gltf *gltf = load_file(names[i], path), *again = NULL;
            grown to = written(gltf, NULL, 0, binary, false);
            again = load(to.bytes, to.size);
            for (int a = 0; a < lb_gltf_describe(gltf).animations; a++)
                assert_true(compare(gltf, a, again, a) == 0);
            // the original's JSON
            grown original = {0};
            FILE *file = fopen(path, "rb");
            unsigned char block[4096];
            for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
                grown_add(&original, block, n);
            fclose(file);
            json_t *x = json_of(original.bytes, original.size), *y = json_of(to.bytes, to.size);
            json_object_del(x, "buffers");
            json_object_del(y, "buffers");
            assert_true(json_equal(x, y));
            json_decref(x);
            json_decref(y);
            free(original.bytes);
            free(to.bytes);
        }
}

/* floats have seven digits, of a figure of some metres */
#define FLOATS 2e-5

/* the largest difference of two animations of a written file, for a reader that shares nothing with
   the library, at keys of the clip */
static double compare_by_oracle(const grown *to, int a, int b, const lb_clip *clip)
{
    oracle o = oracle_open("", to->bytes, to->size);
    double(*first)[16] = calloc((size_t)o.nodes, sizeof *first), worst = 0;
    double(*turned)[9] = calloc((size_t)o.nodes, sizeof *turned);
    int keys = lb_clip_count(clip);
    for (int i = 0; i < keys; i += 1 + keys / 10) {
        oracle_pose(&o, a, lb_clip_times(clip)[i]);
        memcpy(first, o.world, (size_t)o.nodes * sizeof *first);
        memcpy(turned, o.turned, (size_t)o.nodes * sizeof *turned);
        oracle_pose(&o, b, lb_clip_times(clip)[i]);
        // places and rotations; scales are no part of a clip
        for (int k = 0; k < 12 * o.nodes; k++)
            worst = fmax(worst, k % 12 < 9 ? fabs(turned[k / 12][k % 12] - o.turned[k / 12][k % 12])
                                           : fabs(first[k / 12][4 * (k % 12 - 9) + 3] -
                                                  o.world[k / 12][4 * (k % 12 - 9) + 3]));
    }
    free(first);
    free(turned);
    oracle_close(&o);
    return worst;
}

TEST(clips_become_animations)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[1024];
        owned_gltf *gltf = load_file(names[i], path);
        int count = lb_gltf_describe(gltf).animations;
        for (int a = 0; a < count; a++) {
            owned_clip *clip = NULL;
            assert_made(lb_gltf_clip(gltf, a, NULL, &clip, &error), error);
            // a new one, one in the place of another, and alone
            const char *own = lb_gltf_animation_name(gltf, a);
            lb_gltf_animation new_one = {"a new one", clip}, replaced = {own, clip};
            for (int variant = 0; variant < 3; variant++) {
                grown to =
                    written(gltf, variant == 1 ? &replaced : &new_one, 1, a % 2 == 0, variant == 2);
                lb_gltf *again = load(to.bytes, to.size);
                bool found = variant == 1 && *own != '\0';
                int at = variant == 2 ? 0 : found ? lb_gltf_find_animation(gltf, own) : count;
                at = variant == 1 && *own == '\0' ? 0 : at;
                assert_int_equal(lb_gltf_describe(again).animations, variant == 2   ? 1
                                                                     : variant == 1 ? count
                                                                                    : count + 1);
                double worst = compare(gltf, a, again, at);
                if (variant == 0)
                    worst = fmax(worst, compare_by_oracle(&to, a, at, clip));
                if (!(worst <= FLOATS))
                    fail_msg("%s, animation %d: %g", names[i], a, worst);
                lb_gltf_release(again);
                free(to.bytes);
            }
        }
    }
}

/* ---- files of our own --------------------------------------------------- */

static const float times[] = {0, 1, 2};
static const float turns[] = {0, 0, 0.6f, 0.8f, 1, 0, 0, 0, 0, 1, 0, 1};
static const float places[] = {0, 1, 0, 2, 0, 1, 4, 0, 0};

/* a file whose node `turned` turns, and whose next moves */
static lb_gltf *made(const char *nodes, int turned)
{
    size_t size;
    gltf_text text = gltf_text_start(nodes);
    gltf_text_channel(&text, turned, "rotation", "LINEAR", times, 3, turns, 12);
    gltf_text_channel(&text, turned + 1, "translation", "STEP", times, 3, places, 9);
    owned char *bytes = gltf_text_end(&text, &size);
    lb_gltf *gltf = load(bytes, size);
    return gltf;
}

/* below scales of all kinds, which turn with their node or stay while a node below them turns, and
   with steps among linear curves */
TEST(places_are_brought_back_through_scales)
{
    static const char *const scales[] = {"[1,1,1]", "[2,2,2]", "[3,0.5,-1]"};
    for (int i = 0; i < 6; i++) {
        char nodes[256];
        owned_clip *clip = NULL;
        snprintf(nodes, sizeof nodes, "{\"children\":[1],\"scale\":%s},%s{\"translation\":[0,1,0]}",
                 scales[i % 3], i < 3 ? "" : "{\"children\":[2],\"translation\":[0,1,0]},");
        owned_gltf *gltf = made(nodes, i < 3 ? 0 : 1);
        assert_ok(lb_gltf_clip(gltf, 0, NULL, &clip, &error));
        grown to = written(gltf, &(lb_gltf_animation){"x", clip}, 1, true, true);
        owned_gltf *again = load(to.bytes, to.size);
        assert_near(compare(gltf, 0, again, 0), 0, FLOATS);
        free(to.bytes);
    }
}

static lb_status refused(const lb_gltf *gltf, const lb_clip *clip)
{
    grown to = {0};
    lb_gltf_animation animation = {"x", clip};
    lb_status status = lb_gltf_write(gltf, &animation, 1, NULL, grown_add, &to, &error);
    free(to.bytes);
    assert_true(error.message[0] != '\0');
    return status;
}

static bool ending_sink(void *user, const void *bytes, size_t size)
{
    (void)user, (void)bytes, (void)size;
    return false;
}

TEST(what_cannot_be_written_is_refused)
{
    owned_gltf *gltf = made("{\"children\":[1]},{\"translation\":[0,1,0]}", 0);
    const lb_model *model = lb_gltf_model(gltf);
    double keys[2 * 64] = {0}, late[] = {1, 1 + 1e-12}, early[] = {-1, 0}, even[] = {0, 1};
    int nq = lb_model_nq(model);
    for (int i = 0; i < 2; i++)
        lb_configuration_neutral(model, keys + i * nq);
    lb_clip *clip = test_clip(model, even, keys, 2, LB_INTERPOLATION_CUBIC);
    assert_refused(refused(gltf, clip), LB_UNSUPPORTED, &error, "lb_clip_resample");
    lb_clip_release(clip);
    clip = test_clip(model, early, keys, 2, LB_INTERPOLATION_LINEAR);
    assert_refused(refused(gltf, clip), LB_BAD_VALUE, &error, "lb_clip_retime");
    lb_clip_release(clip);
    // a step's second key is a float before the first: nothing is lost
    clip = test_clip(model, late, keys, 2, LB_INTERPOLATION_LINEAR);
    grown to = written(gltf, &(lb_gltf_animation){"x", clip}, 1, false, false);
    free(to.bytes);
    lb_clip_release(clip);
    lb_model *other = test_single(LB_JOINT_BALL);
    clip = test_clip(other, even, (double[]){1, 0, 0, 0, 1, 0, 0, 0}, 2, LB_INTERPOLATION_LINEAR);
    assert_int_equal(refused(gltf, clip), LB_BAD_MODEL);
    lb_clip_release(clip);
    lb_model_release(other);
    assert_int_equal(lb_gltf_write(gltf, NULL, 0, NULL, ending_sink, NULL, &error), LB_FILE_ERROR);
}

TEST(failing_allocations_are_said)
{
    owned_gltf *gltf = made("{\"children\":[1]},{\"translation\":[0,1,0]}", 0);
    owned_clip *clip = NULL;
    assert_ok(lb_gltf_clip(gltf, 0, NULL, &clip, &error));
    ALLOCATIONS_FAIL (run, 50) {
        lb_gltf_write_options options = {.allocator = &run.allocator};
        grown to = {0};
        run.status = lb_gltf_write(gltf, &(lb_gltf_animation){"x", clip}, 1, &options, grown_add,
                                   &to, &error);
        free(to.bytes);
    }
}

/* members that are not in the specification, in extensions and extras, stay */
TEST(unknown_members_stay)
{
    const char *bytes =
        "{\"asset\":{\"version\":\"2.0\","
        "\"extras\":{\"a\":[1.5,1e300,12345678901,1.0,9007199254740993]}},"
        "\"extensionsUsed\":[\"ACME_x\"],\"extensions\":{\"ACME_x\":{\"b\":null}},"
        "\"nodes\":[{\"name\":\"n\",\"q\\\"\":{},\"extensions\":{\"ACME_x\":{\"c\":\"\\u00e9\"}}}],"
        "\"skins\":[{\"joints\":[0]}]}";
    owned_gltf *gltf = load(bytes, strlen(bytes));
    double keys[14] = {0}, even[] = {0, 1};
    for (int i = 0; i < 2; i++)
        lb_configuration_neutral(lb_gltf_model(gltf), keys + 7 * i);
    owned_clip *clip = test_clip(lb_gltf_model(gltf), even, keys, 2, LB_INTERPOLATION_STEP);
    grown to = written(gltf, &(lb_gltf_animation){"x", clip}, 1, true, false);
    json_t *before = json_of((const unsigned char *)bytes, strlen(bytes));
    json_t *after = json_of(to.bytes, to.size);
    const char *key;
    json_t *value;
    json_object_foreach(before, key, value)
        assert_true(json_equal(value, json_object_get(after, key)));
    json_decref(before);
    json_decref(after);
    free(to.bytes);
}
