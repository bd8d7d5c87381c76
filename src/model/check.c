/* check.c - checks each link and joint of a source on its own. */
#include "base/error.h"
#include "base/text.h"
#include "model/build.h"
#include "model/geometry.h"
#include "model/kinds.h"
#include "model/range.h"

/*
 * The smallest sine of the angle between axis and axis2: below typed accuracy there is no
 * direction.
 */
static const double parallel_tolerance = 1e-6;

int source_line(const lb_model_source *source, int joint)
{
    return source->joint_lines ? source->joint_lines[joint] : 0;
}

int source_link_line(const lb_model_source *source, int link)
{
    return source->link_lines ? source->link_lines[link] : 0;
}

static bool is_empty(const char *text)
{
    return !text || !*text;
}

static bool all_finite(const double *numbers, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            return false;
    return true;
}

/* ---- links -------------------------------------------------------------- */

static lb_status check_geometries(const char *link, const char *list, const lb_geometry *geometries,
                                  int count, int line, lb_error *error)
{
    if (count < 0 || (count > 0 && !geometries))
        return lb_error_set(error, LB_INVALID_ARGUMENT, line,
                            "link '%s': %s_count is %d but %ss is NULL", link, list, count, list);
    for (int i = 0; i < count; i++) {
        geometry_place place = {"link", link, list, i + 1, line};
        TRY(geometry_check(&place, &geometries[i], error));
    }
    return LB_OK;
}

static lb_status check_link(const lb_link *link, int index, int line, lb_error *error)
{
    if (is_empty(link->name))
        return lb_error_set(error, LB_BAD_MODEL, line, "link number %d has no name; give it one",
                            index + 1);
    if (text_has_control(link->name))
        return lb_error_set(error, LB_BAD_MODEL, line,
                            "link number %d: its name has a control character", index + 1);
    if (link->bone && (is_empty(link->bone) || text_has_control(link->bone)))
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "link '%s': its bone is empty or has a control character", link->name);
    if (!rigid_is(&link->data_offset))
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "link '%s': data_offset is not a rigid transform; its axes must be "
                            "orthonormal and right-handed, its numbers finite",
                            link->name);
    if (!isfinite(link->mass) || link->mass < 0)
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "link '%s': mass %g is not a mass; use 0 when it is not known",
                            link->name, link->mass);
    if (!lb_vec3_is_finite(link->center) || !all_finite(link->inertia, 6))
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "link '%s': centre of mass or inertia is not finite", link->name);
    if (!range_has_point(link->data_offset.p) || !range_has_point(link->center))
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "link '%s': data_offset or centre of mass is farther than %g m",
                            link->name, LB_LENGTH_MAX);
    const char *name = link->name;
    TRY(check_geometries(name, "visual", link->visuals, link->visual_count, line, error));
    return check_geometries(name, "collision", link->collisions, link->collision_count, line,
                            error);
}

/* ---- joints ------------------------------------------------------------- */

static lb_status check_joint_names(const lb_joint *joint, int index, int line, lb_error *error)
{
    if (is_empty(joint->name))
        return lb_error_set(error, LB_BAD_MODEL, line, "joint number %d has no name; give it one",
                            index + 1);
    if (text_has_control(joint->name))
        return lb_error_set(error, LB_BAD_MODEL, line,
                            "joint number %d: its name has a control character", index + 1);
    if (is_empty(joint->parent))
        return lb_error_set(error, LB_BAD_MODEL, line,
                            "joint '%s' has no parent; name the link it hangs from", joint->name);
    if (is_empty(joint->child))
        return lb_error_set(error, LB_BAD_MODEL, line,
                            "joint '%s' has no child; name the link it moves", joint->name);
    if (!kind_is_valid(joint->kind))
        return lb_error_set(error, LB_INVALID_ARGUMENT, line, "joint '%s': %d is no kind of joint",
                            joint->name, (int)joint->kind);
    return LB_OK;
}

static lb_status check_joint_frame(const lb_joint *joint, int line, lb_error *error)
{
    if (!rigid_is(&joint->placement))
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "joint '%s': its placement is not a rigid transform; its axes must be "
                            "orthonormal and right-handed, its numbers finite",
                            joint->name);
    if (!range_has_point(joint->placement.p))
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "joint '%s': its placement %g %g %g is farther than %g m", joint->name,
                            joint->placement.p.x, joint->placement.p.y, joint->placement.p.z,
                            LB_LENGTH_MAX);

    // the axes that the kind has
    lb_vec3 zero = {0, 0, 0};
    lb_vec3 axis = lb_vec3_normalize(joint->axis, zero);
    lb_vec3 axis2 = lb_vec3_normalize(joint->axis2, zero);
    int count = kind_of(joint->kind)->axis_count;
    if (count > 0 && lb_vec3_length(axis) == 0)
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "joint '%s': axis %g %g %g is zero or not finite; give it a direction",
                            joint->name, joint->axis.x, joint->axis.y, joint->axis.z);
    if (count > 1 && lb_vec3_length(axis2) == 0)
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "joint '%s': axis2 %g %g %g is zero or not finite; give it a direction",
                            joint->name, joint->axis2.x, joint->axis2.y, joint->axis2.z);
    if (count > 1 && lb_vec3_length(lb_vec3_cross(axis, axis2)) < parallel_tolerance)
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "joint '%s': axis and axis2 are parallel; give axis2 another direction",
                            joint->name);
    return LB_OK;
}

