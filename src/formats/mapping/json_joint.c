/*
 * json_joint.c - the joints and loops of the JSON linkage format.
 */
#include "formats/mapping/json_reader.h"

#include "base/error.h"

#include <string.h>

/* one letter for each value of a kind, and for each of its pairs of limits */
const joint_units *joint_units_of(lb_joint_kind kind)
{
    static const joint_units units[LB_JOINT_KIND_COUNT] = {
        [LB_JOINT_FIXED] = {"", ""},         [LB_JOINT_REVOLUTE] = {"a", "a"},
        [LB_JOINT_CONTINUOUS] = {"a", ""},   [LB_JOINT_PRISMATIC] = {"-", "-"},
        [LB_JOINT_UNIVERSAL] = {"aa", "aa"}, [LB_JOINT_PLANAR] = {"--a", "--a"},
        [LB_JOINT_BALL] = {"----", ""},      [LB_JOINT_FLOATING] = {"-------", "---"},
    };
    return &units[kind];
}

static lb_status read_unit(json_reader *reader, char unit, const tree_node *value, void *out)
{
    return unit == 'a' ? reader_angle(reader, value, out) : reader_number(reader, value, out);
}

/* the unit of a joint's speed and of its mimic offset: that of its only value */
static char unit_of(const lb_joint *joint)
{
    const char *values = joint_units_of(joint->kind)->values;
    return lb_joint_kind_nq(joint->kind) == 1 ? values[0] : '-';
}

static const char *const kind_names[LB_JOINT_KIND_COUNT] = {
#define KIND_NAME(name, text, nq, nv) text,
    LB_JOINT_KIND_LIST(KIND_NAME)
#undef KIND_NAME
};

lb_status reader_kind(json_reader *reader, const tree_node *value, void *out)
{
    int kind;
    TRY(reader_choice(reader, value, "joint kind", kind_names, LB_JOINT_KIND_COUNT, &kind));
    ((lb_joint *)out)->kind = (lb_joint_kind)kind;
    return LB_OK;
}

/* ---- limits ------------------------------------------------------------- */

/* One bound or one pair of them, while it is being read. */
typedef struct bounds {
    char unit;
    double *lower, *upper;
} bounds;

/* null: no bound */
static lb_status read_lower(json_reader *reader, const tree_node *value, void *out)
{
    bounds *b = out;
    return value->kind == LB_NODE_NULL ? LB_OK : read_unit(reader, b->unit, value, b->lower);
}

static lb_status read_upper(json_reader *reader, const tree_node *value, void *out)
{
    bounds *b = out;
    return value->kind == LB_NODE_NULL ? LB_OK : read_unit(reader, b->unit, value, b->upper);
}

/* [lower, upper] */
static lb_status read_pair(json_reader *reader, const tree_node *value, void *out)
{
    bounds *b = out;
    if (tree_array_size(value) != 2)
        return reader_refuse(reader, LB_BAD_VALUE,
                             "expected [lower, upper]; null where there is no bound");
    TRY(reader_step(reader, NULL, 0, read_lower, value->first, b));
    TRY(reader_step(reader, NULL, 1, read_upper, value->first->next, b));
    if (*b->lower > *b->upper)
        return reader_refuse(reader, LB_BAD_VALUE,
                             "the lower limit %g is above the upper one, %g; exchange them",
                             *b->lower, *b->upper);
    return LB_OK;
}

/* a pair for each value of a joint that has several */
static lb_status read_pairs(json_reader *reader, const tree_node *value, lb_joint *joint,
                            const char *units)
{
    int count = (int)strlen(units);
    if (tree_array_size(value) != count)
        return reader_refuse(reader, LB_BAD_VALUE, "expected %d pairs [lower, upper]", count);
    const tree_node *pair = value->first;
    for (int i = 0; i < count; i++, pair = pair->next) {
        bounds b = {units[i], &joint->lower[i], &joint->upper[i]};
        TRY(reader_step(reader, NULL, i, read_pair, pair, &b));
    }
    return LB_OK;
}

static lb_status read_twist(json_reader *reader, const tree_node *value, void *out)
{
    lb_joint *joint = out;
    bounds b = {'a', &joint->lower[0], &joint->upper[0]};
    return read_pair(reader, value, &b);
}

lb_status reader_limits(json_reader *reader, const tree_node *value, void *out)
{
    static const reader_field ball[] = {
        {"twist", read_twist, 0, false},
        {"swing", reader_angle, offsetof(lb_joint, upper) + sizeof(double), false},
    };
    lb_joint *joint = out;
    const char *units = joint_units_of(joint->kind)->limits;
    if (joint->kind == LB_JOINT_BALL)
        return reader_object(reader, value, ball, sizeof ball / sizeof *ball, joint);
    if (units[0] == '\0')
        return reader_refuse(reader, LB_BAD_MODEL, "a %s joint has no limits",
                             lb_joint_kind_text(joint->kind));
    if (units[1] != '\0')
        return read_pairs(reader, value, joint, units);
    bounds b = {units[0], &joint->lower[0], &joint->upper[0]};
    return read_pair(reader, value, &b);
}

