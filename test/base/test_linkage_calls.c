/*
 * test_linkage_calls.c - every public function that takes a model, with a linkage that closes: it
 * keeps the loops closed, or refuses, or takes what it is given and computes no configuration.
 *
 * That no function is forgotten is seen in the headers themselves.
 */
#include <math.h>

#include <limber/derivation.h>
#include <limber/elbow.h>
#include <limber/formats/joint_limits.h>
#include <limber/formats/json.h>
#include <limber/formats/load.h>
#include <limber/gait.h>
#include <limber/placement.h>
#include <limber/timing.h>

#include "headers.h"
#include "owned.h"
#include "support.h"

/* ---- a four-bar -------------------------------------------------------------- */

/* Its rocker's end, whose reach is an arc of a circle of 2.5 m about (3, 0), and its assembly. */
typedef struct bars {
    lb_model *model;
    lb_assembly *assembly;
    lb_task task;
    double rest[3];
    double low, high; /* of the rocker's angle */
    lb_error error;
} bars;

enum { CRANK, PIN, PIVOT };

static void start_bars(bars *b)
{
    // where crank and coupler are in line its end is 4 m or 2 m from the crank's axis
    *b = (bars){.low = LB_PI - acos((9 + 6.25 - 16) / 15),
                .high = LB_PI - acos((9 + 6.25 - 4) / 15)};
    assert_int_equal(lb_load("four_bar", NULL, &b->model, &b->error), LB_OK);
    assert_int_equal(lb_assembly_create(b->model, NULL, 0, NULL, &b->assembly, &b->error), LB_OK);
    b->task = lb_task_make(lb_model_find_link(b->model, "rocker"), 0, LB_TASK_POSITION);
    b->task.tool.p.x = 2.5;
    memcpy(b->rest, lb_assembly_rest(b->assembly), sizeof b->rest);
}

static void end_bars(bars *b)
{
    lb_assembly_release(b->assembly);
    lb_model_release(b->model);
}

/* by its own trigonometry, in metres */
static double open_by(const double *q)
{
    double pin = q[CRANK] + q[PIN];
    double x = cos(q[CRANK]) + 3 * cos(pin) - 3 - 2.5 * cos(q[PIVOT]);
    double y = sin(q[CRANK]) + 3 * sin(pin) - 2.5 * sin(q[PIVOT]);
    return hypot(x, y);
}

static void assert_closed(const double *q)
{
    if (!(open_by(q) < 1e-11))
        fail_msg("the loop is open by %g m", open_by(q));
}

static lb_transform rocker_end(double pivot)
{
    return lb_transform_translation(3 + 2.5 * cos(pivot), 2.5 * sin(pivot), 0);
}

/* where the rocker's end is at an angle of the crank */
static lb_transform place_at(const bars *b, double crank)
{
    double q[3] = {crank, b->rest[1], b->rest[2]};
    assert_int_equal(lb_assembly_follow(b->assembly, b->rest, q, q, NULL), LB_ASSEMBLED);
    return rocker_end(q[PIVOT]);
}

/* whether the rocker's end can be within so far of a point, on either assembly */
static bool is_reachable(const bars *b, double x, double y, double near)
{
    double angle = fabs(atan2(y, x - 3)), room = near / 2.5;
    return fabs(hypot(x - 3, y) - 2.5) <= near && angle >= b->low - room && angle <= b->high + room;
}

static void assert_loop_refused(const bars *b, lb_status status)
{
    assert_int_equal(status, LB_UNSUPPORTED);
    if (strstr(b->error.message, "loop 'elbow'") == NULL || !strstr(b->error.message, "lb_ik"))
        fail_msg("the message names no loop and no remedy: %s", b->error.message);
}

/* ---- what keeps loops closed ---------------------------------------------------- */

static void call_lb_assembly_create(bars *b)
{
    assert_int_equal(lb_assembly_mobility(b->assembly).found, 1);
    assert_closed(lb_assembly_rest(b->assembly));
}

