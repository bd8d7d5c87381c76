/*
 * test_null.c - every public function that returns a status refuses NULL (base.h).
 *
 * All pointers are NULL here, all numbers zero. That no function is forgotten is seen in the
 * headers themselves.
 */
#include <dirent.h>
#include <limber/figures/draw.h>
#include <limber/figures/draw_reach.h>
#include <limber/figures/strip.h>
#include <limber/formats/bvh.h>
#include <limber/formats/clip_json.h>
#include <limber/formats/document.h>
#include <limber/formats/gltf.h>
#include <limber/formats/joint_limits.h>
#include <limber/formats/json.h>
#include <limber/formats/load.h>
#include <limber/formats/looks.h>
#include <limber/formats/mesh.h>
#include <limber/formats/motion_json.h>
#include <limber/formats/robot_csv.h>
#include <limber/formats/robot_npz.h>
#include <limber/formats/scene.h>
#include <limber/formats/srdf.h>
#include <limber/limber.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* clang-format off: a line for each */
#define CALLS(X)                                                                                   \
    X(lb_body_create, NULL, NULL, 0, NULL, NULL, NULL, NULL)                                       \
    X(lb_body_set_target, NULL, 0, NULL)                                                           \
    X(lb_body_set_point, NULL, 0, lb_vec3_make(0, 0, 0))                                           \
    X(lb_body_set_value, NULL, 0, NULL)                                                            \
    X(lb_body_set_weight, NULL, 0, 0)                                                              \
    X(lb_body_hold, NULL, 0, NULL)                                                                 \
    X(lb_body_set_posture, NULL, NULL)                                                             \
    X(lb_body_set_limits, NULL, 0, 0, 0, 0)                                                        \
    X(lb_body_set_speed, NULL, 0, 0, 0)                                                            \
    X(lb_clip_check, NULL, NULL, NULL, NULL, NULL, NULL, NULL)                                     \
    X(lb_clip_check_pairs, NULL, NULL, 0, NULL, NULL, NULL)                                        \
    X(lb_clip_create, NULL, NULL, NULL, 0, 0, NULL, NULL, NULL)                                    \
    X(lb_clip_generate, NULL, 0, NULL, NULL, 0, NULL, NULL, NULL)                                  \
    X(lb_clip_resample, NULL, 0, NULL, NULL, NULL)                                                 \
    X(lb_clip_even, NULL, 0, NULL, NULL, NULL)                                                     \
    X(lb_clip_slice, NULL, 0, 0, NULL, NULL, NULL)                                                 \
    X(lb_clip_retime, NULL, 0, 0, NULL, NULL, NULL)                                                \
    X(lb_clip_blend, NULL, NULL, 0, 0, NULL, NULL, NULL)                                           \
    X(lb_clip_mirror, NULL, NULL, NULL, NULL)                                                      \
    X(lb_clip_loop, NULL, 0, 0, NULL, NULL, NULL)                                                  \
    X(lb_collision_create, NULL, NULL, NULL, NULL, NULL, NULL)                                     \
    X(lb_contacts_create, NULL, 0, NULL, NULL, NULL)                                               \
    X(lb_contacts_add, NULL, 0, 0, 0, NULL)                                                        \
    X(lb_contacts_cut, NULL, 0, 0, 0, NULL)                                                        \
    X(lb_contacts_shift, NULL, 0, NULL)                                                            \
    X(lb_contacts_move, NULL, 0, NULL, NULL)                                                       \
    X(lb_contacts_detect, NULL, NULL, NULL, NULL)                                                  \
    X(lb_contacts_measure_heights, NULL, NULL, NULL, NULL)                                         \
    X(lb_contacts_find_ground, NULL, NULL, NULL, NULL)                                             \
    X(lb_elbow_create, NULL, NULL, NULL, NULL, NULL)                                               \
    X(lb_draw, NULL, NULL, NULL, NULL)                                                             \
    X(lb_draw_tree, NULL, NULL, NULL, NULL)                                                        \
    X(lb_draw_workspace, NULL, NULL, NULL, NULL)                                                   \
    X(lb_draw_reach, NULL, NULL, NULL)                                                             \
    X(lb_draw_strip, NULL, NULL, NULL)                                                             \
    X(lb_draw_animation, NULL, NULL, NULL)                                                         \
    X(lb_fk_batch_create, NULL, NULL, NULL, NULL)                                                  \
    X(lb_bvh_load, NULL, NULL, NULL, NULL)                                                         \
    X(lb_bvh_load_memory, NULL, NULL, 0, NULL, NULL, NULL)                                         \
    X(lb_bvh_make, NULL, NULL, NULL, NULL)                                                         \
    X(lb_bvh_write, NULL, NULL, NULL, NULL, NULL, NULL)                                            \
    X(lb_clip_json_load, NULL, NULL, NULL, NULL, NULL)                                             \
    X(lb_clip_json_load_memory, NULL, NULL, 0, NULL, NULL, NULL, NULL)                             \
    X(lb_clip_json_load_document, NULL, NULL, NULL, NULL, NULL, NULL)                              \
    X(lb_clip_json_write, NULL, NULL, NULL, NULL)                                                  \
    X(lb_document_create, NULL, NULL)                                                              \
    X(lb_document_add, NULL, 0, NULL, NULL, 0, 0)                                                  \
    X(lb_document_model, NULL, NULL, NULL, NULL, NULL)                                             \
    X(lb_gltf_load, NULL, NULL, NULL, NULL)                                                        \
    X(lb_gltf_load_memory, NULL, NULL, 0, NULL, NULL, NULL)                                        \
    X(lb_gltf_split, NULL, NULL, 0, NULL, NULL)                                                    \
    X(lb_gltf_load_document, NULL, NULL, NULL, NULL, NULL, NULL)                                   \
    X(lb_gltf_looks_create, NULL, NULL, NULL, NULL)                                                \
    X(lb_gltf_clip, NULL, 0, NULL, NULL, NULL)                                                     \
    X(lb_gltf_write, NULL, NULL, 0, NULL, NULL, NULL, NULL)                                        \
    X(lb_joint_limits_load, NULL, NULL, NULL, NULL, NULL)                                          \
    X(lb_joint_limits_load_memory, NULL, NULL, 0, NULL, NULL, NULL, NULL)                          \
    X(lb_document_joint_limits, NULL, NULL, NULL, NULL, NULL, NULL)                                \
    X(lb_json_write, NULL, NULL, NULL, NULL)                                                       \
    X(lb_load, NULL, NULL, NULL, NULL)                                                             \
    X(lb_load_memory, NULL, NULL, 0, NULL, NULL, NULL)                                             \
    X(lb_load_with_options, NULL, NULL, NULL, NULL)                                                \
    X(lb_load_memory_with_options, NULL, NULL, 0, NULL, NULL, NULL)                                \
    X(lb_looks_load, NULL, NULL, NULL, NULL, NULL, NULL)                                           \
    X(lb_mesh_list_load, NULL, NULL, NULL, NULL, NULL, NULL)                                       \
    X(lb_retarget_map_load, NULL, NULL, NULL, NULL, NULL, NULL)                                    \
    X(lb_retarget_map_load_memory, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL)                    \
    X(lb_retarget_map_load_document, NULL, NULL, NULL, NULL, NULL, NULL, NULL)                     \
    X(lb_retarget_map_write, NULL, NULL, NULL, NULL, NULL, NULL)                                   \
    X(lb_contacts_load, NULL, NULL, NULL, NULL, NULL)                                              \
    X(lb_contacts_load_memory, NULL, NULL, 0, NULL, NULL, NULL, NULL)                              \
    X(lb_contacts_load_document, NULL, NULL, NULL, NULL, NULL, NULL)                               \
    X(lb_contacts_write, NULL, NULL, NULL, NULL, NULL)                                             \
    X(lb_robot_csv_load, NULL, NULL, NULL, NULL, NULL)                                             \
    X(lb_robot_csv_load_memory, NULL, NULL, 0, NULL, NULL, NULL, NULL)                             \
    X(lb_robot_csv_write, NULL, 0, NULL, NULL, NULL)                                               \
    X(lb_robot_npz_load, NULL, NULL, NULL, NULL, NULL)                                             \
    X(lb_robot_npz_load_memory, NULL, NULL, 0, NULL, NULL, NULL, NULL)                             \
    X(lb_robot_npz_write, NULL, NULL, NULL, NULL, NULL)                                            \
    X(lb_robot_npz_load_files, NULL, NULL, 0, NULL, NULL, NULL, NULL)                              \
    X(lb_robot_npz_write_files, NULL, NULL, NULL, NULL, NULL)                                      \
    X(lb_scene_load, NULL, NULL, NULL, NULL)                                                       \
    X(lb_document_scene, NULL, NULL, NULL, NULL, NULL)                                             \
    X(lb_srdf_load, NULL, NULL, NULL, NULL, NULL)                                                  \
    X(lb_document_srdf, NULL, NULL, NULL, NULL, NULL, NULL)                                        \
    X(lb_gait_walk, NULL, NULL, NULL, NULL, NULL, NULL)                                            \
    X(lb_ik_create, NULL, NULL, 0, NULL, NULL, NULL, NULL)                                         \
    X(lb_model_view, NULL, NULL, 0, NULL, NULL, NULL)                                              \
    X(lb_state_create, NULL, NULL, NULL)                                                           \
    X(lb_state_singularity, NULL, 0, lb_vec3_make(0, 0, 0), 0, 0, NULL)                            \
    X(lb_model_from_dh, NULL, NULL, 0, 0, NULL, NULL, NULL)                                        \
    X(lb_model_build, NULL, NULL, NULL, NULL)                                                      \
    X(lb_model_with_root, NULL, 0, NULL, NULL, NULL)                                               \
    X(lb_model_default_tips, NULL, NULL, NULL, NULL)                                               \
    X(lb_configuration_validate, NULL, NULL, 0, NULL)                                              \
    X(lb_path_create, NULL, NULL, NULL, NULL)                                                      \
    X(lb_follower_create, NULL, NULL, NULL, NULL, NULL)                                            \
    X(lb_placement_create, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL)                            \
    X(lb_reach_map_create, NULL, NULL, NULL, NULL, NULL, NULL)                                     \
    X(lb_rig_find, NULL, NULL, NULL, NULL)                                                         \
    X(lb_rig_soles, NULL, NULL, NULL, NULL, NULL)                                                  \
    X(lb_rig_soles_by_looks, NULL, NULL, NULL, NULL, NULL, NULL, NULL)                             \
    X(lb_rig_contacts_by_looks, NULL, NULL, NULL, 0, lb_vec3_make(0, 0, 0), NULL, NULL, NULL,      \
      NULL)                                                                                        \
    X(lb_rig_contacts, NULL, NULL, 0, lb_vec3_make(0, 0, 0), NULL, NULL, NULL, NULL)               \
    X(lb_retarget_map_find, NULL, NULL, NULL, NULL, NULL, NULL)                                    \
    X(lb_retarget, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)                                 \
    X(lb_retarget_slow, NULL, NULL, NULL, NULL, NULL, NULL, NULL)                                  \
    X(lb_solutions_create, NULL, NULL, NULL, NULL, NULL, NULL)                                     \
    X(lb_timing_make, NULL, NULL, NULL, NULL, NULL, NULL, NULL)                                    \
    X(lb_workspace_create, NULL, NULL, NULL, NULL, NULL, NULL)                                     \
    X(lb_workspace_merge, NULL, NULL)
