/*
 * embedded.c - the models built into the library.
 */
#include "formats/load.h"

#include <string.h>

int lb_embedded_count(void)
{
    return embedded_model_count;
}

const lb_embedded *lb_embedded_at(int index)
{
    return index >= 0 && index < embedded_model_count ? &embedded_models[index] : NULL;
}

const lb_embedded *lb_embedded_find(const char *name)
{
    for (int i = 0; i < embedded_model_count && name != NULL; i++)
        if (strcmp(embedded_models[i].name, name) == 0)
            return &embedded_models[i];
    return NULL;
}
