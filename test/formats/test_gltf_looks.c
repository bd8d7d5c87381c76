/*
 * test_gltf_looks.c - what a glTF draws, link by link: every point is where the file's own matrices
 * carry it, by an evaluation that shares nothing with the library.
 */
#include <limber/formats/looks.h>
#include <limber/kinematics.h>

#include "gltf_oracle.h"
#include "gltf_text.h"
#include "support.h"
#include "support_growth.h"

static lb_error error;

/* The points of the library, of each node how many were met, and how far the worst is off. */
typedef struct comparison {
    const lb_gltf *gltf;
    const lb_gltf_looks *looks;
    const oracle *o;
    lb_state *state;
    int *met, total;
    double worst;
} comparison;

static int find_mesh(const comparison *c, int link)
{
    for (int i = 0; i < c->looks->count; i++)
        if (c->looks->shapes[i].link == link)
            return i;
    fail_msg("link %d has no mesh", link);
    return -1;
}

/* m v for a matrix row by row */
static void carry(const double *m, const double *v, double *out)
{
    for (int r = 0; r < 3; r++)
        out[r] = m[4 * r] * v[0] + m[4 * r + 1] * v[1] + m[4 * r + 2] * v[2] + m[4 * r + 3];
}

/* the next point of a node's link is `v` of the node's own axes */
static void compare_point(comparison *c, int node, const double *v)
{
    int link = lb_gltf_link(c->gltf, node), mesh = find_mesh(c, link);
    double wanted[3];
    assert_true(c->met[node] < c->looks->meshes[mesh].count);
    lb_vec3 point = c->looks->meshes[mesh].points[c->met[node]++];
    lb_vec3 at = lb_transform_point(&lb_state_transforms(c->state)[link], point);
    carry(c->o->world[node], v, wanted);
    c->worst = fmax(c->worst, fabs(at.x - wanted[0]));
    c->worst = fmax(c->worst, fabs(at.y - wanted[1]));
    c->worst = fmax(c->worst, fabs(at.z - wanted[2]));
    c->total++;
}

/* a point of a skin: by the joint of its largest weight, the first of equal ones */
static void compare_skinned(comparison *c, const json_t *skin, const double *joints,
                            const double *weights, const double *binds, const double *v)
{
    int most = 0;
    double bound[16], at[3];
    for (int i = 1; i < 4; i++)
        if (weights[i] > weights[most])
            most = i;
    int joint = (int)joints[most];
    // columns to rows
    for (int r = 0; r < 4; r++)
        for (int k = 0; k < 4; k++)
            bound[4 * r + k] = binds == NULL ? r == k : binds[16 * joint + 4 * k + r];
    carry(bound, v, at);
    int node =
        (int)json_number_value(json_array_get(json_object_get(skin, "joints"), (size_t)joint));
    compare_point(c, node, at);
}

static double *numbers_of(const oracle *o, const json_t *object, const char *key, int *count)
{
    int width;
    *count = 0;
    return json_object_get(object, key) == NULL
               ? NULL
               : oracle_array(o, oracle_member(object, key), count, &width);
}

static void compare_primitive(comparison *c, int node, const json_t *skin, const json_t *attributes)
{
    int count, ignored;
    owned double *v = numbers_of(c->o, attributes, "POSITION", &count);
    owned double *joints = numbers_of(c->o, attributes, "JOINTS_0", &ignored);
    owned double *weights = numbers_of(c->o, attributes, "WEIGHTS_0", &ignored);
    owned double *binds =
        skin == NULL ? NULL : numbers_of(c->o, skin, "inverseBindMatrices", &ignored);
    for (int i = 0; i < count; i++)
        if (skin != NULL)
            compare_skinned(c, skin, joints + 4 * i, weights + 4 * i, binds, v + 3 * i);
        else
            compare_point(c, node, v + 3 * i);
}

