/*
 * cli/values.c - the numbers of a configuration by name.
 */
#include "cli/values.h"

#include "cli/arguments.h"
#include "cli/report.h"
#include "math/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- angles ------------------------------------------------------------- */

static int degrees_wanted;

const struct poptOption angle_options[] = {
    OPTION_FLAG("degrees", degrees_wanted,
                "angles of joints and of roll, pitch, yaw are in degrees, given and answered"),
    OPTION_END,
};

double angle_unit(void)
{
    return degrees_wanted ? LB_PI / 180 : 1;
}

const char *angle_unit_name(void)
{
    return degrees_wanted ? "degrees" : "rad";
}

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

value_slot *values_slots(const lb_model *model)
{
    value_slot *slots = obtain((size_t)lb_model_nq(model), sizeof *slots);
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        for (int k = 0; has_values(joint) && k < lb_joint_kind_nq(joint->kind); k++) {
            value_slot *slot = &slots[lb_model_joint_q(model, j) + k];
            slot->joint = joint;
            slot->part = values_parts[joint->kind][k].name;
            slot->angular = values_parts[joint->kind][k].angular;
        }
    }
    return slots;
}

const char *value_name(const value_slot *slot, char name[VALUE_NAME_SIZE])
{
    snprintf(name, VALUE_NAME_SIZE, "%s%s%s", slot->joint->name, *slot->part == '\0' ? "" : ".",
             slot->part);
    return name;
}

double value_unit(const value_slot *slot)
{
    return slot->angular ? angle_unit() : 1;
}

/* ---- finding ------------------------------------------------------------ */

static lb_status refuse_unknown(const lb_model *model, const char *name, lb_error *error)
{
    suggest nearest = suggest_start(name);
    for (int j = 0; j < lb_model_joint_count(model); j++)
        if (has_values(lb_model_joint(model, j)))
            suggest_offer(&nearest, lb_model_joint(model, j)->name);
    return lb_error_set(error, LB_NOT_FOUND, 0, "no joint '%s'%s", name, suggest_phrase(&nearest));
}

/* the joint must have values that can be given */
static lb_status check_joint(const lb_joint *joint, lb_error *error)
{
    if (joint->mimic != NULL)
        return lb_error_set(error, LB_BAD_VALUE, 0,
                            "joint '%s' follows '%s' and has no value of its own: give '%s'",
                            joint->name, joint->mimic, joint->mimic);
    if (!has_values(joint))
        return lb_error_set(error, LB_BAD_VALUE, 0, "joint '%s' is fixed and has no value",
                            joint->name);
    return LB_OK;
}

/* finds "joint.part" by its last point; false when it is not of that shape */
static bool find_part(const lb_model *model, const value_slot *slots, const char *name, int *index)
{
    char copy[VALUE_NAME_SIZE];
    const char *point = strrchr(name, '.');
    if (point == NULL || point - name >= VALUE_NAME_SIZE)
        return false;
    snprintf(copy, sizeof copy, "%.*s", (int)(point - name), name);
    int j = lb_model_find_joint(model, copy);
    if (j < 0 || !has_values(lb_model_joint(model, j)))
        return false;
    int start = lb_model_joint_q(model, j);
    for (int k = 0; k < lb_joint_kind_nq(lb_model_joint(model, j)->kind); k++)
        if (strcmp(slots[start + k].part, point + 1) == 0) {
            *index = start + k;
            return true;
        }
    return false;
}

lb_status values_find(const lb_model *model, const value_slot *slots, const char *name, int *index,
                      lb_error *error)
{
    int j = lb_model_find_joint(model, name);
    if (j < 0)
        return find_part(model, slots, name, index) ? LB_OK : refuse_unknown(model, name, error);

    const lb_joint *joint = lb_model_joint(model, j);
    lb_status status = check_joint(joint, error);
    if (status != LB_OK)
        return status;
    *index = lb_model_joint_q(model, j);
    int count = lb_joint_kind_nq(joint->kind);
    if (count == 1)
        return LB_OK;
    return lb_error_set(error, LB_BAD_VALUE, 0,
                        "joint '%s' (%s) has %d values, '%s.%s' to '%s.%s': give each of them",
                        name, lb_joint_kind_text(joint->kind), count, name, slots[*index].part,
                        name, slots[*index + count - 1].part);
}