/* clang-format on */

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

static void null_is_refused(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        lb_status status = calls[i].call();
        if (status != LB_INVALID_ARGUMENT)
            fail_msg("%s(NULL ...) returns %s", calls[i].name, lb_status_text(status));
    }
}

static bool is_called(const char *name)
{
    for (int i = 0; i < COUNT; i++)
        if (strcmp(calls[i].name, name) == 0)
            return true;
    return false;
}

/* the number of functions that return a status in a header; each must be among the calls */
static int check_header(const char *path)
{
    char line[256], name[64];
    int found = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        // lb_error_set returns the status that it is given, with or without an error to fill
        if (sscanf(line, "lb_status %63[a-z0-9_](", name) == 1 &&
            strcmp(name, "lb_error_set") != 0) {
            found++;
            if (!is_called(name))
                fail_msg("%s: %s is not tried with NULL", path, name);
        }
    fclose(file);
    return found;
}

static void no_function_is_forgotten(void **state)
{
    (void)state;
    static const char *const folders[] = {"", "/formats", "/figures"};
    int found = 0;
    for (int i = 0; i < 3; i++) {
        char folder[1024], path[2048];
        snprintf(folder, sizeof folder, "%s/include/limber%s", LIMBER_SOURCE_DIR, folders[i]);
        DIR *directory = opendir(folder);
        assert_non_null(directory);
        for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
            if (strstr(entry->d_name, ".h") != NULL) {
                snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
                found += check_header(path);
            }
        closedir(directory);
    }
    assert_int_equal(found, COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_is_refused),
        cmocka_unit_test(no_function_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
