/* test_json.c - the JSON linkage format: reading, refusing, and writing what reads back equal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "formats/refusals_json.h"
#include "loading.h"

#include <limber/formats/json.h>
#include <limber/formats/load.h>

#include <dirent.h>
#include <float.h>
#include <jansson.h>
#include <stdio.h>
#include <time.h>

/* ---- what is read ------------------------------------------------------- */

/* one of everything */
static const char everything[] =
    "{\"limber\": 1, \"name\": \"all\", \"summary\": \"s\", \"source\": \"t\",\n"
    " \"angles\": \"degrees\", \"root\": {\"xyz\": [1, 2, 3], \"rpy\": [0, 0, 90]},\n"
    " \"links\": [\n"
    "  {\"name\": \"base\"},\n"
    "  {\"name\": \"arm\", \"mass\": 2.5, \"center\": [0.1, 0.2, 0.3],\n"
    "   \"inertia\": [1, 2, 3, 0.1, 0.2, 0.3], \"data_offset\": {\"xyz\": [0, 0, 1]},\n"
    "   \"visuals\": [\n"
    "    {\"shape\": \"box\", \"size\": [1, 2, 3], \"color\": [1, 0, 0]},\n"
    "    {\"shape\": \"cylinder\", \"radius\": 0.5, \"length\": 2, \"placement\": {\"rpy\": [90, "
    "0, "
    "0]}},\n"
    "    {\"shape\": \"capsule\", \"radius\": 0.1, \"from\": [1, 0, 0], \"to\": [1, 0, -4]},\n"
    "    {\"shape\": \"capsule\", \"radius\": 0.1, \"to\": [0, 3, 4]},\n"
    "    {\"shape\": \"sphere\", \"radius\": 0.25, \"color\": [0, 1, 0, 0.5]},\n"
    "    {\"shape\": \"mesh\", \"mesh\": \"a.stl\", \"scale\": [1, -1, 2]}]},\n"
    "  {\"name\": \"b\"}, {\"name\": \"c\"}, {\"name\": \"d\"}, {\"name\": \"e\"}, {\"name\": "
    "\"f\"},\n"
    "  {\"name\": \"g\"}],\n"
    " \"joints\": [\n"
    "  {\"name\": \"turn\", \"kind\": \"revolute\", \"parent\": \"base\", \"child\": \"arm\",\n"
    "   \"placement\": {\"xyz\": [1, 2, 3], \"quaternion\": [0.6, 0, 0, 0.8]},\n"
    "   \"axis\": [0, 10, 0], \"limits\": [90, 180], \"weight\": 2, \"locked\": true,\n"
    "   \"velocity\": 180, \"effort\": 7},\n"
    "  {\"name\": \"slide\", \"kind\": \"prismatic\", \"parent\": \"arm\", \"child\": \"b\",\n"
    "   \"placement\": {\"matrix\": [[0, -1, 0], [1, 0, 0], [0, 0, 1]]},\n"
    "   \"limits\": [null, 90], \"value\": -3, \"velocity\": 180},\n"
    "  {\"name\": \"spin\", \"kind\": \"continuous\", \"parent\": \"arm\", \"child\": \"c\",\n"
    "   \"mimic\": {\"joint\": \"turn\", \"multiplier\": -2, \"offset\": 90}},\n"
    "  {\"name\": \"cross\", \"kind\": \"universal\", \"parent\": \"arm\", \"child\": \"d\",\n"
    "   \"axis\": [1, 0, 0], \"axis2\": [0, 1, 0], \"limits\": [[-90, 90], [-45, null]],\n"
    "   \"value\": [45, 0]},\n"
    "  {\"name\": \"glide\", \"kind\": \"planar\", \"parent\": \"arm\", \"child\": \"e\",\n"
    "   \"limits\": [[-1, 1], [-2, 2], [-90, 90]], \"value\": [0.5, 1, 45]},\n"
    "  {\"name\": \"socket\", \"kind\": \"ball\", \"parent\": \"arm\", \"child\": \"f\",\n"
    "   \"limits\": {\"twist\": [-90, 90], \"swing\": 60}, \"value\": [0.8, 0.6, 0, 0]},\n"
    "  {\"name\": \"fly\", \"kind\": \"floating\", \"parent\": \"arm\", \"child\": \"g\",\n"
    "   \"limits\": [[-1, 1], [null, null], [0, 5]], \"value\": [0, 1, 2, 1, 0, 0, 0]}]}\n";

