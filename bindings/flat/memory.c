/* memory.c - the caller's memory within the module, errors, and what the module is. */
#include "binding.h"

#include <stdlib.h>

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

const char *EXPORT(error_message)(void)
{
    return binding_error.message;
}

int EXPORT(version)(void)
{
    return LB_VERSION_MAJOR * 10000 + LB_VERSION_MINOR * 100 + LB_VERSION_PATCH;
}
