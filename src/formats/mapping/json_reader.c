/*
 * json_reader.c - reading JSON objects by tables of their keys.
 */
#include "formats/mapping/json_reader.h"

#include "base/error.h"
#include "base/suggest.h"
#include "base/text.h"
#include "model/names.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

/* ---- messages ----------------------------------------------------------- */

/* "joints[3].axis: ", or nothing for the whole file; cut where there is no more room */
static void write_path(const json_reader *reader, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < reader->depth && used < size; i++) {
        const reader_path_step *step = &reader->path[i];
        if (step->key == NULL)
            used += text_format(text + used, size - used, "[%d]", step->index);
        else
            used += text_format(text + used, size - used, "%s%.40s", i > 0 ? "." : "", step->key);
    }
    if (used > 0 && used < size)
        text_format(text + used, size - used, ": ");
}

/* the line of the value that is being read */
static int current_line(const json_reader *reader)
{
    return reader->depth > 0 ? reader->path[reader->depth - 1].value->line : reader->root->line;
}

lb_status reader_refuse(json_reader *reader, lb_status status, const char *format, ...)
{
    char path[LB_ERROR_MESSAGE_SIZE / 4], what[LB_ERROR_MESSAGE_SIZE / 2];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(what, sizeof what, format, arguments);
    va_end(arguments);
    write_path(reader, path, sizeof path);
    return lb_error_set(reader->error, status, current_line(reader), "%s%s", path, what);
}

static const char *type_name(const tree_node *value)
{
    switch (value->kind) {
    case LB_NODE_OBJECT:
        return "an object";
    case LB_NODE_ARRAY:
        return "an array";
    case LB_NODE_STRING:
        return "a string";
    case LB_NODE_NUMBER:
        return "a number";
    case LB_NODE_TRUE:
        return "true";
    case LB_NODE_FALSE:
        return "false";
    default:
        return "null";
    }
}

static lb_status refuse_type(json_reader *reader, const tree_node *value, const char *wanted)
{
    return reader_refuse(reader, LB_BAD_VALUE, "expected %s, not %s", wanted, type_name(value));
}

/* ---- objects and arrays ------------------------------------------------- */

lb_status reader_step(json_reader *reader, const char *key, int index, reader_read *read,
                      const tree_node *value, void *out)
{
    assert(reader->depth < READER_MAX_DEPTH);
    reader->path[reader->depth++] = (reader_path_step){key, index, value};
    lb_status status = read(reader, value, out);
    reader->depth--;
    return status;
}

/* `out` is the table's nearest key, in words */
static lb_status refuse_key(json_reader *reader, const tree_node *value, void *out)
{
    (void)value;
    return reader_refuse(reader, LB_BAD_MODEL, "there is no such key here%s",
                         suggest_phrase((suggest *)out));
}

static lb_status check_key(json_reader *reader, const tree_node *member, const reader_field *fields,
                           size_t field_count)
{
    suggest nearest = suggest_start(member->name);
    for (size_t i = 0; i < field_count; i++) {
        if (strcmp(fields[i].key, member->name) == 0)
            return LB_OK;
        suggest_consider(&nearest, fields[i].key);
    }
    return reader_step(reader, member->name, 0, refuse_key, member, &nearest);
}

static lb_status check_keys(json_reader *reader, const tree_node *object,
                            const reader_field *fields, size_t field_count)
{
    for (const tree_node *member = object->first; member != NULL; member = member->next)
        TRY(check_key(reader, member, fields, field_count));
    return LB_OK;
}

/* so many bytes behind a struct or an array; what fills neither is given NULL */
static void *place_behind(void *out, size_t offset)
{
    return out == NULL ? NULL : (char *)out + offset;
}

lb_status reader_object(json_reader *reader, const tree_node *value, const reader_field *fields,
                        size_t field_count, void *out)
{
    if (value->kind != LB_NODE_OBJECT)
        return refuse_type(reader, value, "an object {...}");
    TRY(check_keys(reader, value, fields, field_count));
    for (size_t i = 0; i < field_count; i++) {
        const tree_node *member = tree_member(value, fields[i].key);
        if (member != NULL)
            TRY(reader_step(reader, fields[i].key, 0, fields[i].read, member,
                            place_behind(out, fields[i].offset)));
        else if (fields[i].required)
            return reader_refuse(reader, LB_BAD_MODEL, "the key \"%s\" is missing", fields[i].key);
    }
    return LB_OK;
}

