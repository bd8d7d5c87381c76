/*
 * test_arguments.c - NULL and indices out of range, for every public function that promises
 * something about them (base.h).
 *
 * Functions without a status assert in debug builds, so their indices are tried in release
 * builds alone.
 */
#include <limber/collision.h>
#include <limber/figures/draw.h>
#include <limber/fk_batch.h>
#include <limber/formats/json.h>
#include <limber/formats/load.h>
#include <limber/motion.h>
#include <limber/reach_map.h>
#include <limber/solutions.h>
#include <limits.h>

#include "support.h"

static lb_model *model;
static lb_state *state;
static lb_error error;

/* no link, joint, key or row has one of these */
static const int bad[] = {-2, -1000, INT_MIN, 1 << 20, 1 << 30, INT_MAX};
enum { BAD = sizeof bad / sizeof *bad };

/* a call that must be refused; `place`, where what it makes would go, then has NULL */
static void refused(lb_status status, const void *place)
{
    void *made = NULL;
    assert_int_equal(status, LB_INVALID_ARGUMENT);
    if (place)
        memcpy(&made, place, sizeof made);
    assert_null(made);
}

/* the same, and the error says which argument */
static void refused_by_name(lb_status status, const void *place, const char *name)
{
    refused(status, place);
    assert_int_equal(error.status, LB_INVALID_ARGUMENT);
    if (!strstr(error.message, name))
        fail_msg("'%s' does not name %s", error.message, name);
    error = (lb_error){0};
}

static int start(void)
{
    if (lb_load("panda", NULL, &model, NULL) != LB_OK)
        return 1;
    return lb_state_create(model, NULL, &state) != LB_OK;
}

static int end(void)
{
    lb_state_release(state);
    lb_model_release(model);
    return 0;
}

/* what a refused call must set to NULL begins as something else */
#define UNSET(type, name) type *name = (type *)(void *)&error

/* ---- NULL ---------------------------------------------------------------- */

TEST(models_refuse_null)
{
    UNSET(lb_model, out);
    lb_dh_row row = lb_dh_row_default();
    refused(lb_model_from_dh("a", NULL, 1, false, NULL, &out, &error), &out);
    refused_by_name(lb_model_from_dh("a", &row, 1, false, NULL, NULL, &error), NULL, "model");
    out = (lb_model *)&row;
    refused(lb_model_from_dh("a", &row, 0, false, NULL, &out, NULL), &out);
    out = (lb_model *)&row;
    refused(lb_model_build(NULL, NULL, &out, &error), &out);
    refused(lb_model_build(NULL, NULL, NULL, NULL), NULL);
    double q[16] = {0};
    refused_by_name(lb_configuration_validate(NULL, q, 0, &error), NULL, "model");
    refused_by_name(lb_configuration_validate(model, NULL, 0, &error), NULL, "q");
    lb_model_release(NULL);
}

TEST(files_refuse_null)
{
    UNSET(lb_model, out);
    refused(lb_load(NULL, NULL, &out, &error), &out);
    refused(lb_load("panda", NULL, NULL, NULL), NULL);
    out = (lb_model *)&error;
    refused(lb_load_with_options(NULL, NULL, &out, NULL), &out);
    refused(lb_load_with_options("panda", NULL, NULL, &error), NULL);
    out = (lb_model *)&error;
    refused(lb_load_memory(NULL, "{}", 2, NULL, &out, &error), &out);
    out = (lb_model *)&error;
    refused(lb_load_memory("a", NULL, 2, NULL, &out, &error), &out);
    refused(lb_load_memory("a", "{}", 2, NULL, NULL, &error), NULL);
    out = (lb_model *)&error;
    refused(lb_load_memory_with_options("a", NULL, 2, NULL, &out, &error), &out);
    UNSET(lb_document, document);
    assert_int_equal(lb_document_create(NULL, NULL), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_document_add(NULL, LB_NODE_TRUE, NULL, NULL, 0, 0), LB_INVALID_ARGUMENT);
    lb_document_close(NULL);
    out = (lb_model *)&error;
    refused_by_name(lb_document_model(NULL, "", NULL, &out, &error), &out, "document");
    assert_int_equal(lb_document_create(NULL, &document), LB_OK);
    refused_by_name(lb_document_model(document, "", NULL, NULL, &error), NULL, "model");
    lb_document_release(document);
    UNSET(char, text);
    refused_by_name(lb_json_write(NULL, NULL, &text, &error), &text, "model");
    refused_by_name(lb_json_write(model, NULL, NULL, &error), NULL, "text");
    assert_null(lb_embedded_find(NULL));
}

