/* files.c - a stranger's program that uses the second library: a built-in model, as JSON. */
#include <limber/formats/json.h>
#include <limber/formats/load.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    lb_model *model = NULL;
    lb_error error;
    char *text = NULL;
    if (lb_load("planar3", NULL, &model, &error) != LB_OK ||
        lb_json_write(model, NULL, &text, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("%s: %zu bytes\n", lb_model_name(model), strlen(text));
    free(text);
    lb_model_release(model);
    return 0;
}
