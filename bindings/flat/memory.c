/* memory.c - the caller's memory within the module, errors, and what the module is. */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

lb_error binding_error;

/* zeroed; on a boundary fit for doubles */
void *EXPORT(memory_take)(int size)
{
    return size >= 0 ? calloc(size > 0 ? (size_t)size : 1, 1) : NULL;
}

void EXPORT(memory_give)(void *memory)
{
    free(memory);
}

int EXPORT(error_status)(void)
{
    return (int)binding_error.status;
}

int EXPORT(error_line)(void)
{
    return binding_error.line;
}

const char *EXPORT(error_message)(void)
{
    return binding_error.message;
}

int EXPORT(version)(void)
{
    return LB_VERSION_MAJOR * 10000 + LB_VERSION_MINOR * 100 + LB_VERSION_PATCH;
}

/* the index of the one of `count` names that is nearest to the first string; -1: none is near */
int EXPORT(nearest_name)(const char *strings, int count)
{
    const char **names = calloc((size_t)count + 1, sizeof *names);
    if (!names)
        return -1;
    const char *at = strings;
    for (int i = 0; i < count; i++)
        names[i] = at += strlen(at) + 1;
    int nearest = lb_nearest_name(strings, names, count);
    free(names);
    return nearest;
}
