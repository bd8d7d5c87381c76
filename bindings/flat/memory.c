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

/* where the last call that failed says why: see lb_error in layouts.js */
const lb_error *EXPORT(error_place)(void)
{
    return &binding_error;
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