TEST(kinematics_refuse_null)
{
    UNSET(lb_state, out);
    refused(lb_state_create(NULL, NULL, &out), &out);
    refused(lb_state_create(model, NULL, NULL), NULL);
    lb_singularity found;
    lb_vec3 origin = {0, 0, 0};
    refused(lb_state_singularity(NULL, 0, origin, 1, 0, &found), NULL);
    refused(lb_state_singularity(state, 0, origin, 1, 0, NULL), NULL);
    for (int i = 0; i < BAD; i++)
        refused(lb_state_singularity(state, bad[i], origin, 1, 0, &found), NULL);
    UNSET(lb_fk_batch, batch);
    refused(lb_fk_batch_create(NULL, NULL, NULL, &batch), &batch);
    refused(lb_fk_batch_create(model, NULL, NULL, NULL), NULL);
    for (int i = 0; i < BAD; i++) {
        lb_fk_batch_options options = lb_fk_batch_options_default();
        options.tip = bad[i];
        batch = (lb_fk_batch *)&error;
        refused(lb_fk_batch_create(model, &options, NULL, &batch), &batch);
        options = lb_fk_batch_options_default();
        options.links = &bad[i];
        options.link_count = 1;
        batch = (lb_fk_batch *)&error;
        refused(lb_fk_batch_create(model, &options, NULL, &batch), &batch);
    }
    lb_state_release(NULL);
    lb_fk_batch_release(NULL);
}

TEST(solvers_refuse_null)
{
    UNSET(lb_ik, out);
    lb_task task = lb_task_make(1, LB_WORLD, LB_TASK_POSE);
    refused_by_name(lb_ik_create(NULL, &task, 1, NULL, NULL, &out, &error), &out, "model");
    out = (lb_ik *)&error;
    refused_by_name(lb_ik_create(model, NULL, 1, NULL, NULL, &out, &error), &out, "tasks");
    refused_by_name(lb_ik_create(model, &task, 1, NULL, NULL, NULL, &error), NULL, "ik");
    for (int i = 0; i < BAD; i++) {
        lb_task wrong = task;
        wrong.tip = bad[i];
        out = (lb_ik *)&task;
        refused(lb_ik_create(model, &wrong, 1, NULL, NULL, &out, NULL), &out);
        wrong = task;
        wrong.base = bad[i];
        out = (lb_ik *)&task;
        refused(lb_ik_create(model, &wrong, 1, NULL, NULL, &out, NULL), &out);
    }
    out = (lb_ik *)&task;
    refused(lb_ik_create(model, &task, -1, NULL, NULL, &out, &error), &out);
    assert_null(lb_method_find(NULL));
    lb_ik_release(NULL);
}