static const lb_joint *joint_named(const lb_model *model, const char *name)
{
    int joint = lb_model_find_joint(model, name);
    assert_true(joint >= 0);
    return lb_model_joint(model, joint);
}

static void reads_joints(void **state)
{
    (void)state;
    lb_model *model = load_text("all.json", everything);
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
    lb_model_release(model);
}

static void check_numbers(const double *actual, int count, const double *expected)
{
    for (int i = 0; i < count; i++)
        if (isfinite(expected[i]))
            assert_near(actual[i], expected[i], 1e-15);
        else
            assert_true(actual[i] == expected[i]);
}

static void reads_joints_of_several_values(void **state)
{
    (void)state;
    lb_model *model = load_text("all.json", everything);
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
    lb_model_release(model);
}

static void reads_links(void **state)
{
    (void)state;
    lb_model *model = load_text("all.json", everything);
    const lb_link *link = lb_model_link(model, lb_model_find_link(model, "arm"));
    assert_near(link->mass, 2.5, 0);
    assert_near(link->center.y, 0.2, 0);
    check_numbers(link->inertia, 6, (double[]){1, 2, 3, 0.1, 0.2, 0.3});
    assert_near(link->data_offset.p.z, 1, 0);

    assert_int_equal(link->visual_count, 6);
    const lb_visual *v = link->visuals;
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

    // rods between two points: centred between them, z from one to the other
    assert_near(v[2].size.z, 4, 0);
    check_numbers(&v[2].origin.p.x, 3, (double[]){1, 0, -2});
    check_numbers(&v[2].origin.z.x, 3, (double[]){0, 0, -1});
    assert_near(v[3].size.z, 5, 0);
    check_numbers(&v[3].origin.p.x, 3, (double[]){0, 1.5, 2});
    check_numbers(&v[3].origin.z.x, 3, (double[]){0, 0.6, 0.8});
    for (int i = 0; i < 6; i++)
        assert_true(lb_transform_is_rigid(&v[i].origin, 1e-15));
    lb_model_release(model);
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
    lb_model *expected, *model = load_text("table.json", text);
    assert_int_equal(lb_model_from_dh("table", rows, 3, modified, NULL, &expected, NULL), LB_OK);
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
    lb_model_release(expected);
    lb_model_release(model);
}

static void reads_tables(void **state)
{
    (void)state;
    check_table(TABLE("standard"), false);
    check_table(TABLE("modified"), true);
}

static void reads_tables_with_names(void **state)
{
    (void)state;
    lb_model *model = load_text(
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
    lb_model_release(model);
}

/* ---- what is refused ---------------------------------------------------- */

static void refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof json_refusals / sizeof *json_refusals; i++)
        check_refusal("model.json", &json_refusals[i]);
}

/* ---- hostile input ------------------------------------------------------ */

/* ten million brackets, and as many of them within a known key */
static void follow_lines(void *user, const lb_error *warning)
{
    int *last_line = user;
    assert_true(warning->line > *last_line);
    *last_line = warning->line;
}

/* a warning for each of many joints, each with its line, in the time of one walk through the text
 */
