/*
 * pose_warnings.c - warnings about poses that look like mistakes.
 *
 * Such poses are worked with all the same, but not silently.
 */
#include "cli/options/pose_warnings.h"

#include "cli/options/values.h"
#include "cli/output/report.h"
#include "model/limits.h"

#include <stdio.h>
#include <stdlib.h>

static const double *pose_at(const lb_model *model, const pose_list *poses, int i)
{
    return poses->q + (size_t)i * (size_t)lb_model_nq(model);
}

/* ---- limits ------------------------------------------------------------- */

/* rounding in the decimals of a file must not count as leaving the limits */
static const double limit_slack = 1e-6;

enum { SAID_SIZE = VALUE_NAME_SIZE + 160 };

/* "joint 'elbow': 200 is above its upper limit 160 degrees" */
static void describe_violation(const value_slot *slots, const limits_violation *found,
                               char text[SAID_SIZE])
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
    snprintf(text, SAID_SIZE, "joint '%s': %s%.6g is %s its %s limit %.6g %s", name, of,
             found->value / unit, low ? "below" : "above", low ? "lower" : "upper",
             (low ? found->lower : found->upper) / unit, is_length ? "m" : angle_unit_name());
}

static void remark_limits(const lb_model *model, const value_slot *slots, const char *what,
                          const pose_list *poses)
{
    char first[SAID_SIZE];
    int outside = 0;
    for (int i = 0; i < poses->count; i++) {
        limits_violation found =
            limits_find_violation(model, pose_at(model, poses, i), limit_slack);
        if (found.fault != LIMITS_KEPT && outside++ == 0)
            describe_violation(slots, &found, first);
    }
    if (outside > 0 && poses->count == 1)
        remark("%s: outside the limits: %s", what, first);
    else if (outside > 0)
        remark("%s: %d of %d poses are outside the limits; the first: %s", what, outside,
               poses->count, first);
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

static void remark_degrees(const lb_model *model, const value_slot *slots, const char *what,
                           const pose_list *poses)
{
    char name[VALUE_NAME_SIZE], where[VALUE_NAME_SIZE + 64];
    for (int i = 0; i < poses->count; i++) {
        const double *q = pose_at(model, poses, i);
        int found = find_degrees(model, slots, q);
        if (found < 0)
            continue;
        snprintf(where, sizeof where, "%s: joint '%s'", what, value_name(&slots[found], name));
        angles_remark(where, &q[found], 1);
        return;
    }
}

void pose_warnings_print(const lb_model *model, const char *what, const pose_list *poses)
{
    value_slot *slots = values_slots(model);
    remark_limits(model, slots, what, poses);
    remark_degrees(model, slots, what, poses);
    free(slots);
}
