/* test_json.c - the JSON linkage format: what is read and what is refused. */
#include "formats/refusals_json.h"
#include "loading.h"

#include "formats/sample_json.h"
#include "support_growth.h"

#include <limber/formats/json.h>
#include <limber/formats/load.h>

#include <jansson.h>
#include <time.h>

/* ---- what is read ------------------------------------------------------- */

TEST(reads_joints)
{
    owned_model *model = load_text("all.json", everything);
    lb_transform root = lb_model_root(model);
    lb_transform expected = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}, {1, 2, 3}};
    assert_string_equal(lb_model_name(model), "all");
    assert_transform_near(&root, &expected, 1e-15);

    const lb_joint *joint = joint_named(model, "turn");
    lb_transform placement = {{-0.28, 0.96, 0}, {-0.96, -0.28, 0}, {0, 0, 1}, {1, 2, 3}};
    assert_transform_near(&joint->placement, &placement, 1e-15);
    assert_near(joint->axis.y, 1, 0);
    assert_near(joint->lower[0], LB_PI / 2, 0);
    assert_near(joint->upper[0], LB_PI, 0);
    assert_near(joint->value[0], LB_PI / 2, 0);
    assert_near(joint->weight, 2, 0);
    assert_true(joint->locked);
    assert_near(joint->velocity, LB_PI, 0);
    assert_near(joint->effort, 7, 0);

    // lengths are no angles
    joint = joint_named(model, "slide");
    lb_transform quarter = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, 0}};
    assert_transform_near(&joint->placement, &quarter, 0);
    assert_true(isinf(joint->lower[0]));
    assert_near(joint->upper[0], 90, 0);
    assert_near(joint->value[0], -3, 0);
    assert_near(joint->velocity, 180, 0);

    joint = joint_named(model, "spin");
    assert_string_equal(joint->mimic, "turn");
    assert_near(joint->multiplier, -2, 0);
    assert_near(joint->offset, LB_PI / 2, 0);
}

TEST(reads_joints_of_several_values)
{
    owned_model *model = load_text("all.json", everything);
    const double quarter = LB_PI / 2, eighth = LB_PI / 4;

    const lb_joint *joint = joint_named(model, "cross");
    assert_near(joint->axis.x, 1, 0);
    assert_near(joint->axis2.y, 1, 0);
    check_numbers(joint->lower, 2, (double[]){-quarter, -eighth});
    check_numbers(joint->upper, 2, (double[]){quarter, INFINITY});
    check_numbers(joint->value, 2, (double[]){eighth, 0});

    joint = joint_named(model, "glide");
    check_numbers(joint->lower, 3, (double[]){-1, -2, -quarter});
    check_numbers(joint->upper, 3, (double[]){1, 2, quarter});
    check_numbers(joint->value, 3, (double[]){0.5, 1, eighth});

    joint = joint_named(model, "socket");
    check_numbers(joint->lower, 1, (double[]){-quarter});
    check_numbers(joint->upper, 2, (double[]){quarter, LB_PI / 3});
    check_numbers(joint->value, 4, (double[]){0.8, 0.6, 0, 0});

    joint = joint_named(model, "fly");
    check_numbers(joint->lower, 3, (double[]){-1, -INFINITY, 0});
    check_numbers(joint->upper, 3, (double[]){1, INFINITY, 5});
    check_numbers(joint->value, 7, (double[]){0, 1, 2, 1, 0, 0, 0});
}