static void warnings_take_no_time(void **state)
{
    (void)state;
    enum { JOINTS = 8000, LINE = 160 };
    char *text = malloc((size_t)2 * JOINTS * LINE), *at = text;
    assert_non_null(text);
    at += sprintf(at, "{\"name\": \"m\", \"links\": [{\"name\": \"l0\"}");
    for (int i = 1; i <= JOINTS; i++)
        at += sprintf(at, ",\n{\"name\": \"l%d\"}", i);
    at += sprintf(at, "], \"joints\": [");
    for (int i = 0; i < JOINTS; i++)
        at += sprintf(at,
                      "%s\n{\"name\": \"j%d\", \"kind\": \"fixed\", \"parent\": \"l%d\", "
                      "\"child\": \"l%d\", \"placement\": {\"rpy\": [0, 0, 90]}}",
                      i ? "," : "", i, i, i + 1);
    at += sprintf(at, "]}");
    lb_model *model;
    int last_line = JOINTS;
    clock_t before = clock();
    const lb_load_options options = {.warn = follow_lines, .user = &last_line};
    assert_int_equal(
        lb_load_memory_with_options("m.json", text, (size_t)(at - text), &options, &model, NULL),
        LB_OK);
    assert_int_equal(last_line, 2 * JOINTS + 1);
    // 50 ms; a walk for each took 29 s
    assert_true(clock() - before < 3 * CLOCKS_PER_SEC);
    lb_model_release(model);
    free(text);
}

static void survives_nesting(void **state)
{
    (void)state;
    enum { SIZE = 10 * 1000 * 1000 };
    static const char *const beginnings[] = {"", "{\"name\": \"m\", \"links\": ", "{\"a\":"};
    char *text = malloc(SIZE);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        memset(text, '[', SIZE);
        memcpy(text, beginnings[i], strlen(beginnings[i]));
        assert_int_equal(load_hostile("deep.json", text, SIZE, NULL), LB_SYNTAX_ERROR);
    }
    free(text);
}

static void survives_truncation(void **state)
{
    (void)state;
    load_truncated("all.json", everything);
    load_truncated("table.json", TABLE("standard"));
}

static void survives_patches(void **state)
{
    (void)state;
    load_patched("all.json", everything);
    load_patched("table.json", TABLE("modified"));
}

static void survives_without_memory(void **state)
{
    (void)state;
    load_without_memory("all.json", everything);
    load_without_memory("table.json", TABLE("standard"));
}

static void survives_without_parser_memory(void **state)
{
    (void)state;
    load_without_parser_memory("all.json", everything);
    load_without_parser_memory("table.json", TABLE("standard"));
}

/* ---- writing ------------------------------------------------------------ */

static void check_same_placement(const lb_transform *a, const lb_transform *b)
{
    assert_transform_near(a, b, 0);
}

static void check_same_visual(const lb_visual *a, const lb_visual *b)
{
    assert_int_equal(a->shape, b->shape);
    check_same_placement(&a->origin, &b->origin);
    assert_near(a->size.x, b->size.x, 0);
    if (a->shape == LB_SHAPE_BOX || a->shape == LB_SHAPE_MESH)
        assert_near(a->size.y, b->size.y, 0);
    if (a->shape != LB_SHAPE_SPHERE)
        assert_near(a->size.z, b->size.z, 0);
    check_numbers(a->color, 4, b->color);
    assert_int_equal(a->mesh == NULL, b->mesh == NULL);
    if (a->mesh != NULL)
        assert_string_equal(a->mesh, b->mesh);
}

static void check_same_link(const lb_link *a, const lb_link *b)
{
    assert_string_equal(a->name, b->name);
    check_same_placement(&a->data_offset, &b->data_offset);
    assert_near(a->mass, b->mass, 0);
    check_numbers(&a->center.x, 3, &b->center.x);
    check_numbers(a->inertia, 6, b->inertia);
    assert_int_equal(a->visual_count, b->visual_count);
    for (int i = 0; i < a->visual_count; i++)
        check_same_visual(&a->visuals[i], &b->visuals[i]);
}