static void call_lb_ik_create(bars *b)
{
    owned_ik *ik = NULL;
    double q[3];
    lb_transform target = place_at(b, 2);
    assert_int_equal(lb_ik_create(b->model, &b->task, 1, NULL, NULL, &ik, &b->error), LB_OK);
    assert_int_equal(lb_ik_solve(ik, &target, b->rest, q, NULL), LB_REACHED);
    assert_closed(q);
    // in the tree's reach, not in the linkage's
    target = lb_transform_translation(5.5, 0, 0);
    assert_int_not_equal(lb_ik_solve(ik, &target, b->rest, q, NULL), LB_REACHED);
    assert_closed(q);
}

static void call_lb_body_create(bars *b)
{
    owned_body *body = NULL;
    double q[3];
    lb_transform target = place_at(b, 2);
    lb_body_task task = lb_body_task_make(LB_BODY_POSITION, b->task.tip);
    task.tool = b->task.tool;
    assert_int_equal(lb_body_create(b->model, &task, 1, NULL, NULL, &body, &b->error), LB_OK);
    lb_body_set_target(body, 0, &target);
    assert_int_equal(lb_body_solve(body, b->rest, q, NULL), LB_REACHED);
    assert_closed(q);
}

/* an arc of the rocker's end; release it */
static lb_path *make_arc(const bars *b)
{
    lb_path *path = NULL;
    const lb_transform points[3] = {place_at(b, 1), place_at(b, 1.6), place_at(b, 2.2)};
    const lb_path_source source = {.kind = LB_PATH_ARC, .points = points, .count = 3};
    assert_int_equal(lb_path_create(&source, NULL, &path, NULL), LB_OK);
    return path;
}

static void call_lb_follower_create(bars *b)
{
    owned_path *path = make_arc(b);
    owned_follower *follower = NULL;
    // the coupler's end is the rocker's, and two joints of the tree move it
    b->task.tip = lb_model_find_link(b->model, "coupler");
    b->task.tool.p.x = 3;
    lb_follow how = lb_follow_default(b->task, path, 50);
    double q[3] = {b->rest[0], b->rest[1], b->rest[2]};
    lb_frame frame;
    int frames = 0;
    assert_int_equal(lb_follower_create(b->model, &how, NULL, &follower, &b->error), LB_OK);
    for (; lb_follower_next(follower, q, &frame); frames++) {
        assert_int_equal(frame.result.outcome, LB_REACHED);
        assert_false(frame.jumped && frames > 0);
        assert_closed(q);
        // one independent joint: no direction is harder than another
        assert_near(frame.condition, 1, 1e-9);
    }
    assert_int_equal(frames, 50);
    how.rate = 100;
    owned_follower *hurried = NULL;
    assert_int_equal(lb_follower_create(b->model, &how, NULL, &hurried, &b->error), LB_UNSUPPORTED);
}

static void call_lb_timing_make(bars *b)
{
    owned_path *path = make_arc(b);
    owned_clip *clip = NULL;
    lb_timing how = lb_timing_default(b->task, path);
    lb_timing_result result;
    assert_int_equal(lb_timing_make(b->model, &how, b->rest, NULL, &clip, &result, &b->error),
                     LB_OK);
    assert_non_null(clip);
    for (int i = 0; i < lb_clip_count(clip); i++)
        assert_true(open_by(lb_clip_key(clip, i)) < 1e-6);
    // up to the end of the rocker's way, where the crank goes on with the root of what is left: a
    // spline that the loop does not keep to makes no clip
    double last = b->high - 1e-5;
    const lb_transform points[3] = {rocker_end(2), rocker_end(2.2), rocker_end(last)};
    const lb_path_source source = {.kind = LB_PATH_ARC, .points = points, .count = 3};
    owned_path *end = NULL;
    owned_clip *slow = NULL;
    assert_int_equal(lb_path_create(&source, NULL, &end, NULL), LB_OK);
    how = lb_timing_default(b->task, end);
    assert_int_equal(lb_timing_make(b->model, &how, b->rest, NULL, &slow, &result, &b->error),
                     LB_OK);
    double worst = 0;
    for (int i = 0; slow && i < lb_clip_count(slow); i++)
        worst = fmax(worst, open_by(lb_clip_key(slow, i)));
    assert_true(worst < 1e-6 && (slow != NULL || result.position_error > 1e-6));
}