static void compare_nodes(comparison *c)
{
    json_t *nodes = json_object_get(c->o->json, "nodes"), *node, *primitive;
    size_t n, p;
    json_array_foreach(nodes, n, node)
    {
        json_t *skin = NULL;
        if (json_object_get(node, "mesh") == NULL)
            continue;
        if (json_object_get(node, "skin") != NULL)
            skin = json_array_get(json_object_get(c->o->json, "skins"),
                                  (size_t)oracle_member(node, "skin"));
        json_t *mesh = json_array_get(json_object_get(c->o->json, "meshes"),
                                      (size_t)oracle_member(node, "mesh"));
        json_array_foreach(json_object_get(mesh, "primitives"), p, primitive)
            compare_primitive(c, (int)n, skin, json_object_get(primitive, "attributes"));
    }
}

/* the worst distance of any point; *total: how many there are */
static double compare(const lb_gltf *gltf, oracle *o, int *total)
{
    const lb_model *model = lb_gltf_model(gltf);
    lb_gltf_looks *looks = NULL;
    assert_made(lb_gltf_looks_create(gltf, NULL, &looks, &error), error);
    comparison c = {.gltf = gltf, .looks = looks, .o = o};
    c.met = calloc((size_t)o->nodes, sizeof *c.met);
    oracle_pose(o, -1, 0);
    assert_ok(lb_state_create(model, NULL, &c.state));
    compare_nodes(&c);
    // there is no point more, and every mesh is of its link
    int all = 0;
    for (int i = 0; i < looks->count; i++) {
        all += looks->meshes[i].count;
        assert_string_equal(looks->meshes[i].name, looks->shapes[i].geometry.mesh);
        assert_string_equal(looks->meshes[i].name,
                            lb_model_link(model, looks->shapes[i].link)->name);
    }
    assert_int_equal(all, c.total);
    *total = all;
    free(c.met);
    lb_state_release(c.state);
    lb_gltf_looks_release(looks);
    return c.worst;
}

TEST(real_files_agree_with_an_independent_evaluation)
{
    static const struct {
        const char *name;
        int points;
    } files[] = {{"cesium_man.gltf", 3000},
                 {"rigged_simple.gltf", 90},
                 {"robot_expressive.glb", 1000},
                 {"greenman.glb", 100},
                 {"simple_skin.gltf", 10}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[1024];
        size_t size;
        int total = 0;
        snprintf(path, sizeof path, "%s/gltf/%s", LIMBER_DATA_DIR, files[i].name);
        FILE *file = fopen(path, "rb");
        if (file == NULL) {
            print_message("skipped: there is no %s\n", path);
            skip();
        }
        fclose(file);
        owned unsigned char *bytes = oracle_file(path, &size);
        owned_oracle o = oracle_open(path, bytes, size);
        owned_gltf *gltf = NULL;
        assert_made(lb_gltf_load(path, NULL, &gltf, &error), error);
        double worst = compare(gltf, &o, &total);
        print_message("%s: %d points, %.2g m\n", files[i].name, total, worst);
        assert_true(total >= files[i].points && worst < 1e-9);
    }
}

/* ---- a file of our own --------------------------------------------------- */

static const float corners[] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 2, 3};
static const float weights[] = {1, 0, 0, 0, 0.3f, 0.7f, 0, 0, 0.5f, 0.5f, 0, 0, 0, 0, 0, 1};
static const unsigned char joints[] = {0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
/* of two joints, column by column: a turn with a size, a displacement */
static const float binds[] = {0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 1, 2, 3, 1,
                              1, 0, 0, 0, 0,  1, 0, 0, 0, 0, 1, 0, 0, 0, 4, 1};

/* a skin over two joints below a scale that is not uniform, and a node that draws the same mesh;
   with these attributes of the mesh; release with free() */
static char *made(const char *attributes, size_t *size)
{
    gltf_text text = gltf_text_start(
        "{\"scale\":[2,1,1],\"children\":[1,3]},{\"translation\":[0,1,0],\"children\":[2],"
        "\"rotation\":[0,0,0.6,0.8]},{\"translation\":[0,1,0]},{\"mesh\":0,\"rotation\":"
        "[0.6,0,0,0.8]},{\"mesh\":0,\"skin\":0}");
    gltf_text_accessor(&text, corners, sizeof corners, 5126, "VEC3", 4, false);
    gltf_text_accessor(&text, joints, sizeof joints, 5121, "VEC4", 4, false);
    gltf_text_accessor(&text, weights, sizeof weights, 5126, "VEC4", 4, false);
    gltf_text_accessor(&text, binds, sizeof binds, 5126, "MAT4", 2, false);
    char *bytes = gltf_text_end(&text, size), more[512];
    int length = snprintf(more, sizeof more,
                          ",\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":3}],"
                          "\"meshes\":[{\"primitives\":[{\"attributes\":{%s}}]}]}",
                          attributes);
    bytes = realloc(bytes, *size + (size_t)length + 1);
    assert_non_null(bytes);
    memcpy(bytes + *size - 1, more, (size_t)length + 1);
    *size += (size_t)length - 1;
    return bytes;
}

