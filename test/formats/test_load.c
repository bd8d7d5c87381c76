/* test_load.c - finding a model by file, ending, content and name. */
#define _XOPEN_SOURCE 700

#include "loading.h"

#include <limber/formats/bvh.h>
#include <limber/formats/load.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char urdf[] = "<robot name='from urdf'><link name='a'/></robot>";
static const char json[] = "{\"name\": \"from json\", \"links\": [{\"name\": \"a\"}]}";

static void write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

/* ---- formats ------------------------------------------------------------ */

TEST(lists_formats)
{
    assert_true(lb_format_count() >= 2);
    for (int i = 0; i < lb_format_count(); i++) {
        const lb_format *format = lb_format_at(i);
        assert_true(format->name[0] != '\0' && format->summary[0] != '\0');
        assert_non_null(strstr(format->endings, format->name));
    }
    assert_string_equal(lb_format_at(0)->name, "urdf");
    assert_string_equal(lb_format_at(1)->name, "mjcf");
    assert_string_equal(lb_format_at(2)->name, "json");
    assert_null(lb_format_at(-1));
    assert_null(lb_format_at(lb_format_count()));
}

static void check_loads(const char *name, const char *text, const char *model_name)
{
    owned_model *model = load_text(name, text);
    assert_string_equal(lb_model_name(model), model_name);
}

TEST(finds_formats)
{
    check_loads("arm.urdf", urdf, "from urdf");
    check_loads("a.b/ARM.URDF", urdf, "from urdf");
    check_loads("arm.xml", urdf, "from urdf");
    check_loads("arm.json", json, "from json");

    // another ending, or none: the content decides
    check_loads("arm.txt", urdf, "from urdf");
    check_loads("arm", json, "from json");
    check_loads("arm.urdfx", "\xEF\xBB\xBF \n{\"name\": \"n\", \"links\": [{\"name\": \"a\"}]}",
                "n");
    check_loads("arm.", "\xEF\xBB\xBF<robot name='n'><link name='a'/></robot>", "n");

    // the ending decides before the content does
    const refusal wrong = {urdf, LB_SYNTAX_ERROR, 1, "JSON"};
    check_refusal("arm.json", &wrong);
}

TEST(refuses_what_has_no_format)
{
    static const refusal refusals[] = {
        {"", LB_SYNTAX_ERROR, 0, "the file is empty"},
        {" \n\t\r\n", LB_SYNTAX_ERROR, 0, "the file is empty"},
        {"robot", LB_UNSUPPORTED, 0,
         "neither its ending nor its content is of a known format (urdf"},
        {"\x7F\x45LF", LB_UNSUPPORTED, 0, "format"},
    };
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        check_refusal("arm", &refusals[i]);
    check_refusal("arm.urdf", &refusals[0]);
    check_refusal("arm.json", &refusals[1]);
}

/* bytes that are no text, under every ending */
TEST(survives_binary_files)
{
    static const char *const names[] = {"noise", "noise.urdf", "noise.json", "noise.xml"};
    char noise[4096];
    for (uint64_t seed = 1; seed <= 200; seed++) {
        lb_random random = test_seed(seed);
        for (size_t i = 0; i < sizeof noise; i++)
            noise[i] = (char)(lb_random_next(&random) & 0xFF);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            assert_int_not_equal(load_hostile(names[i], noise, sizeof noise, NULL), LB_OK);
    }
}

/* ---- files -------------------------------------------------------------- */

TEST(loads_files)
{
    lb_model *model;
    write_file("load_test.urdf", urdf, sizeof urdf - 1);
    assert_ok(lb_load("load_test.urdf", NULL, &model, &cause));
    assert_string_equal(lb_model_name(model), "from urdf");
    lb_model_release(model);

    // errors in a file have its path and line
    static const char broken[] = "<robot name='r'>\n<link/></robot>";
    write_file("load_test.urdf", broken, sizeof broken - 1);
    assert_int_equal(lb_load("load_test.urdf", NULL, &model, &cause), LB_BAD_MODEL);
    assert_null(model);
    assert_string_equal(cause.path, "load_test.urdf");
    assert_int_equal(cause.line, 2);
    remove("load_test.urdf");
}