static void call_lb_workspace_create(bars *b)
{
    owned_workspace *reach = NULL;
    lb_workspace_options options = {.cells = 20, .iterations = 10, .manipulability = true};
    assert_int_equal(lb_workspace_create(b->model, &b->task, &options, NULL, &reach, &b->error),
                     LB_OK);
    // metres per radian of the crank, not the rocker's own 2.5
    double fastest = 0;
    for (int i = 0; i < 120; i++) {
        lb_transform here = place_at(b, i * LB_PI / 60), next = place_at(b, (i + 1) * LB_PI / 60);
        double moved = lb_vec3_length(lb_vec3_sub(next.p, here.p));
        fastest = fmax(fastest, moved / (LB_PI / 60));
    }
    assert_true(fastest < 2);
    lb_workspace_sample(reach, 2000);
    const lb_workspace_grid *grid = lb_workspace_get_grid(reach);
    int found = 0;
    for (int i = 0; i < grid->count[0]; i++)
        for (int j = 0; j < grid->count[1]; j++) {
            lb_workspace_cell cell = lb_workspace_at(reach, i, j, 0);
            found += cell.reached;
            if (cell.reached && !is_reachable(b, cell.center.x, cell.center.y, grid->cell))
                fail_msg("%g %g is not in reach", cell.center.x, cell.center.y);
            assert_true(!cell.reached || cell.manipulability > 0);
            assert_true(cell.manipulability <= fastest * 1.02);
        }
    assert_true(found > 20);
    // all centres lie beside the arc: a tree of two links reaches hundreds of them
    lb_workspace_solve(reach, 0, lb_workspace_count(reach));
    assert_true(lb_workspace_measure(reach).reachable_cells < 5);
}

static void call_lb_reach_map_create(bars *b)
{
    lb_reach_map *map;
    assert_int_equal(lb_reach_map_create(b->model, &b->task, NULL, NULL, &map, &b->error),
                     LB_UNSUPPORTED);
}

static void call_lb_placement_create(bars *b)
{
    lb_placement *placement = NULL;
    const lb_placement_options options = {.cell = 0.5, .turns = 1};
    const lb_transform target = lb_transform_translation(0, 0, 0);
    int reached = 0;
    b->task.base = LB_WORLD;
    assert_int_equal(
        lb_placement_create(b->model, &b->task, &target, 1, &options, NULL, &placement, &b->error),
        LB_OK);
    for (size_t i = 0; i < lb_placement_count(placement); i++) {
        lb_place place = lb_placement_solve(placement, i);
        reached += place.reached;
        if (place.reached && !is_reachable(b, -place.robot.p.x, -place.robot.p.y, 1e-5))
            fail_msg("from %g %g it is not in reach", place.robot.p.x, place.robot.p.y);
    }
    lb_placement_release(placement);
    // of a lattice few places are on an arc; the rocker alone has a place for each 2.5 m of it
    assert_true(reached < 20);
}

static void call_lb_collision_create(bars *b)
{
    owned_collision *collision = NULL;
    lb_collision_options options = lb_collision_options_default();
    const lb_geometry ball = {LB_SHAPE_SPHERE, LB_TRANSFORM_IDENTITY, {0.2, 0, 0}, NULL, {0}};
    lb_link_shape shapes[3];
    for (int i = 0; i < 3; i++)
        shapes[i] = (lb_link_shape){i + 1, ball};
    // on the coupler near the loop, and on the rocker
    shapes[1].geometry.origin.p.x = 2.9;
    shapes[2].geometry.origin.p.x = 1.25;
    options.stand_ins = shapes;
    options.stand_in_count = 3;
    options.always = 0.9;
    assert_int_equal(lb_collision_create(b->model, NULL, &options, NULL, &collision, &b->error),
                     LB_OK);
    for (int i = 0, x, y; i < lb_collision_pair_count(collision); i++) {
        lb_pair_state state = lb_collision_pair_at(collision, i, &x, &y);
        assert_int_equal(state, x == 2 || y == 2 ? LB_PAIR_ADJACENT : LB_PAIR_CHECKED);
    }
    assert_int_equal(lb_collision_pair_count(collision), 3);
    // the rocker's end comes near the crank's in the open tree alone
    shapes[0].geometry.origin.p.x = 0.9;
    shapes[2].geometry.origin.p.x = 2.5;
    options.skip_never = true;
    owned_collision *second = NULL;
    assert_int_equal(lb_collision_create(b->model, NULL, &options, NULL, &second, &b->error),
                     LB_OK);
    for (int i = 0, x, y; i < 3; i++)
        if (lb_collision_pair_at(second, i, &x, &y) != LB_PAIR_ADJACENT)
            assert_int_equal(lb_collision_pair_at(second, i, &x, &y), LB_PAIR_NEVER);
}

