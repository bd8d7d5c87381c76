/*
 * rows.c - writing tables.
 */
#include "cli/output/rows.h"

#include "base/number.h"

#include <string.h>

row row_start(FILE *stream)
{
    return (row){.stream = stream};
}

row row_start_array(FILE *stream, npy_writer *array)
{
    *array = (npy_writer){.stream = stream};
    return (row){.stream = stream, .array = array};
}

bool row_finish(row *fields)
{
    return fields->array == NULL || npy_end(fields->array);
}

static void separate(row *fields)
{
    if (fields->begun)
        fputc(',', fields->stream);
    fields->begun = true;
}

void row_text(row *fields, const char *text)
{
    if (fields->array != NULL) {
        fields->names++;
        return;
    }
    separate(fields);
    if (strpbrk(text, ",\"\r\n") == NULL && *text != ' ') {
        fputs(text, fields->stream);
        return;
    }
    fputc('"', fields->stream);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', fields->stream);
        fputc(*text, fields->stream);
    }
    fputc('"', fields->stream);
}

void row_choice(row *fields, const char *text, int index)
{
    if (fields->array != NULL)
        npy_number(fields->array, index);
    else
        row_text(fields, text);
}

void row_whole(row *fields, long number)
{
    if (fields->array != NULL) {
        npy_number(fields->array, (double)number);
        return;
    }
    separate(fields);
    fprintf(fields->stream, "%ld", number);
}

void row_number(row *fields, double number)
{
    char text[NUMBER_TEXT_SIZE];
    if (fields->array != NULL) {
        npy_number(fields->array, number);
        return;
    }
    separate(fields);
    fputs(number_write(number, text), fields->stream);
}

void row_end(row *fields)
{
    if (fields->array != NULL) {
        // the first row has the names
        if (!fields->named)
            npy_begin(fields->array, fields->stream, fields->names);
        fields->named = true;
        return;
    }
    fputc('\n', fields->stream);
    fields->begun = false;
}

void row_transform_names(row *fields)
{
    static const char *const names[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        row_text(fields, names[i]);
}

void row_transform(row *fields, const lb_transform *transform)
{
    lb_quat rotation = lb_transform_quat(transform);
    row_number(fields, transform->p.x);
    row_number(fields, transform->p.y);
    row_number(fields, transform->p.z);
    row_number(fields, rotation.w);
    row_number(fields, rotation.x);
    row_number(fields, rotation.y);
    row_number(fields, rotation.z);
}
