/*
 * tool.c - what is brought to a target, seen from where, and what of it is free.
 */
#include "cli/options/targets.h"

#include "cli/options/arguments.h"
#include "cli/options/select.h"
#include "cli/options/values.h"
#include "cli/report/report.h"

#include <string.h>

static text_option tool_given, free_axis, free_position;

const struct poptOption tool_options[] = {
    OPTION_TEXT("tool", tool_given, "\"X Y Z [R P Y]\"",
                "where the tool is in the tip's frame, in metres, with roll, pitch and yaw"),
    OPTION_TEXT("free-axis", free_axis, "\"X Y Z\"",
                "an axis of the tip about which it may turn freely"),
    OPTION_TEXT("free-position", free_position, "AXES",
                "axes of the target along which the tip may be anywhere: z for a line, xy for a "
                "plane"),
    OPTION_END,
};

static bool read_free_axis(lb_task_kind kind, lb_task *task)
{
    const char *text = option_text(free_axis);
    if (text == NULL)
        return true;
    if (!argument_vector("--free-axis", text, "x y z", &task->free_axis))
        return false;
    if (kind == LB_TASK_POSITION) {
        complain("--free-axis: a target without a rotation leaves every axis free");
        return false;
    }
    task->free_axis = lb_vec3_normalize(task->free_axis, lb_vec3_make(0, 0, 0));
    if (!(lb_vec3_length(task->free_axis) > 0)) {
        complain("--free-axis: an axis of length 0 is none");
        return false;
    }
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
    if (task->free_position == 0) {
        complain("--free-position: '%s' is not made of the letters x, y and z, each once", text);
        return false;
    }
    if (kind == LB_TASK_ROTATION) {
        complain("--free-position: a target without a position leaves every axis free");
        return false;
    }
    if (task->free_position == (LB_FREE_X | LB_FREE_Y | LB_FREE_Z)) {
        complain("--free-position: with x, y and z free no position counts; give a rotation alone");
        return false;
    }
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
    if (count != 0 && count != 3 && count != 6) {
        complain("%s: \"%s\" has %d number%s instead of 3 or 6: \"x y z [roll pitch yaw]\"", option,
                 text, count, count == 1 ? "" : "s");
        return false;
    }
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
