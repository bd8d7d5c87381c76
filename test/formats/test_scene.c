/* test_scene.c - scenes: what they have is read, what is wrong is refused by name. */
#include "loading.h"

#include <limber/formats/scene.h>

static const char everything[] =
    "{\"limber\": 1, \"name\": \"cell\", \"summary\": \"s\", \"angles\": \"degrees\",\n"
    " \"obstacles\": [\n"
    "  {\"name\": \"table\", \"placement\": {\"xyz\": [1, 0, 0], \"rpy\": [0, 0, 90]},\n"
    "   \"shapes\": [\n"
    "    {\"shape\": \"box\", \"size\": [1, 2, 0.1], \"placement\": {\"xyz\": [0.5, 0, 0]}},\n"
    "    {\"shape\": \"cylinder\", \"radius\": 0.1, \"from\": [0, 0, 0], \"to\": [0, 0, -1]}]},\n"
    "  {\"name\": \"part\", \"shapes\": [{\"shape\": \"mesh\", \"mesh\": \"part.stl\",\n"
    "   \"scale\": [0.001, 0.001, 0.001], \"color\": [1, 0, 0]}]},\n"
    "  {\"name\": \"nothing\", \"shapes\": []}]}\n";

static lb_status load(const char *text, const lb_allocator *allocator, lb_scene **scene,
                      lb_error *error)
{
    FILE *file = fopen("scene.json", "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    lb_load_options options = {.allocator = allocator};
    return lb_scene_load("scene.json", &options, scene, error);
}

TEST(reads_everything)
{
    owned_scene *scene = NULL;
    assert_made(load(everything, NULL, &scene, &cause), cause);
    assert_int_equal(scene->obstacle_count, 3);
    const lb_obstacle *o = scene->obstacles;
    assert_string_equal(o[0].name, "table");
    assert_string_equal(o[1].name, "table");
    assert_string_equal(o[2].name, "part");
    assert_int_equal(o[0].geometry.shape, LB_SHAPE_BOX);
    // the object's placement, then the shape's own
    assert_near(o[0].geometry.origin.p.x, 1, 1e-15);
    assert_near(o[0].geometry.origin.p.y, 0.5, 1e-15);
    assert_near(o[0].geometry.origin.x.y, 1, 1e-15);
    assert_near(o[1].geometry.size.z, 1, 0);
    assert_near(o[1].geometry.origin.p.z, -0.5, 0);
    assert_string_equal(o[2].geometry.mesh, "part.stl");
    assert_near(o[2].geometry.size.y, 0.001, 0);
    lb_scene_release(NULL);
}

TEST(refuses)
{
    static const struct {
        const char *text;
        lb_status status;
        int line;
        const char *message;
    } cases[] = {
        {"{}", LB_BAD_MODEL, 1, "obstacles"},
        {"[]", LB_BAD_VALUE, 1, "expected an object"},
        {"{\"obstacles\": 1}", LB_BAD_VALUE, 1, "obstacles: expected an array"},
        {"{\"obstacles\": [\n{\"name\": \"a\"}]}", LB_BAD_MODEL, 2, "obstacles[0]"},
        {"{\"obstacles\": [{\"shapes\": []}]}", LB_BAD_MODEL, 1, "\"name\""},
        {"{\"obstacles\": [{\"name\": \"a\", \"shapes\": [\n{\"shape\": \"bos\"}]}]}", LB_BAD_VALUE,
         2, "did you mean 'box'"},
        {"{\"obstacles\": [{\"name\": \"a\", \"shapes\": [{\"shape\": \"box\",\n\"size\": [1, "
         "1]}]}]}",
         LB_BAD_VALUE, 2, "obstacles[0].shapes[0].size"},
        {"{\"obstacles\": [{\"name\": \"a\", \"shapes\": [{\"shape\": \"sphere\", "
         "\"radius\": -1}]}]}",
         LB_BAD_VALUE, 1, "must not be below zero"},
        {"{\"obstacles\": [\n{\"name\": \"a\", \"shapes\": [{\"shape\": \"sphere\", "
         "\"radius\": 1e308}]}]}",
         LB_BAD_VALUE, 2, "obstacle 'a': size 1e+308 must be 0 to 1e+15"},
        {"{\"obstacles\": [\n{\"name\": \"a\", \"placement\": {\"xyz\": [0, 1e16, 0]}, "
         "\"shapes\": [{\"shape\": \"sphere\", \"radius\": 1}]}]}",
         LB_BAD_VALUE, 2, "obstacle 'a': its origin 0 1e+16 0 is farther"},
        {"\xff\xfe{\"", LB_SYNTAX_ERROR, 1, "the text is UTF-16; save it as UTF-8"},
        {"{\"obstacle\": []}", LB_BAD_MODEL, 1, "did you mean"},
        {"{\"obstacles\": [", LB_SYNTAX_ERROR, 1, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lb_scene *scene;
        lb_error error = {0};
        lb_status status = load(cases[i].text, NULL, &scene, &error);
        if (status != cases[i].status || error.line != cases[i].line ||
            strstr(error.message, cases[i].message) == NULL)
            fail_msg("%s: %d, line %d: %s", cases[i].text, (int)status, error.line, error.message);
        assert_null(scene);
        assert_string_equal(error.path, "scene.json");
    }
    lb_scene *scene;
    lb_error error;
    assert_int_equal(lb_scene_load("absent.json", NULL, &scene, &error), LB_FILE_ERROR);
    assert_int_equal(lb_scene_load(NULL, NULL, &scene, &error), LB_INVALID_ARGUMENT);
}

/* cut anywhere, and with any byte another one: a scene or a refusal, never more */
TEST(survives_any_text)
{
    char text[sizeof everything];
    for (size_t i = 0; i + 1 < sizeof everything; i++) {
        static const char others[] = {'0', '{', ']', '"', '\x80', ' '};
        for (size_t k = 0; k <= sizeof others; k++) {
            memcpy(text, everything, sizeof text);
            text[i] = k < sizeof others ? others[k] : '\0';
            owned_scene *scene = NULL;
            lb_error error = {0};
            lb_status status = load(text, NULL, &scene, &error);
            assert_true((status == LB_OK) == (scene != NULL));
            assert_true(status == LB_OK || error.message[0] != '\0');
        }
    }
}

TEST(survives_without_memory)
{
    ALLOCATIONS_FAIL (run, 100) {
        owned_scene *scene = NULL;
        run.status = load(everything, &run.allocator, &scene, NULL);
    }
}
