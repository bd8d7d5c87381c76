/*
 * valid_arguments.h - one valid argument of each kind for the calls of test_null.c.
 */
#ifndef TEST_BASE_VALID_ARGUMENTS_H
#define TEST_BASE_VALID_ARGUMENTS_H

#include <limber/figures/draw.h>
#include <limber/figures/draw_reach.h>
#include <limber/figures/strip.h>
#include <limber/formats/clip_json.h>
#include <limber/formats/document.h>
#include <limber/formats/json.h>
#include <limber/formats/load.h>
#include <limber/formats/looks.h>
#include <limber/formats/mesh.h>
#include <limber/formats/motion.h>
#include <limber/formats/motion_json.h>
#include <limber/formats/reach_file.h>
#include <limber/formats/robot_csv.h>
#include <limber/formats/robot_npz.h>
#include <limber/formats/scene.h>
#include <limber/formats/srdf.h>
#include <limber/limber.h>

static lb_error error;
static double numbers[4096];
static const int no_drive = 0;
static const lb_plane_pose guided_poses[] = {{0, 0, 0}, {1, 0.5, 0.5}, {1.5, 1.5, 1.2}};
static lb_dyad guided_dyads[1];
static lb_four_bar guided_bars[1];
static int guided_count;
static bool guided_whole;
static const lb_transform transforms[] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 1}},
                                          {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0.1, 1}}};

/* a figure that moves freely, the same one in each place of a call */
static lb_model *model(void)
{
    static lb_model *made;
    lb_model *fixed = NULL;
    if (made == NULL && lb_load("human", NULL, &fixed, NULL) == LB_OK)
        lb_model_with_root(fixed, LB_JOINT_FLOATING, NULL, &made, NULL);
    return made;
}

static lb_clip *clip(void)
{
    static const double times[] = {0, 0.5, 1};
    const lb_model *of = model();
    lb_clip *made = NULL;
    for (int i = 0; i < 3; i++)
        lb_configuration_neutral(of, numbers + i * lb_model_nq(of));
    lb_clip_create(of, times, numbers, 3, LB_INTERPOLATION_LINEAR, NULL, &made, NULL);
    return made;
}

static double *neutral(void)
{
    lb_configuration_neutral(model(), numbers);
    return numbers;
}

static lb_retarget_stream *stream(void)
{
    lb_retarget_stream *made = NULL;
    lb_retarget_stream_create(model(), NULL, model(), NULL, NULL, &made, NULL);
    return made;
}

static lb_task *task(void)
{
    static lb_task one;
    one = lb_task_make(7, LB_WORLD, LB_TASK_POSE);
    return &one;
}

static lb_state *state(void)
{
    lb_state *made = NULL;
    lb_state_create(model(), NULL, &made);
    return made;
}

static lb_reach_map *reach_map(void)
{
    lb_model *arm = NULL;
    lb_reach_map *made = NULL;
    lb_reach_map_options options = lb_reach_map_options_default();
    options.cell = 1;
    options.orientations = 72;
    if (lb_load("ur5", NULL, &arm, NULL) == LB_OK) {
        lb_task tool = lb_task_make(lb_model_find_link(arm, "tool0"), LB_WORLD, LB_TASK_POSE);
        lb_reach_map_create(arm, &tool, &options, NULL, &made, NULL);
    }
    return made;
}

/* its name is gone at once */
static lb_reach_file *reach_file(void)
{
    lb_reach_file *made = NULL;
    lb_reach_file_open("null_arguments.npy", reach_map(), 1, 1, true, &made, NULL);
    remove("null_arguments.npy");
    remove("null_arguments.json");
    return made;
}

static const char *const absent_paths[] = {"absent/map.npy"};

static lb_contacts *contacts(void)
{
    const lb_contact_point point = {.link = 1};
    lb_contacts *made = NULL;
    lb_contacts_create(&point, 1, NULL, &made, NULL);
    return made;
}

static lb_document *empty_document(void)
{
    lb_document *made = NULL;
    lb_document_create(NULL, &made);
    return made;
}

static lb_document *document(void)
{
    lb_document *made = empty_document();
    lb_document_add(made, LB_NODE_OBJECT, NULL, NULL, 0, 1);
    lb_document_close(made);
    return made;
}

static lb_bvh *bvh(void)
{
    lb_bvh *made = NULL;
    lb_bvh_make(clip(), NULL, &made, NULL);
    return made;
}

