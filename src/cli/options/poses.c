/*
 * poses.c - the configurations a user gives.
 */
#include "cli/options/poses.h"

#include "cli/options/pose_warnings.h"
#include "cli/options/values.h"
#include "cli/output/report.h"
#include "formats/csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static text_option at_given, poses_file;

const struct poptOption pose_options[] = {
    OPTION_TEXT("at", at_given, "\"JOINT=VALUE ...\"",
                "one pose; joints that are not named are at their default; a ball joint takes "
                "roll,pitch,yaw or qw,qx,qy,qz"),
    OPTION_TEXT("poses", poses_file, "IN.csv",
                "poses, a row each under a header of joint names in any order; - is standard "
                "input"),
    OPTION_END,
};

/* ---- checks ------------------------------------------------------------- */

static void remark_quaternions(const char *what, int changed)
{
    if (changed > 0)
        remark("%s: %d quaternion%s not of length 1, now normalised", what, changed,
               changed == 1 ? "" : "s");
}

/* ---- sources ------------------------------------------------------------ */

static void start(const lb_model *model, pose_list *poses, int count)
{
    size_t nq = (size_t)lb_model_nq(model);
    poses->q = allocate_or_exit(nq * (size_t)count, sizeof *poses->q);
    poses->count = count;
    for (int i = 0; i < count; i++)
        lb_configuration_neutral(model, poses->q + (size_t)i * nq);
}

void poses_neutral(const lb_model *model, pose_list *poses)
{
    start(model, poses, 1);
}

bool poses_from_text(const lb_model *model, const char *option, const char *text, pose_list *poses)
{
    lb_error error = {0};
    int changed = 0;
    start(model, poses, 1);
    value_slot *slots = values_slots(model);
    bool fine = values_from_text(model, slots, option, text, poses->q);
    free(slots);

    if (fine && values_normalize(model, poses->q, &changed, &error) != LB_OK) {
        complain("%s: %s", option, error.message);
        fine = false;
    }
    if (!fine) {
        poses_release(poses);
        return false;
    }
    remark_quaternions(option, changed);
    pose_warnings_print(model, option, poses);
    return true;
}

/* columns of limber ik's and limber animate's output that are no joint values */
static bool is_account(const char *name)
{
    static const char *const names[] = {
        "target",    "solution",   "branch",         "in_limits",      "multiplicity", "status",
        "distance",  "iterations", "position_error", "rotation_error", "frame",        "time",
        "condition", "step",       "ended",          "tool_x",         "tool_y",       "tool_z",
        "goal_x",    "goal_y",     "goal_z"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* the place in q of every column, -1 for those passed over */
static lb_status find_columns(const lb_model *model, const value_slot *slots,
                              const csv_table *table, int *places, lb_error *error)
{
    for (int c = 0; c < table->columns; c++) {
        const char *name = csv_name(table, c);
        places[c] = -1;
        if (is_account(name) && lb_model_find_joint(model, name) < 0)
            continue;
        lb_status status = values_find(model, slots, name, &places[c], error);
        if (status != LB_OK)
            return lb_error_set(error, status, 1, "%.400s%s", error->message,
                                csv_header_doubt(table, c));
    }
    return LB_OK;
}

static lb_status read_row(const value_slot *slots, const csv_table *table, const int *places,
                          int row, double *q, lb_error *error)
{
    for (int c = 0; c < table->columns; c++) {
        double value;
        if (places[c] < 0)
            continue;
        lb_status status = csv_number(table, row, c, &value, error);
        if (status != LB_OK)
            return status;
        q[places[c]] = value * value_unit(&slots[places[c]]);
    }
    return LB_OK;
}

/* the poses' times, where there is a column of that name and no joint */
static lb_status read_times(const lb_model *model, const csv_table *table, pose_list *poses,
                            lb_error *error)
{
    int column = csv_column(table, "time");
    if (column < 0 || lb_model_find_joint(model, "time") >= 0)
        return LB_OK;
    poses->times = allocate_or_exit((size_t)table->rows, sizeof *poses->times);
    for (int row = 0; row < table->rows; row++) {
        lb_status status = csv_number(table, row, column, &poses->times[row], error);
        if (status != LB_OK)
            return status;
    }
    return LB_OK;
}

static lb_status read_table(const lb_model *model, const value_slot *slots, const csv_table *table,
                            const int *places, pose_list *poses, int *changed, lb_error *error)
{
    size_t nq = (size_t)lb_model_nq(model);
    if (table->rows == 0)
        return lb_error_set(error, LB_BAD_VALUE, 0, "there are no poses below the header");
    start(model, poses, table->rows);
    lb_status timed = read_times(model, table, poses, error);
    if (timed != LB_OK)
        return timed;
    for (int row = 0; row < table->rows; row++) {
        double *q = poses->q + (size_t)row * nq;
        lb_status status = read_row(slots, table, places, row, q, error);
        if (status == LB_OK)
            status = values_normalize(model, q, changed, error);
        if (status != LB_OK) {
            error->line = table->lines[row];
            return status;
        }
    }
    return LB_OK;
}

bool poses_from_csv(const lb_model *model, const char *path, pose_list *poses)
{
    csv_table table = {0};
    lb_error error = {0};
    int changed = 0;
    memset(poses, 0, sizeof *poses);
    lb_status status = csv_read(path, NULL, &table, &error);
    if (status == LB_OK) {
        snprintf(error.path, sizeof error.path, "%s", table.path);
        value_slot *slots = values_slots(model);
        int *places = allocate_or_exit((size_t)table.columns, sizeof *places);
        status = find_columns(model, slots, &table, places, &error);
        if (status == LB_OK)
            status = read_table(model, slots, &table, places, poses, &changed, &error);
        free(places);
        free(slots);
    }
    if (status == LB_OK) {
        remark_quaternions(table.path, changed);
        pose_warnings_print(model, table.path, poses);
    } else {
        complain_error(&error);
        poses_release(poses);
    }
    csv_release(&table);
    return status == LB_OK;
}

bool poses_given(const lb_model *model, pose_list *poses)
{
    const char *at = option_text(at_given), *path = option_text(poses_file);
    if (at != NULL && path != NULL) {
        complain("--at and --poses cannot both be given");
        return false;
    }
    if (at != NULL)
        return poses_from_text(model, "--at", at, poses);
    if (path != NULL)
        return poses_from_csv(model, path, poses);
    poses_neutral(model, poses);
    return true;
}

void poses_release(pose_list *poses)
{
    free(poses->q);
    free(poses->times);
    memset(poses, 0, sizeof *poses);
}
