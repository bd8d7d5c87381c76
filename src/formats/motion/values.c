/*
 * values.c - the numbers of a configuration by name.
 */
#include "formats/motion/poses.h"

#include "base/error.h"
#include "base/suggest.h"
#include "base/text.h"

#include <limber/math.h>

#include <math.h>
#include <string.h>

/* ---- names -------------------------------------------------------------- */

/* the values of every joint kind: the part that follows the joint's name, and whether an angle */
static const struct {
    const char *name;
    bool angular;
} values_parts[LB_JOINT_KIND_COUNT][LB_JOINT_MAX_NQ] = {
    [LB_JOINT_REVOLUTE] = {{"", true}},
    [LB_JOINT_CONTINUOUS] = {{"", true}},
    [LB_JOINT_PRISMATIC] = {{"", false}},
    [LB_JOINT_UNIVERSAL] = {{"angle1", true}, {"angle2", true}},
    [LB_JOINT_PLANAR] = {{"x", false}, {"y", false}, {"angle", true}},
    [LB_JOINT_BALL] = {{"qw", false}, {"qx", false}, {"qy", false}, {"qz", false}},
    [LB_JOINT_FLOATING] = {{"x", false},
                           {"y", false},
                           {"z", false},
                           {"qw", false},
                           {"qx", false},
                           {"qy", false},
                           {"qz", false}},
};

/* a mimic joint has no values of its own */
static bool has_values(const lb_joint *joint)
{
    return joint->mimic == NULL && lb_joint_kind_nq(joint->kind) > 0;
}

void values_fill(const lb_model *model, value_slot *slots)
{
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        for (int k = 0; has_values(joint) && k < lb_joint_kind_nq(joint->kind); k++) {
            value_slot *slot = &slots[lb_model_joint_q(model, j) + k];
            slot->joint = joint;
            slot->part = values_parts[joint->kind][k].name;
            slot->angular = values_parts[joint->kind][k].angular;
        }
    }
}

const char *value_name(const value_slot *slot, char name[VALUE_NAME_SIZE])
{
    text_format(name, VALUE_NAME_SIZE, "%s%s%s", slot->joint->name, *slot->part == '\0' ? "" : ".",
                slot->part);
    return name;
}

/* ---- finding ------------------------------------------------------------ */

/* the values of a root that moves freely, where the model's is fixed */
static bool is_root_value(const lb_model *model, const char *name)
{
    return strncmp(name, "root.", 5) == 0 && lb_model_find_joint(model, "root") < 0;
}

/* the joint of "joint.part", by its last point, and its part; -1: it is not of that shape */
static int joint_of_part(const lb_model *model, const char *name, const char **part)
{
    char copy[VALUE_NAME_SIZE];
    const char *point = strrchr(name, '.');
    if (point == NULL || point - name >= VALUE_NAME_SIZE)
        return -1;
    memcpy(copy, name, (size_t)(point - name));
    copy[point - name] = '\0';
    *part = point + 1;
    int j = lb_model_find_joint(model, copy);
    return j >= 0 && has_values(lb_model_joint(model, j)) ? j : -1;
}

static lb_status refuse_unknown(const lb_model *model, const value_slot *slots, const char *name,
                                lb_error *error)
{
    if (is_root_value(model, name))
        return lb_error_set(
            error, LB_NOT_FOUND, 0,
            "no joint for '%s': the model's root is fixed; --root floating moves it", name);
    const char *part = "";
    const int whole = joint_of_part(model, name, &part);
    const int values = whole < 0 ? 0 : lb_joint_kind_nq(lb_model_joint(model, whole)->kind);
    if (values > 1) {
        const value_slot *first = &slots[lb_model_joint_q(model, whole)];
        return lb_error_set(error, LB_NOT_FOUND, 0,
                            "joint '%s' (%s) has no value '%s': it has '%s' to '%s'",
                            first->joint->name, lb_joint_kind_text(first->joint->kind), part,
                            first->part, first[values - 1].part);
    }
    suggest nearest = suggest_start(name);
    for (int j = 0; j < lb_model_joint_count(model); j++)
        if (has_values(lb_model_joint(model, j)))
            suggest_consider(&nearest, lb_model_joint(model, j)->name);
    return lb_error_set(error, LB_NOT_FOUND, 0, "no joint '%s'%s", name, suggest_phrase(&nearest));
}

lb_status values_check_joint(const lb_joint *joint, lb_error *error)
{
    if (joint->mimic != NULL)
        return REFUSE_VALUE(error, "joint '%s' follows '%s' and has no value of its own: give '%s'",
                            joint->name, joint->mimic, joint->mimic);
    if (!has_values(joint))
        return REFUSE_VALUE(error, "joint '%s' is fixed and has no value", joint->name);
    return LB_OK;
}

static bool find_part(const lb_model *model, const value_slot *slots, const char *name, int *index)
{
    const char *part;
    int j = joint_of_part(model, name, &part);
    int start = j < 0 ? 0 : lb_model_joint_q(model, j);
    int count = j < 0 ? 0 : lb_joint_kind_nq(lb_model_joint(model, j)->kind);
    for (int k = start; k < start + count; k++)
        if (strcmp(slots[k].part, part) == 0) {
            *index = k;
            return true;
        }
    return false;
}

lb_status values_find(const lb_model *model, const value_slot *slots, const char *name, int *index,
                      lb_error *error)
{
    int j = lb_model_find_joint(model, name);
    if (j < 0)
        return find_part(model, slots, name, index) ? LB_OK
                                                    : refuse_unknown(model, slots, name, error);

    const lb_joint *joint = lb_model_joint(model, j);
    TRY(values_check_joint(joint, error));
    *index = lb_model_joint_q(model, j);
    int count = lb_joint_kind_nq(joint->kind);
    if (count == 1)
        return LB_OK;
    return REFUSE_VALUE(error,
                        "joint '%s' (%s) has %d values, '%s.%s' to '%s.%s': give each of them",
                        name, lb_joint_kind_text(joint->kind), count, name, slots[*index].part,
                        name, slots[*index + count - 1].part);
}

/* ---- quaternions -------------------------------------------------------- */

bool quaternion_normalize(double q[4], int *changed)
{
    /* four numbers rounded to six decimals leave the length within 1e-6 of 1 */
    static const double rounding = 1e-6;
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    bool squares_fit = length > 1e-150 && length < 1e150;
    if (!squares_fit) {
        // of any length, but 0
        lb_quat unit = lb_quat_normalize((lb_quat){q[0], q[1], q[2], q[3]});
        if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
            return false;
        memcpy(q, (double[]){unit.w, unit.x, unit.y, unit.z}, 4 * sizeof *q);
        ++*changed;
        return true;
    }
    *changed += fabs(length - 1) > rounding;
    for (int k = 0; k < 4; k++)
        q[k] /= length;
    return true;
}

lb_status values_normalize(const lb_model *model, double *q, int *changed, lb_error *error)
{
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        if (joint->kind != LB_JOINT_BALL && joint->kind != LB_JOINT_FLOATING)
            continue;
        int start = lb_model_joint_q(model, j) + (joint->kind == LB_JOINT_FLOATING ? 3 : 0);
        if (!quaternion_normalize(q + start, changed))
            return REFUSE_VALUE(error, "joint '%s': a quaternion of length 0 is no rotation",
                                joint->name);
    }
    return LB_OK;
}