lb_status reader_array(json_reader *reader, const tree_node *value, int count, reader_read *read,
                       void *out, size_t stride)
{
    if (value->kind != LB_NODE_ARRAY)
        return refuse_type(reader, value, "an array [...]");
    if (count >= 0 && value->count != count)
        return reader_refuse(reader, LB_BAD_VALUE, "expected %d elements, not %d", count,
                             value->count);
    const tree_node *element = value->first;
    for (int i = 0; element != NULL; i++, element = element->next)
        TRY(reader_step(reader, NULL, i, read, element, place_behind(out, (size_t)i * stride)));
    return LB_OK;
}

/* ---- doubled keys ------------------------------------------------------- */

static lb_status refuse_doubled(json_reader *reader, const tree_node *value, void *out)
{
    (void)value, (void)out;
    return reader_refuse(reader, LB_BAD_MODEL, "the key is there twice");
}

lb_status reader_unique(json_reader *reader, const tree_node *object)
{
    name_table names;
    if (name_table_create(&names, (size_t)object->count, &reader->draft.allocator) == NULL)
        return reader_refuse(reader, LB_OUT_OF_MEMORY, "out of memory");
    for (const tree_node *m = object->first; m != NULL; m = m->next)
        if (name_table_add(&names, m->name, 0) >= 0)
            return reader_step(reader, m->name, 0, refuse_doubled, m, NULL);
    return LB_OK;
}

/* ---- values ------------------------------------------------------------- */

lb_status reader_choice(json_reader *reader, const tree_node *value, const char *what,
                        const char *const *names, int name_count, int *choice)
{
    const char *text = NULL;
    TRY(reader_text(reader, value, (void *)&text));
    suggest nearest;
    *choice = suggest_choice(&nearest, text, names, name_count);
    if (*choice >= 0)
        return LB_OK;
    return reader_refuse(reader, LB_BAD_VALUE, "no %s '%.60s'%s", what, text, nearest.phrase);
}

lb_status reader_number(json_reader *reader, const tree_node *value, void *out)
{
    if (value->kind != LB_NODE_NUMBER)
        return refuse_type(reader, value, "a number");
    // no file has such a number, but a program's own parser may
    if (!isfinite(value->number))
        return reader_refuse(reader, LB_BAD_VALUE, "expected a finite number, not %g",
                             value->number);
    *(double *)out = value->number;
    return LB_OK;
}

lb_status reader_angle(json_reader *reader, const tree_node *value, void *out)
{
    lb_status status = reader_number(reader, value, out);
    // dividing first makes 45, 90 and 180 degrees exact fractions of pi
    if (status == LB_OK && reader->degrees)
        *(double *)out = *(double *)out / 180 * LB_PI;
    return status;
}

/* warns of something about the value that is being read */
static void warn_of_value(const json_reader *reader, const char *what)
{
    char path[LB_ERROR_MESSAGE_SIZE / 4];
    if (!warnings_wanted(reader->draft.warnings))
        return;
    write_path(reader, path, sizeof path);
    warnings_add(reader->draft.warnings, current_line(reader), "%s%s", path, what);
}

lb_status reader_turn(json_reader *reader, const tree_node *value, void *out)
{
    char what[96];
    lb_status status = reader_angle(reader, value, out);
    double angle = status == LB_OK ? *(double *)out : 0;
    if (!reader->degrees && warnings_is_beyond_turn(angle)) {
        text_format(what, sizeof what, "%g is read in radians but looks like degrees", angle);
        warn_of_value(reader, what);
    }
    return status;
}

lb_status reader_text(json_reader *reader, const tree_node *value, void *out)
{
    if (value->kind != LB_NODE_STRING)
        return refuse_type(reader, value, "a string");
    if (value->text[0] == '\0')
        return reader_refuse(reader, LB_BAD_VALUE, "the string is empty");
    *(const char **)out = value->text;
    return LB_OK;
}

lb_status reader_bool(json_reader *reader, const tree_node *value, void *out)
{
    if (value->kind != LB_NODE_TRUE && value->kind != LB_NODE_FALSE)
        return refuse_type(reader, value, "true or false");
    *(bool *)out = value->kind == LB_NODE_TRUE;
    return LB_OK;
}