static void check_not_loaded(const char *name, lb_status status, const char *message)
{
    lb_model *model = NULL;
    lb_error error = {.status = LB_OK};
    assert_int_equal(lb_load(name, NULL, &model, &error), status);
    assert_int_equal(error.status, status);
    assert_null(model);
    assert_string_equal(error.path, name);
    if (strstr(error.message, message) == NULL)
        fail_msg("\"%s\" has no \"%s\"", error.message, message);
    assert_int_equal(lb_load(name, NULL, &model, NULL), status);
}

TEST(refuses_files)
{
    check_not_loaded("no/such/file.urdf", LB_FILE_ERROR, "No such file");
    check_not_loaded("missing.json", LB_FILE_ERROR, "No such file");
    check_not_loaded("no/such/panda.urdf", LB_FILE_ERROR, "the built-in model is 'panda'");
    check_not_loaded("ur5.json", LB_FILE_ERROR, "the built-in model is 'ur5'");
    check_not_loaded("/", LB_FILE_ERROR, "directory");
    write_file("load_empty.urdf", "", 0);
    check_not_loaded("load_empty.urdf", LB_SYNTAX_ERROR, "empty");
    remove("load_empty.urdf");
}

TEST(refuses_unknown_names)
{
    check_not_loaded("pnda", LB_NOT_FOUND, "did you mean 'panda'?");
    check_not_loaded("UR5", LB_NOT_FOUND, "did you mean 'ur5'?");
    check_not_loaded("xyzzy", LB_NOT_FOUND, "no such built-in model");
}

/* a file wins over a built-in model of its name, a folder does not */
TEST(prefers_files)
{
    lb_model *model;
    assert_ok(lb_load("planar2", NULL, &model, NULL));
    assert_string_equal(lb_model_name(model), "planar2");
    lb_model_release(model);

    write_file("planar2", json, sizeof json - 1);
    assert_ok(lb_load("planar2", NULL, &model, NULL));
    assert_string_equal(lb_model_name(model), "from json");
    lb_model_release(model);
    remove("planar2");

    assert_int_equal(mkdir("planar2", 0700), 0);
    assert_ok(lb_load("planar2", NULL, &model, NULL));
    assert_string_equal(lb_model_name(model), "planar2");
    lb_model_release(model);
    assert_int_equal(rmdir("planar2"), 0);
}

TEST(refuses_null)
{
    lb_model *model;
    assert_int_equal(lb_load(NULL, NULL, &model, &cause), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_load("panda", NULL, NULL, NULL), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_load_memory("m.json", NULL, 0, NULL, &model, &cause), LB_INVALID_ARGUMENT);
    assert_true(cause.message[0] != '\0');
}

/* the file's text is released whatever happens */
TEST(releases_memory)
{
    write_file("load_memory.json", json, sizeof json - 1);
    ALLOCATIONS_FAIL (run, 10000) {
        owned_model *model = NULL;
        run.status = lb_load("load_memory.json", &run.allocator, &model, NULL);
    }
    remove("load_memory.json");
}