/* every joint locked: no loop moves anything */
static void lock_all(lb_joint_setting locked[3])
{
    for (int i = 0; i < 3; i++) {
        locked[i] = lb_joint_setting_make(i);
        locked[i].locked = true;
    }
}

/* ---- what refuses ---------------------------------------------------------------- */

static void call_lb_solutions_create(bars *b)
{
    owned_solutions *solver = NULL;
    b->task.tip = lb_model_find_link(b->model, "coupler");
    assert_loop_refused(b, lb_solutions_create(b->model, &b->task, NULL, NULL, &solver, &b->error));
    // with the loop's joints locked the tree is all that there is
    lb_joint_setting locked[3];
    lock_all(locked);
    lb_solutions_options options = lb_solutions_options_default();
    options.joints = locked;
    options.joint_count = 3;
    lb_status status = lb_solutions_create(b->model, &b->task, &options, NULL, &solver, &b->error);
    assert_true(status == LB_OK || strstr(b->error.message, "loop") == NULL);
}

static void call_lb_elbow_create(bars *b)
{
    lb_elbow *elbow;
    b->task.kind = LB_TASK_POSE;
    assert_loop_refused(b, lb_elbow_create(b->model, &b->task, NULL, &elbow, &b->error));
}

static void ignore_line(void *user, const lb_derivation_line *line)
{
    (void)user;
    (void)line;
}

static void call_lb_derive(bars *b)
{
    const lb_transform target = LB_TRANSFORM_IDENTITY;
    assert_int_equal(
        lb_derive(b->model, &b->task, NULL, &target, b->rest, ignore_line, NULL, &b->error),
        LB_UNSUPPORTED);
    assert_non_null(strstr(b->error.message, "has loops"));
}

static void call_lb_servo_create(bars *b)
{
    owned_servo *servo = NULL;
    assert_loop_refused(b, lb_servo_create(b->model, &b->task, NULL, NULL, &servo, &b->error));
    assert_loop_refused(b, lb_servo_create(b->model, NULL, NULL, NULL, &servo, &b->error));
    // it moves nothing of the loop
    lb_servo_options options = lb_servo_options_default();
    lb_joint_setting locked[3];
    lock_all(locked);
    options.joints = locked;
    options.joint_count = 3;
    assert_int_equal(lb_servo_create(b->model, NULL, &options, NULL, &servo, &b->error), LB_OK);
}

/* ---- what makes another model or a file ----------------------------------------- */

static void assert_has_loop(const lb_model *model)
{
    assert_non_null(model);
    assert_int_equal(lb_model_loop_count(model), 1);
    assert_string_equal(lb_model_loop(model, 0)->first, "coupler");
}

static void call_lb_model_view(bars *b)
{
    owned_model *view = NULL;
    lb_joint_setting setting = lb_joint_setting_make(0);
    lb_model_view(b->model, &setting, 1, NULL, &view, &b->error);
    assert_has_loop(view);
}

static void call_lb_model_with_root(bars *b)
{
    owned_model *moved = NULL;
    lb_model_with_root(b->model, LB_JOINT_FLOATING, NULL, &moved, &b->error);
    assert_has_loop(moved);
}

static void call_lb_model_with_limits(bars *b)
{
    owned_model *view = NULL;
    lb_joint_limit limits[3];
    for (int i = 0; i < 3; i++)
        limits[i] = (lb_joint_limit){-9, 9, 1, 1, INFINITY};
    lb_model_with_limits(b->model, limits, NULL, &view, &b->error);
    assert_has_loop(view);
}

static void call_lb_json_write(bars *b)
{
    owned_model *read = NULL;
    owned char *text = NULL;
    assert_int_equal(lb_json_write(b->model, NULL, &text, &b->error), LB_OK);
    lb_load_memory("bars.json", text, strlen(text), NULL, &read, &b->error);
    assert_has_loop(read);
}

/* ---- the list --------------------------------------------------------------------- */