#define ATTRIBUTES "\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2"

static lb_gltf *loaded(const char *bytes, size_t size, const lb_gltf_options *options)
{
    lb_gltf *gltf = NULL;
    assert_made(lb_gltf_load_memory("made.gltf", bytes, size, options, &gltf, &error), error);
    return gltf;
}

TEST(scales_and_skins_are_carried)
{
    size_t size;
    int total;
    owned char *bytes = made(ATTRIBUTES, &size);
    owned_oracle o = oracle_open("", (unsigned char *)bytes, size);
    lb_gltf *gltf = loaded(bytes, size, NULL);
    double worst = compare(gltf, &o, &total);
    assert_int_equal(total, 8);
    assert_true(worst < 1e-12);
    lb_gltf_release(gltf);
    // in centimetres all is a hundredth
    lb_gltf_options options = {.unit = 0.01};
    gltf = loaded(bytes, size, &options);
    lb_gltf_looks *looks = NULL;
    assert_ok(lb_gltf_looks_create(gltf, NULL, &looks, &error));
    assert_int_equal(looks->count, 3);
    // node 3: its own mesh, turned, below a scale of 2 along x, which is its own x, too
    int own = 0;
    while (looks->shapes[own].link != lb_gltf_link(gltf, 3))
        own++;
    lb_vec3 last = looks->meshes[own].points[3];
    assert_near(last.x, 0.02, 1e-12);
    assert_near(last.y, 0.02, 1e-12);
    assert_near(last.z, 0.03, 1e-12);
    lb_gltf_looks_release(looks);
    lb_gltf_release(gltf);
}

/* the capsules of a skin hold all of its points */
TEST(looks_stand_in_for_shapes)
{
    size_t size;
    owned char *bytes = made(ATTRIBUTES, &size);
    owned_gltf *gltf = loaded(bytes, size, NULL);
    const lb_model *model = lb_gltf_model(gltf);
    lb_gltf_looks *looks = NULL;
    assert_ok(lb_gltf_looks_create(gltf, NULL, &looks, &error));
    lb_collision_options options = lb_collision_options_default();
    options.meshes = looks->meshes, options.mesh_count = looks->count;
    options.stand_ins = looks->shapes, options.stand_in_count = looks->count;
    options.fit = LB_MESH_CAPSULE;
    owned_collision *collision = NULL;
    assert_made(lb_collision_create(model, NULL, &options, NULL, &collision, &error), error);
    for (int i = 0; i < lb_model_link_count(model); i++) {
        int shapes = 0;
        for (int k = 0; k < looks->count; k++)
            shapes += looks->shapes[k].link == i;
        assert_int_equal(lb_collision_body_shapes(collision, i), shapes);
    }
    lb_gltf_looks_release(looks);
}

/* ---- what is wrong ---------------------------------------------------------- */

