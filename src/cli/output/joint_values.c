/* joint_values.c - a configuration in results. */
#include "cli/output/joint_values.h"

#include "cli/output/print_json.h"

#include <stdlib.h>

joint_values joint_values_of(const lb_model *model)
{
    return (joint_values){.count = lb_model_nq(model), .slots = values_slots(model)};
}

void joint_values_release(joint_values *values)
{
    free(values->slots);
    *values = (joint_values){0};
}

void joint_values_names(const joint_values *values, row *fields)
{
    char name[VALUE_NAME_SIZE];
    for (int k = 0; k < values->count; k++)
        row_text(fields, value_name(&values->slots[k], name));
}

void joint_values_row(const joint_values *values, const double *q, row *fields)
{
    for (int k = 0; k < values->count; k++)
        row_number(fields, q[k] / value_unit(&values->slots[k]));
}

json_t *joint_values_json(const joint_values *values, const double *q)
{
    char name[VALUE_NAME_SIZE];
    json_t *object = json_object();
    for (int k = 0; k < values->count; k++)
        set_json(object, value_name(&values->slots[k], name),
                 json_real(q[k] / value_unit(&values->slots[k])));
    return object;
}