TEST(motion_refuses_null)
{
    UNSET(lb_path, path);
    lb_path_source source = {.kind = LB_PATH_POLYLINE, .count = 2};
    refused_by_name(lb_path_create(NULL, NULL, &path, &error), &path, "source");
    path = (lb_path *)&error;
    refused_by_name(lb_path_create(&source, NULL, &path, &error), &path, "points");
    refused_by_name(lb_path_create(&source, NULL, NULL, &error), NULL, "path");
    lb_transform points[] = {LB_TRANSFORM_IDENTITY, lb_transform_translation(1, 0, 0)};
    source.points = points;
    assert_int_equal(lb_path_create(&source, NULL, &path, NULL), LB_OK);

    UNSET(lb_follower, follower);
    lb_follow how = lb_follow_default(lb_task_make(1, LB_WORLD, LB_TASK_POSE), path, 2);
    refused_by_name(lb_follower_create(NULL, &how, NULL, &follower, &error), &follower, "model");
    follower = (lb_follower *)&error;
    refused_by_name(lb_follower_create(model, NULL, NULL, &follower, &error), &follower, "how");
    refused(lb_follower_create(model, &how, NULL, NULL, NULL), NULL);
    how.path = NULL;
    follower = (lb_follower *)&error;
    refused(lb_follower_create(model, &how, NULL, &follower, &error), &follower);
    lb_path_release(path);

    UNSET(lb_clip, clip);
    double times[] = {0}, q[16] = {0};
    refused_by_name(lb_clip_create(NULL, times, q, 1, LB_INTERPOLATION_LINEAR, NULL, &clip, &error),
                    &clip, "model");
    clip = (lb_clip *)&error;
    refused_by_name(lb_clip_create(model, NULL, q, 1, LB_INTERPOLATION_LINEAR, NULL, &clip, &error),
                    &clip, "times");
    clip = (lb_clip *)&error;
    refused_by_name(
        lb_clip_create(model, times, NULL, 1, LB_INTERPOLATION_LINEAR, NULL, &clip, &error), &clip,
        "keys");
    refused(lb_clip_create(model, times, q, 1, LB_INTERPOLATION_LINEAR, NULL, NULL, &error), NULL);
    lb_path_release(NULL);
    lb_follower_release(NULL);
    lb_clip_release(NULL);
}

TEST(workspaces_refuse_null)
{
    UNSET(lb_workspace, out);
    lb_task task = lb_task_make(1, LB_WORLD, LB_TASK_POSE);
    refused_by_name(lb_workspace_create(NULL, &task, NULL, NULL, &out, &error), &out, "model");
    out = (lb_workspace *)&error;
    refused_by_name(lb_workspace_create(model, NULL, NULL, NULL, &out, &error), &out, "task");
    refused(lb_workspace_create(model, &task, NULL, NULL, NULL, NULL), NULL);
    for (int i = 0; i < BAD; i++) {
        task.tip = bad[i];
        out = (lb_workspace *)&task;
        refused(lb_workspace_create(model, &task, NULL, NULL, &out, NULL), &out);
    }
    lb_workspace_release(NULL);
}

TEST(figures_refuse_null)
{
    static const char path[] = "test_arguments.svg";
    lb_drawing drawing = lb_drawing_default();
    refused_by_name(lb_draw(NULL, &drawing, path, &error), NULL, "model");
    refused_by_name(lb_draw(model, NULL, path, &error), NULL, "drawing");
    refused_by_name(lb_draw(model, &drawing, NULL, &error), NULL, "path");
    drawing.pose_count = 1;
    refused_by_name(lb_draw(model, &drawing, path, &error), NULL, "poses");
    const lb_drawing_pose pose = {.strength = 1};
    drawing.poses = &pose;
    refused_by_name(lb_draw(model, &drawing, path, &error), NULL, "q is NULL");
    drawing.pose_count = -1;
    refused(lb_draw(model, &drawing, path, &error), NULL);
    drawing = lb_drawing_default();
    drawing.target_count = 1;
    refused_by_name(lb_draw(model, &drawing, path, &error), NULL, "targets");
    refused_by_name(lb_draw_tree(NULL, NULL, path, &error), NULL, "model");
    refused_by_name(lb_draw_tree(model, NULL, NULL, &error), NULL, "path");
    lb_workspace_drawing map = {0};
    refused_by_name(lb_draw_workspace(NULL, &map, path, &error), NULL, "model");
    refused_by_name(lb_draw_workspace(model, NULL, path, &error), NULL, "drawing");
    refused_by_name(lb_draw_workspace(model, &map, path, &error), NULL, "workspace");
}

