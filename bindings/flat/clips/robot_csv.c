/* robot_csv.c - robot motion as tables. */
#include "../binding.h"
#include "output.h"

#include <limber/formats/robot_csv.h>

/* text of a kind of table, NULL beyond the last */
const char *EXPORT(robot_csv_text)(int kind)
{
    return kind < LB_ROBOT_CSV_COUNT ? lb_robot_csv_text((lb_robot_csv)kind) : NULL;
}

/* a rate of 0 is the kind's; NULL on failure */
lb_clip *EXPORT(robot_csv_load)(const char *name, const char *text, int size, const lb_model *model,
                                int kind, double rate)
{
    lb_clip *clip = NULL;
    lb_robot_csv_options options = {.kind = (lb_robot_csv)kind, .rate = rate};
    lb_robot_csv_load_memory(name, text, (size_t)size, model, &options, &clip, &binding_error);
    return clip;
}

/* 0, or a status with its message */
int EXPORT(robot_csv_write)(const lb_clip *clip, int kind)
{
    output_begin();
    return (int)lb_robot_csv_write(clip, (lb_robot_csv)kind, output_write, NULL, &binding_error);
}
