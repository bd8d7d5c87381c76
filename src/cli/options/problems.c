/*
 * problems.c - what inverse kinematics is given: the tool, paths, and targets each with its start.
 *
 * Two files are read in step. That they have different numbers of rows is found where one of them
 * ends; the other is then read to its end as well, for the message.
 */
#include "cli/options/targets.h"

#include "base/text.h"
#include "cli/options/models.h"
#include "cli/report/report.h"

#include <limits.h>
#include <string.h>

/* ---- tools --------------------------------------------------------------- */

static text_option tool_given, free_axis, free_position;

const struct poptOption free_options[] = {
    OPTION_TEXT("free-axis", free_axis, "\"X Y Z\"",
                "an axis of the tip about which it may turn freely"),
    OPTION_TEXT("free-position", free_position, "AXES",
                "axes of the target along which the tip may be anywhere: z for a line, xy for a "
                "plane"),
    OPTION_END,
};

const struct poptOption tool_options[] = {
    OPTION_TEXT("tool", tool_given, "\"X Y Z [R P Y]\"",
                "where the tool is in the tip's frame, in metres, with roll, pitch and yaw"),
    OPTION_TABLE(free_options),
    OPTION_END,
};

static bool read_free_axis(lb_task_kind kind, lb_task *task)
{
    const char *text = option_text(free_axis);
    if (text == NULL)
        return true;
    if (!argument_vector("--free-axis", text, "x y z", &task->free_axis))
        return false;
    if (kind == LB_TASK_POSITION)
        return complain("--free-axis: a target without a rotation leaves every axis free");
    task->free_axis = lb_vec3_normalize(task->free_axis, lb_vec3_make(0, 0, 0));
    if (!(lb_vec3_length(task->free_axis) > 0))
        return complain("--free-axis: an axis of length 0 is none");
    return true;
}

/* a set of letters, as a set of LB_FREE_X, LB_FREE_Y and LB_FREE_Z; 0: it is none */
static unsigned axes_of(const char *text)
{
    static const char letters[] = "xyz";
    unsigned axes = 0;
    for (; *text != '\0'; text++) {
        const char *letter = strchr(letters, *text);
        unsigned axis = letter != NULL ? 1u << (letter - letters) : 0;
        if (axis == 0 || (axes & axis) != 0)
            return 0;
        axes |= axis;
    }
    return axes;
}

static bool read_free_position(lb_task_kind kind, lb_task *task)
{
    const char *text = option_text(free_position);
    if (text == NULL)
        return true;
    task->free_position = axes_of(text);
    if (task->free_position == 0)
        return complain("--free-position: '%s' is not made of the letters x, y and z, each once",
                        text);
    if (kind == LB_TASK_ROTATION)
        return complain("--free-position: a target without a position leaves every axis free");
    if (task->free_position == (LB_FREE_X | LB_FREE_Y | LB_FREE_Z))
        return complain(
            "--free-position: with x, y and z free no position counts; give a rotation alone");
    return true;
}

/* where the tool is in the tip's frame */
static bool read_tool(lb_task *task)
{
    double n[6] = {0};
    const char *text = option_text(tool_given), *option = "--tool";
    int count = text == NULL ? 0 : argument_list(option, text, 6, n);
    if (count < 0)
        return false;
    if (count != 0 && count != 3 && count != 6)
        return complain("%s: \"%s\" has %d number%s instead of 3 or 6: \"x y z [roll pitch yaw]\"",
                        option, text, count, count == 1 ? "" : "s");
    angles_remark(option, n + 3, 3);
    lb_quat turn = lb_quat_from_rpy(n[3] * angle_unit(), n[4] * angle_unit(), n[5] * angle_unit());
    task->tool = lb_transform_from_quat(turn, lb_vec3_make(n[0], n[1], n[2]));
    return true;
}

bool tool_task(const lb_model *model, lb_task_kind kind, lb_task *task)
{
    return select_given_task(model, kind, task) && read_tool(task) && read_free_axis(kind, task) &&
           read_free_position(kind, task);
}

/* ---- paths --------------------------------------------------------------- */

static text_option to_given, path_file, start_given;
static name_option shape_given = {.names =
                                      (const char *const[]){LB_PATH_KIND_LIST(LIST_TEXT) NULL}};
static int closed_wanted;

const struct poptOption path_goal_options[] = {
    OPTION_TEXT("to", to_given, "\"X Y Z\"", "move in a straight line to this place"),
    OPTION_TABLE(rotation_options),
    OPTION_TEXT("path", path_file, "P.csv",
                "move through these places, a row each as the targets of limber ik; with "
                "rotations the tip is turned along"),
    OPTION_END,
};

const struct poptOption path_options[] = {
    OPTION_NAME("shape", shape_given, "NAME",
                "how the path leads through them: polyline (default), arc (the circle through "
                "three) or spline"),
    OPTION_FLAG("closed", closed_wanted, "the path goes on to where it began"),
    OPTION_TEXT("start", start_given, "\"JOINT=VALUE ...\"",
                "the pose before the first frame, as --at of limber fk; joints that are not named "
                "are at their default. Without it a --path begins where the arm can follow it "
                "farthest without a jump, of seven joints of what a search finds"),
    OPTION_END,
};

int paths_given(void)
{
    return (to_given != NULL) + (path_file != NULL);
}

bool paths_check_free_rotation(void)
{
    if (to_given == NULL)
        complain("--free-rotation has no effect without --to");
    return to_given != NULL && option_none_given(rotation_options, "with --free-rotation");
}

