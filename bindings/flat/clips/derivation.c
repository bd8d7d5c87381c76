/* derivation.c - a step of inverse kinematics as lines, for the page to show. */
#include "../binding.h"
#include "output.h"

#include <string.h>

/* texts end with a zero; an absent one is the byte 1 alone */
static void write_text(const char *text)
{
    output_write(NULL, text != NULL ? text : "\1", text != NULL ? strlen(text) + 1 : 1);
}

static void write_number(double number)
{
    output_write(NULL, &number, sizeof number);
}

static void write_line(void *user, const lb_derivation_line *line)
{
    (void)user;
    write_text(line->number);
    write_text(line->text);
    write_number(line->part_count);
    for (int i = 0; i < line->part_count; i++) {
        const lb_formula_part *part = &line->parts[i];
        write_text(part->sign);
        if (part->sign != NULL)
            continue;
        write_text(part->name);
        write_number(part->rows);
        write_number(part->columns);
        for (int k = 0; k < part->rows * part->columns; k++)
            write_number(part->numbers[k]);
    }
}

/* 0, or a status with its message */
int EXPORT(derive)(const lb_model *model, const lb_task *task, const lb_ik_options *options,
                   const double *target, const double *q)
{
    lb_transform goal = transform_from(target);
    output_begin();
    return (int)lb_derive(model, task, options, &goal, q, write_line, NULL, &binding_error);
}