static void check_refused(const char *attributes, const char *says)
{
    size_t size;
    owned char *bytes = made(attributes, &size);
    owned_gltf *gltf = loaded(bytes, size, NULL);
    lb_gltf_looks *looks = NULL;
    assert_int_not_equal(lb_gltf_looks_create(gltf, NULL, &looks, &error), LB_OK);
    assert_null(looks);
    if (strstr(error.message, says) == NULL)
        fail_msg("'%s' is not in '%s'", says, error.message);
    // with the file's name, the message has that, too
    lb_looks *all = NULL;
    const lb_model *model = lb_gltf_model(gltf);
    assert_int_not_equal(lb_looks_load("bad.glb", model, gltf, NULL, &all, &error), LB_OK);
    assert_string_equal(error.path, "bad.glb");
}

TEST(wrong_meshes_are_refused)
{
    check_refused("\"POSITION\":9", "meshes[0].POSITION");
    check_refused("\"POSITION\":1", "POSITION must have 3 components");
    check_refused("\"POSITION\":0,\"JOINTS_0\":0,\"WEIGHTS_0\":2",
                  "JOINTS_0 must have 4 components");
    check_refused("\"POSITION\":0,\"JOINTS_0\":3,\"WEIGHTS_0\":2", "JOINTS_0");
    lb_gltf_looks *looks = NULL;
    assert_int_equal(lb_gltf_looks_create(NULL, NULL, &looks, &error), LB_INVALID_ARGUMENT);
}

/* a joint that the skin does not have */
TEST(joints_beyond_the_skin_are_refused)
{
    size_t size;
    owned char *bytes = made(ATTRIBUTES, &size);
    char *skin = strstr(bytes, "\"joints\":[1,2]");
    assert_non_null(skin);
    memcpy(skin, "\"joints\":[1]  ", strlen("\"joints\":[1,2]"));
    owned_gltf *gltf = loaded(bytes, size, NULL);
    lb_gltf_looks *looks = NULL;
    assert_int_not_equal(lb_gltf_looks_create(gltf, NULL, &looks, &error), LB_OK);
    assert_non_null(strstr(error.message, "is moved by joint 1 of the skin's 1"));
}

TEST(failing_allocations_are_said)
{
    size_t size;
    owned char *bytes = made(ATTRIBUTES, &size);
    owned_gltf *gltf = loaded(bytes, size, NULL);
    ALLOCATIONS_FAIL (run, 40) {
        lb_gltf_looks *looks = NULL;
        run.status = lb_gltf_looks_create(gltf, &run.allocator, &looks, &error);
        assert_true(run.status == LB_OK || (run.status == LB_OUT_OF_MEMORY && looks == NULL));
        lb_gltf_looks_release(looks);
    }
}

/* ---- nodes that share ------------------------------------------------------ */

/* a file of so many nodes that draw one mesh of as many primitives by one skin of as many joints,
   with as many members that mean nothing; the time of what it looks like */
static clock_t time_of_sharing(int count)
{
    char *text = malloc(80 * (size_t)count + 1024), *at = text;
    assert_non_null(text);
    at += sprintf(at, "{\"asset\":{\"version\":\"2.0\"}");
    for (int i = 0; i < count; i++)
        at += sprintf(at, ",\"m%d\":0", i);
    at += sprintf(at, ",\"nodes\":[{}");
    for (int i = 0; i < count; i++)
        at += sprintf(at, ",{\"mesh\":0,\"skin\":0}");
    at += sprintf(at, "],\"skins\":[{\"joints\":[0");
    for (int i = 0; i < count; i++)
        at += sprintf(at, ",%d", i);
    at += sprintf(at, "]}],\"meshes\":[{\"primitives\":[{}");
    for (int i = 0; i < count; i++)
        at += sprintf(at, ",{}");
    at += sprintf(at, "]}]}");
    owned_gltf *gltf = loaded(text, (size_t)(at - text), NULL);
    lb_gltf_looks *looks = NULL;
    clock_t before = clock();
    lb_status status = lb_gltf_looks_create(gltf, NULL, &looks, &error);
    clock_t taken = clock() - before;
    assert_refused(status, LB_UNSUPPORTED, &error, "too often");
    free(text);
    return taken;
}

TEST(what_nodes_share_takes_linear_time)
{
    assert_grows_linearly(time_of_sharing, 16000);
}