/* ---- values ------------------------------------------------------------- */

lb_status reader_value(json_reader *reader, const tree_node *value, void *out)
{
    lb_joint *joint = out;
    const char *units = joint_units_of(joint->kind)->values;
    int count = lb_joint_kind_nq(joint->kind);
    if (count == 0)
        return reader_refuse(reader, LB_BAD_MODEL, "a fixed joint has no value");
    if (count == 1)
        return read_unit(reader, units[0], value, &joint->value[0]);

    // several numbers, each in its own unit
    double plain[LB_JOINT_MAX_NQ], angles[LB_JOINT_MAX_NQ];
    TRY(reader_array(reader, value, count, reader_number, plain, sizeof *plain));
    TRY(reader_array(reader, value, count, reader_angle, angles, sizeof *angles));
    for (int i = 0; i < count; i++)
        joint->value[i] = units[i] == 'a' ? angles[i] : plain[i];
    return LB_OK;
}

lb_status reader_velocity(json_reader *reader, const tree_node *value, void *out)
{
    lb_joint *joint = out;
    return read_unit(reader, unit_of(joint), value, &joint->velocity);
}

static lb_status read_offset(json_reader *reader, const tree_node *value, void *out)
{
    lb_joint *joint = out;
    return read_unit(reader, unit_of(joint), value, &joint->offset);
}

lb_status reader_mimic(json_reader *reader, const tree_node *value, void *out)
{
    static const reader_field fields[] = {
        {"joint", reader_text, offsetof(lb_joint, mimic), true},
        {"multiplier", reader_number, offsetof(lb_joint, multiplier), false},
        {"offset", read_offset, 0, false},
    };
    return reader_object(reader, value, fields, sizeof fields / sizeof *fields, out);
}

/* ---- whole joints ------------------------------------------------------- */

lb_status reader_joint(json_reader *reader, const tree_node *value, void *out)
{
    // the kind comes before what depends on it
    static const reader_field fields[] = {
        {"name", reader_text, offsetof(lb_joint, name), true},
        {"parent", reader_text, offsetof(lb_joint, parent), true},
        {"child", reader_text, offsetof(lb_joint, child), true},
        {"placement", reader_placement, offsetof(lb_joint, placement), false},
        {"axis", reader_vec3, offsetof(lb_joint, axis), false},
        {"axis2", reader_vec3, offsetof(lb_joint, axis2), false},
        READER_MOTION_FIELDS(0),
    };
    lb_joint *joint = out;
    lb_status status = reader_object(reader, value, fields, sizeof fields / sizeof *fields, joint);
    if (status == LB_OK && tree_member(value, "value") == NULL)
        draft_rest(joint);
    return status;
}

/* ---- loops -------------------------------------------------------------- */

static lb_status read_loop_kind(json_reader *reader, const tree_node *value, void *out)
{
    static const char *const names[LB_LOOP_KIND_COUNT] = {
#define KIND_NAME(name, text, held) text,
        LB_LOOP_KIND_LIST(KIND_NAME)
#undef KIND_NAME
    };
    int kind;
    TRY(reader_choice(reader, value, "kind of loop", names, LB_LOOP_KIND_COUNT, &kind));
    *(lb_loop_kind *)out = (lb_loop_kind)kind;
    return LB_OK;
}

/* up to five coefficients, from the constant one on; always of radians and metres */
static lb_status read_polynomial(json_reader *reader, const tree_node *value, void *out)
{
    double *polynomial = out;
    int count = tree_array_size(value);
    if (count < 1 || count > LB_LOOP_TERMS)
        return reader_refuse(reader, LB_BAD_VALUE, "expected 1 to %d coefficients, constant first",
                             LB_LOOP_TERMS);
    for (int k = 0; k < LB_LOOP_TERMS; k++)
        polynomial[k] = 0;
    return reader_array(reader, value, count, reader_number, polynomial, sizeof *polynomial);
}

static lb_status read_loop(json_reader *reader, const tree_node *value, void *out)
{
    static const reader_field fields[] = {
        {"name", reader_text, offsetof(lb_loop, name), true},
        {"kind", read_loop_kind, offsetof(lb_loop, kind), true},
        {"first", reader_text, offsetof(lb_loop, first), true},
        {"second", reader_text, offsetof(lb_loop, second), true},
        {"first_frame", reader_placement, offsetof(lb_loop, first_frame), false},
        {"second_frame", reader_placement, offsetof(lb_loop, second_frame), false},
        {"polynomial", read_polynomial, offsetof(lb_loop, polynomial), false},
    };
    (void)out;
    return reader_object(reader, value, fields, sizeof fields / sizeof *fields,
                         draft_loop(&reader->draft, value->line));
}

lb_status reader_loops(json_reader *reader, const tree_node *value, void *out)
{
    int count = tree_array_size(value);
    TRY(draft_loops(&reader->draft, count > 0 ? count : 0, reader->error));
    return reader_array(reader, value, -1, read_loop, out, 0);
}
