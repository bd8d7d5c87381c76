/*
 * rows.c - writing CSV.
 */
#include "cli/output/rows.h"

#include "base/number.h"

#include <string.h>

row row_start(FILE *stream)
{
    row fields = {stream, false};
    return fields;
}

static void separate(row *fields)
{
    if (fields->begun)
        fputc(',', fields->stream);
    fields->begun = true;
}

void row_text(row *fields, const char *text)
{
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

void row_whole(row *fields, long number)
{
    separate(fields);
    fprintf(fields->stream, "%ld", number);
}

void row_number(row *fields, double number)
{
    char text[NUMBER_TEXT_SIZE];
    separate(fields);
    fputs(number_write(number, text), fields->stream);
}

void row_end(row *fields)
{
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