/* ---- indices ------------------------------------------------------------- */

/* texts and tables */
TEST(numbers_of_nothing_have_texts)
{
    for (int i = 0; i < BAD; i++) {
        assert_non_null(lb_status_text((lb_status)bad[i]));
        assert_non_null(lb_joint_kind_text((lb_joint_kind)bad[i]));
        assert_int_equal(lb_joint_kind_nq((lb_joint_kind)bad[i]), 0);
        assert_int_equal(lb_joint_kind_nv((lb_joint_kind)bad[i]), 0);
        assert_non_null(lb_outcome_text((lb_outcome)bad[i]));
        assert_non_null(lb_reason_text((lb_reason)bad[i]));
        assert_non_null(lb_path_kind_text((lb_path_kind)bad[i]));
        assert_non_null(lb_interpolation_text((lb_interpolation)bad[i]));
        assert_null(lb_method_at(bad[i]));
        assert_null(lb_embedded_at(bad[i]));
        assert_null(lb_format_at(bad[i]));
    }
}

static void assert_identity(lb_transform t)
{
    const lb_transform identity = LB_TRANSFORM_IDENTITY;
    assert_memory_equal(&t, &identity, sizeof t);
}

TEST(indices_of_nothing_return_nothing)
{
#ifndef NDEBUG
    print_message("a debug build asserts: skipped\n");
    skip();
#endif
    const lb_vec3 p = {1, 2, 3};
    double jacobian[6 * 16];
    for (int i = 0; i < BAD; i++) {
        assert_null(lb_model_link(model, bad[i]));
        assert_null(lb_model_joint(model, bad[i]));
        assert_int_equal(lb_model_parent(model, bad[i]), -1);
        assert_int_equal(lb_model_first_child(model, bad[i]), -1);
        assert_int_equal(lb_model_next_sibling(model, bad[i]), -1);
        assert_int_equal(lb_model_joint_q(model, bad[i]), -1);
        assert_int_equal(lb_model_joint_v(model, bad[i]), -1);
        assert_int_equal(lb_model_joint_mimic(model, bad[i], NULL, NULL), -1);
        assert_identity(lb_state_transform(state, bad[i], 0));
        assert_identity(lb_state_transform(state, 0, bad[i]));
        lb_vec3 same = lb_state_point(state, bad[i], 1, p);
        assert_memory_equal(&same, &p, sizeof p);
        same = lb_state_direction(state, 1, bad[i], p);
        assert_memory_equal(&same, &p, sizeof p);
        jacobian[0] = 1;
        lb_state_jacobian(state, bad[i], p, LB_AXES_WORLD, jacobian);
        for (int k = 0; k < 6 * lb_model_nv(model); k++)
            assert_true(jacobian[k] == 0);
        lb_task task = lb_task_make(bad[i], LB_WORLD, LB_TASK_POSE);
        lb_transform target = LB_TRANSFORM_IDENTITY;
        double position, rotation;
        lb_task_error(state, &task, &target, &position, &rotation);
        assert_true(isinf(position) && isinf(rotation));
    }
    assert_int_equal(lb_model_find_link(model, NULL), LB_NO_LINK);
    assert_int_equal(lb_model_find_joint(model, NULL), -1);
}

