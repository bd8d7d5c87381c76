/* test_mesh.c - mesh files: found by their names, read as convex hulls, warned of where they are
 * not. */
#include "loading.h"

#include <limber/formats/mesh.h>
#include <sys/stat.h>
#include <unistd.h>

/* a cube of two metres about its middle, one corner inside of it, as OBJ */
static const char cube_obj[] =
    "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
    "v 0.2 0.1 0\n"
    "f 1 2 3\nf 1 3 4\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 3 4 8\nf 3 8 7\nf 2 3 9\nf 6 7 9\n"
    "f 1 4 8\n";

/* a triangle in a plane, as STL */
static const char triangle_stl[] =
    "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
    "endloop\nendfacet\nendsolid t\n";

/* a tetrahedron in centimetres with y up, moved by 100 along x by its node, as Collada */
static const char tetrahedron_dae[] =
    "<?xml version='1.0'?>\n"
    "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>\n"
    "<asset><unit name='centimeter' meter='0.01'/><up_axis>Y_UP</up_axis></asset>\n"
    "<library_geometries><geometry id='g'><mesh>\n"
    "<source id='p'><float_array id='a' count='12'>0 0 0 10 0 0 0 20 0 0 0 30</float_array>\n"
    "<technique_common><accessor source='#a' count='4' stride='3'><param name='X' type='float'/>\n"
    "<param name='Y' type='float'/><param name='Z' type='float'/></accessor></technique_common>\n"
    "</source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices>\n"
    "<triangles count='4'><input semantic='VERTEX' source='#v' offset='0'/>\n"
    "<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries>\n"
    "<library_visual_scenes><visual_scene id='s'><node id='n'><translate>100 0 0</translate>\n"
    "<instance_geometry url='#g'/></node></visual_scene></library_visual_scenes>\n"
    "<scene><instance_visual_scene url='#s'/></scene></COLLADA>\n";

#define COLLISION(mesh) "<collision><geometry><mesh filename='" mesh "'/></geometry></collision>"

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int make_files(void)
{
    mkdir("robot", 0777);
    mkdir("robot/meshes", 0777);
    mkdir("robot/urdf", 0777);
    write_file("robot/meshes/cube.obj", cube_obj);
    write_file("robot/meshes/flat.stl", triangle_stl);
    write_file("robot/meshes/corner.dae", tetrahedron_dae);
    write_file("robot/meshes/broken.stl", "solid \x01\x02");
    return 0;
}

typedef struct warnings {
    char text[2048];
    int count;
} warnings;

static void keep_warning(void *user, const lb_error *warning)
{
    warnings *kept = user;
    size_t used = strlen(kept->text);
    snprintf(kept->text + used, sizeof kept->text - used, "%s: %s\n", warning->path,
             warning->message);
    kept->count++;
}

static const lb_mesh *mesh_named(const lb_mesh_list *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->meshes[i].name, name) == 0)
            return &list->meshes[i];
    fail_msg("no mesh '%s'", name);
    return NULL;
}

static lb_model *robot_with(const char *collisions)
{
    char text[2048];
    snprintf(text, sizeof text, "<robot name='r'><link name='a'>%s</link></robot>", collisions);
    return load_text("r.urdf", text);
}

TEST(reads_hulls)
{
    if (!lb_mesh_supported()) {
        print_message("skipped: there is no qhull\n");
        skip();
    }
    owned_model *model = robot_with(
        COLLISION("package://robot/meshes/cube.obj") COLLISION("package://robot/meshes/cube.obj")
            COLLISION("../meshes/flat.stl") COLLISION("meshes/cube.obj"));
    warnings kept = {.count = 0};
    lb_load_options options = {.warn = keep_warning, .user = &kept};
    lb_mesh_list *list;
    assert_made(lb_mesh_list_load("robot/urdf/r.urdf", model, NULL, &options, &list, &cause),
                cause);
    assert_string_equal(kept.text, "");
    // each name once; the hull has the corners, not what is inside
    assert_int_equal(list->count, 3);
    assert_int_equal(list->missing, 0);
    const lb_mesh *cube = mesh_named(list, "package://robot/meshes/cube.obj");
    assert_int_equal(cube->count, 8);
    for (int i = 0; i < 8; i++)
        assert_near(lb_vec3_dot(cube->points[i], cube->points[i]), 3, 0);
    assert_int_equal(mesh_named(list, "../meshes/flat.stl")->count, 3);

    // what they are measured as: 1 m beyond the cube's side
    lb_geometry ball = {.shape = LB_SHAPE_SPHERE, .size = {0.5, 0, 0}};
    ball.origin = lb_transform_translation(2.5, 0.3, 0.3);
    lb_proximity nearest;
    const lb_geometry *box = &lb_model_link(model, 0)->collisions[0];
    assert_near(lb_geometry_distance(box, cube, &ball, NULL, &nearest), 1, 1e-12);
    lb_mesh_list_release(list);
    lb_mesh_list_release(NULL);
}

