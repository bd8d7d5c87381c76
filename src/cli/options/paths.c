/*
 * paths.c - the path that a user gives for a tool.
 */

#include "base/text.h"
#include "cli/options/arguments.h"
#include "cli/options/targets.h"
#include "cli/report/report.h"

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
                "farthest without a jump"),
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
        remark("the tip turns on the way: %d joints cannot hold its rotation on a line", m.joints);
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
    lb_error error = {0};
    if (!argument_name("--shape", &shape_given, &kind))
        return NULL;
    lb_path_source source = {.kind = (lb_path_kind)kind,
                             .points = points->targets,
                             .count = points->count,
                             .closed = closed_wanted};
    if (lb_path_create(&source, NULL, &path, &error) != LB_OK)
        complain("%s: %s", path_file != NULL ? option_text(path_file) : "--to", error.message);
    return path;
}

bool path_given(const lb_model *model, bool keeps_rotation, lb_task *task, path_choice *choice)
{
    target_list points = {0};
    *choice = (path_choice){.any_start = path_file != NULL && start_given == NULL};
    bool fine =
        poses_from_text(model, "--start", option_text(start_given), &choice->start) &&
        (to_given != NULL ? line_to_goal(model, choice->start.q, keeps_rotation, task, &points)
                          : targets_from_file(option_text(path_file), &points));
    if (fine) {
        task->kind = points.kind;
        choice->path = make_path(&points);
    }
    targets_release(&points);
    return fine && choice->path != NULL;
}

void path_choice_release(path_choice *choice)
{
    lb_path_release(choice->path);
    poses_release(&choice->start);
    *choice = (path_choice){0};
}