static void check_same_joint(const lb_joint *a, const lb_joint *b)
{
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->parent, b->parent);
    assert_string_equal(a->child, b->child);
    assert_int_equal(a->kind, b->kind);
    check_same_placement(&a->placement, &b->placement);
    assert_true(a->axis.x == b->axis.x && a->axis.y == b->axis.y && a->axis.z == b->axis.z);
    assert_true(a->axis2.x == b->axis2.x && a->axis2.y == b->axis2.y && a->axis2.z == b->axis2.z);
    for (int i = 0; i < 3; i++)
        assert_true(a->lower[i] == b->lower[i] && a->upper[i] == b->upper[i]);
    for (int i = 0; i < lb_joint_kind_nq(a->kind); i++)
        assert_true(a->value[i] == b->value[i]);
    assert_true(a->weight == b->weight && a->locked == b->locked);
    assert_int_equal(a->mimic == NULL, b->mimic == NULL);
    if (a->mimic != NULL)
        assert_string_equal(a->mimic, b->mimic);
    if (a->mimic != NULL)
        assert_true(a->multiplier == b->multiplier && a->offset == b->offset);
    assert_true(a->velocity == b->velocity && a->effort == b->effort);
}

static char *write_text(const lb_model *model)
{
    char *text;
    lb_error error;
    if (lb_json_write(model, NULL, &text, &error) != LB_OK)
        fail_msg("%s", error.message);
    return text;
}

/* what is written reads back as the same model, and is written the same again */
static void check_round_trip(const lb_model *model)
{
    char *text = write_text(model);
    lb_model *back = load_text("written.json", text);
    lb_transform root = lb_model_root(model), back_root = lb_model_root(back);
    assert_string_equal(lb_model_name(model), lb_model_name(back));
    check_same_placement(&root, &back_root);
    assert_int_equal(lb_model_link_count(model), lb_model_link_count(back));
    for (int i = 0; i < lb_model_link_count(model); i++)
        check_same_link(lb_model_link(model, i), lb_model_link(back, i));
    for (int i = 0; i < lb_model_joint_count(model); i++)
        check_same_joint(lb_model_joint(model, i), lb_model_joint(back, i));
    char *again = write_text(back);
    assert_string_equal(text, again);
    free(again);
    free(text);
    lb_model_release(back);
}

static void writes_everything(void **state)
{
    (void)state;
    lb_model *model = load_text("all.json", everything);
    check_round_trip(model);
    lb_model_release(model);
}

static void writes_embedded_models(void **state)
{
    (void)state;
    for (int i = 0; i < lb_embedded_count(); i++) {
        lb_model *model;
        assert_int_equal(lb_load(lb_embedded_at(i)->name, NULL, &model, NULL), LB_OK);
        check_round_trip(model);
        lb_model_release(model);
    }
}

static void writes_random_trees(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        lb_random random = test_seed(seed);
        test_tree wanted = test_tree_default();
        wanted.joints = test_random_index(&random, 30);
        lb_model *model = test_tree_build(&wanted, &random);
        check_round_trip(model);
        lb_model_release(model);
    }
}

/* what a URDF may say of shapes and our own format must be able to repeat */
static void writes_odd_visuals(void **state)
{
    (void)state;
    static const char *const shapes[] = {
        "<box size='0 1 1'/>",
        "<box size='0 0 0'/>",
        "<sphere radius='0'/>",
        "<cylinder radius='0' length='0'/>",
        "<capsule radius='0.5' length='0'/>",
        "<sphere radius='1e-320'/>",
        "<cylinder radius='1e15' length='5e-324'/>",
        "<mesh filename='a.stl' scale='0 -1 1e15'/>",
        "<mesh filename='a&quot;\\ &#xE9;.stl'/>",
    };
    static const char *const colors[] = {"2 0 0 1", "-1 0.5 300 1", "0 0 0 0", "1 1 1 0.5",
                                         "0 0 0 5e-324"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t k = 0; k < sizeof colors / sizeof *colors; k++) {
            char text[1024];
            snprintf(text, sizeof text,
                     "<robot name='r'><link name='a'><visual><geometry>%s</geometry>"
                     "<material name='m'><color rgba='%s'/></material></visual></link></robot>",
                     shapes[i], colors[k]);
            lb_model *model = load_text("r.urdf", text);
            check_round_trip(model);
            lb_model_release(model);
        }
}