TEST(reads_links)
{
    owned_model *model = load_text("all.json", everything);
    const lb_link *link = lb_model_link(model, lb_model_find_link(model, "arm"));
    assert_near(link->mass, 2.5, 0);
    assert_string_equal(link->bone, "spine");
    assert_near(link->center.y, 0.2, 0);
    check_numbers(link->inertia, 6, (double[]){1, 2, 3, 0.1, 0.2, 0.3});
    assert_near(link->data_offset.p.z, 1, 0);

    assert_int_equal(link->visual_count, 6);
    const lb_geometry *v = link->visuals;
    static const lb_shape shapes[6] = {LB_SHAPE_BOX,     LB_SHAPE_CYLINDER, LB_SHAPE_CAPSULE,
                                       LB_SHAPE_CAPSULE, LB_SHAPE_SPHERE,   LB_SHAPE_MESH};
    for (int i = 0; i < 6; i++)
        assert_int_equal(v[i].shape, shapes[i]);
    check_numbers(&v[0].size.x, 3, (double[]){1, 2, 3});
    check_numbers(v[0].color, 4, (double[]){1, 0, 0, 1});
    check_numbers(v[1].color, 4, (double[]){0, 0, 0, 0});
    check_numbers(v[4].color, 4, (double[]){0, 1, 0, 0.5});
    assert_string_equal(v[5].mesh, "a.stl");
    check_numbers(&v[5].size.x, 3, (double[]){1, -1, 2});

    assert_int_equal(link->collision_count, 1);
    assert_int_equal(link->collisions[0].shape, LB_SHAPE_SPHERE);
    assert_near(link->collisions[0].size.x, 0.5, 0);

    // rods between two points: centred between them, z from one to the other
    assert_near(v[2].size.z, 4, 0);
    check_numbers(&v[2].origin.p.x, 3, (double[]){1, 0, -2});
    check_numbers(&v[2].origin.z.x, 3, (double[]){0, 0, -1});
    assert_near(v[3].size.z, 5, 0);
    check_numbers(&v[3].origin.p.x, 3, (double[]){0, 1.5, 2});
    check_numbers(&v[3].origin.z.x, 3, (double[]){0, 0.6, 0.8});
    for (int i = 0; i < 6; i++)
        assert_true(lb_transform_is_rigid(&v[i].origin, 1e-15));
}

/* ---- Denavit-Hartenberg tables ------------------------------------------ */

static const lb_dh_row rows[] = {
    {LB_JOINT_REVOLUTE, 0.1, 0.2, 0.3, 0.4, -1, 1},
    {LB_JOINT_PRISMATIC, 0.5, 0.6, -0.7, -0.8, 0, 2},
    {LB_JOINT_CONTINUOUS, 0, 0.25, 0, 1.5, -INFINITY, INFINITY},
};

#define TABLE(convention)                                                                          \
    "{\"name\": \"table\", \"dh\": {\"convention\": \"" convention "\", \"rows\": [\n"             \
    "{\"theta\": 0.1, \"d\": 0.2, \"a\": 0.3, \"alpha\": 0.4, \"limits\": [-1, 1]},\n"             \
    "{\"kind\": \"prismatic\", \"theta\": 0.5, \"d\": 0.6, \"a\": -0.7, \"alpha\": -0.8,\n"        \
    " \"limits\": [0, 2]},\n"                                                                      \
    "{\"kind\": \"continuous\", \"d\": 0.25, \"alpha\": 1.5}]}}"

static void check_table(const char *text, bool modified)
{
    owned_model *expected = NULL, *model = load_text("table.json", text);
    assert_ok(lb_model_from_dh("table", rows, 3, modified, NULL, &expected, NULL));
    assert_int_equal(lb_model_joint_count(model), lb_model_joint_count(expected));
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *a = lb_model_joint(model, j), *b = lb_model_joint(expected, j);
        assert_string_equal(a->name, b->name);
        assert_string_equal(a->parent, b->parent);
        assert_string_equal(a->child, b->child);
        assert_int_equal(a->kind, b->kind);
        assert_transform_near(&a->placement, &b->placement, 0);
        check_numbers(a->lower, 3, b->lower);
        check_numbers(a->upper, 3, b->upper);
    }
}

TEST(reads_tables)
{
    check_table(TABLE("standard"), false);
    check_table(TABLE("modified"), true);
}

