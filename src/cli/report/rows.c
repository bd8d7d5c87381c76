/*
 * rows.c - results as tables: CSV, arrays and JSON objects of the same columns.
 */
#include "cli/report/results.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

/* ---- fields --------------------------------------------------------------- */

static void separate(row *to)
{
    if (to->begun)
        fputc(',', to->stream);
    to->begun = true;
}

/* a word, in quotes where CSV needs them */
static void put_text(row *to, const char *text)
{
    separate(to);
    if (strpbrk(text, ",\"\r\n") == NULL && *text != ' ') {
        fputs(text, to->stream);
        return;
    }
    fputc('"', to->stream);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', to->stream);
        fputc(*text, to->stream);
    }
    fputc('"', to->stream);
}

/* a column's name in the heading, else its number */
static void put_number(row *to, const char *name, double number)
{
    char text[NUMBER_TEXT_SIZE];
    if (to->heading)
        to->columns++;
    if (to->heading && to->array == NULL)
        put_text(to, name);
    if (to->heading)
        return;
    if (to->array != NULL) {
        npy_number(to->array, number);
        return;
    }
    separate(to);
    fputs(number_write(number, text), to->stream);
}

/* ---- columns -------------------------------------------------------------- */

void column_word(row *to, const char *name, const char *text)
{
    if (to->heading && to->word == NULL)
        to->word = name;
    if (to->object != NULL)
        set_json(to->object, name, json_string(text));
    else if (to->array == NULL)
        put_text(to, to->heading ? name : text);
}

void column_choice(row *to, const char *name, const char *text, int index)
{
    if (to->object != NULL)
        set_json(to->object, name, json_string(text));
    else if (to->array == NULL && !to->heading)
        put_text(to, text);
    else
        put_number(to, name, index);
}

void column_whole(row *to, const char *name, int64_t number)
{
    if (to->object != NULL)
        set_json(to->object, name, json_integer(number));
    else
        put_number(to, name, (double)number);
}

void column_flag(row *to, const char *name, bool flag)
{
    if (to->object != NULL)
        set_json(to->object, name, json_boolean(flag));
    else
        put_number(to, name, flag);
}

void column_number(row *to, const char *name, double number)
{
    if (to->object != NULL)
        set_json(to->object, name, json_finite(number));
    else
        put_number(to, name, number);
}

void column_point(row *to, const char *name, const char *prefix, lb_vec3 point)
{
    const double numbers[] = {point.x, point.y, point.z};
    char part[COLUMN_NAME_SIZE];
    if (to->object != NULL)
        set_json(to->object, name, json_vector(point));
    for (int k = 0; k < 3 && to->object == NULL; k++) {
        snprintf(part, sizeof part, "%s%c", prefix, "xyz"[k]);
        put_number(to, part, numbers[k]);
    }
}

void column_transform(row *to, const lb_transform *transform)
{
    static const char *const names[] = {"qw", "qx", "qy", "qz"};
    lb_quat q = lb_transform_quat(transform);
    // 0 is not written as -0
    const double turn[] = {q.w + 0.0, q.x + 0.0, q.y + 0.0, q.z + 0.0};
    column_point(to, "position", "", transform->p);
    for (int k = 0; k < 4 && to->object == NULL; k++)
        put_number(to, names[k], turn[k]);
    if (to->object == NULL)
        return;
    lb_vec3 rpy = lb_quat_to_rpy(q);
    double unit = angle_unit();
    set_json(to->object, "quaternion", json_numbers(turn, 4));
    set_json(to->object, "rpy",
             json_vector(lb_vec3_make(rpy.x / unit, rpy.y / unit, rpy.z / unit)));
}

static json_t *make_joints(const lb_model *model, const value_slot *slots, const double *q)
{
    char name[VALUE_NAME_SIZE];
    json_t *object = json_object();
    for (int k = 0; k < lb_model_nq(model); k++)
        set_json(object, value_name(&slots[k], name), json_real(q[k] / value_unit(&slots[k])));
    return object;
}

void column_joints(row *to, const lb_model *model, const double *q)
{
    char name[VALUE_NAME_SIZE];
    if (to->slots == NULL)
        to->slots = values_slots(model);
    if (to->object != NULL)
        set_json(to->object, "joints", make_joints(model, to->slots, q));
    for (int k = 0; k < lb_model_nq(model) && to->object == NULL; k++)
        put_number(to, value_name(&to->slots[k], name), q[k] / value_unit(&to->slots[k]));
}

static json_t *make_array(const double *numbers, int count, int width)
{
    if (width == 0)
        return json_numbers(numbers, count);
    json_t *array = json_array();
    for (int i = 0; i < count; i += width)
        append_json(array, json_numbers(numbers + i, width));
    return array;
}

void column_numbers(row *to, const char *name, const double *numbers, int count, int width,
                    column_part *part, const void *user)
{
    char own[COLUMN_NAME_SIZE] = "";
    if (to->object != NULL)
        set_json(to->object, name, make_array(numbers, count, width));
    for (int i = 0; i < count && to->object == NULL; i++) {
        bool empty = !to->heading && to->array == NULL && !isfinite(numbers[i]);
        if (to->heading)
            part(user, i, own);
        if (empty)
            put_text(to, "");
        else
            put_number(to, own, numbers[i]);
    }
}

/* ---- tables --------------------------------------------------------------- */

row row_start(FILE *stream, npy_writer *array)
{
    if (array != NULL)
        *array = (npy_writer){.stream = stream};
    return (row){.stream = stream, .array = array};
}

/* a row without columns is left out */
static void end_row(row *to)
{
    if (to->begun)
        fputc('\n', to->stream);
    to->begun = false;
}

void table_heading(const result_table *what, const void *results, row *to)
{
    to->heading = true;
    what->columns(results, 0, to);
    to->heading = false;
    end_row(to);
    if (to->array != NULL)
        npy_begin(to->array, to->stream, to->columns);
}

int table_count(const result_table *what, const void *results)
{
    const char *place = (const char *)results + what->count;
    return what->rows > 0 ? what->rows : *(const int *)(const void *)place;
}

void table_rows(const result_table *what, const void *results, row *to)
{
    int count = table_count(what, results);
    for (int i = 0; i < count; i++) {
        what->columns(results, i, to);
        end_row(to);
    }
}

json_t *table_json(const result_table *what, const void *results, int i, row *to)
{
    json_t *object = to->object = json_object();
    what->columns(results, i, to);
    to->object = NULL;
    return object;
}

void table_csv(const result_table *what, const void *results, FILE *stream)
{
    row to = row_start(stream, NULL);
    table_heading(what, results, &to);
    table_rows(what, results, &to);
}

json_t *joints_json(const lb_model *model, const double *q)
{
    return make_joints(model, values_slots(model), q);
}
