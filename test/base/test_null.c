/*
 * test_null.c - every public function that returns a status refuses NULL (base.h): where all
 * pointers are NULL, and where one of them is.
 *
 * Each call runs in a process of its own, with valid pointers but for one. P refuses NULL, N is a
 * pointer that its header allows to be NULL: the call may fail for another reason, but not for
 * that. That no function and no pointer is forgotten is seen in the headers themselves.
 */
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "headers.h"
#include "valid_arguments.h"

/* ---- the calls ---------------------------------------------------------------- */

/* what is NULL: the pointer that is evaluated when this is 0; ALL of them */
enum { ALL = -1000000 };
static int countdown;
static bool may_be_null;

static bool is_null(bool allowed)
{
    if (countdown < 0)
        return countdown < -1000;
    may_be_null = allowed;
    return countdown-- == 0;
}

#define P(value) (is_null(false) ? NULL : (value))
#define N(value) (is_null(true) ? NULL : (value))
#define SLOT(type) ((type[64]){0})
#define OPTIONS(type) ((type[]){type##_default()})

#define CALLS(X)                                                                                   \
    X(lb_assembly_create, P(model()), N(&no_drive), 0, N(&allocator), P(SLOT(lb_assembly *)),      \
      N(&error))                                                                                   \
    X(lb_body_create, P(model()), P(SLOT(lb_body_task)), 1, N(OPTIONS(lb_body_options)),           \
      N(&allocator), P(SLOT(lb_body *)), N(&error))                                                \
    X(lb_body_set_target, P(body()), 0, P(transforms))                                             \
    X(lb_body_set_point, P(body()), 0, lb_vec3_make(0, 0, 1))                                      \
    X(lb_body_set_value, P(body()), 1, P(numbers))                                                 \
    X(lb_body_set_weight, P(body()), 0, 1)                                                         \
    X(lb_body_hold, P(body()), 0, P(numbers))                                                      \
    X(lb_body_set_posture, P(body()), N(numbers))                                                  \
    X(lb_body_set_limits, P(body()), 1, 1, 1, 1)                                                   \
    X(lb_body_set_speed, P(body()), 1, 1, 1)                                                       \
    X(lb_clip_check, P(clip()), N(contacts()), N(OPTIONS(lb_check_options)), N(&allocator),        \
      N(numbers), P(SLOT(lb_check_report)), N(&error))                                             \
    X(lb_clip_check_pairs, P(clip()), P(collision()), 1, N(&allocator), P(SLOT(lb_check_pair)),    \
      N(&error))                                                                                   \
    X(lb_clip_create, P(model()), P(numbers), P(numbers), 1, 0, N(&allocator), P(SLOT(lb_clip *)), \
      N(&error))                                                                                   \
    X(lb_clip_fidelity, P(clip()), P(clip()), N(OPTIONS(lb_fidelity_options)), N(&allocator),      \
      N(numbers), P(SLOT(lb_fidelity_report)), N(&error))                                          \
    X(lb_clip_generate, P(model()), 1, P(fill_nothing), N(numbers), 0, N(&allocator),              \
      P(SLOT(lb_clip *)), N(&error))                                                               \
    X(lb_clip_resample, P(clip()), 1, N(&allocator), P(SLOT(lb_clip *)), N(&error))                \
    X(lb_clip_even, P(clip()), 1, N(&allocator), P(SLOT(lb_clip *)), N(&error))                    \
    X(lb_clip_slice, P(clip()), 0, 1, N(&allocator), P(SLOT(lb_clip *)), N(&error))                \
    X(lb_clip_retime, P(clip()), 1, 1, N(&allocator), P(SLOT(lb_clip *)), N(&error))               \
    X(lb_clip_blend, P(clip()), P(clip()), 0, 1, N(&allocator), P(SLOT(lb_clip *)), N(&error))     \
    X(lb_clip_mirror, P(clip()), N(&allocator), P(SLOT(lb_clip *)), N(&error))                     \
    X(lb_clip_loop, P(clip()), 1, 1, N(&allocator), P(SLOT(lb_clip *)), N(&error))                 \
    X(lb_collision_create, P(model()), N(SLOT(lb_scene)), N(OPTIONS(lb_collision_options)),        \
      N(&allocator), P(SLOT(lb_collision *)), N(&error))                                           \
    X(lb_contacts_create, N(SLOT(lb_contact_point)), 1, N(&allocator), P(SLOT(lb_contacts *)),     \
      N(&error))                                                                                   \
    X(lb_contacts_add, P(contacts()), 0, 0, 1, N(&error))                                          \
    X(lb_contacts_cut, P(contacts()), 0, 0, 1, N(&error))                                          \
    X(lb_contacts_shift, P(contacts()), 1, N(&error))                                              \
    X(lb_contacts_move, P(contacts()), 0, P(SLOT(lb_contact_point)), N(&error))                    \
    X(lb_contacts_detect, P(contacts()), P(clip()), N(OPTIONS(lb_contact_options)), N(&error))     \
    X(lb_contacts_measure_heights, P(contacts()), P(clip()), N(OPTIONS(lb_contact_options)),       \
      N(&error))                                                                                   \
    X(lb_contacts_find_ground, P(contacts()), P(clip()), P(SLOT(lb_vec3)), N(&error))              \
    X(lb_derive, P(model()), P(task()), N(OPTIONS(lb_ik_options)), P(transforms), P(numbers),      \
      P(visit_nothing), N(numbers), N(&error))                                                     \
    X(lb_elbow_create, P(model()), P(task()), N(&allocator), P(SLOT(lb_elbow *)), N(&error))       \
    X(lb_draw, P(model()), P(OPTIONS(lb_drawing)), P("absent.json"), N(&error))                    \
    X(lb_draw_tree, P(model()), N("name"), P("absent.json"), N(&error))                            \
    X(lb_draw_workspace, P(model()), P(((lb_workspace_drawing[]){{.workspace = workspace()}})),    \
      P("absent.json"), N(&error))                                                                 \
    X(lb_draw_reach, P((lb_reach_drawing[]){reach()}), P("absent.json"), N(&error))                \
    X(lb_draw_strip, P((lb_strip[]){strip()}), P("absent.json"), N(&error))                        \
    X(lb_draw_animation, P((lb_strip[]){strip()}), P("absent.json"), N(&error))                    \
    X(lb_fk_batch_create, P(model()), N(OPTIONS(lb_fk_batch_options)), N(&allocator),              \
      P(SLOT(lb_fk_batch *)))                                                                      \
    X(lb_bvh_load, P("absent.json"), N(OPTIONS(lb_bvh_options)), P(SLOT(lb_bvh *)), N(&error))     \
    X(lb_bvh_load_memory, P("name"), P("{}"), 1, N(OPTIONS(lb_bvh_options)), P(SLOT(lb_bvh *)),    \
      N(&error))                                                                                   \
    X(lb_bvh_make, P(clip()), N(OPTIONS(lb_bvh_options)), P(SLOT(lb_bvh *)), N(&error))            \
    X(lb_bvh_write, P(bvh()), N(clip()), P(take_bytes), N(numbers), N(&allocator), N(&error))      \
    X(lb_clip_json_load_memory, P("name"), P("{}"), 1, P(model()), N(&allocator),                  \
      P(SLOT(lb_clip *)), N(&error))                                                               \
    X(lb_clip_json_load_document, P("name"), P(document()), P(model()), N(&allocator),             \
      P(SLOT(lb_clip *)), N(&error))                                                               \
    X(lb_clip_json_write, P(clip()), N(&allocator), P(SLOT(char *)), N(&error))                    \
    X(lb_document_create, N(&allocator), P(SLOT(lb_document *)))                                   \
    X(lb_document_add, P(empty_document()), 0, P("name"), N("{}"), 1, 1)                           \
    X(lb_document_model, P(document()), P("name"), N(OPTIONS(lb_load_options)),                    \
      P(SLOT(lb_model *)), N(&error))                                                              \
    X(lb_gltf_load, P("absent.json"), N(OPTIONS(lb_gltf_options)), P(SLOT(lb_gltf *)), N(&error))  \
    X(lb_gltf_load_memory, P("name"), P(numbers), 1, N(OPTIONS(lb_gltf_options)),                  \
      P(SLOT(lb_gltf *)), N(&error))                                                               \
    X(lb_gltf_split, P("name"), P(numbers), 1, P(SLOT(lb_gltf_parts)), N(&error))                  \
    X(lb_gltf_load_document, P("name"), P(document()), N(SLOT(lb_gltf_parts)),                     \
      N(OPTIONS(lb_gltf_options)), P(SLOT(lb_gltf *)), N(&error))                                  \
    X(lb_gltf_looks_create, P(gltf()), N(&allocator), P(SLOT(lb_gltf_looks *)), N(&error))         \
    X(lb_gltf_clip, P(gltf()), 0, N(&allocator), P(SLOT(lb_clip *)), N(&error))                    \
    X(lb_gltf_write, P(gltf()), N(SLOT(lb_gltf_animation)), 0, N(SLOT(lb_gltf_write_options)),     \
      P(take_bytes), N(numbers), N(&error))                                                        \
    X(lb_joint_limits_load, P("absent.json"), P(model()), N(OPTIONS(lb_load_options)),             \
      P(SLOT(lb_joint_limit)), N(&error))                                                          \
    X(lb_joint_limits_load_memory, P("name"), P("{}"), 1, P(model()), N(OPTIONS(lb_load_options)), \
      P(SLOT(lb_joint_limit)), N(&error))                                                          \
    X(lb_document_joint_limits, P(document()), P("name"), P(model()), N(OPTIONS(lb_load_options)), \
      P(SLOT(lb_joint_limit)), N(&error))                                                          \
    X(lb_json_write, P(model()), N(&allocator), P(SLOT(char *)), N(&error))                        \
    X(lb_load, P("name"), N(&allocator), P(SLOT(lb_model *)), N(&error))                           \
    X(lb_load_memory, P("name"), P("{}"), 1, N(&allocator), P(SLOT(lb_model *)), N(&error))        \
    X(lb_load_with_options, P("name"), N(OPTIONS(lb_load_options)), P(SLOT(lb_model *)),           \
      N(&error))                                                                                   \
    X(lb_load_memory_with_options, P("name"), P("{}"), 1, N(OPTIONS(lb_load_options)),             \
      P(SLOT(lb_model *)), N(&error))                                                              \
    X(lb_looks_load, N("absent.json"), P(model()), N(gltf()), N(OPTIONS(lb_load_options)),         \
      P(SLOT(lb_looks *)), N(&error))                                                              \
    X(lb_mesh_list_load, P("absent.json"), N(model()), N(SLOT(lb_scene)),                          \
      N(OPTIONS(lb_load_options)), P(SLOT(lb_mesh_list *)), N(&error))                             \
    X(lb_retarget_map_load, P("absent.json"), P(model()), P(model()), N(&allocator),               \
      P(SLOT(lb_retarget_map)), N(&error))                                                         \
    X(lb_retarget_map_load_memory, P("name"), P("{}"), 1, P(model()), P(model()), N(&allocator),   \
      P(SLOT(lb_retarget_map)), N(&error))                                                         \
    X(lb_retarget_map_load_document, P("name"), P(document()), P(model()), P(model()),             \
      N(&allocator), P(SLOT(lb_retarget_map)), N(&error))                                          \
    X(lb_retarget_map_write, P(SLOT(lb_retarget_map)), P(model()), P(model()), N(&allocator),      \
      P(SLOT(char *)), N(&error))                                                                  \
    X(lb_contacts_load, P("absent.json"), P(model()), N(&allocator), P(SLOT(lb_contacts *)),       \
      N(&error))                                                                                   \
    X(lb_contacts_load_memory, P("name"), P("{}"), 1, P(model()), N(&allocator),                   \
      P(SLOT(lb_contacts *)), N(&error))                                                           \
    X(lb_contacts_load_document, P("name"), P(document()), P(model()), N(&allocator),              \
      P(SLOT(lb_contacts *)), N(&error))                                                           \
    X(lb_contacts_write, P(contacts()), P(model()), N(&allocator), P(SLOT(char *)), N(&error))     \
    X(lb_robot_csv_load_memory, P("name"), P("{}"), 1, P(model()),                                 \
      N(OPTIONS(lb_robot_csv_options)), P(SLOT(lb_clip *)), N(&error))                             \
    X(lb_robot_csv_write, P(clip()), LB_ROBOT_CSV_LAFAN1, P(take_bytes), N(numbers), N(&error))    \
    X(lb_robot_npz_load_memory, P("name"), P(numbers), 1, P(model()), N(OPTIONS(lb_load_options)), \
      P(SLOT(lb_clip *)), N(&error))                                                               \
    X(lb_robot_npz_write, P(clip()), N("breadth-first"), N(&allocator), P(SLOT(void *)),           \
      P(SLOT(size_t)), N(&error))                                                                  \
    X(lb_robot_npz_load_files, P("name"), P(SLOT(lb_robot_npz_file)), 1, P(model()),               \
      N(OPTIONS(lb_load_options)), P(SLOT(lb_clip *)), N(&error))                                  \
    X(lb_robot_npz_write_files, P(clip()), N("breadth-first"), N(&allocator), P(take_file),        \
      N(numbers), N(&error))                                                                       \
    X(lb_scene_load, P("absent.json"), N(OPTIONS(lb_load_options)), P(SLOT(lb_scene *)),           \
      N(&error))                                                                                   \
    X(lb_document_scene, P(document()), P("name"), N(OPTIONS(lb_load_options)),                    \
      P(SLOT(lb_scene *)), N(&error))                                                              \
    X(lb_srdf_load, P("absent.json"), P(model()), N(OPTIONS(lb_load_options)), P(SLOT(lb_srdf *)), \
      N(&error))                                                                                   \
    X(lb_document_srdf, P(document()), P("name"), P(model()), N(OPTIONS(lb_load_options)),         \
      P(SLOT(lb_srdf *)), N(&error))                                                               \
    X(lb_gait_walk, P(model()), N(OPTIONS(lb_gait)), N(&allocator), P(SLOT(lb_clip *)),            \
      N(SLOT(lb_contacts *)), N(&error))                                                           \
    X(lb_ik_create, P(model()), P(task()), 1, N(OPTIONS(lb_ik_options)), N(&allocator),            \
      P(SLOT(lb_ik *)), N(&error))                                                                 \
    X(lb_model_view, P(model()), P(SLOT(lb_joint_setting)), 1, N(&allocator), P(SLOT(lb_model *)), \
      N(&error))                                                                                   \
    X(lb_state_create, P(model()), N(&allocator), P(SLOT(lb_state *)))                             \
    X(lb_state_singularity, P(state()), 1, lb_vec3_make(0, 0, 1), 1, 1, P(SLOT(lb_singularity)))   \
    X(lb_state_velocity_ellipsoid, P(state()), 1, lb_vec3_make(0, 0, 1), 0, P(SLOT(lb_ellipsoid))) \
    X(lb_model_from_dh, N("name"), P(OPTIONS(lb_dh_row)), 1, 1, N(&allocator),                     \
      P(SLOT(lb_model *)), N(&error))                                                              \
    X(lb_model_build, P(source()), N(&allocator), P(SLOT(lb_model *)), N(&error))                  \
    X(lb_model_with_limits, P(model()), P(SLOT(lb_joint_limit)), N(&allocator),                    \
      P(SLOT(lb_model *)), N(&error))                                                              \
    X(lb_model_with_root, P(model()), 0, N(&allocator), P(SLOT(lb_model *)), N(&error))            \
    X(lb_motion_open, P("absent.bvh"), N(OPTIONS(lb_motion_options)), P(SLOT(lb_motion *)),        \
      N(&error))                                                                                   \
    X(lb_motion_write, N(NULL), N(clip()),                                                         \
      P(((lb_motion_write_options[]){{.kind = LB_MOTION_JSON}})), P(take_bytes), N(numbers),       \
      N(&error))                                                                                   \
    X(lb_model_default_tips, P(model()), N(&allocator), P(SLOT(int)), P(SLOT(int)))                \
    X(lb_configuration_validate, P(model()), P(numbers), 1, N(&error))                             \
    X(lb_path_create, P(&path_source), N(&allocator), P(SLOT(lb_path *)), N(&error))               \
    X(lb_follower_create, P(model()), P((lb_follow[]){follow()}), N(&allocator),                   \
      P(SLOT(lb_follower *)), N(&error))                                                           \
    X(lb_dyads_find, P(guided_poses), 3, N(OPTIONS(lb_synthesis_options)), P(guided_dyads), 1,     \
      P(&guided_count), N(&guided_whole), N(&error))                                               \
    X(lb_four_bars_find, P(guided_poses), 3, P(guided_dyads), 0, P(guided_bars), 1,                \
      P(&guided_count), N(&error))                                                                 \
    X(lb_four_bar_model, P(guided_bars), P(guided_poses), N(&allocator), P(SLOT(lb_model *)),      \
      N(&error))                                                                                   \
    X(lb_placement_create, P(model()), P(task()), P(transforms), 1,                                \
      N(OPTIONS(lb_placement_options)), N(&allocator), P(SLOT(lb_placement *)), N(&error))         \
    X(lb_reach_file_open, P("absent/map.npy"), P(reach_map()), 1, 1, false,                        \
      P(SLOT(lb_reach_file *)), N(&error))                                                         \
    X(lb_reach_file_decide, P(reach_file()), P(reach_map()), 0, N(&error))                         \
    X(lb_reach_file_close, P(reach_file()), N(&error))                                             \
    X(lb_reach_file_join, P(absent_paths), 1, P("absent/map.npy"), N(&error))                      \
    X(lb_reach_map_create, P(model()), P(task()), N(OPTIONS(lb_reach_map_options)), N(&allocator), \
      P(SLOT(lb_reach_map *)), N(&error))                                                          \
    X(lb_rig_find, P(model()), N(&allocator), P(SLOT(lb_rig)), N(&error))                          \
    X(lb_rig_soles, P(model()), N(numbers), N(&allocator), P(SLOT(lb_contacts *)), N(&error))      \
    X(lb_rig_soles_by_looks, P(model()), N(numbers), N(looks()), N(&allocator),                    \
      P(SLOT(lb_contacts *)), N(SLOT(bool)), N(&error))                                            \
    X(lb_rig_contacts_by_looks, P(clip()), N(numbers), N(looks()), 1, lb_vec3_make(0, 0, 1),       \
      N(&allocator), P(SLOT(lb_contacts *)), N(SLOT(bool)), N(&error))                             \
    X(lb_rig_contacts, P(clip()), N(numbers), 1, lb_vec3_make(0, 0, 1), N(&allocator),             \
      P(SLOT(lb_contacts *)), N(SLOT(bool)), N(&error))                                            \
    X(lb_retarget_map_find, P(model()), N(numbers), P(model()), N(&allocator),                     \
      P(SLOT(lb_retarget_map)), N(&error))                                                         \
    X(lb_retarget, P(clip()), P(model()), N(OPTIONS(lb_retarget_options)), N(&allocator),          \
      P(SLOT(lb_clip *)), N(SLOT(lb_contacts *)), N(SLOT(lb_retarget_report)), N(&error))          \
    X(lb_retarget_rest_find, P(clip()), N(SLOT(lb_retarget_map)), N(&allocator), P(numbers),       \
      N(&error))                                                                                   \
    X(lb_retarget_slow, P(clip()), P(model()), N(OPTIONS(lb_retarget_options)), N(&allocator),     \
      P(SLOT(lb_clip *)), P(SLOT(lb_contacts *)), N(&error))                                       \
    X(lb_retarget_stream_create, P(model()), N(clip()), P(model()),                                \
      N(OPTIONS(lb_retarget_options)), N(&allocator), P(SLOT(lb_retarget_stream *)), N(&error))    \
    X(lb_retarget_stream_next, P(stream()), 0, P(neutral()), P(numbers),                           \
      N(SLOT(lb_retarget_frame)))                                                                  \
    X(lb_retarget_stream_reset, P(stream()), N(neutral()))                                         \
    X(lb_retarget_stream_set_acceleration, P(stream()), 7, 1)                                      \
    X(lb_servo_create, P(model()), N(task()), N(OPTIONS(lb_servo_options)), N(&allocator),         \
      P(SLOT(lb_servo *)), N(&error))                                                              \
    X(lb_servo_reset, P(servo()), P((double[6]){0}), N(&error))                                    \
    X(lb_solutions_create, P(model()), P(task()), N(OPTIONS(lb_solutions_options)), N(&allocator), \
      P(SLOT(lb_solutions_solver *)), N(&error))                                                   \
    X(lb_timing_make, P(model()), P((lb_timing[]){timing()}), P(numbers), N(&allocator),           \
      P(SLOT(lb_clip *)), P(SLOT(lb_timing_result)), N(&error))                                    \
    X(lb_workspace_create, P(model()), P(task()), N(OPTIONS(lb_workspace_options)), N(&allocator), \
      P(SLOT(lb_workspace *)), N(&error))                                                          \
    X(lb_workspace_merge, P(workspace()), P(workspace()))

