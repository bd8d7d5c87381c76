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

static void read_free_axis(lb_task_kind kind, lb_task *task)
{
    const char *text = option_text(free_axis);
    if (text == NULL)
        return;
    lb_vec3 axis = argument_vector("--free-axis", text);
    if (kind == LB_TASK_POSITION)
        refuse("--free-axis: a target without a rotation leaves every axis free");
    task->free_axis = lb_vec3_normalize(axis, lb_vec3_make(0, 0, 0));
    if (!(lb_vec3_length(task->free_axis) > 0))
        refuse("--free-axis: an axis of length 0 is none");
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

static void read_free_position(lb_task_kind kind, lb_task *task)
{
    const char *text = option_text(free_position);
    if (text == NULL)
        return;
    task->free_position = axes_of(text);
    if (task->free_position == 0)
        refuse("--free-position: '%s' is not made of the letters x, y and z, each once", text);
    if (kind == LB_TASK_ROTATION)
        refuse("--free-position: a target without a position leaves every axis free");
    if (task->free_position == (LB_FREE_X | LB_FREE_Y | LB_FREE_Z))
        refuse("--free-position: with x, y and z free no position counts; give a rotation alone");
}

/* where the tool is in the tip's frame */
static lb_transform read_tool(void)
{
    double n[6] = {0};
    const char *text = option_text(tool_given), *option = "--tool";
    int count = text == NULL ? 0 : argument_list(option, text, 6, n);
    if (count != 0 && count != 3 && count != 6)
        refuse("%s: \"%s\" has %d number%s instead of 3 or 6: \"x y z [roll pitch yaw]\"", option,
               text, count, count == 1 ? "" : "s");
    angles_remark(option, n + 3, 3);
    lb_quat turn = lb_quat_from_rpy(n[3] * angle_unit(), n[4] * angle_unit(), n[5] * angle_unit());
    return lb_transform_from_quat(turn, lb_vec3_make(n[0], n[1], n[2]));
}

lb_task tool_task(const lb_model *model, lb_task_kind kind)
{
    lb_task task = select_given_task(model, kind);
    task.tool = read_tool();
    read_free_axis(kind, &task);
    read_free_position(kind, &task);
    return task;
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

void paths_check_free_rotation(void)
{
    if (to_given == NULL)
        refuse("--free-rotation has no effect without --to");
    option_none_given(rotation_options, "with --free-rotation");
}

void paths_check(void)
{
    if (to_given == NULL)
        option_none_given(rotation_options, "without --to");
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
static target_list line_to_goal(const lb_model *model, const double *start, bool keeps_rotation,
                                const lb_task *task)
{
    lb_vec3 goal = argument_vector("--to", option_text(to_given));
    lb_quat rotation;
    bool turned = rotation_given(&rotation);
    target_list points = {.targets = allocate_or_exit(2, sizeof *points.targets), .count = 2};
    lb_state *state = state_or_exit(model);
    lb_state_update(state, start);
    bool kept = !turned && keeps_rotation && holds_rotation(state, task);
    points.kind = turned || kept ? LB_TASK_POSE : LB_TASK_POSITION;
    points.targets[0] = lb_state_transform(state, task->base, task->tip);
    points.targets[0] = lb_transform_multiply(&points.targets[0], &task->tool);
    if (!turned)
        rotation = lb_transform_quat(&points.targets[0]);
    points.targets[1] = lb_transform_from_quat(rotation, goal);
    return points;
}

static lb_path *make_path(const target_list *points)
{
    lb_path *path = NULL;
    lb_path_source source = {
        .kind = (lb_path_kind)argument_name("--shape", &shape_given, LB_PATH_POLYLINE),
        .points = points->targets,
        .count = points->count,
        .closed = closed_wanted};
    require_for(path_file != NULL ? option_text(path_file) : "--to",
                lb_path_create(&source, &program_memory, &path, why()));
    return path;
}

path_choice path_given(const lb_model *model, bool keeps_rotation, lb_task *task)
{
    path_choice choice = {.any_start = path_file != NULL && start_given == NULL};
    *task = tool_task(model, LB_TASK_POSE);
    choice.start = start_from_text(model, option_text(start_given));
    target_list points = to_given != NULL
                             ? line_to_goal(model, choice.start.q, keeps_rotation, task)
                             : targets_from_file(option_text(path_file));
    task->kind = points.kind;
    // axes are free in what the path gives
    read_free_axis(points.kind, task);
    read_free_position(points.kind, task);
    choice.path = make_path(&points);
    return choice;
}

/* ---- targets and their starts -------------------------------------------- */

void problems_open(problem_source *source, const lb_model *model, const char *text,
                   const char *path)
{
    if (text != NULL && path != NULL)
        refuse("--start and --starts cannot both be given");
    source->shared = path == NULL;
    if (path == NULL) {
        source->block_starts = start_from_text(model, text);
        return;
    }
    if (strcmp(path, "-") == 0 && table_is_standard_input(&source->targets.table))
        refuse("--targets - and --starts - cannot both have standard input");
    poses_open_file(&source->starts, model, path);
}

/* how many there are of each, when that is not the same number */
_Noreturn static void refuse_counts(problem_source *source)
{
    while (targets_next(&source->targets, CSV_BLOCK, &source->block) > 0)
        ;
    while (poses_next(&source->starts, CSV_BLOCK, &source->block_starts) > 0)
        ;
    refuse("%s: %d starts for %d target%s; one for each is wanted, or one for all",
           source->starts.table.rows.path, source->starts.table.count, source->targets.count,
           source->targets.count == 1 ? "" : "s");
}

int problems_next(problem_source *source)
{
    bool first = source->targets.count == 0;
    int targets = targets_next(&source->targets, source->most, &source->block);
    if (source->shared)
        return targets;
    int starts = poses_next(&source->starts, source->most, &source->block_starts);

    /* a block of one row is all of the file; its end has the remarks */
    source->shared = first && starts == 1;
    if (source->shared)
        poses_next(&source->starts, 1, &source->block_starts);
    else if (starts != targets)
        refuse_counts(source);
    return targets;
}

void problems_read_all(problem_source *source)
{
    source->most = INT_MAX;
    problems_next(source);
    problems_next(source);
}
