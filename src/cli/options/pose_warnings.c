/*
 * pose_warnings.c - warnings about poses that look like mistakes.
 *
 * Such poses are worked with all the same, but not silently.
 */
#include "cli/options/pose_warnings.h"

#include "cli/output/report.h"
#include "model/limits.h"

#include <stdio.h>

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