/* a name that no link has is no link, and not the world either */
TEST(misspelt_links_are_refused)
{
    int none = lb_model_find_link(model, "panda_hnad");
    assert_int_equal(none, LB_NO_LINK);
    assert_true(none != LB_WORLD);
    lb_transform points[] = {LB_TRANSFORM_IDENTITY, lb_transform_translation(1, 0, 0)};
    lb_path_source source = {.kind = LB_PATH_POLYLINE, .points = points, .count = 2};
    owned_path *path = NULL;
    assert_int_equal(lb_path_create(&source, NULL, &path, NULL), LB_OK);
    for (int i = 0; i < 2; i++) {
        lb_task task =
            i ? lb_task_make(none, LB_WORLD, LB_TASK_POSE) : lb_task_make(8, none, LB_TASK_POSE);
        lb_ik *ik;
        lb_solutions_solver *solver;
        lb_workspace *workspace;
        lb_follower *follower;
        lb_follow how = lb_follow_default(task, path, 2);
        refused(lb_ik_create(model, &task, 1, NULL, NULL, &ik, &error), &ik);
        refused(lb_solutions_create(model, &task, NULL, NULL, &solver, &error), &solver);
        refused(lb_workspace_create(model, &task, NULL, NULL, &workspace, &error), &workspace);
        refused(lb_follower_create(model, &how, NULL, &follower, &error), &follower);
        lb_planar_reach ring;
        assert_false(lb_planar_reach_find(state, &task, &ring));
#ifdef NDEBUG
        lb_mobility mobility = lb_task_mobility(state, &task, NULL);
        assert_int_equal(mobility.joints + mobility.velocities + mobility.constraints, 0);
#endif
    }
}

TEST(cells_and_points_of_nothing_return_nothing)
{
#ifndef NDEBUG
    print_message("a debug build asserts: skipped\n");
    skip();
#endif
    owned_workspace *workspace = NULL;
    owned_path *path = NULL;
    lb_task task = lb_task_make(3, LB_WORLD, LB_TASK_POSITION);
    lb_transform points[] = {LB_TRANSFORM_IDENTITY, lb_transform_translation(1, 0, 0)};
    lb_path_source source = {.kind = LB_PATH_POLYLINE, .points = points, .count = 2};
    assert_int_equal(lb_workspace_create(model, &task, NULL, NULL, &workspace, NULL), LB_OK);
    assert_int_equal(lb_path_create(&source, NULL, &path, NULL), LB_OK);
    for (int i = 0; i < BAD; i++) {
        assert_int_equal(lb_workspace_at(workspace, bad[i], 0, 0).samples, 0);
        assert_int_equal(lb_workspace_at(workspace, 0, bad[i], 0).samples, 0);
        assert_int_equal(lb_workspace_at(workspace, 0, 0, bad[i]).samples, 0);
        assert_near(lb_path_share(path, bad[i]), bad[i] < 0 ? 0 : 1, 0);
    }
}

TEST(orientations_and_pairs_of_nothing_return_nothing)
{
#ifndef NDEBUG
    print_message("a debug build asserts: skipped\n");
    skip();
#endif
    owned_reach_map *map = NULL;
    owned_collision *collision = NULL;
    lb_task task = lb_task_make(8, LB_WORLD, LB_TASK_POSE);
    lb_reach_map_options options = lb_reach_map_options_default();
    options.orientations = 72;
    options.cell = 0.5;
    assert_int_equal(lb_reach_map_create(model, &task, &options, NULL, &map, NULL), LB_OK);
    assert_int_equal(lb_collision_create(model, NULL, NULL, NULL, &collision, NULL), LB_OK);
    int pairs = lb_collision_pair_count(collision);
    for (int i = 0; i <= BAD; i++) {
        const lb_quat none = LB_QUAT_IDENTITY;
        int a = 0, b = 0;
        lb_quat q = lb_reach_map_orientation(map, i < BAD ? bad[i] : 72);
        assert_memory_equal(&q, &none, sizeof q);
        assert_identity(lb_reach_map_target(map, 0, i < BAD ? bad[i] : 72));
        assert_int_equal(lb_collision_pair_at(collision, i < BAD ? bad[i] : pairs, &a, &b),
                         LB_PAIR_STATE_COUNT);
        assert_true(a == -1 && b == -1);
    }
    assert_int_equal(lb_reach_map_solve(map, SIZE_MAX, NULL).reached, 0);
}

TEST_FIXTURE(start, end)
