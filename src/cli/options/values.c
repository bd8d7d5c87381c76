/*
 * values.c - the numbers of a configuration by name.
 */
#include "base/text.h"
#include "cli/options/targets.h"

#include "cli/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- slots -------------------------------------------------------------- */

value_slot *values_slots(const lb_model *model)
{
    value_slot *slots = allocate_or_exit((size_t)lb_model_nq(model), sizeof *slots);
    values_fill(model, slots);
    return slots;
}

double value_unit(const value_slot *slot)
{
    return slot->angular ? angle_unit() : 1;
}

/* ---- texts -------------------------------------------------------------- */

/* what the values of a kind are called when several are given at once, NULL for a single one */
static const char *values_shape(lb_joint_kind kind)
{
    static const char *const shapes[LB_JOINT_KIND_COUNT] = {
        [LB_JOINT_UNIVERSAL] = "angle1,angle2",
        [LB_JOINT_PLANAR] = "x,y,angle",
        [LB_JOINT_BALL] = "roll,pitch,yaw or qw,qx,qy,qz",
        [LB_JOINT_FLOATING] = "x,y,z,roll,pitch,yaw or x,y,z,qw,qx,qy,qz",
    };
    return shapes[kind];
}

_Noreturn static void refuse_count(const char *option, const lb_joint *joint, int count)
{
    const char *shape = values_shape(joint->kind), *kind = lb_joint_kind_text(joint->kind);
    if (shape == NULL)
        refuse("%s: joint '%s' (%s) takes 1 value, not %d", option, joint->name, kind, count);
    refuse("%s: joint '%s' (%s) takes %s, not %d value%s", option, joint->name, kind, shape, count,
           count == 1 ? "" : "s");
}

/* sets all values of a joint with several, of which `numbers` has `count` */
static void set_joint(const lb_model *model, const value_slot *slots, int j, const char *option,
                      const double *numbers, int count, double *q)
{
    const lb_joint *joint = lb_model_joint(model, j);
    int start = lb_model_joint_q(model, j), wanted = lb_joint_kind_nq(joint->kind);
    bool turns = joint->kind == LB_JOINT_BALL || joint->kind == LB_JOINT_FLOATING;

    /* the last three numbers turn by roll, pitch and yaw where one is missing to a quaternion */
    bool rolled = turns && count == wanted - 1;
    int plain = rolled ? count - 3 : count;
    if (count != wanted && !rolled)
        refuse_count(option, joint, count);
    for (int k = 0; k < plain; k++)
        q[start + k] = numbers[k] * value_unit(&slots[start + k]);
    if (!rolled)
        return;
    const double *angles = &numbers[plain];
    double unit = angle_unit();
    char where[VALUE_NAME_SIZE + 64];
    snprintf(where, sizeof where, "%s: joint '%s'", option, joint->name);
    angles_remark(where, angles, 3);
    lb_quat turn = lb_quat_from_rpy(angles[0] * unit, angles[1] * unit, angles[2] * unit);
    memcpy(&q[start + plain], (double[]){turn.w, turn.x, turn.y, turn.z}, 4 * sizeof *q);
}

/* where values_from_text puts what it reads */
typedef struct value_reading {
    const lb_model *model;
    const value_slot *slots;
    double *q;
} value_reading;

/* sets what one pair "name=value" says */
static void set_word(void *user, const char *option, const char *name, const char *value)
{
    const value_reading *reading = user;
    const lb_model *model = reading->model;
    const value_slot *slots = reading->slots;
    double numbers[LB_JOINT_MAX_NQ];
    int count = argument_list(option, value, LB_JOINT_MAX_NQ, numbers);

    /* a joint as a whole, or one part of it */
    int j = lb_model_find_joint(model, name), index;
    if (j >= 0 && values_check_joint(lb_model_joint(model, j), why()) == LB_OK) {
        set_joint(model, slots, j, option, numbers, count, reading->q);
        return;
    }
    require_for(option, values_find(model, slots, name, &index, why()));
    if (count != 1)
        refuse("%s: '%s' takes 1 value, not %d", option, name, count);
    reading->q[index] = numbers[0] * value_unit(&slots[index]);
}

static const char blanks[] = " \t\r\n";

/* the place of the next "name=value" of a text, cut off from what follows it: values have no
   blanks, names may */
static char *cut_pair(char **rest)
{
    char *pair = *rest + strspn(*rest, blanks);
    char *end = pair + strcspn(pair, "=");
    end += strcspn(end, blanks);
    *rest = *end == '\0' ? end : end + 1;
    *end = '\0';
    return pair;
}

/* cuts a pair at its last '=' */
static const char *cut_value(const char *option, char *pair)
{
    char *equals = strrchr(pair, '=');
    if (equals == NULL || equals == pair || strchr(blanks, equals[-1]) != NULL)
        refuse("%s: '%s' is not of the form joint=value, without blanks beside the =", option,
               pair);
    *equals = '\0';
    return equals + 1;
}

void assignments_each(const char *option, const char *text, assignment_visit *visit, void *user)
{
    /* a pair is followed by a blank, or by the end */
    size_t count = 0;
    const char **names = allocate_or_exit(strlen(text) / 2 + 1, sizeof *names);
    char *rest = copy_or_exit(text), *pair;
    while (*(pair = cut_pair(&rest)) != '\0') {
        const char *value = cut_value(option, pair);
        // a name given twice is ambiguous
        if (text_index(pair, names, count) >= 0)
            refuse("%s: '%s' is given twice", option, pair);
        visit(user, option, pair, value);
        names[count++] = pair;
    }
}

void values_from_text(const lb_model *model, const value_slot *slots, const char *option,
                      const char *text, double *q)
{
    value_reading reading = {model, slots, q};
    assignments_each(option, text, set_word, &reading);
}

/* ---- angles ----------------------------------------------------------- */

static int degrees_wanted, source_degrees_wanted;
/* whether a table of motion is being read */
static bool in_source;

const struct poptOption angle_options[] = {
    OPTION_FLAG("degrees", degrees_wanted,
                "angles of joints and of roll, pitch, yaw are in degrees, in input and output"),
    OPTION_END,
};

const struct poptOption source_angle_options[] = {
    OPTION_FLAG("source-degrees", source_degrees_wanted,
                "angles in a table of motion that is read, under a header of joints, are in "
                "degrees"),
    OPTION_END,
};

bool angles_of_source_given(void)
{
    return source_degrees_wanted != 0;
}

void angles_of_source(bool read)
{
    in_source = read;
}

static bool are_degrees(void)
{
    return (in_source ? source_degrees_wanted : degrees_wanted) != 0;
}

double angle_unit(void)
{
    return are_degrees() ? LB_PI / 180 : 1;
}

const char *angle_unit_name(void)
{
    return are_degrees() ? "degrees" : "rad";
}

bool angle_is_doubtful(double given)
{
    /* a turn that was rounded upwards is still one */
    static const double whole_turn = 1.01 * 2 * LB_PI;
    return !are_degrees() && fabs(given) > whole_turn;
}

void angles_remark(const char *option, const double *given, int count)
{
    for (int i = 0; i < count; i++)
        if (angle_is_doubtful(given[i])) {
            remark("%s: %g is read in radians but looks like degrees; add %s if it is", option,
                   given[i], in_source ? "--source-degrees" : "--degrees");
            return;
        }
}
