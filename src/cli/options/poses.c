/*
 * poses.c - the configurations a user gives.
 */
#include "cli/options/poses.h"

#include "cli/report/report.h"
#include "model/limits.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static text_option at_given, poses_file;

const struct poptOption pose_options[] = {
    OPTION_TEXT("at", at_given, "\"JOINT=VALUE ...\"",
                "one pose; joints that are not named are at their default; a ball joint takes "
                "roll,pitch,yaw or qw,qx,qy,qz"),
    OPTION_TEXT("poses", poses_file, "IN.csv",
                "poses, a row each under a header of joint names in any order, or an array IN.npy "
                "in the model's order; - is standard input"),
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
    if (text == NULL)
        return true;
    pose_warnings warnings = {.poses = 0};
    value_slot *slots = values_slots(model);
    bool fine = values_from_text(model, slots, option, text, poses->q);
    if (fine && values_normalize(model, poses->q, &changed, &error) != LB_OK) {
        complain("%s: %s", option, error.message);
        fine = false;
    }
    if (fine) {
        remark_quaternions(option, changed);
        pose_warnings_add(&warnings, model, slots, poses->q, 1);
        pose_warnings_print(&warnings, option);
    } else {
        poses_release(poses);
    }
    free(slots);
    return fine;
}

/* columns of limber ik's and limber animate's output that are no joint values */
static bool is_account(const char *name)
{
    static const char *const names[] = {
        "target",        "solution", "branch",     "in_limits",      "multiplicity",
        "status",        "distance", "iterations", "position_error", "rotation_error",
        "frame",         "time",     "condition",  "step",           "ended",
        "tool_x",        "tool_y",   "tool_z",     "goal_x",         "goal_y",
        "goal_z",        "begin",    "end",        "elbow_angle",    "margin",
        "manipulability"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* the place in q of every column, -1 for those passed over; and which has the times */
static lb_status find_columns(pose_source *source, lb_error *error)
{
    const csv_table *table = &source->table.text;
    for (int c = 0; c < table->columns; c++) {
        const char *name = csv_name(table, c);
        source->places[c] = -1;
        if (is_account(name) && lb_model_find_joint(source->model, name) < 0)
            continue;
        lb_status status =
            values_find(source->model, source->slots, name, &source->places[c], error);
        if (status != LB_OK)
            return lb_error_set(error, status, 1, "%.400s%s", error->message,
                                csv_header_doubt(table, c));
    }
    bool is_joint = lb_model_find_joint(source->model, "time") >= 0;
    source->time = is_joint ? -1 : csv_column(table, "time");
    return LB_OK;
}

/* the columns of an array: q, or q behind what limber ik says of each target */
static lb_status number_columns(pose_source *source, lb_error *error)
{
    enum { ACCOUNT = 4 };
    int columns = source->table.columns, nq = lb_model_nq(source->model);
    int first = columns == nq + ACCOUNT ? ACCOUNT : 0;
    source->time = -1;
    if (source->table.array.dimensions > 2 || columns != nq + first)
        return lb_error_set(error, LB_BAD_VALUE, 0,
                            "its rows have %d numbers; the model's configuration has %d (with what "
                            "limber ik writes before it %d)",
                            columns, nq, nq + ACCOUNT);
    for (int c = 0; c < columns; c++)
        source->places[c] = c - first;
    return LB_OK;
}

static lb_status read_row(const pose_source *source, int row, double *q, lb_error *error)
{
    for (int c = 0; c < source->table.columns; c++) {
        double value;
        int place = source->places[c];
        if (place < 0)
            continue;
        lb_status status = table_number(&source->table, row, c, &value, error);
        if (status != LB_OK)
            return status;
        q[place] = value * value_unit(&source->slots[place]);
    }
    return LB_OK;
}

/* the times of the rows read last, where there is a column of them */
static lb_status read_times(const pose_source *source, pose_list *poses, lb_error *error)
{
    if (source->time < 0)
        return LB_OK;
    poses->times = allocate_or_exit((size_t)poses->count, sizeof *poses->times);
    for (int row = 0; row < poses->count; row++) {
        lb_status status =
            table_number(&source->table, row, source->time, &poses->times[row], error);
        if (status != LB_OK)
            return status;
    }
    return LB_OK;
}

/* the next rows, into a list that is replaced if there are any */
static lb_status read_rows(pose_source *source, int most, pose_list *poses, lb_error *error)
{
    size_t nq = (size_t)lb_model_nq(source->model);
    lb_status status = table_next(&source->table, most, error);
    int rows = source->table.rows;
    if (status == LB_OK && rows == 0 && source->count == 0)
        return lb_error_set(error, LB_BAD_VALUE, 0, "there are no poses below the header");
    if (status != LB_OK || rows == 0)
        return status;
    poses_release(poses);
    start(source->model, poses, rows);
    status = read_times(source, poses, error);
    if (status != LB_OK)
        return status;
    for (int row = 0; row < rows; row++) {
        double *q = poses->q + (size_t)row * nq;
        status = read_row(source, row, q, error);
        if (status == LB_OK)
            status = values_normalize(source->model, q, &source->changed, error);
        if (status != LB_OK) {
            table_locate(&source->table, row, error);
            return status;
        }
    }
    source->count += rows;
    pose_warnings_add(&source->warnings, source->model, source->slots, poses->q, rows);
    return LB_OK;
}

static int next_in_file(pose_source *source, int most, pose_list *poses)
{
    lb_error error = {0};
    if (read_rows(source, most, poses, &error) != LB_OK) {
        complain_error(&error);
        return -1;
    }
    if (source->table.rows == 0) {
        remark_quaternions(source->table.path, source->changed);
        pose_warnings_print(&source->warnings, source->table.path);
    }
    return source->table.rows;
}

bool poses_open_file(pose_source *source, const lb_model *model, const char *path)
{
    lb_error error = {0};
    *source = (pose_source){.model = model, .in_file = true};
    lb_status status = table_open(path, NULL, &source->table, &error);
    if (status == LB_OK) {
        source->slots = values_slots(model);
        source->places = allocate_or_exit((size_t)source->table.columns, sizeof *source->places);
        status =
            source->table.is_array ? number_columns(source, &error) : find_columns(source, &error);
    }
    if (status != LB_OK) {
        complain_error(&error);
        poses_close(source);
    }
    return status == LB_OK;
}

void poses_open_single(pose_source *source, const lb_model *model, pose_list *single)
{
    *source = (pose_source){.model = model, .single = *single};
    *single = (pose_list){.q = NULL};
}

bool poses_open(pose_source *source, const lb_model *model)
{
    const char *at = option_text(at_given), *path = option_text(poses_file);
    pose_list single = {.q = NULL};
    *source = (pose_source){.model = model};
    if (at != NULL && path != NULL) {
        complain("--at and --poses cannot both be given");
        return false;
    }
    if (path != NULL)
        return poses_open_file(source, model, path);
    if (!poses_from_text(model, "--at", at, &single))
        return false;
    poses_open_single(source, model, &single);
    return true;
}

int poses_next(pose_source *source, int most, pose_list *poses)
{
    if (source->in_file)
        return next_in_file(source, most, poses);
    if (source->count > 0)
        return 0;
    source->count = 1;
    poses_release(poses);
    *poses = source->single;
    source->single = (pose_list){.q = NULL};
    return 1;
}

void poses_close(pose_source *source)
{
    table_release(&source->table);
    poses_release(&source->single);
    free(source->slots);
    free(source->places);
    *source = (pose_source){.model = NULL};
}

/* all of an open source, which is closed */
static bool read_all(pose_source *source, pose_list *poses)
{
    *poses = (pose_list){.q = NULL};
    bool fine = poses_next(source, INT_MAX, poses) >= 0 && poses_next(source, 1, poses) >= 0;
    if (!fine)
        poses_release(poses);
    poses_close(source);
    return fine;
}

bool poses_from_file(const lb_model *model, const char *path, pose_list *poses)
{
    pose_source source;
    return poses_open_file(&source, model, path) && read_all(&source, poses);
}

bool poses_given(const lb_model *model, pose_list *poses)
{
    pose_source source;
    return poses_open(&source, model) && read_all(&source, poses);
}

void poses_release(pose_list *poses)
{
    free(poses->q);
    free(poses->times);
    memset(poses, 0, sizeof *poses);
}

/* ---- poses that look like mistakes ------------------------------------ */

/*
 * Such poses are worked with all the same, but not silently.
 */

/* ---- limits ------------------------------------------------------------- */

/* rounding in the decimals of a file must not count as leaving the limits */
static const double limit_slack = 1e-6;

/* "joint 'elbow': 200 is above its upper limit 160 degrees" */
static void describe_violation(const value_slot *slots, const limits_violation *found,
                               char text[POSE_WARNING_SIZE])
{
    char name[VALUE_NAME_SIZE];
    const model_part *part = found->part;
    const value_slot *slot = &slots[part->q];
    bool is_length = part->kind == MODEL_LENGTH, low = found->value < found->lower;
    double unit = is_length ? 1 : angle_unit();
    const char *of = found->fault == LIMITS_TWIST   ? "twist "
                     : found->fault == LIMITS_SWING ? "swing "
                                                    : "";
    if (found->fault == LIMITS_VALUE)
        value_name(slot, name);
    else
        snprintf(name, sizeof name, "%s", slot->joint->name);
    snprintf(text, POSE_WARNING_SIZE, "joint '%s': %s%.6g is %s its %s limit %.6g %s", name, of,
             found->value / unit, low ? "below" : "above", low ? "lower" : "upper",
             (low ? found->lower : found->upper) / unit, is_length ? "m" : angle_unit_name());
}

static void check_limits(pose_warnings *all, const lb_model *model, const value_slot *slots,
                         const double *q)
{
    limits_violation found = limits_find_violation(model, q, limit_slack);
    if (found.fault != LIMITS_KEPT && all->outside++ == 0)
        describe_violation(slots, &found, all->first_outside);
}

/* ---- degrees ------------------------------------------------------------ */

/* far beyond the limits; without limits, an angle that is unlikely in radians */
static bool looks_like_degrees(double given, double lower, double upper)
{
    static const double protractor = 15;
    if (!angle_is_doubtful(given))
        return false;
    if (given < lower || given > upper)
        return fabs(given) > 2 * fmax(fabs(lower), fabs(upper));
    return fmod(given, protractor) == 0;
}

/* the place in q of the first angle that looks like degrees, -1: none */
static int find_degrees(const lb_model *model, const value_slot *slots, const double *q)
{
    for (int i = 0, value = 0; i < lb_model_nq(model); i++) {
        const lb_joint *joint = slots[i].joint;
        value = i > 0 && slots[i - 1].joint == joint ? value + 1 : 0;
        if (slots[i].angular && looks_like_degrees(q[i], joint->lower[value], joint->upper[value]))
            return i;
    }
    return -1;
}

static void check_degrees(pose_warnings *all, const lb_model *model, const value_slot *slots,
                          const double *q)
{
    int found = all->degrees == 0 ? find_degrees(model, slots, q) : -1;
    if (found < 0)
        return;
    all->degrees = q[found];
    value_name(&slots[found], all->degrees_name);
}

/* ---- all poses ---------------------------------------------------------- */

void pose_warnings_add(pose_warnings *all, const lb_model *model, const value_slot *slots,
                       const double *q, int count)
{
    for (int i = 0; i < count; i++, q += lb_model_nq(model)) {
        check_limits(all, model, slots, q);
        check_degrees(all, model, slots, q);
    }
    all->poses += count;
}

void pose_warnings_print(const pose_warnings *all, const char *what)
{
    char where[VALUE_NAME_SIZE + 64];
    if (all->outside > 0 && all->poses == 1)
        remark("%s: outside the limits: %s", what, all->first_outside);
    else if (all->outside > 0)
        remark("%s: %d of %d poses are outside the limits; the first: %s", what, all->outside,
               all->poses, all->first_outside);
    if (all->degrees == 0)
        return;
    snprintf(where, sizeof where, "%s: joint '%s'", what, all->degrees_name);
    angles_remark(where, &all->degrees, 1);
}