/* What is kept of a file, one line for each note. */
/* angles that look like degrees in a file that does not say so are warned of, by their line */
TEST(warns_of_degrees)
{
    static const char file[] =
        "{\"name\": \"m\", \"angles\": \"%s\",\n"
        "\"links\": [{\"name\": \"a\"}, {\"name\": \"b\"}, {\"name\": \"c\"}],\n\"joints\": [\n"
        "{\"name\": \"j\", \"kind\": \"revolute\", \"parent\": \"a\", \"child\": \"b\",\n"
        "\"placement\": {\"xyz\": [90, 0, 0], \"rpy\": [0, 3,\n45]}, \"limits\": [-90, 90]},\n"
        "{\"name\": \"k\", \"kind\": \"ball\", \"parent\": \"b\", \"child\": \"c\",\n"
        "\"limits\": {\"twist\": [-1, 1], \"swing\": 60}}]}";
    static const char table[] =
        "{\"name\": \"m\", \"angles\": \"%s\", \"dh\": {\"convention\": \"standard\", \"rows\": [\n"
        "{\"alpha\": -90, \"a\": 100},\n{\"theta\": 1.5, \"d\": 100, \"limits\": [-135, 135]}]}}";
    static const struct {
        const char *file, *says;
    } cases[] = {
        {file, "6: joints[0].placement.rpy[2]: 45 is read in radians but looks like degrees\n"
               "4: joint 'j': limits -90 .. 90 are read in radians but look like degrees, which "
               "would be -1.5708 .. 1.5708\n"
               "7: joint 'k': limits 0 .. 60 are read in radians but look like degrees, which "
               "would be 0 .. 1.0472\n"},
        {table, "2: dh.rows[0].alpha: -90 is read in radians but looks like degrees\n"
                "3: joint 'joint_2': limits -135 .. 135 are read in radians but look like degrees, "
                "which would be -2.35619 .. 2.35619\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int degrees = 0; degrees < 2; degrees++) {
            char text[1024], kept[KEPT_WARNINGS] = "";
            owned_model *model = NULL;
            lb_load_options options = {.warn = add_warning, .user = kept};
            snprintf(text, sizeof text, cases[i].file, degrees ? "degrees" : "radians");
            assert_ok(
                lb_load_memory_with_options("m.json", text, strlen(text), &options, &model, NULL));
            assert_string_equal(kept, degrees ? "" : cases[i].says);
        }
}

/* a root that moves, of every format; the one of a capture with motion stays as it is */
TEST(makes_the_root_move)
{
    static const struct {
        const char *file, *text;
    } cases[] = {
        {"a.urdf", "<robot name='r'><link name='a'/></robot>"},
        {"a.mjcf", "<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>"},
        {"a.json",
         "{\"limber\": 1, \"name\": \"m\", \"links\": [{\"name\": \"a\"}], \"joints\": []}"},
        {"a.bvh",
         "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
         "Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\n"
         "Frame Time: 0.1\n0 0 0 0 0 0\n"},
    };
    static const int numbers[LB_ROOT_COUNT] = {[LB_ROOT_PLANAR] = 3, [LB_ROOT_FLOATING] = 7};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int root = LB_ROOT_FIXED; root < LB_ROOT_COUNT; root++) {
            lb_load_options options = {.root = (lb_root)root};
            owned_model *model = NULL;
            lb_error error = {0};
            size_t size = strlen(cases[i].text);
            if (lb_load_memory_with_options(cases[i].file, cases[i].text, size, &options, &model,
                                            &error) != LB_OK)
                fail_msg("%s, %s: %s", cases[i].file, lb_root_text((lb_root)root), error.message);
            assert_int_equal(lb_model_nq(model), numbers[root]);
        }
    lb_bvh_options capture = {.load = {.root = LB_ROOT_PLANAR}};
    lb_bvh *bvh;
    lb_error error;
    const char *text = cases[3].text;
    assert_refused(lb_bvh_load_memory("a.bvh", text, strlen(text), &capture, &bvh, &error),
                   LB_UNSUPPORTED, &error, "cannot be made planar");
}

/* no root has that number, and nothing is left of a model that has been read */
TEST(refuses_an_unknown_root)
{
    lb_load_options options = {.root = LB_ROOT_COUNT};
    lb_model *model;
    assert_int_equal(lb_load_with_options("planar2", &options, &model, &cause),
                     LB_INVALID_ARGUMENT);
    assert_null(model);
    assert_string_equal(cause.message, "option 'root' is 4, but there are 4 kinds of root");
    assert_string_equal(lb_root_text(LB_ROOT_COUNT), "");
    assert_string_equal(lb_root_text(LB_ROOT_AS_READ), "as read");
}