lb_status reader_vec3(json_reader *reader, const tree_node *value, void *out)
{
    double xyz[3];
    TRY(reader_array(reader, value, 3, reader_number, xyz, sizeof *xyz));
    *(lb_vec3 *)out = lb_vec3_make(xyz[0], xyz[1], xyz[2]);
    return LB_OK;
}

/* ---- placements --------------------------------------------------------- */

/* rows of a rotation matrix, as a table of numbers is read; its columns are the transform's */
static lb_status read_matrix(json_reader *reader, const tree_node *value, void *out)
{
    lb_vec3 rows[3];
    lb_transform *placement = out;
    TRY(reader_array(reader, value, 3, reader_vec3, rows, sizeof *rows));
    placement->x = lb_vec3_make(rows[0].x, rows[1].x, rows[2].x);
    placement->y = lb_vec3_make(rows[0].y, rows[1].y, rows[2].y);
    placement->z = lb_vec3_make(rows[0].z, rows[1].z, rows[2].z);

    // six digits are enough to write down a rotation
    if (!lb_transform_is_rigid(placement, 1e-5))
        return reader_refuse(reader, LB_BAD_VALUE,
                             "the rows must be of length 1, at right angles and right-handed");
    return LB_OK;
}

static lb_status read_rpy(json_reader *reader, const tree_node *value, void *out)
{
    double rpy[3];
    lb_transform *placement = out;
    TRY(reader_array(reader, value, 3, reader_turn, rpy, sizeof *rpy));
    *placement = lb_transform_from_quat(lb_quat_from_rpy(rpy[0], rpy[1], rpy[2]), placement->p);
    return LB_OK;
}

lb_status reader_rotation(json_reader *reader, const tree_node *value, void *out)
{
    double q[4];
    TRY(reader_array(reader, value, 4, reader_number, q, sizeof *q));

    // two digits may be all that is written, but one far from unit length is a mistake
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(fabs(length - 1) <= 0.01))
        return reader_refuse(reader, LB_BAD_VALUE, "a quaternion must have length 1, not %g",
                             length);
    lb_quat rotation = {q[0], q[1], q[2], q[3]};
    // one that was written with all its digits stays as it is, to the last bit
    *(lb_quat *)out = fabs(length - 1) <= 1e-15 ? rotation : lb_quat_normalize(rotation);
    return LB_OK;
}

static lb_status read_quaternion(json_reader *reader, const tree_node *value, void *out)
{
    lb_quat rotation;
    lb_transform *placement = out;
    TRY(reader_rotation(reader, value, &rotation));
    *placement = lb_transform_from_quat(rotation, placement->p);
    return LB_OK;
}

lb_status reader_placement(json_reader *reader, const tree_node *value, void *out)
{
    static const reader_field fields[] = {
        {"xyz", reader_vec3, offsetof(lb_transform, p), false},
        {"rpy", read_rpy, 0, false},
        {"quaternion", read_quaternion, 0, false},
        {"matrix", read_matrix, 0, false},
    };
    *(lb_transform *)out = LB_TRANSFORM_IDENTITY;
    TRY(reader_object(reader, value, fields, sizeof fields / sizeof *fields, out));

    int rotations = 0;
    for (size_t i = 1; i < sizeof fields / sizeof *fields; i++)
        rotations += tree_member(value, fields[i].key) != NULL;
    if (rotations > 1)
        return reader_refuse(reader, LB_BAD_MODEL,
                             "give one of \"rpy\", \"quaternion\" and \"matrix\", not %d",
                             rotations);
    return LB_OK;
}

/* ---- the head of a file --------------------------------------------------- */

lb_status reader_version(json_reader *reader, const tree_node *value, void *out)
{
    (void)out;
    if (value->kind != LB_NODE_NUMBER || value->number != 1)
        return reader_refuse(reader, LB_UNSUPPORTED, "unknown version of the format; 1 is known");
    return LB_OK;
}

/* a text for people, which the model does not keep */
lb_status reader_note(json_reader *reader, const tree_node *value, void *out)
{
    const char *text;
    (void)out;
    return reader_text(reader, value, (void *)&text);
}

lb_status reader_angles(json_reader *reader, const tree_node *value, void *out)
{
    static const char *const names[] = {"radians", "degrees"};
    int choice;
    (void)out;
    lb_status status = reader_choice(reader, value, "unit of angles", names, 2, &choice);
    reader->degrees = status == LB_OK && choice == 1;
    return status;
}