static lb_gltf *gltf(void)
{
    // a node that moves from nowhere to nowhere within a second
    static const char text[] =
        "{\"asset\": {\"version\": \"2.0\"}, \"nodes\": [{\"name\": \"a\"}],"
        "\"scenes\": [{\"nodes\": [0]}], \"animations\": [{\"channels\": [{\"sampler\": 0,"
        "\"target\": {\"node\": 0, \"path\": \"translation\"}}], \"samplers\": [{\"input\": 0,"
        "\"output\": 1}]}], \"accessors\": [{\"bufferView\": 0, \"componentType\": 5126,"
        "\"count\": 2, \"type\": \"SCALAR\", \"min\": [0], \"max\": [1]}, {\"bufferView\": 1,"
        "\"componentType\": 5126, \"count\": 2, \"type\": \"VEC3\"}], \"bufferViews\":"
        "[{\"buffer\": 0, \"byteLength\": 8}, {\"buffer\": 0, \"byteOffset\": 8,"
        "\"byteLength\": 24}], \"buffers\": [{\"byteLength\": 32, \"uri\":"
        "\"data:application/octet-stream;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\"}]}";
    lb_gltf *made = NULL;
    lb_gltf_load_memory("a.gltf", text, sizeof text - 1, NULL, &made, NULL);
    return made;
}

static lb_looks *looks(void)
{
    lb_looks *made = NULL;
    lb_looks_load("human", model(), NULL, NULL, &made, NULL);
    return made;
}

static lb_body *body(void)
{
    // a place of a link, and a joint
    lb_body_task tasks[] = {lb_body_task_make(LB_BODY_POSITION, 7),
                            lb_body_task_make(LB_BODY_JOINT, 7)};
    tasks[1].joint = 1;
    lb_body *made = NULL;
    lb_body_create(model(), tasks, 2, NULL, NULL, &made, NULL);
    return made;
}

static lb_workspace *workspace(void)
{
    lb_workspace *made = NULL;
    lb_workspace_create(model(), task(), NULL, NULL, &made, NULL);
    return made;
}

static lb_collision *collision(void)
{
    lb_collision *made = NULL;
    lb_collision_create(model(), NULL, NULL, NULL, &made, NULL);
    return made;
}

static const lb_path_source path_source = {.points = transforms, .count = 2};

static lb_follow follow(void)
{
    lb_path *path = NULL;
    lb_path_create(&path_source, NULL, &path, NULL);
    return (lb_follow){
        .task = *task(), .path = path, .frames = 2, .options = lb_ik_options_default()};
}

static lb_timing timing(void)
{
    return (lb_timing){.follow = follow(),
                       .rate = 100,
                       .speed = INFINITY,
                       .acceleration = INFINITY,
                       .jerk = INFINITY,
                       .angular_speed = INFINITY};
}

/* an arm's, whose joints all turn or slide */
static lb_servo *servo(void)
{
    static lb_model *arm;
    lb_servo *made = NULL;
    if (arm || lb_load("ur5", NULL, &arm, NULL) == LB_OK)
        lb_servo_create(arm, NULL, NULL, NULL, &made, NULL);
    return made;
}

static lb_strip strip(void)
{
    static lb_strip_row row;
    lb_strip drawn = lb_strip_default();
    row.clip = clip();
    drawn.rows = &row;
    drawn.row_count = 1;
    return drawn;
}

static lb_reach_drawing reach(void)
{
    lb_reach_drawing drawn = lb_reach_drawing_default();
    drawn.grid = (lb_reach_grid){.radius = 1, .cell = 1, .count = 3, .orientations = 1};
    drawn.values = numbers;
    return drawn;
}

static const lb_model_source *source(void)
{
    static lb_link links[2];
    static lb_joint joint;
    static const lb_model_source two = {.root = {.x = {1, 0, 0}, .y = {0, 1, 0}, .z = {0, 0, 1}},
                                        .name = "two",
                                        .links = links,
                                        .link_count = 2,
                                        .joints = &joint,
                                        .joint_count = 1};
    links[0] = links[1] = lb_link_default();
    joint = lb_joint_default();
    links[0].name = joint.parent = "a";
    links[1].name = joint.child = joint.name = "b";
    return &two;
}

static void *take(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}

static void release(void *user, void *block)
{
    (void)user;
    free(block);
}

static const lb_allocator allocator = {.allocate = take, .release = release};

static bool take_bytes(void *user, const void *bytes, size_t size)
{
    (void)user;
    return bytes != NULL && size > 0;
}

static bool take_file(void *user, const lb_robot_npz_file *file)
{
    (void)user;
    return file != NULL;
}

static void visit_nothing(void *user, const lb_derivation_line *line)
{
    (void)user, (void)line;
}

static bool fill_nothing(void *user, int key, double *time, double *q)
{
    (void)user, (void)time, (void)q;
    return key < 0;
}

#endif