/* what is in a pipe can be read once: whether there is a file of that name is seen without */
TEST(a_pipe_is_read)
{
    static const char *const paths[] = {"model_pipe", "./model_pipe"};
    for (int i = 0; i < 2; i++) {
        unlink(paths[i]);
        assert_int_equal(mkfifo(paths[i], 0600), 0);
        pid_t writer = fork();
        assert_true(writer >= 0);
        if (writer == 0) {
            write_file(paths[i], json, sizeof json - 1);
            _exit(0);
        }
        lb_model *model = NULL;
        assert_ok(lb_load(paths[i], NULL, &model, NULL));
        assert_string_equal(lb_model_name(model), "from json");
        lb_model_release(model);
        assert_int_equal(waitpid(writer, NULL, 0), writer);
        unlink(paths[i]);
    }
}

/* libxml2 would compare each attribute with all before it, and each prefix with all declared */
TEST(refuses_many_attributes)
{
    enum { MOST = 10000, MOST_PREFIXES = 1000 };
    owned char *text = malloc(32 * MOST + 256);
    assert_non_null(text);
    for (int prefixes = 0; prefixes < 2; prefixes++)
        for (int more = 0; more < 2; more++) {
            int count = (prefixes ? MOST_PREFIXES : MOST) + more;
            char *at = text + sprintf(text, "<robot name='r'>\n<link name='a'/><!-- = -->\n<x");
            for (int i = 0; i < count; i++)
                at += sprintf(at, " %sa%d='u'", prefixes ? "xmlns:" : "", i);
            sprintf(at, "/></robot>");
            owned_model *model = NULL;
            lb_error error = {0};
            lb_status status = lb_load_memory("a.urdf", text, strlen(text), NULL, &model, &error);
            assert_int_equal(status, more ? LB_UNSUPPORTED : LB_OK);
            assert_int_equal(error.line, more ? 3 : 0);
        }
}

/* signs of equality in comments, sections of text and values are no attributes */
TEST(reads_many_equals_elsewhere)
{
    enum { MANY = 10080 };
    static const char *const around[][2] = {
        {"<!-- ", " -->"}, {"<!-- <a b='1'/> ", " -->"}, {"<![CDATA[ ", " ]]>"},
        {"<x y='", "'/>"}, {"<x y=\">", "\"/>"},         {"<x>", "</x>"},
        {"<?a ", " ?>"},
    };
    owned char *equals = malloc(MANY + 1), *text = malloc(MANY + 256);
    assert_non_null(equals);
    assert_non_null(text);
    memset(equals, '=', MANY);
    equals[MANY] = '\0';
    for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
        sprintf(text, "<robot name='r'><link name='a'/>%s%s%s</robot>", around[i][0], equals,
                around[i][1]);
        owned_model *model = NULL;
        lb_error error = {0};
        if (lb_load_memory("a.urdf", text, strlen(text), NULL, &model, &error) != LB_OK)
            fail_msg("%s: %s", around[i][0], error.message);
    }
}

/* what hides a tag from what counts, but not from the parser */
TEST(refuses_hidden_attributes)
{
    enum { COUNT = 10001 };
    static const char *const before[] = {"<?a <!-- ?>", "<!-- <![CDATA[ -->", "<x y='<!--'/>",
                                         "<!-- \x01 ", "<x y='>'/>"};
    owned char *text = malloc(32 * COUNT + 256);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        char *at = text + sprintf(text, "<robot name='r'><link name='a'/>%s<x", before[i]);
        for (int k = 0; k < COUNT; k++)
            at += sprintf(at, " a%d='>'", k);
        sprintf(at, "/></robot>");
        lb_model *model = NULL;
        assert_int_equal(lb_load_memory("a.urdf", text, strlen(text), NULL, &model, NULL),
                         LB_UNSUPPORTED);
    }
}