/* numbers at the ends of what a model may have */
static void writes_extreme_numbers(void **state)
{
    (void)state;
    static const double numbers[] = {0,    -0.0,  5e-324, 1e-300, 1e15,   -1e15,
                                     1e-5, 1e300, -1e300, 0.1,    DBL_MAX};
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    for (int i = 0; i < NUMBERS; i++) {
        double x = numbers[i], length = fabs(x) <= LB_LENGTH_MAX ? x : 1;
        lb_link links[] = {lb_link_default(), lb_link_default()};
        links[0].name = "a";
        links[1].name = "b";
        links[1].mass = fabs(x);
        links[1].center = lb_vec3_make(length, 0, -length);
        links[1].inertia[4] = x;
        links[1].data_offset.p.z = length;
        lb_joint joint = lb_joint_default();
        joint.name = "j";
        joint.parent = "a";
        joint.child = "b";
        joint.kind = LB_JOINT_PRISMATIC;
        joint.placement.p.x = length;
        joint.lower[0] = -fabs(length);
        joint.upper[0] = i % 2 ? fabs(length) : INFINITY;
        joint.value[0] = length;
        joint.weight = fabs(x) > 0 ? fabs(x) : 1;
        joint.velocity = fabs(x);
        joint.effort = x;
        lb_model_source source = {.name = "m",
                                  .root = lb_transform_translation(0, length, 0),
                                  .links = links,
                                  .link_count = 2,
                                  .joints = &joint,
                                  .joint_count = 1};
        lb_model *model;
        lb_error error;
        if (lb_model_build(&source, NULL, &model, &error) != LB_OK)
            fail_msg("%g: %s", x, error.message);
        check_round_trip(model);
        lb_model_release(model);
    }
}

static void writes_real_robots(void **state)
{
    (void)state;
    DIR *folder = opendir(LIMBER_DATA_DIR "/urdf");
    if (folder == NULL) {
        print_message("skipped: there is no " LIMBER_DATA_DIR "/urdf\n");
        skip();
    }
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[1024];
        lb_model *model;
        snprintf(path, sizeof path, LIMBER_DATA_DIR "/urdf/%s", entry->d_name);
        if (lb_load(path, NULL, &model, NULL) != LB_OK)
            continue;
        check_round_trip(model);
        lb_model_release(model);
    }
    closedir(folder);
}

/* a person can read it: defaults are left out, numbers and angles stay as they were typed */
static void writes_readably(void **state)
{
    (void)state;
    lb_model *model = load_text(
        "r.urdf", "<robot name='r'><link name='a'/><link name='say &quot;b&quot;'/>"
                  "<joint name='j' type='revolute'><parent link='a'/>"
                  "<child link='say &quot;b&quot;'/>"
                  "<origin xyz='0.1 0 1e-3' rpy='0.3 0 1.57'/><limit lower='-2.9' upper='0.7'/>"
                  "</joint></robot>");
    char *text = write_text(model);
    assert_string_equal(text,
                        "{\n"
                        "  \"limber\": 1,\n"
                        "  \"name\": \"r\",\n"
                        "  \"links\": [\n"
                        "    {\"name\": \"a\"},\n"
                        "    {\"name\": \"say \\\"b\\\"\"}\n"
                        "  ],\n"
                        "  \"joints\": [\n"
                        "    {\"name\": \"j\", \"kind\": \"revolute\", \"parent\": \"a\", "
                        "\"child\": \"say \\\"b\\\"\",\n"
                        "      \"placement\": {\"xyz\": [0.1, 0, 0.001], \"rpy\": [0.3, 0, 1.57]}, "
                        "\"axis\": [1, 0, 0], \"limits\": [-2.9, 0.7]}\n"
                        "  ]\n"
                        "}\n");
    free(text);
    lb_model_release(model);
}