static lb_status check_limit_pair(const lb_joint *joint, int i, int line, lb_error *error)
{
    double lower = joint->lower[i], upper = joint->upper[i];
    if (isnan(lower) || isnan(upper))
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "joint '%s': limit %s is not a number; use infinity for no limit",
                            joint->name, isnan(lower) ? "lower" : "upper");
    if (lower > upper)
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "joint '%s': limit lower %.10g is above upper %.10g", joint->name,
                            lower, upper);
    if ((isfinite(lower) && !range_has(lower)) || (isfinite(upper) && !range_has(upper)))
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "joint '%s': limits %.10g and %.10g: a finite limit is at most %g; use "
                            "infinity for no limit",
                            joint->name, lower, upper, LB_LENGTH_MAX);
    if (lower == INFINITY || upper == -INFINITY)
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "joint '%s': limits %.10g and %.10g leave no value", joint->name, lower,
                            upper);
    return LB_OK;
}

/* Of a ball joint: a range of twist that meets [-pi, pi], and a swing >= 0. */
static lb_status check_ball_limits(const lb_joint *joint, int line, lb_error *error)
{
    TRY(check_limit_pair(joint, 0, line, error));
    if (joint->lower[0] > LB_PI || joint->upper[0] < -LB_PI)
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "joint '%s': twist limits %.10g and %.10g lie beyond half a turn",
                            joint->name, joint->lower[0], joint->upper[0]);
    if (!(joint->upper[1] >= 0))
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "joint '%s': swing limit %.10g must be 0 or more", joint->name,
                            joint->upper[1]);
    return LB_OK;
}

static lb_status check_joint_limits(const lb_joint *joint, int line, lb_error *error)
{
    if (joint->kind == LB_JOINT_BALL)
        return check_ball_limits(joint, line, error);
    for (int i = 0; i < kind_of(joint->kind)->limit_count; i++)
        TRY(check_limit_pair(joint, i, line, error));
    return LB_OK;
}

/* how many numbers of a kind's values are lengths, which come first */
static int length_count(lb_joint_kind kind)
{
    switch (kind) {
    case LB_JOINT_PRISMATIC:
        return 1;
    case LB_JOINT_PLANAR:
        return 2;
    case LB_JOINT_FLOATING:
        return 3;
    default:
        return 0;
    }
}

static lb_status check_joint_numbers(const lb_joint *joint, int line, lb_error *error)
{
    if (!all_finite(joint->value, lb_joint_kind_nq(joint->kind)))
        return lb_error_set(error, LB_BAD_VALUE, line, "joint '%s': its value is not finite",
                            joint->name);
    for (int i = 0; i < length_count(joint->kind); i++)
        if (!range_has(joint->value[i]))
            return lb_error_set(error, LB_BAD_VALUE, line,
                                "joint '%s': its value %g is farther than %g m", joint->name,
                                joint->value[i], LB_LENGTH_MAX);
    if (!(joint->weight > 0) || !isfinite(joint->weight))
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "joint '%s': weight %g must be above 0; use locked to keep it still",
                            joint->name, joint->weight);
    if (joint->mimic && (!range_has(joint->multiplier) || !range_has(joint->offset)))
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "joint '%s': multiplier %g or offset %g of its mimic is not within "
                            "+-%g",
                            joint->name, joint->multiplier, joint->offset, LB_LENGTH_MAX);
    if (isnan(joint->velocity) || isnan(joint->effort))
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "joint '%s': limit of velocity or effort is not a number; use infinity "
                            "for no limit",
                            joint->name);
    if (joint->velocity < 0)
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "joint '%s': a speed of %g is below 0; use infinity for no limit",
                            joint->name, joint->velocity);
    return LB_OK;
}

static lb_status check_joint(const lb_joint *joint, int index, int line, lb_error *error)
{
    TRY(check_joint_names(joint, index, line, error));
    TRY(check_joint_frame(joint, line, error));
    TRY(check_joint_limits(joint, line, error));
    return check_joint_numbers(joint, line, error);
}

/* ---- the whole ---------------------------------------------------------- */

static lb_status check_frame(const lb_model_source *source, lb_error *error)
{
    // indices of values are int, and a joint has up to seven
    const int most = INT32_MAX / (LB_JOINT_MAX_NQ + 1);
    if (source->link_count < 1)
        return REFUSE_MODEL(error, "a model needs at least one link");
    if (source->joint_count < 0 || !source->links || (source->joint_count > 0 && !source->joints))
        return REFUSE_ARGUMENT(error, "links or joints are not given");
    if (source->loop_count < 0 || (source->loop_count > 0 && !source->loops))
        return REFUSE_ARGUMENT(error, "loops are not given");
    if (source->name && text_has_control(source->name))
        return REFUSE_MODEL(error, "the model's name has a control character");
    if (source->link_count > most || source->joint_count > most || source->loop_count > most)
        return REFUSE_UNSUPPORTED(error, "more than %d links, joints or loops", most);
    if (!rigid_is(&source->root))
        return REFUSE_VALUE(error,
                            "the root arc is not a rigid transform; its axes must be orthonormal "
                            "and right-handed, its numbers finite");
    if (!range_has_point(source->root.p))
        return REFUSE_VALUE(error, "the root arc %g %g %g is farther than %g m", source->root.p.x,
                            source->root.p.y, source->root.p.z, LB_LENGTH_MAX);
    return LB_OK;
}

lb_status check_source(const lb_model_source *source, lb_error *error)
{
    lb_status status = check_frame(source, error);
    for (int i = 0; status == LB_OK && i < source->link_count; i++)
        status = check_link(&source->links[i], i, source_link_line(source, i), error);
    for (int i = 0; status == LB_OK && i < source->joint_count; i++)
        status = check_joint(&source->joints[i], i, source_line(source, i), error);
    return status == LB_OK ? loop_check_all(source, error) : status;
}