/* its unit and its nodes count, its up axis does not */
TEST(reads_collada)
{
    if (!lb_mesh_supported()) {
        print_message("skipped: there is no qhull\n");
        skip();
    }
    owned_model *model = robot_with(COLLISION("meshes/corner.dae"));
    warnings kept = {.count = 0};
    lb_load_options options = {.warn = keep_warning, .user = &kept};
    lb_mesh_list *list;
    assert_ok(lb_mesh_list_load("robot/r.urdf", model, NULL, &options, &list, NULL));
    assert_string_equal(kept.text, "");
    const lb_mesh *corner = mesh_named(list, "meshes/corner.dae");
    const lb_vec3 wanted[4] = {{1, 0, 0}, {1.1, 0, 0}, {1, 0.2, 0}, {1, 0, 0.3}};
    assert_int_equal(corner->count, 4);
    for (int i = 0; i < 4; i++) {
        double nearest = INFINITY;
        for (int k = 0; k < 4; k++)
            nearest = fmin(nearest, lb_vec3_length(lb_vec3_sub(corner->points[k], wanted[i])));
        assert_near(nearest, 0, 1e-7);
    }
    // as a binary file has them; volatile, as gcc 12 leaves pairs of such roundings out
    for (int k = 0; k < corner->count; k++) {
        volatile float x = (float)corner->points[k].x, y = (float)corner->points[k].y;
        volatile float z = (float)corner->points[k].z;
        assert_true((double)x == corner->points[k].x && (double)y == corner->points[k].y);
        assert_true((double)z == corner->points[k].z);
    }
    lb_mesh_list_release(list);
}

TEST(warns_by_name)
{
    // each name is looked for once, and warned of once, however many shapes have it
    owned_model *model = robot_with(COLLISION("absent.stl") COLLISION("meshes/broken.stl")
                                        COLLISION("absent.stl") COLLISION("meshes/broken.stl"));
    warnings kept = {.count = 0};
    lb_load_options options = {.warn = keep_warning, .user = &kept};
    lb_mesh_list *list;
    assert_ok(lb_mesh_list_load("robot/r.urdf", model, NULL, &options, &list, &cause));
    assert_int_equal(list->count, 0);
    assert_int_equal(list->missing, 2);
    assert_int_equal(kept.count, 2);
    assert_non_null(strstr(kept.text, "robot/r.urdf: mesh 'absent.stl' is left out"));
    assert_non_null(strstr(kept.text, "mesh 'meshes/broken.stl' is left out, and does not collide: "
                                      "line 1: the file ends within the solid"));
    lb_mesh_list_release(list);

    options.strict = true;
    assert_int_equal(lb_mesh_list_load("robot/r.urdf", model, NULL, &options, &list, &cause),
                     LB_BAD_MODEL);
    assert_null(list);
    assert_non_null(strstr(cause.message, "absent.stl"));
    assert_int_equal(lb_mesh_list_load(NULL, model, NULL, NULL, &list, &cause),
                     LB_INVALID_ARGUMENT);
}

TEST(survives_without_memory)
{
    owned_model *model = robot_with(COLLISION("meshes/cube.obj") COLLISION("meshes/flat.stl"));
    lb_status status = LB_OUT_OF_MEMORY;
    for (long n = 0; status != LB_OK || n < 12; n++) {
        test_memory memory = {.fail_at = n};
        lb_allocator allocator = test_memory_allocator(&memory);
        lb_load_options options = {.allocator = &allocator};
        lb_mesh_list *list;
        status = lb_mesh_list_load("robot/r.urdf", model, NULL, &options, &list, NULL);
        assert_true(status == LB_OK || status == LB_OUT_OF_MEMORY);
        lb_mesh_list_release(list);
        assert_int_equal(memory.live, 0);
        assert_true(n < 100);
    }
}

/* an OBJ names a file of materials: what is no regular file is not opened, as this pipe, which has
   no writer */
TEST(opens_no_pipes)
{
    if (!lb_mesh_supported())
        skip();
    mkdir("robot", 0755);
    assert_int_equal(mkfifo("robot/materials.pipe", 0600), 0);
    FILE *file = fopen("robot/piped.obj", "w");
    assert_non_null(file);
    fputs("mtllib materials.pipe\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
          "f 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n",
          file);
    fclose(file);
    lb_model *model = robot_with(COLLISION("piped.obj"));
    lb_mesh_list *list;
    // a signal ends the test where it waits, after longer than any slow machine takes
    alarm(600);
    assert_ok(lb_mesh_list_load("robot/r.urdf", model, NULL, NULL, &list, NULL));
    alarm(0);
    assert_int_equal(list->count, 1);
    assert_int_equal(list->meshes[0].count, 4);
    lb_mesh_list_release(list);
    lb_model_release(model);
    unlink("robot/piped.obj");
    unlink("robot/materials.pipe");
}

TEST_FIXTURE(make_files, NULL)