#define CALLS(X)                                                                                   \
    X(lb_assembly_create)                                                                          \
    X(lb_ik_create)                                                                                \
    X(lb_body_create)                                                                              \
    X(lb_follower_create)                                                                          \
    X(lb_timing_make)                                                                              \
    X(lb_workspace_create)                                                                         \
    X(lb_reach_map_create)                                                                         \
    X(lb_placement_create)                                                                         \
    X(lb_collision_create)                                                                         \
    X(lb_solutions_create)                                                                         \
    X(lb_elbow_create)                                                                             \
    X(lb_derive)                                                                                   \
    X(lb_servo_create)                                                                             \
    X(lb_model_view)                                                                               \
    X(lb_model_with_root)                                                                          \
    X(lb_model_with_limits)                                                                        \
    X(lb_json_write)

#define ROW(function) {#function, call_##function},
static const struct {
    const char *name;
    void (*call)(bars *b);
} calls[] = {CALLS(ROW)};

#define CALL_TEST(function)                                                                        \
    TEST(function##_keeps_loops_or_refuses)                                                        \
    {                                                                                              \
        bars b;                                                                                    \
        start_bars(&b);                                                                            \
        call_##function(&b);                                                                       \
        end_bars(&b);                                                                              \
    }
CALLS(CALL_TEST)

/* The rest, and why no loop can be broken. */
static const struct {
    const char *why, *names;
} others[] = {
    {"tells what the model is", //
     " lb_model_name lb_model_root lb_model_link_count lb_model_joint_count lb_model_nq "
     "lb_model_nv "
     "lb_model_link lb_model_joint lb_model_loop_count lb_model_loop lb_model_find_link "
     "lb_model_find_joint lb_model_parent lb_model_first_child lb_model_next_sibling "
     "lb_model_joint_q lb_model_joint_v lb_model_joint_mimic lb_model_tips lb_model_default_tips "
     "lb_rig_find lb_rig_soles lb_rig_soles_by_looks lb_retarget_map_find "
     "lb_looks_needed lb_looks_load lb_motion_kind_for "},
    {"takes configurations as they are, of which the headers say that loops are not read",
     " lb_state_create lb_fk_batch_create lb_clip_create lb_clip_generate lb_draw lb_draw_tree "
     "lb_draw_workspace lb_configuration_neutral lb_configuration_random "
     "lb_configuration_integrate lb_configuration_difference lb_configuration_interpolate "
     "lb_configuration_clamp lb_configuration_validate "},
    {"reads or writes what a file holds",
     " lb_clip_json_load_memory lb_clip_json_load_document lb_joint_limits_load "
     "lb_joint_limits_load_memory lb_document_joint_limits lb_mesh_list_load "
     "lb_retarget_map_load lb_retarget_map_load_memory lb_retarget_map_load_document "
     "lb_retarget_map_write lb_contacts_load lb_contacts_load_memory lb_contacts_load_document "
     "lb_contacts_write lb_robot_csv_load_memory lb_robot_npz_load lb_robot_npz_load_memory "
     "lb_srdf_load lb_document_srdf lb_robot_npz_load_document lb_robot_csv_load_document "
     "lb_robot_npz_load_files "},
    {"moves figures by lb_body: test_linkage_figure.c",
     " lb_retarget lb_retarget_slow lb_retarget_stream_create lb_gait_walk "},
};

static bool is_listed(const char *name)
{
    char word[80];
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, name) == 0)
            return true;
    snprintf(word, sizeof word, " %s ", name);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(others[i].names, word) != NULL)
            return true;
    return false;
}

/* the functions of a header that have a model among their parameters; returns how many */
static int check_header(const char *path, const char *text)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, "const lb_model *")) != NULL; at++) {
        const char *open = at;
        char name[64];
        while (open > text && strchr("(;{}", *open) == NULL)
            open--;
        const char *begin = open;
        while (begin > text && (begin[-1] == '_' || (begin[-1] >= 'a' && begin[-1] <= 'z')))
            begin--;
        if (*open != '(' || sscanf(begin, "%63[a-z_]", name) != 1 || strncmp(name, "lb_", 3) != 0)
            continue;
        found++;
        if (!is_listed(name))
            fail_msg("%s: what does %s with a model that has loops?", path, name);
    }
    return found;
}

TEST(every_function_that_takes_a_model_is_listed)
{
    const int found = headers_check(check_header);
    assert_true(found > 70);
}
