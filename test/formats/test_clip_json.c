/*
 * test_clip_json.c - clips as JSON: written and read they are the same, bit for bit.
 */
#define _XOPEN_SOURCE 700

#include <limber/formats/clip_json.h>
#include <limber/formats/load.h>

#include "formats/parse.h"
#include "support.h"

static lb_error error;

enum { KEYS = 7 };

static lb_clip *uneven_clip(const lb_model *model, lb_interpolation how, lb_random *random)
{
    double times[KEYS];
    for (int i = 0; i < KEYS; i++)
        times[i] = 0.1 * i * i + 1.0 / 3;
    return test_random_clip_at(model, times, KEYS, how, random);
}

/* from a file as from memory, with the file's name in a refusal */
TEST(files_are_read)
{
    lb_random random = test_seed(3);
    test_tree wanted = test_tree_default();
    owned_model *model = test_tree_build(&wanted, &random);
    lb_clip *clip = uneven_clip(model, LB_INTERPOLATION_LINEAR, &random), *read = NULL;
    owned char *text = NULL;
    assert_ok(lb_clip_json_write(clip, NULL, &text, &error));
    assert_ok(lb_clip_json_load_memory("a.json", text, strlen(text), model, NULL, &read, &error));
    assert_memory_equal(lb_clip_times(read), lb_clip_times(clip), KEYS * sizeof(double));
    lb_clip_release(read);
    assert_int_equal(lb_clip_json_load_memory("a.json", text, 40, model, NULL, &read, &error),
                     LB_SYNTAX_ERROR);
    assert_null(read);
    assert_string_equal(error.path, "a.json");
    lb_clip_release(clip);
}

TEST(what_is_written_is_read)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        lb_random random = test_seed(seed);
        test_tree wanted = test_tree_default();
        wanted.joints = (int)(seed % 9);
        owned_model *model = test_tree_build(&wanted, &random);
        owned_clip *clip = uneven_clip(model, (lb_interpolation)(seed % 3), &random), *read = NULL;
        owned char *text = NULL;
        assert_ok(lb_clip_json_write(clip, NULL, &text, &error));
        if (lb_clip_json_load_memory("m.json", text, strlen(text), model, NULL, &read, &error) !=
            LB_OK)
            fail_msg("seed %d: %s", (int)seed, error.message);
        assert_int_equal(lb_clip_count(read), KEYS);
        assert_int_equal(lb_clip_interpolation(read), lb_clip_interpolation(clip));
        assert_memory_equal(lb_clip_times(read), lb_clip_times(clip), KEYS * sizeof(double));
        // quaternions are normalised again
        for (int k = 0; k < KEYS * lb_model_nq(model); k++)
            assert_near(lb_clip_key(read, 0)[k], lb_clip_key(clip, 0)[k], 1e-15);
    }
}

#define JOINTS                                                                                     \
    "\"joints\":[{\"name\":\"elbow\",\"kind\":\"continuous\"},{\"name\":\"shoulder\","             \
    "\"kind\":\"continuous\"}]"

static lb_model *arm;

static lb_clip *read_text(const char *text)
{
    lb_clip *read = NULL;
    lb_status status =
        lb_clip_json_load_memory("m.json", text, strlen(text), arm, NULL, &read, &error);
    assert_true((status == LB_OK) == (read != NULL));
    return read;
}

TEST(joints_go_by_name)
{
    owned_clip *read = read_text("{\"limber_motion\":1," JOINTS ",\"times\":[0,1],"
                                 "\"keys\":[[1,2],[3,4]]}");
    assert_non_null(read);
    int shoulder = lb_model_joint_q(arm, lb_model_find_joint(arm, "shoulder"));
    int elbow = lb_model_joint_q(arm, lb_model_find_joint(arm, "elbow"));
    assert_true(lb_clip_key(read, 1)[shoulder] == 4 && lb_clip_key(read, 1)[elbow] == 3);
}