bool paths_check(void)
{
    return to_given != NULL || option_none_given(rotation_options, "without --to");
}

/* whether the arm has the joints to hold the tip's rotation on a line; says so where it has not */
static bool holds_rotation(const lb_state *state, const lb_task *task)
{
    lb_task pose = *task;
    pose.kind = LB_TASK_POSE;
    const lb_mobility m = lb_task_mobility(state, &pose, NULL);
    if (m.velocities < m.constraints)
        remark("the tip turns on the way: %d joint%s cannot hold its rotation on a line", m.joints,
               m.joints == 1 ? "" : "s");
    return m.velocities >= m.constraints;
}

/* from where the tool is at the start, straight to the goal */
static bool line_to_goal(const lb_model *model, const double *start, bool keeps_rotation,
                         lb_task *task, target_list *points)
{
    lb_vec3 goal;
    lb_quat rotation;
    bool turned;
    if (!argument_vector("--to", option_text(to_given), "x y z", &goal) ||
        !rotation_given(&turned, &rotation))
        return false;
    lb_state *state = state_or_exit(model);
    lb_state_update(state, start);
    points->targets = allocate_or_exit(2, sizeof *points->targets);
    points->count = 2;
    bool kept = !turned && keeps_rotation && holds_rotation(state, task);
    points->kind = turned || kept ? LB_TASK_POSE : LB_TASK_POSITION;
    points->targets[0] = lb_state_transform(state, task->base, task->tip);
    points->targets[0] = lb_transform_multiply(&points->targets[0], &task->tool);
    if (!turned)
        rotation = lb_transform_quat(&points->targets[0]);
    points->targets[1] = lb_transform_from_quat(rotation, goal);
    lb_state_release(state);
    return true;
}

static lb_path *make_path(const target_list *points)
{
    int kind = LB_PATH_POLYLINE;
    lb_path *path = NULL;
    if (!argument_name("--shape", &shape_given, &kind))
        return NULL;
    lb_path_source source = {.kind = (lb_path_kind)kind,
                             .points = points->targets,
                             .count = points->count,
                             .closed = closed_wanted};
    succeeds_for(path_file != NULL ? option_text(path_file) : "--to",
                 lb_path_create(&source, NULL, &path, why()));
    return path;
}

bool path_given(const lb_model *model, bool keeps_rotation, lb_task *task, path_choice *choice)
{
    target_list points = {0};
    *choice = (path_choice){.any_start = path_file != NULL && start_given == NULL};
    bool fine =
        tool_task(model, LB_TASK_POSE, task) &&
        start_from_text(model, option_text(start_given), &choice->start) &&
        (to_given != NULL ? line_to_goal(model, choice->start.q, keeps_rotation, task, &points)
                          : targets_from_file(option_text(path_file), &points));
    task->kind = points.kind;
    // axes are free in what the path gives
    if (fine && read_free_axis(points.kind, task) && read_free_position(points.kind, task))
        choice->path = make_path(&points);
    targets_release(&points);
    return choice->path != NULL;
}

void path_choice_release(path_choice *choice)
{
    lb_path_release(choice->path);
    poses_release(&choice->start);
    *choice = (path_choice){0};
}

/* ---- targets and their starts -------------------------------------------- */

bool problems_open(problem_source *source, const lb_model *model, const char *text,
                   const char *path)
{
    if (text != NULL && path != NULL)
        return complain("--start and --starts cannot both be given");
    source->shared = path == NULL;
    if (text != NULL)
        return start_from_text(model, text, &source->block_starts);
    if (path == NULL) {
        poses_neutral(model, &source->block_starts);
        return true;
    }
    if (strcmp(path, "-") == 0 && table_is_standard_input(&source->targets.table))
        return complain("--targets - and --starts - cannot both have standard input");
    return poses_open_file(&source->starts, model, path);
}

/* how many there are of each, when that is not the same number */
static int refuse_counts(problem_source *source)
{
    int targets, starts;
    do
        targets = targets_next(&source->targets, CSV_BLOCK, &source->block);
    while (targets > 0);
    if (targets < 0)
        return -1;
    do
        starts = poses_next(&source->starts, CSV_BLOCK, &source->block_starts);
    while (starts > 0);
    if (starts == 0)
        complain("%s: %d starts for %d target%s; one for each is wanted, or one for all",
                 source->starts.table.rows.path, source->starts.table.count, source->targets.count,
                 source->targets.count == 1 ? "" : "s");
    return -1;
}

int problems_next(problem_source *source)
{
    bool first = source->targets.count == 0;
    int targets = targets_next(&source->targets, source->most, &source->block);
    if (targets < 0 || source->shared)
        return targets;
    int starts = poses_next(&source->starts, source->most, &source->block_starts);
    if (starts < 0)
        return -1;

    /* a block of one row is all of the file; its end has the remarks */
    source->shared = first && starts == 1;
    if (source->shared)
        return poses_next(&source->starts, 1, &source->block_starts) < 0 ? -1 : targets;
    return starts == targets ? targets : refuse_counts(source);
}

bool problems_read_all(problem_source *source)
{
    source->most = INT_MAX;
    return problems_next(source) >= 0 && problems_next(source) >= 0;
}

void problems_close(problem_source *source)
{
    targets_close(&source->targets);
    poses_close(&source->starts);
    targets_release(&source->block);
    poses_release(&source->block_starts);
}
