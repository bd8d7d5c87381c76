/*
 * view.c - a model that shares the tree of another one and has joints of its own.
 *
 * Joints, parts and the range of q are copied, changed as the settings say, and put in the place
 * of those of the model; every index stays what it is.
 */
#include "model/view.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/kinds.h"
#include "model/limits.h"
#include "model/range.h"

#include <string.h>

lb_joint_setting lb_joint_setting_make(int joint)
{
    return (lb_joint_setting){.joint = joint,
                              .value = NAN,
                              .lower = {-INFINITY, -INFINITY, -INFINITY},
                              .upper = {INFINITY, INFINITY, INFINITY},
                              .velocity = INFINITY,
                              .acceleration = INFINITY,
                              .jerk = INFINITY};
}

/* ---- checking ----------------------------------------------------------- */

static lb_status refuse(const lb_model *model, int joint, const char *what, lb_error *error)
{
    return REFUSE_VALUE(error, "joint '%s': %s", model->joints[joint].name, what);
}

static lb_status check(const lb_model *model, const lb_joint_setting *s, lb_error *error)
{
    if (s->joint < 0 || s->joint >= model->joint_count)
        return REFUSE_ARGUMENT(error, "a joint setting is about joint %d, but there are %d joints",
                               s->joint, model->joint_count);
    const lb_joint *joint = &model->joints[s->joint];
    if (joint->kind == LB_JOINT_FIXED)
        return refuse(model, s->joint, "it is fixed: there is nothing to set", error);
    if (!(s->weight >= 0) || !isfinite(s->weight))
        return refuse(model, s->joint, "a weight must be a finite number above 0", error);
    if (s->weight > 0 && joint->mimic)
        return REFUSE_VALUE(error,
                            "joint '%s': it follows '%s' and has no weight of its own: give '%s'",
                            joint->name, joint->mimic, joint->mimic);
    if (!(s->velocity >= 0))
        return refuse(model, s->joint, "a speed must be a number of at least 0", error);
    if (!(s->acceleration > 0) || !(s->jerk > 0))
        return refuse(model, s->joint, "acceleration and jerk must be numbers above 0", error);
    for (int k = 0; k < 3; k++)
        if (isnan(s->lower[k]) || isnan(s->upper[k]))
            return refuse(model, s->joint, "a limit is not a number", error);
    for (int k = 0; k < 3; k++)
        if ((isfinite(s->lower[k]) && !range_has(s->lower[k])) ||
            (isfinite(s->upper[k]) && !range_has(s->upper[k])))
            return refuse(model, s->joint, "a limit is beyond 1e15; use infinity for none", error);
    if (s->locked && isinf(s->value))
        return refuse(model, s->joint, "it cannot be locked at an infinite value", error);
    return LB_OK;
}

/* ---- settings of mimic joints --------------------------------------------- */

lb_joint_setting view_setting(const lb_model *model, const lb_joint_setting *s)
{
    const model_joint *layout = &model->joint_layouts[s->joint];
    lb_joint_setting to = *s;
    double m = layout->multiplier, offset = layout->offset;
    if (layout->mimicked_joint < 0)
        return to;
    to.joint = layout->mimicked_joint;
    // what stands still neither limits nor locks anything
    if (m == 0)
        return lb_joint_setting_make(to.joint);
    double first = range_limit((s->lower[0] - offset) / m);
    double last = range_limit((s->upper[0] - offset) / m);
    to.lower[0] = fmin(first, last);
    to.upper[0] = fmax(first, last);
    to.value = (s->value - offset) / m;
    to.velocity = s->velocity / fabs(m);
    to.acceleration = s->acceleration / fabs(m);
    to.jerk = s->jerk / fabs(m);
    return to;
}

/* ---- applying ------------------------------------------------------------- */

static lb_status refuse_limits(const lb_joint *joint, const lb_joint_setting *s, int k,
                               double lower, double upper, lb_error *error)
{
    return REFUSE_VALUE(error, "joint '%s': limits %.10g .. %.10g leave nothing of %.10g .. %.10g",
                        joint->name, s->lower[k], s->upper[k], lower, upper);
}

/* one pair of limits; `swing`: it is that of a ball, which has an upper one alone */
static lb_status narrow(const lb_joint_setting *s, int k, bool swing, lb_joint *joint,
                        model_part *part, lb_error *error)
{
    double *lower = &part->lower, *upper = swing ? &part->swing : &part->upper, none = 0;
    lower = swing ? &none : lower;
    double low = fmax(*lower, s->lower[k]), high = fmin(*upper, s->upper[k]);
    bool same = low == *lower && high == *upper, twist = part->kind == MODEL_BALL && !swing;
    if (swing ? low > high : !range_has_limits(low, high))
        return refuse_limits(joint, s, k, *lower, *upper, error);
    // of a ball that may twist freely they are those of one turn
    if (twist && isinf(*lower) && (low > LB_PI || high < -LB_PI))
        return refuse_limits(joint, s, k, -LB_PI, LB_PI, error);
    if (same)
        return LB_OK;
    if (twist)
        ball_close_twist(&low, &high);
    *lower = joint->lower[k] = low;
    *upper = joint->upper[k] = high;
    // of a joint that has limits whole turns matter
    if (part->kind == MODEL_TURN)
        part->kind = MODEL_ANGLE;
    return LB_OK;
}