static void refuses_to_write(void **state)
{
    (void)state;
    static const char *const names[] = {"\xFF", "a\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                                        "\xE2\x82"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lb_link link = lb_link_default();
        lb_model *model;
        lb_error error = {.status = LB_OK};
        char *text = (char *)"";
        link.name = names[i];
        lb_model_source source = {
            .name = "m", .root = LB_TRANSFORM_IDENTITY, .links = &link, .link_count = 1};
        assert_int_equal(lb_model_build(&source, NULL, &model, NULL), LB_OK);
        assert_int_equal(lb_json_write(model, NULL, &text, &error), LB_BAD_VALUE);
        assert_non_null(strstr(error.message, "UTF-8"));
        assert_null(text);
        lb_model_release(model);
    }
}

static void writes_without_memory(void **state)
{
    (void)state;
    lb_model *model = load_text("all.json", everything);
    lb_status status = LB_OUT_OF_MEMORY;
    for (long n = 0; status != LB_OK; n++) {
        char *text;
        test_memory memory = {.fail_at = n};
        lb_allocator allocator = test_memory_allocator(&memory);
        status = lb_json_write(model, &allocator, &text, NULL);
        assert_int_equal(text != NULL, status == LB_OK);
        if (text != NULL)
            allocator.release(allocator.user, text);
        assert_int_equal(memory.live, 0);
        assert_true(n < 100);
    }
    lb_model_release(model);
}

/* ---- the documentation -------------------------------------------------- */

/* every complete example of docs/format.md loads */
static void documentation_is_true(void **state)
{
    (void)state;
    static const char begin[] = "```json\n", end[] = "```";
    FILE *file = fopen(LIMBER_SOURCE_DIR "/docs/format.md", "rb");
    assert_non_null(file);
    static char page[1 << 16];
    size_t size = fread(page, 1, sizeof page - 1, file);
    assert_true(size < sizeof page - 1);
    fclose(file);

    int examples = 0;
    for (char *at = page; (at = strstr(at, begin)) != NULL; examples++) {
        char *text = at + sizeof begin - 1;
        at = strstr(text, end);
        assert_non_null(at);
        *at++ = '\0';
        lb_model *model = load_text("docs/format.md", text);
        check_round_trip(model);
        lb_model_release(model);
    }
    assert_true(examples >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_joints),
        cmocka_unit_test(reads_joints_of_several_values),
        cmocka_unit_test(reads_links),
        cmocka_unit_test(reads_tables),
        cmocka_unit_test(reads_tables_with_names),
        cmocka_unit_test(refuses),
        cmocka_unit_test(warnings_take_no_time),
        cmocka_unit_test(survives_nesting),
        cmocka_unit_test(survives_truncation),
        cmocka_unit_test(survives_patches),
        cmocka_unit_test(survives_without_memory),
        cmocka_unit_test(survives_without_parser_memory),
        cmocka_unit_test(writes_everything),
        cmocka_unit_test(writes_embedded_models),
        cmocka_unit_test(writes_random_trees),
        cmocka_unit_test(writes_odd_visuals),
        cmocka_unit_test(writes_extreme_numbers),
        cmocka_unit_test(writes_real_robots),
        cmocka_unit_test(writes_readably),
        cmocka_unit_test(refuses_to_write),
        cmocka_unit_test(writes_without_memory),
        cmocka_unit_test(documentation_is_true),
    };
    // before jansson asks for memory the first time
    json_set_alloc_funcs(parser_malloc, free);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