TEST(what_is_wrong_is_said)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "not well-formed"},
        {"{}", "\"limber_motion\": 1 is missing"},
        {"{\"limber_motion\":2}", "\"limber_motion\": 1 is missing"},
        {"{\"limber_motion\":1}", "joints, times and keys"},
        {"{\"limber_motion\":1," JOINTS ",\"times\":[0],\"keys\":[]}", "0 keys for 1 times"},
        {"{\"limber_motion\":1," JOINTS ",\"times\":[0],\"keys\":[[1]]}",
         "key 0: it has 1 numbers, the joints have 2"},
        {"{\"limber_motion\":1," JOINTS ",\"times\":[0],\"keys\":[[1,null]]}",
         "key 0: it has what is no number"},
        {"{\"limber_motion\":1," JOINTS ",\"times\":[\"0\"],\"keys\":[[1,2]]}",
         "key 0: its time is no number"},
        {"{\"limber_motion\":1," JOINTS ",\"times\":[1,1],\"keys\":[[1,2],[1,2]]}", "1"},
        {"{\"limber_motion\":1,\"interpolation\":\"soft\"," JOINTS
         ",\"times\":[0],\"keys\":[[1,2]]}",
         "'soft' is not linear"},
        {"{\"limber_motion\":1,\"joints\":[{\"name\":\"elbo\",\"kind\":\"continuous\"}],\"times\":["
         "0]"
         ","
         "\"keys\":[[1]]}",
         "'elbow'"},
        {"{\"limber_motion\":1,\"joints\":[{\"name\":\"elbow\",\"kind\":\"ball\"}],\"times\":[0],"
         "\"keys\":[[1]]}",
         "'elbow' is ball in the file and continuous in the model"},
        {"{\"limber_motion\":1,\"joints\":[{\"name\":\"elbow\",\"kind\":\"continuous\"},"
         "{\"name\":\"elbow\",\"kind\":\"continuous\"}],\"times\":[0],\"keys\":[[1,1]]}",
         "'elbow' is there twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(read_text(cases[i].text));
        if (strstr(error.message, cases[i].says) == NULL)
            fail_msg("%s: '%s' is not in '%s'", cases[i].text, cases[i].says, error.message);
    }
}

/* nodes that another parser has filled in are read as our own are; a part of them is refused */
TEST(documents_are_read)
{
    static const char text[] =
        "{\"limber_motion\":1," JOINTS ",\"times\":[0,1],\"keys\":[[1,2],[3,4]]}";
    lb_document *document = NULL;
    lb_clip *read = NULL, *wanted = read_text(text);
    assert_ok(parse_text(json_parse, text, sizeof text - 1, NULL, NULL, &document, &error));
    assert_ok(lb_clip_json_load_document("m", document, arm, NULL, &read, &error));
    assert_memory_equal(lb_clip_key(read, 0), lb_clip_key(wanted, 0),
                        2 * (size_t)lb_model_nq(arm) * sizeof(double));
    lb_clip_release(read);
    lb_clip_release(wanted);
    lb_document_release(document);
    assert_ok(lb_document_create(NULL, &document));
    lb_document_add(document, LB_NODE_OBJECT, NULL, NULL, 0, 1);
    assert_int_not_equal(lb_clip_json_load_document("m", document, arm, NULL, &read, &error),
                         LB_OK);
    assert_null(read);
    lb_document_release(document);
    assert_int_equal(lb_clip_json_load_document("m", NULL, arm, NULL, &read, &error),
                     LB_INVALID_ARGUMENT);
}

TEST(damaged_files_are_refused)
{
    char text[] = "{\"limber_motion\":1," JOINTS ",\"times\":[0,1],\"keys\":[[1,2],[3,4]]}";
    for (size_t cut = 0; cut + 1 < sizeof text; cut++) {
        lb_clip *read = NULL;
        assert_int_not_equal(
            lb_clip_json_load_memory("m.json", text, cut, arm, NULL, &read, &error), LB_OK);
        assert_true(error.message[0] != '\0');
    }
    for (size_t at = 0; at + 1 < sizeof text; at++)
        for (const char *with = "x9\"[}-"; *with != '\0'; with++) {
            char kept = text[at];
            text[at] = *with;
            lb_clip_release(read_text(text));
            text[at] = kept;
        }
    ALLOCATIONS_FAIL (run, 30) {
        owned_clip *read = NULL;
        run.status = lb_clip_json_load_memory("m.json", text, sizeof text - 1, arm, &run.allocator,
                                              &read, &error);
    }
}

static int load_arm(void)
{
    return lb_load("planar2", NULL, &arm, &error) == LB_OK ? 0 : -1;
}

static int drop_arm(void)
{
    lb_model_release(arm);
    return 0;
}

TEST_FIXTURE(load_arm, drop_arm)
