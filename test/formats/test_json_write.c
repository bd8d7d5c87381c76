/* test_json_write.c - the JSON linkage format: what is written reads back equal. */
#include "loading.h"
#include "support_load.h"

#include "formats/sample_json.h"

#include <limber/formats/json.h>
#include <limber/formats/load.h>

#include <dirent.h>
#include <float.h>

static void check_same_placement(const lb_transform *a, const lb_transform *b)
{
    assert_transform_near(a, b, 0);
}

static void check_same_geometry(const lb_geometry *a, const lb_geometry *b)
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
    assert_true((a->bone == NULL) == (b->bone == NULL));
    if (a->bone != NULL)
        assert_string_equal(a->bone, b->bone);
    check_numbers(&a->center.x, 3, &b->center.x);
    check_numbers(a->inertia, 6, b->inertia);
    assert_int_equal(a->visual_count, b->visual_count);
    for (int i = 0; i < a->visual_count; i++)
        check_same_geometry(&a->visuals[i], &b->visuals[i]);
    assert_int_equal(a->collision_count, b->collision_count);
    for (int i = 0; i < a->collision_count; i++)
        check_same_geometry(&a->collisions[i], &b->collisions[i]);
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
    assert_made(lb_json_write(model, NULL, &text, &cause), cause);
    return text;
}

/* what is written reads back as the same model, and is written the same again */
static void check_round_trip(const lb_model *model)
{
    owned char *text = write_text(model);
    owned_model *back = load_text("written.json", text);
    lb_transform root = lb_model_root(model), back_root = lb_model_root(back);
    assert_string_equal(lb_model_name(model), lb_model_name(back));
    check_same_placement(&root, &back_root);
    assert_int_equal(lb_model_link_count(model), lb_model_link_count(back));
    for (int i = 0; i < lb_model_link_count(model); i++)
        check_same_link(lb_model_link(model, i), lb_model_link(back, i));
    for (int i = 0; i < lb_model_joint_count(model); i++)
        check_same_joint(lb_model_joint(model, i), lb_model_joint(back, i));
    owned char *again = write_text(back);
    assert_string_equal(text, again);
}

TEST(writes_everything)
{
    owned_model *model = load_text("all.json", everything);
    check_round_trip(model);
}

TEST(writes_embedded_models)
{
    for (int i = 0; i < lb_embedded_count(); i++) {
        owned_model *model = test_load(lb_embedded_at(i)->name);
        check_round_trip(model);
    }
}

TEST(writes_random_trees)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        lb_random random = test_seed(seed);
        test_tree wanted = test_tree_default();
        wanted.joints = test_random_index(&random, 30);
        owned_model *model = test_tree_build(&wanted, &random);
        check_round_trip(model);
    }
}

/* what a URDF may say of shapes and our own format must be able to repeat */
TEST(writes_odd_visuals)
{
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
                     "<material name='m'><color rgba='%s'/></material></visual>"
                     "<collision><geometry>%s</geometry></collision></link></robot>",
                     shapes[i], colors[k], shapes[i]);
            owned_model *model = load_text("r.urdf", text);
            check_round_trip(model);
        }
}

/* numbers at the ends of what a model may have */
TEST(writes_extreme_numbers)
{
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
        owned_model *model = NULL;
        lb_error error;
        if (lb_model_build(&source, NULL, &model, &error) != LB_OK)
            fail_msg("%g: %s", x, error.message);
        check_round_trip(model);
    }
}

TEST(writes_real_robots)
{
    DIR *folder = opendir(LIMBER_DATA_DIR "/urdf");
    if (folder == NULL) {
        print_message("skipped: there is no " LIMBER_DATA_DIR "/urdf\n");
        skip();
    }
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[1024];
        owned_model *model = NULL;
        snprintf(path, sizeof path, LIMBER_DATA_DIR "/urdf/%s", entry->d_name);
        if (lb_load(path, NULL, &model, NULL) != LB_OK)
            continue;
        check_round_trip(model);
    }
    closedir(folder);
}

/* a person can read it: defaults are left out, numbers and angles stay as they were typed */
TEST(writes_readably)
{
    owned_model *model = load_text(
        "r.urdf", "<robot name='r'><link name='a'/><link name='say &quot;b&quot;'/>"
                  "<joint name='j' type='revolute'><parent link='a'/>"
                  "<child link='say &quot;b&quot;'/>"
                  "<origin xyz='0.1 0 1e-3' rpy='0.3 0 1.57'/><limit lower='-2.9' upper='0.7'/>"
                  "</joint></robot>");
    owned char *text = write_text(model);
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
}

TEST(refuses_to_write)
{
    static const char *const names[] = {"\xFF", "a\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                                        "\xE2\x82"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lb_link link = lb_link_default();
        owned_model *model = NULL;
        lb_error error = {.status = LB_OK};
        char *text = (char *)"";
        link.name = names[i];
        lb_model_source source = {
            .name = "m", .root = LB_TRANSFORM_IDENTITY, .links = &link, .link_count = 1};
        assert_ok(lb_model_build(&source, NULL, &model, NULL));
        assert_refused(lb_json_write(model, NULL, &text, &error), LB_BAD_VALUE, &error, "UTF-8");
        assert_null(text);
    }
}

TEST(writes_without_memory)
{
    owned_model *model = load_text("all.json", everything);
    ALLOCATIONS_FAIL (run, 100) {
        char *text;
        run.status = lb_json_write(model, &run.allocator, &text, NULL);
        assert_int_equal(text != NULL, run.status == LB_OK);
        run.allocator.release(run.allocator.user, text);
    }
}

/* ---- the documentation -------------------------------------------------- */

/* every complete example of docs/format.md loads */
TEST(documentation_is_true)
{
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
        owned_model *model = load_text("docs/format.md", text);
        check_round_trip(model);
    }
    assert_true(examples >= 3);
}