TEST(reads_tables_with_names)
{
    owned_model *model = load_text(
        "named.json",
        "{\"name\": \"n\", \"angles\": \"degrees\",\n"
        "\"links\": [{\"name\": \"camera\"}, {\"name\": \"upper\", \"mass\": 3}],\n"
        "\"joints\": [{\"name\": \"mount\", \"parent\": \"upper\", \"child\": \"camera\"}],\n"
        "\"dh\": {\"convention\": \"standard\", \"base\": \"floor\", \"rows\": [\n"
        "{\"joint\": \"waist\", \"link\": \"upper\", \"alpha\": 90, \"value\": 30, \"velocity\": "
        "90},\n"
        "{\"joint\": \"elbow\", \"a\": 1, \"mimic\": {\"joint\": \"waist\"}}],\n"
        "\"tool\": {\"joint\": \"end\", \"link\": \"tip\"}}}");
    assert_int_equal(lb_model_link_count(model), 5);
    assert_int_equal(lb_model_find_link(model, "floor"), 0);
    assert_near(lb_model_link(model, lb_model_find_link(model, "upper"))->mass, 3, 0);
    assert_string_equal(joint_named(model, "waist")->child, "upper");
    assert_near(joint_named(model, "waist")->value[0], LB_PI / 6, 1e-16);
    assert_near(joint_named(model, "waist")->velocity, LB_PI / 2, 0);
    assert_string_equal(joint_named(model, "elbow")->mimic, "waist");
    assert_string_equal(joint_named(model, "elbow")->child, "link_2");
    assert_string_equal(joint_named(model, "end")->child, "tip");
    assert_string_equal(joint_named(model, "mount")->parent, "upper");
}

/* ---- what is refused ---------------------------------------------------- */

TEST(refuses)
{
    for (size_t i = 0; i < sizeof json_refusals / sizeof *json_refusals; i++)
        check_refusal("model.json", &json_refusals[i]);
}

/* ---- hostile input ------------------------------------------------------ */

/* each warning is on a later line */
static void follow_lines(void *user, const lb_error *warning)
{
    int *last_line = user;
    assert_true(warning->line > *last_line);
    *last_line = warning->line;
}

/* a warning for each of many joints, each with its line */
static clock_t time_of_warnings(int joints)
{
    enum { LINE = 160 };
    char *text = malloc((size_t)2 * (size_t)joints * LINE + LINE), *at = text;
    assert_non_null(text);
    at += sprintf(at, "{\"name\": \"m\", \"links\": [{\"name\": \"l0\"}");
    for (int i = 1; i <= joints; i++)
        at += sprintf(at, ",\n{\"name\": \"l%d\"}", i);
    at += sprintf(at, "], \"joints\": [");
    for (int i = 0; i < joints; i++)
        at += sprintf(at,
                      "%s\n{\"name\": \"j%d\", \"kind\": \"fixed\", \"parent\": \"l%d\", "
                      "\"child\": \"l%d\", \"placement\": {\"rpy\": [0, 0, 90]}}",
                      i ? "," : "", i, i, i + 1);
    at += sprintf(at, "]}");
    owned_model *model = NULL;
    int last_line = joints;
    const lb_load_options options = {.warn = follow_lines, .user = &last_line};
    clock_t before = clock();
    assert_ok(
        lb_load_memory_with_options("m.json", text, (size_t)(at - text), &options, &model, NULL));
    clock_t taken = clock() - before;
    assert_int_equal(last_line, 2 * joints + 1);
    free(text);
    return taken;
}

/* in one walk through the text, not one for each */
TEST(warnings_take_linear_time)
{
    assert_grows_linearly(time_of_warnings, 8000);
}

/* ten million brackets, and as many of them within a known key */
TEST(survives_nesting)
{
    enum { SIZE = 10 * 1000 * 1000 };
    static const char *const beginnings[] = {"", "{\"name\": \"m\", \"links\": ", "{\"a\":"};
    owned char *text = malloc(SIZE);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        memset(text, '[', SIZE);
        memcpy(text, beginnings[i], strlen(beginnings[i]));
        assert_int_equal(load_hostile("deep.json", text, SIZE, NULL), LB_SYNTAX_ERROR);
    }
}

TEST(survives_truncation)
{
    load_truncated("all.json", everything);
    load_truncated("table.json", TABLE("standard"));
}

TEST(survives_patches)
{
    load_patched("all.json", everything);
    load_patched("table.json", TABLE("modified"));
}

TEST(survives_without_memory)
{
    load_without_memory("all.json", everything);
    load_without_memory("table.json", TABLE("standard"));
}

TEST(survives_without_parser_memory)
{
    load_without_parser_memory("all.json", everything);
    load_without_parser_memory("table.json", TABLE("standard"));
}

/* before jansson allocates for the first time */
static int count_requests(void)
{
    json_set_alloc_funcs(parser_malloc, free);
    return 0;
}

TEST_FIXTURE(count_requests, NULL)