/* ---- texts -------------------------------------------------------------- */

/* sets all values of a joint with several, of which `numbers` has `count` */
static bool set_joint(const lb_model *model, const value_slot *slots, int j, const char *option,
                      const double *numbers, int count, double *q)
{
    const lb_joint *joint = lb_model_joint(model, j);
    int start = lb_model_joint_q(model, j), wanted = lb_joint_kind_nq(joint->kind);

    /* three numbers turn a ball joint by roll, pitch and yaw */
    if (joint->kind == LB_JOINT_BALL && count == 3) {
        double unit = angle_unit();
        lb_quat turn = lb_quat_from_rpy(numbers[0] * unit, numbers[1] * unit, numbers[2] * unit);
        q[start] = turn.w;
        q[start + 1] = turn.x;
        q[start + 2] = turn.y;
        q[start + 3] = turn.z;
        return true;
    }
    if (count != wanted) {
        complain("%s: joint '%s' (%s) takes %d value%s, not %d", option, joint->name,
                 lb_joint_kind_text(joint->kind), wanted, wanted == 1 ? "" : "s", count);
        return false;
    }
    for (int k = 0; k < count; k++)
        q[start + k] = numbers[k] * value_unit(&slots[start + k]);
    return true;
}

/* where values_from_text puts what it reads */
typedef struct value_reading {
    const lb_model *model;
    const value_slot *slots;
    double *q;
} value_reading;

/* sets what one word "name=value" says */
static bool set_word(void *user, const char *option, const char *name, const char *value)
{
    const value_reading *reading = user;
    const lb_model *model = reading->model;
    const value_slot *slots = reading->slots;
    lb_error error = {0};
    double numbers[LB_JOINT_MAX_NQ];
    int count = argument_list(option, value, LB_JOINT_MAX_NQ, numbers);
    if (count < 0)
        return false;

    /* a joint as a whole, or one part of it */
    int j = lb_model_find_joint(model, name), index;
    if (j >= 0 && check_joint(lb_model_joint(model, j), &error) == LB_OK)
        return set_joint(model, slots, j, option, numbers, count, reading->q);
    if (values_find(model, slots, name, &index, &error) != LB_OK) {
        complain("%s: %s", option, error.message);
        return false;
    }
    if (count != 1) {
        complain("%s: '%s' takes 1 value, not %d", option, name, count);
        return false;
    }
    reading->q[index] = numbers[0] * value_unit(&slots[index]);
    return true;
}

bool assignments_each(const char *option, const char *text, assignment_visit *visit, void *user)
{
    static const char blanks[] = " \t\r\n";
    char *copy = obtain(strlen(text) + 1, 1);
    strcpy(copy, text);

    bool fine = true;
    char *rest = copy + strspn(copy, blanks);
    while (fine && *rest != '\0') {
        /* cut off one word, and cut that at its last '=' */
        char *word = rest;
        rest += strcspn(rest, blanks);
        if (*rest != '\0')
            *rest++ = '\0';
        rest += strspn(rest, blanks);
        char *equals = strrchr(word, '=');
        if (equals == NULL || equals == word) {
            complain("%s: '%s' is not of the form joint=value", option, word);
            fine = false;
            break;
        }
        *equals = '\0';
        fine = visit(user, option, word, equals + 1);
    }
    free(copy);
    return fine;
}

bool values_from_text(const lb_model *model, const value_slot *slots, const char *option,
                      const char *text, double *q)
{
    value_reading reading = {model, slots, q};
    return assignments_each(option, text, set_word, &reading);
}

/* ---- quaternions -------------------------------------------------------- */

bool quaternion_normalize(double q[4], int *changed)
{
    /* four numbers rounded to six decimals leave the length within 1e-6 of 1 */
    static const double rounding = 1e-6;
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0) || !isfinite(length))
        return false;
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
            return lb_error_set(error, LB_BAD_VALUE, 0,
                                "joint '%s': a quaternion of length 0 is no rotation", joint->name);
    }
    return LB_OK;
}