static lb_status narrow_all(lb_model *view, const lb_joint_setting *s, lb_error *error)
{
    const model_joint *layout = &view->joint_layouts[s->joint];
    lb_joint *joint = &view->joints[s->joint];
    for (int k = 0; k < layout->part_count; k++) {
        model_part *part = &view->parts[layout->part + k];
        if (joint->kind == LB_JOINT_BALL)
            TRY(narrow(s, 1, true, joint, part, error));
        if (part->kind != MODEL_BALL || joint->kind == LB_JOINT_BALL)
            TRY(narrow(s, k, false, joint, part, error));
    }
    return LB_OK;
}

/* the value at rest, and with it those of the joints that mimic this one */
static void set_rest(lb_model *view, int joint, double value)
{
    view->joints[joint].value[0] = value;
    for (int j = 0; j < view->joint_count; j++) {
        const model_joint *layout = &view->joint_layouts[j];
        if (layout->mimicked_joint == joint)
            view->joints[j].value[0] = layout->multiplier * value + layout->offset;
    }
}

static lb_status lock(lb_model *view, const lb_joint_setting *s, lb_error *error)
{
    lb_joint *joint = &view->joints[s->joint];
    joint->locked = true;
    if (isnan(s->value))
        return LB_OK;
    if (lb_joint_kind_nq(joint->kind) != 1)
        return refuse(view, s->joint,
                      "it has several values: lock it without one, and give them with the start",
                      error);
    model_part *part = &view->parts[view->joint_layouts[s->joint].part];
    if (!range_has(s->value))
        return REFUSE_VALUE(error, "joint '%s': locked at %.10g, beyond %g", joint->name, s->value,
                            LB_LENGTH_MAX);
    if (s->value < part->lower - LIMITS_ROUNDING || s->value > part->upper + LIMITS_ROUNDING)
        return REFUSE_VALUE(error, "joint '%s': locked at %.10g, outside its limits %.10g .. %.10g",
                            joint->name, s->value, part->lower, part->upper);
    // a range of one value: a start is clamped to it
    part->lower = part->upper = joint->lower[0] = joint->upper[0] = s->value;
    part->kind = part->kind == MODEL_TURN ? MODEL_ANGLE : part->kind;
    set_rest(view, s->joint, s->value);
    return LB_OK;
}

static lb_status apply(lb_model *view, const lb_joint_setting *given, lb_error *error)
{
    TRY(check(view, given, error));
    lb_joint_setting s = view_setting(view, given);
    lb_joint *joint = &view->joints[s.joint];
    if (s.weight > 0)
        joint->weight = s.weight;
    joint->velocity = fmin(joint->velocity, s.velocity);
    lb_status status = narrow_all(view, &s, error);
    return status == LB_OK && s.locked ? lock(view, &s, error) : status;
}

/* ---- the view ------------------------------------------------------------- */

static void list_range(lb_model *view)
{
    for (int i = 0; i < view->part_count; i++)
        if (view->parts[i].kind != MODEL_BALL) {
            view->range.lower[view->parts[i].q] = view->parts[i].lower;
            view->range.upper[view->parts[i].q] = view->parts[i].upper;
        }
}

static void lay_out(lb_model *view, memory_arena *arena)
{
    size_t nq = (size_t)view->tree.nq;
    memory_arena_take(arena, 1, sizeof *view);
    view->joints = memory_arena_take(arena, (size_t)view->joint_count, sizeof *view->joints);
    view->parts = memory_arena_take(arena, (size_t)view->part_count, sizeof *view->parts);
    view->range.lower = memory_arena_take(arena, nq, sizeof(double));
    view->range.upper = memory_arena_take(arena, nq, sizeof(double));
}

static lb_model *copy(const lb_model *model, const lb_allocator *allocator)
{
    lb_model measured = *model;
    memory_arena arena = {0};
    lay_out(&measured, &arena);
    lb_model *view = memory_arena_block(&arena, allocator);
    if (!view)
        return NULL;
    *view = *model;
    view->allocator = *allocator;
    lay_out(view, &arena);
    memcpy(view->joints, model->joints, sizeof *view->joints * (size_t)model->joint_count);
    memcpy(view->parts, model->parts, sizeof *view->parts * (size_t)model->part_count);
    memcpy(view->range.lower, model->range.lower, sizeof(double) * (size_t)model->tree.nq);
    memcpy(view->range.upper, model->range.upper, sizeof(double) * (size_t)model->tree.nq);
    return view;
}

lb_status lb_model_view(const lb_model *model, const lb_joint_setting *settings, int count,
                        const lb_allocator *allocator, lb_model **view, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(view, error, {model, "model"}));
    if (count < 0 || (count > 0 && !settings))
        return REFUSE_ARGUMENT(error, "%d joint settings, but no list of them", count);
    lb_allocator memory = memory_allocator(allocator);
    lb_model *made = copy(model, &memory);
    TRY(require_memory(error, made));
    lb_status status = LB_OK;
    for (int i = 0; i < count && status == LB_OK; i++)
        status = apply(made, &settings[i], error);
    list_range(made);
    if (status == LB_OK)
        *view = made;
    else
        lb_model_release(made);
    return status;
}

lb_status view_take(const lb_joint_setting **joints, int *count, const lb_allocator *allocator,
                    const lb_model **model, lb_model **view, lb_error *error)
{
    const lb_joint_setting *given = *joints;
    int number = *count;
    *joints = NULL;
    *count = 0;
    if (number == 0)
        return LB_OK;
    TRY(lb_model_view(*model, given, number, allocator, view, error));
    *model = *view;
    return LB_OK;
}