#define DEFINE(function, ...)                                                                      \
    static lb_status call_##function(void)                                                         \
    {                                                                                              \
        return function(__VA_ARGS__);                                                              \
    }
CALLS(DEFINE)

#define ROW(function, ...) {#function, call_##function},
static const struct {
    const char *name;
    lb_status (*call)(void);
} calls[] = {CALLS(ROW)};
enum { COUNT = sizeof calls / sizeof *calls };

TEST(null_is_refused)
{
    countdown = ALL;
    for (int i = 0; i < COUNT; i++) {
        lb_status status = calls[i].call();
        if (status != LB_INVALID_ARGUMENT)
            fail_msg("%s(NULL ...) returns %s", calls[i].name, lb_status_text(status));
    }
}

/* what the process of one call says */
enum { AS_IT_SHOULD = 90, NOT_REFUSED, REFUSED, INVALID, NO_SUCH_POINTER };

/* a call in which one pointer is NULL, the n-th that is evaluated; leaks are the process's own */
static int call_alone(int i, int n)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        // a signal ends what does not return, after longer than any slow machine takes
        alarm(600);
        countdown = n;
        bool refused = calls[i].call() == LB_INVALID_ARGUMENT;
        if (refused && countdown >= 0)
            fprintf(stderr, "%s refuses what should be valid: %s\n", calls[i].name, error.message);
        _exit(refused && countdown >= 0 ? INVALID
              : countdown >= 0          ? NO_SUCH_POINTER
              : refused == may_be_null  ? (refused ? REFUSED : NOT_REFUSED)
                                        : AS_IT_SHOULD);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* how many pointers a call has; each is tried */
