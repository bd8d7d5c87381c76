/* files.c - a user's program that reads a URDF and a built-in model, and writes JSON. */
#include <limber/formats/json.h>
#include <limber/formats/load.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char urdf[] = "<robot name='pair'><link name='a'/><link name='b'/>"
                           "<joint name='ab' type='continuous'><parent link='a'/>"
                           "<child link='b'/><axis xyz='0 0 1'/></joint></robot>";

int main(void)
{
    lb_model *robot = NULL, *model = NULL;
    lb_error error;
    char *text = NULL;
    if (lb_load_memory("pair.urdf", urdf, sizeof urdf - 1, NULL, &robot, &error) != LB_OK ||
        lb_load("planar3", NULL, &model, &error) != LB_OK ||
        lb_json_write(model, NULL, &text, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("%s: %d links; %s: %zu bytes\n", lb_model_name(robot), lb_model_link_count(robot),
           lb_model_name(model), strlen(text));
    free(text);
    lb_model_release(model);
    lb_model_release(robot);
    return 0;
}
