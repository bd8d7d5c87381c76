/*
 * poses.c - the configurations a user gives.
 */
#include "cli/options/targets.h"

#include "base/text.h"
#include "cli/report/report.h"
#include "model/limits.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static text_option at_given, poses_file;

const struct poptOption pose_options[] = {
    OPTION_TEXT("at", at_given, "\"JOINT=VALUE ...\"",
                "one pose; joints that are not named are at their default; a ball joint takes "
                "roll,pitch,yaw or qw,qx,qy,qz. A name may have blanks; a value, and what is "
                "beside the =, has none"),
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

static pose_list start(const lb_model *model, int count)
{
    size_t nq = (size_t)lb_model_nq(model);
    pose_list poses = {.q = allocate_or_exit(nq * (size_t)count, sizeof *poses.q),
                       .given = allocate_or_exit(nq, sizeof *poses.given),
                       .count = count};
    for (int i = 0; i < count; i++)
        lb_configuration_neutral(model, poses.q + (size_t)i * nq);
    return poses;
}

/* what `text` names, and which numbers these are */
static void read_text(const lb_model *model, const value_slot *slots, const char *option,
                      const char *text, pose_list *pose)
{
    int nq = lb_model_nq(model);
    double *named = allocate_or_exit((size_t)nq, sizeof *named);
    for (int i = 0; i < nq; i++)
        named[i] = NAN;
    values_from_text(model, slots, option, text, named);
    for (int i = 0; i < nq; i++) {
        pose->given[i] = !isnan(named[i]);
        pose->q[i] = pose->given[i] ? named[i] : pose->q[i];
    }
}

pose_list poses_neutral(const lb_model *model)
{
    return start(model, 1);
}

pose_list poses_from_text(const lb_model *model, const char *option, const char *text)
{
    int changed = 0;
    pose_list poses = start(model, 1);
    if (text == NULL)
        return poses;
    pose_warnings warnings = {.poses = 0};
    value_slot *slots = values_slots(model);
    read_text(model, slots, option, text, &poses);
    require_for(option, values_normalize(model, poses.q, &changed, why()));
    remark_quaternions(option, changed);
    pose_warnings_add(&warnings, model, slots, poses.q, 1);
    pose_warnings_print(&warnings, option);
    return poses;
}

/* the next rows, into a list that is replaced if there are any */
static lb_status read_rows(pose_source *source, int most, pose_list *poses, lb_error *error)
{
    size_t nq = (size_t)lb_model_nq(source->table.model);
    lb_status status = pose_table_next(&source->table, most, error);
    int rows = source->table.rows.rows;
    if (status != LB_OK || rows == 0)
        return status;
    poses_release(poses);
    *poses = start(source->table.model, rows);
    for (int c = 0; c < source->table.rows.columns; c++)
        if (source->table.places[c] >= 0)
            poses->given[source->table.places[c]] = true;
    if (source->table.time >= 0)
        poses->times = allocate_or_exit((size_t)rows, sizeof *poses->times);
    for (int row = 0; row < rows && status == LB_OK; row++)
        status = pose_table_row(&source->table, row, poses->q + (size_t)row * nq,
                                poses->times != NULL ? &poses->times[row] : NULL, error);
    if (status == LB_OK)
        pose_warnings_add(&source->warnings, source->table.model, source->table.slots, poses->q,
                          rows);
    return status;
}

static int next_in_file(pose_source *source, int most, pose_list *poses)
{
    require(read_rows(source, most, poses, why()));
    int rows = source->table.rows.rows;
    if (rows == 0) {
        remark_quaternions(source->table.rows.path, source->table.changed);
        pose_warnings_print(&source->warnings, source->table.rows.path);
    }
    return rows;
}

void poses_open_file(pose_source *source, const lb_model *model, const char *path)
{
    file_reader file;
    *source = (pose_source){.in_file = true};
    require(file_open(&file, path, why()));
    require(
        pose_table_open(&source->table, model, file, path, angle_unit(), &program_memory, why()));
}

void poses_open(pose_source *source, const lb_model *model)
{
    const char *at = option_text(at_given), *path = option_text(poses_file);
    *source = (pose_source){.table.model = model};
    if (at != NULL && path != NULL)
        refuse("--at and --poses cannot both be given");
    if (path != NULL)
        poses_open_file(source, model, path);
    else
        source->single = poses_from_text(model, "--at", at);
}

int poses_next(pose_source *source, int most, pose_list *poses)
{
    if (source->in_file)
        return next_in_file(source, most, poses);
    if (source->single.q == NULL)
        return 0;
    poses_release(poses);
    *poses = source->single;
    source->single = (pose_list){.q = NULL};
    return 1;
}

/* all of an open source, up to its end */
static pose_list read_all(pose_source *source)
{
    pose_list poses = {.q = NULL};
    poses_next(source, INT_MAX, &poses);
    poses_next(source, 1, &poses);
    return poses;
}

pose_list poses_from_file(const lb_model *model, const char *path)
{
    pose_source source;
    poses_open_file(&source, model, path);
    return read_all(&source);
}

pose_list poses_given(const lb_model *model)
{
    pose_source source;
    poses_open(&source, model);
    return read_all(&source);
}

void poses_release(pose_list *poses)
{
    dispose(poses->q);
    dispose(poses->times);
    dispose(poses->given);
    *poses = (pose_list){.q = NULL};
}

/* ---- poses that look like mistakes ------------------------------------ */

/* Such poses are worked with all the same, but not silently. */

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
    text_format(where, sizeof where, "%s: joint '%s'", what, all->degrees_name);
    angles_remark(where, &all->degrees, 1);
}