static int try_pointers(int i)
{
    for (int n = 0;; n++) {
        int result = call_alone(i, n);
        if (result == NO_SUCH_POINTER)
            return n;
        if (result != AS_IT_SHOULD)
            fail_msg("%s, pointer %d in the order of evaluation: %s (%d)", calls[i].name, n,
                     result == REFUSED       ? "NULL is allowed, but refused"
                     : result == NOT_REFUSED ? "NULL is not refused"
                     : result == INVALID     ? "there is none, but the call is refused"
                                             : "NULL ends the process",
                     result);
    }
}

/* the pointers among the parameters from a parenthesis on; comments may hold commas */
static int count_pointers(const char *at)
{
    int count = 0;
    bool pointer = false;
    for (; *at != ';' && *at != '\0'; at++) {
        if (strncmp(at, "/*", 2) == 0)
            at = strstr(at, "*/") + 1;
        pointer = pointer || *at == '*' || *at == '[';
        if (*at == ',' || *at == ')') {
            count += pointer;
            pointer = false;
        }
    }
    return count;
}

static int find_call(const char *name)
{
    for (int i = 0; i < COUNT; i++)
        if (strcmp(calls[i].name, name) == 0)
            return i;
    return -1;
}

/* each function of a header that returns a status, with each of its pointers; returns how many */
static int check_header(const char *path, const char *text)
{
    char name[64];
    int found = 0;
    for (const char *at = text; (at = strstr(at, "\nlb_status ")) != NULL; at++) {
        // lb_error_set returns the status that it is given, with or without an error to fill
        if (sscanf(at, "\nlb_status %63[a-z0-9_](", name) != 1 || strcmp(name, "lb_error_set") == 0)
            continue;
        found++;
        int call = find_call(name), wanted = count_pointers(strchr(at, '('));
        if (call < 0)
            fail_msg("%s: %s is not tried with NULL", path, name);
        int pointers = try_pointers(call);
        if (pointers != wanted)
            fail_msg("%s: %s has %d pointers, of which %d are tried", path, name, wanted, pointers);
    }
    return found;
}

TEST(each_pointer_alone_is_refused_or_allowed)
{
    assert_int_equal(headers_check(check_header), COUNT);
}
